"""Commands about a later text of a chapter: its draft, and what it would make of a past day."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, progress


def edition_new(
    room: str,
    /,
    *,
    since: Annotated[date, Parameter(name="--since")],
    source: Annotated[str, Parameter(name="--source")],
    chapter: Annotated[str | None, Parameter(name="--chapter", show_default=False)] = None,
    restates: Annotated[bool, Parameter(name="--restates", negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """Draft a text that follows the one held: every row of the game, each to be kept.

    Nothing is in force by it. Fill it in, then `law edition whatif` shows what it would make of a
    past day.

    Args:
        room: the folder name of the game; an unknown name lists them all.
        since: its first gaming day.
        source: where it is published.
        chapter: its number, where that is another one, such as 625a.
        restates: it gives the whole chapter again, and is cited for every row.
    """
    from ledger.reports import edition_draft, room_named

    text = edition_draft(room_named(room), since, source, chapter=chapter, restates=restates)
    if options.is_json:
        emit_json({"room": room, "since": since.isoformat(), "source": source, "draft": text})
    else:
        emit(text)
    return 0


def edition_whatif(
    room: str,
    draft: Path,
    /,
    *,
    day: Annotated[date, Parameter(name="--day")],
    options: Options = OPTIONS,
) -> int:
    """Show what a drafted text would make of a past day, in money: never the law in force.

    Args:
        room: the folder name of the game; an unknown name lists them all.
        draft: the file of the draft, filled in.
        day: the gaming day, on or after the text's first.
    """
    from ledger.audit import DayUnknown, gaming_days, rounds_of
    from ledger.audit.what_if import differences
    from ledger.cli.errors import FileUnreadable
    from ledger.games import BY_GAME
    from ledger.games.edition import amended
    from ledger.replay import Replay
    from ledger.reports import (
        not_before,
        read_edition,
        room_named,
        whatif_data,
        whatif_text,
    )
    from ledger.rounds import RoundResult

    chosen = room_named(room)
    try:
        text = draft.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        wrong = error if isinstance(error, OSError) else OSError(f"not UTF-8: {error.reason}")
        raise FileUnreadable(draft, wrong) from error
    amendment = read_edition(chosen, text)
    not_before(amendment, day)
    with progress("replaying twice", ""):
        replay = Replay.open(options.folder)
        if day not in gaming_days(replay):
            raise DayUnknown(
                f"The ledger has no fact of the gaming day {day}",
                next_step="`pitledger rounds` lists the days that have rounds",
            )
        rooms = {**BY_GAME, chosen.game: amended(chosen, amendment)}
        law: list[RoundResult] = []
        other: list[RoundResult] = []
        for table in replay.tables():
            rounds = list(rounds_of(replay, day, table=table))
            if any(one.game == chosen.game for one in rounds):
                law += rounds
                other += rounds_of(replay, day, table=table, rooms=rooms)
        comparison = differences(day, chosen.game, amendment, law, other)
    if options.is_json:
        emit_json(whatif_data(comparison))
    else:
        emit(whatif_text(comparison))
    return 0
