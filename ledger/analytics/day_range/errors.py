"""Why many days cannot honestly be audited: one class per reason, each with a stable code."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from ledger.kernel import IntegrityBroken, SourceUnavailable, UsageError

AGAIN = "run the same command again: what came back is kept, and the hash is the same"


class DaysReversed(UsageError):
    """The range ends before it begins."""

    code = "days_reversed"

    def __init__(self, begins: date, ends: date) -> None:
        super().__init__(
            f"The range ends before it begins: {begins} to {ends}.",
            next_step=f"--from {ends} --to {begins}",
        )


class RangeEmpty(UsageError):
    """No day of the range has a fact."""

    code = "no_day_in_range"

    def __init__(self, begins: date, ends: date, known: tuple[date, date] | None) -> None:
        has = "no gaming day" if known is None else f"gaming days from {known[0]} to {known[1]}"
        super().__init__(
            f"The ledger has no fact of a gaming day from {begins} to {ends}.",
            next_step=f"it has {has}",
        )


class ResultFalse(IntegrityBroken):
    """A worker's result is not what judging the same day again gives."""

    code = "worker_result_false"

    def __init__(self, which: str, difference: str) -> None:
        super().__init__(
            f"A worker's result for {which} is not what judging it again gives: {difference}.",
            cause="the worker, its machine, or somebody on the way altered it; or there it told"
            " rounds from tables otherwise than the rules engine judges them",
            next_step="nothing that the workers sent is kept; find out which machine it was, then"
            " audit without --scheduler or with other workers",
        )


class WorkerRefused(SourceUnavailable):
    """A worker could not do its task."""

    code = "worker_refused"

    def __init__(self, which: str, problem: str, code: str, where: str | None) -> None:
        super().__init__(
            f"A worker cannot judge {which}: {problem} [{code}]", where=where, next_step=AGAIN
        )


class WorkersLost(SourceUnavailable):
    """The processes that shared the work ended before it was done."""

    code = "workers_lost"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The processes that shared the work are gone: {problem}.",
            cause="one was killed, or the machine has no memory left",
            next_step=AGAIN,
        )


class DaskMissing(SourceUnavailable):
    """The package that speaks to a scheduler is not installed."""

    code = "dask_missing"

    def __init__(self) -> None:
        super().__init__(
            "This installation cannot speak to a scheduler: Dask is not installed.",
            next_step="pip install 'pitledger[dask]', or audit without --scheduler",
        )


class AddressWrong(UsageError):
    """A text is no address of a scheduler."""

    code = "scheduler_address_wrong"

    def __init__(self, text: str) -> None:
        super().__init__(
            f"{text!r} is no address of a scheduler.",
            next_step="tcp://127.0.0.1:8786 on this machine, tls://HOST:8786 on another",
        )


class SchedulerUnsecured(SourceUnavailable):
    """A scheduler or a worker of another machine is reached without encryption."""

    code = "scheduler_unsecured"

    def __init__(self, address: str, missing: str) -> None:
        super().__init__(
            f"{address} is beyond this machine, and {missing}.",
            cause="a scheduler and its workers run whatever is sent to them, so both sides must"
            " prove who they are",
            next_step="tls://HOST:PORT with --tls-ca, --tls-cert and --tls-key on every side",
        )


class CredentialsUnusable(SourceUnavailable):
    """The files with which both sides prove who they are cannot be used."""

    code = "scheduler_credentials_unusable"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The certificates for the scheduler cannot be used: {problem}.",
            next_step="name PEM files with --tls-ca, --tls-cert and --tls-key",
        )


class SchedulerUnreachable(SourceUnavailable):
    """No scheduler answers at this address."""

    code = "scheduler_unreachable"

    def __init__(self, address: str, problem: str) -> None:
        super().__init__(
            f"No scheduler answers at {address}: {problem}.",
            next_step="start one with `dask scheduler`, or audit without --scheduler",
        )


class SchedulerLost(SourceUnavailable):
    """The scheduler went away or stopped answering while it had work."""

    code = "scheduler_lost"

    def __init__(self, address: str, done: int, of: int) -> None:
        super().__init__(
            f"The scheduler at {address} was restarted or does not answer any more; {done} of {of}"
            " tasks were done.",
            next_step=AGAIN,
        )


class NoWorkerFits(SourceUnavailable):
    """The scheduler has no worker of this version."""

    code = "no_worker_fits"

    def __init__(self, own: str, others: Iterable[str], seconds: float) -> None:
        listed = "; ".join(sorted(others)) or "it has no worker at all"
        super().__init__(
            f"The scheduler had no worker of this version for {seconds:g} s.",
            cause=listed,
            next_step=f"start workers of {own} with `pitledger worker ADDRESS`",
        )


class LedgerDiffers(SourceUnavailable):
    """A worker's ledger is not the one that is audited."""

    code = "worker_ledger_differs"

    def __init__(self, folder: str, problem: str) -> None:
        super().__init__(
            f"The ledger of this worker is not the one that is audited: {problem}.",
            where=folder,
            next_step="copy the ledger to the worker's machine again, or mount it there",
        )


class WorkerOfOtherCode(SourceUnavailable):
    """A task asks for another version of this program."""

    code = "worker_of_other_code"

    def __init__(self, asked: str, own: str) -> None:
        super().__init__(
            "This worker has another version than the task asks for.",
            cause=f"asked for {asked}, has {own}",
            next_step="install the same version on every machine",
        )
