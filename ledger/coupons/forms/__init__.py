"""The forms of the coupon program: pure functions of what the facts make of the record.

``MAKERS`` names them as a person asks for them; ``form_of`` makes one.
Law: 58 Pa. Code § 525.21(e) to (o).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.forms.at_day import DayEnd
from ledger.coupons.forms.coupon_ledger_and_requisitions import (
    issue_form,
    receipt_form,
    requisition_form,
    return_form,
)
from ledger.coupons.forms.daily import daily_form
from ledger.coupons.forms.fields import (
    DAILY,
    FIELDS,
    FOOTER,
    INVENTORY,
    ISSUE,
    OPEN,
    QUARTER,
    RECEIPT,
    RECONCILED,
    REQUISITION,
    RETURN,
    SERVES,
    SIGNERS,
)
from ledger.coupons.forms.figure_ranges import FigureRange, ranges_behind
from ledger.coupons.forms.finance import finance_form
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
from ledger.coupons.forms.monthly_and_quarterly import inventory_form, quarterly_form
from ledger.coupons.forms.naming import box_of
from ledger.coupons.forms.signature_issues import (
    Difference,
    Issue,
    differences,
    issue_of,
    judge_issue,
)
from ledger.coupons.forms.unaccounted import OpenRange, open_ranges, unaccounted_form
from ledger.coupons.forms.words import moment, span
from ledger.kernel import UsageError

MAKERS: Final[dict[str, Callable[[CustodyRegister, date], Form]]] = {
    "daily": daily_form,
    "finance": finance_form,
    "receipts": receipt_form,
    "requisition": requisition_form,
    "issues": issue_form,
    "returns": return_form,
    "inventory": inventory_form,
    "quarterly": quarterly_form,
    "unaccounted": unaccounted_form,
}
"""The function that makes each form, by the form's name, in the order of the index page."""
KINDS: Final = dict(
    zip(
        MAKERS,
        (DAILY, RECONCILED, RECEIPT, REQUISITION, ISSUE, RETURN, INVENTORY, QUARTER, OPEN),
        strict=True,
    )
)
"""The form that each name stands for."""


class FormUnknown(UsageError):
    """There is no form of that name."""

    code = "form_unknown"

    def __init__(self, name: str) -> None:
        super().__init__(f"There is no form {name!r}.", next_step=f"one of: {', '.join(MAKERS)}")


def form_of(book: CustodyRegister, name: str, day: date) -> Form:
    """Return a form of a gaming day, or of the month or quarter in which the day lies.

    Args:
        book: the coupon record, read to its end.
        name: a name in ``MAKERS``.
        day: the gaming day.

    Raises:
        FormUnknown: no form has that name.
    """
    maker = MAKERS.get(name)
    if maker is None:
        raise FormUnknown(name)
    return maker(book, day)


__all__ = [
    "FIELDS",
    "FOOTER",
    "KINDS",
    "MAKERS",
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
