"""Input that cannot be right: each kind is told by name, and none crashes a replay.

The worked examples of each chapter, changed in one word, or a row taken out of the product's own
tables. Every expectation names its code; what is unknown is unknown, and nothing else is.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ledger.codec import NotAFact, frame
from ledger.law import finding_codes
from tests.conformance.run import run
from tests.engine import Scene, judged, results, roll, sic_bo
from tests.games.facts import fact
from tests.law.rows_dropped import carriers, without

EXAMPLES = Path(__file__).parents[1] / "conformance" / "examples"
Case = dict[str, Any]
Change = Callable[[Case], None]


@cache
def document(name: str) -> Case:
    found: Case = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return found


def say(name: str, case: str, change: Change | None = None) -> Case:
    """What the product says of a worked example, perhaps changed."""
    told = copy.deepcopy(next(one for one in document(name)["cases"] if one["id"] == case))
    del told["expect"]
    told.setdefault("setup", {})
    if change is not None:
        change(told)
    got: Case = run({**document(name), "cases": [told]})[case]
    assert "not_translatable" not in got, got
    assert "internal_error" not in {one["code"] for one in got["findings"]}
    return got


def codes(got: Case) -> set[str]:
    found = {one["code"] for one in got["findings"] if one["severity"] != "info"}
    assert found <= set(finding_codes())
    return found


def first(told: Case, name: str) -> Case:
    found: Case = next(one for one in told["facts"] if one["fact"] == name)
    return found


def dealt_twice(told: Case) -> None:
    stacks = first(told, "dealt")["stacks"]
    stacks["2"][0] = stacks["3"][0]


def of_six(told: Case) -> None:
    """One position gets six cards, and five remain."""
    first(told, "dealt")["stacks"]["3"].pop()
    first(told, "remaining_counted")["cards"] = 5


def of_eight(told: Case) -> None:
    first(told, "dealt")["stacks"]["3"].append("2C")


def set_of(high: int) -> Change:
    """The player sets so many of his cards as high hand, the rest as medium and low."""

    def change(told: Case) -> None:
        hand = first(told, "hand_set")
        cards = [*hand["high"], *hand["medium"], *hand["low"]]
        hand.update(high=cards[:high], medium=cards[high:6], low=cards[6:])

    return change


NAMED: list[tuple[str, str, str, Change | None, set[str]]] = [
    # phrase, file, worked example, what is changed, codes
    ("a die of the wrong colour: thrown", "own_three_dice_football", "two-red-dice", None, {"wrong_dice_thrown"}),
    ("a die of the wrong colour: in the set", "three_dice_football", "dice-set-three-green", None, {"dice_set_incomplete"}),
    ("a set of five", "own_three_dice_football", "five-dice", None, {"dice_set_incomplete"}),
    ("a set of seven", "own_three_dice_football", "seven-dice", None, {"dice_set_incomplete"}),
    ("a die too few: Sic Bo", "own_sic_bo", "two-dice-placed", None, {"wrong_number_of_dice"}),
    ("a die too many: Props & Hops", "own_props_and_hops", "three-dice-placed", None, {"wrong_number_of_dice"}),
    ("a card dealt twice", "own_asia_poker", "a-clean-round", dealt_twice, {"wrong_deck_count"}),
    ("a card of no deck", "own_asia_poker", "a-card-of-no-deck-in-a-hand", None, {"wrong_deck_count"}),
    ("a hand of six", "own_asia_poker", "a-clean-round", of_six, {"void_round_settled"}),
    ("a hand of eight", "own_asia_poker", "a-clean-round", of_eight, {"void_round_settled", "wrong_deck_count"}),
    ("a high hand of three", "own_asia_poker", "a-clean-round", set_of(3), {"wrong_outcome"}),
    ("a high hand of five", "own_asia_poker", "a-clean-round", set_of(5), {"wrong_outcome"}),
    ("a wager on an unknown spot: Sic Bo", "own_sic_bo", "wager-of-no-chapter", None, {"wager_not_offered"}),
    ("a wager on an unknown spot: no such total", "own_sic_bo", "total-of-3", None, {"wager_not_offered"}),
    ("a wager on an unknown spot: Asia Poker", "asia_poker", "envy-wager-unknown", None, {"wager_not_offered"}),
    ("a wager on an unknown spot: football", "three_dice_football", "unauthorized-wager-kind", None, {"wager_not_offered"}),
    ("a wager on an unknown spot: Props & Hops", "own_props_and_hops", "no-such-wager", None, {"wager_not_offered"}),
    ("a wager on an unknown spot: Dreamcatcher", "own_dreamcatcher", "chip-on-2x", None, {"wager_not_offered"}),
    ("a filing below the floor: Sic Bo", "own_sic_bo", "below-floor-paid-at-the-floor", None, {"paytable_below_floor"}),
    ("a filing below the floor: Dreamcatcher", "own_dreamcatcher", "five-filed-at-four", None, {"paytable_below_floor"}),
    ("a filing below the tables: Asia Poker", "own_asia_poker", "a-line-below-the-tables", None, {"paytable_not_allowed"}),
    ("a hop group that gives the player an edge", "own_props_and_hops", "hop-top-too-generous", None, {"hop_group_too_generous"}),
    ("a hop group that is missing", "own_props_and_hops", "hop-top-not-filed", None, {"hop_groups_not_filed"}),
    ("a filing that is missing", "own_three_dice_football", "nothing-filed", None, {"rules_submission_missing"}),
]  # fmt: skip


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("name", "case", "change", "expected"),
    [one[1:] for one in NAMED],
    ids=[one[0] for one in NAMED],
)
def test_it_is_told_by_name(
    name: str, case: str, change: Change | None, expected: set[str]
) -> None:
    assert expected <= codes(say(name, case, change))


# --- a missing row -------------------------------------------------------------------------------


def round_of_two() -> Scene:
    """Small and Large on 2-3-4: Small wins."""
    scene = sic_bo()
    scene.add("BettingOpened", 0)
    scene.wager(1, "Small Bet")
    scene.wager(2, "Big Bet")
    roll(scene, 20, 2, 3, 4)
    scene.lost(30, "W2", 1_000)
    scene.won(31, "W1", 1_000)
    scene.add("LightsCleared", 32)
    return scene


def outcomes(scene: Scene) -> dict[str, str]:
    [one] = results(scene.build(), scene.day)
    return {wager.wager: wager.expected.outcome.value for wager in one.wagers}


def test_with_every_row_both_wagers_are_known() -> None:
    assert outcomes(round_of_two()) == {"Small Bet": "won", "Big Bet": "lost"}
    assert codes_of(round_of_two()) == set()


@pytest.mark.parametrize(("table", "told"), [("wagers", {"wager_not_offered"}), ("payouts", set())])
def test_a_missing_row_makes_its_wager_unknown_and_no_other(table: str, told: set[str]) -> None:
    [row] = [
        one
        for one in carriers()
        if (one.owner, one.table) == ("sic_bo", table)
        and getattr(one.row, "name" if table == "wagers" else "wager") == "Small Bet"
    ]
    with without(row):
        assert outcomes(round_of_two()) == {"Small Bet": "unknown", "Big Bet": "lost"}
        assert codes_of(round_of_two()) == told
        assert judged(round_of_two().build(), round_of_two().day).unknown_rounds == 1


def codes_of(scene: Scene) -> set[str]:
    return {finding.code for finding in judged(scene.build(), scene.day).findings}


def test_no_combination_of_what_is_impossible_crashes_a_replay() -> None:
    """All that is wrong with one round at once: it is told, and the round after is judged."""

    def everything(told: Case) -> None:
        dealt_twice(told)
        of_six(told)
        hand = first(told, "hand_set")
        hand.update(high=["XX", "XX", ""], medium=[], low=["JK", "JK"])
        first(told, "wager").update(position=99, wager="Envy Wager", stake_cents=1)
        first(told, "uncovered")["dice"] = [{"face": 6, "rests": "flat"}] * 5
        first(told, "settled").update(wager="W9", winnings_cents=10**12)

    got = say("own_asia_poker", "a-clean-round", everything)
    assert {"wrong_deck_count", "wrong_number_of_dice", "wager_off_the_layout"} <= codes(got)


def test_a_face_that_no_die_has_is_refused_before_it_is_a_fact() -> None:
    thrown = fact("DiceThrown", 1, 0, dice="1,2,3")
    seven = replace(thrown, dice=(replace(thrown.dice[0], face=7), *thrown.dice[1:]))
    with pytest.raises(NotAFact, match="out_of_range"):
        frame(seven)


def test_a_missing_hop_group_makes_that_wager_unknown_and_no_other() -> None:
    """Of a whole day: ``tests/audit/test_hop_groups.py``; here of one round."""
    got = say("own_props_and_hops", "hop-top-not-filed")
    assert {name: one["outcome"] for name, one in got["wagers"].items()}["W1"] == "unknown"
