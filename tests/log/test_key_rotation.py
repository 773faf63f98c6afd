"""A new key: the old one endorses it in the ledger, and holds no longer for what comes after."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from errno import EPERM
from pathlib import Path
from typing import Final

import pytest

from ledger.log import (
    Arrival,
    FormatNewer,
    KeyMismatch,
    KeyMissing,
    KeyRotated,
    Signer,
    StorageFailed,
    back_up,
    key_beside,
    open_log,
    read_log,
    rotate_key,
    verify,
)
from ledger.log import key_rotation as module
from ledger.log.entry import EntryUnreadable, decode, encode
from ledger.log.errors import KeyUnreadable
from ledger.log.key_chain import problem_of_rotation, rotation_lines, rotation_text
from ledger.log.keys import write_key_outside
from ledger.log.note import NoteBroken, open_note
from ledger.log.signed_file_index import Seals
from ledger.log.storage import Durable
from tests.analytics import given

SENT: Final = given.facts(scale=0.02)[:600]
NOW: Final = given.RECORDED_AT


def grow(folder: Path, start: int, stop: int, witness: Path | None = None) -> None:
    with open_log(folder, witness=witness) as log:
        log.append([Arrival(given.frame(fact)) for fact in SENT[start:stop]], NOW)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A ledger with its key inside, as they were begun at first."""
    return given.ledger(tmp_path / "ledger", SENT[:300])


def test_both_keys_signed_the_entry_and_the_handover_and_the_new_one_signs_on(
    folder: Path, tmp_path: Path
) -> None:
    witness, handover = tmp_path / "witness", tmp_path / "handover"
    witness.write_bytes((folder / "checkpoint").read_bytes())
    before = read_log(folder)
    change = rotate_key(folder, handover, record_time=NOW, witness=witness)
    old, new = change.old, change.new
    assert (old != new, change.position, change.is_endorsed) == (True, before.size, True)
    note = handover.read_bytes()
    assert open_note(note, old) == open_note(note, new)
    assert witness.read_bytes() == note == (folder / "checkpoint").read_bytes()
    after = read_log(folder)
    assert (after.size, after.root_at(before.size)) == (before.size + 1, before.root)
    entry = after.read(before.size)
    assert isinstance(entry, KeyRotated)
    assert (entry.old, entry.new, entry.size) == (str(old), str(new), before.size)
    grow(folder, 300, 600, witness)
    found = verify(folder, witness=witness)
    assert (found.problem, found.witness, found.remarks) == (None, "consistent", ())
    assert found.key == str(new)
    with pytest.raises(NoteBroken):
        open_note((folder / "checkpoint").read_bytes(), old)


def test_whoever_trusts_an_earlier_key_can_follow(folder: Path, tmp_path: Path) -> None:
    keys = [read_log(folder).verifier]
    for number in range(3):
        grow(folder, 300 + number, 301 + number)
        keys.append(rotate_key(folder, tmp_path / f"handover-{number}", record_time=NOW).new)
    for key in keys:
        found = verify(folder, trusted=key)
        assert (found.problem, found.key) == (None, str(key))
    stranger = Signer(keys[0].name, bytes(32)).verifier
    assert "does not lead to" in (verify(folder, trusted=stranger).problem or "")
    assert [key for key, _ in Seals.of(folder).earlier] == keys[-2::-1]


@pytest.mark.parametrize("where", ["inside", "beside", "named"])
def test_the_new_key_takes_the_place_of_the_old_one(
    folder: Path, tmp_path: Path, where: str
) -> None:
    place = {"inside": folder / "keys/signer", "beside": key_beside(folder)}.get(where)
    place = place or tmp_path / "safe" / "the.key"
    place.parent.mkdir(exist_ok=True)
    if where != "inside":
        (folder / "keys/signer").rename(place)
    named = place if where == "named" else None
    change = rotate_key(folder, tmp_path / "handover", record_time=NOW, key=named)
    assert change.key == place
    assert place.stat().st_mode & 0o777 == 0o600
    assert not list(place.parent.glob("*.next"))
    with open_log(folder, key=named) as log:
        assert log.size == change.position + 1
    apart = rotate_key(
        folder, tmp_path / "second", record_time=NOW, key=named, new_key=tmp_path / "new"
    )
    assert (apart.key, place.exists()) == (tmp_path / "new", True)
    with open_log(folder, key=tmp_path / "new"):
        pass


