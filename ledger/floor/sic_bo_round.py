"""One round of Sic Bo as this floor deals it, with its lawful irregularities.

Law: 58 Pa. Code §§ 539.5(b)-(f), 539.7.
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.floor.betting import Bet, Twist, hand_back, settle, take_wagers
from ledger.floor.sic_bo_payouts import LIT, PAYS
from ledger.floor.table_state import Table

_COLOURS: Final = ("red", "white", "blue")
_NOT_FLAT: Final = (
    events.Rest.ONE_SIDE_PROPPED,
    events.Rest.TWO_SIDES_PROPPED,
    events.Rest.ON_A_DIE,
)


def play_sic_bo(table: Table, twist: Twist | None) -> None:
    """Play one round: from the opening of the betting to the lights cleared."""
    bets = take_wagers(table, twist)
    _shake(table)
    if twist is Twist.SHAKER_FAILS and table.spec.automated:
        _void(table, bets)
        return
    rest = _NOT_FLAT[int(table.rng.random() * 3)] if twist is Twist.NO_ROLL else events.Rest.FLAT
    faces = _throw(table, rest)
    if rest is not events.Rest.FLAT:
        table.sheet.append(
            events.NoRollCalled(
                **table.main.stamp(table.wait(1, 2), table.dealer),
                reason="a die is not flat on the bottom of the shaker",
                called_by=table.dealer,
            )
        )
        hand_back(table, bets)
        return
    table.sheet.append(
        events.RollCalled(
            **table.main.stamp(table.wait(1, 2), table.dealer), faces=faces, called_by=table.dealer
        )
    )
    pays = PAYS[tuple(sorted(faces))]
    results = [(bet, bet.stake * pays.get(bet.area, -1)) for bet in bets]
    if twist is Twist.DEVICE_FAILS:
        _settle_without_lights(table, results)
        return
    table.sheet.append(
        events.ValuesEntered(
            **table.main.stamp(table.wait(1, 2.5), table.dealer),
            faces=faces,
            entered_by=table.dealer,
        )
    )
    table.sheet.append(
        events.AreasLit(
            **table.main.stamp(table.wait(0.2, 0.4), None), areas=LIT[tuple(sorted(faces))]
        )
    )
    settle(table, results)
    table.sheet.append(events.LightsCleared(**table.main.stamp(table.wait(1, 2), table.dealer)))


def _shake(table: Table) -> None:
    """Cover and shake a manual shaker and uncover it, or start the automated one."""
    shaker = table.spec.shaker
    automated = table.spec.automated
    if not automated:
        table.sheet.append(
            events.ShakerCovered(**table.sensor.stamp(table.wait(1, 2), None), shaker=shaker)
        )
    table.sheet.append(
        events.DiceShaken(
            **table.sensor.stamp(table.wait(2, 4), None),
            shaker=shaker,
            kind=events.ShakerKind.AUTOMATED if automated else events.ShakerKind.MANUAL,
            shakes=None if automated else 3 + int(table.rng.random() * 3),
            shaken_by=table.dealer,
            role=events.Role.DEALER,
        )
    )
    if not automated:
        table.sheet.append(
            events.ShakerUncovered(**table.sensor.stamp(table.wait(1, 2), None), shaker=shaker)
        )


def _throw(table: Table, rest: events.Rest) -> tuple[int, int, int]:
    """The dice come to rest; at most the last of them not flat."""
    assert table.dice is not None, "a table opens with dice"
    rng = table.rng
    faces = (1 + int(rng.random() * 6), 1 + int(rng.random() * 6), 1 + int(rng.random() * 6))
    red, white, blue = table.dice.serials
    table.sheet.append(
        events.DiceThrown(
            **table.sensor.stamp(table.wait(0.3, 0.8), None),
            dice=(
                events.Die(serial=red, colour=_COLOURS[0], face=faces[0], rest=events.Rest.FLAT),
                events.Die(serial=white, colour=_COLOURS[1], face=faces[1], rest=events.Rest.FLAT),
                events.Die(serial=blue, colour=_COLOURS[2], face=faces[2], rest=rest),
            ),
            thrown_by=table.dealer,
        )
    )
    return faces


def _settle_without_lights(table: Table, results: list[tuple[Bet, int]]) -> None:
    """The device fails: settle before the floorperson, then play stops until it is fixed."""
    device = table.spec.device
    table.sheet.append(
        events.DeviceFailed(
            **table.main.stamp(table.wait(1, 3), table.dealer),
            device=events.Device.ELECTRICAL_DEVICE,
            device_id=device,
            fault="no area lights up",
        )
    )
    table.sheet.append(
        events.SupervisorPresent(
            **table.main.stamp(table.wait(30, 90), table.dealer),
            role=events.Role.FLOORPERSON,
            person=table.floorperson,
        )
    )
    settle(table, results)
    table.sheet.append(
        events.DeviceFixed(
            **table.main.stamp(table.wait(200, 500), table.floorperson),
            device=events.Device.ELECTRICAL_DEVICE,
            device_id=device,
        )
    )


def _void(table: Table, bets: list[Bet]) -> None:
    """The automated shaker fails: the round is void, wagers go back, the shaker is fixed."""
    shaker = table.spec.shaker
    table.sheet.append(
        events.DeviceFailed(
            **table.sensor.stamp(table.wait(1, 3), None),
            device=events.Device.AUTOMATED_SHAKER,
            device_id=shaker,
            fault="the dice were not tossed",
        )
    )
    table.sheet.append(
        events.RoundVoided(
            **table.main.stamp(table.wait(1, 3), table.dealer),
            reason="the automated shaker failed",
            called_by=table.dealer,
        )
    )
    hand_back(table, bets)
    table.sheet.append(
        events.DeviceFixed(
            **table.main.stamp(table.wait(120, 300), table.floorperson),
            device=events.Device.AUTOMATED_SHAKER,
            device_id=shaker,
        )
    )
