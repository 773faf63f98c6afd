"""What was in force at each table on a gaming day: the facts, from when, and until when.

A fact holds from its event time until another replaces or removes it. After a doubt, what was
stated before is not certain until it is stated again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import date
from typing import Any, Final

from ledger import events
from ledger.audit.errors import DayUnknown
from ledger.audit.ledger_contract import Day, day_of, stated_totals
from ledger.audit.office import HouseRecord, read_office
from ledger.house import Submission
from ledger.kernel import table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep, Replay

Slot = tuple[Any, ...]
Standing = dict[Slot, tuple[events.Fact, int]]
"""What stands at a table at a moment: by its slot a fact, and since when it holds."""

BEGINS: Final[dict[type[events.Fact], tuple[str, tuple[str, ...]]]] = {
    events.TableOpened: ("game", ()),
    events.LimitsSet: ("limits", ("wager",)),
    events.LimitsSignPosted: ("limits sign", ("sign", "wager")),
    events.LimitsChangeAnnounced: ("notice", ("event_time", "seq")),
    events.RulesSignPosted: ("rules sign", ("sign",)),
    events.ShakerPlaced: ("shaker", ("shaker",)),
    events.WheelPlaced: ("wheel", ("wheel",)),
    events.CardDevicePlaced: ("card device", ("device_id",)),
    events.DeckPlaced: ("deck", ("deck",)),
    events.DeviceInspected: ("device", ("device", "device_id")),
    events.StaffAssigned: ("staff", ("role", "person")),
    events.CameraAssigned: ("camera", ("camera",)),
    events.CameraRestored: ("camera", ("camera",)),
}
"""What a fact brings to a table, and the fields that say which earlier fact it replaces."""

ENDS: Final[dict[type[events.Fact], tuple[str, tuple[str, ...]]]] = {
    events.TableClosed: ("game", ()),
    events.LimitsSignRemoved: ("limits sign", ("sign",)),
    events.RulesSignRemoved: ("rules sign", ("sign",)),
    events.ShakerRemoved: ("shaker", ("shaker",)),
    events.WheelRemoved: ("wheel", ("wheel",)),
    events.CardDeviceRemoved: ("card device", ("device_id",)),
    events.DeckRemoved: ("deck", ("deck",)),
    events.StaffRelieved: ("staff", ("role", "person")),
    events.CameraLost: ("camera", ("camera",)),
}
"""What a fact removes, and the fields by which; other fields may have any value."""

WANTED: Final = tuple(
    sorted(kind.__name__ for kind in {*BEGINS, *ENDS, events.DiceSetPlaced, events.DiceSetRemoved})
)
"""The events that say what is in force; all others, such as the play itself, are not decoded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A fact that held at a table.

    Args:
        kind: what it brings: "game", "limits", "wheel", "staff", ...
        fact: the fact.
        begins: since when, microseconds UTC.
        ends: until when, microseconds UTC; None: still at the day's end.
        sure: False where facts were lost after it and it was not stated again.
    """

    kind: str
    fact: events.Fact
    begins: int
    ends: int | None
    sure: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionInForce:
    """The Rules Submission in force for a table's game, None where none is; from when to when."""

    submission: Submission | None
    begins: int
    ends: int | None
    sure: bool


