"""A question about a past round, answered: as recorded beside as supposed; text and plain data.

Every page begins and ends with the words that nothing of it is on record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Final

from ledger.audit.side_by_side import Comparison, RoundPair, WagerPair
from ledger.audit.supposed_facts import SupposedField
from ledger.audit.supposed_law import SupposedLaw
from ledger.codec import to_plain
from ledger.events import Fact
from ledger.kernel import Finding, PropertyClock, dollars, event_words, plural
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import reading
from ledger.replay import FactStep
from ledger.reports.fact_sentences import printable, wager_name
from ledger.reports.field_words import FieldWords, field_name
from ledger.reports.findings import finding_data, money
from ledger.reports.verdict import verdict
from ledger.rounds import Outcome, RoundResult, RoundStatus, WagerResult, net_cents

MARK: Final = "NOT ON RECORD"
NOTICE: Final = f"{MARK}. Supposed, not recorded: nothing was written, and no finding rests on it."
WIDTH: Final = 100
"""Characters of a line."""
NAMED: Final = 12
"""How many later rounds a page shows wager by wager; the JSON form has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfAnswer:
    """What is supposed of a round, and what it comes to.

    Args:
        comparison: what differs.
        fields: the supposed facts, field by field.
        law: by what the round is judged.
        clock: the property's.
        steps: the facts of the round as they are supposed.
    """

    comparison: Comparison
    fields: Sequence[SupposedField]
    law: SupposedLaw
    clock: PropertyClock
    steps: tuple[FactStep, ...] = ()

    @property
    def stays_unknown(self) -> tuple[str, ...]:
        """What neither the record nor the supposition can tell, in sentences."""
        asked = self.comparison.asked
        sides = (("as recorded", asked.recorded), ("as supposed", asked.supposed))
        lines = []
        for words, result in sides:
            if result is None or (result.status is not RoundStatus.UNKNOWN):
                continue
            why = result.unknown_because or "the record does not show how it ended"
            lines.append(f"The round {words}: {why}.")
        for pair in self.comparison.rounds:
            unknown = [one.either.wager_id for one in pair.wagers() if one.more_cents is None]
            if unknown:
                lines.append(f"{pair.either.round}: the amount due on {', '.join(unknown)}.")
        return tuple(lines)


# ------------------------------------------------------------------ plain data


def what_if_data(answer: WhatIfAnswer) -> dict[str, object]:
    """The answer as plain data: amounts in cents, null where nothing is known."""
    comparison, asked = answer.comparison, answer.comparison.asked.either
    joined = comparison.joined_at
    recorded_only, supposed_only = comparison.outside
    return {
        "not_on_record": True,
        "notice": NOTICE,
        "round": asked.round,
        "gaming_day": asked.gaming_day.isoformat(),
        "table": asked.table,
        "game": asked.game,
        "supposed": [_field_data(one) for one in answer.fields],
        "edition": None if answer.law.text is None else answer.law.text.edition.source,
        "readings": dict(answer.law.answers),
        "asked": _round_data(comparison.asked),
        "later": [_round_data(pair) for pair in comparison.later],
        "outside_rounds": {
            "only_recorded": [finding_data(one) for one in recorded_only],
            "only_supposed": [finding_data(one) for one in supposed_only],
        },
        "rounds_followed": comparison.followed,
        "same_again_at": None if joined is None else str(joined),
        "same_at_end": comparison.alike,
        "patrons_more_cents": comparison.more_cents,
        "settled_more_cents": comparison.settled_more_cents,
        "unknown_wagers": comparison.unknown,
        "stays_unknown": list(answer.stays_unknown),
    }


def _field_data(change: SupposedField) -> dict[str, object]:
    return {
        "stream": change.fact.stream,
        "seq": change.fact.seq,
        "event": type(change.fact).__name__,
        "field": change.field,
        "recorded": change.recorded,
        "supposed": change.supposed,
    }


def _round_data(pair: RoundPair) -> dict[str, object]:
    recorded_only, supposed_only = pair.findings
    return {
        "round": pair.either.round,
        "differs": pair.differs,
        "recorded": _result_data(pair.recorded),
        "supposed": _result_data(pair.supposed),
        "wagers": [_wager_data(pair, wager) for wager in pair.wagers()],
        "findings": {
            "only_recorded": [finding_data(one) for one in recorded_only],
            "only_supposed": [finding_data(one) for one in supposed_only],
        },
    }


