"""Commands that judge: a day, its rounds, one round."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

from cyclopts import Parameter

from ledger.cli.errors import CommandWrong
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, emit_list, progress, show, width
from ledger.cli.range_audit import TLS_OPTIONS, RangeWords, TlsOptions, audit_days

if TYPE_CHECKING:
    from ledger.kernel import PropertyClock
    from ledger.reports import RoundView

DayOption = Annotated[date | None, Parameter(name="--day", show_default=False)]


def audit(
    *,
    day: DayOption = None,
    processes: int = 1,
    every: Annotated[bool, Parameter(negative="")] = False,
    from_nothing: Annotated[bool, Parameter(name="--from-nothing", negative="")] = False,
    begins: Annotated[date | None, Parameter(name="--from", show_default=False)] = None,
    ends: Annotated[date | None, Parameter(name="--to", show_default=False)] = None,
    manifest: Annotated[Path | None, Parameter(show_default=False)] = None,
    scheduler: Annotated[str | None, Parameter(show_default=False)] = None,
    sample: float = 0.05,
    tls: TlsOptions = TLS_OPTIONS,
    options: Options = OPTIONS,
) -> int:
    """Judge a gaming day: every wager settled again, every difference a finding with its section.

    With --from and --to it judges each day of a range, table by table, and prints a line for each
    day and one hash of all: the same from one process, several, or workers on other machines.

    The exit code is 1 if there is any finding.

    Args:
        day: the gaming day, such as 2021-06-12; default the last one in the ledger.
        processes: how many processes share the tables; the answer is the same for any number.
        every: show each finding, also those that are alike.
        from_nothing: judge from the ledger's entries alone, whatever was kept of earlier days.
        begins: the first gaming day of a range.
        ends: the last gaming day of a range.
        manifest: file for the range's manifest: each day's digest, each table's content address.
        scheduler: a Dask scheduler whose workers (`pitledger worker`) judge the range, such as
            tcp://127.0.0.1:8786; on another machine tls://HOST:8786 with certificates.
        sample: the share of the workers' results that is judged again here.
        tls: certificates.
    """
    words = RangeWords(
        begins=begins, ends=ends, processes=max(1, processes), scheduler=scheduler, sample=sample,
        manifest=manifest, from_nothing=from_nothing, tls=tls,
    )  # fmt: skip
    if words.is_asked():
        if day is not None or every:
            raise CommandWrong("--day and --every are of one day.", "pitledger audit")
        return audit_days(words, options)
    return _audit_day(day, max(1, processes), options, every=every, from_nothing=from_nothing)


def _audit_day(
    day: date | None, processes: int, options: Options, *, every: bool, from_nothing: bool
) -> int:
    """Judge one gaming day, and print its page."""
    from ledger.analytics import JudgedTables
    from ledger.audit import DayUnknown, audit_day
    from ledger.cli.last_day import last_day
    from ledger.replay import Replay
    from ledger.reports import audit_data, audit_page, restated

    with progress("auditing", ""):
        replay = Replay.open(options.folder, from_entries=from_nothing)
        judged = JudgedTables(replay, None if from_nothing else options.folder / "cache")
        office = judged.record
        chosen = day if day is not None else last_day(replay, options.folder)
        audited = judged.audit(chosen, processes=processes)
        difference = None
        if audited.amended:
            first = Replay.open(options.folder, as_recorded=True, from_entries=from_nothing)
            with suppress(DayUnknown):  # nothing was recorded of that day first
                difference = restated(audit_day(first, chosen, processes=processes), audited)
    name = office.office.property_name
    if options.is_json:
        emit_json(audit_data(audited, name, difference))
    else:
        page = audit_page(
            audited, office.clock, name, replay.happened_at, every=every, difference=difference
        )
        show(page)
    return 1 if audited.findings or audited.unknown_rounds else 0


def rounds(
    *,
    day: DayOption = None,
    table: Annotated[str | None, Parameter(show_default=False)] = None,
    begins: Annotated[str | None, Parameter(name="--from", show_default=False)] = None,
    ends: Annotated[str | None, Parameter(name="--until", show_default=False)] = None,
    only: Annotated[Literal["findings", "unknown"] | None, Parameter(show_default=False)] = None,
    options: Options = OPTIONS,
) -> int:
    """List the rounds of play, below what each table captured.

    The exit code is 1 if a listed round has a finding, or an outcome that is unknown.

    Args:
        day: only this gaming day; default all.
        table: only this table, such as SB-01.
        begins: only rounds under way at or after this local time, such as 21:05.
        ends: only rounds that began before this local time, such as 21:25; 01:30 is the night's,
            after midnight.
        only: only rounds with findings, or only those whose outcome is unknown.
    """
    from ledger.analytics import list_rounds
    from ledger.cli.hours import Hours
    from ledger.reports import round_row, rounds_page

    hours = Hours.of(begins, ends)
    with progress("searching", ""):
        listed = list_rounds(options.folder, day=day, table=table, only=only)
    lines = [line for line in listed.lines if hours.meet(line, listed.clock)]
    if options.is_json:
        levels = {(one.table, one.gaming_day): one.level for one in listed.captured}
        emit_list(
            round_row(
                line,
                levels.get((line.table, line.gaming_day)),
                listed.marks(line),
                listed.observed.get(line.round),
            )
            for line in lines
        )
    else:
        marked = [mark for line in lines for mark in listed.marks(line)]
        seen = [listed.observed[line.round] for line in lines if line.round in listed.observed]
        show(rounds_page(listed.captured, lines, listed.clock, width(), marked, seen))
    is_clean = not any(line.findings or line.status.value == "unknown" for line in lines)
    return 0 if is_clean else 1


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RoundOptions:
    """Which ledger, and in what form."""

    ledger: Annotated[Path | None, Parameter(name="--ledger", show_default=False)] = None
    """Folder of the ledger; default PITLEDGER_LEDGER, then ./pitledger-data."""

    format: Annotated[Literal["text", "json", "html"], Parameter(name="--format")] = "text"
    """For people (text), for scripts (json), or a page that prints (html)."""


ROUND_OPTIONS: Final = RoundOptions()


def round_show(
    round_id: Annotated[str, Parameter(name="ROUND")],
    /,
    *,
    for_patron: Annotated[str | None, Parameter(name="--for-patron", show_default=False)] = None,
    options: RoundOptions = ROUND_OPTIONS,
) -> int:
    """Explain one round: verdict, dice, wheel or hands, timeline, wagers, cameras, citations.

    The exit code is 1 if there is any finding, if the round's outcome is unknown, or if facts are
    missing since it was settled.

    Args:
        round_id: stream and number of any of its facts, such as SB-01:1234.
        for_patron: the id of a wager: what its patron is told, on half a page without names.
    """
    from ledger.cli.days import seen_round
    from ledger.cli.settings import load
    from ledger.reports import round_data, round_page
    from ledger.rounds import RoundStatus

    folder = Options(ledger=options.ledger).folder
    with progress("replaying", ""):
        seen, clock = seen_round(folder, round_id)
    settings = load()
    if for_patron is not None:
        return _for_patron(seen, for_patron, clock, options)
    if options.format == "json":
        emit_json(round_data(seen))
    elif options.format == "html":
        from ledger.cli.settings import load
        from ledger.log import read_log
        from ledger.reports.night import round_html

        log = read_log(folder)
        page = round_html(
            seen,
            clock,
            tree_size=log.size,
            root=log.root.hex(),
            footage_days=settings.footage_days,
            paper=settings.printed_on,
        )
        emit(page)
    else:
        show(round_page(seen, clock, width(), settings.footage_days))
    result = seen.result
    is_sure = result.status is not RoundStatus.UNKNOWN and result.missing_since is None
    return 0 if is_sure and not result.findings else 1


def _for_patron(seen: RoundView, wager: str, clock: PropertyClock, options: RoundOptions) -> int:
    """What the patron of a wager is told; 1 where it was not surely settled as the rule says."""
    from ledger.audit import read_office
    from ledger.cli.settings import load
    from ledger.replay import Replay
    from ledger.reports import PatronStatement, statement_page

    if options.format == "html":
        raise CommandWrong("A statement for a patron is text or json.", "round show")
    statement = PatronStatement.of(seen, wager, clock, load().complaints)
    if options.format == "json":
        emit_json(statement.data())
    else:
        folder = Options(ledger=options.ledger).folder
        show(statement_page(statement, read_office(Replay.open(folder)).office.property_name))
    return 0 if statement.is_settled else 1
