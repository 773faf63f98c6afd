"""Facts of wagers and of the rounds of play they stand in.

One frozen dataclass per schema under ``schemas/wagers``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.enums import Instrument, Role, SettledAs
from ledger.events.parts import CouponLaid


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingOpened:
    """A round of play began: wagers may be placed."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoMoreBetsAnnounced:
    """'No more bets' was announced."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    announced_by: str | None
    role: Role | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerPlaced:
    """A wager was placed."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    wager_id: str
    position: str | None
    patron: str | None
    wager: str
    picks: tuple[int, ...]
    stake_cents: int
    instrument: Instrument | None
    coupons: tuple[CouponLaid, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerIncreased:
    """More was staked on a standing wager."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    wager_id: str
    added_cents: int
    instrument: Instrument | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerMoved:
    """A standing wager was moved to another area."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    wager_id: str
    wager: str
    picks: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerRefused:
    """A wager was refused."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    wager_id: str | None
    patron: str | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerTakenDown:
    """A wager, or part of it, was lifted."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    wager_id: str
    taken_cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeDownRefused:
    """A patron's wish to lift a wager was refused."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    wager_id: str
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerReturned:
    """The dealer handed a wager back undecided."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    wager_id: str
    returned_cents: int | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerSettled:
    """The house settled a wager."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    wager_id: str
    outcome: SettledAs
    winnings_cents: int
    stake_taken_cents: int
