"""What the printed law shows of the hands: how they rank, and the paytables by name.

Law: §§ 575.6(b), 575.12(b).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.games.asia_poker.bonus_count import recount
from ledger.games.asia_poker.house_advantage_by_reading import ANSWERS
from ledger.games.asia_poker.terms import BONUS, LAW, RANKINGS
from ledger.games.asia_poker.wagers import PAYOUTS, PAYTABLES, BonusHand
from ledger.games.law_page_tables import TABLE, PrintedRow
from ledger.games.room import Printed, Room
from ledger.kernel import Odds


def hands(_room: Room) -> Iterator[PrintedRow]:
    """Yield how high hands rank, and where paytables B and C differ from A."""
    below = [*(row.name for row in RANKINGS[1:]), "no hand"]
    for row, lower in zip(RANKINGS, below, strict=True):
        says = f"{row.name[0].upper()}{row.name[1:]}: ranks above {lower}."
        yield PrintedRow(table="ranking", says=says, cite=row.cite, reading=row.reading)
    for name, changes in PAYTABLES.items():
        differs = ", ".join(f"{hand.value} {odds}" for hand, odds in changes.items())
        says = f"Paytable {name}: {differs or 'the odds of the rows'}."
        yield PrintedRow(table=TABLE, says=says, cite=LAW[".12(b)"])


def paytable(name: str) -> dict[tuple[str, str | None], Odds]:
    """Return a paytable of the chapter, "A", "B" or "C", by wager and line."""
    listed = {row.filed_as: row.pays for row in PAYOUTS if row.filed_as is not None}
    changes = PAYTABLES[name]
    return {(BONUS, line): changes.get(BonusHand(line), pays) for line, pays in listed.items()}


PRINTED: Final = Printed(
    tables=hands,
    answers=ANSWERS,
    paytables={name: paytable(name) for name in PAYTABLES},
    recount=recount,
)
