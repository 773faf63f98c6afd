"""Whole rounds of each game a second, from decoded facts through the rounds layer: one core."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence

from ledger.events import (
    BettingOpened,
    CardsDealt,
    CardsShuffled,
    DiceShaken,
    DiceThrown,
    Fact,
    GeneratorShown,
    HandSet,
    HouseWayStep,
    NoMoreBetsAnnounced,
    RemainingCardsCounted,
    TableOpened,
    WagerPlaced,
    WagerSettled,
)
from ledger.floor import simulate
from ledger.games.asia_poker.validity import HouseWay, permitted, set_the_house_way
from ledger.games.cards import BY_WORD
from ledger.house import Office, take
from ledger.kernel import PropertyClock, table_of
from ledger.rounds import TablePlay

CLOCK = PropertyClock("America/New_York", 360)
TIMES = 3
POSITIONS = (1, 2, 3, 6)
MONEY = (
    BettingOpened, WagerPlaced, NoMoreBetsAnnounced, CardsShuffled, DiceShaken, DiceThrown, GeneratorShown,
    CardsDealt, RemainingCardsCounted, HandSet, WagerSettled,
)  # fmt: skip
"""What a round of cards cannot do without: no discards, announcements or reveals."""


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement, the best of three, on one simulated day."""
    facts = list(simulate(1).facts)
    office, tables = Office(), defaultdict[str, list[Fact]](list)
    for fact in facts:
        if table_of(fact.stream) == "house":
            take(office, fact)
        else:
            tables[table_of(fact.stream)].append(fact)
    games: dict[str, list[list[Fact]]] = defaultdict(list)
    for table, told in tables.items():
        told.sort(key=lambda fact: fact.event_time)
        game = next(s.filed.game for s in office.submissions.values() if table in s.filed.tables)
        games[game].append(told)
    rows = []
    for game, days in games.items():
        count = sum(map(len, days))
        rounds = sum(isinstance(fact, BettingOpened) for day in days for fact in day)
        seconds = min(judged(office, days, rounds) for _ in range(TIMES))
        rows += [
            (f"{game}, whole rounds", rounds / seconds, "rounds/s"),
            (f"{game}, facts ({count / rounds:.0f} a round)", count / seconds, "facts/s"),
        ]
    days = games["Asia Poker"]
    for many in POSITIONS:
        some = [by_positions(day, many) for day in days]
        rounds = sum(isinstance(fact, BettingOpened) for day in some for fact in day)
        if rounds:
            seconds = min(judged(office, some, rounds) for _ in range(TIMES))
            each = sum(map(len, some)) / rounds
            name = f"Asia Poker, positions: {many}, {each:.0f} facts a round"
            rows.append((name, rounds / seconds, "rounds/s"))
    bare = [[fact for fact in day if isinstance(fact, (TableOpened, *MONEY))] for day in days]
    rounds = sum(isinstance(fact, BettingOpened) for day in bare for fact in day)
    seconds = min(judged(office, bare, rounds) for _ in range(TIMES))
    each = sum(map(len, bare)) / rounds
    rows.append((f"Asia Poker, {each:.0f} facts a round", rounds / seconds, "rounds/s"))
    return [*rows, *house_way(days)]


def by_positions(day: Sequence[Fact], many: int) -> list[Fact]:
    """The facts of a day without the rounds of more or fewer positions."""
    parts: list[list[Fact]] = [[]]
    for fact in day:
        if isinstance(fact, BettingOpened):
            parts.append([])
        parts[-1].append(fact)
    first, *rounds = parts
    kept = [
        part
        for part in rounds
        if len({fact.position for fact in part if isinstance(fact, WagerPlaced)}) == many
    ]
    return [fact for part in (first, *kept) for fact in part]


def judged(office: Office, days: Sequence[Sequence[Fact]], rounds: int) -> float:
    """Seconds for all tables of a game."""
    begun = time.process_time()
    closed = 0
    for day in days:
        play = TablePlay(table_of(day[0].stream), office, CLOCK)
        for fact in day:
            closed += sum(1 for _ in play.take(fact, fact.event_time))
        closed += sum(1 for _ in play.finish())
    spent = time.process_time() - begun
    assert closed == rounds
    return spent


def house_way(days: Sequence[Sequence[Fact]]) -> list[tuple[str, float, str]]:
    """Dealers' hands set in the filed way, by the generated tables."""
    way = HouseWay((HouseWayStep(holding=None, prefer=("highest high", "highest medium")),))
    sevens = [
        frozenset(BY_WORD[word] for word in stack.cards or ())
        for day in days
        for fact in day
        if isinstance(fact, CardsDealt)
        for stack in fact.stacks
    ]
    permitted(sevens[0])  # the tables are made at the first question
    begun = time.process_time()
    for seven in sevens:
        set_the_house_way(way, seven)
    return [("house way of seven cards", len(sevens) / (time.process_time() - begun), "hands/s")]
