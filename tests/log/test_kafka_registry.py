"""A foreign registry only resolves ids, and only a definite answer counts."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from infra.kafka import Broker
from ledger.codec import registry
from ledger.log import Accepted, Quarantined
from ledger.log.kafka import RegistryUnavailable, SourceReplaced, ingest
from ledger.log.kafka_registry import ANSWER_BYTES, WRAPPED, SchemaRegistry
from tests.log.kafka_helpers import clock_checked, fresh_prefix, made, send, settings_of, wager

FOREIGN_WAGER, FOREIGN_CLOCK, STRANGER, NO_AVRO, NEVER = 1, 70_001, 2, 3, 4
"""Ids of the double; all but one are ids of ours too, for other schemas."""


def text_of(name: str) -> str:
    """A published schema as a registry might hold it: other spaces, other order, no docs."""
    schema = json.loads(registry().by_name(name).text)

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: bare(value[key]) for key in sorted(value) if key != "doc"}
        return [bare(one) for one in value] if isinstance(value, list) else value

    return json.dumps(bare(schema), indent=3)


SCHEMAS = {
    FOREIGN_WAGER: {"schema": text_of("WagerPlaced")},
    FOREIGN_CLOCK: {"schema": text_of("ClockChecked"), "schemaType": "AVRO"},
    STRANGER: {"schema": '{"type": "record", "name": "Stranger", "fields": []}'},
    NO_AVRO: {"schema": 'syntax = "proto3";', "schemaType": "PROTOBUF"},
}


class Double:
    """A registry on loopback that answers as it is told."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answers: list[tuple[int, bytes]] = []
        """Said before the true ones, one for each question."""
        double = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                double.asked.append(self.path)
                status, body = double.answer(self.path)
                self.send_response(status)
                self.send_header("Location", "/elsewhere")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def answer(self, path: str) -> tuple[int, bytes]:
        if self.answers:
            return self.answers.pop(0)
        found = SCHEMAS.get(int(path.rpartition("/")[2]))
        if found is None:
            return 404, b'{"error_code": 40403, "message": "Schema not found"}'
        return 200, json.dumps(found).encode()


@contextmanager
def serving(double: Double) -> Iterator[Double]:
    thread = threading.Thread(target=double.server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield double
    finally:
        double.server.shutdown()
        thread.join()
        double.server.server_close()


@pytest.fixture
def double() -> Iterator[Double]:
    with serving(Double()) as one:
        yield one


def under(schema_id: int, framed: bytes) -> bytes:
    """The same record under another id."""
    return b"\x00" + schema_id.to_bytes(4, "big") + framed[5:]


def test_a_record_is_framed_again_with_the_published_id(double: Double):
    resolve = SchemaRegistry(f"{double.url}/", 5).resolve
    for _ in range(3):
        assert resolve(under(FOREIGN_WAGER, wager("SB-01", 1))) == wager("SB-01", 1)
        assert resolve(under(FOREIGN_CLOCK, clock_checked(1))) == clock_checked(1)
    assert double.asked == [f"/schemas/ids/{one}" for one in (FOREIGN_WAGER, FOREIGN_CLOCK)]


@pytest.mark.parametrize("record", [b"", b"\x00\x00", b"\x07anything else", b'{"event": 1}'])
def test_what_has_no_header_is_left_alone(double: Double, record: bytes):
    assert SchemaRegistry(double.url, 5).resolve(record) == record
    assert double.asked == []


@pytest.mark.parametrize("schema_id", [STRANGER, NO_AVRO, NEVER])
def test_an_unknown_id_that_is_one_of_ours_by_chance_is_wrapped_whole(double, schema_id):
    assert registry().has_id(schema_id)
    record = under(schema_id, wager("SB-01", 1))
    assert SchemaRegistry(double.url, 5).resolve(record) == WRAPPED + record
    assert not registry().has_id(int.from_bytes(WRAPPED[1:], "big"))


def test_an_unknown_id_that_is_none_of_ours_is_left_alone(double: Double):
    record = under(99_999, wager("SB-01", 1))
    assert SchemaRegistry(double.url, 5).resolve(record) == record


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b'{"error_code": 50001}'),
        (404, b"<html>no such page</html>"),
        (404, b'{"error_code": 40401}'),
        (200, b"garbage"),
        (200, b"[1, 2]"),
        (200, b'{"schema": 7}'),
        (200, b"[" * 100_000),
        (200, b'"' + b"x" * ANSWER_BYTES + b'"'),
        (302, b"{}"),
        (401, b'{"error_code": 401}'),
    ],
)
def test_no_usable_answer_is_a_refusal(double: Double, status: int, body: bytes):
    double.answers = [(status, body)] * 3
    with pytest.raises(RegistryUnavailable) as caught:
        SchemaRegistry(double.url, 5).resolve(under(1, wager("SB-01", 1)))
    assert caught.value.exit_code == 3
    assert f"{double.url}/schemas/ids/1" in str(caught.value)
    assert double.asked == ["/schemas/ids/1"] * 3


