"""The steps behind the report that people read in the morning, and what is kept beside it.

Actions, alerts and marts come from the day alone. The archive, the status of actions and the page
show the tree as it is when they are issued.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from ledger.analytics import build_day, export_marts, write_archive
from ledger.audit import DayAudit, Shown
from ledger.casework import (
    Action,
    Alert,
    Night,
    Policy,
    Suppression,
    Threshold,
    compared,
    fold,
    held_back,
    read_done,
    read_suppressions,
    see,
    standing,
    suppressed,
    whom_of,
)
from ledger.kernel import MICROSECONDS, FactRef
from ledger.night.alerts import NAME as ALERTS
from ledger.night.alerts import alert_data
from ledger.night.changes_since_report import change_lines, compared_report
from ledger.night.detection_history import night_on
from ledger.night.earlier_alarms import NightAlarms, alerts_on, earlier_nights
from ledger.night.earlier_reports import open_before, periods_of
from ledger.night.manifest import as_json
from ledger.night.preliminary_report import book_of_phase
from ledger.night.readiness import Readiness
from ledger.night.report_signatures import signatures_of_day
from ledger.night.step_input import StepInput
from ledger.night.store import StepOutput
from ledger.reports import actions_data, round_views_on
from ledger.reports.actions import describe_acts, marks_of_action
from ledger.reports.late_facts import SHOWN, mark_words, marked_words
from ledger.reports.night import (
    HourCount,
    Incomplete,
    NightData,
    OutcomeCounts,
    hours_of,
    night_page,
    night_text,
    round_file,
    round_html,
    rounds_of,
    standing_of,
    takings_of,
    unknowns_of,
)
from ledger.reports.paper import Paper
from ledger.reports.phrases import calendar_date

ROUNDS_EACH: Final = 1_000
"""How many rounds of one action have a page of their own; the report counts those beyond."""
ROWS: Final = "rows"
"""The name under which a table's rows for the marts are put aside."""
STATES: Final = "states"
"""The name under which a table's states within the day are put aside, by when they held."""
PAGE: Final = "report.html"
A_DAY: Final = 24 * 3600 * MICROSECONDS


# --- of the day alone -----------------------------------------------------------------------------


def fold_actions(inputs: StepInput) -> StepOutput:
    """Fold the findings of the day by cause."""
    audit: DayAudit = inputs.result("audit")
    games = {line.table: line.game for line in audit.capture if line.game is not None}
    return StepOutput(
        result=fold(see(inputs.replay, inputs.house, audit), inputs.clock, games=games)
    )


def count_alarms(inputs: StepInput) -> StepOutput:
    """Count the alarms of the nights before in the calendar month.

    How much evidence this night asks for depends on them (e-LOND; see ``earlier_alarms.py``).
    """
    nights = earlier_nights(inputs)
    rows = [{"gaming_day": str(one.day), "discoveries": one.discoveries} for one in nights]
    return StepOutput(result=nights, files={"discoveries.json": as_json(rows)})


def compare_nights(inputs: StepInput) -> StepOutput:
    """Run the detections over the nights up to this one, for what no single round can show."""
    day = inputs.day.date
    before: tuple[NightAlarms, ...] = inputs.result("discoveries")
    alerts = alerts_on(inputs, day, sum(one.discoveries for one in before))
    return StepOutput(result=alerts, files={ALERTS: as_json([alert_data(one) for one in alerts])})


def build_marts(inputs: StepInput) -> StepOutput:
    """Build the day's marts as Parquet, from the rows put aside while its tables were judged."""
    audit: DayAudit = inputs.result("audit")
    with TemporaryDirectory() as there:
        path, out = Path(there) / "day.duckdb", Path(there) / "marts"
        build_day(
            path,
            audit,
            inputs.aside("table", ROWS),
            theory=inputs.ground.theory,
            clock=inputs.clock,
            book=book_of_phase(inputs),
        )
        names = sorted(export_marts(path, out))
        return StepOutput(files={f"marts/{name}": (out / name).read_bytes() for name in names})


