"""What an order that is not known leaves behind: later rounds, other sides of a table, the day after."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.audit import audit_day
from ledger.kernel import Finding
from ledger.rounds import RoundStatus
from ledger.rounds.orders import every_order
from tests.engine import Scene, log_of, roll, sealed_replay, sic_bo
from tests.rounds.test_ahead import JOINT, football
from tests.rounds.test_order import sourced

NEAR = 0.010
FAR = JOINT / 1_000_000


def certainties(found: list[Finding] | tuple[Finding, ...], code: str) -> list[str]:
    return [one.certainty.value for one in found if one.code == code]


# --- a state that an order left -----------------------------------------------------------------------


def camera(apart: float) -> Scene:
    """A camera is lost by one clock and back by another, two rounds before the next throw."""
    scene = sourced(football(), "T-01/b")
    scene.add("CameraLost", 30, "T-01/cameras", camera="C1")
    scene.add("CameraRestored", 30 + apart, "T-01/b", camera="C1")
    scene.add("BettingOpened", 70)
    scene.add("DiceThrownByHand", 90, dice="g5,g6,r1", position="1")
    return scene


@pytest.mark.parametrize(("apart", "told"), [(NEAR, "unknown"), (-NEAR, "unknown"), (FAR, None), (-FAR, "broken")])  # fmt: skip
def test_a_round_hangs_on_what_was_left_long_before(apart: float, told: str | None) -> None:
    rounds = camera(apart).rounds()
    found = [certainties(one.findings, "camera_missing") for one in rounds]
    assert found == [[], [], [told] if told else []]


@pytest.mark.parametrize(("rounds", "others"), [(1, ["unknown"]), (2, [])])
def test_what_an_order_left_is_unknown_when_it_is_followed_no_longer(
    rounds: int, others: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After one quiet round all that was stated before is in doubt, the crew too."""
    monkeypatch.setattr(every_order, "QUIET", rounds)
    *_, last = camera(NEAR).rounds()
    assert certainties(last.findings, "camera_missing") == ["unknown"]
    assert certainties(last.findings, "understaffed") == others


# --- the house, the book, the round itself ------------------------------------------------------------


def limits(apart: float) -> Scene:
    """A lower maximum is set by the pit's clock so long before a wager above it."""
    scene = sourced(sic_bo(), "T-01/pit")
    scene.add("LimitsChangeAnnounced", -1200, minimum_cents=500, maximum_cents=2_000)
    scene.add("BettingOpened", 0)
    scene.add("LimitsSet", 5 - apart, "T-01/pit", minimum_cents=500, maximum_cents=2_000)
    scene.wager(5, "Small Bet", cents=5_000)
    roll(scene, 10, 1, 2, 3)
    scene.won(20, "W1", 5_000)
    scene.add("LightsCleared", 22)
    return scene


@pytest.mark.parametrize(("apart", "told"), [(NEAR, ["unknown"]), (-NEAR, ["unknown"]), (FAR, ["broken"]), (-FAR, [])])  # fmt: skip
def test_a_wager_near_a_change_of_the_limits(apart: float, told: list[str]) -> None:
    found = limits(apart).audit().findings
    assert certainties(found, "wager_over_limit") == told


def thrown(apart: float) -> Scene:
    """The dice rest so long after the next round opened, by another clock."""
    scene = sourced(sic_bo(), "T-01/dice")
    scene.add("BettingOpened", 0)
    scene.wager(1, "Small Bet")
    roll(scene, 10, 1, 2, 3)
    (line,) = scene.lines_of("DiceThrown")
    line.stream = "T-01/dice"
    scene.won(20, "W1", 1_000)
    scene.add("LightsCleared", 22)
    scene.add("BettingOpened", line.at - apart)
    return scene


def test_a_throw_near_the_opening_of_a_round_belongs_to_neither_for_certain() -> None:
    for apart in (NEAR, -NEAR):
        statuses = {one.status for one in thrown(apart).rounds()}
        assert statuses == {RoundStatus.UNKNOWN}
        assert not [one for one in thrown(apart).audit().findings if "result" in one.code and one.certainty == "broken"]  # fmt: skip
    shown = [one.shown for one in thrown(-FAR).rounds()]
    assert shown == ["1 2 3", None]


def test_an_unknown_round_says_by_how_much() -> None:
    first, _ = thrown(-NEAR).rounds()
    assert first.unknown_because == "the clocks leave open what came first (+0.010 s, ± 0.040 s)"


# --- more orders than are followed --------------------------------------------------------------------


def test_a_crowd_of_orders_is_unknown_and_never_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(every_order, "ALTERNATIVES", 0)
    scene = limits(NEAR)
    (one,) = scene.rounds()
    assert one.status is RoundStatus.UNKNOWN
    assert {wager.expected.outcome.value for wager in one.wagers} == {"unknown"}
    assert "± 0.040 s" in (one.unknown_because or "")
    assert all(finding.certainty == "unknown" for finding in one.findings)


def test_what_a_crowd_of_orders_left_is_unknown_in_later_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(every_order, "ALTERNATIVES", 0)
    scene = camera(NEAR)
    scene.add("BettingOpened", 110)
    scene.add("DiceThrownByHand", 130, dice="g5,g6,r1", position="1")
    *_, crowded, later = scene.rounds()
    assert "± 0.040 s" in (crowded.unknown_because or "")
    assert later.unknown_because is None
    assert certainties(later.findings, "camera_missing") == ["unknown"]


# --- states kept between days -------------------------------------------------------------------------


def test_an_order_left_open_is_kept_with_the_state(tmp_path: Path) -> None:
    """The camera's order is still open when the next gaming day begins."""
    scene = camera(NEAR)
    scene.closed = False
    for line in scene.lines_of("DiceThrownByHand")[1:]:
        line.at = 18 * 3600 + 20
    scene.add("BettingOpened", 18 * 3600 + 10)
    replay = sealed_replay(log_of(scene.build()))
    following = scene.day.replace(day=scene.day.day + 1)
    alone = audit_day(replay, following)
    assert certainties(alone.findings, "camera_missing") == ["unknown"]
    kept = [audit_day(replay, following, carried=tmp_path) for _ in range(2)]
    assert {one.digest for one in kept} == {alone.digest}
    assert len(list(tmp_path.iterdir())) > 0
