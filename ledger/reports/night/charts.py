"""Charts of a night, each with the table of what it shows; the same data give the same bytes.

Specifications in Vega-Lite, drawn to SVG of a fixed size: no gradient, no clip and no legend, hence
no generated id. They are written as they are sent: making them from a library's objects took as
long as half of the drawing. A test holds each against Vega-Lite's schema.
Everything is told by length, place and shape, so that it survives a printer without colour.
The library that draws is loaded when a chart is drawn: most commands draw none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from markupsafe import Markup, escape

from ledger.audit import Shown
from ledger.kernel import MICROSECONDS, PropertyClock, dollars
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.fact_sentences import printable
from ledger.reports.night.report_data import HourCount, NightData, OutcomeCounts

FULL: Final = 640
SMALL: Final = 180
INK: Final = "#1d2733"
SOFT: Final = "#c3ccd6"
HOUR: Final = 3600 * MICROSECONDS
_INNER: Final = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"')
MOST_TABLES: Final = 60
"""So many tables are drawn; the table under a chart has them all."""
SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v6.4.1.json"
"""The language of the specifications; it is read from the library, never from there."""
STYLE: Final = {
    "view": {"continuousWidth": 300, "continuousHeight": 300, "stroke": None},
    "aria": False,
    "axis": {
        "domainColor": "#8a94a0",
        "gridColor": "#e4e8ec",
        "labelAngle": 0,
        "labelColor": INK,
        "labelFontSize": 10,
        "labelLimit": 140,
        "tickColor": "#8a94a0",
        "titleColor": INK,
        "titleFontSize": 10,
        "titleFontWeight": "normal",
    },
    "background": "transparent",
    "font": "Helvetica, Arial, sans-serif",
}
_TABLE: Final = {"field": "table", "sort": None, "title": None, "type": "nominal"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A drawing, what it says in a sentence, and its figures: the first column heads its row."""

    title: str
    says: str
    svg: Markup
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    small: bool = False


def charts(night: NightData) -> tuple[Chart, ...]:
    """The charts of a night; one that has nothing to show is left out."""
    drawn = [by_hour(night.hours, night.clock, night.span), by_table(night.tables)]
    return tuple(chart for chart in (*drawn, *map(outcomes, night.outcomes)) if chart is not None)


def by_hour(
    hours: Sequence[HourCount], clock: PropertyClock, span: tuple[int, int]
) -> Chart | None:
    """Findings by table and local hour; each hour of a day with a clock change once.

    Args:
        hours: how many findings each table had in each hour.
        clock: the property's, for local hours.
        span: the beginning and end of the gaming day, microseconds UTC. What lies outside is drawn
            as "before" and "after".

    Returns:
        None where there are no findings.
    """
    if not hours:
        return None
    counts: dict[tuple[str, int], int] = {}
    before, after = span[0] - HOUR, span[1]
    for hour in hours:
        begins = hour.begins - (hour.begins - span[0]) % HOUR
        begins = min(max(begins, before), after)
        counts[hour.table, begins] = counts.get((hour.table, begins), 0) + hour.count
    tables = sorted({table for table, _ in counts})
    starts = sorted({*range(span[0], span[1], HOUR), *(begins for _, begins in counts)})
    names = {begins: _hour(clock.local(begins)) for begins in starts}
    names |= {at: name for at, name in ((before, "before"), (after, "after")) if at in names}
    drawn = [
        {"table": _name(table), "hour": names[begins], "findings": count}
        for (table, begins), count in sorted(counts.items())
        if table in tables[:MOST_TABLES] and count
    ]
    height = 22 * min(len(tables), MOST_TABLES)
    layers = _circles_by_hour(drawn, list(names.values()), height)
    rows = [
        (
            printable(table),
            *(f"{counts.get((table, begins), 0):,}" for begins in starts),
            f"{sum(n for (name, _), n in counts.items() if name == table):,}",
        )
        for table in tables
    ]
    return Chart(
        title="Findings by hour and table",
        says="Findings by local hour of their first fact; a larger circle means more.",
        svg=drawing(layers, "Findings by hour and table, as in the table below"),
        heads=("table", *names.values(), "all"),
        rows=tuple(rows),
    )


def _circles_by_hour(
    drawn: Sequence[dict[str, Any]], hours: Sequence[str], height: int
) -> dict[str, Any]:
    """A circle for each table and hour, its count in it."""
    across = {
        "field": "hour",
        "scale": {"domain": list(hours)},
        "title": None,
        "type": "ordinal",
    }
    size = {
        "field": "findings",
        "legend": None,
        "scale": {"range": [90, 420], "zero": True},
        "type": "quantitative",
    }
    circles = {
        "mark": {"type": "circle", "color": SOFT, "opacity": 1},
        "encoding": {"size": size, "x": across, "y": _TABLE},
    }
    figures = {
        "mark": {"type": "text", "color": INK, "fontSize": 9},
        "encoding": {
            "text": {"field": "findings", "type": "quantitative"},
            "x": across,
            "y": _TABLE,
        },
    }
    return layered(drawn, [circles, figures], FULL, height)


def _hour(local: datetime) -> str:
    """The hour, with the zone where the clocks show it a second time."""
    return f"{local:%H}" if not local.fold else f"{local:%H} {local:%Z}"


