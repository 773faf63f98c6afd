"""Importing a file: preview what each row becomes, then commit all of it or nothing.

What a row became is remembered in the ledger under the row's key: the same file again adds nothing,
a corrected one gives amendments, and rows that are gone are withdrawn only when that is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from ledger.codec import decode, frame, renumbered, to_plain
from ledger.events import (
    ColumnTotal,
    Fact,
    FactAmended,
    FileImported,
    PropertyDescribed,
    RowsImported,
    SourceRegistered,
)
from ledger.intake.profile import Profile, load_profile, profile_names
from ledger.intake.refusals import ClockUnknown
from ledger.intake.rows import ReadRow, RowFault, RowReader
from ledger.intake.sheet import open_sheet
from ledger.intake.spool import Counts, Known, Spool, Waiting
from ledger.kernel import PropertyClock, table_of
from ledger.replay import FactStep, Replay

FAULTS: Final = 1_000
"""How many refused cells and rows are named; all are counted."""
CHANGES: Final = 1_000
"""How many changed rows are shown with before and after; all are counted."""
EXAMPLES: Final = 3
"""How many rows a preview shows with the facts they become."""
OFFICE: Final = "imports"
AMENDMENTS: Final = "amendments"
REMEMBERED: Final = 1_000
"""How many rows one fact remembers."""


@dataclass(frozen=True, slots=True)
class Change:
    """A row that says something else than before; ``after`` is empty where it is withdrawn."""

    row: int
    key: str
    stream: str
    seq: int
    before: dict[str, Any]
    after: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Example:
    """A row and the facts it becomes."""

    row: int
    facts: tuple[dict[str, Any], ...]


@dataclass(slots=True)
class Preview:
    """What a file would do to a ledger."""

    profile: str
    file: str
    sha256: bytes
    bytes: int
    rows: int = 0
    facts: int = 0
    refused: int = 0
    faults: list[RowFault] = field(default_factory=list)
    counts: Counts = field(default_factory=lambda: Counts(0, 0, 0, 0))
    totals: dict[str, int] = field(default_factory=dict)
    money: frozenset[str] = frozenset()
    unused: tuple[str, ...] = ()
    examples: list[Example] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    @property
    def can_commit(self) -> bool:
        """Whether every row is good."""
        return not self.refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Who imports, when, and what is said about changes.

    ``withdraw`` lets rows that are gone be withdrawn. Amendments need a reason and someone else's
    approval.
    """

    by: str
    at: int
    reason: str | None = None
    approved_by: str | None = None
    withdraw: bool = False


