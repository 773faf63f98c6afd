"""Facts stand under their subject, also where a subject has several modules; cards and dice of the
further rooms can be said whole.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.codec import NotAFact, decode, frame, from_plain, registry, to_plain
from ledger.events import EVENTS, SUBJECTS, DiceThrownByHand, ThrowRest
from ledger.events.registry import PARTS_OF_SUBJECTS

SCHEMAS = Path(__file__).parents[2] / "schemas"
RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
DECK = ["JOKER", *(rank + suit for suit in "SHDC" for rank in RANKS)]


def test_every_fact_stands_in_the_folder_of_its_subject() -> None:
    assert {
        name: [path.parent.name for path in SCHEMAS.glob(f"*/{name}.1.avsc")] for name in EVENTS
    } == {name: [SUBJECTS[name]] for name in EVENTS}


def test_a_module_that_holds_part_of_a_subject_is_used() -> None:
    modules = {cls.__module__.rpartition(".")[2] for cls in EVENTS.values()}
    assert set(PARTS_OF_SUBJECTS) <= modules
    assert set(PARTS_OF_SUBJECTS.values()) <= modules
    assert modules - set(PARTS_OF_SUBJECTS) == set(SUBJECTS.values())


def test_a_whole_deck_can_be_dealt_and_read_back() -> None:
    """§ 575.8(c): seven cards to each of seven positions, and four remain."""
    assert len(set(DECK)) == 53
    stacks = [
        {"position": str(place + 1), "cards": DECK[place:49:7], "count": 7} for place in range(7)
    ]
    plain = {
        "event": "CardsDealt", "version": 1, "stream": "AP-01", "seq": 9,
        "event_time": "2012-09-01T17:00:00.000000Z", "source": "AP-01-T1", "recorded_by": None,
        "deck": "DK-1", "method": "MANUAL_SHOE", "device_id": None, "first_position": "1",
        "direction": "CLOCKWISE", "complete": True, "stacks": stacks,
    }  # fmt: skip
    fact = from_plain(plain)
    assert to_plain(decode(frame(fact))) == plain


@pytest.mark.row_by_row
@pytest.mark.parametrize("rest", [one for one in ThrowRest if one is not ThrowRest.UNRECOGNISED])
def test_a_die_thrown_by_hand_may_lie_anywhere(rest: ThrowRest) -> None:
    """§ 577.5(b)-(d), (f): off the table, on a die, the bank, the cup, a rail, chips, propped."""
    die = {
        "serial": None, "colour": "green", "face": None, "rest": rest.value,
        "resting_side": None, "leans_on": None, "touched": None,
    }  # fmt: skip
    fact = from_plain({
        "event": "DiceThrownByHand", "version": 1, "stream": "FB-01", "seq": 9,
        "event_time": "2012-09-15T17:00:00.000000Z", "source": "FB-01-T1", "recorded_by": None,
        "purpose": None, "position": None, "thrown_by": None, "released_together": None,
        "struck_far_end": None, "dice": [die],
    })  # fmt: skip
    assert isinstance(fact, DiceThrownByHand)
    assert fact.dice[0].rest is rest


@pytest.mark.parametrize(("yard", "taken"), [(-1, False), (0, True), (23, True), (100, True)])
def test_a_marker_beyond_the_layout_is_still_a_fact(yard: int, taken: bool) -> None:
    """§ 577.2(b)(4) labels 1 to 23; a marker elsewhere is for the rules to judge."""
    assert registry().by_name("MarkersPlaced").version == 1
    plain = {
        "event": "MarkersPlaced", "version": 1, "stream": "FB-01", "seq": 9,
        "event_time": "2012-09-15T17:00:00.000000Z", "source": "FB-01-T1", "recorded_by": None,
        "yard": yard, "down": None, "play": None, "placed_by": None,
    }  # fmt: skip
    if taken:
        assert to_plain(from_plain(plain)) == plain
    else:
        with pytest.raises(NotAFact):
            from_plain(plain)
