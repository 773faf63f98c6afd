"""A new key: both keys hold for the handover, the old one no longer for what comes after."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.log import Arrival, StorageFailed, open_log, read_log, rotate_key, verify
from ledger.log.note import NoteBroken, open_note
from tests.analytics import given

SENT = given.facts(scale=0.02)[:600]


def test_both_keys_signed_the_handover_and_the_new_one_signs_on(tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", SENT[:300])
    witness, handover = tmp_path / "witness", tmp_path / "handover"
    witness.write_bytes((folder / "checkpoint").read_bytes())
    before = read_log(folder)
    (folder / "keys" / "signer").unlink()  # lost: it is not needed
    old, new = rotate_key(folder, handover, witness=witness)
    assert old != new
    note = handover.read_bytes()
    assert open_note(note, old) == open_note(note, new)
    assert witness.read_bytes() == note == (folder / "checkpoint").read_bytes()
    after = read_log(folder)
    assert (after.size, after.root) == (before.size, before.root)
    with open_log(folder, witness=witness) as log:
        given_facts = [Arrival(given.frame(fact)) for fact in SENT[300:]]
        log.append(given_facts, given.RECORDED_AT)
    found = verify(folder, witness=witness)
    assert (found.problem, found.witness) == (None, "consistent")
    with pytest.raises(NoteBroken):
        open_note((folder / "checkpoint").read_bytes(), old)


def test_a_handover_is_never_written_over(tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", SENT[:10])
    (tmp_path / "handover").write_text("kept")
    with pytest.raises(StorageFailed):
        rotate_key(folder, tmp_path / "handover")
    assert (tmp_path / "handover").read_text() == "kept"
    assert verify(folder).problem is None