# --- as of the issue ------------------------------------------------------------------------------


def archive_day(inputs: StepInput) -> StepOutput:
    """Write the day's facts as Parquet, with size and root of the tree that they were read from."""
    with TemporaryDirectory() as there:
        folder = Path(there)
        write_archive(inputs.replay, inputs.day.date, folder)
        paths = sorted(
            one for one in folder.rglob("*") if one.is_file() and not one.name.startswith(".")
        )
        files = {f"archive/{one.relative_to(folder).as_posix()}": one.read_bytes() for one in paths}
    return StepOutput(files=files)


def make_page(inputs: StepInput) -> StepOutput:
    """Make the report, the pages of its rounds, and the actions as they stand at the issue."""
    audit: DayAudit = inputs.result("audit")
    suppressions = read_suppressions(inputs.replay)
    actions = _as_issued(inputs, inputs.result("actions"))
    roster, whom = inputs.replay.roster(), whom_of(inputs.replay, inputs.house)
    done = standing(actions, read_done(inputs.replay), inputs.day.date, roster, whom)
    done = replace(suppressed(done, suppressions, inputs.day.date, roster, whom), marks=audit.marks)
    pages = dict(_round_pages(inputs, done.actions))
    night = replace(
        _data(inputs, audit, done.actions, frozenset(pages)),
        alerts=_alerts(inputs, suppressions),
        done={
            name: describe_acts(facts, inputs.clock, done.unheld, done.barred)
            for name, facts in done.done.items()
        },
        marked={
            action.id: tuple(
                mark_words(mark, inputs.clock) for mark in marks_of_action(done, action)[:SHOWN]
            )
            for action in done.actions
            if marks_of_action(done, action)
        },
        signatures=signatures_of_day(inputs.replay, inputs.day.date),
        since=compared_report(inputs.draft),
    )
    files = {
        PAGE: night_page(night).encode(),
        "report.txt": night_text(night).encode(),
        "actions.json": as_json(actions_data([done])),
    }
    return StepOutput(
        files=files | {f"rounds/{round_file(one)}": page for one, page in pages.items()}
    )


def _alerts(inputs: StepInput, suppressions: tuple[Suppression, ...]) -> tuple[Alert, ...]:
    """The alerts as they are shown: put off, over the budget, beside thresholds from elsewhere."""
    policy = Policy(**inputs.draft["alert_budget"])
    alerts = held_back(
        inputs.result("alerts"), inputs.day.begins, policy=policy, suppressions=suppressions
    )
    rows = inputs.draft["hold_thresholds"]
    if not rows:
        return alerts
    thresholds = [Threshold(source=name, points=float(points)) for name, points in rows]
    night = night_on(inputs, inputs.day.date)
    return tuple(compared(one, (night,), thresholds) for one in alerts)


def _as_issued(inputs: StepInput, actions: Iterable[Action]) -> tuple[Action, ...]:
    """The actions with what the issue adds: how long footage is kept, since when reported."""
    days: int | None = inputs.draft["footage_days"]
    since: Mapping[str, str] = inputs.draft["earlier"]["since"]
    return tuple(
        replace(
            one,
            footage_until=None if days is None else one.until + days * A_DAY,
            age_days=(inputs.day.date - date.fromisoformat(since[one.id])).days
            if one.id in since
            else 0,
        )
        for one in actions
    )


def _round_pages(inputs: StepInput, actions: Iterable[Action]) -> Iterator[tuple[str, bytes]]:
    wanted = {one for action in actions for one in rounds_of(action)[:ROUNDS_EACH]}
    carried = inputs.ground.carried

    def states_of(table: str) -> Mapping[int, bytes]:
        states: Mapping[int, bytes] = inputs.stored[f"table/{table}"].read_aside(STATES)
        return states

    for seen in round_views_on(inputs.replay, inputs.house, inputs.day, wanted, carried, states_of):
        page = round_html(
            seen,
            inputs.clock,
            property_name=inputs.house.office.property_name,
            tree_size=inputs.replay.size,
            root=inputs.replay.root.hex(),
            back=f"../{PAGE}",
            footage_days=inputs.draft["footage_days"],
            paper=Paper(inputs.draft["paper"]),
        )
        yield seen.result.round, page.encode()


