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
ROW, HOUSE, REAL, ROUNDS, WAGERS, WRITTEN, STANDING, ASKED_OF, ASKED, LYING = range(10)
"""Places of the cursor: where the next round begins, what the house is and how much was read there,
how many wagers of earlier rounds stand, the two numbers of a question without an answer, and up to
which wager those of its round go."""
CURSOR: Final = 10
FIRST, ENDS, HOUSE_AFTER, REAL_AFTER = range(4)
DECIDED, DECIDED_AT, TAKEN, PAID, LAST_WAGER, LAST_WRITTEN = range(4, 10)
"""Columns of a round; its wagers and written rows go up to its last ones."""
NAME, LAID, PLACED, SETTLED, OWED, NOTED, BY, BY_AT = range(8)
"""Columns of a wager."""
FIELDS, MOST_PAID, UNIT, CLOSES_APART, COLLECTS_FIRST, HAS_APART = range(6)
LAST_IN, SHOWN_AT, COMPARED_AT = range(6, 9)
"""What is so of the game and the table: how many fields the room's state has, the payout limit in
cents (``NONE`` without one) and the unit of winnings; whether wagers close apart from one another,
whether losers are collected before winners are paid, whether some rules are asked apart; where the
last throw stands (``NONE``: nowhere), what it shows, and whether the fact that comes agrees."""

COUNT, UNSETTLED, DECISION, DECISION_AT, IS_CLOSED, WINNER_PAID = range(6)
CENTS_TAKEN, CENTS_PAID, WRITES, NEXT_HOUSE, OUTSIDE, LASTING = range(6, 12)
DECIDED_OF, THROWN = range(12, 14)
TALLY: Final = 14
"""Places of the tally of a round."""

DOES, ACT, ACT_WON, ACT_TAKEN, ALIKE, ASKED_BY, SAYS, BASE = range(8)
APART_BY, APART, AS_RECORDED, COMPARED_BY, COMPARED, WAY, OTHER_WAYS, ASKS = range(8)
"""What stands beside a body."""
WAY_BY, WAY_SAYS, NEXT_WAY = range(3)
"""How a body is asked after the first way."""
DECIDES, REQUIRES, ENDS_IN_WRITTEN, WRITTEN_FIELDS, OVERWRITTEN = range(5)
ALSO, NOTES = range(5, 7)
"""What stands beside what a fact does to the room."""
BY_THROW, PENDS, FIRST_WAGERS, FIRST_BY, OTHER_WAGERS, OTHER_BY = range(6)
"""What stands beside it of decisions."""
GONE, IS_OUTSIDE, MAY_LAST, REMOVABLE, WAGER_NAME, KIND_OF_WAGER = range(6)
"""What stands beside a wager as it lies."""
OWED_ACT, OWED_WON, OWED_TAKEN, STANDS = range(4)
"""What stands beside what a wager comes to."""
STAKES, IS_KNOWN = range(2)
"""What stands beside a state of the house. Beside a part of the room's state is whether it is
known, beside a decision whether it leaves wagers that outlive rounds."""

