"""What Prefect's pages show of a night: state, summary, link to the report, tables, anomalies."""

from __future__ import annotations

from uuid import UUID

from prefect.artifacts import (
    create_link_artifact,
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.client.schemas import State
from prefect.states import Completed

from ledger.night import (
    Outcome,
    anomaly_rows,
    outcome_text,
    report_of,
    table_rows,
    verdict_of,
)

SUMMARY, REPORT, TABLES, ANOMALIES, PROGRESS = (
    "night-summary",
    "night-report",
    "night-tables",
    "night-anomalies",
    "night-progress",
)


def begin() -> UUID:
    """Create the progress bar of a night, at nothing done, and return its id for ``advance``."""
    artifact = create_progress_artifact(0.0, key=PROGRESS, description="steps of the night")
    assert isinstance(artifact, UUID)
    return artifact


def advance(progress: UUID, done: int, steps: int) -> None:
    """Move the progress bar to so many done of all steps."""
    update_progress_artifact(progress, 100.0 * done / steps)


def tell(outcome: Outcome) -> None:
    """Publish the result of a night: its summary, its report, the tables' days, what is open."""
    link, name = report_of(outcome)
    of_day = f"of gaming day {outcome.issue.manifest['gaming_day']}"
    text = f"[{name}]({link})\n\n```\n{outcome_text(outcome)}```\n"
    create_markdown_artifact(text, key=SUMMARY, description=f"What the night {of_day} came to.")
    create_link_artifact(
        link, name, key=REPORT, description=f"The report {of_day}, to be opened and printed."
    )
    create_table_artifact(
        table_rows(outcome), key=TABLES,
        description=f"Each table {of_day}: what it recorded, what was judged, its win.",
    )  # fmt: skip
    create_table_artifact(
        anomaly_rows(outcome), key=ANOMALIES,
        description=f"What is not known {of_day}, then its findings by code and table.",
    )  # fmt: skip


def state(outcome: Outcome) -> State[str]:
    """Return the state of a run, with the path of the issue's folder as its data.

    The state has a name of its own where the record is incomplete or critical actions are open, so
    that nobody overlooks it.
    """
    path = str(outcome.issue.path)
    verdict = verdict_of(outcome)
    if verdict is None:
        return Completed(data=path)
    name, message = verdict
    return Completed(name=name, message=message, data=path)
