"""The whole path in one process, driven by a seed: terminals, broker, ingest, ledger, witness, judge.

The product's code runs as it is. Only its ports are replaced: files (`ForgetfulStorage`), the broker
(`tests.log.kafka_double`), the clock and the key. A seed chooses which kinds of faults may happen
and when; the same seed gives the same trace. While faults happen nothing that was acknowledged may
be lost, doubled or changed, and every refusal has a code (safety). Then they stop, and the ledger
must reach what an undisturbed one holds, with the same digest of the day (liveness).
"""

from __future__ import annotations

import errno
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from ledger.audit import FormDesk, audit_day
from ledger.codec import decode, frame, key_of
from ledger.floor import FIRST_DAY
from ledger.kernel import LedgerError
from ledger.log import (
    Accepted,
    Quarantined,
    WitnessFolder,
    WitnessNetwork,
    begin_witness,
    init,
    open_log,
    parse_policy,
    verify,
)
from ledger.log import kafka_source as kafka_source_module
from ledger.log.cosignature import parse_cosigner_key
from ledger.log.kafka import KafkaSettings, ingest, ingest_again
from ledger.log.kafka_client import Place, partition_of
from ledger.log.kafka_errors import KafkaUnreachable
from ledger.log.ledger_at_checkpoint import open_snapshot
from ledger.log.note import DASH, to_base64
from ledger.log.witness_protocol import Answer
from ledger.night import run_night
from ledger.replay import Replay
from tests.engine import table_day
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME
from tests.log.forgetful import ForgetfulStorage, Inode, PowerCut
from tests.log.kafka_double import DoubleReader, Topics, batch_of, resealed

NOWHERE: Final = Path("nowhere")
PREFIX: Final = "pitledger"
SETTINGS: Final = KafkaSettings(bootstrap="double:1", topic_prefix=PREFIX, timeout_seconds=5)
TABLES: Final = ("DC-01", "SB-01")
STEPS: Final = 40
"""Events of the safety phase."""
FAULTS: Final = (
    "process killed", "killed in recovery", "writes lost or torn", "disk full", "input or output error",
    "sent twice", "second writer", "late facts", "very late facts", "clock jumps", "broker away",
    "hostile bytes", "batch spoilt", "flip at rest", "older copy put back", "topic made again",
    "topic cut", "said otherwise", "forged signature",
)  # fmt: skip


class PromiseBroken(AssertionError):
    """A promise did not hold; the story says how it came to that."""

    def __init__(self, seed: int, faults: Sequence[str], trace: Sequence[str], why: str) -> None:
        story = "\n".join(trace)
        super().__init__(f"seed {seed}, faults {', '.join(faults) or 'none'}: {why}\n{story}")
        self.why = why


@dataclass
class Story:
    """What happened under one seed.

    Attributes:
        trace: a line for each event; the same for the same seed.
        hits: how often each fault struck which part of the path.
        digest: of the day, at the end.
    """

    trace: list[str] = field(default_factory=list)
    hits: Counter[tuple[str, str]] = field(default_factory=Counter)
    digest: str = ""


@dataclass
class FaultyStorage(ForgetfulStorage):
    """A disk that can also fail for a moment, on a read or a write."""

    fail_at: int | None = None

    def _step(self, path: str) -> None:
        super()._step(path)
        self._fail(path)

    def read(self, path: str) -> bytes:
        self.calls += 1
        self._fail(path)
        return super().read(path)

    def _fail(self, path: str) -> None:
        if self.fail_at is not None and self.calls > self.fail_at:
            self.fail_at = None
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)


