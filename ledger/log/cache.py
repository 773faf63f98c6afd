"""The cache of a ledger: what its entries say, so that nobody has to read them all again.

It is bound to a tree size and root, carries a checksum, and is thrown away at the least doubt.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Protocol

from ledger.codec import key_of
from ledger.log.entry import ACCEPTED, coordinates_of, decode, facts_in
from ledger.log.index import Index, StreamRows, clear
from ledger.log.known import Known, Spans, quarantine_mark, spans_of
from ledger.log.port import Quarantined, SchemaUsed

MANIFEST: Final = "known.json"
FORMAT: Final = 1


class Source(Protocol):
    """A log that a cache is about."""

    @property
    def origin(self) -> str:
        """Its name."""

    @property
    def size(self) -> int:
        """Its size."""

    def root_at(self, size: int) -> bytes:
        """Its root at an earlier size."""

    def bundles(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, list[bytes]]]:
        """Its entries."""


def load(folder: Path | None, source: Source, *, writable: bool = False) -> tuple[Known, Index]:
    """What a log's entries say: from the cache as far as it holds, the rest from the entries.

    Only the one writer of a log may ask for a writable cache.
    """
    if writable and folder is not None:
        folder.mkdir(exist_ok=True)
    held = _manifest_of(folder, source)
    known = Known() if held is None else _known_of(held)
    index = Index(folder, known, writable=writable)
    if held is not None:
        index.table = _rows_of(held)
    index.attach(lambda: rebuilt(source))
    learn(source, known, index)
    return known, index


def rebuilt(source: Source) -> Index:
    """The index of a log from its entries alone, in memory."""
    known = Known()
    index = Index(None, known)
    learn(source, known, index)
    return index


def learn(source: Source, known: Known, index: Index) -> None:
    """Take in the entries that are not yet known."""
    for first, bundle in source.bundles(known.size):
        rows: dict[str, list[int]] = {}
        for position, _, framed in facts_in(first, bundle):
            stream, seq, event_time = key_of(framed)
            known.keys.setdefault(stream, Spans()).add(seq)
            rows.setdefault(stream, []).extend((seq, position, event_time))
        for stream, own in rows.items():
            index.add(stream, own)
        for position, entry in enumerate(bundle, first):
            _learn_rest(known, position, entry)
        known.size = first + len(bundle)


def _learn_rest(known: Known, position: int, entry: bytes) -> None:
    """What an entry says beside the key of a fact."""
    if entry[0] == ACCEPTED:
        if place := coordinates_of(entry):
            known.note_offset(*place, position)
        return
    found = decode(entry)
    if isinstance(found, SchemaUsed):
        known.schemas.add(found.id.to_bytes(4, "big"))
    elif isinstance(found, Quarantined):
        known.marks.add(quarantine_mark(found.reason, found.sha256))
        if found.coordinates is not None:
            known.note_offset(*found.coordinates, position)


# ---------------------------------------------------------------- on disk


def save(folder: Path, origin: str, root: bytes, known: Known, index: Index) -> None:
    """Write the cache; it need not be durable, only whole."""
    with suppress(OSError):  # a shortcut that cannot be written is done without
        folder.mkdir(exist_ok=True)
        index.flush()
        body = json.dumps(_manifest(origin, root, known, index), separators=(",", ":")).encode()
        temporary = folder / f"{MANIFEST}.new"
        temporary.write_bytes(sha256(body).hexdigest().encode() + b"\n" + body)
        os.replace(temporary, folder / MANIFEST)


def _manifest(origin: str, root: bytes, known: Known, index: Index) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "origin": origin,
        "size": known.size,
        "root": root.hex(),
        "keys": {stream: spans.intervals() for stream, spans in known.keys.items()},
        "schemas": sorted(schema.hex() for schema in known.schemas),
        "offsets": [[*key, *value] for key, value in known.offsets.items()],
        "marks": sorted(mark.hex() for mark in known.marks),
        "rows": {
            stream: [rows.stored, rows.crc, rows.last, rows.rising]
            for stream, rows in index.table.items()
        },
    }


def _manifest_of(folder: Path | None, source: Source) -> dict[str, Any] | None:
    """The manifest of a folder, if it is whole and about this very log."""
    if folder is None:
        return None
    try:
        digest, _, body = (folder / MANIFEST).read_bytes().partition(b"\n")
    except OSError:
        return None
    if sha256(body).hexdigest().encode() != digest:
        return None
    held: dict[str, Any] = json.loads(body)
    if held["format"] != FORMAT or held["origin"] != source.origin or held["size"] > source.size:
        return None
    return held if source.root_at(held["size"]).hex() == held["root"] else None


def _known_of(held: dict[str, Any]) -> Known:
    return Known(
        size=held["size"],
        keys={stream: spans_of(spans) for stream, spans in held["keys"].items()},
        schemas={bytes.fromhex(schema) for schema in held["schemas"]},
        offsets={(topic, part): (offset, at) for topic, part, offset, at in held["offsets"]},
        marks={bytes.fromhex(mark) for mark in held["marks"]},
    )


def _rows_of(held: dict[str, Any]) -> dict[str, StreamRows]:
    return {
        stream: StreamRows(stored=stored, crc=crc, last=last, rising=rising, checked=False)
        for stream, (stored, crc, last, rising) in held["rows"].items()
    }


def discard(folder: Path) -> None:
    """Remove the cache."""
    with suppress(OSError):
        (folder / MANIFEST).unlink(missing_ok=True)
        clear(folder)
