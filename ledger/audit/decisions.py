"""Recorded decisions that do not count, since the person may not take them.

A command refuses them; one that arrived in another way stays on the record and changes no status. A
person without any credential is reported already (``recorders.py``), and one of another department
is reported with the action, which knows to whom it is addressed.
Law: the Ledger contract, L.10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from ledger import events
from ledger.audit.ledger_contract import Day, _finding
from ledger.kernel import Finding, Severity, ref_of
from ledger.law import ANY, acts
from ledger.replay import Bar, FactStep, Replay, persons_of

Decision = (
    events.ActionTaken
    | events.ActionNoted
    | events.ActionClosed
    | events.CauseSuppressed
    | events.ReportSigned
)
KINDS: Final = frozenset(
    {"ActionTaken", "ActionNoted", "ActionClosed", "CauseSuppressed", "ReportSigned"}
)


def idle_decisions(replay: Replay, day: Day) -> Iterator[Finding]:
    """Report the decisions about a gaming day by persons who may not take them."""
    signers: dict[bytes, list[str]] = {}
    for step in replay.walk(replay.streams_with(KINDS), only=KINDS):
        fact = step.fact if isinstance(step, FactStep) else None
        if not isinstance(fact, Decision) or day_decided_about(fact) != day.date.isoformat():
            continue
        act, person = _act(fact)
        others: list[str] = []
        if isinstance(fact, events.ReportSigned):
            others = signers.setdefault(fact.manifest_sha256, [])
        bar = _bar(replay, fact, act, person, others)
        others.append(person)
        if bar is not None:
            yield _finding(
                day,
                "decision_not_entitled",
                ".10",
                (ref_of(fact),),
                Severity.HIGH,
                f"It does not count that {person} did this: {acts()[act].does}. {bar.why}.",
                expected="a person who may decide it",
                observed=person,
            )


def _bar(
    replay: Replay, fact: Decision, act: str, person: str, others: Iterable[str]
) -> Bar | None:
    """Return why a decision does not count; None if it does or if that is reported elsewhere."""
    roster = replay.roster()
    is_own = fact.recorded_by is not None and roster.are_one(fact.recorded_by, person)
    if fact.recorded_by is not None and not is_own:
        return Bar(f"{fact.recorded_by} recorded it in the name of {person}")
    if isinstance(fact, events.ReportSigned):
        stated = roster.name_differs(person, fact.printed_name, fact.event_time)
        if stated is not None:
            return Bar(f"{person} is {stated} on the record, not {fact.printed_name}")
    row = replace(acts()[act], departments=(ANY,))
    concerned = _concerned(replay, fact) if row.apart else {}
    bar = roster.bar(row, person, fact.event_time, concerned=concerned, others=others)
    bar = bar or roster.unproved(fact, person, fact.proof)
    return None if bar is None or (is_own and not bar.holds) else bar


def _concerned(replay: Replay, fact: Decision) -> Mapping[str, str]:
    """Return whom a decision concerns and why, as far as it says itself what it is about."""
    if isinstance(fact, events.ReportSigned):
        return {}
    about = fact if isinstance(fact, events.CauseSuppressed) else fact.about
    kind, _, name = about.subject.partition(" ")
    people = {name: "is who it is about"} if kind in ("dealer", "person") and name else {}
    if isinstance(about, events.ActionAbout):
        if about.first_stream is not None and about.first_seq is not None:
            amended = replay.amended(about.first_stream, about.first_seq)
            first = replay.fact(about.first_stream, about.first_seq)
            for version in (first, None if amended is None else amended.before):
                people = {**dict(persons_of(version)), **people} if version is not None else people
        moments = (about.first_time, about.last_time)
        people = {**dict(replay.attending(about.table, moments)), **people}
    return people


def day_decided_about(fact: Decision) -> str:
    """Return the gaming day that a decision is about, as an ISO date."""
    if isinstance(fact, events.ReportSigned | events.CauseSuppressed):
        return fact.for_gaming_day
    return fact.about.for_gaming_day


def _act(fact: Decision) -> tuple[str, str]:
    """Return the act in the table of acts, and the credential of who did it."""
    match fact:
        case events.ActionTaken():
            return "take", fact.taken_by
        case events.ActionNoted():
            return "note", fact.noted_by
        case events.ActionClosed():
            return "close", fact.closed_by
        case events.CauseSuppressed():
            return "suppress", fact.suppressed_by
        case events.ReportSigned():
            is_approver = fact.signed_as is events.ReportSigner.APPROVER
            return "approve report" if is_approver else "prepare report", fact.person
