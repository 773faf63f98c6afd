"""Commands for persons of whom a ledger keeps sealed strings: forget them, or hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json

if TYPE_CHECKING:
    from ledger.cli.unrecorded_acts import CheckedPerson

Reference = Annotated[str, Parameter(name="REFERENCE")]
By = Annotated[str, Parameter(name="--by")]
Custodian = Annotated[str | None, Parameter(name="--by", show_default=False)]
Reason = Annotated[str, Parameter(name="--reason")]


def person_forget(
    reference: Reference,
    /,
    *,
    dry_run: Annotated[bool, Parameter(name="--dry-run", negative="")] = False,
    by: Custodian = None,
    options: Options = OPTIONS,
) -> int:
    """Erase a patron or an employee from a sealed ledger for good, backups included.

    The person's key is destroyed: the reference, and every name and free text of a fact that names
    the person, reads as erased from then on, here and in each copy. Facts, amounts, proofs and the
    root stay. Caches and archived days in the ledger's folder are erased; caches are made again,
    and days when they are written again. Reports, archives elsewhere and files that the facts came
    from are not the ledger's: destroy them too. Who comes again is a new person. A legal hold
    forbids it, and so does a case about the person that holds footage.

    Args:
        reference: of the patron, or the credential, as the facts have it.
        dry_run: only say whether something is kept and whether a legal hold forbids to erase it;
            the exit code is 1 if one does.
        by: your credential, of a supervisor of finance or of those who administer; you prove who
            you are once anybody is enrolled to prove it.
    """
    from ledger.casework.cases import CaseFiles, HeldByCase
    from ledger.cli.unrecorded_acts import check_person
    from ledger.cli.wall_clock import read_clock
    from ledger.intake import forget_person, kept_person
    from ledger.replay import Replay

    replay = Replay.open(options.folder)
    check_person(options.folder, replay, "forget", by, read_clock(), about=reference)
    if CaseFiles.read(replay).holds(reference):
        raise HeldByCase
    if not dry_run:
        forget_person(options.folder, reference)
        if options.is_json:
            emit_json({"forgotten": True})
        else:
            emit(
                f"{reference} is forgotten; every text about this person reads as erased.\n"
                "  erased too: caches and archived days in the ledger's folder\n"
                "  not reached: reports, archives elsewhere, topics, files that facts came from,\n"
                "  and a desk or a watch that runs now (start it again)\n"
            )
        return 0
    kept = kept_person(options.folder, reference)
    if options.is_json:
        emit_json({"kept": True, "held": bool(kept.holds)})
    else:
        holds = [f"  held by {hold.placed_by}: {hold.reason}\n" for hold in kept.holds]
        verdict = "A legal hold forbids it." if holds else "No legal hold forbids it."
        emit(f"{reference} can be forgotten. {verdict} Nothing was erased.\n" + "".join(holds))
    return 1 if kept.holds else 0


def person_hold(
    reference: Reference, /, *, reason: Reason, by: By, options: Options = OPTIONS
) -> int:
    """Place a legal hold on a person: until it is released, `forget` refuses this person.

    Args:
        reference: of the patron, or the credential, as the facts have it.
        reason: why, such as the docket; name no patron in it.
        by: credential of the person who places it.
    """
    from ledger.cli.unrecorded_acts import check_person
    from ledger.cli.wall_clock import read_clock
    from ledger.intake import hold_person
    from ledger.replay import Replay

    at = read_clock()
    checked = check_person(options.folder, Replay.open(options.folder), "hold", by, at)
    hold_person(options.folder, reference, reason, by, at)
    return _say("held", f"{reference} held; nobody can forget this person until a release.\n",
                checked, options)  # fmt: skip


def person_release(
    reference: Reference, /, *, reason: Reason, by: By, options: Options = OPTIONS
) -> int:
    """Release every legal hold of a person; who released it and why is kept.

    Args:
        reference: of the patron, or the credential, as the facts have it.
        reason: why the person is no longer held.
        by: credential of the person who releases.
    """
    from ledger.cli.unrecorded_acts import check_person
    from ledger.cli.wall_clock import read_clock
    from ledger.intake import release_person
    from ledger.replay import Replay

    at = read_clock()
    replay = Replay.open(options.folder)
    checked = check_person(options.folder, replay, "release", by, at, about=reference)
    release_person(options.folder, reference, reason, by, at)
    return _say("released", f"{reference} released.\n", checked, options)


def _say(done: str, text: str, checked: CheckedPerson, options: Options) -> int:
    from ledger.cli.action_desk import say_what_is_unchecked

    if options.is_json:
        emit_json({done: True, **checked.data})
    else:
        emit(text)
        say_what_is_unchecked(checked.roster, checked.is_proved)
    return 0
