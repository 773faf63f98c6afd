"""A table's day told from tables, beside the readable path and beside the naive way."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ledger.audit import rounds_in_bulk
from ledger.audit.coupons import with_coupons
from ledger.audit.ledger_contract import day_of
from ledger.audit.office import read_office
from ledger.audit.table import TableDay, audit_table
from ledger.floor import FIRST_DAY
from ledger.kernel import machine_code
from ledger.replay import Replay
from ledger.rounds.in_order import kept_tables
from ledger.rounds.in_order.runs import Stretch
from tests.benchmarks.in_turns import Compared, Work, forked, in_turns
from tests.benchmarks.ledgers import SEED, ledger_of
from tests.benchmarks.naive import Decoder, Reducer, framed_facts

NOTE = """
Works in turns, five runs of each, in processor time; the ratio is that of the rates within a turn. One simulated day of a table
of Sic Bo, of Dreamcatcher, of Props & Hops or of Three Dice Football, from an index that was read and bundles that were verified before, to findings, account and rulings; the same facts were in memory for
**the naive way** (fastavro, frozen dataclass, a look-up that settles Sic Bo and adds up others), which verifies nothing and knows no law. *Further*: tables
were made at another table that day; *again*: they were made at this one, too, and each process did its work once before, as the works beside it did: a
copy of a process pays for every page that it touches first. Machine code was kept before. Rounds that fall
back go to the readable engine, which the shares count.
"""
GAMES: dict[str, tuple[str, str]] = {
    "": ("SB-01", "SB-02"),
    "Dreamcatcher, ": ("DC-01", "DC-02"),
    "Props & Hops, ": ("PH-01", "PH-02"),
    "Three Dice Football, ": ("FB-01", "FB-02"),
}
"""By what goes before a label: the table at which tables are made first, and the one measured."""
WANTED: dict[tuple[str, str], str] = {
    (f"{label}, {game}{kind}", unit): wanted
    for game in GAMES
    for kind in ("without coupons", "with coupons")
    for label, unit, wanted in (
        ("from tables, again", "facts/s", "10 × naive"),
        ("rounds that fall back", "%", "under 0.5"),
    )
}
BASELINES: dict[str, str] = {}


def run() -> list[Compared | tuple[str, float, str]]:
    """Name, value and unit of each share, and the works measured in turns."""
    rows: list[Compared | tuple[str, float, str]] = []
    with TemporaryDirectory() as name:
        folder = Path(name) / "ledger"
        command = [sys.executable, "-m", "ledger", "floor", "simulate", "--seed", str(SEED)]
        subprocess.run(
            [*command, "--days", "1", "--ledger", str(folder)], check=True, capture_output=True
        )
        for game in GAMES:
            rows += measured(folder, game, "without coupons")
    for game in GAMES:
        rows += measured(ledger_of(0.1), game, "with coupons")
    return rows


def measured(folder: Path, game: str, coupons: str) -> Iterator[Compared | tuple[str, float, str]]:
    """The share that falls back, and the works."""
    (made_at, table), kind = GAMES[game], game + coupons
    replay = Replay.open(folder, from_entries=True, keeps=False)
    house = with_coupons(replay, read_office(replay))
    span = day_of(house.clock, FIRST_DAY)
    facts = [fact for fact in framed_facts(folder) if fact[6:].startswith(table.encode())]

    def judged(name: str = table, *, in_bulk: bool = True) -> TableDay:
        return audit_table(replay, house, name, span, in_bulk=in_bulk)

    def counted(*, in_bulk: bool = True) -> Callable[[], int]:
        def work() -> int:
            judged(in_bulk=in_bulk)
            return len(facts)

        return work

    def naive() -> int:
        decode, reducer = Decoder(), Reducer()
        for framed in facts:
            reducer.take(decode(framed))
        return reducer.facts

    machine_code.WORTH = 0  # type: ignore[misc]
    kept_tables._KEPT.clear()  # those of another ledger serve this one, too
    judged(made_at)
    with readable():
        judged(made_at)
    label = f"the naive way, {kind}"
    further = f"from tables, further, {kind}"
    works: dict[str, Work] = {further: forked(counted()), label: forked(naive)}
    baselines = {further: label}
    rows = in_turns(works, "facts/s", baselines)
    with told() as rounds:
        day = judged()
    assert day == judged(in_bulk=False)
    with readable():
        judged()
    yield (f"rounds that fall back, {kind}", 100 * (1 - sum(rounds) / day.rounds), "%")
    yield rows[0]
    again, without = f"from tables, again, {kind}", f"from tables, again, without [fast], {kind}"
    plain = f"the readable path, {kind}"
    works = {again: _once_before(counted()), without: _once_before(counted(), _switch_off)}
    works |= {plain: _once_before(counted(in_bulk=False)), label: _once_before(naive)}
    yield from in_turns(works, "facts/s", {again: label, without: label, plain: label})


def _once_before(work: Callable[[], int], first: Callable[[], None] = lambda: None) -> Work:
    """A work that is measured in a process that did it before."""

    def prepare() -> None:
        first()
        work()

    return forked(work, prepare)


def _switch_off() -> None:
    machine_code.is_available = lambda: False  # type: ignore[assignment]


@contextmanager
def readable() -> Iterator[None]:
    """Let nothing be compiled meanwhile."""
    available = machine_code.is_available
    _switch_off()
    yield
    machine_code.is_available = available


@contextmanager
def told() -> Iterator[list[int]]:
    """How many rounds each stretch told from tables has."""
    counts: list[int] = []
    in_order = rounds_in_bulk.RoundsInBulk.in_order

    def noted(bulk: rounds_in_bulk.RoundsInBulk) -> Stretch | None:
        stretch = in_order(bulk)
        counts.append(0 if stretch is None else len(stretch))
        return stretch

    rounds_in_bulk.RoundsInBulk.in_order = noted  # type: ignore[method-assign]
    yield counts
    rounds_in_bulk.RoundsInBulk.in_order = in_order  # type: ignore[method-assign]
