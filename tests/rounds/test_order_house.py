"""People and cameras by one clock, play by another: what hangs on their order is unknown."""

from __future__ import annotations

import pytest

from tests.engine import Scene, sic_bo
from tests.rounds.test_ahead import THROWN, after, football, short
from tests.rounds.test_order import JOINT, sourced

# --- 539.1(f): a dealer at the shaker, by the roster's clock -----------------------------------------


def relieved(micros: int, other: str = "T-01/roster") -> Scene:
    """The next dealer came so long after the last one had gone, as the roster has it."""
    scene = sourced(sic_bo(), "T-01/roster")
    scene.add("StaffRelieved", 100, role="DEALER", person="D1")
    scene.add("StaffAssigned", 100 + micros / 1_000_000, other, role="DEALER", person="D2")
    return scene


@pytest.mark.parametrize("micros", [-JOINT, -JOINT + 1, -1_000, 1_000, JOINT - 1, JOINT])
def test_a_relief_that_clocks_leave_open(micros: int) -> None:
    broken = relieved(1_000, "T-01").said()
    assert broken == ["shaker_unattended 539.1(f)"]
    told = relieved(micros).said()
    if abs(micros) < JOINT:
        assert told == [f"{one} ?" for one in broken]
    else:
        assert told == (broken if micros > 0 else [])


def test_the_interval_of_a_relief_is_shown() -> None:
    (finding,) = relieved(10_000).audit().findings
    assert "(+0.010 s, ± 0.040 s)" in finding.sentence


def test_one_roster_knows_its_own_order() -> None:
    assert relieved(-1_000, "T-01").said() == []


def test_play_in_between_makes_no_difference() -> None:
    scene = relieved(10_000)
    scene.add("LimitsSignPosted", 100.005, sign="S-2")
    assert [one for one in scene.said() if "shaker" in one] == ["shaker_unattended 539.1(f) ?"]


def test_a_shaker_placed_before_its_dealer_came() -> None:
    scene = sourced(sic_bo(), "T-01/roster")
    placed = scene.lines_of("ShakerPlaced")[0].at
    (line,) = scene.lines_of("StaffAssigned", role="DEALER")
    line.at, line.stream = placed - 0.010, "T-01/roster"
    assert scene.said() == ["shaker_unattended 539.1(f) ?"]
    line.at = placed - JOINT / 1_000_000
    assert scene.said() == []


# --- rooms: posts before the opening of a round -------------------------------------------------------

BETWEEN = 0.000_5
"""The round opens so long before its throw: between the throw and who came or went before."""


def just_opened() -> Scene:
    scene = football()
    scene.lines_of("BettingOpened")[0].at = THROWN - BETWEEN
    return scene


@pytest.mark.parametrize("micros", [1_000, JOINT - 1, JOINT])
def test_a_camera_lost_before_a_round(micros: int) -> None:
    scene = just_opened()
    scene.add("CameraLost", after(-micros / 1_000_000), "T-01/cameras", camera="C1")
    assert short(scene) == [("camera_missing", "unknown" if micros < JOINT else "broken")]


@pytest.mark.parametrize("micros", [1_000, JOINT - 1, JOINT])
def test_a_camera_back_before_a_round(micros: int) -> None:
    scene = just_opened()
    scene.add("CameraLost", after(-10), "T-01/cameras", camera="C1")
    scene.add("CameraRestored", after(-micros / 1_000_000), "T-01/cameras", camera="C1")
    assert short(scene) == ([("camera_missing", "unknown")] if micros < JOINT else [])


@pytest.mark.parametrize("micros", [1_000, JOINT - 1, JOINT])
def test_a_stickperson_who_came_before_a_round(micros: int) -> None:
    scene = just_opened()
    (stick,) = scene.lines_of("StaffAssigned", role="STICKPERSON")
    stick.stream, stick.at = "T-01/roster", after(-micros / 1_000_000)
    told = [("no_stickperson", "unknown"), ("understaffed", "unknown")]
    assert short(scene) == (told if micros < JOINT else [])