NONE, FALLS, UNANSWERED = -1, -2, -3
ANY_WAGER: Final = -1
"""Wagers of every name."""
NO_NAME, NOTHING_NOTED, RECORDED = 2, 3, 4
"""Numbers of parts: no wager has a name, none a note; the fact stands here as it was recorded."""
ASK_ROOM, ASK_HOUSE, ASK_LAID, ASK_CHANGED, ASK_LEFT, ASK_OWED, ASK_CLOSES, ASK_ALIKE = range(8)
ASK_REMEMBERED, ASK_STANDS, ASK_APART, ASK_RECORDED, ASK_COMPARED = range(8, 13)
TELLS_THE_HOUSE, LAYS, SETTLES, CHANGES, IS_REMEMBERED = 1, 2, 3, 4, 6
IS_OF_STAFF, LIFTS = 7, 8
WON: Final = 1
OF_WHOM: Final = 40
IS_OPEN, IS_KNOWABLE, OPEN_TO = 1, 2, 2
"""What the room says of any state; from bit ``OPEN_TO`` on, to which wagers the layout is open."""
OWN, OTHERS, BOUND, GOES, NAMED, NOTED_THEN = range(6)
"""What shows of the layout, behind the fields of the room's state."""
BITS: Final = 62
"""Of how many fields it is known whether a fact writes them whatever stood there."""
STANDS_BY, STANDS_SAYS, CLOSES_BY, CLOSES_SAYS, STANDS_FIELDS = range(5)
"""How questions about a state alone are asked; the fields of the first of them, as bits."""

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
def _answer_in(says, looked, room, asked_by, steps):  # type: ignore[no-untyped-def]
    """The answer to a question about the room in this state; UNANSWERED where nobody asked."""
    starts, fields = asked_by
    first, ends = starts[looked], starts[looked + 1]
    mixed = np.uint64(says)
    for at in range(first, ends):
        mixed = _mixed(mixed, room[fields[at]])
    place = np.int64(mixed & np.uint64(len(steps) - 1))
    while steps[place, 0] != NONE:
        if steps[place, 0] == says:
            same = True
            for at in range(first, ends):
                if steps[place, 2 + at - first] != room[fields[at]]:
                    same = False
                    break
            if same:
                return steps[place, 1]
        place = (place + 1) & (len(steps) - 1)
    return UNANSWERED


@numba.njit(forceinline=True)
def _of_room(cursor, room, number, bodies, of_bodies, asked_by, steps):  # type: ignore[no-untyped-def]
    """What a fact does to the room; UNANSWERED where that is asked."""
    effect = bodies[number, SAYS]
    if effect >= 0:
        effect = _answer_in(effect, bodies[number, ASKED_BY], room, asked_by, steps)
        if effect == UNANSWERED:
            apart_of, ways = of_bodies
            way = apart_of[number, OTHER_WAYS]
            while effect == UNANSWERED and way != NONE:
                effect = _answer_in(ways[way, WAY_SAYS], ways[way, WAY_BY], room, asked_by, steps)
                way = ways[way, NEXT_WAY]
    if effect == UNANSWERED:
        _asks(cursor, ASK_ROOM, 0, number)
    return effect


@numba.njit(forceinline=True)
def _may_stand_otherwise(effect, effects, alone):  # type: ignore[no-untyped-def]
    """Whether a fact writes a field by which the engine asks of any state."""
    return effects[effect, WRITTEN_FIELDS] & alone[STANDS_FIELDS]


@numba.njit(forceinline=True)
def _of_state(cursor, ask, room, alone, asked_by, steps):  # type: ignore[no-untyped-def]
    """What is so in a state of the room, whatever fact comes; UNANSWERED where that is asked."""
    which = STANDS_BY if ask == ASK_STANDS else CLOSES_BY
    answer = _answer_in(alone[which + 1], alone[which], room, asked_by, steps)
    if answer == UNANSWERED:
        _asks(cursor, ask, 0, 0)
    return answer


@numba.njit(forceinline=True)
def _write(effect, room, effects, written_fields, written_parts):  # type: ignore[no-untyped-def]
    """Write what a fact changes of the room."""
    first = effects[effect - 1, ENDS_IN_WRITTEN] if effect else 0
    ends = effects[effect, ENDS_IN_WRITTEN]
    for at in range(first, ends):
        room[written_fields[at]] = written_parts[at]


@numba.njit(forceinline=True)
def _show(cursor, number, room, how, parts, apart_of):  # type: ignore[no-untyped-def]
    """Say what the last throw shows, which may be the fact itself as it was recorded."""
    if how[LAST_IN] == NONE:
        return GOES_ON
    part = room[how[LAST_IN]]
    if part == RECORDED:
        part = room[how[LAST_IN]] = apart_of[number, AS_RECORDED]
        if part == UNANSWERED:
            return _asks(cursor, ASK_RECORDED, 0, number)
    for shown in range(how[SHOWN_AT], how[COMPARED_AT]):
        room[shown] = parts[part, 1 + shown - how[SHOWN_AT]]
    return GOES_ON


