"""A second settlement of Asia Poker, from the facts of a round and the readable ranking alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from ledger import events as e
from ledger.games.asia_poker.terms import Hands, Switches, ranks_of
from ledger.games.asia_poker.wagers import bonus_hand
from ledger.games.cards import BY_WORD, Card
from ledger.kernel import table_of

Outcome = tuple[str, Fraction, int]
TABLE_A = {
    "Three of a kind and four 8s": 5000, "Five aces": 800, "Royal flush": 200, "Natural straight flush": 80,
    "Straight flush with joker": 40, "Four of a kind": 30, "9-high": 10, "Full house": 5, "Flush": 4,
    "Three of a kind": 3, "Straight": 2,
}  # fmt: skip
PAYS = {
    "AP-01": TABLE_A,
    "AP-02": {**TABLE_A, "Natural straight flush": 50, "Four of a kind": 25},
}
SWITCHES = {"AP-01": Switches(), "AP-02": Switches(straight_lowest=True)}
MAXIMUM = {"AP-01": 15_000_000, "AP-02": 12_500_000}


def hands_of(fact: e.HandSet) -> Hands:
    high, medium, low = (
        tuple(BY_WORD[word] for word in words or ()) for words in (fact.high, fact.medium, fact.low)
    )
    return Hands(high, medium, low)


def house_way(table: str, cards: Sequence[Card]) -> Hands:
    """The highest high hand, then the highest medium hand; at AP-02 with three pair the other way."""
    switches = SWITCHES[table]
    found = []
    for high in combinations(cards, 4):
        for medium in combinations([card for card in cards if card not in high], 2):
            low = tuple(card for card in cards if card not in (*high, *medium))
            hands = Hands(high, medium, low)
            ranks = ranks_of(hands, switches)
            if ranks[0] > ranks[1] > ranks[2]:
                found.append((ranks, hands))
    ranks = [card.rank or 14 for card in cards]
    pairs = sorted(map(ranks.count, set(ranks))) == [1, 2, 2, 2]
    if table == "AP-02" and pairs:
        return max(found, key=lambda one: (one[0][1], one[0][0]))[1]
    return max(found, key=lambda one: one[0])[1]


def expected(facts: Sequence[e.Fact]) -> dict[str, Outcome]:
    """Outcome, winnings and stake taken of each wager that stood when betting closed."""
    table = table_of(facts[0].stream)
    placed: dict[str, e.WagerPlaced] = {}
    stake: dict[str, int] = {}
    hands: dict[str, Hands] = {}
    stacks: dict[str, tuple[Card, ...]] = {}
    gone: set[str] = set()
    given_up: set[str] = set()
    void = closed = False
    for fact in facts:
        match fact:
            case e.WagerPlaced():
                placed[fact.wager_id], stake[fact.wager_id] = fact, fact.stake_cents
            case e.WagerIncreased():
                stake[fact.wager_id] += fact.added_cents
            case e.NoMoreBetsAnnounced() | e.DealBegan():
                closed = True
            case e.WagerTakenDown() | e.WagerReturned() if not closed:
                del stake[fact.wager_id]
            case e.CardsDealt():
                stacks = {
                    s.position: tuple(map(BY_WORD.__getitem__, s.cards or ())) for s in fact.stacks
                }
                void = void or any(len(stack) != 7 for stack in stacks.values())
            case e.RemainingCardsCounted(cards=cards):
                aside = any(
                    isinstance(f, e.IrregularityFound) and f.irregularity == "CARD_FACE_UP"
                    for f in facts
                )
                void = void or cards + aside != 4
            case e.HandExposed(position="1", during_deal=True):
                void = True
            case e.CardDeviceFailed(device=e.CardDevice.AUTOMATED_SHOE):
                void = True
            case e.HandSet():
                hands[fact.position] = hands_of(fact)
            case e.ExposureChoiceMade(choice=e.ExposureChoice.VOID):
                gone.add(fact.position)
            case e.HandSurrendered():
                given_up.add(fact.position)
            case _:
                pass
    result: dict[str, Outcome] = {}
    left: dict[str, int] = {}
    dealer = None if void else ranks_of(house_way(table, stacks["1"]), SWITCHES[table])
    for wager in sorted(stake, key=lambda one: placed[one].wager):  # "Asia ..." before "Bonus ..."
        position, cents = placed[wager].position or "", stake[wager]
        if void or position in gone:
            result[wager] = ("RETURNED", Fraction(0), 0)
            continue
        odds = 0
        if placed[wager].wager == "Bonus Wager":
            made = bonus_hand(stacks[position])
            odds = PAYS[table][made.value] if made else 0
        elif position not in given_up or any(placed[w].position == position and placed[w].wager == "Bonus Wager" for w in stake):  # fmt: skip
            own = ranks_of(hands[position], SWITCHES[table])
            assert dealer is not None
            higher = sum(mine > his for mine, his in zip(own, dealer, strict=True))
            odds = int(own[0] > own[1] > own[2] and higher >= 2)
        if odds:
            due = min(odds * cents, left.get(position, MAXIMUM[table]))
            left[position] = left.get(position, MAXIMUM[table]) - due
            result[wager] = ("WON", Fraction(due), 0)
        else:
            result[wager] = ("LOST", Fraction(0), cents)
    return result
