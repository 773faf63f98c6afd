"""The examples of `infra/docs/a-terminal.md` run, and what they write passes the trial."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from infra.kafka import Broker
from ledger.codec import decode
from ledger.events import Instrument, WagerPlaced
from tests.log.kafka_helpers import fresh_prefix

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "infra" / "docs" / "a-terminal.md"
SCHEMA = ROOT / "schemas" / "wagers" / "WagerPlaced.1.avsc"
INSTALLED = [
    language
    for language in ("python", "java", "go")
    if language == "python" or shutil.which(language)
]
WAGER = WagerPlaced(
    stream="SB-01", seq=1, event_time=1_623_513_745_123_456, source="SB-01-T1",
    recorded_by="E-1001", wager_id="W-1", position="3", patron=None, wager="Total Value Bet",
    picks=(9,), stake_cents=2500, instrument=Instrument.CHIPS, coupons=(),
)  # fmt: skip
"""What each example writes: the sample of the schema, without its coupon."""


def example(language: str) -> str:
    """The page's code in a language."""
    blocks = re.findall(
        rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S
    )
    assert len(blocks) == 1
    return blocks[0]


def write(language: str, place: Path) -> Path:
    """Run an example; the file with the record that it wrote."""
    names = {"python": "terminal.py", "java": "Terminal.java", "go": "terminal.go"}
    source, record = place / names[language], place / "record.bin"
    source.write_text(example(language), encoding="utf-8")
    commands = {
        "python": [sys.executable, str(source), str(SCHEMA), str(record)],
        "java": ["java", str(source), str(record)],
        "go": ["go", "run", str(source), str(record)],
    }
    subprocess.run(commands[language], cwd=place, check=True, timeout=200)
    return record


def tried(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the trial in a process of its own."""
    command = [sys.executable, "-m", "ledger", "schemas", "try", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("language", INSTALLED)
def test_an_example_writes_a_wager(language: str, tmp_path: Path) -> None:
    record = write(language, tmp_path)
    assert decode(record.read_bytes()) == WAGER
    done = tried(str(record))
    assert (done.returncode, done.stdout) == (0, "1 event: all correct\n")


def test_the_example_reaches_a_topic_and_the_trial_finds_what_is_wrong_there(
    kafka_broker: Broker, tmp_path: Path
) -> None:
    prefix = fresh_prefix(kafka_broker)
    source = tmp_path / "terminal.py"
    source.write_text(example("python"), encoding="utf-8")
    there = ("--topic", "--bootstrap", kafka_broker.bootstrap, "--topic-prefix", prefix)

    def send(topic: str) -> None:
        words = [str(SCHEMA), kafka_broker.bootstrap, f"{prefix}.{topic}"]
        subprocess.run([sys.executable, str(source), *words], check=True, timeout=60)

    assert (tried(*there).returncode, tried(*there).stdout) == (0, "no events\n")
    send("tables.v1")
    done = tried(*there)
    assert (done.returncode, done.stdout) == (0, "1 event: all correct\n")
    send("coupons.v1")
    done = tried(*there)
    assert done.returncode == 1
    assert "WagerPlaced belongs in tables.v1, not in coupons.v1" in done.stdout
    assert done.stdout.endswith("2 events: 1 correct, 1 with faults\n")


def test_a_broker_that_is_away_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITLEDGER_KAFKA_TIMEOUT", "3")
    done = tried("--topic", "--bootstrap", "127.0.0.1:1")
    assert (done.returncode, done.stdout) == (3, "")
