"""Gives notices to one receiver in a thread of its own: no look waits for a command or an address.

A few notices at a time are in the thread's hand, one of them under way; the others wait in what the
watch seals (``Told.pending``). Which ones were taken is sealed here before the next one is given:
a kill between the two gives that one again, under the same key, and no other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Final

from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.watch.erasures import Erasures
from ledger.watch.notices import Key, Notice
from ledger.watch.notify import Receiver
from ledger.watch.told import FOLDER, Waiting, write_unless_erased

KIND: Final = "taken-notices"
RECEIVERS: Final = "receivers"
"""The folder within what a watch keeps; it holds keys of notices, and no word of them."""
QUEUED: Final = 256
"""At most so many notices are in the hand of a receiver's thread."""
CLOSING_SECONDS: Final = 3.0
"""How long the end of a watch waits for what is under way; it stays pending, and is given anew."""


class TakenNotices:
    """Which notices a receiver took that the watch's own memory still has as pending.

    Args:
        target: the receiver, as it was named to the watch.
        folder: the ledger's cache.
        seals: the ledger's; without the key nothing is remembered.
    """

    def __init__(self, target: str, folder: Path, seals: Seals) -> None:
        self._files = SealedFolder(folder / FOLDER / RECEIVERS, KIND, seals)
        self._name = sha256(target.encode()).hexdigest()[:32]

    def read(self) -> set[Key]:
        """Return the keys of the notices; nothing where no sealed file says so."""
        stored = self._files.read(self._name)
        if stored is None:
            return set()
        try:
            return {(str(a), str(b), str(c), str(d)) for a, b, c, d in json.loads(stored)}
        except (TypeError, ValueError):
            return set()

    def write(self, keys: Sequence[Key], erasures: Erasures | None) -> None:
        """Seal the keys of the notices.

        Raises:
            ErasedSince: something was erased meanwhile; nothing is left behind.
        """
        write_unless_erased(self._files, self._name, [json.dumps(keys).encode()], erasures)


def still_waiting(waiting: Iterable[Waiting], folder: Path, seals: Seals) -> Iterator[Waiting]:
    """Yield what was not taken yet of what a watch had as waiting when it sealed that last.

    Args:
        waiting: what it had.
        folder: the ledger's cache.
        seals: the ledger's.
    """
    taken: dict[str, set[Key]] = {}
    for waits in waiting:
        target = waits.receiver
        if target not in taken:
            taken[target] = TakenNotices(target, folder, seals).read()
        if waits.notice.key not in taken[target]:
            yield waits


class ReceiverQueue:
    """Gives notices to a receiver in the background.

    Args:
        receive: takes one notice, or raises ``NotDelivered``.
        taken: where it is noted what was taken.
        erasures: what is erased in the ledger; nothing is given once that changed.
    """

    def __init__(
        self, receive: Receiver, taken: TakenNotices, erasures: Erasures | None = None
    ) -> None:
        self._receive = receive
        self._file = taken
        self._erasures = erasures
        self._lock = Lock()
        self._closing = Event()
        self._thread: Thread | None = None
        self._error: BaseException | None = None
        self._noted = dict.fromkeys(sorted(taken.read()))
        self._uncollected: list[Notice] = []
        self._collected: set[Key] = set()

    @property
    def is_busy(self) -> bool:
        """Whether a notice is under way."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def has_ended(self) -> bool:
        """Whether its thread ended, of which nothing was said yet."""
        return self._thread is not None and not self._thread.is_alive()

    def hand_on(self, notices: Sequence[Notice], taken: Callable[[Notice], None]) -> None:
        """Say which notices were taken since, and begin to give the next ones.

        It returns at once; it is called again, with all that still waits, at the next look.

        Raises:
            NotDelivered: the receiver refused a notice; that one and those after it wait.
            ErasedSince: something was erased.
        """
        has_ended = self.has_ended
        with self._lock:
            collected, self._uncollected = self._uncollected, []
        if self._thread is None:  # what an earlier watch gave, and was killed before it said so
            earlier = self._noted.keys() - self._collected
            collected += [notice for notice in notices if notice.key in earlier]
            self._collected |= earlier
        self._collected.update(notice.key for notice in collected)
        for notice in collected:
            taken(notice)
        if has_ended:
            self._thread = None
            error, self._error = self._error, None
            if error is not None:
                raise error
        if self._thread is None and not self._closing.is_set():
            self._begin([notice for notice in notices if notice.key not in self._noted][:QUEUED])

    def _begin(self, batch: list[Notice]) -> None:
        if batch:
            self._thread = Thread(target=self._give, args=(batch,), name="receiver", daemon=True)
            self._thread.start()

    def _give(self, batch: list[Notice]) -> None:
        """Give one notice after the other, until one is refused."""
        try:
            for notice in batch:
                if self._closing.is_set():
                    return
                if self._erasures is not None:
                    self._erasures.check()
                self._receive(notice)
                with self._lock:
                    self._noted[notice.key] = None
                    self._uncollected.append(notice)
                    keys = [*self._noted]
                self._file.write(keys, self._erasures)
        except BaseException as error:  # raised again by the next hand_on, in the watch itself
            self._error = error

    def settle(self) -> None:
        """Forget which notices were taken, as far as it was said: the watch has sealed it."""
        with self._lock:
            for key in self._collected:
                self._noted.pop(key, None)
        self._collected.clear()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for what is in the thread's hand; whether it ended.

        Args:
            seconds: at most so long; None: until it took all, or refused one.
        """
        if self._thread is not None:
            self._thread.join(seconds)
        return not self.is_busy

    def stop(self) -> None:
        """Give nothing more after the notice that is under way."""
        self._closing.set()

    def close(self) -> None:
        """Give nothing more, and wait a little for the notice that is under way."""
        self.stop()
        self.wait(CLOSING_SECONDS)
