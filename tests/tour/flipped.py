"""One byte flipped: ``verify`` names the position."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.analytics import given
from tests.tour.stage import check, said

BUNDLE: Final = 3
"""Which bundle of 256 entries is touched."""


def flipped_byte(work: Path) -> Iterator[str]:
    """Change a byte of a ledger where nobody looks, and ask whether it is what was signed."""
    folder = given.ledger(work / "ledger", given.facts(scale=0.02))
    size = json.loads(said("verify", "--ledger", folder, "--format", "json").out)["tree_size"]
    yield f"{size:,} entries, as signed"
    path = folder / "tile" / "entries" / f"{BUNDLE:03}"
    data = bytearray(path.read_bytes())
    place = len(data) // 2
    data[place] ^= 1
    path.write_bytes(data)
    yield f"byte {place:,} of {path.relative_to(folder)}: one bit turned over"
    found = said("verify", "--ledger", folder, "--format", "json", code=4).json
    position = found["first_bad_position"]
    check(position is not None, "no position is named")
    check(position // 256 == BUNDLE, f"position {position} is not in bundle {BUNDLE}")
    yield said("verify", "--ledger", folder, code=4).out.splitlines()[0]
    check(said("audit", "--ledger", folder, code=4).out == "", "a broken ledger was judged")
    yield "and nothing is judged from it: exit code 4"
