"""Clock checks: a finding beyond what is registered, wider doubt, drift by source."""

from __future__ import annotations

import pickle

import pytest

from ledger.audit import clock_lines, day_of, read_office
from ledger.replay import Replay
from tests.engine import CLOCK, Scene, log_of, sic_bo

DAY = 24 * 3600


def clocked(*checks: tuple[float, int], uncertainty: int = 20_000) -> Scene:
    scene = sic_bo()
    for stream in ("house", "T-01"):
        scene.house(
            "SourceRegistered", -4 * 3600, registered_stream=stream, registered_source=f"X-{stream}",
            since=1, clock_uncertainty_micros=uncertainty, order_tolerance_micros=1_000,
        )  # fmt: skip
    for at, offset in checks:
        scene.house("ClockChecked", at, checked_source="X-T-01", offset_micros=offset)
    return scene


@pytest.mark.parametrize(
    ("offset", "told"),
    [(0, []), (20_000, []), (-20_000, []), (20_001, ["clock_off L.5"]), (-20_001, ["clock_off L.5"])],
)  # fmt: skip
def test_a_clock_is_off_beyond_what_is_registered(offset: int, told: list[str]) -> None:
    assert clocked((-3600, offset)).said() == told


def test_the_finding_says_how_far_and_since_when() -> None:
    (finding,) = clocked((-3600, 1_000), (-1800, 25_000)).audit().findings
    assert "X-T-01 was off by +0.025 s" in finding.sentence
    assert "an uncertainty of 0.020 s" in finding.sentence
    assert "No check since house:" in finding.sentence
    assert (finding.expected, finding.observed) == ("± 0.020 s", "+0.025 s")


def test_a_clock_that_nobody_registered_is_not_judged() -> None:
    scene = sic_bo()
    scene.house("ClockChecked", -3600, checked_source="X-T-09", offset_micros=10**9)
    assert scene.said() == []


@pytest.mark.parametrize(
    ("at", "wide"), [(-9_000, 30_000), (-7_201, 30_000), (-7_200, 30_000), (-3_601, 30_000), (-3_600, 20_000), (60, 20_000)]
)  # fmt: skip
def test_doubt_is_wider_between_a_bad_check_and_its_neighbours(at: int, wide: int) -> None:
    """Checks at -7200 (30 ms off) and at -3600 (right): after the good one all is as registered."""
    scene = clocked((-7_200, 30_000), (-3_600, 1_000))
    office = read_office(Replay(log_of(scene.build()))).office
    assert office.uncertainty("T-01", scene.noon + at * 1_000_000) == wide


def test_drift_is_told_by_source() -> None:
    scene = clocked((-7_200, 1_000), (-3_600, 2_000), (-1_800, 30_000))
    office = read_office(Replay(log_of(scene.build()))).office
    lines = {line.source: line for line in clock_lines(office, day_of(CLOCK, scene.day))}
    line = lines["X-T-01"]
    assert line.drift_per_day == 28_000 * 48  # 28 ms in half an hour
    assert (line.offset, line.checks, line.is_off) == (30_000, 3, True)
    assert line.off_since == scene.noon - 1_800 * 1_000_000
    assert line.good_at == scene.noon - 3_600 * 1_000_000
    assert lines["X-house"].is_off is None
    assert clock_lines(office, day_of(CLOCK, scene.day), {"X-T-01", "X-nobody"}) == [line]


def test_drift_is_a_whole_number_rounded_down() -> None:
    scene = clocked((-7_200, 5), (-3_600, 4))
    office = read_office(Replay(log_of(scene.build()))).office
    line = next(x for x in clock_lines(office, day_of(CLOCK, scene.day)) if x.source == "X-T-01")
    assert line.drift_per_day == -24


def test_checks_are_read_when_a_clock_is_asked_for() -> None:
    """Also by a copy for another process, which has no ledger to read them from."""
    scene = clocked((-3600, 1_000), (-1800, 25_000))
    houses = [read_office(Replay(log_of(scene.build()))) for _ in range(2)]
    assert [house.office.unread.keys() for house in houses] == [{"clocks"}] * 2
    office = houses[0].office
    assert [check.offset for check in office.clocks.checks["X-T-01"]] == [1_000, 25_000]
    assert (office.clocks.most, office.unread) == (25_000, {})
    copied = pickle.loads(pickle.dumps(houses[1]))
    assert copied.office.clocks == office.clocks
    with pytest.raises(AttributeError, match="has no attribute"):
        _ = office.clock_checks  # type: ignore[attr-defined]
