"""A share of the rows of a costly sweep in each run: the mark ``by_turns(share)`` of a parametrized test.

Of the rows that are not ``full``, one in ``share`` is tried by ``make test``. The others have their
turn on the following days, so that after ``share`` days each was tried; ``make test-full`` tries all.
The turn stands at the head of a run; ``TESTS_TURN`` asks for that of another day.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from typing import Final
from zlib import crc32

import pytest

MARK: Final = "by_turns"
TURN: Final = "TESTS_TURN"
DAY_SECONDS: Final = 86_400
PLACES: Final = pytest.StashKey[Counter[str]]()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Fix the turn before workers start, which inherit it: midnight may pass meanwhile."""
    os.environ.setdefault(TURN, str(int(time.time()) // DAY_SECONDS))
    config.stash[PLACES] = Counter()
    config.addinivalue_line(
        "markers",
        f"{MARK}(share): one row in so many in each run, the others on the following days",
    )


def pytest_report_header() -> str:
    return f"turn: {os.environ[TURN]} ({TURN} tries the rows of this turn again)"


def is_in_turn(place: int, share: int, turn: int) -> bool:
    """Whether a row is tried in a turn; in a table of two sides each turn has some of every line.

    Args:
        place: how many rows of its test come before it.
        share: one row in so many is tried.
        turn: the number of the day.
    """
    return (place + place // share + turn) % share == 0


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave a row that is not in turn to the long run."""
    mark = item.get_closest_marker(MARK)
    if mark is None or item.get_closest_marker("full"):
        return
    name = item.nodeid.partition("[")[0]
    places = item.config.stash[PLACES]
    turn = int(os.environ[TURN]) + crc32(name.encode())  # tests of one scene begin with other rows
    if not is_in_turn(places[name], mark.args[0], turn):
        item.add_marker(pytest.mark.full)
    places[name] += 1
