"""What a patron is told: what the round says of his wager, and nobody's name."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from ledger.audit import read_office
from ledger.cli.days import seen_rounds
from ledger.events import Fact
from ledger.kernel import dollars
from ledger.replay import Replay
from ledger.reports import PatronStatement, RoundView, statement_page
from ledger.reports.patron_statement import WagerUnknown
from ledger.rounds import Outcome
from tests.analytics import given
from tests.cli.given import run_here
from tests.engine import of_tables

COMPLAINT = "Ask a supervisor."
TABLES = ("SB-01", "FB-01", "PH-01", "DC-01", "AP-01")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short day of each game with payments that are wrong, late wagers and facts lost."""
    facts = given.facts("overpaid:2", "underpaid:2", "late_wager", "lost_event:3", scale=0.04, coupons=True)  # fmt: skip
    return given.ledger(tmp_path_factory.mktemp("patron") / "ledger", of_tables(facts, *TABLES))


def all_seen(ledger: Path) -> tuple[Replay, list[RoundView]]:
    replay = Replay.open(ledger)
    house = read_office(replay)
    return replay, [
        seen for table in TABLES for seen in seen_rounds(replay, house, table, explain=True)
    ]


def printed(statement: PatronStatement) -> str:
    out = StringIO()
    Console(file=out, width=100).print(statement_page(statement, "The House"))
    return out.getvalue()


def references(fact: Fact) -> set[str]:
    """Whatever in a fact names a person, a camera, a terminal or a piece of equipment."""
    texts = {getattr(fact, field.name) for field in fields(fact) if field.name != "stream"}
    return {text for text in texts if isinstance(text, str) and re.match(r"[A-Za-z]+-\w+-", text)}


def test_every_wager_of_every_game(ledger: Path) -> None:
    replay, rounds = all_seen(ledger)
    clock = read_office(replay).clock
    told: Counter[str] = Counter()
    for seen in rounds:
        named = set().union(*(references(step.fact) for step in seen.steps))
        for wager in seen.result.wagers:
            statement = PatronStatement.of(seen, wager.wager_id, clock, COMPLAINT)
            text = printed(statement)
            assert len(text.splitlines()) <= 26, text
            assert not [name for name in named if name in text], text
            assert not re.search(r"\b[\w/-]+:\d+\b(?<!:\d\d)", text.replace(seen.result.round, "")), text  # fmt: skip
            match wager.difference_cents:
                case None:
                    assert "the record does not show it" in statement.difference
                case 0:
                    assert statement.difference.startswith("none")
                case cents if cents < 0:
                    assert statement.difference == f"{dollars(-cents)} is due to you"
                case cents:
                    assert f"{dollars(cents)} more than the rule gives" in statement.difference
            if wager.expected.outcome is Outcome.WON and wager.expected.winnings_cents:
                assert dollars(wager.expected.winnings_cents) in statement.due
                assert "wins when" in statement.rule
            if wager.expected.outcome is Outcome.RETURNED and wager.arithmetic is None:
                assert statement.rule.startswith("the wager takes no part")
                assert ("made after betting had closed" in statement.rule) == wager.late
                told["no part"] += 1
            if wager.expected.outcome in (Outcome.WON, Outcome.LOST):
                assert f"§ {wager.expected.citations[0].section}" in statement.rule
            assert statement.is_settled == (wager.difference_cents == 0)
            told[seen.result.game] += 1
            told[statement.difference.split()[0]] += 1
    assert len([game for game in told if game[0].isupper()]) == 5
    assert told["none:"] > 100
    assert told["no part"]
    assert {"you", "the"} < {*told}
    assert any(word.startswith("$") for word in told)


def test_on_the_command_line(ledger: Path) -> None:
    _, rounds = all_seen(ledger)
    wrong = next((s, w) for s in rounds for w in s.result.wagers if (w.difference_cents or 0) < 0)
    right = next((s, w) for s in rounds for w in s.result.wagers if w.difference_cents == 0)
    for (seen, wager), code in ((wrong, 1), (right, 0)):
        words = ("round", "show", seen.result.round, "--for-patron", wager.wager_id.lower(), "--ledger", str(ledger))  # fmt: skip
        shown = run_here(*words)
        assert shown.code == code, shown.err
        assert "Keystone Landing" in shown.out
        assert seen.result.round in shown.out
        plain = run_here(*words, "--format", "json").json
        assert plain["difference"] in " ".join(shown.out.split())
    unknown = run_here("round", "show", right[0].result.round, "--for-patron", "W-none", "--ledger", str(ledger))  # fmt: skip
    assert (unknown.code, "[wager_unknown]" in unknown.err) == (2, True)
    page = run_here(*words, "--format", "html")
    assert (page.code, "[command_wrong]" in page.err) == (2, True)


def test_what_the_property_says_about_complaints(ledger: Path) -> None:
    _, rounds = all_seen(ledger)
    seen = next(seen for seen in rounds if seen.result.wagers)
    wager = seen.result.wagers[0].wager_id
    words = ("round", "show", seen.result.round, "--for-patron", wager, "--ledger", str(ledger))
    assert "Write to [b]us." in run_here(*words, PITLEDGER_COMPLAINTS="Write to [b]us.").out
    assert run_here(*words, PITLEDGER_COMPLAINTS="x" * 401).code == 3


def test_a_wager_that_the_round_has_not(ledger: Path) -> None:
    replay, rounds = all_seen(ledger)
    with pytest.raises(WagerUnknown, match="has no wager W0"):
        PatronStatement.of(rounds[0], "W0", read_office(replay).clock, COMPLAINT)
