"""What a watch has told, sealed by the ledger's key: what says that something was told decides
what nobody hears again, so a file that nobody vouches for says nothing.
"""

from __future__ import annotations

import errno
import fcntl
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field
from datetime import date
from itertools import chain
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any, Final, NamedTuple

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.replay import ErasedSince
from ledger.watch.erasures import Erasures
from ledger.watch.errors import WatchRunning
from ledger.watch.notices import Change, Feed, FeedLimit, Notice, notice_data, notice_from

FOLDER: Final = "watch"
KIND: Final = "watch"
NAME: Final = "told"
LOCK: Final = "lock"
ONLY_READ: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
"""A folder in which nothing may be written."""
PROBE_SECONDS: Final = 0.2
"""So long a lock may be held by who only asks whether somebody watches."""


class Waiting(NamedTuple):
    """A notice that waits to be handed on.

    Attributes:
        receiver: the name of who is to take it.
        notice: the notice.
        since: when it was told, microseconds UTC by the clock of who watches; 0 if not known.
    """

    receiver: str
    notice: Notice
    since: int = 0


class Refused(NamedTuple):
    """A receiver that does not take what it is given.

    Attributes:
        times: how often it refused since it took something.
        why: the last refusal, for people.
        asked_again_at: when it is asked again, microseconds UTC by the clock of who watches.
    """

    times: int
    why: str
    asked_again_at: int


