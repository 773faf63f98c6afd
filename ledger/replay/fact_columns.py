"""The facts of a table's day as columns of numbers, cut out of their bytes in bulk.

What a fact says beside its key and its moment becomes numbers that stand for its very bytes: who
recorded it, which wager it names, its body. Whatever is not laid out as most facts are is marked.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from types import ModuleType
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ledger.events import Fact
from ledger.kernel.machine_code import twin
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.tiles import WIDTH
from ledger.replay.byte_spans import ByteSpans, Numbers
from ledger.replay.table_facts import TableFacts

Flags = NDArray[np.bool_]

BUNDLES: Final = 256
"""How many bundles are read at a time: about 5 MB."""
UNREAD: Final = -1
"""Stands for the number of a body that was not cut out: the fact must be read by itself."""
NULL: Final = -1
"""Stands for the number of a text that is null, or that a fact has not."""
TEXT_BYTES: Final = 64
"""The most bytes of a short text with its branch and its length; as many lie behind the bundles for
each text that a fact may begin with, so that no reading runs over their end."""
TEXTS: Final = 5
WORD: Final = 8
"""How many bytes machine code reads at a time; no buffer is shorter."""
AT_ONCE: Final = 256
"""For how many more stretches of bytes room is made at least."""
MOST_SPANS: Final = 200_000
"""The most stretches of bytes that are kept as bodies; who has another one is read by itself."""
PLAIN: Final = re.compile(rb"[ !#-\[\]-~]*")
"""Texts that are written in JSON as they are; facts with others are read by themselves."""
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

    @property
    def spans(self) -> ByteSpans:
        """The bytes of the bodies that machine code met, each belonging to its kind."""

    @property
    def of_spans(self) -> array[int]:
        """The number of each of these as a body; ``UNREAD`` where it is none."""


@dataclass(slots=True)
class FactColumns:
    """The facts of a table's day, row by row as ``TableFacts`` has them.

    Attributes:
        body: number of the body; ``UNREAD`` where the fact must be read by itself.
        person: number of who recorded it, in ``texts``; ``NULL`` where nobody did.
        identities: number of the first, second and third text that tells it from others alike.
        texts: the texts by number; those that were asked for come first.
    """

    body: Numbers
    person: Numbers
    identities: tuple[Numbers, Numbers, Numbers]
    texts: Sequence[bytes]


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
        first: texts that are numbered first, from 0.
    """

    facts: TableFacts
    kinds: Mapping[int, Layout]
    bodies: BodyNumbers
    first: Sequence[bytes] = ()
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
        fast = twin("ledger.replay.fact_columns_fast", len(self.facts))
        if fast is not None:
            return MachineCut(self, fast).columns()
        for text in self.first:
            _ = self.texts[text]
        for bundles, rows, place in self.blocks():
            block, kind = end_to_end(bundles, rows, place), self.facts.columns["kind"][rows]
            block.begins += self.facts.columns["offset"][rows]
            for number, known in self.kinds.items():
                of_kind = np.flatnonzero(kind == number)
                if len(of_kind):
                    self._kind(block.of(of_kind), number, known)
        strange = [number for text, number in self.texts.items() if not PLAIN.fullmatch(text)]
        for column in (self.person, *self.identities) if strange else ():
            self.body[np.isin(column, strange)] = UNREAD
        return FactColumns(self.body, self.person, self.identities, [*self.texts])

    def blocks(self) -> Iterator[tuple[list[bytes], Numbers, Numbers]]:
        """Yield some bundles, with the rows of the facts in them, and in which of them each is."""
        columns = self.facts.columns
        bundle = columns["position"] // WIDTH
        order = np.argsort(bundle, kind="stable")
        numbers, firsts = np.unique(bundle[order], return_index=True)
        firsts = np.append(firsts, len(order))
        for start in range(0, len(numbers), BUNDLES):
            some = numbers[start : start + BUNDLES]
            rows = order[firsts[start] : firsts[start + len(some)]]
            bundles = [self.facts.bundle(number) for number in some.tolist()]
            yield bundles, rows, np.searchsorted(some, bundle[rows])

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


def end_to_end(bundles: list[bytes], rows: Numbers, place: Numbers) -> Block:
    """Lay bundles end to end; each fact begins where its bundle does.

    Args:
        bundles: they.
        rows: of the facts in them.
        place: in which of them each fact is.
    """
    sizes = np.array([len(packed) for packed in bundles], np.int64)
    base = np.cumsum(sizes) - sizes
    return Block(b"".join([*bundles, bytes(TEXT_BYTES * TEXTS)]), rows, base[place])


