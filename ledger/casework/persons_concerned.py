"""Whom an action concerns: who is named in its facts, and who stood at its table then.

Nobody decides about themselves, so these persons neither take, close nor put off the action.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ledger.audit import HouseRecord
from ledger.casework.actions_and_alerts import Action, Alert
from ledger.events import FactsAdded
from ledger.kernel import FactRef, table_of
from ledger.replay import (
    LOOKED_BACK,
    STAFF,
    FactStep,
    Replay,
    attending,
    persons_of,
    stays_of,
)

Concerned = Mapping[str, str]


def concerned(replay: Replay, house: HouseRecord, seen: Action | Alert, at: int) -> dict[str, str]:
    """The persons whom an action or alert concerns, each with how, in words after a name.

    Args:
        replay: the ledger's.
        house: its office.
        seen: the action or alert.
        at: when somebody acts, UTC microseconds; who corrects its facts later is not concerned yet.
    """
    people: dict[str, str] = {}
    kind, _, name = seen.subject.partition(" ")
    if kind in ("dealer", "person") and name:
        people[name] = "is who it is about"
    refs = _facts_of(seen)
    for person, how in _named(replay, refs, at):
        people.setdefault(person, how)
    if seen.table in replay.tables():
        moments = [
            at for ref in refs for at in replay.times(ref.stream, [ref.seq]) if at is not None
        ]
        since, until = (seen.since, seen.until) if isinstance(seen, Action) else (seen.at, seen.at)
        if isinstance(seen, Alert):  # a process of the whole day
            since, until = house.clock.bounds(seen.gaming_day)
            moments = [since, until - 1]
        for person, how in _at_table(replay, seen.table, min([since, *moments]), until, moments):
            people.setdefault(person, how)
    return people


def _facts_of(seen: Action | Alert) -> list[FactRef]:
    if isinstance(seen, Alert):
        return list(seen.facts)
    return list(dict.fromkeys(ref for one in seen.findings for ref in one.facts))


def _named(replay: Replay, refs: Iterable[FactRef], until: int) -> Iterator[tuple[str, str]]:
    """Who is named in facts, amended them, or added them."""
    added = [one for one in _additions(replay) if one.event_time <= until]
    for ref in refs:
        fact = replay.fact(*ref)
        if fact is not None:
            yield from persons_of(fact)
        amended = replay.amended(*ref)
        if amended is not None:
            yield from persons_of(amended.before)
        if amended is not None and amended.by.event_time <= until:
            yield amended.by.amended_by, "corrected what it is about"
            yield amended.by.approved_by or "", "approved a correction of what it is about"
        for person in added:
            if person.added_stream == ref.stream and person.first_seq <= ref.seq <= person.last_seq:
                yield person.added_by, "added what it is about"
                yield person.approved_by or "", "approved an addition of what it is about"


def _additions(replay: Replay) -> Iterator[FactsAdded]:
    only = ("FactsAdded",)
    for step in replay.walk(replay.streams_with(only), only=only):
        if isinstance(step, FactStep) and isinstance(step.fact, FactsAdded):
            yield step.fact


def _at_table(
    replay: Replay, table: str, since: int, until: int, moments: Iterable[int]
) -> Iterator[tuple[str, str]]:
    """Who was assigned to a table at any of these moments, whatever the role."""
    steps = replay.walk(
        replay.tables()[table], since=since - LOOKED_BACK, until=until + 1, only=STAFF
    )
    stays = stays_of((step.at, step.fact) for step in steps if isinstance(step, FactStep))
    yield from attending(stays, table_of(table), sorted({*moments, since, until}))
