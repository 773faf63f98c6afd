"""The shift as it happens: an open page is told that the record grew, and reads itself again.

What came is shown by the page alone, under its rights. So a stream of events says nothing but that
there is something; it keeps no session alive, and ends with the session or with the right.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from ledger.casework.cases import roles_of
from ledger.kernel import LedgerError
from ledger.replay import Holding
from ledger.web.roles import may_see

if TYPE_CHECKING:
    from ledger.web.desk import Desk
    from ledger.web.sessions import Session

TICK_SECONDS: Final = 1.0
"""How often is looked whether the record grew."""
STILL_HERE: Final = 15
"""After so many looks without anything new a line is sent, which finds out who has gone."""
MOST_STREAMS: Final = 64
"""Open streams of one desk: fewer than its connections, so that pages are answered all the same."""
MOST_PER_PERSON: Final = 8
"""Open streams of one person, in whatever browsers."""


class EventStream(StreamingResponse):
    """A stream whose place is given back when it ends, also one that never began.

    Args:
        lines: what is streamed.
        release: gives its place back.
    """

    def __init__(self, lines: AsyncIterator[str], release: Callable[[], None]) -> None:
        super().__init__(lines, media_type="text/event-stream")
        self._release = release

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream until the other end or the right ends."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._release()


class LiveShift:
    """The streams of one desk.

    Args:
        desk: what the routes share.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._open: Counter[str] = Counter()

    def add_routes(self, app: FastAPI) -> None:
        """Add the route of the stream."""
        app.add_route("/shift/events", self._follow, methods=["GET"])

    async def _follow(self, request: Request) -> Response:
        desk = self._desk
        token = request.cookies.get(desk.cookie, "")
        session = desk.sessions.of(token, is_used=False)
        if session is None:
            return Response("Nobody is signed in.\n", 401, media_type="text/plain")
        if not await run_in_threadpool(self._may, session):
            return Response("This is not for your role.\n", 403, media_type="text/plain")
        person = session.person
        if self._open[person] >= MOST_PER_PERSON or self._open.total() >= MOST_STREAMS:
            body = (
                "Too many pages of the shift are open. This one reads itself again by the clock.\n"
            )
            desk.note("stream refused", person, request)
            return Response(body, 503, {"Retry-After": "60"}, "text/plain")
        self._open[person] += 1  # nothing waits between the look and this
        return EventStream(self._lines(token, session), partial(self._release, person))

    def _release(self, person: str) -> None:
        self._open[person] -= 1
        if not self._open[person]:
            del self._open[person]

    def _may(self, session: Session) -> bool:
        """Whether the person of a session still sees the shift."""
        desk, at = self._desk, self._desk.settings.clock()
        with desk.record.present() as record:
            is_held = record.roster.holding(session.person, at) is Holding.HELD
            return is_held and may_see(roles_of(record.roster, session.person, at), "shift")

    def _still_may(self, session: Session) -> bool:
        """The same for a stream that is open: what cannot be read any more ends it."""
        try:
            return self._may(session)
        except LedgerError:
            return False

    async def _lines(self, token: str, session: Session) -> AsyncIterator[str]:
        known = self._desk.record.stamp()
        yield "retry: 5000\n\n"
        for tick in count(1):
            await asyncio.sleep(TICK_SECONDS)
            if self._desk.sessions.of(token, is_used=False) is None:
                return
            stamp = self._desk.record.stamp()
            if stamp != known:
                if not await run_in_threadpool(self._still_may, session):
                    return
                known = stamp
                yield "event: grown\ndata: \n\n"
            elif tick % STILL_HERE == 0:
                yield ": still here\n\n"
