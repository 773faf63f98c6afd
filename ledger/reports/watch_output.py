"""What a watch says: findings line by line, how far it is, one table as it stands."""

from __future__ import annotations

from urllib.parse import urlsplit

from rich.console import Group, RenderableType
from rich.text import Text

from ledger.audit.in_force import Span
from ledger.events import CameraAssigned, LimitsSet
from ledger.kernel import MICROSECONDS, PropertyClock, dollars, duration_words, plural
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.fact_sentences import tell
from ledger.reports.table_style import plain_table
from ledger.rounds import RoundResult
from ledger.watch import ALL_TABLES, Change, FeedLimit, Notice, Refused, Silence, TableNow, Told

_WORDS = {Change.FOUND: "", Change.RESTATED: "RESTATED ", Change.WITHDRAWN: "WITHDRAWN "}
_INDENT = " " * 10
IN_FORCE = ("staff", "limits", "camera")
"""What of all that holds at a table its page shows, in this order."""


def notice_text(notice: Notice, clock: PropertyClock) -> str:
    """A finding in two lines, and a third where it changed what was told before."""
    at = "" if notice.happened_at is None else clock.time_on(notice.gaming_day, notice.happened_at)
    unsure = "" if notice.certainty == "broken" else ", cannot be ruled out"
    where = f"round {notice.round}" if notice.round else f"fact {notice.facts[-1]}"
    lines = [
        f"{at:8}  {_WORDS[notice.change]}{notice.table}  {notice.sentence}",
        f"{_INDENT}{notice.severity}{unsure}; {notice.section}; {where}",
    ]
    if notice.because:
        lines.append(f"{_INDENT}because {notice.because}")
    return "\n".join(lines) + "\n"


def silence_text(silence: Silence, clock: PropertyClock) -> str:
    """A table that fell silent or a picture that was lost, or that is back, in one line."""
    last = clock.local(silence.last_at).strftime("%H:%M:%S")
    floor = clock.local(silence.floor_at).strftime("%H:%M:%S")
    if silence.camera is not None:
        if silence.is_over:
            return f"{floor:8}  PICTURE BACK {silence.table}  {silence.camera}, lost since {last}\n"
        return f"{floor:8}  PICTURE LOST {silence.table}  {silence.camera}, since {last}\n"
    where = silence.table if silence.stream is None else f"{silence.table}, feed {silence.stream}"
    if silence.is_over:
        return f"{floor:8}  HEARD AGAIN {where}\n"
    limit = f"; {silence_limit_words(silence.limit_micros, silence.limit_fact)}"
    if silence.table == ALL_TABLES:
        return f"{floor:8}  SILENT {where}  nothing reached the ledger since {last}{limit}\n"
    if silence.is_behind:
        late = duration_words(silence.floor_at - silence.last_at)
        return f"{floor:8}  BEHIND {where}  its newest fact, of {last}, is {late} late{limit}\n"
    return f"{floor:8}  SILENT {where}  open, and nothing came from it since {last}{limit}\n"


def silence_limit_words(limit_micros: int | None, fact: str | None) -> str:
    """How long a table or a feed may be silent, and who says so.

    >>> silence_limit_words(300_000_000, None)
    'told after 5 min, no limit is registered'
    >>> silence_limit_words(90_000_000, "house:7")
    'told after 1 min 30 s, as registered'
    """
    allowed = duration_words(limit_micros or 0)
    return f"told after {allowed}, " + ("as registered" if fact else "no limit is registered")


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchLag:
    """How far a ledger is ahead of what was told of it.

    Attributes:
        size: the ledger's entries.
        waits_seconds: how long ago the first entry that was not judged yet was recorded; None where
            there is none, or it does not say.
        asked_at: when this is asked, microseconds UTC.
    """

    size: int
    waits_seconds: float | None
    asked_at: int = 0

    def catches_up_in(self, memory: Told) -> float | None:
        """In how many seconds of judging all would be told; None where no pace is known."""
        return (self.size - memory.size) / memory.pace if memory.pace > 0 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiverLag:
    """How far behind a receiver of notices is.

    Attributes:
        receiver: its name without passwords and the like; empty for the watch's own output.
        waiting: so many notices wait for it.
        waits_seconds: how long ago the first of them was told; None without any, or if not known.
        refused: how it refused, and when it is asked again; None: it takes what it is given.
        asked_again_seconds: in how long; None where it refused nothing.
    """

    receiver: str
    waiting: int
    waits_seconds: float | None
    refused: Refused | None
    asked_again_seconds: float | None


def receiver_lags(memory: Told, asked_at: int) -> list[ReceiverLag]:
    """Return how far behind each receiver is: those of the last watch, and for whom else some wait.

    Args:
        memory: what was told and what waits.
        asked_at: when this is asked, microseconds UTC.
    """
    waiting: dict[str, list[int]] = {name: [] for name in memory.receivers}
    for waits in memory.pending.values():
        waiting.setdefault(waits.receiver, []).append(waits.since)

    def seconds(micros: int) -> float:
        return max(0.0, micros / MICROSECONDS)

    lags = []
    for name, times in waiting.items():
        first, refused = min(times, default=0), memory.refused.get(name)
        lags.append(
            ReceiverLag(
                receiver=public_name(name), waiting=len(times), refused=refused,
                waits_seconds=seconds(asked_at - first) if first else None,
                asked_again_seconds=refused and seconds(refused.asked_again_at - asked_at),
            )
        )  # fmt: skip
    return lags


