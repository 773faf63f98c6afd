"""The closed room in which a query of a stranger runs: a process of its own, with nothing in reach.

It is started as a file, reads one order as JSON from stdin, and writes one answer as JSON. DuckDB
is told to touch no file but those of the projection, each held against its SHA-256 first; the
operating system is told that this process writes no file and takes no more than its memory, for
what a single function does in one go cannot be interrupted. Whoever started it ends it when its
time is over.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import resource
import sys
import threading
import time
from collections.abc import Callable, Iterable
from datetime import date, datetime
from datetime import time as clock_time
from decimal import Decimal
from typing import Final, TypedDict
from uuid import UUID

import _duckdb as duckdb  # the engine without its layer of Python, which takes longest to load

FETCH_ROWS: Final = 1_000
ANSWER_BYTES: Final = 64 << 20
"""The longest answer, as JSON."""
MESSAGE_CHARACTERS: Final = 600
HEADROOM_BYTES: Final = 1 << 30
"""What the process may map beyond DuckDB's own limit: the interpreter, libraries, stacks."""
INEXACT: Final = ("INTERVAL", "TIMESTAMP_NS", "TIME_NS", "TIMESTAMPTZ_NS")
"""Types whose values Python would round without a word."""
CATALOG: Final = re.compile(
    r"\b(?:(?:duckdb|pg|pragma|show|sqlite)_\w+|information_schema|show|query|query_table)\b"
)
"""Whole words of a query, in small letters, that may not name the tables it reads."""

Settings = dict[str, str | bool | int | float | list[str]]


class QueryStopped(Exception):
    """The answer cannot be given: a code for the starter, and what to say."""

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class OrderedMart(TypedDict):
    """A table: the SELECT that reads it, and the SHA-256 in hexadecimal of each file, by path."""

    select: str
    files: dict[str, str]


class Order(TypedDict):
    """What the starter asks of the sandbox, as JSON on its standard input.

    ``marts`` are the tables that a query can name, ``comments`` what says what they mean,
    ``timeout`` is in seconds, ``max_rows`` the number of rows after which the answer is cut.
    """

    marts: dict[str, OrderedMart]
    comments: str
    query: str
    timeout: float
    max_rows: int
    memory_mb: int
    threads: int


def settings(memory_mb: int, threads: int) -> Settings:
    """DuckDB's settings for reading a projection: nothing else is in reach, and it stays so.

    Args:
        memory_mb: the most memory that DuckDB may use, in megabytes.
        threads: how many threads it may use.
    """
    return {
        "access_mode": "READ_ONLY",
        "enable_external_access": False,
        "python_enable_replacements": False,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "temp_directory": "",
        "max_temp_directory_size": "0B",
        "memory_limit": f"{memory_mb}MB",
        "threads": threads,
        "lock_configuration": True,
    }


def shut(
    connection: duckdb.DuckDBPyConnection,
    paths: Iterable[str],
    memory_mb: int,
    threads: int,
    *,
    folders: bool = False,
) -> None:
    """Let a database in memory read these files and nothing else, and let it stay so.

    Args:
        connection: to it.
        paths: of the files, absolute.
        memory_mb, threads: as for ``settings``.
        folders: the paths are those of folders, all of whose files may be read.
    """
    kind = "allowed_directories" if folders else "allowed_paths"
    lines = [f"SET {kind} = {[*paths]!r}"]
    for name, setting in settings(memory_mb, threads).items():
        if name not in ("access_mode", "enable_external_access", "lock_configuration"):
            lines.append(f"SET {name} = {setting!r}")
    lines.append("SET enable_external_access = false")
    connection.execute("; ".join(lines))


def lay_out(connection: duckdb.DuckDBPyConnection, order: Order) -> None:
    """Make the tables that a query names, from files that are what they were when sealed.

    Raises:
        QueryStopped: a file is not.
    """
    shut(
        connection,
        [path for mart in order["marts"].values() for path in mart["files"]],
        order["memory_mb"],
        order["threads"],
    )
    text = order["query"].lower()
    named = {name: mart for name, mart in order["marts"].items() if name in text}
    is_spelled = CATALOG.search(text) is None
    for name, mart in (named if is_spelled else order["marts"]).items():
        if not all(_is_whole(path, digest) for path, digest in mart["files"].items()):
            raise QueryStopped("moved")
        connection.execute(f"CREATE VIEW {name} AS {mart['select']}")
    if not is_spelled:
        connection.execute(order["comments"])
    connection.execute("SET lock_configuration = true")


def _is_whole(path: str, digest: str) -> bool:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == digest
    except OSError:
        return False


def only_select(connection: duckdb.DuckDBPyConnection, query: str) -> duckdb.Statement:
    """The one SELECT of a text, by DuckDB's own parser.

    Raises:
        QueryStopped: the text holds no statement, several, or one of another kind.
        duckdb.Error: the text cannot be parsed.
    """
    statements = connection.extract_statements(query)
    if not statements:
        raise QueryStopped("not_one_select", "no statement at all")
    if len(statements) > 1:
        raise QueryStopped("not_one_select", f"{len(statements)} statements")
    kind = statements[0].type
    if kind != duckdb.StatementType.SELECT:
        raise QueryStopped("not_one_select", f"a statement of the kind {kind.name}")
    return statements[0]