@numba.njit(forceinline=True)
def _compare(  # type: ignore[no-untyped-def]
    cursor, number, room, how, apart_of, asked_by, steps
):  # fmt: skip
    """Say whether a fact agrees with the last throw."""
    if apart_of[number, COMPARED] == NONE:
        return GOES_ON
    says, looked = apart_of[number, COMPARED], apart_of[number, COMPARED_BY]
    agrees = _answer_in(says, looked, room, asked_by, steps)
    if agrees == UNANSWERED:
        return _asks(cursor, ASK_COMPARED, 0, number)
    if agrees == FALLS:
        return STOPPED
    room[how[COMPARED_AT]] = agrees
    return GOES_ON


@numba.njit(forceinline=True)
def _passes(  # type: ignore[no-untyped-def]
    cursor, number, room, apart_of, asked_by, apart
):  # fmt: skip
    """Whether the rules that stand apart let a fact pass; ASKS where that is asked."""
    if apart_of[number, APART] == NONE:
        return GOES_ON
    passes = _answer_in(apart_of[number, APART], apart_of[number, APART_BY], room, asked_by, apart)
    if passes == UNANSWERED:
        return _asks(cursor, ASK_APART, 0, number)
    return GOES_ON if passes == 1 else STOPPED


@numba.njit(forceinline=True)
def _decide_wagers(  # type: ignore[no-untyped-def]
    cursor, tally, kinds, by, at, laid_so, wagers
):  # fmt: skip
    """Decide the wagers of some kinds that nothing has decided yet."""
    for wager in range(cursor[WAGERS], tally[COUNT]):
        if wagers[OWED, wager] != NONE or wagers[BY, wager] != NONE:
            continue
        if laid_so[wagers[LAID, wager], KIND_OF_WAGER] & kinds:
            wagers[BY, wager], wagers[BY_AT, wager] = by, at
            tally[DECIDED_OF] += 1


@numba.njit(forceinline=True)
def _decide(  # type: ignore[no-untyped-def]
    cursor, tally, at, effect, decides, decisions, how, laid_so, wagers
):  # fmt: skip
    """Note what a fact decides."""
    if decides != NONE or decisions[effect, FIRST_BY] != NONE:
        decided_at = tally[THROWN] if decisions[effect, BY_THROW] else at
        if decided_at == NONE:
            return STOPPED
        for by in (FIRST_BY, OTHER_BY):
            if decisions[effect, by] != NONE:
                kinds = decisions[effect, by - 1]
                _decide_wagers(
                    cursor, tally, kinds, decisions[effect, by], decided_at, laid_so, wagers
                )
        if decides != NONE:
            if tally[DECISION] != NONE:
                return STOPPED
            tally[DECISION], tally[DECISION_AT] = decides, decided_at
            if how[CLOSES_APART]:
                _decide_wagers(cursor, tally, ANY_WAGER, decides, decided_at, laid_so, wagers)
    if decisions[effect, PENDS]:
        tally[THROWN] = at
    return GOES_ON


def _put_step(row, steps):  # type: ignore[no-untyped-def]
    """Put an answer about the room in its place; return how many there are more."""
    mixed, last = np.uint64(row[0]), 1
    while last + 1 < len(row) and row[last + 1] != NONE:
        last += 1
        mixed = _mixed(mixed, row[last])
    place = np.int64(mixed & np.uint64(len(steps) - 1))
    while steps[place, 0] != NONE:
        same = steps[place, 0] == row[0]
        for at in range(2, len(row)):
            same = same and steps[place, at] == row[at]
        if same:
            return 0
        place = (place + 1) & (len(steps) - 1)
    steps[place, :] = row
    return 1


def _put(first, second, answer, rows):  # type: ignore[no-untyped-def]
    """Put an answer in its place; return how many there are more."""
    place = _place_of(first, second, rows)
    if rows[place, 0] == first:
        return 0
    rows[place, 0], rows[place, 1], rows[place, 2] = first, second, answer
    return 1


@numba.njit(forceinline=True)
def _lies(cursor, tally, name, lying, wagers):  # type: ignore[no-untyped-def]
    """The wager of the round that has this name and is not settled; NONE where there is none."""
    if name < 0:
        return NONE
    wager = lying[name]
    if not cursor[WAGERS] <= wager < tally[COUNT] or wagers[NAME, wager] != name:
        return NONE
    return wager if wagers[OWED, wager] == NONE else NONE


