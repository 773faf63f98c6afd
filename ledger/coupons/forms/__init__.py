"""The forms of the coupon program: pure functions of what the facts make of the record.

``MAKERS`` names them as a person asks for them; ``form_of`` makes one.
Law: 58 Pa. Code § 525.21(e) to (o).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.coupons.forms.at_day import DayEnd
    from ledger.coupons.forms.fields import FIELDS, FOOTER, SERVES, SIGNERS
    from ledger.coupons.forms.figure_ranges import FigureRange, ranges_behind
    from ledger.coupons.forms.makers import KINDS, MAKERS, NAMES, FormUnknown, form_of
    from ledger.coupons.forms.model import (
        NOT_RECORDED,
        Computed,
        Entry,
        Field,
        Form,
        Kind,
        Signer,
        Table,
        Value,
        bare,
        written,
    )
    from ledger.coupons.forms.naming import box_of
    from ledger.coupons.forms.signature_issues import (
        Difference,
        Issue,
        differences,
        issue_of,
        judge_issue,
    )
    from ledger.coupons.forms.unaccounted import OpenRange, open_ranges
    from ledger.coupons.forms.words import moment, span

__all__ = [
    "FIELDS",
    "FOOTER",
    "KINDS",
    "MAKERS",
    "NAMES",
    "NOT_RECORDED",
    "SERVES",
    "SIGNERS",
    "Computed",
    "DayEnd",
    "Difference",
    "Entry",
    "Field",
    "FigureRange",
    "Form",
    "FormUnknown",
    "Issue",
    "Kind",
    "OpenRange",
    "Signer",
    "Table",
    "Value",
    "bare",
    "box_of",
    "differences",
    "form_of",
    "issue_of",
    "judge_issue",
    "moment",
    "open_ranges",
    "ranges_behind",
    "span",
    "written",
]

load_on_first_use(__name__)
