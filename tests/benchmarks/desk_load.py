"""Users of a desk: ``python -m tests.benchmarks.desk_load`` reads what they do as JSON, and prints how long each act took.

A process of its own, so that its share of the machine is told apart from the desk's.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Final

import httpx

LONGEST_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitors:
    """What people do at a desk.

    Attributes:
        address: the desk's.
        cookies: those of a session.
        token: the session's form token.
        searches: search lines.
        rounds: rounds to be opened.
        users: how many people at once.
        think_seconds: the shortest and the longest pause between two acts of a person.
        seconds: for how long.
        left_out_seconds: the acts of the first seconds are not counted.
    """

    address: str
    cookies: dict[str, str]
    token: str
    searches: Sequence[str]
    rounds: Sequence[str]
    users: int
    think_seconds: tuple[float, float]
    seconds: float
    left_out_seconds: float


@dataclass(slots=True)
class Acts:
    """How long acts took, in milliseconds, by kind; the process's own cost.

    Attributes:
        failed: by what went wrong in how many of them, those of the first seconds too.
    """

    searches: list[float] = field(default_factory=list)
    rounds: list[float] = field(default_factory=list)
    failed: dict[str, int] = field(default_factory=dict)
    processor_seconds: float = 0.0

    def fail(self, why: str) -> None:
        """Count an act that failed."""
        self.failed[why] = self.failed.get(why, 0) + 1


async def visit(visitors: Visitors) -> Acts:
    """Let all of them work at the desk."""
    acts = Acts()
    limits = httpx.Limits(max_connections=visitors.users, max_keepalive_connections=visitors.users)
    async with httpx.AsyncClient(
        base_url=visitors.address, cookies=visitors.cookies, limits=limits, timeout=LONGEST_SECONDS,
        follow_redirects=True,
    ) as client:  # fmt: skip
        begins = time.perf_counter()
        each = (_work(client, visitors, acts, begins, number) for number in range(visitors.users))
        await asyncio.gather(*each)
    acts.processor_seconds = time.process_time()
    return acts


async def _work(
    client: httpx.AsyncClient, visitors: Visitors, acts: Acts, begins: float, number: int
) -> None:
    """What one person does, until the time is over."""
    chance = Random(number)
    ends = begins + visitors.seconds
    await asyncio.sleep(chance.uniform(0, visitors.think_seconds[1]))
    while time.perf_counter() < ends:
        is_search = chance.random() < 0.5
        began = time.perf_counter()
        kind = "search" if is_search else "round"
        try:
            if is_search:
                form = {"token": visitors.token, "line": chance.choice(visitors.searches)}
                answer = await client.post("/find", data=form)
            else:
                answer = await client.get(f"/round/{chance.choice(visitors.rounds)}")
        except httpx.TransportError as error:
            acts.fail(f"{kind}: {type(error).__name__}")
        else:
            if answer.status_code != httpx.codes.OK:
                acts.fail(f"{kind}: status {answer.status_code}")
        ended = time.perf_counter()
        if began - begins >= visitors.left_out_seconds:
            (acts.searches if is_search else acts.rounds).append((ended - began) * 1e3)
        await asyncio.sleep(chance.uniform(*visitors.think_seconds))


def main() -> None:
    """Read ``Visitors`` from standard input, and print ``Acts``, both as JSON."""
    asked: dict[str, Any] = json.load(sys.stdin)
    print(json.dumps(asdict(asyncio.run(visit(Visitors(**asked))))))


if __name__ == "__main__":
    main()
