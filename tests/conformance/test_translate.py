"""Cases told as facts, held against translations made by hand."""

import json
from datetime import date

import pytest

from ledger import events
from ledger.codec import decode, frame
from ledger.events.enums import Capture, Instrument, LimitScope, Rounding, SettledAs, ShakerKind
from ledger.kernel import FactRef, PropertyClock
from tests.conformance import words
from tests.conformance.keys import NotTranslatable
from tests.conformance.lights import area, lit
from tests.conformance.translate import EXAMPLES, defaults_of, translate, vocabulary

CLOCK = PropertyClock("America/New_York", 360)


def document(name):
    return json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def told(name, **case):
    speaks = vocabulary(document(name))
    return translate(case, speaks, defaults_of(document(name), speaks))


def example(name, number):
    case = next(case for case in document(name)["cases"] if case["id"] == number)
    return told(name, setup=case.get("setup"), facts=case["facts"])


def of(ready, kind):
    return [fact for fact in ready.ready.facts if isinstance(fact, kind)]


def seconds(ready, fact, hour=20):
    start = CLOCK.start_of(ready.days[-1]) + (hour - 6) * 3600 * 1_000_000
    return (fact.event_time - start) / 1_000_000


EVERY = [
    pytest.param(
        *(name, case), id=f"{name}:{case['id']}", marks=[pytest.mark.full] if number % 6 else []
    )
    for name in ("sic_bo", "dreamcatcher", "own_sic_bo", "own_dreamcatcher", "own_limits")
    for number, case in enumerate(document(name)["cases"])
    if "coupon" not in case["id"]
]
"""The normal run takes one case of six of each file; it plays all of them to the end elsewhere."""


@pytest.mark.parametrize(("name", "case"), EVERY)
def test_every_fact_can_be_written_and_is_numbered_without_holes(name, case):
    ready = told(name, setup=case.get("setup"), facts=case["facts"]).ready
    last = {}
    for fact in ready.facts:
        assert decode(frame(fact)) == fact
        before = last.get(fact.stream)
        if "lost_facts" not in {one["fact"] for one in case["facts"]}:
            assert fact.seq == (before.seq if before else 0) + 1
        assert before is None or before.event_time <= fact.event_time
        last[fact.stream] = fact
        assert FactRef(fact.stream, fact.seq) in ready.origins
    assert len({(fact.stream, fact.seq) for fact in ready.facts}) == len(ready.facts)


def test_a_round_of_sic_bo_is_told_fact_by_fact():
    ready = example("sic_bo", "filed-below-floor")
    assert ready.days == (date(2011, 5, 14),)
    own = [f for f in ready.ready.facts if f.stream == "SB-01" and seconds(ready, f) >= 0]
    assert [(type(fact).__name__, seconds(ready, fact)) for fact in own] == [
        ("BettingOpened", 0), ("WagerPlaced", 2), ("NoMoreBetsAnnounced", 30),
        ("ShakerCovered", 32), ("DiceShaken", 34), ("ShakerUncovered", 40), ("DiceThrown", 41),
        ("RollCalled", 43), ("ValuesEntered", 45), ("AreasLit", 46), ("WagerSettled", 50),
        ("LightsCleared", 56),
    ]  # fmt: skip
    (wager,), (shaken,), (thrown,) = (
        of(ready, events.WagerPlaced),
        of(ready, events.DiceShaken),
        of(ready, events.DiceThrown),
    )
    assert (wager.wager, wager.picks, wager.stake_cents) == ("Total Value Bet", (9,), 500)
    assert wager.instrument is Instrument.CHIPS
    assert (shaken.kind, shaken.shakes, shaken.role) == (ShakerKind.MANUAL, 3, events.Role.DEALER)
    assert [(die.serial, die.face, die.rest) for die in thrown.dice] == [
        ("d1", 1, events.Rest.FLAT), ("d2", 3, events.Rest.FLAT), ("d3", 5, events.Rest.FLAT),
    ]  # fmt: skip
    (settled,) = of(ready, events.WagerSettled)
    assert (settled.outcome, settled.winnings_cents) == (SettledAs.WON, 2500)
    assert ready.ready.origins[FactRef("SB-01", settled.seq)] == 10


