"""What the topic of findings has to be told beyond what a watch finds: that it says what stands.

What stands and is missing there is told, whatever it, or another topic of its name, had before.
What it says beyond that is withdrawn once the ledger has all that it rested on: a copy of the
ledger that is behind must not withdraw what it cannot know yet. What it says of persons that were
erased since is masked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from time import monotonic
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Replay
from ledger.watch.erasures import Erasures, is_masked, masked, shows_erased
from ledger.watch.findings_topic import FindingsTopic
from ledger.watch.notices import Notice
from ledger.watch.told import Told

MASK_SECONDS: Final = 0.2
"""So long a look may go through what earlier watches said for what was erased since."""


@dataclass(slots=True)
class TopicComparison:
    """Compares a topic with what stands, each time that it was read anew.

    Attributes:
        topic: the topic; nothing may be under way there while it is compared.
        memory: what was told.
        erasures: what is erased in the ledger.
    """

    topic: FindingsTopic
    memory: Told
    erasures: Erasures
    _readings: int = 0
    _unconfirmed: dict[str, Notice] = field(default_factory=dict)
    _unmasked: list[Notice] = field(default_factory=list)

    def missing(
        self, replay: Replay | None, has_judged: Callable[[Notice], bool]
    ) -> Iterator[Notice]:
        """Yield what is to be sent there so that it says what stands.

        Args:
            replay: the ledger's replay, as far as it was judged.
            has_judged: whether all that a finding rests on was judged.
        """
        if replay is None or self.memory.begins is None:
            return
        is_read_anew = self._readings != self.topic.readings
        if not is_read_anew and not self._unconfirmed and not self._unmasked:
            return
        standing = {
            notice.id: notice for day in self.memory.days.values() for notice in day.values()
        }
        if is_read_anew:
            self._readings = self.topic.readings
            waiting = {notice.id for notice in self.memory.waiting_for(self.topic.target)}
            yield from (
                notice
                for notice in self.topic.missing(standing.values())
                if notice.id not in waiting
            )
            self._unconfirmed = self.topic.standing_since(self.memory.begins)
            self._unmasked = self._to_look_at(standing)
        yield from self._masked(replay)
        if self._unmasked:
            return  # a finding is masked before it is withdrawn, which would count for more
        for name, notice in list(self._unconfirmed.items()):
            if name in standing:
                del self._unconfirmed[name]
            elif has_judged(notice):
                del self._unconfirmed[name]
                yield self.topic.withdrawal_of(notice)

    @property
    def _all_masked(self) -> str:
        return f"{self.topic.target} {self.erasures.state}"

    def _to_look_at(self, standing: dict[str, Notice]) -> list[Notice]:
        """The last words there that may show what is erased; what stands is told as judged now."""
        if not self.erasures.state or self.memory.masked == self._all_masked:
            return []
        return [
            notice
            for notice in self.topic.last_words()
            if notice.id not in standing and not is_masked(notice)
        ]

    def _masked(self, replay: Replay) -> Iterator[Notice]:
        """What of it does, masked: as far as there is time in this look."""
        ends = monotonic() + MASK_SECONDS
        has_more = bool(self._unmasked)
        while self._unmasked and monotonic() < ends:
            notice = self._unmasked.pop()
            if shows_erased(replay, notice):
                bare = masked(notice)
                if notice.id in self._unconfirmed:
                    self._unconfirmed[notice.id] = bare
                yield bare
        if has_more and not self._unmasked:
            self.memory.masked = self._all_masked
