"""The facts of one file beside what the ledger remembers of earlier files, in a temporary database.

Memory stays flat: facts wait on disk until all of the file is known to be good, and are then taken
out in the order in which they happened.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Final, NamedTuple, TypeVar

from ledger.events import RowsImported
from ledger.intake.import_errors import SpoolFailed
from ledger.kernel.quick_dataclass import dataclass

Item = TypeVar("Item")

ROOM: Final = "make room in the folder for temporary files (TMPDIR), and import again"

BATCH: Final = 5_000
HASH_BYTES: Final = 8
"""Of the hash of what a fact says."""
TOGETHER: Final = 1_000
"""How many new facts are handed out together, at most."""
SCOPE_BITS: Final = 32
SCOPES: Final = (1 << SCOPE_BITS) - 1
_TABLES: Final = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -16000;
CREATE TABLE sheet (fact INTEGER PRIMARY KEY, key BLOB, number INTEGER, at INTEGER, lane INTEGER,
  hash BLOB, framed BLOB, name TEXT);
CREATE TABLE told (key BLOB, hash BLOB, scope INTEGER, stream INTEGER, seq INTEGER);
CREATE TABLE known (key BLOB, hash BLOB, scope INTEGER, stream INTEGER, seq INTEGER);
"""
_SETTLED: Final = """
CREATE INDEX sheet_key ON sheet (key);
INSERT INTO known SELECT key, hash, scope, stream, seq FROM told
  WHERE rowid IN (SELECT MAX(rowid) FROM told GROUP BY key);
CREATE UNIQUE INDEX known_key ON known (key);
"""
_MET: Final = "sheet CROSS JOIN known ON known.key = sheet.key"
_GONE: Final = (
    "FROM known WHERE NOT EXISTS (SELECT 1 FROM sheet WHERE sheet.key = known.key)"
    f" AND hash <> x'' AND scope <> 0 AND scope IN (SELECT DISTINCT lane & {SCOPES} FROM sheet)"
)


_PLACED: Final = ", ".join(
    f"sheet.{n}" for n in ("key", "number", "at", "lane", "hash", "framed", "name")
)
_KNOWN: Final = "known.key, known.scope, known.stream, known.seq, known.hash = x''"


class ImportedFact(NamedTuple):
    """Where a fact of an earlier file stands, and whether it was withdrawn since."""

    key: bytes
    scope: str
    stream: str
    seq: int
    is_withdrawn: bool = False


Waiting = tuple[bytes, int, int, int, bytes, str]
"""A fact as it comes from a row: key, row, event time, lane, framed, and the row's key as text. A
row that becomes several facts has a key for each."""


class NewFacts(NamedTuple):
    """Facts of new rows in one stream and scope, in order: columns of one length."""

    stream: str
    scope: str
    keys: tuple[bytes, ...]
    times: tuple[int, ...]
    hashes: tuple[bytes, ...]
    framed: tuple[bytes, ...]


class ScopeNumbers:
    """Numbers for streams and scopes, in the order in which they first come.

    A lane is a stream and a scope in one number, so that facts are put in order by it.
    """

    def __init__(self, names: Iterable[str] = ("",)) -> None:
        self._names = list(names)
        self._words = {name: number for number, name in enumerate(self._names)}

    def word(self, text: str) -> int:
        """The number of a stream or scope."""
        number = self._words.get(text)
        if number is None:
            number = self._words[text] = len(self._names)
            self._names.append(text)
        return number

    def name(self, word: int) -> str:
        """The stream or scope of a number."""
        return self._names[word]

    def names(self) -> list[str]:
        """All streams and scopes, by their numbers."""
        return self._names

    def number(self, stream: str, scope: str) -> int:
        """The lane of a stream and a scope."""
        return self.word(stream) << SCOPE_BITS | self.word(scope)

    def stream(self, lane: int) -> str:
        """The stream of a lane."""
        return self._names[lane >> SCOPE_BITS]

    def scope(self, lane: int) -> str:
        """The scope of a lane."""
        return self._names[lane & SCOPES]


class WaitingFact(NamedTuple):
    """A fact that waits to be numbered."""

    key: bytes
    number: int
    at: int
    stream: str
    scope: str
    hash: bytes
    framed: bytes
    name: str


@dataclass(frozen=True, slots=True)
class FactCounts:
    """How the facts of a file compare with what is remembered.

    ``restored`` are those of the changed ones that were withdrawn: each comes back in its place.
    """

    new: int
    same: int
    changed: int
    gone: int
    restored: int = 0


@contextmanager
def failing() -> Iterator[None]:
    """Say what the database of a spool refuses as ``SpoolFailed``."""
    try:
        yield
    except sqlite3.Error as error:
        raise SpoolFailed(str(error), ROOM) from error


def _hash(framed: bytes, key: bytes) -> bytes:
    """By what a fact is known again when its file comes again."""
    return blake2b(framed, digest_size=HASH_BYTES, key=key).digest()


