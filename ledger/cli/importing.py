"""`pitledger import`: a CSV or XLSX file into the ledger, all of it or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.out import emit, emit_json, progress, say
from ledger.cli.record import KeyOption, WitnessOption

if TYPE_CHECKING:
    from ledger.intake import Preview

Text = Annotated[str | None, Parameter(show_default=False)]


def import_file(
    profile: str,
    file: Path,
    /,
    *,
    preview: Annotated[bool, Parameter(negative="")] = False,
    commit: Annotated[bool, Parameter(negative="")] = False,
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
        file: .csv or .xlsx.
        preview: show what the file would do; nothing is written. This is the default.
        commit: write all of it; refused if any row is.
        by: your credential; needed to commit.
        reason: why rows of an earlier file are corrected; needed where any is.
        approved_by: credential of the person, not you, who approved the corrections.
        withdraw: withdraw what earlier files of the same days and tables had and this one has not.
        rows: how many rows are shown with the facts they become; the first ones.
        processes: how many share the work on a large file; what comes of it is the same.
        key: where the private key lies, if not in the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.cli.errors import CommandWrong
    from ledger.intake import PersonNeeded
    from ledger.reports import import_data, import_text

    if preview and commit:
        raise CommandWrong("--preview and --commit exclude each other.", "pitledger import")
    if commit and not by:
        raise PersonNeeded("--by", "an import is the act of a person")
    more: dict[str, object] = {}
    if commit and by:
        person = Person(by, reason, approved_by, withdraw, processes)
        seen, more = _committed(profile, file, person, options, key, witness)
    else:
        seen = _previewed(profile, file, options, processes, rows)
    if options.is_json:
        emit_json({**import_data(seen), **more})
    else:
        emit(import_text(seen, committed=commit and seen.can_commit, withdrawn=withdraw))
    return 0 if seen.can_commit else 1


class Person(NamedTuple):
    """Who imports, what is said about corrections, and how many processes share the work."""

    by: str
    reason: str | None
    approved_by: str | None
    withdraw: bool
    processes: int


def _previewed(profile: str, file: Path, options: Options, processes: int, rows: int) -> Preview:
    from ledger.cli.serials import serial_check
    from ledger.intake import Import
    from ledger.replay import Replay

    replay = Replay.open(options.folder)
    check = serial_check(profile, replay)
    with (
        progress("reading", "rows"),
        Import(profile, file, replay, "", check, processes=processes, examples=rows) as one,
    ):
        seen = one.preview()
    _name_faults(seen)
    return seen


def _committed(
    profile: str, file: Path, person: Person, options: Options, key: Path | None,
    witness: Path | None,
) -> tuple[Preview, dict[str, object]]:  # fmt: skip
    """Preview and commit while nobody else can write; with it, the tree as it is now."""
    from ledger.cli.clock import now
    from ledger.cli.serials import serial_check
    from ledger.cli.tail import open_ledger
    from ledger.intake import Act, Import, check_act
    from ledger.log import arrivals_of
    from ledger.replay import Replay

    with open_ledger(options.folder, key=key, witness=witness) as log:
        replay = Replay.open(options.folder)
        check = serial_check(profile, replay)
        with (
            progress("importing", "rows"),
            Import(profile, file, replay, person.by, check, processes=person.processes) as one,
        ):
            seen = one.preview()
            _name_faults(seen)
            if seen.can_commit:
                act = Act(
                    by=person.by, at=now(), reason=person.reason, approved_by=person.approved_by,
                    withdraw=person.withdraw,
                )  # fmt: skip
                if seen.counts.changed or (person.withdraw and seen.counts.gone):
                    check_act(act)
                log.append_whole(arrivals_of(one.facts(act)), act.at)
        return seen, {"tree_size": log.size, "root": log.root.hex()}


def _name_faults(seen: Preview) -> None:
    for fault in seen.faults:
        say(str(fault))
