"""No order of facts and no impossible combination of them breaks a replay of the room."""

from __future__ import annotations

import types
from dataclasses import fields, replace
from enum import StrEnum
from functools import cache
from typing import Any, Final, Union, get_args, get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import events
from ledger.audit import rounds_of
from ledger.codec import frame
from ledger.games.asia_poker import ROOM
from ledger.games.asia_poker.decider import HANDLERS
from ledger.games.asia_poker.state_changes import TURNS, found_face_up
from ledger.games.asia_poker.terms import DECK
from ledger.games.cards import WITH_JOKER
from ledger.games.room import Filed, Ruling, Unsure, rules_on
from ledger.kernel import FactRef, Odds
from ledger.log import Arrival
from ledger.replay import Replay
from tests.games.facts import DAYS, NOON, SECOND, fact, hints_of, rules_of
from tests.games.transcript import DAY, office, setting
from tests.log.memory_log import MemoryLog
from tests.strategies import numbers

KINDS: Final = sorted({kind.__name__ for kind in {*TURNS, *HANDLERS}} & set(events.EVENTS))
CARDS: Final = st.sampled_from([*(card.word for card in WITH_JOKER), "XX", "1S"])
POSITIONS: Final = st.sampled_from([*"12345678", "", "dealer"])
NUMBERS: Final = (0, 1, 3, 4, 7, 8, 10, 53, 2_500, 5_000_000)
WORDS: Final[dict[str, st.SearchStrategy[Any]]] = {
    "position": POSITIONS,
    "first_position": POSITIONS,
    "deck": st.sampled_from(["D1", "D2", "D3"]),
    "wager": st.sampled_from(["Asia Poker Wager", "Bonus Wager", "Envy Wager"]),
    "wager_id": st.sampled_from(["W1", "W2", "W3"]),
    "patron": st.sampled_from(["P1", "P2"]),
    "game": st.just("Asia Poker"),
    "item": st.sampled_from(["wager_areas", "printed_odds", "payout_limit"]),
}
STACKS: Final = st.builds(
    events.Stack,
    position=POSITIONS,
    cards=st.none() | st.lists(CARDS, max_size=9).map(tuple),
    count=st.none() | numbers("Stack", "count", NUMBERS),
)
DICE: Final = st.builds(
    events.Die, serial=st.none(), colour=st.none(), face=st.none() | st.integers(1, 6), rest=st.sampled_from(events.Rest)
)  # fmt: skip


def value(event: str, name: str, hint: Any) -> st.SearchStrategy[Any]:
    """Any value that a field may hold, from the words that mean something to this game."""
    choices = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    if type(None) in choices:
        rest = [one for one in choices if one is not type(None)]
        return st.none() | st.one_of(*(value(event, name, one) for one in rest))
    (kind,) = choices
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        if inner is str:
            return st.lists(CARDS, max_size=8).map(tuple)
        made = {events.Stack: STACKS, events.Die: DICE}.get(inner)
        if inner is int:
            made = numbers(event, name, NUMBERS)
        if inner is events.Seen:
            made = st.builds(events.Seen, name=WORDS["wager"], value=st.none())
        return st.just(()) if made is None else st.lists(made, max_size=8).map(tuple)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return st.sampled_from(kind)
    if kind is bool:
        return st.booleans()
    if kind is int:
        return numbers(event, name, NUMBERS)
    return WORDS.get(name, st.sampled_from(["A", "B"]))


@cache
def facts_of(kind: str) -> st.SearchStrategy[events.Fact]:
    """Any fact of a kind; stream, number and time are set when it is placed."""
    event = events.EVENTS[kind]
    hints = hints_of(event)
    head = {"stream": "T-01", "seq": 1, "event_time": NOON, "source": "T", "recorded_by": None}
    given_ = {
        f.name: value(kind, f.name, hints[f.name]) for f in fields(event) if f.name not in head
    }
    return st.builds(event, **{name: st.just(one) for name, one in head.items()}, **given_)


ROUND: Final = (
    "DeckPlaced", "CardsShuffled", "BettingOpened", "PositionTaken", "WagerPlaced", "WagerPlaced",
    "WagerPlaced", "NoMoreBetsAnnounced", "DiceShaken", "DiceThrown", "DiceTotalAnnounced",
    "DealBegan", "IrregularityFound", "CardsDealt", "RemainingCardsCounted", "HandSet", "HandSet",
    "HandExposed", "DealersHands", "HandSurrendered", "HandExposed", "HandExposed", "HandExposed",
    "ResultAnnounced", "WagerSettled", "WagerSettled", "CardsDiscarded", "CardsDiscarded",
)  # fmt: skip
"""A round in its order, so that far phases are reached too."""


@st.composite
def rounds(draw: st.DrawFn) -> list[events.Fact]:
    """A round with facts of any content, some of them left out, and others thrown in."""
    told: list[events.Fact] = []
    for kind in ROUND:
        if draw(st.integers(0, 9)) == 0:
            continue
        if kind == "DealersHands":
            told.append(replace(draw(facts_of("HandSet")), position="1"))
        else:
            told.append(draw(facts_of(kind)))
    for other in draw(st.lists(st.sampled_from(KINDS).flatmap(facts_of), max_size=4)):
        told.insert(draw(st.integers(0, len(told))), other)
    return told


