"""The naive way, to measure against: fastavro, a frozen dataclass, a plain reducer that settles.

It reads the same bytes, believes them, and knows nothing of law, doubt or proof: the wagers of a
Sic Bo table are paid by one look-up in what the simulated floor's dealers learned; of every other
game it only adds up what the house says it paid.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import fastavro

from ledger import events
from ledger.codec import registry
from ledger.floor.sic_bo_payouts import PAYS
from ledger.log.tiles import unpack

PLAIN_HEAD = 11
"""Bytes before the length of a fact that an append wrote."""


def framed_facts(folder: Path) -> Iterator[bytes]:
    """Each framed fact of a ledger that was made by appends alone, in order of position."""
    paths = [path for path in (folder / "tile" / "entries").rglob("*") if path.is_file()]
    for path in sorted(paths, key=lambda path: (path.parent.name.endswith(".p"), path)):
        for entry in unpack(path.read_bytes()):
            if entry[0] == 2:
                length = len(entry) - PLAIN_HEAD
                yield entry[PLAIN_HEAD + (1 if length < 65 else 2 if length < 8194 else 3) :]


class Decoder:
    """Framed bytes to a frozen dataclass, by fastavro."""

    def __init__(self) -> None:
        self.schemas = {one.id: fastavro.parse_schema(json.loads(one.text)) for one in registry()}
        self.classes = {one.id: getattr(events, one.name, None) for one in registry()}

    def __call__(self, framed: bytes) -> Any:
        schema = int.from_bytes(framed[1:5], "big")
        fields = fastavro.schemaless_reader(BytesIO(framed[5:]), self.schemas[schema])
        return self.classes[schema](**fields)


class Reducer:
    """Settles the wagers of Sic Bo, adds up those of others, and counts where the house differs."""

    def __init__(self) -> None:
        self.facts = self.settled = self.differences = self.won_cents = 0
        self.faces: dict[str, tuple[int, ...]] = {}
        self.wagers: dict[tuple[str, str], Any] = {}

    def take(self, fact: Any) -> None:
        """Take the next fact."""
        self.facts += 1
        match type(fact).__name__:
            case "WagerPlaced":
                self.wagers[fact.stream.partition("/")[0], fact.wager_id] = fact
            case "DiceThrown":
                faces = tuple(sorted(die["face"] or 0 for die in fact.dice))
                self.faces[fact.stream.partition("/")[0]] = faces
            case "WagerSettled":
                table = fact.stream.partition("/")[0]
                wager = self.wagers.pop((table, fact.wager_id), None)
                self.settled += 1
                self.won_cents += fact.winnings_cents or 0
                if wager is not None and table.startswith("SB-"):
                    odds = PAYS.get(self.faces.get(table, ()), {})
                    due = odds.get((wager.wager, tuple(wager.picks)), 0) * wager.stake_cents
                    self.differences += due != fact.winnings_cents


def reduce_ledger(folder: Path, table: str | None = None) -> Reducer:
    """Decode and reduce a ledger.

    Args:
        folder: the ledger.
        table: only facts of its streams; None: all.
    """
    decode, reducer = Decoder(), Reducer()
    name = None if table is None else table.encode()
    for framed in framed_facts(folder):
        if name is None or framed[6 : 6 + len(name)] == name:
            reducer.take(decode(framed))
    return reducer
