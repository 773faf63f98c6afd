"""When a coupon may be used with a wager, and how it must be handled: § 525.22, § 525.21(c).

Readings: unusable-coupon, which-of-two, verbal-cash-wager, coupon-limit-edition, coupon-on-void.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from ledger import events
from ledger.games.match_play.terms import FOLLOWED, LAW, Accompanied, Coupon
from ledger.games.room import Breach, Duty
from ledger.kernel import Certainty, FactRef, Severity, dollars, ref_of
from ledger.kernel.quick_dataclass import dataclass

LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH

# fmt: off
DUTIES: Final = (
    #    code                        severity cite                   says when it was not kept                                                                 reading
    Duty("late_coupon",              HIGH,    LAW[".21(a)#3"],       "Coupon {observed} was laid on the wager after betting had closed.",                       "late-coupon"),
    Duty("coupon_outside_terms",     MEDIUM,  LAW[".21(c)(4)#2"],    "Coupon {observed} was used; by its print it is good for {expected}.",                     "unusable-coupon"),
    Duty("coupon_not_house_banked",  HIGH,    LAW[".22(a)"],         "Coupon {observed} was used in {expected}, in which patrons do not wager against the house."),
    Duty("coupon_wrong_role",        MEDIUM,  LAW[".22(b)#1"],       "The coupon was redeemed by a {observed}, not by a dealer or boxperson."),
    Duty("coupon_short_chips",       HIGH,    LAW[".22(b)#2"],       "Coupon {expected} lay with gaming chips of {observed}, less than its value.",             "unusable-coupon"),
    Duty("coupon_refused",           MEDIUM,  LAW[".22(b)#3"],       "Coupon {observed} was refused and met every condition ({expected})."),
    Duty("coupon_short_chips",       HIGH,    LAW[".22(b)#4"],       "Coupon {expected} lay with {observed}, not with gaming chips.",                            "unusable-coupon"),
    Duty("coupon_wrong_position",    LOW,     LAW[".22(b)#5"],       "The coupon lay {observed}, not underneath the gaming chips."),
    Duty("coupon_not_visible",       MEDIUM,  LAW[".22(b)#6"],       "The value of the coupon was not visible."),
    Duty("coupon_not_broken_down",   LOW,     LAW[".22(b)#7"],       "Gaming chips of {observed} lay on the coupon; its value is {expected}."),
    Duty("coupon_not_broken_down",   LOW,     LAW[".22(b)#8"],       "Gaming chips of {observed} lay next to the coupon; the remainder is {expected}."),
    Duty("wager_underpaid",          HIGH,    LAW[".22(b)#9"],       "Paid {observed} on a wager with a coupon; by its terms the wager wins {expected}.",        "chips-under-coupon"),
    Duty("wager_overpaid",           HIGH,    LAW[".22(b)#10"],      "Paid {observed} on a wager with a coupon; it wins {expected}.",                           "unusable-coupon"),
    Duty("coupon_wrong_position",    LOW,     LAW[".22(c)(1)"],      "The coupon and the gaming chips lay {observed}, not in the patron's betting area."),
    Duty("coupon_too_many",          MEDIUM,  LAW[".22(d)#1"],       "{observed} were used with one wager; a patron may use one.",                              "which-of-two"),
    Duty("coupon_too_many",          MEDIUM,  FOLLOWED[".21(d)"],    "{observed} were used by one patron in one round of play; a patron may use one.",           "coupon-limit-edition"),
    Duty("coupon_not_dropped",       HIGH,    LAW[".22(e)#1"],       "Coupon {observed} was not put into the drop box when its wager was {expected}."),
    Duty("coupon_wrong_drop_box",    MEDIUM,  LAW[".22(e)#2"],       "The coupon went into the drop box of {observed}, not into that of {expected}."),
    Duty("coupon_dropped_late",      MEDIUM,  LAW[".22(e)#3"],       "Coupon {expected} went into the drop box {observed} after its wager was paid."),
    Duty("coupon_dropped_late",      MEDIUM,  LAW[".22(e)#4"],       "Coupon {expected} went into the drop box {observed} after its wager was collected."),
    Duty("coupon_dropped_early",     MEDIUM,  LAW[".22(e)#5"],       "Coupon {observed} went into the drop box before its wager was decided."),
    Duty("coupon_dropped_undecided", MEDIUM,  LAW[".22(e)#6"],       "Coupon {observed} went into the drop box though its wager was not decided and goes back.", "coupon-on-void"),
    Duty("coupon_wrong_role",        LOW,     LAW[".22(e)#7"],       "The coupon was put into the drop box by a {observed}, not by the dealer."),
)
# fmt: on

BY_NAME: Final[dict[str, Duty]] = {
    f"{duty.code}@{duty.cite.section}{'#' + duty.cite.part if duty.cite.part else ''}": duty
    for duty in DUTIES
}
"""Each row by code, section and part: ``coupon_refused@525.22(b)#3``."""