def plain(cell: object) -> object:
    """A value as JSON says it: whole numbers exact, decimals as text, times in ISO form.

    Raises:
        QueryStopped: the value is of a kind that JSON cannot show.
    """
    match cell:
        case None | bool() | int() | str():
            return cell
        case float():
            return cell if math.isfinite(cell) else str(Decimal(cell))
        case Decimal():
            return format(cell, "f")
        case datetime() | date() | clock_time():
            return cell.isoformat()
        case bytes() | bytearray() | memoryview():
            return bytes(cell).hex()
        case UUID():
            return str(cell)
        case list() | tuple():
            return [plain(one) for one in cell]
        case dict():
            return {str(key): plain(one) for key, one in cell.items()}
    raise QueryStopped(
        "wrong", f"a value of the kind {type(cell).__name__} cannot be shown; cast it"
    )


def answer(
    order: Order, prepare: Callable[[duckdb.DuckDBPyConnection, Order], None] = lay_out
) -> str:
    """The answer to an order, as JSON: ``head`` (columns, types, whether it is cut) and ``rows``.

    Args:
        order: what is asked.
        prepare: makes the tables, and shuts off everything else.

    Raises:
        QueryStopped: a file of the projection is not what it was, the text is no single SELECT, or
            the answer holds a type that JSON cannot carry exactly.
        duckdb.Error: DuckDB refuses, interrupts or fails the query.
    """
    begun = time.monotonic()
    with duckdb.connect(":memory:") as connection:
        prepare(connection, order)
        timer = threading.Timer(order["timeout"], connection.interrupt)
        timer.daemon = True
        timer.start()
        try:
            select = only_select(connection, order["query"])
            result = connection.execute(select)
            columns = [(str(name), str(kind)) for name, kind, *_ in result.description or ()]
            _refuse_inexact(columns)
            rows, cut = _rows(result, order["max_rows"], begun + order["timeout"])
        finally:
            timer.cancel()
    names, types = [name for name, _ in columns], [kind for _, kind in columns]
    head = {"columns": names, "types": types, "cut": cut}
    return f'{{"head":{json.dumps(head)},"rows":[{",".join(rows)}]}}'


def _refuse_inexact(columns: list[tuple[str, str]]) -> None:
    for name, kind in columns:
        if any(inexact in kind for inexact in INEXACT):
            raise QueryStopped(
                "wrong", f"{name} is of the type {kind}: CAST it AS VARCHAR to show it"
            )


def _rows(
    result: duckdb.DuckDBPyConnection, max_rows: int, deadline: float
) -> tuple[list[str], bool]:
    """Rows as JSON, as they come; whether there were more than may be shown."""
    rows: list[str] = []
    size = 0
    while True:
        fetched = result.fetchmany(min(FETCH_ROWS, max_rows + 1 - len(rows)))
        for row in fetched:
            if len(rows) == max_rows:
                return rows, True
            text = json.dumps([plain(value) for value in row], ensure_ascii=True)
            size += len(text)
            if size > ANSWER_BYTES:
                raise QueryStopped("too_big", f"the answer is longer than {ANSWER_BYTES >> 20} MB")
            rows.append(text)
        if not fetched:
            return rows, False
        if time.monotonic() > deadline:
            raise QueryStopped("timeout")


def limit_process(memory_mb: int, headroom_bytes: int = HEADROOM_BYTES) -> None:
    """Tell the operating system: no file is written, no core left, no more memory than this.

    Args:
        memory_mb: DuckDB's own limit, in megabytes.
        headroom_bytes: what the process may map beyond it.
    """
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    most, allowed = (memory_mb << 20) + headroom_bytes, resource.getrlimit(resource.RLIMIT_AS)[1]
    if allowed != resource.RLIM_INFINITY:
        most = min(most, allowed)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


REFUSED: Final = (
    "only delete from base table",
    "only update base table",
    "is not an table",
    "read-only mode",
    "configuration has been locked",
    "disabled by configuration",
)


def _code(error: duckdb.Error) -> str:
    """What a refusal of DuckDB means to whoever asked."""
    match error:
        case duckdb.InterruptException():
            return "timeout"
        case duckdb.OutOfMemoryException():
            return "too_big"
        case duckdb.PermissionException():
            return "refused"
        case duckdb.IOException() | duckdb.FatalException() | duckdb.InternalException():
            return "failed"
    return "refused" if any(words in str(error) for words in REFUSED) else "wrong"


def run(order: Order, ask: Callable[[Order], str] = answer) -> str:
    """The answer, or as ``code`` and ``said`` why there is none, as JSON.

    Args:
        order: what is asked.
        ask: computes the answer; another function in tests.
    """
    try:
        return ask(order)
    except QueryStopped as stopped:
        code, message = stopped.code, stopped.message
    except MemoryError:
        code, message = "too_big", "out of memory"
    except RecursionError:
        code, message = "wrong", "it is nested too deeply"
    except duckdb.Error as error:
        code = _code(error)
        message = str(error) if code == "wrong" else str(error).partition("\n")[0]
    return json.dumps({"code": code, "said": message[:MESSAGE_CHARACTERS]})


def main() -> None:
    """Read the order from standard input, limit this process, and write the answer."""
    order: Order = json.load(sys.stdin)
    limit_process(order["memory_mb"])
    sys.stdout.write(run(order))


if __name__ == "__main__":
    main()
