"""All that the play of a table knows at a moment: one value that is copied, kept and compared."""

from __future__ import annotations

from dataclasses import field, replace

from ledger.events import Capture, Fact
from ledger.games.room import Room, State
from ledger.house import TableHouse
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds.copying import copied
from ledger.rounds.coupon_desk import CouponDesk
from ledger.rounds.floorperson_posts import Post
from ledger.rounds.placed import PlacedWager
from ledger.rounds.round import GamingDayCache, MissingFacts, Round


@dataclass(slots=True, kw_only=True)
class PlayState:
    """What a play knows at a moment.

    A field that is not compared (``compare=False``, here and in its parts) has no effect on rulings
    to come.

    Args:
        desk: the coupons of the table.
        days: the gaming day of the last fact.
        room: the room of the game; None until the game is known.
        game: the game that facts name, also one that no room judges.
        room_state: the state of the game's room.
        house: what holds at the table.
        round: the round under way.
        late: the round that ended before it, for whose wagers something may still come.
        pending: facts that wait until it is known which game the table opens with.
        doubts: why facts are missing, by stream.
        doubts_reported: the doubts that are not reported again until what they concern is stated
            anew.
        capture: what the table claims to record.
        facts: how many facts were taken.
        carried: the wagers that outlived their round, by id.
        posts: who supervised the table, since when.
    """

    desk: CouponDesk
    days: GamingDayCache = field(compare=False)
    room: Room | None = None
    game: str | None = None
    room_state: State | None = None
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
        """Return an independent copy; only what looks up coupons is shared."""
        return copied(self, self.desk.lookup)

    def copy_of_late(self) -> PlayState:
        """Return a state in which the round kept back can end; all that this leaves is shared."""
        return replace(
            self,
            desk=copied(self.desk, self.desk.lookup),
            late=copied(self.late),
            doubts_reported={*self.doubts_reported},
        )
