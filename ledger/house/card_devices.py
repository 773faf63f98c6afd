"""Equipment for cards and for choosing the start: whether its bureau approved it before its use.

Law: §§ 575.2(c)(2), (3), 575.5(f), (h) through the room's own rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Final

from ledger import events
from ledger.games.room import Breach, Duty, Room, Rules
from ledger.house.office import Office
from ledger.kernel import Certainty, ref_of
from ledger.kernel.quick_dataclass import dataclass

CardFact = (
    events.ButtonPlaced
    | events.CardDevicePlaced
    | events.CardsDealt
    | events.CardsShuffled
    | events.DealBegan
    | events.GeneratorShown
    | events.StartMarked
    | events.TableClosed
)
CARD_FACTS: Final = frozenset(
    {
        events.ButtonPlaced, events.CardDevicePlaced, events.CardsDealt, events.CardsShuffled, events.DealBegan, events.GeneratorShown,
        events.StartMarked, events.TableClosed,
    }
)  # fmt: skip

RESHUFFLED: Final = (events.ShuffleMethod.RESHUFFLER, events.DealMethod.RESHUFFLER)
Used = tuple[events.CardDevice, str | None]


@dataclass(slots=True)
class CardDevices:
    """The devices that were used since the table opened, and judged."""

    judged: set[Used] = field(default_factory=set)

    def take(self, room: Room, rules: Rules, fact: CardFact, office: Office) -> Iterable[Breach]:
        """Follow one fact, and return what it breaks.

        A device is judged at its first use, and again after the table closed.

        Args:
            room: which approvals each kind of device needs.
            rules: those in force.
            fact: what came.
            office: the approvals.
        """
        if isinstance(fact, events.TableClosed):
            self.judged.clear()
            return ()
        used = _used(fact)
        if used is None or used in self.judged:
            return ()
        return self._first_use(room, rules, fact, office, used)

    def _first_use(
        self, room: Room, rules: Rules, fact: CardFact, office: Office, used: Used
    ) -> Iterator[Breach]:
        row = next((row for row in room.approvals if row.kind == used[0]), None)
        if row is None:
            return
        self.judged.add(used)
        kind, device = used
        name = kind.lower().replace("_", " ")
        says = rules.duty("equipment_not_approved").says
        duty = Duty("equipment_not_approved", row.severity, row.cite, says)
        ref = ref_of(fact)
        if device is None:
            yield Breach(
                duty=duty, facts=(ref,), observed=f"a {name} of unknown id",
                expected="its bureau", certainty=Certainty.UNKNOWN,
            )  # fmt: skip
            return
        lacking = office.lacking(device, row.bureaus, fact.event_time)
        if lacking:
            sure = office.sure(None, fact.event_time)
            yield Breach(
                duty=duty, facts=(ref,), observed=f"{name} {device}",
                expected=" and ".join(one.lower().replace("_", " ") for one in lacking),
                certainty=Certainty.BROKEN if sure else Certainty.UNKNOWN,
            )  # fmt: skip


def _used(fact: CardFact) -> Used | None:
    """Return which device a fact shows in use; None if it shows none."""
    match fact:
        case events.CardsShuffled() | events.DealBegan() | events.CardsDealt() if (
            fact.method not in RESHUFFLED
        ):
            return None
        case events.CardDevicePlaced():
            return fact.device, fact.device_id
        case events.GeneratorShown():
            return events.CardDevice.GENERATOR, fact.device_id
        case events.ButtonPlaced():
            return events.CardDevice.FLAT_BUTTON, fact.device_id
        case events.StartMarked():
            return events.CardDevice.START_MARKER, fact.marker
        case events.CardsShuffled() | events.DealBegan() | events.CardsDealt():
            return events.CardDevice.RESHUFFLER, fact.device_id
        case _:
            return None
