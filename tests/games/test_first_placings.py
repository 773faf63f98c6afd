"""Dice are found by their serial whatever it is, each as it first came."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ledger.games.first_placings import FirstPlacings, PlacedDie
from ledger.kernel import FactRef

SERIALS = st.text(max_size=4) | st.sampled_from(["a", "ab", 'a"', '["a",', "a\n", "\n", "\u2028"])
DICE = st.builds(
    PlacedDie,
    serial=SERIALS,
    colour=st.none() | st.text(max_size=2),
    at=st.integers(0, 1 << 62),
    ref=st.builds(FactRef, st.text(max_size=3), st.integers(1, 1 << 40)),
    closings=st.integers(0, 9),
)


@given(sets=st.lists(st.lists(DICE, max_size=4), max_size=6), other=SERIALS)
def test_a_die_is_as_it_first_came(sets: list[list[PlacedDie]], other: str) -> None:
    placings, first = FirstPlacings(), {}
    for dice in sets:
        new = {die.serial: die for die in dice}
        first = new | first
        placings = placings.after(new.values())
    for serial in {*first, other}:
        assert placings.of(serial) == first.get(serial)


@given(dice=st.lists(DICE, max_size=6, unique_by=lambda die: die.serial))
def test_the_order_of_arrival_leaves_no_trace(dice: list[PlacedDie]) -> None:
    assert FirstPlacings().after(dice) == FirstPlacings().after(reversed(dice))
