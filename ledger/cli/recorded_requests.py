"""Which requests of the desk were recorded already: known beyond a restart of the writer.

Before facts are appended it is written down which facts a request becomes. Whether they were
appended then is asked of the ledger itself: only what stands there was recorded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.kernel.quick_dataclass import dataclass

if TYPE_CHECKING:
    from ledger.events import Fact
    from ledger.replay import Replay

FILE: Final = "requests"
MOST: Final = 10_000
"""Requests that are remembered; the oldest are forgotten when the writer starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What became of a request.

    Attributes:
        id: what the desk calls it.
        content: hash over who asked for what, in which words.
        stream, seq: its last fact, which is the act itself.
        digest: hash of that fact.
        about: number of the case, or empty.
    """

    id: str
    content: str
    stream: str
    seq: int
    digest: str
    about: str


@dataclass(slots=True)
class RecordedRequests:
    """The requests of one writer.

    Args:
        folder: the writer's own.
    """

    folder: Path
    _known: dict[str, Request] = field(default_factory=dict)

    def __post_init__(self) -> None:
        path = self.folder / FILE
        lines: list[str] = []
        with suppress(OSError):
            lines = path.read_text("utf-8").splitlines()[-MOST:]
        for line in lines:
            with suppress(ValueError, TypeError):  # the last one may be cut
                request = Request(**json.loads(line))
                self._known[request.id] = request
        scratch = path.with_suffix(".new")
        scratch.touch(mode=0o600)
        scratch.write_text("".join(map(_line, self._known.values())), encoding="utf-8")
        scratch.replace(path)

    def found(self, name: str, replay: Replay) -> Request | None:
        """Return a request that is on the record; None where it never came there."""
        request = self._known.get(name)
        if request is None:
            return None
        fact = replay.fact(request.stream, request.seq)
        return request if fact is not None and digest_of(fact) == request.digest else None

    def note(self, requests: Iterable[Request]) -> None:
        """Write down durably which facts requests become, before they are appended."""
        every = list(requests)
        with (self.folder / FILE).open("a", encoding="utf-8") as out:
            out.write("".join(map(_line, every)))
            out.flush()
            os.fsync(out.fileno())
        self._known |= {request.id: request for request in every}


def content_of(name: str, entered: Mapping[str, object]) -> str:
    """Return the hash of what was asked; the id in it keeps short texts from being guessed."""
    return sha256(json.dumps([name, sorted(entered.items())]).encode()).hexdigest()


def digest_of(fact: Fact) -> str:
    """Return the hash of a fact as it is framed."""
    from ledger.codec import frame

    return sha256(frame(fact)).hexdigest()


def _line(request: Request) -> str:
    fields = {name: getattr(request, name) for name in Request.__dataclass_fields__}
    return json.dumps(fields) + "\n"
