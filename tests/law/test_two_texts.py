"""The two texts of chapter 577 word by word, and what of the law held changes on a day.

``texts/`` holds both as printed: 42 Pa.B., Doc. 12-1409, of 28 July 2012, and the compilation
headed as current on 13 July 2012. They differ in letters of clauses, in numbers written as words
and in words that carry no rule; so no row, requirement or trial of the room needs a date.
"""

from __future__ import annotations

import re
from datetime import date
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

import pytest

from ledger.games import BY_KEY, ROOMS
from ledger.games.match_play.conditions import one_per_round, too_many
from ledger.law import coverage
from ledger.law.undated_texts import OTHER_TEXTS

TEXTS: Final = Path(__file__).parent / "texts"
NUMBERS: Final = {
    word: str(number)
    for number, word in enumerate(["one", "two", "three", "four", "five", "six", "seven"], start=1)
} | {"sixteen": "16"}
CLAUSE: Final = re.compile(r"\((?:[ivx]+|[a-z]|\d)\)")
SAID_OTHERWISE: Final = (
    ("", "however"), ("", "dice"), ("table", "tables"), ("", "shall have"),
    ("yards", ""), ("", "yards"), ("yards", ""), ("", "yards"), ("yards", ""), ("", "yards"),
    ("must", "shall"), ("is", "shall be"), ("selects", "shall select"), ("retains", "retain"),
    ("is", "will"), ("", "be"), ("has", "shall have"), ("", "following which"), ("then", ""),
    ("a", "no"), ("not", ""), ("determines", "shall determine"), ("wagers", "wager"), ("§", ""),
    ("", "however"), ("", "and"), ("the player", "he"),
    ("the dice the stickperson shall offer the dice", ""), ("", "with"), ("must cover", "covering"),
)  # fmt: skip
"""Every difference once clauses are unlettered and numbers are figures, in order: none is a rule.

"A gain or penalty has not occurred" and "no gain or penalty has occurred" are one rule; so are
"7 yards or more" and "seven or more yards".
"""


def words(name: str) -> list[str]:
    """A text without punctuation, letters of clauses and dashes, its numbers as figures."""
    text = (TEXTS / f"{name}.txt").read_text(encoding="utf-8").lower()
    text = CLAUSE.sub(" ", re.sub(r"[“”\"'’‘`]", "", text))
    found = re.sub(r"[—\-.,:;()]", " ", text).split()
    return [NUMBERS.get(word, word) for word in found]


def differences() -> list[tuple[str, str]]:
    """What stands in the first text, and what in the second in its place."""
    first, second = words("577-of-28-july-2012"), words("577-as-compiled")
    codes = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    return [
        (" ".join(first[i1:i2]), " ".join(second[j1:j2]))
        for kind, i1, i2, j1, j2 in codes
        if kind != "equal"
    ]


def test_the_texts_of_577_differ_in_no_rule() -> None:
    assert tuple(differences()) == SAID_OTHERWISE


def test_every_figure_of_577_is_the_same_in_both_texts() -> None:
    """Odds, yards, hours, positions, dealers and cameras, in their order."""
    figures = [
        [word for word in words(name) if word.isdigit()]
        for name in ("577-of-28-july-2012", "577-as-compiled")
    ]
    assert figures[0] == figures[1]
    assert len(figures[0]) > 100


def test_a_changed_rule_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    first = (TEXTS / "577-as-compiled.txt").read_text(encoding="utf-8")
    changed = first.replace("at least once every 24 hours", "at least once every 12 hours")
    assert changed != first
    monkeypatch.setattr(Path, "read_text", reading(first, changed))
    assert ("24", "12") in differences()


def reading(first: str, changed: str) -> object:
    """The compilation as both texts, with a rule changed in one."""
    return lambda self, encoding: changed if self.stem == "577-as-compiled" else first


def test_a_text_that_rules_nothing_is_the_one_compared() -> None:
    assert [text.chapter for text in OTHER_TEXTS] == ["577"]


def test_no_row_of_a_room_is_dated_since_no_chapter_has_a_second_edition() -> None:
    """Requirements, trials, approvals and causes carry no date at all; a row with one would need it."""
    for room in ROOMS:
        assert room.editions == ()
        dated = [
            row for row in (*room.wagers, *room.payouts, *room.duties) if row.since or row.until
        ]
        assert dated == []


def test_the_one_rule_that_changed_on_a_day_is_dated() -> None:
    """One coupon a wager until January 31, 2014, one a patron and round from February 1 on."""
    before, after = date(2014, 1, 31), date(2014, 2, 1)
    assert too_many(per_round=one_per_round(before)).cite.section == "525.22(d)"
    assert too_many(per_round=one_per_round(after)).cite.section == "603a.21(d)"
    assert too_many(per_round=True).cite.edition.since == after


def test_each_obligation_that_names_a_day_is_carried_by_an_edition_or_a_dated_row() -> None:
    named = [entry for entry in coverage() if re.search(r"\b(19|20)\d\d\b", entry.obligation.says)]
    assert len(named) >= 10
    for entry in named:
        kinds = {name.partition(":")[0] for name in entry.by}
        assert kinds & {"edition", "row"}, entry.obligation.id


def test_a_game_before_its_text_is_judged_by_none() -> None:
    football = BY_KEY["three_dice_football"]
    assert football.law.edition.since == date(2012, 7, 28)
