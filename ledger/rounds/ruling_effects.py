"""What a room's rulings mean for the round under way: how it is decided, what is reported."""

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
from ledger.rounds.round import Round
from ledger.rounds.wager_timing import unsettled


def ruled(open_round: Round | None, rulings: Iterable[Ruling]) -> Iterator[Breach]:
    """Note the rulings in the round, and yield the breaches among them.

    ``open_round`` None: there is none, and rulings other than breaches are dropped.
    """
    for ruling in rulings:
        if isinstance(ruling, Breach):
            yield ruling
        elif open_round is None:
            continue
        elif isinstance(ruling, (Decided, ByPosition, Returned, Undecidable)):
            open_round.resolution, open_round.pending = ruling, False
        elif isinstance(ruling, Contested):
            if ruling.added_by is None:
                open_round.contested[ruling.wager] = ruling.as_recorded
            else:
                open_round.raises.add(ruling.added_by)
        elif isinstance(ruling, DecidedSome):
            open_round.book.decide(ruling)
            open_round.pending = False
        elif isinstance(ruling, Reopened):
            open_round.reopen(ruling.fact)
        elif isinstance(ruling, (Annulled, Multiplied)):
            open_round.annulled, open_round.pending = isinstance(ruling, Annulled), True
        else:
            open_round.early.extend((wager, ruling) for wager in unsettled(open_round, ruling))
