"""The names of wagers and lines of the paytable of Three Dice Football, in any of their spellings."""

from __future__ import annotations

import re
from typing import Final

from tests.conformance.keys import plain

Line = tuple[str, str | None]

ODDS: Final[dict[Line, str]] = {
    ("Touchdown", None): "1:1",
    ("Defense", None): "4:5",
    ("Extra Point", "one 1"): "1:1",
    ("Extra Point", "two 1s"): "10:1",
    ("Extra Point", "three 1s"): "50:1",
    ("Extra Point", "other triple"): "10:1",
    **{("Quick Strike TD", str(n)): f"{odds}:1" for n, odds in enumerate((8, 5, 3, 1), 1)},
    ("Game Changer", None): "5:1",
    ("Game Length", "1"): "22:1",
    ("Game Length", "2"): "22:1",
    ("Game Length", "3"): "6:5",
    ("Game Length", "4"): "5:1",
    ("Game Length", "5"): "3:1",
    ("Game Length", "6"): "6:1",
    ("Trips TD", None): "30:1",
    ("Penalty", None): "9:1",
    ("Turnover", None): "60:1",
    ("Cover Three", None): "7:1",
    ("No Gain", None): "5:1",
    ("Big Play", None): "4:1",
    ("Over Four Yards", None): "1:1",
    ("Over Four Yards", "Trips TD"): "7:1",
    ("Under Four Yards", None): "1:1",
}
"""Typed from the list of the regulation, not taken from the rules engine."""
WAGERS: Final = tuple(dict.fromkeys(wager for wager, _ in ODDS))
_ALSO: Final = {
    "game_change": "Game Changer",
    "over_4_yards": "Over Four Yards",
    "under_4_yards": "Under Four Yards",
    "over_4": "Over Four Yards",
    "under_4": "Under Four Yards",
    "over_four": "Over Four Yards",
    "under_four": "Under Four Yards",
    "quick_strike": "Quick Strike TD",
    "quick_strike_touchdown": "Quick Strike TD",
    "trips": "Trips TD",
    "trips_touchdown": "Trips TD",
    "cover_3": "Cover Three",
}
_NAMES: Final = {plain(name): name for name in WAGERS} | _ALSO
_NUMBERS: Final = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}

_GROUNDS: Final = (
    (r"cheat|crooked|fixed", "cheating"),
    (r"\bbank\b", "die on the bank"),
    (r"\bcup\b", "die in the dice cup"),
    (r"\brails?\b", "die on a rail"),
    (r"\bend\b|farthest|(not|fail\w*( to)?|never) str(ike|uck)", "far end not struck"),
    (r"simultaneous|together|at once", "dice not released together"),
    (r"improper", "improper throw"),
)


def ground(reason: str | None) -> str | None:
    """One of the six grounds of § 577.5(c) in the words of the facts; other words stay."""
    said = (reason or "").lower()
    return next((name for pattern, name in _GROUNDS if re.search(pattern, said)), reason)


def kind(name: str) -> str:
    """The chapter's name of a wager; a name that it does not have stays as it is."""
    return _NAMES.get(re.sub(r"_(wagers?|bets?)$", "", plain(name)), name)


def lines(name: str) -> list[Line]:
    """The lines of the paytable that a name stands for: a wager alone is all of its lines."""
    words = plain(name)
    found = max((one for one in _NAMES if f"{words}_".startswith(f"{one}_")), key=len, default=None)
    if found is None:
        return [(name, None)]
    wager = _NAMES[found]
    on = _on(wager, re.sub(r"^_?(wager)?_?", "", words[len(found) :]))
    return [key for key in ODDS if key == (wager, on)] or [key for key in ODDS if key[0] == wager]


def _on(wager: str, rest: str) -> str | None:
    if wager == "Extra Point" and rest:
        if "other" in rest:
            return "other triple"
        if "triple" in rest or "three" in rest or rest.startswith("3_"):
            return "three 1s"
        return "two 1s" if "two" in rest or rest.startswith("2_") else "one 1"
    if wager == "Over Four Yards":
        return "Trips TD" if "trips" in rest else None
    numbers = [_NUMBERS.get(word, word) for word in rest.split("_")]
    return next((number for number in numbers if number.isdigit()), None)


def game(said: str) -> str:
    """The game of a table that a floorperson has too: "another Three Dice Football table"."""
    if "three dice football" in said.lower() or re.match(r"FB-\d", said):
        return "Three Dice Football"
    return re.sub(r"^(an?|one|another)\s+|\s+table$", "", said.strip(), flags=re.IGNORECASE)
