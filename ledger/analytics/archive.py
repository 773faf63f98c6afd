"""The archive: the facts of a gaming day as Parquet, by stream, held against the ledger.

``gaming_day=2021-06-12/stream=SB-01%2Fdice/facts.parquet`` and a ``manifest.json`` beside the
streams. The files depend on the facts alone: no clock, no name of a machine, fixed row groups and
one writer per file, so that writing a day again gives the same bytes. The manifest says the tree
size and root of the state that was read; a verification goes back to that state.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq

from ledger.analytics.archive_rows import SCHEMA, tables
from ledger.analytics.errors import ArchiveMissing, ArchiveUnreadable, CacheUnwritable
from ledger.audit import DayUnknown, read_office
from ledger.log import EarlierLog, read_log
from ledger.replay import Replay

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
FILE: Final = "facts.parquet"
LEVEL: Final = 3
DAY_PREFIX: Final = "gaming_day="
LOCK: Final = ".lock"
LONGEST_NAME: Final = 240
REPEATED: Final[Any] = ["event", "source", "recorded_by", "topic"]
"""Columns with few values, kept as a dictionary; pyarrow's stubs know no list here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedFile:
    """The file of one stream's facts.

    Attributes:
        path: below the day's folder.
        stream: the stream's name.
        rows: how many facts the file has.
        bytes: its size.
        sha256: of its bytes, as hex.
    """

    path: str
    stream: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveManifest:
    """A day of the archive: the state of the ledger that it was written from, and its files.

    Attributes:
        format: the version of the archive's format.
        gaming_day: the day whose facts it has.
        begins: when the day began, in microseconds UTC.
        ends: the first moment after it, in microseconds UTC.
        tree_size: entries of the ledger that it was written from.
        root: the ledger's root at that size, as hex.
        rows: facts in all files.
        files: one per stream.
    """

    format: int
    gaming_day: date
    begins: int
    ends: int
    tree_size: int
    root: str
    rows: int
    files: tuple[ArchivedFile, ...]

    def text(self) -> str:
        """As JSON, the same bytes for the same values."""
        fields = asdict(self) | {"gaming_day": self.gaming_day.isoformat()}
        return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Where archive and ledger part.

    Attributes:
        path: the file.
        row: its first row that differs, from 0; None where the fault is the file's as a whole.
        says: what is wrong.
    """

    path: str
    row: int | None
    says: str


def write_archive(
    replay: Replay, day: date, folder: Path, *, processes: int = 1
) -> ArchiveManifest:
    """Write a gaming day's facts; what stood there is replaced in one step.

    Args:
        replay: the ledger's replay.
        day: the gaming day.
        folder: the archive.
        processes: how many share the streams; the bytes are the same for any number.

    Raises:
        PropertyUnknown: no fact describes the property.
        DayUnknown: no fact lies in that day.
        CacheUnwritable: the files cannot be written.
    """
    begins, ends = read_office(replay).clock.bounds(day)
    lengths = {one: replay.facts_between(one, begins, ends) for one in replay.streams()}
    counts = {stream: count for stream, count in lengths.items() if count}
    if not counts:
        raise DayUnknown(f"The ledger has no fact of the gaming day {day}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder):
            new = folder / f".{DAY_PREFIX}{day}.new"
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir()
            parts = _shares(counts, processes)
            jobs = [(replay, part, begins, ends, new) for part in parts]
            if len(jobs) == 1:
                files = _write_streams(jobs[0])
            else:
                with ProcessPoolExecutor(len(jobs), mp_context=get_context("spawn")) as pool:
                    files = [file for found in pool.map(_write_streams, jobs) for file in found]
            manifest = ArchiveManifest(
                format=FORMAT,
                gaming_day=day,
                begins=begins,
                ends=ends,
                tree_size=replay.size,
                root=replay.root.hex(),
                rows=sum(file.rows for file in files),
                files=tuple(sorted(files, key=lambda file: file.path)),
            )
            _check_written(new, manifest, counts)
            (new / MANIFEST).write_text(manifest.text(), encoding="utf-8")
            _put_in_place(new, folder / f"{DAY_PREFIX}{day}")
    except (OSError, pa.ArrowException) as error:
        raise CacheUnwritable(
            getattr(error, "strerror", None) or str(error), str(folder)
        ) from error
    return manifest


def archived_days(folder: Path) -> list[date]:
    """The gaming days that the archive has, earliest first; none where there is no such folder."""
    if not folder.is_dir():
        return []
    days = []
    for path in folder.glob(f"{DAY_PREFIX}*"):
        try:
            days.append(date.fromisoformat(path.name[len(DAY_PREFIX) :]))
        except ValueError:
            continue
    return sorted(days)


def read_manifest(folder: Path, day: date) -> ArchiveManifest:
    """What a day of the archive says of itself.

    Raises:
        ArchiveMissing: the archive has no such day.
        ArchiveUnreadable: its manifest cannot be read, or is of another format.
    """
    path = folder / f"{DAY_PREFIX}{day}" / MANIFEST
    try:
        manifest_json: dict[str, Any] = json.loads(path.read_bytes())
        files = tuple(ArchivedFile(**file) for file in manifest_json.pop("files"))
        named = date.fromisoformat(manifest_json.pop("gaming_day"))
        manifest = ArchiveManifest(gaming_day=named, files=files, **manifest_json)
    except FileNotFoundError as error:
        raise ArchiveMissing(day, str(folder)) from error
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise ArchiveUnreadable(str(path), str(error)) from error
    numbers = (manifest.format, manifest.tree_size, manifest.begins, manifest.ends, manifest.rows)
    if any(type(number) is not int for number in numbers) or manifest.format != FORMAT:
        raise ArchiveUnreadable(str(path), "its numbers are none, or of another format")
    return manifest


def verify_archive(ledger: Path, day: date, folder: Path) -> Difference | None:
    """Hold a day of the archive against the ledger's entries; None where nothing differs.

    Every row is made again from the ledger as it stood when the day was written, led back to its
    signed root; the first file and row that differ are named.

    Raises:
        ArchiveMissing, ArchiveUnreadable: there is no such day, or it cannot be read.
    """
    manifest = read_manifest(folder, day)
    log = read_log(ledger)
    if not 0 < manifest.tree_size <= log.size:
        says = f"it is of {manifest.tree_size} entries, the ledger has {log.size}"
        return Difference(path=MANIFEST, row=None, says=says)
    earlier = EarlierLog(log, manifest.tree_size)
    if earlier.root.hex() != manifest.root:
        return Difference(path=MANIFEST, row=None, says="its root is not the ledger's at that size")
    replay = Replay(earlier)
    begins, ends = read_office(replay).clock.bounds(day)
    if (manifest.gaming_day, manifest.begins, manifest.ends) != (day, begins, ends):
        return Difference(path=MANIFEST, row=None, says="it is of another day or another clock")
    return _compare(replay, manifest, folder / f"{DAY_PREFIX}{day}")


def _shares(counts: dict[str, int], processes: int) -> list[list[str]]:
    """The streams dealt out so that each process has about as many facts."""
    shares: list[list[str]] = [[] for _ in range(max(1, min(processes, len(counts))))]
    loads = [0] * len(shares)
    for stream in sorted(counts, key=lambda one: (-counts[one], one)):
        least = loads.index(min(loads))
        shares[least].append(stream)
        loads[least] += counts[stream]
    return shares


def path_of(stream: str) -> str:
    """Where a stream's file lies below its day.

    The name is percent-encoded, dots too; one too long for a folder is replaced by its SHA-256.
    """
    name = quote(stream, safe="").replace(".", "%2E")
    if len(name) > LONGEST_NAME:
        name = f"sha256-{hashlib.sha256(stream.encode()).hexdigest()}"
    return f"stream={name}/{FILE}"


def _write_streams(job: tuple[Replay, list[str], int, int, Path]) -> list[ArchivedFile]:
    """Write the files of some streams, in one pass over the entries of the day."""
    replay, streams, begins, ends, folder = job
    writers: dict[str, pq.ParquetWriter] = {}
    rows = dict.fromkeys(streams, 0)
    try:
        for stream, table in tables(replay.recorded(streams, begins, ends)):
            writer = writers.get(stream)
            if writer is None:
                path = folder / path_of(stream)
                path.parent.mkdir()
                writer = writers[stream] = pq.ParquetWriter(
                    path,
                    SCHEMA,
                    compression="zstd",
                    compression_level=LEVEL,
                    use_dictionary=REPEATED,
                    store_schema=False,
                )
            writer.write_table(table, row_group_size=len(table))
            rows[stream] += len(table)
    finally:
        for writer in writers.values():
            writer.close()
    return [_written(folder, stream, rows[stream]) for stream in streams]


def _written(folder: Path, stream: str, rows: int) -> ArchivedFile:
    path = folder / path_of(stream)
    with path.open("rb") as file:
        os.fsync(file.fileno())
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    size = path.stat().st_size
    return ArchivedFile(path=path_of(stream), stream=stream, rows=rows, bytes=size, sha256=digest)


def _check_written(folder: Path, manifest: ArchiveManifest, counts: dict[str, int]) -> None:
    """What was written can be read, and holds as many rows as the ledger has facts."""
    for file in manifest.files:
        metadata = pq.read_metadata(folder / file.path)
        if not metadata.num_rows == file.rows == counts[file.stream]:
            raise OSError(f"{file.path} has {metadata.num_rows} rows of {counts[file.stream]}")


def _put_in_place(new: Path, place: Path) -> None:
    """Rename; the day that stood there steps aside first and is then removed."""
    old = new.with_name(f".{place.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if place.exists():
        os.replace(place, old)
    os.replace(new, place)
    shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One process writes at a time; a day that was stepped aside when a writer died comes back."""
    with (folder / LOCK).open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        for old in folder.glob(f".{DAY_PREFIX}*.old"):
            place = folder / old.name[1 : -len(".old")]
            if not place.exists():
                os.replace(old, place)
        yield


