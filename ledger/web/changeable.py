"""What of a round can be supposed otherwise, as the fields of a form beside its board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger import events
from ledger.games import BY_GAME
from ledger.kernel import dollars
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports import RoundView
from ledger.reports.fact_sentences import printable

LATE: Final = "after “no more bets”"
"""What a wager's time can be supposed to be."""
ON_TIME: Final = "as recorded"
_FACES: Final = tuple((face, face) for face in "123456")


@dataclass(frozen=True, slots=True, kw_only=True)
class Changeable:
    """A recorded value that can be supposed otherwise.

    Attributes:
        group: what it belongs to on the board: a throw, a call, a position, a wager.
        address: as `pitledger whatif --set` has it; of a time, the wager.
        label: what it is, for people.
        recorded: as it stands, in the words that would be typed.
        choices: all that it can be, each with its words; empty: it is typed.
        is_time: whether it is when a wager came.
        size: how many characters its field is wide.
    """

    group: str
    address: str
    label: str
    recorded: str
    choices: tuple[tuple[str, str], ...] = ()
    is_time: bool = False
    size: int = 8

    @property
    def name(self) -> str:
        """Its name in the form."""
        return f"{'time' if self.is_time else 'set'} {self.address}"


def changeable(seen: RoundView) -> Iterator[Changeable]:
    """Return the fields of a round: dice, wheel, calls, cards, then each wager and its time."""
    facts = [step.fact for step in seen.steps]
    yield from _dice(facts)
    yield from _wheel(facts, seen.wheel)
    for fact in facts:
        yield from _called(fact)
    for fact in facts:
        yield from _cards(fact)
    yield from _wagers(seen)


def _dice(facts: list[events.Fact]) -> Iterator[Changeable]:
    throws = [f for f in facts if isinstance(f, events.DiceThrown | events.DiceThrownByHand)]
    several = len(throws) > 1
    for number, throw in enumerate(throws, start=1):
        dice: tuple[events.Die | events.ThrownDie, ...] = throw.dice
        for place, die in enumerate(dice, start=1):
            yield Changeable(
                group=f"Throw {number}" if several else "Dice",
                address=f"throw[{number}].dice[{place}]" if several else f"dice[{place}]",
                label=f"die {place}" + (f" ({die.colour.lower()})" if die.colour else ""),
                recorded="" if die.face is None else str(die.face),
                choices=_FACES,
            )


def _wheel(facts: list[events.Fact], wheel: events.WheelPlaced | None) -> Iterator[Changeable]:
    spins = [fact for fact in facts if isinstance(fact, events.WheelSpun)]
    several = len(spins) > 1
    names = () if wheel is None else wheel.sections
    for number, spin in enumerate(spins, start=1):
        yield Changeable(
            group=f"Spin {number}" if several else "Wheel",
            address=f"spin[{number}].section" if several else "section",
            label="the clapper rests at section",
            recorded="" if spin.section is None else str(spin.section),
            choices=tuple(
                (str(index), f"{index}: {printable(name)}") for index, name in enumerate(names)
            ),
        )


def _called(fact: events.Fact) -> Iterator[Changeable]:
    if isinstance(fact, events.RollCalled):
        for place, face in enumerate(fact.faces, start=1):
            yield Changeable(
                group=f"Called ({fact.stream}:{fact.seq})",
                address=f"{fact.stream}:{fact.seq}.faces[{place}]",
                label=f"called die {place}",
                recorded=str(face),
                choices=_FACES,
            )
    elif isinstance(fact, events.SpinCalled):
        yield Changeable(
            group="Called",
            address=f"{fact.stream}:{fact.seq}.result",
            label="called section",
            recorded=fact.result,
        )


def _cards(fact: events.Fact) -> Iterator[Changeable]:
    if isinstance(fact, events.CardsDealt):
        for stack in sorted(fact.stacks, key=lambda each: (len(each.position), each.position)):
            for place, card in enumerate(stack.cards or (), start=1):
                yield Changeable(
                    group=f"Cards dealt to position {stack.position}",
                    address=f"cards[{stack.position}][{place}]",
                    label=f"card {place}",
                    recorded=card,
                    size=4,
                )


def _wagers(seen: RoundView) -> Iterator[Changeable]:
    room = BY_GAME.get(seen.result.game)
    names = () if room is None else tuple((row.name, row.name) for row in room.wagers)
    placed = {
        step.fact.wager_id for step in seen.steps if isinstance(step.fact, events.WagerPlaced)
    }
    for wager in seen.result.wagers:
        own, wager_id = f"Wager {wager.wager_id}", wager.wager_id
        own += f", seat {wager.position}" if wager.position else ""
        is_listed = wager.wager in dict(names)
        yield Changeable(
            group=own,
            address=f"{wager_id}.wager",
            label="wager",
            recorded=wager.wager,
            choices=names if is_listed else (),
            size=16,
        )
        if wager.picks:
            picks = ",".join(map(str, wager.picks))
            yield Changeable(
                group=own, address=f"{wager_id}.picks", label="picks", recorded=picks, size=4
            )
        stake = dollars(wager.stake_cents).lstrip("$").replace(",", "")
        yield Changeable(
            group=own, address=f"{wager_id}.stake", label="stake, $", recorded=stake, size=7
        )
        if wager_id in placed:
            yield Changeable(
                group=own,
                address=wager_id,
                label="time",
                recorded=ON_TIME,
                choices=((ON_TIME, ON_TIME), (LATE, LATE)),
                is_time=True,
            )
