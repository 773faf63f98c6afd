"""Slips of fills and credits: each number is used once, and none is left out between two.

Slips are numbered in books: what precedes the last digits names the book. A book runs through
tables and days, and fills and credits may share one, distinguished only by a letter. Text: L.8; the
internal controls that number slips are not held (reading slip-numbers).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from typing import Final

from ledger.audit.ledger_contract import Day
from ledger.events import CreditTaken, FillDelivered
from ledger.kernel import (
    Certainty,
    Finding,
    PropertyClock,
    Severity,
    dollars,
    ref_of,
    table_of,
)
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import LEDGER_CONTRACT as LAW
from ledger.replay import Replay

NEAR_DAYS: Final = 7
"""How many gaming days before and after a day have their slips compared with those of the day."""
BOOK: Final = 500
"""A jump of more numbers than this begins another book: none is missing in between."""
READINGS: Final = ("slip-numbers",)
_NUMBERED: Final = re.compile(r"(.*?)([0-9]+)")

Slip = FillDelivered | CreditTaken


@dataclass(frozen=True, slots=True)
class Numbered:
    """A slip with its place in its book.

    Args:
        fact: the fill or the credit.
        text: its number as written, in capitals, without extra blanks.
        book: what precedes the last digits.
        number: the last digits; None where there are none.
        at: when the fact was merged, microseconds UTC.
    """

    fact: Slip
    text: str
    book: str
    number: int | None
    at: int

    @property
    def words(self) -> str:
        """The slip for people."""
        kind = "fill" if isinstance(self.fact, FillDelivered) else "credit"
        worth, table = dollars(self.fact.chips_cents), table_of(self.fact.stream)
        return f"{kind} {self.text} of {worth} at {table}"


def slip_findings(replay: Replay, clock: PropertyClock, day: Day) -> Iterator[Finding]:
    """Report slip numbers used twice on a gaming day, or left out before a slip of it."""
    slips = list(_slips(replay, clock, day))
    for kind in (FillDelivered, CreditTaken):
        own = [slip for slip in slips if isinstance(slip.fact, kind)]
        others = [slip for slip in slips if not isinstance(slip.fact, kind)]
        yield from _twice(own, day)
        yield from _left_out(replay, own, others, day)


def _slips(replay: Replay, clock: PropertyClock, day: Day) -> Iterator[Numbered]:
    """Yield the slips of a day and of those near it, in order of time."""
    since = clock.bounds(day.date - timedelta(days=NEAR_DAYS))[0]
    until = clock.bounds(day.date + timedelta(days=NEAR_DAYS))[1]
    dated_slips = [
        (step.at, step.fact)
        for kind in (FillDelivered, CreditTaken)
        for stream in replay.streams_with([kind.__name__])
        for step in replay.of_kind(stream, kind, since=since, until=until)
    ]
    for at, fact in sorted(dated_slips, key=lambda pair: (pair[0], ref_of(pair[1]))):
        assert isinstance(fact, FillDelivered | CreditTaken)
        text = " ".join(fact.slip.split()).upper()
        match = _NUMBERED.fullmatch(text)
        book, number = (match[1], int(match[2])) if match else (text, None)
        yield Numbered(fact, text, book, number, at)


def _twice(slips: list[Numbered], day: Day) -> Iterator[Finding]:
    """Report one number on two slips, on the day of the later."""
    first: dict[str, Numbered] = {}
    for slip in slips:
        before = first.setdefault(slip.text, slip)
        if before is not slip and slip.text and day.has(slip.at):
            yield _finding(
                "slip_number_twice",
                f"One slip number stands on two slips: {before.words}, and {slip.words}.",
                (before, slip), day, Severity.HIGH, observed=slip.text,
            )  # fmt: skip


def _left_out(
    replay: Replay, own: list[Numbered], others: list[Numbered], day: Day
) -> Iterator[Finding]:
    """Report numbers that no slip of a book has, on the day of the next slip."""
    books: dict[str, dict[int, Numbered]] = {}
    for slip in own:
        if slip.number is not None:
            books.setdefault(slip.book, {}).setdefault(slip.number, slip)
    for name, book in books.items():
        shared = {slip.number for slip in others if _letterless(slip.book) == _letterless(name)}
        if not shared.isdisjoint(book):
            shared = set()  # each kind has its own numbers
        numbers = sorted(book)
        for low, high in pairwise(numbers):
            if high - low > BOOK:
                continue
            missing = [number for number in range(low + 1, high) if number not in shared]
            before, after = book[low], book[high]
            if not missing or not day.has(after.at) or _lost(replay, before, after):
                continue
            width = len(before.text) - len(before.book)
            left_out = ", ".join(f"{after.book}{number:0{width}d}" for number in missing[:10])
            more = f" and {len(missing) - 10} more" if len(missing) > 10 else ""
            yield _finding(
                "slip_number_left_out",
                f"No slip has the number {left_out}{more}, between {before.words}"
                f" and {after.words}.",
                (before, after), day, Severity.MEDIUM, observed=f"{left_out}{more}",
            )  # fmt: skip


def _letterless(book: str) -> str:
    """Return a book's name without the letter that distinguishes a fill from a credit."""
    return book[1:] if book[:1] in ("F", "C") else book


def _lost(replay: Replay, *slips: Numbered) -> bool:
    """Whether the slip may be among the facts that these streams lack, which is reported itself."""
    return any(any(replay.gaps(slip.fact.stream)) for slip in slips)


def _finding(
    code: str,
    sentence: str,
    slips: tuple[Numbered, ...],
    day: Day,
    severity: Severity,
    *,
    observed: str,
) -> Finding:
    facts = tuple(ref_of(slip.fact) for slip in slips)
    return Finding(
        code=code,
        severity=severity,
        certainty=Certainty.BROKEN,
        sentence=sentence,
        citations=(LAW[".8"],),
        gaming_day=day.date,
        stream=facts[-1].stream,
        facts=facts,
        readings=READINGS,
        observed=observed,
    )
