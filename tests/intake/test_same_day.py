"""A day that came as events, and the same day as sheets: the same rulings where both cover it.

A sheet has one line a wager: as it stood when no more bets were taken.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ledger.audit import rounds_of
from ledger.events import (
    BettingOpened,
    DiceThrown,
    Fact,
    GamingDayClosed,
    NoMoreBetsAnnounced,
    NoRollCalled,
    RollCalled,
    SpinCalled,
    SpinVoided,
    TableClosed,
    TableOpened,
    WagerIncreased,
    WagerMoved,
    WagerPlaced,
    WagerReturned,
    WagerSettled,
    WagerTakenDown,
    WheelPlaced,
    WheelSpun,
)
from ledger.floor import FIRST_DAY
from ledger.kernel import table_of
from ledger.replay import FactStep, Replay
from ledger.rounds import Outcome, RoundResult
from tests.engine import judged, log_of, table_day
from tests.intake.given import put
from tests.intake.room_sheets import LAY, ROOMS, local
from tests.log.memory_log import MemoryLog

TABLES = ("SB-01", "DC-01", "FB-01", "PH-01", "AP-01")


def day(micros: int) -> str:
    return FIRST_DAY.strftime("%m/%d/%Y")


def sheet(rows: Iterable[dict[str, Any]]) -> str:
    rows = list(rows)
    out = io.StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(out, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"


def cents(said: str) -> int:
    return int(said.replace("$", "").replace(",", "").replace(".", ""))


def outcomes(facts: list[Fact], table: str) -> tuple[str, str]:
    """The profile of a table's outcomes and its sheet."""
    if table[:2] in ROOMS:
        profile, write = ROOMS[table[:2]]
        return profile, sheet(write(facts, {"Gaming day": day(0), "Table": table}))
    return "table-outcomes", dice_or_wheel(facts, table)


def dice_or_wheel(facts: list[Fact], table: str) -> str:
    """One row a throw or a spin; a further one of a round has a number of its own."""
    rows: list[dict[str, Any]] = []
    for fact in facts:
        match fact:
            case BettingOpened():
                rows.append({"Gaming day": day(fact.event_time), "Table": table, "Round": len(rows) + 1,
                             "Betting opened": local(fact.event_time)})  # fmt: skip
            case WheelSpun():
                if "Result shown" in rows[-1]:
                    rows.append(
                        {
                            "Gaming day": rows[-1]["Gaming day"],
                            "Table": table,
                            "Round": len(rows) + 1,
                        }
                    )
                rows[-1] |= {
                    "Result shown": local(fact.event_time), "Wheel section": "" if fact.section is None else fact.section,
                    "Between sections": "-".join(map(str, fact.between or ())),
                    "Revolutions (thousandths)": fact.revolutions_thousandths or "",
                    "Direction": (fact.direction or "").lower(),
                }  # fmt: skip
            case SpinVoided():
                rows[-1]["Spin void because"] = fact.reason or "void"
            case SpinCalled():
                rows[-1]["Spin called"] = fact.result
            case NoMoreBetsAnnounced():
                rows[-1]["No more bets"] = local(fact.event_time)
            case DiceThrown():
                rows[-1]["Result shown"] = local(fact.event_time)
                for number, die in enumerate(fact.dice, 1):
                    rows[-1][f"Die {number}"] = die.face
                    rows[-1][f"Die {number} lay"] = LAY[die.rest] if die.rest else ""
            case RollCalled():
                rows[-1]["Called"] = "-".join(map(str, fact.faces))
            case NoRollCalled():
                rows[-1]["No roll because"] = fact.reason or "called"
    return sheet(rows)


def wagers(facts: list[Fact], table: str) -> str:
    rows: dict[str, dict[str, Any]] = {}
    for fact in facts:
        match fact:
            case WagerPlaced():
                rows[fact.wager_id] = {
                    "Gaming day": day(fact.event_time), "Table": table, "Wager id": fact.wager_id,
                    "Placed": local(fact.event_time), "Position": fact.position or "",
                    "Patron reference": fact.patron or "", "Wager": fact.wager,
                    "Picks": "-".join(map(str, fact.picks)), "Stake": dollars(fact.stake_cents),
                    "Made with": {"CHIPS": "chips", "PLAQUES": "plaques", "CASH": "cash"}.get(fact.instrument or "", ""),
                }  # fmt: skip
            case WagerIncreased():
                before = cents(rows[fact.wager_id]["Stake"])
                rows[fact.wager_id]["Stake"] = dollars(before + fact.added_cents)
            case WagerMoved():
                rows[fact.wager_id] |= {
                    "Wager": fact.wager,
                    "Picks": "-".join(map(str, fact.picks)),
                }
            case WagerTakenDown():
                del rows[fact.wager_id]
            case WagerSettled():
                rows[fact.wager_id] |= {
                    "Settled": local(fact.event_time), "Outcome": fact.outcome.lower(),
                    "Winnings paid": dollars(fact.winnings_cents), "Stake taken": dollars(fact.stake_taken_cents),
                }  # fmt: skip
            case WagerReturned():
                rows[fact.wager_id] |= {"Settled": local(fact.event_time), "Outcome": "returned"}
    return sheet(rows.values())


