"""Findings on their topic: each there once, whoever sends twice; foreign bytes say nothing."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import fastavro
import pytest
from hypothesis import given as property_of
from hypothesis import strategies as st
from kafka import KafkaAdminClient

import ledger.watch
from infra.kafka import Broker, ensure_topics, load_topics
from ledger.log import read_log
from ledger.log.kafka import TopicsMissing
from ledger.watch import WatchFenced
from ledger.watch.findings_topic import FindingsTopic, decode, encode, record_key
from ledger.watch.notices import Change, Notice, notice_data, notice_from
from tests.analytics import given
from tests.cli.given import run
from tests.engine import table_day
from tests.log.kafka_helpers import fresh_prefix, received, settings_of

ORIGIN = "house.example/pit"
NOTICE = Notice(
    id="a" * 32, version="b" * 16, change=Change.FOUND, because="", gaming_day=date(2021, 6, 12),
    code="wager_overpaid", severity="medium", certainty="broken", sentence="Paid $2.00.",
    section="§ 539.6(b)", stream="SB-01", table="SB-01", round="SB-01:9", wager="W1",
    facts=("SB-01:10", "SB-01:12"), expected="$1.00", observed="$2.00", effect_cents=100,
    happened_at=1_623_508_176_801_240,
)  # fmt: skip
ROOT = Path(__file__).parent.parent.parent
SCHEMA = Path(ledger.watch.__file__).with_name("finding.avsc")


def test_what_is_sent_is_avro_that_others_read() -> None:
    """Single-object encoding: C3 01, the CRC-64-AVRO of the schema, then the record."""
    value = encode(ORIGIN, NOTICE)
    schema = json.loads(SCHEMA.read_bytes())
    canonical = fastavro.schema.to_parsing_canonical_form(schema)
    fingerprint = bytes.fromhex(fastavro.schema.fingerprint(canonical, "CRC-64-AVRO"))
    assert value[:10] == b"\xc3\x01" + fingerprint
    read: Any = fastavro.schemaless_reader(io.BytesIO(value[10:]), schema, None)
    assert read == {"origin": ORIGIN, **notice_data(NOTICE)}
    assert decode(value) == (ORIGIN, NOTICE)
    assert notice_from(notice_data(NOTICE)) == NOTICE


@property_of(st.data())
def test_what_is_cut_or_changed_is_refused_or_another_notice(data: st.DataObject) -> None:
    value = bytearray(encode(ORIGIN, NOTICE))
    place = data.draw(st.integers(0, len(value) - 1))
    if data.draw(st.booleans()):
        value = value[:place]
    else:
        value[place] ^= data.draw(st.integers(1, 255))
    with suppress(ValueError):
        assert decode(bytes(value)) != (ORIGIN, NOTICE)


def withdrawn(notice: Notice, telling: int = 2) -> Notice:
    return replace(notice, change=Change.WITHDRAWN, because="late", telling=telling)


def settled(broker: Broker, prefix: str) -> list[tuple[str, Notice]]:
    """What those read there who pass over what was given up."""
    records = received(broker, f"{prefix}.findings.v1", 1, isolation="read_committed")
    assert all(record.key == record_key(decode(record.value)[1]) for record in records)
    return [decode(record.value) for record in records]


def test_each_stands_once_whoever_sends_twice(kafka_broker: Broker) -> None:
    prefix = fresh_prefix(kafka_broker)
    settings = settings_of(kafka_broker, prefix)
    with closing(FindingsTopic(settings, ORIGIN)) as topic:
        topic.send([NOTICE])
        topic.send([NOTICE])
    with closing(FindingsTopic(settings, ORIGIN)) as again:
        again.send([NOTICE, withdrawn(NOTICE)])
        again.send([NOTICE, withdrawn(NOTICE)])
    with closing(FindingsTopic(settings, "another.example/pit")) as other:
        other.send([NOTICE])
    assert settled(kafka_broker, prefix) == [
        (ORIGIN, NOTICE), (ORIGIN, withdrawn(NOTICE)), ("another.example/pit", NOTICE)
    ]  # fmt: skip


def test_a_finding_that_was_withdrawn_is_told_when_it_is_found_again(kafka_broker: Broker) -> None:
    """Also by a watch whose memory is gone and that counts from one."""
    prefix = fresh_prefix(kafka_broker)
    for _ in range(2):
        with closing(FindingsTopic(settings_of(kafka_broker, prefix), ORIGIN)) as topic:
            topic.send([NOTICE])
            topic.send([withdrawn(NOTICE)])
    tellings = [(said.change.value, said.telling) for _, said in settled(kafka_broker, prefix)]
    assert tellings == [("found", 1), ("withdrawn", 2), ("found", 3), ("withdrawn", 4)]


def test_a_watch_that_began_later_fences_off_the_earlier_one(kafka_broker: Broker) -> None:
    prefix = fresh_prefix(kafka_broker)
    settings = settings_of(kafka_broker, prefix)
    other = replace(NOTICE, id="c" * 32)
    with (
        closing(FindingsTopic(settings, ORIGIN)) as earlier,
        closing(FindingsTopic(settings, ORIGIN)) as later,
    ):
        for _ in range(2):  # it does not take the name again
            with pytest.raises(WatchFenced, match="began later"):
                earlier.send([other])
        later.send([NOTICE])
    assert settled(kafka_broker, prefix) == [(ORIGIN, NOTICE)]


PAUSED = """
import os, signal, sys
from ledger.log.kafka import KafkaSettings
from ledger.log.kafka_client import OnlySender
from tests.watch.test_findings_topic import *

