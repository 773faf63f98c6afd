"""What the bytes of a fact say beside its key, its moment and who recorded it.

Facts with the same bytes there share one body, which is decoded once, with every check of the
codec. Bytes are compared as they are, never by a hash of them.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from ledger import events
from ledger.codec import registry
from ledger.codec.shapes import Maybe, Text
from ledger.events import EVENTS, Fact
from ledger.house.table import MINDS
from ledger.kernel import ERASED
from ledger.replay import TableFacts
from ledger.replay.stream_index import head_of, kind_numbers
from ledger.rounds.floorperson_posts import POSTED
from ledger.rounds.in_order.partial_facts import IDENTITIES, Body
from ledger.rounds.placed import COUPON_FACTS, WAGER_FACTS

BODIES: Final = 100_000
"""The most bodies that are kept; a fact with another one falls back."""
NEVER: Final = frozenset({events.TableOpened, events.TableClosed, events.WheelSpun}) | POSTED
"""The facts with which no round is in order here: they begin and end hours, move the floorpersons,
or have more than one moment."""


class Kind(NamedTuple):
    """What is known of a kind of fact before any is read.

    Attributes:
        event: its class.
        head: the first bytes of each such fact.
        identities: its first fields that tell one fact from another alike: whether each may be
            null.
        minded: the house follows it.
    """

    event: type[Fact]
    head: bytes
    identities: tuple[bool, ...]
    minded: bool


@cache
def kinds() -> dict[int, Kind]:
    """The kinds of fact that a round in order may have, by the number of their schema."""
    out = {}
    for schema in registry():
        event = EVENTS[schema.name]
        fields = schema.shape.fields[5:]
        others = WAGER_FACTS - {events.WagerPlaced, events.WagerSettled}
        if event in NEVER or event in COUPON_FACTS or event in others:
            continue
        identities = []
        for field in fields:
            shape = field.shape
            inner = shape.inner if isinstance(shape, Maybe) else shape
            if field.name not in IDENTITIES or not isinstance(inner, Text) or inner.is_date:
                break
            identities.append(isinstance(shape, Maybe))
        hidden = sum(field.name in IDENTITIES for field in fields)
        if hidden == len(identities):
            number = kind_numbers()[head_of(schema.id)]
            out[number] = Kind(event, head_of(schema.id), tuple(identities), event in MINDS)
    return out


class Read(NamedTuple):
    """A fact as it was read: who recorded it, what tells it from others, its body."""

    person: bytes | None
    identities: tuple[bytes | None, ...]
    body: Body


class Bodies:
    """Reads the facts of a table, and keeps what they say."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, bytes], Body] = {}

    def read(self, facts: TableFacts, row: int, packed: bytes, kind: Kind) -> Read | None:
        """Read one fact.

        Args:
            facts: of the table.
            row: which of them.
            packed: the bundle with it.
            kind: its kind.

        Returns:
            None where its bytes are not laid out as most are: its round falls back.

        Raises:
            EntryWrong: its bytes are no fact.
        """
        start = facts.offset[row]
        ends = start + facts.length[row]
        place = start + facts.begins[row]
        source = facts.sources[facts.rank[row]]
        is_as_indexed = packed.startswith(kind.head, start) and place < ends
        if not is_as_indexed or packed[place - len(source) : place] != source:
            return None
        try:
            person, place = _text_or_null(packed, place)
            identities: list[bytes | None] = []
            for nullable in kind.identities:
                read = _text_or_null if nullable else _text
                identity, place = read(packed, place)
                identities.append(identity)
        except (LaidOutOtherwise, IndexError):
            return None
        if place > ends:
            return None
        body = self._known.get((facts.kind[row], packed[place:ends]))
        if body is None:
            if len(self._known) >= BODIES:
                return None
            body = Body(facts.fact(row))
            self._known[facts.kind[row], packed[place:ends]] = body
        return Read(person, tuple(identities), body)


class LaidOutOtherwise(Exception):
    """A text is long, or not ASCII: the readable path reads it, with every check."""


def _text(packed: bytes, place: int) -> tuple[bytes, int]:
    """Read a short text; return it and the place after it."""
    size = packed[place]
    if size & 129:
        raise LaidOutOtherwise
    ends = place + 1 + (size >> 1)
    text = packed[place + 1 : ends]
    if not text.isascii():
        raise LaidOutOtherwise
    return text, ends


def _text_or_null(packed: bytes, place: int) -> tuple[bytes | None, int]:
    """Read a short text that may be null; return it and the place after it."""
    branch = packed[place]
    if not branch:
        return None, place + 1
    if branch != 2:
        raise LaidOutOtherwise
    return _text(packed, place + 1)


ERASED_BYTES: Final = ERASED.encode()
"""A patron of whom nobody knows who it was; the readable path takes it as not recorded."""
