"""The alerts of a night: those shown, those snoozed, those over a shift's budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ledger.casework import Action, Alert
from ledger.kernel import plural

ID_SHOWN: Final = 12
"""Digits of an alert's id that people see."""


def alert_title(alert: Alert) -> str:
    """The title of an alert: its detection, its table and its subject."""
    return ", ".join(filter(None, (alert.detection.replace("_", " "), alert.table, alert.subject)))


def title_of(signal: Action | Alert) -> str:
    """The title of an action or an alert."""
    return signal.title if isinstance(signal, Action) else alert_title(signal)


def alerts_counted(alerts: Sequence[Alert]) -> str:
    """How many alerts were raised, and how many of them are snoozed or over the budget."""
    raised = [alert for alert in alerts if alert.raised]
    snoozed = sum(alert.suppressed_until is not None for alert in raised)
    over = sum(bool(alert.not_shown) for alert in raised) - snoozed
    words = f"{plural(len(raised), 'alert')} in {plural(len(alerts), 'test')}"
    words += f", {snoozed:,} snoozed" if snoozed else ""
    return words + (f", {over:,} over the shift's budget of alerts" if over else "")


def alerts_page(alerts: Sequence[Alert], *, every: bool = False) -> RenderableType:
    """The alerts of a night, by name: nobody and nothing is ranked.

    Args:
        alerts: of one night, as they stand.
        every: those that were not raised, too.
    """
    return Group(*_lines(alerts, every=every), Text(f"Detections: {alerts_counted(alerts)}"))


def _lines(alerts: Sequence[Alert], *, every: bool) -> Iterator[RenderableType]:
    for alert in alerts:
        if alert.raised or every:
            head = Text(f"{alert.id[:ID_SHOWN]}  ", style="dim")
            head.append(alert_title(alert), style="not dim bold" if alert.raised else "not dim")
            yield head
            yield Padding(Text(alert.sentence), (0, 0, 0, 2 + ID_SHOWN))
            if alert.not_shown:
                reason = Text(f"Not shown first: {alert.not_shown}", style="cyan")
                yield Padding(reason, (0, 0, 0, 2 + ID_SHOWN))
