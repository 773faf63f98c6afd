"""The published schemas: found, locked, looked up."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import fastavro.schema
import pytest

from ledger.codec import (
    PublishedSchemaChanged,
    SchemaUnknown,
    SchemaUnusable,
    registry,
    schemas_folder,
)
from ledger.codec import registry as registry_of_installation
from ledger.codec.reader import ReaderOutput, compile_reader
from ledger.codec.registry import load
from ledger.codec.shapes import parse_record
from ledger.codec.varint import SMALL, long_bytes
from ledger.codec.writer import compile_writer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the published schemas."""
    copy = tmp_path / "schemas"
    shutil.copytree(Path(str(schemas_folder())), copy, ignore=shutil.ignore_patterns("samples"))
    return copy


def test_a_schema_is_found_in_every_way() -> None:
    for schema in registry():
        assert registry().by_id(schema.id) is schema
        assert registry().by_name(schema.name, schema.version) is schema
        assert registry().by_text(schema.text) is schema
        for digits in schema.fingerprints:
            assert registry().by_fingerprint(digits.upper()) is schema
    assert registry().by_name("StaffRelieved").version == 2
    assert registry().by_name("StaffRelieved", 1).id == 11
    assert registry_of_installation() is registry()


def test_a_fingerprint_is_that_of_the_specification() -> None:
    """Apache Avro 1.12, "Parsing Canonical Form": the fingerprint of "int" is 7275d51a3f395c8f."""
    digits = fastavro.schema.fingerprint('"int"', "CRC-64-AVRO")
    assert bytes.fromhex(digits)[::-1].hex() == "7275d51a3f395c8f"
    assert len(set().union(*(schema.fingerprints for schema in registry()))) == 2 * len(registry())


def test_docs_attributes_and_spacing_do_not_change_what_a_registry_holds() -> None:
    schema = registry().by_name("LimitsSet")
    other = json.loads(schema.text)
    other["doc"] = "Another doc."
    other["fields"][1]["type"] = "long"
    assert registry().by_text(json.dumps(other)) is schema
    other["fields"][5]["name"] = "bet"
    with pytest.raises(SchemaUnknown):
        registry().by_text(json.dumps(other))


@pytest.mark.parametrize("text", ["", "{}", "[]", "7", '{"type": "record"}', "[" * 10_000])
def test_a_text_that_is_no_schema_is_unknown(text: str) -> None:
    with pytest.raises(SchemaUnknown):
        registry().by_text(text)


def test_what_is_not_published_is_unknown() -> None:
    for ask in (
        lambda: registry().by_id(0),
        lambda: registry().by_name("Nothing"),
        lambda: registry().by_name("StaffRelieved", 3),
        lambda: registry().by_fingerprint("00"),
    ):
        with pytest.raises(SchemaUnknown) as refused:
            ask()
        assert refused.value.code == "schema_unknown"


def test_an_edited_file_stops_the_program(folder: Path) -> None:
    path = folder / "dice" / "DiceThrown.1.avsc"
    path.write_text(
        path.read_text().replace("Die at rest", "die at rest").replace("One die", "A die")
    )
    with pytest.raises(PublishedSchemaChanged) as refused:
        load(folder)
    assert refused.value.exit_code == 4
    assert refused.value.code == "published_schema_changed"
    assert "DiceThrown.1.avsc" in str(refused.value)


def test_a_draft_beside_the_published_ones_is_not_loaded(folder: Path) -> None:
    shutil.copy(folder / "dice" / "DiceThrown.1.avsc", folder / "dice" / "DiceThrown.2.avsc")
    assert load(folder).by_name("DiceThrown").version == 1


