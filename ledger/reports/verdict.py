"""A round's verdict in one line."""

from __future__ import annotations

from ledger.kernel import Certainty, Finding, dollars, plural
from ledger.reports.fact_sentences import wager_name
from ledger.reports.findings import SEVERITIES
from ledger.reports.phrases import short_dollars
from ledger.rounds import InDoubt, Outcome, RoundResult, RoundStatus, Settlement, WagerResult

_PAID = (
    *("wager_underpaid", "wager_overpaid"),
    *("payout_limit_not_applied", "payout_limit_ignored"),
)


def verdict(result: RoundResult) -> str:
    """The first line about a round: the gravest finding, else how it ended."""
    since = "" if result.missing_since is None else " Facts are missing right after this round."
    if not result.findings:
        return f"{_clean(result)}{since}"
    first = min(result.findings, key=_weight)
    more = len(result.findings) - 1
    tail = f"; {plural(more, 'more finding')}." if more else ""
    return f"{_finding(result, first)}{tail}{since}"


def _weight(finding: Finding) -> tuple[bool, bool, int, int]:
    money = abs(finding.effect_cents or 0)
    unknown = finding.certainty is Certainty.UNKNOWN
    return (unknown, not money, SEVERITIES.index(finding.severity), -money)


def _finding(result: RoundResult, finding: Finding) -> str:
    wager = next((w for w in result.wagers if w.wager_id == finding.wager), None)
    head = ""
    if wager is not None:
        name = wager_name(wager.wager, wager.picks)
        head = f"{wager.wager_id}, {short_dollars(wager.stake_cents)} on {name}: "
    sentence = finding.sentence
    if head and finding.code in _PAID and sentence.startswith("Paid "):
        sentence = "paid " + sentence.removeprefix("Paid ")
    effect = ""
    if finding.effect_cents:
        over = finding.effect_cents > 0
        word = "Overpaid" if over else "Underpaid"
        if finding.code not in _PAID:
            word = "The house lost" if over else "The patron lost"
        effect = f" {word} {dollars(abs(finding.effect_cents))}."
    pin = f" {finding.citations[0].pin}" if finding.citations else ""
    return f"{head}{sentence}{effect}{pin}"


def _clean(result: RoundResult) -> str:
    count = len(result.wagers)
    wagers = plural(count, "wager")
    match result.status:
        case RoundStatus.UNKNOWN:
            why = result.unknown_because or "the record does not show how it ended"
            return f"Unknown: {why}." + (f" {wagers} cannot be judged." if count else "")
        case RoundStatus.VOID:
            return f"Void: {result.shown}. All wagers were returned."
        case RoundStatus.SETTLED if not count:
            return f"{result.shown}: nothing out of order; no wager on record."
    won = [w for w in result.wagers if w.expected.outcome is Outcome.WON]
    paid = sum(w.expected.winnings_cents or 0 for w in won)
    taken = sum(w.expected.stake_taken_cents or 0 for w in result.wagers)
    right = "settled correctly" if count == 1 else "all settled correctly"
    return f"{wagers} {right}: paid {dollars(paid)}, collected {dollars(taken)}."


def wager_verdict(wager: WagerResult) -> str:
    """How one wager comes out and how the house settled it: "W3, $25 on Small Bet: lost, …"."""
    name = wager_name(wager.wager, wager.picks)
    due, house = wager.expected, wager.observed
    head = f"{wager.wager_id}, {short_dollars(wager.stake_cents)} on {name}: "
    if due.outcome is Outcome.STANDS:
        return f"{head}still stands."
    won = f", winnings {dollars(due.winnings_cents)}" if due.winnings_cents else ""
    head += f"{due.outcome.value}{won}"
    if house is None:
        return f"{head}; no settlement is on record."
    over = wager.difference_cents
    if over is None:
        return f"{head}; how the house settled it is unknown."
    if over == 0:
        return f"{head}; the house settled it correctly."
    return f"{head}; {'overpaid' if over > 0 else 'underpaid'} {dollars(abs(over))}."


def in_doubt_words(wager: WagerResult) -> str | None:
    """What of a wager is in doubt, and what it comes to in either case."""
    doubt = wager.in_doubt
    if doubt is None:
        return None
    stands, goes = _comes_to(doubt.if_stands), _comes_to(doubt.if_returned)
    if doubt.coupons:
        return _with_coupons(doubt, stands, goes)
    if not doubt.stake_cents:
        apart = f" ({doubt.interval})" if doubt.interval is not None else ""
        return (
            f"It depends on other wagers that are in doubt{apart}: if they count, it {stands};"
            f" if not, it {goes}"
        )
    if wager.expected.outcome is Outcome.UNKNOWN:
        return f"Whether it counts is unknown: if it does, it {stands}; if not, it {goes}"
    added = dollars(doubt.stake_cents)
    if doubt.interval is not None:
        return (
            f"The clocks cannot show whether {added} of it counts ({doubt.interval}): if so, the"
            f" wager {stands}; if not, it {goes} and the {added} is returned"
        )
    return (
        f"Whether the {added} added counts is unknown: if it does, the wager {stands};"
        f" if not, the wager {goes} and the {added} is returned"
    )


def _with_coupons(doubt: InDoubt, stands: str, goes: str) -> str:
    """The same where coupons were laid too late, beside what else was added."""
    kind = "coupon" if len(doubt.coupons) == 1 else "coupons"
    late = f"{kind} {', '.join(doubt.coupons)}"
    if doubt.stake_cents:
        late = f"the {dollars(doubt.stake_cents)} added and {late}"
    apart = f" ({doubt.interval})" if doubt.interval is not None else ""
    return (
        f"Whether {late} may count is unknown{apart}: if so, the wager {stands}; if not, it {goes}"
    )


def _comes_to(side: Settlement) -> str:
    match side.outcome:
        case Outcome.WON:
            won = side.winnings_cents
            return "wins" if won is None else f"wins {dollars(won)}"
        case Outcome.LOST:
            return f"loses {dollars(side.stake_taken_cents or 0)}"
        case Outcome.RETURNED:
            return "is returned"
        case _:
            return "is not decided"
