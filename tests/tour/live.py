"""A wrong payment is produced to a real broker while a watch runs: told before the next round ends."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Final

from infra.kafka import Broker
from ledger import events
from ledger.audit import audit_day
from ledger.events import Fact
from ledger.log.kafka import publish
from ledger.replay import Replay
from ledger.rounds import RoundResult
from tests.analytics import given
from tests.engine import FIRST_DAY, log_of
from tests.kafka_broker import running_broker
from tests.log.kafka_helpers import fresh_prefix, settings_of
from tests.tour.stage import check, said

ROOT: Final = Path(__file__).parent.parent.parent
PATIENCE_SECONDS: Final = 120.0


def told_while_open(work: Path) -> Iterator[str]:
    """Follow a broker of its own, produce up to a wrong payment and into the next round."""
    with running_broker(work / "kafka") as broker:
        yield f"a broker answers at {broker.bootstrap}"
        yield from watched(work, broker)


def watched(work: Path, broker: Broker) -> Iterator[str]:
    """The same with a broker that runs already."""
    sent = given.facts("overpaid@SB-01", scale=0.05)
    paid, after = _wrong_payment(sent)
    taken, prefix = work / "ledger", fresh_prefix(broker)
    said("init", "--origin", "tour.example/pit", "--ledger", taken)
    words = [
        sys.executable,
        "-m",
        "ledger",
        "ingest",
        "--follow",
        "--judge",
        "--ledger",
        str(taken),
    ]
    topics = ["--bootstrap", broker.bootstrap, "--topic-prefix", prefix]
    follower = subprocess.Popen(
        [*words, *topics], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        lines = _Lines(follower)
        settings = settings_of(broker, prefix)
        ends = after[1]
        publish(log_of(_until(sent, paid)), settings)
        yield f"the floor produced its facts up to {paid}, which pays a wager wrongly"
        time.sleep(3)
        check(not lines.heard("Paid $"), "it was told before betting opened again")
        publish(log_of(_until(sent, ends)), settings)
        yield f"the next round, {after[0]}, is open, and its dice are thrown"
        line = lines.wait_for("Paid $")
        yield f"the watch says: {line.strip()}"
        yield f"                {lines.wait_for('§ 539.').strip()}"
        rest = [fact for fact in sent if fact not in _until(sent, ends)]
        check(any(f.stream == "SB-01" and isinstance(f, events.WagerSettled) for f in rest), "over")
        yield "no fact after that throw was produced: the round is still to be settled"
    finally:
        follower.terminate()
        follower.wait()


class _Lines:
    """The lines of a process, as they come."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._lines: list[str] = []
        self._process = process
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        self._lines.extend(iter(self._process.stdout.readline, ""))

    def heard(self, text: str) -> str | None:
        """The first line so far that has a text."""
        return next((line for line in [*self._lines] if text in line), None)

    def wait_for(self, text: str) -> str:
        """The first line that has a text."""
        until = time.monotonic() + PATIENCE_SECONDS
        while (line := self.heard(text)) is None:
            check(time.monotonic() < until, f"nothing was said of {text!r}")
            time.sleep(0.1)
        return line


def _wrong_payment(sent: list[Fact]) -> tuple[str, tuple[str, str]]:
    """The fact that pays wrongly, the next round of its table, and the throw of that round."""
    rounds: list[RoundResult] = []
    audit = audit_day(Replay(log_of(sent)), FIRST_DAY, on_round=rounds.append)
    (wrong,) = [f for f in audit.findings if f.code == "wager_overpaid"]
    mine = [result for result in rounds if result.table == "SB-01"]
    place = next(n for n, result in enumerate(mine) if result.round == wrong.round)
    following = mine[place + 1]
    throw = next(
        fact
        for fact in sent
        if isinstance(fact, events.DiceThrown)
        and fact.stream == "SB-01/dice"
        and fact.event_time > following.opened_at
    )
    return str(wrong.facts[-1]), (following.round, f"{throw.stream}:{throw.seq}")


def _until(sent: list[Fact], last: str) -> list[Fact]:
    """The facts up to one of them, in order of arrival."""
    before = list(takewhile(lambda fact: f"{fact.stream}:{fact.seq}" != last, sent))
    return sent[: len(before) + 1]
