"""Rounds read by machine code, as far as the answers of the readable tables go.

An answer that is not there yet is asked of these tables, kept as a number, and the round begun
again. Where machine code stops, or where there is none, ``Reading`` reads the round.
"""

from __future__ import annotations

from functools import partial
from types import ModuleType

import numpy as np

from ledger.kernel.machine_code import twin
from ledger.rounds.in_order.house_table import HouseState
from ledger.rounds.in_order.room_table import RoomState
from ledger.rounds.in_order.rounds_read import LAST_WAGER, LAST_WRITTEN
from ledger.rounds.in_order.row_numbers import (
    BY_NAME,
    FALLS,
    OF_WHOM,
    ONLY_SHARED,
    UNANSWERED,
    Answers,
    Ask,
)
from ledger.rounds.in_order.stretch import Reading, Tables

Place = tuple[RoomState, HouseState, int]
"""The states of room and house where a round opens, and the row of that fact."""


def read_on(reading: Reading, place: Place, begins: RoomState, real: HouseState | None) -> Place:
    """Read rounds in machine code, and return where it stopped.

    Args:
        reading: of the table; the rounds are added to its own.
        place: where the first of them opens.
        begins: the state of the room before the run, as the readable engine keeps it.
        real: what the house knows there, of all that was done for real.
    """
    fast = twin("ledger.rounds.in_order.walk_fast", len(reading.facts))
    if fast is None or real is None:
        return place
    rows, houses, rounds = reading.tables.rows, reading.tables.houses, reading.rounds
    cursor = np.zeros(fast.CURSOR, np.int64)
    cursor[: fast.WRITTEN + 1] = (
        place[2],
        rows.room(place[0]),
        houses.number(place[1]),
        houses.number(real),
        rounds.count,
        rounds.before(rounds.count, LAST_WAGER),
        rounds.before(rounds.count, LAST_WRITTEN),
    )
    filed = reading.tables.rules.filed
    most = filed.payout_limit_cents if filed is not None else None
    unit = filed.unit_cents if filed is not None else 0
    rows.bodies.follow(reading.tables.bodies)
    houses.forget()
    first = rows.room(begins)
    kinds = rows.rooms, rows.effects, rows.laid, rows.owed, houses.houses
    columns = [*rows.bodies.columns, *(column for kind in kinds for column in kind.columns)]
    body, names, opens, *unsure = reading.walked
    walked = body, names, opens[: reading.usable], *unsure
    while fast.walk(
        cursor, first, -1 if most is None else most, unit, *walked,
        *[column.numbers for column in columns],
        rows.answers.rows, houses.answers.rows, rows.lately,
        reading.lying, rounds.rounds, rounds.wagers, rounds.written,
    ) == fast.ASKS:  # fmt: skip
        asked_of, asked, asked_in, asked_at = cursor[fast.ASKED_OF :].tolist()
        _answer(reading, asked_of, asked, asked_in, asked_at, fast)
    rounds.count = int(cursor[fast.ROUNDS])
    room = reading.tables.room_numbered(int(cursor[fast.ROOM]))
    house: HouseState = houses.houses.objects[cursor[fast.HOUSE]]
    return room, house, int(cursor[fast.ROW])


def _answer(
    reading: Reading, first: int, second: int, room: int, number: int, fast: ModuleType
) -> None:
    """Ask the readable tables what machine code has no answer to, and keep it.

    Args:
        reading: of the table.
        first, second: the question.
        room, number: the state of the room and the body of the fact, where it came up with them.
        fast: the machine code.
    """
    tables, rows, houses = reading.tables, reading.tables.rows, reading.tables.houses
    ask, whom = Ask(first >> OF_WHOM), first & (1 << OF_WHOM) - 1
    answer = FALLS
    match ask:
        case Ask.ROOM:
            _answer_of_room(reading.tables, room, number, fast)
            return
        case Ask.HOUSE | Ask.REMEMBERED:
            house = houses.houses.objects[whom]
            if ask is Ask.HOUSE:
                change = tables.of_house(house, rows.examples[second])
            else:
                change = reading.of_house(house, second)
            if change is not None:
                answer = houses.number(change.state) << 1 | change.is_written
            if not houses.forget():  # else it is asked again
                houses.answers.put(first, second, answer, fast.put)
            return
        case Ask.ALIKE:
            rows.bodies.alike.numbers[second] = rows.to_house(second, tables.bodies.bodies[second])
            return
        case Ask.LAID:
            body, stakes = tables.bodies.bodies[second], rows.stakes.objects[whom >> 1]
            laid = tables.wagers.laid(body, stakes, knowable=bool(whom & 1))
            answer = FALLS if laid is None else rows.wager(laid)
        case Ask.CHANGED:
            under, number = second >> OF_WHOM, second & (1 << OF_WHOM) - 1
            body, stakes = tables.bodies.bodies[number], rows.stakes.objects[under >> 1]
            before = rows.laid.objects[whom]
            laid = tables.wagers.changed(before, body, stakes, knowable=bool(under & 1))
            answer = FALLS if laid is None else rows.wager(laid)
        case Ask.LEFT:
            owed = tables.wagers.left(rows.laid.objects[whom])
            answer = FALLS if owed is None else rows.due(owed)
        case Ask.OWED:
            owed = tables.wagers.owed(rows.laid.objects[whom], rows.decisions.objects[second])
            answer = FALLS if owed is None else rows.due(owed)
        case Ask.CLOSES:
            answer = int(tables.room.closes(tables.room_numbered(room)))
    rows.answers.put(first, second, answer, fast.put)


def _answer_of_room(tables: Tables, room: int, number: int, fast: ModuleType) -> None:
    """Keep all that machine code asks to know what a fact does to the room.

    Args:
        tables: those that are asked.
        room: the number of the room's state.
        number: of the fact's body.
        fast: the machine code.
    """
    rows, body = tables.rows, tables.bodies.bodies[number]
    bodies, keep = rows.bodies, partial(_keep, rows.answers, fast)
    if bodies.says.numbers[number] == UNANSWERED:
        bodies.kind.numbers[number], bodies.says.numbers[number] = rows.alike.fact(body)
        return
    state = tables.room_numbered(room)
    effect = tables.room.effect(state, body)
    kind = rows.alike.asked(body.kind).number
    if bodies.is_asked_by_more(number, kind):
        return
    looks, says = rows.alike.state(state, kind), int(bodies.says.numbers[number])
    by_name = effect is None or not effect.is_shared
    whom = room if by_name else room & ONLY_SHARED
    does = FALLS if effect is None else rows.effect(effect)
    keep(Ask.LOOKS, room & ONLY_SHARED, kind, looks)
    keep(Ask.ROOM, looks, says, BY_NAME if by_name else does)
    if by_name:
        keep(Ask.BY_NAME, room, number, does)
    if effect is not None and effect.written:
        after = tables.room.after(state, effect)
        known = FALLS if after is None else rows.room(after)
        keep(Ask.AFTER, whom, does, known if by_name or after is None else known & ONLY_SHARED)


def _keep(
    answers: Answers, fast: ModuleType, ask: Ask, whom: int, second: int, answer: int
) -> None:
    answers.put(ask << OF_WHOM | whom, second, answer, fast.put)
