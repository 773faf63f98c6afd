"""Each form by the name under which a person asks for it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.forms.coupon_ledger_and_requisitions import (
    issue_form,
    receipt_form,
    requisition_form,
    return_form,
)
from ledger.coupons.forms.daily import daily_form
from ledger.coupons.forms.fields import (
    DAILY,
    INVENTORY,
    ISSUE,
    OPEN,
    QUARTER,
    RECEIPT,
    RECONCILED,
    REQUISITION,
    RETURN,
)
from ledger.coupons.forms.finance import finance_form
from ledger.coupons.forms.model import Form
from ledger.coupons.forms.monthly_and_quarterly import inventory_form, quarterly_form
from ledger.coupons.forms.unaccounted import unaccounted_form
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
NAMES: Final = {kind: name for name, kind in KINDS.items()}
"""How each form is asked for."""


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
