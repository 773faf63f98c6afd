"""What two orders of a table's facts rule differently, reported as unknown with the interval."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from ledger.house.clocks import Apart, interval
from ledger.kernel import Certainty, FactRef, Finding
from ledger.rounds.result import InDoubt, Outcome, RoundResult, Settlement, WagerResult
from ledger.rounds.round_status import RoundStatus

Key: TypeAlias = tuple[str, str, frozenset[FactRef], str | None]
"""Two orders report the same finding if these agree: code, section, facts, wager."""
Soon: TypeAlias = Callable[[], Container[Key]]


def key_of(finding: Finding) -> Key:
    """Return the key by which findings of two orders are matched."""
    section = finding.citations[0].section
    return finding.code, section, frozenset(finding.facts), finding.wager


def opened(finding: Finding, apart: Apart) -> Finding:
    """Return a finding that depends on an unknown order as unknown, with the interval."""
    if finding.certainty is Certainty.UNKNOWN:
        return finding
    shown = interval(apart)
    return replace(
        finding,
        certainty=Certainty.UNKNOWN,
        sentence=f"Cannot be verified: {finding.sentence} ({shown})",
        observed=finding.observed if finding.observed is not None else shown,
        effect_cents=None,
    )


def weighed(
    ours: Iterable[Finding],
    theirs: Iterable[Finding],
    all_findings: tuple[Mapping[Key, Finding], Mapping[Key, Finding]],
    apart: Apart,
    soon: Soon = frozenset,
) -> list[Finding]:
    """Return the findings of the record; what another order does not share is unknown.

    A finding of the other order alone is added as unknown. A duty that both orders break, by
    different facts, stays broken.

    Args:
        ours: the findings of a round in the order of the record.
        theirs: the same in another order.
        all_findings: every finding in either of them, also of other rounds.
        apart: the interval that leaves the order open.
        soon: gives the keys of what the record will report of facts that only the other order has
            taken so far.
    """
    in_ours, in_theirs = all_findings
    more = [one for one in theirs if key_of(one) not in in_ours]
    findings = []
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
        elif other.certainty is Certainty.UNKNOWN:
            finding = opened(finding, apart)
        elif other.effect_cents != finding.effect_cents:
            finding = _lesser(finding, other) or opened(finding, apart)
        findings.append(finding)
    codes = {one.code for one in findings}
    for finding in more:
        folded = finding.certainty is Certainty.UNKNOWN and finding.code in codes
        if not folded and key_of(finding) not in soon():
            findings.append(opened(finding, apart))
    return findings


def _lesser(finding: Finding, other: Finding) -> Finding | None:
    """Return the smaller of two findings broken in both orders; None if one is a gain."""
    ours, theirs = finding.effect_cents or 0, other.effect_cents or 0
    return (
        min(finding, other, key=lambda f: abs(f.effect_cents or 0)) if ours * theirs > 0 else None
    )


def _same_duty(finding: Finding, other: Finding) -> bool:
    return (
        other.certainty is Certainty.BROKEN
        and (finding.code, finding.wager) == (other.code, other.wager)
        and finding.citations[0] == other.citations[0]
        and finding.effect_cents == other.effect_cents
    )


def unsettled(result: RoundResult, other: RoundResult | None, apart: Apart) -> RoundResult:
    """Return a round with only what comes to the same in another order.

    Args:
        result: the round in the order of the record.
        other: the round in another order; None if that order has no such round.
        apart: the interval that leaves the order open.
    """
    theirs = {wager.wager_id: wager for wager in other.wagers} if other is not None else {}
    same = other is not None and (result.status, result.detail) == (other.status, other.detail)
    less = other is None or _staked(result) <= _staked(other)
    wagers = tuple(
        _as_far_as(wager, theirs.get(wager.wager_id), apart, less=less) for wager in result.wagers
    )
    if same and wagers == result.wagers:
        return result
    in_part = same and all(
        was.expected.outcome is wager.expected.outcome
        for was, wager in zip(result.wagers, wagers, strict=True)
    )
    if in_part:  # what surely takes part comes to the same
        return replace(result, wagers=wagers)
    why = f"the clocks leave open what came first ({interval(apart)})"
    return replace(
        result,
        wagers=wagers,
        status=RoundStatus.UNKNOWN,
        unknown_because=result.unknown_because or why,
        detail=result.detail if same else None,
        outcome=result.outcome if same else None,
    )


def ruled_alike(result: RoundResult, other: RoundResult) -> bool:
    """Whether a round comes to the same in two orders, with the same findings."""
    return (
        (result.round, result.status, result.detail) == (other.round, other.status, other.detail)
        and {wager.wager_id: _due(wager) for wager in result.wagers}
        == {wager.wager_id: _due(wager) for wager in other.wagers}
        and {substance(finding) for finding in result.findings}
        == {substance(finding) for finding in other.findings}
    )


def substance(finding: Finding) -> tuple[object, ...]:
    """Return what a finding says, apart from its words."""
    return key_of(finding), finding.certainty, finding.effect_cents


def _staked(result: RoundResult) -> int:
    """Return what surely takes part in a round, in cents: chips, and coupons that count."""
    coupons = (one for wager in result.wagers for one in wager.coupons if one.counts)
    chips = sum(wager.stake_cents for wager in result.wagers)
    return chips + sum(coupon.value_cents or 0 for coupon in coupons)


def _as_far_as(
    wager: WagerResult, other: WagerResult | None, apart: Apart, *, less: bool
) -> WagerResult:
    """Return a wager with only what comes to the same in another order.

    ``other`` None: it is not there in that order. ``less``: less takes part in the round as
    recorded.
    """
    if wager.expected.outcome is Outcome.UNKNOWN:
        return wager
    if other is not None and _due(wager) == _due(other):
        return wager
    if other is None or wager.expected.outcome not in (Outcome.WON, Outcome.LOST):
        return _unknown(wager)
    if wager.stake_cents != other.stake_cents:
        less = wager.stake_cents < other.stake_cents
    first, second = (wager, other) if less else (other, wager)
    if _decided(first) != _decided(second):
        return _unknown(wager)
    return _in_part(first, second, apart)


def _in_part(less: WagerResult, more: WagerResult, apart: Apart) -> WagerResult:
    """Return a wager that two orders decide alike, with both amounts where stakes differ.

    Law: decision 0012. ``less`` is the wager by the order in which less of it takes part.
    """
    stakes = [
        wager.stake_cents + (wager.in_doubt.stake_cents if wager.in_doubt else 0)
        for wager in (less, more)
    ]
    doubts = [wager.in_doubt for wager in (less, more) if wager.in_doubt is not None]
    least = less.in_doubt.if_returned if less.in_doubt is not None else less.expected
    fuller = less if stakes[0] > stakes[1] else more
    most = fuller.in_doubt.if_stands if fuller.in_doubt is not None else fuller.expected
    differ = {one.serial for one in less.coupons} ^ {one.serial for one in more.coupons}
    counted = {one.serial: (one.counts, one.wins_cents) for one in more.coupons}
    differ |= {
        one.serial
        for one in less.coupons
        if counted.get(one.serial) != (one.counts, one.wins_cents)
    }
    coupons = dict.fromkeys(serial for doubt in doubts for serial in doubt.coupons)
    return replace(
        less,
        in_doubt=InDoubt(
            stake_cents=max(stakes) - less.stake_cents,
            facts=tuple(dict.fromkeys(ref for doubt in doubts for ref in doubt.facts)),
            if_returned=least,
            if_stands=most,
            coupons=(*coupons, *sorted(differ - coupons.keys())),
            interval=interval(apart),
        ),
        coupons=tuple(
            replace(one, counts=None, wins_cents=None) if one.serial in differ else one
            for one in less.coupons
        ),
        difference_cents=_least(less.difference_cents, more.difference_cents),
    )


def _least(less: int | None, more: int | None) -> int | None:
    """What the patron got beyond what was due in either order, in cents; None: it is not known."""
    if less is None or more is None:
        return None
    if less == more or less * more > 0:
        return min(less, more, key=abs)
    return 0 if less == 0 else None


def _decided(wager: WagerResult) -> tuple[object, ...]:
    """What decides a wager, apart from how much of it takes part."""
    return wager.expected.outcome, wager.wager, wager.picks, wager.outcome, wager.odds, wager.factor


def _due(wager: WagerResult) -> tuple[object, ...]:
    owed, doubt = wager.expected, wager.in_doubt
    coupons = tuple((one.serial, one.counts, one.wins_cents) for one in wager.coupons)
    either = doubt and (_amounts(doubt.if_returned), _amounts(doubt.if_stands), doubt.coupons)
    return *_amounts(owed), wager.stake_cents, coupons, either


def _amounts(side: Settlement) -> tuple[object, ...]:
    return side.outcome, side.winnings_cents, side.stake_taken_cents


def _unknown(wager: WagerResult) -> WagerResult:
    """Return a wager as one of which it is not known how it fares."""
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
    """Return a round of which nothing is certain, since more orders are open than are followed."""
    unknown = unsettled(result, None, apart)
    return replace(unknown, findings=tuple(opened(one, apart) for one in result.findings))
