"""Rows of a sheet to values, key and framed facts; what is wrong, by row and column.

This is the readable way, and the authority. ``rows_fast`` stands on it and does the same for rows
that are good, since it reads a sheet of 500,000 wagers in a third of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from hashlib import blake2b
from itertools import count, islice
from typing import Any, Final, NamedTuple, Protocol

from ledger.codec import NotAFact, frame
from ledger.intake.cells import CellWrong, Dates, Serial, bare_serial
from ledger.intake.erasable import Committed
from ledger.intake.local_times import Moments
from ledger.intake.profile_columns import Profile
from ledger.intake.row_groups import Groups
from ledger.intake.sheet import Sheet, SheetRow
from ledger.intake.staging_database import ScopeNumbers, Waiting
from ledger.kernel import PropertyClock, visible
from ledger.kernel.quick_dataclass import dataclass

KEY_BYTES: Final = 15
"""Of the hash of a row's key; the key of a fact has one byte more, its place in the row."""
UNIT: Final = "\x1f"
NAMED: Final = 1_000
"""How many warnings and skipped rows are named; all are counted."""
PART_ROWS: Final = 400
"""How many rows of a group one fact takes."""


@dataclass(frozen=True, slots=True)
class RowFault:
    """Why a row is refused: its number, the heading of the column, a stable code, a reason."""

    row: int
    column: str
    code: str
    reason: str
    cell: str = ""

    def __str__(self) -> str:
        at = f", {self.column}" if self.column else ""
        shown_cell = f': "{visible(self.cell[:60])}"' if self.cell else ""
        return f"row {self.row}{at}: {self.reason}{shown_cell} [{self.code}]"


class Remark(NamedTuple):
    """What does not hold of a row: column, code and reason, and whether it keeps the row out."""

    column: str
    code: str
    reason: str
    is_refused: bool = True


Check = Callable[[Mapping[str, object]], Iterable[Remark]]
"""What should hold of a row's values: a remark for each thing that does not."""


FastRow = Callable[[int, Sequence[str]], list[Waiting]]
"""A row's number and cells to its facts; it raises for a row with anything wrong."""


class Skipped(NamedTuple):
    """A row that says nothing that happened: its number, why, and what it begins with."""

    row: int
    why: str
    begins: str


class Openings(Protocol):
    """Keeps names and addresses apart from facts."""

    def of(self, key: str, name: str, address: str) -> Committed:
        """What a fact may say of a patron who stands in a row with a key."""


