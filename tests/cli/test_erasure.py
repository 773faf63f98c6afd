"""Erasure covers what it promises: no file of the ledger, and none written from it, holds a name."""

from __future__ import annotations

import base64
import gzip
import json
import shutil
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

from infra.kafka import Broker
from ledger.intake import ErasableStore, OpeningUnknown
from ledger.intake.personal_encryption_keys import PeopleKeysDamaged, unseal
from tests.analytics import given
from tests.cli.conftest import Command
from tests.cli.unpacked import holding
from tests.intake.given import SAMPLES
from tests.log.kafka_helpers import fresh_prefix, received

SHEET = SAMPLES / "coupon-mailing-list.csv"
DAY = "2021-06-12"
CUSTODIAN = ("--by", "IT-1")
SECRET = b"Philippa Quillfeather"


@pytest.fixture
def spool(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go, so that what is left of them is found; sockets need a short path."""
    folder = tmp_path_factory.mktemp("t")
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def written(command: Command, floor: Path, out: Path) -> None:
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
        ("backup", out.with_name(f"{out.name}-backup"), "--erasable", f"{out}-names"),
        ("backup", out.with_name(f"{out.name}-copy")),
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
    shutil.rmtree(odd.parent)  # the house destroys its own sheets
    return path


def paths_holding(secrets: list[bytes], folder: Path) -> set[str]:
    """The files below a folder that hold a secret, parts of what is packed left out."""
    return {name.partition(":")[0] for name in holding(secrets, folder)}


def proofs(command: Command, floor: Path) -> list[object]:
    """What must hold afterwards as before: the root, the list's proofs, the digest of the day."""
    facts = map(json.loads, command("cat", "--ledger", floor).out.splitlines())
    lists = [str(fact["position"]) for fact in facts if fact["event"] == "MailListSupplied"]
    words = ("--ledger", floor, "--format", "json")
    audited = command("audit", "--day", DAY, "--from-nothing", *words).json
    verified = command("verify", *words)
    assert verified.code == 0, verified.err
    return [
        verified.json["root"], audited["digest"], audited["findings"],
        *(command("prove", position, *words).out for position in lists),
    ]  # fmt: skip


@pytest.mark.full
def test_after_a_whole_day_of_work_no_file_holds_what_was_forgotten(
    command: Command, floor: Path, tmp_path: Path, spool: Path
) -> None:
    store, out, later = ErasableStore(floor), tmp_path / "out", tmp_path / "later"
    numbers = openings(command, floor)
    assert len(numbers) == 3
    patrons = [store.read(number) for number in numbers]
    secrets = [
        secret
        for patron in patrons[:2]
        for secret in (patron.name.encode(), patron.address.encode(), patron.name_salt, patron.address_salt)
    ]  # fmt: skip
    keys = [store.people.key(number) for number in numbers[:2]]
    written(command, floor, out)
    assert paths_holding(secrets, tmp_path) == {"ledger/erasable/rejected/odd.csv"}
    assert paths_holding(keys, tmp_path) == {"ledger.people"}
    before = proofs(command, floor)
    assert command("coupons", "forget", *numbers[:2], *CUSTODIAN, "--ledger", floor).code == 0
    assert paths_holding([*secrets, *keys], tmp_path) == set()
    assert paths_holding([*secrets, *keys], spool) == set()
    written(command, floor, later)  # and nothing that is made afterwards brings it back
    assert paths_holding([*secrets, *keys], tmp_path) == set()
    assert paths_holding([*secrets, *keys], spool) == set()
    assert proofs(command, floor) == before
    issue = command("night", "verify", f"{DAY}/final-1", "--out", out / "nights", "--ledger", floor)
    assert issue.code == 0, issue.err  # the issue made before is derived again, byte for byte
    assert store.read(numbers[2]).name == patrons[2].name
    with pytest.raises(OpeningUnknown):
        store.read(numbers[0])


@pytest.mark.full
def test_a_backup_of_the_names_forgets_with_them(
    command: Command, floor: Path, tmp_path: Path
) -> None:
    store, numbers = ErasableStore(floor), openings(command, floor)
    patrons = [store.read(number) for number in numbers]
    words = ("--erasable", tmp_path / "names", "--ledger", floor)
    assert command("backup", tmp_path / "backup", *words).code == 0
    custodian = store.people.path.read_bytes()  # what a custodian keeps apart
    assert command("coupons", "forget", numbers[0], *CUSTODIAN, "--ledger", floor).code == 0

    restored = tmp_path / "restored"  # by the runbook: copy, names and keys are put together
    shutil.copytree(tmp_path / "backup", restored)
    shutil.copytree(tmp_path / "names", restored / "erasable")
    shutil.copy(store.people.path, tmp_path / "restored.people")
    copy = ErasableStore(restored)
    with closing(sqlite3.connect(copy.path)) as raw:
        rows = raw.execute("SELECT * FROM sealed WHERE opening = ?", (numbers[0],)).fetchall()
    assert len(rows) == 1  # it is in the backup, and cannot be read
    with pytest.raises(OpeningUnknown):
        copy.read(numbers[0])
    for number in numbers[1:]:  # nor under the key of anybody else
        with pytest.raises(PeopleKeysDamaged):
            unseal(copy.people.key(number), rows[0][1], f"opening {numbers[0]} name")
    assert [copy.read(number) for number in numbers[1:]] == patrons[1:]
    again = command("import", "coupon-mailing-list", SHEET, "--ledger", restored)
    assert "this name was erased and is not taken again" in again.err
    assert command("verify", "--ledger", restored).code == 0
    (tmp_path / "restored.people").write_bytes(custodian)  # the page says how long that one is kept
    assert ErasableStore(restored).read(numbers[0]) == patrons[0]


@pytest.mark.full
def test_no_topic_holds_a_name_or_a_salt(
    command: Command, floor: Path, tmp_path: Path, kafka_broker: Broker
) -> None:
    store, numbers = ErasableStore(floor), openings(command, floor)
    patrons = [store.read(number) for number in numbers]
    secrets = [
        secret
        for patron in patrons
        for secret in (patron.name.encode(), patron.address.encode(), patron.name_salt, patron.address_salt)
    ]  # fmt: skip
    prefix = fresh_prefix(kafka_broker)
    words = ("--bootstrap", kafka_broker.bootstrap, "--topic-prefix", prefix, "--ledger", floor)
    assert command("publish", *words).code == 0
    topics, records = tmp_path / "topics", 0
    topics.mkdir()
    for subject, partitions in (("tables", 6), ("coupons", 2), ("house", 1)):  # infra/topics.toml
        for record in received(kafka_broker, f"{prefix}.{subject}.v1", partitions):
            heads = b"".join(value for _, value in record.headers)
            parts = (record.key or b"", record.value or b"", heads)
            (topics / f"{records}").write_bytes(b"\n".join(parts))
            records += 1
    assert records > 3
    assert holding(secrets, topics) == []
    named = holding([number.encode() for number in numbers], topics)
    assert named  # the numbers of the openings are there, so that the lists are


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
    (folder / "wider.txt").write_bytes(SECRET.decode().encode("utf-16-be"))
    for skipped in range(3):
        around = b"x" * skipped + SECRET + b" of Ephrata"
        (folder / f"letters-{skipped}.txt").write_bytes(base64.b64encode(around))
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
