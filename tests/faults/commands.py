"""The commands that are killed: where each begins, and what has to be true however it was killed.

A command begins in a copy of a folder that was prepared once. ``outcome`` says all that must be
the same after any number of kills as after none; it asserts what no kill may break.
"""

from __future__ import annotations

import csv
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Protocol

from infra.kafka import Broker, load_topics
from ledger.codec import decode, to_text
from ledger.events import BettingOpened, MailListSupplied
from ledger.intake import ErasableStore, opens
from ledger.log import Accepted, Arrival, KeyRotated, back_up, init, open_log, read_log, verify
from ledger.log.kafka import ingest, publish
from ledger.log.note import open_note, parse_verifier
from ledger.night import read_manifest
from tests.faults.children import Children, Ran
from tests.log.facts import HOUSE, ORIGIN, TIME, arrivals
from tests.log.kafka_helpers import (
    TROUBLE,
    fresh_prefix,
    memory,
    places,
    received,
    said,
    settings_of,
    small_day,
)
from tests.log.memory_log import MemoryLog
from tests.night import scene

SAMPLES: Final = Path(__file__).parent.parent / "intake" / "samples"
BEFORE: Final = 100
"""How many facts are acknowledged before an append or a rotation begins."""
SENT: Final = 300
"""How many facts an append or an import sends: more than a tile holds."""


class Command(Protocol):
    """A command that is killed."""

    name: str

    def prepare(self, children: Children, folder: Path) -> None:
        """Make what the command begins with."""

    def begin(self, folder: Path) -> None:
        """Do in a copy what a copy cannot have from elsewhere."""

    def words(self, folder: Path) -> tuple[str | Path, ...]:
        """The command line."""

    def stands(self, folder: Path, promises: list[dict[str, Any]]) -> None:
        """Assert what holds right after a kill, before anything is mended."""

    def outcome(self, folder: Path, promises: list[dict[str, Any]]) -> object:
        """Assert what holds at the end; what is the same as if nothing had been killed."""

    def is_over(self, ran: Ran) -> bool:
        """Whether a refusal says that an earlier run had done all of it."""


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def is_kept(folder: Path, promises: Iterable[dict[str, Any]]) -> None:
    """Assert that a ledger is whole and holds every entry that was acknowledged, byte for byte."""
    verification = verify(folder)
    assert verification.problem is None, verification.problem
    log = read_log(folder)
    for promise in promises:
        assert promise["size"] <= log.size, "an acknowledged entry is lost"
        assert log.root_at(promise["size"]).hex() == promise["root"], "acknowledged bytes changed"


def history(folder: Path) -> tuple[int, str]:
    """Size and root of a ledger in which no fact stands twice."""
    log = read_log(folder)
    facts = [entry.framed for _, entry in log.entries() if isinstance(entry, Accepted)]
    assert len(set(facts)) == len(facts), "a fact stands twice"
    return log.size, log.root.hex()


def run_well(children: Children, *words: str | Path) -> None:
    """Run a command that must succeed."""
    ran = children.run(*words)
    assert ran.code == 0, ran.err


def opened_rounds(first: int, last: int, stream: str, source: str = "T-1") -> list[BettingOpened]:
    """Rounds that began, with the numbers from first to last."""
    return [
        BettingOpened(
            stream=stream, seq=seq, event_time=TIME + seq * 1_000, source=source, recorded_by=None
        )
        for seq in range(first, last + 1)
    ]


def describe_property(children: Children, ledger: Path) -> None:
    """Begin a ledger whose property has said where it is."""
    run_well(children, "init", "--origin", "test.example/floor", "--ledger", ledger)
    words = ("property", "describe", "--name", "Example Casino", "--time-zone", "America/New_York")
    run_well(children, *words, "--by", "E-1", "--ledger", ledger)


def commit(profile: str, sheet: Path, ledger: Path) -> tuple[str | Path, ...]:
    """The words that import a sheet."""
    people = ("--commit", "--by", "E-1", "--processes", "1")
    return ("import", profile, sheet, *people, "--ledger", ledger, "--format", "json")


