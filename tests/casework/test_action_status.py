"""What persons did with an action, as facts; when one that was closed is open again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ledger.audit import audit_day, read_office
from ledger.casework import (
    Action,
    ActionAmbiguous,
    ActionFact,
    ActionRefused,
    ActionStatus,
    DayActions,
    actions_of,
    aged,
    close,
    named,
    note,
    read_done,
    standing,
    take,
)
from ledger.codec import frame
from ledger.events import ActionClosed, Fact, SourceRegistered
from ledger.kernel import FactRef
from ledger.log import Arrival, init, open_log
from ledger.replay import Replay
from tests.casework.scenes import DAY, HOUR, folded, played, seen, table
from tests.engine import FIRST_DAY, floor_day, log_of

AT = 1_700_000_000_000_000


class Desk:
    """A small ledger, and one person after another who acts on the actions of a day."""

    def __init__(self) -> None:
        self.facts: list[Fact] = list(table().build())
        self.replay = Replay(log_of(self.facts))
        self.house = read_office(self.replay)

    @property
    def done(self) -> tuple[ActionFact, ...]:
        return read_done(self.replay)

    def stand(self, actions: Sequence[Action]) -> DayActions:
        return standing(actions, self.done, DAY)

    def do(self, what: Any, action: Action, *said: str) -> None:
        """Append what a person does with an action as it stands."""
        (now,) = (one for one in self.stand([action]).actions if one.id == action.id)
        self.facts.extend(what(self.replay, self.house, now, *said, AT + len(self.facts)))
        self.replay = Replay(log_of(self.facts))
        self.house = read_office(self.replay)


def one(*more: int, **other: Any) -> Action:
    (action,) = folded(*(seen(seq, seq, effect_cents=-100, **other) for seq in (1, *more)))
    return action


def state(desk: Desk, *actions: Action) -> list[tuple[str, str, str]]:
    found = desk.stand(actions).actions
    return [(action.status.value, action.in_hand, action.changed) for action in found]


# --- from open to closed, and back ----------------------------------------------------------------


def test_an_action_that_nobody_touched_is_open():
    assert state(Desk(), one()) == [("open", "", "")]


def test_a_person_takes_an_action_and_another_takes_it_over():
    desk = Desk()
    desk.do(take, one(), "F-1")
    assert state(desk, one()) == [("taken", "F-1", "")]
    desk.do(take, one(), "F-2")
    assert state(desk, one()) == [("taken", "F-2", "")]
    with pytest.raises(ActionRefused, match="in the hands of F-2 already"):
        desk.do(take, one(), "F-2")


def test_a_closed_action_stays_closed():
    desk = Desk()
    desk.do(close, one(2), "patrons repaid", "F-1")
    assert state(desk, one(2)) == [("closed", "F-1", "")]
    for what, said in ((take, ("F-2",)), (close, ("again", "F-2"))):
        with pytest.raises(ActionRefused, match="its evidence has not changed"):
            desk.do(what, one(2), *said)


def test_it_stays_closed_when_only_words_change():
    desk = Desk()
    desk.do(close, one(), "patrons repaid", "F-1")
    assert state(desk, one(sentence="Said in other words.")) == [("closed", "F-1", "")]


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        (one(), one(2), "1 finding more, $1.00 more underpaid"),
        (one(2, 3, 4), one(2), "2 findings fewer, $2.00 less underpaid"),
        (
            one(),
            one(table="SB-01", wager="W9"),
            "the same number of findings and amounts, but different facts",
        ),
        (
            one(),
            folded(seen(1, 1, effect_cents=70))[0],
            "$0.70 more overpaid, $1.00 less underpaid",
        ),
        (
            one(),
            folded(seen(1, 1))[0],
            "overpaid $0.00, now not known, underpaid $1.00, now not known",
        ),
    ],
)
def test_it_opens_again_when_its_evidence_changes_and_says_what(before, after, changed):
    desk = Desk()
    desk.do(close, before, "done", "F-1")
    assert state(desk, after) == [("reopened", "F-1", changed)]


def test_one_that_opened_again_can_be_taken_and_closed():
    desk = Desk()
    desk.do(close, one(), "done", "F-1")
    desk.do(take, one(2), "F-2")
    assert state(desk, one(2)) == [("taken", "F-2", "")]
    desk.do(close, one(2), "done", "F-2")
    assert state(desk, one(2)) == [("closed", "F-2", "")]
    assert state(desk, one()) == [("reopened", "F-2", "1 finding fewer, $1.00 less underpaid")]


def test_a_note_changes_no_status_and_stays():
    desk = Desk()
    desk.do(close, one(), "done", "F-1")
    desk.do(note, one(), "footage kept", "S-1")
    assert state(desk, one()) == [("closed", "F-1", "")]
    assert [type(fact).__name__ for fact in desk.stand([one()]).done[one().id]] == [
        "ActionClosed",
        "ActionNoted",
    ]


@pytest.mark.parametrize("text", ["", "  ", "x" * 2_001])
def test_a_note_and_a_reason_have_words(text):
    desk = Desk()
    for what in (note, close):
        with pytest.raises(ActionRefused, match="has 1 to 2,000 characters"):
            desk.do(what, one(), text, "F-1")


def test_a_person_is_named():
    with pytest.raises(ActionRefused, match="named by a credential"):
        Desk().do(take, one(), " ")


# --- late facts -----------------------------------------------------------------------------------


def test_what_was_done_follows_an_action_whose_first_finding_moved():
    desk = Desk()
    later = folded(seen(5, 5), seen(6, 6))[0]
    desk.do(close, later, "done", "F-1")
    moved = folded(seen(4, 4), seen(5, 5), seen(6, 6))[0]
    assert moved.id != later.id
    assert state(desk, moved) == [("reopened", "F-1", "1 finding more")]
    assert named(later.id, desk.stand([moved])) == desk.stand([moved]).actions[0]


def test_it_follows_also_when_the_first_finding_is_no_more():
    desk = Desk()
    desk.do(close, folded(seen(5, 5), seen(6, 6))[0], "done", "F-1")
    assert state(desk, folded(seen(6, 6))[0]) == [("reopened", "F-1", "1 finding fewer")]
    gone = desk.stand([folded(seen(6, 2 * HOUR))[0]])
    assert [action.status for action in gone.actions] == [ActionStatus.OPEN]
    assert [len(facts) for facts in gone.gone.values()] == [1]


def test_what_was_done_is_of_its_gaming_day():
    desk = Desk()
    desk.do(close, one(), "done", "F-1")
    other = standing([one()], desk.done, DAY + timedelta(days=1))
    assert other.actions[0].status is ActionStatus.OPEN
    assert not other.gone


def test_an_action_is_named_by_the_beginning_of_its_id():
    day = standing([one(), *folded(seen(9, 0, "dealer D-9"))], (), DAY)
    first = day.actions[0]
    assert named(first.id[:8].upper(), day) == first
    assert named("zz", day) is None
    assert named("", day) is None
    twice = standing([first, replace(first, id=first.id[:-1] + "x")], (), DAY)
    with pytest.raises(ActionAmbiguous, match="2 actions have an id that begins with"):
        named(first.id[:4], twice)


def test_age_counts_the_days_on_which_the_cause_was_seen():
    def on(days: int) -> Action:
        return replace(one(), gaming_day=DAY + timedelta(days=days))

    def age(*earlier: int, as_of: int = 3) -> int:
        (found,) = aged([on(3)], [on(days) for days in earlier], DAY + timedelta(days=as_of))
        return found.age_days

    assert age() == 0
    assert age(2) == 1
    assert age(2, 1) == 2
    assert age(1, 0) == 0  # a day without it begins it anew
    assert age(as_of=5) == 2
    (other,) = aged([on(3)], [replace(on(2), subject="dealer D-2")], DAY + timedelta(days=3))
    assert other.age_days == 0


# --- on a ledger ----------------------------------------------------------------------------------


def test_acting_changes_no_finding_of_any_day():
    """Neither L.4 nor L.6 tells of the stream of actions, and the day's digest is what it was."""
    facts, _ = floor_day("underpaid@SB-01")
    replay = Replay(log_of(facts))
    before = audit_day(replay, FIRST_DAY)
    (action, *_) = actions_of(replay, FIRST_DAY, audit=before).actions
    house = read_office(replay)
    _, ends = house.clock.bounds(FIRST_DAY)
    added = close(replay, house, action, "patron repaid", "M-1", ends - 1)
    assert [type(fact) for fact in added] == [SourceRegistered, SourceRegistered, ActionClosed]
    after = Replay(log_of([*facts, *added]))
    audit = audit_day(after, FIRST_DAY)
    assert (audit.digest, audit.findings) == (before.digest, before.findings)
    found = actions_of(after, FIRST_DAY, audit=audit)
    assert [one.status for one in found.actions if one.id == action.id] == [ActionStatus.CLOSED]
    closed = next(one for one in found.actions if one.id == action.id)
    more = note(after, read_office(after), closed, "slip 4711", "M-1", ends - 1)
    assert [(type(fact).__name__, fact.stream, fact.seq) for fact in more] == [
        ("ActionNoted", "cases/actions", 2)
    ]


