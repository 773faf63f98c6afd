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
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from ledger.kernel import SourceUnavailable, UsageError

SALT_BYTES: Final = 32
LONGEST: Final = 500
"""Characters of a name or an address."""
FOLDER: Final = "erasable"
"""The folder of a ledger that is no part of its tree."""
_ID: Final = re.compile(r"[0-9a-f]{32}")
_TABLE: Final = """CREATE TABLE IF NOT EXISTS openings (
    opening TEXT PRIMARY KEY, name TEXT NOT NULL, name_salt BLOB NOT NULL,
    address TEXT NOT NULL, address_salt BLOB NOT NULL) STRICT, WITHOUT ROWID"""


class OpeningUnknown(UsageError):
    """The store has no such opening: it never had, or it was erased."""

    code = "opening_unknown"


class StoreUnavailable(SourceUnavailable):
    """The store of openings cannot be read or written."""

    code = "erasable_store_unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What a fact may say of a patron: two commitments, and the number of their opening."""

    opening: str
    name_commitment: bytes
    address_commitment: bytes


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
    """Whether a commitment is one to this text with this salt."""
    return len(salt) == SALT_BYTES and hmac.compare_digest(committed, commitment(text, salt))


class ErasableStore:
    """The openings of one ledger, in ``erasable/openings.sqlite`` below its folder.

    Args:
        folder: the ledger's.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FOLDER / "openings.sqlite"

    def commit(self, name: str, address: str) -> Committed:
        """Keep a name and an address; what a fact may say of them.

        Raises:
            UsageError: one is empty or far too long.
            StoreUnavailable: it cannot be kept.
        """
        for what, text in (("name", name), ("address", address)):
            if not 0 < len(text.strip()) <= LONGEST:
                raise UsageError(f"The {what} is empty or longer than {LONGEST} characters.")
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
        found = None
        if _ID.fullmatch(opening) and self.path.exists():
            try:
                with closing(self._open()) as store:
                    found = store.execute(
                        "SELECT name, name_salt, address, address_salt FROM openings"
                        " WHERE opening = ?",
                        (opening,),
                    ).fetchone()
            except (OSError, sqlite3.Error) as error:
                raise self._refusal(error) from error
        if found is None:
            raise OpeningUnknown(f"There is no opening {opening[:64]!r}.")
        name, name_salt, address, address_salt = found
        return Opening(name=name, name_salt=name_salt, address=address, address_salt=address_salt)

    def erase(self, openings: Iterable[str]) -> int:
        """Forget: name, address and salts are overwritten; how many there were.

        Raises:
            OpeningUnknown: one of them is not there; then none is erased.
            StoreUnavailable: the store cannot be written.
        """
        wanted = list(dict.fromkeys(openings))
        for opening in wanted:
            self.read(opening)
        try:
            with closing(self._open()) as store:
                store.execute("PRAGMA journal_mode = MEMORY")  # no copy of the rows beside the file
                with store:
                    store.executemany(
                        "DELETE FROM openings WHERE opening = ?", [(one,) for one in wanted]
                    )
                store.execute("VACUUM")
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from error
        return len(wanted)

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        store = sqlite3.connect(self.path)
        self.path.chmod(0o600)
        store.execute("PRAGMA secure_delete = ON")
        store.execute("PRAGMA journal_mode = DELETE")
        store.execute(_TABLE)
        return store

    def _refusal(self, error: Exception) -> StoreUnavailable:
        return StoreUnavailable(
            f"The store of openings cannot be used: {type(error).__name__}.", where=str(self.path)
        )
