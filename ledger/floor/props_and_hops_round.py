"""One round of Props & Hops as this floor deals it, with its lawful irregularities.

Law: 58 Pa. Code §§ 668a.2, 668a.3(e)-(k).
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.floor.betting import Bet, Twist, settle, take_wagers
from ledger.floor.patron_habits import Patron
from ledger.floor.props_and_hops_carryover import Hand, hand_of
from ledger.floor.props_and_hops_payouts import DICE_COLOURS, SHAKE, box, due, winnings
from ledger.floor.table_state import Table

_SEVEN: Final = 7
_NO_ROLLS: Final = (
    (events.Rest.OUTSIDE_SHAKER, "die fell out"),
    (events.Rest.ON_A_DIE, "die on another die"),
    (events.Rest.ONE_SIDE_PROPPED, "die not flat"),
)


def play_props_and_hops(table: Table, twist: Twist | None) -> None:
    """Play one round: from the dealer's shake to the last wager settled."""
    hand = hand_of(table)
    if not hand.shaken:
        hand.dealer_shakes(table)
    hand.shaken = False
    bets = take_wagers(table, twist, hand.join)
    hand.lay_lammers(table)
    patron = hand.next_shooter(table)
    _offer(table, patron)
    _player_shakes(table, patron)
    if twist is Twist.LID_LIFTED:
        _lift_lid(table, patron)
    if twist is Twist.NO_ROLL:
        _no_roll(table, patron)
    faces = _throw(table, events.Rest.FLAT)
    table.sheet.append(
        events.RollCalled(
            **table.main.stamp(table.wait(1, 2), table.dealer), faces=faces, called_by=table.dealer
        )
    )
    results = [(bet, winnings(bet.area, bet.stake, faces)) for bet in bets]
    results += _sequence(table, hand, faces)
    settle(table, results)
    if not hand.shakes and hand.laid:
        hand.clear(table)


def _sequence(table: Table, hand: Hand, faces: tuple[int, int]) -> list[tuple[Bet, int]]:
    """What the roll does to the Six Eight Shake, and to the player's turn."""
    if sum(faces) == _SEVEN:
        hand.passing = True
        return [(bet, -1) for bet in hand.end_sequence()]
    if hand.collect(table, box(faces)):
        return [(bet, due((SHAKE, None), bet.stake)) for bet in hand.end_sequence()]
    return []


def _offer(table: Table, patron: Patron) -> None:
    table.sheet.append(
        events.ShakerOffered(
            **table.main.stamp(table.wait(1, 3), table.dealer),
            shaker=table.spec.shaker,
            position=patron.position,
            patron=patron.ref,
            offered_by=table.dealer,
        )
    )


def _player_shakes(table: Table, patron: Patron) -> None:
    table.sheet.append(
        events.PlayerShook(
            **table.sensor.stamp(table.wait(3, 6), None),
            shaker=table.spec.shaker,
            position=patron.position,
            patron=patron.ref,
            shakes=3 + int(table.rng.random() * 4),
            covered=True,
        )
    )


def _cover(table: Table) -> None:
    table.sheet.append(
        events.ShakerCovered(**table.sensor.stamp(table.wait(1, 2), None), shaker=table.spec.shaker)
    )


def _lift_lid(table: Table, patron: Patron) -> None:
    """The player takes off the lid: the shaker is covered and shaken again."""
    table.sheet.append(
        events.LidLiftedByPlayer(
            **table.main.stamp(table.wait(1, 2), table.dealer),
            shaker=table.spec.shaker,
            position=patron.position,
            patron=patron.ref,
            faces=None,
        )
    )
    _cover(table)
    _player_shakes(table, patron)


def _no_roll(table: Table, patron: Patron) -> None:
    """A roll that does not count: the dealer says so, and the same player shakes again."""
    rest, reason = _NO_ROLLS[int(table.rng.random() * len(_NO_ROLLS))]
    _throw(table, rest)
    table.sheet.append(
        events.NoRollCalled(
            **table.main.stamp(table.wait(1, 2), table.dealer),
            reason=reason,
            called_by=table.dealer,
        )
    )
    _cover(table)
    _player_shakes(table, patron)


def _throw(table: Table, rest: events.Rest) -> tuple[int, int]:
    """The dealer takes off the lid; at most the second die does not lie flat."""
    assert table.dice is not None, "a table opens with dice"
    table.sheet.append(
        events.ShakerUncovered(
            **table.sensor.stamp(table.wait(2, 4), None), shaker=table.spec.shaker
        )
    )
    faces = (1 + int(table.rng.random() * 6), 1 + int(table.rng.random() * 6))
    lying = zip(table.dice.serials, DICE_COLOURS, faces, (events.Rest.FLAT, rest), strict=True)
    table.sheet.append(
        events.DiceThrown(
            **table.sensor.stamp(table.wait(0.3, 0.8), None),
            dice=tuple(
                events.Die(serial=s, colour=c, face=face, rest=how) for s, c, face, how in lying
            ),
            thrown_by=table.dealer,
        )
    )
    return faces
