"""The tables' days in cents: what was counted, what the rounds took and paid, and what they hold.

Exact inside: whole cents and fractions. Percentages and a theoretical win are rounded where they
are shown, halves to the even one. What is not known is never shown as zero.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from ledger.audit import TAKEN, AuditedDay, Mark, Shown, Theory, shown_of
from ledger.kernel import PropertyClock, cell_text, dollars, percent, table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.amendments import amended_lines
from ledger.reports.audit_page import capture_table, not_covered
from ledger.reports.late_facts import mark_data, marked_lines
from ledger.reports.phrases import calendar_date
from ledger.reports.table_style import plain_table

CSV_COLUMNS: Final = (
    *("gaming_day", "table", "game", "capture", "opener", "fills", "credits", "closer"),
    *("cash_drop", "coupons", "win_by_count", "win_by_rounds", "difference", "wagered"),
    *("theoretical_win", "hold_on_drop_percent", "hold_on_wagers_percent", "missing"),
)


COUNTED: Final = frozenset(kind.__name__ for kind in TAKEN)
"""The facts of which a table's account is made."""


@dataclass(frozen=True, slots=True)
class TableDays:
    """A day's audit with the accounts of its tables, and what these are worth in theory."""

    audit: AuditedDay
    rows: tuple[Shown, ...]


def table_days(audit: AuditedDay, theory: Theory) -> TableDays:
    """The tables' days of an audit."""
    return TableDays(
        audit, tuple(shown_of(account, theory, audit.gaming_day) for account in audit.accounts)
    )


def table_days_data(days: TableDays) -> list[dict[str, object]]:
    """One object per table, as ``tables.json`` has them.

    Amounts are integer cents, ratios and theoretical win are fractions in lowest terms as text;
    what is not recorded is null, never zero.
    """
    return [
        {
            "gaming_day": days.audit.gaming_day.isoformat(),
            "table": row.account.table,
            "game": row.account.game,
            "capture": row.account.level,
            "opener_cents": row.account.opener_cents,
            "fills_cents": row.account.fills_cents,
            "credits_cents": row.account.credits_cents,
            "closer_cents": row.account.closer_cents,
            "cash_drop_cents": row.account.drop_cents,
            "cash_changed_cents": row.account.cash_changed_cents,
            "coupons": row.account.coupons,
            "coupons_cents": row.account.coupons_cents,
            "win_by_count_cents": row.account.by_count_cents,
            "win_by_rounds_cents": row.account.by_rounds_cents,
            "difference_cents": row.account.difference_cents,
            "wagered_cents": row.account.wagered_cents,
            "theoretical_win_cents": _exact(row.theoretical),
            "hold_on_drop": _exact(row.hold_on_drop),
            "hold_on_wagers": _exact(row.hold_on_wagers),
            "awaiting_count": list(row.account.awaiting),
            "missing": list(row.account.missing),
            "doubtful": row.account.doubtful,
            "facts": [{"stream": ref.stream, "seq": ref.seq} for ref in row.account.facts],
            "marked": [mark_data(mark) for mark in _marks(days, row)],
        }
        for row in days.rows
    ]


def _marks(days: TableDays, row: Shown) -> tuple[Mark, ...]:
    """The facts of a table's account that came late or that a person added."""
    return tuple(
        mark
        for ref, mark in days.audit.marks.items()
        if mark.event in COUNTED and table_of(ref.stream) == row.account.table
    )


