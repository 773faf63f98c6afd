"""The board of a round after each of its facts, for every game: well-formed, whole, escaped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest

from ledger import events
from ledger.audit import audit_day, day_of, read_office, with_coupons
from ledger.events.parts import Stack
from ledger.floor import FIRST_DAY
from ledger.games import BY_GAME
from ledger.replay import Replay
from ledger.reports import RoundView, round_views_on
from ledger.reports.board import Board, board_at
from ledger.reports.board.field import field_svg, field_words
from ledger.reports.board.hands import hands_svg
from ledger.reports.board.layout import MOST_CHIPS, LaidWager, layout_svg, rows_of
from ledger.reports.board.svg import LONGEST
from ledger.reports.board.wheel import MOST_SECTIONS, whole_wheel_svg
from tests.engine import log_of, table_day

TABLES = ("SB-01", "DC-01", "FB-01", "PH-01", "AP-01")
HOSTILE = "<script>alert(1)</script>\x1b[2J\u202e" + "W" * 300


@cache
def rounds_of(table: str) -> tuple[RoundView, ...]:
    replay = Replay(log_of(table_day(table)))
    house = with_coupons(replay, read_office(replay))
    openings = [
        f"{step.fact.stream}:{step.fact.seq}"
        for stream in replay.tables()[table]
        for step in replay.walk([stream], only=("BettingOpened",))
    ]
    return tuple(round_views_on(replay, house, day_of(house.clock, FIRST_DAY), openings[3:11]))


def drawings_of(board: Board) -> Iterator[ElementTree.Element]:
    parts = [shown.drawn for shown in board.shown]
    for drawn in (*parts, board.field, board.hands, board.layout):
        if drawn:
            yield ElementTree.fromstring(str(drawn))


def texts(drawn: ElementTree.Element) -> list[str]:
    return [node.text or "" for node in drawn.iter("text")]


def chips(drawn: ElementTree.Element) -> list[str]:
    return [node.get("class", "") for node in drawn.iter("g")]


@pytest.mark.parametrize("table", TABLES)
def test_the_board_follows_each_fact_and_every_drawing_has_a_text(table: str) -> None:
    seen_rounds = rounds_of(table)
    assert seen_rounds
    for seen in seen_rounds:
        placed = 0
        standing = len(board_at(seen, 0).wagers)
        for count in range(len(seen.steps) + 1):
            board = board_at(seen, count)
            if count and isinstance(seen.steps[count - 1].fact, events.WagerPlaced):
                placed += 1
            assert len(board.wagers) == standing + placed
            for drawn in drawings_of(board):
                assert drawn.get("role") == "img"
                assert drawn.findtext("title")
                assert "style" not in {name for node in drawn.iter() for name in node.attrib}
            assert len(chips(ElementTree.fromstring(str(board.layout)))) == len(board.wagers)
        assert {wager.wager_id for wager in board.wagers} == {
            wager.wager_id for wager in seen.result.wagers
        }
        for wager in board.wagers:
            own = next(w for w in seen.result.wagers if w.wager_id == wager.wager_id)
            assert wager.differs == bool(own.difference_cents)
            if own.observed is not None:
                assert wager.kind == own.observed.outcome.value


@pytest.mark.parametrize("table", TABLES)
def test_the_layout_has_an_area_for_every_wager_and_pick_of_the_room(table: str) -> None:
    seen = rounds_of(table)[0]
    room = BY_GAME[seen.result.game]
    if room.hands is not None:
        return  # by seat: the next test
    rows = rows_of(room.wagers, board_at(seen, len(seen.steps)).wagers, by_seat=False)
    areas = sum(len(row.areas) for row in rows)
    assert areas == sum(len(row.picks) for row in room.wagers)


def test_a_layout_by_seat_has_each_seat_under_each_wager() -> None:
    seen = max(rounds_of("AP-01"), key=lambda seen: len(seen.result.wagers))
    room = BY_GAME[seen.result.game]
    wagers = board_at(seen, len(seen.steps)).wagers
    rows = rows_of(room.wagers, wagers, by_seat=True)
    seats = sorted({wager.seat for wager in wagers})
    assert [row.head for row in rows] == [row.name for row in room.wagers]
    for row in rows:
        assert [area.name for area in row.areas] == [f"seat {seat}" for seat in seats]
    assert sum(len(area.chips) for row in rows for area in row.areas) == len(wagers)


def test_areas_that_the_device_lit_are_lit_until_they_are_cleared() -> None:
    seen = next(
        s for s in rounds_of("SB-01") if any(isinstance(x.fact, events.AreasLit) for x in s.steps)
    )
    counts = {
        type(step.fact): (count, step.fact)
        for count, step in enumerate(seen.steps, start=1)
        if isinstance(step.fact, events.AreasLit | events.LightsCleared)
    }
    count, fact = counts[events.AreasLit]
    drawn = ElementTree.fromstring(str(board_at(seen, count).layout))
    lit = [n for n in drawn.iter("rect") if "lit" in n.get("class", "").split()]
    assert len(lit) == len(fact.areas)
    assert all(area in (drawn.findtext("title") or "") for area in fact.areas)
    for other in (count - 1, counts[events.LightsCleared][0]):
        assert " lit" not in str(board_at(seen, other).layout)


def test_what_was_not_due_is_marked_from_its_settlement_on() -> None:
    replay = Replay(log_of(table_day("SB-01", "winner_taken@SB-01")))
    house = with_coupons(replay, read_office(replay))
    audit = audit_day(replay, FIRST_DAY)
    (wrong,) = [f for f in audit.findings if f.code == "wrong_outcome"]
    (seen,) = round_views_on(replay, house, day_of(house.clock, FIRST_DAY), [str(wrong.round)])
    settled = next(
        count
        for count, step in enumerate(seen.steps, start=1)
        if isinstance(step.fact, events.WagerSettled) and step.fact.wager_id == wrong.wager
    )
    for count in range(len(seen.steps) + 1):
        marked = {w.wager_id for w in board_at(seen, count).wagers if w.differs}
        assert marked == ({wrong.wager} if count >= settled else set())


def test_a_table_that_records_no_wagers_says_so() -> None:
    (seen, *_) = rounds_of("SB-03")
    assert not board_at(seen, len(seen.steps)).has_wagers
    assert board_at(rounds_of("SB-01")[0], 0).has_wagers


def laid(**fields: object) -> LaidWager:
    plain = {"wager_id": "W1", "seat": "2", "wager": "Any", "picks": (), "stake_cents": 2500}
    return LaidWager(**{**plain, **fields})  # type: ignore[arg-type]


def test_a_wager_that_the_layout_has_not_is_drawn_apart_and_hostile_names_are_shown_as_text() -> (
    None
):
    drawn = layout_svg((), [laid(wager=HOSTILE, seat=HOSTILE, picks=(7,))], by_seat=False)
    svg = ElementTree.fromstring(str(drawn))
    assert "not a wager of this layout" in texts(svg)
    assert not list(svg.iter("script"))
    assert all(len(text) <= LONGEST for text in texts(svg))
    assert "\x1b" not in str(drawn)
    assert "\u202e" not in str(drawn)


def test_a_thousand_wagers_are_drawn_in_part_and_the_rest_is_counted() -> None:
    many = [laid(wager_id=f"W{number}", wager=f"Bet {number % 3}") for number in range(1_000)]
    svg = ElementTree.fromstring(str(layout_svg((), many, by_seat=False)))
    assert len(chips(svg)) == MOST_CHIPS
    assert f"and {1_000 - MOST_CHIPS} more, in the list" in texts(svg)


def wheel_and_spin(index: int, sections: tuple[str, ...]) -> tuple[events.WheelSpun, object]:
    seen = rounds_of("DC-01")[0]
    assert seen.wheel is not None
    spun = next(s.fact for s in seen.steps if isinstance(s.fact, events.WheelSpun))
    return replace(spun, section=index), replace(seen.wheel, sections=sections)


@pytest.mark.parametrize("index", [0, 1, 53])
def test_the_section_at_the_clapper_is_on_top_and_named(index: int) -> None:
    spun, wheel = wheel_and_spin(index, tuple(f"S{number}" for number in range(54)))
    svg = ElementTree.fromstring(str(whole_wheel_svg(spun, wheel)))
    (hit,) = [node for node in svg.iter("path") if "hit" in node.get("class", "").split()]
    left, right = (
        part.split()[0]
        for part in (hit.get("d", "").split("L")[1], hit.get("d", "").split(" 1 ")[1])
    )
    assert float(left) + float(right) == pytest.approx(320)  # as far to the left as to the right
    assert svg.findtext("title") == f"The clapper rests at S{index}"
    assert sum(text == f"S{index}" for text in texts(svg)) == 2


def test_a_wheel_of_too_many_sections_or_an_unknown_one_is_drawn_small_or_said() -> None:
    spun, wheel = wheel_and_spin(3, tuple(map(str, range(MOST_SECTIONS + 1))))
    assert 'class="drawn wheel"' in str(whole_wheel_svg(spun, wheel))
    assert "<svg" not in str(whole_wheel_svg(spun, None))
    assert whole_wheel_svg(None, None) is None
    spun, wheel = wheel_and_spin(999, ("1", "2"))
    assert "<svg" not in str(whole_wheel_svg(spun, wheel))


def markers(yard: int | None, down: events.Down | None, play: int | None) -> events.MarkersPlaced:
    seen = rounds_of("FB-01")[0]
    placed = next(s.fact for s in seen.steps if isinstance(s.fact, events.MarkersPlaced))
    return replace(placed, yard=yard, down=down, play=play)


def test_the_field_shows_marker_down_and_play_and_where_the_marker_was() -> None:
    way = [markers(20, events.Down.FIRST_DOWN, 1), markers(8, events.Down.FIRST_AND_GOAL, 2)]
    svg = ElementTree.fromstring(str(field_svg(way)))
    assert svg.findtext("title") == "Marker at the 8-yard line, 1st & Goal, play 2"
    chosen = [n.text for n in svg.iter("text") if n.get("class") == "inside"]
    assert chosen == ["1st & Goal", "2"]
    assert len([n for n in svg.iter("circle") if n.get("class") == "was"]) == 1
    assert len(list(svg.iter("ellipse"))) == 1


@pytest.mark.parametrize("yard", [None, -4, 99, 10**15])
def test_a_marker_beside_the_field_is_said_to_be_there(yard: int | None) -> None:
    svg = ElementTree.fromstring(str(field_svg([markers(yard, None, None)])))
    assert "no marker on the field" in texts(svg)
    assert not list(svg.iter("ellipse"))
    assert "not recorded" in field_words(markers(None, None, None))


def test_cards_are_drawn_as_dealt_then_as_set_beside_the_dealers() -> None:
    seen = next(s for s in rounds_of("AP-01") if board_at(s, len(s.steps)).hands)
    first = next(
        count for count in range(len(seen.steps) + 1) if board_at(seen, count).hands is not None
    )
    assert isinstance(seen.steps[first - 1].fact, events.CardsDealt)
    dealt = ElementTree.fromstring(str(board_at(seen, first).hands))
    assert "as dealt" in texts(dealt)
    whole = ElementTree.fromstring(str(board_at(seen, len(seen.steps)).hands))
    assert "dealer" in texts(whole)
    assert "dealer: high hand" in (whole.findtext("title") or "")
    backs = hands_svg([], {"3": Stack(position="3", cards=None, count=10**9)})
    assert str(backs).count('class="back"') < 20
    unknown = hands_svg([], {"3": Stack(position="3", cards=None, count=None)})
    assert "number not recorded" in str(unknown)
    assert hands_svg([], {}) is None


@pytest.mark.parametrize("table", TABLES)
def test_a_mark_stands_in_every_drawing_and_in_its_text(table: str) -> None:
    seen = rounds_of(table)[0]
    for drawn in drawings_of(board_at(seen, len(seen.steps), "NOT ON RECORD")):
        assert "NOT ON RECORD" in texts(drawn)
        assert (drawn.findtext("title") or "").startswith("NOT ON RECORD: ")
    for drawn in drawings_of(board_at(seen, len(seen.steps))):
        assert "NOT ON RECORD" not in texts(drawn)
