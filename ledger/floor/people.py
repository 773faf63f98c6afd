"""Who works here: credentials, departments, and who stands at which table when."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.events import Role, StaffRank
from ledger.floor.tables import TableSpec
from ledger.kernel.quick_dataclass import dataclass

CAGE: Final = "C-1"
SECURITY: Final = "G-1"
COUNTERS: Final = ("K-1", "K-2", "K-3")
SHIFT_MANAGER: Final = "M-1"
SECOND_SHIFT_MANAGER: Final = "M-2"
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


@dataclass(frozen=True, slots=True)
class Reviewer:
    """Somebody who looks into findings or watches: rank and printed name stand on the credential."""

    person: str
    department: str
    rank: StaffRank
    printed_name: str
    role: Role | None = None


# fmt: off
REVIEWERS: Final = (
    Reviewer("S-1",  "surveillance",           StaffRank.MEMBER,     "Surveillance operator one",     Role.SURVEILLANCE),
    Reviewer("S-2",  "surveillance",           StaffRank.MEMBER,     "Surveillance operator two",     Role.SURVEILLANCE),
    Reviewer("SS-1", "surveillance",           StaffRank.SUPERVISOR, "Surveillance supervisor one",   Role.SURVEILLANCE),
    Reviewer("SS-2", "surveillance",           StaffRank.SUPERVISOR, "Surveillance supervisor two",   Role.SURVEILLANCE),
    Reviewer("SM-1", "surveillance",           StaffRank.MANAGER,    "Director of surveillance",      Role.SURVEILLANCE),
    Reviewer("FR-1", "finance",                StaffRank.SUPERVISOR, "Finance reviewer one"),
    Reviewer("FR-2", "finance",                StaffRank.SUPERVISOR, "Finance reviewer two"),
    Reviewer("MR-1", "marketing",              StaffRank.SUPERVISOR, "Marketing reviewer one"),
    Reviewer("MR-2", "marketing",              StaffRank.SUPERVISOR, "Marketing reviewer two"),
    Reviewer("CO-1", "compliance",             StaffRank.SUPERVISOR, "Compliance reviewer one"),
    Reviewer("CO-2", "compliance",             StaffRank.SUPERVISOR, "Compliance reviewer two"),
    Reviewer("IT-1", "information technology", StaffRank.SUPERVISOR, "Systems supervisor one"),
    Reviewer("IT-2", "information technology", StaffRank.SUPERVISOR, "Systems supervisor two"),
    Reviewer("IA-1", "internal audit",         StaffRank.SUPERVISOR, "Internal auditor one"),
    Reviewer("IA-2", "internal audit",         StaffRank.MANAGER,    "Internal auditor two"),
)
# fmt: on
"""Who decides about findings; nobody of them deals, supervises a table or handles coupons."""
REPORT_SIGNERS: Final = tuple(
    (one.person, one.printed_name) for one in REVIEWERS if one.department == "internal audit"
)
"""Credential and printed name of those who sign the report of a night."""


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


def everybody(tables: Iterable[TableSpec]) -> tuple[tuple[str, str, Role | None], ...]:
    """Credential, department and role of everyone who works here and at these tables."""
    staff: list[tuple[str, str, Role | None]] = [
        (SHIFT_MANAGER, "table games", Role.SHIFT_MANAGER),
        (SECOND_SHIFT_MANAGER, "table games", Role.SHIFT_MANAGER),
        (CAGE, "finance", None),
        (SECURITY, "security", Role.SECURITY),
        *((person, "finance", None) for person in COUNTERS),
    ]
    for pair in _FLOORPERSONS.values():
        staff += [(person, "table games", Role.FLOORPERSON) for person in pair]
    for spec in tables:
        staff += [(person, "table games", Role.DEALER) for person in dealers_of(spec)]
    staff += [(one.person, one.department, one.role) for one in REVIEWERS]
    return tuple(staff)
