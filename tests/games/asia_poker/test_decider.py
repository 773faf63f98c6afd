"""What the room says of worked rounds: each rule on both sides of its edge.

The rounds are the worked examples, changed in one fact: given a round in order, when one thing is
otherwise, then this is found and these wagers come to that.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.run import run

EXAMPLES = Path(__file__).parents[2] / "conformance" / "examples" / "asia_poker.json"
Case = dict[str, Any]
Change = Callable[[list[Case]], None]


@cache
def document() -> Case:
    found: Case = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return found


def say(name: str, change: Change | None = None, **setup: Any) -> Case:
    case = copy.deepcopy(next(one for one in document()["cases"] if one["id"] == name))
    if change is not None:
        change(case["facts"])
    facts = sorted(case["facts"], key=lambda one: one["t"])
    told = {"id": name, "setup": {**(case.get("setup") or {}), **setup}, "facts": facts}
    got: Case = run({**document(), "cases": [told]})[name]
    assert "not_translatable" not in got, got
    return got


def codes(got: Case) -> list[str]:
    return sorted({one["code"] for one in got["findings"] if one["severity"] != "info"})


def outcome(got: Case, wager: str) -> str:
    return str(got["wagers"][wager]["outcome"])


def without(name: str, nth: int = 0) -> Change:
    def change(facts: list[Case]) -> None:
        place = [n for n, one in enumerate(facts) if one["fact"] == name][nth]
        del facts[place]

    return change


def where(name: str, nth: int = 0, /, **fields: Any) -> Change:
    def change(facts: list[Case]) -> None:
        [one for one in facts if one["fact"] == name][nth].update(fields)

    return change


def added(at: float, name: str, /, **fields: Any) -> Change:
    def change(facts: list[Case]) -> None:
        facts.append({"t": at, "fact": name, **fields})

    return change


def both(*changes: Change) -> Change:
    def change(facts: list[Case]) -> None:
        for one in changes:
            one(facts)

    return change


FLAT = [{"face": 3, "rests": "flat"}, {"face": 3, "rests": "flat"}]
WON = "left-table-played-out"  # a round won, in order
EDGES: list[tuple[str, str, Change | None, str, Change]] = [
    # section, round, kept by, code, broken by
    ("575.8(b)", WON, None, "no_more_bets_missing", without("no_more_bets")),
    ("575.13(l)", WON, None, "deck_not_shuffled", where("shuffled", completed=False)),
    ("575.4(c)", WON, None, "deck_not_shuffled", where("shuffled", kept_in_device=True, deck="D9")),
    ("575.5(b)(2)", "shuffler-broken-sign", None, "cards_not_cut", without("cut")),
    ("575.5(c)", "shuffler-broken-sign", where("cut", cover_card_depth=10), "cut_too_shallow", where("cut", cover_card_depth=9)),
    ("575.13(n)", "shuffler-broken-sign", None, "out_of_order_sign_missing", without("out_of_order_sign")),
    ("575.5(g)(1)(i)", WON, where("shaken", shakes=3), "too_few_shakes", where("shaken", shakes=2)),
    ("575.5(g)(1)(iv)", WON, None, "closing_shake_missing", without("shaken", 1)),
    ("575.5(g)(1)(ii)", WON, None, "dice_total_wrong", where("called", total=13)),
    ("575.5(g)(1)(iii)", WON, None, "wrong_start_position", where("dealt", first_position=4)),
    ("575.10(a)(2)", "automated-shoe-jam", None, "start_not_determined", both(without("uncovered"), without("called"))),
    ("575.5(g)(2)", "start-rng-five", where("rng_shown", number=7), "wrong_start_number", where("rng_shown", number=8)),
    ("575.5(g)(3)", "start-button-rotation", None, "wrong_start_position", where("dealt_first_stack", 1, position=2)),
    ("575.8(c)", WON, None, "wrong_deal_order", where("dealt", direction="counterclockwise")),
    ("575.8(d)", WON, None, "remaining_cards_not_counted", without("remaining_counted")),
    ("575.8(d)", WON, None, "remaining_cards_exposed", added(90, "remaining_exposed", cards=1)),
    ("575.8(f)", WON, None, "empty_stack_exposed", added(90, "hand_exposed", position=5, cards=1)),
    ("575.11(a)", WON, None, "hand_set_before_deal_complete", where("hand_set", t=60)),
    ("575.11(a)(3)", WON, None, "hand_changed_after_set", added(103, "hand_set", position=3, by="player")),
    ("575.7(d)", WON, None, "hand_played_without_wager", added(98, "hand_set", position=5, by="player")),
    ("575.7(e)", "bonus-switch-does-not-reach-bonus", None, "bonus_without_main_wager", where("wager", 1, position=5)),
    ("575.7(f)", "adjacent-larger-first", None, "adjacent_hands_out_of_order", where("hand_set", 1, t=100)),
    ("575.7(f)", "adjacent-larger-first", None, "adjacent_wager_not_permitted", where("wager", 0, position=6)),
    ("575.9(a)(1)", "hand-deal-without-shuffler", where("shuffled", by="automated_shuffler"), "hand_deal_without_shuffler", where("shuffled", by="dealer")),
    ("575.11(c)", "dealer-reset", None, "dealer_hand_set_wrong", without("hand_set", 2)),
    ("575.11(c)", WON, None, "dealer_hand_exposed_early", where("hand_exposed", t=80)),
    ("575.11(d)", "surrender-before-dealer-set", None, "surrendered_cards_not_counted", where("surrendered_cards_counted", cards=6)),
    ("575.11(d)", "surrender-before-dealer-set", None, "surrendered_cards_exposed", where("surrendered_cards_counted", exposed=True)),
    ("575.11(d)", "cap-counts-both-wagers", None, "surrender_with_bonus", added(117, "surrendered", position=4)),
    ("575.11(e)", WON, None, "hand_revealed_early", added(110, "hand_exposed", position=3, cards=7)),
    ("575.11(e)", "adjacent-larger-first", None, "reveal_out_of_order", where("hand_exposed", 2, t=140)),
    ("575.11(h)", "cap-counts-both-wagers", None, "bonus_settled_first", where("settled", 1, t=123)),
    ("575.11(i)", WON, None, "discard_not_reconstructable", where("discarded", -1, kept_together=False)),
    ("575.12(c)", "cap-counts-both-wagers", None, "payout_limit_ignored", where("settled", 1, winnings_cents=5_000_000)),
    ("575.13(b)", "die-fell-out-reshaken", None, "no_roll_not_called", without("no_roll")),
    ("575.13(a)", WON, None, "no_roll_not_called", where("uncovered", dice=[*FLAT, {"face": 6, "rests": "propped"}])),
    ("575.13(b)#2", WON, None, "no_roll_without_cause", added(34.5, "no_roll", called_by="dealer")),
    ("575.13(c)", "mistotal-and-wrong-position", None, "void_round_settled", both(without("returned"), added(85, "settled", wager="W1", winnings_cents=0, stake_taken_cents=2500, **{"as": "lost"}))),
    ("575.13(d)", "player-looked-before-void", where("choice_after_exposure", looked_at_unexposed_cards=False), "void_choice_after_look", where("choice_after_exposure", looked_at_unexposed_cards=True)),
    ("575.13(f)", "one-face-up-card", None, "face_up_card_used", where("irregularity", cards=["KC"])),
    ("575.13(g)", "drawn-card-burned", where("irregularity", used_as_next_card=True), "drawn_card_not_used", where("irregularity", used_as_next_card=False)),
    ("575.8(e)", "short-deck-removed", None, "defective_deck_kept", both(without("deck_removed"), added(120, "shuffled", by="automated_shuffler", completed=True))),
    ("575.4(a)", "inspection-not-verified", added(70, "inspection_verified", by="floorperson"), "inspection_not_verified", where("deck_inspected", t=61)),
    ("575.4(a)", "preinspected-deck-exempt", None, "inspection_not_verified", both(where("deck_placed", preinspected_and_preshuffled=False), added(5, "deck_inspected", by="dealer"))),
    ("575.3(b)(3)", "two-decks-same-deck-twice", both(where("round_dealt_with", 1, deck="D2"), where("round_dealt_with", 2, deck="D1")), "decks_not_alternated", where("round_dealt_with", 1, deck="D1")),
    ("575.3(b)(1)", "two-decks-same-backs", where("deck_placed", 1, back="blue"), "deck_backs_not_distinct", where("deck_placed", 1, back="red")),
    ("575.2(c)(1)(i)", WON, None, "wrong_number_of_dice", where("uncovered", dice=[{"face": 6, "rests": "flat"}, {"face": 6, "rests": "flat"}])),
]  # fmt: skip


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("section", "name", "kept", "code", "broken"),
    EDGES,
    ids=[f"{section}-{code}-{number}" for number, (section, _, _, code, _) in enumerate(EDGES)],
)
def test_a_rule_on_both_sides_of_its_edge(
    section: str, name: str, kept: Change | None, code: str, broken: Change
) -> None:
    assert code not in codes(say(name, kept))
    found = [one for one in say(name, broken)["findings"] if one["code"] == code]
    assert found, codes(say(name, broken))
    pin = section.partition("#")[0]
    assert any(pin in one["section"] for one in found), [one["section"] for one in found]


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        (WON, where("hand_exposed", t=80), {"W1": "returned"}),  # 575.13(e)
        (WON, added(66, "irregularity", what="cards found face up in the shoe", cards=["2C", "3C"]), {"W1": "returned"}),
        ("one-face-up-card", where("remaining_counted", cards=4), {"W1": "returned"}),  # 4 + 1 = 5
        ("dealer-eight-three-remain", where("remaining_counted", cards=4), {"W1": "returned"}),  # .13(k)
        ("hand-deal-card-exposed", None, {"W1": "returned", "W2": "returned", "W3": "returned"}),
        ("surrender-before-dealer-set", None, {"W1": "lost"}),
        ("surrender-after-one-of-three-shown", None, {"W1": "won"}),
        (WON, where("hand_set", 0, high=["9C", "JD", "7H", "5S"], medium=["AS", "AH"]), {"W1": "lost"}),  # fouled
        ("cap-counts-both-wagers", where("hand_set", 0, high=["KS", "KH", "8D", "8C"], medium=["8S", "8H"], low=["KD"]), {"W2": "won"}),
        ("mistotal-corrected", None, {"W1": "won"}),
    ],
)  # fmt: skip
def test_what_the_wagers_come_to(
    name: str, change: Change | None, expected: dict[str, str]
) -> None:
    got = say(name, change)
    assert {wager: outcome(got, wager) for wager in expected} == expected


def test_575_12_c_the_bonus_wager_bears_the_cut() -> None:
    got = say("cap-counts-both-wagers")
    assert got["wagers"]["W1"]["winnings_cents"] == 10_000
    assert got["wagers"]["W2"]["winnings_cents"] == 4_990_000
    free = say(
        "cap-counts-both-wagers",
        where("settled", 1, winnings_cents=5_000_000),
        max_payout_cents=None,
    )
    assert free["wagers"]["W2"]["winnings_cents"] == 5_000_000
    assert codes(free) == []


@pytest.mark.parametrize(
    ("maximum", "minimum", "found"),
    [(5_000_000, 500, []), (4_999_999, 500, ["payout_limit_too_low"]),
     (5_000_000, 1_000, ["payout_limit_too_low"]), (5_001_000, 1_000, ["payout_limit_too_low"]),
     (5_005_000, 1_000, [])],
)  # fmt: skip
def test_575_12_c_the_least_maximum(maximum: int, minimum: int, found: list[str]) -> None:
    limits = {"Asia Poker Wager": [5_000, 500_000], "Bonus Wager": [minimum, 50_000]}
    got = say("cap-filed-at-floor", max_payout_cents=maximum, limits=limits)
    assert codes(got) == found


@pytest.mark.parametrize("table", ["A", "B", "C"])
def test_575_12_b_each_table_may_be_filed(table: str) -> None:
    assert codes(say("cap-filed-at-floor", paytable=table)) == []


def test_575_11_c_a_missing_house_way() -> None:
    assert codes(say("cap-filed-at-floor", house_way=None)) == ["house_way_not_filed"]


def test_575_3_a_a_card_dealt_twice_is_told_and_crashes_nothing() -> None:
    def twice(facts: list[Case]) -> None:
        stacks = next(one for one in facts if one["fact"] == "dealt")["stacks"]
        stacks["2"][0] = stacks["3"][0]
        stacks["4"][0] = "XX"

    got = say(WON, twice)
    assert codes(got) == ["wrong_deck_count"]
    assert outcome(got, "W1") == "won"
