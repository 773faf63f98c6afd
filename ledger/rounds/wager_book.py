"""The wagers of one round as they lie on the layout, fact by fact.

Law: §§ 521.7(c), 539.3, 539.4, 539.5(b), 689.2(a) through the rooms' rows. Readings: late-wager,
late-take-down, verbal-cash-wager, limit-at-acceptance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Final

from ledger import events
from ledger.games.room import (
    Act,
    Breach,
    DecidedSome,
    Duty,
    Rules,
    Scope,
)
from ledger.house import TableHouse
from ledger.kernel import Certainty, FactRef, dollars, ref_of, seconds
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds.placed import LayoutFact, Moment, PlacedWager, Raise, WagerFact, WagerMade

CHIPS: Final = frozenset({events.Instrument.CHIPS, events.Instrument.PLAQUES})

WITH: Final[dict[events.Instrument | None, str]] = {
    events.Instrument.CASH: "cash",
    events.Instrument.SPOKEN_WITH_CASH: "spoken words and cash",
    events.Instrument.ELECTRONIC_CREDIT: "electronic credit",
}
"""What a wager was made with, for people."""


@dataclass(slots=True)
class WagerBook:
    """All wagers of the round, and what the house has paid and taken.

    Args:
        wagers: the wagers by id, in the order in which they were placed.
        settlements: each settlement in order: the wager's id, what the house made of it, the fact.
    """

    wagers: dict[str, PlacedWager] = field(default_factory=dict)
    settlements: list[tuple[str, events.SettledAs, FactRef]] = field(default_factory=list)

    def standing(self) -> int:
        """Return how many wagers lie on the layout and are not settled."""
        return sum(1 for w in self.wagers.values() if w.gone is None and not w.settled)

    def decide(self, ruling: DecidedSome) -> None:
        """Note what decides some wagers of the round; a wager is decided once."""
        for wager in self.wagers.values():
            if wager.wager in ruling.wagers and wager.gone is None and wager.decided is None:
                wager.decided = ruling.by

    def reopen(self, fact: FactRef) -> None:
        """Undo what this fact decided."""
        for wager in self.wagers.values():
            if wager.decided is not None and wager.decided.fact == fact:
                wager.decided = None

    def take(
        self, rules: Rules, house: TableHouse, fact: LayoutFact, when: Moment
    ) -> Sequence[Breach]:
        """Follow one fact that says how a wager lies, and return what it breaks.

        Args:
            rules: those of the round.
            house: knows the table's limits.
            fact: what came.
            when: where the round stood when it came.
        """
        ref = ref_of(fact)
        if isinstance(fact, events.WagerPlaced):
            return self._place(rules, house, fact, ref, when)
        known = self.wagers.get(fact.wager_id)
        if known is None:
            return (_of_no_wager(rules, fact, ref),)
        match fact:
            case events.WagerIncreased():
                return self._raised(rules, house, known, fact, when)
            case events.WagerMoved():
                if when.betting:
                    known.wager, known.picks = fact.wager, tuple(sorted(fact.picks))
                    known.outside = house.judge_stake(rules, known.wager, known.stake_cents)
                    offered = _offered(rules, house, known, ref)
                    return (
                        [*offered, *_made_late(rules, known, fact, when)] if when.into else offered
                    )
                known.lifted, known.lifted_blind = ref, not when.knowable
                known.lifted_cents, known.lifted_settled = None, bool(known.settled)
            case events.WagerTakenDown():
                return self._lift(rules, house, known, fact, fact.taken_cents, when)
            case events.WagerReturned():
                if _pushed_back(known, fact, when):
                    known.gone, known.gone_by = ref, fact
                    return ()
                if when.betting:
                    return self._lift(rules, house, known, fact, fact.returned_cents, when)
                undecided = when.late_row is not None and known.decided is None
                known.lifted_blind = undecided or not when.knowable
                known.lifted_row = when.late_row
                known.settled.append(fact)
        return ()

    def _place(
        self, rules: Rules, house: TableHouse, fact: events.WagerPlaced, ref: FactRef, when: Moment
    ) -> Sequence[Breach]:
        if fact.wager_id in self.wagers:
            return (
                Breach(
                    duty=rules.duty("fact_out_of_order"),
                    facts=(self.wagers[fact.wager_id].ref, ref),
                    observed=f"a second wager {fact.wager_id}",
                    expected="its id stands for another wager of this round",
                    wager=fact.wager_id,
                ),
            )
        picks = fact.picks if len(fact.picks) < 2 else tuple(sorted(fact.picks))
        wager = PlacedWager(fact.wager_id, fact, ref, fact.wager, picks, fact.stake_cents)
        wager.laid_late = None if when.betting else when.shown
        self.wagers[fact.wager_id] = wager
        breaches = self._accept(rules, house, wager, fact, when)
        offered = _offered(rules, house, wager, ref)
        return [*offered, *breaches] if offered else breaches

    def _accept(
        self,
        rules: Rules,
        house: TableHouse,
        wager: PlacedWager,
        fact: events.WagerPlaced,
        when: Moment,
    ) -> list[Breach]:
        breaches = _chips(rules, wager, fact)
        if not when.betting:
            breaches += _made_late(rules, wager, fact, when)
        wager.outside = house.judge_stake(rules, wager.wager, wager.stake_cents)
        wager.accepted = wager.accepted and not wager.outside
        return breaches

    def _raised(
        self,
        rules: Rules,
        house: TableHouse,
        wager: PlacedWager,
        fact: events.WagerIncreased,
        when: Moment,
    ) -> list[Breach]:
        """Follow an addition to a wager; if it came too late, what lay there is unchanged."""
        breaches, stands = _chips(rules, wager, fact), takes_part(rules, when)
        if not when.betting:
            breaches.append(late(rules, wager.wager_id, fact, when))
        if stands is None and rules.room.taint_by_act[Act.LATE_RAISE].scope is not Scope.ADDED:
            wager.late = wager.blind = stands = True
        if not (when.betting and stands):
            part = Raise(ref_of(fact), fact.added_cents, stands, not when.betting)
            wager.raises = (*wager.raises, part)
        if stands:
            wager.stake_cents += fact.added_cents
        in_full = wager.stake_cents + sum(part.added_cents for part in wager.in_doubt)
        outside = [] if stands is False else house.judge_stake(rules, wager.wager, in_full)
        known = {breach.duty.code for breach in wager.outside}
        more = [breach for breach in outside if breach.duty.code not in known]
        if stands is None or wager.accepted:  # what lay there before was reported
            sure = Certainty.BROKEN if stands else Certainty.UNKNOWN
            for breach in more:
                certainty = Certainty.UNKNOWN if breach.certainty is Certainty.UNKNOWN else sure
                refs = (wager.ref, ref_of(fact))
                breaches.append(
                    replace(breach, facts=refs, wager=wager.wager_id, certainty=certainty)
                )
        if stands:
            wager.outside = outside
        return breaches

    def _lift(
        self,
        rules: Rules,
        house: TableHouse,
        wager: PlacedWager,
        fact: events.WagerTakenDown | events.WagerReturned,
        cents: int | None,
        when: Moment,
    ) -> list[Breach]:
        ref = ref_of(fact)
        breaches: list[Breach] = []
        if cents is not None and cents > wager.stake_cents:
            breaches.append(
                Breach(
                    duty=rules.duty("fact_out_of_order"),
                    facts=(wager.ref, ref),
                    observed=f"lifting {dollars(cents)}",
                    expected=f"only {dollars(wager.stake_cents)} was staked",
                    wager=wager.wager_id,
                )
            )
        taken = (wager.lifted_cents or 0) + (wager.stake_cents if cents is None else cents)
        if when.goes_back:  # what is left of it is no smaller wager: no limit speaks of it
            if taken >= wager.stake_cents:
                wager.gone, wager.gone_by = ref, fact
            elif wager.lifted is None:
                wager.lifted_cents = taken
            return breaches
        if not when.betting:
            moved = wager.lifted is not None and wager.lifted_cents is None
            wager.lifted_cents = None if moved else min(taken, wager.stake_cents)
            wager.lifted, wager.lifted_blind = ref, not when.knowable
            wager.lifted_row, wager.lifted_apart = when.late_row, when.apart
            wager.lifted_settled = bool(wager.settled)
        elif cents is None or cents >= wager.stake_cents:
            wager.gone, wager.gone_by = ref, fact
        else:
            wager.stake_cents -= cents
            wager.outside = house.judge_stake(rules, wager.wager, wager.stake_cents)
        wager.accepted = wager.accepted and not wager.outside
        return breaches

    def settle(
        self, rules: Rules, fact: events.WagerSettled, shown: int | None = None
    ) -> Sequence[Breach]:
        """Follow what the house paid or took, whenever it did so, and return what that breaks.

        Args:
            rules: those of the round.
            fact: the settlement.
            shown: how much of the outcome has been seen; None once the next round is open.
        """
        ref = ref_of(fact)
        known = self.wagers.get(fact.wager_id)
        if known is None:
            return (_of_no_wager(rules, fact, ref),)
        goes_back = not (fact.winnings_cents or fact.stake_taken_cents)
        if goes_back and fact.outcome is events.SettledAs.RETURNED and _is_refusal(known, shown):
            known.gone, known.gone_by = ref, fact
            return ()
        known.settled.append(fact)
        self.settlements.append((fact.wager_id, fact.outcome, ref))
        return ()


def _pushed_back(wager: PlacedWager, fact: events.WagerReturned, when: Moment) -> bool:
    whole = fact.returned_cents in (None, wager.placed.stake_cents)
    return whole and _is_refusal(wager, when.shown)


def _is_refusal(wager: PlacedWager, shown: int | None) -> bool:
    """Whether handing back all of a chip that was laid late refuses it.

    It does if no more of the outcome has been ``shown`` since (reading late-chip-refused).
    """
    untouched = wager.stake_cents == wager.placed.stake_cents and not wager.settled
    late = wager.laid_late is not None and wager.laid_late == shown
    return late and untouched and wager.lifted is None


def _of_no_wager(rules: Rules, fact: WagerFact, ref: FactRef) -> Breach:
    return Breach(
        duty=rules.duty("fact_out_of_order"),
        facts=(ref,),
        observed=f"a {type(fact).__name__} of {fact.wager_id}",
        expected="no such wager was placed in this round",
        wager=fact.wager_id,
    )


def _chips(
    rules: Rules, wager: PlacedWager, fact: events.WagerPlaced | events.WagerIncreased
) -> list[Breach]:
    """Check that a wager is made with chips or plaques, where the chapter asks for it."""
    if fact.instrument in CHIPS or not rules.has("wager_not_in_chips"):
        return []
    known = fact.instrument not in (None, events.Instrument.UNRECOGNISED)
    return [
        Breach(
            duty=rules.duty("wager_not_in_chips"),
            facts=(ref_of(fact),),
            observed=WITH.get(fact.instrument, "what was not recorded"),
            wager=wager.wager_id,
            certainty=Certainty.BROKEN if known else Certainty.UNKNOWN,
        )
    ]


def takes_part(rules: Rules, when: Moment) -> bool | None:
    """Whether what is added takes part (reading late-wager); None: that is in doubt."""
    if when.betting:
        return None if when.contested else True
    option = rules.reading("late-wager")
    if option == "void":
        return False
    if when.contested:
        return None
    return True if option == "stands" or not when.knowable else None


def _made_late(
    rules: Rules, wager: PlacedWager, fact: WagerMade, when: Moment
) -> tuple[Breach, ...]:
    """Note that a wager was made late, and report it. Reading late-wager."""
    wager.late = True
    wager.blind = wager.blind or when.knowable
    return (late(rules, wager.wager_id, fact, when),)


def late(rules: Rules, wager_id: str, fact: WagerMade, when: Moment) -> Breach:
    """Report a wager made after betting closed, or one of which the clocks cannot say.

    Args:
        rules: those of the round.
        wager_id: the wager's.
        fact: the fact that laid it, or added to it.
        when: where the round stood; ``apart`` is set where the clocks cannot say.
    """
    apart = when.apart
    return Breach(
        duty=late_duty(rules, when),
        facts=(ref_of(fact),),
        observed=None if apart is None else f"{seconds(apart[0])}, ± {seconds(apart[1])[1:]}",
        wager=wager_id,
        certainty=Certainty.BROKEN if apart is None else Certainty.UNKNOWN,
    )


def late_duty(rules: Rules, when: Moment) -> Duty:
    """Return the duty by which nothing may be added to a wager any more."""
    row = when.late_row or (
        "late_wager@.3(b)" if when.knowable else "late_wager@.2(a)#3" if when.void else ""
    )
    return rules.duty(row if rules.has(row) else "late_wager")


def _offered(
    rules: Rules, house: TableHouse, wager: PlacedWager, ref: FactRef
) -> tuple[Breach, ...]:
    row = rules.wagers.get(wager.wager)
    if row is not None and wager.picks in row.picks:
        return ()
    if row is None and house.on_request(wager.wager, wager.placed.event_time):
        return ()  # § 521.4: approved beside the chapter, whose rows cannot settle it
    wager_and_picks = " ".join([wager.wager, *map(str, wager.picks)])
    pin = "" if row is None else row.cite.section.removeprefix(rules.law.edition.chapter)
    own = f"wager_not_offered@{pin}"
    duty = rules.duty(own if rules.has(own) else "wager_not_offered")
    return (Breach(duty=duty, facts=(ref,), observed=wager_and_picks, wager=wager.wager_id),)
