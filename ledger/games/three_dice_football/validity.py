"""When a throw does not count, who may say so, and how the dice of one that counts are read.

Law: § 577.5. Readings: invalid-is-rethrown, groundless-no-roll.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import Final, TypeAlias

from ledger import events
from ledger.games.football_field import Throw
from ledger.games.room import Act, Call, Invalid, Scope, Taint, Then
from ledger.games.three_dice_football.terms import GREEN, LAW, OPPOSITE, RED, THROWN_COLOURS
from ledger.games.three_dice_football.wagers import EXTRA_POINT, FULL_GAME, SINGLE_PLAY
from ledger.kernel.quick_dataclass import dataclass

FACES: Final = range(1, 7)
Ruled: TypeAlias = tuple[str | None, int]
"""A die's serial and the face that the stickperson determined for it (§ 577.5(g))."""


@dataclass(frozen=True, slots=True)
class AnyDie:
    """At least one die came to rest in one of these ways, or touched that."""

    rests: tuple[events.ThrowRest, ...]
    touched: events.Touched | None = None

    def __call__(self, throw: events.DiceThrownByHand) -> bool:
        return any(
            die.rest in self.rests
            or (self.touched is not None and self.touched in (die.touched or ()))
            for die in throw.dice
        )

    def __str__(self) -> str:
        words = " or ".join(rest.lower().replace("_", " ") for rest in self.rests)
        return f"a die is {words}"


@dataclass(frozen=True, slots=True)
class NotSo:
    """The record does not say that the throw was as this field says: the cause is not denied."""

    field: str

    def __call__(self, throw: events.DiceThrownByHand) -> bool:
        return getattr(throw, self.field) is not True

    def __str__(self) -> str:
        return f"the record does not say: {self.field.replace('_', ' ')}"


@dataclass(frozen=True, slots=True)
class AsSaid:
    """The stickperson's word is enough."""

    def __call__(self, throw: events.DiceThrownByHand) -> bool:
        return True

    def __str__(self) -> str:
        return "the stickperson says so"


