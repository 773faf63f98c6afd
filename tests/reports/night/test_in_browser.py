"""The pages of a night in a real browser: nothing asked, nothing wrong, readable by all, and on paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import pytest

from ledger.cli import main
from ledger.reports.night import Incomplete, Phase, night_page, round_file
from ledger.reports.paper import Paper
from tests.chromium import SYSTEM_FONTS, Browser, browser, sheets_of
from tests.cli.given import ROUND, WHEEL_ROUND, lines
from tests.reports.night.scene import (
    NOON,
    account,
    action,
    balances,
    capture,
    finding,
    hostile,
    night,
)

SHEETS: Final = {
    Paper.LETTER: re.compile(rb"/MediaBox\s*\[0 0 612 792\]"),
    Paper.A4: re.compile(rb"/MediaBox\s*\[0 0 59[45][.\d]* 84[12][.\d]*\]"),
}
INSIDE: Final = {Paper.LETTER: (759, 984), Paper.A4: (737, 1050)}
"""Pixels of a sheet within its margins, of 8, 7.5 and 11 mm."""
OUTSIDE: Final = """limit => [...document.querySelectorAll('main *')]
    .filter(one => !one.closest('svg') && !(matchMedia('screen').matches && one.closest('.scroll')))
    .filter(one => one.getBoundingClientRect().right > limit + 1)
    .map(one => one.tagName + ' ' + one.textContent.slice(0, 60))"""
CROWDED: Final = """() => [...document.querySelectorAll('td, th')]
    .filter(one => one.scrollWidth > one.clientWidth + 1)
    .map(one => one.tagName + ' ' + one.textContent.slice(0, 60))"""


@pytest.fixture(scope="module", params=sorted(SYSTEM_FONTS))
def opened(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """A browser on each of two machines, which have other fonts."""
    with browser(system=request.param) as one:
        yield one


def sheets(printed: bytes, paper: Paper = Paper.LETTER) -> int:
    """How many sheets of paper."""
    assert SHEETS[paper].search(printed), f"not {paper.value}"
    return len(re.findall(rb"/Type\s*/Page\b", printed))


def violations(page: Any) -> list[str]:
    """What the accessibility rules of axe-core find."""
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert len(found["passes"]) > 3, "the rules did not run"
    return [
        f"{one['id']}: {node['target']} {node['html'][:90]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


def on_paper(opened: Browser, measure: str, *given: Any, paper: Paper = Paper.LETTER) -> Any:
    """What a page measures when it is laid out for paper."""
    width, height = INSIDE[paper]
    opened.page.set_viewport_size({"width": width, "height": height})
    opened.page.emulate_media(media="print")
    try:
        return opened.page.evaluate(measure, *given)
    finally:
        opened.page.emulate_media(media="screen")
        opened.page.set_viewport_size({"width": 1280, "height": 900})


def checked(opened: Browser, path: Path, text: str) -> int:
    """Open a page, hold it against everything that each must keep; its sheets."""
    path.write_text(text, encoding="utf-8")
    page = opened.open(path)
    assert violations(page) == []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(OUTSIDE, width) == [], f"wider than {width}"
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert on_paper(opened, OUTSIDE, INSIDE[Paper.LETTER][0]) == []
    assert on_paper(opened, CROWDED) == []
    count = sheets(opened.printed())
    assert (opened.errors, opened.outside) == ([], [])
    return count


def test_the_first_page_holds_all_that_it_must(opened: Browser, tmp_path: Path) -> None:
    assert checked(opened, tmp_path / "night.html", night_page(night())) <= 4
    bottom = "document.querySelector('.signing').getBoundingClientRect().bottom"
    assert on_paper(opened, bottom) < INSIDE[Paper.LETTER][1]
    behind = "document.getElementById('behind').getBoundingClientRect().top"
    assert on_paper(opened, behind) > on_paper(opened, bottom)


@pytest.mark.parametrize("paper", [*Paper], ids=lambda one: one.value)
def test_a_full_night_still_has_its_signatures_on_the_first_sheet(
    opened: Browser, tmp_path: Path, paper: Paper
) -> None:
    said = (
        "Sic Bo SB-02: 812 wagers underpaid, $4,060.00, paytable P-7 below § 539.6(b), 18:02-01:40"
    )
    eleven = [f"SB-{number:02d}" for number in range(1, 12)]
    full = night(
        actions=tuple(
            action(number, title=said, findings=1 + number % 2) for number in range(1, 20)
        ),
        capture=tuple(map(capture, eleven)),
        tables=tuple(map(account, eleven)),
        unknowns=night().unknowns * 12,
        coupons=(*balances(500), *balances(1_000), *balances(2_500, counted=39)),
        changes=night().changes * 5,
        standing=("SB-01, SB-02: 539: continued as 625a, text not held",),
        readiness=tuple(
            f"Camera C-{one} at SB-01 down 6 min 29 s, 2021-06-12 21:02:10 to 21:08:39"
            for one in range(9)
        ),
        incomplete=(Incomplete(stream="SB-02/dice", since=NOON, why="no fact after 41,027"),),
        paper=paper,
    )
    (tmp_path / "full.html").write_text(night_page(full), encoding="utf-8")
    opened.open(tmp_path / "full.html")
    bottom = "document.querySelector('.signing').getBoundingClientRect().bottom"
    assert on_paper(opened, bottom, paper=paper) < INSIDE[paper][1]
    assert on_paper(opened, CROWDED, paper=paper) == []
    printed = opened.printed()
    assert sheets(printed, paper) > 1
    assert min(map(len, sheets_of(printed))) > 8, "a sheet with a stray line"


def test_a_hostile_night_is_as_good_a_page(opened: Browser, tmp_path: Path) -> None:
    assert checked(opened, tmp_path / "night.html", night_page(hostile())) <= 12
    assert opened.page.title().startswith("</title><script>")
    assert opened.page.evaluate("document.scripts.length") == 0


def test_an_empty_and_a_long_night(opened: Browser, tmp_path: Path) -> None:
    empty = night(
        phase=Phase.PRELIMINARY, actions=(), capture=(), unknowns=(), coupons=(), tables=(),
        changes=(), signatures=(), alerts=(), hours=(), outcomes=(), since="", coupons_line="",
    )  # fmt: skip
    assert checked(opened, tmp_path / "empty.html", night_page(empty)) == 1
    many = tuple(action(number, findings=4) for number in range(1, 40))
    assert checked(opened, tmp_path / "long.html", night_page(night(actions=many))) > 5


def test_a_reader_goes_from_a_line_to_its_round(
    opened: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, facts = tmp_path / "ledger", tmp_path / "day.jsonl"
    facts.write_text(lines(), encoding="utf-8")
    assert main(["init", "--origin", "test.example/floor", "--ledger", str(folder)]) == 0
    assert main(["append", str(facts), "--ledger", str(folder)]) == 0
    (tmp_path / "rounds").mkdir()
    for name, code, drawn in ((ROUND, 1, "dice"), (WHEEL_ROUND, 0, "wheel")):
        capsys.readouterr()
        assert main(["round", "show", name, "--format", "html", "--ledger", str(folder)]) == code
        page = tmp_path / "rounds" / round_file(name)
        assert checked(opened, page, capsys.readouterr().out) == 1
        assert opened.page.locator(f"svg.{drawn} title").first.text_content()
        assert opened.page.locator("#wagers").is_visible()
    linked = replace(action(1), findings=(finding(1, round=ROUND),))
    (tmp_path / "index.html").write_text(
        night_page(night(actions=(linked,), round_pages=frozenset({ROUND}))), encoding="utf-8"
    )
    page = opened.open(tmp_path / "index.html")
    page.click(f"table.actions a:has-text('{ROUND}')")
    assert page.locator("h1").inner_text() == f"Round {ROUND}"
    assert page.title() == f"Round {ROUND}"


def test_a_page_that_is_not_accessible_would_be_seen(opened: Browser, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text("<title>x</title><p style='color:#ccc'>pale</p><img src='data:,'>", "utf-8")
    opened.open(bad)
    found = " ".join(violations(opened.page))
    assert "image-alt" in found
    assert "html-has-lang" in found
