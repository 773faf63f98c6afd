"""Run the night's flow once: ``python -m pipelines LEDGER OUT [DAY]``.

``python -m pipelines schedule LEDGER`` prints the deployment at the times of the settings instead.
"""

from __future__ import annotations

import os
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final

from ledger.cli.settings import load
from ledger.kernel import LedgerError, SourceUnavailable, UsageError
from pipelines import schedule

PATIENCE_SECONDS: Final = 10


class PrefectUnavailable(SourceUnavailable):
    """The server that the environment names does not answer."""

    code = "prefect_unavailable"


class WordsWrong(UsageError):
    """The words are not a ledger, a folder of nights, and perhaps a day."""

    code = "pipeline_words_wrong"


def reach_server() -> None:
    """Check that the server that ``PREFECT_API_URL`` names answers.

    Where none is named, Prefect starts one for the length of the run.

    Raises:
        PrefectUnavailable: it does not answer within ``PATIENCE_SECONDS``.
    """
    address = os.environ.get("PREFECT_API_URL")
    if not address:
        return
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=PATIENCE_SECONDS):
            return
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise PrefectUnavailable(
            f"The Prefect server does not answer: {error}.",
            where=address,
            next_step="start it, or run `pitledger night --day DAY`: it needs no server and makes"
            " the same bytes",
        ) from error


def main(words: Sequence[str]) -> int:
    """Run the flow once, or print the deployment; a refusal is printed, never raised.

    Args:
        words: ``LEDGER OUT [DAY]``, or ``schedule LEDGER``.

    Returns:
        The exit code: 0, or that of the refusal.
    """
    try:
        if len(words) == 2 and words[0] == "schedule":
            sys.stdout.write(schedule.deployment(load(), schedule.zone_of(Path(words[1]))))
            return 0
        if len(words) not in (2, 3):
            raise WordsWrong(
                "Give LEDGER OUT [DAY], or schedule LEDGER.",
                next_step="python -m pipelines LEDGER OUT",
            )
        day = date.fromisoformat(words[2]) if len(words) == 3 else None
        reach_server()
        from pipelines.flows.night import night

        sys.stdout.write(f"{night(Path(words[0]), Path(words[1]), day)}\n")
    except LedgerError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