@dataclass(slots=True)
class Told:
    """What was told of each gaming day, and what could not be handed on yet.

    Attributes:
        size: entries of the ledger up to which everything was told.
        pace: how many entries are judged in a second of judging, lately; 0 where nothing was yet.
        days: by gaming day, the notices that stand, by id.
        withdrawn: by gaming day, of the findings that do not stand any more, how often each was
            spoken of, by id.
        pending: the notices that wait to be handed on, by receiver and id, the first ones first; of
            a finding the last word alone.
        refused: the receivers that do not take what they are given.
        receivers: the names of all to whom the last watch handed on.
        begins: the first gaming day that is told; None: that of the first watch's last day.
        silent: by table or feed that was told to be silent, the time of its last fact, microseconds
            UTC.
        behind: those of them whose facts come, but late.
        lost: by table and camera whose picture was told to be lost, since when, microseconds UTC.
        erased: names what was erased in the ledger when this was told (``Erasures.state``).
        masked: the topic, and what was erased when all that it said before was masked there.
        limits: how long each table and feed may be silent, as of the last look.
    """

    size: int = 0
    pace: float = 0.0
    days: dict[date, dict[str, Notice]] = field(default_factory=dict)
    withdrawn: dict[date, dict[str, int]] = field(default_factory=dict)
    pending: dict[tuple[str, str], Waiting] = field(default_factory=dict)
    refused: dict[str, Refused] = field(default_factory=dict)
    receivers: tuple[str, ...] = ()
    begins: date | None = None
    silent: dict[Feed, int] = field(default_factory=dict)
    behind: set[Feed] = field(default_factory=set)
    lost: dict[tuple[str, str], int] = field(default_factory=dict)
    erased: str = ""
    masked: str = ""
    limits: tuple[FeedLimit, ...] = ()
    _by_table: dict[tuple[date, str], set[str]] = field(default_factory=dict)
    _texts: dict[str, tuple[Notice, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for notice in chain.from_iterable(standing.values() for standing in self.days.values()):
            self._by_table.setdefault((notice.gaming_day, notice.table), set()).add(notice.id)

    def take(self, notice: Notice) -> None:
        """Note a notice as told."""
        standing = self.days.setdefault(notice.gaming_day, {})
        withdrawn = self.withdrawn.setdefault(notice.gaming_day, {})
        self._texts.pop(notice.id, None)
        if notice.change is Change.WITHDRAWN:
            standing.pop(notice.id, None)
            withdrawn[notice.id] = notice.telling
            self._by_table.get((notice.gaming_day, notice.table), set()).discard(notice.id)
        else:
            standing[notice.id] = notice
            withdrawn.pop(notice.id, None)
            self._by_table.setdefault((notice.gaming_day, notice.table), set()).add(notice.id)

    def standing(self, day: date, table: str | None) -> Iterable[str]:
        """Return the ids of the findings of a day that stand; of one table, or with None of all."""
        if table is None:
            return self.days.get(day, {}).keys()
        return self._by_table.get((day, table), ())

    def wait_for(self, receiver: str, notice: Notice, since: int = 0) -> None:
        """Note that a notice waits for a receiver, in place of an earlier word on its finding."""
        self.pending.pop((receiver, notice.id), None)
        self.pending[receiver, notice.id] = Waiting(receiver, notice, since)

    def was_taken(self, receiver: str, notice: Notice) -> None:
        """Note that a notice does not wait any more; a later word on its finding still does."""
        waits = self.pending.get((receiver, notice.id))
        if waits is not None and waits.notice.key == notice.key:
            del self.pending[receiver, notice.id]

    def waiting_for(self, receiver: str) -> list[Notice]:
        """Return the notices that wait for a receiver, the first ones first."""
        return [waits.notice for waits in self.pending.values() if waits.receiver == receiver]

    def is_standing(self, notice: Notice) -> bool:
        """Whether a notice is the last word on a finding that stands."""
        return self.days.get(notice.gaming_day, {}).get(notice.id) is notice

    def text_of(self, notice: Notice) -> str:
        """Return a notice as JSON; that of one that stands is made once."""
        known = self._texts.get(notice.id)
        if known is not None and known[0] is notice:
            return known[1]
        text = json.dumps(notice_data(notice))
        if self.is_standing(notice):
            self._texts[notice.id] = notice, text
        return text

    def tellings(self, notice: Notice) -> int:
        """How often a finding was spoken of up to now."""
        standing = self.days.get(notice.gaming_day, {}).get(notice.id)
        if standing is not None:
            return standing.telling
        return self.withdrawn.get(notice.gaming_day, {}).get(notice.id, 0)

    def forget_before(self, day: date) -> None:
        """Forget the days before one, and tell nothing more of them; the night reports them.

        What of them a receiver did not take in all this time is not handed on any more.
        """
        if self.begins is not None:
            self.begins = max(self.begins, day)
        for of_days in (self.days, self.withdrawn):
            for old in [known for known in of_days if known < day]:
                del of_days[old]
        for waits in [*self.pending.values()]:
            if waits.notice.gaming_day < day:
                del self.pending[waits.receiver, waits.notice.id]
        for name in [name for name, known in self._texts.items() if known[0].gaming_day < day]:
            del self._texts[name]
        for key in [known for known in self._by_table if known[0] < day]:
            del self._by_table[key]


def read_told(folder: Path, seals: Seals) -> Told:
    """Return what an earlier watch told; nothing where no sealed file says so.

    Args:
        folder: the ledger's cache.
        seals: the ledger's.
    """
    stored = SealedFolder(folder / FOLDER, KIND, seals).read(NAME)
    if stored is None:
        return Told()
    try:
        plain = json.loads(stored)
        begins = plain["begins"]
        days = {
            date.fromisoformat(day): _notices(notices) for day, notices in plain["days"].items()
        }
        pending = [_waiting(row, days) for row in plain["pending"]]
        return Told(
            size=int(plain["size"]),
            pace=float(plain.get("pace", 0.0)),
            days=days,
            withdrawn={
                date.fromisoformat(day): {str(name): int(count) for name, count in counts.items()}
                for day, counts in plain.get("withdrawn", {}).items()
            },
            pending={(waits.receiver, waits.notice.id): waits for waits in pending},
            refused={
                str(name): Refused(int(times), str(why), int(at))
                for name, (times, why, at) in plain.get("refused", {}).items()
            },
            receivers=tuple(map(str, plain.get("receivers", ()))),
            begins=None if begins is None else date.fromisoformat(begins),
            silent={_feed(row): int(row[2]) for row in plain.get("silent_feeds", ())},
            behind={_feed(row) for row in plain.get("feeds_behind", ())},
            lost={(str(table), str(name)): int(at) for table, name, at in plain.get("lost", [])},
            erased=str(plain.get("erased", "")),
            masked=str(plain.get("masked", "")),
            limits=tuple(
                FeedLimit(_feed(row), int(row[2]), row[3], row[4])
                for row in plain.get("limits", ())
            ),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return Told()


def _notices(plain: Iterable[dict[str, object]]) -> dict[str, Notice]:
    return {notice.id: notice for notice in map(notice_from, plain)}


def _waiting(row: Sequence[Any], days: Mapping[date, Mapping[str, Notice]]) -> Waiting:
    """What waits; a notice that stands is named by its gaming day and id."""
    name, words, since = row
    if isinstance(words, list):
        day, identity = words
        return Waiting(str(name), days[date.fromisoformat(day)][identity], int(since))
    return Waiting(str(name), notice_from(words), int(since))


def _feed(row: Sequence[object]) -> Feed:
    table, stream = row[:2]
    return Feed(str(table), None if stream is None else str(stream))


def keep_told(memory: Told, folder: Path, seals: Seals, erasures: Erasures | None = None) -> bool:
    """Seal what was told; False where no key is at hand or nothing can be written.

    Raises:
        ErasedSince: something was erased since it was told; nothing of it is left behind.
    """
    plain = {
        "size": memory.size,
        "pace": memory.pace,
        "withdrawn": {
            day.isoformat(): counts for day, counts in sorted(memory.withdrawn.items()) if counts
        },
        "refused": memory.refused,
        "receivers": memory.receivers,
        "begins": None if memory.begins is None else memory.begins.isoformat(),
        "silent_feeds": [[*feed, at] for feed, at in memory.silent.items()],
        "feeds_behind": [[table, stream] for table, stream in sorted(memory.behind, key=str)],
        "lost": [[table, camera, at] for (table, camera), at in sorted(memory.lost.items())],
        "erased": memory.erased,
        "masked": memory.masked,
        "limits": [[*feed, *limit] for feed, *limit in memory.limits],
    }
    days = ", ".join(
        f'"{day.isoformat()}": [{", ".join(map(memory.text_of, standing.values()))}]'
        for day, standing in sorted(memory.days.items())
    )
    pending = ", ".join(
        f"[{json.dumps(waits.receiver)}, {_words_of(memory, waits.notice)}, {waits.since}]"
        for waits in memory.pending.values()
    )
    content = f'{json.dumps(plain)[:-1]}, "days": {{{days}}}, "pending": [{pending}]}}'
    files = SealedFolder(folder / FOLDER, KIND, seals)
    return write_unless_erased(files, NAME, [content.encode()], erasures)


def _words_of(memory: Told, notice: Notice) -> str:
    """A notice that waits, as JSON; one that stands is kept already, and only named."""
    if memory.is_standing(notice):
        return json.dumps([notice.gaming_day.isoformat(), notice.id])
    return memory.text_of(notice)


def write_unless_erased(
    files: SealedFolder, name: str, parts: Sequence[bytes], erasures: Erasures | None
) -> bool:
    """Seal a file of what a watch remembers; False where it could not be written.

    Args:
        files: where it lies.
        name: of the file.
        parts: its bytes.
        erasures: what is erased in the ledger; None where nothing can be.

    Raises:
        ErasedSince: something was erased since the watch began; the file is not left behind.
    """
    if erasures is None:
        return files.write(name, parts)
    erasures.check()
    is_kept = files.write(name, parts)
    try:  # whoever erases overwrites the key first, and then what was kept by then
        erasures.check(thoroughly=True)
    except ErasedSince:
        from ledger.intake.erasable import overwrite

        with suppress(FileNotFoundError):  # whoever erases was here, too
            overwrite(files.folder / name)
        raise
    return is_kept


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Be the only watch of a ledger; the lock goes with the process that holds it.

    Args:
        folder: the ledger's cache.

    Raises:
        WatchRunning: another process watches.
    """
    try:
        (folder / FOLDER).mkdir(parents=True, exist_ok=True)
        lock: IO[bytes] = (folder / FOLDER / LOCK).open("ab")
    except OSError as error:
        if error.errno not in ONLY_READ:
            raise
        yield  # nobody else can write here either
        return
    with lock:
        deadline = monotonic() + PROBE_SECONDS
        while not _is_taken(lock):
            if monotonic() > deadline:
                raise WatchRunning(folder.parent)
            sleep(PROBE_SECONDS / 10)
        yield


def _is_taken(lock: IO[bytes]) -> bool:
    """Whether the lock could be taken."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_watched(folder: Path) -> bool:
    """Whether a process watches the ledger whose cache this is."""
    try:
        with alone(folder):
            return False
    except WatchRunning:
        return True
