"""The pages of the forms in a real browser: each opens, prints, and asks for nothing outside."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from ledger.cli import main
from ledger.floor import COUPON_KINDS, FIRST_DAY, Plant, simulate
from ledger.reports.paper import Paper
from tests.chromium import SYSTEM_FONTS, browser, sheets_of
from tests.coupons.forms_scene import folder, scene

DAY = "2013-06-14"
LETTER_LANDSCAPE = b"/MediaBox [0 0 792 612]"


def sheets(printed: bytes) -> int:
    """How many sheets of paper."""
    return len(re.findall(rb"/Type\s*/Page\b", printed))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All forms of the day; the daily one was signed before a late fact came."""
    given = scene()
    path = folder(tmp_path_factory.mktemp("pages") / "ledger", given.facts)
    out = path.parent / "forms"
    words = ["--day", DAY, "--ledger", str(path)]
    plain = ["--format", "html", "--out", str(path.parent / "plain.html")]
    assert main(["coupons", "form", "daily", *words, *plain]) == 0
    assert main(["coupons", "sign", "daily", *words, "--by", "C-MS1", "--name", "Ms One"]) == 0
    folder(path, [given.late])
    assert main(["coupons", "forms", *words, "--out", str(out)]) == 0
    return out


def test_every_form_opens_from_the_index_page_and_prints(pages: Path) -> None:
    with browser() as opened:
        page = opened.open(pages / "index.html")
        links = page.eval_on_selector_all(
            "a.form", "all => all.map(one => one.getAttribute('href'))"
        )
        assert len(links) == 9
        for link in links:
            page = opened.open(pages / "index.html")
            page.click(f'a.form[href="{link}"]')
            assert page.url.endswith(link)
            assert page.locator("section").count() >= 1
            assert page.locator(".signatures").first.is_visible()
            assert page.locator("section svg.qr").count() == page.locator("section").count()
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{link} is wider than the window"
            printed = opened.printed()
            assert printed.startswith(b"%PDF")
            assert printed.count(LETTER_LANDSCAPE) >= 1
            page.click("nav a")
            assert page.url.endswith("index.html")
        assert (opened.errors, opened.outside) == ([], [])


LANDSCAPE = {Paper.LETTER: (988, 740), Paper.A4: (1054, 718)}
"""Pixels of a sheet within its margins."""
CROWDED = """() => [...document.querySelectorAll('td, th, h1, dd, .issue')]
    .filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
    .map(one => one.tagName + ' ' + one.textContent.trim().slice(0, 60))"""
BEYOND = """limit => [...document.querySelectorAll('section *')]
    .filter(one => !one.closest('svg') && one.getBoundingClientRect().right > limit + 1)
    .map(one => one.tagName + ' ' + one.textContent.trim().slice(0, 60))"""
BROKEN = """() => [...document.querySelectorAll('.unbroken')]
    .filter(one => one.getClientRects().length > 1).map(one => one.textContent)"""


@pytest.mark.parametrize("system", sorted(SYSTEM_FONTS))
def test_no_text_runs_into_its_neighbour_on_any_form(pages: Path, system: str) -> None:
    """Every form at print size, on two machines with other fonts; a serial number stays whole."""
    with browser(system=system) as opened:
        opened.page.emulate_media(media="print")
        whole = 0
        for width, height in LANDSCAPE.values():
            opened.page.set_viewport_size({"width": width, "height": height})
            for path in sorted(pages.glob("*-issue-*.html")):
                page = opened.open(path)
                assert page.evaluate(CROWDED) == [], path.name
                assert page.evaluate(BEYOND, width) == [], path.name
                assert page.evaluate(BROKEN) == [], path.name
                whole += page.locator(".unbroken").count()
        assert whole > 50


def test_no_sheet_of_a_form_holds_a_stray_line(pages: Path) -> None:
    """A sheet that goes on has a table and its head, never a line or a signature alone."""
    with browser() as opened:
        for path in sorted(pages.glob("*-issue-*.html")):
            opened.open(path)
            for number, lines in enumerate(sheets_of(opened.printed()), 1):
                assert len(lines) >= 11, f"{path.name}, sheet {number}: {lines}"


def test_the_foot_of_each_sheet_names_the_form_its_day_and_its_issue(pages: Path) -> None:
    with browser() as opened:
        page = opened.open(pages / f"daily-{DAY}-issue-2.html")
        title = page.locator("h1").first.inner_text()
        printed = sheets_of(opened.printed())
    for number, lines in enumerate(printed, 1):
        foot = " ".join(" ".join(lines[-2:]).split())
        for part in (f"gaming day {DAY}", " · issue ", "tree size", "digest"):
            assert part in foot, (number, foot)
        assert f"page {number} of {len(printed)}" in foot
    assert " ".join(" ".join(printed[0][-2:]).split()).startswith(
        f"{title} · gaming day {DAY} · issue 2"
    )


