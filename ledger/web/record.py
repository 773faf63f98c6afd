"""The ledger as the desk reads it: kept warm between requests, brought forward when it grew.

The process that serves pages never reads the ledger's private key. So it keeps no judgment and
makes no read model: another process, which ends when that is done, brings the read model forward.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from threading import RLock
from typing import Any, Final

from ledger.analytics import JudgedTables, ReadModel, read_model
from ledger.analytics.projection import FOLDER as MARTS
from ledger.analytics.projection import HEAD, ProjectionState, inspect_projection
from ledger.casework.cases import CaseFiles
from ledger.kernel import PropertyClock, SourceUnavailable
from ledger.log.keys import KEY_VARIABLE
from ledger.log.ledger_at_checkpoint import CACHE
from ledger.replay import Replay, Roster
from ledger.reports import RoundView
from ledger.search import SearchAnswer, find_in

CHECKPOINT: Final = "checkpoint"
KEPT_ROUNDS: Final = 64
ReadRound = Callable[[Replay, JudgedTables, Path, str], RoundView]
_USABLE: Final = (ProjectionState.FRESH, ProjectionState.BEHIND)


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
        read_round: the round of a fact, of what was read of the ledger; see ``cli.days``.
        environment: of the process that brings the read model forward.
    """

    folder: Path
    clock: Callable[[], int]
    read_round: ReadRound
    environment: Mapping[str, str] | None = None
    _lock: RLock = field(default_factory=RLock)
    _replay: Replay | None = None
    _judged: JudgedTables | None = None
    _cases: CaseFiles | None = None
    _stamp: tuple[int, ...] = ()
    _rounds: OrderedDict[str, RoundView] = field(default_factory=OrderedDict)
    _model: ReadModel | None = None
    _model_stamp: tuple[int, ...] = ()
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
        stamp = _stamp(self.folder / CHECKPOINT)
        if self._replay is not None and stamp == self._stamp:
            return
        replay = self._replay
        replay = Replay.following(self.folder) if replay is None else replay.grown()
        if self._replay is None or replay.size != self._replay.size:
            self._judged = JudgedTables(replay, self.folder / CACHE)
            self._rounds.clear()
            self._cases = None
        self._replay, self._stamp = replay, stamp

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

    def today(self) -> date:
        """The present gaming day."""
        return self.property_clock.day_of(self.clock())

    def round(self, text: str) -> RoundView:
        """One round with its facts, explained.

        Raises:
            RoundUnknown: the ledger has no such fact, or it lies in no round.
        """
        seen = self._rounds.get(text)
        if seen is None:
            seen = self.read_round(self.replay, self.judged, self.folder / CACHE, text)
            self._rounds[text] = seen
            while len(self._rounds) > KEPT_ROUNDS:
                self._rounds.popitem(last=False)
        else:
            self._rounds.move_to_end(text)
        return seen

    # --- the read model -----------------------------------------------------------------------

    def model(self) -> ReadModel:
        """The read model, which may be of an earlier state than the replay.

        Raises:
            ReadModelMissing: there is none yet.
        """
        stamp = _stamp(self.folder / CACHE / MARTS / HEAD)
        if self._model is None or stamp != self._model_stamp:
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
        return find_in(self.model(), self.folder, line, today=self.today, most=most)

    def rows(self, select: str, parameters: list[object]) -> list[dict[str, Any]]:
        """Rows of the read model by the names of their columns.

        Raises:
            ReadModelMissing: there is none yet.
        """
        answer = self.model().execute(select, parameters)
        names = [column[0] for column in answer.description or ()]
        return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]

    def neighbours(self, round_: str) -> tuple[str | None, str | None]:
        """The rounds before and after one at its table; None where there is none, or no model."""
        order = "SELECT round, lag(round) OVER w AS before, lead(round) OVER w AS after FROM rounds"
        table = "table_name = (SELECT table_name FROM rounds WHERE round = ?)"
        select = f"FROM ({order} WHERE {table} WINDOW w AS (ORDER BY opened_at, round))"
        with suppress(ReadModelMissing):
            for row in self.rows(f"{select} WHERE round = ?", [round_, round_]):
                return row["before"], row["after"]
        return None, None


def _stamp(path: Path) -> tuple[int, ...]:
    """What tells a file that was replaced from the one before; empty without one."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_ino, status.st_mtime_ns, status.st_size
