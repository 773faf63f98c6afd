"""Commands about actions and alerts: list, show, take, note, close, suppress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ledger.cli.judge import DayOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.out import emit, emit_json, progress, show
from ledger.cli.record import KeyOption, WitnessOption

if TYPE_CHECKING:
    from ledger.audit import HouseRecord
    from ledger.casework import Action, Alert, DayActions
    from ledger.events import Fact
    from ledger.replay import Replay

Id = Annotated[str, Parameter(name="ID")]
Out = Annotated[Path | None, Parameter(name="--out", show_default=False)]
By = Annotated[str, Parameter(name="--by")]
Make = Callable[["Replay", "HouseRecord", "Action", int], "tuple[Fact, ...]"]


def actions_list(
    *,
    day: DayOption = None,
    since: Annotated[date | None, Parameter(name="--since", show_default=False)] = None,
    every: Annotated[bool, Parameter(name="--all", negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """What is to be looked into: the findings of a gaming day, folded by cause, the gravest first.

    The exit code is 1 if any action is not closed.

    Args:
        day: the gaming day, such as 2021-06-12; default the last one in the ledger.
        since: all gaming days from this one to that day.
        every: those that are closed, too.
    """
    from ledger.reports import actions_data, actions_page

    with progress("auditing", ""):
        desk = _Desk(options.folder)
        days = desk.between(since, day)
    is_open = any(action.status.value != "closed" for one in days for action in one.actions)
    wanted = days if every else [_open(one) for one in days]
    if options.is_json:
        emit_json(actions_data(wanted))
    else:
        show(actions_page(wanted, desk.house.clock, desk.house.office.property_name))
    return 1 if is_open else 0


def actions_show(
    action: Id,
    /,
    *,
    day: DayOption = None,
    every: Annotated[bool, Parameter(negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """One action: what it is about, what was done, and the findings behind it.

    Args:
        action: its id, or the beginning of it.
        day: its gaming day; default the last one in the ledger, else that on which it was acted on.
        every: all findings, however many.
    """
    from ledger.reports import action_data, action_page

    with progress("auditing", ""):
        desk = _Desk(options.folder)
        of_day, found = desk.named(action, day)
    done = of_day.done.get(found.id, ())
    if options.is_json:
        emit_json(action_data(found, done, behind=True, unheld=of_day.unheld))
    else:
        show(action_page(found, done, desk.house.clock, every=every, unheld=of_day.unheld))
    return 0


def actions_take(
    action: Id,
    /,
    *,
    by: By,
    day: DayOption = None,
    key: KeyOption = None,
    witness: WitnessOption = None,
    options: Options = OPTIONS,
) -> int:
    """Take up an action: from now on it is in your hands.

    Args:
        action: its id, or the beginning of it.
        by: your credential.
        day: its gaming day; default the last one in the ledger, else that on which it was acted on.
        key: where the private key lies, if not in the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.casework import take

    def make(replay: Replay, house: HouseRecord, found: Action, at: int) -> tuple[Fact, ...]:
        return take(replay, house, found, by, at)

    return _act(action, day, make, f"taken by {by}", options, key, witness)


def actions_note(
    action: Id,
    text: Annotated[str, Parameter(name="TEXT")],
    /,
    *,
    by: By,
    day: DayOption = None,
    key: KeyOption = None,
    witness: WitnessOption = None,
    options: Options = OPTIONS,
) -> int:
    """Write something down about an action; what is written stays.

    Args:
        action: its id, or the beginning of it.
        text: what is to be remembered.
        by: your credential.
        day: its gaming day; default the last one in the ledger, else that on which it was acted on.
        key: where the private key lies, if not in the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.casework import note

    def make(replay: Replay, house: HouseRecord, found: Action, at: int) -> tuple[Fact, ...]:
        return note(replay, house, found, text, by, at)

    return _act(action, day, make, f"noted by {by}", options, key, witness)


def actions_close(
    action: Id,
    /,
    *,
    reason: str,
    by: By,
    day: DayOption = None,
    key: KeyOption = None,
    witness: WitnessOption = None,
    options: Options = OPTIONS,
) -> int:
    """Close an action. It stays closed until its evidence changes; then it is open again.

    Args:
        action: its id, or the beginning of it.
        reason: why it is done with.
        by: your credential.
        day: its gaming day; default the last one in the ledger, else that on which it was acted on.
        key: where the private key lies, if not in the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.casework import close

    def make(replay: Replay, house: HouseRecord, found: Action, at: int) -> tuple[Fact, ...]:
        return close(replay, house, found, reason, by, at)

    return _act(action, day, make, f"closed by {by}", options, key, witness)


