"""The coupons' book as parts of bytes, and read again: what a question needs, when it needs it.

A quarter's custody is tens of thousands of moves, ways and dropped coupons. They are written as
columns of whole numbers beside the texts that they share, and everything else as a value of its own
(``kernel/value_bytes``). The papers of the program and the record of each gaming day are read when
somebody asks for them, and so are the boxes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date
from functools import cache
from itertools import accumulate, chain, islice, pairwise
from typing import Any, Final

import numpy as np

from ledger.coupons import CustodyRegister, IntervalMap, Move
from ledger.coupons.followed_events import WANTED
from ledger.coupons.records import Box, DayRecord
from ledger.coupons.serial import Serial, SerialForm, SerialRange
from ledger.events import EVENTS
from ledger.kernel import FactRef, PropertyClock
from ledger.kernel.late_values import LateValues, read_later
from ledger.kernel.value_bytes import ValueFormat, ValueUnreadable, declared_kinds
from ledger.log.bundle_states import Stretches
from ledger.replay.packed_columns import pack_columns, unpack_columns

CHUNK: Final = 20_000
"""Moves of one part."""
OWN: Final = ("clock", "custody", "documents", "days", "boxes", "hanging", "unread")
"""Fields of the book that no part has as they are."""
MOVES: Final = ("kind", "at", "seq")
RUNS: Final = ("first", "last", "way")
WAYS: Final = ("steps",)
STEPS: Final = ("move",)
BUNDLES: Final = ("first", "stop")
DROPPED: Final = ("box", "form", "number", "stream", "seq")
COUNTED: Final = ("box", "part", "form", "first", "last")
CASHED: Final = ("box", "form", "first", "last")
Rows = Iterable[tuple[int, ...]]
Packed = bytes | list[tuple[int, ...]]
"""Rows as columns, or as they are where a number has more than 64 bits."""


@cache
def book_format() -> ValueFormat:
    """The format of its values."""
    facts = frozenset(EVENTS[name] for name in WANTED)
    return ValueFormat(declared_kinds((CustodyRegister, SerialForm, *facts)), facts)


def parts_of(book: CustodyRegister) -> Iterator[bytes]:
    """Yield the parts of a book: its small fields, the boxes, the papers, the days, the custody."""
    custody, names = book.custody, [one.name for one in fields(CustodyRegister)]
    yield _written({name: getattr(book, name) for name in names if name not in OWN})
    yield _written(_boxes_as_columns(book))
    yield _squeezed(book.documents)
    yield _written({day: _squeezed(record) for day, record in book.days.items()})
    yield _written((vars(custody.forms), len(custody.moves), len(custody.lines)))
    moves = iter(custody.moves)
    while chunk := list(islice(moves, CHUNK)):
        yield _written(_moves_as_columns(chunk))
    for key, line in custody.lines.items():
        yield _written((key, *_runs_as_columns(line)))


def bundles_as_part(spans: Stretches) -> bytes:
    """Return stretches of bundles as a part."""
    return _written(_packed(spans, BUNDLES))


def bundles_of(part: bytes) -> Stretches:
    """Return the stretches of bundles of a part."""
    return [(first, stop) for first, stop in _rows(_read(part), BUNDLES)]


def book_of(parts: Iterator[bytes], clock: PropertyClock) -> CustodyRegister:
    """Return the book of these parts.

    Args:
        parts: as ``parts_of`` yields them.
        clock: the property's.

    Raises:
        ValueUnreadable, TypeError, ValueError, AttributeError, StopIteration: this version did not
            write them.
    """
    book = CustodyRegister(clock, **_read(next(parts)))
    boxes, papers = next(parts), next(parts)
    read_later(book, ("boxes", "hanging"), _KeptBoxes(boxes))
    read_later(book, ("documents",), lambda: [_unsqueezed(papers)])
    days: Mapping[date, bytes] = _read(next(parts))
    book.days = LateValues[date, DayRecord](days, _unsqueezed)
    forms, moves, lines = _read(next(parts))
    custody = book.custody
    vars(custody.forms).update(forms)
    while len(custody.moves) < moves:
        custody.moves.extend(_moves_of(*_read(next(parts))))
    for _ in range(lines):
        key, *runs = _read(next(parts))
        custody.lines[key] = IntervalMap.of(_runs_of(*runs))
    if next(parts, None) is not None:
        raise ValueUnreadable("A kept book has more parts than it says")
    return book


def _written(content: object) -> bytes:
    return book_format().write(content)


def _read(stored: bytes) -> Any:
    return book_format().read(stored)


def _squeezed(content: object) -> bytes:
    return zlib.compress(_written(content), level=1)


def _unsqueezed(stored: bytes) -> Any:
    return _read(zlib.decompress(stored))


class _Numbers:
    """Numbers of what stands there often, in the order in which each came first."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def __call__(self, content: object) -> int:
        return self._numbers.setdefault(content, len(self._numbers))

    def known(self) -> list[Any]:
        """What has a number, by number."""
        return list(self._numbers)


def _kind(names: tuple[str, ...]) -> np.dtype[np.void]:
    return np.dtype([(name, "<i8") for name in names])


def _packed(rows: Rows, names: tuple[str, ...]) -> Packed:
    whole = list(rows)
    try:
        return pack_columns(np.array(whole, _kind(names)))
    except OverflowError:  # serial numbers of twenty digits
        return whole