def test_a_foreign_source_in_the_stream_of_actions_is_told():
    facts, _ = floor_day("underpaid@SB-01")
    replay = Replay(log_of(facts))
    house = read_office(replay)
    (action, *_) = actions_of(replay, FIRST_DAY).actions
    _, ends = house.clock.bounds(FIRST_DAY)
    *known, fact = take(replay, house, action, "M-1", ends - 1)
    forged = replace(fact, source="T-9")
    audit = audit_day(Replay(log_of([*facts, *known, forged])), FIRST_DAY)
    assert [f.facts[-1] for f in audit.findings if f.code == "source_not_registered"] == [
        FactRef("cases/actions", 1)
    ]


def test_a_late_fact_opens_a_closed_action_again():
    scene = table()
    played(scene, 0, ("Small Bet", 1_000, 500))
    played(scene, 60, ("Small Bet", 2_000, 2_000))
    replay = Replay(log_of(scene.build()))
    (action,) = actions_of(replay, scene.day).actions
    closed = close(replay, read_office(replay), action, "patron repaid", "M-1", AT)
    rerun = actions_of(Replay(log_of([*scene.build(), *closed])), scene.day)
    assert [one.status for one in rerun.actions] == [ActionStatus.CLOSED]
    scene.change("WagerSettled", {"winnings_cents": 2_000}, winnings_cents=1_500)
    late = actions_of(Replay(log_of([*scene.build(), *closed])), scene.day)
    assert [(one.status, one.changed) for one in late.actions] == [
        (ActionStatus.REOPENED, "1 finding more, $5.00 more underpaid")
    ]
    assert late.actions[0].id == action.id


def test_acting_leaves_carried_states_as_they_are(tmp_path: Path) -> None:
    """Else each step of a person would make the next audit walk the whole ledger again."""
    facts, _ = floor_day("underpaid@SB-01", days=2)
    second = FIRST_DAY + timedelta(days=1)
    init(tmp_path, origin="engine.example", property="Example", record_time=1)
    with open_log(tmp_path) as log:
        log.append([Arrival(frame(fact)) for fact in facts], 2)
    carried = tmp_path / "cache" / "carried"
    replay = Replay.open(tmp_path)
    before = audit_day(replay, second, carried=carried)
    kept = {path.name for path in carried.iterdir()}
    (action, *_) = actions_of(replay, second, audit=before).actions
    added = close(replay, read_office(replay), action, "patron repaid", "M-1", AT)
    with open_log(tmp_path) as log:
        log.append([Arrival(frame(fact)) for fact in added], 3)
    after = audit_day(Replay.open(tmp_path), second, carried=carried)
    assert after.digest == before.digest
    assert {path.name for path in carried.iterdir()} == kept != set()
