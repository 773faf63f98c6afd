"""Ledgers for tests of the engine: a small simulated floor, and hand-made tables that are in order.

``floor_day`` is a day of the simulated floor, ``judged`` its audit. ``SicBo`` and ``Dreamcatcher``
are one table with everything that an honest opening needs; a test adds, drops or changes facts and
says the difference. Seconds count from noon of the scene's day, local time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cache
from typing import Any, Final

from ledger import events
from ledger.audit import DayAudit, audit_day, rounds_of
from ledger.codec import frame
from ledger.floor import FIRST_DAY, Plant, TruthRow, simulate
from ledger.kernel import FactRef, Finding, PropertyClock, table_of
from ledger.log import Arrival, Signer
from ledger.log.signed_file_index import Seals
from ledger.replay import Replay
from ledger.rounds import RoundResult, WagerResult
from tests.games.facts import fact as made
from tests.log.memory_log import MemoryLog

SECOND: Final = 1_000_000
SCALE: Final = 0.03
"""About 2,000 facts a day."""
CLOCK: Final = PropertyClock("America/New_York", 360)

# --- the simulated floor --------------------------------------------------------------------------


@cache
def floor_day(
    *plants: str, seed: int = 1, scale: float = SCALE, days: int = 1, coupons: bool = False
) -> tuple[tuple[events.Fact, ...], tuple[TruthRow, ...]]:
    """The facts of the first days in order of arrival, and the truth about the plants."""
    wished = [Plant.parse(one) for one in plants]
    drawn = simulate(seed, days=days, plants=wished, scale=scale, coupons=coupons)
    return tuple(drawn.facts), drawn.truth


@cache
def table_day(
    table: str, *plants: str, seed: int = 1, scale: float = SCALE, coupons: bool = False
) -> tuple[events.Fact, ...]:
    """The offices and one table of a day, with control totals of these alone."""
    return of_tables(floor_day(*plants, seed=seed, scale=scale, coupons=coupons)[0], table)


def of_tables(facts: Iterable[events.Fact], *tables: str) -> tuple[events.Fact, ...]:
    """The offices and these tables, with control totals of these alone."""
    kept, groups = [], ("house", "coupons", *tables)
    for fact in facts:
        if isinstance(fact, events.GamingDayClosed):
            mine = tuple(e for e in fact.streams if table_of(e.stream) in groups)
            fact = replace(fact, streams=mine)
        if table_of(fact.stream) in groups:
            kept.append(fact)
    return tuple(kept)


def log_of(facts: Iterable[events.Fact | Arrival], batch: int = 0) -> MemoryLog:
    """A log of these facts, appended in batches of a size (0: at once)."""
    log = MemoryLog(origin="engine.example", property="Example", record_time=1)
    rest = [one if isinstance(one, Arrival) else Arrival(frame(one)) for one in facts]
    for start in range(0, len(rest), batch or len(rest) or 1):
        log.append(rest[start : start + (batch or len(rest))], record_time=2 + start)
    return log


def sealed_replay(log: MemoryLog) -> Replay:
    """A replay that seals what it derives, and believes what was sealed."""
    signer = Signer("engine.example", bytes(32))
    return Replay(log, seals=Seals(signer.verifier, signer))


def judged(
    facts: Iterable[events.Fact | Arrival], day: date = FIRST_DAY, batch: int = 0
) -> DayAudit:
    """The audit of one day of a fresh ledger."""
    return audit_day(Replay(log_of(facts, batch)), day)


def results(facts: Iterable[events.Fact | Arrival], day: date = FIRST_DAY) -> list[RoundResult]:
    """The rounds of one day of a fresh ledger."""
    return list(rounds_of(Replay(log_of(facts)), day))


Signature = tuple[str, tuple[FactRef, ...]]


def signature(finding: Finding) -> Signature:
    """What makes two findings of different audits the same one: code and facts."""
    return finding.code, finding.facts


def broken(audit: DayAudit) -> set[Signature]:
    """What is shown to be broken."""
    return {signature(f) for f in audit.findings if f.certainty == "broken"}


def said(findings: Iterable[Finding]) -> list[str]:
    """Findings in short, sorted: ``wager_underpaid 539.6(b)``; ``?`` where it is unknown."""
    return sorted(
        f"{f.code} {f.citations[0].section}{' ?' if f.certainty == 'unknown' else ''}"
        for f in findings
    )


def codes(findings: Iterable[Finding]) -> set[str]:
    """The codes alone."""
    return {finding.code for finding in findings}


def ref(fact: events.Fact) -> FactRef:
    """The key of a fact."""
    return FactRef(fact.stream, fact.seq)


# --- hand-made tables -----------------------------------------------------------------------------


@dataclass
class Line:
    """One fact to be: when, in which stream, what it says."""

    kind: str
    at: float
    stream: str
    said: dict[str, Any]
    fact: events.Fact | None = None

    @property
    def ref(self) -> FactRef:
        """Its key, once the scene was built."""
        assert self.fact is not None, "build the scene first"
        return FactRef(self.fact.stream, self.fact.seq)


@dataclass
class Scene:
    """One table, its office, and what happens there; numbered by time when it is built."""

    game: str
    day: date
    table: str = "T-01"
    lines: list[Line] = field(default_factory=list)
    closed: bool = True
    odds: tuple[tuple[str, str | None, str], ...] = ()
    clock: PropertyClock = CLOCK
    wagers: int = 0

    @property
    def noon(self) -> int:
        """Noon of the gaming day, in microseconds."""
        return self.clock.start_of(self.day) + 6 * 3600 * SECOND

    def add(self, kind: str, at: float, /, stream: str | None = None, **said: Any) -> Line:
        """One more fact; ``event_time`` is ``at`` seconds after noon."""
        line = Line(kind, at, self.table if stream is None else stream, said)
        self.lines.append(line)
        return line

    def house(self, kind: str, at: float, /, **said: Any) -> Line:
        """One more fact of the office."""
        return self.add(kind, at, "house", **said)

    def lines_of(self, kind: str, **like: Any) -> list[Line]:
        """Facts of a kind that say these things."""
        return [
            line
            for line in self.lines
            if line.kind == kind and all(line.said.get(k) == v for k, v in like.items())
        ]

    def drop(self, kind: str, **like: Any) -> Scene:
        """Leave facts out."""
        found = self.lines_of(kind, **like)
        assert found, f"no {kind} {like}"
        self.lines = [line for line in self.lines if line not in found]
        return self

    def change(self, kind: str, where: dict[str, Any] | None = None, /, **said: Any) -> Scene:
        """Let facts say something else; ``at`` moves them."""
        found = self.lines_of(kind, **(where or {}))
        assert found, f"no {kind} {where}"
        for line in found:
            line.at = said.pop("at", line.at)
            line.said = {**line.said, **said}
        return self

    def build(self) -> list[events.Fact]:
        """The facts, numbered by time; the day's closing is added."""
        numbers: dict[str, int] = {}
        facts: list[events.Fact] = []
        for line in sorted(self.lines, key=lambda line: line.at):
            numbers[line.stream] = numbers.get(line.stream, 0) + 1
            event_time = self.noon + round(line.at * SECOND)
            values = {k: v(self) if callable(v) else v for k, v in line.said.items()}
            one = made(line.kind, numbers[line.stream], 0, **values)
            line.fact = replace(
                one, stream=line.stream, event_time=event_time, source=f"X-{line.stream}"
            )
            facts.append(line.fact)
        if self.closed:
            at = self.clock.start_of(self.day + timedelta(days=1)) - 30 * SECOND
            begins = self.clock.start_of(self.day)
            last = {f.stream: f.seq for f in facts if begins <= f.event_time < at + 30 * SECOND}
            last["house"] = numbers["house"] + 1
            closing = events.EVENTS["GamingDayClosed"](
                stream="house", seq=last["house"], event_time=at, source="X-house", recorded_by=None,
                gaming_day=self.day.isoformat(), streams=ends(last),
            )  # fmt: skip
            late = [f for f in facts if f.stream == "house" and f.event_time > at]
            assert not late, "the office says nothing after it closed the day"
            facts.append(closing)
        return facts

    def audit(self) -> DayAudit:
        """The audit of the scene's day."""
        return judged(self.build(), self.day)

    def said(self) -> list[str]:
        """The findings in short."""
        return said(self.audit().findings)

    def rounds(self) -> list[RoundResult]:
        """The rounds of the scene's day."""
        return results(self.build(), self.day)

    def wager(self, at: float, wager: str, *picks: int, cents: int = 1_000, **other: Any) -> str:
        """A wager placed; its id."""
        self.wagers += 1
        name = f"W{self.wagers}"
        values = {"wager_id": name, "wager": wager, "picks": picks, "stake_cents": cents, **other}
        self.add("WagerPlaced", at, **values)
        return name

    def lost(self, at: float, wager: str, cents: int = 1_000, **other: Any) -> Line:
        """A stake taken."""
        values = {"wager_id": wager, "outcome": "LOST", "stake_taken_cents": cents, **other}
        return self.add("WagerSettled", at, **values)

    def won(self, at: float, wager: str, cents: int, **other: Any) -> Line:
        """Winnings paid."""
        values = {"wager_id": wager, "outcome": "WON", "winnings_cents": cents, **other}
        return self.add("WagerSettled", at, **values)

    def result(self, wager: str) -> WagerResult:
        """What became of a wager."""
        found = [w for r in self.rounds() for w in r.wagers if w.wager_id == wager]
        assert len(found) == 1
        return found[0]

    def _office(self, approvals: Sequence[tuple[str, dict[str, Any]]]) -> None:
        before = -5 * 3600
        zone, start = self.clock.time_zone, self.clock.starts_minutes
        self.house(
            "PropertyDescribed", before, name="Example", time_zone=zone, gaming_day_starts_minutes=start
        )  # fmt: skip
        self.file("RS-1", before + 1, odds=self.odds)
        for number, (kind, values) in enumerate(approvals, 10):
            self.house(kind, before + number, **values)

    def file(
        self,
        name: str,
        at: float,
        *,
        odds: Iterable[tuple[str, str | None, str]] = (),
        approved: float | None = 0.5,
        **other: Any,
    ) -> tuple[Line, Line | None]:
        """A Rules Submission, and its approval so many seconds later (None: never)."""
        rows = [events.FiledOdds(wager=wager, on=on, odds=text) for wager, on, text in odds]
        filed = self.house(
            "RulesSubmissionFiled", at, submission=name, game=self.game, paytable=rows, **other
        )
        if approved is None:
            return filed, None
        when = at + approved
        yes = self.house(
            "RulesSubmissionApproved", when, submission=name, approved_time=moment(when)
        )
        return filed, yes


