"""The exhibit of § 521.4(1)(ii): the same figures as text, CSV and one page of HTML."""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser

import pytest

from ledger.games import ROOMS, Room
from ledger.games.football_field import advance, plays, reachable
from ledger.games.three_dice_football.house_advantage_by_reading import moved
from ledger.reports import exhibit, exhibit_csv, exhibit_html, exhibit_text
from ledger.reports.law.exhibit import HEAD, Exhibit, exact_odds, near
from ledger.reports.paper import Paper

BY_KEY = {room.key: room for room in ROOMS}


@cache
def shown_of(key: str) -> Exhibit:
    return exhibit(BY_KEY[key])


rooms = pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.key)


@pytest.mark.parametrize(
    ("probability", "exact", "nearly"),
    [
        (Fraction(1, 36), "35 to 1", "35.0000"),
        (Fraction(35, 72), "37 to 35", "1.0571"),
        (Fraction(2, 3), "1 to 2", "0.5000"),
        (Fraction(27, 77071540), "77071513 to 27", "2,854,500.4815"),
    ],
)
def test_true_odds_are_those_against(probability: Fraction, exact: str, nearly: str) -> None:
    assert exact_odds(probability) == exact
    assert near(probability) == nearly


@rooms
def test_every_wager_and_payout_line_of_the_room_is_on_the_exhibit(room: Room) -> None:
    lines = shown_of(room.key).lines
    names = {line.wager.removeprefix("The number ") for line in lines}
    assert names == {wager.name for wager in room.wagers}
    assert len(lines) == len(room.payouts)
    for line in lines:
        assert (line.advantage is None) is bool(line.why)
        assert line.section.startswith(f"§ {room.law.edition.chapter}.")


@rooms
def test_the_house_has_an_edge_on_every_wager_that_has_a_figure(room: Room) -> None:
    for line in shown_of(room.key).lines:
        assert line.advantage is None or line.advantage > 0, line.wager


@rooms
def test_the_table_for_a_spreadsheet_holds_the_exact_figures(room: Room) -> None:
    shown = shown_of(room.key)
    head, *body = csv.reader(io.StringIO(exhibit_csv(shown)))
    assert head[: len(HEAD)] == list(HEAD)
    assert len(body) == len(shown.lines)
    for cells, line in zip(body, shown.lines, strict=True):
        row = dict(zip(head, cells, strict=True))
        assert row["payout odds"] == line.pays
        assert row["fraction"] == ("" if line.advantage is None else str(line.advantage))
        assert row["why no figure"] == line.why
        if line.probability is not None:
            against, _, to = row["true odds exact"].partition(" to ")
            assert Fraction(int(to), int(against) + int(to)) == line.probability
            assert row["house advantage"] == line.per_cent
            assert re.fullmatch(r"\d+\.\d{4}%", line.per_cent)


class Page(HTMLParser):
    """What a page loads, its cells, and whether its tags are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.open: list[str] = []
        self.cells = 0
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        self.cells += tag == "td"
        if tag not in ("meta", "br", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


@rooms
def test_the_page_is_whole_and_loads_nothing(room: Room) -> None:
    shown = shown_of(room.key)
    text = exhibit_html(shown)
    page = Page(text)
    assert (page.links, page.open) == ([], [])
    assert "size: Letter" in text
    assert "size: A4" in exhibit_html(shown, Paper.A4)
    assert text.count("url(") == text.count("url(data:font/woff2;base64,") == 2
    assert "<script" not in text
    assert "521.4(1)(ii)" in page.words
    for line in shown.lines:
        assert line.pays in page.words
        assert line.per_cent in page.words
        assert line.true_odds in page.words
    assert all(option.brief in page.words for option in shown.options)


def test_a_page_escapes_what_is_filed() -> None:
    shown = shown_of("sic_bo")
    odd = Exhibit(
        game=shown.game, chapter=shown.chapter, source=shown.source, day=shown.day, standing=None,
        paytable="paytable <b>", lines=shown.lines, others=(), options=(),
    )  # fmt: skip
    assert "paytable &lt;b&gt;" in exhibit_html(odd)


@rooms
def test_the_page_for_people_shows_the_same(room: Room) -> None:
    page = exhibit_text(shown_of(room.key))
    assert " for 1" not in page
    for line in shown_of(room.key).lines:
        assert line.per_cent in page
    for name in room.printed.answers:
        assert f"  {name}, if " in page


def test_picks_with_the_same_figures_share_a_line() -> None:
    lines = [line for line in shown_of("sic_bo").lines if line.wager == "One of a Kind"]
    assert [line.pick for line in lines] == ["1 to 6"] * 3
    assert [line.true_odds for line in lines] == ["47 to 25", "67 to 5", "215 to 1"]
    assert {line.advantage for line in lines} == {Fraction(17, 216)}


def test_all_three_paytables_of_the_bonus_are_told() -> None:
    page = " ".join(exhibit_text(shown_of("asia_poker")).split())
    assert "Paytable B: Natural straight flush 50 to 1; house advantage 6.5429%" in page
    assert "Paytable C: Natural straight flush 50 to 1; Four of a kind 25 to 1;" in page


def options(room: str) -> dict[tuple[str, str], dict[str, Fraction]]:
    return {
        (one.reading, one.option): {who: edge for who, edge, _ in one.figures}
        for one in shown_of(room).options
    }


def test_what_another_reading_would_make_of_sic_bo() -> None:
    # Of 216: 15 exact pairs x 9; 9 of the 10 ways to 6 x 15; 30 rolls x 6 and 6 of them x 5 more.
    found = options("sic_bo")
    assert found["triple-is-a-pair", "exactly-two"] == {
        "Two of a Kind (each pick)": 1 - Fraction(15 * 9, 216)
    }
    assert found["total-includes-triple", "loses"]["Total Value Bet 6, 15"] == 1 - Fraction(
        9 * 15, 216
    )
    assert found["two-dice-once", "twice"] == {
        "Two Dice Combination (each pick)": 1 - Fraction(30 * 6 + 6 * 5, 216)
    }
    assert found["total-3-or-18", "as-any-three-of-a-kind"] == {}


def test_the_readings_of_three_dice_football_not_chosen_favour_the_player() -> None:
    found = options("three_dice_football")
    assert found["touchdown-at-zero", "passed"]["Game Length 6"] < 0
    late = found["first-and-goal-at-once", "after-three-downs"]
    assert {who for who, edge in late.items() if edge < 0} == {
        "Touchdown", "Extra Point", "Game Length 6",
    }  # fmt: skip
    assert found["turnover-is-penalty-wager", "loses"] == {"Penalty": 1 - Fraction(17 * 10, 216)}


def test_without_another_answer_the_markers_lie_where_the_room_puts_them() -> None:
    for spot in reachable():
        for play in plays():
            assert moved(spot, play) == advance(spot, play)


def test_a_shake_that_inherits_lammers_is_worth_up_to_3675_per_cent() -> None:
    (one,) = [o for o in shown_of("props_and_hops").options if o.reading == "shake-joins-fresh"]
    assert "-13.1369% (-263/2002)" in one.words
    assert "-3675.0000% (-147/4)" in one.words


def test_summed_multipliers_would_pay_less() -> None:
    # Without a multiplier 52/54; with some, the mean of 2 and 7 for each: 1/26 of them on average.
    factor = Fraction(52, 54) + Fraction(1, 26) * Fraction(9, 2)
    found = options("dreamcatcher")["multipliers-multiply", "sum-on-odds"]
    assert found["40"] == 1 - Fraction(1, 52) * (1 + 40 * factor)
