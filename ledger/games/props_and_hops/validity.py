"""When a roll does not count, and how the dice of one that does are read.

Law: § 668a.3(f), (g), (h).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger import events
from ledger.games.dice import Faces
from ledger.games.props_and_hops.terms import DICE, LAW
from ledger.games.room import Act, Call, Invalid, Scope, Taint, Then
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Lying:
    """The dice to judge, and whether the player took off the lid after the shake."""

    dice: tuple[events.Die, ...]
    lifted: bool


@dataclass(frozen=True, slots=True)
class AnyLies:
    """At least one die lies in one of these ways."""

    rests: tuple[events.Rest, ...]

    def __call__(self, lying: Lying) -> bool:
        return any(die.rest in self.rests for die in lying.dice)

    def __str__(self) -> str:
        words = " or ".join(rest.value.lower().replace("_", " ") for rest in self.rests)
        return f"a die lies {words}"


@dataclass(frozen=True, slots=True)
class LidLifted:
    """The player took off the lid and the dice were not shaken again."""

    def __call__(self, lying: Lying) -> bool:
        return lying.lifted

    def __str__(self) -> str:
        return "the player took off the lid and the dice were not shaken again"


NOT_FLAT: Final = (events.Rest.ONE_SIDE_PROPPED, events.Rest.TWO_SIDES_PROPPED, events.Rest.ON_BANK)

# fmt: off
INVALID_ROLLS: Final = (   # all that apply are cited, the first decides
    #       cause                         when                                             call       then          cite
    Invalid("the player took off the lid", LidLifted(),                                    Call.VOID, Then.RETHROW, LAW[".3(f)#4"]),
    Invalid("a die fell out",             AnyLies((events.Rest.OUTSIDE_SHAKER, events.Rest.OFF_TABLE)),  Call.MUST, Then.RETHROW, LAW[".3(g)#3"]),
    Invalid("one die lies on the other",  AnyLies((events.Rest.ON_A_DIE,)),                       Call.MUST, Then.RETHROW, LAW[".3(h)#3"]),
    Invalid("a die does not lie flat",    AnyLies(NOT_FLAT),                               Call.MUST, Then.RETHROW, LAW[".3(h)#3"]),
)
TAINTS: Final = (   # what an irregular act leaves in doubt, and no more
    #     act                   in doubt         cite               reading
    Taint(Act.LATE_WAGER,        Scope.WAGER,     LAW[".3(e)#2"],    "late-wager"),
    Taint(Act.LATE_RAISE,        Scope.ADDED,     LAW[".2(f)(8)#6"], "late-raise"),
    Taint(Act.LATE_LIFT,         Scope.NOTHING,   LAW[".2(f)(8)#4"], "late-take-down"),
    Taint(Act.SECOND_PAYMENT,    Scope.NOTHING,   LAW[".3(i)#2"],    None),
    Taint(Act.EARLY_SETTLEMENT,  Scope.NOTHING,   LAW[".3(i)#2"],    None),
    Taint(Act.CALL,              Scope.NOTHING,   LAW[".3(h)#1"],    "dice-decide"),
    Taint(Act.CALL_OFF,          Scope.NOTHING,   LAW[".3(h)#5"],    "groundless-no-roll"),
    Taint(Act.LID,               Scope.UNDECIDED, LAW[".3(f)#4"],    "no-roll-not-reshaken"),
    Taint(Act.SHOWN_AGAIN,       Scope.NOTHING,   LAW[".3(h)#1"],    None),
    Taint(Act.TOLD_AGAIN,        Scope.NOTHING,   LAW[".3"]),
)
# fmt: on
LID: Final = INVALID_ROLLS[0]
CAUSES: Final = {
    "die fell out": INVALID_ROLLS[1],
    "die on another die": INVALID_ROLLS[2],
    "die not flat": INVALID_ROLLS[3],
}
"""The causes for which a no roll may be called (§ 668a.3(g), (h)), by the words of the schemas."""
RESTS: Final = {rest.value: rest for rest in events.Rest}


def no_roll_row(dice: tuple[events.Die, ...], *, lifted: bool) -> Invalid | None:
    """Return the row by which this roll does not count; None if it counts.

    A die of which it is not clear how it lies is no cause.

    Args:
        dice: the dice seen.
        lifted: whether the player took off the lid after the last shake.
    """
    lying = Lying(dice, lifted)
    return next((row for row in INVALID_ROLLS if row.when(lying)), None)


def dice_of(fact: events.DiceThrown | events.DiceThrownByHand) -> tuple[events.Die, ...]:
    """Return the dice as those of a shaker.

    Of one thrown by hand, a way to lie that a shaker does not know is kept as not recognized.
    """
    if isinstance(fact, events.DiceThrown):
        return fact.dice
    return tuple(
        events.Die(
            serial=die.serial,
            colour=die.colour,
            face=die.face,
            rest=RESTS.get(die.rest.value, events.Rest.UNRECOGNISED),
        )
        for die in fact.dice
    )


def unclear(dice: Iterable[events.Die]) -> bool:
    """Whether a die lies in a way that this version does not know."""
    return any(die.rest is events.Rest.UNRECOGNISED for die in dice)


def faces_shown(dice: tuple[events.Die, ...]) -> Faces | None:
    """Return the faces in rising order, None if one was not recorded or is none of a die."""
    faces = [die.face for die in dice if die.face is not None and 1 <= die.face <= 6]
    return tuple(sorted(faces)) if len(faces) == len(dice) else None


def lies(dice: tuple[events.Die, ...]) -> str:
    """Say how the dice lie: "2 flat, ? on bank"."""
    return ", ".join(f"{die.face or '?'} {die.rest.lower().replace('_', ' ')}" for die in dice)


def stated(event: events.RollCalled) -> Faces | None:
    """Return the faces announced in rising order, None where they are not those of two dice."""
    faces = tuple(sorted(event.faces))
    good = len(faces) == DICE and all(1 <= face <= 6 for face in faces)
    return faces if good else None
