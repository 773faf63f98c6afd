"""Two processes over one file: the same preview and the same bytes as one, or a refusal."""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest

from ledger.intake import Act, Import, Preview
from ledger.intake import staging_process as shared
from ledger.intake.import_errors import SpoolFailed
from ledger.intake.staging_database import Spool
from ledger.intake.staging_process import SHARED_BYTES, SpoolBeside, spool_for
from ledger.log import Arrival
from ledger.replay import Replay
from tests.intake.given import ACT, ledger
from tests.intake.given import sample as sample_of
from tests.log.memory_log import MemoryLog

ACTS = Act(by="E-1", at=ACT.at, reason="typed wrong", approved_by="E-2", withdraw=True)
HEAD, *LINES = sample_of("table-wagers").splitlines()


def rows(count: int) -> list[str]:
    """Wagers of two tables, of which every third is earlier than the one before it."""
    return [
        f"06/12/2021,ET-{number % 2},W{number},{18 + number % 3}:{number % 60:02d}:10,23:01:00,"
        f"{number % 7},,Big Bet,,{number % 9 + 1}.00,chips,won,2.00,0.00"
        for number in range(count)
    ]


ROWS = rows(1_500)
FILES = {
    "first": ROWS,
    "again": ROWS,
    "corrected, cut, late": [
        *(
            row.replace("Big", "Small") if at % 100 == 3 else row
            for at, row in enumerate(ROWS[20:])
        ),
        *rows(1_600)[1_500:],
    ],
    "refused": [
        *ROWS[:700],
        ROWS[5],
        "06/12/2021,ET-1",
        ROWS[8].replace("won", "lots"),
        *ROWS[700:],
    ],
}


def imported(path: Path, log: MemoryLog, processes: int) -> tuple[Preview, list[bytes]]:
    with Import("table-wagers", path, Replay(log), "E-1", processes=processes) as one:
        assert isinstance(one.spool, SpoolBeside) is (processes > 1)
        seen = one.preview()
        return seen, list(one.facts(ACTS)) if seen.can_commit else []


def test_the_sample_has_these_columns() -> None:
    assert len(HEAD.split(",")) == len(ROWS[0].split(","))


def test_two_processes_say_and_write_what_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "SHARED_BYTES", 0)
    log, path = ledger(), tmp_path / "sheet.csv"
    counted = {}
    for name, lines in FILES.items():
        path.write_text("\n".join([HEAD, *lines]) + "\n", encoding="utf-8")
        alone, both = imported(path, log, 1), imported(path, log, 2)
        assert both == alone
        log.append([Arrival(framed) for framed in alone[1]], ACT.at)
        one = alone[0].counts
        counted[name] = (one.new, one.same, one.changed, one.gone, alone[0].refused)
    assert counted == {
        "first": (3_000, 0, 0, 0, 0),
        "again": (0, 3_000, 0, 0, 0),
        "corrected, cut, late": (200, 2_945, 15, 40, 0),
        "refused": (0, 2_945, 57, 200, 3),
    }
    assert active_children() == []


def test_a_small_file_starts_no_process() -> None:
    with spool_for(SHARED_BYTES - 1, 2) as small, spool_for(SHARED_BYTES, 1) as alone:
        assert isinstance(small, Spool)
        assert isinstance(alone, Spool)
    with spool_for(SHARED_BYTES, 2) as large:
        assert isinstance(large, SpoolBeside)
    assert active_children() == []


def test_where_no_process_can_start_one_does_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: bytes) -> SpoolBeside:
        raise BlockingIOError

    monkeypatch.setattr(shared, "SpoolBeside", refused)
    with spool_for(SHARED_BYTES, 2) as alone:
        assert isinstance(alone, Spool)


@pytest.mark.parametrize("when", ["reading", "writing"])
def test_a_process_that_is_killed_is_a_refusal(
    when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "SHARED_BYTES", 0)
    path = tmp_path / "sheet.csv"
    path.write_text("\n".join([HEAD, *ROWS]) + "\n", encoding="utf-8")
    with Import("table-wagers", path, Replay(ledger()), "E-1", processes=2) as one:
        if when == "writing":
            one.preview()
        (child,) = active_children()
        child.kill()
        child.join()
        with pytest.raises(SpoolFailed, match="was ended") as said:
            list(one.facts(ACTS)) if when == "writing" else one.preview()
    assert (said.value.code, said.value.exit_code) == ("spool_failed", 3)


def test_what_it_cannot_keep_is_said(tmp_path: Path) -> None:
    with SpoolBeside() as one:
        (Path(one._folder.name) / "rows.sqlite").mkdir()  # in the way of the tables
        one.add([(b"k" * 16, 1, 1, 0, b"fact", "k")])
        with pytest.raises(SpoolFailed, match="unable to open database file") as said:
            list(_settled(one))
        assert "TMPDIR" in str(said.value.next_step)
    (tmp_path / "rows.sqlite").mkdir()
    with pytest.raises(SpoolFailed, match="unable to open database file"):
        Spool(str(tmp_path))


def _settled(spool: SpoolBeside) -> Iterator[object]:
    spool.settle([])
    yield from spool.call(Spool.counts)


def test_an_import_that_is_given_up_leaves_nothing() -> None:
    with SpoolBeside() as one:
        lane = one.lanes.number("house", "")
        one.add((bytes(8) + n.to_bytes(8, "big"), n, n, lane, b"fact", "k") for n in range(30_000))
        one.settle([])
        next(one.call(Spool.new_facts))
        folder = Path(one._folder.name)
    assert active_children() == []
    assert not folder.exists()
