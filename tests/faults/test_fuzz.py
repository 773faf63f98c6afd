"""Every input that the fuzzer kept, without the fuzzer; and that the targets see what is broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.log import entry as entries
from ledger.log import merkle
from tests.faults.fuzz import targets
from tests.faults.fuzz.corpus import kept_inputs
from tests.faults.fuzz.targets import TARGETS


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", TARGETS)
def test_kept_inputs_break_no_promise(name: str) -> None:
    target = TARGETS[name]
    kept = kept_inputs(name)
    assert kept, "the corpus is kept in the tree"
    for raw in [*target.seeds(), *kept]:
        target.run(raw)


def lenient(read: Callable[..., Any]) -> Callable[..., Any]:
    """A reader that forgets to look for what follows."""
    return lambda raw: read(raw[:-1]) if raw.endswith(b"\xff") else read(raw)


@pytest.mark.parametrize(
    ("name", "place", "attribute", "spoilt"),
    [
        ("fact", targets, "decode", b"\xff"),
        ("entry", entries, "decode", b"\xff"),
    ],
)
def test_a_target_sees_a_reader_that_takes_too_much(
    name: str, place: Any, attribute: str, spoilt: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, attribute, lenient(getattr(place, attribute)))
    seed = next(TARGETS[name].seeds())
    with pytest.raises(AssertionError):
        TARGETS[name].run(seed + spoilt)


def test_the_target_of_proofs_sees_a_sibling_on_the_wrong_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = merkle.node_hash
    monkeypatch.setattr(merkle, "node_hash", lambda left, second: right(second, left))
    with pytest.raises(AssertionError):
        targets.proof(bytes([1, 4]) + bytes(range(64)))


def test_a_target_lets_no_other_error_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def confused(_: bytes) -> None:
        raise KeyError

    monkeypatch.setattr(targets, "validate", confused)
    with pytest.raises(KeyError):
        TARGETS["fact"].run(b"")
