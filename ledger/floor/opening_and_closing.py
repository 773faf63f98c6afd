"""How a table opens and closes: staff, equipment, inspection, limits, chips, cameras."""

from __future__ import annotations

from ledger import events
from ledger.floor import asia_poker_equipment, people
from ledger.floor.inspection import inspect_dice, inspect_fixtures, place_wheel, try_devices
from ledger.floor.stream_pens import HOUR
from ledger.floor.table_state import Dice, Kind, Step, Table
from ledger.floor.tables import TableSpec

_BILLS = (10_000, 5_000, 2_000)
DICE_LIFE = 24 * HOUR
"""How long dice may be used from being placed in a shaker (58 Pa. Code § 539.2(b))."""
USEFUL_LIFE = 3 * HOUR
"""A set is put back at an opening only if it may be used this much longer."""


def open_table(table: Table) -> Step:
    """All that precedes the first round of a day."""
    spec = table.spec
    table.begin()
    table.limits = spec.limits
    table.sign = 0
    table.floorperson = people.floorpersons_of(spec)[0]
    table.dealer = people.dealers_of(spec)[0]
    for letter in ("A", "B"):
        table.sheet.append(
            events.CameraAssigned(
                **table.main.stamp(table.wait(2, 5), None),
                camera=f"CAM-{spec.name}-{letter}",
                covers=_covers(spec, letter),
            )
        )
    assign(table, events.Role.FLOORPERSON, table.floorperson)
    assign(table, events.Role.DEALER, table.dealer)
    if table.carried is not None:
        table.carried.staffed(table)
    if spec.has_shaker:
        kind = events.ShakerKind.AUTOMATED if spec.automated else events.ShakerKind.MANUAL
        table.sheet.append(
            events.ShakerPlaced(
                **table.main.stamp(table.wait(20, 40), table.floorperson),
                shaker=spec.shaker,
                kind=kind,
            )
        )
    if spec.dice_colours:
        place_dice(table)
    if spec.is_cards:
        asia_poker_equipment.bring_cards(table)
    if spec.is_wheel and not table.wheel_placed:
        place_wheel(table)
    if not table.inspected:
        inspect_fixtures(table)
        table.inspected = True
    try_devices(table)
    _post_opening_limits(table)
    _open_rack(table)
    table.sheet.append(
        events.TableOpened(
            **table.main.stamp(table.wait(20, 60), table.floorperson),
            game=spec.game,
            layout=spec.layout,
            paytable=spec.submission,
            capture=spec.capture,
        )
    )
    if table.carried is not None:
        table.carried.opened(table)
    return table.finish(Kind.OPENING)


def _covers(spec: TableSpec, letter: str) -> str:
    """What a camera shows."""
    if spec.is_football:
        return f"end {letter}"
    if letter == "A":
        return "layout and rack"
    return "wheel" if spec.is_wheel else "cards" if spec.is_cards else "dice"


def assign(table: Table, role: events.Role, person: str) -> None:
    """A person takes up a role.

    Args:
        table: the table.
        role: such as dealer.
        person: the credential.
    """
    table.sheet.append(
        events.StaffAssigned(
            **table.main.stamp(table.wait(5, 15), person), role=role, person=person
        )
    )


def relieve(table: Table, role: events.Role, person: str, by: str | None = None) -> None:
    """A person leaves a role, to the one who took over or to nobody.

    Args:
        table: the table.
        role: such as dealer.
        person: the credential of who leaves.
        by: that of who took over; None: nobody.
    """
    table.sheet.append(
        events.StaffRelieved(
            **table.main.stamp(table.wait(5, 15), person), role=role, person=person, relieved_by=by
        )
    )


def place_dice(table: Table) -> None:
    """Put dice into the shaker: the set in hand while it is young enough, else a new one."""
    spec = table.spec
    at = table.wait(20, 40)
    if table.dice is None or at + USEFUL_LIFE > table.dice.placed_at + DICE_LIFE:
        table.dice_sets += 1
        table.dice = Dice(_serials(spec, table.dice_sets), at)
        if not spec.is_dice:
            inspect_dice(table, table.dice.serials)
            table.dice.placed_at = table.wait(5, 10)
            at = table.dice.placed_at
    table.sheet.append(
        events.DiceSetPlaced(
            **table.main.stamp(at, table.floorperson),
            shaker=spec.shaker if spec.has_shaker else None,
            dice=die_identities(spec, table.dice.serials),
        )
    )
    if spec.is_props:
        table.sheet.append(
            events.DicePlacedInShaker(
                **table.main.stamp(table.wait(1, 3), table.floorperson),
                shaker=spec.shaker,
                dice=table.dice.serials,
                placed_by=table.floorperson,
                in_presence_of=(table.dealer,),
            )
        )


def _serials(spec: TableSpec, number: int) -> tuple[str, ...]:
    letters = "abcdef"[: len(spec.dice_colours)]
    return tuple(f"{spec.name}-{number:04d}-{letter}" for letter in letters)


def first_set(spec: TableSpec) -> tuple[str, ...]:
    """Serial numbers of the dice with which a table begins."""
    return _serials(spec, 1)


def die_identities(spec: TableSpec, serials: tuple[str, ...]) -> tuple[events.DieIdentity, ...]:
    """A set of dice as it is recorded."""
    pairs = zip(serials, spec.dice_colours, strict=True)
    return tuple(events.DieIdentity(serial=serial, colour=colour) for serial, colour in pairs)


def remove_dice(table: Table) -> None:
    """Take the dice from the table; the set stays in hand."""
    assert table.dice is not None, "a table opens with dice"
    table.sheet.append(
        events.DiceSetRemoved(
            **table.main.stamp(table.wait(10, 20), table.floorperson), dice=table.dice.serials
        )
    )


