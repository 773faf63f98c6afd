"""A desk as uvicorn serves it, under crowds: slow clients, hundreds of streams, idle connections."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from ledger.web import connections, guard, live
from ledger.web.connections import server_config
from tests.web.conftest import PHRASE, Served, token_of

HEAD = b"GET /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\n"
FORM = (
    b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
)


@pytest.fixture
def port(desk_ledger: Path, no_key: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Where a desk is served as `pitledger serve` does it, with less patience."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 1.0)
    monkeypatch.setattr(guard, "BODY_SECONDS", 1.0)
    served = Served(desk_ledger, hosts=("127.0.0.1",))
    with serving(served.app) as server:
        yield server.config.port
    served.record.close()


@contextmanager
def serving(app: Any) -> Iterator[uvicorn.Server]:
    """Serve something as a desk is served."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    server = uvicorn.Server(server_config(app, "127.0.0.1", port, None, None))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server
    server.should_exit = True
    thread.join(10)


def connected(port: int) -> socket.socket:
    own = socket.create_connection(("127.0.0.1", port))
    own.settimeout(10)
    return own


def answered(port: int) -> int:
    return httpx.get(f"http://127.0.0.1:{port}/sign-in").status_code


def signed_in(port: int, person: str) -> httpx.Client:
    browser = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)
    token = token_of(browser.get("/sign-in").text)
    fields = {"token": token, "credential": person, "pass_phrase": PHRASE}
    assert browser.post("/sign-in", data=fields).status_code == 303
    return browser


@pytest.mark.parametrize("start", [b"", b"G", HEAD, HEAD + b"X-Long: "])
def test_a_head_that_does_not_end_is_cut_off(port: int, start: bytes) -> None:
    with connected(port) as slow:
        begun = time.monotonic()
        slow.sendall(start)
        try:
            while time.monotonic() - begun < 8:
                slow.settimeout(0.2)
                try:
                    if slow.recv(100) == b"":
                        break
                except TimeoutError:
                    if start.endswith(b": "):
                        slow.sendall(b"x")  # a sign now and then helps nothing
        except OSError:
            pass
        assert time.monotonic() - begun < 5
    assert answered(port) == 200


def test_a_second_head_that_does_not_end_is_cut_off_too(port: int) -> None:
    with connected(port) as slow:
        slow.sendall(HEAD + b"\r\n")
        assert slow.recv(100).startswith(b"HTTP/1.1 200")
        time.sleep(1.2)
        slow.sendall(HEAD)
        rest = b""
        while part := slow.recv(65_536):
            rest += part
        assert rest.count(b"HTTP/1.1") == 0


def test_a_connection_that_waits_between_requests_is_kept(port: int) -> None:
    own = HTTPConnection("127.0.0.1", port)
    own.connect()
    kept = own.sock
    for _ in range(3):
        own.request("GET", "/sign-in")
        answer = own.getresponse()
        assert (answer.status, own.sock is kept) == (200, True)
        answer.read()
        time.sleep(1.2)
    own.close()


def test_a_body_that_does_not_end_is_refused_with_what_to_do(port: int) -> None:
    with connected(port) as slow:
        slow.sendall(FORM + b"token=x")
        answer = b""
        while part := slow.recv(10_000):  # the connection is closed after it
            answer += part
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"did not come whole" in answer


def test_a_browser_that_reads_nothing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "UNREAD_SECONDS", 1)

    async def endless(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(1_000):
            await send({"type": "http.response.body", "body": bytes(1 << 20), "more_body": True})

    with serving(endless) as server, connected(server.config.port) as slow:
        slow.sendall(HEAD + b"\r\n")
        time.sleep(0.5)
        assert len(server.server_state.connections) == 1
        deadline = time.monotonic() + 15
        while server.server_state.connections and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not server.server_state.connections


def test_idle_connections_keep_others_out_for_a_moment_only(port: int) -> None:
    with ExitStack() as idle:
        for _ in range(connections.CONNECTIONS + 50):
            idle.enter_context(connected(port))
        time.sleep(2.5)
        assert answered(port) == 200


def test_hundreds_of_streams_are_refused_and_pages_are_answered_all_the_same(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "TICK_SECONDS", 0.1)
    people = [signed_in(port, person) for person in ("SS-1", "S-1", "IA-1", "F-11", "BA-1")]
    with ExitStack() as open_streams:
        statuses = []
        for turn in range(300):
            cookies = people[turn % len(people)].cookies
            cookie = "; ".join(f"{name}={text}" for name, text in cookies.items())
            own = open_streams.enter_context(connected(port))
            own.sendall(
                b"GET /shift/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: %s\r\n\r\n"
                % cookie.encode()
            )
            statuses.append(own.recv(4_000))
        taken = [answer for answer in statuses if answer.startswith(b"HTTP/1.1 200")]
        refused = [answer for answer in statuses if answer.startswith(b"HTTP/1.1 503")]
        assert len(taken) == len(people) * live.MOST_PER_PERSON
        assert len(taken) + len(refused) == 300
        assert all(b"retry-after: 60" in answer for answer in refused)
        for browser in people:
            assert browser.get("/shift").status_code == 200
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:  # once they have gone, there is room again
        with people[0].stream("GET", "/shift/events") as stream:
            if stream.status_code == 200:
                break
        time.sleep(0.2)
    assert stream.status_code == 200


def test_more_requests_than_the_desk_answers_at_once_are_told_to_come_later(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "MOST_AT_ONCE", 1)
    with connected(port) as slow:
        slow.sendall(FORM)
        time.sleep(0.2)
        answer = httpx.get(f"http://127.0.0.1:{port}/sign-in")
        assert answer.status_code == 503
        assert "Try again in a minute" in answer.text
        slow.recv(10_000)
    assert answered(port) == 200
