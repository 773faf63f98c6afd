"""A log as it stood at an earlier size: its root, its entries, nothing of what came later."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.codec import frame
from ledger.log import Accepted, Arrival, EarlierLog, PositionUnknown, ReadableLog, read_log
from tests.coupons.forms_scene import folder, memory, scene


def test_the_beginning_of_a_log_is_the_log_of_then(tmp_path: Path) -> None:
    given = scene()
    then = memory(given.facts)
    size, root = then.size, then.root
    then.append([Arrival(frame(given.late))], record_time=3)
    path = folder(tmp_path / "ledger", given.facts)
    early = read_log(path)
    signed = early.size, early.root
    folder(path, [given.late])
    for log, (old, hashed) in ((then, (size, root)), (read_log(path), signed)):
        assert log.size > old
        own: ReadableLog = EarlierLog(log, old)
        assert (own.size, own.root, own.origin) == (old, hashed, log.origin)
        entries = [entry for _, entry in own.entries()]
        assert len(entries) == old
        assert own.read(old - 1) == entries[-1]
        assert isinstance(entries[-1], Accepted)
        assert sum(len(one) for _, one in own.bundles()) == old
        assert own.last_offsets() == {}
        with pytest.raises(PositionUnknown):
            own.read(old)
        for wrong in (0, -1, log.size + 1):
            with pytest.raises(PositionUnknown):
                EarlierLog(log, wrong)