@dataclass(frozen=True, slots=True)
class Append:
    """Lines are appended, of which some stand there already and one contradicts what stands."""

    name: str = "append"

    def prepare(self, children: Children, folder: Path) -> None:
        ledger = folder / "ledger"
        run_well(children, "init", "--origin", "test.example/floor", "--ledger", ledger)
        new = [
            *opened_rounds(BEFORE - 5, BEFORE + SENT - 50, "SB-01"),
            *opened_rounds(1, 50, "SB-02"),
        ]
        new[150] = opened_rounds(1, 1, "SB-01", "T-OTHER")[0]
        for path, facts in (("first", opened_rounds(1, BEFORE, "SB-01")), ("second", new)):
            text = "".join(f"{to_text(fact)}\n" for fact in facts)
            (folder / f"{path}.jsonl").write_text(text, encoding="utf-8")
        run_well(children, "append", folder / "first.jsonl", "--ledger", ledger)

    def begin(self, folder: Path) -> None:
        pass

    def words(self, folder: Path) -> tuple[str | Path, ...]:
        return (
            "append",
            folder / "second.jsonl",
            "--ledger",
            folder / "ledger",
            "--format",
            "json",
        )

    def stands(self, folder: Path, promises: list[dict[str, Any]]) -> None:
        is_kept(folder / "ledger", promises)

    def outcome(self, folder: Path, promises: list[dict[str, Any]]) -> object:
        is_kept(folder / "ledger", promises)
        return history(folder / "ledger")

    def is_over(self, ran: Ran) -> bool:
        """What contradicts another line and stands in the quarantine already is a repetition."""
        return ran.code == 0


