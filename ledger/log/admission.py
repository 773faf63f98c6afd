"""What becomes of each arrival: accepted, repeated, in conflict, or no fact at all."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeGuard

from ledger.codec import Key, Undecodable, key_of, registry, same_record, validate
from ledger.log.entry import accepted_head, encode, long_bytes
from ledger.log.index import Index
from ledger.log.known import Known, Spans, quarantine_mark
from ledger.log.port import (
    CONFLICT,
    HEAD_BYTES,
    KEY_BYTES,
    TOPIC_BYTES,
    TROUBLES,
    Arrival,
    Coordinates,
    Earlier,
    Quarantined,
    SchemaUsed,
    Trouble,
)
from ledger.log.refusals import TreeBroken

Find = Callable[[list[tuple[str, int]]], list[tuple[int, bytes] | None]]
"""Position and framed bytes of accepted facts of the log; None for one that is not in it."""


def finder(index: Index, framed_at: Callable[[list[int]], dict[int, bytes]]) -> Find:
    """How facts are found through an index; each answer is held against the fact itself."""

    def look(wanted: list[tuple[str, int]]) -> list[tuple[int, bytes] | None] | None:
        found = _positions(index, wanted)
        framed = framed_at([position for position in found if position >= 0])
        out: list[tuple[int, bytes] | None] = []
        for key, position in zip(wanted, found, strict=True):
            if position < 0:
                out.append(None)
            elif position in framed and key_of(framed[position])[:2] == key:
                out.append((position, framed[position]))
            else:
                return None
        return out

    def find(wanted: list[tuple[str, int]]) -> list[tuple[int, bytes] | None]:
        found = look(wanted)
        if found is None:
            index.recover()
            found = look(wanted)
        if found is None:
            raise TreeBroken("the index of facts does not fit the entries")
        return found

    return find


def _positions(index: Index, wanted: list[tuple[str, int]]) -> list[int]:
    """Positions of facts, -1 for unknown ones, asked stream by stream."""
    by_stream: dict[str, list[int]] = {}
    for number, (stream, _) in enumerate(wanted):
        by_stream.setdefault(stream, []).append(number)
    out = [-1] * len(wanted)
    for stream, numbers in by_stream.items():
        for number, position in zip(
            numbers, index.find(stream, (wanted[n][1] for n in numbers)), strict=True
        ):
            out[number] = position
    return out


@dataclass(slots=True)
class Plan:
    """What one group of arrivals adds to a log."""

    position: int
    entries: list[bytes] = field(default_factory=list)
    rows: dict[str, array[int]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    accepted: int = 0
    repeated: int = 0
    conflicts: int = 0
    quarantined: int = 0
    troubles: list[Trouble] = field(default_factory=list)


class _Repeated:
    """The verdict on a fact that the log holds."""


_REPEATED = _Repeated()
_Verdict = Key | str | Earlier | _Repeated


class Admission:
    """Judges arrivals against what the log holds, and writes their entries.

    Args:
        known: what the log holds; brought up to date by each plan.
        find: reads accepted facts back.
    """

    def __init__(self, known: Known, find: Find) -> None:
        self._known = known
        self._find = find

    def plan(self, arrivals: Sequence[Arrival], record_time: int, first: int = 0) -> Plan:
        """Judge a group of arrivals; ``first`` is the number of its first one in the append."""
        verdicts, hits = self._judge(arrivals)
        if hits:
            self._compare(arrivals, verdicts, hits)
        plan = Plan(self._known.size)
        self._write(plan, arrivals, verdicts, record_time, first)
        self._known.size += len(plan.entries)
        return plan

    def _judge(self, arrivals: Sequence[Arrival]) -> tuple[list[_Verdict], list[int]]:
        """The key or the reason of each arrival, and which of the keys were known."""
        keys, check = self._known.keys, validate
        verdicts: list[_Verdict] = []
        hits: list[int] = []
        for number, arrival in enumerate(arrivals):
            try:
                key = check(arrival[0])
            except Undecodable as refusal:
                verdicts.append(str(refusal.reason))
                continue
            spans = keys.get(key[0])
            if spans is None:
                spans = keys[key[0]] = Spans()
            if not spans.add(key[1]):
                hits.append(number)
            verdicts.append(key)
        return verdicts, hits

    def _compare(
        self, arrivals: Sequence[Arrival], verdicts: list[_Verdict], hits: list[int]
    ) -> None:
        """Put "repeated" or the earlier fact in place of each known key."""
        wanted = [verdict[:2] for verdict in map(verdicts.__getitem__, hits) if _is_key(verdict)]
        earlier = self._find(wanted)
        fresh: dict[tuple[str, int], int] = {}
        if None in earlier:  # the first of them stands in this very group
            again = set(hits)
            for number, verdict in enumerate(verdicts):
                if number not in again and _is_key(verdict):
                    fresh[verdict[:2]] = number
        for number, (stream, seq), held in zip(hits, wanted, earlier, strict=True):
            if held is None:
                number_before = fresh.get((stream, seq))
                if number_before is None:
                    raise TreeBroken(f"the index of facts has lost {stream}:{seq}")
                position, framed = -1 - number_before, arrivals[number_before].framed
            else:
                position, framed = held
            new = arrivals[number].framed
            same = new == framed or same_record(framed, new)
            verdicts[number] = _REPEATED if same else Earlier(stream, seq, position)

    def _write(
        self,
        plan: Plan,
        arrivals: Sequence[Arrival],
        verdicts: list[_Verdict],
        record_time: int,
        first: int,
    ) -> None:
        """Make the entries, in the order of arrival."""
        schemas, entries, rows = self._known.schemas, plan.entries, plan.rows
        plain = accepted_head(record_time, None, None)
        places: dict[int, int] = {}
        position = plan.position
        lengths: dict[int, bytes] = {}
        for number, verdict in enumerate(verdicts):
            if isinstance(verdict, _Repeated):
                plan.repeated += 1
                continue
            arrival = arrivals[number]
            if isinstance(verdict, str | Earlier):
                position += self._quarantine(
                    plan, arrival, verdict, record_time, places, first + number
                )
                continue
            framed, stream = arrival[0], verdict[0]
            if framed[1:5] not in schemas:
                entries.append(self._schema_entry(framed[1:5], record_time))
                schemas.add(framed[1:5])
                position += 1
            head = plain
            if arrival[1] is not None or arrival[2] is not None:
                head = self._head(arrival, stream, record_time, position)
            length = lengths.get(len(framed))
            if length is None:
                length = lengths[len(framed)] = long_bytes(len(framed))
            entries.append(head + length + framed)
            own = rows.get(stream)
            if own is None:
                own = rows[stream] = array("q")
            own.extend((verdict[1], position, verdict[2]))
            places[number] = position
            position += 1
        plan.accepted = len(places)

    def _head(self, arrival: Arrival, stream: str, record_time: int, position: int) -> bytes:
        """What stands before the framed event of a fact with a key or from Kafka."""
        place = self._place(arrival, position)
        key = arrival.key
        odd = None if key == stream.encode() or (key is None and place is None) else key or b""
        return accepted_head(record_time, place, None if odd is None else odd[:KEY_BYTES])

    def _place(self, arrival: Arrival, position: int) -> Coordinates | None:
        """Where an arrival came from; noted as the partition's last if it is."""
        _, _, topic, partition, offset = arrival
        if topic is None:
            return None
        if partition is None or offset is None or len(topic.encode()) > TOPIC_BYTES:
            raise ValueError(f"not a place in Kafka: {topic!r}, {partition}, {offset}")
        self._known.note_offset(topic, partition, offset, position)
        return Coordinates(topic, partition, offset)

    def _schema_entry(self, id_bytes: bytes, record_time: int) -> bytes:
        number = int.from_bytes(id_bytes, "big")
        published = registry().by_id(number)
        return encode(
            SchemaUsed(
                record_time=record_time,
                id=number,
                name=published.full_name,
                version=published.version,
                text=published.text,
            )
        )

    def _quarantine(
        self,
        plan: Plan,
        arrival: Arrival,
        verdict: str | Earlier,
        record_time: int,
        places: dict[int, int],
        number: int,
    ) -> int:
        """Add the entry of a bad arrival; 0 if the same bytes were quarantined before."""
        position = plan.position + len(plan.entries)
        reason = verdict if isinstance(verdict, str) else CONFLICT
        digest = sha256(arrival.framed).digest()
        mark = quarantine_mark(reason, digest)
        if mark in self._known.marks:
            plan.repeated += 1
            return 0
        self._known.marks.add(mark)
        earlier = None if isinstance(verdict, str) else verdict
        if earlier is not None and earlier.position < 0:
            earlier = earlier._replace(position=places[-1 - earlier.position])
        entry = Quarantined(
            record_time=record_time,
            reason=reason,
            sha256=digest,
            length=len(arrival.framed),
            head=arrival.framed[:HEAD_BYTES],
            key=None if arrival.key is None else arrival.key[:KEY_BYTES],
            coordinates=self._place(arrival, position),
            conflicts_with=earlier,
        )
        plan.entries.append(encode(entry))
        plan.files[digest.hex()] = arrival.framed
        if earlier is None:
            plan.quarantined += 1
        else:
            plan.conflicts += 1
        if len(plan.troubles) < TROUBLES:
            plan.troubles.append(Trouble(number, reason, position))
        return 1


def _is_key(verdict: _Verdict) -> TypeGuard[Key]:
    return type(verdict) is tuple
