"""A play's state: its bytes come back, its copy stands alone, its comparison sees every field."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Final, get_type_hints

import pytest

from ledger.audit import read_office
from ledger.events import Fact
from ledger.floor import FIRST_DAY, Plant, simulate
from ledger.games import BY_KEY
from ledger.games.room import Room, Rules
from ledger.house import Office
from ledger.kernel import FactRef, PropertyClock, ref_of
from ledger.kernel.instant import holds_instants
from ledger.kernel.value_bytes import ValueUnreadable
from ledger.replay import FactStep, Replay
from ledger.rounds import InEveryOrder, TablePlay
from ledger.rounds.orders.agreement import FACTS, alike
from ledger.rounds.orders.every_order import OrdersState
from ledger.rounds.play_state import PlayState
from ledger.rounds.state_bytes import read_state, state_format, write_state
from tests.engine import log_of

TABLES: Final = ("AP-01", "DC-01", "FB-01", "PH-01", "SB-01", "SB-03")
EVERY: Final = 23
"""A state is looked at after so many facts of a table."""
REACH: Final = 250_000
EARLIEST: Final = 10**14
"""Numbers above are moments, of 1973 and after: no amount or count is that high."""


@cache
def property_day() -> tuple[list[Fact], Office]:
    """A short day of every game, and its office."""
    facts = list(simulate(3, FIRST_DAY, 1, [Plant("late_wager")], scale=0.05, coupons=True).facts)
    return facts, read_office(Replay(log_of(facts))).office


def plays(table: str) -> Iterator[InEveryOrder]:
    """A table's play in every order as it goes on through the day, each time it is looked at."""
    facts, office = property_day()
    assert isinstance(office.clock, PropertyClock)
    orders = InEveryOrder(TablePlay(table, office, office.clock))
    streams = {table, f"{table}/camera", f"{table}/patrons"}
    steps = [FactStep(fact, 0, fact.event_time) for fact in facts if fact.stream in streams]
    steps.sort(key=lambda step: step.at)
    assert steps
    for number, step in enumerate(orders.ahead(steps)):
        list(orders.take(step.fact, step.at))
        if number % EVERY == EVERY - 1:
            yield orders


@pytest.mark.parametrize("table", TABLES)
def test_the_bytes_of_a_state_come_back(table: str) -> None:
    _, office = property_day()
    seen = 0
    for orders in plays(table):
        stored = write_state(orders.known())
        state = read_state(stored, office, None)
        assert write_state(state) == stored
        assert alike(state.recorded, orders.play.state, 0)
        assert len(state.others) == len(orders.alternatives)
        seen += 1
    assert seen > 5


@pytest.mark.parametrize("table", TABLES)
def test_a_round_that_was_ended_on_trial_is_handed_out_as_without(table: str) -> None:
    facts, office = property_day()
    assert isinstance(office.clock, PropertyClock)
    plain, tried = (TablePlay(table, office, office.clock) for _ in range(2))
    streams = {table, f"{table}/camera", f"{table}/patrons"}
    mine = [fact for fact in facts if fact.stream in streams]
    results = 0
    for number, fact in enumerate(sorted(mine, key=lambda fact: fact.event_time)):
        handed_out = [*plain.take(fact, fact.event_time)]
        assert [*tried.take(fact, fact.event_time)] == handed_out
        as_tried = tried.late_as_it_stands()
        assert number % EVERY or as_tried == plain.fork().late_as_it_stands()
        results += len(handed_out)
    assert alike(tried.state, plain.state, 0)
    assert tried.findings == plain.findings
    assert results > 2


def test_a_state_names_only_what_is_there() -> None:
    *_, orders = plays("SB-01")
    stored = write_state(orders.known())
    submission = orders.play.state.house.submission if orders.play.state.house else None
    assert submission is not None  # the day goes by a filing
    with pytest.raises(ValueUnreadable, match="that is not there"):
        read_state(stored, Office(), None)
    with pytest.raises(ValueUnreadable, match="names"):
        read_state(stored.replace(b"sic_bo", b"sic_bO"), property_day()[1], None)
    other = state_format(("sic_bo",)).write(FactRef("a", 1))
    with pytest.raises(ValueUnreadable, match="something else"):
        read_state(b"sic_bo\n" + other, property_day()[1], None)
    for head in (b"", b"\n", b"sic_bo", b"match_play\n", b"sic_bo  dreamcatcher\n", b"\xff\n"):
        with pytest.raises(ValueUnreadable, match="a room that is not there"):
            read_state(head, property_day()[1], None)


@pytest.mark.parametrize("key", sorted(BY_KEY))
def test_every_row_that_a_state_may_hold_comes_back(key: str) -> None:
    """A roll that does not count leaves its row in the state, a breach its duty."""
    room = BY_KEY[key]
    rows = (*room.invalid, *room.duties)
    assert state_format(tuple(BY_KEY)).read(state_format(tuple(BY_KEY)).write(rows)) == rows


