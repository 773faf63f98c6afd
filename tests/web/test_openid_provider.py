"""The whole walk with a real OpenID provider in a real Chromium: link, sign in, act, sign out.

The provider (``oidc-provider`` of npm, which ``infra/openid_provider.sh`` installs) is under
another name than the desk, so that the browser treats it as another site: strict cookies stay away
on the way back, and the desk's policy stands between its forms and the provider. Scripts are off.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright._impl._driver import compute_driver_executable
from playwright.sync_api import sync_playwright

from ledger.casework.person_proofs import PersonProofs
from ledger.web.settings import OpenIdSettings
from tests.chromium import executable
from tests.web.conftest import PHRASE, copied
from tests.web.openid_double import SECRET
from tests.web.test_in_browser import free_port, serving
from tests.web.test_writer import served_with_writer

PROVIDER = Path(__file__).parents[2] / "build" / "provider"


@contextmanager
def real_provider(desk: str) -> Iterator[OpenIdSettings]:
    """A provider for the desk at an address, run by the Node that Playwright brings."""
    assert (PROVIDER / "node_modules").is_dir(), "no provider: run `bash infra/openid_provider.sh`"
    node, port = compute_driver_executable()[0], free_port()
    words = [node, "provider.mjs", str(port), "desk", SECRET, desk]
    with subprocess.Popen(
        words, cwd=PROVIDER, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield OpenIdSettings(
                issuer=f"http://localhost:{port}", client_id="desk", client_secret=SECRET, desk=desk
            )
        finally:
            process.kill()


def sign_in_there(page: Any, name: str) -> None:
    """Fill in the provider's own pages, on which any pass word is right."""
    page.fill("[name=login]", name)
    page.fill("[name=password]", "whatever")
    page.click("[type=submit]")
    if page.locator("[type=submit]").is_visible() and "/interaction/" in page.url:
        page.click("[type=submit]")  # consent


def asked_elsewhere(request: Any, base: str) -> list[str]:
    is_own = request.url.startswith(base) or not request.frame.url.startswith(base)
    return [] if is_own or request.is_navigation_request() else [request.url]


def test_a_person_links_an_account_signs_in_acts_and_signs_out_with_a_real_provider(
    desk_ledger: Path, no_key: None, tmp_path: Path
) -> None:
    folder, port = copied(desk_ledger, tmp_path), free_port()
    base = f"http://127.0.0.1:{port}"
    outside: list[str] = []  # what pages of the desk ask elsewhere, but for the walk itself
    errors: list[str] = []
    with (
        real_provider(base) as settings,
        served_with_writer(folder, openid=settings, hosts=("127.0.0.1",)) as desk,
        serving(desk, port),
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox", "--disable-gpu"]
        )
        page = chromium.new_context(java_script_enabled=False).new_page()
        page.on("request", lambda request: outside.extend(asked_elsewhere(request, base)))
        page.on("console", lambda line: errors.append(line.text))

        page.goto(f"{base}/sign-in?to=/sessions")
        page.fill("#credential", "SS-1")
        page.fill("#pass_phrase", PHRASE)
        page.click("main form button")
        page.click("text=Link your account")
        sign_in_there(page, "anna")
        page.wait_for_url(f"{base}/sessions#account")
        with_scripts = chromium.new_context(storage_state=page.context.storage_state()).new_page()
        for path in ("/sessions", "/sign-in"):
            with_scripts.goto(base + path)
            results = Axe().run(with_scripts)
            assert results.violations_count == 0, results.generate_report()
        page.fill("#link-phrase", PHRASE)
        page.click("text=Link this account to SS-1")
        page.wait_for_selector("#account small >> text=linked")
        assert PersonProofs(folder).account("SS-1").name == "anna"
        page.click("text=Sign out")
        page.wait_for_url(f"{base}/sign-in")

        page.goto(f"{base}/sign-in?to=/shift")
        page.click("text=Sign in at localhost")
        sign_in_there(page, "anna")  # asked again, though the provider still knew who it was
        page.wait_for_url(f"{base}/shift")
        page.fill("#entry", "Quiet.")
        page.click("form:has(#entry) button")
        page.fill("#pass_phrase", PHRASE)
        page.click("text=Record it")
        page.wait_for_url(f"{base}/shift#log")
        assert page.is_visible("#log >> text=Quiet.")

        elsewhere = page.context.new_page()  # the provider's own page, not by way of the desk
        elsewhere.goto(f"{settings.issuer}/session/end")
        elsewhere.click("text=Yes, sign me out")
        elsewhere.wait_for_url(f"{settings.issuer}/session/end/success*")
        page.goto(f"{base}/shift")
        page.wait_for_url(f"{base}/sign-in?to=/shift")
        assert sum('"signed out at the provider"' in line for line in desk.log) == 1

        page.click("text=Sign in at localhost")
        sign_in_there(page, "anna")
        page.wait_for_url(f"{base}/shift")
        page.click("text=Sign out")
        page.wait_for_url(f"{settings.issuer}/session/end*")
        page.click("text=Yes, sign me out")
        page.wait_for_url(f"{base}/sign-in*")
        page.goto(f"{base}/shift")
        page.wait_for_url(f"{base}/sign-in?to=/shift")
        chromium.close()
    assert outside == []
    assert not [line for line in errors if base in line or "Content Security" in line], errors
    assert not [line for line in desk.log if '"failure"' in line]
