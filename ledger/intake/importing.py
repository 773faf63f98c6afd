"""Importing a file: preview what each row becomes, then commit all of it or nothing.

What a row became is remembered in the ledger under the row's key: the same file again adds nothing,
a corrected one gives amendments, and rows that are gone are withdrawn only when that is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from typing import Final

from ledger.codec import decode, stamped, to_plain
from ledger.codec.shapes import JsonValue
from ledger.events import RowsImported
from ledger.intake.commit_facts import Source, facts_to_append
from ledger.intake.erasable import ErasableStore, ListOpenings
from ledger.intake.fact_numbers import OFFICE, Act, StreamNumbers
from ledger.intake.import_errors import ClockUnknown, StoreNeeded
from ledger.intake.profile import load_profile, profile_names
from ledger.intake.profile_columns import Profile
from ledger.intake.property_description import described
from ledger.intake.rows import UNIT, Check, RowFault, RowReader, Skipped
from ledger.intake.rows_fast import compile_rows
from ledger.intake.sheet import Fits, open_sheet
from ledger.intake.staging_database import FactCounts, ImportedFact, Spool, Waiting
from ledger.intake.staging_process import spool_for
from ledger.kernel import PropertyClock
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep, Replay

FAULTS: Final = 1_000
"""How many refused cells and rows are named; all are counted."""
CHANGES: Final = 1_000
"""How many changed facts are shown with before and after; all are counted."""
REJECTED: Final = 100_000
"""How many refused rows are kept, to be written to a file of their own."""
EXAMPLES: Final = 2
"""How many rows a preview shows with the facts they become, if nobody says."""


@dataclass(frozen=True, slots=True)
class Change:
    """A row that says something else than before.

    ``after`` is empty where it is withdrawn, ``before`` where it was and is restored.
    """

    row: int
    key: str
    stream: str
    seq: int
    before: dict[str, JsonValue] | None
    after: dict[str, JsonValue] | None


@dataclass(frozen=True, slots=True)
class Example:
    """A row and the facts it becomes."""

    row: int
    facts: tuple[dict[str, JsonValue], ...]


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
    counts: FactCounts = field(default_factory=lambda: FactCounts(0, 0, 0, 0))
    totals: dict[str, int] = field(default_factory=dict)
    money: frozenset[str] = frozenset()
    unused: tuple[str, ...] = ()
    skipped: list[Skipped] = field(default_factory=list)
    rows_skipped: int = 0
    warnings: list[RowFault] = field(default_factory=list)
    rows_warned: int = 0
    clock: PropertyClock | None = None
    examples: list[Example] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    @property
    def can_commit(self) -> bool:
        """Whether every row is good."""
        return not self.refused


class Import:
    """One file against one ledger; a context, since it works on a temporary database.

    Args:
        profile: name or path.
        path: the file.
        replay: the ledger as it stands.
        by: credential of the person who imports.
        check: what else must hold of a row.
        processes: how many may share the work; what comes of it is the same for any number.
        examples: how many rows the preview shows with the facts they become; it keeps so many.
        sheet: which sheet of a workbook; None takes the profile's, or the only one.
        store: where names of patrons are kept apart; a profile that has any needs it.

    Raises:
        StoreNeeded: so.
    """

    def __init__(
        self, profile: str, path: Path, replay: Replay, by: str, check: Check | None = None,
        *, processes: int = 1, examples: int = EXAMPLES, sheet: str | None = None,
        store: ErasableStore | None = None,
    ) -> None:  # fmt: skip
        self.profile = load_profile(profile)
        self.path = path
        self.replay = replay
        self.by = by
        self.check = check
        self.examples = examples
        self.sheet = sheet if sheet is not None else self.profile.sheet
        self.openings = None if store is None else ListOpenings(store)
        if self.profile.personal is not None and store is None:
            raise StoreNeeded(self.profile.name)
        self.refused: dict[int, str] = {}
        self.clock = _clock(self.profile, replay)
        size = path.stat().st_size if path.is_file() else 0
        self.spool = spool_for(size, processes, replay.hash_key())
        self.seen = Preview(self.profile.name, path.name, b"", 0, clock=self.clock)

    def __enter__(self) -> Import:
        return self

    def __exit__(self, *_: object) -> None:
        self.spool.__exit__(None, None, None)
        if self.openings is not None:
            self.openings.store.close()

    # --- preview ------------------------------------------------------------------------------

    def preview(self) -> Preview:
        """Read the whole file and compare it with what the ledger remembers.

        Raises:
            LedgerError: the file is none, or not of this profile.
        """
        profile, seen = self.profile, self.seen
        with open_sheet(
            self.path, profile.headings, profile.needed, encoding=profile.encoding,
            separator=profile.separator, fits=_others(profile.name), sheet=self.sheet,
        ) as sheet:  # fmt: skip
            seen.sha256, seen.bytes = file_digest(self.path)
            seen.unused = sheet.unused
            reader = RowReader(
                profile, self.clock, sheet.columns, self.check, self.spool.lanes,
                openings=self.openings, headings=sheet.headings,
            )  # fmt: skip
            for read in reader.read(sheet, compile_rows(reader)):
                if isinstance(read[0], RowFault):
                    self._refuse(read)
                else:
                    self._take(read)
        self._settle()
        seen.rows, seen.totals = reader.rows, reader.totals
        seen.skipped, seen.rows_skipped = reader.skipped, reader.rows_skipped
        seen.warnings, seen.rows_warned = reader.warnings, reader.rows_warned
        seen.money = frozenset(n for n, c in profile.columns.items() if c.kind == "money")
        (seen.counts,) = self.spool.call(Spool.counts)
        for fact, known in self.spool.call(Spool.changed_facts, CHANGES):
            after = to_plain(decode(stamped(fact.framed, known.stream, known.seq, self.by)))
            seen.changes.append(self._change(fact.number, _key_shown(fact.name), known, after))
        for gone in self.spool.call(Spool.missing_facts, CHANGES - len(seen.changes)):
            seen.changes.append(self._change(0, "", gone, None))
        return seen

    def _take(self, facts: list[Waiting]) -> None:
        seen = self.seen
        seen.facts += len(facts)
        if len(seen.examples) < self.examples:
            plain = tuple(_without_seq(to_plain(decode(fact[4]))) for fact in facts)
            seen.examples.append(Example(facts[0][1], plain))
        self.spool.add(facts)

    def _settle(self) -> None:
        """Compare with what the ledger remembers; a key that two rows have is refused."""
        self.spool.settle(self._remembered())
        heading = ", ".join(self.profile.columns[name].headings[0] for name in self.profile.key)
        for number, earlier, name in self.spool.call(Spool.repeated_keys):
            reason = f"row {earlier} has the same"
            self._refuse([RowFault(number, heading, "duplicate_key", reason, _key_shown(name))])

    def _refuse(self, faults: list[RowFault]) -> None:
        self.seen.refused += 1
        if len(self.refused) < REJECTED:
            why = "; ".join(f"{fault.column}: {fault.reason}".lstrip(": ") for fault in faults)
            self.refused[faults[0].row] = why
        self.seen.faults.extend(faults[: FAULTS - len(self.seen.faults)])

    def _remembered(self) -> Iterator[RowsImported]:
        for step in self.replay.walk([f"{OFFICE}/{self.profile.name}"]):
            if isinstance(step, FactStep) and isinstance(step.fact, RowsImported):
                yield step.fact

    def _change(
        self, row: int, key: str, known: ImportedFact, after: dict[str, JsonValue] | None
    ) -> Change:
        was = None if known.is_withdrawn else self.replay.fact(known.stream, known.seq)
        before = None if was is None else to_plain(was)
        return Change(row, key, known.stream, known.seq, before, after)

    # --- commit -------------------------------------------------------------------------------

    @contextmanager
    def names_kept(self, is_written: Callable[[], bool]) -> Iterator[None]:
        """A context in which the facts are appended: the names that they commit to are kept first.

        Args:
            is_written: whether the facts are in the ledger after all, where appending them failed.
        """
        if self.openings is None:
            yield
            return
        with self.openings.kept(is_written):
            yield

    def concerned(self, act: Act) -> dict[str, str]:
        """Whom the facts concern that a commit corrects or withdraws, each with how."""
        persons: dict[str, str] = {}
        for fact, known in self.spool.call(Spool.changed_facts):
            after = decode(stamped(fact.framed, known.stream, known.seq, self.by))
            persons |= self.replay.concerned(known.stream, known.seq, after)
        for gone in self.spool.call(Spool.missing_facts) if act.withdraw else ():
            persons |= self.replay.concerned(gone.stream, gone.seq)
        return persons

    def facts(self, act: Act) -> Iterator[bytes]:
        """The framed facts of a commit, the ``FileImported`` last; ``preview`` comes before."""
        profile, seen = self.profile, self.seen
        source = Source(
            profile=profile.name,
            profile_sha256=bytes.fromhex(profile.sha256),
            source=profile.source,
            clock_uncertainty_micros=profile.clock_uncertainty_micros,
            file=seen.file,
            sha256=seen.sha256,
            bytes=seen.bytes,
            rows=seen.rows,
            same=seen.counts.same,
            totals=seen.totals,
        )
        return self.spool.call(facts_to_append, source, act, StreamNumbers(self.replay))


def _clock(profile: Profile, replay: Replay) -> PropertyClock:
    known = described(replay)
    if known is None:
        raise ClockUnknown
    zone = profile.time_zone or known.time_zone
    clock = PropertyClock(zone, known.gaming_day_starts_minutes)
    if not clock.is_known:
        raise ClockUnknown
    return clock


def _others(name: str) -> Iterable[Fits]:
    for other in profile_names():
        if other != name:
            profile = load_profile(other)
            needed = (profile.columns[one] for one in profile.needed)
            yield other, [{heading.casefold() for heading in one.headings} for one in needed]


def file_digest(path: Path) -> tuple[bytes, int]:
    """SHA-256 and size of a file."""
    digest = sha256()
    size = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            size += len(block)
    return digest.digest(), size


def _key_shown(name: str) -> str:
    return " · ".join(part for part in name.split(UNIT) if part)


def _without_seq(plain: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {name: value for name, value in plain.items() if name != "seq"}