def _result_data(result: RoundResult | None) -> dict[str, object] | None:
    if result is None:
        return None
    return {
        "status": result.status.value,
        "shown": result.shown,
        "unknown_because": result.unknown_because,
        "verdict": verdict(result),
    }


def _wager_data(pair: RoundPair, wager: WagerPair) -> dict[str, object]:
    return {
        "wager_id": wager.either.wager_id,
        "recorded": _side_data(pair.recorded, wager.recorded),
        "supposed": _side_data(pair.supposed, wager.supposed),
        "patron_more_cents": wager.more_cents,
    }


def _side_data(result: RoundResult | None, wager: WagerResult | None) -> dict[str, object] | None:
    if wager is None or result is None:
        return None
    due, done = wager.expected, wager.observed
    return {
        "wager": wager.wager,
        "picks": list(wager.picks),
        "stake_cents": wager.stake_cents,
        "outcome": due.outcome.value,
        "winnings_cents": due.winnings_cents,
        "stake_taken_cents": due.stake_taken_cents,
        "net_cents": net_cents(due),
        "house_paid_net_cents": None if done is None else net_cents(done),
        "difference_cents": wager.difference_cents,
        "arithmetic": wager.arithmetic,
        "citations": [
            {
                "section": cite.section,
                "edition": cite.edition.source,
                "text": cite.on(result.gaming_day),
            }
            for cite in due.citations
        ],
    }


# ------------------------------------------------------------------ the page


def what_if_text(answer: WhatIfAnswer) -> str:
    """The answer as a page for people."""
    comparison = answer.comparison
    lines = [NOTICE, "", *_question(answer), ""]
    lines += _round_lines(comparison.asked, "This round")
    runs_on = [pair for pair in comparison.later if not _only_stands(pair)]
    for pair in runs_on[:NAMED]:
        lines += _round_lines(pair, f"Later round {pair.either.round}")
    if len(runs_on) > NAMED:
        lines += [f"{plural(len(runs_on) - NAMED, 'later round')} more (--format json).", ""]
    lines += _standing_lines([pair for pair in comparison.later if _only_stands(pair)])
    lines += _finding_lines("Outside of rounds", comparison.outside)
    lines += [*_sums(answer), NOTICE]
    return "".join(f"{part}\n" for line in lines for part in _wrapped(printable(line)))


def _wrapped(line: str) -> list[str]:
    """A line in lines of a page's width; what goes on stands below the first one's text."""
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]


def _question(answer: WhatIfAnswer) -> Iterator[str]:
    asked, clock = answer.comparison.asked.either, answer.clock
    opened = clock.time_on(asked.gaming_day, asked.opened_at)
    yield f"What if, in {asked.round} ({asked.game}, gaming day {asked.gaming_day}, {opened}):"
    for change in answer.fields:
        yield f"  {_field_words(change)}"
    text = answer.law.text
    if text is not None:
        yield f"  the round were judged by § {text.edition.chapter}, {text.edition.source}"
    for name, option in answer.law.answers.items():
        yield f"  {reading(name).question} {reading(name).options[option]}  ({name})"
    if not answer.fields and not answer.law.is_other:
        yield "  nothing were otherwise"


def _field_words(change: SupposedField) -> str:
    event = type(change.fact).__name__
    head = f"{event_words(event)} ({change.fact.stream}:{change.fact.seq})"
    if change.field == "place":
        return f"{head}: came {change.supposed}"
    if change.field == "act":
        return f"{head}: {change.supposed}, not {change.recorded}"
    last = change.field.rpartition(".")[2]
    words = FieldWords(event, None).of
    recorded, supposed = (words(last, content) for content in (change.recorded, change.supposed))
    return f"{head}: {field_name(change.field)} {supposed}, recorded as {recorded}"


def _round_lines(pair: RoundPair, head: str) -> Iterator[str]:
    yield head
    if not pair.differs:
        yield from ("  No difference.", "")
        return
    for words, result in (("As recorded", pair.recorded), ("As supposed", pair.supposed)):
        if result is None:
            yield f"  {words}: there is no such round."
        else:
            yield f"  {words}: {result.shown or result.status.value}. {verdict(result)}"
    for wager in pair.wagers():
        yield from _wager_lines(pair, wager)
    yield from _finding_lines("", pair.findings)
    yield ""


def _only_stands(pair: RoundPair) -> bool:
    """Whether a round differs only in wagers that stand over it, or no longer do."""
    sides = [side for wager in pair.wagers() for side in (wager.recorded, wager.supposed)]
    standing = all(side is None or side.expected.outcome is Outcome.STANDS for side in sides)
    return bool(sides) and standing and not any(pair.findings)


