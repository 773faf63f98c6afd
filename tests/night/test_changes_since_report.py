"""What the report says of changes since the last one: restated, late, opened again, closed, new."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ledger.audit import read_office
from ledger.casework import Action, actions_of, close
from ledger.codec import frame
from ledger.events import Fact, WagerSettled
from ledger.intake import Act, amendment
from ledger.log import Arrival, open_log
from ledger.night import run_night, run_nights, sign_report
from ledger.replay import Replay
from tests.analytics import given
from tests.night import scene
from tests.night.scene import CLOSED_AT, DAY

NEXT = DAY + timedelta(days=1)
LATE = next(
    one for one in scene.two_days() if isinstance(one, WagerSettled) and one.winnings_cents == 0
)
KEY = f"{LATE.stream}:{LATE.seq}"


def without_late() -> list[Fact]:
    return [one for one in scene.two_days() if one != LATE]


def part(issue: Path) -> list[str]:
    """The lines of the report below what changed."""
    text = (issue / "report.txt").read_text()
    _, _, rest = text.partition("\nChanges since ")
    return rest.partition("\n\n")[0].splitlines()


def done(ledger: Path, code: str, reason: str) -> Action:
    """Close an action of the first day."""
    replay = Replay.open(ledger)
    action = next(one for one in actions_of(replay, DAY).actions if one.code == code)
    facts = close(replay, read_office(replay), action, reason, "P-1", CLOSED_AT + 1)
    with open_log(ledger) as log:
        log.append([Arrival(frame(one)) for one in facts], CLOSED_AT + 1)
    return action


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A ledger of two days that lacks a fact of the first, whose night was run."""
    ledger = scene.ledger(tmp_path / "ledger", without_late())
    found = run_night(ledger, DAY, out=tmp_path / "out", processes=1)
    assert part(found.issue.path)[:1] == ["last night"]
    assert "There is no earlier report to compare with." in "".join(part(found.issue.path))
    return ledger


def test_nothing_came_nothing_is_said_but_of_the_actions(first: Path, tmp_path: Path) -> None:
    found = run_night(first, NEXT, out=tmp_path / "out", processes=1)
    head, *lines = part(found.issue.path)
    assert head == f"the report of {DAY}"
    told = found.issue.manifest["since"]
    assert (told["restated"], told["late"], told["closed"]) == ([], [], [])
    count = told["actions"]
    assert count["new"] + count["again"] == len(found.actions)
    (line,) = lines
    assert line.startswith(f"  {NEXT}: actions: ")
    assert line.endswith(f", {count['again']} as before, {count['gone']} not found again")


def test_a_late_fact_is_named_until_its_day_is_run_again(first: Path, tmp_path: Path) -> None:
    given.append(first, [LATE])
    out = tmp_path / "out"
    found = run_night(first, NEXT, out=out, processes=1)
    _, line, _ = part(found.issue.path)
    assert line == (f"  {DAY}: 1 fact came late; its night has to be run again; {KEY} WagerSettled")
    run_night(first, DAY, out=out, processes=1)
    again = run_night(first, NEXT, out=tmp_path / "other", processes=1)
    assert again.issue.manifest["since"] == {"report": None}, "another folder has no report"


def test_restated_and_closed(first: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    said: dict[str, Any] = {"person": "P-1", "name": "A. Name", "signed_as": "preparer"}
    sign_report(first, out, DAY, at=CLOSED_AT + 1, **said)
    gone = done(first, "wheel_too_small", "the wheel goes")
    given.append(first, [LATE])
    restated, found = run_nights(first, [DAY, NEXT], out=out, processes=1)
    assert restated.issue.path.name == "final-2"
    head, *lines = part(found.issue.path)
    assert head == f"the report of {DAY}"
    assert lines[0].startswith(f"  {DAY}: restated: final issue 2; late facts: {KEY} WagerSettled")
    assert lines[0].endswith("Signed forms affected: preparer P-1")
    assert f"  {DAY}: closed: {gone.table} wheel too small by P-1: the wheel goes" in "\n".join(lines)  # fmt: skip
    assert "its night has to be run again" not in "\n".join(lines)
    own, *_ = part(restated.issue.path)
    assert own == "issue 1 of this day"
    assert part(restated.issue.path)[1].startswith(f"  {DAY}: this restates issue 1; late facts")


def test_what_was_closed_and_is_open_again(tmp_path: Path) -> None:
    """An amendment moves what is behind an action; it is told as a late fact is."""
    ledger, out = scene.ledger(tmp_path / "ledger", scene.two_days()), tmp_path / "out"
    run_night(ledger, DAY, out=out, processes=1)
    owed = done(ledger, "wager_underpaid", "repaid")
    unpaid = owed.findings[0].facts[-1]
    replay = Replay.open(ledger)
    was = replay.fact(*unpaid)
    assert isinstance(was, WagerSettled)
    act = Act(by="P-1", at=CLOSED_AT + 2, reason="typed wrongly", approved_by="P-2")
    facts = amendment(replay, *unpaid, replace(was, winnings_cents=100), act)
    with open_log(ledger) as log:
        log.append_whole([Arrival(frame(one)) for one in facts], act.at)
    _, found = run_nights(ledger, [DAY, NEXT], out=out, processes=1)
    _, *lines = part(found.issue.path)
    assert lines[0].startswith(
        f"  {DAY}: restated: final issue 2; late facts: {unpaid} WagerSettled"
    )
    assert f"  {DAY}: opened again: {owed.title.partition(':')[0]}" in lines[1]
    assert "$1.00 less underpaid" in lines[1]
    assert lines[2] == f"  {DAY}: closed: {owed.table} wager underpaid by P-1: repaid"
