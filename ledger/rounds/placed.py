"""A wager on the layout and its coupons: what wager book, coupon desk and settlement share.

Law: §§ 525.21(a), 539.4(c) through the rooms' rows. Readings: late-wager, late-raise, late-coupon,
coupon-expiry-moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from datetime import date
from typing import Final, NamedTuple, TypeGuard

from ledger import events
from ledger.coupons import CouponStatus
from ledger.games.room import Breach, Decided, Returned, Undecidable
from ledger.kernel import FactRef, Instant
from ledger.kernel.quick_dataclass import dataclass

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
"""The facts that put a wager on the layout or take it from there."""
WagerMade = events.WagerPlaced | events.WagerIncreased | events.WagerMoved
"""The facts that put a wager, or a part of it, where it lies."""
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


def is_of_wager(fact: events.Fact) -> TypeGuard[WagerFact]:
    """Whether a fact says what became of a wager."""
    return type(fact) in WAGER_FACTS


def is_of_coupon(fact: events.Fact) -> TypeGuard[CouponFact]:
    """Whether a fact says what became of a coupon at a table."""
    return type(fact) in COUPON_FACTS


class Moment(NamedTuple):
    """Where a round stood when a fact of a wager came.

    Args:
        betting: the wager might still be touched.
        knowable: something of the outcome could be seen.
        void: its last spin did not count and another is to come.
        apart: set where the clocks of two sources leave open whether the fact came before or after
            betting closed: (its time after the closing, joint uncertainty), both in microseconds.
        late_row: the duty that is broken, in a room whose wagers do not all close together.
        into: a wager that could still be moved went to one that was closed.
        contested: the rules cannot tell whether what this fact adds takes part.
        shown: how many throws, spins and hands of the round had been seen.
        goes_back: the round's wagers are returned: who takes chips down picks up what is due.
    """

    betting: bool
    knowable: bool
    void: bool = False
    apart: tuple[int, int] | None = None
    late_row: str | None = None
    into: bool = False
    contested: bool = False
    shown: int = 0
    goes_back: bool = False


class Raise(NamedTuple):
    """What a fact added to a wager when that was not clearly allowed.

    Args:
        ref: the fact.
        added_cents: what it added.
        stands: whether it takes part as the wager does; False: it goes back; None: that is in
            doubt.
        late: betting had closed.
    """

    ref: FactRef
    added_cents: int
    stands: bool | None
    late: bool


@dataclass(slots=True)
class PlacedCoupon:
    """One coupon with one wager, and what is recorded of it.

    Args:
        serial: the serial number as it was first written.
        placed: the fact by which it is first known.
        at: when that fact was merged, microseconds UTC.
        day: the gaming day on which the dealer accepted it, or on which it was laid if no fact says
            so (reading coupon-expiry-moment).
        round: the round in which it was laid.
        stake_cents: the chips wagered when it was accepted.
        taken, refused, back, redeemed, drop: the facts of its acceptance, refusal, return to the
            patron, redemption, and way into a box; None where there is none.
        early: it went into a box while nothing had decided the wager.
        late: betting had closed when it was laid.
        stands: whether it takes part; None: that is in doubt (reading late-coupon).
        judged: its use was judged.
        rows_reported: the duties that were reported as broken by its way into a box.
        status: its state when it was laid; None until it is asked for.
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
    """One wager of a round, as facts changed it.

    Args:
        wager_id: its id at the table.
        placed: the fact that placed it.
        ref: the key of that fact.
        wager: the wager's name, of where it lies.
        picks: the numbers picked, rising.
        stake_cents: what surely takes part, with those of ``raises`` that stand.
        late: it was laid, or moved to a wager that was closed, after betting had closed.
        laid_late: how much of the outcome had been seen when it was laid after betting had closed;
            None if it was laid in time.
        blind: something of the outcome could be seen at that moment.
        gone: the fact that took it from the round while betting was open, or refused it as late.
        lifted: the fact that took it, or part of it, too late: it is judged as if it had stood.
        lifted_cents: how much was lifted too late, or picked up once all wagers went back; None
            where it was moved elsewhere.
        lifted_blind: nothing of the outcome could be seen then.
        lifted_row: the duty that is broken, in a room whose wagers do not all close together.
        lifted_apart: set where clocks leave open whether it was too late; see ``Moment.apart``.
        lifted_settled: the house had settled it before.
        gone_by: the fact of ``gone`` itself.
        outside: what its stake breaks of the table's limits.
        accepted: it lay there when betting had closed, and ``outside`` was reported.
        decided: what decided it before the round was decided.
        contested: None unless the rules cannot tell how it fares; True: it counts as the house
            settled it; False: it is unknown.
        settled: what the house did with it, in order.
        coupons: the coupons with it.
        raises: what was added when that was not clearly allowed.
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
        """The opaque reference of the patron; None where it is not recorded."""
        return self.placed.patron

    @property
    def in_doubt(self) -> tuple[Raise, ...]:
        """The additions of which it is not known whether they take part."""
        return tuple(part for part in self.raises if part.stands is None)

    def in_full(self) -> PlacedWager:
        """Return the wager as if all of it that is in doubt took part."""
        added = sum(part.added_cents for part in self.in_doubt)
        return replace(self, stake_cents=self.stake_cents + added, blind=False, raises=())
