"""`pitledger doctor`: is everything there that is needed, and is the ledger's head sound?"""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit_json, show

if TYPE_CHECKING:
    from ledger.log import FileSnapshot
    from ledger.reports import Check

NEEDED: Final = (
    ("cryptography", "signatures"),
    ("fastavro", "Avro"),
    ("numpy", "the index"),
    ("duckdb", "the read model"),
    ("kafka", "the broker"),
    ("crc32c", "fast checksums for the broker"),
    ("lz4", "compressed batches"),
    ("zstandard", "compressed batches"),
)
LEAST_FREE: Final = 1_000_000_000
"""Bytes of free disk below which the doctor warns."""
UNAVAILABLE: Final = 3


def doctor(
    *,
    witness: Annotated[Path | None, Parameter(show_default=False)] = None,
    options: Options = OPTIONS,
) -> int:
    """Check this installation and the head of the ledger.

    Args:
        witness: a copy of the last checkpoint kept elsewhere; it should lie on another disk.
    """
    from ledger.kernel import LedgerError
    from ledger.reports import Check, Health, doctor_data, doctor_page

    checks = [*_python(), *_packages(), *_schemas()]
    code = UNAVAILABLE if any(check.health is Health.FAIL for check in checks) else 0
    try:
        checks += list(_ledger(options.folder, witness))
    except LedgerError as error:
        checks.append(
            Check(name="ledger", health=Health.FAIL, says=error.problem, next_step=error.next_step)
        )
        code = max(code, error.exit_code)
    checks += [*_broker()]
    if options.is_json:
        emit_json(doctor_data(checks))
    else:
        show(doctor_page(checks))
    return code


def _python() -> Iterator[Check]:
    from ledger.reports import Check, Health

    fits = sys.version_info >= (3, 11)
    yield Check(
        name="python",
        health=Health.OK if fits else Health.FAIL,
        says=f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        next_step=None if fits else "install Python 3.11 or newer, then make setup",
    )


def _packages() -> Iterator[Check]:
    from importlib.metadata import PackageNotFoundError, version
    from importlib.util import find_spec

    from ledger.reports import Check, Health

    missing = [(name, what) for name, what in NEEDED if find_spec(name) is None]
    if not missing:
        named = []
        for package in ("cryptography", "fastavro", "duckdb", "kafka-python", "crc32c"):
            try:
                named.append(f"{package} {version(package)}")
            except PackageNotFoundError:
                named.append(package)
        yield Check(name="packages", health=Health.OK, says=", ".join(named))
    for name, use in missing:
        yield Check(
            name="packages",
            health=Health.FAIL,
            says=f"{name} is missing: {use} will not work",
            next_step="make setup",
        )


def _schemas() -> Iterator[Check]:
    from ledger.codec import check_schemas, registry
    from ledger.kernel import LedgerError
    from ledger.reports import Check, Health

    try:
        problems = check_schemas()
        count = len(registry())
    except LedgerError as error:
        yield Check(
            name="schemas", health=Health.FAIL, says=error.problem, next_step=error.next_step
        )
        return
    yield Check(
        name="schemas",
        health=Health.FAIL if problems else Health.OK,
        says=f"{len(problems)} problems" if problems else f"{count}, as published",
        next_step="pitledger schemas check" if problems else None,
    )


def _ledger(folder: Path, witness: Path | None) -> Iterator[Check]:
    """The ledger's head, its key, its witness, its disk.

    Raises:
        LedgerError: the head does not hold.
    """
    from ledger.kernel import plural
    from ledger.log import LedgerMissing, read_log
    from ledger.reports import Check, Health

    try:
        log = read_log(folder)
    except LedgerMissing:
        yield Check(
            name="ledger",
            health=Health.NOTE,
            says=f"there is none in {folder}",
            next_step="pitledger init --origin NAME, or pitledger demo",
        )
        yield _disk(_existing(folder))
        return
    entries = plural(log.size, "entry", "entries")
    says = f"{entries} of {log.origin}; the signed head holds (verify checks all)"
    yield Check(name="ledger", health=Health.OK, says=f"{folder}: {says}")
    yield _key(folder)
    yield from _people(folder)
    yield from _person_keys(folder)
    yield _witness(folder, witness, log)
    yield _disk(folder)


def _key(folder: Path) -> Check:
    from ledger.log.keys import SIGNER, key_beside, key_file
    from ledger.log.storage import DirectoryStorage
    from ledger.reports import Check, Health

    inside = folder / SIGNER
    if inside.exists():
        return Check(
            name="key",
            health=Health.WARN,
            says=f"the private key lies inside the ledger, in {inside}: whoever can write there can"
            " sign there",
            next_step=f"mv {inside} {key_beside(folder)}",
        )
    path = key_file(DirectoryStorage(folder), None)
    if path is None or not path.exists():
        return Check(
            name="key",
            health=Health.NOTE,
            says="the private key is not on this machine, or kept elsewhere: nothing can be"
            " appended, and what is derived is made again each time",
            next_step="name it with --key PATH or PITLEDGER_KEY",
        )
    open_to_others = path.stat().st_mode & 0o077
    return Check(
        name="key",
        health=Health.WARN if open_to_others else Health.OK,
        says=f"{path} can be read by others" if open_to_others else f"{path}, for its owner only",
        next_step=f"chmod 600 {path}" if open_to_others else None,
    )


