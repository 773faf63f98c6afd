"""The draft of a gaming guide: complete, in words for patrons, and never taken for an approved one."""

from __future__ import annotations

import json
from datetime import date

import pytest

from ledger.games import BY_KEY, ROOMS, Room
from ledger.games.room import Filed
from ledger.kernel import FactRef, Odds
from ledger.reports import guide, guide_data, guide_text

rooms = pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.key)


def filed(**odds: Odds) -> Filed:
    return Filed(
        submission="RS-7", odds={(name, None): value for name, value in odds.items()}, rounding=None,
        unit_cents=1, payout_limit_cents=None, payout_limit_scope=None, increment_cents=None,
        readings={}, fact=FactRef("house", 3),
    )  # fmt: skip


@rooms
def test_a_draft_says_at_both_ends_that_it_is_not_approved(room: Room) -> None:
    page = guide_text(guide(room))
    assert page.startswith("DRAFT, NOT APPROVED\n")
    assert page.endswith("DRAFT, NOT APPROVED\n")
    words = " ".join(page.split())
    assert (
        "before the Bureau of Gaming Operations has approved a sample of it (§ 521.9(c))" in words
    )
    data = guide_data(guide(room))
    assert (data["draft"], data["approved"]) == (True, False)
    assert json.loads(json.dumps(data)) == data


@rooms
def test_every_wager_and_every_payout_line_is_in_the_draft(room: Room) -> None:
    drafted = guide(room)
    assert len(drafted.wagers) == len(room.wagers)
    assert [pays for _, _, pays in drafted.odds] == [
        str(line.pays) for row in room.wagers for line in room.payouts if line.wager == row.name
    ]
    words = " ".join(guide_text(drafted).split())
    for row in room.wagers:
        assert f"{'The number ' if row.name.isdigit() else ''}{row.name}: wins when" in words
        assert str(row.wins_on) in words


@rooms
def test_the_order_is_that_of_the_rows_and_it_is_for_patrons(room: Room) -> None:
    page = guide_text(guide(room))
    assert "  § 5" not in page.replace(f"§ {room.law.edition.chapter}", "")
    assert "finding" not in page
    assert max(map(len, page.splitlines())) <= 110


def test_the_odds_that_the_house_filed_are_those_of_the_guide() -> None:
    room = BY_KEY["sic_bo"]
    assert any("least that the chapter allows" in one for one in guide(room).open_points)
    drafted = guide(room, filed(**{"Three of a Kind": Odds(180, 1)}), date(2011, 1, 1))
    assert ("Three of a Kind", "", "180 to 1") in drafted.odds
    assert "Rules Submission RS-7" in guide_text(drafted)
    assert not any("least that the chapter allows" in one for one in drafted.open_points)


def test_what_is_not_filed_stays_open() -> None:
    points = guide(BY_KEY["props_and_hops"]).open_points
    assert sum("for the Rules Submission to say" in one for one in points) == 4
