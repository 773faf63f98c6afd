"""The history of one patron, dealer or piece of equipment: plain data, and a page for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType
from rich.text import Text

from ledger.kernel import dollars, plural
from ledger.reports.case_page import case_data
from ledger.reports.phrases import calendar_date, listed, short_dollars
from ledger.reports.table_style import folding_table
from ledger.search import History, SubjectDay, SubjectFinding, SubjectKind

if TYPE_CHECKING:
    from ledger.casework.cases import CaseFile

LISTED: Final = 10
"""How many names stand in a sentence before the rest is counted."""
_HEADS: Final = {
    SubjectKind.PATRON: ("Patron", "seat", "wagers", "staked"),
    SubjectKind.DEALER: ("Staff", "as", "wagers there", "staked there"),
    SubjectKind.EQUIPMENT: ("Equipment", "what", "wagers there", "staked there"),
}


def history_data(history: History, cases: Sequence[CaseFile] | None = None) -> dict[str, object]:
    """The history as plain data; amounts are cents.

    Args:
        history: what the record has.
        cases: those about it that the reader may see; None: it is not known who reads.
    """
    return {
        "kind": history.kind.value,
        "names": list(history.names),
        "days": [
            {
                **{name: getattr(day, name) for name in SubjectDay.__dataclass_fields__},
                "gaming_day": day.gaming_day.isoformat(),
            }
            for day in history.days
        ],
        "findings": [
            {
                **{name: getattr(finding, name) for name in SubjectFinding.__dataclass_fields__},
                "gaming_day": finding.gaming_day.isoformat(),
            }
            for finding in history.findings
        ],
        "total_findings": history.total_findings,
        "unknown_rounds": list(history.unknown),
        "uncovered": [[table, day.isoformat()] for table, day in history.uncovered],
        "nameless_wagers": history.nameless_wagers,
        "cases": None if cases is None else [case_data(case, reveal=False) for case in cases],
    }


def history_page(history: History, cases: Sequence[CaseFile] | None = None) -> RenderableType:
    """The history for people: a line a day and table, the findings, the cases, what is not known.

    Args:
        history: what the record has.
        cases: those about it that the reader may see; None: it is not known who reads.
    """
    head = _HEADS[history.kind][0]
    if not history.days:
        nothing = Text(f"{head} {listed(list(history.names))}: nothing on these gaming days.")
        return Group(nothing, *map(Text, _cases(cases)))
    first, last = history.days[0].gaming_day, history.days[-1].gaming_day
    span = f"gaming day {calendar_date(first)}"
    if first != last:
        span = f"gaming days {calendar_date(first)} to {calendar_date(last)}"
    lines: list[RenderableType] = [
        Text(f"{head} {listed(list(history.names))}, {span}", style="bold"),
        Text(),
        _days(history),
        Text(),
    ]
    lines += [Text(line) for line in (*_findings(history), *_cases(cases), *_unknowns(history))]
    return Group(*lines)


def _days(history: History) -> RenderableType:
    _, capacity, wagers, staked = _HEADS[history.kind]
    names = ("gaming day", "table", "game", capacity, "rounds", wagers, staked)
    table = folding_table(*names, "paid wrongly", "findings")
    for day in history.days:
        table.add_row(
            day.gaming_day.isoformat(),
            day.table,
            day.game or "no round",
            day.capacity.replace("_", " ").lower() or "not recorded",
            f"{day.rounds:,}",
            f"{day.wagers:,}",
            short_dollars(day.stake_cents),
            _wrongly(day),
            f"{day.findings:,}" if day.findings else "none",
        )
    return table


def _wrongly(day: SubjectDay) -> str:
    parts = []
    if day.overpaid_cents:
        parts.append(f"{dollars(day.overpaid_cents)} too much")
    if day.underpaid_cents:
        parts.append(f"{dollars(day.underpaid_cents)} too little")
    if day.not_compared:
        parts.append(f"{plural(day.not_compared, 'wager')} not compared")
    return "; ".join(parts) or "nothing"


def _findings(history: History) -> Iterator[str]:
    about = "these wagers" if history.kind is SubjectKind.PATRON else "these rounds"
    if not history.total_findings:
        yield f"No finding about {about}."
        return
    count = plural(history.total_findings, "finding")
    if history.total_findings > len(history.findings):
        count = f"The first {len(history.findings):,} of {count}; --most shows more"
    yield f"{count} about {about}:"
    for finding in history.findings:
        moment = (finding.opened_local or "")[:19].replace("T", " ")
        doubt = "" if finding.certainty == "broken" else " (unknown)"
        yield f"  {moment}  {finding.round}  {finding.sentence} {finding.section}{doubt}"


def _cases(cases: Sequence[CaseFile] | None) -> Iterator[str]:
    if cases is None:
        yield "Cases are told to a person who proves who asks: --as CREDENTIAL."
    elif not cases:
        yield "No case about it that you may see."
    for case in cases or ():
        yield f"  case {case.number}, {case.status.value}: {case.opened.summary}"


def _unknowns(history: History) -> Iterator[str]:
    """What the record does not show, so that no silence is read as clean."""
    if history.unknown:
        yield f"The outcome is unknown of {_some(list(history.unknown))}."
    if history.uncovered:
        places = [f"{table} on {calendar_date(day)}" for table, day in history.uncovered]
        yield f"Wagers are not recorded at {_some(places)}."
    doubtful = [f"{d.table} on {calendar_date(d.gaming_day)}" for d in history.days if d.doubtful]
    if doubtful:
        yield f"Facts are missing or contradict each other at {_some(sorted(set(doubtful)))}."
    if history.nameless_wagers:
        wagers = plural(history.nameless_wagers, "wager")
        yield f"{wagers} of these gaming days name no patron: some may be this patron's."


def _some(names: list[str]) -> str:
    """The first of many names, and how many there are beside."""
    rest = len(names) - LISTED
    return listed(names) if rest <= 0 else f"{', '.join(names[:LISTED])} and {rest:,} more"
