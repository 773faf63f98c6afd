"""`pitledger case`: the file of a dispute or an incident, from its opening to its close."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from ledger.cli.case_acts import case_of, record
from ledger.cli.case_matters import NONE, Matters, Texts
from ledger.cli.errors import FileUnreadable
from ledger.cli.ledger_commands import KeyOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit_json, show

Number = Annotated[str, Parameter(name="NUMBER")]
By = Annotated[str, Parameter(name="--by")]
As = Annotated[str, Parameter(name="--as")]
Text = Annotated[str | None, Parameter(show_default=False)]
From = Annotated[str | None, Parameter(name="--from", show_default=False)]
Until = Annotated[str | None, Parameter(name="--until", show_default=False)]
ErrorName = Literal[
    "none", "dealer", "supervision", "procedure", "equipment", "record", "patron", "undetermined"
]


def case_open(
    summary: str,
    /,
    *,
    by: By,
    complaint: Text = None,
    subject: Texts = (),
    begins: From = None,
    ends: Until = None,
    reported: Text = None,
    matters: Matters = NONE,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Open a case: from a round, a coupon, an action, an alert, or from nothing.

    Args:
        summary: what it is about, in one line.
        by: your credential.
        complaint: what the patron said, in the patron's words.
        subject: whom it is about, staff:CREDENTIAL or patron:REF; may be given again.
        begins: when it happened, by the property's clock, such as '2021-06-12 21:45'.
        ends: until when.
        reported: when it was reported.
        matters: what it is about.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
    """
    from ledger.cli.case_makers import opening

    opened = opening(
        by,
        summary=summary,
        complaint=complaint,
        subjects=subject,
        begins=begins,
        ends=ends,
        reported=reported,
        matters=matters,
        folder=options.folder,
    )
    return record(options, by, key, None, opened)


