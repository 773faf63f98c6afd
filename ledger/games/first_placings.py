"""When each die first came to a table: its 24 hours count from then (reading: dice-clock).

A table sees thousands of dice in a year, and any of them may come back, so none is forgotten. They
are kept as lines of text, of which only those that are asked for are read.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace

from ledger import events
from ledger.kernel import FactRef, Instant, ref_of
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die, and when it was first placed at a table.

    Args:
        serial: its serial.
        colour: its color then, None if not recorded.
        at: when it was first placed, in microseconds UTC.
        ref: the fact that placed it first.
        closings: how often the table had closed by then.
    """

    serial: str
    colour: str | None
    at: Instant
    ref: FactRef
    closings: int


@dataclass(frozen=True, slots=True)
class FirstPlacings:
    """Every die that was placed at a table.

    Args:
        lines: a line for each die, in the order of their first bytes, which are the serial.
        closings: how often the table closed.
    """

    lines: bytes = b""
    closings: int = 0

    def of(self, serial: str) -> PlacedDie | None:
        """Return a die that was placed; None if it never was."""
        begins = self._place(serial)
        if begins < 0:
            return None
        written, colour, at, stream, seq, closings = json.loads(
            self.lines[begins : self.lines.index(b"\n", begins)]
        )
        return PlacedDie(written, colour, at, FactRef(stream, seq), closings)

    def _place(self, serial: str) -> int:
        """Where the line of a die begins; -1 if it has none."""
        head = _head(serial)
        if self.lines.startswith(head):
            return 0
        before = self.lines.find(b"\n" + head)
        return -1 if before < 0 else before + 1

    def placed(self, fact: events.DiceSetPlaced) -> tuple[PlacedDie, ...]:
        """Return the dice of a set, each as it was first placed."""
        return tuple(
            self.of(die.serial)
            or PlacedDie(die.serial, die.colour, fact.event_time, ref_of(fact), self.closings)
            for die in fact.dice
        )

    def after(self, dice: Iterable[PlacedDie]) -> FirstPlacings:
        """Return these with some dice, as far as they are new here."""
        new = {die.serial: die for die in dice if self._place(die.serial) < 0}
        if not new:
            return self
        lines = self.lines.splitlines(keepends=True)
        for die in new.values():
            line = _line(die)
            lines.insert(bisect_left(lines, line), line)
        return replace(self, lines=b"".join(lines))

    def closed(self) -> FirstPlacings:
        """Return these after the table closed once more."""
        return replace(self, closings=self.closings + 1)


def _head(serial: str) -> bytes:
    """How the line of a die begins, and no other line does."""
    return b"[%b," % json.dumps(serial).encode("ascii")


def _line(die: PlacedDie) -> bytes:
    written = (die.serial, die.colour, die.at, *die.ref, die.closings)
    return json.dumps(written, separators=(",", ":")).encode("ascii") + b"\n"
