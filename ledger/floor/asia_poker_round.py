"""One round of Asia Poker as this floor deals it, with its lawful irregularities.

Law: 58 Pa. Code §§ 575.5, 575.7-575.13.
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.floor.asia_poker_deal import (
    Deal,
    close_shaker,
    count_remaining,
    deal,
    find_start,
    shuffle,
)
from ledger.floor.asia_poker_hands import SetHands, all_settings, bonus_hand, higher, set_by
from ledger.floor.asia_poker_mishaps import irregular, mend, stop, void
from ledger.floor.asia_poker_payouts import BONUS, DEALER, MAIN, PLAYERS
from ledger.floor.betting import (
    Bet,
    Twist,
    return_one,
    settle_one,
    take_wagers,
)
from ledger.floor.patron_habits import Habit
from ledger.floor.table_state import Table
from ledger.kernel.quick_dataclass import dataclass

_SURRENDERS: Final = 0.04
_FOULS: Final = 0.015
_BALANCED: Final = events.HouseWayStep(
    holding=None, prefer=("highest medium", "highest high", "highest low")
)
"""How most players set their hands; the others do as the dealer does."""


@dataclass(slots=True)
class Seat:
    """A player's place in a round: wagers, and the hands as they were set."""

    position: str
    main: Bet
    bonus: Bet | None
    laid: SetHands | None = None


def play_asia_poker(table: Table, twist: Twist | None) -> None:
    """Play one round: from the shuffle to the last hand discarded."""
    shuffle(table, by_hand=twist is Twist.SHUFFLER_FAILS)
    bets = take_wagers(table, twist)
    start = find_start(table, leaning=twist is Twist.NO_ROLL)
    dealt = _dealt(table, twist, start)
    if dealt is None:
        void(table, twist, bets)
    else:
        seats = _seats(bets)
        _discard_empty(table, dealt, seats)
        if table.spec.has_shaker:
            close_shaker(table)
        gains = _play_hands(table, dealt, seats, exposed=twist is Twist.PLAYER_CARD)
        for patron in table.patrons:
            patron.learn(gains.get(id(patron), 0))
    if twist is Twist.SHUFFLER_FAILS:
        mend(table, events.CardDevice.SHUFFLER)
    table.cards.turn += 1


# --- the deal ------------------------------------------------------------------------------------


def _dealt(table: Table, twist: Twist | None, start: str) -> Deal | None:
    """The cards come out; None where the deal makes all hands void."""
    if twist is Twist.FACE_UP:
        dealt = deal(table, start, face_up=True)
    elif twist is Twist.WRONG_COUNT:
        position = PLAYERS[int(table.rng.random() * len(PLAYERS))]
        deal(table, start, too_many=position)
        irregular(table, events.Irregularity.WRONG_NUMBER_OF_CARDS, position, count=8)
        return None
    elif twist is Twist.SHORT_DECK:
        deal(table, start, short=True)
        count_remaining(table, 3)
        irregular(table, events.Irregularity.WRONG_NUMBER_REMAINING, None, count=3)
        return None
    elif twist is Twist.SHOE_FAILS or twist is Twist.DEALER_CARD:
        stop(table, twist, start)
        return None
    else:
        dealt = deal(table, start)
    count_remaining(table, 3 if dealt.face_up else 4)
    _discard(table, events.Discard.REMAINING_CARDS, None, 3 if dealt.face_up else 4)
    if dealt.face_up:
        _discard(table, events.Discard.FACE_UP_CARD, None, 1, cards=(dealt.face_up,))
    return dealt


# --- the hands -----------------------------------------------------------------------------------


def _seats(bets: list[Bet]) -> list[Seat]:
    mains = {bet.patron.position: bet for bet in bets if bet.area[0] == MAIN}
    bonuses = {bet.patron.position: bet for bet in bets if bet.area[0] == BONUS}
    return [Seat(p, mains[p], bonuses.get(p)) for p in PLAYERS if p in mains]


def _discard_empty(table: Table, dealt: Deal, seats: list[Seat]) -> None:
    taken = {seat.position for seat in seats}
    for position in PLAYERS:
        if position not in taken:
            count = len(dealt.stacks[position])
            _discard(table, events.Discard.EMPTY_POSITION, position, count)


def _play_hands(table: Table, dealt: Deal, seats: list[Seat], *, exposed: bool) -> dict[int, int]:
    """Hands are set, surrendered, revealed and settled; what each patron gains."""
    gains: dict[int, int] = {}
    if exposed and seats:
        seats = _one_exposed(table, dealt, seats)
    for seat in sorted(seats, key=lambda _: table.rng.random()):
        seat.laid = _chosen(table, dealt.stacks[seat.position], seat)
        _set(table, seat.position, seat.laid, seat.main.patron.ref)
    _expose(table, DEALER, dealt.stacks[DEALER])
    offer = table.spec.offer
    dealer = set_by(offer.way, dealt.stacks[DEALER], low_straight=offer.low_straight)[0]
    _set(table, DEALER, dealer, None)
    for seat in list(seats):
        if seat.bonus is None and table.rng.random() < _SURRENDERS:
            gains[id(seat.main.patron)] = _surrender(table, seat)
            seats.remove(seat)
    for seat in seats:
        gains[id(seat.main.patron)] = _reveal(table, seat, dealer, dealt.stacks[seat.position])
    _discard(table, events.Discard.DEALER_HANDS, DEALER, 7)
    return gains