def _compare(replay: Replay, manifest: ArchiveManifest, folder: Path) -> Difference | None:
    """Every row against the ledger, then what the manifest says and what else lies there."""
    wanted = {
        path_of(stream): stream
        for stream in replay.streams()
        if replay.facts_between(stream, manifest.begins, manifest.ends)
    }
    listed = {file.path: file for file in manifest.files}
    lying = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    for path in sorted({*wanted, *listed, *lying} - {MANIFEST}):
        if path not in wanted:
            return Difference(path=path, row=None, says="the ledger has no facts for it")
        if path not in lying or path not in listed:
            where = "the folder" if path not in lying else "the manifest"
            return Difference(path=path, row=None, says=f"{where} does not have it")
    reading = {path: _ArchiveReader(folder / path, path) for path in sorted(wanted)}
    differences: dict[str, Difference | None] = {}
    entries = replay.recorded(wanted.values(), manifest.begins, manifest.ends)
    for stream, table in tables(entries):
        path = path_of(stream)
        if differences.get(path) is None:
            differences[path] = reading[path].against(table)
    for path, read in reading.items():
        if differences.get(path) is None:
            differences[path] = read.rest(listed[path])
    return next(
        (differences[path] for path in sorted(differences) if differences[path] is not None), None
    )


class _ArchiveReader:
    """A file of the archive, read a row group at a time beside the rows that it should have."""

    def __init__(self, path: Path, name: str) -> None:
        self._path, self._name = path, name
        self._row = self._group = 0
        self._file: pq.ParquetFile | None = None
        self._problem = "it has other columns"
        try:
            file = pq.ParquetFile(path)
            if file.schema_arrow.equals(SCHEMA):
                self._file = file
        except (OSError, pa.ArrowException, ValueError) as error:
            self._problem = _unreadable(error)

    def against(self, expected: pa.Table) -> Difference | None:
        """The first difference among the next rows."""
        if self._file is None:
            return self._differs(None, self._problem)
        part = SCHEMA.empty_table()
        try:
            if self._group < self._file.num_row_groups:
                part = self._file.read_row_group(self._group)
        except (OSError, pa.ArrowException, ValueError) as error:
            return self._differs(self._row, _unreadable(error))
        first = self._row
        self._row, self._group = first + len(expected), self._group + 1
        if part.equals(expected):
            return None
        for at in range(len(expected)):
            archived, recorded = part.slice(at, 1).to_pylist(), expected.slice(at, 1).to_pylist()
            if archived != recorded:
                return self._differs(
                    first + at, _difference(archived[0] if archived else None, recorded[0])
                )
        return self._differs(first + len(expected), "the ledger has no such row here")

    def rest(self, listed: ArchivedFile) -> Difference | None:
        """Rows that the ledger does not have, or a file that is not the one listed."""
        if self._file is None:
            return self._differs(None, self._problem)
        rows = self._file.metadata.num_rows
        if rows > self._row:
            return self._differs(self._row, "the ledger has no such row")
        with self._path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if (listed.rows, listed.bytes, listed.sha256) != (rows, self._path.stat().st_size, digest):
            return self._differs(None, "it is not the file that was written")
        return None

    def _differs(self, row: int | None, says: str) -> Difference:
        return Difference(path=self._name, row=row, says=says)


def _unreadable(error: Exception) -> str:
    return f"it cannot be read: {(str(error).splitlines() or [''])[0][:200]}"


def _difference(archived: dict[str, object] | None, recorded: dict[str, object]) -> str:
    """Which columns of a row differ."""
    if archived is None:
        return f"the row of position {recorded['position']} is missing"
    names = [name for name in recorded if archived[name] != recorded[name]]
    return f"position {recorded['position']} differs in {', '.join(names)}"
