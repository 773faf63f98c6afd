"""Whether the entry bundles of a ledger are still those that were led back to its signed root.

Leading back every entry costs seconds for ten million of them, and opening every bundle still half
a second. So what was led back once is noted: the SHA-256 of the file, and how the file system told
it apart then (inode, length, times of its last write and last change of any kind). A file that is
told apart in the same way is the one that was read; any other is read again and held against the
hash, or led back to the root. The notes are sealed by the ledger's key, a file of them for each
thousand bundles.

A write changes the time of the last change, which no program can set back. Who sets the machine's
clock, or writes to the disk below the file system, is found by ``pitledger verify``, which reads
all.
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ledger.log.signed_file_index import SealedFolder
from ledger.log.storage import DirectoryStorage
from ledger.log.tiles import ENTRIES, WIDTH, Tile, pack

if TYPE_CHECKING:
    from ledger.log.ledger_at_checkpoint import FileSnapshot
    from ledger.log.signed_file_index import Seals

Stretches = list[tuple[int, int]]
"""Bundles by number: the first of each stretch, and the one after its last."""
FOLDER: Final = "bundles"
KIND: Final = "bundles"
"""What the notes are called in the index that seals them."""
TOGETHER: Final = 1_000
"""Bundles whose notes lie in one file: those of one folder of the tree."""
SETTLED_NANOSECONDS: Final = 2_000_000_000
"""A file that was changed more recently is not told apart: it may change again within one tick."""
_DIGEST: Final = 32
_STATE: Final = struct.Struct("<QQqq")
_PLACE: Final = TOGETHER * _DIGEST
"""Where the states begin, after the hashes."""
_NAMES: Final = tuple(f"{number:03d}" for number in range(TOGETHER))
"""What the files of a folder are called."""
State = tuple[int, int, int, int]
"""Inode, length, and the times of the last write and of the last change, in nanoseconds."""
_UNKNOWN: Final[State] = (0, 0, 0, 0)


class BundleStates:
    """The full bundles of one ledger; the last one, which still grows, is led back each time.

    Notes that were read stay in memory: who proves often holds the files against them alone.

    Args:
        log: the ledger at its checkpoint.
        sealed: where the notes lie; None keeps none.
    """

    def __init__(self, log: FileSnapshot, sealed: SealedFolder | None) -> None:
        self._log = log
        self._sealed = sealed
        self._notes: dict[str, tuple[bytes, list[tuple[Any, ...]]]] = {}
        self._root = log.storage.folder if isinstance(log.storage, DirectoryStorage) else None

    def prove(self, first: int = 0, stop: int | None = None, digests: bytes = b"") -> None:
        """Prove the entries of these bundles to the checkpoint.

        Args:
            first: the first bundle.
            stop: the one after the last; None: all.
            digests: SHA-256 of each full bundle, counted from 0, as the caller knows that it was
                led back; may be empty or short.

        Raises:
            IntegrityBroken: an entry is not what was signed.
        """
        whole = self._log.size // WIDTH
        self.prove_all([(first, whole + 1 if stop is None else stop)], digests)

    def prove_all(self, spans: Stretches, digests: bytes = b"") -> None:
        """Prove the entries of bundles that lie apart, as ``prove`` does.

        Args:
            spans: the bundles.
            digests: as for ``prove``.

        Raises:
            IntegrityBroken: an entry is not what was signed.
        """
        whole = self._log.size // WIDTH
        together: dict[int, list[int]] = {}
        for first, stop in spans:
            while first < min(stop, whole):
                ends = min(stop, whole, (first // TOGETHER + 1) * TOGETHER)
                together.setdefault(first // TOGETHER, []).extend(range(first, ends))
                first = ends
        for group, numbers in together.items():
            self._prove(group, numbers, digests)
        if self._log.size % WIDTH and any(first <= whole < stop for first, stop in spans):
            self._log.tree.bundle(whole)

    def _prove(self, group: int, numbers: list[int], digests: bytes) -> None:
        """Prove some of the bundles whose notes lie together."""
        name = f"{group:06d}"
        stored, noted = self._noted(name)
        settled_before = time.time_ns() - SETTLED_NANOSECONDS
        known_states = [noted[number % TOGETHER] for number in numbers]
        states = self._states(group, numbers)
        if states == known_states and _UNKNOWN not in states:
            return
        notes = bytearray(stored)
        for number, state, known_state in zip(numbers, states, known_states, strict=True):
            if state == known_state != _UNKNOWN:
                continue
            state_at = _PLACE + (number % TOGETHER) * _STATE.size
            digest_at = (number % TOGETHER) * _DIGEST
            known = bytes(notes[digest_at : digest_at + _DIGEST])
            hinted = digests[number * _DIGEST : (number + 1) * _DIGEST]
            notes[digest_at : digest_at + _DIGEST] = self._proved(number, {known, hinted})
            is_settled = state[-1] < settled_before
            _STATE.pack_into(notes, state_at, *(state if is_settled else _UNKNOWN))
        if bytes(notes) != stored:
            if self._sealed is not None:
                self._sealed.write(name, [bytes(notes)])
            self._notes[name] = bytes(notes), _states_in(notes)

    def _noted(self, name: str) -> tuple[bytes, list[tuple[Any, ...]]]:
        """The notes of a name, and the states in them."""
        if name not in self._notes:
            stored = None if self._sealed is None else self._sealed.read(name)
            notes = (stored or b"").ljust(TOGETHER * (_DIGEST + _STATE.size), b"\0")
            self._notes[name] = notes, _states_in(notes)
        return self._notes[name]

    def _proved(self, number: int, known: set[bytes]) -> bytes:
        """The SHA-256 of a bundle, which is one of those known or leads to the root."""
        path = Tile(ENTRIES, number).path
        try:
            digest = sha256(self._log.storage.read(path)).digest()
        except OSError:  # the log says better what is wrong
            digest = b""
        if digest in known and digest:
            return digest
        return sha256(pack(self._log.tree.bundle(number))).digest()

    def _states(self, group: int, numbers: list[int]) -> list[State]:
        """How the file system tells these files apart; unknown where it does not."""
        if self._root is None:
            return [_UNKNOWN] * len(numbers)
        folder = os.path.dirname(f"{self._root}/{Tile(ENTRIES, group * TOGETHER).path}")
        try:
            place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            return [_UNKNOWN] * len(numbers)
        names = [_NAMES[number % TOGETHER] for number in numbers]
        try:
            seen = [os.stat(name, dir_fd=place) for name in names]
        except OSError:  # one of them is not there
            return [_UNKNOWN] * len(numbers)
        finally:
            os.close(place)
        return [(one.st_ino, one.st_size, one.st_mtime_ns, one.st_ctime_ns) for one in seen]


def _states_in(notes: bytes | bytearray) -> list[tuple[Any, ...]]:
    """A state for each bundle."""
    return [*_STATE.iter_unpack(memoryview(notes)[_PLACE:])]


def bundle_states(log: FileSnapshot, cache: Path, seals: Seals) -> BundleStates:
    """Return the bundles of a ledger, with the notes that lie in its cache.

    Args:
        log: the ledger at its checkpoint.
        cache: the folder of its cache.
        seals: those of the ledger.
    """
    return BundleStates(log, SealedFolder(cache / FOLDER, KIND, seals))


def stretches(numbers: Iterable[int]) -> Stretches:
    """Return numbers of bundles as stretches."""
    spans: Stretches = []
    for number in sorted(numbers):
        if spans and spans[-1][1] == number:
            spans[-1] = spans[-1][0], number + 1
        else:
            spans.append((number, number + 1))
    return spans


def numbers_in(spans: Stretches) -> set[int]:
    """Return the numbers of bundles in stretches."""
    return {number for first, stop in spans for number in range(first, stop)}


def joined_stretches(spans: Stretches) -> Stretches:
    """Return stretches in order, those that touch or overlap as one."""
    joined: Stretches = []
    for first, stop in sorted(spans):
        if joined and first <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], stop)
        else:
            joined.append((first, stop))
    return joined
