"""Our dataclasses are what the standard library makes of the same fields, made later."""

from __future__ import annotations

import dataclasses
import pickle
import subprocess
import sys
from dataclasses import field
from typing import Any, ClassVar

import pytest

from ledger.kernel.quick_dataclass import dataclass

WAYS = [
    {},
    {"frozen": True},
    {"kw_only": True},
    {"frozen": True, "kw_only": True},
    {"unsafe_hash": True},
]


class Fields:
    """The fields of one class, to be made into a dataclass in each way."""

    KIND: ClassVar[str] = "chip"
    color: str
    cents: int = 500
    marks: list[str] = field(default_factory=list)
    note: str = field(default="", compare=False, repr=False)
    rank: int = field(default=1, hash=False)
    worth: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "worth", self.cents * 2)


def made(options: dict[str, bool]) -> tuple[Any, Any]:
    """Our dataclass of these fields, and the standard library's."""
    bodies = [
        {
            name: part
            for name, part in vars(Fields).items()
            if name not in ("__dict__", "__weakref__")
        }
        for _ in range(2)
    ]
    ours, theirs = (type("Chip", (), {**body, "__qualname__": "Chip"}) for body in bodies)
    standard: Any = dataclasses.dataclass
    return dataclass(slots=True, **options)(ours), standard(slots=True, **options)(theirs)


@pytest.mark.parametrize("options", WAYS, ids=str)
def test_it_is_what_the_standard_library_makes(options: dict[str, bool]) -> None:
    ours, theirs = made(options)
    assert "__init__" in vars(ours)
    instances: list[dict[str, Any]] = [
        {"color": "red"},
        {"color": "blue", "cents": 5, "marks": ["a"], "note": "seen", "rank": 3},
    ]
    for values in instances:
        first, other = ours(**values), theirs(**values)
        assert repr(first) == repr(other)
        assert dataclasses.asdict(first) == dataclasses.asdict(other)
        assert (first == ours(**values), first == other) == (True, False)
        assert first == dataclasses.replace(first, note="another")
        assert first != dataclasses.replace(first, rank=9)
        assert not hasattr(first, "__dict__")
        hashes = []
        for each in (first, other):
            try:
                hashes.append(hash(dataclasses.replace(each, marks=("a",))))
            except TypeError as error:
                hashes.append(str(error))
        assert hashes[0] == hashes[1]
    assert ours(color="red").marks is not ours(color="red").marks
    for wrong in ((), ("red", 1, [], "", 1, 2)):
        for kind in (ours, theirs):
            with pytest.raises(TypeError):
                kind(*wrong)
    assert (ours.__match_args__, ours.__slots__) == (theirs.__match_args__, theirs.__slots__)
    for name in ("init", "repr", "eq", "order", "unsafe_hash", "frozen"):
        parameters = [getattr(kind.__dataclass_params__, name) for kind in (ours, theirs)]
        assert parameters[0] == parameters[1], name


def test_a_frozen_one_stays_as_it_is() -> None:
    ours, theirs = made({"frozen": True})
    for kind in (ours, theirs):
        chip = kind(color="red")
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'cents'"):
            chip.cents = 1
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'cents'"):
            del chip.cents


@dataclass(frozen=True, slots=True)
class Fixed:
    """One that pickle finds."""

    name: str
    at: int = 3


@dataclass(slots=True)
class Counter:
    """One that changes, and that pickle finds."""

    name: str
    at: int = 3


@pytest.mark.parametrize("kind", [Fixed, Counter])
def test_it_goes_between_processes(kind: Any) -> None:
    chip = kind("a", at=7)
    assert pickle.loads(pickle.dumps(chip)) == chip


def test_a_class_with_bases_or_methods_of_its_own_is_left_to_the_standard_library() -> None:
    @dataclass(frozen=True, slots=True)
    class Longer(Fixed):
        more: str = ""

    @dataclass(slots=True)
    class Named:
        name: str

        def __repr__(self) -> str:
            return "named"

    @dataclass(frozen=True, slots=True)
    class Kept:
        name: str

        def __setstate__(self, state: list[Any]) -> None:
            object.__setattr__(self, "name", "taken up")

    @dataclass(frozen=True, slots=True)
    class Single:
        name: float

    kept = Kept("a")
    kept.__setstate__([])
    assert kept.name == "taken up"
    number = float("nan")
    assert (Single(number) == Single(number), hash(Single(1.5))) == (True, hash((1.5,)))
    assert Longer("a", 1, "b") != Longer("a", 1, "c")
    assert (repr(Named("a")), Named("a") == Named("a")) == ("named", True)
    assert Longer.__eq__.__module__ == __name__


def test_nothing_is_compiled_before_the_first_instance() -> None:
    program = """
import builtins
from ledger.kernel.quick_dataclass import dataclass
compiled = []
real = builtins.exec
builtins.exec = lambda *words: (compiled.append(1), real(*words))
@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    color: str
    cents: int = 5
before = len(compiled)
Chip(color="red"); Chip(color="blue")
print(before, len(compiled))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0", "1"]


def test_fields_that_two_threads_ask_for_first_are_made_once() -> None:
    """The standard library takes defaults out of a class: a second time it would find none."""
    chip, _ = made({"frozen": True})
    late = vars(chip)["__dataclass_fields__"]
    first = late.__get__(None, chip)
    assert late.__get__(None, chip) is first
    assert chip(color="red").marks == []
