"""Why a night cannot honestly go on: one class per reason, each with a stable code."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from ledger.kernel import IntegrityBroken, SourceUnavailable, UsageError


class NightRunning(SourceUnavailable):
    """Another run works in the same folder of nights."""

    code = "night_running"

    def __init__(self, folder: Path) -> None:
        super().__init__(
            "Another run of the night works in this folder.",
            where=str(folder),
            next_step="wait for it to end; what it has done is taken over by the next run",
        )


class NightUnwritable(SourceUnavailable):
    """An output, or an issue, cannot be written to the disk."""

    code = "night_unwritable"

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(
            f"The night's files cannot be written: {error.strerror or error}.",
            where=str(path),
            cause="the disk is full, or the folder is closed to us",
            next_step="make room and run it again: what is done stands, and the bytes are the same",
        )


class StepLost(SourceUnavailable):
    """The process of a step died before it answered, or the file of an output is gone."""

    code = "night_step_lost"

    def __init__(self, step: str) -> None:
        super().__init__(
            f"A process of the night ended while it was at {step}.",
            cause="it was killed, or the machine has no memory left",
            next_step="run it again: what is done stands, and the bytes are the same",
        )


class StepOfOtherCode(SourceUnavailable):
    """A process of another version was asked for a step."""

    code = "night_step_of_other_code"

    def __init__(self, step: str) -> None:
        super().__init__(
            f"The worker that was given the step {step} has another version of this program.",
            next_step="install the same version on every machine",
        )


class LedgerDoesNotVerify(IntegrityBroken):
    """The ledger is not what was signed, so nothing that rests on it is said."""

    code = "ledger_broken"

    def __init__(self, folder: Path, problem: str) -> None:
        super().__init__(problem, where=str(folder), next_step="pitledger verify")


class NightOfAnotherLedger(IntegrityBroken):
    """The folder holds the nights of a ledger that this one does not continue."""

    code = "night_of_another_ledger"

    def __init__(self, folder: Path, size: int) -> None:
        super().__init__(
            f"This issue was made from a ledger of {size} entries that the present one does not"
            " continue.",
            where=str(folder),
            cause="another ledger, or one that was cut or replaced",
            next_step="name another folder with --out, or the ledger that belongs to this one",
        )


class IssueDamaged(IntegrityBroken):
    """An issue that stands is not what its manifest says."""

    code = "issue_damaged"

    def __init__(self, path: Path | str, problem: str) -> None:
        super().__init__(
            f"A file of an issue is not what was issued: {problem}.",
            where=str(path),
            next_step="restore it, or run the night into another folder with --out: the same facts"
            " give the same bytes",
        )


class DayOpen(UsageError):
    """A final run was asked for, and the record has no closing of the day."""

    code = "day_open"

    def __init__(self, day: date) -> None:
        super().__init__(
            f"The gaming day {day} has no closing fact, so it can have no final run.",
            next_step="run it with --phase preliminary, or after the day was closed",
        )


class CountAwaited(UsageError):
    """A final run was asked for, and drop boxes of the day await their count."""

    code = "count_awaited"

    def __init__(self, day: date, boxes: tuple[str, ...]) -> None:
        super().__init__(
            f"Drop boxes of {day} await their count: {', '.join(boxes)}.",
            next_step="run it with --phase preliminary, or after the count",
        )


class NothingIssued(UsageError):
    """There is no such issue of a night."""

    code = "night_not_issued"

    def __init__(self, named: str) -> None:
        super().__init__(
            f"There is no issue of {named}.", next_step="pitledger night --day DAY makes one"
        )


class ReportNotSigned(UsageError):
    """This person may not sign this report, or not so."""

    code = "report_signature_refused"


class PropertiesWrong(UsageError):
    """The list of properties cannot be used."""

    code = "properties_wrong"

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(
            f"The properties cannot be rolled up: {problem}.",
            where=where,
            next_step="each property has a name, the verifier that you trust, and its nights:"
            " infra/docs/commands.md",
        )
