"""Nights and coupon forms at the desk: what is shown of a report, and signing by the one writer."""

from __future__ import annotations

import os
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.log import FileSnapshot
from ledger.log.keys import key_beside
from ledger.log.merkle import continues
from ledger.replay import Replay
from ledger.web.views import night as night_pages
from ledger.web.views.night import folded
from tests.web.conftest import PHRASE, Served, cheap, copied, issued, token_of
from tests.web.test_writer import Running

DAY = "2021-06-12"


def request_id() -> str:
    return os.urandom(12).hex()


@pytest.fixture(scope="module")
def reported(desk_ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A copy of the ledger, and the folder of its night's report."""
    folder = copied(desk_ledger, tmp_path_factory.mktemp("reported"))
    return folder, issued(folder)


@pytest.fixture
def desk(
    reported: tuple[Path, Path], no_key: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Served]:
    cheap(monkeypatch)
    folder, nights = reported
    writer = Running(folder, key_beside(folder))
    writer.writer._nights = nights
    served = Served(folder, nights=nights)
    yield served
    writer.stop()
    served.record.close()


def sign(desk: Served, person: str, path: str, form: str = "", **fields: str):
    browser = desk.signed_in(person)
    page = browser.get(path)
    own = {"token": token_of(page.text), "id": request_id(), "pass_phrase": PHRASE}
    return browser.post(form or f"{path}/sign", data={**own, **fields})


def test_a_night_says_whether_its_record_was_ready_and_which_reports_stand(desk: Served) -> None:
    browser = desk.signed_in("IA-1")
    assert f'href="/night/{DAY}"' in browser.get("/night").text
    document = browser.get(f"/night/{DAY}.json").json()
    assert [row["issue"] for row in document["issues"]] == ["final-1"]
    assert document["issues"][0]["sealed"] is True
    assert {"control total", "capture"} <= {line["what"] for line in document["readiness"]}
    assert browser.get("/night/1999-01-01").status_code == 200  # nothing stands, and it says so
    for path in ("/night/x", f"/night/{DAY}/final-9/report", f"/night/{DAY}/..%2f..%2fx/report"):
        assert browser.get(path).status_code == 404


def test_a_night_with_unknown_checks_says_so_first(desk: Served) -> None:
    browser = desk.signed_in("IA-1")
    for day in (DAY, "1999-01-01"):
        lines = browser.get(f"/night/{day}.json").json()["readiness"]
        unknown = sum(line["state"] == "unknown" for line in lines)
        verdict = browser.get(f"/night/{day}").text.partition('<p class="verdict ')[2]
        assert verdict.startswith("unsure" if unknown else "clean")
        first = verdict.partition("</p>")[0]
        assert (f'<a href="#readiness">{unknown} of {len(lines)} checks' in first) == bool(unknown)


def test_what_changed_between_reports_is_folded_where_it_is_long(
    desk: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = ", ".join(f"rounds/SB-01.{number}.html" for number in range(40))
    lines = ("From a to b:", f"outputs that differ: {named}", "came: SB-01:7")
    monkeypatch.setattr(night_pages, "_differences", lambda _: iter([list(map(folded, lines))]))
    page = desk.signed_in("IA-1").get(f"/night/{DAY}").text
    assert "outputs that differ: 40</bdi></summary>" in page
    assert "rounds/SB-01.39.html" in page.partition("outputs that differ: 40")[2]
    assert "<li><bdi>came: SB-01:7</bdi></li>" in page


def test_a_report_shows_no_patron_and_leads_to_the_rounds_of_the_desk(
    desk: Served, reported: tuple[Path, Path]
) -> None:
    browser = desk.signed_in("IA-1")
    answer = browser.get(f"/night/{DAY}/final-1/report")
    assert answer.status_code == 200
    assert "style-src 'sha256-" in answer.headers["content-security-policy"]
    assert 'href="/round/SB-01%3A517"' in answer.text
    assert 'href="rounds/' not in answer.text
    with desk.record.present() as record:
        patrons = record.rows("SELECT DISTINCT patron FROM wagers WHERE patron IS NOT NULL", [])
    assert patrons
    assert not [row["patron"] for row in patrons if row["patron"] in answer.text]


def test_a_report_that_was_changed_is_not_shown(desk: Served, reported: tuple[Path, Path]) -> None:
    page = reported[1] / DAY / "final-1" / "report.html"
    before = page.read_bytes()
    page.write_bytes(before.replace(b"SB-01", b"SB-02"))
    try:
        answer = desk.signed_in("IA-1").get(f"/night/{DAY}/final-1/report")
        assert answer.status_code >= 400
        assert "SB-02" not in answer.text
    finally:
        page.write_bytes(before)


def test_a_report_is_signed_by_two_persons_once_each(desk: Served) -> None:
    path = f"/night/{DAY}"
    own = {"signed_as": "preparer", "name": "Internal auditor one"}
    browser = desk.signed_in("IA-1")
    token = token_of(browser.get(path).text)
    bare = browser.post(f"{path}/sign", data={"token": token, "id": request_id(), **own})
    assert "Give your pass phrase" in bare.text
    assert sign(desk, "IA-1", path, **{**own, "name": "Somebody else"}).status_code == 400
    assert sign(desk, "IA-1", path, **{**own, "signed_as": "boss"}).status_code == 400
    wanted = {"token": token, "id": request_id(), "pass_phrase": PHRASE, **own}
    for _ in range(2):  # sent twice, it is one signature
        assert browser.post(f"{path}/sign", data=wanted).status_code == 303
    assert sign(desk, "IA-1", path, signed_as="approver", name=own["name"]).status_code == 400
    approver = {"signed_as": "approver", "name": "Finance supervisor one"}
    assert sign(desk, "FS-1", path, **approver).status_code == 303
    signed = browser.get(f"{path}.json").json()["signatures"]
    assert [(each["signed_as"], each["person"]) for each in signed] == [
        ("preparer", "IA-1"),
        ("approver", "FS-1"),
    ]
    roster = Replay.open(desk.settings.folder).roster()
    assert roster.proves_since is not None
    assert sign(desk, "F-11", "/law", f"{path}/sign", **own).status_code == 403


def test_who_may_not_sign_a_report_is_offered_no_signature(desk: Served) -> None:
    for person, functions in (("IA-1", 2), ("S-1", 1), ("BA-1", 0)):
        page = desk.signed_in(person).get(f"/night/{DAY}").text
        assert page.count('<option value="preparer"') + page.count('"approver"') == functions
        assert ("Sign the report" in page) == bool(functions), person


def test_a_coupon_form_is_signed_by_its_department(desk: Served) -> None:
    path = "/coupons/form/finance"
    page = desk.signed_in("FS-1").get(f"{path}?day={DAY}").text
    assert "Sign the form" in page
    fields = {"day": DAY, "name": "Finance supervisor one"}
    before = desk.signed_in("IA-1").get(f"{path}.json?day={DAY}").json()
    refused = sign(desk, "IA-1", path, day=DAY, name="Internal auditor one")
    assert refused.status_code == 400
    assert "has not the function to sign this form" in refused.text
    answer = sign(desk, "FS-1", path, **fields)
    assert answer.status_code == 303, answer.text
    after = desk.signed_in("IA-1").get(f"{path}.json?day={DAY}").json()
    assert str(before).count("FS-1") < str(after).count("FS-1")
    again = sign(desk, "FS-1", path, **fields)
    assert again.status_code == 400
    assert "is signed by FS-1" in again.text


def test_each_report_s_tree_is_the_beginning_of_the_ledger_and_is_proved(desk: Served) -> None:
    browser = desk.signed_in("IA-1")
    page = browser.get("/ledger/verification").text
    document = browser.get("/ledger/verification.json").json()
    (report,) = document["reports"]
    assert (report["gaming_day"], report["continues"], report["sealed"]) == (DAY, True, True)
    assert "the ledger begins with all that 1 report was made from" in page
    size = report["tree_size"]
    assert f'href="/ledger/verification/{size}"' in page
    proof = browser.get(f"/ledger/verification/{size - 7}.json").json()
    assert continues(
        size - 7,
        b64decode(proof["root"]),
        proof["later_tree_size"],
        b64decode(proof["later_root"]),
        [b64decode(node) for node in proof["proof"]],
    )


def test_a_report_of_another_tree_is_an_alarm(desk: Served, monkeypatch) -> None:
    browser = desk.signed_in("IA-1")
    monkeypatch.setattr(FileSnapshot, "root_at", lambda _log, _size: bytes(32))
    page = browser.get("/ledger/verification").text
    assert 'class="verdict critical" role="alert"' in page
    assert "does not begin with what a report was made from" in page
    assert ">NO</span>" in page


@pytest.mark.parametrize("letters", [16, 40, 64])
def test_a_printed_page_is_compared_as_far_as_it_goes(desk: Served, letters: int) -> None:
    browser = desk.signed_in("F-11")  # whoever signs in may ask
    root = browser.get("/ledger.json").json()["root"]
    size = browser.get("/ledger.json").json()["tree_size"]
    right = browser.get(f"/ledger/verification?size={size}&root={root[:letters]}").text
    assert f"The first {size:,} entries have the root of the page" in right
    assert (f"{4 * letters} of 256 bits" in right) == (letters < 64)
    wrong = browser.get(f"/ledger/verification?size={size - 1}&root={root[:letters]}").text
    assert "have another root" in wrong


@pytest.mark.parametrize(
    "query",
    ["size=0&root=" + "0" * 64, "size=x&root=" + "0" * 64, "size=5&root=%3Cscript%3E", "size=5",
     "root=" + "0" * 64, "size=99999999999&root=" + "0" * 64, "size=" + "9" * 400 + "&root=1"],
)  # fmt: skip
def test_what_is_no_printed_page_is_refused(desk: Served, query: str) -> None:
    answer = desk.signed_in("IA-1").get(f"/ledger/verification?{query}")
    assert answer.status_code in (404, 500), answer.text
    assert "<script>" not in answer.text.partition("<main")[2]
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("size", ["0", "x", "999999999999", "-1", "1" * 300])
def test_no_proof_is_given_from_what_is_no_size(desk: Served, size: str) -> None:
    assert desk.signed_in("IA-1").get(f"/ledger/verification/{size}").status_code == 404
