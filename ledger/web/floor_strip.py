"""Tables by time of a gaming day: where rounds were played, and where to look.

A half hour of a table is marked by the gravest of what it has; gaps of the record and lost cameras
are marked where they begin, and drawn as lines to where they end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import date, datetime
from typing import Any, Final
from urllib.parse import quote

from markupsafe import Markup, escape

from ledger.kernel import PropertyClock, plural, table_of, to_micros
from ledger.kernel.quick_dataclass import dataclass
from ledger.night import Readiness

STEP_MINUTES: Final = 30
_STEP: Final = STEP_MINUTES * 60 * 1_000_000
_WIDE, _HIGH, _LEFT, _TOP = 18, 20, 84, 22
_WORST: Final = ("critical", "high", "medium", "low", "info")
ROUNDS: Final = """
SELECT r.table_name, r.opened_at // ? AS step, count(*) AS rounds,
       count(*) FILTER (r.status = 'unknown') AS unknown, sum(r.findings) AS findings,
       (SELECT list(DISTINCT f.severity) FROM findings f
        WHERE f.table_name = r.table_name
          AND f.round_opened_at // ? = r.opened_at // ?) AS severities
FROM rounds r WHERE r.gaming_day = ? GROUP BY ALL ORDER BY 1, 2
"""
PARAMETERS: Final = (_STEP, _STEP, _STEP)
"""Those of ``ROUNDS`` before the day."""


@dataclass(slots=True)
class StripCell:
    """A half hour of a table."""

    table: str
    day: date
    begins: datetime
    rounds: int = 0
    unknown: int = 0
    findings: int = 0
    worst: str | None = None
    gaps: list[str] = field(default_factory=list)
    cameras: list[str] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """How it is drawn: the gravest of what it has."""
        if self.worst in _WORST[:2]:
            return "grave"
        if self.findings:
            return "finding"
        if self.unknown or self.gaps:
            return "unsure"
        return "played" if self.rounds else "quiet"

    @property
    def is_marked(self) -> bool:
        """Whether there is anything to look into."""
        return bool(self.findings or self.unknown or self.gaps or self.cameras)

    @property
    def words(self) -> str:
        """What there is, for people."""
        parts = [plural(self.rounds, "round")]
        if self.findings:
            parts.append(plural(self.findings, "finding"))
        if self.unknown:
            parts.append(f"{self.unknown} unknown")
        return f"{self.table} {self.begins:%H:%M}: " + "; ".join(
            [*parts, *self.gaps, *self.cameras]
        )

    @property
    def address(self) -> str:
        """The page of its rounds."""
        return f"/find/at/{quote(self.table, safe='')}/{self.day}/{self.begins:%H:%M}"

    def plain(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "table": self.table,
            "begins": self.begins.isoformat(),
            "rounds": self.rounds,
            "unknown": self.unknown,
            "findings": self.findings,
            "worst": self.worst,
            "gaps": self.gaps,
            "cameras": self.cameras,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class StripSpan:
    """How long facts of a table are missing, or one of its cameras was down.

    Attributes:
        table: the table.
        is_camera: whether it is a camera; else facts.
        since: in microseconds UTC.
        until: in microseconds UTC.
        words: what it is, for people.
    """

    table: str
    is_camera: bool
    since: int
    until: int
    words: str


def strip_spans(ready: Readiness, clock: PropertyClock, day: date) -> list[StripSpan]:
    """Return the gaps and outages of a gaming day, cut where the day begins and ends."""
    begins, ends = clock.bounds(day)
    return [
        StripSpan(
            table=table_of(line.about),
            is_camera=line.check == "camera",
            since=max(line.since, begins),
            until=min(ends if line.until is None else line.until, ends),
            words=line.sentence,
        )
        for line in ready.unknown
        if line.check in ("gap", "camera") and line.since is not None and line.since < ends
    ]


def strip_cells(
    rows: Iterable[Mapping[str, Any]], ready: Readiness, clock: PropertyClock, day: date
) -> list[StripCell]:
    """Return the half hours that have anything, by table and time.

    Args:
        rows: what ``ROUNDS`` gives.
        ready: whether the record of the day is complete.
        clock: the property's.
        day: the gaming day.
    """
    cells: dict[tuple[str, int], StripCell] = {}

    def cell(table: str, step: int) -> StripCell:
        own = cells.get((table, step))
        if own is None:
            own = cells[table, step] = StripCell(table, day, clock.local(step * _STEP))
        return own

    for row in rows:
        own = cell(row["table_name"], int(row["step"]))
        own.rounds, own.unknown = int(row["rounds"]), int(row["unknown"])
        own.findings = int(row["findings"] or 0)
        severities = row["severities"] or ()
        own.worst = next((each for each in _WORST if each in severities), None)
    begins, ends = clock.bounds(day)
    for line in ready.unknown:
        if line.since is None or line.check not in ("gap", "camera") or line.since >= ends:
            continue
        own = cell(table_of(line.about), max(line.since, begins) // _STEP)
        (own.gaps if line.check == "gap" else own.cameras).append(line.sentence)
    return [cells[key] for key in sorted(cells)]


def strip_svg(
    cells: Iterable[StripCell], clock: PropertyClock, day: date, spans: Iterable[StripSpan] = ()
) -> Markup:
    """Draw tables below each other, the hours of the gaming day from left to right."""
    every = list(cells)
    tables = sorted({cell.table for cell in every})
    begins, ends = clock.bounds(day)
    first, last = begins // _STEP, -(-ends // _STEP)
    wide, high = _LEFT + (last - first) * _WIDE + 8, _TOP + len(tables) * _HIGH + 4
    parts = []
    for step in range(first, last, 4):
        local = clock.local(step * _STEP)
        parts.append(f'<text x="{_LEFT + (step - first) * _WIDE}" y="14">{local:%H:%M}</text>')
    for number, table in enumerate(tables):
        top = _TOP + number * _HIGH
        parts.append(f'<text x="2" y="{top + 14}">{escape(table)}</text>')
    for cell in every:
        step = to_micros(cell.begins) // _STEP - first
        left, top = _LEFT + step * _WIDE, _TOP + tables.index(cell.table) * _HIGH
        drawn = (
            f'<rect class="cell {cell.kind}" x="{left}" y="{top}" width="{_WIDE - 2}"'
            f' height="{_HIGH - 3}"><title>{escape(cell.words)}</title></rect>'
        )
        if cell.gaps:
            drawn += f'<path class="gapmark" d="M{left + 5} {top + 3}l6 11m0-11l-6 11"/>'
        if cell.cameras:
            drawn += f'<circle class="cameramark" cx="{left + 8}" cy="{top + 8}" r="4"/>'
        if cell.is_marked:
            words = escape(cell.words)
            drawn = f'<a href="{escape(cell.address)}" aria-label="{words}">{drawn}</a>'
        parts.append(drawn)
    for span in spans:
        starts, stops = (
            _LEFT + (at - first * _STEP) * _WIDE / _STEP for at in (span.since, span.until)
        )
        top = _TOP + tables.index(span.table) * _HIGH + (_HIGH - 2 if span.is_camera else 1)
        kind = "cameraspan" if span.is_camera else "gapspan"
        drawn = f'<path class="{kind}" d="M{starts:.1f} {top}H{max(stops, starts + 2):.1f}">'
        parts.append(f"{drawn}<title>{escape(span.words)}</title></path>")
    return Markup(
        f'<svg class="strip" role="group" aria-label="Tables by time" width="{wide}"'
        f' height="{high}" viewBox="0 0 {wide} {high}">{"".join(parts)}</svg>'
    )
