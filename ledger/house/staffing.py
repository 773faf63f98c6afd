"""Who holds which role at one table, and whether a shaker was ever left alone.

Law: § 539.1(f) through the room's own row; a chapter without such a row has no such duty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ledger.events import Role, ShakerPlaced, ShakerRemoved, StaffAssigned, StaffRelieved
from ledger.games.room import Breach, Rules
from ledger.kernel import Certainty, FactRef

TOLD = 1 << 62
"""The time of a lone shaker that was told already."""


@dataclass(slots=True)
class Staff:
    """People by role, and since when a shaker at the table has had no dealer.

    ``partial``: after a doubt, until the next crew after a closing, others than those named may hold
    a role too.
    """

    people: dict[Role, set[str]] = field(default_factory=dict)
    shakers: set[str] = field(default_factory=set)
    alone: tuple[FactRef, int] | None = None
    unsure: set[Role] = field(default_factory=set)
    partial: bool = False
    closed: bool = False
    shakers_unsure: bool = False

    def forget(self) -> None:
        """After a doubt every role is uncertain until somebody is assigned to it."""
        self.unsure = set(Role)
        self.partial, self.closed = True, False
        self.shakers_unsure = True
        self.alone = None

    def holds(self, role: Role, person: str) -> bool | None:
        """Whether a person holds a role at this table; None: not certain."""
        if person in self.people.get(role, ()):
            return True
        return None if self.partial or role in self.unsure else False

    def take(self, fact: StaffAssigned | StaffRelieved | ShakerPlaced | ShakerRemoved) -> None:
        """Follow one fact."""
        match fact:
            case StaffAssigned():
                if self.closed:
                    self.partial = self.closed = False
                self.people.setdefault(fact.role, set()).add(fact.person)
                self.unsure.discard(fact.role)
            case StaffRelieved():
                self.people.get(fact.role, set()).discard(fact.person)
            case ShakerPlaced():
                self.shakers.add(fact.shaker)
                self.shakers_unsure = False
            case ShakerRemoved():
                self.shakers.discard(fact.shaker)
        alone = bool(self.shakers) and not self.people.get(Role.DEALER)
        if not alone or Role.DEALER in self.unsure:
            self.alone = None
        elif self.alone is None:
            self.alone = (FactRef(fact.stream, fact.seq), fact.event_time)

    def shaken(self, shaker: str | None) -> None:
        """A shaker was used, so it is at the table."""
        if self.shakers_unsure and shaker is not None:
            self.shakers.add(shaker)
            self.shakers_unsure = False

    def unattended(self, rules: Rules, at: int) -> Iterator[Breach]:
        """Called with each later fact: a moment has passed with nobody there (§ 539.1(f))."""
        if self.alone is not None and at > self.alone[1] and rules.has("shaker_unattended"):
            left, _ = self.alone
            self.alone = (left, TOLD)
            certainty = Certainty.UNKNOWN if self.shakers_unsure else Certainty.BROKEN
            yield Breach(duty=rules.duty("shaker_unattended"), facts=(left,), certainty=certainty)
