"""What the installation says of itself: its settings, and the checks of ``pitledger doctor``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final, TypedDict

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ledger.kernel import plural
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.table_style import folding_table


class Health(StrEnum):
    """How a check of the doctor went."""

    OK = "ok"
    NOTE = "note"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check of the doctor; ``next_step`` helps where it did not go well."""

    name: str
    health: Health
    says: str
    next_step: str | None = None


_STYLES: Final = {
    Health.OK: "green",
    Health.NOTE: "cyan",
    Health.WARN: "yellow",
    Health.FAIL: "bold red",
}


SettingRow = TypedDict(
    "SettingRow",
    {
        "setting": str,
        "value": str | int | float | None,
        "from": str,
        "variable": str,
        "is": str | None,
    },
)
"""A setting: its name, its value, where that came from, its environment variable, its meaning."""


def settings_page(rows: Sequence[SettingRow]) -> RenderableType:
    """Each setting, its value, and the source of the value."""
    table = folding_table("setting", "value", "from", "meaning")
    for row in rows:
        setting = "not set" if row["value"] in (None, "") else str(row["value"])
        source = row["from"] if row["from"] != "default" else f"default ({row['variable']})"
        style = "dim" if row["from"] == "default" else ""
        table.add_row(row["setting"], Text(setting, style=style), source, row["is"])
    return table


def doctor_data(checks: Iterable[Check]) -> list[dict[str, object]]:
    """The doctor's checks as plain data."""
    return [
        {
            "check": check.name,
            "health": check.health.value,
            "says": check.says,
            "next": check.next_step,
        }
        for check in checks
    ]


def doctor_page(checks: Sequence[Check]) -> RenderableType:
    """The doctor's checks for people."""
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    for check in checks:
        result = Text(check.says)
        if check.next_step:
            result.append(f"\nnext: {check.next_step}", style="dim")
        table.add_row(Text(check.health.value, style=_STYLES[check.health]), check.name, result)
    bad = sum(check.health is Health.FAIL for check in checks)
    verdict = "Ready." if not bad else f"{plural(bad, 'check')} failed."
    return Group(table, Text(f"\n{verdict}", style="bold red" if bad else "bold green"))