def table_days_csv(days: TableDays) -> str:
    """The tables' days for a spreadsheet: dollars, an empty cell where nothing is known."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for row in days.rows:
        account = row.account
        cents = (
            *(account.opener_cents, account.fills_cents, account.credits_cents),
            *(account.closer_cents, account.drop_cents, account.coupons_cents),
            *(account.by_count_cents, account.by_rounds_cents, account.difference_cents),
            *(account.wagered_cents, row.theoretical_cents),
        )
        holds = (row.hold_on_drop, row.hold_on_wagers)
        writer.writerow(
            (
                days.audit.gaming_day.isoformat(),
                *map(cell_text, (account.table, account.game or "", account.level or "")),
                *("" if amount is None else _plain(amount) for amount in cents),
                *("" if part is None else percent(part).removesuffix("%") for part in holds),
                cell_text("; ".join(account.missing)),
            )
        )
    return out.getvalue()


def table_days_page(days: TableDays, clock: PropertyClock, name: str | None) -> RenderableType:
    """The tables' days as a page; it begins with the capture level of each table."""
    day = days.audit.gaming_day
    title = Text()
    title.append(name or "Property not named", style="bold")
    title.append(f", tables on gaming day {calendar_date(day)}", style="bold")
    parts: list[RenderableType] = [title, Text()]
    parts += [
        capture_table(days.audit.capture, day, clock),
        *not_covered(days.audit.capture),
        Text(),
    ]
    amended = [fact for fact in days.audit.amended if type(fact.before) in TAKEN]
    parts += amended_lines(amended)
    counting = [mark for row in days.rows for mark in _marks(days, row)]
    parts += marked_lines(counting, clock)
    if not days.rows:
        return Group(*parts, Text("No table was open and nothing was counted."))
    parts += [_counted(days), Text(), _won(days), Text(), *_remarks(days)]
    return Group(*parts)


def _counted(days: TableDays) -> RenderableType:
    page = plain_table()
    page.add_column("table", no_wrap=True)
    for head in ("opener", "fills", "credits", "closer", "cash drop", "coupons", "counted win"):
        page.add_column(head, justify="right")
    for row in days.rows:
        account = row.account
        waits = account.awaiting and account.drop_cents is None
        page.add_row(
            account.table,
            _money(account.opener_cents),
            _money(account.fills_cents),
            _money(account.credits_cents),
            _money(account.closer_cents),
            "awaiting count" if waits else _money(account.drop_cents),
            _money(account.coupons_cents),
            _money(account.by_count_cents),
        )
    return page


def _won(days: TableDays) -> RenderableType:
    page = plain_table()
    for head in ("table", "game"):
        page.add_column(head, no_wrap=True)
    heads = (
        "calculated win",
        "difference",
        "wagered",
        "theoretical",
        "hold on drop",
        "hold on wagers",
    )
    for head in heads:
        page.add_column(head, justify="right")
    for row in days.rows:
        account, apart = row.account, row.account.difference_cents
        page.add_row(
            account.table,
            account.game or "unknown",
            _money(account.by_rounds_cents),
            Text(_money(apart), style="bold red" if apart else ""),
            _money(account.wagered_cents),
            _money(row.theoretical_cents),
            _percent(row.hold_on_drop),
            _percent(row.hold_on_wagers),
        )
    return page


def _remarks(days: TableDays) -> Iterator[Text]:
    for row in days.rows:
        account = row.account
        if account.missing:
            missing = "; ".join(account.missing)
            yield Text(
                f"{account.table}: no counted win; not on record: {missing}.", style="yellow"
            )
        elif account.difference_cents:
            doubt = ", while facts of the table are missing" if account.doubtful else ""
            apart = dollars(abs(account.difference_cents))
            yield Text(
                f"{account.table}: counted and calculated win differ by {apart}{doubt}.",
                style="bold red",
            )
        if account.stakes and row.theoretical is None:
            why = "theoretical win unknown: a wager of its day has no exact house edge"
            yield Text(f"{account.table}: {why}.", style="yellow")
    yield Text(
        "- means unknown or not recorded. Coupons at face value, not in the drop. Hold on drop:"
        " counted win over drop. Hold on wagers: calculated win over wagers.",
        style="dim",
    )


def _money(cents: int | None) -> str:
    return "-" if cents is None else dollars(cents)


def _plain(cents: int) -> str:
    """Dollars as a spreadsheet reads them."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def _percent(part: Fraction | None) -> str:
    return "-" if part is None else percent(part)


def _exact(part: Fraction | None) -> str | None:
    return None if part is None else str(part)
