"""Which tables a floorperson supervises: what one table's own facts say, for a look over all.

Law: § 577.9(c) through the room's own row.
"""

from __future__ import annotations

from dataclasses import dataclass

from ledger import events
from ledger.kernel import FactRef, Instant, ref_of


@dataclass(frozen=True, slots=True)
class Post:
    """From this moment on: the game that is open (None: none), and its floorpersons.

    ``source`` and ``moment`` are those of the fact, whose clock may be off.
    """

    at: Instant
    fact: FactRef
    game: str | None = None
    floorpersons: frozenset[str] = frozenset()
    source: str = ""
    moment: Instant = 0


def follow(posts: list[Post], fact: events.Fact, at: int) -> None:
    """Add what a fact changes; ``at`` is the moment by which it was merged."""
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
"""The facts that matter here."""
