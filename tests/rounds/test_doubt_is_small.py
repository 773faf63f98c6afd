"""One irregular act more in a judged round of the floor: every other amount keeps its ruling.

What an act may leave in doubt is the row that its room declares (``TAINTS``), and no more: exactly
the wagers of that row come to something else than before. Every act is put at every place of a round
at which it is what the row speaks of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from ledger import events
from ledger.coupons import CouponState, CouponStatus
from ledger.games import ROOMS, match_play
from ledger.games.room import Act, Room, Scope, Taint
from ledger.games.three_dice_football import calls
from ledger.games.three_dice_football.calls import called_off
from ledger.games.three_dice_football.state import reopened
from ledger.house import Office, take
from ledger.kernel import FactRef, ref_of, table_of
from ledger.rounds import Outcome, RoundResult, RoundStatus, TablePlay, wager_book
from tests.engine import CLOCK, table_day
from tests.games.facts import fact as made

TABLES: Final = {
    "sic_bo": "SB-01", "dreamcatcher": "DC-01", "props_and_hops": "PH-01",
    "three_dice_football": "FB-01", "asia_poker": "AP-01",
}  # fmt: skip
FROM: Final = 1_000_000
"""Numbers of facts that no honest fact of a day has."""
LATE_SERIAL: Final = "M10-0000003"
"""The serial number of a coupon that is laid too late."""


@dataclass(frozen=True)
class Case:
    """A round of the floor: the play at its opening, its facts to the one that ends it, its end."""

    play: TablePlay
    facts: tuple[events.Fact, ...]
    came_to: RoundResult

    @property
    def room(self) -> Room:
        """The room in which it is played."""
        return next(room for room in ROOMS if room.game == self.came_to.game)


class Place(NamedTuple):
    """A place in a round: how many facts came before, and the play at that moment."""

    number: int
    play: TablePlay

    @property
    def state(self) -> Any:
        """The room's state."""
        return self.play.state.room_state

    def closed(self, wager_id: str) -> bool:
        """Whether this wager may not be touched any more."""
        assert self.play.state.round is not None
        wager = self.play.state.round.book.wagers[wager_id]
        closed_to = self.play.state.round.rules.room.closed_to
        if closed_to is None:
            return not self.state.betting_open
        return closed_to(self.state, wager.wager, wager.decided is not None) is not None


class Done(NamedTuple):
    """An act at a place: what is added, the row that speaks of it, the wagers that it may touch."""

    act: Act
    place: Place
    added: tuple[events.Fact, ...]
    touched: frozenset[str] = frozenset()


def cases(key: str, scale: float = 0.03) -> Iterator[Case]:
    """The decided rounds of a table of the floor."""
    table, office = TABLES[key], Office()
    facts = sorted(table_day(table, scale=scale), key=lambda fact: fact.event_time)
    own = [fact for fact in facts if table_of(fact.stream) == table]
    for fact in facts:
        if table_of(fact.stream) == "house":
            take(office, fact)
    play = TablePlay(table, office, CLOCK)
    opened: tuple[TablePlay, int] | None = None
    ended: dict[str, tuple[TablePlay, tuple[events.Fact, ...]]] = {}
    for number, fact in enumerate([*own, None]):
        ends = isinstance(fact, events.BettingOpened | events.TableClosed)
        before = play.fork() if ends else None
        if ends and opened is not None:
            ended[str(ref_of(own[opened[1]]))] = opened[0], tuple(own[opened[1] : number + 1])
        for result in play.finish() if fact is None else play.take(fact, fact.event_time):
            if result.round in ended and result.wagers:
                yield Case(*ended[result.round], result)
        if ends:
            opened = (before, number) if before and isinstance(fact, events.BettingOpened) else None


def judged(case: Case, done: Done | None = None) -> RoundResult:
    """What a round comes to, with an act or as it was."""
    facts = list(case.facts)
    if done is not None:
        facts[done.place.number : done.place.number] = done.added
    play, results = case.play.fork(), []
    for fact in facts:
        results += play.take(fact, fact.event_time)
    if play.state.late is not None:  # it is kept back until the next round ends
        results += play.finish()
    return next(result for result in results if result.round == case.came_to.round)


