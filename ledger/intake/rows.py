"""Rows of a sheet to values, key and framed facts; what is wrong, by row and column.

This is the readable way, and the authority: ``rows_fast`` does the same for rows that are good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count, islice
from typing import Any, Final

from ledger.codec import NotAFact, frame
from ledger.intake.cells import CellWrong, Dates, Serial, bare_serial
from ledger.intake.groups import Groups
from ledger.intake.moments import Moments
from ledger.intake.profile import Profile
from ledger.intake.sheet import Sheet, SheetRow
from ledger.intake.spool import Lanes, Waiting
from ledger.kernel import PropertyClock

KEY_BYTES: Final = 15
"""Of the hash of a row's key; the key of a fact has one byte more, its place in the row."""
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


Check = Callable[[Mapping[str, Any]], Iterable[tuple[str, str, str]]]
"""What must hold of a row's values: column, code and reason of each thing that does not."""


@dataclass(slots=True)
class RowReader:
    """Reads the rows of one file.

    Args:
        profile: what a row is.
        clock: the property's.
        columns: where each column stands in the sheet.
        check: what else must hold of a row.
        lanes: numbers of streams and scopes.
    """

    profile: Profile
    clock: PropertyClock
    columns: dict[str, int]
    check: Check | None = None
    lanes: Lanes = field(default_factory=Lanes)
    totals: dict[str, int] = field(init=False)
    rows: int = 0
    dates: Dates = field(init=False)
    moments: Moments = field(init=False)
    waiting: Groups | None = None

    def __post_init__(self) -> None:
        profile = self.profile
        self.totals = {name: 0 for name, column in profile.columns.items() if column.total}
        dated = [column for column in profile.columns.values() if column.kind == "date"]
        self.dates = Dates(tuple(dict.fromkeys(form for one in dated for form in one.formats)))
        self.moments = Moments(self.clock)

    def read(self, sheet: Sheet) -> Iterator[list[Waiting] | list[RowFault]]:
        """Each row: the facts it becomes, framed with seq 1, or all that is wrong with it."""
        try:
            yield from self._read(sheet)
            yield from self._groups()
        finally:
            if self.waiting is not None:
                self.waiting.close()

    def _read(self, sheet: Sheet) -> Iterator[list[Waiting] | list[RowFault]]:
        from ledger.intake.rows_fast import compile_rows

        profile = self.profile
        fast = None if profile.group else compile_rows(self)
        for row in sheet.rows:
            self.rows += 1
            if row.fault is not None:
                yield [RowFault(row.number, "", *row.fault)]
                continue
            if fast is not None:
                try:
                    yield fast(row.number, row.cells)
                    continue
                except (CellWrong, NotAFact):
                    pass  # the readable way names all that is wrong with the row
            yield from self.one(row)

    def one(self, row: SheetRow) -> Iterator[list[Waiting] | list[RowFault]]:
        """What one row becomes; nothing yet if it waits for the others of its group."""
        values, faults = self.values(row)
        if faults:
            yield faults
            return
        for name in self.totals:
            self.totals[name] += counted(values[name])
        if self.profile.group:
            yield from self._gather(values, row.number)
        else:
            yield self._made(values, self._name(values), row.number, 0)

    def values(self, row: SheetRow) -> tuple[dict[str, Any], list[RowFault]]:
        """The values of a row by column and moment, and what is wrong with it."""
        values: dict[str, Any] = {}
        faults: list[RowFault] = []
        for name, column in self.profile.columns.items():
            at = self.columns.get(name)
            cell = row.cells[at].strip() if at is not None else ""
            values[name] = None
            if not cell:
                if column.required:
                    said = "this cell must be filled"
                    faults.append(RowFault(row.number, column.headings[0], "empty", said))
                continue
            try:
                values[name] = (column.read or self.dates)(cell)
            except CellWrong as wrong:
                heading = column.headings[0]
                faults.append(RowFault(row.number, heading, wrong.code, wrong.reason, cell))
        if not faults:
            self._moments(values, row.number, faults)
        if not faults and self.check is not None:
            for name, code, reason in self.check(values):
                heading = self.profile.columns[name].headings[0]
                faults.append(RowFault(row.number, heading, code, reason, shown(values[name])))
        return values, faults

    def _moments(self, values: dict[str, Any], number: int, faults: list[RowFault]) -> None:
        for name, moment in self.profile.moments.items():
            day, clock = values[moment.date], values[moment.time]
            values[name] = None
            if day is None or clock is None:
                continue
            offset = values[moment.offset] if moment.offset else None
            try:
                values[name] = self.moments.at(day, clock, offset, gaming_day=moment.gaming_day)
            except CellWrong as wrong:
                heading = self.profile.columns[moment.time].headings[0]
                said = f"{day} {clock}"
                faults.append(RowFault(number, heading, wrong.code, wrong.reason, said))

    def _name(self, values: dict[str, Any]) -> str:
        return UNIT.join(key_text(values[name]) for name in self.profile.key)

    def _gather(self, values: dict[str, Any], number: int) -> Iterator[list[RowFault]]:
        """Keep a row until all rows of its group are known."""
        profile = self.profile
        if self.waiting is None:
            self.waiting = Groups()
        names = UNIT.join(key_text(values[name]) for name in profile.group)
        shared = tuple(values[name] for name in profile.shared)
        earlier = self.waiting.add(names, self._name(values), number, shared, values)
        if earlier is not None:
            said = f"row {earlier} has the same"
            name = profile.key[-1]
            heading = profile.columns[name].headings[0]
            yield [RowFault(number, heading, "duplicate_key", said, shown(values[name]))]

    def _groups(self) -> Iterator[list[Waiting] | list[RowFault]]:
        """The facts of whole groups, in parts that a fact can hold."""
        if self.waiting is None:
            return
        for group in self.waiting.groups():
            rows = self.waiting.rows(group)
            if not group.is_one:
                said = "rows of one group differ in this column"
                yield [RowFault(group.first, self._differing(rows), "group_differs", said)]
                continue
            some = list(islice(rows, PART_ROWS))
            told = {**some[0], "parts": -(-group.rows // PART_ROWS)}
            for part in count(1):
                if not some:
                    break
                values = {**told, "rows": some, "part": part}
                yield self._made(values, group.names, group.first, part)
                some = list(islice(rows, PART_ROWS))

    def _differing(self, rows: Iterator[dict[str, Any]]) -> str:
        """The heading of a column that one fact takes from the group and that is not one value."""
        first = next(rows)
        shared = self.profile.shared
        differ = {name for row in rows for name in shared if row[name] != first[name]}
        name = next(name for name in shared if name in differ)
        return self.profile.columns[name].headings[0]

    def _made(
        self, values: dict[str, Any], name: str, number: int, part: int
    ) -> list[Waiting] | list[RowFault]:
        """The facts of a row, or of one part of a group of rows."""
        profile = self.profile
        lane = self.lane(values)
        stream = self.lanes.stream(lane)
        key = key_hash(profile.name, name, part)
        facts: list[Waiting] = []
        for place, row in enumerate(profile.facts):
            if not row.holds(values):
                continue
            at = values[row.at]
            if at is None:
                heading = profile.columns[profile.moments[row.at].time].headings[0]
                return [RowFault(number, heading, "empty", "when it happened is not said")]
            at += row.plus_micros
            try:
                framed = frame(
                    row.event(
                        stream=stream, seq=1, event_time=at, source=profile.source,
                        recorded_by=None, **row.make(values),
                    )
                )  # fmt: skip
            except NotAFact as refusal:
                said = f"{row.event.__name__}.{refusal.path}: {refusal.detail}"
                return [RowFault(number, "", refusal.reason.value, said)]
            facts.append((key + bytes((place,)), number, at, lane, framed, name))
        if not facts:
            return [RowFault(number, "", "no_fact", "the row says nothing that happened")]
        return facts

    def lane(self, values: dict[str, Any]) -> int:
        """The number of the stream and the scope of a row."""
        profile = self.profile
        said = {name: shown(values.get(name)) for name in profile.columns}
        scope = " · ".join(said[name] for name in profile.scope)
        return self.lanes.number(profile.stream.format_map(said), scope)


def key_hash(profile: str, name: str, part: int) -> bytes:
    """The hash of a row's key."""
    return blake2b(f"{profile}{UNIT}{name}{UNIT}{part}".encode(), digest_size=KEY_BYTES).digest()


def counted(value: Any) -> int:
    """What a cell adds to the control total of its column: a number itself, anything else one."""
    return value if isinstance(value, int) else value is not None


def key_text(value: Any) -> str:
    """A value as part of a key: two ways of writing a serial number are one."""
    return bare_serial(value) if isinstance(value, Serial) else shown(value)


def shown(value: Any) -> str:
    """A value as text."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ";".join(map(shown, value))
    return str(value)
