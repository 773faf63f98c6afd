"""`pitledger import`: a CSV or XLSX file into the ledger, all of it or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter

from ledger.cli.action_desk import NOT_CHECKED, NOT_PROVED
from ledger.cli.errors import FileUnwritable
from ledger.cli.ledger_commands import KeyOption, WitnessOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, progress, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.intake import Import, Preview

Text = Annotated[str | None, Parameter(show_default=False)]


def import_file(
    profile: Text = None,
    file: Annotated[Path | None, Parameter(show_default=False)] = None,
    /,
    *,
    preview: Annotated[bool, Parameter(negative="")] = False,
    commit: Annotated[bool, Parameter(negative="")] = False,
    sheet: Text = None,
    rejected: Annotated[Path | None, Parameter(show_default=False)] = None,
    mended: Annotated[Path | None, Parameter(show_default=False)] = None,
    profiles: Annotated[bool, Parameter(negative="")] = False,
    copy_profile: Text = None,
    by: Text = None,
    reason: Text = None,
    approved_by: Text = None,
    withdraw: Annotated[bool, Parameter(negative="")] = False,
    rows: int = 2,
    processes: int = 2,
    key: KeyOption = None,
    witness: WitnessOption = None,
    options: Options = OPTIONS,
) -> int:
    """Import a sheet: see what each row becomes, then commit the whole file.

    Args:
        profile: what the columns are: one of the product's profiles, or a .toml file of your own.
        file: .csv or .xlsx; with --copy-profile the .toml file to write.
        preview: show what the file would do; nothing is written. This is the default.
        commit: write all of it; refused if any row is.
        sheet: which sheet of a workbook, by its name; needed where several have cells.
        rejected: a .csv file for the refused rows, each with the reason; mend them there.
        mended: that file, mended: its rows are put back into the sheet, which is imported whole.
        profiles: list the product's profiles, and the columns that each reads.
        copy_profile: write one of them as a file of your own, to be changed.
        by: your credential; needed to commit.
        reason: why rows of an earlier file are corrected; needed where any is.
        approved_by: credential of the person, not you, who approved the corrections.
        withdraw: withdraw what earlier files of the same days and tables had and this one has not.
        rows: how many rows are shown with the facts they become; the first ones.
        processes: how many share the work on a large file; what comes of it is the same.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.cli.errors import CommandWrong
    from ledger.intake import PersonNeeded
    from ledger.reports import import_data, import_text

    if profiles or copy_profile is not None:
        return _of_profiles(profile, copy_profile, options, listed=profiles)
    if profile is None or file is None:
        raise CommandWrong("Name a profile and a file; --profiles lists them.", "pitledger import")
    if preview and commit:
        raise CommandWrong("--preview and --commit exclude each other.", "pitledger import")
    if commit and not by:
        raise PersonNeeded("--by", "an import is the act of a person")
    source = _source(profile, file, sheet, rejected, mended, options)
    more: dict[str, object] = {}
    if commit and by:
        person = Person(by, reason, approved_by, withdraw, processes)
        seen, more = _committed(profile, source, person, options, key, witness)
    else:
        seen = _previewed(profile, source, options, processes, rows)
    if options.is_json:
        emit_json({**import_data(seen), **more})
    else:
        emit(import_text(seen, committed=commit and seen.can_commit, withdrawn=withdraw))
        _say_what_is_unchecked(more)
    return 0 if seen.can_commit else 1


def _say_what_is_unchecked(more: Mapping[str, object]) -> None:
    """Say of corrections what nothing shows: whose the credentials are, or who acted."""
    if more.get("approval_checked") is False:
        emit(NOT_CHECKED)
    elif more.get("approval_proved") is False:
        emit(NOT_PROVED)


class Person(NamedTuple):
    """Who imports, what is said about corrections, and how many processes share the work."""

    by: str
    reason: str | None
    approved_by: str | None
    withdraw: bool
    processes: int


class Source(NamedTuple):
    """What is imported: the file, which sheet of it, and where its refused rows go."""

    file: Path
    sheet: str | None
    rejected: Path | None


def _source(
    profile: str, file: Path, sheet: str | None, rejected: Path | None, mended: Path | None,
    options: Options,
) -> Source:  # fmt: skip
    """The file as it is, or with its mended rows put back.

    Rows of a mailing list name patrons: their files lie in the erasable folder, wherever else one
    was asked for, so that forgetting a patron reaches them.
    """
    from ledger.intake import ErasableStore, load_profile, put_back

    kind = load_profile(profile)
    apart = None if kind.personal is None else ErasableStore(options.folder).rejected
    if apart is not None and (rejected is not None or mended is not None):
        apart.mkdir(mode=0o700, parents=True, exist_ok=True)
        rejected = rejected and apart / rejected.name
        mended = mended and apart / mended.name
    if mended is not None:
        whole = (apart or mended.parent) / f"{file.stem}-mended.csv"
        try:
            count = put_back(kind, file, sheet, mended, whole)
        except OSError as error:
            raise FileUnwritable(whole, error) from error
        say(f"{whole}: {file.name} with {count:,} mended row{'' if count == 1 else 's'}.")
        return Source(whole, None, rejected)
    return Source(file, sheet, rejected)


