"""Erasure covers what it promises: no file of the ledger, and none written from it, holds a name."""

from __future__ import annotations

import gzip
import json
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from ledger.intake import ErasableStore, OpeningUnknown
from tests.analytics import given
from tests.cli.conftest import Command
from tests.cli.unpacked import holding
from tests.intake.given import SAMPLES

SHEET = SAMPLES / "coupon-mailing-list.csv"
DAY = "2021-06-12"
SECRET = b"Philippa Quillfeather"


@pytest.fixture
def spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go, so that what is left of them is found."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def written(command: Command, floor: Path, out: Path, *, again: bool = False) -> None:
    """Everything that writes files, on a day of tables and coupons."""
    words: list[tuple[str | Path, ...]] = [
        ("night", "--day", DAY, "--out", out / "nights", "--processes", "1"),
        ("audit", "--day", DAY),
        ("actions", "list", "--day", DAY),
        ("coupons", "forms", "--day", DAY, "--out", out / "forms"),
        ("coupons", "form", "daily", "--day", DAY, "--format", "xlsx", "--out", out / "daily.xlsx"),
        ("archive", "write", "--day", DAY),
        ("archive", "write", "--day", DAY, "--archive", out / "archive"),
        ("archive", "verify"),
        *(
            ("sql", "SELECT * FROM coupons", "--format", form, "--out", out / f"coupons.{form}")
            for form in ("csv", "xlsx", "parquet")
        ),
    ]
    out.mkdir(exist_ok=True)
    for each in words:
        done = command(*each, "--ledger", floor)
        assert done.code in (0, 1), (each, done.err)
        assert SECRET.decode() not in done.out + done.err
    if not again:
        assert list(out.rglob("report.html"))
        assert list(floor.rglob("archive/**/*.parquet"))
        assert list(out.rglob("marts/coupons.parquet"))
    (out / "lines.jsonl").write_text(command("cat", "--ledger", floor).out, encoding="utf-8")


def openings(command: Command, floor: Path) -> list[str]:
    """The numbers of the openings that the facts name and the store has."""
    facts = map(json.loads, command("cat", "--ledger", floor).out.splitlines())
    lists = [fact for fact in facts if fact["event"] == "MailListSupplied"]
    named = [line["opening"] for fact in lists for line in fact["lines"]]
    store = ErasableStore(floor)
    return [number for number in named if number and store.known(number) is not None]


@pytest.fixture
def floor(tmp_path: Path, command: Command, spool: Path) -> Path:
    """A day of the floor with coupons, and a mailing list with refused rows beside it."""
    path = given.ledger(tmp_path / "ledger", given.facts(scale=0.02, coupons=True))
    words = ("import", "coupon-mailing-list")
    odd = tmp_path / "sheets" / "list.csv"
    odd.parent.mkdir()
    odd.write_text(SHEET.read_text("utf-8").replace("C-0000212,$5.00", "C-0000212,five"), "utf-8")
    assert command(*words, odd, "--rejected", odd.parent / "odd.csv", "--ledger", path).code == 1
    done = command(*words, SHEET, "--commit", "--by", "M-1", "--ledger", path)
    assert done.code == 0, done.err
    return path


def test_after_a_whole_day_of_work_no_file_holds_what_was_forgotten(
    command: Command, floor: Path, tmp_path: Path, spool: Path
) -> None:
    store, out = ErasableStore(floor), tmp_path / "out"
    numbers = openings(command, floor)
    assert len(numbers) == 3
    patrons = [store.read(number) for number in numbers]
    secrets = [
        secret
        for patron in patrons[:2]
        for secret in (patron.name.encode(), patron.address.encode(), patron.name_salt, patron.address_salt)
    ]  # fmt: skip
    written(command, floor, out)
    held = {name.partition(":")[0] for name in holding(secrets, floor, out, spool)}
    assert held == {"erasable/openings.sqlite", "erasable/rejected/odd.csv"}
    assert command("coupons", "forget", *numbers[:2], "--ledger", floor).code == 0
    assert holding(secrets, floor, out, spool) == []
    written(command, floor, out, again=True)  # and nothing that is made afterwards brings it back
    assert holding(secrets, floor, out, spool) == []
    assert store.read(numbers[2]).name == patrons[2].name
    with pytest.raises(OpeningUnknown):
        store.read(numbers[0])
    assert command("verify", "--ledger", floor).code == 0


# --- the search itself ----------------------------------------------------------------------------


def packings(folder: Path) -> Iterator[Path]:
    """The secret in each kind of file that this search must see through."""
    text = SECRET.decode() * 50
    table = pa.table({"name": [text], "salt": pa.array([SECRET], pa.binary())})
    for name in ("zstd", "gzip", "snappy"):
        pq.write_table(table, folder / f"{name}.parquet", compression=name)
    with ZipFile(folder / "book.xlsx", "w", ZIP_DEFLATED) as packed:
        packed.writestr("xl/sharedStrings.xml", text)
    (folder / "page.gz").write_bytes(gzip.compress(text.encode()))
    (folder / "work.bin").write_bytes(b"head" + zstandard.compress(text.encode()) + b"tail")
    (folder / "line.json").write_text(json.dumps(SECRET.hex()))
    (folder / "wide.txt").write_bytes(SECRET.decode().encode("utf-16-le"))
    with duckdb.connect(folder / "read.duckdb") as store:
        store.execute("CREATE TABLE coupons AS SELECT $1 AS name FROM range(5000)", [text])
    with closing(sqlite3.connect(folder / "store.sqlite")) as rows, rows:
        rows.execute("CREATE TABLE openings AS SELECT ? AS name", (text,))
    yield from folder.iterdir()


def test_the_search_sees_through_every_packing(tmp_path: Path) -> None:
    paths = {path.name for path in packings(tmp_path)}
    seen = {name.partition(":")[0] for name in holding([SECRET], tmp_path)}
    assert seen == paths
    assert holding([b"Barnaby Thistlewood"], tmp_path) == []
