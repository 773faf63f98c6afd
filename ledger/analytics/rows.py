"""Rows of staging from what the audit says: values only, no rule and no amount of our own.

Each row is a tuple in the order of its table's columns in ``COLUMNS``.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import pyarrow as pa

from ledger.audit import DayAudit, Theory, shown_of
from ledger.kernel import Finding, PropertyClock, parse_round_id, table_of
from ledger.rounds import RoundResult, Settlement, WagerResult

TEXT: Final[pa.DataType] = pa.string()
LONG: Final[pa.DataType] = pa.int64()
DAY: Final[pa.DataType] = pa.date32()
CENTS: Final[pa.DataType] = pa.decimal128(38, 0)  # stake times odds can pass 64 bits
PERCENT: Final[pa.DataType] = pa.decimal128(38, 2)
TEXTS: Final[pa.DataType] = pa.list_(TEXT)
LONGS: Final[pa.DataType] = pa.list_(LONG)

# fmt: off
COLUMNS: Final[dict[str, pa.Schema]] = {
    "days": pa.schema([
        ("gaming_day", DAY), ("digest", TEXT), ("events", LONG), ("rounds", LONG),
        ("unknown_rounds", LONG), ("wagers", LONG), ("findings", LONG), ("effect_cents", CENTS),
    ]),
    "captures": pa.schema([
        ("gaming_day", DAY), ("table_name", TEXT), ("level", TEXT), ("rounds", LONG),
        ("wagers", LONG),
    ]),
    "table_days": pa.schema([
        ("gaming_day", DAY), ("table_name", TEXT), ("game", TEXT), ("capture", TEXT),
        ("opener_cents", CENTS), ("fills_cents", CENTS), ("credits_cents", CENTS),
        ("closer_cents", CENTS), ("cash_drop_cents", CENTS), ("coupons_cents", CENTS),
        ("win_by_count_cents", CENTS), ("win_by_rounds_cents", CENTS), ("wagered_cents", CENTS),
        ("theoretical_win", TEXT), ("theoretical_win_cents", CENTS),
        ("hold_on_drop_percent", PERCENT), ("hold_on_wagers_percent", PERCENT),
        ("missing", TEXT), ("doubtful", pa.bool_()),
    ]),
    "rounds": pa.schema([
        ("round", TEXT), ("seq", LONG), ("stream", TEXT), ("table_name", TEXT), ("game", TEXT),
        ("gaming_day", DAY), ("opened_at", LONG), ("opened_local", TEXT), ("closed_at", LONG),
        ("closed_local", TEXT), ("status", TEXT), ("shown", TEXT), ("unknown_because", TEXT),
        ("facts", LONG),
    ]),
    "wagers": pa.schema([
        ("round", TEXT), ("wager_id", TEXT), ("wager", TEXT), ("picks", LONGS),
        ("stake_cents", CENTS), ("patron", TEXT), ("position", TEXT), ("placed_stream", TEXT),
        ("placed_seq", LONG), ("expected_outcome", TEXT), ("expected_winnings_cents", CENTS),
        ("expected_stake_taken_cents", CENTS), ("observed_outcome", TEXT),
        ("observed_winnings_cents", CENTS), ("observed_stake_taken_cents", CENTS),
        ("sections", TEXT),
    ]),
    "findings": pa.schema([
        ("gaming_day", DAY), ("number", LONG), ("code", TEXT), ("severity", TEXT),
        ("certainty", TEXT), ("sentence", TEXT), ("section", TEXT), ("sections", TEXT),
        ("readings", TEXTS), ("stream", TEXT), ("table_name", TEXT), ("round", TEXT),
        ("wager_id", TEXT), ("facts", TEXTS), ("expected", TEXT), ("observed", TEXT),
        ("effect_cents", CENTS),
    ]),
}
# fmt: on

Row = tuple[Any, ...]


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
    )


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
        *_side(expected),
        *(_side(wager.observed) if wager.observed is not None else (None, None, None)),
        "; ".join(cite.pin for cite in expected.citations),
    )


def _side(side: Settlement) -> tuple[str, int | None, int | None]:
    return side.outcome.value, side.winnings_cents, side.stake_taken_cents


def _local(clock: PropertyClock, at: int) -> str:
    return clock.local(at).isoformat(sep=" ", timespec="microseconds")
