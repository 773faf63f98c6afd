"""Coupons with wagers by § 525.22: how they were taken, what they add, where they went.

A coupon's use is judged once betting has closed, its way into the drop box when the round ends, by
what was due on its wager and what the house did with it.
Law: §§ 525.21(c)(4), 525.22; § 603a.21(d). Readings: unusable-coupon, which-of-two,
chips-under-coupon, coupon-on-void, coupon-limit-edition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Final

from ledger.events import CouponAccepted, CouponDropped, CouponRedeemed, WagerPlaced
from ledger.games import match_play as law
from ledger.games.match_play import BY_NAME, Laid
from ledger.games.room import Breach
from ledger.kernel import Certainty, ref_of, seconds
from ledger.rounds.compare import observed
from ledger.rounds.coupon_desk import CouponDesk, LaidCoupon
from ledger.rounds.placed import PlacedCoupon, PlacedWager
from ledger.rounds.result import CouponResult, Outcome
from ledger.rounds.round import Round
from ledger.rounds.settle import Due, winning_odds, with_coupons

DECIDED: Final = (Outcome.WON, Outcome.LOST)


def accepted(desk: CouponDesk, round_: Round) -> Iterator[Breach]:
    """Judge the coupons that lie there once betting has closed, as accepted: § 525.22(b)-(d).

    It is called again at the round's end, for what came late; no coupon is judged twice.
    """
    lying = desk.lying(round_) if round_.coupons else []
    for laid_coupon in lying:
        if not laid_coupon.placed.judged:
            laid_coupon.placed.judged = True
            yield from (_standing(round_, breach) for breach in _used(round_, lying, laid_coupon))
    for wager in round_.book.wagers.values() if round_.coupons else ():
        for placed in wager.coupons:
            if placed.refused is not None and not placed.judged and wager.gone is None:
                placed.judged = True
                yield from (
                    _standing(round_, breach)
                    for breach in _refused(desk, round_, wager, placed, lying)
                )


def _used(round_: Round, lying: list[LaidCoupon], laid_coupon: LaidCoupon) -> Iterator[Breach]:
    """One coupon: what speaks against its use, how it was handled, whether it is one too many."""
    own, wager = laid_coupon.placed, laid_coupon.wager
    for ground in laid_coupon.laid.grounds:
        if ground.row is not None:
            yield Breach(
                duty=BY_NAME[ground.row],
                facts=(own.placed,),
                observed=ground.observed,
                expected=ground.expected,
                wager=wager.wager_id,
                certainty=Certainty.BROKEN if ground.certain else Certainty.UNKNOWN,
            )
    taken, stake = own.taken, own.stake_cents
    beside = [other.coupon.value_cents or 0 for other in lying if other.wager is wager]
    yield from law.handling(
        taken,
        laid_coupon.coupon,
        own.placed,
        wager.wager_id,
        stake,
        under_cents=sum(beside),
    )
    per_round = law.one_per_round(round_.day, round_.rules.reading("coupon-limit-edition"))
    earlier = []
    for other in lying:
        if other is laid_coupon:
            break
        same = law.same_use(other.laid, laid_coupon.laid, per_round=per_round)
        if same is not False and other.placed.round == own.round:
            earlier.append((other.placed, same))
    if earlier and all(other.serial != own.serial for other, _ in earlier):
        placed = [*(other.placed for other, _ in earlier), own.placed]
        yield Breach(
            duty=law.too_many(per_round=per_round),
            facts=tuple(dict.fromkeys(placed)),
            observed="Coupons " + ", ".join([*(other.serial for other, _ in earlier), own.serial]),
            wager=wager.wager_id,
            certainty=Certainty.BROKEN if any(same for _, same in earlier) else Certainty.UNKNOWN,
        )


def _refused(
    desk: CouponDesk,
    round_: Round,
    wager: PlacedWager,
    placed: PlacedCoupon,
    lying: list[LaidCoupon],
) -> Iterator[Breach]:
    if placed.late:
        return  # nothing is added any more: it need not be taken (reading late-coupon)
    assert placed.refused is not None
    coupon = desk.coupon(placed)
    beside = [one.laid for one in lying if one.placed.round == placed.round]
    own = Laid(
        wager=wager.wager_id, patron=wager.patron, grounds=desk.grounds(round_, wager, coupon)
    )
    per_round = law.one_per_round(round_.day, round_.rules.reading("coupon-limit-edition"))
    grounds = law.only_one([*beside, own], per_round=per_round)[-1].grounds
    ref = ref_of(placed.refused)
    yield from law.refused(placed.refused.fault, coupon, grounds, ref, wager.wager_id)


def _standing(round_: Round, breach: Breach) -> Breach:
    """Return a breach as unknown for a day before the first text of the chapter that is held."""
    if law.held_on(round_.day):
        return breach
    return replace(breach, certainty=Certainty.UNKNOWN, effect_cents=None)


# --- what they add ------------------------------------------------------------------------------


def overlay(
    desk: CouponDesk,
    round_: Round,
    wagers: list[PlacedWager],
    dues: dict[str, Due],
    *,
    in_full: bool,
) -> dict[str, Due]:
    """Settle wagers with coupons by chips and coupons, before any payout limit: § 525.22(b).

    Args:
        desk: the coupons.
        round_: the round.
        wagers: its wagers.
        dues: what the chips of each wager come to, by wager id; changed in place and returned.
        in_full: whatever is in doubt takes part.
    """
    shares: dict[str, list[law.Share]] = {}
    for laid_coupon in desk.lying(round_, wagers, in_full=in_full) if round_.coupons else ():
        name = laid_coupon.wager.wager_id
        odds = winning_odds(round_.resolution, laid_coupon.wager, dues[name])
        shares.setdefault(name, []).append(
            law.share(laid_coupon.coupon, laid_coupon.laid.grounds, odds)
        )
    for name, wager_shares in shares.items():
        wager = round_.book.wagers[name]
        dues[name] = with_coupons(round_.rules, dues[name], wager, tuple(wager_shares))
    return dues


def with_wager(round_: Round, wager: PlacedWager, owed: Due) -> tuple[CouponResult, ...]:
    """Return the coupons of a wager, with what each came to and by which sections.

    Args:
        round_: the round.
        wager: the wager with which they lie.
        owed: what chips and coupons together come to. If it leaves two ways open, a coupon's win is
            stated only where both agree.
    """
    if not wager.coupons:
        return ()
    per_round = law.one_per_round(round_.day, round_.rules.reading("coupon-limit-edition"))
    one_only = law.too_many(per_round=per_round).cite
    shares, in_full = (
        {share.coupon.serial: share for share in due.shares} for due in owed.either or (owed, owed)
    )
    return tuple(
        CouponResult(
            serial=placed.serial,
            value_cents=share.coupon.value_cents if share is not None else None,
            counts=share.counts if share is not None and not open_ else None,
            wins_cents=share.exact_cents if share is not None and not open_ else None,
            because=_because(placed, share, other if open_ else None),
            went=_went(placed),
            citations=(law.PAYS, one_only, *(() if placed.refused else (law.DROPS,))),
        )
        for placed in wager.coupons
        for share, other in ((shares.get(placed.serial), in_full.get(placed.serial)),)
        for open_ in (_differ(share, other),)
    )


def coupons_in_doubt(wager: PlacedWager) -> tuple[PlacedCoupon, ...]:
    """Return the coupons of a wager of which it is not known whether they take part."""
    return tuple(
        placed for placed in wager.coupons if placed.stands is None and placed.refused is None
    )


def _differ(share: law.Share | None, other: law.Share | None) -> bool:
    """Whether a coupon adds something else if what is in doubt takes part."""
    if share is None or other is None:
        return False
    return (share.counts, share.exact_cents) != (other.counts, other.exact_cents)


def _because(placed: PlacedCoupon, share: law.Share | None, other: law.Share | None) -> str:
    """Say what a coupon adds; ``other``: what it adds instead if what is in doubt takes part."""
    if share is None:
        return f"coupon {placed.serial}"
    if other is None:
        return share.words()
    return f"{share.words()}; if what is in doubt takes part, {other.words()}"


def _went(placed: PlacedCoupon) -> str | None:
    """Where a coupon went, for people; None: no fact says so."""
    if placed.refused is not None:
        return "refused"
    if placed.drop is not None:
        box = placed.drop.box_table or "the table"
        return f"dropped into the box of {box}"
    if placed.back is not None:
        return "given back to the patron"
    return "redeemed, in no box" if placed.redeemed is not None else None


# --- where they went ----------------------------------------------------------------------------


def fates(
    desk: CouponDesk,
    round_: Round,
    dues: Mapping[str, Due],
    wagers: Iterable[PlacedWager],
    *,
    firm: bool,
) -> Iterator[Breach]:
    """Judge what became of the coupons of these wagers: § 525.22(e).

    Args:
        desk: the coupons.
        round_: the round.
        dues: what each wager comes to, by wager id.
        wagers: those of which the coupons are judged.
        firm: the round has ended, so a coupon that no fact moved stayed outside the box.
    """
    for wager in wagers:
        for placed in wager.coupons:
            if placed.refused is None:
                owed = dues[wager.wager_id].outcome
                for breach in _fate(desk, round_, wager, placed, owed, firm=firm):
                    yield _standing(round_, breach)


def _fate(
    desk: CouponDesk,
    round_: Round,
    wager: PlacedWager,
    placed: PlacedCoupon,
    owed: Outcome,
    *,
    firm: bool,
) -> Iterator[Breach]:
    house = observed(wager.settled[0], wager.stake_cents)[0] if wager.settled else None
    undecided = wager.gone is not None or owed is Outcome.RETURNED
    if house is Outcome.RETURNED and owed in (Outcome.STANDS, Outcome.UNKNOWN):
        undecided = True
    if undecided:
        if placed.drop is not None and round_.rules.reading("coupon-on-void") != "coupon-lost":
            yield from _dropped("coupon_dropped_undecided@525.22(e)#6", wager, placed)
    elif placed.drop is not None:
        if placed.early:
            yield from _dropped("coupon_dropped_early@525.22(e)#5", wager, placed)
        else:
            yield from _dropped_late(desk, round_, wager, placed, house)
    elif house in DECIDED:
        yield from _not_dropped(desk, round_, wager, placed, won=house is Outcome.WON, firm=firm)
    elif owed in DECIDED and (wager.settled or placed.back is not None):
        yield from _not_dropped(
            desk, round_, wager, placed, won=owed is Outcome.WON, firm=firm, handed_back=True
        )  # the house handed the wager back, or the coupon alone: the roll decided it all the same


def _dropped(row: str, wager: PlacedWager, placed: PlacedCoupon) -> Iterator[Breach]:
    if row in placed.rows_reported:
        return
    placed.rows_reported.add(row)
    assert placed.drop is not None
    yield Breach(
        duty=BY_NAME[row],
        facts=(placed.placed, ref_of(placed.drop)),
        observed=placed.serial,
        wager=wager.wager_id,
    )


def _dropped_late(
    desk: CouponDesk, round_: Round, wager: PlacedWager, placed: PlacedCoupon, house: Outcome | None
) -> Iterator[Breach]:
    """Judge a coupon that went into the box after its wager was paid or collected.

    The clocks of both sources are considered. A redemption is recorded after the settlement in any
    case, so it is late only if the round has ended since.
    """
    drop = placed.drop
    if drop is None or not wager.settled:
        return
    settled = wager.settled[0]
    ended = ref_of(drop) in round_.afterwards and ref_of(settled) not in round_.afterwards
    if not ended and not isinstance(drop, CouponDropped):
        return
    after = drop.event_time - settled.event_time
    if after <= 0:
        return
    joint = 0
    if drop.source != settled.source:
        joint = sum(desk.office.uncertainty(f.stream, f.event_time) for f in (drop, settled))
    yield Breach(
        duty=BY_NAME[f"coupon_dropped_late@525.22(e)#{3 if house is Outcome.WON else 4}"],
        facts=(ref_of(settled), ref_of(drop)),
        observed=seconds(after),
        expected=placed.serial,
        wager=wager.wager_id,
        certainty=Certainty.BROKEN if after >= joint else Certainty.UNKNOWN,
    )


def _not_dropped(
    desk: CouponDesk,
    round_: Round,
    wager: PlacedWager,
    placed: PlacedCoupon,
    *,
    won: bool,
    firm: bool,
    handed_back: bool = False,
) -> Iterator[Breach]:
    """Judge a coupon in no box although its wager was settled.

    Until the round ends it may still come into one.
    """
    last = placed.redeemed or placed.back
    if last is None and not firm:
        return
    if placed.redeemed is None and placed.back is not None:
        grounds = desk.grounds(round_, wager, desk.coupon(placed))
        if law.counts(grounds) is False or placed.late:
            return  # a coupon that may not be used, or came too late, is handed back
    done = wager.settled[0] if wager.settled else last
    assert done is not None
    ref = ref_of(done)
    desk.loose[placed.serial] = (wager.wager_id, done.event_time, won, ref)
    happened = "paid" if won else "collected"
    yield Breach(
        duty=BY_NAME["coupon_not_dropped@525.22(e)#1"],
        facts=tuple(dict.fromkeys((placed.placed, ref, *((ref_of(last),) if last else ())))),
        observed=placed.serial,
        expected=f"handed back; it was to be {happened}" if handed_back else happened,
        wager=wager.wager_id,
    )


# --- where no room judges -----------------------------------------------------------------------


def elsewhere(desk: CouponDesk, fact: object, game: str, day: date) -> Iterator[Breach]:
    """Report a coupon at a table whose game no room judges: § 525.22(a).

    Each serial number is reported once a day. Whether the game is banked by the house may be
    unknown.

    Args:
        desk: the coupons of the table.
        fact: any fact; only those that lay or redeem a coupon matter.
        game: the game of the table.
        day: the gaming day.
    """
    wager: str | None
    match fact:
        case WagerPlaced(coupons=laid):
            serials, wager = [one.serial for one in laid], fact.wager_id
        case CouponAccepted() | CouponRedeemed():
            serials, wager = [fact.serial], fact.wager_id
        case _:
            return
    banked = desk.office.banked(game, desk.table, fact.event_time)
    sure = banked is False and law.held_on(day)
    for serial in serials if banked is not True else ():
        if serial not in desk.strange:
            desk.strange.add(serial)
            yield Breach(
                duty=BY_NAME["coupon_not_house_banked@525.22(a)"],
                facts=(ref_of(fact),),
                observed=serial,
                expected=game,
                wager=wager,
                certainty=Certainty.BROKEN if sure else Certainty.UNKNOWN,
            )
