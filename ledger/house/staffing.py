"""Who holds which role at one table, and whether a shaker was ever left alone.

Where the clocks of two sources leave open whether one dealer came before the other went, it is
unknown whether the duty was kept, and the interval is stated.
Law: § 539.1(f) through the room's own row; a chapter without such a row has no such duty. The
Ledger contract, L.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from ledger import events
from ledger.games.room import Breach, Rules
from ledger.house.clocks import Apart, Clocks, interval
from ledger.kernel import Certainty, Instant, ref_of
from ledger.kernel.quick_dataclass import dataclass

Moved = events.StaffAssigned | events.StaffRelieved | events.ShakerPlaced | events.ShakerRemoved

TOLD = 1 << 62
"""The time of an unattended shaker that was reported already."""


@dataclass(slots=True)
class Staff:
    """People by role, and since when a shaker at the table has had no dealer.

    Args:
        people: who holds each role, and the fact that assigned it.
        shakers: the shakers at the table.
        alone: the fact that left a shaker without a dealer, and its time (microseconds UTC).
        open: a fact whose breach is settled since: it left a shaker alone for a time, or the clocks
            leave open whether it did.
        unsure: roles of which it is not known who holds them.
        partial: after a doubt, others than those named may hold a role, until a closing and a new
            crew.
        closed: the table closed since somebody was assigned.
        shakers_unsure: after a doubt, it is not known which shakers are at the table.
    """

    people: dict[events.Role, dict[str, events.StaffAssigned]] = field(default_factory=dict)
    shakers: set[str] = field(default_factory=set)
    alone: tuple[Moved, Instant] | None = None
    open: tuple[Moved, Apart | None] | None = None
    unsure: set[events.Role] = field(default_factory=set)
    partial: bool = False
    closed: bool = False
    shakers_unsure: bool = False

    def forget(self) -> None:
        """Make every role uncertain until somebody is assigned to it."""
        self.unsure = set(events.Role)
        self.partial, self.closed = True, False
        self.shakers_unsure = True
        self.alone = None

    def holds(self, role: events.Role, person: str) -> bool | None:
        """Whether a person holds a role at this table; None: not certain."""
        if person in self.people.get(role, ()):
            return True
        return None if self.partial or role in self.unsure else False

    def take(self, fact: Moved, clocks: Clocks) -> None:
        """Follow one fact; ``clocks`` say whether its order with earlier ones is known."""
        was, dealt = self.alone, dict(self.people.get(events.Role.DEALER, {}))
        match fact:
            case events.StaffAssigned():
                if self.closed:
                    self.partial = self.closed = False
                self.people.setdefault(fact.role, {})[fact.person] = fact
                self.unsure.discard(fact.role)
            case events.StaffRelieved():
                self.people.get(fact.role, {}).pop(fact.person, None)
            case events.ShakerPlaced():
                self.shakers.add(fact.shaker)
                self.shakers_unsure = False
            case events.ShakerRemoved():
                self.shakers.discard(fact.shaker)
        alone = bool(self.shakers) and not self.people.get(events.Role.DEALER)
        if not alone or events.Role.DEALER in self.unsure:
            self.alone = None
        elif self.alone is None:
            self.alone = (fact, fact.event_time)
        if was is not None and self.alone is None and was[1] < fact.event_time:
            self.open = (was[0], clocks.apart(was[0], fact))
        elif was is None and self.alone is None:
            self._hardly_covered(fact, dealt, clocks)

    def _hardly_covered(
        self, fact: Moved, before: dict[str, events.StaffAssigned], clocks: Clocks
    ) -> None:
        """Note if each dealer who is there may have come only after the fact that needs one."""
        dealers = self.people.get(events.Role.DEALER, {})
        needed = isinstance(fact, events.ShakerPlaced) or len(dealers) < len(before)
        if not needed or not self.shakers or not dealers or events.Role.DEALER in self.unsure:
            return
        spans = [clocks.apart(came, fact) for came in dealers.values()]
        known = [span for span in spans if span is not None]
        if len(known) == len(spans):
            self.open = (fact, min(known, key=lambda span: abs(span[0])))

    def shaken(self, shaker: str | None) -> None:
        """Note that a shaker was used, so it is at the table."""
        if self.shakers_unsure and shaker is not None:
            self.shakers.add(shaker)
            self.shakers_unsure = False

    def unattended(self, rules: Rules, at: int) -> Iterator[Breach]:
        """Report a shaker after a moment without a dealer (§ 539.1(f)); called for each fact.

        Args:
            rules: those in force.
            at: the moment up to which all facts are known, microseconds UTC.
        """
        if self.alone is not None and at > self.alone[1] and rules.has("shaker_unattended"):
            left, _ = self.alone
            self.alone = (left, TOLD)
            yield self._breach(rules, left, None)

    def settled(self, rules: Rules) -> Iterator[Breach]:
        """Report what the last fact shows of a shaker that had been alone, or may have been."""
        if self.open is not None:
            (left, apart), self.open = self.open, None
            if rules.has("shaker_unattended"):
                yield self._breach(rules, left, apart)

    def _breach(self, rules: Rules, left: Moved, apart: Apart | None) -> Breach:
        return Breach(
            duty=rules.duty("shaker_unattended"),
            facts=(ref_of(left),),
            certainty=Certainty.UNKNOWN if self.shakers_unsure or apart else Certainty.BROKEN,
            interval=interval(apart) if apart else None,
        )
