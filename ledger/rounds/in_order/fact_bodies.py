"""What the bytes of a fact say beside its key, its moment and who recorded it.

Facts with the same bytes there share one body, which is decoded once, with every check of the
codec. Bytes are compared as they are, never by a hash of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import fields
from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple

from ledger import events
from ledger.codec import registry
from ledger.codec.shapes import Maybe, Text
from ledger.events import EVENTS, Fact
from ledger.house.table import MINDS
from ledger.kernel import ERASED
from ledger.replay.byte_spans import ByteSpans
from ledger.replay.errors import EntryWrong
from ledger.replay.fact_columns import UNREAD
from ledger.replay.stream_index import head_of, kind_numbers
from ledger.rounds.in_order.partial_facts import BEGINNINGS, IDENTITIES, Body
from ledger.rounds.placed import COUPON_FACTS, WAGER_FACTS

BODIES: Final = 100_000
"""The most bodies that are kept; a fact with another one falls back."""
NEVER: Final = frozenset({events.TableOpened, events.TableClosed})
"""The facts with which no round is in order here: they begin and end hours."""
BEGAN: Final = frozenset(
    kind for kind in EVENTS.values() if BEGINNINGS & {each.name for each in fields(kind)}
)
"""The facts that state when what they record began."""
REMEMBERED: Final = frozenset(
    {
        events.DiceSetPlaced,
        events.DiceSetRemoved,
    }
)
"""The facts that the house keeps as they came, to compare later ones with: each is asked alone."""
OF_STAFF: Final = frozenset({events.StaffAssigned, events.StaffRelieved})
"""The facts about who works at the table, which no row reads (``house_parts.LEFT_OUT``)."""


class Does(IntEnum):
    """Who beside the room follows a fact: nobody, the house, or wagers and coupons of the round.

    ``IS_REMEMBERED``: the house follows it, and what it says is not known by its body alone.
    ``IS_OF_STAFF``: it says who works at the table, and is done for real after the run.
    """

    TELLS_THE_ROOM = 0
    TELLS_THE_HOUSE = 1
    LAYS = 2
    SETTLES = 3
    CHANGES = 4
    OF_COUPON = 5
    IS_REMEMBERED = 6
    IS_OF_STAFF = 7


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
        if event in NEVER:
            continue
        identities = []
        for field in fields:
            shape = field.shape
            inner = shape.inner if isinstance(shape, Maybe) else shape
            if field.name not in IDENTITIES or not isinstance(inner, Text) or inner.is_date:
                break
            identities.append(isinstance(shape, Maybe))
        hidden = sum(field.name in IDENTITIES for field in fields)
        if hidden == len(identities) or event in COUPON_FACTS:  # these are decoded, each of them
            number = kind_numbers()[head_of(schema.id)]
            out[number] = Kind(event, head_of(schema.id), tuple(identities), event in MINDS)
    return out


@cache
def numbers_of(some: frozenset[type[Fact]]) -> tuple[int, ...]:
    """Return the numbers of all schemas of some kinds of fact."""
    schemas = (schema for schema in registry() if EVENTS[schema.name] in some)
    return tuple(kind_numbers()[head_of(schema.id)] for schema in schemas)


class Bodies:
    """The bodies that were met, numbered as they came; a number stands for just these bytes."""

    def __init__(self) -> None:
        self._numbers: dict[int, dict[bytes, int]] = {}
        self.spans = ByteSpans()
        self.of_spans = array("q")
        self.bodies: list[Body] = []
        self.does: list[Does] = []
        """What a fact with the body of this number does, by number."""
        self.with_coupons: set[int] = set()
        """The numbers of those that lay a coupon with a wager, or say what became of one."""
        self.began: dict[int, int] = {}
        """When what it records began, by number, microseconds UTC, where a fact states it."""

    def __len__(self) -> int:
        return len(self.bodies)

    def numbers(self, kind: int) -> dict[bytes, int]:
        """The numbers of the bodies of a kind of fact, by their bytes; ``kind`` as in ``kinds``."""
        return self._numbers.setdefault(kind, {})

    def add(self, kind: int, packed: bytes, fact: Callable[[], Fact]) -> int:
        """Number a body that was not met before; ``UNREAD`` where it falls back.

        Args:
            kind: of the fact.
            packed: its bytes.
            fact: decodes a fact that has it, with every check of the codec.
        """
        number = UNREAD
        if len(self) < BODIES:
            try:
                body = Body(fact())
            except EntryWrong:  # the readable path words it, in its turn
                return UNREAD
            number = len(self)
            self.bodies.append(body)
            self.does.append(_does(kinds()[kind]))
            placed = body.fact
            if body.kind in COUPON_FACTS or (
                isinstance(placed, events.WagerPlaced) and placed.coupons
            ):
                self.with_coupons.add(number)
            for name in BEGINNINGS if body.kind in BEGAN else ():
                began = getattr(body.fact, name)
                if began is not None:
                    self.began[number] = began
        self._numbers[kind][packed] = number
        return number


def _does(kind: Kind) -> Does:
    if kind.event in COUPON_FACTS:
        return Does.OF_COUPON
    if kind.event is events.WagerPlaced:
        return Does.LAYS
    if kind.event is events.WagerSettled:
        return Does.SETTLES
    if kind.event in WAGER_FACTS:
        return Does.CHANGES
    if kind.event in REMEMBERED:
        return Does.IS_REMEMBERED
    if kind.event in OF_STAFF:
        return Does.IS_OF_STAFF
    return Does.TELLS_THE_HOUSE if kind.minded else Does.TELLS_THE_ROOM


ERASED_BYTES: Final = ERASED.encode()
"""A patron of whom nobody knows who it was; the readable path takes it as not recorded."""
