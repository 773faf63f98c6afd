"""Who works here: credentials, departments, and who stands at which table when."""

from __future__ import annotations

from typing import Final

from ledger.events import Role
from ledger.floor.tables import TABLES, TableSpec

CAGE: Final = "C-1"
SECURITY: Final = "G-1"
COUNTERS: Final = ("K-1", "K-2", "K-3")
SHIFT_MANAGER: Final = "M-1"
DIRECTOR: Final = "Executive Director"

_DEALERS_PER_TABLE: Final = 4
_FOOTBALL_DEALERS: Final = 6
"""Three stand at a football table at a time (58 Pa. Code § 577.9(b))."""
_FLOORPERSONS: Final = {
    "Sic Bo": ("F-11", "F-12"),
    "Dreamcatcher": ("F-21", "F-22"),
    "Asia Poker": ("F-31", "F-32"),
    "Three Dice Football": ("F-41", "F-42"),
    "Props & Hops": ("F-51", "F-52"),
}


def dealers_of(spec: TableSpec) -> tuple[str, ...]:
    """The dealers who take turns at a table."""
    count = _FOOTBALL_DEALERS if spec.is_football else _DEALERS_PER_TABLE
    return tuple(f"D-{spec.name}-{number}" for number in range(1, count + 1))


def floorpersons_of(spec: TableSpec) -> tuple[str, str]:
    """The floorpersons of a pit, first and second shift."""
    return _FLOORPERSONS[spec.game]


def floorperson_of_another_pit(spec: TableSpec) -> str:
    """A floorperson who is assigned to other tables."""
    return next(pair[0] for game, pair in _FLOORPERSONS.items() if game != spec.game)


def everybody() -> tuple[tuple[str, str, Role | None], ...]:
    """Credential, department and role of everyone who works here."""
    staff: list[tuple[str, str, Role | None]] = [
        (SHIFT_MANAGER, "table games", Role.SHIFT_MANAGER),
        (CAGE, "finance", None),
        (SECURITY, "security", Role.SECURITY),
        *((person, "finance", None) for person in COUNTERS),
    ]
    for pair in _FLOORPERSONS.values():
        staff += [(person, "table games", Role.FLOORPERSON) for person in pair]
    for spec in TABLES:
        staff += [(person, "table games", Role.DEALER) for person in dealers_of(spec)]
    return tuple(staff)
