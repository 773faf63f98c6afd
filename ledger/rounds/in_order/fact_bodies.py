"""What the bytes of a fact say beside its key, its moment and who recorded it.

Facts with the same bytes there share one body, which is decoded once, with every check of the
codec. Bytes are compared as they are, never by a hash of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ledger import events
from ledger.codec import registry
from ledger.codec.shapes import Maybe, Text
from ledger.events import EVENTS, Fact
from ledger.house.table import MINDS
from ledger.kernel import ERASED
from ledger.replay.byte_spans import ByteSpans
from ledger.replay.errors import EntryWrong
from ledger.replay.fact_columns import NULL, UNREAD
from ledger.replay.stream_index import head_of, kind_numbers
from ledger.rounds.in_order.partial_facts import BEGINNINGS, IDENTITIES, Body
from ledger.rounds.placed import COUPON_FACTS, WAGER_FACTS
from ledger.rounds.wager_timing import LIFTS

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
    ``LIFTS``: it changes a wager, too, and takes some or all of it from the layout.
    """

    TELLS_THE_ROOM = 0
    TELLS_THE_HOUSE = 1
    LAYS = 2
    SETTLES = 3
    CHANGES = 4
    OF_COUPON = 5
    IS_REMEMBERED = 6
    IS_OF_STAFF = 7
    LIFTS = 8


class Kind(NamedTuple):
    """What is known of a kind of fact before any is read.

    Attributes:
        event: its class.
        head: the first bytes of each such fact.
        identities: its first fields that tell one fact from another alike: whether each may be
            null. One that comes later is a part of the body.
        named: their names.
        minded: the house follows it.
    """

    event: type[Fact]
    head: bytes
    identities: tuple[bool, ...]
    named: tuple[str, ...]
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
        number = kind_numbers()[head_of(schema.id)]
        named = tuple([field.name for field in fields[: len(identities)]])
        out[number] = Kind(event, head_of(schema.id), tuple(identities), named, event in MINDS)
    return out


@cache
def numbers_of(some: frozenset[type[Fact]]) -> tuple[int, ...]:
    """Return the numbers of all schemas of some kinds of fact."""
    schemas = (schema for schema in registry() if EVENTS[schema.name] in some)
    return tuple(kind_numbers()[head_of(schema.id)] for schema in schemas)


@cache
def places_of(name: str) -> dict[int, int]:
    """Return by kind of fact which of its texts has this name, where one has."""
    return {
        number: kind.named.index(name) for number, kind in kinds().items() if name in kind.named
    }


UNMET: Final = -2
"""Stands for the number of a body with a position with which none was met."""
POSITION: Final = frozenset({"position"})


class Bodies:
    """The bodies that were met, numbered as they came; a number stands for just these bytes.

    Args:
        with_positions: the position that a fact names is known with its body, to the room alone.
    """

    def __init__(self, *, with_positions: bool = False) -> None:
        self._shown = POSITION if with_positions else frozenset[str]()
        self._at_positions: dict[bytes | None, NDArray[np.int64]] = {}
        self.base = array("q")
        """The number of a body whatever position the fact names, by number."""
        self.positions: dict[str, int] = {}
        """The positions that bodies name behind the first of what they say, numbered."""
        self.within = array("q")
        """The number of the position that a body names so, by number; ``NULL`` for none."""
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
            is_within = bool(self._shown) and "position" not in kinds()[kind].named
            try:
                body = Body(fact(), self._shown if is_within else frozenset())
            except EntryWrong:  # the readable path words it, in its turn
                return UNREAD
            position = getattr(body.fact, "position", None) if is_within else None
            body.position = position
            number = self._append(body, _does(kinds()[kind]), len(self))
            if position is not None:
                self.within[number] = self.positions.setdefault(position, len(self.positions))
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

    def _append(self, body: Body, does: Does, base: int) -> int:
        self.bodies.append(body)
        self.does.append(does)
        self.base.append(base)
        self.within.append(NULL)
        return len(self) - 1

    def at_positions(
        self, numbers: NDArray[np.int64], positions: NDArray[np.int64], texts: Sequence[bytes]
    ) -> NDArray[np.int64]:
        """Return the numbers of bodies of which the position is known.

        Args:
            numbers: of bodies, row by row; ``UNREAD`` where there is none.
            positions: the number of the position in ``texts``, row by row.
            texts: by number.
        """
        out = numbers.copy()
        for position in np.unique(positions).tolist():
            rows = np.flatnonzero((positions == position) & (numbers != UNREAD))
            text = None if position == NULL else texts[position]
            known = self._at_positions.setdefault(text, np.zeros(0, np.int64))
            if len(known) < len(self):
                more = np.full(len(self) - len(known), UNMET, np.int64)
                known = self._at_positions[text] = np.append(known, more)
            unmet = known[numbers[rows]] == UNMET
            for number in np.unique(numbers[rows][unmet]).tolist() if unmet.any() else ():
                known[number] = self._at_position(number, text)
            out[rows] = known[numbers[rows]]
        return out

    def _at_position(self, number: int, position: bytes | None) -> int:
        """Return the number of a body with the position that the fact names."""
        body = self.bodies[number]
        if "position" in body.shown or not hasattr(body.fact, "position"):
            return number
        if len(self) >= BODIES:
            return UNREAD
        text = None if position is None else position.decode()
        of_position = Body(replace(body.fact, position=text), self._shown)
        of_position.position = text
        known = self._append(of_position, self.does[number], number)
        if number in self.with_coupons:
            self.with_coupons.add(known)
        return known


def _does(kind: Kind) -> Does:
    if kind.event in COUPON_FACTS:
        return Does.OF_COUPON
    if kind.event is events.WagerPlaced:
        return Does.LAYS
    if kind.event is events.WagerSettled:
        return Does.SETTLES
    if kind.event in LIFTS:
        return Does.LIFTS
    if kind.event in WAGER_FACTS:
        return Does.CHANGES
    if kind.event in REMEMBERED:
        return Does.IS_REMEMBERED
    if kind.event in OF_STAFF:
        return Does.IS_OF_STAFF
    return Does.TELLS_THE_HOUSE if kind.minded else Does.TELLS_THE_ROOM


ERASED_BYTES: Final = ERASED.encode()
"""A patron of whom nobody knows who it was; the readable path takes it as not recorded."""
