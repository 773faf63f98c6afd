"""Many tests and many nights: e-BH and e-LOND on cases worked by hand."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from ledger.casework.multiple_testing import Policy, Suppression, judge


def e_bh(e_values: list[float], alpha: float) -> frozenset[int]:
    """The discoveries of one night by itself."""
    return judge(e_values, Policy(alpha=alpha, nights=1)).discoveries


def test_e_bh_by_hand():
    # K = 4, alpha = 0.1: the r-th largest must reach 40/r.
    assert e_bh([41, 19, 13, 9.9], 0.1) == {0}
    assert e_bh([39, 20, 1, 1], 0.1) == {0, 1}  # 20 >= 40/2, and so 39 too
    assert e_bh([39, 19.9, 1, 1], 0.1) == frozenset()
    assert e_bh([10, 10, 10, 10], 0.1) == {0, 1, 2, 3}
    assert e_bh([], 0.1) == frozenset()


def test_one_test_a_night_is_e_lond():
    # alpha = 0.05 over 31 nights: 620 with no discovery before, 310 with one.
    assert judge([619], Policy()).discoveries == frozenset()
    assert judge([620], Policy()).discoveries == {0}
    assert judge([310], Policy(earlier=1)).discoveries == {0}
    assert judge([309], Policy(earlier=1)).level == 310


def test_the_level_is_what_would_have_been_enough():
    judged = judge([1000, 800, 1], Policy())
    assert judged.discoveries == frozenset()
    assert judged.level == pytest.approx(3 * 31 / 0.05)
    assert judge([1900, 1900, 1], Policy()) == judge([1900, 1900, 1], Policy())
    assert judge([1900, 1900, 1], Policy()).level == pytest.approx(3 * 31 / 0.05 / 2)


def test_the_share_of_false_discoveries_of_a_month_is_bounded():
    """Nine of ten tests are honest, with e-values of mean 1; four nights share the error."""
    rng = np.random.default_rng(5)
    shares = []
    for _ in range(400):
        found = false = 0
        for _night in range(4):
            honest = np.where(rng.random(9) < 0.01, 100.0, 0.0)
            judged = judge([1e6, *honest.tolist()], Policy(alpha=0.2, nights=4, earlier=found))
            false += sum(at > 0 for at in judged.discoveries)
            found += len(judged.discoveries)
        shares.append(false / max(found, 1))
    assert 0 < np.mean(shares) <= 0.2


def test_a_suppression_speaks_of_what_it_names_and_ends():
    until = Suppression(
        detection="dice_bias",
        until=date(2026, 3, 31),
        reason="die measured",
        by="P-1",
        table="SB-01",
    )
    assert until.covers("dice_bias", "SB-01", "die D-1", date(2026, 3, 31))
    assert not until.covers("dice_bias", "SB-01", "die D-1", date(2026, 4, 1))
    assert not until.covers("dice_bias", "SB-02", "die D-1", date(2026, 3, 1))
    assert not until.covers("wheel_bias", "SB-01", "die D-1", date(2026, 3, 1))