def case_list(
    *,
    person: As,
    every: Annotated[bool, Parameter(name="--all", negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """List the cases that you may see; the exit code is 1 if any is not closed.

    Args:
        person: your credential, which you prove.
        every: those that are closed, too.
    """
    from ledger.casework.cases import CaseFiles, CaseStatus
    from ledger.cli.person import check
    from ledger.cli.wall_clock import read_clock
    from ledger.replay import Replay
    from ledger.reports.case_page import case_data, cases_page

    at, replay = read_clock(), Replay.open(options.folder)
    check(options.folder, replay, person, at)
    seen = list(CaseFiles.read(replay).seen_by(person, at))
    shown = [case for case in seen if every or case.status is not CaseStatus.CLOSED]
    if options.is_json:
        emit_json([case_data(case, reveal=False) for case in shown])
    else:
        from ledger.cli.case_acts import clock_of

        show(cases_page(shown, clock_of(replay)))
    return int(any(case.status is not CaseStatus.CLOSED for case in shown))


def case_show(
    number: Number,
    /,
    *,
    person: As,
    reveal: Annotated[bool, Parameter(negative="")] = False,
    sitting: Text = None,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Show the file of a case; the exit code is 1 while it is not closed.

    Args:
        number: of the case, such as 2021-0001.
        person: your credential, which you prove.
        reveal: show the references of patrons; that you looked is recorded before.
        sitting: a name for the time at which you look; default the present hour.
        key: the ledger's private key, for what is recorded by --reveal.
    """
    from ledger.casework.cases import CaseStatus
    from ledger.cli.case_acts import clock_of
    from ledger.reports.case_page import case_data, case_page

    replay, cases, case = case_of(options.folder, number, person)
    if reveal:
        from ledger.cli.patron_looks import record_looks

        record_looks(options.folder, cases, case, person, sitting, key)
    if options.is_json:
        emit_json(case_data(case, reveal=reveal))
    else:
        show(case_page(case, clock_of(replay), reveal=reveal))
    return int(case.status is not CaseStatus.CLOSED)


def case_subject(
    number: Number,
    subject: str,
    /,
    *,
    why: str,
    by: By,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Name a further subject of a case; from then on it sees no more of it.

    Args:
        number: of the case.
        subject: whom it is about, staff:CREDENTIAL or patron:REF.
        why: why.
        by: your credential.
        key: the ledger's private key.
    """
    from ledger.cli.case_makers import naming

    return record(options, by, key, number, naming(number, by, subject=subject, why=why))


def case_assign(
    number: Number,
    /,
    *,
    assignee: Annotated[str, Parameter(name="--to")],
    by: By,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Give a case into somebody's hands.

    Args:
        number: of the case.
        assignee: the credential of whose it is from now on.
        by: your credential.
        key: the ledger's private key.
    """
    from ledger.cli.case_makers import assigning

    return record(options, by, key, number, assigning(number, by, assignee=assignee))


def case_note(
    number: Number, text: str, /, *, by: By, key: KeyOption = None, options: Options = OPTIONS
) -> int:
    """Write something down in a case.

    Args:
        number: of the case.
        text: what is written, at most 4,000 characters.
        by: your credential.
        key: the ledger's private key.
    """
    from ledger.cli.case_makers import noting

    return record(options, by, key, number, noting(number, by, text=text))


def case_task(
    number: Number,
    text: Annotated[str | None, Parameter(name="TEXT", show_default=False)] = None,
    /,
    *,
    by: By,
    due: Annotated[date | None, Parameter(show_default=False)] = None,
    done: Annotated[int | None, Parameter(show_default=False)] = None,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Set a task of a case, or mark one as done.

    Args:
        number: of the case.
        text: what is to be done.
        by: your credential.
        due: until when.
        done: the number of the task that is done, instead of a text.
        key: the ledger's private key.
    """
    from ledger.cli.case_makers import tasking

    return record(options, by, key, number, tasking(number, by, text=text, due=due, done=done))


def case_pin(
    number: Number,
    /,
    *,
    why: str,
    by: By,
    matters: Matters = NONE,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Pin one piece of evidence to a case.

    Args:
        number: of the case.
        why: why it bears on the case.
        by: your credential.
        matters: what is pinned.
        key: the ledger's private key.
    """
    from ledger.cli.case_makers import pinning

    pinned = pinning(number, by, why=why, matters=matters, folder=options.folder)
    return record(options, by, key, number, pinned)


def case_media(
    number: Number,
    file: Path,
    /,
    *,
    act: Literal["added", "copied", "viewed", "handed_over", "returned"] = "added",
    camera: Text = None,
    kept_at: Text = None,
    handed_to: Annotated[str | None, Parameter(name="--to", show_default=False)] = None,
    by: By,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Put a file to a case by its SHA-256, or record what is done with it; the file stays there.

    Args:
        number: of the case.
        file: the file as it lies there now: one that changed is not the case's any more.
        act: what was done with it.
        camera: the camera that it is from.
        kept_at: where it is kept.
        handed_to: to whom it was given.
        by: your credential.
        key: the ledger's private key.
    """
    from ledger.casework.media_files import media_digest
    from ledger.cli.case_makers import handling_media

    digest, size = media_digest(file)
    handled = handling_media(
        number,
        by,
        digest=digest,
        size=size,
        name=file.name,
        act=act,
        camera=camera,
        kept_at=kept_at,
        handed_to=handed_to,
    )
    return record(options, by, key, number, handled)


def case_check(number: Number, folder: Path, /, *, person: As, options: Options = OPTIONS) -> int:
    """Check the media of a case against a folder: what is missing, and what has changed.

    The exit code is 1 if a file is missing or has changed.

    Args:
        number: of the case.
        folder: where the files lie.
        person: your credential, which you prove.
    """
    from ledger.casework.media_files import MediaState, check_media
    from ledger.reports.case_page import media_page

    if not folder.is_dir():
        raise FileUnreadable(str(folder), NotADirectoryError("it is no folder"))
    _, _, case = case_of(options.folder, number, person)
    checked = check_media(case, folder)
    if options.is_json:
        emit_json([media.data() for media in checked])
    else:
        show(media_page(checked))
    return int(any(media.state is not MediaState.UNCHANGED for media in checked))


def case_footage(
    number: Number,
    footage: Annotated[int | None, Parameter(name="FOOTAGE", show_default=False)] = None,
    /,
    *,
    by: By,
    camera: Text = None,
    begins: From = None,
    ends: Until = None,
    state: Literal["requested", "received", "refused", "held", "released"] = "requested",
    expires: Annotated[date | None, Parameter(show_default=False)] = None,
    why: Text = None,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Ask for footage of a case, or record how it stands: received, refused, held, released.

    Footage that is held is kept beyond its expiry, and `person forget` refuses whom the case is
    about meanwhile.

    Args:
        number: of the case.
        footage: its number in the case; without it footage is asked for.
        by: your credential.
        camera: the camera.
        begins: from when, by the property's clock, such as '2021-06-12 21:40'.
        ends: until when.
        state: how it stands.
        expires: when the recorder would overwrite it.
        why: why.
        key: the ledger's private key.
    """
    from ledger.cli.case_makers import handling_footage

    handled = handling_footage(
        number,
        by,
        footage=footage,
        camera=camera,
        begins=begins,
        ends=ends,
        state=state,
        expires=expires,
        why=why,
    )
    return record(options, by, key, number, handled)


def case_link(
    number: Number,
    other: str,
    /,
    *,
    why: str,
    by: By,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Link a case with another one.

    Args:
        number: of the case.
        other: number of the other case.
        why: what they have in common.
        by: your credential.
        key: the ledger's private key.
    """
    from ledger.cli.case_makers import linking

    return record(options, by, key, number, linking(number, by, other=other, why=why))


def case_assess(
    number: Number,
    /,
    *,
    error: ErrorName,
    lost: str = "0",
    recovered: str = "0",
    saved: str = "0",
    goodwill: str = "0",
    by: By,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """State what went wrong, and the money: lost, recovered, saved, paid as goodwill, in dollars.

    Args:
        number: of the case.
        error: what went wrong.
        lost: what was lost by the house or the patron, in dollars.
        recovered: what of it was recovered.
        saved: what was kept from being lost.
        goodwill: what was paid without being due.
        by: your credential.
        key: the ledger's private key.
    """
    from ledger.cli.case_makers import assessing

    assessed = assessing(
        number, by, error=error, lost=lost, recovered=recovered, saved=saved, goodwill=goodwill
    )
    return record(options, by, key, number, assessed)


def case_decide(
    number: Number, decision: str, /, *, by: By, key: KeyOption = None, options: Options = OPTIONS
) -> int:
    """Decide a case; a second person closes it.

    Args:
        number: of the case.
        decision: what was decided, in words that a patron may read.
        by: your credential.
        key: the ledger's private key.
    """
    from ledger.cli.case_makers import deciding

    return record(options, by, key, number, deciding(number, by, decision=decision))


def case_close(
    number: Number, /, *, reason: str, by: By, key: KeyOption = None, options: Options = OPTIONS
) -> int:
    """Close a decided case: another person than who opened or decided it.

    Args:
        number: of the case.
        reason: why it is closed.
        by: your credential.
        key: the ledger's private key.
    """
    from ledger.cli.case_makers import closing

    return record(options, by, key, number, closing(number, by, reason=reason))


def case_reopen(
    number: Number, /, *, reason: str, by: By, key: KeyOption = None, options: Options = OPTIONS
) -> int:
    """Open a closed case again.

    Args:
        number: of the case.
        reason: why.
        by: your credential.
        key: the ledger's private key.
    """
    from ledger.cli.case_makers import reopening

    return record(options, by, key, number, reopening(number, by, reason=reason))