@numba.njit(forceinline=True)
def _goes(  # type: ignore[no-untyped-def]
    cursor, tally, part, name, number, under, laid_so, asked, lying, wagers
):  # fmt: skip
    """Whether nothing is left of the wager that a fact changes; UNANSWERED where that is asked."""
    wager = _lies(cursor, tally, name, lying, wagers)
    if (part != CHANGES and part != LIFTS) or wager == NONE:
        return 0
    change = under << OF_WHOM | number
    laid = _answer(ASK_CHANGED, wagers[LAID, wager], change, asked)
    if laid == UNANSWERED:
        _asks(cursor, ASK_CHANGED, wagers[LAID, wager], change)
        return UNANSWERED
    return 0 if laid == FALLS else laid_so[laid, GONE]


@numba.njit(forceinline=True)
def _say(  # type: ignore[no-untyped-def]
    cursor, tally, part, at, row, number, under, room, fields, names, places, laid_so, leaves,
    asked, lying, wagers,
):  # fmt: skip
    """Give the signs of the layout before the fact of a row; UNANSWERED where one is asked."""
    goes = _goes(cursor, tally, part, names[at], number, under, laid_so, asked, lying, wagers)
    if goes == UNANSWERED:
        return UNANSWERED
    lasting, own, bound = tally[LASTING], 0, 0
    if tally[DECISION] != NONE and not leaves[tally[DECISION], 0]:
        lasting = 0
    if lasting > 0:
        wager = _lies(cursor, tally, names[at], lying, wagers)
        if wager != NONE:
            own = laid_so[wagers[LAID, wager], MAY_LAST]
    named, noted = NO_NAME, NOTHING_NOTED
    wager = _lies(cursor, tally, names[at], lying, wagers)
    if wager != NONE:
        named, noted = laid_so[wagers[LAID, wager], WAGER_NAME], wagers[NOTED, wager]
    room[fields + NAMED], room[fields + NOTED_THEN] = named, noted
    place = places[at]
    if place >= 0:
        for wager in range(cursor[WAGERS], tally[COUNT]):
            placed = wagers[PLACED, wager]
            if placed < row or places[placed] != place:
                continue
            is_late = tally[DECISION] != NONE and wagers[SETTLED, wager] > tally[DECISION_AT]
            if not laid_so[wagers[LAID, wager], GONE] or is_late:
                bound = 1
    room[fields + OWN] = own
    room[fields + OTHERS] = 1 if lasting > own else 0
    room[fields + BOUND] = bound
    room[fields + GOES] = goes
    return GOES_ON


@numba.njit(forceinline=True)
def _touch(  # type: ignore[no-untyped-def]
    cursor, tally, part, at, row, stands, name, number, under, note, how, laid_so, leaves, asked,
    lying, wagers,
):  # fmt: skip
    """Lay a wager, or change one that lies there."""
    if name < 0:
        return STOPPED
    is_open = how[CLOSES_APART] or (stands & IS_OPEN and not tally[IS_CLOSED])
    first_wager, count = cursor[WAGERS], tally[COUNT]
    wager = lying[name]
    is_there = first_wager <= wager < count and wagers[NAME, wager] == name
    if is_there != (part != LAYS):
        return STOPPED
    if not is_open:
        is_free = tally[DECISION] == NONE or leaves[tally[DECISION], 0]
        if part != LIFTS or not is_free or not laid_so[wagers[LAID, wager], REMOVABLE]:
            return STOPPED
    if part == LAYS:
        laid = _answer(ASK_LAID, under, number, asked)
        if laid == UNANSWERED:
            return _asks(cursor, ASK_LAID, under, number)
        if laid == FALLS:
            return STOPPED
        if how[CLOSES_APART] and not stands >> OPEN_TO & laid_so[laid, KIND_OF_WAGER]:
            return STOPPED
        wagers[NAME, count], wagers[LAID, count], wagers[PLACED, count] = name, laid, at
        wagers[SETTLED, count] = wagers[OWED, count] = wagers[BY, count] = NONE
        wagers[NOTED, count] = NOTHING_NOTED if note == NONE else note
        lying[name] = count
        tally[OUTSIDE] += laid_so[laid, IS_OUTSIDE]
        tally[LASTING] += laid_so[laid, MAY_LAST]
        tally[COUNT] += 1
        tally[UNSETTLED] += 1
        return GOES_ON
    if wagers[OWED, wager] != NONE:
        return STOPPED
    change, before = under << OF_WHOM | number, wagers[LAID, wager]
    laid = _answer(ASK_CHANGED, before, change, asked)
    if laid == UNANSWERED:
        return _asks(cursor, ASK_CHANGED, before, change)
    if laid == FALLS:
        return STOPPED
    if how[CLOSES_APART]:
        open_to = stands >> OPEN_TO
        if wagers[BY, wager] != NONE or not open_to & laid_so[before, KIND_OF_WAGER]:
            return STOPPED
        if not open_to & laid_so[laid, KIND_OF_WAGER]:
            return STOPPED
    was_accepted = not is_open or tally[IS_CLOSED] or wagers[PLACED, wager] < row
    if laid_so[laid, IS_OUTSIDE] and was_accepted:
        return STOPPED
    if note != NONE:
        wagers[NOTED, wager] = note
    tally[OUTSIDE] += laid_so[laid, IS_OUTSIDE] - laid_so[before, IS_OUTSIDE]
    tally[LASTING] -= laid_so[before, MAY_LAST]
    wagers[LAID, wager] = laid
    if laid_so[laid, GONE]:
        owed = _answer(ASK_LEFT, laid, 0, asked)
        if owed == UNANSWERED:
            return _asks(cursor, ASK_LEFT, laid, 0)
        if owed == FALLS:
            return STOPPED
        wagers[OWED, wager], wagers[SETTLED, wager] = owed, at
        tally[UNSETTLED] -= 1
    else:
        tally[LASTING] += laid_so[laid, MAY_LAST]
    return GOES_ON


