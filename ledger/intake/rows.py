"""Rows of a sheet to values, key and framed facts; what is wrong, by row and column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from ledger.codec import NotAFact, frame
from ledger.events import Fact
from ledger.intake.cells import CellWrong, Dates
from ledger.intake.moments import Moments
from ledger.intake.profile import Profile
from ledger.intake.sheet import Sheet, SheetRow
from ledger.kernel import PropertyClock

KEY_BYTES: Final = 16
HASH_BYTES: Final = 8
UNIT: Final = "\x1f"


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


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A good row: its key and hash, the stream it goes to, and its framed facts.

    The facts are framed with seq 1, to be numbered when it is known where they go.
    """

    number: int
    key_text: str
    key: bytes
    hash: bytes
    scope: str
    stream: str
    at: int
    framed: tuple[bytes, ...]


@dataclass(slots=True)
class RowReader:
    """Reads the rows of one file.

    Args:
        profile: what a row is.
        clock: the property's.
        by: credential of the person who imports.
    """

    profile: Profile
    clock: PropertyClock
    by: str
    totals: dict[str, int] = field(default_factory=dict)
    rows: int = 0

    def read(self, sheet: Sheet) -> Iterator[ReadRow | list[RowFault]]:
        """Each row: what it says, or all that is wrong with it."""
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
            made = self._made(values, row)
            yield made

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

    def _made(self, values: dict[str, Any], row: SheetRow) -> ReadRow | list[RowFault]:
        profile = self.profile
        shown = {name: _shown(values[name]) for name in profile.columns}
        stream = profile.stream.format_map(shown)
        framed: list[bytes] = []
        first = 0
        for fact_row in profile.facts:
            if fact_row.given is not None and values[fact_row.given] is None:
                continue
            at = values[fact_row.at]
            if at is None:
                heading = profile.columns[profile.moments[fact_row.at].time].headings[0]
                return [RowFault(row.number, heading, "empty", "when it happened is not said")]
            header = {
                "stream": stream, "seq": 1, "event_time": at + fact_row.plus_micros,
                "source": profile.source, "recorded_by": self.by,
            }  # fmt: skip
            try:
                fact: Fact = fact_row.make(values, header)
                framed.append(frame(fact))
            except NotAFact as refusal:
                name = f"{fact_row.event.__name__}.{refusal.path}"
                return [RowFault(row.number, "", refusal.reason.value, f"{name}: {refusal.detail}")]
            first = first or at + fact_row.plus_micros
        if not framed:
            return [RowFault(row.number, "", "no_fact", "the row says nothing that happened")]
        key_text = " · ".join(shown[name] for name in profile.key)
        said = UNIT.join((profile.name, *(shown[name] for name in profile.key)))
        return ReadRow(
            number=row.number,
            key_text=key_text,
            key=blake2b(said.encode(), digest_size=KEY_BYTES).digest(),
            hash=blake2b(b"".join(framed), digest_size=HASH_BYTES).digest(),
            scope=" · ".join(shown[name] for name in profile.scope),
            stream=stream,
            at=first,
            framed=tuple(framed),
        )


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ";".join(map(_shown, value))
    return str(value)
