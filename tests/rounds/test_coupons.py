"""Coupons with wagers, through the whole engine: what counts, what is unknown, what a page says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Final

import pytest
from rich.console import Console

from ledger import events
from ledger.audit import audit_day, gaming_days, read_office, with_coupons
from ledger.cli.days import seen_rounds
from ledger.codec import frame
from ledger.events.parts import ReadingChosen
from ledger.games.match_play import DUTIES
from ledger.kernel import Finding
from ledger.log import Arrival, init, open_log
from ledger.replay import Replay
from ledger.reports import RoundView, round_data, round_page
from ledger.rounds import WagerResult
from tests.conformance.translate import EXAMPLES, Told, defaults_of, translate
from tests.engine import sealed_replay
from tests.log.memory_log import MemoryLog

HERE: Final = Path(__file__).parent
EDITION: Final = HERE / "transcripts" / "coupon_edition.txt"
Change = Callable[[events.Fact], Iterable[events.Fact]]


@cache
def told(name: str, case: str) -> Told:
    """A worked example as facts."""
    document = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    found = next(one for one in document["cases"] if one["id"] == case)
    return translate(found, "match_play", defaults_of({}, "match_play"))


def replayed(facts: Iterable[events.Fact]) -> Replay:
    """A ledger of these facts."""
    log = MemoryLog(origin="coupons.example", property="Coupons", record_time=1)
    log.append((Arrival(frame(fact)) for fact in facts), record_time=2)
    return sealed_replay(log)


def renumbered(facts: Iterable[events.Fact]) -> Iterable[events.Fact]:
    """The facts without holes; what the day's closing counts is left out."""
    last: dict[str, int] = {}
    for fact in facts:
        last[fact.stream] = last.get(fact.stream, 0) + 1
        if isinstance(fact, events.GamingDayClosed):
            fact = replace(fact, streams=())
        yield replace(fact, seq=last[fact.stream])


def seen(case: Told, change: Change | None = None) -> tuple[list[RoundView], list[Finding]]:
    """The rounds of the case's table and the findings of its first day, some facts changed."""
    facts: Iterable[events.Fact] = case.ready.facts
    if change is not None:
        facts = renumbered(new for fact in case.ready.facts for new in change(fact))
    replay = replayed(facts)
    house = with_coupons(replay, read_office(replay))
    rounds = list(seen_rounds(replay, house, case.table, explain=True))
    return rounds, list(audit_day(replay, case.days[0]).findings)


def wager(rounds: list[RoundView], name: str = "W1") -> WagerResult:
    """A wager of these rounds, as it was last."""
    return [w for one in rounds for w in one.result.wagers if w.wager_id == name][-1]


def codes(findings: Iterable[Finding]) -> set[str]:
    """Codes with a question mark where they are not certain."""
    return {f.code + ("" if f.certainty == "broken" else " ?") for f in findings}


# --- the edition by gaming day --------------------------------------------------------------------


def edition() -> str:
    """The same event on three moments, as people read it."""
    lines = ["One patron, two wagers in one round of play, a Match Play Coupon with each.", ""]
    for case in ("edition-last-day", "edition-last-night", "edition-next-day"):
        ready = told("own_match_play", case)
        rounds, findings = seen(ready)
        (one,) = rounds
        clock = read_office(replayed(ready.ready.facts)).clock
        opened = clock.local(one.result.opened_at)
        lines.append(f"{opened:%d %B %Y %H:%M} local, gaming day {one.result.gaming_day}")
        for each in one.result.wagers:
            lines.append(f"  {each.wager_id} {each.wager}: {each.arithmetic}")
            cites = each.coupons[0].citations
            lines += [f"      {cite.on(one.result.gaming_day)}" for cite in cites]
        for finding in findings:
            lines.append(f"  {finding.code} ({finding.certainty.value}): {finding.sentence}")
            day = finding.gaming_day
            lines += [f"      {cite.on(day)}" for cite in finding.citations]
        lines += ["  lawful: no finding", ""] if not findings else [""]
    return "\n".join(lines)