@numba.njit(forceinline=True)
def _settle(  # type: ignore[no-untyped-def]
    cursor, tally, at, name, number, how, bodies, dues, laid_so, asked, lying, wagers
):  # fmt: skip
    """Settle a wager of the round, exactly as it was owed."""
    act, won, taken = bodies[number, ACT], bodies[number, ACT_WON], bodies[number, ACT_TAKEN]
    if name < 0:
        return STOPPED
    wager = lying[name]
    if not cursor[WAGERS] <= wager < tally[COUNT] or wagers[NAME, wager] != name:
        return STOPPED
    decided = wagers[BY, wager] if how[CLOSES_APART] else tally[DECISION]
    if wagers[OWED, wager] != NONE or decided == NONE:
        return STOPPED
    owed = _answer(ASK_OWED, wagers[LAID, wager], decided, asked)
    if owed == UNANSWERED:
        return _asks(cursor, ASK_OWED, wagers[LAID, wager], decided)
    if owed == FALLS or dues[owed, OWED_ACT] != act:
        return STOPPED
    if dues[owed, OWED_WON] != won or dues[owed, OWED_TAKEN] != taken:
        return STOPPED
    if how[COLLECTS_FIRST] and tally[WINNER_PAID] and act != WON:
        return STOPPED
    if act == WON:
        tally[WINNER_PAID] = 1
    wagers[SETTLED, wager], wagers[OWED, wager] = at, owed
    tally[UNSETTLED] -= 1
    tally[DECIDED_OF] -= 1
    tally[LASTING] -= laid_so[wagers[LAID, wager], MAY_LAST]
    tally[CENTS_TAKEN] += taken
    tally[CENTS_PAID] += won
    return GOES_ON


@numba.njit(forceinline=True)
def _of_house(cursor, house, at, number, bodies, of_house):  # type: ignore[no-untyped-def]
    """What the fact of a row does to the house; UNANSWERED where the cursor says what is asked."""
    if bodies[number, DOES] == IS_OF_STAFF:
        return house << 1 | 1
    ask, second = ASK_REMEMBERED, np.int64(at)
    if bodies[number, DOES] != IS_REMEMBERED:
        ask, second = ASK_HOUSE, bodies[number, ALIKE]
        if second == UNANSWERED:
            _asks(cursor, ASK_ALIKE, 0, number)
            return UNANSWERED
    change = _answer(ask, house, second, of_house)
    if change == UNANSWERED:
        _asks(cursor, ask, house, second)
    return change


