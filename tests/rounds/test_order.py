"""Facts of two sources closer than their clocks: what hangs on their order is unknown, in every room."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.audit import audit_day
from ledger.reports.verdict import in_doubt_words
from tests.engine import Scene, dreamcatcher, log_of, roll, said, sealed_replay, sic_bo, spin

UNCERTAIN = 20_000
JOINT = 2 * UNCERTAIN


def sourced(scene: Scene, *others: str) -> Scene:
    """Every stream of the scene has its own clock, known to 20 ms."""
    for stream in ("house", "T-01", *others):
        scene.house(
            "SourceRegistered", -4 * 3600, registered_stream=stream, registered_source=f"X-{stream}",
            since=1, clock_uncertainty_micros=UNCERTAIN, order_tolerance_micros=1_000,
        )  # fmt: skip
    return scene


def shaken(micros: int, other: str = "T-01/dice") -> Scene:
    """The shaker is shaken so long after "no more bets", as a second terminal has it."""
    scene = sourced(sic_bo(), "T-01/dice")
    scene.add("BettingOpened", 0)
    scene.wager(1, "Small Bet")
    roll(scene, 10, 1, 2, 3)
    (line,) = scene.lines_of("DiceShaken")
    scene.drop("ShakerCovered")
    scene.add("ShakerCovered", 8)
    line.at, line.stream = 10 + micros / 1_000_000, other
    scene.won(20, "W1", 1_000)
    scene.add("LightsCleared", 22)
    return scene


@pytest.mark.parametrize("micros", [-JOINT, -JOINT + 1, -1_000, 1_000, JOINT - 1, JOINT])
def test_a_shake_near_no_more_bets(micros: int) -> None:
    told = [one for one in shaken(micros).said() if "cover" not in one]
    early = shaken(-JOINT, "T-01").said()
    broken = [one for one in early if "cover" not in one]
    assert broken
    if abs(micros) < JOINT:
        assert told == [f"{one} ?" for one in broken]
    else:
        assert told == (broken if micros < 0 else [])


def test_the_interval_is_shown() -> None:
    findings = shaken(10_000).audit().findings
    assert any("(+0.010 s, ± 0.040 s)" in f.sentence or "(-0.010 s, ± 0.040 s)" in f.sentence for f in findings)  # fmt: skip


def test_one_source_knows_its_own_order() -> None:
    assert all("?" not in one for one in shaken(-1_000, "T-01").said())


def spun(micros: int, other: str = "T-01/wheel") -> Scene:
    """The wheel is spun so long after "no more bets"."""
    scene = sourced(dreamcatcher(), "T-01/wheel")
    scene.add("BettingOpened", 0)
    name = scene.wager(1, "1")
    spin(scene, 20, "1")
    scene.won(40, name, 1_000)
    (closed,) = scene.lines_of("NoMoreBetsAnnounced")
    (line,) = scene.lines_of("WheelSpun")
    closed.stream, closed.at = other, line.at - 4 - micros / 1_000_000
    return scene


@pytest.mark.parametrize("micros", [-JOINT, -JOINT + 1, -1_000, 1_000, JOINT - 1, JOINT])
def test_a_spin_near_no_more_bets(micros: int) -> None:
    told, broken = spun(micros).said(), spun(-JOINT, "T-01").said()
    assert broken == ["no_more_bets_missing 689.2(a)"]
    if abs(micros) < JOINT:
        assert told == [f"{one} ?" for one in broken]
    else:
        assert told == (broken if micros < 0 else [])


def lifted(micros: int) -> Scene:
    """A losing wager is taken down so long after "no more bets", as a second terminal has it."""
    scene = sourced(sic_bo(), "T-01/b")
    scene.add("BettingOpened", 0)
    scene.wager(1, "Big Bet")
    roll(scene, 10, 1, 2, 3)
    scene.add("WagerTakenDown", 10 + micros / 1_000_000, "T-01/b", wager_id="W1")
    scene.add("LightsCleared", 22)
    return scene


@pytest.mark.parametrize(
    ("micros", "told"),
    [(-JOINT, []), (-JOINT + 1, ["late_take_down 539.4(c) ?"]), (JOINT - 1, ["late_take_down 539.4(c) ?"]), (JOINT, ["late_take_down 539.4(c)"])],
)  # fmt: skip
def test_a_wager_lifted_near_no_more_bets(micros: int, told: list[str]) -> None:
    assert lifted(micros).said() == told


def cleared(micros: int) -> Scene:
    """The lights are cleared so long before the winner is paid, as the dealer's terminal has it."""
    scene = sourced(sic_bo(), "T-01/dice")
    scene.add("BettingOpened", 0)
    scene.wager(1, "Small Bet")
    roll(scene, 10, 1, 2, 3)
    scene.won(20, "W1", 1_000)
    scene.add("LightsCleared", 20 - micros / 1_000_000, "T-01/dice")
    return scene


