"""Signing in and out, and ending one's other sessions."""

from __future__ import annotations

import hmac
import json
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from ledger.casework.cases import roles_of
from ledger.casework.person_proofs import LONGEST, NotProved, PersonProofs, TooManyTries
from ledger.events import ProofKind
from ledger.kernel import LedgerError, plural
from ledger.replay import Holding
from ledger.replay.persons import person_key
from ledger.web.forms import PROOF, Form, form_of
from ledger.web.rendering import Answer
from ledger.web.sessions import Session, Sessions
from ledger.web.throttle import Throttle
from ledger.web.writer_socket import WriterAway, ask_writer

if TYPE_CHECKING:
    from ledger.web.desk import Desk
    from ledger.web.record import Record
    from ledger.web.settings import DeskSettings

LONGEST_NAME: Final = 64
SIGN_OUT_SECONDS: Final = 2.0
_OWN_PATH: Final = re.compile(r"/(?:[a-z]+(?:/[\w:.-]+)*)?", re.ASCII)
WRONG: Final = (
    "The credential, the pass phrase or the code is wrong, or the credential is not enrolled."
)


class SignIn:
    """Proves who somebody is, and the routes for it.

    Args:
        settings: how the desk was started.
        record: the ledger.
        sessions: those of the desk.
    """

    def __init__(self, settings: DeskSettings, record: Record, sessions: Sessions) -> None:
        self.settings = settings
        self.record = record
        self.sessions = sessions
        self.throttle = Throttle(settings.clock)
        self._secret = secrets.token_bytes(32)

    def proved(
        self, credential: str, pass_phrase: str, code: str = "", passkey: str = ""
    ) -> tuple[str, str] | None:
        """Whom a pass phrase proves, and the writer's ticket; None if it proves nobody.

        Whoever cannot sign in at all takes as long as a wrong pass phrase. Where the writer is
        away, the ticket is empty: reading needs none, and each form then asks again. Who has a
        second factor waits for the writer, which alone can keep that a code was used.

        Raises:
            TooManyTries: it was wrong too often just now.
        """
        at = self.settings.clock()
        person = self.who_may_work(credential)
        proofs = PersonProofs(self.settings.folder)
        if person is None or len(pass_phrase) > LONGEST:
            proofs.pretend()
            return None
        try:
            request = {
                "act": "sign_in",
                "person": person,
                "pass_phrase": pass_phrase,
                "code": code,
                "passkey": passkey,
            }
            answer = ask_writer(self.settings.folder, request)
        except WriterAway:
            answer = None
        if answer is not None and answer.get("ok"):
            return person, str(answer["ticket"])
        if answer is not None and answer.get("code") == TooManyTries.code:
            raise TooManyTries(str(answer["problem"]), next_step=str(answer["next"]))
        if answer is not None:
            return None
        try:
            proofs.prove(person, pass_phrase, at)
        except NotProved:
            return None
        return None if proofs.has_second(person) else (person, "")

    def who_may_work(self, credential: str) -> str | None:
        """The person of a credential who is enrolled by a pass phrase and has work at the desk."""
        at = self.settings.clock()
        with self.record.present() as record:
            enrolled = record.cases.enrollments.persons.get(person_key(credential))
            may_work = (
                enrolled is not None
                and enrolled.how is ProofKind.PASS_PHRASE
                and record.roster.holding(enrolled.person, at) is Holding.HELD
                and bool(roles_of(record.roster, enrolled.person, at))
            )
        return enrolled.person if enrolled is not None and may_work else None

    def begin(
        self,
        desk: Desk,
        request: Request,
        response: Response,
        person: str,
        *,
        before: Session | None,
        by: str,
    ) -> Session:
        """Begin the session of a person who proved to be that, in the place of an earlier one."""
        if before is not None:
            self.sessions.end(before)
        token, session = self.sessions.begin(person, request.headers.get("user-agent", "")[:200])
        desk.note("sign-in", person, request, by=by)
        desk.set_cookie(response, desk.cookie, token)
        return session

    def form_token(self, nonce: str) -> str:
        """The token of a form that nobody is signed in for, by the browser's cookie."""
        return hmac.new(self._secret, nonce.encode(), sha256).hexdigest()

    def is_own_token(self, request: Request, token: str) -> bool:
        """Whether a form that nobody is signed in for carries the token of its browser."""
        nonce = request.cookies.get(self._cookie, "")
        own = self.form_token(nonce).encode()
        return bool(nonce) and hmac.compare_digest(own, token.encode())

    # --- routes -------------------------------------------------------------------------------

    def add_routes(self, app: FastAPI, desk: Desk) -> None:
        """Add the routes of signing in and out."""

        async def show_form(request: Request) -> Response:
            return self.form(desk, own_path(request.query_params.get("to", "")))

        async def prove(request: Request) -> Response:
            try:
                fields = await form_of(request)
            except LedgerError as error:
                return self.form(desk, "/", error.problem, 400)
            if not self.is_own_token(request, fields.get("token", "")):
                to = own_path(fields.get("to", ""))
                return self.form(desk, to, "The form was too old. Please sign in again.", 403)
            return await run_in_threadpool(self._prove, desk, request, fields)

        app.add_route("/sign-in", show_form, methods=["GET"])
        app.add_route("/sign-in", prove, methods=["POST"])
        for path, act in (
            ("/sign-out", self._sign_out),
            ("/sessions/end", self._end_others),
            ("/sessions/second-factor", self._set_second),
        ):
            app.add_route(path, with_token(desk, act), methods=["POST"])

    @property
    def _cookie(self) -> str:
        return "__Host-desk-form" if self.settings.is_secure else "desk-form"

    def form(self, desk: Desk, to: str, problem: str | None = None, status: int = 200) -> Response:
        """The page to sign in, with what went wrong before."""
        nonce = secrets.token_urlsafe(24)
        openid = self.settings.openid
        context = {
            "to": to,
            "problem": problem,
            "token": self.form_token(nonce),
            "provider": openid.provider if openid else None,
        }
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
            return self.form(desk, to, problem, 429)
        self.throttle.failed(*names)  # before it is known, so that tries at once count, too
        try:
            proved = self.proved(credential, *(fields.get(name, "") for name in PROOF))
        except TooManyTries as error:
            desk.note("sign-in throttled", credential, request)
            return self.form(desk, to, f"{error.problem} {error.next_step}.", 429)
        if proved is None:
            desk.note("sign-in failed", credential, request)
            return self.form(desk, to, WRONG, 401)
        for name in names:
            self.throttle.succeeded(name)
        response = RedirectResponse(to, 303)
        before = desk.session_of(request)
        session = self.begin(desk, request, response, proved[0], before=before, by="pass phrase")
        session.ticket = proved[1]
        return response

    def _sign_out(self, desk: Desk, session: Session, _form: Form) -> Response:
        self.sessions.end(session)
        with suppress(WriterAway):  # then it knows no ticket either
            if session.ticket:
                request = {"act": "sign_out", "ticket": session.ticket}
                ask_writer(self.settings.folder, request, SIGN_OUT_SECONDS)
        response: Response = RedirectResponse("/sign-in", 303)
        if session.sign_out_address and self.settings.openid is not None:
            provider = self.settings.openid.provider
            sentence = f"You are signed out of the desk. {provider} is asked to sign you out, too."
            to = session.sign_out_address
            response = desk.onward("Signed out", sentence, to, f"Sign out at {provider}")
        response.delete_cookie(
            desk.cookie, httponly=True, samesite="strict", secure=self.settings.is_secure
        )
        return response

    def _end_others(self, _desk: Desk, session: Session, _form: Form) -> Response:
        self.sessions.end_others(session)
        return RedirectResponse("/sessions", 303)

    def _set_second(self, desk: Desk, session: Session, form: Form) -> Response:
        """Set up the second factor that the page of sessions showed; end all other sessions."""
        request = {
            "act": "second_factor",
            "person": session.person,
            **form.proof(),
            "fields": {
                "secret": session.second_secret.hex(),
                "new_code": form.text("new_code"),
            },
        }
        try:
            answer = ask_writer(self.settings.folder, request)
        except WriterAway as error:
            return desk.refused(503, error.problem, "Try again in a minute.", session)
        if not answer.get("ok"):
            problem = str(answer.get("problem", ""))
            step = "Go back, take the code that the device shows now, and try again."
            return desk.refused(400, problem, step, session)
        session.renew_secret()
        self.sessions.end_others(session)
        desk.settings.note(
            json.dumps(
                {
                    "at": self.settings.clock(),
                    "event": "second factor set",
                    "person": session.person,
                }
            )
        )
        return RedirectResponse("/sessions", 303)


def with_token(
    desk: Desk, act: Callable[[Desk, Session, Form], Response]
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
        path = {name: str(part) for name, part in request.path_params.items()}
        form = Form(fields=fields, path=path, address=request.url.path)
        return await run_in_threadpool(act, desk, session, form)

    return answer_form


def own_path(text: str) -> str:
    """Return a path of the desk's own to go on to; the first page for anything else."""
    return text if _OWN_PATH.fullmatch(text) else "/"
