"""Machine code takes only rounds that the readable reader takes, and says the same of them."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path
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
from ledger.kernel import machine_code
from ledger.replay import Replay
from ledger.rounds.in_order import kept_tables, machine_walk, room_table, walk_fast
from ledger.rounds.in_order.room_alike import RoomAlike
from ledger.rounds.in_order.room_table import RoomTable
from ledger.rounds.in_order.row_numbers import UNANSWERED, Answers, Ask, BodyColumns
from tests.engine import floor_day, log_of, of_tables
from tests.rounds.test_in_order import (
    TABLE,
    WRONG,
    altered,
    honest_day,
    is_same,
    judged,
)


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
    answered: list[Ask] = []
    keep = machine_walk._keep

    def noted(answers: Answers, fast: ModuleType, ask: Ask, *rest: int) -> None:
        before = answers.count
        keep(answers, fast, ask, *rest)
        answered.extend([ask] * (answers.count - before))

    monkeypatch.setattr(machine_walk, "_keep", noted)
    facts = of_tables(floor_day(scale=0.1)[0], TABLE, "SB-03")
    assert is_same(facts)
    first, answered[:] = answered.count(Ask.ROOM), []
    assert is_same(facts, "SB-03")
    assert 0 < answered.count(Ask.ROOM) < first / 2
    assert Ask.BY_NAME in answered


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


@pytest.mark.parametrize("holds", [True, False])
def test_whichever_fields_are_taken_for_names_rounds_are_the_same(
    holds: bool, monkeypatch: pytest.MonkeyPatch, compiled: list[int]
) -> None:
    monkeypatch.setattr(room_table, "holds_a_name", lambda *_: holds)
    assert is_same(honest_day())
    assert is_same(WRONG["a shaker never placed"]())
    assert any(compiled) is not holds  # a state that has to name something to be open is none


def test_what_has_to_do_with_names_is_no_row_of_every_table(compiled: list[int]) -> None:
    judged(honest_day(), in_bulk=True)
    room, _, bodies, _ = kept_tables._KEPT[0]
    shared: dict[str, set[bool]] = {}
    for state in [*room._states.values()]:
        for body in bodies.bodies:
            effect = room.effect(state, body)
            if effect is not None:
                shared.setdefault(body.kind.__name__, set()).add(effect.is_shared)
    assert shared["DiceThrown"] == shared["WagerSettled"] == {True}
    assert shared["DiceShaken"] == {False}  # it is looked for among those that were placed


def test_a_fact_is_asked_anew_where_more_of_it_matters(compiled: list[int]) -> None:
    """Else a call would be taken for another one that was met before any was asked about."""
    judged(honest_day(), in_bulk=True)
    known, _, bodies, _ = kept_tables._KEPT[0]
    numbers = [n for n, one in enumerate(bodies.bodies) if one.kind is events.RollCalled][:2]
    calls = [bodies.bodies[number] for number in numbers]
    room = RoomTable(known.rules)
    alike, columns = RoomAlike(room), BodyColumns()
    columns.follow(bodies)
    for number, call in zip(numbers, calls, strict=True):
        columns.kind.numbers[number], columns.says.numbers[number] = alike.fact(call)
    assert len({alike.fact(call) for call in calls}) == 1
    state = next(one for one in known._states.values() if known.effect(one, calls[0]) is not None)
    assert room.effect(state, calls[0]) is not None
    assert columns.is_asked_by_more(numbers[0], alike.asked(events.RollCalled).number)
    assert {columns.says.numbers[number] for number in numbers} == {UNANSWERED}
    assert len({alike.fact(call) for call in calls}) == 2


SAME_ROOM, SAME_FACT = "lately[place, 0] == room", "lately[place, 1] == number"
KIND = "of_bodies[0]"
SAME_KIND = f"{KIND}[lately[place, 1]] == {KIND}[number]"
PLACE = "_mixed(room, number) & np.uint64(len(lately) - 1)"


@pytest.mark.parametrize(
    ("wrong", "condition", "place", "instead"),
    [
        ("no shake", SAME_ROOM, "_mixed(0, number)", "True"),
        ("an entry that differs", SAME_FACT, f"_mixed(room, {KIND}[number])", SAME_KIND),
    ],
)
def test_what_was_asked_lately_is_told_by_room_and_fact(
    wrong: str, condition: str, place: str, instead: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not told apart by its place there, after a day on which all was in order."""
    text = source()
    assert condition in text
    assert PLACE in text
    text = text.replace(PLACE, PLACE.replace("_mixed(room, number)", place))
    assert _differs(text, WRONG[wrong](), monkeypatch, before=honest_day()) is False
    text = text.replace(condition, instead)
    assert _differs(text, WRONG[wrong](), monkeypatch, before=honest_day()) is True


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
UNSETTLED = ("tally[UNSETTLED] > 0", "False")
NEEDED: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "facts that fall back": ("shaken as betting closes", (("if strange[ends + 1] > strange[row] or", "if"),)),
    "who recorded it holds a credential": ("recorded by nobody known", (("or unsure[ends] > unsure[row]:", "or False:"),)),
    "the room has a row": ("a call that differs", (("if effect == FALLS or (requires[effect] and tally[UNSETTLED] > 0):\n            return STOPPED", "if effect == FALLS:\n            continue"), CLOSES)),
    "the house has a row": ("announced by another", (("if change == FALLS:\n                return STOPPED\n            house = change >> 1", "change = house << 1 if change == FALLS else change\n            house = change >> 1"),)),
    "betting is open": ("raised late", (("if not room_open[room & NAMES - 1] or tally[IS_CLOSED] or", "if"),)),
    "the wager is laid in order": ("in cash", (("if laid == FALLS:\n            return STOPPED\n        wagers[NAME, count]", "laid = max(laid, 0)\n        wagers[NAME, count]"),)),
    "it is laid once, or all is settled": ("placed twice", (("if is_there != (part == CHANGES):", "if False:"), UNSETTLED)),
    "it is changed in order": ("moved where nothing is offered", (("if laid == FALLS:\n        return STOPPED\n    tally[OUTSIDE]", "laid = before if laid == FALLS else laid\n    tally[OUTSIDE]"),)),
    "it is a wager of the round, settled once": ("settled twice", (("if not cursor[WAGERS] <= wager < tally[COUNT] or wagers[NAME, wager] != name:", "if False:"), ("if wagers[OWED, wager] != NONE:", "if False:"))),
    "the outcome is as owed": ("returned who lost", (("owed_act[owed] != act:", "False:"),)),
    "winnings are as owed": ("paid too much", (("owed_won[owed] != won or", ""),)),
    "the stake taken is as owed": ("taken too little", (("or owed_taken[owed] != taken:", "or False:"),)),
    "losers are collected first": ("a winner paid first", (("if tally[WINNER_PAID] and act != WON:", "if False:"),)),
    "what lies there keeps to the limits": ("over the limit", (("if tally[OUTSIDE] > 0:", "if False:"),)),
    "who comes and goes is done for real": ("relieved who was not there", (("return house << 1 | 1", "return house << 1"),)),
    "all is settled": ("never settled", (UNSETTLED,)),
    "nothing is owed at the end": ("no call", (CLOSES,)),
    "the next round opens alike": ("limits announced in a round", (("or change >> 1 != really >> 1:", "or False:"),)),
}  # fmt: skip
"""What is switched off, and the day on which only that is wrong."""


def test_the_walk_run_as_python_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _differs(source(), honest_day(), monkeypatch) is False


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("name", sorted(NEEDED))
def test_each_condition_of_the_walk_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, switched_off = NEEDED[name]
    text = source()
    for fragment, instead in switched_off:
        assert fragment in text
        text = text.replace(fragment, instead)
    assert _differs(text, WRONG[wrong](), monkeypatch)


def _differs(text: str, facts: Any, monkeypatch: pytest.MonkeyPatch, before: Any = ()) -> bool:
    """Whether a day is told otherwise by this source, after another day with the same tables."""
    plain = judged(facts, in_bulk=False)
    walk = walked_by(text)

    def twin(module: str, _: int) -> ModuleType | None:
        return walk if module == walk.__name__ else None

    monkeypatch.setattr(machine_walk, "twin", twin)
    monkeypatch.setattr(kept_tables, "_KEPT", [])
    try:
        with np.errstate(over="ignore"):
            if before:
                judged(before, in_bulk=True)
            return judged(facts, in_bulk=True) != plain
    except (
        AssertionError,
        IndexError,
        AttributeError,
        ValueError,
    ):  # it has no result: that is seen, too
        return True
