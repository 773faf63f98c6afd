"""The issues of a gaming day: a folder each, never changed once it has its name.

``DAY/PHASE-N/`` holds the outputs, the manifest, and the index by which the ledger's key seals the
manifest and so every output (``log/signed_file_index.py``). A day is restated by
issue N + 1; N stays.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.signed_file_index import Seals
from ledger.night.errors import IssueDamaged, NightUnwritable, NothingIssued
from ledger.night.manifest import NAME, Manifest, canonical, read_manifest
from ledger.night.store import TEMPORARY, Hook, sync_folder, unmoved
from ledger.reports.night import Phase

INDEX: Final = "manifest.index"
"""The signed index that lists the manifest."""
KIND: Final = "issue"
"""What the files are called in the index that seals them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """One issue of a gaming day.

    Attributes:
        path: its folder.
        number: counted from 1 for each day and phase.
        manifest: what it was made from, and its outputs with their hashes.
        is_sealed: whether the ledger's key vouches for the manifest. One that it does not vouch for
            tells nobody anything: it may have been changed together with its files.
    """

    path: Path
    number: int
    manifest: Manifest
    is_sealed: bool

    @property
    def digest(self) -> bytes:
        """SHA-256 of the canonical manifest, 32 bytes: what a signature is for."""
        return sha256(canonical(self.manifest)).digest()

    def reference(self) -> dict[str, str]:
        """Return how another manifest names this issue.

        Returns:
            ``gaming_day``, ``issue`` (the name of its folder, ``final-2``) and ``manifest`` (its
            digest in hexadecimal).
        """
        return {
            "gaming_day": self.manifest["gaming_day"],
            "issue": self.path.name,
            "manifest": self.digest.hex(),
        }

    def check(self, *names: str) -> None:
        """Require the seal, and compare files with the hashes in the manifest.

        Args:
            names: the outputs that are compared; all of them where none is named.

        Raises:
            IssueDamaged: the ledger's key did not seal it; a file is missing or another.
        """
        if not self.is_sealed:
            raise IssueDamaged(self.path, "the ledger's key did not seal it")
        self.check_files(*names)

    def check_files(self, *names: str) -> None:
        """Compare files with the hashes in the manifest, sealed or not; arguments as for ``check``.

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


def issues(out: Path, day: date, phase: Phase, seals: Seals) -> list[Issue]:
    """Return the issues of a day and phase, the last one last.

    Args:
        out: the folder of nights.
        day: the gaming day.
        phase: before the count or after it.
        seals: those of the ledger.

    Raises:
        IssueDamaged: a manifest cannot be read.
    """
    return [_issue(path, number, seals) for number, path in _numbered(out, day, phase)]


def sealed_issues(out: Path, day: date, phase: Phase, seals: Seals) -> list[Issue]:
    """Return those of a day's issues that the ledger's key vouches for; otherwise as ``issues``."""
    return [issue for issue in issues(out, day, phase, seals) if issue.is_sealed]


def _numbered(out: Path, day: date, phase: Phase) -> list[tuple[int, Path]]:
    """The folders of a day's issues with their numbers, in order."""
    numbers = []
    for path in (out / day.isoformat()).glob(f"{phase.value}-*"):
        number = path.name.rpartition("-")[2]
        if path.is_dir() and number.isdigit():
            numbers.append((int(number), path))
    return sorted(numbers)


def _issue(path: Path, number: int, seals: Seals) -> Issue:
    manifest = read_manifest(path)
    try:
        index = (path / INDEX).read_bytes()
    except OSError:
        index = b""
    return Issue(
        path=path,
        number=number,
        manifest=manifest,
        is_sealed=is_vouched(manifest, index, path.parent.name, path.name, seals),
    )


def is_vouched(manifest: Manifest, index: bytes, day: str, folder: str, seals: Seals) -> bool:
    """Whether the ledger's key of that time sealed a manifest as that of a day and folder.

    Args:
        manifest: as it was read.
        index: the signed index beside it.
        day: the name of the folder of the day.
        folder: the name of the issue's folder, ``final-2``.
        seals: those of the ledger.
    """
    name, digest = _sealed_name(manifest), sha256(canonical(manifest)).hexdigest()
    lists = (one.listed(KIND, index) or {} for one in seals.at(manifest["tree_size"]))
    is_sealed = any(listed.get(name) == digest for listed in lists)
    return is_sealed and (day, folder) == (manifest["gaming_day"], _folder_name(manifest))


