"""The record of the desk: warm between requests, brought forward when the ledger grew."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from ledger.cli import main
from ledger.cli.days import round_seen
from ledger.log.keys import key_beside
from ledger.web.record import ReadModelMissing, Record


def _copy(ledger: Path, to: Path) -> Path:
    folder = to / "grown"
    shutil.copytree(ledger, folder)
    shutil.copy(key_beside(ledger), key_beside(folder))
    return folder


def test_a_ledger_that_grew_is_taken_in_and_the_read_model_says_how_far_it_is(
    desk_ledger: Path, tmp_path: Path
) -> None:
    folder = _copy(desk_ledger, tmp_path)
    record = Record(folder, lambda: 0, round_seen)
    with record.present() as present:
        size, replay = present.replay.size, present.replay
        assert present.find("SB-01 findings", 5).total == 1
        assert present.behind == 0
        seen = present.round("SB-01:517")
    with record.present() as present:
        assert present.replay is replay
        assert present.round("SB-01:517") is seen
    more = tmp_path / "more.jsonl"
    more.write_text(
        '{"event":"TableClosed","version":1,"stream":"ZZ-01","seq":1,'
        '"event_time":"2021-06-13T01:00:00.000000Z","source":"T-ZZ","recorded_by":null,'
        '"reason":null}\n',
        encoding="utf-8",
    )
    assert main(["append", str(more), "--ledger", str(folder)]) in (0, 1)
    with record.present() as present:
        assert present.replay.size > size
        assert present.find("SB-01 findings", 5).total == 1
        assert present.behind == present.replay.size - size
    environment = {**os.environ, "PITLEDGER_KEY": str(key_beside(folder))}
    record.environment = environment
    with record.present() as present:
        present.model()
    assert record._maker is not None
    assert record._maker.wait(120) == 0
    with record.present() as present:
        assert present.find("SB-01 findings", 5).total == 1
        assert present.behind == 0
    record.close()


def test_without_a_read_model_pages_say_so_and_nothing_is_built_by_the_desk(
    desk_ledger: Path, tmp_path: Path
) -> None:
    folder = _copy(desk_ledger, tmp_path)
    shutil.rmtree(folder / "cache" / "marts")
    before = sorted(path.name for path in (folder / "cache").iterdir())
    record = Record(folder, lambda: 0, round_seen)
    with record.present() as present, pytest.raises(ReadModelMissing):
        present.find("SB-01", 5)
    assert sorted(path.name for path in (folder / "cache").iterdir()) == before
    with record.present() as present:
        assert present.neighbours("SB-01:517") == (None, None)
        assert present.round("SB-01:517").result.findings
    record.close()
