"""A fact that a person added, or that came after its day was closed, is marked wherever it bears."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from openpyxl import load_workbook

from ledger.codec import frame, to_text
from ledger.log import Arrival, open_log
from tests.analytics.given import RECORDED_AT
from tests.analytics.given import ledger as ledger_of
from tests.cli.conftest import Command
from tests.cli.given import DAY
from tests.cli.test_people import facts
from tests.coupons.forms_scene import folder, scene

LATE = ("SB-01", 16)
"""The settlement of the small day that underpays a winner: a finding rests on it."""
ADDED = "added by F-2, approved by F-3"
WHO = ("--by", "F-2", "--approved-by", "F-3", "--reason", "from the printed log")
CLAIMS = ("no person recorded it", "sent as terminal T-SB-01", "after its day was closed")
COUPON_DAY = "2013-06-14"


@pytest.fixture
def added(command: Command, tmp_path: Path) -> Path:
    """The small day with a settlement that two persons added after the day was closed."""
    sent = facts()
    (lost,) = (one for one in sent if (one.stream, one.seq) == LATE)
    floor = ledger_of(tmp_path / "ledger", [one for one in sent if one is not lost])
    path = tmp_path / "lost.jsonl"
    path.write_text(to_text(lost) + "\n", encoding="utf-8")
    assert command("append", path, *WHO, "--ledger", floor).code == 0
    return floor


@pytest.fixture
def late(tmp_path: Path) -> Path:
    """The same settlement, delivered by its terminal after the day was closed."""
    sent = facts()
    (lost,) = (one for one in sent if (one.stream, one.seq) == LATE)
    floor = ledger_of(tmp_path / "ledger", [one for one in sent if one is not lost])
    with open_log(floor) as log:
        log.append([Arrival(frame(lost))], RECORDED_AT + 1)
    return floor


def plain(page: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", page).replace("\u2011", "-").split())


def test_an_action_says_that_it_rests_on_a_marked_fact(command: Command, added: Path) -> None:
    listed = command("actions", "list", "--ledger", added, "--format", "json").json
    (action,) = (one for one in listed if one["code"] == "wager_underpaid")
    assert [(one["seq"], one["added_by"], one["approved_by"]) for one in action["marked"]] == [
        (LATE[1], "F-2", "F-3")
    ]
    assert all(not one["marked"] for one in listed if one["code"] == "recorder_not_credentialed")
    page = plain(command("actions", "list", "--ledger", added).out)
    assert "rests on a fact that arrived after the day was closed or that a person added" in page
    shown = command("actions", "show", action["id"], "--ledger", added)
    for part in (ADDED, *CLAIMS):
        assert part in plain(shown.out)
    data = command("actions", "show", action["id"], "--ledger", added, "--format", "json").json
    assert [one["terminal"] for one in data["marked"]] == ["T-SB-01"]


def test_what_a_terminal_delivers_late_is_marked_without_a_person(
    command: Command, late: Path
) -> None:
    listed = command("actions", "list", "--ledger", late, "--format", "json").json
    (action,) = (one for one in listed if one["code"] == "wager_underpaid")
    assert [(one["after_close"], one["added_by"]) for one in action["marked"]] == [(True, None)]
    page = plain(command("actions", "show", action["id"], "--ledger", late).out)
    assert "after its day was closed" in page
    assert "added by" not in page
    (row,) = command("sql", "SELECT * FROM marks", "--ledger", late, "--format", "json").json
    assert (row["after_close"], row["added_by"]) == (True, None)


def test_the_night_says_it_beside_the_action_and_on_the_page_of_its_round(
    command: Command, added: Path, tmp_path: Path
) -> None:
    out = tmp_path / "nights"
    command("night", "--day", DAY, "--out", out, "--processes", "1", "--ledger", added)
    (report,) = out.rglob("report.txt")
    (page,) = out.rglob("report.html")
    (round_page,) = (path for path in out.rglob("rounds/*.html") if "SB-01" in path.name)
    for path in (report, page, round_page):
        said = plain(path.read_text(encoding="utf-8"))
        for part in (ADDED, *CLAIMS):
            assert part in said, (path.name, part)
    beside = plain(page.read_text(encoding="utf-8"))
    assert "Rests on a fact that arrived late or that a person added." in beside
    assert f"Late or added: wager settled SB-01:{LATE[1]}" in beside
    assert f"Late or added: wager settled SB-01:{LATE[1]}" in plain(
        report.read_text(encoding="utf-8")
    )
    (actions,) = out.rglob("actions.json")
    marked = {
        one["code"]: [mark["seq"] for mark in one["marked"]]
        for one in json.loads(actions.read_bytes())
    }
    assert marked["wager_underpaid"] == [LATE[1]]
    assert [path.name for path in out.rglob("marks.parquet")] == ["marks.parquet"]


def test_the_tables_and_sql_have_the_marks(command: Command, added: Path) -> None:
    select = "SELECT fact, added_by, approved_by, terminal, after_close, findings FROM marks"
    (row,) = command("sql", select, "--ledger", added, "--format", "json").json
    assert row == {
        "fact": "SB-01:16", "added_by": "F-2", "approved_by": "F-3", "terminal": "T-SB-01",
        "after_close": True, "findings": row["findings"],
    }  # fmt: skip
    assert row["findings"] >= 1
    page = plain(command("tables", "--day", DAY, "--ledger", added).out)
    assert ADDED in page
    data = command("tables", "--day", DAY, "--ledger", added, "--format", "json").json
    assert [one["seq"] for row in data for one in row["marked"]] == [LATE[1]]


def test_a_coupon_and_its_forms_say_it(command: Command, tmp_path: Path) -> None:
    sent = scene().facts
    lost = next(
        one
        for one in sent
        if type(one).__name__ == "CouponRedeemed" and one.serial == "M25-0041877"
    )
    path = tmp_path / "ledger"
    path.mkdir()
    own = folder(path, [one for one in sent if one is not lost])
    line = tmp_path / "lost.jsonl"
    line.write_text(to_text(lost) + "\n", encoding="utf-8")
    who = ("--by", "C-MM1", "--approved-by", "C-MS2", "--reason", "from the tape")
    done = command("append", line, *who, "--ledger", own)
    assert done.code == 0, done.err
    said = "added by C-MM1, approved by C-MS2"
    assert said in plain(command("coupons", "where", "M25-0041877", "--ledger", own).out)
    where = command("coupons", "where", "M25-0041877", "--ledger", own, "--format", "json").json
    assert [one["added_by"] for one in where["marked"]] == ["C-MM1"]
    day = command("coupons", "reconcile", "--day", COUPON_DAY, "--ledger", own)
    assert said in plain(day.out)
    other = command("coupons", "where", "M25-0041801", "--ledger", own).out
    assert "Late or added" not in other
    form = ("coupons", "form", "daily", "--ledger", own, "--day")
    for format_ in ("text", "html", "csv"):
        page = plain(command(*form, COUPON_DAY, "--format", format_).out).replace(" ,", ",")
        for part in ("coupon redeemed", lost.source, "C-MM1, C-MS2"):
            assert part in page, (format_, part)
        before = plain(command(*form, "2013-06-12", "--format", format_).out)
        assert "C-MM1, C-MS2" not in before.replace(" ,", ",")
    (mark,) = command(*form, COUPON_DAY, "--format", "json").json[0]["marked"]
    assert (mark["added_by"], mark["approved_by"]) == ("C-MM1", "C-MS2")
    book = tmp_path / "form.xlsx"
    assert command(*form, COUPON_DAY, "--format", "xlsx", "--out", book).code == 0
    pages = load_workbook(book).worksheets
    cells = [cell for one in pages for row in one.iter_rows(values_only=True) for cell in row]
    assert "Late or added: fact" in cells
    assert "C-MM1, C-MS2" in cells
