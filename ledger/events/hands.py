"""Facts of hands: set, exposed, surrendered, fouled, discarded; irregularities of the deal.

One frozen dataclass per schema, under ``schemas/cards``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.enums import Discard, ExposureChoice, Irregularity, Role, SettledAs, WhichHand


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSet:
    """Seven cards were set as high, medium and low hand."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    role: Role | None
    set_by: str | None
    high: tuple[str, ...] | None
    medium: tuple[str, ...] | None
    low: tuple[str, ...] | None
    reset: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandExposed:
    """Cards of a position became visible."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    hand: WhichHand | None
    cards: tuple[str, ...] | None
    count: int | None
    during_deal: bool | None
    role: Role | None
    exposed_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RemainingCardsExposed:
    """Cards left after the deal became visible."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    cards: tuple[str, ...] | None
    count: int | None
    exposed_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposureChoiceMade:
    """A player chose what becomes of a hand of which the dealer exposed a card."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    patron: str | None
    choice: ExposureChoice
    looked: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSurrendered:
    """A player announced the intention to surrender."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    patron: str | None
    wager_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SurrenderedCardsCounted:
    """The cards of a surrendered hand were counted."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    cards: int
    face_down: bool | None
    exposed: bool | None
    counted_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandFouled:
    """The dealer declared a player's hands not set correctly."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    reason: str | None
    ruled_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandVoided:
    """One hand was declared void; the round went on."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    reason: str | None
    declared_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultAnnounced:
    """The dealer announced whether a player's wager wins or loses."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    wager_id: str | None
    outcome: SettledAs | None
    announced_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusHandFormed:
    """The dealer formed the highest hand from a player's seven cards."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    cards: tuple[str, ...] | None
    hand: str | None
    formed_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDiscarded:
    """Cards were placed in the discard rack."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    kind: Discard
    position: str | None
    deck: str | None
    cards: tuple[str, ...] | None
    count: int | None
    face_down: bool | None
    kept_together: bool | None
    discarded_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularityFound:
    """The table recorded an irregularity."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    irregularity: Irregularity
    position: str | None
    cards: tuple[str, ...] | None
    count: int | None
    exposed: bool | None
    used_as_next_card: bool | None
    note: str | None
    found_by: str | None
