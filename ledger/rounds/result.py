"""What is known of a round of play after a replay: plain values."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from ledger.games import BY_GAME
from ledger.games.outcomes import OutcomeDetail
from ledger.games.rows import Shown
from ledger.kernel import Citation, FactRef, Finding, Odds, value_type
from ledger.rounds.round_status import RoundStatus


class Outcome(StrEnum):
    """How a wager ends by the rules.

    ``STANDS``: it stays for the next round. ``UNKNOWN``: the record or the rules cannot tell.
    """

    WON = "won"
    LOST = "lost"
    RETURNED = "returned"
    STANDS = "stands"
    UNKNOWN = "unknown"


@value_type
class Settlement:
    """One side of a settlement: what the rules say, or what the house did.

    Args:
        outcome: how the wager ends.
        winnings_cents: what is paid in addition to the stake; None while it is not known.
        stake_taken_cents: what the house keeps of the stake; None while it is not known.
        facts: what the house did; empty for the rules' side.
        citations: by which sections; empty for the house's side.
    """

    outcome: Outcome
    winnings_cents: int | None
    stake_taken_cents: int | None
    facts: tuple[FactRef, ...] = ()
    citations: tuple[Citation, ...] = ()


@value_type
class InDoubt:
    """A part of a wager of which it is not known whether it takes part, and what depends on it.

    Args:
        stake_cents: that part; the whole stake where all of the wager is in doubt.
        facts: the facts that laid it.
        if_returned: what the whole wager comes to if the part goes back.
        if_stands: what the whole wager comes to if the part takes part.
        coupons: serial numbers of coupons in doubt.
        interval: by how much clocks leave it open, for people; None where it is not for the clocks.
    """

    stake_cents: int
    facts: tuple[FactRef, ...]
    if_returned: Settlement
    if_stands: Settlement
    coupons: tuple[str, ...] = ()
    interval: str | None = None


def net_cents(side: Settlement) -> int | None:
    """Return what the patron is up by a settlement, in cents, negative for a loss; None if unknown.

    >>> won = Settlement(outcome=Outcome.WON, winnings_cents=4500, stake_taken_cents=0)
    >>> lost = Settlement(outcome=Outcome.LOST, winnings_cents=0, stake_taken_cents=2500)
    >>> net_cents(won), net_cents(lost)
    (4500, -2500)
    """
    if side.winnings_cents is None or side.stake_taken_cents is None:
        return None
    return side.winnings_cents - side.stake_taken_cents


@value_type
class CouponResult:
    """A coupon with a wager: whether it counts, what it adds, where it went.

    Args:
        serial: its serial number as written.
        value_cents: its face value; None if not known.
        counts: whether it is settled with the wager; None if not known.
        wins_cents: what it adds to the winnings; None if not known.
        because: what it adds and why, in words.
        went: where it went, in words; None if no fact says.
        citations: by which sections.
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
    """A wager as it stood when betting closed, and both settlements of it.

    Args:
        wager_id: its id at the table.
        wager: its name.
        picks: the numbers picked, rising.
        stake_cents: what surely takes part; ``in_doubt`` is the rest.
        patron: the opaque reference of the patron; None where it is not recorded.
        position: the position at the table; None where the game has none.
        placed: the fact that placed it.
        expected: what the rules say, of what surely takes part.
        observed: what all acts of the house come to; None where it did nothing.
        arithmetic: how the amount comes about, in words; None unless asked for.
        outcome: what decided it, in the room's own form; None where nothing did.
        odds: the odds that judge a win; None where it did not win.
        factor: what multiplies them.
        coupons: the coupons with it.
        decided_by: the fact that decided it.
        late: it was made or raised after betting closed.
        in_doubt: the part of which it is not known whether it takes part.
        difference_cents: what the patron got beyond what was due, the least of it where a part is
            in doubt; negative if it was less; None where that cannot be said.
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
    outcome: Shown | None = None
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

    Args:
        round: its id, ``SB-01:1234``.
        stream: the stream of the fact that opened it.
        table: the table.
        game: the game, "unknown" if no fact says.
        gaming_day: the gaming day on which it opened.
        opened_at: microseconds UTC.
        status: how it ended.
        detail: what it came to, as data: dice, sections of the wheel, hands, or why all went back.
        unknown_because: why it is unknown.
        wagers: its wagers in the order in which they were placed.
        findings: what was found in it.
        facts: how many facts the table has from its first to its last one, and in ``afterwards``.
        closed_at: the time of its last fact, microseconds UTC; None if the record stops within it.
        outcome: what its wagers were settled on, in the room's own form, where one outcome decided
            them all.
        paytable: the filing whose odds it was judged by; None where the chapter's own were.
        afterwards: the facts of its wagers that came since it ended.
        missing_since: which facts were lost after it was decided and settled; its result rests on
            those before.
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
    outcome: Shown | None = None
    paytable: FactRef | None = None
    afterwards: tuple[FactRef, ...] = ()
    missing_since: str | None = None

    @property
    def shown(self) -> str | None:
        """What the round came to, in the room's words: "2 3 4", "2x, 10"; None if nothing shows it.

        Raises:
            OutcomeUnknown: its room knows no such outcome.
        """
        return None if self.detail is None else BY_GAME[self.game].words_of(self.detail)
