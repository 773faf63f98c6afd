"""The rows of one file beside what the ledger remembers of earlier files, in a temporary database.

Memory stays flat: rows wait on disk until all of the file is known to be good, and are then taken
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
from ledger.intake.rows import ReadRow

BATCH: Final = 5_000
_TABLES: Final = """
CREATE TABLE sheet (key BLOB PRIMARY KEY, number INTEGER, name TEXT, hash BLOB, scope TEXT,
  stream TEXT, at INTEGER, facts BLOB) WITHOUT ROWID;
CREATE TABLE known (key BLOB PRIMARY KEY, hash BLOB, scope TEXT, stream TEXT, seq INTEGER,
  count INTEGER) WITHOUT ROWID;
"""


class Known(NamedTuple):
    """Where an earlier file's row stands: facts ``seq`` to ``seq + facts - 1`` of a stream."""

    key: bytes
    scope: str
    stream: str
    seq: int
    facts: int


class Waiting(NamedTuple):
    """A row that waits to be numbered."""

    number: int
    name: str
    key: bytes
    hash: bytes
    scope: str
    stream: str
    at: int
    framed: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """How the rows of a file compare with what is remembered."""

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
        self._batch: list[tuple[object, ...]] = []

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._db.close()
        self._folder.cleanup()

    def remember(self, facts: Iterable[RowsImported]) -> None:
        """Take in what earlier files became; the last word on a row counts."""
        for one in facts:
            rows = zip(one.keys, one.hashes, one.first_seqs, one.counts, strict=True)
            self._db.executemany(
                "INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?, ?, ?)",
                [(k, h, one.scope, one.rows_stream, seq, n) for k, h, seq, n in rows],
            )

    def add(self, row: ReadRow) -> None:
        """Put a row in."""
        packed = b"".join(len(one).to_bytes(4, "big") + one for one in row.framed)
        self._batch.append(
            (row.key, row.number, row.key_text, row.hash, row.scope, row.stream, row.at, packed)
        )

    @property
    def is_full(self) -> bool:
        """Whether the rows put in should be flushed."""
        return len(self._batch) >= BATCH

    def flush(self) -> list[tuple[int, int, str]]:
        """Write what was put in; the rows whose key stood before: (number, earlier, key)."""
        batch, self._batch = self._batch, []
        sql = "INSERT INTO sheet VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        before = self._db.total_changes
        self._db.executemany(sql, batch)
        if self._db.total_changes - before == len(batch):
            return []
        twice = []
        for row in batch:
            found = self._db.execute("SELECT number FROM sheet WHERE key = ?", row[:1]).fetchone()
            if found[0] != row[1]:
                twice.append((int(str(row[1])), int(found[0]), str(row[2])))
        return twice

    def counts(self) -> Counts:
        """New, same, changed and gone rows."""
        one = self._db.execute(
            "SELECT COUNT(*), COUNT(known.key), COALESCE(SUM(known.hash = sheet.hash), 0)"
            " FROM sheet LEFT JOIN known ON known.key = sheet.key AND known.count > 0"
        ).fetchone()
        rows, met, same = map(int, one)
        gone = self._db.execute(f"SELECT COUNT(*) {_GONE}").fetchone()[0]
        return Counts(new=rows - met, same=same, changed=met - same, gone=int(gone))

    def new(self) -> Iterator[Waiting]:
        """Rows not known before, by stream, then time, then place in the file."""
        yield from self._waiting(
            "LEFT JOIN known ON known.key = sheet.key AND known.count > 0 WHERE known.key IS NULL"
        )

    def changed(self) -> Iterator[tuple[Waiting, Known]]:
        """Rows that say something else than before, with where they stand."""
        join = (
            "JOIN known ON known.key = sheet.key AND known.count > 0 WHERE known.hash <> sheet.hash"
        )
        for row in self._waiting(join):
            sql = "SELECT key, scope, stream, seq, count FROM known WHERE key = ?"
            yield row, Known(*self._db.execute(sql, (row.key,)).fetchone())

    def gone(self) -> Iterator[Known]:
        """Rows of earlier files that this one should have and has not."""
        columns = "known.key, known.scope, known.stream, known.seq, known.count"
        for one in self._db.execute(f"SELECT {columns} {_GONE} ORDER BY stream, seq"):
            yield Known(*one)

    def _waiting(self, join: str) -> Iterator[Waiting]:
        columns = "number, name, sheet.key, sheet.hash, sheet.scope, sheet.stream, at, facts"
        order = "sheet.stream, at, number"
        for row in self._db.execute(f"SELECT {columns} FROM sheet {join} ORDER BY {order}"):
            number, name, key, digest, scope, stream, at, packed = row
            yield Waiting(number, name, key, digest, scope, stream, at, _unpacked(packed))


_GONE: Final = (
    "FROM known LEFT JOIN sheet ON sheet.key = known.key WHERE sheet.key IS NULL"
    " AND known.count > 0 AND known.scope <> ''"
    " AND known.scope IN (SELECT DISTINCT scope FROM sheet)"
)


def _unpacked(packed: bytes) -> tuple[bytes, ...]:
    out, at = [], 0
    while at < len(packed):
        end = at + 4 + int.from_bytes(packed[at : at + 4], "big")
        out.append(packed[at + 4 : end])
        at = end
    return tuple(out)