def _chosen(table: Table, cards: tuple[str, ...], seat: Seat) -> SetHands:
    """How a player sets the seven cards: by habit, and now and then not as permitted."""
    offer, low = table.spec.offer, table.spec.offer.low_straight
    if table.rng.random() < _FOULS:
        wrong = [laid for laid in all_settings(cards, low_straight=low) if not laid.permitted]
        return wrong[int(table.rng.random() * len(wrong))]
    careful = seat.main.patron.habit in (Habit.HIGH_ROLLER, Habit.GROUP)
    way = [offer.way[-1]] if careful else [_BALANCED]
    return set_by(way, cards, low_straight=low)[0]


def _set(table: Table, position: str, laid: SetHands, patron: str | None) -> None:
    dealer = position == DEALER
    table.sheet.append(
        events.HandSet(
            **table.main.stamp(table.wait(2, 9), table.dealer),
            position=position,
            role=events.Role.DEALER if dealer else events.Role.PATRON,
            set_by=table.dealer if dealer else patron,
            high=laid.high,
            medium=laid.medium,
            low=laid.low,
            reset=None,
        )
    )


def _expose(table: Table, position: str, cards: tuple[str, ...]) -> None:
    table.sheet.append(
        events.HandExposed(
            **table.main.stamp(table.wait(1, 3), table.dealer),
            position=position,
            hand=events.WhichHand.ALL,
            cards=cards,
            count=len(cards),
            during_deal=False,
            role=events.Role.DEALER,
            exposed_by=table.dealer,
        )
    )


def _one_exposed(table: Table, dealt: Deal, seats: list[Seat]) -> list[Seat]:
    """The dealer exposed a card of a player, who voids the hand or plays it out."""
    seat = seats[int(table.rng.random() * len(seats))]
    voids = table.rng.random() < 0.5
    irregular(table, events.Irregularity.PLAYER_CARD_EXPOSED, seat.position, count=1, exposed=True)
    table.sheet.append(
        events.ExposureChoiceMade(
            **table.main.stamp(table.wait(3, 8), table.dealer),
            position=seat.position,
            patron=seat.main.patron.ref,
            choice=events.ExposureChoice.VOID if voids else events.ExposureChoice.PLAY_OUT,
            looked=False,
        )
    )
    if not voids:
        return seats
    for bet in (seat.main, seat.bonus):
        if bet is not None:
            return_one(table, bet)
    _discard(table, events.Discard.PLAYER_HANDS, seat.position, len(dealt.stacks[seat.position]))
    return [other for other in seats if other is not seat]


def _surrender(table: Table, seat: Seat) -> int:
    """The player gives up, the wager and the cards are collected at once."""
    table.sheet.append(
        events.HandSurrendered(
            **table.main.stamp(table.wait(2, 5), table.dealer),
            position=seat.position,
            patron=seat.main.patron.ref,
            wager_id=seat.main.wager_id,
        )
    )
    gain = settle_one(table, seat.main, -1)
    table.sheet.append(
        events.SurrenderedCardsCounted(
            **table.main.stamp(table.wait(2, 4), table.dealer),
            position=seat.position,
            cards=7,
            face_down=True,
            exposed=False,
            counted_by=table.dealer,
        )
    )
    _discard(table, events.Discard.SURRENDERED, seat.position, 7)
    return gain


def _reveal(table: Table, seat: Seat, dealer: SetHands, cards: tuple[str, ...]) -> int:
    """One player's hands are shown, compared and settled; the Bonus Wager comes after."""
    assert seat.laid is not None, "hands are set before they are shown"
    _expose(table, seat.position, cards)
    offer = table.spec.offer
    wins = seat.laid.permitted and higher(seat.laid, dealer) >= 2
    if not seat.laid.permitted:
        table.sheet.append(
            events.HandFouled(
                **table.main.stamp(table.wait(1, 2), table.dealer),
                position=seat.position,
                reason="the hands are not in their order",
                ruled_by=table.dealer,
            )
        )
    table.sheet.append(
        events.ResultAnnounced(
            **table.main.stamp(table.wait(1, 2), table.dealer),
            position=seat.position,
            wager_id=seat.main.wager_id,
            outcome=events.SettledAs.WON if wins else events.SettledAs.LOST,
            announced_by=table.dealer,
        )
    )
    due = min(seat.main.stake, offer.maximum) if wins else 0
    gain = settle_one(table, seat.main, due if wins else -1)
    if seat.bonus is not None:
        gain += _bonus(table, seat.position, seat.bonus, cards, offer.maximum - due)
    _discard(table, events.Discard.PLAYER_HANDS, seat.position, 7)
    return gain


def _bonus(table: Table, position: str, bet: Bet, cards: tuple[str, ...], left: int) -> int:
    """The Bonus Wager, paid by the highest hand, up to what is left of the most that is paid."""
    hand = bonus_hand(cards)
    table.sheet.append(
        events.BonusHandFormed(
            **table.main.stamp(table.wait(2, 4), table.dealer),
            position=position,
            cards=None,
            hand=hand,
            formed_by=table.dealer,
        )
    )
    if hand is None:
        return settle_one(table, bet, -1)
    return settle_one(table, bet, min(bet.stake * table.spec.offer.pays[hand], left))


def _discard(
    table: Table, kind: events.Discard, position: str | None, count: int,
    cards: tuple[str, ...] | None = None,
) -> None:  # fmt: skip
    table.sheet.append(
        events.CardsDiscarded(
            **table.main.stamp(table.wait(0.7, 1.5), table.dealer),
            kind=kind,
            position=position,
            deck=table.cards.deck.name,
            cards=cards,
            count=count,
            face_down=True if cards is None else None,
            kept_together=True,
            discarded_by=table.dealer,
        )
    )
