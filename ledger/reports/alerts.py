"""The alerts of a night: what stands by itself, what was put off, what is over a shift's budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ledger.casework import Action, Alert

ID_SHOWN: Final = 12
"""Digits of an alert's id that people see."""


def alert_title(one: Alert) -> str:
    """An alert in a line: detection, table, what it is about."""
    return ", ".join(filter(None, (one.detection.replace("_", " "), one.table, one.subject)))


def title_of(one: Action | Alert) -> str:
    """What an action or an alert is about, in a line."""
    return one.title if isinstance(one, Action) else alert_title(one)


def alerts_counted(alerts: Sequence[Alert]) -> str:
    """How many were raised and what became of them; what is put off is counted, too."""
    raised = [one for one in alerts if one.raised]
    put_off = sum(one.suppressed_until is not None for one in raised)
    over = sum(bool(one.held) for one in raised) - put_off
    said = f"{len(raised):,} raised"
    said += f", {put_off:,} of them put off" if put_off else ""
    said += f", {over:,} over the budget of their shift" if over else ""
    return f"{said}, of {len(alerts):,} looked at"


def alerts_page(alerts: Sequence[Alert], *, every: bool = False) -> RenderableType:
    """The alerts of a night, by name: nobody and nothing is ranked.

    Args:
        alerts: of one night, as they stand.
        every: those that were not raised, too.
    """
    return Group(*_lines(alerts, every=every), Text(f"Detections: {alerts_counted(alerts)}"))


def _lines(alerts: Sequence[Alert], *, every: bool) -> Iterator[RenderableType]:
    for one in alerts:
        if one.raised or every:
            head = Text(f"{one.id[:ID_SHOWN]}  ", style="dim")
            head.append(alert_title(one), style="not dim bold" if one.raised else "not dim")
            yield head
            yield Padding(Text(one.sentence), (0, 0, 0, 2 + ID_SHOWN))
            if one.held:
                yield Padding(Text(f"held back: {one.held}", style="cyan"), (0, 0, 0, 2 + ID_SHOWN))
