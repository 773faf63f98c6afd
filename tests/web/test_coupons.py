"""Coupons at the desk: the equation of a day, a serial number's way, the forms in each kind."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from ledger.cli import main
from tests.web.conftest import Served, token_of


def told(capsys: pytest.CaptureFixture[str], *words: str):
    capsys.readouterr()
    main(["coupons", *words, "--format", "json"])
    return json.loads(capsys.readouterr().out)


def test_the_equation_is_that_of_the_command(
    desk: Served, desk_ledger, capsys: pytest.CaptureFixture[str]
) -> None:
    browser = desk.signed_in("FS-1")
    page = browser.get("/coupons")
    assert page.status_code == 200, page.text
    document = browser.get("/coupons.json").json()
    command = told(capsys, "reconcile", "--ledger", str(desk_ledger))
    assert document == {name: command[name] for name in document}
    out = told(capsys, "outstanding", "--ledger", str(desk_ledger))
    sheet = browser.get("/coupons.csv").text
    assert sheet.count("\r\n") == len(out) + 1
    assert out[0]["from"] in page.text


def test_a_serial_number_leads_to_its_way_however_it_is_written(
    desk: Served, desk_ledger, capsys: pytest.CaptureFixture[str]
) -> None:
    browser = desk.signed_in("FS-1")
    first = told(capsys, "outstanding", "--ledger", str(desk_ledger))[0]["from"]
    token = token_of(browser.get("/law").text)
    sent = browser.post("/coupons/serial", data={"token": token, "serial": f" {first.lower()} "})
    assert sent.status_code == 303
    page = browser.get(sent.headers["location"])
    assert page.status_code == 200, page.text
    document = browser.get(f"/coupons/serial/{first}.json").json()
    command = told(capsys, "where", first, "--ledger", str(desk_ledger))
    assert document["line"] == command["line"]
    assert len(document["steps"]) == len(command["steps"])
    assert "Open a case" in page.text


@pytest.mark.parametrize("name", ["daily", "finance", "inventory", "unaccounted"])
def test_a_form_is_read_printed_and_taken_as_a_workbook(desk: Served, name: str) -> None:
    browser = desk.signed_in("FS-1")
    own = f"/coupons/form/{name}"
    page = browser.get(own)
    assert page.status_code == 200, page.text
    assert "No signatures on this issue" in page.text
    printed = browser.get(f"{own}/print")
    assert "sha256-" in printed.headers["content-security-policy"]
    assert "<style" in printed.text
    book = browser.get(f"{own}/file/xlsx")
    assert book.headers["content-disposition"].startswith("attachment;")
    assert "xl/workbook.xml" in zipfile.ZipFile(io.BytesIO(book.content)).namelist()
    assert browser.get(f"{own}/file/csv").status_code == 200
    assert browser.get(f"{own}.json").json()


@pytest.mark.parametrize(
    "path",
    [
        *("/coupons?day=1999-01-01", "/coupons?day=x", "/coupons/form/nothing"),
        *("/coupons/serial/%3Cb%3E", "/coupons/form/daily/file/exe", "/coupons/form/..%2fdaily"),
        *("/coupons/form/nothing/print", "/coupons/serial/"),
    ],
)
def test_what_there_is_not_is_said(desk: Served, path: str) -> None:
    answer = desk.signed_in("IA-1").get(path)
    assert answer.status_code == 404, answer.text
    assert "<b>" not in answer.text
    assert "pitledger" not in answer.text


def test_coupons_are_for_their_roles(desk: Served) -> None:
    for person, status in (("S-1", 200), ("F-11", 403), ("IT-1", 403)):
        browser = desk.signed_in(person)
        for path in ("/coupons", "/coupons.csv", "/coupons/form/daily/print"):
            assert browser.get(path).status_code == status, (person, path)
