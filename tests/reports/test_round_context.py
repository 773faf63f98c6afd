"""What a page says around a round: dates, cameras, seconds after the close, gaps, what still holds."""

from __future__ import annotations

from datetime import date
from io import StringIO

import pytest
from rich.console import Console

from ledger.audit import day_of, read_office, with_coupons
from ledger.events import Fact
from ledger.kernel import PropertyClock, duration_words
from ledger.replay import Replay
from ledger.reports import RoundView, round_data, round_page, round_views_on
from ledger.reports.night import round_html
from ledger.reports.round_context import camera_lines, conditional_lines, when_line
from ledger.reports.timeline import timeline_rows
from tests.engine import Scene, log_of, roll, sic_bo

DAY = date(2011, 3, 15)


def seen_in(facts: list[Fact], day: date = DAY) -> tuple[RoundView, PropertyClock]:
    """The only round of these facts."""
    replay = Replay(log_of(facts))
    house = with_coupons(replay, read_office(replay))
    opened = [f for f in facts if type(f).__name__ == "BettingOpened"]
    names = {f"{fact.stream}:{fact.seq}" for fact in opened}
    (seen,) = round_views_on(replay, house, day_of(house.clock, day), names)
    return seen, house.clock


def page(seen: RoundView, clock: PropertyClock, footage_days: int | None = None) -> str:
    console = Console(file=StringIO(), width=160, color_system=None)
    with console.capture() as captured:
        console.print(round_page(seen, clock, 160, footage_days))
    return captured.get()


def scene() -> Scene:
    """A round of one $10 Small Bet, won and paid 1 to 1; the table closes ten minutes later."""
    table = sic_bo(DAY)
    table.add("BettingOpened", 0)
    table.wager(2, "Small Bet", position="3", patron="p-1", instrument="CHIPS")
    roll(table, 10, 1, 2, 3)
    table.won(20, "W1", 1_000)
    return table.change("TableClosed", at=600)


def without(facts: list[Fact], kind: str) -> list[Fact]:
    left = [fact for fact in facts if type(fact).__name__ != kind]
    assert len(left) < len(facts)
    return left


def test_the_date_stands_beside_the_gaming_day_where_they_differ() -> None:
    seen, clock = seen_in(scene().build())
    assert when_line(seen, clock) == "gaming day 2011-03-15, 12:00:00 to 12:10:00 EDT; settled"
    after_midnight = scene()
    for line in after_midnight.lines:
        line.at += 13 * 3600 if 0 <= line.at <= 600 else 0
    seen, clock = seen_in(after_midnight.build())
    assert "01:00:00 to 01:10:00 EDT on Wednesday, March 16, 2011" in when_line(seen, clock)
    assert "Wednesday, March 16, 2011" in [row.words for row in timeline_rows(seen, clock)]


def test_cameras_stand_with_their_losses_and_the_date_of_the_footage() -> None:
    table = scene()
    table.add("CameraAssigned", -900, camera="C-1", covers="dice")
    table.add("CameraAssigned", -899, camera="C-2", covers=None)
    table.add("CameraLost", 1, camera="C-2")
    table.add("CameraRestored", 15.5, camera="C-2")
    table.add("CameraAssigned", 900, camera="C-3", covers=None)
    seen, clock = seen_in(table.build())
    dice, other, *_, footage = camera_lines(seen, clock, 30)
    assert dice == "Camera C-1 (dice), at this table since 11:45:00 on Tuesday, March 15, 2011"
    assert other.endswith("; down 14.5 s, 12:00:01 to 12:00:15")
    assert footage == "Footage is kept 30 days, until Thursday, April 14, 2011."
    assert not any("C-3" in line for line in camera_lines(seen, clock, 30)), "it came later"
    assert camera_lines(seen, clock, None)[-1] == (
        "Footage retention is not set (PITLEDGER_FOOTAGE_DAYS)."
    )
    for shown in (page(seen, clock, 30), round_html(seen, clock, footage_days=30)):
        assert "until Thursday, April 14, 2011" in shown
        assert "down 14.5 s" in shown


def test_a_round_without_cameras_says_so() -> None:
    table = scene()
    if table.lines_of("CameraAssigned"):
        table.drop("CameraAssigned")
    seen, clock = seen_in(table.build())
    assert camera_lines(seen, clock, None)[0] == (
        "No camera on record for this table at that time."
    )


def test_a_late_wager_says_how_late_it_was() -> None:
    table = scene()
    table.wager(12.25, "Big Bet", position="4", patron="p-2")
    table.lost(21, "W2")
    seen, clock = seen_in(table.build())
    words = "2.250 s after 'no more bets' (T-01:"
    assert words in page(seen, clock)
    assert "by the same terminal's clock" in page(seen, clock)
    assert "2.250 s after" in round_html(seen, clock)
    (late,) = [f for f in round_data(seen)["findings"] if f["code"] == "late_wager"]
    assert (late["after_close_micros"], late["clocks_apart_micros"]) == (2_250_000, None)


