"""The law on the command line: exhibits, guides, drafts of later texts, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command

GAMES = ("sic_bo", "dreamcatcher", "three_dice_football", "props_and_hops", "asia_poker")


@pytest.mark.parametrize("game", GAMES)
def test_odds_of_every_game_in_every_form(command: Command, game: str) -> None:
    text = command("law", "odds", game)
    assert text.code == 0
    assert "Exhibit under § 521.4(1)(ii)" in text.out
    rows = command("law", "odds", game, "--format", "json").json
    keys = [
        "wager",
        "pick",
        "on",
        "pays",
        "probability",
        "house_edge",
        "return",
        "paytable",
        "cite",
    ]
    assert all(list(row)[:9] == keys for row in rows)
    table = list(csv.DictReader(io.StringIO(command("law", "odds", game, "--format", "csv").out)))
    assert {row["wager"].removeprefix("The number ") for row in table} == {
        row["wager"] for row in rows
    }
    assert command("law", "odds", game, "--format", "html").out.startswith("<!doctype html>")


def test_the_published_figures(command: Command) -> None:
    rows = command("law", "odds", "three_dice_football", "--format", "json").json
    edges = {row["wager"]: row["house_edge"] for row in rows}
    published = {
        "Trips TD": "5/36", "Penalty": "2/27", "Turnover": "11/72", "Cover Three": "1/27",
        "No Gain": "1/36", "Big Play": "11/216", "Over Four Yards": "5/108", "Under Four Yards": "1/36",
    }  # fmt: skip
    assert published.items() <= edges.items()
    rows = command("law", "odds", "props_and_hops", "--format", "json").json
    edges = {row["wager"]: row["house_edge"] for row in rows}
    assert {"Double": "5/36", "Any Number": "1/9", "Field": "1/18"}.items() <= edges.items()


def test_a_paytable_of_the_chapter_by_its_name(command: Command) -> None:
    rows = command("law", "odds", "asia_poker", "--paytable", "C", "--format", "json").json
    assert {row["paytable"] for row in rows} == {"C"}
    assert {row["house_edge"] for row in rows if row["wager"] == "Bonus Wager"} == {
        "830177/11010220"
    }


def test_a_guide_is_a_draft(command: Command) -> None:
    assert "DRAFT, NOT APPROVED" in command("law", "show", "sic_bo", "--guide").out
    found = command("law", "show", "sic_bo", "--guide", "--format", "json").json
    assert found["approved"] is False


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("odds", "craps"), "room_unknown"),
        (("show", "craps"), "room_unknown"),
        (("show", "craps", "--guide"), "room_unknown"),
        (("show", "general", "--guide"), "room_unknown"),
        (("odds", "sic_bo", "--format", "pdf"), "command_wrong"),
        (("show", "sic_bo", "--format", "html"), "command_wrong"),
        (("odds", "sic_bo", "--day", "2010-13-01"), "command_wrong"),
        (("odds", "sic_bo", "--day", "2010-04-02"), "law_not_held"),
        (("show", "sic_bo", "--guide", "--day", "2010-04-02"), "law_not_held"),
        (("odds", "sic_bo", "--recount"), "command_wrong"),
        (("edition", "new", "craps", "--since", "2030-01-01", "--source", "x"), "room_unknown"),
        (("edition", "new", "sic_bo", "--since", "soon", "--source", "x"), "command_wrong"),
        (("edition", "new", "sic_bo", "--since", "2010-04-03", "--source", "x"), "edition_too_early"),
        (("edition", "new", "sic_bo", "--since", "2030-01-01", "--source", " "), "edition_unreadable"),
        (("edition", "new", "sic_bo", "--since", "2030-01-01"), "command_wrong"),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_refused_by_code(
    command: Command, words: tuple[str, ...], code: str
) -> None:
    found = command("law", *words)
    assert found.code == 2
    assert f"[{code}]" in found.err
    assert found.out == ""


def test_a_paytable_that_nobody_filed(command: Command, tmp_path: Path) -> None:
    found = command("law", "odds", "sic_bo", "--paytable", "A", "--ledger", str(tmp_path / "none"))
    assert (found.code, "[ledger_missing]" in found.err) == (3, True)


@pytest.mark.full
def test_a_draft_is_made_filled_in_and_held_against_a_past_day(
    command: Command, simulated: Path, tmp_path: Path
) -> None:
    """As the runbook has it: infra/runbooks/when-law-changes.md."""
    words = (
        "edition",
        "new",
        "sic_bo",
        "--since",
        "2021-06-01",
        "--source",
        "51 Pa.B. 0000 (fictional)",
    )
    draft = tmp_path / "draft.toml"
    text = command("law", *words).out
    head, mark, tail = text.partition('row = "payout Small Bet 539.6(b)#small"')
    assert mark
    draft.write_text(head + mark + tail.replace('"keep"', '"3 to 2"', 1), encoding="utf-8")
    ask = ("law", "edition", "whatif", "sic_bo", str(draft), "--ledger", str(simulated), "--day")
    found = command(*ask, "2021-06-12", "--format", "json").json
    assert found["what_if"] is True
    assert found["differences"]
    for one in found["differences"]:
        assert one["wager"] == "Small Bet"
        assert one["law_cents"] == one["stake_cents"]
        assert one["difference_cents"] * 2 == one["stake_cents"]
    page = command(*ask, "2021-06-12")
    assert page.out.startswith("What if. This text is not the law in force on that day")
    for day, code in (("2021-05-31", "edition_too_early"), ("2021-06-30", "day_unknown")):
        refused = command(*ask, day)
        assert (refused.code, f"[{code}]" in refused.err) == (2, True)
    draft.write_text("nonsense", encoding="utf-8")
    assert "[edition_unreadable]" in command(*ask, "2021-06-12").err
    draft.write_bytes(b"\xff")
    assert "[file_unreadable]" in command(*ask, "2021-06-12").err


def test_coverage_adds_up_and_keeps_attested_apart(command: Command) -> None:
    rows = command("law", "coverage", "--format", "json").json
    page = command("law", "coverage").out
    computed = sum(row["evidence"] == "computed" for row in rows)
    attested = sum(row["evidence"] == "attested" for row in rows)
    line = next(line for line in page.splitlines() if line.startswith("all lists"))
    assert line.split()[2:] == [
        str(computed), str(attested), str(len(rows) - computed - attested), str(len(rows)),
    ]  # fmt: skip
    assert json.dumps(rows)
