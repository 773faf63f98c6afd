"""Coupons with the wagers of a round: what is recorded of them, and whether they count.

``CouponDesk`` looks up the state of a coupon at the moment at which it was laid. A coupon stays
with its wager, also from round to round if the wager stands. Law: §§ 525.21(c)(4), 525.22; §
603a.21(d). Readings: unusable-coupon, which-of-two, coupon-and-limits, coupon-limit-edition,
coupon-expiry-moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from datetime import date
from typing import Final, NamedTuple

from ledger import events
from ledger.coupons import CouponLookup, CouponState
from ledger.games import match_play as law
from ledger.games.match_play import BY_NAME, Accompanied, Coupon, Laid
from ledger.games.room import Breach, Rules
from ledger.house import Office, TableHouse
from ledger.kernel import Certainty, FactRef, Instant, ref_of, seconds
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds.placed import CouponFact, Moment, PlacedCoupon, PlacedWager, WagerFact
from ledger.rounds.result import Outcome
from ledger.rounds.round import Round
from ledger.rounds.settle import due
from ledger.rounds.wager_book import late_duty, takes_part

STAKES: Final = frozenset(
    {
        events.WagerPlaced,
        events.WagerIncreased,
        events.WagerMoved,
        events.WagerTakenDown,
        events.WagerReturned,
    }
)
"""The facts after which the stake is compared with the limits again."""


class LaidCoupon(NamedTuple):
    """A coupon that lies with a wager: as recorded, as it may be used, and what is against it."""

    wager: PlacedWager
    placed: PlacedCoupon
    coupon: Coupon
    laid: Laid


@dataclass(slots=True)
class CouponDesk:
    """The coupons of one table's rounds.

    Args:
        table: the table.
        office: what is in force there.
        lookup: tells a coupon's state; None where nothing is known of any coupon.
        loose: the day's coupons of settled wagers that went into no box, by serial number: the
            wager's id, when it was settled (microseconds UTC), whether it won, and the fact that
            settled it.
        strange: serial numbers already reported at a table whose game no room judges.
    """

    table: str
    office: Office = field(compare=False)
    lookup: CouponLookup | None = field(default=None, compare=False)
    loose: dict[str, tuple[str, Instant, bool, FactRef]] = field(default_factory=dict)
    strange: set[str] = field(default_factory=set)

    def day_ends(self) -> None:
        """Forget what an earlier gaming day left: the next day does not look for it."""
        self.loose.clear()
        self.strange.clear()

    # --- following the round ----------------------------------------------------------------------

    def follow(self, house: TableHouse, round_: Round, fact: WagerFact, at: int, day: date) -> None:
        """Follow a fact of a wager: coupons may come with it, or its stake beside them may change.

        Args:
            house: what holds at the table.
            round_: the round of the wager.
            fact: what came.
            at: the moment at which the fact was merged, microseconds UTC.
            day: its gaming day.
        """
        wager = round_.book.wagers.get(fact.wager_id)
        if wager is None:
            return
        if wager.placed is fact:
            self._lay(round_, wager, wager.placed, at, day)
        if wager.coupons and type(fact) in STAKES:
            self.restake(house, round_, wager)

    def _lay(
        self, round_: Round, wager: PlacedWager, fact: events.WagerPlaced, at: int, day: date
    ) -> None:
        ref = ref_of(fact)
        round_.coupons = round_.coupons or bool(fact.coupons)
        wager.coupons = [
            PlacedCoupon(laid.serial, ref, at, day, round_.ref, fact.stake_cents)
            for laid in fact.coupons
        ]

    def take(
        self, house: TableHouse, round_: Round, fact: CouponFact, at: int, day: date, when: Moment
    ) -> Iterator[Breach]:
        """Follow one fact of a coupon in a round, and yield what it breaks.

        ``at`` is when it was merged (microseconds UTC), ``when`` where the round stood.
        """
        ref = ref_of(fact)
        wager, placed = self._find(round_, fact)
        if isinstance(fact, events.CouponAccepted | events.CouponRedeemed | events.CouponDropped):
            if not isinstance(fact, events.CouponAccepted):
                yield from law.by_whom(fact)
            yield from self._box(fact, ref)
        if (
            placed is None
            and fact.serial in self.loose
            and not isinstance(fact, events.CouponAccepted)
        ):
            if isinstance(fact, events.CouponRedeemed | events.CouponDropped) and (
                fact.box_table or fact.box
            ):
                yield self._late(fact, ref)
            return
        if wager is None:
            if fact.wager_id is not None:
                yield Breach(
                    duty=round_.rules.duty("fact_out_of_order"),
                    facts=(ref,),
                    observed=f"a {type(fact).__name__} of {fact.wager_id}",
                    expected="no such wager was placed in this round",
                    wager=fact.wager_id,
                )
            return
        if placed is None:
            if fact.serial is None:
                return
            placed = PlacedCoupon(fact.serial, ref, at, day, round_.ref, wager.stake_cents)
            wager.coupons = [*wager.coupons, placed]
            if not when.betting and isinstance(fact, events.CouponAccepted | events.CouponRefused):
                placed.late, placed.stands = True, _takes_part(round_.rules, when)
                if isinstance(fact, events.CouponAccepted):
                    yield _laid_late(round_, wager, fact, when)
        round_.coupons = True
        match fact:
            case events.CouponAccepted():
                placed.taken, placed.stake_cents = fact, wager.stake_cents
                if day != placed.day:
                    placed.day, placed.status = day, None
            case events.CouponRefused():
                placed.refused = fact
            case events.CouponGivenBack():
                placed.back = fact
            case events.CouponRedeemed() | events.CouponDropped():
                if isinstance(fact, events.CouponRedeemed):
                    placed.redeemed = fact
                    if fact.box_table is None and fact.box is None:
                        return
                if placed.drop is None:
                    placed.drop = fact
                    undecided = (
                        due(round_.rules, round_.resolution, wager).outcome is Outcome.STANDS
                    )
                    placed.early = undecided and not wager.settled
        if isinstance(fact, events.CouponAccepted | events.CouponRefused):
            yield from self._held_to_limits(house, round_, wager, placed)

    def knows(self, round_: Round, fact: CouponFact) -> bool:
        """Whether the coupon of a fact lies with a wager of a round."""
        return self._find(round_, fact)[1] is not None

    def _find(
        self, round_: Round, fact: CouponFact
    ) -> tuple[PlacedWager | None, PlacedCoupon | None]:
        """Return the wager that a fact is about and the coupon with it, each None if not there."""
        wagers = round_.book.wagers
        named = wagers.get(fact.wager_id) if fact.wager_id is not None else None
        among = [named] if named is not None else list(wagers.values())
        for wager in among if fact.wager_id is None or named is not None else ():
            for placed in wager.coupons:
                if fact.serial is not None and self._same(placed, fact.serial):
                    return wager, placed
        return named, None

    def _same(self, placed: PlacedCoupon, text: str) -> bool:
        """Whether a text is this coupon's serial number, in whichever form each is written."""
        if placed.serial == text:
            return True
        if self.lookup is None:
            return False
        serial, other = (
            self.lookup.status(text_form, placed.at, placed.day).serial
            for text_form in (placed.serial, text)
        )
        return serial is not None and serial == other

    def _box(self, fact: CouponFact, ref: FactRef) -> Iterator[Breach]:
        """Check that a coupon goes into the box attached to its own table: § 525.22(e)."""
        box = getattr(fact, "box_table", None)
        if box is not None and box != self.table:
            yield Breach(
                duty=BY_NAME["coupon_wrong_drop_box@525.22(e)#2"],
                facts=(ref,),
                observed=box,
                expected=self.table,
                wager=fact.wager_id,
            )

    def _late(self, fact: events.CouponRedeemed | events.CouponDropped, ref: FactRef) -> Breach:
        """Report a coupon that an earlier round left outside the box and that came into one."""
        wager, at, won, settled = self.loose.pop(fact.serial)
        return Breach(
            duty=BY_NAME[f"coupon_dropped_late@525.22(e)#{3 if won else 4}"],
            facts=(settled, ref),
            observed=seconds(fact.event_time - at),
            expected=fact.serial,
            wager=wager,
        )

    # --- does it count ----------------------------------------------------------------------------

    def coupon(self, placed: PlacedCoupon) -> Coupon:
        """Return a coupon as it was laid: value, printed terms, and its state at that time.

        What is not known of it is None.
        """
        if placed.status is None and self.lookup is not None:
            placed.status = self.lookup.status(placed.serial, placed.at, placed.day, placed.placed)
        status = placed.status
        series = status.series if status is not None else None
        shown = placed.taken.denomination_cents if placed.taken is not None else None
        if shown is None and placed.redeemed is not None:
            shown = placed.redeemed.denomination_cents
        known = status is not None and status.is_known and law.held_on(placed.day)
        return Coupon(
            serial=placed.serial,
            value_cents=series.denomination_cents if series is not None else shown,
            live=status.is_live if status is not None and known else None,
            state=SAID.get(status.state, status.state.value) if status is not None else "unknown",
            games=series.games if series is not None else None,
            wagers=series.wagers if series is not None else None,
            pays=series.pays if series is not None else None,
        )

    def lying(
        self, round_: Round, wagers: Iterable[PlacedWager] | None = None, *, in_full: bool = False
    ) -> list[LaidCoupon]:
        """Return the coupons with the round's wagers, in recorded order, and whether they count.

        A coupon that came with its wager from an earlier round competes with those of that round
        only.

        Args:
            round_: the round.
            wagers: its wagers, where not those of its book.
            in_full: count coupons of which it is in doubt whether they take part.
        """
        pairs = [
            (wager, placed)
            for wager in (round_.book.wagers.values() if wagers is None else wagers)
            for placed in wager.coupons
            if placed.refused is None and wager.gone is None
        ]
        pairs.sort(key=lambda pair: (pair[1].at, pair[1].placed.seq))
        laid_coupons: list[LaidCoupon] = []
        for wager, placed in pairs:
            coupon = self.coupon(placed)
            grounds = self.grounds(round_, wager, coupon)
            if placed.stands is False or (placed.stands is None and not in_full):
                grounds = (*grounds, LATE)
            laid = Laid(wager=wager.wager_id, patron=wager.patron, grounds=grounds)
            laid_coupons.append(
                LaidCoupon(wager, placed, coupon, self._once(laid, placed, laid_coupons))
            )
        for began in dict.fromkeys(one.placed.round for one in laid_coupons):
            those = [n for n, one in enumerate(laid_coupons) if one.placed.round == began]
            per_round = law.one_per_round(round_.day, round_.rules.reading("coupon-limit-edition"))
            beside = [laid_coupons[n].laid for n in those]
            for n, own in zip(those, law.only_one(beside, per_round=per_round), strict=True):
                laid_coupons[n] = laid_coupons[n]._replace(laid=own)
        return laid_coupons

    @staticmethod
    def _once(laid: Laid, placed: PlacedCoupon, earlier: list[LaidCoupon]) -> Laid:
        """Treat one serial number as one coupon: it adds nothing a second time (which-of-two).

        Law: §§ 525.21(m)(3), 525.22(b).
        """
        rivals = {
            law.counts(other.laid.grounds): other.wager.wager_id
            for other in reversed(earlier)
            if other.wager.wager_id != laid.wager
            and _serial(other.placed) == _serial(placed)
            and (other.placed.back is None or other.placed.back.event_time > placed.at)
        }
        for sure in (True, None):
            if sure in rivals:
                why = f"it lies with wager {rivals[sure]} already"
                ground = law.Ground(why=why, certain=sure is True)
                return replace(laid, grounds=(*laid.grounds, ground))
        return laid

    def grounds(self, round_: Round, wager: PlacedWager, coupon: Coupon) -> tuple[law.Ground, ...]:
        """Return what is against a coupon with a wager, apart from the coupons beside it."""
        game = round_.rules.room.game
        accompanied = Accompanied(
            game=game,
            wager=wager.wager,
            stake_cents=wager.stake_cents,
            instrument=wager.placed.instrument,
            banked=self.office.banked(game, self.table, wager.placed.event_time),
        )
        return tuple(law.grounds(coupon, accompanied))

    def restake(self, house: TableHouse, round_: Round, wager: PlacedWager) -> None:
        """Compare chips and coupons together with the limits (reading coupon-and-limits).

        ``wager.outside`` then holds what is broken.
        """
        if round_.rules.reading("coupon-and-limits") == "chips-only" or wager.gone is not None:
            return
        added, sure = 0, True
        for lying in self.lying(round_, in_full=True):
            counts = law.counts(lying.laid.grounds)
            if lying.wager is wager and counts is not False:
                added += lying.coupon.value_cents or 0
                sure = sure and counts is True and lying.placed.stands is True
        if not added:
            return
        chips = {b.duty.code: b for b in wager.outside}
        both = house.judge_stake(round_.rules, wager.wager, wager.stake_cents + added)
        limits = [breach for breach in both if breach.duty.code in LIMITS]
        if not sure:
            known = {breach.duty.code for breach in limits} & chips.keys()
            either = {**chips, **{breach.duty.code: breach for breach in limits}}
            limits = [
                breach if code in known else replace(breach, certainty=Certainty.UNKNOWN)
                for code, breach in either.items()
                if code in LIMITS
            ]
        wager.outside = [b for code, b in chips.items() if code not in LIMITS] + limits

    def _held_to_limits(
        self, house: TableHouse, round_: Round, wager: PlacedWager, placed: PlacedCoupon
    ) -> Iterator[Breach]:
        """Compare a stake with the limits again after a coupon came to it or was refused."""
        known = {breach.duty.code for breach in wager.outside}
        if not wager.accepted:
            wager.outside = house.judge_stake(round_.rules, wager.wager, wager.stake_cents)
        self.restake(house, round_, wager)
        for breach in wager.outside if wager.accepted else ():
            if breach.duty.code not in known:
                refs = (wager.ref, placed.placed)
                yield replace(breach, facts=refs, wager=wager.wager_id)


