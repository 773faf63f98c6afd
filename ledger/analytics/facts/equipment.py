"""Equipment in use at one table: dice sets, shakers, wheels, decks, from when to when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from ledger import events
from ledger.analytics.facts.spans import Add, Now
from ledger.kernel import FactRef, ref_of

KINDS: Final = frozenset(
    {
        *(events.DiceSetPlaced, events.DiceSetRemoved, events.ShakerPlaced, events.ShakerRemoved),
        *(events.WheelPlaced, events.WheelRemoved, events.DeckPlaced, events.DeckRemoved),
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

    def take(self, fact: events.Fact, now: Now) -> None:
        """Follow one fact."""
        ref = ref_of(fact)
        match fact:
            case events.DiceSetPlaced():
                serials = tuple(die.serial for die in fact.dice)
                self._dice_gone(serials, now)  # placed anew, they are of the old set no more
                use = Use(SET, str(ref), now.at, ref, serials, set(serials), fact.shaker)
                self.uses[SET, use.name] = use
            case events.DiceSetRemoved():
                self._dice_gone(fact.dice, now)
            case events.ShakerPlaced():
                self.kinds[fact.shaker] = fact.kind.value
                self._placed("shaker", fact.shaker, (), ref, now)
            case events.ShakerRemoved():
                self._gone("shaker", fact.shaker, now)
            case events.WheelPlaced():
                self._placed("wheel", fact.wheel, fact.sections, ref, now)
            case events.WheelRemoved():
                self._gone("wheel", fact.wheel, now)
            case events.DeckPlaced():
                self._placed("deck", fact.deck, (), ref, now)
            case events.DeckRemoved():
                self._gone("deck", fact.deck, now)

    def doubt(self) -> None:
        """Facts are missing or contradict each other: what lies here may have changed unseen."""
        for use in self.uses.values():
            use.doubtful = True

    def finish(self, now: Now) -> None:
        """The record ends here; what lies at the table is still there as far as it goes."""
        for use in self.uses.values():
            self._hand_out(use, now, still=True)

    def only(self, kind: str) -> str | None:
        """The one piece of a kind at the table; None where there is none, or several."""
        found = [name for own, name in self.uses if own == kind]
        return found[0] if len(found) == 1 else None

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

    def _placed(self, kind: str, name: str, parts: tuple[str, ...], ref: FactRef, now: Now) -> None:
        self._gone(kind, name, now)
        self.uses[kind, name] = Use(kind, name, now.at, ref, parts)

    def _gone(self, kind: str, name: str, now: Now) -> None:
        use = self.uses.pop((kind, name), None)
        if use is not None:
            self._hand_out(use, now, still=False)

    def _dice_gone(self, serials: Iterable[str], now: Now) -> None:
        gone = set(serials)
        for use in [use for (kind, _), use in self.uses.items() if kind == SET]:
            if use.left & gone:
                use.left -= gone
                if not use.left:
                    self._gone(SET, use.name, now)

    def _hand_out(self, use: Use, now: Now, *, still: bool) -> None:
        for day, since, until in now.spans(use.since, now.at):
            self.add(
                "equipment",
                (
                    day, now.table, use.kind, use.name, list(use.parts), since, until,
                    use.since, str(use.placed), still or until < now.at, use.doubtful,
                ),
            )  # fmt: skip
