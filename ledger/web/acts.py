"""What people record: each form becomes a request to the one writer, and its answer a page.

A form has an id from the moment it is shown. Whatever hinders it (the writer is away, the pass
phrase is asked for again, a word is missing), the page that says so sends the same form with the
same id, so that nothing that was entered is lost and nothing is recorded twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, StreamingResponse
from starlette.datastructures import UploadFile
from starlette.requests import ClientDisconnect

from ledger.casework.cases import CaseRole, roles_of
from ledger.kernel import LedgerError, visible
from ledger.replay import Holding
from ledger.web.forms import PROOF, Form
from ledger.web.media import MEDIA_BYTES, MediaNotKept, plain_name
from ledger.web.rendering import Answer, step_words
from ledger.web.roles import may_see
from ledger.web.sessions import Session
from ledger.web.sign_in import with_token
from ledger.web.writer_socket import (
    PACKS,
    PROVED_AGAIN,
    SECONDS,
    SIGNING_SECONDS,
    WriterAway,
    ask_writer,
    writer_folder,
)

if TYPE_CHECKING:
    from ledger.web.desk import Desk

CASE_ACTS: Final[Mapping[str, str]] = {
    "subject": "subjects",
    "assign": "top",
    "note": "notes",
    "task": "tasks",
    "done": "tasks",
    "pin": "evidence",
    "media": "media",
    "footage": "footage",
    "link": "links",
    "assess": "ending",
    "decide": "ending",
    "close": "top",
    "reopen": "top",
    "sign": "letters",
}
"""Each act with a case, and the part of its page to which it leads back."""
MATTERS: Final = frozenset({"round", "fact", "coupon", "action", "alert", "other"})
"""What can be pinned to a case."""
SHIFT_ACTS: Final = frozenset({"log", "handover"})
_PROOF: Final = ("proof_needed", "code_needed", "person_not_proved", "too_many_tries")
_NOT_PROVED: Final = ("person_not_proved", "too_many_tries", "second_factor_missing")
"""Refusals that the security log names."""
_STATUS: Final = {
    "proof_needed": 200,
    "code_needed": 200,
    "second_factor_missing": 403,
    "person_not_proved": 401,
    "too_many_tries": 429,
    "case_unknown": 404,
    "writer_failed": 500,
    "ledger_locked": 503,
}
_SHOWN_FIELDS: Final = 2_000
"""Characters of a field that are shown again; all of it is sent again."""


class Acts:
    """The forms by which something is recorded.

    Args:
        desk: what the routes share.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def add_routes(self, app: FastAPI) -> None:
        """Add the routes of forms."""
        routes = (
            ("/cases", self._open),
            ("/case/{number}/reveal", self._reveal_case),
            ("/round/{round}/reveal", self._reveal_round),
            ("/case/{number}/media/{digest}", self._open_file),
            ("/case/{number}/pack", self._pack),
            ("/case/{number}/{act}", self._of_case),
            ("/shift/{act}", self._of_shift),
            ("/coupons/form/{form}/sign", self._sign_form),
            ("/night/{day}/sign", self._sign_report),
        )
        app.add_route("/case/{number}/upload", self._upload, methods=["POST"])
        for path, act in routes:
            app.add_route(path, with_token(self._desk, act), methods=["POST"])

    # --- acts ---------------------------------------------------------------------------------

    def _open(self, _desk: Desk, session: Session, form: Form) -> Response:
        barred = self._barred(session, "cases")
        if barred is not None:
            return barred
        entered = form.entered()
        wager = entered.pop("wager", "")
        if wager and not entered.get("patron"):  # the wager names the patron, unseen
            try:
                with self._desk.record.present() as record:
                    seen = record.round(entered.get("round", ""))
            except LedgerError as error:
                return self._again(session, form, error.problem, error.next_step or "", 400)
            placed = [each for each in seen.result.wagers if each.wager_id == wager]
            if not placed or not placed[0].patron:
                sentence = f"The record names no patron of wager {wager[:40]}."
                return self._again(session, form, sentence, "Leave the wager out.", 400)
            entered["patron"] = placed[0].patron
        answer = self._ask(session, form, "open", "", entered)
        return self._lead(session, form, answer, f"/case/{quote(str(answer.get('case', '')))}")

    def _of_case(self, desk: Desk, session: Session, form: Form) -> Response:
        name, number = form.path["act"], form.path["number"]
        barred = self._barred(session, "cases")
        if barred is not None:
            return barred
        if name not in CASE_ACTS:
            return desk.refused(404, "There is no such page.", "Go back to the case.", session)
        entered = form.entered()
        if name == "pin" and entered.get("kind") in MATTERS:
            entered[entered.pop("kind")] = entered.pop("named", "")
        answer = self._ask(session, form, name, number, entered)
        where = f"/case/{quote(number)}#{CASE_ACTS[name]}"
        if name == "sign":
            where = f"/case/{quote(number)}/letter/{quote(entered.get('recipient', ''))}"
        return self._lead(session, form, answer, where)

    def _of_shift(self, desk: Desk, session: Session, form: Form) -> Response:
        barred = self._barred(session, "shift")
        if barred is not None:
            return barred
        if form.path["act"] not in SHIFT_ACTS:
            return desk.refused(404, "There is no such page.", "Go back to the shift.", session)
        answer = self._ask(session, form, form.path["act"], "", form.entered())
        return self._lead(session, form, answer, "/shift#log")

    def _sign_form(self, _desk: Desk, session: Session, form: Form) -> Response:
        barred = self._barred(session, "coupons")
        if barred is not None:
            return barred
        entered = {**form.entered(), "form": form.path["form"]}
        answer = self._ask(session, form, "sign_form", "", entered)
        where = f"/coupons/form/{quote(form.path['form'])}?day={quote(entered.get('day', ''))}"
        return self._lead(session, form, answer, where)

    def _sign_report(self, _desk: Desk, session: Session, form: Form) -> Response:
        barred = self._barred(session, "night")
        if barred is not None:
            return barred
        day = form.path["day"]
        answer = self._ask(session, form, "sign_report", "", {**form.entered(), "day": day})
        return self._lead(session, form, answer, f"/night/{quote(day)}#signatures")

    def _reveal_case(self, _desk: Desk, session: Session, form: Form) -> Response:
        number = form.path["number"]
        barred = self._barred(session, "cases")
        if barred is not None:
            return barred
        answer = self._ask(session, form, "reveal", number, {})
        if answer.get("ok"):
            session.looked[f"case {answer.get('case', number)}"] = self._sitting()
        return self._lead(session, form, answer, f"/case/{quote(number)}#subjects")

    def _reveal_round(self, desk: Desk, session: Session, form: Form) -> Response:
        barred = self._barred(session, "round")
        if barred is not None:
            return barred
        try:
            with desk.record.present() as record:
                name = record.round(form.path["round"]).result.round
                references = record.patrons_of(name).references
        except LedgerError as error:
            return desk.refused(404, visible(error.problem), error.next_step or "", session)
        answer = self._ask(session, form, "reveal", "", {"patrons": "\n".join(references)})
        if answer.get("ok"):
            session.looked[f"round {name}"] = self._sitting()
        return self._lead(session, form, answer, f"/round/{quote(name)}#wagers")

    # --- files of a case ----------------------------------------------------------------------

    async def _upload(self, request: Request) -> Response:
        """Keep a file that is put to a case, and record its hash."""
        desk, session = self._desk, self._desk.session_of(request)
        if session is None:
            return RedirectResponse("/sign-in", 303)
        barred = await run_in_threadpool(self._barred, session, "cases")
        if barred is not None:
            return barred
        try:
            async with request.form(max_files=1, max_fields=12) as parts:
                fields = {name: part for name, part in parts.items() if isinstance(part, str)}
                files = [part for part in parts.values() if isinstance(part, UploadFile)]
                if not session.is_form_token(fields.get("token", "")):
                    desk.note("form refused", session.person, request)
                    sentence = "This form is of another session."
                    return desk.refused(403, sentence, "Open the page again.", session)
                if not files or not files[0].filename:
                    return desk.refused(400, "No file was sent.", "Choose a file.", session)
                name = plain_name(files[0].filename)
                digest, size = await run_in_threadpool(desk.record.media.keep, files[0].file)
        except (HTTPException, ClientDisconnect):
            most = MEDIA_BYTES // 1024 // 1024
            step = (
                f"A file has at most {most} MB here; a larger one is put to the case by its hash."
            )
            return desk.refused(413, "The file could not be read to its end.", step, session)
        except MediaNotKept as error:
            return desk.refused(503, error.problem, error.next_step or "", session)
        number = str(request.path_params["number"])
        own = {key: fields.get(key, "") for key in ("camera", "kept_at", "id", *PROOF)}
        entered = {**own, "act": "added", "name": name, "sha256": digest, "size": str(size)}
        form = Form(
            fields=entered,
            path={"number": number, "act": "media"},
            address=f"/case/{quote(number)}/media",
        )
        return await run_in_threadpool(self._of_case, desk, session, form)

    def _open_file(self, desk: Desk, session: Session, form: Form) -> Response:
        """Give out a file of a case, once it is recorded that it was looked at."""
        barred = self._barred(session, "cases")
        if barred is not None:
            return barred
        try:
            with desk.record.present() as record:
                at = desk.settings.clock()
                case = record.cases.one(form.path["number"], session.person, at)
                custody = next(
                    (
                        acts
                        for digest, acts in case.media.items()
                        if digest.hex() == form.path["digest"]
                    ),
                    None,
                )
            if custody is None:
                return desk.refused(404, "The case has no such file.", "Go back.", session)
            content = desk.record.media.content(custody[0].media_sha256)
        except LedgerError as error:
            return desk.refused(404, visible(error.problem), error.next_step or "", session)
        entered = {
            "act": "viewed",
            "name": custody[0].name,
            "sha256": custody[0].media_sha256.hex(),
            "size": str(custody[0].media_size),
        }
        answer = self._ask(session, form, "media", case.number, entered)
        if not answer.get("ok"):
            return self._lead(session, form, answer, "")
        named = f'attachment; filename="{plain_name(custody[0].name)}"'
        headers = {"Content-Disposition": _latin(named)}
        return StreamingResponse(content, 200, headers, "application/octet-stream")

    def _pack(self, desk: Desk, session: Session, form: Form) -> Response:
        """Give out the pack of a case, which the writer makes: it has the key that signs it."""
        barred = self._barred(session, "cases")
        if barred is not None:
            return barred
        number = form.path["number"]
        answer = self._ask(session, form, "pack", number, {"redact": form.text("redact")})
        if not answer.get("ok"):
            return self._lead(session, form, answer, "")
        path = writer_folder(desk.settings.folder) / PACKS / str(answer["file"])
        try:
            content = path.read_bytes()
            path.unlink()
        except OSError:
            sentence = "The pack was made and is gone again."
            return desk.refused(503, sentence, "Export it again.", session)
        twin = "-twin" if form.text("redact") else ""
        named = f'attachment; filename="case-{plain_name(str(answer["case"]))}{twin}.zip"'
        return Response(content, 200, {"Content-Disposition": named}, "application/zip")

    # --- what they share ----------------------------------------------------------------------

    def _sitting(self) -> str:
        with self._desk.record.present() as record:
            return record.sitting()

    def _barred(self, session: Session, page: str) -> Response | None:
        """Why a person may not send the forms of a page; the writer asks again, act by act."""
        desk, at = self._desk, self._desk.settings.clock()
        with desk.record.present() as record:
            is_held = record.roster.holding(session.person, at) is Holding.HELD
            roles = roles_of(record.roster, session.person, at)
        if not is_held:
            desk.sessions.end(session)
            sentence = f"The credential {session.person} is no longer valid."
            return desk.refused(403, sentence, "Ask your supervisor.")
        if not may_see(roles, page):
            return desk.refused(
                403, "This is not for your role.", "Nothing was recorded.", session, roles
            )
        return None

    def _ask(
        self, session: Session, form: Form, name: str, number: str, fields: Mapping[str, str]
    ) -> dict[str, Any]:
        """Ask the writer; its answer, or why there is none."""
        request = {
            "act": name,
            "id": form.text("id"),
            "person": session.person,
            "ticket": session.ticket,
            **form.proof(),
            "case": number,
            "fields": dict(fields),
        }
        if name in PROVED_AGAIN and not request["pass_phrase"]:
            return {"ok": False, "code": "proof_needed"}
        try:
            seconds = SIGNING_SECONDS if name.startswith("sign_") else SECONDS
            answer: dict[str, Any] = ask_writer(self._desk.settings.folder, request, seconds)
        except WriterAway as error:
            return {
                "ok": False, "code": error.code, "problem": error.problem,
                "next": "Send it again in a minute. What was recorded already is not recorded"
                " twice.",
            }  # fmt: skip
        if "ticket" in answer:
            session.ticket = str(answer.pop("ticket"))
        return answer

    def _lead(
        self, session: Session, form: Form, answer: Mapping[str, Any], where: str
    ) -> Response:
        """To where what was recorded is seen; else a page that says what hinders it."""
        if answer.get("ok"):
            return RedirectResponse(where, 303)
        code = str(answer.get("code"))
        if code in _NOT_PROVED:
            self._desk.note("act not proved", session.person, None, why=code)
        if code in ("proof_needed", "code_needed"):
            also = " and your second factor" if code == "code_needed" else ""
            sentence = f"Give your pass phrase{also}: it shows that it is you who does this."
            return self._again(session, form, sentence, "", 200, is_proof=True)
        status = 503 if code == WriterAway.code else _STATUS.get(code, 400)
        problem, step = str(answer.get("problem", "")), step_words(answer.get("next"))
        is_proof = code in _PROOF or bool(form.fields.get("pass_phrase"))
        return self._again(session, form, problem, step, status, is_proof=is_proof)

    def _again(
        self, session: Session, form: Form, sentence: str, step: str, status: int,
        *, is_proof: bool = False,
    ) -> Response:  # fmt: skip
        """The form as it was sent, with what hinders it, to be sent again."""
        at = self._desk.settings.clock()
        with self._desk.record.present() as record:
            roles: frozenset[CaseRole] = roles_of(record.roster, session.person, at)
        entered = form.entered()
        context = {
            "title": "Not recorded yet",
            "sentence": visible(sentence),
            "step": visible(step),
            "address": form.address,
            "request": form.text("id"),
            "entered": entered,
            "shown": [
                (name.replace("_", " "), text[:_SHOWN_FIELDS])
                for name, text in entered.items()
                if text.strip()
            ],
            "is_proof": is_proof,
            "is_refused": status != 200,
        }
        answer = Answer(template="again.html", context=context, status=status)
        return self._desk.html(answer, session, roles)


def _latin(text: str) -> str:
    """A header's text: what its alphabet lacks is replaced."""
    return text.encode("latin-1", "replace").decode("latin-1")