def test_who_where_what_and_when_stand_beside_each_wager() -> None:
    seen, clock = seen_in(scene().build())
    shown = page(seen, clock)
    (line,) = [line for line in shown.splitlines() if line.strip().startswith("W1 ")]
    for part in ("W1", "3", "12:00:02", "p-1", "Small Bet", "$10.00"):
        assert part in line
    assert "W1: $10 in chips on Small Bet by p-1, position 3" in shown
    assert '<td><bdi>3</bdi></td><td class="whole">12:00:02</td>' in round_html(seen, clock)


def test_many_wagers_are_never_folded() -> None:
    table = scene()
    for number in range(12):
        table.wager(3 + number / 10, "Big Bet", position=str(number % 6 + 1), patron=f"p-{number}")
        table.lost(30 + number, f"W{number + 2}")
    seen, clock = seen_in(table.build())
    rows = [row.words for row in timeline_rows(seen, clock)]
    assert sum("on Big Bet by" in row for row in rows) == 12
    assert sum("settled as lost" in row for row in rows) == 12


@pytest.mark.parametrize("kind", ["RollCalled", "NoMoreBetsAnnounced", "ValuesEntered"])
def test_what_holds_beside_a_gap_is_said(kind: str) -> None:
    seen, clock = seen_in(without(scene().build(), kind))
    assert seen.result.status.value == "unknown"
    (gap,) = seen.gaps
    (row,) = [row for row in timeline_rows(seen, clock) if row.is_gap]
    assert row.words.startswith("1 fact is missing after ")
    assert row.words.endswith(f"without a record (T-01:{gap.first_seq}).")
    assert list(conditional_lines(seen)) == [
        "If the missing facts changed no wager, roll or call, the outcome is 1 2 3 and the wagers on"
        " record come out as follows:",
        "W1, $10 on Small Bet: won, winnings $10.00; the house settled it correctly.",
    ]
    assert "W1, $10 on Small Bet: won" in page(seen, clock)
    assert "W1, $10 on Small Bet: won" in round_html(seen, clock)
    assert round_data(seen)["missing"][0]["first_seq"] == gap.first_seq


def test_a_gap_that_holds_the_outcome_leaves_no_condition() -> None:
    facts = without(without(scene().build(), "DiceThrown"), "RollCalled")
    facts = without(without(facts, "ValuesEntered"), "AreasLit")
    seen, _ = seen_in(facts)
    (line,) = conditional_lines(seen)
    assert "do not show an outcome" in line


def test_a_settlement_without_its_wager_is_named_beside_the_gap() -> None:
    seen, clock = seen_in(without(scene().build(), "WagerPlaced"))
    (row,) = [row for row in timeline_rows(seen, clock) if row.is_gap]
    assert "W1 was settled, but no record shows the wager being placed." in row.words


def test_a_settled_round_has_no_condition() -> None:
    seen, clock = seen_in(scene().build())
    assert list(conditional_lines(seen)) == []
    assert not any(row.is_gap for row in timeline_rows(seen, clock))


@pytest.mark.parametrize(
    ("micros", "words"),
    [
        (0, "0.0 s"),
        (59_950_000, "59.9 s"),
        (60_000_000, "1 min"),
        (389_000_000, "6 min 29 s"),
        (25_394_000_000, "7 h 3 min"),
        (7_200_000_000, "2 h"),
    ],
)
def test_lengths_of_time_are_said_as_people_say_them(micros: int, words: str) -> None:
    assert duration_words(micros) == words


# --- a gap that swallows an opening ---------------------------------------------------------------


def two_rounds() -> list[Fact]:
    """A second round after the first, whose opening is missing."""
    table = scene()
    table.add("BettingOpened", 60)
    table.wager(62, "Big Bet", position="4", patron="p-2", instrument="CHIPS")
    roll(table, 70, 1, 2, 3)
    table.lost(80, "W2")
    second = [fact for fact in table.build() if type(fact).__name__ == "BettingOpened"][1]
    return [fact for fact in table.build() if fact != second]


def test_a_round_settled_before_a_gap_says_what_may_be_missing() -> None:
    seen, clock = seen_in(two_rounds())
    assert seen.result.status.value == "settled"
    words = "1 wager settled correctly: paid $10.00, collected $0.00. Facts are missing right after this round."
    assert page(seen, clock).startswith(words)
    certain, missing = conditional_lines(seen)
    assert (
        certain
        == "The record shows the round decided and settled; facts are missing right after it."
    )
    assert "another wager, a second payment, a correction" in missing
    for text in (page(seen, clock), round_html(seen, clock)):
        assert "1 fact is missing" in text
        assert "a second payment" in text
    assert round_data(seen)["holds"] == [certain, missing]
