"""Run the night's flow once: ``python -m pipelines LEDGER OUT [DAY] [--scheduler ADDRESS]``.

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
from typing import Any, Final

from ledger.cli.settings import load
from ledger.kernel import LedgerError, SourceUnavailable, UsageError
from pipelines import schedule

PATIENCE_SECONDS: Final = 10
OPTIONS: Final = ("--scheduler", "--tls-ca", "--tls-cert", "--tls-key")
USAGE: Final = "python -m pipelines LEDGER OUT [DAY] --scheduler tcp://127.0.0.1:8786"


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


def _apart(words: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The words that stand by themselves, and the options that were given, by name.

    Raises:
        WordsWrong: an option has no word after it, or belongs to a scheduler that is not named.
    """
    plain: list[str] = []
    options: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if word not in OPTIONS:
            plain.append(word)
            continue
        options[word] = next(rest, "")
        if not options[word]:
            raise WordsWrong(f"{word} needs a word after it.", next_step=USAGE)
    files = [name for name in OPTIONS[1:] if name in options]
    if options and (OPTIONS[0] not in options or len(files) not in (0, 3)):
        raise WordsWrong("The certificates are named together, with --scheduler.", next_step=USAGE)
    return plain, options


def _runner(options: dict[str, str]) -> Any:
    """Prefect's runner on the scheduler that the options name."""
    from ledger.analytics.day_range import Credentials, SchedulerAddress
    from pipelines.on_dask import runner_at

    authority, certificate, key = (Path(options.get(name, "")) for name in OPTIONS[1:])
    credentials = Credentials(authority=authority, certificate=certificate, key=key)
    return runner_at(
        SchedulerAddress.parse(options[OPTIONS[0]]),
        credentials if OPTIONS[1] in options else None,
    )


def main(words: Sequence[str]) -> int:
    """Run the flow once, or print the deployment; a refusal is printed, never raised.

    Args:
        words: ``LEDGER OUT [DAY]``, or ``schedule LEDGER``. With ``--scheduler ADDRESS``, and
            ``--tls-ca``, ``--tls-cert``, ``--tls-key`` beyond this machine, workers do the steps.

    Returns:
        The exit code: 0, or that of the refusal.
    """
    try:
        if len(words) == 2 and words[0] == "schedule":
            sys.stdout.write(schedule.deployment(load(), schedule.zone_of(Path(words[1]))))
            return 0
        plain, options = _apart(words)
        if len(plain) not in (2, 3):
            raise WordsWrong(
                "Give LEDGER OUT [DAY], or schedule LEDGER.",
                next_step="python -m pipelines LEDGER OUT",
            )
        day = date.fromisoformat(plain[2]) if len(plain) == 3 else None
        reach_server()
        from pipelines.flows.night import night

        folder, out = Path(plain[0]).absolute(), Path(plain[1]).absolute()
        if options:
            flow = night.with_options(task_runner=_runner(options))
            state = flow(folder, out, day, on_workers=True)
        else:
            state = night(folder, out, day)
        sys.stdout.write(f"{state}\n")
    except LedgerError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
