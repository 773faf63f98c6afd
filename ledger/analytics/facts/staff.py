"""People at one table: who held which role from when to when, and which roles were filled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ledger import events
from ledger.analytics.facts.spans import Add, Now
from ledger.kernel import FactRef, ref_of

KINDS: Final = frozenset(
    {
        events.StaffAssigned,
        events.StaffRelieved,
        events.SupervisorPresent,
        events.TableOpened,
        events.TableClosed,
        events.BettingOpened,
    }
)
ALWAYS: Final = (events.Role.DEALER, events.Role.FLOORPERSON)
"""Roles that have a line at every open table, even if no fact ever named them."""


@dataclass(slots=True)
class Stay:
    """One person in one role since a moment."""

    since: int
    assigned: FactRef
    doubtful: bool = False


@dataclass(slots=True)
class Filled:
    """How a role stands: ``known`` is False before its first fact and after a doubt."""

    since: int
    known: bool = False
    people: tuple[str, ...] = ()
    seen: int = 0

    @property
    def state(self) -> str:
        """Present, absent, or unknown where no fact can say."""
        if not self.known:
            return "unknown"
        return "present" if self.people else "absent"


@dataclass(slots=True)
class Staff:
    """Follows who is at the table. Coverage is told for the time in which the table is open."""

    add: Add
    stays: dict[tuple[events.Role, str], Stay] = field(default_factory=dict)
    roles: dict[events.Role, Filled] = field(default_factory=dict)
    is_open: bool = False

    def take(self, fact: events.Fact, now: Now) -> None:
        """Follow one fact."""
        match fact:
            case events.StaffAssigned():
                ref = ref_of(fact)
                self.stays.setdefault((fact.role, fact.person), Stay(now.at, ref))
                self._changed(fact.role, now)
            case events.StaffRelieved():
                stay = self.stays.pop((fact.role, fact.person), None)
                if stay is not None:
                    self._hand_out(fact.role, fact.person, stay, now, still=False)
                self._changed(fact.role, now, relieved=True)
            case events.SupervisorPresent():
                self._role(fact.role, now).seen += 1
            case events.TableClosed():
                self._cover(now)
                self.is_open = False
            case events.TableOpened() | events.BettingOpened():
                if not self.is_open:
                    self.is_open = True
                    for role in ALWAYS:
                        self._role(role, now)
                    for filled in self.roles.values():
                        filled.since, filled.seen = now.at, 0

    def doubt(self, since: int | None, now: Now) -> None:
        """Facts are missing or contradict each other: from there on no role is known."""
        at = now.at if since is None else min(since, now.at)
        for stay in self.stays.values():
            stay.doubtful = True
        for role, filled in self.roles.items():
            if self.is_open and filled.known:
                begins = max(at, filled.since)
                self._line(role, filled, begins, now)
                filled.since, filled.seen = begins, 0
            filled.known = False

    def finish(self, now: Now) -> None:
        """The record ends here; who is at the table is still there as far as it goes."""
        self._cover(now)
        for (role, person), stay in self.stays.items():
            self._hand_out(role, person, stay, now, still=True)

    def _role(self, role: events.Role, now: Now) -> Filled:
        filled = self.roles.get(role)
        if filled is None:
            filled = self.roles[role] = Filled(now.at)
        return filled

    def _changed(self, role: events.Role, now: Now, *, relieved: bool = False) -> None:
        """Whoever holds the role now; after a doubt only an assignment makes it known again."""
        filled = self._role(role, now)
        if self.is_open:
            self._line(role, filled, now.at, now)
        people = tuple(sorted(person for held, person in self.stays if held is role))
        known = filled.known or not relieved
        self.roles[role] = Filled(now.at, known, people)
        if role is events.Role.DEALER:
            now.dealers = people

    def _cover(self, now: Now) -> None:
        if self.is_open:
            for role, filled in self.roles.items():
                self._line(role, filled, now.at, now)
                filled.since, filled.seen = now.at, 0

    def _line(self, role: events.Role, filled: Filled, until: int, now: Now) -> None:
        if until == filled.since:
            return
        people = list(filled.people) if filled.known else []
        for day, since, end in now.spans(filled.since, until):
            row = (day, now.table, role.value, since, end, filled.state, people, filled.seen)
            self.add("coverage", row)

    def _hand_out(
        self, role: events.Role, person: str, stay: Stay, now: Now, *, still: bool
    ) -> None:
        for day, since, until in now.spans(stay.since, now.at):
            self.add(
                "stays",
                (
                    day, now.table, role.value, person, since, until, stay.since,
                    str(stay.assigned), still or until < now.at, stay.doubtful,
                ),
            )  # fmt: skip