def test_an_incomplete_folder_is_unusable(folder: Path) -> None:
    lock = folder / "published.lock"
    text = lock.read_text()
    for broken in (
        "1 pitledger.TableOpened 1",
        text + text.splitlines()[1] + "\n",
        text.replace(" 1 ", " x ", 1),
    ):
        lock.write_text(broken)
        with pytest.raises(SchemaUnusable):
            load(folder)
    lock.write_text(text)
    (folder / "dice" / "DiceThrown.1.avsc").unlink()
    with pytest.raises(SchemaUnusable, match=r"DiceThrown\.1\.avsc"):
        load(folder)
    lock.unlink()
    with pytest.raises(SchemaUnusable):
        load(folder)


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "kind",
    [
        "int", "double", "float", "null", "fixed", "Unheard", 7, ["null"], ["string", "null"],
        ["null", "string", "long"], ["null", ["null", "string"]], ["null", "null"],
        {"type": "map", "values": "string"}, {"type": "fixed", "name": "F", "size": 4},
        {"type": "string", "format": "email"}, {"type": "long", "logicalType": "timestamp-millis"},
        {"type": "bytes", "logicalType": "decimal", "precision": 4}, {"type": "long", "minimum": 1.5},
        {"type": "long", "minimum": 2, "maximum": 1}, {"type": "long", "maximum": 2**63},
        {"type": "enum", "name": "E", "symbols": []},
        {"type": "enum", "name": "E", "symbols": [f"S{i}" for i in range(65)]},
        {"type": "array", "items": {"type": "record", "name": "Empty", "fields": []}},
    ],
)  # fmt: skip
def test_other_parts_of_avro_are_refused(kind: Any) -> None:
    with pytest.raises(SchemaUnusable):
        parse_record(record({"name": "a", "type": kind}), "Some")


def test_defaults_other_than_null_are_refused() -> None:
    for field in (
        {"name": "a", "type": "long", "default": 0},
        {"name": "a", "type": ["null", "long"], "default": 0},
        {"name": "a", "type": {"type": "array", "items": "long"}, "default": []},
        {"name": "a"},
        {"type": "long"},
    ):
        with pytest.raises(SchemaUnusable):
            parse_record(record(field), "Some")
    with pytest.raises(SchemaUnusable):
        parse_record("string", "Some")


def test_shapes_that_no_event_has_yet_are_read_and_written_too() -> None:
    """Bytes, a negative bound, a named type used again, and an array of arrays."""
    enum = {"type": "enum", "name": "E", "symbols": ["A", "B"]}
    shape = parse_record(
        {"type": "record", "name": "Some", "fields": [
            {"name": "stream", "type": "string"},
            {"name": "seq", "type": {"type": "long", "minimum": 1}},
            {"name": "event_time", "type": {"type": "long", "logicalType": "timestamp-micros"}},
            {"name": "mark", "type": "bytes"},
            {"name": "offset", "type": {"type": "long", "minimum": -5, "maximum": 5}},
            {"name": "one", "type": enum},
            {"name": "two", "type": "E"},
            {"name": "grid", "type": {"type": "array", "items": {"type": "array", "items": "long"}}},
        ]},
        "Some",
    )  # fmt: skip

    class Some:
        stream, seq, event_time, mark, offset = "S", 1, 0, b"\x00\xff", -5
        one, two, grid = "A", "B", ((1, 2), (), (3,))

    data = compile_writer(shape, 7)(Some)
    values = compile_reader(shape, ReaderOutput.PLAIN, {})(data)
    assert values == {
        "stream": "S", "seq": 1, "event_time": 0, "mark": b"\x00\xff", "offset": -5,
        "one": "A", "two": "B", "grid": [[1, 2], [], [3]],
    }  # fmt: skip
    assert compile_reader(shape, ReaderOutput.KEY, {})(data) == ("S", 1, 0)


def test_small_numbers_are_those_of_the_table() -> None:
    assert all(long_bytes(number) == SMALL[number] for number in range(len(SMALL)))
    assert [long_bytes(n) for n in (0, -1, 1, -2, -64, 64, -(2**63))] == [
        b"\x00", b"\x01", b"\x02", b"\x03", b"\x7f", b"\x80\x01", b"\xff" * 9 + b"\x01",
    ]  # fmt: skip


def record(field: dict[str, Any]) -> dict[str, Any]:
    return {"type": "record", "name": "Some", "fields": [field]}