def places(case: Case) -> Iterator[Place]:
    """Every place in a round after its betting opened."""
    play = case.play.fork()
    for number, fact in enumerate(case.facts[:-1], 1):
        list(play.take(fact, fact.event_time))
        yield Place(number, play.fork())


def amounts(result: RoundResult) -> dict[str, tuple[Any, ...]]:
    """What each wager comes to by the rules."""
    return {
        wager.wager_id: (
            wager.expected.outcome, wager.expected.winnings_cents, wager.expected.stake_taken_cents,
            wager.stake_cents, wager.in_doubt,
        )
        for wager in result.wagers
    }  # fmt: skip


def findings(result: RoundResult) -> set[tuple[Any, ...]]:
    """What is told of a round."""
    return {(f.code, f.wager, f.effect_cents, f.certainty) for f in result.findings}


# --- the acts -------------------------------------------------------------------------------------


def fact_at(case: Case, place: Place, kind: str, number: int = 0, **said: Any) -> events.Fact:
    """One more fact, right after the one before the place."""
    before = case.facts[place.number - 1]
    fresh = made(kind, FROM + number, 0, **said)
    return replace(fresh, stream=before.stream, event_time=before.event_time + 1, source="X")


def again(case: Case, place: Place, fact: events.Fact, **said: Any) -> events.Fact:
    """A fact told another time."""
    at = case.facts[place.number - 1].event_time + 1
    return replace(fact, seq=FROM, event_time=at, **said)


def lying(place: Place) -> list[str]:
    """The wagers that lie on the layout."""
    assert place.play.state.round is not None
    return [w.wager_id for w in place.play.state.round.book.wagers.values() if w.gone is None]


def late_raise(case: Case, place: Place) -> Iterator[Done]:
    for name in lying(place):
        if place.closed(name) and place.state.knowable:
            said = {"wager_id": name, "added_cents": 1}
            added = fact_at(case, place, "WagerIncreased", **said)
            yield Done(Act.LATE_RAISE, place, (added,), frozenset({name}))


def late_wager(case: Case, place: Place) -> Iterator[Done]:
    before = case.facts[: place.number]
    model = next((fact for fact in before if isinstance(fact, events.WagerPlaced)), None)
    if model is not None and place.closed(model.wager_id) and place.state.knowable:
        added = again(case, place, model, wager_id="LATE", stake_cents=100, coupons=())
        yield Done(Act.LATE_WAGER, place, (added,), frozenset({"LATE"}))


def late_lift(case: Case, place: Place) -> Iterator[Done]:
    room = case.room
    for name in lying(place):
        assert place.play.state.round is not None
        wager = place.play.state.round.book.wagers[name]
        if not place.closed(name) or wager.wager in room.removable:
            continue
        for cents in (None, 1):
            lifted = fact_at(case, place, "WagerTakenDown", wager_id=name, taken_cents=cents)
            yield Done(Act.LATE_LIFT, place, (lifted,))
        other = next(row for row in room.wagers if row.name != wager.wager)
        said = {"wager_id": name, "wager": other.name, "picks": other.picks[0]}
        yield Done(Act.LATE_LIFT, place, (fact_at(case, place, "WagerMoved", **said),))


def second_payment(case: Case, place: Place) -> Iterator[Done]:
    for fact in case.facts[: place.number]:
        if isinstance(fact, events.WagerSettled):
            yield Done(Act.SECOND_PAYMENT, place, (again(case, place, fact),))


def second_coupon(case: Case, place: Place) -> Iterator[Done]:
    for fact in case.facts[: place.number]:
        if isinstance(fact, events.CouponAccepted) and place.state.knowable:
            said = {"serial": "M10-0000002"}
            yield Done(Act.SECOND_COUPON, place, (again(case, place, fact, **said),))