class Broker(Topics):
    """Topics that can be away, and that a fault can cut or make again."""

    def __init__(self) -> None:
        super().__init__(PREFIX, partitions=3)
        self.is_away = False
        self.is_remaking = False
        self.begins: dict[Place, int] = {}

    def send(
        self, topic: str, stream: str, payload: bytes, spoil: Callable[[bytes], bytes]
    ) -> None:
        place = Place(f"{PREFIX}.{topic}", partition_of(stream.encode(), 3))
        batch = batch_of([(stream.encode(), payload, [])], self.end(place))
        self.put(place, spoil(batch))

    def remake(self, places: Iterable[Place]) -> None:
        """The topics of these partitions get other ids, as if they were deleted and made anew."""
        for name in {place.topic for place in places}:
            self.topics[name] = replace(self.topics[name], id=f"{name} again")

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().install(monkeypatch)
        broker, cluster = self, kafka_source_module.Cluster

        class Cluster(cluster):  # type: ignore[misc, valid-type]
            def topics(self, names: Sequence[str]) -> dict[str, Any]:
                if broker.is_away:
                    raise KafkaUnreachable("looking at the topics", "double:1", "nobody answers")
                return dict(super().topics(names))

        class Reader(DoubleReader):
            def poll(self, seconds: float) -> dict[Place, list[Any]]:
                polled = super().poll(seconds)
                if broker.is_remaking and polled:
                    broker.remake(polled)
                return polled

            def limits(self, places: Sequence[Place]) -> dict[Place, tuple[int, int]]:
                limits = super().limits(places)
                return {p: (broker.begins.get(p, begin), end) for p, (begin, end) in limits.items()}

        monkeypatch.setattr(kafka_source_module, "Cluster", Cluster)
        monkeypatch.setattr(kafka_source_module, "Reader", lambda *_args, **_more: Reader(broker))


@cache
def facts_of(table: str, *, coupons: bool) -> tuple[tuple[str, bytes], ...]:
    """Stream and framed bytes of a small day of one table and its offices, in order of arrival."""
    day = table_day(table, scale=0.004, coupons=coupons)
    return tuple((fact.stream, frame(fact)) for fact in day)


def topic_of(stream: str) -> str:
    """The topic that a stream is sent to."""
    office = stream.partition("/")[0]
    return f"{office if office in ('house', 'coupons') else 'tables'}.v1"


