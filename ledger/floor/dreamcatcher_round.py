"""One round of Dreamcatcher as this floor deals it, with void spins and multipliers.

Law: 58 Pa. Code §§ 689.2, 689.3.
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.floor.betting import Bet, Twist, settle, take_wagers
from ledger.floor.dreamcatcher_payouts import LEAST, MULTIPLIERS, RIM, TIMES
from ledger.floor.table_state import Table

_DIRECTIONS: Final = (events.Direction.CLOCKWISE, events.Direction.COUNTERCLOCKWISE)


def play_dreamcatcher(table: Table, twist: Twist | None) -> None:
    """Play one round: from the opening of the betting to the last wager settled."""
    bets = take_wagers(table, twist)
    rng = table.rng
    if twist is Twist.BETWEEN or twist is Twist.SHORT:
        _void_spin(table, twist)
    forced = 2 if twist is Twist.STACKED else 0
    factor = 1
    while True:
        if forced:
            section = MULTIPLIERS[int(rng.random() * 2)]
            forced -= 1
        else:
            section = int(rng.random() * 54)
        symbol = RIM[section]
        _spin(table, section, 3_100 + int(rng.random() * 4_000))
        table.sheet.append(
            events.SpinCalled(
                **table.main.stamp(table.wait(1, 2), table.dealer),
                result=symbol,
                called_by=table.dealer,
            )
        )
        if symbol not in TIMES:
            break
        factor *= TIMES[symbol]
    odds = LEAST[symbol] * factor
    limit = table.spec.payout_limit
    results: list[tuple[Bet, int]] = []
    for bet in bets:
        winnings = bet.stake * odds if bet.area[0] == symbol else -1
        results.append((bet, winnings if limit is None else min(winnings, limit)))
    settle(table, results)


def _spin(
    table: Table, section: int | None, revolutions: int, between: tuple[int, int] | None = None
) -> None:
    """The wheel is spun by the dealer and comes to rest."""
    started = table.wait(2, 4)
    rest = (section,) if section is not None else between or ()
    table.sheet.append(
        events.WheelSpun(
            **table.sensor.stamp(table.wait(11, 17), None),
            started_time=started,
            direction=_DIRECTIONS[int(table.rng.random() * 2)],
            revolutions_thousandths=revolutions,
            clapper=events.Clapper.IN_SECTION
            if section is not None
            else events.Clapper.BETWEEN_SECTIONS,
            section=section,
            between=between,
            symbols=tuple(RIM[index] for index in rest),
            spun_by=table.dealer,
            role=events.Role.DEALER,
        )
    )


def _void_spin(table: Table, twist: Twist) -> None:
    """A spin that does not count, and the dealer says so."""
    rng = table.rng
    section = int(rng.random() * 54)
    if twist is Twist.BETWEEN:
        _spin(table, None, 3_100 + int(rng.random() * 4_000), (section, (section + 1) % 54))
        reason = "the clapper rests between two sections"
    else:
        _spin(table, section, 1_200 + int(rng.random() * 1_600))
        reason = "fewer than three revolutions"
    table.sheet.append(
        events.SpinVoided(
            **table.main.stamp(table.wait(1, 3), table.dealer),
            reason=reason,
            called_by=table.dealer,
        )
    )
