"""What one fact of a wager, or of a coupon with it, breaks in the round under way.

Book and desk follow the fact; whoever plays a round hands it to them, by whatever path.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from ledger import events
from ledger.games.room import Breach, Rules, State
from ledger.house import TableHouse
from ledger.rounds.coupon_desk import CouponDesk
from ledger.rounds.placed import CouponFact, WagerFact
from ledger.rounds.round import Round
from ledger.rounds.wager_timing import moment, refused, was_early


def take_wager_fact(
    desk: CouponDesk,
    house: TableHouse,
    rules: Rules,
    fact: WagerFact,
    open_round: Round,
    before: State,
    at: int,
    day: date,
) -> list[Breach]:
    """Let the book follow a fact of a wager, and the desk the coupons with it.

    Args:
        desk: the coupons of the table.
        house: what holds at the table.
        rules: those in force.
        fact: what came.
        open_round: the round; it is changed.
        before: the room's state before the fact.
        at: the moment at which the fact was merged, microseconds UTC.
        day: its gaming day.
    """
    breaches: list[Breach] = []
    if isinstance(fact, events.WagerSettled):
        breaches += was_early(open_round, fact) if open_round.early else ()
        breaches += open_round.book.settle(rules, fact, open_round.shown)
    else:
        when = moment(desk.office, open_round, before, fact)
        breaches += open_round.book.take(rules, house, fact, when)
    if isinstance(fact, (events.WagerReturned, events.WagerSettled)):
        refused(open_round, fact)
    if open_round.coupons or (isinstance(fact, events.WagerPlaced) and fact.coupons):
        desk.follow(house, open_round, fact, at, day)
    return breaches


def take_coupon_fact(
    desk: CouponDesk,
    house: TableHouse,
    fact: CouponFact,
    open_round: Round,
    before: State,
    at: int,
    day: date,
) -> Iterable[Breach]:
    """Let the desk follow a fact of a coupon; arguments as those of ``take_wager_fact``.

    The result must be iterated to its end: the fact is followed only then.
    """
    return desk.take(
        house, open_round, fact, at, day, moment(desk.office, open_round, before, fact)
    )