def test_what_is_not_mentioned_is_in_order():
    ready = example("sic_bo", "filed-below-floor")
    (filed,), (opened,) = of(ready, events.RulesSubmissionFiled), of(ready, events.TableOpened)
    odds = {(row.wager, row.on): row.odds for row in filed.paytable}
    assert odds.pop(("Total Value Bet", "9")) == "5:1"
    assert odds == {key: value for key, value in words.SIC_BO_FLOORS.items() if key[1] != "9"}
    assert (opened.game, opened.paytable, opened.capture) == (
        "Sic Bo",
        filed.submission,
        Capture.FULL,
    )
    assert of(ready, events.RulesSubmissionApproved)[0].approved_time <= opened.event_time
    assert opened.layout == of(ready, events.LayoutApproved)[0].layout
    assert {(f.equipment, f.bureau) for f in of(ready, events.EquipmentApproved)} == {
        ("SB-01-DEVICE", events.Bureau.GAMING_LABORATORY_OPERATIONS),
        ("SB-01-manual", events.Bureau.GAMING_OPERATIONS),
    }
    (limits,) = of(ready, events.LimitsSet)
    assert (limits.minimum_cents, limits.maximum_cents) == (500, 100000)
    assert all(fact.found for fact in of(ready, events.ItemInspected))
    (printed,) = [f for f in of(ready, events.ItemInspected) if f.item == "printed_odds"]
    assert ("Total Value Bet 9", "5 to 1") in {(seen.name, seen.value) for seen in printed.seen}
    assert len(of(ready, events.DeviceInspected)) == 1
    assert of(ready, events.DiceSetPlaced)[0].shaker == "SB-01-manual"


def test_an_unapproved_shaker_has_no_approval_and_an_approved_automated_one_two():
    ready = example("sic_bo", "unapproved-auto-shaker")
    assert not [f for f in of(ready, events.EquipmentApproved) if f.equipment == "SB-01-automated"]
    ready = example("sic_bo", "auto-and-device-both-fail")
    assert {
        f.bureau for f in of(ready, events.EquipmentApproved) if f.equipment == "SB-01-automated"
    } == {
        events.Bureau.GAMING_LABORATORY_OPERATIONS,
        events.Bureau.GAMING_OPERATIONS,
    }


def test_people_who_work_elsewhere_stand_in_the_stream_of_their_table():
    ready = example("sic_bo", "inspected-by-other-floorperson")
    assert [(f.stream, f.person) for f in of(ready, events.StaffAssigned)][-1:] != []
    assert ("SB-02", "F7") in {(f.stream, f.person) for f in of(ready, events.StaffAssigned)}


def test_dice_placed_long_ago_belong_to_the_day_before_and_both_days_are_audited():
    dice = {"t": -86359, "fact": "dice_placed", "dice": ["d1", "d2", "d3"]}
    ready = told("sic_bo", setup={"preamble": [dice]}, facts=[{"t": 0, "fact": "betting_opened"}])
    assert ready.days == (date(2011, 5, 13), date(2011, 5, 14))
    assert ready.ready.origins[FactRef("SB-01", of(ready, events.DiceSetPlaced)[0].seq)] == "P0"


def test_every_day_is_closed_with_its_control_totals():
    ready = example("sic_bo", "filed-below-floor")
    last = of(ready, events.GamingDayClosed)[-1]
    ends = {end.stream: end.last_seq for end in last.streams}
    assert last.gaming_day == "2011-05-14"
    assert ends == {
        "SB-01": max(f.seq for f in ready.ready.facts if f.stream == "SB-01"),
        "house": last.seq,
    }


