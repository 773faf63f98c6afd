"""What was judged of each table's gaming day, kept beside the ledger: judged again only where a
fact came that bears on it.

A judgment is kept with the hash of what it was made from and with the answers that its play had
about coupons. It speaks again only where the hash of today's facts is the same, today's book gives
the same answers, and the ledger's key sealed it. Whoever has no key judges, and keeps nothing.
"""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from datetime import date
from functools import cache, cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.analytics.code_fingerprint import code_hash
from ledger.analytics.mart_files import LISTED, Vouched
from ledger.analytics.round_line import RoundLine
from ledger.analytics.staged_table import StagedTable
from ledger.audit import (
    Arrivals,
    AuditedDay,
    Day,
    DayAudit,
    HouseRecord,
    ListedDay,
    TableDay,
    day_of,
    follow_on,
    gaming_days,
    read_coupons,
    read_office,
    take_over_office,
    with_coupons,
)
from ledger.audit.carried import CarriedStates, StatesWithin
from ledger.audit.kept_edges import KIND as EDGES
from ledger.audit.kept_edges import KeptEdges
from ledger.audit.kept_outcomes import KIND as OUTCOMES
from ledger.audit.kept_outcomes import KeptOutcomes
from ledger.audit.ledger_contract import FOREVER
from ledger.audit.table_day_inputs import TableDayInputs
from ledger.coupons import CouponLookup, CouponStatus
from ledger.coupons.asked_coupons import AskedCoupons, Question
from ledger.kernel import FactRef, Finding
from ledger.kernel.quick_dataclass import dataclass
from ledger.kernel.value_bytes import ValueFormat, ValueUnreadable, declared_kinds
from ledger.log.bundle_states import joined_stretches, numbers_in
from ledger.replay import Replay
from ledger.rounds import RoundResult

if TYPE_CHECKING:
    from ledger.audit import Theory
    from ledger.audit.table_workers import DayGround
    from ledger.coupons import CustodyRegister

FOLDER: Final = "judged"
KIND: Final = "judged"
"""What the files are called in the index that seals them."""
KEPT_STATES: Final = 256
"""Days of tables whose states are kept in memory, compressed to some 30 KB each."""
LARGEST: Final = 1 << 30
"""Bytes of a judgment when it is unpacked; whoever sends more sends none."""
LEVEL: Final = 5
"""How hard zlib tries: bytes of a higher level are read as quickly as of a lower one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponAnswer:
    """What a play asked about a coupon, and what the book said; see ``CouponLookup``."""

    serial: str
    at: int
    day: date
    placed: FactRef | None
    status: CouponStatus

    @property
    def question(self) -> Question:
        """What was asked, as for ``CouponLookup.status``."""
        return self.serial, self.at, self.day, self.placed


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedTable:
    """A table's judged gaming day.

    Attributes:
        made_from: the hash of the code and of the facts that bear on it (``TableDayInputs``).
        answered: what its play asked about coupons, as bytes: most questions look at none of it.
        part: the table's share of the audit.
        rows: its rows for the marts.
        rounds: its rounds for lists, as they closed; their bytes, since most questions show none.
        within: states within the day, compressed: most questions need none.
    """

    made_from: bytes
    answered: bytes
    part: TableDay
    rows: StagedTable
    rounds: bytes
    within: bytes

    @property
    def states(self) -> Mapping[int, bytes]:
        """States within the day, as in ``StatesWithin``; none where their bytes are damaged."""
        return _states_in(self.within)

    @property
    def answers(self) -> tuple[CouponAnswer, ...]:
        """What its play asked about coupons, and what the book said."""
        answers: tuple[CouponAnswer, ...] = _answers_format().read(self.answered)
        return answers

    @property
    def lines(self) -> tuple[RoundLine, ...]:
        """Its rounds for lists, as they closed."""
        lines: tuple[RoundLine, ...] = _lines_format().read(self.rounds)
        return lines

    @property
    def basis(self) -> str:
        """The SHA-256 in hexadecimal of all that it rests on: facts, code, answers."""
        return sha256(self.made_from + self.answered).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedCoupons:
    """What the coupons add to a gaming day.

    Attributes:
        findings: of their custody and of their forms.
        stands: their chapter with its status, as from ``coupon_standing``.
    """

    findings: tuple[Finding, ...]
    stands: Mapping[str, str]


COUPONS: Final = ""
"""In the place of a table's name: what the coupons add to a day."""


