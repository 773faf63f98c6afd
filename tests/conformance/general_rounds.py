"""The rounds of cases of the general provisions: what a case leaves out of a round is in order."""

from __future__ import annotations

import re
from typing import Any, Final

from tests.conformance import redemption_rounds as rounds
from tests.conformance import words
from tests.conformance.keys import NotTranslatable
from tests.conformance.timeline import SETUP, Origin
from tests.conformance.walk import Told

Fact = dict[str, Any]
ENTRIES: Final = re.compile(r"enter|illuminat|lit|lights|display|malfunction|failed|device_")
FOOTBALL: Final = frozenset({"offered", "accepted", "selected", "markers", "announced"})
POKER: Final = frozenset(
    {
        "shuffled", "shaken", "uncovered", "rng_shown", "button", "button_placed", "start_found",
        "start_told", "dealt_first_card", "dealt_first_stack", "dealt_part", "dealt_to",
        "remaining_counted", "discarded",
    }
)  # fmt: skip
"""Facts of a round that only the vocabulary of the game's own file has."""


def whole(facts: list[Told], game: str) -> list[Told]:
    """The facts of a table, with the parts of each round that its own room needs.

    A round that is told in the words of the game's own file stays as it is told.
    """
    named = {one["fact"] for _, one in facts}
    if game == words.SIC_BO and not any(ENTRIES.search(str(name)) for name in named):
        return [each for origin, one in facts for each in _entered(origin, one)]
    if game == words.PROPS_AND_HOPS:
        shaken = ({**rounds.SHAKEN, **one} if one["fact"] == "shaken" else one for _, one in facts)
        return [(origin, one) for (origin, _), one in zip(facts, shaken, strict=True)]
    if game == words.THREE_DICE_FOOTBALL and not named & FOOTBALL:
        plainly = ((origin, _football(one)) for origin, one in facts)
        return list(rounds.football(plainly))
    if game == words.ASIA_POKER and not named & POKER and not _stacked(facts):
        return list(rounds.poker(_one_player(facts)))
    return facts


def _entered(origin: Origin, one: Fact) -> list[Told]:
    """A call, and the entry of its numbers, which the case leaves out."""
    if one["fact"] != "called":
        return [(origin, one)]
    lit = {"t": one["t"], "fact": "entered_and_illuminated", "dice": one.get("dice")}
    return [(origin, one), (SETUP, {**lit, **({"table": one["table"]} if "table" in one else {})})]


def _stacked(facts: list[Told]) -> bool:
    return any("stacks" in one for _, one in facts)


def _one_player(facts: list[Told]) -> list[Told]:
    """The facts of a round with one player, the dealer's own place by its word.

    Raises:
        NotTranslatable: several players' places are told, and not the whole round.
    """
    told = {str(one["position"]) for _, one in facts if one.get("position") is not None}
    places = told - {"1", "dealer"}
    if len(places) > 1:
        raise NotTranslatable(f"a round of the places {sorted(places)} is told in part")
    if not places:
        return facts
    return [
        (origin, {**one, "position": "dealer"} if str(one.get("position")) == "1" else one)
        for origin, one in facts
    ]


def _football(one: Fact) -> Fact:
    """The faces of a throw or a call by colour: two green, then the red."""
    said = dict(one)
    match one["fact"]:
        case "thrown" if "dice" in one:
            dice = [die if isinstance(die, dict) else {"face": die} for die in said.pop("dice")]
            up = _by_colour(dice)
            said |= {"green": [die.get("face") for die in up[:2]], "red": up[2].get("face")}
            said["rest"] = [die.get("rest", "flat") for die in up]
        case "thrown":
            said.setdefault("rest", ["flat", "flat", "flat"])
        case "called" if "dice" in one:
            up = said.pop("dice")
            said |= {"green": up[:2], "red": up[2]}
        case "no_roll" if "why" in one:
            said["reason"] = said.pop("why")
    return said


def _by_colour(dice: list[Fact]) -> list[Fact]:
    if len(dice) != 3:
        raise NotTranslatable(f"a throw of {len(dice)} dice")
    return sorted(dice, key=lambda die: die.get("colour") == "red")
