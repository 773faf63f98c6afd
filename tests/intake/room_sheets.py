"""The outcome sheets of football, props and poker, written from the facts of a day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from ledger import events

Rows = list[dict[str, Any]]
ZONE: Final = ZoneInfo("America/New_York")
LAY: Final = {
    "FLAT": "flat",
    "ONE_SIDE_PROPPED": "cocked",
    "TWO_SIDES_PROPPED": "two sides propped",
    "ON_A_DIE": "stacked",
    "ON_CHIPS": "on chips",
    "ON_BANK": "on the bank",
    "IN_DICE_CUP": "in the dice cup",
    "ON_RAIL": "on a rail",
    "OFF_TABLE": "off the table",
    "OUTSIDE_SHAKER": "out of the shaker",
}


def local(micros: int) -> str:
    """The time of the day by the property's clocks, to the microsecond."""
    whole, part = divmod(micros, 1_000_000)
    return datetime.fromtimestamp(whole, ZONE).strftime("%H:%M:%S") + f".{part:06d}"


def football(facts: list[events.Fact], base: dict[str, Any]) -> Rows:
    """One row a throw."""
    rows: Rows = []

    def row(heading: str) -> dict[str, Any]:
        """The last row, or a new one if that has such a cell already."""
        if not rows or heading in rows[-1]:
            rows.append({**base, "Throw": len(rows) + 1})
        return rows[-1]

    for fact in facts:
        match fact:
            case events.BettingOpened():
                rows.append({**base, "Throw": len(rows) + 1})
                rows[-1]["Betting opened"] = local(fact.event_time)
            case events.DiceThrownByHand():
                one = row("Thrown")
                one |= {"Thrown": local(fact.event_time), "Quarterback": fact.position or ""}
                one["For"] = (fact.purpose or "").lower().replace("_", " ")
                greens = iter(("Green 1", "Green 2"))
                for die in fact.dice:
                    name = "Red" if die.colour == "red" else next(greens)
                    one[name], one[f"{name} lay"] = die.face, LAY[die.rest]
                    one[f"{name} rests on"] = die.resting_side
            case events.RollCalled():
                rows[-1]["Called at"] = local(fact.event_time)
                rows[-1]["Called"] = "-".join(map(str, fact.faces))
            case events.NoRollCalled():
                rows[-1]["Called at"] = local(fact.event_time)
                rows[-1]["No roll because"] = fact.reason or "called"
            case events.ThrowVoided():
                rows[-1]["Called at"] = local(fact.event_time)
                rows[-1]["Throw void because"] = fact.reason or "void"
    return rows


def props(facts: list[events.Fact], base: dict[str, Any]) -> Rows:
    """One row a roll of the shaker."""
    rows: Rows = []
    for fact in facts:
        match fact:
            case events.BettingOpened():
                rows.append({**base, "Roll": len(rows) + 1})
                rows[-1]["Betting opened"] = local(fact.event_time)
            case events.NoMoreBetsAnnounced():
                rows[-1]["No more bets"] = local(fact.event_time)
            case events.PlayerShook():
                if "Result shown" in rows[-1]:
                    rows.append({**base, "Roll": len(rows) + 1})
                at, shakes = "Shaken at", "Covered shakes"
                if at in rows[-1]:
                    at, shakes = "Shaken again at", "Covered shakes again"
                rows[-1] |= {at: local(fact.event_time), shakes: fact.shakes}
                rows[-1]["Shaken by"] = fact.position or ""
            case events.LidLiftedByPlayer():
                rows[-1]["Lid lifted by the player"] = local(fact.event_time)
            case events.DiceThrown():
                rows[-1]["Result shown"] = local(fact.event_time)
                for number, die in enumerate(fact.dice, 1):
                    rows[-1][f"Die {number}"] = die.face
                    rows[-1][f"Die {number} lay"] = LAY[die.rest]
            case events.NoRollCalled():
                rows[-1]["No roll because"] = fact.reason or "called"
            case events.RollCalled():
                rows[-1]["Called"] = "-".join(map(str, fact.faces))
    return rows


def poker(facts: list[events.Fact], base: dict[str, Any]) -> Rows:
    """One row a round."""
    rows: Rows = []
    for fact in facts:
        match fact:
            case events.BettingOpened():
                rows.append({**base, "Round": len(rows) + 1})
                rows[-1]["Betting opened"] = local(fact.event_time)
            case events.NoMoreBetsAnnounced():
                rows[-1]["No more bets"] = local(fact.event_time)
            case events.CardsDealt():
                rows[-1]["Dealt"] = local(fact.event_time)
                rows[-1]["Dealt first to"] = fact.first_position
                for stack in fact.stacks:
                    rows[-1][f"{stack.position} cards"] = " ".join(stack.cards or ())
            case events.HandSet():
                for name in ("high", "medium", "low"):
                    rows[-1][f"{fact.position} {name}"] = " ".join(getattr(fact, name) or ())
                at = "Dealer set" if fact.position == "1" else "Hands set"
                rows[-1][at] = local(fact.event_time)
            case events.HandSurrendered():
                rows[-1][f"{fact.position} gave up"] = "surrendered"
                rows[-1].setdefault("Dealer set", local(fact.event_time))
            case events.PositionLeft() if rows and "Dealt" in rows[-1]:
                rows[-1] |= {f"{fact.position} gave up": "left", "Left at": local(fact.event_time)}
            case events.IrregularityFound():
                rows[-1] |= {
                    "Irregular at": local(fact.event_time), "Irregular cards": fact.count,
                    "Irregularity": fact.irregularity.lower().replace("_", " "),
                    "Irregular position": fact.position or "",
                }  # fmt: skip
            case events.RoundVoided():
                rows[-1] |= {"Irregular at": local(fact.event_time)}
                rows[-1]["Round void because"] = fact.reason or "void"
    return rows


ROOMS: Final[dict[str, tuple[str, Callable[[list[events.Fact], dict[str, Any]], Rows]]]] = {
    "FB": ("football-outcomes", football),
    "PH": ("props-outcomes", props),
    "AP": ("poker-outcomes", poker),
}
"""Profile and sheet by the first letters of a table."""
