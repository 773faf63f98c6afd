"""Gaming days as the detections see them: the night's own from its tables, earlier ones kept.

A table's part is made while the table is judged. A day that was looked at is kept in the ledger's
cache, sealed by the ledger's key; it is the same with and without the cache. What is kept names
the facts after the day's end that its rounds took in; a late one among them makes it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from hashlib import sha256
from typing import Final

from ledger.analytics import JudgedTable
from ledger.audit import Day, day_of, tables_on
from ledger.audit.carried import CarriedStates
from ledger.audit.table import TableWalk
from ledger.casework import Night, joined_night, table_night
from ledger.kernel import FactRef
from ledger.kernel.cyclic_garbage import uncollected
from ledger.kernel.quick_dataclass import dataclass
from ledger.night import code_hashes
from ledger.night.manifest import canonical
from ledger.night.step_input import StepInput
from ledger.replay import Replay
from ledger.rounds import RoundResult

SEEN: Final = "seen"
"""The name under which a table's part is put aside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNight:
    """One table's part of a day.

    Attributes:
        night: what the detections look at.
        after: facts after the day's end that its rounds took in, in order.
        is_over: whether no round of the day waits for more of them.
    """

    night: Night
    after: tuple[FactRef, ...]
    is_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptNight:
    """A day as it is kept.

    Attributes:
        night: what the detections look at.
        beyond: where rounds of the day went on after its end: stream, last sequence number, and
            ``Replay.prefix_key`` up to it in hexadecimal.
    """

    night: Night
    beyond: tuple[tuple[str, int, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTableNight:
    """One table's part of a day as it is kept.

    Attributes:
        basis: SHA-256 in hexadecimal of all that it was made from.
        part: the part.
    """

    basis: str
    part: TableNight


def judged_table(inputs: StepInput) -> tuple[JudgedTable, TableNight]:
    """Return a table's judgment and its part of the day, each as it is kept where it stands.

    The part is made from the rounds themselves, which no judgment keeps. So a table that was judged
    for a question is judged once more for its first night.
    """
    tables, day, table = inputs.ground.judged, inputs.day, inputs.table
    derived = inputs.ground.derived("table-nights", KeptTableNight)
    key = sha256(f"{day.date} {table}".encode()).hexdigest()
    judged = tables.kept_judgment(table, day)
    if judged is not None:
        kept: KeptTableNight | None = derived.read(key)
        if kept is not None and kept.basis == _basis(inputs, judged):
            return judged, kept.part
    rounds: list[RoundResult] = []
    with uncollected(), inputs.replay.keeping_facts():
        judged = tables.judge(table, day, rounds.append)
        part = table_night_of(inputs, table, day.date, rounds, judged.part.after)
    derived.keep(key, KeptTableNight(basis=_basis(inputs, judged), part=part))
    return judged, part


def _basis(inputs: StepInput, judged: JudgedTable) -> str:
    """The hash of the code, of what a judgment rests on, and of the table's facts of the day."""
    replay, streams = inputs.replay, inputs.replay.tables()[inputs.table]
    ends = {stream: replay.last_seq_before(stream, inputs.day.ends) for stream in streams}
    facts = {stream: replay.prefix_key(stream, last).hex() for stream, last in ends.items()}
    parts = {"code": code_hashes.whole(), "judged": judged.basis, "facts": facts}
    return sha256(canonical(parts)).hexdigest()


def table_night_of(
    inputs: StepInput,
    table: str,
    day: date,
    rounds: Sequence[RoundResult],
    after: Sequence[FactRef],
) -> TableNight:
    """Return a table's part of a gaming day.

    Args:
        inputs: the input of the step.
        table: the table.
        day: the gaming day.
        rounds: those that the table opened on that day, in order.
        after: facts after the day's end that they took in, in order.
    """
    night = table_night(inputs.replay, inputs.house, table, day, rounds, laws=inputs.ground.laws)
    is_over = not rounds or rounds[-1].closed_at is not None
    return TableNight(night=night, after=tuple(after), is_over=is_over)


def night_on(inputs: StepInput, day: date) -> Night:
    """Return a gaming day: from the cache, else from the night's own tables, else walked again."""
    return kept_night(inputs, day)[0].night


def kept_night(inputs: StepInput, day: date) -> tuple[KeptNight, bool]:
    """Return a gaming day as it is kept, and whether its rounds are over; only then is it kept."""
    return _kept(inputs, day, "nights", lambda night: night)


def spins_only(inputs: StepInput, day: date) -> tuple[KeptNight, bool]:
    """Return a gaming day's spins alone, as ``kept_night``: a wheel's whole life is looked at."""
    return _kept(
        inputs, day, "spins", lambda night: Night(day=day, begins=night.begins, spins=night.spins)
    )


def _kept(
    inputs: StepInput, day: date, name: str, wanted: Callable[[Night], Night]
) -> tuple[KeptNight, bool]:
    replay = inputs.replay
    span = day_of(inputs.clock, day)
    derived, key = inputs.ground.derived(name, KeptNight), key_of(replay, span)
    kept = derived.read(key)
    if isinstance(kept, KeptNight) and kept.beyond == hashed(replay, kept.beyond):
        return kept, True
    own = list(inputs.aside("table", SEEN)) if day == inputs.day.date else []
    parts = own or _walked(inputs, span)
    night = wanted(joined_night(replay, inputs.house, day, [one.night for one in parts]))
    beyond = hashed(replay, [(ref.stream, ref.seq, "") for p in parts for ref in p.after[-1:]])
    kept, is_over = KeptNight(night=night, beyond=beyond), all(one.is_over for one in parts)
    if is_over:
        derived.keep(key, kept)
    return kept, is_over


def key_of(replay: Replay, span: Day) -> str:
    """Return a SHA-256, in hexadecimal, over the code and all streams up to the end of a day."""
    ends = {one: replay.last_seq_before(one, span.ends) for one in replay.streams()}
    made_from = {one: replay.prefix_key(one, seq).hex() for one, seq in ends.items() if seq}
    key_parts = {"code": code_hashes.whole(), "day": str(span.date), "from": made_from}
    return sha256(canonical(key_parts)).hexdigest()


def hashed(
    replay: Replay, beyond: Sequence[tuple[str, int, str]]
) -> tuple[tuple[str, int, str], ...]:
    """Return places in streams, each with the hash of all up to it as the replay has it."""
    return tuple((one, seq, replay.prefix_key(one, seq).hex()) for one, seq, _ in beyond)


def _walked(inputs: StepInput, span: Day) -> list[TableNight]:
    states = CarriedStates(inputs.ground.carried, inputs.replay, inputs.house.office)
    parts = []
    for table in tables_on(inputs.replay, span):
        walk = TableWalk(inputs.replay, inputs.house, table, span, carried=states)
        rounds = tuple(walk.rounds())
        parts.append(table_night_of(inputs, table, span.date, rounds, walk.after))
    return parts
