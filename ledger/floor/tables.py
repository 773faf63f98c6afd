"""The tables of the floor: what stands where, with which limits, in which hours."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ledger.events import Capture, StartMethod
from ledger.floor import (
    asia_poker_payouts,
    dreamcatcher_payouts,
    props_and_hops_payouts,
    sic_bo_payouts,
    three_dice_football_payouts,
)
from ledger.kernel.quick_dataclass import dataclass

_COLOURS: Final = {
    sic_bo_payouts.NAME: ("red", "white", "blue"),
    three_dice_football_payouts.NAME: three_dice_football_payouts.DICE_COLOURS,
    props_and_hops_payouts.NAME: props_and_hops_payouts.DICE_COLOURS,
    asia_poker_payouts.NAME: ("red", "white", "blue"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What may be staked on a wager, in cents; one wager has a maximum of its own."""

    minimum: int
    maximum: int
    long_wager: str
    long_maximum: int

    def highest(self, wager: str) -> int:
        """The maximum of a wager."""
        return self.long_maximum if wager == self.long_wager else self.maximum


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsChange:
    """A change of the limits in the course of a day.

    ``at`` is the part of the opening hours that has passed; ``empty`` is a change at once, right
    after the opening, while nobody plays.
    """

    at: float
    minimum: int
    maximum: int
    empty: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSpec:
    """One table as the property set it up; amounts in cents, hours in local time."""

    name: str
    game: str
    capture: Capture
    opens_minutes: int
    open_minutes: int
    seats: int
    limits: Limits
    increment: int | None
    changes: tuple[LimitsChange, ...]
    automated: bool = False
    payout_limit: int | None = None
    like: str = ""
    """The table of the usual floor that it is a further copy of; empty for that table itself."""

    @property
    def layout(self) -> str:
        """Id of its layout."""
        return f"LY-{self.name}"

    @property
    def submission(self) -> str:
        """Id of the Rules Submission that is filed for it."""
        return f"RS-{self.name}"

    @property
    def shaker(self) -> str:
        """Id of its shaker."""
        return f"SH-{self.name}"

    @property
    def device(self) -> str:
        """Id of its electrical device."""
        return f"ED-{self.name}"

    @property
    def is_dice(self) -> bool:
        """Whether Sic Bo is played here."""
        return self.game == sic_bo_payouts.NAME

    @property
    def is_wheel(self) -> bool:
        """Whether Dreamcatcher is played here."""
        return self.game == dreamcatcher_payouts.NAME

    @property
    def is_cards(self) -> bool:
        """Whether Asia Poker is played here."""
        return self.game == asia_poker_payouts.NAME

    @property
    def offer(self) -> asia_poker_payouts.Offer:
        """How Asia Poker is offered here."""
        return asia_poker_payouts.OFFERS[self.like or self.name]

    @property
    def is_football(self) -> bool:
        """Whether Three Dice Football is played here."""
        return self.game == three_dice_football_payouts.NAME

    @property
    def is_props(self) -> bool:
        """Whether Props & Hops is played here."""
        return self.game == props_and_hops_payouts.NAME

    @property
    def dice_colours(self) -> tuple[str, ...]:
        """The colours of a set of its dice; empty where no dice are used."""
        if self.is_cards and not self.has_shaker:
            return ()
        return _COLOURS.get(self.game, ())

    @property
    def has_shaker(self) -> bool:
        """Whether dice are shaken here."""
        by_cards = self.is_cards and self.offer.starts is StartMethod.SHAKER
        return self.is_dice or self.is_props or by_cards

    @property
    def first_seat(self) -> int:
        """The number of the first player's place: at cards the dealer's is number one."""
        return 2 if self.is_cards else 1

    @property
    def sees_wagers(self) -> bool:
        """Whether wagers and settlements are recorded."""
        return self.capture is Capture.FULL

    @property
    def signs(self) -> tuple[str, ...]:
        """Ids of its signs: limits, their spare, the long wager's, and notice of a change."""
        return tuple(f"LS-{self.name}-{letter}" for letter in ("A", "B", "L", "N"))

    @property
    def streams(self) -> tuple[tuple[str, str], ...]:
        """Its streams, each with the terminal that writes it: dealer, sensor, chips."""
        sensor = "wheel" if self.is_wheel else "cards" if self.is_cards else "dice"
        return (
            (self.name, f"T-{self.name}"),
            (f"{self.name}/{sensor}", f"S-{self.name}"),
            (f"{self.name}/chips", f"C-{self.name}"),
        )