def actions_alerts(
    *,
    day: DayOption = None,
    out: Out = None,
    every: Annotated[bool, Parameter(name="--all", negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """What the detections of a night raised, as its report has it, and what was put off since.

    An alert that was put off still counts, takes no place in its shift's budget, and is back when
    its last day is over. The exit code is 1 if any stands by itself.

    Args:
        day: the gaming day, such as 2021-06-12; default the last one that has a report.
        out: the folder of nights; default PITLEDGER_NIGHT, then ./pitledger-nights.
        every: everything that was looked at, too.
    """
    from ledger.reports import alerts_page

    alerts = _alerts(options.folder, out, day)
    is_open = any(one.raised and not one.held for one in alerts)
    if options.is_json:
        from ledger.night import alert_data

        emit_json([alert_data(one) for one in alerts if every or one.raised])
    else:
        show(alerts_page(alerts, every=every))
    return 1 if is_open else 0


def actions_suppress(
    action: Id,
    /,
    *,
    until: Annotated[date, Parameter(name="--until")],
    reason: str,
    by: By,
    day: DayOption = None,
    out: Out = None,
    key: KeyOption = None,
    witness: WitnessOption = None,
    options: Options = OPTIONS,
) -> int:
    """Put off the cause of an action, or an alert, until a gaming day. It ends by itself.

    Args:
        action: its id or an alert's, or the beginning of it.
        until: the last gaming day for which it is put off.
        reason: why it need not be looked at until then.
        by: your credential.
        day: its gaming day; default the last one in the ledger, else that on which it was acted on;
            of an alert the last one that has a report.
        out: the folder of nights, where alerts stand; default PITLEDGER_NIGHT, then
            ./pitledger-nights.
        key: where the private key lies, if not in the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.casework import ActionAmbiguous, ActionUnknown, suppress
    from ledger.night import NothingIssued

    try:
        held = _alerts(options.folder, out, day)
    except NothingIssued:
        held = ()
    alerts = [one for one in held if action and one.id.startswith(action.lower())]
    desk = _Desk(options.folder)
    try:
        with progress("auditing", ""):
            found: list[Action | Alert] = [desk.named(action, day)[1], *alerts]
    except ActionUnknown:
        if not alerts:
            raise
        found = [*alerts]
    if len(found) > 1:
        raise ActionAmbiguous(action, found)

    def made(at: int) -> tuple[Fact, ...]:
        return suppress(desk.replay, desk.house, found[0], until, reason, by, at)

    return _append(desk, found[0], made, f"put off until {until} by {by}", options, key, witness)


def _alerts(folder: Path, out: Path | None, day: date | None) -> tuple[Alert, ...]:
    """The alerts of a report as they stand now."""
    from ledger.audit import read_office
    from ledger.cli.settings import load
    from ledger.night import alerts_now, last_reported
    from ledger.replay import Replay

    settings = load()
    issue = last_reported(out if out is not None else settings.night, day)
    replay = Replay.open(folder)
    return alerts_now(replay, read_office(replay).clock, issue, settings.policy)


class _Desk:
    """A ledger, and the actions of its gaming days."""

    def __init__(self, folder: Path) -> None:
        from ledger.audit import read_office
        from ledger.cli.settings import load
        from ledger.replay import Replay

        self.folder = folder
        self.replay = Replay.open(folder)
        self.house = read_office(self.replay)
        self.footage_days = load().footage_days

    def of(self, day: date, earlier: list[Action], as_of: date) -> DayActions:
        """The actions of a gaming day."""
        from ledger.casework import actions_of

        return actions_of(
            self.replay,
            day,
            house=self.house,
            footage_days=self.footage_days,
            earlier=earlier,
            as_of=as_of,
            carried=self.folder / "cache" / "carried",
        )

    def between(self, since: date | None, until: date | None) -> list[DayActions]:
        """The actions of the gaming days between two; of the last alone where no first is named."""
        from ledger.audit import gaming_days
        from ledger.cli.days import last_day

        last = until if until is not None else last_day(self.replay, self.folder)
        known = gaming_days(self.replay) if since is not None else []
        days = [one for one in known if since is not None and since <= one < last]
        out: list[DayActions] = []
        for one in (*days, last):
            out.append(self.of(one, [action for of_day in out for action in of_day.actions], last))
        return out

    def named(self, text: str, day: date | None) -> tuple[DayActions, Action]:
        """The action that is meant, with its day.

        Raises:
            ActionUnknown, ActionAmbiguous: none is, or several are.
        """
        from ledger.casework import ActionUnknown, named, read_done
        from ledger.cli.days import last_day

        days = [day if day is not None else last_day(self.replay, self.folder)]
        if day is None:
            acted = {
                fact.about.for_gaming_day
                for fact in read_done(self.replay)
                if text and fact.about.action.startswith(text.lower())
            }
            days.extend(one for one in map(date.fromisoformat, sorted(acted)) if one != days[0])
        for one in days:
            of_day = self.of(one, [], one)
            found = named(text, of_day)
            if found is not None:
                return of_day, found
        raise ActionUnknown(text, [one.isoformat() for one in days])


def _open(day: DayActions) -> DayActions:
    kept = tuple(action for action in day.actions if action.status.value != "closed")
    return replace(day, actions=kept)


def _act(
    text: str,
    day: date | None,
    make: Make,
    said: str,
    options: Options,
    key: Path | None,
    witness: Path | None,
) -> int:
    """Append what a person did with an action, and say so."""
    with progress("auditing", ""):
        desk = _Desk(options.folder)
        _, found = desk.named(text, day)
    return _append(
        desk,
        found,
        lambda at: make(desk.replay, desk.house, found, at),
        said,
        options,
        key,
        witness,
    )


def _append(
    desk: _Desk,
    found: Action | Alert,
    made: Callable[[int], tuple[Fact, ...]],
    said: str,
    options: Options,
    key: Path | None,
    witness: Path | None,
) -> int:
    from ledger.casework import ActionRefused, read_roster
    from ledger.cli.clock import now
    from ledger.codec import frame
    from ledger.log import Arrival, open_log
    from ledger.log.refusals import NotWhole
    from ledger.reports import title_of

    at = now()
    facts = made(at)
    with open_log(options.folder, key=key, witness=witness) as log:
        try:
            log.append_whole([Arrival(frame(fact)) for fact in facts], at)
        except NotWhole as error:
            raise ActionRefused(
                "Somebody else acted at the same moment; nothing was recorded.",
                next_step="look at the action again, then repeat",
            ) from error
        position = log.size - 1
    fact = facts[-1]
    if options.is_json:
        emit_json(
            {
                "action": found.id,
                "gaming_day": found.gaming_day.isoformat(),
                "title": title_of(found),
                "fact": f"{fact.stream}:{fact.seq}",
                "position": position,
            }
        )
    else:
        emit(f"{title_of(found)}\n  {found.id} {said} ({fact.stream}:{fact.seq})\n")
        if not read_roster(desk.replay).known:
            emit("  no credential of anybody is on record: recorded as not known\n")
    return 0
