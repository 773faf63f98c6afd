"""Coupons in a round of play: laid with a wager, paid or lost with it, put into the drop box.

The hook is one function over a finished step, for every game: a wager that was placed and settled
in the round, and neither raised, moved nor taken away, can have a coupon. Nothing left to chance in
the round itself is touched, so a table plays as it would without coupons; what coupons win comes
from the rack. Law: 58 Pa. Code § 525.22.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from ledger import events
from ledger.floor.coupon_stock import CouponUse, Stock
from ledger.floor.coupon_terms import SERIES, UNFIT, Series, series_of
from ledger.floor.draft import Draft
from ledger.floor.stream_pens import LEAST_GAP, Stamp
from ledger.floor.table_state import Table
from ledger.kernel.quick_dataclass import dataclass

ACCEPTED: Final = 150_000
REDEEMED: Final = 200_000
"""How long after the wager, and after its settlement, in microseconds."""
OTHER: Final = (7_500, 5_000)


@dataclass(frozen=True, slots=True)
class Pair:
    """A wager of the round and its only settlement."""

    placed: events.WagerPlaced
    settled: events.WagerSettled

    @property
    def won(self) -> bool:
        """Whether it won."""
        return self.settled.outcome is events.SettledAs.WON

    @property
    def lost(self) -> bool:
        """Whether it lost."""
        return self.settled.outcome is events.SettledAs.LOST


@dataclass(slots=True)
class CouponRound:
    """A round in which coupons may be used: its table, its changing facts, its wagers."""

    stock: Stock
    table: Table
    draft: Draft
    pairs: list[Pair]
    rng: Random

    def fitting(self, series: Series, pair: Pair, *, terms: bool = True) -> bool:
        """Whether a coupon of a series may lawfully lie with a wager.

        Args:
            series: that of the coupon.
            pair: patron and wager.
            terms: whether the terms printed on the coupon are asked, too.
        """
        placed = pair.placed
        limit = self.table.spec.payout_limit
        adds = series.wins(placed.stake_cents, pair.settled.winnings_cents)
        return (
            series.cents <= placed.stake_cents
            and placed.stake_cents + series.cents <= self.table.limits.highest(placed.wager)
            and placed.wager not in UNFIT
            and (not terms or series.allows(placed.wager))
            and (series.games is None or self.table.spec.game in series.games)
            and (not pair.won or adds is not None)
            and (limit is None or 4 * pair.settled.winnings_cents <= limit)
        )

    def take(self, pair: Pair, *wanted: Series) -> str | None:
        """A coupon that a patron has and may use with a wager; it is with no patron any more."""
        allowed = [one for one in wanted or SERIES if self.fitting(one, pair)]
        if not allowed:
            return None
        chosen = allowed[int(self.rng.random() * len(allowed))]
        mine = [serial for serial in self.stock.patrons if series_of(serial) is chosen]
        if not mine:
            return None
        serial = mine[int(self.rng.random() * len(mine))]
        self.stock.patrons.remove(serial)
        return serial

    def use(
        self,
        pair: Pair,
        serial: str,
        *,
        cents: int | None = None,
        adds: int | None = None,
        box: bool = True,
        **taken: object,
    ) -> tuple[events.CouponAccepted, events.CouponRedeemed, events.WagerSettled]:
        """Lay a coupon with a wager and redeem it when that is settled.

        Args:
            pair: the wager and its settlement.
            serial: the coupon's serial number.
            cents: its value, None: that of its series.
            adds: what is paid on it, None: what its terms say.
            box: whether it is put into the table's drop box.
            taken: what is otherwise recorded when it is taken.
        """
        series = series_of(serial)
        worth = cents or (series.cents if series is not None else 0)
        settled = pair.settled
        accepted, second = self.lay(pair, serial, worth, **taken)
        if pair.won:
            if adds is None:
                adds = series.wins(pair.placed.stake_cents, settled.winnings_cents) if series else 0
            paid = replace(settled, winnings_cents=settled.winnings_cents + (adds or 0))
            self.draft.swap(settled, paid)
            settled = paid
        name = self.table.spec.name
        redeemed = events.CouponRedeemed(
            **_stamp(settled, settled.event_time + REDEEMED + LEAST_GAP * second),
            serial=serial,
            wager_id=settled.wager_id,
            denomination_cents=worth,
            decided=settled.outcome,
            paid_cents=adds if pair.won else 0,
            box_table=name if box else None,
            box=f"BX-{name}-{self.table.day}" if box else None,
            redeemed_by=settled.recorded_by,
            role=events.Role.DEALER,
        )
        self.draft.insert(redeemed)
        if box:
            self.stock.today.boxes.setdefault(name, []).append(serial)
        self.stock.redeem(serial)
        return accepted, redeemed, settled

    def lay(
        self, pair: Pair, serial: str, denomination_cents: int, **taken: object
    ) -> tuple[events.CouponAccepted, int]:
        """Lay a coupon under the chips of a wager: the fact, and how many lay there before.

        Args:
            pair: patron and wager.
            serial: of the coupon.
            denomination_cents: what is printed on it.
            taken: fields of the fact that say how it was accepted.
        """
        placed = pair.placed
        standing = next(
            fact
            for fact in self.draft.facts
            if isinstance(fact, events.WagerPlaced) and fact.wager_id == placed.wager_id
        )
        before = len(standing.coupons)
        on = min(denomination_cents, placed.stake_cents)
        laid = events.CouponLaid(serial=serial, chips_cents=on)
        self.draft.swap(standing, replace(standing, coupons=(*standing.coupons, laid)))
        accepted = events.CouponAccepted(
            **_stamp(placed, placed.event_time + ACCEPTED + LEAST_GAP * before),
            serial=serial,
            wager_id=placed.wager_id,
            denomination_cents=denomination_cents,
            accepted_by=placed.recorded_by,
            role=events.Role.DEALER,
            place=events.CouponPlace.UNDER_CHIPS,
            area=events.CouponArea.BETTING_AREA,
            value_visible=True,
            expiry_checked=True,
            chips_on_cents=on,
            chips_beside_cents=placed.stake_cents - on,
        )
        accepted = replace(accepted, **taken)  # type: ignore[arg-type]
        self.draft.insert(accepted)
        return accepted, before

    def record(self, serial: str, redeemed: events.CouponRedeemed, *, planted: bool = True) -> None:
        """Note a redemption that finance will cancel."""
        self.stock.today.uses.append(CouponUse(serial, self.table.spec.name, redeemed, planted))


def _stamp(like: events.Fact, at: int) -> Stamp:
    return {
        "stream": like.stream,
        "seq": 0,
        "event_time": at,
        "source": like.source,
        "recorded_by": like.recorded_by,
    }


def pairs_of(draft: Draft) -> list[Pair]:
    """The wagers that were placed and settled in this round and not touched in between."""
    facts: dict[str, list[events.Fact]] = {}
    for fact in draft.facts:
        name = getattr(fact, "wager_id", None)
        if name is not None:
            facts.setdefault(name, []).append(fact)
    return [
        Pair(mine[0], mine[1])
        for mine in facts.values()
        if len(mine) == 2
        and isinstance(mine[0], events.WagerPlaced)
        and isinstance(mine[1], events.WagerSettled)
    ]


def use_lawfully(coupon_round: CouponRound) -> None:
    """One patron uses a coupon, or is refused one, or gets it back with an undecided wager."""
    pair = coupon_round.pairs[int(coupon_round.rng.random() * len(coupon_round.pairs))]
    if coupon_round.rng.random() < 0.12 and pair.placed.stake_cents < SERIES[0].cents:
        _refuse(coupon_round, pair)
        return
    serial = coupon_round.take(pair)
    if serial is None:
        return
    if pair.settled.outcome is events.SettledAs.RETURNED:
        _give_back(coupon_round, pair, serial)
        return
    _, redeemed, _ = coupon_round.use(pair, serial)
    coupon_round.record(serial, redeemed, planted=False)


def _refuse(coupon_round: CouponRound, pair: Pair) -> None:
    """The chips are worth less than the coupon: the dealer does not take it."""
    mine = [serial for serial in coupon_round.stock.patrons if series_of(serial) is SERIES[0]]
    if not mine:
        return
    placed = pair.placed
    coupon_round.draft.insert(
        events.CouponRefused(
            **_stamp(placed, placed.event_time + ACCEPTED),
            serial=mine[0],
            wager_id=placed.wager_id,
            fault=events.CouponFault.CHIPS_BELOW_VALUE,
            remark="the chips are worth less than the coupon",
            refused_by=placed.recorded_by,
        )
    )


def _give_back(coupon_round: CouponRound, pair: Pair, serial: str) -> None:
    """The wager is handed back undecided, and the coupon with it: it is good as before."""
    settled, series = pair.settled, series_of(serial)
    assert series is not None, "patrons' coupons are of a series"
    coupon_round.lay(pair, serial, series.cents)
    coupon_round.draft.insert(
        events.CouponGivenBack(
            **_stamp(settled, settled.event_time + REDEEMED),
            serial=serial,
            wager_id=settled.wager_id,
            reason="the wager was handed back undecided",
            given_by=settled.recorded_by,
        )
    )
    coupon_round.stock.today.back.append(serial)


def close_box(stock: Stock, table: Table) -> None:
    """The table closes and its box is taken away with the coupons in it."""
    stock.open.discard(table.spec.name)
    stock.taken[table.spec.name] = tuple(stock.today.boxes.get(table.spec.name, ()))


def count_box(stock: Stock, table: Table, draft: Draft) -> None:
    """The coupons in the box stand in the count of its cash, too."""
    serials = stock.taken.pop(table.spec.name, ())
    for fact in draft.facts:
        if isinstance(fact, events.DropBoxCounted) and serials:
            draft.swap(fact, replace(fact, coupons=serials))


def opened_of(draft: Draft) -> events.BettingOpened | None:
    """The fact by which the round began."""
    return next((fact for fact in draft.facts if isinstance(fact, events.BettingOpened)), None)
