"""Which jars make the class path, and are they the locked ones?

`jars.lock` names every artifact, so nothing is resolved: each file is fetched by its coordinates
and its sha256 is compared, at each start again.
"""

import fcntl
import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from infra.kafka.errors import BrokerError

LOCK: Final = Path(__file__).with_name("jars.lock")
DOWNLOADS_AT_ONCE: Final = 6
ATTEMPTS: Final = 3
DOWNLOAD_TIMEOUT_SECONDS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Jar:
    group: str
    artifact: str
    version: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.group}:{self.artifact}:{self.version}"

    @property
    def path(self) -> Path:
        """Where the file lies in a Maven repository."""
        folder = Path(*self.group.split("."), self.artifact, self.version)
        return folder / f"{self.artifact}-{self.version}.jar"

    def is_in(self, repository: Path) -> bool:
        file = repository / self.path
        return file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == self.sha256


def read_lock(lock: Path = LOCK) -> Iterator[Jar]:
    """Read the locked artifacts in the order of the file."""
    for line in lock.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            coordinates, sha256 = line.split()
            group, artifact, version = coordinates.split(":")
            yield Jar(group=group, artifact=artifact, version=version, sha256=sha256)


def class_path(repository: Path) -> str:
    """Fetch what is missing into the repository folder, check all of it, and join the paths."""
    jars = tuple(read_lock())
    repository.mkdir(parents=True, exist_ok=True)
    with (repository / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        missing = [jar for jar in jars if not jar.is_in(repository)]
        with ThreadPoolExecutor(DOWNLOADS_AT_ONCE) as pool:
            for _ in pool.map(lambda jar: _fetch(jar, repository), missing):
                pass
    return ":".join(str(repository / jar.path) for jar in jars)


def _fetch(jar: Jar, repository: Path) -> None:
    from jgo.maven import MavenContext  # only where a jar is missing: most starts need no jgo

    context = MavenContext(repo_cache=repository, timeout=DOWNLOAD_TIMEOUT_SECONDS)
    artifact = context.project(jar.group, jar.artifact).at_version(jar.version).artifact()
    for attempt in range(1, ATTEMPTS + 1):
        (repository / jar.path).unlink(missing_ok=True)
        try:
            artifact.resolve()
            break
        except (OSError, RuntimeError) as problem:
            if attempt == ATTEMPTS:
                failure = f"cannot fetch {jar}, tried {attempt} times: {problem}"
                raise BrokerError("kafka_jars_unreachable", failure) from problem
    if not jar.is_in(repository):
        raise BrokerError("kafka_jar_mismatch", f"{jar} does not have the sha256 of jars.lock")
