"""Slip numbers of fills and credits, and boxes of tables that never opened: L.8."""

from __future__ import annotations

from datetime import date

import pytest

from ledger.audit import audit_day
from ledger.kernel import Finding
from ledger.replay import Replay
from tests.audit.test_accounts import CHIPS, CLOSES, counted, money, notes
from tests.engine import Scene, log_of, sic_bo

SLIPS = ("slip_number_left_out", "slip_number_twice")


def found(scene: Scene, day: date | None = None) -> list[Finding]:
    audit = audit_day(Replay(log_of(scene.build())), day or scene.day)
    return [one for one in audit.findings if one.code in SLIPS]


def slips(fills: list[str], credits: list[str]) -> list[tuple[str, str | None]]:
    """What is found of these slips, in this order of time."""
    scene = sic_bo()
    for number, slip in enumerate(fills):
        scene.add("FillDelivered", 200 + number, CHIPS, slip=slip, chips_cents=20_000)
    for number, slip in enumerate(credits):
        scene.add("CreditTaken", 300 + number, CHIPS, slip=slip, chips_cents=10_000)
    return [(one.code, one.observed) for one in found(scene)]


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("fills", "credits", "said"),
    [
        (["F-1001", "F-1002"], ["C-501"], []),
        (["F-1001", "F-1001"], [], [("slip_number_twice", "F-1001")]),
        (["F-1001", "f-1001 "], [], [("slip_number_twice", "F-1001")]),
        ([], ["C-7", "C-7"], [("slip_number_twice", "C-7")]),
        (["F-1001", "F-1003"], [], [("slip_number_left_out", "F-1002")]),
        ([], ["C-0009", "C-0012"], [("slip_number_left_out", "C-0010, C-0011")]),
        (["F-1", "F-3"], ["C-2"], []),  # one book for both
        (["F-1", "F-3"], ["C-1", "C-2"], [("slip_number_left_out", "F-2")]),  # each its own
        (["F-1001", "F-1002"], ["F-1001"], []),  # two kinds of paper
        (["F-1", "F-501"], [], [("slip_number_left_out", "F-2, F-3, F-4, F-5, F-6, F-7, F-8, F-9, F-10, F-11 and 489 more")]),
        (["F-1", "F-502"], [], []),  # another book
        (["A-1", "B-3"], [], []),
        (["by hand", "no number"], [], []),
        (["", ""], [], []),
    ],
)  # fmt: skip
def test_a_slip_number_stands_once_and_none_is_left_out(
    fills: list[str], credits: list[str], said: list[tuple[str, str]]
) -> None:
    assert slips(fills, credits) == said


def test_a_book_runs_through_tables_and_the_day_before() -> None:
    scene = sic_bo()
    day = 24 * 3_600
    scene.add("FillDelivered", 200, CHIPS, slip="F-10", chips_cents=20_000)
    scene.add("FillDelivered", 300, "T-02/chips", slip="F-11", chips_cents=20_000)
    scene.add("FillDelivered", 300 + day, CHIPS, slip="F-13", chips_cents=20_000)
    assert found(scene) == []
    following = date.fromordinal(scene.day.toordinal() + 1)
    (one,) = found(scene, following)
    assert (one.code, one.observed) == ("slip_number_left_out", "F-12")
    assert [ref.stream for ref in one.facts] == ["T-02/chips", CHIPS]
    assert one.sentence == (
        "No slip has the number F-12, between fill F-11 of $200.00 at T-02"
        " and fill F-13 of $200.00 at T-01."
    )


def test_a_lost_fact_may_be_the_slip() -> None:
    scene = sic_bo()
    for number in (1, 2, 3):
        scene.add("FillDelivered", 200 + number, CHIPS, slip=f"F-{number}", chips_cents=20_000)
    facts = scene.build()
    lost = scene.lines_of("FillDelivered")[1].ref
    audit = audit_day(Replay(log_of(f for f in facts if (f.stream, f.seq) != lost)), scene.day)
    codes = [one.code for one in audit.findings]
    assert "gap" in codes
    assert "slip_number_left_out" not in codes


OTHER = "T-09/count"


def other_box(scene: Scene, at: float, cents: int = 12_300) -> None:
    scene.add(
        "DropBoxCounted", at, OTHER, box="B9", for_gaming_day=scene.day.isoformat(),
        cash=notes(cents), chips_cents=0,
    )  # fmt: skip


@pytest.mark.parametrize("hours", [9, 20, 48])
def test_a_box_of_a_table_that_never_opened_is_found_and_its_money_counts(hours: int) -> None:
    scene = money(sic_bo())
    counted(scene, CLOSES + 3600, 5_000)
    other_box(scene, hours * 3_600)
    audit = audit_day(Replay(log_of(scene.build())), scene.day)
    (one,) = [finding for finding in audit.findings if finding.code == "box_of_unopened_table"]
    assert one.sentence == (
        "Box B9 was counted with $123.00 for T-09, which was not open on this gaming day."
    )
    assert [ref.stream for ref in one.facts] == [OTHER]
    drops = {account.table: account.drop_cents for account in audit.accounts}
    assert drops == {"T-01": 5_000, "T-09": 12_300}


def test_an_empty_box_of_a_closed_table_is_in_order() -> None:
    scene = money(sic_bo())
    counted(scene, CLOSES + 3600, 5_000)
    other_box(scene, 20 * 3_600, cents=0)
    assert "box_of_unopened_table" not in {one.code for one in scene.audit().findings}
    counted_too = money(sic_bo())
    counted(counted_too, CLOSES + 3600, 5_000)
    assert "box_of_unopened_table" not in {one.code for one in counted_too.audit().findings}
