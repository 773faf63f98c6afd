"""The input of a step: the ledger, the day, and the outputs of the steps before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from ledger.analytics import JudgedTables
from ledger.audit import Day, HouseRecord, Theory, book_of, day_of, read_office, with_coupons
from ledger.audit.kept_outcomes import KIND, KeptOutcomes
from ledger.casework import Laws
from ledger.coupons import CustodyRegister
from ledger.kernel import PropertyClock
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import EarlierLog, read_log
from ledger.log.port import ReadableLog
from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.night.manifest import Manifest
from ledger.night.store import FILES_ONLY, DerivedValues, OutputTypes, StepOutput, StoredOutput
from ledger.replay import Replay
from ledger.reports.night import Phase


class Ground:
    """A ledger as one process reads it: what is costly is read once, when the first step asks.

    Args:
        replay: the replay of the ledger.
        folder: the folder of the ledger.
        derived: where derived values are kept; None: in the ledger's own ``cache`` folder.
    """

    def __init__(self, replay: Replay, folder: Path, derived: Path | None = None) -> None:
        self.replay = replay
        self.folder = folder
        self.derived_folder = folder / "cache" if derived is None else derived
        self.seals = Seals.of(folder)
        outcomes = SealedFolder(self.derived_folder / KIND, KIND, self.seals)
        self.outcomes = KeptOutcomes(outcomes)
        self._keys: dict[str, str] = {}

    def derived(self, kind: str, hint: object) -> DerivedValues:
        """Return the values of one kind and declared type in the ledger's cache.

        Args:
            kind: what they are, one word: the name of their folder, and part of their seal.
            hint: their declared type, as it would stand in an annotation.
        """
        return DerivedValues(SealedFolder(self.derived_folder / kind, kind, self.seals), hint)

    def whole_key(self, stream: str) -> str:
        """Return ``Replay.prefix_key`` over all of a stream, in hexadecimal; computed once.

        Raises:
            KeyError: the stream has no fact.
        """
        if stream not in self._keys:
            last = self.replay.extent(stream).last_seq
            self._keys[stream] = self.replay.prefix_key(stream, last).hex()
        return self._keys[stream]

    @cached_property
    def log(self) -> ReadableLog:
        """The log at the replay's size, without what was appended since the replay was made."""
        log = read_log(self.folder)
        return log if log.size == self.replay.size else EarlierLog(log, self.replay.size)

    @cached_property
    def record(self) -> HouseRecord:
        """What the offices stated, without the custody of coupons.

        Raises:
            PropertyUnknown: no fact describes the property.
        """
        return read_office(self.replay)

    @cached_property
    def book(self) -> CustodyRegister | None:
        """The custody of all coupons, None where there are none."""
        return book_of(self.replay, self.record)

    @cached_property
    def theory(self) -> Theory:
        """What wagers are worth in theory; the exact figures of a filing are computed once."""
        return Theory(self.record.office, self.outcomes)

    @cached_property
    def laws(self) -> Laws:
        """What the wagers of a round can come to; each pick of a filing is priced once."""
        return Laws(self.record.office, self.outcomes)

    @cached_property
    def judged(self) -> JudgedTables:
        """What was judged of tables' days, which every reader of the ledger shares."""
        judged = JudgedTables(self.replay, self.derived_folder)
        judged.record, judged.house = self.record, self.house
        return judged

    @property
    def carried(self) -> Path:
        """Folder of the carried states, a cache."""
        return self.derived_folder / "carried"

    @cached_property
    def house(self) -> HouseRecord:
        """What the offices stated, with the custody of coupons for those who ask."""
        return with_coupons(self.replay, self.record, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepInput:
    """The input of one step of one gaming day.

    Attributes:
        ground: the ledger.
        day: the gaming day with its bounds.
        phase: before the count or after it; ``FINAL`` for a step that is the same for both.
        table: the table of a step that runs once for each; empty for any other step.
        outputs: the outputs of the steps that it needs, by the name of the job: ``NAME``, or
            ``NAME/TABLE`` for each table. They hold nothing of what was put aside.
    """

    ground: Ground
    day: Day
    phase: Phase
    table: str = ""
    outputs: Mapping[str, StepOutput] = field(default_factory=dict)
    stored: Mapping[str, StoredOutput] = field(default_factory=dict)
    """Where the outputs of these steps stand."""
    draft: Manifest = field(default_factory=dict)
    """The manifest so far, for a step that shows how things stand when the issue is made."""

    @property
    def replay(self) -> Replay:
        """The ledger's replay."""
        return self.ground.replay

    @property
    def house(self) -> HouseRecord:
        """What the offices stated."""
        return self.ground.house

    @property
    def clock(self) -> PropertyClock:
        """The property's clock."""
        return self.ground.record.clock

    def result(self, step: str) -> Any:
        """Return the result of a step that this one needs, of the type that the step declares.

        Raises:
            KeyError: the step is not among those that this one needs.
        """
        return self.outputs[step].result

    def results(self, step: str) -> list[Any]:
        """Return the results of a step per table, in byte order of the tables."""
        names = sorted(
            (name for name in self.outputs if name.startswith(f"{step}/")), key=str.encode
        )
        return [self.outputs[name].result for name in names]

    def aside(self, step: str, aside: str) -> Iterator[Any]:
        """Yield what a step per table has put aside under a name, in byte order of the tables.

        One table's value is read at a time.

        Raises:
            StepLost: the file of an output is gone or has changed.
        """
        for name in sorted(
            (one for one in self.outputs if one.startswith(f"{step}/")), key=str.encode
        ):
            yield self.stored[name].read_aside(aside)


Run = Callable[[StepInput], StepOutput]


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the table of steps.

    Attributes:
        name: its name; its jobs are called ``NAME/TABLE`` where it runs once for each table.
        run: a pure function of its input.
        types: the declared types of what it makes.
        needs: the steps whose outputs it reads.
        per_table: whether it runs once for each table of the day.
        kept: whether the next run may take over its output. A verification is always done again.
        by_phase: whether its output before the count differs from that after it.
        looks_back: whether it also reads the days before, and caches what it derives of each.
    """

    name: str
    run: Run
    types: OutputTypes = FILES_ONLY
    needs: tuple[str, ...] = ()
    per_table: bool = False
    kept: bool = True
    by_phase: bool = False
    looks_back: bool = False


def bounds_of_day(ground: Ground, day: date) -> Day:
    """Return a gaming day with its bounds by the property's clock."""
    return day_of(ground.record.clock, day)
