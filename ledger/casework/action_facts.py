"""What a person does with an action, as the facts that are appended: take, note, close."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, TypedDict

from ledger import events
from ledger.audit import HouseRecord
from ledger.audit.ledger_contract import CASES
from ledger.casework.action_status import STREAM, DayActions, about
from ledger.casework.actions_and_alerts import Action, ActionStatus, Alert
from ledger.casework.authorization import ActionFact, department_of
from ledger.casework.persons_concerned import concerned
from ledger.kernel import UsageError
from ledger.law import acts
from ledger.replay import FactStep, Replay, person_key

SOURCE: Final = "pitledger"
SOURCES: Final = f"{CASES}/sources"
"""Where it is recorded that this source may write these streams."""
LONGEST: Final = 2_000
"""Characters of a note or a reason."""


class ActionUnknown(UsageError):
    """No action has an id that begins so."""

    code = "action_unknown"

    def __init__(self, text: str, days: Iterable[str]) -> None:
        super().__init__(
            f"No action of {', '.join(days)} has an id that begins with {text!r}.",
            next_step="`pitledger actions list --all` lists them, `pitledger actions alerts` the"
            " alerts; --day names another gaming day",
        )


class ActionAmbiguous(UsageError):
    """Several actions have an id that begins so."""

    code = "action_ambiguous"

    def __init__(self, text: str, actions: Iterable[Action | Alert]) -> None:
        named = [
            f"{one.id} {one.title if isinstance(one, Action) else one.detection}" for one in actions
        ]
        super().__init__(
            f"{len(named)} actions have an id that begins with {text!r}.",
            cause="; ".join(named[:4]) + ("; ..." if len(named) > 4 else ""),
            next_step="give more of its digits",
        )


class ActionRefused(UsageError):
    """This cannot be done with the action as it stands."""

    code = "action_refused"


def named(text: str, day: DayActions) -> Action | None:
    """The action whose id begins so; also by an id that it had before a late fact moved it.

    Raises:
        ActionAmbiguous: several have.
    """
    wanted = text.lower()
    fitting = (
        {action.id for action in day.actions if action.id.startswith(wanted)} if wanted else set()
    )
    for name, done in day.done.items():
        if wanted and any(fact.about.action.startswith(wanted) for fact in done):
            fitting.add(name)
    matching = [action for action in day.actions if action.id in fitting]
    if len(matching) > 1:
        raise ActionAmbiguous(text, matching)
    return matching[0] if matching else None


def take(
    replay: Replay, house: HouseRecord, action: Action, by: str, at: int
) -> tuple[events.Fact, ...]:
    """The facts by which a person takes up an action.

    Args:
        replay: the ledger's.
        house: what the offices stated.
        action: the action as it stands.
        by: the person's credential.
        at: now, microseconds UTC.

    Raises:
        ActionRefused: it is closed, or in this person's hands already.
        CredentialNotHeld: the record has credentials, and not this one.
        NotEntitled: it concerns this person, or rank or department do not fit.
    """
    if action.status is ActionStatus.CLOSED:
        raise ActionRefused(f"{action.id} is closed, and its evidence has not changed since.")
    if action.status is ActionStatus.TAKEN and replay.roster().are_one(action.in_hand, by):
        raise ActionRefused(f"{action.id} is in the hands of {by} already.")
    allow(replay, house, "take", action, by, at)
    return tuple(_facts(replay, house, events.ActionTaken, action, by, at, {"taken_by": by}))


def note(
    replay: Replay, house: HouseRecord, action: Action, text: str, by: str, at: int
) -> tuple[events.Fact, ...]:
    """The facts by which a person writes something down about an action.

    Args:
        replay: the ledger's.
        house: what the offices stated.
        action: the action as it stands.
        text: what is written down, 1 to 2,000 characters.
        by: the person's credential.
        at: now, microseconds UTC.

    Raises:
        ActionRefused: nothing is written, or too much.
        CredentialNotHeld: the record has credentials, and not this one.
    """
    allow(replay, house, "note", action, by, at)
    fields = {"note": words(text, "A note"), "noted_by": by}
    return tuple(_facts(replay, house, events.ActionNoted, action, by, at, fields))


def close(
    replay: Replay, house: HouseRecord, action: Action, reason: str, by: str, at: int
) -> tuple[events.Fact, ...]:
    """The facts by which a person closes an action, or is the first of two to close a critical one.

    Args:
        replay: the ledger's.
        house: what the offices stated.
        action: the action as it stands.
        reason: why it is closed, in the person's words.
        by: the person's credential.
        at: now, microseconds UTC.

    Raises:
        ActionRefused: it is closed and nothing changed, or no reason is given.
        CredentialNotHeld: the record has credentials, and not this one.
        NotEntitled: it concerns this person, or rank or department do not fit.
    """
    if action.status is ActionStatus.CLOSED:
        raise ActionRefused(f"{action.id} is closed already, and its evidence has not changed.")
    first = [action.in_hand] if action.status is ActionStatus.PROPOSED else []
    allow(replay, house, "close", action, by, at, first)
    fields = {"reason": words(reason, "A reason"), "closed_by": by}
    return tuple(_facts(replay, house, events.ActionClosed, action, by, at, fields))


def _facts(
    replay: Replay,
    house: HouseRecord,
    kind: type[ActionFact],
    action: Action,
    by: str,
    at: int,
    fields: Mapping[str, Any],
) -> Iterator[events.Fact]:
    yield from registered(replay, house, by, at)
    yield kind(**head(replay, by, at), about=about(action, replay), **fields, proof=None)


def registered_streams(replay: Replay) -> frozenset[str]:
    """Return the streams of which a fact says who may write them."""
    kinds = ("SourceRegistered",)
    steps = replay.walk(replay.streams_with(kinds), only=kinds)
    facts = (step.fact for step in steps if isinstance(step, FactStep))
    return frozenset(
        fact.registered_stream for fact in facts if isinstance(fact, events.SourceRegistered)
    )


class Head(TypedDict):
    """The five fields with which every fact begins."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str


