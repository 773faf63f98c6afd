"""`pitledger person`: who can prove who acts, and the proof itself."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json
from ledger.kernel.quick_dataclass import dataclass

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from ledger.casework.person_proofs import PersonProofs
    from ledger.events import Fact
    from ledger.intake import OfTwoPersons, Prove
    from ledger.replay import Replay, Roster

Act = TypeVar("Act", bound="Fact")
STREAM: Final = "cases/persons"
KeyOption = Annotated[Path | None, Parameter(name="--key", show_default=False)]
"""As in ``ledger_commands``, which asks this module who fills a gap."""


@dataclass(frozen=True, slots=True)
class Proof:
    """How one person proves who acts: a pass phrase that was checked, or a key that signs.

    Attributes:
        roster: who was enrolled with what.
        person: the credential of who acts.
        key: signs each act; None: the pass phrase was checked.
        field: of the act, where the proof goes.
    """

    roster: Roster
    person: str
    key: Ed25519PrivateKey | None
    field: str = "proof"

    def on(self, fact: Act) -> Act:
        """Return an act with the proof that its person did it.

        Raises:
            NotProved: the person was enrolled with something else.
        """
        from ledger.casework.person_proofs import NotProved

        done = _with_proof(fact, self.key, self.field)
        bar = self.roster.unproved(done, self.person, getattr(done, self.field), self.field)
        if bar is not None:
            raise NotProved(f"{bar.why}.", next_step="nothing was recorded")
        return done


def proof_of(
    folder: Path,
    replay: Replay,
    person: str,
    at: int,
    *,
    approves: bool = False,
    ledger_key: Path | None = None,
) -> Proof | None:
    """Let a person prove who acts; None where nobody is enrolled, so that nobody can.

    Args:
        folder: the ledger.
        replay: its replay.
        person: the credential of who acts.
        at: the moment, microseconds UTC.
        approves: the person approves what somebody else does, with settings of their own.
        ledger_key: as for ``check``.

    Raises:
        NotProved, TooManyTries: it is not proved.
    """
    from ledger.cli.settings import load
    from ledger.replay import APPROVAL

    roster, settings = replay.roster(), load()
    if roster.proves_since is None:
        return None
    key = settings.approver_key if approves else settings.person_key
    if key is None:
        file = settings.approver_pass_phrase_file if approves else settings.pass_phrase_file
        code = settings.approver_code if approves else settings.code
        _check(folder, replay, person, at, file, code, ledger_key)
    own_key = None if key is None else private_key(key)
    return Proof(roster, person, own_key, APPROVAL if approves else "proof")


def proofs_of_two(
    folder: Path,
    replay: Replay,
    by: str,
    approved_by: str | None,
    at: int,
    ledger_key: Path | None = None,
) -> Prove | None:
    """Let who corrects or adds facts, and who approved it, prove who they are.

    Args:
        folder: the ledger.
        replay: its replay.
        by: the credential of who acts.
        approved_by: that of who approved it.
        at: the moment, microseconds UTC.
        ledger_key: as for ``check``.

    Returns:
        None where nobody is enrolled, or where nobody approved it.

    Raises:
        NotProved, TooManyTries: it is not proved.
    """
    if not by or not approved_by:
        return None
    author = proof_of(folder, replay, by, at, ledger_key=ledger_key)
    approver = proof_of(folder, replay, approved_by, at, approves=True, ledger_key=ledger_key)

    def prove(fact: OfTwoPersons, /) -> OfTwoPersons:
        proved = fact if author is None else author.on(fact)
        return proved if approver is None else approver.on(proved)

    return None if author is None else prove


def prove(
    folder: Path,
    replay: Replay,
    person: str,
    fact: Act,
    at: int,
    ledger_key: Path | None = None,
) -> Act:
    """Return an act with the proof that its person did it: a signature, or after a pass phrase.

    Args:
        folder: the ledger.
        replay: its replay.
        person: the credential of who acts.
        fact: the act, of which the proof is still to come.
        at: the moment, microseconds UTC.
        ledger_key: as for ``check``.

    Raises:
        NotProved, TooManyTries: it is not proved.
    """
    from ledger.cli.settings import load

    if load().person_key is None:
        check(folder, replay, person, at, ledger_key)
    return proven(fact)


def proven(fact: Act) -> Act:
    """Return an act with its proof, after its person was checked where a pass phrase proves it.

    Raises:
        NotProved: the person's key cannot be read.
    """
    from ledger.cli.settings import load

    key = load().person_key
    return _with_proof(fact, None if key is None else private_key(key), "proof")


def _with_proof(fact: Act, key: Ed25519PrivateKey | None, field: str) -> Act:
    from ledger import events
    from ledger.replay import signed_bytes

    how = events.ProofKind.PASS_PHRASE if key is None else events.ProofKind.KEY
    signature = None if key is None else key.sign(signed_bytes(fact, field))
    changes: dict[str, Any] = {field: events.ActProof(how=how, signature=signature)}
    return replace(fact, **changes)


def check(
    folder: Path, replay: Replay, person: str, at: int, ledger_key: Path | None = None
) -> None:
    """Ask for a person's pass phrase, and the code of who has a second factor, and check them.

    Args:
        folder: the ledger.
        replay: its replay.
        person: the credential of who acts.
        at: the moment, microseconds UTC.
        ledger_key: the ledger's private key, with which is kept that a code was used; None: where
            it usually is.

    Raises:
        NotProved, TooManyTries: it is not proved.
        ProofsUnwritable: that a code was used cannot be kept.
    """
    from ledger.cli.settings import load

    settings = load()
    _check(folder, replay, person, at, settings.pass_phrase_file, settings.code, ledger_key)


def _check(
    folder: Path,
    replay: Replay,
    person: str,
    at: int,
    file: Path | None,
    code: str | None,
    ledger_key: Path | None,
) -> None:
    from ledger.casework.person_proofs import NotProved, PersonProofs
    from ledger.replay import person_key

    if person_key(person) not in replay.roster().enrolled:
        raise NotProved(
            f"{person} cannot prove yet who acts.", next_step=f"`pitledger person enroll {person}`"
        )
    phrase = pass_phrase(f"Pass phrase of {person}: ", file)
    proofs = PersonProofs(folder, ledger_key)
    proofs.prove(person, phrase, at)
    _check_second(proofs, person, code)


def _check_second(proofs: PersonProofs, person: str, code: str | None) -> None:
    """Ask for the code of a person's second factor, and use it up.

    Raises:
        SecondFactorAtDesk: the person has passkeys alone, which no command can ask.
        SecondFactorNotGiven: there is nobody to be asked.
    """
    from ledger.cli.errors import SecondFactorAtDesk, SecondFactorNotGiven
    from ledger.cli.wall_clock import read_clock

    factors = proofs.second_factors(person)
    if not factors:
        return
    if "code" not in factors:
        raise SecondFactorAtDesk(person)
    if not code and not sys.stdin.isatty():
        raise SecondFactorNotGiven(person)
    if not code:
        from getpass import getpass

        code = getpass(f"Code that the device of {person} shows: ")
    proofs.prove_second(person, code, read_clock())  # which may be half a minute later by now


def pass_phrase(prompt: str, file: Path | None) -> str:
    """Read a pass phrase: from a file that the settings name, else from the terminal.

    Raises:
        NotProved: there is neither.
    """
    from ledger.casework.person_proofs import NotProved

    if file is not None:
        try:
            return file.read_text("utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise NotProved(
                "The file of the pass phrase cannot be read.", where=str(file)
            ) from error
    if not sys.stdin.isatty():
        raise NotProved(
            "A pass phrase is asked for at a terminal.",
            next_step="or PITLEDGER_PASS_PHRASE_FILE names the file that holds it",
        )
    from getpass import getpass

    return getpass(prompt)


def private_key(path: Path) -> Ed25519PrivateKey:
    """Read a person's private key.

    Raises:
        NotProved: it cannot be read, or is no Ed25519 key.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    from ledger.casework.person_proofs import NotProved

    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (OSError, ValueError, TypeError) as error:
        raise NotProved("The person's key cannot be read.", where=str(path)) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise NotProved("The person's key is no Ed25519 key.", where=str(path))
    return key


