"""What was erased in a sealed ledger: which notices may still show it, and what stands instead.

A running watch has what it told in memory, in clear. It ends where something was erased since it
began, and leaves nothing of it behind; the next one masks what earlier ones published.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from ledger.codec import frame
from ledger.events import Fact
from ledger.kernel import ERASED
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import read_log
from ledger.replay import ErasedSince, FactStep, Replay
from ledger.watch.notices import Change, Notice, version_of

BECAUSE: Final = "something that it said of a person was erased"


@dataclass(slots=True)
class Erasures:
    """What was erased of a ledger when a watch began.

    Args:
        folder: the ledger.
        state: changes with whatever is erased; empty where the ledger seals nothing.
        keys: the file of the persons' keys; None where the ledger seals nothing.
    """

    folder: Path
    state: str
    keys: Path | None
    _looked_at: tuple[int, ...] = ()

    @classmethod
    def of(cls, folder: Path) -> Erasures:
        """Read what is erased now.

        Raises:
            PersonKeysMissing, PersonKeysDamaged, PersonKeysOfAnother: it cannot be told.
        """
        log = read_log(folder)
        if not log.is_sealed:
            return cls(folder, "", None)
        keys = log.openings.keys.path
        looked_at = _stamp(keys)
        return cls(folder, log.openings.state().hex(), keys, looked_at)

    def check(self, *, thoroughly: bool = False) -> None:
        """Refuse to go on where something was erased since.

        Args:
            thoroughly: read the keys also where their file looks untouched.

        Raises:
            ErasedSince: it was.
        """
        if self.keys is None or (not thoroughly and _stamp(self.keys) == self._looked_at):
            return
        present = Erasures.of(self.folder)
        if present.state != self.state:
            raise ErasedSince(str(self.folder))
        self._looked_at = present._looked_at


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        known = path.stat()
    except OSError:
        return ()
    return known.st_ino, known.st_size, known.st_mtime_ns, known.st_ctime_ns


def is_masked(notice: Notice) -> bool:
    """Whether a notice shows nothing any more but which rule, which fact and which table."""
    return notice.sentence == ERASED


def masked(notice: Notice) -> Notice:
    """Return the next telling of a notice, of the same id, without what may speak of a person.

    Its version hashes nothing of what it said, so that nobody can try guesses against it.
    """
    expected = None if notice.expected is None else ERASED
    observed = None if notice.observed is None else ERASED
    is_gone = notice.change is Change.WITHDRAWN
    bare = replace(
        notice, sentence=ERASED, expected=expected, observed=observed, because=BECAUSE,
        change=notice.change if is_gone else Change.RESTATED, telling=notice.telling + 1,
    )  # fmt: skip
    return replace(bare, version=version_of(bare))


def shows_erased(replay: Replay, notice: Notice) -> bool:
    """Whether something is erased in what a notice rests on, so that it may say what it was.

    That is: in the facts that it names, and in all of its table from the first to the last of
    them, whose words its sentence may repeat.
    """
    return any(ERASED.encode() in frame(fact) for fact in _facts_of(replay, notice))


def _facts_of(replay: Replay, notice: Notice) -> Iterator[Fact]:
    refs = [(stream, int(seq)) for stream, seq in map(_parted, notice.facts) if seq.isdecimal()]
    if notice.round is not None and (start := _parted(notice.round))[1].isdecimal():
        refs.append((start[0], int(start[1])))
    for ref in refs:
        amended = replay.amended(*ref)
        fact = replay.fact(*ref)
        yield from [] if amended is None else [amended.before, amended.by]
        yield from [] if fact is None else [fact]
    times = [at for ref in refs if (at := replay.merged_at(*ref)) is not None]
    streams = replay.tables().get(notice.table, ())
    if times and streams:
        for step in replay.walk(streams, since=min(times), until=max(times) + 1):
            if isinstance(step, FactStep):
                yield step.fact


def _parted(ref: str) -> tuple[str, str]:
    stream, _, seq = ref.rpartition(":")
    return stream, seq