REST = events.ThrowRest
# fmt: off
INVALID_ROLLS: Final = (   # highest precedence first; the first that applies decides
    #       cause                           when                                            call         then          cite              reading
    Invalid("a die off the table",          AnyDie((REST.OFF_TABLE,)),                      Call.VOID,   Then.RETHROW, LAW[".5(b)#1"],    "invalid-is-rethrown"),
    Invalid("a die on top of another",      AnyDie((REST.ON_A_DIE,)),                       Call.VOID,   Then.RETHROW, LAW[".5(b)#2"],    "invalid-is-rethrown"),
    Invalid("two sides of a die propped",   AnyDie((REST.TWO_SIDES_PROPPED,)),              Call.VOID,   Then.RETHROW, LAW[".5(f)#2"]),
    Invalid("dice not released together",   NotSo("released_together"),                     Call.MAY,    Then.RETHROW, LAW[".5(c)(1)"],   "invalid-is-rethrown"),
    Invalid("far end not struck",           NotSo("struck_far_end"),                        Call.MAY,    Then.RETHROW, LAW[".5(c)(2)"],   "invalid-is-rethrown"),
    Invalid("die on the bank",              AnyDie((REST.ON_BANK,), events.Touched.BANK),          Call.MAY,    Then.RETHROW, LAW[".5(c)(3)"],   "invalid-is-rethrown"),
    Invalid("die in the dice cup",          AnyDie((REST.IN_DICE_CUP,), events.Touched.DICE_CUP),  Call.MAY,    Then.RETHROW, LAW[".5(c)(4)"],   "invalid-is-rethrown"),
    Invalid("die on a rail",                AnyDie((REST.ON_RAIL,), events.Touched.RAIL),          Call.MAY,    Then.RETHROW, LAW[".5(c)(4)"],   "invalid-is-rethrown"),
    Invalid("cheating",                     AsSaid(),                                       Call.MAY,    Then.RETHROW, LAW[".5(c)(5)"],   "invalid-is-rethrown"),
    Invalid("improper throw",               AsSaid(),                                       Call.MAY,    Then.RETHROW, LAW[".5(c)(6)"],   "invalid-is-rethrown"),
    Invalid("disputed face",                AsSaid(),                                       Call.MAY,    Then.RETHROW, LAW[".5(g)"]),
    Invalid("contact with chips or plaques other than the bank", AnyDie((REST.ON_CHIPS,), events.Touched.PATRON_CHIPS), Call.STANDS, Then.SETTLE, LAW[".5(d)"]),
)
TAINTS: Final = (   # what an irregular act leaves in doubt, and no more
    #     act                   in doubt         cite               reading
    Taint(Act.LATE_WAGER,        Scope.WAGER,     LAW[".3(e)#1"],    "late-wager"),
    Taint(Act.LATE_RAISE,        Scope.ADDED,     LAW[".3(c)#1"],    "late-raise"),
    Taint(Act.LATE_LIFT,         Scope.NOTHING,   LAW[".3(c)#3"],    "late-take-down"),
    Taint(Act.SECOND_PAYMENT,    Scope.NOTHING,   LAW[".6(f)"],      None),
    Taint(Act.EARLY_SETTLEMENT,  Scope.NOTHING,   LAW[".6(f)"],      None),
    Taint(Act.CALL,              Scope.NOTHING,   LAW[".5(e)#2"],    "dice-decide"),
    Taint(Act.CALL_OFF_PLAY,     Scope.NAMED,     LAW[".5(c)"],      "groundless-no-roll", FULL_GAME | SINGLE_PLAY),
    Taint(Act.CALL_OFF_LATER,    Scope.NAMED,     LAW[".5(c)"],      "groundless-no-roll", FULL_GAME),
    Taint(Act.CALL_OFF_EXTRA,    Scope.NAMED,     LAW[".5(c)"],      "groundless-after-a-score", EXTRA_POINT),
    Taint(Act.CALL_OFF_OVER,     Scope.NOTHING,   LAW[".5(c)"],      "groundless-after-a-score"),
    Taint(Act.TOLD_AGAIN,        Scope.NOTHING,   LAW[".6"]),
)
# fmt: on
VOID_ROWS: Final = tuple(row for row in INVALID_ROLLS if row.call is Call.VOID)
GROUNDS: Final[dict[str, Invalid]] = {
    row.cause: row for row in INVALID_ROLLS if row.call is Call.MAY
}
"""The grounds on which the stickperson may call no roll, by the words of the schemas."""
DISPUTE: Final = "disputed face"
CHEATING: Final = "cheating"


def no_cause(throw: events.DiceThrownByHand) -> Invalid | None:
    """Return the row of what happened to a throw without being a cause to annul it (§ 577.5(d)).

    None if nothing of the kind happened.
    """
    return next((row for row in INVALID_ROLLS if row.call is Call.STANDS and row.when(throw)), None)


def invalid_row(throw: events.DiceThrownByHand) -> Invalid | None:
    """Return the row by which a throw is void even without a call, None if there is none."""
    return next((row for row in VOID_ROWS if row.when(throw)), None)


def coloured(
    throw: events.DiceThrownByHand, colours: Mapping[str, str | None]
) -> tuple[str | None, ...]:
    """Return the color of each die thrown: as recorded with the throw, else as the set was placed.

    Args:
        throw: the throw.
        colours: the color of each die of the set by its serial.

    Returns:
        One color for each die, None where it is not recorded.
    """
    return tuple(
        die.colour if die.colour is not None else colours.get(die.serial or "")
        for die in throw.dice
    )


def right_dice(colours: tuple[str | None, ...]) -> bool | None:
    """Whether two green dice and a red one were thrown; None if their colors leave it open."""
    return agrees(colours, THROWN_COLOURS)


def agrees(colours: tuple[str | None, ...], wanted: tuple[str, ...]) -> bool | None:
    """Whether dice are those of a set; None if some color is not recorded and they may be.

    >>> agrees(("red", "green", "green"), ("green", "green", "red"))
    True
    >>> agrees(("red", None, "green"), ("green", "green", "red"))
    >>> agrees(("red", "red", None), ("green", "green", "red"))
    False
    """
    if colours == wanted:
        return True
    known = Counter(colour for colour in colours if colour is not None)
    if len(colours) != len(wanted) or known - Counter(wanted):
        return False
    return None if None in colours else True


