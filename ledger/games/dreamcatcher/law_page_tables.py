"""What the printed law shows of the wheel: the multipliers, its checks, its sections.

Law: §§ 689.1(a)-(e), 689.3(b), (c).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.games.dreamcatcher.equipment import WHEEL_CHECKS
from ledger.games.dreamcatcher.house_advantage_by_reading import ANSWERS
from ledger.games.dreamcatcher.terms import LAW, ORDER
from ledger.games.dreamcatcher.wagers import MULTIPLIERS
from ledger.games.law_page_tables import TABLE, PrintedRow
from ledger.games.room import Printed, Room


def wheel(room: Room) -> Iterator[PrintedRow]:
    """Yield the multipliers, and what the wheel must be; a check replaces its duty."""
    for row in MULTIPLIERS:
        says = f"{row.symbol} decides no wager; it multiplies the odds by {row.factor}."
        yield PrintedRow(table="multiplier", says=says, cite=row.cite, reading=row.reading)
    for check in WHEEL_CHECKS:
        duty = room.duty_by_name[check.duty]
        says = f"Required: {check.required}."
        yield PrintedRow(
            table="check", says=says, cite=duty.cite, code=duty.code, severity=duty.severity
        )
    says = f"The {len(ORDER)} sections, clockwise: {', '.join(ORDER)}."
    yield PrintedRow(table=TABLE, says=says, cite=LAW[".1(b)"])


PRINTED: Final = Printed(
    tables=wheel, in_place_of=frozenset(check.duty for check in WHEEL_CHECKS), answers=ANSWERS
)