def test_a_wheel_and_its_spins():
    ready = example("dreamcatcher", "void-then-wagers-returned")
    (wheel,), (spun,) = of(ready, events.WheelPlaced), of(ready, events.WheelSpun)
    assert (len(wheel.sections), wheel.sections[0], wheel.sections[27]) == (54, "7x", "2x")
    assert (wheel.diameter_thousandths, wheel.clapper, wheel.read_clockwise) == (66000, True, True)
    assert (spun.clapper, spun.between, spun.symbols) == (
        events.Clapper.BETWEEN_SECTIONS,
        (52, 53),
        ("2", "1"),
    )
    assert (spun.section, spun.revolutions_thousandths, spun.role) == (
        None,
        5000,
        events.Role.DEALER,
    )
    assert spun.event_time - spun.started_time == 15_000_000


def test_a_spin_by_a_patron():
    (spun,) = of(example("dreamcatcher", "spun-by-patron"), events.WheelSpun)
    assert (spun.spun_by, spun.role, spun.symbols) == ("P1", events.Role.PATRON, ("1",))


def test_a_payout_limit_is_filed_and_stated():
    ready = example("dreamcatcher", "limit-per-table-shared")
    (filed,) = of(ready, events.RulesSubmissionFiled)
    assert (filed.payout_limit.limit_cents, filed.payout_limit.scope) == (
        200000,
        LimitScope.TABLE_AND_ROUND,
    )
    (stated,) = [f for f in of(ready, events.ItemInspected) if f.item == "stated_limits"]
    assert [seen.name for seen in stated.seen] == ["minimum", "maximum", "payout_limit"]


def test_no_rules_submission_means_no_filing():
    ready = example("dreamcatcher", "no-rules-submission")
    assert of(ready, events.RulesSubmissionFiled) == []
    assert of(ready, events.TableOpened)[0].paytable is None


def test_a_covered_shake_is_covered_before_and_open_after():
    ready = example("general_provisions", "increment-filed-and-kept")
    kinds = [type(fact) for fact in ready.ready.facts]
    at = kinds.index(events.DiceShaken)
    assert kinds[at - 1 : at + 2] == [
        events.ShakerCovered,
        events.DiceShaken,
        events.ShakerUncovered,
    ]
    entry, lights, cleared = (
        of(ready, events.ValuesEntered),
        of(ready, events.AreasLit),
        of(ready, events.LightsCleared),
    )
    assert entry[0].faces == (1, 3, 6)
    assert lights[0].areas == lit((1, 3, 6))
    assert len(cleared) == 1
    assert [f.increment_cents for f in of(ready, events.RulesSubmissionFiled)] == [500]


def test_a_notice_is_a_sign_and_an_announcement():
    ready = example("general_provisions", "announced-only-after-change")
    start = of(ready, events.LimitsSet)[-1].event_time - 3600 * 1_000_000
    (notice,) = [f for f in of(ready, events.LimitsSignPosted) if f.states_change]
    (spoken,) = of(ready, events.LimitsChangeAnnounced)
    assert (notice.sign, notice.event_time, notice.effective_time) == (
        "LS-2",
        start,
        start + 3600_000_000,
    )
    assert spoken.event_time == start + 3660_000_000
    assert {f.sign for f in of(ready, events.SignApproved)} == {"LS-1", "LS-2"}
    assert of(ready, events.LimitsSet)[-1].patrons_playing is True


def test_a_sign_whose_approval_is_a_fact_gets_no_other():
    ready = example("general_provisions", "sign-approved-in-two-of-three")
    (decided,) = [f for f in of(ready, events.SignApproved) if f.sign == "LS-3"]
    assert (decided.location, decided.size, decided.language) == (False, True, True)


