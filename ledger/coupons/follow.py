"""Following the record: which facts are about coupons, and what each does to the book.

Law: 58 Pa. Code § 525.21.
"""

from __future__ import annotations

from typing import Any, Final

from ledger.coupons import (
    boxes,
    cancelling,
    daily_papers,
    deliveries,
    mailing,
    movements,
    requisition_to_return,
)
from ledger.coupons.custody_register import CustodyRegister, Handler
from ledger.kernel import ref_of

HANDLERS: Final[dict[type, Handler]] = {
    **deliveries.HANDLERS,
    **requisition_to_return.HANDLERS,
    **movements.HANDLERS,
    **cancelling.HANDLERS,
    **mailing.HANDLERS,
    **boxes.HANDLERS,
    **daily_papers.HANDLERS,
}
FOLLOWED: Final = frozenset({*(kind.__name__ for kind in HANDLERS), "PersonCredentialled"})
"""The events that the book follows, in addition to those of the program."""


def follow(book: CustodyRegister, fact: object, at: int) -> None:
    """Take one fact; facts come in merged order.

    Args:
        book: the register.
        fact: any fact.
        at: when it was merged, microseconds UTC.
    """
    handler = HANDLERS.get(type(fact))
    if handler is not None:
        known: Any = fact
        book.come_to(at, ref_of(known), type(fact).__name__)
        handler(book, fact)
    else:
        book.program.take(fact, at)
