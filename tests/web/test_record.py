"""The record of the desk: warm between requests, brought forward when the ledger grew."""

from __future__ import annotations

import os
import shutil
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from ledger.analytics.projection import HEAD
from ledger.cli import main
from ledger.cli.desk_services import SERVICES
from ledger.kernel import IntegrityBroken, parse_round_id
from ledger.log.keys import key_beside
from ledger.log.tiles import ENTRIES, WIDTH, Tile
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
    record = Record(folder, lambda: 0, SERVICES)
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
    record = Record(folder, lambda: 0, SERVICES)
    with record.present() as present, pytest.raises(ReadModelMissing):
        present.find("SB-01", 5)
    assert sorted(path.name for path in (folder / "cache").iterdir()) == before
    with record.present() as present:
        assert present.neighbours("SB-01:517", date(2021, 6, 12)) == (None, None)
        assert present.round("SB-01:517").result.findings
    record.close()


def test_a_note_drops_nothing_that_was_read_and_the_round_says_what_it_said(
    desk_ledger: Path, tmp_path: Path
) -> None:
    folder = _copy(desk_ledger, tmp_path)
    record = Record(folder, lambda: 0, SERVICES)
    with record.present() as present:
        before, clock = present.round("SB-01:517"), present.property_clock
        house, coupons = present.judged.house, present.coupons()
    more = tmp_path / "note.jsonl"
    more.write_text(
        '{"event":"ShiftLogged","version":1,"stream":"cases/shifts","seq":1,'
        '"event_time":"2021-06-13T01:00:00.000000Z","source":"pitledger","recorded_by":"S-1",'
        '"logged_by":"S-1","entry":"quiet","proof":{"how":"PASS_PHRASE","signature":null}}\n',
        encoding="utf-8",
    )
    assert main(["append", str(more), "--ledger", str(folder)]) in (0, 1)
    with record.present() as present:
        assert present.judged.house is house
        assert present.coupons() is coupons
        assert present.property_clock is clock
        after = present.round("SB-01:517")
        assert after is not before
    record.close()
    fresh = Record(folder, lambda: 0, SERVICES)
    with fresh.present() as present:
        assert present.round("SB-01:517").result == after.result == before.result
    fresh.close()


def test_a_round_is_judged_by_what_the_read_model_vouches_for(
    desk_ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = _copy(desk_ledger, tmp_path)
    record = Record(folder, lambda: 0, SERVICES)
    with record.present() as present:
        day, table = date(2021, 6, 12), "SB-01"
        assert present.judged._vouched.parts[table, day]
    head = folder / "cache" / "marts" / HEAD
    head.touch()  # the read model was brought forward: it is asked again
    with record.present() as present:
        assert "_vouched" not in vars(present.judged)
    record.close()


@pytest.mark.parametrize("question", ["round", "rows", "find"])
def test_an_entry_that_was_changed_stops_every_answer_that_rests_on_it(
    desk_ledger: Path, tmp_path: Path, question: str
) -> None:
    folder = _copy(desk_ledger, tmp_path)
    record = Record(folder, lambda: 0, SERVICES)
    with record.present() as present:
        place = present.position_of(parse_round_id("SB-01:517"))
        present.find("SB-01", 5)
        select = "SELECT count(*) AS n FROM rounds"
        assert present.rows(select, [], [date(2021, 6, 12)])[0]["n"]
    bundle = folder / Tile(ENTRIES, (place or 0) // WIDTH).path
    content = bytearray(bundle.read_bytes())
    content[len(content) // 2] ^= 1
    bundle.write_bytes(content)
    with record.present() as present:
        ask = {
            "find": partial(present.find, "SB-01", 5),
            "rows": partial(present.rows, select, [], [date(2021, 6, 12)]),
            "round": partial(present.round, "SB-01:517"),
        }[question]
        with pytest.raises(IntegrityBroken):
            ask()
    record.close()