class Simulation:
    """One seed's life of a ledger."""

    def __init__(self, seed: int, faults: Sequence[str], folder: Path) -> None:
        self.seed, self.faults, self.folder = seed, tuple(faults), folder
        self.chance = Random(seed)
        self.story = Story()
        self.storage = FaultyStorage()
        self.broker = Broker()
        self.has_night = seed % 10 == 0
        self.facts = facts_of(self.chance.choice(TABLES), coupons=self.has_night)
        self.waiting: dict[str, list[bytes]] = {}
        for stream, framed in self.facts:
            self.waiting.setdefault(stream, []).append(framed)
        self.sent: dict[tuple[str, int], bytes] = {}
        self.hostile = 0
        self.poison: list[tuple[str, str, bytes]] = []
        self.rivals: dict[bytes, tuple[str, int]] = {}
        self.cosigned: set[bytes] = set()
        self.late: list[tuple[str, bytes]] = []
        self.acknowledged: list[tuple[int, bytes]] = []
        self.now = TIME
        self.part = "nothing"
        begin_witness(folder / "witness", "witness.example/w")
        self.witness = WitnessFolder(folder / "witness")
        self.witness.trust(SIGNER.verifier)
        policy = f"witness w {self.witness.public} http://w\nquorum w\n".encode()
        self.policy = parse_policy(policy, "the policy")
        init(NOWHERE, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER,
             storage=self.storage)  # fmt: skip

    # ------------------------------------------------------------ words

    def tell(self, line: str) -> None:
        self.story.trace.append(line)

    def hit(self, fault: str) -> None:
        self.story.hits[fault, self.part] += 1

    def require(self, holds: bool, why: str) -> None:
        if not holds:
            raise PromiseBroken(self.seed, self.faults, self.story.trace, why)

    def strikes(self, fault: str, share: float) -> bool:
        """Whether a fault happens now; asked of chance even where it is switched off."""
        drawn = self.chance.random() < share
        return drawn and fault in self.faults

    # ------------------------------------------------------------ the path

    def produce(self) -> None:
        """A terminal sends some of its facts, perhaps twice, perhaps keeping one back."""
        streams = sorted(stream for stream, rest in self.waiting.items() if rest)
        if not streams:
            return
        stream = self.chance.choice(streams)
        topic = topic_of(stream)
        count = self.chance.randint(1, 40)
        batch, self.waiting[stream] = self.waiting[stream][:count], self.waiting[stream][count:]
        for framed in batch:
            if self.strikes("very late facts", 0.01) or self.strikes("late facts", 0.03):
                self.late.append((stream, framed))
                continue
            times = 2 if self.strikes("sent twice", 0.05) else 1
            for _ in range(times):
                self.broker.send(topic, stream, framed, lambda raw: raw)
            self.sent[key_of(framed)[:2]] = framed
            if self.strikes("said otherwise", 0.03):
                self.say_otherwise(topic, stream, framed)
        if self.strikes("hostile bytes", 0.2):
            self.hostile += 1
            self.poison.append(
                (topic, stream, self.chance.randbytes(self.chance.choice((30, 5_000))))
            )
            self.broker.send(*self.poison[-1], lambda raw: raw)
        if self.poison and self.strikes("sent twice", 0.2):
            self.broker.send(*self.chance.choice(self.poison), lambda raw: raw)
        if self.strikes("batch spoilt", 0.1):
            self.hostile += 1
            self.broker.send(topic, stream, b"spoilt", lambda raw: raw[:-3] + b"\x00\x00\x00")
        self.tell(f"{stream} sends {len(batch)}")

    def say_otherwise(self, topic: str, stream: str, framed: bytes) -> None:
        """The terminal says another thing under a key that it used; it stands beside the first."""
        fact = decode(framed)
        rival = frame(replace(fact, event_time=fact.event_time + 1))
        self.broker.send(topic, stream, rival, lambda raw: raw)
        self.rivals[sha256(rival).digest()] = key_of(rival)[:2]

    def send_late(self) -> None:
        """What was kept back is sent, in another order."""
        self.chance.shuffle(self.late)
        for stream, framed in self.late:
            topic = topic_of(stream)
            self.broker.send(topic, stream, framed, lambda raw: raw)
            self.sent[key_of(framed)[:2]] = framed
        self.late = []

    def clock(self) -> int:
        """The record time, which may jump back or far ahead."""
        self.now += self.chance.randint(1, 1_000_000)
        if self.strikes("clock jumps", 0.3):
            self.now += self.chance.choice((-3_600_000_000, 86_400_000_000 * 365))
        return max(self.now, 1)

    def network(self, *, honest: bool = False) -> WitnessNetwork:
        def post(_: str, body: bytes) -> Answer:
            if self.strikes("forged signature", 0.2) and not honest:
                key = parse_cosigner_key(self.witness.public)
                forged = to_base64(key.key_id + bytes(7) + b"\x01" + bytes(64))
                self.hit("forged signature")
                return Answer(200, "text/plain", f"{DASH}{key.name} {forged}\n".encode())
            answer = self.witness.add_checkpoint(body, 1)
            self.cosigned.add(answer.body)
            return answer

        return WitnessNetwork(self.policy, transport=post, clock=lambda: 0.0)

    def take_in(self) -> bool:
        """Ingest what the topics hold; whether it came to its end."""
        self.part = "opening"
        try:
            with open_log(NOWHERE, storage=self.storage, network=self.network()) as log:

                def note(point: str) -> None:
                    self.part = point
                    if point == "appended":
                        self.acknowledged.append((log.size, log.root))

                if self.strikes("second writer", 0.2):
                    self.second_writer()
                self.part = "looking"
                ingest(log, SETTINGS, batch=self.chance.choice((7, 50, 1_000)), clock=self.clock,
                       at_point=note)  # fmt: skip
                self.part = "closing"
            self.tell(f"took in, {self.acknowledged[-1][0] if self.acknowledged else 1} entries")
            return True
        except PowerCut:
            self.hit("process killed")
            self.tell(f"killed while {self.part}")
            self.storage.locked = False
        except LedgerError as refusal:
            self.require(bool(refusal.code), "a refusal without a code")
            self.require(not self.storage.locked, "a refused writer keeps the lock")
            self.hit(refusal.code)
            self.tell(f"refused while {self.part}: {refusal.code}")
        return False

    def second_writer(self) -> None:
        try:
            open_log(NOWHERE, storage=self.storage, network=self.network())
        except LedgerError as refusal:
            self.require(refusal.code == "ledger_locked", f"a second writer: {refusal.code}")
            self.hit("second writer")
            return
        self.require(False, "two writers at once")

    def power_up(self) -> None:
        """The machine starts again, with what its disk kept."""
        lost = self.strikes("writes lost or torn", 0.7)
        self.storage.power_up(Random(self.chance.random()) if lost else None)
        if lost:
            self.hit("writes lost or torn")

    # ------------------------------------------------------------ faults

    def arm(self) -> None:
        """Choose what happens to the disk during the next ingest."""
        at = self.storage.calls + self.chance.randint(0, 90)
        if self.strikes("process killed", 0.4):
            self.storage.cut_at = at
        elif self.strikes("disk full", 0.2):
            self.storage.full_at = at
        elif self.strikes("input or output error", 0.2):
            self.storage.fail_at = at

    def disturbed_ingest(self) -> None:
        self.arm()
        self.broker.is_away = self.strikes("broker away", 0.15)
        self.take_in()
        was_cut = self.storage.cut_at is not None and self.storage.calls > self.storage.cut_at
        self.storage.full_at = self.storage.fail_at = None
        self.broker.is_away = False
        if was_cut:
            self.power_up()
            if self.strikes("killed in recovery", 0.6):
                self.storage.cut_at = self.storage.calls + self.chance.randint(0, 25)
                self.take_in()
                self.hit("killed in recovery")
                self.power_up()
        self.storage.cut_at = None
        self.check()

    def flip(self) -> None:
        """A byte changes at rest; verify must say so. The operator puts the file back."""
        with open_log(NOWHERE, storage=self.storage, network=self.network()):
            pass  # what a kill left beyond the tree is put aside: nothing guards that
        guarded = [
            p for p in sorted(self.storage.names_now) if p.startswith(("tile/", "checkpoint"))
        ]
        path = self.chance.choice(guarded)
        quorum = len(self.policy.cosigned_by(self.storage.names_now["checkpoint"].data))
        good = self.storage.names_now[path]
        at = self.chance.randrange(len(good.data))
        bad = (
            good.data[:at]
            + bytes([good.data[at] ^ (1 << self.chance.randrange(8))])
            + good.data[at + 1 :]
        )
        self.storage.names_now[path] = Inode(bad, bad, good.mode)
        self.part = path.partition("/")[0]
        try:
            verification = verify(NOWHERE, storage=self.storage, policy=self.policy, quorum=quorum)
            problem = verification.problem or verification.too_few
        except LedgerError as refusal:
            problem = refusal.code
        self.require(problem is not None, f"byte {at} of {path} changed and verify said nothing")
        self.storage.names_now[path] = good
        self.hit("flip at rest")
        self.tell(f"flip in {path}")

    def put_back_older(self, older: dict[str, Inode]) -> None:
        """The folder is put back from an older copy; the witness must refuse it."""
        disk = self.storage
        seen = max((log.size or 0 for log in self.witness.logs()), default=0)
        self.storage = FaultyStorage(
            names_now=dict(older), names_kept=dict(older),
            folders_now=set(disk.folders_now), folders_kept=set(disk.folders_now),
        )  # fmt: skip
        is_older = self.size() < seen
        self.part = "opening"
        try:
            open_log(NOWHERE, storage=self.storage, network=self.network(honest=True)).close()
            self.require(not is_older, "an older copy was taken for the ledger")
        except LedgerError as refusal:
            self.require(refusal.code == "witness_inconsistent", f"older copy: {refusal.code}")
            self.require(not self.storage.locked, "a refused writer keeps the lock")
            self.hit("older copy put back")
        self.storage = disk
        self.tell("an older copy was put back" + ("" if is_older else ", as old as the ledger"))

    def meddle_with_topics(self, fault: str) -> None:
        """A topic loses records that are not taken in, or is another one; then it is put right."""
        places = sorted(self.offsets())
        if not places:
            return
        place = self.chance.choice(places)
        batches, topics = list(self.broker.logs[place]), dict(self.broker.topics)
        if fault == "topic cut":
            self.broker.begins[place] = self.broker.end(place) + 5
        else:
            way = self.chance.choice(("shorter", "as long", "while it is read"))
            count = self.broker.end(place) if way == "as long" else 1
            self.broker.is_remaking = way == "while it is read"
            if not self.broker.is_remaking:
                self.broker.logs[place] = [batch_of([(b"x", b"another", [])] * count)]
        before = self.size()
        is_read = self.take_in()
        if not self.broker.is_remaking:  # what changes meanwhile only matters if more is taken
            self.require(not is_read, f"{fault}: {place} was read as if nothing had happened")
        self.require(self.size() == before, f"{fault}: something was taken in all the same")
        self.broker.logs[place], self.broker.topics = batches, topics
        self.broker.begins.pop(place, None)
        self.broker.is_remaking = False
        self.hit(fault)
        self.tell(f"{fault}: {place}")
        self.check()

    # ------------------------------------------------------------ promises

    def size(self) -> int:
        return open_snapshot(self.storage, "here", None).size

    def offsets(self) -> dict[Place, int]:
        last = open_snapshot(self.storage, "here", None).last_offsets()
        return {Place(*key): offset for key, (offset, _) in last.items()}

    def check(self) -> None:
        """What stands is whole, and holds what was acknowledged, in its order, once, unchanged."""
        snapshot = open_snapshot(self.storage, "here", None)
        for size, root in self.acknowledged:
            self.require(
                size <= snapshot.size, f"{size} entries were acknowledged, {snapshot.size} stand"
            )
            self.require(snapshot.root_at(size) == root, f"the first {size} entries changed")
        problem = verify(NOWHERE, storage=self.storage).problem
        self.require(problem is None, f"verify: {problem}")
        for line in snapshot.note.splitlines(keepends=True):
            if line.startswith(f"{DASH}witness.example/w ".encode()):
                self.require(line in self.cosigned, "a signature stands that no witness gave")
        seen: set[tuple[str, int]] = set()
        for _, entry in snapshot.entries():
            if isinstance(entry, Accepted):
                key = key_of(entry.framed)[:2]
                self.require(key not in seen, f"{key} stands twice")
                self.require(self.sent.get(key) == entry.framed, f"{key} was never sent so")
                seen.add(key)
            elif isinstance(entry, Quarantined) and entry.sha256 in self.rivals:
                earlier = entry.conflicts_with
                first = None if earlier is None else snapshot.read(earlier.position)
                self.require(
                    isinstance(first, Accepted)
                    and key_of(first.framed)[:2] == self.rivals[entry.sha256],
                    f"a rival of {self.rivals[entry.sha256]} does not name the first record",
                )

    def settle(self) -> None:
        """Liveness: the faults end, everything is sent and taken in."""
        self.faults_before, self.faults = self.faults, ()
        while any(self.waiting.values()):
            self.produce()
        self.send_late()
        self.require(self.take_in(), "without a fault the ingest did not come to its end")
        with open_log(NOWHERE, storage=self.storage, network=self.network()) as log:
            ingest_again(log, SETTINGS, clock=self.clock)
            witnessed = log.witnessed()
            self.require(witnessed is not None and witnessed.entries == 0, "not all is witnessed")
        self.faults = self.faults_before
        self.check()
        snapshot = open_snapshot(self.storage, "here", None)
        entries = [entry for _, entry in snapshot.entries()]
        accepted = {key_of(e.framed)[:2] for e in entries if isinstance(e, Accepted)}
        self.require(
            accepted == set(self.sent), f"{len(self.sent) - len(accepted)} facts are missing"
        )
        self.require(len(accepted) == len(self.facts), "not every fact was sent")
        quarantined = [entry.sha256 for entry in entries if isinstance(entry, Quarantined)]
        rivals = sum(digest in self.rivals for digest in quarantined)
        self.require(rivals == len(self.rivals), f"{rivals} of {len(self.rivals)} rivals kept")
        hostile = len(quarantined) - rivals
        self.require(hostile == self.hostile, f"{hostile} of {self.hostile} hostile kept")

    def judge(self) -> None:
        """The day's digest is that of the same records taken in without a fault; so in a night."""
        plain = FaultyStorage()
        init(NOWHERE, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER, storage=plain)
        with open_log(NOWHERE, storage=plain) as log:
            ingest(log, SETTINGS, clock=lambda: TIME)
        logs = [open_snapshot(storage, "here", None) for storage in (self.storage, plain)]
        own, other = (audit_day(Replay(log), FIRST_DAY) for log in logs)
        self.require(own.digest == other.digest, "the day's digest is not that of a quiet ledger")
        self.story.digest = own.digest
        if self.has_night:
            mine, quiet = (FormDesk.open(log).issues(FIRST_DAY) for log in logs)
            forms = {issue.form.form_id: issue.form.digest() for issue in mine}
            same = forms == {issue.form.form_id: issue.form.digest() for issue in quiet}
            self.require(same, "a form of the coupons is another one")
            ledger = self.folder / "ledger"
            for path, inode in self.storage.names_now.items():
                target = ledger / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(inode.data)
            night = run_night(ledger, FIRST_DAY, out=self.folder / "nights", processes=1)
            self.require(night.audit.digest == own.digest, "the night's digest is another one")
            self.tell(f"{len(forms)} forms, a night of {len(night.audit.findings)} findings")
        self.tell(f"digest {own.digest[:16]}")

    def run(self) -> Story:
        older = dict(self.storage.names_now)
        for step in range(STEPS):
            drawn = self.chance.random()
            if drawn < 0.5:
                self.produce()
            elif drawn < 0.8:
                self.disturbed_ingest()
            elif drawn < 0.85 and self.strikes("flip at rest", 1):
                self.flip()
            elif drawn < 0.9 and self.strikes("older copy put back", 1):
                self.put_back_older(older)
            elif drawn < 0.95 and (fault := self.chance.choice(("topic cut", "topic made again"))):
                if self.strikes(fault, 1):
                    self.meddle_with_topics(fault)
            elif drawn < 0.97:
                self.send_late()
            if step == STEPS // 3:
                older = dict(self.storage.names_now)
        self.settle()
        self.judge()
        return self.story


