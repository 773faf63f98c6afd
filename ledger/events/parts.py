"""Parts that several facts share: one frozen dataclass per nested record of the schemas."""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.enums import LimitScope, Rest, Rounding, ThrowRest, Touched


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One thing that an inspection saw."""

    name: str
    value: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DieIdentity:
    """One die of a set."""

    serial: str
    colour: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """One die at rest."""

    serial: str | None
    colour: str | None
    face: int | None
    rest: Rest


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionOdds:
    """Odds printed on the sections of one number."""

    section: str
    odds: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponLaid:
    """A coupon that lies with a wager."""

    serial: str
    chips_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledOdds:
    """One row of a filed paytable."""

    wager: str
    on: str | None
    odds: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakage:
    """The filed rule for fractions."""

    rule: Rounding
    unit_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PayoutLimit:
    """A filed limit on what one round pays."""

    limit_cents: int
    scope: LimitScope


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingChosen:
    """Another answer that the property filed for an open question."""

    reading: str
    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DenominationCount:
    """Pieces of one denomination."""

    denomination_cents: int
    pieces: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamEnd:
    """The last fact of a stream on a day."""

    stream: str
    last_seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrownDie:
    """One die thrown by hand, at rest."""

    serial: str | None
    colour: str | None
    face: int | None
    rest: ThrowRest
    resting_side: int | None
    leans_on: str | None
    touched: tuple[Touched, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """The cards dealt to one position."""

    position: str
    cards: tuple[str, ...] | None
    count: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HopGroup:
    """The combinations of one hop wager as filed."""

    wager: str
    combinations: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWayStep:
    """One step of the filed way of setting the dealer's hands."""

    holding: str | None
    prefer: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedOdds:
    """What a request states of one wager."""

    wager: str
    on: str | None
    true_odds: str | None
    payout_odds: str | None
    house_advantage: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnTotal:
    """The control total of one column of a file."""

    column: str
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionAbout:
    """An action as a person saw it: what it is about, and its evidence then."""

    action: str
    for_gaming_day: str
    code: str
    section: str
    table: str
    subject: str
    certain: bool
    first_stream: str | None
    first_seq: int | None
    first_time: int
    last_time: int
    findings: int
    overpaid_cents: int | None
    underpaid_cents: int | None
    evidence: bytes
    tree_size: int
    root: bytes
