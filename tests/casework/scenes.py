"""Findings and actions for these tests: by hand, or of a table in order but for one thing."""

from __future__ import annotations

from datetime import date
from typing import Any

from ledger.audit import DayAudit, audit_day, read_office
from ledger.casework import Action, Seen, fold, see
from ledger.events import Fact
from ledger.kernel import Certainty, Citation, Edition, FactRef, Finding, Severity
from ledger.replay import Replay
from tests.engine import CLOCK, SECOND, Scene, log_of, roll, sic_bo

DAY = date(2021, 6, 12)
TEN = CLOCK.start_of(DAY) + 4 * 3600 * SECOND
"""Ten in the morning, local time, in microseconds."""
CITE = Citation(Edition("539", "40 Pa.B. 1740", date(2010, 4, 3)), "539.6(b)")
HOUR = 3600 * SECOND
LIT = (
    "One of a Kind 1", "One of a Kind 2", "One of a Kind 3", "Small Bet", "Total Value Bet 6",
    "Two Dice Combination 1 2", "Two Dice Combination 1 3", "Two Dice Combination 2 3",
)  # fmt: skip
"""What 1 2 3 wins."""


def finding(seq: int, code: str = "too_few_shakes", table: str = "SB-01", **other: Any) -> Finding:
    """A finding about one fact of a table."""
    values: dict[str, Any] = {
        "code": code,
        "severity": Severity.MEDIUM,
        "certainty": Certainty.BROKEN,
        "sentence": "It was so.",
        "citations": (CITE,),
        "gaming_day": DAY,
        "stream": table,
        "facts": (FactRef(table, seq),),
    }
    return Finding(**{**values, **other})


def seen(seq: int, at: int, subject: str = "dealer D-1", **other: Any) -> Seen:
    """The same with its subject, ``at`` microseconds after ten in the morning."""
    table = other.get("table", "SB-01")
    more = {
        name: other.pop(name) for name in ("filing", "unlawful", "part", "remark") if name in other
    }
    return Seen(finding(seq, **other), TEN + at, table, subject, **more)


def folded(*all_seen: Seen, **other: Any) -> tuple[Action, ...]:
    """Their actions."""
    return fold(all_seen, CLOCK, **other)


def actions_in(
    facts: list[Fact] | tuple[Fact, ...], day: date
) -> tuple[DayAudit, tuple[Action, ...]]:
    """The audit of a day of a fresh ledger, and its actions."""
    replay = Replay(log_of(facts))
    audit, house = audit_day(replay, day), read_office(replay)
    games = {line.table: line.game for line in audit.capture if line.game}
    return audit, fold(see(replay, house, audit), house.clock, games=games)


def played(scene: Scene, at: float, *wagers: tuple[str, int, int]) -> None:
    """A Sic Bo round that shows 1 2 3 ``at`` seconds after noon; each wager with stake and winnings."""
    scene.add("BettingOpened", at)
    placed = []
    for name, stake, _ in wagers:
        area = name.rstrip(" 123456")
        picks = [int(pick) for pick in name.removeprefix(area).split()]
        placed.append(scene.wager(at + 1, area, *picks, cents=stake))
    roll(scene, at + 10, 1, 2, 3, lit=LIT)
    for wager, (_, _, winnings) in zip(placed, wagers, strict=True):
        scene.won(at + 20, wager, winnings)
    scene.add("LightsCleared", at + 25)


def dealt_by(scene: Scene, person: str, at: float, before: str = "D1") -> None:
    """One dealer relieves another."""
    scene.add("StaffAssigned", at, role="DEALER", person=person)
    scene.add("StaffRelieved", at, role="DEALER", person=before)


def table(**other: Any) -> Scene:
    """A Sic Bo table that is in order."""
    return sic_bo(**other)
