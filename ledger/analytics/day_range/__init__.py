"""The audit of many gaming days: one task per day and table, wherever it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.analytics.day_range.errors import DaysReversed, RangeEmpty, ResultFalse
    from ledger.analytics.day_range.manifest import DayEntry, RangeManifest
    from ledger.analytics.day_range.range_audit import RangeAudit, audit_range
    from ledger.analytics.day_range.result_sample import Sample, chance_of_catching
    from ledger.analytics.day_range.runners import InProcesses, InTurn, Runner
    from ledger.analytics.day_range.scheduler_address import Credentials, SchedulerAddress
    from ledger.analytics.day_range.tasks import TableTask, TaskKey, TaskResult
else:
    load_on_first_use(__name__)

__all__ = [
    "Credentials",
    "DayEntry",
    "DaysReversed",
    "InProcesses",
    "InTurn",
    "RangeAudit",
    "RangeEmpty",
    "RangeManifest",
    "ResultFalse",
    "Runner",
    "Sample",
    "SchedulerAddress",
    "TableTask",
    "TaskKey",
    "TaskResult",
    "audit_range",
    "chance_of_catching",
]
