"""The table of steps, in the order in which they are told; each is a pure function of its input.

Another step is one more row: its function is given the ledger, the day and what the steps that it
names have made, and gives back a value and files. ``README.md`` says which are to come.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ledger.analytics import stage_table
from ledger.audit import (
    DayAudit,
    coupon_findings,
    coupon_standing,
    form_findings,
    joined,
    shown_of,
)
from ledger.audit.carried import CarriedStates
from ledger.audit.coupon_forms import FormDesk, read_signatures
from ledger.coupons import reconcile
from ledger.coupons.balances import Balance, balances
from ledger.coupons.forms import MAKERS, Form, bare, form_of
from ledger.kernel import Finding, cell_text
from ledger.log import read_log, verify
from ledger.night.detection_nights import SEEN, part_of
from ledger.night.manifest import as_json
from ledger.night.preliminary_report import (
    balances_of_phase,
    book_of_phase,
    findings_of_phase,
    parts_of_phase,
    reconciled_of_phase,
)
from ledger.night.readiness import readiness
from ledger.night.refusals import LedgerDoesNotVerify
from ledger.night.report_steps import (
    ROWS,
    STATES,
    actions_folded,
    alarms_counted,
    day_archived,
    marts_made,
    nights_compared,
    page_made,
)
from ledger.night.step_input import Given, Step
from ledger.night.store import Made
from ledger.reports import audit_data, table_days, table_days_csv, table_days_data
from ledger.reports.coupon_reconciliation import balance_line, reconcile_data
from ledger.reports.forms import Stamp, file_stem, forms_html, forms_text
from ledger.reports.paper import Paper
from ledger.rounds import InEveryOrder, RoundResult

STATE_EVERY: Final = 32
"""After so many rounds of a table its state is put aside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponDay:
    """A day of coupons: what breaks it, its balances, and the verdict in one line."""

    findings: tuple[Finding, ...] = ()
    balances: tuple[Balance, ...] = ()
    line: str = ""
    stands: Mapping[str, str] = field(default_factory=dict)
    """How the texts of the coupons' chapter stand on the day, for the audit's header."""


def verified(given: Given) -> Made:
    """Recompute the ledger from its entries up.

    Raises:
        LedgerDoesNotVerify: it is not what was signed.
    """
    found = verify(given.ground.folder)
    if found.problem is not None:
        raise LedgerDoesNotVerify(given.ground.folder, found.problem)
    return Made(value=list(found.remarks))


def ready(given: Given) -> Made:
    """Say whether the day's record is complete, before anything is judged."""
    found = readiness(given.replay, given.house, given.day)
    files = {"readiness.json": as_json([line.plain() for line in found.lines])}
    return Made(value=found, files=files)


def table_judged(given: Given) -> Made:
    """Judge one table's rounds and duties; gather its rows for the marts and for detections.

    Every ``STATE_EVERY`` rounds the state is put aside, so that a round is shown without the day
    before it.
    """
    rounds: list[RoundResult] = []
    states: dict[int, bytes] = {}

    def keep(orders: InEveryOrder, at: int) -> None:
        due = len(rounds) >= STATE_EVERY * (len(states) + 1)
        if due and not orders.with_coupons():
            states[at] = CarriedStates.packed(orders)

    part, rows = stage_table(
        given.replay, given.house, given.table, given.day, given.ground.carried, rounds.append, keep
    )
    seen = part_of(given, given.table, given.day.date, rounds, part.after)
    return Made(value=part, aside={ROWS: rows, SEEN: seen, STATES: states})


def coupons_reconciled(given: Given) -> Made:
    """Reconcile the day's coupons and make its forms, as of its end."""
    book, day = book_of_phase(given), given.day.date
    if book is None:
        return Made(value=CouponDay())
    found = findings_of_phase(
        given, [*coupon_findings(book, day), *form_findings(given.replay, book, day)]
    )
    told = reconciled_of_phase(given, reconcile(book, day))
    forms = {name: form_of(book, name, day) for name in MAKERS}
    files = {"coupons.json": as_json(reconcile_data(told, told.findings))}
    for name, form in forms.items():
        files[f"forms/{name}.json"] = as_json(
            {**form.plain(), "digest": form.digest().hex(), "title": form.title}
        )
        files[f"forms/{name}.csv"] = form_csv(form)
    value = CouponDay(
        findings=found,
        balances=balances_of_phase(given, balances(book, day)),
        line=balance_line(told, found),
        stands=coupon_standing(book, day),
    )
    return Made(value=value, files=files)


