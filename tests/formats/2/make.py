"""Made the corpus of format 2, once: ``python -m tests.formats.2.make`` would make another."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from ledger.codec import decode, to_text
from ledger.log import Arrival, init, open_log, read_log
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME
from tests.log.test_sealed import FACTS, PATRON, framed, taken

HERE = Path(__file__).parent


def make() -> None:
    """Write a sealed ledger in which a patron was forgotten, its keys, and what is read of it."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "sealed"
        init(folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER, sealed=True)
        with open_log(folder) as log:
            log.append([Arrival(fact) for fact in FACTS], TIME)
            log.append([Arrival(taken(seq, f"p-{seq % 9}")) for seq in range(10, 300)], TIME + 1)
        read_log(folder).openings.forget(PATRON)
        log_now = read_log(folder)
        expected = {
            "size": log_now.size,
            "root": log_now.root.hex(),
            "facts": [to_text(decode(fact)) for fact in framed(folder)],
        }
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            for path in sorted(Path(name).rglob("*")):
                if path.is_file() and "cache" not in path.parts and path.name != "lock":
                    archive.add(path, path.relative_to(name).as_posix())
    (HERE / "corpus.tar.gz").write_bytes(packed.getvalue())
    text = json.dumps(expected, indent=1, sort_keys=True) + "\n"
    (HERE / "expected.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    make()
