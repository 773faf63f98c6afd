"""Facts, framed, for the tests of the log."""

from __future__ import annotations

from ledger.codec import frame
from ledger.events import BettingOpened, NoMoreBetsAnnounced
from ledger.log import Arrival, Signer

TIME = 1_623_500_000_000_000
ORIGIN = "house.example/pit"
HOUSE = "The House"
SIGNER = Signer(ORIGIN, bytes(range(32)))


def opened(seq: int, stream: str = "SB-01", source: str = "T-1") -> bytes:
    """A round began."""
    fact = BettingOpened(
        stream=stream, seq=seq, event_time=TIME + seq * 1_000, source=source, recorded_by=None
    )
    return frame(fact)


def no_more_bets(seq: int, stream: str = "SB-01") -> bytes:
    """The round was closed: another record type under the same keys."""
    fact = NoMoreBetsAnnounced(
        stream=stream,
        seq=seq,
        event_time=TIME + seq * 1_000,
        source="T-1",
        recorded_by=None,
        announced_by=None,
        role=None,
    )
    return frame(fact)


def arrivals(first: int, last: int, stream: str = "SB-01") -> list[Arrival]:
    """Facts with the numbers from first to last."""
    return [Arrival(opened(seq, stream)) for seq in range(first, last + 1)]
