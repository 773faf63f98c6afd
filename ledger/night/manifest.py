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
from typing import Any, Final, TypeAlias

from ledger.kernel import Certainty, Finding
from ledger.night import code_hashes
from ledger.night.day_input import DayInput
from ledger.night.errors import IssueDamaged, NothingIssued

FORMAT: Final = 1
NAME: Final = "manifest.json"

Manifest: TypeAlias = Mapping[str, Any]
"""A manifest as plain JSON values, whole or so far.

Its keys are those that ``manifest_draft.draft_of`` writes. Below them are strings, integers, truth
values, null, lists and objects, never a float, so that its canonical form is exact. The format is
checked by its number (``FORMAT``) when a manifest is read, and not key by key.
"""


def canonical(plain: object) -> bytes:
    """Return plain values as canonical JSON (RFC 8785) in UTF-8: what is hashed and signed.

    Only for strings, integers, null, truth, lists and objects with ASCII keys: a float would need
    the number format of the RFC.

    >>> canonical({"b": [1, None], "a": "$25"})
    b'{"a":"$25","b":[1,null]}'
    """
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def as_json(plain: object) -> bytes:
    """Return plain data as a file that people can read: sorted keys, one entry on a line."""
    return (json.dumps(plain, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def input_of(day_input: DayInput) -> dict[str, object]:
    """Return the input of a day as plain data, with the hashes of rules and code, and its own hash.

    Returns:
        What ``DayInput.plain`` gives, with ``carried_hash`` (SHA-256 over what was carried in),
        ``rules`` and ``code`` (by folder, SHA-256), and ``hash``: SHA-256 over all of them. Each
        hash is in hexadecimal.
    """
    plain = day_input.plain()
    plain["carried_hash"] = sha256(canonical(plain["carried"])).hexdigest()
    by_folder = code_hashes.hashes()
    plain["rules"] = {name: one for name, one in by_folder.items() if name in code_hashes.RULES}
    plain["code"] = {name: one for name, one in by_folder.items() if name not in code_hashes.RULES}
    return {**plain, "hash": sha256(canonical(plain)).hexdigest()}


def outputs_of(files: Mapping[str, bytes]) -> list[dict[str, str | int]]:
    """Return every file by name: ``name``, ``bytes`` (its length) and ``sha256`` in hexadecimal."""
    return [
        {"name": name, "bytes": len(data), "sha256": sha256(data).hexdigest()}
        for name, data in sorted(files.items())
    ]


def counted(findings: tuple[Finding, ...]) -> dict[str, int]:
    """Count the findings by certainty: those ``broken``, and those ``unknown``."""
    unknown = sum(one.certainty is Certainty.UNKNOWN for one in findings)
    return {"broken": len(findings) - unknown, "unknown": unknown}


def read_manifest(path: Path) -> Manifest:
    """Read a manifest from its file or from the folder of its issue; its seal is not checked.

    Raises:
        NothingIssued: there is none.
        IssueDamaged: it is no manifest that this version knows.
    """
    file = path / NAME if path.is_dir() else path
    try:
        return parse_manifest(file.read_bytes(), file)
    except FileNotFoundError as error:
        raise NothingIssued(str(path)) from error
    except OSError as error:
        raise IssueDamaged(file, "it cannot be read") from error


def parse_manifest(raw: bytes, where: Path | str) -> Manifest:
    """Return the manifest that JSON gives; its seal is not checked.

    Raises:
        IssueDamaged: it is no manifest that this version knows.
    """
    try:
        manifest = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise IssueDamaged(where, "it cannot be read") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise IssueDamaged(where, "it is no manifest of this version")
    return manifest
