"""Plants in how coupons are used at a table: each changes one round, or says that it cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Final

from ledger.events import CouponPlace, CouponRedeemed, Fact
from ledger.floor.coupon_kinds import CouponKind
from ledger.floor.coupon_play import OTHER, CouponRound, Pair
from ledger.floor.coupon_stock import AwaitedFinding
from ledger.floor.coupon_terms import HANDED, MAILED, SERIES, SHORT, Series, series_of
from ledger.floor.patron_habits import CHIP
from ledger.floor.stream_pens import MINUTE
from ledger.kernel.quick_dataclass import dataclass

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


Change = Callable[[CouponRound, CouponKind], Expected | None]


def _decided_pairs(coupon_round: CouponRound) -> list[Pair]:
    return [pair for pair in coupon_round.pairs if pair.won or pair.lost]


def _lost_pairs(coupon_round: CouponRound) -> list[Pair]:
    return [pair for pair in coupon_round.pairs if pair.lost]


def _used(
    coupon_round: CouponRound, pairs: list[Pair], *wanted: Series, **how: object
) -> tuple[str, Fact, CouponRedeemed, Fact] | None:
    """Use a good coupon in the first place that allows it."""
    for pair in pairs:
        serial = coupon_round.take(pair, *wanted)
        if serial is not None:
            accepted, redeemed, settled = coupon_round.use(pair, serial, **how)  # type: ignore[arg-type]
            coupon_round.record(serial, redeemed)
            return serial, accepted, redeemed, settled
    return None


def _use_bad_coupon(coupon_round: CouponRound, serial: str, series: Series) -> Expected | None:
    """Use a coupon that is not good, with a wager that loses."""
    for pair in _lost_pairs(coupon_round):
        if coupon_round.fitting(series, pair):
            _, redeemed, _ = coupon_round.use(pair, serial, cents=series.cents)
            return Expected((redeemed,), (serial,))
    return None


def _to_cancel(coupon_round: CouponRound, expected: Expected) -> Expected:
    """Finance cancels what came out of the box, however the patron came by it."""
    for fact, serial in zip(expected.facts, expected.serials, strict=True):
        assert isinstance(fact, CouponRedeemed)
        coupon_round.record(serial, fact)
    return expected


def not_in_box(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It is redeemed, and nobody finds it in the box."""
    used = _used(coupon_round, _decided_pairs(coupon_round))
    if used is None:
        return None
    serial, _, redeemed, _ = used
    coupon_round.stock.today.boxes[coupon_round.table.spec.name].remove(serial)
    return Expected((redeemed,), (serial,))


