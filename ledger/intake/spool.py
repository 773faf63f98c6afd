"""The facts of one file beside what the ledger remembers of earlier files, in a temporary database.

Memory stays flat: facts wait on disk until all of the file is known to be good, and are then taken
out in the order in which they happened.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Final, NamedTuple

from ledger.events import RowsImported

BATCH: Final = 5_000
_TABLES: Final = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -16000;
CREATE TABLE sheet (fact INTEGER PRIMARY KEY, key BLOB, number INTEGER, place INTEGER, at INTEGER,
  stream INTEGER, scope INTEGER, hash BLOB, framed BLOB, name TEXT);
CREATE TABLE told (key BLOB, hash BLOB, scope INTEGER, stream INTEGER, seq INTEGER);
CREATE TABLE known (key BLOB, hash BLOB, scope INTEGER, stream INTEGER, seq INTEGER);
"""
_SETTLED: Final = """
CREATE INDEX sheet_key ON sheet (key);
INSERT INTO known SELECT key, hash, scope, stream, seq FROM told
  WHERE rowid IN (SELECT MAX(rowid) FROM told GROUP BY key) AND hash <> x'';
CREATE UNIQUE INDEX known_key ON known (key);
"""
_MET: Final = "sheet CROSS JOIN known ON known.key = sheet.key"
_GONE: Final = (
    "FROM known WHERE NOT EXISTS (SELECT 1 FROM sheet WHERE sheet.key = known.key)"
    " AND scope <> 0 AND scope IN (SELECT DISTINCT scope FROM sheet)"
)


_PLACED: Final = ", ".join(
    f"sheet.{n}" for n in ("key", "number", "at", "stream", "scope", "hash", "framed", "name")
)
_KNOWN: Final = "known.key, known.scope, known.stream, known.seq"


class Known(NamedTuple):
    """Where a fact of an earlier file stands."""

    key: bytes
    scope: str
    stream: str
    seq: int


Waiting = tuple[bytes, int, int, int, str, str, bytes, bytes, str]
"""A fact as it comes from a row: key, row, place in the row, event time, stream, scope, hash,
framed, and the row's key as text."""


New = tuple[bytes, int, str, str, bytes, bytes]
"""A fact of a new row: key, event time, stream, scope, hash, framed."""


class Placed(NamedTuple):
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
class Counts:
    """How the facts of a file compare with what is remembered."""

    new: int
    same: int
    changed: int
    gone: int


class Spool:
    """Both tables; a context that removes them."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="pitledger-")
        path = Path(self._folder.name) / "rows.sqlite"
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript(_TABLES)
        self._db.execute("BEGIN")
        self._batch: list[tuple[object, ...]] = []
        self._words: dict[str, int] = {"": 0}
        self._names: list[str] = [""]

    def _word(self, text: str) -> int:
        """The number of a stream or scope."""
        number = self._words.get(text)
        if number is None:
            number = self._words[text] = len(self._names)
            self._names.append(text)
        return number

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._db.close()
        self._folder.cleanup()

    def remember(self, facts: Iterable[RowsImported]) -> None:
        """Take in what earlier files became; the last word on a fact counts."""
        for one in facts:
            scope, stream = self._word(one.scope), self._word(one.rows_stream)
            self._db.executemany(
                "INSERT INTO told VALUES (?, ?, ?, ?, ?)",
                [
                    (key, digest, scope, stream, seq)
                    for key, digest, seq in zip(one.keys, one.hashes, one.seqs, strict=True)
                ],
            )

    def add(self, facts: Iterable[Waiting]) -> None:
        """Put facts in."""
        word = self._words
        for key, number, place, at, stream, scope, digest, framed, name in facts:
            if stream not in word or scope not in word:
                self._word(stream)
                self._word(scope)
            told = (key, number, place, at, word[stream], word[scope], digest, framed, name)
            self._batch.append(told)
        if len(self._batch) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        sql = "INSERT INTO sheet VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        self._db.executemany(sql, self._batch)
        self._batch.clear()

    def settle(self) -> None:
        """All is in: make both sides ready to be compared."""
        self._flush()
        for sql in _SETTLED.strip().rstrip(";").split(";"):
            self._db.execute(sql)

    def twice(self) -> Iterator[tuple[int, int, str]]:
        """Rows whose key another row before has: number, the first row's number, key."""
        keys = "SELECT key, MIN(number) AS first FROM sheet GROUP BY key HAVING COUNT(*) > 1"
        sql = f"SELECT number, MIN(first), name FROM ({keys}) JOIN sheet USING (key)"
        yield from self._db.execute(
            f"{sql} WHERE number > first GROUP BY number ORDER BY number"
        ).fetchall()

    def counts(self) -> Counts:
        """New, same, changed and gone facts."""
        facts = self._one("SELECT COUNT(*) FROM sheet")
        if not self._one("SELECT COUNT(*) FROM known"):
            return Counts(new=facts, same=0, changed=0, gone=0)
        met = self._one(f"SELECT COUNT(*) FROM {_MET}")
        same = self._one(f"SELECT COUNT(*) FROM {_MET} WHERE known.hash = sheet.hash")
        gone = self._one(f"SELECT COUNT(*) {_GONE}")
        return Counts(new=facts - met, same=same, changed=met - same, gone=gone)

    def new(self) -> Iterator[New]:
        """Facts not known before, by stream, then time, then place in the file."""
        sql = "SELECT key, at, stream, scope, hash, framed FROM sheet"
        if self._one("SELECT COUNT(*) FROM known"):
            sql += " WHERE NOT EXISTS (SELECT 1 FROM known WHERE known.key = sheet.key)"
        names = self._names
        for key, at, stream, scope, digest, framed in self._db.execute(
            f"{sql} ORDER BY stream, at, fact"
        ):
            yield key, at, names[stream], names[scope], digest, framed

    def changed(self) -> Iterator[tuple[Placed, Known]]:
        """Facts that say something else than before, with where they stand."""
        sql = f"SELECT {_PLACED}, {_KNOWN} FROM {_MET} WHERE known.hash <> sheet.hash"
        for row in self._db.execute(f"{sql} ORDER BY fact"):
            yield self._placed(row[:8]), self._known(row[8:])

    def gone(self) -> Iterator[Known]:
        """Facts of earlier files that this one should have and has not."""
        for row in self._db.execute(f"SELECT {_KNOWN} {_GONE} ORDER BY stream, seq"):
            yield self._known(row)

    def _placed(self, row: tuple[Any, ...]) -> Placed:
        key, number, at, stream, scope, digest, framed, name = row
        names = self._names
        return Placed(key, number, at, names[stream], names[scope], digest, framed, name)

    def _known(self, row: tuple[Any, ...]) -> Known:
        return Known(row[0], self._names[row[1]], self._names[row[2]], row[3])

    def _one(self, sql: str) -> int:
        return int(self._db.execute(sql).fetchone()[0])
