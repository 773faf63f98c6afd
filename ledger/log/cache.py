"""The cache of a ledger: what its entries say, so that nobody has to read them all again.

What it says decides what a writer skips, refuses and signs. So the ledger's key seals it
(``signed_file_index.py``), with a tree size and root that the tree itself must bear out;
without that seal it is made again from the entries, and so it is at the least doubt.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol, TypedDict

from ledger.codec import key_of
from ledger.log.entry import ACCEPTED, coordinates_of, decode, facts_in, unwrap
from ledger.log.index import Index, StreamRows, clear
from ledger.log.known_keys_and_offsets import AppendState, Spans, quarantine_mark, spans_of
from ledger.log.note import Signer, Verifier
from ledger.log.port import Quarantined, SchemaUsed
from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.log.stream_writers import StreamWriters, registration_ids, terminal_of

MANIFEST: Final = "known.json"
FORMAT: Final = 5
KIND: Final = "append-state"
"""What the manifest is called in the index that seals it."""


class Manifest(TypedDict):
    """The body of the cache as JSON: what the next append needs, and what each file of rows is."""

    format: int
    size: int
    root: str
    """Lower-case hexadecimal, as are ``schemas`` and ``marks``."""
    keys: dict[str, list[tuple[int, int]]]
    schemas: list[str]
    offsets: list[tuple[str, int, int, int]]
    """Topic, partition, offset, position."""
    marks: list[str]
    terminals: dict[str, list[str]]
    """Stream -> the terminals that are registered for it."""
    proven: list[str]
    """Streams of which a fact came by a terminal's own topic."""
    rows: dict[str, tuple[int, int, int, int, bool]]
    """Stream -> rows in its files, checksums of places and of numbers, last number, whether they
    only rise."""
    dates: dict[str, list[tuple[int, int]]]
    """Stream -> days since 1970 in UTC, with how many facts each has."""


class Source(Protocol):
    """A log that a cache is about."""

    @property
    def origin(self) -> str:
        """Its name."""

    @property
    def size(self) -> int:
        """Its size."""

    @property
    def verifier(self) -> Verifier:
        """Its public key."""

    def root_at(self, size: int) -> bytes:
        """Its root at an earlier size."""

    def bundles(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, list[bytes]]]:
        """Its entries."""


def load(
    folder: Path | None, source: Source, *, writable: bool = False
) -> tuple[AppendState, Index]:
    """What a log's entries say: from the cache as far as it holds, the rest from the entries.

    Only the one writer of a log may ask for a writable cache.

    Args:
        folder: that of the cache; None reads every entry.
        source: the log.
        writable: whether the cache may be brought up to date.
    """
    if writable and folder is not None:
        folder.mkdir(exist_ok=True)
    manifest = _manifest_of(folder, source)
    known = AppendState() if manifest is None else _known_of(manifest)
    if manifest is None and writable and folder is not None:
        clear(folder)  # of an earlier version, or of another ledger
    index = Index(folder, known, writable=writable)
    if manifest is not None:
        dates = {stream: dict(dates) for stream, dates in manifest["dates"].items()}
        index.take_over(_rows_of(manifest, known), dates)
    index.attach(lambda: rebuild_index(source))
    learn(source, known, index)
    return known, index


def rebuild_index(source: Source) -> Index:
    """The index of a log from its entries alone, in memory."""
    known = AppendState()
    index = Index(None, known)
    learn(source, known, index)
    return index


def learn(source: Source, known: AppendState, index: Index) -> None:
    """Take in the entries that are not yet known."""
    ids = registration_ids()
    for first, bundle in source.bundles(known.size):
        rows: dict[str, list[int]] = {}
        registrations: set[int] = set()
        for position, _, framed in facts_in(first, bundle):
            stream, seq, event_time = key_of(framed)
            known.keys.setdefault(stream, Spans()).add(seq)
            rows.setdefault(stream, []).extend((seq, position, event_time))
            if framed[1:5] in ids:
                registrations.add(position)
        for stream, own in rows.items():
            index.add(stream, own)
        for position, entry in enumerate(bundle, first):
            _learn_rest(known, position, entry, registers=position in registrations)
        known.size = first + len(bundle)