def test_without_the_old_private_key_it_is_refused(folder: Path, tmp_path: Path) -> None:
    signer = folder / "keys/signer"
    kept = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    signer.unlink()
    with pytest.raises(KeyMissing):
        rotate_key(folder, tmp_path / "handover", record_time=NOW)
    signer.write_text(f"{Signer(read_log(folder).origin, bytes(32)).secret_text()}\n")
    with pytest.raises(KeyMismatch):
        rotate_key(folder, tmp_path / "handover", record_time=NOW)
    signer.write_bytes(kept[signer])
    assert {path: path.read_bytes() for path in kept} == kept
    assert not (tmp_path / "handover").exists()
    assert verify(folder).problem is None


def test_a_lost_key_is_replaced_and_that_is_said_for_ever(folder: Path, tmp_path: Path) -> None:
    old = read_log(folder).verifier
    (folder / "keys/signer").unlink()
    change = rotate_key(folder, tmp_path / "handover", record_time=NOW, lost=True)
    assert (change.old, change.is_endorsed) == (old, False)
    grow(folder, 300, 310)
    found = verify(folder)
    assert found.problem is None
    assert f"entry {change.position}: the key was replaced without the old one" in found.remarks[0]
    assert "does not lead to" in (verify(folder, trusted=old).problem or "")
    assert Seals.of(folder).earlier == (), "what it sealed counts no longer"
    assert verify(folder, trusted=change.new).problem is None


def test_a_handover_is_never_written_over(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "handover").write_text("kept")
    with pytest.raises(StorageFailed):
        rotate_key(folder, tmp_path / "handover", record_time=NOW)
    assert (tmp_path / "handover").read_text() == "kept"
    assert verify(folder).problem is None


