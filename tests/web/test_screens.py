"""Each page of the desk in a real Chromium: by mouse and by keys, with and without scripts, as
people with poor eyes meet it, in a narrow window, and on paper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from ledger.web.views import VIEWS
from tests.chromium import executable, sheets_of
from tests.web.conftest import copied, issued
from tests.web.screens import ROUND, ROUTES, asked, case_of, route_of, screens
from tests.web.test_cases import Work
from tests.web.test_in_browser import Visitor, serving

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
NARROW = 500
PAPER = 718
"""A sheet of 210 mm between margins of 10 mm, in CSS pixels."""
CLIPPED = """(wide) => [...document.querySelectorAll("main *")].filter((part) => {
  if (part.closest(".scroll, .unseen, pre.sheet, svg, details:not([open]), [hidden]")) return false;
  const box = part.getBoundingClientRect();
  return box.width && (box.right > wide + 0.5 || box.left < -0.5);
}).map((part) => part.outerHTML.slice(0, 120))"""
"""What reaches beyond the window, where nothing can be scrolled to it."""


@pytest.fixture(scope="module")
def small_ledger(desk_ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(desk_ledger, tmp_path_factory.mktemp("screens"))


@pytest.fixture(scope="module")
def with_report(desk_ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = copied(desk_ledger, tmp_path_factory.mktemp("walked"))
    return folder, issued(folder)


def at_work(folder: Path, nights: Path | None = None) -> Work:
    return Work(folder, hosts=("127.0.0.1", "testserver"), nights=nights)


@pytest.fixture
def walked(with_report: tuple[Path, Path], no_key: None) -> Iterator[tuple[str, str]]:
    """Where a desk is served that has a report and a case, and the number of the case."""
    work = at_work(*with_report)
    number = case_of(work)
    with serving(work.served) as base:
        yield base, number
    work.running.stop()


@pytest.fixture
def chromium() -> Iterator[Any]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.mark.parametrize("turn", [0, pytest.param(1, marks=pytest.mark.full)])
def test_every_page_is_accessible_and_fits_a_narrow_window(
    small_ledger: Path, no_key: None, chromium: Any, turn: int
) -> None:
    """Every other page in the dark scheme; in the second turn the others."""
    work = at_work(small_ledger)
    number = case_of(work)
    seen = set()
    with serving(work.served) as base:
        visitor = Visitor(chromium, base, viewport={"width": NARROW, "height": 800})
        page = visitor.page
        for place, (route, address) in enumerate((*asked(page, base), *screens(number))):
            page.goto(base + address)
            seen.add(route)
            page.emulate_media(color_scheme=SCHEMES[(place + turn) % 2])
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert (wide <= NARROW, page.evaluate(CLIPPED, NARROW)) == (True, []), address
            results = Axe().run(page)
            assert results.violations_count == 0, (address, results.generate_report())
        assert visitor.wrong == []
    work.running.stop()
    assert seen == {path for _, path, _ in VIEWS}  # a new page is looked at, too


# ------------------------------------------------------------------ reached by hand


@pytest.mark.full
@pytest.mark.parametrize("has_scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("hand", ["mouse", "keyboard"])
def test_every_page_is_reached_from_the_first_one(
    walked: tuple[str, str], chromium: Any, hand: str, has_scripts: bool
) -> None:
    base, _ = walked
    visitor = Visitor(chromium, base, java_script_enabled=has_scripts)
    reached = dict(asked(visitor.page, base))
    reached["/find"] = "/find"
    todo = list(reached.values())
    while todo:
        for link in links(visitor.page, base + todo.pop(0)):
            route = route_of(link)
            if route is not None and route not in reached:
                follow(visitor.page, link, hand)
                assert route_of(visitor.page.url.removeprefix(base)) == route, link
                assert visitor.page.locator("h1").first.is_visible()
                reached[route] = link
                todo.append(link)
                visitor.page.go_back()
    assert set(ROUTES) - set(reached) == set()
    assert visitor.wrong == []


def links(page: Any, address: str) -> list[str]:
    """The links of a page that people see, closed parts opened first as they would."""
    page.goto(address)
    for closed in page.locator("main details:not([open]) > summary").all()[::-1]:
        closed.click()
    return [
        str(link.get_attribute("href"))
        for link in page.locator("a[href^='/']:visible, a[href^='?']:visible").all()
    ]


def follow(page: Any, href: str, hand: str) -> None:
    """Follow a link by one hand or the other."""
    link = page.locator(f'a[href="{href}"]:visible').first
    if hand == "mouse":
        link.click()
    else:
        link.focus()
        with page.expect_navigation():
            page.keyboard.press("Enter")
    page.wait_for_load_state()


# ------------------------------------------------------------------ keys


KEYS_OF = {
    f"/round/{ROUND}": "fwcnhp",
    "/case/{number}": "ndpteh",
    "/shift": "n",
    "/coupons": "s",
    "/coupons/form/daily": "d",
    "/night/2021-06-12": "d",
}
"""What each page answers to besides ``/``, ``?``, ``j``, ``k`` and the arrows."""
STATE = "[location.href, document.activeElement?.outerHTML.slice(0, 200), scrollY]"


@pytest.mark.full
def test_every_key_of_the_help_does_something_where_it_stands(
    walked: tuple[str, str], chromium: Any
) -> None:
    base, number = walked
    visitor = Visitor(chromium, base, person="SS-2", viewport={"width": 1200, "height": 500})
    page = visitor.page
    for path, keys in KEYS_OF.items():
        address = base + path.format(number=number)
        for key in keys:
            page.goto(address)
            before = page.evaluate(STATE)
            page.keyboard.press(key)
            page.wait_for_function(
                f"(before) => JSON.stringify({STATE}) !== JSON.stringify(before)", arg=before
            )
    assert visitor.wrong == []


@pytest.mark.full
def test_notes_footage_and_pack_of_a_round_are_a_key_away(
    walked: tuple[str, str], chromium: Any
) -> None:
    base, _ = walked
    visitor = Visitor(chromium, base, person="S-1")
    page = visitor.page
    for key, where, field in (("n", "/case/*#note", "note"), ("p", "/case/*/pack", None)):
        page.goto(f"{base}/round/{ROUND}")
        page.keyboard.press(key)
        page.wait_for_url(f"{base}{where}")
        if field:
            page.wait_for_function(f"document.activeElement.id === '{field}'")
    page.goto(f"{base}/round/{ROUND}")
    page.keyboard.press("h")
    page.wait_for_function("document.activeElement.id === 'footage-camera'")
    page.goto(f"{base}/round/SB-01:128")  # in no case: one is opened
    page.keyboard.press("h")
    page.wait_for_url("**/cases/new?round=SB-01%3A128")
    assert visitor.wrong == []


@pytest.mark.full
def test_lists_are_gone_through_by_keys_and_the_help_lies_above_each_page(
    walked: tuple[str, str], chromium: Any
) -> None:
    base, number = walked
    visitor = Visitor(chromium, base)
    page = visitor.page
    lists = 0
    for _, address in (*asked(page, base), *screens(number)):
        page.goto(base + address)
        page.keyboard.press("?")
        keys = page.locator("#keys dl")
        assert keys.is_visible(), address
        box = page.locator("#keys").bounding_box()
        assert box["y"] >= 0, address
        assert box["y"] + box["height"] <= 720, address
        page.keyboard.press("Escape")
        assert not keys.is_visible(), address
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "line", address
        page.keyboard.press("Escape")
        rows = page.locator("[data-row]:visible").count()
        if rows:
            lists += 1
            page.keyboard.press("j")
            first = page.evaluate("document.activeElement.getAttribute('href')")
            assert first == page.locator("[data-row]").first.get_attribute("href"), address
            if rows > 1:
                page.keyboard.press("j")
                assert page.evaluate("document.activeElement.getAttribute('href')") != first
                page.keyboard.press("k")
            page.keyboard.press("Enter")
            page.wait_for_url(f"{base}{first}")
    assert lists >= 8
    assert visitor.wrong == []


@pytest.mark.full
def test_whoever_uses_tab_alone_sees_where_they_are(walked: tuple[str, str], chromium: Any) -> None:
    """On each page each part that takes the focus is in the window then, with an outline."""
    base, number = walked
    visitor = Visitor(chromium, base)
    page = visitor.page
    for _, address in (*asked(page, base), *screens(number)):
        page.goto(base + address)
        for _ in range(25):
            page.keyboard.press("Tab")
            lost = page.evaluate("""(() => {
                const own = document.activeElement, box = own.getBoundingClientRect();
                if (own === document.body) return null;
                const style = getComputedStyle(own);
                const shown = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
                const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0;
                return shown && inside ? null : own.outerHTML.slice(0, 200);
            })()""")
            assert lost is None, (address, lost)
    assert visitor.wrong == []


# ------------------------------------------------------------------ on paper


@pytest.mark.full
def test_every_page_prints_whole_and_without_what_can_only_be_clicked(
    walked: tuple[str, str], chromium: Any
) -> None:
    base, number = walked
    visitor = Visitor(chromium, base, viewport={"width": PAPER, "height": 1000})
    page = visitor.page
    for _, address in (*asked(page, base), *screens(number)):
        page.goto(base + address)
        page.emulate_media(media="print")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= PAPER, address
        for part in ("header.bar", "#keys", "button", "input:not([type=hidden])", ".forms"):
            assert page.locator(f"{part}:visible").count() == 0, (address, part)
        cut = page.evaluate(
            "[...document.querySelectorAll('.scroll')].filter((part) =>"
            " part.scrollWidth > part.clientWidth + 1).map((part) => part.ariaLabel)"
        )
        assert cut == [], address
        sheets = sheets_of(page.pdf(prefer_css_page_size=True))
        head = page.locator("h1").first.inner_text().split()[0]
        assert head in " ".join(sheets[0]), address
        page.emulate_media(media="screen")
    assert visitor.wrong == []
