"""Games of Three Dice Football told from tables: their wagers close and are decided apart.

What every game shares is tried with Sic Bo (``test_in_order.py``); that each condition is needed,
in ``test_in_order_football_needed.py``; what rows of its room know, in
``test_in_order_football_rows.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ledger import events
from ledger.codec.errors import NotAFact
from ledger.kernel import machine_code
from ledger.rounds.in_order import kept_tables, machine_walk, results_of
from ledger.rounds.in_order.room_for_real import RoomForReal
from ledger.rounds.in_order.rounds_read import FIRST, NOTED, PLACED
from ledger.rounds.in_order.runs import Stretch
from ledger.rounds.in_order.stretch import Reading, Tables
from tests.engine import log_of
from tests.rounds.football_days import (
    TABLES,
    Facts,
    after,
    altered_football,
    altered_with_coupons,
    of_kinds,
    table_in,
)
from tests.rounds.football_wrong_days import (
    AT_ONCE,
    GAME,
    OPENED,
    TABLE,
    THROWN,
    WRONG,
    extra_point_with_a_coupon,
    placed,
    settled_as,
    taken_down_in_time,
    the_day,
    winner_first,
)
from tests.rounds.test_in_order import honest_day, is_same, judged
from tests.rounds.test_in_order_standing import let_machine_code_run, note_stretches


@pytest.fixture(autouse=True)
def readable(monkeypatch: pytest.MonkeyPatch) -> None:
    """No machine code, whatever ran before; tables that no other test made rows in."""
    monkeypatch.setattr(machine_code, "is_available", lambda: False)
    monkeypatch.setattr(kept_tables, "_KEPT", [])


def told_runs(facts: Any, table: str = TABLE) -> list[Stretch]:
    """The runs of rounds of a day that are told from tables."""
    out: list[Stretch] = []
    with pytest.MonkeyPatch.context() as patch:
        note_stretches(patch, out)
        judged(facts, in_bulk=True, table=table)
    return out


def told(facts: Any, table: str = TABLE) -> set[str]:
    """The rounds of a day that are told from tables."""
    return {result.round for run in told_runs(facts, table) for result in results_of(run)}


def game_of(facts: Facts, number: int) -> str:
    """The round that is a game of the day."""
    opened = facts[of_kinds(facts, OPENED)[number - 1]]
    return f"{opened.stream}:{opened.seq}"


# --- honest and altered days ----------------------------------------------------------------------


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_honest_day_is_the_same_and_told_from_tables(
    seed: int, table: str, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fast:
        let_machine_code_run(monkeypatch)
    by_machine: list[int] = []
    read_on = machine_walk.read_on

    def counted(reading: Reading, *rest: Any) -> Any:
        before = reading.rounds.count
        place = read_on(reading, *rest)
        by_machine.append(reading.rounds.count - before)
        return place

    monkeypatch.setattr("ledger.rounds.in_order.runs.read_on", counted)
    facts = honest_day(seed, table)
    day, rounds = judged(facts, in_bulk=True, table=table)
    assert (day, rounds) == judged(facts, in_bulk=False, table=table)
    assert sum(by_machine) >= (day.rounds - 3 if fast else 0)
    assert sum(map(len, told_runs(facts, table))) == day.rounds - 1  # the last
    assert is_same(facts, table)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("part", range(5))
def test_altered_days_are_the_same(part: int, fast: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if fast:
        let_machine_code_run(monkeypatch)
    seeds = range(part * 20 + 100 * fast, part * 20 + 100 * fast + 20)
    assert [seed for seed in seeds if not is_same_altered(altered_football, seed)] == []


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("part", range(20))
def test_many_altered_days_are_the_same(
    part: int, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fast:
        let_machine_code_run(monkeypatch)
    first = 10_000 + 2_000 * fast + part * 100
    seeds = range(first, first + 100)
    assert [seed for seed in seeds if not is_same_altered(altered_football, seed)] == []


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("part", range(2))
def test_altered_days_with_coupons_are_the_same(
    part: int, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fast:
        let_machine_code_run(monkeypatch)
    seeds = range(part * 10 + 20 * fast, part * 10 + 20 * fast + 10)
    assert [seed for seed in seeds if not is_same_altered(altered_with_coupons, seed)] == []


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("part", range(10))
def test_many_altered_days_with_coupons_are_the_same(
    part: int, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fast:
        let_machine_code_run(monkeypatch)
    first = 1_000 + 500 * fast + part * 50
    seeds = range(first, first + 50)
    assert [seed for seed in seeds if not is_same_altered(altered_with_coupons, seed)] == []


def is_same_altered(altered: Callable[[int, int], Facts], seed: int) -> bool:
    """Whether both paths give the same for a day with some changes, if it can be recorded."""
    facts = altered(seed, 1 + seed % 3)
    try:
        log_of(facts)
    except NotAFact:  # a face of no die, say: no ledger has it
        return True
    return is_same(facts, table_in(facts))


# --- what is wrong, and what is not ---------------------------------------------------------------


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", sorted(WRONG))
def test_what_is_wrong_is_judged_by_the_readable_engine(name: str) -> None:
    number, code, make = WRONG[name]
    facts = make()
    assert facts != the_day()
    assert is_same(facts, TABLE)
    rounds = judged(facts, in_bulk=False, table=TABLE)[1]
    found = {one.round for one in rounds if code in {each.code for each in one.findings}}
    assert found
    assert not number or game_of(facts, number) in found
    from_tables = told(facts)
    assert not found & from_tables
    assert len(from_tables) > len(rounds) - 6


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("name", sorted(WRONG))
def test_what_is_wrong_is_left_by_machine_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    let_machine_code_run(monkeypatch)
    assert is_same(WRONG[name].day(), TABLE)


@pytest.mark.parametrize("fast", [False, True])
def test_a_winner_may_be_paid_before_a_loser_is_collected(
    fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chapter has no such duty, and tables ask for none."""
    if fast:
        let_machine_code_run(monkeypatch)
    facts = winner_first()
    assert is_same(facts, TABLE)
    assert game_of(facts, 2) in told(facts)
    monkeypatch.setattr(Tables, "collects_first", True)
    assert is_same(facts, TABLE)
    assert game_of(facts, 2) not in told(facts)


