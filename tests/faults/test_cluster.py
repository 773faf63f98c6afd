"""Three brokers under kill, pause and partition: what they acknowledged is in the ledger, once.

Terminals send while brokers are away and come back, `pitledger ingest --follow` takes it in a
process of its own, and a journal that belongs to neither is held against the ledger.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from ledger.log import Coordinates, init, open_log
from ledger.log.kafka import KafkaSettings
from tests.faults.cluster import AWAY_SECONDS, PATIENCE, Cluster, dies_with_parent, until
from tests.faults.cluster_history import (
    ACKNOWLEDGED,
    SENT,
    UNKNOWN,
    Figures,
    Journal,
    Line,
    Taken,
    Terminals,
    compare,
    records_of,
    taken_by,
)
from tests.faults.cluster_network import Loopback, Namespaces, Proxies, why_no_namespaces
from tests.log.facts import HOUSE, ORIGIN, TIME

PREFIX = "faults"
UNREACHABLE = 3  # the exit code that says: start it again
ENTRIES_BESIDE_FACTS = 3  # the beginning, and the texts of two schemas

Plan = list[tuple[str, int]]
"""Faults, each with the broker that it befalls, one after the other."""


def pitledger(folder: Path, *words: str) -> list[str]:
    """A command of the project, to be run in a process of its own."""
    return [sys.executable, "-m", "ledger", *words, "--ledger", str(folder), "--format", "json"]


def environment(settings: KafkaSettings) -> dict[str, str]:
    kept = {name: word for name, word in os.environ.items() if not name.startswith("PITLEDGER_")}
    return kept | {"PITLEDGER_KAFKA": settings.bootstrap}


def run(folder: Path, settings: KafkaSettings, *words: str) -> Any:
    """Run a command that ends well; what it says."""
    done = subprocess.run(
        pitledger(folder, *words), env=environment(settings), capture_output=True,
        text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Follower:
    """`pitledger ingest --follow` in a process of its own."""

    def __init__(self, folder: Path, settings: KafkaSettings) -> None:
        self._folder = folder
        self._settings = settings
        self._process = self._start()
        self.refusals = 0
        """How often it ended by itself, since no broker answered in time."""

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            pitledger(self._folder, "ingest", "--topic-prefix", PREFIX, "--follow"),
            env=environment(self._settings),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=dies_with_parent(),
        )

    def renew(self) -> None:
        """Kill it, and start it again where the ledger stands."""
        self.close()
        self._process = self._start()

    def has(self, entries: int) -> bool:
        """Whether the ledger has so many entries; where the ingest gave up, it is started again."""
        if self._process.poll() is not None:
            _, problems = self._process.communicate()
            assert self._process.returncode == UNREACHABLE, problems
            assert "[kafka_unreachable]" in problems
            self.refusals += 1
            self._process = self._start()
        checkpoint = (self._folder / "checkpoint").read_text(encoding="utf-8")
        return int(checkpoint.splitlines()[1]) >= entries

    def end(self) -> Any:
        """Tell it to end; what it says."""
        self._process.send_signal(signal.SIGTERM)
        words, problems = self._process.communicate(timeout=PATIENCE)
        assert self._process.returncode == 130, problems
        return json.loads(words)

    def close(self) -> None:
        """Leave no process behind."""
        self._process.kill()
        self._process.communicate()


def endure(
    home: Path, network: Loopback, plan: Plan, streams: int, rounds: int, pause: float
) -> Figures:
    """Send, take and suffer at the same time; then compare, and say what it was.

    Args:
        home: a folder for everything.
        network: how the brokers reach each other.
        plan: what befalls them; the facts are sent in as many parts, one during each fault.
        streams: of facts.
        rounds: facts of each stream.
        pause: seconds between two rounds.
    """
    began = time.monotonic()
    with closing(Cluster(home / "cluster", network)) as cluster:
        cluster.start(PREFIX)
        settings = KafkaSettings(bootstrap=cluster.bootstrap, topic_prefix=PREFIX)
        folder = home / "ledger"
        init(folder, origin=ORIGIN, property=HOUSE, record_time=TIME)
        with (
            closing(Journal(home / "journal")) as journal,
            closing(Follower(folder, settings)) as follower,
            closing(Terminals(settings, journal, streams, rounds, pause)) as terminals,
        ):
            terminals.start()
            during = 0
            for part, (fault, number) in enumerate(plan, 1):
                halves = (rounds * (2 * part - 1) // (2 * len(plan)), rounds * part // len(plan))
                during += suffer(cluster, terminals, follower, fault, number, halves)
                assert follower.has(1)
            terminals.end()
            facts = streams * rounds
            until(lambda: follower.has(facts + ENTRIES_BESIDE_FACTS), "the ledger to catch up")
            followed = follower.end()
            lines = journal.read()
        records = records_of(settings)
        assert (followed["conflicts"], followed["quarantined"]) == (0, 0)
        before = held_against(folder, lines, records)
        again = run(folder, settings, "ingest", "--topic-prefix", PREFIX)
        assert (again["accepted"], again["tree_size"]) == (0, facts + ENTRIES_BESIDE_FACTS)
        assert held_against(folder, lines, records) == before
        run(folder, settings, "verify")
    befallen = [fault for fault, _ in plan]
    return Figures(
        network=network.name,
        facts=facts,
        streams=streams,
        kills=befallen.count("killed"),
        pauses=befallen.count("paused"),
        cuts=befallen.count("cut"),
        delays=befallen.count("delayed"),
        during_faults=during,
        unknown=sum(line.kind == UNKNOWN for line in lines),
        duplicates=len(records) - facts,
        renewed=len(plan),
        refusals=follower.refusals,
        seconds=time.monotonic() - began,
    )


def suffer(
    cluster: Cluster,
    terminals: Terminals,
    follower: Follower,
    fault: str,
    number: int,
    halves: tuple[int, int],
) -> int:
    """Let a fault befall a broker, and kill the ingest; how many facts are acknowledged meanwhile.

    It lasts until the others have left the broker behind, and then go on without it. The ingest
    starts again while the broker is away. The facts go as far as the first of the halves before
    the others have left the broker behind, and as far as the second after.
    """
    terminals.allow(halves[0])
    with getattr(cluster, fault)(number):
        before = terminals.acknowledged
        follower.renew()
        if fault == "delayed":  # it is slow, and need not be left behind
            time.sleep(AWAY_SECONDS)
        else:
            cluster.outlast(number)
        alone = terminals.acknowledged
        terminals.allow(halves[1])
        until(lambda: terminals.has(alone), f"facts acknowledged with {number} {fault}")
        during = terminals.acknowledged - before
    cluster.await_in_sync()
    return during


def held_against(folder: Path, lines: list[Line], records: list[Taken]) -> bytes:
    """Compare a ledger with journal and topics; its root."""
    with open_log(folder) as log:
        facts, unaccepted = taken_by(log)
        assert unaccepted == 0
        assert compare(lines, facts, records)[:10] == []
        return log.root


@pytest.mark.full
@pytest.mark.timeout(600)
def test_a_kill_and_a_pause(tmp_path: Path):
    plan = [("killed", 1), ("paused", 2)]
    figures = endure(tmp_path, Loopback(), plan, streams=50, rounds=60, pause=0.05)
    assert (figures.facts, figures.kills, figures.pauses) == (3_000, 1, 1)


@pytest.mark.full
@pytest.mark.timeout(1_500)
def test_faults_in_turn_under_200_000_facts(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    network = Proxies() if why_no_namespaces() else Namespaces()
    # four turns over three brokers: after twelve, each broker has met each fault
    plan = list(
        islice(zip(cycle(["killed", "paused", "cut", "cut"]), cycle([1, 2, 3]), strict=False), 24)
    )
    figures = endure(tmp_path, network, plan, streams=500, rounds=400, pause=0.3)
    assert (figures.facts, figures.kills, figures.pauses, figures.cuts) == (200_000, 6, 6, 12)
    assert figures.unknown > 0
    with capsys.disabled():
        print(f"\n{figures}")


@pytest.mark.full
@pytest.mark.timeout(600)
def test_cuts_and_delays_without_privilege(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    plan = [("cut", 1), ("delayed", 2), ("killed", 3), ("cut", 2), ("paused", 1), ("cut", 3)]
    figures = endure(tmp_path, Proxies(), plan, streams=100, rounds=200, pause=0.1)
    assert (figures.facts, figures.cuts, figures.delays) == (20_000, 3, 1)
    with capsys.disabled():
        print(f"\n{figures}")


# ---------------------------------------------------------------- the comparison itself


def fact(stream: str, seq: int) -> tuple[str, int, str]:
    return stream, seq, f"{stream}/{seq}"


def place(offset: int) -> Coordinates:
    return Coordinates("tables", 0, offset)


def agreeing() -> tuple[list[Line], list[Taken], list[Taken]]:
    """Two streams; the second fact of the first was sent twice and is there twice."""
    first, second, other = fact("SB-1", 1), fact("SB-1", 2), fact("SB-2", 1)
    journal = [
        Line(SENT, first),
        Line(SENT, other),
        Line(ACKNOWLEDGED, first, place(0)),
        Line(ACKNOWLEDGED, other, place(1)),
        Line(SENT, second),
        Line(UNKNOWN, second),
        Line(SENT, second),
        Line(ACKNOWLEDGED, second, place(3)),
    ]
    records = [
        Taken(first, place(0)),
        Taken(other, place(1)),
        Taken(second, place(2)),
        Taken(second, place(3)),
    ]
    return journal, records[:3], records


def test_what_agrees_is_told_as_nothing():
    assert compare(*agreeing()) == []


def lose(journal: list[Line], ledger: list[Taken], records: list[Taken]) -> None:
    ledger.pop(1)


def double(journal: list[Line], ledger: list[Taken], records: list[Taken]) -> None:
    ledger.append(records[3])


def invent(journal: list[Line], ledger: list[Taken], records: list[Taken]) -> None:
    records.append(Taken(fact("SB-3", 1), place(4)))
    ledger.append(records[-1])


def alter(journal: list[Line], ledger: list[Taken], records: list[Taken]) -> None:
    ledger[0] = records[0] = Taken(("SB-1", 1, "other bytes"), place(0))


def swap(journal: list[Line], ledger: list[Taken], records: list[Taken]) -> None:
    ledger[0], ledger[2] = ledger[2], ledger[0]


def misplace(journal: list[Line], ledger: list[Taken], records: list[Taken]) -> None:
    ledger[0] = Taken(ledger[0].fact, place(1))


def forget_the_place(journal: list[Line], ledger: list[Taken], records: list[Taken]) -> None:
    ledger[0] = Taken(ledger[0].fact, None)


def take_the_later(journal: list[Line], ledger: list[Taken], records: list[Taken]) -> None:
    """A record was acknowledged at 2, and the ledger passed over it."""
    journal[7] = Line(ACKNOWLEDGED, fact("SB-1", 2), place(2))
    ledger[2] = Taken(fact("SB-1", 2), place(3))


def be_certain(journal: list[Line], ledger: list[Taken], records: list[Taken]) -> None:
    """A duplicate where nobody was in doubt."""
    del journal[5]


def lose_in_the_topic(journal: list[Line], ledger: list[Taken], records: list[Taken]) -> None:
    """What was acknowledged was cut off, and something else stands at its offset."""
    records[3] = Taken(fact("SB-1", 1), place(3))


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "harm",
    [lose, double, invent, alter, swap, misplace, forget_the_place, take_the_later, be_certain,
     lose_in_the_topic],
)  # fmt: skip
def test_each_harm_is_told(harm: Callable[[list[Line], list[Taken], list[Taken]], None]):
    journal, ledger, records = agreeing()
    ledger = list(ledger)
    harm(journal, ledger, records)
    assert compare(journal, ledger, records)
