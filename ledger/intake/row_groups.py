"""Rows that wait for the others of their group, on disk: memory stays flat, whatever the file."""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from ledger.intake.staging_database import failing

_TABLES: Final = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -16000;
CREATE TABLE waiting (number INTEGER PRIMARY KEY, names TEXT, key TEXT, shared TEXT, held BLOB);
CREATE UNIQUE INDEX by_key ON waiting (names, key);
"""


class Group(NamedTuple):
    """A group: its key, the number of its first row, its rows, and whether all say one thing.

    That is of the columns which one fact takes from the whole group.
    """

    names: str
    first: int
    rows: int
    is_one: bool


class Groups:
    """The rows of one file by their group.

    Raises:
        SpoolFailed: there is no room for them, at any time.
    """

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="pitledger-")
        with failing():
            path = Path(self._folder.name) / "groups.sqlite"
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.executescript(_TABLES)
            self._db.execute("BEGIN")

    def close(self) -> None:
        """Remove them."""
        self._db.close()
        self._folder.cleanup()

    def add(
        self,
        names: str,
        key: str,
        number: int,
        shared: tuple[object, ...],
        values: dict[str, object],
    ) -> int | None:
        """Keep a row, unless another one of the group has its key: the number of that one.

        Args:
            names: the key of the group.
            key: of the row.
            number: of the row.
            shared: what one fact takes from the whole group.
            values: of the row, by column and moment.
        """
        row = (number, names, key, repr(shared), pickle.dumps(values, pickle.HIGHEST_PROTOCOL))
        with failing():
            if self._db.execute("INSERT OR IGNORE INTO waiting VALUES (?,?,?,?,?)", row).rowcount:
                return None
            sql = "SELECT number FROM waiting WHERE names = ? AND key = ?"
            return int(self._db.execute(sql, (names, key)).fetchone()[0])

    def groups(self) -> Iterator[Group]:
        """The groups in the order of their first rows."""
        with failing():
            self._db.execute("CREATE INDEX IF NOT EXISTS by_number ON waiting (names, number)")
            grouped = self._db.execute(
                "SELECT names, MIN(number) AS first, COUNT(*), COUNT(DISTINCT shared) FROM waiting"
                " GROUP BY names ORDER BY first"
            )
            for names, first, rows, alike in grouped:
                yield Group(names, first, rows, alike < 2)

    def rows(self, group: Group) -> Iterator[dict[str, object]]:
        """The values of its rows, in the order of the file."""
        with failing():
            sql = "SELECT held FROM waiting WHERE names = ? ORDER BY number"
            for (pickled,) in self._db.execute(sql, (group.names,)):
                yield pickle.loads(pickled)
