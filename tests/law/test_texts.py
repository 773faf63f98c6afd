"""The texts of sections: each held section has its text, and only those; odds stand as our rows."""

from __future__ import annotations

import re

import pytest

from ledger.games import BY_GAME
from ledger.law import CHAPTERS, sections_of, texts_of

HELD = tuple(c.edition.chapter for c in CHAPTERS if texts_of(c.edition.chapter))


def test_every_chapter_of_a_regulation_is_held_and_no_other() -> None:
    assert set(HELD) == {"521", "525", "528", "539", "575", "577", "668a", "689"}
    assert texts_of("L") == {}
    assert texts_of("603a") == {}


@pytest.mark.row_by_row
@pytest.mark.parametrize("chapter", HELD)
def test_each_section_of_the_index_has_its_text_and_no_text_is_of_another(chapter: str) -> None:
    whole = {chapter}  # the chapter as a whole has no text of its own
    assert set(texts_of(chapter)) == set(sections_of(chapter)) - whole
    assert list(texts_of(chapter)) == [s for s in sections_of(chapter) if s not in whole]


@pytest.mark.row_by_row
@pytest.mark.parametrize("chapter", HELD)
def test_a_text_is_whole_lines_without_marks_of_a_page(chapter: str) -> None:
    for section, lines in texts_of(chapter).items():
        for line in lines:
            assert line == line.strip() != "", section
            assert not re.search(r"[<>|*#\\\t]|Copyright|Cross References|Next page", line), section
            assert not re.match(r"\([a-z0-9]{1,4}\) ", line), section  # its own paragraph


@pytest.mark.parametrize("room", BY_GAME.values(), ids=lambda room: room.key)
def test_fixed_and_least_odds_stand_in_the_text_that_their_rows_cite(room) -> None:
    """An oracle beside the rows: "150 to 1" of a row is in the words of the section it cites."""
    texts = texts_of(room.law.edition.chapter)
    checked = 0
    for row in room.payouts:
        section = row.cite.section
        own = "\n".join("\n".join(t) for name, t in texts.items() if name.startswith(section))
        odds = re.sub(r"(?<=\d),(?=\d{3})", "", own)
        assert re.search(rf"(?<!\d){re.escape(str(row.pays))}(?!\d)", odds), (section, row)
        checked += 1
    assert checked
