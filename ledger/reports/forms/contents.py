"""The parts of a form that every format shares: its stamp, its signatures, its words.

Law: 58 Pa. Code § 525.21(j)(8), (r)(2).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, Final

from ledger.coupons import forms
from ledger.coupons.forms import (
    NOT_RECORDED,
    SERVES,
    Form,
    Kind,
    Signer,
    Table,
    Value,
    bare,
    moment,
)
from ledger.events import CouponForm, CouponFormSigned
from ledger.kernel import PropertyClock, dollars, event_words, plural
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.amendments import amended_data, amended_words
from ledger.reports.late_facts import mark_data
from ledger.reports.paper import Paper

if TYPE_CHECKING:
    from ledger.coupons.forms import Issue

ASKS: Final = (
    "Whether a computerized system keeps an equal audit trail and segregation of duties"
    " (§ 525.21(r)(2)) is for the certificate holder to show and for the Board to accept."
)

MOST_LINES: Final = 2_000
"""Lines of a table on paper and screen; spreadsheets have all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """Of which ledger a form was made, and when it is printed (microseconds UTC).

    ``printed_at`` is None for a form issued with the report of a night, which reads no clock.
    ``origin`` is the ledger's name for the code beside the signatures; "-" where it is not given.
    """

    property_name: str
    clock: PropertyClock
    tree_size: int
    root: str
    printed_at: int | None
    origin: str = "-"
    paper: Paper = Paper.LETTER

    @property
    def printed(self) -> str:
        """When, by the property's clocks."""
        if self.printed_at is None:
            return "with the nightly report"
        return f"{moment(self.clock, self.printed_at)} {self.clock.local(self.printed_at):%Z}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureLine:
    """A line of the signature block; empty fields are to be filled in by hand."""

    signer: Signer
    name: str
    credential: str
    mark: str
    signed_at: str


def signature_lines(issue: Issue, stamp: Stamp) -> tuple[SignatureLine, ...]:
    """Who signs a form, each line with the signature that the ledger has for it."""
    left = list(issue.signed)
    lines: list[SignatureLine] = []
    for signer in issue.form.signers:
        fact = next((one for one in left if one.signed_as is signer.signed_as), None)
        if fact is not None:
            left.remove(fact)
        lines.append(_line(signer, fact, stamp))
    extra = {signer.signed_as: signer for signer in issue.form.signers}
    lines += [_line(extra[one.signed_as], one, stamp) for one in left if one.signed_as in extra]
    return tuple(lines)


def _line(signer: Signer, fact: CouponFormSigned | None, stamp: Stamp) -> SignatureLine:
    if fact is None:
        return SignatureLine(signer=signer, name="", credential="", mark="", signed_at="")
    signed = fact.signature
    return SignatureLine(
        signer=signer,
        name=signed.printed_name or NOT_RECORDED,
        credential=signed.person or NOT_RECORDED,
        mark=f"signed on tree size {fact.tree_size:,}" if signed.signed else "not signed",
        signed_at=moment(stamp.clock, signed.signed_time or fact.event_time),
    )


def asks_for(issue: Issue) -> str | None:
    """The line about missing signatures; None where everybody has signed."""
    if issue.supersedes is not None:
        return (
            f"This issue replaces issue {issue.supersedes}, which was signed."
            " A later fact changed the form. It must be signed again."
        )
    kinds = [one.signed_as for one in issue.form.signers]
    if len(issue.signed) >= len(kinds):
        return None
    return "Not signed." if not issue.signed else "Some signatures are missing."


def day_words(form: Form) -> str:
    """The gaming day or the period of a form: "gaming day 2021-06-12"."""
    return f"period {form.period}" if form.period else f"gaming day {form.day}"


def issue_words(issue: Issue) -> str:
    """Number of the issue, and of the one it takes the place of."""
    words = f"issue {issue.number}"
    return f"{words}, supersedes issue {issue.supersedes}" if issue.supersedes else words


def serves(form: CouponForm) -> str:
    """The paragraphs that a form is for."""
    return ", ".join(cite.pin for cite in SERVES[form])


def cell(kind: Kind, entry: Value) -> str:
    """An entry of a form as people read it on paper."""
    known = bare(entry)
    if known is None:
        return NOT_RECORDED
    if isinstance(known, int):
        return dollars(known) if kind is Kind.MONEY else f"{known:,}"
    return known