ANY: Final = st.lists(st.sampled_from(KINDS).flatmap(facts_of), max_size=60)
PLAY: Final = st.one_of(
    ANY, rounds(), st.tuples(rounds(), rounds()).map(lambda two: [*two[0], *two[1]])
)


def placed(facts: list[events.Fact], first: int = 1) -> list[events.Fact]:
    """In this order, a second apart."""
    return [
        replace(one, seq=first + number, event_time=NOON + number * SECOND)
        for number, one in enumerate(facts)
    ]


@st.composite
def filings(draw: st.DrawFn) -> Filed:
    """Any filing, also one that is none of the three tables or that cannot be run."""
    head = {"stream": "house", "seq": 1, "event_time": 1, "source": "T", "recorded_by": None}
    options = draw(facts_of("AsiaPokerOptionsFiled"))
    assert isinstance(options, events.AsiaPokerOptionsFiled)
    name = draw(st.sampled_from(["A", "B", "C", "D", None]))
    steps = draw(st.sampled_from([(), ("highest high", "highest low"), ("prettiest high",)]))
    way = events.HouseWayFiled(
        **head,
        submission="RS-1",
        text="w",
        steps=(events.HouseWayStep(holding=None, prefer=steps),),
    )
    lines = st.sampled_from(["Natural straight flush", "Four of a kind", "Straight"])
    odds = draw(st.dictionaries(lines, st.sampled_from([25, 30, 50, 80])))
    listed = {("Bonus Wager", line): Odds(pays, 1) for line, pays in odds.items()}
    return Filed(
        submission="RS-1", odds=listed, rounding=None, unit_cents=1, payout_limit_cents=None,
        payout_limit_scope=None, increment_cents=None, readings={}, fact=FactRef("house", 1),
        options=(replace(options, bonus_paytable=name), way),
    )  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(facts=PLAY, filed=st.none() | filings(), gap=st.integers(0, 60))
def test_any_order_of_facts_is_judged(
    facts: list[events.Fact], filed: Filed | None, gap: int
) -> None:
    rules = rules_on(ROOM, DAYS["asia_poker"], filed)
    assert ROOM.judge_filing is not None
    ROOM.judge_filing(rules, {"": 500})
    state = ROOM.initial
    said: list[Ruling] = []
    for number, each in enumerate(placed(facts)):
        if number == gap:
            state = ROOM.evolve(state, Unsure("T-01"))
        rulings = ROOM.decide(rules, state, each)
        state = ROOM.evolve(state, each)
        for ruling in rulings:
            state = ROOM.evolve(state, ruling)
        said.extend(rulings)
        ROOM.close(rules, state, FactRef(each.stream, each.seq))
    again = rules_of(ROOM, filed)
    assert again.chosen == rules.chosen


@settings(max_examples=30, deadline=None)
@given(facts=PLAY)
def test_any_order_of_facts_is_audited(facts: list[events.Fact]) -> None:
    before = setting(ROOM, [])
    told = [one for one in placed(facts, len(before) + 1) if type(one).__name__ != "TableOpened"]
    told = [replace(one, seq=len(before) + 1 + number) for number, one in enumerate(told)]
    log = MemoryLog(origin="any.example", property="Any", record_time=1)
    log.append([Arrival(frame(one)) for one in (*office(ROOM, []), *before, *told)], record_time=2)
    rounds = list(rounds_of(Replay(log), DAY))
    opened = sum(type(one).__name__ == "BettingOpened" for one in told)
    assert len(rounds) == opened


@pytest.mark.parametrize(
    ("lines", "fits"),
    [
        ([], ["A", "B", "C"]),
        ([("Natural straight flush", "80:1")], ["A"]),
        ([("Natural straight flush", "50:1")], ["B", "C"]),
        ([("Natural straight flush", "80:1"), ("Four of a kind", "25:1")], ["A", "B", "C"]),
    ],
)
def test_575_12_b_what_a_filing_may_mean(lines: list[tuple[str, str]], fits: list[str]) -> None:
    rows = [events.FiledOdds(wager="Bonus Wager", on=on, odds=odds) for on, odds in lines]
    odds = {(row.wager, row.on): Odds(int(row.odds.split(":")[0]), 1) for row in rows}
    filed = Filed(
        submission="RS-1", odds=odds, rounding=None, unit_cents=1, payout_limit_cents=None,
        payout_limit_scope=None, increment_cents=None, readings={}, fact=FactRef("house", 1),
    )  # fmt: skip
    assert list(rules_of(ROOM, filed).chosen.tables) == fits


def test_more_cards_face_up_than_a_deck_has_are_a_deck() -> None:
    found = fact("IrregularityFound", 1, 0, irregularity="CARD_FACE_UP", count=2**63 - 1)
    assert len(found_face_up(found)) == DECK
