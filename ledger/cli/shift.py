"""`pitledger shift`: the log of a shift, and its handover to the next."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from ledger.cli.ledger_commands import KeyOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json

if TYPE_CHECKING:
    from ledger.casework.cases.shift_log import ShiftEvent
    from ledger.kernel import PropertyClock
    from ledger.replay import Replay

By = Annotated[str, Parameter(name="--by")]


def shift_log(
    entry: Annotated[str, Parameter(name="TEXT")],
    /,
    *,
    by: By,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Write something down in the log of the shift; what is written stays.

    Args:
        entry: what the record of the shift should have.
        by: your credential; you are asked to prove it.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
    """
    from ledger import events

    return _record(events.ShiftLogged, {"entry": entry.strip(), "logged_by": by}, by, key, options)


def shift_handover(
    note: Annotated[str, Parameter(name="TEXT")],
    /,
    *,
    to: Annotated[str, Parameter(name="--to")],
    by: By,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Hand the shift over to the next person, with what that person has to know.

    Whoever took the shift over hands it on; a supervisor does so for who is gone.

    Args:
        note: what the next shift has to know.
        to: credential of who takes the shift over.
        by: your credential; you are asked to prove it.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
    """
    from ledger import events

    words = {"note": note.strip(), "handed_to": to, "handed_by": by}
    return _record(events.ShiftHandedOver, words, by, key, options)


def shift_show(
    *,
    person: Annotated[str, Parameter(name="--as")],
    last: Annotated[int, Parameter(name="--last")] = 50,
    options: Options = OPTIONS,
) -> int:
    """Show in whose hands the shift is, and its log.

    The exit code is 1 if something is on record that does not count.

    Args:
        person: your credential; you are asked to prove it.
        last: how many entries at most, the newest.
    """
    from ledger.audit import read_office
    from ledger.casework.cases.shift_log import READERS, ShiftRecord, ShiftRefused, barred
    from ledger.cli.person import check
    from ledger.cli.wall_clock import read_clock
    from ledger.replay import Replay

    at, replay = read_clock(), Replay.open(options.folder)
    check(options.folder, replay, person, at)
    why = barred(replay.roster(), person, at, READERS)
    if why is not None:
        raise ShiftRefused(why)
    log = ShiftRecord.read(replay).log
    entries = log.entries[-last:] if last > 0 else ()
    if options.is_json:
        emit_json(
            {
                "in_hand": log.in_hand,
                "entries": [_data(fact) for fact in entries],
                "not_counted": [{**_data(fact), "why": why} for fact, why in log.idle],
            }
        )
    else:
        clock = read_office(replay).clock
        head = "Nobody has taken the shift over." if log.in_hand is None else ""
        lines = [head or f"In the hands of {log.in_hand}."]
        lines += [_line(fact, clock) for fact in entries]
        lines += [f"{_line(fact, clock)}\n    DOES NOT COUNT: {why}" for fact, why in log.idle]
        emit("\n".join(lines) + "\n")
    return 1 if log.idle else 0


def _record(
    kind: type[ShiftEvent],
    words: dict[str, str],
    by: str,
    key: Path | None,
    options: Options,
) -> int:
    """Prove who acts, and append what is allowed."""
    from ledger import events
    from ledger.casework.cases.shift_log import ShiftRecord, ShiftRefused
    from ledger.cli.person import prove
    from ledger.cli.unsigned_tail import open_ledger
    from ledger.cli.wall_clock import read_clock
    from ledger.codec import frame
    from ledger.log import Arrival
    from ledger.log.errors import NotWhole
    from ledger.replay import Replay

    at = read_clock()
    replay = Replay.open(options.folder)
    fact = prove(options.folder, replay, by, logged(kind, replay, words, by, at), at, key)
    facts = ShiftRecord.read(replay).decide(fact)
    with open_ledger(options.folder, key=key) as log:
        try:
            log.append_whole([Arrival(frame(each)) for each in facts], at)
        except NotWhole as error:
            raise ShiftRefused("somebody else wrote at the same moment; repeat it") from error
    if options.is_json:
        emit_json(_data(fact))
    elif isinstance(fact, events.ShiftHandedOver):
        emit(f"The shift is in the hands of {fact.handed_to} ({fact.stream}:{fact.seq}).\n")
    else:
        emit(f"Written in the log of the shift by {by} ({fact.stream}:{fact.seq}).\n")
    return 0


def logged(
    kind: type[ShiftEvent], replay: Replay, words: Mapping[str, str], by: str, at: int
) -> ShiftEvent:
    """Return the event of an entry or a handover, as a pass phrase proves it.

    Args:
        kind: which of both.
        replay: the ledger's.
        words: what was entered, by the names of the event's fields.
        by: the credential of who acts.
        at: the moment, microseconds UTC.
    """
    from ledger import events
    from ledger.casework.action_facts import head
    from ledger.casework.cases.shift_log import STREAM

    proof = events.ActProof(how=events.ProofKind.PASS_PHRASE, signature=None)
    fields: dict[str, Any] = {**head(replay, by, at, STREAM), **words}
    return kind(**fields, proof=proof)


def _data(fact: ShiftEvent) -> dict[str, str]:
    from ledger import events
    from ledger.kernel import to_datetime

    entry = {"time": to_datetime(fact.event_time).isoformat(), "fact": f"{fact.stream}:{fact.seq}"}
    proved = {"proved": fact.proof.how.value.lower()}
    if isinstance(fact, events.ShiftHandedOver):
        return {
            **entry, "note": fact.note, "to": fact.handed_to, "by": fact.handed_by, **proved,
        }  # fmt: skip
    return {**entry, "entry": fact.entry, "by": fact.logged_by, **proved}


def _line(fact: ShiftEvent, clock: PropertyClock) -> str:
    from ledger import events

    time = clock.local(fact.event_time).strftime("%Y-%m-%d %H:%M")
    if isinstance(fact, events.ShiftHandedOver):
        return f"{time}  handed over to {fact.handed_to} by {fact.handed_by}: {fact.note}"
    return f"{time}  {fact.logged_by}: {fact.entry}"