def post_sign(
    table: Table,
    letter: str,
    *,
    wager: str | None,
    maximum: int,
    effective: int | None = None,
    minimum: int | None = None,
) -> None:
    """Put up a sign of the table.

    Args:
        table: the table.
        letter: of the sign; each hangs until it is taken down.
        wager: the wager whose limits it shows; None: all of them.
        maximum: in cents.
        effective: from when on, microseconds UTC; None: at once.
        minimum: in cents; None: as the table was opened.
    """
    table.sheet.append(
        events.LimitsSignPosted(
            **table.main.stamp(table.wait(1, 3), table.floorperson),
            sign=f"LS-{table.spec.name}-{letter}",
            wager=wager,
            minimum_cents=table.limits.minimum if minimum is None else minimum,
            maximum_cents=maximum,
            states_change=effective is not None,
            effective_time=effective,
        )
    )


def remove_sign(table: Table, letter: str) -> None:
    """Take a sign of the table away."""
    table.sheet.append(
        events.LimitsSignRemoved(
            **table.main.stamp(table.wait(1, 3), table.floorperson),
            sign=f"LS-{table.spec.name}-{letter}",
        )
    )


def set_limits(table: Table, wager: str | None, maximum: int, playing: bool) -> None:
    """From now on the table works with these limits.

    Args:
        table: the table.
        wager: the wager; None: all of them.
        maximum: in cents.
        playing: whether patrons are at the table.
    """
    table.sheet.append(
        events.LimitsSet(
            **table.main.stamp(table.wait(2, 5), table.floorperson),
            wager=wager,
            minimum_cents=table.limits.minimum,
            maximum_cents=maximum,
            increment_cents=table.spec.increment,
            patrons_playing=playing,
        )
    )


def _post_opening_limits(table: Table) -> None:
    limits = table.limits
    set_limits(table, None, limits.maximum, playing=False)
    post_sign(table, "A", wager=None, maximum=limits.maximum)
    set_limits(table, limits.long_wager, limits.long_maximum, playing=False)
    post_sign(table, "L", wager=limits.long_wager, maximum=limits.long_maximum)


def _open_rack(table: Table) -> None:
    table.rack = table.spec.limits.maximum * 150
    table.skew = 0
    table.drop = 0
    table.sheet.append(
        events.DropBoxHung(
            **table.chips.stamp(table.wait(10, 30), people.SECURITY),
            box=f"BX-{table.spec.name}-{table.day}",
        )
    )
    table.sheet.append(
        events.OpenerCounted(
            **table.chips.stamp(table.wait(30, 90), table.floorperson),
            chips_cents=table.rack,
            counted_by=(table.dealer, table.floorperson),
        )
    )


def close_table(table: Table) -> Step:
    """All that follows the last round of a day."""
    table.begin()
    spec = table.spec
    if table.carried is not None:
        table.carried.closing(table)
    for patron in table.patrons:
        if table.carried is not None:
            table.carried.leaving(table, patron)
        table.sheet.append(
            events.PositionLeft(
                **table.main.stamp(table.wait(3, 12), table.dealer),
                position=patron.position,
                patron=patron.ref,
            )
        )
    table.patrons = []
    table.sheet.append(
        events.TableClosed(
            **table.main.stamp(table.wait(20, 60), table.floorperson),
            reason="end of the day's play",
        )
    )
    if spec.is_cards:
        asia_poker_equipment.take_cards_away(table)
    if spec.dice_colours:
        remove_dice(table)
    if spec.is_football:
        table.dice = None  # a table reopens with a new set
    if spec.has_shaker:
        table.sheet.append(
            events.ShakerRemoved(
                **table.main.stamp(table.wait(5, 10), table.floorperson), shaker=spec.shaker
            )
        )
    remove_sign(table, "AB"[table.sign])
    remove_sign(table, "L")
    _close_rack(table)
    if table.carried is not None:
        table.carried.closed(table)
    relieve(table, events.Role.DEALER, table.dealer)
    relieve(table, events.Role.FLOORPERSON, table.floorperson)
    return table.finish(Kind.CLOSING)


def _close_rack(table: Table) -> None:
    box = f"BX-{table.spec.name}-{table.day}"
    table.sheet.append(
        events.CloserCounted(
            **table.chips.stamp(table.wait(60, 120), table.floorperson),
            chips_cents=table.rack + table.skew,
            counted_by=(table.dealer, table.floorperson),
        )
    )
    table.sheet.append(
        events.DropBoxRemoved(**table.chips.stamp(table.wait(30, 60), people.SECURITY), box=box)
    )
    table.uncounted = (box, table.day, table.drop)


def count_box(table: Table, at: int) -> Step:
    """The box that was taken away is counted."""
    assert table.uncounted is not None, "a box was taken away"
    box, day, left = table.uncounted
    table.uncounted = None
    table.begin()
    cash: list[events.DenominationCount] = []
    for bill in _BILLS:
        pieces, left = divmod(left, bill)
        if pieces:
            cash.append(events.DenominationCount(denomination_cents=bill, pieces=pieces))
    assert left == 0, "patrons lay down whole hundreds"
    table.sheet.append(
        events.DropBoxCounted(
            **table.chips.stamp(at, people.COUNTERS[0]),
            box=box,
            for_gaming_day=day,
            cash=tuple(cash),
            chips_cents=0,
            coupons=(),
            counted_by=people.COUNTERS[:2],
        )
    )
    return table.finish(Kind.COUNT)
