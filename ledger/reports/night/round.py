"""One round as a self-contained page: the same explanation as `round show`, with drawings."""

from __future__ import annotations

from markupsafe import Markup

from ledger.events import WheelSpun
from ledger.kernel import PropertyClock, dollars
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.amendments import amended_words
from ledger.reports.capture_words import capture_line
from ledger.reports.drawing import turns
from ledger.reports.fact_sentences import card_word, wager_name
from ledger.reports.findings import DOUBTFUL, SEVERITIES, money
from ledger.reports.font import with_font
from ledger.reports.late_facts import mark_words
from ledger.reports.night.equipment_drawings import dice_svg, wheel_svg
from ledger.reports.night.template import style, template
from ledger.reports.paper import Paper
from ledger.reports.round_accounts import (
    account_rows,
    column_names,
    observation_line,
    verdict_of,
)
from ledger.reports.round_context import camera_lines, since_words, when_line
from ledger.reports.round_hands import RED, hands_of
from ledger.reports.round_page import (
    SIGNS,
    coupon_words,
    law_rows,
    net,
    not_known,
    odds_words,
    pays_words,
    placed_at,
    readings_used,
    result_head,
    signed,
    throw_caption,
    throws_of,
)
from ledger.reports.round_view import RoundView
from ledger.reports.timeline import timeline_rows
from ledger.rounds import Outcome, RoundResult, WagerResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """A wager with its explanation: expected beside observed, and why."""

    wager: WagerResult
    name: str
    should: str
    paid: str
    off: str
    why: str
    sections: str


def round_html(
    seen: RoundView,
    clock: PropertyClock,
    *,
    property_name: str | None = None,
    tree_size: int | None = None,
    root: str | None = None,
    back: str | None = None,
    footage_days: int | None = None,
    paper: Paper = Paper.LETTER,
) -> str:
    """A round as one self-contained page.

    Args:
        seen: the round with its facts.
        clock: the property's.
        property_name: as the property states it.
        tree_size: of the ledger that was read.
        root: of that tree, in hexadecimal.
        back: a page to go back to, as seen from this one.
        footage_days: for how many days recordings are kept; None: not set.
        paper: what it is printed on.
    """
    result = seen.result
    worst = min((one.severity for one in result.findings), key=SEVERITIES.index, default=None)
    page = template("round.html").render(
        style=style(),
        paper=paper,
        seen=seen,
        result=result,
        worst=worst,
        verdict=verdict_of(seen),
        accounts=seen.accounts,
        account_columns=column_names(seen.accounts) if seen.accounts is not None else (),
        account_rows=list(account_rows(seen)),
        observation_line=lambda tape: observation_line(tape, clock),
        head=when_line(seen, clock),
        captured=capture_line(result.table, result.gaming_day, seen.capture),
        shown=_shown(seen),
        result_head=result_head(seen),
        hands=hands_of(seen),
        card=card_word,
        red=RED,
        timeline=list(timeline_rows(seen, clock)),
        cameras=camera_lines(seen, clock, footage_days),
        placed_at=placed_at(seen, clock),
        since=lambda finding: since_words(seen, finding),
        wagers=[explained_wager(result, one) for one in result.wagers],
        coupon_words=coupon_words,
        doubtful=DOUBTFUL,
        signs=SIGNS,
        findings=sorted(result.findings, key=lambda one: SEVERITIES.index(one.severity)),
        money=money,
        dollars=dollars,
        unknown=not_known(seen, clock),
        amended=[(one, amended_words(one)) for one in seen.amended],
        marked=[mark_words(one, clock) for one in seen.marks],
        law=law_rows(result),
        readings=readings_used(result),
        property_name=property_name,
        tree_size=tree_size,
        root=root,
        back=back,
    )
    return with_font(page)


def _shown(seen: RoundView) -> list[tuple[str, Markup]]:
    """Each throw and spin: its caption and its drawing, in the order of the facts."""
    throws = throws_of(seen)
    spins = [step.fact for step in seen.steps if isinstance(step.fact, WheelSpun)]
    drawn = [
        (throw_caption(number, throw) if len(throws) > 1 else "", dice_svg(throw))
        for number, throw in enumerate(throws, 1)
    ]
    for number, spin in enumerate(spins, 1):
        parts = [f"spin {number}" if len(spins) > 1 else "", turns(spin)]
        drawn.append((": ".join(part for part in parts if part), wheel_svg(spin, seen.wheel)))
    return drawn


def explained_wager(result: RoundResult, wager: WagerResult) -> Explained:
    """A wager of a round with its explanation."""
    off, expected = wager.difference_cents, wager.expected
    cites = [cite.on(result.gaming_day) for cite in expected.citations]
    return Explained(
        wager=wager,
        name=wager_name(wager.wager, wager.picks),
        should="–" if expected.outcome is Outcome.STANDS else signed(net(expected)),
        paid=signed(net(wager.observed)) if wager.observed else "nothing",
        off=signed(off) if off else "unknown" if off is None and wager.observed else "",
        why=pays_words(wager)
        or odds_words(wager)
        or ("" if cites else result.unknown_because or ""),
        sections="; ".join(cites),
    )
