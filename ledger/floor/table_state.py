"""A table in play: its pens, its clock, who stands and sits there, what is in its rack."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from random import Random
from typing import Protocol

from ledger import events
from ledger.floor.asia_poker_payouts import Cards
from ledger.floor.patron_habits import Patron
from ledger.floor.stream_pens import LEAST_GAP, SECOND, Pen
from ledger.floor.tables import Limits, TableSpec
from ledger.kernel.quick_dataclass import dataclass


class Kind(StrEnum):
    """What a step of a table's day is."""

    OPENING = "opening"
    SEATS = "seats"
    ROUND = "round"
    RELIEF = "relief"
    NOTICE = "notice of a limits change"
    LIMITS = "limits change"
    DICE = "dice replaced"
    DECKS = "decks replaced"
    RACK = "fill or credit"
    CAMERA = "camera"
    CLOSING = "closing"
    COUNT = "count of a drop box"
    HOUSE = "house"


@dataclass(slots=True, kw_only=True)
class Step:
    """A few facts that belong together, in the order in which they happened.

    ``before`` holds the last number of each stream before the step. ``unseen_wagers`` counts
    wagers that were made but are not recorded at the table's capture level. ``earlier`` is the
    ordinal of the step that prepared this one. ``live`` says that a wager outlives its round.
    """

    kind: Kind
    table: str
    day: str
    facts: list[events.Fact]
    before: dict[str, int]
    limits: Limits | None = None
    unseen_wagers: int = 0
    earlier: int | None = None
    live: bool = False


@dataclass(slots=True)
class Dice:
    """A set of dice and when it was first put into a shaker."""

    serials: tuple[str, ...]
    placed_at: int


class CarriedRound(Protocol):
    """What a game carries from round to round of a day, and what it does at the day's edges."""

    @property
    def live(self) -> bool:
        """Whether a wager stands that outlives its round."""

    def staffed(self, table: Table) -> None:
        """The first dealer has come to the table."""

    def opened(self, table: Table) -> None:
        """The table has opened."""

    def leaving(self, table: Table, patron: Patron) -> None:
        """A patron is about to leave the table."""

    def closing(self, table: Table) -> None:
        """The last round of the day is over."""

    def closed(self, table: Table) -> None:
        """The table has closed."""


@dataclass(slots=True)
class Table:
    """All that outlives a step; what a day begins with stands in ``opening_and_closing``.

    ``uncounted`` is a box on its way to the count: its name, its gaming day, the cash in it.
    ``apart`` is by how many cents plants put the day's win by count above its win by rounds,
    ``apart_by`` which.
    """

    spec: TableSpec
    pens: dict[str, Pen]
    limits: Limits
    main: Pen
    sensor: Pen
    chips: Pen
    rng: Random = field(default_factory=lambda: Random(0))
    time: int = 0
    day: str = ""
    sheet: list[events.Fact] = field(default_factory=list)
    before: dict[str, int] = field(default_factory=dict)
    unseen: int = 0
    steps: int = 0
    dealer: str = ""
    floorperson: str = ""
    wheel_placed: bool = False
    inspected: bool = False
    dice: Dice | None = None
    dice_sets: int = 0
    cards: Cards = field(default_factory=Cards)
    sign: int = 0
    rack: int = 0
    skew: int = 0
    drop: int = 0
    uncounted: tuple[str, str, int] | None = None
    apart: int = 0
    apart_by: list[str] = field(default_factory=list)
    patrons: list[Patron] = field(default_factory=list)
    wager_count: int = 0
    round_count: int = 0
    slip_count: int = 0
    patron_count: int = 0
    carried: CarriedRound | None = None

    def wait(self, least: float, most: float) -> int:
        """Let seconds pass, never fewer than clocks can tell apart; say what time it is."""
        self.time += max(LEAST_GAP, int((least + (most - least) * self.rng.random()) * SECOND))
        return self.time

    def begin(self) -> None:
        """Take a clean sheet for the next step."""
        self.sheet = []
        self.before = {name: pen.seq for name, pen in self.pens.items()}
        self.unseen = 0

    def finish(self, kind: Kind, earlier: int | None = None) -> Step:
        """Hand over the sheet."""
        self.steps += 1
        return Step(
            kind=kind, table=self.spec.name, day=self.day, facts=self.sheet, before=self.before,
            limits=self.limits, unseen_wagers=self.unseen, earlier=earlier,
            live=self.carried is not None and self.carried.live,
        )  # fmt: skip


def new_table(spec: TableSpec) -> Table:
    """A table before its first day."""
    pens = [Pen(stream, source) for stream, source in spec.streams]
    return Table(
        spec=spec, pens={pen.stream: pen for pen in pens}, limits=spec.limits,
        main=pens[0], sensor=pens[1], chips=pens[2],
    )  # fmt: skip


def is_accounted(fact: events.Fact) -> bool:
    """Whether a table's win by count or by rounds lacks a fact that was never recorded."""
    return isinstance(fact, events.FillDelivered | events.CreditTaken | events.WagerSettled)


def rack_effect(facts: list[events.Fact]) -> int:
    """By how many cents facts change the chips in the rack."""
    effect = 0
    for fact in facts:
        match fact:
            case events.FillDelivered(chips_cents=cents):
                effect += cents
            case events.CreditTaken(chips_cents=cents) | events.CashChanged(chips_cents=cents):
                effect -= cents
            case events.WagerSettled(winnings_cents=won, stake_taken_cents=taken):
                effect += taken - won
            case _:
                pass
    return effect
