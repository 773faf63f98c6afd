"""`pitledger import`: a CSV or XLSX file into the ledger, all of it or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.out import emit, emit_json, progress, say
from ledger.cli.record import KeyOption, WitnessOption

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
        key: where the private key lies, if not in the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.cli.clock import now
    from ledger.cli.errors import CommandWrong
    from ledger.intake import Act, Import, PersonNeeded, check_act
    from ledger.log import Arrival, open_log
    from ledger.replay import Replay
    from ledger.reports import import_data, import_text

    if preview and commit:
        raise CommandWrong("--preview and --commit exclude each other.", "pitledger import")
    if not commit:
        with progress("reading", "rows"), Import(
            profile, file, Replay.open(options.folder), by or ""
        ) as one:  # fmt: skip
            seen = one.preview()
        for fault in seen.faults:
            say(str(fault))
        if options.is_json:
            emit_json(import_data(seen))
        else:
            emit(import_text(seen, committed=False))
        return 0 if seen.can_commit else 1
    if not by:
        raise PersonNeeded("--by", "an import is the act of a person")
    with open_log(options.folder, key=key, witness=witness) as log:
        with progress("importing", "rows"), Import(
            profile, file, Replay.open(options.folder), by
        ) as one:  # fmt: skip
            seen = one.preview()
            for fault in seen.faults:
                say(str(fault))
            if seen.can_commit:
                corrects = seen.counts.changed or (withdraw and seen.counts.gone)
                act = Act(
                    by=by, at=now(), reason=reason, approved_by=approved_by, withdraw=withdraw
                )
                if corrects:
                    check_act(act)
                log.append_whole(map(Arrival, one.facts(act)), act.at)
        size, root = log.size, log.root
    if options.is_json:
        emit_json({**import_data(seen), "tree_size": size, "root": root.hex()})
    else:
        emit(import_text(seen, committed=seen.can_commit, withdrawn=withdraw))
    return 0 if seen.can_commit else 1