def test_a_moment_of_trouble_is_tried_again(double: Double):
    double.answers = [(503, b""), (200, b"half an ans")]
    resolve = SchemaRegistry(double.url, 5).resolve
    assert resolve(under(FOREIGN_WAGER, wager("SB-01", 1))) == wager("SB-01", 1)


def test_nobody_there_and_nobody_answering_are_refusals():
    double = Double()  # listens, and is never served
    try:
        for url in (double.url, "http://127.0.0.1:1"):
            with pytest.raises(RegistryUnavailable, match=url):
                SchemaRegistry(url, 0.5).resolve(under(1, b"12345"))
    finally:
        double.server.server_close()


def test_an_ingest_with_a_registry(kafka_broker: Broker, tmp_path: Path, double: Double):
    prefix = fresh_prefix(kafka_broker)
    topic = f"{prefix}.tables.v1"
    settings = settings_of(kafka_broker, prefix, registry_url=double.url)
    unknown = under(STRANGER, wager("SB-01", 3))
    records = [
        under(FOREIGN_WAGER, wager("SB-01", 1)),
        under(FOREIGN_CLOCK, clock_checked(2, "SB-01")),
        unknown,
        under(FOREIGN_WAGER, wager("SB-01", 4)),
    ]
    send(kafka_broker, topic, [(b"SB-01", record) for record in records])
    with made(tmp_path / "copy") as log:
        double.answers = [(500, b"")] * 3
        with pytest.raises(RegistryUnavailable):
            ingest(log, settings)
        assert log.size == 1
        for record in (records[3], unknown):  # the last recorded one is compared as it was resolved
            ingest(log, settings)
            facts = [entry.framed for _, entry in log.entries() if isinstance(entry, Accepted)]
            assert facts == [wager("SB-01", 1), clock_checked(2, "SB-01"), wager("SB-01", 4)]
            bad = [entry for _, entry in log.entries() if isinstance(entry, Quarantined)]
            assert [entry.reason for entry in bad] == ["unknown_schema"]
            assert log.quarantined(bad[0].sha256).endswith(unknown)
            send(kafka_broker, topic, [(b"SB-01", record)])


def test_an_id_that_was_unknown_and_is_known_now_is_still_the_same_record(
    kafka_broker: Broker, tmp_path: Path, double: Double, monkeypatch: pytest.MonkeyPatch
):
    prefix = fresh_prefix(kafka_broker)
    topic = f"{prefix}.tables.v1"
    settings = settings_of(kafka_broker, prefix, registry_url=double.url)
    send(kafka_broker, topic, [(b"SB-01", under(NEVER, wager("SB-01", 1)))])
    with made(tmp_path / "copy") as log:
        assert ingest(log, settings).quarantined == 1
        monkeypatch.setitem(SCHEMAS, NEVER, {"schema": text_of("WagerPlaced")})
        send(kafka_broker, topic, [(b"SB-01", under(NEVER, wager("SB-01", 2)))])
        assert ingest(log, settings).accepted == 1
        with pytest.raises(SourceReplaced, match="registry"):
            ingest(log, settings_of(kafka_broker, prefix))