def parts(value: Any, shared: set[int]) -> Iterator[Any]:
    """A value with all in it that fields declare, but for what many plays share."""
    kind = type(value)
    if kind in FACTS or isinstance(value, Office | Room | Rules) or id(value) in shared:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from parts(key, shared)
            yield from parts(inner, shared)
    elif hasattr(value, "_fields") or is_dataclass(value):
        shared.add(id(value))
        yield value
        for name in names_of(kind):
            yield from parts(getattr(value, name), shared)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from parts(inner, shared)


def names_of(kind: Any) -> tuple[str, ...]:
    if hasattr(kind, "_fields"):
        return tuple(kind._fields)
    return tuple(field.name for field in fields(kind))


class Unlike:
    """A value that is like no other."""


def changed(value: Any, name: str, to: object) -> Any:
    """The same value with one field changed."""
    kind: Any = type(value)
    contents = [to if other == name else getattr(value, other) for other in names_of(kind)]
    if hasattr(kind, "_fields"):
        return tuple.__new__(kind, contents)
    copy = object.__new__(kind)
    for other, content in zip(names_of(kind), contents, strict=True):
        object.__setattr__(copy, other, content)
    return copy


@cache
def seen_parts() -> dict[type[Any], list[Any]]:
    """Values of states by their kind, as they occur at the tables."""
    found: dict[type[Any], list[Any]] = defaultdict(list)
    for table in TABLES:
        for orders in plays(table):
            for part in parts(orders.play.state.copy(), set()):
                if len(found[type(part)]) < 12:
                    found[type(part)].append(part)
    return found


def test_a_change_of_any_field_is_seen_but_of_those_that_bear_on_no_ruling() -> None:
    """Each kind that occurs, each of its fields; what is left out is declared where it stands."""
    left_out = {
        "CouponDesk": {"office", "lookup"},
        "PlayState": {"days", "pending", "doubts_reported", "facts", "posts"},
        "Round": {"rules", "findings", "facts", "last_fact"},
        "TableHouse": {"office", "_rules", "_until"},
        "ByPosition": {"filed"},
        "WagersReturned": {"cite"},
    }
    unseen: dict[str, set[str]] = defaultdict(set)
    for kind, values in seen_parts().items():
        for name in names_of(kind):
            if alike(values[0], changed(values[0], name, Unlike()), REACH):
                unseen[kind.__name__].add(name)
    assert {PlayState, FactRef} < seen_parts().keys()
    assert len(seen_parts()) > 25
    assert unseen.items() <= left_out.items()
    assert {"PlayState", "Round", "TableHouse", "CouponDesk"} <= unseen.keys()


def numbers(value: Any) -> Iterator[int]:
    """Whole numbers of a field's value that no kind of its own declares."""
    if type(value) is int:
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from (*numbers(key), *numbers(inner))
    elif type(value) in (list, tuple, set, frozenset):
        for inner in value:
            yield from numbers(inner)


def test_moments_are_told_from_numbers_by_their_declared_type() -> None:
    moments, counts = 0, 0
    for kind, values in seen_parts().items():
        hints = get_type_hints(kind, include_extras=True)
        for name in names_of(kind):
            for value in values:
                for number in numbers(getattr(value, name)):
                    if holds_instants(hints[name]):
                        moments += 1
                        assert abs(number) > EARLIEST or number in (0, -1), (kind, name)
                    else:
                        counts += 1
                        assert abs(number) < EARLIEST, (kind, name)
    assert moments > 20 < counts


def test_moments_are_alike_within_reach_and_numbers_only_if_they_are_equal() -> None:
    for kind, values in seen_parts().items():
        hints = get_type_hints(kind, include_extras=True)
        for name in names_of(kind):
            number = getattr(values[0], name)
            if type(number) is not int:
                continue
            near = changed(values[0], name, number + REACH)
            far = changed(values[0], name, number + REACH + 1)
            if alike(values[0], changed(values[0], name, Unlike()), REACH):
                continue  # left out
            assert alike(values[0], near, REACH) == holds_instants(hints[name]), (kind, name)
            assert not alike(values[0], far, REACH), (kind, name)


@pytest.mark.parametrize("table", TABLES)
def test_a_copy_stands_alone(table: str) -> None:
    for orders in plays(table):
        state = orders.play.state
        before = write_state(OrdersState(state, orders.known().beside, ()))
        copy = state.copy()
        assert alike(copy, state, 0)
        copy.doubts["somewhere"] = "something was lost"
        if copy.round is not None:
            copy.round.codes.add("another")
            for wager in copy.round.book.wagers.values():
                wager.stake_cents += 1
        if copy.house is not None:
            copy.house.forget()
        assert write_state(OrdersState(state, orders.known().beside, ())) == before
        break


def test_facts_are_the_same_by_their_keys() -> None:
    facts, _ = property_day()
    first = facts[0]
    other = next(fact for fact in facts if ref_of(fact) != ref_of(first))
    assert alike(first, changed(first, "event_time", first.event_time + 1), 0)
    assert not alike(first, other, REACH)
