"""Conditions and overlay of a coupon, by figures worked out by hand from § 525.22."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from ledger.events import CouponFault, CouponPays, Instrument
from ledger.games.match_play import (
    DUTIES,
    Accompanied,
    Coupon,
    Ground,
    Laid,
    counts,
    grounds,
    held_on,
    one_per_round,
    only_one,
    refused,
    share,
)
from ledger.kernel import FactRef, Odds

COUPON = Coupon(
    serial="MP25-1", value_cents=2500, live=True, state="live", pays=CouponPays.WAGER_ODDS
)
WAGER = Accompanied(game="Sic Bo", wager="Small Bet", stake_cents=2500, instrument=Instrument.CHIPS)
MAY = Ground(why="unsure", certain=False)
NOT = Ground(why="voided")


def changed(thing: Coupon | Accompanied, **said: object) -> Coupon | Accompanied:
    return replace(thing, **said)  # type: ignore[arg-type]


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("coupon", "wager", "expected"),
    [
        pytest.param({}, {}, True, id="chips equal to its value"),
        pytest.param({}, {"stake_cents": 2499}, False, id="a cent short"),
        pytest.param({}, {"stake_cents": 2501}, True, id="a cent more"),
        pytest.param({"live": False, "state": "voided"}, {}, False, id="voided"),
        pytest.param({"live": None}, {}, None, id="nobody knows"),
        pytest.param({"value_cents": None}, {}, None, id="value not recorded"),
        pytest.param({}, {"instrument": None}, None, id="instrument not recorded"),
        pytest.param({}, {"instrument": Instrument.PLAQUES}, False, id="plaques"),
        pytest.param({}, {"instrument": Instrument.CASH}, False, id="cash"),
        pytest.param({}, {"banked": False}, False, id="patrons play each other"),
        pytest.param({}, {"banked": None}, True, id="the bank is not stated"),
        pytest.param({"games": ("Sic Bo",)}, {}, True, id="good for the game"),
        pytest.param({"games": ()}, {}, False, id="good for no game"),
        pytest.param({"wagers": ("Big Bet",)}, {}, False, id="good for another wager"),
        pytest.param({"wagers": ("Big Bet", "Small Bet")}, {}, True, id="good for the wager"),
        pytest.param({"live": None}, {"stake_cents": 1}, False, id="unknown, and short anyhow"),
    ],
)
def test_when_a_coupon_counts(
    coupon: dict[str, object], wager: dict[str, object], expected: bool | None
) -> None:
    found = tuple(grounds(changed(COUPON, **coupon), changed(WAGER, **wager)))  # type: ignore[arg-type]
    assert counts(found) is expected


@pytest.mark.parametrize(
    ("pays", "odds", "wins"),
    [
        (CouponPays.WAGER_ODDS, Odds(150, 1), 375_000),
        (CouponPays.WAGER_ODDS, Odds(4, 5), 2_000),
        (CouponPays.WAGER_ODDS, Odds(6, 5), 3_000),
        (CouponPays.EVEN_MONEY, Odds(150, 1), 2_500),
        (CouponPays.EVEN_MONEY, Odds(4, 5), 2_500),
    ],
)
def test_what_a_coupon_of_25_dollars_adds(pays: CouponPays, odds: Odds, wins: int) -> None:
    found = share(replace(COUPON, pays=pays), (), odds)
    assert (found.least, found.most, found.exact_cents) == (wins, wins, wins)


def test_what_it_pays_not_recorded_lies_between_both() -> None:
    found = share(replace(COUPON, pays=None), (), Odds(4, 5))
    assert (found.least, found.most, found.exact_cents) == (2000, 2500, None)


def test_one_that_may_count_lies_between_nothing_and_its_winnings() -> None:
    found = share(COUPON, (MAY,), Odds(2, 1))
    assert (found.least, found.most) == (0, Fraction(5000))
    assert share(COUPON, (NOT,), Odds(2, 1)).exact_cents == 0
    assert share(COUPON, (), None).exact_cents == 0


def laid(*said: tuple[str, str | None, tuple[Ground, ...]]) -> list[Laid]:
    return [Laid(wager=wager, patron=patron, grounds=found) for wager, patron, found in said]


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("found", "per_round", "expected"),
    [
        pytest.param(laid(("1", "P", ()), ("1", "P", ())), False, [True, False], id="one wager"),
        pytest.param(laid(("1", "P", ()), ("2", "P", ())), False, [True, True], id="two wagers"),
        pytest.param(laid(("1", "P", ()), ("2", "P", ())), True, [True, False], id="one round"),
        pytest.param(laid(("1", "P", ()), ("2", "Q", ())), True, [True, True], id="two patrons"),
        pytest.param(laid(("1", "P", ()), ("2", None, ())), True, [True, None], id="not recorded"),
        pytest.param(
            laid(("1", None, ()), ("1", None, ())), True, [True, False], id="anyone's one wager"
        ),
        pytest.param(
            laid(("1", "P", (NOT,)), ("1", "P", ())), False, [False, True], id="a voided one first"
        ),
        pytest.param(
            laid(("1", "P", (MAY,)), ("1", "P", ())), False, [None, None], id="an unsure one first"
        ),
        pytest.param(
            laid(("1", "P", ()), ("2", "P", ()), ("3", "P", ())),
            True,
            [True, False, False],
            id="three",
        ),
    ],
)
def test_only_one_counts(found: list[Laid], per_round: bool, expected: list[bool | None]) -> None:
    settled = only_one(found, per_round=per_round)
    assert [counts(one.grounds) for one in settled] == expected


def test_the_limit_by_gaming_day() -> None:
    assert not one_per_round(date(2014, 1, 31))
    assert one_per_round(date(2014, 2, 1))
    assert not one_per_round(date(2014, 2, 1), "per-wager-always")
    assert not held_on(date(2012, 7, 12))
    assert held_on(date(2012, 7, 13))


@pytest.mark.parametrize(
    ("fault", "found", "certainty"),
    [
        (None, (), "broken"),
        (CouponFault.OTHER, (), "broken"),
        (CouponFault.COUNTERFEIT, (), None),
        (CouponFault.EXPIRED, (NOT,), None),
        (CouponFault.EXPIRED, (MAY,), "unknown"),
    ],
)
def test_a_refusal_is_held_against_the_conditions(
    fault: CouponFault | None, found: tuple[Ground, ...], certainty: str | None
) -> None:
    told = list(refused(fault, COUPON, found, FactRef("SB-01", 1), "W1"))
    assert [breach.certainty for breach in told] == ([certainty] if certainty else [])


def test_rows_are_named_once() -> None:
    named = [(duty.code, duty.cite.section, duty.cite.part) for duty in DUTIES]
    assert len(set(named)) == len(named)