@pytest.mark.parametrize("paper", [*Paper], ids=lambda one: one.value)
def test_forms_are_printed_on_the_paper_of_the_property(
    pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paper: Paper
) -> None:
    """`PITLEDGER_PAPER` decides; Letter where it is not set."""
    if paper is not Paper.LETTER:
        monkeypatch.setenv("PITLEDGER_PAPER", paper.value)
    ledger, page = pages.parent / "ledger", tmp_path / "daily.html"
    words = ["--day", DAY, "--ledger", str(ledger), "--format", "html", "--out", str(page)]
    assert main(["coupons", "form", "daily", *words]) == 0
    box = {Paper.LETTER: rb"0 0 792 612", Paper.A4: rb"0 0 84[12][.\d]* 59[45]"}
    with browser() as opened:
        opened.open(page)
        printed = opened.printed()
    assert re.search(rb"/MediaBox \[" + box[paper], printed)


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The forms of three simulated nights with every planted kind, as the demonstration has them."""
    plants = [Plant(kind) for kind in sorted(COUPON_KINDS)]
    drawn = simulate(2, FIRST_DAY, 3, plants, scale=0.1, coupons=True)
    path = folder(tmp_path_factory.mktemp("nights") / "ledger", drawn.facts)
    out = path.parent / "forms"
    assert main(["coupons", "forms", "--days", "3", "--ledger", str(path), "--out", str(out)]) == 0
    return out


@pytest.mark.full
def test_the_forms_of_three_nights_open_from_one_index_page(nights: Path) -> None:
    with browser() as opened:
        page = opened.open(nights / "index.html")
        heads = page.locator("h2").all_inner_texts()
        days = [f"Gaming day {FIRST_DAY + timedelta(days=number)}" for number in range(3)]
        assert heads == [*days, "Month and quarter"]
        links = page.eval_on_selector_all("a", "all => all.map(one => one.getAttribute('href'))")
        written = {one.name for one in nights.iterdir()} - {"index.html"}
        assert {*links} == written
        assert len(links) == len(written)
        forms = [link for link in links if link.endswith(".html")]
        assert len(forms) == 3 * 7 + 2
        for link in forms:
            page = opened.open(nights / "index.html")
            page.click(f'a.form[href="{link}"]')
            assert page.url.endswith(link)
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{link} is wider than the window"
            assert opened.printed().count(LETTER_LANDSCAPE) >= 1
            page.click("nav a")
            assert page.url.endswith("index.html")
        assert (opened.errors, opened.outside) == ([], [])


def test_finance_stands_on_the_sheet_after_the_daily_form(pages: Path) -> None:
    (daily,) = pages.glob("daily-*.html")
    with browser() as opened:
        page = opened.open(daily)
        titles = page.locator("h1").all_inner_texts()
        assert titles == [
            "Match Play Coupon Reconciliation Form",
            "Match Play Coupon Reconciliation Form",
            "Finance's reconciliation of Match Play Coupons",
        ]
        heads = (
            page.locator("section")
            .first.locator("table.lines")
            .first.locator("th")
            .all_inner_texts()
        )
        names = [re.split(r"\n", head)[0] for head in heads]
        assert names == [
            *("Carried in, from - to", "Received, from - to", "To distribute", "Distributed"),
            *("Remaining, qty", "Remaining, from - to", "Voided, qty", "Voided serials and reason"),
            *("Variation", "Explanation"),
        ]
        assert page.locator(".differences").count() == 1
        assert page.locator(".stamp").all_inner_texts() == ["SUPERSEDED"]
        assert "must be signed again" in page.locator(".warn").first.inner_text()
        assert sheets(opened.printed()) >= 3
        opened.open(pages.parent / "plain.html")
        # marketing's form; finance's figures; what was found, with the place to sign
        assert sheets(opened.printed()) == 3
        assert (opened.errors, opened.outside) == ([], [])


def test_no_page_has_a_script(pages: Path) -> None:
    for one in pages.glob("*.html"):
        text = one.read_text(encoding="utf-8")
        assert "<script" not in text
        assert "default-src 'none'" in text
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text)


def test_a_request_to_the_outside_would_be_seen(tmp_path: Path) -> None:
    page = tmp_path / "bad.html"
    page.write_text(
        '<img src="http://outside.example/x.png"><script>missing()</script>', encoding="utf-8"
    )
    with browser() as opened:
        opened.open(page)
        assert opened.outside == ["http://outside.example/x.png"]
        assert opened.errors
