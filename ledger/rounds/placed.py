"""A wager on the layout and its coupons: what wager book, coupon desk and settlement share.

Law: §§ 525.21(a), 539.4(c) through the rooms' rows. Readings: late-wager, late-raise, late-coupon,
coupon-expiry-moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, NamedTuple

from ledger import events
from ledger.coupons import CouponStatus
from ledger.games.room import Breach, Decided, Returned, Undecidable
from ledger.kernel import FactRef, Instant

WagerFact = (
    events.WagerPlaced
    | events.WagerIncreased
    | events.WagerMoved
    | events.WagerTakenDown
    | events.WagerReturned
    | events.WagerSettled
)
LayoutFact = (
    events.WagerPlaced
    | events.WagerIncreased
    | events.WagerMoved
    | events.WagerTakenDown
    | events.WagerReturned
)
"""The facts by which it lies or is lifted."""
WagerMade = events.WagerPlaced | events.WagerIncreased | events.WagerMoved
"""The facts by which a wager lies where it lies."""
WAGER_FACTS: Final = frozenset(
    {
        events.WagerPlaced,
        events.WagerIncreased,
        events.WagerMoved,
        events.WagerTakenDown,
        events.WagerReturned,
        events.WagerSettled,
    }
)


CouponFact = (
    events.CouponAccepted
    | events.CouponRefused
    | events.CouponGivenBack
    | events.CouponRedeemed
    | events.CouponDropped
)
COUPON_FACTS: Final = frozenset(
    {
        events.CouponAccepted,
        events.CouponRefused,
        events.CouponGivenBack,
        events.CouponRedeemed,
        events.CouponDropped,
    }
)


class Moment(NamedTuple):
    """Where a round stood when a fact of a wager came.

    ``void`` says that its last spin did not count and another is to come. ``apart`` is set where
    the clocks of two sources leave open if the fact came before or after betting closed: (its time
    after the closing, joint uncertainty), both in microseconds.
    ``late_row`` is the duty of a room whose wagers do not all close together; ``into`` says that a
    wager which could still be moved went to one that was closed; ``contested`` that the rules
    cannot tell if what this fact adds takes part; ``shown`` counts what was seen of the outcome.
    """

    betting: bool
    knowable: bool
    void: bool = False
    apart: tuple[int, int] | None = None
    late_row: str | None = None
    into: bool = False
    contested: bool = False
    shown: int = 0


class Raise(NamedTuple):
    """What a fact added to a wager when it might not.

    ``stands``: it takes part as the wager does; None: that is in doubt; False: it goes back.
    ``late`` says that betting had closed.
    """

    ref: FactRef
    added_cents: int
    stands: bool | None
    late: bool


@dataclass(slots=True)
class PlacedCoupon:
    """One coupon with one wager, and what is recorded of it.

    ``placed`` is the fact by which it is first known, ``round`` the round in which it was laid,
    ``day`` the gaming day on which the dealer accepted it, or it was laid if no fact says when
    (reading coupon-expiry-moment).
    ``stake_cents`` are the chips wagered when it was taken. ``early`` says that it went into a box
    while nothing had decided the wager. ``late`` says that betting had closed when it was laid on a
    wager; ``stands`` whether it takes part then, None: that is in doubt (reading late-coupon).
    """

    serial: str
    placed: FactRef
    at: Instant
    day: date
    round: FactRef
    stake_cents: int
    taken: events.CouponAccepted | None = None
    refused: events.CouponRefused | None = None
    back: events.CouponGivenBack | None = None
    redeemed: events.CouponRedeemed | None = None
    drop: events.CouponRedeemed | events.CouponDropped | None = None
    early: bool = False
    late: bool = False
    stands: bool | None = True
    judged: bool = False
    rows_reported: set[str] = field(default_factory=set)
    status: CouponStatus | None = None


@dataclass(slots=True)
class PlacedWager:
    """One wager, placed by the fact ``ref``.

    ``laid_late``: it was laid after betting had closed, when so much of the outcome had been shown.
    ``blind`` says that something of the outcome could be seen when it was made. ``gone`` is the one
    that took it from the round while betting was open; ``lifted`` one that took it, or part of it,
    too late: it is judged as if it had stood. ``decided`` is what decided it before the round did.
    ``contested`` says that the rules cannot tell how it fares; True: it is as the house settled it.
    ``lifted_cents`` is how much was lifted so, None where it was moved elsewhere. ``lifted_apart``
    is set where clocks leave open if it was too late, ``lifted_settled`` where the house had
    settled it before. ``stake_cents`` is what surely takes part: of ``raises`` those that stand.
    """

    wager_id: str
    placed: events.WagerPlaced
    ref: FactRef
    wager: str
    picks: tuple[int, ...]
    stake_cents: int
    late: bool = False
    laid_late: int | None = None
    blind: bool = False
    gone: FactRef | None = None
    lifted: FactRef | None = None
    lifted_cents: int | None = None
    lifted_blind: bool = False
    lifted_row: str | None = None
    lifted_apart: tuple[int, int] | None = None
    lifted_settled: bool = False
    gone_by: events.WagerTakenDown | events.WagerReturned | events.WagerSettled | None = None
    outside: list[Breach] = field(default_factory=list)
    accepted: bool = False
    decided: Decided | Returned | Undecidable | None = None
    contested: bool | None = None
    settled: list[events.WagerSettled | events.WagerReturned] = field(default_factory=list)
    coupons: Sequence[PlacedCoupon] = ()
    raises: tuple[Raise, ...] = ()

    @property
    def patron(self) -> str | None:
        """Opaque reference of the patron."""
        return self.placed.patron

    @property
    def in_doubt(self) -> tuple[Raise, ...]:
        """What was added of which it is not known whether it takes part."""
        return tuple(part for part in self.raises if part.stands is None)

    def in_full(self) -> PlacedWager:
        """The wager as if all of it that is in doubt took part."""
        added = sum(part.added_cents for part in self.in_doubt)
        return replace(self, stake_cents=self.stake_cents + added, blind=False, raises=())
