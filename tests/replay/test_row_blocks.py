"""Rows in blocks against the same rows as one array."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.replay import row_blocks
from ledger.replay.row_blocks import (
    COLUMNS,
    PAUSE_MICROS,
    ROW,
    Block,
    GrowingRows,
    RowBlocks,
    Rows,
    blocks_of,
    joined_blocks,
)

STEPS = st.lists(
    st.tuples(
        st.integers(1, 3),
        st.sampled_from([0, 1, 5, PAUSE_MICROS, PAUSE_MICROS + 1]),
        st.integers(1, 4),
    ),
    min_size=1,
    max_size=60,
)


def rows_of(steps: list[tuple[int, int, int]]) -> Rows:
    """Rows whose numbers, times and positions rise by these steps."""
    rows = np.zeros(len(steps), ROW)
    for name, column in zip(COLUMNS, np.cumsum(np.array(steps), axis=0).T, strict=True):
        rows[name] = column
    return rows


def say_the_same(blocks: RowBlocks | GrowingRows, rows: Rows, data: st.DataObject) -> None:
    """Compare what is asked of a few rows with the rows as one array."""
    assert len(blocks) == len(rows)
    for name in COLUMNS:
        row = data.draw(st.integers(0, len(rows) - 1))
        assert blocks.entry(name, row) == rows[name][row]
        least = int(rows[name][row]) + data.draw(st.integers(-2, 2))
        assert blocks.row_at(name, least) == np.searchsorted(rows[name], least)
    low, high = (data.draw(st.integers(0, len(rows) + 3)) for _ in range(2))
    assert np.array_equal(blocks.between(low, high), rows[low:high])
    assert np.array_equal(blocks.merged().rows, rows)


@given(STEPS, st.integers(1, 9), st.data())
def test_blocks_say_what_the_rows_say(
    steps: list[tuple[int, int, int]], most: int, data: st.DataObject
) -> None:
    rows = rows_of(steps)
    say_the_same(RowBlocks(blocks_of(rows, most)), rows, data)


@given(STEPS, st.integers(0, 60), st.data())
def test_rows_that_grow_say_what_the_rows_say(
    steps: list[tuple[int, int, int]], put_away: int, data: st.DataObject
) -> None:
    rows = rows_of(steps)
    put_away_blocks = RowBlocks(blocks_of(rows[:put_away], 7))
    say_the_same(GrowingRows(put_away_blocks, rows[put_away:]), rows, data)


def test_a_block_ends_where_the_stream_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten rows a day: which days there are, and how many rows each has, is known unread."""
    monkeypatch.setattr(row_blocks, "PAUSE_ROWS", 5)
    day = [(1, 1, 1)] * 10
    steps = [*day, (1, PAUSE_MICROS + 1, 1), *day, (1, PAUSE_MICROS + 1, 1), *day]
    cut = list(blocks_of(rows_of(steps)))
    assert [block.rows for block in cut] == [10, 11, 11]

    def unread() -> Rows:
        raise AssertionError("nothing needs to be read")

    blocks = RowBlocks(block._replace(read=unread) for block in cut)
    second = cut[1].first[1]
    assert blocks.row_at("time", second - PAUSE_MICROS) == 10
    assert blocks.entry("time", 10) == second
    assert blocks.entry("time", 9) == cut[0].last[1]
    assert blocks.row_at("time", cut[-1].last[1] + 1) == len(blocks)
    with pytest.raises(AssertionError, match="nothing needs"):
        blocks.between(0, 1)


def test_few_rows_between_pauses_stay_in_one_block() -> None:
    """An office that says something every three hours does not get a block for each."""
    rows = rows_of([(1, PAUSE_MICROS + 1, 1)] * 300)
    assert [block.rows for block in blocks_of(rows)] == [300]
    assert len(list(blocks_of(rows, 64))) == 5
    assert Block.of(rows[-1:]).first == Block.of(rows[-1:]).last


@given(STEPS, st.integers(4, 12))
def test_joined_blocks_are_few_and_say_the_same(
    steps: list[tuple[int, int, int]], most: int
) -> None:
    rows, blocks = rows_of(steps), list[Block]()
    with patch.object(row_blocks, "SMALL_BLOCKS", 2):
        for at in range(len(rows)):
            blocks = joined_blocks([*blocks, Block.of(rows[at : at + 1])], most)
    assert RowBlocks(blocks).between(0, len(rows)).tolist() == rows.tolist()
    assert all(block.rows <= most for block in blocks)
    assert len(blocks) <= 3 + len(rows) // (most // 2)
    assert [block.rows for block in blocks[-2:]] == [1] * min(2, len(rows))
