"""Where the outputs of steps stand until the day is issued: a file each, by the hash of its input.

A file is written under a temporary name, made durable and then given its name, so what stands is
whole. Its first 32 bytes are SHA-256 of the rest; one that was damaged is made again. The rest is a
pickle that is read back restricted: plain values and the frozen value types of this package.
"""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, is_dataclass, replace
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from ledger.kernel import IntegrityBroken
from ledger.night.errors import NightUnwritable

PLAIN: Final = frozenset(
    {
        *(("builtins", "set"), ("builtins", "frozenset")),
        *(("datetime", "date"), ("fractions", "Fraction")),
    }
)
TEMPORARY: Final = ".tmp-"
Hook = Callable[[str], None]
"""Told where a run is; does nothing but in the tests that kill it there."""


def unmoved(_place: str) -> None:
    """The hook of every run that is not a test."""


class OutputForeign(IntegrityBroken):
    """The output of a step holds something that is never stored in one."""

    code = "night_output_foreign"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutput:
    """What a step made: a value for the steps after it, and the files that are issued.

    ``aside`` are further values, by name, for the steps that ask for them; of an output that was
    read back they are pickles still, which ``opened_aside`` opens, so that others need not.
    """

    result: Any = None
    files: dict[str, bytes] = field(default_factory=dict)
    aside: Mapping[str, Any] = field(default_factory=dict)

    def bare(self) -> StepOutput:
        """The same without what was put aside."""
        return replace(self, aside={})


class _Writer(pickle.Pickler):
    def reducer_override(self, member: object) -> Any:
        """Members of enums by their value."""
        return (type(member), (member.value,)) if isinstance(member, Enum) else NotImplemented


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        kind = super().find_class(module, name) if module.startswith("ledger.") else None
        if isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, Enum | tuple)):
            return kind
        if (module, name) in PLAIN:
            return super().find_class(module, name)
        raise OutputForeign(f"The output of a step holds a {module}.{name}")


UNREADABLE: Final = (
    *(OutputForeign, pickle.UnpicklingError, EOFError, AttributeError),
    *(ImportError, KeyError, TypeError, ValueError),
)


def packed(output: StepOutput) -> bytes:
    """What a step made, as it is stored."""
    aside = {name: _pickled(value) for name, value in output.aside.items()}
    stored = _pickled(replace(output, aside=aside))
    return sha256(stored).digest() + stored


def _pickled(plain: object) -> bytes:
    buffer = io.BytesIO()
    _Writer(buffer, protocol=5).dump(plain)
    return buffer.getvalue()


def unpacked(stored: bytes) -> StepOutput | None:
    """What was stored, None where that is not what was written."""
    if sha256(stored[32:]).digest() != stored[:32]:
        return None
    try:
        output = _Reader(io.BytesIO(stored[32:])).load()
    except UNREADABLE:
        return None
    return output if isinstance(output, StepOutput) else None


def opened_aside(output: StepOutput, name: str) -> Any:
    """A further value of an output that was read back.

    Raises:
        OutputForeign: it holds something that is never stored.
    """
    return _Reader(io.BytesIO(output.aside[name])).load()


def write_durably(path: Path, content: bytes, at: Hook = unmoved) -> None:
    """Write a file under a temporary name, make it durable, and give it its name.

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
    """The outputs of one gaming day's steps."""

    folder: Path

    def path(self, step: str, key: str) -> Path:
        """Where the output of a step with this input stands."""
        return self.folder / f"{step.replace('/', '+')}.{key[:32]}"

    def get(self, step: str, key: str) -> StepOutput | None:
        """What the step made, None if it does not stand."""
        return read(self.path(step, key))

    def put(self, step: str, key: str, content: bytes, at: Hook = unmoved) -> None:
        """Keep what a step made, as ``packed``.

        Raises:
            NightUnwritable: it cannot be kept.
        """
        write_durably(self.path(step, key), content, at)
        at("step_stored")

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


def read(path: Path) -> StepOutput | None:
    """A stored output, None where there is none or it is damaged."""
    try:
        return unpacked(path.read_bytes())
    except OSError:
        return None
