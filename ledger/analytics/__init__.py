"""Read models: marts in DuckDB, snapshots of them, one SELECT at a time; the archive in Parquet.

A name is loaded when it is first asked for: what only reads loads no rules engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.analytics.archive import (
        Difference,
        archived_days,
        verify_archive,
        write_archive,
    )
    from ledger.analytics.archive_manifest import (
        ArchivedFile,
        ArchiveManifest,
        read_manifest,
    )
    from ledger.analytics.archive_query import archive_table, run_archive_select
    from ledger.analytics.build import build_day
    from ledger.analytics.code_fingerprint import code_hash
    from ledger.analytics.errors import (
        ArchiveFileTooLarge,
        ArchiveMissing,
        ArchiveOvertaken,
        ArchiveUnproved,
        ArchiveUnreadable,
        CacheUnwritable,
        ProjectionBroken,
        ProjectionStale,
        QueryFailed,
        QueryNotOneSelect,
        QueryRefused,
        QueryTimedOut,
        QueryTooBig,
        QueryWrong,
    )
    from ledger.analytics.export import export_marts
    from ledger.analytics.judged_tables import (
        JudgedCheck,
        JudgedTable,
        JudgedTables,
    )
    from ledger.analytics.marts import Column, Invariant, Mart, marts
    from ledger.analytics.object_store import ObjectStore, day_named, is_address, open_store
    from ledger.analytics.projection import (
        Projection,
        ProjectionState,
        ReadModel,
        WhenStale,
        inspect_projection,
        judged_by,
        open_projection,
        prove_entries,
        read_model,
        rebuild_projection,
    )
    from ledger.analytics.published_archive import (
        ProvedDay,
        fetch_day,
        proved_days,
        publish_day,
        published_numbers,
        read_published,
    )
    from ledger.analytics.query import Selection, run_select
    from ledger.analytics.round_line import RoundLine
    from ledger.analytics.round_lists import RoundList, list_rounds
    from ledger.analytics.staged_rows import stage_table
    from ledger.analytics.staged_table import StagedTable
    from ledger.analytics.store_errors import (
        StoreAddressWrong,
        StoreBucketMissing,
        StoreDenied,
        StoredObjectAltered,
        StoreLibraryMissing,
        StoreNotConditional,
        StoreUnreachable,
    )
else:
    load_on_first_use(__name__)

__all__ = [
    "ArchiveFileTooLarge",
    "ArchiveManifest",
    "ArchiveMissing",
    "ArchiveOvertaken",
    "ArchiveUnproved",
    "ArchiveUnreadable",
    "ArchivedFile",
    "CacheUnwritable",
    "Column",
    "Difference",
    "Invariant",
    "JudgedCheck",
    "JudgedTable",
    "JudgedTables",
    "Mart",
    "ObjectStore",
    "Projection",
    "ProjectionBroken",
    "ProjectionStale",
    "ProjectionState",
    "ProvedDay",
    "QueryFailed",
    "QueryNotOneSelect",
    "QueryRefused",
    "QueryTimedOut",
    "QueryTooBig",
    "QueryWrong",
    "ReadModel",
    "RoundLine",
    "RoundList",
    "Selection",
    "StagedTable",
    "StoreAddressWrong",
    "StoreBucketMissing",
    "StoreDenied",
    "StoreLibraryMissing",
    "StoreNotConditional",
    "StoreUnreachable",
    "StoredObjectAltered",
    "WhenStale",
    "archive_table",
    "archived_days",
    "build_day",
    "code_hash",
    "day_named",
    "export_marts",
    "fetch_day",
    "inspect_projection",
    "is_address",
    "judged_by",
    "list_rounds",
    "marts",
    "open_projection",
    "open_store",
    "prove_entries",
    "proved_days",
    "publish_day",
    "published_numbers",
    "read_manifest",
    "read_model",
    "read_published",
    "rebuild_projection",
    "run_archive_select",
    "run_select",
    "stage_table",
    "verify_archive",
    "write_archive",
]
