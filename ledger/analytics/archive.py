"""The archive: the facts of a gaming day as Parquet, by stream, held against the ledger.

``gaming_day=2021-06-12/stream=SB-01%2Fdice/facts.parquet`` and a ``manifest.json`` beside the
streams. The files depend on the facts alone: no clock, no name of a machine, fixed row groups and
one writer per file, so that writing a day again gives the same bytes. The manifest says the tree
size and root of the state that was read; a verification goes back to that state. At an address
there is no rename: ``published_archive`` lays a day out otherwise.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import date
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq

from ledger.analytics.archive_manifest import (
    DAY_PREFIX,
    FORMAT,
    INDEX,
    KIND,
    MANIFEST,
    ArchivedFile,
    ArchiveManifest,
    hashes_of,
    name_in_folder,
    read_manifest,
)
from ledger.analytics.archive_rows import SCHEMA, tables
from ledger.analytics.errors import CacheUnwritable
from ledger.audit import DayUnknown, read_office
from ledger.kernel.cyclic_garbage import collect_seldom
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import EarlierLog, read_log
from ledger.log.signed_file_index import Seals
from ledger.replay import Replay

FILE: Final = "facts.parquet"
LEVEL: Final = 3
LOCK: Final = ".lock"
LONGEST_NAME: Final = 240
REPEATED: Final[Any] = ["event", "source", "recorded_by", "topic"]
"""Columns with few values, kept as a dictionary; pyarrow's stubs know no list here."""


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
    replay: Replay,
    day: date,
    folder: Path,
    *,
    processes: int = 1,
    seals: Seals | None = None,
) -> ArchiveManifest:
    """Write a gaming day's facts; what stood there is replaced in one step.

    Args:
        replay: the ledger's replay.
        day: the gaming day.
        folder: the archive.
        processes: how many share the streams; the bytes are the same for any number.
        seals: those of the ledger, which seal the manifest; None, or without the private key,
            leaves it unsealed: then ``verify_archive`` alone can tell whether it is the ledger's.

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
                spawn = get_context("spawn")
                with ProcessPoolExecutor(len(jobs), spawn, collect_seldom) as pool:
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
            raw = manifest.text().encode()
            (new / MANIFEST).write_bytes(raw)
            _seal(new / INDEX, day, raw, seals)
            _put_in_place(new, folder / f"{DAY_PREFIX}{day}")
    except (OSError, pa.ArrowException) as error:
        raise CacheUnwritable(
            getattr(error, "strerror", None) or str(error), str(folder)
        ) from error
    return manifest


def _seal(path: Path, day: date, raw: bytes, seals: Seals | None) -> None:
    """Write the signed index that lists a day's manifest, if the private key is at hand."""
    name = name_in_folder(day)
    index = None if seals is None else seals.index(KIND, {name: sha256(raw).hexdigest()})
    if index is not None:
        path.write_bytes(index)


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
        name = f"sha256-{sha256(stream.encode()).hexdigest()}"
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
    digest, blocks = hashes_of(path)
    return ArchivedFile(
        path=path_of(stream),
        stream=stream,
        rows=rows,
        bytes=path.stat().st_size,
        sha256=digest,
        blocks=blocks,
    )


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
    for path in sorted({*wanted, *listed, *lying} - {MANIFEST, INDEX}):
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
        digest, blocks = hashes_of(self._path)
        size = self._path.stat().st_size
        is_listed = (listed.rows, listed.bytes, listed.sha256) == (rows, size, digest)
        if not is_listed or listed.blocks not in ((), blocks):
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
