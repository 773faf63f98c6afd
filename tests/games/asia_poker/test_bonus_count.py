"""The bonus hands of Asia Poker: counted again, and held against counts made without the room."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from ledger.games.asia_poker import wagers
from ledger.games.asia_poker.bonus_count import HANDS, count_hands, recount, rows_hash, stored
from ledger.games.asia_poker.wagers import BONUS_COUNTED_FROM, BonusHand, bonus_hand
from ledger.games.cards import SUITS, WITH_JOKER, Card
from ledger.games.law_page_tables import Recount
from ledger.reports import recount_text

H = BonusHand


def test_the_stored_counts_were_made_from_the_rows_as_they_are() -> None:
    """When this fails: `pitledger law odds asia_poker --recount` prints the counts and the hash."""
    assert rows_hash() == BONUS_COUNTED_FROM


def test_the_hash_changes_with_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wagers, "NINE_HIGHS", wagers.NINE_HIGHS[:1])
    assert rows_hash() != BONUS_COUNTED_FROM


def test_a_count_of_all_hands_gives_what_is_stored() -> None:
    found = recount()
    assert sum(found.counts.values()) == HANDS == 154_143_080
    assert found.counts == found.stored
    assert found.agrees
    assert "They agree." in recount_text(found)


def test_a_count_that_differs_is_told() -> None:
    counts = {"Flush": 6_170_401}
    found = Recount(counts=counts, stored={"Flush": 6_170_400}, rows="a", rows_stored="b")
    assert not found.agrees
    assert "differs" in recount_text(found)


def test_without_the_joker_the_counts_are_those_published_for_seven_cards() -> None:
    """Frequencies of seven-card poker hands in a deck of 52, as in every table of them.

    Royal flush 4,324; other straight flushes 37,260; four of a kind 224,848; full house 3,473,184;
    flush 4,047,644; straight 6,180,020; three of a kind 6,461,620. Of the four of a kind 48 are
    four 8s with three of a kind. Of the 9-highs (2 x 4^7) 1,688 hold a flush: 5, 6 or 7 cards of a
    suit in (21 x 9 + 7 x 3 + 1) x 4 ways each. Three of a kind here goes before a straight.
    """
    found = count_hands(jokers=(False,))
    assert found[H.ROYAL_FLUSH] == 4_324
    assert found[H.NATURAL_STRAIGHT_FLUSH] == 37_260
    assert found[H.FOUR_OF_A_KIND] == 224_848 - 12 * 4
    assert found[H.TRIPS_AND_EIGHTS] == 12 * 4
    assert found[H.FULL_HOUSE] == 3_473_184
    assert found[H.NINE_HIGH] == 2 * 4**7
    assert found[H.FLUSH] == 4_047_644 - 2 * (21 * 9 + 7 * 3 + 1) * 4
    assert found[H.STRAIGHT] + found[H.THREE_OF_A_KIND] == 6_180_020 + 6_461_620
    assert sum(found.values()) == 133_784_560


def plainly(cards: tuple[Card, ...]) -> str | None:
    """§ 575.6(d), typed here again card by card, with the joker tried as every card it may be."""
    joker = any(card.rank == 0 for card in cards)
    own = [card for card in cards if card.rank]
    best = min(_place(own, None, joker=joker), *(
        _place(own, wild, joker=True) for wild in _wild(own) if joker
    ), 99) if joker else _place(own, None, joker=False)  # fmt: skip
    return ORDER[best] if best < len(ORDER) else None


ORDER = [hand.value for hand in BonusHand]


def _wild(own: list[Card]) -> list[Card]:
    return [
        Card(rank, suit) for rank in range(2, 15) for suit in SUITS if Card(rank, suit) not in own
    ]


def _place(own: list[Card], wild: Card | None, *, joker: bool) -> int:
    """The place of the best hand, the joker being an ace, or this card of a straight or a flush."""
    if wild is None:
        ranks = Counter([card.rank for card in own] + [14] * joker)
        sizes = sorted(ranks.values(), reverse=True)
        if ranks[8] == 4 and sizes[1] == 3:
            return 0
        if ranks[14] == 5:
            return 1
        places = [99]
        if 4 in sizes:
            places.append(5)
        if set(ranks) in ({9, 8, 7, 6, 4, 3, 2}, {9, 8, 7, 5, 4, 3, 2}) and not joker:
            places.append(6)
        if sizes[0] == 3 and sizes[1] >= 2:
            places.append(7)
        if 3 in sizes:
            places.append(9)
        return min([*places, _runs(own, used=None)])
    return _runs([*own, wild], used=wild)


def _runs(cards: list[Card], used: Card | None) -> int:
    """Straights and flushes among these cards; a straight flush needs its own suit."""
    places = [99]
    runs = [
        {14, 13, 12, 11, 10},
        *({*range(low, low + 5)} for low in range(9, 1, -1)),
        {14, 2, 3, 4, 5},
    ]
    if any(run <= {card.rank for card in cards} for run in runs):
        places.append(10)
    for suit in SUITS:
        held = {card.rank for card in cards if card.suit == suit}
        if len(held) >= 5:
            places.append(8)
        for run in runs:
            if run <= held:
                with_joker = used is not None and used.suit == suit and used.rank in run
                places.append(2 if run == runs[0] else 4 if with_joker else 3)
    return min(places)


def test_a_sample_judged_card_by_card_gives_the_same_hands() -> None:
    draw = random.Random(575)
    for _ in range(4_000):
        cards = tuple(draw.sample(WITH_JOKER, 7))
        found = bonus_hand(cards)
        assert (found.value if found else None) == plainly(cards), cards
    for _ in range(1_500):
        cards = (WITH_JOKER[-1], *draw.sample(WITH_JOKER[:-1], 6))
        found = bonus_hand(cards)
        assert (found.value if found else None) == plainly(cards), cards


@pytest.mark.full
def test_all_hands_one_by_one_give_the_stored_counts() -> None:
    """Every one of the 154,143,080 hands, judged by bits: none stands for another."""
    assert _one_by_one() == {(hand.value if hand else None): n for hand, n in stored().items()}


RUN_BITS = [sum(1 << (rank - 2) for rank in run) for run in (
    (14, 13, 12, 11, 10), *(range(low, low + 5) for low in range(9, 1, -1)), (14, 2, 3, 4, 5)
)]  # fmt: skip


def _tables() -> tuple[np.ndarray, np.ndarray]:
    """For each set of ranks of one suit: cards in it, and its best run; without and with a joker."""
    held = np.arange(8192)
    count = np.bitwise_count(held.astype(np.uint16)).astype(np.uint8)
    best = np.full((2, 8192), 99, dtype=np.uint8)
    for joker in (1, 0):
        for place, run in enumerate(RUN_BITS):
            missing = 5 - np.bitwise_count((held & run).astype(np.uint16))
            natural, wild = missing == 0, (missing == 1) & bool(joker)
            value = np.where(
                natural, 2 if place == 0 else 3, np.where(wild, 2 if place == 0 else 4, 99)
            )
            best[joker] = np.minimum(best[joker], value)
    return count, best


def _one_by_one() -> dict[str | None, int]:
    count, best = _tables()
    found: Counter[str | None] = Counter()
    deck = np.array([1 << (16 * s + r) for s in range(4) for r in range(13)], dtype=np.uint64)
    tails = {n: np.array(list(combinations(range(n), 4)), dtype=np.int8) for n in range(3, 51)}
    for joker in (0, 1):
        for head in combinations(range(52), 3 - joker):
            start = head[-1] + 1
            if 52 - start < 4:
                continue
            masks = deck[start:][tails[52 - start]]
            hands = np.bitwise_or.reduce(masks, axis=1)
            hands |= np.bitwise_or.reduce(deck[list(head)])
            places = _judged(hands, joker, count, best)
            for place, n in zip(*np.unique(places, return_counts=True), strict=True):
                found[ORDER[place] if place < len(ORDER) else None] += int(n)
    return dict(found)


def _judged(hands: np.ndarray, joker: int, count: np.ndarray, best: np.ndarray) -> np.ndarray:
    suits = [((hands >> np.uint64(16 * s)) & np.uint64(8191)).astype(np.uint16) for s in range(4)]
    a, b, c, d = suits
    one, both, any_two = a ^ b, a & b, c ^ d
    pair = c & d
    once = one ^ any_two  # bit: the rank is held 1 or 3 times
    least2 = both | pair | (one & any_two) | ((both | one) & pair)
    least2 |= both & (any_two | pair)
    least3 = (both & (any_two | pair)) | (one & pair)
    four = both & pair
    ranks = a | b | c | d
    n1, n2, n3, n4 = (np.bitwise_count(x) for x in (ranks, least2, least3, four))
    ace, eight = np.uint16(1 << 12), np.uint16(1 << 6)
    aces = sum(((s & ace) > 0).astype(np.uint8) for s in suits)
    if joker:  # an ace more
        n2 = n2 + (aces == 1)
        n3 = n3 + (aces == 2)
        n4 = n4 + (aces == 3)
    place = np.full(hands.shape, 99, dtype=np.uint8)
    run = np.zeros(hands.shape, dtype=bool)
    for bits in RUN_BITS:
        run |= np.bitwise_count(ranks & np.uint16(bits)) + joker >= 5
    place[run] = 10
    place[n3 >= 1] = 9
    flush = np.zeros(hands.shape, dtype=bool)
    for s in suits:
        flush |= count[s] + joker >= 5
    place[flush] = 8
    place[(n3 >= 1) & (n2 >= 2)] = 7
    if not joker:
        for low in ((9, 8, 7, 6, 4, 3, 2), (9, 8, 7, 5, 4, 3, 2)):
            place[ranks == np.uint16(sum(1 << (r - 2) for r in low))] = 6
    place[n4 >= 1] = 5
    sf = np.minimum.reduce([best[joker][s] for s in suits])
    place = np.minimum(place, sf)
    if joker:
        place[aces == 4] = 1
    trips_eights = ((four & eight) > 0) & ((n3 - ((four & eight) > 0)) >= 1)
    place[trips_eights] = 0
    assert not (once & ~ranks).any()
    assert (n1 > 0).all()
    return place
