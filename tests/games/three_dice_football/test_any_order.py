"""Any facts in any order: nothing crashes, nothing is settled twice over, the unknown stays unknown.

Dice of wrong colours and numbers, wagers on unknown spots, rulings on nothing, markers anywhere,
lost facts; told to the room alone and to a whole audit.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger import events
from ledger.audit import audit_day
from ledger.codec import frame
from ledger.games.football_field import Spot, reachable
from ledger.games.room import Unsure
from ledger.games.three_dice_football import ROOM
from ledger.kernel import FactRef
from ledger.log import Arrival
from ledger.replay import Replay
from ledger.rounds import Outcome
from tests.games.facts import fact, rules_of
from tests.games.transcript import DAY, office, setting
from tests.log.memory_log import MemoryLog
from tests.strategies import numbers

NAMES = [row.name for row in ROOM.wagers]
SERIALS = st.sampled_from(["G1", "G2", "G3", "G4", "R1", "R2", "X9"])
PLACES = st.none() | st.sampled_from(["1", "5", "9", "16", "17", "0", "seat"])
PLACE = PLACES.filter(lambda place: place is not None)
PEOPLE = st.none() | st.sampled_from(["S1", "D1", "nobody"])
REASONS = st.none() | st.sampled_from([*(row.cause for row in ROOM.invalid), "", "bad luck"])
DIE = st.builds(
    events.ThrownDie,
    serial=st.none() | SERIALS,
    colour=st.none() | st.sampled_from(["green", "red", "blue"]),
    face=st.none() | numbers("ThrownDie", "face", range(8)),
    rest=st.sampled_from(events.ThrowRest),
    resting_side=st.none() | numbers("ThrownDie", "resting_side", range(8)),
    leans_on=st.none(),
    touched=st.none() | st.lists(st.sampled_from(events.Touched), max_size=2).map(tuple),
)
SOUND = st.tuples(*(st.integers(1, 6) for _ in range(3))).map(
    lambda faces: ",".join(f"{c}{n}" for c, n in zip("ggr", faces, strict=True))
)
DOWNS = st.none() | st.sampled_from(["FIRST_DOWN", "THIRD_AND_GOAL", "EXTRA_POINT", "UNRECOGNISED"])
MAYBE = st.none() | st.booleans()
IDS = st.sampled_from("ABCD")
SETS = st.lists(SERIALS, max_size=7, unique=True).map(tuple)
KINDS: dict[str, dict[str, Any]] = {
    "BettingOpened": {},
    "WagerPlaced": {
        "wager_id": IDS,
        "wager": st.sampled_from([*NAMES, "First Down"]),
        "picks": st.sampled_from([(), (1,), (3,), (7,)]),
        "stake_cents": numbers("WagerPlaced", "stake_cents", range(1, 999, 7)),
        "position": PLACES,
    },
    "WagerIncreased": {
        "wager_id": IDS,
        "added_cents": numbers("WagerIncreased", "added_cents", range(1, 10)),
    },
    "WagerTakenDown": {
        "wager_id": IDS,
        "taken_cents": st.none() | numbers("WagerTakenDown", "taken_cents", range(0, 999, 7)),
    },
    "WagerReturned": {"wager_id": IDS},
    "WagerSettled": {
        "wager_id": IDS,
        "outcome": st.sampled_from(["WON", "LOST", "RETURNED", "UNRECOGNISED"]),
    },
    "DiceThrownByHand": {
        "dice": SOUND | st.lists(DIE, max_size=5).map(tuple),
        "purpose": st.none() | st.sampled_from(["DOWN", "EXTRA_POINT", "UNRECOGNISED"]),
        "position": PLACES,
        "released_together": MAYBE,
        "struck_far_end": MAYBE,
    },
    "RollCalled": {
        "faces": st.lists(numbers("RollCalled", "faces", range(8)), max_size=4).map(tuple),
        "called_by": PEOPLE,
    },
    "NoRollCalled": {"reason": REASONS, "called_by": PEOPLE},
    "ThrowVoided": {"reason": REASONS, "called_by": PEOPLE},
    "FaceDisputed": {"die": st.none() | SERIALS},
    "DisputeRuled": {
        "die": st.none() | SERIALS,
        "face": st.none() | numbers("DisputeRuled", "face", range(8)),
        "rethrow": MAYBE,
        "ruled_by": PEOPLE,
    },
    "MarkersPlaced": {
        "yard": st.none() | numbers("MarkersPlaced", "yard", range(-1, 26)),
        "down": DOWNS,
        "play": st.none() | numbers("MarkersPlaced", "play", range(9)),
    },
    "DownAnnounced": {
        "down": DOWNS,
        "distance_yards": st.none() | numbers("DownAnnounced", "distance_yards", range(-1, 26)),
    },
    "TurnoverAnnounced": {},
    "DiceOffered": {"position": PLACE},
    "DiceRefused": {"position": PLACE},
    "DiceAccepted": {"position": PLACE},
    "DiceSelected": {"position": PLACES, "dice": SETS},
    "DiceSetPlaced": {
        "dice": SETS.map(
            lambda serials: tuple(
                events.DieIdentity(serial=s, colour={"G": "green", "R": "red"}.get(s[0]))
                for s in serials
            )
        )
    },
    "DiceSetRemoved": {"dice": SETS},
    "DieLost": {"die": st.none() | SERIALS},
    "DieFound": {"die": st.none() | SERIALS},
    "CameraDescribed": {"camera": st.sampled_from("AB"), "stationary": MAYBE, "covers": PLACES},
    "CameraLost": {"camera": st.sampled_from("AB")},
    "PositionTaken": {"position": PLACE},
    "PositionLeft": {"position": PLACE},
    "TableClosed": {},
}
ONE = st.sampled_from(sorted(KINDS)).flatmap(
    lambda kind: st.tuples(st.just(kind), st.fixed_dictionaries(KINDS[kind]))
)
PLAY = st.sampled_from(["DiceThrownByHand", "RollCalled", "WagerPlaced", "WagerSettled"]).flatmap(
    lambda kind: st.tuples(st.just(kind), st.fixed_dictionaries(KINDS[kind]))
)
FACTS = st.lists(PLAY | ONE, max_size=30).map(lambda rest: [("BettingOpened", {}), *rest])


slow = settings(deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))


@slow
@given(said=FACTS, lost=st.integers(0, 40))
def test_the_room_answers_whatever_it_is_told(said: list[tuple[str, Any]], lost: int) -> None:
    rules, state = rules_of(ROOM), ROOM.initial
    for number, (kind, values) in enumerate(said, 1):
        each = fact(kind, number, number, **values)
        kept, told = deepcopy(state), ROOM.decide(rules, state, each)
        assert told == ROOM.decide(rules, state, each)
        ROOM.close(rules, state, FactRef(each.stream, each.seq))
        after = ROOM.evolve(state, each)
        assert state == kept, "a state is never changed"
        for ruling in told:
            after = ROOM.evolve(after, ruling)
        state = ROOM.evolve(after, Unsure("T-01")) if number == lost else after
        assert state.spot is None or isinstance(state.spot, Spot)
        assert state.spot is None or state.spot in reachable()
        assert state.undo is None or state.undo.undo is None


@slow
@given(said=FACTS, lost=st.integers(0, 40))
def test_an_audit_answers_whatever_happened(said: list[tuple[str, Any]], lost: int) -> None:
    before = setting(ROOM, [])
    facts: list[events.Fact] = list(before)
    for number, (kind, values) in enumerate(said, 1):
        hole = 1 if 0 < lost <= number else 0
        facts.append(fact(kind, len(before) + number + hole, number, **values))
    log = MemoryLog(origin="any.example", property="Example", record_time=1)
    arrivals = [Arrival(frame(each)) for each in (*office(ROOM, []), *facts)]
    log.append(arrivals, record_time=2)
    rounds: list[Any] = []
    audit = audit_day(Replay(log), DAY, on_round=rounds.append)
    assert all("{" not in found.sentence for found in audit.findings)
    for one in rounds:
        for wager in one.wagers:
            known = wager.expected.outcome in (Outcome.WON, Outcome.LOST)
            assert not (known and wager.placed.wager not in NAMES), "no rule for such a wager"
    again = audit_day(Replay(log), DAY)
    assert again.digest == audit.digest


def test_every_kind_that_the_room_follows_is_tried() -> None:
    from ledger.games.three_dice_football.decider import HANDLERS

    kinds = {kind.__name__ for kind in HANDLERS}
    assert kinds - KINDS.keys() == {"TableOpened", "RulesSignPosted"}


def test_a_set_of_five_and_a_die_of_another_colour_are_findings() -> None:
    rules = rules_of(ROOM)
    state = ROOM.initial._replace(phase="before the first throw")
    five = tuple(events.DieIdentity(serial=f"G{n}", colour="green") for n in range(5))
    state = ROOM.evolve(state, fact("DiceSetPlaced", 1, 0, dice=five))
    thrown = fact("DiceThrownByHand", 2, 1, dice="g1,g2,g3")
    codes = {r.duty.code for r in ROOM.decide(rules, state, thrown) if hasattr(r, "duty")}
    assert {"wrong_dice_thrown", "dice_set_incomplete"} <= codes