@pytest.mark.parametrize("links", [True, False])
def test_what_is_written_outside_is_whole_or_not_there(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    """A run that was killed left halves under other names; some sticks give a file one name only."""
    halves = [tmp_path / "handover.unfinished", folder / "keys/signer.next.unfinished"]
    for half in halves:
        half.write_bytes(b"half")
    if not links:

        def refuse(*_: object) -> None:
            raise OSError(EPERM, "one name only")

        monkeypatch.setattr("os.link", refuse)
    rotate_key(folder, tmp_path / "handover", record_time=NOW)
    assert verify(folder).problem is None
    assert not any(half.exists() for half in halves)
    (tmp_path / "kept").write_bytes(b"kept")
    with pytest.raises(FileExistsError):
        write_key_outside(tmp_path / "kept", b"other")
    assert (tmp_path / "kept").read_bytes() == b"kept"


class _Killed(BaseException):
    """The process ends here."""


STEPS: Final = (
    *("_keep", "_rotation", "_list", "_signed_by_both", "_write_outside", "_change_keys"),
    *("_put_in_place", "_finished"),
)


@pytest.mark.by_turns(4)
@pytest.mark.parametrize("is_after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    "lost",
    [
        pytest.param(False, id="endorsed"),
        pytest.param(True, id="lost", marks=pytest.mark.full),
    ],
)
def test_a_rotation_that_was_killed_is_taken_up_again(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    is_after: bool,
    lost: bool,
) -> None:
    old = read_log(folder).verifier
    work: Callable[..., object] = getattr(module, step)
    taken = step == "_finished"

    def killed(*words: object, **named: object) -> object:
        nonlocal taken
        if taken:  # the first call looks for an earlier rotation, the second one finishes this one
            taken = False
            return work(*words, **named)
        if is_after:
            work(*words, **named)
        raise _Killed

    with monkeypatch.context() as patch:
        patch.setattr(module, step, killed)
        with pytest.raises(_Killed):
            rotate_key(folder, tmp_path / "handover", record_time=NOW, lost=lost)
    assert verify(folder).problem is None
    entries = [entry for _, entry in read_log(folder).entries() if isinstance(entry, KeyRotated)]
    is_over = is_after and step in ("_put_in_place", "_finished")
    if is_over:
        assert entries[-1].new == str(read_log(folder).verifier), "the ledger says so already"
    handover = tmp_path / ("another" if is_over else "handover")
    change = rotate_key(folder, handover, record_time=NOW, lost=lost)
    assert change.new == read_log(folder).verifier != old
    grow(folder, 300, 310)
    found = verify(folder, trusted=None if lost else old)
    assert found.problem is None, found.problem


@pytest.mark.parametrize("lost", [False, True], ids=["endorsed", "lost"])
def test_killed_between_the_checkpoint_of_both_keys_and_the_new_verifier(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: bool
) -> None:
    """What both keys signed already is not signed a third time: the handover stands as it was."""
    put, handover = Durable.put, tmp_path / "handover"

    def killed(self: Durable, files: Iterable[tuple[str, bytes]], mode: int = 0o644) -> None:
        written = list(files)
        if [path for path, _ in written] == ["keys/verifier"]:
            raise _Killed
        put(self, written, mode)

    with monkeypatch.context() as patch:
        patch.setattr(Durable, "put", killed)
        with pytest.raises(_Killed):
            rotate_key(folder, handover, record_time=NOW, lost=lost)
    note = handover.read_bytes()
    assert rotate_key(folder, handover, record_time=NOW, lost=lost).is_endorsed is not lost
    assert handover.read_bytes() == note
    assert verify(folder).problem is None


def test_a_rotation_that_was_begun_and_is_not_listed_any_more(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise _Killed

    with monkeypatch.context() as patch:
        patch.setattr(module, "_put_in_place", killed)
        with pytest.raises(_Killed):
            rotate_key(folder, tmp_path / "handover", record_time=NOW)
    assert (folder / "keys/signer.next").exists()
    back_up(folder, tmp_path / "copy")
    assert not list((tmp_path / "copy" / "keys").glob("signer*"))
    (folder / "keys/rotations").write_bytes(b"nonsense\n")
    with pytest.raises(KeyUnreadable, match="does not list the rotation"):
        rotate_key(folder, tmp_path / "handover", record_time=NOW)
    assert (folder / "keys/signer.next").exists(), "the new private key is kept"


def rotated(folder: Path, **changes: object) -> KeyRotated:
    """A rotation to a key of ours, as a forger would write it who has not the old one."""
    log = read_log(folder)
    forger = Signer(log.origin, bytes([7]) * 32)
    old, new = str(log.verifier), str(forger.verifier)
    text = rotation_text(log.origin, old, new, log.size, log.root)
    values = {
        "record_time": NOW,
        "old": old,
        "new": new,
        "size": log.size,
        "root": log.root,
        "signed_by_old": forger.signature(text),
        "signed_by_new": forger.signature(text),
    }
    return KeyRotated(**{**values, **changes})  # type: ignore[arg-type]


def test_what_the_old_key_did_not_sign_leads_nowhere(folder: Path) -> None:
    assert problem_of_rotation(rotated(folder)) == "the old key did not sign the rotation"
    assert problem_of_rotation(rotated(folder, signed_by_old=None)) is None
    twisted = rotated(folder, signed_by_old=None, size=1)
    assert problem_of_rotation(twisted) == "the new key did not sign its rotation"
    assert "no key" in (problem_of_rotation(rotated(folder, new="x")) or "")
    (folder / "keys/rotations").write_bytes(rotation_lines([rotated(folder)]))
    assert Seals.of(folder).earlier == ()


def test_a_checkpoint_of_a_strangers_key_is_not_followed(folder: Path, tmp_path: Path) -> None:
    """The whole folder signed anew, public key and all: only a key from elsewhere tells."""
    trusted = read_log(folder).verifier
    forger = Signer(trusted.name, bytes([7]) * 32)
    text = open_note((folder / "checkpoint").read_bytes(), trusted)
    (folder / "checkpoint").write_bytes(forger.sign(text))
    (folder / "keys/verifier").write_text(f"{forger.verifier}\n")
    (folder / "keys/signer").unlink()
    shutil.rmtree(folder / "cache", ignore_errors=True)
    assert verify(folder).problem is None
    assert "does not lead to" in (verify(folder, trusted=trusted).problem or "")


def test_an_entry_of_the_future_is_named_as_one(folder: Path) -> None:
    raw = encode(rotated(folder))
    assert decode(raw) == rotated(folder)
    with pytest.raises(FormatNewer, match="newer version"):
        decode(bytes([12]) + raw[1:])
    with pytest.raises(EntryUnreadable, match="no such kind"):
        decode(bytes([13]) + raw[1:])
