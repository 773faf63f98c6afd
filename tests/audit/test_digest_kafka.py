"""The same day through a real broker has the same digest: in any batches, killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from infra.kafka import Broker
from ledger.audit import DayAudit, audit_day
from ledger.floor import FIRST_DAY
from ledger.log import open_log
from ledger.log.kafka import KafkaSettings, ingest, publish
from ledger.replay import Replay
from tests.audit.test_digest import PLANTS
from tests.engine import floor_day, judged, log_of
from tests.log.kafka_helpers import fresh_prefix, made, settings_of

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture
def published(kafka_broker: Broker) -> KafkaSettings:
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
    publish(log_of(floor_day(*PLANTS)[0]), settings)
    return settings


def audit_of(folder: Path) -> DayAudit:
    return audit_day(Replay.open(folder), FIRST_DAY)


@pytest.mark.parametrize("batch", [pytest.param(1, marks=pytest.mark.full), 7, 10_000])
def test_ingested_in_batches(published: KafkaSettings, tmp_path: Path, batch: int) -> None:
    made(tmp_path / "copy").close()
    with open_log(tmp_path / "copy") as copy:
        ingest(copy, published, batch=batch)
    direct = judged(floor_day(*PLANTS)[0])
    ingested = audit_of(tmp_path / "copy")
    assert (ingested.digest, ingested.findings) == (direct.digest, direct.findings)


def test_ingested_killed_and_started_again(published: KafkaSettings, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    made(folder).close()
    command = [sys.executable, "-m", "tests.log.kafka_child", str(folder)]
    command += [published.bootstrap, published.topic_prefix, "300"]
    for fault in ("appended:2", "tiled:3", ""):
        environment = os.environ | {"PITLEDGER_FAULT": fault or ":0"}
        child = subprocess.run(command, cwd=CHECKOUT, env=environment, check=False, timeout=120)
        assert child.returncode == (-signal.SIGKILL if fault else 0)
    assert audit_of(folder).digest == judged(floor_day(*PLANTS)[0]).digest
