"""Who stands at a football table, and who holds the dice from game to game.

Law: 58 Pa. Code §§ 577.4(b), (c), 577.7, 577.9(a), (b).
"""

from __future__ import annotations

from ledger import events
from ledger.floor import people
from ledger.floor.opening_and_closing import assign, relieve
from ledger.floor.patron_habits import Patron
from ledger.floor.table_state import Kind, Step, Table
from ledger.kernel.quick_dataclass import dataclass

_REFUSES = 0.12


@dataclass(slots=True)
class Crew:
    """Stickperson and second dealer; the Quarterback and after whom the dice are offered next.

    ``dice`` are the three chosen, ``chosen_from`` the set that they belong to.
    """

    stick: str = ""
    second: str = ""
    quarterback: str | None = None
    after: int = 0
    dice: tuple[str, str, str] = ("", "", "")
    chosen_from: tuple[str, ...] = ()

    @property
    def live(self) -> bool:
        """Nothing outlives a game."""
        return False

    def staffed(self, table: Table) -> None:
        """Three dealers, one of them the stickperson; a stationary camera covers each end."""
        _, self.second, self.stick, *_ = people.dealers_of(table.spec)
        assign(table, events.Role.DEALER, self.second)
        assign(table, events.Role.STICKPERSON, self.stick)
        for letter in ("A", "B"):
            table.sheet.append(
                events.CameraDescribed(
                    **table.main.stamp(table.wait(1, 2), None),
                    camera=f"CAM-{table.spec.name}-{letter}",
                    stationary=True,
                    covers=f"end {letter}",
                )
            )

    def opened(self, table: Table) -> None:
        """The dice are offered when somebody plays."""

    def leaving(self, table: Table, patron: Patron) -> None:  # noqa: ARG002
        """A Quarterback who leaves hands the dice on."""
        if patron.position == self.quarterback:
            self.after, self.quarterback = int(patron.position), None

    def closing(self, table: Table) -> None:
        """Nothing is owed after the last game."""

    def closed(self, table: Table) -> None:
        """The crew leaves."""
        relieve(table, events.Role.STICKPERSON, self.stick)
        relieve(table, events.Role.DEALER, self.second)

    def defended(self) -> None:
        """The game was lost on the field: the dice go to the next player."""
        assert self.quarterback is not None, "somebody threw"
        self.after, self.quarterback = int(self.quarterback), None

    def find_quarterback(self, table: Table) -> Patron:
        """The Quarterback of the next game, who has chosen three dice of the set in use."""
        seats = {int(patron.position): patron for patron in table.patrons}
        if self.quarterback is None:
            self._offer(table, seats)
        assert self.quarterback is not None, "one of them accepted"
        patron = seats[int(self.quarterback)]
        assert table.dice is not None, "a table opens with dice"
        if self.chosen_from != table.dice.serials:
            self._choose(table, patron, table.dice.serials)
        return patron

    def _offer(self, table: Table, seats: dict[int, Patron]) -> None:
        """Clockwise from the left of the last Quarterback, until one accepts."""
        order = sorted(seats, key=lambda seat: (seat <= self.after, seat))
        for number, seat in enumerate(order, 1):
            patron = seats[seat]
            table.sheet.append(
                events.DiceOffered(
                    **table.main.stamp(table.wait(1, 3), self.stick),
                    position=patron.position,
                    patron=patron.ref,
                    offered_by=self.stick,
                )
            )
            if number < len(order) and table.rng.random() < _REFUSES:
                table.sheet.append(
                    events.DiceRefused(
                        **table.main.stamp(table.wait(1, 3), self.stick),
                        position=patron.position,
                        patron=patron.ref,
                    )
                )
                continue
            table.sheet.append(
                events.DiceAccepted(
                    **table.main.stamp(table.wait(1, 3), self.stick),
                    position=patron.position,
                    patron=patron.ref,
                )
            )
            self.quarterback, self.chosen_from = patron.position, ()
            return

    def _choose(self, table: Table, patron: Patron, serials: tuple[str, ...]) -> None:
        """Two green dice and a red one; the rest goes into the cup before the stickperson."""
        first, second = sorted(table.rng.sample(range(4), 2))
        red = 4 + int(table.rng.random() * 2)
        self.dice, self.chosen_from = (serials[first], serials[second], serials[red]), serials
        table.sheet.append(
            events.DiceSelected(
                **table.main.stamp(table.wait(2, 5), self.stick),
                position=patron.position,
                patron=patron.ref,
                dice=self.dice,
            )
        )
        table.sheet.append(
            events.DiceReturnedToCup(
                **table.main.stamp(table.wait(1, 2), self.stick),
                dice=tuple(serial for serial in serials if serial not in self.dice),
                before_stickperson=True,
                returned_by=self.stick,
            )
        )


def crew_of(table: Table) -> Crew:
    """What this table carries."""
    assert isinstance(table.carried, Crew), "a football table"
    return table.carried


def relieve_crew(table: Table) -> Step:
    """Two of the three are relieved, one after the other: three always stand there."""
    table.begin()
    crew = crew_of(table)
    rested = [
        person
        for person in people.dealers_of(table.spec)
        if person not in (table.dealer, crew.second, crew.stick)
    ]
    tired_dealer, tired_stick = table.dealer, crew.stick
    table.dealer, crew.stick = rested[0], rested[1]
    assign(table, events.Role.DEALER, table.dealer)
    relieve(table, events.Role.DEALER, tired_dealer, table.dealer)
    assign(table, events.Role.STICKPERSON, crew.stick)
    relieve(table, events.Role.STICKPERSON, tired_stick, crew.stick)
    return table.finish(Kind.RELIEF)
