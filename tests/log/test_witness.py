"""The witness: a ledger that was cut, replaced or restored is refused and named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ledger.kernel import IntegrityBroken
from ledger.log import Signer, WitnessMissing, init, open_log, verify
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals
from tests.log.test_file_log import begin


@pytest.fixture
def grown(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A ledger, its witness, and a copy of the ledger from before the last append."""
    folder, witness, old = tmp_path / "ledger", tmp_path / "far" / "witness", tmp_path / "old"
    begin(folder)
    witness.parent.mkdir()
    shutil.copy(folder / "checkpoint", witness)
    with open_log(folder, witness=witness) as log:
        log.append(arrivals(1, 300), TIME)
        shutil.copytree(folder, old)
        log.append(arrivals(301, 700), TIME)
    return folder, witness, old


def test_it_follows_the_ledger(grown: tuple[Path, Path, Path]) -> None:
    folder, witness, _ = grown
    assert witness.read_bytes() == (folder / "checkpoint").read_bytes()
    assert verify(folder, witness=witness).witness == "consistent"
    assert verify(folder).witness == "absent"
    missing = verify(folder, witness=folder / "nothing")
    assert missing.witness == "absent"
    assert "is not there, so nothing shows what the ledger once was" in (missing.problem or "")
    with pytest.raises(WitnessMissing):
        open_log(folder, witness=folder / "nothing")
    assert not (folder / "nothing").exists()


def test_it_may_lag_behind(grown: tuple[Path, Path, Path]) -> None:
    folder, witness, old = grown
    shutil.copy(old / "checkpoint", witness)
    assert verify(folder, witness=witness).witness == "consistent"
    with open_log(folder, witness=witness) as log:
        log.append(arrivals(701, 701), TIME)
    assert witness.read_bytes() == (folder / "checkpoint").read_bytes()


def test_a_shorter_ledger_is_refused(grown: tuple[Path, Path, Path]) -> None:
    _, witness, old = grown
    found = verify(old, witness=witness)
    assert found.witness == "inconsistent"
    assert "the witness saw 702 entries, the ledger has 302" in (found.problem or "")
    assert verify(old).problem is None
    before = witness.read_bytes()
    with pytest.raises(IntegrityBroken) as refusal:
        open_log(old, witness=witness)
    assert refusal.value.code == "witness_inconsistent"
    assert witness.read_bytes() == before


def test_another_history_is_refused(grown: tuple[Path, Path, Path]) -> None:
    _, witness, old = grown
    with open_log(old) as log:
        log.append(arrivals(1, 900, "DC-01"), TIME)
    found = verify(old, witness=witness)
    assert found.witness == "inconsistent"
    assert "the first 702 entries are not those" in (found.problem or "")
    with pytest.raises(IntegrityBroken):
        open_log(old, witness=witness)


def test_it_is_asked_at_each_append(grown: tuple[Path, Path, Path], tmp_path: Path) -> None:
    folder, witness, old = grown
    with open_log(old) as other:
        other.append(arrivals(1, 900, "DC-01"), TIME)
    with open_log(folder, witness=witness) as log:
        shutil.copy(old / "checkpoint", witness)
        with pytest.raises(IntegrityBroken):
            log.append(arrivals(701, 701), TIME)


@pytest.mark.parametrize("spoilt", [b"", b"rubbish", None])
def test_a_witness_that_is_none(spoilt: bytes | None, grown: tuple[Path, Path, Path]) -> None:
    folder, witness, _ = grown
    if spoilt is None:
        thief = Signer(ORIGIN, bytes(32))
        spoilt = thief.sign((folder / "checkpoint").read_text().partition("\n\n")[0] + "\n")
    witness.write_bytes(spoilt)
    assert verify(folder, witness=witness).witness == "inconsistent"
    with pytest.raises(IntegrityBroken):
        open_log(folder, witness=witness)


def test_a_ledger_begun_anew(grown: tuple[Path, Path, Path], tmp_path: Path) -> None:
    _, witness, _ = grown
    init(tmp_path / "new", origin=ORIGIN, property=HOUSE, record_time=TIME + 1, signer=SIGNER)
    assert verify(tmp_path / "new", witness=witness).witness == "inconsistent"