def test_one_coupon_per_wager_becomes_one_per_round(request: pytest.FixtureRequest) -> None:
    said = edition()
    if request.config.getoption("--record", default=False):
        EDITION.write_text(said, encoding="utf-8")
    assert said == EDITION.read_text(encoding="utf-8")


def test_the_successor_is_cited_as_outside_the_texts_held() -> None:
    (duty,) = [one for one in DUTIES if one.cite.section == "603a.21(d)"]
    assert "outside the texts held: confirm before reliance" in str(duty.cite)


# --- what cannot be told --------------------------------------------------------------------------


def without_custody(fact: events.Fact) -> Iterable[events.Fact]:
    return () if fact.stream.startswith("coupons/") else (fact,)


def test_without_the_custody_a_coupon_is_unknown_and_not_broken() -> None:
    case = told("own_match_play", "chips-equal")
    rounds, findings = seen(case, without_custody)
    expected = wager(rounds).expected
    assert (expected.outcome, expected.winnings_cents) == ("won", None)
    assert wager(rounds).coupons[0].counts is None
    assert codes(f for f in findings if f.wager) == {"wager_overpaid ?"}


def test_paid_less_than_the_chips_is_broken_even_then() -> None:
    case = told("own_match_play", "chips-equal")

    def underpaid(fact: events.Fact) -> Iterable[events.Fact]:
        if type(fact).__name__ == "WagerSettled":
            fact = replace(fact, winnings_cents=2400)
        return without_custody(fact)

    _, findings = seen(case, underpaid)
    (found,) = [f for f in findings if f.code == "wager_underpaid"]
    assert (found.certainty, found.effect_cents) == ("broken", -100)


def test_a_lost_fact_of_the_custody_makes_it_unknown() -> None:
    case = told("own_match_play", "chips-equal")
    kept = [fact for fact in case.ready.facts if type(fact).__name__ != "CouponsIssued"]
    replay = replayed(kept)  # with a hole in the stream
    house = with_coupons(replay, read_office(replay))
    (one,) = seen_rounds(replay, house, case.table, explain=True)
    assert wager([one]).expected.winnings_cents is None
    findings = audit_day(replay, case.days[0]).findings
    assert "wager_overpaid" not in codes(findings)
    assert "wager_overpaid ?" in codes(findings)


def test_how_a_coupon_lay_is_not_known_where_nothing_says_so() -> None:
    case = told("own_match_play", "broken-down")

    def silent(fact: events.Fact) -> Iterable[events.Fact]:
        return () if isinstance(fact, events.CouponAccepted) else (fact,)

    rounds, findings = seen(case, silent)
    assert wager(rounds).expected.winnings_cents == 12500
    handled = {"coupon_wrong_role ?", "coupon_wrong_position ?", "coupon_not_visible ?"}
    assert codes(f for f in findings if f.wager) >= handled | {"coupon_not_broken_down ?"}


# --- serial numbers, wagers that come and go ------------------------------------------------------


def test_one_serial_number_in_two_forms_is_one_coupon() -> None:
    case = told("own_match_play", "chips-equal")

    def other_form(fact: events.Fact) -> Iterable[events.Fact]:
        if isinstance(fact, events.CouponRedeemed) and fact.stream == case.table:
            fact = replace(fact, serial="mp25-101", wager_id=None)
        return (fact,)

    rounds, findings = seen(case, other_form)
    assert wager(rounds).coupons[0].went == f"dropped into the box of {case.table}"
    assert len(wager(rounds).coupons) == 1
    assert not [f for f in findings if f.code.startswith("coupon_not_d")]


def test_a_short_coupon_handed_back_in_time_was_not_accepted() -> None:
    case = told("own_match_play", "chips-one-cent-short")
    placed = next(f for f in case.ready.facts if isinstance(f, events.WagerPlaced))

    def handed_back(fact: events.Fact) -> Iterable[events.Fact]:
        if fact.stream != case.table or fact.event_time <= placed.event_time:
            return (fact,)
        if type(fact).__name__ == "NoMoreBetsAnnounced":
            back = events.WagerReturned(
                stream=fact.stream, seq=fact.seq, event_time=fact.event_time - 1,
                source=fact.source, recorded_by=None, wager_id="W1", returned_cents=None,
                reason="short",
            )  # fmt: skip
            return back, fact
        return () if type(fact).__name__ in ("CouponRedeemed", "WagerSettled") else (fact,)

    rounds, findings = seen(case, handed_back)
    assert wager(rounds).expected.outcome == "returned"
    assert not {code for code in codes(findings) if "coupon" in code}