def _person_keys(folder: Path) -> Iterator[Check]:
    """The keys to the sealed strings of a ledger, where it seals them.

    Raises:
        LedgerError: they are not there, damaged, or another ledger's.
    """
    from ledger.log import read_log
    from ledger.reports import Check, Health

    log = read_log(folder)
    if not log.is_sealed:
        return
    keys = log.openings.load()
    path, health, next_step = keys.path, Health.WARN, None
    if keys.is_lost:
        says = f"{path} is empty: every personal text reads as erased, and nothing can be appended"
    elif folder.resolve() in path.resolve().parents:
        says = f"the persons' keys lie inside the ledger, in {path}: a copy of it cannot forget"
        next_step = "move the file outside, and name it with PITLEDGER_PERSON_KEYS"
    elif path.stat().st_mode & 0o077:
        says, next_step = f"{path} can be read by others", f"chmod 600 {path}"
    else:
        says, health = f"personal texts are sealed; the keys are in {path}", Health.OK
    yield Check(name="persons", health=health, says=says, next_step=next_step)


def _people(folder: Path) -> Iterator[Check]:
    """The keys to names and addresses of patrons, where there are any.

    Raises:
        LedgerError: they belong to another ledger's names, or the names cannot be read.
    """
    from ledger.intake import ErasableStore
    from ledger.intake.personal_encryption_keys import people_file
    from ledger.kernel import plural
    from ledger.reports import Check, Health

    openings, in_clear = ErasableStore(folder).count()
    path = people_file(folder)
    names = plural(openings, "name and address", "names and addresses")
    says, next_step, health = f"{path}, for its owner only; {names}", None, Health.WARN
    if in_clear:
        says = f"{names} lie unencrypted in {folder / 'erasable'}: a copy of them cannot forget"
        next_step = "pitledger backup DEST --erasable DIR, or any import of a list, encrypts them"
    elif not path.exists() and not openings:
        return
    elif not path.exists() or path.stat().st_size == 0:
        says = f"{names} cannot be read: their keys are not in {path}"
        next_step = "put the file back, or name it with PITLEDGER_PEOPLE"
    elif folder.resolve() in path.resolve().parents:
        says = f"the persons' keys lie inside the ledger, in {path}: a copy of it cannot forget"
        next_step = "move the file outside, and name it with PITLEDGER_PEOPLE"
    elif path.stat().st_mode & 0o077:
        says, next_step = f"{path} can be read by others", f"chmod 600 {path}"
    else:
        health = Health.OK
    yield Check(name="people", health=health, says=says, next_step=next_step)


def _witness(folder: Path, witness: Path | None, log: FileSnapshot) -> Check:
    from ledger.log import witnessed_of
    from ledger.log.witness import Witness
    from ledger.reports import Check, Health
    from ledger.reports.witness_output import witnessed_sentence

    if witness is None and (witnessed := witnessed_of(log)) is not None:
        return Check(
            name="witness",
            health=Health.OK if witnessed.is_quorum else Health.WARN,
            says=witnessed_sentence(witnessed),
            next_step=None if witnessed.is_quorum else "pitledger witness show, on its machine",
        )
    if witness is None:
        return Check(
            name="witness",
            health=Health.WARN,
            says="none was named: nothing outside the folder remembers how long the ledger was",
            next_step=f"name witnesses on other machines in {folder}.witnesses (pitledger witness);"
            f" or cp {folder / 'checkpoint'} to another disk and name it with --witness",
        )
    Witness(witness).check(log)
    if witness.stat().st_dev == folder.stat().st_dev:
        return Check(
            name="witness",
            health=Health.WARN,
            says="consistent, but it lies on the same disk as the ledger",
            next_step="keep it on another disk or machine",
        )
    return Check(name="witness", health=Health.OK, says="consistent, and on another disk")


def _disk(folder: Path) -> Check:
    from ledger.reports import Check, Health

    free = shutil.disk_usage(folder).free
    return Check(
        name="disk",
        health=Health.OK if free >= LEAST_FREE else Health.WARN,
        says=f"{free / 1e9:,.1f} GB free",
        next_step=None
        if free >= LEAST_FREE
        else "make room: an append stops when the disk is full",
    )


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    path = folder.absolute()
    while not path.exists():
        path = path.parent
    return path


def _broker() -> Iterator[Check]:
    """Java and the broker, both needed only for a broker of our own."""
    import os
    import socket

    from ledger.cli.settings import load
    from ledger.reports import Check, Health

    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java") or (str(Path(home, "bin", "java")) if home else None)
    yield Check(
        name="java",
        health=Health.OK if java else Health.NOTE,
        says=java or "none on the PATH; needed only to start a broker of our own",
        next_step=None if java else "make kafka-up brings its own",
    )
    address = load().kafka
    host, _, port = address.split(",")[0].rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=0.5):
            answers = True
    except (OSError, ValueError):
        answers = False
    quiet = "does not answer; only publish and ingest need it"
    yield Check(
        name="broker",
        health=Health.OK if answers else Health.NOTE,
        says=f"{address} {'answers' if answers else quiet}",
        next_step=None if answers else "make kafka-up",
    )
