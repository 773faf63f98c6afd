"""Who acts: functions, credentials, signatures, and duties that one person may not combine.

Law: 58 Pa. Code § 525.21(d), (e), (g)(4), (g)(5), (h)(3), (j)(8), (l)(5), (m)(2), (r)(2).
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from ledger.coupons.custody_register import CustodyRegister
from ledger.events import CouponDepartment, CouponSignature
from ledger.kernel import Finding


class Pins(NamedTuple):
    """For each part of a signature: the code of its finding, and the part of § 525.21."""

    name: tuple[str, str]
    signature: tuple[str, str]
    credential: tuple[str, str]


def must_be(
    book: CustodyRegister,
    person: str | None,
    department: CouponDepartment,
    code: str,
    pin: str,
    *,
    supervisor: bool = False,
    expected: str | None = None,
) -> None:
    """Report a person who does not act for a department, or not as a supervisor.

    Args:
        book: the register.
        person: the credential; None: nobody is named, so nothing is reported.
        department: the department.
        code: the code of the finding.
        pin: the part of § 525.21.
        supervisor: whether the person must be a supervisor or above.
        expected: what should have been, for people.
    """
    if person is None:
        return
    if book.program.acts_for(person, book.at, department, supervisor=supervisor):
        return
    sure = book.sure(-1, book.at)
    book.say(code, pin, observed=person, expected=expected, sure=sure)


def acted(book: CustodyRegister, person: str | None, department: CouponDepartment) -> None:
    """Note for which department a person acted today, and report acting for both on one day.

    Only a person of that department acts for it; another one is reported elsewhere.
    """
    if person is None:
        return
    day = book.day(book.today)
    before = set(day.acted.get(person, {}))
    if not before and book.program.standing(person, book.at) is not True:
        sure = book.sure(-1, book.at, "house")
        book.say("credential_unknown", "(m)(2)#1", observed=person, sure=sure)
    if not book.program.acts_for(person, book.at, department, supervisor=False):
        return
    day.act(person, department.value, book.ref)
    if before and department.value not in before:
        first = tuple(day.acted[person].values())
        book.say("segregation_broken", "(r)(2)#2", observed=person, facts=first)


def signature(
    book: CustodyRegister,
    signed: CouponSignature | None,
    pins: Pins,
    document: str,
    into: list[Finding] | None = None,
    day: date | None = None,
) -> str | None:
    """Report the missing parts of a signature on a document, and return who signed.

    Args:
        book: the register.
        signed: the signature; None: all parts are missing.
        pins: the findings for its parts.
        document: the document, for people.
        into: the list to which findings are added; by default those of their day.
        day: their gaming day; by default today.

    Returns:
        The credential; None where it is not recorded.
    """
    parts = (
        (pins.name, signed is not None and bool((signed.printed_name or "").strip())),
        (pins.signature, signed is not None and signed.signed is True),
        (pins.credential, signed is not None and bool((signed.person or "").strip())),
    )
    for (code, pin), there in parts:
        if not there:
            book.say(code, pin, observed=document, into=into, day=day)
    return signed.person if signed is not None else None
