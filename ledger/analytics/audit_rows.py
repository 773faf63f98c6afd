"""Rows of staging from what the audit says: values only, no rule and no amount of our own.

Each row is a tuple in the order of its table's columns in ``columns``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Final

from ledger.audit import DayAudit, Theory, shown_of
from ledger.games.outcomes import DiceOutcome, OutcomeDetail, WagersReturned, WheelOutcome
from ledger.kernel import Citation, Finding, PropertyClock, parse_round_id, table_of
from ledger.rounds import Outcome, RoundResult, Settlement, WagerResult, net_cents

Row = tuple[object, ...]
UNDECIDED: Final = frozenset({Outcome.STANDS, Outcome.UNKNOWN})
MOST: Final = 10**38
"""A column of whole numbers holds what is less."""


def day_row(audit: DayAudit) -> Row:
    """The totals of a day's audit."""
    return (
        audit.gaming_day,
        audit.digest,
        audit.events,
        audit.rounds,
        audit.unknown_rounds,
        audit.wagers,
        len(audit.findings),
        sum(finding.effect_cents or 0 for finding in audit.findings),
    )


def capture_rows(audit: DayAudit) -> Iterator[Row]:
    """What each table claimed to record."""
    for line in audit.capture:
        yield audit.gaming_day, line.table, line.level, line.rounds, line.wagers


def table_day_rows(audit: DayAudit, theory: Theory) -> Iterator[Row]:
    """The tables' days in cents."""
    for account in audit.accounts:
        shown = shown_of(account, theory, audit.gaming_day)
        yield (
            audit.gaming_day,
            account.table,
            account.game,
            account.level,
            account.opener_cents,
            account.fills_cents,
            account.credits_cents,
            account.closer_cents,
            account.drop_cents,
            account.coupons_cents,
            account.by_count_cents,
            account.by_rounds_cents,
            account.wagered_cents,
            None if shown.theoretical is None else str(shown.theoretical),
            shown.theoretical_cents,
            _percent(shown.hold_on_drop),
            _percent(shown.hold_on_wagers),
            "; ".join(account.missing),
            account.doubtful,
        )


def _percent(part: Fraction | None) -> Decimal | None:
    return None if part is None else Decimal(round(part * 10_000)).scaleb(-2)


def finding_rows(audit: DayAudit) -> Iterator[Row]:
    """The findings of a day, numbered in the audit's order."""
    for number, finding in enumerate(audit.findings, 1):
        yield _finding(number, finding)


def _finding(number: int, finding: Finding) -> Row:
    return (
        finding.gaming_day,
        number,
        finding.code,
        finding.severity.value,
        finding.certainty.value,
        finding.sentence,
        finding.citations[0].pin if finding.citations else "",
        "; ".join(cite.on(finding.gaming_day) for cite in finding.citations),
        list(finding.readings),
        finding.stream,
        table_of(finding.stream),
        finding.round,
        finding.wager,
        [str(fact) for fact in finding.facts],
        finding.expected,
        finding.observed,
        finding.effect_cents,
    )


def mark_rows(audit: DayAudit, clock: PropertyClock) -> Iterator[Row]:
    """The facts of a day, and those behind its findings, that came late or that a person added."""
    for ref, mark in sorted(audit.marks.items()):
        yield (
            audit.gaming_day,
            str(ref),
            ref.stream,
            ref.seq,
            mark.event,
            table_of(ref.stream),
            mark.event_time,
            _local(clock, mark.event_time),
            mark.arrived_at,
            _local(clock, mark.arrived_at),
            mark.closed_at,
            mark.closed_at is not None,
            mark.source,
            mark.recorded_by,
            mark.added_by,
            mark.approved_by,
        )


