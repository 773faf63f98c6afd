"""The letter to a patron who asked about a wager: what the record shows, and what was decided."""

from __future__ import annotations

from datetime import date
from typing import Final

from ledger.kernel import dollars
from ledger.reports.letters.letter import Facts, Letter, Paragraph
from ledger.reports.patron_statement import PatronStatement
from ledger.reports.phrases import calendar_date

CAPACITIES: Final = ("Prepared by", "Approved by")
"""A letter is signed by two persons."""
REPEATED: Final = ("Shown", "Your wager", "The rule", "By the rule", "What was done", "Difference")
"""Of the statement about the wager, what the letter repeats in rows."""


def patron_letter(
    statement: PatronStatement,
    *,
    sender: tuple[str, ...],
    reference: str,
    written: date,
    decision: str | None,
    goodwill_cents: int = 0,
) -> Letter:
    """Return the letter about a wager; it names nobody but those who sign it.

    Args:
        statement: what the record shows of the wager.
        sender: the property, and who holds its certificate.
        reference: the number of the case.
        written: the day of the letter.
        decision: what was decided, in the words of who decided it; None: nothing yet.
        goodwill_cents: what was paid without being due.
    """
    rows = statement.rows()
    body: list[Paragraph | Facts] = [
        Paragraph(
            text="You asked us about a wager. We have gone through the record of that round again,"
            " event by event, and worked out every wager anew by the regulation that was in force"
            " on that day. This is what the record shows."
        ),
        Facts(
            heading=f"{statement.title}, {statement.when}",
            rows=tuple((name, rows[name]) for name in REPEATED),
        ),
        Paragraph(
            heading="What we decided",
            text=decision or "Nothing has been decided yet. We will write to you again.",
        ),
    ]
    if goodwill_cents:
        amount = dollars(goodwill_cents)
        body.append(Paragraph(text=f"Beside what is due, {amount} was paid to you as a courtesy."))
    body.append(Paragraph(heading="If you do not agree", text=statement.complaint))
    return Letter(
        sender=sender,
        recipient=("To the patron who made the wager",),
        written=calendar_date(written),
        reference=reference,
        subject=f"Your question about {statement.title}",
        body=tuple(body),
        capacities=CAPACITIES,
    )
