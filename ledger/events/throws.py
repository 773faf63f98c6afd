"""Facts of dice thrown by hand: who throws, the throw, the field it moves.

One frozen dataclass per schema, under ``schemas/dice``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.enums import Down, ThrowPurpose
from ledger.events.parts import ThrownDie


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceOffered:
    """The dice were offered to a player."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    patron: str | None
    offered_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceRefused:
    """A player to whom the dice were offered refused them."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    patron: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceAccepted:
    """A player accepted the dice and so became Quarterback."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    patron: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceSelected:
    """A player selected dice of the set for throwing."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str | None
    patron: str | None
    dice: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceReturnedToCup:
    """The dice left over after the selection went back into the dice cup."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    dice: tuple[str, ...]
    before_stickperson: bool | None
    returned_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceThrownByHand:
    """Dice were thrown by hand and came to rest."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    purpose: ThrowPurpose | None
    position: str | None
    thrown_by: str | None
    released_together: bool | None
    struck_far_end: bool | None
    dice: tuple[ThrownDie, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowVoided:
    """The last throw was declared void."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    reason: str | None
    called_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceDisputed:
    """Somebody disputed which face of a die is uppermost."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    die: str | None
    position: str | None
    alternatives: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeRuled:
    """The dispute about a face was decided."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    die: str | None
    face: int | None
    rethrow: bool | None
    ruled_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DieLost:
    """A die went off the table and is lost."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    die: str | None
    colour: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DieFound:
    """A die that had been lost was found."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    die: str | None
    colour: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkersPlaced:
    """Yard Marker, Down Puck and Game Length Puck lie where the dealer put them."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    yard: int | None
    down: Down | None
    play: int | None
    placed_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DownAnnounced:
    """The down and the distance to the end zone were announced."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    down: Down | None
    distance_yards: int | None
    announced_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnoverAnnounced:
    """A turnover was announced."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    announced_by: str | None