def test_where_losers_are_collected_first_that_is_asked() -> None:
    """Sic Bo has the duty."""
    runs_of_dice = told_runs(honest_day(1, "SB-01"), "SB-01")
    assert {run.reading.tables.collects_first for run in runs_of_dice} == {True}


def test_what_was_taken_down_is_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else W53 would have to be settled before the next throw."""
    facts = taken_down_in_time()
    assert is_same(facts, TABLE)
    assert game_of(facts, GAME) in told(facts)
    decide = Reading._decide_wagers

    def decided(*arguments: Any) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Reading, "_is_settled_or_gone", lambda *_: False)
            decide(*arguments)

    monkeypatch.setattr(Reading, "_decide_wagers", decided)
    assert game_of(facts, GAME) not in told(facts)


@pytest.mark.parametrize("fast", [False, True])
def test_a_wager_keeps_what_was_noted_as_it_was_made(
    fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many throws had counted then; one that is moved is made anew."""
    if fast:
        let_machine_code_run(monkeypatch)
    facts = the_day()
    to = {"wager_id": "W53", "wager": "Under Four Yards", "picks": ()}
    facts = after(facts, placed(facts, "W53"), events.WagerMoved, AT_ONCE, **to)
    facts = settled_as(facts, "W53", events.SettledAs.LOST, 2_000)
    assert is_same(facts, TABLE)
    assert game_of(facts, GAME) in told(facts)
    seen = [each for run in told_runs(facts) for each in noted_in(run, facts)]
    assert len(seen) > 80
    assert {throws for throws, _ in seen} == {0, 1, 2, 3, 4, 5}
    assert all(noted == (throws, 0) for throws, noted in seen)


def noted_in(run: Stretch, facts: Facts) -> Iterator[tuple[int, tuple[int, ...]]]:
    """How many throws came before each wager of a run, and what was noted with it.

    In a game that was read with the room for real nothing was: that room knows its own wagers.
    """
    reading, thrown = run.reading, of_kinds(facts, THROWN)
    for number in range(run.first, run.last):
        opened = facts.index(reading.fact(reading.rounds.get(number, FIRST)))
        for row, noted in reading.rounds.wagers_of(number)[[PLACED, NOTED]].T.tolist():
            place = facts.index(reading.fact(row))
            content = reading.tables.rows.parts.objects[noted].content
            if content:
                yield sum(opened < each < place for each in thrown), content


def test_a_coupon_with_an_extra_point_wager_is_left_to_the_readable_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Signs of the layout know nothing of it: else nobody would see that its roll was missing."""
    facts = extra_point_with_a_coupon()
    plain = judged(facts, in_bulk=False, table=TABLE)
    assert "extra_point_not_thrown" in {finding.code for finding in plain[0].findings}
    assert judged(facts, in_bulk=True, table=TABLE) == plain
    take = Reading._take_with_coupons

    def taken(reading: Reading, *rest: Any) -> bool:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reading.tables.room, "asked_of", frozenset())
            return take(reading, *rest)

    monkeypatch.setattr(Reading, "_take_with_coupons", taken)
    assert judged(facts, in_bulk=True, table=TABLE) != plain


def test_a_throw_that_is_opened_again_is_left_to_the_readable_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The room is asked for real then, and gives up as well."""
    asked: list[tuple[type[events.Fact], bool]] = []
    step = RoomForReal.step

    def stepped(room: RoomForReal, before: Any, rules: Any, fact: events.Fact) -> Any:
        transition = step(room, before, rules, fact)
        asked.append((type(fact), transition is None))
        return transition

    monkeypatch.setattr(RoomForReal, "step", stepped)
    facts = WRONG["disputed after the call"].day()
    assert is_same(facts, TABLE)
    assert (events.FaceDisputed, True) in asked
