"""A trial of what a producer writes, before its table goes live: every fault, and nothing kept.

The lines and records are judged by the same functions as an append and an ingest. Besides, each
stream is followed: its numbers run from 1 without a hole, and no number stands for two events.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import field
from hashlib import sha256
from typing import BinaryIO, Final

from ledger.codec import (
    Reason,
    Undecodable,
    faults_of,
    key_of,
    parse_object,
    schema_of,
    validate,
)
from ledger.events import SUBJECTS
from ledger.intake.json_lines import FactLine, LineFault, as_appended, numbered_lines, read_line
from ledger.kernel import LedgerError
from ledger.kernel.quick_dataclass import dataclass

KEY_DIFFERS: Final = "key_differs"
WRONG_TOPIC: Final = "wrong_topic"
TWO_PARTITIONS: Final = "two_partitions"
NO_VALUE: Final = "no_value"
_WORDS: Final = {
    Reason.BAD_MAGIC: "the first byte is not 0; before the Avro body stand the byte 0 and the"
    " schema's id in four bytes, the highest first",
    Reason.TRUNCATED: "the bytes end before the record does",
    Reason.TRAILING_BYTES: "the record ends before the bytes do: written with another schema?",
    Reason.NOT_AVRO: "no Avro writer writes this: written with another schema, or damaged",
    Reason.OUT_OF_RANGE: "the number lies outside the schema's bounds",
    Reason.BAD_TEXT: "not UTF-8, no name of a stream, or no date where one must stand",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong with one event.

    Args:
        code: stable, as an append or a quarantine names it.
        path: the field, ``dice[1].face``; empty for the event as a whole.
        says: one sentence for people.
    """

    code: str
    path: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedEvent:
    """One line or record: where it stands, what it is, and all that is wrong with it."""

    where: str
    event: str | None
    faults: tuple[Fault, ...]


@dataclass(slots=True)
class TriedStream:
    """The numbers of one stream: each with a hash of its event."""

    hashes: dict[int, bytes] = field(default_factory=dict)
    rewritten: set[int] = field(default_factory=set)
    partitions: set[int] = field(default_factory=set)

    def missing(self) -> list[tuple[int, int]]:
        """The holes, from 1 on, as first and last number of each."""
        holes, before = [], 0
        for number in sorted(self.hashes):
            if number > before + 1:
                holes.append((before + 1, number - 1))
            before = number
        return holes


class Trial:
    """Judges events one after another, and follows their streams."""

    def __init__(self) -> None:
        self.streams: dict[str, TriedStream] = {}

    def lines(self, stream: BinaryIO) -> Iterator[TriedEvent]:
        """Judge a file of JSON lines, in the form that ``append`` takes."""
        for number, text in numbered_lines(stream):
            where = f"line {number}"
            if text is None:
                fault = Fault(code=LineFault.LINE_TOO_LONG, path="", says="the line is too long")
                yield TriedEvent(where=where, event=None, faults=(fault,))
            elif (line := read_line(text, number)) is None:
                continue
            elif isinstance(line, FactLine):
                yield self._right(where, line.framed)
            else:
                whole = Fault(code=line.code, path=line.path, says=line.reason)
                yield self._wrong_line(where, text, whole)

    def record(
        self,
        where: str,
        framed: bytes | None,
        *,
        key: bytes | None = None,
        topic: str | None = None,
        partition: int | None = None,
        topics: dict[str, str] | None = None,
    ) -> TriedEvent:
        """Judge the bytes of one record.

        Args:
            where: how people find it.
            framed: its value: the byte 0, the schema's id, the Avro body.
            key: under which it came, where it came from a topic.
            topic: the topic's name without its prefix.
            partition: of the topic.
            topics: which topic each subject belongs to, where it came from a topic.
        """
        if framed is None:
            fault = Fault(code=NO_VALUE, path="", says="a record without a value is no event")
            return TriedEvent(where=where, event=None, faults=(fault,))
        event = None
        try:
            event = schema_of(framed).name
            stream = validate(framed)[0]
        except Undecodable as refusal:
            with suppress(Undecodable):  # not even stream and number can be read
                self._count(*key_of(framed)[:2])
            return TriedEvent(where=where, event=event, faults=(_of_bytes(refusal),))
        tried = self._right(where, framed)
        faults: list[Fault] = []
        if topics is not None:
            if key != stream.encode():
                says = f"the key is {_shown(key)}; it must be the stream, {stream}"
                faults.append(Fault(code=KEY_DIFFERS, path="stream", says=says))
            if topics[SUBJECTS[event]] != topic:
                says = f"{event} belongs in {topics[SUBJECTS[event]]}, not in {topic}"
                faults.append(Fault(code=WRONG_TOPIC, path="", says=says))
        if partition is not None:
            partitions = self.streams[stream].partitions
            partitions.add(partition)
            if len(partitions) > 1:
                numbers = ", ".join(str(number) for number in sorted(partitions))
                says = f"{stream} stands in the partitions {numbers}; a stream has one"
                faults.append(Fault(code=TWO_PARTITIONS, path="stream", says=says))
        return TriedEvent(where=tried.where, event=event, faults=tuple(faults))

    def _right(self, where: str, framed: bytes) -> TriedEvent:
        """A fact: it is counted into its stream."""
        name, number, _ = validate(framed)
        stream = self.streams.setdefault(name, TriedStream())
        digest = sha256(framed).digest()
        if stream.hashes.setdefault(number, digest) != digest:
            stream.rewritten.add(number)
        return TriedEvent(where=where, event=schema_of(framed).name, faults=())

    def _count(self, name: str, number: int) -> None:
        """Count an event that is no fact into its stream: its number is no hole."""
        self.streams.setdefault(name, TriedStream()).hashes.setdefault(number, b"")

    def _wrong_line(self, where: str, text: bytes, whole: Fault) -> TriedEvent:
        try:
            values = parse_object(text.strip())
        except LedgerError:
            return TriedEvent(where=where, event=None, faults=(whole,))
        # A number under `position` is what `cat` adds, or a field of that name that is no text.
        refusals = min((faults_of(values), faults_of(as_appended(values))), key=len)
        faults = [Fault(code=one.reason, path=one.path, says=one.detail) for one in refusals]
        match values:
            case {"stream": str(stream), "seq": int(number)} if number > 0 and number is not True:
                self._count(stream, number)
        name = values.get("event")
        event = name if isinstance(name, str) and name in SUBJECTS else None
        return TriedEvent(where=where, event=event, faults=tuple(faults) or (whole,))


def _of_bytes(refusal: Undecodable) -> Fault:
    words = _WORDS.get(refusal.reason, refusal.detail)
    names_field = refusal.detail.replace(".", "").replace("[", "").replace("]", "")
    path = refusal.detail if names_field.isidentifier() else ""
    at = f"; seen at byte {refusal.offset}" if refusal.offset else ""
    return Fault(code=refusal.reason, path=path, says=f"{words}{at}")


def _shown(key: bytes | None) -> str:
    return "absent" if key is None else key.decode("utf-8", "backslashreplace")[:80]
