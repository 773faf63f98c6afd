"""The checks that ``verify`` makes of a ledger's entries, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Final, NamedTuple

from ledger.codec import Undecodable, registry, validate
from ledger.log.bulk_bundles import PackedEntries
from ledger.log.entry import (
    ACCEPTED,
    LENGTHS,
    SEALED,
    EntryUnreadable,
    accepted_head,
    decode,
    encode,
    kafka_head,
    read_long,
)
from ledger.log.errors import FormatNewer
from ledger.log.key_chain import problem_of_rotation
from ledger.log.known_keys_and_offsets import Spans
from ledger.log.note import parse_verifier
from ledger.log.openings import blank_form
from ledger.log.plain_facts import Run, runs_of
from ledger.log.port import (
    CONFLICT,
    FORMAT_VERSION,
    FRAMED_BYTES,
    HEAD_BYTES,
    SEALED_FORMAT,
    Accepted,
    Began,
    KeyRotated,
    Quarantined,
    SchemaUsed,
    Sealed,
)
from ledger.log.stream_writers import StreamWriters, registration_ids, terminal_of
from ledger.log.tiles import WIDTH

LONGEST_TERMINAL: Final = 63
"""Bytes of a terminal's name of which the length takes one byte."""
REACH: Final = 1_024
"""So many entries are looked at at once, where fewer than half of them were plain before."""
FEW: Final = 16
"""So few entries are checked one after the other rather than at once."""


