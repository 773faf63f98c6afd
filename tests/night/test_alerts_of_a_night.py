"""Alerts over nights and on the page: what earlier nights raised, what is put off, what is shown."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from datetime import date, timedelta
from hashlib import sha256
from importlib import import_module
from math import log
from pathlib import Path
from typing import Any

import pytest

from ledger.audit import read_office
from ledger.casework import (
    ActionRefused,
    Alert,
    CredentialNotHeld,
    Policy,
    discoveries,
    read_suppressions,
    suppress,
)
from ledger.casework.detections import CARDS, Evidence
from ledger.casework.detections.win_on_wagers import subject_of
from ledger.cli.settings import Settings
from ledger.codec import frame
from ledger.events import Fact
from ledger.log import Arrival, open_log
from ledger.log.signed_file_index import Seals
from ledger.night import (
    NothingIssued,
    alerts_now,
    issued_alerts,
    last_issue_of,
    run_night,
    run_nights,
)
from ledger.night.errors import IssueDamaged
from ledger.replay import Replay
from tests.analytics import given
from tests.cli.conftest import Command
from tests.night import scene
from tests.night.scene import CLOSED_AT, DAY

DETECT = import_module("ledger.casework.detections.alert_judgement")
NEXT = DAY + timedelta(days=1)
A_DAY = 86_400_000_000
ONE, TWO = 620.0, 310.0
"""What one test a night asks for in a month of 31 nights, and after one alarm: 31/0.05, and half."""


class Seen:
    """A detection that says what it is told, by day: subject and e-value; it notes each question."""

    def __init__(self, told: Mapping[date, Mapping[str, float]]) -> None:
        self.told = told
        self.asked: list[date] = []

    def __call__(self, history: Any, day: date, card: Any) -> Iterator[Evidence]:
        self.asked.append(day)
        begins = next(night.begins for night in history if night.day == day)
        for subject, e_value in self.told.get(day, {}).items():
            yield Evidence(
                table="SB-01", subject=subject, log_e=log(e_value), volume=300, left_out=0,
                at=begins + 60_000_000, no_evidence="no evidence of bias in 300 throws",
                discovery=f"{subject} are not even", power=lambda _: "a bias would have been seen",
            )  # fmt: skip


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    found = Seen({DAY: {"dice A": ONE}, NEXT: {"dice A": TWO}})
    none: dict[str, Any] = {name: lambda *_: iter(()) for name in CARDS}
    monkeypatch.setattr(DETECT, "DETECTIONS", none | {"dice_bias": found})
    return found


def told(out: Path, day: date, name: str = "alerts.json") -> Any:
    return json.loads((out / day.isoformat() / "final-1" / name).read_bytes())


def raised(out: Path, day: date) -> list[bool]:
    return [one["raised"] for one in told(out, day)]


def append(ledger: Path, facts: tuple[Fact, ...], at: int) -> None:
    with open_log(ledger) as log_:
        assert log_.append([Arrival(frame(one)) for one in facts], at).accepted == len(facts)


# --- over nights ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("second", "is_raised"), [(TWO, True), (TWO - 1, False)])
def test_an_alarm_makes_the_next_night_ask_for_less(
    seen: Seen, tmp_path: Path, second: float, is_raised: bool
) -> None:
    seen.told = {DAY: {"dice A": ONE}, NEXT: {"dice A": second}}
    ledger = scene.ledger(tmp_path / "ledger", scene.two_days())
    run_night(ledger, DAY, out=tmp_path, processes=1)
    run_night(ledger, NEXT, out=tmp_path, processes=1)
    assert (raised(tmp_path, DAY), raised(tmp_path, NEXT)) == ([True], [is_raised])
    assert told(tmp_path, DAY, "discoveries.json") == []
    assert told(tmp_path, NEXT, "discoveries.json") == [{"gaming_day": str(DAY), "discoveries": 1}]
    assert seen.asked == [DAY, NEXT], "the alarms of the first night were kept"


def test_without_an_alarm_before_it_the_same_evidence_is_not_enough(
    seen: Seen, tmp_path: Path
) -> None:
    seen.told = {DAY: {"dice A": ONE - 1}, NEXT: {"dice A": ONE - 1}}
    ledger = scene.ledger(tmp_path / "ledger", scene.two_days())
    for day in (DAY, NEXT):
        run_night(ledger, day, out=tmp_path, processes=1)
    assert (raised(tmp_path, DAY), raised(tmp_path, NEXT)) == ([False], [False])


@pytest.mark.full
def test_another_month_begins_anew(seen: Seen, tmp_path: Path) -> None:
    last, first = date(2021, 3, 31), date(2021, 4, 1)
    seen.told = {last: {"dice A": ONE}, first: {"dice A": ONE - 1}}
    ledger = scene.ledger(tmp_path / "ledger", [_later(one, 16) for one in scene.two_days()])
    for day in (last, first):
        run_night(ledger, day, out=tmp_path, processes=1)
    assert (raised(tmp_path, last), raised(tmp_path, first)) == ([True], [False])
    assert told(tmp_path, first, "discoveries.json") == []


def _later(fact: Fact, days: int) -> Fact:
    moved: dict[str, Any] = {"event_time": fact.event_time + days * A_DAY}
    for one in fields(fact):
        if one.name in ("gaming_day", "for_gaming_day"):
            day = date.fromisoformat(getattr(fact, one.name)) + timedelta(days=days)
            moved[one.name] = day.isoformat()
    return replace(fact, **moved)


def test_the_same_bytes_in_any_order_with_and_without_what_was_kept(
    seen: Seen, tmp_path: Path
) -> None:
    ledger = scene.ledger(tmp_path / "ledger", scene.two_days())
    first, again, both = (tmp_path / name for name in ("first", "again", "both"))
    run_night(ledger, NEXT, out=first, processes=1)
    shutil.rmtree(ledger / "cache")
    for day in (NEXT, DAY):
        run_night(ledger, day, out=again, processes=1)
    shutil.rmtree(ledger / "cache" / "alarms")
    run_nights(ledger, [DAY, NEXT], out=both, processes=1)
    for name in ("alerts.json", "discoveries.json"):
        held = {(out / str(NEXT) / "final-1" / name).read_bytes() for out in (first, again, both)}
        assert len(held) == 1
    hashes = {told(out, NEXT, "manifest.json")["input"]["hash"] for out in (first, again, both)}
    assert len(hashes) == 1
    assert raised(first, NEXT) == [True]


def test_a_late_fact_asks_the_earlier_night_again(seen: Seen, tmp_path: Path) -> None:
    sent = scene.two_days()
    late = next(one for one in sent if type(one).__name__ == "WagerSettled")
    ledger = given.ledger(tmp_path / "ledger", [one for one in sent if one is not late])
    run_night(ledger, NEXT, out=tmp_path, processes=1)
    run_night(ledger, NEXT, out=tmp_path / "other", processes=1)
    assert seen.asked == [DAY, NEXT, NEXT]
    given.append(ledger, [late])
    seen.told = {DAY: {"dice A": ONE - 1}, NEXT: {"dice A": TWO}}
    second = run_night(ledger, NEXT, out=tmp_path, processes=1)
    assert seen.asked == [DAY, NEXT, NEXT, DAY, NEXT]
    assert [one["raised"] for one in json.loads((second.issue.path / "alerts.json").read_bytes())] == [False]  # fmt: skip


# --- put off, and within a shift's budget ---------------------------------------------------------


THREE = {"dice A": 1e9, "dice B": 1e9, "dice C": 1e9}


def text_of(out: Path, day: date) -> str:
    return (out / day.isoformat() / "final-1" / "report.txt").read_text()


def state(alerts: tuple[Alert, ...]) -> dict[str, str]:
    return {
        one.subject: "put off" if one.suppressed_until else "over" if one.not_shown else "shown"
        for one in alerts
    }


@pytest.mark.parametrize("until", [DAY, NEXT])
def test_what_is_put_off_frees_its_place_and_is_back_when_it_ends(
    seen: Seen, tmp_path: Path, until: date
) -> None:
    seen.told = {DAY: THREE, NEXT: THREE}
    ledger = scene.ledger(tmp_path / "ledger", scene.two_days())
    policy = Policy(per_shift=1)
    run_night(ledger, DAY, out=tmp_path, processes=1, policy=policy)
    assert "Detections: 3 alerts in 3 tests, 2 over the shift's budget of alerts" in text_of(
        tmp_path, DAY
    )
    replay = Replay.open(ledger)
    house = read_office(replay)
    now = alerts_now(replay, house.clock, last_issue_of(tmp_path, None, Seals.of(ledger)), policy)
    (shown,) = (one for one in now if not one.not_shown)
    append(ledger, suppress(replay, house, shown, until, "measured", "S-1", CLOSED_AT), CLOSED_AT)
    replay = Replay.open(ledger)
    later = alerts_now(replay, house.clock, last_issue_of(tmp_path, DAY, Seals.of(ledger)), policy)
    assert state(later)[shown.subject] == "put off"
    assert sorted(state(later).values()) == ["over", "put off", "shown"], "its place is free"
    assert discoveries(later) == 3, "it still counts"
    run_night(ledger, NEXT, out=tmp_path, processes=1, policy=policy)
    said, page = text_of(tmp_path, NEXT), tmp_path / str(NEXT) / "final-1" / "report.html"
    if until == NEXT:
        assert "3 alerts in 3 tests, 1 snoozed, 1 over the shift's budget of alerts" in said
        assert f"snoozed until {NEXT} by S-1: measured" in page.read_text()
    else:
        assert "3 alerts in 3 tests, 2 over the shift's budget of alerts" in said
        assert "snoozed until" not in page.read_text()
    assert told(tmp_path, NEXT, "discoveries.json") == [{"gaming_day": str(DAY), "discoveries": 3}]
    for one in told(tmp_path, NEXT):
        assert (one["id"][:12] in said) or one["subject"] not in said
        assert one["id"][:12] in page.read_text()


@pytest.mark.parametrize(("per_shift", "over"), [(3, 0), (2, 1)])
def test_the_budget_is_the_propertys_and_no_input_of_the_day(
    seen: Seen, tmp_path: Path, per_shift: int, over: int
) -> None:
    seen.told = {DAY: THREE}
    ledger = scene.ledger(tmp_path / "ledger")
    found = run_night(ledger, DAY, out=tmp_path, processes=1, policy=Policy(per_shift=per_shift))
    usual = run_night(ledger, DAY, out=tmp_path / "usual", processes=1)
    back = f", {over} over the shift's budget of alerts" if over else ""
    assert f"Detections: 3 alerts in 3 tests{back}" in text_of(tmp_path, DAY)
    mine, others = found.issue.manifest, usual.issue.manifest
    assert mine["alert_budget"] == {"per_shift": per_shift, "shift_hours": 8}
    assert mine["input"]["hash"] == others["input"]["hash"]
    assert told(tmp_path, DAY) == told(tmp_path / "usual", DAY)


def test_what_was_not_raised_cannot_be_put_off_nor_by_anybody(seen: Seen, tmp_path: Path) -> None:
    seen.told = {DAY: {"dice A": 1e9, "dice B": 1.0}}
    ledger = scene.ledger(tmp_path / "ledger")
    run_night(ledger, DAY, out=tmp_path, processes=1)
    replay = Replay.open(ledger)
    house = read_office(replay)
    strong, weak = alerts_now(
        replay, house.clock, last_issue_of(tmp_path, DAY, Seals.of(ledger)), Policy()
    )
    with pytest.raises(ActionRefused, match="was not raised"):
        suppress(replay, house, weak, DAY, "x", "S-1", CLOSED_AT)
    with pytest.raises(CredentialNotHeld) as refusal:
        suppress(replay, house, strong, DAY, "x", "P-9", CLOSED_AT)
    assert (refusal.value.code, refusal.value.exit_code) == ("credential_not_held", 2)
    with pytest.raises(NothingIssued):
        last_issue_of(tmp_path, NEXT, Seals.of(ledger))
    issue = last_issue_of(tmp_path, DAY, Seals.of(ledger))
    kept = (issue.path / "alerts.json").read_bytes()
    (issue.path / "alerts.json").write_bytes(kept.replace(b"dice A", b"dice X"))
    with pytest.raises(IssueDamaged, match="its bytes are others"):
        issued_alerts(issue)
    older = kept.replace(b'"at"', b'"then"')
    (issue.path / "alerts.json").write_bytes(older)
    for one in issue.manifest["outputs"]:
        if one["name"] == "alerts.json":
            one["sha256"] = sha256(older).hexdigest()
    with pytest.raises(IssueDamaged, match="this version cannot read it"):
        issued_alerts(issue)


def test_the_commands(
    seen: Seen, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen.told = {DAY: {**THREE, "dice D": 1.0}}
    ledger, out = scene.ledger(tmp_path / "ledger"), tmp_path / "out"
    monkeypatch.setenv("PITLEDGER_ALERTS_PER_SHIFT", "2")
    place = ("--ledger", ledger, "--out", out)
    assert command("actions", "alerts", *place).err.count("[night_not_issued]") == 1
    assert command("night", *place, "--processes", "1").code == 1
    done = command("actions", "alerts", *place, "--format", "json")
    alerts = {one["subject"]: one for one in json.loads(done.out)}
    assert (done.code, len(alerts)) == (1, 3)
    assert len(json.loads(command("actions", "alerts", "--all", *place, "--format", "json").out)) == 4  # fmt: skip
    shown = [one for one in alerts.values() if not one["held"]]
    assert len(shown) == 2
    words = ("--until", str(DAY), "--reason", "dice are measured")
    name = shown[0]["id"]
    refused = command("actions", "suppress", name, *words, "--by", "P-9", *place)
    assert (refused.code, "[credential_not_held]" in refused.err) == (2, True)
    assert command("actions", "suppress", "zzzz", *words, "--by", "S-1", *place).code == 2
    monkeypatch.setattr("ledger.cli.wall_clock.read_clock", lambda: CLOSED_AT + 1)
    done = command("actions", "suppress", name[:8], *words, "--by", "S-1", *place)
    assert (done.code, done.err.count("[")) == (0, 0), done.err
    assert done.out.startswith(f"dice bias, SB-01, {shown[0]['subject']}\n  {name} put off until")
    page = command("actions", "alerts", *place).out
    assert f"Not shown first: snoozed until {DAY} by S-1: dice are measured" in page
    assert "Detections: 3 alerts in 4 tests, 1 snoozed" in page
    (held,) = read_suppressions(Replay.open(ledger))
    assert (held.detection, held.table, held.subject) == ("dice_bias", "SB-01", shown[0]["subject"])
    for one in alerts:
        if one != shown[0]["subject"]:
            command("actions", "suppress", alerts[one]["id"], *words, "--by", "S-2", *place)
    assert command("actions", "alerts", *place).code == 0, "nothing stands by itself any more"


@pytest.mark.full
def test_thresholds_from_elsewhere_stand_beside_a_win_where_the_property_chose_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wins(history: Any, day: date, _: Any) -> Iterator[Evidence]:
        for win in history[-1].wins[:1]:
            yield Evidence(
                table=win.table, subject=subject_of(win), log_e=20.0, volume=500, left_out=0,
                at=history[-1].begins, no_evidence="none", discovery="it does not fit",
                power=lambda _: "seen",
            )  # fmt: skip

    none: dict[str, Any] = {name: lambda *_: iter(()) for name in CARDS}
    monkeypatch.setattr(DETECT, "DETECTIONS", none | {"win_on_wagers": wins})
    ledger = scene.ledger(tmp_path / "ledger")
    chosen = Settings(hold_thresholds="another state=3.5").policy
    run_night(ledger, DAY, out=tmp_path / "chosen", processes=1, policy=chosen)
    run_night(ledger, DAY, out=tmp_path / "usual", processes=1, policy=Settings().policy)
    page = tmp_path / "chosen" / str(DAY) / "final-1" / "report.html"
    said = "another state: 3.5 points of hold on wagers (not a Pennsylvania requirement)"
    assert said in page.read_text()
    usual = tmp_path / "usual" / str(DAY) / "final-1" / "report.html"
    assert "it does not fit" in usual.read_text()
    assert "Pennsylvania requirement" not in usual.read_text()
    assert told(tmp_path / "chosen", DAY) == told(tmp_path / "usual", DAY)
