"""Facts of the property: options of Rules Submissions, requests for something new, stock.

One frozen dataclass per schema, under ``schemas/house``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.enums import DealMethod, EquipmentKind, GameClass, RequestKind, StartMethod
from ledger.events.parts import HopGroup, HouseWayStep, RequestedOdds


@dataclass(frozen=True, slots=True, kw_only=True)
class WagersOfferedFiled:
    """A Rules Submission says which wagers of the game are offered."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    submission: str
    game: str
    wagers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HopGroupsFiled:
    """A Rules Submission says which combinations the hop wagers cover."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    submission: str
    layout: str | None
    groups: tuple[HopGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AsiaPokerOptionsFiled:
    """A Rules Submission says how Asia Poker is offered."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    submission: str
    bonus_offered: bool | None
    bonus_paytable: str | None
    adjacent_areas: bool | None
    a234_straight_lowest: bool | None
    a234_straight_flush_lowest: bool | None
    maximum_payout_cents: int | None
    dealing: tuple[DealMethod, ...] | None
    starting: tuple[StartMethod, ...] | None
    two_decks: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWayFiled:
    """A Rules Submission says how the dealer's hands are set."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    submission: str
    text: str | None
    steps: tuple[HouseWayStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRequestFiled:
    """A written request to offer a new game, wager or feature was filed."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    request: str
    kind: RequestKind
    game: str
    feature: str | None
    addressed_to: str | None
    filed_time: int | None
    description: bool | None
    rules_of_play: bool | None
    rules_of_wagering: bool | None
    classification: GameClass | None
    wagers: tuple[RequestedOdds, ...] | None
    has_layout: bool | None
    layout_shown: bool | None
    equipment_shown: bool | None
    reason: str | None
    jurisdictions: tuple[str, ...] | None
    intellectual_property: str | None
    service: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestDecided:
    """A request to offer something new was decided."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    request: str
    approved: bool
    in_writing: bool | None
    decided_time: int | None
    decided_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EquipmentReceived:
    """Table game equipment came into the property's stock."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    kind: EquipmentKind
    equipment: str
    pieces: int | None
    complies: bool | None
    inspected_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBankStated:
    """It was stated whether patrons wager against the house in a game."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    game: str
    table: str | None
    house_banked: bool
