"""Names and addresses of patrons: the one place that holds them, and that can forget them.

Facts carry salted commitments only (``MailLine``): HMAC-SHA-256 over the text, keyed by 32 random
bytes of its own. The opening (text and salt) lies here, in a database beside the ledger and outside
its entries, so that erasing it leaves the ledger whole and its commitments without meaning. It is
encrypted under a key of the person's own (``people_keys``), so that copies forget with the key.
Law: 58 Pa. Code § 525.21(q)(2)(i), (q)(2)(ii), (q)(4).
"""

from __future__ import annotations

import fcntl
import hmac
import os
import re
import sqlite3
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any, Final

from ledger.intake.legal_holds import (
    HOLDS,
    HeldForLaw,
    Hold,
    place_holds,
    read_holds,
    release_holds,
    standing_holds,
)
from ledger.intake.personal_encryption_keys import (
    IDENTITY_BYTES,
    Commitments,
    PeopleKeys,
    PeopleKeysOfAnother,
    people_file,
    seal,
    sync_folder,
    unseal,
)
from ledger.kernel import SourceUnavailable, UsageError
from ledger.kernel.quick_dataclass import dataclass

SALT_BYTES: Final = 32
LONGEST: Final = 500
"""Characters of a name or an address."""
FOLDER: Final = "erasable"
"""The folder of a ledger that is no part of its tree."""
MOST_NEW: Final = 200_000
"""How many names one file may bring; they wait in memory until it is committed, in no file."""
REJECTED: Final = "rejected"
"""The folder in it for rows of mailing lists that were refused."""
_ID: Final = re.compile(r"[0-9a-f]{32}")
_FIELDS: Final = ("name", "name_salt", "address", "address_salt")
_SEALED: Final = """CREATE TABLE IF NOT EXISTS sealed (
    opening TEXT PRIMARY KEY, name BLOB NOT NULL, name_salt BLOB NOT NULL, address BLOB NOT NULL,
    address_salt BLOB NOT NULL, name_commitment BLOB NOT NULL, address_commitment BLOB NOT NULL
    ) STRICT, WITHOUT ROWID"""
"""Openings: each field is encrypted under the person's key; the commitments are those of facts."""
_FORGOTTEN: Final = """CREATE TABLE IF NOT EXISTS forgotten (
    opening TEXT PRIMARY KEY, name_commitment BLOB NOT NULL, address_commitment BLOB NOT NULL
    ) STRICT, WITHOUT ROWID"""
"""What was erased: commitments, as the facts have them. Without a salt they say nothing."""
_IDENTITY: Final = "CREATE TABLE IF NOT EXISTS identity (identity BLOB NOT NULL) STRICT"
"""What names this store in the file of its keys, so that another's are not taken for them."""
_NO_PLAIN: Final = """CREATE VIEW IF NOT EXISTS openings (opening, name, name_salt, address,
    address_salt) AS SELECT 0, 0, 0, 0, 0 WHERE 0"""
"""Stands where versions before kept openings in clear, so that none of them writes there again."""
_IS_PLAIN: Final = "SELECT 1 FROM sqlite_master WHERE name = 'openings' AND type = 'table'"
_HAS: Final = "SELECT 1 FROM sqlite_master WHERE name = ?"
_PLAIN: Final = "SELECT opening, name, name_salt, address, address_salt FROM openings"


class OpeningUnknown(UsageError):
    """The store has no such opening: it never had, or it was erased."""

    code = "opening_unknown"


class TooManyNames(UsageError):
    """A mailing list with more names than are kept in memory."""

    code = "too_many_names"

    def __init__(self) -> None:
        super().__init__(
            f"The sheet has more than {MOST_NEW:,} new names.",
            next_step="import it in parts, each a list of its own",
        )


