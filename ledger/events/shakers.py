"""Facts of a shaker that passes among players, and of the lammers it moves.

One frozen dataclass per schema, under ``schemas/dice``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.fact_declaration import Header, declared


@declared
class DicePlacedInShaker(Header):
    """A person put dice into a shaker."""

    shaker: str | None
    dice: tuple[str, ...]
    placed_by: str | None
    in_presence_of: tuple[str, ...] | None


@declared
class DiceSeenOutsideShaker(Header):
    """Dice lay outside their shaker although nobody shook it."""

    shaker: str | None
    dice: tuple[str, ...] | None
    seen_by: str | None


@declared
class ShakerOffered(Header):
    """The covered shaker was offered to a player."""

    shaker: str | None
    position: str
    patron: str | None
    offered_by: str | None


@declared
class ShakerDeclined(Header):
    """A player declined the shaker."""

    shaker: str | None
    position: str
    patron: str | None


@declared
class ShakerPassed(Header):
    """The shaker passed from one player to another."""

    shaker: str | None
    from_position: str | None
    to_position: str


@declared
class PlayerShook(Header):
    """A player shook the shaker."""

    shaker: str | None
    position: str | None
    patron: str | None
    shakes: int | None
    covered: bool | None


@declared
class LidLiftedByPlayer(Header):
    """A player took the lid off the shaker."""

    shaker: str | None
    position: str | None
    patron: str | None
    faces: tuple[int, ...] | None


@declared
class LammersPlaced(Header):
    """Lammer buttons were placed on combinations of the layout."""

    combinations: tuple[str, ...]
    placed_by: str | None


@declared
class LammerCollected(Header):
    """A lammer button was moved from its combination to the circles."""

    combination: str
    collected_by: str | None


@declared
class LammersCleared(Header):
    """All lammer buttons were taken off the layout."""

    cleared_by: str | None
