"""When a roll, a setting or a deal does not count, and the house way, applied as it was filed.

Law: §§ 575.8(e), 575.9(d), 575.10(d), 575.11(b), (c), (f)(1), 575.13.
Readings: face-up-card-aside, asia-void-returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from operator import add, itemgetter
from typing import Final, NamedTuple

from ledger.events import Die, HouseWayStep, Rest
from ledger.games.asia_poker.lookup import (
    CODED,
    FLUSH,
    SUIT_BITS,
    Coded,
    Lookup,
    Places,
    lookup,
    places_of,
)
from ledger.games.asia_poker.terms import (
    HIGH_CARDS,
    LAW,
    LOW_CARDS,
    MEDIUM_CARDS,
    PLAIN,
    STRENGTH,
    Hands,
    Switches,
)
from ledger.games.cards import ACE, Card, groups
from ledger.games.room import Act, Call, Invalid, Scope, Taint, Then
from ledger.kernel import Citation
from ledger.kernel.quick_dataclass import dataclass


class Accident(StrEnum):
    """What can go wrong in a deal or with a hand."""

    LEFT = "a player who wagered left the table during the round of play"
    DIE_NOT_FLAT = "a die not flat on the bottom of the shaker"
    DIE_OUT = "a die fell out of the shaker"
    MISTOTALLED = "the dice totalled wrongly and the first card dealt to the wrong position"
    PLAYER_CARD = "a card of a player exposed by the dealer"
    DEALER_CARD = "a card in the dealer's hand exposed"
    ONE_FACE_UP = "one card found face up in the shoe or the deck"
    FACE_UP = "more than one card found face up in the shoe or the deck"
    DRAWN = "a card drawn in error without its face being exposed"
    WRONG_NUMBER = "a player or the dealer dealt an incorrect number of cards"
    WRONG_STACK = "a position dealt an incorrect number of cards"
    DEALER_MISSET = "the dealer's hands not set in the filed way"
    HAND_DEAL = "a card exposed in a deal from the hand"
    SHUFFLER = "the automated shuffling device jams, stops or does not finish"
    SHOE = "the automated dealing shoe jams, stops or does not deal all cards"
    MISDEALT = "not four cards remain and a position has more or less than seven"
    BAD_DECK = "not four cards remain although every position has seven"
    HIGH_TOO_LOW = "the high hand does not outrank the medium hand"
    MEDIUM_TOO_LOW = "the medium hand does not outrank the low hand"
    NOT_SET = "the hands are not four, two and one of the seven cards dealt"


@dataclass(frozen=True, slots=True)
class Happened:
    """This accident is among those that happened."""

    accident: Accident

    def __call__(self, accidents: Sequence[Accident]) -> bool:
        return self.accident in accidents

    def __str__(self) -> str:
        return self.accident.value


def _row(
    accident: Accident, call: Call, then: Then, cite: Citation, reading: str | None = None
) -> Invalid:
    return Invalid(accident.value, Happened(accident), call, then, cite, reading)


A = Accident
VOIDS: Final = "asia-void-returns"

# fmt: off
INVALID_HANDS: Final = (   # § 575.13 in its own order, then what §§ 575.7-575.11 add
    #    cause              call         then            cite               reading
    _row(A.DIE_NOT_FLAT,    Call.MUST,   Then.RETHROW,   LAW[".13(a)"]),
    _row(A.DIE_OUT,         Call.MUST,   Then.RETHROW,   LAW[".13(b)"]),
    _row(A.MISTOTALLED,     Call.VOID,   Then.RETURN,    LAW[".13(c)"],     VOIDS),
    _row(A.PLAYER_CARD,     Call.MAY,    Then.CHOICE,    LAW[".13(d)#1"],   VOIDS),
    _row(A.DEALER_CARD,     Call.VOID,   Then.RETURN,    LAW[".13(e)"],     VOIDS),
    _row(A.ONE_FACE_UP,     Call.STANDS, Then.GO_ON,     LAW[".13(f)#1"],   "face-up-card-aside"),
    _row(A.FACE_UP,         Call.VOID,   Then.RETURN,    LAW[".13(f)#2"],   VOIDS),
    _row(A.DRAWN,           Call.STANDS, Then.GO_ON,     LAW[".13(g)"]),
    _row(A.WRONG_NUMBER,    Call.VOID,   Then.RETURN,    LAW[".13(h)"],     VOIDS),
    _row(A.DEALER_MISSET,   Call.STANDS, Then.GO_ON,     LAW[".13(i)"]),
    _row(A.HAND_DEAL,       Call.VOID,   Then.RETURN,    LAW[".13(j)"],     VOIDS),
    _row(A.WRONG_STACK,     Call.VOID,   Then.RETURN,    LAW[".13(k)"],     VOIDS),
    _row(A.SHUFFLER,        Call.STANDS, Then.RESHUFFLE, LAW[".13(l)"]),
    _row(A.SHOE,            Call.VOID,   Then.RETURN,    LAW[".13(m)"],     VOIDS),
    _row(A.LEFT,            Call.MAY,    Then.ABANDON,   LAW[".7(b)#3"]),
    _row(A.MISDEALT,        Call.VOID,   Then.RETURN,    LAW[".8(e)#2"],    VOIDS),
    _row(A.BAD_DECK,        Call.VOID,   Then.RETURN,    LAW[".8(e)#3"],    VOIDS),
    _row(A.HIGH_TOO_LOW,    Call.VOID,   Then.LOSE,      LAW[".11(f)(1)(iii)"]),
    _row(A.MEDIUM_TOO_LOW,  Call.VOID,   Then.LOSE,      LAW[".11(f)(1)(iv)"]),
    _row(A.NOT_SET,         Call.VOID,   Then.LOSE,      LAW[".11(f)(1)(v)"]),
)
TAINTS: Final = (   # what an irregular act leaves in doubt, and no more
    #     act                   in doubt         cite               reading
    Taint(Act.LATE_WAGER,        Scope.WAGER,     LAW[".7(c)#1"],    "late-wager"),
    Taint(Act.LATE_RAISE,        Scope.ADDED,     LAW[".7(c)#1"],    "late-raise"),
    Taint(Act.LATE_LIFT,         Scope.NOTHING,   LAW[".7(c)#3"],    "late-take-down"),
    Taint(Act.SECOND_PAYMENT,    Scope.NOTHING,   LAW[".11(e)#3"],   None),
    Taint(Act.EARLY_SETTLEMENT,  Scope.NOTHING,   LAW[".11(e)#3"],   None),
    Taint(Act.CALL,              Scope.NOTHING,   LAW[".11(e)#3"],   None),
    Taint(Act.CALL_OFF,          Scope.NOTHING,   LAW[".13(b)#2"],   "groundless-no-roll"),
    Taint(Act.HAND_CHANGED,      Scope.HAND,      LAW[".11(a)(3)"],  "changed-hands"),
    Taint(Act.TOLD_AGAIN,        Scope.NOTHING,   LAW[".11(e)#3"]),
)
# fmt: on
def row_of(accident: Accident) -> Invalid:
    """Return the row of an accident, with its effect."""
    return next(row for row in INVALID_HANDS if row.cause == accident)


NO_CAUSE: Final = frozenset({Rest.FLAT, Rest.UNRECOGNISED})
OUT: Final = frozenset({Rest.OUTSIDE_SHAKER, Rest.OFF_TABLE})


def roll_accident(dice: Sequence[Die]) -> Accident | None:
    """Return why a roll of the start dice does not count; None if it counts.

    A die of which it is not clear how it lies is no cause.
    """
    rests = {die.rest for die in dice} - NO_CAUSE
    if not rests.isdisjoint(OUT):
        return A.DIE_OUT
    return A.DIE_NOT_FLAT if rests else None


def unclear(dice: Sequence[Die]) -> bool:
    """Whether a die lies in a way that this version does not know."""
    return any(die.rest is Rest.UNRECOGNISED for die in dice)


def foul(hands: Hands, dealt: Sequence[Card] | None, switches: Switches) -> Accident | None:
    """Return why three hands are not set correctly, None if they are.

    ``dealt`` None: the cards that were dealt are not known and not checked.
    """
    high, medium, low = hands
    if not hands.sized or (dealt is not None and {*high, *medium, *low} != {*dealt}):
        return A.NOT_SET
    return out_of_order(places_of(hands, switches))


def out_of_order(places: Places) -> Accident | None:
    """Return which of three hands does not outrank the next, None if each does."""
    high, medium, low = places
    if not high > medium:
        return A.HIGH_TOO_LOW
    return None if medium > low else A.MEDIUM_TOO_LOW


# --- the house way -------------------------------------------------------------------------------

_OF: Final = {"high": 0, "medium": 1, "low": 2}
Rest3 = tuple[int, int, int, tuple[int, ...]]
_EVERY: Final = range(HIGH_CARDS + MEDIUM_CARDS + LOW_CARDS)
PAIRS: Final = tuple(combinations(_EVERY, MEDIUM_CARDS))
FOURS: Final = tuple(combinations(_EVERY, HIGH_CARDS))
FIRSTS: Final = itemgetter(*(e for e, _ in PAIRS))
SECONDS: Final = itemgetter(*(f for _, f in PAIRS))
"""Of seven values: those of the first, and of the second, card of each of ``PAIRS``."""
FRONTS: Final = itemgetter(*(PAIRS.index(four[:2]) for four in FOURS))
BACKS: Final = itemgetter(*(PAIRS.index(four[2:]) for four in FOURS))
"""Of the values of ``PAIRS``: those of both pairs that make up each of ``FOURS``."""
NUMBERS: Final = {four: number for number, four in enumerate(FOURS)}


def _splits() -> Iterator[tuple[Rest3, ...]]:
    for four in FOURS:
        first, second, third = (card for card in _EVERY if card not in four)
        rests = ((first, second, third), (first, third, second), (second, third, first))
        yield tuple((e, f, g, (*four, e, f, g)) for e, f, g in rests)


SPLITS: Final = tuple(_splits())
"""For each of ``FOURS``: the ways to lay the other three cards as two and one, with all seven.

