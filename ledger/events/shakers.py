"""Facts of a shaker that passes among players, and of the lammers it moves.

One frozen dataclass per schema, under ``schemas/dice``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DicePlacedInShaker:
    """A person put dice into a shaker."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    shaker: str | None
    dice: tuple[str, ...]
    placed_by: str | None
    in_presence_of: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceSeenOutsideShaker:
    """Dice lay outside their shaker although nobody shook it."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    shaker: str | None
    dice: tuple[str, ...] | None
    seen_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShakerOffered:
    """The covered shaker was offered to a player."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    shaker: str | None
    position: str
    patron: str | None
    offered_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShakerDeclined:
    """A player declined the shaker."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    shaker: str | None
    position: str
    patron: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShakerPassed:
    """The shaker passed from one player to another."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    shaker: str | None
    from_position: str | None
    to_position: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerShook:
    """A player shook the shaker."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    shaker: str | None
    position: str | None
    patron: str | None
    shakes: int | None
    covered: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LidLiftedByPlayer:
    """A player took the lid off the shaker."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    shaker: str | None
    position: str | None
    patron: str | None
    faces: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LammersPlaced:
    """Lammer buttons were placed on combinations of the layout."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    combinations: tuple[str, ...]
    placed_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LammerCollected:
    """A lammer button was moved from its combination to the circles."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    combination: str
    collected_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LammersCleared:
    """All lammer buttons were taken off the layout."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    cleared_by: str | None