def late_coupon(case: Case, place: Place) -> Iterator[Done]:
    """A first coupon is laid, at a table whose coupons are known."""
    if place.play.state.desk.lookup is None or not place.state.knowable or not lying(place):
        return
    name = lying(place)[0]
    assert place.play.state.round is not None
    wager = place.play.state.round.book.wagers[name]
    if place.closed(name) and not place.play.state.round.coupons:
        said = {"serial": LATE_SERIAL, "wager_id": name, "denomination_cents": 500}
        touched = {name} if wager.stake_cents >= 500 else set()
        added = fact_at(case, place, "CouponAccepted", **said)
        yield Done(Act.LATE_COUPON, place, (added,), frozenset(touched))


def early_settlement(case: Case, place: Place) -> Iterator[Done]:
    before = case.facts[place.number - 1]
    if (
        not isinstance(before, events.NoMoreBetsAnnounced | events.WagerPlaced)
        or place.state.knowable
    ):
        return
    for fact in case.facts[place.number :]:
        if isinstance(fact, events.WagerSettled) and fact.wager_id in lying(place):
            yield Done(Act.EARLY_SETTLEMENT, place, (again(case, place, fact),))


def wrong_call(case: Case, place: Place) -> Iterator[Done]:
    if not place.state.knowable:
        return
    match case.room.key:
        case "dreamcatcher":
            wrong = fact_at(case, place, "SpinCalled", result="40")
        case "asia_poker":
            wagers = [f for f in case.facts if isinstance(f, events.WagerPlaced)]
            said = {"position": wagers[0].position, "outcome": "LOST"}
            wrong = fact_at(case, place, "ResultAnnounced", **said)
        case _:
            if case.room.key == "three_dice_football" and place.state.throw is not None:
                return  # the call of a throw that nothing has followed yet is a call of that throw
            wrong = fact_at(case, place, "RollCalled", faces=[1] * (case.room.dice or 0))
    yield Done(Act.CALL, place, (wrong,))


def call_off(case: Case, place: Place) -> Iterator[Done]:
    kinds = {
        "sic_bo": ("NoRollCalled", "RoundVoided"),
        "dreamcatcher": ("SpinVoided", "RoundVoided"),
        "props_and_hops": ("NoRollCalled", "RoundVoided"),
        "asia_poker": ("NoRollCalled", "RoundVoided"),
    }
    for kind in kinds.get(case.room.key, ()):
        yield Done(Act.CALL_OFF, place, (fact_at(case, place, kind),))


def call_off_a_throw(case: Case, place: Place) -> Iterator[Done]:
    if case.room.key != "three_dice_football":
        return
    state = place.state if place.state.undo is None else reopened(place.state)
    if state.disputed or state.annulled or state.invalid is not None:
        return
    if state.throw is None and state.counted is None:
        return
    assert place.play.state.round is not None
    act = called_off(state)
    names = case.room.taint_by_act[act].wagers
    undecided = {
        wager.wager_id
        for wager in place.play.state.round.book.wagers.values()
        if wager.wager in names and wager.gone is None
        and (wager.decided is None or wager.decided.fact.seq == getattr(state.throw, "seq", None))
    }  # fmt: skip
    for kind in ("NoRollCalled", "ThrowVoided"):
        yield Done(act, place, (fact_at(case, place, kind),), frozenset(undecided))


def lid(case: Case, place: Place) -> Iterator[Done]:
    if case.room.key != "props_and_hops":
        return
    shaken = isinstance(case.facts[place.number - 1], events.PlayerShook)
    used = not any(isinstance(fact, events.PlayerShook) for fact in case.facts[place.number :])
    names = frozenset(lying(place)) if shaken and used else frozenset()
    if names or place.state.knowable:
        yield Done(Act.LID, place, (fact_at(case, place, "LidLiftedByPlayer"),), names)