@dataclass(slots=True)
class MachineCut:
    """Cuts facts in machine code; what comes of it is what ``Cut`` makes.

    One thing differs: where the first fact with a body cannot be read, all with that body are left
    to be read by themselves.

    Args:
        cut: what is to be cut.
        fast: the compiled functions.
    """

    cut: Cut
    fast: ModuleType
    texts: ByteSpans = field(default_factory=ByteSpans)

    def columns(self) -> FactColumns:
        """Cut all facts."""
        facts, first = self.cut.facts, b"".join(self.cut.first)
        named = np.full((TEXTS - 1, len(facts)), NULL, np.int64)
        self._reserve(self.texts, len(self.cut.first) + len(facts) // 2, len(first) + len(facts))
        self._number_first()
        body = np.full(len(facts), UNREAD, np.int64)
        known = layouts(self.cut.kinds)
        for bundles, rows, place in self.cut.blocks():
            self._block(bundles, rows, place, known, body, named)
        spans = np.append(self.cut.bodies.of_spans, UNREAD)  # the last stands for -1
        return FactColumns(spans[body], named[0], (named[1], named[2], named[3]), self.texts)

    def _number_first(self) -> None:
        texts = self.texts
        for number, text in enumerate(self.cut.first):
            start = int(texts.starts[number])
            texts.pool[start : start + len(text)] = np.frombuffer(text, np.uint8)
            texts.starts[number + 1] = start + len(text)
            texts.size[0] = number + 1
        self._fill(texts)

    def _reserve(self, spans: ByteSpans, count: int, octets: int) -> None:
        if spans.reserve(count, octets):
            self._fill(spans)

    def _fill(self, spans: ByteSpans) -> None:
        self.fast.fill(spans.pool, spans.starts, spans.owners, spans.slots, len(spans))

    def _block(
        self,
        bundles: list[bytes],
        rows: Numbers,
        place: Numbers,
        known: tuple[NDArray[np.uint64], Numbers],
        body: Numbers,
        named: Numbers,
    ) -> None:
        cut, texts, spans = self.cut, self.texts, self.cut.bodies.spans
        columns = cut.facts.columns
        length, kind = columns["length"][rows], columns["kind"][rows]
        addresses = np.array([*map(self.fast.address_of, bundles)], np.int64)
        sizes = np.array([len(each) for each in bundles], np.int64)
        longest = int(sizes.max(initial=0))
        octets = b"".join(cut.facts.sources).ljust(WORD, b"\0")
        sources = np.frombuffer(octets, np.uint8).copy()
        ends = np.cumsum([0, *map(len, cut.facts.sources)])
        before, first_rows = len(spans), np.zeros(len(spans) + len(rows), np.int64)
        done = 0
        while done < len(rows):
            most = min(max(int(length[done]), 0), longest)
            self._reserve(texts, AT_ONCE, AT_ONCE + most)
            self._reserve(spans, AT_ONCE, AT_ONCE + most)
            done = self.fast.number_facts(
                addresses, sizes, place, rows, columns["offset"][rows], length,
                columns["begins"][rows], kind, columns["rank"][rows], *known, sources, ends,
                texts.pool, texts.starts, texts.owners, texts.slots, texts.size,
                spans.pool, spans.starts, spans.owners, spans.slots, spans.size, first_rows,
                MOST_SPANS, body, named, done,
            )  # fmt: skip
        for number in range(before, len(spans)):
            of_kind, packed = int(spans.owners[number]), spans[number]
            as_body = cut.bodies.numbers(of_kind).get(packed)
            if as_body is None:
                fact = partial(cut.facts.fact, int(first_rows[number]))
                as_body = cut.bodies.add(of_kind, packed, fact)
            cut.bodies.of_spans.append(as_body)


def layouts(kinds: Mapping[int, Layout]) -> tuple[NDArray[np.uint64], Numbers]:
    """Return by kind the first bytes of its facts as a number, the first of them the lowest, and of
    each text whether it may be null.

    It is 1 or 0 for each text, and -1 after the last; a kind that is not cut has none.
    """
    most = max(kinds, default=-1) + 1
    heads, nulls = np.zeros(most, np.uint64), np.full((most, TEXTS - 1), -1, np.int64)
    for number, kind in kinds.items():
        heads[number] = int.from_bytes(kind.head, "little")
        nulls[number, : 1 + len(kind.identities)] = [True, *kind.identities]
    return heads, nulls