@dataclass(frozen=True, slots=True)
class JudgedCheck:
    """What came of deriving the judgments again.

    Attributes:
        equal: how many are what deriving them again gives.
        waiting: how many tables' days will be judged when they are asked for.
        difference: the first that is another: its table, its day, and what of it.
    """

    equal: int
    waiting: int
    difference: str | None


@dataclass(frozen=True, slots=True)
class AnsweredBefore:
    """Answers what a judgment that stands asked, and passes other questions on to the book.

    The book of seventy days is long to follow; who looks at one round seldom asks anything new.

    Attributes:
        lookup: who answers other questions.
        answers: gives by question the answer.
    """

    lookup: CouponLookup
    answers: Callable[[], Mapping[Question, CouponStatus]]

    def status(self, text: str, at: int, day: date, ref: FactRef | None = None) -> CouponStatus:
        answered = self.answers().get((text, at, day, ref))
        return self.lookup.status(text, at, day, ref) if answered is None else answered

    def __reduce__(self) -> tuple[object, ...]:
        """Go to another process with the answers, without the tables from which they are read."""
        return AnsweredBefore, (self.lookup, partial(_all_of, dict(self.answers())))


def _all_of(answers: Mapping[Question, CouponStatus]) -> Mapping[Question, CouponStatus]:
    return answers


@cache
def _answers_format() -> ValueFormat:
    return ValueFormat(declared_kinds([CouponAnswer]))


@cache
def _lines_format() -> ValueFormat:
    return ValueFormat(declared_kinds([RoundLine]))


@cache
def _format() -> ValueFormat:
    return ValueFormat(declared_kinds([JudgedTable, JudgedCoupons]))


@cache
def _listed_format() -> ValueFormat:
    return ValueFormat(declared_kinds([ListedDay]))


@cache
def _states_format() -> ValueFormat:
    return ValueFormat(())


def _squeezed(states: Mapping[int, bytes]) -> bytes:
    """States as one stream: each is much like the one before, which no window of zlib reaches."""
    written = _states_format().write(dict(states))
    return lzma.compress(written, check=lzma.CHECK_NONE, preset=1)


def _states_in(within: bytes) -> Mapping[int, bytes]:
    """What ``_squeezed`` was given; nothing where the bytes are damaged."""
    states: Mapping[int, bytes] = {}
    with suppress(ValueUnreadable):
        states = _states_format().read(_expanded(within))
    return states


def _expanded(within: bytes) -> bytes:
    """What was compressed; nothing where the bytes are damaged."""
    try:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(within, LARGEST)
    except lzma.LZMAError:
        return b""


def packed(judged: JudgedTable | JudgedCoupons) -> bytes:
    """Return a judgment as the bytes that are kept: canonical values, compressed."""
    if isinstance(judged, JudgedCoupons):
        return zlib.compress(_format().write(judged), LEVEL)
    head = zlib.compress(_format().write(replace(judged, within=b"")), LEVEL)
    return head + judged.within


def judgment_bytes(judged: JudgedTable | JudgedCoupons) -> bytes:
    """Return a judgment as canonical values, whatever compresses them."""
    if isinstance(judged, JudgedCoupons):
        return _format().write(judged)
    return _format().write(replace(judged, within=_expanded(judged.within)))


