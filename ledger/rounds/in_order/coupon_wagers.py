"""The wagers of one round with which coupons lie: what no table can know of them.

A coupon counts by the custody of its own serial number, which is asked of the coupons' book once,
and by the coupons beside it. So wagers with coupons are followed by the readable book and desk,
fact by fact, and settled by the readable end of a round that holds them alone; the round is in
order only where these find nothing at all. The room, the house and all other wagers of the round
are read from tables as ever.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from ledger import events
from ledger.games.room import Breach, Decided, DecidedSome, Returned, Rules, State
from ledger.kernel import FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds.copying import copied
from ledger.rounds.coupon_desk import CouponDesk
from ledger.rounds.coupon_use import accepted as taken
from ledger.rounds.ending import Ending, end_round
from ledger.rounds.in_order.unlooked import LookedInto
from ledger.rounds.placed import PlacedWager, is_of_coupon, is_of_wager
from ledger.rounds.result import WagerResult
from ledger.rounds.round import Round
from ledger.rounds.round_status import RoundStatus
from ledger.rounds.wager_facts import take_coupon_fact, take_wager_fact
from ledger.rounds.wager_timing import accepted

if TYPE_CHECKING:
    from ledger.rounds.in_order.room_rows import Decision


@dataclass(slots=True, kw_only=True)
class Counter:
    """Where the coupons of a table stood before a run of rounds.

    Args:
        desk: as the readable engine keeps it; it is not changed.
        pending: the rounds that the engine has yet to hand out: it is not told yet of their coupons
            whether they went into a box.
    """

    desk: CouponDesk
    pending: tuple[Round, ...]


class CouponWagers:
    """The wagers with coupons of one round.

    Args:
        counter: where the coupons stood.
        rules: those in force.
        day: the gaming day.
        opened: the fact that opened the round.
        wagers: the ids of the wagers with which coupons lie, or may.
    """

    __slots__ = ("_counter", "_day", "_desk", "_round", "wagers")

    def __init__(
        self,
        counter: Counter,
        rules: Rules,
        day: date,
        opened: events.Fact,
        wagers: frozenset[str],
    ) -> None:
        self._counter, self._day, self.wagers = counter, day, wagers
        self._desk = copied(counter.desk, counter.desk.lookup)
        self._round = Round(opened=opened, ref=ref_of(opened), day=day, rules=rules)

    def take(self, fact: events.Fact, house: Any, before: State, at: int) -> bool:
        """Follow one fact of these wagers or of their coupons; return whether it is in order.

        Args:
            fact: what came.
            house: what judges a stake there; nothing else can be read of it.
            before: the state of the room before the fact.
            at: the moment at which it was merged, microseconds UTC.
        """
        breaches: Iterable[Breach]
        try:
            if is_of_wager(fact):
                breaches = take_wager_fact(
                    self._desk, house, self._round.rules, fact, self._round, before, at, self._day
                )
            elif is_of_coupon(fact) and self._is_expected(fact):
                breaches = take_coupon_fact(
                    self._desk, house, fact, self._round, before, at, self._day
                )
            else:
                return False
            return is_kept([*breaches])
        except (LookedInto, AttributeError):
            return False

    def _is_expected(self, fact: Any) -> bool:
        """Whether a fact of a coupon can be of no round that the engine has yet to hand out.

        Only then is it known whether an earlier round left the coupon outside the box.
        """
        if self._desk.knows(self._round, fact):
            return True
        by_serial = replace(fact, wager_id=None)
        return not any(self._desk.knows(round_, by_serial) for round_ in self._counter.pending)

    def decide(self, by: Decision, fact: FactRef, names: Collection[str] | None) -> None:
        """Decide the wagers of some names, or all, that nothing has decided yet.

        Args:
            by: what decides them.
            fact: the fact that does.
            names: None where the round is decided.
        """
        if names is None:
            self._round.resolution = replace(by, fact=fact)
        elif isinstance(by, Decided):
            self._round.book.decide(DecidedSome(wagers=frozenset(names), by=replace(by, fact=fact)))

    def closes(self, fact: events.Fact) -> bool:
        """Close betting by a fact; return whether what lies there then is in order."""
        self._round.closed_by = fact
        return self._is_accepted()

    def _is_accepted(self) -> bool:
        breaches = [*accepted(self._desk.office, self._round), *taken(self._desk, self._round)]
        return is_kept(breaches)

    def ends(self, decided: Decision, fact: FactRef) -> Sequence[WagerResult] | None:
        """End the round, and return what its wagers with coupons came to; None: it falls back.

        Args:
            decided: what decided the round.
            fact: the fact that did.
        """
        self._round.resolution = replace(decided, fact=fact)
        if not self._is_accepted():
            return None
        ending = Ending(
            table=self._desk.table, desk=self._desk, explain=False, firm=True, by_table=False
        )
        finish, breaches = end_round(self._round, ending)
        result = finish(())
        due = RoundStatus.VOID if isinstance(decided, Returned) else RoundStatus.SETTLED
        return result.wagers if is_kept(breaches) and result.status is due else None

    def wager(self, wager_id: str) -> PlacedWager:
        """Return a wager as it lies."""
        return self._round.book.wagers[wager_id]


def is_kept(breaches: Sequence[Breach]) -> bool:
    """Whether wagers and coupons keep every duty."""
    return not breaches
