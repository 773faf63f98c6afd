"""Passkeys at the desk: what a browser is asked, and setting one up or removing it."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from ledger.kernel import LedgerError
from ledger.web.forms import Form, form_of
from ledger.web.rendering import json_text, step_words
from ledger.web.sessions import Session
from ledger.web.sign_in import SignIn, with_token
from ledger.web.writer_socket import WriterAway, ask_writer

if TYPE_CHECKING:
    from ledger.web.desk import Desk


def add_routes(app: FastAPI, desk: Desk, sign_in: SignIn) -> None:
    """Add the routes of passkeys."""

    async def challenge(request: Request) -> Response:
        """What a browser is asked; for who signs in as for who is signed in."""
        try:
            fields = await form_of(request)
        except LedgerError as error:
            return _problem(error.problem, 400)
        session, token = desk.session_of(request), fields.get("token", "")
        is_ours = (
            sign_in.is_own_token(request, token)
            if session is None
            else (session.is_form_token(token))
        )
        if not is_ours:
            return _problem("This page is too old. Open it again.", 403)
        person = session.person if session and fields.get("purpose") == "create" else ""
        return await run_in_threadpool(_options, desk, request, person)

    app.add_route("/passkey/challenge", challenge, methods=["POST"])
    for path, name in (
        ("/sessions/passkey", "passkey_added"),
        ("/sessions/passkey/remove", "passkey_removed"),
    ):
        app.add_route(path, with_token(desk, _changing(name)), methods=["POST"])


def site_of(desk: Desk, request: Request) -> tuple[str, str] | None:
    """The name and the origin under which a browser asks; None where it has no name."""
    host = request.url.hostname or ""
    try:
        ip_address(host)
    except ValueError:
        scheme = "https" if desk.settings.is_secure else "http"
        return (host, f"{scheme}://{request.headers['host']}") if host else None
    return None


def _options(desk: Desk, request: Request, person: str) -> Response:
    site = site_of(desk, request)
    if site is None:
        return _problem("Passkeys need a name: open the desk as localhost, or by its name.", 400)
    asked = {
        "act": "passkey_challenge",
        "person": person,
        "fields": {"site": site[0], "origin": site[1]},
    }
    try:
        answer = ask_writer(desk.settings.folder, asked)
    except WriterAway as error:
        return _problem(error.problem, 503)
    return Response(str(answer["options"]), media_type="application/json")


def _problem(sentence: str, status: int) -> Response:
    return Response(json_text({"problem": sentence}), status, media_type="application/json")


def _changing(name: str) -> Any:
    def change(desk: Desk, session: Session, form: Form) -> Response:
        """Let the writer change the passkeys of a person; end all other sessions."""
        request = {
            "act": name,
            "person": session.person,
            **form.proof(),
            "fields": {key: form.text(key) for key in ("created", "name", "passkey_id")},
        }
        try:
            answer = ask_writer(desk.settings.folder, request)
        except WriterAway as error:
            return desk.refused(503, error.problem, "Try again in a minute.", session)
        if not answer.get("ok"):
            problem, step = str(answer.get("problem", "")), step_words(answer.get("next"))
            desk.note("passkey refused", session.person, None, why=answer.get("code"))
            return desk.refused(400, problem, step, session)
        desk.sessions.end_others(session)
        desk.note(name.replace("_", " "), session.person, None)
        return RedirectResponse("/sessions#passkeys", 303)

    return change
