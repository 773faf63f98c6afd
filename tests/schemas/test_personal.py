"""Every string of every schema is declared personal or not personal."""

from __future__ import annotations

import pytest

from ledger.codec import PersonalKind, registry
from ledger.codec.personal import TABLE, declared_strings, undeclared_strings
from ledger.codec.registry import schemas_folder
from ledger.replay import names_person


def test_every_string_of_every_schema_is_declared() -> None:
    """Whoever publishes a schema adds its lines to schemas/personal.tsv; these are missing."""
    assert undeclared_strings() == []


def test_no_line_stands_twice() -> None:
    lines = schemas_folder().joinpath(TABLE).read_text(encoding="utf-8").splitlines()
    keys = [tuple(line.split("\t")[:2]) for line in lines if not line.startswith("#")]
    assert len(keys) == len(set(keys))


def test_whoever_acts_is_personal() -> None:
    """What the rules take for a person's credential is never left in clear."""
    declared = declared_strings()
    for (event, path), kind in declared.items():
        name = path.rpartition(".")[2].removesuffix("[]")
        if names_person(name) or name in ("patron", "printed_name"):
            assert kind is not None, (event, path)


def test_only_an_amendment_holds_an_event() -> None:
    """A sealed entry is read by this: a line that says "event" must never change."""
    events = {key for key, kind in declared_strings().items() if kind is PersonalKind.EVENT}
    assert events == {("FactAmended", "replacement")}


@pytest.mark.parametrize("path", ["stream", "source"])
def test_what_the_order_of_facts_hangs_on_is_not_sealed(path: str) -> None:
    assert declared_strings()["*", path] is None
    assert not [key for key in declared_strings() if key[1] == path and key[0] != "*"]
    assert len(list(registry())) > 200