@pytest.mark.parametrize("micros", [-JOINT, -JOINT + 1, 1_000, JOINT - 1, JOINT])
def test_lights_cleared_near_the_payment(micros: int) -> None:
    broken = cleared(JOINT).said()
    assert broken
    told = cleared(micros).said()
    if abs(micros) < JOINT:
        assert told == [f"{one} ?" for one in broken]
    else:
        assert told == (broken if micros > 0 else [])


@given(st.integers(1, JOINT - 1))
def test_either_way_round_the_same_is_unknown(micros: int) -> None:
    assert shaken(micros).said() == shaken(-micros).said()


def test_a_carried_state_changes_nothing(tmp_path: Path) -> None:
    replay = sealed_replay(log_of(shaken(1_000).build()))
    day = shaken(0).day
    without = audit_day(replay, day)
    assert audit_day(replay, day, carried=tmp_path).digest == without.digest
    assert audit_day(replay, day, carried=tmp_path).digest == without.digest
    assert said(without.findings)


def raised(micros: int, paid: int) -> Scene:
    """$1.00 more is laid on a $10.00 winner so long after the shaker is uncovered (539.5(b))."""
    scene = sourced(sic_bo(), "T-01/b")
    scene.add("BettingOpened", 0)
    scene.wager(1, "Small Bet")
    roll(scene, 10, 1, 2, 3)
    said_more = {"wager_id": "W1", "added_cents": 100}
    scene.add("WagerIncreased", 13 + micros / 1_000_000, "T-01/b", **said_more)
    scene.won(20, "W1", paid)
    scene.add("LightsCleared", 22)
    return scene


@pytest.mark.row_by_row
@pytest.mark.parametrize("micros", [-JOINT + 1, -1_000, 1_000, JOINT - 1])
@pytest.mark.parametrize(
    ("paid", "told", "difference"),
    [
        (900, ["wager_underpaid 539.6(b)"], -100),
        (1_000, ["wager_underpaid 539.6(b) ?"], 0),
        (1_050, ["wager_overpaid 539.6(b) ?", "wager_underpaid 539.6(b) ?"], None),
        (1_100, [], None),
        (1_200, ["wager_overpaid 539.6(b)"], 100),
    ],
)
def test_a_raise_near_the_result_leaves_only_the_raise_open(
    micros: int, paid: int, told: list[str], difference: int | None
) -> None:
    scene = raised(micros, paid)
    assert scene.said() == ["late_wager 539.5(b)", *told]
    wager = scene.result("W1")
    assert (wager.expected.outcome, wager.expected.winnings_cents) == ("won", 1_000)
    assert (wager.stake_cents, wager.difference_cents) == (1_000, difference)
    doubt = wager.in_doubt
    assert doubt is not None
    assert (doubt.stake_cents, doubt.if_returned.winnings_cents) == (100, 1_000)
    assert doubt.if_stands.winnings_cents == 1_100
    assert "± 0.040 s" in str(doubt.interval)
    assert scene.rounds()[0].status == "settled"
    words = in_doubt_words(wager)
    assert words is not None
    assert words.startswith("The clocks cannot show whether $1.00 of it counts (")
    assert words.endswith("the wager wins $11.00; if not, it wins $10.00 and the $1.00 is returned")


@pytest.mark.parametrize("micros", [-JOINT, JOINT])
def test_a_raise_further_off_is_judged_by_the_record(micros: int) -> None:
    doubt = raised(micros, 1_000).result("W1").in_doubt
    assert (doubt is None) == (micros < 0)
    assert doubt is None or doubt.interval is None


def lowered(micros: int) -> Scene:
    """$1.00 of $10.00 is taken down so long after betting closed."""
    scene = sourced(sic_bo(), "T-01/b")
    scene.add("BettingOpened", 0)
    scene.wager(1, "Small Bet")
    roll(scene, 10, 1, 2, 3)
    taken = {"wager_id": "W1", "taken_cents": 100}
    scene.add("WagerTakenDown", 10 + micros / 1_000_000, "T-01/b", **taken)
    scene.won(20, "W1", 900)
    scene.add("LightsCleared", 22)
    return scene


@pytest.mark.parametrize("micros", [-1_000, 1_000])
def test_a_wager_lowered_near_the_closing_keeps_what_was_left(micros: int) -> None:
    wager = lowered(micros).result("W1")
    assert (wager.stake_cents, wager.expected.winnings_cents) == (900, 900)
    assert wager.in_doubt is not None
    assert wager.in_doubt.if_stands.winnings_cents == 1_000
