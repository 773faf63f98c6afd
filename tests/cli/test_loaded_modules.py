"""Which heavy packages each command may load: the start of every command hangs on it.

A package is here if importing it takes more than 10 ms. A command that needs one more is named in
the table, and that is a decision; a command that needs one less is taken out of it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import given
from tests.cli.given import DAY

HEAVY = (
    *("_duckdb", "altair", "asyncio", "cryptography", "duckdb", "fastapi", "fastavro"),
    *("hypothesis", "jinja2"),
    *(
        "kafka",
        "lark",
        "numpy",
        "openpyxl",
        "pandas",
        "prefect",
        "pyarrow",
        "pydantic_settings",
        "rich",
    ),
    *("scipy", "segno", "vl_convert", "xlsxwriter"),
)

LOG = {"cryptography"}
FACTS = {"cryptography", "numpy"}
"""What reads facts; an answer that was given before needs none."""
LEDGER, OUT = "LEDGER", "OUT"
MAY_LOAD = {
    "law readings": set(),
    "law show sic_bo": set(),
    "law coverage": set(),
    "explain gap": set(),
    "law odds sic_bo": {"jinja2"},
    "schemas list": {"fastavro", "rich"},
    "schemas show WagerPlaced": {"rich"},
    "schemas check": set(),
    "schemas try FILE": {"rich"},
    "schemas asyncapi": set(),
    "config show": {"rich"},
    f"init --origin test.example/loaded --ledger {OUT}": LOG,
    f"checkpoint --ledger {LEDGER}": LOG,
    f"prove 3 --ledger {LEDGER}": LOG,
    f"verify --ledger {LEDGER}": FACTS,
    f"cat --ledger {LEDGER}": FACTS,
    f"people --ledger {LEDGER}": FACTS | {"rich"},
    f"rounds --ledger {LEDGER}": LOG | {"_duckdb", "rich"},
    f"rounds --only unknown --ledger {LEDGER}": LOG | {"_duckdb", "rich"},
    f"actions list --ledger {LEDGER}": LOG,
    f"tables --ledger {LEDGER}": LOG,
    f"whatif SB-01:6 --ledger {LEDGER}": FACTS,
    f"find unknown --ledger {LEDGER}": LOG | {"_duckdb", "lark", "rich"},
    f"history dealer D-1 --ledger {LEDGER}": FACTS | {"_duckdb", "rich"},
    f"audit --day {DAY} --ledger {LEDGER}": FACTS | {"rich"},
    f"pack --round SB-01:6 --out {OUT} --ledger {LEDGER}": FACTS | {"jinja2", "rich", "segno"},
}
PROGRAM = (
    "import sys\nfrom ledger.cli import main\n"
    "code = main(sys.argv[2:])\n"
    "print(*sorted(set(sys.argv[1].split()) & set(sys.modules)), file=sys.stderr)\n"
    "sys.exit(code if code > 1 else 0)"
)


def begun(modules: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A process of its own that runs one command, and tells which of some modules it then has.

    It writes as wide as ``run_here`` does: an answer is kept by its width, too.
    """
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, modules, *words],
        env=os.environ | {"COLUMNS": "100"}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def loaded(*words: str) -> set[str]:
    """The heavy packages that a process of its own loads to run one command."""
    done = begun(" ".join(HEAVY), *words)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("words", MAY_LOAD)
def test_a_command_loads_what_it_needs_and_no_more(words: str, made: Path, tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_text("", encoding="utf-8")
    places = {
        LEDGER: str(made),
        OUT: str(tmp_path / "fresh"),
        "FILE": str(tmp_path / "events.jsonl"),
    }
    command = [places.get(word, word) for word in words.split()]
    if command[0] in ("find", "audit", "rounds", "actions", "tables"):
        for _ in range(2):  # what was judged stands now, then the answer
            given.run_here(*command)
    assert loaded(*command) == MAY_LOAD[words]


@pytest.mark.parametrize(
    "module", ["ledger.events", "ledger.games", "ledger.law", "ledger.codec", "ledger.floor"]
)
def test_a_folder_of_plain_values_loads_nothing_heavy(module: str) -> None:
    program = f"import sys, {module}\nprint(*set({HEAVY!r}) & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


ENGINE = ("audit.table", "casework", "coupons", "games", "house", "rounds.play")
"""What judges; other modules of these folders are values that lists show."""


@pytest.mark.parametrize("words", ["rounds", "actions list", "find unknown", "sql SELECT"])
def test_an_answer_that_stands_needs_no_rules_engine(words: str, made: Path) -> None:
    modules = " ".join(f"ledger.{folder}" for folder in ENGINE)
    query = ["SELECT count(*) FROM rounds"] if words.startswith("sql") else []
    command = [*words.replace(" SELECT", "").split(), *query, "--ledger", str(made)]
    for _ in range(2):
        given.run_here(*command)
    done = begun(modules, *command)
    assert done.returncode == 0, done.stderr
    assert done.stderr.split() == []


JUDGING = (
    *("audit.table", "audit.day", "audit.joined_day", "coupons.forms", "rounds.play"),
    "games.sic_bo",
)


@pytest.mark.parametrize("asked", ["actions list", "tables"])
def test_a_first_question_about_a_day_that_was_judged_loads_no_rules(
    made: Path, asked: str
) -> None:
    modules = " ".join(f"ledger.{module}" for module in JUDGING)
    command = [*asked.split(), "--ledger", str(made)]
    for words in ("rounds", asked):
        given.run_here(*words.split(), "--ledger", str(made))
    shutil.rmtree(made / "cache" / "answers")
    done = begun(modules, *command)
    assert done.returncode == 0, done.stderr
    assert done.stderr.split() == []