class Import:
    """One file against one ledger; a context, since it works on a temporary database.

    Args:
        profile: name or path.
        path: the file.
        replay: the ledger as it stands.
        by: credential of the person who imports.
    """

    def __init__(self, profile: str, path: Path, replay: Replay, by: str) -> None:
        self.profile = load_profile(profile)
        self.path = path
        self.replay = replay
        self.by = by
        self.clock = _clock(self.profile, replay)
        self.spool = Spool()
        self.seen = Preview(self.profile.name, path.name, b"", 0)

    def __enter__(self) -> Import:
        return self

    def __exit__(self, *_: object) -> None:
        self.spool.__exit__(None, None, None)

    # --- preview ------------------------------------------------------------------------------

    def preview(self) -> Preview:
        """Read the whole file and compare it with what the ledger remembers.

        Raises:
            LedgerError: the file is none, or not of this profile.
        """
        profile, seen = self.profile, self.seen
        reader = RowReader(profile, self.clock, self.by)
        with open_sheet(
            self.path, profile.headings, profile.needed, encoding=profile.encoding,
            separator=profile.separator, fits=_others(profile.name),
        ) as sheet:  # fmt: skip
            seen.sha256, seen.bytes = _digest(self.path)
            seen.unused = sheet.unused
            for read in reader.read(sheet):
                if isinstance(read, ReadRow):
                    self._take(read)
                else:
                    self._refuse(read)
        self._flush()
        seen.rows, seen.totals = reader.rows, reader.totals
        seen.money = frozenset(n for n, c in profile.columns.items() if c.kind == "money")
        self.spool.remember(self._remembered())
        seen.counts = self.spool.counts()
        for row, known in self.spool.changed():
            if len(seen.changes) >= CHANGES:
                break
            seen.changes.extend(self._difference(row, known))
        for gone in self.spool.gone():
            if len(seen.changes) >= CHANGES:
                break
            seen.changes.extend(self._withdrawal(gone))
        return seen

    def _take(self, row: ReadRow) -> None:
        seen = self.seen
        seen.facts += len(row.framed)
        if len(seen.examples) < EXAMPLES:
            facts = tuple(_without_seq(to_plain(decode(one))) for one in row.framed)
            seen.examples.append(Example(row.number, facts))
        self.spool.add(row)
        if self.spool.is_full:
            self._flush()

    def _flush(self) -> None:
        heading = " and ".join(self.profile.columns[name].headings[0] for name in self.profile.key)
        for number, earlier, key in self.spool.flush():
            said = f"row {earlier} has the same {heading}"
            self._refuse([RowFault(number, heading, "duplicate_key", said, key)])

    def _refuse(self, faults: list[RowFault]) -> None:
        self.seen.refused += 1
        self.seen.faults.extend(faults[: FAULTS - len(self.seen.faults)])

    def _remembered(self) -> Iterator[RowsImported]:
        for step in self.replay.walk([f"{OFFICE}/{self.profile.name}"]):
            if isinstance(step, FactStep) and isinstance(step.fact, RowsImported):
                yield step.fact

    def _difference(self, row: Waiting, known: Known) -> Iterator[Change]:
        before = self._facts_at(known)
        stays = row.stream == _base(known.stream) and len(row.framed) == known.facts
        for number in range(max(known.facts, len(row.framed)) if stays else known.facts):
            was = before[number]
            if not stays:
                yield Change(row.number, row.name, known.stream, known.seq + number, was, None)
                continue
            framed = renumbered(row.framed[number], known.stream, known.seq + number)
            now = to_plain(decode(framed))
            if now != was:
                yield Change(row.number, row.name, known.stream, known.seq + number, was, now)

    def _withdrawal(self, known: Known) -> Iterator[Change]:
        for number, was in enumerate(self._facts_at(known)):
            yield Change(0, "", known.stream, known.seq + number, was, None)

    def _facts_at(self, known: Known) -> list[dict[str, Any]]:
        found = (self.replay.fact(known.stream, known.seq + n) for n in range(known.facts))
        return [{} if fact is None else to_plain(fact) for fact in found]

    # --- commit -------------------------------------------------------------------------------

    def facts(self, act: Act) -> Iterator[bytes]:
        """The framed facts of a commit, the ``FileImported`` last; ``preview`` comes before."""
        numbers = _Numbers(self.replay)
        registered: set[str] = set()
        office: list[Fact] = []
        added = withdrawn = changed = 0
        memory = _Memory(self.profile, self.seen.sha256, act, numbers)
        for row, known in self.spool.changed():
            changed += 1
            changes = list(self._difference(row, known))
            for one in changes:
                framed = None
                if one.after is not None:
                    number = one.seq - known.seq
                    framed = renumbered(row.framed[number], one.stream, one.seq)
                yield frame(self._amendment(act, numbers, one.stream, one.seq, framed))
            if changes and changes[0].after is None:
                stream, seq = numbers.place(row.stream, row.at, len(row.framed))
                for number, one_framed in enumerate(row.framed):
                    yield renumbered(one_framed, stream, seq + number)
                yield from memory.note(row.scope, stream, row.key, row.hash, seq, len(row.framed))
                registered.add(stream)
            else:
                yield from memory.note(
                    row.scope, known.stream, row.key, row.hash, known.seq, known.facts
                )
        for gone in self.spool.gone() if act.withdraw else ():
            withdrawn += 1
            for number in range(gone.facts):
                amendment = self._amendment(act, numbers, gone.stream, gone.seq + number, None)
                yield frame(amendment)
            yield from memory.note(gone.scope, gone.stream, gone.key, b"", gone.seq, 0)
        for row in self.spool.new():
            stream, seq = numbers.place(row.stream, row.at, len(row.framed))
            for number, one_framed in enumerate(row.framed):
                yield renumbered(one_framed, stream, seq + number)
            added += len(row.framed)
            registered.add(stream)
            yield from memory.note(row.scope, stream, row.key, row.hash, seq, len(row.framed))
        yield from memory.rest()
        office.extend(self._registrations(registered, act, numbers))
        if added or changed or withdrawn:
            office.append(self._imported(act, numbers, added, changed, withdrawn))
        yield from map(frame, office)

    def _amendment(
        self, act: Act, numbers: _Numbers, stream: str, seq: int, replacement: bytes | None
    ) -> FactAmended:
        return FactAmended(
            stream=AMENDMENTS,
            seq=numbers.next(AMENDMENTS),
            event_time=act.at,
            source=self.profile.source,
            recorded_by=act.by,
            amended_stream=stream,
            amended_seq=seq,
            replacement=replacement,
            reason=act.reason or "",
            amended_by=act.by,
            approved_by=act.approved_by,
            approved_time=act.at if act.approved_by else None,
            file_sha256=self.seen.sha256,
        )

    def _registrations(
        self, streams: set[str], act: Act, numbers: _Numbers
    ) -> Iterator[SourceRegistered]:
        """The sheet may write the streams that it writes for the first time."""
        for stream in sorted(streams, key=str.encode):
            if stream in self.replay.streams():
                continue
            yield SourceRegistered(
                stream=OFFICE,
                seq=numbers.next(OFFICE),
                event_time=act.at,
                source=self.profile.source,
                recorded_by=act.by,
                registered_stream=stream,
                registered_source=self.profile.source,
                since=0,
                clock_uncertainty_micros=self.profile.clock_uncertainty_micros,
                order_tolerance_micros=self.profile.clock_uncertainty_micros,
            )

    def _imported(
        self, act: Act, numbers: _Numbers, added: int, changed: int, withdrawn: int
    ) -> FileImported:
        seen = self.seen
        return FileImported(
            stream=OFFICE,
            seq=numbers.next(OFFICE),
            event_time=act.at,
            source=self.profile.source,
            recorded_by=act.by,
            profile=self.profile.name,
            profile_sha256=bytes.fromhex(self.profile.sha256),
            file_name=seen.file,
            file_sha256=seen.sha256,
            file_bytes=seen.bytes,
            rows=seen.rows,
            new_rows=seen.counts.new,
            changed_rows=changed,
            withdrawn_rows=withdrawn,
            same_rows=seen.counts.same,
            facts=added,
            totals=tuple(
                ColumnTotal(column=name, total=total) for name, total in seen.totals.items()
            ),
            imported_by=act.by,
            reason=act.reason,
        )


