"""Books for tests: the facts of a worked example, perhaps changed, followed in order of time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from copy import deepcopy
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

from ledger.coupons import CustodyRegister, follow
from ledger.events import Fact
from ledger.kernel import PropertyClock
from tests.conformance.match_play import FIRST_DAY, translate
from tests.conformance.run import whole

EXAMPLES: Final = Path(__file__).parents[1] / "conformance" / "examples"
CLOCK: Final = PropertyClock("America/New_York", 360)
DAY: Final = FIRST_DAY
NEXT: Final = date(2012, 8, 16)


@cache
def _cases() -> dict[str, Any]:
    text = (EXAMPLES / "own_match_play_stock.json").read_text(encoding="utf-8")
    return {case["id"]: case for case in whole(json.loads(text))}


def facts_of(name: str, change: Callable[[list[dict[str, Any]]], None] | None = None) -> list[Fact]:
    """The facts of a case, in order of time; ``change`` edits its words before."""
    case = deepcopy(_cases()[name])
    if change is not None:
        change(case["facts"])
    facts = translate(case, {}).timeline.finished().facts
    return sorted(facts, key=lambda one: one.event_time)


def book_of(facts: Iterable[Fact], *doubts: tuple[str, int | None, int | None]) -> CustodyRegister:
    """A book that has followed these facts to the end."""
    book = CustodyRegister(CLOCK)
    for doubt in doubts:
        book.doubt(*doubt)
    for one in facts:
        follow(book, one, one.event_time)
    book.finish()
    return book
