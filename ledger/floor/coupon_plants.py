"""Plants in how coupons are used at a table: each changes one round, or says that it cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from ledger.events import CouponPlace, CouponRedeemed, Fact
from ledger.floor.coupon_kinds import CouponKind
from ledger.floor.coupon_play import OTHER, Hand, Pair
from ledger.floor.coupon_stock import Awaited
from ledger.floor.coupon_terms import HANDED, MAILED, SERIES, SHORT, Series, series_of
from ledger.floor.patron_habits import CHIP
from ledger.floor.stream_pens import MINUTE

PER_ROUND: Final = date(2014, 2, 1)
"""From this gaming day on one coupon may be used in a round of play, before with a wager."""
_WIDEST: Final = (SERIES[0], SERIES[1])


@dataclass(frozen=True, slots=True)
class Expected:
    """What must be found of a change, by the facts of the table that it rests on."""

    facts: tuple[Fact, ...]
    serials: tuple[str, ...]
    code: str | None = None
    cite: str | None = None


Change = Callable[[Hand, CouponKind], Expected | None]


def _decided(hand: Hand) -> list[Pair]:
    return [pair for pair in hand.pairs if pair.won or pair.lost]


def _lost(hand: Hand) -> list[Pair]:
    return [pair for pair in hand.pairs if pair.lost]


def _used(
    hand: Hand, pairs: list[Pair], *wanted: Series, **how: object
) -> tuple[str, Fact, CouponRedeemed, Fact] | None:
    """Use a good coupon in the first place that allows it."""
    for pair in pairs:
        serial = hand.take(pair, *wanted)
        if serial is not None:
            accepted, redeemed, settled = hand.use(pair, serial, **how)  # type: ignore[arg-type]
            hand.record(serial, redeemed)
            return serial, accepted, redeemed, settled
    return None


def _strange(hand: Hand, serial: str, series: Series) -> Expected | None:
    """Use a coupon that is not good, with a wager that loses."""
    for pair in _lost(hand):
        if hand.fitting(series, pair):
            _, redeemed, _ = hand.use(pair, serial, cents=series.cents)
            return Expected((redeemed,), (serial,))
    return None


def _to_cancel(hand: Hand, expected: Expected) -> Expected:
    """Finance cancels what came out of the box, however the patron came by it."""
    for fact, serial in zip(expected.facts, expected.serials, strict=True):
        assert isinstance(fact, CouponRedeemed)
        hand.record(serial, fact)
    return expected


def not_in_box(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It is redeemed, and nobody finds it in the box."""
    used = _used(hand, _decided(hand))
    if used is None:
        return None
    serial, _, redeemed, _ = used
    hand.stock.today.boxes[hand.table.spec.name].remove(serial)
    return Expected((redeemed,), (serial,))


def not_redeemed(hand: Hand, kind: CouponKind) -> Expected | None:
    """A patron's coupon gets into the box without having been used."""
    mine = [s for s in hand.stock.patrons if series_of(s) in HANDED]
    if not mine:
        return None
    serial = mine[int(hand.rng.random() * len(mine))]
    hand.stock.patrons.remove(serial)
    name = hand.table.spec.name
    hand.stock.today.boxes.setdefault(name, []).append(serial)
    awaited = Awaited(kind, serial, kind.code, kind.cite)
    hand.stock.today.awaited.setdefault(name, []).append(awaited)
    return Expected((), (serial,))


def another_box(hand: Hand, kind: CouponKind) -> Expected | None:
    """It is redeemed here and found in the box of a table that has not closed yet."""
    others = sorted(hand.stock.open - {hand.table.spec.name})
    if not others:
        return None
    used = _used(hand, _decided(hand))
    if used is None:
        return None
    serial = used[0]
    other = others[int(hand.rng.random() * len(others))]
    today = hand.stock.today
    today.boxes[hand.table.spec.name].remove(serial)
    today.boxes.setdefault(other, []).append(serial)
    today.awaited.setdefault(other, []).append(Awaited(kind, serial, kind.code, kind.cite))
    return Expected((), (serial,))


