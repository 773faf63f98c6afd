"""The wagers on a layout answer a few questions, after whatever befell them."""

from __future__ import annotations

from typing import Any

import pytest

from ledger import events
from ledger.games.room_playthrough import bare_fact
from ledger.games.stakes_on_layout import NO_STAKES, Stake, StakesOnLayout

FIELD = Stake("W1", "Field", "2", 500, True)
SHAKE = Stake("W2", "Six Eight Shake", None, 1_000, True)
OLD = Stake("W3", "Six Eight Shake", "4", 700, False)


def lying(*stakes: Stake) -> StakesOnLayout:
    return StakesOnLayout(frozenset(stakes))


def fact(kind: type[events.Fact], **known: object) -> Any:
    return bare_fact(kind, **known)


def test_a_wager_that_was_placed_lies_there() -> None:
    placed = fact(
        events.WagerPlaced, wager_id="W1", wager="Field", position="2", stake_cents=500, picks=()
    )
    assert NO_STAKES.placed(placed) == lying(FIELD)
    assert lying(FIELD._replace(cents=100, wager="Double"), OLD).placed(placed) == lying(FIELD, OLD)


def test_which_wagers_lie_there() -> None:
    stakes = lying(FIELD, SHAKE, OLD)
    assert stakes.lies("Field")
    assert not stakes.lies("Double")
    assert not NO_STAKES.lies("Field")
    assert stakes.is_of("W1", "Field")
    assert not stakes.is_of("W1", "Six Eight Shake")
    assert not stakes.is_of("W9", "Field")
    assert sorted(stakes.named("Six Eight Shake")) == ["W2", "W3"]
    assert not list(stakes.named("Double"))


@pytest.mark.parametrize(
    ("position", "is_bound"), [("2", True), (None, True), ("4", False), ("9", False)]
)
def test_a_position_is_bound_by_its_wagers_of_this_round(
    position: str | None, is_bound: bool
) -> None:
    assert lying(FIELD, SHAKE, OLD).is_bound(position) is is_bound


@pytest.mark.parametrize(
    ("taken_cents", "left_cents"), [(499, 1), (500, None), (501, None), (None, None)]
)
def test_a_wager_is_taken_down(taken_cents: int | None, left_cents: int | None) -> None:
    taken = fact(events.WagerTakenDown, wager_id="W1", taken_cents=taken_cents)
    stakes = lying(FIELD, OLD)
    assert stakes.takes_away(taken) is (left_cents is None)
    if left_cents is not None:
        assert stakes.changed(taken) == lying(FIELD._replace(cents=left_cents), OLD)


def test_a_wager_is_increased() -> None:
    added = fact(events.WagerIncreased, wager_id="W1", added_cents=1)
    assert not lying(FIELD).takes_away(added)
    assert lying(FIELD, OLD).changed(added) == lying(FIELD._replace(cents=501), OLD)


def test_a_wager_is_moved() -> None:
    moved = fact(events.WagerMoved, wager_id="W3", wager="Double", picks=())
    assert lying(FIELD, OLD).moved(moved) == lying(FIELD, OLD._replace(wager="Double"))


def test_nothing_befalls_a_wager_that_does_not_lie_there() -> None:
    stakes = lying(FIELD)
    taken = fact(events.WagerTakenDown, wager_id="W9", taken_cents=None)
    assert not stakes.takes_away(taken)
    assert stakes.changed(taken) == stakes
    assert stakes.moved(fact(events.WagerMoved, wager_id="W9", wager="Double", picks=())) == stakes
    assert stakes.without("W9") == stakes


def test_some_of_them() -> None:
    stakes = lying(FIELD, SHAKE, OLD)
    assert stakes.without("W1") == lying(SHAKE, OLD)
    assert stakes.kept({"Six Eight Shake"}) == lying(SHAKE, OLD)
    assert stakes.kept(()) == NO_STAKES
    assert stakes.fresh() == lying(FIELD, SHAKE)
    assert stakes.of_earlier_round().fresh() == NO_STAKES
    assert lying(FIELD).of_earlier_round() == lying(FIELD._replace(fresh=False))