def shown_again(case: Case, place: Place) -> Iterator[Done]:
    kinds = {
        "sic_bo": events.DiceThrown,
        "dreamcatcher": events.WheelSpun,
        "props_and_hops": events.DiceThrown,
    }
    kind = kinds.get(case.room.key)
    before = [fact for fact in case.facts[: place.number] if kind and isinstance(fact, kind)]
    resolution = place.play.state.round.resolution if place.play.state.round is not None else None
    if not before or resolution is None:
        return
    last = before[-1]
    if isinstance(last, events.DiceThrown):
        dice = tuple(replace(die, face=1) for die in last.dice)
        yield Done(Act.SHOWN_AGAIN, place, (again(case, place, last, dice=dice),))
    else:
        said = {"section": 1, "symbols": ("2",)}
        yield Done(Act.SHOWN_AGAIN, place, (again(case, place, last, **said),))


def hand_changed(case: Case, place: Place) -> Iterator[Done]:
    for fact in case.facts[: place.number]:
        if (
            isinstance(fact, events.HandSet)
            and fact.position != "DEALER"
            and fact.high
            and fact.low
        ):
            assert place.play.state.round is not None
            book = place.play.state.round.book.wagers.values()
            main = {w.wager_id for w in book if w.placed.position == fact.position}
            swapped = {"high": (fact.low[0], *fact.high[1:]), "low": (fact.high[0],)}
            added = again(case, place, fact, **swapped)
            yield Done(Act.HAND_CHANGED, place, (added,), frozenset(main))


def told_again(case: Case, place: Place) -> Iterator[Done]:
    """What was stated once is stated another time, whatever it is, once the round is decided."""
    decided = place.play.state.round is not None and place.play.state.round.resolution is not None
    for fact in case.facts[1 : place.number] if decided else ():
        if not isinstance(fact, ADDING):
            yield Done(Act.TOLD_AGAIN, place, (again(case, place, fact),))


ADDING: Final = (events.WagerPlaced, events.WagerIncreased, events.WagerSettled)
"""Facts that say something more each time."""
Asked = Callable[[Case, Place], Iterator[Done]]
ACTS: Final[tuple[Asked, ...]] = (
    late_raise, late_wager, late_lift, second_payment, late_coupon, second_coupon, early_settlement, wrong_call,
    call_off, call_off_a_throw, lid, shown_again, hand_changed, told_again,
)  # fmt: skip


# --- coupons --------------------------------------------------------------------------------------


class EveryCouponLives:
    """A custody in which every coupon may be used and adds $5.00 at the odds of its wager."""

    def status(self, text: str, at: int, day: date, ref: FactRef | None = None) -> CouponStatus:
        said = {"series": "M10", "denomination_cents": 500, "prefix": "M10", "digits": 7}
        series = made("CouponSeriesDescribed", 1, 0, pays="WAGER_ODDS", **said)
        assert isinstance(series, events.CouponSeriesDescribed)
        return CouponStatus(text=text, serial=None, series=series, state=CouponState.LIVE)


def with_custody(case: Case) -> Case:
    """The same round at a property that knows its coupons."""
    play = case.play.fork()
    play.state.desk.lookup = EveryCouponLives()
    return replace(case, play=play)


def with_coupon(case: Case) -> Case | None:
    """The same round with a coupon on its first wager; None where that is staked too low."""
    play, facts = with_custody(case).play, list(case.facts)
    number = next(n for n, fact in enumerate(facts) if isinstance(fact, events.WagerPlaced))
    wager = facts[number]
    assert isinstance(wager, events.WagerPlaced)
    if wager.stake_cents < 500:
        return None
    laid = events.CouponLaid(serial="M10-0000001", chips_cents=500)
    facts[number] = replace(wager, coupons=(laid,))
    said = {"serial": laid.serial, "wager_id": wager.wager_id, "denomination_cents": 500}
    place = Place(number + 1, play)
    facts.insert(number + 1, fact_at(case, place, "CouponAccepted", 1, **said))
    case = Case(play, tuple(facts), case.came_to)
    return replace(case, came_to=judged(case))


# --- what it may touch ----------------------------------------------------------------------------


