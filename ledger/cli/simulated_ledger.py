"""A simulated floor into a ledger: the same wish gives the same bytes."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import IO, Final

from ledger.cli.errors import FileUnwritable, LedgerHoldsFacts, OtherFacts
from ledger.cli.output import ProgressReport, emit
from ledger.codec import frame, key_of, to_text
from ledger.events import Fact, GamingDayClosed
from ledger.floor import COUPON_KINDS, FIRST_DAY, KINDS, Plant, Simulation, Size, TruthRow, size_for
from ledger.floor import simulate as simulate_floor
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import Accepted, Arrival, LedgerMissing, Signer, init, open_log, read_log
from ledger.log.keys import key_beside
from ledger.reports import Simulated

ORIGIN: Final = "simulated.example/floor"
PROPERTY: Final = "Simulated floor"
TRUTH: Final = "truth.json"
EVERY_KIND: Final = "all"
BATCH: Final = 8_192
"""How many facts become durable together; part of what makes the bytes the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be simulated."""

    seed: int
    first_day: date
    days: int
    plants: tuple[Plant, ...]
    coupons: bool = False
    events: int | None = None
    size: Size

    @classmethod
    def of(
        cls,
        *,
        seed: int,
        first_day: date | None,
        days: int,
        plants: Iterable[str],
        coupons: bool = False,
        events: int | None = None,
    ) -> Wish:
        """Read the words of a command line.

        Args:
            seed: chooses everything that is left to chance.
            first_day: None for the usual one.
            days: how many.
            plants: irregularities as a person writes them.
            coupons: whether Match Play Coupons are in use.
            events: about how many a day has; None for the usual floor.

        Raises:
            UsageError: a plant is none, or too many days or events are wanted.
        """
        every = [*KINDS]
        if coupons:
            every += [name for name, kind in COUPON_KINDS.items() if kind.days(days)]
        parsed = [
            plant
            for text in plants
            for plant in (map(Plant, every) if text == EVERY_KIND else [Plant.parse(text)])
        ]
        first_day = first_day or FIRST_DAY
        of_coupons = coupons or any(plant.kind in COUPON_KINDS for plant in parsed)
        return cls(
            seed=seed,
            first_day=first_day,
            days=days,
            plants=tuple(parsed),
            coupons=coupons,
            events=events,
            size=size_for(events, seed, first_day, coupons=of_coupons)
            if events is not None
            else Size(),
        )

    def draw(self) -> Simulation:
        """The simulation, from its beginning."""
        return simulate_floor(
            self.seed, self.first_day, self.days, self.plants, coupons=self.coupons,
            scale=self.size.scale, floors=self.size.floors,
        )  # fmt: skip


Ended = Callable[[str], None]
"""Told that a gaming day is closed and durable, by its name; nobody writes meanwhile."""


def simulate_into(
    folder: Path,
    wish: Wish,
    *,
    out: Path | None,
    go_on: bool,
    report: ProgressReport,
    rehearsed: bool = True,
    arriving: Callable[[Iterator[Fact]], Iterator[Fact]] = iter,
    ended: Ended | None = None,
) -> Simulated:
    """Simulate into a ledger, which is made if it is not there.

    Args:
        folder: the ledger.
        wish: what is to be simulated.
        out: where the facts go as JSON lines, too; ``-`` for standard output.
        go_on: the ledger holds an earlier part of this simulation.
        report: told how many facts are done.
        rehearsed: draw it once before anything is written, so that a wish that a later day cannot
            fulfil leaves no ledger; not needed where the folder is thrown away.
        arriving: in which other order the facts arrive.
        ended: told after each gaming day; None: the days become durable without a stop.

    Raises:
        LedgerHoldsFacts: it holds facts, and nobody said to go on.
        OtherFacts: what it holds is not of this simulation.
    """
    if rehearsed and wish.days > 1 and wish.plants:  # a later day may offer no place to a plant
        deque(wish.draw().facts, maxlen=0)
    simulation = wish.draw()
    first = next(simulation.facts)  # a wish that makes no sense is refused before a folder is made
    facts = arriving(chain([first], simulation.facts))
    present = _facts_present(folder)
    if present is None:
        _begin(folder, wish.seed, first.event_time)
    elif present and not go_on:
        raise LedgerHoldsFacts(folder)
    elif present:
        _check(present, wish.draw().facts)
    count = latest = added = size = 0
    root = b""
    with _lines(out) as lines:
        for day, part in _parts(facts, ended is not None):
            with open_log(folder) as log:
                before = log.size
                while group := list(islice(part, BATCH)):
                    latest = max(latest, *(fact.event_time for fact in group))
                    log.append([Arrival(frame(fact)) for fact in group], latest)
                    if out is not None:
                        lines("".join(f"{to_text(fact)}\n" for fact in group))
                    count += len(group)
                    report(count, 0)
                size, root, added = log.size, log.root, added + log.size - before
            if ended is not None and day:
                ended(day[0])
    truth = simulation.truth
    write_truth(folder, truth)
    return Simulated(
        folder=str(folder),
        seed=wish.seed,
        first_day=wish.first_day,
        days=wish.days,
        wanted=wish.events,
        facts=count,
        added=added,
        tree_size=size,
        root=root.hex(),
        truth=truth,
    )


def _parts(facts: Iterator[Fact], by_day: bool) -> Iterator[tuple[list[str], Iterator[Fact]]]:
    """The facts in one part, or cut after the closing of each gaming day, which is then named."""
    if not by_day:
        yield [], facts
        return
    for first in facts:
        closed: list[str] = []
        yield closed, _until_closed(chain([first], facts), closed)


def _until_closed(facts: Iterator[Fact], closed: list[str]) -> Iterator[Fact]:
    for fact in facts:
        yield fact
        if isinstance(fact, GamingDayClosed):
            closed.append(fact.gaming_day)
            return


def write_truth(folder: Path, truth: Iterable[TruthRow]) -> None:
    """Write down what was planted, beside the ledger."""
    rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in truth)
    path = folder / TRUTH
    try:
        path.write_text(f"[\n{rows}\n]\n" if rows else "[]\n", encoding="utf-8")
    except OSError as error:
        raise FileUnwritable(path, error) from error


def _begin(folder: Path, seed: int, record_time: int) -> None:
    """A ledger whose key follows from the seed: it proves nothing, and its name says so."""
    origin = f"{ORIGIN}-{seed}"
    signer = Signer(origin, sha256(f"pitledger {origin}".encode()).digest())
    init(
        folder,
        origin=origin,
        property=PROPERTY,
        record_time=record_time,
        key=key_beside(folder),
        signer=signer,
    )


def _facts_present(folder: Path) -> dict[tuple[str, int], bytes] | None:
    """The facts of a ledger by key, each as a short hash; None if there is no ledger."""
    try:
        log = read_log(folder)
    except LedgerMissing:
        return None
    present: dict[tuple[str, int], bytes] = {}
    for _, entry in log.entries():
        if isinstance(entry, Accepted):
            stream, seq, _ = key_of(entry.framed)
            present[stream, seq] = _short(entry.framed)
    return present


def _check(present: dict[tuple[str, int], bytes], facts: Iterator[Fact]) -> None:
    """Refuse a ledger with a fact that this simulation does not make."""
    waiting = dict(present)
    for fact in facts:
        mark = waiting.pop((fact.stream, fact.seq), None)
        if mark is not None and mark != _short(frame(fact)):
            raise OtherFacts(f"{fact.stream}:{fact.seq}")
        if not waiting:
            return
    stream, seq = next(iter(waiting))
    raise OtherFacts(f"{stream}:{seq}")


def _short(framed: bytes) -> bytes:
    return sha256(framed).digest()[:16]


Write = Callable[[str], object]


@contextmanager
def _lines(out: Path | None) -> Iterator[Write]:
    """Where the facts go as JSON lines."""
    if out is None:
        yield lambda _line: None
    elif str(out) == "-":
        yield emit
    else:
        try:
            file = open(out, "w", encoding="utf-8")  # noqa: SIM115 - closed below
        except OSError as error:
            raise FileUnwritable(out, error) from error
        with file:
            yield _writer(file, out)


def _writer(file: IO[str], out: Path) -> Write:
    def write(line: str) -> None:
        try:
            file.write(line)
        except OSError as error:
            raise FileUnwritable(out, error) from error

    return write