def redeemed_twice(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """A second coupon of a number that was redeemed at another table half an hour ago."""
    for use in (one for one in hand.stock.today.uses if not one.planted):
        series = series_of(use.serial)
        old = hand.pairs[0].placed.event_time - use.fact.event_time > 30 * MINUTE
        if old and use.table != hand.table.spec.name and series in HANDED:
            coupon = _strange(hand, use.serial, series)
            if coupon is not None:
                return coupon
    return None


def never_issued(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It lies in finance's stock by the books."""
    for series in _WIDEST:
        mine = [s for s in hand.stock.finance if series_of(s) is series]
        mine = [s for s in mine if s not in hand.stock.spent]
        expected = _strange(hand, max(mine), series) if mine else None
        if expected is not None:
            hand.stock.spent.add(expected.serials[0])
            hand.stock.finance.remove(expected.serials[0])  # whoever counts the stock misses it
            return _to_cancel(hand, expected)
    return None


def never_received(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """A number of the series beyond all deliveries."""
    for series in _WIDEST:
        expected = _strange(hand, series.serial(9_000_001 + hand.stock.strange), series)
        if expected is not None:
            hand.stock.strange += 1
            return _to_cancel(hand, expected)
    return None


def voided_redeemed(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It was voided before."""
    for serial in filter(hand.stock.good, hand.stock.voided):
        series = series_of(serial)
        expected = _strange(hand, serial, series) if series is not None else None
        if expected is not None:
            hand.stock.voided.remove(serial)
            return _to_cancel(hand, expected)
    return None


def counterfeit(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """Its number is of no series; those who count set it aside."""
    expected = _strange(hand, f"Q99-{4_711 + hand.stock.strange:07d}", SERIES[1])
    if expected is None:
        return None
    hand.stock.strange += 1
    name, today = hand.table.spec.name, hand.stock.today
    today.boxes[name].remove(expected.serials[0])
    today.unreadable[name] = today.unreadable.get(name, 0) + 1
    return expected


def past_its_day(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It was given to the patron in time, and used too late."""
    mine = [s for s in hand.stock.expired if series_of(s) is SHORT]
    expected = _strange(hand, mine[0], SHORT) if mine else None
    if expected is not None:
        serial = expected.serials[0]
        hand.stock.expired.remove(serial)
        redeemed = expected.facts[0]
        assert isinstance(redeemed, CouponRedeemed), "it was redeemed"
        hand.record(serial, redeemed)
    return expected


def other_denomination(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """The dealer keys in another value than its own."""
    used = _used(hand, _lost(hand))
    if used is None:
        return None
    serial, _, redeemed, _ = used
    wrong = replace(redeemed, denomination_cents=OTHER[redeemed.denomination_cents == OTHER[0]])
    hand.draft.swap(redeemed, wrong)
    _instead(hand, redeemed, wrong)
    return Expected((wrong,), (serial,))


def _instead(hand: Hand, old: CouponRedeemed, new: CouponRedeemed) -> None:
    uses = hand.stock.today.uses
    uses[:] = [replace(use, fact=new) if use.fact is old else use for use in uses]


def outside_its_terms(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It is good for even wagers only, and lies with another."""
    mine = [s for s in hand.stock.patrons if series_of(s) is SHORT]
    for pair in _lost(hand):
        if mine and not SHORT.allows(pair.placed.wager) and hand.fitting(SHORT, pair, terms=False):
            hand.stock.patrons.remove(mine[0])
            _, redeemed, _ = hand.use(pair, mine[0])
            hand.record(mine[0], redeemed)
            return Expected((_placed(hand, pair),), (mine[0],))
    return None


def _placed(hand: Hand, pair: Pair) -> Fact:
    """The wager as it now stands in the round."""
    return next(
        fact for fact in hand.draft.facts if getattr(fact, "wager_id", None) == pair.placed.wager_id
    )


def few_chips(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """The chips are worth less than the coupon, and it is taken all the same."""
    mine = [s for s in hand.stock.patrons if series_of(s) is SERIES[0]]
    for pair in _lost(hand):
        if mine and pair.placed.stake_cents < SERIES[0].cents:
            hand.stock.patrons.remove(mine[0])
            _, redeemed, _ = hand.use(pair, mine[0])
            hand.record(mine[0], redeemed)
            return Expected((_placed(hand, pair),), (mine[0],))
    return None


def second_in_round(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """A patron's second coupon: in the round from 2014, with the wager before."""
    per_round = hand.stock.day >= PER_ROUND
    for second in _lost(hand):
        for first in hand.pairs:
            mine = first.placed.patron == second.placed.patron and first is not second
            if (mine and first.lost) if per_round else first is second:
                expected = _two(hand, first, second)
                if expected is not None:
                    cite = None if per_round else "525.22(d)"
                    return replace(expected, cite=cite)
    return None


def _two(hand: Hand, first: Pair, second: Pair) -> Expected | None:
    pairs = (
        [first, second] if first.placed.event_time <= second.placed.event_time else [second, first]
    )
    if any(pair.placed.stake_cents < 2 * SERIES[1].cents for pair in pairs):
        return None
    taken: list[str] = []
    for pair in pairs:
        serial = hand.take(pair, SERIES[1])
        if serial is None:
            hand.stock.patrons += taken
            return None
        taken.append(serial)
    for pair, serial in zip(pairs, taken, strict=True):
        _, redeemed, _ = hand.use(pair, serial)
        hand.record(serial, redeemed)
    return Expected((_placed(hand, pairs[1]),), tuple(taken))


def overpaid(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """A chip more than its terms say is paid on it."""
    return _paid(hand, CHIP, ())


def underpaid(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """The chips are paid, the coupon is not."""
    return _paid(hand, None, ())


def _paid(hand: Hand, more: int | None, wanted: tuple[Series, ...]) -> Expected | None:
    for pair in (one for one in hand.pairs if one.won):
        serial = hand.take(pair, *wanted)
        series = series_of(serial) if serial is not None else None
        if serial is None or series is None:
            continue
        right = series.wins(pair.placed.stake_cents, pair.settled.winnings_cents) or 0
        _, redeemed, settled = hand.use(pair, serial, adds=0 if more is None else right + more)
        hand.record(serial, redeemed)
        return Expected((settled,), (serial,))
    return None


def kept_by_dealer(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It goes into no box when its wager is decided, and into none later."""
    used = _used(hand, _decided(hand), box=False)
    return None if used is None else Expected((used[2],), (used[0],))


def expiry_unchecked(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """The dealer does not look at the day on a mailed coupon."""
    used = _used(hand, _decided(hand), MAILED, expiry_checked=False)
    return None if used is None else Expected((used[1],), (used[0],))


def on_top(hand: Hand, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It lies on the chips, not underneath."""
    used = _used(hand, _decided(hand), place=CouponPlace.ON_CHIPS)
    return None if used is None else Expected((used[1],), (used[0],))


CHANGES: Final[dict[str, Change]] = {
    "coupon_not_in_box": not_in_box,
    "coupon_not_redeemed": not_redeemed,
    "coupon_redeemed_twice": redeemed_twice,
    "coupon_never_issued": never_issued,
    "coupon_never_received": never_received,
    "coupon_voided_redeemed": voided_redeemed,
    "coupon_counterfeit": counterfeit,
    "coupon_past_its_day": past_its_day,
    "coupon_other_denomination": other_denomination,
    "coupon_outside_its_terms": outside_its_terms,
    "coupon_with_few_chips": few_chips,
    "coupon_second_in_round": second_in_round,
    "coupon_overpaid": overpaid,
    "coupon_underpaid": underpaid,
    "coupon_kept_by_dealer": kept_by_dealer,
    "coupon_in_another_box": another_box,
    "coupon_expiry_unchecked": expiry_unchecked,
    "coupon_on_top": on_top,
}
"""What each kind does to a round."""
