"""Rounds, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ledger.codec import format_time
from ledger.kernel import PropertyClock, dollars
from ledger.rounds import RoundResult, RoundStatus

WIDE: Final = 100
STYLES: Final = {
    RoundStatus.SETTLED: "green",
    RoundStatus.VOID: "cyan",
    RoundStatus.UNKNOWN: "magenta",
}


def round_row(result: RoundResult) -> dict[str, Any]:
    """One round of a list as plain data."""
    return {
        "round": result.round,
        "gaming_day": result.gaming_day.isoformat(),
        "stream": result.stream,
        "game": result.game,
        "opened_at": format_time(result.opened_at),
        "wagers": len(result.wagers),
        "findings": len(result.findings),
        "status": result.status.value,
    }


def wanted_round(result: RoundResult, only: str | None) -> bool:
    """Whether a list shows a round: all, those with findings, or those that are unknown."""
    match only:
        case "findings":
            return bool(result.findings)
        case "unknown":
            return result.status is RoundStatus.UNKNOWN
        case _:
            return True


def rounds_page(results: Sequence[RoundResult], clock: PropertyClock, width: int) -> RenderableType:
    """A list of rounds for people."""
    if not results:
        return Text("No such round.")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), show_edge=False, pad_edge=False)
    table.add_column("round", no_wrap=True)
    table.add_column("day", no_wrap=True)
    table.add_column("time", no_wrap=True)
    if width >= WIDE:
        table.add_column("game", no_wrap=True)
    table.add_column("outcome", no_wrap=True, overflow="ellipsis", max_width=width // 3)
    table.add_column("wagers", justify="right", no_wrap=True)
    table.add_column("staked", justify="right", no_wrap=True)
    table.add_column("findings", justify="right", no_wrap=True)
    table.add_column("status", no_wrap=True)
    for result in results:
        local = clock.local(result.opened_at)
        cells = [result.round, result.gaming_day.isoformat(), f"{local:%H:%M:%S}"]
        if width >= WIDE:
            cells.append(result.game)
        staked = sum(wager.stake_cents for wager in result.wagers)
        table.add_row(
            *cells,
            result.shown or result.unknown_because or "",
            str(len(result.wagers)),
            dollars(staked) if result.wagers else "",
            Text(str(len(result.findings)), style="red") if result.findings else "",
            Text(result.status.value, style=STYLES[result.status]),
        )
    unknown = sum(result.status is RoundStatus.UNKNOWN for result in results)
    findings = sum(len(result.findings) for result in results)
    count = len(results)
    plural = "round" if count == 1 else "rounds"
    foot = f"{count:,} {plural}, {unknown:,} unknown, {findings:,} findings"
    return Group(table, Text(), Text(f"{foot}; `pitledger round show ROUND` explains one."))
