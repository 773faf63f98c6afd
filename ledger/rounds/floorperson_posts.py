"""Which tables a floorperson supervises: one table's share, for a later look at all tables.

Law: § 577.9(c) through the room's own row.
"""

from __future__ import annotations

from ledger import events
from ledger.kernel import FactRef, Instant, ref_of
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Post:
    """The game that is open from this moment on, and its floorpersons.

    Args:
        at: the moment at which the fact was merged, microseconds UTC.
        fact: the fact that changed something.
        game: the open game; None while the table is closed.
        floorpersons: who supervises it.
        source: the terminal that wrote the fact.
        moment: the time in the fact, microseconds UTC, by that terminal's clock.
    """

    at: Instant
    fact: FactRef
    game: str | None = None
    floorpersons: frozenset[str] = frozenset()
    source: str = ""
    moment: Instant = 0


def follow(posts: list[Post], fact: events.Fact, at: int) -> None:
    """Append a post if a fact opens or closes the table, or changes its floorpersons.

    Args:
        posts: the table's posts so far, in order; changed in place.
        fact: any fact of the table.
        at: the moment at which the fact was merged, microseconds UTC.
    """
    last = posts[-1] if posts else None
    game = last.game if last else None
    people = last.floorpersons if last else frozenset()
    match fact:
        case events.TableOpened():
            game = fact.game
        case events.TableClosed():
            game = None
        case events.StaffAssigned(role=events.Role.FLOORPERSON):
            people |= {fact.person}
        case events.StaffRelieved(role=events.Role.FLOORPERSON):
            people -= {fact.person}
        case _:
            return
    ref = ref_of(fact)
    posts.append(Post(at, ref, game, people, fact.source, fact.event_time))


POSTED = frozenset(
    {events.TableOpened, events.TableClosed, events.StaffAssigned, events.StaffRelieved}
)
"""The facts that can change a post."""
