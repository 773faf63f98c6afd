"""Each record once, whatever stops, repeats, replaces, cuts or slows its source."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaProducer, TopicPartition
from kafka.admin import NewPartitions

from infra.kafka import Broker, ensure_topics, load_topics
from infra.kafka.access import MECHANISM
from ledger.cli.lent_ledger import LentLedger
from ledger.kernel import IntegrityBroken, LedgerError, SourceUnavailable
from ledger.log import Accepted, Arrival, FileLog, Quarantined, open_log
from ledger.log.errors import LedgerLocked
from ledger.log.kafka import (
    KafkaDenied,
    KafkaSettings,
    KafkaSettingsWrong,
    KafkaUnreachable,
    SourceGap,
    SourceNotRetained,
    SourceReplaced,
    SourceTruncated,
    TopicsMissing,
    ingest,
    publish,
)
from ledger.log.kafka_client import Sender
from ledger.log.lock_wishes import wish
from tests.infra import test_access
from tests.log.kafka_helpers import (
    TROUBLE,
    admin,
    fresh_prefix,
    made,
    memory,
    places,
    said,
    send,
    settings_of,
    small_day,
    wager,
)

PATIENCE = 60
secured = test_access.secured  # the fixture: a broker with passwords


def until(done: Callable[[], bool]) -> None:
    """Wait for something that another thread does."""
    deadline = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.02)


class Follower:
    """An ingest that follows, in a thread."""

    def __init__(
        self, log: FileLog, settings: KafkaSettings, ledger: LentLedger | None = None
    ) -> None:
        self.log = log
        self.ledger = ledger
        self.stopping = False
        self.refusal: LedgerError | None = None
        self.result: Any = None
        self.started = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(settings,))
        self.thread.start()

    def _run(self, settings: KafkaSettings) -> None:
        try:
            self.result = ingest(
                self.log,
                settings,
                follow=True,
                stop=self._is_stopping,
                at_point=lambda _: self.started.set(),
                turn=lambda log: self.ledger.lend(self._is_stopping) if self.ledger else log,
            )
        except LedgerError as refusal:
            self.refusal = refusal

    def _is_stopping(self) -> bool:
        return self.stopping

    def end(self) -> None:
        self.stopping = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


@contextmanager
def following(folder: Path, settings: KafkaSettings) -> Iterator[Follower]:
    with made(folder) as log:
        follower = Follower(log, settings)
        try:
            until(lambda: follower.started.is_set() or follower.refusal is not None)
            yield follower
        finally:
            follower.end()


def delete_topics(broker: Broker, *topics: str) -> None:
    with admin(broker) as client:
        client.delete_topics(list(topics))
        until(lambda: not set(topics) & set(client.list_topics()))


def delete_before(broker: Broker, topic: str, offset: int) -> None:
    with admin(broker) as client:
        client.delete_records({TopicPartition(topic, 0): offset})


# ---------------------------------------------------------------- killed


POINTS = ["compared:1", "polled:1", "planned:2", "quarantined:1", "tiled:3", "signed:2"]
POINTS += ["appended:1", "appended:4"]


@pytest.mark.by_turns(4)
@pytest.mark.parametrize("fault", POINTS)
def test_killed_at_a_named_point_it_goes_on(
    kafka_broker: Broker, tmp_path: Path, in_checkout: Callable[[], Path], fault: str
):
    original = memory([*small_day(600), *TROUBLE])
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
    publish(original, settings)
    folder = tmp_path / "copy"
    made(folder).close()
    command = [sys.executable, "-m", "tests.log.kafka_child", str(folder)]
    command += [settings.bootstrap, settings.topic_prefix, "70"]
    for environment in (os.environ | {"PITLEDGER_FAULT": fault}, dict(os.environ)):
        child = subprocess.run(
            command, cwd=in_checkout(), env=environment, check=False, timeout=120,
            capture_output=True, text=True,
        )  # fmt: skip
        killed = "PITLEDGER_FAULT" in environment
        assert child.returncode == (-signal.SIGKILL if killed else 0), child.stderr
    with open_log(folder) as copy:
        assert said(copy) == said(original)
        assert len(set(places(copy))) == len(places(copy)) == 609


def test_a_signal_ends_it_between_batches(
    kafka_broker: Broker, tmp_path: Path, in_checkout: Callable[[], Path]
):
    original = memory(small_day(300))
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
    publish(original, settings)
    folder = tmp_path / "copy"
    made(folder).close()
    command = [sys.executable, "-m", "tests.log.kafka_child", str(folder)]
    command += [settings.bootstrap, settings.topic_prefix, "50", "follow"]
    child = subprocess.Popen(command, cwd=in_checkout(), stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline().strip().isdigit()
    child.send_signal(signal.SIGTERM)
    assert child.stdout.read().split()[-1] == "interrupted"
    assert child.wait(PATIENCE) == 0
    with open_log(folder) as copy:
        ingest(copy, settings)
        assert said(copy) == said(original)


def test_the_place_is_in_the_ledger_and_nowhere_else(kafka_broker: Broker, tmp_path: Path):
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
    publish(memory(small_day(100)), settings)
    for name in ("one", "two"):
        with made(tmp_path / name) as copy:
            assert ingest(copy, settings).accepted == 99
            assert ingest(copy, settings).read == 0
    with admin(kafka_broker) as client:
        assert not any("pitledger" in str(group) for group in client.list_groups())


# ---------------------------------------------------------------- replaced, cut, expired, holed


@pytest.fixture
def taken(kafka_broker: Broker, tmp_path: Path) -> Iterator[tuple[FileLog, KafkaSettings, str]]:
    """A ledger that was taken from a topic: offsets 0 to 9 of its one partition."""
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker), timeout_seconds=8)
    topic = f"{settings.topic_prefix}.house.v1"
    send(kafka_broker, topic, [(b"SB-01", wager("SB-01", seq)) for seq in range(1, 11)])
    with made(tmp_path / "taken") as log:
        ingest(log, settings)
        assert log.size == 12
        yield log, settings, topic


def make_again(broker: Broker, settings: KafkaSettings, topic: str, first: int, last: int) -> None:
    delete_topics(broker, topic)
    ensure_topics(broker.bootstrap, load_topics(settings.topic_prefix))
    send(broker, topic, [(b"SB-01", wager("SB-01", seq, 1)) for seq in range(first, last + 1)])


def refused(log: FileLog, settings: KafkaSettings, kind: type[LedgerError]) -> LedgerError:
    before = log.size, log.root
    with pytest.raises(kind) as caught:
        ingest(log, settings)
    assert (log.size, log.root) == before
    return caught.value


@pytest.mark.parametrize(("last", "kind"), [(30, SourceReplaced), (3, SourceTruncated)])
def test_a_topic_made_again_is_refused(kafka_broker, taken, last, kind):
    log, settings, topic = taken
    make_again(kafka_broker, settings, topic, 1, last)
    refusal = refused(log, settings, kind)
    assert refusal.exit_code == 4
    assert f"{topic}-0-9" in str(refusal)
    assert isinstance(refusal, IntegrityBroken)


def test_a_topic_that_is_gone_is_refused(kafka_broker, taken):
    log, settings, topic = taken
    delete_topics(kafka_broker, topic)
    refusal = refused(log, settings, TopicsMissing)
    assert refusal.exit_code == 3
    assert topic in str(refusal)


def test_fewer_partitions_than_the_ledger_knows(kafka_broker: Broker, tmp_path: Path):
    prefix = fresh_prefix(kafka_broker)
    topic, settings = f"{prefix}.house.v1", settings_of(kafka_broker, prefix)
    with admin(kafka_broker) as client:
        client.create_partitions({topic: NewPartitions(3)})
    send(kafka_broker, topic, [(b"SB-01", wager("SB-01", 1))], partition=2)
    with made(tmp_path / "copy") as log:
        ingest(log, settings)
        make_again(kafka_broker, settings, topic, 1, 1)
        refused(log, settings, SourceReplaced)


def test_a_start_that_moved_to_the_very_next_record_is_well(kafka_broker, taken):
    log, settings, topic = taken
    send(kafka_broker, topic, [(b"SB-01", wager("SB-01", 11))])
    delete_before(kafka_broker, topic, 10)
    assert ingest(log, settings).accepted == 1


def test_a_start_that_moved_beyond_the_next_record_is_refused(kafka_broker, taken):
    log, settings, topic = taken
    send(kafka_broker, topic, [(b"SB-01", wager("SB-01", seq)) for seq in (11, 12)])
    delete_before(kafka_broker, topic, 11)
    refusal = refused(log, settings, SourceNotRetained)
    assert refusal.exit_code == 4
    assert f"{topic}-0-10" in str(refusal)


def test_a_new_ledger_does_not_begin_in_the_middle(kafka_broker, taken, tmp_path):
    _, settings, topic = taken
    delete_before(kafka_broker, topic, 4)
    with made(tmp_path / "new") as log:
        refused(log, settings, SourceNotRetained)


def test_a_gap_in_the_offsets_stops_after_what_stands_before_it(kafka_broker, taken):
    log, settings, topic = taken
    producer = KafkaProducer(
        bootstrap_servers=kafka_broker.bootstrap, transactional_id=settings.topic_prefix
    )
    producer.init_transactions()
    producer.begin_transaction()
    producer.send(topic, key=b"SB-01", value=wager("SB-01", 11), partition=0)
    producer.commit_transaction()  # its marker takes an offset
    producer.close()
    for after in ([], [(b"SB-01", wager("SB-01", 12))]):
        send(kafka_broker, topic, after)
        with pytest.raises(SourceGap, match=f"{topic}-0-11"):
            ingest(log, settings)
        assert log.last_offsets()[topic, 0][0] == 10


def test_a_topic_made_again_while_we_follow_is_refused(kafka_broker: Broker, tmp_path: Path):
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
    topic = f"{settings.topic_prefix}.house.v1"
    send(kafka_broker, topic, [(b"SB-01", wager("SB-01", seq)) for seq in range(1, 4)])
    with following(tmp_path / "copy", settings) as follower:
        until(lambda: follower.log.size == 5)
        make_again(kafka_broker, settings, topic, 1, 40)
        until(lambda: follower.refusal is not None)
        assert isinstance(follower.refusal, SourceReplaced | SourceTruncated | TopicsMissing)
        assert follower.log.size == 5


def test_new_partitions_are_noticed_while_we_follow(kafka_broker: Broker, tmp_path: Path):
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
    topic = f"{settings.topic_prefix}.house.v1"
    with following(tmp_path / "copy", settings) as follower:
        send(kafka_broker, topic, [(b"SB-01", wager("SB-01", 1))])
        with admin(kafka_broker) as client:
            client.create_partitions({topic: NewPartitions(2)})
        send(kafka_broker, topic, [(b"SB-02", wager("SB-02", 1))], partition=1)
        until(lambda: len(follower.log.last_offsets()) == 2 or follower.refusal is not None)
        assert follower.refusal is None
    assert follower.result.accepted == 2


# ---------------------------------------------------------------- what is in the records


def test_records_that_are_no_facts_are_kept_whole(kafka_broker: Broker, tmp_path: Path):
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
    topic = f"{settings.topic_prefix}.tables.v1"
    fact = wager("SB-01", 1)
    records = [
        (b"SB-01", None),
        (None, fact),
        (b"SB-02", wager("SB-01", 2)),
        (b"SB-01", fact[5:]),
        (b"SB-01", fact + bytes(64_000)),
        (b"SB-01", b'{"event": "WagerPlaced"}'),
        (b"\xff" * 2_000, wager("SB-01", 3)),
    ]
    send(kafka_broker, topic, records)
    with made(tmp_path / "copy") as log:
        done = ingest(log, settings)
        assert (done.accepted, done.quarantined) == (3, 4)
        odd = [entry.odd_key for _, entry in log.entries() if isinstance(entry, Accepted)]
        assert odd == [b"", b"SB-02", b"\xff" * 1_024]
        bad = [entry for _, entry in log.entries() if isinstance(entry, Quarantined)]
        assert [(entry.reason, entry.length) for entry in bad] == [
            ("truncated", 0),
            ("bad_magic", len(fact) - 5),
            ("oversize", len(fact) + 64_000),
            ("bad_magic", 24),
        ]
        assert log.quarantined(bad[2].sha256) == fact + bytes(64_000)
        assert [place.offset for place in places(log)] == list(range(7))
        assert ingest(log, settings).read == 0


def test_repeated_delivery_is_normal(kafka_broker: Broker, tmp_path: Path):
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
    topic = f"{settings.topic_prefix}.tables.v1"
    send(kafka_broker, topic, [(b"SB-01", wager("SB-01", 1))] * 5)
    with made(tmp_path / "copy") as log:
        done = ingest(log, settings)
        assert (done.read, done.accepted, done.repeated) == (5, 1, 4)
        assert ingest(log, settings).repeated == 4  # the last recorded one is the first
        send(kafka_broker, topic, [(b"SB-01", wager("SB-01", 2))])
        assert ingest(log, settings).accepted == 1
        assert ingest(log, settings).read == 0


# ---------------------------------------------------------------- brokers that are away, slow, strict


def test_no_broker_is_refused_at_once(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as silent, socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        for port in (silent.getsockname()[1], closed.getsockname()[1]):
            settings = KafkaSettings(bootstrap=f"127.0.0.1:{port}", timeout_seconds=1)
            with pytest.raises(KafkaUnreachable) as caught:
                publish(memory(small_day(40)), settings)
            assert caught.value.exit_code == 3
            assert f"127.0.0.1:{port}" in str(caught.value)
            with made(tmp_path / str(port)) as log:
                refusal = refused(log, settings, KafkaUnreachable)
                assert refusal.code == "kafka_unreachable"
                assert isinstance(refusal, SourceUnavailable)


def test_a_silent_broker_beside_a_live_one(
    kafka_broker: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    original = memory(small_day(60))
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker), timeout_seconds=4)
    publish(original, settings)
    asked: list[bool] = []
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]

        def silent_first(brokers: list[Any]) -> Any:
            """Each client asks the silent broker, and then the other."""
            asked.append(asked[-1:] != [True])
            return next(broker for broker in brokers if (broker.port == port) == asked[-1])

        monkeypatch.setattr(random, "choice", silent_first)
        both = replace(settings, bootstrap=f"127.0.0.1:{port},{settings.bootstrap}")
        with made(tmp_path / "copy") as log:
            ingest(log, both)
            assert said(log) == said(original)
        Sender(both).close()
    assert asked == [True, False] * 3  # who looks at the topics, who reads and who sends


def test_topics_that_were_never_made_are_named(kafka_broker: Broker, tmp_path: Path):
    settings = settings_of(kafka_broker, "never-made", timeout_seconds=1)
    with pytest.raises(TopicsMissing, match=r"never-made\.tables\.v1"):
        publish(memory(small_day(40)), settings)
    with made(tmp_path / "copy") as log:
        refused(log, settings, TopicsMissing)


def test_a_broker_that_restarts_while_we_follow(own_kafka_broker: Broker, tmp_path: Path):
    original = memory(small_day(400))
    settings = settings_of(own_kafka_broker, fresh_prefix(own_kafka_broker), timeout_seconds=60)
    publish(original, settings)
    with following(tmp_path / "copy", settings) as follower:
        until(lambda: follower.log.size > 300)
        own_kafka_broker.kill()
        own_kafka_broker.start()
        original.append([*small_day(900), *TROUBLE], 9)
        publish(original, settings)
        until(lambda: follower.log.size == original.size or follower.refusal is not None)
        own_kafka_broker.kill()
        began = time.monotonic()
        follower.end()  # told to end, it waits no longer for a broker that is away
        assert time.monotonic() - began < settings.timeout_seconds / 2
    assert follower.refusal is None
    assert follower.result.interrupted
    assert said(follower.log) == said(original)


def other_writer(folder: Path) -> FileLog | None:
    """Another writer of the ledger, where it may be one."""
    try:
        return open_log(folder)
    except LedgerLocked:
        return None


def writer_that_waited(folder: Path) -> FileLog:
    """Another writer, which said that it waits."""
    with wish(folder):
        while True:
            other = other_writer(folder)
            if other is not None:
                return other
            time.sleep(0.02)


def test_who_waits_appends_between_two_batches(kafka_broker: Broker, tmp_path: Path):
    settings, folder = settings_of(kafka_broker, fresh_prefix(kafka_broker)), tmp_path / "copy"
    original = memory(small_day(200))
    publish(original, settings)
    made(folder).close()
    with LentLedger(folder, lambda: open_log(folder)) as ledger:
        follower = Follower(ledger.log, settings, ledger)
        until(lambda: ledger.log.size == original.size)
        assert other_writer(folder) is None  # it does not say that it waits
        with writer_that_waited(folder) as other:
            other.append([Arrival(wager("SB-09", 1))], 9)
        original.append(small_day(300), 9)
        publish(original, settings)
        until(lambda: ledger.log.size == original.size + 1)
        follower.end()
        assert follower.result.interrupted
        original.append([Arrival(wager("SB-09", 1))], 9)
        assert said(ledger.log) == said(original)


def test_told_to_stop_while_another_has_the_ledger_it_ends(kafka_broker: Broker, tmp_path: Path):
    settings, folder = settings_of(kafka_broker, fresh_prefix(kafka_broker)), tmp_path / "copy"
    publish(memory(small_day(200)), settings)
    made(folder).close()
    with LentLedger(folder, lambda: open_log(folder)) as ledger:
        follower = Follower(ledger.log, settings, ledger)
        until(lambda: ledger.log.size > 0)
        with writer_that_waited(folder):
            follower.end()
        assert follower.refusal is None
        assert follower.result.interrupted


def test_a_broker_that_stands_still(own_kafka_broker: Broker, tmp_path: Path):
    settings = settings_of(own_kafka_broker, fresh_prefix(own_kafka_broker), timeout_seconds=3)
    original = memory(small_day(200))
    publish(original, settings)
    pid = own_kafka_broker.pid()
    assert pid is not None
    with made(tmp_path / "copy") as log:
        os.kill(pid, signal.SIGSTOP)
        try:
            refused(log, settings, KafkaUnreachable)
            original.append(small_day(300), 9)
            with pytest.raises(KafkaUnreachable):
                publish(original, settings)
        finally:
            os.kill(pid, signal.SIGCONT)
        patient = settings_of(own_kafka_broker, settings.topic_prefix)
        publish(original, patient)
        ingest(log, patient)
        assert said(log) == said(original)


@pytest.mark.full
def test_a_broker_that_dies_under_a_publish(own_kafka_broker: Broker, tmp_path: Path):
    settings = settings_of(own_kafka_broker, fresh_prefix(own_kafka_broker), timeout_seconds=3)
    original = memory(small_day(30_000))

    def kill_half_way(done: int, _: int) -> None:
        if done == 20_000:
            own_kafka_broker.kill()

    with pytest.raises(KafkaUnreachable) as caught:
        publish(original, settings, progress=kill_half_way)
    assert caught.value.exit_code == 3
    own_kafka_broker.start()
    patient = settings_of(own_kafka_broker, settings.topic_prefix)
    again = publish(original, patient)
    assert again.already >= 9_990
    with made(tmp_path / "copy") as log:
        ingest(log, patient)
        assert said(log) == said(original)


class TestRights:
    def settings(
        self, secured: test_access.Secured, name: str, password: str, **more: Any
    ) -> KafkaSettings:
        said: dict[str, Any] = {
            "bootstrap": f"127.0.0.1:{secured.port}",
            "security": "SASL_SSL",
            "mechanism": MECHANISM,
            "ca_file": secured.certificate,
            "username": name,
            "password": password,
            "timeout_seconds": 8,
        }
        return KafkaSettings(**said | more)

    def test_the_auditor_reads(self, secured: test_access.Secured, tmp_path: Path):
        topic = "pitledger.tables.v1"
        send(secured.broker, topic, [(b"SB-01", wager("SB-01", 1))])
        with made(tmp_path / "copy") as log:
            assert ingest(log, self.settings(secured, "auditor", "two")).read >= 1

    def test_the_auditor_does_not_write(self, secured: test_access.Secured):
        with pytest.raises(KafkaDenied):
            publish(memory([Arrival(wager("SB-09", 1))]), self.settings(secured, "auditor", "two"))

    @pytest.mark.parametrize(("name", "password"), [("auditor", "guess"), ("nobody", "two")])
    def test_a_wrong_name_or_password_is_refused(
        self,
        secured: test_access.Secured,
        tmp_path: Path,
        name: str,
        password: str,
    ):
        with made(tmp_path / "copy") as log:
            refusal = refused(log, self.settings(secured, name, password), KafkaDenied)
            assert refusal.exit_code == 3
            assert password not in str(refusal)

    def test_a_terminal_may_not_read(self, secured: test_access.Secured, tmp_path: Path):
        with made(tmp_path / "copy") as log:
            refused(log, self.settings(secured, "SB-01", "one"), KafkaDenied)

    def test_a_certificate_of_somebody_else(self, secured: test_access.Secured, tmp_path: Path):
        strangers = self.settings(secured, "auditor", "two", ca_file=None, timeout_seconds=3)
        with made(tmp_path / "copy") as log, pytest.raises((KafkaUnreachable, KafkaSettingsWrong)):
            ingest(log, strangers)
