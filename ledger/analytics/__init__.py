"""Read models in DuckDB: staging, marts, snapshots, and one SELECT at a time.

Importing this loads duckdb, pyarrow and the rules engine: a command line imports it when needed.
"""

from ledger.analytics.marts import Column, Invariant, Mart, marts
from ledger.analytics.query import Selection, run_select
from ledger.analytics.refusals import (
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
from ledger.analytics.snapshot import (
    Projection,
    ProjectionState,
    WhenStale,
    inspect_projection,
    open_projection,
    rebuild_projection,
)

__all__ = [
    "CacheUnwritable",
    "Column",
    "Invariant",
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
    "Selection",
    "WhenStale",
    "inspect_projection",
    "marts",
    "open_projection",
    "rebuild_projection",
    "run_select",
]
