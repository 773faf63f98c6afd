"""Who may see which page: roles follow from the department and rank of a credential.

A page that is not in ``MAY_SEE`` is seen by nobody. The same table speaks for a page's ``.json``
and ``.csv``.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from ledger.replay import Roster


class DeskRole(StrEnum):
    """What a person is at the desk."""

    SURVEILLANCE = "surveillance"
    FINANCE = "finance"
    AUDITOR = "auditor"
    SUPERVISOR = "supervisor"
    ADMINISTRATOR = "administrator"
    BOARD = "Board agent"


_OF_DEPARTMENT: Final = {
    "surveillance": DeskRole.SURVEILLANCE,
    "finance": DeskRole.FINANCE,
    "internal audit": DeskRole.AUDITOR,
    "compliance": DeskRole.AUDITOR,
    "information technology": DeskRole.ADMINISTRATOR,
    "gaming control board": DeskRole.BOARD,
    "pennsylvania gaming control board": DeskRole.BOARD,
}
_TABLE_GAMES: Final = "table games"
_SUPERVISING: Final = ("supervisor", "manager")

_S, _F, _A = DeskRole.SURVEILLANCE, DeskRole.FINANCE, DeskRole.AUDITOR
_V, _I, _B = DeskRole.SUPERVISOR, DeskRole.ADMINISTRATOR, DeskRole.BOARD

# fmt: off
MAY_SEE: Final[Mapping[str, frozenset[DeskRole]]] = {
    #  page     surveillance, finance, auditor, supervisor, administrator, Board agent
    "find":     frozenset({_S,     _A, _V,     _B}),
    "round":    frozenset({_S,     _A, _V,     _B}),
    "shift":    frozenset({_S,     _A, _V,     _B}),
    "coupons":  frozenset({_S, _F, _A,         _B}),
    "money":    frozenset({    _F, _A,         _B}),
    "law":      frozenset({_S, _F, _A, _V, _I, _B}),
    "ledger":   frozenset({_S, _F, _A, _V, _I, _B}),
    "entry":    frozenset({_S,     _A,         _B}),
    "sessions": frozenset({_S, _F, _A, _V, _I, _B}),
}
# fmt: on


def roles_of(roster: Roster, person: str, at: int) -> frozenset[DeskRole]:
    """Return what a person is at the desk at a moment; none for who has no work there.

    Args:
        roster: who holds which credential.
        person: the credential.
        at: microseconds UTC.
    """
    departments = roster.departments(person, at)
    roles = {_OF_DEPARTMENT[name] for name in departments if name in _OF_DEPARTMENT}
    if _TABLE_GAMES in departments and roster.rank(person, at) in _SUPERVISING:
        roles.add(DeskRole.SUPERVISOR)
    return frozenset(roles)


def may_see(roles: frozenset[DeskRole], page: str) -> bool:
    """Return whether any of these roles sees a page."""
    return bool(roles & MAY_SEE.get(page, frozenset()))
