"""What a form is, before anybody prints it: fields, tables of rows, and who signs.

A form holds figures and texts only, and its digest is computed from them: printing it again, later
or in another format, gives the same digest, and a fact that changes one figure gives another.
Law: 58 Pa. Code § 525.21(f) to (o), (r)(2).
"""

from __future__ import annotations

import hashlib
import json
from datetime import date
from enum import StrEnum
from typing import Final

from ledger.events import CouponDepartment, CouponForm, SignedAs
from ledger.kernel import Citation, dollars
from ledger.kernel.quick_dataclass import dataclass

NOT_RECORDED: Final = "not recorded"
"""What is printed where the record does not say."""


class Kind(StrEnum):
    """What a field holds; counts are of coupons, money is in cents, days are ISO dates."""

    TEXT = "text"
    COUNT = "count"  # coupons
    MONEY = "money"  # cents
    DAY = "day"  # ISO date


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form.

    Args:
        form: the form.
        key: its name in data and in formulas.
        title: its heading.
        cites: the sentences that ask for it.
        kind: what it holds.
        summed: whether a table gives its total.
    """

    form: CouponForm
    key: str
    title: str
    cites: tuple[Citation, ...]
    kind: Kind = Kind.TEXT
    summed: bool = False

    @property
    def pins(self) -> str:
        """The sections that ask for it, as printed: "§ 525.21(j)(5)"."""
        return ", ".join(dict.fromkeys(cite.pin for cite in self.cites))


@dataclass(frozen=True, slots=True)
class Signer:
    """A person who signs a form: printed name, credential, signature, date and time.

    Args:
        form: the form.
        signed_as: the function in which the person signs.
        who: the function in words.
        department: the department of the person.
        supervisor: whether a supervisor must sign.
        cites: the sentences that ask for name, signature and credential number, in this order.
    """

    form: CouponForm
    signed_as: SignedAs
    who: str
    department: CouponDepartment
    supervisor: bool
    cites: tuple[Citation, ...]

    @property
    def pins(self) -> str:
        """The sections that ask for the signature, as printed."""
        return ", ".join(dict.fromkeys(cite.pin for cite in self.cites))


@dataclass(frozen=True, slots=True)
class Computed:
    """A figure with its formula over the keys of its row: ``"{to_distribute}-{distributed}-2"``."""

    figure: int
    formula: str


Value = str | int | Computed | None
"""The value of a field: None if the record does not say, an empty text if there is nothing to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One field with its value, outside a table."""

    field: Field
    content: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of fields.

    Args:
        title: the heading.
        fields: the columns.
        rows: the values, one for each column.
        keys: how many leading columns identify a row.
        each_cents: the denomination of all rows in cents if they share one; the total is then given
            in dollars too.
        none: what is printed if there is no row.
    """

    title: str
    fields: tuple[Field, ...]
    rows: tuple[tuple[Value, ...], ...]
    keys: int = 1
    each_cents: int | None = None
    none: str = "None."

    def total(self, place: int) -> int:
        """Return the sum of a column; values that are no numbers count nothing."""
        return sum(number_of(row[place]) for row in self.rows)

    def total_shown(self, place: int) -> Value:
        """Return the sum of a column as printed.

        An empty text where no row has a figure; None, printed as not recorded, where a row's figure
        is not known: the sum of the others would be read as the whole.
        """
        values = [row[place] for row in self.rows]
        if None in values:
            return None
        return "" if all(isinstance(one, str) for one in values) else self.total(place)

    @property
    def has_total(self) -> bool:
        """Whether any column is summed."""
        return any(one.summed for one in self.fields)


def number_of(content: Value) -> int:
    """Return a value as a number: 0 for a text or None."""
    if isinstance(content, Computed):
        return content.figure
    return content if isinstance(content, int) else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form of a gaming day or a period, as the facts make it.

    Args:
        form: which form it is.
        form_id: its id, such as "MPC-DAY-2014-06-14".
        title: its heading.
        day: the gaming day; of a form of a period, a day in it.
        period: the month or quarter, None for a form of a day.
        heads: the fields above the tables.
        tables: the tables.
        signers: who signs it.
        remarks: what a reader must know besides the figures: a gap in the record, a day not over.
        landscape: whether it is printed in landscape.
    """

    form: CouponForm
    form_id: str
    title: str
    day: date
    period: str | None
    heads: tuple[Entry, ...]
    tables: tuple[Table, ...]
    signers: tuple[Signer, ...]
    remarks: tuple[str, ...] = ()
    landscape: bool = True

    def plain(self) -> dict[str, object]:
        """Return the form as plain data: the digest is computed from this."""
        return {
            "form": self.form.value,
            "form_id": self.form_id,
            "gaming_day": None if self.period else self.day.isoformat(),
            "period": self.period,
            "heads": [[one.field.key, bare(one.content)] for one in self.heads],
            "tables": [
                {
                    "title": table.title,
                    "fields": [one.key for one in table.fields],
                    "rows": [[bare(value) for value in row] for row in table.rows],
                }
                for table in self.tables
            ],
            "remarks": list(self.remarks),
        }

    def digest(self) -> bytes:
        """Return the SHA-256 of the form's figures and texts."""
        text = json.dumps(self.plain(), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        return hashlib.sha256(text.encode()).digest()


def bare(content: Value) -> str | int | None:
    """Return a value without its formula."""
    return content.figure if isinstance(content, Computed) else content


def written(kind: Kind, content: Value) -> str:
    """Print a value: money in dollars, counts with commas, None as not recorded.

    >>> written(Kind.MONEY, 123456), written(Kind.COUNT, 1234), written(Kind.COUNT, None)
    ('$1,234.56', '1,234', 'not recorded')
    """
    known = bare(content)
    if known is None:
        return NOT_RECORDED
    if isinstance(known, str):
        return known
    return dollars(known) if kind is Kind.MONEY else f"{known:,}"
