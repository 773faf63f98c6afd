"""A late chip that the dealer pushes back at once was refused, in every room (late-chip-refused)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine import Scene, dreamcatcher, roll, sic_bo, spin


def pushed_back(scene: Scene, at: float, wager: str, back_at: float, cents: int | None) -> Scene:
    """A wager laid late, and handed back."""
    name = scene.wager(at, wager)
    values: dict[str, Any] = {"wager_id": name, "returned_cents": cents}
    scene.add("WagerReturned", back_at, **values)
    return scene


def settled_back(at: float, back_at: float) -> Scene:
    """The same chip as in ``dice``, settled as returned."""
    scene = dice(at, back_at)
    scene.drop("WagerReturned")
    scene.add("WagerSettled", back_at, wager_id="W1", outcome="RETURNED")
    return scene


def dice(at: float, back_at: float, cents: int | None = None) -> Scene:
    """Betting closes at 10 s, the dice lie at 14 s: 1 2 3, a Small Bet wins."""
    scene = sic_bo()
    scene.add("BettingOpened", 0)
    roll(scene, 10, 1, 2, 3)
    scene.add("LightsCleared", 60)
    return pushed_back(scene, at, "Small Bet", back_at, cents)


def wheel(at: float, back_at: float, cents: int | None = None) -> Scene:
    """Betting closes at 10 s, the wheel stops on 2x at 15 s and on 1 at 25 s."""
    scene = dreamcatcher()
    scene.add("BettingOpened", 0)
    spin(scene, 10, "2x", "1")
    return pushed_back(scene, at, "1", back_at, cents)


@pytest.mark.parametrize(
    "scene",
    [
        pytest.param(dice(11.5, 11.7), id="before the dice"),
        pytest.param(dice(20, 21, 1_000), id="on the winning area, after the dice"),
        pytest.param(settled_back(20, 21), id="settled as returned"),
        pytest.param(wheel(12, 13), id="while the wheel turns"),
        pytest.param(wheel(17, 18), id="between two spins"),
    ],
)
def test_a_late_chip_pushed_back_at_once_was_refused(scene: Scene) -> None:
    (finding,) = scene.audit().findings
    assert (finding.code, finding.severity, finding.effect_cents) == (
        "late_wager_refused",
        "info",
        None,
    )
    assert finding.readings == ("late-chip-refused",)
    wager = scene.result("W1")
    assert (wager.expected.outcome, wager.difference_cents) == ("returned", None)


@pytest.mark.parametrize(
    "scene",
    [
        pytest.param(dice(11.5, 20), id="handed back after the dice"),
        pytest.param(settled_back(11.5, 20), id="settled as returned after the dice"),
        pytest.param(wheel(12, 18), id="handed back after the multiplier"),
        pytest.param(dice(11.5, 11.7, 400), id="handed back in part"),
    ],
)
def test_one_that_lay_while_more_was_shown_was_accepted(scene: Scene) -> None:
    codes = {finding.code for finding in scene.audit().findings}
    assert "late_wager" in codes
    assert "late_wager_refused" not in codes
