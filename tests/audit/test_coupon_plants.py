"""Every planted irregularity of coupons is found over three days, and nothing is invented."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ledger.audit import audit_day
from ledger.floor import COUPON_KINDS, FIRST_DAY, KINDS, Plant, TruthRow, simulate
from ledger.kernel import FactRef
from ledger.replay import Replay
from tests.engine import log_of

DAYS = 3


def differences(*plants: str, seed: int, scale: float) -> tuple[list[TruthRow], list[str]]:
    """What was planted and not found, and what was found and not planted."""
    wished = [Plant.parse(text) for text in plants]
    drawn = simulate(seed, FIRST_DAY, DAYS, wished, scale=scale, coupons=True)
    replay = Replay(log_of(list(drawn.facts)))
    missed = list(drawn.truth)
    invented = []
    for number in range(DAYS):
        day = FIRST_DAY + timedelta(days=number)
        for found in audit_day(replay, day).findings:
            row = next(
                (
                    row
                    for row in missed
                    if row["code"] == found.code
                    and row["gaming_day"] == str(day)
                    and row["cite"] == found.citations[0].section
                    and {FactRef(row["stream"], seq) for seq in row["seq"]} <= set(found.facts)
                    and found.certainty == "broken"
                ),
                None,
            )
            if row is not None:
                missed.remove(row)
            else:
                invented.append(f"{day} {found.code} {found.citations[0].section}")
    return missed, invented


def test_three_honest_days_with_coupons_have_no_finding() -> None:
    assert differences(seed=1, scale=0.03) == ([], [])


def test_all_kinds_of_coupons_together() -> None:
    assert differences(*sorted(COUPON_KINDS), seed=2, scale=0.1) == ([], [])


@pytest.mark.full
@pytest.mark.timeout(600)
def test_coupons_beside_other_plants() -> None:
    kinds = ("overpaid:3", "late_wager", "coupon_overpaid", "coupon_not_in_box")
    assert differences(*kinds, seed=3, scale=0.1) == ([], [])


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", sorted(COUPON_KINDS))
def test_a_plant_of_coupons_is_found(kind: str) -> None:
    assert kind not in KINDS
    assert differences(kind, seed=1, scale=0.05) == ([], [])


@pytest.mark.full
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("seed", "scale"), [(4, 0.1), (5, 0.1), (6, 0.1), (5, 1.0)])
def test_all_kinds_of_coupons_by_other_seeds(seed: int, scale: float) -> None:
    assert differences(*sorted(COUPON_KINDS), seed=seed, scale=scale) == ([], [])