def rows_of(room: Room) -> dict[Act, Taint]:
    """What a room declares, and what is declared of coupons in any."""
    return {**room.taint_by_act, **{row.act: row for row in match_play.TAINTS}}


def violations(case: Case, done: Done) -> list[str]:
    """Where an act touches more, or less, than its room declares."""
    was, came_to = amounts(case.came_to), judged(case, done)
    now = amounts(came_to)
    changed = {name for name in was.keys() | now.keys() if was.get(name) != now.get(name)}
    scope = rows_of(case.room)[done.act].scope
    wrong = []
    match scope:
        case Scope.NOTHING:
            due: set[str] = set()
        case Scope.HAND:  # both settings may come to the same
            due = changed & done.touched
        case Scope.ADDED:
            coupon = done.act is Act.LATE_COUPON  # on a wager that loses it adds nothing
            decided = {Outcome.WON} if coupon else {Outcome.WON, Outcome.LOST}
            due = {n for n in done.touched if was[n][0] in decided}
            wrong += [
                f"{n} itself: {now[n]}, was {was[n]}" for n in due if now[n][:4] != was[n][:4]
            ]
            parts = (0, (LATE_SERIAL,)) if coupon else (1, ())
            doubts = {n: now[n][4] for n in due}
            wrong += [
                f"{n}: {doubt}"
                for n, doubt in doubts.items()
                if doubt is None or (doubt.stake_cents, doubt.coupons) != parts
            ]
        case Scope.UNDECIDED:
            due = {n for n in done.touched if was[n][0] is not Outcome.STANDS}
            wrong += [f"{n}: {now[n]}" for n in done.touched if now[n][0] is not Outcome.STANDS]
        case Scope.WAGER | Scope.NAMED:
            unknown = {n for n, came in was.items() if came[0] is Outcome.UNKNOWN}
            due = {*done.touched} - unknown
            void = came_to.status is RoundStatus.VOID  # then it goes back with all others
            open_to = {Outcome.UNKNOWN} | ({Outcome.RETURNED} if void else set())
            wrong += [f"{n}: {now[n]}" for n in due if now[n][0] not in open_to]
    if changed != due:
        wrong.append(f"{done.act.name} changed {sorted(changed)}, should {sorted(due)}")
    lost = {f for f in findings(case.came_to) - findings(came_to) if f[1] not in done.touched}
    if scope is Scope.NOTHING or scope is Scope.ADDED:
        wrong += [f"{done.act.name}: no longer told: {finding}" for finding in lost]
    return wrong


@cache
def some_cases(key: str, many: int) -> tuple[Case, ...]:
    """Rounds of a table, drawn the same way each time."""
    known = list(cases(key))
    return tuple(Random(key).sample(known, min(many, len(known))))


def all_done(drawn: Sequence[Case], acts: Sequence[Asked] = ()) -> Iterator[tuple[Case, Done]]:
    """Every act at every place of these rounds."""
    for case in drawn:
        for place in places(case):
            for act in acts or ACTS:
                for done in act(case, place):
                    yield case, done


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("key", TABLES)
def test_the_floor_with_one_act_more(key: str) -> None:
    every = list(all_done(some_cases(key, 3)))
    drawn = Random(key).sample(every, min(150, len(every)))
    for act in Act:  # of each kind of act at least some
        drawn += [one for one in every if one[1].act is act][:4]
    for case, done in drawn:
        assert violations(case, done) == [], (case.came_to.round, done.act, done.added)


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("key", TABLES)
def test_a_late_first_coupon_touches_what_it_adds(key: str) -> None:
    drawn = [with_custody(case) for case in some_cases(key, 12)]
    asked = list(all_done(drawn, (late_coupon,)))
    won = [
        wager
        for case, done in asked
        for wager in case.came_to.wagers
        if wager.wager_id in done.touched and wager.expected.outcome is Outcome.WON
    ]
    assert won
    for case, done in asked:
        assert violations(case, done) == [], (case.came_to.round, done.added)
        told = {finding.code for finding in judged(case, done).findings}
        assert "late_coupon" in told


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("key", TABLES)
def test_a_late_second_coupon_touches_nothing(key: str) -> None:
    drawn = [case for case in map(with_coupon, some_cases(key, 6)) if case is not None]
    asked = [one for one in all_done(drawn) if one[1].act is Act.SECOND_COUPON]
    assert asked
    for case, done in asked:
        assert violations(case, done) == [], (case.came_to.round, done.added)


