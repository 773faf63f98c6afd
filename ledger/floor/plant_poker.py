"""Plants in the cards, the start and the hands of Asia Poker.

Law: 58 Pa. Code §§ 575.4, 575.5, 575.8, 575.10-575.13.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from ledger import events
from ledger.floor.asia_poker_hands import SetHands, all_settings, settings
from ledger.floor.asia_poker_payouts import BONUS, DEALER, MAIN, PLAYERS
from ledger.floor.day import Day
from ledger.floor.draft import Draft
from ledger.floor.plant_house import LastingPlant
from ledger.floor.plant_play import last_of
from ledger.floor.tables import TableSpec

PLAIN: Final = (
    events.BettingOpened, events.BonusHandFormed, events.CardsDealt, events.CardsDiscarded, events.CardsShuffled, events.DealBegan, events.DiceShaken, events.DiceThrown,
    events.DiceTotalAnnounced, events.GeneratorShown, events.HandExposed, events.HandSet, events.NoMoreBetsAnnounced, events.RemainingCardsCounted,
    events.ResultAnnounced, events.ShakerCovered, events.ShakerUncovered, events.StartDetermined, events.WagerPlaced, events.WagerSettled,
)  # fmt: skip
"""The facts of a round in which nothing unusual happens."""

_BY_DEAL: Final = {
    events.DealMethod.MANUAL_SHOE: "575.8",
    events.DealMethod.AUTOMATED_SHOE: "575.10",
}
LEAST_MAXIMUM: Final = 4_000_000
"""A maximum payout in cents; $50,000 are the least (§ 575.12(c))."""


def by_deal(spec: TableSpec, manual: str, automated: str) -> str:
    """The paragraph of § 575.8 or § 575.10, by how the table deals."""
    section = _BY_DEAL[spec.offer.deals]
    return f"{section}({manual if section == '575.8' else automated})"


# --- what a round offers -------------------------------------------------------------------------


def dealt(draft: Draft) -> bool:
    """A plain round of cards with a wager."""
    plain = all(isinstance(fact, PLAIN) for fact in draft.facts)
    return plain and _dealt(draft) and any(isinstance(f, events.WagerPlaced) for f in draft.facts)


def _dealt(draft: Draft) -> bool:
    return any(isinstance(fact, events.CardsDealt) for fact in draft.facts)


def revealed(draft: Draft) -> list[events.HandExposed]:
    """The players' hands that the dealer revealed, in order."""
    return [f for f in draft.facts if isinstance(f, events.HandExposed) and f.position != DEALER]


def shown(draft: Draft) -> bool:
    """A plain round in which a player's hands are revealed."""
    return dealt(draft) and bool(revealed(draft))


def alone(draft: Draft) -> bool:
    """A plain round with a place where no wager lies."""
    return dealt(draft) and any(
        isinstance(f, events.CardsDiscarded) and f.kind is events.Discard.EMPTY_POSITION
        for f in draft.facts
    )


def with_bonus(draft: Draft) -> list[events.WagerSettled]:
    """Bonus Wagers of a plain round whose Asia Poker Wager loses."""
    if not dealt(draft):
        return []
    wagers = draft.standing()
    lost = {wagers[f.wager_id].placed.position for f in draft.settled(events.SettledAs.LOST)
            if wagers[f.wager_id].area[0] == MAIN}  # fmt: skip
    return [
        fact
        for fact in draft.facts
        if isinstance(fact, events.WagerSettled)
        and wagers[fact.wager_id].area[0] == BONUS
        and wagers[fact.wager_id].placed.position in lost
    ]


def losing_beside_bonus(draft: Draft) -> bool:
    """Whether there is such a wager."""
    return bool(with_bonus(draft))


def surrendered(draft: Draft) -> bool:
    """A round in which a player surrenders."""
    return any(isinstance(fact, events.SurrenderedCardsCounted) for fact in draft.facts)


def otherwise_set(draft: Draft) -> bool:
    """A plain round in which the dealer could have set the hands in another way."""
    return shown(draft) and bool(_other_ways(draft))


def _other_ways(draft: Draft) -> list[SetHands]:
    """Permitted settings of the dealer's cards with another medium hand than the one laid."""
    own = _dealers(draft)
    cards = (*(own.high or ()), *(own.medium or ()), *(own.low or ()))
    mine = next(
        laid for laid in all_settings(cards) if (laid.high, laid.medium) == (own.high, own.medium)
    )
    return [laid for laid in settings(cards) if laid.worth[1] != mine.worth[1]]


def _dealers(draft: Draft) -> events.HandSet:
    return next(f for f in draft.facts if isinstance(f, events.HandSet) and f.position == DEALER)


def joker_opening(draft: Draft) -> bool:
    """An opening at which a second joker is torn."""
    return any(isinstance(fact, events.SecondJokerRemoved) for fact in draft.facts)


