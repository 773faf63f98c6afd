"""What the product said of a case, in the form that the examples are compared with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ledger import events
from ledger.coupons import CustodyRegister, Place, Whereabouts, where
from ledger.coupons.serial import SerialUnreadable
from ledger.events.enums import Device
from ledger.kernel import Finding
from ledger.law import CHAPTERS
from ledger.rounds import Outcome, RoundResult, RoundStatus
from tests.conformance import asia_state, words
from tests.conformance.engine import Judged, odds
from tests.conformance.translate import Told

Result = dict[str, Any]

THEIR_WORD = {"gap": "sequence_gap"}
"""Codes that the examples propose under another name."""
DAILY = {"form_missing", "not_forwarded", "coupon_not_returned", "expired_not_returned"}
"""What marketing owes at the end of each gaming day, § 525.21(j), (k), (m)."""
IN_GAME = {words.PROPS_AND_HOPS: {"gap": "round_unknown"}}
"""The same where the examples of one game have a word of their own."""


def result(told: Told, judged: Iterable[Judged]) -> Result:
    """Wagers, findings and state of one case."""
    days = list(judged)
    rounds = [one for day in days for one in day.rounds]
    findings = list(
        dict.fromkeys(
            f
            for day in days
            for f in day.audit.findings
            if day.audit.gaming_day not in told.periodic or f.code not in DAILY
        )
    )
    return {
        "wagers": {
            **_unjudged(told, rounds),
        }
        | {
            wager.wager_id: {
                "outcome": wager.expected.outcome.value,
                "winnings_cents": winnings(wager.expected.outcome, wager.expected.winnings_cents),
            }
            for one in rounds
            for wager in one.wagers
        },
        "findings": [finding(one, told) for one in sorted(findings, key=lambda f: place(f, told))],
        "state": state(told, days, rounds, findings),
    }


def _unjudged(told: Told, rounds: list[RoundResult]) -> Result:
    """The wagers of rounds that no room judges: how they end is not known."""
    tables = {one.table for one in rounds if one.status is RoundStatus.UNKNOWN and not one.wagers}
    return {
        fact.wager_id: {"outcome": Outcome.UNKNOWN.value, "winnings_cents": None}
        for fact in told.ready.facts
        if isinstance(fact, events.WagerPlaced) and fact.stream in tables
    }


def winnings(outcome: Outcome, cents: int | None) -> int | None:
    """Cents won; nothing is won by a wager that did not win."""
    if outcome is Outcome.WON:
        return cents
    return None if outcome is Outcome.UNKNOWN else 0


def place(one: Finding, told: Told) -> tuple[int, int]:
    """Where a finding stands in a list: what the setup says first, then fact by fact."""
    origin = told.ready.origins.get(one.facts[-1], "setup") if one.facts else "setup"
    if isinstance(origin, int):
        return 2, origin
    return (1, int(origin[1:])) if origin.startswith("P") else (0, 0)


def finding(one: Finding, told: Told) -> Result:
    """A finding, with what the case calls the thing that it is about.

    One that is about no wager moves no money by itself.
    """
    about: Any = one.wager
    effect = 0 if one.wager is None and one.effect_cents is None else one.effect_cents
    if about is None and one.facts:
        about = told.ready.origins.get(one.facts[-1])
    return {
        "code": IN_GAME.get(told.game, {}).get(one.code) or THEIR_WORD.get(one.code, one.code),
        "section": ", ".join(cite.section for cite in one.citations),
        "about": about,
        "effect_cents": effect,
        "severity": one.severity.value,
        "certainty": one.certainty.value,
        "sentence": one.sentence,
    }


def state(
    told: Told, days: list[Judged], rounds: list[RoundResult], findings: list[Finding]
) -> Result:
    """What can be told of a case beside its wagers and findings; what cannot is left out."""
    said: Result = {**_limits(told), **_cited(told, days, findings), **_reconciled(told, days)}
    said |= _coupons(told, days)
    own = [one for one in rounds if one.table == told.table]
    if told.only_set_up and told.game == words.DREAMCATCHER:
        filed = [fact for fact in told.ready.facts if isinstance(fact, events.RulesSubmissionFiled)]
        said["odds"] = odds(told.game, filed[-1] if filed else None)
    if own:
        if all(_is_said(told, one) for one in own):
            said["rounds"] = [one.status.value for one in own]
        said["decided"] = any(
            wager.expected.outcome in (Outcome.WON, Outcome.LOST)
            for one in own
            for wager in one.wagers
        )
        said["accepted"] = _accepted(told.ready.facts, told.table)
    if len(own) == 1:
        said |= _round(told, own[0])
    if told.game == words.ASIA_POKER:
        said |= asia_state.state(told.ready.facts, own, dict(told.notice))
    readings = {reading for one in findings for reading in one.readings}
    if len(readings) == 1:
        said["reading"] = readings.pop()
    return said


def _is_said(told: Told, one: RoundResult) -> bool:
    """Whether a status is a word of the cases: "void" in the chapter's sense, not for a no roll."""
    return one.status is not RoundStatus.VOID or any(
        getattr(fact, "device", None) is Device.AUTOMATED_SHAKER
        and type(fact).__name__ == "DeviceFailed"
        for fact in told.ready.facts
    )


