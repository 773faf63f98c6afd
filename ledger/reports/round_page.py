"""One round explained: plain data for scripts, and a page for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ledger.codec import format_time, to_plain
from ledger.events import DiceThrown, DiceThrownByHand, WagerPlaced, WheelSpun
from ledger.games import BY_GAME
from ledger.kernel import Certainty, Citation, Finding, PropertyClock, dollars
from ledger.law import heading, reading
from ledger.replay import DoubtBegins
from ledger.reports.amendments import amended_data, amended_lines
from ledger.reports.capture_words import capture_line
from ledger.reports.drawing import draw_dice, draw_wheel, turns
from ledger.reports.fact_sentences import spoken, wager_name
from ledger.reports.findings import DOUBTFUL, STYLES, finding_data, money
from ledger.reports.late_facts import mark_data, marked_lines
from ledger.reports.ledger_output import with_position
from ledger.reports.round_accounts import account_lines, accounts_data, verdict_of
from ledger.reports.round_context import (
    camera_lines,
    conditional_lines,
    since_words,
    when_line,
)
from ledger.reports.round_hands import hands_data, hands_of, hands_table
from ledger.reports.round_view import CameraView, RoundView
from ledger.reports.table_style import plain_table
from ledger.reports.timeline import gap_words, timeline
from ledger.reports.verdict import in_doubt_words
from ledger.rounds import (
    CouponResult,
    InDoubt,
    Outcome,
    RoundResult,
    Settlement,
    WagerResult,
    chips_words,
    net_cents,
    times_words,
)

WIDE: Final = 140
"""Characters from which the table of wagers has a column for patron, odds and section."""
SIGNS: Final = "+ paid to the patron, - collected from the patron; the stake itself is not counted"


def round_data(seen: RoundView) -> dict[str, object]:
    """A round as plain data: amounts in cents, times in UTC, null where nothing is known."""
    result = seen.result
    return {
        "round": result.round,
        "verdict": verdict_of(seen),
        "gaming_day": result.gaming_day.isoformat(),
        "stream": result.stream,
        "table": result.table,
        "game": result.game,
        "capture": seen.capture,
        "opened_at": format_time(result.opened_at),
        "closed_at": None if result.closed_at is None else format_time(result.closed_at),
        "status": result.status.value,
        "shown": result.shown,
        "hands": hands_data(seen),
        "unknown_because": result.unknown_because,
        "missing": [_gap_data(gap) for gap in seen.gaps],
        "holds": list(conditional_lines(seen)),
        "wagers": [_wager_data(result, wager) for wager in result.wagers],
        "rulings": [_ruling_data(result, wager) for wager in result.wagers],
        "findings": [_finding_data(seen, finding) for finding in result.findings],
        "amended": [amended_data(one) for one in seen.amended],
        "cameras": [_camera_data(view) for view in seen.cameras],
        "marked": [mark_data(one) for one in seen.marks],
        "accounts": accounts_data(seen),
        "facts": [with_position(to_plain(step.fact), step.position) for step in seen.steps],
    }


def _finding_data(seen: RoundView, finding: Finding) -> dict[str, object]:
    """A finding, and how long after the close of betting its wager came."""
    spans = [seen.since[ref] for ref in finding.facts if ref in seen.since]
    if not spans:
        return finding_data(finding)
    first = spans[0]
    return {
        **finding_data(finding),
        "after_close_micros": first.micros,
        "clocks_apart_micros": first.uncertainty,
    }


def _gap_data(gap: DoubtBegins) -> dict[str, object]:
    """Facts that are missing or in conflict: which, and between which moments."""
    return {
        "why": gap.kind.value,
        "stream": gap.stream,
        "first_seq": gap.first_seq,
        "last_seq": gap.last_seq,
        "after": None if gap.at is None else format_time(gap.at),
        "before": None if gap.ends_at is None else format_time(gap.ends_at),
    }


def _camera_data(view: CameraView) -> dict[str, object]:
    return {
        "camera": view.camera,
        "covers": view.covers,
        "since": format_time(view.since),
        "lost": [
            {"from": format_time(lost), "to": None if back is None else format_time(back)}
            for lost, back in view.losses
        ],
    }


def _wager_data(result: RoundResult, wager: WagerResult) -> dict[str, object]:
    return {
        "wager_id": wager.wager_id,
        "wager": wager.wager,
        "picks": list(wager.picks),
        "stake_cents": wager.stake_cents,
        "patron": wager.patron,
        "position": wager.position,
        "placed": {"stream": wager.placed.stream, "seq": wager.placed.seq},
        "expected": _side_data(result, wager.expected),
        "observed": _side_data(result, wager.observed) if wager.observed else None,
        "difference_cents": wager.difference_cents,
        "arithmetic": wager.arithmetic,
        **({"in_doubt": _doubt_data(result, wager.in_doubt)} if wager.in_doubt else {}),
        **(
            {"coupons": [_coupon_data(result, one) for one in wager.coupons]}
            if wager.coupons
            else {}
        ),
    }


def _doubt_data(result: RoundResult, doubt: InDoubt) -> dict[str, object]:
    """What of a wager is in doubt, and what the wager comes to in either case."""
    return {
        "stake_cents": doubt.stake_cents,
        "facts": [{"stream": ref.stream, "seq": ref.seq} for ref in doubt.facts],
        "if_returned": _side_data(result, doubt.if_returned),
        "if_stands": _side_data(result, doubt.if_stands),
        **({"coupons": list(doubt.coupons)} if doubt.coupons else {}),
        **({"interval": doubt.interval} if doubt.interval is not None else {}),
    }


def _coupon_data(result: RoundResult, coupon: CouponResult) -> dict[str, object]:
    """A coupon with a wager: what it adds, and where it went."""
    return {
        "serial": coupon.serial,
        "value_cents": coupon.value_cents,
        "counts": coupon.counts,
        "wins_cents": coupon.wins_cents,
        "because": coupon.because,
        "went": coupon.went,
        "citations": [_cite_data(result, cite) for cite in coupon.citations],
    }


def _side_data(result: RoundResult, side: Settlement) -> dict[str, object]:
    return {
        "outcome": side.outcome.value,
        "winnings_cents": side.winnings_cents,
        "stake_taken_cents": side.stake_taken_cents,
        "facts": [{"stream": ref.stream, "seq": ref.seq} for ref in side.facts],
        "citations": [_cite_data(result, cite) for cite in side.citations],
    }


def _ruling_data(result: RoundResult, wager: WagerResult) -> dict[str, object]:
    """What the rules make of a wager, on what was shown."""
    return {
        "wager_id": wager.wager_id,
        "shown": result.shown,
        "outcome": wager.expected.outcome.value,
        "because": wager.arithmetic or result.unknown_because,
        "citations": [_cite_data(result, cite) for cite in wager.expected.citations],
    }


def _cite_data(result: RoundResult, cite: Citation) -> dict[str, object]:
    return {
        "section": cite.section,
        "edition": cite.edition.source,
        "text": cite.on(result.gaming_day),
    }


def net(side: Settlement | None) -> int | None:
    """What the patron wins by a settlement, in cents; a loss is negative."""
    return None if side is None else net_cents(side)


# ------------------------------------------------------------------ the page


def round_page(
    seen: RoundView, clock: PropertyClock, width: int, footage_days: int | None = None
) -> RenderableType:
    """The round as a page: verdict, what was captured, shown, wagered, found; the law.

    Args:
        seen: the round with its facts.
        clock: the property's.
        width: of the terminal, in characters.
        footage_days: for how many days recordings are kept; None: not set.
    """
    result = seen.result
    parts: list[RenderableType] = [*_head(seen, clock), *account_lines(seen, clock)]
    parts += [*_shown(seen)]
    parts += marked_lines(seen.marks, clock)
    parts += amended_lines(seen.amended)
    parts += [Text("Timeline", style="bold")]
    parts += [Padding(timeline(seen, clock), (0, 0, 1, 2))]
    if result.wagers:
        table = _wagers(seen, clock, width)
        parts += [Text("Wagers", style="bold"), Padding(table, (0, 0, 0, 2))]
        parts += [Text(f"  {SIGNS}\n", style="dim")]
        parts += [*_coupons(result)]
    parts += [*_findings(seen), *_unknown(seen, clock), *_cameras(seen, clock, footage_days)]
    parts += [*_law(result), *_readings(result)]
    return Group(*parts)


def _head(seen: RoundView, clock: PropertyClock) -> Iterator[RenderableType]:
    result = seen.result
    worst = max(result.findings, key=lambda f: list(STYLES).index(f.severity) * -1, default=None)
    yield Text(verdict_of(seen), style=f"bold {STYLES[worst.severity]}" if worst else "bold green")
    yield Text(capture_line(result.table, result.gaming_day, seen.capture), style="dim")
    yield Text(f"{result.round}, {result.game}, {when_line(seen, clock)}\n", style="dim")


def _shown(seen: RoundView) -> Iterator[RenderableType]:
    throws = throws_of(seen)
    drawn = [
        Text(f"{throw_caption(number, throw)}\n" if len(throws) > 1 else "") + draw_dice(throw)
        for number, throw in enumerate(throws, 1)
    ]
    if drawn:
        yield Padding(Columns(drawn, padding=(0, 3)), (0, 0, 0, 2))
    spins = [step.fact for step in seen.steps if isinstance(step.fact, WheelSpun)]
    for number, spin in enumerate(spins, 1):
        yield Text(f"  spin {number}: {turns(spin)}" if len(spins) > 1 else f"  {turns(spin)}")
        yield Padding(draw_wheel(spin, seen.wheel), (0, 0, 0, 2))
    hands = hands_of(seen)
    if hands:
        yield Padding(hands_table(hands), (0, 0, 1, 2))
    if seen.result.shown:
        yield Text(f"  {result_head(seen)}: {seen.result.shown}\n")
    elif throws or spins:
        yield Text()


def result_head(seen: RoundView) -> str:
    """The word before the result; it says so where the drawings are the terminal's alone."""
    accounts = seen.accounts
    if accounts is None or accounts.basis is None:
        return "Result"
    return "Result by the tape, above as the terminal recorded it"


