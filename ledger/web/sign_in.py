"""Signing in and out, and ending one's other sessions."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from ledger.kernel import LedgerError, plural
from ledger.log.keys import read_verifier
from ledger.log.signed_file_index import Seals
from ledger.log.storage import DirectoryStorage
from ledger.replay import Holding
from ledger.replay.persons import person_key
from ledger.web.accounts import Account, read_accounts
from ledger.web.forms import form_of
from ledger.web.pass_phrases import COST, LONGEST, Cost, hash_of, is_pass_phrase
from ledger.web.rendering import Answer
from ledger.web.roles import roles_of
from ledger.web.sessions import Session, Sessions
from ledger.web.throttle import Throttle

if TYPE_CHECKING:
    from ledger.web.desk import Desk
    from ledger.web.record import Record
    from ledger.web.settings import DeskSettings

AT_ONCE: Final = 2
"""Pass phrases that are hashed at the same time; each takes 64 MiB."""
LONGEST_NAME: Final = 64
_OWN_PATH: Final = re.compile(r"/(?:[a-z]+(?:/[\w:.-]+)*)?", re.ASCII)
WRONG: Final = "The credential or the pass phrase is wrong, or the credential has no account."


class SignIn:
    """Proves who somebody is, and the routes for it.

    Args:
        settings: how the desk was started.
        record: the ledger.
        sessions: those of the desk.
        cost: of the hash with which an unknown credential is compared.
    """

    def __init__(
        self, settings: DeskSettings, record: Record, sessions: Sessions, cost: Cost = COST
    ) -> None:
        self.settings = settings
        self.record = record
        self.sessions = sessions
        self.throttle = Throttle(settings.clock)
        self._secret = secrets.token_bytes(32)
        self._nobody = hash_of(secrets.token_urlsafe(32), cost)
        self._hashing = BoundedSemaphore(AT_ONCE)

    def account_of(self, credential: str, pass_phrase: str) -> Account | None:
        """The account that a credential and a pass phrase prove; None if they prove none.

        An unknown credential takes as long as a wrong pass phrase.

        Raises:
            AccountsUnsealed: the accounts are not what the ledger's key sealed.
        """
        folder = self.settings.folder
        verifier = read_verifier(DirectoryStorage(folder), str(folder))
        account = read_accounts(folder, Seals(verifier)).get(person_key(credential))
        kept = self._nobody if account is None else account.pass_phrase
        with self._hashing:
            is_right = len(pass_phrase) <= LONGEST and is_pass_phrase(pass_phrase, kept)
        if account is None or not is_right:
            return None
        with self.record.present() as record:
            at = self.settings.clock()
            is_held = record.roster.holding(account.credential, at) is Holding.HELD
            is_at_work = bool(roles_of(record.roster, account.credential, at))
        return account if is_held and is_at_work else None

    def form_token(self, nonce: str) -> str:
        """The token of a form that nobody is signed in for, by the browser's cookie."""
        return hmac.new(self._secret, nonce.encode(), sha256).hexdigest()

    # --- routes -------------------------------------------------------------------------------

    def add_routes(self, app: FastAPI, desk: Desk) -> None:
        """Add the routes of signing in and out."""

        async def show_form(request: Request) -> Response:
            return self._form(desk, own_path(request.query_params.get("to", "")))

        async def prove(request: Request) -> Response:
            try:
                fields = await form_of(request)
            except LedgerError as error:
                return self._form(desk, "/", error.problem, 400)
            nonce = request.cookies.get(self._cookie, "")
            own = self.form_token(nonce).encode()
            if not nonce or not hmac.compare_digest(own, fields.get("token", "").encode()):
                to = own_path(fields.get("to", ""))
                return self._form(desk, to, "The form was too old. Please sign in again.", 403)
            return await run_in_threadpool(self._prove, desk, request, fields)

        app.add_route("/sign-in", show_form, methods=["GET"])
        app.add_route("/sign-in", prove, methods=["POST"])
        for path, act in (("/sign-out", self._sign_out), ("/sessions/end", self._end_others)):
            app.add_route(path, with_token(desk, act), methods=["POST"])

    @property
    def _cookie(self) -> str:
        return "__Host-desk-form" if self.settings.is_secure else "desk-form"

    def _form(self, desk: Desk, to: str, problem: str | None = None, status: int = 200) -> Response:
        nonce = secrets.token_urlsafe(24)
        context = {"to": to, "problem": problem, "token": self.form_token(nonce)}
        answer = Answer(template="sign_in.html", context=context, status=status)
        response = desk.html(answer, None, frozenset())
        desk.set_cookie(response, self._cookie, nonce)
        return response

    def _prove(self, desk: Desk, request: Request, fields: Mapping[str, str]) -> Response:
        to = own_path(fields.get("to", ""))
        credential = fields.get("credential", "").strip()[:LONGEST_NAME]
        address = request.client.host if request.client else "unknown"
        names = f"credential {person_key(credential)}", f"address {address}"
        wait = self.throttle.wait_seconds(*names)
        if wait:
            desk.note("sign-in throttled", credential, request)
            problem = f"Too many tries. Wait {plural(wait, 'second')}, then try again."
            return self._form(desk, to, problem, 429)
        self.throttle.failed(*names)  # before it is known, so that tries at once count, too
        try:
            account = self.account_of(credential, fields.get("pass_phrase", ""))
        except LedgerError as error:
            desk.note("accounts unreadable", credential, request)
            return self._form(desk, to, f"{error.problem} Tell whoever runs the desk.", 503)
        if account is None:
            desk.note("sign-in failed", credential, request)
            return self._form(desk, to, WRONG, 401)
        for name in names:
            self.throttle.succeeded(name)
        before = desk.session_of(request)
        if before is not None:
            self.sessions.end(before)
        browser = request.headers.get("user-agent", "")[:200]
        token, session = self.sessions.begin(account.credential, browser)
        desk.note("sign-in", session.person, request)
        response = RedirectResponse(to, 303)
        desk.set_cookie(response, desk.cookie, token)
        return response

    def _sign_out(self, desk: Desk, session: Session, _fields: Mapping[str, str]) -> Response:
        self.sessions.end(session)
        response = RedirectResponse("/sign-in", 303)
        response.delete_cookie(
            desk.cookie, httponly=True, samesite="strict", secure=self.settings.is_secure
        )
        return response

    def _end_others(self, _desk: Desk, session: Session, _fields: Mapping[str, str]) -> Response:
        self.sessions.end_others(session)
        return RedirectResponse("/sessions", 303)


def with_token(
    desk: Desk, act: Callable[[Desk, Session, Mapping[str, str]], Response]
) -> Callable[[Request], Awaitable[Response]]:
    """Return a route that acts for a session, if the form carries the session's token."""

    async def answer_form(request: Request) -> Response:
        session = desk.session_of(request)
        if session is None:
            return RedirectResponse("/sign-in", 303)
        try:
            fields = await form_of(request)
        except LedgerError as error:
            return desk.refused(400, error.problem, "Go back and try again.", session)
        if not session.is_form_token(fields.get("token", "")):
            desk.note("form refused", session.person, request)
            sentence, step = "This form is of another session.", "Open the page again and repeat."
            return desk.refused(403, sentence, step, session)
        return act(desk, session, fields)

    return answer_form


def own_path(text: str) -> str:
    """Return a path of the desk's own to go on to; the first page for anything else."""
    return text if _OWN_PATH.fullmatch(text) else "/"
