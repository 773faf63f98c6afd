"""A request to offer something new: what it must contain, and whether its figures are correct.

Law: § 521.4. Readings: request-for-a-feature (what stands under "for table games" binds requests
for a game alone), floors (odds that favor the player are no breach if they are truly stated).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction

from ledger import events
from ledger.games import BY_GAME
from ledger.games.room import Breach, Duty, rules_on
from ledger.house.contradictory_facts import DUTY as CONTRADICTORY
from ledger.house.duties import BY_ROW
from ledger.house.odds_in_requests import (
    Range,
    advantage_of,
    by_arithmetic,
    chance_of,
    differing,
    exact,
    payout_of,
)
from ledger.house.office import Office
from ledger.house.records import decided_at, filed_at, plain
from ledger.kernel import Certainty, ref_of

ADDRESSEES = ("executive director", "board's executive director")
"""The beginnings of words that name the Board's Executive Director."""

CONTENTS = (
    ("description", "a detailed description"),
    ("rules_of_play", "the rules of play"),
    ("rules_of_wagering", "the rules of wagering"),
)
FIGURES = (
    ("true_odds", "filing_incomplete@.4(1)(ii)#1"),
    ("payout_odds", "filing_incomplete@.4(1)(ii)#2"),
    ("house_advantage", "filing_incomplete@.4(1)(ii)#3"),
)

UNREADABLE = "The request states {observed}, which cannot be read."
DISAGREES = "The request states {observed}; the odds that it states itself give {expected}."


def judge_request(fact: events.GameRequestFiled, day: date) -> Iterator[Breach]:
    """Report what a request lacks, and which of its figures are wrong."""
    of = fact.feature if fact.feature is not None else fact.game
    title = f"{fact.request} for {of}"
    yield from _addressed(fact, title)
    for part, words in CONTENTS:
        yield from _lacking_unless(
            fact, "filing_incomplete@.4(1)#", getattr(fact, part), title, words
        )
    if fact.kind not in (events.RequestKind.WAGER, events.RequestKind.FEATURE):
        known = fact.kind is events.RequestKind.GAME
        yield from _of_a_game(fact, title, certainty=_certain(known))
    for holds, row in (
        (_is_stated(fact.reason), "filing_incomplete@.4(2)#"),
        (_listed(fact.jurisdictions), "filing_incomplete@.4(3)#"),
        (_is_stated(fact.intellectual_property), "filing_incomplete@.4(4)#"),
    ):
        yield from _lacking_unless(fact, row, holds, title)
    for stated in fact.wagers or ():
        yield from _figures(fact, stated, day)


def judge_decision(office: Office, fact: events.RequestDecided) -> Iterator[Breach]:
    """Report a decision on a request that was never filed, or only later (ledger contract)."""
    requests = office.requests.filed.get(fact.request, ())
    at = decided_at(fact)
    if any(filed_at(request) <= at for request in requests):
        return
    decision = f"request {fact.request} was decided"
    observed = f"{decision} before it was filed" if requests else f"{decision} but never filed"
    facts = (*(ref_of(one) for one in requests[:1]), ref_of(fact))
    certainty = _certain(bool(requests) or office.sure(None, fact.event_time))
    yield Breach(duty=CONTRADICTORY, facts=facts, observed=observed, certainty=certainty)


def judge_approval(fact: events.GameApproved) -> Iterator[Breach]:
    """Report a game approved before it was requested (ledger contract)."""
    asked, approved = fact.requested_time, fact.approved_time
    if asked is not None and approved is not None and approved < asked:
        observed = f"{fact.game} was approved before it was requested"
        yield Breach(duty=CONTRADICTORY, facts=(ref_of(fact),), observed=observed)


def _addressed(fact: events.GameRequestFiled, title: str) -> Iterator[Breach]:
    to = fact.addressed_to
    if to is not None and plain(to).startswith(ADDRESSEES):
        return
    yield Breach(
        duty=BY_ROW["filing_incomplete@.4#"],
        facts=(ref_of(fact),),
        observed=title,
        expected=to or "nobody that is recorded",
        certainty=_certain(to is not None),
    )


def _of_a_game(
    fact: events.GameRequestFiled, title: str, *, certainty: Certainty
) -> Iterator[Breach]:
    """§ 521.4(1)(i) to (iv)."""
    classed = None if fact.classification is events.GameClass.UNRECOGNISED else fact.classification
    missing = fact.classification is None
    if classed is None:
        unsure = certainty if missing else Certainty.UNKNOWN
        yield _lacks(fact, "filing_incomplete@.4(1)(i)#", title, certainty=unsure)
    for name, row in FIGURES:
        lacking = [_title(one) for one in fact.wagers or () if not _is_stated(getattr(one, name))]
        if lacking or not fact.wagers:
            yield _lacks(fact, row, title, ", ".join(lacking) or "any wager", certainty=certainty)
    shown = fact.layout_shown
    if fact.has_layout is not False and shown is not True:
        known = fact.has_layout is True and shown is False
        unsure = certainty if known else Certainty.UNKNOWN
        yield _lacks(fact, "filing_incomplete@.4(1)(iii)#", title, certainty=unsure)
    if fact.equipment_shown is not True:
        unsure = certainty if fact.equipment_shown is False else Certainty.UNKNOWN
        yield _lacks(fact, "filing_incomplete@.4(1)(iv)#", title, certainty=unsure)


