"""What the floorperson looks at before a table opens, item by item.

The layout, the boxes and the equipment are looked at when they are put up; the trial of the
devices is repeated before each opening (58 Pa. Code § 539.5(a)).
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.floor import (
    asia_poker_equipment,
    asia_poker_payouts,
    dreamcatcher_payouts,
    props_and_hops_payouts,
    sic_bo_payouts,
    three_dice_football_payouts,
)
from ledger.floor.table_state import Table
from ledger.floor.tables import TableSpec

_ROOM_OF_DICE = ("compartment_transparent", "cover_opaque", "sealable", "holder_name_or_logo")


def inspect_fixtures(table: Table) -> None:
    """Look at layout, table and equipment, in the order of the list."""
    spec = table.spec
    for feature, seen in _layout_items(spec):
        _look(table, events.Subject.LAYOUT, spec.layout, feature, seen)
    _look(
        table,
        events.Subject.TABLE,
        spec.name,
        "drop_box",
        (events.Seen(name="side", value="dealer side, left"),),
    )
    _look(
        table,
        events.Subject.TABLE,
        spec.name,
        "tip_box",
        (events.Seen(name="side", value="dealer side, right"),),
    )
    if spec.is_cards:
        seats = tuple(events.Seen(name=place, value=None) for place in asia_poker_payouts.PLAYERS)
        _look(table, events.Subject.TABLE, spec.name, "positions", seats)
        _look(table, events.Subject.TABLE, spec.name, "discard_rack", ())
    if spec.is_dice:
        for feature in _ROOM_OF_DICE:
            if feature != "cover_opaque" or not spec.automated:
                _look(table, events.Subject.SHAKER, spec.shaker, feature, ())
        for feature in ("present", "area_depicts_wagers"):
            _look(table, events.Subject.ELECTRICAL_DEVICE, spec.device, feature, ())
    if spec.is_props:
        _look(table, events.Subject.SHAKER, spec.shaker, "holder_name_or_logo", ())


def inspect_dice(table: Table, serials: tuple[str, ...]) -> None:
    """A new set is looked at, die by die, before it comes to the table."""
    for serial in serials:
        for feature in ("physical_characteristics", "inspected_on_receipt"):
            table.sheet.append(
                events.ItemInspected(
                    **table.main.stamp(table.wait(1, 2), table.floorperson),
                    subject=events.Subject.DICE,
                    subject_id=serial,
                    item=feature,
                    found=True,
                    seen=(),
                    inspected_by=table.floorperson,
                )
            )


def _look(
    table: Table, subject: events.Subject, which: str, feature: str, seen: tuple[events.Seen, ...]
) -> None:
    table.sheet.append(
        events.ItemInspected(
            **table.main.stamp(table.wait(8, 25), table.floorperson),
            subject=subject,
            subject_id=which,
            item=feature,
            found=True,
            seen=seen,
            inspected_by=table.floorperson,
        )
    )


def _layout_items(spec: TableSpec) -> list[tuple[str, tuple[events.Seen, ...]]]:
    if spec.is_cards:
        return asia_poker_equipment.layout_items(spec)
    limits = ["minimum", "maximum"]
    if spec.payout_limit is not None:
        limits.append("payout_limit")
    return [
        ("holder_name_or_logo", ()),
        ("wager_areas", _areas(spec)),
        ("printed_odds", _printed_odds(spec)),
        (
            "stated_limits",
            tuple(events.Seen(name=name, value=_limit(spec, name)) for name in limits),
        ),
        *(
            (item, tuple(events.Seen(name=n, value=v) for n, v in seen))
            for item, seen in _own_items(spec)
        ),
    ]


def _own_items(spec: TableSpec) -> list[tuple[str, list[tuple[str, str | None]]]]:
    """What only the layouts of some games have, with the names and values seen there."""
    if spec.is_football:
        numbers: list[tuple[str, str | None]] = [(str(number), None) for number in range(1, 24)]
        downs: list[tuple[str, str | None]] = [
            (n, None) for n in three_dice_football_payouts.DOWN_AREAS
        ]
        return [
            ("football_field", []),
            ("yards_labelled", numbers),
            ("down_areas", downs),
            ("game_length_areas", numbers[:6]),
        ]
    if spec.is_props:
        circled = {
            number: "circled" if number in (2, 12) else None
            for number in props_and_hops_payouts.FIELD_NUMBERS
        }
        return [
            ("shaker_circle", []),
            ("player_position_diagram", []),
            ("six_eight_shake_requirements", []),
            ("six_eight_shake_take_down", []),
            ("field_numbers", [(str(number), value) for number, value in circled.items()]),
        ]
    return []


def _limit(spec: TableSpec, name: str) -> str | None:
    """The payout limit is printed with its amount; the others change and stand on the sign."""
    return str(spec.payout_limit) if name == "payout_limit" else None


_AREAS: Final = {
    dreamcatcher_payouts.NAME: dreamcatcher_payouts.WAGERS,
    three_dice_football_payouts.NAME: three_dice_football_payouts.WAGERS,
    props_and_hops_payouts.NAME: props_and_hops_payouts.WAGERS,
}


def _areas(spec: TableSpec) -> tuple[events.Seen, ...]:
    if not spec.is_dice:
        return tuple(events.Seen(name=wager, value=None) for wager in _AREAS[spec.game])
    seen: list[events.Seen] = []
    for wager in sic_bo_payouts.WAGERS:
        if wager == sic_bo_payouts.TOTAL:
            seen += [events.Seen(name=wager, value=str(total)) for total in sic_bo_payouts.TOTALS]
        else:
            seen.append(events.Seen(name=wager, value=None))
    return tuple(seen)


_FIXED: Final = {
    three_dice_football_payouts.NAME: three_dice_football_payouts.ODDS,
    props_and_hops_payouts.NAME: props_and_hops_payouts.ODDS,
}


def _printed_odds(spec: TableSpec) -> tuple[events.Seen, ...]:
    if spec.game in _FIXED:
        return tuple(
            events.Seen(name=wager if row is None else f"{wager} {row}", value=f"{pays} to {on}")
            for (wager, row), (pays, on) in _FIXED[spec.game].items()
        )
    if not spec.is_dice:
        return tuple(
            events.Seen(name=w, value=f"{odds} to 1")
            for w, odds in dreamcatcher_payouts.LEAST.items()
        )
    return tuple(
        events.Seen(name=wager if row is None else f"{wager} {row}", value=f"{odds} to 1")
        for (wager, row), odds in sic_bo_payouts.FILED.items()
    )


def try_devices(table: Table) -> None:
    """Operate the devices and see that they work."""
    spec = table.spec
    if not spec.is_dice:
        return
    table.sheet.append(
        events.DeviceInspected(
            **table.main.stamp(table.wait(30, 60), table.floorperson),
            device=events.Device.ELECTRICAL_DEVICE,
            device_id=spec.device,
            inspected_by=table.floorperson,
            trial_entries=3,
            values_per_entry=3,
            operations=None,
            lit_properly=True,
            tossed_properly=None,
            working=True,
        )
    )
    if spec.automated:
        table.sheet.append(
            events.DeviceInspected(
                **table.main.stamp(table.wait(30, 60), table.floorperson),
                device=events.Device.AUTOMATED_SHAKER,
                device_id=spec.shaker,
                inspected_by=table.floorperson,
                trial_entries=None,
                values_per_entry=None,
                operations=3,
                lit_properly=None,
                tossed_properly=True,
                working=True,
            )
        )


def place_wheel(table: Table) -> None:
    """Put the wheel up; it stays from day to day."""
    table.wheel_placed = True
    table.sheet.append(
        events.WheelPlaced(
            **table.main.stamp(table.wait(60, 120), table.floorperson),
            wheel=f"WH-{table.spec.name}",
            sections=dreamcatcher_payouts.RIM,
            read_clockwise=True,
            diameter_thousandths=66_000,
            clapper=True,
            equally_spaced=True,
            odds_shown=tuple(
                events.SectionOdds(section=number, odds=f"{odds} to 1")
                for number, odds in dreamcatcher_payouts.LEAST.items()
            ),
        )
    )
