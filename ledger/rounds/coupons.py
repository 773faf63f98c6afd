"""Coupons with the wagers of a round: what is recorded of them, and whether they count.

``Desk`` asks whoever knows the custody for a coupon's state at the moment at which it was laid. A
coupon stays with its wager, from round to round if the wager stands.
Law: §§ 525.21(c)(4), 525.22; § 603a.21(d). Readings: unusable-coupon, which-of-two,
coupon-and-limits, coupon-limit-edition, coupon-expiry-moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, NamedTuple

from ledger.coupons import CouponLookup, CouponState
from ledger.events import (
    CouponAccepted,
    CouponDropped,
    CouponGivenBack,
    CouponRedeemed,
    CouponRefused,
    WagerIncreased,
    WagerMoved,
    WagerPlaced,
    WagerReturned,
    WagerTakenDown,
)
from ledger.games import match_play as law
from ledger.games.match_play import BY_NAME, Accompanied, Coupon, Laid
from ledger.games.room import Breach, Rules
from ledger.house import Office, TableHouse
from ledger.kernel import Certainty, FactRef, ref_of, seconds
from ledger.rounds.book import late_duty, takes_part
from ledger.rounds.placed import CouponFact, Moment, PlacedCoupon, PlacedWager, WagerFact
from ledger.rounds.result import Outcome
from ledger.rounds.round import Round
from ledger.rounds.settle import due

STAKES: Final = frozenset({WagerPlaced, WagerIncreased, WagerMoved, WagerTakenDown, WagerReturned})
"""The facts after which what lies there is held against the limits again."""


class Lying(NamedTuple):
    """A coupon that lies with a wager: as recorded, as it may be used, and what is against it."""

    wager: PlacedWager
    held: PlacedCoupon
    coupon: Coupon
    laid: Laid


@dataclass(slots=True)
class Desk:
    """What one table's play asks of coupons; ``lookup`` None: nothing is known of any.

    ``loose`` are the day's coupons of settled wagers that went into no box, by serial number;
    ``strange`` those already told of at a table whose game no room holds.
    """

    table: str
    office: Office = field(compare=False)
    lookup: CouponLookup | None = field(default=None, compare=False)
    loose: dict[str, tuple[str, int, bool, FactRef]] = field(default_factory=dict)
    strange: set[str] = field(default_factory=set)

    def day_ends(self) -> None:
        """What an earlier gaming day left is not looked for on the next."""
        self.loose.clear()
        self.strange.clear()

    # --- following the round ----------------------------------------------------------------------

    def follow(self, house: TableHouse, now: Round, fact: WagerFact, at: int, day: date) -> None:
        """A fact of a wager was taken: coupons may lie with it, or now less or more beside them."""
        wager = now.book.wagers.get(fact.wager_id)
        if wager is None:
            return
        if wager.placed is fact:
            self._lay(now, wager, wager.placed, at, day)
        if wager.coupons and type(fact) in STAKES:
            self.restake(house, now, wager)

    def _lay(self, now: Round, wager: PlacedWager, fact: WagerPlaced, at: int, day: date) -> None:
        ref = ref_of(fact)
        now.coupons = now.coupons or bool(fact.coupons)
        wager.coupons = [
            PlacedCoupon(laid.serial, ref, at, day, now.ref, fact.stake_cents)
            for laid in fact.coupons
        ]

    def take(
        self, house: TableHouse, now: Round, fact: CouponFact, at: int, day: date, when: Moment
    ) -> Iterator[Breach]:
        """Follow one fact of a coupon in a round; ``when`` says where the round stood."""
        ref = ref_of(fact)
        wager, held = self._find(now, fact)
        if isinstance(fact, CouponAccepted | CouponRedeemed | CouponDropped):
            if not isinstance(fact, CouponAccepted):
                yield from law.by_whom(fact)
            yield from self._box(fact, ref)
        if held is None and fact.serial in self.loose and not isinstance(fact, CouponAccepted):
            if isinstance(fact, CouponRedeemed | CouponDropped) and (fact.box_table or fact.box):
                yield self._late(fact, ref)
            return
        if wager is None:
            if fact.wager_id is not None:
                yield Breach(
                    duty=now.rules.duty("fact_out_of_order"),
                    facts=(ref,),
                    observed=f"a {type(fact).__name__} of {fact.wager_id}",
                    expected="no such wager was placed in this round",
                    wager=fact.wager_id,
                )
            return
        if held is None:
            if fact.serial is None:
                return
            held = PlacedCoupon(fact.serial, ref, at, day, now.ref, wager.stake_cents)
            wager.coupons = [*wager.coupons, held]
            if not when.betting and isinstance(fact, CouponAccepted | CouponRefused):
                held.late, held.stands = True, _takes_part(now.rules, when)
                if isinstance(fact, CouponAccepted):
                    yield _laid_late(now, wager, fact, when)
        now.coupons = True
        match fact:
            case CouponAccepted():
                held.taken, held.stake_cents = fact, wager.stake_cents
                if day != held.day:
                    held.day, held.status = day, None
            case CouponRefused():
                held.refused = fact
            case CouponGivenBack():
                held.back = fact
            case CouponRedeemed() | CouponDropped():
                if isinstance(fact, CouponRedeemed):
                    held.redeemed = fact
                    if fact.box_table is None and fact.box is None:
                        return
                if held.drop is None:
                    held.drop = fact
                    undecided = due(now.rules, now.resolution, wager).outcome is Outcome.STANDS
                    held.early = undecided and not wager.settled
        if isinstance(fact, CouponAccepted | CouponRefused):
            yield from self._held_to_limits(house, now, wager, held)

    def knows(self, now: Round, fact: CouponFact) -> bool:
        """Whether the coupon of a fact lies with a wager of a round."""
        return self._find(now, fact)[1] is not None

    def _find(self, now: Round, fact: CouponFact) -> tuple[PlacedWager | None, PlacedCoupon | None]:
        """The wager that a fact is about, and the coupon with it."""
        wagers = now.book.wagers
        named = wagers.get(fact.wager_id) if fact.wager_id is not None else None
        among = [named] if named is not None else list(wagers.values())
        for wager in among if fact.wager_id is None or named is not None else ():
            for held in wager.coupons:
                if fact.serial is not None and self._same(held, fact.serial):
                    return wager, held
        return named, None

    def _same(self, held: PlacedCoupon, text: str) -> bool:
        """Whether a text is this coupon's serial number, written in one form or two."""
        if held.serial == text:
            return True
        if self.lookup is None:
            return False
        one, other = (
            self.lookup.status(said, held.at, held.day).serial for said in (held.serial, text)
        )
        return one is not None and one == other

    def _box(self, fact: CouponFact, ref: FactRef) -> Iterator[Breach]:
        """A coupon goes into the box attached to its own table: § 525.22(e)."""
        box = getattr(fact, "box_table", None)
        if box is not None and box != self.table:
            yield Breach(
                duty=BY_NAME["coupon_wrong_drop_box@525.22(e)#2"],
                facts=(ref,),
                observed=box,
                expected=self.table,
                wager=fact.wager_id,
            )

    def _late(self, fact: CouponRedeemed | CouponDropped, ref: FactRef) -> Breach:
        """A coupon that an earlier round left outside the box came into one."""
        wager, at, won, settled = self.loose.pop(fact.serial)
        return Breach(
            duty=BY_NAME[f"coupon_dropped_late@525.22(e)#{3 if won else 4}"],
            facts=(settled, ref),
            observed=seconds(fact.event_time - at),
            expected=fact.serial,
            wager=wager,
        )

    # --- does it count ----------------------------------------------------------------------------

    def coupon(self, held: PlacedCoupon) -> Coupon:
        """A coupon as it lies there: its value, its printed terms, its state when it was laid."""
        if held.status is None and self.lookup is not None:
            held.status = self.lookup.status(held.serial, held.at, held.day, held.placed)
        status = held.status
        series = status.series if status is not None else None
        shown = held.taken.denomination_cents if held.taken is not None else None
        if shown is None and held.redeemed is not None:
            shown = held.redeemed.denomination_cents
        known = status is not None and status.is_known and law.held_on(held.day)
        return Coupon(
            serial=held.serial,
            value_cents=series.denomination_cents if series is not None else shown,
            live=status.is_live if status is not None and known else None,
            state=SAID.get(status.state, status.state.value) if status is not None else "unknown",
            games=series.games if series is not None else None,
            wagers=series.wagers if series is not None else None,
            pays=series.pays if series is not None else None,
        )

    def lying(
        self, now: Round, wagers: Iterable[PlacedWager] | None = None, *, in_full: bool = False
    ) -> list[Lying]:
        """The coupons that lie with the round's wagers, in recorded order, and whether they count.

        One that came with its wager from an earlier round competes with those of that round only.

        Args:
            now: the round.
            wagers: its wagers, where they are not taken as they surely take part.
            in_full: coupons of which it is in doubt whether they take part do so.
        """
        pairs = [
            (wager, held)
            for wager in (now.book.wagers.values() if wagers is None else wagers)
            for held in wager.coupons
            if held.refused is None and wager.gone is None
        ]
        pairs.sort(key=lambda pair: (pair[1].at, pair[1].placed.seq))
        found: list[Lying] = []
        for wager, held in pairs:
            coupon = self.coupon(held)
            grounds = self.grounds(now, wager, coupon)
            if held.stands is False or (held.stands is None and not in_full):
                grounds = (*grounds, LATE)
            laid = Laid(wager=wager.wager_id, patron=wager.patron, grounds=grounds)
            found.append(Lying(wager, held, coupon, self._once(laid, held, found)))
        for began in dict.fromkeys(one.held.round for one in found):
            those = [n for n, one in enumerate(found) if one.held.round == began]
            per_round = law.one_per_round(now.day, now.rules.reading("coupon-limit-edition"))
            beside = [found[n].laid for n in those]
            for n, own in zip(those, law.only_one(beside, per_round=per_round), strict=True):
                found[n] = found[n]._replace(laid=own)
        return found

    @staticmethod
    def _once(laid: Laid, held: PlacedCoupon, earlier: list[Lying]) -> Laid:
        """One serial number is one coupon: with a second wager it adds nothing (which-of-two).

        Law: §§ 525.21(m)(3), 525.22(b).
        """
        rivals = {
            law.counts(other.laid.grounds): other.wager.wager_id
            for other in reversed(earlier)
            if other.wager.wager_id != laid.wager
            and _serial(other.held) == _serial(held)
            and (other.held.back is None or other.held.back.event_time > held.at)
        }
        for sure in (True, None):
            if sure in rivals:
                why = f"it lies with wager {rivals[sure]} already"
                ground = law.Ground(why=why, certain=sure is True)
                return replace(laid, grounds=(*laid.grounds, ground))
        return laid

    def grounds(self, now: Round, wager: PlacedWager, coupon: Coupon) -> tuple[law.Ground, ...]:
        """What speaks against a coupon with a wager, apart from the coupons beside it."""
        game = now.rules.room.game
        accompanied = Accompanied(
            game=game,
            wager=wager.wager,
            stake_cents=wager.stake_cents,
            instrument=wager.placed.instrument,
            banked=self.office.banked(game, self.table, wager.placed.event_time),
        )
        return tuple(law.grounds(coupon, accompanied))

    def restake(self, house: TableHouse, now: Round, wager: PlacedWager) -> None:
        """Hold chips and coupon together against the limits (reading coupon-and-limits)."""
        if now.rules.reading("coupon-and-limits") == "chips-only" or wager.gone is not None:
            return
        added, sure = 0, True
        for one in self.lying(now, in_full=True):
            counts = law.counts(one.laid.grounds)
            if one.wager is wager and counts is not False:
                added += one.coupon.value_cents or 0
                sure = sure and counts is True and one.held.stands is True
        if not added:
            return
        chips = {b.duty.code: b for b in wager.outside}
        both = house.judge_stake(now.rules, wager.wager, wager.stake_cents + added)
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
        self, house: TableHouse, now: Round, wager: PlacedWager, held: PlacedCoupon
    ) -> Iterator[Breach]:
        """A coupon came to a wager, or was refused: what lies there is held against the limits."""
        known = {breach.duty.code for breach in wager.outside}
        if not wager.accepted:
            wager.outside = house.judge_stake(now.rules, wager.wager, wager.stake_cents)
        self.restake(house, now, wager)
        for breach in wager.outside if wager.accepted else ():
            if breach.duty.code not in known:
                refs = (wager.ref, held.placed)
                yield replace(breach, facts=refs, wager=wager.wager_id)


def _takes_part(rules: Rules, when: Moment) -> bool | None:
    """Whether a coupon that was laid late takes part; None: that is in doubt."""
    return rules.reading("late-coupon") != "adds-nothing" and takes_part(rules, when)


def _laid_late(now: Round, wager: PlacedWager, fact: CouponAccepted, when: Moment) -> Breach:
    """A coupon is part of the amount of a wager, to which nothing is added any more.

    One that is first named when it is redeemed lay with its wager: nothing says when it was laid.
    """
    return Breach(
        duty=BY_NAME["late_coupon@525.21(a)#3"],
        facts=(wager.ref, ref_of(fact)),
        observed=fact.serial,
        wager=wager.wager_id,
        certainty=Certainty.BROKEN if when.apart is None else Certainty.UNKNOWN,
        also=(late_duty(now.rules, when).cite,),
    )


def _serial(held: PlacedCoupon) -> object:
    """The serial number of a coupon, in whichever form it is written."""
    known = held.status.serial if held.status is not None else None
    return held.serial if known is None else known


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
