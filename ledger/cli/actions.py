"""Commands about actions and alerts: list, show, take, note, close, suppress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ledger.cli.action_desk import Desk, act, append
from ledger.cli.audit_commands import DayOption
from ledger.cli.kept_answers import kept_answer
from ledger.cli.ledger_commands import KeyOption, WitnessOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit_json, progress, show

if TYPE_CHECKING:
    from ledger.audit import HouseRecord
    from ledger.casework import Action, Alert, DayActions
    from ledger.events import Fact
    from ledger.replay import Replay

Id = Annotated[str, Parameter(name="ID")]
Out = Annotated[Path | None, Parameter(name="--out", show_default=False)]
By = Annotated[str, Parameter(name="--by")]


@kept_answer
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
        desk = Desk(options.folder)
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

    The exit code is 1 while it is not closed.

    Args:
        action: its id, or the beginning of it.
        day: its gaming day; default the last one in the ledger, else that on which it was acted on.
        every: all findings, however many.
    """
    from ledger.casework import concerned
    from ledger.cli.wall_clock import read_clock
    from ledger.reports import action_data, action_page
    from ledger.reports.actions import marks_of_action

    with progress("auditing", ""):
        desk = Desk(options.folder)
        of_day, chosen = desk.named(action, day)
    done = of_day.done.get(chosen.id, ())
    related = concerned(desk.replay, desk.house, chosen, read_clock())
    marks = marks_of_action(of_day, chosen)
    if options.is_json:
        plain = action_data(
            chosen, done, behind=True, unheld=of_day.unheld, barred=of_day.barred, marks=marks
        )
        emit_json({**plain, "concerned": dict(sorted(related.items()))})
    else:
        show(
            action_page(
                chosen, done, desk.house.clock, every=every, unheld=of_day.unheld,
                barred=of_day.barred, concerned=related, marks=marks,
            )
        )  # fmt: skip
    return 0 if chosen.status.value == "closed" else 1


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
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.casework import take

    def make(replay: Replay, house: HouseRecord, action: Action, at: int) -> tuple[Fact, ...]:
        return take(replay, house, action, by, at)

    return act(action, day, make, f"taken by {by}", options, key, witness)


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
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.casework import note

    def make(replay: Replay, house: HouseRecord, action: Action, at: int) -> tuple[Fact, ...]:
        return note(replay, house, action, text, by, at)

    return act(action, day, make, f"noted by {by}", options, key, witness)


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

    A critical action is closed when a second person of its department has closed it, too; until
    then its closing is proposed. Nobody closes what they dealt, supervised, signed or recorded.

    Args:
        action: its id, or the beginning of it.
        reason: why it is done with.
        by: your credential.
        day: its gaming day; default the last one in the ledger, else that on which it was acted on.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.casework import close

    def make(replay: Replay, house: HouseRecord, action: Action, at: int) -> tuple[Fact, ...]:
        return close(replay, house, action, reason, by, at)

    return act(action, day, make, closed_words(by), options, key, witness)


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

    alerts = issued_alerts(options.folder, out, day)
    is_open = any(one.raised and not one.not_shown for one in alerts)
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

    What is critical is put off when a second person has put it off until the same day.

    Args:
        action: its id or an alert's, or the beginning of it.
        until: the last gaming day for which it is put off.
        reason: why it need not be looked at until then.
        by: your credential.
        day: its gaming day; default the last one in the ledger, else that on which it was acted on;
            of an alert the last one that has a report.
        out: the folder of nights, where alerts stand; default PITLEDGER_NIGHT, then
            ./pitledger-nights.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.casework import ActionAmbiguous, ActionUnknown, suppress
    from ledger.night import NothingIssued

    try:
        issued = issued_alerts(options.folder, out, day)
    except NothingIssued:
        issued = ()
    alerts = [one for one in issued if action and one.id.startswith(action.lower())]
    desk = Desk(options.folder)
    try:
        with progress("auditing", ""):
            candidates: list[Action | Alert] = [desk.named(action, day)[1], *alerts]
    except ActionUnknown:
        if not alerts:
            raise
        candidates = [*alerts]
    if len(candidates) > 1:
        raise ActionAmbiguous(action, candidates)

    def make(at: int) -> tuple[Fact, ...]:
        return suppress(desk.replay, desk.house, candidates[0], until, reason, by, at)

    wait = (
        ", waiting for a second person" if _first_to_put_off(desk, candidates[0], until, by) else ""
    )
    words = f"put off until {until} by {by}{wait}"
    return append(desk, candidates[0], make, words, options, key, witness)


def _first_to_put_off(desk: Desk, seen: Action | Alert, until: date, by: str) -> bool:
    """Whether it is critical and nobody else has put it off until that day."""
    from ledger.casework import needs_second, read_suppressions

    roster, name = desk.replay.roster(), getattr(seen, "code", "")
    return needs_second(seen) and not any(
        one.covers(name, seen.table, seen.subject, until)
        and one.until == until
        and any(not roster.are_one(person, by) for person, _ in one.persons)
        for one in read_suppressions(desk.replay)
    )


def closed_words(by: str) -> Callable[[Action], str]:
    """What is said when a person closed an action: closed, or proposed to a second person."""

    def outcome(before: Action) -> str:
        from ledger.casework import ActionStatus, needs_second

        if needs_second(before) and before.status is not ActionStatus.PROPOSED:
            return f"closing proposed by {by}; it waits for a second person of {before.department}"
        return f"closed by {by}"

    return outcome


def issued_alerts(folder: Path, out: Path | None, day: date | None) -> tuple[Alert, ...]:
    """The alerts of a report as they stand now."""
    from ledger.audit import read_office
    from ledger.cli.settings import load
    from ledger.log.signed_file_index import Seals
    from ledger.night import alerts_now, last_issue_of
    from ledger.replay import Replay

    settings = load()
    nights = out if out is not None else settings.night
    issue = last_issue_of(nights, day, Seals.of(folder))
    replay = Replay.open(folder)
    return alerts_now(replay, read_office(replay).clock, issue, settings.policy)


def _open(day: DayActions) -> DayActions:
    kept = tuple(action for action in day.actions if action.status.value != "closed")
    return replace(day, actions=kept)