@pytest.mark.parametrize("key", ["sic_bo", "asia_poker"])
def test_a_part_that_is_picked_up_of_a_round_that_goes_back_leaves_no_smaller_wager(
    key: str,
) -> None:
    void = next(case for case in cases(key) if case.came_to.status is RoundStatus.VOID)
    picked_up = [
        (case, done)
        for case, done in all_done([void], (late_lift,))
        if getattr(done.added[0], "taken_cents", None) == 1
    ]
    assert any(findings(judged(*asked)) == findings(void.came_to) for asked in picked_up)
    for case, done in picked_up:
        assert violations(case, done) == [], (case.came_to.round, done.added)
        further = findings(judged(case, done)) - findings(case.came_to)
        assert {code for code, *_ in further} <= {"late_take_down"}


@pytest.mark.full
@pytest.mark.parametrize("key", TABLES)
def test_every_round_of_the_floor_with_every_act(key: str) -> None:
    for case, done in all_done(some_cases(key, 40)):
        assert violations(case, done) == [], (case.came_to.round, done.act, done.added)


def test_the_property_objects_to_a_raise_that_is_taken_for_granted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wager_book, "takes_part", lambda *_: True)
    asked = (one for one in all_done(some_cases("sic_bo", 3)) if one[1].act is Act.LATE_RAISE)
    assert any(violations(case, done) for case, done in asked)


def test_the_property_objects_to_a_game_that_is_lost_with_an_extra_point_roll(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(calls, "called_off", lambda _: Act.CALL_OFF_PLAY)
    rounds = all_done(some_cases("three_dice_football", 12))
    asked = (one for one in rounds if one[1].act is Act.CALL_OFF_EXTRA)
    assert any(violations(case, done) for case, done in asked)


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("key", TABLES)
def test_every_row_of_a_room_is_asked(key: str) -> None:
    asked = {done.act for _, done in all_done(some_cases(key, 12))}
    assert {row.act for row in next(r for r in ROOMS if r.key == key).taints} - asked == set()


def beside(case: Case, done: Done) -> Case:
    """The round with an act in it."""
    facts = list(case.facts)
    facts[done.place.number : done.place.number] = done.added
    return Case(case.play, tuple(facts), judged(case, done))


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("key", TABLES)
def test_two_acts_on_different_wagers_touch_what_each_of_them_may(key: str) -> None:
    """A late raise and a groundless call, a second payment and a late coupon, and so on."""
    dice, pairs = Random(key), set()
    first: dict[Act, tuple[Case, Done]] = {}
    for case, done in all_done([with_custody(case) for case in some_cases(key, 2)]):
        if done.act is not Act.TOLD_AGAIN and (done.act not in first or dice.random() < 0.1):
            first[done.act] = case, done
    for case, done in dice.sample(list(first.values()), min(4, len(first))):
        second: dict[Act, Done] = {}
        both = beside(case, done)
        for _, more in all_done([both], [act for act in ACTS if act is not told_again]):
            if more.place.number <= done.place.number:
                continue
            if more.act not in second or dice.random() < 0.1:
                second[more.act] = more
        for more in second.values():
            if more.touched & done.touched or done.act is more.act is Act.LATE_WAGER:
                continue
            pairs.add((done.act, more.act))
            added = tuple(replace(fact, seq=fact.seq + 50) for fact in more.added)
            wrong = violations(both, more._replace(added=added))
            assert [one for one in wrong if "no longer told" not in one] == [], (done, more)
    assert len(pairs) > 5
