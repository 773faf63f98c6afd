"""One table's facts beside its rounds: who dealt, with which equipment, and what came too late."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import ClassVar, Final, TypeVar

from ledger import events
from ledger.casework.history import Spin, Throw
from ledger.casework.serial_in_series import serial_place
from ledger.games import BY_GAME, ROOMS
from ledger.kernel import ref_of, round_id
from ledger.kernel.quick_dataclass import dataclass

SUPERVISORS: Final = (events.Role.FLOORPERSON, events.Role.BOXPERSON, events.Role.PIT_MANAGER)
_Unit = TypeVar("_Unit", Throw, Spin)
FLAT: Final = frozenset({events.Rest.FLAT, events.ThrowRest.FLAT})
LOT: Final = "lot"
"""How an inspection of a die names the supplier's lot that it read on its box."""
NOT_FLAT: Final = "not all dice lay flat, or a face was not recorded"


@dataclass(slots=True)
class TableFacts:
    """What holds at a table from one fact to the next; empty: not known.

    ``lots`` is the supplier's lot of a die by its serial, as the property handed it in; ``seen``
    the same as an inspection of the die recorded it (``LOT`` among what was seen).
    """

    lots: Mapping[str, str]
    seen: dict[str, str] = field(default_factory=dict)
    people: dict[events.Role, set[str]] = field(default_factory=dict)
    dice: dict[str, str | None] = field(default_factory=dict)
    shakers: set[str] = field(default_factory=set)
    wheels: dict[str, int] = field(default_factory=dict)
    game: str = ""

    LASTING: ClassVar[tuple[str, ...]] = (
        "StaffAssigned",
        "StaffRelieved",
        "DiceSetPlaced",
        "DiceSetRemoved",
        "ShakerPlaced",
        "ShakerRemoved",
        "WheelPlaced",
        "WheelRemoved",
        "ItemInspected",
        "TableOpened",
    )
    WANTED: ClassVar[tuple[str, ...]] = (
        *LASTING,
        "BettingOpened",
        "WagerSettled",
        "CouponRedeemed",
        "DiceThrown",
        "DiceThrownByHand",
        "WheelSpun",
        "NoRollCalled",
        "RoundVoided",
        "ThrowVoided",
        "SpinVoided",
    )

    def holds(self, *roles: events.Role) -> str:
        """Who holds the first of these roles that somebody holds; several by name."""
        for role in roles:
            if self.people.get(role):
                return " and ".join(sorted(self.people[role]))
        return ""

    def lot(self, serial: str) -> str:
        """The supplier's lot of a die."""
        return self.seen.get(serial) or self.lots.get(serial, "")

    def take(self, fact: events.Fact) -> None:
        """Follow one lasting fact."""
        match fact:
            case events.ItemInspected(subject=events.Subject.DICE, subject_id=str(serial)):
                lots = [one.value for one in fact.seen if one.name == LOT and one.value]
                if lots:
                    self.seen[serial] = lots[-1]
            case events.StaffAssigned():
                self.people.setdefault(fact.role, set()).add(fact.person)
            case events.StaffRelieved():
                self.people.get(fact.role, set()).discard(fact.person)
            case events.DiceSetPlaced():
                self.dice |= {die.serial: die.colour for die in fact.dice}
            case events.DiceSetRemoved():
                for serial in fact.dice:
                    self.dice.pop(serial, None)
            case events.ShakerPlaced():
                self.shakers.add(fact.shaker)
            case events.ShakerRemoved():
                self.shakers.discard(fact.shaker)
            case events.TableOpened():
                self.game = fact.game
            case events.WheelPlaced():
                self.wheels[fact.wheel] = len(fact.sections)
            case events.WheelRemoved():
                self.wheels.pop(fact.wheel, None)
            case _:
                pass


