"""Every command of a runbook runs as it stands there, and says what the runbook says it says."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from infra.kafka import Broker
from tests.log.kafka_helpers import fresh_prefix
from tests.s3_server import S3Server

ROOT = Path(__file__).parent.parent.parent
RUNBOOKS = ROOT / "infra" / "runbooks"
_BLOCK = re.compile(
    r"```sh(?: exit=(\d+))?\n(.*?)```\n((?:\s*(?:It says: `[^\n]*`)\n)*)", re.DOTALL
)
_SAYS = re.compile(r"It says: `([^\n]*)`")


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "name",
    [
        *(
            "key-rotation",
            "witnesses",
            "first-day-from-a-spreadsheet",
            "a-day-restated",
            "lost-or-suspected-key",
        ),
        "a-dispute",
    ],
)
def test_the_commands_of_a_runbook(name: str, tmp_path: Path) -> None:
    walk_through(name, tmp_path)


@pytest.mark.full
@pytest.mark.kafka
@pytest.mark.xdist_group("kafka")
@pytest.mark.parametrize(
    "name", ["restore-from-backup-plus-kafka", "broker-retention-shorter-than-an-outage"]
)
def test_the_commands_of_a_runbook_with_a_broker(
    name: str, tmp_path: Path, kafka_broker: Broker
) -> None:
    topics = {"TOPICS": fresh_prefix(kafka_broker), "TOPICS_AGAIN": fresh_prefix(kafka_broker)}
    walk_through(name, tmp_path, PITLEDGER_KAFKA=kafka_broker.bootstrap, **topics)


@pytest.mark.full
def test_the_commands_of_a_runbook_with_a_bucket(tmp_path: Path, s3: S3Server) -> None:
    walk_through("an-archive-in-a-bucket", tmp_path)


@pytest.mark.full
@pytest.mark.timeout(1200)
def test_the_commands_of_a_dispute_of_each_game(tmp_path: Path) -> None:
    walk_through("a-dispute", tmp_path, folder=ROOT / "infra" / "docs")


def walk_through(name: str, tmp_path: Path, folder: Path = RUNBOOKS, **more: str) -> None:
    text = (folder / f"{name}.md").read_text(encoding="utf-8")
    blocks = _BLOCK.findall(text)
    assert len(blocks) == text.count("```sh") > 5
    assert sum(len(_SAYS.findall(block[2])) for block in blocks) == text.count("It says: ")
    programs = tmp_path.parent / f"{tmp_path.name}-bin"
    programs.mkdir()
    for program, arguments in (("pitledger", "-m ledger "), ("python", "")):
        path = programs / program
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments}"$@"\n')
        path.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PITLEDGER_")}
    kept |= {"PITLEDGER_LEDGER": "./ledger", "COLUMNS": "160", "PYTHONPATH": str(ROOT)}
    kept |= {"PATH": f"{programs}:{os.environ['PATH']}", **more}
    try:
        for code, commands, says in blocks:
            done = subprocess.run(
                ["bash", "-c", commands if code else f"set -e\n{commands}"],
                cwd=tmp_path, env=kept, capture_output=True, text=True, timeout=300, check=False,
            )  # fmt: skip
            said = done.stdout + done.stderr
            assert done.returncode == int(code or 0), f"{commands}\n{said}"
            for sentence in _SAYS.findall(says):
                assert sentence in said, f"{commands}\n{said}"
    finally:
        for pid in tmp_path.glob("*.pid"):  # a server that a block left running
            with suppress(ProcessLookupError):
                os.kill(int(pid.read_text()), signal.SIGKILL)
