"""Random single-field changes of honest facts: found, unknown, or without effect for a known reason."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from random import Random

import pytest

from ledger.events import Fact
from ledger.floor.tables import TABLE_NAMES
from ledger.kernel import LedgerError
from ledger.log import Arrival
from tests.audit.change import Change, changes, framed
from tests.audit.harm import Day
from tests.audit.reasons import afterwards, goes_back, reason, same_money
from tests.engine import table_day

BY_ITS_LAYING = {
    ("WagerPlaced", "wager"),
    ("WagerPlaced", "picks"),
    ("WagerMoved", "wager"),
    ("WagerMoved", "picks"),
    ("AsiaPokerOptionsFiled", "a234_straight_lowest"),
    ("AsiaPokerOptionsFiled", "a234_straight_flush_lowest"),
}
"""Where another wager, or another ranking, comes to the same money, nothing can contradict it.

A ranking (575.6(b)) may still change which of a player's hands is higher: the ruling says so, and
with it the digest changes.
"""


@cache
def honest(table: str) -> Day:
    return Day.of(table_day(table))


def concerns(fact: Fact, table: str) -> bool:
    """Whether a fact of the office can matter to this table."""
    return fact.stream != "house" or not any(
        other in repr(fact) for other in TABLE_NAMES if other != table
    )


def chosen(table: str, seed: int, each: int) -> list[Change]:
    """At most so many changes of each field of each event."""
    chance = Random(seed)
    places = [n for n, fact in enumerate(honest(table).facts) if concerns(fact, table)]
    chance.shuffle(places)
    taken: Counter[tuple[str, str]] = Counter()
    out = []
    for place in places:
        for change in changes(place, honest(table).facts[place], chance):
            if taken[change.name] < each and framed(change.fact) is not None:
                taken[change.name] += 1
                out.append(change)
    return out


def with_change(day: Day, change: Change) -> Day:
    facts = [*day.facts[: change.place], change.fact, *day.facts[change.place + 1 :]]
    arrival = Arrival(framed(change.fact) or b"")
    return Day.of(facts, [*day.framed[: change.place], arrival, *day.framed[change.place + 1 :]])


def judge(table: str, listed: list[Change]) -> tuple[Counter[str], list[str]]:
    """How many of each class, and the changes that nothing explains."""
    counts: Counter[str] = Counter()
    unexplained: dict[tuple[str, str], list[str]] = defaultdict(list)
    day = honest(table)
    for change in listed:
        try:
            now = with_change(day, change)
        except LedgerError:  # refused, with a stable code: nothing is judged on it
            counts["found"] += 1
            continue
        except Exception as crash:
            unexplained[change.name].append(f"{crash!r} {change}")
            continue
        if now.audit.findings:
            counts["found"] += 1
        elif now.audit.unknown_rounds > day.audit.unknown_rounds:
            counts["unknown"] += 1
        elif (reason(change, table.startswith("SB")) or afterwards(change, day.facts)) is not None:
            counts["without effect"] += 1
            if now.audit.digest != day.audit.digest and change.field != "event_time":
                unexplained[change.name].append(f"another digest, {change}")
        elif (change.name == ("WagerPlaced", "stake_cents") and goes_back(change, day.rounds)) or (
            change.name in BY_ITS_LAYING and same_money(day.rounds, now.rounds)
        ):
            counts["without effect"] += 1
        else:
            unexplained[change.name].append(str(change))
    return counts, [f"{len(said)} x {said[0]}" for said in unexplained.values()]


@pytest.mark.full
@pytest.mark.parametrize("table", ["SB-01", "DC-02", "SB-02", "SB-03", "DC-01"])
def test_single_changes(table: str) -> None:
    assert honest(table).audit.findings == ()
    listed = chosen(table, 1, 1)
    counts, unexplained = judge(table, listed)
    assert not unexplained, "\n".join(unexplained)
    assert sum(counts.values()) == len(listed) >= 150
    assert counts["found"] > 60
    assert counts["without effect"] > 60


def test_one_of_four_single_changes() -> None:
    """As above, at one table."""
    listed = chosen("DC-02", 1, 1)[::4]
    counts, unexplained = judge("DC-02", listed)
    assert not unexplained, "\n".join(unexplained)
    assert sum(counts.values()) == len(listed) >= 60
    assert counts["found"] > 15
    assert counts["without effect"] > 15


def test_at_least_five_hundred_changes_are_judged() -> None:
    assert sum(len(chosen(table, 1, 1)) for table in ("SB-01", "DC-02")) >= 500


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("table", TABLE_NAMES)
def test_many_single_changes(table: str) -> None:
    counts, unexplained = judge(table, chosen(table, 2, 4))
    assert not unexplained, "\n".join(unexplained)
    assert sum(counts.values()) > 400


MONEY = {
    ("WagerPlaced", "stake_cents"), ("WagerIncreased", "added_cents"),
    ("WagerSettled", "winnings_cents"), ("WagerSettled", "stake_taken_cents"), ("WagerSettled", "outcome"),
    ("WagerSettled", "wager_id"), ("WheelSpun", "section"), ("SpinCalled", "result"),
    ("RollCalled", "faces"), ("ValuesEntered", "faces"), ("RulesSubmissionFiled", "paytable.odds"),
    ("LimitsSet", "maximum_cents"), ("GamingDayClosed", "streams.last_seq"),
}  # fmt: skip


@pytest.mark.parametrize("table", ["SB-01", "DC-02"])
def test_money_faces_sections_outcomes_and_ids_are_never_without_effect(table: str) -> None:
    """None of the fields on which money hangs has a reason, but one that was not recorded."""
    listed = [c for c in chosen(table, 5, 3) if c.name in MONEY and c.now is not None]
    assert len(listed) > 20
    assert [str(c) for c in listed if reason(c, table.startswith("SB")) is not None] == []
    counts, unexplained = judge(table, listed)
    assert not unexplained, "\n".join(unexplained)
    gone = [
        c
        for c in listed
        if c.name == ("WagerPlaced", "stake_cents") and goes_back(c, honest(table).rounds)
    ]
    assert counts["found"] + counts["unknown"] >= len(listed) - len(gone)
