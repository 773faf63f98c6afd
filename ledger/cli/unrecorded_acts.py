"""Who may do what no event records, and the proof that this person does it.

To forget a person, to hold one for the law, to release a hold and to describe the property leave
no event that could hold a signature (``infra/decisions/0030-every-act-is-proved.md``). So the right
is asked of the table of acts (``ledger/law/decision_rights.toml``) and the proof is checked here.

Law: the Ledger contract, L.10.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ledger.kernel.quick_dataclass import dataclass

if TYPE_CHECKING:
    from ledger.events import PersonEnrolled
    from ledger.replay import Replay, Roster


@dataclass(frozen=True, slots=True)
class CheckedPerson:
    """What shows who acts: whether the record could show the credential, and whether it was
    proved that this person acts."""

    roster: Roster
    is_checked: bool
    is_proved: bool

    @property
    def data(self) -> dict[str, bool]:
        """For scripts."""
        return {"person_checked": self.is_checked, "proved": self.is_proved}


def check_person(
    folder: Path,
    replay: Replay,
    act: str,
    person: str | None,
    at: int,
    *,
    about: str | None = None,
    ledger_key: Path | None = None,
) -> CheckedPerson:
    """Let a person show the right to an act that no event records, and prove who acts.

    Args:
        folder: the ledger.
        replay: its replay.
        act: the act's name in ``law/decision_rights.toml``.
        person: the credential of who acts; None where none was given.
        at: the moment, microseconds UTC.
        about: the reference or credential of whom the act is about.
        ledger_key: as for ``person.check``.

    Raises:
        CredentialNotHeld: the record has credentials, and not this one.
        NotEntitled: rank or department do not fit, or the act is about the person.
        NotProved, TooManyTries: it is not proved who acts, or not said though the record has
            credentials.
    """
    from ledger.casework.person_proofs import NotProved
    from ledger.law import acts

    roster = replay.roster()
    if person is None:
        if roster.begins is not None or roster.proves_since is not None:
            raise NotProved(
                "Nobody says who does this.", next_step="give --by CREDENTIAL, and prove it"
            )
        return CheckedPerson(roster, is_checked=False, is_proved=False)
    concerned = {} if about is None else {about: "is whom this is about"}
    is_checked = roster.require(acts()[act], person, at, concerned=concerned)
    return CheckedPerson(roster, is_checked, _prove(folder, replay, person, at, ledger_key))


def _prove(folder: Path, replay: Replay, person: str, at: int, ledger_key: Path | None) -> bool:
    """Whether a person proved who acts; False where nobody is enrolled, so that nobody can."""
    from ledger.cli.person import check
    from ledger.cli.settings import load
    from ledger.events import ProofKind

    key = load().person_key
    if replay.roster().proves_since is None:
        return False
    enrollment = _last_enrollment(replay.roster(), person)
    if key is not None:
        _check_key(key, enrollment)
    elif enrollment.how is ProofKind.PASS_PHRASE:
        check(folder, replay, person, at, ledger_key)
    else:
        from ledger.casework.person_proofs import NotProved

        raise NotProved(
            f"{person} proves by a key, and by no pass phrase.",
            next_step="name it with PITLEDGER_PERSON_KEY",
        )
    return True


def _last_enrollment(roster: Roster, person: str) -> PersonEnrolled:
    from ledger.casework.person_proofs import NotProved
    from ledger.replay import person_key

    enrollments = roster.enrolled.get(person_key(person))
    if not enrollments:
        raise NotProved(
            f"{person} cannot prove yet who acts.", next_step=f"`pitledger person enroll {person}`"
        )
    return enrollments[-1][1]


def _check_key(path: Path, enrollment: PersonEnrolled) -> None:
    """Hold a private key against the public one that its person was enrolled with last."""
    from ledger.casework.person_proofs import NotProved
    from ledger.cli.person import private_key

    if private_key(path).public_key().public_bytes_raw() != enrollment.public_key:
        raise NotProved(f"This is not the key of {enrollment.person}.", where=str(path))
