"""Where the outputs of steps stand until the day is issued: a file each, by the hash of its input.

A file is written under a temporary name, made durable and then given its name, so what stands is
whole. An output is believed in the run that made it, by the hash that the run remembers, and in a
later run where the ledger's key sealed it (``log/signed_file_index.py``); any other is made
again. Its bytes are canonical (``kernel/value_bytes.py``): a closed list of kinds, and no pickle.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import field
from functools import cache
from hashlib import sha256
from pathlib import Path
from struct import Struct
from typing import Any, Final

from ledger.events import EVENTS
from ledger.kernel.quick_dataclass import dataclass
from ledger.kernel.value_bytes import ValueFormat, ValueUnreadable, declared_kinds
from ledger.log.signed_file_index import SealedFolder, Seals, content_of
from ledger.night.errors import NightUnwritable, StepLost
from ledger.replay import Amended

TEMPORARY: Final = ".tmp-"
KIND: Final = "work"
"""What the files are called in the index that seals them."""
Hook = Callable[[str], None]
"""Called with the name of each point that a run passes, such as ``step_written``.

Tests use it to stop a run exactly there; every other run passes ``unmoved``.
"""


def unmoved(_place: str) -> None:
    """The hook of every run that is not a test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutput:
    """What a step made.

    Attributes:
        result: a value for the steps after it, of the type that the step declares.
        files: the files that are issued, by their path within the issue (``marts/rounds.parquet``).
        aside: further values, by name. They are read one at a time by the steps that ask for them,
            so that large ones are not all in memory together.
    """

    result: Any = None
    files: dict[str, bytes] = field(default_factory=dict)
    aside: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OutputTypes:
    """The declared types of what a step makes: only such values are written, and read back.

    Attributes:
        result: the type of its result; None for a step without one.
        aside: the types of what it puts aside, by name.
    """

    result: object = None
    aside: Mapping[str, object] = field(default_factory=dict)

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


PACKED: Final[Mapping[type[object], Struct]] = {float: Struct(">d")}
"""Evidence is a number with a fraction, written as IEEE 754."""
FILES_ONLY: Final = OutputTypes()
"""Of a step that makes nothing but files."""


@cache
def value_format(hint: object) -> ValueFormat:
    """Return the format of values of one declared type.

    Facts of every kind are values of it where it holds what amendments changed.
    """
    kinds = declared_kinds([hint])
    return ValueFormat(kinds | _facts() if Amended in kinds else kinds, packed=PACKED)


@cache
def _facts() -> frozenset[type[object]]:
    return declared_kinds(EVENTS.values())


@dataclass(frozen=True, slots=True)
class StoredOutput:
    """The output of a step in its file, as this run has seen it.

    Attributes:
        path: the file.
        digest: SHA-256 of the whole file, in hexadecimal; a file that has another is not read.
        types: those of the step.
    """

    path: Path
    digest: str
    types: OutputTypes

    def read(self) -> StepOutput | None:
        """Return the output without what was put aside.

        Returns:
            None if the file is gone or its bytes are no longer those of ``digest``.
        """
        parts = self._parts()
        if parts is None:
            return None
        result, files, _ = parts
        return StepOutput(result=value_format(self.types.result).read(result), files=files)

    def read_aside(self, name: str) -> Any:
        """Return what was put aside under a name.

        Raises:
            StepLost: the file is gone, or its bytes are no longer those of ``digest``.
            KeyError: the step declares nothing of that name.
        """
        parts = self._parts()
        if parts is None:
            raise StepLost(self.path.name)
        return value_format(self.types.aside[name]).read(parts[2][name])

    def content(self) -> bytes | None:
        """Return the bytes that ``OutputTypes.written`` gave, without the seal.

        Returns:
            None if the file is gone or its bytes are no longer those of ``digest``.
        """
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
        path: its final name; a file that has it is replaced, and missing folders are made.
        content: all of its bytes.
        at: called with ``step_written`` before the file gets its name.

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

    Attributes:
        folder: the folder of their files.
        seals: the ledger's key, which decides whether a file from an earlier run is believed.
    """

    folder: Path
    seals: Seals

    def standing(self, step: str, key: str, types: OutputTypes) -> StoredOutput | None:
        """Return the output of a step with this input, as an earlier run sealed it.

        Args:
            step: the name of the job, ``NAME`` or ``NAME/TABLE``.
            key: the hash of its step, the code and its input, in hexadecimal.
            types: the declared types of the step.

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
        """Seal what a step made and keep it; arguments as for ``standing``.

        Args:
            content: the output as ``OutputTypes.written`` gives it.
            at: called with ``step_written`` and ``step_stored``.

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
        """Remove every file but these, which other inputs and stopped runs have left.

        A file that cannot be removed does no harm: nothing reads it.
        """
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

    Attributes:
        sealed: the folder that holds them.
        hint: the declared type.
    """

    sealed: SealedFolder
    hint: object

    def read(self, key: str) -> Any:
        """Return the value that was kept under the hash of its input.

        Returns:
            None if there is none, if the ledger's key did not seal it, or if this version cannot
            read it; the caller then derives it again.
        """
        stored = self.sealed.read(key)
        if stored is None:
            return None
        try:
            return value_format(self.hint).read(stored)
        except ValueUnreadable:
            return None

    def keep(self, key: str, derived: object) -> None:
        """Keep a value under the hash of its input.

        A value that cannot be written to the folder is derived again when it is wanted.

        Raises:
            ValueUnreadable: it is of another type than the declared one.
        """
        self.sealed.write(key, [value_format(self.hint).write(derived)])
