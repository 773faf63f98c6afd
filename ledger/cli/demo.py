"""The demonstration: simulate, run the nights, and hold what they found against the truth.

Two gaming days are simulated and their nights run; a redemption of the second does not arrive. What
finance and audit sign is signed. On the third day it arrives: its night is run, and that of the
second once more, which restates it. Each night judges its day once, and its issue is what is held
against the truth.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from datetime import date, timedelta
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic
from typing import Final

from ledger.audit import FormDesk, HouseRecord, gaming_days, read_coupons, read_office
from ledger.cli.errors import FileUnwritable, LedgerHoldsFacts, TruthUnreadable
from ledger.cli.form_signing import STREAM, sign
from ledger.cli.output import ProgressReport
from ledger.cli.settings import load
from ledger.cli.simulated_ledger import EVERY_KIND, TRUTH, Wish, simulate_into, write_truth
from ledger.coupons import Reconciliation, reconcile
from ledger.events import CouponRedeemed, Fact, GamingDayClosed, ReportSigned
from ledger.floor import FINANCE_SUPERVISORS, FIRST_DAY, REPORT_SIGNERS, TruthRow
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import read_log
from ledger.night import (
    Outcome,
    changes,
    changes_in_words,
    processes_ready,
    run_nights,
    sign_report,
)
from ledger.replay import Replay
from ledger.reports import (
    Demo,
    DemoNight,
    DemoRestated,
    TruthMalformed,
    compare,
    demo_html,
    not_on_pages,
    truth_rows,
)

CARRIED: Final = Path("cache", "carried")
"""Where in a ledger's folder the carried states lie."""
DAYS: Final = 3
"""Gaming days of the demonstration: all kinds of plants of coupons need three."""
LATE_DAY: Final = FIRST_DAY + timedelta(days=1)
"""The day of which a fact arrives late."""
AFTER: Final = 12 * 3_600_000_000
"""So long after the day before closed the late fact was made, in microseconds."""
SIGNED_AFTER: Final = 3_600_000_000
"""So long after a day closed its papers are signed, in microseconds."""
HIDDEN: Final = ("overpaid@SB-03", "late_wager@SB-03")
"""Planted where nobody records wagers: the capture level cannot show them."""
FORM: Final = "finance"
"""The form of § 525.21(m) that the demonstration signs."""
REPORT: Final = "demo.html"
SUPERSEDED: Final = TruthRow(
    kind="late_fact",
    gaming_day=LATE_DAY.isoformat(),
    round=None,
    stream=STREAM,
    seq=[1],
    code="form_superseded",
    cite="525.21(j)(8)",
    detectable=True,
    why=None,
)
"""What the late fact does to the form that was signed before it came."""


@dataclass(slots=True)
class Nights:
    """The nights of a demonstration as they were run: the last issue of each day holds."""

    folder: Path
    out: Path
    processes: int
    issued: list[Outcome] = field(default_factory=list)
    seconds: float = 0.0
    replay: Replay | None = None
    """Of the ledger as the last nights read it."""

    def run(self, days: list[date]) -> None:
        """Run nights over the ledger as it stands."""
        began = monotonic()
        self.replay = Replay.open(self.folder)
        self.issued += run_nights(
            self.folder, days, out=self.out, processes=self.processes, replay=self.replay,
            paper=load().printed_on,
        )  # fmt: skip
        self.seconds += monotonic() - began

    def standing(self) -> dict[date, Outcome]:
        """The issue of each day that holds."""
        return {one.audit.gaming_day: one for one in self.issued}


