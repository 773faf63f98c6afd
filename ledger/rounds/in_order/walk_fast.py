"""Rounds read in machine code from rows of the readable tables: the twin of ``Reading.read``.

It takes a round only where each answer is there already and is the one that ``Reading`` and ``Run``
ask for. At an answer that is not there it stops and names it; at anything else it stops and leaves
the round to them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numba
import numba.types
import numpy as np

from ledger.kernel.machine_code import compiled

STOPPED, ASKS, GOES_ON = range(3)
ROW, ROOM, HOUSE, REAL, ROUNDS, WAGERS, WRITTEN, ASKED_OF, ASKED, ASKED_IN, ASKED_AT = range(11)
"""Places of the cursor: where the next round begins, what is known there, how much was read, the
two numbers of a question without an answer, and the state of the room and the body with which it
came up."""
CURSOR: Final = 11
FIRST, ENDS, ROOM_AFTER, HOUSE_AFTER, REAL_AFTER = range(5)
DECIDED, DECIDED_AT, TAKEN, PAID, LAST_WAGER, LAST_WRITTEN = range(5, 11)
"""Columns of a round; its wagers and written rows go up to its last ones."""
NAME, LAID, PLACED, SETTLED, OWED = range(5)
"""Columns of a wager."""

COUNT, UNSETTLED, DECISION, DECISION_AT, IS_CLOSED, WINNER_PAID = range(6)
CENTS_TAKEN, CENTS_PAID, WRITES, NEXT_ROOM, NEXT_HOUSE, OUTSIDE = range(6, 12)
TALLY: Final = 12
"""Places of the tally of a round."""

NONE, FALLS, UNANSWERED, BY_NAME = -1, -2, -3, -4
NOTHING, OF_ALL, OF_ONE = range(3)
"""What a fact changes of the room: nothing, what is the same at every table, or names, too."""
ASK_ROOM, ASK_HOUSE, ASK_LAID, ASK_CHANGED, ASK_LEFT, ASK_OWED, ASK_CLOSES, ASK_ALIKE = range(8)
ASK_REMEMBERED, ASK_LOOKS, ASK_BY_NAME, ASK_AFTER = range(8, 12)
TELLS_THE_HOUSE, LAYS, SETTLES, CHANGES, IS_REMEMBERED = 1, 2, 3, 4, 6
IS_OF_STAFF: Final = 7
WON: Final = 1
OF_WHOM: Final = 40
NAMES: Final = 1 << 20
"""From here on the number of a room's state says what names it holds; below, all else."""

types: Any = numba.types


@numba.njit(forceinline=True)
def _mixed(first, second):  # type: ignore[no-untyped-def]
    mixed = (np.uint64(first) ^ np.uint64(second) * np.uint64(0x9E3779B97F4A7C15)) * np.uint64(
        0xC2B2AE3D27D4EB4F
    )
    return mixed ^ mixed >> np.uint64(31)


@numba.njit(forceinline=True)
def _place_of(first, second, rows):  # type: ignore[no-untyped-def]
    """Where an answer stands, or the empty place for it."""
    place = np.int64(_mixed(first, second) & np.uint64(len(rows) - 1))
    while rows[place, 0] != NONE and (rows[place, 0] != first or rows[place, 1] != second):
        place = (place + 1) & (len(rows) - 1)
    return place


@numba.njit(forceinline=True)
def _answer(ask, whom, second, rows):  # type: ignore[no-untyped-def]
    """The answer to a question; UNANSWERED where nobody asked before."""
    first = np.int64(ask) << OF_WHOM | whom
    place = _place_of(first, second, rows)
    return rows[place, 2] if rows[place, 0] == first else UNANSWERED


@numba.njit(forceinline=True)
def _asks(cursor, ask, whom, second):  # type: ignore[no-untyped-def]
    cursor[ASKED_OF] = np.int64(ask) << OF_WHOM | whom
    cursor[ASKED] = second
    return ASKS


@numba.njit(forceinline=True)
def _of_room(room, number, of_bodies, asked):  # type: ignore[no-untyped-def]
    """What a fact does to the room, by what mattered of both; UNANSWERED where a part is."""
    kind, says = of_bodies
    if says[number] == UNANSWERED:
        return UNANSWERED
    looks = _answer(ASK_LOOKS, room & NAMES - 1, kind[number], asked)
    if looks == UNANSWERED:
        return UNANSWERED
    effect = _answer(ASK_ROOM, looks, says[number], asked)
    if effect == BY_NAME:
        return _answer(ASK_BY_NAME, room, number, asked)
    return effect