def unpacked(stored: bytes) -> JudgedTable | JudgedCoupons | None:
    """Return the judgment of bytes that ``packed`` gave; None where this version reads none."""
    head = zlib.decompressobj()
    try:
        kept = _format().read(head.decompress(stored, LARGEST))
    except (ValueUnreadable, zlib.error):
        return None
    if isinstance(kept, JudgedTable):
        return replace(kept, within=head.unused_data)
    return kept if isinstance(kept, JudgedCoupons) else None


def answers_and_states(stored: bytes) -> tuple[bytes, bytes] | None:
    """Return ``answered`` and ``within`` of a table's judgment; the rest of it is not read.

    None where this version reads none.
    """
    head = zlib.decompressobj()
    try:
        _, answered = _format().read_first(head.decompress(stored, LARGEST), JudgedTable, 2)
    except (ValueUnreadable, zlib.error):
        return None
    return answered, head.unused_data


class JudgedTables:
    """The judged tables of one ledger.

    Args:
        replay: the ledger's replay.
        cache: the ledger's cache, where judgments and carried states lie; None keeps none, and lets
            the readable engine judge every round: who trusts nothing kept trusts no table either.
        vouched: given the house's facts, returns by table and day the SHA-256 in hexadecimal of
            judgments that need not be held against the ledger again; see ``vouched_parts``.
    """

    def __init__(
        self,
        replay: Replay,
        cache: Path | None,
        vouched: Callable[[HouseRecord], Vouched] | None = None,
    ) -> None:
        self._vouching = vouched
        self._answered: dict[Question, CouponStatus] = {}
        self._coupons_proved = False
        self._unread: list[bytes] = []  # answers of judgments that nobody asked for yet
        self._within: dict[tuple[date, str], bytes] = {}
        self._replay = replay
        self.carried = None if cache is None else cache / "carried"
        """The folder of carried states; None where nothing is kept."""
        self._sealed = None if cache is None else replay.sealed(cache / FOLDER, KIND)
        self._outcomes = None if cache is None else replay.sealed(cache / OUTCOMES, OUTCOMES)
        self._edges = None if cache is None else replay.sealed(cache / EDGES, EDGES)

    @property
    def replay(self) -> Replay:
        """The ledger's replay."""
        return self._replay

    def take_over(self, earlier: JudgedTables, *, with_book: bool = True) -> None:
        """Take over what was read of the house: nothing that came since bears on it.

        Args:
            earlier: the judged tables of the same ledger, before it grew.
            with_book: whether the custody of coupons is taken over, too.
        """
        for name in ("record", "theory", *(("book", "house") if with_book else ())):
            if name in vars(earlier):
                vars(self)[name] = vars(earlier)[name]
        if with_book:
            self._within, self._answered = earlier._within, earlier._answered
        take_over_office(self._replay, self.record)

    def follow_on(self, earlier: JudgedTables, since: int) -> None:
        """Take over the custody of coupons, and follow it through what came since.

        Args:
            earlier: the judged tables of the same ledger, before it grew; its book is brought
                forward, too.
            since: as for ``ledger.audit.follow_on``.
        """
        self.book = earlier.book
        if self.book is not None:
            follow_on(self.book, self._replay, since)

    @cached_property
    def record(self) -> HouseRecord:
        """The house's facts, without the custody of coupons."""
        return read_office(self._replay)

    @cached_property
    def book(self) -> CustodyRegister | None:
        """The custody of coupons, None where there are none."""
        return read_coupons(self._replay, self.record, self.carried)

    @cached_property
    def house(self) -> HouseRecord:
        """The house's facts, with the custody of coupons where there are any."""
        book = vars(self).get("book")  # most questions ask about no coupon, and are spared it
        house = with_coupons(self._replay, self.record, book, self.carried, lambda: self.book)
        if house.coupons is None:
            return house
        return replace(house, coupons=AnsweredBefore(house.coupons, self._answers))

    def _answers(self) -> Mapping[Question, CouponStatus]:
        """By question, what the book answered in the judgments that were looked at."""
        while self._unread:
            answers = _answers_format().read(self._unread.pop())
            self._answered.update((asked.question, asked.status) for asked in answers)
        return self._answered

    @cached_property
    def arrivals(self) -> Arrivals:
        """How the ledger's facts arrived."""
        return Arrivals.of(self._replay, self.record)

    @cached_property
    def theory(self) -> Theory:
        """House edges, with the outcomes and the edges that are kept."""
        from ledger.audit import Theory  # who asks for one round is spared what a day needs

        return Theory(self.record.office, KeptOutcomes(self._outcomes), kept=KeptEdges(self._edges))

    @cached_property
    def _vouched(self) -> Vouched:
        return Vouched() if self._vouching is None else self._vouching(self.record)

    @cached_property
    def inputs(self) -> TableDayInputs:
        """What bears on the tables' days."""
        return TableDayInputs(self._replay, self.record)

    def audit(self, day: date, *, processes: int = 1) -> DayAudit:
        """Return what ``audit_day`` returns."""
        span = day_of(self.record.clock, day)
        return self.joined(span, self.tables(span, processes=processes))

    def joined(self, span: Day, tables: list[JudgedTable]) -> DayAudit:
        """Return the audit of a day from its judged tables."""
        from ledger.audit import joined

        coupons = self._coupons(span)
        parts = [table.part for table in tables]
        of_coupons, stands = list(coupons.findings), dict(coupons.stands)
        return joined(self._replay, self.house, span, parts, of_coupons, stands, self.carried)

    def listed(self, day: date) -> AuditedDay:
        """Return what lists show of a gaming day: as it was joined before, else its audit.

        It is kept by whoever brings the read model forward, and believed only as that vouches for
        it. Nothing of the tables is read then, and no rules.

        Raises:
            DayUnknown: no fact at all lies in that day.
        """
        listed = self._kept_listed(day_of(self.record.clock, day))
        if listed is None:
            return self.audit(day)
        self._replay.prove_bundles(numbers_in(self._vouched.bundles[day]))
        self._prove_coupons()
        return listed

    def _kept_listed(self, span: Day) -> ListedDay | None:
        """What lists show of a day, where that is kept and vouched for."""
        stored = self._vouched_part(LISTED, span)
        if stored is None:
            return None
        listed: ListedDay = _listed_format().read(zlib.decompress(stored))
        return listed

    def keep_listed(self, span: Day, audit: DayAudit) -> dict[str, str]:
        """Keep what lists show of a day in place of what they showed; failing to is no error.

        Returns:
            The SHA-256 in hexadecimal of what is kept, under ``LISTED``; nothing where it is not.
        """
        listed = ListedDay.of(audit)
        if self._sealed is None or listed is None:
            return {}
        name, written = _name(LISTED, span), zlib.compress(_listed_format().write(listed), LEVEL)
        if self._sealed.read(name) != written and not self._sealed.write(name, [written]):
            return {}
        return {LISTED: sha256(written).hexdigest()}

    def _coupons(self, span: Day) -> JudgedCoupons:
        """What the coupons add to a day: as it is vouched for, else from their custody."""
        kept = self._kept_coupons(span)
        if kept is not None:
            self._prove_coupons()
            return kept
        from ledger.audit import coupon_findings, coupon_standing, form_findings

        coupons = JudgedCoupons(
            findings=(
                *coupon_findings(self.book, span.date),
                *form_findings(self._replay, self.book, span.date),
            ),
            stands=coupon_standing(self.book, span.date),
        )
        if self._sealed is not None:
            written = packed(coupons)
            if self._sealed.read(_name(COUPONS, span)) != written:
                self._sealed.write(_name(COUPONS, span), [written])
        return coupons

    def _prove_coupons(self) -> None:
        """Prove all entries with facts that bear on coupons, once, as the read model names them.

        Finding them reads the rows of all years.
        """
        if not self._coupons_proved:
            vouched = joined_stretches([*self._vouched.office, *self._vouched.coupons])
            self._replay.prove_bundles(numbers_in(vouched))
            self._coupons_proved = True

    def _kept_coupons(self, span: Day) -> JudgedCoupons | None:
        """What the coupons add to a day, where that is kept and vouched for."""
        stored = self._vouched_part(COUPONS, span)
        kept = None if stored is None else unpacked(stored)
        return kept if isinstance(kept, JudgedCoupons) else None

    def _vouched_part(self, table: str, span: Day) -> bytes | None:
        """The bytes that are kept of a table's day, where they are vouched for."""
        digest = self._vouched.parts.get((table, span.date))
        if self._sealed is None or digest is None:
            return None
        return self._sealed.read_known(_name(table, span), digest)

    def tables(self, span: Day, *, processes: int = 1) -> list[JudgedTable]:
        """Return the judged tables of a gaming day, in byte order of the tables.

        Args:
            span: the day.
            processes: how many share those that have to be judged.

        Raises:
            DayUnknown: no fact at all lies in that day.
        """
        from ledger.audit import tables_on

        tables = tables_on(self._replay, span)
        judged = {table: self.kept_judgment(table, span) for table in tables}
        missing = [table for table in tables if judged[table] is None]
        for table in self._judged(missing, span, processes):
            judged[table.part.table] = table
            self.keep(table, span)
        return [table for table in judged.values() if table is not None]

    def lines(self, day: date, table: str) -> tuple[RoundLine, ...]:
        """Return the rounds of a table's gaming day for a list."""
        return self._judgment(table, day_of(self.record.clock, day)).lines

    def table_findings(self, table: str, span: Day) -> Sequence[Finding]:
        """Return the findings of a table's gaming day."""
        return self._judgment(table, span).part.findings

    def custody_findings(self, span: Day) -> Sequence[Finding] | None:
        """Return the findings that the coupons add to a day; None without any vouched for."""
        kept = self._kept_coupons(span)
        return None if kept is None else kept.findings

    def _judgment(self, table: str, span: Day) -> JudgedTable:
        return self.kept_judgment(table, span) or self.judge(table, span)

    def judge(
        self, table: str, span: Day, on_round: Callable[[RoundResult], None] | None = None
    ) -> JudgedTable:
        """Judge a table's gaming day, and keep the judgment.

        Args:
            table: the table.
            span: the gaming day.
            on_round: told each round of the day, as it closes.
        """
        judged = self._judge_now(table, span, on_round)
        self.keep(judged, span)
        return judged

    def _judge_now(
        self, table: str, span: Day, on_round: Callable[[RoundResult], None] | None = None
    ) -> JudgedTable:
        # a night wants each round, and looks through all that is kept after each step (0039)
        in_bulk = self.carried is not None and on_round is None
        return judge(
            self._replay, self.house, table, span, self.carried, self.inputs, on_round,
            in_bulk=in_bulk,
        )  # fmt: skip

    def states(self, day: date, table: str) -> Mapping[int, bytes]:
        """Return the states within a table's gaming day; none where it is not judged yet."""
        if (day, table) not in self._within:
            within = self._kept_states(table, day_of(self.record.clock, day))
            if within is None:
                return {}
            self._within[day, table] = within
            while len(self._within) > KEPT_STATES:
                del self._within[next(iter(self._within))]
        return _states_in(self._within[day, table])

    def check(self, progress: Callable[[int, int], None] | None = None) -> JudgedCheck:
        """Derive every judgment that is kept again, from nothing, and compare.

        The readable engine judges every round again, so that rounds told from tables are checked.

        Args:
            progress: told how many are done, and how many there are.
        """
        from ledger.audit import tables_on

        fresh = JudgedTables(self._replay, None)
        spans = [day_of(self.record.clock, day) for day in gaming_days(self._replay)]
        there = [(table, span) for span in spans for table in tables_on(self._replay, span)]
        equal = waiting = 0
        for done, (table, span) in enumerate(there):
            if progress is not None:
                progress(done, len(there))
            kept = self.kept_judgment(table, span)
            if kept is None:
                waiting += 1
                continue
            again = fresh._judge_now(table, span)
            differs = _first_difference(kept, again)
            if differs is not None:
                return JudgedCheck(equal, waiting, f"{table} on {span.date}: {differs}")
            equal += 1
        for span in spans:
            coupons = self._kept_coupons(span)
            if coupons is not None and coupons != fresh._coupons(span):
                return JudgedCheck(equal, waiting, f"{span.date}: what the coupons add")
            listed = None if waiting else self._kept_listed(span)
            if listed and listed != ListedDay.of(fresh.joined(span, self.tables(span))):
                return JudgedCheck(equal, waiting, f"{span.date}: what lists show")
        return JudgedCheck(equal, waiting, None)

    def _judged(self, tables: list[str], span: Day, processes: int) -> Iterator[JudgedTable]:
        if processes > 1 and len(tables) > 1:
            from ledger.audit.table_workers import over_tables

            shared = (self._replay, self.house, span, self.carried)
            yield from over_tables(_judge_one, *shared, tables, processes)
        else:
            for name in tables:
                yield self._judge_now(name, span)

    def kept_judgment(self, table: str, span: Day) -> JudgedTable | None:
        """Return the judgment that is kept, if it is what judging again would give.

        Args:
            table: the table.
            span: the gaming day.
        """
        vouched = self._vouched_part(table, span)
        stored = vouched
        if vouched is None and self._sealed is not None:
            stored = self._sealed.read(_name(table, span))
        kept = None if stored is None else unpacked(stored)
        if not isinstance(kept, JudgedTable) or kept.part.table != table:
            return None
        if vouched is not None:
            self._prove_vouched(span, kept.answered)
            return kept
        if not self.stands(kept, span):
            return None
        self._prove(kept, span)
        return kept

    def _kept_states(self, table: str, span: Day) -> bytes | None:
        """The states of the judgment that ``kept_judgment`` returns; no more is read of it."""
        vouched = self._vouched_part(table, span)
        if vouched is None:
            kept = self.kept_judgment(table, span)
            return None if kept is None else kept.within
        parts = answers_and_states(vouched)
        if parts is None:
            return None
        answered, within = parts
        self._prove_vouched(span, answered)
        return within

    def _prove_vouched(self, span: Day, answered: bytes) -> None:
        """Prove the entries behind a judgment that is vouched for, and note its answers."""
        self._replay.prove_bundles(numbers_in(self._vouched.bundles[span.date]))
        if answered != _answers_format().write(()):
            self._prove_coupons()
            self._unread.append(answered)

    def stands(self, judged: JudgedTable, span: Day) -> bool:
        """Whether judging a table's gaming day again would give a judgment that was made before.

        Args:
            judged: the judgment.
            span: the gaming day.
        """
        if not self.is_made_from_these_facts(judged, span):
            return False
        lookup = self.house.coupons
        return all(
            lookup is not None and lookup.status(*asked.question) == asked.status
            for asked in judged.answers
        )

    def _prove(self, kept: JudgedTable, span: Day) -> None:
        """Prove the entries of the facts that a judgment was made from."""
        reach = kept.part.reach
        streams = self._replay.tables().get(kept.part.table, ())
        until = None if reach >= FOREVER else reach + 1
        self._replay.prove(streams, since=span.begins, until=until)

    def parts_of(self, span: Day, tables: Iterable[JudgedTable], audit: DayAudit) -> dict[str, str]:
        """Keep what lists show of a day, and return the SHA-256 in hexadecimal of all that is kept.

        Args:
            span: the day.
            tables: its judged tables.
            audit: its audit, joined from them.

        Returns:
            By table; under ``COUPONS`` what the coupons add, under ``LISTED`` what lists show.
        """
        if self._sealed is None:
            return {}
        names = [*(table.part.table for table in tables), COUPONS]
        stored = {name: self._sealed.read(_name(name, span)) for name in names}
        kept = {name: sha256(raw).hexdigest() for name, raw in stored.items() if raw is not None}
        return {**kept, **self.keep_listed(span, audit)}

    def is_made_from_these_facts(self, table: JudgedTable, span: Day) -> bool:
        """Whether this code made a judgment from the facts as they are in the ledger."""
        return table.made_from == made_from(self.inputs, span, table.part)

    def keep(self, table: JudgedTable, span: Day) -> None:
        """Keep a judgment in the place of the one before it; failing to is no error."""
        if self._sealed is not None:
            self._sealed.write(_name(table.part.table, span), [packed(table)])


