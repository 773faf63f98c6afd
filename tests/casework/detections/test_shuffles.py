"""Marks shuffled within strata, against brute force over every order."""

from __future__ import annotations

from itertools import combinations, permutations
from math import exp, log

import pytest

from ledger.casework.detections.coupon_neighbours import log_shuffled
from ledger.casework.e_values import mean_log
from ledger.casework.shuffles import (
    ODDS,
    Stratum,
    concentration,
    hypergeometric,
    log_groups,
    odds_seen,
    shrunk,
)

UNITS = {"a": 3, "b": 2, "c": 1}
LABELS = [name for name, n in UNITS.items() for _ in range(n)]


def log_group(strata: list[Stratum], group: str) -> float:
    """The evidence about one group."""
    return log_groups(strata).get(group, 0.0)


def log_any_group(strata: list[Stratum]) -> float:
    """The evidence about some group, without saying which: the mean over all groups."""
    logs = log_groups(strata)
    return mean_log(list(logs.values())) if logs else 0.0


def orders(marks: int):
    """Every way of marking so many of the six units."""
    for chosen in combinations(range(6), marks):
        marked = [LABELS[at] for at in chosen]
        yield Stratum(UNITS, {name: marked.count(name) for name in UNITS})


@pytest.mark.parametrize("marks", [1, 2, 3, 5])
def test_the_mean_over_all_orders_is_one(marks):
    every = list(orders(marks))
    assert sum(exp(log_group([one], "a")) for one in every) / len(every) == pytest.approx(1)
    assert sum(exp(log_any_group([one])) for one in every) / len(every) == pytest.approx(1)
    both = [exp(log_any_group([one, other])) for one in every for other in every]
    assert sum(both) / len(both) == pytest.approx(1)


def test_the_number_of_marks_is_hypergeometric():
    every = list(orders(3))
    brute = {k: sum(one.marked["a"] == k for one in every) / len(every) for k in range(4)}
    assert dict(hypergeometric(3, 6, 3)) == pytest.approx(brute)


@pytest.mark.parametrize("marks", [208, 209, 812, 4_000])
def test_hundreds_of_marks_in_one_stratum(marks):
    """30 to the power of 209 is beyond a float; the mean over all numbers of marks is still one."""
    units, of = 3_000, 9_000
    total = 0.0
    for k, p in hypergeometric(units, of, marks):
        if p > 1e-12:
            total += p * exp(log_group([_two(units, of, k, marks)], "a"))
    assert total <= 1 + 1e-9
    fair = log_group([_two(units, of, marks // 3, marks)], "a")
    assert fair < 0 < log_group([_two(units, of, min(marks, units), marks)], "a")


def _two(units, of, seen, marks):
    return Stratum({"a": units, "b": of - units}, {"a": seen, "b": marks - seen})


def test_the_permutation_test_is_close_to_the_exact_one():
    came = Stratum(UNITS, {"a": 3, "b": 0, "c": 0})
    every = list(orders(3))
    exact = sum(sum(n * n for n in one.marked.values()) >= 9 for one in every) / len(every)
    statistic, p = concentration([came], 19_999)
    assert statistic == 9
    assert exact == 1 / 20
    assert p == pytest.approx(exact, abs=0.006)
    assert concentration([came], 19_999) == (statistic, p)


def test_a_stratum_that_can_say_nothing_says_nothing():
    assert log_group([Stratum({"a": 5}, {"a": 2})], "a") == 0.0
    assert log_group([Stratum(UNITS, {"a": 0})], "a") == 0.0
    assert log_any_group([]) == 0.0


def test_neighbours_by_every_order():
    """The evidence over all orders of four coupons has mean 1: exactly, were all shuffles drawn."""
    dealers, pairs = ["x", "x", "y", "y"], [(0, 1), (2, 3)]
    found = [exp(log_shuffled(list(order), pairs, 4000)[0]) for order in permutations(dealers)]
    assert sum(found) / len(found) == pytest.approx(1, abs=0.05)
    assert log_shuffled(["x"] * 4, pairs, 99) == (0.0, 1.0)
    _, p = log_shuffled(dealers, pairs, 4000)
    assert p == pytest.approx(1 / 3, abs=0.03)  # 8 of the 24 orders put both pairs together


def test_rates_are_drawn_towards_that_of_all():
    units = {"a": 1000, "b": 1000, "c": 10}
    rates = shrunk({"a": 10, "b": 60, "c": 1}, units)
    of_all = 71 / 2010
    assert 10 / 1000 < rates["a"] < of_all < rates["b"] < 60 / 1000
    assert abs(rates["c"] - of_all) < abs(0.1 - of_all) / 3
    same = shrunk({"a": 35, "b": 36, "c": 0}, units)
    assert set(same.values()) == {of_all}
    assert shrunk({}, {}) == {}


def test_what_would_have_been_seen_is_a_binomial_sum():
    # One mark, even share: log e is at most log of the mean of 2·o/(1 + o).
    most = sum(2 * o / (1 + o) for o in ODDS) / len(ODDS)
    assert odds_seen(10, 1, 0.5, most * 0.999) == pytest.approx(10 / 11)
    assert odds_seen(10, 1, 0.5, most * 1.001) == 0.0
    assert odds_seen(10, 50, 0.1, 1000) > odds_seen(10, 20, 0.1, 1000)
    assert log(most) > 0
