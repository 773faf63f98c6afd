"""The application: routes, who may ask for them, and what every answer has in common."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from ledger.casework.cases import CaseRole, roles_of
from ledger.kernel import LedgerError, visible
from ledger.replay import Holding
from ledger.web import passkeys
from ledger.web.acts import Acts
from ledger.web.desk import Desk
from ledger.web.forms import Form
from ledger.web.guard import Guard
from ledger.web.live import LiveShift
from ledger.web.openid_sign_in import OpenIdSignIn
from ledger.web.record import Record
from ledger.web.rendering import Answer, Download, csv_text, json_text, static_file, step_words
from ledger.web.roles import MAY_SEE, may_see
from ledger.web.sessions import Session
from ledger.web.sign_in import SignIn, with_token
from ledger.web.views import DOCUMENTS, VIEWS
from ledger.web.visit import Visit

if TYPE_CHECKING:
    from ledger.web.settings import DeskSettings

_ROOT: Final = "/"
_STATUS: Final = {2: 404, 3: 503, 4: 500}
"""The status of an answer by the exit code that a command would have."""


def desk_app(settings: DeskSettings, record: Record) -> Guard:
    """Return the application of one desk.

    Args:
        settings: how it is served.
        record: the ledger.
    """
    desk = Desk(settings, record)
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    app.add_route("/static/{_digest}/{name}", _static, methods=["GET"])
    sign_in = SignIn(settings, record, desk.sessions)
    sign_in.add_routes(app, desk)
    passkeys.add_routes(app, desk, sign_in)
    OpenIdSignIn(desk, sign_in).add_routes(app)
    for name, path, view in VIEWS:
        for suffix in (".json", ".csv", ""):
            app.add_route(f"{path}{suffix}", _page(desk, name, view, suffix[1:] or "html"))
    for name, path, document in DOCUMENTS:
        app.add_route(path, _page(desk, name, document, "html"))
    Acts(desk).add_routes(app)
    LiveShift(desk).add_routes(app)
    app.add_route("/find", with_token(desk, _take_line), methods=["POST"])
    app.add_route("/coupons/serial", with_token(desk, _take_serial), methods=["POST"])
    app.add_route("/round/{round}/what-if", with_token(desk, _suppose), methods=["POST"])
    app.add_route(_ROOT, _first_page(desk), methods=["GET"])

    async def missing(request: Request, _error: Exception) -> Response:
        sentence, step = "There is no such page.", "Start again from the first page."
        return desk.refused(404, sentence, step, desk.session_of(request))

    async def failed(request: Request, error: Exception) -> Response:
        desk.note("failure", None, request, kind=type(error).__name__)
        sentence = "The desk could not answer; this is a fault of the desk, not yours."
        return desk.refused(500, sentence, "Tell whoever runs it when this was.")

    async def unreadable(request: Request, error: Exception) -> Response:
        assert isinstance(error, LedgerError)
        desk.note("ledger unreadable", None, request, code=error.code)
        form = request.url.path.rpartition(".")[2]
        return desk.refused(
            _STATUS.get(error.exit_code, 500),
            visible(error.problem),
            "Nothing is shown or recorded until whoever runs the desk has seen to the ledger.",
            form=form if form in ("json", "csv") else "html",
        )

    app.add_exception_handler(LedgerError, unreadable)
    app.add_exception_handler(404, missing)
    app.add_exception_handler(405, missing)
    app.add_exception_handler(Exception, failed)
    return Guard(app, hosts=settings.hosts, is_secure=settings.is_secure)


def _static(request: Request) -> Response:
    answer = static_file(str(request.path_params["name"]))
    if answer is None:
        return Response("There is no such file.\n", 404, media_type="text/plain")
    body, kind = answer
    kept = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(body, media_type=kind, headers=kept)


def _page(
    desk: Desk, name: str, view: Callable[[Visit], Answer | Download], form: str
) -> Callable[[Request], Response]:
    """A route of one page in one form."""

    def answer_visit(request: Request) -> Response:
        session = desk.session_of(request)
        if session is None:
            if form == "html":
                return RedirectResponse(f"/sign-in?to={quote(request.url.path)}", 303)
            return desk.refused(401, "Nobody is signed in.", "Sign in at /sign-in.", form=form)
        with desk.record.present() as record:
            at = desk.settings.clock()
            if record.roster.holding(session.person, at) is not Holding.HELD:
                desk.sessions.end(session)
                desk.note("credential ended", session.person, request)
                sentence = f"The credential {session.person} is no longer valid."
                return desk.refused(403, sentence, "Ask your supervisor.", form=form)
            roles = roles_of(record.roster, session.person, at)
            if not may_see(roles, name):
                desk.note("page refused", session.person, request, page=name)
                return desk.refused(403, *_not_for(name, roles), session, roles, form)
            visit = Visit(
                record=record,
                session=session,
                own_sessions=desk.sessions.of_person(session.person),
                roles=roles,
                path={key: str(part) for key, part in request.path_params.items()},
                query=dict(request.query_params),
                footage_days=desk.settings.footage_days,
                paper=desk.settings.paper,
                nights=desk.settings.nights,
                openid=desk.settings.openid,
            )
            try:
                answer = view(visit)
            except LedgerError as error:
                status = _STATUS.get(error.exit_code, 500)
                step = visible(step_words(error.next_step or error.cause))
                return desk.refused(status, visible(error.problem), step, session, roles, form)
            if isinstance(answer, Download):
                return Response(answer.content, 200, answer.headers(), answer.kind)
            return _formed(desk, answer, session, roles, form)

    return answer_visit


def _formed(
    desk: Desk, answer: Answer, session: Session, roles: frozenset[CaseRole], form: str
) -> Response:
    """An answer in the form it was asked for."""
    if form == "json":
        text = json_text(answer.document)
        return Response(text, answer.status, media_type="application/json")
    if form == "csv":
        named = {"Content-Disposition": f'attachment; filename="{answer.template[:-5]}.csv"'}
        return Response(csv_text(answer.rows), answer.status, named, "text/csv; charset=utf-8")
    return desk.html(answer, session, roles)


def _not_for(name: str, roles: frozenset[CaseRole]) -> tuple[str, str]:
    """Why a role does not see a page, and what to do."""
    own = " and ".join(sorted(role.value for role in roles)) or "no role at the desk"
    others = ", ".join(sorted(role.value for role in MAY_SEE[name]))
    return (
        f"This page is not for your role ({own}).",
        f"It is for: {others}. Ask one of them, or have your credential's department corrected.",
    )


def _take_line(_desk: Desk, session: Session, form: Form) -> Response:
    """Take a search line and lead to its results; the line stands in no address."""
    line = form.fields.get("line", "")
    keep = session.type if form.text("typing") else session.remember
    return RedirectResponse(f"/find/{keep(line)}", 303)


def _take_serial(_desk: Desk, _session: Session, form: Form) -> Response:
    """Take a serial number and lead to the coupon."""
    serial = form.text("serial")[:64]
    return RedirectResponse(
        f"/coupons/serial/{quote(serial, safe='')}" if serial else "/coupons", 303
    )


def _suppose(_desk: Desk, session: Session, form: Form) -> Response:
    """Take what is supposed of a round and lead to the answer; it stands in no address."""
    name = session.suppose(form.entered())
    return RedirectResponse(f"/round/{quote(form.path['round'])}/what-if/{name}", 303)


def _first_page(desk: Desk) -> Callable[[Request], Awaitable[Response]]:
    """Lead to the first page that a person sees."""

    async def first_page(request: Request) -> Response:
        session = desk.session_of(request)
        if session is None:
            return RedirectResponse("/sign-in", 303)

        def roles() -> frozenset[CaseRole]:
            with desk.record.present() as record:
                return roles_of(record.roster, session.person, desk.settings.clock())

        own = await run_in_threadpool(roles)
        first = next((name for name in MAY_SEE if may_see(own, name)), "sessions")
        return RedirectResponse(f"/{first}" if first != "round" else "/find", 303)

    return first_page
