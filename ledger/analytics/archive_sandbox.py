"""The closed room for a query on an archive: its files are read where they lie, a block at a time.

Started as a file, as ``query_sandbox`` is, whose limits hold here too. The files are one pyarrow
dataset, registered before DuckDB is shut off from every file and network; DuckDB's own ``httpfs``
is never loaded. Each block that the dataset reads is held against the signed manifest before a byte
of it is used: an answer that met one that differs is never given.
"""

from __future__ import annotations

import io
import json
import sys
from collections import OrderedDict
from datetime import date
from typing import Any, Final, TypedDict

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.fs as pa_fs

from ledger.analytics import query_sandbox
from ledger.analytics.archive_manifest import BLOCK_BYTES, ArchivedFile
from ledger.analytics.archive_rows import SCHEMA
from ledger.analytics.object_store import ObjectStore, open_store
from ledger.analytics.published_archive import block_of
from ledger.kernel import IntegrityBroken, LedgerError

HEADROOM_BYTES: Final = 3 << 30
"""What the process may map beyond DuckDB's limit: pyarrow, the store's library, their threads."""
BLOCKS_KEPT: Final = 4
"""How many blocks of an open file stay in memory."""
REGISTERED: Final = "archived"
"""The name of the dataset below the view that people ask."""
TABLE: Final = "facts"
ALTERED: Final = "altered"
UNREACHABLE: Final = "unreachable"
MICROSECONDS: Final = ("record_time", "event_time")
"""Columns that are shown as in every mart: microseconds UTC."""
DATASET_SCHEMA: Final = pa.schema(
    [pa.field("gaming_day", pa.date32()), pa.field("stream", pa.string()), *SCHEMA]
)


class OrderedFile(TypedDict):
    """A file of the archive: its day and stream, where it lies, its size, its blocks' hashes."""

    gaming_day: str
    stream: str
    name: str
    bytes: int
    blocks: list[str]


class ArchiveOrder(query_sandbox.Order):
    """An order on an archive: its address, and its files as the proved manifests list them."""

    address: str
    archive: list[OrderedFile]


class Source:
    """The archive of an order, and what was wrong with it while it was read."""

    def __init__(self, order: ArchiveOrder) -> None:
        self._order = order
        self._store: ObjectStore = open_store(order["address"])
        self.fault: LedgerError | None = None

    def lay_out(self, connection: duckdb.DuckDBPyConnection, order: query_sandbox.Order) -> None:
        """Register the dataset and shut the database off from everything else."""
        pa.set_cpu_count(order["threads"])
        pa.set_io_thread_count(order["threads"])
        connection.register(REGISTERED, self._dataset())
        times = ", ".join(f"epoch_us({name}) AS {name}" for name in MICROSECONDS)
        connection.execute(f"CREATE VIEW {TABLE} AS SELECT * REPLACE ({times}) FROM {REGISTERED}")
        if order["comments"]:
            connection.execute(order["comments"])
        query_sandbox.shut(connection, [], order["memory_mb"], order["threads"])
        connection.execute("SET lock_configuration = true")

    def block(self, name: str, number: int, file: ArchivedFile) -> bytes:
        """Return a block, proved; remember what was wrong with it.

        Raises:
            OSError: it is not what the manifest lists, or cannot be had.
        """
        try:
            return block_of(self._store, name, file, number)
        except LedgerError as error:
            self.fault = self.fault or error
            raise OSError(error.problem) from error

    def _dataset(self) -> ds.FileSystemDataset:
        """All files as one dataset; day and stream of each are known without opening it."""
        listed = {str(at): one for at, one in enumerate(self._order["archive"])}
        files = pa_fs.PyFileSystem(_ProvedFiles(self, listed))
        parquet = ds.ParquetFileFormat()
        fragments = [
            parquet.make_fragment(at, files, partition_expression=_known(one))
            for at, one in listed.items()
        ]
        return ds.FileSystemDataset(fragments, DATASET_SCHEMA, parquet, files)


