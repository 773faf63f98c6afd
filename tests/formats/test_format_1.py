"""Bytes of format 1, frozen: every version reads them, and says of them what was said then."""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from kafka.record.memory_records import MemoryRecords

from ledger.cli import main
from ledger.codec import SchemaUnknown, registry
from ledger.log import Accepted, Arrival, Quarantined, open_log, read_log, verify
from ledger.log.kafka import KafkaSettings, ingest
from ledger.log.kafka_client import Place
from ledger.log.kafka_registry import SchemaRegistry, as_published
from ledger.log.note import open_note, parse_verifier
from ledger.night import named_manifest
from tests.log.facts import HOUSE, ORIGIN, TIME, arrivals
from tests.log.kafka_double import Topics
from tests.log.memory_log import MemoryLog

HERE = Path(__file__).parent / "1"
EXPECTED = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))
DIGESTS = json.loads((HERE / "digests.json").read_text(encoding="utf-8"))
LEDGERS = sorted(EXPECTED["ledgers"])
JUDGED = [(name, day) for name, days in sorted(DIGESTS.items()) for day in sorted(days)]
REMARKS = {"unknown: archive/"}
"""What may be remarked on; an archive lies in the ledger's folder unless another is named."""
UNEXPECTED = 70
"""The exit code of a mistake of the program itself."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus, unpacked; it is only read."""
    folder = tmp_path_factory.mktemp("format-1")
    with tarfile.open(HERE / "corpus.tar.gz") as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)
    return folder


@pytest.fixture
def copy(corpus: Path, tmp_path: Path) -> Callable[[str], Path]:
    """A copy of one ledger, to be written to."""
    return lambda name: Path(shutil.copytree(corpus / "ledgers" / name, tmp_path / name))


def said(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str]:
    """Exit code and standard output of a command."""
    capsys.readouterr()
    code = main([str(word) for word in words])
    assert code != UNEXPECTED, words
    return code, capsys.readouterr().out


# ---------------------------------------------------------------- ledgers


@pytest.mark.parametrize("name", LEDGERS)
def test_a_ledger_verifies_with_its_size_and_root(name: str, corpus: Path) -> None:
    folder, expected = corpus / "ledgers" / name, EXPECTED["ledgers"][name]
    witness = corpus / "ledgers" / f"{name}.witness"
    verification = verify(folder, witness=witness if witness.exists() else None)
    assert verification.problem is None
    assert set(verification.remarks) <= REMARKS
    assert (verification.tree_size, verification.root) == (expected["size"], expected["root"])
    assert verification.witness == ("consistent" if witness.exists() else "absent")


