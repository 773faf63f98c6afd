"""A carried state is forged: the audit finds what it found, and ``sql`` answers the same."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from ledger.audit import read_office
from ledger.floor import FIRST_DAY
from ledger.log.signed_file_index import content_of
from ledger.replay import Replay
from tests.analytics import given
from tests.tour.stage import check, said

A_DAY = 24 * 3_600_000_000


def forged_state(work: Path) -> Iterator[str]:
    """Change what was kept beside the tree, checksums and all, and ask again."""
    folder = given.ledger(work / "ledger", given.facts("overpaid:6", "late_wager:6", days=2))
    day = FIRST_DAY + timedelta(days=1)
    question = ("audit", "--day", str(day), "--ledger", folder, "--format", "json")
    honest = json.loads(said(*question, code=1).out)
    yield f"{day}: {len(honest['findings'])} findings, digest {honest['digest'][:16]}"
    ends = _written(read_office(Replay.open(folder)).clock.start_of(day))
    later = _written(read_office(Replay.open(folder)).clock.start_of(day) + A_DAY)
    states = [path for path in (folder / "cache" / "carried").iterdir() if str(day) in path.name]
    forged = 0
    for path in states:
        stored = path.read_bytes()
        content = content_of(stored) or b""
        state = zlib.decompress(content)
        forged += state.count(ends)
        path.write_bytes(zlib.compress(state.replace(ends, later)) + stored[len(content) :])
    check(forged, "no state holds the end of a day")
    yield f"{len(states)} kept states of tables: every day in them now ends 24 hours later"
    again = json.loads(said(*question, code=1).out)
    check(again == honest, "a forged state changed what was found")
    yield f"audited again: {len(again['findings'])} findings, digest {again['digest'][:16]}"
    nothing = json.loads(said(*question, "--from-nothing", code=1).out)
    check(nothing == honest, "from nothing it is another")
    yield "audited from nothing: the same; the states were made again from the entries"


def _written(number: int) -> bytes:
    """A moment as it stands in a kept state."""
    size = number.bit_length() // 8 + 1
    return b"i" + size.to_bytes(2, "big") + number.to_bytes(size, "big", signed=True)
