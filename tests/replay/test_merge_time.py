"""Merge times: wrong clocks stay where their seq puts them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ledger.replay import FactStep, Replay
from ledger.replay.merge_time import STRAY_MICROS, merge_times
from tests.replay.given import SECOND, START, fact, memory, shown

YEAR = 365 * 86_400


def of(*seconds: float) -> list[float]:
    """Merge times of event times, both in seconds."""
    micros = np.array([int(one * SECOND) for one in seconds], np.int64)
    return [one / SECOND for one in merge_times(micros)[0].tolist()]


def test_small_steps_back_take_the_highest_time_so_far() -> None:
    assert of(1, 2, 3) == [1, 2, 3]
    assert of(1, 5, 3, 4, 6) == [1, 5, 5, 5, 6]
    assert of(0, 60, 0, 61) == [0, 60, 60, 61]


def test_a_single_wrong_time_takes_the_time_before_it() -> None:
    assert of(1, YEAR, 3, 4, 5) == [1, 1, 3, 4, 5]
    assert of(1, 2, -YEAR, 4, 5) == [1, 2, 2, 4, 5]
    assert of(YEAR, 2, 3) == [2, 2, 3]
    assert of(1, 2, 3, -YEAR) == [1, 2, 3, 3]


def test_a_clock_wrong_for_a_while_and_then_put_right() -> None:
    assert of(1, 2, YEAR, YEAR + 1, 5, 6, 7) == [1, 2, 2, 2, 5, 6, 7]


def test_a_closed_night_is_no_wrong_time() -> None:
    assert of(1, 2, 40_000, 40_001) == [1, 2, 40_000, 40_001]


def test_which_facts_are_strays_is_known_to_the_prefix_hash() -> None:
    times = np.array([0, 2 * STRAY_MICROS, 1], np.int64)
    assert merge_times(times)[1]
    assert not merge_times(times[:2])[1]
    early = [fact("SB-01", 1, 1), fact("SB-01", 2, YEAR)]
    alone = Replay(memory(early)).prefix_hash("SB-01", 2)
    assert alone != Replay(memory([*early, fact("SB-01", 3, 3)])).prefix_hash("SB-01", 2)


@given(times=st.lists(st.integers(-5 * STRAY_MICROS, 5 * STRAY_MICROS), min_size=1, max_size=40))
def test_merge_times_never_fall_and_are_event_times_of_the_stream(times: list[int]) -> None:
    merged, has_strays = merge_times(np.array(times, np.int64))
    assert merged.tolist() == sorted(merged.tolist())
    assert set(merged.tolist()) <= set(times)
    if not has_strays:
        assert merged.tolist() == np.maximum.accumulate(times).tolist()


@given(
    steps=st.lists(st.integers(0, 20), min_size=6, max_size=30),
    wrong=st.integers(2, 4),  # of a stream's first two facts alone nobody can say which is wrong
    off=st.sampled_from((-YEAR, YEAR)),
)
def test_one_wrong_clock_moves_no_other_fact(steps: list[int], wrong: int, off: int) -> None:
    right = np.cumsum(steps).tolist()
    changed = [one + off * (place == wrong) for place, one in enumerate(right)]
    merged = of(*changed)
    assert merged[:wrong] + merged[wrong + 1 :] == right[:wrong] + right[wrong + 1 :]


def test_the_day_keeps_the_facts_after_a_wrong_time() -> None:
    facts = [fact("SB-01", seq, YEAR if seq == 3 else seq) for seq in range(1, 7)]
    other = [fact("SB-01/wheel", seq, seq + 0.5) for seq in range(1, 7)]
    day = Replay(memory([*facts, *other])).walk(
        ["SB-01", "SB-01/wheel"], since=START, until=START + 3600 * SECOND
    )
    steps = list(day)
    assert shown(steps) == [
        "SB-01:1", "SB-01/wheel:1", "SB-01:2", "SB-01:3", "SB-01/wheel:2", "SB-01/wheel:3",
        "SB-01:4", "SB-01/wheel:4", "SB-01:5", "SB-01/wheel:5", "SB-01:6", "SB-01/wheel:6",
    ]  # fmt: skip
    assert sum(isinstance(step, FactStep) for step in steps) == 12
