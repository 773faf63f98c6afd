"""Coupons at the desk: the equation of a day, a serial number's way, the forms in each kind."""

from __future__ import annotations

import io
import json
import re
import zipfile
from html import unescape

import pytest

from ledger.cli import main
from ledger.reports.coupon_reconciliation import FIGURES
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


def test_each_figure_of_the_equation_leads_to_as_many_serial_numbers(desk: Served) -> None:
    browser = desk.signed_in("FS-1")
    page = browser.get("/coupons").text
    document = browser.get("/coupons.json").json()
    links = re.findall(r'href="(/coupons/figure/([a-z_]+)\?day=[0-9-]+&amp;cents=(\d+))">', page)
    nonzero = {
        (name, str(block["denomination_cents"]))
        for block in document["denominations"]
        for name in FIGURES
        if block[name]
    }
    assert {(name, cents) for _, name, cents in links} == nonzero
    assert {"distributed", "redeemed", "with_patrons_close", "dropped"} <= {n for n, _ in nonzero}
    for address, name, cents in links:
        shown = browser.get(unescape(address))
        assert shown.status_code == 200, shown.text
        rows = browser.get(unescape(address).replace("?", ".json?")).json()
        block = next(b for b in document["denominations"] if str(b["denomination_cents"]) == cents)
        assert sum(row["quantity"] for row in rows) == block[name], (name, cents)
        assert f"/coupons/serial/{rows[0]['from']}" in shown.text


@pytest.mark.parametrize(
    "address",
    ["redeemed", "redeemed?cents=1", "nonsense?cents=2500", "redeemed?cents=9%3Cscript", "x" * 900,
     "redeemed?cents=²", "redeemed?cents=2500&day=1999-01-01"],
)  # fmt: skip
def test_a_figure_that_is_none_is_refused(desk: Served, address: str) -> None:
    answer = desk.signed_in("FS-1").get(f"/coupons/figure/{address}")
    assert answer.status_code in (400, 404)
    assert "<script" not in answer.text.partition("<main")[2]


def test_who_may_not_see_coupons_sees_no_figure(desk: Served) -> None:
    assert desk.signed_in("F-11").get("/coupons/figure/redeemed?cents=2500").status_code == 403
