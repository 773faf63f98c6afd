"""Several gaming days: each audit is of its own day, whenever the facts arrive."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ledger.audit import DayAudit, audit_day, day_of, gaming_days, read_office
from ledger.audit.carried import CarriedStates
from ledger.audit.table import audit_table
from ledger.events import Fact
from ledger.floor import FIRST_DAY
from ledger.replay import Replay
from ledger.rounds import InEveryOrder, TablePlay
from tests.engine import (  # fmt: skip
    CLOCK,
    SECOND,
    Scene,
    codes,
    dreamcatcher,
    floor_day,
    log_of,
    moment,
    said,
    sealed_replay,
    sic_bo,
    spin,
)

SECOND_DAY = FIRST_DAY + timedelta(days=1)
PLANTS = ("overpaid:3", "late_wager:3", "underpaid:3", "wrong_result_called:3")


def both(facts: list[Fact] | tuple[Fact, ...]) -> tuple[DayAudit, DayAudit]:
    replay = Replay(log_of(facts))
    return audit_day(replay, FIRST_DAY), audit_day(replay, SECOND_DAY)


def test_each_day_tells_its_own_findings() -> None:
    facts, truth = floor_day(*PLANTS, days=2, scale=0.05)
    for audit in both(facts):
        mine = [row["code"] for row in truth if row["gaming_day"] == audit.gaming_day.isoformat()]
        assert sorted(f.code for f in audit.findings) == sorted(mine)
        assert {f.gaming_day for f in audit.findings} <= {audit.gaming_day}
    assert {row["gaming_day"] for row in truth} == {"2021-06-12", "2021-06-13"}


def test_the_days_that_have_facts() -> None:
    facts, _ = floor_day(days=2)
    assert gaming_days(Replay(log_of(facts))) == [FIRST_DAY, SECOND_DAY]


def test_a_day_is_the_same_before_and_after_the_next_one_arrives() -> None:
    facts, _ = floor_day(*PLANTS, days=2, scale=0.05)
    ends = CLOCK.bounds(FIRST_DAY)[1]
    alone = audit_day(Replay(log_of([f for f in facts if f.event_time < ends])), FIRST_DAY)
    assert alone.digest == both(facts)[0].digest


def test_a_late_fact_changes_its_own_day_only() -> None:
    """The last fact of a round of day 1 arrives after day 2: until then day 1 has a gap."""
    facts, _ = floor_day(days=2)
    late = next(f for f in facts if type(f).__name__ == "RollCalled")
    first, second = both([f for f in facts if f is not late])
    assert codes(first.findings) == {"gap"}
    assert said(second.findings) == []
    whole_first, whole_second = both([*(f for f in facts if f is not late), late])
    assert said(whole_first.findings) == []
    assert whole_first.digest != first.digest
    assert whole_second.digest == second.digest == both(facts)[1].digest


def test_a_tail_lost_on_the_first_day_stays_lost_when_the_second_arrives() -> None:
    """L.4: the control total of day 1 still tells it."""
    facts, _ = floor_day(days=2)
    last = max(
        f.seq for f in facts if f.stream == "SB-01" and f.event_time < CLOCK.bounds(FIRST_DAY)[1]
    )
    first, second = both(
        [f for f in facts if not (f.stream == "SB-01" and last - 3 <= f.seq <= last)]
    )
    assert "control_total_differs" in codes(first.findings)
    assert "gap" in codes(first.findings) | codes(second.findings)
    assert not {f.code for f in second.findings if f.certainty == "broken"} - {"gap"}


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("kept", [False, True], ids=["replayed", "carried"])
def test_carried_state_changes_nothing(kept: bool, tmp_path: Path) -> None:
    facts, _ = floor_day(
        "paytable_below_floor", "overpaid:2", "unapproved_sign", days=3, scale=0.05
    )
    replay = sealed_replay(log_of(facts))
    days = [FIRST_DAY + timedelta(days=n) for n in range(3)]
    plain = [audit_day(replay, day) for day in days]
    if kept:
        for day in days:
            audit_day(replay, day, carried=tmp_path)
    assert [audit_day(replay, day, carried=tmp_path) for day in reversed(days)] == plain[::-1]


def test_a_state_does_not_grow_with_the_days(tmp_path: Path) -> None:
    """Each day is judged from the state of its start; of posts before it only the last one bears."""
    facts, _ = floor_day(days=4, scale=0.02)
    replay = sealed_replay(log_of(facts))
    house, days = read_office(replay), gaming_days(replay)
    states = CarriedStates(tmp_path, replay, house.office)
    posts = []
    for day in days:
        span = day_of(house.clock, day)
        audit_table(replay, house, "DC-01", span, states)
        orders = InEveryOrder(TablePlay("DC-01", house.office, house.clock))
        ends = day_of(house.clock, day + timedelta(days=1))
        if states.load(orders, replay.tables()["DC-01"], ends.date, ends.begins):
            posts.append(len(orders.play.state.posts))
    assert len(posts) == len(days) - 1
    assert posts[-1] <= posts[0] + 1


# --- rounds over the day's end -----------------------------------------------------------------------

END = 18 * 3600
"""The gaming day of a scene ends at 6:00, 18 hours after noon."""


def over_the_end(scene: Scene) -> Scene:
    """A round that opens a minute before the day ends and is settled a minute after it."""
    scene.drop("TableClosed")
    scene.add("BettingOpened", END - 60)
    scene.wager(END - 50, "1")
    spin(scene, END - 5, "2")
    scene.lost(END + 60, "W1", stake_taken_cents=900)
    scene.add("BettingOpened", END + 100)
    scene.add("TableClosed", END + 200)
    return scene


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("lost", [1, 3])
def test_facts_missing_between_two_days_are_told_from_a_carried_state_too(
    lost: int, tmp_path: Path
) -> None:
    """The gap begins before the day that tells of it: the state that is carried has the doubt."""
    facts, _ = floor_day(days=2, scale=0.05)
    begins = CLOCK.bounds(SECOND_DAY)[0]
    second_day = [f for f in facts if f.stream == "SB-01" and f.event_time >= begins]
    missing = {fact.seq for fact in second_day[:lost]}
    rest = [f for f in facts if f.stream != "SB-01" or f.seq not in missing]
    replay = sealed_replay(log_of(rest))
    for _ in ("kept", "carried"):
        for day in (FIRST_DAY, SECOND_DAY):
            audit = audit_day(replay, day, carried=tmp_path)
            assert audit == audit_day(replay, day)
    (gap,) = [finding for finding in audit.findings if finding.code == "gap"]
    assert {ref.seq for ref in gap.facts} == {min(missing), max(missing)}


def test_a_round_belongs_to_the_day_of_its_betting_opened() -> None:
    scene = over_the_end(dreamcatcher())
    facts = scene.build()
    replay = Replay(log_of(facts))
    today, tomorrow = audit_day(replay, scene.day), audit_day(replay, scene.day + timedelta(days=1))
    assert [f.code for f in today.findings] == ["stake_taken_wrong"] or [
        f.code for f in today.findings
    ] == ["wager_overtaken"]
    assert today.findings[0].gaming_day == scene.day
    assert (today.rounds, tomorrow.rounds) == (1, 1)
    assert codes(tomorrow.findings) == {"day_not_closed"}
    assert today.unknown_rounds == 0


@pytest.mark.parametrize("closes_at", [None, END - 60, END + 60], ids=["never", "that day", "next"])
def test_the_last_round_of_a_day_is_told_whenever_the_table_closes(closes_at: int | None) -> None:
    scene = dreamcatcher()
    scene.drop("TableClosed")
    scene.add("BettingOpened", 0)
    scene.wager(1, "5", cents=1_000)
    spin(scene, 10, "5")
    scene.won(30, "W1", 4_000)
    if closes_at is not None:
        scene.add("TableClosed", closes_at)
    audit = audit_day(Replay(log_of(scene.build())), scene.day)
    assert [finding.code for finding in audit.findings] == ["wager_underpaid"]
    assert audit.rounds == 1


def test_the_capture_line_is_of_its_own_day() -> None:
    """An opening of the next day, at another level, is not told of this day."""
    scene = sic_bo()
    scene.add(
        "TableOpened", END + 60, game="Sic Bo", layout="L-1", paytable="RS-1", capture="OUTCOME"
    )
    line = scene.audit().capture[0]
    assert line.level == "full"
    assert line.opened_at == scene.noon - 1800 * SECOND
    assert line.closed_at == scene.noon + 8 * 3600 * SECOND


# --- late filings -------------------------------------------------------------------------------------


def played(paid: int) -> Scene:
    """Ten dollars on 5 win, at 11 to 1 by an amendment that is filed and approved at 10:00."""
    scene = dreamcatcher()
    scene.add("BettingOpened", 0)
    scene.wager(1, "5", cents=1_000)
    spin(scene, 10, "5")
    scene.won(30, "W1", paid)
    return scene


@pytest.mark.parametrize(("paid", "before", "after"), [(5_000, [], ["wager_underpaid 689.3(a)"]), (6_000, ["wager_overpaid 689.3(a)"], [])])  # fmt: skip
def test_a_filing_that_arrives_late_holds_from_its_own_time(
    paid: int, before: list[str], after: list[str]
) -> None:
    """Appended after everything else, with an event time and an approval before the round."""
    scene = played(paid)
    facts = scene.build()
    assert said(audit_day(Replay(log_of(facts)), scene.day).findings) == before
    scene.file("RS-2", -4 * 3600, odds=[("5", None, "6:1")])
    scene.change("TableOpened", paytable="RS-2")
    late = [replace(f, stream="house/late", seq=n) for n, f in enumerate((f for f in scene.build() if getattr(f, "submission", "") == "RS-2"), 1)]  # fmt: skip
    opened = next(f for f in scene.build() if type(f).__name__ == "TableOpened")
    told = [opened if type(f).__name__ == "TableOpened" else f for f in facts]
    audit = audit_day(Replay(log_of([*told, *late])), scene.day)
    assert [s for s in said(audit.findings) if "L.4" not in s and "layout_odds" not in s] == after


def test_a_second_filing_under_one_name_does_not_undo_the_first() -> None:
    """RS-1 is filed again the next day and not approved: this day is judged as before."""
    scene = played(5_000)
    plain = scene.audit()
    scene.closed = False
    scene.file("RS-1", END + 3600, approved=None)
    facts = scene.build()
    audit = audit_day(Replay(log_of(facts)), scene.day)
    assert said(plain.findings) == []
    assert said(audit.findings) == ["day_not_closed L.4 ?"]


def test_a_later_description_of_the_property_holds_from_its_own_time() -> None:
    """The gaming day starts at 8:00 from the next week on; this day still ends at 6:00."""
    scene = over_the_end(dreamcatcher())
    scene.closed = False
    week = 7 * 24 * 3600
    scene.house(
        "PropertyDescribed", week, name="Example", time_zone="America/New_York", gaming_day_starts_minutes=480
    )  # fmt: skip
    audit = audit_day(Replay(log_of(scene.build())), scene.day)
    assert audit.rounds == 1
    assert moment(0)(scene) == scene.noon
