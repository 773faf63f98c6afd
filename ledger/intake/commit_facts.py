"""The framed facts of a commit: amendments, new facts, what is remembered, the file itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.codec import RUN_TIMES, frame, stamped, stamped_run
from ledger.events import ColumnTotal, FactAmended, FileImported
from ledger.intake.fact_numbers import (
    AMENDMENTS,
    OFFICE,
    Act,
    RememberedRows,
    StreamNumbers,
    registrations,
)
from ledger.intake.staging_database import ImportedFact, NewFacts, Spool
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What a commit says of its file and profile; ``same`` facts were known before."""

    profile: str
    profile_sha256: bytes
    source: str
    clock_uncertainty_micros: int
    file: str
    sha256: bytes
    bytes: int
    rows: int
    same: int
    totals: dict[str, int]


def facts_to_append(
    spool: Spool, source: Source, act: Act, numbers: StreamNumbers
) -> Iterator[bytes]:
    """The facts in the order in which they are to be appended.

    Args:
        spool: settled, and without a fault.
        source: the file.
        act: who imports, and when.
        numbers: of all streams that it may write.
    """
    return _Writer(spool, source, act, numbers).facts()


class _Writer:
    """One commit."""

    def __init__(self, spool: Spool, source: Source, act: Act, numbers: StreamNumbers) -> None:
        self.spool = spool
        self.source = source
        self.act = act
        self.numbers = numbers

    def facts(self) -> Iterator[bytes]:
        """All of them."""
        spool, source, act, numbers = self.spool, self.source, self.act, self.numbers
        memory = RememberedRows(source.profile, source.sha256, act, numbers)
        streams: set[str] = set()
        added = withdrawn = changed = 0
        for fact, known in spool.changed_facts():
            changed += 1
            framed = stamped(fact.framed, known.stream, known.seq, act.by)
            yield frame(self._amendment(known, framed))
            due = memory.note(known.key, (known.scope, known.stream), known.seq, fact.hash)
            if due is not None:
                yield due
        for gone in spool.missing_facts() if act.withdraw else ():
            withdrawn += 1
            yield frame(self._amendment(gone, None))
            due = memory.note(gone.key, (gone.scope, gone.stream), gone.seq, b"")
            if due is not None:
                yield due
        for news in spool.new_facts():
            added += len(news.keys)
            for stream, seqs, part in numbers.places(news.stream, news.times):
                streams.add(stream)
                yield from self._stamped(news, part, stream, seqs)
                where = (news.scope, stream)
                yield from memory.note_run(news.keys[part], where, seqs, news.hashes[part])
        due = memory.rest()
        if due is not None:
            yield due
        if added or changed or withdrawn:
            uncertainty = source.clock_uncertainty_micros
            sources = [(stream, source.source, uncertainty) for stream in streams]
            desk = {OFFICE, memory.stream} | ({AMENDMENTS} if changed or withdrawn else set())
            sources += [(stream, stream.partition("/")[0], 0) for stream in desk]
            yield from map(frame, registrations(sources, act, numbers))
            yield frame(self._imported(added, changed, withdrawn))

    def _stamped(self, news: NewFacts, part: slice, stream: str, seqs: range) -> Iterable[bytes]:
        """A run of new facts with their numbers."""
        by = self.act.by
        facts = zip(news.framed[part], seqs, strict=True)
        times = news.times[part]
        if times[0] in RUN_TIMES and times[-1] in RUN_TIMES:  # they are in order
            return stamped_run(facts, (news.stream, self.source.source), stream, by)
        return (stamped(framed, stream, seq, by) for framed, seq in facts)

    def _amendment(self, known: ImportedFact, replacement: bytes | None) -> FactAmended:
        act = self.act
        amended = FactAmended(
            **self.numbers.head(AMENDMENTS, act, AMENDMENTS),
            amended_stream=known.stream,
            amended_seq=known.seq,
            replacement=replacement,
            reason=act.reason or "",
            amended_by=act.by,
            approved_by=act.approved_by,
            approved_time=act.at if act.approved_by else None,
            file_sha256=self.source.sha256,
            proof=None,
            approval_proof=None,
        )
        return act.prove(amended)

    def _imported(self, added: int, changed: int, withdrawn: int) -> FileImported:
        source, act = self.source, self.act
        return FileImported(
            **self.numbers.head(OFFICE, act),
            profile=source.profile,
            profile_sha256=source.profile_sha256,
            file_name=source.file,
            file_sha256=source.sha256,
            file_bytes=source.bytes,
            rows=source.rows,
            new_facts=added,
            changed_facts=changed,
            withdrawn_facts=withdrawn,
            same_facts=source.same,
            totals=tuple(
                ColumnTotal(column=name, total=total) for name, total in source.totals.items()
            ),
            imported_by=act.by,
            reason=act.reason,
        )
