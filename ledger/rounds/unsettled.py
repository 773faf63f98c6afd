"""What two orders of a table's facts tell differently, told as unknown with the interval."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from ledger.house.clocks import Apart, interval
from ledger.kernel import Certainty, FactRef, Finding
from ledger.rounds.result import Outcome, RoundResult, RoundStatus, Settlement, WagerResult

Key: TypeAlias = tuple[str, str, frozenset[FactRef], str | None]
"""What makes findings of two orders the same one: code, section, facts, wager."""
Soon: TypeAlias = Callable[[], Container[Key]]


def key_of(finding: Finding) -> Key:
    """The key of a finding."""
    section = finding.citations[0].section
    return finding.code, section, frozenset(finding.facts), finding.wager


def opened(finding: Finding, apart: Apart) -> Finding:
    """A finding that hangs on an order that is not known."""
    if finding.certainty is Certainty.UNKNOWN:
        return finding
    shown = interval(apart)
    return replace(
        finding,
        certainty=Certainty.UNKNOWN,
        sentence=f"Cannot be shown to have been kept: {finding.sentence} ({shown})",
        observed=finding.observed if finding.observed is not None else shown,
        effect_cents=None,
    )


def weighed(
    ours: Iterable[Finding],
    theirs: Iterable[Finding],
    told: tuple[Mapping[Key, Finding], Mapping[Key, Finding]],
    apart: Apart,
    soon: Soon = frozenset,
) -> list[Finding]:
    """What the record tells, with what another order does not tell, or tells besides, as unknown.

    A duty broken in both by other facts is broken.

    Args:
        ours: what was told of a round in the order of the record.
        theirs: the same in another order.
        told: all that was told in either of them, also of other rounds.
        apart: the interval that leaves the order open.
        soon: what the record will tell of the facts that only the other order has taken yet.
    """
    in_ours, in_theirs = told
    more = [one for one in theirs if key_of(one) not in in_ours]
    found = []
    for finding in ours:
        other = in_theirs.get(key_of(finding))
        if finding.certainty is Certainty.UNKNOWN:
            pass
        elif other is None:
            also = next((one for one in more if _same_duty(finding, one)), None)
            if also is None:
                finding = opened(finding, apart)
            else:
                more.remove(also)
        elif other.certainty is Certainty.UNKNOWN or other.effect_cents != finding.effect_cents:
            finding = opened(finding, apart)
        found.append(finding)
    codes = {one.code for one in found}
    for finding in more:
        folded = finding.certainty is Certainty.UNKNOWN and finding.code in codes
        if not folded and key_of(finding) not in soon():
            found.append(opened(finding, apart))
    return found


def _same_duty(one: Finding, other: Finding) -> bool:
    return (
        other.certainty is Certainty.BROKEN
        and (one.code, one.wager) == (other.code, other.wager)
        and one.citations[0] == other.citations[0]
        and one.effect_cents == other.effect_cents
    )


def unsettled(result: RoundResult, other: RoundResult | None, apart: Apart) -> RoundResult:
    """A round as far as it comes to the same in another order; None: there is none then."""
    theirs = {wager.wager_id: wager for wager in other.wagers} if other is not None else {}
    wagers = tuple(
        wager if _settled_alike(wager, theirs.get(wager.wager_id)) else _unknown(wager)
        for wager in result.wagers
    )
    same = other is not None and (result.status, result.shown) == (other.status, other.shown)
    if same and wagers == result.wagers:
        return result
    why = f"the clocks leave open what came first ({interval(apart)})"
    return replace(
        result,
        wagers=wagers,
        status=RoundStatus.UNKNOWN,
        unknown_because=result.unknown_because or why,
        shown=result.shown if same else None,
        outcome=result.outcome if same else None,
    )


def ruled_alike(one: RoundResult, other: RoundResult) -> bool:
    """Whether a round comes to the same in two orders, and the same is told of it."""
    return (
        (one.round, len(one.wagers)) == (other.round, len(other.wagers))
        and unsettled(one, other, (0, 0)) is one
        and {said(finding) for finding in one.findings}
        == {said(finding) for finding in other.findings}
    )


def said(finding: Finding) -> tuple[object, ...]:
    """What a finding says, apart from its words."""
    return key_of(finding), finding.certainty, finding.effect_cents


def _settled_alike(one: WagerResult, other: WagerResult | None) -> bool:
    return one.expected.outcome is Outcome.UNKNOWN or (
        other is not None and _due(one) == _due(other)
    )


def _due(wager: WagerResult) -> tuple[object, ...]:
    owed = wager.expected
    coupons = tuple((one.serial, one.counts, one.wins_cents) for one in wager.coupons)
    return owed.outcome, owed.winnings_cents, owed.stake_taken_cents, wager.stake_cents, coupons


def _unknown(wager: WagerResult) -> WagerResult:
    """A wager of which it is not known how it fares."""
    return replace(
        wager,
        expected=Settlement(outcome=Outcome.UNKNOWN, winnings_cents=None, stake_taken_cents=None),
        arithmetic=None,
        outcome=None,
        odds=None,
        factor=1,
        coupons=tuple(replace(one, counts=None, wins_cents=None) for one in wager.coupons),
        decided_by=None,
    )


def all_unknown(result: RoundResult, apart: Apart) -> RoundResult:
    """A round of which more orders are open than can be followed: nothing of it is certain."""
    found = unsettled(result, None, apart)
    return replace(found, findings=tuple(opened(one, apart) for one in result.findings))
