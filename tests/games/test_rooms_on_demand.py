"""Rooms are loaded when they are asked for, and no text asks for anything else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ledger.games import BY_GAME, BY_KEY, ROOMS, bounds_supervision
from ledger.law import CHAPTERS

LOADED = """
import sys
from ledger.games import BY_GAME
BY_GAME["Props & Hops"]
print(*sorted({name.split(".")[2] for name in sys.modules if name.startswith("ledger.games.") and name.count(".") > 2}))
"""


def test_who_asks_for_one_game_loads_that_room() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["props_and_hops"]


def test_both_names_of_a_room_lead_to_it_in_the_order_of_the_law() -> None:
    assert [BY_GAME[room.game] for room in ROOMS] == [BY_KEY[room.key] for room in ROOMS]
    assert list(BY_KEY) == [room.key for room in BY_GAME.values()]
    chapters = [CHAPTERS.index(room.law) for room in ROOMS]
    assert chapters == sorted(chapters)
    assert len(BY_GAME) == len(BY_KEY) == len(ROOMS) == 5


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "text",
    ["", "sic_bo", "SIC BO", "Sic  Bo", "Sic Bo ", "Props and Hops", "dice", "match_play", "Match Play",
     "../sic_bo", "room", "__init__", "Sic\0Bo", "Sic\nBo"],
)  # fmt: skip
def test_no_other_text_names_a_game(text: str) -> None:
    assert text not in BY_GAME
    assert BY_GAME.get(text) is None


@pytest.mark.parametrize(
    "text", ["", "Sic Bo", "SIC_BO", "match_play", "dice", "../sic_bo", "sic_bo.terms"]
)
def test_no_other_text_is_a_key(text: str) -> None:
    assert text not in BY_KEY


def test_the_rooms_that_bound_supervision_are_those_with_a_module_for_it() -> None:
    bounding = [room.game for room in ROOMS if bounds_supervision(room.game)]
    assert bounding == [room.game for room in ROOMS if room.over_ratio is not None]
    assert bounding == ["Three Dice Football"]  # § 577.9(c)
    assert not bounds_supervision("Craps")
