"""Facts of the property: options of Rules Submissions, requests for something new, stock.

One frozen dataclass per schema, under ``schemas/house``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from typing import Final

from ledger.events.enums import DealMethod, EquipmentKind, GameClass, RequestKind, StartMethod
from ledger.events.fact_declaration import Header, declared
from ledger.events.parts import HopGroup, HouseWayStep, RequestedOdds


@declared
class WagersOfferedFiled(Header):
    """A Rules Submission says which wagers of the game are offered."""

    submission: str
    game: str
    wagers: tuple[str, ...]


@declared
class HopGroupsFiled(Header):
    """A Rules Submission says which combinations the hop wagers cover."""

    submission: str
    layout: str | None
    groups: tuple[HopGroup, ...]


@declared
class AsiaPokerOptionsFiled(Header):
    """A Rules Submission says how Asia Poker is offered."""

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


@declared
class HouseWayFiled(Header):
    """A Rules Submission says how the dealer's hands are set."""

    submission: str
    text: str | None
    steps: tuple[HouseWayStep, ...]


@declared
class GameRequestFiled(Header):
    """A written request to offer a new game, wager or feature was filed."""

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


@declared
class RequestDecided(Header):
    """A request to offer something new was decided."""

    request: str
    approved: bool
    in_writing: bool | None
    decided_time: int | None
    decided_by: str | None


@declared
class EquipmentReceived(Header):
    """Table game equipment came into the property's stock."""

    kind: EquipmentKind
    equipment: str
    pieces: int | None
    complies: bool | None
    inspected_by: str | None


@declared
class GameBankStated(Header):
    """It was stated whether patrons wager against the house in a game."""

    game: str
    table: str | None
    house_banked: bool


OPTIONS: Final = (AsiaPokerOptionsFiled, HouseWayFiled, HopGroupsFiled, WagersOfferedFiled)
"""The facts that file a game's own options for a submission, of all games."""