def chips(facts: list[Fact], table: str) -> str:
    rows = []
    for fact in facts:
        base = {
            "Gaming day": day(fact.event_time),
            "Time": local(fact.event_time),
            "Table": table,
            "Slip": "",
            "Chips": 0,
            "Signed by": "F-1",
        }
        if isinstance(fact, TableOpened):
            said = {
                "What": "opener",
                "Game": fact.game,
                "Layout": fact.layout,
                "Paytable": fact.paytable,
                "Recorded": "full",
            }
            rows.append({**base, **said})
        elif isinstance(fact, TableClosed):
            rows.append({**base, "What": "closer"})
    return sheet(rows)


@cache
def facts(table: str, *plants: str) -> tuple[Fact, ...]:
    return table_day(table, *plants)


def imported(given: Iterable[Fact], folder: Path, table: str) -> MemoryLog:
    """The office's events, and the table from sheets alone; no sheet describes its wheel."""
    given = list(given)
    steps = Replay(log_of(given)).walk(
        sorted({one.stream for one in given if table_of(one.stream) == table})
    )
    mine = [step.fact for step in steps if isinstance(step, FactStep)]
    wheels = [one for one in mine if isinstance(one, WheelPlaced)]
    placed = [
        replace(one, stream=f"{table}/wheels", seq=number) for number, one in enumerate(wheels, 1)
    ]
    office = [one for one in given if table_of(one.stream) != table]
    office = [one for one in office if not isinstance(one, GamingDayClosed)]  # it names streams
    log = log_of([*office, *placed])
    for profile, text in (
        ("fills-credits-openers", chips(mine, table)), outcomes(mine, table),
        ("table-wagers", wagers(mine, table)),
    ):  # fmt: skip
        seen = put(log, folder, profile, text)
        assert seen.can_commit, [str(fault) for fault in seen.faults[:5]]
    return log


def ruled(result: RoundResult) -> tuple[Any, ...]:
    """What was ruled on a round: when, what was shown, and each wager's settlement."""
    sides = sorted(
        (w.wager_id, w.expected.outcome, w.expected.winnings_cents, w.expected.stake_taken_cents,
         w.observed and (w.observed.outcome, w.observed.winnings_cents, w.observed.stake_taken_cents),
         tuple(cite.section for cite in w.expected.citations))
        for w in result.wagers
        if w.observed or w.expected.outcome is not Outcome.RETURNED  # taken down: in no sheet
    )  # fmt: skip
    return result.opened_at, result.shown, result.status, sides


def money(result: RoundResult) -> list[tuple[str, str | None, int | None]]:
    kinds = (
        "wager_underpaid",
        "wager_overpaid",
        "wrong_outcome",
        "wrong_call",
        "no_roll_not_called",
        "stake_taken_wrong",
    )
    return sorted((f.code, f.wager, f.effect_cents) for f in result.findings if f.code in kinds)


KINDS = {"FB-01": "football_", "PH-01": "props_"}
"""How the floor's kinds of irregularities are called there."""


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("plants", [(), ("overpaid", "underpaid")], ids=["honest", "planted"])
def test_a_day_of_sheets_is_ruled_as_the_day_of_events(
    plants: tuple[str, ...], table: str, tmp_path: Path
) -> None:
    given = facts(table, *(f"{KINDS.get(table, '')}{plant}@{table}" for plant in plants))
    events = list(rounds_of(Replay(log_of(given)), FIRST_DAY, table=table))
    sheets = list(rounds_of(Replay(imported(given, tmp_path, table)), FIRST_DAY, table=table))
    assert len(events) > 5
    assert sum(len(result.wagers) for result in events) > 20
    assert [ruled(one) for one in sheets] == [ruled(one) for one in events]
    assert [money(one) for one in sheets] == [money(one) for one in events]
    assert any(money(one) for one in sheets) is bool(plants)
    assert not judged(facts(table)).findings


@pytest.mark.parametrize("table", TABLES)
def test_one_lost_row_makes_a_difference(table: str, tmp_path: Path) -> None:
    whole = facts(table)
    first = next(one for one in whole if isinstance(one, WagerSettled) and one.winnings_cents)
    given = [one for one in whole if one is not first]
    events = list(rounds_of(Replay(log_of(whole)), FIRST_DAY, table=table))
    sheets = list(rounds_of(Replay(imported(given, tmp_path, table)), FIRST_DAY, table=table))
    assert [ruled(one) for one in sheets] != [ruled(one) for one in events]
