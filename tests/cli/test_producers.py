"""What writers of facts are told by `schemas try` and `schemas asyncapi`, and how scripts read it."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from ledger.codec import frame, from_plain, registry, sample_of
from ledger.intake.producer_trial import Trial
from ledger.log.kafka import TOPIC_OF_SUBJECT
from tests.cli.conftest import Command
from tests.cli.given import run

SAMPLE: dict[str, Any] = sample_of(registry().by_name("WagerPlaced")) or {}
NUMBERED = [{**SAMPLE, "seq": number, "wager_id": f"W-{number}"} for number in range(1, 9)]


def file_of(place: Path, *events: Any) -> Path:
    """A file with one event a line; text stands as it is."""
    lines = (event if isinstance(event, str) else json.dumps(event) for event in events)
    path = place / "events.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_right_events_are_all_right(command: Command, tmp_path: Path) -> None:
    tried = command("schemas", "try", file_of(tmp_path, *NUMBERED))
    assert (tried.code, tried.out) == (0, "8 events: all correct\n")


def test_each_wrong_field_is_named_with_what_it_holds(command: Command, tmp_path: Path) -> None:
    wrong = {**SAMPLE, "seq": "1", "picks": [9, "x"], "stake": 25}
    del wrong["stake_cents"]
    tried = command(
        "schemas", "try", file_of(tmp_path, NUMBERED[0], wrong, "{", {"event": "WagerPlacd"})
    )
    assert tried.code == 1
    assert tried.out == (
        "line 2, WagerPlaced:\n"
        "  seq: an integer is wanted, not a text\n"
        "    holds whole number from 1; number in its stream, from 1 without holes\n"
        "  picks[1]: an integer is wanted, not a text\n"
        "  stake_cents: the field is absent, and it may not be null\n"
        "    holds whole number from 0; chips staked, in cents\n"
        "  stake: the schema has no such field; did you mean stake_cents?\n"
        "line 3:\n"
        "  not JSON at character 1: Expecting property name enclosed in double quotes\n"
        "line 4:\n"
        "  event: 'WagerPlacd' is no event; did you mean WagerPlaced?\n"
        "4 events: 1 correct, 3 with faults\n"
    )


def test_scripts_get_a_row_for_each_fault(command: Command, tmp_path: Path) -> None:
    path = file_of(tmp_path, {**SAMPLE, "seq": 0, "position": 3})
    tried = command("schemas", "try", path, "--format", "json")
    assert tried.code == 1
    answer = json.loads(tried.out)
    assert {key: answer[key] for key in ("events", "wrong", "streams")} == {
        "events": 1, "wrong": 1, "streams": [],  # its number is wrong, so it is of no stream's
    }  # fmt: skip
    assert [(row["where"], row["field"], row["code"]) for row in answer["problems"]] == [
        ("line 1", "seq", "out_of_range"),
        ("line 1", "position", "wrong_type"),
    ]
    assert answer["problems"][1]["holds"] == "text or null"


def test_a_number_as_position_is_the_fields_fault(command: Command, tmp_path: Path) -> None:
    """``cat`` adds a number under that name, which an append passes over."""
    tried = command("schemas", "try", file_of(tmp_path, {**NUMBERED[0], "position": 3}))
    assert "  position: a text is wanted, not an integer\n" in tried.out
    printed = {"position": 44, "fact_position": "3"}
    bare = {name: held for name, held in NUMBERED[0].items() if name != "position"}
    assert command("schemas", "try", file_of(tmp_path, {**bare, **printed})).code == 0


def test_holes_and_rewritten_numbers_of_a_stream(command: Command, tmp_path: Path) -> None:
    events = [NUMBERED[1], NUMBERED[3], NUMBERED[3], {**NUMBERED[3], "stake_cents": 1}, NUMBERED[7]]
    tried = command("schemas", "try", file_of(tmp_path, *events))
    assert tried.code == 1
    assert tried.out == (
        "SB-01: numbers must run from 1 without a gap; missing: 1, 3, 5 to 7\n"
        "SB-01: two different events have the same number: 4\n"
        "5 events: each correct, but their numbers are not\n"
    )


def test_the_number_of_a_wrong_event_is_no_hole(command: Command, tmp_path: Path) -> None:
    events = [NUMBERED[0], {**NUMBERED[1], "stake_cents": "25"}, NUMBERED[2]]
    tried = command("schemas", "try", file_of(tmp_path, *events))
    assert "missing" not in tried.out
    assert tried.out.endswith("3 events: 2 correct, 1 with faults\n")


def test_the_bytes_of_a_record(command: Command, tmp_path: Path) -> None:
    record, framed = tmp_path / "record.bin", frame(from_plain(NUMBERED[0]))
    for value, code, says in (
        (framed, 0, "1 event: all correct\n"),
        (framed[:-3], 1, "the bytes end before the record does"),
        (framed + b"\x00", 1, "the record ends before the bytes do"),
        (b"\x00\x00\x00\xff\xff" + framed[5:], 1, "no published schema has the id 65535"),
        (b"\x00", 1, "the bytes end before the record does"),
    ):
        record.write_bytes(value)
        tried = command("schemas", "try", record)
        assert tried.code == code, value
        assert says in tried.out


def test_standard_input_and_an_empty_file(command: Command, tmp_path: Path) -> None:
    line = json.dumps(NUMBERED[0]) + "\n"
    tried = run("schemas", "try", "-", stdin=line)
    assert (tried.code, tried.out) == (0, "1 event: all correct\n")
    assert command("schemas", "try", file_of(tmp_path)).out == "no events\n"


def test_what_is_taken_by_append_is_right_and_the_other_way_round(command: Command) -> None:
    """Every sample, good or bad, is judged by a trial as by an append."""
    folder = Path(__file__).parent.parent.parent / "schemas" / "samples"
    for path in sorted(folder.glob("*.json")):
        sample = json.loads(path.read_text(encoding="utf-8"))
        if path.name.endswith(".pass.json"):
            line = json.dumps(sample)
        elif isinstance(sample.get("event"), dict):
            line = json.dumps(sample["event"])
        else:
            continue  # a line that no JSON writer writes: tests of intake have those
        (tried,) = Trial().lines(BytesIO(line.encode()))
        assert (tried.faults == ()) == path.name.endswith(".pass.json"), path.name
        if tried.faults:
            assert (sample["why"], sample["path"]) in [
                (fault.code, fault.path) for fault in tried.faults
            ], path.name


def test_the_key_the_topic_and_the_partition_of_a_record() -> None:
    trial, framed = Trial(), frame(from_plain(NUMBERED[0]))
    again = frame(from_plain(NUMBERED[1]))
    place = {"topic": "tables.v1", "topics": TOPIC_OF_SUBJECT}
    assert trial.record("a", framed, key=b"SB-01", partition=0, **place).faults == ()
    odd = trial.record("b", framed, key=b"SB-02", partition=0, **place)
    assert [fault.says for fault in odd.faults] == [
        "the key is SB-02; it must be the stream, SB-01"
    ]
    bare = trial.record("c", framed, key=None, partition=0, **place)
    assert [fault.says for fault in bare.faults] == [
        "the key is absent; it must be the stream, SB-01"
    ]
    moved = trial.record("d", again, key=b"SB-01", partition=3, **place)
    assert [fault.code for fault in moved.faults] == ["two_partitions"]
    empty = trial.record("e", None, key=b"SB-01", partition=0, **place)
    assert [fault.code for fault in empty.faults] == ["no_value"]


@pytest.mark.parametrize("words", [(), ("events.jsonl", "--topic")])
def test_a_file_or_the_topics(command: Command, words: tuple[str, ...]) -> None:
    tried = command("schemas", "try", *words)
    assert (tried.code, tried.out) == (2, "")
    assert "Name a file, or --topic" in tried.err


def test_a_misspelt_option(command: Command) -> None:
    tried = command("schemas", "try", "--topics")
    assert (tried.code, tried.out) == (2, "")
    assert "--topics" in tried.err


def test_a_file_that_is_away(command: Command, tmp_path: Path) -> None:
    tried = command("schemas", "try", tmp_path / "nothing.jsonl")
    assert (tried.code, tried.out) == (3, "")
    assert command("schemas", "try", tmp_path).code == 3


def test_the_contract_as_a_document(command: Command) -> None:
    printed = command("schemas", "asyncapi", "--topic-prefix", "trial")
    assert printed.code == 0
    document = json.loads(printed.out)
    assert document["asyncapi"] == "3.0.0"
    assert document["channels"]["tables"]["address"] == "trial.tables.v1"
    assert (
        json.loads(command("schemas", "asyncapi", "--format", "json").out)["info"]["title"]
        == "Pitledger"
    )
