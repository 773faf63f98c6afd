"""Actions on the page: since when, until when footage is kept, in whose hands, what was put off."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ledger.audit import read_office
from ledger.casework import ActionRefused, actions_of, suppress, take
from ledger.codec import frame
from ledger.events import Fact
from ledger.log import Arrival, open_log
from ledger.night import run_night
from ledger.replay import Replay
from tests.analytics import given
from tests.casework.scenes import played, table
from tests.night import scene
from tests.night.scene import CLOSED_AT, DAY

NEXT = date(2021, 3, 16)
A_DAY = 86_400_000_000


def append(ledger: Path, facts: tuple[Fact, ...], at: int) -> None:
    with open_log(ledger) as log:
        assert log.append([Arrival(frame(one)) for one in facts], at).accepted == len(facts)


def told(issue: Path) -> dict[str, dict[str, Any]]:
    return {one["code"]: one for one in json.loads((issue / "actions.json").read_bytes())}


def test_age_footage_hands_and_what_was_put_off(tmp_path: Path) -> None:
    ledger = scene.ledger(tmp_path / "ledger", scene.two_days())
    out = tmp_path / "out"
    first = run_night(ledger, DAY, out=out, processes=1, footage_days=7)
    one = told(first.issue.path)["wager_underpaid"]
    assert (one["age_days"], one["status"]) == (0, "open")
    replay = Replay.open(ledger)
    house = read_office(replay)
    actions = {a.code: a for a in actions_of(replay, NEXT).actions}
    owed, small = actions["wager_underpaid"], actions["wheel_too_small"]
    append(ledger, take(replay, house, owed, "P-1", CLOSED_AT + A_DAY), CLOSED_AT + A_DAY)
    replay = Replay.open(ledger)
    put_off = suppress(replay, house, small, NEXT, "the wheel goes", "P-2", CLOSED_AT + A_DAY)
    append(ledger, put_off, CLOSED_AT + A_DAY)
    second = run_night(ledger, NEXT, out=out, processes=1, footage_days=7)
    (read,) = second.issue.manifest["earlier"]["reports"]
    assert (read["gaming_day"], read["manifest"]) == (str(DAY), first.issue.digest.hex())
    held = told(second.issue.path)
    owed_now, small_now = held["wager_underpaid"], held["wheel_too_small"]
    assert (owed_now["age_days"], owed_now["status"], owed_now["in_hand"]) == (1, "taken", "P-1")
    assert owed_now["footage_until"] == owed_now["until"].replace("03-16", "03-23")
    assert small_now["suppressed_until"] == str(NEXT)
    assert small_now["put_off"] == "by P-2: the wheel goes"
    page = (second.issue.path / "report.txt").read_text()
    assert "1 snoozed" in page
    assert "in hand: P-1" in page
    assert "snoozed until 2021-03-16" in (second.issue.path / "report.html").read_text()
    # it ends by itself, and it still counts among the day's actions
    later = {
        a.code: a for a in actions_of(Replay.open(ledger), NEXT, as_of=date(2021, 3, 17)).actions
    }
    assert later["wheel_too_small"].suppressed_until is None
    assert later.keys() == actions.keys()
    # neither taking nor putting off is an input of the day
    before = second.issue.manifest["input"]["hash"]
    assert not run_night(ledger, NEXT, out=out, processes=1, footage_days=7).is_new
    assert (
        before
        == run_night(ledger, NEXT, out=tmp_path / "o", processes=1).issue.manifest["input"]["hash"]
    )


@pytest.mark.parametrize(
    ("until", "reason"), [(date(2021, 3, 14), "x"), (date(2021, 6, 16), "x"), (DAY, " ")]
)
def test_what_cannot_be_put_off(until: date, reason: str, tmp_path: Path) -> None:
    replay = Replay.open(scene.ledger(tmp_path / "ledger"))
    (action, *_) = actions_of(replay, DAY).actions
    with pytest.raises(ActionRefused) as refusal:
        suppress(replay, read_office(replay), action, until, reason, "P-1", CLOSED_AT)
    assert (refusal.value.code, refusal.value.exit_code) == ("action_refused", 2)
    last = suppress(replay, read_office(replay), action, date(2021, 6, 15), "x", "P-1", CLOSED_AT)
    assert last[-1].stream == "cases/actions"


def test_every_round_behind_an_action_has_its_page_and_is_linked(tmp_path: Path) -> None:
    """A table that pays half all day is one action; its list leads to each of its rounds."""
    scene_of_day = table()
    for number in range(12):
        played(scene_of_day, number * 60, ("Small Bet", 1_000, 500))
    ledger = given.ledger(tmp_path / "ledger", list(scene_of_day.build()))
    issue = run_night(ledger, scene_of_day.day, out=tmp_path, processes=1).issue.path
    page = (issue / "report.html").read_text()
    linked = set(re.findall(r'href="(rounds/[^"]*)"', page))
    assert {f"rounds/{path.name}" for path in (issue / "rounds").iterdir()} == linked
    assert len(linked) == 12
