"""A ledger and the actions of its gaming days; appending what a person did with one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.cli.options import Options
from ledger.cli.output import emit, emit_json, progress

if TYPE_CHECKING:
    from ledger.audit import HouseRecord
    from ledger.casework import Action, Alert, DayActions
    from ledger.events import Fact
    from ledger.replay import Replay, Roster

NAME_NOT_CHECKED: Final = (
    "  NOT CHECKED: the record has no name beside this credential, so nothing shows whose the"
    " printed name is.\n"
)
NOT_CHECKED: Final = (
    "  NOT CHECKED: no credential of anybody is on record, so nothing shows who this is\n"
)
NOT_PROVED: Final = (
    "  NOT PROVED: nobody is enrolled to prove who acts (`pitledger person enroll`), so nothing"
    " shows who this is\n"
)
Make = Callable[["Replay", "HouseRecord", "Action", int], "tuple[Fact, ...]"]


class Desk:
    """A ledger, and the actions of its gaming days."""

    def __init__(self, folder: Path) -> None:
        from ledger.analytics import judged_by
        from ledger.cli.settings import load
        from ledger.replay import Replay

        self.folder = folder
        self.replay = Replay.open(folder)
        self.judged = judged_by(folder, self.replay)
        self.house = self.judged.record
        self.footage_days = load().footage_days

    def of(self, day: date, earlier: list[Action], as_of: date) -> DayActions:
        """The actions of a gaming day.

        Args:
            day: the gaming day.
            earlier: the actions of the days before, from which the ages count.
            as_of: the gaming day on which ages are counted.
        """
        from ledger.casework import actions_of

        return actions_of(
            self.replay,
            day,
            house=self.house,
            footage_days=self.footage_days,
            earlier=earlier,
            as_of=as_of,
            audit=self.judged.listed(day),
        )

    def between(self, since: date | None, until: date | None) -> list[DayActions]:
        """The actions of the gaming days between two; of the last alone where no first is named."""
        from ledger.audit import gaming_days
        from ledger.cli.last_day import last_day

        last = until if until is not None else last_day(self.replay, self.folder)
        known = gaming_days(self.replay) if since is not None else []
        days = [one for one in known if since is not None and since <= one < last]
        out: list[DayActions] = []
        for gaming_day in (*days, last):
            out.append(
                self.of(gaming_day, [action for of_day in out for action in of_day.actions], last)
            )
        return out

    def named(self, text: str, day: date | None) -> tuple[DayActions, Action]:
        """The action that is meant, with its day.

        Raises:
            ActionUnknown, ActionAmbiguous: none is, or several are.
        """
        from ledger.casework import ActionUnknown, named, read_done
        from ledger.cli.last_day import last_day

        days = [day if day is not None else last_day(self.replay, self.folder)]
        if day is None:
            acted = {
                fact.about.for_gaming_day
                for fact in read_done(self.replay)
                if text and fact.about.action.startswith(text.lower())
            }
            days.extend(one for one in map(date.fromisoformat, sorted(acted)) if one != days[0])
        for gaming_day in days:
            of_day = self.of(gaming_day, [], gaming_day)
            action = named(text, of_day)
            if action is not None:
                return of_day, action
        raise ActionUnknown(text, [one.isoformat() for one in days])


def act(
    text: str,
    day: date | None,
    make: Make,
    words: str | Callable[[Action], str],
    options: Options,
    key: Path | None,
    witness: Path | None,
) -> int:
    """Append what a person did with an action, and say so.

    Args:
        text: the action's id, or the beginning of it.
        day: the gaming day where it is looked for; None: the last one.
        make: makes the facts from replay, house, action and the time.
        words: what was done, for people.
        options: the ledger and the form of the answer.
        key: the file of the private key, if not in its usual place.
        witness: the copy of the last checkpoint kept elsewhere.
    """
    with progress("auditing", ""):
        desk = Desk(options.folder)
        _, action = desk.named(text, day)
    return append(
        desk,
        action,
        lambda at: make(desk.replay, desk.house, action, at),
        words if isinstance(words, str) else words(action),
        options,
        key,
        witness,
    )


def append(
    desk: Desk,
    acted: Action | Alert,
    make: Callable[[int], tuple[Fact, ...]],
    words: str,
    options: Options,
    key: Path | None,
    witness: Path | None,
) -> int:
    from ledger.casework import ActionRefused
    from ledger.cli.person import proof_of
    from ledger.cli.unsigned_tail import open_ledger
    from ledger.cli.wall_clock import read_clock
    from ledger.codec import frame
    from ledger.log import Arrival
    from ledger.log.errors import NotWhole
    from ledger.reports import title_of

    at = read_clock()
    facts = make(at)
    by = facts[-1].recorded_by or ""
    proof = proof_of(options.folder, desk.replay, by, at, ledger_key=key)
    facts = facts if proof is None else (*facts[:-1], proof.on(facts[-1]))
    with open_ledger(options.folder, key=key, witness=witness) as log:
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
                "action": acted.id,
                "gaming_day": acted.gaming_day.isoformat(),
                "title": title_of(acted),
                "fact": f"{fact.stream}:{fact.seq}",
                "position": position,
                "checked": desk.replay.roster().is_known,
                "proved": proof is not None,
            }
        )
    else:
        emit(f"{title_of(acted)}\n  {acted.id} {words} ({fact.stream}:{fact.seq})\n")
        say_what_is_unchecked(desk.replay.roster(), proof is not None)
    return 0


def say_what_is_unchecked(roster: Roster, is_proved: bool) -> None:
    """Say after an act what nothing shows: whose credential it is, or that it was this person."""
    if not roster.is_known:
        emit(NOT_CHECKED)
    elif not is_proved:
        emit(NOT_PROVED)
