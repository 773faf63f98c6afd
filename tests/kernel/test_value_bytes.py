"""Values come back from their bytes as they were, and damaged bytes give one error alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from fractions import Fraction
from struct import Struct
from typing import Any, Final, NamedTuple, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.games import BY_KEY
from ledger.kernel.value_bytes import (
    ValueFormat,
    ValueUnreadable,
    _field_names,
    _hints,
    declared_kinds,
)
from ledger.rounds.state_bytes import state_format


class Colour(Enum):
    """An enum of a value."""

    RED = "red"
    GREEN = 2


class Spot(NamedTuple):
    """A named tuple of a value."""

    name: str
    at: int


@dataclass(frozen=True)
class Fact:
    """A value that is pointed to where it stands twice."""

    stream: str
    colour: Colour | None = None


@dataclass
class Holder:
    """A value that changes."""

    facts: list[Fact] = field(default_factory=list)
    spots: Mapping[str, Spot] = field(default_factory=dict)
    inner: Holder | None = None
    anything: Any = None


class Elsewhere:
    """What is looked up again."""


KINDS: Final = ValueFormat(declared_kinds([Holder]), frozenset({Fact}))
PLAIN: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.binary(max_size=9)
    | st.dates()
    | st.fractions()
    | st.sampled_from(Colour)
    | st.builds(Spot, st.text(), st.integers())
    | st.builds(Fact, st.text(), st.none() | st.sampled_from(Colour)),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text() | st.integers(), inner, max_size=4)
        | st.builds(Holder, anything=inner)
    ),
    max_leaves=20,
)
SETS: Final = st.sets(st.integers() | st.text()) | st.frozensets(st.tuples(st.text(), st.dates()))


def test_the_kinds_are_those_that_fields_declare() -> None:
    assert declared_kinds([Holder]) == {Holder, Fact, Spot, Colour}
    assert declared_kinds([Holder], frozenset({Fact})) == {Holder, Spot}


@given(PLAIN | SETS)
def test_a_value_comes_back_with_its_types(value: Any) -> None:
    stored = KINDS.write(value)
    back = KINDS.read(stored)
    assert back == value
    assert repr(back) == repr(value) or isinstance(value, set | frozenset)
    assert KINDS.write(back) == stored


@given(st.permutations("abcdefgh"))
def test_a_set_has_one_form(names: list[str]) -> None:
    other: set[str] = set()
    for name in names:
        other.add(name)
    assert KINDS.write(other) == KINDS.write(set("abcdefgh"))


def test_what_can_change_is_shared_as_it_was() -> None:
    shared = Holder([Fact("a")])
    shared.inner = shared
    first, second = KINDS.read(KINDS.write([shared, shared]))
    assert first is second is first.inner


def test_facts_are_shared_by_what_they_say() -> None:
    apart = [Fact("a"), Fact("a"), Fact("b")]
    assert KINDS.write(apart) == KINDS.write([apart[0], apart[0], apart[2]])
    first, second, other = KINDS.read(KINDS.write(apart))
    assert first is second == apart[0]
    assert other == apart[2]


def test_what_is_kept_of_facts_written_before_changes_no_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    facts = [Fact("a"), Fact("b", Colour.RED), Fact("b", Colour.RED), Fact("c")]
    both = [Holder(facts[:2]), Holder([*facts[1:], facts[0]])]

    def fresh() -> ValueFormat:
        return ValueFormat(declared_kinds([Holder]), frozenset({Fact}))

    whole, alone = fresh().write(both), fresh().write(facts[3])
    kept = fresh()
    assert [kept.write(facts[3]), kept.write(both), kept.write(both)] == [alone, whole, whole]
    monkeypatch.setattr("ledger.kernel.value_bytes.SHARED_KEPT", 1)
    kept = fresh()
    assert [kept.write(facts[3]), kept.write(both), kept.write(both)] == [alone, whole, whole]
    assert len(kept._written) <= 1


def test_a_shared_value_holds_plain_values_alone() -> None:
    kinds = ValueFormat(declared_kinds([Holder]), frozenset({Fact, Spot}))
    with pytest.raises(ValueUnreadable, match="A shared Fact holds another one"):
        kinds.write(Fact(Spot("a", 1)))  # type: ignore[arg-type]


def test_what_is_looked_up_again_is_a_reference() -> None:
    there = Elsewhere()
    stored = KINDS.write(Holder(anything=there), lambda part: ("there", 7))
    assert KINDS.read(stored, lambda reference: (there, reference)).anything == (
        there,
        ("there", 7),
    )


@pytest.mark.parametrize("value", [1.5, object(), print, Elsewhere, Elsewhere(), [Holder, 3j]])
def test_anything_else_is_never_written(value: object) -> None:
    with pytest.raises(ValueUnreadable):
        KINDS.write(value)


def test_a_field_of_another_type_is_refused() -> None:
    stored = KINDS.write(Spot("here", 3))
    with pytest.raises(ValueUnreadable, match="at is a str"):
        KINDS.read(stored[:-4] + KINDS.write("3"))
    wrong = KINDS.write(Holder(facts=[])).replace(KINDS.write([]), KINDS.write(()), 1)
    with pytest.raises(ValueUnreadable, match="facts is a tuple"):
        KINDS.read(wrong)


SAMPLE: Final = KINDS.write(
    [
        Holder([Fact("a", Colour.RED), Fact("a")], {"x": Spot("x", -(2**70))}),
        *({1, "2"}, date.max, Fraction(1, 3), frozenset({b"4"}), (True, None)),
        {"k": [Holder(), 5]},
    ]
)


def test_a_cut_or_a_byte_too_many_is_refused() -> None:
    for size in range(len(SAMPLE)):
        with pytest.raises(ValueUnreadable):
            KINDS.read(SAMPLE[:size])
    with pytest.raises(ValueUnreadable, match="go on after"):
        KINDS.read(SAMPLE + b"n")


def test_each_changed_byte_is_refused_or_is_another_value() -> None:
    for place in range(len(SAMPLE)):
        for bit in range(8):
            changed = bytearray(SAMPLE)
            changed[place] ^= 1 << bit
            try:
                KINDS.read(bytes(changed))
            except ValueUnreadable:
                continue


@given(st.binary(max_size=60))
def test_other_bytes_give_no_other_error(stored: bytes) -> None:
    try:
        KINDS.read(stored)
    except ValueUnreadable:
        return


def test_the_first_fields_of_a_record_are_read_alone() -> None:
    facts = [Fact("a", Colour.RED), Fact("a")]
    stored = KINDS.write(Holder(facts, {"x": Spot("x", 1)}, anything="later"))
    assert KINDS.read_first(stored, Holder, 2) == [facts, {"x": Spot("x", 1)}]
    own = len(KINDS.write(facts)) + 3  # after the mark of a record and its number
    assert KINDS.read_first(stored[:own] + b"?", Holder, 1) == [facts]
    for wrong, kind in ((stored[: own - 1], Holder), (stored, Fact), (b"", Holder)):
        with pytest.raises(ValueUnreadable):
            KINDS.read_first(wrong, kind, 1)


def test_what_lies_too_deep_is_refused() -> None:
    with pytest.raises(ValueUnreadable, match="too deep"):
        KINDS.read(b"[\x00\x00\x00\x01" * 5000 + b"n")


def test_further_numbers_are_written_by_the_layout_that_is_named() -> None:
    packed = ValueFormat((), packed={float: Struct(">d")})
    for number in (1.5, -0.0, 1e300):
        assert packed.read(packed.write([number, 2])) == [number, 2]
    with pytest.raises(ValueUnreadable):
        packed.read(packed.write(1.5)[:-1])
    with pytest.raises(ValueUnreadable):
        ValueFormat(()).read(packed.write(1.5))


def test_the_declared_types_of_a_play_are_those_that_typing_reads() -> None:
    """Annotations are compiled once for each text of a module, not once for each class."""
    kinds = [kind for kind in state_format(tuple(BY_KEY)).kinds if not issubclass(kind, Enum)]
    assert len(kinds) > 200
    for kind in kinds:
        names = _field_names(kind)
        ours, theirs = _hints(kind), get_type_hints(kind)
        assert [ours[name] for name in names] == [theirs[name] for name in names], kind
