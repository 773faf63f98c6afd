"""Many gaming days audited at once, in processes or on several machines, and their workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from ledger.cli.errors import CommandWrong, FileUnwritable
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit_json, progress, say, show

if TYPE_CHECKING:
    from ledger.analytics import JudgedTables
    from ledger.analytics.day_range import Credentials, Runner


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TlsOptions:
    """With which certificates both sides prove who they are."""

    tls_ca: Annotated[Path | None, Parameter(name="--tls-ca", show_default=False)] = None
    """PEM file of the authority that the scheduler, its workers and its clients trust."""

    tls_cert: Annotated[Path | None, Parameter(name="--tls-cert", show_default=False)] = None
    """PEM file of this side's own certificate."""

    tls_key: Annotated[Path | None, Parameter(name="--tls-key", show_default=False)] = None
    """PEM file of this side's own private key."""

    def credentials(self, command: str) -> Credentials | None:
        """What these files are together; None where none is named.

        Raises:
            CommandWrong: only some of them are named.
        """
        from ledger.analytics.day_range import Credentials

        match self.tls_ca, self.tls_cert, self.tls_key:
            case None, None, None:
                return None
            case Path() as authority, Path() as certificate, Path() as key:
                return Credentials(authority=authority, certificate=certificate, key=key)
        raise CommandWrong("--tls-ca, --tls-cert and --tls-key are named together.", command)


TLS_OPTIONS: Final = TlsOptions()


@dataclass(frozen=True, kw_only=True)
class RangeWords:
    """What `pitledger audit` was asked about a range of days.

    Attributes:
        begins: the first day.
        ends: the last day.
        processes: how many processes of this machine share the tables.
        scheduler: the address of a Dask scheduler; None judges on this machine.
        sample: the share of workers' results that is judged again.
        manifest: the file that the manifest is written to.
        from_nothing: whatever was kept is not read.
        tls: certificates.
    """

    begins: date | None
    ends: date | None
    processes: int
    scheduler: str | None
    sample: float
    manifest: Path | None
    from_nothing: bool
    tls: TlsOptions

    def is_asked(self) -> bool:
        """Whether a range was asked for.

        Raises:
            CommandWrong: only half of one was, or what only ranges have.
        """
        if self.begins is not None and self.ends is not None:
            if not 0 <= self.sample <= 1:
                raise CommandWrong("A share is from 0 to 1, such as 0.05.", "pitledger audit")
            return True
        if self.begins is not None or self.ends is not None:
            raise CommandWrong("--from and --to are named together.", "pitledger audit")
        if self.scheduler is not None or self.manifest is not None:
            raise CommandWrong(
                "--scheduler and --manifest are of a range: name --from and --to.",
                "pitledger audit",
            )
        return False


def audit_days(words: RangeWords, options: Options) -> int:
    """Audit every gaming day of a range, and print one line for each and the manifest's hash."""
    from ledger.analytics import JudgedTables
    from ledger.analytics.day_range import audit_range
    from ledger.replay import Replay
    from ledger.reports import range_data, range_page

    assert words.begins is not None and words.ends is not None
    cache = None if words.from_nothing else options.folder / "cache"
    with progress("auditing", "days of tables") as report:
        replay = Replay.open(options.folder, from_entries=words.from_nothing)
        judged = JudgedTables(replay, cache)
        with _runner(words, judged) as runner:
            audited = audit_range(
                judged, words.begins, words.ends, runner,
                cache=cache, share=Fraction(str(words.sample)), progress=report,
            )  # fmt: skip
            for other in getattr(runner, "others", ()):
                say(f"A worker was given no work: {other}.")
    if words.manifest is not None:
        _write(words.manifest, audited.manifest.content())
    if options.is_json:
        emit_json(range_data(audited))
    else:
        show(range_page(audited, judged.record.office.property_name))
    days = audited.manifest.days
    return 1 if any(day.findings or day.unknown_rounds for day in days) else 0


@contextmanager
def _runner(words: RangeWords, judged: JudgedTables) -> Iterator[Runner]:
    """Where the tables are judged."""
    from ledger.analytics.day_range import InTurn, SchedulerAddress
    from ledger.analytics.day_range.tasks import RangeGround

    if words.scheduler is not None:
        from ledger.analytics.day_range.dask_runner import on_dask

        address = SchedulerAddress.parse(words.scheduler)
        with on_dask(address, words.tls.credentials("pitledger audit")) as runner:
            yield runner
    elif words.processes > 1:
        from ledger.analytics.day_range.runners import in_processes

        with in_processes(RangeGround.of(judged), words.processes) as runner:
            yield runner
    else:
        yield InTurn(RangeGround.of(judged))


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise FileUnwritable(path, error) from error


def worker(
    address: Annotated[str, Parameter(name="ADDRESS")],
    /,
    *,
    patience: float = 60.0,
    tls: TlsOptions = TLS_OPTIONS,
    options: Options = OPTIONS,
) -> int:
    """Judge tables for a scheduler until it stays away; one process, so start one for each core.

    It reads the ledger of this machine and writes nothing beside it. It is given no work of another
    version of this program. Beyond this machine it needs certificates.

    Args:
        address: the scheduler's, such as tcp://127.0.0.1:8786 or tls://HOST:8786.
        patience: for how many seconds the scheduler may be away.
        tls: certificates.
    """
    from ledger.analytics.day_range import SchedulerAddress
    from ledger.analytics.day_range.dask_worker import serve

    serve(
        options.folder,
        SchedulerAddress.parse(address),
        tls.credentials("pitledger worker"),
        patience_seconds=patience,
        on_ready=lambda where: say(f"Working at {where}; stop with Ctrl-C."),
    )
    return 0
