"""Rounds as people read them: each transcript says today what it said when it was recorded."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ledger.games import BY_KEY
from tests.games.transcript import play, transcripts

LINES = 40
AT_LEAST = 12
ALL = [
    pytest.param(path, id=f"{room}/{path.stem}") for room in BY_KEY for path in transcripts(room)
]


@pytest.mark.parametrize("room", BY_KEY)
def test_a_room_has_transcripts(room: str) -> None:
    assert len(transcripts(room)) >= AT_LEAST


@pytest.mark.parametrize("path", ALL)
def test_says_what_was_recorded(path: Path, request: pytest.FixtureRequest) -> None:
    said = play(path)
    if request.config.getoption("--record", default=False):
        path.write_text(said, encoding="utf-8")
    assert said == path.read_text(encoding="utf-8")


@pytest.mark.row_by_row
@pytest.mark.parametrize("path", ALL)
def test_is_short_and_named_by_section(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < LINES
    section = re.match(r"# § (\d+a?\.\S+): \S", text)
    assert section is not None
    chapter = BY_KEY[path.parent.parent.name].law.edition.chapter
    assert section[1].startswith(chapter)
    assert path.stem.startswith(re.sub(r"[()]+", "-", section[1]).strip("-").replace("--", "-"))