def _write_rejected(done: Import, source: Source) -> None:
    """Write the refused rows where that was asked for."""
    from ledger.intake import write_rejected

    if source.rejected is None or not done.seen.refused:
        return
    try:
        count = write_rejected(done, source.rejected)
    except OSError as error:
        raise FileUnwritable(source.rejected, error) from error
    say(
        f"{source.rejected}: {count:,} refused row{'' if count == 1 else 's'}; mend them there,"
        f" then import {source.file.name} with --mended {source.rejected}."
    )


def _list_profiles(options: Options) -> int:
    """Print the product's profiles."""
    from ledger.intake import load_profile, profile_names
    from ledger.reports import profiles_data, profiles_text

    kinds = [load_profile(name) for name in profile_names()]
    if options.is_json:
        emit_json(profiles_data(kinds))
    else:
        emit(profiles_text(kinds))
    return 0


def _of_profiles(file: str | None, copied: str | None, options: Options, *, listed: bool) -> int:
    """List the product's profiles, or copy one of them."""
    from ledger.cli.errors import CommandWrong

    if listed and (copied is not None or file is not None):
        raise CommandWrong("--profiles stands alone.", "pitledger import")
    return _list_profiles(options) if listed or copied is None else _copy(copied, file, options)


def _copy(name: str, file: str | None, options: Options) -> int:
    """Write one of the product's profiles as a file of one's own."""
    from ledger.cli.errors import CommandWrong
    from ledger.intake import profile_text

    path = Path(file or f"our-{name}.toml")
    text = profile_text(name, path.stem)
    if path.suffix != ".toml" or path.stem == name:
        raise CommandWrong(
            "A copy ends in .toml and has a name of its own: its rows are remembered by it.",
            "pitledger import",
        )
    try:
        with path.open("x", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        raise FileUnwritable(path, error) from error
    if options.is_json:
        emit_json({"profile": path.stem, "copied_from": name, "file": str(path)})
    else:
        emit(f"{path}: a copy of {name}. Change it, and import with its path.\n")
    return 0


def _previewed(
    profile: str, source: Source, options: Options, processes: int, rows: int
) -> Preview:
    from ledger.cli.serials import serial_check
    from ledger.intake import ErasableStore, Import, load_profile
    from ledger.replay import Replay

    replay = Replay.open(options.folder)
    check = serial_check(load_profile(profile), replay)
    with (
        progress("reading", "rows"),
        Import(
            profile, source.file, replay, "", check, processes=processes, examples=rows,
            sheet=source.sheet, store=ErasableStore(options.folder),
        ) as done,
    ):  # fmt: skip
        seen = done.preview()
        _name_faults(seen)
        _write_rejected(done, source)
    return seen


def _committed(
    profile: str, source: Source, person: Person, options: Options, key: Path | None,
    witness: Path | None,
) -> tuple[Preview, dict[str, object]]:  # fmt: skip
    """Preview and commit while nobody else can write; with it, the tree as it is now."""
    from ledger.cli.person import proofs_of_two
    from ledger.cli.serials import serial_check
    from ledger.cli.unsigned_tail import open_ledger
    from ledger.cli.wall_clock import read_clock
    from ledger.intake import (
        Act,
        ErasableStore,
        Import,
        check_act,
        check_people,
        load_profile,
        nobody_proves,
    )
    from ledger.log import arrivals_of, read_log
    from ledger.replay import Replay

    checked: bool | None = None
    at = read_clock()
    prove = proofs_of_two(
        options.folder, Replay.open(options.folder), person.by, person.approved_by, at, key
    )
    with open_ledger(options.folder, key=key, witness=witness) as log:
        replay = Replay.open(options.folder)
        check = serial_check(load_profile(profile), replay)
        size = log.size
        with (
            progress("importing", "rows"),
            Import(
                profile, source.file, replay, person.by, check, processes=person.processes,
                sheet=source.sheet, store=ErasableStore(options.folder),
            ) as imported,
        ):  # fmt: skip
            seen = imported.preview()
            _name_faults(seen)
            _write_rejected(imported, source)
            if seen.can_commit:
                act = Act(
                    by=person.by, at=read_clock(), reason=person.reason,
                    approved_by=person.approved_by, withdraw=person.withdraw,
                    prove=prove or nobody_proves,
                )  # fmt: skip
                if seen.counts.changed or (person.withdraw and seen.counts.gone):
                    check_act(act)
                    checked = check_people(replay, act, imported.concerned(act))
                with imported.names_kept(lambda: read_log(options.folder).size > size):
                    log.append_whole(arrivals_of(imported.facts(act)), act.at)
        more = (
            {}
            if checked is None
            else {"approval_checked": checked, "approval_proved": prove is not None}
        )
        return seen, {"tree_size": log.size, "root": log.root.hex(), **more}


def _name_faults(seen: Preview) -> None:
    for fault in seen.faults:
        say(str(fault))
    for warning in seen.warnings:
        say(f"Warning: {warning}")
