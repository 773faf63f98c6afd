"""Commands of the night: run it, compare two issues, derive one again, sign a report."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from ledger.cli.audit_commands import DayOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, progress

Out = Annotated[Path | None, Parameter(name="--out", show_default=False)]
FromNothing = Annotated[bool, Parameter(name="--from-nothing", negative="")]
PhaseOption = Annotated[
    Literal["preliminary", "final"] | None, Parameter(name="--phase", show_default=False)
]


def night(
    *,
    day: DayOption = None,
    phase: PhaseOption = None,
    out: Out = None,
    processes: int = 2,
    from_nothing: FromNothing = False,
    options: Options = OPTIONS,
) -> int:
    """Run the night of a gaming day: verify, judge, reconcile, issue with a manifest.

    Repeat it whenever you like: what stands is kept, the same facts give the same bytes, and a late
    fact gives a further issue beside the one that stands. The exit code is 1 if there is a finding
    or anything is not known.

    Args:
        day: the gaming day, such as 2021-06-12; default the last one in the ledger.
        phase: preliminary (drop awaiting count) or final; default final where the day is closed and
            counted.
        out: the folder of nights; default PITLEDGER_NIGHT, then ./pitledger-nights.
        processes: how many processes share the work; the bytes are the same for any number.
        from_nothing: derive everything from the ledger's entries again, whatever was kept.
    """
    from ledger.cli.last_day import last_day
    from ledger.cli.settings import load
    from ledger.log import read_log, witnessed_of
    from ledger.night import Phase, outcome_data, outcome_text, run_night
    from ledger.replay import Replay
    from ledger.reports import witnessed_data, witnessed_text

    folder, settings = options.folder, load()
    with progress("the night", ""):
        chosen = day if day is not None else last_day(Replay.open(folder), folder)
        outcome = run_night(
            folder,
            chosen,
            out=_out(out),
            phase=None if phase is None else Phase(phase),
            processes=max(1, processes),
            footage_days=settings.footage_days,
            policy=settings.policy,
            action_days=settings.action_days,
            paper=settings.printed_on,
            from_nothing=from_nothing,
        )
    witnessed = witnessed_of(read_log(folder))
    if options.is_json:
        seen = None if witnessed is None else witnessed_data(witnessed)
        emit_json({**outcome_data(outcome), "witnessed": seen})
    else:
        seen_text = "" if witnessed is None else witnessed_text(witnessed)
        emit(outcome_text(outcome) + seen_text)
    return 1 if outcome.audit.findings or outcome.readiness.unknown else 0


def night_diff(
    first: Annotated[str, Parameter(name="A")],
    second: Annotated[str, Parameter(name="B")],
    /,
    *,
    out: Out = None,
    options: Options = OPTIONS,
) -> int:
    """Say what changed between two issues and why: facts by key, rules, code, outputs.

    The exit code is 1 if anything differs.

    Args:
        first: a manifest, the folder of an issue, or DAY, DAY/PHASE or DAY/PHASE-N.
        second: another one.
        out: the folder of nights; default PITLEDGER_NIGHT, then ./pitledger-nights.
    """
    from ledger.night import changes, changes_in_words, is_moved, named_manifest

    nights = _out(out)
    differences = changes(named_manifest(nights, first), named_manifest(nights, second))
    if options.is_json:
        emit_json(differences)
    else:
        emit("\n".join(changes_in_words(differences)) + "\n")
    return 1 if is_moved(differences) else 0


def night_verify(
    issue: Annotated[str, Parameter(name="ISSUE")],
    /,
    *,
    out: Out = None,
    processes: int = 2,
    options: Options = OPTIONS,
) -> int:
    """Derive an issue again from the ledger's entries, and compare every byte with what stands.

    Nothing that an earlier run kept is read. The first output that differs is named, the manifest
    included; the exit code is then 1.

    Args:
        issue: DAY, DAY/PHASE or DAY/PHASE-N, such as 2021-06-12/final-1.
        out: the folder of nights; default PITLEDGER_NIGHT, then ./pitledger-nights.
        processes: how many processes share the work.
    """
    from ledger.log.signed_file_index import Seals
    from ledger.night import named_issue, verify_issue

    nights = _out(out)
    named = named_issue(nights, issue, Seals.of(options.folder))
    with progress("deriving the issue again", ""):
        verification = verify_issue(options.folder, nights, named, max(1, processes))
    if options.is_json:
        emit_json(
            {
                "issue": str(named.path),
                "sealed": named.is_sealed,
                "same": verification.holds,
                "outputs": len(named.manifest["outputs"]),
                "differing": list(verification.differing),
                "changed_code": list(verification.changed_code),
            }
        )
    else:
        emit("\n".join(verification.lines()) + "\n")
    return 0 if verification.holds else 1


def night_sign(
    *,
    day: Annotated[date, Parameter(name="--day")],
    by: str,
    name: str,
    signed_as: Annotated[Literal["preparer", "approver"], Parameter(name="--as")],
    out: Out = None,
    key: Annotated[Path | None, Parameter(name="--key", show_default=False)] = None,
    options: Options = OPTIONS,
) -> int:
    """Sign the final report of a gaming day; preparer and approver are two persons.

    A signed copy of the report, to be printed, is written beside the issue.

    Args:
        day: the gaming day.
        by: your credential.
        name: your printed name.
        signed_as: preparer or approver.
        out: the folder of nights; default PITLEDGER_NIGHT, then ./pitledger-nights.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
    """
    from ledger.cli.action_desk import NAME_NOT_CHECKED, NOT_PROVED
    from ledger.cli.person import proof_of
    from ledger.cli.wall_clock import read_clock
    from ledger.night import sign_report, write_signed_copy
    from ledger.replay import Replay

    at = read_clock()
    replay = Replay.open(options.folder)
    is_named = replay.roster().printed_name(by, at) is not None
    proof = proof_of(options.folder, replay, by, at, ledger_key=key)
    fact, position = sign_report(
        options.folder, _out(out), day, person=by, name=name, signed_as=signed_as, at=at, key=key,
        prove=None if proof is None else proof.on,
    )  # fmt: skip
    copy = write_signed_copy(options.folder, _out(out), day)
    if options.is_json:
        emit_json(
            {
                "gaming_day": fact.for_gaming_day,
                "issue": fact.issue,
                "signed_as": fact.signed_as.value.lower(),
                "person": by,
                "name_checked": is_named,
                "proved": fact.proof is not None,
                "manifest_sha256": fact.manifest_sha256.hex(),
                "fact": f"{fact.stream}:{fact.seq}",
                "position": position,
                "signed_copy": str(copy),
            }
        )
    else:
        emit(
            f"{fact.for_gaming_day} final, issue {fact.issue}, signed by {by} as"
            f" {fact.signed_as.value.lower()}\n  manifest {fact.manifest_sha256.hex()}\n"
            f"  fact {fact.stream}:{fact.seq} at position {position}\n"
            f"  to be printed: {copy}\n"
            + ("" if is_named else NAME_NOT_CHECKED)
            + ("" if fact.proof is not None else NOT_PROVED)
        )
    return 0


def night_signed(
    *,
    day: Annotated[date, Parameter(name="--day")],
    out: Out = None,
    options: Options = OPTIONS,
) -> int:
    """Write the signed copy of a final report again: the bytes that were signed, with signatures.

    Args:
        day: the gaming day.
        out: the folder of nights; default PITLEDGER_NIGHT, then ./pitledger-nights.
    """
    from ledger.night import write_signed_copy

    copy = write_signed_copy(options.folder, _out(out), day)
    if options.is_json:
        emit_json({"signed_copy": str(copy)})
    else:
        emit(f"{copy}\n")
    return 0


def _out(out: Path | None) -> Path:
    from ledger.cli.settings import load

    return out if out is not None else load().night
