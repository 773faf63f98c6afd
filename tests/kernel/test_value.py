"""Values are made without a guard at run time: all else is as of a frozen dataclass."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import pytest

from ledger.kernel import value_type


@value_type
class Weight:
    """A value as the rulings are."""

    grams: int
    said: str = "by the scale"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """The same, guarded."""

    grams: int
    said: str = "by the scale"


def test_a_value_compares_hashes_and_is_replaced_as_a_frozen_dataclass_is() -> None:
    one, same, other = Weight(grams=5), Weight(grams=5), Weight(grams=6)
    assert one == same != other
    assert hash(one) == hash(same) == hash(Frozen(grams=5)) != hash(other)
    assert replace(one, grams=6) == other
    assert one.grams == 5
    assert repr(one) == repr(Frozen(grams=5)).replace("Frozen", "Weight")
    assert [each.name for each in fields(Weight)] == ["grams", "said"]


def test_a_value_has_its_fields_only_and_takes_them_by_name() -> None:
    with pytest.raises(AttributeError):
        Weight(grams=5).pounds = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        Weight(5)  # type: ignore[misc]
