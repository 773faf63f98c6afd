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
from typing import Final, NamedTuple

from ledger.events import RowsImported

BATCH: Final = 5_000
_TABLES: Final = """
CREATE TABLE sheet (key BLOB PRIMARY KEY, number INTEGER, name TEXT, hash BLOB, scope TEXT,
  stream TEXT, at INTEGER, place INTEGER, framed BLOB) WITHOUT ROWID;
CREATE TABLE known (key BLOB PRIMARY KEY, hash BLOB, scope TEXT, stream TEXT, seq INTEGER)
  WITHOUT ROWID;
"""
_MET: Final = "JOIN known ON known.key = sheet.key AND known.hash <> x''"
_GONE: Final = (
    "FROM known LEFT JOIN sheet ON sheet.key = known.key WHERE sheet.key IS NULL"
    " AND known.hash <> x'' AND known.scope <> ''"
    " AND known.scope IN (SELECT DISTINCT scope FROM sheet)"
)


class Known(NamedTuple):
    """Where a fact of an earlier file stands."""

    key: bytes
    scope: str
    stream: str
    seq: int


class Waiting(NamedTuple):
    """A fact that waits to be numbered: its row, the row's key as text,
    its own key and hash, and its place among the facts of its row."""

    key: bytes
    number: int
    name: str
    hash: bytes
    scope: str
    stream: str
    at: int
    place: int
    framed: bytes


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
        self._db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _TABLES)
        self._db.execute("BEGIN")
        self._batch: list[Waiting] = []

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
            self._db.executemany(
                "INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?, ?)",
                [
                    (key, digest, one.scope, one.rows_stream, seq)
                    for key, digest, seq in zip(one.keys, one.hashes, one.seqs, strict=True)
                ],
            )

    def add(self, facts: Iterable[Waiting]) -> None:
        """Put facts in."""
        self._batch.extend(facts)

    @property
    def is_full(self) -> bool:
        """Whether what was put in should be flushed."""
        return len(self._batch) >= BATCH

    def flush(self) -> list[tuple[int, int, str]]:
        """Write what was put in; rows whose key stood before: (number, earlier row, key)."""
        batch, self._batch = self._batch, []
        sql = "INSERT INTO sheet VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        before = self._db.total_changes
        self._db.executemany(sql, batch)
        if self._db.total_changes - before == len(batch):
            return []
        twice: dict[int, tuple[int, int, str]] = {}
        for fact in batch:
            sql = "SELECT number FROM sheet WHERE key = ?"
            earlier = int(self._db.execute(sql, (fact.key,)).fetchone()[0])
            if earlier != fact.number:
                twice[fact.number] = (fact.number, earlier, fact.name)
        return list(twice.values())

    def counts(self) -> Counts:
        """New, same, changed and gone facts."""
        facts = self._one("SELECT COUNT(*) FROM sheet")
        met = self._one(f"SELECT COUNT(*) FROM sheet {_MET}")
        same = self._one(f"SELECT COUNT(*) FROM sheet {_MET} WHERE known.hash = sheet.hash")
        gone = self._one(f"SELECT COUNT(*) {_GONE}")
        return Counts(new=facts - met, same=same, changed=met - same, gone=gone)

    def new(self) -> Iterator[Waiting]:
        """Facts not known before, by stream, then time, then place in the file."""
        sql = f"SELECT sheet.* FROM sheet LEFT {_MET} WHERE known.key IS NULL"
        for row in self._db.execute(f"{sql} ORDER BY sheet.stream, at, number, place"):
            yield Waiting(*row)

    def changed(self) -> Iterator[tuple[Waiting, Known]]:
        """Facts that say something else than before, with where they stand."""
        columns = "sheet.*, known.key, known.scope, known.stream, known.seq"
        sql = f"SELECT {columns} FROM sheet {_MET} WHERE known.hash <> sheet.hash"
        for row in self._db.execute(f"{sql} ORDER BY number, place"):
            yield Waiting(*row[:9]), Known(*row[9:])

    def gone(self) -> Iterator[Known]:
        """Facts of earlier files that this one should have and has not."""
        columns = "known.key, known.scope, known.stream, known.seq"
        order = "known.stream, known.seq"
        for row in self._db.execute(f"SELECT {columns} {_GONE} ORDER BY {order}"):
            yield Known(*row)

    def _one(self, sql: str) -> int:
        return int(self._db.execute(sql).fetchone()[0])
