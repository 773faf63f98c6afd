"""The samples: what must be taken is taken, what must be refused is refused for the reason named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.codec import Fault, NotAFact, decode, frame, from_plain, from_text, registry, to_plain

SAMPLES = Path(__file__).parents[2] / "schemas" / "samples"
PASS = sorted(SAMPLES.glob("*.pass.json"))
FAIL = sorted(SAMPLES.glob("*.fail.json"))


def read(path: Path) -> Any:
    return json.loads(path.read_bytes())


@pytest.mark.row_by_row
@pytest.mark.parametrize("path", PASS, ids=lambda path: path.name)
def test_a_passing_sample_is_taken(path: Path) -> None:
    sample = read(path)
    name, version, *_ = path.name.split(".")
    assert (sample["event"], sample["version"]) == (name, int(version))
    fact = from_plain(sample)
    assert decode(frame(fact)) == fact
    if registry().by_name(name).version == int(version):
        assert to_plain(fact) == sample
        assert list(to_plain(fact)) == list(sample)


@pytest.mark.row_by_row
@pytest.mark.parametrize("path", FAIL, ids=lambda path: path.name)
def test_a_failing_sample_is_refused_as_it_says(path: Path) -> None:
    sample = read(path)
    line = sample["line"] if "line" in sample else json.dumps(sample["event"])
    with pytest.raises(NotAFact) as refused:
        from_text(line.encode())
    assert (refused.value.reason, refused.value.path) == (Fault(sample["why"]), sample["path"])


def test_every_version_has_a_passing_sample() -> None:
    sampled = {tuple(path.name.split(".")[:2]) for path in PASS}
    assert sampled == {(schema.name, str(schema.version)) for schema in registry()}


def test_every_code_of_a_value_has_a_failing_sample() -> None:
    by_file = {Fault.OVERSIZE, Fault.BAD_UTF8, Fault.TOO_DEEP}  # shown in tests/codec
    assert {Fault(read(path)["why"]) for path in FAIL} == set(Fault) - by_file


def test_every_file_is_a_sample() -> None:
    assert sorted(SAMPLES.iterdir()) == sorted(PASS + FAIL)
