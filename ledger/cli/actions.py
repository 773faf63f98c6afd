"""Commands about the actions of the nightly audit: list, show, take, note, close."""

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
    from ledger.casework import Action, DayActions
    from ledger.events import Fact
    from ledger.replay import Replay

Id = Annotated[str, Parameter(name="ID")]
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
        emit_json(action_data(found, done, behind=True))
    else:
        show(action_page(found, done, desk.house.clock, every=every))
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


def actions_suppress(
    action: Id,
    /,
    *,
    until: Annotated[date, Parameter(name="--until")],
    reason: str,
    by: By,
    day: DayOption = None,
    key: KeyOption = None,
    witness: WitnessOption = None,
    options: Options = OPTIONS,
) -> int:
    """Put off the cause of an action until a gaming day. It ends by itself, and it still counts.

    Args:
        action: its id, or the beginning of it.
        until: the last gaming day for which it is put off.
        reason: why it need not be looked at until then.
        by: your credential.
        day: its gaming day; default the last one in the ledger, else that on which it was acted on.
        key: where the private key lies, if not in the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.casework import suppress

    def make(replay: Replay, house: HouseRecord, found: Action, at: int) -> tuple[Fact, ...]:
        return suppress(replay, house, found, until, reason, by, at)

    return _act(action, day, make, f"put off until {until} by {by}", options, key, witness)


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
    """Append what a person did, and say so."""
    from ledger.casework import ActionRefused
    from ledger.cli.clock import now
    from ledger.codec import frame
    from ledger.log import Arrival, open_log
    from ledger.log.refusals import NotWhole

    with progress("auditing", ""):
        desk = _Desk(options.folder)
        _, found = desk.named(text, day)
    at = now()
    facts = make(desk.replay, desk.house, found, at)
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
                "title": found.title,
                "fact": f"{fact.stream}:{fact.seq}",
                "position": position,
            }
        )
    else:
        emit(f"{found.title}\n  {found.id} {said} ({fact.stream}:{fact.seq})\n")
    return 0
