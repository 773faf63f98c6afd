"""Where a round stood when a wager was touched: what lay too late, what was settled too soon.

Law: §§ 521.7(c), 539.5(b), 577.5(d), 668a.4 through the rooms' rows. Readings: late-wager,
late-chip-refused, limit-at-acceptance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ledger.events import (
    CardsDealt,
    DiceThrown,
    DiceThrownByHand,
    HandExposed,
    HandSet,
    PlayerShook,
    SettledAs,
    WagerMoved,
    WagerPlaced,
    WagerReturned,
    WagerSettled,
    WagerTakenDown,
    WheelSpun,
)
from ledger.games.room import Breach, Requires, Rules, State
from ledger.house import Office
from ledger.kernel import FactRef, Severity, ref_of
from ledger.rounds.book import Book, late
from ledger.rounds.clock_uncertainty import apart_of, unsure
from ledger.rounds.placed import Laying, Moment, PlacedWager
from ledger.rounds.result import Outcome
from ledger.rounds.round import Round
from ledger.rounds.settle import Due, due, stands_over

if TYPE_CHECKING:
    from ledger.rounds.placed import CouponFact

SHOWS: Final = frozenset(
    {CardsDealt, DiceThrown, DiceThrownByHand, HandExposed, HandSet, PlayerShook, WheelSpun}
)
"""The facts by which more of an outcome can be seen."""
LIFTS: Final = (WagerTakenDown, WagerReturned)
PLAINLY: Final = {
    (is_open, knowable): Moment(is_open, knowable)
    for is_open in (False, True)
    for knowable in (False, True)
}
"""The moments of a round about which there is nothing more to say."""


def moment(office: Office, now: Round, before: State, fact: Laying | CouponFact) -> Moment:
    """Where the round stood when this fact of a wager, or of a coupon with one, came."""
    row, is_open, into = None, before.betting_open, False
    closed_to = now.rules.room.closed_to
    if closed_to is not None:
        row = _closed_to(before, now, fact)
        is_open = row is None
        if is_open and isinstance(fact, WagerMoved):  # where it goes, it is made anew
            row = closed_to(before, fact.wager, False)
            into = row is not None
        if isinstance(fact, WagerReturned) and now.resolution is not None:
            row = None  # what is decided is not lifted late but settled wrong
    elif now.closed_by is None and not now.annulled and not now.raises:
        return PLAINLY[is_open or _removable(now, fact), before.knowable]
    return Moment(
        is_open or _removable(now, fact),
        before.knowable,
        now.annulled and now.pending,
        apart_of(office, now.closed_by, fact) if now.closed_by is not None else None,
        row,
        into,
        bool(now.raises) and ref_of(fact) in now.raises,
        now.shown,
    )


def unsettled(now: Round, ruling: Requires) -> Iterator[str]:
    """The wagers that should be settled at this moment and are not."""
    for wager in now.book.wagers.values():
        if wager.gone is not None or wager.settled or wager.lifted is not None:
            continue
        outcome = due(now.rules, now.resolution, wager).outcome
        if outcome is Outcome.WON or (ruling.done == "all" and outcome is Outcome.LOST):
            yield wager.wager_id


def was_early(now: Round, fact: WagerSettled) -> Iterator[Breach]:
    """A fact that should have waited for this settlement came before it.

    A wager that is never settled is a breach of its own and is not told twice.
    """
    told: set[FactRef] = set()
    for wager, ruling in now.early:
        if wager == fact.wager_id and ruling.fact not in told:
            told.add(ruling.fact)
            facts = (ruling.fact, ref_of(fact))
            yield Breach(duty=ruling.duty, facts=facts)
    if told:
        now.early = [item for item in now.early if item[1].fact not in told]


def refused(now: Round, fact: WagerReturned | WagerSettled) -> None:
    """A late chip that was pushed back at once was not accepted (reading late-chip-refused)."""
    wager = now.book.wagers.get(fact.wager_id)
    if wager is None or wager.gone_by is not fact or wager.laid_late is None:
        return
    now.findings[:] = [
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
        for finding in now.findings
    ]


def collected_late(rules: Rules, book: Book, dues: Mapping[str, Due]) -> Iterator[Breach]:
    """A winner was paid before every loser was collected (§§ 539.5(e), 689.2(e)); told once.

    Winners and losers are those of the rules: a wager settled the wrong way round is a breach of
    its own.
    """
    if not rules.has("paid_before_collecting"):
        return
    paid: FactRef | None = None
    for wager, outcome, ref in book.settlements:
        should = dues[wager].outcome
        if outcome is SettledAs.WON and should is Outcome.WON:
            paid = paid or ref
        elif outcome is SettledAs.LOST and should is Outcome.LOST and paid is not None:
            yield Breach(duty=rules.duty("paid_before_collecting"), facts=(paid, ref))
            return


def accepted(office: Office, now: Round) -> Iterator[Breach]:
    """What lies on the layout once betting has closed was accepted: § 521.7(c).

    Reading limit-at-acceptance. Called again at the round's end, for what came late.
    """
    for wager in now.book.wagers.values():
        if wager.accepted:
            continue
        if wager.gone is not None:
            yield from _barely_lifted(office, now, wager)
            continue
        wager.accepted = True
        apart = None if wager.late else apart_of(office, now.closed_by, wager.placed)
        if apart is not None:
            when = Moment(betting=True, knowable=False, apart=apart)
            yield late(now.rules, wager.wager_id, wager.placed, when)
        for breach in wager.outside:
            yield replace(breach, facts=(wager.ref,), wager=wager.wager_id)


def _barely_lifted(office: Office, now: Round, wager: PlacedWager) -> Iterator[Breach]:
    """A wager lifted before betting closed, but for what the clocks leave open."""
    lifted, room = wager.gone_by, now.rules.room
    if lifted is None or room.closed_to is not None or wager.wager in room.removable:
        return
    apart = apart_of(office, now.closed_by, lifted)
    if apart is not None:
        wager.accepted = True
        facts = (wager.ref, ref_of(lifted))
        breach = Breach(duty=now.rules.duty("late_take_down"), facts=facts, wager=wager.wager_id)
        yield unsure(breach, lifted, apart)


def _closed_to(state: State, now: Round, fact: Laying | CouponFact) -> str | None:
    """By which duty the wager of this fact may not be touched now, where wagers close apart."""
    closed_to = now.rules.room.closed_to
    if closed_to is None:
        return None
    known = now.book.wagers.get(fact.wager_id or "")
    if isinstance(fact, WagerPlaced) or known is None:
        return closed_to(state, getattr(fact, "wager", ""), False)
    return closed_to(state, known.wager, known.decided is not None)


def _removable(now: Round, fact: Laying | CouponFact) -> bool:
    """Whether this fact lifts a wager that may be removed until it is decided."""
    if not isinstance(fact, LIFTS):
        return False
    known = now.book.wagers.get(fact.wager_id)
    if known is None:
        return False
    free = now.resolution is None or stands_over(now.resolution, known)
    return known.wager in now.rules.room.removable and free
