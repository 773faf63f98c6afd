"""The kinds of planted irregularities: where each can stand, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from ledger.events import (
    BettingOpened,
    DeviceFailed,
    DiceShaken,
    Fact,
    SettledAs,
    SupervisorPresent,
    TableOpened,
    WagerSettled,
)
from ledger.events import AreasLit, DiceThrown, LightsCleared, NoMoreBetsAnnounced, RollCalled
from ledger.events import ShakerCovered, ShakerUncovered, SpinCalled, ValuesEntered, WagerPlaced
from ledger.events import WheelSpun
from ledger.floor import plant_house, plant_money, plant_play, plant_table
from ledger.floor.draft import Draft
from ledger.floor.plant_house import Lasting
from ledger.floor.state import Kind
from ledger.floor.tables import TABLES, TableSpec

Edit = Callable[[Draft, TableSpec, Random], None]
Fits = Callable[[Draft], bool]
Where = Callable[[TableSpec], bool]

_PLAIN: Final = (
    AreasLit, BettingOpened, DiceShaken, DiceThrown, LightsCleared, NoMoreBetsAnnounced, RollCalled,
    ShakerCovered, ShakerUncovered, SpinCalled, ValuesEntered, WagerPlaced, WagerSettled, WheelSpun,
)  # fmt: skip


def plain(draft: Draft) -> bool:
    """A round without any irregularity."""
    return all(isinstance(fact, _PLAIN) for fact in draft.facts)


def _ordinary(draft: Draft) -> bool:
    return plain(draft) and not plant_money.multiplied(draft)


def _has_loser(draft: Draft) -> bool:
    return plain(draft) and bool(plant_money.losers(draft))


def _has_winner(draft: Draft) -> bool:
    return plain(draft) and bool(plant_money.plain_winners(draft))


def _has_both(draft: Draft) -> bool:
    return _has_loser(draft) and bool(draft.settled(SettledAs.WON))


def _has_wagers(draft: Draft) -> bool:
    return plain(draft) and any(isinstance(fact, WagerSettled) for fact in draft.facts)


def _has_two_wagers(draft: Draft) -> bool:
    return plain(draft) and sum(isinstance(fact, WagerPlaced) for fact in draft.facts) > 1


def _lasting_only(draft: Draft, spec: TableSpec, rng: Random) -> None:
    raise AssertionError("a plant of the house changes no step by itself")


def _always(draft: Draft) -> bool:  # noqa: ARG001
    return True


# fmt: off
FULL: Final[Where] = lambda spec: spec.sees_wagers                               # noqa: E731
FULL_DICE: Final[Where] = lambda spec: spec.sees_wagers and spec.is_dice         # noqa: E731
FULL_WHEEL: Final[Where] = lambda spec: spec.sees_wagers and not spec.is_dice    # noqa: E731
DICE: Final[Where] = lambda spec: spec.is_dice                                   # noqa: E731
MANUAL: Final[Where] = lambda spec: spec.is_dice and not spec.automated          # noqa: E731
CHANGING: Final[Where] = lambda spec: any(not c.empty for c in spec.changes)     # noqa: E731
ANY: Final[Where] = lambda spec: True                                            # noqa: ARG005, E731
# fmt: on
