"""Exact odds: 216 throws, and every game by a count of its own that knows nothing of the room's field."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from ledger.games.football_field import FieldShown, play_of, reachable, throws
from ledger.games.room import verdict
from ledger.games.three_dice_football import ROOM
from ledger.games.three_dice_football.wagers import FULL_GAME, SINGLE_PLAY
from ledger.reports.law.odds import odds_of
from tests.games.facts import rules_of

PUBLISHED = {
    "Trips TD": Fraction(5, 36),
    "Penalty": Fraction(2, 27),
    "Turnover": Fraction(11, 72),
    "Cover Three": Fraction(1, 27),
    "No Gain": Fraction(1, 36),
    "Big Play": Fraction(11, 216),
    "Over Four Yards": Fraction(5, 108),
    "Under Four Yards": Fraction(1, 36),
}
WINS = {
    "Trips TD": 6, "Penalty": 20, "Turnover": 3, "Cover Three": 26,
    "No Gain": 35, "Big Play": 41, "Over Four Yards": 85, "Under Four Yards": 105,
}  # fmt: skip
"""Of 216 throws, counted by hand from the text."""


def edges() -> dict[tuple[str, tuple[int, ...]], Fraction]:
    return {(row.wager, row.pick): row.house_edge for row in odds_of(ROOM)}


def test_single_play_edges_are_the_published_ones() -> None:
    assert {name: edges()[name, ()] for name in SINGLE_PLAY} == PUBLISHED


@pytest.mark.row_by_row
@pytest.mark.parametrize("wager", sorted(WINS))
def test_each_single_play_wager_wins_on_so_many_of_216_throws(wager: str) -> None:
    rules = rules_of(ROOM)
    shown = [FieldShown(play=play_of(throw)) for throw in throws()]
    assert len(shown) == 216
    verdicts = [verdict(rules, wager, (), each) for each in shown]
    assert sum(1 for each in verdicts if each is not None and each.won) == WINS[wager]


@cache
def ends(yard: int, down: int, goal: bool, play: int) -> dict[tuple[str, int], Fraction]:
    """How games end from here, by number of throws: counted throw by throw, by the text."""
    found: dict[tuple[str, int], Fraction] = {}

    def add(more: dict[tuple[str, int], Fraction]) -> None:
        for key, chance in more.items():
            found[key] = found.get(key, Fraction(0)) + chance / 216

    for a, b, red in product(range(1, 7), repeat=3):
        if a == b == red:
            add({("trips", play): Fraction(1)})
        elif red == 6 and a + b < 4:
            add({("turnover", play): Fraction(1)})
        else:
            to = yard + 1 if a + b < red else yard - (a + b - red)
            if to <= 0:
                add({("touchdown", play): Fraction(1)})
            elif not goal and to <= 10:
                add(ends(to, 1, True, play + 1))
            elif down == 3:
                add({("downs", play): Fraction(1)})
            else:
                add(ends(to, down + 1, goal, play + 1))
    return found


def test_full_game_edges_are_those_of_the_chain() -> None:
    games = ends(20, 1, False, 1)
    assert sum(games.values()) == 1
    scored = sum(p for (end, _), p in games.items() if end in ("trips", "touchdown"))
    quick = {n: games.get(("trips", n), 0) + games.get(("touchdown", n), 0) for n in range(1, 5)}
    lasts = {n: sum(p for (_, plays), p in games.items() if plays == n) for n in range(1, 7)}
    changed = sum(p for (end, _), p in games.items() if end in ("trips", "turnover"))
    extra = Fraction(75 * 2 + 15 * 11 + 1 * 51 + 5 * 11, 216)
    returns = {
        ("Touchdown", ()): 2 * scored,
        ("Defense", ()): Fraction(9, 5) * (1 - scored),
        ("Extra Point", ()): scored * extra,
        ("Quick Strike TD", ()): 9 * quick[1] + 6 * quick[2] + 4 * quick[3] + 2 * quick[4],
        ("Game Changer", ()): 6 * changed,
        ("Game Length", (1,)): 23 * lasts[1],
        ("Game Length", (2,)): 23 * lasts[2],
        ("Game Length", (3,)): Fraction(11, 5) * lasts[3],
        ("Game Length", (4,)): 6 * lasts[4],
        ("Game Length", (5,)): 4 * lasts[5],
        ("Game Length", (6,)): 7 * lasts[6],
    }
    assert {key: 1 - edge for key, edge in edges().items() if key[0] in FULL_GAME} == returns


def test_every_edge_is_the_house_s() -> None:
    assert min(edges().values()) > 0


def test_markers_lie_only_where_the_layout_has_a_yard() -> None:
    assert {spot.yard for spot in reachable()} == set(
        range(1, 23)
    )  # a third penalty, to 23, ends the game
    assert max(spot.play for spot in reachable()) == 6