def papers_made(given: Given) -> Made:
    """The forms of the coupons as they are printed, with tree size and root as text and QR code."""
    book = book_of_phase(given)
    if book is None:
        return Made()
    log, replay = read_log(given.ground.folder), given.replay
    desk = FormDesk(log, replay, given.ground.record, book, read_signatures(replay))
    stamp = Stamp(
        property_name=given.house.office.property_name or "property not recorded",
        clock=given.clock,
        tree_size=given.replay.size,
        root=given.replay.root.hex(),
        printed_at=None,
        origin=log.origin,
        paper=Paper(given.draft["paper"]),
    )
    files = {}
    for issue in desk.issues(given.day.date):
        stem = f"papers/{file_stem(issue, given.day.date)}"
        files[f"{stem}.html"] = forms_html((issue,), stamp).encode()
        files[f"{stem}.txt"] = forms_text((issue,), stamp).encode()
    return Made(files=files)


def form_csv(form: Form) -> bytes:
    """The tables of a form for a spreadsheet, without tree and time: always the same bytes."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((_safe(form.form_id), form.title))
    for entry in form.heads:
        writer.writerow((_safe(entry.field.title), _safe(bare(entry.value))))
    for table in form.tables:
        writer.writerow(())
        writer.writerow((_safe(table.title),))
        writer.writerow(tuple(_safe(field.title) for field in table.fields))
        writer.writerows(tuple(_safe(bare(value)) for value in row) for row in table.rows)
    return out.getvalue().encode()


def _safe(known: int | str | None) -> int | str | None:
    return cell_text(known) if isinstance(known, str) else known


def day_judged(given: Given) -> Made:
    """Join the tables, the coupons and the record itself to the audit of the day."""
    of_coupons: CouponDay = given.value("coupons")
    audit = joined(
        given.replay,
        given.house,
        given.day,
        parts_of_phase(given, given.values("table")),
        of_coupons.findings,
        of_coupons.stands,
    )
    told = audit_data(audit, given.house.office.property_name)
    del told["tree_size"], told["root"]
    return Made(value=audit, files={"audit.json": as_json(told)})


def tables_told(given: Given) -> Made:
    """Each table's day in cents."""
    audit: DayAudit = given.value("audit")
    days = table_days(audit, given.ground.theory)
    files = {
        "tables.json": as_json(table_days_data(days)),
        "tables.csv": table_days_csv(days).encode(),
    }
    shown = tuple(shown_of(one, given.ground.theory, audit.gaming_day) for one in audit.accounts)
    return Made(value=shown, files=files)


STEPS: Final = (
    Step("verify", verified, kept=False),
    Step("readiness", ready),
    Step("table", table_judged, per_table=True, looks_back=True),
    Step("coupons", coupons_reconciled, by_phase=True),
    Step("audit", day_judged, needs=("table", "coupons"), by_phase=True),
    Step("tables", tables_told, needs=("audit",), by_phase=True),
    Step("actions", actions_folded, needs=("audit",), by_phase=True),
    Step("discoveries", alarms_counted, looks_back=True),
    Step("alerts", nights_compared, needs=("table", "discoveries"), looks_back=True),
    Step("marts", marts_made, needs=("table", "audit"), by_phase=True),
)
"""Every step whose output restates the day where it is another."""

LATE: Final[tuple[Step, ...]] = (
    Step("archive", day_archived),
    Step("papers", papers_made, by_phase=True),
    Step(
        "page",
        page_made,
        needs=("readiness", "table", "audit", "tables", "coupons", "actions", "alerts"),
        by_phase=True,
    ),
)
"""Steps that run once an issue is due and show how things stand then (the tree, the status of
actions, what is restated): ``given.draft`` is the manifest so far. Their files restate nothing."""
