"""Issues of a form: which one this is, who signed it, and what changed since the last signature.

A signature holds for a digest. While the form still has that digest it is the same issue; when a
fact that came later changes it, the next issue is printed beside the signed one, says what differs
and asks for a signature of its own.
Law: 58 Pa. Code § 525.21(j)(8), (m)(2), (r)(2).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from ledger.coupons.forms.model import Form, Kind, Table, Value, bare, written
from ledger.events import CouponFormSigned
from ledger.games.room import Duty
from ledger.kernel import Certainty, Finding, Severity, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import MATCH_PLAY as LAW
from ledger.replay import Amended, Mark

DUTIES: Final = (
    Duty(
        "form_superseded",
        Severity.MEDIUM,
        LAW[".21(j)(8)#2"],
        "Form {observed} was signed; what it was made from has changed since.",
    ),
)
"""A signature holds only for what was signed: the changed form has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place where an issue differs from the one before.

    Args:
        where: the table, row and field, for people.
        was, now: what the two issues say there.
    """

    where: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """A form with the number and the signatures of its issue.

    Args:
        form: the form.
        number: the number of the issue, from 1.
        signed: the signatures of this issue.
        before: the signatures of the issue that it supersedes.
        former, differences: the former issue and what differs, set by a caller that can make it
            again.
        doubt: why the former issue could not be made again or compared, None if it could.
        amended, marked: set by a caller that reads the ledger: facts of the form's day or period
            that differ from what was recorded first, and facts that came late or that a person
            added. They are no part of the digest: the figures contain them.
    """

    form: Form
    number: int
    signed: tuple[CouponFormSigned, ...]
    before: tuple[CouponFormSigned, ...] = ()
    former: Form | None = None
    differences: tuple[Difference, ...] = ()
    doubt: str | None = None
    amended: tuple[Amended, ...] = ()
    marked: tuple[Mark, ...] = ()

    @property
    def supersedes(self) -> int | None:
        """The number of the signed issue that this one replaces, None if there is none."""
        return self.before[-1].issue if self.before else None


def issue_of(form: Form, facts: Iterable[CouponFormSigned]) -> Issue:
    """Return the issue of a form, by the signatures in the ledger.

    It is the last signed issue while its digest is that of the form, else the next one, unsigned.

    Args:
        form: the form as it is now.
        facts: signatures, in any order, of any form.
    """
    own = [one for one in facts if one.form is form.form and one.form_id == form.form_id]
    if not own:
        return Issue(form=form, number=1, signed=())
    last = max(one.issue for one in own)
    of_last = tuple(one for one in own if one.issue == last)
    digest = form.digest()
    signed = tuple(one for one in of_last if one.digest == digest)
    if signed:
        return Issue(form=form, number=last, signed=signed)
    return Issue(form=form, number=last + 1, signed=(), before=of_last)


def judge_issue(issue: Issue, day: date) -> Finding | None:
    """Return the finding that asks for a new signature, None if no signed issue is superseded.

    Args:
        issue: the issue.
        day: the gaming day of the finding.
    """
    duty = next(iter(DUTIES), None)
    if not issue.before or duty is None:
        return None
    refs = tuple(ref_of(one) for one in issue.before)
    named = f"{issue.form.form_id} issue {issue.supersedes}"
    return Finding(
        code=duty.code,
        severity=duty.severity,
        certainty=Certainty.BROKEN,
        sentence=duty.says.format(observed=named),
        citations=(duty.cite,),
        gaming_day=day,
        stream=refs[-1].stream,
        facts=refs,
        observed=named,
    )


def differences(was: Form, current: Form) -> tuple[Difference, ...]:
    """Return how two issues of a form differ, field by field."""
    differing: list[Difference] = []
    for before, after in zip(was.heads, current.heads, strict=True):
        if bare(before.content) != bare(after.content):
            differing.append(
                _differs(after.field.title, after.field.kind, before.content, after.content)
            )
    tables = {one.title: one for one in was.tables}
    for table in current.tables:
        differing.extend(_of_table(tables.pop(table.title, None), table))
    for gone in tables.values():
        differing.extend(
            Difference(where=gone.title, before=_row(gone, row), after="no such line")
            for row in gone.rows
        )
    for text in sorted({*was.remarks} ^ {*current.remarks}):
        there = text in was.remarks
        differing.append(
            _differs("Remark", Kind.TEXT, text if there else "", "" if there else text)
        )
    return tuple(differing)


def _of_table(was: Table | None, current: Table) -> list[Difference]:
    before = _keyed(was) if was is not None else {}
    differing: list[Difference] = []
    for key, row in _keyed(current).items():
        old = before.pop(key, None)
        where = f"{current.title}: {' '.join(part for part in key[0] if part)}".rstrip(": ")
        if old is None:
            differing.append(
                Difference(where=where, before="no such line", after=_row(current, row))
            )
            continue
        differing.extend(
            _differs(f"{where}, {field.title}", field.kind, one, other)
            for field, one, other in zip(current.fields, old, row, strict=True)
            if bare(one) != bare(other)
        )
    differing.extend(
        Difference(
            where=f"{current.title}: {' '.join(key[0])}",
            before=_row(current, old),
            after="no such line",
        )
        for key, old in before.items()
    )
    return differing


def _keyed(table: Table) -> dict[tuple[tuple[str, ...], int], tuple[Value, ...]]:
    """Return rows by their key fields; rows with equal keys are numbered in their order."""
    keyed: dict[tuple[tuple[str, ...], int], tuple[Value, ...]] = {}
    for row in table.rows:
        key = tuple(
            written(field.kind, value)
            for field, value in zip(table.fields[: table.keys], row[: table.keys], strict=True)
        )
        number = 0
        while (key, number) in keyed:
            number += 1
        keyed[key, number] = row
    return keyed


def _row(table: Table, row: tuple[Value, ...]) -> str:
    parts = (
        f"{field.title} {written(field.kind, value)}"
        for field, value in zip(table.fields, row, strict=True)
        if bare(value) not in ("", None)
    )
    return "; ".join(parts)


def _differs(where: str, kind: Kind, was: Value, current: Value) -> Difference:
    return Difference(where=where, before=written(kind, was), after=written(kind, current))
