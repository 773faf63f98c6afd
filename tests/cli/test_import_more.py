"""Refused rows to mend, profiles listed and copied, previews in words, serial numbers that are odd."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ledger.intake import ErasableStore, profile_names
from ledger.log import read_log
from tests.cli.conftest import Command
from tests.coupons.forms_scene import folder, scene
from tests.intake.given import SAMPLES

WAGERS = SAMPLES / "table-wagers.csv"
HEAD = "Gaming day,Time,Table,Box,Serial,Denomination,Wager id,Wager,Paid on coupon,Dealer"


@pytest.fixture
def own(empty: Path, command: Command) -> Path:
    words = ("--name", "Example Casino", "--time-zone", "America/New_York", "--by", "E-1")
    assert command("property", "describe", *words, "--ledger", empty).code == 0
    return empty


@pytest.fixture
def coupons(tmp_path: Path) -> Path:
    path = tmp_path / "coupons"
    path.mkdir()
    return folder(path, scene(ErasableStore(path)).facts)


def test_refused_rows_are_mended_and_the_file_is_imported_whole(
    command: Command, own: Path, tmp_path: Path
) -> None:
    sheet, refused = tmp_path / "wagers.csv", tmp_path / "refused.csv"
    text = WAGERS.read_text("utf-8")
    bad = text.replace("$50.00,chips", "=1+1,chips").replace("19:06:30", "late")
    sheet.write_text(bad + "Total,,,,,,,,,$95.00,,,,\n", "utf-8")
    before = read_log(own).size
    words = ("import", "table-wagers", sheet, "--ledger", own)
    ran = command(*words, "--commit", "--by", "E-1", "--rejected", refused)
    assert (ran.code, read_log(own).size) == (1, before)  # one file is one transaction
    title, head, *rows = refused.read_text("utf-8").splitlines()
    assert title.startswith('"Refused rows of wagers.csv, SHA-256 ')
    assert head.endswith(",Row,Why it was refused")
    assert [row[-2] for row in csv.reader(rows)] == ["3", "5"]
    assert ",'=1+1,chips" in rows[0]  # no spreadsheet computes it
    mended = refused.read_text("utf-8").replace("'=1+1", "$50.00")
    refused.write_text(mended, "utf-8")
    still = command(*words, "--mended", refused, "--commit", "--by", "E-1")
    assert (still.code, "row 5, Placed: not a time: " in still.err) == (1, True)
    refused.write_text(mended.replace("late", "19:06:30"), "utf-8")
    done = command(*words, "--mended", refused, "--commit", "--by", "E-1")
    assert done.code == 0, done.err
    assert "Imported: 5 rows of wagers-mended.csv." in done.out
    again = command("import", "table-wagers", WAGERS, "--ledger", own)
    assert "0 new · 10 unchanged" in again.out  # the same rows as of the sheet that was right


def test_an_emptied_row_is_left_out(command: Command, own: Path, tmp_path: Path) -> None:
    sheet, refused = tmp_path / "wagers.csv", tmp_path / "refused.csv"
    sheet.write_text(WAGERS.read_text("utf-8").replace("$50.00,chips", "fifty,chips"), "utf-8")
    words = ("import", "table-wagers", sheet, "--ledger", own)
    command(*words, "--rejected", refused)
    lines = refused.read_text("utf-8").splitlines()
    refused.write_text("\n".join([*lines[:2], "," * 14 + "3,"]) + "\n", "utf-8")
    done = command(*words, "--mended", refused)
    assert (done.code, "8 new" in done.out) == (0, True)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace("SHA-256", "SHA-1"), "it is no file of refused rows"),
        (lambda text: text.replace(",3,", ",three,"), "lacks the number of its row"),
        (lambda text: text.replace(",3,", ",900,"), "has no row 900"),
        (lambda text: text + text.splitlines()[-1] + "\n", "stands in it twice"),
    ],
    ids=["another title", "no number", "no such row", "twice"],
)
def test_mended_rows_that_cannot_be_put_back(
    change: object, reason: str, command: Command, own: Path, tmp_path: Path
) -> None:
    sheet, refused = tmp_path / "wagers.csv", tmp_path / "refused.csv"
    sheet.write_text(WAGERS.read_text("utf-8").replace("$50.00,chips", "fifty,chips"), "utf-8")
    words = ("import", "table-wagers", sheet, "--ledger", own)
    command(*words, "--rejected", refused)
    refused.write_text(change(refused.read_text("utf-8")), "utf-8")  # type: ignore[operator]
    ran = command(*words, "--mended", refused)
    assert (ran.code, "mended_wrong" in ran.err, reason in ran.err) == (2, True, True)


def test_refused_rows_of_a_file_that_changed_and_files_of_others(
    command: Command, own: Path, tmp_path: Path
) -> None:
    sheet, refused = tmp_path / "wagers.csv", tmp_path / "refused.csv"
    sheet.write_text(WAGERS.read_text("utf-8").replace("$50.00,chips", "fifty,chips"), "utf-8")
    words = ("import", "table-wagers", sheet, "--ledger", own)
    mine = tmp_path / "mine.csv"
    mine.write_text("my notes\n", "utf-8")
    assert "another file stands there" in command(*words, "--rejected", mine).err
    assert mine.read_text("utf-8") == "my notes\n"
    command(*words, "--rejected", refused)
    sheet.write_text(sheet.read_text("utf-8").replace("P-9", "P-8"), "utf-8")
    assert "no refused rows of wagers.csv as it is" in command(*words, "--mended", refused).err


def test_the_profiles_are_listed_and_copied(command: Command, own: Path, tmp_path: Path) -> None:
    listed = command("import", "--profiles")
    assert listed.code == 0
    assert [line for line in listed.out.splitlines() if line in profile_names()] == profile_names()
    assert "columns  Delivery, Received on, Received at" in listed.out
    data = command("import", "--profiles", "--format", "json").json
    assert [one["profile"] for one in data] == profile_names()
    copy = tmp_path / "our-wagers.toml"
    assert command("import", "--copy-profile", "table-wagers", copy).code == 0
    copy.write_text(copy.read_text("utf-8").replace('"%m/%d/%Y"', '"%d.%m.%Y"'), "utf-8")
    sheet = tmp_path / "wagers.csv"
    sheet.write_text(WAGERS.read_text("utf-8").replace("06/12/2021", "12.06.2021"), "utf-8")
    done = command("import", copy, sheet, "--ledger", own)
    assert (done.code, "profile  our-wagers" in done.out) == (0, True)
    for words in (
        ("--copy-profile", "table-wagers", copy),  # it stands there already
        ("--copy-profile", "table-wagers", tmp_path / "table-wagers.toml"),
        ("--copy-profile", "no-such", tmp_path / "x.toml"),
        ("--profiles", "table-wagers"),
        (),
        ("table-wagers",),
    ):
        assert command("import", *words).code in (2, 3)


def test_a_preview_speaks_of_dollars_and_local_time(command: Command, own: Path) -> None:
    for profile in profile_names():
        seen = command(
            "import", profile, SAMPLES / f"{profile}.csv", "--rows", "20", "--ledger", own
        )
        assert seen.code == 0, seen.err
        becomes = seen.out.partition("becomes\n")[2]
        assert "06/1" in becomes
        for machine in (
            "_cents",
            "Z:",
            "T23:",
            "+00:00",
            "True",
            "False",
            "None",
            "_time",
            "UNRECOGNISED",
        ):
            assert machine not in becomes, profile
    seen = command("import", "table-wagers", WAGERS, "--ledger", own)
    assert "wager placed, SB-01/wagers, 06/12/2021 19:00:10: wager id W-1" in seen.out
    assert "stake $25.00" in seen.out


REDEEMED = "06/14/2013,15:00:00,SB-02,118,{},{},,won,$25.00,D-4"


@pytest.mark.parametrize(
    ("serial", "reason"),
    [
        ("M25-OO41877", "M25-OO41877 matches no series received; M25-0041877 would be one"),
        (
            "4.18E+11",
            "4.18E+11 matches no series received: the spreadsheet shortened a long number; make the column a text column",
        ),
        (
            "25-Jan",
            "25-JAN matches no series received: the spreadsheet made a date of it; make the column a text column",
        ),
        ("Z99-7", "Z99-7 matches no series received"),
        ("M25-0999999", "M25-0999999 lies outside every series received"),
    ],
    ids=["letter O", "shortened", "a date", "no series", "outside"],
)
def test_a_serial_number_that_matches_no_series_is_warned_about(
    serial: str, reason: str, command: Command, coupons: Path, tmp_path: Path
) -> None:
    sheet = tmp_path / "redeemed.csv"
    good = REDEEMED.format("M25-0041802", "$25.00")
    sheet.write_text("\n".join([HEAD, good, REDEEMED.format(serial, "$25.00")]) + "\n", "utf-8")
    ran = command("import", "coupon-redeem", sheet, "--ledger", coupons)
    assert ran.code == 0  # a coupon in hand is a fact, whatever it is
    assert "1 row with a warning, imported as written:" in ran.out
    assert f"row 3, Serial: {reason}" in ran.out
    assert f"Warning: row 3, Serial: {reason}" in ran.err
    (warning,) = command(
        "import", "coupon-redeem", sheet, "--ledger", coupons, "--format", "json"
    ).json["warnings"]
    assert (warning["row"], warning["code"]) == (3, "serial_unreadable")


def test_a_serial_number_that_lost_its_prefix(
    command: Command, tmp_path: Path, coupons: Path
) -> None:
    """Its digits alone may be of several series: which one it was is not guessed."""
    sheet = tmp_path / "redeemed.csv"
    sheet.write_text("\n".join([HEAD, REDEEMED.format("41877", "$25.00")]) + "\n", "utf-8")
    ran = command("import", "coupon-redeem", sheet, "--ledger", coupons)
    assert "row 2, Serial: 41877 matches no series received\n" in ran.out


def test_a_redeemed_coupon_of_another_denomination_is_a_fact_with_a_finding(
    command: Command, coupons: Path, tmp_path: Path
) -> None:
    sheet = tmp_path / "redeemed.csv"
    sheet.write_text("\n".join([HEAD, REDEEMED.format("M25-0041803", "$10.00")]) + "\n", "utf-8")
    ran = command(
        "import", "coupon-redeem", sheet, "--commit", "--by", "C-FM1", "--ledger", coupons
    )
    assert ran.code == 0, ran.err
    assert "row 2, Denomination: M25-0041803 stands for $25.00" in ran.out
    audit = command("audit", "--day", "2013-06-14", "--ledger", coupons, "--format", "json").json
    wrong = {"coupon_wrong_denomination", "coupon_serial_not_of_a_series"}
    told = [f for f in audit["findings"] if f["code"] in wrong and "M25-0041803" in f["sentence"]]
    assert told