# --- what a property filed in place of our readings -------------------------------------------------


def filing(reading: str, choice: str) -> Change:
    """The property's submission chooses another answer."""

    def filed(fact: events.Fact) -> Iterable[events.Fact]:
        if isinstance(fact, events.RulesSubmissionFiled):
            chosen = ReadingChosen(reading=reading, choice=choice)
            fact = replace(fact, readings=(chosen,))
        return (fact,)

    return filed


@pytest.mark.parametrize(
    ("case", "reading", "choice", "gone"),
    [
        ("limit-with-coupon-passed", "coupon-and-limits", "chips-only", "wager_over_limit"),
        ("void-dropped", "coupon-on-void", "coupon-lost", "coupon_dropped_undecided"),
        ("edition-next-day", "coupon-limit-edition", "per-wager-always", "coupon_too_many"),
    ],
)
def test_a_filed_answer_is_used(case: str, reading: str, choice: str, gone: str) -> None:
    _, before = seen(told("own_match_play", case))
    _, after = seen(told("own_match_play", case), filing(reading, choice))
    assert gone in codes(before)
    assert gone not in codes(after)
    assert "reading_not_used" not in codes(after)


# --- what is kept and what is handed to other processes -------------------------------------------


def test_an_audit_is_the_same_from_files_in_two_processes(tmp_path: Path) -> None:
    case = told("own_match_play", "another-tables-box")
    init(tmp_path / "l", origin="coupons.example", property="Coupons", record_time=1)
    log = open_log(tmp_path / "l")
    log.append((Arrival(frame(fact)) for fact in case.ready.facts), record_time=2)
    log.close()
    replay = Replay.open(tmp_path / "l")
    plain = audit_day(replayed(case.ready.facts), case.days[0])
    assert len(plain.capture) == 2
    for processes in (1, 2):
        audit = audit_day(replay, case.days[0], processes=processes)
        assert (audit.digest, audit.findings) == (plain.digest, plain.findings)


@pytest.mark.parametrize("case", ["wager-outlives-the-day", "used-twice"])
def test_carried_state_changes_nothing(case: str, tmp_path: Path) -> None:
    """None is kept while a coupon lies with a wager: how it fares hangs on other tables."""
    ready = told("own_match_play", case)
    replay = replayed(ready.ready.facts)
    last = ready.days[-1] + timedelta(days=1)
    days = [one for one in gaming_days(replay) if one <= last]
    plain = [audit_day(replay, day) for day in days]
    for _ in range(2):
        assert [audit_day(replay, day, carried=tmp_path) for day in days] == plain


# --- the page -------------------------------------------------------------------------------------


def test_a_round_shows_chips_and_coupon_with_their_sections() -> None:
    case = told("own_match_play", "even-money-at-12-to-1")
    (one,), _ = seen(case)
    replay = replayed(case.ready.facts)
    console = Console(file=StringIO(), width=120, color_system=None)
    with console.capture() as captured:
        console.print(round_page(one, read_office(replay).clock, 120))
    page = captured.get()
    assert "$25.00 at 12 to 1 pays $300.00" in page
    assert "$25.00 coupon MP25-000101 pays $25.00 by its terms" in page
    assert "dropped into the box of SB-01" in page
    assert "Due in all: $325.00" in page
    for section in ("§ 539.6(b)", "§ 525.22(b)", "§ 525.22(d)", "§ 525.22(e)"):
        assert section in page
    (coupon,) = round_data(one)["wagers"][0]["coupons"]
    assert (coupon["counts"], coupon["wins_cents"]) == (True, 2500)