@dataclass(slots=True)
class TableInForce:
    """Everything that held at one table at some time of a gaming day.

    Args:
        table: the table.
        spans: the facts that held, in order of time.
        submissions: the submissions in force, by game.
        uses: services of providers in use, and when each use ended (None: it had not).
        doubts: when facts of the table were lost or conflicted (None: not known when).
    """

    table: str
    spans: list[Span] = field(default_factory=list)
    submissions: dict[str, list[SubmissionInForce]] = field(default_factory=dict)
    uses: list[tuple[events.ServiceUsed, int | None]] = field(default_factory=list)
    doubts: list[int | None] = field(default_factory=list)

    def of(self, kind: str) -> list[Span]:
        """Return the spans of a kind, in order of time."""
        return [span for span in self.spans if span.kind == kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class InForce:
    """What held on a gaming day, table by table.

    Args:
        day: the gaming day.
        house: the house's facts.
        tables: what held at each table.
        tree_size: how many entries the ledger had.
        root: the ledger's root, hexadecimal.
    """

    day: Day
    house: HouseRecord
    tables: tuple[TableInForce, ...]
    tree_size: int
    root: str


@dataclass(slots=True)
class StandingByDay:
    """What stood at tables when gaming days began, for who asks for many days of one ledger.

    It is noted while days are read, as long as nothing is lost: a day is then read from the last
    one before it that is known, in place of the ledger's beginning.
    """

    _sizes: dict[str, int] = field(default_factory=dict)
    _known: dict[str, dict[int, Standing]] = field(default_factory=dict)

    def before(self, replay: Replay, table: str, moment: int) -> tuple[int | None, Standing]:
        """Return since when a table is to be read for a moment, and what stood there then.

        Args:
            replay: the ledger's replay; it may have grown since it was asked last.
            table: the table.
            moment: microseconds UTC.
        """
        known = self._known.setdefault(table, {})
        size = self._sizes.get(table, replay.size)
        arrived = replay.arrived_since(size, WANTED) if size < replay.size else {}
        own = [arrived[one][0] for one in replay.tables().get(table, ()) if one in arrived]
        for begins in [begins for begins in known if own and begins > min(own)]:
            del known[begins]
        self._sizes[table] = replay.size
        since = max((begins for begins in known if begins <= moment), default=None)
        return since, {} if since is None else dict(known[since])

    def note(self, table: str, begins: int, standing: Standing) -> None:
        """Note what stands at a table when a day begins, microseconds UTC."""
        self._known[table].setdefault(begins, dict(standing))


def in_force(
    replay: Replay, day: date, *, table: str | None = None, by_day: StandingByDay | None = None
) -> InForce:
    """Read what held at each table, or at one, on a gaming day.

    Args:
        replay: the ledger's replay.
        day: the gaming day.
        table: only this table; None for all that have a fact in that day.
        by_day: what is known of days that were read before; None reads from the beginning.

    Raises:
        PropertyUnknown: no fact describes the property.
        DayUnknown: no fact of these tables lies in that day.
    """
    house = read_office(replay)
    span = day_of(house.clock, day)
    wanted = [
        name
        for name, streams in replay.tables().items()
        if table in (None, name)
        and any(
            replay.last_seq_before(one, span.ends) > replay.last_seq_before(one, span.begins)
            for one in streams
        )
    ]
    if not wanted:
        where = f" at {table}" if table is not None else ""
        raise DayUnknown(
            f"The ledger has no fact of a table on the gaming day {day}{where}",
            next_step="`pitledger rounds` lists the days that have rounds",
        )
    return InForce(
        day=span,
        house=house,
        tables=tuple(_table(replay, house, name, span, by_day) for name in wanted),
        tree_size=replay.size,
        root=replay.root.hex(),
    )


def _table(
    replay: Replay, house: HouseRecord, name: str, day: Day, by_day: StandingByDay | None
) -> TableInForce:
    in_force = TableInForce(name)
    spans = sorted(_spans(replay, house, day, in_force, by_day), key=lambda one: one.begins)
    opened = min((one.begins for one in spans if one.kind == "game"), default=None)
    in_force.spans = [
        one for one in spans if opened is None or one.ends is None or one.ends > opened
    ]  # what was replaced before the table opened held for no play
    games = {
        one.fact.game for one in in_force.of("game") if isinstance(one.fact, events.TableOpened)
    }
    for game in sorted(games):
        in_force.submissions[game] = list(_submissions(house, game, name, day))
    for use in house.office.providers.uses:
        ended = house.office.providers.ended(use)
        here = use.table == name or (use.table is None and use.game in (None, *games))
        if here and use.event_time < day.ends and (ended is None or ended > day.begins):
            in_force.uses.append((use, ended))
    return in_force


def _spans(
    replay: Replay,
    house: HouseRecord,
    day: Day,
    in_force: TableInForce,
    by_day: StandingByDay | None,
) -> Iterator[Span]:
    """Yield what held at the table up to the day's end, without what had ended before the day."""
    totals, name = stated_totals(house.office, day), in_force.table
    mine = {stream: last for stream, last in totals.items() if table_of(stream) == name}
    streams = {*replay.tables().get(name, ()), *mine}
    standing: Standing = {}
    unsure: set[Slot] = set()
    since, turns_at = None, 0
    if by_day is not None and _has_all(replay, mine):
        since, standing = by_day.before(replay, name, day.begins)
    else:
        by_day = None

    def over(slot: Slot, ends: int | None) -> Iterator[Span]:
        fact, begins = standing.pop(slot)
        sure = slot not in unsure
        unsure.discard(slot)
        if ends is None or ends > day.begins:
            yield Span(kind=slot[0], fact=fact, begins=begins, ends=ends, sure=sure)

    walk = replay.walk(sorted(streams), since=since, until=day.ends, stated=mine, only=WANTED)
    for step in walk:
        if not isinstance(step, FactStep):
            by_day = None
            at = getattr(step, "at", None)
            if at is None or at >= day.begins or standing:
                in_force.doubts.append(at)
            unsure.update(standing)
            continue
        fact, at = step.fact, step.at
        if by_day is not None and at >= turns_at:
            begins_at, turns_at = house.clock.bounds(house.clock.day_of(at))
            by_day.note(name, begins_at, standing)
        for slot in _ended(fact, standing):
            yield from over(slot, at)
        begins = _begun(fact)
        if begins is not None:
            if begins in standing:
                yield from over(begins, at)
            standing[begins] = (fact, at)
            unsure.discard(begins)
    for slot in list(standing):
        notice_of_old = slot[0] == "notice" and standing[slot][1] < day.begins
        if not notice_of_old:
            yield from over(slot, None)


def _has_all(replay: Replay, stated: Mapping[str, int]) -> bool:
    """Whether streams have all facts that control totals state of them, as far as they end."""
    known = replay.streams()
    return all(one in known and last <= replay.extent(one).last_seq for one, last in stated.items())


def _begun(fact: events.Fact) -> Slot | None:
    if isinstance(fact, events.DiceSetPlaced):
        return ("dice", tuple(die.serial for die in fact.dice))
    known = BEGINS.get(type(fact))
    return None if known is None else (known[0], *(getattr(fact, name) for name in known[1]))


def _ended(fact: events.Fact, standing: Standing) -> list[Slot]:
    if isinstance(fact, events.DiceSetRemoved):
        gone = set(fact.dice)
        return [slot for slot in standing if slot[0] == "dice" and gone & set(slot[1])]
    known = ENDS.get(type(fact))
    if known is None:
        return []
    values = tuple(getattr(fact, name) for name in known[1])
    return [
        slot for slot in standing if slot[0] == known[0] and slot[1 : 1 + len(values)] == values
    ]


def _submissions(
    house: HouseRecord, game: str, table: str, day: Day
) -> Iterator[SubmissionInForce]:
    """Yield the submissions in force for a game at a table, one after the other through the day."""
    office = house.office
    turns = [at for at in office.changes(game) if day.begins < at < day.ends]
    last: SubmissionInForce | None = None
    for at in (day.begins, *turns):
        known = office.filed_for(game, table, at)
        stated = known.approved_at if known is not None else None
        begins = stated if stated is not None else day.begins
        if last is not None and last.submission == known:
            continue
        if last is not None:
            yield SubmissionInForce(
                submission=last.submission, begins=last.begins, ends=at, sure=last.sure
            )
        sure = office.sure(stated, day.ends - 1)
        last = SubmissionInForce(submission=known, begins=begins, ends=None, sure=sure)
    if last is not None:
        yield last