def enroll(
    person: str,
    /,
    *,
    public_key: Annotated[Path | None, Parameter(show_default=False)] = None,
    by: Annotated[str | None, Parameter(show_default=False)] = None,
    key: KeyOption = None,
    options: Options = OPTIONS,
) -> int:
    """Let a person prove from here on who acts: by a pass phrase, or by a key of the person's own.

    The first person on a ledger is somebody of administration or information technology, who
    enrolls without anybody else and then enrolls everybody later.

    Args:
        person: the credential of the person, who types the pass phrase.
        public_key: the person's Ed25519 public key (PEM) instead of a pass phrase.
        by: the credential of who enrolls the person, and proves it.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
    """
    from ledger import events
    from ledger.casework.action_facts import head
    from ledger.casework.cases import enrollment
    from ledger.casework.person_proofs import PersonProofs, check_strength
    from ledger.cli.settings import load
    from ledger.cli.unsigned_tail import open_ledger
    from ledger.cli.wall_clock import read_clock
    from ledger.codec import frame
    from ledger.log import Arrival
    from ledger.replay import Replay

    at, phrase = read_clock(), ""
    Replay.open(
        options.folder
    )  # a ledger that cannot be read is told before a pass phrase is asked
    own_key = None if public_key is None else _public_key(public_key)
    if own_key is None:
        phrase = pass_phrase(f"New pass phrase of {person}: ", load().new_pass_phrase_file)
        check_strength(phrase, person)
    with open_ledger(options.folder, key=key) as log:
        replay = Replay.open(options.folder)
        fact = events.PersonEnrolled(
            **head(replay, by or person, at, STREAM),
            person=person,
            how=events.ProofKind.PASS_PHRASE if own_key is None else events.ProofKind.KEY,
            public_key=own_key,
            enrolled_by=by or person,
            proof=None,
        )
        if replay.roster().enrolled:
            fact = prove(options.folder, replay, fact.enrolled_by, fact, at, key)
        facts = enrollment(replay, fact)
        log.append_whole([Arrival(frame(each)) for each in facts], at)
        if own_key is None:
            PersonProofs(options.folder).keep(person, phrase)
    how = "a pass phrase" if own_key is None else "a key"
    if options.is_json:
        emit_json({"person": person, "how": how.split()[-1], "enrolled_by": by or person})
    else:
        emit(f"{person} proves who acts by {how}.\n")
    return 0


def _public_key(path: Path) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    from ledger.casework.person_proofs import NotProved

    try:
        key = load_pem_public_key(path.read_bytes())
    except (OSError, ValueError, TypeError) as error:
        raise NotProved("The public key cannot be read.", where=str(path)) from error
    if not isinstance(key, Ed25519PublicKey):
        raise NotProved("The public key is no Ed25519 key.", where=str(path))
    return key.public_bytes_raw()