def public_name(receiver: str) -> str:
    """Return the name of a receiver without what may let others in: a password, a token.

    >>> public_name("https://me:secret@pager.example:8443/pit?token=abc")
    'https://pager.example:8443/pit'
    """
    parts = urlsplit(receiver) if receiver.startswith(("http://", "https://")) else None
    if parts is None:
        return receiver
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _receiver_line(lag: ReceiverLag) -> str:
    """How far behind a receiver is, in one line."""
    name = lag.receiver or "this watch's own output"
    if not lag.waiting:
        return f"  {name}: took all"
    line = f"  {name}: {plural(lag.waiting, 'notice')} to be handed on"
    if lag.waits_seconds is not None:
        line += f", the first told {_duration(lag.waits_seconds)} ago"
    if lag.refused is not None:
        again = lag.asked_again_seconds
        line += f"; refused {plural(lag.refused.times, 'time')}: {lag.refused.why}"
        line += f"; asked again in {_duration(again)}" if again else "; asked again at once"
    return line


@dataclass(frozen=True, slots=True)
class SilenceLimits:
    """How long each table may be silent, and each feed that has a limit of its own.

    Attributes:
        feeds: each of them, with its limit.
        up_to: by so many entries of the ledger.
    """

    feeds: tuple[FeedLimit, ...] = ()
    up_to: int = 0


def silence_limits_data(limits: SilenceLimits) -> list[dict[str, object]]:
    """Limits of silence in force, as plain data; without a fact it is the default."""
    return [
        {
            "table": limit.feed.table,
            "stream": limit.feed.stream,
            "terminal": limit.terminal,
            "seconds": limit.micros / MICROSECONDS,
            "is_default": limit.fact is None,
            "fact": limit.fact,
        }
        for limit in limits.feeds
    ]


def _silence_limit_lines(limits: SilenceLimits, size: int) -> list[str]:
    """Limits of silence in force; what has the same one stands in one line.

    Args:
        limits: the limits.
        size: entries of the ledger.
    """
    together: dict[tuple[int, str | None], list[str]] = {}
    for (table, stream), micros, fact, terminal in limits.feeds:
        name = table
        if stream is not None:
            name = f"feed {stream}" + (f" ({terminal})" if terminal else "")
        together.setdefault((micros, fact), []).append(name)
    lines = [
        f"  silence  {silence_limit_words(micros, fact)}"
        + (f" in {fact}" if fact else "")
        + f": {', '.join(names)}"
        for (micros, fact), names in together.items()
    ]
    is_earlier = lines and limits.up_to < size
    return [*lines, f"  silence  as known at entry {limits.up_to:,}"] if is_earlier else lines


def status_data(
    memory: Told, lag: WatchLag, limits: SilenceLimits | None = None, *, is_running: bool
) -> dict[str, object]:
    """How far a watch is, as plain data."""
    seconds = lag.catches_up_in(memory)
    return {
        "running": is_running,
        "told_up_to": memory.size,
        "tree_size": lag.size,
        "behind": lag.size - memory.size,
        "behind_seconds": None if lag.waits_seconds is None else round(lag.waits_seconds, 3),
        "entries_a_second": round(memory.pace) or None,
        "catches_up_in_seconds": None if seconds is None else round(seconds, 3),
        "standing": {day.isoformat(): len(known) for day, known in sorted(memory.days.items())},
        "waiting": len(memory.pending),
        "receivers": [
            {
                "receiver": known.receiver,
                "waiting": known.waiting,
                "waits_seconds": known.waits_seconds,
                "refused_times": 0 if known.refused is None else known.refused.times,
                "refused_because": None if known.refused is None else known.refused.why,
                "asked_again_seconds": known.asked_again_seconds,
            }
            for known in receiver_lags(memory, lag.asked_at)
        ],
        "silence_limits": silence_limits_data(limits or SilenceLimits()),
        "silence_limits_up_to": None if limits is None else limits.up_to,
    }


