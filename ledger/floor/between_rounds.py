"""What happens between rounds: seats, relief, limits, dice, chips, cameras."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ledger import events
from ledger.floor import people
from ledger.floor.betting import deliver, fill
from ledger.floor.opening_and_closing import (
    assign,
    place_dice,
    post_sign,
    relieve,
    remove_dice,
    remove_sign,
    set_limits,
)
from ledger.floor.patron_habits import Habit, Patron, arrive, buy_in
from ledger.floor.stream_pens import MINUTE, SECOND
from ledger.floor.table_state import Kind, Step, Table
from ledger.floor.tables import LimitsChange

NOTICE_MINUTES: Final = 34
"""How long a change of limits is told in advance; 30 are the least (58 Pa. Code § 521.8(c)(2)(i))."""


def change_seats(table: Table, arriving: bool) -> Step | None:
    """Patrons get up, buy chips again, sit down; None when nobody moves."""
    table.begin()
    for patron in list(table.patrons):
        need = table.limits.maximum if patron.habit is Habit.HIGH_ROLLER else patron.base
        short = patron.chips < max(need, table.limits.minimum)
        if patron.has_had_enough() or (short and table.rng.random() < 0.6):
            table.patrons.remove(patron)
            if table.carried is not None:
                table.carried.leaving(table, patron)
            _leave(table, patron)
        elif short:
            _buy(table, patron)
    if arriving:
        table.patron_count += 1
        serial = f"{table.spec.name}-{table.patron_count}"
        free = table.spec.seats - len(table.patrons)
        for patron in arrive(table.rng, table.spec, free, serial):
            _sit_down(table, patron)
            _buy(table, patron)
    return table.finish(Kind.SEATS) if table.sheet else None


def _leave(table: Table, patron: Patron) -> None:
    table.sheet.append(
        events.PositionLeft(
            **table.main.stamp(table.wait(1, 4), table.dealer),
            position=patron.position,
            patron=patron.ref,
        )
    )


def _sit_down(table: Table, patron: Patron) -> None:
    taken = {other.position for other in table.patrons}
    patron.position = next(
        str(table.spec.first_seat + seat)
        for seat in range(table.spec.seats)
        if str(table.spec.first_seat + seat) not in taken
    )
    table.patrons.append(patron)
    table.sheet.append(
        events.PositionTaken(
            **table.main.stamp(table.wait(1, 4), table.dealer),
            position=patron.position,
            patron=patron.ref,
        )
    )


def _buy(table: Table, patron: Patron) -> None:
    cents = buy_in(patron, table.limits, table.rng)
    patron.chips += cents
    patron.bought += cents
    table.rack -= cents
    table.drop += cents
    table.sheet.append(
        events.CashChanged(
            **table.chips.stamp(table.wait(8, 20), table.dealer),
            position=patron.position,
            patron=patron.ref,
            cash_cents=cents,
            chips_cents=cents,
        )
    )


def relieve_dealer(table: Table) -> Step:
    """The next dealer takes over before the last one leaves: the shaker is never alone."""
    table.begin()
    dealers = people.dealers_of(table.spec)
    tired = table.dealer
    fresh = dealers[(dealers.index(tired) + 1) % len(dealers)]
    assign(table, events.Role.DEALER, fresh)
    table.dealer = fresh
    relieve(table, events.Role.DEALER, tired, fresh)
    return table.finish(Kind.RELIEF)


def change_floorperson(table: Table) -> Step:
    """The second shift takes over."""
    table.begin()
    tired, fresh = people.floorpersons_of(table.spec)
    assign(table, events.Role.FLOORPERSON, fresh)
    table.floorperson = fresh
    relieve(table, events.Role.FLOORPERSON, tired, fresh)
    return table.finish(Kind.RELIEF)


def give_notice(table: Table, change: LimitsChange) -> tuple[Step, int]:
    """Sign and announcement of a coming change, and the time they name."""
    table.begin()
    effective = (table.time // MINUTE + 1 + NOTICE_MINUTES) * MINUTE
    post_sign(
        table, "N", wager=None, minimum=change.minimum, maximum=change.maximum, effective=effective
    )
    table.sheet.append(
        events.LimitsChangeAnnounced(
            **table.main.stamp(table.wait(3, 8), table.dealer),
            wager=None,
            minimum_cents=change.minimum,
            maximum_cents=change.maximum,
            effective_time=effective,
            announced_by=table.dealer,
        )
    )
    return table.finish(Kind.NOTICE), effective


def change_limits(table: Table, change: LimitsChange, notice: int | None) -> Step:
    """New limits hold, and the sign that shows them goes up before the old one comes down.

    Args:
        table: the table.
        change: the wager and its new limits.
        notice: the number of the step that announced the change; None: no sign announced it.
    """
    table.begin()
    if change.empty:
        table.sheet.append(
            events.PatronsCounted(
                **table.main.stamp(table.wait(2, 4), table.floorperson), count=len(table.patrons)
            )
        )
    table.limits = replace(table.limits, minimum=change.minimum, maximum=change.maximum)
    set_limits(table, None, change.maximum, playing=bool(table.patrons))
    old = "AB"[table.sign]
    table.sign = 1 - table.sign
    post_sign(table, "AB"[table.sign], wager=None, maximum=change.maximum)
    remove_sign(table, old)
    if notice is not None:
        remove_sign(table, "N")
    return table.finish(Kind.LIMITS, earlier=notice)


def replace_dice(table: Table) -> Step:
    """New dice, well before the old ones are a day old."""
    table.begin()
    remove_dice(table)
    table.dice = None
    place_dice(table)
    return table.finish(Kind.DICE)


def lose_camera(table: Table) -> Step:
    """One of two cameras loses its picture for a while."""
    table.begin()
    table.sheet.append(
        events.CameraLost(
            **table.main.stamp(table.wait(1, 2), None), camera=f"CAM-{table.spec.name}-B"
        )
    )
    return table.finish(Kind.CAMERA)


def restore_camera(table: Table) -> Step:
    """Its picture comes back."""
    table.begin()
    table.sheet.append(
        events.CameraRestored(
            **table.main.stamp(table.wait(1, 2), None), camera=f"CAM-{table.spec.name}-B"
        )
    )
    return table.finish(Kind.CAMERA)


def first_fill(table: Table) -> Step:
    """What the opener lacks is brought before anybody sits down."""
    table.begin()
    table.time += 40 * SECOND
    deliver(table, 10 * table.spec.limits.maximum, table.time)
    return table.finish(Kind.RACK)


def even_out_rack(table: Table) -> Step | None:
    """A fill when chips run low, a credit when they pile up; None when neither."""
    unit = table.spec.limits.maximum
    if 80 * unit <= table.rack <= 180 * unit:
        return None
    table.begin()
    if table.rack < 80 * unit:
        fill(table, 60 * unit)
    else:
        table.slip_count += 1
        cents = table.rack - 130 * unit
        table.rack -= cents
        table.sheet.append(
            events.CreditTaken(
                **table.chips.stamp(table.wait(20, 60), table.floorperson),
                slip=f"C-{table.spec.name}-{table.day}-{table.slip_count}",
                chips_cents=cents,
                signed_by=(table.dealer, table.floorperson, people.CAGE, people.SECURITY),
            )
        )
    return table.finish(Kind.RACK)
