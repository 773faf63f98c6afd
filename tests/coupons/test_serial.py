"""Serial numbers of coupons: one number however it is written, ranges, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.coupons import (
    DenominationDiffers,
    RangeBackwards,
    RangeOfTwoForms,
    Serial,
    SerialAmbiguous,
    SerialForms,
    SerialRange,
    SerialUnreadable,
    joined,
    overlaps,
)
from ledger.events import CouponSeriesDescribed


def series(
    name: str,
    prefix: str,
    cents: int,
    digits: int = 7,
    first: str | None = None,
    last: str | None = None,
) -> CouponSeriesDescribed:
    return CouponSeriesDescribed(
        stream="coupons", seq=1, event_time=0, source="F-1", recorded_by=None, series=name,
        design=None, denomination_cents=cents, prefix=prefix, digits=digits, first=first, last=last,
        expires=None, games=None, wagers=None, pays=None, elements=None,
    )  # fmt: skip


FORMS = SerialForms([series("25", "M25-", 2500), series("5", "M05-", 500)])


def run(first: int, last: int, prefix: str = "M25-") -> SerialRange:
    return SerialRange(prefix, 7, first, last)


@pytest.mark.parametrize(
    "text",
    ["M25-0041877", "m25-0041877", " M25 0041877 ", "M250041877", "M25-41877", "M25–0041877", "M25.00/41877"],
)  # fmt: skip
def test_a_number_is_the_same_however_it_is_written(text: str) -> None:
    assert FORMS.read(text) == Serial("M25-", 7, 41877)
    assert str(FORMS.read(text)) == "M25-0041877"


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "text", ["", "M25-", "0041877", "X25-0041877", "M25-00418770", "M25-41B77", "M25-٤١٨٧٧", "M25-+1", "1" * 65]
)  # fmt: skip
def test_what_no_series_has_is_refused(text: str) -> None:
    with pytest.raises(SerialUnreadable):
        FORMS.read(text)


def test_two_series_that_could_both_be_meant_are_not_guessed() -> None:
    forms = SerialForms([series("a", "M", 500, digits=9), series("b", "M25", 2500)])
    for text in ("M25 41877", "M250041877"):
        with pytest.raises(SerialAmbiguous, match="in full"):
            forms.read(text)
    assert forms.read("M000041877") == Serial("M", 9, 41877)


def test_a_number_in_full_is_read_as_it_stands() -> None:
    forms = SerialForms([series("a", "M-", 500, digits=9), series("b", "M25-", 2500)])
    assert forms.read("M25-0041877") == Serial("M25-", 7, 41877)
    assert forms.read("M-250041877") == Serial("M-", 9, 250041877)


@pytest.mark.parametrize(
    ("first", "last", "refusal"),
    [
        ("M25-0000002", "M25-0000001", RangeBackwards),
        ("M25-0000001", "M05-0000002", RangeOfTwoForms),
        ("M05-0000001", "M05-0000002", DenominationDiffers),
        ("M25-0000001", "M26-0000002", SerialUnreadable),
    ],
)
def test_a_range_that_cannot_be_is_refused(first: str, last: str, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        FORMS.read_range(first, last, 2500)


def test_a_range_of_one_is_a_range() -> None:
    found = FORMS.read_range("M25-0000007", "M25-7", 2500)
    assert (found.quantity, str(found)) == (1, "M25-0000007")
    assert str(run(1, 2)) == "M25-0000001 to M25-0000002"


def test_series_of_one_form_are_told_apart_by_their_numbers() -> None:
    forms = SerialForms([
        series("june", "M25-", 2500, last="M25-0000099"),
        series("july", "M25-", 2500, first="M25-0000100"),
    ])  # fmt: skip
    named = [forms.series_of(Serial("M25-", 7, number)) for number in (99, 100)]
    assert [one.series for one in named if one] == ["june", "july"]
    assert [one.series for one in forms.series_in(run(99, 100))] == ["june", "july"]
    forms.add(series("july", "M25-", 2500, first="M25-0000200"))
    assert forms.series_of(Serial("M25-", 7, 100)) is None


NUMBERS = st.integers(0, 30)
RUNS = st.tuples(NUMBERS, NUMBERS, st.sampled_from(["M25-", "M05-"])).map(
    lambda one: run(min(one[:2]), max(one[:2]), one[2])
)


@given(st.lists(RUNS, max_size=8))
def test_joined_ranges_hold_the_same_numbers_once(ranges: list[SerialRange]) -> None:
    numbers = [serial for one in ranges for serial in one.serials()]
    found = [serial for one in joined(ranges) for serial in one.serials()]
    assert found == sorted(set(numbers))
    twice = [serial for one in overlaps(ranges) for serial in one.serials()]
    assert twice == sorted({serial for serial in numbers if numbers.count(serial) > 1})


@given(RUNS, RUNS)
def test_shared_and_remaining_numbers_are_all_numbers(one: SerialRange, other: SerialRange) -> None:
    shared = one.shared_with(other)
    inside = set(shared.serials()) if shared else set()
    outside = {serial for rest in one.without(other) for serial in rest.serials()}
    assert inside == set(one.serials()) & set(other.serials())
    assert (outside | inside, outside & inside) == (set(one.serials()), set())
    assert all(other.holds(serial) for serial in inside)
