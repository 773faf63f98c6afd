"""A first coupon that is laid after betting has closed touches what it adds, and no more (late-coupon).

The worked example ``chips-equal``: a $25.00 wager and a $25.00 coupon at 1 to 1 win $50.00.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from ledger import events
from ledger.kernel import Finding
from ledger.reports import RoundView, round_data
from ledger.reports.verdict import in_doubt_words
from ledger.rounds import InDoubt
from tests.rounds.test_coupons import Change, codes, filing, seen, told, wager

SETTLED = "after the result, before the payment"
BLIND = "before the dice are shaken"
CHIPS, BOTH = 2_500, 5_000


def late(
    fact: events.Fact, when: str = SETTLED, *, paid: int | None = None
) -> Iterable[events.Fact]:
    """The coupon of the example is laid at a moment of the round; ``paid`` is what the wager wins."""
    match fact:
        case events.WagerPlaced():
            return (replace(fact, coupons=()),)
        case events.CouponAccepted():
            return ()
        case events.DiceShaken() if when == BLIND:
            return accepted(fact), fact
        case events.WagerSettled():
            if paid is not None:
                fact = replace(fact, winnings_cents=paid)
            return (accepted(fact), fact) if when == SETTLED else (fact,)
        case _:
            return (fact,)


def accepted(before: events.Fact) -> events.CouponAccepted:
    """The coupon is accepted just before a fact."""
    laid = next(fact for fact in told_facts() if isinstance(fact, events.CouponAccepted))
    at = before.event_time - 1
    return replace(laid, stream=before.stream, source=before.source, event_time=at)


def told_facts() -> Sequence[events.Fact]:
    """The facts of the example."""
    return told("own_match_play", "chips-equal").ready.facts


def round_of(change: Change) -> tuple[list[RoundView], list[Finding]]:
    """The example, changed."""
    return seen(told("own_match_play", "chips-equal"), change)


def doubt_of(rounds: list[RoundView]) -> InDoubt:
    """What of the wager is in doubt."""
    doubt = wager(rounds).in_doubt
    assert doubt is not None
    return doubt


def money(findings: Iterable[Finding]) -> set[str]:
    """The codes of findings about what was paid."""
    return {code for code in codes(findings) if code.startswith("wager_")}


@pytest.mark.parametrize("paid", [CHIPS, BOTH])
def test_the_chips_keep_their_ruling_and_either_payment_is_right_in_one_case(paid: int) -> None:
    rounds, findings = round_of(lambda fact: late(fact, paid=paid))
    doubt = doubt_of(rounds)
    assert wager(rounds).expected.winnings_cents == CHIPS
    assert doubt.coupons == ("MP25-000101",)
    assert doubt.if_returned.winnings_cents == CHIPS
    assert doubt.if_stands.winnings_cents == BOTH
    assert rounds[0].result.status == "settled"
    assert money(findings) == set()
    (finding,) = [one for one in findings if one.code == "late_coupon"]
    assert finding.certainty == "broken"
    assert {cite.section for cite in finding.citations} == {"525.21(a)", "539.5(b)"}
    (coupon,) = wager(rounds).coupons
    assert (coupon.counts, coupon.wins_cents) == (None, None)


@pytest.mark.parametrize(
    ("paid", "code", "effect"),
    [(BOTH + 100, "wager_overpaid", 100), (CHIPS - 100, "wager_underpaid", -100)],
)
def test_what_is_wrong_in_either_case_is_broken_by_the_lesser_amount(
    paid: int, code: str, effect: int
) -> None:
    _, findings = round_of(lambda fact: late(fact, paid=paid))
    (finding,) = [one for one in findings if one.code == code]
    assert (finding.certainty, finding.effect_cents) == ("broken", effect)


def test_paid_in_between_is_wrong_in_either_case_and_not_the_same_way() -> None:
    _, findings = round_of(lambda fact: late(fact, paid=3_000))
    assert money(findings) == {"wager_overpaid ?"}


def test_people_read_what_it_comes_to_in_either_case() -> None:
    rounds, _ = round_of(late)
    assert in_doubt_words(wager(rounds)) == (
        "Whether coupon MP25-000101 may count is unknown: if so, the wager wins $50.00;"
        " if not, it wins $25.00"
    )
    assert round_data(rounds[0])["wagers"][0]["in_doubt"]["coupons"] == ["MP25-000101"]


def test_one_that_comes_before_anything_is_shown_counts_and_is_told() -> None:
    rounds, findings = round_of(lambda fact: late(fact, BLIND))
    assert (wager(rounds).expected.winnings_cents, wager(rounds).in_doubt) == (BOTH, None)
    assert "late_coupon" in codes(findings)


def test_one_that_comes_in_time_is_no_finding() -> None:
    def in_time(fact: events.Fact) -> Iterable[events.Fact]:
        if isinstance(fact, events.NoMoreBetsAnnounced):
            return accepted(fact), fact
        return late(fact, "never")

    rounds, findings = round_of(in_time)
    assert (wager(rounds).expected.winnings_cents, wager(rounds).in_doubt) == (BOTH, None)
    assert "late_coupon" not in codes(findings)


def test_one_that_is_first_named_when_it_is_redeemed_lay_with_its_wager() -> None:
    """Nothing on record says when it was laid (reading late-coupon)."""
    rounds, findings = round_of(lambda fact: late(fact, "never"))
    assert wager(rounds).expected.winnings_cents == BOTH
    assert wager(rounds).in_doubt is None
    assert codes(findings).isdisjoint({"late_coupon", "late_coupon ?"})


@pytest.mark.parametrize("answer", [events.CouponRefused, events.CouponGivenBack])
def test_one_that_is_refused_or_given_back_is_treated_right(answer: type[events.Fact]) -> None:
    def turned_away(fact: events.Fact) -> Iterable[events.Fact]:
        if isinstance(fact, events.CouponRedeemed | events.CouponDropped):
            return ()
        if not isinstance(fact, events.WagerSettled):
            return late(fact)
        laid = accepted(fact)
        named: dict[str, Any] = {
            "stream": laid.stream, "seq": 1, "event_time": laid.event_time, "source": laid.source,
            "recorded_by": None, "serial": laid.serial, "wager_id": "W1",
        }  # fmt: skip
        if answer is events.CouponRefused:
            away: events.Fact = events.CouponRefused(
                **named, fault=None, remark="late", refused_by=None
            )
            return away, replace(fact, winnings_cents=CHIPS)
        named["event_time"] += 1
        away = events.CouponGivenBack(**named, reason="late", given_by=None)
        return laid, away, replace(fact, winnings_cents=CHIPS)

    _, findings = round_of(turned_away)
    assert {one for one in codes(findings) if one in OFFENSES} == set()


OFFENSES = {
    "coupon_refused", "coupon_refused ?", "coupon_not_dropped", "coupon_not_dropped ?",
    "wager_underpaid", "wager_overpaid",
}  # fmt: skip


def test_a_property_may_file_that_it_adds_nothing() -> None:
    file = filing("late-coupon", "adds-nothing")
    rounds, findings = round_of(lambda fact: [two for one in file(fact) for two in late(one)])
    assert (wager(rounds).expected.winnings_cents, wager(rounds).in_doubt) == (CHIPS, None)
    (finding,) = [one for one in findings if one.code == "wager_overpaid"]
    assert (finding.certainty, finding.effect_cents) == ("broken", 2_500)


def test_chips_added_too_late_under_a_coupon_let_it_count_only_if_they_stand() -> None:
    """$24.99 lie on the coupon; one cent comes after the result (late-raise)."""
    case = told("own_match_play", "chips-one-cent-short")

    def raised(fact: events.Fact) -> Iterable[events.Fact]:
        if not isinstance(fact, events.WagerSettled):
            return (fact,)
        more = events.WagerIncreased(
            stream=fact.stream, seq=1, event_time=fact.event_time - 1, source=fact.source,
            recorded_by=None, wager_id="W1", added_cents=1, instrument=events.Instrument.CHIPS,
        )  # fmt: skip
        return more, replace(fact, winnings_cents=BOTH)

    rounds, findings = seen(case, raised)
    doubt = doubt_of(rounds)
    assert doubt.if_returned.winnings_cents == 2_499
    assert doubt.if_stands.winnings_cents == BOTH
    assert money(findings) == set()
