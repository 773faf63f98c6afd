"""Rounds of further games told from tables: the same days, and nothing wrong among them.

What every game shares is tried with Sic Bo (``test_in_order.py``); here stands what another room
brought: a second moment in a spin, numbers that are only compared, more than one spin to a round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from ledger import events
from ledger.events import WagerPlaced
from ledger.games.named_tuple_change import renewed
from ledger.games.named_tuple_change import replace as replaced
from ledger.games.standing_stakes import NOTHING_STANDS, StandingStakes
from ledger.kernel import FactRef, machine_code, table_of
from ledger.rounds.in_order import kept_tables, room_table, runs, unlooked
from ledger.rounds.in_order.partial_facts import Asking, Body, partial_fact, with_needed
from ledger.rounds.in_order.room_parts import watched, with_own_unknowns, written
from ledger.rounds.in_order.rows_of_kind import Part
from ledger.rounds.in_order.stretch import Reading
from ledger.rounds.in_order.unlooked import (
    BEFALLEN,
    STAKES_UNASKED,
    AskedExactly,
    Began,
    Compared,
    LookedInto,
    Moment,
    Unlooked,
)
from tests.engine import floor_day, of_tables
from tests.rounds.test_in_order import altered, honest_day, is_same, judged, renumbered

WHEEL = "DC-01"
SECOND = 1_000_000


@pytest.fixture(autouse=True)
def readable(monkeypatch: pytest.MonkeyPatch) -> None:
    """No machine code, whatever ran before."""
    monkeypatch.setattr(machine_code, "is_available", lambda: False)


@pytest.fixture
def rounds_told(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rounds each run has that was told from tables."""
    counts: list[int] = []
    in_order = runs.rounds_in_order

    def counted(*arguments: Any) -> Any:
        stretch = in_order(*arguments)
        counts.append(0 if stretch is None else len(stretch))
        return stretch

    monkeypatch.setattr("ledger.audit.rounds_in_bulk.rounds_in_order", counted)
    return counts


# --- days of a wheel ------------------------------------------------------------------------------


