"""The inputs that the fuzzer kept: a text file for each target, an input in Base64 in each line."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent.parent.parent
CORPUS: Final = Path(__file__).parent / "corpus"


def kept_inputs(target: str) -> list[bytes]:
    """The kept inputs of a target; none before its first run."""
    path = CORPUS / f"{target}.txt"
    return (
        [b64decode(line) for line in path.read_text("ascii").splitlines()] if path.exists() else []
    )


def keep(target: str, inputs: Iterable[bytes]) -> None:
    """Keep these inputs in place of the earlier ones, the shortest first."""
    CORPUS.mkdir(exist_ok=True)
    lines = [b64encode(raw).decode() for raw in sorted(inputs, key=lambda raw: (len(raw), raw))]
    (CORPUS / f"{target}.txt").write_text("".join(f"{line}\n" for line in lines), "ascii")
