"""Files at an address, such as a bucket of S3: read whole or in part, listed, created once.

An address is ``PROTOCOL://...`` of fsspec. Nothing is ever replaced or removed there: a name is
created under the condition that it does not exist (``If-None-Match: *``), since S3 has no rename.
Credentials come from the environment or a profile, by the library's own rules; they are in no
address, no message and no log of ours. Each request has a time limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from ledger.analytics.store_errors import (
    StoreAddressWrong,
    StoreBucketMissing,
    StoreDenied,
    StoredObjectAltered,
    StoreLibraryMissing,
    StoreNotConditional,
    StoreUnreachable,
)
from ledger.kernel import LedgerError
from ledger.kernel.quick_dataclass import dataclass

SEPARATOR: Final = "://"
S3: Final = frozenset({"s3", "s3a"})
"""Protocols whose library makes a conditional put of one request; others look first, then write."""
CONNECT_SECONDS: Final = 5
READ_SECONDS: Final = 20
TRIES: Final = 2
"""How often the library, and botocore below it, send a request."""
MOST_NAMES: Final = 1_000_000
"""How many names a listing may have."""
PROBE: Final = "conditional-put"
"""The object that shows whether the service keeps the condition of a put."""
_DENIED: Final = ("Credential", "Token", "Profile", "Unauthorized")
"""Words in the names of the library's errors about credentials."""
_CHECKSUM: Final = "FlexibleChecksumError"
"""What botocore calls an object that differs from the checksum which the service gives for it."""
_NO_BUCKET: Final = ("NoSuchBucket", "InvalidBucketName")


def is_address(text: str) -> bool:
    """Whether a text is an address, not a path.

    >>> is_address("s3://bucket/archive"), is_address("/srv/archive")
    (True, False)
    """
    return SEPARATOR in text


def day_named(text: str) -> date | None:
    """Return the day that a name is, in the one form that is written; None if it is another name.

    >>> day_named("2021-06-12"), day_named("20210612"), day_named("notes")
    (datetime.date(2021, 6, 12), None, None)
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectStore:
    """The files below one address or folder; made by ``open_store``.

    Attributes:
        address: as people read it.
        protocol: of fsspec, ``file`` for a folder.
        root: the address without its protocol.
        files: fsspec's file system.
    """

    address: str
    protocol: str
    root: str
    files: Any

    def read(self, name: str, limit: int) -> bytes | None:
        """Return a file's content; None if there is none of this name.

        Args:
            name: below the address.
            limit: the most bytes that it may have.

        Raises:
            StoredObjectAltered: it has more.
            StoreUnreachable, StoreDenied, StoreBucketMissing: it cannot be read.
        """
        content = self.part(name, 0, limit + 1)
        if content is not None and len(content) > limit:
            raise StoredObjectAltered(self.where(name), f"it has more than {limit:,} bytes")
        return content

    def part(self, name: str, start: int, end: int) -> bytes | None:
        """Return bytes ``start`` to ``end`` of a file, fewer where it ends; None if there is none.

        Raises:
            StoreUnreachable, StoreDenied, StoreBucketMissing: it cannot be read.
        """
        try:
            with self._translated(name):
                content: bytes = self.files.cat_file(self._path(name), start=start, end=end)
                return content
        except FileNotFoundError:
            return None
        except _NothingThere:
            return b""

    def names(self, folder: str) -> list[str]:
        """Return the names right below a folder, in order; none where it does not exist.

        Raises:
            StoreUnreachable, StoreDenied, StoreBucketMissing: it cannot be listed.
        """
        try:
            with self._translated(folder):
                paths: list[str] = self.files.ls(self._path(folder), detail=False)
        except FileNotFoundError:
            return []
        if len(paths) > MOST_NAMES:
            raise StoreUnreachable(self.where(folder), f"it lists more than {MOST_NAMES:,} names")
        return sorted(path.rstrip("/").rpartition("/")[2] for path in paths)

    def create(self, name: str, content: bytes) -> bool:
        """Create a file under the condition that there is none of its name.

        Returns:
            False if there was one; it stays as it is.

        Raises:
            StoreUnreachable, StoreDenied, StoreBucketMissing: it cannot be created.
        """
        try:
            with self._translated(name):
                self.files.pipe_file(self._path(name), content, mode="create")
        except FileExistsError:
            return False
        except FileNotFoundError as error:
            raise StoreUnreachable(self.where(name), "it cannot be written") from error
        return True

    def require_conditional_put(self) -> None:
        """Require that a name which exists is not replaced; try it on an object of its own.

        Raises:
            StoreNotConditional: it is replaced, or nobody can tell.
            StoreUnreachable, StoreDenied, StoreBucketMissing: it cannot be tried.
        """
        if self.protocol not in S3:
            problem = f"conditional puts are known for s3:// only, not for {self.protocol}://"
            raise StoreNotConditional(self.address, problem)
        content = b"pitledger puts this twice; the second put must fail\n"
        self.create(PROBE, content)
        if self.create(PROBE, content):
            problem = "the service replaced an object although it was told not to"
            raise StoreNotConditional(self.address, problem)

    def where(self, name: str) -> str:
        """Return where a file lies, as people read it."""
        return f"{self.address}/{name}" if name else self.address

    def _path(self, name: str) -> str:
        return f"{self.root}/{name}" if name else self.root

    @contextmanager
    def _translated(self, name: str) -> Iterator[None]:
        """Say what the library's errors mean; their own texts can hold more than may be shown."""
        try:
            yield
        except (FileNotFoundError, FileExistsError) as error:
            if _service_code(error) in _NO_BUCKET:
                raise StoreBucketMissing(self.address) from None
            raise
        except LedgerError:
            raise
        except Exception as error:
            raise self._refusal(name, error) from None

    def _refusal(self, name: str, error: Exception) -> Exception:
        code, kind, where = _service_code(error), type(error).__name__, self.where(name)
        match code:
            case "InvalidRange" | "416":
                return _NothingThere()
            case "NoSuchBucket" | "InvalidBucketName":
                return StoreBucketMissing(self.address)
        if kind == _CHECKSUM:
            return StoredObjectAltered(where, "its bytes are others, or it is cut")
        if isinstance(error, PermissionError) or any(word in kind for word in _DENIED):
            return StoreDenied(where, code or kind)
        if isinstance(error, OSError) and not code and error.strerror:
            return StoreUnreachable(where, error.strerror)
        return StoreUnreachable(where, code or kind)


