"""A dispute brought to its end at the desk in a real browser, by clicks and keys.

The steps are those of ``dispute_at_desk``, so that both can be held against each other: what a step
costs a person beyond the answers is what the browser lays out, draws and prefetches.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.chromium import LONGEST_WAIT_MILLISECONDS
from tests.web.dispute_at_desk import OPERATOR, SECOND_SUPERVISOR, SUPERVISOR, Complaint, Settled

DRAWN: Final = """
window.drawn = [];
addEventListener("keydown", (event) => {
  if (event.key !== "ArrowRight") return;
  new MutationObserver((changes, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => { // what follows a frame's callbacks runs when it is drawn
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.drawn.push(performance.now() - event.timeStamp);
      channel.port2.postMessage(0);
    });
  }).observe(document.body, { childList: true, subtree: true });
}, true);
"""
"""Measures, within a page, how long a board takes from its key until it is drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InBrowser:
    """Pages of the persons who work on a dispute.

    Attributes:
        pages: by person, a page of a browser of its own, signed in.
        base: the desk's address.
        phrase: their pass phrase.
    """

    pages: Mapping[str, Any]
    base: str
    phrase: str


def signed_in_page(browser: Any, base: str, person: str, phrase: str) -> Any:
    """Open a page in a context of its own, and sign a person in by keys."""
    page = browser.new_context(base_url=base).new_page()
    page.set_default_timeout(LONGEST_WAIT_MILLISECONDS)
    page.add_init_script(DRAWN)
    page.goto("/sign-in")
    page.focus("#credential")
    page.keyboard.type(person)
    page.keyboard.press("Tab")
    page.keyboard.type(phrase)
    page.keyboard.press("Enter")
    page.wait_for_url("**/find")
    return page


def settle_in_browser(desk: InBrowser, complaint: Complaint) -> Settled:
    """Find what a patron speaks of, judge it, and close the case with a letter and a pack."""
    settled, page = Settled(), desk.pages[OPERATOR]
    page.goto("/find")
    with settled.step("find"):
        page.keyboard.press("/")
        page.keyboard.type(complaint.line)
        page.keyboard.press("Enter")
        page.wait_for_url("**/find/*")
        _go_to_row(page)
    with settled.step("round"):
        page.keyboard.press("Enter")
        page.wait_for_selector("#board")
    address = page.url.partition("?")[0]
    settled.round = address.rpartition("/")[2]
    settled.steps = int(page.get_attribute("#board", "data-last"))
    page.keyboard.press("Home")
    page.wait_for_selector('#board[data-step="0"]')
    with settled.step("each fact"):
        for step in range(1, settled.steps + 1):
            page.keyboard.press("ArrowRight")
            page.wait_for_selector(f'#board[data-step="{step}"]')
    settled.drawn = page.evaluate("window.drawn")
    with settled.step("case opened"):
        wager = _open_case(page, complaint)
    settled.case = page.url.removeprefix(desk.base).partition("#")[0]
    page.goto(address)
    with settled.step("what-if"):
        _suppose(page, wager)
    page.goto(settled.case)
    with settled.step("note, footage, error"):
        _work_on(page)
    with settled.step("decided, letter signed by two"):
        settled.letter = _answer_patron(desk, settled.case, wager)
    with settled.step("closed by a second person"):
        second = desk.pages[SECOND_SUPERVISOR]
        second.goto(settled.case)
        second.keyboard.press("d")
        _type_and_send(second, "paid and answered", desk.phrase)
        second.wait_for_selector("#top .state.closed")
    with settled.step("pack"):
        second.keyboard.press("p")
        second.wait_for_url("**/pack")
        second.check("input[name=redact][value=all]")
        with second.expect_download() as download:
            second.click("section:has(input[name=redact]) button")
        settled.pack = download.value.path().read_bytes()
    return settled


def _go_to_row(page: Any) -> None:
    """Go down a list by its key, to the first round in which something differs."""
    lines = page.eval_on_selector_all(
        ".hits tr:has([data-row])", "rows => rows.map(row => !!row.querySelector('.bad'))"
    )
    assert lines
    for _ in range(1 + (lines.index(True) if True in lines else 0)):
        page.keyboard.press("j")
    assert page.evaluate("document.activeElement.matches('[data-row]')")


def _open_case(page: Any, complaint: Complaint) -> str:
    """Open a case about the round on the page; the wager that the patron speaks of."""
    page.keyboard.press("c")
    page.wait_for_url("**/cases/new?*")
    choices = page.eval_on_selector_all(
        "select[name=wager] option", "all => all.map(one => [one.value, one.textContent])"
    )
    meant = [
        wager for wager, words in choices
        if words.endswith(f"on {complaint.wager}") and f"${complaint.dollars}" in words
    ]  # fmt: skip
    assert meant, choices
    wager: str = meant[-1]
    page.select_option("select[name=wager]", wager)
    page.fill("#complaint", complaint.words)
    page.focus("#summary")
    page.keyboard.type(f"{complaint.wager}, ${complaint.dollars}")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/case/[^/]+$"))
    return wager


def _suppose(page: Any, wager: str) -> None:
    """Ask what would have been if the dealer had handed a wager back."""
    page.keyboard.press("w")
    page.wait_for_url("**/what-if")
    page.click(".values details summary")
    page.fill("textarea[name=return]", wager)
    page.click(".send button")
    page.wait_for_url("**/what-if/*")
    assert page.is_visible("text=As supposed:")


def _work_on(page: Any) -> None:
    """Write a note, hold footage, and say whose error it was."""
    page.keyboard.press("n")
    page.keyboard.type("The recording and the record agree.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("article.note >> text=The recording and the record agree.")
    page.keyboard.press("h")
    assert page.evaluate("document.activeElement.id") == "footage-camera"
    page.select_option("#footage-state", "held")
    page.click("form:has(#footage-camera) button")
    page.wait_for_selector("#footage li b >> text=held")
    page.click("summary >> text=State error and money")
    page.select_option("select[name=error]", "dealer")
    page.click("form:has(select[name=error]) button")
    page.wait_for_selector("#ending p b")


def _answer_patron(desk: InBrowser, case: str, wager: str) -> str:
    """Decide, and sign the letter to the patron by two; how it prints."""
    supervisor = desk.pages[SUPERVISOR]
    supervisor.goto(case)
    supervisor.keyboard.press("d")
    _type_and_send(supervisor, "You are right.", desk.phrase)
    supervisor.wait_for_selector("#top .state.decided")
    for person, state in ((OPERATOR, "1 of 2 signatures"), (SUPERVISOR, "Signed: prepared")):
        page = desk.pages[person]
        page.goto(case)
        page.click("#letters a[href$='/letter/patron']")
        page.select_option("select[name=wager]", wager)
        page.click("form[method=get] button")
        page.wait_for_url("**wager=*")
        page.focus("#sign-phrase")
        page.keyboard.type(desk.phrase)
        page.keyboard.press("Enter")
        page.wait_for_selector(f".verdict >> text={state}")
    page.click("text=To print")
    page.wait_for_url("**/print*")
    return str(page.content())


def _type_and_send(page: Any, words: str, phrase: str) -> None:
    """Type into the field that has the focus, the pass phrase into the next one, and send both."""
    page.keyboard.type(words)
    page.keyboard.press("Tab")
    page.keyboard.type(phrase)
    page.keyboard.press("Enter")
