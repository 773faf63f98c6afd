"""Signing in by an account at the OpenID provider, and linking that account to a credential.

The way back from the provider comes from another site, so a browser sends no strict cookie with it:
a lax one of its own shows that the browser is the one that left, and a page of the desk leads on.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from ledger.casework.person_proofs import PersonProofs
from ledger.kernel import LedgerError, plural
from ledger.kernel.quick_dataclass import dataclass
from ledger.web.errors import FormRefused, OpenIdRefused, ProviderAway, ProviderWrong
from ledger.web.forms import Form, form_of
from ledger.web.openid_provider import Begun, OpenIdProvider
from ledger.web.openid_tokens import LOGOUT_SECONDS, SKEW_SECONDS, ProvedAccount
from ledger.web.rendering import step_words
from ledger.web.sessions import SECOND, Session
from ledger.web.sign_in import SIGN_OUT_SECONDS, SignIn, own_path, with_token
from ledger.web.writer_socket import WriterAway, ask_writer

if TYPE_CHECKING:
    from ledger.web.desk import Desk

BEGUN_SECONDS: Final = 600
"""How long a person may take at the provider, and then to link the account."""
MOST_BEGUN: Final = 10_000
MOST_USED: Final = 10_000
"""Logout tokens that are remembered as used."""
NO_STATE: Final = "no such state"
"""The cause of what is refused without asking anybody."""
LONGEST_HINT: Final = 3_000
"""Characters of an address for signing out; a longer one is left out, and the provider asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A sign-in at the provider that was begun.

    Attributes:
        begun: what its answer is held against.
        browser: the hash of the browser's own cookie.
        to: the page to go on to.
        session: who is signed in here in this browser; None: nobody.
        links: whether the account is to be linked to that person, not to sign in.
    """

    begun: Begun
    browser: bytes
    to: str
    session: Session | None
    links: bool


class OpenIdSignIn:
    """The routes of signing in at the provider.

    Args:
        desk: what the routes share.
        sign_in: who may sign in, and how a session begins.
    """

    def __init__(self, desk: Desk, sign_in: SignIn) -> None:
        self._desk, self._sign_in = desk, sign_in
        settings = desk.settings.openid
        self._provider = None if settings is None else OpenIdProvider(settings, desk.settings.clock)
        self._attempts: OrderedDict[str, Attempt] = OrderedDict()
        self._used: OrderedDict[str, int] = OrderedDict()
        self._cookie = "__Host-desk-openid" if desk.settings.is_secure else "desk-openid"

    def add_routes(self, app: FastAPI) -> None:
        """Add the routes; where no provider is set up, they lead nowhere."""
        app.add_route("/sign-in/openid", self._begin_signing_in, methods=["GET"])
        app.add_route("/sign-in/openid/return", self._end, methods=["GET"])
        app.add_route("/sign-in/openid/sign-out", self._sign_out, methods=["POST"])
        app.add_route("/sessions/openid", self._begin_linking, methods=["GET"])
        for path, act in (
            ("/sessions/openid", self._link),
            ("/sessions/openid/remove", self._unlink),
        ):
            app.add_route(path, with_token(self._desk, act), methods=["POST"])

    # --- to the provider ----------------------------------------------------------------------

    async def _begin_signing_in(self, request: Request) -> Response:
        return await self._begin(request, self._desk.session_of(request), links=False)

    async def _begin_linking(self, request: Request) -> Response:
        session = self._desk.session_of(request)
        if session is None:
            return RedirectResponse("/sign-in?to=/sessions", 303)
        return await self._begin(request, session, links=True)

    async def _begin(self, request: Request, session: Session | None, *, links: bool) -> Response:
        """Send the browser to the provider, with a cookie by which it is known again."""
        if self._provider is None:
            return self._no_provider(session)
        to = own_path(request.query_params.get("to", ""))
        wait = self._sign_in.throttle.wait_seconds(_address(request))
        if wait:
            self._desk.note("sign-in throttled", None, request, by="openid")
            problem = f"Too many tries. Wait {plural(wait, 'second')}, then try again."
            return self._sign_in.form(self._desk, to, problem, 429)
        begun = Begun(
            state=secrets.token_urlsafe(32),
            nonce=secrets.token_urlsafe(32),
            verifier=secrets.token_urlsafe(48),
            asked_at=self._desk.settings.clock(),
        )
        try:
            address = await self._provider.address_to_sign_in(begun)
        except (ProviderAway, ProviderWrong) as error:
            if links and session is not None:
                return await run_in_threadpool(self._not_linked, request, error, session)
            return await run_in_threadpool(self._refused, request, error, to)
        browser = secrets.token_urlsafe(32)
        while len(self._attempts) >= MOST_BEGUN:
            self._attempts.popitem(last=False)
        self._attempts[begun.state] = Attempt(
            begun=begun, browser=_digest(browser), to=to, session=session, links=links
        )
        response = RedirectResponse(address, 303)
        self._desk.set_cookie(response, self._cookie, browser, is_lax=True)
        return response

    # --- and back -----------------------------------------------------------------------------

    async def _end(self, request: Request) -> Response:
        """Take what the provider gave the browser to bring; each state is good once."""
        if self._provider is None:
            return self._no_provider(None)
        answer = dict(request.query_params)
        attempt = self._attempts.pop(answer.get("state", ""), None)
        try:
            self._check(attempt, request.cookies.get(self._cookie, ""))
            assert attempt is not None
            proved = await self._provider.account(attempt.begun, answer)
            take = self._offer_link if attempt.links else self._signed_in
            return await run_in_threadpool(take, request, attempt, proved)
        except (OpenIdRefused, ProviderAway, ProviderWrong) as error:
            if attempt is not None and attempt.links:  # no session shows itself on this way
                return await run_in_threadpool(self._not_linked, request, error, None)
            to = attempt.to if attempt is not None else "/"
            return await run_in_threadpool(self._refused, request, error, to)

    def _check(self, attempt: Attempt | None, browser: str) -> None:
        """Require that this browser began it, not too long ago.

        Raises:
            OpenIdRefused: it did not.
        """
        step = "begin again on this page"
        if attempt is None:
            raise OpenIdRefused(NO_STATE, "This sign-in was used already, or not begun here.", step)
        if not hmac.compare_digest(_digest(browser), attempt.browser):
            raise OpenIdRefused(
                "another browser", "This sign-in was begun in another browser.", step
            )
        if self._desk.settings.clock() - attempt.begun.asked_at > BEGUN_SECONDS * SECOND:
            raise OpenIdRefused("too late", "This sign-in took too long.", step)

    def _signed_in(self, request: Request, attempt: Attempt, proved: ProvedAccount) -> Response:
        """Begin the session of whoever has linked the account.

        Raises:
            OpenIdRefused: nobody has who may work, or the provider asked for too little.
        """
        desk, proofs = self._desk, PersonProofs(self._desk.settings.folder)
        with desk.record.present() as record:
            enrolled = [each.person for each in record.cases.enrollments.persons.values()]
        linked = proofs.persons_with(proved.account, enrolled)
        person = self._sign_in.who_may_work(linked[0]) if len(linked) == 1 else None
        if person is None:
            raise OpenIdRefused(
                "no credential is linked",
                "This account is linked to no credential that may sign in.",
                "Sign in with your pass phrase below, then link the account on the page behind"
                " your name",
            )
        if proofs.has_second(person) and not proved.has_second_factor:
            raise OpenIdRefused(
                "no second factor",
                "You have a second factor here, and the provider did not ask for one.",
                "Sign in with your pass phrase and your second factor below",
            )
        self._sign_in.throttle.succeeded(_address(request))
        response = self._desk.onward(
            "Signed in", f"You are signed in as {person}.", attempt.to, "Go on to the desk"
        )
        session = self._sign_in.begin(
            desk, request, response, person, before=attempt.session, by="openid"
        )
        leaving = self._provider.address_to_sign_out(proved) if self._provider else ""
        session.sign_out_address = leaving if len(leaving) <= LONGEST_HINT else ""
        session.at_provider = proved.subject, proved.provider_session
        return response

    def _offer_link(self, _request: Request, attempt: Attempt, proved: ProvedAccount) -> Response:
        """Keep the account until its person gives the pass phrase to link it.

        Raises:
            OpenIdRefused: whoever began it is signed in no more.
        """
        session = attempt.session
        if session is None or session not in self._desk.sessions.of_person(session.person):
            raise OpenIdRefused(
                "signed out meanwhile", "You were signed out meanwhile.", "Sign in, and begin again"
            )
        session.offered_account = proved.account, self._desk.settings.clock()
        return self._desk.onward(
            "Account found",
            "One step is left: link the account with your pass phrase.",
            "/sessions#account",
            "Link the account",
        )

    # --- signed out at the provider -----------------------------------------------------------

    async def _sign_out(self, request: Request) -> Response:
        """End the sessions of whoever signed out at the provider, which tells the desk itself."""
        if self._provider is None:
            return self._no_provider(None)
        try:
            fields = await form_of(request)
            signed_out = await self._provider.signed_out(fields.get("logout_token", ""))
            self._use(signed_out.token_id)
        except (FormRefused, OpenIdRefused, ProviderAway, ProviderWrong) as error:
            self._desk.note("sign-out refused", None, request, why=error.code, cause=error.cause)
            is_away = isinstance(error, ProviderAway | ProviderWrong)
            return Response(status_code=503 if is_away else 400)
        ended = self._desk.sessions.end_at_provider(signed_out.subject, signed_out.provider_session)
        await run_in_threadpool(self._tell_writer, ended)
        for session in ended:
            self._desk.note("signed out at the provider", session.person, request)
        return Response()

    def _use(self, token_id: str) -> None:
        """Take a logout token as used.

        Raises:
            OpenIdRefused: it was used before.
        """
        moment = self._desk.settings.clock()
        if token_id in self._used:
            raise OpenIdRefused("used before")
        longest = (LOGOUT_SECONDS + 2 * SKEW_SECONDS) * SECOND
        for known, at in list(self._used.items()):
            if moment - at <= longest and len(self._used) < MOST_USED:
                break
            del self._used[known]
        self._used[token_id] = moment

    def _tell_writer(self, ended: list[Session]) -> None:
        """Let the writer forget the tickets of sessions that ended; away, it knows none either."""
        for session in ended:
            if session.ticket:
                with suppress(WriterAway):
                    asked = {"act": "sign_out", "ticket": session.ticket}
                    ask_writer(self._desk.settings.folder, asked, SIGN_OUT_SECONDS)

    # --- linking ------------------------------------------------------------------------------

    def _link(self, desk: Desk, session: Session, form: Form) -> Response:
        """Link the account that this session has just signed in to at the provider."""
        if self._provider is None:
            return self._no_provider(session)
        account, at = session.offered_account or (None, 0)
        if account is None or desk.settings.clock() - at > BEGUN_SECONDS * SECOND:
            session.offered_account = None
            sentence = "There is no account to link, or it was found too long ago."
            return desk.refused(400, sentence, "Begin again on the page behind your name.", session)
        answer = self._change(session, form, "account_linked", account.plain())
        if answer is not None:
            return answer
        session.offered_account = None
        return RedirectResponse("/sessions#account", 303)

    def _unlink(self, desk: Desk, session: Session, form: Form) -> Response:
        """Forget the account of a person; end the sessions that it may have begun."""
        answer = self._change(session, form, "account_unlinked", {})
        if answer is not None:
            return answer
        desk.sessions.end_others(session)
        return RedirectResponse("/sessions#account", 303)

    def _change(
        self, session: Session, form: Form, name: str, fields: dict[str, str]
    ) -> Response | None:
        """Let the writer change the link of a person; None when it is done."""
        desk = self._desk
        request = {"act": name, "person": session.person, **form.proof(), "fields": fields}
        try:
            answer = ask_writer(desk.settings.folder, request)
        except WriterAway as error:
            return desk.refused(503, error.problem, "Try again in a minute.", session)
        if not answer.get("ok"):
            desk.note("account refused", session.person, None, why=answer.get("code"))
            problem, step = str(answer.get("problem", "")), step_words(answer.get("next"))
            return desk.refused(400, problem, step, session)
        desk.note(name.replace("_", " "), session.person, None)
        return None

    # --- pages --------------------------------------------------------------------------------

    def _refused(self, request: Request, error: LedgerError, to: str) -> Response:
        """The page that says why nobody was signed in, with the form of pass phrases."""
        status = self._failed(request, error, None)
        problem = f"{error.problem} {step_words(error.next_step)}"
        return self._sign_in.form(self._desk, to, problem, status)

    def _not_linked(
        self, request: Request, error: LedgerError, session: Session | None
    ) -> Response:
        """The page that says why no account was found that could be linked."""
        status = self._failed(request, error, session)
        step = "Nothing was linked. Begin again on the page behind your name."
        return self._desk.refused(status, error.problem, step, session)

    def _failed(self, request: Request, error: LedgerError, session: Session | None) -> int:
        """Note a failure, and count it where somebody tried something; return the status."""
        person = session.person if session else None
        self._desk.note(
            "sign-in failed", person, request, by="openid", why=error.code, cause=error.cause
        )
        if isinstance(error, ProviderAway | ProviderWrong):
            return 503
        if error.cause == NO_STATE:  # nothing was asked of anybody; a state cannot be guessed
            return 401
        self._sign_in.throttle.failed(_address(request))
        return 401

    def _no_provider(self, session: Session | None) -> Response:
        sentence = "This desk has no provider at which to sign in."
        return self._desk.refused(404, sentence, "Sign in with your pass phrase.", session)


def _digest(text: str) -> bytes:
    return sha256(text.encode()).digest()


def _address(request: Request) -> str:
    """The name under which failures of a browser's address are counted, apart from others."""
    return f"openid {request.client.host if request.client else 'unknown'}"
