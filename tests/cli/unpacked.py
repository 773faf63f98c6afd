"""Every byte that a folder holds, whatever it is packed in: read as its own reader reads it."""

from __future__ import annotations

import base64
import gzip
import io
import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

ZIP, GZIP, ZSTD, PARQUET = b"PK\x03\x04", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"PAR1"
SQLITE, DUCKDB_AT, DUCKDB = b"SQLite format 3\x00", 8, b"DUCK"


def files(*folders: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of some folders; what is packed, unpacked too, however deep."""
    for folder in folders:
        for path in sorted(one for one in folder.rglob("*") if one.is_file()):
            name, data = str(path.relative_to(folder)), path.read_bytes()
            yield from unpacked(name, data)
            if data.startswith(SQLITE):
                yield f"{name}:rows", _rows_of_sqlite(path)
            elif data[DUCKDB_AT : DUCKDB_AT + 4] == DUCKDB:
                yield f"{name}:rows", _rows_of_duckdb(path)


def unpacked(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Some bytes, and what is packed in them."""
    yield name, data
    if data.startswith(ZIP):
        with ZipFile(io.BytesIO(data)) as packed:
            for part in packed.namelist():
                yield from unpacked(f"{name}:{part}", packed.read(part))
    elif data.startswith(PARQUET):
        rows = pq.read_table(io.BytesIO(data))
        yield f"{name}:rows", _plain(rows)
        yield f"{name}:about", repr(pq.read_metadata(io.BytesIO(data)).metadata).encode()
    else:
        yield from _within(name, data)


def _within(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """What is compressed anywhere in some bytes: a frame may stand behind a header."""
    for magic, kind in ((GZIP, "gzip"), (ZSTD, "zstd")):
        at = data.find(magic)
        while at >= 0:
            try:
                if kind == "gzip":
                    part = gzip.GzipFile(fileobj=io.BytesIO(data[at:])).read()
                else:
                    part = zstandard.ZstdDecompressor().decompressobj().decompress(data[at:])
            except (OSError, EOFError, zlib.error, zstandard.ZstdError):
                part = b""  # these four bytes began no frame
            if part:
                yield from unpacked(f"{name}:{kind}", part)
            at = data.find(magic, at + 1)


def _plain(rows: pa.Table) -> bytes:
    return "\n".join(
        f"{name} {[one.hex() if isinstance(one, bytes) else one for one in column]}"
        for name, column in rows.to_pydict().items()
    ).encode()


def _rows_of_sqlite(path: Path) -> bytes:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as store:
        tables = [one for (one,) in store.execute("SELECT name FROM sqlite_master")]
        rows = [row for one in tables for row in store.execute(f'SELECT * FROM "{one}"')]
    return _said(rows)


def _rows_of_duckdb(path: Path) -> bytes:
    with duckdb.connect(path, read_only=True) as store:
        names = store.execute(
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal"
        ).fetchall()
        rows = [
            row
            for schema, one in names
            for row in store.execute(f'SELECT * FROM "{schema}"."{one}"').fetchall()
        ]
    return _said(rows)


def _said(rows: list[tuple[object, ...]]) -> bytes:
    return "\n".join(
        " ".join(one.hex() if isinstance(one, bytes) else str(one) for one in row) for row in rows
    ).encode()


def holding(secrets: list[bytes], *folders: Path) -> list[str]:
    """The files that hold a secret: in clear, as hexadecimal or base64 wherever it begins, escaped
    as in JSON, or in two bytes a letter.
    """
    forms = set(secrets) | {secret.hex().encode() for secret in secrets}
    forms |= {secret.hex().upper().encode() for secret in secrets}
    forms |= {form for secret in secrets for form in _in_base64(secret)}
    for secret in secrets:
        try:
            text = secret.decode()
        except UnicodeDecodeError:
            continue  # a salt is no text
        forms |= {text.encode("utf-16-le"), text.encode("utf-16-be")}
        forms |= {text.encode("ascii", "backslashreplace"), json.dumps(text)[1:-1].encode()}
    return [name for name, data in files(*folders) if any(form in data for form in forms)]


def _in_base64(secret: bytes) -> set[bytes]:
    """What of a secret stands in a longer base64 text, for each of the three places to begin."""
    forms = set()
    for skipped in range(3):
        whole = secret[skipped : skipped + (len(secret) - skipped) // 3 * 3]
        forms |= {base64.b64encode(whole), base64.urlsafe_b64encode(whole)}
    return forms
