"""How a wager is laid and settled in order, made from the wager book and the settlement.

Rows: a wager as it is laid (kind, picks, stake, instrument) under the limits in force; wager and
picks against what decided the round; a stake on a payout line. Each is what the readable code gives
for one example, and holds for all that say the same. A wager that was raised, moved or lifted, or
that was not settled exactly as it was owed, has no row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ledger import events
from ledger.games.room import Breach, Returned, Rules
from ledger.kernel import FactRef, Odds
from ledger.rounds.in_order.house_table import OF_STAKES, Stakes
from ledger.rounds.in_order.partial_facts import Asking, Body, partial_fact
from ledger.rounds.in_order.room_rows import Decision
from ledger.rounds.in_order.room_table import needed_of_all
from ledger.rounds.in_order.state_names import name_of
from ledger.rounds.in_order.unlooked import LookedInto, Unlooked
from ledger.rounds.placed import PlacedWager
from ledger.rounds.result import Outcome, Settlement, WagerResult
from ledger.rounds.settle import Due, due, payable
from ledger.rounds.wager_book import WagerBook
from ledger.rounds.wager_timing import PLAINLY

ROWS: Final = 200_000
"""The most rows of each kind that are kept; then they are made anew."""


class Laid(NamedTuple):
    """A wager that was laid in order, and whatever befell it since, while betting was open.

    Attributes:
        wager: its name.
        picks: in rising order.
        stake_cents: as it lies.
        placed_cents: as it was placed.
        gone: it was taken down or handed back, all of it.
        outside: it keeps not to the limits, and must change or go before betting closes.
    """

    wager: str
    picks: tuple[int, ...]
    stake_cents: int
    placed_cents: int
    gone: bool = False
    outside: bool = False


class Owed(NamedTuple):
    """What a wager comes to by the rules, and the one act of the house that is just that.

    Attributes:
        expected: as it is reported.
        done: outcome, winnings and stake taken of that act; None where there is none: it went
            before, or it stands.
        odds: those that judge a win; None where it lost.
        factor: what multiplies them.
        cents: the winnings.
    """

    expected: Settlement
    done: tuple[events.SettledAs, int, int] | None
    odds: Odds | None
    factor: int
    cents: int

    @property
    def stands(self) -> bool:
        """Whether it is still undecided."""
        return self.expected.outcome is Outcome.STANDS


class WagerTable:
    """Wagers laid and settled in order under one filing.

    Args:
        rules: law and filing joined.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._laid: dict[tuple[Body, Any, bool], Laid | None] = {}
        self._changed: dict[tuple[Laid, Body, Any, bool], Laid | None] = {}
        self._limits: dict[Any, Stakes] = {}
        self._dues: dict[tuple[str, tuple[int, ...], Any], Due | None] = {}
        self._owed: dict[tuple[int, Laid], Owed | None] = {}
        self._came: dict[Owed, Owed] = {}

    def laid(self, body: Body, stakes: Stakes, *, knowable: bool) -> Laid | None:
        """Return a wager that was laid while betting was open; None if that broke a duty.

        Args:
            body: what the fact that placed it says.
            stakes: what the house knew then of what judges a stake.
            knowable: something of the outcome could be seen.
        """
        key = (body, self.usual(stakes), knowable)
        if key not in self._laid:
            if len(self._laid) >= ROWS:
                self._laid.clear()
            self._laid[key] = self._lay(body, stakes, knowable=knowable)
        return self._laid[key]

    def usual(self, stakes: Stakes) -> Stakes:
        """Return the one that stands for all that judge a stake alike."""
        if stakes.usual is None:
            name = name_of(tuple(getattr(stakes.house, part) for part in OF_STAKES))
            stakes.usual = self._limits.setdefault(name, stakes)
        return stakes.usual

    def _lay(self, body: Body, stakes: Stakes, *, knowable: bool) -> Laid | None:
        fact: Any = partial_fact(body, Asking(needed_of_all(body)), Unlooked())
        object.__setattr__(fact, "wager_id", "wager")
        if fact.coupons:
            return None
        book = WagerBook()
        try:
            breaches = book.take(self._rules, stakes.house, fact, PLAINLY[True, knowable])
        except (LookedInto, AttributeError):
            return None
        wager = book.wagers["wager"]
        if not is_laid_in_order(breaches, wager):
            return None
        stake, outside = wager.stake_cents, bool(wager.outside)
        return Laid(wager.wager, wager.picks, stake, stake, outside=outside)

    def changed(self, laid: Laid, body: Body, stakes: Stakes, *, knowable: bool) -> Laid | None:
        """Return a wager as a fact leaves it while betting is open; None if that broke a duty.

        Args:
            laid: as it lay before.
            body: what the fact says: it was raised, moved, taken down or handed back.
            stakes: what the house knew then of what judges a stake.
            knowable: something of the outcome could be seen.
        """
        key = (laid, body, self.usual(stakes), knowable)
        if key not in self._changed:
            if len(self._changed) >= ROWS:
                self._changed.clear()
            self._changed[key] = self._change(laid, body, stakes, knowable=knowable)
        return self._changed[key]

    def _change(self, laid: Laid, body: Body, stakes: Stakes, *, knowable: bool) -> Laid | None:
        fact: Any = partial_fact(body, Asking(needed_of_all(body)), Unlooked())
        object.__setattr__(fact, "wager_id", "wager")
        wager = example_of(laid)
        book = WagerBook({"wager": wager})
        try:
            breaches = book.take(self._rules, stakes.house, fact, PLAINLY[True, knowable])
        except (LookedInto, AttributeError):
            return None
        if laid.gone or not is_changed_in_order(breaches, wager):
            return None
        gone = wager.gone is not None
        outside = bool(wager.outside) and not gone
        return Laid(wager.wager, wager.picks, wager.stake_cents, laid.placed_cents, gone, outside)

    def as_came(self, result: WagerResult) -> Owed | None:
        """Return what a wager with coupons came to, as the readable end of its round gave it.

        None where an amount is not known: it falls back.
        """
        done, expected, act = result.observed, result.expected, None
        if expected.winnings_cents is None or expected.stake_taken_cents is None:
            return None
        if done is not None:
            if done.winnings_cents is None or done.stake_taken_cents is None:
                return None
            act = SETTLED_AS[done.outcome], done.winnings_cents, done.stake_taken_cents
        owed = Owed(expected, act, result.odds, result.factor, expected.winnings_cents)
        if len(self._came) >= ROWS:
            self._came.clear()
        return self._came.setdefault(owed, owed)

    def left(self, laid: Laid) -> Owed | None:
        """Return what a wager comes to that went while betting was open; None: it falls back."""
        owed = due(self._rules, None, example_of(laid))
        if owed.outcome is not Outcome.RETURNED or owed.cites:
            return None
        expected = Settlement(
            outcome=Outcome.RETURNED, winnings_cents=0, stake_taken_cents=0, citations=owed.cites
        )
        return Owed(expected, None, None, 1, 0)

    def owed(self, laid: Laid, decided: Decision) -> Owed | None:
        """Return what a wager comes to; None where the rules give no single amount.

        Args:
            laid: the wager.
            decided: what decided the round; its fact does not matter.
        """
        row = (id(decided), laid)
        if row not in self._owed:
            if len(self._owed) >= ROWS:
                self._owed.clear()
            self._owed[row] = self._make(laid, decided)
        return self._owed[row]

    def _make(self, laid: Laid, decided: Decision) -> Owed | None:
        key = (laid.wager, laid.picks, id(decided))
        if key not in self._dues:
            if len(self._dues) >= ROWS:
                self._dues.clear()
            self._dues[key] = self._due(laid, decided)
        owed = self._dues[key]
        return None if owed is None else self._amount(owed, decided, laid.stake_cents)

    def _due(self, laid: Laid, decided: Decision) -> Due | None:
        try:
            owed = due(self._rules, decided, example_of(laid))
        except (LookedInto, AttributeError):
            return None
        if isinstance(decided, Returned):
            return owed if owed.outcome is Outcome.RETURNED else None
        return owed if owed.outcome in (Outcome.WON, Outcome.LOST, Outcome.STANDS) else None

    def _amount(self, owed: Due, decided: Decision, stake_cents: int) -> Owed | None:
        if isinstance(decided, Returned):
            expected = Settlement(
                outcome=Outcome.RETURNED,
                winnings_cents=0,
                stake_taken_cents=0,
                citations=owed.cites,
            )
            return Owed(expected, (events.SettledAs.RETURNED, 0, 0), None, 1, 0)
        if owed.outcome is Outcome.STANDS:
            expected = Settlement(
                outcome=Outcome.STANDS,
                winnings_cents=None,
                stake_taken_cents=None,
                citations=owed.cites,
            )
            return Owed(expected, None, None, 1, 0)
        if owed.outcome is Outcome.LOST:
            done = (events.SettledAs.LOST, 0, stake_cents)
            expected = Settlement(
                outcome=Outcome.LOST,
                winnings_cents=0,
                stake_taken_cents=stake_cents,
                citations=owed.cites,
            )
            return Owed(expected, done, None, decided.factor, 0)
        line = owed.verdict.line if owed.verdict is not None else None
        if line is None:
            return None
        cents = payable(self._rules, line, decided.factor, stake_cents)[1]
        if cents is None:
            return None
        expected = Settlement(
            outcome=Outcome.WON, winnings_cents=cents, stake_taken_cents=0, citations=owed.cites
        )
        done = (events.SettledAs.WON, cents, 0)
        return Owed(expected, done, line.odds, decided.factor, cents)


