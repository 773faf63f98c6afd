"""Rooms are pure: a state is never changed, the same question has one answer, and no float appears."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.events import EVENTS
from ledger.games import BY_KEY, ROOMS
from ledger.games.room import Room, Unsure
from ledger.kernel import FactRef
from tests.games.facts import fact, hints_of, rules_of
from tests.strategies import numbers

rooms = pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.key)
SYMBOLS = ["1", "2", "5", "10", "20", "40", "2x", "7x", "3", ""]
NUMBERS = numbers("WheelSpun", "section", range(61))
SEATS = st.sampled_from(["1", "3", "6", "7", "x"])
BOXES = ["1-5", "2-4", "3-3", "2-6", "3-5", "4-4", "6-2", "7-7", ""]
KINDS: dict[str, dict[str, Any]] = {
    "BettingOpened": {},
    "NoMoreBetsAnnounced": {},
    "WagerPlaced": {
        "wager_id": st.sampled_from("AB"),
        "wager": st.sampled_from(["1", "Six Eight Shake", "Hop the Top"]),
        "position": st.none() | SEATS,
        "stake_cents": st.integers(1, 9),
    },
    "WagerIncreased": {"wager_id": st.sampled_from("AB"), "added_cents": st.integers(1, 9)},
    "WagerTakenDown": {
        "wager_id": st.sampled_from("AB"),
        "taken_cents": st.none() | st.integers(0, 9),
    },
    "WagerReturned": {"wager_id": st.sampled_from("AB")},
    "WagerSettled": {
        "wager_id": st.sampled_from("AB"),
        "outcome": st.sampled_from(["WON", "LOST", "RETURNED", "UNRECOGNISED"]),
    },
    "WheelSpun": {
        "section": st.none() | NUMBERS,
        "between": st.none() | st.lists(NUMBERS, max_size=3).map(tuple),
        "symbols": st.none() | st.lists(st.sampled_from(SYMBOLS), max_size=2).map(tuple),
        "clapper": st.none() | st.sampled_from(["IN_SECTION", "BETWEEN_SECTIONS", "UNRECOGNISED"]),
        "revolutions_thousandths": st.none() | st.integers(2_998, 3_002),
        "started_time": st.none() | numbers("WheelSpun", "started_time", (0, 2**40)),
        "role": st.none() | st.sampled_from(["DEALER", "PATRON", "UNRECOGNISED"]),
    },
    "SpinCalled": {"result": st.sampled_from(SYMBOLS)},
    "SpinVoided": {},
    "RoundVoided": {},
    "NoRollCalled": {},
    "DeviceFailed": {
        "device": st.sampled_from(
            ["WHEEL", "ELECTRICAL_DEVICE", "AUTOMATED_SHAKER", "UNRECOGNISED"]
        )
    },
    "DeviceFixed": {"device": st.sampled_from(["WHEEL", "ELECTRICAL_DEVICE"])},
    "SupervisorPresent": {"role": st.sampled_from(["FLOORPERSON", "DEALER"])},
    "WheelPlaced": {
        "wheel": st.just("W-1"),
        "sections": st.lists(st.sampled_from(SYMBOLS), max_size=5).map(tuple),
        "read_clockwise": st.none() | st.booleans(),
    },
    "WheelRemoved": {"wheel": st.sampled_from(["W-1", "W-2"])},
    "DiceShaken": {
        "kind": st.none() | st.sampled_from(["MANUAL", "AUTOMATED"]),
        "shakes": st.none() | st.integers(0, 4),
    },
    "DiceThrown": {
        "dice": st.lists(
            st.tuples(
                st.sampled_from("123456?"), st.sampled_from(["FLAT", "OFF_TABLE", "UNRECOGNISED"])
            ).map("/".join),
            max_size=4,
        )
    },
    "RollCalled": {"faces": st.lists(st.integers(1, 6), max_size=4).map(tuple)},
    "ValuesEntered": {"faces": st.lists(st.integers(1, 6), max_size=4).map(tuple)},
    "AreasLit": {"areas": st.none() | st.just(("Small Bet",))},
    "LightsCleared": {},
    "ShakerPlaced": {"kind": st.sampled_from(["MANUAL", "AUTOMATED", "UNRECOGNISED"])},
    "ShakerRemoved": {},
    "ShakerCovered": {"shaker": st.none() | st.just("S-1")},
    "ShakerUncovered": {},
    "PositionTaken": {"position": SEATS},
    "PositionLeft": {"position": SEATS},
    "PlayerShook": {
        "position": st.none() | SEATS,
        "shakes": st.none() | st.integers(0, 4),
        "covered": st.none() | st.booleans(),
    },
    "ShakerDeclined": {"position": SEATS},
    "LidLiftedByPlayer": {"position": SEATS},
    "DicePlacedInShaker": {"dice": st.just(("d1", "d2")), "placed_by": st.none() | st.just("F1")},
    "TakeDownRefused": {"wager_id": st.sampled_from("AB")},
    "LammersPlaced": {"combinations": st.lists(st.sampled_from(BOXES), max_size=6).map(tuple)},
    "LammerCollected": {"combination": st.sampled_from(BOXES)},
    "TableOpened": {
        "game": st.just("a game"),
        "layout": st.just("L-1"),
        "capture": st.just("FULL"),
    },
    "TableClosed": {},
}
facts = st.lists(
    st.sampled_from(sorted(KINDS)).flatmap(
        lambda kind: st.tuples(st.just(kind), st.fixed_dictionaries(KINDS[kind]))
    ),
    max_size=25,
)


def floats(value: Any) -> bool:
    """Whether a float stands anywhere inside."""
    if isinstance(value, float):
        return True
    if is_dataclass(value) and not isinstance(value, type):
        return any(floats(getattr(value, field.name)) for field in fields(value))
    return isinstance(value, (tuple, frozenset)) and any(floats(item) for item in value)


def test_every_kind_a_room_follows_is_tried() -> None:
    for kind, said in KINDS.items():
        assert said.keys() <= hints_of(EVENTS[kind]).keys()


@pytest.mark.parametrize("key", BY_KEY)
@given(said=facts, lost=st.integers(0, 30))
def test_any_facts_leave_states_as_they_were(
    key: str, said: list[tuple[str, dict[str, Any]]], lost: int
) -> None:
    room = BY_KEY[key]
    rules = rules_of(room)
    state, before = room.initial, deepcopy(room.initial)
    for number, (kind, values) in enumerate(said, 1):
        each = fact(kind, number, number, **values)
        kept, told = deepcopy(state), room.decide(rules, state, each)
        assert told == room.decide(rules, state, each)
        at = FactRef(each.stream, each.seq)
        assert room.close(rules, state, at) == room.close(rules, state, at)
        after = room.evolve(state, each)
        assert after == room.evolve(state, each)
        assert state == kept
        for ruling in told:
            after = room.evolve(after, ruling)
        state = room.evolve(after, Unsure("T-01")) if number == lost else after
        assert not floats(state)
        assert not any(map(floats, told))
        assert isinstance(state.in_round, bool)
        assert isinstance(state.betting_open, bool)
        assert isinstance(state.knowable, bool)
    assert room.initial == before


@rooms
def test_odds_are_exact(room: Room) -> None:
    for _, chance, factor in room.outcomes():
        assert isinstance(chance, Fraction)
        assert isinstance(factor, Fraction)
