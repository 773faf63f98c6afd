"""Facts of decks, card equipment, the start and the deal.

One frozen dataclass per schema, under ``schemas/cards``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.enums import (
    CardDevice,
    CardDeviceFault,
    DealDirection,
    DealMethod,
    ShuffleMethod,
    StartMethod,
)
from ledger.events.parts import Stack


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckPlaced:
    """A deck of cards was put into use at the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    deck: str
    cards: int | None
    jokers: int | None
    jokers_made: int | None
    cover_cards: int | None
    back: str | None
    design: str | None
    preinspected_and_preshuffled: bool | None
    placed_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckRemoved:
    """A deck of cards was taken out of use at the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    deck: str
    whole_deck: bool | None
    reason: str | None
    removed_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckInspected:
    """The cards of a deck were inspected for defects at the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    deck: str
    fit: bool | None
    defects: str | None
    inspected_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckInspectionVerified:
    """The inspection of a deck was verified."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    deck: str
    verified_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondJokerRemoved:
    """The second joker of a deck was taken out of play."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    deck: str
    torn: bool | None
    returned_to_container: bool | None
    removed_by: str | None
    seen_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsSpread:
    """The cards were spread out on the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    deck: str | None
    face_up: bool | None
    spread_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsWashed:
    """The cards were mixed face down on the table and stacked."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    deck: str | None
    washed_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckCounted:
    """The cards of a deck were counted."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    deck: str | None
    cards: int
    jokers: int | None
    missing: tuple[str, ...] | None
    extra: tuple[str, ...] | None
    counted_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsShuffled:
    """The cards were shuffled, or a shuffle ended before its time."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    deck: str | None
    method: ShuffleMethod | None
    device_id: str | None
    completed: bool | None
    kept_in_device: bool | None
    shuffled_by: str | None
    directed_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsCut:
    """The cards were cut."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    deck: str | None
    cover_card_depth: int | None
    recut: bool | None
    ordered_by: str | None
    cut_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDevicePlaced:
    """Equipment for cards or for finding the start was put into use at the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    device: CardDevice
    device_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDeviceRemoved:
    """Equipment for cards or for finding the start was taken out of use."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    device: CardDevice
    device_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDeviceFailed:
    """Equipment for cards or for finding the start failed."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    device: CardDevice
    device_id: str | None
    fault: CardDeviceFault | None
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDeviceFixed:
    """Equipment for cards or for finding the start works again."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    device: CardDevice
    device_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfOrderShown:
    """A device out of order was covered or got a sign that says so."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    device: CardDevice
    device_id: str | None
    covered: bool | None
    sign: bool | None
    shown_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceTotalAnnounced:
    """The total of the dice that find the start was announced."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    total: int
    correction: bool | None
    announced_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorShown:
    """A random number generator displayed a number."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    device_id: str | None
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonPlaced:
    """The flat button was put down at a position."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    device_id: str | None
    position: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartDetermined:
    """The starting position was determined."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    method: StartMethod | None
    number: int | None
    position: str | None
    determined_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartMarked:
    """The starting position was marked."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    marker: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DealBegan:
    """The first card or stack of a deal went to a position."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    deck: str | None
    method: DealMethod | None
    device_id: str | None
    position: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDealt:
    """A deal ended, complete or not."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    deck: str | None
    method: DealMethod | None
    device_id: str | None
    first_position: str | None
    direction: DealDirection | None
    complete: bool | None
    stacks: tuple[Stack, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemainingCardsCounted:
    """The cards left after the deal were counted."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    deck: str | None
    cards: int
    face_down: bool | None
    counted_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MisdealDetermined:
    """It was determined whether the cards had been misdealt."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    misdealt: bool | None
    positions: tuple[str, ...] | None
    determined_by: str | None
