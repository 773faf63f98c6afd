"""The record of the desk: warm between requests, brought forward when the ledger grew."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ledger.analytics import read_model
from ledger.analytics.projection import HEAD
from ledger.audit.in_force import WANTED
from ledger.casework.cases import CaseFiles
from ledger.casework.cases.shift_log import ShiftRecord
from ledger.cli import main
from ledger.cli.desk_services import SERVICES
from ledger.kernel import IntegrityBroken, parse_round_id
from ledger.log.keys import key_beside
from ledger.log.tiles import ENTRIES, WIDTH, Tile
from ledger.replay import Replay, Step
from ledger.reports.round_view import LASTING
from ledger.web import record as record_module
from ledger.web.record import ReadModelMissing, Record
from ledger.web.table_then import held_during
from tests.web.conftest import Clock


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
        day = date(2021, 6, 12)
        drawn = present.of_facts("drawn", day, object, has_rows=True)
        known = present.of_facts("known", day, object)
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
        assert after is before
        assert present.of_facts("drawn", day, object, has_rows=True) is drawn
        assert present.of_facts("known", day, object) is known
    record.close()
    fresh = Record(folder, lambda: 0, SERVICES)
    with fresh.present() as present:
        assert present.round("SB-01:517").result == after.result == before.result
    fresh.close()


def test_cases_and_the_shifts_log_are_read_on_and_say_what_they_say_when_read_anew(
    desk_ledger: Path, tmp_path: Path
) -> None:
    """Only where what came is dated after all that was read; else they are read again."""
    folder = _copy(desk_ledger, tmp_path)
    record = Record(folder, lambda: 0, SERVICES)
    line = (
        '{"event":"ShiftLogged","version":1,"stream":"cases/shifts","seq":%d,"event_time":'
        '"20%d-06-13T01:00:00.000000Z","source":"pitledger","recorded_by":"SS-1","logged_by":'
        '"SS-1","entry":"quiet","proof":{"how":"PASS_PHRASE","signature":null}}\n'
    )
    for seq, year, is_read_on in ((1, 30, True), (2, 31, True), (3, 29, False)):
        with record.present() as present:
            cases, shifts = present.cases, present.shifts
        more = tmp_path / "note.jsonl"
        more.write_text(line % (seq, year), encoding="utf-8")
        assert main(["append", str(more), "--ledger", str(folder)]) in (0, 1)
        with record.present() as present:
            assert present.cases is cases
            assert (present.shifts is shifts) == is_read_on
            anew = ShiftRecord.read(present.replay)
            assert (present.shifts.log, len(anew.log.entries)) == (anew.log, seq)
            assert present.cases.files == CaseFiles.read(present.replay).files
    record.close()


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


@pytest.mark.parametrize("question", ["round", "rows", "find", "neighbours"])
def test_an_entry_that_was_changed_stops_every_answer_that_rests_on_it(
    desk_ledger: Path, tmp_path: Path, question: str
) -> None:
    folder = _copy(desk_ledger, tmp_path)
    clock = Clock()
    record = Record(folder, clock, SERVICES)
    with record.present() as present:
        place = present.position_of(parse_round_id("SB-01:517"))
        present.find("SB-01", 5)
        select = "SELECT count(*) AS n FROM rounds"
        assert present.rows(select, [], [date(2021, 6, 12)])[0]["n"]
    bundle = folder / Tile(ENTRIES, (place or 0) // WIDTH).path
    content = bytearray(bundle.read_bytes())
    content[len(content) // 2] ^= 1
    bundle.write_bytes(content)
    clock.forward(1)
    with record.present() as present:
        ask = {
            "find": partial(present.find, "SB-01", 5),
            "rows": partial(present.rows, select, [], [date(2021, 6, 12)]),
            "round": partial(present.round, "SB-01:517"),
            "neighbours": partial(present.neighbours, "SB-01:517", date(2021, 6, 12)),
        }[question]
        with pytest.raises(IntegrityBroken):
            ask()
    record.close()


def test_the_rounds_beside_one_are_those_of_the_read_model(desk_ledger: Path) -> None:
    record, day = Record(desk_ledger, lambda: 0, SERVICES), date(2021, 6, 12)
    with record.present() as present:
        select = (
            "SELECT round, lag(round) OVER w AS before, lead(round) OVER w AS after FROM rounds"
        )
        window = "WINDOW w AS (PARTITION BY table_name ORDER BY opened_at, round)"
        rows = present.rows(f"{select} {window}", [], [day])
        assert len(rows) > 50
        for row in rows:
            assert present.neighbours(row["round"], day) == (row["before"], row["after"])
        assert present.neighbours("SB-01:1", day) == (None, None)
    record.close()


def test_the_rounds_beside_the_first_and_last_of_a_day_are_of_the_days_around(
    desk_ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, day = Record(desk_ledger, lambda: 0, SERVICES), date(2021, 6, 12)
    apart = {-1: ("SB-01:1", "SB-01:5"), 0: ("SB-01:9", "SB-01:20"), 1: ("SB-01:31",)}
    with record.present() as present:
        days = {day + timedelta(days=by): own for by, own in apart.items()}
        monkeypatch.setattr(Record, "_in_order", lambda _self, _table, asked: days[asked])
        monkeypatch.setattr(Record, "_prove_days", lambda _self, _days: None)
        assert present.neighbours("SB-01:9", day) == ("SB-01:5", "SB-01:20")
        assert present.neighbours("SB-01:20", day) == ("SB-01:9", "SB-01:31")
    record.close()


def test_entries_are_proved_once_a_second_for_each_day(
    desk_ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[set[date], bool]] = []

    def prove(
        _folder: Path, _model: object, days: set[date], *, office: bool, states: object
    ) -> None:
        asked.append((days, office))

    monkeypatch.setattr(record_module, "prove_entries", prove)
    clock, day = Clock(), date(2021, 6, 12)
    record = Record(desk_ledger, clock, SERVICES)
    with record.present() as present:
        present.model()
        present._prove_days([day])
        present._prove_days([day])
        assert asked == [({day}, True)]
        present._prove_days([day, day + timedelta(days=1)])
        assert asked[1:] == [({day + timedelta(days=1)}, False)]
        clock.forward(1)
        present._prove_days([day])
        clock.forward(-10)  # whoever sets the clock back gains nothing
        present._prove_days([day])
        assert asked[2:] == [({day}, True)] * 2
    record.close()


def test_a_newer_read_model_is_proved_to_a_checkpoint_that_it_lies_in(
    desk_ledger: Path, tmp_path: Path
) -> None:
    """The ledger and its read model may go on while somebody holds the record."""
    folder, day = _copy(desk_ledger, tmp_path), date(2021, 6, 12)
    record = Record(folder, Clock(), SERVICES)
    more = tmp_path / "more.jsonl"
    more.write_text(
        '{"event":"TableClosed","version":1,"stream":"ZZ-01","seq":1,'
        '"event_time":"2021-06-13T01:00:00.000000Z","source":"T-ZZ","recorded_by":null,'
        '"reason":null}\n',
        encoding="utf-8",
    )
    with record.present() as present:
        present._prove_days([day])
        before = present._bundles
        assert main(["append", str(more), "--ledger", str(folder)]) in (0, 1)
        read_model(folder).close()
        present._prove_days([day])
        assert present.model().projection.tree_size > present.replay.size
        assert present._bundles is not before
    record.close()


def test_the_rounds_asked_for_last_are_kept(
    desk_ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_module, "KEPT_ROUNDS", 2)
    record = Record(desk_ledger, lambda: 0, SERVICES)
    with record.present() as present:
        first = present.masked_round("SB-01:517")
        assert first is present.masked_round("SB-01:517")
        before, after = present.neighbours("SB-01:517", date(2021, 6, 12))
        assert before is not None
        assert after is not None
        present.masked_round(before)
        assert present.masked_round("SB-01:517") is first
        present.masked_round(after)
        assert [*present._rounds] == [*present._masked] == ["SB-01:517", after]
        assert present.masked_round("SB-01:517") is first
    record.close()


def test_what_is_read_ahead_is_not_read_for_a_page(
    desk_ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page then reads no table from its beginning."""
    record = Record(desk_ledger, lambda: 0, SERVICES)
    record.read_ahead()
    whole: list[object] = []
    plain = Replay.walk

    def noting(self: Replay, streams: Iterable[str], **bounds: Any) -> Iterator[Step]:
        if bounds.get("since") is None:
            whole.append(bounds.get("only"))
        return plain(self, streams, **bounds)

    monkeypatch.setattr(Replay, "walk", noting)
    for is_ahead in (True, False):
        with record.present() as present:
            assert held_during(present, present.round("SB-01:517"))
        assert (LASTING in whole, WANTED in whole) == (not is_ahead, not is_ahead)
        record = Record(desk_ledger, lambda: 0, SERVICES)
