"""A wager's own row and the findings about it name the same money."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from ledger.games import BY_KEY
from ledger.reports.verdict import verdict
from tests.games.transcript import FOLDER, results_of, transcripts

ALL: Final = [
    pytest.param(path, id=f"{room}/{path.stem}") for room in BY_KEY for path in transcripts(room)
]


@pytest.mark.row_by_row
@pytest.mark.parametrize("path", ALL)
def test_the_findings_about_a_wager_come_to_its_difference(path: Path) -> None:
    for result in results_of(path):
        for wager in result.wagers:
            effects = [f.effect_cents for f in result.findings if f.wager == wager.wager_id]
            named = sum(effect or 0 for effect in effects)
            assert named == (wager.difference_cents or 0), wager.wager_id


def test_a_lifted_stake_stands_in_the_row_as_in_the_verdict() -> None:
    """A $20.00 Touchdown is lifted after the first throw and loses: § 577.3(c)."""
    path = FOLDER / "three_dice_football/rounds/577.6-f-game-wager-lifted-and-lost.round"
    (result,) = results_of(path)
    (wager,) = result.wagers
    assert wager.observed is None
    assert wager.difference_cents == 2_000
    assert verdict(result).endswith("it is judged where it lay. The house lost $20.00. § 577.3(c)")