SETTLED_AS: Final = {
    Outcome.WON: events.SettledAs.WON,
    Outcome.LOST: events.SettledAs.LOST,
    Outcome.RETURNED: events.SettledAs.RETURNED,
}


def laid_as(wager: PlacedWager) -> Laid:
    """Return a wager as it lies in the readable book."""
    gone, stake_cents = wager.gone is not None, wager.stake_cents
    return Laid(wager.wager, wager.picks, stake_cents, wager.placed.stake_cents, gone)


def example_of(laid: Laid) -> PlacedWager:
    """Return a wager that lies as all others do of which this is known, and nothing else."""
    placed: Any = object.__new__(events.WagerPlaced)
    object.__setattr__(placed, "stake_cents", laid.placed_cents)
    return PlacedWager(
        wager_id="wager",
        placed=placed,
        ref=FactRef("", 0),
        wager=laid.wager,
        picks=laid.picks,
        stake_cents=laid.stake_cents,
        gone=FactRef("", 0) if laid.gone else None,
    )


def is_changed_in_order(breaches: Sequence[Breach], wager: PlacedWager) -> bool:
    """Whether a wager that a fact just changed keeps every duty, and lies there without a doubt."""
    doubtful = wager.late or wager.raises or wager.lifted is not None or wager.settled
    return not (breaches or doubtful)


def is_laid_in_order(breaches: Sequence[Breach], wager: PlacedWager) -> bool:
    """Whether a wager that was just placed keeps every duty, and lies there without a doubt."""
    doubtful = wager.late or wager.raises or wager.gone is not None
    return not (breaches or doubtful)
