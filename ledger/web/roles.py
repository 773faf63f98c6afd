"""Who may see which page; the roles are those of cases, by department and rank of a credential.

A page that is not in ``MAY_SEE`` is seen by nobody. The same table speaks for a page's ``.json``
and ``.csv``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.casework.cases import CaseRole

_S, _F, _A = CaseRole.SURVEILLANCE, CaseRole.FINANCE, CaseRole.AUDITOR
_V, _I, _B = CaseRole.SUPERVISOR, CaseRole.ADMINISTRATOR, CaseRole.BOARD_AGENT

# fmt: off
MAY_SEE: Final[Mapping[str, frozenset[CaseRole]]] = {
    #  page     surveillance, finance, auditor, supervisor, administrator, Board agent
    "find":     frozenset({_S,     _A, _V,     _B}),
    "round":    frozenset({_S,     _A, _V,     _B}),
    "shift":    frozenset({_S,     _A, _V,     _B}),
    "cases":    frozenset({_S, _F, _A, _V,     _B}),
    "coupons":  frozenset({_S, _F, _A,         _B}),
    "money":    frozenset({    _F, _A,         _B}),
    "night":    frozenset({_S, _F, _A,         _B}),
    "law":      frozenset({_S, _F, _A, _V, _I, _B}),
    "ledger":   frozenset({_S, _F, _A, _V, _I, _B}),
    "entry":    frozenset({_S,     _A,         _B}),
    "sessions": frozenset({_S, _F, _A, _V, _I, _B}),
}
# fmt: on


def may_see(roles: frozenset[CaseRole], page: str) -> bool:
    """Return whether any of these roles sees a page."""
    return bool(roles & MAY_SEE.get(page, frozenset()))
