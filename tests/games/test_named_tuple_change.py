"""Records of many values: a few changed, the others kept."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ledger.games.named_tuple_change import renewed, replace


class Three(NamedTuple):
    first: int = 1
    second: str = "two"
    third: tuple[int, ...] = ()


def test_replace_changes_what_is_named_as_a_named_tuple_does() -> None:
    held = Three()
    assert replace(held, first=9, third=(3,)) == held._replace(first=9, third=(3,))
    assert type(replace(held)) is Three
    assert held == Three()


def test_a_renewed_record_keeps_what_is_named_and_takes_the_changes() -> None:
    record = renewed(Three(5, "five", (5,)), ("first", "second"), second="2")
    assert record == Three(first=5, second="2")
    assert type(record) is Three


def test_a_value_that_the_record_has_not() -> None:
    with pytest.raises(KeyError):
        replace(Three(), fourth=4)
    with pytest.raises(KeyError):
        renewed(Three(), (), fourth=4)
    with pytest.raises(KeyError):
        renewed(Three(), ("fourth",))