def _learn_rest(known: AppendState, position: int, entry: bytes, *, registers: bool) -> None:
    """What an entry says beside the key of a fact; ``registers``: it says who may write."""
    if entry[0] == ACCEPTED:
        place = coordinates_of(entry)
        if place is not None:
            known.note_offset(*place, position)
        if registers or (place is not None and terminal_of(place.topic) is not None):
            unwrapped = unwrap(entry)
            assert unwrapped is not None
            framed = unwrapped[1]
            known.writers.note(key_of(framed)[0], None if place is None else place.topic, framed)
        return
    decoded = decode(entry)
    if isinstance(decoded, SchemaUsed):
        known.schemas.add(decoded.id.to_bytes(4, "big"))
    elif isinstance(decoded, Quarantined):
        known.marks.add(quarantine_mark(decoded.reason, decoded.sha256))
        if decoded.coordinates is not None:
            known.note_offset(*decoded.coordinates, position)


# ---------------------------------------------------------------- on disk


def save(folder: Path, signer: Signer, root: bytes, known: AppendState, index: Index) -> None:
    """Write the cache, sealed by the ledger's key; it need not be durable, only whole.

    Args:
        folder: that of the cache.
        signer: the ledger's private key.
        root: the tree hash of the entries that are known.
        known: what they say.
        index: where each of their facts stands.
    """
    with suppress(OSError):  # a shortcut that cannot be written is done without
        folder.mkdir(exist_ok=True)
        index.flush()
        body = json.dumps(_manifest(root, known, index), separators=(",", ":")).encode()
        SealedFolder(folder, KIND, Seals(signer.verifier, signer)).write(MANIFEST, [body])


def _manifest(root: bytes, known: AppendState, index: Index) -> Manifest:
    return {
        "format": FORMAT,
        "size": known.size,
        "root": root.hex(),
        "keys": {stream: spans.intervals() for stream, spans in known.keys.items()},
        "schemas": sorted(schema.hex() for schema in known.schemas),
        "offsets": [
            (topic, partition, offset, position)
            for (topic, partition), (offset, position) in known.offsets.items()
        ],
        "marks": sorted(mark.hex() for mark in known.marks),
        "terminals": {stream: sorted(names) for stream, names in known.writers.terminals.items()},
        "proven": sorted(known.writers.proven),
        "rows": {
            stream: (rows.stored, rows.crc, rows.crc_of_seqs, rows.last, rows.rising)
            for stream, rows in index.table.items()
        },
        "dates": {stream: list(dates.items()) for stream, dates in index.dates.items()},
    }


def _manifest_of(folder: Path | None, source: Source) -> Manifest | None:
    """The manifest of a folder, if the ledger's key signed it, and for this very history."""
    if folder is None:
        return None
    body = SealedFolder(folder, KIND, Seals(source.verifier)).read(MANIFEST)
    if body is None:
        return None
    manifest: Manifest = json.loads(body)
    if manifest["format"] != FORMAT or manifest["size"] > source.size:
        return None
    return manifest if source.root_at(manifest["size"]).hex() == manifest["root"] else None


def _known_of(manifest: Manifest) -> AppendState:
    return AppendState(
        size=manifest["size"],
        keys={stream: spans_of(spans) for stream, spans in manifest["keys"].items()},
        schemas={bytes.fromhex(schema) for schema in manifest["schemas"]},
        offsets={(topic, part): (offset, at) for topic, part, offset, at in manifest["offsets"]},
        marks={bytes.fromhex(mark) for mark in manifest["marks"]},
        writers=StreamWriters(
            {stream: set(names) for stream, names in manifest["terminals"].items()},
            set(manifest["proven"]),
        ),
    )


def _rows_of(manifest: Manifest, known: AppendState) -> dict[str, StreamRows]:
    return {
        stream: StreamRows(
            stored=stored,
            crc=crc,
            crc_of_seqs=crc_of_seqs,
            last=last,
            rising=rising,
            checked=False,
            spans=spans_of(known.keys[stream].intervals()) if rising else Spans(),
        )
        for stream, (stored, crc, crc_of_seqs, last, rising) in manifest["rows"].items()
    }


def discard(folder: Path) -> None:
    """Remove the cache."""
    with suppress(OSError):
        (folder / MANIFEST).unlink(missing_ok=True)
        clear(folder)
