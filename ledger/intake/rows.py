"""Rows of a sheet to values, key and framed facts; what is wrong, by row and column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from ledger.codec import NotAFact, frame
from ledger.intake.cells import CellWrong, Dates, Serial, bare_serial
from ledger.intake.moments import Moments
from ledger.intake.profile import Profile
from ledger.intake.sheet import Sheet, SheetRow
from ledger.intake.spool import Waiting
from ledger.kernel import PropertyClock

KEY_BYTES: Final = 16
HASH_BYTES: Final = 8
UNIT: Final = "\x1f"
PART_ROWS: Final = 400
"""How many rows of a group one fact takes."""


@dataclass(frozen=True, slots=True)
class RowFault:
    """Why a row is refused: its number, the heading of the column, a stable code, a reason."""

    row: int
    column: str
    code: str
    reason: str
    value: str = ""

    def __str__(self) -> str:
        at = f", {self.column}" if self.column else ""
        said = f" ({self.value[:60]!r})" if self.value else ""
        return f"row {self.row}{at}: {self.code}: {self.reason}{said}"


@dataclass(slots=True)
class RowReader:
    """Reads the rows of one file.

    Args:
        profile: what a row is.
        clock: the property's.
    """

    profile: Profile
    clock: PropertyClock
    totals: dict[str, int] = field(default_factory=dict)
    rows: int = 0
    groups: dict[tuple[str, ...], dict[tuple[str, ...], tuple[int, dict[str, Any]]]] = field(
        default_factory=dict
    )

    def read(self, sheet: Sheet) -> Iterator[list[Waiting] | list[RowFault]]:
        """Each row: the facts it becomes, framed with seq 1, or all that is wrong with it."""
        profile = self.profile
        dates = Dates(tuple(dict.fromkeys(
            form for column in profile.columns.values() if column.kind == "date"
            for form in column.formats
        )))  # fmt: skip
        readers = [
            (name, column, sheet.columns.get(name), column.read or dates)
            for name, column in profile.columns.items()
        ]
        counted = [name for name, column in profile.columns.items() if column.total]
        self.totals = dict.fromkeys(counted, 0)
        moments = Moments(self.clock)
        for row in sheet.rows:
            self.rows += 1
            if row.fault is not None:
                yield [RowFault(row.number, "", *row.fault)]
                continue
            values: dict[str, Any] = {}
            faults: list[RowFault] = []
            for name, column, at, read in readers:
                cell = row.cells[at] if at is not None else ""
                if not cell:
                    values[name] = None
                    if column.required:
                        said = "this cell must be filled"
                        faults.append(RowFault(row.number, column.headings[0], "empty", said))
                    continue
                try:
                    values[name] = read(cell)
                except CellWrong as wrong:
                    heading = column.headings[0]
                    faults.append(RowFault(row.number, heading, wrong.code, wrong.reason, cell))
            if not faults:
                self._moments(values, moments, row, faults)
            if faults:
                yield faults
                continue
            for name in counted:
                value = values[name]
                self.totals[name] += value if isinstance(value, int) else value is not None
            if profile.group:
                yield from self._gather(values, row)
            else:
                yield self._made(values, values, row.number, 0)
        yield from self._groups()

    def _moments(
        self, values: dict[str, Any], moments: Moments, row: SheetRow, faults: list[RowFault]
    ) -> None:
        for name, moment in self.profile.moments.items():
            day, clock = values[moment.date], values[moment.time]
            if day is None or clock is None:
                values[name] = None
                continue
            offset = values[moment.offset] if moment.offset else None
            try:
                values[name] = moments.at(day, clock, offset, gaming_day=moment.gaming_day)
            except CellWrong as wrong:
                heading = self.profile.columns[moment.time].headings[0]
                said = f"{day} {clock}"
                faults.append(RowFault(row.number, heading, wrong.code, wrong.reason, said))

    def _gather(self, values: dict[str, Any], row: SheetRow) -> Iterator[list[RowFault]]:
        """Keep a row until all rows of its group are known."""
        profile = self.profile
        group = self.groups.setdefault(tuple(_key(values[name]) for name in profile.group), {})
        key = tuple(_key(values[name]) for name in profile.key)
        if key in group:
            said = f"row {group[key][0]} has the same"
            heading = profile.columns[profile.key[-1]].headings[0]
            value = _shown(values[profile.key[-1]])
            yield [RowFault(row.number, heading, "duplicate_key", said, value)]
            return
        group[key] = (row.number, values)

    def _groups(self) -> Iterator[list[Waiting] | list[RowFault]]:
        """The facts of whole groups, in parts that a fact can hold."""
        for group in self.groups.values():
            rows = [values for _, values in group.values()]
            number = next(iter(group.values()))[0]
            differs = self._differing(rows)
            if differs:
                said = "rows of one group differ in this column"
                yield [RowFault(number, differs, "group_differs", said)]
                continue
            parts = range(0, len(rows), PART_ROWS)
            for part, first in enumerate(parts, 1):
                values = {**rows[0], "rows": rows[first : first + PART_ROWS]}
                values |= {"part": part, "parts": len(parts)}
                key = {**rows[0], **dict.fromkeys(set(self.profile.key) - set(self.profile.group))}
                yield self._made(values, key, number, part)

    def _differing(self, rows: list[dict[str, Any]]) -> str | None:
        """The heading of a column that one fact takes from the group and that is not one value."""
        for name in self.profile.shared:
            if any(row[name] != rows[0][name] for row in rows):
                return self.profile.columns[name].headings[0]
        return None

    def _made(
        self, values: dict[str, Any], keyed: dict[str, Any], number: int, part: int
    ) -> list[Waiting] | list[RowFault]:
        """The facts of a row, or of one part of a group of rows."""
        profile = self.profile
        shown = {name: _shown(values[name]) for name in profile.columns}
        stream = profile.stream.format_map(shown)
        key_text = " · ".join(_shown(keyed[name]) for name in profile.key if keyed[name])
        key = UNIT.join((profile.name, *(_key(keyed[name]) for name in profile.key), str(part)))
        scope = " · ".join(shown[name] for name in profile.scope)
        facts: list[Waiting] = []
        for place, fact_row in enumerate(profile.facts):
            if not fact_row.holds(values):
                continue
            at = values[fact_row.at]
            if at is None:
                heading = profile.columns[profile.moments[fact_row.at].time].headings[0]
                return [RowFault(number, heading, "empty", "when it happened is not said")]
            at += fact_row.plus_micros
            header = {
                "stream": stream, "seq": 1, "event_time": at, "source": profile.source,
                "recorded_by": None,
            }  # fmt: skip
            try:
                framed = frame(fact_row.make(values, header))
            except NotAFact as refusal:
                name = f"{fact_row.event.__name__}.{refusal.path}"
                return [RowFault(number, "", refusal.reason.value, f"{name}: {refusal.detail}")]
            own = blake2b(f"{key}{UNIT}{place}".encode(), digest_size=KEY_BYTES).digest()
            digest = blake2b(framed, digest_size=HASH_BYTES).digest()
            facts.append(Waiting(own, number, key_text, digest, scope, stream, at, place, framed))
        if not facts:
            return [RowFault(number, "", "no_fact", "the row says nothing that happened")]
        return facts


def _key(value: Any) -> str:
    """A value as part of a key: two ways of writing a serial number are one."""
    return bare_serial(value) if isinstance(value, Serial) else _shown(value)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ";".join(map(_shown, value))
    return str(value)
