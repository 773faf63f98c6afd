"""House edges kept beside the ledger: a list of tables' days then asks no room for them.

They are a cache, sealed by the ledger's key under the hash of the code, the gaming day and the
filing that they hang on. What is missing or not sealed is computed again.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from fractions import Fraction
from functools import cache
from hashlib import sha256
from typing import Final

from ledger.kernel.code_fingerprint import code_fingerprint
from ledger.kernel.quick_dataclass import dataclass
from ledger.kernel.value_bytes import ValueFormat, ValueUnreadable
from ledger.log.signed_file_index import SealedFolder

KIND: Final = "edges"
"""The name of their folder, and what they are called in the index that seals them."""
MOST: Final = 64
"""How many are kept: those of the games of the last days."""
Edges = dict[tuple[str, tuple[int, ...]], Fraction | None]
"""By wager and picks the fraction of a stake that the house keeps on average, None without one."""


@cache
def _format() -> ValueFormat:
    return ValueFormat(())


@dataclass(frozen=True, slots=True)
class KeptEdges:
    """A cache of house edges by game, gaming day and filing.

    Attributes:
        sealed: where they are kept; None keeps none.
    """

    sealed: SealedFolder | None

    def read(self, game: str, day: date, filed: object) -> Edges:
        """Return the edges that are kept; ``filed`` is the filing by which the game is paid."""
        stored = None if self.sealed is None else self.sealed.read(_name(game, day, filed))
        try:
            edges: Edges = {} if stored is None else _format().read(stored)
        except ValueUnreadable:
            return {}
        return edges

    def write(self, game: str, day: date, filed: object, edges: Edges) -> None:
        """Keep edges; failing to is no error."""
        if self.sealed is None:
            return
        self.sealed.write(_name(game, day, filed), [_format().write(edges)])
        with suppress(OSError):
            paths = sorted(self.sealed.folder.iterdir(), key=lambda path: path.stat().st_mtime)
            for path in paths[:-MOST]:
                path.unlink(missing_ok=True)


def _name(game: str, day: date, filed: object) -> str:
    code = code_fingerprint("kernel", "law", "events", "games", "house")
    return sha256(f"{code} {game} {day.isoformat()} {filed!r}".encode()).hexdigest()