def test_an_amendment_is_a_second_filing():
    ready = example("general_provisions", "amendment-approved-old-odds-paid")
    base, amended = of(ready, events.RulesSubmissionFiled)
    odds = [{(r.wager, r.on): r.odds for r in f.paytable} for f in (base, amended)]
    assert [one[("Three of a Kind", None)] for one in odds] == ["150:1", "180:1"]
    assert amended.supersedes == base.submission
    assert of(ready, events.TableOpened)[0].paytable == amended.submission


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("Total Value Bet of 9", ("Total Value Bet", "9")),
        ("total_9", ("Total Value Bet", "9")),
        ("Total Value of Bet 13", ("Total Value Bet", "13")),
        ("One of a Kind on three dice", ("One of a Kind", "3")),
        ("One of a Kind on one die", ("One of a Kind", "1")),
        ("one_of_a_kind_2", ("One of a Kind", "2")),
        ("Any Two Dice Combination", ("Two Dice Combination", None)),
        ("small", ("Small Bet", None)),
    ],
)
def test_lines_of_a_paytable_have_several_spellings(name, line):
    assert words.row(name, words.SIC_BO) == line


@pytest.mark.parametrize(
    ("said", "rule", "unit"),
    [
        ("down to a cent", Rounding.DOWN, 1),
        ("up to 5 cents", Rounding.UP, 5),
        ("to the nearest quarter", Rounding.NEAREST, 25),
        ("exact", Rounding.EXACT, 1),
        ({"rule": "down", "unit_cents": 5}, Rounding.DOWN, 5),
        ({"method": "nearest", "unit_cents": 25}, Rounding.NEAREST, 25),
        ("down to the dollar", Rounding.DOWN, 100),
    ],
)
def test_rounding_has_several_spellings(said, rule, unit):
    filed = words.rounding(said)
    assert (filed.rule, filed.unit_cents) == (rule, unit)


def test_rounding_may_not_be_filed_at_all():
    assert words.rounding("none needed") is None
    assert words.rounding(None) is None


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Total Value Bet of 9", "Total Value Bet 9"),
        ("two_dice_combination_5_3", "Two Dice Combination 3 5"),
        ("Two Dice Combination 3-5", "Two Dice Combination 3 5"),
        ({"wager": "One of a Kind", "picks": [2]}, "One of a Kind 2"),
        (["Three of a Kind", 4], "Three of a Kind 4"),
        ("small", "Small Bet"),
    ],
)
def test_areas_have_several_spellings(said, name):
    assert area(said) == name


def test_the_lights_of_a_pair_and_of_a_triple():
    assert lit((2, 2, 6)) == (
        "Two of a Kind 2", "Total Value Bet 10", "Two Dice Combination 2 6", "Small Bet",
        "One of a Kind 2", "One of a Kind 6",
    )  # fmt: skip
    assert lit((5, 5, 5)) == (
        "Three of a Kind 5", "Any Three of a Kind", "Two of a Kind 5", "Total Value Bet 15",
        "One of a Kind 5",
    )  # fmt: skip
    assert lit((1, 1, 1)) == (
        "Three of a Kind 1", "Any Three of a Kind", "Two of a Kind 1", "One of a Kind 1",
    )  # fmt: skip
    assert lit((2, 3)) is None


@pytest.mark.parametrize(
    ("said", "thousandths"), [(2.99, 2990), (3, 3000), ("2.9999", 2999), (None, None)]
)
def test_revolutions_are_never_rounded_up(said, thousandths):
    assert words.thousandths(said) == thousandths


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("setup", "facts"),
    [
        ({"weather": "fine"}, []),
        ({}, [{"t": 0, "fact": "earthquake"}]),
        ({}, [{"t": 0, "fact": "betting_opened", "mood": "good"}]),
        ({}, [{"t": 0, "fact": "wager", "wager_id": "W1", "wager": "Small Bet"}]),
        ({"rounding": "sideways"}, []),
        ({"preamble": "robotic"}, []),
        ({}, [{"fact": "betting_opened"}]),
        (
            {},
            [{"t": 0, "fact": "thrown", "dice": [{"die": "d1", "face": 1, "rest": "levitating"}]}],
        ),
    ],
)
def test_unknown_words_are_refused_with_a_reason(setup, facts):
    with pytest.raises(NotTranslatable, match=r"\w"):
        told("sic_bo", setup=setup, facts=facts)


