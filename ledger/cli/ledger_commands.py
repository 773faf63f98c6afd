"""Commands of the ledger itself: begin, append, verify, prove, read out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ledger.cli.errors import CommandWrong
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_exact, emit_json, progress, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.analytics import JudgedCheck
    from ledger.events import Fact
    from ledger.intake import Prove

KeyOption = Annotated[Path | None, Parameter(name="--key", show_default=False)]
Text = Annotated[str | None, Parameter(show_default=False)]
FileArgument = Annotated[str, Parameter(name="FILE", allow_leading_hyphen=True)]
WitnessOption = Annotated[Path | None, Parameter(name="--witness", show_default=False)]

PrintedOption = Annotated[
    tuple[str, str] | None, Parameter(name="--printed", negative="", show_default=False)
]


def init(
    *,
    origin: str,
    property: Annotated[str | None, Parameter(show_default=False)] = None,
    key: KeyOption = None,
    sealed: Annotated[bool, Parameter(negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """Begin a ledger.

    Args:
        origin: the name in every checkpoint, such as casino.example/floor; it never changes.
        property: whose floor it is; default the origin.
        key: where the private key is to lie; default PITLEDGER_KEY, then FOLDER.key beside it.
        sealed: seal references, credentials, names and free text, so that a person can be
            forgotten later; their keys lie in FOLDER.person-keys beside it, or in
            PITLEDGER_PERSON_KEYS. It cannot be chosen afterwards.
    """
    from ledger.cli.settings import load
    from ledger.cli.wall_clock import read_clock
    from ledger.log import init as begin
    from ledger.log.keys import key_beside
    from ledger.log.person_keys import person_keys_file

    folder = options.folder
    private = key or load().key or key_beside(folder)
    verifier = begin(
        folder, origin=origin, property=property or origin, record_time=read_clock(), key=private,
        sealed=sealed,
    )  # fmt: skip
    if options.is_json:
        begun = {"ledger": str(folder), "origin": origin, "verifier": str(verifier)}
        emit_json({**begun, "sealed": True} if sealed else begun)
    else:
        emit(
            f"Ledger {origin} begun in {folder}\n"
            f"  public key   {verifier}\n"
            f"  private key  {private}  (keep it, and keep it secret)\n"
        )
        if sealed:
            emit(
                f"  person keys  {person_keys_file(folder)}  (keep it apart from every backup of"
                " the ledger:\n               whoever has both reads what was erased since)\n"
            )
    return 0


def append(
    file: FileArgument,
    /,
    *,
    strict: Annotated[bool, Parameter(negative="")] = False,
    by: Text = None,
    reason: Text = None,
    approved_by: Text = None,
    preview: Annotated[bool, Parameter(negative="")] = False,
    yes: Annotated[bool, Parameter(negative="")] = False,
    key: KeyOption = None,
    witness: WitnessOption = None,
    options: Options = OPTIONS,
) -> int:
    """Append facts from JSON lines, one event each.

    Good lines are appended; each bad one is named on stderr, and the exit code is 1. What cat
    prints is taken as it stands. A number that leaps, or a date years off the ledger's days, is
    appended with a warning; typed at a terminal it asks for --yes. A line that fills a gap of its
    stream needs a person, a reason and a second person's approval.

    Args:
        file: the file; - for standard input.
        strict: append nothing unless every line is good.
        by: your credential, where lines fill a gap.
        reason: why a gap is filled by hand.
        approved_by: credential of the person, not you, who approved it.
        preview: append nothing; say what would become of each line.
        yes: a number or a date typed by hand is right, however unlikely.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
    """
    from ledger.cli.appending import append_lines, open_lines
    from ledger.cli.wall_clock import read_clock
    from ledger.intake import Act, nobody_proves
    from ledger.reports import append_data, append_text

    named = by is not None or reason is not None or approved_by is not None
    act = None
    if named:
        at, who = read_clock(), by or ""
        prove = None if preview else _proofs(options.folder, who, approved_by, at, key)
        act = Act(
            by=who, at=at, reason=reason, approved_by=approved_by, prove=prove or nobody_proves
        )
    with open_lines(file) as lines, progress("appending", "events") as report:
        done = append_lines(
            options.folder,
            lines,
            strict=strict,
            key=key,
            witness=witness,
            refused=say,
            report=report,
            act=act,
            preview=preview,
            asks=file == "-" and sys.stdin.isatty() and not yes,
        )
    if options.is_json:
        emit_json(append_data(done))
    else:
        emit(append_text(done))
    return 1 if done.refused or done.conflicts else 0


def _proofs(
    folder: Path, by: str, approved_by: str | None, at: int, key: Path | None
) -> Prove | None:
    """Let who fills a gap, and who approved it, prove who they are; None where nobody can."""
    from ledger.cli.person import proofs_of_two
    from ledger.replay import Replay

    return proofs_of_two(folder, Replay.open(folder), by, approved_by, at, key)


def verify(
    *,
    key: KeyOption = None,
    witness: WitnessOption = None,
    verifier: Annotated[str | None, Parameter(name="--verifier", show_default=False)] = None,
    printed: PrintedOption = None,
    witnesses: Annotated[Path | None, Parameter(name="--witnesses", show_default=False)] = None,
    quorum: Annotated[int | None, Parameter(name="--quorum", show_default=False)] = None,
    judged: Annotated[bool, Parameter(negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """Recompute the whole ledger from its entries up, and compare every byte.

    Args:
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
        witness: a copy of the last checkpoint kept elsewhere, which the ledger must continue.
        verifier: the public key that you trust, as text or in a file of yours: the ledger's present
            one, or an earlier one that its rotations lead on from. Without it the key that lies in
            the folder is trusted, which whoever wrote the folder could have exchanged.
        printed: tree size and root from a printed page: the ledger must have had that root at
            that size. The root whole, or at least its first 16 characters.
        witnesses: the file that names the witnesses you trust; default PITLEDGER_WITNESSES, then
            FOLDER.witnesses beside the ledger.
        quorum: how many of these witnesses must have cosigned the checkpoint.
        judged: derive again what was judged and kept, too, and name the first difference.
    """
    from ledger.log import (
        compare_with_paper,
        policy_of,
        printed_size,
        read_policy,
        read_public_key,
    )
    from ledger.log import verify as check
    from ledger.reports import (
        judged_data,
        judged_text,
        printed_data,
        printed_text,
        verify_data,
        verify_text,
    )

    size = None if printed is None else printed_size(printed[0])
    with progress("verifying", ""):
        trusted = None if verifier is None else read_public_key(verifier)
        policy = policy_of(options.folder) if witnesses is None else read_policy(witnesses)
        if quorum is not None and policy is None:
            raise CommandWrong(
                "Name the witnesses you trust: --witnesses FILE.", "pitledger verify"
            )
        verification = check(
            options.folder, witness=witness, key=key, trusted=trusted, policy=policy, quorum=quorum
        )
        paper = None
        if printed is not None and size is not None and verification.problem is None:
            paper = compare_with_paper(options.folder, size, printed[1])
    is_whole = verification.problem is None and verification.too_few is None
    again = _judged_again(options.folder) if judged and is_whole else None
    if options.is_json:
        on_paper = {} if printed is None else {"printed": paper and printed_data(paper)}
        of_judged = {} if again is None else {"judged": judged_data(again)}
        emit_json({**verify_data(verification), **on_paper, **of_judged})
    else:
        below = "" if again is None else judged_text(again)
        emit(verify_text(verification) + ("" if paper is None else printed_text(paper)) + below)
    is_equal = again is None or again.difference is None
    return 0 if is_whole and is_equal and (paper is None or paper.matches) else 4


def _judged_again(folder: Path) -> JudgedCheck:
    from ledger.analytics import JudgedCheck, judged_by
    from ledger.replay import Replay

    with progress("judging again", "") as tell:
        fresh = Replay.open(folder, from_entries=True)
        differs = Replay.open(folder).first_difference(fresh)
        if differs is not None:
            return JudgedCheck(0, 0, f"the kept index: {differs}")
        return judged_by(folder, fresh).check(tell)


def prove(position: int, /, *, options: Options = OPTIONS) -> int:
    """Print a proof that an entry stands at its position, to be checked offline.

    Args:
        position: the entry's place in the ledger, from 0.
    """
    from ledger.log import read_log

    log = read_log(options.folder)
    proof = log.prove(position)
    if options.is_json:
        emit_json(
            {
                "position": position,
                "tree_size": log.size,
                "root": log.root.hex(),
                "entry": log.raw(position).hex(),
                "proof": proof,
            }
        )
    else:
        emit(proof)
    return 0


def checkpoint(*, options: Options = OPTIONS) -> int:
    """Print the ledger's signed size and root: copy it elsewhere and it is a witness."""
    from ledger.log import read_log

    log = read_log(options.folder)
    if options.is_json:
        emit_json(
            {
                "origin": log.origin,
                "tree_size": log.size,
                "root": log.root.hex(),
                "verifier": str(log.verifier),
                "note": log.note.decode(),
            }
        )
    else:
        emit(log.note.decode())
    return 0


