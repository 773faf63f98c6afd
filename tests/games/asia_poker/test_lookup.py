"""The generated tables say of every hand what the readable ranking says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, islice
from math import comb
from random import Random

import pytest

from ledger.events import HouseWayStep
from ledger.games.asia_poker.lookup import (
    CODED,
    Places,
    bonus_hand_of,
    key_of,
    lookup,
    places_named,
    places_of,
)
from ledger.games.asia_poker.terms import (
    EACH,
    PLAIN,
    Hands,
    Rank,
    Switches,
    rank_high,
    rank_low_cards,
    ranks_of,
)
from ledger.games.asia_poker.validity import (
    FOURS,
    HouseWay,
    _fours,
    narrowed,
    permitted,
    set_the_house_way,
)
from ledger.games.asia_poker.wagers import bonus_hand
from ledger.games.cards import JOKER, WITH_JOKER, Card, cards_of

SWITCHES = [
    Switches(*both) for both in ((False, False), (True, False), (False, True), (True, True))
]
ALL_FOURS = comb(53, 4)


def said_otherwise(fours: Iterable[tuple[Card, ...]], switches: Switches) -> list[tuple[Card, ...]]:
    table = lookup(switches)
    return [
        four
        for four in fours
        if table.ranks[table.high[key_of(four)]] != rank_high(frozenset(four), switches)
    ]


@pytest.mark.full
@pytest.mark.parametrize("switches", SWITCHES)
def test_all_hands_of_four_cards(switches: Switches) -> None:
    fours = list(combinations(WITH_JOKER, 4))
    assert len(fours) == ALL_FOURS == 292_825
    assert said_otherwise(fours, switches) == []


@pytest.mark.parametrize("switches", SWITCHES)
def test_every_29th_hand_of_four_cards(switches: Switches) -> None:
    assert said_otherwise(islice(combinations(WITH_JOKER, 4), 0, None, 29), switches) == []


@pytest.mark.parametrize("switches", SWITCHES)
def test_all_hands_of_two_cards_and_one(switches: Switches) -> None:
    table = lookup(switches)
    pairs = list(combinations(WITH_JOKER, 2))
    assert len(pairs) == 1_378
    for a, b in pairs:
        key = CODED[a].small + CODED[b].small
        assert table.ranks[table.medium[key]] == rank_low_cards((a, b))
    for card in WITH_JOKER:
        assert table.ranks[table.low[CODED[card].small]] == rank_low_cards((card,))


def test_places_rise_as_ranks_do() -> None:
    for switches in SWITCHES:
        ranks = lookup(switches).ranks
        assert list(ranks) == sorted(set(ranks))
        made = [place for place in lookup(switches).high if place]
        assert len(made) == 1_820 + 715 + 455 + 286  # by ranks, and of one suit


def readable(seven: frozenset[Card]) -> set[tuple[tuple[Rank, Rank, Rank], Hands]]:
    """Every way to set seven cards, by the readable ranking alone."""
    found = set()
    for high in combinations(sorted(seven), 4):
        for medium in combinations(sorted(seven - set(high)), 2):
            hands = Hands(high, medium, tuple(seven - {*high, *medium}))
            ranks = ranks_of(hands)
            if ranks[0] > ranks[1] > ranks[2]:
                found.add((ranks, hands))
    return found


@pytest.mark.parametrize("switches", SWITCHES)
def test_fours_of_seven_cards_are_ranked_as_each_by_itself(switches: Switches) -> None:
    chance = Random(575)
    suited = 0
    for size in (*(53,) * 60, *(20,) * 60):  # of few cards more are of one suit
        seven = sorted(chance.sample(WITH_JOKER[-size:], EACH))
        table = lookup(switches)
        alone = [table.high[key_of([seven[n] for n in four])] for four in FOURS]
        assert _fours([CODED[card] for card in seven], table) == alone
        suited += any(table.names[place] == "flush" for place in alone)
    assert 20 < suited < 100


WAYS = [
    ("highest high",),
    ("highest high", "highest medium", "highest low"),
    ("highest high", "lowest medium"),
    ("highest high", "pair in medium"),
]


@pytest.mark.parametrize("words", WAYS, ids=" ".join)
def test_the_highest_high_hand_first_is_what_all_settings_narrowed_leave(
    words: tuple[str, ...],
) -> None:
    chance = Random(11)
    way = HouseWay((HouseWayStep(holding=None, prefer=words),))
    for _ in range(150):
        seven = frozenset(chance.sample(WITH_JOKER, EACH))
        every = permitted(seven)
        left: Sequence[tuple[Places, tuple[int, ...]]] = [
            (one.places, tuple(sorted(seven).index(card) for card in one.cards)) for one in every
        ]
        for word in words:
            left = narrowed(left, word, PLAIN) if left else ()
        plain = tuple((places, tuple(sorted(seven)[n] for n in order)) for places, order in left)
        assert tuple(set_the_house_way(way, seven)) == plain


@pytest.mark.row_by_row
@pytest.mark.parametrize("seed", range(12))
def test_permitted_settings_agree_with_the_readable_ranking(seed: int) -> None:
    seven = frozenset(Random(seed).sample(WITH_JOKER[:-1], 6 + seed % 2)) | {JOKER}
    seven = seven if len(seven) == 7 else seven - {min(seven - {JOKER})}
    ranks = lookup().ranks
    found = permitted(seven)
    made = {(tuple(ranks[place] for place in one.places), one.hands) for one in found}
    assert len(made) == len(found)
    assert made == readable(seven)
    assert all(places_of(one.hands, PLAIN) == one.places for one in found)


@pytest.mark.parametrize("switches", SWITCHES)
def test_hands_named_by_words_have_the_places_of_their_cards(switches: Switches) -> None:
    chance = Random(6)
    for _ in range(300):
        seven = chance.sample(WITH_JOKER, EACH)
        hands = Hands(tuple(seven[:4]), tuple(seven[4:6]), tuple(seven[6:]))
        words = [[card.word for card in hand] for hand in hands]
        assert places_named(*words, switches) == places_of(hands, switches)


@pytest.mark.parametrize(
    ("high", "medium", "low"),
    [
        ("AS AH KD QC", "2S 3S", "4S 5S"),
        ("AS AH KD", "QC 2S", "4S"),
        ("AS AH KD QC 2S", "3S", "4S"),
        ("AS AH KD QC", "2S 3S", "AS"),
        ("AS AH KD AS", "2S 3S", "4S"),
        ("AS AH KD QC", "2S 3S", "1S"),
        ("AS AH KD QC", "2S 3S", ""),
    ],
)
def test_words_that_are_not_seven_cards_set_as_four_two_and_one(
    high: str, medium: str, low: str
) -> None:
    assert places_named(high.split(), medium.split(), low.split()) is None


def rank_sets() -> list[list[Card]]:
    """A hand without joker and flush for every set of ranks that seven cards, none thrice, have."""
    found = []
    for size in (4, 5, 6, 7):
        for ranks in combinations(range(2, 15), size):
            twice = ranks[-(EACH - size) :] if size < EACH else ()
            firsts = [Card(rank, "SHDC"[n % 4]) for n, rank in enumerate(ranks)]
            found.append(firsts + [Card(r, "HDCS"[ranks.index(r) % 4]) for r in twice])
    return found


def test_bonus_hands_by_table_are_those_of_the_readable_ranking() -> None:
    chance = Random(575)
    hands = [chance.sample(WITH_JOKER, EACH) for _ in range(12_000)]
    hands += [chance.sample(WITH_JOKER[-17:], EACH) for _ in range(6_000)]  # many of a kind
    suited = [card for card in WITH_JOKER if card.suit in ("S", "")]
    hands += [chance.sample(suited, 5) + chance.sample(WITH_JOKER[1:39:4], 2) for _ in range(2_000)]
    hands += [*rank_sets(), list(cards_of(["8S", "8H", "8D", "8C", "KS", "KH", "KD"]) or ())]
    made = set()
    for cards in hands:
        hand = bonus_hand(cards)
        made.add(hand)
        assert bonus_hand_of([card.word for card in cards]) is hand, cards
    assert len(made) == 12  # the eleven, and none