@dataclass(slots=True)
class RowReader:
    """Reads the rows of one file.

    Args:
        profile: what a row is.
        clock: the property's.
        columns: where each column stands in the sheet.
        check: what else must hold of a row.
        lanes: numbers of streams and scopes.
        openings: where names are kept apart, if the profile has any.
        headings: of the sheet, to know a row that repeats them.
    """

    profile: Profile
    clock: PropertyClock
    columns: dict[str, int]
    check: Check | None = None
    lanes: ScopeNumbers = field(default_factory=ScopeNumbers)
    openings: Openings | None = None
    headings: tuple[str, ...] = ()
    skipped: list[Skipped] = field(default_factory=list)
    warnings: list[RowFault] = field(default_factory=list)
    rows_skipped: int = 0
    rows_warned: int = 0
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

    def read(
        self, sheet: Sheet, fast: FastRow | None = None
    ) -> Iterator[list[Waiting] | list[RowFault]]:
        """Each row: the facts it becomes, framed with seq 1, or all that is wrong with it.

        Args:
            sheet: the rows.
            fast: reads rows that are good; the others are read here.
        """
        try:
            yield from self._read(sheet, fast)
            yield from self._groups()
        finally:
            if self.waiting is not None:
                self.waiting.close()

    def _read(self, sheet: Sheet, fast: FastRow | None) -> Iterator[list[Waiting] | list[RowFault]]:
        words = self.profile.skips.words
        for row in sheet.rows:
            if words and row.fault is None and self._names_skipped_word(row):
                continue
            self.rows += 1
            if row.fault is not None:
                if not self._says_nothing(row):
                    yield [RowFault(row.number, "", *row.fault)]
                continue
            if fast is not None:
                try:
                    yield fast(row.number, row.cells)
                    continue
                except (CellWrong, NotAFact):
                    pass  # the readable way names all that is wrong with the row
            yield from self.read_row(row)

    def read_row(self, row: SheetRow) -> Iterator[list[Waiting] | list[RowFault]]:
        """What one row becomes; nothing yet if it waits for the others of its group."""
        values, faults = self.values(row)
        if faults:
            if not self._says_nothing(row):
                yield faults
            return
        for name in self.totals:
            self.totals[name] += counted(values[name])
        if self.profile.group:
            yield from self._gather(values, row.number)
        else:
            yield self._facts_of(values, self._name(values), row.number, 0)

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
                    reason = "this cell must be filled"
                    faults.append(RowFault(row.number, column.headings[0], "empty", reason))
                continue
            try:
                values[name] = (column.read or self.dates)(cell)
            except CellWrong as wrong:
                heading = column.headings[0]
                cell = "" if name in self._private_columns() else cell
                faults.append(RowFault(row.number, heading, wrong.code, wrong.reason, cell))
        if not faults:
            self._moments(values, row.number, faults)
        if not faults:
            self._commit(values, row.number)
        if not faults and self.check is not None:
            remarks = list(self.check(values))
            faults += [self._remarked(r, row.number, values) for r in remarks if r.is_refused]
            if not faults:
                self.warn(row.number, remarks, values)
        return values, faults

    def warn(self, number: int, remarks: Iterable[Remark], values: Mapping[str, object]) -> None:
        """Keep what is odd about a row that is taken all the same."""
        for remark in remarks:
            self.rows_warned += 1
            if len(self.warnings) < NAMED:
                self.warnings.append(self._remarked(remark, number, values))

    def _remarked(self, remark: Remark, number: int, values: Mapping[str, object]) -> RowFault:
        heading = self.profile.columns[remark.column].headings[0]
        cell = shown(values[remark.column])
        return RowFault(number, heading, remark.code, remark.reason, cell)

    def _private_columns(self) -> tuple[str, ...]:
        """The columns whose cells are shown to nobody."""
        personal = self.profile.personal
        return () if personal is None else (personal.name, personal.address)

    def _commit(self, values: dict[str, Any], number: int) -> None:
        """Put commitments in the place of a name and an address."""
        personal = self.profile.personal
        if personal is None:
            return
        assert self.openings is not None, "names are read only where they can be kept apart"
        name, address = values[personal.name], values[personal.address]
        values[personal.name] = values[personal.address] = None
        committed = self.openings.of(self._name(values), name, address)
        if committed.is_forgotten:
            reason = "this name was erased and is not taken again"
            self.warn(number, [Remark(personal.name, "name_forgotten", reason)], values)
        values |= {
            "opening": committed.opening,
            "name_commitment": committed.name_commitment,
            "address_commitment": committed.address_commitment,
        }

    def _names_skipped_word(self, row: SheetRow) -> bool:
        """Whether the profile skips every row that says such a word; then it is noted."""
        for name, words in self.profile.skips.words:
            at = self.columns.get(name)
            if at is not None and row.cells[at].strip().casefold() in words:
                self._skip(row, f"{self.profile.columns[name].headings[0]} says so")
                return True
        return False

    def _says_nothing(self, row: SheetRow) -> bool:
        """Whether a row that cannot be read says nothing: totals, headings again, a blank slip."""
        skips = self.profile.skips
        filled = [(at, cell.strip()) for at, cell in enumerate(row.cells) if cell.strip()]
        if not filled:
            return False
        at, first = filled[0][0], filled[0][1].casefold()
        keys = {self.columns[name] for name in self.profile.key if name in self.columns}
        begins = tuple(f"{word}{sign}" for word in skips.totals for sign in " :")
        is_total = first in skips.totals or first.startswith(begins)
        blank = [self.columns[name] for name in skips.blank if name in self.columns]
        places = {place for place, _ in filled}
        if is_total and not places & (keys - {at}):
            why = "a total"
        elif self.headings and tuple(cell.strip() for cell in row.cells) == self.headings:
            why = "the headings again"
        elif skips.blank and len(row.cells) >= len(self.headings) and not places & set(blank):
            why = "a blank slip"
        else:
            return False
        self.rows -= 1
        self._skip(row, why)
        return True

    def _skip(self, row: SheetRow, why: str) -> None:
        self.rows_skipped += 1
        if len(self.skipped) < NAMED:
            private = {self.columns.get(name) for name in self._private_columns()}
            cells = [cell.strip() for at, cell in enumerate(row.cells) if at not in private]
            self.skipped.append(Skipped(row.number, why, " · ".join(filter(None, cells))[:80]))

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
                wall_clock = f"{day} {clock}"
                faults.append(RowFault(number, heading, wrong.code, wrong.reason, wall_clock))

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
            reason = f"row {earlier} has the same"
            name = profile.key[-1]
            heading = profile.columns[name].headings[0]
            yield [RowFault(number, heading, "duplicate_key", reason, shown(values[name]))]

    def _groups(self) -> Iterator[list[Waiting] | list[RowFault]]:
        """The facts of whole groups, in parts that a fact can hold."""
        if self.waiting is None:
            return
        for group in self.waiting.groups():
            rows = self.waiting.rows(group)
            if not group.is_one:
                reason = "the rows of one group differ in this column"
                yield [RowFault(group.first, self._differing(rows), "group_differs", reason)]
                continue
            some = list(islice(rows, PART_ROWS))
            shared = {**some[0], "parts": -(-group.rows // PART_ROWS)}
            for part in count(1):
                if not some:
                    break
                values = {**shared, "rows": some, "part": part}
                yield self._facts_of(values, group.names, group.first, part)
                some = list(islice(rows, PART_ROWS))

    def _differing(self, rows: Iterator[dict[str, Any]]) -> str:
        """The heading of a column that one fact takes from the group and that is not one value."""
        first = next(rows)
        shared = self.profile.shared
        differ = {name for row in rows for name in shared if row[name] != first[name]}
        name = next(name for name in shared if name in differ)
        return self.profile.columns[name].headings[0]

    def _facts_of(
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
                return [RowFault(number, heading, "empty", "the time is missing")]
            at += row.plus_micros
            event: Any = row.event  # its fields are checked against the schema, by `frame`
            try:
                framed = frame(
                    event(
                        stream=stream, seq=1, event_time=at, source=profile.source,
                        recorded_by=None, **row.make(values),
                    )
                )  # fmt: skip
            except NotAFact as refusal:
                problem = f"{row.event.__name__}.{refusal.path}: {refusal.detail}"
                return [RowFault(number, "", refusal.reason.value, problem)]
            facts.append((key + bytes((place,)), number, at, lane, framed, name))
        if not facts:
            return [RowFault(number, "", "no_fact", "nothing in this row is an event")]
        return facts

    def lane(self, values: dict[str, Any]) -> int:
        """The number of the stream and the scope of a row."""
        profile = self.profile
        texts = {name: shown(values.get(name)) for name in profile.columns}
        scope = " · ".join(texts[name] for name in profile.scope)
        return self.lanes.number(profile.stream.format_map(texts), scope)


def key_hash(profile: str, name: str, part: int) -> bytes:
    """The hash of a row's key.

    Args:
        profile: the name of the profile.
        name: the key of the row in its file.
        part: the place of the fact among those of the row, from 0.
    """
    return blake2b(f"{profile}{UNIT}{name}{UNIT}{part}".encode(), digest_size=KEY_BYTES).digest()


def counted(cell: object) -> int:
    """What a cell adds to the control total of its column: a number itself, anything else one."""
    return cell if isinstance(cell, int) else cell is not None


def key_text(cell: object) -> str:
    """A value as part of a key: two ways of writing a serial number are one."""
    return bare_serial(cell) if isinstance(cell, Serial) else shown(cell)


def shown(cell: object) -> str:
    """A value as text."""
    if cell is None:
        return ""
    if isinstance(cell, tuple):
        return ";".join(map(shown, cell))
    return str(cell)
