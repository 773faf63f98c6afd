"""What a table's day takes over of rounds that were told from tables: rulings, stakes, counts.

It is what ``audit_table`` makes of a round's result, made without the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from json.encoder import encode_basestring
from types import ModuleType
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ledger.audit.digest import canonical, plain
from ledger.kernel import FactRef
from ledger.kernel.machine_code import twin
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay.byte_spans import ByteSpans, Numbers
from ledger.rounds.in_order import Stretch
from ledger.rounds.in_order.room_rows import Decision
from ledger.rounds.in_order.round_results import OUTCOMES, shown_by, status_of
from ledger.rounds.in_order.rounds_read import DECIDED, FIRST, LAID, LAST_WAGER, NAME, OWED, PLACED
from ledger.rounds.in_order.row_numbers import LOST, WON, RowNumbers
from ledger.rounds.in_order.wager_table import Laid, Owed

BEFORE_SHOWN: Final = '{"missing":false,"outcome":'
BEFORE_ROUND: Final = ',"round":'
BEFORE: Final = (BEFORE_SHOWN, BEFORE_ROUND)
NUMBER: Final = 32
"""At least so many bytes are needed beside what is known: a number, its signs, and a line end."""


class Pool:
    """A text for each number from 0 on, end to end, for as many as were asked for so far.

    Attributes:
        octets: the texts.
        starts: where each begins; the next one's start is where it ends.
    """

    __slots__ = ("octets", "starts")

    def __init__(self) -> None:
        self.octets: NDArray[np.uint8] = np.zeros(0, np.uint8)
        self.starts: Numbers = np.zeros(1, np.int64)

    def of(self, numbers: Numbers, text: Callable[[int], str]) -> tuple[Any, Numbers]:
        """Return texts and starts, with those of some numbers among them."""
        numbers_of_new = range(len(self.starts) - 1, int(numbers.max(initial=-1)) + 1)
        if numbers_of_new:
            texts = [text(number).encode() for number in numbers_of_new]
            self.octets = np.append(self.octets, np.frombuffer(b"".join(texts), np.uint8))
            ends = self.starts[-1] + np.cumsum([*map(len, texts)])
            self.starts = np.append(self.starts, ends)
        return self.octets, self.starts


class Words:
    """What was written already of the rows of a game, by their numbers.

    Attributes:
        acts: what wagers come to; ``act_pool``: with what stands around it.
        shown: outcomes; ``shown_pool``: the same; ``status_pool``: where a round stands.
    """

    __slots__ = ("__weakref__", "act_pool", "acts", "shown", "shown_pool", "status_pool")

    def __init__(self) -> None:
        self.acts: dict[int, str] = {}
        self.shown: dict[int, str] = {}
        self.act_pool, self.shown_pool, self.status_pool = Pool(), Pool(), Pool()


_WORDS: Final[WeakKeyDictionary[RowNumbers, Words]] = WeakKeyDictionary()


@dataclass(slots=True)
class StretchRulings:
    """Tells of a stretch what an audit keeps of it.

    Args:
        stretch: the rounds.
    """

    stretch: Stretch
    _words: Words = field(init=False)

    def __post_init__(self) -> None:
        self._words = _WORDS.setdefault(self.stretch.reading.tables.rows, Words())

    def opened(self) -> Iterator[tuple[int, str]]:
        """Yield when each round opened (microseconds UTC), and its id."""
        reading, first, last = self.stretch.reading, self.stretch.first, self.stretch.last
        columns, opens = reading.facts.columns, reading.rounds.rounds[FIRST, first:last]
        names = reading.facts.streams
        for at, rank, seq in zip(
            *(columns[name][opens].tolist() for name in ("at", "rank", "seq")), strict=True
        ):
            yield at, f"{names[rank]}:{seq}"

    def _wagers(self) -> Numbers:
        return self.stretch.reading.rounds.wagers_between(self.stretch.first, self.stretch.last)

    def wagers(self) -> int:
        """Return how many wagers were laid; one that outlives its round counts once."""
        of_rounds = self.stretch.reading.rounds.rounds[:, self.stretch.first : self.stretch.last]
        before = self.stretch.reading.rounds.before(self.stretch.first, LAST_WAGER)
        counts = np.diff(of_rounds[LAST_WAGER], prepend=before)
        return int((self._wagers()[PLACED] >= np.repeat(of_rounds[FIRST], counts)).sum())

    def stakes(self) -> Iterator[tuple[tuple[str, FactRef | None, str, tuple[int, ...]], int]]:
        """Yield by game, filing, wager and picks the stakes of wagers that were decided, in cents.

        They come in the order in which they were laid first; none was laid that was not decided.
        """
        rules = self.stretch.reading.tables.rules
        game, paytable = rules.room.game, rules.filed.fact if rules.filed is not None else None
        wagers, rows = self._wagers(), self.stretch.reading.tables.rows
        acts = rows.owed.beside.numbers[wagers[OWED], 0]
        laid_so = wagers[LAID][(acts == WON) | (acts == LOST)]  # others went, or went back
        numbers, firsts, counts = np.unique(laid_so, return_index=True, return_counts=True)
        order = np.argsort(firsts)
        for number, count in zip(numbers[order].tolist(), counts[order].tolist(), strict=True):
            laid: Laid = rows.laid.objects[number]
            yield (game, paytable, laid.wager, laid.picks), count * laid.stake_cents

    def rulings(self) -> Iterator[tuple[str, bytes]]:
        """Yield each round's stream and rulings with a line end, as ``digest.ruling`` states them.

        Rounds of one stream may come together.
        """
        fast = twin("ledger.audit.stretch_rulings_fast", len(self.stretch.reading.facts))
        for number in range(self.stretch.first, self.stretch.last) if fast is None else ():
            first = self.stretch.reading.rounds.get(number, FIRST)
            yield self.stretch.reading.ref(first).stream, self._ruling(number, first) + b"\n"
        if fast is not None:
            yield from self._by_machine(fast)

    def _ruling(self, number: int, first: int) -> bytes:
        reading = self.stretch.reading
        ranks, seqs = reading.facts.columns["rank"], reading.facts.columns["seq"]
        streams = [encode_basestring(name) for name in reading.facts.streams]
        wagers = []
        for name, _, row, _, owed, *_ in reading.rounds.wagers_of(number).T.tolist():
            text = encode_basestring(reading.columns.texts[name].decode())
            wagers.append(f"[{text},[{streams[ranks[row]]},{seqs[row]}],{self._act(owed)}]")
        decided = reading.rounds.get(number, DECIDED)
        opened = encode_basestring(str(reading.ref(first)))
        before = f"{BEFORE_SHOWN}{self._outcome(decided)}{BEFORE_ROUND}{opened}"
        before += self._status(decided)
        return f"{before}{','.join(wagers)}]}}".encode()

    def _act(self, number: int) -> str:
        """What a wager should come to, and what the house did, if anything: it is just that."""
        act = self._words.acts.get(number)
        if act is None:
            owed: Owed = self.stretch.reading.tables.rows.owed.objects[number]
            expected = owed.expected
            cents = expected.winnings_cents, expected.stake_taken_cents
            act = ",".join([f'"{expected.outcome.value}"', *map(_written, cents)])
            if owed.done is not None:
                outcome, winnings, taken = owed.done
                act += f',"{OUTCOMES[outcome].value}",{winnings},{taken}'
            self._words.acts[number] = act
        return act

    def _outcome(self, number: int) -> str:
        shown = self._words.shown.get(number)
        if shown is None:
            decided: Decision = self.stretch.reading.tables.rows.decisions.objects[number]
            shown = canonical(plain(shown_by(decided))).decode()
            self._words.shown[number] = shown
        return shown

    def _status(self, number: int) -> str:
        """Where a round stands, up to its wagers."""
        decided: Decision = self.stretch.reading.tables.rows.decisions.objects[number]
        return f',"status":"{status_of(decided).value}","wagers":['

    def _by_machine(self, fast: ModuleType) -> Iterator[tuple[str, bytes]]:
        """Yield the rulings of rounds of one stream in a row together."""
        reading, first, last = self.stretch.reading, self.stretch.first, self.stretch.last
        of_rounds = reading.rounds.rounds[:, first:last]
        wagers, names = self._wagers(), reading.facts.streams
        texts = reading.columns.texts
        assert isinstance(texts, ByteSpans)
        columns = reading.facts.columns
        owed, decided = wagers[OWED].copy(), of_rounds[DECIDED].copy()
        acts = self._words.act_pool.of(owed, lambda number: f"],{self._act(number)}]")
        shown = self._words.shown_pool.of(decided, self._outcome)
        statuses = self._words.status_pool.of(decided, self._status)
        streams = Pool().of(np.arange(len(names)), lambda rank: encode_basestring(names[rank]))
        lasts = of_rounds[LAST_WAGER] - reading.rounds.before(first, LAST_WAGER)
        opens, placed = of_rounds[FIRST], wagers[PLACED]
        size = (
            len(of_rounds[0]) * (len("".join(BEFORE)) + NUMBER)
            + sum(int(np.diff(pool[1])[numbers].sum()) for pool, numbers in (
                (acts, owed), (shown, decided), (statuses, decided),
                (streams, columns["rank"][opens]), (streams, columns["rank"][placed]),
            ))
            + int((texts.starts[wagers[NAME] + 1] - texts.starts[wagers[NAME]]).sum())
            + wagers.shape[1] * NUMBER
        )  # fmt: skip
        out, ends = np.empty(size, np.uint8), np.zeros(len(opens) + 1, np.int64)
        fast.rulings(
            columns["rank"][opens], columns["seq"][opens], decided, decided, lasts,
            wagers[NAME].copy(), columns["rank"][placed], columns["seq"][placed], owed,
            texts.pool, texts.starts, *acts, *shown, *statuses, *streams,
            *(np.frombuffer(part.encode(), np.uint8) for part in BEFORE), out, ends,
        )  # fmt: skip
        ranks = columns["rank"][opens]
        turns = np.flatnonzero(np.diff(ranks, prepend=-1, append=-1))
        for begin, end in zip(turns[:-1].tolist(), turns[1:].tolist(), strict=True):
            yield names[ranks[begin]], out[ends[begin] : ends[end]].tobytes()


def _written(cents: int | None) -> str:
    return "null" if cents is None else str(cents)
