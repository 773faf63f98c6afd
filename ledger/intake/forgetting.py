"""Forget a person of whom a ledger keeps sealed strings; the ledger itself stays as it was signed.

The key of the person is overwritten, so that no copy of the openings can be read any more. What
was derived from them and lies in the ledger's folder is overwritten as well; it is made again when
it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ledger.intake.erasable import ErasableStore, overwrite
from ledger.intake.legal_holds import Hold, PersonHeld
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import NotSealed, Openings, PersonUnknown, StorageFailed, read_log
from ledger.log.storage import DirectoryStorage

DERIVED: Final = ("cache", "archive")
"""The folders of a ledger that hold what was derived from opened entries, in clear."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPerson:
    """A person of whom something can be erased.

    Attributes:
        number: of the key, 32 hexadecimal digits; legal holds name it.
        holds: the legal holds that stand on the person.
    """

    number: str
    holds: tuple[Hold, ...]


def kept_person(folder: Path, reference: str) -> KeptPerson:
    """Return what can be erased of a person.

    Args:
        folder: the ledger.
        reference: of a patron, or a credential.

    Raises:
        NotSealed: the ledger keeps personal strings as they came.
        PersonUnknown: nothing is sealed under a key of this person.
        PersonKeysMissing, PersonKeysOfAnother, PersonKeysDamaged: the keys are not at hand.
    """
    return _kept(_openings(folder), ErasableStore(folder), reference)


def hold_person(folder: Path, reference: str, reason: str, by: str, at: int) -> None:
    """Place a legal hold on a person: until it is released, nothing of him is forgotten.

    Args:
        folder: the ledger.
        reference: of a patron, or a credential.
        reason: why, without naming the person.
        by: credential of who places it.
        at: when, microseconds UTC.

    Raises:
        PersonUnknown, NotSealed: as for ``kept_person``.
        HoldUnfit: reason or person is empty or far too long.
    """
    store = ErasableStore(folder)
    store.hold_person(_kept(_openings(folder), store, reference).number, reason, by, at)


def release_person(folder: Path, reference: str, reason: str, by: str, at: int) -> int:
    """Release the legal holds of a person; return how many. Arguments as for ``hold_person``.

    Raises:
        HoldUnfit: none stands.
        PersonUnknown, NotSealed: as for ``kept_person``.
    """
    store = ErasableStore(folder)
    number = _kept(_openings(folder), store, reference).number
    return store.release([number], reason, by, at)


def forget_person(folder: Path, reference: str) -> None:
    """Forget a person for good, in every copy of the openings.

    Repeated after an interruption it overwrites what was derived, and then says that nothing is
    kept of the person.

    Args:
        folder: the ledger.
        reference: of a patron, or a credential, in any spelling that reads the same.

    Raises:
        NotSealed, PersonUnknown: as for ``kept_person``.
        PersonHeld: a legal hold stands; nothing was forgotten.
        LedgerLocked: a writer has the ledger open.
    """
    openings, store = _openings(folder), ErasableStore(folder)
    with _locked(folder):
        try:
            kept = _kept(openings, store, reference)
            if kept.holds:
                raise PersonHeld(kept.holds)
            openings.forget(reference)
        except PersonUnknown:
            openings.forget_again()
            _overwrite_derived(folder, store)
            raise
        _overwrite_derived(folder, store)


def _openings(folder: Path) -> Openings:
    log = read_log(folder)
    if not log.is_sealed:
        raise NotSealed(str(folder))
    return log.openings


def _kept(openings: Openings, store: ErasableStore, reference: str) -> KeptPerson:
    number = openings.load().number_of(reference) if reference.strip() else None
    if number is None:
        raise PersonUnknown
    holds = [one for one in store.holds() if one.opening == number.hex()]
    standing = tuple(one for one in holds if one.released_at is None)
    return KeptPerson(number=number.hex(), holds=standing)


def _overwrite_derived(folder: Path, store: ErasableStore) -> None:
    """Overwrite and remove what shows strings in clear: read models, indexes, refused rows."""
    for root in (*(folder / name for name in DERIVED), store.rejected):
        for path in sorted(root.rglob("*"), reverse=True):
            overwrite(path)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """No writer may seal under a key that is being overwritten."""
    storage = DirectoryStorage(folder)
    try:
        storage.lock()
    except OSError as error:
        raise StorageFailed(error, "Forgetting") from error
    try:
        yield
    except OSError as error:
        raise StorageFailed(error, "Forgetting") from error
    finally:
        storage.unlock()
