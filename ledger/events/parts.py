"""Parts that several facts share: one frozen dataclass per nested record of the schemas."""

from __future__ import annotations

from ledger.events.enums import LimitScope, Rest, Rounding, ThrowRest, Touched
from ledger.events.fact_declaration import declared


@declared
class Seen:
    """One thing that an inspection saw."""

    name: str
    value: str | None


@declared
class DieIdentity:
    """One die of a set."""

    serial: str
    colour: str | None


@declared
class Die:
    """One die at rest."""

    serial: str | None
    colour: str | None
    face: int | None
    rest: Rest


@declared
class SectionOdds:
    """Odds printed on the sections of one number."""

    section: str
    odds: str


@declared
class CouponLaid:
    """A coupon that lies with a wager."""

    serial: str
    chips_cents: int


@declared
class FiledOdds:
    """One row of a filed paytable."""

    wager: str
    on: str | None
    odds: str


@declared
class Breakage:
    """The filed rule for fractions."""

    rule: Rounding
    unit_cents: int


@declared
class PayoutLimit:
    """A filed limit on what one round pays."""

    limit_cents: int
    scope: LimitScope


@declared
class ReadingChosen:
    """Another answer that the property filed for an open question."""

    reading: str
    choice: str


@declared
class DenominationCount:
    """Pieces of one denomination."""

    denomination_cents: int
    pieces: int


@declared
class StreamEnd:
    """The last fact of a stream on a day."""

    stream: str
    last_seq: int


@declared
class ThrownDie:
    """One die thrown by hand, at rest."""

    serial: str | None
    colour: str | None
    face: int | None
    rest: ThrowRest
    resting_side: int | None
    leans_on: str | None
    touched: tuple[Touched, ...] | None


@declared
class Stack:
    """The cards dealt to one position."""

    position: str
    cards: tuple[str, ...] | None
    count: int | None


@declared
class HopGroup:
    """The combinations of one hop wager as filed."""

    wager: str
    combinations: tuple[str, ...]


@declared
class HouseWayStep:
    """One step of the filed way of setting the dealer's hands."""

    holding: str | None
    prefer: tuple[str, ...]


@declared
class RequestedOdds:
    """What a request states of one wager."""

    wager: str
    on: str | None
    true_odds: str | None
    payout_odds: str | None
    house_advantage: str | None


@declared
class ColumnTotal:
    """The control total of one column of a file."""

    column: str
    total: int


@declared
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


@declared
class ObservedDie:
    """One die as a recording shows it."""

    colour: str | None
    face: int | None


@declared
class ObservedThrow:
    """One throw as a recording shows it."""

    dice: tuple[ObservedDie, ...]


@declared
class ObservedSpin:
    """One spin of a wheel as a recording shows it."""

    symbol: str | None
    revolutions_thousandths: int | None


@declared
class ObservedHand:
    """The cards of one position as a recording shows them."""

    position: str
    high: tuple[str, ...] | None
    medium: tuple[str, ...] | None
    low: tuple[str, ...] | None


@declared
class ObservedWager:
    """One wager as a recording shows it."""

    wager_id: str | None
    position: str | None
    wager: str
    picks: tuple[int, ...]
    stake_cents: int | None
    paid_cents: int | None
    collected_cents: int | None
