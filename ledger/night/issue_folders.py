"""The issues of a gaming day: a folder each, never changed once it has its name.

``DAY/PHASE-N/`` holds the outputs and the manifest. A day is restated by issue N + 1; N stays.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

from ledger.night.errors import IssueDamaged, NightUnwritable, NothingIssued
from ledger.night.manifest import NAME, canonical, read_manifest
from ledger.night.store import TEMPORARY, Hook, sync_folder, unmoved
from ledger.reports.night import Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """One issue: where it stands, and its manifest."""

    path: Path
    number: int
    manifest: Mapping[str, Any]

    @property
    def digest(self) -> bytes:
        """SHA-256 of the manifest: what a signature is for."""
        return sha256(canonical(self.manifest)).digest()

    def reference(self) -> dict[str, str]:
        """How another manifest names this issue: by gaming day, folder and digest."""
        return {
            "gaming_day": self.manifest["gaming_day"],
            "issue": self.path.name,
            "manifest": self.digest.hex(),
        }

    def check(self, *names: str) -> None:
        """Compare every file, or those that are named, with the manifest.

        Raises:
            IssueDamaged: one is missing or another.
        """
        for output in self.manifest["outputs"]:
            if names and output["name"] not in names:
                continue
            path = self.path / output["name"]
            try:
                content = path.read_bytes()
            except OSError as error:
                raise IssueDamaged(path, "it cannot be read") from error
            if sha256(content).hexdigest() != output["sha256"]:
                raise IssueDamaged(path, "its bytes are others")


def issues(out: Path, day: date, phase: Phase) -> list[Issue]:
    """The issues of a day and phase, the last one last."""
    numbers = []
    for path in (out / day.isoformat()).glob(f"{phase.value}-*"):
        number = path.name.rpartition("-")[2]
        if path.is_dir() and number.isdigit():
            numbers.append((int(number), path))
    return [
        Issue(path=path, number=number, manifest=read_manifest(path))
        for number, path in sorted(numbers)
    ]


def last_issue(out: Path, day: date, phase: Phase) -> Issue:
    """The issue that holds.

    Raises:
        NothingIssued: there is none.
    """
    of_day = issues(out, day, phase)
    if not of_day:
        raise NothingIssued(f"{day}, {phase.value}, in {out}")
    return of_day[-1]


def reported_issue(out: Path, day: date) -> Issue | None:
    """The issue of a day that people read: the last final one, else the last preliminary one."""
    for phase in (Phase.FINAL, Phase.PRELIMINARY):
        of_phase = issues(out, day, phase)
        if of_phase:
            return of_phase[-1]
    return None


def named_manifest(out: Path, text: str) -> Mapping[str, Any]:
    """A manifest by its file, the folder of its issue, or DAY, DAY/PHASE or DAY/PHASE-N.

    A day alone names its last final issue, or the last preliminary one where there is none.

    Raises:
        NothingIssued: there is no such issue.
    """
    if Path(text).exists():
        return read_manifest(Path(text))
    if (out / text).is_dir() and (out / text / NAME).exists():
        return read_manifest(out / text)
    named, _, phase = text.partition("/")
    try:
        day = date.fromisoformat(named)
        phases = [Phase(phase)] if phase else [Phase.FINAL, Phase.PRELIMINARY]
    except ValueError as error:
        raise NothingIssued(f"{text!r} in {out}") from error
    for candidate in phases:
        of_day = issues(out, day, candidate)
        if of_day:
            return of_day[-1].manifest
    raise NothingIssued(f"{text} in {out}")


def write_issue(
    out: Path, manifest: Mapping[str, Any], files: Mapping[str, bytes], at: Hook = unmoved
) -> Issue:
    """Write an issue under a temporary name, make it durable, and give it its name.

    Raises:
        NightUnwritable: it cannot be; nothing of it is left.
    """
    day, phase, number = manifest["gaming_day"], manifest["phase"], manifest["issue"]
    final = out / day / f"{phase}-{number}"
    scratch = final.with_name(f"{TEMPORARY}{final.name}")
    try:
        if scratch.exists():
            shutil.rmtree(scratch)
        folders = {scratch}
        for name, content in {**files, NAME: canonical(manifest)}.items():
            path = scratch / name
            path.parent.mkdir(parents=True, exist_ok=True)
            folders.add(path.parent)
            with path.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        for folder in sorted(folders, reverse=True):
            sync_folder(folder)
        at("issue_written")
        scratch.rename(final)
        sync_folder(final.parent)
    except OSError as error:
        with suppress(OSError):
            shutil.rmtree(scratch, ignore_errors=True)
        raise NightUnwritable(final, error) from error
    at("issue_named")
    return Issue(path=final, number=number, manifest=manifest)
