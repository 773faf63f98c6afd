"""What stands beside the code for those who work on it: every path, target and tool it names is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.given import run_here

ROOT = Path(__file__).parent.parent.parent
PAGES = [
    ROOT / ".github" / "CONTRIBUTING.md",
    *sorted((ROOT / "infra" / "docs").glob("*.md")),
    *sorted((ROOT / ".github").glob("**/*template*.md")),
]
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
PATH = re.compile(
    r"(?<![\w./:-])((?:\.ci|\.github|infra|ledger|pipelines|schemas|tests)/[\w./<>*-]*)"
)
COMMAND = re.compile(r"\bpitledger((?: [a-z][a-z-]*)+)")


def names(page: Path) -> list[str]:
    """The paths that a page names in code, whatever stands for a placeholder."""
    code = " ".join(CODE.findall(page.read_text(encoding="utf-8")))
    return [re.sub(r"<\w+>", "*", name) for name in PATH.findall(code)]


@pytest.mark.row_by_row
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_files_that_are_there(page: Path) -> None:
    assert [name for name in names(page) if not any(ROOT.glob(name.rstrip("/")))] == []


@pytest.mark.row_by_row
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", [PAGES[0], ROOT / "infra" / "docs" / "CHANGELOG.md"])
def test_a_page_names_commands_that_there_are(page: Path) -> None:
    code = " ".join(CODE.findall(page.read_text(encoding="utf-8")))
    for words in sorted(set(COMMAND.findall(code))):
        ran = run_here(*words.split(), "--help")
        assert ran.code == 0, words
        assert f"Usage: pitledger{words}" in ran.out


@pytest.mark.row_by_row
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_targets_that_make_has(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    asked = re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.M)
    assert sorted(set(asked) - targets) == []


def test_the_workflow_runs_the_gate_and_nothing_else() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    steps: list[dict[str, Any]] = workflow["jobs"]["gate"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == [".ci/run"]
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100


def test_a_hook_runs_a_tool_of_the_environment() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    locked = (ROOT / "infra" / "requirements-dev.lock").read_text()
    programs = {"lint-imports": "import-linter", "pitledger": None}
    for repo in hooks["repos"]:
        assert repo["repo"] == "local"
        for hook in repo["hooks"]:
            assert hook["language"] == "system"
            program = re.match(r"\.venv/bin/(\S+) ", hook["entry"] + " ")
            assert program is not None, hook
            package = programs.get(program[1], program[1])
            assert package is None or f"\n{package}==" in locked, program[1]


def test_the_hooks_run_what_lint_runs() -> None:
    makefile = (ROOT / "Makefile").read_text()
    lint = re.search(r"^lint:.*\n((?:\t.+\n)+)", makefile, re.M)
    assert lint is not None
    tools = set(re.findall(r"\$\(BIN\)/(\S+)", lint[1]))
    assert tools <= set(
        re.findall(r"entry: \.venv/bin/(\S+)", (ROOT / ".pre-commit-config.yaml").read_text())
    )
