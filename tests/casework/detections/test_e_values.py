"""E-processes by hand: mean 1 under the honest process, exactly; Ville's bound, by simulation."""

from __future__ import annotations

import csv
from fractions import Fraction
from itertools import product
from math import comb, exp, inf, log
from pathlib import Path

import numpy as np
import pytest

from ledger.casework.detections.wheel_bias import log_wheel
from ledger.casework.e_values import (
    BOLD,
    FRACTIONS,
    Step,
    bets_seen,
    bias_by_steps,
    compositions,
    e_value,
    fair,
    highest_bias,
    knows_words,
    log_arc,
    log_bets,
    log_bias,
    log_single,
    mean_log,
    p_value,
    power_words,
    seen_with,
)
from tests.power.study import run_bias

UNEVEN = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
DATA = Path(__file__).parent.parent / "data" / "dice.csv"


def counts_of(what: str) -> list[int]:
    with DATA.open(encoding="utf-8", newline="") as lines:
        (row,) = (row for row in csv.DictReader(lines) if row["what"] == what)
    return [int(one) for one in row["counts"].split()]


@pytest.mark.parametrize(("null", "n"), [(fair(2), 8), (UNEVEN, 5), (fair(6), 3)])
def test_the_mean_is_one_after_every_throw_exactly(null, n):
    means = [Fraction(0)] * n
    for values in product(range(len(null)), repeat=n):
        chance = Fraction(1)
        for value in values:
            chance *= null[value]
        for at, e in enumerate(bias_by_steps(values, null)):
            means[at] += chance * e
    assert means == [1] * n


def test_steps_and_counts_say_the_same():
    rng = np.random.default_rng(1)
    values = [int(v) for v in rng.choice(3, 200, p=[0.5, 0.2, 0.3])]
    steps = list(bias_by_steps(values, UNEVEN))
    assert log(steps[-1]) == pytest.approx(log_bias([values.count(i) for i in range(3)], UNEVEN))
    assert highest_bias(values, UNEVEN) == pytest.approx(log(max(1, *steps)))


@pytest.mark.parametrize("log_e", [log_arc, log_single, log_wheel])
def test_the_mean_on_a_circle_is_one(log_e):
    n = 5
    total = sum(
        exp(log_e([places.count(i) for i in range(n)])) / n**4
        for places in product(range(n), repeat=4)
    )
    assert total == pytest.approx(1, abs=1e-12)


def test_a_likelier_section_is_found_by_hand():
    # A coin: only 1.25 and 1.5 are possible; 3 of 4 heads.
    by_hand = sum(f**c * (2 - f) ** (4 - c) for f in (1.25, 1.5) for c in (3, 1)) / 4
    assert exp(log_single([3, 1])) == pytest.approx(by_hand)


def test_ville_on_fair_dice():
    """Of 2,000 fair runs of 3,000 throws at most 1 in 20 ever reaches 20, whenever looked at."""
    crossed = run_bias(np.full(6, 1 / 6), runs=2000, throws=3000, seed=7, level=20.0)
    assert 0 < (crossed <= 3000).mean() <= 1 / 20


def test_fast_runs_are_those_of_the_detection():
    rng = np.random.default_rng(3)
    crossed = run_bias(
        np.array([0.3, 0.1, 0.15, 0.15, 0.15, 0.15]), runs=20, throws=400, seed=3, level=50.0
    )
    del rng
    rng = np.random.default_rng(3)
    drawn = rng.choice(6, (20, 400), p=[0.3, 0.1, 0.15, 0.15, 0.15, 0.15])
    for values, at in zip(drawn.tolist(), crossed.tolist(), strict=True):
        found = next(
            (
                t
                for t in range(1, 401)
                if log_bias([values[:t].count(i) for i in range(6)], fair(6)) >= log(50)
            ),
            401,
        )
        assert at == found


def test_wolf_is_found_and_weldon_too():
    wolf = counts_of("wolf_white_die")
    assert sum(wolf) == 20_000
    assert log_bias(wolf, fair(6)) > 100
    p, test = p_value(wolf, fair(6))
    assert (test, p < 1e-50) == ("G-test", True)
    twelve = counts_of("weldon_dice")
    assert sum(twelve) == 26_306
    high = sum(k * n for k, n in enumerate(twelve))
    null = (Fraction(2, 3), Fraction(1, 3))
    assert log_bias([12 * 26_306 - high, high], null) > log(1000)


