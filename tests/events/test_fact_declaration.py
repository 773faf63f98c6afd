"""Facts behave as frozen dataclasses with slots, though their methods are shared and lazy."""

from __future__ import annotations

import dataclasses
import pickle
import subprocess
import sys
from typing import Any

import pytest

from ledger.codec import from_plain, registry, sample_of
from ledger.events import EVENTS
from ledger.events.fact_declaration import Header, declared
from ledger.events.wheel import SpinCalled

CALLED = SpinCalled(
    stream="DC-01/wheel", seq=7, event_time=1, source="T", recorded_by=None, result="5",
    called_by="D-1",
)  # fmt: skip


def samples() -> list[Any]:
    facts = (sample_of(schema) for schema in registry())
    return [from_plain(fact) for fact in facts if fact is not None]


@pytest.mark.row_by_row
@pytest.mark.parametrize("fact", samples(), ids=lambda fact: type(fact).__name__)
def test_a_fact_is_what_the_standard_library_makes_of_its_fields(fact: Any) -> None:
    kind = type(fact)
    fields = [(field.name, field.type) for field in dataclasses.fields(fact)]
    plain: Any = dataclasses.make_dataclass(kind.__name__, fields, frozen=True, kw_only=True)
    values = {name: getattr(fact, name) for name, _ in fields}
    assert repr(fact) == repr(plain(**values))
    again = kind(**values)
    assert fact == again
    assert hash(fact) == hash(again) == hash(plain(**values))
    assert pickle.loads(pickle.dumps(fact)) == fact
    for name in values:
        changed = dataclasses.replace(fact, **{name: object()})
        assert changed != fact
        assert dataclasses.replace(changed, **{name: values[name]}) == fact
    assert kind.__dataclass_params__.frozen
    assert not hasattr(fact, "__dict__")


def test_every_fact_begins_with_the_header() -> None:
    header = [field.name for field in dataclasses.fields(Header)]
    for kind in EVENTS.values():
        assert issubclass(kind, Header)
        assert [field.name for field in dataclasses.fields(kind)][: len(header)] == header


def test_every_event_is_declared_so() -> None:
    assert {kind.__hash__.__module__ for kind in EVENTS.values()} == {
        "ledger.kernel.quick_dataclass"
    }


def test_facts_of_two_kinds_are_never_equal() -> None:
    @declared
    class Alike:
        result: str

    @declared
    class AlikeToo:
        result: str

    assert Alike(result="5") != AlikeToo(result="5")
    assert Alike(result="5") == Alike(result="5")


def test_a_fact_never_changes() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'seq'"):
        CALLED.seq = 8  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'seq'"):
        del CALLED.seq
    with pytest.raises(dataclasses.FrozenInstanceError):
        CALLED.more = 8  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("positional", "values", "says"),
    [
        ((), {"stream": "DC-01"}, "missing 6 required keyword-only arguments"),
        (("DC-01",), {}, "takes 1 positional argument"),
        ((), {"more": 1}, "unexpected keyword argument 'more'"),
    ],
)
def test_a_fact_takes_all_its_fields_and_no_others(
    positional: tuple[str, ...], values: dict[str, Any], says: str
) -> None:
    kind: Any = SpinCalled
    with pytest.raises(TypeError, match=says):
        kind(*positional, **values)


def test_a_field_has_no_default() -> None:
    with pytest.raises(TypeError, match="has no default"):

        @declared
        class WithDefault:
            result: str | None = None


def test_importing_the_events_compiles_no_method() -> None:
    """Compiling six methods for each of 246 classes was two thirds of a command's start."""
    program = (
        "import builtins, sys\n"
        "plain, compiled = exec, []\n"
        "def counted(source, *scopes):\n"
        "    compiled.append(source) if isinstance(source, str) else None\n"
        "    return plain(source, *scopes)\n"
        "builtins.exec = counted\n"
        "import ledger.events\n"
        "sys.exit(bool(compiled))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == 0