class StoreUnavailable(SourceUnavailable):
    """The store of openings cannot be read or written."""

    code = "erasable_store_unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What a fact may say of a patron: two commitments, and the number of their opening."""

    opening: str
    name_commitment: bytes
    address_commitment: bytes
    is_forgotten: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Name and address with their salts; never printed with the rest of a record."""

    name: str
    name_salt: bytes
    address: str
    address_salt: bytes

    def __repr__(self) -> str:
        return "Opening(...)"


def commitment(text: str, salt: bytes) -> bytes:
    """The commitment to a text: HMAC-SHA-256 keyed by its salt.

    Signs that look alike count as one (NFKC), blanks in a row as one blank.

    Raises:
        ValueError: the salt does not have 32 bytes.
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, not {len(salt)}")
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    return hmac.new(salt, plain.encode(), sha256).digest()


def opens(committed: bytes, text: str, salt: bytes) -> bool:
    """Whether a commitment is one to this text with this salt.

    Args:
        committed: the commitment in the fact, 32 bytes.
        text: what is said to be committed.
        salt: its key, 32 random bytes.
    """
    return len(salt) == SALT_BYTES and hmac.compare_digest(committed, commitment(text, salt))


class ErasableStore:
    """The openings of one ledger, in ``erasable/openings.sqlite`` below its folder.

    Args:
        folder: the ledger's.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FOLDER / "openings.sqlite"
        self.people = PeopleKeys(people_file(folder))
        self._reading: sqlite3.Connection | None = None

    def commit(self, name: str, address: str) -> Committed:
        """Keep a name and an address; what a fact may say of them.

        Raises:
            UsageError: one is empty or far too long.
            PeopleKeysMissing: names are kept, and the keys to them are not there.
            StoreUnavailable: it cannot be kept.
        """
        for label, text in (("name", name), ("address", address)):
            if not 0 < len(text.strip()) <= LONGEST:
                raise UsageError(f"The {label} is empty or longer than {LONGEST} characters.")
        opening, patron = os.urandom(16).hex(), _new_opening(name, address)
        self.keep({opening: patron})
        return _committed(opening, patron)

    def read(self, opening: str) -> Opening:
        """What a commitment was made to.

        Raises:
            OpeningUnknown: there is none, or it was erased.
            PeopleKeysMissing: it is there, and its key is not.
            PeopleKeysDamaged: it is not what was written.
            StoreUnavailable: the store cannot be read.
        """
        patron = self.known(opening)
        self.close()
        if not isinstance(patron, Opening):
            raise OpeningUnknown(f"There is no opening {opening[:64]!r}.")
        return patron

    def erase(self, openings: Iterable[str]) -> int:
        """Forget: keys, names, addresses and salts are overwritten; how many there were.

        Copies of the store forget too, since a key is nowhere else. Files of refused rows are
        erased as well, whomever they name: a name may be spelt wrongly there. What is left is that
        an opening was forgotten, so that no file brings its name back. The overwritten key decides:
        what is interrupted after it is finished by whoever writes next.

        Raises:
            OpeningUnknown: one of them is not there; then none is erased.
            HeldForLaw: a legal hold keeps one of them; then none is erased.
            PeopleKeysMissing: the file of keys is not there.
            StoreUnavailable: the store cannot be written.
        """
        wanted = tuple(dict.fromkeys(openings))
        with self._writing(wanted) as store:
            rows = {opening: _commitments(store, opening) for opening in wanted}
            if holds := standing_holds(store, wanted):
                raise HeldForLaw(holds)
            for path in self.rejected.rglob("*"):
                overwrite(path)
            self.people.destroy(rows)
            self._forget_destroyed(store)
        return len(wanted)

    def known(self, opening: str) -> Opening | Committed | None:
        """What is kept under a number: an opening, what was forgotten, or nothing.

        Raises:
            PeopleKeysMissing: it is there, and its key is not.
            PeopleKeysDamaged: it is not what was written.
            StoreUnavailable: the store cannot be read.
        """
        if not _ID.fullmatch(opening):
            return None  # a producer's own word in a fact
        try:
            if self._reading is None:
                if not self.path.exists():
                    return None
                self._reading = self._open_to_read()
            return self._known(self._reading, opening)
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from error

    def _known(self, store: sqlite3.Connection, opening: str) -> Opening | Committed | None:
        erased = self.people.forgotten(opening) if self.people.path.exists() else None
        if erased is None:
            rows = _rows(store, "forgotten", "name_commitment, address_commitment", opening)
            erased = Commitments(*rows[0]) if rows else None
        if erased is not None:
            return Committed(
                opening=opening, name_commitment=erased.name, address_commitment=erased.address,
                is_forgotten=True,
            )  # fmt: skip
        if sealed := _rows(store, "sealed", ", ".join(_FIELDS), opening):
            key = self.people.key(opening)
            return _opening(
                *(
                    unseal(key, field, _bound(opening, name))
                    for name, field in zip(_FIELDS, sealed[0], strict=True)
                )
            )
        plain = _rows(store, "openings", ", ".join(_FIELDS), opening)
        return _opening(*plain[0]) if plain else None

    def close(self) -> None:
        """End reading."""
        if self._reading is not None:
            self._reading.close()
            self._reading = None
        self.people.close()

    def keeps(self, opening: str) -> bool:
        """Whether an opening is kept, be its key at hand or not.

        Raises:
            StoreUnavailable: the store cannot be read.
        """
        if not self.path.exists():
            return False
        try:
            with closing(self._open_to_read()) as store:
                return any(_rows(store, table, "1", opening) for table in ("sealed", "openings"))
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from error

    def keep(self, openings: dict[str, Opening]) -> None:
        """Keep new openings, all of them or none; their keys are on the disk before.

        Raises:
            PeopleKeysMissing: names are kept, and the keys to them are not there.
            StoreUnavailable: they cannot be kept.
        """
        with self._writing() as store:
            if any(
                _rows(store, "sealed", "1", number) or self.people.forgotten(number)
                for number in openings
            ):
                raise sqlite3.IntegrityError("an opening is there already")
            self._insert(store, openings)

    def drop(self, openings: Iterable[str]) -> None:
        """Take openings out again that no fact came to name.

        Raises:
            StoreUnavailable: the store cannot be written.
        """
        numbers = tuple(openings)
        with self._writing() as store:
            with store:
                store.executemany("DELETE FROM sealed WHERE opening = ?", [(n,) for n in numbers])
            self.people.remove(numbers)
            store.execute("VACUUM")

    def copy_to(self, folder: Path) -> int | None:
        """Copy the openings into a folder of their own, without their keys and what was erased.

        What is forgotten later is forgotten there as well, since its key is nowhere else.

        Returns:
            How many openings the copy holds; None where the ledger has no store.

        Raises:
            PeopleKeysMissing: the file of keys is not there.
            StoreUnavailable: the store cannot be read, or its copy cannot be written.
        """
        if not self.path.exists():
            return None
        target = folder / self.path.name
        unfinished = target.with_suffix(".unfinished")
        with self._writing() as store:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            unfinished.unlink(missing_ok=True)
            store.execute("VACUUM INTO ?", (str(unfinished),))
            (count,) = store.execute("SELECT count(*) FROM sealed").fetchone()
            unfinished.chmod(0o600)
            os.replace(unfinished, target)
        return int(count)

    def count(self) -> tuple[int, int]:
        """How many openings are kept, and how many of them in clear by a version before.

        Raises:
            PeopleKeysOfAnother: the file of keys belongs to another store.
            StoreUnavailable: the store cannot be read.
        """
        if not self.path.exists():
            return 0, 0
        try:
            with closing(self._open_to_read()) as store:
                sealed, plain = (
                    store.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                    if store.execute(_HAS, (table,)).fetchone()
                    else 0
                    for table in ("sealed", "openings")
                )
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from error
        return sealed + plain, plain

    def holds(self) -> list[Hold]:
        """Every legal hold there was, in order of placing.

        Raises:
            StoreUnavailable: the store cannot be read.
        """
        if not self.path.exists():
            return []
        try:
            with closing(self._open_to_read()) as store:
                return read_holds(store) if store.execute(_HAS, ("holds",)).fetchone() else []
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from error

    def hold(self, openings: Sequence[str], reason: str, by: str, at: int) -> None:
        """Place a legal hold on openings: until it is released they cannot be forgotten.

        Args:
            openings: their numbers.
            reason: why, without naming a patron.
            by: credential of who places it.
            at: when, microseconds since 1970, UTC.

        Raises:
            OpeningUnknown: one of them is not there; then none is held.
            HoldUnfit: reason or person is empty or far too long.
            StoreUnavailable: the store cannot be written.
        """
        with self._writing(openings) as store:
            for opening in openings:
                _commitments(store, opening)
            place_holds(store, openings, reason, by, at)

    def hold_person(self, number: str, reason: str, by: str, at: int) -> None:
        """Place a legal hold on a person whose strings are sealed.

        Args:
            number: of the person's key, 32 hexadecimal digits.
            reason, by, at: as for ``hold``.

        Raises:
            HoldUnfit: reason or person is empty or far too long.
            StoreUnavailable: the store cannot be written.
        """
        with self._writing() as store:
            place_holds(store, [number], reason, by, at)

    def release(self, openings: Sequence[str], reason: str, by: str, at: int) -> int:
        """Release the legal holds of openings; return how many. Arguments as for ``hold``.

        Raises:
            HoldUnfit: one of them is not held, or reason or person is empty or far too long.
            StoreUnavailable: the store cannot be written.
        """
        with self._writing(openings) as store:
            return release_holds(store, openings, reason, by, at)

    @property
    def rejected(self) -> Path:
        """The folder for refused rows that name patrons."""
        return self.path.parent / REJECTED

    # --- opening the store --------------------------------------------------------------------

    @contextmanager
    def _writing(self, openings: Sequence[str] = ()) -> Iterator[sqlite3.Connection]:
        """The store for one writer, in its present form; what was interrupted is finished first.

        Args:
            openings: numbers that must look like numbers; where there is no store, none is known.
        """
        self.close()
        for opening in openings:
            if not _ID.fullmatch(opening) or not self.path.exists():
                raise OpeningUnknown(f"There is no opening {opening[:64]!r}.")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with (self.path.parent / "lock").open("wb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._convert()
                with closing(self._open(self.path)) as store:
                    self._join_keys(store, {})
                    self._forget_destroyed(store)
                    yield store
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from error

    def _open(self, path: Path) -> sqlite3.Connection:
        store = sqlite3.connect(path)
        path.chmod(0o600)
        store.execute("PRAGMA secure_delete = ON")
        store.execute("PRAGMA journal_mode = DELETE")
        is_plain = store.execute(_IS_PLAIN).fetchone() is not None
        for table in (_FORGOTTEN, *(() if is_plain else (_SEALED, _IDENTITY, HOLDS, _NO_PLAIN))):
            store.execute(table)
        return store

    def _open_to_read(self) -> sqlite3.Connection:
        """The store as it is; only what a killed writer left half is rolled back."""
        store = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=rw", uri=True)
        identity = _identity(store)
        if identity is not None and self.people.path.exists() and not self.people.is_empty:
            self._check_keys(identity)
        return store

    def _join_keys(self, store: sqlite3.Connection, plain: dict[str, Opening]) -> None:
        """Find the keys of this store, or begin a file of them.

        Args:
            store: the openings.
            plain: those in clear. An old copy of them belongs to the keys whose file knows one.
        """
        identity = _identity(store)
        if identity is None:
            identity = os.urandom(IDENTITY_BYTES)
            if self.people.path.exists() and any(
                self.people.knows(number, _commitments_of(patron))
                for number, patron in plain.items()
            ):
                identity = self.people.identity()
            with store:
                store.execute(_IDENTITY)
                store.execute("INSERT INTO identity VALUES (?)", (identity,))
        is_needed = (
            store.execute(_HAS, ("sealed",)).fetchone()
            and store.execute("SELECT 1 FROM sealed LIMIT 1").fetchone()
        )
        if self.people.is_empty or (not self.people.path.exists() and not is_needed):
            self.people.create(identity)
        self._check_keys(identity)

    def _check_keys(self, identity: bytes) -> None:
        if self.people.identity() != identity:
            raise PeopleKeysOfAnother(
                "The file of persons' keys belongs to another store of names and addresses.",
                where=str(self.people.path),
                next_step="put back the openings that belong to it, or move it elsewhere",
            )

    def _insert(self, store: sqlite3.Connection, openings: dict[str, Opening]) -> None:
        """Encrypt openings under new keys of their own."""
        commitments = {number: _commitments_of(patron) for number, patron in openings.items()}
        keys = self.people.add(commitments)
        with store:
            store.executemany(
                "INSERT INTO sealed VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    (number, *_sealed(keys[number], number, patron), *commitments[number])
                    for number, patron in openings.items()
                ),
            )

    def _forget_destroyed(self, store: sqlite3.Connection) -> None:
        """Erase the openings whose keys were destroyed, and destroy the keys of erased openings.

        Either may be left by a command that was killed, or come with an older copy of the openings
        or of the keys.
        """
        destroyed = self.people.destroyed()
        rows = [
            (number, *commitments)
            for number, commitments in destroyed.items()
            if not _rows(store, "forgotten", "1", number) or _rows(store, "sealed", "1", number)
        ]
        if rows:
            with store:
                store.executemany("INSERT OR IGNORE INTO forgotten VALUES (?, ?, ?)", rows)
                store.executemany("DELETE FROM sealed WHERE opening = ?", [row[:1] for row in rows])
            store.execute("VACUUM")
        erased = {
            number: Commitments(*of) for number, *of in store.execute("SELECT * FROM forgotten")
        }
        if left := {number: erased[number] for number in erased.keys() - destroyed.keys()}:
            self.people.destroy(left)
            with store:
                store.executemany("DELETE FROM sealed WHERE opening = ?", [(n,) for n in left])

    def _convert(self) -> None:
        """Encrypt a store that a version before kept in clear, once.

        The new file replaces the old one at once, which is then overwritten under another name: a
        command that is killed anywhere leaves one of the two, and the next one goes on.
        """
        plain, sealed = self.path.with_suffix(".plain"), self.path.with_suffix(".unfinished")
        if plain.exists():
            if self.path.exists() and plain.samefile(self.path):
                plain.unlink()
            else:
                overwrite(plain)
        if not self.path.exists():
            return
        with closing(self._open(self.path)) as store:
            if not store.execute(_IS_PLAIN).fetchone():
                return
            openings = {number: _opening(*fields) for number, *fields in store.execute(_PLAIN)}
            self._join_keys(store, openings)
            identity, erased = _identity(store), store.execute("SELECT * FROM forgotten").fetchall()
        for left in (sealed, sealed.with_name(f"{sealed.name}-journal")):
            left.unlink(missing_ok=True)
        with closing(self._open(sealed)) as store:
            with store:
                store.execute("INSERT INTO identity VALUES (?)", (identity,))
                store.executemany("INSERT INTO forgotten VALUES (?, ?, ?)", erased)
            live = {n: patron for n, patron in openings.items() if not self.people.forgotten(n)}
            self._insert(store, live)
        os.link(self.path, plain)
        os.replace(sealed, self.path)
        sync_folder(self.path.parent)
        overwrite(plain)
        sync_folder(self.path.parent)

    def _refusal(self, error: Exception) -> StoreUnavailable:
        return StoreUnavailable(
            f"The store of openings cannot be used: {type(error).__name__}.", where=str(self.path)
        )


class ListOpenings:
    """The openings of one mailing list while it is imported: those kept before, and new ones.

    The number of an opening is made of the row's key, so that the same row of a later file finds
    it: a name that stands as before keeps its commitment, another one gets a new opening.

    Args:
        store: of the ledger.
    """

    def __init__(self, store: ErasableStore) -> None:
        self.store = store
        self.new: dict[str, Opening] = {}

    def of(self, key: str, name: str, address: str) -> Committed:
        """What a fact may say of a patron who stands in a row with a key.

        Args:
            key: the key of the row; the number of the commitment comes from it.
            name: the name in plain text. It is kept apart from the facts and can be erased.
            address: the address in plain text, kept in the same way.

        Raises:
            TooManyNames: there is no room for more.
        """
        latest: Opening | Committed | None = None
        version = 0
        while (known := self._known(_number(key, version))) is not None:
            latest, version = known, version + 1
        if isinstance(latest, Committed):
            return latest
        if latest is not None and (latest.name, latest.address) == (name, address):
            return _committed(_number(key, version - 1), latest)
        if len(self.new) >= MOST_NEW:
            raise TooManyNames
        patron = _new_opening(name, address)
        self.new[_number(key, version)] = patron
        return _committed(_number(key, version), patron)

    def _known(self, number: str) -> Opening | Committed | None:
        return self.new.get(number) or self.store.known(number)

    @contextmanager
    def kept(self, is_written: Callable[[], bool]) -> Iterator[None]:
        """Keep the new openings before the facts that name them; without the facts, not at all.

        Args:
            is_written: whether the facts are in the ledger after all, where appending them failed.
        """
        self.store.close()
        if self.new:
            self.store.keep(self.new)
        try:
            yield
        except BaseException:
            if self.new and not is_written():
                self.store.drop(self.new)
            raise


def _opening(
    name: str | bytes, name_salt: bytes, address: str | bytes, address_salt: bytes
) -> Opening:
    """An opening from the fields of a row; decrypted texts are bytes."""
    return Opening(
        name=name if isinstance(name, str) else name.decode(),
        name_salt=name_salt,
        address=address if isinstance(address, str) else address.decode(),
        address_salt=address_salt,
    )


def _new_opening(name: str, address: str) -> Opening:
    return _opening(name, os.urandom(SALT_BYTES), address, os.urandom(SALT_BYTES))


def _bound(opening: str, field: str) -> str:
    """Where a field belongs: an opening's number is made of the mailing list, the line in it and
    how often the line was corrected.
    """
    return f"opening {opening} {field}"


def _sealed(key: bytes, opening: str, patron: Opening) -> tuple[bytes, ...]:
    fields = (
        *(patron.name.encode(), patron.name_salt),
        *(patron.address.encode(), patron.address_salt),
    )
    return tuple(
        seal(key, field, _bound(opening, name)) for name, field in zip(_FIELDS, fields, strict=True)
    )


def _commitments_of(patron: Opening) -> Commitments:
    return Commitments(
        commitment(patron.name, patron.name_salt), commitment(patron.address, patron.address_salt)
    )


def _rows(
    store: sqlite3.Connection, table: str, columns: str, opening: str
) -> list[tuple[Any, ...]]:
    """The rows of one opening in a table that a store of an earlier form may lack."""
    if not store.execute(_HAS, (table,)).fetchone():
        return []
    query = f"SELECT {columns} FROM {table} WHERE opening = ?"
    return store.execute(query, (opening,)).fetchall()


def _commitments(store: sqlite3.Connection, opening: str) -> Commitments:
    """What the facts say of an opening that is kept.

    Raises:
        OpeningUnknown: it is not there.
    """
    rows = _rows(store, "sealed", "name_commitment, address_commitment", opening)
    if not rows:
        raise OpeningUnknown(f"There is no opening {opening[:64]!r}.")
    return Commitments(*rows[0])


def _identity(store: sqlite3.Connection) -> bytes | None:
    """What names the store in the file of its keys; None where it never had one."""
    if not store.execute(_HAS, ("identity",)).fetchone():
        return None
    row = store.execute("SELECT identity FROM identity").fetchone()
    return None if row is None else bytes(row[0])


def _number(key: str, version: int) -> str:
    """The number of an opening, from the key of a row and how often its name was changed."""
    return blake2b(f"{key}\x1f{version}".encode(), digest_size=16).hexdigest()


def _committed(number: str, patron: Opening) -> Committed:
    name, address = _commitments_of(patron)
    return Committed(opening=number, name_commitment=name, address_commitment=address)


def overwrite(path: Path) -> None:
    """Write over a file, then remove it; a link is removed, and what it leads to left alone."""
    if path.is_dir() and not path.is_symlink():
        return
    if path.is_symlink():
        path.unlink()
        return
    with path.open("r+b") as file:
        file.write(bytes(path.stat().st_size))
        file.flush()
        os.fsync(file.fileno())
    path.unlink()
