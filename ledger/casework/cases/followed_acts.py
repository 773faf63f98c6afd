"""What persons recorded of their work, read from the record and read on as the record grows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Self

from ledger import events
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Enrollments, FactStep, Replay, Step


@dataclass(slots=True)
class FollowedActs(ABC):
    """Acts of one ledger, and who can prove that they are theirs; a subclass says of which kinds.

    Attributes:
        replay: the ledger's replay.
        enrollments: who can prove who acts.
        until: the merge time of the last event that was read, microseconds UTC.
    """

    KINDS_READ: ClassVar[frozenset[str]]
    """The acts, and enrollments, by name."""

    replay: Replay
    enrollments: Enrollments
    until: int = -1

    @classmethod
    def read(cls, replay: Replay) -> Self:
        """Read all acts; those that do not count are set aside."""
        acts = cls(replay, Enrollments(replay.roster()))
        acts._read_on(replay.walk(replay.streams_with(cls.KINDS_READ), only=cls.KINDS_READ))
        return acts

    def follow(self, replay: Replay, size: int) -> bool:
        """Read what came since the ledger had a size, and nothing but notes did.

        Returns:
            False where it does not come last: then all is to be read again.
        """
        steps = replay.facts_after(size, self.KINDS_READ, self.until)
        self.replay = replay
        self._read_on(steps or ())
        return steps is not None

    @abstractmethod
    def take(self, fact: Any) -> None:
        """Follow one act of the record."""

    def _read_on(self, steps: Iterable[Step]) -> None:
        for step in steps:
            if not isinstance(step, FactStep):
                continue
            self.until = step.at
            if isinstance(step.fact, events.PersonEnrolled):
                self.enrollments.take(step.fact)
            else:
                self.take(step.fact)
