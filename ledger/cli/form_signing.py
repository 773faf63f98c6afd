"""Signing a form: who may, in what function, and the fact that is appended."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Final

from ledger.audit import FormDesk
from ledger.cli.person import proof_of
from ledger.cli.unsigned_tail import open_ledger
from ledger.codec import frame
from ledger.coupons.forms import Issue, Signer
from ledger.events import CouponFormSigned, CouponSignature, SignedAs
from ledger.kernel import UsageError
from ledger.log import Arrival, OvertakenByAnother
from ledger.replay import Holding

STREAM: Final = "coupons/signatures"
"""The stream of signatures; nobody but this command numbers it."""
SOURCE: Final = "pitledger"
LONGEST: Final = 120
"""Characters of a printed name."""


class SignerRefused(UsageError):
    """This person may not sign this form, or not so."""

    code = "signer_refused"


class SignedAlready(UsageError):
    """This issue has this signature."""

    code = "form_signed_already"


def sign(
    folder: Path,
    desk: FormDesk,
    form: str,
    day: date,
    person: str,
    printed_name: str,
    signed_as: str | None,
    at: int,
    key: Path | None,
) -> tuple[CouponFormSigned, int]:
    """Append a signature; the fact, and its position.

    Args:
        folder: the ledger.
        desk: its forms.
        form: the form's name.
        day: its gaming day.
        person: credential number of who signs.
        printed_name: name of who signs.
        signed_as: the function; None where the form has one only.
        at: now, microseconds UTC.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.

    Raises:
        SignerRefused: no credential, not of the department, or no such function.
        SignedAlready: that was done.
        FormUnknown: there is no form of that name.
        NotProved, TooManyTries: somebody is enrolled, and it is not proved who signs.
    """
    fact = signature_on_form(desk, form, day, person, printed_name, signed_as, at)
    proof = proof_of(folder, desk.replay, person, at, ledger_key=key)
    fact = fact if proof is None else proof.on(fact)
    with open_ledger(folder, key=key) as log:
        if log.append([Arrival(frame(fact))], at).accepted != 1:
            raise OvertakenByAnother(str(folder))
        return fact, log.size - 1


def signature_on_form(
    desk: FormDesk,
    form: str,
    day: date,
    person: str,
    printed_name: str,
    signed_as: str | None,
    at: int,
) -> CouponFormSigned:
    """Return the signature that a person may give on a form, without its proof.

    Args:
        desk, form, day, person, printed_name, signed_as, at: as for ``sign``.

    Raises:
        SignerRefused, SignedAlready, FormUnknown: as for ``sign``.
    """
    issue = desk.issue(form, day)
    signer = _function(issue, person, signed_as, desk, at)
    if not 0 < len(printed_name.strip()) <= LONGEST:
        raise SignerRefused(f"A printed name has 1 to {LONGEST} characters.")
    roster = desk.replay.roster()
    stated = roster.name_differs(person, printed_name, at)
    if stated is not None:
        raise SignerRefused(f"{person} is {stated} on the record, not {printed_name.strip()}.")
    if any(roster.are_one(one.signature.person or "", person) for one in issue.signed):
        raise SignedAlready(f"{issue.form.form_id} issue {issue.number} is signed by {person}.")
    extent = desk.replay.extent(STREAM).last_seq if STREAM in desk.replay.streams() else 0
    return CouponFormSigned(
        stream=STREAM,
        seq=extent + 1,
        event_time=at,
        source=SOURCE,
        recorded_by=person,
        form=issue.form.form,
        form_id=issue.form.form_id,
        issue=issue.number,
        supersedes=issue.supersedes,
        for_gaming_day=None if issue.form.period else day.isoformat(),
        period=issue.form.period,
        signed_as=signer.signed_as,
        signature=CouponSignature(
            person=person, printed_name=printed_name.strip(), signed=True, signed_time=at
        ),
        tree_size=desk.replay.size,
        root=desk.replay.root,
        digest=issue.form.digest(),
        proof=None,
    )


def _function(issue: Issue, person: str, signed_as: str | None, desk: FormDesk, at: int) -> Signer:
    """In what function a person may sign a form."""
    signers = issue.form.signers
    if signed_as is not None:
        try:
            wanted = SignedAs(signed_as.upper())
        except ValueError as error:
            raise _no_function(signers, signed_as) from error
        signers = tuple(one for one in signers if one.signed_as is wanted)
        if not signers:
            raise _no_function(issue.form.signers, signed_as)
    program = desk.book.program
    holding = desk.replay.roster().holding(person, at)
    if holding is Holding.UNKNOWN:
        raise SignerRefused(
            "The record has nobody's credential, so nothing shows who signs.",
            next_step="record the property's roster of credentials first",
        )
    if holding is not Holding.HELD:
        raise SignerRefused(
            f"{person} holds no credential on the record.",
            cause="it was never recorded, was revoked, or has expired",
        )
    fit = [
        one
        for one in signers
        if program.acts_for(person, at, one.department, supervisor=one.supervisor)
    ]
    kinds = {one.signed_as for one in fit}
    if not fit:
        words = "; ".join(f"{one.who} ({one.pins})" for one in signers)
        raise SignerRefused(f"{person} has not the function to sign this form.", cause=words)
    if len(kinds) > 1:
        raise SignerRefused(
            "The form has several signatures that this person may give.",
            next_step=f"say which: --as {' or --as '.join(sorted(k.value.lower() for k in kinds))}",
        )
    return fit[0]


def _no_function(signers: tuple[Signer, ...], asked: str) -> SignerRefused:
    known = ", ".join(dict.fromkeys(one.signed_as.value.lower() for one in signers))
    return SignerRefused(f"The form is not signed as {asked!r}.", next_step=f"one of: {known}")
