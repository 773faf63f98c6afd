"""Dice that an inspection found outside of § 577.4(a) count while they are at the table."""

from __future__ import annotations

import pytest

from ledger import events
from ledger.games.room import rules_on
from ledger.games.three_dice_football import ROOM
from ledger.house.equipment import Equipment
from ledger.house.office import Office
from ledger.house.staffing import Staff
from tests.games.facts import DAYS, fact

RULES = rules_on(ROOM, DAYS["three_dice_football"], None, filing_known=False)


def placed(seq: int, *serials: str) -> events.Fact:
    dice = tuple(events.DieIdentity(serial=serial, colour="green") for serial in serials)
    return fact("DiceSetPlaced", seq, seq, dice=dice)


def removed(seq: int, *serials: str) -> events.Fact:
    return fact("DiceSetRemoved", seq, seq, dice=serials)


def look(seq: int, serial: str | None, found: str) -> events.ItemInspected:
    seen = fact(
        "ItemInspected", seq, seq, subject="DICE", subject_id=serial,
        item="physical_characteristics", found=found, inspected_by="S1",
    )  # fmt: skip
    assert isinstance(seen, events.ItemInspected)
    return seen


def times_reported(facts: list[events.Fact]) -> int:
    """How often an opening after these facts reports dice that are outside."""
    equipment = Equipment()
    for each in facts:
        match each:
            case events.DiceSetPlaced():
                equipment.place_dice(each)
            case events.DiceSetRemoved():
                equipment.remove_dice(each)
            case events.ItemInspected():
                equipment.look(each)
    opening = fact("TableOpened", 99, 99, game=ROOM.game, layout="LY", capture="FULL")
    assert isinstance(opening, events.TableOpened)
    breaches = equipment.opened(ROOM, RULES, opening, Office(), Staff())
    return sum(breach.duty.code == "dice_not_compliant" for breach in breaches)


@pytest.mark.parametrize(
    ("facts", "times"),
    [
        pytest.param([placed(1, "A"), look(2, "A", "no")], 1, id="at the table"),
        pytest.param([look(1, "A", "no")], 1, id="not yet at the table"),
        pytest.param([look(1, None, "no"), placed(2, "A")], 1, id="whichever it was"),
        pytest.param([placed(1, "A"), look(2, "A", "no"), look(3, "A", "yes")], 0, id="last look"),
        pytest.param([placed(1, "A"), look(2, "A", "no"), removed(3, "A")], 0, id="taken away"),
        pytest.param(
            [placed(1, "A"), look(2, "A", "no"), removed(3, "A"), placed(4, "A")], 1, id="back"
        ),
    ],
)
def test_577_4_a_dice_found_outside(facts: list[events.Fact], times: int) -> None:
    assert times_reported(facts) == times


def test_looks_at_dice_that_are_right_are_not_kept() -> None:
    equipment = Equipment()
    for day in range(1, 73):
        equipment.look(look(day, f"D{day}", "yes"))
    assert not equipment.items