Together these are 105 ways.
"""

Laid = tuple[Places, tuple[int, ...]]
"""What a setting is worth, and the numbers of its cards in order."""


class Setting(NamedTuple):
    """One way to set seven cards: what the hands are worth, and the cards in order."""

    places: Places
    cards: tuple[Card, ...]

    @property
    def hands(self) -> Hands:
        """The three hands."""
        first, second = HIGH_CARDS, HIGH_CARDS + MEDIUM_CARDS
        return Hands(self.cards[:first], self.cards[first:second], self.cards[second:])


class HouseWay(NamedTuple):
    """How the dealer's hands are set, step by step as filed."""

    steps: tuple[HouseWayStep, ...]


def permitted(cards: frozenset[Card], switches: Switches = PLAIN) -> tuple[Setting, ...]:
    """Return every way in which § 575.11(b) permits seven cards to be set."""
    seven, table = sorted(cards), lookup(switches)
    coded = [CODED[card] for card in seven]
    return _settings(seven, _permitted(coded, _fours(coded, table), table))


def _settings(seven: Sequence[Card], laid: Iterable[Laid]) -> tuple[Setting, ...]:
    return tuple([Setting(places, tuple([seven[n] for n in order])) for places, order in laid])


def _fours(seven: Iterable[Coded], table: Lookup) -> list[int]:
    """Return what each of ``FOURS`` is worth as a high hand."""
    rank, suit, _ = zip(*seven, strict=True)
    pairs = list(map(add, FIRSTS(rank), SECONDS(rank)))
    keys = list(map(add, FRONTS(pairs), BACKS(pairs)))
    suits = sum(suit)
    for bit in SUIT_BITS:
        if suits & HIGH_CARDS * bit:
            for four in combinations([n for n in _EVERY if suit[n] & bit], HIGH_CARDS):
                keys[NUMBERS[four]] += FLUSH
    highs = table.high
    return [highs[key] for key in keys]