def moment(at: float) -> Callable[[Scene], int]:
    """A time inside a fact, so many seconds after noon of the scene's day."""
    return lambda scene: scene.noon + round(at * SECOND)


def ends(last: dict[str, int]) -> tuple[Any, ...]:
    """Control totals."""
    return tuple(events.StreamEnd(stream=name, last_seq=seq) for name, seq in sorted(last.items()))


WAGERS: Final = (
    "Three of a Kind", "Two of a Kind", "Any Three of a Kind", "Total Value Bet",
    "Two Dice Combination", "Small Bet", "Big Bet", "One of a Kind",
)  # fmt: skip
NUMBERS: Final = ("1", "2", "5", "10", "20", "40")
RIM: Final = "7x,2,1,5,1,2,5,1,2,10,1,2,1,20,1,2,1,2,1,5,1,2,10,1,5,1,2,2x,1,5,1,40,2,1,2,1,10,2,1,5,1,2,1,5,2,1,20,1,2,1,10,1,2,1"
"""The sections of § 689.1(b), clockwise."""
SECTION: Final = {name: RIM.split(",").index(name) for name in ("7x", "2x", *NUMBERS)}


def seen(*names: str) -> list[events.Seen]:
    """What an inspection saw; ``side=left`` has a value."""
    pairs = (name.partition("=") for name in names)
    return [events.Seen(name=name, value=value or None) for name, _, value in pairs]


