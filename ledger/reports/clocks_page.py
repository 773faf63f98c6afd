"""The terminals' clocks as a page and as plain data."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ledger.audit import ClockLine
from ledger.codec import format_time
from ledger.kernel import PropertyClock, plural, seconds
from ledger.reports.phrases import listed, signed_seconds
from ledger.reports.table_style import plain_table


def clocks_data(lines: list[ClockLine], silent: Sequence[str] = ()) -> list[dict[str, object]]:
    """One object per terminal: spans in microseconds, times in UTC.

    Args:
        lines: the terminals.
        silent: streams of tables that no terminal is registered for; each is an object without a
            source.
    """
    lines = [*lines, *map(_unregistered, silent)]
    return [
        {
            "source": line.source or None,
            "streams": list(line.streams),
            "uncertainty_micros": line.claimed,
            "checks": line.checks,
            "offset_micros": line.offset,
            "drift_micros_per_day": line.drift_per_day,
            "last_check": _time(line.last.at if line.last else None),
            "fact": str(line.last.fact) if line.last else None,
            "off": line.is_off,
            "off_since": _time(line.off_since),
            "last_right": _time(line.good_at),
        }
        for line in lines
    ]


def _unregistered(stream: str) -> ClockLine:
    return ClockLine(
        source="", streams=(stream,), claimed=None, checks=0, offset=None, drift_per_day=None,
        last=None, off_since=None, good_at=None,
    )  # fmt: skip


def _time(at: int | None) -> str | None:
    return None if at is None else format_time(at)


def clocks_page(
    lines: list[ClockLine], clock: PropertyClock, silent: Sequence[str] = ()
) -> RenderableType:
    """The terminals for people, a line each: spans in seconds, times by the property's clocks."""
    page = plain_table()
    for head in ("terminal", "registered", "offset", "drift a day", "last check", "off since"):
        page.add_column(head, no_wrap=True)
    for line in lines:
        page.add_row(
            line.source,
            "-" if line.claimed is None else f"± {seconds(line.claimed)[1:]}",
            Text(_span(line.offset), style="bold red" if line.is_off else ""),
            _span(line.drift_per_day),
            _local(line.last.at if line.last else None, clock),
            _local(line.off_since, clock) if line.is_off else "",
        )
    off = sum(bool(line.is_off) for line in lines)
    unchecked = sum(line.last is None for line in lines)
    total = f"{plural(len(lines), 'terminal')}: {off} off by more than registered,"
    total += f" {unchecked} never checked."
    if silent:
        total += f" No terminal is registered for {listed(list(silent))}."
    return Group(page, Text(), Text(total, style="bold red" if off or silent else ""))


def _span(micros: int | None) -> str:
    return "-" if micros is None else signed_seconds(micros)


def _local(at: int | None, clock: PropertyClock) -> str:
    return "-" if at is None else f"{clock.local(at):%Y-%m-%d %H:%M:%S}"