def judge(
    replay: Replay,
    house: HouseRecord,
    table: str,
    span: Day,
    carried: Path | CarriedStates | None,
    inputs: TableDayInputs,
    on_round: Callable[[RoundResult], None] | None = None,
    *,
    in_bulk: bool = True,
) -> JudgedTable:
    """Judge one table's gaming day, and note what that was made from.

    Args:
        replay: the ledger's replay.
        house: the house's facts, with the custody of coupons.
        table: the table.
        span: the gaming day.
        carried: the carried states, or their folder, as for ``audit_day``.
        inputs: what bears on the tables' days.
        on_round: told each round of the day, as it closes.
        in_bulk: tell rounds in order from tables, with the same results, as for ``TableWalk``.
    """
    from ledger.analytics.staged_rows import stage_table  # Arrow: who finds it judged is spared it

    asked = None if house.coupons is None else AskedCoupons(house.coupons)
    lines: list[RoundLine] = []
    within = StatesWithin()

    def closed(result: RoundResult) -> None:
        lines.append(RoundLine.of(result))
        if on_round is not None:
            on_round(result)

    of_play = replace(house, coupons=asked)
    part, rows = stage_table(replay, of_play, table, span, carried, closed, within, in_bulk=in_bulk)
    answers = () if asked is None else sorted(asked.answers.items(), key=_in_order_asked)
    return JudgedTable(
        made_from=made_from(inputs, span, part),
        answered=_answers_format().write(
            tuple(
                CouponAnswer(serial=serial, at=at, day=day, placed=placed, status=status)
                for (serial, at, day, placed), status in answers
            )
        ),
        part=part,
        rows=rows,
        rounds=_lines_format().write(tuple(lines)),
        within=_squeezed(within.states),
    )


