"""§ 577.9(c): one floorperson, several tables; told when it begins, and again after a pause."""

from __future__ import annotations

from datetime import date

import pytest

from ledger.audit.contract import Day
from ledger.audit.supervision import over_ratio
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
