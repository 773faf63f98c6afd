"""A floor that is delivered in batches, as a watch sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path

from ledger import events
from ledger.audit import audit_day, gaming_days
from ledger.events import Fact
from ledger.replay import Replay
from ledger.watch import FloorWatch, Notice, Silence, Told
from ledger.watch.notices import identity
from tests.analytics import given

Said = tuple[str, str, str | None, str]
"""Change, code, round, sentence."""


def parted(sent: list[Fact]) -> tuple[list[Fact], list[Fact]]:
    """What the house stated before its first closing, and all other facts in order of arrival."""
    house = [fact for fact in sent if fact.stream == "house"]
    first = list(takewhile(lambda fact: not isinstance(fact, events.GamingDayClosed), house))
    known = {id(fact) for fact in first}
    return first, [fact for fact in sent if id(fact) not in known]


def followed(
    folder: Path,
    sent: list[Fact],
    batch: int,
    after: Callable[[FloorWatch], FloorWatch] = lambda w: w,
) -> Iterator[tuple[list[Notice], list[Silence]]]:
    """Deliver facts in batches and let a watch look after each; ``after`` may take its place."""
    first, rest = parted(sent)
    given.ledger(folder, first)
    watch = FloorWatch(folder, Told())
    for start in range(0, len(rest), batch):
        given.append(folder, rest[start : start + batch])
        tick = watch.tick()
        if tick is not None:
            yield list(tick.notices), list(tick.silences)
        watch = after(watch)


def audited(folder: Path) -> dict[str, str]:
    """By id, the sentence of each finding of the audits of all days."""
    replay = Replay.open(folder)
    return {
        identity("house.example/pit", finding): finding.sentence
        for day in gaming_days(replay)
        for finding in audit_day(replay, day).findings
    }


def standing(notices: list[Notice]) -> dict[str, str]:
    """By id, the sentence that stands after these notices."""
    stands: dict[str, str] = {}
    for notice in notices:
        if notice.change.value == "withdrawn":
            del stands[notice.id]
        else:
            stands[notice.id] = notice.sentence
    return stands


def said(notice: Notice) -> Said:
    """What a notice says, for comparing."""
    return notice.change.value, notice.code, notice.round, notice.sentence