def throws_of(seen: RoundView) -> list[DiceThrown | DiceThrownByHand]:
    """The throws of a round, whoever threw, in the order of the facts."""
    facts = [step.fact for step in seen.steps]
    return [fact for fact in facts if isinstance(fact, (DiceThrown, DiceThrownByHand))]


def throw_caption(number: int, throw: DiceThrown | DiceThrownByHand) -> str:
    """The caption of a throw where a round has several: "throw 2", "throw 5: extra point"."""
    purpose = throw.purpose if isinstance(throw, DiceThrownByHand) else None
    return f"throw {number}" + (f": {spoken(purpose)}" if purpose is not None else "")


def placed_at(seen: RoundView, clock: PropertyClock) -> dict[str, str]:
    """The local time at which each wager of a round was placed, by its id, where that is here."""
    return {
        step.fact.wager_id: clock.time_on(seen.result.gaming_day, step.fact.event_time)
        for step in seen.steps
        if isinstance(step.fact, WagerPlaced)
    }


def _wagers(seen: RoundView, clock: PropertyClock, width: int) -> Table:
    """One line per wager; in a narrow terminal patron, odds and section stand under its name."""
    wide, times = width >= WIDE, placed_at(seen, clock)
    table = plain_table()
    table.add_column("id", no_wrap=True)
    table.add_column("seat", no_wrap=True)
    table.add_column("placed", no_wrap=True)
    if wide:
        table.add_column("patron", no_wrap=True)
    table.add_column("wager")
    table.add_column("stake", justify="right", no_wrap=True)
    table.add_column("result", no_wrap=True)
    if wide:
        table.add_column("odds", no_wrap=True)
    for name in ("due", "settled", "difference" if wide else "off by"):
        table.add_column(name, justify="right", no_wrap=True)
    if wide:
        table.add_column("section", no_wrap=True)
    for wager in seen.result.wagers:
        off, outcome = wager.difference_cents, wager.expected.outcome
        odds, cites = odds_words(wager), wager.expected.citations
        pin = cites[0].pin if cites else ""
        named = Text(wager_name(wager.wager, wager.picks))
        if not wide:
            below = [part for part in (wager.patron, odds, pin) if part]
            named.append("\n" + ", ".join(below) if below else "", style="dim")
        should = "-" if outcome is Outcome.STANDS else signed(net(wager.expected))
        table.add_row(
            wager.wager_id,
            wager.position or "",
            times.get(wager.wager_id, ""),
            *((wager.patron or "",) if wide else ()),
            named,
            dollars(wager.stake_cents),
            outcome.value,
            *((odds,) if wide else ()),
            should,
            signed(net(wager.observed)) if wager.observed else "nothing",
            Text(signed(off), style="bold red") if off else "",
            *((pin,) if wide else ()),
        )
    return table


