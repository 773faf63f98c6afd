"""When a roll does not count, and how the dice of one that does are read.

Law: § 539.7(a).
"""

from __future__ import annotations

from typing import Final

from ledger.events import DiceThrown, Die, Rest
from ledger.games.dice import Faces, NotAllFlat
from ledger.games.room import Act, Call, Invalid, Scope, Taint, Then
from ledger.games.sic_bo.terms import LAW

# fmt: off
INVALID_ROLLS: Final = (   # highest precedence first; all that apply are cited, the first decides
    #       cause                                                   when          call       then         cite
    Invalid("not all three dice flat on the bottom of the shaker",  NotAllFlat(), Call.MUST, Then.RETURN, LAW[".7(a)#1"], reading="not-all-flat"),
)
TAINTS: Final = (   # what an irregular act leaves in doubt, and no more
    #     act                   in doubt         cite               reading
    Taint(Act.LATE_WAGER,        Scope.WAGER,     LAW[".5(b)#2"],    "late-wager"),
    Taint(Act.LATE_RAISE,        Scope.ADDED,     LAW[".4(c)#1"],    "late-raise"),
    Taint(Act.LATE_LIFT,         Scope.NOTHING,   LAW[".4(c)#3"],    "late-take-down"),
    Taint(Act.SECOND_PAYMENT,    Scope.NOTHING,   LAW[".5(e)"],      None),
    Taint(Act.EARLY_SETTLEMENT,  Scope.NOTHING,   LAW[".5(e)#1"],    None),
    Taint(Act.CALL,              Scope.NOTHING,   LAW[".5(d)#2"],    "dice-decide"),
    Taint(Act.CALL_OFF,          Scope.NOTHING,   LAW[".7(a)#4"],    "groundless-no-roll"),
    Taint(Act.SHOWN_AGAIN,       Scope.NOTHING,   LAW[".4(c)#1"],    None),
    Taint(Act.TOLD_AGAIN,        Scope.NOTHING,   LAW[".5"]),
)
# fmt: on


def no_roll_row(dice: tuple[Die, ...]) -> Invalid | None:
    """Return the row by which this roll does not count; None if it counts.

    A die of which it is not clear how it lies is no cause.
    """
    clear = tuple(die for die in dice if die.rest is not Rest.UNRECOGNISED)
    return next((row for row in INVALID_ROLLS if row.when(clear)), None)


def unclear(dice: tuple[Die, ...]) -> bool:
    """Whether a die lies in a way that this version does not know."""
    return any(die.rest is Rest.UNRECOGNISED for die in dice)


def faces_of(fact: DiceThrown) -> Faces | None:
    """Return the faces in rising order, None if one was not recorded."""
    faces = [die.face for die in fact.dice if die.face is not None]
    return tuple(sorted(faces)) if len(faces) == len(fact.dice) else None


def words(faces: Faces) -> str:
    """Print faces for people: "2 3 4"."""
    return " ".join(map(str, faces))


def lies(dice: tuple[Die, ...]) -> str:
    """Say how the dice lie, for people."""
    return ", ".join(f"{die.face or '?'} {die.rest.lower().replace('_', ' ')}" for die in dice)
