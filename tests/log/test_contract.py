"""The contract of a log, held by memory and by files; Kafka's leg stands with Kafka's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.log import FileLog, Log, init, open_log
from tests.log.contract import RecordContract
from tests.log.facts import HOUSE, ORIGIN, TIME, arrivals
from tests.log.memory_log import MemoryLog


class TestMemory(RecordContract):
    @pytest.fixture
    def log(self) -> Log:
        return MemoryLog(origin=ORIGIN, property=HOUSE, record_time=TIME)


class TestFiles(RecordContract):
    @pytest.fixture
    def log(self, tmp_path: Path) -> Log:
        init(tmp_path, origin=ORIGIN, property=HOUSE, record_time=TIME)
        return open_log(tmp_path)

    def reopen(self, log: Log) -> Log:
        assert isinstance(log, FileLog)
        log.close()
        folder = log.snapshot.cache_folder
        assert folder is not None
        return open_log(folder.parent)


def test_memory_and_files_grow_the_same_tree(tmp_path: Path) -> None:

    init(tmp_path, origin=ORIGIN, property=HOUSE, record_time=TIME)
    memory = MemoryLog(origin=ORIGIN, property=HOUSE, record_time=TIME)
    with open_log(tmp_path) as files:
        for last in (3, 260, 700):
            batch = [*arrivals(1, last), *arrivals(1, last, "DC-01")]
            assert files.append(batch, TIME) == memory.append(batch, TIME)
