"""Machine code takes only rounds that the readable reader takes, and says the same of them."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ledger import events
from ledger.audit import audit_day
from ledger.audit.coupons import with_coupons
from ledger.audit.ledger_contract import day_of
from ledger.audit.office import read_office
from ledger.audit.table import audit_table
from ledger.floor import FIRST_DAY, KINDS
from ledger.games.sic_bo.state import State
from ledger.kernel import machine_code
from ledger.replay import Replay
from ledger.rounds.in_order import kept_tables, machine_walk, walk_fast
from ledger.rounds.in_order.room_alike import RoomAlike
from ledger.rounds.in_order.room_table import RoomTable
from ledger.rounds.in_order.row_numbers import UNANSWERED, BodyColumns, Steps
from tests.engine import floor_day, log_of, of_tables
from tests.rounds.props_days import PROPS
from tests.rounds.test_in_order import (
    TABLE,
    WRONG,
    altered,
    honest_day,
    is_same,
    judged,
)
from tests.rounds.test_in_order_standing import WRONG as WRONG_STANDING


@pytest.fixture(autouse=True)
def tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that no other test made rows in."""
    monkeypatch.setattr(kept_tables, "_KEPT", [])


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let machine code run, however few facts there are; how many rounds it took each time."""
    monkeypatch.setattr(machine_code, "WORTH", 0)
    counts: list[int] = []
    read_on = machine_walk.read_on

    def counted(reading: Any, *rest: Any) -> Any:
        before = reading.rounds.count
        place = read_on(reading, *rest)
        counts.append(reading.rounds.count - before)
        return place

    monkeypatch.setattr("ledger.rounds.in_order.runs.read_on", counted)
    return counts


def without_results(facts: Any) -> Any:
    """The table's day, told from tables, with no result of any round asked for."""
    replay = Replay(log_of(facts))
    house = with_coupons(replay, read_office(replay))
    return audit_table(replay, house, TABLE, day_of(house.clock, FIRST_DAY), in_bulk=True)


# --- equality -------------------------------------------------------------------------------------


def test_an_honest_day_is_the_same_and_mostly_read_by_machine_code(compiled: list[int]) -> None:
    facts = of_tables(floor_day(scale=0.1)[0], TABLE)
    day, rounds = judged(facts, in_bulk=True)
    assert (day, rounds) == judged(facts, in_bulk=False)
    assert without_results(facts) == day
    assert sum(compiled) > 0.7 * 2 * day.rounds  # twice: with results and without


def test_a_whole_audit_with_coupons_has_the_same_digest(compiled: list[int]) -> None:
    facts = of_tables(floor_day(scale=0.05, coupons=True)[0], TABLE, "SB-02")
    replay = Replay(log_of(facts))
    assert audit_day(replay, FIRST_DAY, in_bulk=True) == audit_day(replay, FIRST_DAY)
    assert sum(compiled) > 20


@pytest.mark.parametrize("seed", range(40, 44))
def test_altered_days_are_the_same(seed: int, compiled: list[int]) -> None:
    assert is_same(altered(seed))


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(10))
def test_many_altered_days_are_the_same(part: int, compiled: list[int]) -> None:
    seeds = range(2000 + part * 20, 2000 + (part + 1) * 20)
    assert [seed for seed in seeds if not is_same(altered(seed))] == []


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("name", sorted(WRONG)[::4])
def test_what_is_wrong_is_left_to_the_readable_reader(name: str, compiled: list[int]) -> None:
    assert is_same(WRONG[name]())
    assert compiled


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(WRONG))
def test_whatever_is_wrong_is_left_to_the_readable_reader(name: str, compiled: list[int]) -> None:
    assert is_same(WRONG[name]())
    assert compiled


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("group", range(6))
def test_no_plant_is_read_as_in_order(group: int, compiled: list[int]) -> None:
    facts, truth = floor_day(*sorted(KINDS)[group::6], seed=3 + group, scale=0.3)
    replay = Replay(log_of(facts))
    for day in sorted({FIRST_DAY} | {date.fromisoformat(row["gaming_day"]) for row in truth}):
        assert audit_day(replay, day, in_bulk=True) == audit_day(replay, day)
    assert sum(compiled) > 100


def test_two_tables_that_take_turns_do_not_mix_what_they_asked(compiled: list[int]) -> None:
    """What the house treats alike is asked anew as more is known to matter, at every table."""
    facts = of_tables(floor_day(scale=0.03)[0], TABLE, "SB-02")
    replay = Replay(log_of(facts))
    house = with_coupons(replay, read_office(replay))
    span = day_of(house.clock, FIRST_DAY)
    names = (TABLE, "SB-02", TABLE)
    days = [audit_table(replay, house, name, span, in_bulk=True) for name in names]
    assert days == [audit_table(replay, house, name, span) for name in names]


