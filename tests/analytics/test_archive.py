"""The archive holds what the ledger holds, the same bytes each time, and any change is named."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ledger.analytics import (
    ArchiveManifest,
    ArchiveMissing,
    ArchiveUnreadable,
    CacheUnwritable,
    archived_days,
    read_manifest,
    verify_archive,
    write_archive,
)
from ledger.analytics.archive import path_of
from ledger.analytics.archive_rows import SCHEMA
from ledger.audit import DayUnknown
from ledger.codec import decode, format_time, frame, from_plain
from ledger.events import Fact
from ledger.log import Accepted, read_log
from ledger.log.entry import accepted_head, long_bytes
from ledger.log.merkle import leaf_hash
from ledger.replay import Replay
from tests.analytics import given

DAY, NEXT = date(2021, 6, 12), date(2021, 6, 13)


@pytest.fixture(scope="module")
def written(two_days: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of the first day, to be copied."""
    place = tmp_path_factory.mktemp("archive") / "archive"
    write_archive(Replay.open(two_days), DAY, place)
    return place


@pytest.fixture
def mine(written: Path, tmp_path: Path) -> Path:
    return shutil.copytree(written, tmp_path / "archive")


def rows(place: Path, manifest: ArchiveManifest) -> list[tuple[str, dict[str, object]]]:
    return [
        (file.stream, row)
        for file in manifest.files
        for row in pq.read_table(
            place / f"gaming_day={manifest.gaming_day}" / file.path, partitioning=None
        ).to_pylist()
    ]


def is_time(name: str) -> bool:
    return name.endswith("_time") or name == "since"


def bytes_of(place: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(place)): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def test_every_fact_of_the_ledger_is_in_one_day(two_days: Path, tmp_path: Path) -> None:
    replay = Replay.open(two_days)
    found: Counter[int] = Counter()
    days = [date(2021, 6, 11), DAY, NEXT, date(2021, 6, 14)]
    for day in days:
        try:
            manifest = write_archive(replay, day, tmp_path)
        except DayUnknown:
            continue
        found.update(row["position"] for _, row in rows(tmp_path, manifest))
    log = read_log(two_days)
    facts = {place for place, entry in log.entries() if isinstance(entry, Accepted)}
    first = min(min(replay.extent(one).first_time for one in replay.streams()), 0)
    assert first <= 0
    assert set(found.values()) == {1}
    earlier = facts - set(found)  # filings of the days before
    assert all(
        decode(log.read(place).framed).event_time < 1_623_398_400_000_000 for place in earlier
    )


def test_a_row_gives_the_entry_again(two_days: Path, written: Path) -> None:
    """Lossless: from the columns alone the framed event, the entry and its leaf are made again."""
    log = read_log(two_days)
    manifest = read_manifest(written, DAY)
    for stream, row in rows(written, manifest)[::97]:
        entry = log.read(row["position"])
        fact = decode(entry.framed)
        body = json.loads(row["body"])
        made = {
            name: format_time(value) if is_time(name) and value is not None else value
            for name, value in body.items()
        }
        head = {
            "event": row["event"],
            "version": row["version"],
            "stream": stream,
            "seq": row["seq"],
            "event_time": format_time(fact.event_time),
            "source": row["source"],
            "recorded_by": row["recorded_by"],
        }
        framed = frame(from_plain(head | made))
        assert framed == entry.framed
        record_time = (
            int(row["record_time"].timestamp()) * 1_000_000 + row["record_time"].microsecond
        )
        raw = accepted_head(record_time, None, row["odd_key"]) + long_bytes(len(framed)) + framed
        assert leaf_hash(raw) == row["leaf_hash"] == leaf_hash(log.raw(row["position"]))
        assert row["event_time"].timestamp() == pytest.approx(fact.event_time / 1e6)


def test_the_same_bytes_again_and_in_two_processes(
    two_days: Path, written: Path, tmp_path: Path
) -> None:
    write_archive(Replay.open(two_days), DAY, tmp_path / "again", processes=2)
    assert bytes_of(tmp_path / "again") == bytes_of(written)
    write_archive(Replay.open(two_days), DAY, tmp_path / "again")
    assert bytes_of(tmp_path / "again") == bytes_of(written)


def test_what_was_written_verifies(two_days: Path, written: Path) -> None:
    assert verify_archive(two_days, DAY, written) is None
    assert archived_days(written) == [DAY]


def test_a_late_fact_changes_neither_the_archived_day_nor_its_proof(tmp_path: Path) -> None:
    sent = given.facts(scale=0.02)
    late = next(fact for fact in sent if type(fact).__name__ == "CashChanged")
    folder = given.ledger(tmp_path / "ledger", [fact for fact in sent if fact is not late])
    before = write_archive(Replay.open(folder), DAY, tmp_path / "archive")
    given.append(folder, [late])
    assert verify_archive(folder, DAY, tmp_path / "archive") is None
    after = write_archive(Replay.open(folder), DAY, tmp_path / "archive")
    assert after.rows == before.rows + 1
    changed = {a.stream for a, b in zip(after.files, before.files, strict=True) if a != b}
    assert changed == {late.stream}
    assert verify_archive(folder, DAY, tmp_path / "archive") is None


def rewritten(change: Callable[[pa.Table], pa.Table]) -> Callable[[Path], None]:
    """A file with other rows, written as ours are."""

    def work(path: Path) -> None:
        table = change(pq.ParquetFile(path).read())
        pq.write_table(table, path, compression="zstd", store_schema=False)

    return work


