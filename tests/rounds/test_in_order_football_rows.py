"""What rows know of Three Dice Football's room: decisions, ways to ask, rules apart, throws.

Its days are in ``test_in_order_football.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from ledger import events
from ledger.games.named_tuple_change import replace as replaced
from ledger.games.room import Apart, Reopened
from ledger.games.three_dice_football import ROOM
from ledger.games.three_dice_football.calls import judge_caller
from ledger.games.three_dice_football.state import State
from ledger.kernel import FactRef, machine_code
from ledger.rounds.in_order import kept_tables
from ledger.rounds.in_order.apart_rows import ApartMattered, ApartRows
from ledger.rounds.in_order.partial_facts import NOTHING, Body, Needed
from ledger.rounds.in_order.room_parts import PASSED_ON, Shows, watched
from ledger.rounds.in_order.room_rows import WAYS, Effect, RoomRows
from ledger.rounds.in_order.room_table import RoomTable
from ledger.rounds.in_order.rows_of_kind import Part
from ledger.rounds.in_order.runs import Stretch
from ledger.rounds.in_order.stakes_seen import Layout, Signs, StakeSeen, StakesSeen
from ledger.rounds.in_order.stretch import RoundRead
from ledger.rounds.in_order.unlooked import LookedInto, Unlooked
from tests.rounds.football_wrong_days import CALLED, GAME, WRONG, nth, the_day
from tests.rounds.test_in_order_football import told_runs


@pytest.fixture(autouse=True)
def readable(monkeypatch: pytest.MonkeyPatch) -> None:
    """No machine code, whatever ran before; tables that no other test made rows in."""
    monkeypatch.setattr(machine_code, "is_available", lambda: False)
    monkeypatch.setattr(kept_tables, "_KEPT", [])


# --- decisions ------------------------------------------------------------------------------------


@pytest.fixture
def run() -> Stretch:
    """The one run of the day."""
    (out,) = told_runs(the_day())
    return out


def decision_of(run: Stretch) -> Any:
    """What decided the first game of a run."""
    return next(
        effect.decided
        for rows in run.reading.tables.room._rows.values()
        for ways in rows.ways.values()
        for _, known in ways
        for effect in known.values()
        if effect and effect.decided is not None
    )


def deciding(run: Stretch, **fields: Any) -> Effect:
    """A row by which a fact decides a game."""
    return Effect((), decision_of(run), False, frozenset())._replace(**fields)


def nothing_read(run: Stretch) -> RoundRead:
    """A round of which nothing was read yet."""
    room = run.reading.tables.room
    state = next(iter(room._states.values()))
    house: Any = None
    return RoundRead(run.begins, run.ends, state, house)


def test_a_throw_that_decides_is_of_its_round(run: Stretch) -> None:
    """No round ends with a throw pending, so that no day shows it."""
    round_, by_throw = nothing_read(run), deciding(run, is_by_throw=True)
    assert not run.reading._decide(round_, by_throw, 7)
    round_.thrown = 5
    assert run.reading._decide(round_, by_throw, 7)
    assert round_.decided_at == 5


def test_a_round_is_decided_once(run: Stretch) -> None:
    """No game has two decisions, so that no day shows it."""
    round_ = nothing_read(run)
    assert run.reading._decide(round_, deciding(run), 7)
    assert not run.reading._decide(round_, deciding(run), 8)
    assert round_.decided_at == 7


# --- rows of a room -------------------------------------------------------------------------------


A, B, C = (Part(name, is_known=True) for name in "ABC")
EFFECTS = tuple(Effect((), None, False, frozenset({number})) for number in range(20))


@pytest.fixture
def call() -> Body:
    """What a call says."""
    facts = the_day()
    return Body(facts[nth(facts, GAME, CALLED)])


def test_a_row_of_any_way_holds(call: Body) -> None:
    rows: RoomRows[Effect] = RoomRows()
    rows.add((A, A, A), call, NOTHING, {0}, EFFECTS[0])
    rows.add((B, A, A), call, NOTHING, {0, 1}, EFFECTS[1])
    rows.add((B, B, A), call, NOTHING, {2}, False)
    assert rows.looked(call) == ((0,), (0, 1), (2,))
    assert rows.row((A, C, C), call) == (EFFECTS[0], (0,))
    assert rows.row((B, A, C), call) == (EFFECTS[1], (0, 1))
    assert rows.row((C, C, A), call) == (False, (2,))
    assert rows.row((C, C, C), call) is None


def test_more_ways_than_there_may_be_are_taken_together(call: Body) -> None:
    """The last one asks by the fields of both from then on; its rows are made again."""
    rows: RoomRows[Effect] = RoomRows()
    state = (A,) * (WAYS + 2)
    for number in range(WAYS):
        rows.add(state, call, NOTHING, {number}, EFFECTS[number])
    rows.add(state, call, NOTHING, {WAYS}, EFFECTS[WAYS])
    assert len(rows.looked(call)) == WAYS
    assert rows.looked(call)[-1] == (WAYS - 1, WAYS)
    for place, found in ((WAYS - 1, None), (WAYS, None), (WAYS + 1, EFFECTS[WAYS])):
        others = [B] * (WAYS + 2)
        others[WAYS - 1] = others[WAYS] = A
        others[place] = B
        known = rows.row(others, call)
        assert (known and known[0]) == found


def test_where_more_of_a_fact_matters_all_rows_are_made_again(call: Body) -> None:
    rows: RoomRows[Effect] = RoomRows()
    rows.add((A, A), call, NOTHING, {0}, EFFECTS[0])
    faces: Needed = frozenset({((events.RollCalled, "faces"), "exactly")})
    rows.add((B, A), call, faces, {0}, EFFECTS[1])
    assert rows.needed == faces
    assert rows.row((A, A), call) is None
    assert rows.row((B, A), call) == (EFFECTS[1], (0,))
    rows.add((A, A), call, NOTHING, {0}, EFFECTS[0])
    assert rows.row((B, A), call) == (EFFECTS[1], (0,))


# --- rules that stand apart -----------------------------------------------------------------------


def test_rules_that_stand_apart_read_fields_that_there_are() -> None:
    for rules in ROOM.apart.values():
        for each in rules:
            assert each.reads <= {*State._fields}
    throws = ROOM.throws
    assert throws is not None
    assert {throws.pending, throws.last} <= {*State._fields}
    for name in (*throws.shown, *throws.passed_on):
        assert isinstance(vars(State)[name], property)
    assert all(callable(vars(State)[name]) for name in throws.compared.values())


def state_of(run: Stretch) -> tuple[Part, ...]:
    """What stands in the fields of a state after a game."""
    return run.reading.tables.rows.parts_of_room(run.reading.rounds.rooms[run.first])


@pytest.mark.parametrize(("reads", "passes"), [({"staff"}, False), ({"staff", "cameras"}, True)])
def test_a_rule_that_reads_another_field_has_no_row(
    reads: set[str], passes: bool, run: Stretch, call: Body
) -> None:
    def rule(_rules: Any, state: State, _fact: Any) -> Any:
        assert state.staff is not None
        assert state.cameras is not None
        return iter(())

    tables = run.reading.tables
    each = Apart(rule, frozenset(reads))
    mattered = ApartMattered(tables.room)
    mattered.needed[each] = NOTHING
    looked = tuple(sorted(map(State._fields.index, reads)))
    mattered.of_rules[events.RollCalled] = [(each, looked)]
    assert ApartRows(mattered, 0, 1).lets_pass(state_of(run), call) is passes


def test_a_rule_that_rules_something_lets_no_fact_pass(run: Stretch, call: Body) -> None:
    facts = WRONG["called by another"].day()
    other = Body(facts[nth(facts, GAME, CALLED, 2)])
    for body, passes in ((call, True), (other, False)):
        rows = ApartRows(ApartMattered(run.reading.tables.room), 0, 1)
        assert rows.lets_pass(state_of(run), body) is passes


def test_what_such_a_rule_reads_was_not_changed_before(run: Stretch) -> None:
    """In its place stands one that sees to that."""
    room = run.reading.tables.room
    (real,) = ROOM.apart[events.RollCalled]
    assert real.rule is judge_caller
    (instead,) = room._without_apart.room.apart[events.RollCalled]
    state, fact = watched(room.room, state_of(run), set()), Unlooked()
    assert [*instead.rule(room.undated, state, fact)] == []
    assert [*instead.rule(room.undated, replaced(state, cameras=None), fact)] == []
    with pytest.raises(LookedInto):
        instead.rule(room.undated, replaced(state, staff=state.staff), fact)


# --- what a throw shows ---------------------------------------------------------------------------


ASKS: tuple[Callable[[Any], object], ...] = (
    lambda one: [*one],
    lambda one: one[0],
    lambda one: one == (1, 2, 3),
)


def shown_state(room: RoomTable, parts: tuple[Part, ...], fact: Any) -> tuple[Any, set[int]]:
    """A state for a trial run in which a last throw shows something, and the fields it reads."""
    looked: set[int] = set()
    shows = Shows({"thrown_play": (99, "a play")}, {"agrees_with": (98, True)}, fact)
    return watched(room.room, parts, looked, shows=shows), looked


def test_what_a_throw_shows_is_asked_by_itself(run: Stretch) -> None:
    fact = SimpleNamespace()
    state, looked = shown_state(run.reading.tables.room, state_of(run), fact)
    assert (state.thrown_play, looked) == ("a play", {99})
    assert (state.agrees_with(fact), looked) == (True, {98, 99})
    with pytest.raises(LookedInto):
        state.agrees_with(SimpleNamespace())


def test_what_is_only_passed_on_may_not_be_looked_into(run: Stretch) -> None:
    state, looked = shown_state(run.reading.tables.room, state_of(run), SimpleNamespace())
    assert state.thrown_faces is PASSED_ON
    assert not looked
    looks: tuple[Callable[[Any], object], ...] = (bool, len, hash, str, *ASKS)
    for look in looks:
        with pytest.raises(LookedInto):
            look(state.thrown_faces)


HIDDEN: Any = Unlooked()


def test_of_a_wager_no_more_is_known_than_its_name_and_what_was_noted(run: Stretch) -> None:
    room, looked, fact = run.reading.tables.room.room, set[int](), SimpleNamespace(position="1")
    signs = Signs(named="Touchdown", noted=(2, 0))
    stakes = StakesSeen(Layout(room, signs, fact, looked, 10, is_placed=True))
    stake: Any = stakes.of(HIDDEN)
    assert type(stake) is StakeSeen
    assert (stake.wager, stake.noted, looked) == ("Touchdown", (2, 0), {14, 15})
    for name in ("wager_id", "position", "cents", "fresh"):
        with pytest.raises(LookedInto):
            getattr(stake, name)
    looks: tuple[Callable[[Any], object], ...] = (bool, hash, str, *ASKS)
    for look in looks:
        with pytest.raises(LookedInto):
            look(stake)
    nothing = StakesSeen(Layout(room, Signs(), fact, looked, 10, is_placed=True))
    assert nothing.of(HIDDEN) is None
    with pytest.raises(LookedInto):
        stakes.of("W1")


def test_a_ruling_that_opens_a_throw_again_has_no_row(run: Stretch) -> None:
    fact = the_day()[nth(the_day(), GAME, CALLED)]
    room = run.reading.tables.room
    assert room.found((), None, fact) is not None
    assert room.found((Reopened(fact=FactRef("a", 1)),), None, fact) is None
