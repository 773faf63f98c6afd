"""One cell of a sheet to one value, or a reason why not: exact, and never by guess.

A reader takes the cell's text, without the blanks around it, and returns the value; it raises
``CellWrong`` with a stable code. An empty cell never comes here.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from typing import Final

from ledger.kernel import dollars

MOST_CHARACTERS: Final = 2_000
"""The longest cell that is taken."""

Reader = Callable[[str], object]

_WHOLE: Final = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_GROUPED: Final = re.compile(r"[+-]?\d{1,3}(?:,\d{3}){1,5}", re.ASCII)
_FORMULA: Final = re.compile(r"[=@]|[+-](?![\d.$])|\t")
_AMOUNT: Final = {
    ".": re.compile(r"(\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(\d{1,2}))?", re.ASCII),
    ",": re.compile(r"(\d{1,3}(?:[. ]\d{3})+|\d{1,15})(?:,(\d{1,2}))?", re.ASCII),
}
_CURRENCY: Final = re.compile(r"^(?:US\$|USD|\$)\s*|\s*(?:USD|\$)$")


class CellWrong(Exception):  # becomes a RowFault with row and column
    """A cell that says no value of its kind: a stable code and a reason for people."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def is_encoding(name: str) -> bool:
    """Whether texts can be read in an encoding of that name."""
    try:
        return codecs.lookup(name)._is_text_encoding  # base64 and the like are none
    except LookupError:
        return False


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would compute this text instead of showing it."""
    return _FORMULA.match(text) is not None


def text(cell: str) -> str:
    """A text as it stands; nothing that a spreadsheet would run."""
    if is_formula(cell):
        raise CellWrong("formula", "a formula, not a value")
    if len(cell) > MOST_CHARACTERS:
        raise CellWrong("too_long", f"longer than {MOST_CHARACTERS:,} characters")
    if not cell.isprintable():
        raise CellWrong("unprintable", "has characters that cannot be printed")
    return cell


def whole(minimum: int | None, maximum: int | None) -> Reader:
    """A whole number within bounds, both included."""

    def read(cell: str) -> int:
        if _WHOLE.fullmatch(cell) is not None:
            number = int(cell)
        elif _GROUPED.fullmatch(cell) is not None:
            number = int(cell.replace(",", ""))
        else:
            code = "formula" if is_formula(cell) else "not_a_number"
            raise CellWrong(code, "not a whole number")
        if (minimum is not None and number < minimum) or (maximum is not None and number > maximum):
            raise CellWrong("out_of_range", f"must be {_bounds(minimum, maximum)}")
        return number

    return read


def _bounds(minimum: int | None, maximum: int | None) -> str:
    if minimum is None:
        return f"at most {maximum:,}"
    return f"at least {minimum:,}" if maximum is None else f"from {minimum:,} to {maximum:,}"


def money(decimal: str, unit: str, minimum: int | None) -> Reader:
    """An amount as cents: ``$1,250.00``, ``(50.00)`` for minus fifty; never rounded.

    Args:
        decimal: the decimal sign, "." or ",".
        unit: what one stands for, "dollars" or "cents".
        minimum: least cents.
    """
    form = _AMOUNT[decimal]
    example = "1,250.00" if decimal == "." else "1.250,00"
    wanted = "whole cents" if unit == "cents" else f"dollars, such as {example}"

    def read(cell: str) -> int:
        bare = cell
        negative = bare.startswith("(") and bare.endswith(")")
        if negative:
            bare = bare[1:-1].strip()
        if bare[:1] in ("+", "-") and not negative:
            negative, bare = bare[0] == "-", bare[1:].strip()
        bare = _CURRENCY.sub("", _CURRENCY.sub("", bare))
        match = form.fullmatch(bare)
        if match is None or (unit == "cents" and match[2]):
            code = "formula" if is_formula(cell) else "not_an_amount"
            raise CellWrong(code, f"not an amount in {wanted}")
        units = int(re.sub(r"\D", "", match[1]))
        cents = units if unit == "cents" else units * 100 + int((match[2] or "").ljust(2, "0"))
        cents = -cents if negative else cents
        if minimum is not None and cents < minimum:
            raise CellWrong("out_of_range", f"must be at least {dollars(minimum)}")
        return cents

    return read


_THOUSANDTHS: Final = re.compile(r"([+-]?)(\d{1,9})(?:\.(\d{1,3}))?", re.ASCII)


def milliseconds(cell: str) -> int:
    """A span in milliseconds, as microseconds."""
    match = _THOUSANDTHS.fullmatch(cell)
    if match is None:
        raise CellWrong(
            "formula" if is_formula(cell) else "not_a_number", "not a number of milliseconds"
        )
    micros = int(match[2]) * 1_000 + int((match[3] or "").ljust(3, "0"))
    return -micros if match[1] == "-" else micros


class Serial(str):
    """A serial number as it is written."""

    __slots__ = ()


def serial(cell: str) -> Serial:
    """A serial number as it is written, in capitals, without blanks."""
    return Serial(text("".join(cell.split())).upper())


def bare_serial(written: str) -> str:
    """A serial number by which two ways of writing it are told to be one."""
    return re.sub(r"[^0-9A-Z]", "", written)


class Dates:
    """Dates of one file, which must all be written in one style: the first decides.

    Args:
        formats: the styles the profile knows, as of ``strptime``.
    """

    def __init__(self, formats: tuple[str, ...]) -> None:
        self.formats = formats
        self.style: str | None = None
        self._known: dict[str, date] = {}

    def __call__(self, cell: str) -> date:
        known = self._known.get(cell)
        if known is not None:
            return known
        for form in (self.style,) if self.style else self.formats:
            day = _day(cell, form)
            if day is not None:
                self.style = form
                if len(self._known) < 10_000:
                    self._known[cell] = day
                return day
        if self.style is not None and any(_day(cell, form) for form in self.formats):
            raise CellWrong(
                "two_date_styles", f"other dates in this file are written {shown(self.style)}"
            )
        styles = " or ".join(shown(form) for form in self.formats)
        raise CellWrong("formula" if is_formula(cell) else "not_a_date", f"not a date: {styles}")


def _day(cell: str, form: str) -> date | None:
    try:
        return datetime.strptime(cell, form).replace(tzinfo=UTC).date()
    except ValueError:
        return None


def shown(form: str) -> str:
    """A ``strptime`` style as people write it: ``%Y-%m-%d`` is YYYY-MM-DD."""
    words = {"%Y": "YYYY", "%m": "MM", "%d": "DD", "%y": "YY", "%b": "Jun", "%B": "June"}
    words |= {"%H": "hh", "%I": "hh", "%M": "mm", "%S": "ss", "%p": "AM"}
    for code, word in words.items():
        form = form.replace(code, word)
    return form


_CLOCK: Final = re.compile(
    r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(?:\s*([AaPp])\.?[Mm]\.?)?", re.ASCII
)


def clock(cell: str) -> time:
    """A time of the day: ``21:43``, ``21:43:10.5`` or ``9:43:10 PM``."""
    match = _CLOCK.fullmatch(cell)
    if match is None:
        code = "formula" if is_formula(cell) else "not_a_time"
        raise CellWrong(code, "not a time: hh:mm or hh:mm:ss, with AM or PM on a 12-hour clock")
    hour, minute, second = int(match[1]), int(match[2]), int(match[3] or 0)
    half = match[5]
    if half is not None:
        if not 1 <= hour <= 12:
            raise CellWrong("not_a_time", "with AM or PM, the hour is from 1 to 12")
        hour = hour % 12 + (12 if half in "pP" else 0)
    try:
        return time(hour, minute, second, int((match[4] or "").ljust(6, "0")))
    except ValueError:
        raise CellWrong("not_a_time", "there is no such time of day") from None


def choice(words: Mapping[str, object]) -> Reader:
    """One of the words that the profile lists, whatever its capitals."""
    known = {word.casefold(): value for word, value in words.items()}

    def read(cell: str) -> object:
        try:
            return known[cell.casefold()]
        except KeyError:
            code = "formula" if is_formula(cell) else "unknown_word"
            raise CellWrong(code, f"must be one of: {', '.join(words)}") from None

    return read


def yes_no(cell: str) -> bool:
    """Yes or no, as people write them."""
    word = cell.casefold()
    if word in ("yes", "y", "true", "x"):
        return True
    if word in ("no", "n", "false"):
        return False
    raise CellWrong("formula" if is_formula(cell) else "unknown_word", "must be yes or no")


def several(separator: str, read_part: Reader) -> Reader:
    """Several values in one cell."""

    def read(cell: str) -> tuple[object, ...]:
        return tuple(read_part(part.strip()) for part in cell.split(separator) if part.strip())

    return read
