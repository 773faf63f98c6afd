"""Each profile's sample, a corrected version of it, and faults planted in it: import, audit, restate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ledger.intake import Change, load_profile, profile_names
from ledger.replay import Replay
from tests.intake.faults import RECORD, recorded
from tests.intake.given import (
    ACT,
    NOW,
    PROFILES,
    SAMPLES,
    commit,
    imported,
    judged,
    ledger,
    put,
    sample,
    told,
    whole_day,
    with_coupons,
)

CORRECTED: dict[str, tuple[str, str, list[str]]] = {
    "camera-status": ("table and dice", "table", ["SB-01/cameras:1 covers: table and dice -> table"]),
    "clock-checks": ("1500.5", "15.5", ["imports/clocks:2 offset_micros: 1500500 -> 15500"]),
    "coupon-cancel": ("on the coupon", "in the system", ["coupons/cancel:1 how: PHYSICAL -> ELECTRONIC"]),
    "coupon-count": ("C-0000002", "C-0000003", ["SB-01/coupon count:1 ranges"]),
    "coupon-delivery": ("E-41,100", "E-41,99", ["coupons/delivery:3 counted"]),
    "coupon-distribution": ("E-52", "E-53", ["coupons/distribution Desk 2:1 distributed_by: E-52 -> E-53"]),
    "coupon-inventory": (",50,yes", ",49,yes", ["coupons/inventory:1 lines"]),
    "coupon-issue": (",50,", ",49,", ["coupons/issue:1 ranges"]),
    "coupon-kept": ("SAFE-2", "SAFE-3", ["coupons/kept:2 area: SAFE-2 -> SAFE-3"]),
    "coupon-mailing-list": ("Thistlewood", "Thistledown", ["coupons/mailing list:1 lines"]),
    "coupon-requisition": ("$25.00,20", "$25.00,21", ["coupons/requisition:1 lines"]),
    "coupon-return": (",9,E-50", ",8,E-50", ["coupons/return:1 ranges"]),
    "coupon-void": ("torn at the desk", "wet", ["coupons/void:1 reason: torn at the desk -> wet"]),
    "furniture-log": ("60000,yes", "60500,yes", ["DC-01/furniture:1 diameter_thousandths: 60000 -> 60500"]),
    "coupon-redeem": ("$80.00", "$8.00", ["SB-01/coupons:2 paid_cents: 8000 -> 800"]),
    "dice-card-log": (",53,", ",54,", ["AP-01/equipment:1 cards: 53 -> 54"]),
    "drop-count": (",18,4,60,", ",19,4,60,", ["SB-01/count:1 cash"]),
    "fills-credits-openers": ("$27,250.00", "$27,500.00", ["SB-01/chips:5 chips_cents: 2725000 -> 2750000"]),
    "football-outcomes": (",S-1,5,flat", ",S-1,4,flat", ["FB-01/sheet:3 dice"]),
    "poker-outcomes": ("shaker,12,5,4,", "shaker,11,5,4,", ["AP-01/sheet:4 number: 12 -> 11"]),
    "props-outcomes": (",4,flat,4-4", ",5,flat,4-4", ["PH-01/sheet:6 dice"]),
    "silence-limits": (",,wagers,,90", ",,wagers,,80", ["imports/silence limits:2 seconds: 90 -> 80"]),
    "staff-roster": ("23:00,D-2\n", "23:00,D-4\n", ["SB-01/roster:3 relieved_by: D-2 -> D-4"]),
    "table-outcomes": (",1,1,6,flat", ",1,1,5,flat", ["SB-01/sheet:9 dice"]),
    "table-wagers": ("won,$80.00", "won,$70.00", ["SB-01/wagers:6 winnings_cents: 8000 -> 7000"]),
}  # fmt: skip


def in_short(change: Change) -> list[str]:
    """A change, field by field."""
    before, after = change.before or {}, change.after or {}
    lines = []
    for name, now in after.items():
        was = before.get(name)
        if was != now:
            where = f"{change.stream}:{change.seq} {name}"
            lines.append(where if isinstance(now, list) else f"{where}: {was} -> {now}")
    return lines


def test_every_profile_has_a_sample_and_a_correction() -> None:
    assert profile_names() == PROFILES == sorted(CORRECTED)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_sample_is_imported_once(profile: str, tmp_path: Path) -> None:
    log = ledger()
    first = put(log, tmp_path, profile, sample(profile))
    assert first.can_commit
    assert first.counts.new == first.facts > 0
    assert first.counts.same == first.counts.changed == first.counts.gone == 0
    whole = imported(log)[0]
    assert (whole.rows, whole.new_facts, whole.file_name) == (
        first.rows,
        first.facts,
        f"{profile}.csv",
    )
    assert {one.column: one.total for one in whole.totals} == first.totals
    size = log.size
    again = put(log, tmp_path, profile, sample(profile))
    assert (again.counts.new, again.counts.same) == (0, first.facts)
    assert log.size == size


@pytest.mark.parametrize("profile", PROFILES)
def test_rows_in_another_order_are_the_same_rows(profile: str, tmp_path: Path) -> None:
    log = ledger()
    put(log, tmp_path, profile, sample(profile))
    size = log.size
    head, *rows = sample(profile).splitlines()
    if not load_profile(profile).group:
        rows.reverse()
    again = put(log, tmp_path, profile, "\n".join([head, *rows]) + "\n")
    assert (again.counts.changed, again.counts.new, log.size) == (0, 0, size)


@pytest.mark.by_turns(8)
@pytest.mark.parametrize("profile", PROFILES)
def test_a_corrected_sample_restates_the_day(profile: str, tmp_path: Path) -> None:
    old, new, expected = CORRECTED[profile]
    text = sample(profile)
    assert old in text
    corrected = text.replace(old, new, 1)
    log = whole_day(tmp_path)
    seen = put(log, tmp_path, profile, corrected, replace(ACT, at=NOW + 100))
    assert [line for change in seen.changes for line in in_short(change)] == expected
    assert (seen.counts.new, seen.counts.changed, seen.counts.gone) == (0, 1, 0)
    audit = judged(log)
    named = f"{profile.replace('-', '_')}"
    assert told(audit) == told(judged(whole_day(tmp_path, **{named: corrected})))
    if profile not in ("coupon-count", "drop-count"):  # counted on the day after
        assert [(one.by.amended_by, one.by.approved_by) for one in audit.amended] == [
            ("E-1", "E-2")
        ]
        assert [(f"{one.before.stream}:{one.before.seq}") for one in audit.amended] == [
            expected[0][: expected[0].index(" ", expected[0].index(":"))]
        ]
    size = log.size
    assert put(log, tmp_path, profile, corrected, ACT).counts.changed == 0
    assert log.size == size


@pytest.mark.by_turns(8)
@pytest.mark.parametrize("profile", PROFILES)
def test_what_the_audit_says_of_a_fault(profile: str) -> None:
    text = RECORD.read_text(encoding="utf-8")
    blocks = {block.partition("]")[0].strip("["): block for block in text.split("\n\n")}
    assert recorded(profile).rstrip() == blocks[profile].rstrip()


def test_a_correction_can_be_taken_back(tmp_path: Path) -> None:
    log = whole_day(tmp_path)
    clean = told(judged(log))
    old, new, _ = CORRECTED["table-outcomes"]
    text = sample("table-outcomes")
    put(log, tmp_path, "table-outcomes", text.replace(old, new), replace(ACT, at=NOW + 100))
    assert told(judged(log)) != clean
    put(log, tmp_path, "table-outcomes", text, replace(ACT, at=NOW + 200))
    assert told(judged(log)) == clean


def test_a_workbook_is_the_same_file(tmp_path: Path) -> None:
    log = ledger()
    put(log, tmp_path, "table-outcomes", sample("table-outcomes"))
    again = commit(log, "table-outcomes", SAMPLES / "table-outcomes.xlsx")
    assert (again.faults, again.counts.new, again.counts.same) == ([], 0, 20)


def test_rows_that_are_gone_stay_unless_withdrawn(tmp_path: Path) -> None:
    log = whole_day(tmp_path)
    clean = told(judged(log))
    lines = sample("table-wagers").splitlines(keepends=True)
    shorter = "".join(lines[:2] + lines[3:])
    seen = put(log, tmp_path, "table-wagers", shorter)
    assert (seen.counts.gone, seen.counts.same) == (2, 8)
    assert told(judged(log)) == clean
    assert [change.after for change in seen.changes] == [None, None]
    put(log, tmp_path, "table-wagers", shorter, replace(ACT, at=NOW + 100, withdraw=True))
    audit = judged(log)
    assert [one.after for one in audit.amended] == [None, None]
    assert told(audit) == told(judged(whole_day(tmp_path, table_wagers=shorter)))
    assert not [f for f in audit.findings if f.code == "gap"]
    # a row that comes back is amended back
    back = put(log, tmp_path, "table-wagers", sample("table-wagers"), replace(ACT, at=NOW + 200))
    assert back.counts.changed + back.counts.new == 2
    assert told(judged(log)) == clean


def test_a_row_that_came_late_stands_in_a_stream_beside(tmp_path: Path) -> None:
    log = with_coupons()
    lines = sample("table-outcomes").splitlines(keepends=True)
    put(log, tmp_path, "table-outcomes", "".join([lines[0], *lines[2:]]))
    put(log, tmp_path, "table-outcomes", "".join(lines), replace(ACT, at=NOW + 100))
    assert {"SB-01/sheet", "SB-01/sheet~2"} <= set(Replay(log).streams())
    for profile in PROFILES:
        if profile != "table-outcomes":
            put(log, tmp_path, profile, sample(profile), replace(ACT, at=NOW + 200))
    assert told(judged(log)) == told(judged(whole_day(tmp_path)))
