"""Where the outputs of steps stand until the day is issued: a file each, by the hash of its input.

A file is written under a temporary name, made durable and then given its name, so what stands is
whole. An output is believed in the run that made it, by the hash that the run remembers, and in a
later run where the ledger's key sealed it (``log/seals.py``); any other is made again. Its bytes
are canonical (``kernel/value_bytes.py``): a closed list of kinds, and no pickle.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from struct import Struct
from typing import Any, Final

from ledger.events import EVENTS
from ledger.kernel.value_bytes import ValueFormat, ValueUnreadable, declared_kinds
from ledger.log.seals import SealedFolder, Seals, content_of
from ledger.night.errors import NightUnwritable, StepLost
from ledger.replay import Amended

TEMPORARY: Final = ".tmp-"
KIND: Final = "work"
"""What the files are called in the index that seals them."""
Hook = Callable[[str], None]
"""Told where a run is; does nothing but in the tests that kill it there."""


def unmoved(_place: str) -> None:
    """The hook of every run that is not a test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutput:
    """What a step made.

    Args:
        result: a value for the steps after it.
        files: what is issued, by name.
        aside: further values, by name, for the steps that ask for them.
    """

    result: Any = None
    files: dict[str, bytes] = field(default_factory=dict)
    aside: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OutputTypes:
    """The declared types of what a step makes: only such values are written, and read back.

    Args:
        result: the type of its result.
        aside: the types of what it puts aside, by name.
    """

    result: Any = None
    aside: Mapping[str, Any] = field(default_factory=dict)

    def written(self, output: StepOutput) -> bytes:
        """Return an output as bytes.

        Raises:
            ValueUnreadable: it holds a value of another type.
        """
        aside = {
            name: value_format(hint).write(output.aside[name]) for name, hint in self.aside.items()
        }
        result = value_format(self.result).write(output.result)
        return value_format(None).write((result, output.files, aside))


PACKED: Final = {float: Struct(">d")}
"""Evidence is a number with a fraction, written as IEEE 754."""
FILES_ONLY: Final = OutputTypes()
"""Of a step that makes nothing but files."""


@cache
def value_format(hint: Any) -> ValueFormat:
    """Return the format of values of one declared type.

    Facts of every kind are values of it where it holds what amendments changed.
    """
    kinds = declared_kinds([hint])
    return ValueFormat(kinds | _facts() if Amended in kinds else kinds, packed=PACKED)


@cache
def _facts() -> frozenset[type[Any]]:
    return declared_kinds(EVENTS.values())


@dataclass(frozen=True, slots=True)
class StoredOutput:
    """The output of a step in its file, as this run has seen it.

    Args:
        path: the file.
        digest: SHA-256 of the whole file, in hexadecimal; a file that has another is not read.
        types: those of the step.
    """

    path: Path
    digest: str
    types: OutputTypes

    def read(self) -> StepOutput | None:
        """Return the output without what was put aside; None if it does not stand any more."""
        parts = self._parts()
        if parts is None:
            return None
        result, files, _ = parts
        return StepOutput(result=value_format(self.types.result).read(result), files=files)

    def read_aside(self, name: str) -> Any:
        """Return what was put aside under a name.

        Raises:
            StepLost: the file does not stand any more.
        """
        parts = self._parts()
        if parts is None:
            raise StepLost(self.path.name)
        return value_format(self.types.aside[name]).read(parts[2][name])

    def content(self) -> bytes | None:
        """Return what ``OutputTypes.written`` gave; None if it does not stand any more."""
        try:
            stored = self.path.read_bytes()
        except OSError:
            return None
        return content_of(stored) if sha256(stored).hexdigest() == self.digest else None

    def _parts(self) -> tuple[bytes, dict[str, bytes], dict[str, bytes]] | None:
        content = self.content()
        return None if content is None else value_format(None).read(content)


def write_durably(path: Path, content: bytes, at: Hook = unmoved) -> None:
    """Write a file under a temporary name, make it durable, and give it its name.

    Args:
        path: the file; its folder is made if it is not there.
        content: its bytes.
        at: told where the run is.

    Raises:
        NightUnwritable: it cannot be; nothing of it is left.
    """
    scratch = path.with_name(f"{TEMPORARY}{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with scratch.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        at("step_written")
        scratch.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)
        raise NightUnwritable(path, error) from error


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@dataclass(frozen=True, slots=True)
class Store:
    """The outputs of one gaming day's steps.

    Args:
        folder: where they stand.
        seals: those of the ledger.
    """

    folder: Path
    seals: Seals

    def standing(self, step: str, key: str, types: OutputTypes) -> StoredOutput | None:
        """Return the output of a step with this input, as an earlier run sealed it.

        Args:
            step: the step's name, with its table where it is per table.
            key: the hash of its input, in hexadecimal.
            types: the declared types of what it makes.

        Returns:
            None if there is none, or if nobody vouches for it: then it is made again.
        """
        path = self._path(step, key)
        try:
            stored = path.read_bytes()
        except OSError:
            return None
        if self.seals.opened(KIND, path.name, stored) is None:
            return None
        return StoredOutput(path, sha256(stored).hexdigest(), types)

    def put(
        self, step: str, key: str, content: bytes, types: OutputTypes, at: Hook = unmoved
    ) -> StoredOutput:
        """Keep what a step made, as ``OutputTypes.written`` gives it.

        Args:
            step: the step's name, with its table where it is per table.
            key: the hash of its input, in hexadecimal.
            content: the output as bytes.
            types: the declared types of what it makes.
            at: told where the run is.

        Raises:
            NightUnwritable: it cannot be kept.
        """
        path = self._path(step, key)
        stored = content + self.seals.trailer(KIND, path.name, sha256(content).hexdigest())
        write_durably(path, stored, at)
        at("step_stored")
        return StoredOutput(path, sha256(stored).hexdigest(), types)

    def _path(self, step: str, key: str) -> Path:
        return self.folder / f"{step.replace('/', '+')}.{key[:32]}"

    def keep_only(self, paths: Iterable[Path]) -> None:
        """Remove what other inputs have left; a file that cannot be removed does no harm."""
        wanted = set(paths)
        for path in self.folder.glob("*"):
            if path not in wanted:
                with suppress(OSError):
                    path.unlink()
        for path in self.folder.glob(f"{TEMPORARY}*"):
            with suppress(OSError):
                path.unlink()


@dataclass(frozen=True, slots=True)
class DerivedValues:
    """Values of one declared type in a ledger's cache, sealed, each under the hash of its input.

    Args:
        sealed: the folder.
        hint: the declared type.
    """

    sealed: SealedFolder
    hint: Any

    def read(self, key: str) -> Any:
        """Return the value that was kept; None if there is none, or nobody vouches for it."""
        stored = self.sealed.read(key)
        if stored is None:
            return None
        try:
            return value_format(self.hint).read(stored)
        except ValueUnreadable:
            return None

    def keep(self, key: str, derived: Any) -> None:
        """Keep a value; what cannot be kept is made again when it is wanted."""
        self.sealed.write(key, [value_format(self.hint).write(derived)])
