"""Facts of hands: set, exposed, surrendered, fouled, discarded; irregularities of the deal.

One frozen dataclass per schema, under ``schemas/cards``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.enums import Discard, ExposureChoice, Irregularity, Role, SettledAs, WhichHand
from ledger.events.fact_declaration import Header, declared


@declared
class HandSet(Header):
    """Seven cards were set as high, medium and low hand."""

    position: str
    role: Role | None
    set_by: str | None
    high: tuple[str, ...] | None
    medium: tuple[str, ...] | None
    low: tuple[str, ...] | None
    reset: bool | None


@declared
class HandExposed(Header):
    """Cards of a position became visible."""

    position: str
    hand: WhichHand | None
    cards: tuple[str, ...] | None
    count: int | None
    during_deal: bool | None
    role: Role | None
    exposed_by: str | None


@declared
class RemainingCardsExposed(Header):
    """Cards left after the deal became visible."""

    cards: tuple[str, ...] | None
    count: int | None
    exposed_by: str | None


@declared
class ExposureChoiceMade(Header):
    """A player chose what becomes of a hand of which the dealer exposed a card."""

    position: str
    patron: str | None
    choice: ExposureChoice
    looked: bool | None


@declared
class HandSurrendered(Header):
    """A player announced the intention to surrender."""

    position: str
    patron: str | None
    wager_id: str | None


@declared
class SurrenderedCardsCounted(Header):
    """The cards of a surrendered hand were counted."""

    position: str
    cards: int
    face_down: bool | None
    exposed: bool | None
    counted_by: str | None


@declared
class HandFouled(Header):
    """The dealer declared a player's hands not set correctly."""

    position: str
    reason: str | None
    ruled_by: str | None


@declared
class HandVoided(Header):
    """One hand was declared void; the round went on."""

    position: str
    reason: str | None
    declared_by: str | None


@declared
class ResultAnnounced(Header):
    """The dealer announced whether a player's wager wins or loses."""

    position: str
    wager_id: str | None
    outcome: SettledAs | None
    announced_by: str | None


@declared
class BonusHandFormed(Header):
    """The dealer formed the highest hand from a player's seven cards."""

    position: str
    cards: tuple[str, ...] | None
    hand: str | None
    formed_by: str | None


@declared
class CardsDiscarded(Header):
    """Cards were placed in the discard rack."""

    kind: Discard
    position: str | None
    deck: str | None
    cards: tuple[str, ...] | None
    count: int | None
    face_down: bool | None
    kept_together: bool | None
    discarded_by: str | None


@declared
class IrregularityFound(Header):
    """The table recorded an irregularity."""

    irregularity: Irregularity
    position: str | None
    cards: tuple[str, ...] | None
    count: int | None
    exposed: bool | None
    used_as_next_card: bool | None
    note: str | None
    found_by: str | None