def _coupons(result: RoundResult) -> Iterator[RenderableType]:
    """Wagers with coupons: what the chips win, what each coupon adds, and its drop box."""
    with_coupons = [wager for wager in result.wagers if wager.coupons]
    if not with_coupons:
        return
    yield Text("Chips and coupons", style="bold")
    for wager in with_coupons:
        lines = [f"{wager.wager_id}: {pays_words(wager) or dollars(wager.stake_cents)}"]
        for coupon in wager.coupons:
            lines.append(f"    {coupon_words(coupon)}")
            cites = ", ".join(cite.on(result.gaming_day) for cite in coupon.citations)
            lines.append(f"    {cites}")
        if wager.expected.winnings_cents is not None:
            lines.append(f"    Due in all: {dollars(wager.expected.winnings_cents)}")
        yield Padding(Text("\n".join(lines)), (0, 0, 0, 2))
    yield Text()


def odds_words(wager: WagerResult) -> str:
    """The odds that judge a wager, with the multiplier where there was one."""
    return "" if wager.odds is None else times_words(wager.odds, wager.factor)


def pays_words(wager: WagerResult) -> str | None:
    """What the chips of a wager win and why: "$25.00 at 1 to 1 pays $25.00"; None: unknown.

    A wager that does not win has the room's own sentence.
    """
    if wager.expected.outcome is not Outcome.WON or wager.odds is None:
        return wager.arithmetic
    exact = wager.odds.times(wager.factor).winnings(wager.stake_cents)
    won = wager.expected.winnings_cents
    coupons = [coupon.wins_cents for coupon in wager.coupons]
    in_cash = bool(coupons and exact and won == sum(filter(None, coupons)))
    paid = None if coupons else won
    return chips_words(wager.stake_cents, wager.odds, wager.factor, paid, in_cash=in_cash)


