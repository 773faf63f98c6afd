"""The table of steps, in their order; each is a pure function of its input.

Another step is one more row: its function takes the ledger, the day and the outputs of the steps
that it names, and returns a value and files. ``README.md`` shows how to write one.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import field
from typing import Final

from ledger.analytics import StagedTable
from ledger.audit import (
    DayAudit,
    Shown,
    TableDay,
    coupon_findings,
    coupon_standing,
    form_findings,
    joined,
    shown_of,
)
from ledger.audit.coupon_forms import FormDesk, read_signatures
from ledger.casework import Action, Alert
from ledger.coupons import reconcile
from ledger.coupons.balances import Balance, balances
from ledger.coupons.forms import MAKERS, Form, bare, form_of
from ledger.kernel import Finding, cell_text
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import verify
from ledger.night.detection_history import SEEN, TableNight, judged_table
from ledger.night.earlier_alarms import NightAlarms
from ledger.night.errors import LedgerDoesNotVerify
from ledger.night.manifest import as_json
from ledger.night.preliminary_report import (
    balances_of_phase,
    book_of_phase,
    findings_of_phase,
    parts_of_phase,
    reconciled_of_phase,
)
from ledger.night.readiness import Readiness, readiness
from ledger.night.report_steps import (
    ROWS,
    STATES,
    archive_day,
    build_marts,
    compare_nights,
    count_alarms,
    fold_actions,
    make_page,
)
from ledger.night.step_input import Step, StepInput
from ledger.night.store import OutputTypes, StepOutput
from ledger.reports import audit_data, table_days, table_days_csv, table_days_data
from ledger.reports.coupon_reconciliation import balance_line, reconcile_data
from ledger.reports.forms import Stamp, file_stem, forms_html, forms_text
from ledger.reports.paper import Paper


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponDay:
    """A day of coupons.

    Attributes:
        findings: what breaks the rules of custody and of the forms.
        balances: the day's balances, each with what it compares.
        line: the verdict in one line; empty where the ledger has no coupons.
    """

    findings: tuple[Finding, ...] = ()
    balances: tuple[Balance, ...] = ()
    line: str = ""
    stands: Mapping[str, str] = field(default_factory=dict)
    """How the texts of the coupons' chapter stand on the day, for the audit's header."""


def verify_ledger(inputs: StepInput) -> StepOutput:
    """Recompute the ledger from its entries up to the signed root; return the remarks.

    Raises:
        LedgerDoesNotVerify: the ledger is not what was signed.
    """
    verification = verify(inputs.ground.folder)
    if verification.problem is not None:
        raise LedgerDoesNotVerify(inputs.ground.folder, verification.problem)
    return StepOutput(result=list(verification.remarks))


def check_readiness(inputs: StepInput) -> StepOutput:
    """Check whether the day's record is complete, before anything is judged; write it as a file."""
    ready = readiness(inputs.replay, inputs.house, inputs.day)
    files = {"readiness.json": as_json([line.plain() for line in ready.lines])}
    return StepOutput(result=ready, files=files)


def judge_table(inputs: StepInput) -> StepOutput:
    """Judge one table's rounds and duties; gather its rows for the marts and for detections.

    States within the day are put aside, so that a round is shown without the day before it.
    """
    judged, seen = judged_table(inputs)
    return StepOutput(
        result=judged.part, aside={ROWS: judged.rows, SEEN: seen, STATES: dict(judged.states)}
    )


def reconcile_coupons(inputs: StepInput) -> StepOutput:
    """Reconcile the day's coupons and make its forms, as of its end."""
    book, day = book_of_phase(inputs), inputs.day.date
    if book is None:
        return StepOutput(result=CouponDay())
    findings = findings_of_phase(
        inputs, [*coupon_findings(book, day), *form_findings(inputs.replay, book, day)]
    )
    reconciliation = reconciled_of_phase(inputs, reconcile(book, day))
    forms = {name: form_of(book, name, day) for name in MAKERS}
    files = {"coupons.json": as_json(reconcile_data(reconciliation, reconciliation.findings))}
    for name, form in forms.items():
        files[f"forms/{name}.json"] = as_json(
            {**form.plain(), "digest": form.digest().hex(), "title": form.title}
        )
        files[f"forms/{name}.csv"] = form_csv(form)
    coupons = CouponDay(
        findings=findings,
        balances=balances_of_phase(inputs, balances(book, day)),
        line=balance_line(reconciliation, findings),
        stands=coupon_standing(book, day),
    )
    return StepOutput(result=coupons, files=files)


