"""The manifest of an issue: what went in, what came out, and which issue it takes the place of.

``input.hash`` is SHA-256 over the canonical JSON of the streams' facts that bear on the day, the
carried-in state and the rules and code; tree size and root stand beside it. Two manifests with the
same input hash have the same outputs. Everything is canonical JSON (RFC 8785).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from ledger.kernel import Certainty, Finding
from ledger.night import code_hashes
from ledger.night.day_input import DayInput
from ledger.night.errors import IssueDamaged, NothingIssued

FORMAT: Final = 1
NAME: Final = "manifest.json"


def canonical(plain: object) -> bytes:
    """RFC 8785 for the values used here: strings, integers, null, truth, lists and objects."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def as_json(plain: object) -> bytes:
    """Plain data as a file that people can read: sorted keys, one entry on a line."""
    return (json.dumps(plain, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def input_of(day_input: DayInput) -> dict[str, Any]:
    """The input of a day with its hash."""
    plain = day_input.plain()
    plain["carried_hash"] = sha256(canonical(plain["carried"])).hexdigest()
    by_folder = code_hashes.hashes()
    plain["rules"] = {name: one for name, one in by_folder.items() if name in code_hashes.RULES}
    plain["code"] = {name: one for name, one in by_folder.items() if name not in code_hashes.RULES}
    return {**plain, "hash": sha256(canonical(plain)).hexdigest()}


def outputs_of(files: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """Every file with its SHA-256, by name."""
    return [
        {"name": name, "bytes": len(data), "sha256": sha256(data).hexdigest()}
        for name, data in sorted(files.items())
    ]


def counted(findings: tuple[Finding, ...]) -> dict[str, int]:
    """How many findings are broken, and how many unknown."""
    unknown = sum(one.certainty is Certainty.UNKNOWN for one in findings)
    return {"broken": len(findings) - unknown, "unknown": unknown}


def read_manifest(path: Path) -> dict[str, Any]:
    """A manifest, from its file or the folder of its issue.

    Raises:
        NothingIssued: there is none.
        IssueDamaged: it is no manifest that this version knows.
    """
    file = path / NAME if path.is_dir() else path
    try:
        manifest = json.loads(file.read_bytes())
    except FileNotFoundError as error:
        raise NothingIssued(str(path)) from error
    except (OSError, ValueError) as error:
        raise IssueDamaged(file, "it cannot be read") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise IssueDamaged(file, "it is no manifest of this version")
    return manifest
