"""The command that shows the tables' days in cents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import Parameter

from ledger.cli.audit_commands import DayOption
from ledger.cli.kept_answers import kept_answer
from ledger.cli.options import Options
from ledger.cli.output import emit, emit_list, progress, show


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TablesOptions:
    """Which ledger, and in what form the tables are wanted."""

    ledger: Annotated[Path | None, Parameter(name="--ledger", show_default=False)] = None
    """Folder of the ledger; default PITLEDGER_LEDGER, then ./pitledger-data."""

    format: Annotated[Literal["text", "json", "csv"], Parameter(name="--format")] = "text"
    """For people (text), for scripts (json), for a spreadsheet (csv)."""

    @property
    def folder(self) -> Path:
        """The folder that is meant."""
        return Options(ledger=self.ledger).folder


TABLES_OPTIONS: Final = TablesOptions()


@kept_answer
def tables(*, day: DayOption = None, options: TablesOptions = TABLES_OPTIONS) -> int:
    """Each table's day in money: opener, fills, credits, closer, drop, win by count and by rounds.

    The exit code is 1 if a count is missing or in doubt, or a win differs.

    Args:
        day: the gaming day, such as 2021-06-12; default the last one in the ledger.
    """
    from ledger.analytics import judged_by
    from ledger.audit import COUNT_CODES
    from ledger.cli.last_day import last_day
    from ledger.replay import Replay
    from ledger.reports import table_days, table_days_csv, table_days_data, table_days_page

    with progress("auditing", ""):
        replay = Replay.open(options.folder)
        judged = judged_by(options.folder, replay)
        office = judged.record
        chosen = day if day is not None else last_day(replay, options.folder)
        audit = judged.listed(chosen)
        days = table_days(audit, judged.theory)
        judged.theory.keep()
    match options.format:
        case "json":
            emit_list(table_days_data(days))
        case "csv":
            emit(table_days_csv(days).rstrip("\n"))
        case _:
            show(table_days_page(days, office.clock, office.office.property_name))
    is_unsure = any(
        account.missing or account.awaiting or account.doubtful for account in audit.accounts
    )
    return 1 if is_unsure or any(one.code in COUNT_CODES for one in audit.findings) else 0
