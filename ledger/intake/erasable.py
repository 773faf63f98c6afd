"""Names and addresses of patrons: the one place that holds them, and that can forget them.

Facts carry salted commitments only (``MailLine``): HMAC-SHA-256 over the text, keyed by 32 random
bytes of its own. The opening (text and salt) lies here, in a database beside the ledger and outside
its entries, so that erasing it leaves the ledger whole and its commitments without meaning.
Law: 58 Pa. Code § 525.21(q)(2)(i), (q)(2)(ii), (q)(4).
"""

from __future__ import annotations

import hmac
import os
import re
import sqlite3
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Final

from ledger.kernel import SourceUnavailable, UsageError

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
_TABLE: Final = """CREATE TABLE IF NOT EXISTS openings (
    opening TEXT PRIMARY KEY, name TEXT NOT NULL, name_salt BLOB NOT NULL,
    address TEXT NOT NULL, address_salt BLOB NOT NULL) STRICT, WITHOUT ROWID"""
_FORGOTTEN: Final = """CREATE TABLE IF NOT EXISTS forgotten (
    opening TEXT PRIMARY KEY, name_commitment BLOB NOT NULL, address_commitment BLOB NOT NULL
    ) STRICT, WITHOUT ROWID"""
"""What was erased: commitments, as the facts have them. Without a salt they say nothing."""


