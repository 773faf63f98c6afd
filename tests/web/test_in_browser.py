"""The desk in a real Chromium: keys, stepping, scripts off, narrow, dark, accessible."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from ledger.log.keys import key_beside
from tests.chromium import LONGEST_WAIT_MILLISECONDS, executable
from tests.web.conftest import PHRASE, Served, cheap, copied
from tests.web.test_writer import Running

ROUND = "/round/SB-01:517"


@pytest.fixture
def address(desk_ledger, no_key, monkeypatch) -> Iterator[str]:
    """Where a desk is served by uvicorn, as people reach it."""
    cheap(monkeypatch)
    with serving(Served(desk_ledger, hosts=("127.0.0.1",))) as base:
        yield base


def free_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@contextmanager
def serving(served: Served, port: int = 0) -> Iterator[str]:
    """Serve a desk by uvicorn; gives its address."""
    port = port or free_port()
    config = uvicorn.Config(served.app, port=port, log_level="critical", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)
    served.record.close()


class Visitor:
    """A browser whose errors and foreign requests are kept."""

    def __init__(self, chromium: Any, base: str, person: str = "IA-1", **options: Any) -> None:
        self.base = base
        self.wrong: list[str] = []
        self.page = chromium.new_context(**options).new_page()
        self.page.set_default_timeout(LONGEST_WAIT_MILLISECONDS)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda line: self._hear(line.type, line.text))
        self.page.on("request", lambda asked: self._asked(asked.url))
        self.page.goto(f"{base}/sign-in")
        self.page.fill("#credential", person)
        self.page.fill("#pass_phrase", PHRASE)
        self.page.click("main button")
        self.page.wait_for_url(f"{base}/find")

    def _hear(self, kind: str, text: str) -> None:
        if kind == "error":
            self.wrong.append(text)

    def _asked(self, url: str) -> None:
        if not url.startswith(self.base):
            self.wrong.append(url)

    def head(self) -> str:
        text: str = self.page.inner_text("#board-head")
        return text


def test_a_dispute_is_found_and_stepped_through_by_keys_alone(address: str) -> None:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox", "--disable-gpu"]
        )
        visitor = Visitor(chromium, address)
        page = visitor.page
        page.keyboard.press("/")
        page.keyboard.type("no such thing")
        page.wait_for_selector("#found .verdict")  # why it cannot be searched for
        assert all("400" in line for line in visitor.wrong)
        visitor.wrong.clear()
        page.fill("#line", "")
        page.keyboard.type("SB-01 findings")
        page.wait_for_selector("#found .hits")  # while typing, under an address without the line
        assert page.url == f"{address}/find"
        page.keyboard.press("Enter")
        page.wait_for_url(f"{address}/find/*")
        page.focus(".hits a")
        page.keyboard.press("Enter")
        page.wait_for_selector("#board")
        last = int(page.get_attribute("#board", "data-last"))
        for key, step in (("ArrowLeft", last - 1), ("Home", 0), ("ArrowRight", 1), ("End", last)):
            page.keyboard.press(key)
            page.wait_for_selector(f'#board[data-step="{step}"]')
            assert visitor.head() == f"Table after {step} of {last} facts"
            assert page.locator("#timeline tr.later").count() == last - step
        page.keyboard.press("ArrowRight")  # past the end nothing happens
        page.keyboard.press("?")
        assert page.locator("#keys").get_attribute("open") is not None
        page.keyboard.press("j")
        page.wait_for_url(f"{address}/round/SB-01%3A527")
        page.keyboard.press("k")
        page.wait_for_url(f"{address}/round/SB-01%3A517")
        assert visitor.wrong == []

        plain = Visitor(chromium, address, java_script_enabled=False)
        plain.page.goto(address + ROUND)
        plain.page.click("#board a[rel=prev]")
        assert plain.page.get_attribute("#board", "data-step") == str(last - 1)
        assert plain.wrong == []
        chromium.close()


@pytest.mark.full
def test_a_dispute_is_worked_on_by_keys_and_without_scripts(
    desk_ledger, no_key, monkeypatch, tmp_path
) -> None:
    """Open, note, task, footage, decide, close: by keys; then the same page without scripts."""
    cheap(monkeypatch)
    folder = copied(desk_ledger, tmp_path)
    writer = Running(folder, key_beside(folder))
    with serving(Served(folder, hosts=("127.0.0.1",))) as base, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox", "--disable-gpu"]
        )
        own = Visitor(chromium, base, person="S-1")
        page = own.page
        page.goto(base + ROUND)
        page.keyboard.press("c")
        page.wait_for_url("**/cases/new?*")
        page.focus("#summary")
        page.keyboard.type("Small Bet collected though it won")
        page.keyboard.press("Enter")
        page.wait_for_url("**/case/*")
        case = page.url.partition("#")[0]
        page.keyboard.press("n")
        page.keyboard.type("It is Small.")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector("article.note >> text=It is Small.")
        page.keyboard.press("t")
        page.keyboard.type("ask the dealer")
        page.keyboard.press("Enter")
        page.wait_for_selector("#tasks >> text=ask the dealer")
        page.keyboard.press("h")
        assert page.evaluate("document.activeElement.id") == "footage-camera"
        assert page.input_value("#footage-camera").startswith("CAM-")
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()
        assert own.wrong == []

        for person, words in (("SS-1", "decide-phrase"), ("SS-2", "close-phrase")):
            plain = Visitor(chromium, base, person=person, java_script_enabled=False)
            plain.page.goto(case)
            panel = plain.page.locator(f"details:has(#{words})")
            if panel.get_attribute("open") is None:
                panel.locator("summary").click()
            text = "You are right." if words.startswith("decide") else "paid"
            panel.locator("textarea, input[name=reason]").fill(text)
            plain.page.fill(f"#{words}", PHRASE)
            panel.locator("button").click()
            plain.page.wait_for_load_state()
            assert plain.wrong == []
        assert plain.page.inner_text("h1 .state") == "closed"
        small = Visitor(chromium, base, person="S-1", viewport={"width": 500, "height": 800})
        small.page.goto(case)
        assert small.page.evaluate("document.documentElement.scrollWidth") <= 500
        small.page.emulate_media(media="print")
        assert not small.page.locator("#note").is_visible()
        assert small.page.locator("h1").is_visible()
        chromium.close()
    writer.stop()


def test_what_is_supposed_is_edited_by_keys_beside_the_board_and_prints_with_its_mark(
    address: str,
) -> None:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox", "--disable-gpu"]
        )
        visitor = Visitor(chromium, address, viewport={"width": 1200, "height": 360})
        page = visitor.page
        page.goto(address + ROUND)
        page.keyboard.press("w")
        page.wait_for_url("**/what-if")
        page.keyboard.press("w")
        assert page.evaluate("document.activeElement.name") == "set dice[1]"
        page.keyboard.press("6")
        for _ in range(20):  # no field that has the focus lies behind what sticks to the bottom
            page.keyboard.press("Tab")
            assert page.evaluate(
                "(() => { const own = document.activeElement, box = own.getBoundingClientRect();"
                " const top = document.elementFromPoint(box.x + box.width / 2, box.y + 3);"
                " return !own.closest('.values') || own.contains(top) || top.contains(own); })()"
            )
        page.click(".send button")
        page.wait_for_url("**/what-if/*")
        assert page.locator("svg .across").count() == 2
        assert page.locator("select[name='set dice[1]']").input_value() == "6"
        page.emulate_media(media="print")
        assert page.locator("svg.layout-drawn").is_visible()
        assert not page.locator(".values").is_visible()
        assert page.locator(".watermark").first.is_visible()
        assert visitor.wrong == []
        chromium.close()
