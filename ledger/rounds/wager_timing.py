"""Where a round stood when a wager was touched: what came too late, what was settled too soon.

Law: §§ 521.7(c), 539.5(b), 577.5(d), 668a.4 through the rooms' rows. Readings: late-wager,
late-chip-refused, limit-at-acceptance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ledger import events
from ledger.games.room import Breach, Requires, Returned, Rules, State
from ledger.house import Office
from ledger.kernel import FactRef, Severity, ref_of
from ledger.rounds.clock_uncertainty import apart_of, unsure
from ledger.rounds.placed import LayoutFact, Moment, PlacedWager
from ledger.rounds.result import Outcome
from ledger.rounds.round import Round
from ledger.rounds.settle import Due, due, stands_over
from ledger.rounds.wager_book import WagerBook, late

if TYPE_CHECKING:
    from ledger.rounds.placed import CouponFact

SHOWS: Final = frozenset(
    {
        events.CardsDealt,
        events.DiceThrown,
        events.DiceThrownByHand,
        events.HandExposed,
        events.HandSet,
        events.PlayerShook,
        events.WheelSpun,
    }
)
"""The facts by which more of an outcome can be seen."""
LIFTS: Final = (events.WagerTakenDown, events.WagerReturned)
PLAINLY: Final = {
    (is_open, knowable): Moment(is_open, knowable)
    for is_open in (False, True)
    for knowable in (False, True)
}
"""The moments of an ordinary round, by whether betting is open and the outcome can be seen."""


def moment(
    office: Office, open_round: Round, before: State, fact: LayoutFact | CouponFact
) -> Moment:
    """Return where the round stood when this fact of a wager, or of a coupon with one, came.

    Args:
        office: knows how far clocks may be off.
        open_round: the round.
        before: the room's state before the fact.
        fact: what came.
    """
    if isinstance(fact, events.WagerTakenDown) and isinstance(open_round.resolution, Returned):
        return Moment(betting=True, knowable=before.knowable, goes_back=True)  # §§ 539.7(a), (c)
    row, is_open, into = None, before.betting_open, False
    closed_to = open_round.rules.room.closed_to
    if closed_to is not None:
        row = _closed_to(before, open_round, fact)
        is_open = row is None
        if is_open and isinstance(fact, events.WagerMoved):  # where it goes, it is made anew
            row = closed_to(before, fact.wager, False)
            into = row is not None
        if isinstance(fact, events.WagerReturned) and open_round.resolution is not None:
            row = None  # what is decided is not lifted late but settled wrong
    elif open_round.closed_by is None and not open_round.annulled and not open_round.raises:
        return PLAINLY[is_open or _removable(open_round, fact), before.knowable]
    return Moment(
        is_open or _removable(open_round, fact),
        before.knowable,
        open_round.annulled and open_round.pending,
        apart_of(office, open_round.closed_by, fact) if open_round.closed_by is not None else None,
        row,
        into,
        bool(open_round.raises) and ref_of(fact) in open_round.raises,
        open_round.shown,
    )


def unsettled(open_round: Round, ruling: Requires) -> Iterator[str]:
    """Yield the ids of the wagers that the ruling wants settled by now and that are not."""
    for wager in open_round.book.wagers.values():
        if wager.gone is not None or wager.settled or wager.lifted is not None:
            continue
        outcome = due(open_round.rules, open_round.resolution, wager).outcome
        if outcome is Outcome.WON or (ruling.done == "all" and outcome is Outcome.LOST):
            yield wager.wager_id


def was_early(open_round: Round, fact: events.WagerSettled) -> Iterator[Breach]:
    """Yield a breach for each fact that should have waited for this settlement.

    A wager that is never settled is a breach of its own and not reported here as well.
    """
    early_facts: set[FactRef] = set()
    for wager, ruling in open_round.early:
        if wager == fact.wager_id and ruling.fact not in early_facts:
            early_facts.add(ruling.fact)
            facts = (ruling.fact, ref_of(fact))
            yield Breach(duty=ruling.duty, facts=facts)
    if early_facts:
        open_round.early = [item for item in open_round.early if item[1].fact not in early_facts]


def left_lying(open_round: Round) -> Iterator[Breach]:
    """Yield a breach for each fact that should have waited for a settlement still to come.

    It is asked where the record stops within a round: one that ended reports the wager itself.
    """
    for duty, fact in dict.fromkeys((ruling.duty, ruling.fact) for _, ruling in open_round.early):
        yield Breach(duty=duty, facts=(fact,))


def refused(open_round: Round, fact: events.WagerReturned | events.WagerSettled) -> None:
    """Turn the finding on a late chip into a note if the house pushed it back at once.

    Reading late-chip-refused.
    """
    wager = open_round.book.wagers.get(fact.wager_id)
    if wager is None or wager.gone_by is not fact or wager.laid_late is None:
        return
    open_round.findings[:] = [
        replace(
            finding,
            code="late_wager_refused",
            severity=Severity.INFO,
            sentence="A wager laid after betting had closed was pushed back at once.",
            facts=(*finding.facts, ref_of(fact)),
            readings=("late-chip-refused",),
        )
        if finding.code == "late_wager" and finding.wager == fact.wager_id
        else finding
        for finding in open_round.findings
    ]


def collected_late(rules: Rules, book: WagerBook, dues: Mapping[str, Due]) -> Iterator[Breach]:
    """Report, once, a winner paid before every loser was collected (§§ 539.5(e), 689.2(e)).

    Winners and losers are those of the rules: a wager settled the wrong way round is a breach of
    its own.
    """
    if not rules.has("paid_before_collecting"):
        return
    paid: FactRef | None = None
    for wager, outcome, ref in book.settlements:
        should = dues[wager].outcome
        if outcome is events.SettledAs.WON and should is Outcome.WON:
            paid = paid or ref
        elif outcome is events.SettledAs.LOST and should is Outcome.LOST and paid is not None:
            yield Breach(duty=rules.duty("paid_before_collecting"), facts=(paid, ref))
            return


def accepted(office: Office, open_round: Round) -> Iterator[Breach]:
    """Report what the wagers break that were accepted, since they lie there when betting closes.

    Law: § 521.7(c). Reading limit-at-acceptance. It is called again at the round's end, for what
    came late.
    """
    for wager in open_round.book.wagers.values():
        if wager.accepted:
            continue
        if wager.gone is not None:
            yield from _barely_lifted(office, open_round, wager)
            continue
        wager.accepted = True
        apart = None if wager.late else apart_of(office, open_round.closed_by, wager.placed)
        if apart is not None:
            when = Moment(betting=True, knowable=False, apart=apart)
            yield late(open_round.rules, wager.wager_id, wager.placed, when)
        for breach in wager.outside:
            yield replace(breach, facts=(wager.ref,), wager=wager.wager_id)


def _barely_lifted(office: Office, open_round: Round, wager: PlacedWager) -> Iterator[Breach]:
    """Report a wager lifted before betting closed only if the clocks are right."""
    lifted, room = wager.gone_by, open_round.rules.room
    if lifted is None or room.closed_to is not None or wager.wager in room.removable:
        return
    apart = apart_of(office, open_round.closed_by, lifted)
    if apart is not None:
        wager.accepted = True
        facts = (wager.ref, ref_of(lifted))
        breach = Breach(
            duty=open_round.rules.duty("late_take_down"), facts=facts, wager=wager.wager_id
        )
        yield unsure(breach, lifted, apart)


def _closed_to(state: State, open_round: Round, fact: LayoutFact | CouponFact) -> str | None:
    """Return the duty by which this wager may not be touched now, if wagers close apart."""
    closed_to = open_round.rules.room.closed_to
    if closed_to is None:
        return None
    known = open_round.book.wagers.get(fact.wager_id or "")
    if isinstance(fact, events.WagerPlaced) or known is None:
        return closed_to(state, getattr(fact, "wager", ""), False)
    return closed_to(state, known.wager, known.decided is not None)


def _removable(open_round: Round, fact: LayoutFact | CouponFact) -> bool:
    """Whether this fact lifts a wager that may be removed until it is decided."""
    if not isinstance(fact, LIFTS):
        return False
    known = open_round.book.wagers.get(fact.wager_id)
    if known is None:
        return False
    free = open_round.resolution is None or stands_over(open_round.resolution, known)
    return known.wager in open_round.rules.room.removable and free