def _known(file: OrderedFile) -> ds.Expression:
    day = pa.scalar(date.fromisoformat(file["gaming_day"]))
    return (ds.field("gaming_day") == day) & (ds.field("stream") == file["stream"])


class _ProvedFiles(pa_fs.FileSystemHandler):
    """The files of an order as a file system of pyarrow; nothing but reading is possible.

    Args:
        source: proves the blocks.
        listed: the files, by the name that the dataset knows them by.
    """

    def __init__(self, source: Source, listed: dict[str, OrderedFile]) -> None:
        self._source = source
        self._listed = listed

    def get_type_name(self) -> str:
        return "archive"

    def normalize_path(self, path: str) -> str:
        return path

    def get_file_info(self, paths: str | list[str]) -> list[pa_fs.FileInfo]:
        named = [paths] if isinstance(paths, str) else paths
        return [
            pa_fs.FileInfo(path, pa_fs.FileType.File, size=self._listed[path]["bytes"])
            for path in named
        ]

    def open_input_file(self, path: str) -> pa.NativeFile:
        return pa.PythonFile(_ProvedFile(self._source, self._listed[path]), "r")

    open_input_stream = open_input_file

    def _refused(self, *_: Any, **__: Any) -> Any:
        raise OSError("an archive is only read")

    get_file_info_selector = create_dir = delete_dir = delete_dir_contents = _refused
    delete_root_dir_contents = delete_file = move = copy_file = _refused
    open_output_stream = open_append_stream = _refused


class _ProvedFile(io.RawIOBase):
    """A file of the archive, each block fetched when it is first read, and proved."""

    def __init__(self, source: Source, file: OrderedFile) -> None:
        super().__init__()
        self._source = source
        self._name = file["name"]
        self._file = ArchivedFile(
            path=file["name"],
            stream=file["stream"],
            rows=0,
            bytes=file["bytes"],
            sha256="",
            blocks=tuple(file["blocks"]),
        )
        self._at = 0
        self._kept: OrderedDict[int, bytes] = OrderedDict()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._file.bytes}[whence]
        self._at = start + offset
        return self._at

    def readinto(self, buffer: Any) -> int:
        if self._at >= self._file.bytes:
            return 0
        number, start = divmod(self._at, BLOCK_BYTES)
        part = self._block(number)[start : start + len(buffer)]
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)

    def read(self, size: int | None = -1, /) -> bytes:
        left = max(0, self._file.bytes - self._at)
        wanted = left if size is None or size < 0 else min(size, left)
        parts = bytearray(wanted)
        view, done = memoryview(parts), 0
        while done < wanted and (more := self.readinto(view[done:])):
            done += more
        return bytes(view[:done])

    def _block(self, number: int) -> bytes:
        block = self._kept.pop(number, None)
        if block is None:
            block = self._source.block(self._name, number, self._file)
        self._kept[number] = block
        while len(self._kept) > BLOCKS_KEPT:
            self._kept.popitem(last=False)
        return block


def answer(order: ArchiveOrder) -> str:
    """The answer to an order on an archive, as JSON; form and errors as in ``query_sandbox``.

    Raises:
        QueryStopped: also where a block is not what the signed manifest lists, or cannot be had.
    """
    source = Source(order)
    try:
        text = query_sandbox.answer(order, source.lay_out)
    except duckdb.Error:
        if source.fault is None:
            raise
        text = ""
    fault = source.fault
    if fault is not None:
        code = ALTERED if isinstance(fault, IntegrityBroken) else UNREACHABLE
        reason = getattr(fault, "reason", fault.problem)
        raise query_sandbox.QueryStopped(code, f"{fault.where}\n{reason}")
    return text


def answered(order: ArchiveOrder) -> str:
    """The answer, or as ``code`` and ``said`` why there is none, as JSON."""
    return query_sandbox.run(order, lambda _: answer(order))


def main() -> None:
    """Read the order from standard input, limit this process, and write the answer."""
    order: ArchiveOrder = json.load(sys.stdin)
    query_sandbox.limit_process(order["memory_mb"], HEADROOM_BYTES)
    sys.stdout.write(answered(order))


if __name__ == "__main__":
    main()