@dataclass(slots=True)
class DayAtTable:
    """A table's day as it goes by.

    ``hands`` says who dealt and supervised when a wager was settled.
    """

    table: str
    facts: TableFacts
    throws: list[Throw] = field(default_factory=list)
    spins: list[Spin] = field(default_factory=list)
    hands: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    coupons: list[tuple[events.CouponRedeemed, str]] = field(default_factory=list)
    round: str = ""

    def forget(self) -> None:
        """Facts were lost: nothing that outlives a round is known."""
        self.facts = TableFacts(self.facts.lots, self.facts.seen)
        self.round = ""

    def take(self, fact: events.Fact, *, begun: bool) -> None:
        """Follow one fact; before the day has begun only what lasts."""
        self.facts.take(fact)
        if begun:
            self._play(fact)

    def _play(self, fact: events.Fact) -> None:
        match fact:
            case events.BettingOpened():
                self.round = round_id(ref_of(fact))
            case events.WagerSettled():
                hands = (self.facts.holds(events.Role.DEALER), self.facts.holds(*SUPERVISORS))
                self.hands[self.round, fact.wager_id] = hands
            case events.CouponRedeemed():
                self.coupons.append((fact, self.facts.holds(events.Role.DEALER)))
            case events.DiceThrown() | events.DiceThrownByHand():
                self.throws.append(self._throw(fact))
            case events.WheelSpun():
                self.spins.extend(self._spin(fact))
            case events.NoRollCalled() | events.RoundVoided() | events.ThrowVoided():
                _annul(self.throws, "called no roll, or void")
            case events.SpinVoided():
                _annul(self.spins, "declared void")
            case _:
                pass

    def _throw(self, fact: events.DiceThrown | events.DiceThrownByHand) -> Throw:
        flat = all(die.rest in FLAT and die.face in range(1, 7) for die in fact.dice)
        dice = tuple((self._serial(die.serial, die.colour), die.face or 0) for die in fact.dice)
        lots = {self.facts.lot(serial) for serial, _ in dice}
        by_hand = isinstance(fact, events.DiceThrownByHand)
        return Throw(
            at=fact.event_time,
            stream=fact.stream,
            seq=fact.seq,
            table=self.table,
            dice=dice,
            set=", ".join(sorted(self.facts.dice)),
            shaker=""
            if by_hand or len(self.facts.shakers) != 1
            else next(iter(self.facts.shakers)),
            lot=lots.pop() if len(lots) == 1 else "",
            out="" if flat and fact.dice else NOT_FLAT,
        )

    def _serial(self, serial: str | None, colour: str | None) -> str:
        """Which die it is: as recorded, else the only one of its colour in play."""
        if serial is None and colour is not None:
            same = [one for one, of in self.facts.dice.items() if of == colour]
            return same[0] if len(same) == 1 else ""
        return serial or ""

    def _spin(self, fact: events.WheelSpun) -> list[Spin]:
        if len(self.facts.wheels) != 1:
            return []
        ((wheel, sections),) = self.facts.wheels.items()
        section = fact.section if fact.section is not None else -1
        recorded = "" if 0 <= section < sections else "no section was recorded"
        out = self._void_spin(fact) or recorded
        return [
            Spin(
                at=fact.event_time,
                stream=fact.stream,
                seq=fact.seq,
                table=self.table,
                wheel=wheel,
                sections=sections,
                section=max(section, 0),
                by=fact.spun_by or self.facts.holds(events.Role.DEALER),
                out=out,
            )
        ]

    def _void_spin(self, spin: events.WheelSpun) -> str:
        """Why a spin does not count, by the game of the table; empty where it counts.

        Where no fact says which game that is, each game with a wheel must let it count.
        """
        room = BY_GAME.get(self.facts.game)
        judges = (room,) if room is not None and room.invalid_spin is not None else ROOMS
        for judge in judges:
            row = None if judge.invalid_spin is None else judge.invalid_spin(spin)
            if row is not None:
                return row.cause
        return ""


def _annul(units: list[_Unit], why: str) -> None:
    if units and not units[-1].out:
        units[-1] = replace(units[-1], out=why)


@dataclass(slots=True)
class Issues:
    """Who gave out which coupons, and to whom; the last word counts."""

    ranges: list[tuple[str, int, int, str, str, int]] = field(default_factory=list)

    WANTED: ClassVar[tuple[str, ...]] = ("CouponsIssued", "CouponsDistributed")

    def take(self, fact: events.Fact) -> None:
        """Follow one fact of the coupons' office."""
        match fact:
            case events.CouponsIssued():
                by, to = fact.issued_by, None
            case events.CouponsDistributed():
                by, to = fact.distributed_by, fact.patron
            case _:
                return
        for issued in fact.ranges:
            first, last = serial_place(issued.first or ""), serial_place(issued.last or "")
            if first and last and first[0] == last[0]:
                self.ranges.append(
                    (first[0], first[1], last[1], by or "", to or "", fact.event_time)
                )

    def of(self, serial: str) -> tuple[str, str, int]:
        """The issuer of a coupon, the patron it was given to, and when; empty where not known.

        A serial written in another way than its range is not found, and so not known.
        """
        place = serial_place(serial)
        if place is None:
            return "", "", 0
        series, number = place
        for name, first, last, by, to, at in reversed(self.ranges):
            if name == series and first <= number <= last:
                return by, to, at
        return "", "", 0
