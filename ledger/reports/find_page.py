"""The answer to a search line: plain data for scripts, and a page for people."""

from __future__ import annotations

from datetime import date
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from ledger.kernel import dollars, plural
from ledger.reports.phrases import listed, short_dollars
from ledger.reports.table_style import folding_table
from ledger.search import Hit, SearchAnswer, Searched, WagerHit

LISTED: Final = 10
"""How many names stand in a sentence before the rest is counted."""
STYLES: Final = {"settled": "green", "void": "cyan", "unknown": "magenta"}


def search_data(answer: SearchAnswer) -> list[dict[str, object]]:
    """Each round that was found, with the wagers that matched and why."""
    return [
        {
            "round": hit.round,
            "gaming_day": hit.gaming_day.isoformat(),
            "table": hit.table,
            "game": hit.game,
            "opened": hit.opened.isoformat(),
            "closed": hit.closed.isoformat() if hit.closed is not None else None,
            "status": hit.status,
            "shown": hit.shown,
            "unknown_because": hit.unknown_because,
            "wager_count": hit.wager_count,
            "stake_cents": hit.stake_cents,
            "findings": list(hit.codes),
            "wagers": [_wager_data(wager) for wager in hit.wagers],
            "why": list(hit.why),
        }
        for hit in answer.hits
    ]


def _wager_data(wager: WagerHit) -> dict[str, object]:
    return {name: getattr(wager, name) for name in WagerHit.__dataclass_fields__}


def search_page(answer: SearchAnswer) -> RenderableType:
    """The rounds for people, a line each with their wagers below; without any, where was looked."""
    lines: list[RenderableType] = [Text(_sentence(word)) for word in answer.took]
    if answer.hits:
        lines += [_table(answer.hits), Text(), Text(_count(answer))]
        if common := _common(answer.hits):
            lines.append(Text(f"Matched by: {'; '.join(common)}."))
    else:
        lines.append(Text("No round matches.", style="bold"))
        lines += [Text(_sentence(hint)) for hint in answer.hints]
        lines += [Text(line) for line in searched_lines(answer.searched)]
    return Group(*lines)


def searched_lines(searched: Searched) -> list[str]:
    """Where was looked, and what is not known there."""
    if not searched.rounds:
        ends = searched.record_ends
        last = f"it ends at {ends:%H:%M:%S} on {_date(ends.date())}" if ends else "it has none"
        return [f"The record has no round there and then; {last}."]
    first, last = _date(searched.days[0]), _date(searched.days[-1])
    days = f"gaming day {first}" if first == last else f"gaming days {first} to {last}"
    lines = [
        f"Searched: {plural(searched.rounds, 'round')} and {plural(searched.wagers, 'wager')} at"
        f" {_some(list(searched.tables))}, {days}."
    ]
    if searched.unknown:
        lines.append(f"The outcome is unknown of {_some(list(searched.unknown))}.")
    if searched.uncovered:
        places = [f"{table} on {day:%B} {day.day}" for table, day in searched.uncovered]
        lines.append(f"Wagers are not recorded at {_some(places)}.")
    return [*lines, *(f"In doubt there: {sentence}" for sentence in searched.doubts)]


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _date(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"


def _some(names: list[str]) -> str:
    """The first of many names, and how many there are beside."""
    rest = len(names) - LISTED
    return listed(names) if rest <= 0 else f"{', '.join(names[:LISTED])} and {rest:,} more"


def _count(answer: SearchAnswer) -> str:
    count = plural(answer.total, "round")
    if answer.total > len(answer.hits):
        count = f"The first {len(answer.hits):,} of {count}; --most shows more"
    return f"{count}. `pitledger round show ROUND` explains a round."


def _common(hits: tuple[Hit, ...]) -> list[str]:
    """The reasons that all of them share; what differs stands in their lines."""
    return [why for why in hits[0].why if all(why in hit.why for hit in hits)]


def _table(hits: tuple[Hit, ...]) -> RenderableType:
    columns = ("round", "local time", "outcome", "seat", "wager", "stake", "result", "verdict")
    table = folding_table(*columns)
    for hit in hits:
        ends = f"{hit.closed:%H:%M:%S}" if hit.closed is not None else "not closed"
        moment = f"{hit.opened:%b} {hit.opened.day} {hit.opened:%H:%M:%S} to {ends}"
        outcome = _at_seats(hit) or hit.unknown_because or ""
        verdict = Text(hit.status, style=STYLES.get(hit.status, ""))
        if hit.codes:
            verdict.append(f"; {', '.join(hit.codes)}", style="red")
        if not hit.wagers:
            wagers = plural(hit.wager_count, "wager")
            stake = short_dollars(hit.stake_cents)
            table.add_row(hit.round, moment, outcome, "", wagers, stake, "", verdict)
        for number, wager in enumerate(hit.wagers):
            head = (hit.round, moment, outcome) if number == 0 else ("", "", "")
            stake = short_dollars(wager.stake_cents)
            own = (wager.seat or "", wager.wager, stake, _result(wager))
            table.add_row(*head, *own, verdict if number == 0 else "")
    return table


def _at_seats(hit: Hit) -> str:
    """The outcome; where it has a part for each seat, those of the wagers that matched."""
    shown = hit.shown or ""
    by_seat = dict(part.split(": ", 1) for part in shown.split("; ") if ": " in part)
    seats = dict.fromkeys(wager.seat or "" for wager in hit.wagers)
    own = [f"{seat}: {by_seat[seat]}" for seat in seats if seat in by_seat]
    is_by_seat = len(by_seat) == shown.count("; ") + 1
    return "; ".join(own) if own and is_by_seat else shown


def _result(wager: WagerHit) -> str:
    """What the house did with a wager, and how that differs from the rules."""
    result = wager.observed or "not recorded"
    if wager.observed_winnings_cents:
        result += f", paid {dollars(wager.observed_winnings_cents)}"
    if wager.difference_cents:
        way = "too much" if wager.difference_cents > 0 else "too little"
        result += f"; {dollars(abs(wager.difference_cents))} {way}"
    return result
