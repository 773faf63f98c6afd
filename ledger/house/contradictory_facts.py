"""Facts that contradict what the same table recorded before.

Examples are a shaker never placed, a person never assigned, a die of no known set. They are
reported so that one wrong word cannot switch a duty off. Law: the ledger contract, L.5; for the age
of a die § 539.2(b) and its like. After a doubt nothing is reported: the earlier fact may be the one
that was lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger import events
from ledger.games.room import Breach, Duty, Rules
from ledger.house.equipment import Equipment
from ledger.house.staffing import Staff
from ledger.kernel import Certainty, Severity, ref_of
from ledger.law import LEDGER_CONTRACT as LAW

DUTY: Final = Duty("fact_contradictory", Severity.LOW, LAW[".5"], "{observed}.")

Told = set[str]


def contradictions(
    rules: Rules, fact: events.Fact, equipment: Equipment, staff: Staff, reported: Told
) -> Iterable[Breach]:
    """Return what a fact says that the facts before it deny; each contradiction is reported once.

    It must be called before ``equipment`` and ``staff`` follow the fact.

    Args:
        rules: those in force.
        fact: what came.
        equipment: what is at the table.
        staff: who is at the table.
        reported: what was reported already; changed in place.
    """
    match fact:
        case events.NoMoreBetsAnnounced(role=None | events.Role.DEALER):
            pass  # the dealer announces it; who is not said, passes
        case events.NoMoreBetsAnnounced():
            return _announced(rules, fact)
        case events.DiceShaken() | events.ShakerCovered() | events.ShakerUncovered():
            return _shaker(fact, equipment, reported)
        case events.DiceThrown():
            return _dice(rules, fact, equipment, reported)
        case events.StaffRelieved() if staff.holds(fact.role, fact.person) is False:
            role = fact.role.lower().replace("_", " ")
            observed = f"{fact.person} was relieved as {role} without holding it"
            return (_contradiction(fact, observed),)
        case events.DiceSetRemoved():
            strange = sorted(set(fact.dice) - equipment.dice.keys())
            if strange and equipment.count_sure:
                observed = f"Die {', '.join(strange)} was removed but not in play"
                return (_contradiction(fact, observed),)
        case _:
            pass
    return ()


def _announced(rules: Rules, fact: events.NoMoreBetsAnnounced) -> Iterator[Breach]:
    """Report that someone other than the dealer announced it (§§ 539.5(b), 689.2(a))."""
    if fact.role is None or not rules.has("no_more_bets_missing"):
        return
    duty = rules.duty("no_more_bets_missing")
    says = "'No more bets' was announced by {observed}, not by the dealer."
    known = fact.role is not events.Role.UNRECOGNISED
    yield Breach(
        duty=Duty(duty.code, duty.severity, duty.cite, says),
        facts=(ref_of(fact),),
        observed=f"a {fact.role.lower().replace('_', ' ')}" if known else "nobody that is known",
        certainty=Certainty.BROKEN if known else Certainty.UNKNOWN,
    )


def _shaker(
    fact: events.DiceShaken | events.ShakerCovered | events.ShakerUncovered,
    equipment: Equipment,
    reported: Told,
) -> Iterator[Breach]:
    if fact.shaker is None or not equipment.sure or not equipment.shakers:
        return
    placed = equipment.shakers.get(fact.shaker)
    observed = f"Shaker {fact.shaker} was used but never placed at the table"
    if placed is not None:
        if not isinstance(fact, events.DiceShaken) or fact.kind in (None, placed.kind):
            return
        placed_as, shaken_as = placed.kind.lower(), fact.kind.lower()
        observed = f"Shaker {fact.shaker} was placed as {placed_as} but shaken as {shaken_as}"
    if observed not in reported:
        reported.add(observed)
        yield _contradiction(fact, observed)


def _dice(
    rules: Rules, fact: events.DiceThrown, equipment: Equipment, reported: Told
) -> Iterator[Breach]:
    """Report a die that was never placed: nothing shows how long it has been used."""
    strange = {die.serial for die in fact.dice if die.serial is not None} - equipment.dice.keys()
    strange -= reported
    if strange and equipment.dice and equipment.count_sure and rules.has("dice_over_24_hours"):
        reported |= strange
        yield Breach(
            duty=rules.duty("dice_over_24_hours"),
            facts=(ref_of(fact),),
            observed=f"an unknown time (die {', '.join(sorted(strange))} was never placed)",
            certainty=Certainty.UNKNOWN,
        )


def _contradiction(fact: events.Fact, observed: str) -> Breach:
    return Breach(duty=DUTY, facts=(ref_of(fact),), observed=observed)