class _Numbers:
    """The next number of each stream, and which stream a late row goes to.

    Within a stream the numbers are the order; a row that lies before the last one of its stream
    therefore goes to a stream beside it: ``SB-01/sheet``, ``SB-01/sheet~2``, ...
    """

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.known = set(replay.streams())
        self.ends: dict[str, tuple[int, int]] = {}

    def end(self, stream: str) -> tuple[int, int]:
        """Last number and last time of a stream; (0, 0) if it has no fact."""
        if stream not in self.ends:
            extent = self.replay.extent(stream) if stream in self.known else None
            last = (extent.last_seq, extent.last_time) if extent else (0, 0)
            self.ends[stream] = last
        return self.ends[stream]

    def next(self, stream: str) -> int:
        """One more number of a stream of the office."""
        seq, at = self.end(stream)
        self.ends[stream] = (seq + 1, at)
        return seq + 1

    def place(self, base: str, at: int, facts: int) -> tuple[str, int]:
        """Stream and first number for a row that happened at ``at``."""
        beside = 1
        while True:
            stream = base if beside == 1 else f"{base}~{beside}"
            seq, last = self.end(stream)
            if at >= last:
                self.ends[stream] = (seq + facts, at)
                return stream, seq + 1
            beside += 1


class _Memory:
    """Remembers which row became which facts, a thousand rows to a fact."""

    def __init__(self, profile: Profile, digest: bytes, act: Act, numbers: _Numbers) -> None:
        self.profile = profile
        self.digest = digest
        self.act = act
        self.numbers = numbers
        self.where = ("", "")
        self.rows: list[tuple[bytes, bytes, int, int]] = []

    def note(
        self, scope: str, stream: str, key: bytes, row_hash: bytes, seq: int, count: int
    ) -> Iterator[bytes]:
        """Note a row; hands out a fact when one is full."""
        if (scope, stream) != self.where or len(self.rows) >= REMEMBERED:
            yield from self.rest()
            self.where = (scope, stream)
        self.rows.append((key, row_hash, seq, count))

    def rest(self) -> Iterator[bytes]:
        """The fact of what was noted last."""
        if not self.rows:
            return
        keys, hashes, seqs, counts = zip(*self.rows, strict=True)
        self.rows = []
        stream = f"{OFFICE}/{self.profile.name}"
        yield frame(
            RowsImported(
                stream=stream,
                seq=self.numbers.next(stream),
                event_time=self.act.at,
                source=self.profile.source,
                recorded_by=self.act.by,
                profile=self.profile.name,
                file_sha256=self.digest,
                scope=self.where[0],
                rows_stream=self.where[1],
                keys=keys,
                hashes=hashes,
                first_seqs=seqs,
                counts=counts,
            )
        )


def _base(stream: str) -> str:
    return stream.rpartition("~")[0] or stream


def _clock(profile: Profile, replay: Replay) -> PropertyClock:
    described: PropertyDescribed | None = None
    offices = [one for streams in replay.offices().values() for one in streams]
    for step in replay.walk(one for one in offices if table_of(one) not in (OFFICE, AMENDMENTS)):
        if isinstance(step, FactStep) and isinstance(step.fact, PropertyDescribed):
            described = step.fact
    if described is None:
        raise ClockUnknown
    zone = profile.time_zone or described.time_zone
    clock = PropertyClock(zone, described.gaming_day_starts_minutes)
    if not clock.is_known:
        raise ClockUnknown
    return clock


def _others(name: str) -> Iterable[tuple[str, set[str]]]:
    for other in profile_names():
        if other != name:
            profile = load_profile(other)
            yield other, {profile.columns[one].headings[0].casefold() for one in profile.needed}


def _digest(path: Path) -> tuple[bytes, int]:
    digest = sha256()
    size = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            size += len(block)
    return digest.digest(), size


def _without_seq(plain: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in plain.items() if name != "seq"}
