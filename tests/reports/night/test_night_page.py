"""The page of a night: its order, its twelve lines, what it never hides, the same bytes each time."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.casework import Action, ActionStatus
from ledger.kernel import Severity
from ledger.reports.night import (
    HourCount,
    Incomplete,
    Phase,
    Unknown,
    night_page,
    night_text,
    round_file,
)
from ledger.reports.night.charts import by_hour, charts
from ledger.reports.night.words import amount, clipped, e_words, ordered, span_words
from tests.reports.night.scene import (
    CLOCK,
    DAY,
    LONG,
    MINUTE,
    NOON,
    ROOT,
    SCRIPT,
    TURNED,
    WEEK,
    account,
    action,
    alert,
    capture,
    finding,
    hostile,
    night,
)

ROOT_FOLDER = Path(__file__).parents[3]


def body(page: str) -> str:
    """What a reader sees, as one line of text."""
    inside = page.partition("<body>")[2]
    text = re.sub(r"<svg.*?</svg>", "", inside, flags=re.DOTALL)
    text = " ".join(re.sub(r"<[^>]*>", " ", text).split())
    return re.sub(r" (?=[;:.,])", "", text)


def first_page(page: str) -> str:
    return body(page).partition("Behind each action")[0].partition("More actions")[0]


def rows(page: str, label: str) -> list[list[str]]:
    """The cells of a table of actions."""
    region = page.partition(f'aria-label="{label}"')[2].partition("</table>")[0]
    parts = re.findall(r"<tr>(.*?)</tr>", region.partition("<tbody>")[2], flags=re.DOTALL)
    return [
        [" ".join(re.sub(r"<[^>]*>", " ", one).split()) for one in re.findall(r"<t[dh].*?</t[dh]>", part, flags=re.DOTALL)]
        for part in parts
    ]  # fmt: skip


@pytest.mark.parametrize("told", [lambda: first_page(night_page(night())), lambda: night_text(night())], ids=["page", "text"])  # fmt: skip
def test_the_order_of_the_first_page(told: Any) -> None:
    text = told()
    wanted = [
        *("Keystone Landing", "Saturday, June 12, 2021, issue 2", "FINAL", "replaces issue 1"),
        *("Sat, Jun 12, 06:00 EDT to Sun, Jun 13, 06:00 EDT", "House lost", "Patrons lost", "Totals"),
        *("Capture", "99.6", "Actions", "Unknown", "Coupons", "redeemed 40 + outstanding 260"),
        *("Changes", "one overpayment more", "Signatures", "Ada Quill", "135,878", ROOT, "Tables"),
    ]  # fmt: skip
    places = [text.find(one) for one in wanted]
    assert -1 not in places, wanted[places.index(-1)]
    assert places == sorted(places)


def test_what_is_incomplete_is_the_first_line() -> None:
    given_night = night(
        incomplete=(
            Incomplete(stream="SB-02/dice", since=NOON, why="no fact after 41,027"),
            Incomplete(stream="PH-01", since=None, why="never seen"),
        )
    )
    for text in (body(night_page(given_night)), night_text(given_night)):
        assert text.startswith("INCOMPLETE: terminal SB-02/dice since 2021-06-12 12:00 EDT")
        assert 0 < text.find("PH-01") < text.find("Keystone Landing")
    assert "INCOMPLETE" not in night_page(night())


def test_an_action_line_says_all_that_it_must() -> None:
    one = action(
        7, findings=812, title="Sic Bo SB-02: 812 wagers underpaid", table="SB-02", age_days=3,
        overpaid_cents=None, underpaid_cents=406_000, since=NOON + 362 * MINUTE,
        until=NOON + 820 * MINUTE, status=ActionStatus.TAKEN,
    )  # fmt: skip
    assert rows(night_page(night(actions=(one,))), "Actions") == [
        [
            "1 high", "18:02– 01:40", "SB-02", "812 rounds",
            "Sic Bo SB-02: 812 wagers underpaid", "§ 539.6(b)", "4,060.00", "surveillance",
            "Jun 19 12:00", "taken", "3 d",
        ]
    ]  # fmt: skip


def test_twelve_lines_and_no_more() -> None:
    twelve = night_page(night())
    assert len(rows(twelve, "Actions")) == 12
    assert "more</a>, on a later page" not in twelve
    assert "More actions" not in twelve
    many = night_page(night(actions=tuple(action(number) for number in range(1, 15))))
    assert len(rows(many, "Actions")) == 12
    assert "and 2 more</a>, on a later page" in many
    assert [line[0] for line in rows(many, "More actions")] == ["13 high", "14 high"]
    text = night_text(night(actions=tuple(action(number) for number in range(1, 15))))
    assert "and 2 more" in text
    assert text.count("case ") == 12


def places(*actions: Action) -> list[int]:
    return [int(one.id, 16) for one in ordered(actions)]


def test_by_severity_then_money_then_oldest_footage() -> None:
    low = action(1, severity=Severity.LOW, underpaid_cents=900_000)
    high = action(2, underpaid_cents=0, overpaid_cents=None)
    assert places(low, high) == [2, 1]
    more = action(3, overpaid_cents=300, underpaid_cents=201)
    assert places(action(4, underpaid_cents=500), more) == [3, 4]
    sooner = action(5, footage_until=NOON + WEEK - 1)
    unstated = action(6, footage_until=None)
    assert places(unstated, action(7), sooner) == [5, 7, 6]
    closed = action(8, severity=Severity.CRITICAL, status=ActionStatus.CLOSED)
    assert places(closed, low) == [1, 8]


def test_a_closed_action_is_no_line_of_the_first_page() -> None:
    page = night_page(night(actions=(action(1), action(2, status=ActionStatus.CLOSED))))
    assert len(rows(page, "Actions")) == 1
    assert "1 open, 1 closed" in body(page)
    assert rows(page, "More actions")[0][10] == "closed"


def test_what_happened_is_at_most_ninety_characters() -> None:
    assert clipped("x" * 90) == "x" * 90
    assert clipped("x" * 91) == "x" * 89 + "…"
    assert clipped("two\nlines") == "two lines"


def test_money_has_two_columns_and_never_a_sign() -> None:
    assert [amount(one) for one in (None, 0, 406_000)] == ["–", "0.00", "4,060.00"]
    two = (finding(1, effect=-500), finding(2, effect=700))
    page = night_page(night(actions=(replace(action(1), findings=two, overpaid_cents=700),)))
    assert rows(page, "Actions")[0][6:8] == ["7.00", "5.00"]
    assert [line[5:] for line in rows(page, "Findings of action 1")] == [["0.00", "5.00"], ["7.00", "0.00"]]  # fmt: skip


def test_unknown_is_never_clean() -> None:
    page = night_page(night(actions=(action(1, certain=False),), unknowns=()))
    assert "Unknown: the record cannot show it either way." in page
    nothing = body(night_page(night(actions=())))
    assert "No open action. Unknowns are listed below." in nothing
    many = tuple(Unknown(sentence=f"case {one}", where="SB-01", count=one) for one in range(1, 10))
    page = night_page(night(unknowns=many))
    assert "and 3 more</a>, on a later page" in page
    assert "case 9" in page.partition('id="all-unknown"')[2]


def test_a_preliminary_report_is_not_signed() -> None:
    page = body(night_page(night(phase=Phase.PRELIMINARY, signatures=())))
    assert "PRELIMINARY" in page
    assert "the drop is not counted yet; not for signature" in page
    assert "A preliminary report is not signed." in page
    assert "not signed" in night_text(night(phase=Phase.PRELIMINARY))


def test_a_restated_report_carries_its_own_signatures_only() -> None:
    """What was signed is another issue: it is named as such, and no line of this one is filled."""
    said = "Superseded: issue 1, prepared by Ada Quill (C-9), 2021-06-12 12:00 EDT, on tree size 135,870"
    page = night_page(night())
    assert said in body(page)
    assert said in night_text(night())
    lines = re.findall(r'<tr class="line (\w+)">(.*?)</tr>', page)
    assert [name for name, _ in lines] == ["preparer", "approver"]
    assert all(cells.endswith("<td></td>" * 4) for _, cells in lines)
    assert night_text(night()).count(": not signed") == 2
    assert "Superseded" not in body(night_page(night(signatures=())))
    other = night(issue=1, restates=None)
    assert "Signed for different bytes: issue 1, prepared by Ada Quill" in body(night_page(other))


def test_what_is_the_same_on_every_row_is_said_once() -> None:
    two = (action(1), action(2, department="finance", footage_until=None))
    page = night_page(night(actions=two))
    assert [row[6:] for row in rows(page, "Actions")] == [
        ["surveillance", "Jun 19 12:00"],
        ["finance", "not stated"],
    ]
    assert "The same for all 2: overpaid $0.00; underpaid $5.00; open; age 0 d." in body(page)
    apart = night_page(night(actions=(action(1), action(2, underpaid_cents=700))))
    assert [row[6:] for row in rows(apart, "Actions")] == [["7.00"], ["5.00"]]


def variance(number: int, cents: int) -> Action:
    """A counted win that differs from the calculated one: nobody was paid wrongly."""
    apart = finding(
        number, effect=None, expected="$1,000.00", observed=f"${1_000 + cents // 100:,}.00"
    )
    return replace(action(number), overpaid_cents=None, underpaid_cents=None, findings=(apart,))


def test_a_variance_ranks_by_its_amount_and_shows_it() -> None:
    """An $18,000 difference of a count stands above a wager underpaid by $5."""
    actions = (action(1), variance(2, 1_800_000), action(3, underpaid_cents=900))
    assert places(*actions) == [2, 3, 1]
    found = rows(night_page(night(actions=actions)), "Actions")
    assert [row[6:9] for row in found] == [
        ["–", "–", "18,000.00"],
        ["0.00", "9.00", "–"],
        ["0.00", "5.00", "–"],
    ]
    assert action(1).at_stake_cents == 500
    assert variance(2, -700).at_stake_cents == 700
    assert replace(variance(2, 0), findings=(finding(1, effect=None, expected="40", observed="$3.00"),)).at_stake_cents is None  # fmt: skip


def test_what_is_not_counted_is_not_zero() -> None:
    awaiting = account("SB-09", drop_cents=None, awaiting=("B-1",), by_count_cents=None, missing=("the count of box B-1",))  # fmt: skip
    page = body(night_page(night(tables=(awaiting,))))
    assert "SB-09 awaiting count 50.00 – 990.00 – – – 100.00% –" in page
    assert "No counted win at SB-09; not on record: the count of box B-1." in page
    assert "awaiting count" in night_text(night(tables=(awaiting,)))


def test_a_denomination_that_differs_is_named() -> None:
    page = first_page(night_page(night()))
    assert "$25 redeemed: redeemed 40 = counted from the boxes 39: short 1" in page
    assert "$5 redeemed" not in page
    assert "No coupons are in use." in body(night_page(night(coupons=(), coupons_line="")))


@pytest.mark.parametrize(
    ("day", "said"),
    [
        (date(2021, 3, 13), "Sat, Mar 13, 06:00 EST to Sun, Mar 14, 06:00 EDT (23 hours: the clocks change)"),
        (date(2021, 11, 6), "Sat, Nov 6, 06:00 EDT to Sun, Nov 7, 06:00 EST (25 hours: the clocks change)"),
    ],
)  # fmt: skip
def test_both_days_with_a_clock_change(day: date, said: str) -> None:
    assert span_words(CLOCK, day) == said
    begins, ends = CLOCK.bounds(day)
    hours = [
        HourCount(table="SB-01", begins=at, count=1) for at in range(begins, ends, 60 * MINUTE)
    ]
    chart = by_hour(hours, CLOCK, (begins, ends))
    assert chart is not None
    heads = chart.heads[1:-1]
    assert len(heads) == len(set(heads)) == (ends - begins) // (60 * MINUTE)
    assert chart.rows == (("SB-01", *["1"] * len(heads), str(len(heads))),)
    assert ("01 EST" in heads) == (day.month == 11)


def test_facts_outside_the_day_are_not_put_into_its_hours() -> None:
    begins, ends = CLOCK.bounds(DAY)
    hours = [HourCount(table="house", begins=begins - 50 * MINUTE * 60, count=6), HourCount(table="house", begins=ends, count=2)]  # fmt: skip
    chart = by_hour(hours, CLOCK, (begins, ends))
    assert chart is not None
    assert (chart.heads[1], chart.heads[-2]) == ("before", "after")
    assert (chart.rows[0][1], chart.rows[0][-2], chart.rows[0][-1]) == ("6", "2", "8")


def test_each_chart_has_its_figures_in_a_table() -> None:
    found = charts(night())
    assert [one.title for one in found] == [
        *("Findings by hour and table", "Counted win and calculated win", "Dice of SB-01, set D-7"),
    ]
    assert found[1].rows[0] == ("SB-01", "$1,000.00", "$990.00", "$10.00")
    assert found[2].rows[5] == ("6", "166", "163.5")
    for one in found:
        assert " id=" not in one.svg
        assert "<title>" in one.svg
        assert all(len(row) == len(one.heads) for row in one.rows)
    assert charts(night(hours=(), tables=(), outcomes=())) == ()


def test_each_chart_is_of_the_schema_of_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    import altair
    import vl_convert
    from jsonschema import ValidationError

    specifications: list[dict[str, Any]] = []
    draw = vl_convert.vegalite_to_svg

    def kept(specification: dict[str, Any], **options: Any) -> str:
        specifications.append(specification)
        return draw(specification, **options)

    monkeypatch.setattr(vl_convert, "vegalite_to_svg", kept)
    charts(night())
    for specification in specifications:
        altair.LayerChart.from_dict(specification)
        assert specification["$schema"] == altair.SCHEMA_URL
    assert len(specifications) == 3
    specifications[0]["layer"][0]["mark"]["size"] = "no size"
    with pytest.raises(ValidationError):
        altair.LayerChart.from_dict(specifications[0])


def test_only_rounds_with_a_page_are_linked() -> None:
    page = night_page(night(actions=(action(1), action(2)), round_pages=frozenset({"SB-01:1000"})))
    assert re.findall(r'href="(rounds/[^"]*)"', page) == ["rounds/SB-01.1000.html"] * 2
    assert "SB-01:2000" in page


def test_the_list_behind_an_action_is_told_to_its_end() -> None:
    page = night_page(night(actions=(action(1, findings=1_060),), round_pages=frozenset()))
    behind = body(page).partition("Behind each action")[2]
    assert "and 1,052 more findings, in rounds SB-01:1080" in behind
    assert "and 52 more rounds" in behind
    nine = body(night_page(night(actions=(action(1, findings=9),)))).partition("Behind each")[2]
    assert "SB-01:1080" in nine
    assert "more findings" not in nine


@given(st.lists(st.text(max_size=200), unique=True, max_size=8))
def test_the_files_of_rounds_differ_and_have_plain_names(names: list[str]) -> None:
    files = [round_file(one) for one in names]
    assert len(set(files)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]{5,140}", one) for one in files)


def test_rounds_that_look_alike_have_other_files() -> None:
    alike = (
        "SB-01:1",
        "SB-01.1",
        "SB-01/1",
        "SB_01:1",
        "SB-01:1" + "x" * 200,
        "SB-01:1" + "x" * 201,
    )
    assert len({round_file(one) for one in alike}) == len(alike)
    assert round_file("SB-01:1234") == "SB-01.1234.html"
    assert "/" not in round_file("../../etc:1")


def test_detections_are_sorted_by_name_and_judge_nobody() -> None:
    strong, weak = alert("SB-02", e_value=1e9), alert("SB-01", e_value=5_000.0)
    quiet = alert("SB-00", suppressed_until=date(2021, 7, 1), not_shown="put off by C-9")
    page = body(night_page(night(alerts=(strong, quiet, weak)))).partition("Detections")[2]
    found = [page.find(one) for one in ("dice bias, SB-01", "dice bias, SB-02", "SB-00")]
    assert -1 not in found
    assert found == sorted(found)
    assert "e-value 5,000; an alert needs 4,200 across all tests and nights" in page
    assert "Alert not shown first: put off by C-9 Snoozed until 2021-07-01. Still counted." in page
    counted = "3 alerts in 3 tests, 1 snoozed"
    assert counted in page
    assert counted in night_text(night(alerts=(strong, quiet, weak)))
    assert "SB-00  dice bias, SB-00, set D-7: put off by C-9" in night_text(night(alerts=(quiet,)))
    assert "evidence about a process, never a verdict about a person" in page


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.0421, "0.042"), (99.0, "99"), (100.0, "100"), (999_999.0, "999,999"), (1.25e9, "1.2 × 10^9"), (float("inf"), "beyond counting")],
)  # fmt: skip
def test_evidence_in_words(value: float, said: str) -> None:
    assert e_words(value) == said


def test_nothing_from_outside_becomes_part_of_the_page() -> None:
    page = night_page(hostile())
    assert "<script" not in page
    assert "\u202e" not in page
    assert TURNED.replace("\u202e", "\\u202e") in page
    assert SCRIPT.replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#39;") in page
    assert LONG in page
    text = night_text(hostile())
    assert "\u202e" not in text
    lines = night_text(night(capture=(capture("A\nDay balances"),), property_name="x\x1b[2Jy"))
    assert "\nDay balances" not in lines
    assert "\x1b" not in lines


def test_a_page_is_the_same_bytes_in_every_process() -> None:
    script = (
        "import hashlib, sys; from tests.reports.night.scene import night;"
        "from ledger.reports.night import night_page;"
        "print(hashlib.sha256(night_page(night()).encode()).hexdigest())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT_FOLDER, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1
    assert night_page(night()) == night_page(night())
