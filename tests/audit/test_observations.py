"""What recordings show of rounds: judged as the terminal's facts are, side by side, never instead.

The amounts that are expected are derived by hand beside each case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from ledger import events
from ledger.audit import RoundAccounts, TapeAccount
from ledger.audit.tape_retelling import aligned
from ledger.kernel import Certainty
from ledger.rounds import Outcome, RoundStatus, net_cents
from tests.audit.tape import (
    accounts,
    audited,
    confirmation,
    day_facts,
    facts_of,
    observation,
    throw,
    wager,
    wagers_as_recorded,
    without,
)

DICE, FOOTBALL = ("red", "white", "blue"), ("green", "green", "red")


def at_of(stream: str, seq: int) -> int:
    """When a fact of the day happened."""
    (fact,) = facts_of(stream, seq, seq)
    return fact.event_time


def spin(symbol: str | None, turns: int | None = 4_000) -> events.ObservedSpin:
    return events.ObservedSpin(symbol=symbol, revolutions_thousandths=turns)


def hand(position: str, high: str, medium: str, low: str) -> events.ObservedHand:
    parts = [tuple(part.split()) or None for part in (high, medium, low)]
    return events.ObservedHand(position=position, high=parts[0], medium=parts[1], low=parts[2])


PLAYER = hand("2", "10D JH 7H 10C", "AS KD", "6S")
DEALER = hand("1", "4S 5C 2D 3D", "KC 8H", "2C")
SIC_BO = observation(
    "SB-01:50",
    at_of("SB-01", 55),
    throws=(throw(6, 2, 1, colors=DICE),),
    wagers=(wager("W4", "Big Bet", stake=2_500, seat="1", paid=0, collected=2_500),),
)
WHEEL = observation(
    "DC-01:53",
    at_of("DC-01", 57),
    spins=(spin("2"),),
    wagers=(
        wager("W11", "2", stake=30_000, seat="1", paid=60_000, collected=0),
        wager("W12", "10", stake=30_000, seat="1", paid=0, collected=30_000),
    ),
)
PROPS = observation(
    "PH-01:75",
    at_of("PH-01", 81),
    throws=(throw(2, 1),),
    wagers=(
        wager("W11", "1-6 and Under", stake=3_000, seat="1", paid=3_000, collected=0),
        wager("W12", "1-6 and Under", stake=1_000, seat="2", paid=1_000, collected=0),
    ),
)
THROWS = (
    throw(4, 6, 1, colors=FOOTBALL),
    throw(3, 3, 3, colors=FOOTBALL),
    throw(2, 2, 2, colors=FOOTBALL),
)
GAME = observation(
    "FB-02:146",
    at_of("FB-02", 160),
    throws=THROWS,
    wagers=wagers_as_recorded(facts_of("FB-02", 146, 161)),
)
CARDS = observation(
    "AP-01:133",
    at_of("AP-01", 151),
    hands=(PLAYER, DEALER),
    wagers=wagers_as_recorded(facts_of("AP-01", 133, 154)),
)
AGREE = {"sic bo": SIC_BO, "wheel": WHEEL, "props": PROPS, "football": GAME, "cards": CARDS}

# by hand: what the patron is up by the rules, and what he got beyond that, in cents
DIFFER: dict[str, tuple[events.RoundObserved, dict[str, tuple[int, int]]]] = {
    # 6 + 4 + 1 = 11 is big: $25 at 1 to 1 wins $25; $25 was collected, so $50 too little
    "sic bo": (
        replace(SIC_BO, throws=(throw(6, 4, 1, colors=DICE),)),
        {"W4": (2_500, -5_000)},
    ),
    # it stopped at 10: $300 on 2 loses and was paid $600: $900 too much; $300 on 10 wins $3,000 at
    # 10 to 1 and was collected: $3,300 too little
    "wheel": (
        replace(WHEEL, spins=(spin("10"),)),
        {"W11": (-30_000, 90_000), "W12": (300_000, -330_000)},
    ),
    # 6 + 5 is over 1-6: both lose, $30 and $10, and were paid as much: $60 and $20 too much
    "props": (
        replace(PROPS, throws=(throw(6, 5),)),
        {"W11": (-3_000, 6_000), "W12": (-1_000, 2_000)},
    ),
    # the extra point throw 2 3 4 has no 1 and no triple: $10 loses; it was paid $100: $110 too much
    "football": (
        replace(GAME, throws=(*THROWS[:2], throw(2, 3, 4, colors=FOOTBALL))),
        {"W18": (44_000, 0), "W19": (-2_000, 0), "W20": (5_000, 0), "W21": (-1_000, 11_000)},
    ),
    # with 4D for AS the medium hand is K-4 against K-8: one of three is higher, so $20 loses; it
    # was paid $20: $40 too much. The Bonus Wager loses either way.
    "cards": (
        replace(CARDS, hands=(replace(PLAYER, medium=("4D", "KD")), DEALER)),
        {"W10": (-2_000, 4_000), "W11": (-2_000, 0)},
    ),
}
LOST = {
    "sic bo": ("SB-01/dice", 16, 16),
    "wheel": ("DC-01/wheel", 6, 6),
    "props": ("PH-01/dice", 30, 30),
    "football": ("FB-02/dice", 23, 23),
    "cards": ("AP-01", 149, 149),
}


def looked_at(
    seen: events.RoundObserved,
    *more: events.Fact,
    facts: Sequence[events.Fact] | None = None,
    by: str | None = "SS-1",
) -> RoundAccounts:
    """The accounts of a round that somebody looked at and, unless nobody, somebody confirmed."""
    confirmed = () if by is None else (confirmation(seen, by),)
    (one,) = accounts([*(day_facts() if facts is None else facts), seen, *confirmed, *more])
    return one


def tape_of(one: RoundAccounts) -> TapeAccount:
    (tape,) = one.tapes
    return tape


# ---------------------------------------------------------------------------- five games


@pytest.mark.parametrize("game", AGREE)
def test_an_observation_that_agrees_leaves_the_verdict_with_the_terminal(game: str) -> None:
    one = looked_at(AGREE[game])
    tape = tape_of(one)
    assert (tape.differences, one.basis) == ((), None)
    assert one.because == "The verdict stands on the terminal, and the tape agrees."
    assert tape.judged is not None
    assert (tape.judged.status, tape.judged.detail) == (one.terminal.status, one.terminal.detail)
    due = {wager.wager_id: net_cents(wager.expected) for wager in one.terminal.wagers}
    assert {wager.wager_id: wager.due_cents for wager in tape.wagers} == due


@pytest.mark.parametrize("game", DIFFER)
def test_an_observation_that_differs_is_judged_by_what_it_shows(game: str) -> None:
    seen, expected = DIFFER[game]
    one = looked_at(seen)
    assert one.basis is tape_of(one)
    assert "stands on the tape" in one.because
    by_wager = {
        wager.wager_id: (net_cents(wager.expected), wager.difference_cents)
        for wager in one.result.wagers
    }
    assert by_wager == expected
    assert one.terminal.wagers != one.result.wagers  # the terminal's account is kept beside it


@pytest.mark.parametrize("game", DIFFER)
def test_nobody_confirmed_it_so_no_verdict_changes(game: str) -> None:
    one = looked_at(DIFFER[game][0], by=None)
    assert one.basis is None
    assert one.result is one.terminal
    assert tape_of(one).judged is not None  # it is shown all the same


@pytest.mark.parametrize("game", LOST)
def test_what_was_lost_is_judged_from_footage(game: str) -> None:
    facts = without(LOST[game])
    whole = looked_at(AGREE[game]).terminal
    one = looked_at(AGREE[game], facts=facts)
    assert one.terminal.status is RoundStatus.UNKNOWN
    assert one.closes_gap
    assert (one.result.status, one.result.detail) == (RoundStatus.SETTLED, whole.detail)
    assert [
        (wager.wager_id, wager.expected.outcome, net_cents(wager.expected), wager.difference_cents)
        for wager in one.result.wagers
    ] == [
        (wager.wager_id, wager.expected.outcome, net_cents(wager.expected), 0)
        for wager in whole.wagers
    ]


@pytest.mark.parametrize("game", LOST)
def test_what_was_lost_stays_unknown_until_it_is_confirmed(game: str) -> None:
    one = looked_at(AGREE[game], facts=without(LOST[game]), by=None)
    assert (one.closes_gap, one.result.status) == (False, RoundStatus.UNKNOWN)


# ---------------------------------------------------------------------------- cannot see


def test_a_die_that_cannot_be_seen_leaves_the_tapes_amounts_unknown() -> None:
    one = looked_at(replace(SIC_BO, throws=(throw(6, None, 1, colors=DICE),)))
    (wager,) = tape_of(one).wagers
    assert (wager.outcome, wager.due_cents, wager.settled_cents) == (Outcome.UNKNOWN, None, -2_500)
    assert (tape_of(one).differences, one.basis) == ((), None)


def test_a_stake_that_cannot_be_seen_has_an_outcome_and_no_amount() -> None:
    blind = wager("W4", "Big Bet", stake=None, paid=0, collected=2_500)
    (seen,) = tape_of(looked_at(replace(SIC_BO, wagers=(blind,)))).wagers
    assert (seen.outcome, seen.stake_cents, seen.due_cents) == (Outcome.LOST, None, None)


def test_wagers_that_cannot_be_seen_stay_as_the_terminal_recorded_them() -> None:
    one = looked_at(replace(DIFFER["sic bo"][0], wagers=None))
    (wager,) = tape_of(one).wagers
    assert (wager.is_seen, wager.outcome, wager.due_cents) == (False, Outcome.UNKNOWN, None)
    assert net_cents(one.result.wagers[0].expected) == 2_500  # $25 on Big Bet, 6 4 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"wagers": None}, "the recording does not show the wagers"),
        ({"throws": (throw(6, None, 1, colors=DICE),)}, "the recording does not show every die"),
        ({"throws": None}, "the recording does not show every die"),
        (
            {"wagers": (wager("W4", "Big Bet", stake=None),)},
            "the recording does not show every stake",
        ),
        ({"wagers": ()}, "the observation says nothing of W4"),
    ],
    ids=["no wagers", "a die", "no dice", "a stake", "a wager is left out"],
)
def test_a_gap_is_closed_only_by_what_shows_everything(change: dict[str, object], why: str) -> None:
    seen: events.RoundObserved = replace(SIC_BO, **change)  # type: ignore[arg-type]
    one = looked_at(seen, facts=without(LOST["sic bo"]))
    assert (one.closes_gap, tape_of(one).why_not) == (False, why)
    assert one.result.status is RoundStatus.UNKNOWN


def test_a_payment_that_nobody_saw_is_neither_right_nor_wrong() -> None:
    unseen = wager("W4", "Big Bet", stake=2_500, seat="1")
    facts = without(("SB-01/dice", 16, 16), ("SB-01", 57, 57))
    one = looked_at(replace(SIC_BO, wagers=(unseen,)), facts=facts)
    (due,) = one.result.wagers
    assert (net_cents(due.expected), due.observed, due.difference_cents) == (-2_500, None, None)
    assert (one.closes_gap, one.result.findings) == (True, ())


def test_a_lost_opening_and_wager_are_told_by_the_tape() -> None:
    seen = replace(
        SIC_BO, round_seq=53, wagers=(replace(SIC_BO.wagers[0], wager_id=None),)  # type: ignore[index]
    )  # fmt: skip
    one = looked_at(seen, facts=without(("SB-01", 50, 52)))
    assert (one.terminal.round, one.result.round, one.closes_gap) == ("SB-01:53", "SB-01:53", True)
    (laid,) = one.result.wagers
    assert (laid.wager_id, laid.stake_cents, net_cents(laid.expected)) == ("tape-1", 2_500, -2_500)


def test_a_wager_whose_placing_was_lost_keeps_the_id_of_its_settlement() -> None:
    facts = without(("SB-01", 50, 52))
    one = looked_at(replace(SIC_BO, round_seq=53), facts=facts)
    (laid,) = one.result.wagers
    assert (laid.wager_id, net_cents(laid.expected), laid.difference_cents) == ("W4", -2_500, 0)


def test_a_deal_that_was_lost_is_not_made_up() -> None:
    one = looked_at(CARDS, facts=without(("AP-01/cards", 46, 46)))
    assert (one.closes_gap, tape_of(one).judged) == (False, None)
    assert "may be why it seems void" in (tape_of(one).why_not or "")


# ---------------------------------------------------------------------------- the wagers


def test_a_wager_that_was_not_there_is_left_out_and_one_more_is_judged() -> None:
    none = wager("W4", "Big Bet", stake=0)
    more = wager(None, "Small Bet", stake=5_000, seat="2", paid=5_000, collected=0)
    one = looked_at(replace(SIC_BO, wagers=(none, more)))
    # 6 2 1 = 9 is small: $50 at 1 to 1 wins $50, and $50 was paid
    assert [
        (each.wager_id, net_cents(each.expected), each.difference_cents)
        for each in one.result.wagers
    ] == [("tape-2", 5_000, 0)]
    assert [each.subject for each in tape_of(one).differences] == ["W4", "tape-2"]


def test_another_stake_takes_the_place_of_what_was_laid_and_raised() -> None:
    seen = wager("W4", "Big Bet", stake=2_000, seat="1", paid=0, collected=2_000)
    one = looked_at(replace(SIC_BO, wagers=(seen,)))
    (laid,) = one.result.wagers
    assert (laid.stake_cents, net_cents(laid.expected), laid.difference_cents) == (2_000, -2_000, 0)
    subjects = [each.subject for each in tape_of(one).differences]
    assert subjects == ["W4 stake", "W4 collected"]


def test_lost_throws_are_put_where_they_belong() -> None:
    assert aligned(["a", "b", "c"], ["a", "c"]) == [0, None, 2 - 1]
    assert aligned(["a"], ["b", "c"]) == [0]
    assert aligned(["a", None], ["b"]) == [0, None]


# ---------------------------------------------------------------------------- two of them


def second(seen: events.RoundObserved, **change: object) -> tuple[events.Fact, events.Fact]:
    """A further observation of the same round, with its confirmation."""
    other = replace(seen, seq=3, event_time=seen.event_time + 120_000_000, **change)  # type: ignore[arg-type]
    return other, confirmation(other)


def test_two_confirmed_observations_that_contradict_decide_nothing() -> None:
    one = looked_at(DIFFER["sic bo"][0], *second(SIC_BO))
    assert (one.basis, len(one.tapes)) == (None, 2)
    assert one.because == "The verdict stands on the terminal: confirmed observations contradict."


def test_a_wrong_observation_is_replaced_and_stays_on_record() -> None:
    one = looked_at(DIFFER["sic bo"][0], *second(SIC_BO, replaces=1))
    assert [tape.observation.replaced_by for tape in one.tapes] == [3, None]
    assert one.because == "The verdict stands on the terminal, and the tape agrees."


# ---------------------------------------------------------------------------- who


@pytest.mark.parametrize(
    ("by", "why"),
    [
        ("S-1", "S-1 and S-1 are one person; a second person is needed"),
        ("S-2", "S-2 is a member"),
        ("FR-1", "FR-1 is of finance"),
        ("X-9", "No valid credential for X-9 on this date"),
        ("D-SB-01-1", "D-SB-01-1 dealt at SB-01 then"),
    ],
)
def test_a_confirmation_by_who_may_not_changes_nothing(by: str, why: str) -> None:
    one = looked_at(DIFFER["sic bo"][0], by=by)
    (refused,) = tape_of(one).observation.refused
    assert refused[1].startswith(why)
    assert (one.basis, tape_of(one).observation.confirmed) == (None, None)


def test_an_observation_by_the_dealer_counts_for_nothing_though_it_is_confirmed() -> None:
    seen = replace(DIFFER["sic bo"][0], observed_by="D-SB-01-1", recorded_by="D-SB-01-1")
    one = looked_at(seen)
    assert "dealt at SB-01 then" in (tape_of(one).observation.bar or "")
    assert (one.basis, tape_of(one).observation.counts) == (None, False)


def test_a_confirmation_that_another_person_recorded_does_not_count() -> None:
    seen = DIFFER["sic bo"][0]
    forged = replace(confirmation(seen), recorded_by="S-1")
    one = looked_at(seen, forged, by=None)
    assert tape_of(one).observation.confirmed is None


# ---------------------------------------------------------------------------- the day


def test_a_day_has_the_difference_as_a_finding_with_its_money() -> None:
    seen = DIFFER["sic bo"][0]
    before, after = audited(day_facts()), audited([*day_facts(), seen, confirmation(seen)])
    more = [one for one in after.findings if one not in before.findings]
    (finding,) = more
    assert finding.code == "tape_differs"
    assert finding.citations[0].section == "L.11"
    assert finding.readings == ("tape-and-terminal",)
    assert (finding.round, finding.certainty) == ("SB-01:50", Certainty.BROKEN)
    assert finding.effect_cents == -5_000
    assert (finding.expected, finding.observed) == ("6 4 1", "6 2 1")
    assert before.digest != after.digest
    assert after.unknown_rounds == before.unknown_rounds


def test_a_day_without_a_confirmation_is_as_it_was() -> None:
    before, after = audited(day_facts()), audited([*day_facts(), DIFFER["sic bo"][0]])
    assert (after.findings, after.digest) == (before.findings, before.digest)
    assert len(after.footage) == 1


def test_a_day_counts_a_round_as_judged_that_footage_closed() -> None:
    facts = without(LOST["sic bo"])
    before, after = audited(facts), audited([*facts, SIC_BO, confirmation(SIC_BO)])
    assert after.unknown_rounds == before.unknown_rounds - 1
    assert [line.judged for line in after.capture if line.table == "SB-01"] == [
        line.judged + 1 for line in before.capture if line.table == "SB-01"
    ]
    assert after.findings == before.findings  # the gap stays one; the payment was right


def test_a_wrong_payment_of_a_closed_round_is_a_finding_from_footage() -> None:
    unpaid = wager("W4", "Big Bet", stake=2_500, seat="1", paid=2_500, collected=0)
    facts = without(("SB-01/dice", 16, 16), ("SB-01", 57, 57))
    seen = replace(SIC_BO, wagers=(unpaid,))
    before, after = audited(facts), audited([*facts, seen, confirmation(seen)])
    (finding,) = (one for one in after.findings if one not in before.findings)
    # 6 2 1 is not big: $25 loses and was paid $25: the house lost $50
    assert (finding.code, finding.effect_cents) == ("wrong_outcome", 5_000)
    assert finding.sentence.endswith("From footage, observed by S-1, confirmed by SS-1.")


def test_what_may_not_be_decided_is_a_finding_and_changes_no_verdict() -> None:
    seen = DIFFER["sic bo"][0]
    after = audited([*day_facts(), seen, confirmation(seen, "D-SB-01-1")])
    (finding,) = (one for one in after.findings if one.code == "decision_not_entitled")
    assert "confirm what a recording of a round shows" in finding.sentence


def test_what_nobody_proved_does_not_count() -> None:
    """Neither a typed credential nor another person's key is a proof of who acted."""
    seen, key = DIFFER["sic bo"][0], events.ActProof(how=events.ProofKind.KEY, signature=bytes(64))
    for proof in (None, key):
        one = tape_of(looked_at(replace(seen, proof=proof)))
        assert one.observation.bar == "S-1 was not enrolled to prove it so"
        assert not one.observation.counts
        one = tape_of(looked_at(seen, replace(confirmation(seen), proof=proof), by=None))
        assert one.observation.refused[0][1] == "SS-1 was not enrolled to prove it so"
        assert not one.observation.counts


def test_where_nobody_has_a_credential_it_counts_and_the_day_says_so() -> None:
    kinds = (events.PersonCredentialled, events.CredentialDescribed, events.CouponFunctionGiven)
    facts = [one for one in day_facts() if not isinstance(one, kinds)]
    seen = DIFFER["sic bo"][0]
    after = audited([*facts, seen, confirmation(seen)])
    codes = [one.code for one in after.findings if one.citations[0].section == "L.11"]
    assert sorted(codes) == ["approval_not_checked", "tape_differs"]
