"""One SELECT on an archive where it lies, for ``pitledger sql --archive``.

The manifests are proved here, by keys that the reader trusts; the files in the sandbox, block by
block (``archive_sandbox``). Nothing else that lies beside them is read.
"""

from __future__ import annotations

import os
import time
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ledger.analytics import query
from ledger.analytics.errors import ArchiveMissing
from ledger.analytics.marts import Column, Mart
from ledger.analytics.object_store import ObjectStore, is_address, open_store
from ledger.analytics.published_archive import ProvedDay, proved_days
from ledger.analytics.query import Selection
from ledger.analytics.store_errors import StoredObjectAltered, StoreUnreachable
from ledger.log.signed_file_index import Seals

if TYPE_CHECKING:
    from ledger.analytics.archive_sandbox import ArchiveOrder, OrderedFile

SANDBOX: Final = Path(__file__).with_name("archive_sandbox.py")
CREDENTIALS: Final = ("HOME", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "SSL_CERT_FILE")
"""Environment variables beside AWS's own that the library of an address reads."""
AWS: Final = "AWS_"


def run_archive_select(
    archive: str,
    text: str,
    seals: Seals,
    *,
    timeout: float = query.TIMEOUT_SECONDS,
    max_rows: int = query.MAX_ROWS,
    memory_mb: int = query.MEMORY_MB,
    threads: int = query.THREADS,
) -> Selection:
    """Run exactly one SELECT on the facts of an archive; the one table is ``facts``.

    Args:
        archive: its folder or address.
        text: the SELECT.
        seals: with the keys that the reader trusts.
        timeout, max_rows, memory_mb, threads: as for ``run_select``.

    Returns:
        The rows; ``tree_size`` and ``root`` are those of the latest state that a day is of.

    Raises:
        ArchiveMissing: it has no day.
        ArchiveUnproved, ArchiveUnreadable: a day is not what a trusted key sealed.
        StoredObjectAltered: a block that was read is not what the manifest lists.
        StoreUnreachable, StoreDenied, StoreBucketMissing: the address cannot be read.
        LedgerError: as ``run_select`` raises them.
    """
    query.require_usable(text, timeout, max_rows, memory_mb, threads)
    store = open_store(archive)
    days = proved_days(store, seals, is_folder=not is_address(archive))
    if not days:
        raise ArchiveMissing(None, store.address)
    latest = max((day.manifest for day in days), key=lambda one: one.tree_size)
    order: ArchiveOrder = {
        "marts": {},
        "comments": query.comments([archive_table()]) if "comment" in text.lower() else "",
        "query": text,
        "timeout": timeout,
        "max_rows": max_rows,
        "memory_mb": memory_mb,
        "threads": threads,
        "address": _address(store),
        "archive": _ordered(days),
    }
    begun = time.monotonic()
    inherited = (
        *query.INHERITED,
        *CREDENTIALS,
        *(one for one in os.environ if one.startswith(AWS)),
    )
    answer = query.ask_sandbox(order, SANDBOX.parent, timeout, SANDBOX, inherited)
    _refuse(answer)
    state = (latest.tree_size, latest.root, latest.tree_size)
    return query.selection_of(answer, state, timeout, time.monotonic() - begun)


def _address(store: ObjectStore) -> str:
    return store.root if store.protocol == "file" else store.address


def _ordered(days: list[ProvedDay]) -> list[OrderedFile]:
    """The files of all days, as the sandbox is told."""
    return [
        {
            "gaming_day": day.manifest.gaming_day.isoformat(),
            "stream": file.stream,
            "name": day.names[file.path],
            "bytes": file.bytes,
            "blocks": list(file.blocks),
        }
        for day in days
        for file in day.manifest.files
    ]


def _refuse(answer: dict[str, Any]) -> None:
    """Refuse what the sandbox could not prove or fetch.

    Raises:
        StoredObjectAltered, StoreUnreachable: with what it said.
    """
    where, _, reason = str(answer.get("said", "")).partition("\n")
    match answer.get("code"):
        case "altered":
            raise StoredObjectAltered(where, reason)
        case "unreachable":
            raise StoreUnreachable(where, reason)


def archive_table() -> Mart:
    """Return what the table of an archive holds and what its columns mean."""
    raw = files("ledger.analytics").joinpath("archive_facts.toml").read_text(encoding="utf-8")
    entry: dict[str, Any] = tomllib.loads(raw)
    return Mart(
        name=entry["name"],
        grain=entry["grain"],
        key=tuple(entry["key"]),
        columns=tuple(Column(**column) for column in entry["columns"]),
        invariants=(),
        select="",
    )