def print_papers(inputs: StepInput) -> StepOutput:
    """Make the coupon forms as they are printed, with tree size and root as text and QR code."""
    book = book_of_phase(inputs)
    if book is None:
        return StepOutput()
    log, replay = inputs.ground.log, inputs.replay
    desk = FormDesk(log, replay, inputs.ground.record, book, read_signatures(replay))
    stamp = Stamp(
        property_name=inputs.house.office.property_name or "property not recorded",
        clock=inputs.clock,
        tree_size=inputs.replay.size,
        root=inputs.replay.root.hex(),
        printed_at=None,
        origin=log.origin,
        paper=Paper(inputs.draft["paper"]),
    )
    files = {}
    for issue in desk.issues(inputs.day.date):
        stem = f"papers/{file_stem(issue, inputs.day.date)}"
        files[f"{stem}.html"] = forms_html((issue,), stamp).encode()
        files[f"{stem}.txt"] = forms_text((issue,), stamp).encode()
    return StepOutput(files=files)


def form_csv(form: Form) -> bytes:
    """Return the tables of a form as CSV in UTF-8, without tree and time: always the same bytes.

    Text that a spreadsheet would take for a formula is written so that it stays text.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((_safe(form.form_id), form.title))
    for entry in form.heads:
        writer.writerow((_safe(entry.field.title), _safe(bare(entry.content))))
    for table in form.tables:
        writer.writerow(())
        writer.writerow((_safe(table.title),))
        writer.writerow(tuple(_safe(field.title) for field in table.fields))
        writer.writerows(tuple(_safe(bare(value)) for value in row) for row in table.rows)
    return out.getvalue().encode()


def _safe(known: int | str | None) -> int | str | None:
    return cell_text(known) if isinstance(known, str) else known


def judge_day(inputs: StepInput) -> StepOutput:
    """Join the tables, the coupons and the record itself to the audit of the day."""
    of_coupons: CouponDay = inputs.result("coupons")
    audit = joined(
        inputs.replay,
        inputs.house,
        inputs.day,
        parts_of_phase(inputs, inputs.results("table")),
        of_coupons.findings,
        of_coupons.stands,
        inputs.ground.carried,
    )
    plain = audit_data(audit, inputs.house.office.property_name)
    del plain["tree_size"], plain["root"]
    return StepOutput(result=audit, files={"audit.json": as_json(plain)})


def report_tables(inputs: StepInput) -> StepOutput:
    """Report each table's day, in cents, as JSON and CSV."""
    audit: DayAudit = inputs.result("audit")
    days = table_days(audit, inputs.ground.theory)
    files = {
        "tables.json": as_json(table_days_data(days)),
        "tables.csv": table_days_csv(days).encode(),
    }
    shown = tuple(shown_of(one, inputs.ground.theory, audit.gaming_day) for one in audit.accounts)
    return StepOutput(result=shown, files=files)


STEPS: Final = (
    Step("verify", verify_ledger, OutputTypes(list[str]), kept=False),
    Step("readiness", check_readiness, OutputTypes(Readiness)),
    Step(
        "table",
        judge_table,
        OutputTypes(TableDay, {ROWS: StagedTable, SEEN: TableNight, STATES: dict[int, bytes]}),
        per_table=True,
        looks_back=True,
    ),
    Step("coupons", reconcile_coupons, OutputTypes(CouponDay), by_phase=True),
    Step("audit", judge_day, OutputTypes(DayAudit), needs=("table", "coupons"), by_phase=True),
    Step("tables", report_tables, OutputTypes(tuple[Shown, ...]), needs=("audit",), by_phase=True),
    Step("actions", fold_actions, OutputTypes(tuple[Action, ...]), needs=("audit",), by_phase=True),
    Step("discoveries", count_alarms, OutputTypes(tuple[NightAlarms, ...]), looks_back=True),
    Step(
        "alerts",
        compare_nights,
        OutputTypes(tuple[Alert, ...]),
        needs=("table", "discoveries"),
        looks_back=True,
    ),
    Step("marts", build_marts, needs=("table", "audit"), by_phase=True),
)
"""Every step whose output restates the day where it is another."""

LATE: Final[tuple[Step, ...]] = (
    Step("archive", archive_day),
    Step("papers", print_papers, by_phase=True),
    Step(
        "page",
        make_page,
        needs=("readiness", "table", "audit", "tables", "coupons", "actions", "alerts"),
        by_phase=True,
    ),
)
"""Steps that run once an issue is due and show how things stand then (the tree, the status of
actions, what is restated): ``inputs.draft`` is the manifest so far. Their files restate nothing."""
