"""Which facts of the tables name a coupon, kept so that no question reads every wager again.

It is a sealed cache and nothing more: kept with the size and the root of the log of which it was
made, under the hash of the code. Facts that came or were amended since are read, and those before
them are not. Without the ledger's key all facts are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Final, NamedTuple

from ledger import events
from ledger.audit.carried import KIND, rules_hash
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.signed_file_index import SealedFolder
from ledger.replay import FactStep, Replay

NAMING: Final = frozenset(
    kind.__name__
    for kind in (
        events.CouponAccepted,
        events.CouponDropped,
        events.CouponGivenBack,
        events.CouponRedeemed,
        events.CouponRefused,
        events.WagerPlaced,
    )
)
"""The facts of a round that name a coupon."""
_NO_SIGN: Final = re.compile(r"[^0-9\n]+")
KEEP_EVERY: Final = 2_048
"""Entries of the log that a question reads by itself rather than have them kept."""
PREFIX: Final = "coupon-mentions-"


class Mention(NamedTuple):
    """A coupon named by a fact.

    Attributes:
        at: the fact's merge time, microseconds UTC.
        seq: its number in its stream.
        serial: the coupon's serial number as it was recorded.
    """

    at: int
    seq: int
    serial: str


@dataclass(slots=True)
class CouponMentions:
    """The coupons that the facts of tables name, of a log of one size.

    Attributes:
        size: entries of the log that were read.
        streams: by stream, what its facts name: time, number and serial, as of a ``Mention``.
    """

    size: int = 0
    streams: dict[str, list[tuple[int, int, str]]] = field(default_factory=dict)

    @classmethod
    def of(cls, replay: Replay, folder: Path | None) -> CouponMentions:
        """Return what the facts of a ledger name.

        Args:
            replay: the ledger's replay.
            folder: where it is kept (a cache); None keeps and takes up nothing.
        """
        sealed = None if folder is None else replay.sealed(folder, KIND)
        name = PREFIX + rules_hash().hex()
        mentions = cls() if sealed is None else cls._kept(replay, sealed, name)
        before = mentions.size
        mentions.read_on(replay)
        if sealed is not None and (not before or mentions.size - before >= KEEP_EVERY):
            mentions._keep(replay, sealed, name)
        return mentions

    def __iter__(self) -> Iterator[tuple[FactRef, Mention]]:
        """Each mention with the fact that names the coupon."""
        for stream, mentions in self.streams.items():
            for at, seq, serial in mentions:
                yield FactRef(stream, seq), Mention(at, seq, serial)

    def of_number(self, number: int) -> Iterator[tuple[FactRef, Mention]]:
        """Yield the mentions in whose digits a number stands, each with the fact that names it.

        Serial numbers are recorded as somebody wrote them, with signs between digits.
        """
        digits = str(number)
        for stream, mentions in self.streams.items():
            serials = _NO_SIGN.sub("", "\n".join([serial for _, _, serial in mentions]))
            lines = serials.split("\n")
            if len(lines) != len(mentions):  # a line break within a serial number
                lines = ["".join(_NO_SIGN.sub("", serial).split()) for _, _, serial in mentions]
            elif digits not in serials:
                continue
            for line, (at, seq, serial) in zip(lines, mentions, strict=True):
                if digits in line:
                    yield FactRef(stream, seq), Mention(at, seq, serial)

    def read_on(self, replay: Replay) -> None:
        """Read what came since, and again what that bears on."""
        at_tables = {stream for streams in replay.tables().values() for stream in streams}
        naming = at_tables.intersection(replay.streams_with(NAMING))
        for stream, (begins, _) in replay.arrived_since(self.size, NAMING).items():
            if stream in naming or stream in self.streams:
                before = [one for one in self.streams.get(stream, ()) if one[0] < begins]
                self.streams[stream] = before + list(_mentions(replay, stream, begins))
        self.size = replay.size

    @classmethod
    def _kept(cls, replay: Replay, sealed: SealedFolder, name: str) -> CouponMentions:
        """What was kept of this log; nothing where that is of another one, or not whole."""
        try:
            kept = json.loads(sealed.read(name) or b"{}")
            if kept and replay.root_at(kept["size"]) == bytes.fromhex(kept["root"]):
                return cls(kept["size"], kept["streams"])
        except (ValueError, TypeError, KeyError, AttributeError):
            pass
        return cls()

    def _keep(self, replay: Replay, sealed: SealedFolder, name: str) -> None:
        """Keep it in place of what other code kept; no failure if it cannot be written."""
        kept = {"size": self.size, "root": replay.root.hex(), "streams": self.streams}
        if sealed.write(name, [json.dumps(kept, separators=(",", ":")).encode()]):
            for other in [*sealed.names()]:
                if other.startswith(PREFIX) and other != name:
                    sealed.remove(other)


def _mentions(replay: Replay, stream: str, since: int) -> Iterator[Mention]:
    """Yield what the facts of a stream name from a merge time on."""
    for step in replay.walk([stream], since=since, only=NAMING):
        if not isinstance(step, FactStep):
            continue
        fact = step.fact
        serials = (
            [coupon.serial for coupon in fact.coupons]
            if isinstance(fact, events.WagerPlaced)
            else [getattr(fact, "serial", None)]
        )
        for serial in serials:
            if serial:
                yield Mention(step.at, fact.seq, serial)