def _rows(packed: Packed, names: tuple[str, ...]) -> list[tuple[int, ...]]:
    if isinstance(packed, list):
        return packed
    rows: list[tuple[int, ...]] = unpack_columns(packed, _kind(names)).tolist()
    return rows


def _moves_as_columns(moves: list[Move]) -> tuple[list[Any], Packed]:
    """What moves share, and a row for each."""
    kind = _Numbers()
    rows = [
        (kind((move.event, move.to, move.who, move.ref.stream, move.detail)), move.at, move.ref.seq)
        for move in moves
    ]
    return kind.known(), _packed(rows, MOVES)


def _moves_of(kinds: list[Any], packed: Packed) -> Iterator[Move]:
    for kind, at, seq in _rows(packed, MOVES):
        event, to, who, stream, detail = kinds[kind]
        yield Move(at, event, to, who, FactRef(stream, seq), detail)


def _runs_as_columns(line: IntervalMap[tuple[int, ...]]) -> tuple[Packed, Packed, Packed]:
    """A row for each run, for each way how many steps it has, and all steps."""
    way = _Numbers()
    runs = [(first, last, way(steps)) for first, last, steps in line]
    ways = way.known()
    steps = [(step,) for one in ways for step in one]
    return _packed(runs, RUNS), _packed(((len(one),) for one in ways), WAYS), _packed(steps, STEPS)


def _runs_of(
    runs: Packed, ways: Packed, steps: Packed
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    flat = tuple(chain.from_iterable(_rows(steps, STEPS)))
    ends = [0, *accumulate(chain.from_iterable(_rows(ways, WAYS)))]
    known = [flat[start:end] for start, end in pairwise(ends)]
    return ((first, last, known[way]) for first, last, way in _rows(runs, RUNS))


BoxColumns = tuple[
    list[bytes],
    dict[str, int],
    set[date],
    list[tuple[str, int]],
    list[str],
    Packed,
    Packed,
    Packed,
]
"""The boxes without coupons, each as bytes of its own; by table which of them hangs there; their
gaming days; what the rows share, forms and streams; rows of what was dropped, counted, cashed."""


def _boxes_as_columns(book: CustodyRegister) -> BoxColumns:
    form, stream = _Numbers(), _Numbers()
    bare, dropped, counted, cashed = [], [], [], []
    for place, box in enumerate(book.boxes):
        bare.append(replace(box, dropped={}, counts={}, cash_ranges=()))
        for part, (ref, ranges, odd, at) in box.counts.items():
            bare[-1].counts[part] = ref, (), odd, at
            counted += [(place, part, form(one[:2]), one.first, one.last) for one in ranges]
        dropped += [
            (place, form(serial[:2]), serial.number, stream(ref.stream), ref.seq)
            for serial, ref in box.dropped.items()
        ]
        cashed += [(place, form(one[:2]), one.first, one.last) for one in box.cash_ranges]
    places = {id(box): place for place, box in enumerate(book.boxes)}
    hanging = {table: places[id(box)] for table, box in book.hanging.items()}
    columns = _packed(dropped, DROPPED), _packed(counted, COUNTED), _packed(cashed, CASHED)
    days = {box.day for box in book.boxes}
    return [*map(_written, bare)], hanging, days, form.known(), stream.known(), *columns


class _KeptBoxes:
    """The boxes of a kept book, read when they are asked for.

    Args:
        stored: the part of the boxes.
    """

    def __init__(self, stored: bytes) -> None:
        self._stored = stored

    def __call__(self) -> tuple[list[Box], dict[str, Box]]:
        """Return all boxes, and by table the one that hangs there."""
        columns: BoxColumns = _read(self._stored)
        boxes = _some_boxes(columns, range(len(columns[0])))
        return [*boxes.values()], {table: boxes[place] for table, place in columns[1].items()}

    def days(self) -> set[date]:
        """Return the gaming days of all boxes; no box is read."""
        days: set[date] = _read(self._stored)[2]
        return days

    def with_coupon(self, serial: Serial) -> list[Box]:
        """Return the boxes into which a coupon was put; no other box is read."""
        columns: BoxColumns = _read(self._stored)
        _, _, _, forms, _, dropped, _, _ = columns
        places = {
            box
            for box, form, number, *_ in _rows(dropped, DROPPED)
            if number == serial.number and tuple(forms[form]) == serial[:2]
        }
        return [*_some_boxes(columns, sorted(places)).values()]


def _some_boxes(columns: BoxColumns, places: Sequence[int]) -> dict[int, Box]:
    """By place, some of the boxes with their coupons."""
    bare, _, _, forms, streams, dropped, counted, cashed = columns
    boxes: dict[int, Box] = {place: _read(bare[place]) for place in places}
    for box, form, number, stream, seq in _rows(dropped, DROPPED):
        if box in boxes:
            boxes[box].dropped[Serial(*forms[form], number)] = FactRef(streams[stream], seq)
    ranges: dict[tuple[int, ...], list[SerialRange]] = {}
    for *there, form, first, last in [*_rows(counted, COUNTED), *_rows(cashed, CASHED)]:
        if there[0] in boxes:
            ranges.setdefault(tuple(there), []).append(SerialRange(*forms[form], first, last))
    for (box, *part), counted_there in ranges.items():
        if not part:
            boxes[box].cash_ranges = tuple(counted_there)
            continue
        ref, _, odd, at = boxes[box].counts[part[0]]
        boxes[box].counts[part[0]] = ref, tuple(counted_there), odd, at
    return boxes
