"""A gap that footage closed stays marked so, whatever comes to the ledger afterwards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ledger import events
from ledger.audit import audit_day, mark_of
from ledger.codec import frame
from ledger.floor import FIRST_DAY, simulate
from ledger.log import Arrival, init, open_log
from ledger.replay import Replay
from ledger.reports.round_footage import footage_words
from ledger.rounds import RoundStatus
from tests.audit.tape import LATER, accounts, confirmation, enrolled, facts_of, wager, without
from tests.audit.test_observations import AGREE, DIFFER, LOST, SIC_BO

WORDS = "From footage, observed by S-1, confirmed by SS-1."
BEFORE = "Judged from footage until its missing facts came, observed by S-1, confirmed by SS-1."
DONE = (SIC_BO, confirmation(SIC_BO))


def settled() -> events.WagerSettled:
    """How the house settled the only wager of the round: it lost, and $25 was collected."""
    (fact,) = (one for one in facts_of("SB-01", 50, 60) if isinstance(one, events.WagerSettled))
    return fact


def amended(fact: events.Fact, replacement: events.Fact | None) -> events.FactAmended:
    """A correction by one person, approved by another, a day later."""
    return events.FactAmended(
        stream="amendments", seq=1, event_time=fact.event_time + LATER, source="desk",
        recorded_by="F-11", amended_stream=fact.stream, amended_seq=fact.seq,
        replacement=None if replacement is None else frame(replacement), reason="typed wrong",
        amended_by="F-11", approved_by="CO-1", approved_time=None, file_sha256=None, proof=None,
        approval_proof=None,
    )  # fmt: skip


@pytest.mark.parametrize("more", ["an observation", "a contradicting one", "an amendment"])
def test_later_acts_leave_the_mark(more: str) -> None:
    late = replace(SIC_BO, seq=3, event_time=SIC_BO.event_time + 120_000_000)
    wrong = replace(DIFFER["sic bo"][0], seq=3, event_time=late.event_time)
    later: dict[str, list[events.Fact]] = {
        "an observation": [late, confirmation(late)],
        "a contradicting one": [wrong],  # nobody confirmed it
        "an amendment": [amended(settled(), replace(settled(), stake_taken_cents=2_000))],
    }
    (one,) = accounts([*without(LOST["sic bo"]), *DONE, *later[more]])
    assert one.closes_gap
    assert WORDS in one.because
    assert (one.terminal.status, one.result.status) == (RoundStatus.UNKNOWN, RoundStatus.SETTLED)


@pytest.mark.parametrize("game", LOST)
def test_when_the_missing_facts_come_it_stays_said_that_footage_judged_it(game: str) -> None:
    seen = AGREE[game]
    lost = facts_of(*LOST[game])
    (one,) = accounts([*without(LOST[game]), seen, confirmation(seen), *lost])
    assert (one.closes_gap, one.basis) == (False, None)
    assert one.because == f"The verdict stands on the terminal, and the tape agrees. {BEFORE}"
    assert one.closed_before == BEFORE
    assert footage_words(mark_of(one)).endswith(BEFORE)


def test_it_stays_said_where_the_facts_differ_from_the_recording() -> None:
    """It shows 6 4 1, which is big; the terminal's dice, 6 2 1, come a day after."""
    seen, _ = DIFFER["sic bo"]
    lost = facts_of(*LOST["sic bo"])
    (one,) = accounts([*without(LOST["sic bo"]), seen, confirmation(seen), *lost])
    assert one.basis is not None
    assert one.because.endswith(BEFORE)


def test_a_wrong_one_that_was_replaced_has_judged_it_all_the_same() -> None:
    wrong, _ = DIFFER["sic bo"]
    right = replace(SIC_BO, seq=3, event_time=SIC_BO.event_time + 120_000_000, replaces=1)
    lost = facts_of(*LOST["sic bo"])
    facts = [*without(LOST["sic bo"]), wrong, confirmation(wrong), *lost]
    (one,) = accounts([*facts, right, confirmation(right)])
    assert one.because == f"The verdict stands on the terminal, and the tape agrees. {BEFORE}"


@pytest.mark.parametrize("why", ["in order", "not confirmed", "too little", "before it was seen"])
def test_it_is_said_of_no_round_that_footage_did_not_judge(why: str) -> None:
    lost = facts_of(*LOST["sic bo"])
    little = replace(SIC_BO, wagers=(wager("W4", "Big Bet", stake=None, seat="1"),))
    orders: dict[str, list[events.Fact]] = {
        "in order": [*without(), *DONE],
        "not confirmed": [*without(LOST["sic bo"]), SIC_BO, *lost],
        "too little": [*without(LOST["sic bo"]), little, confirmation(little), *lost],
        "before it was seen": [*without(LOST["sic bo"]), *lost, *DONE],
    }
    (one,) = accounts(orders[why])
    assert one.closed_before is None
    assert "until its missing facts came" not in one.because


def test_further_nights_leave_the_mark(tmp_path: Path) -> None:
    """The same ledger after each of two nights, with the states that nights keep."""
    folder, kept = tmp_path / "ledger", tmp_path / "kept"
    drawn = list(simulate(144, scale=0.05, days=2).facts)
    stream, first, last = LOST["sic bo"]
    facts = [one for one in drawn if one.stream != stream or not first <= one.seq <= last]
    people = enrolled("S-1", "SS-1", at=SIC_BO.event_time - 1)
    midnight = next(
        number for number, one in enumerate(facts) if one.event_time > SIC_BO.event_time - 1
    )
    init(folder, origin="floor.example", property="Floor", record_time=1)
    marks = []
    for part in ([*facts[:midnight], *people, *DONE], facts[midnight:]):
        with open_log(folder) as log:
            log.append([Arrival(frame(one)) for one in part], 2)
        for _ in range(2):  # told anew, and from what was kept
            marks.append(audit_day(Replay.open(folder), FIRST_DAY, carried=kept).footage)
    assert all(mark == marks[0] for mark in marks)
    assert marks[0][0].closes_gap
    assert marks[0][0].because.endswith(WORDS)
