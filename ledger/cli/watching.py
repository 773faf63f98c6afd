"""The command that says what is found as facts arrive."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from ledger.cli.broker_options import BootstrapOption, PrefixOption, broker_settings
from ledger.cli.errors import CommandWrong
from ledger.cli.long_lived_objects import LongLivedObjects
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_exact, emit_json, emit_json_line, say, show
from ledger.kernel.quick_dataclass import dataclass

if TYPE_CHECKING:
    from ledger.kernel import LedgerError, PropertyClock
    from ledger.log.signed_file_index import Seals
    from ledger.reports.watch_output import SilenceLimits
    from ledger.watch import FloorWatch, Notice, Silence, Tick, Told
    from ledger.watch.erasures import Erasures
    from ledger.watch.receiver_queue import ReceiverQueue
    from ledger.watch.topic_comparison import TopicComparison
    from ledger.watch.topic_publisher import TopicPublisher

    Receive = Callable[[list[Notice], Callable[[Notice], None]], None]

JUDGE_SECONDS: Final = 0.05
"""An ingest goes on alone for at least so long between two looks at what it took."""
INGEST_SHARE: Final = 0.5
"""And for at least so many times what the last look took, so that one that has much to take in goes
on taking it: with a third of the time it takes more than the looks can judge in the rest."""
GATHER_SECONDS: Final = 0.75
"""While much comes, looks begin so far apart, as a look at many facts costs less for each."""
GATHERED: Final = 5.0
"""But no more than so many times what the last look took after its end: a fact that comes alone
does not wait."""
PAUSE: Final = 0.25
"""Seconds between two looks at the ledger."""
REMEMBER_SECONDS: Final = 1.0
"""How far the watch is need not be sealed more often than this; what it told is, at once."""
PACE_KEPT: Final = 0.9
"""How much of the pace of one look still counts at the next one."""
SLICE_SECONDS: Final = 0.25
"""After so long the rest of a closed day's audit is left until after the next look, between two
tables. Where a look takes longer, facts wait, and no table is audited after it."""
LOOKS_WAITED: Final = 8
"""But after so many looks one is, however many facts wait."""
READ_AT_ONCE: Final = 20_000
"""So many entries that no kept index covers a status reads, a tenth of a second; not more."""
HERE: Final = ""
"""In place of a receiver's name: what is to be said on our own output."""
RETRY: Final = 2.0
"""Seconds until a receiver that did not take a notice is asked again; twice as long after each time
that it did not, for others wait while it is asked."""
UNSEALED: Final = (
    "Nothing is remembered without the ledger's key: a restart tells everything again."
)
UNWRITTEN: Final = (
    "What was told cannot be noted: the disk is full, or the ledger's cache may not be written. It "
    "is tried again; a restart before that tells it again. [watch_not_noted]"
)
LONGEST_RETRY: Final = 60.0
"""No receiver is left alone longer than so many seconds."""
CLEAR: Final = "\x1b[H\x1b[2J"
"""Takes a terminal back to an empty page."""


