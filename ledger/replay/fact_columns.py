"""The facts of a table's day as columns of numbers, cut out of their bytes in bulk.

What a fact says beside its key and its moment becomes numbers that stand for its very bytes: who
recorded it, which wager it names, its body. Whatever is not laid out as most facts are is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import partial
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ledger.events import Fact
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.tiles import WIDTH
from ledger.replay.table_facts import TableFacts

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

BUNDLES: Final = 256
"""How many bundles are laid end to end at a time: about 5 MB."""
UNREAD: Final = -1
"""Stands for the number of a body that was not cut out: the fact must be read by itself."""
NULL: Final = -1
"""Stands for the number of a text that is null, or that a fact has not."""
TEXT_BYTES: Final = 64
"""The most bytes of a short text with its branch and its length; as many lie behind the bundles for
each text that a fact may begin with, so that no reading runs over their end."""
TEXTS: Final = 5
LONG_OR_NEGATIVE: Final = 0b1000_0001
"""The bits of a first byte of a length that only a text has which is long, or no text."""


class Layout(Protocol):
    """How the bytes of a kind of fact begin."""

    @property
    def head(self) -> bytes:
        """The first bytes of each such fact."""

    @property
    def identities(self) -> tuple[bool, ...]:
        """Its first fields that tell one fact from another alike: whether each may be null."""


class BodyNumbers(Protocol):
    """Numbers bodies, which are compared as bytes."""

    def numbers(self, kind: int) -> dict[bytes, int]:
        """The numbers of the bodies of a kind of fact, by their bytes."""

    def add(self, kind: int, packed: bytes, fact: Callable[[], Fact]) -> int:
        """Number a body that was not met before; ``UNREAD`` where it cannot be."""


@dataclass(slots=True)
class FactColumns:
    """The facts of a table's day, row by row as ``TableFacts`` has them.

    Attributes:
        body: number of the body; ``UNREAD`` where the fact must be read by itself.
        person: number of who recorded it, in ``texts``; ``NULL`` where nobody did.
        identities: number of the first, second and third text that tells it from others alike.
        texts: the texts by number.
    """

    body: list[int]
    person: list[int]
    identities: tuple[list[int], list[int], list[int]]
    texts: list[bytes]


class Texts(dict[bytes, int]):
    """Numbers texts as they come."""

    def __missing__(self, text: bytes) -> int:
        number = self[text] = len(self)
        return number


class Part(NamedTuple):
    """Where a text lies in each of some facts, and what is known of it.

    Attributes:
        begins, ends: its bytes.
        is_null: it is null.
        fine: it is null, or short.
    """

    begins: Numbers
    ends: Numbers
    is_null: Flags
    fine: Flags


@dataclass(slots=True)
class Cut:
    """Cuts facts out of bundles that lie end to end.

    Args:
        facts: of the table.
        kinds: how the kinds of fact begin that are cut, by the number of their schema.
        bodies: those met so far.
    """

    facts: TableFacts
    kinds: Mapping[int, Layout]
    bodies: BodyNumbers
    texts: Texts = field(default_factory=Texts)
    body: Numbers = field(init=False)
    person: Numbers = field(init=False)
    identities: tuple[Numbers, Numbers, Numbers] = field(init=False)

    def __post_init__(self) -> None:
        size = len(self.facts)
        self.body = np.full(size, UNREAD, np.int64)
        self.person = np.full(size, NULL, np.int64)
        self.identities = (
            np.full(size, NULL, np.int64),
            np.full(size, NULL, np.int64),
            np.full(size, NULL, np.int64),
        )

    def columns(self) -> FactColumns:
        """Cut all of them."""
        bundle = self.facts.columns["position"] // WIDTH
        order = np.argsort(bundle, kind="stable")
        numbers, firsts = np.unique(bundle[order], return_index=True)
        firsts = np.append(firsts, len(order))
        for start in range(0, len(numbers), BUNDLES):
            some = numbers[start : start + BUNDLES]
            self._block(order[firsts[start] : firsts[start + len(some)]], some)
        strange = [number for text, number in self.texts.items() if not text.isascii()]
        for column in (self.person, *self.identities) if strange else ():
            self.body[np.isin(column, strange)] = UNREAD
        first, second, third = self.identities
        return FactColumns(
            self.body.tolist(),
            self.person.tolist(),
            (first.tolist(), second.tolist(), third.tolist()),
            [*self.texts],
        )

    def _block(self, rows: Numbers, numbers: Numbers) -> None:
        bundles = [self.facts.bundle(number) for number in numbers.tolist()]
        sizes = np.array([len(packed) for packed in bundles], np.int64)
        base = np.cumsum(sizes) - sizes
        packed = b"".join([*bundles, bytes(TEXT_BYTES * TEXTS)])
        columns = self.facts.columns
        begins = columns["offset"][rows]
        begins += base[np.searchsorted(numbers, columns["position"][rows] // WIDTH)]
        block = Block(packed, rows, begins)
        kind = columns["kind"][rows]
        for number, known in self.kinds.items():
            of_kind = np.flatnonzero(kind == number)
            if len(of_kind):
                self._kind(block.of(of_kind), number, known)

    def _kind(self, block: Block, number: int, kind: Layout) -> None:
        facts, rows = self.facts, block.rows
        ends = block.begins + facts.columns["length"][rows]
        place = block.begins + facts.columns["begins"][rows]
        place = np.minimum(place, len(block.packed) - TEXT_BYTES * TEXTS)  # a fact that was cut
        fine = block.has(block.begins, kind.head) & (place < ends)
        rank = facts.columns["rank"][rows]
        for stream in np.unique(rank).tolist():
            source = facts.sources[stream]
            fine &= (rank != stream) | block.has(place - len(source), source)
        person = block.text(place, nullable=True)
        parts = [person]
        for nullable in kind.identities:
            parts.append(block.text(parts[-1].ends, nullable=nullable))
        for part in parts:
            fine &= part.fine
        fine &= parts[-1].ends <= ends
        block = block.of(fine)
        for column, part in zip((self.person, *self.identities), parts, strict=False):
            column[block.rows] = block.numbered(part, fine, self.texts)
        self.body[block.rows] = self._bodies(block, number, parts[-1].ends[fine], ends[fine])

    def _bodies(self, block: Block, kind: int, begins: Numbers, ends: Numbers) -> list[int]:
        """The numbers of the bodies of some facts of one kind."""
        known, packed, out = self.bodies.numbers(kind), block.packed, []
        for row, begin, end in zip(
            block.rows.tolist(), begins.tolist(), ends.tolist(), strict=True
        ):
            body = packed[begin:end]
            number = known.get(body)
            if number is None:
                number = self.bodies.add(kind, body, partial(self.facts.fact, row))
            out.append(number)
        return out


@dataclass(slots=True)
class Block:
    """Facts in bundles that lie end to end, with zeros behind them.

    Args:
        packed: the bytes.
        rows: the rows of the facts.
        begins: where each of them begins.
    """

    packed: bytes
    rows: Numbers
    begins: Numbers
    octets: NDArray[np.uint8] = field(init=False)

    def __post_init__(self) -> None:
        self.octets = np.frombuffer(self.packed, np.uint8)

    def of(self, some: Flags | Numbers) -> Block:
        """The same bytes with some of the facts."""
        part = object.__new__(Block)
        part.packed, part.octets = self.packed, self.octets
        part.rows, part.begins = self.rows[some], self.begins[some]
        return part

    def has(self, place: Numbers, text: bytes) -> Flags:
        """Whether just these bytes stand at each place."""
        out = np.ones(len(place), np.bool_)
        for number, octet in enumerate(text):
            out &= self.octets[place + number] == octet
        return out

    def text(self, place: Numbers, *, nullable: bool) -> Part:
        """Find the short text that begins at each place; ``nullable``: a branch goes before it."""
        is_null, fine = np.zeros(len(place), np.bool_), np.ones(len(place), np.bool_)
        begins = place
        if nullable:
            branch = self.octets[place]
            is_null = branch == 0
            fine = is_null | (branch == 2)
            begins = place + 1
        size = self.octets[begins].astype(np.int64)
        fine = is_null | (fine & ((size & LONG_OR_NEGATIVE) == 0))
        ends = np.where(is_null, begins, begins + 1 + ((size & 127) >> 1))
        begins = np.where(is_null, begins, begins + 1)
        return Part(begins, ends, is_null, fine)

    def numbered(self, part: Part, some: Flags, texts: Texts) -> Numbers:
        """The numbers of some texts of a part, which are of the facts of this block."""
        packed = self.packed
        places = zip(part.begins[some].tolist(), part.ends[some].tolist(), strict=True)
        numbers = np.array([texts[packed[begin:end]] for begin, end in places], np.int64)
        numbers[part.is_null[some]] = NULL
        return numbers
