"""How each amount of a round comes about, as data that a program can check step by step.

A figure says its cents, and how they follow: from fields of facts (``facts``), from other figures
(``sum``, ``net``), from a stake at odds (``odds``; ``rounded`` and ``limited`` where a filed rule
or a payout limit comes after it), or only as the rules engine says (``stated``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from ledger.events import WagerIncreased, WagerPlaced, WagerSettled
from ledger.games import BY_GAME
from ledger.kernel import FactRef, PropertyClock, ref_of
from ledger.law import reading
from ledger.reports import RoundView, tell
from ledger.reports.findings import finding_data
from ledger.reports.round_page import law_rows, readings_used
from ledger.reports.verdict import verdict
from ledger.rounds import Outcome, RoundResult, Settlement, WagerResult

Figure = dict[str, object]
Values = Mapping[FactRef, Mapping[str, object]]
"""The fields of each fact of the pack, as its entry says them."""
WORDS = {
    "stake": "stake",
    "due": "winnings due",
    "due-taken": "of the stake, to the house by the rule",
    "paid": "winnings paid",
    "kept": "of the stake, kept by the house",
    "difference": "difference, for the patron",
}


def derivation_of(
    seen: RoundView, values: Values, clock: PropertyClock, *, before: str = ""
) -> dict[str, object]:
    """Return the derivation of a round: its wagers, findings and facts in words, its figures.

    Args:
        seen: the round.
        values: the fields of each fact, as the entries say them.
        clock: the property's.
        before: stands before the number of each wager, where several rounds are told apart.
    """
    result = seen.result
    numbered = [(f"{before}{number}", wager) for number, wager in enumerate(result.wagers)]
    figures = [figure for number, wager in numbered for figure in _figures(number, wager, values)]
    return {
        "about": f"round {result.round}",
        "round": result.round,
        "gaming_day": result.gaming_day.isoformat(),
        "game": result.game,
        "table": result.table,
        "status": result.status.value,
        "unknown_because": result.unknown_because,
        "shown": result.shown,
        "verdict": verdict(result),
        "wagers": [_wager(number, result, wager) for number, wager in numbered],
        "figures": figures,
        "findings": [finding_data(finding) for finding in result.findings],
        "facts": [[str(ref_of(step.fact)), tell(step.fact, clock)] for step in seen.steps],
    }


def _wager(number: str, result: RoundResult, wager: WagerResult) -> dict[str, object]:
    expected, observed = wager.expected, wager.observed
    return {
        "number": number,
        "wager_id": wager.wager_id,
        "wager": wager.wager,
        "picks": list(wager.picks),
        "position": wager.position,
        "placed": str(wager.placed),
        "decided_by": None if wager.decided_by is None else str(wager.decided_by),
        "due": expected.outcome.value,
        "done": None if observed is None else observed.outcome.value,
        "because": wager.arithmetic or result.unknown_because,
        "sections": [cite.on(result.gaming_day) for cite in expected.citations],
        "coupons": [
            {
                "serial": coupon.serial,
                "because": coupon.because,
                "sections": [cite.on(result.gaming_day) for cite in coupon.citations],
            }
            for coupon in wager.coupons
        ],
    }


# ------------------------------------------------------------------ figures


def _figures(number: str, wager: WagerResult, values: Values) -> Iterator[Figure]:
    stake = _stake(f"{number}.stake", wager, values)
    yield stake
    coupons = [
        _figure(f"{number}.coupon-{place}", coupon.wins_cents, "stated")
        for place, coupon in enumerate(wager.coupons, 1)
    ]
    yield from coupons
    expected, observed = wager.expected, wager.observed
    yield _due(f"{number}.due", wager, coupons)
    yield _taken(f"{number}.due-taken", f"{number}.stake", wager)
    done = []
    if observed is not None:
        pairs = (("paid", "winnings_cents"), ("kept", "stake_taken_cents"))
        done = [_done(f"{number}.{word}", observed, field, values) for word, field in pairs]
        yield from done
    amounts = [expected.winnings_cents, expected.stake_taken_cents, *(one["cents"] for one in done)]
    net, off = None, wager.difference_cents
    if len(amounts) == 4 and all(isinstance(cents, int) for cents in amounts):
        due, taken, paid, kept = (int(str(cents)) for cents in amounts)
        net = paid - kept - due + taken
    names = [f"{number}.{word}" for word in ("paid", "kept", "due", "due-taken")]
    is_net = off is not None and net == off
    yield _figure(
        f"{number}.difference", off, "net" if is_net else "stated", names if is_net else []
    )


def _figure(
    name: str, cents: object, how: str, of: Sequence[object] = (), **more: object
) -> Figure:
    return {"name": name, "cents": cents, "how": how, "of": list(of), **more}


def _stake(name: str, wager: WagerResult, values: Values) -> Figure:
    """The stake, as its facts sum up; stated where a part was refused or is in doubt."""
    parts = []
    for ref, fields in values.items():
        if ref.stream != wager.placed.stream or fields.get("wager_id") != wager.wager_id:
            continue
        if ref == wager.placed and fields["event"] == WagerPlaced.__name__:
            parts.append([str(ref), "stake_cents", fields["stake_cents"]])
        elif fields["event"] == WagerIncreased.__name__:
            parts.append([str(ref), "added_cents", fields["added_cents"]])
    return _of_facts(name, wager.stake_cents, parts)


def _done(name: str, observed: Settlement, field: str, values: Values) -> Figure:
    """What the house paid or kept, as its acts sum up; stated where one corrects another."""
    acts = [(ref, values[ref]) for ref in observed.facts if ref in values]
    settled = len(acts) == len(observed.facts) and all(
        fields["event"] == WagerSettled.__name__ for _, fields in acts
    )
    cents = observed.winnings_cents if field == "winnings_cents" else observed.stake_taken_cents
    parts = [[str(ref), field, fields[field]] for ref, fields in acts] if settled else []
    return _of_facts(name, cents, parts)


def _of_facts(name: str, cents: int | None, parts: list[list[object]]) -> Figure:
    amounts = [part[2] for part in parts]
    is_sum = parts and sum(each for each in amounts if isinstance(each, int)) == cents
    return _figure(name, cents, "facts", parts) if is_sum else _figure(name, cents, "stated")


def _due(name: str, wager: WagerResult, coupons: list[Figure]) -> Figure:
    """The winnings due: a stake at odds, coupons added, rounded or limited as was filed."""
    outcome, cents = wager.expected.outcome, wager.expected.winnings_cents
    if outcome in (Outcome.LOST, Outcome.RETURNED) and cents == 0:
        return _figure(name, 0, "sum")
    extra = [coupon["cents"] for coupon in coupons]
    if outcome is not Outcome.WON or cents is None or None in extra:
        return _figure(name, cents, "stated")
    added = sum(each for each in extra if isinstance(each, int))
    names = [coupon["name"] for coupon in coupons]
    if wager.odds is not None:
        exact = wager.odds.times(wager.factor).winnings(wager.stake_cents) + added
        how = _rounding(exact, cents)
        odds = {"pays": wager.odds.pays, "stake": wager.odds.stake, "factor": wager.factor}
        of = [f"{name.partition('.')[0]}.stake", *names]
        if how is not None and not (names and how != "odds" and cents == added):
            return _figure(name, cents, how, of, odds=odds)
    return _figure(name, cents, "sum", names) if cents == added else _figure(name, cents, "stated")


def _rounding(exact: Fraction, cents: int) -> str | None:
    if exact == cents:
        return "odds"
    if abs(exact - cents) < 1:
        return "rounded"
    return "limited" if cents < exact else None


def _taken(name: str, stake: str, wager: WagerResult) -> Figure:
    """What of the stake is the house's by the rule: all of it, or nothing."""
    cents = wager.expected.stake_taken_cents
    if wager.expected.outcome is Outcome.LOST and cents == wager.stake_cents:
        return _figure(name, cents, "sum", [stake])
    return _figure(name, cents, "sum" if cents == 0 else "stated")


