"""A later text of a chapter: which rows end with it, which begin, and what becomes of the others.

Nothing here decides that a text is law: an amended room is only what a caller made of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import TypeVar

from ledger.games.room import Duty, Payout, Room, Wager
from ledger.kernel import Citation
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import Chapter

Row = TypeVar("Row", Wager, Payout, Duty)


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """A later text, and what it makes of the rows of a room.

    Args:
        text: the later text; its edition names the first gaming day.
        payouts: the rows that replace those of the same wager and line (``Payout.filed_as``).
        repealed: the wagers that end with the text before.
        restates: the later text is cited for every row from its first day on. A text that only
            amends the chapter is cited for the rows that it changes.
    """

    text: Chapter
    payouts: Mapping[tuple[str, str | None], Payout]
    repealed: frozenset[str] = frozenset()
    restates: bool = False

    @property
    def changes(self) -> bool:
        """Whether the later text changes any row."""
        return bool(self.payouts or self.repealed)


def amended(room: Room, amendment: Amendment) -> Room:
    """Return the room with a later text: rows that end get ``until``, rows that begin ``since``.

    Rows that ended already stay as they are.
    """
    text, since = amendment.text, amendment.text.edition.since
    wagers: list[Wager] = []
    for wager in room.wagers:
        wagers += _kept(wager, amendment, ends=wager.name in amendment.repealed)
    payouts: list[Payout] = []
    for payout in room.payouts:
        new = amendment.payouts.get((payout.wager, payout.filed_as))
        if new is None or payout.until is not None:
            payouts += _kept(payout, amendment, ends=payout.wager in amendment.repealed)
        else:
            payouts += [replace(payout, until=since), replace(new, since=since)]
    duties = [row for duty in room.duties for row in _kept(duty, amendment, ends=False)]
    return replace(
        room,
        editions=(*room.editions, text),
        wagers=tuple(wagers),
        payouts=tuple(payouts),
        duties=tuple(duties),
    )


def as_of(room: Room, text: Chapter) -> Room:
    """Return the room by one of its texts, for whatever day: a question, never the law in force.

    Args:
        room: the room with all its texts.
        text: its first text, or one that followed.
    """
    dated = room.on(text.edition.since)
    always = replace(text.edition, since=date.min)
    return replace(
        dated,
        law=Chapter(always, text.name),
        editions=(),
        wagers=tuple(replace(row, since=None, until=None) for row in dated.wagers),
        payouts=tuple(replace(row, since=None, until=None) for row in dated.payouts),
        duties=tuple(replace(row, since=None, until=None) for row in dated.duties),
    )


def _kept(row: Row, amendment: Amendment, *, ends: bool) -> list[Row]:
    """A row that is not changed: as it is, restated by the later text, or ended by it."""
    since = amendment.text.edition.since
    if row.until is not None:
        return [row]
    if ends:
        return [replace(row, until=since)]
    if not amendment.restates:
        return [row]
    pin = row.cite.section.removeprefix(row.cite.edition.chapter)
    cite = Citation(amendment.text.edition, f"{amendment.text.edition.chapter}{pin}", row.cite.part)
    return [replace(row, until=since), replace(row, cite=cite, since=since)]