def _lacking_unless(
    fact: events.GameRequestFiled,
    row: str,
    holds: bool | None,
    title: str,
    lacking: str | None = None,
) -> Iterator[Breach]:
    if holds is not True:
        yield _lacks(fact, row, title, lacking, certainty=_certain(holds is not None))


def _lacks(
    fact: events.GameRequestFiled,
    row: str,
    title: str,
    lacking: str | None = None,
    *,
    certainty: Certainty,
) -> Breach:
    return Breach(
        duty=BY_ROW[row],
        facts=(ref_of(fact),),
        observed=title,
        expected=lacking,
        certainty=certainty,
    )


# --- the figures -----------------------------------------------------------------------------------


def _figures(
    fact: events.GameRequestFiled, row: events.RequestedOdds, day: date
) -> Iterator[Breach]:
    """Check the figures of § 521.4(1)(ii); one that cannot be read is unknown."""
    duty, rows = BY_ROW["filing_odds_mismatch@.4(1)(ii)#4"], fact.wagers or ()
    stated: tuple[tuple[str | None, str, Callable[[str], object]], ...] = (
        (row.true_odds, "true odds", chance_of),
        (row.payout_odds, "payout odds", payout_of),
        (row.house_advantage, "a house advantage", advantage_of),
    )
    for text, name, read in stated:
        if text is not None and _is_stated(text) and read(text) is None:
            observed = f"{name} of {text!r} on {_title(row)}"
            yield _mismatch(fact, _says(duty, UNREADABLE), observed, None, Certainty.UNKNOWN)
    chance = chance_of(row.true_odds or "")
    advantage = advantage_of(row.house_advantage or "")
    room = BY_GAME.get(fact.game)
    real = exact(room, rules_on(room, day, None), row, rows) if room is not None else None
    if real is None:
        yield from _contradiction(fact, duty, row, advantage)
        return
    chances = [one.chance for one in real]
    wrong = list(differing(chance, chances)) if chance is not None else []
    if wrong:
        observed = f"true odds of {row.true_odds} on {_title(row)}"
        words = _by_pick([_against(one) for one in sorted(wrong, reverse=True)])
        yield _mismatch(fact, duty, observed, words, Certainty.BROKEN)
    advantages = [one.advantage for one in real if one.advantage is not None]
    wrong = list(differing(advantage, advantages)) if advantage is not None else []
    if wrong:
        observed = f"a house advantage of {_percent_said(row)} on {_title(row)}"
        words = _by_pick([f"{one} ({_percent(one)})" for one in sorted(wrong)])
        yield _mismatch(fact, duty, observed, words, Certainty.BROKEN)


def _contradiction(
    fact: events.GameRequestFiled, duty: Duty, row: events.RequestedOdds, advantage: Range | None
) -> Iterator[Breach]:
    """Compare the figures of a game whose rules are not held with one another.

    They need not agree where a wager can also be returned or multiplied, so a difference is
    unknown.
    """
    own = by_arithmetic(row, fact.wagers or ())
    if advantage is None or not own or any(advantage.meets(one) for one in own):
        return
    observed = f"a house advantage of {_percent_said(row)} on {_title(row)}"
    words = _percent(own[0].low)
    yield _mismatch(fact, _says(duty, DISAGREES), observed, words, Certainty.UNKNOWN)


def _says(duty: Duty, sentence: str) -> Duty:
    return Duty(duty.code, duty.severity, duty.cite, sentence)


def _mismatch(
    fact: events.GameRequestFiled,
    duty: Duty,
    observed: str,
    expected: str | None,
    certainty: Certainty,
) -> Breach:
    facts = (ref_of(fact),)
    return Breach(duty=duty, facts=facts, observed=observed, expected=expected, certainty=certainty)


def _title(row: events.RequestedOdds) -> str:
    return row.wager if row.on is None else f"{row.wager} on {row.on}"


def _percent_said(row: events.RequestedOdds) -> str:
    text = (row.house_advantage or "").strip()
    return text if "%" in text or "/" in text else f"{text}%"


def _against(chance: Fraction) -> str:
    odds = (1 - chance) / chance
    return f"{odds.numerator} to {odds.denominator}"


def _by_pick(figures: list[str]) -> str:
    """Print one figure, or those of several picks."""
    if len(figures) > 3:
        return f"{figures[0]} to {figures[-1]}, by the pick"
    return " or ".join(figures) + (", by the pick" if len(figures) > 1 else "")


def _percent(part: Fraction) -> str:
    hundredths = round(abs(part) * 10_000)
    return f"{'-' if part < 0 else ''}{hundredths // 100}.{hundredths % 100:02d}%"


# --- small things ----------------------------------------------------------------------------------


def _is_stated(words: str | None) -> bool:
    return words is not None and bool(words.strip())


def _listed(names: tuple[str, ...] | None) -> bool:
    """Whether a list says something: an empty one says "none", one of blanks nothing."""
    return names is not None and all(name.strip() for name in names)


def _certain(known: bool) -> Certainty:
    return Certainty.BROKEN if known else Certainty.UNKNOWN
