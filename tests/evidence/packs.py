"""Packs of the small day, and how a forger would put one together again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from ledger.cli import main
from ledger.events import Fact
from ledger.evidence.canonical_zip import zip_of
from ledger.evidence.verify import members_of
from ledger.log import Signer, key_beside
from ledger.log.keys import read_key_outside
from tests.cli import given

ROOT = Path(__file__).parent.parent.parent
Change = Callable[[dict[str, bytes]], None]


def pack_of(ledger: Path, round_: str, out: Path, *words: str) -> bytes:
    """The pack that the command writes."""
    assert (
        main(["pack", "--round", round_, "--out", str(out), "--ledger", str(ledger), *words]) == 0
    )
    return out.read_bytes()


def signer_of(ledger: Path) -> Signer:
    """The ledger's private key."""
    signer = read_key_outside(key_beside(ledger))
    assert signer is not None
    return signer


def closed(members: dict[str, bytes]) -> bytes:
    """A zip of changed members: its manifest and sums made to fit, as a forger would."""
    manifest = json.loads(members["manifest.json"])
    manifest["members"] = sorted(members)
    members["manifest.json"] = (json.dumps(manifest, indent=1) + "\n").encode()
    rest = sorted(name for name in members if name not in ("SHA256SUMS", "signature"))
    sums = "".join(f"{sha256(members[name]).hexdigest()}  {name}\n" for name in rest)
    members["SHA256SUMS"] = sums.encode()
    return zip_of(members)


def changed(pack: bytes, change: Change, *, strip: bool = False) -> bytes:
    """A pack with a change, put together again; without its signature if ``strip``."""
    members = dict(members_of(pack))
    change(members)
    if strip:
        members.pop("signature", None)
    return closed(members)


def in_json(name: str, change: Callable[[Any], None]) -> Change:
    """A change of a JSON member."""

    def apply(members: dict[str, bytes]) -> None:
        document = json.loads(members[name])
        change(document)
        members[name] = (json.dumps(document, indent=1) + "\n").encode()

    return apply


def verify_alone(pack: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the ``verify.py`` of a pack in a folder of its own, without the product on the path."""
    program = pack.with_suffix(".verify.py")
    program.write_bytes(members_of(pack.read_bytes())["verify.py"])
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-P", str(program), str(pack), *words],
        capture_output=True,
        text=True,
        cwd=pack.parent,
        env=kept,
        check=False,
    )


def ledger_of(folder: Path, facts: list[Fact]) -> Path:
    """A ledger with these facts, made in this process."""
    lines = folder.with_suffix(".jsonl")
    lines.write_text(given.lines(facts), encoding="utf-8")
    if not folder.exists():
        assert main(["init", "--origin", "test.example/floor", "--ledger", str(folder)]) == 0
    assert main(["append", str(lines), "--ledger", str(folder)]) == 0
    lines.unlink()
    return folder
