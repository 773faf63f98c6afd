"""Commands that print the law as data."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.out import emit, emit_json, emit_list


def law_show(room: str, /, *, options: Options = OPTIONS) -> int:
    """Print every row of a room beside the section that it rests on.

    Args:
        room: sic_bo, dreamcatcher, general (chapter 521) or ledger (the Ledger contract).
    """
    from ledger.reports import law_show as data
    from ledger.reports import show_text

    if options.is_json:
        emit_json(data(room))
    else:
        emit(show_text(room))
    return 0


def law_odds(
    room: str,
    /,
    *,
    paytable: Annotated[str, Parameter(name="--paytable")] = "floor",
    options: Options = OPTIONS,
) -> int:
    """Print exact odds of every wager, pick and payout line of a room, as fractions.

    Args:
        room: sic_bo or dreamcatcher.
        paytable: floor for the least odds of the chapter, or a Rules Submission in the ledger.
    """
    from ledger.reports import law_odds as data
    from ledger.reports import odds_text, room_named

    chosen = room_named(room)
    filed = None
    if paytable != "floor":
        from ledger.cli.paytables import filed_paytable

        filed = filed_paytable(options.folder, chosen, paytable)
    if options.is_json:
        emit_list(data(chosen, filed))
    else:
        emit(odds_text(chosen, filed))
    return 0


def law_readings(*, options: Options = OPTIONS) -> int:
    """Print the register of readings: what the texts leave open, and what we decided."""
    from ledger.reports import law_readings as data
    from ledger.reports import readings_text

    if options.is_json:
        emit_list(data())
    else:
        emit(readings_text())
    return 0


def law_coverage(*, options: Options = OPTIONS) -> int:
    """Print which obligations are computed, attested or not modelled, and why."""
    from ledger.reports import coverage_text
    from ledger.reports import law_coverage as data

    if options.is_json:
        emit_list(data())
    else:
        emit(coverage_text())
    return 0