@numba.njit(forceinline=True)
def _tell(  # type: ignore[no-untyped-def]
    cursor, tally, house, at, number, bodies, of_house, written
):  # fmt: skip
    """Tell the house the fact of a row; also return what the house is after it."""
    change = _of_house(cursor, house, at, number, bodies, of_house)
    if change == UNANSWERED:
        return ASKS, house
    if change == FALLS:
        return STOPPED, house
    if change & 1:
        written[tally[WRITES]] = at
        tally[WRITES] += 1
    return GOES_ON, change >> 1


@numba.njit(forceinline=True)
def _owes(tally, leaves):  # type: ignore[no-untyped-def]
    """How many wagers lie there that the decision, if any, does not leave."""
    if tally[DECISION] != NONE and leaves[tally[DECISION], 0]:
        return tally[UNSETTLED] - tally[LASTING]
    return tally[UNSETTLED]


@numba.njit(forceinline=True)
def _is_due(tally, leaves, how):  # type: ignore[no-untyped-def]
    """Whether a wager is decided, not settled yet, and not left standing."""
    return (tally[DECIDED_OF] if how[CLOSES_APART] else _owes(tally, leaves)) > 0


@numba.njit(forceinline=True)
def _leave(cursor, tally, asked, dues, wagers, standing):  # type: ignore[no-untyped-def]
    """Note, in the second half of the place for them, the wagers that outlive the round."""
    count, half = 0, standing.shape[1] >> 1
    for wager in range(cursor[WAGERS], tally[COUNT]):
        if wagers[OWED, wager] != NONE:
            continue
        owed = _answer(ASK_OWED, wagers[LAID, wager], tally[DECISION], asked)
        if owed == UNANSWERED:
            return _asks(cursor, ASK_OWED, wagers[LAID, wager], tally[DECISION])
        if owed == FALLS or not dues[owed, STANDS] or count == half:
            return STOPPED
        wagers[OWED, wager] = owed
        for column in (NAME, LAID, PLACED):
            standing[column, half + count] = wagers[column, wager]
        count += 1
    tally[LASTING] = count
    return GOES_ON


@numba.njit(forceinline=True)
def _take_over(cursor, tally, laid_so, standing, lying, wagers):  # type: ignore[no-untyped-def]
    """Begin a round with the wagers that stand."""
    for at in range(cursor[STANDING]):
        count = tally[COUNT]
        for column in (NAME, LAID, PLACED):
            wagers[column, count] = standing[column, at]
        wagers[SETTLED, count] = wagers[OWED, count] = wagers[BY, count] = NONE
        wagers[NOTED, count] = NOTHING_NOTED
        lying[standing[NAME, at]] = count
        tally[LASTING] += laid_so[standing[LAID, at], MAY_LAST]
        tally[COUNT] += 1
        tally[UNSETTLED] += 1


@numba.njit(forceinline=True)
def _goes_on(  # type: ignore[no-untyped-def]
    cursor, tally, ends, bodies, of_bodies, room, fields, body, effects, parts, houses, asked_by,
    steps, of_house, written,
):  # fmt: skip
    """Whether the next round opens alike from here and from what is known for real.

    What the house knows for real by then is left in the cursor.
    """
    if fields < len(room):
        room[fields + OWN] = room[fields + BOUND] = room[fields + GOES] = 0
        room[fields + NAMED], room[fields + NOTED_THEN] = NO_NAME, NOTHING_NOTED
        room[fields + OTHERS] = 1 if tally[LASTING] > 0 else 0
    house, real, number = tally[NEXT_HOUSE], cursor[REAL], body[ends]
    for place in range(cursor[WRITTEN], tally[WRITES]):
        at = written[place]
        change = _of_house(cursor, real, at, body[at], bodies, of_house)
        if change == UNANSWERED:
            return ASKS
        if change == FALLS or not houses[change >> 1, IS_KNOWN]:
            return STOPPED
        real = change >> 1
    effect = _of_room(cursor, room, number, bodies, of_bodies, asked_by, steps)
    if effect == UNANSWERED:
        return ASKS
    if effect == FALLS:
        return STOPPED
    for field in range(fields):
        is_over = field < BITS and effects[effect, OVERWRITTEN] >> field & 1
        if not (is_over or parts[room[field], 0]):
            return STOPPED
    change = _of_house(cursor, house, ends, number, bodies, of_house)
    if change == UNANSWERED:
        return ASKS
    really = _of_house(cursor, real, ends, number, bodies, of_house)
    if really == UNANSWERED:
        return ASKS
    if change == FALLS or really == FALLS or change >> 1 != really >> 1:
        return STOPPED
    cursor[REAL] = real
    return GOES_ON


