"""Which stream and number each imported fact gets, and how that is remembered in the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol, TypedDict, TypeVar

from ledger.codec import frame
from ledger.events import FactAmended, FactsAdded, RowsImported, SourceRegistered
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Replay

OFFICE: Final = "imports"
AMENDMENTS: Final = "amendments"
"""Streams of what people do at the desk; the source of each has the stream's name."""
REMEMBERED: Final = 1_000
"""How many facts one ``RowsImported`` remembers."""


OfTwoPersons = TypeVar("OfTwoPersons", FactAmended, FactsAdded)


class Prove(Protocol):
    """Proves who made a correction or an addition, and who approved it."""

    def __call__(self, fact: OfTwoPersons, /) -> OfTwoPersons:
        """Return it with the proof of both."""


def nobody_proves(fact: OfTwoPersons, /) -> OfTwoPersons:
    """Leave it without a proof: nobody is enrolled to prove anything."""
    return fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Who imports, when, and what is said about changes.

    Attributes:
        by: who imports; becomes ``recorded_by`` of the facts that tell of it.
        at: when, in microseconds UTC.
        reason: why facts change; an amendment needs one.
        approved_by: who approved; an amendment needs the approval of somebody else than ``by``.
        withdraw: whether facts are withdrawn whose rows are gone from the file.
        prove: proves who corrects or adds, and who approved it.
    """

    by: str
    at: int
    reason: str | None = None
    approved_by: str | None = None
    withdraw: bool = False
    prove: Prove = nobody_proves


class Head(TypedDict):
    """The fields with which a fact of the office begins; ``event_time`` is microseconds UTC."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str


class StreamNumbers:
    """The next number of each stream, and which stream a late row goes to.

    Within a stream the numbers are the order; a row that lies before the last one of its stream
    therefore goes to a stream beside it: ``SB-01/sheet``, ``SB-01/sheet~2``, ...
    """

    def __init__(self, replay: Replay) -> None:
        self.known = set(replay.streams())
        self.ends: dict[str, tuple[int, int]] = {}
        for stream in self.known:
            extent = replay.extent(stream)
            self.ends[stream] = (extent.last_seq, extent.last_time)

    def end(self, stream: str) -> tuple[int, int]:
        """Last number and last time (microseconds UTC) of a stream; (0, 0) if it has no fact."""
        return self.ends.get(stream, (0, 0))

    def head(self, stream: str, act: Act, source: str = OFFICE) -> Head:
        """Take the next number of a stream of the office; return the fields its fact begins with.

        Args:
            stream: the name of the stream.
            act: who acts, and when.
            source: which registered source the fact names.
        """
        return {
            "stream": stream, "seq": self.next(stream), "event_time": act.at,
            "source": source, "recorded_by": act.by,
        }  # fmt: skip

    def next(self, stream: str) -> int:
        """One more number of a stream of the office."""
        seq, at = self.end(stream)
        self.ends[stream] = (seq + 1, at)
        return seq + 1

    def place(self, base: str, at: int) -> tuple[str, int]:
        """Choose the stream and the number for a fact that happened at ``at``, microseconds UTC."""
        beside = 1
        while True:
            stream = base if beside == 1 else f"{base}~{beside}"
            seq, last = self.end(stream)
            if at >= last:
                self.ends[stream] = (seq + 1, at)
                return stream, seq + 1
            beside += 1

    def places(self, base: str, times: Sequence[int]) -> Iterator[tuple[str, range, slice]]:
        """Streams and numbers of facts of one stream: stream, numbers, and which of the facts.

        Args:
            base: the stream.
            times: when they happened, in order.
        """
        seq, last = self.end(base)
        if times[0] >= last:  # as nearly always; the others are later still
            self.ends[base] = (seq + len(times), times[-1])
            yield base, range(seq + 1, seq + len(times) + 1), slice(None)
            return
        for at, moment in enumerate(times):
            stream, seq = self.place(base, moment)
            yield stream, range(seq, seq + 1), slice(at, at + 1)


def registrations(
    sources: Iterable[tuple[str, str, int]], act: Act, numbers: StreamNumbers
) -> Iterator[SourceRegistered]:
    """Facts that let a source write each stream that has no fact yet.

    Args:
        sources: stream, source, and the uncertainty of its clock in microseconds.
        act: who imports, and when.
        numbers: of the ledger.
    """
    for stream, source, uncertainty in sorted(sources, key=lambda one: one[0].encode()):
        if stream in numbers.known:
            continue
        yield SourceRegistered(
            **numbers.head(OFFICE, act),
            registered_stream=stream,
            registered_source=source,
            since=0,
            clock_uncertainty_micros=uncertainty,
            order_tolerance_micros=uncertainty,
        )


class RememberedRows:
    """Remembers which row became which fact, a thousand to a fact."""

    def __init__(self, profile: str, digest: bytes, act: Act, numbers: StreamNumbers) -> None:
        self.profile = profile
        self.stream = f"{OFFICE}/{profile}"
        self.digest = digest
        self.act = act
        self.numbers = numbers
        self.where = ("", "")
        self.noted: list[tuple[bytes, bytes, int]] = []

    def note(self, key: bytes, where: tuple[str, str], seq: int, digest: bytes) -> bytes | None:
        """Note where a fact of the file stands; hands out a fact of those before, if it is due.

        Args:
            key: of the fact.
            where: its scope and stream.
            seq: its number.
            digest: what it says, hashed; nothing where it was withdrawn.
        """
        due = None
        if where != self.where or len(self.noted) >= REMEMBERED:
            due = self.rest()
            self.where = where
        self.noted.append((key, digest, seq))
        return due

    def note_run(
        self, keys: Sequence[bytes], where: tuple[str, str], seqs: range, hashes: Sequence[bytes]
    ) -> Iterator[bytes]:
        """``note`` for facts in a row.

        Args:
            keys: of the facts, in their order.
            where: their scope and stream.
            seqs: their sequence numbers.
            hashes: what each says, hashed; as many as ``keys``.
        """
        if where != self.where or len(self.noted) + len(keys) > REMEMBERED:
            due = self.rest()
            self.where = where
            if due is not None:
                yield due
        self.noted.extend(zip(keys, hashes, seqs, strict=True))

    def rest(self) -> bytes | None:
        """The fact of what was noted last."""
        if not self.noted:
            return None
        keys, hashes, seqs = zip(*self.noted, strict=True)
        self.noted = []
        return frame(
            RowsImported(
                **self.numbers.head(self.stream, self.act),
                profile=self.profile,
                file_sha256=self.digest,
                scope=self.where[0],
                rows_stream=self.where[1],
                keys=keys,
                hashes=hashes,
                seqs=seqs,
            )
        )