def _standing_lines(pairs: Sequence[RoundPair]) -> Iterator[str]:
    """The rounds over which only standing wagers differ, in one line."""
    if not pairs:
        return
    wagers = dict.fromkeys(one.either.wager_id for pair in pairs for one in pair.wagers())
    first, last = pairs[0].either.round, pairs[-1].either.round
    where = first if first == last else f"{plural(len(pairs), 'round')} from {first} to {last}"
    yield f"Over {where} nothing else differs than whether {', '.join(wagers)} stands."
    yield ""


def _wager_lines(pair: RoundPair, wager: WagerPair) -> Iterator[str]:
    either, more = wager.either, wager.more_cents
    name = wager_name(either.wager, either.picks)
    who = f", {either.patron}" if either.patron else ""
    yield f"  {either.wager_id}  {name}, stake {dollars(either.stake_cents)}{who}"
    yield f"    as recorded: {_side_words(pair.recorded, wager.recorded)}"
    yield f"    as supposed: {_side_words(pair.supposed, wager.supposed)}"
    if more is None:
        yield "    difference: unknown"
    elif more:
        yield f"    difference: the patron is due {_more_words(more)}"


def _side_words(result: RoundResult | None, wager: WagerResult | None) -> str:
    """How a wager fares on one side: result, amount, how it comes about, by which section."""
    if result is None or wager is None:
        return "no such wager in this round"
    due, done = wager.expected, wager.observed
    match due.outcome:
        case Outcome.STANDS:
            words = "still stands"
        case Outcome.UNKNOWN:
            words = "unknown"
        case _:
            words = f"{due.outcome.value}, due {_signed(net_cents(due))}"
    if wager.late:
        words += ", made after betting closed"
    paid = f"; house settled {_signed(net_cents(done))}" if done is not None else ""
    off = wager.difference_cents
    if off:
        paid += f", {'overpaid' if off > 0 else 'underpaid'} {dollars(abs(off))}"
    cites = ", ".join(cite.on(result.gaming_day) for cite in due.citations)
    return words + paid + (f"; {cites}" if cites else "")


def _finding_lines(
    head: str, findings: tuple[tuple[Finding, ...], tuple[Finding, ...]]
) -> Iterator[str]:
    recorded_only, supposed_only = findings
    if head and (recorded_only or supposed_only):
        yield head
    for words, group in (("no longer found", recorded_only), ("found as well", supposed_only)):
        for finding in group:
            yield f"  {words}: {_finding_words(finding)}"


def _finding_words(finding: Finding) -> str:
    about = f"{finding.wager}: " if finding.wager else ""
    lost = money(finding.effect_cents)
    pins = ", ".join(cite.pin for cite in finding.citations)
    return f"{about}{finding.sentence}{f' {lost[:1].upper()}{lost[1:]}.' if lost else ''} {pins}"


def _sums(answer: WhatIfAnswer) -> Iterable[str]:
    comparison = answer.comparison
    differ = len(comparison.rounds)
    if not differ and not any(comparison.outside):
        yield "No difference: nothing of it changes an amount, an outcome or a finding."
    else:
        known = "In all, as far as it is known" if comparison.unknown else "In all"
        yield f"{known}: patrons are due {_more_words(comparison.more_cents)}."
        if comparison.settled_more_cents:
            acts = _more_words(comparison.settled_more_cents)
            yield f"What the house did comes to {acts} for them."
    if comparison.joined_at is not None:
        again = f"From {comparison.joined_at} on both are the same again"
    elif comparison.alike:
        again = "Both are the same at the end of the table's day"
    else:
        again = "They still differ at the end of the table's day, and were followed no further"
    yield f"{again}; {plural(differ, 'round')} differ{'s' if differ == 1 else ''}."
    if answer.stays_unknown:
        yield "Stays unknown:"
        yield from (f"  {line}" for line in answer.stays_unknown)
    yield ""


def _signed(cents: int | None) -> str:
    if cents is None:
        return "unknown"
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def _more_words(cents: int) -> str:
    if not cents:
        return "neither more nor less"
    return f"{dollars(abs(cents))} {'more' if cents > 0 else 'less'}"


def preview_data(answer: WhatIfAnswer, before: Fact, after: Fact | None) -> dict[str, object]:
    """The answer with the whole fact before and after an amendment that nobody made yet."""
    corrected = None if after is None else to_plain(after)
    return {**what_if_data(answer), "amendment": {"before": to_plain(before), "now": corrected}}