@pytest.mark.parametrize("name", LEDGERS)
def test_its_facts_are_printed_as_they_were(
    name: str, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, expected = corpus / "ledgers" / name, EXPECTED["ledgers"][name]
    code, lines = said(capsys, "cat", "--ledger", folder)
    rows = [json.loads(line) for line in lines.splitlines()]
    recorded = (corpus / "cat" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    assert code == expected["cat_exit"]
    assert len(rows) == len(recorded)
    for row, line in zip(rows, recorded, strict=True):  # later versions only add to a line
        before = json.loads(line)
        assert row.get("version", 0) >= before.pop("version", 0)  # printed in the newest one
        assert {field: row.get(field) for field in before} == before
    kinds: dict[str, int] = {}
    for _, entry in read_log(folder).entries():
        kinds[type(entry).__name__] = kinds.get(type(entry).__name__, 0) + 1
        if isinstance(entry, Quarantined):
            assert len(read_log(folder).quarantined(entry.sha256)) == entry.length
    assert kinds == expected["entries"]


@pytest.mark.by_turns(4)
@pytest.mark.parametrize(("name", "day"), JUDGED)
@pytest.mark.parametrize("cache", ["none", "as left", "files only", "of another ledger"])
def test_a_day_has_its_digest_whatever_the_cache(
    name: str,
    day: str,
    cache: str,
    copy: Callable[[str], Path],
    corpus: Path,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    folder = copy(name)
    if cache != "as left":
        shutil.rmtree(folder / "cache")
    if cache == "of another ledger":
        shutil.copytree(corpus / "ledgers/bundles/cache", folder / "cache")
    if cache == "files only":
        shutil.copytree(corpus / "ledgers" / name / "cache", folder / "cache")
        (folder / "cache/known.json").unlink()
    code, text = said(capsys, "audit", "--day", day, "--format", "json", "--ledger", folder)
    assert code in (0, 1)
    digest = json.loads(text)["digest"]
    if cache == "none" and request.config.getoption("--record-digests", default=False):
        DIGESTS[name][day] = digest
        lines = json.dumps(DIGESTS, indent=2, sort_keys=True) + "\n"
        (HERE / "digests.json").write_text(lines, encoding="utf-8")
    assert digest == DIGESTS[name][day]


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("name", LEDGERS)
@pytest.mark.parametrize("cache", [True, False])
def test_it_is_appended_to(name: str, cache: bool, copy: Callable[[str], Path]) -> None:
    folder, expected = copy(name), EXPECTED["ledgers"][name]
    if not cache:
        shutil.rmtree(folder / "cache", ignore_errors=True)
    before = read_log(folder)
    facts = [Arrival(entry.framed) for _, entry in before.entries() if isinstance(entry, Accepted)]
    with open_log(folder) as log:
        done = log.append(facts, TIME + 9)
        assert (done.accepted, done.repeated) == (0, len(facts))
        done = log.append(arrivals(1, 300, "FURTHER-01"), TIME + 10)
        assert (done.accepted, done.conflicts) == (300, 0)
        assert log.snapshot.root_at(expected["size"]).hex() == expected["root"]
    verification = verify(folder)
    assert verification.problem is None
    assert set(verification.remarks) <= REMARKS


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("name", LEDGERS)
def test_no_command_fails_unexpectedly(
    name: str, copy: Callable[[str], Path], corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copy(name)
    day = next(iter(DIGESTS.get(name, {})), "2021-06-12")
    for words in (
        ["doctor"], ["checkpoint"], ["prove", "0"], ["rounds", "--day", day],
        ["tables", "--day", day], ["inforce", "--day", day], ["clocks", "--day", day],
        ["coupons", "outstanding", "--day", day], ["archive", "list"], ["archive", "verify"],
        ["sql", "select count(*) as n from facts"],
    ):  # fmt: skip
        assert said(capsys, *words, "--ledger", folder)[0] in (0, 1, 2, 3), words


def test_both_keys_of_a_rotation_hold(corpus: Path) -> None:
    ledgers = corpus / "ledgers"
    handover = (ledgers / "rotated.handover").read_bytes()
    old = parse_verifier((ledgers / "rotated.old-verifier").read_text(encoding="utf-8").strip())
    new = parse_verifier((ledgers / "rotated/keys/verifier").read_text(encoding="utf-8").strip())
    assert old != new
    assert open_note(handover, old) == open_note(handover, new)


def test_an_import_remembers_its_rows(
    corpus: Path, copy: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("import", "table-outcomes", corpus / "sheets/corrected.csv", "--format", "json")
    code, text = said(capsys, *words, "--ledger", copy("imported"))
    preview = json.loads(text)
    assert code == 0
    assert (preview["rows"], preview["refused"]) == (2, 0)
    counts = {"new": 0, "same": 10, "changed": 0, "gone": 0}
    assert {name: preview["facts"][name] for name in counts} == counts


# ---------------------------------------------------------------- issues of the night


@pytest.mark.parametrize("day", ["2021-03-15", "2021-03-16"])
def test_an_issue_of_the_night_is_read(
    day: str, corpus: Path, copy: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    nights = corpus / "nights"
    manifest = named_manifest(nights, f"{day}/final")
    for output in manifest["outputs"]:
        assert (nights / day / "final-1" / output["name"]).is_file()
    issue = nights / day / "final-1"
    words = ("night", "diff", issue, issue, "--ledger", copy("judged"))
    assert said(capsys, *words)[0] == 0


def test_the_signatures_of_an_issue_are_read(
    corpus: Path, copy: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("night", "sign", "--day", "2021-03-15", "--by", "P-1", "--name", "P-1")
    words += ("--as", "preparer", "--out", str(corpus / "nights"))
    assert said(capsys, *words, "--ledger", copy("judged"))[0] == 2, "it is signed already"


# ---------------------------------------------------------------- packs of Kafka records


def records(pack: Path) -> Iterator[dict[str, Any]]:
    """Each record of a pack, its bytes decoded."""
    for line in (pack / "records.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for field in ("key", "value"):
            row[field] = None if row[field] is None else bytes.fromhex(row[field])
        row["headers"] = [(name, bytes.fromhex(text)) for name, text in row["headers"]]
        yield row


class Recorded(SchemaRegistry):
    """A registry that answers with what it held when the corpus was made."""

    def __init__(self, answers: dict[str, dict[str, str]]) -> None:
        super().__init__("http://recorded", 1)
        self._answers = answers

    def _ask(self, number: int) -> str | None:
        answer = self._answers.get(str(number))
        if answer is None or answer.get("schemaType", "AVRO") != "AVRO":
            return None
        return answer["schema"]


@pytest.mark.parametrize("name", sorted(EXPECTED["kafka"]))
def test_a_pack_becomes_the_same_tree(name: str, corpus: Path) -> None:
    answers = json.loads((corpus / "kafka/registry.json").read_text(encoding="utf-8"))
    resolve = Recorded(answers).resolve if name == "registry-framed" else as_published
    log = MemoryLog(origin=ORIGIN, property=HOUSE, record_time=TIME)
    done = log.append(
        [
            Arrival(resolve(row["value"] or b""), row["key"], row["topic"], row["partition"],
                    row["offset"])
            for row in records(corpus / "kafka" / name)
        ],
        TIME,
    )  # fmt: skip
    expected = EXPECTED["kafka"][name]
    assert {field: getattr(done, field) for field in expected if field != "root"} == {
        field: count for field, count in expected.items() if field != "root"
    }
    assert log.root.hex() == expected["root"]


@pytest.mark.parametrize("name", sorted(EXPECTED["kafka"]))
@pytest.mark.parametrize("codec", ["none", "gzip", "lz4", "zstd"])
def test_a_batch_of_each_codec_holds_the_records(name: str, codec: str, corpus: Path) -> None:
    pack = corpus / "kafka" / name
    by_place: dict[str, list[dict[str, Any]]] = {}
    for row in records(pack):
        by_place.setdefault(f"{row['topic']}-{row['partition']}", []).append(row)
    for place, rows in by_place.items():
        raw = MemoryRecords((pack / f"{place}.{codec}.batch").read_bytes())
        batch = raw.next_batch()
        assert batch is not None
        assert [
            (record.offset, record.key, record.value, list(record.headers)) for record in batch
        ] == [(row["offset"], row["key"], row["value"], row["headers"]) for row in rows]


@pytest.mark.parametrize("codec", ["none", "gzip", "lz4", "zstd"])
def test_batches_are_ingested(
    codec: str, corpus: Path, monkeypatch: pytest.MonkeyPatch, copy: Callable[[str], Path]
) -> None:
    topics = Topics("pitledger", partitions=3)
    topics.install(monkeypatch)
    pack = corpus / "kafka/published"
    for path in pack.glob(f"*.{codec}.batch"):
        topic, _, partition = path.name.removesuffix(f".{codec}.batch").rpartition("-")
        topics.put(Place(topic, int(partition)), path.read_bytes())
    settings = KafkaSettings(bootstrap="double:1", topic_prefix="pitledger", timeout_seconds=5)
    with open_log(copy("empty")) as log:
        done = ingest(log, settings)
        expected = EXPECTED["kafka"]["published"]
        assert done.unreadable == ()
        assert {field: getattr(done, field) for field in expected if field != "root"} == {
            field: count for field, count in expected.items() if field != "root"
        }
        again = ingest(log, settings)
        assert (again.accepted, again.quarantined) == (0, 0)


def test_every_published_subject_is_in_the_packs(corpus: Path) -> None:
    names = set()
    for row in records(corpus / "kafka/published"):
        try:
            names.add(registry().by_id(int.from_bytes((row["value"] or b"")[1:5], "big")).name)
        except SchemaUnknown:
            continue
    assert len(names) > 150
