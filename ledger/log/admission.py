"""Decide for each arrival: accepted, repeated, in conflict, or no fact at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from hashlib import sha256
from itertools import repeat
from typing import Protocol

from ledger.codec import Key, Reason, Undecodable, key_of, registry, same_record, validate
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.entry import (
    LENGTHS,
    accepted_head,
    encode,
    kafka_head,
    long_bytes,
    sealed_entry,
)
from ledger.log.errors import TreeBroken
from ledger.log.index import Index
from ledger.log.known_keys_and_offsets import AppendState, Spans, quarantine_mark
from ledger.log.openings import Sealer
from ledger.log.port import (
    CONFLICT,
    HEAD_BYTES,
    KEY_BYTES,
    TOPIC_BYTES,
    TROUBLES,
    Arrival,
    Coordinates,
    EarlierFact,
    Quarantined,
    SchemaUsed,
    Trouble,
)
from ledger.log.stream_writers import FOREIGN, registration_ids
from ledger.log.tile_writer import NewEntries


class FactLookup(Protocol):
    """Reads accepted facts back out of the log."""

    def __call__(
        self, wanted: list[tuple[str, int]], *, anew: bool = False
    ) -> list[tuple[int, bytes] | None]:
        """Position and framed bytes of each; None for one that is not in it.

        Args:
            wanted: stream and seq of each.
            anew: make the index again from the entries first.
        """


def fact_lookup(index: Index, framed_at: Callable[[list[int]], dict[int, bytes]]) -> FactLookup:
    """How facts are found through an index; each answer is held against the fact itself."""

    def look(wanted: list[tuple[str, int]]) -> list[tuple[int, bytes] | None] | None:
        positions = _positions(index, wanted)
        framed = framed_at([position for position in positions if position >= 0])
        out: list[tuple[int, bytes] | None] = []
        for key, position in zip(wanted, positions, strict=True):
            if position < 0:
                out.append(None)
            elif position in framed and key_of(framed[position])[:2] == key:
                out.append((position, framed[position]))
            else:
                return None
        return out

    def find(
        wanted: list[tuple[str, int]], *, anew: bool = False
    ) -> list[tuple[int, bytes] | None]:
        if anew:
            index.recover()
        facts = look(wanted)
        if facts is None:
            index.recover()
            facts = look(wanted)
        if facts is None:
            raise TreeBroken("the index of facts does not fit the entries")
        return facts

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
    entries: NewEntries = field(default_factory=list)
    rows: Mapping[str, Sequence[int]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    openings: dict[int, bytes] = field(default_factory=dict)
    """What opens the sealed entries, by position."""
    accepted: int = 0
    repeated: int = 0
    conflicts: int = 0
    quarantined: int = 0
    troubles: list[Trouble] = field(default_factory=list)


class _NotAccepted:
    """The verdict on an arrival that is not accepted.

    Args:
        reason: why it is quarantined; None for a repeated fact.
        earlier: the fact it conflicts with; a position below 0 is -1 minus the number of an
            arrival of the same group.
    """

    __slots__ = ("earlier", "reason")

    def __init__(self, reason: str | None, earlier: EarlierFact | None = None) -> None:
        self.reason = reason
        self.earlier = earlier


_REPEATED = _NotAccepted(None)
_Verdict = Key | _NotAccepted


class Admission:
    """Judges arrivals against what the log holds, and writes their entries.

    Args:
        known: what the log holds; brought up to date by each plan.
        find: reads accepted facts back.
        sealer: of a ledger that seals personal strings; else None.
        raw_at: reads the bytes of an entry, for a sealer.
    """

    def __init__(
        self,
        known: AppendState,
        find: FactLookup,
        sealer: Sealer | None = None,
        raw_at: Callable[[int], bytes] | None = None,
    ) -> None:
        self._known = known
        self._find = find
        self._sealer = sealer
        self._raw_at = raw_at
        self._judged = 0

    def plan(self, arrivals: Sequence[Arrival], record_time: int, first: int = 0) -> Plan:
        """Judge a group of arrivals; ``first`` is the number of its first one in the append.

        Args:
            arrivals: the group, in order.
            record_time: microseconds UTC, for every entry of it.
            first: the number of its first arrival in the append.
        """
        plan = Plan(self._known.size)
        if not self._write_columns(plan, arrivals, record_time):
            verdicts, hits, foreign = self._judge(arrivals)
            if hits:
                self._compare(arrivals, verdicts, hits, foreign)
            self._write(plan, arrivals, verdicts, record_time, first)
        self._known.size += len(plan.entries)
        return plan

    def _write_columns(self, plan: Plan, arrivals: Sequence[Arrival], record_time: int) -> bool:
        """Take arrivals that are all new facts, each after the one before it in its stream."""
        from ledger.codec import bulk_validation  # numbers: who only begins a ledger is spared

        self._judged += len(arrivals)
        functions = bulk_validation.machine(self._judged)
        if functions is None or self._sealer is not None:
            return False
        from ledger.log import arrival_columns

        if len(arrivals) < arrival_columns.WORTH:
            return False
        columns = arrival_columns.columns_of(functions, arrivals, self._known)
        if columns is None:
            return False
        arrival_columns.note_keys(columns, self._known)
        plan.entries, plan.rows = arrival_columns.laid_out(
            columns, record_time, self._known, self._schema_entry
        )
        plan.accepted = len(arrivals)
        return True

    def _judge(self, arrivals: Sequence[Arrival]) -> tuple[list[_Verdict], list[int], set[int]]:
        """Judge each arrival alone.

        Returns:
            The key or the reason of each; which of the keys were known; and which of these came
            from a terminal that may not write them.
        """
        keys, check, writers = self._known.keys, validate, self._known.writers
        registrations = registration_ids()
        verdicts: list[_Verdict] = []
        hits: list[int] = []
        foreign: set[int] = set()
        for number, (arrival, key) in enumerate(
            zip(arrivals, self._checked(arrivals), strict=True)
        ):
            if arrival[5] is not None:
                verdicts.append(_NotAccepted(arrival[5]))
                continue
            if key is None:
                try:
                    key = check(arrival[0])
                except Undecodable as refusal:
                    verdicts.append(_NotAccepted(str(refusal.reason)))
                    continue
            if self._sealer is not None and self._sealer.is_too_long(arrival[0]):
                verdicts.append(_NotAccepted(str(Reason.OVERSIZE)))
                continue
            stream, seq, _ = key
            topic = arrival[2]
            if topic is not None and not writers.may_write(stream, topic, arrival[0]):
                if stream in keys and seq in keys[stream]:  # harmless where it is the same fact
                    verdicts.append(key)
                    hits.append(number)
                    foreign.add(number)
                else:
                    verdicts.append(_NotAccepted(FOREIGN))
                continue
            verdicts.append(key)
            spans = keys.get(stream)
            if spans is None:
                spans = keys[stream] = Spans()
            if seq == spans.top + 1 and spans.top:  # the next one, as nearly always
                spans.top = spans.highs[-1] = seq
            elif not spans.add(seq):
                hits.append(number)
                continue
            if topic is not None or arrival[0][1:5] in registrations:
                writers.note(stream, topic, arrival[0])
        return verdicts, hits, foreign

    def _checked(self, arrivals: Sequence[Arrival]) -> Iterable[Key | None]:
        """The key of each arrival that machine code finds to be a fact; None for any other."""
        from ledger.codec import bulk_validation  # numbers: who only begins a ledger is spared

        functions = bulk_validation.machine(self._judged)
        if functions is None:
            return repeat(None, len(arrivals))
        return bulk_validation.keys_of(functions, [arrival[0] for arrival in arrivals])

    def _compare(
        self,
        arrivals: Sequence[Arrival],
        verdicts: list[_Verdict],
        hits: list[int],
        foreign: set[int],
    ) -> None:
        """Put "repeated" or why it is quarantined in place of each known key."""
        known = map(verdicts.__getitem__, hits)
        wanted = [verdict[:2] for verdict in known if not isinstance(verdict, _NotAccepted)]
        earlier = self._find(wanted)
        fresh: dict[tuple[str, int], int] = {}
        if None in earlier:  # the first of them stands in this very group
            again = set(hits)
            for number, verdict in enumerate(verdicts):
                if number not in again and not isinstance(verdict, _NotAccepted):
                    fresh[verdict[:2]] = number
            if any(
                held is None and key not in fresh for key, held in zip(wanted, earlier, strict=True)
            ):  # the index has left it out
                earlier = self._find(wanted, anew=True)
        for number, (stream, seq), earlier_fact in zip(hits, wanted, earlier, strict=True):
            if earlier_fact is None:
                number_before = fresh.get((stream, seq))
                if number_before is None:
                    raise TreeBroken(f"the index of facts has lost {stream}:{seq}")
                position, framed = -1 - number_before, arrivals[number_before].framed
            else:
                position, framed = earlier_fact
            new = arrivals[number].framed
            same = new == framed or same_record(framed, new)
            if not same and position >= 0:
                same = self._is_erased_twin(position, framed, new, (stream, seq))
            if same:
                verdicts[number] = _REPEATED
            elif number in foreign:
                verdicts[number] = _NotAccepted(FOREIGN)
            else:
                verdicts[number] = _NotAccepted(CONFLICT, EarlierFact(stream, seq, position))

    def _is_erased_twin(
        self, position: int, framed: bytes, new: bytes, key: tuple[str, int]
    ) -> bool:
        """Whether an arrival is a fact that differs only since something in it was erased."""
        if self._sealer is None or self._raw_at is None:
            return False
        return self._sealer.openings.is_same(self._raw_at(position), framed, new, key)

    def _write(
        self,
        plan: Plan,
        arrivals: Sequence[Arrival],
        verdicts: list[_Verdict],
        record_time: int,
        first: int,
    ) -> None:
        """Make the entries, in the order of arrival."""
        entries, rows = list[bytes](), dict[str, list[int]]()
        plan.entries, plan.rows = entries, rows
        schemas, lengths = self._known.schemas, LENGTHS
        plain = accepted_head(record_time, None, None)
        heads: dict[tuple[str, int | None], bytes] = {}
        positions = _asked_positions(verdicts)
        position = plan.position
        for number, verdict in enumerate(verdicts):
            if isinstance(verdict, _NotAccepted):
                entry = self._refuse(
                    plan, arrivals[number], verdict, record_time, positions, first + number
                )
                if entry is not None:
                    entries.append(entry)
                    position += 1
                continue
            framed, key, topic, partition, offset, _ = arrivals[number]
            if framed[1:5] not in schemas:
                entries.append(self._schema_entry(framed[1:5], record_time))
                schemas.add(framed[1:5])
                position += 1
            stream, seq, event_time = verdict
            head = plain
            if key is not None or topic is not None:
                begin = None if topic is None else heads.get((topic, partition))
                if begin is not None and offset is not None and key == stream.encode():
                    self._known.note_offset(str(topic), partition or 0, offset, position)
                    head = begin + long_bytes(offset) + b"\x00"
                else:
                    head = self._head(arrivals[number], stream, record_time, position)
                    if topic is not None and partition is not None:
                        heads[topic, partition] = kafka_head(record_time, topic, partition)
            sealing = None
            if self._sealer is not None:
                sealing = self._sealer.seal(framed, (stream, seq), position)
            if sealing is None:
                entries.append(head + lengths[len(framed)] + framed)
            else:
                entries.append(sealed_entry(head, *sealing[0]))
                plan.openings[position] = sealing[1]
            own = rows.get(stream)
            if own is None:
                own = rows[stream] = []
            own += (seq, position, event_time)
            if number in positions:
                positions[number] = position
            position += 1
            plan.accepted += 1

    def _head(self, arrival: Arrival, stream: str, record_time: int, position: int) -> bytes:
        """What stands before the framed event of a fact with a key or from Kafka."""
        place = self._place(arrival, position)
        key = arrival.key
        odd = None if key == stream.encode() or (key is None and place is None) else key or b""
        return accepted_head(record_time, place, None if odd is None else odd[:KEY_BYTES])

    def _place(self, arrival: Arrival, position: int) -> Coordinates | None:
        """Where an arrival came from; noted as the partition's last if it is."""
        _, _, topic, partition, offset, _ = arrival
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

    def _refuse(
        self,
        plan: Plan,
        arrival: Arrival,
        verdict: _NotAccepted,
        record_time: int,
        positions: dict[int, int],
        number: int,
    ) -> bytes | None:
        """Quarantine an arrival: the entry that says so; None for a repeated one."""
        if verdict.reason is None:
            plan.repeated += 1
            return None
        digest = sha256(arrival.framed).digest()
        mark = quarantine_mark(verdict.reason, digest)
        if mark in self._known.marks:
            plan.repeated += 1
            return None
        self._known.marks.add(mark)
        position = plan.position + len(plan.entries)
        earlier = verdict.earlier
        if earlier is not None and earlier.position < 0:
            earlier = earlier._replace(position=positions[-1 - earlier.position])
        entry = Quarantined(
            record_time=record_time,
            reason=verdict.reason,
            sha256=digest,
            length=len(arrival.framed),
            head=arrival.framed[:HEAD_BYTES],
            key=None if arrival.key is None else arrival.key[:KEY_BYTES],
            coordinates=self._place(arrival, position),
            conflicts_with=earlier,
        )
        plan.files[digest.hex()] = arrival.framed
        if earlier is None:
            plan.quarantined += 1
        else:
            plan.conflicts += 1
        if len(plan.troubles) < TROUBLES:
            plan.troubles.append(Trouble(number, verdict.reason, position))
        return encode(entry)


def _asked_positions(verdicts: list[_Verdict]) -> dict[int, int]:
    """The numbers of arrivals that others of the same group conflict with, yet without position."""
    return {
        -1 - verdict.earlier.position: -1
        for verdict in verdicts
        if isinstance(verdict, _NotAccepted)
        and verdict.earlier is not None
        and verdict.earlier.position < 0
    }
