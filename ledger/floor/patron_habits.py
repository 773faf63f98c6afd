"""Patrons and their habits: what each stakes next, and when each has had enough."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from random import Random
from typing import Final

from ledger.floor import (
    asia_poker_payouts,
    dreamcatcher_payouts,
    props_and_hops_payouts,
    sic_bo_payouts,
    three_dice_football_payouts,
)
from ledger.floor.sic_bo_payouts import Area
from ledger.floor.tables import Limits, TableSpec
from ledger.kernel.quick_dataclass import dataclass

CHIP: Final = 500
"""The smallest chip, in cents: every stake is a multiple."""


class Habit(StrEnum):
    """How a patron plays."""

    FLAT = "flat"  # the same areas for the same stake, every round
    DOUBLING = "doubling"  # doubles after a loss, begins again after a win
    STOP_LOSS = "stop-loss"  # leaves when a fixed sum is lost
    NUMBER_FAN = "number fan"  # the lucky number, at long odds
    HIGH_ROLLER = "high roller"  # always the highest wager allowed
    GROUP = "group"  # friends who stake alike, come and go together
    SCATTER = "scatter"  # a little everywhere, each round elsewhere


_SHARES: Final = (
    (Habit.FLAT, 26),
    (Habit.DOUBLING, 14),
    (Habit.STOP_LOSS, 16),
    (Habit.NUMBER_FAN, 14),
    (Habit.HIGH_ROLLER, 10),
    (Habit.GROUP, 8),
    (Habit.SCATTER, 12),
)
_HABITS: Final = tuple(habit for habit, _ in _SHARES)
_WEIGHTS: Final = tuple(share for _, share in _SHARES)


@dataclass(frozen=True, slots=True)
class Menu:
    """The areas of a layout, by how often they win."""

    even: tuple[Area, ...]
    middle: tuple[Area, ...]
    long: tuple[Area, ...]


_MENUS: Final = {
    game.NAME: Menu(game.EVEN, game.MIDDLE, game.LONG)
    for game in (
        sic_bo_payouts,
        dreamcatcher_payouts,
        three_dice_football_payouts,
        props_and_hops_payouts,
        asia_poker_payouts,
    )
}


def menu_of(spec: TableSpec) -> Menu:
    """What can be staked on at a table."""
    return _MENUS[spec.game]


class Patron:
    """One patron at one table, for one visit; amounts in cents."""

    __slots__ = (
        "areas", "base", "bought", "chips", "habit", "position", "ref", "rounds_left", "stake", "stop",
    )  # fmt: skip

    def __init__(
        self, ref: str, habit: Habit, base: int, areas: Sequence[Area], rounds: int
    ) -> None:
        self.ref = ref
        self.habit = habit
        self.position = ""
        self.base = base
        self.stake = base
        self.areas = areas
        self.rounds_left = rounds
        self.chips = 0
        self.bought = 0
        self.stop = base * 12

    def learn(self, net: int) -> None:
        """Draw the habit's lesson from a round: what was won or lost, zero when handed back."""
        self.rounds_left -= 1
        if self.habit is Habit.DOUBLING and net:
            self.stake = self.stake * 2 if net < 0 else self.base

    def has_had_enough(self) -> bool:
        """Whether the patron gets up now."""
        if self.rounds_left <= 0:
            return True
        if self.habit is Habit.STOP_LOSS:
            return (
                self.bought - self.chips >= self.stop or self.chips - self.bought >= 2 * self.stop
            )
        return False

    def wagers(self, limits: Limits, menu: Menu, rng: Random) -> list[tuple[Area, int]]:
        """What is staked next: areas, each at most once, and cents within the limits."""
        habit = self.habit
        areas = self.areas
        if habit is Habit.DOUBLING:
            if self.stake > limits.maximum or self.stake > self.chips:
                self.stake = self.base  # beyond the limit or the purse: begins again
            wish = self.stake
        elif habit is Habit.HIGH_ROLLER:
            wish = limits.maximum
        else:
            wish = self.base
            if habit is Habit.SCATTER:
                areas = _some(menu.middle + menu.long, 2 + int(rng.random() * 2), rng)
            elif habit is Habit.STOP_LOSS:
                areas = _some(menu.even + menu.middle, 1 + int(rng.random() * 2), rng)
        chosen: list[tuple[Area, int]] = []
        purse = self.chips
        for area in areas:
            stake = min(max(wish, limits.minimum), limits.highest(area[0]))
            if stake <= purse:
                chosen.append((area, stake))
                purse -= stake
        return chosen


def _some(areas: tuple[Area, ...], count: int, rng: Random) -> list[Area]:
    """A few areas, none twice, at random."""
    chosen: list[Area] = []
    while len(chosen) < min(count, len(set(areas))):
        area = areas[int(rng.random() * len(areas))]
        if area not in chosen:
            chosen.append(area)
    return chosen


def arrive(rng: Random, spec: TableSpec, free_seats: int, serial: str) -> list[Patron]:
    """One patron, or a group of friends, who would like to play; none when there is no seat.

    Args:
        rng: the simulation's.
        spec: the table as it was planned.
        free_seats: how many there are.
        serial: what the names of the patrons end with.
    """
    habit = rng.choices(_HABITS, _WEIGHTS)[0]
    size = rng.randint(2, 3) if habit is Habit.GROUP else 1
    if size > free_seats:
        return []
    menu = menu_of(spec)
    base = spec.limits.minimum * rng.choice((1, 1, 2, 2, 4, 5))
    rounds = rng.randint(12, 90)
    areas = _favourites(habit, menu, rng)
    refs = (f"p-{serial}-{rng.getrandbits(32):08x}" for _ in range(size))
    return [Patron(ref, habit, base, areas, rounds) for ref in refs]


def _favourites(habit: Habit, menu: Menu, rng: Random) -> tuple[Area, ...]:
    match habit:
        case Habit.DOUBLING:
            return (rng.choice(menu.even),)
        case Habit.NUMBER_FAN:
            return tuple(_some(menu.long, 2, rng))
        case Habit.HIGH_ROLLER:
            return (
                rng.choice(menu.even),
                rng.choice([a for a in menu.middle if a not in menu.even]),
            )
        case _:
            return tuple(_some(menu.even + menu.middle, rng.randint(1, 2), rng))


def buy_in(patron: Patron, limits: Limits, rng: Random) -> int:
    """Cash laid down for chips, in cents: whole twenties, enough for a while."""
    unit = limits.maximum if patron.habit is Habit.HIGH_ROLLER else patron.base
    wish = max(unit, limits.minimum) * rng.randint(10, 30)
    return max(10_000, (wish + 9_999) // 10_000 * 10_000)
