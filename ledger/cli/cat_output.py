"""What `cat` prints, entry by entry."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ledger.codec import decode, to_plain, to_text
from ledger.events import Fact
from ledger.log import Accepted, Quarantined, read_log
from ledger.reports import entry_data, with_position

Keep = Callable[[Fact], bool]


def cat_lines(
    folder: Path,
    *,
    start: int,
    stop: int | None,
    keep: Keep,
    plain: bool,
    everything: bool,
    counts: dict[str, int],
) -> Iterator[str]:
    """The entries from ``start`` up to ``stop`` as lines of JSON.

    Args:
        folder: the ledger.
        start: first position.
        stop: first position that is not shown, None for the end.
        keep: which facts are wanted.
        plain: without positions, as ``append`` reads them.
        everything: the entries that are no fact, too.
        counts: told how many quarantined entries were met.
    """
    for position, entry in read_log(folder).entries(start, stop):
        if isinstance(entry, Accepted):
            fact = decode(entry.framed)
            if not keep(fact):
                continue
            yield f"{to_text(fact)}\n" if plain else _line(with_position(to_plain(fact), position))
            continue
        if isinstance(entry, Quarantined):
            counts["quarantined"] = counts.get("quarantined", 0) + 1
        if everything and not plain:
            yield _line(entry_data(entry, position))


def _line(plain: Mapping[str, object]) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")) + "\n"
