"""People and cameras by another clock, just after a round was closed: what hangs on them is unknown."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ledger.audit import audit_day, read_office, tables_on
from ledger.audit.ledger_contract import day_of
from ledger.audit.table import audit_table
from ledger.cli.days import seen_rounds
from ledger.codec import frame
from ledger.kernel import Finding
from ledger.log import Arrival
from ledger.replay import Replay
from tests.engine import OPENED, Scene, log_of, ref, sealed_replay
from tests.rounds.test_order import JOINT, sourced

CODES = ("camera_missing", "no_stickperson", "understaffed")
THROWN = 20.0
CLOSED = 20.010
"""The round is closed ten milliseconds after its only throw."""
NEXT = {"BettingOpened": {}, "TableClosed": {}}
GAME = "Three Dice Football"


def football(closing: str = "BettingOpened") -> Scene:
    """A table with its crew and cameras: one throw, then the next round or the table's closing."""
    scene = sourced(Scene(GAME, date(2021, 3, 15)), "T-01/cameras", "T-01/roster")
    scene._office([])
    for number, role in enumerate(("DEALER", "DEALER", "STICKPERSON", "FLOORPERSON"), 1):
        scene.add("StaffAssigned", OPENED - 60, role=role, person=f"D{number}")
    for camera, covers in (("C1", "one end"), ("C2", "other end")):
        scene.add("CameraAssigned", OPENED - 60, camera=camera, covers=covers)
        scene.add("CameraDescribed", OPENED - 60, camera=camera, covers=covers, stationary=True)
    scene.add("TableOpened", OPENED, game=GAME, layout="L-1", paytable="RS-1", capture="FULL")
    scene.add("BettingOpened", 0)
    scene.add("DiceThrownByHand", THROWN, dice="g5,g6,r1", position="1")
    scene.add(closing, CLOSED)
    return scene


def after(seconds: float) -> float:
    """So long after the throw; never at its very moment."""
    return THROWN + seconds


def lost(micros: int, stream: str = "T-01/cameras", closing: str = "BettingOpened") -> Scene:
    scene = football(closing)
    scene.add("CameraLost", after(micros / 1_000_000), stream, camera="C1")
    return scene


def told(scene: Scene) -> list[Finding]:
    return [one for one in scene.audit().findings if one.code in CODES]


def short(scene: Scene) -> list[tuple[str, str]]:
    return sorted((one.code, one.certainty.value) for one in told(scene))


def test_a_table_in_order() -> None:
    assert short(football()) == []


@pytest.mark.row_by_row
@pytest.mark.parametrize("closing", NEXT)
@pytest.mark.parametrize("micros", [-JOINT, 1 - JOINT, 9_000, 11_000, JOINT - 1, JOINT])
def test_a_camera_lost_around_the_end_of_a_round(micros: int, closing: str) -> None:
    found = short(lost(micros, closing=closing))
    if micros == -JOINT:
        assert found == [("camera_missing", "broken")]
    else:
        assert found == ([("camera_missing", "unknown")] if micros < JOINT else [])


def test_it_is_told_of_the_round_that_was_closed() -> None:
    scene = lost(11_000)
    (finding,) = told(scene)
    (opened, _), (throw,) = scene.lines_of("BettingOpened"), scene.lines_of("DiceThrownByHand")
    assert opened.fact is not None
    assert finding.round == ":".join(map(str, ref(opened.fact)))
    assert finding.facts == (throw.ref,)
    assert "(+0.011 s, ± 0.040 s)" in finding.sentence
    first, second = scene.rounds()
    assert finding in first.findings
    assert finding not in second.findings


def test_one_source_knows_its_own_order() -> None:
    assert short(lost(11_000, "T-01")) == []


@pytest.mark.parametrize("micros", [11_000, JOINT - 1, JOINT])
def test_who_came_may_have_been_there(micros: int) -> None:
    scene = football()
    (stick,) = scene.lines_of("StaffAssigned", role="STICKPERSON")
    stick.stream, stick.at = "T-01/roster", after(micros / 1_000_000)
    certainty = "unknown" if micros < JOINT else "broken"
    assert short(scene) == [("no_stickperson", certainty), ("understaffed", certainty)]


def test_two_who_left_together_are_told_once() -> None:
    scene = football()
    for number, dealer in enumerate(("D1", "D2")):
        at = after(0.012 + number / 1_000)
        scene.add("StaffRelieved", at, "T-01/roster", role="DEALER", person=dealer)
    assert short(scene) == [("understaffed", "unknown")]


def test_who_came_and_went_may_have_been_there() -> None:
    """One who came and went after the round: none of the orders that clocks allow is clean."""
    scene = football()
    (stick,) = scene.lines_of("StaffAssigned", role="STICKPERSON")
    stick.stream, stick.at = "T-01/roster", after(0.012)
    scene.add("StaffRelieved", after(0.013), "T-01/roster", role="STICKPERSON", person="D3")
    assert short(scene) == [("no_stickperson", "unknown"), ("understaffed", "unknown")]


def test_a_state_kept_between_days_changes_nothing(tmp_path: Path) -> None:
    scene = lost(11_000, closing="TableClosed")
    replay = sealed_replay(log_of(scene.build()))
    digests = {
        audit_day(replay, scene.day, carried=folder).digest for folder in (None, tmp_path, tmp_path)
    }
    assert len(digests) == 1


def test_a_page_of_the_round_shows_it_too() -> None:
    scene = lost(11_000)
    replay = Replay(log_of(scene.build()))
    house = read_office(replay)
    pages = list(seen_rounds(replay, house, scene.table, until=scene.day))
    (finding,) = told(scene)
    assert finding in pages[0].result.findings
    assert [len(page.steps) for page in pages] == [2, 2]
    span = day_of(house.clock, scene.day)
    assert tables_on(replay, span) == [scene.table]
    assert finding in audit_table(replay, house, scene.table, span).findings


def test_a_fact_that_arrives_days_later_is_judged_where_it_happened() -> None:
    """The ledger's order of arrival bears on nothing: facts are merged by when they happened."""
    scene = lost(11_000)
    facts = scene.build()
    late = [one for one in facts if one.stream == "T-01/cameras"]
    log = log_of([one for one in facts if one not in late])
    log.append([Arrival(frame(one)) for one in late], facts[-1].event_time + 3 * 86_400_000_000)
    found = audit_day(Replay(log), scene.day).findings
    assert [one for one in found if one.code in CODES] == told(scene)
