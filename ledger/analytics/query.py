"""One SELECT on a ledger's projection, for ``pitledger sql``: what it may do, and its answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ledger.analytics.errors import (
    ProjectionStale,
    QueryFailed,
    QueryNotOneSelect,
    QueryRefused,
    QueryTimedOut,
    QueryTooBig,
    QueryWrong,
)
from ledger.analytics.mart_files import quoted
from ledger.analytics.projection import Projection, WhenStale, open_projection, prove_entries
from ledger.kernel import LedgerError, UsageError
from ledger.kernel.quick_dataclass import dataclass

if TYPE_CHECKING:
    from ledger.analytics import query_sandbox
    from ledger.analytics.build import Progress
    from ledger.analytics.marts import Mart

TIMEOUT_SECONDS: Final = 30.0
MAX_ROWS: Final = 10_000
MEMORY_MB: Final = 512
THREADS: Final = 2

QUERY_BYTES: Final = 100_000
MOST_ROWS: Final = 1_000_000
LONGEST_SECONDS: Final = 3_600.0
GRACE_SECONDS: Final = 2.0
"""How long a query may outlast its time limit before its process is ended."""
SWAPS: Final = 5
"""How often a query is asked again because a new snapshot took the place of the one just opened."""

SANDBOX: Final = Path(__file__).with_name("query_sandbox.py")
INHERITED: Final = ("LD_LIBRARY_PATH", "SYSTEMROOT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a SELECT gave.

    Values are plain JSON: whole numbers exact, decimals as text, dates and times in ISO form, bytes
    as hex. ``cut`` says that there were more rows than were asked for. ``tree_size`` and ``root``
    are those of the ledger's state that was read, ``ledger_size`` is the ledger's size now.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    cut: bool
    tree_size: int
    root: str
    ledger_size: int
    seconds: float

    def objects(self) -> list[dict[str, object]]:
        """The rows as objects; a name that comes twice is told apart by a number."""
        names: list[str] = []
        for column in self.columns:
            name, number = column, 1
            while name in names:
                number += 1
                name = f"{column}_{number}"
            names.append(name)
        return [dict(zip(names, row, strict=True)) for row in self.rows]


def run_select(
    folder: Path,
    query: str,
    *,
    timeout: float = TIMEOUT_SECONDS,
    max_rows: int = MAX_ROWS,
    memory_mb: int = MEMORY_MB,
    threads: int = THREADS,
    when_stale: WhenStale = "rebuild",
    where: Path | None = None,
    progress: Progress | None = None,
) -> Selection:
    """Run exactly one SELECT on the marts of a ledger.

    Args:
        folder: the ledger.
        query: the SELECT.
        timeout: seconds that the query may take; a rebuild of the projection does not count.
        max_rows: how many rows are given at most.
        memory_mb: megabytes that it may take.
        threads: how many threads it may use.
        when_stale: what to do where the projection is not of the ledger's present state.
        where: the folder of the projection, if it is not the ledger's own cache.
        progress: for a rebuild, told of each gaming day.

    Raises:
        QueryNotOneSelect, QueryWrong, QueryRefused: exit 2.
        QueryTimedOut, QueryTooBig, QueryFailed, ProjectionStale, CacheUnwritable: exit 3.
    """
    require_usable(query, timeout, max_rows, memory_mb, threads)
    is_moved = False
    for _ in range(SWAPS):
        projection = open_projection(
            folder,
            when_stale=when_stale,
            where=where,
            is_read_whole=is_moved,
            progress=progress,
        )
        prove_entries(folder, projection)
        order: query_sandbox.Order = {
            "marts": _marts(projection),
            "comments": comments() if "comment" in query.lower() else "",
            "query": query,
            "timeout": timeout,
            "max_rows": max_rows,
            "memory_mb": memory_mb,
            "threads": threads,
        }
        begun = time.monotonic()
        answer = ask_sandbox(order, projection.path, timeout)
        if answer.get("code") != "moved":
            state = (projection.tree_size, projection.root, projection.ledger_size)
            return selection_of(answer, state, timeout, time.monotonic() - begun)
        is_moved = True
    raise ProjectionStale("it was replaced again and again while being opened", str(folder))


def _marts(projection: Projection) -> dict[str, query_sandbox.OrderedMart]:
    """What a query can name, as the sandbox is told."""
    folder = projection.path.resolve()
    marts: dict[str, query_sandbox.OrderedMart] = {
        name: {
            "select": projection.select(name),
            "files": {
                str(folder / file): digest for file, digest in projection.files(name).items()
            },
        }
        for name in projection.columns
    }
    return {**marts, "projection": {"select": projection.about, "files": {}}}


def comments(tables: Iterable[Mart] | None = None) -> str:
    """Return the statements that say what each mart and each of its columns means.

    Args:
        tables: other tables than the marts.
    """
    from ledger.analytics.marts import marts

    lines = []
    for mart in marts() if tables is None else tables:
        lines.append(f"COMMENT ON VIEW {mart.name} IS {quoted(mart.grain)}")
        for column in mart.columns:
            of = f'{mart.name}."{column.name}"'
            lines.append(f"COMMENT ON COLUMN {of} IS {quoted(column.about)}")
    return "; ".join(lines)


def require_usable(query: str, timeout: float, max_rows: int, memory_mb: int, threads: int) -> None:
    """Require a query and limits that can be handed on; arguments as for ``run_select``.

    Raises:
        QueryWrong, UsageError: they cannot.
    """
    try:
        size = len(query.encode())
    except UnicodeEncodeError as error:
        raise QueryWrong("it is not text that can be written as UTF-8") from error
    if size > QUERY_BYTES:
        raise UsageError(f"A query has at most {QUERY_BYTES:,} bytes.")
    if not 0 < timeout <= LONGEST_SECONDS:
        raise UsageError(f"A time limit lies above 0 and up to {LONGEST_SECONDS:g} s.")
    if not 1 <= max_rows <= MOST_ROWS:
        raise UsageError(f"From 1 to {MOST_ROWS:,} rows can be asked for.")
    if memory_mb < 32 or threads < 1:
        raise UsageError("A query needs at least 32 MB and one thread.")


def ask_sandbox(
    order: query_sandbox.Order,
    folder: Path,
    timeout: float,
    sandbox: Path | None = None,
    inherited: Iterable[str] = INHERITED,
) -> dict[str, Any]:
    """Run the query in a sandboxed subprocess; return its answer as parsed JSON.

    Args:
        order: what is asked.
        folder: where it runs.
        timeout: seconds that the query may take.
        sandbox: the file that is started; None starts that for the marts.
        inherited: the environment variables that it is told.
    """
    kept = {name: os.environ[name] for name in inherited if name in os.environ}
    try:
        done = subprocess.run(
            [sys.executable, "-I", str(sandbox or SANDBOX)],
            input=json.dumps(order).encode(),
            capture_output=True,
            env={"TZ": "UTC", "LC_ALL": "C.UTF-8", "HOME": os.devnull} | kept,
            cwd=folder,
            timeout=timeout + GRACE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"code": "timeout"}
    if done.returncode == 0 and done.stdout:
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer
    last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    ended = f"signal {-done.returncode}" if done.returncode < 0 else f"exit {done.returncode}"
    return {"code": "failed", "said": last or ended}


def selection_of(
    answer: dict[str, Any], state: tuple[int, str, int], timeout: float, seconds: float
) -> Selection:
    """Return what a sandbox answered.

    Args:
        answer: its answer.
        state: size and root of the tree that was read, and the ledger's size now.
        timeout: seconds that the query might take.
        seconds: that it took.

    Raises:
        QueryNotOneSelect, QueryWrong, QueryRefused, QueryTimedOut, QueryTooBig, QueryFailed: it
            refused.
    """
    if "code" in answer:
        raise _refusal(answer["code"], answer.get("said", ""), timeout)
    head = answer["head"]
    tree_size, root, ledger_size = state
    return Selection(
        columns=tuple(head["columns"]),
        types=tuple(head["types"]),
        rows=tuple(tuple(row) for row in answer["rows"]),
        cut=head["cut"],
        tree_size=tree_size,
        root=root,
        ledger_size=ledger_size,
        seconds=seconds,
    )


def _refusal(code: str, detail: str, timeout: float) -> LedgerError:
    match code:
        case "not_one_select":
            return QueryNotOneSelect(detail)
        case "wrong":
            return QueryWrong(detail)
        case "refused":
            return QueryRefused(detail)
        case "timeout":
            return QueryTimedOut(timeout)
        case "too_big":
            return QueryTooBig(detail)
    return QueryFailed(detail)
