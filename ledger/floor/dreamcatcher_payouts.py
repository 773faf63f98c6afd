"""The Dreamcatcher wheel and what it pays, as this floor's dealers learned it.

Typed from the wheel's rim and the layout, apart from the rules engine.
Law: 58 Pa. Code §§ 689.1(a), (b), 689.3.
"""

from __future__ import annotations

from typing import Final

from ledger.floor.sic_bo_payouts import Area

NAME: Final = "Dreamcatcher"
WAGERS: Final = ("1", "2", "5", "10", "20", "40")

# fmt: off
RIM: Final[tuple[str, ...]] = (      # clockwise
    "7x", "2", "1", "5", "1", "2", "5", "1", "2", "10", "1", "2", "1", "20", "1", "2", "1", "2",
    "1", "5", "1", "2", "10", "1", "5", "1", "2", "2x", "1", "5", "1", "40", "2", "1", "2", "1",
    "10", "2", "1", "5", "1", "2", "1", "5", "2", "1", "20", "1", "2", "1", "10", "1", "2", "1",
)
# fmt: on
LEAST: Final = {"1": 1, "2": 2, "5": 5, "10": 10, "20": 20, "40": 40}
"""Each to 1; what this property filed, too."""

TIMES: Final = {"2x": 2, "7x": 7}
MULTIPLIERS: Final = tuple(index for index, symbol in enumerate(RIM) if symbol in TIMES)

EVEN: Final[tuple[Area, ...]] = (("1", ()), ("2", ()))
MIDDLE: Final[tuple[Area, ...]] = (("2", ()), ("5", ()), ("10", ()))
LONG: Final[tuple[Area, ...]] = (("20", ()), ("40", ()))
