"""Rounds read by machine code, as far as the answers of the readable tables go.

An answer that is not there yet is asked of these tables, kept as a number, and the round begun
again. Where machine code stops, or where there is none, ``Reading`` reads the round.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Final

import numpy as np

from ledger.kernel.machine_code import twin
from ledger.rounds.in_order.house_table import HouseState
from ledger.rounds.in_order.room_table import Asked
from ledger.rounds.in_order.rounds_read import LAID, LAST_WAGER, LAST_WRITTEN, NONE, OWED
from ledger.rounds.in_order.row_numbers import (
    APART,
    APART_BY,
    AS_RECORDED,
    ASKED_BY,
    COMPARED,
    COMPARED_BY,
    FALLS,
    OF_WHOM,
    UNANSWERED,
    Ask,
    Numbers,
    RowNumbers,
    as_bits,
)
from ledger.rounds.in_order.stretch import Place, Reading, Standing, Tables
from ledger.rounds.in_order.wager_table import Laid

MOST_STANDING: Final = 512
"""Where more wagers stand at the end of a round, the readable reader reads it."""


def read_on(reading: Reading, place: Place, real: HouseState | None) -> Place:
    """Read rounds in machine code, and return where it stopped.

    Args:
        reading: of the table; the rounds are added to its own.
        place: where the first of them opens.
        real: what the house knows there, of all that was done for real.
    """
    fast = twin("ledger.rounds.in_order.walk_fast", len(reading.facts))
    if fast is None or real is None or len(place.standing) > MOST_STANDING:
        return place
    tables, rounds = reading.tables, reading.rounds
    rows, houses = tables.rows, tables.houses
    cursor = np.zeros(fast.CURSOR, np.int64)
    cursor[: fast.STANDING + 1] = (
        place.row,
        houses.number(place.house),
        houses.number(real),
        rounds.count,
        rounds.before(rounds.count, LAST_WAGER),
        rounds.before(rounds.count, LAST_WRITTEN),
        len(place.standing),
    )
    rows.bodies.follow(tables.bodies)
    houses.forget()
    opened, standing = rows.room(place.room).copy(), _numbered(rows, place.standing)
    room, alone = np.zeros_like(opened), np.zeros(2 * len(ALONE) + 1, np.int64)
    of_bodies = rows.bodies.beside, rows.bodies.apart, rows.bodies.ways
    of_room = rows.parts.beside, rows.effects.beside, rows.more_decided
    kinds = rows.decisions, rows.laid, rows.owed, houses.houses
    tables_of_numbers = [*of_bodies, *of_room, *(kind.beside for kind in kinds)]
    columns = [*rows.written, rows.steps.starts, rows.steps.fields]
    body, names, opens, *beside = reading.walked
    walked = body, names, opens[: reading.usable], *beside
    _number_facts(reading)
    _number_apart(reading)
    _ask_alone(rows, alone)
    how = _how(tables)
    while fast.walk(
        cursor, how, opened, room, alone, *walked,
        *[each.numbers for each in tables_of_numbers], *[column.numbers for column in columns],
        rows.answers.rows, houses.answers.rows, rows.steps.rows, houses.apart.rows,
        reading.lying, rounds.rounds, rounds.rooms, rounds.wagers, standing, rounds.written,
    ) == fast.ASKS:  # fmt: skip
        asked_of, asked = cursor[fast.ASKED_OF : fast.ASKED + 1].tolist()
        _answer(reading, asked_of, asked, room, cursor, fast)
        if asked_of >> OF_WHOM in ALONE:
            _ask_alone(rows, alone)
    rounds.count = int(cursor[fast.ROUNDS])
    house: HouseState = houses.houses.objects[cursor[fast.HOUSE]]
    left = standing[:, : cursor[fast.STANDING]].T.tolist()
    stands = {name: Standing(rows.laid.objects[laid], row) for name, laid, row in left}
    return Place(reading.tables.room_numbered(opened), house, int(cursor[fast.ROW]), stands)


def _how(tables: Tables) -> Numbers:
    """What is so of the game and the table, as machine code has it."""
    room, filed = tables.room, tables.rules.filed
    most = filed.payout_limit_cents if filed is not None else None
    cents = NONE if most is None else most, filed.unit_cents if filed is not None else 0
    rules = room.closes_apart, tables.collects_first, bool(room.room.apart)
    throws = NONE if room.last_in is None else room.last_in, room.shown_at, room.compared_at
    return np.array([len(room.kind._fields), *cents, *rules, *throws], np.int64)


def _numbered(rows: RowNumbers, standing: Mapping[int, Standing]) -> Numbers:
    """The wagers that stand, as columns, with room for as many more."""
    out = np.zeros((3, 2 * MOST_STANDING), np.int64)
    for at, (name, wager) in enumerate(standing.items()):
        out[:, at] = name, rows.wager(wager.laid), wager.row
    return out


def _ask_alone(rows: RowNumbers, alone: Numbers) -> None:
    """Say how questions about a state alone are asked by now."""
    for at, question in enumerate(ALONE.values()):
        alone[2 * at : 2 * at + 2] = rows.alike.alone(question)
    alone[-1] = as_bits(rows.alike.looked[alone[0]])
    rows.steps.follow(rows.alike.looked)


ALONE: Final = {Ask.STANDS: "stands", Ask.CLOSES: "closes"}
"""The questions about a state alone, in the order in which machine code has them."""


def _number_facts(reading: Reading) -> None:
    """Number what the facts of a day say to the room, as far as that is not known."""
    rows, bodies = reading.tables.rows, reading.tables.bodies.bodies
    columns = rows.bodies
    numbers = columns.unanswered(columns.says, reading.bodies)
    ways = [rows.alike.fact(bodies[number]) for number in numbers]
    columns.ask(numbers, ways, rows.alike, rows.signs)
    rows.steps.follow(rows.alike.looked)


def _number_apart(reading: Reading) -> None:
    """Number what the facts of a day say to the rules that stand apart, and to the last throw."""
    rows, bodies, room = reading.tables.rows, reading.tables.bodies.bodies, reading.tables.room
    mattered, apart = reading.tables.apart.mattered, rows.bodies.apart.numbers
    compared = () if room.throws is None else room.throws.compared
    for number in rows.bodies.unanswered(apart[:, COMPARED], reading.bodies) if compared else ():
        apart[number, COMPARED] = NONE
        if bodies[number].kind in compared:
            apart[number, COMPARED_BY : COMPARED + 1] = rows.alike.compared(bodies[number])
    rules = mattered.of_rules
    for number in rows.bodies.unanswered(apart[:, APART], reading.bodies) if rules else ():
        if bodies[number].kind in rules:
            apart[number, APART_BY : APART + 1] = rows.alike.apart(bodies[number], mattered)
        else:
            apart[number, APART] = NONE
    rows.steps.follow(rows.alike.looked)


def _answer(
    reading: Reading,
    first: int,
    second: int,
    room: Numbers,
    cursor: Numbers,
    fast: ModuleType,
) -> None:
    """Ask the readable tables what machine code has no answer to, and keep it.

    Args:
        reading: of the table.
        first, second: the question.
        room: the state of the room with which it came up.
        cursor: of the machine code.
        fast: the machine code.
    """
    tables, rows, houses = reading.tables, reading.tables.rows, reading.tables.houses
    ask, whom = Ask(first >> OF_WHOM), first & (1 << OF_WHOM) - 1
    answer = FALLS
    match ask:
        case Ask.ROOM:
            _answer_of_room(reading, room, second, fast)
            return
        case Ask.STANDS | Ask.CLOSES:
            answered = tables.room.stands if ask is Ask.STANDS else tables.room.closing
            _answer_alone(rows, ALONE[ask], room, answered(rows.parts_of_room(room)), fast)
            return
        case Ask.APART:
            _answer_apart(reading, room, second, fast)
            return
        case Ask.COMPARED:
            _answer_compared(reading, room, second, fast)
            return
        case Ask.RECORDED:
            kind, recorded = tables.bodies.bodies[second].kind, rows.bodies.apart.numbers
            for number in rows.bodies.unanswered(recorded[:, AS_RECORDED], reading.bodies):
                body = tables.bodies.bodies[number]
                if body.kind is kind:
                    recorded[number, AS_RECORDED] = rows.part(tables.room.as_recorded(body))
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
            alike = rows.bodies.alike
            for number in rows.bodies.unanswered(alike, reading.bodies):
                alike[number] = rows.to_house(number, tables.bodies.bodies[number])
            return
        case Ask.OWED:
            _answer_owed(reading, second, cursor, fast)
            return
        case _:
            answer = _of_wager(tables, ask, whom, second)
    rows.answers.put(first, second, answer, fast.put)


def _of_wager(tables: Tables, ask: Ask, whom: int, second: int) -> int:
    """Return the number of a wager as it is laid or changed, or of what it comes to that went."""
    rows, bodies = tables.rows, tables.bodies.bodies
    laid: Laid | None
    if ask is Ask.LEFT:
        owed = tables.wagers.left(rows.laid.objects[whom])
        return FALLS if owed is None else rows.due(owed)
    if ask is Ask.LAID:
        stakes = rows.stakes.objects[whom >> 1]
        laid = tables.wagers.laid(bodies[second], stakes, knowable=bool(whom & 1))
    else:
        under, number = second >> OF_WHOM, second & (1 << OF_WHOM) - 1
        before, stakes = rows.laid.objects[whom], rows.stakes.objects[under >> 1]
        laid = tables.wagers.changed(before, bodies[number], stakes, knowable=bool(under & 1))
    return FALLS if laid is None else rows.wager(laid)


def _answer_owed(reading: Reading, decided: int, cursor: Numbers, fast: ModuleType) -> None:
    """Keep what the wagers of a round come to that are not settled.

    Args:
        reading: of the table.
        decided: the number of what decides them.
        cursor: of the machine code.
        fast: the machine code.
    """
    tables, rows = reading.tables, reading.tables.rows
    lying = slice(cursor[fast.WAGERS], cursor[fast.LYING])
    laid_so, settled = reading.rounds.wagers[[LAID, OWED], lying]
    for number in {*laid_so[settled == NONE].tolist()}:
        owed = tables.wagers.owed(rows.laid.objects[number], rows.decisions.objects[decided])
        answer = FALLS if owed is None else rows.due(owed)
        rows.answers.put(Ask.OWED << OF_WHOM | number, decided, answer, fast.put)


def _answer_of_room(reading: Reading, room: Numbers, number: int, fast: ModuleType) -> None:
    """Keep what a fact does to the room.

    Args:
        reading: of the table.
        room: the numbers of the room's state, with the signs of the layout.
        number: of the fact's body.
        fast: the machine code.
    """
    tables = reading.tables
    rows, body, bodies = tables.rows, tables.bodies.bodies[number], tables.rows.bodies
    row = tables.room.row(rows.parts_of_room(room), body, rows.signs_in(room))
    if row is None or len(row[1]) > ASKED_BY:
        bodies.says[number] = FALLS
        return
    effect, looked = row
    if bodies.is_asked_otherwise(number, rows.alike.fact(body)):
        _number_facts(reading)
    says = rows.alike.way(body, looked)[1]
    does = rows.effect(effect) if effect else FALLS
    rows.steps.put(says, room[[*looked]], does, fast.put_step)


def _answer_apart(reading: Reading, room: Numbers, number: int, fast: ModuleType) -> None:
    """Keep whether the rules that stand apart let a fact pass; arguments as ``_answer_of_room``."""
    tables, rows = reading.tables, reading.tables.rows
    body, apart = tables.bodies.bodies[number], rows.bodies.apart.numbers
    passes = tables.apart.lets_pass(rows.parts_of_room(room), body)
    fields, says = rows.alike.apart(body, tables.apart.mattered)
    if says != apart[number, APART]:  # more matters by now
        apart[apart[:, APART] != NONE, APART] = UNANSWERED
        _number_apart(reading)
    asked_by = room[[*rows.alike.looked[fields]]]
    tables.houses.apart.put(says, asked_by, int(passes), fast.put_step)


def _answer_compared(reading: Reading, room: Numbers, number: int, fast: ModuleType) -> None:
    """Keep whether a fact agrees with the last throw; arguments as ``_answer_of_room``."""
    rows, body = reading.tables.rows, reading.tables.bodies.bodies[number]
    apart = rows.bodies.apart.numbers
    agrees = reading.tables.room.agrees(rows.parts_of_room(room), body)
    fields, says = rows.alike.compared(body)
    if says != apart[number, COMPARED]:  # more matters by now
        apart[apart[:, COMPARED] != NONE, COMPARED] = UNANSWERED
        _number_apart(reading)
    asked_by = room[[*rows.alike.looked[fields]]]
    rows.steps.put(says, asked_by, FALLS if agrees is None else int(agrees), fast.put_step)


def _answer_alone(
    rows: RowNumbers, question: str, room: Numbers, asked: Asked, fast: ModuleType
) -> None:
    """Keep the answer to a question about a state alone."""
    fields, says = rows.alike.alone(question, asked.looked)
    looked = rows.alike.looked[fields]
    rows.steps.put(says, room[[*looked]], asked.answer, fast.put_step)