_READ: Final = "SELECT name, name_salt, address, address_salt FROM openings"
_ERASED: Final = "SELECT name_commitment, address_commitment FROM forgotten WHERE opening = ?"


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
        self._reading: sqlite3.Connection | None = None

    def commit(self, name: str, address: str) -> Committed:
        """Keep a name and an address; what a fact may say of them.

        Raises:
            UsageError: one is empty or far too long.
            StoreUnavailable: it cannot be kept.
        """
        for label, text in (("name", name), ("address", address)):
            if not 0 < len(text.strip()) <= LONGEST:
                raise UsageError(f"The {label} is empty or longer than {LONGEST} characters.")
        opening = os.urandom(16).hex()
        salts = os.urandom(SALT_BYTES), os.urandom(SALT_BYTES)
        row = (opening, name, salts[0], address, salts[1])
        try:
            with closing(self._open()) as store, store:
                store.execute("INSERT INTO openings VALUES (?, ?, ?, ?, ?)", row)
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from error
        return Committed(
            opening=opening,
            name_commitment=commitment(name, salts[0]),
            address_commitment=commitment(address, salts[1]),
        )

    def read(self, opening: str) -> Opening:
        """What a commitment was made to.

        Raises:
            OpeningUnknown: there is none, or it was erased.
            StoreUnavailable: the store cannot be read.
        """
        row = None
        if _ID.fullmatch(opening) and self.path.exists():
            try:
                with closing(self._open()) as store:
                    row = store.execute(f"{_READ} WHERE opening = ?", (opening,)).fetchone()
            except (OSError, sqlite3.Error) as error:
                raise self._refusal(error) from error
        if row is None:
            raise OpeningUnknown(f"There is no opening {opening[:64]!r}.")
        return _opening(*row)

    def erase(self, openings: Iterable[str]) -> int:
        """Forget: name, address and salts are overwritten; how many there were.

        Files of refused rows are erased too, whomever they name: a name may be spelt wrongly there.
        What is left is that an opening was forgotten, so that no file brings its name back.

        Raises:
            OpeningUnknown: one of them is not there; then none is erased.
            StoreUnavailable: the store cannot be written.
        """
        self.close()
        wanted = {opening: self.read(opening) for opening in openings}
        rows = [
            (
                opening,
                commitment(patron.name, patron.name_salt),
                commitment(patron.address, patron.address_salt),
            )
            for opening, patron in wanted.items()
        ]
        try:
            for path in self.rejected.rglob("*"):
                _overwrite(path)
            with closing(self._open()) as store:
                store.execute("PRAGMA journal_mode = MEMORY")  # no copy of the rows beside the file
                with store:
                    store.executemany("INSERT INTO forgotten VALUES (?, ?, ?)", rows)
                    store.executemany(
                        "DELETE FROM openings WHERE opening = ?", [(opening,) for opening in wanted]
                    )
                store.execute("VACUUM")
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from error
        return len(wanted)

    def known(self, opening: str) -> Opening | Committed | None:
        """What is kept under a number: an opening, what was forgotten, or nothing.

        Raises:
            StoreUnavailable: the store cannot be read.
        """
        try:
            if self._reading is None:
                if not self.path.exists():
                    return None
                self._reading = self._open()
            kept = self._reading.execute(f"{_READ} WHERE opening = ?", (opening,)).fetchall()
            erased = self._reading.execute(_ERASED, (opening,)).fetchall()
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from error
        if erased:
            name, address = erased[0]
            return Committed(
                opening=opening, name_commitment=name, address_commitment=address, is_forgotten=True
            )
        return _opening(*kept[0]) if kept else None

    def close(self) -> None:
        """End reading."""
        if self._reading is not None:
            self._reading.close()
            self._reading = None

    def keep(self, openings: dict[str, Opening]) -> None:
        """Keep new openings, all of them or none.

        Raises:
            StoreUnavailable: they cannot be kept.
        """
        rows = [
            (number, patron.name, patron.name_salt, patron.address, patron.address_salt)
            for number, patron in openings.items()
        ]
        try:
            with closing(self._open()) as store, store:
                store.executemany("INSERT INTO openings VALUES (?, ?, ?, ?, ?)", rows)
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from error

    def drop(self, openings: Iterable[str]) -> None:
        """Take openings out again that no fact came to name.

        Raises:
            StoreUnavailable: the store cannot be written.
        """
        try:
            with closing(self._open()) as store:
                store.execute("PRAGMA journal_mode = MEMORY")
                with store:
                    store.executemany(
                        "DELETE FROM openings WHERE opening = ?", [(number,) for number in openings]
                    )
                store.execute("VACUUM")
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from error

    def copy_to(self, folder: Path) -> int | None:
        """Copy the openings into a folder of their own, without what was erased.

        What is forgotten later must be forgotten there as well: ``forget`` does not know of it.

        Returns:
            How many openings the copy holds; None where the ledger has no store.

        Raises:
            StoreUnavailable: the store cannot be read, or its copy cannot be written.
        """
        if not self.path.exists():
            return None
        target = folder / self.path.name
        unfinished = target.with_suffix(".unfinished")
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            unfinished.unlink(missing_ok=True)
            with closing(self._open()) as store:
                store.execute("VACUUM INTO ?", (str(unfinished),))
                (count,) = store.execute("SELECT count(*) FROM openings").fetchone()
            unfinished.chmod(0o600)
            os.replace(unfinished, target)
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from error
        return int(count)

    @property
    def rejected(self) -> Path:
        """The folder for refused rows that name patrons."""
        return self.path.parent / REJECTED

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        store = sqlite3.connect(self.path)
        self.path.chmod(0o600)
        store.execute("PRAGMA secure_delete = ON")
        store.execute("PRAGMA journal_mode = DELETE")
        store.execute(_TABLE)
        store.execute(_FORGOTTEN)
        return store

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
        patron = Opening(
            name=name,
            name_salt=os.urandom(SALT_BYTES),
            address=address,
            address_salt=os.urandom(SALT_BYTES),
        )
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


def _opening(name: str, name_salt: bytes, address: str, address_salt: bytes) -> Opening:
    return Opening(name=name, name_salt=name_salt, address=address, address_salt=address_salt)


def _number(key: str, version: int) -> str:
    """The number of an opening, from the key of a row and how often its name was changed."""
    return blake2b(f"{key}\x1f{version}".encode(), digest_size=16).hexdigest()


def _committed(number: str, patron: Opening) -> Committed:
    return Committed(
        opening=number,
        name_commitment=commitment(patron.name, patron.name_salt),
        address_commitment=commitment(patron.address, patron.address_salt),
    )


def _overwrite(path: Path) -> None:
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
