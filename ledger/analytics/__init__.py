"""Read models: marts in DuckDB, snapshots of them, one SELECT at a time; the archive in Parquet.

A name is loaded when it is first asked for: what only reads loads no rules engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.analytics.archive import (
        ArchivedFile,
        ArchiveManifest,
        Difference,
        archived_days,
        read_manifest,
        verify_archive,
        write_archive,
    )
    from ledger.analytics.build import build_day
    from ledger.analytics.code_fingerprint import code_hash
    from ledger.analytics.errors import (
        ArchiveMissing,
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
    from ledger.analytics.query import Selection, run_select
    from ledger.analytics.round_line import RoundLine
    from ledger.analytics.round_lists import RoundList, list_rounds
    from ledger.analytics.staged_rows import stage_table
    from ledger.analytics.staged_table import StagedTable
else:
    load_on_first_use(__name__)

__all__ = [
    "ArchiveManifest",
    "ArchiveMissing",
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
    "Projection",
    "ProjectionBroken",
    "ProjectionStale",
    "ProjectionState",
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
    "WhenStale",
    "archived_days",
    "build_day",
    "code_hash",
    "export_marts",
    "inspect_projection",
    "judged_by",
    "list_rounds",
    "marts",
    "open_projection",
    "prove_entries",
    "read_manifest",
    "read_model",
    "rebuild_projection",
    "run_select",
    "stage_table",
    "verify_archive",
    "write_archive",
]
