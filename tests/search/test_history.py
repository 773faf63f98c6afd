"""Histories of two planted days, against the rounds that the rules engine hands out itself."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import date, timedelta
from pathlib import Path

import pytest

from ledger import events
from ledger.events.enums import Capture
from ledger.kernel import table_of
from ledger.replay import FactStep, Replay
from ledger.rounds import RoundResult, RoundStatus
from ledger.search import History, SearchUnclear, SubjectKind, history
from tests.cli.given import run_here

DAY = date(2021, 6, 12)


def patrons(rounds: list[RoundResult]) -> list[str]:
    """All patrons, those with a wager paid wrongly first."""
    wrong = [
        bet.patron
        for result in rounds
        for bet in result.wagers
        if any(finding.wager == bet.wager_id for finding in result.findings)
    ]
    every = [bet.patron for result in rounds for bet in result.wagers]
    return list(dict.fromkeys(name for name in (*wrong, *every) if name is not None))


def test_each_patron_by_day_and_table(folder: Path, rounds: list[RoundResult]) -> None:
    """Wagers, stakes and findings of ten patrons, counted from the rounds themselves."""
    with_findings = 0
    for patron in patrons(rounds)[:10]:
        wagers: dict[tuple[date, str], dict[object, int]] = defaultdict(dict)
        played: dict[tuple[date, str], set[str]] = defaultdict(set)
        findings = 0
        for result in rounds:
            own = {bet.wager_id: bet for bet in result.wagers if bet.patron == patron}
            where = result.gaming_day, result.table
            for bet in own.values():
                played[where].add(result.round)
                wagers[where].setdefault(bet.placed, bet.stake_cents)
            findings += sum(finding.wager in own for finding in result.findings)
        answer = history(folder, SubjectKind.PATRON, patron)
        days = {(day.gaming_day, day.table): day for day in answer.days}
        assert days.keys() == played.keys()
        for where, day in days.items():
            assert day.rounds == len(played[where])
            assert day.wagers == len(wagers[where])
            assert day.stake_cents == sum(wagers[where].values())
        assert answer.total_findings == findings == sum(day.findings for day in answer.days)
        with_findings += bool(findings)
    assert with_findings > 2  # planted


def test_a_dealer_by_what_was_dealt(folder: Path, rounds: list[RoundResult]) -> None:
    """The rounds that opened while the dealer was assigned, by the facts of staff themselves."""
    replay = Replay.open(folder)
    dealing: dict[str, str] = {}
    dealt: dict[str, set[str]] = defaultdict(set)
    known = {result.round for result in rounds}
    for table, streams in replay.tables().items():
        for step in replay.walk(streams):
            match step:
                case FactStep(fact=events.StaffAssigned(role=role, person=person)):
                    if role is events.Role.DEALER:
                        dealing[table] = person
                case FactStep(fact=events.BettingOpened(stream=stream, seq=seq)):
                    name = f"{stream}:{seq}"
                    if name in known and table_of(stream) in dealing:
                        dealt[dealing[table_of(stream)]].add(name)
    dealer, expected = max(dealt.items(), key=lambda each: len(each[1]))
    answer = history(folder, SubjectKind.DEALER, dealer.replace("-", " ").lower())
    assert answer.names == (dealer,)
    as_dealer = [day for day in answer.days if day.capacity == "DEALER"]
    assert sum(day.rounds for day in as_dealer) == len(expected)
    unknown = {r.round for r in rounds if r.status is RoundStatus.UNKNOWN and r.round in expected}
    assert unknown <= set(answer.unknown)
    found = sum(len(r.findings) for r in rounds if r.round in expected)
    assert sum(day.findings for day in as_dealer) == found


def test_a_die_by_its_serial_number(folder: Path, rounds: list[RoundResult]) -> None:
    replay = Replay.open(folder)
    thrown = next(
        step.fact
        for step in replay.walk(replay.tables()["SB-01"], only=["DiceSetPlaced"])
        if isinstance(step, FactStep)
    )
    assert isinstance(thrown, events.DiceSetPlaced)
    serial = thrown.dice[0].serial
    assert serial is not None
    answer = history(folder, SubjectKind.EQUIPMENT, serial.lower())
    assert answer.names == (serial,)
    assert {day.table for day in answer.days} == {"SB-01"}
    assert 0 < sum(day.rounds for day in answer.days) <= sum(r.table == "SB-01" for r in rounds)


def test_only_the_days_that_are_asked(folder: Path, rounds: list[RoundResult]) -> None:
    dealer = history(folder, SubjectKind.DEALER, "F-41")
    second = history(folder, SubjectKind.DEALER, "F-41", first=DAY + timedelta(days=1))
    assert {day.gaming_day for day in dealer.days} == {DAY, DAY + timedelta(days=1)}
    assert second.days == tuple(day for day in dealer.days if day.gaming_day > DAY)
    assert history(folder, SubjectKind.DEALER, "F-41", last=DAY - timedelta(days=1)).days == ()
    with pytest.raises(SearchUnclear, match="comes after"):
        history(folder, SubjectKind.DEALER, "F-41", first=DAY, last=DAY - timedelta(days=1))


@pytest.mark.parametrize(
    "reference", ["nobody", "", "'; DROP TABLE wagers; --", "=1+1", "<b>", "p" * 100_000, "\x1b[2J"]
)
def test_who_is_not_on_the_record_is_refused(folder: Path, reference: str) -> None:
    for kind in SubjectKind:
        with pytest.raises(SearchUnclear, match="no " + kind.value):
            history(folder, kind, reference)


def test_silence_is_not_clean(folder: Path, rounds: list[RoundResult]) -> None:
    """What was not recorded, and wagers without a name, are told beside a patron's own."""
    answer: History = history(folder, SubjectKind.PATRON, patrons(rounds)[0])
    replay = Replay.open(folder)
    openings = [
        step.fact
        for step in replay.walk(replay.streams_with(["TableOpened"]), only=["TableOpened"])
        if isinstance(step, FactStep) and isinstance(step.fact, events.TableOpened)
    ]
    partly = {table_of(fact.stream) for fact in openings if fact.capture is not Capture.FULL}
    places = {(r.table, r.gaming_day) for r in rounds if r.table in partly}
    assert set(answer.uncovered) == places
    assert places
    nameless = {
        (bet.placed, bet.wager_id) for r in rounds for bet in r.wagers if bet.patron is None
    }
    assert answer.nameless_wagers == len(nameless)


def test_the_command(folder: Path, rounds: list[RoundResult]) -> None:
    patron = patrons(rounds)[0]
    data = run_here("history", "patron", patron, "--ledger", str(folder), "--format", "json").json
    assert data["kind"] == "patron"
    assert data["names"] == [patron]
    page = run_here("history", "patron", patron, "--ledger", str(folder), "--most", "1")
    assert page.code == 1
    assert f"Patron {patron}" in page.out
    assert json.dumps(data["findings"][0]["sentence"], ensure_ascii=False).strip('"') in page.out
    unknown = run_here("history", "patron", "p-none", "--ledger", str(folder))
    assert unknown.code == 2
    assert "search_unclear" in unknown.err
