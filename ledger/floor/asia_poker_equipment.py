"""What an Asia Poker table needs: devices, decks, layout, and what was filed and approved for it.

Law: 58 Pa. Code §§ 575.2-575.4, 575.6(b), 575.7(e), (f), 575.11(c), 575.12(b), (c).
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.floor.asia_poker_payouts import BONUS, MAIN, WAGERS, Deck
from ledger.floor.stream_pens import HOUR, Stamp
from ledger.floor.table_state import Kind, Step, Table
from ledger.floor.tables import TableSpec

DECK_LIFE: Final = 6 * HOUR
"""How long a deck is used here; 8 hours are the most from a shoe (58 Pa. Code § 575.3(c)(2))."""

IN_PLAY: Final = 53
_HANDS: Final = ("high", "medium", "low")


def device_of(spec: TableSpec, device: events.CardDevice) -> str:
    """Id of a device of the table."""
    return f"{device.value.replace('_', '-')}-{spec.name}"


def shoe_of(spec: TableSpec) -> str:
    """Id of its dealing shoe."""
    return device_of(spec, _shoe(spec))


def _shoe(spec: TableSpec) -> events.CardDevice:
    automated = spec.offer.deals is events.DealMethod.AUTOMATED_SHOE
    return events.CardDevice.AUTOMATED_SHOE if automated else events.CardDevice.MANUAL_SHOE


def _devices(spec: TableSpec) -> tuple[events.CardDevice, ...]:
    generator = (
        (events.CardDevice.GENERATOR,) if spec.offer.starts is events.StartMethod.GENERATOR else ()
    )
    return (events.CardDevice.SHUFFLER, _shoe(spec), *generator)


def bring_cards(table: Table) -> None:
    """Devices once, decks at each opening; the shaker is closed over its dice."""
    spec = table.spec
    if not table.cards.devices_placed:
        table.cards.devices_placed = True
        for device in _devices(spec):
            table.sheet.append(
                events.CardDevicePlaced(
                    **table.main.stamp(table.wait(10, 30), table.floorperson),
                    device=device,
                    device_id=device_of(spec, device),
                )
            )
    if spec.has_shaker:
        table.sheet.append(
            events.ShakerCovered(**table.sensor.stamp(table.wait(1, 2), None), shaker=spec.shaker)
        )
    table.cards.turn = 0
    table.cards.decks = []
    for letter, back in spec.offer.decks:
        table.cards.decks.append(place_deck(table, letter, back, prepared=False))


def place_deck(table: Table, letter: str, back: str, *, prepared: bool) -> Deck:
    """Deck A or B comes into play; one that is not prepared is inspected, spread and washed."""
    table.cards.serial += 1
    deck = Deck(f"{table.spec.name}-{letter}-{table.cards.serial:04d}", back)
    two_jokers = len(table.spec.offer.decks) == 1
    table.sheet.append(
        events.DeckPlaced(
            **table.main.stamp(table.wait(5, 10), table.floorperson),
            deck=deck.name,
            cards=IN_PLAY,
            jokers=1,
            jokers_made=2 if two_jokers else 1,
            cover_cards=2,
            back=back,
            design="Keystone",
            preinspected_and_preshuffled=prepared,
            placed_by=table.floorperson,
        )
    )
    if prepared:
        return deck
    table.sheet.append(
        events.DeckInspected(
            **table.main.stamp(table.wait(15, 30), table.dealer),
            deck=deck.name,
            fit=True,
            defects=None,
            inspected_by=table.dealer,
        )
    )
    table.sheet.append(
        events.DeckInspectionVerified(
            **table.main.stamp(table.wait(5, 10), table.floorperson),
            deck=deck.name,
            verified_by=table.floorperson,
        )
    )
    if two_jokers:
        table.sheet.append(
            events.SecondJokerRemoved(
                **table.main.stamp(table.wait(5, 10), table.dealer),
                deck=deck.name,
                torn=True,
                returned_to_container=True,
                removed_by=table.dealer,
                seen_by=table.floorperson,
            )
        )
    table.sheet.append(
        events.CardsSpread(
            **table.main.stamp(table.wait(10, 20), table.dealer),
            deck=deck.name,
            face_up=True,
            spread_by=table.dealer,
        )
    )
    table.sheet.append(
        events.CardsWashed(
            **table.main.stamp(table.wait(10, 20), table.dealer),
            deck=deck.name,
            washed_by=table.dealer,
        )
    )
    return deck


def remove_deck(table: Table, deck: Deck, reason: str) -> None:
    """A whole deck leaves the table.

    Args:
        table: the table.
        deck: the deck.
        reason: why it leaves, as the event names it.
    """
    table.sheet.append(
        events.DeckRemoved(
            **table.main.stamp(table.wait(3, 8), table.floorperson),
            deck=deck.name,
            whole_deck=True,
            reason=reason,
            removed_by=table.floorperson,
        )
    )


def replace_deck(table: Table, deck: Deck, reason: str, *, prepared: bool) -> None:
    """Another deck of the same back takes the place of one.

    Args:
        table: the table.
        deck: the deck that leaves.
        reason: why it leaves, as the event names it.
        prepared: whether the other one was inspected, spread and washed before.
    """
    remove_deck(table, deck, reason)
    letter = next(name for name, back in table.spec.offer.decks if back == deck.back)
    fresh = place_deck(table, letter, deck.back, prepared=prepared)
    table.cards.decks[table.cards.decks.index(deck)] = fresh


def change_decks(table: Table) -> Step:
    """New decks, well before the old ones were in use too long."""
    table.begin()
    for deck in list(table.cards.decks):
        replace_deck(table, deck, "in use for long", prepared=len(table.cards.decks) == 2)
    return table.finish(Kind.DECKS)


def take_cards_away(table: Table) -> None:
    """No deck stays at a closed table."""
    for deck in table.cards.decks:
        remove_deck(table, deck, "end of the day's play")
    table.cards.decks = []


def filed_options(spec: TableSpec, first: Stamp, second: Stamp) -> list[events.Fact]:
    """What the Rules Submission says beside its paytable.

    Args:
        spec: the table as it was planned.
        first: header of the fact of the options.
        second: header of the fact of the house way.
    """
    offer = spec.offer
    return [
        events.AsiaPokerOptionsFiled(
            **first,
            submission=spec.submission,
            bonus_offered=True,
            bonus_paytable=offer.paytable,
            adjacent_areas=False,
            a234_straight_lowest=offer.low_straight,
            a234_straight_flush_lowest=False,
            maximum_payout_cents=offer.maximum,
            dealing=(offer.deals,),
            starting=(offer.starts,),
            two_decks=len(offer.decks) == 2,
        ),
        events.HouseWayFiled(
            **second, submission=spec.submission, text=offer.way_text, steps=offer.way
        ),
    ]  # fmt: skip


def paytable(spec: TableSpec) -> tuple[events.FiledOdds, ...]:
    """The odds filed for a table."""
    bonus = spec.offer.pays.items()
    return (
        events.FiledOdds(wager=MAIN, on=None, odds="1:1"),
        *(events.FiledOdds(wager=BONUS, on=hand, odds=f"{odds}:1") for hand, odds in bonus),
    )


def approvals(spec: TableSpec) -> list[tuple[str, events.Bureau]]:
    """Which bureau approved which piece of its equipment."""
    operations, laboratory = (
        events.Bureau.GAMING_OPERATIONS,
        events.Bureau.GAMING_LABORATORY_OPERATIONS,
    )
    devices = [(device_of(spec, device), laboratory) for device in _devices(spec)]
    return [*devices, (spec.shaker, operations)] if spec.has_shaker else devices


def layout_items(spec: TableSpec) -> list[tuple[str, tuple[events.Seen, ...]]]:
    """What the layout shows."""
    offer = spec.offer
    areas = tuple(events.Seen(name=hand, value=None) for hand in _HANDS)
    odds = [
        events.Seen(name=f"{BONUS} {hand}", value=f"{to} to 1") for hand, to in offer.pays.items()
    ]
    return [
        ("holder_name_or_logo", ()),
        ("wager_areas", tuple(events.Seen(name=wager, value=None) for wager in WAGERS)),
        ("player_hand_areas", areas),
        ("dealer_hand_areas", areas),
        ("printed_odds", (events.Seen(name=MAIN, value="1 to 1"), *odds)),
        ("payout_limit", (events.Seen(name="payout_limit", value=str(offer.maximum)),)),
        (
            "stated_limits",
            tuple(events.Seen(name=name, value=None) for name in ("minimum", "maximum")),
        ),
    ]