@dataclass(frozen=True, slots=True)
class Import:
    """A sheet of wagers is committed: all of its rows, or none."""

    name: str = "import"

    def prepare(self, children: Children, folder: Path) -> None:
        describe_property(children, folder / "ledger")
        lines = list(csv.reader((SAMPLES / "table-wagers.csv").open(encoding="utf-8")))
        with (folder / "sheet.csv").open("w", encoding="utf-8", newline="") as file:
            sheet = csv.writer(file)
            sheet.writerow(lines[0])
            for number in range(SENT // 2):
                moment = f"19:{number // 60:02}:{number % 60:02}"
                sheet.writerow([*lines[2][:2], f"W-{number}", moment, moment, *lines[2][5:]])

    def begin(self, folder: Path) -> None:
        pass

    def words(self, folder: Path) -> tuple[str | Path, ...]:
        return commit("table-wagers", folder / "sheet.csv", folder / "ledger")

    def stands(self, folder: Path, promises: list[dict[str, Any]]) -> None:
        is_kept(folder / "ledger", promises)
        size = read_log(folder / "ledger").size
        assert size < 10 or size > SENT, f"a part of the sheet is imported: {size} entries"

    def outcome(self, folder: Path, promises: list[dict[str, Any]]) -> object:
        is_kept(folder / "ledger", promises)
        return history(folder / "ledger")

    def is_over(self, ran: Ran) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class ImportNames:
    """A mailing list is committed: names are kept apart, and the ledger commits to them."""

    name: str = "import of names"

    def prepare(self, children: Children, folder: Path) -> None:
        describe_property(children, folder / "ledger")

    def begin(self, folder: Path) -> None:
        pass

    def words(self, folder: Path) -> tuple[str | Path, ...]:
        return commit("coupon-mailing-list", SAMPLES / "coupon-mailing-list.csv", folder / "ledger")

    def stands(self, folder: Path, promises: list[dict[str, Any]]) -> None:
        is_kept(folder / "ledger", promises)

    def outcome(self, folder: Path, promises: list[dict[str, Any]]) -> object:
        ledger = folder / "ledger"
        is_kept(ledger, promises)
        (supplied,) = (
            fact
            for _, entry in read_log(ledger).entries()
            if isinstance(entry, Accepted)
            and isinstance(fact := decode(entry.framed), MailListSupplied)
        )
        store = ErasableStore(ledger)
        opened = [(line, store.read(line.opening)) for line in supplied.lines]
        for line, patron in opened:
            assert opens(line.name_commitment, patron.name, patron.name_salt)
            assert opens(line.address_commitment, patron.address, patron.address_salt)
        with sqlite3.connect(store.path) as rows:
            (count,) = rows.execute("SELECT count(*) FROM sealed").fetchone()
        assert count == len(opened), "names are kept that no fact commits to"
        return history(ledger)[0], sorted(patron.name for _, patron in opened)

    def is_over(self, ran: Ran) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Night:
    """The night of a tiny gaming day: every issue that has its name is the one that it must be."""

    name: str = "night"

    def prepare(self, children: Children, folder: Path) -> None:
        scene.ledger(folder / "ledger")

    def begin(self, folder: Path) -> None:
        pass

    def words(self, folder: Path) -> tuple[str | Path, ...]:
        words = ("night", "--day", scene.DAY.isoformat(), "--processes", "1", "--format", "json")
        return (*words, "--ledger", folder / "ledger", "--out", folder / "nights")

    def stands(self, folder: Path, promises: list[dict[str, Any]]) -> None:
        assert verify(folder / "ledger").problem is None
        for issue in (folder / "nights" / scene.DAY.isoformat()).glob("final-*"):
            manifest = read_manifest(issue)
            for output in manifest["outputs"]:
                content = (issue / output["name"]).read_bytes()
                assert sha256(content).hexdigest() == output["sha256"], "a named issue is torn"

    def outcome(self, folder: Path, promises: list[dict[str, Any]]) -> object:
        assert verify(folder / "ledger").problem is None
        nights = folder / "nights"
        assert not list(nights.rglob(".tmp-*"))
        files = tree(nights / scene.DAY.isoformat())
        assert {path.partition("/")[0] for path in files} == {"final-1"}
        return files

    def is_over(self, ran: Ran) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Backup:
    """A ledger that grew is copied over its earlier copy, and names of patrons apart."""

    name: str = "backup"

    def prepare(self, children: Children, folder: Path) -> None:
        ledger = folder / "ledger"
        init(ledger, origin=ORIGIN, property=HOUSE, record_time=TIME)
        store = ErasableStore(ledger)
        store.commit("Ada Lovelace", "1 Front Street")
        with open_log(ledger) as log:
            log.append(arrivals(1, SENT), TIME)
            back_up(ledger, folder / "copy")
            store.copy_to(folder / "names")
            log.append([*arrivals(SENT + 1, 3 * SENT), Arrival(b"rubbish")], TIME)
        store.commit("Grace Hopper", "2 Front Street")

    def begin(self, folder: Path) -> None:
        pass

    def words(self, folder: Path) -> tuple[str | Path, ...]:
        words = ("backup", folder / "copy", "--erasable", folder / "names")
        return (*words, "--ledger", folder / "ledger")

    def stands(self, folder: Path, promises: list[dict[str, Any]]) -> None:
        """The copy verifies, as it was or as it is to be, or says that it is not whole."""
        is_kept(folder / "ledger", ())
        log, copy = read_log(folder / "ledger"), verify(folder / "copy")
        if copy.problem is None:
            assert log.root_at(copy.tree_size).hex() == copy.root
        assert len(names_in(folder / "names")) in (1, 2)

    def outcome(self, folder: Path, promises: list[dict[str, Any]]) -> object:
        is_kept(folder / "ledger", ())
        copy = verify(folder / "copy")
        assert (copy.problem, copy.tree_size) == (None, read_log(folder / "ledger").size)
        return tree(folder / "copy"), names_in(folder / "names"), sorted(tree(folder / "names"))

    def is_over(self, ran: Ran) -> bool:
        return False


def names_in(folder: Path) -> list[str]:
    """The numbers of the names of patrons in a copy of them."""
    with closing(sqlite3.connect(folder / "openings.sqlite")) as rows:
        return sorted(number for (number,) in rows.execute("SELECT opening FROM sealed"))


@dataclass(frozen=True, slots=True)
class Rotate:
    """The ledger gets a new key: there is one chain from the old one to it."""

    name: str = "key rotate"

    def prepare(self, children: Children, folder: Path) -> None:
        ledger = folder / "ledger"
        run_well(children, "init", "--origin", "test.example/floor", "--ledger", ledger)
        facts = "".join(f"{to_text(fact)}\n" for fact in opened_rounds(1, BEFORE, "SB-01"))
        (folder / "first.jsonl").write_text(facts, encoding="utf-8")
        run_well(children, "append", folder / "first.jsonl", "--ledger", ledger)
        shutil.copy(ledger / "keys" / "verifier", folder / "trusted")

    def begin(self, folder: Path) -> None:
        pass

    def words(self, folder: Path) -> tuple[str | Path, ...]:
        return ("key", "rotate", "--handover", folder / "handover", "--ledger", folder / "ledger")

    def stands(self, folder: Path, promises: list[dict[str, Any]]) -> None:
        is_kept(folder / "ledger", promises)

    def outcome(self, folder: Path, promises: list[dict[str, Any]]) -> object:
        ledger = folder / "ledger"
        is_kept(ledger, promises)
        trusted = parse_verifier((folder / "trusted").read_text(encoding="utf-8").strip())
        followed = verify(ledger, trusted=trusted)
        assert followed.problem is None, followed.problem
        log = read_log(ledger)
        (rotated,) = (entry for _, entry in log.entries() if isinstance(entry, KeyRotated))
        assert (rotated.old, rotated.new) == (str(trusted), str(log.verifier))
        handover = (folder / "handover").read_bytes()
        assert open_note(handover, trusted) == open_note(handover, log.verifier)
        secrets = [path for path, content in tree(folder).items() if b"PRIVATE+KEY" in content]
        assert secrets == ["ledger.key"], "a private key lies about"
        assert not list(folder.rglob("*.unfinished"))
        with open_log(ledger) as written:
            written.append(arrivals(BEFORE + 1, BEFORE + 1), TIME)
        is_kept(ledger, promises)
        return history(ledger)[0]

    def is_over(self, ran: Ran) -> bool:
        return ran.code == 3 and "it is there already" in ran.err


@dataclass(frozen=True, slots=True)
class Ingest:
    """Records of a topic are taken, some of them no facts and some contradicting another."""

    broker: Broker
    name: str = "ingest"
    sent: MemoryLog = field(default_factory=lambda: memory([*small_day(SENT), *TROUBLE]))

    def prepare(self, children: Children, folder: Path) -> None:
        run_well(children, "init", "--origin", "test.example/floor", "--ledger", folder / "ledger")
        prefix = fresh_prefix(self.broker)
        publish(self.sent, settings_of(self.broker, prefix))
        (folder / "prefix").write_text(prefix, encoding="utf-8")

    def begin(self, folder: Path) -> None:
        pass

    def words(self, folder: Path) -> tuple[str | Path, ...]:
        prefix = (folder / "prefix").read_text(encoding="utf-8")
        words = ("ingest", "--batch", "60", "--bootstrap", self.broker.bootstrap)
        return (*words, "--topic-prefix", prefix, "--ledger", folder / "ledger")

    def stands(self, folder: Path, promises: list[dict[str, Any]]) -> None:
        is_kept(folder / "ledger", promises)

    def outcome(self, folder: Path, promises: list[dict[str, Any]]) -> object:
        is_kept(folder / "ledger", promises)
        log = read_log(folder / "ledger")
        coordinates = places(log)
        assert len(set(coordinates)) == len(coordinates), "a record stands twice"
        assert said(log) == said(self.sent)
        return history(folder / "ledger")[0]

    def is_over(self, ran: Ran) -> bool:
        """What an earlier run took already, troubles and all, is not read again."""
        return ran.code == 0


@dataclass(frozen=True, slots=True)
class Publish:
    """A ledger is sent to its topics: each record is there, and who reads has each fact once."""

    broker: Broker
    name: str = "publish"

    def prepare(self, children: Children, folder: Path) -> None:
        init(folder / "ledger", origin=ORIGIN, property=HOUSE, record_time=TIME)
        with open_log(folder / "ledger") as log:
            log.append([*small_day(SENT), *TROUBLE], TIME)

    def begin(self, folder: Path) -> None:
        (folder / "prefix").write_text(fresh_prefix(self.broker), encoding="utf-8")

    def words(self, folder: Path) -> tuple[str | Path, ...]:
        prefix = (folder / "prefix").read_text(encoding="utf-8")
        words = ("publish", "--bootstrap", self.broker.bootstrap, "--topic-prefix", prefix)
        return (*words, "--ledger", folder / "ledger")

    def stands(self, folder: Path, promises: list[dict[str, Any]]) -> None:
        pass  # what was acknowledged is looked for at the end: a topic loses nothing by waiting

    def outcome(self, folder: Path, promises: list[dict[str, Any]]) -> object:
        prefix = (folder / "prefix").read_text(encoding="utf-8")
        copy = MemoryLog(origin=ORIGIN, property=HOUSE, record_time=TIME)
        ingest(copy, settings_of(self.broker, prefix))
        assert said(copy) == said(read_log(folder / "ledger"))
        there = {
            (record.topic, sha256(record.value or b"").hexdigest())
            for topic in load_topics(prefix)
            for record in received(self.broker, topic.name, topic.partitions)
        }
        lost = {(promise["topic"], promise["payload"]) for promise in promises} - there
        assert not lost, "an acknowledged record is not in its topic"
        return len(there)

    def is_over(self, ran: Ran) -> bool:
        return False
