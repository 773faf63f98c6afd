"""What is known of a round of play once it has been replayed: plain values."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Any

from ledger.games import BY_GAME
from ledger.games.outcomes import OutcomeDetail
from ledger.kernel import Citation, FactRef, Finding, Odds, value_type


class Outcome(StrEnum):
    """How a wager ends by the rules."""

    WON = "won"
    LOST = "lost"
    RETURNED = "returned"
    STANDS = "stands"
    UNKNOWN = "unknown"


class RoundStatus(StrEnum):
    """How a round ends: decided, annulled with every wager handed back, or not to be told."""

    SETTLED = "settled"
    VOID = "void"
    UNKNOWN = "unknown"


@value_type
class Settlement:
    """One side of a settlement: what the rules say, or what the house did.

    ``winnings_cents`` are paid beside the stake; ``stake_taken_cents`` is what the house keeps.
    Both are None while nothing can be said.
    """

    outcome: Outcome
    winnings_cents: int | None
    stake_taken_cents: int | None
    facts: tuple[FactRef, ...] = ()
    citations: tuple[Citation, ...] = ()


@value_type
class InDoubt:
    """A part of a wager of which it is not known whether it takes part, and what hangs on it.

    ``stake_cents`` is that part, the whole stake where all of the wager is in doubt; ``coupons``
    are serial numbers of coupons in doubt; ``facts`` laid them. ``if_returned`` and ``if_stands``
    are what the whole wager comes to in either case. ``interval`` is set where clocks leave it
    open.
    """

    stake_cents: int
    facts: tuple[FactRef, ...]
    if_returned: Settlement
    if_stands: Settlement
    coupons: tuple[str, ...] = ()
    interval: str | None = None


def net_cents(side: Settlement) -> int | None:
    """What the patron is up by a settlement, in cents; None where that cannot be told."""
    if side.winnings_cents is None or side.stake_taken_cents is None:
        return None
    return side.winnings_cents - side.stake_taken_cents


@value_type
class CouponResult:
    """A coupon with a wager: whether it counts, what it adds to the winnings, where it went.

    ``because`` says in words what it adds. ``counts`` and ``wins_cents`` None: that is not known.
    """

    serial: str
    value_cents: int | None
    counts: bool | None
    wins_cents: int | None
    because: str
    went: str | None
    citations: tuple[Citation, ...]


@value_type
class WagerResult:
    """A wager, as it stood when betting closed, and both settlements of it.

    ``outcome`` is what decided it in the room's own form, None where nothing did; ``odds`` are
    those that judge a win, ``factor`` what multiplies them. ``arithmetic`` says the same in words.
    ``decided_by`` is the fact that decided it, ``late`` says that it was made or raised
    after betting closed. ``stake_cents`` and ``expected`` are of what surely takes part;
    ``in_doubt`` is the rest. ``observed`` is what all acts of the house come to,
    ``difference_cents`` what the patron got beyond what was due, the least of it where a part is in
    doubt; None where that cannot be said.
    """

    wager_id: str
    wager: str
    picks: tuple[int, ...]
    stake_cents: int
    patron: str | None
    position: str | None
    placed: FactRef
    expected: Settlement
    observed: Settlement | None
    arithmetic: str | None = None
    outcome: Any = None
    odds: Odds | None = None
    factor: int = 1
    coupons: tuple[CouponResult, ...] = ()
    decided_by: FactRef | None = None
    late: bool = False
    in_doubt: InDoubt | None = None
    difference_cents: int | None = None


@value_type
class RoundResult:
    """One round of play.

    ``outcome`` is what the wagers of the round were asked on, in the room's own form, where one
    outcome decided them all; ``detail`` is what the round came to, as data: dice, sections of the
    wheel, hands, or why all went back. ``unknown_because`` says why a round is unknown;
    ``first`` and ``last`` are its first and last fact in merged order; ``paytable`` is the filing
    whose odds it was judged by, None where the chapter's own were. ``afterwards`` are the facts of
    its wagers that came since it ended. ``missing_since`` names the facts that were lost when it
    was decided and settled: what it came to rests on those before.
    """

    round: str
    stream: str
    table: str
    game: str
    gaming_day: date
    opened_at: int
    status: RoundStatus
    detail: OutcomeDetail | None
    unknown_because: str | None
    wagers: tuple[WagerResult, ...]
    findings: tuple[Finding, ...]
    facts: int
    closed_at: int | None
    outcome: Any = None
    paytable: FactRef | None = None
    afterwards: tuple[FactRef, ...] = ()
    missing_since: str | None = None

    @property
    def shown(self) -> str | None:
        """What the round came to, in the room's words: "2 3 4", "2x, 10"; None: nothing shows it.

        Raises:
            OutcomeUnknown: its room knows no such outcome.
        """
        return None if self.detail is None else BY_GAME[self.game].words_of(self.detail)