@dataclass(slots=True)
class Late:
    """Facts as they arrive: one redemption of the second day comes with the third."""

    fact: Fact | None = None
    closed: dict[str, int] = field(default_factory=dict)
    coming: Iterator[Fact] = field(default_factory=lambda: iter(()))

    def __call__(self, facts: Iterator[Fact]) -> Iterator[Fact]:
        """The same facts in another order."""
        self.coming = facts
        for fact in facts:
            if self.fact is None and self._is_it(fact):
                self.fact = fact
                continue
            if isinstance(fact, GamingDayClosed):
                self.closed[fact.gaming_day] = fact.event_time
            yield fact
            if LATE_DAY.isoformat() in self.closed:
                yield from () if self.fact is None else (self.fact,)
                yield from self.coming
                return

    def draw_ahead(self) -> None:
        """Draw the facts that are still to come; they arrive later."""
        self.coming = iter(list(self.coming))

    def _is_it(self, fact: Fact) -> bool:
        opened = self.closed.get(FIRST_DAY.isoformat())
        return (
            opened is not None
            and isinstance(fact, CouponRedeemed)
            and fact.event_time > opened + AFTER
        )


def run_demo(
    ledger: Path | None,
    seed: int,
    processes: int,
    report: ProgressReport,
    *,
    out: Path | None = None,
    at: Callable[[str], None] = lambda _place: None,
) -> Demo:
    """Simulate three days into a ledger, unless one is there, run their nights and judge them.

    Args:
        ledger: where; None takes a new folder among the temporary ones, which is kept.
        seed: chooses everything that is left to chance.
        processes: how many share the nights.
        report: told how many facts are simulated.
        out: the folder of nights; None takes one beside the ledger.
        at: told in words what is done next.

    Raises:
        LedgerHoldsFacts: facts are there, and no truth beside them.
        FileUnwritable: the report cannot be written.
    """
    folder = Path(mkdtemp(prefix="pitledger-demo-")) / "ledger" if ledger is None else ledger
    nights = Nights(folder, out or folder.with_name(f"{folder.name}-nights"), processes)
    began = monotonic()
    if processes > 1:
        processes_ready()
    if _has_truth(folder):
        read_truth(folder)
        nights.run(gaming_days(Replay.open(folder)))
    else:
        _live(folder, seed, nights, report, at, rehearsed=ledger is not None)
    truth, replay = read_truth(folder), nights.replay or Replay.open(folder)
    record, standing = read_office(replay), nights.standing()
    comparison = compare(
        truth,
        [finding for one in standing.values() for finding in one.audit.findings],
        {name for one in standing.values() for name in _unknown_rounds(one)},
    )
    nights_on_page = tuple(_night(one, standing) for one in nights.issued)
    done = Demo(
        folder=str(folder),
        nights=nights_on_page,
        restated=_restated(nights),
        comparison=comparison,
        not_on_report=tuple(
            not_on_pages(comparison, [(one, one.page.read_text("utf-8")) for one in nights_on_page])
        ),
        coupons=_coupons(replay, record, folder, standing),
        property_name=record.office.property_name,
        report=str(nights.out / REPORT),
        simulated_seconds=round(monotonic() - began - nights.seconds, 1),
        night_seconds=round(nights.seconds, 1),
    )
    try:
        page = demo_html(done, record.clock, load().printed_on)
        Path(done.report).write_text(page, encoding="utf-8")
    except OSError as error:
        raise FileUnwritable(Path(done.report), error) from error
    return done


def _live(
    folder: Path,
    seed: int,
    nights: Nights,
    report: ProgressReport,
    at: Callable[[str], None],
    *,
    rehearsed: bool,
) -> None:
    """Three days as they come: the floor plays, nights are run, one day is restated."""
    late = Late()
    days = [FIRST_DAY + timedelta(days=number) for number in range(DAYS)]
    closed: list[date] = []

    def ended(name: str) -> None:
        closed.append(date.fromisoformat(name))
        if closed[-1] == LATE_DAY:
            at("the nights of the first two days")
            with ThreadPoolExecutor(1) as beside:
                running = beside.submit(nights.run, closed)
                late.draw_ahead()
                running.result()
            _sign(folder, nights, late.closed[name] + SIGNED_AFTER)
            at("the third day")
        elif closed[-1] == days[-1]:
            at("the night of the third day, and the second once more")
            nights.run([LATE_DAY, days[-1]])

    wish = Wish.of(
        seed=seed, first_day=FIRST_DAY, days=DAYS, plants=[EVERY_KIND, *HIDDEN], coupons=True
    )
    at("two days of a floor")
    done = simulate_into(
        folder, wish, out=None, go_on=False, report=report, rehearsed=rehearsed, arriving=late,
        ended=ended,
    )  # fmt: skip
    write_truth(folder, (*done.truth, SUPERSEDED))