DEALERS: Final = frozenset({events.Role.DEALER, events.Role.STICKPERSON})
"""Dealers; the stickperson of § 577.9(b) is one of the dealers of the table."""
REDEEMERS: Final = DEALERS | {events.Role.BOXPERSON}
STAKED: Final[dict[events.Instrument, str]] = {
    events.Instrument.CASH: "cash",
    events.Instrument.SPOKEN_WITH_CASH: "spoken words and cash",
    events.Instrument.PLAQUES: "plaques",
    events.Instrument.ELECTRONIC_CREDIT: "electronic credit",
}
"""What can be staked in place of gaming chips, for people."""
ATTESTED: Final = frozenset(
    {events.CouponFault.COUNTERFEIT, events.CouponFault.ALTERED, events.CouponFault.UNREADABLE}
)
"""Faults that only the person who held the coupon could see."""
PLACES: Final[dict[events.CouponPlace, str]] = {
    events.CouponPlace.ON_CHIPS: "on top of the gaming chips",
    events.CouponPlace.BESIDE_CHIPS: "beside the gaming chips",
}
AREAS: Final[dict[events.CouponArea, str]] = {
    events.CouponArea.PASS_LINE: "on a Pass Line",
    events.CouponArea.DONT_PASS_LINE: "on a Don't Pass Line",
    events.CouponArea.OUTSIDE_BOX: "in an outside box",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Why a coupon adds nothing.

    Args:
        why: the reason, for people.
        certain: False if it is not known whether it is so.
        row: the duty that its use breaks; None where the custody of coupons reports it.
        observed: what was, for people.
        expected: what should have been, for people.
    """

    why: str
    certain: bool = True
    row: str | None = None
    observed: str | None = None
    expected: str | None = None


def counts(grounds: tuple[Ground, ...]) -> bool | None:
    """Whether a coupon with these grounds against it counts; None if that is not known."""
    if any(ground.certain for ground in grounds):
        return False
    return None if grounds else True


def grounds(coupon: Coupon, wager: Accompanied) -> Iterator[Ground]:
    """Yield what is against a coupon with a wager, apart from the coupons beside it."""
    if coupon.live is not True:
        why = f"it is {coupon.state}" if coupon.live is False else "its state is not known"
        yield Ground(why=why, certain=coupon.live is False)
    if wager.banked is False:
        yield Ground(
            why="patrons do not wager against the house",
            row="coupon_not_house_banked@525.22(a)",
            observed=coupon.serial,
            expected=wager.game,
        )
    yield from _chips(coupon, wager)
    yield from _terms(coupon, wager)


def _chips(coupon: Coupon, wager: Accompanied) -> Iterator[Ground]:
    """Check for gaming chips at least equal to the coupon's value: § 525.22(b)."""
    named = coupon.serial
    if coupon.value_cents is not None:
        named += f" of {dollars(coupon.value_cents)}"
    if wager.instrument is not events.Instrument.CHIPS:
        staked = STAKED.get(wager.instrument) if wager.instrument else None
        yield Ground(
            why=f"it lies with {staked}" if staked else "what it lies with is not recorded",
            certain=staked is not None,
            row="coupon_short_chips@525.22(b)#4",
            observed=staked or "what was not recorded",
            expected=named,
        )
    elif coupon.value_cents is None:
        yield Ground(why="its value is not recorded", certain=False)
    elif wager.stake_cents < coupon.value_cents:
        yield Ground(
            why=f"gaming chips of {dollars(wager.stake_cents)} are less than its value",
            row="coupon_short_chips@525.22(b)#2",
            observed=dollars(wager.stake_cents),
            expected=named,
        )


def _terms(coupon: Coupon, wager: Accompanied) -> Iterator[Ground]:
    """Check the game and the wager printed on the coupon: § 525.21(c)(4)."""
    for named, allowed in ((wager.game, coupon.games), (wager.wager, coupon.wagers)):
        if allowed is not None and named not in allowed:
            yield Ground(
                why=f"by its print it is not good for {named}",
                row="coupon_outside_terms@525.21(c)(4)#2",
                observed=f"{coupon.serial} on {named}",
                expected=", ".join(allowed) or "nothing",
            )
            return


# --- how many ------------------------------------------------------------------------------------


def one_per_round(day: date, choice: str | None = None) -> bool:
    """Whether the limit on a gaming day is one coupon for each patron and round, or for each wager.

    ``choice`` is the option of the reading coupon-limit-edition that the property filed.
    """
    return day >= FOLLOWED.edition.since and choice != "per-wager-always"


def too_many(*, per_round: bool) -> Duty:
    """Return the row that a second coupon breaks."""
    section = "603a.21(d)" if per_round else "525.22(d)#1"
    return BY_NAME[f"coupon_too_many@{section}"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """One coupon among those of a round: its wager's id, its patron, and what is against it."""

    wager: str
    patron: str | None
    grounds: tuple[Ground, ...]


def only_one(coupons: Sequence[Laid], *, per_round: bool) -> list[Laid]:
    """Let one coupon count: the first recorded that may be used (reading which-of-two).

    Args:
        coupons: the coupons of a round in recorded order.
        per_round: one is allowed for each patron and round, not for each wager; a coupon whose
            patron is not recorded may be anyone's.

    Returns:
        The same coupons in the same order, with the grounds that this adds.
    """
    settled: list[Laid] = []
    for own in coupons:
        rivals = [
            counts(earlier.grounds) if same else None
            for earlier in settled
            if (same := same_use(earlier, own, per_round=per_round)) is not False
            and counts(earlier.grounds) is not False
        ]
        if rivals and counts(own.grounds) is not False:
            sure = True in rivals
            why = "another coupon was recorded before it" if sure else "it may be one too many"
            own = replace(own, grounds=(*own.grounds, Ground(why=why, certain=sure)))
        settled.append(own)
    return settled


def same_use(first: Laid, other: Laid, *, per_round: bool) -> bool | None:
    """Whether only one of two coupons of a round may be used; None: a patron is not recorded."""
    if first.wager == other.wager:
        return True
    if not per_round:
        return False
    return None if first.patron is None or other.patron is None else first.patron == other.patron


# --- how it is handled ---------------------------------------------------------------------------


def handling(
    taken: events.CouponAccepted | None, coupon: Coupon, ref: FactRef, wager_id: str, stake_cents: int,
    *, under_cents: int = 0,
) -> Iterator[Breach]:  # fmt: skip
    """Report how a coupon was accepted and how it lay; what is not recorded is unknown.

    Args:
        taken: the fact of its acceptance; None where there is none.
        coupon: the coupon.
        ref: the fact by which it is known, where there is no acceptance.
        wager_id: the wager's id.
        stake_cents: the chips wagered when it was accepted.
        under_cents: the value of all coupons under these chips: chips equal to it may lie on them.
    """
    facts = (ref,) if taken is None else (ref_of(taken),)

    def broken(row: str, known: object, observed: str, expected: str | None = None) -> Breach:
        return Breach(
            duty=BY_NAME[row],
            facts=facts,
            observed=observed if known is not None else "what was not recorded",
            expected=expected,
            wager=wager_id,
            certainty=Certainty.UNKNOWN if known is None else Certainty.BROKEN,
        )

    role = None if taken is None or taken.role is events.Role.UNRECOGNISED else taken.role
    if role not in REDEEMERS:
        yield broken("coupon_wrong_role@525.22(b)#1", role, _role_words(role))
    place = None if taken is None or taken.place is events.CouponPlace.UNRECOGNISED else taken.place
    if place is not events.CouponPlace.UNDER_CHIPS:
        place_words = PLACES.get(place, "elsewhere") if place else ""
        yield broken("coupon_wrong_position@525.22(b)#5", place, place_words)
    visible = taken.value_visible if taken is not None else None
    if visible is not True:
        yield broken("coupon_not_visible@525.22(b)#6", visible, "hidden")
    area = None if taken is None or taken.area is events.CouponArea.UNRECOGNISED else taken.area
    if area is not events.CouponArea.BETTING_AREA:
        area_words = AREAS.get(area, "elsewhere") if area else ""
        yield broken("coupon_wrong_position@525.22(c)(1)", area, area_words)
    if coupon.value_cents is not None and stake_cents > coupon.value_cents:
        rest = stake_cents - coupon.value_cents
        on, beside = (taken.chips_on_cents, taken.chips_beside_cents) if taken else (None, None)
        if on == under_cents > coupon.value_cents:
            rest = stake_cents - under_cents
        elif on != coupon.value_cents:
            amount = dollars(on or 0)
            row = "coupon_not_broken_down@525.22(b)#7"
            yield broken(row, on, amount, dollars(coupon.value_cents))
            return
        if beside != rest:
            amount = dollars(beside or 0)
            yield broken("coupon_not_broken_down@525.22(b)#8", beside, amount, dollars(rest))


def by_whom(
    fact: events.CouponAccepted | events.CouponRedeemed | events.CouponDropped,
) -> Iterator[Breach]:
    """Report who redeemed or dropped a coupon if he may not; an unrecorded role is not judged."""
    drops = isinstance(fact, events.CouponDropped)
    allowed = DEALERS if drops else REDEEMERS
    if fact.role in (None, events.Role.UNRECOGNISED) or fact.role in allowed:
        return
    row = "coupon_wrong_role@525.22(e)#7" if drops else "coupon_wrong_role@525.22(b)#1"
    yield Breach(
        duty=BY_NAME[row],
        facts=(ref_of(fact),),
        observed=_role_words(fact.role),
        wager=fact.wager_id,
    )


def refused(
    fault: events.CouponFault | None,
    coupon: Coupon,
    grounds: tuple[Ground, ...],
    ref: FactRef,
    wager: str,
) -> Iterator[Breach]:
    """Report a refused coupon that may be used: it must be redeemed (§ 525.22(b)).

    Args:
        fault: the reason that was recorded; None if none was.
        coupon: the coupon.
        grounds: what is against it.
        ref: the fact of the refusal.
        wager: the wager's id.
    """
    if fault in ATTESTED or counts(grounds) is False:
        return
    reason = fault.value.lower().replace("_", " ") if fault else "no reason is recorded"
    yield Breach(
        duty=BY_NAME["coupon_refused@525.22(b)#3"],
        facts=(ref,),
        observed=coupon.serial,
        expected=f"the reason recorded is: {reason}" if fault else reason,
        wager=wager,
        certainty=Certainty.UNKNOWN if grounds else Certainty.BROKEN,
    )


def _role_words(role: events.Role | None) -> str:
    return "" if role is None else role.value.lower().replace("_", " ")
