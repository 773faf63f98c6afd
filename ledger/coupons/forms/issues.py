"""Issues of a form: which one this is, who signed it, and what changed since the last signature.

A signature holds for a digest. While the form still has that digest it is the same issue; when a
fact that came later changes it, the next issue stands beside the signed one, says what differs and
asks for a signature of its own.
Law: 58 Pa. Code § 525.21(j)(8), (m)(2), (r)(2).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

from ledger.coupons.forms.model import Form, Kind, Table, Value, bare, written
from ledger.events import CouponFormSigned
from ledger.games.room import Duty
from ledger.kernel import Certainty, Finding, Severity, ref_of
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
"""A signature holds for what was signed: the form as it stands now has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that an issue says otherwise than the one before."""

    where: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """A form as it stands, with its number and signatures.

    ``signed`` are the signatures of this issue, ``before`` those of the issue that it supersedes;
    ``differences`` and ``former`` are set by whoever can make the former issue again, and
    ``amended`` by whoever reads the ledger: facts of its day or period that say something else
    than was recorded first; ``marked`` those that came late or that a person added. They are no
    part of its digest: the figures have them.
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
        """The signed issue that this one takes the place of, None if there is none."""
        return self.before[-1].issue if self.before else None


def issue_of(form: Form, facts: Iterable[CouponFormSigned]) -> Issue:
    """The issue of a form, by the signatures that the ledger has."""
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
    """A form that was signed and has changed since: the finding that asks for a new signature."""
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
    """What two issues of a form say differently, field by field."""
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
    """Rows by their leading fields; alike ones are told apart by their order."""
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
