"""The shift as it happens: who is told that the record grew, until when, and how many at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from starlette.requests import ClientDisconnect

from ledger.web import live
from ledger.web.desk import Desk
from ledger.web.live import EventStream, LiveShift
from tests.web.conftest import Served


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "TICK_SECONDS", 0.01)


async def few(lines: AsyncIterator[str], most: int) -> list[str]:
    """The first lines of a stream; fewer where it ends."""
    taken: list[str] = []
    async for line in lines:
        taken.append(line)
        if len(taken) == most:
            break
    return taken


def streams(desk: Served) -> tuple[LiveShift, Desk, str, Any]:
    own = Desk(desk.settings, desk.record)
    token, session = own.sessions.begin("SS-1")
    return LiveShift(own), own, token, session


def test_an_open_page_is_told_that_the_record_grew_and_no_more(
    desk: Served, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift, _, token, session = streams(desk)
    stamps = iter([((1,), ()), ((1,), ()), ((2,), ()), ((2,), (1,))])
    monkeypatch.setattr(type(desk.record), "stamp", lambda _: next(stamps))
    lines = asyncio.run(few(shift._lines(token, session), 3))
    assert lines == ["retry: 5000\n\n", "event: grown\ndata: \n\n", "event: grown\ndata: \n\n"]


def test_a_stream_ends_with_its_session_and_with_the_right(
    desk: Served, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift, own, token, session = streams(desk)
    own.sessions.end(session)
    assert asyncio.run(few(shift._lines(token, session), 9)) == ["retry: 5000\n\n"]
    token, session = own.sessions.begin("SS-1")
    stamps = iter(range(100))
    monkeypatch.setattr(type(desk.record), "stamp", lambda _: ((next(stamps),),))
    monkeypatch.setattr(live, "may_see", lambda *_: False)
    assert asyncio.run(few(shift._lines(token, session), 9)) == ["retry: 5000\n\n"]


def test_a_stream_keeps_no_session_alive(desk: Served, quick: None) -> None:
    shift, _, token, session = streams(desk)
    used = session.used_at
    desk.clock.forward(desk.settings.idle_seconds + 1)
    assert asyncio.run(few(shift._lines(token, session), 9)) == ["retry: 5000\n\n"]
    assert session.used_at == used


def test_streams_are_for_who_sees_the_shift_and_are_limited(
    desk: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert desk.browser().get("/shift/events").status_code == 401
    assert desk.signed_in("FS-1").get("/shift/events").status_code == 403
    monkeypatch.setattr(live, "MOST_STREAMS", 0)
    assert desk.signed_in("SS-1").get("/shift/events").status_code == 503


def test_a_place_is_given_back_however_a_stream_ends() -> None:
    open_streams = [1]

    async def lines() -> AsyncIterator[str]:
        yield "retry: 5000\n\n"
        raise ValueError

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            raise OSError  # the other end had gone

    async def receive() -> Any:
        await asyncio.sleep(60)

    stream = EventStream(lines(), lambda: open_streams.append(open_streams.pop() - 1))
    with pytest.raises((ExceptionGroup, OSError, ClientDisconnect)):
        asyncio.run(stream({"type": "http", "asgi": {"spec_version": "2.4"}}, receive, send))
    assert open_streams == [0]
