"""A night by hand: everything that its page can show, and names that would break a careless one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any, Final

from ledger.audit import Shown, TableAccount, TableCapture
from ledger.casework import Action, ActionStatus, Alert
from ledger.coupons.balances import Balance
from ledger.games.sic_bo.terms import LAW
from ledger.kernel import Certainty, FactRef, Finding, PropertyClock, Severity
from ledger.reports.night import (
    Change,
    HourCount,
    Incomplete,
    NightData,
    OutcomeCounts,
    Phase,
    Signed,
    Unknown,
    rounds_of,
)

DAY: Final = date(2021, 6, 12)
CLOCK: Final = PropertyClock("America/New_York", 360)
NOON: Final = 1_623_513_600_000_000
"""12:00 EDT of the day, in UTC microseconds."""
MINUTE: Final = 60_000_000
WEEK: Final = 7 * 24 * 60 * MINUTE
ROOT: Final = "8d3aad217f144e7740547b674f3543a0f49b84424b7843acf7f2b1a63a4ae2ed"
SCRIPT: Final = "<script>alert('paid')</script>"
TURNED: Final = "dealer\u202egnp.exe"
LONG: Final = "W" * 300


def finding(number: int, *, effect: int | None = -500, **changes: Any) -> Finding:
    """A wager at SB-01 that was underpaid by $5."""
    values: dict[str, Any] = {
        "code": "wager_underpaid",
        "severity": Severity.HIGH,
        "certainty": Certainty.BROKEN,
        "sentence": f"Paid $35.00, should be $40.00 (W{number}).",
        "citations": (LAW[".6(b)"],),
        "gaming_day": DAY,
        "stream": "SB-01",
        "facts": (FactRef("SB-01", 10 * number), FactRef("SB-01", 10 * number + 9)),
        "round": f"SB-01:{10 * number}",
        "wager": f"W{number}",
        "expected": "$40.00",
        "observed": "$35.00",
        "effect_cents": effect,
    }
    return Finding(**values | changes)


def action(number: int = 1, *, findings: int = 1, **changes: Any) -> Action:
    """An action about wagers that were underpaid; the number chooses the id and the facts."""
    values: dict[str, Any] = {
        "id": f"{number:064x}",
        "gaming_day": DAY,
        "code": "wager_underpaid",
        "severity": Severity.HIGH,
        "certain": True,
        "table": "SB-01",
        "subject": "paytable P-7",
        "citation": LAW[".6(b)"],
        "title": f"{findings} wagers underpaid, paytable P-7 below § 539.6(b), case {number}",
        "count": findings,
        "overpaid_cents": 0,
        "underpaid_cents": 500 * findings,
        "since": NOON,
        "until": NOON + 20 * MINUTE,
        "findings": tuple(finding(100 * number + one) for one in range(findings)),
        "evidence": "ab" * 32,
        "department": "surveillance",
        "footage_until": NOON + WEEK,
    }
    return Action(**values | changes)


def capture(table: str, *, level: str = "full") -> TableCapture:
    """A table that was open from noon for two hours."""
    return TableCapture(
        table=table,
        game="Sic Bo",
        level=level,
        opened_at=NOON,
        closed_at=NOON + 120 * MINUTE,
        rounds=300,
        judged=299,
        wagers=2_000,
        not_covered=() if level == "full" else ("wagers", "settlements"),
    )


def account(table: str, **changes: Any) -> Shown:
    """A table's day: $1,000.00 won by count, $990.00 by rounds."""
    values: dict[str, Any] = {
        "table": table, "game": "Sic Bo", "level": "full",
        "opener_cents": 500_000, "fills_cents": 0, "credits_cents": 0, "closer_cents": 500_000,
        "drop_cents": 100_000, "cash_changed_cents": 100_000, "coupons": 2, "coupons_cents": 5_000,
        "by_count_cents": 100_000, "by_rounds_cents": 99_000, "stakes": None,
        "awaiting": (), "missing": (), "owed": (), "doubtful": False, "facts": (),
    }  # fmt: skip
    return Shown(TableAccount(**values | changes), None, Fraction(1), None)


def balances(cents: int, counted: int = 40) -> tuple[Balance, ...]:
    """The balances of one denomination: 40 redeemed, and as many counted as said."""
    return (
        Balance(
            name="patrons",
            denomination_cents=cents,
            into=(("distributed", 240), ("mailed", 60)),
            out=(("redeemed", 40), ("voided", 0), ("outstanding", 260)),
        ),
        Balance(
            name="redeemed",
            denomination_cents=cents,
            into=(("redeemed", 40),),
            out=(("counted from the boxes", counted),),
        ),
    )