# ------------------------------------------------------------------ law


def law_of(result: RoundResult) -> dict[str, object]:
    """Return the rows that a round was judged by, with their citations and interpretations."""
    room, day = BY_GAME.get(result.game), result.gaming_day
    names = {wager.wager for wager in result.wagers}
    rows: list[dict[str, object]] = []
    if room is not None:
        room = room.on(day)
        rows += [
            {
                "row": "wager",
                "wager": row.name,
                "wins_on": str(row.wins_on),
                "cited": row.cite.on(day),
                "interpretation": row.reading,
            }
            for row in room.wagers
            if row.name in names
        ]
        rows += [
            {
                "row": "payout",
                "wager": row.wager,
                "on": str(row.on),
                "odds": str(row.pays),
                "is_floor": not row.fixed,
                "cited": row.cite.on(day),
                "interpretation": row.reading,
            }
            for row in room.payouts
            if row.wager in names
        ]
    odds = [(w.odds.pays, w.odds.stake, w.factor) for w in result.wagers if w.odds is not None]
    return {
        "rows": rows,
        "odds": [
            {"pays": pays, "stake": stake, "factor": factor}
            for pays, stake, factor in sorted(set(odds))
        ],
        "filed_in": None if result.paytable is None else str(result.paytable),
        "sections": [{"cited": cited, "about": about} for cited, about in law_rows(result)],
        "interpretations": [_interpretation(name) for name, _ in readings_used(result)],
    }


def _interpretation(name: str) -> dict[str, object]:
    entry = reading(name)
    return {
        "name": name,
        "question": entry.question,
        "answer": entry.options[entry.choice],
        "other_answers": [text for key, text in entry.options.items() if key != entry.choice],
        "effect": entry.effect,
        "status": entry.status,
    }