def cat(
    *,
    start: int = 0,
    stop: Annotated[int | None, Parameter(show_default=False)] = None,
    stream: Annotated[str | None, Parameter(show_default=False)] = None,
    event: Annotated[str | None, Parameter(show_default=False)] = None,
    plain: Annotated[bool, Parameter(negative="")] = False,
    everything: Annotated[bool, Parameter(name="--all", negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """Print the facts as JSON lines, in the order in which they were recorded.

    Each line is the form that append reads, with the position first. A fact that has a field
    named position itself shows it as fact_position. --plain leaves the position out, so
    that append takes the lines as they are.

    Args:
        start: first position.
        stop: first position that is not printed any more.
        stream: only facts of this stream.
        event: only facts of this name.
        plain: exactly the form that append reads.
        everything: also the entries that are no fact: the beginning, schemas, the quarantine.
    """
    from ledger.cli.cat_output import cat_lines

    counts: dict[str, int] = {}
    for line in cat_lines(
        options.folder,
        start=start,
        stop=stop,
        keep=_keep(stream, event),
        plain=plain,
        everything=everything,
        counts=counts,
    ):
        if not emit_exact(line):
            return 0
    quarantined = counts.get("quarantined", 0)
    if quarantined and not everything:
        are = "entry in the quarantine is" if quarantined == 1 else "entries in the quarantine are"
        say(f"{quarantined} {are} not shown; --all shows them.")
    return 0


def _keep(stream: str | None, event: str | None) -> Callable[[Fact], bool]:
    """Whether a fact was asked for."""

    def keep(fact: Fact) -> bool:
        return (stream is None or fact.stream == stream) and (
            event is None or type(fact).__name__ == event
        )

    return keep