def alert(table: str, *, raised: bool = True, **changes: Any) -> Alert:
    """Evidence about the dice of a table."""
    values: dict[str, Any] = {
        "id": table,
        "gaming_day": DAY,
        "detection": "dice_bias",
        "table": table,
        "subject": "set D-7",
        "sentence": "Face 6 came up in 214 of 1,004 throws; 167.3 are expected.",
        "e_value": 18_234.0,
        "level": 4_200.0,
        "raised": raised,
        "volume": 1_004,
        "left_out": 7,
        "at": NOON,
        "power": "A bias of 0.05 would have been seen with probability 0.93.",
        "facts": tuple(FactRef("SB-01/dice", seq) for seq in range(1, 9)),
        "detail": (("face 6", "214"),),
    }
    return Alert(**values | changes)


def outcomes(equipment: str) -> OutcomeCounts:
    """Six faces of a die."""
    return OutcomeCounts(
        equipment=equipment,
        unit="throws",
        rows=tuple((str(face), 160 + face, Fraction(1, 6)) for face in range(1, 7)),
        left_out=3,
    )


def night(**changes: Any) -> NightData:
    """A final report with twelve open actions of three tables."""
    actions = tuple(action(number, findings=1 + number % 3) for number in range(1, 13))
    values: dict[str, Any] = {
        "property_name": "Keystone Landing",
        "clock": CLOCK,
        "gaming_day": DAY,
        "phase": Phase.FINAL,
        "origin": "casino.example/floor",
        "tree_size": 135_878,
        "root": ROOT,
        "digest": "28" * 32,
        "capture": (capture("SB-01"), capture("SB-02"), capture("SB-03", level="outcome"), capture("SB-04")),
        "actions": actions,
        "unknowns": (Unknown(sentence="1 of 300 rounds could not be judged", where="SB-01", count=1),),
        "coupons": (*balances(500), *balances(2_500, counted=39)),
        "coupons_line": "2021-06-12: does NOT balance: 1 findings.",
        "tables": (account("SB-01"), account("SB-02", by_rounds_cents=100_000)),
        "since": "the report of 2021-06-11",
        "changes": (
            Change(
                day=date(2021, 6, 11),
                headline="one overpayment more at SB-02",
                why="1 late fact (SB-02/chips:1204)",
                facts=(FactRef("SB-02/chips", 1204),),
                forms=("MPC-DAY-2021-06-11 issue 1",),
            ),
        ),
        "signatures": (Signed(signed_as="preparer", name="Ada Quill", credential="C-9", at=NOON, tree_size=135_870, issue=1),),
        "issue": 2,
        "restates": 1,
        "alerts": (alert("SB-01"), alert("SB-02", raised=False, e_value=0.4)),
        "hours": (HourCount(table="SB-01", begins=NOON, count=14), HourCount(table="SB-02", begins=NOON + 60 * MINUTE, count=3)),
        "outcomes": (outcomes("Dice of SB-01, set D-7"),),
        "round_pages": frozenset(name for one in actions for name in rounds_of(one)),
    }  # fmt: skip
    return NightData(**values | changes)


def hostile() -> NightData:
    """A night in which every name from outside means harm or is absurdly long."""
    evil = f"{SCRIPT}{TURNED}"
    given = night()
    actions = (
        replace(
            given.actions[0],
            title=evil, subject=evil, table=LONG, department=LONG, changed=evil, status=ActionStatus.REOPENED,
            findings=(finding(1, sentence=evil, wager=LONG, expected=evil, observed=LONG, round=f"{evil}:1"),),
        ),
        replace(given.actions[1], title=LONG, table="\u05e9\u05d5\u05dc\u05d7\u05df", findings=()),
        *given.actions[2:],
    )  # fmt: skip
    return replace(
        given,
        property_name=f"</title>{evil}",
        origin="casino.example/" + "f" * 90,
        incomplete=(Incomplete(stream=f"{evil}/{LONG}", since=NOON, why=evil),),
        readiness=(evil, LONG),
        capture=(replace(capture(LONG), game=evil), *given.capture),
        actions=actions,
        unknowns=tuple(Unknown(sentence=evil, where=LONG, count=2, why=LONG, section="§ L.8") for _ in range(9)),
        coupons_line=evil,
        tables=(account(LONG), account(evil, by_count_cents=None, missing=(evil, LONG))),
        changes=tuple(Change(day=DAY, headline=evil, why=LONG, forms=(LONG,)) for _ in range(6)),
        signatures=(Signed(signed_as="approver", name=LONG, credential=evil, at=NOON, tree_size=1, issue=1),),
        alerts=(alert(LONG, sentence=evil, subject=LONG, detail=((LONG, evil),)), alert(evil, raised=False, power=LONG)),
        hours=(HourCount(table=evil, begins=NOON, count=1), HourCount(table=LONG, begins=NOON, count=2)),
        outcomes=(replace(outcomes(evil), rows=((SCRIPT, 3, Fraction(1, 2)), (LONG, 4, Fraction(1, 2)))),),
        round_pages=frozenset({f"{evil}:1"}),
    )  # fmt: skip