def _permitted(
    seven: Sequence[Coded], fours: Sequence[int], table: Lookup, only: int | None = None
) -> list[Laid]:
    """Return the permitted settings; with ``only``, those whose high hand has this place."""
    small = [one.small for one in seven]
    lows, mediums = table.low, table.medium
    numbers: Iterable[int] = range(len(fours))
    if only is not None:
        once = fours.count(only) == 1
        numbers = (fours.index(only),) if once else [n for n in numbers if fours[n] == only]
    return [
        ((high, medium, low), order)
        for number in numbers
        for e, f, g, order in SPLITS[number]
        if (high := fours[number])
        > (medium := mediums[small[e] + small[f]])
        > (low := lows[small[g]])
    ]


HOLDINGS: Final = frozenset(
    {
        "no pair", "pair", "two pair", "three pair", "three of a kind", "full house",
        "four of a kind", "straight", "flush", "straight flush", "five aces",
    }
)  # fmt: skip
PREFERENCES: Final = frozenset(
    {f"{best} {hand}" for best in ("highest", "lowest") for hand in _OF}
    | {f"{what} in {hand}" for what in ("pair", "no pair") for hand in ("high", "medium")}
)


HIGHEST: Final = "highest high"


def can_be_run(way: HouseWay) -> bool:
    """Whether every step of a filed way can be applied, and every holding has a step."""
    known = all(
        step.holding in (None, *HOLDINGS) and set(step.prefer) <= PREFERENCES for step in way.steps
    )
    holdings = {step.holding for step in way.steps}
    return known and (
        None in holdings or holdings >= HOLDINGS - {"straight", "flush", "straight flush"}
    )


