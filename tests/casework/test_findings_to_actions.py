"""Findings fold by cause: what makes one action, and what makes two."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from ledger.audit import audit_day, read_office
from ledger.casework import ActionStatus, see
from ledger.casework.findings_to_actions import REST, evidence_of
from ledger.casework.titles import LONGEST
from ledger.events import SettledAs, WagerSettled
from ledger.kernel import Certainty, FactRef, Severity
from ledger.replay import Replay
from tests.casework.scenes import (
    DAY,
    HOUR,
    TEN,
    actions_in,
    dealt_by,
    finding,
    folded,
    played,
    seen,
    table,
)
from tests.engine import FIRST_DAY, log_of, table_day

GOOD = ("Small Bet", 1_000, 1_000)
LOW = ("Small Bet", 1_000, 500)
OTHER = ("One of a Kind 2", 1_000, 1_000)

# --- a wrong paytable -----------------------------------------------------------------------------


def test_a_day_paid_by_a_filing_below_the_list_is_one_action():
    scene = table(odds=(("Small Bet", None, "1:2"),))
    played(scene, 0, LOW)
    dealt_by(scene, "D2", 3_000)
    played(scene, 2 * 3600, LOW, ("Small Bet", 3_000, 1_500))
    played(scene, 5 * 3600, LOW)
    audit, actions = actions_in(scene.build(), scene.day)
    assert sorted({one.code for one in audit.findings}) == [
        "paytable_below_floor",
        "wager_underpaid",
    ]
    (only,) = actions
    assert only.title == (
        "Sic Bo T-01: 4 wagers underpaid, $30.00, paytable RS-1 below § 539.6(b), 12:00-17:00"
    )
    assert (only.subject, only.count, len(only.findings)) == ("paytable RS-1", 4, 5)
    assert (only.overpaid_cents, only.underpaid_cents) == (0, 3_000)
    assert set(only.findings) == set(audit.findings)


def test_the_simulated_floor_with_a_filing_below_the_list_has_one_action():
    facts = table_day("SB-02", "paytable_below_floor@SB-02", seed=10, scale=0.05)
    audit, actions = actions_in(facts, FIRST_DAY)
    assert {one.code for one in audit.findings} == {"paytable_below_floor", "wager_underpaid"}
    (only,) = actions
    assert only.subject == "paytable RS-SB-02"
    assert " below § 539.6(b), " in only.title
    assert len(only.findings) == len(audit.findings)


def test_a_table_that_pays_by_another_paytable_than_filed_is_one_action():
    """Every winner of a simulated day gets half; the dealers take turns."""
    facts = [
        replace(fact, winnings_cents=fact.winnings_cents // 2)
        if isinstance(fact, WagerSettled) and fact.outcome is SettledAs.WON
        else fact
        for fact in table_day("SB-02", scale=0.1)
    ]
    audit, actions = actions_in(facts, FIRST_DAY)
    halved = [one for one in audit.findings if one.code == "wager_underpaid"]
    counted = [one for one in actions if one.code == "win_differs"]  # the chips are those of before
    (only,) = [one for one in actions if one not in counted]
    assert only.count == len(halved) > 20
    assert only.underpaid_cents == -sum(one.effect_cents or 0 for one in halved)
    assert only.subject == "paytable RS-SB-02"
    assert "not applied" in only.title


def test_once_a_wager_is_paid_rightly_the_table_pays_by_its_paytable():
    scene = table()
    played(scene, 0, LOW)
    dealt_by(scene, "D2", 100)
    played(scene, 120, LOW)
    (only,) = actions_in(scene.build(), scene.day)[1]
    assert only.subject == "paytable RS-1"  # two dealers, one wager, one wrong price, none right
    played(scene, 60, GOOD)
    two = actions_in(scene.build(), scene.day)[1]
    assert [one.subject for one in two] == ["dealer D1", "dealer D2"]


def test_a_right_payment_of_another_wager_shows_nothing():
    scene = table()
    played(scene, 0, LOW)
    played(scene, 60, OTHER)
    dealt_by(scene, "D2", 100)
    played(scene, 120, LOW)
    (only,) = actions_in(scene.build(), scene.day)[1]
    assert only.subject == "paytable RS-1"


def test_two_prices_at_two_dealers_are_no_paytable():
    scene = table()
    played(scene, 0, LOW)
    dealt_by(scene, "D2", 100)
    played(scene, 120, ("Small Bet", 1_000, 900))
    two = actions_in(scene.build(), scene.day)[1]
    assert sorted(one.subject for one in two) == ["dealer D1", "dealer D2"]


# --- one or two -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "actions"),
    [
        ({}, {}, 1),
        ({}, {"subject": "dealer D-2"}, 2),
        ({}, {"table": "SB-02"}, 2),
        ({}, {"code": "shaken_uncovered"}, 2),
        ({}, {"certainty": Certainty.UNKNOWN}, 2),
        ({}, {"severity": Severity.HIGH}, 1),
    ],
)
def test_one_code_table_and_subject_make_one_action(first, second, actions):
    assert len(folded(seen(1, 0, **first), seen(2, 60, **second))) == actions


def test_two_separate_hours_make_two_actions():
    assert REST == HOUR
    assert len(folded(seen(1, 0), seen(2, HOUR))) == 1
    early, late = folded(seen(1, 0), seen(2, HOUR + 1))
    assert (early.since, late.since) == (TEN, TEN + HOUR + 1)
    assert len(folded(seen(1, 0), seen(2, HOUR), seen(3, 2 * HOUR))) == 1  # no rest within it


def test_a_lasting_cause_does_not_rest():
    code = {"code": "layout_not_approved", "subject": "layout L-1"}
    assert len(folded(seen(1, 0, **code), seen(2, 9 * HOUR, **code))) == 1


def test_the_order_in_which_findings_come_makes_no_difference():
    all_seen = [seen(seq, seq * HOUR // 3, effect_cents=seq) for seq in range(1, 9)]
    assert folded(*all_seen) == folded(*reversed(all_seen))


# --- what an action says --------------------------------------------------------------------------


def test_money_stands_in_two_columns():
    (both,) = folded(seen(1, 0, effect_cents=500), seen(2, 1, effect_cents=-200), seen(3, 2))
    assert (both.overpaid_cents, both.underpaid_cents) == (500, 200)
    (none,) = folded(seen(1, 0))
    assert (none.overpaid_cents, none.underpaid_cents) == (None, None)


def test_the_gravest_stands_first_then_most_money_then_the_oldest():
    high = {"severity": Severity.HIGH}
    actions = folded(
        seen(1, 0, "dealer D-1"),
        seen(2, 9, "dealer D-2", **high),
        seen(3, 8, "dealer D-3", **high),
        seen(4, 9, "dealer D-4", effect_cents=-700, **high),
        seen(5, 9, "dealer D-5", effect_cents=600, **high),
    )
    assert [one.subject[-1] for one in actions] == ["4", "5", "3", "2", "1"]


def test_the_gravest_finding_makes_the_severity():
    (one,) = folded(seen(1, 0), seen(2, 1, severity=Severity.CRITICAL), seen(3, 2))
    assert one.severity is Severity.CRITICAL


def test_footage_is_kept_as_long_as_the_property_says():
    day = 24 * HOUR
    assert folded(seen(1, 0), seen(2, 60))[0].footage_until is None
    assert folded(seen(1, 0), seen(2, 60), footage_days=7)[0].footage_until == TEN + 60 + 7 * day


@pytest.mark.parametrize("length", [1, 20, 60, 300])
def test_a_title_has_at_most_ninety_characters(length):
    shown = seen(1, 0, f"dealer {'D' * length}", code="wrong_outcome", effect_cents=-123_456_789)
    (one,) = folded(shown, games={"SB-01": "Three Dice Football"})
    assert len(one.title) <= LONGEST == 90
    assert one.title.startswith(("Three Dice Football SB-01: ", "SB-01: "))
    assert one.title.endswith(", 10:00")
    assert "1 wager settled the wrong way, $1,234,567.89 under" in one.title


def test_a_finding_without_a_fact_is_an_action_too():
    day = finding(0, "day_not_closed", facts=(), stream="", certainty=Certainty.UNKNOWN)
    (one,) = folded(replace(seen(0, 0, ""), finding=day, table=""))
    assert not one.certain
    assert one.title == "day not closed (unknown), 10:00"
    assert one.status is ActionStatus.OPEN


# --- ids ------------------------------------------------------------------------------------------


def test_an_id_is_of_what_it_is_about_and_not_of_later_findings():
    (one,) = folded(seen(1, 0))
    (more,) = folded(seen(1, 0), seen(2, 60), seen(3, 120))
    assert one.id == more.id
    assert one.evidence != more.evidence
    others = [
        seen(2, 0),
        seen(1, 0, "dealer D-2"),
        seen(1, 0, table="SB-02", facts=(FactRef("SB-01", 1),)),
        seen(1, 0, code="shaken_uncovered"),
        seen(1, 0, certainty=Certainty.UNKNOWN),
        seen(1, 0, gaming_day=DAY.replace(day=13)),
    ]
    ids = {folded(other)[0].id for other in others}
    assert one.id not in ids
    assert len(ids) == len(others)


def test_evidence_is_what_findings_say_in_fact():
    one, two = finding(1), finding(2)
    assert evidence_of([one, two]) == evidence_of([two, one])
    assert evidence_of([one]) == evidence_of([replace(one, sentence="In other words.")])
    changes = (
        {"effect_cents": 0}, {"effect_cents": 5}, {"observed": "3"}, {"expected": "3"},
        {"round": "SB-01:1"}, {"wager": "W1"}, {"facts": ()}, {"certainty": Certainty.UNKNOWN},
    )  # fmt: skip
    others = [evidence_of([replace(one, **change)]) for change in changes]
    assert len({evidence_of([one]), *others}) == len(changes) + 1


# --- speed ----------------------------------------------------------------------------------------


def test_a_hundred_thousand_findings_fold_in_two_seconds():
    all_seen = [
        seen(
            seq, seq * 400_000, f"dealer D-{seq % 40}", table=f"SB-{seq % 11:02}", effect_cents=-500
        )
        for seq in range(100_000)
    ]
    begun = time.process_time()
    actions = folded(*all_seen)
    assert time.process_time() - begun < 2
    assert sum(one.count for one in actions) == 100_000


def test_see_gives_each_finding_once_and_in_order():
    scene = table()
    played(scene, 0, LOW)
    played(scene, 60, GOOD, LOW)
    replay = Replay(log_of(scene.build()))
    audit = audit_day(replay, scene.day)
    looked = see(replay, read_office(replay), audit)
    assert tuple(one.finding for one in looked) == audit.findings
    assert {one.subject for one in looked} == {"dealer D1"}
    assert [one.at for one in looked] == [scene.noon + 20_000_000, scene.noon + 80_000_000]