def faces(*dice: int | tuple[int, str]) -> list[events.Die]:
    """Dice at rest: a face, or a face and how it lies."""
    said = ((one, "FLAT") if isinstance(one, int) else one for one in dice)
    return [
        events.Die(serial=None, colour=None, face=face, rest=events.Rest(rest))
        for face, rest in said
    ]


def serials(*names: str) -> list[events.DieIdentity]:
    """Dice by serial."""
    return [events.DieIdentity(serial=name, colour=None) for name in names]


LAYOUT: Final = "L-1"
OPENED: Final = -1800
"""When the tables of the scenes open: half an hour before noon."""


def _table(scene: Scene, *, layout: Sequence[str]) -> None:
    at = OPENED - 600
    scene.add("StaffAssigned", at, role="DEALER", person="D1")
    scene.add("StaffAssigned", at, role="FLOORPERSON", person="F1")
    for item, side in (("drop_box", "dealer side, left"), ("tip_box", "dealer side, right")):
        _inspect(scene, at + 10, "TABLE", scene.table, item, seen(f"side={side}"))
    _inspect(scene, at + 10, "LAYOUT", LAYOUT, "holder_name_or_logo")
    _inspect(scene, at + 10, "LAYOUT", LAYOUT, "wager_areas", seen(*layout))
    _inspect(scene, at + 10, "LAYOUT", LAYOUT, "printed_odds", seen(*layout))
    scene.add("LimitsSet", at + 20, minimum_cents=500, maximum_cents=1_000_000)
    scene.add("LimitsSignPosted", at + 20, sign="LS-1", minimum_cents=500, maximum_cents=1_000_000)
    scene.add(
        "TableOpened", OPENED, game=scene.game, layout=LAYOUT, paytable="RS-1", capture="FULL"
    )
    scene.add("TableClosed", 8 * 3600)


