"""Every package that Pitledger asks for is used, by its code or by a package that it uses."""

from __future__ import annotations

import ast
import re
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
NOT_IMPORTED = {
    "altair": "the tests hold the charts' specifications against its schema",
    "brotli": "fonttools unpacks the pages' font with it",
    "crc32c": "kafka-python finds it and is five times quicker",
    "python-multipart": "starlette reads the uploads of forms with it",
    "lz4": "kafka-python reads compressed records with it",
    "tzdata": "zoneinfo where the system has no time zones",
    "zstandard": "kafka-python reads compressed records with it",
}


def required() -> set[str]:
    """The names in requirements.in, without bounds and reasons."""
    lines = (ROOT / "infra" / "requirements.in").read_text(encoding="utf-8").splitlines()
    return {re.split(r"[<>=\s#]", line)[0] for line in lines if line and line[0] not in "#-"}


def imported() -> set[str]:
    """The top-level modules that the product's code imports, early or late."""
    return {
        name.split(".")[0]
        for folder in ("ledger", "pipelines", "infra")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom) and node.level == 0
            else []
        )
    }


def test_every_requirement_is_used() -> None:
    homes = packages_distributions()
    used = {
        distribution.lower().replace("_", "-")
        for module in imported()
        for distribution in homes.get(module, ())
    }
    assert sorted(required() - used - NOT_IMPORTED.keys()) == []


def test_every_exception_is_required() -> None:
    assert sorted(NOT_IMPORTED.keys() - required()) == []
