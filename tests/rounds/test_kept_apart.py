"""Rounds on both sides of a gap are kept apart as far as what is recorded shows where one ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest

from ledger.audit import rounds_of
from ledger.events import Fact
from ledger.games import BY_KEY
from ledger.replay import Replay
from ledger.rounds import RoundResult, RoundStatus
from tests.engine import log_of
from tests.games.facts import fact as made
from tests.games.transcript import DAY, event, office, setting
from tests.rounds.test_after_the_round import LENGTH, WON, lines_of, paid

ROUNDS: Final = 3
SETTLED, UNKNOWN = RoundStatus.SETTLED, RoundStatus.UNKNOWN


def facts_of(key: str, *more: str) -> list[Fact]:
    """Three rounds, each settled right, and more lines."""
    lines = [line for number in range(ROUNDS) for line in lines_of(key, number)]
    lines += [paid(key, n * LENGTH + 120, f"W{n + 1}") for n in range(ROUNDS)]
    lines = sorted([*lines, *more], key=lambda line: int(line.split(" ", 1)[0]))
    before = setting(BY_KEY[key], [])
    return [*before, *(event(line, len(before) + n) for n, line in enumerate(lines, 1))]


def openings(facts: list[Fact]) -> list[int]:
    """Where each round opens among the facts."""
    return [n for n, fact in enumerate(facts) if type(fact).__name__ == "BettingOpened"]


def played(key: str, facts: list[Fact], lost: Callable[[Fact], bool]) -> list[RoundResult]:
    """The rounds where some facts never arrived."""
    closing = made("TableClosed", len(facts) + 1, 3_600)
    kept = [fact for fact in facts if not lost(fact)]
    return list(rounds_of(Replay(log_of([*office(BY_KEY[key], []), *kept, closing])), DAY))


def told(results: list[RoundResult]) -> list[tuple[RoundStatus, list[str]]]:
    """How each round ended, and whose wagers it has."""
    return [(result.status, [w.wager_id for w in result.wagers]) for result in results]


rooms = pytest.mark.parametrize("key", WON)


@rooms
def test_a_gap_that_swallows_an_opening_leaves_the_round_before_as_it_was(key: str) -> None:
    facts = facts_of(key)
    second = facts[openings(facts)[1]]
    results = played(key, facts, lambda fact: fact is second)
    assert told(results) == [(SETTLED, ["W1"]), (UNKNOWN, ["W2"]), (SETTLED, ["W3"])]
    first, unknown, _ = results
    assert (first.wagers[0].difference_cents, first.wagers[0].expected.outcome) == (0, "won")
    assert first.missing_since == unknown.unknown_because
    assert unknown.round != first.round


@rooms
def test_so_it_is_where_all_before_the_settlement_is_missing(key: str) -> None:
    """What is left of the second round is the settlement of a wager that nothing placed."""
    facts = facts_of(key)
    begins, ends = openings(facts)[1:]
    missing = facts[begins : ends - 1]
    results = played(key, facts, lambda fact: fact in missing)
    statuses = [result.status for result in results]
    assert statuses == [SETTLED, UNKNOWN, SETTLED]
    assert results[0].missing_since is not None


@rooms
def test_a_gap_within_the_second_round_is_none_of_the_first(key: str) -> None:
    facts = facts_of(key)
    lost = facts[openings(facts)[2] - 2]
    results = played(key, facts, lambda fact: fact is lost)
    assert told(results) == [(SETTLED, ["W1"]), (UNKNOWN, ["W2"]), (SETTLED, ["W3"])]
    assert results[0].missing_since is None


@rooms
def test_a_round_that_was_not_settled_is_unknown_and_apart(key: str) -> None:
    """Its settlement and the next opening are lost."""
    facts = facts_of(key)
    _, *settlement = [fact for fact in facts if getattr(fact, "wager_id", "") == "W1"]
    missing = [*settlement, facts[openings(facts)[1]]]
    results = played(key, facts, lambda fact: fact in missing)
    assert told(results) == [(UNKNOWN, ["W1"]), (UNKNOWN, ["W2"]), (SETTLED, ["W3"])]


@rooms
def test_an_undecided_round_is_not_told_from_the_next(key: str) -> None:
    """From within the first round to within the second nothing shows where one ended."""
    facts = facts_of(key)
    first, second = openings(facts)[:2]
    missing = facts[first + 3 : second + 2]
    results = played(key, facts, lambda fact: fact in missing)
    assert [result.status for result in results] == [UNKNOWN, SETTLED]


@rooms
def test_a_second_payment_after_the_gap_is_that_of_its_wager(key: str) -> None:
    again = paid(key, LENGTH + 110)
    facts = facts_of(key, again)
    second = facts[openings(facts)[1]]
    results = played(key, facts, lambda fact: fact is second)
    wager = results[0].wagers[0]
    assert wager.difference_cents == WON[key].wins_cents
    codes = {finding.code for finding in results[0].findings if finding.wager == "W1"}
    assert codes == {"wager_overpaid"}


@rooms
def test_a_call_that_takes_a_result_back_leaves_it_unknown(key: str) -> None:
    facts = facts_of(key, f"{LENGTH} RoundVoided")
    second = facts[openings(facts)[1]]
    results = played(key, facts, lambda fact: fact is second)
    assert results[0].status is UNKNOWN
    assert results[0].missing_since is None


@rooms
def test_what_was_broken_before_the_gap_is_broken(key: str) -> None:
    facts = facts_of(key)
    settled = next(f for f in facts if getattr(f, "winnings_cents", 0))
    facts[facts.index(settled)] = replace(settled, winnings_cents=settled.winnings_cents + 100)  # type: ignore[attr-defined, call-arg]
    second = facts[openings(facts)[1]]
    first, *_ = played(key, facts, lambda fact: fact is second)
    (finding,) = [f for f in first.findings if f.wager == "W1"]
    assert (finding.code, finding.certainty, finding.effect_cents) == (
        "wager_overpaid",
        "broken",
        100,
    )


@rooms
def test_the_closing_of_the_table_after_a_gap_ends_the_round_before(key: str) -> None:
    facts = facts_of(key)
    third = openings(facts)[2]
    results = played(key, facts, lambda fact: fact in facts[third:])
    assert told(results)[:2] == [(SETTLED, ["W1"]), (SETTLED, ["W2"])]
