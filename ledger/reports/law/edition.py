"""A later text of a chapter as a draft that a person fills in, and what it would make of a day.

A draft lists every row of the room, so that nothing is left out unseen. Read back, it makes an
amended room: for a comparison, never for the law in force, which stands in the rooms' own rows.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from datetime import date
from typing import Final

from ledger.games import Room
from ledger.games.edition import Amendment
from ledger.games.room import Payout, Wager
from ledger.kernel import Edition, UsageError, parse_odds
from ledger.law import Chapter
from ledger.reports.law.printed_rows import Row, rows_of, says_of

KEEP: Final = "keep"
REPEAL: Final = "repeal"
HEAD: Final = """\
# Draft of a later text of {name}, {chapter} ({source}).
# Nothing here is in force. It lists every row of the game; a row is kept unless it says otherwise:
#   change = "keep"      the row goes on
#   change = "repeal"    the wager ends on the first day of the new text (wagers only)
#   change = "6 to 1"    the line pays these odds from that day on (payouts only)
# A change of any other kind, or a new wager, needs a row in the game's own tables. A row that is
# left out is refused: silence is no repeal. `restates`: the new text gives the whole chapter again
# and is cited for every row; otherwise only for those that it changes.
"""


class EditionUnreadable(UsageError):
    """The draft of a later text cannot be used."""

    code = "edition_unreadable"


class EditionTooEarly(UsageError):
    """A later text cannot begin before the one that it follows."""

    code = "edition_too_early"


def edition_draft(
    room: Room, since: date, source: str, *, chapter: str | None = None, restates: bool = False
) -> str:
    """The draft of a text that follows the one held: every row, each to be kept.

    Args:
        room: the game.
        since: its first gaming day.
        source: where it is published.
        chapter: its number, where that is another one.
        restates: whether it gives the whole chapter again.

    Raises:
        EditionTooEarly: it would begin before the text that it follows.
        EditionUnreadable: its source or its number is blank.
    """
    current = (room.editions or (room.law,))[-1].edition
    _later(current, since)
    if not source.strip() or (chapter is not None and not chapter.strip()):
        raise EditionUnreadable("a text has a source and a number: one of them is blank")
    lines = [HEAD.format(name=room.game, chapter=f"§ {current.chapter}", source=current.source)]
    lines += [
        f"room = {_text(room.key)}",
        f"chapter = {_text(chapter or current.chapter)}",
        f"source = {_text(source)}",
        f"since = {since.isoformat()}",
        f"restates = {_text(restates)}",
        "",
    ]
    for row in _going_on(room):
        lines += [*_entry(row), ""]
    return "\n".join(lines)


def read_edition(room: Room, text: str) -> Amendment:
    """Read a draft back.

    Raises:
        EditionUnreadable: it is not TOML, is of another game, misses or repeats a row, or asks for
            a change that only a row of code can make.
        EditionTooEarly: it would begin before the text that it follows.
    """
    try:
        draft = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise EditionUnreadable(f"the draft is not TOML: {error}") from error
    if draft.get("room") != room.key:
        raise EditionUnreadable(f"the draft is of {draft.get('room')!r}, not of {room.key}")
    current = (room.editions or (room.law,))[-1].edition
    since = draft.get("since")
    if type(since) is not date:
        raise EditionUnreadable("the draft has no first day: since = 2014-02-01")
    _later(current, since)
    chapter = Chapter(
        Edition(_word(draft, "chapter"), _word(draft, "source"), since), room.law.name
    )
    changes = _changes(room, draft)
    payouts: dict[tuple[str, str | None], Payout] = {}
    repealed: set[str] = set()
    for row in _going_on(room):
        change = changes.pop(key_of(row))
        if change == KEEP:
            continue
        if isinstance(row, Payout):
            payouts[row.wager, row.filed_as] = _repriced(row, chapter, change)
        elif isinstance(row, Wager) and change == REPEAL:
            repealed.add(row.name)
        else:
            raise EditionUnreadable(f"{key_of(row)}: {change!r} needs a row in the game's tables")
    return Amendment(
        text=chapter,
        payouts=payouts,
        repealed=frozenset(repealed),
        restates=draft.get("restates") is True,
    )


def not_before(amendment: Amendment, day: date) -> None:
    """Hold a day against a text's first.

    Raises:
        EditionTooEarly: the text would not yet have held on that day.
    """
    since = amendment.text.edition.since
    if day < since:
        raise EditionTooEarly(
            f"the text holds from {since}, and {day} is before it",
            next_step="give a later day, or another first day in the draft",
        )


def key_of(row: Row) -> str:
    """How a draft names a row."""
    cite = f"{row.cite.section}#{row.cite.part}" if row.cite.part else row.cite.section
    kind = type(row).__name__.lower()
    name = getattr(row, "name", None) or getattr(row, "wager", None) or getattr(row, "code", "")
    line = getattr(row, "filed_as", None)
    words = [kind, name, f"({line})" if line else "", cite]
    if kind not in ("wager", "payout"):
        words.append(_row_words(row))
    return " ".join(word for word in words if word)


def _going_on(room: Room) -> tuple[Row, ...]:
    """The rows that no text has ended."""
    return tuple(row for row in rows_of(room) if getattr(row, "until", None) is None)


def _entry(row: Row) -> list[str]:
    return [
        "[[row]]",
        f"row = {_text(key_of(row))}",
        f"says = {_text(says_of(row))}",
        f"change = {_text(KEEP)}",
    ]


def _changes(room: Room, draft: dict[str, object]) -> dict[str, str]:
    """What the draft says of each row, every row once."""
    entries = draft.get("row")
    if not isinstance(entries, list):
        raise EditionUnreadable("the draft lists no rows")
    changes: dict[str, str] = {}
    for number, entry in enumerate(entries, 1):
        name = entry.get("row") if isinstance(entry, dict) else None
        change = entry.get("change") if isinstance(entry, dict) else None
        if not isinstance(name, str) or not isinstance(change, str):
            raise EditionUnreadable(f"row {number} of the draft lacks its name or its change")
        if name in changes:
            raise EditionUnreadable(f"the draft lists {name!r} twice")
        changes[name] = change
    known = {key_of(row) for row in _going_on(room)}
    strange, missing = sorted(changes.keys() - known), sorted(known - changes.keys())
    if strange:
        raise EditionUnreadable(f"{room.game} has no row {strange[0]!r}")
    if missing:
        raise EditionUnreadable(f"the draft leaves out {missing[0]!r}: silence is no repeal")
    return changes


def _repriced(row: Payout, text: Chapter, change: str) -> Payout:
    try:
        odds = parse_odds(change)
    except ValueError as error:
        raise EditionUnreadable(f"{key_of(row)}: {error}") from error
    pin = row.cite.section.removeprefix(row.cite.edition.chapter)
    part = f"#{row.cite.part}" if row.cite.part else ""
    return replace(row, pays=odds, cite=text[f"{pin}{part}"])


def _later(current: Edition, since: date) -> None:
    if since <= current.since:
        raise EditionTooEarly(
            f"a text since {since} cannot follow one since {current.since}",
            next_step=f"give a day after {current.since}",
        )


def _word(draft: dict[str, object], field: str) -> str:
    answer = draft.get(field)
    if not isinstance(answer, str) or not answer.strip():
        raise EditionUnreadable(f"the draft has no {field}")
    return answer


def _text(answer: object) -> str:
    """A value as TOML writes it."""
    return json.dumps(answer, ensure_ascii=False)


def _row_words(row: Row) -> str:
    """What tells rows apart that stand under one citation."""
    sentence = says_of(row)
    return re.sub(r"\s+", " ", sentence)[:80]
