"""People and cameras by one clock, play by another: what hangs on their order is unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.events import (
    CameraAssigned,
    CameraLost,
    CameraRestored,
    Fact,
    SourceRegistered,
    StaffAssigned,
    StaffRelieved,
)
from ledger.games import BY_KEY
from ledger.games.room import Breach
from ledger.house.office import Office, take
from ledger.rounds.order import Lately
from ledger.rounds.posted import Posted, hanging_on_posts, undone
from tests.engine import Scene, sic_bo
from tests.games.facts import fact, rules_of
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

FOOTBALL = BY_KEY["three_dice_football"]
RULES = rules_of(FOOTBALL)


def office(uncertain: int = JOINT // 2) -> Office:
    known = Office()
    for stream in ("T-01", "R"):
        registered = SourceRegistered(
            stream="house", seq=1, event_time=1, source="H", recorded_by=None,
            registered_stream=stream, registered_source=f"X-{stream}", since=0,
            clock_uncertainty_micros=uncertain, order_tolerance_micros=0,
        )  # fmt: skip
        take(known, registered)
    return known


def at(one: Fact, micros: int, stream: str = "R") -> Fact:
    """A fact moved to another moment and clock."""
    return replace(one, event_time=micros, stream=stream, source=f"X-{stream}")


def thrown(*posts: Fact, uncertain: int = JOINT // 2) -> list[tuple[str, str, str | None]]:
    """What is told of a first throw after these posts: staff and cameras only."""
    throw = fact("DiceThrownByHand", 9, 20, dice="g5,g6,r1")
    state = FOOTBALL.initial
    for one in [*posts, fact("BettingOpened", 1, 1)]:
        state = FOOTBALL.evolve(state, one)
    rulings = FOOTBALL.decide(RULES, state, throw)
    held = [one for one in rulings if isinstance(one, Breach)]
    now = Lately(throw, state, rulings)
    posted = [Posted(one) for one in posts]
    told = hanging_on_posts(FOOTBALL, RULES, office(uncertain), posted, now, held)
    codes = ("camera_missing", "understaffed")
    return sorted(
        (one.duty.code, one.certainty.value, one.interval) for one in told if one.duty.code in codes
    )


THROWN = fact("DiceThrownByHand", 9, 20, dice="g5,g6,r1").event_time
CREW = [
    at(fact("StaffAssigned", n, 0, role=role, person=f"D{n}"), THROWN - 10**9)
    for n, role in enumerate(("DEALER", "DEALER", "STICKPERSON"), 1)
]
CAMERAS = [
    at(fact("CameraAssigned", n, 0, camera=f"C{n}", covers=covers), THROWN - 10**9)
    for n, covers in enumerate(("one end", "other end"), 1)
]
FIXED = [
    at(fact("CameraDescribed", n, 0, camera=f"C{n}", covers=covers, stationary="yes"), THROWN - 10**9)
    for n, covers in enumerate(("one end", "other end"), 1)
]  # fmt: skip


def test_with_posts_long_before_nothing_hangs_on_them() -> None:
    told = thrown(*CREW, *CAMERAS, *FIXED)
    assert not [one for one in told if one[2]]


@pytest.mark.parametrize("micros", [1, JOINT - 1, JOINT])
def test_a_camera_lost_around_a_throw(micros: int) -> None:
    lost = at(fact("CameraLost", 9, 0, camera="C1"), THROWN - micros)
    told = [one for one in thrown(*CREW, *CAMERAS, *FIXED, lost) if one[0] == "camera_missing"]
    sure = thrown(*CREW, *CAMERAS, *FIXED, lost, uncertain=0)
    assert ("camera_missing", "broken", None) in sure
    assert [one[1] for one in told] == (["unknown"] if micros < JOINT else ["broken"])
    assert [one[2] is not None for one in told] == [micros < JOINT]


@pytest.mark.parametrize("micros", [1, JOINT - 1, JOINT])
def test_a_camera_back_around_a_throw(micros: int) -> None:
    lost = at(fact("CameraLost", 8, 0, camera="C1"), THROWN - 10**8)
    back = at(fact("CameraRestored", 9, 0, camera="C1"), THROWN - micros)
    told = thrown(*CREW, *CAMERAS, *FIXED, lost, back)
    hangs = [one for one in told if one[0] == "camera_missing" and one[2]]
    assert [one[1] for one in hangs] == (["unknown"] if micros < JOINT else [])


@pytest.mark.parametrize("micros", [1, JOINT - 1, JOINT])
def test_a_dealer_who_came_around_a_throw(micros: int) -> None:
    came = replace(CREW[2], event_time=THROWN - micros)
    told = thrown(*CREW[:2], came, *CAMERAS, *FIXED)
    hangs = [one for one in told if one[0] == "understaffed" and one[2]]
    assert [one[1] for one in hangs] == (["unknown"] if micros < JOINT else [])


def test_what_takes_a_post_back() -> None:
    head = {"stream": "R", "seq": 1, "event_time": 1, "source": "X", "recorded_by": None}
    for one, kind in (
        (StaffAssigned(**head, role=CREW[0].role, person="D"), StaffRelieved),  # type: ignore[attr-defined, arg-type]
        (CameraAssigned(**head, camera="C", covers=None), CameraLost),  # type: ignore[arg-type]
        (CameraLost(**head, camera="C"), CameraRestored),  # type: ignore[arg-type]
        (CameraRestored(**head, camera="C"), CameraLost),  # type: ignore[arg-type]
    ):
        back = undone(one)
        assert type(back) is kind
        assert back is not None
        assert undone(back) is not None
    assert undone(fact("BettingOpened", 1, 1)) is None
