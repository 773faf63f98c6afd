"""A range of days on the command line: its page, its JSON, its manifest, and what it refuses."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.cli.given import DAY
from tests.kafka_broker import free_ports

RANGE = ("audit", "--from", "2021-03-01", "--to", "2021-03-31")


def test_a_range_is_a_line_for_each_day_and_one_hash(
    command: Command, made: Path, tmp_path: Path
) -> None:
    path = tmp_path / "manifest.json"
    page = command(*RANGE, "--ledger", made, "--manifest", path)
    digest = sha256(path.read_bytes()).hexdigest()
    assert page.code == 1
    assert f"Manifest: SHA-256 {digest}" in page.out
    assert f"\n{DAY} " in page.out
    data = command(*RANGE, "--ledger", made, "--format", "json").json
    assert data["manifest_hash"] == digest
    assert data["manifest"] == json.loads(path.read_bytes())
    (day,) = data["manifest"]["days"]
    assert (day["day"], day["closed"], sorted(day["tables"])) == (DAY, True, ["DC-01", "SB-01"])
    assert data["judged_again"] is None


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("audit", "--from", "2021-03-15"), "command_wrong"),
        (("audit", "--to", "2021-03-15"), "command_wrong"),
        (("audit", "--scheduler", "tcp://127.0.0.1:1"), "command_wrong"),
        (("audit", "--manifest", "x.json"), "command_wrong"),
        ((*RANGE, "--day", DAY), "command_wrong"),
        ((*RANGE, "--every"), "command_wrong"),
        ((*RANGE, "--sample", "1.1"), "command_wrong"),
        ((*RANGE, "--sample", "-0.1"), "command_wrong"),
        ((*RANGE, "--sample", "nan"), "command_wrong"),
        ((*RANGE, "--scheduler", "tcp://127.0.0.1:1", "--tls-ca", "ca.pem"), "command_wrong"),
        ((*RANGE, "--scheduler", "http://127.0.0.1:1"), "scheduler_address_wrong"),
        (("audit", "--from", "2021-03-31", "--to", "2021-03-01"), "days_reversed"),
        (("audit", "--from", "1999-01-01", "--to", "1999-12-31"), "no_day_in_range"),
    ],
)
def test_words_that_say_nothing_are_refused(
    command: Command, made: Path, words: tuple[str, ...], code: str
) -> None:
    refused = command(*words, "--ledger", made)
    assert (refused.code, refused.out) == (2, "")
    assert f"[{code}]" in refused.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((*RANGE, "--scheduler", "tcp://192.0.2.1:8786"), "scheduler_unsecured"),
        ((*RANGE, "--scheduler", "tls://192.0.2.1:8786"), "scheduler_unsecured"),
        (
            (*RANGE, "--scheduler", "tls://192.0.2.1:8786", "--tls-ca", "no.pem", "--tls-cert", "no.pem", "--tls-key", "no.pem"),
            "scheduler_credentials_unusable",
        ),
        (("worker", "tcp://192.0.2.1:8786"), "scheduler_unsecured"),
    ],
)  # fmt: skip
def test_what_cannot_be_reached_safely_is_refused(
    command: Command, made: Path, words: tuple[str, ...], code: str
) -> None:
    refused = command(*words, "--ledger", made)
    assert (refused.code, refused.out) == (3, "")
    assert f"[{code}]" in refused.err


def test_a_scheduler_that_is_not_there_is_named(command: Command, made: Path) -> None:
    address = f"tcp://127.0.0.1:{free_ports(1)[0]}"
    for words in ((*RANGE, "--scheduler", address), ("worker", address, "--patience", "0.2")):
        refused = command(*words, "--ledger", made)
        assert refused.code == 3
        assert "[scheduler_unreachable]" in refused.err
        assert address in refused.err


def test_without_dask_a_scheduler_is_refused(
    command: Command, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("ledger.analytics.day_range.dask_worker.import_module", missing)
    for words in ((*RANGE, "--scheduler", "tcp://127.0.0.1:1"), ("worker", "tcp://127.0.0.1:1")):
        refused = command(*words, "--ledger", made)
        assert refused.code == 3
        assert "[dask_missing]" in refused.err


def test_a_manifest_that_cannot_be_written_is_named(command: Command, made: Path) -> None:
    refused = command(*RANGE, "--ledger", made, "--manifest", made / "no" / "manifest.json")
    assert refused.code == 3
    assert "[file_unwritable]" in refused.err


def test_a_worker_without_a_ledger_is_refused(command: Command, tmp_path: Path) -> None:
    refused = command("worker", "tcp://127.0.0.1:1", "--ledger", tmp_path / "none")
    assert refused.code != 0
    assert "ledger_missing" in refused.err