def _data(
    inputs: StepInput, audit: DayAudit, actions: tuple[Action, ...], pages: frozenset[str]
) -> NightData:
    ready: Readiness = inputs.result("readiness")
    coupons = inputs.result("coupons")
    incomplete = tuple(
        Incomplete(stream=one.about, since=one.since, why=one.sentence) for one in ready.incomplete
    )
    others = [one.sentence for one in ready.unknown if one not in ready.incomplete]
    before = inputs.draft["earlier"]
    others += [
        f"the report of {calendar_date(date.fromisoformat(unsealed))}, is not sealed by the"
        " ledger's key; its figures are left out"
        for unsealed in before["unsealed"]
    ]
    tables: tuple[Shown, ...] = inputs.result("tables")
    own = takings_of(audit.gaming_day, [one.account for one in tables])
    prior, month, year = periods_of(before, audit.gaming_day, own)
    night = night_on(inputs, audit.gaming_day)
    return NightData(
        property_name=inputs.house.office.property_name or "property not recorded",
        clock=inputs.clock,
        gaming_day=audit.gaming_day,
        phase=inputs.phase,
        issue=inputs.draft["issue"],
        restates=None if inputs.draft["restates"] is None else inputs.draft["restates"]["issue"],
        paper=Paper(inputs.draft["paper"]),
        prior=prior,
        month=month,
        year=year,
        open_before=open_before(before),
        action_days=inputs.draft["action_days"],
        origin=inputs.ground.log.origin,
        tree_size=inputs.replay.size,
        root=inputs.replay.root.hex(),
        digest=audit.digest,
        incomplete=incomplete,
        readiness=(
            *(one[:1].upper() + one[1:] for one in others),
            *marked_words(tuple(audit.marks.values()), inputs.clock),
        ),
        capture=audit.capture,
        standing=standing_of(audit),
        actions=actions,
        unknowns=unknowns_of(audit),
        coupons=coupons.balances,
        coupons_line=coupons.line,
        tables=tables,
        changes=tuple(change_lines(inputs.draft, audit.gaming_day, actions)),
        hours=_hours(inputs, audit),
        outcomes=tuple(_outcomes(night)),
        round_pages=pages,
    )


def _hours(inputs: StepInput, audit: DayAudit) -> tuple[HourCount, ...]:
    def time_of(ref: FactRef) -> int | None:
        return inputs.replay.times(ref.stream, [ref.seq])[0]

    return hours_of(audit.findings, time_of)


def _outcomes(night: Night) -> Iterator[OutcomeCounts]:
    """Faces of each set of dice and sections of each wheel on the day, beside what is expected."""
    faces: dict[str, Counter[int]] = {}
    out: Counter[str] = Counter()
    for throw in night.throws:
        name = throw.set or throw.table
        out[name] += bool(throw.out)
        if not throw.out:
            faces.setdefault(name, Counter()).update(face for _, face in throw.dice)
    for name, counts in sorted(faces.items()):
        rows = tuple((str(face), counts[face], Fraction(1, 6)) for face in range(1, 7))
        yield OutcomeCounts(equipment=name, unit="faces", rows=rows, left_out=out[name])
    wheels: dict[tuple[str, int], Counter[int]] = {}
    for spin in night.spins:
        out[spin.wheel] += bool(spin.out)
        if not spin.out:
            wheels.setdefault((spin.wheel, spin.sections), Counter())[spin.section] += 1
    for (name, sections), counts in sorted(wheels.items()):
        even = Fraction(1, sections)
        shown = tuple((str(at + 1), counts[at], even) for at in range(sections))
        yield OutcomeCounts(equipment=name, unit="spins", rows=shown, left_out=out[name])
