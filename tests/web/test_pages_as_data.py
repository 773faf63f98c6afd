"""Each page as JSON and CSV: beside every page, under its rights and its record of looks.

The pages are those of the application's routes, and the roles all there are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ledger.web.views import DOCUMENTS, VIEWS
from tests.web.conftest import PEOPLE, Served, cheap, copied, token_of
from tests.web.screens import ROUND, case_of, screens
from tests.web.test_bad_input import routes
from tests.web.test_cases import Work, looks
from tests.web.test_pages import SEEN

FORMS = ("", ".json", ".csv")
TYPES = {"": "text/html", ".json": "application/json", ".csv": "text/csv"}
MOST_BYTES = 150_000
"""What a page may weigh as it travels, which is uncompressed (decision 0035)."""
NOT_DATA = {
    *("/", "/sign-in", "/sign-in/openid", "/sign-in/openid/return", "/sessions/openid"),
    *("/static/{_digest}/{name}", "/shift/events"),
}
"""Routes besides pages: they lead on, prove who somebody is, or give what pages are made of."""
WHO = {"SS-1": ("surveillance", "supervisor")} | {who: (name,) for name, who in PEOPLE.items()}
NAME_OF = {path: name for name, path, _ in VIEWS}


@pytest.fixture(scope="module")
def prepared(desk_ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A ledger, the number of a case that has something of everything, and of one about F-11."""
    folder = copied(desk_ledger, tmp_path_factory.mktemp("data"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PITLEDGER_KEY", "")
        cheap(patch)
        work = Work(folder)
        number, hidden = case_of(work), work.opened(staff="F-11")
        work.close()
    return folder, number, hidden


@pytest.fixture
def desk(prepared: tuple[Path, str, str], no_key: None) -> Iterator[Served]:
    served = Served(prepared[0])
    yield served
    served.record.close()


def with_form(address: str, form: str) -> str:
    """An address in a form: the path with its suffix, then what is asked."""
    path, mark, query = address.partition("?")
    return f"{path}{form}{mark}{query}"


def addresses(browser: TestClient, number: str) -> Iterator[tuple[str, str]]:
    """Route and an address of each page, with a search and a supposition of this session."""
    yield from dict(reversed([*screens(number)])).items()
    token = token_of(browser.get("/law").text)
    for path, fields, route in (
        ("/find", {"line": "SB-01 findings"}, "/find/{search}"),
        (f"/round/{ROUND}/what-if", {"set dice[1]": "6"}, "/round/{round}/what-if/{supposed}"),
    ):
        sent = browser.post(path, data={"token": token, **fields})
        yield route, sent.headers["location"]


def test_every_page_of_the_application_stands_beside_its_json_and_csv(desk: Served) -> None:
    given = routes(desk, "GET")
    documents = {path for _, path, _ in DOCUMENTS}
    pages = {path for path in given if not path.endswith((".json", ".csv"))}
    pages -= NOT_DATA | documents
    assert {f"{path}{form}" for path in pages for form in FORMS} == given - NOT_DATA - documents
    assert pages == set(NAME_OF)


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("person", WHO)
def test_each_role_gets_a_page_in_all_its_forms_or_in_none(
    desk: Served, prepared: tuple[Path, str, str], person: str
) -> None:
    browser, seen = desk.signed_in(person), set().union(*(SEEN[role] for role in WHO[person]))
    tried = set()
    for route, address in addresses(browser, prepared[1]):
        tried.add(route)
        for form in FORMS:
            answer = browser.get(with_form(address, form))
            may = NAME_OF[route] in seen
            assert answer.status_code == (200 if may else 403), (address, form, answer.text)
            assert answer.headers["cache-control"] == "no-store"
            if may:
                assert answer.headers["content-type"].startswith(TYPES[form]), (address, form)
            else:
                assert "This page is not for your role" in answer.text
                assert "It is for:" in answer.text
                assert "SB-01" not in answer.text
            assert form or len(answer.content) < MOST_BYTES, address
            if form == ".json":
                json.loads(answer.text)
            if form == ".csv" and may:
                assert answer.headers["content-disposition"].startswith("attachment;")
    assert tried == set(NAME_OF)


def test_whoever_is_not_signed_in_gets_no_form_of_any_page(
    desk: Served, prepared: tuple[Path, str, str]
) -> None:
    browser = desk.browser()
    for _, address in screens(prepared[1]):
        for form, status in zip(FORMS, (303, 401, 401), strict=True):
            assert browser.get(with_form(address, form)).status_code == status, (address, form)


def test_a_case_is_hidden_from_its_subject_in_every_form(
    desk: Served, prepared: tuple[Path, str, str]
) -> None:
    _, number, hidden = prepared
    own, other = desk.signed_in("F-11"), desk.signed_in("SS-1")
    pages = [address for _, address in addresses(own, hidden)]
    assert other.get(f"/case/{hidden}.json").status_code == 200
    for address in pages:
        for form in FORMS:
            answer = own.get(with_form(address, form))
            if address.startswith("/case/"):  # as where there is none of that number
                none = own.get(with_form(address.replace(hidden, "2026-9999"), form))
                assert (answer.status_code, none.status_code) == (404, 404), (address, form)
                assert stripped(answer.text, hidden) == stripped(none.text, "2026-9999")
            else:
                assert hidden not in answer.text, (address, form)
    assert number in own.get("/cases.json").text


def stripped(page: str, number: str) -> str:
    """A page without the number of a case and without what is new in each answer."""
    return re.sub(r'name="(token|id)" value="[^"]*"', "", page.replace(number, ""))


def test_a_look_at_patrons_is_recorded_once_and_holds_for_every_form(
    prepared: tuple[Path, str, str], no_key: None
) -> None:
    folder, number, _ = prepared
    work = Work(folder)
    browser, other = work.browser("SS-1"), work.browser("IA-1")
    with work.served.record.present() as record:
        rows = record.rows("SELECT DISTINCT patron FROM wagers WHERE patron IS NOT NULL", [])
        named = [wager.patron for wager in record.round(ROUND).result.wagers if wager.patron]
    patrons = [row["patron"] for row in rows]
    assert named

    def shown(who: TestClient, address: str, form: str) -> set[str]:
        text = who.get(with_form(address, form)).text
        return {patron for patron in patrons if patron in text}

    pages = [address for _, address in addresses(browser, number)]
    for address in pages:
        for form in FORMS:
            assert shown(browser, address, form) == set(), (address, form)
    before = len(looks(work))
    for path in (f"/round/{ROUND}", f"/case/{number}"):
        for _ in range(2):
            assert work.post("SS-1", f"{path}/reveal").status_code == 303
        for form in FORMS if path.startswith("/round") else FORMS[:2]:
            assert shown(browser, path, form) & set(named), (path, form)
            assert shown(other, path, form) == set(), (path, form)
    recorded = looks(work)[before:]
    assert {patron for patron, _ in recorded} >= set(named)
    assert {person for _, person in recorded} == {"SS-1"}
    assert len(recorded) == len(set(recorded))
    for address in pages:  # no form shows what the page itself does not
        page = shown(browser, address, "")
        assert shown(browser, address, ".json") | shown(browser, address, ".csv") <= page, address
    work.close()
