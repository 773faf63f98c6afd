"""Who acts: functions, credentials, signatures, and duties that one person may not join.

Law: 58 Pa. Code § 525.21(d), (e), (g)(4), (g)(5), (h)(3), (j)(8), (l)(5), (m)(2), (r)(2).
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from ledger.coupons.custody_register import CustodyRegister
from ledger.events import CouponDepartment, CouponSignature
from ledger.kernel import Finding


class Pins(NamedTuple):
    """Where a signature's parts stand, each with the code of its finding."""

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
    """A person acts for a department, as a supervisor if asked; nobody named says nothing."""
    if person is None:
        return
    if book.program.acts_for(person, book.at, department, supervisor=supervisor):
        return
    sure = book.sure(-1, book.at)
    book.say(code, pin, observed=person, expected=expected, sure=sure)


def acted(book: CustodyRegister, person: str | None, department: CouponDepartment) -> None:
    """Note for which department a person acted today; both on one day is not kept apart.

    Only a person of that department acts for it: one who is not is told as such elsewhere.
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
    """The three parts of a signature on a document; who signed, by credential."""
    parts = (
        (pins.name, signed is not None and bool((signed.printed_name or "").strip())),
        (pins.signature, signed is not None and signed.signed is True),
        (pins.credential, signed is not None and bool((signed.person or "").strip())),
    )
    for (code, pin), there in parts:
        if not there:
            book.say(code, pin, observed=document, into=into, day=day)
    return signed.person if signed is not None else None
