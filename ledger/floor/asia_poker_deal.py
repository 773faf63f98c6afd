"""Shuffle, start and deal of a round of Asia Poker as this floor does them.

Law: 58 Pa. Code §§ 575.3(b), 575.5, 575.8, 575.10, 575.13(a), (f), (l).
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.floor.asia_poker_equipment import device_of, shoe_of
from ledger.floor.asia_poker_hands import DECK
from ledger.floor.asia_poker_payouts import DEALER, PLAYERS
from ledger.floor.table_state import Table
from ledger.kernel.quick_dataclass import dataclass

_COLOURS: Final = ("red", "white", "blue")
_PLACES: Final = (DEALER, *PLAYERS)


@dataclass(slots=True)
class Deal:
    """The cards of each place; ``face_up`` was found so in the shoe and set aside."""

    stacks: dict[str, tuple[str, ...]]
    face_up: str | None = None


def shuffle(table: Table, *, by_hand: bool) -> None:
    """The deck of the next round is shuffled; of two, the other goes into the device."""
    cards = table.cards
    if by_hand:
        _shuffle_by_hand(table)
        return
    if cards.resting is None or cards.turn == 0:
        _by_device(table, cards.deck.name, kept=False)
    if cards.resting is not None:
        _by_device(table, cards.resting.name, kept=True)


def _by_device(table: Table, deck: str, *, kept: bool) -> None:
    table.sheet.append(
        events.CardsShuffled(
            **table.sensor.stamp(table.wait(5, 12), None),
            deck=deck,
            method=events.ShuffleMethod.AUTOMATED,
            device_id=device_of(table.spec, events.CardDevice.SHUFFLER),
            completed=True,
            kept_in_device=kept,
            shuffled_by=None,
            directed_by=None,
        )
    )


def _shuffle_by_hand(table: Table) -> None:
    """The device jams, is marked, and the dealer shuffles and cuts."""
    device = device_of(table.spec, events.CardDevice.SHUFFLER)
    deck = table.cards.deck.name
    table.sheet.append(
        events.CardDeviceFailed(
            **table.sensor.stamp(table.wait(5, 12), None),
            device=events.CardDevice.SHUFFLER,
            device_id=device,
            fault=events.CardDeviceFault.JAMMED,
            note=None,
        )
    )
    table.sheet.append(
        events.OutOfOrderShown(
            **table.main.stamp(table.wait(10, 20), table.floorperson),
            device=events.CardDevice.SHUFFLER,
            device_id=device,
            covered=False,
            sign=True,
            shown_by=table.floorperson,
        )
    )
    table.sheet.append(
        events.CardsShuffled(
            **table.main.stamp(table.wait(20, 40), table.dealer),
            deck=deck,
            method=events.ShuffleMethod.MANUAL,
            device_id=None,
            completed=True,
            kept_in_device=False,
            shuffled_by=table.dealer,
            directed_by=None,
        )
    )
    table.sheet.append(
        events.CardsCut(
            **table.main.stamp(table.wait(3, 6), table.dealer),
            deck=deck,
            cover_card_depth=10 + int(table.rng.random() * 30),
            recut=False,
            ordered_by=None,
            cut_by=table.dealer,
        )
    )


# --- the start -----------------------------------------------------------------------------------


def find_start(table: Table, *, leaning: bool) -> str:
    """Shaker or generator say where the first card goes (§ 575.5(g))."""
    if table.spec.has_shaker:
        if leaning:
            _shake(table)
            _uncover(table, events.Rest.ONE_SIDE_PROPPED)
            table.sheet.append(
                events.NoRollCalled(
                    **table.main.stamp(table.wait(1, 2), table.dealer),
                    reason="die not flat",
                    called_by=table.dealer,
                )
            )
            _cover(table)
        _shake(table)
        number = _uncover(table, events.Rest.FLAT)
        table.sheet.append(
            events.DiceTotalAnnounced(
                **table.main.stamp(table.wait(1, 2), table.dealer),
                total=number,
                correction=False,
                announced_by=table.dealer,
            )
        )
    else:
        number = 1 + int(table.rng.random() * 7)
        table.sheet.append(
            events.GeneratorShown(
                **table.sensor.stamp(table.wait(1, 3), None),
                device_id=device_of(table.spec, events.CardDevice.GENERATOR),
                number=number,
            )
        )
    start = _PLACES[(number - 1) % 7]
    by_dice = table.spec.has_shaker
    table.sheet.append(
        events.StartDetermined(
            **table.main.stamp(table.wait(1, 2), table.dealer),
            method=events.StartMethod.SHAKER if by_dice else events.StartMethod.GENERATOR,
            number=number,
            position=start,
            determined_by=table.dealer,
        )
    )
    return start


def _shake(table: Table, shakes: int | None = None) -> None:
    table.sheet.append(
        events.DiceShaken(
            **table.sensor.stamp(table.wait(2, 4), None),
            shaker=table.spec.shaker,
            kind=events.ShakerKind.MANUAL,
            shakes=shakes or 3 + int(table.rng.random() * 3),
            shaken_by=table.dealer,
            role=events.Role.DEALER,
        )
    )


def _cover(table: Table) -> None:
    table.sheet.append(
        events.ShakerCovered(**table.sensor.stamp(table.wait(1, 2), None), shaker=table.spec.shaker)
    )


def _uncover(table: Table, rest: events.Rest) -> int:
    """The lid comes off; the total of the dice, the last of which may lean."""
    assert table.dice is not None, "a table with a shaker opens with dice"
    table.sheet.append(
        events.ShakerUncovered(
            **table.sensor.stamp(table.wait(1, 2), None), shaker=table.spec.shaker
        )
    )
    faces = [1 + int(table.rng.random() * 6) for _ in range(3)]
    rests = (events.Rest.FLAT, events.Rest.FLAT, rest)
    table.sheet.append(
        events.DiceThrown(
            **table.sensor.stamp(table.wait(0.3, 0.8), None),
            dice=tuple(
                events.Die(serial=serial, colour=colour, face=face, rest=how)
                for serial, colour, face, how in zip(
                    table.dice.serials, _COLOURS, faces, rests, strict=True
                )
            ),
            thrown_by=table.dealer,
        )
    )
    return sum(faces)


def close_shaker(table: Table) -> None:
    """After the deal the shaker is covered and shaken once (§ 575.5(g)(1)(iv))."""
    _cover(table)
    _shake(table, shakes=1)


# --- the cards -----------------------------------------------------------------------------------


def deal(
    table: Table, start: str, *,
    face_up: bool = False, too_many: str | None = None, short: bool = False,
) -> Deal:  # fmt: skip
    """Seven cards to each of the seven places, clockwise from the start.

    Args:
        table: where.
        start: the place of the first card or stack.
        face_up: whether a card is found face up in the shoe, and set aside.
        too_many: the place that gets eight.
        short: whether a card is missing in the deck.
    """
    spec = table.spec
    pack = table.rng.sample(DECK, len(DECK))
    stack = None
    if short:
        pack.pop()
    if face_up:
        stack = pack.pop()
        table.sheet.append(
            events.IrregularityFound(
                **table.main.stamp(table.wait(3, 8), table.dealer),
                irregularity=events.Irregularity.CARD_FACE_UP,
                position=None,
                cards=(stack,),
                count=1,
                exposed=True,
                used_as_next_card=None,
                note=None,
                found_by=table.dealer,
            )
        )
    first = _PLACES.index(start)
    order = [_PLACES[(first - step) % 7] for step in range(7)]
    if spec.offer.deals is events.DealMethod.AUTOMATED_SHOE:
        stacks = {place: tuple(pack[7 * n : 7 * n + 7]) for n, place in enumerate(order)}
    else:
        stacks = {place: tuple(pack[n:49:7]) for n, place in enumerate(order)}
    if too_many is not None:
        stacks[too_many] = (*stacks[too_many], pack[49])
    deck, method, shoe = table.cards.deck.name, spec.offer.deals, shoe_of(spec)
    table.sheet.append(
        events.DealBegan(
            **table.sensor.stamp(table.wait(1, 3), None),
            deck=deck,
            method=method,
            device_id=shoe,
            position=start,
        )
    )
    table.sheet.append(
        events.CardsDealt(
            **table.sensor.stamp(table.wait(15, 25), None),
            deck=deck,
            method=method,
            device_id=shoe,
            first_position=start,
            direction=events.DealDirection.CLOCKWISE,
            complete=True,
            stacks=tuple(
                events.Stack(position=place, cards=cards, count=len(cards))
                for place, cards in stacks.items()
            ),
        )
    )
    return Deal(stacks, stack)


def count_remaining(table: Table, cards: int) -> None:
    """The cards that are left are spread face down and counted."""
    table.sheet.append(
        events.RemainingCardsCounted(
            **table.main.stamp(table.wait(2, 5), table.dealer),
            deck=table.cards.deck.name,
            cards=cards,
            face_down=True,
            counted_by=table.dealer,
        )
    )
