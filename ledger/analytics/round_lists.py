"""Rounds for lists, out of the read model: no rule is loaded and no fact is read again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from ledger.analytics.observed_rounds import mark_of_data
from ledger.analytics.projection import ReadModel, prove_entries, read_model
from ledger.analytics.round_line import RoundLine
from ledger.audit.captured import Captured
from ledger.audit.errors import DayUnknown, TableUnknown
from ledger.audit.observed_round import ObservedRound
from ledger.kernel import FactRef, PropertyClock, parse_round_id
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay.fact_marks import Mark
from ledger.rounds.round_status import RoundStatus

if TYPE_CHECKING:
    from ledger.analytics.build import Progress

Only = Literal["findings", "unknown"]
WANTED: Final[Mapping[Only | None, str]] = {
    None: "true",
    "findings": "own_findings > 0",
    "unknown": "status = 'unknown'",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundList:
    """The rounds of some gaming days.

    Attributes:
        clock: the property's.
        captured: what each table claims to record, by day, then by table.
        lines: the rounds, table by table and day by day, in the order in which they opened.
        observed: the marks of the rounds of which somebody looked at a recording, by their ids.
        marked: the facts of these days that came late or that a person added, by table.
    """

    clock: PropertyClock
    captured: tuple[Captured, ...]
    lines: tuple[RoundLine, ...]
    observed: Mapping[str, ObservedRound]
    marked: Mapping[str, tuple[Mark, ...]]

    def marks(self, line: RoundLine) -> tuple[Mark, ...]:
        """Return the marked facts of a round; one without an end has those up to its day's end."""
        ends = line.closed_at
        if ends is None:
            ends = self.clock.bounds(line.gaming_day)[1] - 1
        return tuple(
            mark
            for mark in self.marked.get(line.table, ())
            if line.opened_at <= mark.event_time <= ends
        )


def list_rounds(
    folder: Path,
    *,
    day: date | None = None,
    table: str | None = None,
    only: Only | None = None,
    progress: Progress | None = None,
) -> RoundList:
    """List the rounds of a ledger.

    Args:
        folder: the ledger.
        day: only this gaming day; None: all.
        table: only this table, in any letter case; None: all.
        only: only rounds with findings, or only those whose outcome is unknown.
        progress: for a read model that has to be made, told of each gaming day.

    Raises:
        DayUnknown, TableUnknown: the ledger has no such day or table.
        CacheUnwritable: the read model must be made again and there is no place for it.
        IntegrityBroken: an entry is not what was signed.
    """
    with read_model(folder, progress=progress) as model:
        projection = model.projection
        days = [each.day for each in projection.days]
        if day is not None and day not in days:
            raise DayUnknown(
                f"The ledger has no fact of the gaming day {day}",
                next_step="`pitledger rounds` lists the days that have rounds",
            )
        wanted = days if day is None else [day]
        scope: list[object] = [wanted]
        where = "list_contains(?, gaming_day)"
        if table is not None:
            scope.append(_spelled(model, table))
            where += " AND table_name = ?"
        observed = {
            each["mark"]["round"]: each
            for of_day in projection.days
            if of_day.day in wanted
            for each in of_day.observed
        }
        captured = tuple(_captured(model, where, scope))
        kept = f"({WANTED[only]} OR list_contains(?, round))"
        lines = tuple(_lines(model, f"{where} AND {kept}", [*scope, [*observed]], observed))
        listed = RoundList(
            clock=PropertyClock(*projection.clock),
            captured=captured,
            lines=tuple(line for line in lines if _is_wanted(line, only)),
            observed={name: mark_of_data(each["mark"]) for name, each in observed.items()},
            marked=_marked(model, where, scope),
        )
        prove_entries(folder, projection, wanted)
    return listed


def _is_wanted(line: RoundLine, only: Only | None) -> bool:
    """Whether a line is asked for: a recording can change what the query went by."""
    if only == "findings":
        return line.findings > 0
    return only is None or line.status is RoundStatus.UNKNOWN


def _spelled(model: ReadModel, table: str) -> str:
    """A table as the ledger spells it."""
    known = [
        name
        for (name,) in model.execute(
            "SELECT DISTINCT table_name FROM table_captures ORDER BY 1"
        ).fetchall()
    ]
    if table in known:
        return table
    alike = [name for name in known if name.casefold() == table.casefold()]
    if len(alike) != 1:
        raise TableUnknown(table, known)
    return str(alike[0])


def _captured(model: ReadModel, where: str, scope: list[object]) -> Iterator[Captured]:
    rows = model.execute(
        "SELECT gaming_day, table_name, level FROM table_captures"
        f" WHERE {where} ORDER BY gaming_day, table_name",
        scope,
    )
    for gaming_day, name, level in rows.fetchall():
        yield Captured(gaming_day=gaming_day, table=name, level=level)


def _lines(
    model: ReadModel, where: str, scope: list[object], observed: Mapping[str, dict[str, Any]]
) -> Iterator[RoundLine]:
    """The rounds, as their verdicts have them."""
    rows = model.execute(
        "SELECT round, stream, table_name, game, gaming_day, opened_at, closed_at, status, shown,"
        " unknown_because, missing_since, wagers, stake_cents, own_findings FROM rounds"
        f" WHERE {where} ORDER BY table_name, gaming_day, opened_at, seq",
        scope,
    )
    names = RoundLine.__dataclass_fields__
    while batch := rows.fetchmany(8_192):
        for row in batch:
            line = RoundLine(**dict(zip(names, row, strict=True)))
            line = replace(line, status=RoundStatus(line.status), stake_cents=int(line.stake_cents))
            tape = observed.get(line.round, {}).get("line")
            if tape is not None:
                line = replace(line, **{**tape, "status": RoundStatus(tape["status"])})
            yield line


def _marked(model: ReadModel, where: str, scope: list[object]) -> dict[str, tuple[Mark, ...]]:
    """The marked facts of these days, by table."""
    rows = model.execute(
        "SELECT table_name, fact, event, event_at, arrived_at, terminal, recorded_by, closed_at,"
        f" added_by, approved_by FROM marks WHERE {where} ORDER BY stream, seq",
        scope,
    )
    names = Mark.__dataclass_fields__
    by_table: dict[str, dict[FactRef, Mark]] = {}
    for name, fact, *rest in rows.fetchall():
        mark = Mark(**dict(zip(names, (parse_round_id(fact), *rest), strict=True)))
        by_table.setdefault(name, {})[mark.ref] = mark
    return {name: tuple(marks.values()) for name, marks in by_table.items()}
