"""The command that says what is in force at each table."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from ledger.cli.audit_commands import DayOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit_json, progress, show


def inforce(
    *,
    day: DayOption = None,
    table: Annotated[str | None, Parameter(show_default=False)] = None,
    staff: Annotated[bool, Parameter(negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """What is in force at each table on a gaming day, and by what authority.

    Chapter, approvals, Rules Submission, odds, limits and signs, layout and equipment, services:
    each with its section, its facts and since when. What no fact says is "not recorded".

    The exit code is 1 if anything is not recorded, not certain, or not as it should be.

    Args:
        day: the gaming day, such as 2021-06-12; default the last one in the ledger.
        table: only this table, such as SB-01.
        staff: also each person's turns at the table.
    """
    from ledger.audit.in_force import in_force
    from ledger.cli.days import table_named
    from ledger.cli.last_day import last_day
    from ledger.replay import Replay
    from ledger.reports import in_force_data, in_force_page
    from ledger.reports.in_force.page import all_stand

    with progress("reading", ""):
        replay = Replay.open(options.folder)
        table = None if table is None else table_named(replay, table)
        chosen = day if day is not None else last_day(replay, options.folder)
        state = in_force(replay, chosen, table=table)
    if options.is_json:
        emit_json(in_force_data(state))
    else:
        show(in_force_page(state, staff=staff))
    return 0 if all_stand(state) else 1