def not_redeemed(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:
    """A patron's coupon gets into the box without having been used."""
    mine = [s for s in coupon_round.stock.patrons if series_of(s) in HANDED]
    if not mine:
        return None
    serial = mine[int(coupon_round.rng.random() * len(mine))]
    coupon_round.stock.patrons.remove(serial)
    name = coupon_round.table.spec.name
    coupon_round.stock.today.boxes.setdefault(name, []).append(serial)
    awaited = AwaitedFinding(kind, serial, kind.code, kind.cite)
    coupon_round.stock.today.awaited.setdefault(name, []).append(awaited)
    return Expected((), (serial,))


def another_box(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:
    """It is redeemed here and found in the box of a table that has not closed yet."""
    others = sorted(coupon_round.stock.open - {coupon_round.table.spec.name})
    if not others:
        return None
    used = _used(coupon_round, _decided_pairs(coupon_round))
    if used is None:
        return None
    serial = used[0]
    other = others[int(coupon_round.rng.random() * len(others))]
    today = coupon_round.stock.today
    today.boxes[coupon_round.table.spec.name].remove(serial)
    today.boxes.setdefault(other, []).append(serial)
    today.awaited.setdefault(other, []).append(AwaitedFinding(kind, serial, kind.code, kind.cite))
    return Expected((), (serial,))


def redeemed_twice(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """A second coupon of a number that was redeemed at another table half an hour ago."""
    for use in (one for one in coupon_round.stock.today.uses if not one.planted):
        series = series_of(use.serial)
        old = coupon_round.pairs[0].placed.event_time - use.fact.event_time > 30 * MINUTE
        if old and use.table != coupon_round.table.spec.name and series in HANDED:
            coupon = _use_bad_coupon(coupon_round, use.serial, series)
            if coupon is not None:
                return coupon
    return None


def never_issued(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It lies in finance's stock by the books."""
    for series in _WIDEST:
        mine = [s for s in coupon_round.stock.finance if series_of(s) is series]
        mine = [s for s in mine if s not in coupon_round.stock.spent]
        expected = _use_bad_coupon(coupon_round, max(mine), series) if mine else None
        if expected is not None:
            coupon_round.stock.spent.add(expected.serials[0])
            # whoever counts the stock misses it
            coupon_round.stock.finance.remove(expected.serials[0])
            return _to_cancel(coupon_round, expected)
    return None


def never_received(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """A number of the series beyond all deliveries."""
    for series in _WIDEST:
        expected = _use_bad_coupon(
            coupon_round, series.serial(9_000_001 + coupon_round.stock.strange), series
        )
        if expected is not None:
            coupon_round.stock.strange += 1
            return _to_cancel(coupon_round, expected)
    return None


def voided_redeemed(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It was voided before."""
    for serial in filter(coupon_round.stock.good, coupon_round.stock.voided):
        series = series_of(serial)
        expected = _use_bad_coupon(coupon_round, serial, series) if series is not None else None
        if expected is not None:
            coupon_round.stock.voided.remove(serial)
            return _to_cancel(coupon_round, expected)
    return None


def counterfeit(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """Its number is of no series; those who count set it aside."""
    expected = _use_bad_coupon(
        coupon_round, f"Q99-{4_711 + coupon_round.stock.strange:07d}", SERIES[1]
    )
    if expected is None:
        return None
    coupon_round.stock.strange += 1
    name, today = coupon_round.table.spec.name, coupon_round.stock.today
    today.boxes[name].remove(expected.serials[0])
    today.unreadable[name] = today.unreadable.get(name, 0) + 1
    return expected


def past_its_day(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It was given to the patron in time, and used too late."""
    mine = [s for s in coupon_round.stock.expired if series_of(s) is SHORT]
    expected = _use_bad_coupon(coupon_round, mine[0], SHORT) if mine else None
    if expected is not None:
        serial = expected.serials[0]
        coupon_round.stock.expired.remove(serial)
        redeemed = expected.facts[0]
        assert isinstance(redeemed, CouponRedeemed), "it was redeemed"
        coupon_round.record(serial, redeemed)
    return expected


def other_denomination(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """The dealer keys in another value than its own."""
    used = _used(coupon_round, _lost_pairs(coupon_round))
    if used is None:
        return None
    serial, _, redeemed, _ = used
    wrong = replace(redeemed, denomination_cents=OTHER[redeemed.denomination_cents == OTHER[0]])
    coupon_round.draft.swap(redeemed, wrong)
    _replace_use(coupon_round, redeemed, wrong)
    return Expected((wrong,), (serial,))


def _replace_use(coupon_round: CouponRound, old: CouponRedeemed, new: CouponRedeemed) -> None:
    uses = coupon_round.stock.today.uses
    uses[:] = [replace(use, fact=new) if use.fact is old else use for use in uses]


def outside_its_terms(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It is good for even wagers only, and lies with another."""
    mine = [s for s in coupon_round.stock.patrons if series_of(s) is SHORT]
    for pair in _lost_pairs(coupon_round):
        if (
            mine
            and not SHORT.allows(pair.placed.wager)
            and coupon_round.fitting(SHORT, pair, terms=False)
        ):
            coupon_round.stock.patrons.remove(mine[0])
            _, redeemed, _ = coupon_round.use(pair, mine[0])
            coupon_round.record(mine[0], redeemed)
            return Expected((_placed(coupon_round, pair),), (mine[0],))
    return None


def _placed(coupon_round: CouponRound, pair: Pair) -> Fact:
    """The wager as it now stands in the round."""
    return next(
        fact
        for fact in coupon_round.draft.facts
        if getattr(fact, "wager_id", None) == pair.placed.wager_id
    )


def few_chips(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """The chips are worth less than the coupon, and it is taken all the same."""
    mine = [s for s in coupon_round.stock.patrons if series_of(s) is SERIES[0]]
    for pair in _lost_pairs(coupon_round):
        if mine and pair.placed.stake_cents < SERIES[0].cents:
            coupon_round.stock.patrons.remove(mine[0])
            _, redeemed, _ = coupon_round.use(pair, mine[0])
            coupon_round.record(mine[0], redeemed)
            return Expected((_placed(coupon_round, pair),), (mine[0],))
    return None


def second_in_round(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """A patron's second coupon: in the round from 2014, with the wager before."""
    per_round = coupon_round.stock.day >= PER_ROUND
    for second in _lost_pairs(coupon_round):
        for first in coupon_round.pairs:
            mine = first.placed.patron == second.placed.patron and first is not second
            if (mine and first.lost) if per_round else first is second:
                expected = _used_together(coupon_round, first, second)
                if expected is not None:
                    cite = None if per_round else "525.22(d)"
                    return replace(expected, cite=cite)
    return None


def _used_together(coupon_round: CouponRound, first: Pair, second: Pair) -> Expected | None:
    pairs = (
        [first, second] if first.placed.event_time <= second.placed.event_time else [second, first]
    )
    if any(pair.placed.stake_cents < 2 * SERIES[1].cents for pair in pairs):
        return None
    taken: list[str] = []
    for pair in pairs:
        serial = coupon_round.take(pair, SERIES[1])
        if serial is None:
            coupon_round.stock.patrons += taken
            return None
        taken.append(serial)
    for pair, serial in zip(pairs, taken, strict=True):
        _, redeemed, _ = coupon_round.use(pair, serial)
        coupon_round.record(serial, redeemed)
    return Expected((_placed(coupon_round, pairs[1]),), tuple(taken))


def overpaid(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """A chip more than its terms say is paid on it."""
    return _wrongly_paid(coupon_round, CHIP, ())


def underpaid(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """The chips are paid, the coupon is not."""
    return _wrongly_paid(coupon_round, None, ())


def _wrongly_paid(
    coupon_round: CouponRound, more: int | None, wanted: tuple[Series, ...]
) -> Expected | None:
    for pair in (one for one in coupon_round.pairs if one.won):
        serial = coupon_round.take(pair, *wanted)
        series = series_of(serial) if serial is not None else None
        if serial is None or series is None:
            continue
        right = series.wins(pair.placed.stake_cents, pair.settled.winnings_cents) or 0
        _, redeemed, settled = coupon_round.use(
            pair, serial, adds=0 if more is None else right + more
        )
        coupon_round.record(serial, redeemed)
        return Expected((settled,), (serial,))
    return None


def kept_by_dealer(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It goes into no box when its wager is decided, and into none later."""
    used = _used(coupon_round, _decided_pairs(coupon_round), box=False)
    return None if used is None else Expected((used[2],), (used[0],))


def expiry_unchecked(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """The dealer does not look at the day on a mailed coupon."""
    used = _used(coupon_round, _decided_pairs(coupon_round), MAILED, expiry_checked=False)
    return None if used is None else Expected((used[1],), (used[0],))


def on_top(coupon_round: CouponRound, kind: CouponKind) -> Expected | None:  # noqa: ARG001
    """It lies on the chips, not underneath."""
    used = _used(coupon_round, _decided_pairs(coupon_round), place=CouponPlace.ON_CHIPS)
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
