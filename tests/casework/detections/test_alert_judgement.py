"""A night's alerts as a whole: their order, their words, what is held back and what is never said."""

from __future__ import annotations

import json
import pickle
from dataclasses import asdict, replace
from datetime import timedelta
from math import exp, log

import pytest

from ledger.casework.detections import CARDS, DETECTIONS, detect, discoveries
from ledger.casework.history import TableWin
from ledger.casework.multiple_testing import Policy, Suppression, Threshold
from tests.power.makers import (
    BEGINS,
    HOUR,
    LAST,
    coupons,
    dice,
    payments,
    rounds,
    wheel,
)


def alerts_of(history, *names, **more):
    return detect(history, LAST, detections=names or tuple(CARDS), **more)


LOADED = dice(seed=2, throws=2000, bias=0.8)


def test_the_same_nights_give_the_same_bytes():
    one = alerts_of(LOADED)
    kept = pickle.loads(pickle.dumps(LOADED))
    assert json.dumps([asdict(a) for a in one], default=str) == json.dumps(
        [asdict(a) for a in alerts_of(kept)], default=str
    )


def test_without_a_night_of_that_day_there_is_nothing_to_say():
    assert detect((), LAST) == ()
    assert detect(LOADED, LAST + timedelta(days=1)) == ()
    later = replace(LOADED[0], day=LAST + timedelta(days=1))
    assert detect((later,), LAST) == ()


def test_the_sentence_says_what_would_have_been_seen():
    (die, every) = sorted(
        alerts_of(dice(3, 3000), "dice_bias"), key=lambda one: one.subject, reverse=True
    )
    assert die.sentence.startswith("nothing unusual in 3,000 throws of a die (die D-1); a bias of ")
    assert "% of the time in 3,000 throws" in die.sentence
    assert (every.subject, every.volume, every.raised) == ("all dice at SB-01", 3000, False)


def test_below_the_minimum_not_even_a_rate_is_shown():
    (only,) = alerts_of(dice(3, 299, bias=2.0), "dice_bias")
    assert (
        only.sentence
        == "too few throws of a die to judge (2 subjects): 299 at most of at least 300"
    )
    assert (only.e_value, only.detail, only.raised) == (1.0, (), False)


def test_throws_that_do_not_count_are_left_out_and_counted():
    (night,) = dice(5, 1000)
    odd = tuple(
        replace(one, out="a die did not lie flat") if at % 10 == 0 else one
        for at, one in enumerate(night.throws)
    )
    for one in alerts_of((replace(night, throws=odd),), "dice_bias"):
        assert (one.volume, one.left_out) == (900, 100)
        assert one.sentence.endswith("; 100 excluded")


def test_dice_have_subjects_by_what_is_known_of_them():
    (night,) = dice(6, 400)
    bare = tuple(
        replace(one, dice=(("", one.dice[0][1]),), shaker="SH-1", lot="L-9") for one in night.throws
    )
    other = tuple(
        replace(one, shaker="SH-2", set="S-2", at=one.at + HOUR, seq=one.seq + 400) for one in bare
    )
    found = {one.subject for one in alerts_of((replace(night, throws=bare + other),), "dice_bias")}
    assert found == {
        "all dice at SB-01",
        "dice S-1",
        "dice S-2",
        "shaker SH-1",
        "shaker SH-2",
        "supplier's lot L-9",
    }
    found = {one.subject for one in alerts_of((replace(night, throws=bare),), "dice_bias")}
    assert found == {"all dice at SB-01", "supplier's lot L-9"}, (
        "the shaker says nothing more than the table"
    )


def test_work_of_persons_is_one_line_unless_it_is_a_discovery():
    (quiet,) = alerts_of(wheel(1, 3000, people=5), "dealer_signature")
    assert (quiet.subject, quiet.volume) == ("all spins at DW-01", 2995)
    assert "P-" not in json.dumps(asdict(quiet), default=str)
    found = alerts_of(payments(1, 20, 20.0), "payment_errors")
    named = [one for one in found if "P-" in one.subject]
    assert [one.subject for one in named] == ["payments above the rules by P-1"]
    assert named[0].raised


def test_alerts_never_stand_in_the_order_of_their_strength():
    found = alerts_of(payments(1, 20, 20.0))
    assert [(a.detection, a.table, a.subject) for a in found] == sorted(
        (a.detection, a.table, a.subject) for a in found
    )


def test_a_suppressed_alert_is_held_and_still_counts_until_it_expires():
    off = Suppression(
        detection="dice_bias",
        until=LAST,
        reason="dice sent to be measured",
        by="P-77",
        table="SB-01",
    )
    held = alerts_of(LOADED, "dice_bias", suppressions=[off])
    assert [one.raised for one in held] == [True, True]
    assert {one.suppressed_until for one in held} == {LAST}
    assert held[0].not_shown == f"snoozed until {LAST} by P-77: dice sent to be measured"
    over = replace(off, until=LAST - timedelta(days=1))
    assert {one.not_shown for one in alerts_of(LOADED, "dice_bias", suppressions=[over])} == {""}
    bare = [replace(one, not_shown="", suppressed_until=None) for one in held]
    assert tuple(bare) == alerts_of(LOADED, "dice_bias"), "nothing else changes"