def _inspect(
    scene: Scene, at: float, subject: str, thing: str, item: str, what: Sequence[events.Seen] = ()
) -> None:
    scene.add(
        "ItemInspected", at, subject=subject, subject_id=thing, item=item, found=True,
        seen=list(what), inspected_by="F1",
    )  # fmt: skip


def sic_bo(day: date = date(2011, 3, 15), **other: Any) -> Scene:
    """A Sic Bo table in order, open from 11:30 to 20:00."""
    scene = Scene("Sic Bo", day, **other)
    scene._office(
        [
            ("LayoutApproved", {"layout": LAYOUT, "game": "Sic Bo", "bureau": "GAMING_OPERATIONS", "boxes_approved": True}),
            ("EquipmentApproved", {"equipment": "S-1", "bureau": "GAMING_OPERATIONS", "withdrawn": False}),
            ("EquipmentApproved", {"equipment": "E-1", "bureau": "GAMING_LABORATORY_OPERATIONS", "withdrawn": False}),
            ("SignApproved", {"sign": "LS-1", "location": True, "size": True, "language": True}),
        ]
    )  # fmt: skip
    _table(scene, layout=WAGERS)
    at = OPENED - 500
    scene.add("ShakerPlaced", at, shaker="S-1", kind="MANUAL")
    scene.add("DiceSetPlaced", at, shaker="S-1", dice=serials("d1", "d2", "d3"))
    for item in ("compartment_transparent", "cover_opaque", "sealable", "holder_name_or_logo"):
        _inspect(scene, at + 10, "SHAKER", "S-1", item)
    for item in ("present", "area_depicts_wagers"):
        _inspect(scene, at + 10, "ELECTRICAL_DEVICE", "E-1", item)
    scene.add(
        "DeviceInspected", at + 20, device="ELECTRICAL_DEVICE", device_id="E-1", inspected_by="F1",
        trial_entries=3, values_per_entry=3, lit_properly=True, working=True,
    )  # fmt: skip
    return scene


def dreamcatcher(day: date = date(2021, 3, 15), **other: Any) -> Scene:
    """A Dreamcatcher table in order, open from 11:30 to 20:00."""
    scene = Scene("Dreamcatcher", day, **other)
    scene._office(
        [
            ("LayoutApproved", {"layout": LAYOUT, "game": "Dreamcatcher", "bureau": "GAMING_OPERATIONS", "boxes_approved": True}),
            ("SignApproved", {"sign": "LS-1", "location": True, "size": True, "language": True}),
        ]
    )  # fmt: skip
    _table(scene, layout=NUMBERS)
    _inspect(
        scene, OPENED - 590, "LAYOUT", LAYOUT, "stated_limits",
        seen("minimum", "maximum", "payout_limit"),
    )  # fmt: skip
    odds = [f"{number}:1" for number in NUMBERS]
    scene.add(
        "WheelPlaced", OPENED - 500, wheel="WH-1", sections=RIM, read_clockwise=True,
        diameter_thousandths=60_000, clapper=True, equally_spaced=True,
        odds_shown=[section_odds(n, o) for n, o in zip(NUMBERS, odds, strict=True)],
    )  # fmt: skip
    return scene


def section_odds(section: str, odds: str) -> events.SectionOdds:
    """Odds printed on the sections of a number."""
    return events.SectionOdds(section=section, odds=odds)


def roll(scene: Scene, at: float, *dice: int, lit: Sequence[str] | None = None) -> None:
    """From "no more bets" to the lights: ``at`` to ``at`` + 7; wagers are settled after that."""
    shown = sorted(dice)
    scene.add("NoMoreBetsAnnounced", at)
    scene.add("ShakerCovered", at + 1, shaker="S-1")
    scene.add("DiceShaken", at + 2, shakes=3, kind="MANUAL")
    scene.add("ShakerUncovered", at + 3, shaker="S-1")
    scene.add("DiceThrown", at + 4, dice=faces(*dice))
    scene.add("RollCalled", at + 5, faces=shown)
    scene.add("ValuesEntered", at + 6, faces=shown)
    scene.add("AreasLit", at + 7, areas=lit)


def spin(scene: Scene, at: float, *shown: str) -> None:
    """ "No more bets", then a spin and its call every ten seconds."""
    scene.add("NoMoreBetsAnnounced", at)
    for number, symbol in enumerate(shown):
        turn = at + 10 * number
        scene.add(
            "WheelSpun", turn + 5, started_time=moment(turn + 1), section=SECTION[symbol], symbols=[symbol]
        )  # fmt: skip
        scene.add("SpinCalled", turn + 6, result=symbol)