def holdings(
    cards: frozenset[Card], fours: Iterable[int], switches: Switches = PLAIN
) -> frozenset[str]:
    """Return what seven cards hold, in the words of a filed house way.

    ``fours`` is what ``_fours`` returns for them.
    """
    sizes = [count for count, _ in groups([c.rank or ACE for c in cards])]
    pairs = sizes.count(2)
    names = lookup(switches).names
    words = {names[place] for place in fours}
    straights = words & {"straight", "flush", "straight flush"}
    if "royal flush" in words:
        straights |= {"straight flush"}
    if sizes[0] == 5:
        straights |= {"five aces"}
    elif sizes[0] == 4:
        straights |= {"four of a kind"}
    elif sizes[0] == 3:
        straights |= {"full house" if len(sizes) > 1 and sizes[1] >= 2 else "three of a kind"}
    else:
        straights |= {("no pair", "pair", "two pair", "three pair")[pairs]}
    return frozenset(straights)


def narrowed(left: Sequence[Laid], word: str, switches: Switches) -> Sequence[Laid]:
    """Return the settings that one of ``PREFERENCES`` prefers among several."""
    which, _, rest = word.partition(" ")
    if which in ("highest", "lowest"):
        hand = _OF[rest]
        best = (max if which == "highest" else min)([places[hand] for places, _ in left])
        return [one for one in left if one[0][hand] == best]
    wanted, _, rest = word.rpartition(" in ")
    hand, pair, ranks = _OF[rest], STRENGTH["pair"], lookup(switches).ranks
    wish = wanted == "pair"
    return [one for one in left if (ranks[one[0][hand]].strength == pair) is wish] or left


def set_the_house_way(
    way: HouseWay, cards: frozenset[Card], switches: Switches = PLAIN
) -> tuple[Setting, ...]:
    """Return the settings that the filed way leaves; none where it does not cover these cards."""
    seven, table = sorted(cards), lookup(switches)
    coded = [CODED[card] for card in seven]
    fours = _fours(coded, table)
    step = _step_for(way, cards, fours, switches)
    if step is None or not PREFERENCES.issuperset(step.prefer):
        return ()
    words = step.prefer
    left: Sequence[Laid] = ()
    if words[:1] == (HIGHEST,):  # as most ways are filed: a third of the work
        left = _permitted(coded, fours, table, max(fours))
        words = words[1:] if left else words
    left = left or _permitted(coded, fours, table)
    for word in words:
        left = narrowed(left, word, switches) if len(left) > 1 else left
    return _settings(seven, left)


def _step_for(
    way: HouseWay, cards: frozenset[Card], fours: Iterable[int], switches: Switches
) -> HouseWayStep | None:
    """Return the first step that is filed for what the cards hold, or for all cards; else None."""
    shown: frozenset[str] | None = None
    for step in way.steps:
        if step.holding is not None and shown is None:
            shown = holdings(cards, fours, switches)
        if step.holding is None or (shown is not None and step.holding in shown):
            return step
    return None


METHOD_ROWS: Final[Mapping[Accident, Mapping[str, str]]] = {
    # the same sentence stands in §§ 575.8, 575.9 and 575.10, once for each way of dealing
    A.MISDEALT: {"MANUAL_SHOE": ".8(e)#2", "HAND": ".9(d)#1", "AUTOMATED_SHOE": ".10(d)#1"},
    A.BAD_DECK: {"MANUAL_SHOE": ".8(e)#3", "HAND": ".9(d)#2", "AUTOMATED_SHOE": ".10(d)#2"},
}