def coupon_words(coupon: CouponResult) -> str:
    """What a coupon adds to its wager, and the drop box it went into."""
    return f"{coupon.because}; {coupon.went or 'no record shows where it went'}"


def signed(cents: int | None) -> str:
    """An amount with its sign, "unknown" where there is none."""
    if cents is None:
        return "unknown"
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def _findings(seen: RoundView) -> Iterator[RenderableType]:
    if not seen.result.findings:
        return
    yield Text("Findings", style="bold")
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for finding in seen.result.findings:
        about = f"{finding.wager}: " if finding.wager else ""
        line = Text(f"{about}{finding.sentence}")
        lost = money(finding.effect_cents)
        line.append(f" {lost[:1].upper()}{lost[1:]}." if lost else "")
        since = since_words(seen, finding)
        line.append(f" {since[:1].upper()}{since[1:]}." if since else "")
        if finding.certainty is Certainty.UNKNOWN:
            line.append(f" {DOUBTFUL}", style="magenta")
        facts = ", ".join(map(str, finding.facts))
        cites = ", ".join(cite.pin for cite in finding.citations)
        line.append(f"\n{cites}; facts {facts}; {finding.code}", style="dim")
        severity = Text(finding.severity.value.upper(), style=STYLES[finding.severity])
        table.add_row(severity, line)
    yield Padding(table, (0, 0, 1, 2))


