"""Where a case plays: its tables, who works there, what lies there, as the case goes on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any

from ledger.events import Role, ShakerKind
from ledger.kernel import MICROSECONDS
from tests.conformance import words
from tests.conformance.keys import Keys, NotTranslatable, whole
from tests.conformance.timeline import Origin, Timeline

_GUESSED_ROLES = (
    (r"D\d+", Role.DEALER),
    (r"F\d+", Role.FLOORPERSON),
    (r"SM?\d+", Role.SHIFT_MANAGER),
    (r"PM\d+", Role.PIT_MANAGER),
    (r"CM\d+", Role.CASINO_MANAGER),
    (r"P\d+", Role.PATRON),
)


@dataclass
class Table:
    """One table, as far as the words of a case have come."""

    name: str
    game: str
    sign: str | None = None
    sign_up: bool = True
    submission: str | None = None
    layouts: dict[str, str] = field(default_factory=dict)
    sections: tuple[str, ...] = ()
    on_duty: list[tuple[Role, str]] = field(default_factory=list)
    shakers: dict[str, ShakerKind] = field(default_factory=dict)
    shaker: str | None = None
    first_shaker: str | None = None
    approved_shakers: set[str] = field(default_factory=set)
    dice: list[str] = field(default_factory=list)
    entered: tuple[int, ...] | None = None
    shown: tuple[int, ...] | None = None
    lit: bool = False
    last: int | None = None
    limits: dict[str | None, tuple[int | None, int | None]] = field(default_factory=dict)
    increment: int | None = None

    def dealer(self) -> str | None:
        """The dealer on duty, the last to come."""
        return next((who for role, who in reversed(self.on_duty) if role is Role.DEALER), None)


@dataclass
class Scene:
    """All that the handlers of facts need.

    ``in_order`` is true for the vocabulary in which everything that is not mentioned is in order
    and recorded.
    """

    timeline: Timeline
    base: int
    table: Table
    in_order: bool
    tables: dict[str, Table] = field(default_factory=dict)
    people: dict[str, Role] = field(default_factory=dict)
    signs_decided: set[str] = field(default_factory=set)
    patrons_playing: bool | None = None
    patrons_counted: bool = False
    announced_at: set[int] = field(default_factory=set)
    named: frozenset[str] = frozenset()
    notice: dict[str, Any] = field(default_factory=dict)
    covers_told: bool = False
    sign_stays_down: bool = False
    requests: dict[str, str] = field(default_factory=dict)
    services: dict[str, str | None] = field(default_factory=dict)
    rules_of_filing: str | None = None
    audited: tuple[date, ...] = ()
    periodic: frozenset[date] = frozenset()

    def __post_init__(self) -> None:
        self.tables[self.table.name] = self.table

    def at(self, seconds: Any) -> int:
        """The moment so many seconds after the case's start, exactly."""
        if isinstance(seconds, bool) or not isinstance(seconds, int | float | str):
            raise NotTranslatable(f"not a time: {seconds!r}")
        try:
            return self.base + round(Fraction(str(seconds)) * MICROSECONDS)
        except ValueError as error:
            raise NotTranslatable(f"not a time: {seconds!r}") from error

    def who(self, table: Table, by: Any, default: Role | None) -> tuple[str | None, Role | None]:
        """Credential and role for the words "D1", "dealer", "patron P1"; None for null."""
        if by is None:
            return None, None
        if not isinstance(by, str):
            raise NotTranslatable(f"not a person: {by!r}")
        word, _, name = by.strip().partition(" ")
        if words.is_role(by):
            role, name = words.role(by), ""
        elif words.is_role(word) and name:
            role = words.role(word)
        elif by in self.people:
            return by, self.people[by]
        else:
            return by, self._guessed(by) or default
        if not name:
            name = next((who for has, who in reversed(table.on_duty) if has is role), word)
        return name, role

    def _guessed(self, person: str) -> Role | None:
        return next((r for pattern, r in _GUESSED_ROLES if re.fullmatch(pattern, person)), None)


@dataclass
class Moment:
    """One fact of a case, while it is translated."""

    scene: Scene
    table: Table
    time: int
    keys: Keys
    origin: Origin
    name: str

    def add(self, kind: type[Any], /, *, time: int | None = None, **fields: Any) -> None:
        """A fact on the table's stream."""
        at = self.time if time is None else time
        self.scene.timeline.add(at, self.table.name, kind, self.origin, **fields)

    def actor(
        self, *names: str, absent: Role | None = Role.DEALER
    ) -> tuple[str | None, Role | None]:
        """Who did it; where the case does not say, the one on duty in the role of ``absent``."""
        if self.keys.has(*names):
            return self.scene.who(self.table, self.keys.take(*names), absent)
        if absent is None:
            return None, None
        on_duty = reversed(self.table.on_duty)
        return next((who for role, who in on_duty if role is absent), None), absent

    def wager_id(self) -> str:
        """The id of the wager that the fact is about."""
        return str(self.keys.need("wager_id", "id", "wager"))

    def cents(self, *names: str) -> int:
        """An amount."""
        return whole(self.keys.need(*names), self.keys.where)


def faces(values: Iterable[Any] | None, where: str) -> tuple[int, ...]:
    """Faces of dice as announced or entered."""
    if not isinstance(values, list):
        raise NotTranslatable(f"{where}: not a list of faces: {values!r}")
    return tuple(whole(value, where) for value in values)
