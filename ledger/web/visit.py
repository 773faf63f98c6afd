"""One request of a person who is signed in and may see the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ledger.casework.cases import CaseRole
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.paper import Paper
from ledger.web.record import Record
from ledger.web.sessions import Session
from ledger.web.settings import OpenIdSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One request of a person who is signed in.

    Attributes:
        record: the ledger as it stands.
        session: the person's.
        own_sessions: all sessions of the person.
        roles: what the person is at the desk.
        path: the parts of the path that vary.
        query: what stands after the question mark.
        footage_days: for how many days recordings are kept.
        paper: on which letters and forms are printed.
        nights: the folder of the nights' reports.
        openid: the provider at which people may sign in.
    """

    record: Record
    session: Session
    own_sessions: Sequence[Session]
    roles: frozenset[CaseRole]
    path: Mapping[str, str]
    query: Mapping[str, str]
    footage_days: int | None
    paper: Paper
    nights: Path
    openid: OpenIdSettings | None

    def shows(self, subject: str) -> bool:
        """Whether a look at the patrons of a case or a round is recorded for this sitting."""
        return self.session.looked.get(subject) == self.record.sitting()