def _sign(folder: Path, nights: Nights, at: int) -> None:
    """Sign what is signed of the second day before anybody knows that a fact of it is missing."""
    desk = FormDesk.open(read_log(folder), folder / CARRIED, nights.replay)
    (preparer, name), _ = FINANCE_SUPERVISORS
    sign(folder, desk, FORM, LATE_DAY, preparer, name, None, at, None)
    signed: list[ReportSigned] = []
    for (person, name), function in zip(REPORT_SIGNERS, ("preparer", "approver"), strict=True):
        fact, _ = sign_report(
            folder, nights.out, LATE_DAY, person=person, name=name, signed_as=function, at=at,
            replay=desk.replay, beside=signed,
        )  # fmt: skip
        signed.append(fact)


def _night(outcome: Outcome, standing: dict[date, Outcome]) -> DemoNight:
    manifest = outcome.issue.manifest
    return DemoNight(
        audit=outcome.audit,
        actions=outcome.actions,
        issue=f"{manifest['phase']} {manifest['issue']}",
        first_line=outcome.first_line,
        page=outcome.issue.path / "report.html",
        tree_size=manifest["tree_size"],
        stands=standing[outcome.audit.gaming_day] is outcome,
    )


def _restated(nights: Nights) -> DemoRestated | None:
    """The day that was restated, with what moved it and what was signed of it."""
    for newer in nights.issued:
        restates = newer.issue.manifest["restates"]
        if restates is None:
            continue
        day = newer.audit.gaming_day
        was = next(one for one in nights.issued if one.audit.gaming_day == day)
        if was is newer:
            continue
        moved = changes(was.issue.manifest, newer.issue.manifest)
        return DemoRestated(
            gaming_day=newer.audit.gaming_day,
            reasons=tuple(restates["reasons"]),
            late=tuple(f"{one['fact']} {one['event']}" for one in restates["late"]),
            signed_forms=tuple(restates["signed_forms"]),
            signed_reports=tuple(restates["signed_reports"]),
            differences=tuple(changes_in_words(moved)),
        )
    return None


def _unknown_rounds(outcome: Outcome) -> Iterator[str]:
    """The rounds that a night does not know, as its mart of rounds has them."""
    import pyarrow.parquet as pq

    rows = pq.read_table(outcome.issue.path / "marts" / "rounds.parquet").to_pylist()
    yield from (row["round"] for row in rows if row["status"] == "unknown")


def _coupons(
    replay: Replay, record: HouseRecord, folder: Path, standing: dict[date, Outcome]
) -> tuple[Reconciliation, ...]:
    """What the coupons of each day with play came to; nothing where there are none."""
    book = read_coupons(replay, record, folder / CARRIED)
    if book is None:
        return ()
    return tuple(reconcile(book, day) for day, one in sorted(standing.items()) if one.audit.rounds)


def read_truth(folder: Path) -> list[TruthRow]:
    """What was planted, as the simulation wrote it down.

    Raises:
        TruthUnreadable: it is not there, or not in its form.
    """
    path = folder / TRUTH
    try:
        return truth_rows(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise TruthUnreadable(path, error.strerror or str(error)) from error
    except (TruthMalformed, ValueError) as error:
        raise TruthUnreadable(path, str(error)) from error


def _has_truth(folder: Path) -> bool:
    if (folder / TRUTH).exists():
        return True
    if (folder / "checkpoint").exists() and read_log(folder).size > 1:
        raise LedgerHoldsFacts(folder)
    return False