@numba.njit(forceinline=True)
def _next_room(room, effect, changes, asked):  # type: ignore[no-untyped-def]
    """The room after what a fact does to it."""
    if changes[effect] == NOTHING:
        return room
    whom = room if changes[effect] == OF_ONE else room & NAMES - 1
    after = _answer(ASK_AFTER, whom, effect, asked)
    return room & -NAMES | after if 0 <= after < NAMES else after


@numba.njit(forceinline=True)
def _step(cursor, room, number, of_bodies, changes, asked, lately):  # type: ignore[no-untyped-def]
    """What a fact does to the room, and the room after it: both FALLS, or UNANSWERED, alike.

    What was asked for the same room and body lately is not looked for by its parts again.
    """
    place = _mixed(room, number) & np.uint64(len(lately) - 1)
    if lately[place, 0] == room and lately[place, 1] == number:
        return lately[place, 2], lately[place, 3]
    after = effect = _of_room(room, number, of_bodies, asked)
    if effect >= 0:
        after = _next_room(room, effect, changes, asked)
    if after < 0:
        _asks(cursor, ASK_ROOM, 0, 0)
        cursor[ASKED_IN], cursor[ASKED_AT] = room, number
        return after, after
    lately[place, 0], lately[place, 1] = room, number
    lately[place, 2], lately[place, 3] = effect, after
    return effect, after


def _put(first, second, answer, rows):  # type: ignore[no-untyped-def]
    """Put an answer in its place; return how many there are more."""
    place = _place_of(first, second, rows)
    if rows[place, 0] == first:
        return 0
    rows[place, 0], rows[place, 1], rows[place, 2] = first, second, answer
    return 1


@numba.njit(forceinline=True)
def _touch(  # type: ignore[no-untyped-def]
    cursor, tally, part, at, name, number, under, states, asked, lying, wagers
):  # fmt: skip
    """Lay a wager, or change one that lies there."""
    gone, outside = states
    first_wager, count = cursor[WAGERS], tally[COUNT]
    wager = lying[name]
    is_there = first_wager <= wager < count and wagers[NAME, wager] == name
    if is_there != (part == CHANGES):
        return STOPPED
    if part == LAYS:
        laid = _answer(ASK_LAID, under, number, asked)
        if laid == UNANSWERED:
            return _asks(cursor, ASK_LAID, under, number)
        if laid == FALLS:
            return STOPPED
        wagers[NAME, count], wagers[LAID, count], wagers[PLACED, count] = name, laid, at
        wagers[SETTLED, count] = wagers[OWED, count] = NONE
        lying[name] = count
        tally[OUTSIDE] += outside[laid]
        tally[COUNT] += 1
        tally[UNSETTLED] += 1
        return GOES_ON
    change, before = under << OF_WHOM | number, wagers[LAID, wager]
    laid = _answer(ASK_CHANGED, before, change, asked)
    if laid == UNANSWERED:
        return _asks(cursor, ASK_CHANGED, before, change)
    if laid == FALLS:
        return STOPPED
    tally[OUTSIDE] += outside[laid] - outside[before]
    wagers[LAID, wager] = laid
    if gone[laid]:
        owed = _answer(ASK_LEFT, laid, 0, asked)
        if owed == UNANSWERED:
            return _asks(cursor, ASK_LEFT, laid, 0)
        if owed == FALLS:
            return STOPPED
        wagers[OWED, wager] = owed
        tally[UNSETTLED] -= 1
    return GOES_ON


@numba.njit(forceinline=True)
def _settle(  # type: ignore[no-untyped-def]
    cursor, tally, at, name, decided, act, won, taken, owed_acts, asked, lying, wagers
):  # fmt: skip
    """Settle a wager of the round, exactly as it was owed."""
    wager = lying[name]
    if not cursor[WAGERS] <= wager < tally[COUNT] or wagers[NAME, wager] != name:
        return STOPPED
    if wagers[OWED, wager] != NONE:
        return STOPPED
    owed = _answer(ASK_OWED, wagers[LAID, wager], decided, asked)
    if owed == UNANSWERED:
        return _asks(cursor, ASK_OWED, wagers[LAID, wager], decided)
    owed_act, owed_won, owed_taken = owed_acts
    if owed == FALLS or owed_act[owed] != act:
        return STOPPED
    if owed_won[owed] != won or owed_taken[owed] != taken:
        return STOPPED
    if tally[WINNER_PAID] and act != WON:
        return STOPPED
    if act == WON:
        tally[WINNER_PAID] = 1
    wagers[SETTLED, wager], wagers[OWED, wager] = at, owed
    tally[UNSETTLED] -= 1
    tally[CENTS_TAKEN] += taken
    tally[CENTS_PAID] += won
    return GOES_ON