class Spool:
    """Both tables; a context that removes them.

    Args:
        folder: where they lie, which someone else removes; None takes a new one.
        hash_key: of the ledger; see ``Replay.hash_key``.

    Raises:
        SpoolFailed: there is no room for them, at any time.
    """

    def __init__(self, folder: str | None = None, hash_key: bytes = b"") -> None:
        self._hash_key = hash_key
        self._own = TemporaryDirectory(prefix="pitledger-") if folder is None else None
        path = Path(folder or (self._own.name if self._own else "")) / "rows.sqlite"
        with failing():
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.executescript(_TABLES)
            self._db.execute("BEGIN")
        self._batch: list[Waiting] = []
        self.lanes = ScopeNumbers()

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._db.close()
        if self._own is not None:
            self._own.cleanup()

    def call(self, make: Callable[..., Iterable[Item]], *args: object) -> Iterator[Item]:
        """What a function hands out that is given this spool first."""
        with failing():
            yield from make(self, *args)

    def _remember(self, earlier: Iterable[RowsImported]) -> None:
        for imported in earlier:
            scope, stream = self.lanes.word(imported.scope), self.lanes.word(imported.rows_stream)
            self._db.executemany(
                "INSERT INTO told VALUES (?, ?, ?, ?, ?)",
                [
                    (key, digest, scope, stream, seq)
                    for key, digest, seq in zip(
                        imported.keys, imported.hashes, imported.seqs, strict=True
                    )
                ],
            )

    def add(self, facts: Iterable[Waiting]) -> None:
        """Put facts in; their lanes are numbers of ``lanes``."""
        self._batch.extend(facts)
        if len(self._batch) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        sql = "INSERT INTO sheet VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)"
        facts = [
            (key, number, at, lane, _hash(framed, self._hash_key), framed, name)
            for key, number, at, lane, framed, name in self._batch
        ]
        with failing():
            self._db.executemany(sql, facts)
        self._batch.clear()

    def settle(self, earlier: Iterable[RowsImported]) -> None:
        """All is in: make both sides ready to be compared.

        Args:
            told: what earlier files became; the last word on a fact counts.
        """
        self._flush()
        with failing():
            self._remember(earlier)
            for sql in _SETTLED.strip().rstrip(";").split(";"):
                self._db.execute(sql)

    def repeated_keys(self) -> Iterator[tuple[int, int, str]]:
        """Rows whose key another row before has: number, the first row's number, key."""
        several = "SELECT key FROM sheet GROUP BY key HAVING COUNT(*) > 1"
        keys = (
            f"SELECT key, MIN(number) AS first FROM ({several}) JOIN sheet USING (key) GROUP BY key"
        )
        sql = f"SELECT number, MIN(first), name FROM ({keys}) JOIN sheet USING (key)"
        yield from self._db.execute(f"{sql} WHERE number > first GROUP BY number ORDER BY number")

    def counts(self) -> Iterator[FactCounts]:
        """New, same, changed, gone and restored facts."""
        yield self._counts()

    def _counts(self) -> FactCounts:
        facts = self._count("SELECT COUNT(*) FROM sheet")
        if not self._count("SELECT COUNT(*) FROM known"):
            return FactCounts(new=facts, same=0, changed=0, gone=0)
        met = self._count(f"SELECT COUNT(*) FROM {_MET}")
        same = self._count(f"SELECT COUNT(*) FROM {_MET} WHERE known.hash = sheet.hash")
        gone = self._count(f"SELECT COUNT(*) {_GONE}")
        back = self._count(f"SELECT COUNT(*) FROM {_MET} WHERE known.hash = x''")
        return FactCounts(new=facts - met, same=same, changed=met - same, gone=gone, restored=back)

    def new_facts(self) -> Iterator[NewFacts]:
        """Facts not known before, by stream, then time, then place in the file."""
        sql = "SELECT lane, key, at, hash, framed FROM sheet"
        if self._count("SELECT COUNT(*) FROM known"):
            sql += " WHERE NOT EXISTS (SELECT 1 FROM known WHERE known.key = sheet.key)"
        rows = self._db.execute(f"{sql} ORDER BY lane >> {SCOPE_BITS}, at, fact")
        while some := rows.fetchmany(TOGETHER):
            for lane, alike in groupby(some, itemgetter(0)):
                _, keys, times, hashes, framed = zip(*alike, strict=True)
                stream, scope = self.lanes.stream(lane), self.lanes.scope(lane)
                yield NewFacts(stream, scope, keys, times, hashes, framed)

    def changed_facts(self, most: int = -1) -> Iterator[tuple[WaitingFact, ImportedFact]]:
        """Facts that say something else than before, with where they stand; -1 is all."""
        sql = f"SELECT {_PLACED}, {_KNOWN} FROM {_MET} WHERE known.hash <> sheet.hash"
        for row in self._db.execute(f"{sql} ORDER BY fact LIMIT {most:d}"):
            yield self._placed(row[:7]), self._known(row[7:])

    def missing_facts(self, most: int = -1) -> Iterator[ImportedFact]:
        """Facts of earlier files that this one should have and has not; -1 is all."""
        sql = f"SELECT {_KNOWN} {_GONE} ORDER BY stream, seq LIMIT {most:d}"
        for row in self._db.execute(sql):
            yield self._known(row)

    def _placed(self, row: tuple[Any, ...]) -> WaitingFact:
        key, number, at, lane, digest, framed, name = row
        stream, scope = self.lanes.stream(lane), self.lanes.scope(lane)
        return WaitingFact(key, number, at, stream, scope, digest, framed, name)

    def _known(self, row: tuple[Any, ...]) -> ImportedFact:
        name = self.lanes.name
        return ImportedFact(row[0], name(row[1]), name(row[2]), row[3], bool(row[4]))

    def _count(self, sql: str) -> int:
        return int(self._db.execute(sql).fetchone()[0])
