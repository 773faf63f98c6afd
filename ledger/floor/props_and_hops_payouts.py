"""What a roll of Props & Hops wins, as this floor's dealers learned it.

Typed from the layout on the table, apart from the rules engine. Law: 58 Pa. Code §§ 668a.2, 668a.4.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from ledger.floor.sic_bo_payouts import Area

NAME: Final = "Props & Hops"
DOUBLE: Final = "Double"
ANY_NUMBER: Final = "Any Number"
FIELD: Final = "Field"
TOP: Final = "Hop the Top"
LEFT: Final = "Hop the Left"
RIGHT: Final = "Hop the Right"
CENTER: Final = "Hop the Center"
UNDER: Final = "1-6 and Under"
OVER: Final = "3-4 and Over"
SHAKE: Final = "Six Eight Shake"

WAGERS: Final = (DOUBLE, ANY_NUMBER, FIELD, TOP, LEFT, RIGHT, CENTER, UNDER, OVER, SHAKE)
DICE_COLOURS: Final = ("red", "red")
LAMMERS: Final = ("1-5", "2-4", "3-3", "2-6", "3-5", "4-4")
FIELD_NUMBERS: Final = (2, 3, 4, 9, 10, 11, 12)
ENDS: Final = "2 or 12"
MIDDLE_FIELD: Final = "3, 4, 9, 10 or 11"

# fmt: off
ODDS: Final[dict[tuple[str, str | None], tuple[int, int]]] = {     # exactly these
    (DOUBLE, None): (30, 1), (ANY_NUMBER, None): (15, 1),
    (FIELD, ENDS): (2, 1), (FIELD, MIDDLE_FIELD): (1, 1),
    (TOP, None): (3, 2), (LEFT, None): (2, 1), (RIGHT, None): (2, 1), (CENTER, None): (3, 2),
    (UNDER, None): (1, 1), (OVER, None): (1, 1), (SHAKE, None): (150, 1),
}
HOPS: Final = {      # where the combinations lie on this property's layout
    TOP: ("1-1", "1-2", "1-6", "2-5", "3-4", "5-6", "6-6"),     # 12 of the 36 ways
    LEFT: ("1-3", "1-4", "1-5", "2-2", "2-3"),                  # 9
    RIGHT: ("2-6", "3-6", "4-5", "4-6", "5-5"),                 # 9
    CENTER: ("1-5", "2-4", "2-6", "3-3", "3-5", "4-4"),         # 10
}
# fmt: on


def box(faces: tuple[int, int]) -> str:
    """A combination as the layout shows it, the smaller number first."""
    return f"{min(faces)}-{max(faces)}"


def row_won(area: Area, faces: tuple[int, int]) -> tuple[str, str | None] | None:
    """The row of the paytable by which an area is paid on one roll; None: it loses."""
    wager, picks = area
    total = sum(faces)
    match wager:
        case "Double" | "Any Number":
            wins = picks == tuple(sorted(faces))
        case "Field":
            if total not in FIELD_NUMBERS:
                return None
            return FIELD, ENDS if total in (2, 12) else MIDDLE_FIELD
        case "1-6 and Under":
            wins = total < 7 or box(faces) == "1-6"
        case "3-4 and Over":
            wins = total > 7 or box(faces) == "3-4"
        case _:
            wins = box(faces) in HOPS[wager]
    return (wager, None) if wins else None


def winnings(area: Area, stake: int, faces: tuple[int, int]) -> int:
    """What an area wins on one roll, in cents; -1 when it loses.

    Args:
        area: on the layout.
        stake: in cents.
        faces: of the two dice.
    """
    row = row_won(area, faces)
    return -1 if row is None else due(row, stake)


def due(row: tuple[str, str | None], stake: int) -> int:
    """What a row of the paytable pays on a stake, in cents: stakes leave no fraction."""
    pays, on = ODDS[row]
    cents, left = divmod(stake * pays, on)
    assert left == 0, "every stake is a multiple of the smallest chip"
    return cents


EVEN: Final[tuple[Area, ...]] = ((UNDER, ()), (OVER, ()), (FIELD, ()))
MIDDLE: Final[tuple[Area, ...]] = ((TOP, ()), (LEFT, ()), (RIGHT, ()))
LONG: Final[tuple[Area, ...]] = (  # and the center, which hardly anybody minds
    (CENTER, ()),
    *((DOUBLE, (face, face)) for face in range(1, 7)),
    *((ANY_NUMBER, pair) for pair in combinations(range(1, 7), 2)),
)