def _folder_name(manifest: Manifest) -> str:
    return f"{manifest.get('phase')}-{manifest.get('issue')}"


def _sealed_name(manifest: Manifest) -> str:
    return f"{manifest.get('gaming_day')}/{_folder_name(manifest)}/{NAME}"


def last_issue(out: Path, day: date, phase: Phase, seals: Seals) -> Issue:
    """Return the last issue of a day and phase, sealed or not; arguments as for ``issues``.

    Args:
        out: the folder of nights.
        day: the gaming day.
        phase: before the count or after it.
        seals: those of the ledger.

    Raises:
        NothingIssued: there is none.
        IssueDamaged: a manifest cannot be read.
    """
    of_day = issues(out, day, phase, seals)
    if not of_day:
        raise NothingIssued(f"{day}, {phase.value}, in {out}")
    return of_day[-1]


def reported_issue(out: Path, day: date, seals: Seals) -> Issue | None:
    """Return the issue of a day that people read: the last final, else the last preliminary one.

    Returns:
        None where the day has no issue. It may be one that is not sealed.

    Raises:
        IssueDamaged: a manifest cannot be read.
    """
    for phase in (Phase.FINAL, Phase.PRELIMINARY):
        of_phase = issues(out, day, phase, seals)
        if of_phase:
            return of_phase[-1]
    return None


def named_manifest(out: Path, text: str) -> Manifest:
    """Return a manifest, sealed or not.

    Args:
        out: the folder of nights.
        text: the path of a manifest or of an issue's folder, or a name as for ``named_issue``.

    Raises:
        NothingIssued: there is no such issue.
        IssueDamaged: the manifest cannot be read.
    """
    return read_manifest(Path(text) if Path(text).exists() else _named_folder(out, text))


def named_issue(out: Path, text: str, seals: Seals) -> Issue:
    """Return an issue by its name in a folder of nights, sealed or not.

    Args:
        out: the folder of nights.
        text: ``2026-03-01``, ``2026-03-01/final`` or ``2026-03-01/final-2``. A day alone names its
            last final issue, or the last preliminary one where there is none.
        seals: those of the ledger.

    Raises:
        NothingIssued: there is no such issue.
        IssueDamaged: its manifest cannot be read.
    """
    path = _named_folder(out, text)
    return _issue(path, int(path.name.rpartition("-")[2]), seals)


def _named_folder(out: Path, text: str) -> Path:
    named, _, phase = text.partition("/")
    name, _, number = phase.partition("-")
    try:
        day = date.fromisoformat(named)
        phases = [Phase(name)] if phase else [Phase.FINAL, Phase.PRELIMINARY]
    except ValueError as error:
        raise NothingIssued(f"{text!r} in {out}") from error
    for candidate in phases:
        for at, path in reversed(_numbered(out, day, candidate)):
            if number in ("", str(at)):
                return path
    raise NothingIssued(f"{text} in {out}")


def write_issue(
    out: Path,
    manifest: Manifest,
    files: Mapping[str, bytes],
    seals: Seals,
    at: Hook = unmoved,
) -> Issue:
    """Write an issue under a temporary name, make it durable, and give it its name.

    Args:
        out: the folder of nights.
        manifest: its manifest, which names every output with its hash.
        files: its outputs by their path within the issue.
        seals: those of the ledger; without the private key nobody vouches for the issue.
        at: told where the run is.

    Raises:
        NightUnwritable: a file cannot be written; nothing of the issue is left.
    """
    day, phase, number = manifest["gaming_day"], manifest["phase"], manifest["issue"]
    final = out / day / f"{phase}-{number}"
    scratch = final.with_name(f"{TEMPORARY}{final.name}")
    try:
        if scratch.exists():
            shutil.rmtree(scratch)
        folders = {scratch}
        for name, content in {**files, **_sealed(manifest, seals)}.items():
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
    return _issue(final, number, seals)


def _sealed(manifest: Manifest, seals: Seals) -> dict[str, bytes]:
    """The manifest, and the index that lists it where the private key is at hand."""
    content = canonical(manifest)
    index = seals.index(KIND, {_sealed_name(manifest): sha256(content).hexdigest()})
    return {NAME: content} if index is None else {NAME: content, INDEX: index}
