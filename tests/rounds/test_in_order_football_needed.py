"""Each condition by which a game of Three Dice Football is told from tables is needed.

It is switched off once, in the readable readers and in the source of the machine code, on a day on
which only that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

from ledger.games.three_dice_football.calls import judge_caller
from ledger.games.three_dice_football.equipment import judge_dice, judge_watch
from ledger.games.three_dice_football.state import State
from ledger.games.three_dice_football.wagers import FULL_GAME
from ledger.kernel import machine_code
from ledger.rounds.in_order import kept_tables, machine_walk
from ledger.rounds.in_order import stretch as stretch_module
from ledger.rounds.in_order.apart_rows import ApartRows
from ledger.rounds.in_order.partial_facts import Body
from ledger.rounds.in_order.room_rows import RoomRows
from ledger.rounds.in_order.room_table import RoomTable
from ledger.rounds.in_order.stakes_seen import BOUND, NAMED, OTHERS, SIGNS, Signs
from ledger.rounds.in_order.stretch import Reading, RoundRead
from tests.rounds.football_wrong_days import TABLE, WRONG, taken_down_in_time, the_day, winner_first
from tests.rounds.test_in_order import judged
from tests.rounds.test_in_order_fast import IN_ONE_PLACE, PART, differs, replaced, source, walked_by

SwitchOff = Callable[[pytest.MonkeyPatch], None]
HONEST: Final = "nothing is wrong"


@pytest.fixture(autouse=True)
def readable(monkeypatch: pytest.MonkeyPatch) -> None:
    """No machine code, whatever ran before; tables that no other test made rows in."""
    monkeypatch.setattr(machine_code, "is_available", lambda: False)
    monkeypatch.setattr(kept_tables, "_KEPT", [])


def day_of(name: str) -> Any:
    """The day of that name."""
    return the_day() if name == HONEST else WRONG[name].day()


# --- the readable readers -------------------------------------------------------------------------


SIGNS_OF, DECIDE = Reading._signs, Reading._decide
RECORDED, PASSES = RoomTable.as_recorded, ApartRows._passes


def _touched_without(condition: str) -> SwitchOff:
    """Let wagers be touched although one condition does not hold."""

    def may_be_touched(reading: Reading, round_: RoundRead, *names: str, wager: Any = None) -> bool:
        room, numbers = round_.room, reading.tables.room.wager_numbers
        asked = {"laid": (), "changed": (), "before": [*names][1:], "after": [*names][:1]}
        is_asked = condition == "laid" if wager is None else condition in asked
        of = asked[condition] if is_asked and condition in asked else names
        is_free = condition == "decided" or wager is None or wager.by is None
        if condition == "laid" and wager is not None:
            of = names
        return is_free and all(room.is_open_to(numbers[name]) for name in of)

    return lambda patch: patch.setattr(Reading, "_may_be_touched", may_be_touched)


def _sign_is(sign: int, shown: Any) -> SwitchOff:
    """Let a sign of the layout always show the same."""

    def signs(*arguments: Any) -> Signs:
        fields: list[Any] = [*SIGNS_OF(*arguments)]
        fields[sign] = shown
        return Signs(*fields)

    return lambda patch: patch.setattr(Reading, "_signs", signs)


def _lets_pass(rule: Any) -> SwitchOff:
    """Let one of the rules that stand apart let everything pass."""

    def passes(rows: ApartRows, each: Any, *rest: Any) -> bool:
        return each.rule is rule or PASSES(rows, each, *rest)

    return lambda patch: patch.setattr(ApartRows, "_passes", passes)


def _decides_by_itself(reading: Reading, round_: RoundRead, effect: Any, row: int) -> bool:
    return DECIDE(reading, round_, effect._replace(is_by_throw=False), row)


def _asked_but_for(which: int) -> SwitchOff:
    """After a day on which all was in order, ask no row by something that the last throw shows."""

    def switch_off(patch: pytest.MonkeyPatch) -> None:
        judged(the_day(), in_bulk=True, table=TABLE)
        shown = kept_tables._KEPT[0][0].shown_at + which

        def row(rows: Any, before: Any, body: Any) -> Any:
            for looked, known in rows.ways.get(body.parts(rows.needed), ()):
                for parts, answer in known.items():
                    asked = zip(looked, parts, strict=True)
                    if all(before[place] is part or place == shown for place, part in asked):
                        return answer, looked
            return None

        patch.setattr(RoomRows, "row", row)

    return switch_off


def _another_throw_recorded(patch: pytest.MonkeyPatch) -> None:
    """Keep the throw that was called in place of another one."""
    wrong, facts = WRONG["another play than was called"].day(), the_day()
    (thrown,) = [place for place, fact in enumerate(facts) if fact != wrong[place]]
    called, dice = facts[thrown], getattr(wrong[thrown], "dice", None)

    def as_recorded(room: RoomTable, body: Any) -> Any:
        return RECORDED(room, Body(called) if getattr(body.fact, "dice", None) == dice else body)

    patch.setattr(RoomTable, "as_recorded", as_recorded)


def _by_what_decided_last(_reading: Reading, round_: RoundRead, wager: Any) -> Any:
    return round_.decided or wager.by


def _noted_late(*arguments: Any) -> Signs:
    """The signs of the layout, on which each full game wager was laid after the first throw."""
    signs = SIGNS_OF(*arguments)
    return signs._replace(noted=(1, 0)) if signs.named in FULL_GAME else signs


def _unsettled(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Reading, "has_unsettled", staticmethod(lambda _: False))


TRUE: Callable[..., bool] = lambda *_, **__: True  # noqa: E731
NEEDED: dict[str, tuple[str, SwitchOff]] = {
    "a wager is laid while it is open": ("full game placed late", _touched_without("laid")),
    "no wager is laid while dice lie there": ("placed after the throw", _touched_without("laid")),
    "a wager is changed while it is open": ("full game raised late", _touched_without("changed")),
    "no wager is raised while dice lie there": ("raised after the throw", _touched_without("changed")),
    "no wager is lifted while dice lie there": ("lifted after the throw", _touched_without("changed")),
    "a wager is moved to one that is open": ("moved to a closed wager", _touched_without("after")),
    "what is decided is not changed": ("raised once decided", _touched_without("decided")),
    "what is decided is settled": ("settled after the next throw", _unsettled),
    "a wager is settled by its own decision": ("a winner of the last play collected", lambda patch: patch.setattr(Reading, "_decision_of", _by_what_decided_last)),
    "the throw decides and not the fact that shows it": (HONEST, lambda patch: patch.setattr(Reading, "_decide", _decides_by_itself)),
    "what lies there keeps to the limits": ("outside the limits", lambda patch: patch.setattr(stretch_module, "has_outside", lambda _: False)),
    "what lies there at first keeps to the limits": ("outside until the first throw", lambda patch: patch.setattr(stretch_module, "has_outside", lambda _: False)),
    "the act is what was owed": ("paid too much", lambda patch: patch.setattr(stretch_module, "is_as_owed", TRUE)),
    "the name of the wager that is settled": ("Touchdown last without a score", _sign_is(NAMED, None)),
    "what was noted with the wager": ("Touchdown last without a score", lambda patch: patch.setattr(Reading, "_signs", _noted_late)),
    "what is noted as a wager is placed": ("Extra Point not first without a score", lambda patch: patch.setattr(stretch_module, "noted_by", lambda _: (1, 0))),
    "an Extra Point wager lies there": ("no extra point roll", _sign_is(OTHERS, False)),
    "no Extra Point wager lies there": ("a roll for nobody", _sign_is(OTHERS, True)),
    "a wager lies at the Quarterback's position": ("the Quarterback without a wager", _sign_is(BOUND, True)),
    "which dice are thrown is asked": ("a die not selected", _lets_pass(judge_dice)),
    "that no die is lost is asked": ("a die lost", _lets_pass(judge_dice)),
    "that no die is unfit is asked": ("a die unfit", _lets_pass(judge_dice)),
    "cameras are asked": ("a camera lost", _lets_pass(judge_watch)),
    "dealers are asked": ("dealers fewer", _lets_pass(judge_watch)),
    "who calls is asked": ("called by another", _lets_pass(judge_caller)),
    "a run ends with its tables": ("dice a day old", lambda patch: patch.setattr("ledger.audit.rounds_in_bulk.bisect_right", lambda at, _: len(at))),
    "a call is compared with the throw": ("a wrong call", lambda patch: patch.setattr(RoomTable, "agrees", TRUE)),
    "a row asks for the play that was thrown": ("another play", _asked_but_for(0)),
    "a row asks for the extra point that was thrown": ("another extra point", _asked_but_for(1)),
    "a row asks how the dice were thrown": ("an improper throw", _asked_but_for(2)),
    "a throw is kept as it was recorded": ("another play than was called", _another_throw_recorded),
}  # fmt: skip
"""What is switched off, and the day on which only that is wrong."""


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("name", sorted(NEEDED))
def test_each_condition_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, switch_off = NEEDED[name]
    facts = day_of(wrong)
    plain = judged(facts, in_bulk=False, table=TABLE)
    assert judged(facts, in_bulk=True, table=TABLE) == plain
    monkeypatch.setattr(kept_tables, "_KEPT", [])
    switch_off(monkeypatch)
    try:
        in_bulk = judged(facts, in_bulk=True, table=TABLE)
    except AssertionError:  # it has no result for a wager: that is seen, too
        return
    assert in_bulk != plain


# --- machine code ---------------------------------------------------------------------------------


def _told_but_for(which: int) -> tuple[tuple[str, str], ...]:
    """Let no answer about the room be told by something that the last throw shows."""
    number = len(State._fields) + SIGNS + which
    return (*IN_ONE_PLACE, (PART, PART.replace(":", f" and fields[at] != {number}:")))


LAID_OPEN = (
    "if how[CLOSES_APART] and not stands >> OPEN_TO & laid_so[laid, KIND_OF_WAGER]:",
    "if False:",
)
BEFORE_OPEN = ("or not open_to & laid_so[before, KIND_OF_WAGER]:", "or False:")
AFTER_OPEN = ("if not open_to & laid_so[laid, KIND_OF_WAGER]:", "if False:")
UNDECIDED = ("if wagers[BY, wager] != NONE or not open_to", "if not open_to")
OWES = ("(tally[DECIDED_OF] if how[CLOSES_APART]", "(0 if how[CLOSES_APART]")
PASSING = ("return GOES_ON if passes == 1 else STOPPED", "return GOES_ON")
NAMES = ("named, noted = laid_so[wagers[LAID, wager], WAGER_NAME], wagers[NOTED, wager]", "{}")
NEEDED_FAST: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "a wager is laid while it is open": ("full game placed late", (LAID_OPEN,)),
    "no wager is laid while dice lie there": ("placed after the throw", (LAID_OPEN,)),
    "a wager is changed while it is open": ("full game raised late", (BEFORE_OPEN, AFTER_OPEN)),
    "no wager is raised while dice lie there": ("raised after the throw", (BEFORE_OPEN, AFTER_OPEN)),
    "no wager is lifted while dice lie there": ("lifted after the throw", (BEFORE_OPEN, AFTER_OPEN)),
    "a wager is moved to one that is open": ("moved to a closed wager", (AFTER_OPEN,)),
    "what is decided is not changed": ("raised once decided", (UNDECIDED,)),
    "what is decided is settled": ("settled after the next throw", (OWES,)),
    "a wager is settled by its own decision": ("a winner of the last play collected", (("decided = wagers[BY, wager] if how[CLOSES_APART] else tally[DECISION]", "decided = tally[DECISION] if tally[DECISION] != NONE else wagers[BY, wager]"),)),
    "the throw decides and not the fact that shows it": (HONEST, (("decided_at = tally[THROWN] if decisions[effect, BY_THROW] else at", "decided_at = at"),)),
    "what lies there keeps to the limits": ("outside the limits", (("if tally[OUTSIDE] > 0:", "if False:"),)),
    "what lies there at first keeps to the limits": ("outside until the first throw", (("if tally[OUTSIDE] > 0:", "if False:"),)),
    "winnings are as owed": ("paid too much", (("dues[owed, OWED_WON] != won or", ""),)),
    "the name of the wager that is settled": ("Touchdown last without a score", ((NAMES[0], "named = NO_NAME"),)),
    "what is noted as a wager is placed": ("Touchdown last without a score", (("NOTHING_NOTED if note == NONE else note\n        lying", "NOTHING_NOTED\n        lying"),)),
    "an Extra Point wager lies there": ("no extra point roll", (("room[fields + OTHERS] = 1 if lasting > own else 0\n    room[fields + BOUND]", "room[fields + OTHERS] = 0\n    room[fields + BOUND]"),)),
    "no Extra Point wager lies there": ("a roll for nobody", (("room[fields + OTHERS] = 1 if lasting > own else 0\n    room[fields + BOUND]", "room[fields + OTHERS] = 1\n    room[fields + BOUND]"),)),
    "a wager lies at the Quarterback's position": ("the Quarterback without a wager", (("room[fields + BOUND] = bound", "room[fields + BOUND] = 1"),)),
    "which dice are thrown is asked": ("a die not selected", (PASSING,)),
    "cameras are asked": ("a camera lost", (PASSING,)),
    "who calls is asked": ("called by another", (PASSING,)),
    "a call is compared with the throw": ("a wrong call", (("room[how[COMPARED_AT]] = agrees", "room[how[COMPARED_AT]] = 1"),)),
    "a row asks for the play that was thrown": ("another play", _told_but_for(0)),
    "a row asks for the extra point that was thrown": ("another extra point", _told_but_for(1)),
    "a row asks how the dice were thrown": ("an improper throw", _told_but_for(2)),
    "a throw is kept as it was recorded": (HONEST, (("        room[written_fields[at]] = written_parts[at]\n", "        if written_parts[at] != RECORDED or room[written_fields[at]] <= RECORDED:\n            room[written_fields[at]] = written_parts[at]\n"),)),
}  # fmt: skip
"""The same in the source of the machine code."""


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("name", sorted(NEEDED_FAST))
def test_each_condition_of_the_walk_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, switched_off = NEEDED_FAST[name]
    facts, text = day_of(wrong), source()
    assert differs(text, facts, monkeypatch, table=TABLE) is False
    wrong_text = replaced(text, switched_off)
    assert differs(wrong_text, facts, monkeypatch, before=the_day(), table=TABLE)


# --- what machine code would leave without need ---------------------------------------------------


def rounds_walked(text: str, facts: Any) -> int:
    """How many rounds of a day a source of the machine code reads."""
    counts, read_on, walk = [0], machine_walk.read_on, walked_by(text)

    def counted(reading: Reading, *rest: Any) -> Any:
        before = reading.rounds.count
        place = read_on(reading, *rest)
        counts.append(reading.rounds.count - before)
        return place

    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):
        patch.setattr(machine_walk, "twin", lambda *_: walk)
        patch.setattr("ledger.rounds.in_order.runs.read_on", counted)
        patch.setattr(kept_tables, "_KEPT", [])
        judged(facts, in_bulk=True, table=TABLE)
    return sum(counts)


LEFT: dict[str, tuple[Callable[[], Any], tuple[str, str]]] = {
    "what was taken down is not decided": (
        taken_down_in_time,
        ("if wagers[OWED, wager] != NONE or wagers[BY, wager] != NONE:", "if wagers[BY, wager] != NONE:"),
    ),
    "a winner may be paid first": (winner_first, ("if how[COLLECTS_FIRST] and", "if")),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(LEFT))
def test_the_walk_asks_no_more_than_it_must(name: str) -> None:
    make, asked_more = LEFT[name]
    text, facts = source(), make()
    fewer = rounds_walked(replaced(text, (asked_more,)), facts)
    assert 0 < fewer < rounds_walked(text, facts)