def other_dice(throw: events.DiceThrownByHand, colours: Mapping[str, str | None]) -> bool:
    """Whether dice other than two green and a red were certainly thrown."""
    return right_dice(coloured(throw, colours)) is False


def side_up(die: events.ThrownDie) -> int | None:
    """Return the face that counts, None if not recorded.

    Of a cocked die it is the one opposite the side on which it rests (§ 577.5(f)).
    """
    if die.rest is events.ThrowRest.UNRECOGNISED:
        return None
    if die.rest is events.ThrowRest.ONE_SIDE_PROPPED and die.resting_side is not None:
        return OPPOSITE - die.resting_side
    return die.face


def faces_of(
    throw: events.DiceThrownByHand, colours: Mapping[str, str | None], ruled: tuple[Ruled, ...]
) -> Throw | None:
    """Return the faces as green, green (in rising order), red.

    Args:
        throw: the throw.
        colours: the color of each die of the set by its serial.
        ruled: the faces that the stickperson determined.

    Returns:
        None if a face is not known, or the dice are not known to be two green and a red.
    """
    dice = coloured(throw, colours)
    if right_dice(dice) is not True:
        return None
    faces = [side_up(die) for die in throw.dice]
    for serial, face in ruled:  # § 577.5(g)
        at = _which(throw, serial)
        if at is None:
            return None
        faces[at] = face
    if any(face is None or face not in FACES for face in faces):
        return None
    green = [face for face, colour in zip(faces, dice, strict=True) if colour == GREEN]
    red = next(face for face, colour in zip(faces, dice, strict=True) if colour == RED)
    return called_faces((*green, red))


def determined(
    throw: events.DiceThrownByHand,
    colours: Mapping[str, str | None],
    disputes: tuple[events.FaceDisputed, ...],
    call: events.RollCalled,
) -> Throw | None:
    """Return the faces that a call after a dispute determines (§ 577.5(g)).

    Args:
        throw: the throw.
        colours: the color of each die of the set by its serial.
        disputes: the disputes; one without alternatives leaves every face of its die open.
        call: the call.

    Returns:
        The faces called, None if no choice among the disputed faces gives them.
    """
    called = called_faces(call.faces)
    choices = [
        [None, *((dispute.die, face) for face in sorted(set(dispute.alternatives)) or FACES)]
        for dispute in disputes
    ]
    for chosen in product(*choices):  # None: as it lies
        faces = faces_of(throw, colours, tuple(one for one in chosen if one is not None))
        if faces is not None and faces == called:
            return faces
    return None


def _which(throw: events.DiceThrownByHand, serial: str | None) -> int | None:
    """Return the index of the die that a dispute was about, None if that is not clear.

    It is the die named, else the only one that is not flat.
    """
    named = [at for at, die in enumerate(throw.dice) if serial and die.serial == serial]
    leaning = [at for at, die in enumerate(throw.dice) if die.rest is not events.ThrowRest.FLAT]
    dice = named if serial else leaning
    return dice[0] if len(dice) == 1 else None


def called_faces(faces: tuple[int | None, ...]) -> Throw | None:
    """Return numbers called in the order green, green, red.

    None if they are not three faces of dice.

        >>> called_faces((5, 2, 1))
        (2, 5, 1)
        >>> called_faces((5, 2))
    """
    if len(faces) != len(THROWN_COLOURS) or not all(face in FACES for face in faces):
        return None
    first, other, red = (face or 0 for face in faces)
    return (min(first, other), max(first, other), red)


def unclear(throw: events.DiceThrownByHand) -> bool:
    """Whether a die lies in a way that this version does not know."""
    return any(die.rest is events.ThrowRest.UNRECOGNISED for die in throw.dice)


def cocked(throw: events.DiceThrownByHand) -> bool:
    """Whether a die leans on something with one side."""
    return any(die.rest is events.ThrowRest.ONE_SIDE_PROPPED for die in throw.dice)


def words(throw: Throw) -> str:
    """Print faces: "green 1 3, red 2"."""
    return f"green {throw[0]} {throw[1]}, red {throw[2]}"