def groups(form: Form) -> Iterator[tuple[Table, ...]]:
    """Tables one after the other that have the same fields share a head."""
    for _, tables in groupby(form.tables, key=lambda one: one.fields):
        yield tuple(tables)


def rest(table: Table) -> str | None:
    """The line about rows that a page leaves out, None where it has every row."""
    over = len(table.rows) - MOST_LINES
    if over <= 0:
        return None
    return (
        f"{plural(over, 'more line')} not shown here, included in the totals."
        " The spreadsheet (CSV, XLSX) has every line."
    )


def total_row(table: Table) -> tuple[str, ...] | None:
    """The totals of a table, None where nothing is summed or there is nothing to sum."""
    if not table.has_total or not table.rows:
        return None
    cells = [
        cell(field.kind, table.total_shown(place)) if field.summed else ""
        for place, field in enumerate(table.fields)
    ]
    cells[0] = "Total"
    return tuple(cells)


def worth_row(table: Table) -> tuple[str, ...] | None:
    """The totals of a table of one denomination in dollars."""
    if table.each_cents is None or not table.rows:
        return None
    cells = [
        dollars(table.total(place) * table.each_cents) if field.summed else ""
        for place, field in enumerate(table.fields)
    ]
    cells[0] = "Total in dollars"
    return tuple(cells)


def issue_data(issue: Issue, stamp: Stamp) -> dict[str, object]:
    """A form as plain data, for scripts."""
    form = issue.form
    return {
        "name": forms.NAMES[form.form],
        **form.plain(),
        "title": form.title,
        "serves": [cite.section for cite in SERVES[form.form]],
        "issue": issue.number,
        "supersedes": issue.supersedes,
        "signed_by_all": asks_for(issue) is None,
        "signatures": [
            {
                "signed_as": one.signed_as.value,
                "person": one.signature.person,
                "name": one.signature.printed_name,
                "tree_size": one.tree_size,
                "root": one.root.hex(),
            }
            for one in issue.signed
        ],
        "differences": [
            {"where": one.where, "was": one.before, "now": one.after} for one in issue.differences
        ],
        "amended": [amended_data(one) for one in issue.amended],
        "marked": [mark_data(mark) for mark in issue.marked],
        "doubt": issue.doubt,
        "digest": form.digest().hex(),
        "fields": {
            field.key: [cite.section for cite in field.cites]
            for table in form.tables
            for field in table.fields
        }
        | {one.field.key: [cite.section for cite in one.field.cites] for one in form.heads},
        "printed_at": stamp.printed,
        "tree_size": stamp.tree_size,
        "root": stamp.root,
    }


RESTATED: Final = ("Fact", "Before and after", "Reason", "Amended by", "Approved by")
"""The columns about an amended fact."""


def restated_rows(issue: Issue) -> tuple[tuple[str, ...], ...]:
    """The facts of a form's day or period that were amended, a row each."""
    return tuple(
        (
            f"{event_words(type(one.before).__name__)} {one.before.stream}:{one.before.seq}",
            amended_words(one),
            one.by.reason,
            one.by.amended_by,
            one.by.approved_by or NOT_RECORDED,
        )
        for one in issue.amended
    )


MARKED: Final = ("Fact", "Arrived", "Sent as terminal", "Recorded by", "Added by, approved by")
"""The columns about a fact that arrived late or that a person added."""


def marked_rows(issue: Issue, stamp: Stamp) -> tuple[tuple[str, ...], ...]:
    """The facts of a form's day or period that arrived late or that a person added."""
    return tuple(
        (
            f"{event_words(mark.event)} {mark.ref}",
            f"{stamp.clock.local(mark.arrived_at):%Y-%m-%d %H:%M:%S}"
            + ("" if mark.closed_at is None else ", after its day was closed"),
            mark.source,
            mark.recorded_by or NOT_RECORDED,
            ", ".join(one or NOT_RECORDED for one in (mark.added_by, mark.approved_by))
            if mark.added_by
            else "nobody",
        )
        for mark in issue.marked
    )


def file_stem(issue: Issue, day: date) -> str:
    """The name of a form's file, without its ending."""
    return f"{forms.NAMES[issue.form.form]}-{issue.form.period or day}-issue-{issue.number}"