class CheckFailed(Exception):  # never leaves verify: it becomes the problem that is reported
    """Something that does not hold, and the position of the entry it was seen at."""

    def __init__(self, problem: str, position: int | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.position = position


class Way(NamedTuple):
    """How facts came from Kafka.

    Attributes:
        head: what stands before the offset in the entry of each.
        terminal: whose own topic it was; empty for a shared one.
        topic: that topic.
    """

    head: bytes
    terminal: str
    topic: str


def way_of(accepted: Accepted) -> Way | None:
    """Return how a fact came; None where it was by no topic, or under another key."""
    place = accepted.coordinates
    if place is None or accepted.odd_key is not None:
        return None
    head = kafka_head(accepted.record_time, place.topic, place.partition)
    terminal = terminal_of(place.topic) or ""
    return None if len(terminal) > LONGEST_TERMINAL else Way(head, terminal, place.topic)


def _event_after(entry: bytes, at: int) -> int:
    """Where an event starts whose length stands here in its one form; -1 where it does not."""
    rest = len(entry) - at
    width = 1 if rest < 65 else 2 if rest < 8194 else 3
    if rest - width > FRAMED_BYTES or entry[at : at + width] != LENGTHS[rest - width]:
        return -1
    return at + width


class EntryChecker:
    """Takes the entries in order and refuses the first one that cannot stand there.

    Args:
        origin: the name in the checkpoint.
        quarantined: reads the whole bytes of a quarantined arrival by their SHA-256.
    """

    def __init__(self, origin: str, quarantined: Callable[[bytes], bytes]) -> None:
        self.origin = origin
        self.referenced: set[str] = set()
        self._quarantined = quarantined
        self._schemas: set[bytes] = set()
        self._next: dict[bytes, int] = {}
        self._run: dict[bytes, int] = {}
        self.rotations: list[tuple[int, KeyRotated]] = []
        """Each with its position."""
        self._earlier: dict[bytes, Spans] = {}
        """Per stream what was seen below the run of numbers that ends with the highest."""
        self._head = b"\xff"
        self._topic: str | None = None
        """The topic of the entry at hand, where it has a head of its own and came by one."""
        self._way: Way | None = None
        """How the last fact came that had a head of its own; None where it was by no topic."""
        self._writers = StreamWriters()
        self._is_sealed = False
        self._reach = REACH
        """How many entries are looked at next: twice what was plain before."""

    def take(self, first: int, entries: list[bytes] | PackedEntries) -> None:
        """Check the next entries, of one bundle or of several.

        Args:
            first: the position of the first of them.
            entries: all of them, in order.
        """
        if isinstance(entries, PackedEntries):
            self._take_packed(first, entries)
        elif self._take_plain(entries):
            return
        elif len(entries) > WIDTH:
            for start in range(0, len(entries), WIDTH):
                self.take(first + start, entries[start : start + WIDTH])
        else:
            self._take_each(first, entries)

    def _take_packed(self, first: int, entries: PackedEntries) -> None:
        """Take plain facts as far as they go, then a few entries one after the other, and so on."""
        at = 0
        while at < len(entries):
            way = self._way
            if way is not None and not entries.begins_with(at, way.head):
                way = None
            head, terminal, _ = (b"", "", "") if way is None else way
            allowed = self._schemas - registration_ids()
            ahead = entries[at : at + self._reach]
            plain, runs = ahead.plain_runs(allowed, head, terminal.encode())
            self._reach = max(2 * plain, REACH)
            if plain > FEW and self._go_on(runs, way):
                at += plain
                if plain < len(ahead):  # most often the first that came in another way
                    self._take_each(first + at, entries[at : at + 1].entries())
                    at += 1
            elif plain > FEW:  # somewhere in them a number does not follow what stands before
                self._take_packed(first + at, entries[at : at + plain // 2])
                at += plain // 2
            else:
                self._take_each(first + at, entries[at : at + FEW].entries())
                at += FEW

    def _take_plain(self, entries: list[bytes]) -> bool:
        """Take facts that all go on from what stands before them; else leave everything as is."""
        allowed = self._schemas - registration_ids()
        runs = runs_of(entries, allowed) if allowed else None
        return runs is not None and self._go_on(runs)

    def _go_on(self, runs: list[Run], way: Way | None = None) -> bool:
        """Take stretches of streams that go on from what stands before them, or none of them."""
        upcoming = self._next
        if any(upcoming.get(stream, seq) != seq for stream, seq, _ in runs):
            return False
        if way is not None and not self._may_bring([stream for stream, _, _ in runs], way):
            return False
        for stream, seq, last in runs:
            if stream not in upcoming:
                self._run[stream], self._earlier[stream] = seq, Spans()
            upcoming[stream] = last + 1
        return True

    def _may_bring(self, streams: list[bytes], way: Way) -> bool:
        """Whether facts of these streams may come so; if so, it is noted that they did."""
        names = [stream.decode(errors="replace") for stream in streams]
        terminal = way.terminal or None
        if not all(self._writers.may_bring(name, terminal) for name in names):
            return False
        if terminal is not None:
            self._writers.proven.update(names)
        return True

    def _take_each(self, first: int, entries: list[bytes]) -> None:
        """Check entries one after the other, and refuse the first that cannot stand there."""
        head = self._head
        schemas, upcoming, registrations = self._schemas, self._next, registration_ids()
        for position, entry in enumerate(entries, first):
            if entry.startswith(head):
                at = _event_after(entry, len(head))
                if at < 0:
                    raise CheckFailed("the framed event does not end with its entry", position)
            else:
                at = self._after_way(entry)
                if at < 0:
                    at = self._check_other_entry(position, entry)
                    if at < 0:
                        continue
                    head = self._head
            if entry[at + 1 : at + 5] not in schemas or entry[at]:
                raise CheckFailed("a fact's schema is not in an entry before it", position)
            # the key: the first two fields of every fact
            try:
                size = entry[at + 5]
                if size & 0x81:
                    stop, start = read_long(entry, at + 5)
                else:
                    stop, start = size >> 1, at + 6
                stop += start
                stream = entry[start:stop]
                low = entry[stop]
                if low < 0x80:
                    seq = low >> 1
                elif 0 < entry[stop + 1] < 0x80 and not low & 1:
                    seq = (low & 0x7F | entry[stop + 1] << 7) >> 1
                else:
                    seq = read_long(entry, stop)[0]
            except (IndexError, EntryUnreadable) as error:
                raise CheckFailed("a fact's key cannot be read", position) from error
            if self._topic is not None or entry[at + 1 : at + 5] in registrations:
                framed = entry[at:]
                if entry[0] == SEALED:
                    framed = blank_form(framed)
                self._check_writer(position, stream, framed)
            if upcoming.get(stream) == seq:
                upcoming[stream] = seq + 1
            else:
                self._check_out_of_turn(position, stream, seq)

    def _after_way(self, entry: bytes) -> int:
        """Where the event starts in an entry that came as the last one by a topic; else -1."""
        way = self._way
        if way is None or not entry.startswith(way.head):
            return -1
        try:
            offset, at = read_long(entry, len(way.head))
        except EntryUnreadable:
            return -1
        at = _event_after(entry, at + 1) if offset >= 0 and entry[at : at + 1] == b"\0" else -1
        if at >= 0:
            self._topic = way.topic
        return at

    def _check_writer(self, position: int, stream: bytes, framed: bytes) -> None:
        """A fact came by a topic: its terminal must be registered for the stream."""
        name, topic, self._topic = stream.decode(errors="replace"), self._topic, None
        try:
            if not self._writers.may_write(name, topic, framed):
                problem = f"a fact of {name} came by {topic}, which may not bring it"
                raise CheckFailed(problem, position)
            self._writers.note(name, topic, framed)
        except Undecodable as error:
            raise CheckFailed("a fact cannot be read", position) from error

    def _check_out_of_turn(self, position: int, stream: bytes, seq: int) -> None:
        """A number that does not follow its stream's highest: a gap, a late one, or a double."""
        expected = self._next.get(stream)
        if seq >= 1 and expected is None:
            self._earlier[stream] = Spans()
        elif expected is not None and seq > expected:
            self._earlier[stream].add_run(self._run[stream], expected - 1)
        else:
            late = expected is not None and 1 <= seq < self._run[stream]
            if not late or not self._earlier[stream].add(seq):
                name = stream.decode(errors="replace")
                raise CheckFailed(
                    f"the fact {name}:{seq} cannot stand here a second time", position
                )
            return
        self._run[stream] = seq
        self._next[stream] = seq + 1

    def _check_other_entry(self, position: int, entry: bytes) -> int:
        """An entry with a head of its own; where its framed event starts, -1 if it has none."""
        try:
            decoded = decode(entry)
        except EntryUnreadable as error:
            raise CheckFailed(str(error), position) from error
        except FormatNewer as error:
            raise CheckFailed(error.problem, position) from error
        if (position == 0) != isinstance(decoded, Began):
            raise CheckFailed("the entry of a ledger's beginning is not where it belongs", position)
        if encode(decoded) != entry:
            raise CheckFailed("an entry is not in its one form", position)
        match decoded:
            case Accepted():
                if len(decoded.framed) > FRAMED_BYTES:
                    raise CheckFailed("a framed event is longer than it may be", position)
                self._way = way_of(decoded)
                if decoded.coordinates is not None:
                    self._topic = decoded.coordinates.topic
                plain = accepted_head(decoded.record_time, None, None)
                if entry[0] == ACCEPTED and entry.startswith(plain):
                    self._head = plain
                return len(entry) - len(decoded.framed)
            case Began():
                self._is_sealed = decoded.format_version == SEALED_FORMAT
                is_known = decoded.format_version in (FORMAT_VERSION, SEALED_FORMAT)
                if decoded.origin != self.origin or not is_known:
                    raise CheckFailed(
                        "the ledger began as another one, or in another format", position
                    )
            case SchemaUsed():
                self._check_schema(position, decoded)
            case Quarantined():
                self._check_quarantined(position, decoded)
            case KeyRotated():
                self._check_rotation(position, decoded)
            case Sealed():
                return self._check_sealed(position, entry, decoded)
        return -1

    def _check_sealed(self, position: int, entry: bytes, decoded: Sealed) -> int:
        """A sealed fact, without what opens it: a fact, but for the commitments."""
        if not self._is_sealed:
            raise CheckFailed("a fact is sealed in a ledger that does not seal", position)
        if decoded.coordinates is not None:
            self._topic = decoded.coordinates.topic
        try:
            if decoded.sealed[1:5] in self._schemas:
                validate(blank_form(decoded.sealed))
        except Undecodable as error:
            raise CheckFailed("a sealed fact is no fact", position) from error
        if len(decoded.sealed) > FRAMED_BYTES:
            raise CheckFailed("a framed event is longer than it may be", position)
        return len(entry) - len(decoded.sealed)

    def _check_rotation(self, position: int, rotated: KeyRotated) -> None:
        problem = problem_of_rotation(rotated)
        if problem is not None:
            raise CheckFailed(problem, position)
        if rotated.size != position or parse_verifier(rotated.new).name != self.origin:
            raise CheckFailed("a rotation is of another place or another ledger", position)
        last = self.rotations[-1][1] if self.rotations else None
        if last is not None and rotated.old not in (last.new, last.old):
            raise CheckFailed("a rotation does not go on from the key before it", position)
        self.rotations.append((position, rotated))

    def _check_schema(self, position: int, schema: SchemaUsed) -> None:
        known = registry()
        if not 0 <= schema.id < 1 << 32 or schema.id.to_bytes(4, "big") in self._schemas:
            raise CheckFailed(f"schema {schema.id} is recorded a second time", position)
        if known.has_id(schema.id) and known.by_id(schema.id).text != schema.text:
            raise CheckFailed(
                f"schema {schema.id} is not the text published under that id", position
            )
        self._schemas.add(schema.id.to_bytes(4, "big"))

    def _check_quarantined(self, position: int, quarantined: Quarantined) -> None:
        try:
            whole = self._quarantined(quarantined.sha256)
        except OSError as error:
            raise CheckFailed("the quarantined bytes cannot be read", position) from error
        if sha256(whole).digest() != quarantined.sha256:
            raise CheckFailed("the quarantined bytes are not those that came", position)
        if len(whole) != quarantined.length or whole[:HEAD_BYTES] != quarantined.head:
            raise CheckFailed("an entry does not describe its quarantined bytes", position)
        earlier = quarantined.conflicts_with
        if (earlier is None) != (quarantined.reason != CONFLICT):
            raise CheckFailed("a conflict does not say with what, or something else does", position)
        if earlier is not None and not 0 < earlier.position < position:
            raise CheckFailed("a conflict is with a fact that did not stand before it", position)
        self.referenced.add(quarantined.sha256.hex())