def watch(
    *,
    table: Annotated[str | None, Parameter(show_default=False)] = None,
    since: Annotated[date | None, Parameter(name="--since", show_default=False)] = None,
    once: Annotated[bool, Parameter(negative="")] = False,
    status: Annotated[bool, Parameter(negative="")] = False,
    publish: Annotated[bool, Parameter(negative="")] = False,
    notify: Annotated[list[str] | None, Parameter(negative="", show_default=False)] = None,
    bootstrap: BootstrapOption = None,
    topic_prefix: PrefixOption = None,
    options: Options = OPTIONS,
) -> int:
    """Judge facts as they arrive, and say each finding as soon as nothing to come can change it.

    It follows the ledger that `pitledger ingest --follow` fills. What was told is remembered: a
    restart repeats nothing. A finding that a late fact or the closed day changes is restated or
    withdrawn, and says why. A table that falls silent while it is open is told, too.

    The exit code is 1 if anything that was told stands.

    Args:
        table: a page of one table instead: the round under way, wagers, limits, staff, last rounds.
        since: the first gaming day that is told; default the ledger's last. It counts only when
            the ledger is watched for the first time.
        once: say what can be said now, then end.
        status: how far the watch is, and what waits to be handed on; nothing is judged.
        publish: send each finding to the topic PREFIX.findings.v1, too.
        notify: a command that gets each finding as JSON on its standard input, or an address that
            gets it by POST; it is tried again until it is taken. May be given again.
        bootstrap: HOST:PORT of the broker; default PITLEDGER_KAFKA, then 127.0.0.1:19092.
        topic_prefix: stands before .findings.v1; default pitledger.
    """
    from ledger.log import read_log
    from ledger.log.kafka import stop_on_signals
    from ledger.watch.told import alone

    read_log(options.folder)  # refuses where there is none, before anything is made
    if status:
        return _status(options)
    with stop_on_signals() as stop, ExitStack() as opened:
        if table is not None:
            return _page(options, table, once=once, stop=stop)
        opened.enter_context(alone(options.folder / "cache"))
        teller = Teller.of(options, since, notify or [])
        opened.callback(teller.close)
        if publish:
            teller.publish_to(broker_settings(bootstrap, topic_prefix, None))
        while not stop():
            is_new = teller.look()
            if not once:
                teller.say_if_idle(time.time_ns() // 1_000)
            if once:
                while teller.watch.is_auditing:
                    is_new |= teller.look()
                teller.drain()
                if not is_new and not options.is_json:
                    emit("Nothing new: what stands was told before, or nothing was found.\n")
                break
            time.sleep(PAUSE)
    return 1 if teller.stands() else 0


@dataclass(slots=True)
class Refusal:
    """A receiver that did not take what it was given.

    Attributes:
        why: what was said of it last.
        pause: seconds until it is asked again.
        until: before this moment of the process's clock it is not asked.
    """

    why: str
    pause: float
    until: float


@dataclass(slots=True)
class Teller:
    """Says, hands on and remembers what a watch finds.

    Attributes:
        watch: the watch.
        memory: what was told.
        seals: of the ledger, for what is remembered.
        receivers: by target, what takes notices from a list, the first ones first, and says of each
            that was taken that it was.
        is_json: one JSON document a line instead of text.
        erasures: what is erased in the ledger; None where nothing can be.
    """

    watch: FloorWatch
    memory: Told
    seals: Seals
    folder: Path
    receivers: dict[str, Receive] = field(default_factory=dict)
    is_json: bool = False
    erasures: Erasures | None = None
    _publisher: TopicPublisher | None = None
    _comparison: TopicComparison | None = None
    _queues: dict[str, ReceiverQueue] = field(default_factory=dict)
    _refusals: dict[str, Refusal] = field(default_factory=dict)
    _was_said: bool = False
    _remembered: float = 0.0
    _is_ahead: bool = False
    _looks_waited: int = LOOKS_WAITED
    _objects: LongLivedObjects = field(default_factory=LongLivedObjects)
    _spent: float = 0.0
    _judged: float = 0.0

    @classmethod
    def of(cls, options: Options, since: date | None, notify: Iterable[str]) -> Teller:
        """Begin to tell of a ledger."""
        from ledger.log.signed_file_index import Seals
        from ledger.watch import FloorWatch, Told
        from ledger.watch.erasures import Erasures
        from ledger.watch.notify import receiver_of
        from ledger.watch.receiver_queue import ReceiverQueue, TakenNotices
        from ledger.watch.told import read_told

        seals, erasures = Seals.of(options.folder), Erasures.of(options.folder)
        memory = read_told(options.folder / "cache", seals)
        if memory.erased != erasures.state:  # it may show what was erased since
            memory = Told(begins=memory.begins, erased=erasures.state)
        teller = cls(
            FloorWatch(options.folder, memory, since, audits_later=True),
            memory, seals, options.folder, is_json=options.is_json, erasures=erasures,
        )  # fmt: skip
        for target in notify:
            if not target.strip():
                raise CommandWrong("Say what to notify: a command or an address.", "watch")
            taken = TakenNotices(target, options.folder / "cache", seals)
            queue = ReceiverQueue(receiver_of(target), taken, erasures)
            teller._queues[target], teller.receivers[target] = queue, queue.hand_on
        teller._note_receivers()
        return teller

    def publish_to(self, settings: object) -> None:
        """Send notices to the topic of findings, too."""
        from ledger.log import read_log
        from ledger.log.kafka import KafkaSettings
        from ledger.watch.findings_topic import FindingsTopic
        from ledger.watch.topic_comparison import TopicComparison
        from ledger.watch.topic_publisher import TopicPublisher

        assert isinstance(settings, KafkaSettings)
        assert self.erasures is not None
        topic = FindingsTopic(settings, read_log(self.folder).origin)
        self._publisher = TopicPublisher(topic)
        self._comparison = TopicComparison(topic, self.memory, self.erasures)
        self.receivers[topic.target] = self._publisher.hand_on
        self._note_receivers()

    def _note_receivers(self) -> None:
        """Note for the status who they are; of others it says only what waits."""
        memory = self.memory
        memory.receivers = tuple(self.receivers)
        memory.refused = {
            name: why for name, why in memory.refused.items() if name in self.receivers
        }

    def look(self) -> bool:
        """Judge what came, say it, hand it on, and remember it; whether there was anything."""
        from ledger.audit import PropertyUnknown

        if self.erasures is not None:
            self.erasures.check()
        began, before = time.monotonic(), self.watch.judged
        try:
            tick = self.watch.tick()
        except PropertyUnknown:  # the first facts of a new ledger may come in any order
            tick = None
        took = time.monotonic() - began
        self._note_pace(took, self.watch.judged - before)
        is_new = self._tell(tick)
        self._hand_on()
        was_auditing = self.watch.is_auditing
        if was_auditing and self._may_audit(took):
            is_new |= self._tell(self.watch.audit_on(SLICE_SECONDS))
        if not self.watch.is_auditing:  # else it is not known yet what stands
            self._compare_topic()
            if was_auditing:
                self._objects.note_day_over()
        self._hand_on()
        is_quiet = tick is None
        if self._is_ahead and (is_quiet or time.monotonic() - self._remembered >= REMEMBER_SECONDS):
            self._remember()
        self._objects.after_look(self.watch.judged, is_quiet=is_quiet)
        return is_new

    def _may_audit(self, took: float) -> bool:
        """Whether a closed day is audited on after a look that took so many seconds."""
        self._looks_waited += 1
        if took > SLICE_SECONDS and self._looks_waited < LOOKS_WAITED:
            return False
        self._looks_waited = 0
        return True

    def _tell(self, tick: Tick | None) -> bool:
        """Seal what a tick lets be said, say it, and let the receivers wait for it; whether there
        was anything."""
        if tick is None or tick.clock is None:
            return False
        for silence in tick.silences:
            self._say_silence(silence, tick.clock)
        told_at = time.time_ns() // 1_000
        for name in (HERE, *self.receivers):
            for notice in tick.notices:
                self.memory.wait_for(name, notice, told_at)
        self._is_ahead = True
        is_new = bool(tick.notices or tick.silences)
        if is_new:
            self._remember()
        self._say_pending(tick.clock)
        return is_new

    def _say_pending(self, clock: PropertyClock) -> None:
        """Say what waits to be said here, which was sealed before, and note that it was said.

        A kill before the note says it again. Were it said before it is sealed, a kill between the
        two would leave nobody who withdraws it when a late fact takes it away.
        """
        mine = self.memory.waiting_for(HERE)
        if not mine:
            return
        for notice in mine:
            self._say(notice, clock)
            self.memory.was_taken(HERE, notice)
        self._remember()

    def say_if_idle(self, watched_at: int) -> None:
        """Say, once, that nothing comes any more from tables that are open.

        Args:
            watched_at: by the clock of this machine, microseconds UTC.
        """
        silence = self.watch.idle(watched_at)
        if silence is not None and self.watch.clock is not None:
            self._say_silence(silence, self.watch.clock)
            self._remember()

    def stands(self) -> bool:
        """Whether anything that was told stands."""
        return any(self.memory.days.values())

    def close(self) -> None:
        """Remember how far this came, and let go of what was opened."""
        try:
            for queue in self._queues.values():
                queue.stop()
            for name, queue in self._queues.items():
                queue.close()
                self._hand_on_to(name, queue.hand_on)
            if self._is_ahead:
                self._remember()
        finally:
            if self._publisher is not None:
                self._publisher.close()

    def drain(self) -> None:
        """Wait until the receivers took what waits for them, or refused it."""
        for receiver in (self._publisher, *self._queues.values()):
            while receiver is not None and receiver.wait() and receiver.has_ended:
                self._hand_on()

    def _compare_topic(self) -> None:
        """Let the topic say what stands; not while something is under way there."""
        publisher, comparison = self._publisher, self._comparison
        if publisher is None or comparison is None or publisher.is_busy:
            return
        before = self.memory.masked
        for notice in comparison.missing(self.watch.replay, self.watch.has_judged):
            self.memory.wait_for(publisher.topic.target, notice, time.time_ns() // 1_000)
        self._is_ahead |= self.memory.masked != before

    def _hand_on(self) -> None:
        """Give what waits to those who take it; whoever does not is asked again a little later.

        Each of them gives in a thread of its own; which notices it took is said here since.
        """
        for name, receive in self.receivers.items():
            refusal = self._refusals.get(name)
            if refusal is None or time.monotonic() >= refusal.until:
                self._hand_on_to(name, receive)

    def _hand_on_to(self, name: str, receive: Receive) -> None:
        from ledger.kernel import LedgerError
        from ledger.replay import ErasedSince
        from ledger.watch import WatchFenced

        mine = self.memory.waiting_for(name)
        if not mine:
            return

        def taken(notice: Notice) -> None:
            self.memory.was_taken(name, notice)
            self._refusals.pop(name, None)
            self.memory.refused.pop(name, None)
            self._is_ahead = True

        try:
            receive(mine, taken)
        except (WatchFenced, ErasedSince):
            raise
        except LedgerError as error:
            self._refuse(name, error)

    def _refuse(self, name: str, error: LedgerError) -> None:
        """Say why a receiver took nothing, once while it is the same, and when to ask again."""
        from ledger.kernel import MICROSECONDS
        from ledger.watch.told import Refused

        before = self._refusals.get(name)
        why = f"{type(error).__name__} {error}"
        pause = RETRY if before is None else min(2 * before.pause, LONGEST_RETRY)
        self._refusals[name] = Refusal(why, pause, time.monotonic() + pause)
        known = self.memory.refused.get(name)
        times = 1 if known is None else known.times + 1
        asked_again_at = time.time_ns() // 1_000 + round(pause * MICROSECONDS)
        self.memory.refused[name] = Refused(times, str(error), asked_again_at)
        self._is_ahead = True
        if before is None or before.why != why:
            say(f"{error} ({len(self.memory.waiting_for(name)):,} wait)")

    def _note_pace(self, seconds: float, entries: int) -> None:
        """Note how fast entries are judged; the looks before count less and less."""
        if entries:
            self._spent = PACE_KEPT * self._spent + seconds
            self._judged = PACE_KEPT * self._judged + entries
            self.memory.pace = self._judged / max(self._spent, 1e-6)

    def _remember(self) -> None:
        from ledger.watch.told import keep_told

        self._remembered, self._is_ahead = time.monotonic(), False
        if keep_told(self.memory, self.folder / "cache", self.seals, self.erasures):
            self._was_said = False
            for queue in self._queues.values():
                queue.settle()
        elif not self._was_said:
            self._was_said = True
            say(UNSEALED if self.seals.signer is None else UNWRITTEN)

    def _say(self, notice: Notice, clock: PropertyClock) -> None:
        from ledger.reports.watch_output import notice_text
        from ledger.watch import notice_data

        if self.is_json:
            emit_json_line(notice_data(notice))
        else:
            emit(notice_text(notice, clock))

    def _say_silence(self, silence: Silence, clock: PropertyClock) -> None:
        from ledger.reports.watch_output import silence_text
        from ledger.watch import silence_data

        if self.is_json:
            emit_json_line({"silence": silence_data(silence)})
        else:
            emit(silence_text(silence, clock))


def _status(options: Options) -> int:
    from ledger.log import read_log
    from ledger.log.signed_file_index import Seals
    from ledger.reports.watch_output import WatchLag, status_data, status_text
    from ledger.watch.receiver_queue import still_waiting
    from ledger.watch.told import is_watched, read_told

    log, seals = read_log(options.folder), Seals.of(options.folder)
    memory = read_told(options.folder / "cache", seals)
    memory.pending = {
        (waits.receiver, waits.notice.id): waits
        for waits in still_waiting(memory.pending.values(), options.folder / "cache", seals)
    }
    waits = None
    if memory.size < log.size:
        ((_, entry),) = log.entries(memory.size, memory.size + 1)
        recorded = getattr(entry, "record_time", None)
        waits = None if recorded is None else max(0.0, time.time() - recorded / 1e6)
    lag = WatchLag(size=log.size, waits_seconds=waits, asked_at=time.time_ns() // 1_000)
    limits = _silence_limits(options.folder, memory)
    is_running = is_watched(options.folder / "cache")
    if options.is_json:
        emit_json(status_data(memory, lag, limits, is_running=is_running))
    else:
        emit(status_text(memory, lag, limits, is_running=is_running))
    return 0 if memory.size == log.size and not memory.pending else 1


def _silence_limits(folder: Path, memory: Told) -> SilenceLimits:
    """How long each table and feed may be silent; nothing while no property is described.

    Where more entries than ``READ_AT_ONCE`` would have to be read for it, as the last watch knew
    them at its last look.
    """
    from ledger.audit import PropertyUnknown, read_office
    from ledger.replay import Replay
    from ledger.reports.watch_output import SilenceLimits
    from ledger.watch import Feed
    from ledger.watch.silences import feed_limits, last_time

    if memory.limits and Replay.unread(folder) > READ_AT_ONCE:
        return SilenceLimits(memory.limits, up_to=memory.size)
    replay = Replay.open(folder)
    newest = max((last_time(replay, Feed(table)) for table in replay.tables()), default=0)
    try:
        office = read_office(replay).office
    except PropertyUnknown:
        return SilenceLimits(up_to=replay.size)
    return SilenceLimits(feed_limits(replay, office, newest), up_to=replay.size)


def _page(options: Options, table: str, *, once: bool, stop: Callable[[], bool]) -> int:
    from ledger.cli.days import table_named
    from ledger.replay import Replay
    from ledger.reports.watch_output import table_now_data, table_now_page
    from ledger.watch import TablePage

    page = TablePage(options.folder, table_named(Replay.open(options.folder), table))
    while not stop():
        standing = page.grown()
        if standing is not None:
            if options.is_json:
                emit_json_line(table_now_data(standing))
            else:
                if sys.stdout.isatty() and not once:
                    emit_exact(CLEAR)
                show(table_now_page(standing))
        if once:
            break
        time.sleep(PAUSE)
    return 0


def seconds_until_next(took: float) -> float:
    """Return how long an ingest goes on alone after a look that took so many seconds."""
    gathered = min(GATHERED * took, GATHER_SECONDS - took)
    return max(JUDGE_SECONDS, INGEST_SHARE * took, gathered)


class LooksBetween:
    """Judges between two batches of an ingest what came since; without a teller, nothing.

    Attributes:
        due: from which moment of the process's clock on the next look is due; what comes until then
            may be gathered.
    """

    def __init__(self, teller: Teller | None = None) -> None:
        self._teller = teller
        self.due = time.monotonic() if teller is not None else 0.0

    def look(self) -> None:
        """Judge, where a look is due."""
        began = time.monotonic()
        if self._teller is not None and began >= self.due:
            self._teller.look()
            ended = time.monotonic()
            self.due = ended + seconds_until_next(ended - began)


@contextmanager
def judging(options: Options, *, wanted: bool) -> Iterator[LooksBetween]:
    """Give what judges between two batches; at the end the rest is judged."""
    if not wanted:
        yield LooksBetween()
        return
    from ledger.watch.told import alone

    with alone(options.folder / "cache"):
        teller = Teller.of(options, None, ())
        try:
            yield LooksBetween(teller)
            teller.look()
            while teller.watch.is_auditing:
                teller.look()
        finally:
            teller.close()
