"""What the commands of cases share: reading the cases, proving who acts, recording an act."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.cli.errors import CommandWrong
from ledger.cli.options import Options
from ledger.cli.output import emit, emit_json

if TYPE_CHECKING:
    from ledger.casework.action_facts import Head
    from ledger.casework.cases import CaseEvent, CaseFile, CaseFiles
    from ledger.kernel import PropertyClock
    from ledger.replay import Replay

    Make = Callable[[CaseFiles, Head, PropertyClock], CaseEvent]

_FORMS: Final = ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%m/%d/%Y %H:%M", "%m/%d/%Y %I:%M %p")


def record(
    options: Options,
    by: str,
    key: Path | None,
    number: str | None,
    make: Make,
) -> int:
    """Record one act with a case: the event is made, allowed, proved, and appended.

    Args:
        options: which ledger, and for whom the answer is.
        by: the credential of who acts.
        key: the ledger's private key, where it is not in the usual places.
        number: of the case; None: it is opened.
        make: makes the event from the cases as they stand, its first fields, and the clock.
    """
    from ledger.casework.action_facts import head
    from ledger.casework.cases import STREAM, CaseFiles, CaseRefused
    from ledger.cli.person import check, proven
    from ledger.cli.settings import load
    from ledger.cli.unsigned_tail import open_ledger
    from ledger.cli.wall_clock import read_clock
    from ledger.codec import frame
    from ledger.log import Arrival
    from ledger.replay import Replay

    at, replay = read_clock(), Replay.open(options.folder)
    if load().person_key is None:
        check(options.folder, replay, by, at, key)  # before anything of a case is told
    cases = CaseFiles.read(replay)
    proved = proven(event_of(cases, number, by, at, make, clock_of(replay)))
    facts = cases.decide(proved)
    with open_ledger(options.folder, key=key) as log:
        if log.size != replay.size:
            replay = Replay.open(options.folder)
            cases = CaseFiles.read(replay)
            if head(replay, by, at, STREAM)["seq"] != proved.seq:
                raise CaseRefused("somebody else recorded an act at the same moment; repeat yours")
            facts = cases.decide(proved)
        log.append_whole([Arrival(frame(each)) for each in facts], at)
    cases.take(proved)
    return show_act(options, cases.files[proved.case_number], proved)


def event_of(
    cases: CaseFiles, number: str | None, by: str, at: int, make: Make, clock: PropertyClock
) -> CaseEvent:
    """Return the event of an act, of which the proof is still to come.

    Args:
        cases: the cases as they stand.
        number: of the case; None: it is opened.
        by: the credential of who acts.
        at: the moment, microseconds UTC.
        make: makes the event.
        clock: the property's.

    Raises:
        CaseUnknown: there is no such case for this person.
    """
    from ledger.casework.action_facts import head
    from ledger.casework.cases import STREAM

    case = None if number is None else cases.require(number, by)
    fact = make(cases, head(cases.replay, by, at, STREAM), clock)
    return fact if case is None else replace(fact, case_number=case.number)


def show_act(options: Options, case: CaseFile, fact: CaseEvent) -> int:
    """Say what was recorded."""
    from ledger.casework.cases.terms import act_of
    from ledger.reports.case_page import act_sentence, case_data

    if options.is_json:
        emit_json(case_data(case, reveal=False))
    else:
        emit(f"{act_sentence(fact, act_of(fact))}\n")
    return 0


def case_of(folder: Path, number: str, person: str) -> tuple[Replay, CaseFiles, CaseFile]:
    """Return a case for a person who has proved who asks.

    Raises:
        CaseUnknown, CaseRefused: it is not for this person.
        NotProved: nothing shows who asks.
    """
    from ledger.casework.cases import CaseFiles
    from ledger.cli.person import check
    from ledger.cli.wall_clock import read_clock
    from ledger.replay import Replay

    at, replay = read_clock(), Replay.open(folder)
    cases = CaseFiles.read(replay)
    check(folder, replay, person, at)
    return replay, cases, cases.one(number, person, at)


def clock_of(replay: Replay) -> PropertyClock:
    """Return the property's clock."""
    from ledger.audit import read_office

    return read_office(replay).clock


def moment(text: str | None, clock: PropertyClock) -> int | None:
    """Read a local date and time as microseconds UTC.

    Raises:
        CommandWrong: it is none, one that a clock change makes twice or never, or in a year that no
            clock shows.
    """
    from ledger.intake.cells import CellWrong
    from ledger.intake.local_times import Moments
    from ledger.kernel import FIRST_YEAR, LAST_YEAR

    if text is None:
        return None
    for form in _FORMS:
        try:
            local = datetime.strptime(text.strip(), form)  # noqa: DTZ007  local on purpose
        except ValueError:
            continue
        if not FIRST_YEAR <= local.year <= LAST_YEAR:
            raise CommandWrong(f"{text[:40]!r}: no clock shows such a time.", "case")
        try:
            return Moments(clock).at(local.date(), local.time(), None, gaming_day=False)
        except CellWrong as error:
            raise CommandWrong(f"{text[:40]!r}: {error}", "case") from error
    raise CommandWrong(f"{text[:40]!r} is no time such as '2021-06-12 21:45'.", "case")


def words(text: str, name: str) -> str:
    """Return a text that a person wrote, without blanks around it.

    Raises:
        CommandWrong: it is empty or too long.
    """
    from ledger.casework.cases.decider import LONGEST_TEXT

    stripped = text.strip()
    if not 0 < len(stripped) <= LONGEST_TEXT:
        raise CommandWrong(f"{name} has 1 to {LONGEST_TEXT:,} characters.", "case")
    return stripped
