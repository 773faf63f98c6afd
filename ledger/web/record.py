"""The ledger as the desk reads it: kept warm between requests, brought forward when it grew.

The process that serves pages never reads the ledger's private key. So it keeps no judgment and
makes no read model: another process, which ends when that is done, brings the read model forward.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import field
from datetime import date, timedelta
from pathlib import Path
from threading import RLock
from time import sleep
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ledger.analytics import JudgedTables, ReadModel, judged_by, prove_entries, read_model
from ledger.analytics.affected_days import NOTES
from ledger.analytics.projection import FOLDER as MARTS
from ledger.analytics.projection import (
    HEAD,
    ProjectionState,
    bundle_states_of,
    inspect_projection,
)
from ledger.audit.in_force import StandingByDay, in_force
from ledger.casework.cases import CaseFiles
from ledger.casework.cases.shift_log import ShiftRecord
from ledger.kernel import FactRef, LedgerError, PropertyClock, SourceUnavailable, table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.keys import KEY_VARIABLE
from ledger.log.ledger_at_checkpoint import CACHE
from ledger.log.signed_file_index import Seals
from ledger.replay import Replay, Roster
from ledger.reports import LastingFacts, RoundView
from ledger.search import SearchAnswer, find_in
from ledger.watch import Told
from ledger.watch import told as watch
from ledger.web.media import MediaFolder
from ledger.web.patrons import Patrons, patrons_of_round
from ledger.web.services import Services

if TYPE_CHECKING:
    from ledger.audit import FormDesk
    from ledger.log.bundle_states import BundleStates
    from ledger.reports.forms import Stamp

K = TypeVar("K")
T = TypeVar("T")
CHECKPOINT: Final = "checkpoint"
KEPT_ROUNDS: Final = 1_000
"""Rounds that are kept explained, some 30 KB each: fifty people have twenty of them before them."""
KEPT_OF_DAYS: Final = 512
"""What is kept of gaming days: a dozen tables each have theirs."""
PROVED_MICROSECONDS: Final = 1_000_000
"""Entries that were proved are proved again for the first answer after so long. What is shown was
read from bytes that were held against their hash, whenever that was."""
BETWEEN_TABLES_SECONDS: Final = 0.05
"""How long whoever reads ahead lets others in between two tables."""
_USABLE: Final = (ProjectionState.FRESH, ProjectionState.BEHIND)
QUESTIONS: Final = 1_000
"""After so many the read model is opened anew: it remembers what each was narrowed to."""
ACTS: Final = frozenset({"ActionTaken", "ActionNoted", "ActionClosed", "CauseSuppressed"})
"""What persons do with actions."""


class ReadModelMissing(SourceUnavailable):
    """The read model is being made, or cannot be made."""

    code = "read_model_missing"

    def __init__(self) -> None:
        super().__init__(
            "The record is being made ready for searching.",
            cause="the read model is missing, or made by another version",
            next_step="try again in a minute; `pitledger sql 'SELECT 1'` on the server says what"
            " hinders it",
        )


def without_key() -> dict[str, str]:
    """Make this process one that never finds the private key; return the environment before.

    ``Seals.of`` looks for the key where the variable says, and there alone.
    """
    before = dict(os.environ)
    os.environ[KEY_VARIABLE] = os.devnull
    return before


@dataclass(slots=True)
class Record:
    """One ledger, read by one request at a time.

    Attributes:
        folder: the ledger's.
        clock: now, microseconds UTC.
        services: what the layer above makes of what was read; see ``cli.desk_services``.
        environment: of the process that brings the read model forward.
        standing: what stood at tables when gaming days began, as far as it was read.
    """

    folder: Path
    clock: Callable[[], int]
    services: Services
    environment: Mapping[str, str] | None = None
    standing: StandingByDay = field(default_factory=StandingByDay)
    _lock: RLock = field(default_factory=RLock)
    _replay: Replay | None = None
    _judged: JudgedTables | None = None
    _cases: CaseFiles | None = None
    _shifts: ShiftRecord | None = None
    _stamp: tuple[int, ...] = ()
    _lasting: LastingFacts = field(default_factory=LastingFacts)
    _rounds: dict[str, RoundView] = field(default_factory=dict)
    _patrons: dict[str, Patrons] = field(default_factory=dict)
    _masked: dict[str, RoundView] = field(default_factory=dict)
    _coupons: tuple[FormDesk, Stamp] | None = None
    _model: ReadModel | None = None
    _model_stamp: tuple[int, ...] = ()
    _vouched_by: tuple[int, ...] = ()
    _questions: int = 0
    _of_days: dict[tuple[str, date], tuple[object, int, Any]] = field(default_factory=dict)
    _bearing_size: int = 0
    _acts_size: int = 0
    _proved_at: dict[date | None, int] = field(default_factory=dict)
    _bundles: BundleStates | None = None
    _told: tuple[tuple[int, ...], Told] | None = None
    _model_size: int = 0
    _maker: subprocess.Popen[bytes] | None = None
    _made_for: int = -1

    @contextmanager
    def present(self) -> Iterator[Record]:
        """Hold the record as it stands now; other requests wait."""
        with self._lock:
            self._bring_forward()
            yield self

    def close(self) -> None:
        """Let go of what is open."""
        with self._lock:
            if self._model is not None:
                self._model.close()
                self._model = None
            if self._maker is not None and self._maker.poll() is None:
                self._maker.terminate()
                self._maker.wait()

    # --- the replay ---------------------------------------------------------------------------

    def _bring_forward(self) -> None:
        """Read what came since; judge by what the read model vouches for, proved to the ledger."""
        stamp = _stamp(self.folder / CHECKPOINT)
        head = _stamp(self.folder / CACHE / MARTS / HEAD)
        if stamp != self._stamp:
            self._proved_at.clear()
            self._bundles = None
        before, earlier = self._replay, self._judged
        if before is None or earlier is None or stamp != self._stamp:
            replay = Replay.following(self.folder) if before is None else before.grown()
        elif head != self._vouched_by:
            replay = before
        else:
            return
        if before is None or replay.kinds_since(before.size) & ACTS:
            self._acts_size = replay.size
        if before is None or earlier is None:
            self._judged = judged_by(self.folder, replay)
            self._bearing_size = replay.size
        elif replay.is_of_facts(before.size) and replay.kinds_since(before.size) <= NOTES:
            self._judged = judged_by(self.folder, replay)
            self._judged.take_over(earlier)
        else:
            self._judged = judged_by(self.folder, replay)
            self._coupons = None
            self._bearing_size = replay.size
            self._forget_rounds()
        self._follow_notes(replay, before)
        self._replay, self._stamp, self._vouched_by = replay, stamp, head

    def _follow_notes(self, replay: Replay, before: Replay | None) -> None:
        """Read cases and the shift's log on; where more came than notes, they are read again."""
        if before is None or replay.size == before.size:
            return
        is_of_notes = self._bearing_size < replay.size
        if self._cases is not None and not (
            is_of_notes and self._cases.follow(replay, before.size)
        ):
            self._cases = None
        if self._shifts is not None and not (
            is_of_notes and self._shifts.follow(replay, before.size)
        ):
            self._shifts = None

    @property
    def replay(self) -> Replay:
        """The replay; only while the record is held."""
        assert self._replay is not None
        return self._replay

    @property
    def judged(self) -> JudgedTables:
        """The judged tables; only while the record is held."""
        assert self._judged is not None
        return self._judged

    @property
    def media(self) -> MediaFolder:
        """The files of cases that were uploaded."""
        return MediaFolder(self.folder)

    @property
    def property_clock(self) -> PropertyClock:
        """The property's clock."""
        return self.judged.record.clock

    @property
    def property_name(self) -> str | None:
        """The property as it names itself."""
        return self.judged.record.office.property_name

    @property
    def roster(self) -> Roster:
        """Who holds which credential."""
        return self.replay.roster()

    @property
    def cases(self) -> CaseFiles:
        """The cases, and who can prove who acts."""
        if self._cases is None:
            self._cases = CaseFiles.read(self.replay)
        return self._cases

    @property
    def shifts(self) -> ShiftRecord:
        """The log of the shifts."""
        if self._shifts is None:
            self._shifts = ShiftRecord.read(self.replay)
        return self._shifts

    def stamp(self) -> tuple[tuple[int, ...], ...]:
        """What is another one once ledger, read model or watch went on; nobody waits for it."""
        paths = (self.folder / CHECKPOINT, self.folder / CACHE / MARTS / HEAD, self._told_by_watch)
        return tuple(_stamp(path) for path in paths)

    @property
    def _told_by_watch(self) -> Path:
        return self.folder / CACHE / watch.FOLDER / watch.NAME

    def watched(self) -> tuple[Told, bool]:
        """What `pitledger watch` told so far, and whether one is running."""
        stamp = _stamp(self._told_by_watch)
        if self._told is None or self._told[0] != stamp:
            self._told = stamp, watch.read_told(self.folder / CACHE, Seals.of(self.folder))
        return self._told[1], bool(stamp) and watch.is_watched(self.folder / CACHE)

    def today(self) -> date:
        """The present gaming day."""
        return self.property_clock.day_of(self.clock())

    def sitting(self) -> str:
        """The name of the present sitting, in which a look at a reference is recorded once."""
        return f"{self.property_clock.local(self.clock()):%Y-%m-%d %H:00}"

    def round(self, text: str) -> RoundView:
        """One round with its facts, explained.

        Raises:
            RoundUnknown: the ledger has no such fact, or it lies in no round.
        """
        seen = self._rounds.pop(text, None)
        if seen is None:
            cache = self.folder / CACHE
            seen = self.services.round(self.replay, self.judged, cache, text, lasting=self._lasting)
        _keep(self._rounds, text, seen, KEPT_ROUNDS)
        return seen

    def read_ahead(self) -> None:
        """Read what a round's page asks of all earlier days of its table, table by table.

        Who comes first is spared it, and waits for one table at most. A ledger that cannot be read
        is left to who asks for a page.
        """
        with suppress(LedgerError):
            with self.present():
                tables = dict(self.replay.tables())
            for table, streams in tables.items():
                with self.present():
                    last = max(self.replay.extent(stream).last_time for stream in streams)
                    day = self.property_clock.day_of(last)
                    in_force(self.replay, day, table=table, by_day=self.standing)
                    self._lasting.before(self.replay, table, last)
                sleep(BETWEEN_TABLES_SECONDS)

    def _forget_rounds(self) -> None:
        self._rounds.clear()
        self._patrons.clear()
        self._masked.clear()

    def patrons_of(self, text: str) -> Patrons:
        """The patrons whom a round names, and labels that stand for them.

        Raises:
            RoundUnknown: there is no such round.
        """
        seen = self.round(text)
        name = seen.result.round
        patrons = self._patrons.pop(name, None) or patrons_of_round(seen)
        _keep(self._patrons, name, patrons, KEPT_ROUNDS)
        return patrons

    def masked_round(self, text: str) -> RoundView:
        """One round in which labels stand for its patrons.

        Raises:
            RoundUnknown: there is no such round.
        """
        seen = self.round(text)
        name = seen.result.round
        masked = self._masked.pop(name, None) or self.patrons_of(text).masked(seen)
        _keep(self._masked, name, masked, KEPT_ROUNDS)
        return masked

    # --- coupons ------------------------------------------------------------------------------

    def coupons(self) -> tuple[FormDesk, Stamp]:
        """The coupon forms as the record stands.

        Raises:
            NoCoupons: the ledger has no fact of the program.
        """
        if self._coupons is None:
            self._coupons = self.services.coupon_desk(self.folder, self.replay)
        return self._coupons

    def position_of(self, ref: FactRef) -> int | None:
        """The position of a fact in the ledger; None where it is not there."""
        return self.replay.recorded_at(*ref)

    # --- the read model -----------------------------------------------------------------------

    def model(self) -> ReadModel:
        """The read model, which may be of an earlier state than the replay.

        Raises:
            ReadModelMissing: there is none yet.
        """
        stamp = _stamp(self.folder / CACHE / MARTS / HEAD)
        if self._model is None or stamp != self._model_stamp or self._questions >= QUESTIONS:
            self._open_model(stamp)
        if self._model_size < self.replay.size:
            self._make_model()
        if self._model is None:
            raise ReadModelMissing
        return self._model

    @property
    def behind(self) -> int:
        """How many entries of the ledger the read model has not taken in yet."""
        return self.replay.size - self._model_size

    def _open_model(self, stamp: tuple[int, ...]) -> None:
        state, _ = inspect_projection(self.folder)
        if state not in _USABLE:
            return
        if self._model is not None:
            self._model.close()
            self._model = None
        self._model = read_model(self.folder, when_stale="use")
        self._model_size, self._model_stamp = self._model.projection.tree_size, stamp
        self._proved_at.clear()
        self._bundles = None  # it may rest on entries after the checkpoint that was read
        self._questions = 0

    def _make_model(self) -> None:
        """Let another process bring the read model forward; one at a time, once for each size."""
        if self._maker is not None and self._maker.poll() is None:
            return
        if self.environment is None or self._made_for == self.replay.size:
            return
        self._made_for = self.replay.size
        command = ["-m", "ledger", "sql", "--ledger", str(self.folder.absolute()), "SELECT 1"]
        self._maker = subprocess.Popen(
            [sys.executable, *command],
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def find(self, line: str, most: int) -> SearchAnswer:
        """Find the rounds that a search line can mean.

        Raises:
            SearchUnclear: a word cannot be read, or names what there is not.
            ReadModelMissing: there is nothing to search in yet.
        """
        model = self.model()
        self._questions += 1
        return find_in(
            model,
            self.folder,
            line,
            today=self.today,
            most=most,
            prove=self._prove_days,
            day_of=self._day_of,
        )

    def _day_of(self, ref: FactRef) -> date | None:
        """The gaming day of a fact; None where the ledger has none such."""
        moment = self.replay.merged_at(*ref)
        return None if moment is None else self.property_clock.day_of(moment)

    def rows(
        self, select: str, parameters: list[object], days: Iterable[date] | None = None
    ) -> list[dict[str, Any]]:
        """Rows of the read model by the names of their columns.

        Args:
            select: the question.
            parameters: what stands for its question marks.
            days: only what is of these gaming days is read, and the entries behind it are proved;
                None: all.

        Raises:
            ReadModelMissing: there is none yet.
            IntegrityBroken: an entry behind the answer is not what was signed.
        """
        model = self.model()
        wanted = frozenset(self.gaming_days() if days is None else days)
        if days is None:
            prove_entries(self.folder, model.projection)
        else:
            self._prove_days(wanted)
        self._questions += 1
        with model.narrowed(wanted):  # so that its files are held against their hashes each time
            answer = model.execute(select, parameters)
            names = [column[0] for column in answer.description or ()]
            return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]

    def _prove_days(self, days: Iterable[date]) -> None:
        """Prove the entries of gaming days and of the office, unless that was just done.

        Raises:
            IntegrityBroken: an entry is not what was signed.
        """
        moment = self.clock()
        due = {
            day
            for day in (None, *days)
            if abs(moment - self._proved_at.get(day, moment - PROVED_MICROSECONDS))
            >= PROVED_MICROSECONDS
        }
        if due:
            of_days = {day for day in due if day is not None}
            projection = self.model().projection
            self._bundles = self._bundles or bundle_states_of(self.folder, projection)
            prove_entries(
                self.folder, projection, of_days, office=None in due, states=self._bundles
            )
            self._proved_at |= dict.fromkeys(due, moment)

    def gaming_days(self) -> list[date]:
        """The gaming days of the read model, the last one first.

        Raises:
            ReadModelMissing: there is none yet.
        """
        return [marts.day for marts in reversed(self.model().projection.days)]

    def of_day(
        self,
        name: str,
        day: date,
        make: Callable[[], T],
        *,
        may_lag: bool = False,
        made_from: object = None,
    ) -> T:
        """Something of a gaming day, made once for each state of ledger and read model.

        Args:
            name: what it is called.
            day: the gaming day.
            make: makes it.
            may_lag: while the read model is behind, it is made once for the state of that.
            made_from: made anew only where this is another; None: where the ledger or the read
                model is another.
        """
        model = self._model_size
        state = (self.replay.size, model) if made_from is None else made_from
        kept = self._of_days.pop((name, day), None)
        is_lagging = may_lag and self.behind and kept is not None and kept[1] == model
        if kept is None or (kept[0] != state and not is_lagging):
            kept = state, model, make()
        _keep(self._of_days, (name, day), kept, KEPT_OF_DAYS)
        content: T = kept[2]
        return content

    def of_facts(
        self,
        name: str,
        day: date,
        make: Callable[[], T],
        *,
        has_rows: bool = False,
        may_lag: bool = False,
    ) -> T:
        """Something of a gaming day that is made of facts of the house and of tables alone.

        What persons note (``NOTES``) makes it no other.

        Args:
            name: what it is called.
            day: the gaming day.
            make: makes it.
            has_rows: it has rows of the read model, too.
            may_lag: as for ``of_day``.
        """
        made_from = self._bearing_size, self._marts_of(day) if has_rows else None
        return self.of_day(name, day, make, may_lag=may_lag, made_from=made_from)

    @property
    def acts_size(self) -> int:
        """How many entries the ledger had when somebody last did something with an action."""
        return self._acts_size

    def _marts_of(self, day: date) -> tuple[str, ...]:
        """The names of the read model's files of a gaming day, which their bytes give them."""
        days = self.model().projection.days
        files = [marts.files for marts in days if marts.day == day]
        return tuple(sorted(file.name for own in files for file in own.values()))

    def neighbours(self, round_: str, day: date) -> tuple[str | None, str | None]:
        """The rounds before and after one at its table; None where there is none, or no model.

        Args:
            round_: its id.
            day: its gaming day; no other than this one and its neighbors is looked at.

        Raises:
            IntegrityBroken: an entry of these days is not what was signed.
        """
        table = table_of(round_.rpartition(":")[0])
        earlier, later = day - timedelta(days=1), day + timedelta(days=1)
        with suppress(ReadModelMissing):
            own = self._in_order(table, day)
            if round_ in own:
                at = own.index(round_)
                before = own[at - 1 : at] if at else self._in_order(table, earlier)[-1:]
                after = own[at + 1 : at + 2] or self._in_order(table, later)[:1]
                return next(iter(before), None), next(iter(after), None)
        return None, None

    def _in_order(self, table: str, day: date) -> tuple[str, ...]:
        """The rounds of a table on a gaming day of the read model, as they opened; proved."""
        self._prove_days([day])

        def read() -> tuple[str, ...]:
            select = "SELECT round FROM rounds WHERE table_name = ? ORDER BY opened_at, round"
            rows = self.model().rows_of_days("rounds", {day}, select, [table])
            return tuple(name for (name,) in rows)

        return self.of_day(f"rounds of {table}", day, read, made_from=self._marts_of(day))


def _keep(kept: dict[K, T], name: K, content: T, most: int) -> None:
    """Keep something as what was used last, and at most so much."""
    kept[name] = content
    while len(kept) > most:
        del kept[next(iter(kept))]


def _stamp(path: Path) -> tuple[int, ...]:
    """What tells a file that was replaced from the one before; empty without one."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_ino, status.st_mtime_ns, status.st_size
