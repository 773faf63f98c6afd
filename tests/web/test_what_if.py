"""What if: a past round on other facts, from the desk; nothing is written and every page says so."""

from __future__ import annotations

import json

import pytest

from ledger.cli import main
from ledger.log import read_log
from ledger.reports.what_if_page import MARK
from ledger.web.changeable import LATE, ON_TIME
from tests.web.conftest import Served, token_of

ROUND = "SB-01:517"
PATH = f"/round/{ROUND}/what-if"


def suppose(desk: Served, **fields: str):
    browser = desk.signed_in("SS-1")
    token = token_of(browser.get(PATH).text)
    sent = browser.post(PATH, data={"token": token, **fields})
    assert sent.status_code == 303
    return browser, sent.headers["location"]


def test_the_form_shows_the_round_as_recorded(desk: Served) -> None:
    page = desk.signed_in("SS-1").get(PATH).text
    assert page.count(MARK) == 1
    assert 'name="set dice[1]"' in page
    assert ".stake" in page


def test_other_dice_are_judged_as_the_command_judges_them_and_nothing_is_written(
    desk: Served, desk_ledger, capsys: pytest.CaptureFixture[str]
) -> None:
    size = read_log(desk_ledger).size
    browser, address = suppose(desk, **{"set dice[1]": "6", "set dice[2]": "5"})
    assert "6" not in address.split("/")[-2]
    page = browser.get(address)
    assert page.status_code == 200, page.text
    assert page.text.count(MARK) >= 3
    capsys.readouterr()
    words = ["whatif", ROUND, "--set", "dice[1]=6", "--set", "dice[2]=5", "--format", "json"]
    main([*words, "--ledger", str(desk_ledger)])
    supposition = json.loads(capsys.readouterr().out)
    document = browser.get(f"{address}.json").json()
    assert document["patrons_more_cents"] == supposition["patrons_more_cents"]
    assert document["supposed"] == supposition["supposed"]
    assert MARK in browser.get(f"{address}.csv").text
    assert read_log(desk_ledger).size == size
    other = desk.signed_in("IA-1").get(address)
    assert other.status_code == 400


def test_the_board_beside_the_form_is_drawn_as_supposed_and_marked(desk: Served) -> None:
    recorded = desk.signed_in("SS-1").get(PATH).text
    assert "The table as recorded" in recorded
    assert 'class="across"' not in recorded
    browser, address = suppose(desk, **{"set dice[2]": "3"})
    page = browser.get(address).text
    assert "The table as supposed" in page
    assert page.count('class="across"') == 2
    assert f"<title>{MARK}: Dice at rest: 1 (red), 3 (white), 2 (blue)</title>" in page
    assert f"<title>{MARK}: Layout with 2 wagers" in page


def test_a_wager_is_supposed_to_come_late_by_its_time_on_the_board(desk: Served) -> None:
    browser, address = suppose(desk, **{"time W113": LATE, "time W112": ON_TIME})
    document = browser.get(f"{address}.json").json()
    assert [(each["field"], each["supposed"]) for each in document["supposed"]] == [
        ("place", "after SB-01:520")
    ]
    codes = {each["code"] for each in document["asked"]["findings"]["only_supposed"]}
    assert "late_wager" in codes
    page = browser.get(address).text
    assert f'<option value="{LATE}" selected>' in page


@pytest.mark.parametrize("time", ["", "x" * 300, "<script>alert(1)</script>"])
def test_a_time_that_is_none_supposes_nothing(desk: Served, time: str) -> None:
    browser, address = suppose(desk, **{"time W113": time, "time W-none": LATE})
    page = browser.get(address)
    assert page.status_code == 400
    assert "Nothing is supposed" in page.text
    assert "<script>alert" not in page.text


@pytest.mark.parametrize(
    "fields",
    [
        {}, {"set dice[1]": "9"}, {"set": "nonsense"}, {"set": "dice[99]=1"}, {"late": "W-none"},
        {"set": "<script>alert(1)</script>=1"}, {"reading": "x=y"}, {"set W1.stake": "-5"},
        {"add_coupon": "=1+1"}, {"set": "\x00\x1b[2J"},
    ],
    ids=repr,
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_the_form_as_it_was(desk: Served, fields) -> None:
    browser, address = suppose(desk, **fields)
    page = browser.get(address)
    if "set W1.stake" in fields:  # the round has no such wager on its form
        assert page.status_code == 400
    assert page.status_code == 400, page.text
    assert "<script>alert" not in page.text
    assert "\x1b" not in page.text
    assert 'role="alert"' in page.text


def test_a_round_that_is_none_is_not_supposed(desk: Served) -> None:
    browser = desk.signed_in("SS-1")
    assert browser.get("/round/XX-9:1/what-if").status_code == 404
    assert desk.signed_in("FS-1").get(PATH).status_code == 403
