"""The tables of every room are complete, cite what exists, and say what the lists of obligations say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from typing import Any

import pytest

from ledger.games import BY_GAME, BY_KEY, ROOMS
from ledger.games.room import Room
from ledger.kernel import Citation, Severity
from ledger.law import finding_codes
from ledger.law.data import read_toml
from ledger.reports.law.finding_codes import chapters_of

rooms = pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.key)


def tables(room: Room) -> Iterator[Any]:
    """Every row of the room: its declared tables, and what else its modules list with a citation."""
    for table in (
        room.wagers,
        room.payouts,
        room.invalid,
        room.requirements,
        room.trials,
        room.approvals,
        room.duties,
    ):
        yield from table
    for value in vars(import_module(f"ledger.games.{room.key}.wagers")).values():
        if isinstance(value, tuple) and value not in (room.wagers, room.payouts):
            yield from (row for row in value if hasattr(row, "cite"))


def obligations(room: Room) -> dict[str, dict[str, str]]:
    text = (
        files("ledger.law")
        .joinpath(f"obligations/{room.law.edition.chapter}.tsv")
        .read_text(encoding="utf-8")
    )
    head, *lines = (line.split("\t") for line in text.splitlines())
    return {line[0]: dict(zip(head, line, strict=True)) for line in lines}


def named(cite: Citation, chapter: str) -> set[str]:
    """How the list may name what a citation pins."""
    if not cite.part:
        return {cite.section}
    names = {f"{cite.section}#{cite.part}"}
    return names | {f"{chapter} {cite.part}"} if cite.section == chapter else names


def readme(room: Room) -> str:
    return files("ledger.games").joinpath(f"{room.key}/README.md").read_text(encoding="utf-8")


def test_rooms_are_found_by_game_and_by_folder() -> None:
    assert list(BY_GAME.values()) == list(BY_KEY.values()) == list(ROOMS)


@rooms
def test_each_winning_outcome_has_one_payout(room: Room) -> None:
    offences = []
    for wager in room.wagers:
        lines = [line for line in room.payouts if line.wager == wager.name]
        for picks in wager.picks:
            for shown, _, _ in room.outcomes():
                if wager.wins_on(shown, picks):
                    paying = [line for line in lines if line.on(shown, picks)]
                    if len(paying) != 1:
                        offences.append((wager.name, picks, shown, len(paying)))
    assert offences == []


@rooms
def test_each_payout_line_pays_something(room: Room) -> None:
    wins = {
        line
        for line in room.payouts
        for picks in room.wager_by_name[line.wager].picks
        for shown, _, _ in room.outcomes()
        if room.wager_by_name[line.wager].wins_on(shown, picks) and line.on(shown, picks)
    }
    filed = {row.name for row in room.wagers if getattr(row.wins_on, "is_known", True) is False}
    assert [line for line in room.payouts if line not in wins and line.wager not in filed] == []


@rooms
def test_outcomes_are_all_there_is(room: Room) -> None:
    assert sum(chance for _, chance, _ in room.outcomes()) == 1


@rooms
def test_each_cite_is_in_the_law(room: Room) -> None:
    listed, chapter = obligations(room), room.law.edition.chapter
    text = files("ledger.law").joinpath(f"index/{chapter}.tsv").read_text(encoding="utf-8")
    sections = {line.split("\t")[0] for line in text.splitlines()}
    assert [
        row
        for row in tables(room)
        if row.cite.section not in sections
        or (row.cite.part and not named(row.cite, chapter) & listed.keys())
    ] == []


@rooms
def test_each_obligation_is_cited_or_listed_as_not_modelled(room: Room) -> None:
    chapter = room.law.edition.chapter
    cited = {name for row in tables(room) for name in named(row.cite, chapter)}
    words = set(re.findall(r"[\w.()#-]+", readme(room)))
    words |= {word.strip("().,") for word in words} | {word.rstrip(".,") for word in words}
    missing = []
    for name in obligations(room).keys() - cited:
        short = name.removeprefix(chapter).lstrip(" ")
        if not {short, short.lstrip("#"), name} & words:
            missing.append(name)
    assert sorted(missing) == []


@rooms
def test_each_severity_is_that_of_its_obligation(room: Room) -> None:
    listed, chapter = obligations(room), room.law.edition.chapter
    assert [
        (row.code, row.cite.section, row.cite.part, row.severity, listed[name]["severity"])
        for row in (*room.duties, *room.requirements)
        for name in named(row.cite, chapter) & listed.keys()
        if listed[name]["when_broken"] == row.code
        and row.severity != Severity(listed[name]["severity"])
    ] == []


@rooms
def test_each_reading_is_registered(room: Room) -> None:
    register = read_toml("readings.toml")
    named_here = {row.reading for row in tables(room) if getattr(row, "reading", None)}
    assert named_here - register.keys() == set()


@rooms
def test_each_code_is_explained_for_the_chapter(room: Room) -> None:
    codes = finding_codes()
    used = {row.code for row in (*room.duties, *room.requirements)}
    assert [
        code
        for code in sorted(used)
        if code not in codes or room.law.edition.chapter not in chapters_of(codes[code])
    ] == []


@rooms
def test_each_sentence_can_be_said(room: Room) -> None:
    for duty in room.duties:
        assert duty.says.format(observed="seen", expected="due").endswith(".")


@rooms
def test_each_step_names_a_duty_of_the_room(room: Room) -> None:
    assert [
        step for step in room.phases if step.breach and step.breach not in room.duty_by_name
    ] == []
    assert len({(step.phase, step.fact) for step in room.phases}) == len(room.phases)


@rooms
def test_rows_print_as_english(room: Room) -> None:
    for row in (*room.wagers, *room.payouts):
        words = str(getattr(row, "wins_on", None) or row.on)
        assert words
        assert "object at" not in words
        assert "(" not in words
