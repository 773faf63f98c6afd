"""What the routes of a desk share: sessions, cookies, pages with their frame, refusals."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from fastapi import Request, Response

from ledger.casework.cases import CaseRole
from ledger.casework.person_proofs import PersonProofs
from ledger.web.record import Record
from ledger.web.rendering import Answer, json_text, page
from ledger.web.roles import MAY_SEE, may_see
from ledger.web.sessions import Session, Sessions

if TYPE_CHECKING:
    from ledger.web.settings import DeskSettings

REFRESH: Final = "x-desk-refresh"
"""Sent by a page that reads itself again, which keeps no session alive."""


class Desk:
    """What the routes share.

    Args:
        settings: how the desk was started.
        record: the ledger.
    """

    def __init__(self, settings: DeskSettings, record: Record) -> None:
        self.settings = settings
        self.record = record
        self.sessions = Sessions(settings.clock, settings.idle_seconds, settings.longest_seconds)
        self.cookie = "__Host-desk" if settings.is_secure else "desk"

    def note(self, event: str, person: str | None, request: Request | None, **more: object) -> None:
        """Write a line of the security log: no pass phrase, no search, no token."""
        address = request.client.host if request is not None and request.client else None
        line = {"at": self.settings.clock(), "event": event, "person": person, "from": address}
        self.settings.note(json.dumps({**line, **more}, ensure_ascii=True))

    def session_of(self, request: Request) -> Session | None:
        """The session of a request; ended where its credential is held no more."""
        token = request.cookies.get(self.cookie)
        is_used = REFRESH not in request.headers
        return self.sessions.of(token, is_used=is_used) if token else None

    def set_cookie(
        self, response: Response, name: str, token: str, *, is_lax: bool = False
    ) -> None:
        """Give the browser a cookie that scripts and other sites never see.

        Args:
            response: the answer that brings it.
            name: its name.
            token: what it holds.
            is_lax: it comes along when another site leads back here by a link.
        """
        response.set_cookie(
            name, token, path="/", httponly=True, samesite="lax" if is_lax else "strict",
            secure=self.settings.is_secure,
        )  # fmt: skip

    def onward(self, title: str, sentence: str, to: str, label: str) -> Response:
        """A page of the desk that leads on by itself.

        A redirect would be part of how the browser came here: strict cookies are not sent along it
        from another site, and after a form it may not lead to one.
        """
        context = {"title": title, "sentence": sentence, "to": to, "label": label}
        return self.html(Answer(template="onward.html", context=context), None, frozenset())

    def html(self, answer: Answer, session: Session | None, roles: frozenset[CaseRole]) -> Response:
        """A page with its frame."""
        frame = {
            "person": session.person if session else None,
            "section": None,
            "form_token": session.form_token if session else "",
            "roles": sorted(role.value for role in roles),
            "sees": {name for name in MAY_SEE if may_see(roles, name)},
            "second_factor": lambda: self._second_factor(session, roles),
        }
        return Response(
            page(answer.template, {**frame, **answer.context}),
            answer.status,
            media_type="text/html",
        )

    def _second_factor(self, session: Session | None, roles: frozenset[CaseRole]) -> frozenset[str]:
        """A person's second factors; ``missing`` where there is none and the role must have one."""
        own = PersonProofs(self.settings.folder).second_factors(session.person if session else "")
        is_missing = not own and roles & self.settings.second_factor_roles
        return frozenset({"missing"}) if is_missing else own

    def refused(
        self, status: int, sentence: str, step: str, session: Session | None = None,
        roles: frozenset[CaseRole] = frozenset(), form: str = "html",
    ) -> Response:  # fmt: skip
        """A page that says why not, and what to do."""
        if form == "json":
            return Response(json_text({"problem": sentence, "next": step}), status,
                            media_type="application/json")  # fmt: skip
        if form == "csv":
            return Response(f"{sentence} {step}\n", status, media_type="text/plain")
        context = {"title": "Refused", "sentence": sentence, "step": step}
        answer = Answer(template="refused.html", context=context, status=status)
        return self.html(answer, session, roles)
