"""In each of the five rooms: two facts near each other from two sources are asked both ways round."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.events import ClockChecked, Fact, SourceRegistered
from ledger.games import BY_KEY
from ledger.games.room import Breach
from ledger.house import Office
from ledger.house.office import take
from ledger.rounds.order import Lately, turned
from tests.games.facts import NOON, fact, rules_of

UNCERTAIN = 250_000
JOINT = 2 * UNCERTAIN
PAIRS = {
    "sic_bo": ("NoMoreBetsAnnounced", "DiceShaken", {}),
    "dreamcatcher": ("NoMoreBetsAnnounced", "WheelSpun", {}),
    "three_dice_football": (
        "WagerPlaced",
        "DiceThrownByHand",
        {"wager_id": "W1", "wager": "Touchdown", "stake_cents": 1_000, "dice": "g1,g2,r3"},
    ),
    "props_and_hops": ("NoMoreBetsAnnounced", "PlayerShook", {}),
    "asia_poker": ("NoMoreBetsAnnounced", "DealBegan", {}),
}  # fmt: skip


def office(uncertain: int = UNCERTAIN) -> Office:
    out = Office()
    for stream, source in (("T-01", "A"), ("T-01/b", "B")):
        take(out, SourceRegistered(
            stream="house", seq=1, event_time=0, source="H", recorded_by=None, registered_stream=stream,
            registered_source=source, since=0, clock_uncertainty_micros=uncertain, order_tolerance_micros=0,
        ))  # fmt: skip
    return out


def pair(key: str, micros: int) -> tuple[Fact, Fact]:
    """The first fact of the room's pair, and the second so many microseconds after it, or before."""
    first, second, said = PAIRS[key]
    one = fact(first, 2, 0, **{k: v for k, v in said.items() if k != "dice"})
    two = fact(second, 1, 0, **{k: v for k, v in said.items() if k == "dice"})
    one = replace(one, event_time=NOON + 10**6, source="A")
    two = replace(two, event_time=NOON + 10**6 + micros, source="B", stream="T-01/b")
    return one, two


def asked(key: str, *facts: Fact) -> tuple[list[Lately], set[str]]:
    """What the room rules of these facts in this order, after betting opened."""
    room, rules = BY_KEY[key], rules_of(BY_KEY[key])
    state: Any = room.evolve(room.initial, fact("BettingOpened", 1, -5))
    lately, codes = [], set()
    for each in facts:
        rulings = room.decide(rules, state, each)
        lately.append(Lately(each, state, rulings))
        state = room.evolve(state, each)
        for ruling in rulings:
            state = room.evolve(state, ruling)
            if isinstance(ruling, Breach):
                codes.add(f"{ruling.duty.code} {ruling.duty.cite.section}")
    return lately, codes


def swapped(first: Fact, second: Fact) -> tuple[Fact, Fact]:
    """The same two the other way round, by their times too."""
    return (
        replace(second, event_time=first.event_time),
        replace(first, event_time=second.event_time),
    )


@pytest.mark.parametrize("key", sorted(PAIRS))
@given(st.integers(-2 * JOINT, 2 * JOINT).filter(bool))
def test_what_hangs_on_the_order_is_told_and_nothing_else(key: str, micros: int) -> None:
    one, two = pair(key, micros)
    order = (one, two) if micros > 0 else (two, one)
    lately, held = asked(key, *order)
    _, other = asked(key, *swapped(*order))
    assert held != other
    found = turned(BY_KEY[key], rules_of(BY_KEY[key]), office(), lately[:1], lately[1])
    if abs(micros) >= JOINT:
        assert found is None
        return
    assert found is not None
    falls, comes = ({f"{h.breach.duty.code} {h.breach.duty.cite.section}" for h in hanging} for hanging in (found.falls, found.comes))  # fmt: skip
    assert (falls, comes) == (held - other, other - held)
    for hanging in (*found.falls, *found.comes):
        told = hanging.told()
        assert told.certainty == "unknown"
        assert told.interval is not None
        assert told.interval.endswith("± 0.500 s")


@pytest.mark.parametrize("key", sorted(PAIRS))
def test_one_source_is_never_turned_round(key: str) -> None:
    one, two = pair(key, 1)
    lately, _ = asked(key, one, replace(two, source="A"))
    assert turned(BY_KEY[key], rules_of(BY_KEY[key]), office(), lately[:1], lately[1]) is None


def test_a_check_that_was_off_widens_the_doubt() -> None:
    one, two = pair("sic_bo", JOINT + 1)
    lately, _ = asked("sic_bo", one, two)
    known = office()
    room, rules = BY_KEY["sic_bo"], rules_of(BY_KEY["sic_bo"])
    assert turned(room, rules, known, lately[:1], lately[1]) is None
    take(known, ClockChecked(
        stream="house", seq=9, event_time=NOON - 10**6, source="H", recorded_by=None,
        checked_source="B", offset_micros=-UNCERTAIN - 2, reference=None,
    ))  # fmt: skip
    assert turned(room, rules, known, lately[:1], lately[1]) is not None