@numba.njit(forceinline=True)
def _of_house(cursor, house, at, number, does, alike, of_house):  # type: ignore[no-untyped-def]
    """What the fact of a row does to the house; UNANSWERED where the cursor says what is asked."""
    if does[number] == IS_OF_STAFF:
        return house << 1 | 1
    ask, second = ASK_REMEMBERED, np.int64(at)
    if does[number] != IS_REMEMBERED:
        ask, second = ASK_HOUSE, alike[number]
        if second == UNANSWERED:
            _asks(cursor, ASK_ALIKE, 0, number)
            return UNANSWERED
    change = _answer(ask, house, second, of_house)
    if change == UNANSWERED:
        _asks(cursor, ask, house, second)
    return change


@numba.njit(forceinline=True)
def _goes_on(  # type: ignore[no-untyped-def]
    cursor, begins, ends, does, alike, of_bodies, room, house, writes, body, changes, known, asked,
    of_house, lately, written,
):  # fmt: skip
    """Whether the next round opens alike from here and from what is known for real.

    What the house knows for real by then is left in the cursor.
    """
    real, number = cursor[REAL], body[ends]
    for place in range(cursor[WRITTEN], writes):
        at = written[place]
        change = _of_house(cursor, real, at, body[at], does, alike, of_house)
        if change == UNANSWERED:
            return ASKS
        if change == FALLS or not known[change >> 1]:
            return STOPPED
        real = change >> 1
    opens = _step(cursor, room, number, of_bodies, changes, asked, lately)[1]
    if opens == UNANSWERED:
        return ASKS
    opens_really = _step(cursor, begins, number, of_bodies, changes, asked, lately)[1]
    if opens_really == UNANSWERED:
        return ASKS
    if opens == FALLS or opens != opens_really:
        return STOPPED
    change = _of_house(cursor, house, ends, number, does, alike, of_house)
    if change == UNANSWERED:
        return ASKS
    really = _of_house(cursor, real, ends, number, does, alike, of_house)
    if really == UNANSWERED:
        return ASKS
    if change == FALLS or really == FALLS or change >> 1 != really >> 1:
        return STOPPED
    cursor[REAL] = real
    return GOES_ON


@numba.njit(forceinline=True)
def _follow(  # type: ignore[no-untyped-def]
    cursor, tally, row, ends, facts, bodies, rooms, laid_gone, owed, stakes, asked, of_house,
    lately, lying, wagers, written,
):  # fmt: skip
    """Take the facts of a round; ``tally`` has what came of them."""
    body, names = facts
    does, act, act_won, act_taken, alike, of_bodies = bodies
    room_open, room_knowable, changes, decides, requires = rooms
    room, house = cursor[ROOM], cursor[HOUSE]
    for at in range(row, ends):
        number = body[at]
        effect, following = _step(cursor, room, number, of_bodies, changes, asked, lately)
        if effect == UNANSWERED:
            return ASKS
        if effect == FALLS or (requires[effect] and tally[UNSETTLED] > 0):
            return STOPPED
        part, status = does[number], GOES_ON
        if part == TELLS_THE_HOUSE or part == IS_REMEMBERED or part == IS_OF_STAFF:  # noqa: SIM109
            change = _of_house(cursor, house, at, number, does, alike, of_house)
            if change == UNANSWERED:
                return ASKS
            if change == FALLS:
                return STOPPED
            house = change >> 1
            if change & 1:
                written[tally[WRITES]] = at
                tally[WRITES] += 1
        elif part == LAYS or part == CHANGES:  # noqa: SIM109
            if not room_open[room & NAMES - 1] or tally[IS_CLOSED] or names[at] < 0:
                return STOPPED
            under = stakes[house] << 1 | room_knowable[room & NAMES - 1]
            status = _touch(
                cursor, tally, part, at, names[at], number, under, laid_gone, asked, lying, wagers
            )
        elif part == SETTLES:
            if tally[DECISION] == NONE or names[at] < 0:
                return STOPPED
            status = _settle(
                cursor, tally, at, names[at], tally[DECISION],
                act[number], act_won[number], act_taken[number], owed, asked, lying, wagers,
            )  # fmt: skip
        elif part != 0:
            return STOPPED
        if status != GOES_ON:
            return status
        if decides[effect] != NONE:
            if tally[DECISION] != NONE:
                return STOPPED
            tally[DECISION], tally[DECISION_AT] = decides[effect], at
        if following != room:
            if room_open[room & NAMES - 1] and not room_open[following & NAMES - 1]:
                tally[IS_CLOSED] = 1
                if tally[OUTSIDE] > 0:
                    return STOPPED
            room = following
    tally[NEXT_ROOM], tally[NEXT_HOUSE] = room, house
    return GOES_ON


