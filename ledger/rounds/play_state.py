"""All that the play of a table knows at a moment: one value, which is copied, kept and compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ledger.events import Capture, Fact
from ledger.games.room import Room
from ledger.house import TableHouse
from ledger.rounds.copying import copied
from ledger.rounds.coupon_desk import CouponDesk
from ledger.rounds.floorperson_posts import Post
from ledger.rounds.placed import PlacedWager
from ledger.rounds.round import GamingDayCache, MissingFacts, Round


@dataclass(slots=True, kw_only=True)
class PlayState:
    """What a play knows at a moment.

    ``room_state`` is that of the game's room, ``house`` what holds at the table, ``round`` the
    round under way and ``late`` the one that ended before it, for whose wagers something may still
    come. ``pending`` are facts of a table of which it is not known which game it opens with,
    ``doubts`` why facts of a stream are missing, ``doubts_reported`` the codes
    of doubts that are not reported again until what they are about is stated anew, ``carried`` the
    wagers that outlived their round, ``facts`` how many were taken.

    What is not compared (``compare=False``, here and in its parts) bears on no ruling to come.
    """

    desk: CouponDesk
    days: GamingDayCache = field(compare=False)
    room: Room | None = None
    game: str | None = None
    room_state: Any = None
    house: TableHouse | None = None
    round: Round | None = None
    late: Round | None = None
    pending: list[Fact | MissingFacts] = field(default_factory=list, compare=False)
    doubts: dict[str, str] = field(default_factory=dict)
    doubts_reported: set[str] = field(default_factory=set, compare=False)
    capture: Capture | None = None
    facts: int = field(default=0, compare=False)
    carried: dict[str, PlacedWager] = field(default_factory=dict)
    posts: list[Post] = field(default_factory=list, compare=False)

    def copy(self) -> PlayState:
        """Another state that says the same; what changes in one does not in the other."""
        return copied(self, self.desk.lookup)
