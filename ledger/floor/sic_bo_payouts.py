"""What a Sic Bo roll wins, as this floor's dealers learned it.

Typed from the layout on the table, apart from the rules engine, so that one wrong row cannot pass
twice. Law: 58 Pa. Code §§ 539.3, 539.6(b), (c).
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import Final

Area = tuple[str, tuple[int, ...]]
"""A place on a layout: the wager's name and its picks."""

NAME: Final = "Sic Bo"
THREE: Final = "Three of a Kind"
TWO: Final = "Two of a Kind"
ANY_THREE: Final = "Any Three of a Kind"
TOTAL: Final = "Total Value Bet"
COMBINATION: Final = "Two Dice Combination"
SMALL: Final = "Small Bet"
BIG: Final = "Big Bet"
ONE: Final = "One of a Kind"

WAGERS: Final = (THREE, TWO, ANY_THREE, TOTAL, COMBINATION, SMALL, BIG, ONE)
FACES: Final = (1, 2, 3, 4, 5, 6)
TOTALS: Final = tuple(range(4, 18))

# fmt: off
LEAST: Final[dict[tuple[str, str | None], int]] = {     # "no less than", each to 1
    (THREE, None): 150, (TWO, None): 8, (ANY_THREE, None): 24,
    (TOTAL, "4"): 50, (TOTAL, "5"): 18, (TOTAL, "6"): 14, (TOTAL, "7"): 12, (TOTAL, "8"): 8,
    (TOTAL, "9"): 6, (TOTAL, "10"): 6, (TOTAL, "11"): 6, (TOTAL, "12"): 6, (TOTAL, "13"): 8,
    (TOTAL, "14"): 12, (TOTAL, "15"): 14, (TOTAL, "16"): 18, (TOTAL, "17"): 50,
    (COMBINATION, None): 5, (SMALL, None): 1, (BIG, None): 1,
    (ONE, "1"): 1, (ONE, "2"): 2, (ONE, "3"): 3,         # fixed, neither less nor more
}
FILED: Final[dict[tuple[str, str | None], int]] = LEAST | {    # what this property filed above the list
    (THREE, None): 180, (ANY_THREE, None): 30, (TOTAL, "4"): 60, (TOTAL, "17"): 60,
}
BELOW: Final[dict[tuple[str, str | None], int]] = {     # what a planted filing pays, below the list
    (TOTAL, "4"): 45, (TOTAL, "17"): 45, (THREE, None): 140, (ANY_THREE, None): 20,
}
# fmt: on


def row_of(area: Area, faces: tuple[int, ...]) -> tuple[str, str | None]:
    """The row of the paytable by which a winning area is paid on these faces."""
    wager, picks = area
    if wager == TOTAL:
        return wager, str(picks[0])
    if wager == ONE:
        return wager, str(faces.count(picks[0]))
    return wager, None


def _areas_won(faces: tuple[int, ...]) -> list[Area]:
    """Areas that win on three faces, in the order of § 539.3."""
    won: list[Area] = []
    triple = faces[0] == faces[2]
    total = sum(faces)
    if triple:
        won.append((THREE, (faces[0],)))
    won += [(TWO, (face,)) for face in FACES if faces.count(face) >= 2]
    if triple:
        won.append((ANY_THREE, ()))
    if total in TOTALS:
        won.append((TOTAL, (total,)))
    won += [(COMBINATION, pair) for pair in combinations(FACES, 2) if set(pair) <= set(faces)]
    if not triple and 4 <= total <= 10:
        won.append((SMALL, ()))
    if not triple and 11 <= total <= 17:
        won.append((BIG, ()))
    won += [(ONE, (face,)) for face in FACES if face in faces]
    return won


def area_name(area: Area) -> str:
    """An area as the electrical device names it: ``Two Dice Combination 3 5``."""
    wager, picks = area
    return " ".join((wager, *map(str, picks)))


_ROLLS: Final = tuple(combinations_with_replacement(FACES, 3))

PAYS: Final[dict[tuple[int, ...], dict[Area, int]]] = {
    faces: {area: FILED[row_of(area, faces)] for area in _areas_won(faces)} for faces in _ROLLS
}
"""Odds to 1 by faces in rising order, then by area; an area that is absent loses."""

LIT: Final[dict[tuple[int, ...], tuple[str, ...]]] = {
    faces: tuple(area_name(area) for area in _areas_won(faces)) for faces in _ROLLS
}
"""What the electrical device lights, by faces in rising order."""

EVEN: Final[tuple[Area, ...]] = ((SMALL, ()), (BIG, ()))
MIDDLE: Final[tuple[Area, ...]] = (
    *((ONE, (face,)) for face in FACES),
    *((COMBINATION, pair) for pair in combinations(FACES, 2)),
    *((TOTAL, (total,)) for total in range(7, 15)),
    *((TWO, (face,)) for face in FACES),
)
LONG: Final[tuple[Area, ...]] = (
    (ANY_THREE, ()),
    *((TOTAL, (total,)) for total in (4, 5, 6, 15, 16, 17)),
    *((THREE, (face,)) for face in FACES),
)
