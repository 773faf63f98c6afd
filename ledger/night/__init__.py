"""The nightly audit: steps that close a gaming day."""

from ledger.night.alerts import alert_data, alerts_now, issued_alerts, last_issue_of
from ledger.night.console_output import (
    anomaly_rows,
    last_day,
    outcome_data,
    outcome_text,
    report_of,
    table_rows,
    verdict_of,
)
from ledger.night.errors import NothingIssued
from ledger.night.issue_folders import Issue, issues, last_issue, named_issue, named_manifest
from ledger.night.issue_rederivation import IssueVerification, verify_issue
from ledger.night.launch import opened, processes_ready, run_night, run_nights
from ledger.night.manifest import read_manifest
from ledger.night.manifest_diff import changes, changes_in_words, is_moved
from ledger.night.night_run import Job, NightRun, Outcome
from ledger.night.property_list import read_properties
from ledger.night.readiness import Readiness, ReadinessLine, State, readiness
from ledger.night.report_signatures import signatures_of
from ledger.night.roll_up import roll_up
from ledger.night.signed_copy import write_signed_copy
from ledger.night.signing import sign_report, signature_on_report
from ledger.night.step_input import Step, StepInput
from ledger.night.step_run import Order, PlainRefusal, run_elsewhere
from ledger.night.store import StepOutput
from ledger.reports.night import Phase

__all__ = [
    "Issue",
    "IssueVerification",
    "Job",
    "NightRun",
    "NothingIssued",
    "Order",
    "Outcome",
    "Phase",
    "PlainRefusal",
    "Readiness",
    "ReadinessLine",
    "State",
    "Step",
    "StepInput",
    "StepOutput",
    "alert_data",
    "alerts_now",
    "anomaly_rows",
    "changes",
    "changes_in_words",
    "is_moved",
    "issued_alerts",
    "issues",
    "last_day",
    "last_issue",
    "last_issue_of",
    "named_issue",
    "named_manifest",
    "opened",
    "outcome_data",
    "outcome_text",
    "processes_ready",
    "read_manifest",
    "read_properties",
    "readiness",
    "report_of",
    "roll_up",
    "run_elsewhere",
    "run_night",
    "run_nights",
    "sign_report",
    "signature_on_report",
    "signatures_of",
    "table_rows",
    "verdict_of",
    "verify_issue",
    "write_signed_copy",
]
