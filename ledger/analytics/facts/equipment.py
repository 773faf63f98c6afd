"""Equipment in use at one table: dice sets, shakers, wheels, decks, cameras, from when to when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Final

from ledger import events
from ledger.analytics.facts.gaming_day_bounds import Add, TableMoment
from ledger.kernel import FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass

KINDS: Final = frozenset(
    {
        *(events.DiceSetPlaced, events.DiceSetRemoved, events.ShakerPlaced, events.ShakerRemoved),
        *(events.WheelPlaced, events.WheelRemoved, events.DeckPlaced, events.DeckRemoved),
        events.CameraAssigned,
    }
)
SET: Final = "dice set"


@dataclass(slots=True)
class Use:
    """One piece of equipment at the table; ``left`` are the dice of a set still there."""

    kind: str
    name: str
    since: int
    placed: FactRef
    parts: tuple[str, ...] = ()
    left: set[str] = field(default_factory=set)
    shaker: str | None = None
    doubtful: bool = False


@dataclass(slots=True)
class Equipment:
    """What lies at the table. A dice set is named by the fact that placed it: sets have no name."""

    add: Add
    uses: dict[tuple[str, str], Use] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)

    def take(self, fact: events.Fact, moment: TableMoment) -> None:
        """Follow one fact."""
        ref = ref_of(fact)
        match fact:
            case events.DiceSetPlaced():
                serials = tuple(die.serial for die in fact.dice)
                self._dice_gone(serials, moment)  # placed anew, they are of the old set no more
                use = Use(SET, str(ref), moment.at, ref, serials, set(serials), fact.shaker)
                self.uses[SET, use.name] = use
            case events.DiceSetRemoved():
                self._dice_gone(fact.dice, moment)
            case events.ShakerPlaced():
                self.kinds[fact.shaker] = fact.kind.value
                self._placed("shaker", fact.shaker, (), ref, moment)
            case events.ShakerRemoved():
                self._gone("shaker", fact.shaker, moment)
            case events.WheelPlaced():
                self._placed("wheel", fact.wheel, fact.sections, ref, moment)
            case events.WheelRemoved():
                self._gone("wheel", fact.wheel, moment)
            case events.DeckPlaced():
                self._placed("deck", fact.deck, (), ref, moment)
            case events.DeckRemoved():
                self._gone("deck", fact.deck, moment)
            case events.CameraAssigned():
                self._placed("camera", fact.camera, (), ref, moment)

    def doubt(self) -> None:
        """Facts are missing or contradict each other: what lies here may have changed unseen."""
        for use in self.uses.values():
            use.doubtful = True

    def finish(self, moment: TableMoment) -> None:
        """The record ends here; what lies at the table is still there as far as it goes."""
        for use in self.uses.values():
            self._hand_out(use, moment, still=True)

    def only(self, kind: str) -> str | None:
        """The one piece of a kind at the table; None where there is none, or several."""
        names = [name for own, name in self.uses if own == kind]
        return names[0] if len(names) == 1 else None

    def parts(self, kind: str, name: str) -> tuple[str, ...]:
        """The sections of a wheel, the serial numbers of a set."""
        use = self.uses.get((kind, name))
        return use.parts if use is not None else ()

    def set_of(self, serials: Iterable[str], shaker: str | None) -> str | None:
        """The set that dice are of: by their serial numbers, by their shaker, or the only one."""
        sets = [use for (kind, _), use in self.uses.items() if kind == SET]
        wanted = set(serials)
        if wanted:
            return next((use.name for use in sets if wanted <= use.left), None)
        if shaker is not None:
            mine = [use for use in sets if use.shaker == shaker]
            sets = mine if len(mine) == 1 else sets
        return sets[0].name if len(sets) == 1 else None

    def _placed(
        self, kind: str, name: str, parts: tuple[str, ...], ref: FactRef, moment: TableMoment
    ) -> None:
        self._gone(kind, name, moment)
        self.uses[kind, name] = Use(kind, name, moment.at, ref, parts)

    def _gone(self, kind: str, name: str, moment: TableMoment) -> None:
        use = self.uses.pop((kind, name), None)
        if use is not None:
            self._hand_out(use, moment, still=False)

    def _dice_gone(self, serials: Iterable[str], moment: TableMoment) -> None:
        gone = set(serials)
        for use in [use for (kind, _), use in self.uses.items() if kind == SET]:
            if use.left & gone:
                use.left -= gone
                if not use.left:
                    self._gone(SET, use.name, moment)

    def _hand_out(self, use: Use, moment: TableMoment, *, still: bool) -> None:
        for day, since, until in moment.spans(use.since, moment.at):
            self.add(
                "equipment",
                (
                    day, moment.table, use.kind, use.name, list(use.parts), since, until,
                    use.since, str(use.placed), still or until < moment.at, use.doubtful,
                ),
            )  # fmt: skip