def _in_order_asked(answer: tuple[Question, CouponStatus]) -> tuple[object, ...]:
    """By the moment and what was asked: which round a play ended first does not matter."""
    (serial, at, day, placed), _ = answer
    return at, serial, day, placed or ("", 0)


def _first_difference(kept: JudgedTable, again: JudgedTable) -> str | None:
    """What of a judgment is another, in words; None where nothing is."""
    for each in fields(TableDay):
        if getattr(kept.part, each.name) != getattr(again.part, each.name):
            return f"its {each.name.replace('_', ' ')}"
    for name in sorted({*kept.rows.rows, *again.rows.rows}):
        if kept.rows.rows.get(name) != again.rows.rows.get(name):
            return f"its rows of {name.replace('_', ' ')}"
    if kept.rounds != again.rounds:
        return "its list of rounds"
    return None if kept.made_from == again.made_from else "the facts it was made from"


def _judge_one(ground: DayGround, table: str) -> JudgedTable:
    replay, house, span = ground.replay, ground.house, ground.span
    carried, inputs = ground.carried, ground.inputs
    return judge(replay, house, table, span, carried, inputs, in_bulk=carried is not None)


def made_from(inputs: TableDayInputs, span: Day, part: TableDay) -> bytes:
    """Return the hash of this code and of the facts that bear on a table's share of a day."""
    facts = inputs.digest(part.table, span, part.reach)
    return sha256(code_hash().encode() + facts).digest()


def _name(table: str, span: Day) -> str:
    return f"{span.date.isoformat()}-{sha256(table.encode()).hexdigest()[:32]}"
