"""What a caller asks to have planted, and what the truth says about it afterwards."""

from __future__ import annotations

from typing import TypedDict

from ledger.floor.coupon_kinds import COUPON_KINDS
from ledger.floor.plant_kinds import KINDS
from ledger.floor.tables import TABLE_NAMES
from ledger.kernel import UsageError
from ledger.kernel.quick_dataclass import dataclass

MOST: int = 1_000
"""As many of a kind can be asked for."""


@dataclass(frozen=True, slots=True)
class Plant:
    """A kind of irregularity, how often, and at which table (None: the seed chooses)."""

    kind: str
    count: int = 1
    table: str | None = None

    @classmethod
    def parse(cls, text: str) -> Plant:
        """Read ``KIND``, ``KIND:N``, ``KIND@TABLE`` or ``KIND:N@TABLE``.

        Raises:
            UsageError: it is none of these, or names what does not exist.
        """
        front, at, table = text.partition("@")
        name, colon, number = front.partition(":")
        if name not in KINDS and name not in COUPON_KINDS:
            raise UsageError(
                f"no such kind of plant: {name!r}",
                next_step=f"one of {', '.join((*KINDS, *COUPON_KINDS))}",
            )
        if colon and not (number.isascii() and number.isdigit() and 1 <= int(number) <= MOST):
            raise UsageError(
                f"how many of {name!r}? a number from 1 to {MOST} stands after the colon"
            )
        if at and table not in TABLE_NAMES:
            raise UsageError(
                f"no such table: {table!r}", next_step=f"one of {', '.join(TABLE_NAMES)}"
            )
        return cls(name, int(number) if colon else 1, table if at else None)


class TruthRow(TypedDict, total=False):
    """One finding that a perfect auditor reports because of a plant.

    ``round`` is the stream and number of the round's betting-opened fact; ``unknown_rounds`` stand
    beside a gap or a conflict. Where ``detectable`` is false, ``why`` says what hides it.
    ``serials`` are the coupons that an irregularity of coupons is about.
    """

    kind: str
    gaming_day: str
    round: str | None
    stream: str
    seq: list[int]
    code: str
    cite: str
    detectable: bool
    why: str | None
    unknown_rounds: list[str]
    serials: list[str]
