"""Honest play of Asia Poker keeps the duties of chapter 575 around the money."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from random import Random

import pytest

from ledger import events as e
from ledger.floor.asia_poker_hands import DECK, bonus_hand, set_by, settings
from ledger.kernel import table_of

from .test_honest_money import rounds

HOUR = 3_600_000_000
POKER = ("AP-01", "AP-02")
VOID = ("RoundVoided",)


def of(honest: tuple[e.Fact, ...], table: str) -> list[e.Fact]:
    return sorted(
        (f for f in honest if table_of(f.stream) == table), key=lambda fact: fact.event_time
    )


def plays(honest: tuple[e.Fact, ...]) -> list[list[e.Fact]]:
    return [play for play in rounds(honest) if play[0].stream.startswith("AP")]


def names(facts: list[e.Fact]) -> list[str]:
    return [type(fact).__name__ for fact in facts]


def test_a_round_keeps_its_order(honest: tuple[e.Fact, ...]) -> None:
    start = {
        "AP-01": ["DiceShaken", "ShakerUncovered", "DiceThrown", "DiceTotalAnnounced"],
        "AP-02": ["GeneratorShown"],
    }
    seen: Counter[str] = Counter()
    for play in plays(honest):
        table, told = table_of(play[0].stream), names(play)
        if {"RoundVoided", "NoRollCalled", "HandSurrendered"} & set(told):
            continue
        seen[table] += 1
        order = ["BettingOpened", "NoMoreBetsAnnounced", *start[table], "StartDetermined", "DealBegan",
                 "CardsDealt", "RemainingCardsCounted", "CardsDiscarded"]  # fmt: skip
        first = [told.index(name) for name in order]
        assert first == sorted(first)
        if table == "AP-01":
            assert told.count("DiceShaken") == 2, "§ 575.5(g)(1)(iv): once more after the deal"
        hands = [f for f in play if isinstance(f, e.HandSet)]
        assert [f.position == "1" for f in hands] == [False] * (len(hands) - 1) + [True]
        shown = [f.position for f in play if isinstance(f, e.HandExposed)]
        assert shown[0] == "1"
        assert shown[1:] == sorted(shown[1:]), "§ 575.11(e): counterclockwise from the right"
    assert min(seen[table] for table in POKER) > 50


def test_every_card_is_accounted_for(honest: tuple[e.Fact, ...]) -> None:
    for play in plays(honest):
        dealt = [f for f in play if isinstance(f, e.CardsDealt)]
        if not dealt or "RoundVoided" in names(play):
            continue
        cards = [card for stack in dealt[0].stacks for card in stack.cards or ()]
        aside = [c for f in play if isinstance(f, e.IrregularityFound) for c in f.cards or ()]
        assert len(set(cards)) == 49
        assert set(cards) | set(aside) <= set(DECK)
        assert not set(cards) & set(aside)
        racked = sum(f.count or 0 for f in play if isinstance(f, e.CardsDiscarded))
        assert racked == 53, "§ 575.11(i): the rack holds the deck, hand by hand"
        places = {f.position for f in play if isinstance(f, e.CardsDiscarded) and f.count == 7}
        assert places == set("1234567")


def test_the_first_card_goes_where_dice_or_generator_say(honest: tuple[e.Fact, ...]) -> None:
    starts: Counter[str] = Counter()
    for play in plays(honest):
        thrown = [f for f in play if isinstance(f, e.DiceThrown)]
        number = (
            sum(die.face or 0 for die in thrown[-1].dice)
            if thrown
            else next(f.number for f in play if isinstance(f, e.GeneratorShown))
        )
        began = next(f for f in play if isinstance(f, e.DealBegan))
        assert int(began.position or "") == (number - 1) % 7 + 1
        starts[began.position or ""] += 1
        for fact in play:
            if isinstance(fact, e.CardsDealt):
                falling = [int(stack.position) for stack in fact.stacks]
                assert all((a - b) % 7 == 1 for a, b in pairwise(falling)), "clockwise"
    assert set(starts) == set("1234567")


@pytest.mark.parametrize("table", POKER)
def test_decks_are_inspected_shuffled_alternated_and_changed(
    honest: tuple[e.Fact, ...], table: str
) -> None:
    placed: dict[str, e.DeckPlaced] = {}
    ready: set[str] = set()
    checked: dict[str, set[str]] = defaultdict(set)
    last = None
    for fact in of(honest, table):
        match fact:
            case e.DeckPlaced():
                assert (fact.cards, fact.jokers) == (53, 1)
                assert fact.back not in {one.back for one in placed.values()}
                placed[fact.deck] = fact
                if fact.preinspected_and_preshuffled:
                    ready.add(fact.deck)
                    checked[fact.deck] = {"DeckInspected", "DeckInspectionVerified"}
            case e.DeckRemoved():
                del placed[fact.deck]
                ready.discard(fact.deck)
            case e.DeckInspected() | e.DeckInspectionVerified() | e.SecondJokerRemoved():
                checked[fact.deck].add(type(fact).__name__)
            case e.CardsShuffled(completed=True, deck=str(deck)):
                ready.add(deck)
            case e.DealBegan(deck=str(deck)):
                assert deck in ready, "§ 575.5(a)"
                ready.discard(deck)
                assert {"DeckInspected", "DeckInspectionVerified"} <= checked[deck]
                assert (placed[deck].jokers_made == 2) <= ("SecondJokerRemoved" in checked[deck])
                assert fact.event_time - placed[deck].event_time < 8 * HOUR
                assert len(placed) == (1 if table == "AP-01" else 2)
                assert table == "AP-01" or deck != last, "§ 575.3(b)(3)"
                last = deck
            case _:
                pass
    assert not placed
    assert last is not None


def test_who_bets_plays_the_asia_poker_wager_and_sits(honest: tuple[e.Fact, ...]) -> None:
    bonus = 0
    for play in plays(honest):
        placed = [f for f in play if isinstance(f, e.WagerPlaced)]
        mains = {f.position for f in placed if f.wager == "Asia Poker Wager"}
        bonus += sum(f.wager == "Bonus Wager" for f in placed)
        assert {f.position for f in placed} <= mains <= set("234567")
    assert bonus > 100


@pytest.mark.full
def test_its_accidents_occur(honest: tuple[e.Fact, ...], week: tuple[e.Fact, ...]) -> None:
    seen: Counter[str] = Counter()
    for fact in (*honest, *week):
        if isinstance(fact, e.IrregularityFound):
            seen[fact.irregularity.value] += 1
        elif fact.stream.startswith("AP"):
            seen[type(fact).__name__] += 1
    for name in (
        "CARD_FACE_UP", "PLAYER_CARD_EXPOSED", "DEALER_CARD_EXPOSED", "WRONG_NUMBER_OF_CARDS",
        "WRONG_NUMBER_REMAINING", "SHOE_FAILED", "NoRollCalled", "CardsCut", "HandFouled", "HandSurrendered",
        "ExposureChoiceMade", "OutOfOrderShown", "RoundVoided", "DeckRemoved",
    ):  # fmt: skip
        assert seen[name], name


@pytest.mark.parametrize(
    ("seven", "made"),
    [
        ("8S 8H 8D 8C AS AH JOKER", "Three of a kind and four 8s"),
        ("AS AH AD AC JOKER 2S 3S", "Five aces"),
        ("9S 8S 7S 6S 4S 3H 2D", "9-high"),
        ("KS KH JOKER 9D 7C 5S 3H", None),
        ("AS 2S 3S 4S JOKER KH QD", "Straight flush with joker"),
    ],
)
def test_the_floors_own_bonus_hands(seven: str, made: str | None) -> None:
    assert bonus_hand(seven.split()) == made


@pytest.mark.parametrize("prefer", [("highest high", "highest low"), ("highest medium",), ("highest low", "highest high")])  # fmt: skip
def test_what_a_way_of_setting_leaves_is_the_best_of_all_settings(prefer: tuple[str, ...]) -> None:
    hands = {"high": 0, "medium": 1, "low": 2}
    chance = Random(5)
    for number in range(60):
        cards, low = chance.sample(DECK, 7), bool(number % 2)
        laid = settings(cards, low_straight=low)
        worths = [tuple(way.worth[hands[word.split()[1]]] for word in prefer) for way in laid]
        best = [way for way, worth in zip(laid, worths, strict=True) if worth == max(worths)]
        step = e.HouseWayStep(holding=None, prefer=prefer)
        assert set_by((step,), cards, low_straight=low) == best