def with_body(table: pa.Table) -> pa.Table:
    bodies = table["body"].to_pylist()
    bodies[3] = bodies[3].replace("{", '{"forged":1,', 1)
    return table.set_column(table.schema.get_field_index("body"), SCHEMA.field("body"), [bodies])


BROKEN = {
    "a changed value": (rewritten(with_body), 3, "differs in body"),
    "a row left out": (rewritten(lambda t: pa.concat_tables([t[:5], t[6:]])), 5, "differs in position"),
    "a row more": (rewritten(lambda t: pa.concat_tables([t, t[-1:]])), None, "no such row"),
    "the last row left out": (rewritten(lambda t: t[:-1]), None, "is missing"),
    "another column": (rewritten(lambda t: t.drop_columns(["source"])), None, "other columns"),
    "other bytes of the same rows": (rewritten(lambda t: t), None, "not the file that was written"),
    "a cut file": (lambda path: path.write_bytes(path.read_bytes()[:-9]), None, "cannot be read"),
    "no file": (lambda path: path.unlink(), None, "the folder does not have it"),
    "an empty file": (lambda path: path.write_bytes(b""), None, "cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_what_differs_is_named(two_days: Path, mine: Path, name: str) -> None:
    work, row, says = BROKEN[name]
    path = path_of("SB-01/dice")
    work(mine / f"gaming_day={DAY}" / path)
    found = verify_archive(two_days, DAY, mine)
    assert found is not None
    assert found.path == path
    assert says in found.says
    if row is not None:
        assert found.row == row


def test_a_stranger_among_the_files_is_named(two_days: Path, mine: Path) -> None:
    stranger = mine / f"gaming_day={DAY}" / path_of("SB-99")
    stranger.parent.mkdir()
    shutil.copy(mine / f"gaming_day={DAY}" / path_of("SB-01"), stranger)
    found = verify_archive(two_days, DAY, mine)
    assert found is not None
    assert (found.path, found.says) == (path_of("SB-99"), "the ledger has no facts for it")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"tree_size": 10**9}, "the ledger has"),
        ({"root": "00" * 32}, "its root is not the ledger's"),
        ({"ends": 5}, "another day or another clock"),
    ],
)
def test_a_manifest_of_another_state_is_named(
    two_days: Path, mine: Path, changes: dict[str, object], says: str
) -> None:
    manifest = replace(read_manifest(mine, DAY), **changes)  # type: ignore[arg-type]
    (mine / f"gaming_day={DAY}" / "manifest.json").write_text(manifest.text())
    found = verify_archive(two_days, DAY, mine)
    assert found is not None
    assert found.path == "manifest.json"
    assert says in found.says


def test_bad_days_and_folders_are_told(two_days: Path, mine: Path, tmp_path: Path) -> None:
    with pytest.raises(ArchiveMissing):
        verify_archive(two_days, NEXT, mine)
    with pytest.raises(DayUnknown):
        write_archive(Replay.open(two_days), date(1999, 1, 1), tmp_path)
    (mine / f"gaming_day={DAY}" / "manifest.json").write_text("[]")
    with pytest.raises(ArchiveUnreadable):
        verify_archive(two_days, DAY, mine)
    (tmp_path / "file").write_text("")
    with pytest.raises(CacheUnwritable):
        write_archive(Replay.open(two_days), DAY, tmp_path / "file")


def test_a_writer_that_died_between_two_renames_loses_nothing(two_days: Path, mine: Path) -> None:
    place = mine / f"gaming_day={DAY}"
    place.rename(mine / f".gaming_day={DAY}.old")
    (mine / f".gaming_day={DAY}.new").mkdir()
    write_archive(Replay.open(two_days), NEXT, mine)
    assert archived_days(mine) == [DAY, NEXT]
    assert verify_archive(two_days, DAY, mine) is None


def test_paths_of_odd_streams_stay_in_the_archive() -> None:
    assert path_of("SB-01/dice") == "stream=SB-01%2Fdice/facts.parquet"
    assert path_of("..") == "stream=%2E%2E/facts.parquet"
    long = path_of("ü" * 100)
    assert long.startswith("stream=sha256-")
    assert len(long) < 255


def test_an_amended_fact_is_archived_as_it_was_first(tmp_path: Path) -> None:
    sent = given.facts(scale=0.02)
    folder = given.ledger(tmp_path / "ledger", sent)
    wrong = next(fact for fact in sent if type(fact).__name__ == "CashChanged")
    given.append(folder, [amendment(wrong)])
    replay = Replay.open(folder)
    assert replay.amended(wrong.stream, wrong.seq) is not None
    manifest = write_archive(replay, DAY, tmp_path / "archive")
    told = [
        json.loads(str(row["body"]))
        for stream, row in rows(tmp_path / "archive", manifest)
        if (stream, row["seq"]) == (wrong.stream, wrong.seq)
    ]
    assert [one["cash_cents"] for one in told] == [wrong.cash_cents]  # type: ignore[attr-defined]
    assert verify_archive(folder, DAY, tmp_path / "archive") is None


def amendment(wrong: Fact) -> Fact:
    """A fact that says that another was wrong."""
    from ledger.events import FactAmended

    right = replace(wrong, cash_cents=1, chips_cents=1)  # type: ignore[call-arg]
    return FactAmended(
        stream="cases",
        seq=1,
        event_time=wrong.event_time + 1,
        source="desk",
        recorded_by="S-1",
        amended_stream=wrong.stream,
        amended_seq=wrong.seq,
        replacement=frame(right),
        reason="miscounted",
        amended_by="S-1",
        approved_by="SS-1",
        approved_time=wrong.event_time + 1,
        file_sha256=None,
        proof=None,
        approval_proof=None,
    )
