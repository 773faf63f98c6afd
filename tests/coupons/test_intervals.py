"""Runs of numbers: against a plain dictionary, and that a range stays one run until touched."""

import itertools
import pickle

from hypothesis import given
from hypothesis import strategies as st

from ledger.coupons import intervals
from ledger.coupons.intervals import IntervalMap

SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 25), st.integers(0, 5)), max_size=60)


@given(SPANS)
def test_it_says_what_a_dictionary_says(spans):
    before, intervals.BLOCK = intervals.BLOCK, 2
    try:
        mapped, plain = IntervalMap(), {}
        for first, more, value in spans:
            mapped.put(first, first + more, value)
            plain |= dict.fromkeys(range(first, first + more + 1), value)
            assert {n: mapped.get(n) for n in range(90)} == {n: plain.get(n) for n in range(90)}
        runs = list(mapped)
        assert {n: v for first, last, v in runs for n in range(first, last + 1)} == plain
        assert all(one[1] < other[0] for one, other in itertools.pairwise(runs))
        for first, more, _ in spans:
            found = mapped.within(first, first + more + 3)
            told = {n: v for low, high, v in found for n in range(low, high + 1)}
            assert told == {n: plain.get(n) for n in range(first, first + more + 4)}
        assert list(pickle.loads(pickle.dumps(mapped))) == runs
    finally:
        intervals.BLOCK = before


def test_a_range_stays_one_run_until_a_part_of_it_is_touched():
    mapped = IntervalMap()
    mapped.put(1, 10_000_000, "stock")
    assert len(mapped) == 1
    mapped.put(5, 5, "patron")
    assert list(mapped) == [(1, 4, "stock"), (5, 5, "patron"), (6, 10_000_000, "stock")]
    mapped.put(1, 10_000_000, "back")
    assert list(mapped) == [(1, 10_000_000, "back")]