@numba.njit(forceinline=True)
def _follow(  # type: ignore[no-untyped-def]
    cursor, tally, row, ends, room, how, facts, bodies, of_bodies, parts, effects, decisions,
    written_so, alone, laid_so, dues, leaves, houses, asked, asked_by, steps, of_house, apart,
    lying, wagers, written,
):  # fmt: skip
    """Take the facts of a round; ``tally`` has what came of them, ``room`` its state."""
    (body, names, places), apart_of, house = facts, of_bodies[0], cursor[HOUSE]
    stands = _of_state(cursor, ASK_STANDS, room, alone, asked_by, steps)
    if stands == UNANSWERED:
        return ASKS
    for at in range(row, ends):
        number = body[at]
        part, base = bodies[number, DOES], bodies[number, BASE]
        under = houses[house, STAKES] << 1 | (stands & IS_KNOWABLE) >> 1
        if how[FIELDS] < how[SHOWN_AT] and apart_of[number, ASKS] and _say(
            cursor, tally, part, at, row, base, under, room, how[FIELDS], names, places, laid_so,
            leaves, asked, lying, wagers,
        ) == UNANSWERED:  # fmt: skip
            return ASKS
        if how[LAST_IN] != NONE:
            status = _compare(cursor, number, room, how, apart_of, asked_by, steps)
            if status != GOES_ON:
                return status
        effect = _of_room(cursor, room, number, bodies, of_bodies, asked_by, steps)
        if effect < 0:
            return ASKS if effect == UNANSWERED else STOPPED
        if effects[effect, REQUIRES] and _is_due(tally, leaves, how):
            return STOPPED
        status = GOES_ON
        if how[HAS_APART]:
            status = _passes(cursor, number, room, apart_of, asked_by, apart)
            if status != GOES_ON:
                return status
        if part == TELLS_THE_HOUSE or part == IS_REMEMBERED or part == IS_OF_STAFF:  # noqa: SIM109
            status, house = _tell(cursor, tally, house, at, number, bodies, of_house, written)
        elif part == LAYS or part == CHANGES or part == LIFTS:  # noqa: SIM109
            status = _touch(
                cursor, tally, part, at, row, stands, names[at], base, under,
                effects[effect, NOTES], how, laid_so, leaves, asked, lying, wagers,
            )  # fmt: skip
        elif part == SETTLES:
            status = _settle(
                cursor, tally, at, names[at], number, how, bodies, dues, laid_so, asked, lying,
                wagers,
            )  # fmt: skip
        elif part != 0:
            return STOPPED
        if status == GOES_ON and effects[effect, ALSO]:
            status = _decide(
                cursor, tally, at, effect, effects[effect, DECIDES], decisions, how, laid_so, wagers
            )
        if status != GOES_ON:
            return status
        _write(effect, room, effects, *written_so)
        if effects[effect, ALSO] and _show(cursor, number, room, how, parts, apart_of) == ASKS:
            return ASKS
        if _may_stand_otherwise(effect, effects, alone):
            before, stands = stands, _of_state(cursor, ASK_STANDS, room, alone, asked_by, steps)
            if stands == UNANSWERED:
                return ASKS
            if before & IS_OPEN and not stands & IS_OPEN:
                tally[IS_CLOSED] = 1
                if tally[OUTSIDE] > 0:
                    return STOPPED
    tally[NEXT_HOUSE] = house
    return GOES_ON


