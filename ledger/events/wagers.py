"""Facts of wagers and of the rounds of play to which they belong.

One frozen dataclass per schema under ``schemas/wagers``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.enums import Instrument, Role, SettledAs
from ledger.events.fact_declaration import Header, declared
from ledger.events.parts import CouponLaid


@declared
class BettingOpened(Header):
    """A round of play began: wagers may be placed."""


@declared
class NoMoreBetsAnnounced(Header):
    """'No more bets' was announced."""

    announced_by: str | None
    role: Role | None


@declared
class WagerPlaced(Header):
    """A wager was placed."""

    wager_id: str
    position: str | None
    patron: str | None
    wager: str
    picks: tuple[int, ...]
    stake_cents: int
    instrument: Instrument | None
    coupons: tuple[CouponLaid, ...]


@declared
class WagerIncreased(Header):
    """More was staked on a standing wager."""

    wager_id: str
    added_cents: int
    instrument: Instrument | None


@declared
class WagerMoved(Header):
    """A standing wager was moved to another area."""

    wager_id: str
    wager: str
    picks: tuple[int, ...]


@declared
class WagerRefused(Header):
    """A wager was refused."""

    wager_id: str | None
    patron: str | None
    reason: str | None


@declared
class WagerTakenDown(Header):
    """A wager, or part of it, was lifted."""

    wager_id: str
    taken_cents: int | None


@declared
class TakeDownRefused(Header):
    """A patron's wish to lift a wager was refused."""

    wager_id: str
    reason: str | None


@declared
class WagerReturned(Header):
    """The dealer handed a wager back undecided."""

    wager_id: str
    returned_cents: int | None
    reason: str | None


@declared
class WagerSettled(Header):
    """The house settled a wager."""

    wager_id: str
    outcome: SettledAs
    winnings_cents: int
    stake_taken_cents: int
