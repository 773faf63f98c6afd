"""`pitledger observe`: what a recording shows of a round, and its confirmation by another."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final
from zoneinfo import ZoneInfo

from cyclopts import Parameter

from ledger.cli.ledger_commands import KeyOption, WitnessOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, progress, show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.analytics import JudgedTables, RoundLine
    from ledger.casework import ObservationForm
    from ledger.events import Fact
    from ledger.kernel import PropertyClock
    from ledger.replay import Replay

MINUTE: Final = 60_000_000
MOST_NAMED: Final = 6
By = Annotated[str | None, Parameter(name="--by", show_default=False)]


def observe(
    file: Annotated[
        str | None, Parameter(name="FILE", show_default=False, allow_leading_hyphen=True)
    ] = None,
    /,
    *,
    by: By = None,
    form: Annotated[str | None, Parameter(name="--form", show_default=False)] = None,
    key: KeyOption = None,
    witness: WitnessOption = None,
    options: Options = OPTIONS,
) -> int:
    """State what a recording shows of a round; it counts once a second person confirmed it.

    Without FILE the questions are asked one by one at a terminal.

    Args:
        file: the filled-in form; '-' reads standard input.
        by: your credential.
        form: print an empty form for this round, such as SB-01:1234, and do nothing else.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.cli.errors import CommandWrong

    if file is not None and file.startswith("-") and file != "-":
        raise CommandWrong(f"Unknown option: {file}.", "pitledger observe")
    if form is not None:
        if file is not None:
            raise CommandWrong("Give FILE or --form, not both.", "pitledger observe")
        return _print_form(form, options)
    if by is None:
        raise CommandWrong("Say who looked at the recording: --by CREDENTIAL.", "pitledger observe")
    return _state(file, by, key, witness, options)


