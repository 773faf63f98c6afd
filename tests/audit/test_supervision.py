"""§ 577.9(c): one floorperson, several tables; told when it begins, and again after a pause."""

from __future__ import annotations

from datetime import date

import pytest

from ledger.audit.ledger_contract import Day
from ledger.audit.supervision import over_ratio
from ledger.events import SourceRegistered
from ledger.house.clocks import Clocks
from ledger.kernel import FactRef
from ledger.rounds import Post

FOOTBALL = "Three Dice Football"
DAY = Day(date(2013, 3, 15), 1_000, 2_000)


def post(table: str, at: int, game: str | None, *people: str) -> Post:
    return Post(at, FactRef(table, at), game, frozenset(people))


def told(*posts: Post) -> list[tuple[str, str, int]]:
    tables: dict[str, list[Post]] = {}
    for one in posts:
        tables.setdefault(one.fact.stream, []).append(one)
    found = over_ratio(tables, DAY)
    return [(f.code, f.citations[0].part or "", f.facts[-1].seq) for f in found]


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("games", "part"),
    [
        ((FOOTBALL,), None),
        ((FOOTBALL, FOOTBALL), None),
        ((FOOTBALL, FOOTBALL, FOOTBALL), "1"),
        ((FOOTBALL, "Roulette"), None),
        ((FOOTBALL, "Baccarat"), "2"),
        ((FOOTBALL, "Midibaccarat"), "2"),
        ((FOOTBALL, "Craps"), "2"),
        ((FOOTBALL, "Mini-Craps"), "2"),
        ((FOOTBALL, "Pai Gow"), "2"),
        ((FOOTBALL, "Pai Gow Poker"), None),
        ((FOOTBALL, FOOTBALL, "Roulette"), "2"),
        (("Craps", "Baccarat", "Roulette"), None),
    ],
)
def test_which_tables_one_floorperson_may_supervise(
    games: tuple[str, ...], part: str | None
) -> None:
    posts = [post(f"T-{n}", 1_000 + n, game, "F1") for n, game in enumerate(games, 1)]
    last = 1_000 + len(games)
    assert told(*posts) == ([] if part is None else [("floorperson_over_ratio", part, last)])


def test_it_is_told_when_it_begins_and_again_after_a_pause() -> None:
    begins = (post("A", 1_001, FOOTBALL, "F1"), post("B", 1_002, "Craps", "F1"))
    assert [seq for *_, seq in told(*begins, post("A", 1_003, FOOTBALL, "F1", "F2"))] == [1_002]
    pause = (post("B", 1_004, None, "F1"), post("B", 1_005, "Craps", "F1"))
    assert [seq for *_, seq in told(*begins, *pause)] == [1_002, 1_005]


def test_a_day_is_told_its_own_breaches_only() -> None:
    yesterday = (post("A", 900, FOOTBALL, "F1"), post("B", 901, "Craps", "F1"))
    tomorrow = post("C", 2_000, FOOTBALL, "F1")
    assert told(*yesterday, tomorrow) == []
    assert told(yesterday[0], post("B", 1_500, "Craps", "F1")) == [
        ("floorperson_over_ratio", "2", 1_500)
    ]


def test_another_floorperson_is_another_matter() -> None:
    assert told(post("A", 1_001, FOOTBALL, "F1"), post("B", 1_002, "Craps", "F2")) == []


def told_by(uncertain: int, *posts: Post) -> list[tuple[str, str | None]]:
    """What is told where every terminal's clock may be off by so much."""
    clocks = Clocks()
    tables: dict[str, list[Post]] = {}
    for one in posts:
        tables.setdefault(one.fact.stream, []).append(one)
        clocks.take(
            SourceRegistered(
                stream="house", seq=1, event_time=1, source="H", recorded_by=None,
                registered_stream=one.fact.stream, registered_source=one.source, since=0,
                clock_uncertainty_micros=uncertain, order_tolerance_micros=0,
            )
        )  # fmt: skip
    found = over_ratio(tables, DAY, clocks)
    return [
        (f.certainty.value, f.sentence.rpartition("(")[2] if "±" in f.sentence else None)
        for f in found
    ]


def of(table: str, at: int, *people: str) -> Post:
    return Post(at, FactRef(table, at), FOOTBALL, frozenset(people), f"X-{table}", at)


@pytest.mark.parametrize("after", [1, 19, 20])
def test_a_third_table_taken_before_one_is_given_up(after: int) -> None:
    base = [of("A", 1_001, "F1"), of("B", 1_100, "F1")]
    two = (of("C", 1_300, "F1"), of("A", 1_300 + after, "F2"))
    want = "unknown" if after < 20 else "broken"
    assert [certainty for certainty, _ in told_by(10, *base, *two)] == [want]
    assert told_by(0, *base, *two) == [("broken", None)]


@pytest.mark.parametrize("after", [1, 19, 20])
def test_a_third_table_taken_after_one_is_given_up(after: int) -> None:
    base = [of("A", 1_001, "F1"), of("B", 1_100, "F1")]
    two = (of("A", 1_300, "F2"), of("C", 1_300 + after, "F1"))
    told = told_by(10, *base, *two)
    assert [certainty for certainty, _ in told] == (["unknown"] if after < 20 else [])
    assert told_by(0, *base, *two) == []


def test_a_breach_that_lasts_is_certain_in_every_order() -> None:
    three = [of("A", 1_001, "F1"), of("B", 1_002, "F1"), of("C", 1_003, "F1")]
    assert [certainty for certainty, _ in told_by(10, *three)] == ["broken"]
