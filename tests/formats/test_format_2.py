"""Bytes of format 2, sealed, frozen: every version verifies, opens and goes on with them."""

from __future__ import annotations

import json
import shutil
import tarfile
from pathlib import Path

import pytest

from ledger.codec import decode, to_text
from ledger.log import Accepted, Arrival, open_log, read_log, verify
from tests.log.facts import TIME
from tests.log.test_sealed import FACTS, PATRON, taken

HERE = Path(__file__).parent / "2"
EXPECTED = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """The ledger, unpacked."""
    with tarfile.open(HERE / "corpus.tar.gz") as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path)
    return tmp_path / "sealed"


def facts(folder: Path) -> list[str]:
    """What is read of a ledger, in the newest versions of its events."""
    entries = read_log(folder).entries()
    return [to_text(decode(one.framed)) for _, one in entries if isinstance(one, Accepted)]


def as_frozen(read: list[str]) -> list[str]:
    """What is read, without what later versions of an event add and what no older fact says."""
    out = []
    for line, frozen in zip(read, EXPECTED["facts"], strict=True):
        newest, published = json.loads(line), json.loads(frozen)
        assert newest["version"] >= published["version"]
        assert all(newest[name] is None for name in newest.keys() - published.keys())
        shared = {name: newest[name] for name in newest if name in published}
        shared["version"] = published["version"]
        out.append(json.dumps(shared, separators=(",", ":"), ensure_ascii=False))
    return out


def test_it_verifies_without_keys_and_openings(sealed: Path) -> None:
    sealed.with_name("sealed.person-keys").unlink()
    shutil.rmtree(sealed / "openings")
    verification = verify(sealed)
    assert verification.problem is None
    assert (verification.tree_size, verification.root) == (EXPECTED["size"], EXPECTED["root"])


def test_it_is_read_as_it_was(sealed: Path) -> None:
    assert as_frozen(facts(sealed)) == EXPECTED["facts"]
    assert sum("(erased)" in fact for fact in EXPECTED["facts"]) == 2
    assert not any(PATRON in fact for fact in EXPECTED["facts"])


def test_it_is_appended_to(sealed: Path) -> None:
    with open_log(sealed) as log:
        again = log.append([Arrival(fact) for fact in FACTS], TIME + 9)
        assert (again.accepted, again.repeated, again.conflicts) == (0, len(FACTS), 0)
        assert log.append([Arrival(taken(400))], TIME + 10).accepted == 1
    assert as_frozen(facts(sealed)[:-1]) == EXPECTED["facts"]
    assert verify(sealed).problem is None
