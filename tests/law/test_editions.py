"""Rulings by gaming day: dated rows, later texts, continuations, gaps, filings from a date."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from typing import Final

import pytest

from ledger.audit import read_office, rounds_of
from ledger.audit.what_if import differences
from ledger.events import FiledOdds
from ledger.floor import FIRST_DAY
from ledger.games import BY_GAME, BY_KEY, ROOMS, Room
from ledger.games.asia_poker.wagers import PAYTABLES
from ledger.games.edition import amended
from ledger.games.room import Rules, in_force, rules_on, verdict
from ledger.house import TableHouse
from ledger.kernel import EditionStatus, Odds
from ledger.replay import Replay
from ledger.reports import (
    EditionTooEarly,
    EditionUnreadable,
    edition_draft,
    law_odds,
    not_before,
    read_edition,
    whatif_data,
    whatif_text,
)
from ledger.reports.law.edition import key_of
from ledger.reports.law.printed_rows import rows_of
from ledger.rounds import Outcome
from tests.engine import CLOCK, SECOND, Scene, log_of, moment, table_day

SOURCE: Final = "99 Pa.B. 1 (fictional)"
rooms = pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.key)
LATER: Final = date(2030, 1, 1)


def draft(room: Room, since: date = LATER, **changes: str) -> str:
    """A draft in which these rows change: keys begin so."""
    text = edition_draft(room, since, SOURCE)
    for row in rows_of(room):
        if getattr(row, "until", None) is not None:
            continue
        for name, change in changes.items():
            if key_of(row).startswith(name):
                old = f"row = {quoted(key_of(row))}\n"
                head, mark, tail = text.partition(old)
                assert mark, key_of(row)
                text = head + mark + tail.replace('change = "keep"', f'change = "{change}"', 1)
    return text


def quoted(words: str) -> str:
    return '"' + words.replace('"', '\\"') + '"'


# --- a draft --------------------------------------------------------------------------------------


@rooms
def test_a_draft_names_every_row_once_and_changes_nothing(room: Room) -> None:
    names = [key_of(row) for row in rows_of(room)]
    assert len(set(names)) == len(names)
    found = read_edition(room, edition_draft(room, LATER, SOURCE))
    assert not found.changes
    same = amended(room, found)
    for day in (room.law.edition.since, LATER - timedelta(days=1), LATER):
        before, after = rules_on(room, day, None), rules_on(same, day, None)
        assert before.payouts == after.payouts
        assert before.wagers == after.wagers
        assert before.duties == after.duties


@rooms
def test_one_odds_row_changes_on_its_day_and_on_no_other(room: Room) -> None:
    row = room.payouts[-1]
    found = read_edition(room, draft(room, **{key_of(row): "7 to 1"}))
    other = amended(room, found)

    def line(day: date) -> tuple[Odds, str]:
        (one,) = [
            line
            for line in rules_on(other, day, None).payouts[row.wager]
            if line.payout.filed_as == row.filed_as
        ]
        return one.odds, str(one.payout.cite)

    assert line(LATER - timedelta(days=1)) == (row.pays, str(row.cite))
    assert line(LATER) == (Odds(7, 1), f"§ {row.cite.section} ({SOURCE})")
    assert rules_on(other, LATER, None).law.edition.source == SOURCE
    assert rules_on(other, LATER - timedelta(days=1), None).law == room.law
    assert rules_on(room, LATER, None).law == room.law, "the room itself is as it was"


@rooms
def test_a_text_that_restates_the_chapter_is_cited_for_every_row_from_its_day(room: Room) -> None:
    found = read_edition(room, edition_draft(room, LATER, SOURCE, chapter="999a", restates=True))
    other = amended(room, found)
    before, after = other.on(LATER - timedelta(days=1)), other.on(LATER)
    assert {row.cite.edition.chapter for row in before.duties} == {room.law.edition.chapter}
    assert {row.cite.edition.chapter for row in after.duties} == {"999a"}
    assert {row.cite.edition.chapter for row in after.payouts} == {"999a"}
    assert set(before.duty_by_name) == set(after.duty_by_name), "rooms find their duties as before"
    assert {row.cite.section for row in after.wagers} == {
        row.cite.section.replace(room.law.edition.chapter, "999a", 1) for row in room.wagers
    }


def test_a_repealed_wager_is_none_from_that_day_on() -> None:
    room = BY_KEY["sic_bo"]
    other = amended(room, read_edition(room, draft(room, **{"wager Small Bet": "repeal"})))
    assert verdict(rules_on(other, LATER - timedelta(days=1), None), "Small Bet", (), (1, 2, 3))
    assert verdict(rules_on(other, LATER, None), "Small Bet", (), (1, 2, 3)) is None
    assert verdict(rules_on(other, LATER, None), "Big Bet", (), (4, 5, 6)) is not None


def test_the_printed_odds_are_those_of_the_day_asked_for() -> None:
    room = BY_KEY["sic_bo"]
    other = amended(room, read_edition(room, draft(room, **{"payout Small Bet": "3 to 2"})))
    for day, pays in ((LATER - timedelta(days=1), "1 to 1"), (LATER, "3 to 2")):
        (small,) = [row for row in law_odds(other, None, day) if row["wager"] == "Small Bet"]
        assert small["pays"] == pays


def test_texts_follow_each_other() -> None:
    room = BY_KEY["sic_bo"]
    once = amended(room, read_edition(room, draft(room, **{"payout Small Bet": "3 to 2"})))
    again = LATER + timedelta(days=400)
    change = {"payout Small Bet": "2 to 1"}
    twice = amended(once, read_edition(once, draft(once, again, **change)))
    odds = [
        rules_on(twice, day, None).payouts["Small Bet"][0].odds
        for day in (LATER - timedelta(days=1), LATER, again - timedelta(days=1), again)
    ]
    assert odds == [Odds(1, 1), Odds(3, 2), Odds(3, 2), Odds(2, 1)]


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda text: "room = ", "not TOML"),
        (lambda text: text.replace('room = "sic_bo"', 'room = "craps"'), "'craps'"),
        (lambda text: text.replace("since = 2030-01-01", 'since = "2030-01-01"'), "no first day"),
        (lambda text: text.replace(f'source = "{SOURCE}"', 'source = " "'), "no source"),
        (lambda text: text.replace("row = ", "line = ", 1), "lacks its name"),
        (lambda text: text.replace("Small Bet 539.3(6)", "Tiny Bet 539.3(6)"), "no row"),
        (lambda text: text[: text.rindex("[[row]]")], "silence is no repeal"),
        (lambda text: text + text[text.rindex("[[row]]") :], "twice"),
        (lambda text: text.replace('\nchange = "keep"', '\nchange = "7 for 1"', 1), "needs a row"),
        (lambda text: text[: text.index("[[row]]")], "lists no rows"),
    ],
    ids=["toml", "room", "day", "source", "name", "unknown", "missing", "twice", "change", "none"],
)
def test_a_draft_that_cannot_be_used_is_refused_by_name(spoil, why: str) -> None:
    room = BY_KEY["sic_bo"]
    with pytest.raises(EditionUnreadable, match=why) as refused:
        read_edition(room, spoil(edition_draft(room, LATER, SOURCE)))
    assert (refused.value.code, refused.value.exit_code) == ("edition_unreadable", 2)


def test_odds_that_are_none_are_refused() -> None:
    room = BY_KEY["sic_bo"]
    with pytest.raises(EditionUnreadable, match="7 for 1"):
        read_edition(room, draft(room, **{"payout Small Bet": "7 for 1"}))


def test_a_text_cannot_begin_before_the_one_that_it_follows() -> None:
    room = BY_KEY["sic_bo"]
    first = room.law.edition.since
    with pytest.raises(EditionTooEarly) as refused:
        edition_draft(room, first, SOURCE)
    assert refused.value.code == "edition_too_early"
    assert edition_draft(room, first + timedelta(days=1), SOURCE)
    with pytest.raises(EditionUnreadable, match="blank"):
        edition_draft(room, LATER, " ")


# --- the exercise of the runbook ------------------------------------------------------------------

SINCE: Final = FIRST_DAY - timedelta(days=11)


@cache
def day_of_sic_bo() -> Replay:
    return Replay(log_of(table_day("SB-01")))


def test_the_exercise_a_fictional_odds_row_on_a_past_day_in_money() -> None:
    """Small Bet at 3 to 2 in place of 1 to 1: each winner would have half of his stake more."""
    room, replay = BY_KEY["sic_bo"], day_of_sic_bo()
    text = draft(room, SINCE, **{"payout Small Bet": "3 to 2"})
    amendment = read_edition(room, text)
    not_before(amendment, FIRST_DAY)
    other = {**BY_GAME, room.game: amended(room, amendment)}
    law = list(rounds_of(replay, FIRST_DAY))
    found = differences(
        FIRST_DAY, room.game, amendment, law, rounds_of(replay, FIRST_DAY, rooms=other)
    )
    won = [
        wager
        for one in law
        for wager in one.wagers
        if wager.wager == "Small Bet" and wager.expected.outcome is Outcome.WON
    ]
    assert len(won) > 3
    assert {one.wager.wager_id for one in found.differences} == {wager.wager_id for wager in won}
    assert [one.cents for one in found.differences] == [wager.stake_cents // 2 for wager in won]
    assert found.total_cents == sum(wager.stake_cents for wager in won) // 2 > 0
    page = whatif_text(found)
    assert page.startswith("What if. This text is not the law in force on that day")
    assert SOURCE in page
    assert whatif_data(found)["what_if"] is True
    assert list(rounds_of(replay, FIRST_DAY)) == law, "the day's own rounds are as they were"


def test_the_exercise_on_a_day_before_the_text_is_refused() -> None:
    room = BY_KEY["sic_bo"]
    amendment = read_edition(room, edition_draft(room, FIRST_DAY + timedelta(days=1), SOURCE))
    with pytest.raises(EditionTooEarly):
        not_before(amendment, FIRST_DAY)
    not_before(amendment, FIRST_DAY + timedelta(days=1))


# --- how each text stands on a day ----------------------------------------------------------------


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("key", "day", "standing", "remark"),
    [
        ("sic_bo", date(2010, 4, 2), EditionStatus.NOT_YET, "in force only from 2010-04-03"),
        ("sic_bo", date(2010, 4, 3), EditionStatus.IN_FORCE, None),
        ("sic_bo", date(2012, 4, 2), EditionStatus.IN_FORCE, None),
        ("sic_bo", date(2012, 4, 3), EditionStatus.CONTINUED, "continued as 625a, text not held"),
        ("dreamcatcher", date(2020, 11, 27), EditionStatus.NOT_YET, "in force only from 2020-11-28"),
        ("dreamcatcher", date(2022, 11, 27), EditionStatus.IN_FORCE, None),
        ("dreamcatcher", date(2022, 11, 28), EditionStatus.LAPSED, "no text is known for that day"),
        ("dreamcatcher", date(2024, 5, 24), EditionStatus.LAPSED, "no text is known for that day"),
        ("dreamcatcher", date(2024, 5, 25), EditionStatus.CONTINUED, "continued as 689a, text not held"),
        ("three_dice_football", date(2012, 7, 27), EditionStatus.NOT_YET, "in force only from 2012-07-28"),
        ("three_dice_football", date(2014, 1, 31), EditionStatus.IN_FORCE, None),
        ("three_dice_football", date(2014, 2, 1), EditionStatus.CONTINUED, "continued as 661a, text not held"),
        ("props_and_hops", date(2016, 8, 26), EditionStatus.NOT_YET, "in force only from 2016-08-27"),
        ("props_and_hops", date(2016, 8, 27), EditionStatus.IN_FORCE, None),
        ("asia_poker", date(2012, 7, 12), EditionStatus.NOT_YET, "in force only from 2012-07-13"),
        ("asia_poker", date(2012, 7, 13), EditionStatus.IN_FORCE, None),
    ],
)  # fmt: skip
def test_how_a_text_stands_is_said_by_every_citation(
    key: str, day: date, standing: EditionStatus, remark: str | None
) -> None:
    room = BY_KEY[key]
    rules = rules_on(room, day, None)
    assert rules.law.edition.standing(day) is standing
    for row in (*room.wagers, *room.payouts, *room.duties):
        printed = row.cite.on(day)
        assert printed == (str(row.cite) if remark is None else f"{str(row.cite)[:-1]}; {remark})")


@rooms
def test_rows_hold_from_since_to_the_day_before_until(room: Room) -> None:
    row = replace(room.payouts[0], since=date(2020, 1, 2), until=date(2020, 1, 4))
    days = [date(2020, 1, day) for day in (1, 2, 3, 4)]
    assert [in_force(row, day) for day in days] == [False, True, True, False]


# --- filings from a date --------------------------------------------------------------------------

DAY: Final = {
    "sic_bo": date(2011, 3, 15),
    "dreamcatcher": date(2021, 3, 15),
    "three_dice_football": date(2013, 3, 15),
    "props_and_hops": date(2017, 3, 15),
    "asia_poker": date(2012, 9, 1),
}
FILED: Final[dict[str, tuple[tuple[str, str | None, str], ...]]] = {
    "sic_bo": (("Small Bet", None, "6:5"),),
    "dreamcatcher": (("40", None, "41:1"),),
    "three_dice_football": (("Defense", None, "9:10"),),
    "props_and_hops": (("Double", None, "31:1"),),
    "asia_poker": tuple(
        ("Bonus Wager", row.filed_as, str(PAYTABLES["C"].get(row.filed_as, row.pays)))
        for row in BY_KEY["asia_poker"].payouts
        if row.filed_as
    ),
}
AFTER: Final = {
    "sic_bo": ("Small Bet", None, Odds(6, 5)),
    "dreamcatcher": ("40", None, Odds(41, 1)),
    "three_dice_football": ("Defense", None, Odds(4, 5)),  # fixed: the filing is a finding
    "props_and_hops": ("Double", None, Odds(30, 1)),  # fixed likewise
    "asia_poker": ("Bonus Wager", "Four of a kind", Odds(25, 1)),
}


def rules_at(room: Room, at: int) -> Rules:
    """The rules at a table so many seconds after noon; RS-2 was approved one hour after it."""
    scene = Scene(room.game, DAY[room.key])
    scene.house(
        "PropertyDescribed", -9_000, name="Example", time_zone=CLOCK.time_zone,
        gaming_day_starts_minutes=CLOCK.starts_minutes,
    )  # fmt: skip
    for name, when, odds in (("RS-1", -8_000, ()), ("RS-2", 3_599, FILED[room.key])):
        rows = [FiledOdds(wager=w, on=on, odds=text) for w, on, text in odds]
        scene.house("RulesSubmissionFiled", when, submission=name, game=room.game, paytable=rows)
        scene.house(
            "RulesSubmissionApproved", when + 1, submission=name, approved_time=moment(when + 1)
        )
    office = read_office(Replay(log_of(scene.build()))).office
    return TableHouse("T-01", room, office).rules(DAY[room.key], scene.noon + at * SECOND)


@rooms
def test_a_filed_paytable_holds_from_its_approval(room: Room) -> None:
    wager, line, odds = AFTER[room.key]

    def pays(rules: Rules) -> Odds:
        return next(one.odds for one in rules.payouts[wager] if one.payout.filed_as == line)

    usual = next(r.pays for r in room.payouts if (r.wager, r.filed_as) == (wager, line))
    before, after = rules_at(room, 3_599), rules_at(room, 3_601)
    assert before.filed is not None
    assert after.filed is not None
    assert (before.filed.submission, pays(before)) == ("RS-1", usual)
    assert (after.filed.submission, pays(after)) == ("RS-2", odds)
