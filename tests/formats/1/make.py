"""How the corpus of format 1 was made, once: kept to be read, never run again.

It ran as ``python tests/formats/1/make.py FOLDER`` on the last commit that wrote format 1 alone.
Record times, keys and facts are fixed; what a command stamps by the clock is as it came.
"""

from __future__ import annotations

import gzip
import io
import json
import shutil
import sys
import tarfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from kafka.record.memory_records import MemoryRecordsBuilder

from ledger.codec import frame, from_plain
from ledger.log import Arrival, Signer, init, open_log, read_log, rotate_key
from ledger.log.kafka_client import Topic
from ledger.log.kafka_registry import SchemaRegistry, as_published
from ledger.log.kafka_wire import IN_TOPICS, Router, in_topics
from tests.analytics import given as floor
from tests.cli.given import run
from tests.log import test_kafka_registry as registries
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals, opened
from tests.log.kafka_helpers import TROUBLE, clock_checked, small_day, wager
from tests.log.memory_log import MemoryLog
from tests.night import scene

HERE = Path(__file__).parent
PREFIX = "pitledger"
CODECS = {"none": 0, "gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}
SHEET = """\
Gaming day,Table,Round,Betting opened,No more bets,Result shown,Dealer,Shakes,Die 1,Die 2,Die 3,\
Die 1 lay,Die 2 lay,Die 3 lay,Called,No roll because
06/12/2021,SB-01,1,19:00:00,19:01:00,19:01:20,D-31,3,2,3,4,flat,flat,flat,2-3-4,
"""
MORE = "06/12/2021,SB-01,2,19:03:00,19:04:00,19:04:20,D-31,3,1,1,6,flat,flat,flat,1-1-6,\n"


def begin(folder: Path) -> Path:
    """A ledger of one entry."""
    init(folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    return folder


def command(*words: str | Path, codes: tuple[int, ...] = (0,)) -> None:
    """Run a command of the product."""
    done = run(*(str(word) for word in words))
    assert done.code in codes, (words, done)


def ledgers(root: Path) -> None:
    """Every kind of ledger, each with the cache that its commands left."""
    begin(root / "empty")
    with open_log(begin(root / "few")) as log:
        log.append(arrivals(1, 3), TIME)
    with open_log(begin(root / "bundles")) as log:
        log.append(arrivals(1, 200), TIME)
        log.append([*arrivals(1, 300, "DC-01"), *arrivals(205, 330)], TIME + 1)
        log.append(arrivals(201, 203), TIME + 2)
    with open_log(begin(root / "quarantined")) as log:
        log.append([*small_day(120), *TROUBLE], TIME)
        log.append([Arrival(opened(1)), Arrival(opened(1, source="T-9"))], TIME + 1)
    with open_log(begin(root / "witnessed"), witness=root / "witnessed.witness") as log:
        log.append(arrivals(1, 40), TIME)
        log.append(arrivals(41, 300), TIME + 1)
    with open_log(begin(root / "from-kafka")) as log:
        log.append(kafka_arrivals(), TIME)
    rotated = begin(root / "rotated")
    with open_log(rotated) as log:
        log.append(arrivals(1, 30), TIME)
    shutil.copy(rotated / "keys/verifier", root / "rotated.old-verifier")
    new = Signer(ORIGIN, bytes(range(1, 33)))
    rotate_key(rotated, root / "rotated.handover", record_time=TIME, signer=new)
    with open_log(rotated) as log:
        log.append(arrivals(31, 40), TIME + 1)
    every_subject(root / "subjects")


def every_subject(folder: Path) -> None:
    """One fact of every published event: the samples that pass, each in a stream of its own."""
    samples = sorted((HERE.parents[2] / "schemas/samples").glob("*.pass.json"))
    facts = []
    for number, path in enumerate(samples):
        fact = from_plain(json.loads(path.read_text(encoding="utf-8")))
        facts.append(replace(fact, stream=f"sample/{number:03d}", seq=1))
    with open_log(begin(folder)) as log:
        log.append([Arrival(frame(fact)) for fact in facts], TIME)


def kafka_arrivals() -> list[Arrival]:
    """Arrivals with their places in topics, partition by partition."""
    count: dict[tuple[str, int], int] = {}
    out = []
    for number, arrival in enumerate([*small_day(90), *TROUBLE]):
        topic = f"{PREFIX}.{IN_TOPICS[number % 2]}"
        partition = number % 3
        offset = count.get((topic, partition), 0)
        count[topic, partition] = offset + 1
        out.append(Arrival(arrival.framed, arrival.key or b"SB-01", topic, partition, offset))
    return out


def floor_days(root: Path, nights: Path) -> None:
    """A ledger that was judged: carried states, a read model, an archive, issues, signatures."""
    judged = scene.ledger(root / "judged", scene.two_days())
    for day in ("2021-03-15", "2021-03-16"):
        command("audit", "--day", day, "--ledger", judged, codes=(0, 1))
        command("night", "--day", day, "--out", nights, "--ledger", judged, codes=(0, 1))
    for person, role in zip(scene.PEOPLE, ("preparer", "approver"), strict=True):
        command("night", "sign", "--day", "2021-03-15", "--by", person, "--name", person,
                "--as", role, "--out", nights, "--ledger", judged)  # fmt: skip
    command("archive", "write", "--day", "2021-03-15", "--ledger", judged)
    command("sql", "select count(*) as n from facts", "--ledger", judged, codes=(0, 1, 2))
    sent = floor.facts(*floor.PLANTS, scale=0.02, coupons=True)
    simulated = floor.ledger(root / "simulated", sent)
    command("audit", "--day", "2021-06-12", "--ledger", simulated, codes=(0, 1))


def imported(root: Path, sheets: Path) -> None:
    """A ledger that remembers what each row of a sheet became, one row corrected."""
    folder = root / "imported"
    sheets.mkdir()
    first, corrected = sheets / "first.csv", sheets / "corrected.csv"
    first.write_text(SHEET + MORE, encoding="utf-8")
    corrected.write_text(SHEET + MORE.replace("1-1-6", "1-1-5"), encoding="utf-8")
    command("init", "--ledger", folder, "--origin", ORIGIN, "--property", HOUSE)
    command("property", "describe", "--ledger", folder, "--name", HOUSE, "--time-zone",
            "America/New_York", "--day-starts", "06:00", "--by", "E-1041")  # fmt: skip
    command("import", "table-outcomes", first, "--commit", "--by", "E-1041", "--ledger", folder)
    command("import", "table-outcomes", corrected, "--commit", "--by", "E-1041", "--reason",
            "typed wrongly", "--approved-by", "E-2000", "--ledger", folder)  # fmt: skip


def packs(folder: Path) -> None:
    """What terminals, publish and strangers put on the wire: records, and batches of each codec."""
    folder.mkdir()
    samples = read_log(folder.parent / "ledgers/subjects")
    topics = {name: Topic(name=name, id="x", partitions=3) for name in in_topics(PREFIX)}
    router = Router(PREFIX, topics, ORIGIN)
    sent: dict[tuple[str, int], list[tuple[Any, bytes | None, list[tuple[str, bytes]]]]] = {}
    for source in (samples, floor_log()):
        for _, entry in source.entries():
            if type(entry).__name__ == "Accepted":
                record = router.accepted(entry)  # type: ignore[arg-type]
                sent.setdefault(record.place, []).append((record.key, record.value, record.headers))
    for arrival in TROUBLE:
        record = router.arrival(arrival)
        sent.setdefault(record.place, []).append((record.key, record.value, record.headers))
    first = (f"{PREFIX}.tables.v1", 0)
    sent[first] += [(None, None, []), (b"SB-01", None, [("é", b"\xff")]), (b"", b"", [])]
    write_pack(folder / "published", sent)
    foreign: dict[tuple[str, int], Any] = {first: []}
    for number, framed in (
        (registries.FOREIGN_WAGER, wager("SB-01", 1)),
        (registries.FOREIGN_CLOCK, clock_checked(1)),
        (registries.STRANGER, wager("SB-01", 2)),
        (registries.NO_AVRO, wager("SB-01", 3)),
        (registries.NEVER, wager("SB-01", 4)),
    ):
        value = b"\x00" + number.to_bytes(4, "big") + framed[5:]
        foreign[first].append((b"SB-01", value, []))
    write_pack(folder / "registry-framed", foreign)
    answers = {str(number): answer for number, answer in registries.SCHEMAS.items()}
    (folder / "registry.json").write_text(json.dumps(answers, sort_keys=True), encoding="utf-8")


def floor_log() -> MemoryLog:
    """A small day in memory."""
    log = MemoryLog(origin=ORIGIN, property=HOUSE, record_time=TIME)
    log.append(small_day(60), TIME)
    return log


def write_pack(folder: Path, sent: dict[tuple[str, int], list[Any]]) -> None:
    """One file of records, and one file of raw batches for each partition and codec."""
    folder.mkdir()
    lines = []
    for (topic, partition), records in sorted(sent.items()):
        for offset, (key, value, headers) in enumerate(records):
            row = {"topic": topic, "partition": partition, "offset": offset}
            row |= {"key": shown(key), "value": shown(value)}
            row["headers"] = [[name, held.hex()] for name, held in headers]
            lines.append(json.dumps(row, sort_keys=True))
        for name, codec in CODECS.items():
            if name == "snappy":
                continue
            (folder / f"{topic}-{partition}.{name}.batch").write_bytes(batch(records, codec))
    (folder / "records.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def shown(field: bytes | None) -> str | None:
    return None if field is None else field.hex()


def batch(records: list[Any], codec: int) -> bytes:
    """A batch as a producer makes it, base offset 0."""
    builder = MemoryRecordsBuilder(magic=2, compression_type=codec, batch_size=1 << 26)
    for number, (key, value, headers) in enumerate(records):
        done = builder.append(TIME // 1_000 + number, key, value, headers)
        assert done is not None
    builder.close()
    return bytes(builder.buffer())


def recorded(root: Path) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """What the code of that day says of each ledger and pack, and the digests of its days."""
    ledgers: dict[str, Any] = {}
    digests: dict[str, dict[str, str]] = {}
    (root / "cat").mkdir()
    for folder in sorted(path for path in (root / "ledgers").iterdir() if path.is_dir()):
        log = read_log(folder)
        kinds = Counter(type(entry).__name__ for _, entry in log.entries())
        cat = run("cat", "--ledger", str(folder))
        (root / "cat" / f"{folder.name}.jsonl").write_text(cat.out, encoding="utf-8")
        ledgers[folder.name] = {
            "size": log.size, "root": log.root.hex(), "entries": kinds, "cat_exit": cat.code
        }  # fmt: skip
        for day in ("2021-03-15", "2021-03-16", "2021-06-12"):
            audit = run("audit", "--day", day, "--format", "json", "--ledger", str(folder))
            if audit.code in (0, 1):
                digests.setdefault(folder.name, {})[day] = json.loads(audit.out)["digest"]
    answers = Recorded(registries.SCHEMAS).resolve
    packed = {
        "published": became(root / "kafka/published", as_published),
        "registry-framed": became(root / "kafka/registry-framed", answers),
    }
    return {"ledgers": ledgers, "kafka": packed}, digests


class Recorded(SchemaRegistry):
    """A registry that answers from a table."""

    def __init__(self, answers: dict[int, dict[str, str]]) -> None:
        super().__init__("http://recorded", 1)
        self._answers = answers

    def _ask(self, number: int) -> str | None:
        answer = self._answers.get(number)
        avro = answer is not None and answer.get("schemaType", "AVRO") == "AVRO"
        return answer["schema"] if answer is not None and avro else None


def became(pack: Path, resolve: Callable[[bytes], bytes]) -> dict[str, Any]:
    """Counts and root of a log in memory that took a pack."""
    log = MemoryLog(origin=ORIGIN, property=HOUSE, record_time=TIME)
    rows = map(json.loads, (pack / "records.jsonl").read_text(encoding="utf-8").splitlines())
    done = log.append(
        [
            Arrival(
                resolve(bytes.fromhex(row["value"] or "")),
                None if row["key"] is None else bytes.fromhex(row["key"]),
                row["topic"], row["partition"], row["offset"],
            )
            for row in rows
        ],
        TIME,
    )  # fmt: skip
    names = ("accepted", "repeated", "conflicts", "quarantined")
    return {name: getattr(done, name) for name in names} | {"root": log.root.hex()}


def archive(root: Path, target: Path) -> None:
    """All of it in one archive, of fixed order and times."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(root.rglob("*")):
            if path.is_dir() and any(path.iterdir()):
                continue
            row = tar.gettarinfo(path, str(path.relative_to(root)))
            row.mtime, row.uid, row.gid, row.uname, row.gname = 0, 0, 0, "", ""
            with path.open("rb") if path.is_file() else io.BytesIO() as file:
                tar.addfile(row, file if path.is_file() else None)
    target.write_bytes(gzip.compress(buffer.getvalue(), 9, mtime=0))


def main(root: Path) -> None:
    """Make the corpus and what it must say."""
    for name in ("ledgers", "nights"):
        (root / name).mkdir(parents=True)
    ledgers(root / "ledgers")
    floor_days(root / "ledgers", root / "nights")
    imported(root / "ledgers", root / "sheets")
    packs(root / "kafka")
    for unused in [*root.rglob("*.lock"), *root.rglob("tmp")]:
        shutil.rmtree(unused) if unused.is_dir() else unused.unlink()
    expected, digests = recorded(root)
    archive(root, HERE / "corpus.tar.gz")
    for name, value in (("expected", expected), ("digests", digests)):
        text = json.dumps(value, indent=2, sort_keys=True) + "\n"
        (HERE / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