class _NothingThere(Exception):
    """The file ends before the part that was asked for begins."""


def _service_code(error: BaseException) -> str:
    """The code that an S3 service gave, empty where it gave none."""
    for cause in (error, error.__cause__):
        response = getattr(cause, "response", None)
        if isinstance(response, dict):
            return str(response.get("Error", {}).get("Code", ""))[:80]
    return ""


def open_store(text: str | Path) -> ObjectStore:
    """Return the files at an address or in a folder; nothing is asked yet.

    Args:
        text: ``s3://bucket/prefix``, another address of fsspec, or a path.

    Raises:
        StoreAddressWrong: it is no address, or holds a user, a password, a query or a fragment.
        StoreLibraryMissing: the library for it is not installed.
    """
    import fsspec

    if isinstance(text, Path) or not is_address(text):
        path = Path(text).absolute()
        root = path.as_posix()
        return ObjectStore(
            address=str(text), protocol="file", root=root, files=fsspec.filesystem("file")
        )
    protocol, root = _parts(text)
    shown = f"{protocol}{SEPARATOR}{root}"
    try:
        files = fsspec.filesystem(protocol, **_options(protocol))
    except ImportError as error:
        raise StoreLibraryMissing(shown, protocol) from error
    except (ValueError, TypeError) as error:
        raise StoreAddressWrong(shown, f"{protocol} is no protocol that is known") from error
    if protocol in S3:
        files.retries = TRIES
    return ObjectStore(address=shown, protocol=protocol, root=root, files=files)


def _parts(text: str) -> tuple[str, str]:
    """The protocol of an address and what follows it.

    Raises:
        StoreAddressWrong: as for ``open_store``; what may be secret is not shown.
    """
    try:
        split = urlsplit(text)
    except ValueError as error:
        raise StoreAddressWrong("", "it is no address") from error
    if "@" in split.netloc or split.query or split.fragment or "::" in text:
        shown = f"{split.scheme}{SEPARATOR}..."
        raise StoreAddressWrong(shown, "it holds a user, a password, a query or a second address")
    root = f"{split.netloc}{split.path}".rstrip("/")
    if not split.scheme or not root or any(part in (".", "..") for part in root.split("/")):
        raise StoreAddressWrong(f"{split.scheme}{SEPARATOR}{root}", "it names no place")
    return split.scheme, root


def _options(protocol: str) -> dict[str, Any]:
    """What the library is told beside the environment: how long it waits, and to keep no lists."""
    if protocol not in S3:
        return {}
    tries = {"total_max_attempts": TRIES, "mode": "standard"}
    limits = {"connect_timeout": CONNECT_SECONDS, "read_timeout": READ_SECONDS, "retries": tries}
    return {"config_kwargs": limits, "use_listings_cache": False}
