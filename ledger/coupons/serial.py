"""Which coupon is meant: a serial number however it is written, and ranges of them.

A series says what stands before the number and how many digits it has (``CouponSeriesDescribed``).
People and scanners write the same number in several ways, ``M25-0041877``, ``m25 41877``,
``M250041877``: capitals, blanks, hyphens, dots, slashes and leading zeros make no difference.

Law: 58 Pa. Code § 525.21(c)(3), (c)(5), (f)(3), (h)(1), (j)(2), (l)(2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ledger.events import CouponRange, CouponSeriesDescribed
from ledger.kernel import UsageError, dollars, visible
from ledger.kernel.quick_dataclass import dataclass

LONGEST: Final = 64
"""How many characters a serial number may have; a longer text is not read."""
_BETWEEN: Final = re.compile(r"[\s\-\u2010-\u2015\u2212_./]+")
_DIGITS: Final = re.compile(r"[0-9]+")


class SerialUnreadable(UsageError):
    """A text fits none of the series described."""

    code = "serial_unreadable"


class SerialAmbiguous(UsageError):
    """A text can be read as two numbers, of two series."""

    code = "serial_ambiguous"


class RangeBackwards(UsageError):
    """The last serial number comes before the first."""

    code = "range_backwards"


class RangeOfTwoForms(UsageError):
    """First and last serial number are not of the same form."""

    code = "range_of_two_forms"


class DenominationDiffers(UsageError):
    """The serial numbers have another denomination than stated."""

    code = "denomination_differs"


class Serial(NamedTuple):
    """One serial number; sorted by what precedes the number, then by the number.

    >>> str(Serial("M25-", 7, 41877))
    'M25-0041877'
    """

    prefix: str
    digits: int
    number: int

    def __str__(self) -> str:
        return f"{self.prefix}{self.number:0{self.digits}d}"


class SerialRange(NamedTuple):
    """Serial numbers from ``first`` to ``last`` (included), of one form.

    >>> lot = SerialRange("M25-", 7, 1, 100)
    >>> str(lot), lot.quantity
    ('M25-0000001 to M25-0000100', 100)
    >>> [str(rest) for rest in lot.without(SerialRange("M25-", 7, 41, 50))]
    ['M25-0000001 to M25-0000040', 'M25-0000051 to M25-0000100']
    """

    prefix: str
    digits: int
    first: int
    last: int

    @classmethod
    def between(cls, first: Serial, last: Serial) -> SerialRange:
        """Return the range from one serial number to another.

        Raises:
            RangeOfTwoForms: they are not of the same form.
            RangeBackwards: the last comes before the first.
        """
        if first[:2] != last[:2]:
            raise RangeOfTwoForms(f"{first} and {last} are serial numbers of two forms.")
        if last.number < first.number:
            raise RangeBackwards(
                f"The range {first} to {last} runs backwards.",
                next_step="put the lower serial number first",
            )
        return cls(first.prefix, first.digits, first.number, last.number)

    @property
    def quantity(self) -> int:
        """How many serial numbers it has."""
        return self.last - self.first + 1

    def __str__(self) -> str:
        first, last = (str(Serial(self.prefix, self.digits, at)) for at in (self.first, self.last))
        return first if self.quantity == 1 else f"{first} to {last}"

    def holds(self, serial: Serial) -> bool:
        """Whether a serial number is in it."""
        return serial[:2] == self[:2] and self.first <= serial.number <= self.last

    def shared_with(self, other: SerialRange) -> SerialRange | None:
        """Return the serial numbers that are in both, None if there are none."""
        prefix, digits, begins, ends = self
        first, last = max(begins, other.first), min(ends, other.last)
        if first > last or self[:2] != other[:2]:
            return None
        return SerialRange(prefix, digits, first, last)

    def without(self, other: SerialRange) -> tuple[SerialRange, ...]:
        """Return what remains without those of another range: none, one or two ranges."""
        shared = self.shared_with(other)
        if shared is None:
            return (self,)
        before = self._replace(last=shared.first - 1)
        after = self._replace(first=shared.last + 1)
        return tuple(one for one in (before, after) if one.quantity > 0)

    def serials(self) -> Iterator[Serial]:
        """Yield each serial number, in order."""
        return (
            Serial(self.prefix, self.digits, number) for number in range(self.first, self.last + 1)
        )


def joined(ranges: Iterable[SerialRange]) -> tuple[SerialRange, ...]:
    """Return the same serial numbers in as few ranges as possible, in order; each number once."""
    folded: list[SerialRange] = []
    form: tuple[str, int] | None = None
    reached = 0
    for range_ in sorted(ranges):
        prefix, digits, first, last = range_
        if form is not None and first <= reached + 1 and form == (prefix, digits):
            if last > reached:
                folded[-1] = folded[-1]._replace(last=last)
                reached = last
        else:
            folded.append(range_)
            form, reached = (prefix, digits), last
    return tuple(folded)


def are_apart(ranges: Sequence[SerialRange]) -> bool:
    """Whether all are of one form and each begins after the one before it ends.

    >>> lot = SerialRange("M25-", 7, 3, 8)
    >>> are_apart([lot, SerialRange("M25-", 7, 9, 9)]), are_apart([lot, lot])
    (True, False)
    """
    if not ranges:
        return False
    form, digits, reached, _ = ranges[0]
    reached -= 1
    for prefix, length, first, last in ranges:
        if first <= reached or prefix != form or length != digits:
            return False
        reached = last
    return True


def less(ranges: Iterable[SerialRange], gone: Iterable[SerialRange]) -> list[SerialRange]:
    """Return the serial numbers that are in the first and not in the second, in order."""
    taken = joined(gone)
    folded: list[SerialRange] = []
    place = 0
    for range_ in sorted(ranges):
        while place < len(taken) and _before(taken[place], range_):
            place += 1
        rest, further = range_, place
        while further < len(taken) and (cut := taken[further]).shared_with(rest) is not None:
            pieces = rest.without(cut)
            folded += [piece for piece in pieces if piece.first < cut.first]
            after = [piece for piece in pieces if piece.first > cut.last]
            if not after:
                break
            rest, further = after[0], further + 1
        else:
            folded.append(rest)
    return folded


def _before(earlier: SerialRange, other: SerialRange) -> bool:
    """Whether a range ends before another begins."""
    return (earlier.prefix, earlier.digits, earlier.last) < (
        other.prefix,
        other.digits,
        other.first,
    )


def overlaps(ranges: Iterable[SerialRange]) -> tuple[SerialRange, ...]:
    """Return the serial numbers that are in more than one of the ranges, in order."""
    twice: list[SerialRange] = []
    reach: SerialRange | None = None
    rising = sorted(ranges)
    if are_apart(rising):
        return ()
    for range_ in rising:
        shared = reach.shared_with(range_) if reach else None
        if shared is not None:
            twice.append(shared)
        if reach is None or reach[:2] != range_[:2] or range_.last > reach.last:
            reach = range_
    return joined(twice)


@dataclass(frozen=True, slots=True)
class SerialForm:
    """One way of writing serial numbers, without what people leave out."""

    prefix: str
    bare: str
    digits: int


class SerialForms:
    """Reads serial numbers by the series described so far, and knows the series of each."""

    def __init__(self, described: Iterable[CouponSeriesDescribed] = ()) -> None:
        self._forms: dict[tuple[str, int], SerialForm] = {}
        self._series: dict[tuple[str, int], list[CouponSeriesDescribed]] = {}
        self._spans: dict[str, SerialRange] = {}
        self._lengths: dict[int, list[tuple[str, int]]] = {}
        for fact in described:
            self.add(fact)

    def add(self, fact: CouponSeriesDescribed) -> None:
        """Add a series; the last description of a series counts."""
        key = (fact.prefix, fact.digits)
        bare = _BETWEEN.sub("", fact.prefix).upper()
        if key not in self._forms:
            self._forms[key] = SerialForm(fact.prefix, bare, fact.digits)
            if fact.digits > 0 and len(fact.prefix) + fact.digits <= LONGEST:
                self._lengths.setdefault(len(fact.prefix) + fact.digits, []).append(key)
        for described in self._series.values():
            described[:] = [one for one in described if one.series != fact.series]
        self._series.setdefault(key, []).append(fact)
        self._spans[fact.series] = _span(fact)

    def read(self, text: str) -> Serial:
        """Return the serial number that a text means.

        A text that is written in full goes before one with parts left out.

        Raises:
            SerialUnreadable: no series has such a number, or the text is longer than ``LONGEST``.
            SerialAmbiguous: series of two forms have one.
        """
        in_full = self._in_full(text)
        if in_full is not None:  # as nearly every one is written
            return in_full
        if len(text) > LONGEST:
            raise SerialUnreadable(f"A serial number has at most {LONGEST} characters.")
        readings = list(self._readings(_BETWEEN.sub("", text).upper()))
        exact = [serial for serial in readings if str(serial) == text.strip()]
        whole = [serial for serial in readings if self._is_whole(serial, text)]
        for choice in (exact, whole, readings):
            if len(choice) == 1:
                return choice[0]
        if readings:
            both = " or ".join(str(one) for one in readings)
            raise SerialAmbiguous(
                f"Serial {visible(text)} can be read as {both}.", next_step="write it in full"
            )
        raise SerialUnreadable(
            f"Serial {visible(text)} matches no series received.",
            cause="a slip of the pen, a series not described, or a coupon that is not genuine",
        )

    def read_range(
        self, first: str, last: str, denomination_cents: int | None = None
    ) -> SerialRange:
        """Return the range between two serial numbers as written.

        Args:
            first: the first serial number.
            last: the last one, included.
            denomination_cents: the stated denomination to check; None: it is not checked.

        Raises:
            SerialUnreadable, SerialAmbiguous: as ``read``.
            RangeOfTwoForms, RangeBackwards: as ``SerialRange.between``.
            DenominationDiffers: a series in the range has another denomination than stated.
        """
        begins = self._in_full(first) or self.read(first)
        if last == first:
            prefix, digits, number = begins
            between = tuple.__new__(SerialRange, (prefix, digits, number, number))
        else:
            between = SerialRange.between(begins, self.read(last))
        if denomination_cents is not None and not self._all_worth(denomination_cents, between):
            other = {one.denomination_cents for one in self.series_in(between)}
            other -= {denomination_cents}
            if other:
                noun, verb = ("coupon", "was") if between.quantity == 1 else ("coupons", "were")
                raise DenominationDiffers(
                    f"{dollars(min(other))} {noun} {between} {verb} stated as"
                    f" {dollars(denomination_cents)}."
                )
        return between

    def read_each(self, stated: Sequence[CouponRange]) -> list[SerialRange | None]:
        """Return each range as ``read_range`` does with its denomination, all of them at once.

        None for each that needs a closer look: one of more than a coupon, not written in full, of
        several series, or of another denomination than stated.
        """
        example = next((one.first for one in stated if one.first is not None), "")
        forms = self._lengths.get(len(example), [])
        described = self._series.get(forms[0], []) if len(forms) == 1 else []
        if len(described) != 1:
            return [None] * len(stated)
        (prefix, digits), worth = forms[0], (described[0].denomination_cents, None)
        length, start = len(example), len(prefix)
        readable: list[SerialRange | None] = []
        for coupon in stated:
            text, read = coupon.first, None
            if text is not None and text == coupon.last and len(text) == length:
                figures = text[start:]
                if (
                    figures.isdecimal() and figures.isascii() and text.startswith(prefix)
                    and coupon.denomination_cents in worth
                ):  # fmt: skip
                    number = int(figures)
                    read = tuple.__new__(SerialRange, (prefix, digits, number, number))
            readable.append(read)
        return readable

    def _all_worth(self, cents: int, wanted: SerialRange) -> bool:
        """Whether the one series of this form has a denomination; False also where it has more."""
        described = self._series.get(wanted[:2], ())
        return len(described) == 1 and described[0].denomination_cents == cents

    def series_of(self, serial: Serial) -> CouponSeriesDescribed | None:
        """Return the series of a serial number, None if none has it."""
        prefix, digits, number = serial
        for described in self._series.get((prefix, digits), ()):
            _, _, first, last = self._spans[described.series]
            if first <= number <= last:
                return described
        return None

    def series_in(self, wanted: SerialRange) -> tuple[CouponSeriesDescribed, ...]:
        """Return every series that has a serial number in a range."""
        prefix, digits, first, last = wanted
        spans = [(one, self._spans[one.series]) for one in self._series.get((prefix, digits), ())]
        return tuple(one for one, span in spans if span.first <= last and first <= span.last)

    def described(self) -> tuple[CouponSeriesDescribed, ...]:
        """Return every series, as described last."""
        return tuple(one for held in self._series.values() for one in held)

    def spans(self) -> dict[str, SerialRange]:
        """Return all serial numbers of each series, by its name."""
        return dict(self._spans)

    def parts_of(
        self, wanted: SerialRange
    ) -> tuple[tuple[CouponSeriesDescribed | None, SerialRange], ...]:
        """Return a range cut by series, in order; numbers of no series have None."""
        described = self._series.get((wanted.prefix, wanted.digits), ())
        if len(described) == 1:
            span = self._spans[described[0].series]
            if span.first <= wanted.first and wanted.last <= span.last:
                return ((described[0], wanted),)
        rest: list[SerialRange] = [wanted]
        parts: list[tuple[CouponSeriesDescribed | None, SerialRange]] = []
        for series in described:
            span = self._spans[series.series]
            shared = [both for piece in rest if (both := piece.shared_with(span)) is not None]
            parts.extend((series, piece) for piece in shared)
            rest = [left for piece in rest for left in piece.without(span)]
        parts.extend((None, piece) for piece in rest)
        return tuple(sorted(parts, key=lambda part: part[1]))

    def _in_full(self, text: str) -> Serial | None:
        """Return the one serial number that is written so to the letter; None without just one.

        Built directly as a tuple, because every coupon of every fact is read so.
        """
        serial = None
        for prefix, digits in self._lengths.get(len(text), ()):
            number = text[-digits:]
            if number.isdecimal() and number.isascii() and text.startswith(prefix):
                if serial is not None:
                    return None
                serial = tuple.__new__(Serial, (prefix, digits, int(number)))
        return serial

    def quantities(
        self, ranges: Sequence[SerialRange]
    ) -> list[tuple[CouponSeriesDescribed | None, int]]:
        """Return how many coupons of which series some ranges have; a series may come again."""
        if are_apart(ranges):
            parts = self.parts_of(ranges[0]._replace(last=ranges[-1].last))
            if len(parts) == 1:  # as in nearly every box
                return [(parts[0][0], sum(last - first + 1 for _, _, first, last in ranges))]
        return [
            (series, part.quantity) for wanted in ranges for series, part in self.parts_of(wanted)
        ]

    def _readings(self, bare: str) -> Iterator[Serial]:
        for form in self._forms.values():
            rest = bare[len(form.bare) :]
            fits = bare.startswith(form.bare) and len(rest) <= form.digits
            if fits and _DIGITS.fullmatch(rest):
                yield Serial(form.prefix, form.digits, int(rest))

    def _is_whole(self, serial: Serial, text: str) -> bool:
        """Whether the text has every digit of the number, with leading zeros."""
        return _BETWEEN.sub("", str(serial)).upper() == _BETWEEN.sub("", text).upper()


def _number_at_end(text: str | None, fact: CouponSeriesDescribed) -> int | None:
    bare, prefix = (_BETWEEN.sub("", one or "").upper() for one in (text, fact.prefix))
    rest = bare[len(prefix) :]
    fits = bare.startswith(prefix) and _DIGITS.fullmatch(rest) is not None
    return int(rest) if fits else None


def _span(fact: CouponSeriesDescribed) -> SerialRange:
    """Return all serial numbers of a series; an end that it misstates is left open."""
    ends = [_number_at_end(text, fact) for text in (fact.first, fact.last)]
    first, last = ends[0], ends[1]
    top = 10**fact.digits - 1
    return SerialRange(
        fact.prefix, fact.digits, 0 if first is None else first, top if last is None else last
    )