TABLES: Final = (
    TableSpec(
        name="SB-01", game=sic_bo_payouts.NAME, capture=Capture.FULL, opens_minutes=10 * 60, open_minutes=17 * 60, seats=8,
        limits=Limits(minimum=1_000, maximum=50_000, long_wager=sic_bo_payouts.THREE, long_maximum=10_000), increment=500,
        changes=(LimitsChange(at=0.55, minimum=2_500, maximum=100_000), LimitsChange(at=0.85, minimum=1_000, maximum=50_000)),
    ),
    TableSpec(
        name="SB-02", game=sic_bo_payouts.NAME, capture=Capture.FULL, opens_minutes=12 * 60, open_minutes=16 * 60, seats=7,
        limits=Limits(minimum=500, maximum=30_000, long_wager=sic_bo_payouts.THREE, long_maximum=5_000), increment=500,
        changes=(LimitsChange(at=0.0, minimum=1_000, maximum=30_000, empty=True), LimitsChange(at=0.6, minimum=1_000, maximum=40_000)),
        automated=True,
    ),
    TableSpec(
        name="SB-03", game=sic_bo_payouts.NAME, capture=Capture.OUTCOME, opens_minutes=14 * 60, open_minutes=13 * 60, seats=7,
        limits=Limits(minimum=1_000, maximum=50_000, long_wager=sic_bo_payouts.THREE, long_maximum=10_000), increment=500,
        changes=(),
    ),
    TableSpec(
        name="DC-01", game=dreamcatcher_payouts.NAME, capture=Capture.FULL, opens_minutes=9 * 60, open_minutes=17 * 60, seats=7,
        limits=Limits(minimum=500, maximum=30_000, long_wager="40", long_maximum=10_000), increment=None,
        changes=(LimitsChange(at=0.5, minimum=1_000, maximum=30_000),),
    ),
    TableSpec(
        name="DC-02", game=dreamcatcher_payouts.NAME, capture=Capture.FULL, opens_minutes=16 * 60, open_minutes=12 * 60, seats=7,
        limits=Limits(minimum=1_000, maximum=50_000, long_wager="40", long_maximum=10_000), increment=None,
        changes=(LimitsChange(at=0.4, minimum=2_500, maximum=50_000), LimitsChange(at=0.8, minimum=1_000, maximum=50_000)),
        payout_limit=2_500_000,
    ),
    TableSpec(
        name="AP-01", game=asia_poker_payouts.NAME, capture=Capture.FULL, opens_minutes=11 * 60, open_minutes=16 * 60, seats=6,
        limits=Limits(minimum=1_000, maximum=50_000, long_wager=asia_poker_payouts.BONUS, long_maximum=10_000), increment=500,
        changes=(LimitsChange(at=0.5, minimum=2_500, maximum=50_000), LimitsChange(at=0.8, minimum=1_000, maximum=50_000)),
    ),
    TableSpec(
        name="AP-02", game=asia_poker_payouts.NAME, capture=Capture.FULL, opens_minutes=17 * 60, open_minutes=11 * 60, seats=6,
        limits=Limits(minimum=1_500, maximum=100_000, long_wager=asia_poker_payouts.BONUS, long_maximum=10_000), increment=500,
        changes=(LimitsChange(at=0.45, minimum=2_000, maximum=100_000),),
    ),
    TableSpec(
        name="FB-01", game=three_dice_football_payouts.NAME, capture=Capture.FULL, opens_minutes=12 * 60, open_minutes=9 * 60, seats=9,
        limits=Limits(minimum=500, maximum=20_000, long_wager=three_dice_football_payouts.TURNOVER, long_maximum=5_000), increment=500,
        changes=(LimitsChange(at=0.5, minimum=1_000, maximum=20_000),),
    ),
    TableSpec(
        name="FB-02", game=three_dice_football_payouts.NAME, capture=Capture.FULL, opens_minutes=17 * 60, open_minutes=8 * 60, seats=8,
        limits=Limits(minimum=1_000, maximum=30_000, long_wager=three_dice_football_payouts.TURNOVER, long_maximum=5_000), increment=500,
        changes=(),
    ),
    TableSpec(
        name="PH-01", game=props_and_hops_payouts.NAME, capture=Capture.FULL, opens_minutes=11 * 60, open_minutes=10 * 60, seats=6,
        limits=Limits(minimum=500, maximum=20_000, long_wager=props_and_hops_payouts.SHAKE, long_maximum=5_000), increment=500,
        changes=(LimitsChange(at=0.6, minimum=1_000, maximum=25_000),),
    ),
    TableSpec(
        name="PH-02", game=props_and_hops_payouts.NAME, capture=Capture.FULL, opens_minutes=15 * 60, open_minutes=9 * 60, seats=6,
        limits=Limits(minimum=1_000, maximum=30_000, long_wager=props_and_hops_payouts.SHAKE, long_maximum=5_000), increment=500,
        changes=(),
    ),
)  # fmt: skip
"""In the order in which a day is generated."""

TABLE_NAMES: Final = tuple(spec.name for spec in TABLES)


GAMES: Final = tuple(dict.fromkeys(spec.game for spec in TABLES))
"""The games that are played on the floor."""


def tables_of(floors: int) -> tuple[TableSpec, ...]:
    """The usual tables, so many times over: SB-11 is set up like SB-01, and plays its own day."""
    further = tuple(
        replace(spec, name=f"{spec.name[:3]}{copy}{spec.name[4:]}", like=spec.name)
        for copy in range(1, floors)
        for spec in TABLES
    )
    return (*TABLES, *further)
