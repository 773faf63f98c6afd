"""In which order facts arrive: each stream in its own order, with its own small delay."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.events import Fact
from ledger.floor.stream_pens import MINUTE, SECOND

_MIX: Final = 2_654_435_761
_JITTER: Final = 250_000
_OUTAGE: Final = 41
"""About one of so many ten-minute spells of a stream is a spell with a bad line."""
_OUTAGE_DELAY: Final = 9 * SECOND
_SPELL: Final = 10 * MINUTE
LONGEST: Final = 30 * SECOND
"""No fact arrives later than this after it happened."""


class Delivery:
    """Holds facts that are under way; the delay depends on stream and time alone."""

    def __init__(self, streams: Iterable[str]) -> None:
        self._number = {stream: number for number, stream in enumerate(streams)}
        self._last = dict.fromkeys(self._number, 0)
        self._under_way: list[tuple[int, int, Fact]] = []
        self._sent = 0

    def send(self, facts: Iterable[Fact]) -> None:
        """Facts leave their terminals, each stream's in order."""
        last, under_way = self._last, self._under_way
        for fact in facts:
            stream, at = fact.stream, fact.event_time
            number = self._number[stream]
            delay = 40_000 + 90_000 * number % 500_000 + (at * _MIX >> 9) % _JITTER
            if (at // _SPELL * _MIX + number * 7) % _OUTAGE == 0:
                delay += _OUTAGE_DELAY
            arrival = max(at + delay, last[stream] + 1)
            last[stream] = arrival
            self._sent += 1
            under_way.append((arrival, self._sent, fact))

    def receive(self, until: int) -> list[Fact]:
        """What has arrived before a moment, in order of arrival."""
        self._under_way.sort()
        place = next(
            (n for n, entry in enumerate(self._under_way) if entry[0] >= until),
            len(self._under_way),
        )
        arrived, self._under_way = self._under_way[:place], self._under_way[place:]
        return [fact for _, _, fact in arrived]

    def receive_all(self) -> list[Fact]:
        """What is still under way, in order of arrival."""
        self._under_way.sort()
        arrived, self._under_way = self._under_way, []
        return [fact for _, _, fact in arrived]