def _round(told: Told, one: RoundResult) -> Result:
    """How the only round ended."""
    said: Result = {"round": one.status.value} if _is_said(told, one) else {}
    if one.shown is not None and one.game == words.DREAMCATCHER:
        factors = [int(found) for found in re.findall(r"\b(\d+)x", one.shown)]
        product = 1
        for factor in factors:
            product *= factor
        said["multiplier"] = product
    return said


FLOWS = (
    *("carried_in", "received", "distributed", "voided", "returned", "returned_expired", "kept"),
    *("variation", "mailed", "redeemed", "dropped", "cancelled_redeemed", "voided_finance"),
)
"""What moves on a gaming day; a day on which nothing does is not told."""


def _reconciled(told: Told, days: list[Judged]) -> Result:
    """The figures of coupons, per gaming day and denomination, and the value redeemed."""
    table = {
        str(day.audit.gaming_day): {
            str(one.denomination_cents): {
                name: getattr(one, name)
                for name in (*FLOWS, "finance_stock_close", "with_patrons_close")
            }
            for one in day.coupons
        }
        for day in days
        if day.audit.gaming_day not in told.periodic
        and any(getattr(one, name) for one in day.coupons for name in FLOWS)
    }
    value: dict[str, int] = {}
    for blocks in table.values():
        for cents, block in blocks.items():
            if block["redeemed"]:
                value[cents] = value.get(cents, 0) + int(cents) * block["redeemed"]
    return {"reconciliation": table, "redeemed_value_cents": value} if table else {}


def _coupons(told: Told, days: list[Judged]) -> Result:
    """Where the coupons of a round are at the end of the record, and how often they were used."""
    laid = [
        one.serial
        for fact in told.ready.facts
        if isinstance(fact, events.WagerPlaced)
        for one in fact.coupons
    ]
    laid += [f.serial for f in told.ready.facts if isinstance(f, events.CouponRefused) and f.serial]
    if not laid or not days or days[-1].book is None:
        return {}
    found = {
        serial: one for serial in dict.fromkeys(laid) if (one := _found(days[-1].book, serial))
    }
    used = [f for f in told.ready.facts if isinstance(f, events.CouponRedeemed)]
    said: Result = {serial: _place(one) for serial, one in found.items()}
    facts = [
        f for f in told.ready.facts if isinstance(f, events.CouponRedeemed | events.CouponDropped)
    ]
    boxed = {fact.serial for fact in facts if fact.box_table is not None}
    said |= {f"coupon {serial}": "dropped" for serial in found if serial in boxed}
    return {**said, "redemptions": len(used)}


def _found(book: CustodyRegister, serial: str) -> Whereabouts | None:
    """Where a coupon is; None for a serial number of no series."""
    try:
        return where(book, serial)
    except SerialUnreadable:
        return None


def _place(found: Whereabouts) -> str:
    if found.place in (Place.PATRON, Place.MAILED):
        return "live"
    used = any(step.move.to is Place.REDEEMED for step in found.steps)
    gone = ", cancelled" if found.place is Place.CANCELLED else ""
    return f"redeemed{gone}" if used else found.place.value


def _limits(told: Told) -> Result:
    """The limits that the table works with at the end of the record."""
    own = [
        fact
        for fact in told.ready.facts
        if isinstance(fact, events.LimitsSet) and fact.stream == told.table and fact.wager is None
    ]
    if not own:
        return {}
    return {"min_cents_at_end": own[-1].minimum_cents, "max_cents_at_end": own[-1].maximum_cents}


def _accepted(facts: Iterable[events.Fact], table: str) -> list[str]:
    """Wagers that lay in the layout at "no more bets"."""
    lying: dict[str, bool] = {}
    accepted: list[str] = []
    for fact in facts:
        if fact.stream != table:
            continue
        if isinstance(fact, events.WagerPlaced):
            lying[fact.wager_id] = True
        elif isinstance(fact, events.WagerTakenDown | events.WagerReturned):
            lying.pop(fact.wager_id, None)
        elif isinstance(fact, events.NoMoreBetsAnnounced):
            accepted += [wager for wager in lying if wager not in accepted]
            lying.clear()
    return accepted


def _cited(told: Told, days: list[Judged], findings: list[Finding]) -> Result:
    """What each citation of the day adds, and whether those of chapter 521 all say it."""
    said: Result = {}
    chapter = next((one for one in CHAPTERS if one.name == told.game), None)
    remark = chapter.edition.remark(days[-1].audit.gaming_day) if chapter else None
    if remark and any(remark in text for day in days for text in day.audit.continued.values()):
        said |= {"citation_says": remark, "citation_must_say": remark}
    general = [
        cite.on(one.gaming_day)
        for one in findings
        for cite in one.citations
        if cite.edition.chapter == "521"
    ]
    texts = {text.rpartition("; ")[2].rstrip(")") for text in general if "; " in text}
    if len(texts) == 1:
        said["chapter_521_applied_as"] = texts.pop()
        said["each_521_citation_says_so"] = all("; " in text for text in general)
    return said | _of_providers(findings)


def _of_providers(findings: list[Finding]) -> Result:
    """What every citation of chapter 528 adds."""
    texts = {
        cite.edition.remark(one.gaming_day)
        for one in findings
        for cite in one.citations
        if cite.edition.chapter == "528"
    }
    only = texts.pop() if len(texts) == 1 else None
    return {} if only is None else {"chapter_528_applied_as": only}
