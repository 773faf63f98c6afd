"""One SELECT and nothing else: what it gives, and how hostile ones end."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from pathlib import Path

import pytest

from ledger.analytics import (
    Projection,
    QueryFailed,
    QueryNotOneSelect,
    QueryRefused,
    QueryTimedOut,
    QueryTooBig,
    QueryWrong,
    Selection,
    query,
    run_select,
)
from ledger.analytics.query_sandbox import CATALOG
from ledger.kernel import LedgerError, UsageError

NOT_ONE_SELECT = (
    "",
    "-- nothing",
    ";",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE wagers",
    "COPY wagers TO 'stolen.csv'",
    "COPY (SELECT * FROM wagers) TO '/dev/stdout'",
    "ATTACH 'other.duckdb'",
    "DETACH projection",
    "PRAGMA database_list",
    "PRAGMA enable_profiling",
    "CALL pragma_version()",
    "CALL enable_logging(storage = 'file', storage_path = 'logs')",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET memory_limit = '100GB'",
    "RESET memory_limit",
    "SET lock_configuration = false",
    "SET VARIABLE a = 1",
    "USE memory",
    "CREATE TABLE t (a INTEGER)",
    "CREATE TEMP TABLE t AS SELECT 1",
    "CREATE MACRO m() AS 1",
    "INSERT INTO wagers FROM wagers",
    "UPDATE wagers SET stake_cents = 0",
    "DELETE FROM wagers",
    "DROP TABLE wagers",
    "ALTER TABLE wagers ADD COLUMN a INTEGER",
    "TRUNCATE wagers",
    "MERGE INTO wagers USING wagers AS w ON true WHEN MATCHED THEN DELETE",
    "EXPLAIN ANALYZE SELECT 1",
    "PREPARE p AS SELECT 1",
    "BEGIN",
    "CHECKPOINT",
    "VACUUM",
    "EXPORT DATABASE 'out'",
    "IMPORT DATABASE 'out'",
)
REFUSED = (
    "SELECT * FROM read_csv('/etc/hostname')",
    "SELECT * FROM read_text('/etc/hostname')",
    "SELECT * FROM read_blob('lock')",
    "SELECT * FROM read_parquet('x.parquet')",
    "SELECT * FROM read_json('x.json')",
    "SELECT * FROM read_text('head')",
    "SELECT * FROM read_duckdb('other.duckdb')",
    "SELECT * FROM read_csv('https://example.com/x.csv')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM sniff_csv('/etc/hostname')",
    "SELECT * FROM duckdb_secrets()",
    "WITH gone AS (DELETE FROM wagers RETURNING *) SELECT * FROM gone",
    "WITH more AS (INSERT INTO wagers FROM wagers RETURNING *) SELECT * FROM more",
    "SELECT * FROM enable_logging(storage = 'file', storage_path = 'logs')",
    "SELECT * FROM enable_profiling(save_location = 'profile.json')",
)
WRONG = (
    "SELEC 1",
    "SELECT * FROM nothing",
    "SELECT * FROM '/etc/hostname'",
    "SELECT nothing FROM wagers",
    "SELECT getenv('HOME')",
    "SELECT * FROM order",
    "SELECT * FROM settings",
    "SELECT * FROM query('DROP TABLE wagers')",
    "SELECT set_config('memory_limit', '1GB')",
    "SELECT CAST('x' AS INTEGER)",
    "SELECT ?",
    "SELECT $name",
    "SELECT * INTO stolen FROM wagers",
    "SELECT INTERVAL 1 MONTH AS a_month",
    "SELECT [TIMESTAMP_NS '2021-06-12 00:00:00.123456789'] AS rounded",
    "SELECT * FROM python_map_function(1)",
    "SELECT * FROM arrow_scan(1, 2, 3)",
    "SELECT 'half a pair \ud800'",
)
BOMBS = (
    "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r) SELECT count(*) FROM r",
    "SELECT count(*) FROM range(10000000000) a, range(10000000000) b WHERE a.range % 7 = b.range",
    "SELECT * FROM wagers a, wagers b, wagers c, wagers d ORDER BY a.wager || b.wager || c.wager",
    "SELECT repeat('x', 2000000000)",
    "SELECT length(repeat('x', 2000000000))",
    "SELECT list(range) FROM range(10000000000)",
    "SELECT " + "(" * 40_000 + "1" + ")" * 40_000,
    "SELECT " + "+".join("1" * 1 for _ in range(40_000)),
    "SELECT regexp_matches(repeat('a', 10000000), '(a+)+$') FROM range(100000)",
)


def ask(folder: Path, query: str, **options: object) -> Selection:
    return run_select(folder, query, when_stale="refuse", **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module", autouse=True)
def built(projection: Projection) -> None:
    """The projection stands before the first query."""


def held(folder: Path) -> set[tuple[str, int]]:
    return {(path.name, path.stat().st_mtime_ns) for path in (folder / "cache").iterdir()}


@pytest.mark.row_by_row
@pytest.mark.parametrize("query", NOT_ONE_SELECT)
def test_it_is_exactly_one_select(two_days: Path, query: str) -> None:
    before = held(two_days)
    with pytest.raises(QueryNotOneSelect) as refusal:
        ask(two_days, query)
    assert (refusal.value.code, refusal.value.exit_code) == ("sql_not_one_select", 2)
    assert held(two_days) == before


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("query", REFUSED)
def test_nothing_else_is_in_reach(two_days: Path, query: str) -> None:
    ask(two_days, "SELECT 1")  # whoever asks first keeps what was proved
    before = held(two_days)
    with pytest.raises(QueryRefused) as refusal:
        ask(two_days, query)
    assert (refusal.value.code, refusal.value.exit_code) == ("sql_refused", 2)
    assert held(two_days) == before


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("query", WRONG)
def test_a_wrong_query_says_so(two_days: Path, query: str) -> None:
    order = {"order": "a Python variable is not in reach"}
    with pytest.raises(QueryWrong) as refusal:
        ask(two_days, query)
    assert (refusal.value.code, refusal.value.exit_code) == ("sql_wrong", 2)
    assert order


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("query", BOMBS, ids=lambda query: query[:40])
def test_a_bomb_ends_in_time_and_in_memory(two_days: Path, query: str) -> None:
    before, begun = held(two_days), time.monotonic()
    with suppress(QueryTimedOut, QueryTooBig, QueryWrong, QueryFailed):
        assert len(ask(two_days, query, timeout=2, memory_mb=128).rows) <= 10_000
    assert time.monotonic() - begun < 15
    assert held(two_days) == before


def test_a_time_limit_is_kept(two_days: Path) -> None:
    with pytest.raises(QueryTimedOut) as refusal:
        ask(two_days, BOMBS[0], timeout=0.5)
    assert refusal.value.seconds == 0.5
    assert (refusal.value.code, refusal.value.exit_code) == ("sql_timeout", 3)


def test_an_endless_answer_is_stopped(two_days: Path) -> None:
    with pytest.raises(QueryTooBig) as refusal:
        ask(two_days, "SELECT repeat('x', 1000000) FROM range(1000000)")
    assert (refusal.value.code, refusal.value.exit_code) == ("sql_too_big", 3)


def test_the_row_limit_says_when_it_cut(two_days: Path) -> None:
    all_rows = ask(two_days, "SELECT count(*) AS n FROM wagers").objects()[0]["n"]
    cut = ask(two_days, "FROM wagers", max_rows=all_rows - 1)
    assert (len(cut.rows), cut.cut) == (all_rows - 1, True)
    whole = ask(two_days, "FROM wagers", max_rows=all_rows)
    assert (len(whole.rows), whole.cut) == (all_rows, False)
    assert ask(two_days, "FROM wagers, wagers AS b", max_rows=3).cut


@pytest.mark.by_turns(3)
@pytest.mark.parametrize(
    "query",
    [
        "SELECT 1",
        "select 1;",
        "SELECT 1; -- and no more",
        "/* ; */ SELECT ';' AS a",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "VALUES (1), (2)",
        "TABLE rounds",
        "FROM rounds LIMIT 1",
        "DESCRIBE wagers",
        "SHOW TABLES",
        "SUMMARIZE rounds",
        "(SELECT 1 UNION ALL SELECT 2)",
        "SELECT * FROM query('SELECT 1')",
    ],
)
def test_every_form_of_a_select_runs(two_days: Path, query: str) -> None:
    assert ask(two_days, query).rows


@pytest.mark.by_turns(3)
@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("NULL", None),
        ("TRUE", True),
        ("9007199254740993", 9007199254740993),
        ("CAST('170141183460469231731687303715884105727' AS HUGEINT)", 2**127 - 1),
        ("CAST(1.10 AS DECIMAL(5, 2))", "1.10"),
        ("CAST('12345678901234567890.12345' AS DECIMAL(38, 5))", "12345678901234567890.12345"),
        ("CAST(0.5 AS DOUBLE)", 0.5),
        ("CAST('nan' AS DOUBLE)", "NaN"),
        ("CAST('-inf' AS DOUBLE)", "-Infinity"),
        ("DATE '2021-06-12'", "2021-06-12"),
        ("TIMESTAMP '2021-06-12 08:53:20.179915'", "2021-06-12T08:53:20.179915"),
        ("TIMESTAMPTZ '2021-06-12 08:53:20-04'", "2021-06-12T12:53:20+00:00"),
        ("TIME '08:53:20'", "08:53:20"),
        ("CAST('\\xAB' AS BLOB)", "ab"),
        ("CAST('00000000-0000-0000-0000-000000000001' AS UUID)", "00000000-0000-0000-0000-000000000001"),
        ("[1, NULL, 3]", [1, None, 3]),
        ("{'a': DATE '2021-06-12', 'b': [1.5]}", {"a": "2021-06-12", "b": ["1.5"]}),
        ("map {1: 'a'}", {"1": "a"}),
        ("'a' || chr(0) || '§'", "a\0§"),
    ],
)  # fmt: skip
def test_values_are_plain_and_exact(two_days: Path, expression: str, value: object) -> None:
    found = ask(two_days, f"SELECT {expression} AS v")
    assert found.columns == ("v",)
    assert json.loads(json.dumps(found.objects(), allow_nan=False)) == [{"v": value}]


def test_names_that_come_twice_are_told_apart(two_days: Path) -> None:
    assert ask(two_days, "SELECT 1 AS a, 2 AS a, 3 AS a").objects() == [
        {"a": 1, "a_2": 2, "a_3": 3}
    ]


def test_it_says_which_state_was_read(two_days: Path, projection: Projection) -> None:
    found = ask(two_days, "SELECT tree_size, root FROM projection")
    assert found.rows == ((found.tree_size, found.root),)
    assert (found.tree_size, found.ledger_size) == (projection.tree_size, projection.ledger_size)


def test_the_environment_is_not_handed_on(two_days: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITLEDGER_SECRET_FOR_TEST", "do not tell")
    monkeypatch.setenv("PYTHONPATH", os.fspath(two_days))
    found = ask(two_days, "SELECT * FROM duckdb_settings()")
    assert "do not tell" not in json.dumps(found.rows)


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": 0},
        {"timeout": float("nan")},
        {"timeout": 1e9},
        {"max_rows": 0},
        {"max_rows": 10**9},
        {"memory_mb": 1},
        {"threads": 0},
    ],
)
def test_limits_have_limits(two_days: Path, options: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        ask(two_days, "SELECT 1", **options)


def test_a_query_has_a_longest(two_days: Path) -> None:
    with pytest.raises(UsageError):
        ask(two_days, "SELECT 1 --" + "x" * 200_000)


def test_a_room_that_breaks_down_is_told(
    two_days: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    monkeypatch.setattr(query, "SANDBOX", broken)
    with pytest.raises(QueryFailed) as refusal:
        ask(two_days, "SELECT 1")
    assert isinstance(refusal.value, LedgerError)
    assert (refusal.value.code, refusal.value.exit_code) == ("sql_failed", 3)
    assert "signal 11" in str(refusal.value)


def test_only_what_may_not_name_its_tables_opens_them_all() -> None:
    """Words that only resemble one, as the column ``shown``, do not."""
    named = ("select shown from rounds", "from wagers where wager = 'querying'", "select pg from w")
    unnamed = (
        "show tables",
        "select comment from duckdb_columns()",
        "from information_schema.tables",
        "from pragma_show('rounds')",
        "from show_tables()",
        "from query('from ' || 'rounds')",
        "from query_table('rou' || 'nds')",
        'select * from "pg_catalog".pg_class',
        "from sqlite_master",
    )
    assert [text for text in named if CATALOG.search(text)] == []
    assert [text for text in unnamed if not CATALOG.search(text)] == []
