"""What a Props & Hops table carries from round to round: the shaker's place, lammers, live shakes.

Law: 58 Pa. Code §§ 668a.2(f)(8), 668a.3(d), (e), (f), (i)-(k).
"""

from __future__ import annotations

from dataclasses import field

from ledger import events
from ledger.floor.betting import Bet, place
from ledger.floor.patron_habits import Habit, Patron
from ledger.floor.props_and_hops_payouts import LAMMERS, SHAKE
from ledger.floor.table_state import Table
from ledger.kernel.quick_dataclass import dataclass

_FANS: dict[Habit, float] = {Habit.NUMBER_FAN: 0.7, Habit.SCATTER: 0.3, Habit.HIGH_ROLLER: 0.15}
_SELDOM = 0.05
"""How likely a patron is to stake on a fresh sequence, by habit."""


@dataclass(slots=True)
class Hand:
    """``left`` are the combinations that still hold a lammer; ``laid`` says that lammers lie."""

    shooter: str | None = None
    passing: bool = False
    shaken: bool = False
    laid: bool = False
    left: set[str] = field(default_factory=lambda: set(LAMMERS))
    shakes: list[Bet] = field(default_factory=list)

    @property
    def live(self) -> bool:
        """Whether a Six Eight Shake stands."""
        return bool(self.shakes)

    def staffed(self, table: Table) -> None:
        """One dealer is enough."""

    def opened(self, table: Table) -> None:
        """The dealer shakes the covered shaker before play begins."""
        self.dealer_shakes(table)

    def leaving(self, table: Table, patron: Patron) -> None:
        """Whoever leaves takes a live Six Eight Shake down first."""
        for bet in [bet for bet in self.shakes if bet.patron is patron]:
            self.take_down(table, bet)

    def closing(self, table: Table) -> None:
        """The dealer shakes once more after the last round."""
        if not self.shaken:
            self.dealer_shakes(table)

    def closed(self, table: Table) -> None:
        """Nothing is left on the layout."""

    def dealer_shakes(self, table: Table) -> None:
        """The dealer covers the shaker and shakes it."""
        shaker = table.spec.shaker
        table.sheet.append(
            events.ShakerCovered(**table.sensor.stamp(table.wait(1, 2), None), shaker=shaker)
        )
        table.sheet.append(
            events.DiceShaken(
                **table.sensor.stamp(table.wait(2, 4), None),
                shaker=shaker,
                kind=events.ShakerKind.MANUAL,
                shakes=2 + int(table.rng.random() * 3),
                shaken_by=table.dealer,
                role=events.Role.DEALER,
            )
        )
        self.shaken = True

    def next_shooter(self, table: Table) -> Patron:
        """Whose turn it is: the first seat, the same player until a 7, then the next to the left."""
        seats = {patron.position: patron for patron in table.patrons}
        before, order = self.shooter, sorted(seats)
        if before is None:
            self.shooter = order[0]
        elif self.passing or before not in seats:
            self.shooter = next((seat for seat in order if seat > before), order[0])
        assert self.shooter is not None, "a seat was found"
        if before is not None and before != self.shooter:
            table.sheet.append(
                events.ShakerPassed(
                    **table.main.stamp(table.wait(1, 3), table.dealer),
                    shaker=table.spec.shaker,
                    from_position=before,
                    to_position=self.shooter,
                )
            )
        self.passing = False
        return seats[self.shooter]

    # --- the Six Eight Shake ----------------------------------------------------------------------

    def join(self, table: Table) -> None:
        """Wagers on a sequence of which no lammer was collected yet."""
        if len(self.left) < len(LAMMERS):
            return
        stake = table.limits.minimum
        for patron in table.patrons:
            stands = any(bet.patron is patron for bet in self.shakes)
            wish = table.rng.random() < _FANS.get(patron.habit, _SELDOM)
            if wish and not stands and patron.chips >= stake:
                patron.chips -= stake
                self.shakes.append(place(table, patron, (SHAKE, ()), stake))

    def lay_lammers(self, table: Table) -> None:
        """With the first wager of a sequence the dealer puts a lammer on each combination."""
        if not self.shakes or self.laid:
            return
        self.laid = True
        table.sheet.append(
            events.LammersPlaced(
                **table.main.stamp(table.wait(2, 4), table.dealer),
                combinations=LAMMERS,
                placed_by=table.dealer,
            )
        )

    def collect(self, table: Table, combination: str) -> bool:
        """A lammer of the combination rolled is collected; whether it was the sixth."""
        if not self.laid or combination not in self.left:
            return False
        self.left.remove(combination)
        table.sheet.append(
            events.LammerCollected(
                **table.main.stamp(table.wait(1, 2), table.dealer),
                combination=combination,
                collected_by=table.dealer,
            )
        )
        return not self.left

    def end_sequence(self) -> list[Bet]:
        """The sequence is over: the wagers that stood on it."""
        ended, self.shakes = self.shakes, []
        return ended

    def clear(self, table: Table) -> None:
        """The lammers are taken off the layout."""
        if self.laid:
            table.sheet.append(
                events.LammersCleared(
                    **table.main.stamp(table.wait(1, 2), table.dealer), cleared_by=table.dealer
                )
            )
        self.laid, self.left = False, set(LAMMERS)

    def take_down(self, table: Table, bet: Bet) -> None:
        """A live wager goes back whole; with the last one the sequence ends."""
        self.shakes.remove(bet)
        bet.patron.chips += bet.stake
        table.sheet.append(
            events.WagerTakenDown(
                **table.main.stamp(table.wait(1, 3), table.dealer),
                wager_id=bet.wager_id,
                taken_cents=None,
            )
        )
        if not self.shakes:
            self.clear(table)


def hand_of(table: Table) -> Hand:
    """What this table carries."""
    assert isinstance(table.carried, Hand), "a Props & Hops table"
    return table.carried