def _unknown(seen: RoundView, clock: PropertyClock) -> Iterator[RenderableType]:
    lines = not_known(seen, clock)
    if lines:
        yield Text("Unknown", style="bold magenta")
        yield from (Padding(Text(line), (0, 0, 0, 2)) for line in lines)
        yield Text()


def _cameras(
    seen: RoundView, clock: PropertyClock, footage_days: int | None
) -> Iterator[RenderableType]:
    yield Text("Cameras", style="bold")
    for line in camera_lines(seen, clock, footage_days):
        yield Padding(Text(line), (0, 0, 0, 2))
    yield Text()


def not_known(seen: RoundView, clock: PropertyClock) -> list[str]:
    """What the record cannot show of a round, and what holds all the same."""
    result = seen.result
    lines = [f"The round: {result.unknown_because}."] if result.unknown_because else []
    unknown = [w.wager_id for w in result.wagers if w.expected.outcome is Outcome.UNKNOWN]
    if unknown:
        lines.append(f"The amount due on {', '.join(unknown)}.")
    doubts = ((w.wager_id, in_doubt_words(w)) for w in result.wagers)
    lines += [f"{wager_id}: {words}." for wager_id, words in doubts if words is not None]
    if seen.capture not in (None, "full"):
        lines.append(f"Capture level {seen.capture} records no wagers and no settlements.")
    lines += [gap_words(gap, seen, clock) for gap in seen.gaps]
    return [*lines, *conditional_lines(seen)]


def _law(result: RoundResult) -> Iterator[RenderableType]:
    rows = law_rows(result)
    if rows:
        yield Text("Law", style="bold")
    for cited, about in rows:
        line = Text(cited)
        line.append(f"  {about}", style="dim")
        yield Padding(line, (0, 0, 0, 2))


def law_cites(result: RoundResult) -> list[Citation]:
    """Each section that a round rests on, once, in the order of sections."""
    cites = [cite for finding in result.findings for cite in finding.citations]
    cites += [cite for wager in result.wagers for cite in wager.expected.citations]
    cites += [c for wager in result.wagers for one in wager.coupons for c in one.citations]
    return sorted({cite.section: cite for cite in cites}.values(), key=lambda c: c.section)


def law_rows(result: RoundResult) -> list[tuple[str, str]]:
    """Each section that a round rests on, as it is cited that day, and what it is about."""
    cites = law_cites(result)
    return [(cite.on(result.gaming_day), heading(cite.section)) for cite in cites]


def _readings(result: RoundResult) -> Iterator[RenderableType]:
    """The answer used wherever the regulation leaves a doubt, its name in small print."""
    used = readings_used(result)
    if used:
        yield Text("\nInterpretations used, until counsel or the Board decides", style="bold")
    for name, answer in used:
        line = Text(answer)
        line.append(f"  {name}", style="dim")
        yield Padding(line, (0, 0, 0, 2))


def readings_used(result: RoundResult) -> list[tuple[str, str]]:
    """The interpretations that a round rests on: the name of each, its question and answer."""
    names = [name for finding in result.findings for name in finding.readings]
    room = BY_GAME.get(result.game)
    if room is not None:
        wagers = {wager.wager for wager in result.wagers}
        rows = [row.reading for row in room.wagers if row.name in wagers]
        rows += [row.reading for row in room.payouts if row.wager in wagers]
        names += [name for name in rows if name is not None]
    if any(wager.coupons for wager in result.wagers):
        names += ["chips-under-coupon", "coupon-expiry"]
    entries = [(name, reading(name)) for name in dict.fromkeys(names)]
    return [(name, f"{entry.question} {entry.options[entry.choice]}") for name, entry in entries]
