"""What the rulings of a room mean for the round under way: how it is decided, what is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.games.room import (
    Annulled,
    Breach,
    ByPosition,
    Contested,
    Decided,
    DecidedSome,
    Multiplied,
    Reopened,
    Returned,
    Ruling,
    Undecidable,
)
from ledger.rounds.moments import unsettled
from ledger.rounds.round import Round


def ruled(now: Round | None, rulings: Iterable[Ruling]) -> Iterator[Breach]:
    """Note the rulings in the round; the breaches among them are handed out."""
    for ruling in rulings:
        if isinstance(ruling, Breach):
            yield ruling
        elif now is None:
            continue
        elif isinstance(ruling, (Decided, ByPosition, Returned, Undecidable)):
            now.resolution, now.pending = ruling, False
        elif isinstance(ruling, Contested):
            if ruling.added_by is None:
                now.contested[ruling.wager] = ruling.as_recorded
            else:
                now.raises.add(ruling.added_by)
        elif isinstance(ruling, DecidedSome):
            now.book.decide(ruling)
            now.pending = False
        elif isinstance(ruling, Reopened):
            now.reopen(ruling.fact)
        elif isinstance(ruling, (Annulled, Multiplied)):
            now.annulled, now.pending = isinstance(ruling, Annulled), True
        else:
            now.early.extend((wager, ruling) for wager in unsettled(now, ruling))
