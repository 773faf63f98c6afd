"""What Prefect's pages show of a night: summary, tables, open anomalies, progress."""

from __future__ import annotations

from uuid import UUID

from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)

from ledger.night import Outcome, anomaly_rows, outcome_text, table_rows

SUMMARY, TABLES, ANOMALIES, PROGRESS = (
    "night-summary",
    "night-tables",
    "night-anomalies",
    "night-progress",
)


def begin() -> UUID:
    """Nothing is done yet."""
    made = create_progress_artifact(0.0, key=PROGRESS, description="steps of the night")
    assert isinstance(made, UUID)
    return made


def advance(progress: UUID, done: int, steps: int) -> None:
    """So many steps are done."""
    update_progress_artifact(progress, 100.0 * done / steps)


def tell(outcome: Outcome) -> None:
    """The result of a night: its summary, the tables' days, what is open."""
    create_markdown_artifact(f"```\n{outcome_text(outcome)}```\n", key=SUMMARY)
    create_table_artifact(table_rows(outcome), key=TABLES)
    create_table_artifact(anomaly_rows(outcome), key=ANOMALIES)