def test_what_is_put_off_or_beyond_the_budget_counts_for_the_nights_after_it():
    off = Suppression(detection="dice_bias", until=LAST, reason="being measured", by="P-77")
    shown = alerts_of(LOADED, "dice_bias")
    put_off = alerts_of(LOADED, "dice_bias", suppressions=[off])
    held = alerts_of(LOADED, "dice_bias", policy=Policy(per_shift=0))
    assert all(one.not_shown for one in (*put_off, *held))
    assert discoveries(shown) == discoveries(put_off) == discoveries(held) == 2
    assert discoveries(alerts_of(dice(3, 3000), "dice_bias")) == 0
    after = [
        alerts_of(dice(3, 3000), "dice_bias", policy=Policy(earlier=discoveries(one)))[0].level
        for one in (shown, put_off, held)
    ]
    assert after == pytest.approx([2 * 620 / 3] * 3)


def test_a_shift_shows_no_more_than_its_budget_and_says_so():
    (night,) = LOADED
    three = tuple(
        replace(one, table=table, stream=table)
        for table in ("SB-01", "SB-02", "SB-03")
        for one in night.throws
    )
    late_shift = tuple(replace(one, table="SB-09", at=one.at + 9 * HOUR) for one in night.throws)
    found = alerts_of(
        (replace(night, throws=three + late_shift),), "dice_bias", policy=Policy(per_shift=4)
    )
    assert all(one.raised for one in found)
    assert len(found) == 8
    assert [one.not_shown for one in found if one.not_shown] == [
        "over the budget of 4 alerts per shift"
    ] * 2
    assert not [one for one in found if one.not_shown and one.table == "SB-09"]


def test_more_tests_ask_for_more_evidence_and_discoveries_for_less():
    few = alerts_of(dice(3, 3000), "dice_bias")[0].level
    more = alerts_of(dice(3, 3000), "dice_bias", "serial_dependence")[0].level
    assert (few, more) == (2 * 620, 3 * 620)
    assert alerts_of(dice(3, 3000), "dice_bias", policy=Policy(earlier=3))[
        0
    ].level == pytest.approx(2 * 620 / 4)


def test_thresholds_from_elsewhere_are_off_and_labelled():
    (night,) = rounds(2, 400)
    win = TableWin(
        table="SB-01",
        game="Sic Bo",
        rounds=400,
        left_out=0,
        staked_cents=400_000,
        won_cents=0,
        expected_cents=16_000.0,
        chance_low=0.2,
        chance_high=0.8,
    )
    night = replace(night, wins=(win,))
    (bare,) = alerts_of((night,), "win_on_wagers")
    assert "Pennsylvania" not in json.dumps(asdict(bare), default=str)
    policy = Policy(thresholds=(Threshold(source="another state", points=3.0),))
    (shown,) = alerts_of((night,), "win_on_wagers", policy=policy)
    assert shown.detail[len(bare.detail) :] == (
        (
            "another state: 3 points of hold on wagers (not a Pennsylvania requirement)",
            "-4.00 points, beyond",
        ),
    )
    assert (shown.raised, shown.e_value) == (bare.raised, bare.e_value)


def test_honest_months_whose_coupons_come_early_raise_nothing():
    """By proof the mean of these e-values is at most 1, and one in 1,000 months reaches 1,000."""
    card, found = CARDS["coupon_times"], []
    for seed in range(60):
        (one,) = DETECTIONS["coupon_times"](coupons(seed, 31, early=seed % 2 == 0), LAST, card)
        assert one.volume == 31 * 30
        found.append(one.log_e)
    assert max(found) < log(1000)
    assert sum(map(exp, found)) / len(found) < 1.5


def test_hours_are_compared_for_coupons_that_were_out_before_the_first_was_used():
    (night,) = coupons(1, 1)
    late_issue = tuple(
        replace(one, issued=night.redeemed[0].at + (at > 20) - 1)
        for at, one in enumerate(night.redeemed)
    )
    twice = replace(late_issue[3], patron=late_issue[2].patron)
    changed = replace(night, redeemed=(*late_issue[:3], twice, *late_issue[4:]))
    (one,) = DETECTIONS["coupon_times"]((changed,), LAST, CARDS["coupon_times"])
    assert (one.volume, one.left_out) == (20, 10), "nine were given out later, one is a second"


def test_each_alert_names_its_first_and_last_fact():
    (one, _) = alerts_of(LOADED, "dice_bias")
    assert [str(fact) for fact in one.facts] == ["SB-01:1", "SB-01:2000"]
    assert LOADED[0].begins == BEGINS
