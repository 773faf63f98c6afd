"""How long a table or one of its feeds may be silent, as the property registered it.

No section asks for a limit: it is the property's own, and says when a watch tells of a silence.
What was registered stands also after a doubt in the office's record, since a limit that was known
is nearer to the property's will than the default.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import field
from itertools import product
from typing import Final, NamedTuple

from ledger.events import StalenessRegistered
from ledger.kernel import MICROSECONDS, FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass

DEFAULT_SILENCE: Final = 300 * MICROSECONDS
"""How long an open table may be silent where the property registered nothing, in microseconds."""


class Scope(NamedTuple):
    """What a limit is for; None: any."""

    terminal: str | None
    kind: str | None
    table: str | None


@dataclass(frozen=True, slots=True)
class SilenceLimit:
    """How long nothing may come from a table or a feed.

    Args:
        micros: so many microseconds.
        fact: the fact that registered it; None: nothing is in force, and it is the default.
        is_of_feed: it is for a terminal or a kind of source, and not for tables as a whole.
    """

    micros: int
    fact: FactRef | None = None
    is_of_feed: bool = False


BY_DEFAULT: Final = SilenceLimit(DEFAULT_SILENCE)


@dataclass(slots=True)
class Staleness:
    """What was registered, by scope and in order of the time from which it holds.

    Attributes:
        by_scope: the registrations.
        names_feeds: whether any of them is for a terminal or a kind of source.
    """

    by_scope: dict[Scope, list[StalenessRegistered]] = field(default_factory=dict)
    names_feeds: bool = False

    def take(self, fact: StalenessRegistered) -> None:
        """Add a registration; facts come in merged order, and of two for one moment the later one
        holds."""
        scope = Scope(fact.terminal, fact.kind, fact.table)
        insort(self.by_scope.setdefault(scope, []), fact, key=lambda known: known.since)
        self.names_feeds |= scope.terminal is not None or scope.kind is not None

    def limit(
        self, table: str, at: int, *, kind: str | None = None, terminal: str | None = None
    ) -> SilenceLimit:
        """Return the limit in force at a moment (microseconds UTC).

        One that names the terminal holds before one that names the kind, and that before one that
        names the table, whatever else they name.

        Args:
            table: the table.
            at: the moment.
            kind: of the feed; None for a table as a whole, or the feed that is named like it.
            terminal: that writes the feed; None for a table as a whole, or if none is registered.
        """
        if not self.by_scope:
            return BY_DEFAULT
        names = [(name, None) if name is not None else (None,) for name in (terminal, kind, table)]
        for scope in map(Scope._make, product(*names)):
            known = self.by_scope.get(scope, [])
            place = bisect_right(known, at, key=lambda fact: fact.since)
            if place:
                fact = known[place - 1]
                of_feed = scope.terminal is not None or scope.kind is not None
                return SilenceLimit(fact.seconds * MICROSECONDS, ref_of(fact), of_feed)
        return BY_DEFAULT