def observe_confirm(
    number: Annotated[str, Parameter(name="ID")],
    /,
    *,
    by: Annotated[str, Parameter(name="--by")],
    key: KeyOption = None,
    witness: WitnessOption = None,
    options: Options = OPTIONS,
) -> int:
    """Confirm, as the second person, what somebody else saw on a recording.

    Args:
        number: of the observation; `pitledger observe list` shows it.
        by: your credential.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.audit import read_office
    from ledger.casework import confirmed
    from ledger.cli.wall_clock import read_clock
    from ledger.replay import Replay

    at = read_clock()
    replay = Replay.open(options.folder)
    facts = confirmed(replay, read_office(replay), number, by, at)
    return _append(replay, facts, by, at, "confirmed", key, witness, options)


def observe_list(*, options: Options = OPTIONS) -> int:
    """List what was seen on recordings: which round, by whom, and whether it is confirmed.

    The exit code is 1 while one waits for its confirmation.
    """
    from ledger.audit import observations, read_office
    from ledger.replay import Replay
    from ledger.reports import observations_data, observations_page

    replay = Replay.open(options.folder)
    known = observations(replay)
    if options.is_json:
        emit_json(observations_data(known))
    else:
        show(observations_page(known, read_office(replay).clock))
    waiting = [one for one in known if one.confirmed is None and one.bar is None]
    return 1 if waiting else 0


# ---------------------------------------------------------------------------- reading


def _read(file: str | None) -> ObservationForm:
    from ledger.casework import MOST_BYTES, parse_form, read_form
    from ledger.cli.errors import CommandWrong, FileUnreadable

    if file is None:
        if not sys.stdin.isatty():
            raise CommandWrong("Name the file of the form.", "pitledger observe")
        return read_form(_asked())
    try:
        if file == "-":
            document = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(file).open("rb") as opened:
                document = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise FileUnreadable(file, error) from error
    return parse_form(document, Path(file).name)


def _asked() -> dict[str, Any]:
    """Ask for the parts of a form; an empty answer stands for "cannot see"."""
    emit("What does the recording show? Press Enter for what cannot be seen.\n")
    plain: dict[str, Any] = {}
    for name, question in (
        ("table", "Table, such as SB-01"),
        ("camera", "Camera"),
        ("time", "Date and time on the recording, such as 2021-06-12 21:05:30"),
    ):
        plain[name] = _ask(question)
    plain["camera_ahead"] = _seconds(_ask("Camera clock ahead by how many seconds (-3: behind)"))
    dice = _ask("Dice, such as 2 3 5 or green 2, green 3, red 5")
    if dice:
        plain["dice"] = _dice(dice)
    sections = _ask("Wheel sections in order, with commas")
    if sections:
        plain["sections"] = [part.strip() for part in sections.split(",")]
    hands = list(_asked_parts("Hand: seat", ("high", "medium", "low")))
    wagers = list(_asked_parts("Wager: seat", ("name", "picks", "stake", "paid", "collected")))
    for wager in wagers:
        wager["picks"] = [_whole(one) for one in str(wager["picks"]).split()]
    plain |= {"hand": hands} if hands else {}
    plain |= {"wager": wagers} if wagers else {}
    plain["note"] = _ask("Anything else")
    return plain


def _asked_parts(first: str, names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    while seat := _ask(f"{first} (Enter: no more)"):
        yield {"seat": seat, **{name: _ask(f"  {name}") for name in names}}


def _ask(question: str) -> str:
    emit(f"{question}: ")
    return sys.stdin.readline(2_100).strip()


def _seconds(text: str) -> object:
    from decimal import Decimal, InvalidOperation

    try:
        return Decimal(text) if text else None
    except InvalidOperation:
        return text


def _dice(text: str) -> list[object]:
    parts = text.split(",") if "," in text else text.split()
    return [_whole(part.strip()) for part in parts]


def _whole(text: str) -> object:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else text


# ---------------------------------------------------------------------------- stating


def _state(
    file: str | None, by: str, key: Path | None, witness: Path | None, options: Options
) -> int:
    from ledger.analytics import JudgedTables
    from ledger.audit import read_office
    from ledger.casework import ObservationRefused, observed
    from ledger.cli.days import seen_round, table_named
    from ledger.cli.wall_clock import read_clock
    from ledger.replay import Replay
    from ledger.reports import recorded_round

    replay = Replay.open(options.folder)
    form = _read(file)
    at = read_clock()
    with progress("replaying", ""):
        judged = JudgedTables(replay, options.folder / "cache")
        clock = judged.record.clock
        table = table_named(replay, form.table)
        seen_time = _moment(form, clock)
        line = _round_at(replay, judged, table, form, seen_time, clock)
        recorded = recorded_round(seen_round(options.folder, line.round)[0])
    if recorded.result.table != table:
        raise ObservationRefused(f"{line.round} is no round of {table}.")
    facts = observed(replay, read_office(replay), recorded, form, seen_time, by, at)
    return _append(replay, facts, by, at, f"recorded for {line.round}", key, witness, options)


def _moment(form: ObservationForm, clock: PropertyClock) -> int:
    """The moment that was looked at, by the property's clock, microseconds UTC."""
    from ledger.casework import FormWrong
    from ledger.kernel import FIRST_YEAR, LAST_YEAR, to_micros

    shown, zone = form.shown_at, ZoneInfo(clock.time_zone)
    ahead = form.camera_ahead_micros or 0
    if not FIRST_YEAR <= shown.year <= LAST_YEAR:
        raise FormWrong("time", "no clock shows such a time")
    if shown.tzinfo is not None:
        return to_micros(shown) - ahead
    early, late = (shown.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if early.utcoffset() != late.utcoffset():
        back = datetime.fromtimestamp(early.timestamp(), zone).replace(tzinfo=None)
        if back != shown:
            raise FormWrong("time", "the clocks skipped this time")
        raise FormWrong(
            "time",
            "the clocks showed this time twice; write it with the offset from UTC, such as"
            " 2021-11-07T01:30:00-04:00",
        )
    return to_micros(early) - ahead


def _round_at(
    replay: Replay,
    judged: JudgedTables,
    table: str,
    form: ObservationForm,
    at: int,
    clock: PropertyClock,
) -> RoundLine:
    """The one round of a table that was under way at a moment.

    Raises:
        ObservationRefused: the ledger has nothing of that time, no round of the table was under
            way, or several were.
    """
    from ledger.audit import gaming_days
    from ledger.casework import ObservationRefused

    known = gaming_days(replay)
    day = clock.day_of(at)
    if day not in known and day - timedelta(days=1) not in known:
        raise ObservationRefused(
            f"The ledger has no fact of {clock.local(at):%Y-%m-%d %H:%M:%S}.",
            cause=f"its gaming days are {known[0]} to {known[-1]}" if known else "it has none",
            next_step="check the date, and the offset of the camera's clock",
        )
    days = [one for one in (day - timedelta(days=1), day) if one in known]
    lines = [line for one in days for line in judged.lines(one, table)]
    until = at + (MINUTE - 1 if form.to_the_minute else 0)
    fits = [
        line
        for line in lines
        if line.opened_at <= until and (line.closed_at is None or at <= line.closed_at)
    ]
    if form.round is not None:
        named = [line for line in fits if line.round.casefold() == form.round.casefold()]
        if named:
            return named[0]
    if len(fits) == 1 and form.round is None:
        return fits[0]
    time = f"{clock.local(at):%H:%M:%S} on {clock.local(at):%Y-%m-%d}"
    if fits and form.round is None:
        raise ObservationRefused(
            f"{len(fits)} rounds of {table} were under way then ({time}).",
            cause="; ".join(_spell(line, clock) for line in fits[:MOST_NAMED]),
            next_step='name one with round = "..." or give the seconds',
        )
    named = [
        line for line in lines if form.round and line.round.casefold() == form.round.casefold()
    ]
    near = named or sorted(lines, key=lambda line: abs(line.opened_at - at))[:2]
    subject = f"{form.round} was not" if form.round is not None else f"No round of {table} was"
    raise ObservationRefused(
        f"{subject} under way at {time}.",
        cause="; ".join(_spell(line, clock) for line in near) or f"{table} had no round then",
        next_step="check the time, and the offset of the camera's clock",
    )


def _spell(line: RoundLine, clock: PropertyClock) -> str:
    begins = clock.local(line.opened_at)
    ends = "" if line.closed_at is None else f" to {clock.local(line.closed_at):%H:%M:%S}"
    return f"{line.round} from {begins:%H:%M:%S}{ends}"


def _append(
    replay: Replay,
    facts: tuple[Fact, ...],
    by: str,
    at: int,
    words: str,
    key: Path | None,
    witness: Path | None,
    options: Options,
) -> int:
    from ledger.casework import ObservationRefused
    from ledger.cli.action_desk import NOT_CHECKED
    from ledger.cli.person import prove
    from ledger.cli.unsigned_tail import open_ledger
    from ledger.codec import frame, to_plain
    from ledger.events import ObservationConfirmed
    from ledger.log import Arrival
    from ledger.log.errors import NotWhole

    facts = (*facts[:-1], prove(options.folder, replay, by, facts[-1], at, key))
    with open_ledger(options.folder, key=key, witness=witness) as log:
        try:
            log.append_whole([Arrival(frame(fact)) for fact in facts], at)
        except NotWhole as error:
            raise ObservationRefused(
                "Somebody else acted at the same moment; nothing was recorded.",
                next_step="`pitledger observe list`, then repeat",
            ) from error
        position = log.size - 1
    fact = facts[-1]
    number = fact.observation_seq if isinstance(fact, ObservationConfirmed) else fact.seq
    checked = replay.roster().is_known
    if options.is_json:
        emit_json(
            {
                "observation": number,
                "fact": to_plain(fact),
                "position": position,
                "checked": checked,
            }
        )
        return 0
    emit(f"Observation {number} {words} ({fact.stream}:{fact.seq}).\n")
    if not isinstance(fact, ObservationConfirmed):
        emit(f"  next  a second person: `pitledger observe confirm {number} --by CREDENTIAL`\n")
    if not checked:
        emit(NOT_CHECKED)
    return 0


def _print_form(round_id: str, options: Options) -> int:
    from ledger.casework import cameras_at
    from ledger.cli.days import seen_round
    from ledger.replay import Replay
    from ledger.reports import empty_form, recorded_round

    seen, clock = seen_round(options.folder, round_id)
    recorded = recorded_round(seen)
    at = recorded.result.opened_at
    cameras = cameras_at(Replay.open(options.folder), recorded.result.table, at)
    emit(empty_form(recorded, [one.camera for one in cameras], clock))
    return 0
