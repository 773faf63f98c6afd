"""People at one table: who held which role from when to when, and which roles were filled."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from ledger import events
from ledger.analytics.facts.gaming_day_bounds import Add, TableMoment
from ledger.kernel import FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass

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
    """One person in one role since a moment, in microseconds UTC."""

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

    def take(self, fact: events.Fact, moment: TableMoment) -> None:
        """Follow one fact."""
        match fact:
            case events.StaffAssigned():
                ref = ref_of(fact)
                self.stays.setdefault((fact.role, fact.person), Stay(moment.at, ref))
                self._changed(fact.role, moment)
            case events.StaffRelieved():
                stay = self.stays.pop((fact.role, fact.person), None)
                if stay is not None:
                    self._hand_out(fact.role, fact.person, stay, moment, still=False)
                self._changed(fact.role, moment, relieved=True)
            case events.SupervisorPresent():
                self._role(fact.role, moment).seen += 1
            case events.TableClosed():
                self._cover(moment)
                self.is_open = False
            case events.TableOpened() | events.BettingOpened():
                if not self.is_open:
                    self.is_open = True
                    for role in ALWAYS:
                        self._role(role, moment)
                    for filled in self.roles.values():
                        filled.since, filled.seen = moment.at, 0

    def doubt(self, since: int | None, moment: TableMoment) -> None:
        """Facts are missing or contradict each other: from there on no role is known."""
        at = moment.at if since is None else min(since, moment.at)
        for stay in self.stays.values():
            stay.doubtful = True
        for role, filled in self.roles.items():
            if self.is_open and filled.known:
                begins = max(at, filled.since)
                self._line(role, filled, begins, moment)
                filled.since, filled.seen = begins, 0
            filled.known = False

    def finish(self, moment: TableMoment) -> None:
        """The record ends here; who is at the table is still there as far as it goes."""
        self._cover(moment)
        for (role, person), stay in self.stays.items():
            self._hand_out(role, person, stay, moment, still=True)

    def _role(self, role: events.Role, moment: TableMoment) -> Filled:
        filled = self.roles.get(role)
        if filled is None:
            filled = self.roles[role] = Filled(moment.at)
        return filled

    def _changed(self, role: events.Role, moment: TableMoment, *, relieved: bool = False) -> None:
        """Whoever holds the role now; after a doubt only an assignment makes it known again."""
        filled = self._role(role, moment)
        if self.is_open:
            self._line(role, filled, moment.at, moment)
        people = tuple(sorted(person for held, person in self.stays if held is role))
        known = filled.known or not relieved
        self.roles[role] = Filled(moment.at, known, people)
        if role is events.Role.DEALER:
            moment.dealers = people

    def _cover(self, moment: TableMoment) -> None:
        if self.is_open:
            for role, filled in self.roles.items():
                self._line(role, filled, moment.at, moment)
                filled.since, filled.seen = moment.at, 0

    def _line(self, role: events.Role, filled: Filled, until: int, moment: TableMoment) -> None:
        if until == filled.since:
            return
        people = list(filled.people) if filled.known else []
        for day, since, end in moment.spans(filled.since, until):
            row = (day, moment.table, role.value, since, end, filled.state, people, filled.seen)
            self.add("coverage", row)

    def _hand_out(
        self, role: events.Role, person: str, stay: Stay, moment: TableMoment, *, still: bool
    ) -> None:
        for day, since, until in moment.spans(stay.since, moment.at):
            self.add(
                "stays",
                (
                    day, moment.table, role.value, person, since, until, stay.since,
                    str(stay.assigned), still or until < moment.at, stay.doubtful,
                ),
            )  # fmt: skip
