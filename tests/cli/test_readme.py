"""What the pages quote is what the commands print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS: Final = (ROOT / "infra/docs/commands.md").read_text(encoding="utf-8")
EXAMPLES: Final = (ROOT / "infra/docs/examples.md").read_text(encoding="utf-8")


def printed(*words: str, clean: int) -> str:
    plain = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    command = [sys.executable, "-m", "ledger", *words]
    done = subprocess.run(command, cwd=ROOT, env=plain, capture_output=True, text=True, check=False)
    assert done.returncode == clean, done.stderr
    return done.stdout


def quoted(after: str, page: str = EXAMPLES) -> list[str]:
    """The lines of the first block after some words of a page."""
    block = page[page.index(after) :].split("```")[1]
    return [line for line in block.splitlines() if line.strip()]


def test_the_readme_shows_ten_of_the_commands_that_are_run() -> None:
    after = "with that folder on the PATH:"
    lines = [line for line in quoted(after, README) if line.startswith("pitledger ")]
    assert len(lines) == 10
    assert [line for line in lines if line not in quoted(after, COMMANDS)] == []


@pytest.mark.full
@pytest.mark.timeout(1200)
def test_the_demonstration_prints_what_is_quoted() -> None:
    said = printed("demo", clean=0)
    lines = quoted("An excerpt (`--every` prints all):")
    assert len(lines) > 6
    assert [line for line in lines if line not in said] == []


@pytest.mark.full
def test_the_round_shown_is_the_one_quoted(tmp_path: Path) -> None:
    words = re.search(r"`(floor simulate [^`]*)`, then\n`(round show [^`]*)`", EXAMPLES)
    assert words is not None
    ledger = ("--ledger", str(tmp_path / "ledger"))
    printed(*words[1].split(), *ledger, clean=0)
    said = printed(*words[2].split(), *ledger, clean=1)
    lines = quoted(words[0])
    assert len(lines) == 7
    assert said.splitlines()[:3] == lines[:3]
    assert [line for line in lines if line not in said] == []
