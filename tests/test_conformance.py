"""Every worked example through the product, judged by the examples' own comparison."""

import importlib.util
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.by_turns import TURN
from tests.conformance.run import run
from tests.row_by_row import is_a_row_named

ROOT = Path(__file__).parent.parent
EXAMPLES = Path(__file__).parent / "conformance" / "examples"
PLAYED = tuple(sorted(path.stem for path in EXAMPLES.glob("*.json")))
PARTS = 3
"""Of each file of our own so many parts have their turn; what was given is tried whole each time."""
_spec = importlib.util.spec_from_file_location("compare", EXAMPLES / "compare.py")
assert _spec is not None
assert _spec.loader is not None
compare = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(compare)


@cache
def document(name):
    return json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def blind(name):
    """A file without anything that tells what is expected."""
    keep = ("id", "setup", "facts")
    cases = [{key: case[key] for key in keep if key in case} for case in document(name)["cases"]]
    return {**document(name), "cases": cases}


@cache
def results(name, part, parts):
    """What the product says of every so many cases of a file."""
    asked = blind(name)
    return run({**asked, "cases": asked["cases"][part::parts]})


def one_process(name):
    """The mark by which the cases of a file are played once, not once in each process."""
    return pytest.mark.xdist_group(f"examples of {name}")


def parts_of(name):
    """In how many parts the cases of a file are tried by turns; those that were given are one."""
    return PARTS if name.startswith("own_") else 1


def pytest_generate_tests(metafunc):
    """A test for each part of a file; for each case where one is named on the command line."""
    if "ids" not in metafunc.fixturenames:
        return
    by_case = is_a_row_named(metafunc.definition.originalname, metafunc.config.args)
    turn, rows = int(os.environ[TURN]), []
    for number, name in enumerate(PLAYED):
        cases = [case["id"] for case in document(name)["cases"]]
        parts = parts_of(name)
        for part in range(parts):
            marks = [one_process(name)]
            if (number + part + turn) % parts:
                marks.append(pytest.mark.full)
            ids = cases[part::parts]
            if by_case:
                rows += [
                    pytest.param(name, part, [case], id=f"{name}:{case}", marks=marks)
                    for case in ids
                ]
            else:
                rows.append(
                    pytest.param(name, part, ids, id=f"{name} {part + 1} of {parts}", marks=marks)
                )
    metafunc.parametrize(("name", "part", "ids"), rows)


def test_the_product_agrees_with_the_example(name, part, ids):
    """A failure names each case of the file that differs, and what the comparison says of it."""
    cases = [case for case in document(name)["cases"] if case["id"] in ids]
    assert [case["id"] for case in cases] == ids
    differences = {
        case["id"]: differences_of(case, results(name, part, parts_of(name))) for case in cases
    }
    assert {case: lines for case, lines in differences.items() if lines} == {}


def differences_of(case, answers):
    got = answers[case["id"]]
    return [got["not_translatable"]] if "not_translatable" in got else compare.judge(case, got)


def test_what_no_schema_can_hold_is_not_translatable():
    facts = [
        {"t": 0, "fact": "betting_opened"},
        {"t": 1, "fact": "wager", "wager_id": "W1", "wager": "Small Bet", "stake_cents": -500},
    ]
    got = run({"game": "Sic Bo", "cases": [{"id": "negative", "setup": {}, "facts": facts}]})
    assert "no schema can hold it" in got["negative"]["not_translatable"]


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "odd",
    [5, None, [], {}, {"id": ["W"]}, {"id": "odd", "setup": 5, "facts": []}, {"id": "odd"},
     {"id": "odd", "setup": {"game": "sic_bo", "table": "SB-01"}, "facts": 7}],
)  # fmt: skip
def test_an_odd_case_spoils_no_other(odd):
    case = blind("match_play")["cases"][0]
    assert case["id"] in run({"game": "match_play", "cases": [odd, case]})


@one_process("dreamcatcher")
def test_the_command_writes_what_the_comparison_reads(tmp_path):
    out = tmp_path / "results.json"
    cases = str(EXAMPLES / "dreamcatcher.json")
    command = [sys.executable, "-m", "tests.conformance", cases, "--out", str(out)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    assert json.loads(out.read_text(encoding="utf-8")) == results("dreamcatcher", 0, 1)
    judged = subprocess.run(
        [sys.executable, str(EXAMPLES / "compare.py"), cases, str(out)],
        check=False,
        capture_output=True,
        text=True,
    )
    counted = json.loads(judged.stdout.splitlines()[-1])
    assert counted == {
        "cases": 21, "passed": 21, "failed": 0, "not_translatable": 0, "missing": 0,
    }  # fmt: skip


@one_process("sic_bo")
def test_what_is_expected_is_never_looked_at():
    spoiled = blind("sic_bo")
    for number, case in enumerate(spoiled["cases"]):
        case |= {"id": str(number), "expect": None, "title": None, "section": None, "tags": None}
    assert list(run(spoiled).values()) == list(results("sic_bo", 0, 1).values())