def faults_of(seed: int) -> tuple[str, ...]:
    """The kinds of faults that may happen under a seed: about half of all."""
    chance = Random(f"faults {seed}")
    return tuple(fault for fault in FAULTS if chance.random() < 0.5)


def run_seed(seed: int, *, faults: Sequence[str] | None = None) -> Story:
    """Live through one seed.

    Args:
        seed: chooses everything.
        faults: the kinds that may happen; None: those of the seed.

    Raises:
        PromiseBroken: a promise did not hold, or something came that is no refusal.
    """
    chosen = faults_of(seed) if faults is None else tuple(faults)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        life = Simulation(seed, chosen, Path(folder))
        life.broker.install(patch)
        try:
            return life.run()
        except PromiseBroken:
            raise
        except Exception as error:
            trace = [*life.story.trace, f"then {type(error).__name__}"]
            raise PromiseBroken(seed, chosen, trace, repr(error)) from error


def shrunk(seed: int) -> PromiseBroken | None:
    """The same failure with as few kinds of faults as possible; None if the seed does not fail."""
    faults = list(faults_of(seed))
    failure = _failure(seed, faults)
    if failure is None:
        return None
    for fault in list(faults):
        fewer = [other for other in faults if other != fault]
        smaller = _failure(seed, fewer)
        if smaller is not None:
            faults, failure = fewer, smaller
    return failure


def _failure(seed: int, faults: Sequence[str]) -> PromiseBroken | None:
    try:
        run_seed(seed, faults=faults)
    except PromiseBroken as broken:
        return broken
    return None


def find_failure(seeds: Sequence[int]) -> tuple[int, PromiseBroken] | None:
    """Return the first seed that fails, and how many seeds that took; None if none does."""
    for count, seed in enumerate(seeds, 1):
        failure = _failure(seed, faults_of(seed))
        if failure is not None:
            return count, failure
    return None


__all__ = ["FAULTS", "PromiseBroken", "Story", "find_failure", "resealed", "run_seed", "shrunk"]
