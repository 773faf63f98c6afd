"""Each fact of a small day lost, or contradicted by a second record under its key (L.1, L.2).

Nothing beyond the hole is broken unless the whole day had it; the hole is told once; the round it
lies in is unknown, and the rounds that open after it are judged as before.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from ledger.audit import PropertyUnknown
from ledger.events import Fact, GamingDayClosed
from ledger.floor import FIRST_DAY
from ledger.floor.tables import TABLE_NAMES
from tests.audit.change import changes, framed
from tests.audit.harm import Day, complaints, describes_the_property, each_kind, sample
from tests.engine import codes, floor_day, judged, said, table_day

LONG = pytest.mark.full
TABLES = ("SB-01", "SB-02", "SB-03", "DC-01", "DC-02")
PLANTS = {
    "SB-01": ("overpaid@SB-01", "late_wager@SB-01", "wrong_result_called@SB-01", "unapproved_sign@SB-01", "inspection_missing@SB-01"),
    "DC-02": ("underpaid@DC-02", "two_revolutions@DC-02", "over_limit@DC-02", "unapproved_layout@DC-02", "settled_twice@DC-02"),
}  # fmt: skip


@cache
def honest(table: str) -> Day:
    return Day.of(table_day(table))


@cache
def planted(table: str) -> Day:
    return Day.of(table_day(table, *PLANTS[table], scale=0.05))


def sweep(day: Day, places: list[int], *, lost: bool) -> list[str]:
    """All complaints when each of these facts is harmed in turn."""
    chance = Random(11)
    found = []
    for place in places:
        fact = day.facts[place]
        if lost and describes_the_property(fact):
            continue
        hurt = day.without(place) if lost else day.against(place, rival_of(fact, chance))
        found += complaints(day, hurt, fact, lost=lost)
    return found


def rival_of(fact: Fact, chance: Random) -> Fact:
    """Another record under the key of a fact."""
    rivals = [c.fact for c in changes(0, fact, chance) if c.path not in ("stream", "seq")]
    return chance.choice([rival for rival in rivals if framed(rival)])


@pytest.mark.parametrize("count", [5, pytest.param(12, marks=LONG)])
@pytest.mark.parametrize("table", TABLES)
def test_a_lost_fact_accuses_nobody(table: str, count: int) -> None:
    day = honest(table)
    assert day.audit.findings == ()
    assert sweep(day, sample(day.facts, 1, count), lost=True) == []


@pytest.mark.parametrize(
    "table", [pytest.param("SB-01", marks=LONG), *(one for one in PLANTS if one != "SB-01")]
)
def test_a_lost_fact_beside_plants(table: str) -> None:
    day = planted(table)
    assert len(day.audit.findings) >= len(PLANTS[table])
    assert sweep(day, sample(day.facts, 2, 12), lost=True) == []


@pytest.mark.parametrize(
    "table", [TABLES[0], *(pytest.param(one, marks=LONG) for one in TABLES[1:])]
)
def test_a_contradicted_fact_accuses_nobody(table: str) -> None:
    assert sweep(honest(table), sample(honest(table).facts, 3, 4), lost=False) == []


@pytest.mark.parametrize("table", [pytest.param(one, marks=LONG) for one in PLANTS])
def test_a_contradicted_fact_beside_plants(table: str) -> None:
    assert sweep(planted(table), sample(planted(table).facts, 4, 4), lost=False) == []


@pytest.mark.full
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("lost", [True, False], ids=["lost", "contradicted"])
@pytest.mark.parametrize("table", TABLE_NAMES)
def test_each_kind_of_fact_at_each_table(table: str, lost: bool) -> None:
    """Every kind of fact of every room, each at up to two places of a day."""
    day = honest(table)
    assert day.audit.findings == ()
    places = each_kind(day.facts, 5, 2)
    assert {type(day.facts[n]) for n in places} == {type(fact) for fact in day.facts}
    assert sweep(day, places, lost=lost) == []


@pytest.mark.full
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("lost", [True, False], ids=["lost", "contradicted"])
def test_each_fact_of_the_honest_floor(lost: bool) -> None:
    """All tables in one ledger: a sample, since one such audit costs what ten of a table cost."""
    day = Day.of(floor_day()[0])
    assert sweep(day, sorted(Random(6).sample(range(len(day.facts)), 30)), lost=lost) == []


@pytest.mark.full
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("table", PLANTS)
@pytest.mark.parametrize("lost", [True, False], ids=["lost", "contradicted"])
def test_each_fact_of_a_planted_table(table: str, lost: bool) -> None:
    day = planted(table)
    assert sweep(day, each_kind(day.facts, 7, 3), lost=lost) == []


def test_without_the_property_there_is_no_gaming_day() -> None:
    """The one fact whose loss is a refusal, and it says which fact is missing."""
    facts = [fact for fact in table_day("DC-01") if not describes_the_property(fact)]
    with pytest.raises(PropertyUnknown, match="PropertyDescribed") as refusal:
        judged(facts)
    assert refusal.value.exit_code == 3


def test_two_conflicts_of_one_key_are_told_once_and_change_nothing_more() -> None:
    day = honest("DC-01")
    place = next(n for n, f in enumerate(day.facts) if type(f).__name__ == "SpinCalled")
    fact = day.facts[place]
    rivals = [replace(fact, recorded_by=name) for name in ("A", "B")]
    audit = judged([*day.facts, *rivals])
    assert said(audit.findings) == ["conflict L.2"]
    assert audit.findings[0].severity == "critical"
    assert audit.unknown_rounds == 1


def test_the_whole_tail_of_a_table_is_lost() -> None:
    """After "no more bets" of a round nothing of the table arrives: gap and control total tell."""
    facts = table_day("DC-01")
    rounds = [f for f in facts if type(f).__name__ == "BettingOpened"]
    last = rounds[len(rounds) // 2]
    kept = [f for f in facts if f.stream == "house" or f.event_time <= last.event_time]
    audit = judged(kept)
    assert codes(audit.findings) == {"gap", "control_total_differs", "table_count_missing"}
    assert (
        audit.unknown_rounds >= 1
    )  # and each round since the last word of any stream of the table
    assert audit.rounds == len([f for f in rounds if f.event_time <= last.event_time])


def test_a_stream_that_never_sent_a_fact_is_missed() -> None:
    kept = [f for f in table_day("DC-01") if f.stream != "DC-01/wheel"]
    audit = judged(kept)
    assert "control_total_differs" in codes(audit.findings)
    assert not {f.code for f in audit.findings if f.certainty == "broken"} - {
        "control_total_differs"
    }
    assert audit.unknown_rounds == audit.rounds > 0


def test_without_a_closing_the_day_is_open() -> None:
    kept = [f for f in table_day("DC-01") if not isinstance(f, GamingDayClosed)]
    audit = judged(kept)
    assert said(audit.findings) == ["day_not_closed L.4 ?"]
    assert audit.gaming_day == FIRST_DAY
