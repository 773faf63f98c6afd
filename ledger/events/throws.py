"""Facts of dice thrown by hand: who throws, the throw, the field it moves.

One frozen dataclass per schema, under ``schemas/dice``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.enums import Down, ThrowPurpose
from ledger.events.fact_declaration import Header, declared
from ledger.events.parts import ThrownDie


@declared
class DiceOffered(Header):
    """The dice were offered to a player."""

    position: str
    patron: str | None
    offered_by: str | None


@declared
class DiceRefused(Header):
    """A player to whom the dice were offered refused them."""

    position: str
    patron: str | None


@declared
class DiceAccepted(Header):
    """A player accepted the dice and so became Quarterback."""

    position: str
    patron: str | None


@declared
class DiceSelected(Header):
    """A player selected dice of the set for throwing."""

    position: str | None
    patron: str | None
    dice: tuple[str, ...]


@declared
class DiceReturnedToCup(Header):
    """The dice left over after the selection went back into the dice cup."""

    dice: tuple[str, ...]
    before_stickperson: bool | None
    returned_by: str | None


@declared
class DiceThrownByHand(Header):
    """Dice were thrown by hand and came to rest."""

    purpose: ThrowPurpose | None
    position: str | None
    thrown_by: str | None
    released_together: bool | None
    struck_far_end: bool | None
    dice: tuple[ThrownDie, ...]


@declared
class ThrowVoided(Header):
    """The last throw was declared void."""

    reason: str | None
    called_by: str | None


@declared
class FaceDisputed(Header):
    """Somebody disputed which face of a die is uppermost."""

    die: str | None
    position: str | None
    alternatives: tuple[int, ...]


@declared
class DisputeRuled(Header):
    """The dispute about a face was decided."""

    die: str | None
    face: int | None
    rethrow: bool | None
    ruled_by: str | None


@declared
class DieLost(Header):
    """A die went off the table and is lost."""

    die: str | None
    colour: str | None


@declared
class DieFound(Header):
    """A die that had been lost was found."""

    die: str | None
    colour: str | None


@declared
class MarkersPlaced(Header):
    """Yard Marker, Down Puck and Game Length Puck lie where the dealer put them."""

    yard: int | None
    down: Down | None
    play: int | None
    placed_by: str | None


@declared
class DownAnnounced(Header):
    """The down and the distance to the end zone were announced."""

    down: Down | None
    distance_yards: int | None
    announced_by: str | None


@declared
class TurnoverAnnounced(Header):
    """A turnover was announced."""

    announced_by: str | None
