"""Appending a file of JSON lines: in batches, in flat memory, each bad line named."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, BinaryIO, Final, cast

from ledger.audit import FAR_DAYS, is_played, own_days
from ledger.cli.errors import CommandWrong, FileUnreadable
from ledger.cli.output import ProgressReport
from ledger.cli.unsigned_tail import open_ledger
from ledger.cli.wall_clock import read_clock
from ledger.codec import frame, key_of
from ledger.intake import Act, FactLine, RefusedLine, additions, read_lines
from ledger.kernel import MICROSECONDS
from ledger.log import CONFLICT, Arrival, FileLog, read_log
from ledger.replay import Replay
from ledger.reports import AppendedLines, Refused

BATCH: Final = 20_000
"""How many lines become durable together."""
KEPT: Final = 1_000
"""How many refused lines the answer names; all are counted, and all are named on stderr."""
SPOOL_BYTES: Final = 64_000_000
"""How much of a strict append waits in memory, before it waits in a temporary file."""

GAP: Final = "gap_needs_approval"
HAND_ENTRY: Final = "hand_entry_needs_approval"
_NEEDED_BY_TOPIC: Final = (
    "its terminal has a topic of its own; entered by hand it needs --by, --reason and --approved-by"
)
_NEEDED: Final = (
    "the number is missing in its stream: a gap is filled by hand with --by, --reason and"
    " --approved-by, the credential of a second person"
)
UNCONFIRMED: Final = "unconfirmed"
"""The code of a line typed by hand that is unlikely and was not confirmed."""
DAY: Final = 86_400 * MICROSECONDS
EPOCH: Final = date(1970, 1, 1).toordinal()

Say = Callable[[str], None]


@contextmanager
def open_lines(file: str) -> Iterator[BinaryIO]:
    """The file that was named, or standard input.

    Raises:
        FileUnreadable: it cannot be read.
        CommandWrong: it is a misspelt option.
    """
    if file == "-":
        yield sys.stdin.buffer
        return
    if file.startswith("-"):
        raise CommandWrong(f"Unknown option: {file}.", "pitledger append")
    try:
        opened = open(file, "rb")  # noqa: SIM115 - closed below; only the opening is refused here
    except OSError as error:
        raise FileUnreadable(file, error) from error
    with opened:
        try:
            yield opened
        except IsADirectoryError as error:
            raise FileUnreadable(file, error) from error


LEAP: Final = 1_000
"""Numbers that a stream may leave out before a typed number is taken for a slip."""


class _Unlikely:
    """What is improbable about a fact, given the ledger before it: its number, or its date."""

    def __init__(self, folder: Path) -> None:
        self.index = read_log(folder).index()
        self.top: dict[str, int] = {}
        days: Counter[date] = Counter()
        for stream, dates in self.index.dates.items():
            if is_played(stream):
                for number, count in dates.items():
                    days[date.fromordinal(EPOCH + number)] += count
        self.days = own_days(days)

    def has(self, stream: str, seq: int) -> bool:
        """Whether the ledger has a fact of this stream and number."""
        return int(self.index.find(stream, [seq])[0]) >= 0

    def why(self, stream: str, seq: int, at: int) -> tuple[str, str] | None:
        """The field that is unlikely, and a sentence; None where nothing is.

        Args:
            stream: the fact's stream.
            seq: its number in the stream.
            at: its event time, microseconds UTC.
        """
        if stream not in self.top:
            spans = self.index.known.keys.get(stream)
            self.top[stream] = 0 if spans is None else spans.top
        top, self.top[stream] = self.top[stream], max(self.top[stream], seq)
        if seq > top + LEAP:
            return "seq", f"number {seq:,} leaps: the last of {stream} is {top:,}"
        day = date.fromordinal(EPOCH + at // DAY)
        if self.days and is_played(stream):
            off = max((day - self.days[-1]).days, (self.days[0] - day).days)
            if off > FAR_DAYS:
                span = f"{self.days[0]} to {self.days[-1]}"
                return "event_time", f"{day} lies years off the ledger's days, {span}"
        return None


class _Counts:
    """What became of the lines so far."""

    def __init__(self, refused: Say, unlikely: _Unlikely, *, asks: bool) -> None:
        self.say = refused
        self.unlikely, self.asks = unlikely, asks
        self.warnings: list[Refused] = []
        self.lines = self.accepted = self.repeated = self.conflicts = self.quarantined = 0
        self.refused = 0
        self.named: list[Refused] = []

    def admits(self, line: int, framed: bytes) -> bool:
        """Warn of a fact that is unlikely; typed by hand it must be confirmed first."""
        stream, seq, at = key_of(framed)
        why = self.unlikely.why(stream, seq, at)
        if why is None:
            return True
        if self.asks:
            self.refuse(line, UNCONFIRMED, why[0], f"{why[1]}; if it is right, repeat with --yes")
            return False
        self.say(f"line {line}: warning: {why[1]}")
        if len(self.warnings) < KEPT:
            self.warnings.append(Refused(line=line, code="unlikely", path=why[0], reason=why[1]))
        return True

    def refuse(self, line: int, code: str, path: str, reason: str) -> None:
        self.refused += 1
        self._name(line, code, path, reason)

    def record(self, log: FileLog, batch: list[Arrival], numbers: list[int]) -> None:
        done = log.append(batch, read_clock())
        self.accepted += done.accepted
        self.repeated += done.repeated
        self.conflicts += done.conflicts
        self.quarantined += done.quarantined
        for trouble in done.troubles:
            if trouble.reason == CONFLICT:
                self._name(
                    numbers[trouble.arrival],
                    CONFLICT,
                    "seq",
                    f"another record of this stream and number is in the ledger already;"
                    f" this one was quarantined at position {trouble.position}",
                )

    def _name(self, line: int, code: str, path: str, reason: str) -> None:
        self.say(f"line {line}: {code}{f' at {path}' if path else ''}: {reason}")
        if len(self.named) < KEPT:
            self.named.append(Refused(line=line, code=code, path=path, reason=reason))

    def result(self, log: FileLog | None, folder: Path) -> AppendedLines:
        size, root = (log.size, log.root) if log else _head(folder)
        return AppendedLines(
            accepted=self.accepted,
            repeated=self.repeated,
            conflicts=self.conflicts,
            quarantined=self.quarantined,
            refused=self.refused,
            named=tuple(self.named),
            warnings=tuple(self.warnings),
            tree_size=size,
            root=root.hex(),
        )


def append_lines(
    folder: Path,
    lines: BinaryIO,
    *,
    strict: bool,
    key: Path | None,
    witness: Path | None,
    refused: Say,
    report: ProgressReport,
    act: Act | None = None,
    preview: bool = False,
    asks: bool = False,
) -> AppendedLines:
    """Append the good lines; in strict mode none unless all are good.

    A line that fills a gap of its stream is taken only where a person adds it and another one
    approves that; the record says who.

    Args:
        folder: the ledger.
        lines: opened for bytes.
        strict: all or nothing.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        witness: a checkpoint kept elsewhere.
        refused: told of each bad line.
        report: told how many lines are done.
        act: who fills gaps, why, and who approved it; None: nobody does.
        preview: append nothing, and say what would become of each line.
        asks: refuse what is unlikely until it is confirmed.

    Raises:
        PersonNeeded, CredentialNotHeld, NotEntitled: ``act`` names nobody who may.
    """
    counts = _Counts(refused, _Unlikely(folder), asks=asks)
    if preview:
        for _, framed in _good(lines, counts, report):
            stream, seq, _ = key_of(framed)
            known = counts.unlikely.has(stream, seq)
            counts.repeated, counts.accepted = (
                counts.repeated + known,
                counts.accepted + (not known),
            )
        return replace(counts.result(None, folder), is_preview=True)
    if not strict:
        with open_ledger(folder, key=key, witness=witness) as log:
            _append(log, _whole(folder, log, _good(lines, counts, report), counts, act), counts)
            return counts.result(log, folder)
    _head(folder)
    with SpooledTemporaryFile(max_size=SPOOL_BYTES) as spool:
        waiting = cast("IO[bytes]", spool)
        for number, framed in _good(lines, counts, report):
            waiting.write(number.to_bytes(8, "big") + len(framed).to_bytes(4, "big") + framed)
        if counts.refused:
            return counts.result(None, folder)
        waiting.seek(0)
        with open_ledger(folder, key=key, witness=witness) as log:
            if act is None:
                entries, is_refused = _HandEntries(log), False
                for number, framed in _spooled(waiting):
                    if (needed := entries.needs(framed)) is not None:
                        counts.refuse(number, *needed)
                        is_refused = True
                if is_refused:
                    return counts.result(None, folder)
            waiting.seek(0)
            _append(log, _whole(folder, log, _spooled(waiting), counts, act), counts)
            return counts.result(log, folder)


def _whole(
    folder: Path,
    log: FileLog,
    good: Iterator[tuple[int, bytes]],
    counts: _Counts,
    act: Act | None,
) -> Iterator[tuple[int, bytes]]:
    """The lines that may enter: where nobody stands by, those that need no person."""
    entries = _HandEntries(log)
    if act is None:
        for number, framed in good:
            needed = entries.needs(framed)
            if needed is None:
                yield number, framed
            else:
                counts.refuse(number, *needed)
        return
    lines = list(good)
    filling = [framed for _, framed in lines if entries.needs(framed) is not None]
    if filling:
        digest = sha256(b"".join(framed for _, framed in lines)).digest()
        facts = additions(Replay.open(folder), filling, act, digest)
        log.append_whole([Arrival(frame(fact)) for fact in facts], act.at)
    yield from lines


class _HandEntries:
    """Which facts nobody enters by hand alone, as the ledger stood before.

    Those are the numbers that a stream lacks below its last one, and all of a stream whose terminal
    has a topic of its own: what does not come by it is judged by the person who enters it.
    """

    def __init__(self, log: FileLog) -> None:
        self.index = log.index()
        self.known = log.snapshot.entries_state()[0]
        self.gaps: dict[str, list[tuple[int, int]]] = {}

    def needs(self, framed: bytes) -> tuple[str, str, str] | None:
        """Code, field and reason why a fact needs a person and an approval; None if it does not."""
        stream, seq, _ = key_of(framed)
        if stream in self.known.writers.proven and seq not in self.known.keys[stream]:
            return HAND_ENTRY, "stream", _NEEDED_BY_TOPIC
        gaps = self.gaps.get(stream)
        if gaps is None:
            known = stream in self.index.streams()
            gaps = self.gaps[stream] = self.index.gaps(stream) if known else []
        return (GAP, "seq", _NEEDED) if any(low <= seq <= high for low, high in gaps) else None


def _good(lines: BinaryIO, counts: _Counts, report: ProgressReport) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of each good line; the bad ones are counted and named."""
    for done, line in enumerate(read_lines(lines), 1):
        if done % BATCH == 0:
            report(done, 0)
        match line:
            case FactLine():
                if counts.admits(line.number, line.framed):
                    yield line.number, line.framed
            case RefusedLine():
                counts.refuse(line.number, line.code.value, line.path, line.reason)


def _spooled(spool: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    while head := spool.read(12):
        yield int.from_bytes(head[:8], "big"), spool.read(int.from_bytes(head[8:], "big"))


def _append(log: FileLog, good: Iterator[tuple[int, bytes]], counts: _Counts) -> None:
    batch: list[Arrival] = []
    numbers: list[int] = []
    for number, framed in good:
        batch.append(Arrival(framed))
        numbers.append(number)
        if len(batch) == BATCH:
            counts.record(log, batch, numbers)
            batch, numbers = [], []
    if batch:
        counts.record(log, batch, numbers)


def _head(folder: Path) -> tuple[int, bytes]:
    """Size and root of the ledger as it is; refuses where there is none."""
    log = read_log(folder)
    return log.size, log.root