def _walk(  # type: ignore[no-untyped-def]
    cursor, begins, most_paid, unit,
    body, names, opens, strange, unsure,
    does, act, act_won, act_taken, alike, kind, says,
    room_open, room_knowable, changes, decides, requires,
    gone, outside, owed_act, owed_won, owed_taken, house_stakes, house_known,
    asked, of_house, lately,
    lying, rounds, wagers, written,
):  # fmt: skip
    of_bodies = kind, says
    bodies = does, act, act_won, act_taken, alike, of_bodies
    rooms = room_open, room_knowable, changes, decides, requires
    owed = owed_act, owed_won, owed_taken
    tally = np.zeros(TALLY, np.int64)
    opening = np.searchsorted(opens, cursor[ROW])
    while opening + 1 < len(opens):
        row, ends = opens[opening], opens[opening + 1]
        if strange[ends + 1] > strange[row] or unsure[ends] > unsure[row]:
            return STOPPED
        tally[:] = 0
        tally[DECISION] = NONE
        tally[COUNT], tally[WRITES] = cursor[WAGERS], cursor[WRITTEN]
        status = _follow(
            cursor, tally, row, ends, (body, names), bodies, rooms, (gone, outside), owed,
            house_stakes, asked, of_house, lately, lying, wagers, written,
        )  # fmt: skip
        if status != GOES_ON:
            return status
        if tally[DECISION] == NONE or not tally[IS_CLOSED] or tally[UNSETTLED] > 0:
            return STOPPED
        laid = tally[COUNT] - cursor[WAGERS]
        if most_paid >= 0 and tally[CENTS_PAID] + laid * unit > most_paid:
            return STOPPED
        room, house, writes = tally[NEXT_ROOM], tally[NEXT_HOUSE], tally[WRITES]
        closes = _answer(ASK_CLOSES, room & NAMES - 1, 0, asked)
        if closes == UNANSWERED:
            cursor[ASKED_IN] = room
            return _asks(cursor, ASK_CLOSES, room & NAMES - 1, 0)
        if closes != 1:
            return STOPPED
        status = _goes_on(
            cursor, begins, ends, does, alike, of_bodies, room, house, writes, body, changes,
            house_known, asked, of_house, lately, written,
        )  # fmt: skip
        if status != GOES_ON:
            return status
        place = cursor[ROUNDS]
        rounds[FIRST, place], rounds[ENDS, place] = row, ends
        rounds[ROOM_AFTER, place], rounds[HOUSE_AFTER, place] = room, house
        rounds[REAL_AFTER, place] = cursor[REAL]
        rounds[DECIDED, place], rounds[DECIDED_AT, place] = tally[DECISION], tally[DECISION_AT]
        rounds[TAKEN, place], rounds[PAID, place] = tally[CENTS_TAKEN], tally[CENTS_PAID]
        rounds[LAST_WAGER, place], rounds[LAST_WRITTEN, place] = tally[COUNT], writes
        cursor[ROW], cursor[ROOM], cursor[HOUSE] = ends, room, house
        cursor[ROUNDS], cursor[WAGERS], cursor[WRITTEN] = place + 1, tally[COUNT], writes
        opening += 1
    return STOPPED


_LONG, _LONGS, _ROWS = types.int64, types.int64[::1], types.int64[:, ::1]
_FILE = Path(__file__)
put = compiled(_put, _LONG(*[_LONG] * 3, _ROWS), _FILE)
walk = compiled(
    _walk,
    types.int64(_LONGS, *[_LONG] * 3, *[_LONGS] * 24, *[_ROWS] * 3, _LONGS, _ROWS, _ROWS, _LONGS),
    _FILE,
)