def round_row(result: RoundResult, clock: PropertyClock) -> Row:
    """A round, without its wagers and findings."""
    return (
        result.round,
        parse_round_id(result.round).seq,
        result.stream,
        result.table,
        result.game,
        result.gaming_day,
        result.opened_at,
        _local(clock, result.opened_at),
        result.closed_at,
        None if result.closed_at is None else _local(clock, result.closed_at),
        result.status.value,
        result.shown,
        result.unknown_because,
        result.facts,
        result.missing_since,
        len(result.findings),
        *_outcome(result.detail),
    )


def _outcome(detail: OutcomeDetail | None) -> Row:
    """What a round came to: roll, spin, another form or returned; dice; sections; all as JSON."""
    parts: Row
    match detail:
        case None:
            return (None,) * 6
        case DiceOutcome():
            parts = ("roll", list(detail.faces), detail.as_stated, None, None)
        case WheelOutcome():
            factor = detail.factor if detail.factor < MOST else None
            parts = ("spin", None, False, list(detail.sections), factor)
        case WagersReturned():
            parts = ("returned", None, None, None, None)
        case _:  # a form that only its room has: its data stand in the last column
            parts = ("other", None, False, None, None)
    return (*parts, json.dumps(detail.data, sort_keys=True))


def wager_rows(result: RoundResult) -> Iterator[Row]:
    """The wagers of a round."""
    for wager in result.wagers:
        yield _wager(result.round, wager)


def _wager(round_id: str, wager: WagerResult) -> Row:
    expected = wager.expected
    return (
        round_id,
        wager.wager_id,
        wager.wager,
        list(wager.picks),
        wager.stake_cents,
        wager.patron,
        wager.position,
        wager.placed.stream,
        wager.placed.seq,
        *_due(wager),
        *(_side(wager.observed) if wager.observed is not None else (None, None, None)),
        "; ".join(cite.pin for cite in expected.citations),
    )


class SettlementRows:
    """Settlement rows; sections are put into words once for each list of citations and day."""

    def __init__(self) -> None:
        self._texts: dict[
            tuple[date, tuple[int, ...]], tuple[tuple[Citation, ...], str | None, list[str]]
        ] = {}

    def rows(self, result: RoundResult) -> Iterator[Row]:
        """The settlements of a round: each wager that the rules decide or the house settled."""
        paytable = str(result.paytable) if result.paytable is not None else None
        for wager in result.wagers:
            expected, observed = wager.expected, wager.observed
            if observed is None and expected.outcome in UNDECIDED:
                continue
            section, sections = self._words(expected.citations, result.gaming_day)
            yield (
                result.round,
                wager.wager_id,
                section,
                sections,
                str(wager.odds) if wager.odds is not None else None,
                wager.factor,
                paytable,
                [str(fact) for fact in observed.facts] if observed is not None else [],
                [coupon.serial for coupon in wager.coupons],
                sum(coupon.wins_cents or 0 for coupon in wager.coupons)
                if all(coupon.wins_cents is not None for coupon in wager.coupons)
                else None,
            )

    def _words(self, cites: tuple[Citation, ...], day: date) -> tuple[str | None, list[str]]:
        key = day, tuple(map(id, cites))
        words = self._texts.get(key)
        if words is None:  # the citations are kept beside the words, so that no id is used again
            pin = cites[0].pin if cites else None
            words = self._texts[key] = cites, pin, [cite.on(day) for cite in cites]
        return words[1], words[2]


def _due(wager: WagerResult) -> tuple[str, int | None, int | None]:
    """What was due; no amounts where that hangs on a part of the wager that is in doubt."""
    if wager.in_doubt is None or wager.observed is None:
        return _side(wager.expected)
    off, got = wager.difference_cents, net_cents(wager.observed)
    if off is None or got is None:
        return wager.expected.outcome.value, None, None
    due = got - off
    return wager.expected.outcome.value, max(due, 0), max(-due, 0)


def _side(side: Settlement) -> tuple[str, int | None, int | None]:
    return side.outcome.value, side.winnings_cents, side.stake_taken_cents


def _local(clock: PropertyClock, at: int) -> str:
    return clock.local(at).isoformat(sep=" ", timespec="microseconds")
