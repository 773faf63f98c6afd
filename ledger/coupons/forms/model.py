"""What a form is, before anybody prints it: pages of fields, tables of rows, who signs.

A form holds figures and texts only; its digest is over these, so that printing it again, later or
in another format, gives the same digest, and a fact that changes one figure gives another.
Law: 58 Pa. Code § 525.21(f) to (o), (r)(2).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final

from ledger.events import CouponDepartment, CouponForm, SignedAs
from ledger.kernel import Citation, dollars

NOT_RECORDED: Final = "not recorded"
"""What is printed where the record does not say."""


class Kind(StrEnum):
    """What a field holds."""

    TEXT = "text"
    COUNT = "count"  # coupons
    MONEY = "money"  # cents
    DAY = "day"  # ISO date


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form: its name in data, its heading, and what asks for it.

    ``summed``: a table gives its total.
    """

    form: CouponForm
    key: str
    title: str
    cites: tuple[Citation, ...]
    kind: Kind = Kind.TEXT
    summed: bool = False

    @property
    def pins(self) -> str:
        """What asks for it, as printed: "§ 525.21(j)(5)"."""
        return ", ".join(dict.fromkeys(cite.pin for cite in self.cites))


@dataclass(frozen=True, slots=True)
class Signer:
    """Who signs a form: printed name, credential, signature, date and time.

    ``cites`` ask for the name, the signature and the credential number, in this order.
    """

    form: CouponForm
    signed_as: SignedAs
    who: str
    department: CouponDepartment
    supervisor: bool
    cites: tuple[Citation, ...]

    @property
    def pins(self) -> str:
        """What asks for the signature, as printed."""
        return ", ".join(dict.fromkeys(cite.pin for cite in self.cites))


@dataclass(frozen=True, slots=True)
class Computed:
    """A figure with the arithmetic of its row: ``"{to_distribute}-{distributed}-2"``."""

    figure: int
    formula: str


Value = str | int | Computed | None
"""What stands in a field; None: the record does not say, an empty text: there is nothing to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One field with its value, outside a table."""

    field: Field
    content: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of fields; the first ``keys`` fields say which row it is.

    ``each_cents``: all rows are of this denomination, and the total is given in dollars too.
    """

    title: str
    fields: tuple[Field, ...]
    rows: tuple[tuple[Value, ...], ...]
    keys: int = 1
    each_cents: int | None = None
    none: str = "None."

    def total(self, place: int) -> int:
        """The sum of a column."""
        return sum(number_of(row[place]) for row in self.rows)

    def total_shown(self, place: int) -> Value:
        """The sum of a column as printed: nothing where no row has a figure, and not recorded where
        a row's figure is not, for a sum of the others would be read as the whole."""
        values = [row[place] for row in self.rows]
        if None in values:
            return None
        return "" if all(isinstance(one, str) for one in values) else self.total(place)

    @property
    def has_total(self) -> bool:
        """Whether any column is summed."""
        return any(one.summed for one in self.fields)


def number_of(content: Value) -> int:
    """A value as a number; what is none counts nothing."""
    if isinstance(content, Computed):
        return content.figure
    return content if isinstance(content, int) else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form of a gaming day or a period, as the facts make it.

    ``recorded`` are signatures on the papers themselves, as facts tell them; ``remarks`` say what a
    reader must know beside the figures: a gap in the record, a day that is not over.
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

    def plain(self) -> dict[str, Any]:
        """The form as plain data: what its digest is over."""
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
        """SHA-256 of the form's figures and texts."""
        text = json.dumps(self.plain(), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        return hashlib.sha256(text.encode()).digest()


def bare(content: Value) -> str | int | None:
    """A value without its arithmetic."""
    return content.figure if isinstance(content, Computed) else content


def written(kind: Kind, content: Value) -> str:
    """A value as people read it."""
    known = bare(content)
    if known is None:
        return NOT_RECORDED
    if isinstance(known, str):
        return known
    return dollars(known) if kind is Kind.MONEY else f"{known:,}"