def status_text(
    memory: Told, lag: WatchLag, limits: SilenceLimits | None = None, *, is_running: bool
) -> str:
    """How far a watch is, for people."""
    behind = lag.size - memory.size
    lines = [
        "A watch is running." if is_running else "No watch is running.",
        f"  told     up to entry {memory.size:,} of {lag.size:,}"
        + (f"; {plural(behind, 'entry', 'entries')} behind" if behind else ", the last one"),
    ]
    if behind and lag.waits_seconds is not None:
        lines.append(f"  behind   the first was recorded {_duration(lag.waits_seconds)} ago")
    if memory.pace > 0:
        pace = f"  pace     {memory.pace:,.0f} entries judged in a second"
        seconds = lag.catches_up_in(memory)
        is_catching_up = behind and seconds is not None
        lines.append(pace + (f"; all are told in {_duration(seconds)}" if is_catching_up else ""))
    for day, known in sorted(memory.days.items()):
        lines.append(f"  {day}  {plural(len(known), 'finding')} told and standing")
    if memory.pending:
        lines.append(f"  waiting  {plural(len(memory.pending), 'notice')} to be handed on")
    lines += map(_receiver_line, receiver_lags(memory, lag.asked_at))
    lines += _silence_limit_lines(limits or SilenceLimits(), lag.size)
    return "\n".join(lines) + "\n"


def _duration(seconds: float | None) -> str:
    return duration_words(round((seconds or 0.0) * MICROSECONDS))


def table_now_data(standing: TableNow) -> dict[str, object]:
    """One table as it stands, as plain data."""
    return {
        "table": standing.table,
        "until": standing.until,
        "game": standing.game,
        "round": None if standing.under_way is None else standing.under_way.round,
        "wagers": [] if standing.under_way is None else [
            {
                "wager_id": wager.wager_id, "wager": wager.wager, "seat": wager.position,
                "patron": wager.patron, "stake_cents": wager.stake_cents,
            }
            for wager in standing.under_way.wagers
        ],
        "holds": [
            {"kind": span.kind, "fact": tell(span.fact, standing.clock), "since": span.begins,
             "sure": span.sure}
            for span in standing.holds
        ],
        "over": [
            {"round": result.round, "shown": result.shown, "status": result.status.value,
             "findings": [finding.code for finding in result.findings]}
            for result in standing.over
        ],
    }  # fmt: skip


def table_now_page(standing: TableNow) -> RenderableType:
    """One table as it stands, for people."""
    at = standing.clock.local(standing.until).strftime("%H:%M:%S, %B %-d, %Y")
    heading = f"{standing.table}, {standing.game or 'no game open'}, as of {at}"
    parts: list[RenderableType] = [Text(heading, style="bold"), Text(), *_under_way(standing)]
    parts += [Text(), Text("In force", style="bold")]
    shown = sorted(
        (span for span in standing.holds if span.kind in IN_FORCE),
        key=lambda span: IN_FORCE.index(span.kind),
    )
    parts += [
        Text(f"  {_in_force(span, standing.clock)}" + ("" if span.sure else " (not certain)"))
        for span in shown
    ] or [Text("  nothing is recorded")]
    parts += [Text(), Text("Last rounds", style="bold")]
    table = plain_table()
    for name in ("round", "time", "outcome", "status", "findings"):
        table.add_column(name, overflow="fold")
    for result in standing.over:
        table.add_row(
            result.round,
            standing.clock.time_on(result.gaming_day, result.opened_at),
            result.unknown_because or result.shown or "",
            result.status.value,
            Text("; ".join(finding.sentence for finding in result.findings), style="red"),
        )
    parts.append(table if standing.over else Text("  none yet"))
    return Group(*parts)


def _in_force(span: Span, clock: PropertyClock) -> str:
    """What holds at a table since when, in a line for who looks at it from afar."""
    since = clock.local(span.begins).strftime("%H:%M")
    match span.fact:
        case LimitsSet() as limits:
            least, most = (
                None if cents is None else dollars(cents)
                for cents in (limits.minimum_cents, limits.maximum_cents)
            )
            bounds = [f"from {least}"] if least else []
            bounds += [f"to {most}"] if most else []
            if limits.increment_cents:
                bounds.append(f"in steps of {dollars(limits.increment_cents)}")
            return f"{limits.wager or 'any wager'}: {' '.join(bounds) or 'no limit'}, since {since}"
        case CameraAssigned() as camera:
            covers = f", {camera.covers}" if camera.covers else ""
            return f"camera {camera.camera}{covers}, since {since}"
    return f"{tell(span.fact, clock)}, since {since}"


def _under_way(standing: TableNow) -> list[RenderableType]:
    result: RoundResult | None = standing.under_way
    if result is None:
        return [Text("No round is under way.")]
    since = standing.clock.time_on(result.gaming_day, result.opened_at)
    lines: list[RenderableType] = [Text(f"Round {result.round}, open since {since}", style="bold")]
    table = plain_table()
    for name in ("wager", "seat", "patron", "on"):
        table.add_column(name)
    table.add_column("stake", justify="right")
    for wager in result.wagers:
        on = " ".join([wager.wager.replace("_", " "), *map(str, wager.picks)])
        table.add_row(
            wager.wager_id, wager.position or "", wager.patron or "", on, dollars(wager.stake_cents)
        )
    lines.append(table if result.wagers else Text("  no wager yet"))
    if result.wagers:
        stake = dollars(sum(wager.stake_cents for wager in result.wagers))
        lines.append(Text(f"  {plural(len(result.wagers), 'wager')}, {stake} at stake"))
    return lines