def _takes_part(rules: Rules, when: Moment) -> bool | None:
    """Whether a coupon that was laid late takes part; None: that is in doubt."""
    return rules.reading("late-coupon") != "adds-nothing" and takes_part(rules, when)


def _laid_late(
    round_: Round, wager: PlacedWager, fact: events.CouponAccepted, when: Moment
) -> Breach:
    """Report a coupon laid too late: it is part of a wager to which nothing may be added.

    A coupon that is first named when it is redeemed lay with its wager: nothing says when it was
    laid.
    """
    return Breach(
        duty=BY_NAME["late_coupon@525.21(a)#3"],
        facts=(wager.ref, ref_of(fact)),
        observed=fact.serial,
        wager=wager.wager_id,
        certainty=Certainty.BROKEN if when.apart is None else Certainty.UNKNOWN,
        also=(late_duty(round_.rules, when).cite,),
    )


def _serial(placed: PlacedCoupon) -> object:
    """The serial number of a coupon, in whichever form it is written."""
    known = placed.status.serial if placed.status is not None else None
    return placed.serial if known is None else known


LATE: Final = law.Ground(why="it was laid after betting had closed")
LIMITS: Final = frozenset({"wager_over_limit", "wager_under_limit"})
SAID: Final = {
    CouponState.NO_SERIES: "of no series",
    CouponState.REDEEMED: "redeemed before",
    CouponState.NEVER_RECEIVED: "one that was never received",
    CouponState.NEVER_ISSUED: "one that was never issued",
    CouponState.NOT_DISTRIBUTED: "one that was given to no patron",
    CouponState.RETURNED: "one that went back to finance",
}