def test_an_honest_day_of_a_wheel_is_the_same_and_told_from_tables(
    rounds_told: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = honest_day(table=WHEEL)
    plain = judged(facts, in_bulk=False, table=WHEEL)
    assert judged(facts, in_bulk=True, table=WHEEL) == plain
    assert sum(rounds_told) == plain[0].rounds - 1  # the last
    monkeypatch.undo()
    monkeypatch.setattr(machine_code, "WORTH", 0)
    assert judged(facts, in_bulk=True, table=WHEEL) == plain


@pytest.mark.parametrize("part", range(2))
def test_altered_days_of_a_wheel_are_the_same(part: int) -> None:
    seeds = range(part * 6, part * 6 + 6)
    assert [seed for seed in seeds if not is_same(altered(seed, WHEEL), WHEEL)] == []


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("part", range(10))
def test_many_altered_days_of_a_wheel_are_the_same(
    part: int, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fast:
        monkeypatch.undo()
        monkeypatch.setattr(machine_code, "WORTH", 0)
    seeds = range(3000 + part * 20, 3000 + (part + 1) * 20)
    assert [seed for seed in seeds if not is_same(altered(seed, WHEEL), WHEEL)] == []


# --- what is wrong at a wheel ---------------------------------------------------------------------


@cache
def a_round() -> tuple[int, ...]:
    """The places of the facts of a round in the middle of the day that has a winner."""
    facts = honest_day(table=WHEEL)
    mine = [place for place, fact in enumerate(facts) if table_of(fact.stream) == WHEEL]
    opens = [place for place in mine if isinstance(facts[place], events.BettingOpened)]
    rounds = [
        tuple(place for place in mine if first <= place < ends)
        for first, ends in pairwise(opens[8:])
    ]
    return next(
        places
        for places in rounds
        if events.SettledAs.WON in [getattr(facts[place], "outcome", None) for place in places]
        and sum(isinstance(facts[place], events.WheelSpun) for place in places) == 1
    )


def _changed(kind: type[events.Fact], **change: Any) -> list[events.Fact]:
    """The day with the first fact of a kind in that round changed."""
    facts = list(honest_day(table=WHEEL))
    place = next(place for place in a_round() if type(facts[place]) is kind)
    fact = facts[place]
    values = {name: new(fact) if callable(new) else new for name, new in change.items()}
    facts[place] = replace(fact, **values)
    return facts


def _followed_by(kind: type[events.Fact], **change: Any) -> list[events.Fact]:
    """The day with a fact of that round once more, half a second later, in other words."""
    facts = list(honest_day(table=WHEEL))
    place = next(place for place in a_round() if type(facts[place]) is kind)
    again = replace(facts[place], event_time=facts[place].event_time + SECOND // 2, **change)
    return renumbered([*facts[: place + 1], again, *facts[place + 1 :]])


def _announced_late() -> list[events.Fact]:
    """The spin began a second before "no more bets", and ended after it."""
    facts = list(honest_day(table=WHEEL))
    announced = next(
        facts[place] for place in a_round() if type(facts[place]) is events.NoMoreBetsAnnounced
    )
    return _changed(events.WheelSpun, started_time=announced.event_time - SECOND)


def _begun_as_betting_closed() -> list[events.Fact]:
    """The spin began so shortly after "no more bets" that two clocks cannot tell which came first."""
    facts = list(honest_day(table=WHEEL))
    announced = next(
        facts[place] for place in a_round() if type(facts[place]) is events.NoMoreBetsAnnounced
    )
    return _changed(events.WheelSpun, started_time=announced.event_time + 1_000)


def _too_few() -> list[events.Fact]:
    """Too few revolutions end where an earlier spin of the day ended that counted."""
    facts = honest_day(table=WHEEL)
    spins = [facts[place] for place in a_round() if type(facts[place]) is events.WheelSpun]
    before = [
        fact
        for fact in facts
        if type(fact) is events.WheelSpun
        and fact.event_time < spins[0].event_time
        and fact.symbols == getattr(spins[0], "symbols")  # noqa: B009
    ]
    return _changed(events.WheelSpun, section=before[-1].section, revolutions_thousandths=2_999)


BETWEEN: dict[str, Any] = {"clapper": events.Clapper.BETWEEN_SECTIONS, "section": None}
WRONG: dict[str, Callable[[], list[events.Fact]]] = {
    "begun before betting closed": _announced_late,
    "begun as betting closed": _begun_as_betting_closed,
    "too few revolutions": _too_few,
    "revolutions not recorded": lambda: _changed(events.WheelSpun, revolutions_thousandths=None),
    "another section": lambda: _changed(events.WheelSpun, section=lambda spin: (spin.section + 1) % 54),
    "settled on a void spin": lambda: _changed(events.WheelSpun, **BETWEEN, between=(3, 4), symbols=None),
    "a multiplier": lambda: _changed(events.WheelSpun, section=0, symbols=("7x",)),
    "spun again": lambda: _followed_by(events.WheelSpun, started_time=None),
    "another call": lambda: _changed(events.SpinCalled, result="40"),
    "spun by a floorperson": lambda: _changed(events.WheelSpun, role=events.Role.FLOORPERSON),
    "declared void": lambda: _followed_by_void(),
}  # fmt: skip


def _followed_by_void() -> list[events.Fact]:
    """A spin that counts is declared void, and settled all the same."""
    facts = list(honest_day(table=WHEEL))
    place = next(place for place in a_round() if type(facts[place]) is events.SpinCalled)
    called = facts[place]
    header = {"stream": called.stream, "seq": called.seq, "source": called.source}
    after = {"event_time": called.event_time + 1_000, "recorded_by": called.recorded_by}
    void = events.SpinVoided(**header, **after, reason=None, called_by=None)
    return renumbered([*facts[: place + 1], void, *facts[place + 1 :]])


@pytest.mark.full
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("name", sorted(WRONG))
def test_what_is_wrong_at_a_wheel_is_judged_by_the_readable_engine(
    name: str, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = WRONG[name]()
    assert facts != list(honest_day(table=WHEEL))
    if fast:
        monkeypatch.undo()
        monkeypatch.setattr(machine_code, "WORTH", 0)
    assert is_same(facts, WHEEL)


def _only_decides(patch: pytest.MonkeyPatch) -> None:
    """Whatever else a room rules leaves a round in order; a breach can be named as well."""
    patch.setattr(room_table, "is_kept", lambda _: True)
    patch.setattr(unlooked.Unlooked, "__hash__", object.__hash__)
    patch.setattr(unlooked.Unlooked, "__eq__", object.__eq__)


NEEDED: dict[str, tuple[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "a spin begins after all before it": ("begun before betting closed", lambda patch: patch.setattr(Reading, "_began_out_of_turn", lambda _: [])),
    "clocks tell that it does": ("begun as betting closed", lambda patch: patch.setattr(Reading, "_began_out_of_turn", lambda _: [])),
    "how a number compares is asked by": ("too few revolutions", lambda patch: patch.setattr(Asking, "ends", lambda asking: asking.needed)),
    "a number that is more than compared is known": ("another section", lambda patch: patch.setattr(Compared, "__index__", lambda number: number.number)),
    "the room rules nothing else": ("spun by a floorperson", _only_decides),
}  # fmt: skip
"""What is switched off, and the day on which only that is wrong."""


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("name", sorted(NEEDED))
def test_each_condition_of_a_wheel_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, switch_off = NEEDED[name]
    facts = WRONG[wrong]()
    plain = judged(facts, in_bulk=False, table=WHEEL)
    monkeypatch.setattr(kept_tables, "_KEPT", [])
    with monkeypatch.context() as patch:
        switch_off(patch)
        assert judged(facts, in_bulk=True, table=WHEEL) != plain
    monkeypatch.setattr(kept_tables, "_KEPT", [])
    assert judged(facts, in_bulk=True, table=WHEEL) == plain


# --- what is not looked at ------------------------------------------------------------------------


def test_a_moment_is_before_what_began_later_and_compares_with_nothing_else() -> None:
    earlier, own = Moment(), Moment()
    began = Began(own)
    assert earlier < began
    assert earlier <= began
    assert not earlier > began
    assert not earlier >= began
    for compare in (
        lambda: own > began,
        lambda: earlier > own,
        lambda: earlier > 5,
        lambda: began == began,
        lambda: began > 5,
        lambda: hash(began),
    ):
        with pytest.raises(LookedInto):
            compare()
    began.is_over = True
    with pytest.raises(LookedInto):
        assert earlier > began


def test_a_number_is_asked_by_how_it_compared_and_by_itself_where_more_was_asked() -> None:
    spin = next(fact for fact in honest_day(table=WHEEL) if isinstance(fact, events.WheelSpun))
    body = Body(spin)

    def run(asking: Asking) -> Any:
        fact = partial_fact(body, asking, Moment())
        return fact.revolutions_thousandths < 3_000, ("1", "2")[fact.section > 60]

    asked = with_needed(run, frozenset(), spin)
    assert asked is not None
    needed, outcome = asked
    assert outcome == (False, "1")
    others = [replace(spin, revolutions_thousandths=turns) for turns in (3_000, 9_000, 2_999, None)]
    parts = [Body(other).parts(needed) for other in others]
    assert parts[0] == parts[1] == body.parts(needed)
    assert len({*parts}) == 3

    def looks_up(asking: Asking) -> Any:
        return range(54)[partial_fact(body, asking, Moment()).section]

    exactly = with_needed(looks_up, needed, spin)
    assert exactly is not None
    assert Body(replace(spin, section=spin.section + 1)).parts(exactly[0]) != body.parts(exactly[0])
    for ask in (hash, str, abs, lambda number: number + 1, lambda number: number == "1"):
        with pytest.raises(AskedExactly):
            ask(Compared(events.WheelSpun, "section", 3))


def test_nobody_can_ask_whether_a_wager_stands() -> None:
    for stakes in (STAKES_UNASKED, BEFALLEN):
        assert stakes.after(object()) is BEFALLEN
        asks: tuple[Callable[[Any], Any], ...] = (
            *(bool, hash, str),
            lambda stakes: stakes == NOTHING_STANDS,
            lambda stakes: stakes.by_wager,
        )
        for ask in asks:
            with pytest.raises(LookedInto):
                ask(stakes)


def test_stakes_stand_until_they_go() -> None:
    placed = next(fact for fact in honest_day(table=WHEEL) if isinstance(fact, WagerPlaced))
    header: dict[str, Any] = {
        name: getattr(placed, name)
        for name in ("stream", "seq", "event_time", "source", "recorded_by", "wager_id")
    }
    lying = NOTHING_STANDS.after(placed)
    assert lying == StandingStakes(frozenset({(placed.wager_id, placed.stake_cents)}))
    less = lying.after(events.WagerTakenDown(**header, taken_cents=placed.stake_cents - 1))
    assert bool(less)
    assert not less.after(events.WagerTakenDown(**header, taken_cents=1))
    assert not lying.after(events.WagerReturned(**header, returned_cents=1, reason=None))


# --- a state in parts -----------------------------------------------------------------------------


class Seen(NamedTuple):
    """A state such as rooms have."""

    first: Any = None
    second: Any = None
    third: Any = None


def in_parts(*contents: Any) -> tuple[Part, ...]:
    return tuple([Part(content, is_known=True) for content in contents])


OF_SEEN: Any = SimpleNamespace(initial=Seen(), throws=None)
"""A room of such states."""


def test_what_is_read_of_a_state_is_noted_and_what_is_handed_on_is_not() -> None:
    looked: set[int] = set()
    state = watched(OF_SEEN, in_parts(5, 6, 7), looked)
    after = replaced(state, third=state.second + 1)
    assert looked == {1}
    assert isinstance(after, Seen)
    assert written(after) == [(2, 7)]
    assert after.first == 5
    assert looked == {0, 1}
    assert written(renewed(state, ("first",), second=8)) == [(1, 8), (2, None)]


def test_a_field_of_a_state_can_be_read_by_its_name_alone() -> None:
    state = watched(OF_SEEN, in_parts(5, 6, 7), set())
    for look in (
        hash,
        lambda state: state == (5, 6, 7),
        lambda state: state[0] + 1,
        lambda state: 5 in state,
    ):
        with pytest.raises(LookedInto):
            look(state)
    with pytest.raises(LookedInto):
        written(tuple.__new__(type(state), (state[1], state[0], state[2])))


def test_two_fields_never_share_what_no_table_knows() -> None:
    key = FactRef(Unlooked(), Unlooked())  # type: ignore[arg-type]
    other = with_own_unknowns((key, key))
    assert other[0] is not key
    assert other[0].stream is other[1].stream
    assert other[0].stream is not other[0].seq
    with pytest.raises(LookedInto):
        assert other[0] == key
    began = Began(Moment())
    assert with_own_unknowns(began).is_over
    with pytest.raises(LookedInto):
        with_own_unknowns(Asking(frozenset(), began=[began]))


def test_rows_that_one_table_made_serve_another() -> None:
    kept_tables._KEPT.clear()
    facts = of_tables(floor_day(scale=0.03)[0], "SB-01", "SB-02")
    counts = []
    for table in ("SB-01", "SB-02"):
        assert judged(facts, in_bulk=True, table=table)[0].rounds > 20
        counts.append(sum(kept[0].rows_kept for kept in kept_tables._KEPT))
    assert counts[1] - counts[0] < counts[0] / 2