def test_what_a_room_treats_alike_is_asked_at_one_table_for_all(
    compiled: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    questions: list[int] = []
    answer = machine_walk._answer_of_room

    def noted(reading: Any, room: Any, number: int, fast: ModuleType) -> None:
        questions.append(number)
        answer(reading, room, number, fast)

    monkeypatch.setattr(machine_walk, "_answer_of_room", noted)
    facts = of_tables(floor_day(scale=0.1)[0], TABLE, "SB-03")
    assert is_same(facts)
    first = len(questions)
    questions.clear()
    assert is_same(facts, "SB-03")
    assert 0 < len(questions) < first / 2


def test_tables_that_are_nearly_full_are_made_anew_before_a_day(
    compiled: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = honest_day()
    plain = judged(facts, in_bulk=False)
    assert judged(facts, in_bulk=True) == plain
    bodies = kept_tables._KEPT[0][2]
    monkeypatch.setattr(kept_tables, "BODIES", len(bodies) + kept_tables.ROOM_LEFT)
    assert judged(facts, in_bulk=True) == plain
    assert kept_tables._KEPT[0][2] is bodies
    monkeypatch.setattr(kept_tables, "BODIES", len(bodies) + kept_tables.ROOM_LEFT - 1)
    assert judged(facts, in_bulk=True) == plain
    assert [one[2] is bodies for one in kept_tables._KEPT] == [False]


def test_a_row_is_asked_by_the_fields_that_it_reads_and_by_no_others(compiled: list[int]) -> None:
    """Which shakers were placed matters to facts of the shaker alone, and so on."""
    judged(honest_day(), in_bulk=True)
    room, _, bodies, *_ = kept_tables._KEPT[0]
    by_kind: dict[str, set[str]] = {}
    for body in bodies.bodies:
        ways = room.rows(body.kind).looked(body)
        read = {room.kind._fields[number] for looked in ways for number in looked}
        by_kind.setdefault(body.kind.__name__, set()).update(read)
    assert {kind for kind, read in by_kind.items() if "shakers" in read} == {
        "DiceShaken",
        "ShakerCovered",
    }
    assert {kind for kind, read in by_kind.items() if "entered" in read} == {"AreasLit"}
    assert not by_kind["WagerPlaced"]
    assert any(compiled)


def test_a_fact_is_asked_anew_where_more_of_it_matters(compiled: list[int]) -> None:
    """Else a call would be taken for another one that was met before any was asked about."""
    judged(honest_day(), in_bulk=True)
    known, _, bodies, *_ = kept_tables._KEPT[0]
    numbers = [n for n, one in enumerate(bodies.bodies) if one.kind is events.RollCalled][:2]
    calls = [bodies.bodies[number] for number in numbers]
    room = RoomTable(known.rules)
    alike, columns = RoomAlike(room), BodyColumns()
    columns.follow(bodies)
    columns.ask(numbers, [*map(alike.fact, calls)], alike, range(0))
    assert len({alike.fact(call) for call in calls}) == 1
    state = next(
        one for one in known._states.values() if known.effect(one.parts, calls[0]) is not None
    )
    assert room.effect(state.parts, calls[0]) is not None
    assert columns.is_asked_otherwise(numbers[0], alike.fact(calls[0]))
    assert {columns.says[number] for number in numbers} == {UNANSWERED}
    assert len({alike.fact(call) for call in calls}) == 2


def test_what_was_answered_about_the_room_is_told_by_the_fact_and_the_parts() -> None:
    """In a table where most answers stand in the place of another one."""
    walk, random = walked_by(source()), Random(1)
    steps = Steps()
    steps.follow([(0, 2, 5), (1,)])
    rooms = [np.array([random.randrange(3) for _ in range(6)], np.int64) for _ in range(60)]
    asked_by = steps.starts.numbers, steps.fields.numbers
    known: dict[tuple[int, ...], int] = {}
    with np.errstate(over="ignore"):
        for number, (says, room) in enumerate((says, room) for says in range(20) for room in rooms):
            name = (says, *room[[0, 2, 5]].tolist())
            if random.random() < 0.5:
                known.setdefault(name, number)
                steps.put(says, room[[0, 2, 5]], number, walk.put_step)
        for says in range(20):
            for room in rooms:
                name = (says, *room[[0, 2, 5]].tolist())
                answer = walk._answer_in(says, 0, room, asked_by, steps.rows)
                assert answer == known.get(name, UNANSWERED)
    assert len(steps.rows) < 4 * len(known)


MIXED_FACT, MIXED_PARTS = "mixed = np.uint64(says)\n", "mixed = _mixed(mixed, room[fields[at]])"
IN_ONE_PLACE = (
    (MIXED_FACT, "mixed = np.uint64(0)\n"),
    (MIXED_PARTS, "pass"),
    ("mixed, last = np.uint64(row[0]), 1", "mixed, last = np.uint64(0), 1"),
    ("mixed = _mixed(mixed, row[last])", "pass"),
)
"""All answers about the room stand in one row of places: none is told apart by its place."""


PART = "if steps[place, 2 + at - first] != room[fields[at]]:"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [("lights left on", "lit"), ("too few shakes", "shakes"), ("no call", "called")],
)
def test_an_answer_about_the_room_is_told_by_each_part(
    wrong: str, field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not told apart by its place, after a day on which all was in order."""
    text = replaced(source(), IN_ONE_PLACE)
    assert differs(text, WRONG[wrong](), monkeypatch, before=honest_day()) is False
    number = State._fields.index(field)
    text = replaced(text, ((PART, PART.replace(":", f" and fields[at] != {number}:")),))
    assert differs(text, WRONG[wrong](), monkeypatch, before=honest_day()) is True


def replaced(text: str, fragments: Any) -> str:
    for fragment, instead in fragments:
        assert fragment in text, fragment
        text = text.replace(fragment, instead)
    return text


# --- each condition is needed ---------------------------------------------------------------------


@cache
def source() -> str:
    return Path(str(walk_fast.__file__)).read_text("utf-8")


def walked_by(text: str) -> ModuleType:
    """The walk from a source, run as Python, without a compiler."""
    module = ModuleType("ledger.rounds.in_order.walk_fast")
    module.__file__ = str(walk_fast.__file__)
    plain = text.replace("@numba.njit(forceinline=True)\n", "").replace("compiled(", "as_it_is(")
    vars(module)["as_it_is"] = lambda function, *_: function
    with np.errstate(over="ignore"):
        exec(compile(plain, "walk", "exec"), vars(module))  # noqa: S102
    return module


CLOSES = ("if closes != 1:", "if False:")
UNSETTLED = (
    ("or _owes(tally, leaves) > 0:", "or False:"),
    ("if effects[effect, REQUIRES] and _is_due(tally, leaves, how):", "if False:"),
    ("if owed == FALLS or not dues[owed, STANDS] or count == half:", "if owed == FALLS:"),
)
ROW = "return ASKS if effect == UNANSWERED else STOPPED\n        if effects"
NO_ROW = "if effect == UNANSWERED:\n                return ASKS\n            continue\n        if effects"
LIFTED_LATE = "if part != LIFTS or not is_free or not laid_so[wagers[LAID, wager], REMOVABLE]:"
NEEDED: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "facts that fall back": ("shaken as betting closes", (("if strange[ends + 1] > strange[row] or", "if"),)),
    "who recorded it holds a credential": ("recorded by nobody known", (("or unsure[ends] > unsure[row]:", "or False:"),)),
    "the room has a row": ("a call that differs", ((ROW, NO_ROW), CLOSES)),
    "the house has a row": ("announced by another", (("if change == FALLS:\n        return STOPPED, house\n    if change & 1", "change = house << 1 if change == FALLS else change\n    if change & 1"),)),
    "betting is open": ("raised late", (("if not is_open:\n        is_free", "if False:\n        is_free"),)),
    "the wager is laid in order": ("in cash and taken down", (("if laid == FALLS:\n            return STOPPED\n        if how", "laid = max(laid, 0)\n        if how"),)),
    "it is laid once, or all is settled": ("placed twice", (("if is_there != (part != LAYS):", "if False:"), *UNSETTLED)),
    "it is changed in order": ("moved where nothing is offered", (("if laid == FALLS:\n        return STOPPED\n    if how", "laid = before if laid == FALLS else laid\n    if how"),)),
    "it is a wager of the round, settled once": ("settled twice", (("if not cursor[WAGERS] <= wager < tally[COUNT] or wagers[NAME, wager] != name:", "if False:"), ("if wagers[OWED, wager] != NONE or decided == NONE:", "if decided == NONE:"))),
    "the outcome is as owed": ("returned who lost", (("dues[owed, OWED_ACT] != act:", "False:"),)),
    "winnings are as owed": ("paid too much", (("dues[owed, OWED_WON] != won or", ""),)),
    "the stake taken is as owed": ("taken too little", (("or dues[owed, OWED_TAKEN] != taken:", "or False:"),)),
    "losers are collected first": ("a winner paid first", (("if how[COLLECTS_FIRST] and tally", "if False and tally"),)),
    "what lies there keeps to the limits": ("over the limit", (("if tally[OUTSIDE] > 0:", "if False:"),)),
    "who comes and goes is done for real": ("relieved who was not there", (("return house << 1 | 1", "return house << 1"),)),
    "all is settled": ("never settled", UNSETTLED),
    "nothing is owed at the end": ("no call", (CLOSES,)),
    "the next round opens alike": ("limits announced in a round", (("or change >> 1 != really >> 1:", "or False:"),)),
}  # fmt: skip
"""What is switched off, and the day on which only that is wrong."""


def test_the_walk_run_as_python_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert differs(source(), honest_day(), monkeypatch) is False


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("name", sorted(NEEDED))
def test_each_condition_of_the_walk_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, switched_off = NEEDED[name]
    assert differs(replaced(source(), switched_off), WRONG[wrong](), monkeypatch)


NEEDED_STANDING: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "the fact names a wager that stands": ("refused", (("room[fields + OWN] = own\n", "room[fields + OWN] = 0\n"),)),
    "another one stands": ("a lammer of nobody", (("room[fields + OTHERS] = 1 if lasting > own else 0", "room[fields + OTHERS] = 1"),)),
    "a position is bound": ("left before the roll", (("room[fields + BOUND] = bound", "room[fields + BOUND] = 0"),)),
    "nothing is left of a wager": ("taken down and another placed", (("room[fields + GOES] = goes", "room[fields + GOES] = 0"),)),
    "what goes once all is decided was bound": ("left once it was lifted", (("if not laid_so[wagers[LAID, wager], GONE] or is_late:", "if not laid_so[wagers[LAID, wager], GONE]:"),)),
    "what does not lift is late": ("raised late", ((LIFTED_LATE, LIFTED_LATE.replace("part != LIFTS or ", "")),)),
    "what is decided is not lifted": ("lifted after a 7", ((LIFTED_LATE, LIFTED_LATE.replace("not is_free or ", "")),)),
    "others are not lifted late": ("another one lifted late", ((LIFTED_LATE, "if part != LIFTS or not is_free:"),)),
    "what lies there keeps to the limits once betting is closed": ("less than the minimum", (("= not is_open or tally[IS_CLOSED] or wagers", "= wagers"),)),
    "what was accepted keeps to the limits": ("above the maximum for a while", (("= not is_open or tally[IS_CLOSED] or wagers[PLACED, wager] < row", "= not is_open"),)),
    "settlements are complete": ("covered before all is settled", (("if effects[effect, REQUIRES] and _is_due(tally, leaves, how):", "if False:"),)),
    "a 7 leaves none": ("not settled after a 7", UNSETTLED),
    "what stands is not settled": ("settled while it stands", (("if owed == FALLS or dues[owed, OWED_ACT] != act:", "if owed == FALLS:"), ("if dues[owed, OWED_WON] != won or dues[owed, OWED_TAKEN] != taken:", "if False:"))),
    "the room has a row": ("another lammer", ((ROW, NO_ROW), CLOSES)),
    "what stands is there in the next round": ("taken down and another placed", (("_take_over(cursor, tally, laid_so, standing, lying, wagers)\n        status", "status"),)),
}  # fmt: skip
"""The same for what stands at a table of Props & Hops (``test_in_order_standing.py``)."""


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("name", sorted(NEEDED_STANDING))
def test_each_condition_of_what_stands_is_needed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong, switched_off = NEEDED_STANDING[name]
    facts = WRONG_STANDING[wrong]()
    text = source()
    assert differs(text, facts, monkeypatch, table=PROPS) is False
    assert differs(replaced(text, switched_off), facts, monkeypatch, table=PROPS)


def differs(
    text: str, facts: Any, monkeypatch: pytest.MonkeyPatch, before: Any = (), table: str = TABLE
) -> bool:
    """Whether a day is told otherwise by this source, after another day with the same tables."""
    plain = judged(facts, in_bulk=False, table=table)
    walk = walked_by(text)

    def twin(module: str, _: int) -> ModuleType | None:
        return walk if module == walk.__name__ else None

    monkeypatch.setattr(machine_walk, "twin", twin)
    monkeypatch.setattr(kept_tables, "_KEPT", [])
    try:
        with np.errstate(over="ignore"):
            if before:
                judged(before, in_bulk=True, table=table)
            return judged(facts, in_bulk=True, table=table) != plain
    except (
        AssertionError,
        IndexError,
        AttributeError,
        ValueError,
    ):  # it has no result: that is seen, too
        return True
