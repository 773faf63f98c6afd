"""A round of play: verdict, board, timeline, wagers from fact to cents, cameras, law."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.events import NoMoreBetsAnnounced
from ledger.kernel import PropertyClock, dollars
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports import round_data
from ledger.reports.amendments import amended_words
from ledger.reports.board import board_at
from ledger.reports.findings import DOUBTFUL, SEVERITIES, money
from ledger.reports.late_facts import mark_words
from ledger.reports.night.round import explained_wager
from ledger.reports.phrases import signed_seconds
from ledger.reports.round_accounts import account_rows, verdict_of
from ledger.reports.round_context import camera_lines, since_words, when_line
from ledger.reports.round_page import (
    SIGNS,
    coupon_words,
    law_cites,
    law_rows,
    not_known,
    placed_at,
    readings_used,
    signed,
)
from ledger.reports.round_seats import seats_of
from ledger.reports.round_view import RoundView
from ledger.reports.timeline import TimelineRow, timeline_rows
from ledger.web.rendering import Answer
from ledger.web.table_then import clocks_of, held_during
from ledger.web.views.cases import cases_about
from ledger.web.views.law_pages import place_of
from ledger.web.views.shift import captured_words
from ledger.web.visit import Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class SteppedRow:
    """A line of the timeline.

    Attributes:
        row: the line.
        step: counts its facts; None for gaps and dates.
        apart: how long before (-) or after (+) "no more bets" it was, by the terminals' clocks.
    """

    row: TimelineRow
    step: int | None
    apart: str = ""


def round_page(visit: Visit) -> Answer:
    """One round; ``?step=N`` shows the board after its first N facts, ``&part=board`` it alone.

    Raises:
        RoundUnknown: the ledger has no such fact, or it lies in no round.
    """
    record = visit.record
    name, clock = record.round(visit.path["round"]).result.round, record.property_clock
    shows = visit.shows(f"round {name}")
    seen = record.round(name) if shows else record.masked_round(name)
    result = seen.result
    step = step_of(visit.query.get("step"), len(seen.steps))
    board = {
        "result": result,
        "step": step,
        "last": len(seen.steps),
        "board": board_at(seen, step),
    }
    if visit.query.get("part") == "board":
        shown = {"round": result.round, "step": step, "facts": len(seen.steps)}
        return Answer(template="round_board.html", context=board, document=shown, rows=[shown])
    before, after = record.neighbours(result.round, result.gaming_day)
    worst = min((one.severity for one in result.findings), key=SEVERITIES.index, default=None)
    context = board | {
        "title": f"Round {result.round}",
        "seen": seen,
        "worst": worst,
        "verdict": verdict_of(seen),
        "accounts": list(account_rows(seen)),
        "tapes": len(seen.accounts.tapes) if seen.accounts else 0,
        "held": held_during(record, seen),
        "clocks": clocks_of(record, seen),
        "head": when_line(seen, clock),
        "captured": captured_words(result.table, seen.capture),
        "timeline": (stepped := list(stepped_rows(seen, clock))),
        "is_timed": any(line.apart for line in stepped),
        "patrons": len(record.patrons_of(name).references),
        "shows": shows,
        "cases": list(cases_about(visit, name)),
        "before": before,
        "after": after,
        "cameras": camera_lines(seen, clock, visit.footage_days),
        "placed_at": placed_at(seen, clock),
        "since": lambda finding: since_words(seen, finding),
        "wagers": [explained_wager(result, one) for one in result.wagers],
        "seats": seats_of(seen),
        "signed": signed,
        "coupon_words": coupon_words,
        "doubtful": DOUBTFUL,
        "signs": SIGNS,
        "findings": sorted(result.findings, key=lambda one: SEVERITIES.index(one.severity)),
        "money": money,
        "unknown": not_known(seen, clock),
        "amended": [(one, amended_words(one)) for one in seen.amended],
        "marked": [mark_words(one, clock) for one in seen.marks],
        "law": [
            (cited, about, place_of(cite))
            for (cited, about), cite in zip(law_rows(result), law_cites(result), strict=True)
        ],
        "readings": readings_used(result),
        "size": record.replay.size,
        "root": record.replay.root.hex(),
    }
    rows = _wager_rows(seen)
    return Answer(template="round.html", context=context, document=round_data(seen), rows=rows)


def step_of(text: str | None, last: int) -> int:
    """Return how many facts are shown: what the address asks for, from 0 to all; all by default."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 6:
        return last
    return min(int(text), last)


def stepped_rows(seen: RoundView, clock: PropertyClock) -> Iterator[SteppedRow]:
    """Return the lines of a round's timeline with the number of facts up to each."""
    times = [step.fact.event_time for step in seen.steps]
    closed = next(
        (step.fact.event_time for step in seen.steps if isinstance(step.fact, NoMoreBetsAnnounced)),
        None,
    )
    count = 0
    for row in timeline_rows(seen, clock):
        is_fact = bool(row.facts) and not row.is_gap
        count += is_fact
        apart = "" if closed is None or not is_fact else signed_seconds(times[count - 1] - closed)
        yield SteppedRow(row=row, step=count if is_fact else None, apart=apart)


def _wager_rows(seen: RoundView) -> Iterator[dict[str, object]]:
    """The wagers for a spreadsheet: recorded beside computed, in dollars."""
    for wager in seen.result.wagers:
        explained = explained_wager(seen.result, wager)
        off = wager.difference_cents
        yield {
            "round": seen.result.round,
            "wager": wager.wager_id,
            "seat": wager.position,
            "patron": wager.patron,
            "bet": explained.name,
            "stake": dollars(wager.stake_cents),
            "expected": wager.expected.outcome.value,
            "observed": wager.observed.outcome.value if wager.observed else None,
            "due": explained.should,
            "settled": explained.paid,
            "difference": "unknown" if off is None else dollars(off),
            "because": explained.why,
            "sections": explained.sections,
        }
