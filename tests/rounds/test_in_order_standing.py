"""Rounds of Props & Hops told from tables: its Six Eight Shakes outlive their rounds.

What every game shares is tried with Sic Bo (``test_in_order.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ledger import events
from ledger.audit import audit_day, rounds_in_bulk
from ledger.audit.stretch_rulings import StretchRulings
from ledger.floor import FIRST_DAY
from ledger.games import ROOMS
from ledger.games.named_tuple_change import replace as replaced
from ledger.games.outcomes import DiceOutcome
from ledger.games.props_and_hops import ROOM
from ledger.games.props_and_hops.state import TURNS, _gone
from ledger.games.props_and_hops.terms import Roll, Sequence
from ledger.games.room import Decided
from ledger.games.stakes_on_layout import NO_STAKES
from ledger.games.standing_stakes import NOTHING_STANDS
from ledger.kernel import FactRef, machine_code
from ledger.replay import Replay
from ledger.replay.fact_columns import NULL, UNREAD
from ledger.rounds import TablePlay
from ledger.rounds.in_order import kept_tables, results_of, room_table, runs
from ledger.rounds.in_order import stretch as stretch_module
from ledger.rounds.in_order.fact_bodies import Bodies, Does, kinds
from ledger.rounds.in_order.room_table import RoomTable, is_filed_alike, unnamed
from ledger.rounds.in_order.runs import Stretch
from ledger.rounds.in_order.stakes_seen import (
    BOUND,
    GOES,
    OTHERS,
    OWN,
    UNSIGNED,
    Layout,
    Signs,
    StakesSeen,
)
from ledger.rounds.in_order.state_names import is_partial
from ledger.rounds.in_order.stretch import Reading, RoundRead, is_left
from ledger.rounds.in_order.unlooked import STAKES_UNASKED, LookedInto, Unlooked
from tests.engine import floor_day, log_of, of_tables
from tests.rounds.props_days import (
    PROPS,
    SHAKE,
    Facts,
    after,
    altered_coupons,
    altered_props,
    changed_at,
    of_kinds,
    settlement,
    without,
)
from tests.rounds.test_in_order import honest_day, is_same, judged

STAKE = 500


@pytest.fixture(autouse=True)
def readable(monkeypatch: pytest.MonkeyPatch) -> None:
    """No machine code, whatever ran before; tables that no other test made rows in."""
    monkeypatch.setattr(machine_code, "is_available", lambda: False)
    monkeypatch.setattr(kept_tables, "_KEPT", [])


def let_machine_code_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let machine code run, however few facts there are."""
    monkeypatch.undo()
    monkeypatch.setattr(machine_code, "WORTH", 0)


@pytest.fixture
def stretches(monkeypatch: pytest.MonkeyPatch) -> list[Stretch]:
    """The runs of rounds that were told from tables."""
    out: list[Stretch] = []
    note_stretches(monkeypatch, out)
    return out


def note_stretches(monkeypatch: pytest.MonkeyPatch, out: list[Stretch]) -> None:
    """Note the runs of rounds that are told from tables from here on."""
    in_order = runs.rounds_in_order

    def noted(*arguments: Any) -> Any:
        run = in_order(*arguments)
        out.extend([] if run is None else [run])
        return run

    monkeypatch.setattr(rounds_in_bulk, "rounds_in_order", noted)