@pytest.mark.parametrize(("name", "by"), [("sic_bo", "D1"), ("three_dice_football", "dealer")])
def test_what_no_section_asks_for_may_stand_aside(name, by):
    fact = {"t": 0, "fact": "betting_opened", "game": 1}
    plainly, more = (told(name, facts=[one]) for one in (fact, {**fact, "by": by, "why": "six"}))
    assert plainly.ready.facts == more.ready.facts


# --- requests, access and guides -------------------------------------------------------------------


OFFICE = {
    "setup": {"start": "2010-06-15T10:00:00-04:00", "games_offered": ["sic_bo"]},
}


def of_office(*facts, **setup):
    case = {"setup": {**OFFICE["setup"], **setup}, "facts": list(facts)}
    return told("general_provisions", **case).ready.facts


def test_the_request_of_the_example_as_a_fact():
    facts = example("general_provisions", "lawful-odds-player-edge").ready.facts
    request = next(fact for fact in facts if isinstance(fact, events.GameRequestFiled))
    assert (request.kind, request.classification) == (
        events.RequestKind.GAME,
        events.GameClass.VARIATION,
    )
    assert (request.game, request.addressed_to) == ("Dreamcatcher", "Executive Director")
    assert request.wagers == (
        events.RequestedOdds(
            wager="5", on=None, true_odds="45:7", payout_odds="6:1", house_advantage="8.76"
        ),
    )
    assert (request.description, request.rules_of_play, request.rules_of_wagering) == (True,) * 3
    assert (request.jurisdictions, request.intellectual_property) == (("Nevada",), "none")


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("said", "held"),
    [
        ({}, {"description": False, "reason": None, "jurisdictions": None, "wagers": None}),
        ({"jurisdictions": []}, {"jurisdictions": ()}),
        ({"reason": "not given"}, {"reason": None}),
        ({"description": "given"}, {"description": True, "rules_of_play": False}),
        ({"layout_sketch": "no layout"}, {"has_layout": False, "layout_shown": False}),
        ({"complete": True}, {"description": True, "equipment_shown": True, "jurisdictions": ()}),
        ({"complete": True, "lacks": ["reason", "odds"]}, {"reason": None, "wagers": None}),
        (
            {"kind": "new wager", "wager": "Odds"},
            {"kind": events.RequestKind.WAGER, "feature": "Odds"},
        ),
        ({"kind": "new feature"}, {"kind": events.RequestKind.FEATURE, "classification": None}),
        ({"kind": "composite of authorized games"}, {"classification": events.GameClass.COMPOSITE}),
    ],
)
def test_what_a_request_holds_in_words(said, held):
    facts = of_office({"t": 0, "fact": "request_filed", "request": said})
    request = next(fact for fact in facts if isinstance(fact, events.GameRequestFiled))
    assert {name: getattr(request, name) for name in held} == held


def test_a_guide_that_is_given_without_a_name_is_one_in_order():
    facts = of_office({"t": 0, "fact": "guide_requested", "by": "P1", "given": True})
    asked = next(fact for fact in facts if isinstance(fact, events.GuideRequested))
    sample = next(fact for fact in facts if isinstance(fact, events.GuideSampleDecided))
    assert (sample.guide, sample.approved) == (asked.guide, True)
    assert sample.event_time < asked.event_time


@pytest.mark.parametrize(
    "fact",
    [
        {"t": 0, "fact": "betting_opened"},
        {"t": 0, "fact": "guide_burnt", "guide": "G1"},
        {"t": 0, "fact": "request_filed", "request": {"kind": "a cake"}},
        {"t": 0, "fact": "request_filed", "request": {"colour": "blue"}},
        {"t": 0, "fact": "request_filed", "request": {"complete": True, "lacks": ["cake"]}},
        {"t": 0, "fact": "device_permitted", "device": "watch", "by": "the pit boss"},
        {"t": 0, "fact": "rules_text_kept", "printed": "yes"},
    ],
)
def test_what_no_word_of_the_office_says_is_refused(fact):
    with pytest.raises(NotTranslatable, match=r"\w"):
        of_office(fact)
