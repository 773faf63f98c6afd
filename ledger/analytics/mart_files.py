"""The marts as files: one Parquet file for each mart and gaming day, named by its own bytes.

A gaming day that says the same as before keeps its files, so a ledger that grows writes the files
of the days that changed and no others. What a question reads is read by DuckDB straight from these
files, each held against its SHA-256 first. Parquet has no 128-bit integers: DuckDB's HUGEINT is
kept as DECIMAL(38, 0) and given back as it was.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from hashlib import file_digest
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ledger.analytics.errors import ProjectionBroken
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.bundle_states import Stretches

if TYPE_CHECKING:
    import duckdb

    from ledger.analytics.marts import Mart

SUFFIX: Final = ".parquet"
WIDE: Final = "HUGEINT"
KEPT_AS: Final = "DECIMAL(38, 0)"
LEVEL: Final = 9
"""How hard Zstandard tries: a sixth smaller than at 3, which is as fast to read."""
GRACE_SECONDS: Final = 60.0
"""How long a file stays that no head names any more: somebody may be reading it."""

LISTED: Final = "\0listed"
"""Among the parts of a day, in the place of a table's name: what lists show of it, joined from its
tables and its coupons."""

Soundness = dict[str, list[int]]
"""By stream: how many numbers are missing, conflicts, and how many a control total states beyond
its last one."""
Columns = list[tuple[str, str]]
"""Names and DuckDB types of a mart's columns, in order."""


class Vouched(NamedTuple):
    """What a read model of the ledger as it stands was made from.

    Attributes:
        parts: the SHA-256 in hexadecimal of each judgment, by table and gaming day.
        bundles: by gaming day, the bundles with the facts of its tables.
        coupons: the bundles with the facts of tables that bear on coupons.
        office: the bundles with the facts of offices.
    """

    parts: Mapping[tuple[str, date], str] = MappingProxyType({})
    bundles: Mapping[date, Stretches] = MappingProxyType({})
    coupons: Sequence[tuple[int, int]] = ()
    office: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MartFile:
    """One file: its name, which begins its SHA-256 in hexadecimal, and that in whole."""

    name: str
    sha256: str

    @classmethod
    def of(cls, mart: str, digest: str) -> MartFile:
        """Return the file of a mart that has this SHA-256."""
        return cls(name=f"{mart}.{digest[:32]}{SUFFIX}", sha256=digest)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayMarts:
    """What stands of one gaming day.

    Attributes:
        day: the gaming day.
        digest: SHA-256 in hexadecimal of all that the audit says of it.
        bundles: the bundles of entries that hold facts of its tables, as stretches: the first of
            each, and the one after its last.
        coupons: those of them with facts that bear on coupons.
        reach: by table, the merge time up to which its facts were read, microseconds UTC.
        parts: by table, SHA-256 in hexadecimal of the judgment that it was made from; what the
            coupons add is among them, and under ``LISTED`` what lists show.
        observed: the rounds of which somebody looked at a recording, as plain data.
        files: by mart, the file of each that has rows.
    """

    day: date
    digest: str
    bundles: Stretches
    coupons: Stretches
    reach: Mapping[str, int]
    parts: Mapping[str, str]
    observed: list[dict[str, Any]]
    files: Mapping[str, MartFile]


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierDays:
    """What stood of a ledger, made by the same code.

    Attributes:
        size: how many entries it had.
        sound: what of its streams was torn.
        days: what was made of each gaming day, in order; its files are whole.
        is_whole: whether these are all of its days.
        undated: by mart, the file of each whose rows are of no day.
    """

    size: int
    sound: Soundness
    days: Mapping[date, DayMarts]
    is_whole: bool
    undated: Mapping[str, MartFile]

    def names(self) -> list[str]:
        """Return the names of all its files."""
        files = [file for day in self.days.values() for file in day.files.values()]
        return [file.name for file in (*files, *self.undated.values())]


def write_mart(connection: duckdb.DuckDBPyConnection, mart: Mart, folder: Path) -> MartFile | None:
    """Write the rows of a mart as a file; None where there is no row.

    Args:
        connection: has the mart as a table.
        mart: which.
        folder: where the file goes; made if it is not there.

    Raises:
        ProjectionBroken: a whole number has more than 38 digits.
    """
    import duckdb

    (rows,) = connection.execute(f"SELECT count(*) FROM {mart.name}").fetchone() or (0,)
    if not rows:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    scratch = folder / f"{mart.name}.{os.getpid()}.new"
    columns = ", ".join(
        f"CAST({column.name} AS {KEPT_AS}) AS {column.name}" if column.type == WIDE else column.name
        for column in mart.columns
    )
    try:
        connection.execute(
            f"COPY (SELECT {columns} FROM {mart.name}) TO {quoted(str(scratch))}"
            f" (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL {LEVEL})"
        )
    except duckdb.ConversionException as error:
        raise ProjectionBroken(mart.name, f"a number is too long to be kept: {error}") from error
    file = MartFile.of(mart.name, digest_of(scratch))
    scratch.replace(folder / file.name)
    return file


def select_of(folder: Path, columns: Columns, names: Iterable[str]) -> str:
    """Return the SELECT that reads files of a mart, in this order, with its columns' own types."""
    paths = [quoted(str(folder / name)) for name in names]
    if not paths:
        nothing = ", ".join(f"CAST(NULL AS {kind}) AS {name}" for name, kind in columns)
        return f"SELECT {nothing} WHERE false"
    read = ", ".join(
        f"CAST({name} AS {kind}) AS {name}" if kind == WIDE else name for name, kind in columns
    )
    return f"SELECT {read} FROM read_parquet([{', '.join(paths)}])"


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def clear(folder: Path, named: Iterable[str], before: Iterable[str]) -> None:
    """Remove the files that have not been named for a while; one that stays does no harm.

    Args:
        folder: where the files are.
        named: those that the head names now.
        before: those that the head before named: their time begins now.
    """
    keep, until_now = frozenset(named), frozenset(before)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            is_mart = entry.name.endswith((SUFFIX, ".new"))
            if not is_mart or entry.name in keep:
                continue
            with suppress(OSError):
                if entry.name in until_now:
                    os.utime(entry.path)
                if time.time() - entry.stat().st_mtime > GRACE_SECONDS:
                    os.unlink(entry.path)


def is_whole(folder: Path, files: Mapping[str, str]) -> bool:
    """Whether files have the SHA-256 (hexadecimal) that is named beside them."""
    with suppress(OSError):
        return all(digest_of(folder / name) == digest for name, digest in files.items())
    return False


def quoted(text: str) -> str:
    """Return a text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"