def head(replay: Replay, by: str, at: int, stream: str = STREAM) -> Head:
    """What the next fact of a stream of what people do begins with.

    Args:
        replay: the replay of the ledger, for the number that comes next.
        by: the credential of the person who acts.
        at: the event time, microseconds UTC.
        stream: that of actions, or another one of what people do.
    """
    seq = _last(replay, stream) + 1
    return {
        "stream": stream, "seq": seq, "event_time": at, "source": SOURCE, "recorded_by": by,
    }  # fmt: skip


def registered(
    replay: Replay, house: HouseRecord, by: str, at: int, stream: str = STREAM
) -> Iterator[events.Fact]:
    """Who may write the stream, where sources are registered at all and it is not known (L.6).

    Args:
        replay: the replay of the ledger.
        house: the office facts, with the sources registered so far.
        by: the credential of the person who acts; it is the one that registers.
        at: the event time, microseconds UTC.
        stream: the stream; by default that of actions.

    Returns:
        Nothing where the ledger registers no sources, or both streams are registered.
    """
    known = {source.registered_stream for source in house.office.sources}
    return registrations(replay, known, by, at, stream)


def registrations(
    replay: Replay, known: Collection[str], by: str, at: int, stream: str = STREAM
) -> Iterator[events.Fact]:
    """As ``registered``, for a stream of what people do, given the streams that are registered."""
    seq = _last(replay, SOURCES)
    for unknown in (SOURCES, stream):
        if known and unknown not in known:
            seq += 1
            yield events.SourceRegistered(
                stream=SOURCES,
                seq=seq,
                event_time=at,
                source=SOURCE,
                recorded_by=by,
                registered_stream=unknown,
                registered_source=SOURCE,
                since=0,
                clock_uncertainty_micros=0,
                order_tolerance_micros=0,
            )


def _last(replay: Replay, stream: str) -> int:
    return replay.extent(stream).last_seq if stream in replay.streams() else 0


def allow(
    replay: Replay,
    house: HouseRecord,
    act: str,
    seen: Action | Alert,
    by: str,
    at: int,
    others: Iterable[str] = (),
) -> None:
    """Let a person act on an action or an alert.

    Args:
        replay: the ledger's.
        house: its office.
        act: which, by its name in the table of acts.
        seen: the action or alert.
        by: credential of the person.
        at: now, microseconds UTC.
        others: who has decided the same already and must be another person.

    Raises:
        ActionRefused: nobody is named.
        CredentialNotHeld: the record has credentials, and not this one.
        NotEntitled: it concerns this person, or rank or department do not fit.
    """
    if not person_key(by):
        raise ActionRefused(
            "A person is named by a credential number.", next_step="--by CREDENTIAL"
        )
    row = acts()[act]
    replay.roster().require(
        row,
        by,
        at,
        department=department_of(seen),
        concerned=concerned(replay, house, seen, at) if row.apart else {},
        others=others,
    )


def words(text: str, name: str) -> str:
    stripped = text.strip()
    if not 0 < len(stripped) <= LONGEST:
        raise ActionRefused(f"{name} has 1 to {LONGEST:,} characters.")
    return stripped