def test_the_g_test_is_that_of_the_books():
    from scipy.stats import chi2  # seconds, which each process that only collects would spend

    counts = [180, 160, 150, 170, 165, 175]
    g = 2 * sum(c * np.log(c * 6 / 1000) for c in counts)
    assert p_value(counts, fair(6))[0] == pytest.approx(chi2.sf(g, 5))


def test_the_exact_test_is_brute_force():
    from scipy.stats import multinomial

    counts, null = (4, 0, 2), UNEVEN
    law = multinomial(6, [float(p) for p in null])
    seen = law.pmf(counts)
    brute = sum(law.pmf(t) for t in compositions(6, 3) if law.pmf(t) <= seen + 1e-12)
    assert p_value(counts, null) == (pytest.approx(brute), "exact multinomial")
    assert len(list(compositions(6, 3))) == comb(8, 2)


# --- bets -----------------------------------------------------------------------------------------


def test_bets_have_mean_one_whatever_the_stakes():
    """Three rounds, the stake doubled after a loss: the mean of the wealth is 1."""
    for upward, fractions in product((True, False), (FRACTIONS, BOLD)):
        total = 0.0
        for wins in product((True, False), repeat=3):
            chance, stake, steps = 1.0, 100.0, []
            for won in wins:
                chance *= 0.4 if won else 0.6
                mean = stake * (0.4 * 2 - 0.6)
                steps.append(
                    Step(2 * stake if won else -stake, mean, -stake, 2 * stake, 1.47 * stake)
                )
                stake = 100.0 if won else stake * 2
            total += chance * exp(log_bets(steps, upward=upward, fractions=fractions))
        assert total == pytest.approx(1, abs=1e-12)


def test_a_round_without_a_bound_is_passed_over():
    step = Step(-100.0, -5.0, -100.0, inf, 100.0)
    assert log_bets([step], upward=False) == 0.0
    assert log_bets([step], upward=True) < 0.0


def test_wealth_is_never_negative():
    worst = [Step(-100.0, 50.0, -100.0, 1e6, 0.001)] * 50
    assert log_bets(worst, upward=True) == pytest.approx(50 * log(0.1))


def test_ville_on_bets_with_doubled_stakes():
    rng = np.random.default_rng(11)
    crossed = 0
    for _ in range(400):
        stake, steps, best = 100.0, [], 0.0
        for won in rng.random(120) < 0.48:
            steps.append(Step(stake if won else -stake, -0.04 * stake, -stake, stake, stake))
            stake = 100.0 if won else min(stake * 2, 6400.0)
        for n in range(10, 121, 10):
            best = max(best, log_bets(steps[:n], upward=True))
        crossed += best >= log(10)
    assert crossed / 400 <= 0.1


def test_bold_bets_find_who_knows_and_say_so():
    even = [Step(100.0, -3.0, -100.0, 100.0, 99.9)] * 12
    assert log_bets(even, upward=True, fractions=BOLD) > log(1000) > log_bets(even, upward=True)
    assert knows_words(even, 1000.0).startswith("100% of them made knowing the outcome would")
    assert knows_words([], 1000.0).endswith("in 0 rounds")


def test_power_of_bets_grows():
    assert bets_seen(100, 0.1, 1000) < bets_seen(2000, 0.1, 1000) < bets_seen(2000, 0.2, 1000) <= 1
    assert bets_seen(2000, 0.0, 1000) < 1 / 1000


# --- words ----------------------------------------------------------------------------------------


def test_power_is_said_in_words_and_is_the_same_twice():
    said = power_words(6, 3000, 1000.0, "face")
    assert said == power_words(6, 3000, 1000.0, "face")
    assert "toward one face would be detected " in said
    seen = dict(seen_with(6, 3000, 1000.0))
    assert seen[0.05] < seen[0.2] < seen[0.6]


def test_logs_and_e_values():
    assert mean_log([0.0, -inf]) == pytest.approx(log(0.5))
    assert mean_log([-inf]) == -inf
    assert mean_log([800.0, 800.0]) == 800.0
    assert e_value(800.0) <= 1e300
    assert e_value(log(1234.5678)) == 1234.57
