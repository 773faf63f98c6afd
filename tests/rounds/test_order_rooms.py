"""In each of the five rooms: two facts near each other from two sources are asked both ways round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.events import ClockChecked, Fact, SourceRegistered
from ledger.games import BY_KEY
from ledger.house import Office
from ledger.house.office import take
from ledger.kernel import Finding
from ledger.replay import FactStep
from ledger.rounds import InEveryOrder, TablePlay
from tests.engine import CLOCK
from tests.games.facts import NOON, fact

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


def played(key: str, office: Office, *pair: Fact) -> list[Finding]:
    """What is told of a round with these two facts in it."""
    opened = [
        replace(one, event_time=NOON + at, source="A", stream="T-01")
        for one, at in (
            (
                fact(
                    "TableOpened",
                    1,
                    0,
                    game=BY_KEY[key].game,
                    layout="L-1",
                    paytable="-",
                    capture="FULL",
                ),
                -2 * 10**6,
            ),
            (fact("BettingOpened", 2, 0), -(10**6)),
            (fact("TableClosed", 9, 0), 5 * 10**6),
        )
    ]
    facts = sorted([*opened, *(renumbered(pair))], key=lambda one: one.event_time)
    play = TablePlay("T-01", office, CLOCK)
    orders = InEveryOrder(play)
    found: list[Finding] = []
    for step in orders.ahead([FactStep(one, 0, one.event_time) for one in facts]):
        for result in orders.take(step.fact, step.at):
            found += result.findings
    for result in orders.finish():
        found += result.findings
    return [*found, *play.findings]


def renumbered(pair: Sequence[Fact]) -> list[Fact]:
    """Keys of their own, whichever of them came first."""
    return [replace(one, seq=3 if one.source == "A" else 1) for one in pair]


def keys(found: list[Finding], certainty: str) -> set[tuple[str, str]]:
    return {(one.code, one.citations[0].section) for one in found if one.certainty == certainty}


def swapped(first: Fact, second: Fact) -> tuple[Fact, Fact]:
    """The same two the other way round, by their times too."""
    return (
        replace(second, event_time=first.event_time),
        replace(first, event_time=second.event_time),
    )


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("key", sorted(PAIRS))
@given(st.integers(-2 * JOINT, 2 * JOINT).filter(bool))
def test_what_hangs_on_the_order_is_told_and_nothing_else(key: str, micros: int) -> None:
    one, two = pair(key, micros)
    order = (one, two) if micros > 0 else (two, one)
    exact = office(0)
    held = played(key, exact, *order)
    other = keys(played(key, exact, *swapped(*order)), "broken")
    sure = keys(held, "broken")
    assert sure != other
    found = played(key, office(), *order)
    if abs(micros) >= JOINT:
        assert found == held
        return
    assert keys(found, "broken") == sure & other
    assert keys(found, "unknown") - keys(held, "unknown") == sure ^ other
    hanging = [one for one in found if (one.code, one.citations[0].section) in sure ^ other]
    assert all("± 0.500 s)" in one.sentence for one in hanging)


@pytest.mark.parametrize("key", sorted(PAIRS))
def test_one_source_is_never_turned_round(key: str) -> None:
    one, two = pair(key, 1)
    two = replace(two, source="A", stream="T-01", seq=4)
    found = played(key, office(), one, two)
    assert not any("±" in one.sentence for one in found)


def test_a_check_that_was_off_widens_the_doubt() -> None:
    pairs = pair("sic_bo", JOINT + 1)
    known = office()
    assert not any("±" in one.sentence for one in played("sic_bo", known, *pairs))
    take(known, ClockChecked(
        stream="house", seq=9, event_time=NOON - 10**6, source="H", recorded_by=None,
        checked_source="B", offset_micros=-UNCERTAIN - 2, reference=None,
    ))  # fmt: skip
    assert any("±" in one.sentence for one in played("sic_bo", known, *pairs))
