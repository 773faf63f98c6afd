"""Keys of persons: what is encrypted, destroyed, converted, and what a killed command leaves."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ledger.intake import Committed, ErasableStore, Opening, OpeningUnknown, opens
from ledger.intake import erasable as module
from ledger.intake.legal_holds import HeldForLaw, HoldUnfit
from ledger.intake.personal_encryption_keys import (
    RECORD_BYTES,
    PeopleKeysDamaged,
    PeopleKeysMissing,
    PeopleKeysOfAnother,
)

NAMES = ("Philippa Quillfeather", "Barnaby Thistlewood", "Zelda Ünal-Õun")
SALT = bytes(range(32))
OLD_TABLES = (
    """CREATE TABLE openings (
    opening TEXT PRIMARY KEY, name TEXT NOT NULL, name_salt BLOB NOT NULL,
    address TEXT NOT NULL, address_salt BLOB NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE forgotten (
    opening TEXT PRIMARY KEY, name_commitment BLOB NOT NULL, address_commitment BLOB NOT NULL
    ) STRICT, WITHOUT ROWID""",
)
"""As the version before wrote them."""


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "ledger"


def number_of(index: int) -> str:
    return f"{index:032x}"


def plain_store(ledger: Path) -> ErasableStore:
    """A store as the version before kept it: three openings in clear, and one forgotten."""
    path = ledger / "erasable" / "openings.sqlite"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as store, store:
        for table in OLD_TABLES:
            store.execute(table)
        rows = [(number_of(n), name, SALT, f"{n} Front St", SALT) for n, name in enumerate(NAMES)]
        store.executemany("INSERT INTO openings VALUES (?, ?, ?, ?, ?)", rows)
        store.execute(
            "INSERT INTO forgotten VALUES (?, ?, ?)", (number_of(9), b"n" * 32, b"a" * 32)
        )
    return ErasableStore(ledger)


def named_files(root: Path) -> list[str]:
    """The files below a folder that hold a name or a salt in clear."""
    secrets = [*(name.encode() for name in NAMES), SALT]
    files = [path for path in root.rglob("*") if path.is_file()]
    return [path.name for path in files if any(s in path.read_bytes() for s in secrets)]


def names_read(ledger: Path) -> list[str]:
    store = ErasableStore(ledger)
    return [store.read(number_of(n)).name for n in range(len(NAMES))]


# --- forgetting -----------------------------------------------------------------------------------


def test_every_person_has_a_key_and_every_field_a_place(ledger: Path) -> None:
    store = ErasableStore(ledger)
    first, second = (store.commit(name, "1 Front St").opening for name in NAMES[:2])
    assert store.people.key(first) != store.people.key(second)
    assert store.people.path == ledger.with_name("ledger.people")
    assert store.people.path.stat().st_mode & 0o077 == 0
    for change in (
        "UPDATE sealed SET name = address",  # another field of the same person
        "UPDATE sealed SET name = (SELECT name FROM sealed WHERE opening = ?2) WHERE opening = ?1",
        "UPDATE sealed SET name = zeroblob(40)",
    ):
        changed = Path(shutil.copytree(ledger, ledger.with_name("changed"), dirs_exist_ok=True))
        shutil.copy(store.people.path, changed.with_name("changed.people"))
        with closing(sqlite3.connect(changed / "erasable" / "openings.sqlite")) as raw, raw:
            raw.execute(change, (first, second) if "?" in change else ())
        with pytest.raises(PeopleKeysDamaged):
            ErasableStore(changed).read(first)


def test_a_copy_forgets_with_the_key(ledger: Path, tmp_path: Path) -> None:
    store = ErasableStore(ledger)
    gone, kept = (store.commit(name, "1 Front St").opening for name in NAMES[:2])
    patron, key = store.read(gone), store.people.key(gone)
    assert store.copy_to(tmp_path / "names") == 2
    assert store.erase([gone]) == 1
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and key in path.read_bytes()]
    shutil.copy(tmp_path / "names" / "openings.sqlite", store.path)  # the old copy is put back
    restored = ErasableStore(ledger)
    with pytest.raises(OpeningUnknown):
        restored.read(gone)
    assert restored.read(kept).name == NAMES[1]
    left = restored.known(gone)
    assert isinstance(left, Committed)
    assert left.is_forgotten
    assert opens(left.name_commitment, patron.name, patron.name_salt)
    restored.commit(NAMES[2], "3 Front St")  # whoever writes next clears the row away
    with closing(sqlite3.connect(restored.path)) as raw:
        assert raw.execute("SELECT 1 FROM sealed WHERE opening = ?", (gone,)).fetchall() == []


def test_an_older_copy_of_the_keys_does_not_bring_a_name_back(ledger: Path, tmp_path: Path) -> None:
    store = ErasableStore(ledger)
    gone, kept = (store.commit(name, "1 Front St").opening for name in NAMES[:2])
    shutil.copy(store.people.path, tmp_path / "copy-of-the-keys")
    key = store.people.key(gone)
    store.erase([gone])
    shutil.copy(tmp_path / "copy-of-the-keys", store.people.path)
    assert isinstance(ErasableStore(ledger).known(gone), Committed)
    ErasableStore(ledger).commit(NAMES[2], "3 Front St")
    assert key not in store.people.path.read_bytes()
    assert ErasableStore(ledger).read(kept).name == NAMES[1]


def test_forgetting_that_is_killed_after_the_key_is_finished(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ErasableStore(ledger)
    gone = store.commit(NAMES[0], "1 Front St").opening
    destroy = store.people.destroy

    def killed(commitments: dict[str, module.Commitments]) -> None:
        destroy(commitments)
        raise KeyboardInterrupt

    monkeypatch.setattr(store.people, "destroy", killed)
    with pytest.raises(KeyboardInterrupt):
        store.erase([gone])
    again = ErasableStore(ledger)
    assert isinstance(again.known(gone), Committed)
    with pytest.raises(OpeningUnknown):
        again.erase([gone])
    assert again.count() == (0, 0)


def test_a_row_that_was_dropped_may_come_again(ledger: Path) -> None:
    store, number = ErasableStore(ledger), number_of(1)
    patron = Opening(name=NAMES[0], name_salt=SALT, address="1 Front St", address_salt=SALT)
    store.keep({number: patron})
    store.drop([number])
    assert store.known(number) is None
    store.keep({number: patron})
    assert store.read(number) == patron


# --- the file of keys -----------------------------------------------------------------------------


def test_keys_that_are_not_there_are_said(ledger: Path) -> None:
    store = ErasableStore(ledger)
    number = store.commit(NAMES[0], "1 Front St").opening
    elsewhere = store.people.path.rename(ledger.with_name("elsewhere"))
    refused: list[Callable[[], object]] = [
        lambda: store.read(number),
        lambda: store.erase([number]),
        lambda: store.commit(NAMES[1], "2 Front St"),
        lambda: store.copy_to(ledger.with_name("names")),
    ]
    for act in refused:
        with pytest.raises(PeopleKeysMissing):
            act()
    assert not store.people.path.exists()
    store.people.path.touch()  # lost for good
    with pytest.raises(PeopleKeysMissing):
        store.read(number)
    assert store.erase([number]) == 1
    shutil.copy(elsewhere, store.people.path)
    assert isinstance(ErasableStore(ledger).known(number), Committed)


def test_keys_of_another_store_are_refused(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = ErasableStore(ledger.with_name("other"))
    other.commit(NAMES[0], "1 Front St")
    store = ErasableStore(ledger)
    number = store.commit(NAMES[1], "2 Front St").opening
    monkeypatch.setenv("PITLEDGER_PEOPLE", str(other.people.path))
    with pytest.raises(PeopleKeysOfAnother):
        ErasableStore(ledger).read(number)
    with pytest.raises(PeopleKeysOfAnother):
        ErasableStore(ledger).commit(NAMES[2], "3 Front St")


@pytest.mark.parametrize("at", [0, 127, RECORD_BYTES, RECORD_BYTES + 20, 2 * RECORD_BYTES - 1])
def test_a_changed_byte_of_the_keys_is_seen(ledger: Path, at: int) -> None:
    store = ErasableStore(ledger)
    number = store.commit(NAMES[0], "1 Front St").opening
    content = bytearray(store.people.path.read_bytes())
    content[at] ^= 1
    store.people.path.write_bytes(content)
    with pytest.raises(PeopleKeysDamaged):
        ErasableStore(ledger).read(number)


def test_half_a_key_at_the_end_was_never_promised(ledger: Path) -> None:
    store = ErasableStore(ledger)
    first = store.commit(NAMES[0], "1 Front St").opening
    with store.people.path.open("ab") as file:
        file.write(os.urandom(50))
    second = ErasableStore(ledger).commit(NAMES[1], "2 Front St").opening
    assert [ErasableStore(ledger).read(n).name for n in (first, second)] == list(NAMES[:2])
    assert store.people.path.stat().st_size == 3 * RECORD_BYTES


# --- a store of the version before ----------------------------------------------------------------


def test_a_store_in_clear_is_read_and_left_alone(ledger: Path) -> None:
    store = plain_store(ledger)
    before = store.path.read_bytes()
    assert names_read(ledger) == list(NAMES)
    assert isinstance(store.known(number_of(9)), Committed)
    assert (store.count(), store.holds()) == ((3, 3), [])
    assert store.path.read_bytes() == before
    assert not store.people.path.exists()


def test_whoever_writes_first_encrypts_a_store_in_clear(ledger: Path, tmp_path: Path) -> None:
    store = plain_store(ledger)
    assert named_files(tmp_path) == ["openings.sqlite"]
    in_clear = store.path.read_bytes()
    assert store.copy_to(tmp_path / "names") == 3
    assert named_files(tmp_path) == []
    assert names_read(ledger) == list(NAMES)
    assert isinstance(ErasableStore(ledger).known(number_of(9)), Committed)
    assert store.count() == (3, 0)
    store.erase([number_of(0)])
    store.path.write_bytes(in_clear)  # a backup of the version before is put back
    restored = ErasableStore(ledger)
    assert isinstance(restored.known(number_of(0)), Committed)
    restored.commit("Ada Lovelace", "4 Front St")
    assert named_files(tmp_path) == []
    assert restored.read(number_of(1)).name == NAMES[1]


STEPS = ("unlink", "link", "replace", "fsync", "pwrite", "urandom")


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_conversion_that_is_killed_anywhere_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Killed before or after each call to the system, all names are read, then gone in clear."""
    count, is_over = 0, False
    while not is_over:
        count += 1
        ledger = tmp_path / f"{count}" / "ledger"
        store, left = plain_store(ledger), [count]
        with monkeypatch.context() as patch:
            for step in STEPS:
                patch.setattr(module.os, step, _killed_at(getattr(os, step), left, when))
            try:
                store.copy_to(ledger.with_name("names"))
                is_over = left[0] > 0
            except KeyboardInterrupt:
                assert names_read(ledger) == list(NAMES), count
        assert ErasableStore(ledger).copy_to(ledger.with_name("names")) == 3
        assert names_read(ledger) == list(NAMES)
        assert named_files(ledger.parent) == [], count
        assert sorted(path.name for path in store.path.parent.iterdir()) == [
            "lock", "openings.sqlite",
        ]  # fmt: skip
    assert count > 15


def _killed_at(call: Callable[..., object], left: list[int], when: str) -> Callable[..., object]:
    def stopped(*args: object, **options: object) -> object:
        left[0] -= 1
        if left[0] == 0 and when == "before":
            raise KeyboardInterrupt
        answer = call(*args, **options)
        if left[0] == 0:
            raise KeyboardInterrupt
        return answer

    return stopped


def test_the_version_before_cannot_write_names_in_clear_again(ledger: Path) -> None:
    store = ErasableStore(ledger)
    store.commit(NAMES[0], "1 Front St")
    with closing(sqlite3.connect(store.path)) as raw:
        for table in OLD_TABLES:
            raw.execute(table.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"))
        with pytest.raises(sqlite3.OperationalError):
            raw.execute("INSERT INTO openings VALUES ('1', 'n', x'00', 'a', x'00')")


# --- legal holds ----------------------------------------------------------------------------------


def test_a_hold_forbids_to_forget_until_it_is_released(ledger: Path) -> None:
    store = ErasableStore(ledger)
    kept, other = (store.commit(name, "1 Front St").opening for name in NAMES[:2])
    store.hold([kept], "docket 21-104", "C-1", 1_000)
    store.hold([kept], "subpoena", "C-2", 2_000)
    with pytest.raises(HeldForLaw, match="nothing was forgotten"):
        store.erase([other, kept])
    assert [store.read(n).name for n in (kept, other)] == list(NAMES[:2])
    assert store.release([kept], "settled", "C-3", 3_000) == 2
    assert store.erase([other, kept]) == 2
    first = store.holds()[0]
    assert (first.reason, first.placed_by, first.placed_at) == ("docket 21-104", "C-1", 1_000)
    assert (first.release_reason, first.released_by, first.released_at) == ("settled", "C-3", 3_000)


def test_a_hold_needs_an_opening_a_reason_and_a_person(ledger: Path) -> None:
    store = ErasableStore(ledger)
    kept = store.commit(NAMES[0], "1 Front St").opening
    for reason, by in (("", "C-1"), ("x", " "), ("x" * 501, "C-1")):
        with pytest.raises(HoldUnfit):
            store.hold([kept], reason, by, 1)
    with pytest.raises(OpeningUnknown):
        store.hold([kept, "f" * 32], "docket", "C-1", 1)
    with pytest.raises(HoldUnfit):
        store.release([kept], "settled", "C-1", 1)
    assert store.holds() == []
