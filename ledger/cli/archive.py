"""The archive of gaming days: written, held against the ledger, listed."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from ledger.cli.audit_commands import DayOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, emit_list, progress

if TYPE_CHECKING:
    from ledger.analytics import ArchiveManifest

NAME: Final = "archive"
Place = Annotated[Path | None, Parameter(name="--archive", show_default=False)]


def archive_write(
    *,
    day: DayOption = None,
    archive: Place = None,
    processes: int = 1,
    options: Options = OPTIONS,
) -> int:
    """Write the facts of a gaming day as Parquet files, one per stream.

    A day that is there is replaced. The same facts give the same bytes each time.

    Args:
        day: the gaming day, such as 2021-06-12; default the last one in the ledger.
        archive: folder of the archive; default archive in the ledger's folder.
        processes: how many processes share the streams; the bytes are the same for any number.
    """
    from ledger.analytics import write_archive
    from ledger.cli.days import last_day
    from ledger.replay import Replay

    with progress("archiving", ""):
        replay = Replay.open(options.folder)
        chosen = day if day is not None else last_day(replay, options.folder)
        place = _place(archive, options)
        manifest = write_archive(replay, chosen, place, processes=max(1, processes))
    if options.is_json:
        emit_json(_data(manifest))
    else:
        emit(f"{_line(manifest)}\n")
    return 0


def archive_verify(
    *, day: DayOption = None, archive: Place = None, options: Options = OPTIONS
) -> int:
    """Hold archived days against the ledger, row by row.

    The first file and row that differ are named. The exit code is 4 if anything differs.

    Args:
        day: the gaming day; default every day that the archive has.
        archive: folder of the archive; default archive in the ledger's folder.
    """
    from ledger.analytics import archived_days, verify_archive

    place = _place(archive, options)
    days = [day] if day is not None else archived_days(place)
    differing: list[dict[str, object]] = []
    for archived in days:
        with progress(f"verifying {archived}", ""):
            difference = verify_archive(options.folder, archived, place)
        if difference is not None:
            differing.append({"gaming_day": archived.isoformat(), **asdict(difference)})
    if options.is_json:
        emit_json({"days": [one.isoformat() for one in days], "differing": differing})
    elif differing:
        emit("".join(f"{_differs(one)}\n" for one in differing))
    else:
        emit(f"{_days(len(days))}: every row is the ledger's.\n" if days else "No archived day.\n")
    return 4 if differing else 0


def archive_list(*, archive: Place = None, options: Options = OPTIONS) -> int:
    """List the archived gaming days, and the state of the ledger that each is of.

    Args:
        archive: folder of the archive; default archive in the ledger's folder.
    """
    from ledger.analytics import archived_days, read_manifest

    place = _place(archive, options)
    manifests = [read_manifest(place, one) for one in archived_days(place)]
    if options.is_json:
        emit_list(_data(one) for one in manifests)
    elif manifests:
        emit("".join(f"{_line(one)}\n" for one in manifests))
    else:
        emit("No archived day.\n")
    return 0


def _place(archive: Path | None, options: Options) -> Path:
    return archive if archive is not None else options.folder / NAME


def _data(manifest: ArchiveManifest) -> dict[str, object]:
    return asdict(manifest) | {"gaming_day": manifest.gaming_day.isoformat()}


def _line(manifest: ArchiveManifest) -> str:
    size = sum(file.bytes for file in manifest.files)
    return (
        f"{manifest.gaming_day}: {manifest.rows:,} facts in {len(manifest.files)} streams,"
        f" {size:,} bytes, of {manifest.tree_size:,} entries, root {manifest.root[:16]}"
    )


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"


def _differs(difference: dict[str, object]) -> str:
    row = "" if difference["row"] is None else f", row {difference['row']}"
    return f"{difference['gaming_day']}: {difference['path']}{row}: {difference['says']}"
