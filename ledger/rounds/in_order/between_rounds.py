"""What stands between two rounds: what a run takes over from the readable engine and hands back.

The engine has seen nothing of a run. The wagers that outlive it, and what the room knows after it,
must be what the engine would know; where that is not plain, there is no run.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from ledger.events import WagerPlaced
from ledger.games.named_tuple_change import replace
from ledger.games.room import Room
from ledger.games.stakes_on_layout import Stake, StakesOnLayout
from ledger.kernel import FactRef
from ledger.rounds.in_order.room_parts import stakes_fields
from ledger.rounds.in_order.rounds_read import ENDS
from ledger.rounds.in_order.rows_of_kind import Part
from ledger.rounds.in_order.stakes_seen import Signs
from ledger.rounds.in_order.stretch import Reading, Standing
from ledger.rounds.in_order.wager_table import Laid, laid_as
from ledger.rounds.placed import PlacedWager


class Opening(NamedTuple):
    """How a round opens: the state of the room before it, and which fields of it still matter."""

    parts: tuple[Part, ...]
    lasts: list[int]


def lie_alike(room: Room, room_state: Any, standing: Collection[PlacedWager]) -> bool:
    """Whether the wagers that stand by the book are those that lie there for the room."""
    if not room.outlive:
        return not standing
    lying: StakesOnLayout = room_state.stakes.of_earlier_round()
    return lying.stakes == {*map(stake_of, standing)}


def numbered(reading: Reading, standing: Collection[PlacedWager]) -> dict[int, Standing] | None:
    """Return the wagers that stand, by the number of their name.

    None where one was laid on another day, or lies there otherwise than a table knows.
    """
    out: dict[int, Standing] = {}
    for wager in standing:
        row = reading.row_of(wager.ref)
        doubtful = wager.late or wager.raises or wager.coupons or wager.contested is not None
        if row is None or doubtful or wager.outside or wager.settled:
            return None
        out[int(reading.names[row])] = Standing(laid_as(wager), row)
    return out if len(out) == len(standing) else None


def wagers_after(reading: Reading, number: int) -> list[PlacedWager]:
    """Return the wagers that a round leaves standing, as the readable book has them."""
    out = []
    for wager in reading.standing_after(number).values():
        placed = reading.fact(wager.row)
        assert isinstance(placed, WagerPlaced)
        out.append(standing_as(placed, reading.ref(wager.row), wager.laid))
    return out


def opening_after(reading: Reading, number: int) -> Opening | None:
    """Return how the next round opens after a round; None where more would have to be known."""
    tables, after = reading.tables, reading.rounds.rooms[number]
    opens = int(reading.columns.body[reading.rounds.get(number, ENDS)])
    signs = Signs(others=bool(reading.standing_after(number)))
    parts = tables.rows.parts_of_room(after)
    effect = tables.room.effect(parts, tables.bodies.bodies[opens], signs)
    if effect is None:
        return None
    lasts = [place for place in range(len(parts)) if place not in effect.overwritten]
    if not all(parts[place].is_known for place in lasts):
        return None
    return Opening(parts, lasts)


def room_after(reading: Reading, number: int, before: Any) -> Any:
    """Return what the room knows after a round; see ``Stretch.room_state``."""
    opening = opening_after(reading, number)
    assert opening is not None
    lying = [*map(stake_of, wagers_after(reading, number))]
    kind: Any = type(before)
    state = [*before]
    for place in opening.lasts:
        state[place] = opening.parts[place].content
    for place in stakes_fields(kind):
        state[place] = before[place]
    known = tuple.__new__(kind, state)
    if not reading.tables.room.asks_of_layout:
        return known
    return replace(known, stakes=StakesOnLayout(frozenset(lying)))


def standing_as(placed: WagerPlaced, ref: FactRef, laid: Laid) -> PlacedWager:
    """Return a wager that stands, as the readable book keeps it for the next round."""
    return PlacedWager(
        wager_id=placed.wager_id,
        placed=placed,
        ref=ref,
        wager=laid.wager,
        picks=laid.picks,
        stake_cents=laid.stake_cents,
        accepted=True,
    )


def stake_of(wager: PlacedWager) -> Stake:
    """Return a wager that stands, as a room keeps it."""
    position = wager.placed.position
    return Stake(wager.wager_id, wager.wager, position, wager.stake_cents, fresh=False)