commit = OnlySender._commit
def paused(sender):
    sender._producer.flush()  # it is at the broker, and not settled
    os.kill(os.getpid(), signal.SIGSTOP)
    commit(sender)
OnlySender._commit = paused
topic = FindingsTopic(KafkaSettings(bootstrap=sys.argv[1], topic_prefix=sys.argv[2]), ORIGIN)
try:
    topic.send([NOTICE])
except WatchFenced as error:
    print(error.code)
"""


def test_a_watch_that_was_paused_while_it_sent_is_fenced_off(kafka_broker: Broker) -> None:
    """Stopped with a notice at the broker: another begins, tells, and the first comes back."""
    prefix = fresh_prefix(kafka_broker)
    words = [sys.executable, "-c", PAUSED, kafka_broker.bootstrap, prefix]
    first = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert os.WIFSTOPPED(os.waitpid(first.pid, os.WUNTRACED)[1])
        with closing(FindingsTopic(settings_of(kafka_broker, prefix), ORIGIN)) as second:
            second.send([withdrawn(NOTICE)])
            first.send_signal(signal.SIGCONT)
            assert first.communicate(timeout=60)[0].strip() == "watch_fenced"
            second.send([replace(NOTICE, id="c" * 32)])
    finally:
        first.kill()
        first.wait()
    there = settled(kafka_broker, prefix)
    assert [(said.id[0], said.change.value) for _, said in there] == [
        ("a", "withdrawn"), ("c", "found")
    ]  # fmt: skip


def test_a_topic_that_was_made_again_says_what_stands(kafka_broker: Broker) -> None:
    prefix = fresh_prefix(kafka_broker)
    settings = settings_of(kafka_broker, prefix)
    other = replace(NOTICE, id="c" * 32)
    with closing(FindingsTopic(settings, ORIGIN)) as topic:
        topic.send([NOTICE])
        assert topic.missing([NOTICE]) == []
        made_again(kafka_broker, f"{prefix}.findings.v1")
        topic.send([other])
        assert topic.readings == 2
        assert topic.missing([NOTICE, other]) == [NOTICE]
        assert topic.standing_since(NOTICE.gaming_day) == {other.id: other}
    assert settled(kafka_broker, prefix) == [(ORIGIN, other)]


def made_again(broker: Broker, name: str) -> None:
    """Delete a topic and make it again."""
    admin = KafkaAdminClient(bootstrap_servers=broker.bootstrap)
    admin.delete_topics([name])
    deadline = time.monotonic() + 20
    while name in admin.list_topics():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    admin.close()
    ensure_topics(broker.bootstrap, load_topics(name.partition(".")[0]))


def test_a_topic_that_is_not_there(kafka_broker: Broker) -> None:
    with pytest.raises(TopicsMissing, match=r"nowhere\.findings\.v1"):
        FindingsTopic(settings_of(kafka_broker, "nowhere"), ORIGIN)


def test_watch_publishes_and_ingest_judges(kafka_broker: Broker, tmp_path: Path) -> None:
    """A floor's facts through the broker: what `ingest --judge` says is what `watch` publishes."""
    prefix = fresh_prefix(kafka_broker)
    topics = ("--bootstrap", kafka_broker.bootstrap, "--topic-prefix", prefix)
    floor = given.ledger(tmp_path / "floor", [*table_day("SB-01", "overpaid@SB-01")])
    assert run("publish", "--ledger", str(floor), *topics).code == 0
    copy = tmp_path / "copy"
    assert run("init", "--origin", ORIGIN, "--ledger", str(copy)).code == 0
    taken = run("ingest", "--judge", "--ledger", str(copy), *topics)
    assert taken.code == 0, taken.err
    assert "SB-01  Paid $" in taken.out
    again = tmp_path / "again"
    assert run("init", "--origin", ORIGIN, "--ledger", str(again)).code == 0
    for_a_script = run("ingest", "--judge", "--ledger", str(again), *topics, "--format", "json")
    *said, summary = map(json.loads, for_a_script.out.splitlines())
    assert [line["sentence"] for line in said if line.get("code") == "wager_overpaid"]
    assert summary["ingested"]["accepted"] == summary["ingested"]["read"] > 0
    assert read_log(copy).size > 0
    assert run("watch", "--once", "--ledger", str(copy), *topics, "--publish").code == 1
    (copy / "cache" / "watch" / "told").unlink()
    words = ("watch", "--once", "--ledger", str(copy), *topics, "--publish", "--format", "json")
    printed = [json.loads(line) for line in run(*words).out.splitlines()]
    (copy / "cache" / "watch" / "told").unlink()
    run(*words)
    records = received(kafka_broker, f"{prefix}.findings.v1", 1, isolation="read_committed")
    there = [decode(record.value)[1] for record in records]
    assert [notice_data(notice) for notice in there] == printed != []
    assert run("watch", "--status", "--ledger", str(copy), "--format", "json").json["waiting"] == 0


