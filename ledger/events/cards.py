"""Facts of decks, card equipment, the start and the deal.

One frozen dataclass per schema, under ``schemas/cards``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.enums import (
    CardDevice,
    CardDeviceFault,
    DealDirection,
    DealMethod,
    ShuffleMethod,
    StartMethod,
)
from ledger.events.fact_declaration import Header, declared
from ledger.events.parts import Stack


@declared
class DeckPlaced(Header):
    """A deck of cards was put into use at the table."""

    deck: str
    cards: int | None
    jokers: int | None
    jokers_made: int | None
    cover_cards: int | None
    back: str | None
    design: str | None
    preinspected_and_preshuffled: bool | None
    placed_by: str | None


@declared
class DeckRemoved(Header):
    """A deck of cards was taken out of use at the table."""

    deck: str
    whole_deck: bool | None
    reason: str | None
    removed_by: str | None


@declared
class DeckInspected(Header):
    """The cards of a deck were inspected for defects at the table."""

    deck: str
    fit: bool | None
    defects: str | None
    inspected_by: str


@declared
class DeckInspectionVerified(Header):
    """The inspection of a deck was verified."""

    deck: str
    verified_by: str


@declared
class SecondJokerRemoved(Header):
    """The second joker of a deck was taken out of play."""

    deck: str
    torn: bool | None
    returned_to_container: bool | None
    removed_by: str | None
    seen_by: str | None


@declared
class CardsSpread(Header):
    """The cards were spread out on the table."""

    deck: str | None
    face_up: bool | None
    spread_by: str | None


@declared
class CardsWashed(Header):
    """The cards were mixed face down on the table and stacked."""

    deck: str | None
    washed_by: str | None


@declared
class DeckCounted(Header):
    """The cards of a deck were counted."""

    deck: str | None
    cards: int
    jokers: int | None
    missing: tuple[str, ...] | None
    extra: tuple[str, ...] | None
    counted_by: str | None


@declared
class CardsShuffled(Header):
    """The cards were shuffled, or a shuffle ended before its time."""

    deck: str | None
    method: ShuffleMethod | None
    device_id: str | None
    completed: bool | None
    kept_in_device: bool | None
    shuffled_by: str | None
    directed_by: str | None


@declared
class CardsCut(Header):
    """The cards were cut."""

    deck: str | None
    cover_card_depth: int | None
    recut: bool | None
    ordered_by: str | None
    cut_by: str | None


@declared
class CardDevicePlaced(Header):
    """Equipment for cards or for finding the start was put into use at the table."""

    device: CardDevice
    device_id: str


@declared
class CardDeviceRemoved(Header):
    """Equipment for cards or for finding the start was taken out of use."""

    device: CardDevice
    device_id: str


@declared
class CardDeviceFailed(Header):
    """Equipment for cards or for finding the start failed."""

    device: CardDevice
    device_id: str | None
    fault: CardDeviceFault | None
    note: str | None


@declared
class CardDeviceFixed(Header):
    """Equipment for cards or for finding the start works again."""

    device: CardDevice
    device_id: str | None


@declared
class OutOfOrderShown(Header):
    """A device out of order was covered or got a sign that says so."""

    device: CardDevice
    device_id: str | None
    covered: bool | None
    sign: bool | None
    shown_by: str | None


@declared
class DiceTotalAnnounced(Header):
    """The total of the dice that find the start was announced."""

    total: int
    correction: bool | None
    announced_by: str | None


@declared
class GeneratorShown(Header):
    """A random number generator displayed a number."""

    device_id: str | None
    number: int


@declared
class ButtonPlaced(Header):
    """The flat button was put down at a position."""

    device_id: str | None
    position: str


@declared
class StartDetermined(Header):
    """The starting position was determined."""

    method: StartMethod | None
    number: int | None
    position: str | None
    determined_by: str | None


@declared
class StartMarked(Header):
    """The starting position was marked."""

    position: str
    marker: str | None


@declared
class DealBegan(Header):
    """The first card or stack of a deal went to a position."""

    deck: str | None
    method: DealMethod | None
    device_id: str | None
    position: str | None


@declared
class CardsDealt(Header):
    """A deal ended, complete or not."""

    deck: str | None
    method: DealMethod | None
    device_id: str | None
    first_position: str | None
    direction: DealDirection | None
    complete: bool | None
    stacks: tuple[Stack, ...]


@declared
class RemainingCardsCounted(Header):
    """The cards left after the deal were counted."""

    deck: str | None
    cards: int
    face_down: bool | None
    counted_by: str | None


@declared
class MisdealDetermined(Header):
    """It was determined whether the cards had been misdealt."""

    misdealt: bool | None
    positions: tuple[str, ...] | None
    determined_by: str | None