# --- cards and start -----------------------------------------------------------------------------


def deck_not_shuffled(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The cards of the last round are dealt again as they lie."""
    draft.remove(last_of(draft, events.CardsShuffled))
    draft.find("deck_not_shuffled", "575.5(a)", last_of(draft, events.DealBegan))


def second_joker_left(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """Nobody tears the second joker."""
    draft.remove(last_of(draft, events.SecondJokerRemoved))
    draft.find("second_joker_not_removed", "575.4(b)", last_of(draft, events.DeckPlaced))


def deck_not_verified(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The floorperson does not verify the inspection of a deck."""
    verified = last_of(draft, events.DeckInspectionVerified)
    draft.remove(verified)
    inspected = next(
        f for f in draft.facts if isinstance(f, events.DeckInspected) and f.deck == verified.deck
    )
    draft.find("inspection_not_verified", "575.4(a)", inspected)


def start_miscounted(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The first card goes one place too far."""
    began, cards = last_of(draft, events.DealBegan), last_of(draft, events.CardsDealt)
    places = [stack.position for stack in cards.stacks]
    wrong = replace(began, position=places[1])
    stacks = [stack.cards for stack in cards.stacks]
    turned = (*cards.stacks[1:], cards.stacks[0])
    assert len(stacks) == len(turned), "every place got cards"
    draft.swap(began, wrong)
    draft.swap(cards, replace(cards, first_position=places[1], stacks=turned))
    cite = "575.5(g)(1)(iii)" if spec.has_shaker else "575.5(g)(2)"
    draft.find("wrong_start_position", cite, wrong)


def dice_mistotalled(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """Another total is announced than the dice show; the first card goes to the right place."""
    announced = last_of(draft, events.DiceTotalAnnounced)
    wrong = replace(announced, total=announced.total + rng.choice((-1, 1)))
    draft.swap(announced, wrong)
    draft.find("dice_total_wrong", "575.5(g)(1)(ii)", wrong)


def start_shaken_twice(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The shaker is shaken twice before the start is read."""
    first = next(fact for fact in draft.facts if isinstance(fact, events.DiceShaken))
    draft.swap(first, replace(first, shakes=2))
    draft.find("too_few_shakes", "575.5(g)(1)(i)", last_of(draft, events.DiceThrown))


def start_die_leaning(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A die leans, and the dealer counts it as if it lay flat."""
    thrown = last_of(draft, events.DiceThrown)
    last = replace(
        thrown.dice[-1], rest=rng.choice((events.Rest.ONE_SIDE_PROPPED, events.Rest.ON_A_DIE))
    )
    leaning = replace(thrown, dice=(*thrown.dice[:-1], last))
    draft.swap(thrown, leaning)
    draft.find("no_roll_not_called", "575.13(a)", leaning)


# --- what is seen that may not be ----------------------------------------------------------------


def _seen(
    after: events.Fact, position: str, *, during: bool, count: int, by: str | None
) -> events.HandExposed:
    return events.HandExposed(
        stream=after.stream,
        seq=0,
        event_time=after.event_time + 300_000,
        source=after.source,
        recorded_by=after.recorded_by,
        position=position,
        hand=None if during else events.WhichHand.ALL,
        cards=None,
        count=count,
        during_deal=during,
        role=events.Role.DEALER,
        exposed_by=by,
    )


def stub_shown(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The four cards that remain are turned over."""
    counted = last_of(draft, events.RemainingCardsCounted)
    seen = events.RemainingCardsExposed(
        stream=counted.stream,
        seq=0,
        event_time=counted.event_time + 300_000,
        source=counted.source,
        recorded_by=counted.recorded_by,
        cards=None,
        count=4,
        exposed_by=counted.counted_by,
    )
    draft.insert(seen)
    draft.find("remaining_cards_exposed", by_deal(spec, "d", "c"), seen)


def empty_stack_shown(draft: Draft, spec: TableSpec, rng: Random) -> None:
    """The cards of a place without a wager are turned over."""
    empty = [f for f in draft.facts if isinstance(f, events.CardsDiscarded) and f.kind is events.Discard.EMPTY_POSITION]  # fmt: skip
    fact = rng.choice(empty)
    counted = last_of(draft, events.RemainingCardsCounted)
    seen = _seen(counted, fact.position or "", during=False, count=7, by=fact.discarded_by)
    draft.insert(seen)
    draft.find("empty_stack_exposed", by_deal(spec, "f", "e"), seen)


def dealer_card_shown(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A card of the dealer is exposed in the deal, and the round is played all the same."""
    began, closed = last_of(draft, events.DealBegan), last_of(draft, events.NoMoreBetsAnnounced)
    seen = replace(
        _seen(closed, DEALER, during=True, count=1, by=closed.announced_by),
        event_time=began.event_time + 2_000_000,
    )
    draft.insert(seen)
    for fact in draft.facts:
        if isinstance(fact, events.WagerSettled):
            draft.find("void_round_settled", "575.13(e)", fact)


def surrendered_cards_shown(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The cards of a player who surrendered are turned over as they are counted."""
    counted = last_of(draft, events.SurrenderedCardsCounted)
    open_ = replace(counted, face_down=False, exposed=True)
    draft.swap(counted, open_)
    draft.find("surrendered_cards_exposed", "575.11(d)", open_)


# --- hands and settlement ------------------------------------------------------------------------


def dealer_set_otherwise(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The dealer sets the hands as no filed way does; settled is by the filed way (575.13(i))."""
    own, other = _dealers(draft), rng.choice(_other_ways(draft))
    draft.swap(own, replace(own, high=other.high, medium=other.medium, low=other.low))
    draft.find("dealer_hand_set_wrong", "575.11(c)", revealed(draft)[0])


def hands_touched_again(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A player takes up hands that were set, and lays them down again."""
    sets = [f for f in draft.facts if isinstance(f, events.HandSet) and f.position in PLAYERS]
    first = rng.choice(sets)
    turned = next(
        f for f in draft.facts if isinstance(f, events.HandExposed) and f.position == DEALER
    )
    again = replace(first, event_time=turned.event_time - 300_000, reset=True)
    draft.insert(again)
    draft.find("hand_changed_after_set", "575.11(a)(3)", again)


def surrender_with_bonus(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A player with a Bonus Wager surrenders, and the dealer takes it."""
    placed = draft.standing()[rng.choice(with_bonus(draft)).wager_id].placed
    mine = {w.placed.position: w.placed for w in draft.standing().values() if w.area[0] == MAIN}
    set_ = _dealers(draft)
    given_up = events.HandSurrendered(
        stream=set_.stream,
        seq=0,
        event_time=set_.event_time + 300_000,
        source=set_.source,
        recorded_by=set_.recorded_by,
        position=placed.position or "",
        patron=placed.patron,
        wager_id=mine[placed.position].wager_id,
    )
    draft.insert(given_up)
    draft.find("surrender_with_bonus", "575.11(d)", given_up)


def bonus_settled_first(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The Bonus Wager of a position is settled before its Asia Poker Wager."""
    bonus = rng.choice(with_bonus(draft))
    wagers = draft.standing()
    position = wagers[bonus.wager_id].placed.position
    main = next(
        fact
        for fact in draft.facts
        if isinstance(fact, events.WagerSettled)
        and wagers[fact.wager_id].placed.position == position
        and fact is not bonus
    )
    early = replace(bonus, event_time=main.event_time)
    draft.swap(main, early)
    draft.swap(bonus, replace(main, event_time=bonus.event_time))
    draft.find("bonus_settled_first", "575.11(h)", early)


# --- what was filed ------------------------------------------------------------------------------


def _untouched(draft: Draft) -> bool:  # noqa: ARG001
    return False


def maximum_too_low(spec: TableSpec, rng: Random, first: Day) -> LastingPlant:  # noqa: ARG001
    """What is filed and posted as the maximum payout is too low; no hand comes near it."""

    def file(draft: Draft) -> None:
        for fact in list(draft.facts):
            if (
                isinstance(fact, events.AsiaPokerOptionsFiled)
                and fact.submission == spec.submission
            ):
                draft.swap(fact, replace(fact, maximum_payout_cents=LEAST_MAXIMUM))
                draft.find("payout_limit_too_low", "575.12(c)", _submission(draft, spec))

    def touch(draft: Draft) -> bool:
        for fact in draft.facts:
            if isinstance(fact, events.ItemInspected) and fact.item == "payout_limit":
                seen = tuple(replace(one, value=str(LEAST_MAXIMUM)) for one in fact.seen)
                draft.swap(fact, replace(fact, seen=seen))
                return True
        return False

    return LastingPlant("maximum_too_low", spec, file, touch)


def house_way_missing(spec: TableSpec, rng: Random, first: Day) -> LastingPlant:  # noqa: ARG001
    """Nobody filed how the dealer's hands are set."""

    def file(draft: Draft) -> None:
        for fact in list(draft.facts):
            if isinstance(fact, events.HouseWayFiled) and fact.submission == spec.submission:
                draft.remove(fact)
                draft.find("house_way_not_filed", "575.11(c)", _submission(draft, spec))

    return LastingPlant("house_way_missing", spec, file, _untouched)


def _submission(draft: Draft, spec: TableSpec) -> events.RulesSubmissionFiled:
    return next(
        fact
        for fact in draft.facts
        if isinstance(fact, events.RulesSubmissionFiled) and fact.submission == spec.submission
    )
