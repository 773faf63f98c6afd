"""Which facts bear on a gaming day: its input, stream by stream.

Of each stream these are the facts whose merge time lies in the day, those after it of a round that
the day opened, and later ones that name the day (a count, a cancellation, the closing). All facts
before the day are one hash per stream, the carried-in state. What persons make of a result
(signatures, casework) is no input to it; an amendment is one through the fact that it changes.
Law: the Ledger contract.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from hashlib import sha256
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ledger.audit import Day, numbered_here
from ledger.events import EVENTS
from ledger.kernel import FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep, Replay

AMENDMENTS: Final = "amendments"
"""The stream of amendments: each bears on a day through the fact that it changes."""
SIGNED: Final = frozenset({"CouponFormSigned", "ReportSigned"})
NAMING: Final = frozenset(
    name
    for name, kind in EVENTS.items()
    if {"for_gaming_day", "gaming_day"} & {one.name for one in fields(kind)}
).difference(SIGNED)
"""The facts that say which gaming day they are of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The facts of a stream that bear on the day.

    Attributes:
        stream: the name of the stream.
        seqs: runs of sequence numbers, both ends included.
        amended: the sequence numbers among them whose facts were amended or withdrawn.
        leaves: SHA-256, in hexadecimal, over the RFC 6962 leaf hashes of the entries that count, in
            order of the sequence numbers.
    """

    stream: str
    seqs: tuple[tuple[int, int], ...]
    amended: tuple[int, ...]
    leaves: str

    @property
    def facts(self) -> int:
        """How many facts there are, withdrawn ones too."""
        return sum(last - first + 1 for first, last in self.seqs)

    def plain(self) -> dict[str, object]:
        """Return it as plain data, as the manifest holds it."""
        return {
            "stream": self.stream,
            "first_seq": self.seqs[0][0],
            "last_seq": self.seqs[-1][1],
            "facts": self.facts,
            "seqs": [list(run) for run in self.seqs],
            "amended": list(self.amended),
            "leaves": self.leaves,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class DayInput:
    """The input of a day: its stretches, what was carried in, and what no fact could be made of."""

    streams: tuple[Stretch, ...]
    carried: tuple[tuple[str, int, str], ...]
    """Stream, last number before the day, ``Replay.prefix_hash`` up to it in hexadecimal."""
    quarantined: tuple[str, ...]
    """SHA-256 of bytes that may be of the day and are no fact, or contradict one."""

    def plain(self) -> dict[str, object]:
        """Return it as plain data, as the manifest holds it."""
        return {
            "streams": [one.plain() for one in self.streams],
            "carried": [
                {"stream": stream, "last_seq": last, "prefix": digest}
                for stream, last, digest in self.carried
            ],
            "quarantined": list(self.quarantined),
        }


def is_input(stream: str) -> bool:
    """Whether the facts of a stream can change the result of a day.

    Amendments do so only through the facts that they change, casework and signatures not at all.
    """
    return stream != AMENDMENTS and not numbered_here(stream)


def named_fact(replay: Replay, ref: FactRef) -> dict[str, str]:
    """Return a fact as manifests list those that came late.

    Returns:
        ``fact``: stream and sequence number (``table/C-01:12``); ``event``: the name of its event,
        or ``withdrawn``.
    """
    fact = replay.fact(ref.stream, ref.seq)
    return {"fact": str(ref), "event": "withdrawn" if fact is None else type(fact).__name__}


def read_day_input(replay: Replay, day: Day, after: Iterable[FactRef], awaiting: bool) -> DayInput:
    """Return the facts that bear on a day, and what was carried into it.

    Args:
        replay: the replay of the ledger.
        day: the gaming day with its bounds.
        after: facts after its end that belong to rounds which the day opened.
        awaiting: whether a drop box awaits its count. The next day's closing then is an input too,
            since it makes the day final without the count.
    """
    further: dict[str, set[int]] = {}
    for ref in (*after, *_naming(replay, day, awaiting)):
        further.setdefault(ref.stream, set()).add(ref.seq)
    taken, carried = [], []
    for stream in filter(is_input, replay.streams()):
        before = replay.last_seq_before(stream, day.begins)
        last = replay.last_seq_before(stream, day.ends)
        if before:
            carried.append((stream, before, replay.prefix_hash(stream, before).hex()))
        places = _places(replay, stream, before, last, further.get(stream, set()))
        if len(places.seqs):
            taken.append(places)
    stretches = tuple(_stretches(replay, taken))
    return DayInput(
        streams=stretches,
        carried=tuple(carried),
        quarantined=tuple(sorted(_quarantined(replay, day, stretches))),
    )


class _Places(NamedTuple):
    """Facts of a stream that are an input: their numbers, and where they were recorded."""

    stream: str
    seqs: NDArray[np.int64]
    positions: NDArray[np.int64]


def _places(replay: Replay, stream: str, before: int, last: int, further: set[int]) -> _Places:
    seqs, positions = replay.places(stream, before, last)
    beyond = sorted(seq for seq in further if seq > last)
    if beyond:
        more = [replay.places(stream, seq - 1, seq) for seq in beyond]
        seqs = np.concatenate([seqs, *(one for one, _ in more)])
        positions = np.concatenate([positions, *(one for _, one in more)])
    return _Places(stream, seqs, positions)


def _stretches(replay: Replay, taken: Sequence[_Places]) -> Iterator[Stretch]:
    """Yield these facts as stretches; each bundle, with facts of many streams, is read once."""
    if not taken:
        return
    leaves = replay.leaf_hashes(np.concatenate([places.positions for places in taken]))
    ends = np.cumsum([len(places.seqs) for places in taken])
    for (stream, seqs, _), own in zip(taken, np.split(leaves, ends[:-1]), strict=True):
        amended = replay.amended_in(stream)
        counting = set(seqs.tolist()) if amended else set()
        yield Stretch(
            stream=stream,
            seqs=runs(seqs),
            amended=tuple(seq for seq in amended if seq in counting),
            leaves=sha256(own.tobytes()).hexdigest(),
        )


def runs(numbers: NDArray[np.int64]) -> tuple[tuple[int, int], ...]:
    """Return rising numbers, at least one, as runs with both ends included.

    >>> runs(np.array([3, 4, 5, 9]))
    ((3, 5), (9, 9))
    """
    ends = np.flatnonzero(np.diff(numbers) != 1)
    firsts = numbers[np.concatenate(([0], ends + 1))].tolist()
    lasts = numbers[np.concatenate((ends, [len(numbers) - 1]))].tolist()
    return tuple(zip(firsts, lasts, strict=True))


def _naming(replay: Replay, day: Day, awaiting: bool) -> Iterable[FactRef]:
    """Facts after the day's end that name it; with a box waiting, also the next day's closing."""
    own = day.date.isoformat()
    streams = [one for one in replay.streams_with(NAMING) if is_input(one)]
    following: dict[str, FactRef] = {}
    for step in replay.walk(streams, since=day.ends, only=NAMING):
        if not isinstance(step, FactStep):
            continue
        fact = step.fact
        named = str(getattr(fact, "for_gaming_day", None) or getattr(fact, "gaming_day", ""))
        ref = ref_of(fact)
        if named == own:
            yield ref
        elif awaiting and type(fact).__name__ == "GamingDayClosed" and named > own:
            following.setdefault(named, ref)
    if following:
        yield following[min(following)]


def _quarantined(replay: Replay, day: Day, stretches: Iterable[Stretch]) -> Iterable[str]:
    within: Mapping[str, Stretch] = {one.stream: one for one in stretches}
    for unreadable in replay.unreadable():
        stream = unreadable.key.decode("utf-8", "replace") if unreadable.key else ""
        if stream not in replay.streams():
            yield unreadable.sha256.hex()
        else:
            extent = replay.extent(stream)
            if extent.first_time < day.ends and day.begins <= extent.last_time:
                yield unreadable.sha256.hex()
    for stream, stretch in within.items():
        for rival in replay.conflicts(stream):
            if any(first <= rival.seq <= last for first, last in stretch.seqs):
                yield rival.sha256.hex()