@pytest.mark.full
def test_a_floor_that_is_played_to_a_broker_is_the_floor_that_is_simulated(
    kafka_broker: Broker, tmp_path: Path
) -> None:
    prefix = fresh_prefix(kafka_broker)
    topics = ("--bootstrap", kafka_broker.bootstrap, "--topic-prefix", prefix)
    wish = ("floor", "simulate", "--seed", "4", "--scale", "10000", "--plant", "overpaid")
    drawn, played = tmp_path / "drawn", tmp_path / "played"
    assert run(*wish, "--ledger", str(drawn)).code == 0
    live = run(*wish, "--live", "--speed", "100000", *topics, "--format", "json")
    assert live.code == 0, live.err
    assert (live.json["planted"], live.json["interrupted"]) == (1, False)
    assert run("init", "--origin", ORIGIN, "--ledger", str(played)).code == 0
    taken = run("ingest", "--ledger", str(played), *topics, "--format", "json")
    assert (taken.code, taken.json["accepted"]) == (0, live.json["sent"]), taken.err
    first, second = (
        run("audit", "--ledger", str(folder), "--format", "json").json["digest"]
        for folder in (drawn, played)
    )
    assert first == second
    refused = run(*wish, "--live", "--speed", "0", *topics)
    assert (refused.code, "A speed lies above 0" in refused.err) == (2, True)