def by_table(tables: Sequence[Shown]) -> Chart | None:
    """Counted win beside calculated win, in whole dollars on one scale."""
    known = [
        (one.account.table, one.account.by_count_cents, one.account.by_rounds_cents)
        for one in tables
        if one.account.by_count_cents is not None or one.account.by_rounds_cents is not None
    ]
    if not known:
        return None
    drawn = [
        {"table": _name(name), "by": by, "dollars": cents / 100}
        for name, *both in known[:MOST_TABLES]
        for by, cents in zip(("count", "rounds"), both, strict=True)
        if cents is not None
    ]
    shape = {
        "field": "by",
        "legend": None,
        "scale": {"domain": ["count", "rounds"], "range": ["square", "circle"]},
        "type": "nominal",
    }
    along = {
        "axis": {"format": "~s", "tickCount": 8},
        "field": "dollars",
        "title": "dollars",
        "type": "quantitative",
    }
    zero = {
        "mark": {"type": "rule", "color": SOFT},
        "encoding": {"x": {"field": "zero", "type": "quantitative"}},
        "transform": [{"calculate": "0", "as": "zero"}],
    }
    between = {
        "mark": {"type": "rule", "color": INK, "strokeWidth": 2},
        "encoding": {
            "x": {"aggregate": "min", "field": "dollars", "type": "quantitative"},
            "x2": {"aggregate": "max", "field": "dollars"},
            "y": _TABLE,
        },
    }
    counted_ends = {
        "mark": {"type": "point", "color": INK, "filled": False, "size": 90, "strokeWidth": 1.4},
        "encoding": {"shape": shape, "x": along, "y": _TABLE},
        "transform": [{"filter": "datum.by == 'count'"}],
    }
    played_ends = {
        "mark": {"type": "point", "color": INK, "filled": True, "opacity": 1, "size": 26},
        "encoding": {"shape": shape, "x": along, "y": _TABLE},
        "transform": [{"filter": "datum.by == 'rounds'"}],
    }
    parts: list[dict[str, Any]] = [zero, between, counted_ends, played_ends]
    layers = layered(drawn, parts, FULL, 22 * min(len(known), MOST_TABLES))
    rows = []
    for name, counted, played in known:
        apart = None if counted is None or played is None else counted - played
        rows.append((printable(name), *map(_dollars, (counted, played, apart))))
    return Chart(
        title="Counted win and calculated win",
        says="Square: counted win. Dot: calculated win. A line between them is a difference.",
        svg=drawing(layers, "Counted and calculated win per table, as in the table below"),
        heads=("table", "counted win", "calculated win", "difference"),
        rows=tuple(rows),
    )


def outcomes(counts: OutcomeCounts) -> Chart:
    """How often each outcome was seen, with a mark where it is expected."""
    volume = counts.volume
    drawn = [
        {"outcome": _name(name), "seen": seen, "expected": float(chance * volume), "place": place}
        for place, (name, seen, chance) in enumerate(counts.rows)
    ]
    across = {"field": "outcome", "sort": {"field": "place"}, "title": None, "type": "nominal"}
    seen_axis = {
        "axis": {"tickCount": 4},
        "field": "seen",
        "title": None,
        "type": "quantitative",
    }
    bars = {"mark": {"type": "bar", "color": SOFT}, "encoding": {"x": across, "y": seen_axis}}
    ticks = {
        "mark": {"type": "tick", "color": INK, "thickness": 2, "width": 18},
        "encoding": {"x": across, "y": {"field": "expected", "type": "quantitative"}},
    }
    layers = layered(drawn, [bars, ticks], SMALL, 90)
    rows = tuple(
        (printable(name), f"{seen:,}", f"{float(chance * volume):,.1f}")
        for name, seen, chance in counts.rows
    )
    left = f"; {counts.left_out:,} excluded" if counts.left_out else ""
    equipment = printable(counts.equipment)
    return Chart(
        title=equipment,
        says=f"{volume:,} {printable(counts.unit)}{left}. Bar: observed. Line: expected.",
        svg=drawing(layers, f"Outcomes of {equipment}, as in the table below"),
        heads=("outcome", "observed", "expected"),
        rows=rows,
        small=True,
    )


def _dollars(cents: int | None) -> str:
    return "–" if cents is None else dollars(cents)


def _name(text: str) -> str:
    """A name from outside as a label of a drawing."""
    label = printable(text)
    return label if len(label) <= 18 else f"{label[:17]}…"


def layered(
    values: Sequence[dict[str, Any]], layers: Sequence[dict[str, Any]], width: int, height: int
) -> dict[str, Any]:
    """A specification of layers over the same values, its size in pixels, in the reports' style."""
    return {
        "$schema": SCHEMA,
        "config": STYLE,
        "data": {"values": list(values)},
        "layer": list(layers),
        "height": height,
        "width": width,
    }


def drawing(specification: dict[str, Any], title: str) -> Markup:
    """A specification as an inline drawing with its name; nothing in it is generated at random.

    Raises:
        AssertionError: the drawing holds an id, which would differ from run to run.
    """
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(specification, allowed_base_urls=[])
    assert " id=" not in svg, "a drawing holds a generated id"
    head, _, rest = svg.partition(">")
    view = head.partition('viewBox="')[2].partition('"')[0]
    rest = _INNER.sub("", rest)  # the drawing is one picture; its figures stand in the table
    kind = f'<svg class="chart" role="img" viewBox="{view}"><title>{escape(title)}</title>'
    return Markup(kind + rest)
