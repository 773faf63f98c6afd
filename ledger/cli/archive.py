"""The archive of gaming days: written or published, held against the ledger, listed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from ledger.cli.audit_commands import DayOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, emit_list, progress

if TYPE_CHECKING:
    from datetime import date

    from ledger.analytics import ArchiveManifest, Difference, ObjectStore

NAME: Final = "archive"
Place = Annotated[str | None, Parameter(name="--archive", show_default=False)]


def archive_write(
    *,
    day: DayOption = None,
    archive: Place = None,
    processes: int = 1,
    options: Options = OPTIONS,
) -> int:
    """Write the facts of a gaming day as Parquet files, one per stream.

    In a folder, a day that is there is replaced. At an address nothing is replaced: the day's next
    manifest is put last, and a day whose facts stand there stays as it is. The same facts give the
    same bytes each time. The ledger's key seals the manifest.

    Args:
        day: the gaming day, such as 2021-06-12; default the last one in the ledger.
        archive: folder or address (s3://bucket/archive) of the archive; default archive in the
            ledger's folder.
        processes: how many processes share the streams; the bytes are the same for any number.
    """
    from ledger.analytics import is_address, open_store, publish_day, write_archive
    from ledger.cli.last_day import last_day
    from ledger.log.signed_file_index import Seals
    from ledger.replay import Replay

    place = _place(archive, options)
    store = open_store(place) if is_address(place) else None  # a wrong address is refused at once
    with progress("archiving", ""), TemporaryDirectory() as scratch:
        replay = Replay.open(options.folder)
        chosen = day if day is not None else last_day(replay, options.folder)
        seals = Seals.of(options.folder)
        folder = Path(place) if store is None else Path(scratch)
        manifest = write_archive(replay, chosen, folder, processes=max(1, processes), seals=seals)
        is_new, line = True, ""
        if store is not None:
            published, is_new = publish_day(folder, chosen, store, seals, replay.root_at)
            manifest = published.manifest
            line = f"{store.address}: manifest {published.number} of the day"
            line += "" if is_new else ", which stood there already"
    if options.is_json:
        emit_json(_data(manifest))
    else:
        emit(f"{_line(manifest)}\n" + (f"{line}\n" if line else ""))
    return 0


def archive_verify(
    *, day: DayOption = None, archive: Place = None, options: Options = OPTIONS
) -> int:
    """Hold archived days against the ledger, row by row.

    The first file and row that differ are named. The exit code is 4 if anything differs. Of a day
    at an address, the last manifest counts; its files are fetched, and each block is proved.

    Args:
        day: the gaming day; default every day that the archive has.
        archive: folder or address (s3://bucket/archive) of the archive; default archive in the
            ledger's folder.
    """
    from ledger.analytics import archived_days, is_address, open_store, published_numbers

    place = _place(archive, options)
    if is_address(place):
        store = open_store(place)
        numbers = published_numbers(store)
        days = [*numbers] if day is None else [day]
    else:
        store, numbers = None, {}
        days = [day] if day is not None else archived_days(Path(place))
    differing: list[dict[str, object]] = []
    for archived in days:
        with progress(f"verifying {archived}", ""):
            if store is None:
                difference = _verified(options.folder, archived, Path(place))
            else:
                with _fetched(options.folder, store, archived, numbers) as folder:
                    difference = _verified(options.folder, archived, folder)
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
        archive: folder or address (s3://bucket/archive) of the archive; default archive in the
            ledger's folder.
    """
    from ledger.analytics import (
        archived_days,
        is_address,
        open_store,
        proved_days,
        read_manifest,
    )
    from ledger.log.signed_file_index import Seals

    place = _place(archive, options)
    if is_address(place):
        seals = Seals.of(options.folder)
        proved = proved_days(open_store(place), seals, is_folder=False)
        manifests = [one.manifest for one in proved]
    else:
        manifests = [read_manifest(Path(place), one) for one in archived_days(Path(place))]
    if options.is_json:
        emit_list(_data(one) for one in manifests)
    elif manifests:
        emit("".join(f"{_line(one)}\n" for one in manifests))
    else:
        emit("No archived day.\n")
    return 0


@contextmanager
def _fetched(
    ledger: Path, store: ObjectStore, day: date, numbers: dict[date, int]
) -> Iterator[Path]:
    """A published day in a folder of its own, for as long as it is held against the ledger."""
    from ledger.analytics import ArchiveMissing, fetch_day, read_published
    from ledger.log.signed_file_index import Seals

    if day not in numbers:
        raise ArchiveMissing(day, store.address)
    with TemporaryDirectory() as scratch:
        proved = read_published(store, day, numbers[day], Seals.of(ledger))
        fetch_day(store, proved, Path(scratch))
        yield Path(scratch)


def _verified(ledger: Path, day: date, folder: Path) -> Difference | None:
    from ledger.analytics import verify_archive

    return verify_archive(ledger, day, folder)


def _place(archive: str | None, options: Options) -> str:
    return archive if archive is not None else str(options.folder / NAME)


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
