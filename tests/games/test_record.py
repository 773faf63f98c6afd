"""Records of many values: a few changed, the others kept."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ledger.games.record import replace, setter


class Three(NamedTuple):
    first: int = 1
    second: str = "two"
    third: tuple[int, ...] = ()


def test_replace_changes_what_is_named_as_a_named_tuple_does() -> None:
    held = Three()
    assert replace(held, first=9, third=(3,)) == held._replace(first=9, third=(3,))
    assert type(replace(held)) is Three
    assert held == Three()


def test_a_setter_changes_one_value() -> None:
    held = Three()
    changed = setter(Three, "second")(held, "2")
    assert changed == held._replace(second="2")
    assert type(changed) is Three
    assert held == Three()


def test_a_value_that_the_record_has_not() -> None:
    with pytest.raises(KeyError):
        replace(Three(), fourth=4)
    with pytest.raises(KeyError):
        setter(Three, "fourth")