# --- honest and altered days ----------------------------------------------------------------------


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("seed", [1, 3])
def test_an_honest_day_is_the_same_and_told_from_tables(
    seed: int, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fast:
        let_machine_code_run(monkeypatch)
    facts = honest_day(seed, PROPS)
    out: list[Stretch] = []
    note_stretches(monkeypatch, out)
    day, rounds = judged(facts, in_bulk=True, table=PROPS)
    assert (day, rounds) == judged(facts, in_bulk=False, table=PROPS)
    assert sum(map(len, out)) == day.rounds - 1  # the last
    assert is_same(facts, PROPS)


def test_an_audit_of_a_day_of_two_tables_is_the_same() -> None:
    facts = of_tables(floor_day(scale=0.03)[0], PROPS, "PH-02", "SB-01")
    replay = Replay(log_of(facts))
    assert audit_day(replay, FIRST_DAY, in_bulk=True) == audit_day(replay, FIRST_DAY)


@pytest.mark.parametrize("fast", [False, True])
def test_rows_that_one_table_made_serve_another(
    fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each files hop groups for a layout of its own; both file the same ones."""
    if fast:
        let_machine_code_run(monkeypatch)
    monkeypatch.setattr(kept_tables, "_KEPT", [])
    facts = of_tables(floor_day(scale=0.1)[0], PROPS, "PH-02")
    counts = []
    for table in (PROPS, "PH-02", PROPS):
        assert is_same(facts, table)
        counts.append(kept_tables._KEPT[0][0].rows_kept)
    assert len(kept_tables._KEPT) == 1
    assert counts[0] < counts[1] < 1.7 * counts[0]
    assert counts[2] < 1.05 * counts[1]


def test_tables_do_not_serve_who_filed_other_groups(stretches: list[Stretch]) -> None:
    judged(the_day(), in_bulk=True, table=PROPS)
    filed = stretches[0].reading.tables.rules.filed
    assert filed is not None
    (groups,) = [one for one in filed.options if isinstance(one, events.HopGroupsFiled)]
    others = {
        "layout": {"layout": "L-other", "submission": "RS-other", "seq": 9, "event_time": 5},
        "groups": {"groups": groups.groups[1:]},
    }
    alike = {
        name: is_filed_alike(filed, replace(filed, options=(replace(groups, **says),)))
        for name, says in others.items()
    }
    assert alike == {"layout": True, "groups": False}
    for option in unnamed(filed).options:
        for name in ("layout", "submission", "seq", "stream"):
            with pytest.raises(AttributeError):
                getattr(option, name)


@pytest.mark.parametrize("part", range(2))
def test_altered_days_are_the_same(part: int) -> None:
    seeds = range(part * 6, part * 6 + 6)
    assert [seed for seed in seeds if not is_same(altered_props(seed), PROPS)] == []


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("part", range(10))
def test_many_altered_days_are_the_same(
    part: int, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fast:
        let_machine_code_run(monkeypatch)
    seeds = range(5_000 + part * 20, 5_020 + part * 20)
    assert [seed for seed in seeds if not is_same(altered_props(seed, 1 + seed % 2), PROPS)] == []


def test_altered_days_with_coupons_are_the_same() -> None:
    assert [seed for seed in range(6) if not is_same(altered_coupons(seed), PROPS)] == []


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("part", range(5))
def test_many_altered_days_with_coupons_are_the_same(
    part: int, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fast:
        let_machine_code_run(monkeypatch)
    seeds = range(100 + part * 20, 120 + part * 20)
    assert [seed for seed in seeds if not is_same(altered_coupons(seed), PROPS)] == []


# --- what is wrong --------------------------------------------------------------------------------


def the_day() -> Facts:
    """A short day on which a Six Eight Shake, W19, stands from the 16th round to a 7 in the 27th.

    Three of its lammers are collected by the 20th round; W2 stands from the first round to the 4th.
    """
    return list(honest_day(3, PROPS))


def in_round(facts: Facts, number: int, kind: type[events.Fact]) -> int:
    """The place of the first fact of a kind in a round."""
    opens = of_kinds(facts, events.BettingOpened)
    return next(place for place in of_kinds(facts, kind) if place >= opens[number - 1])


def shake_at(position: str, stake_cents: int = STAKE) -> dict[str, Any]:
    """What a further Six Eight Shake says."""
    wager = {"wager": SHAKE, "picks": (), "stake_cents": stake_cents, "coupons": ()}
    who = {"position": position, "patron": None, "instrument": events.Instrument.CHIPS}
    return {"wager_id": "more", **wager, **who}


def lost(stake_cents: int = STAKE) -> dict[str, Any]:
    """What the settlement of the further one says."""
    act = {"outcome": events.SettledAs.LOST, "winnings_cents": 0}
    return {"wager_id": "more", "stake_taken_cents": stake_cents, **act}


def one_more_shake(number: int, kind: type[events.Fact], stake_cents: int = STAKE) -> Facts:
    """A further Six Eight Shake is placed after a fact of a round, and lost in the 27th."""
    facts = the_day()
    placed = shake_at("1", stake_cents)
    facts = after(facts, in_round(facts, number, kind), events.WagerPlaced, **placed)
    place = settlement(facts, "W19")
    assert place is not None
    return after(facts, place, events.WagerSettled, **lost(stake_cents))


def _and(number: int, after_kind: type[events.Fact], kind: type[events.Fact], **says: Any) -> Facts:
    """The day with one more fact in a round."""
    facts = the_day()
    return after(facts, in_round(facts, number, after_kind), kind, **says)


def _collects(facts: Facts, wager_id: str, cents: int) -> Facts:
    """The facts with another stake collected of a loser."""
    place = settlement(facts, wager_id)
    assert place is not None
    return changed_at(facts, place, stake_taken_cents=cents)


def _never_settled(facts: Facts, wager_id: str) -> Facts:
    place = settlement(facts, wager_id)
    assert place is not None
    return without(facts, place)


def taken_down_and_another_placed() -> Facts:
    """W19 goes in the 22nd round, and with it its lammers; another begins them anew in the 23rd."""
    facts = _and(22, events.WagerPlaced, events.WagerTakenDown, wager_id="W19", taken_cents=None)
    place = in_round(facts, 23, events.BettingOpened)
    facts = after(facts, place, events.WagerPlaced, **shake_at("1"))
    place = in_round(facts, 23, events.RollCalled)
    facts = after(facts, place, events.LammerCollected, combination="2-4", collected_by=None)
    place = settlement(facts, "W19")
    assert place is not None
    return changed_at(facts, place, wager_id="more")


def left_once_it_was_lifted() -> Facts:
    """A player whose Six Eight Shake was laid in this round takes it down after the roll and goes."""
    facts = _and(16, events.BettingOpened, events.PositionTaken, position="4", patron=None)
    place = in_round(facts, 16, events.WagerPlaced)
    facts = after(facts, place, events.WagerPlaced, **shake_at("4"))
    place = in_round(facts, 16, events.RollCalled)
    facts = after(facts, place, events.WagerTakenDown, wager_id="more", taken_cents=None)
    return after(facts, place + 1, events.PositionLeft, position="4", patron=None)


def lifted_before_the_roll() -> Facts:
    """W25 is taken down while betting is open, and its player, whose other one goes too, leaves."""
    facts = the_day()
    for wager_id in ("W25", "W26"):
        facts = _never_settled(facts, wager_id)
        place = in_round(facts, 19, events.NoMoreBetsAnnounced) - 1
        gone = {"wager_id": wager_id, "taken_cents": None}
        facts = after(facts, place, events.WagerTakenDown, **gone)
    place = in_round(facts, 19, events.NoMoreBetsAnnounced)
    return after(facts, place, events.PositionLeft, position="2", patron=None)


def above_the_maximum_for_a_while() -> Facts:
    """W2, which was accepted in the round before, is raised above the maximum and lowered again."""
    raised = {"wager_id": "W2", "added_cents": 100_000, "instrument": events.Instrument.CHIPS}
    facts = _and(2, events.BettingOpened, events.WagerIncreased, **raised)
    place = in_round(facts, 2, events.WagerIncreased)
    return after(facts, place, events.WagerTakenDown, wager_id="W2", taken_cents=100_000)


def covered_before_all_is_settled() -> Facts:
    """The shaker is covered as the 18th round was called."""
    facts = the_day()
    place = in_round(facts, 18, events.RollCalled)
    covered: Any = facts[in_round(facts, 18, events.ShakerCovered)]
    early = {"stream": covered.stream, "source": covered.source, "shaker": covered.shaker}
    return after(facts, place, events.ShakerCovered, 600_000, **early)


def id_of_another() -> Facts:
    """W20 is placed by the id of W19, which stands, and nobody settles it."""
    facts = _never_settled(the_day(), "W20")
    return changed_at(facts, in_round(facts, 17, events.WagerPlaced), wager_id="W19")


def settled_while_it_stands() -> Facts:
    """W19 is collected in the 21st round, which decides nothing of it."""
    facts = _never_settled(the_day(), "W19")
    place = in_round(facts, 21, events.RollCalled)
    return after(facts, place, events.WagerSettled, wager_id="W19", **LOST)


def over_the_limit_and_raised() -> Facts:
    """A further Six Eight Shake is far above the maximum, and raised seven rounds later."""
    facts = one_more_shake(16, events.BettingOpened, 100_000)
    more = {"wager_id": "more", "added_cents": STAKE, "instrument": events.Instrument.CHIPS}
    return after(facts, in_round(facts, 23, events.BettingOpened), events.WagerIncreased, **more)


LOST = {"outcome": events.SettledAs.LOST, "winnings_cents": 0, "stake_taken_cents": STAKE}
LIFT = {"wager_id": "W19", "taken_cents": None}
WRONG: dict[str, Callable[[], Facts]] = {
    "refused": lambda: _and(21, events.NoMoreBetsAnnounced, events.TakeDownRefused, wager_id="W19", reason=None),
    "a lammer of nobody": lambda: _and(8, events.RollCalled, events.LammerCollected, combination="2-4", collected_by=None),
    "left before the roll": lambda: _and(21, events.NoMoreBetsAnnounced, events.PositionLeft, position="2", patron=None),
    "left after the roll": lambda: _and(21, events.RollCalled, events.PositionLeft, position="2", patron=None),
    "taken down and another placed": taken_down_and_another_placed,
    "left once it was lifted": left_once_it_was_lifted,
    "lifted before the roll": lifted_before_the_roll,
    "raised late": lambda: _collects(_and(16, events.NoMoreBetsAnnounced, events.WagerIncreased, wager_id="W19", added_cents=STAKE, instrument=events.Instrument.CHIPS), "W19", 2 * STAKE),
    "lifted after a 7": lambda: _never_settled(_and(27, events.RollCalled, events.WagerTakenDown, **LIFT), "W19"),
    "another one lifted late": lambda: _never_settled(_and(18, events.NoMoreBetsAnnounced, events.WagerTakenDown, wager_id="W21", taken_cents=None), "W21"),
    "less than the minimum": lambda: _collects(_and(16, events.NoMoreBetsAnnounced, events.WagerTakenDown, wager_id="W19", taken_cents=400), "W19", 100),
    "above the maximum for a while": above_the_maximum_for_a_while,
    "covered before all is settled": covered_before_all_is_settled,
    "never settled": lambda: _never_settled(the_day(), "W21"),
    "not settled after a 7": lambda: _never_settled(the_day(), "W19"),
    "settled while it stands": settled_while_it_stands,
    "settled once more": lambda: _and(28, events.BettingOpened, events.WagerSettled, wager_id="W19", **LOST),
    "the id of another": id_of_another,
    "placed late": lambda: one_more_shake(16, events.NoMoreBetsAnnounced),
    "joined late": lambda: one_more_shake(21, events.BettingOpened),
    "over the limit": over_the_limit_and_raised,
    "another lammer": lambda: changed_at(the_day(), in_round(the_day(), 20, events.LammerCollected), combination="3-3"),
    "shaken by another": lambda: changed_at(the_day(), in_round(the_day(), 21, events.PlayerShook), position="3"),
    "at no position": lambda: changed_at(the_day(), in_round(the_day(), 21, events.WagerPlaced), position="7"),
}  # fmt: skip


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", sorted(WRONG))
def test_what_is_wrong_is_judged_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = WRONG[name]()
    assert facts != the_day()
    assert is_same(facts, PROPS)
    let_machine_code_run(monkeypatch)
    assert is_same(facts, PROPS)


# --- each condition is needed ---------------------------------------------------------------------


SIGNS_OF, CHANGE, NUMBERED = Reading._signs, Reading._change, runs.numbered


def _sign_is(sign: int, shows: bool) -> Callable[[pytest.MonkeyPatch], None]:
    """Let a sign of the layout always show, or never."""

    def signs(*arguments: Any) -> Signs:
        shown = SIGNS_OF(*arguments)
        return shown._replace(**{Signs._fields[sign]: shows})

    return lambda patch: patch.setattr(Reading, "_signs", signs)


def _lifts_without(condition: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Let wagers be lifted while betting is closed although one condition does not hold."""

    def may_be_lifted(reading: Reading, round_: RoundRead, number: int, laid: Any) -> bool:
        conditions = {
            "lifts": reading.tables.bodies.does[number] == Does.LIFTS,
            "is free": round_.decided is None or is_left(round_.decided),
            "removable": laid.wager in reading.tables.rules.room.removable,
        }
        return all(holds for name, holds in conditions.items() if name != condition)

    return lambda patch: patch.setattr(Reading, "_may_be_lifted", may_be_lifted)


def _all_is_settled(patch: pytest.MonkeyPatch) -> None:
    """A round that ends is asked twice; both are taken away."""
    patch.setattr(Reading, "has_unsettled", staticmethod(lambda *_: False))
    patch.setattr(Reading, "_are_left", lambda *_: True)


def _is_not_late(reading: Reading, _round: RoundRead, _name: int, wager: Any) -> bool:
    return bool(wager.laid is not None and wager.laid.gone)


def _anything_accepted_may_change(of_round: bool) -> Callable[[pytest.MonkeyPatch], None]:
    """Let a wager of this round, or one of an earlier one, be changed to lie outside the limits."""

    def change(reading: Reading, round_: RoundRead, *arguments: Any) -> bool:
        with pytest.MonkeyPatch.context() as patch:
            if of_round and not stretch_module.may_be_touched(round_):
                patch.setattr(stretch_module, "may_be_touched", lambda _: True)
                patch.setattr(round_, "is_closed", False)
            elif not of_round:
                patch.setattr(round_, "first", 0)
            return CHANGE(reading, round_, *arguments)

    return lambda patch: patch.setattr(Reading, "_change", change)


def _standing_whatever(name: str, usual: Any) -> Callable[[pytest.MonkeyPatch], None]:
    """Let a run begin whatever is in doubt of a wager that stands."""

    def numbered(reading: Reading, standing: Any) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            for wager in standing:
                patch.setattr(wager, name, usual)
            return NUMBERED(reading, standing)

    return lambda patch: patch.setattr(runs, "numbered", numbered)


NEEDED: dict[str, tuple[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "the fact names a wager that stands": ("refused", _sign_is(OWN, False)),
    "another one stands": ("a lammer of nobody", _sign_is(OTHERS, True)),
    "a position is bound": ("left before the roll", _sign_is(BOUND, False)),
    "it is bound by what lay there as the roll came": ("left after the roll", _sign_is(BOUND, False)),
    "nothing is left of a wager": ("taken down and another placed", _sign_is(GOES, False)),
    "what goes once all is decided was bound": ("left once it was lifted", lambda patch: patch.setattr(Reading, "_is_gone", _is_not_late)),
    "what does not lift is late": ("raised late", _lifts_without("lifts")),
    "what is decided is not lifted": ("lifted after a 7", _lifts_without("is free")),
    "others are not lifted late": ("another one lifted late", _lifts_without("removable")),
    "what lies there keeps to the limits once betting is closed": ("less than the minimum", _anything_accepted_may_change(True)),
    "what was accepted keeps to the limits": ("above the maximum for a while", _anything_accepted_may_change(False)),
    "what stands by the book lies there for the room": ("the id of another", lambda patch: patch.setattr(runs, "lie_alike", lambda *_: True)),
    "settlements are complete": ("covered before all is settled", lambda patch: patch.setattr(Reading, "has_unsettled", staticmethod(lambda *_: False))),
    "all is settled": ("never settled", _all_is_settled),
    "a 7 leaves none": ("not settled after a 7", _all_is_settled),
    "what stands is not settled": ("settled while it stands", lambda patch: patch.setattr(stretch_module, "is_as_owed", lambda *_: True)),
    "a round is left behind": ("settled once more", lambda patch: patch.setattr(runs, "is_left_behind", lambda *_: True)),
    "what stands was placed in time": ("placed late", _standing_whatever("late", False)),
    "what stands is not contested": ("joined late", _standing_whatever("contested", None)),
    "what stands keeps to the limits": ("over the limit", _standing_whatever("outside", ())),
    "what stands is known": ("placed late", lambda patch: patch.setattr(runs, "numbered", lambda *_: {})),
    "the room knows what the run came to": ("taken down and another placed", lambda patch: patch.setattr(Stretch, "room_state", lambda _, before: before)),
    "what stands is handed on": ("taken down and another placed", lambda patch: patch.setattr(Stretch, "left", [])),
    "all of what stands takes part": ("raised late", _standing_whatever("raises", ())),
}  # fmt: skip
"""What is switched off, and the day on which only that is wrong."""


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("name", sorted(NEEDED))
def test_each_condition_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, switch_off = NEEDED[name]
    facts = WRONG[wrong]()
    plain = judged(facts, in_bulk=False, table=PROPS)
    switch_off(monkeypatch)
    try:
        in_bulk = judged(facts, in_bulk=True, table=PROPS)
    except AssertionError:  # it has no result for a wager: that is seen, too
        return
    assert in_bulk != plain


# --- part of a wager that stands is handed back ---------------------------------------------------


def part_handed_back(number: int, kind: type[events.Fact]) -> Facts:
    """W19, of $20, and $5 of it handed back after a fact of a round; the rest is lost to the 7."""
    facts = the_day()
    placed = next(
        place
        for place in of_kinds(facts, events.WagerPlaced)
        if getattr(facts[place], "wager_id", None) == "W19"
    )
    facts = _collects(changed_at(facts, placed, stake_cents=2_000), "W19", 1_500)
    where = in_round(facts, number, kind)
    back = {"wager_id": "W19", "returned_cents": 500, "reason": None}
    return after(facts, where, events.WagerReturned, **back)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    "kind", [events.BettingOpened, events.NoMoreBetsAnnounced, events.RollCalled]
)
def test_what_is_left_of_a_wager_stands(
    kind: type[events.Fact], fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sequence goes on with it: else a lammer that is collected would be wrong."""
    if fast:
        let_machine_code_run(monkeypatch)
    facts = part_handed_back(18, kind)
    assert is_same(facts, PROPS)
    day, rounds = judged(facts, in_bulk=True, table=PROPS)
    codes = {finding.code for finding in day.findings}
    assert not codes & {"lammer_wrong", "wrong_outcome"}
    assert [wager.stake_cents for one in rounds for wager in one.wagers if wager.wager_id == "W19"][
        -1
    ] == 1_500


def test_a_room_that_takes_wagers_otherwise_is_left_to_the_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that lets a wager go of which a part was handed back: signs would say that it stands."""
    monkeypatch.setitem(TURNS, events.WagerReturned, state_of)
    facts = part_handed_back(18, events.BettingOpened)
    assert is_same(facts, PROPS)
    monkeypatch.setattr(kept_tables, "_KEPT", [])
    monkeypatch.setattr(room_table, "is_as_expected", lambda *_: True)
    assert not is_same(facts, PROPS)


def state_of(state: Any, event: events.WagerReturned) -> Any:
    """The state once a wager has gone altogether."""
    return _gone(state, event.wager_id)


# --- what a room may ask of the layout ------------------------------------------------------------


def seen(signs: int, looked: set[int] | None = None, position: str | None = "2") -> StakesSeen:
    """The wagers on a layout of which the signs are known, with ten fields before them."""
    fact, numbers = SimpleNamespace(position=position), set() if looked is None else looked
    return StakesSeen(Layout(ROOM, shown(signs), fact, numbers, 10, is_placed=position is not None))


def shown(signs: int) -> Signs:
    """Signs of a layout as bits of a number."""
    return Signs(*[bool(signs >> sign & 1) for sign in range(4)])


def test_whether_a_position_is_bound_hangs_on_the_position() -> None:
    """So whoever asks it is asked for each position, though no rule read it of the fact."""
    layout = Layout(ROOM, Signs(bound=True), SimpleNamespace(), set(), 10, is_placed=True)
    with pytest.raises(AttributeError):
        StakesSeen(layout).is_bound("2")


HIDDEN: Any = Unlooked()
ANSWERS: dict[int, Callable[[StakesSeen], bool]] = {
    OWN: lambda stakes: stakes.is_of(HIDDEN, SHAKE),
    OTHERS: lambda stakes: stakes.without(HIDDEN).lies(SHAKE),
    BOUND: lambda stakes: stakes.is_bound("2"),
    GOES: lambda stakes: stakes.takes_away(object()),
}


@pytest.mark.parametrize("sign", sorted(ANSWERS))
def test_each_question_is_answered_by_its_sign_which_is_noted(sign: int) -> None:
    for signs in range(16):
        looked: set[int] = set()
        assert ANSWERS[sign](seen(signs, looked)) is bool(signs >> sign & 1)
        assert looked == {10 + sign}


@pytest.mark.parametrize("signs", range(16))
def test_a_wager_lies_there_if_it_is_that_of_the_fact_or_another_one(signs: int) -> None:
    looked: set[int] = set()
    assert seen(signs, looked).lies(SHAKE) is bool(signs & (1 << OWN | 1 << OTHERS))
    assert looked <= {10 + OWN, 10 + OTHERS}
    assert 10 + OTHERS in looked


REFUSED: dict[str, Callable[[StakesSeen], object]] = {
    "another name": lambda stakes: stakes.lies("Field"),
    "another name of the fact's": lambda stakes: stakes.is_of(HIDDEN, "Field"),
    "another name of the others": lambda stakes: stakes.without(HIDDEN).lies("Field"),
    "a wager by its id": lambda stakes: stakes.is_of("W1", SHAKE),
    "without one by its id": lambda stakes: stakes.without("W1"),
    "another position": lambda stakes: stakes.is_bound("3"),
    "no position": lambda stakes: stakes.is_bound(None),
    "the ids": lambda stakes: stakes.named(SHAKE),
    "whether there are any": bool,
    "how many": lambda stakes: len(stakes.stakes),
    "whether they are equal": lambda stakes: stakes == NO_STAKES,
    "a hash": hash,
    "a text": str,
    "whose the others are": lambda stakes: stakes.without(HIDDEN).is_of(HIDDEN, SHAKE),
    "what binds the others": lambda stakes: stakes.without(HIDDEN).is_bound("2"),
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_nothing_else_can_be_asked(name: str) -> None:
    with pytest.raises(LookedInto):
        REFUSED[name](seen(15))


LATER: dict[str, Callable[[StakesSeen], StakesSeen]] = {
    "placed": lambda stakes: stakes.placed(object()),
    "changed": lambda stakes: stakes.changed(object()),
    "moved": lambda stakes: stakes.moved(object()),
    "kept": lambda stakes: stakes.kept((SHAKE,)),
    "of_earlier_round": lambda stakes: stakes.of_earlier_round(),
    "fresh": lambda stakes: stakes.fresh(),
}


@pytest.mark.parametrize("name", sorted(LATER))
def test_what_became_of_them_cannot_be_asked(name: str) -> None:
    for before in (seen(15), seen(15).without(HIDDEN)):
        afterwards = LATER[name](before)
        for ask in (*ANSWERS.values(), lambda stakes: stakes.lies(SHAKE)):
            with pytest.raises(LookedInto):
                ask(afterwards)


def test_where_there_is_no_sign_nothing_can_be_asked() -> None:
    for ask in (*ANSWERS.values(), lambda stakes: stakes.lies(SHAKE)):
        with pytest.raises(LookedInto):
            ask(UNSIGNED)


def test_no_position_binds_where_the_fact_names_none() -> None:
    with pytest.raises(LookedInto):
        seen(15, position=None).is_bound(None)


# --- what is known of a state ---------------------------------------------------------------------


CONTENTS: dict[str, tuple[Any, bool]] = {
    "stakes of which nobody may ask": (STAKES_UNASKED, True),
    "these in a tuple": ((1, (2, STAKES_UNASKED)), True),
    "a fact of which a part is there": (object.__new__(events.RollCalled), True),
    "plain values": ((1, "a", None, frozenset({2})), False),
    "no wagers on the layout": (NO_STAKES, False),
    "no stakes": (NOTHING_STANDS, False),
    "a room": (next(iter(ROOMS)), False),
    "a key": (FactRef("a", 1), False),
}


@pytest.mark.parametrize("name", sorted(CONTENTS))
def test_a_value_is_partial_if_something_in_it_may_not_be_asked(name: str) -> None:
    content, partial = CONTENTS[name]
    assert is_partial(content) is partial


# --- bodies and positions -------------------------------------------------------------------------


def body_of(bodies: Bodies, fact: events.Fact) -> int:
    """The number of what a fact says beside its position."""
    kind = next(number for number, one in kinds().items() if one.event is type(fact))
    bodies.numbers(kind)
    return bodies.add(kind, repr(fact).encode(), lambda: fact)


def test_a_body_is_known_at_each_position_and_without_one() -> None:
    facts, bodies = the_day(), Bodies(with_positions=True)
    placed = body_of(bodies, facts[in_round(facts, 21, events.WagerPlaced)])
    called = body_of(bodies, facts[in_round(facts, 21, events.RollCalled)])
    texts = [b"1", b"2"]
    numbers = np.array([placed, placed, placed, placed, called, UNREAD, called])
    positions = np.array([0, 1, NULL, 0, NULL, 1, 0])
    known = bodies.at_positions(numbers, positions, texts).tolist()
    assert known[3] == known[0]
    assert len({placed, *known[:3]}) == 4
    assert known[4:] == [called, UNREAD, called]
    assert [bodies.bodies[number].position for number in known[:3]] == ["1", "2", None]
    assert {bodies.base[number] for number in known[:4]} == {placed}
    assert {bodies.does[number] for number in known[:4]} == {Does.LAYS}
    swapped = bodies.at_positions(numbers, np.array([1, 0, NULL, 1, NULL, 0, 1]), texts[::-1])
    assert swapped.tolist() == known


def test_with_too_many_bodies_a_position_more_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    facts, bodies = the_day(), Bodies(with_positions=True)
    placed = body_of(bodies, facts[in_round(facts, 21, events.WagerPlaced)])
    numbers = np.array([placed, placed])
    monkeypatch.setattr("ledger.rounds.in_order.fact_bodies.BODIES", 2)
    known = bodies.at_positions(numbers, np.array([0, 1]), [b"1", b"2"]).tolist()
    assert known[1] == UNREAD != known[0]


def test_a_coupon_is_one_at_each_position() -> None:
    facts, bodies = the_day(), Bodies(with_positions=True)
    placed = body_of(bodies, facts[in_round(facts, 21, events.WagerPlaced)])
    bodies.with_coupons.add(placed)
    known = bodies.at_positions(np.array([placed]), np.array([0]), [b"1"]).tolist()
    assert {*known} <= bodies.with_coupons


# --- decisions, and what a run leaves -------------------------------------------------------------


def test_a_decision_may_leave_only_the_one_wager_that_outlives_rounds(
    stretches: list[Stretch],
) -> None:
    judged(the_day(), in_bulk=True, table=PROPS)
    room: RoomTable = stretches[0].reading.tables.room
    detail = DiceOutcome(faces=(1, 3))
    shown = Roll((1, 3), Sequence.GOES_ON)
    for leaves, may_leave in (((), True), ((SHAKE,), True), (("Field",), False), ((SHAKE, "Field"), False)):  # fmt: skip
        decided: Any = object.__new__(Decided)
        for name, value in {"shown": shown, "detail": detail, "leaves": leaves}.items():
            object.__setattr__(decided, name, value)
        assert room._may_leave(decided) is may_leave


def test_a_wager_that_stands_is_counted_once_and_handed_on(stretches: list[Stretch]) -> None:
    day, rounds = judged(the_day(), in_bulk=True, table=PROPS)
    placed = len(of_kinds(the_day(), events.WagerPlaced))
    assert day.wagers == placed
    assert sum(len(round_.wagers) for round_ in rounds) > placed
    for run in stretches:
        results = results_of(run)
        of_results = {wager.placed for result in results for wager in result.wagers}
        earlier = {
            wager.placed
            for result in results
            for wager in result.wagers
            if run.reading.row_of(wager.placed) is not None
            and (run.reading.row_of(wager.placed) or 0) < run.begins
        }
        assert StretchRulings(run).wagers() == len(of_results - earlier)


def test_asking_what_stands_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wager that joined late is contested once its round ends, and not before."""
    changes: list[bool] = []
    standing = TablePlay.standing

    def noted(play: TablePlay) -> Any:
        before = repr(play.state.round)
        wagers = standing(play)
        changes.append(repr(play.state.round) != before)
        return wagers

    monkeypatch.setattr(TablePlay, "standing", noted)
    judged(WRONG["joined late"](), in_bulk=True, table=PROPS)
    assert (len(changes) > 5, any(changes)) == (True, False)


def test_what_stands_after_a_run_is_what_the_readable_engine_has(
    stretches: list[Stretch], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that ends in the 20th round hands on W19 and its three lammers."""
    facts = changed_at(the_day(), in_round(the_day(), 22, events.RollCalled), faces=(6, 6))
    assert is_same(facts, PROPS)
    stretches.clear()
    judged(facts, in_bulk=True, table=PROPS)
    run = next(run for run in stretches if run.left)
    (left,) = run.left
    assert (left.wager_id, left.wager, left.stake_cents, left.accepted) == (
        "W19",
        SHAKE,
        STAKE,
        True,
    )
    kind: Any = type(run.reading.tables.room.room.initial)
    state = run.room_state(replaced(run.reading.tables.room.room.initial, shooter="9"))
    assert type(state) is kind
    assert {stake.wager_id for stake in state.stakes.stakes} == {"W19"}
    assert not any(stake.fresh for stake in state.stakes.stakes)
    assert len(state.lammers) == 3
    assert state.shooter != "9"