@numba.njit(forceinline=True)
def _keep(  # type: ignore[no-untyped-def]
    cursor, tally, row, ends, room, opened, rounds, rooms, standing
):  # fmt: skip
    """Keep a round, and go to where the next one opens."""
    place, house, writes = cursor[ROUNDS], tally[NEXT_HOUSE], tally[WRITES]
    rounds[FIRST, place], rounds[ENDS, place] = row, ends
    rounds[HOUSE_AFTER, place], rounds[REAL_AFTER, place] = house, cursor[REAL]
    rounds[DECIDED, place], rounds[DECIDED_AT, place] = tally[DECISION], tally[DECISION_AT]
    rounds[TAKEN, place], rounds[PAID, place] = tally[CENTS_TAKEN], tally[CENTS_PAID]
    rounds[LAST_WAGER, place], rounds[LAST_WRITTEN, place] = tally[COUNT], writes
    rooms[place, :] = room
    opened[:] = room
    half = standing.shape[1] >> 1
    standing[:, : tally[LASTING]] = standing[:, half : half + tally[LASTING]]
    cursor[ROW], cursor[HOUSE], cursor[STANDING] = ends, house, tally[LASTING]
    cursor[ROUNDS], cursor[WAGERS], cursor[WRITTEN] = place + 1, tally[COUNT], writes


def _walk(  # type: ignore[no-untyped-def]
    cursor, how, opened, room, alone,
    body, names, opens, strange, unsure, places,
    bodies, apart_of, ways, parts, effects, decisions, leaves, laid_so, dues, houses,
    written_fields, written_parts, starts, asked_fields,
    asked, of_house, steps, apart,
    lying, rounds, rooms, wagers, standing, written,
):  # fmt: skip
    asked_by, written_so = (starts, asked_fields), (written_fields, written_parts)
    tally = np.zeros(TALLY, np.int64)
    opening = np.searchsorted(opens, cursor[ROW])
    while opening + 1 < len(opens):
        row, ends = opens[opening], opens[opening + 1]
        if strange[ends + 1] > strange[row] or unsure[ends] > unsure[row]:
            return STOPPED
        if cursor[WAGERS] + cursor[STANDING] + ends - row > wagers.shape[1]:
            return STOPPED
        tally[:] = 0
        tally[DECISION] = tally[THROWN] = NONE
        tally[COUNT], tally[WRITES] = cursor[WAGERS], cursor[WRITTEN]
        room[:] = opened
        _take_over(cursor, tally, laid_so, standing, lying, wagers)
        status = _follow(
            cursor, tally, row, ends, room, how, (body, names, places), bodies,
            (apart_of, ways), parts, effects, decisions, written_so, alone, laid_so, dues, leaves,
            houses, asked, asked_by, steps, of_house, apart, lying, wagers, written,
        )  # fmt: skip
        cursor[LYING] = tally[COUNT]
        if status != GOES_ON:
            return status
        if tally[DECISION] == NONE or not tally[IS_CLOSED] or _owes(tally, leaves) > 0:
            return STOPPED
        laid = tally[COUNT] - cursor[WAGERS]
        if how[MOST_PAID] >= 0 and tally[CENTS_PAID] + laid * how[UNIT] > how[MOST_PAID]:
            return STOPPED
        closes = _of_state(cursor, ASK_CLOSES, room, alone, asked_by, steps)
        if closes == UNANSWERED:
            return ASKS
        if closes != 1:
            return STOPPED
        status = _leave(cursor, tally, asked, dues, wagers, standing)
        if status == GOES_ON:
            status = _goes_on(
                cursor, tally, ends, bodies, (apart_of, ways), room, how[FIELDS], body, effects,
                parts, houses, asked_by, steps, of_house, written,
            )  # fmt: skip
        if status != GOES_ON:
            return status
        _keep(cursor, tally, row, ends, room, opened, rounds, rooms, standing)
        opening += 1
    return STOPPED


_LONG, _LONGS, _ROWS = types.int64, types.int64[::1], types.int64[:, ::1]
_FILE = Path(__file__)
put = compiled(_put, _LONG(*[_LONG] * 3, _ROWS), _FILE)
put_step = compiled(_put_step, _LONG(_LONGS, _ROWS), _FILE)
walk = compiled(
    _walk,
    types.int64(
        *[_LONGS] * 11,
        *[_ROWS] * 10,
        *[_LONGS] * 4,
        *[_ROWS] * 4,
        _LONGS,
        *[_ROWS] * 4,
        _LONGS,
    ),
    _FILE,
)
