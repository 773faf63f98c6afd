"""`make desk`: it prints where the desk is and a sign-in for each role, and each of them works."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ledger.casework.cases import CaseRole
from tests.web.conftest import token_of

SCRIPT = Path(__file__).parents[2] / "infra" / "desk.sh"


@pytest.fixture
def printed(tmp_path: Path) -> Iterator[list[str]]:
    """The lines of a desk that runs, up to its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        ["bash", str(SCRIPT), str(Path(sys.executable).parent)],
        env={"PATH": "/usr/bin:/bin", "PORT": str(port), "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if line.startswith("The desk is at"):
            break
    yield lines
    process.send_signal(signal.SIGINT)  # `serve` took the place of the script
    process.wait(30)


@pytest.mark.full
def test_the_desk_of_the_demo_takes_each_sign_in_that_it_prints(printed: list[str]) -> None:
    base = printed[-1].rpartition(" ")[2].rstrip("/")
    people = [
        match.groups() for line in printed if (match := re.match(r"  (.+?)  +(\S+) +(\S.*)", line))
    ]
    seen: set[str] = set()
    for _, person, phrase in people:
        with httpx.Client(base_url=base, timeout=60) as browser:
            token = token_of(browser.get("/sign-in").text)
            fields = {"token": token, "credential": person, "pass_phrase": phrase}
            for _ in range(40):  # the process that writes may still be starting
                answer = browser.post("/sign-in", data=fields)
                if answer.status_code == 303:
                    break
            assert answer.status_code == 303, (person, answer.text)
            page = browser.get("/law").text
            roles = re.search(r'</a> <span class="soft">([^<]*)</span>\s*<button', page)
            assert roles is not None, page
            seen |= set(roles[1].split(", "))
            if person == "S-1":
                (disputed,) = (line for line in printed if line.startswith("A disputed round"))
                round_page = browser.get(f"/round/{disputed.rpartition(' ')[2]}")
                assert round_page.status_code == 200
                assert "§ 539.4(c)" in round_page.text
            if "auditor" in roles[1] or "Board agent" in roles[1]:
                night = browser.get("/night/2021-06-12").text
                assert "final 1" in night
                assert "All 38 streams are complete" in night
    assert seen == {role.value for role in CaseRole}
