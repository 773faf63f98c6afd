"""When a spin does not count, and what one that counts comes to.

Law: §§ 689.2(b)-(d), (f). Readings: short-spin, void-spin-wagers-stand.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.events import Clapper, WheelSpun
from ledger.games.dreamcatcher.terms import LAW, NUMBERS, REVOLUTIONS, Phase
from ledger.games.dreamcatcher.wagers import FACTORS
from ledger.games.room import Act, Call, Invalid, Scope, Taint, Then
from ledger.games.wheel import BetweenSections, FewerTurns, Sections
from ledger.kernel import Citation

# fmt: off
INVALID_SPINS: Final = (   # highest precedence first; the first that applies decides
    #       cause                                 when                     call       then         cite             reading
    Invalid("the clapper between two sections",   BetweenSections(),       Call.VOID, Then.RESPIN, LAW[".2(d)#1"],  reading="void-spin-wagers-stand"),
    Invalid("fewer than three revolutions",       FewerTurns(REVOLUTIONS), Call.VOID, Then.RESPIN, LAW[".2(b)#3"],  reading="short-spin"),
)
AFTER_VOID: Final = {      # which duties a void spin leaves, by where its cause stands
    #  cause           wagers were settled on it  it was not spun again
    LAW[".2(d)#1"]:    ("settled_on_void_spin#1", "void_spin_not_respun#2"),
    LAW[".2(b)#3"]:    ("settled_on_void_spin#3", "void_spin_not_respun#4"),
}
TAINTS: Final = (   # what an irregular act leaves in doubt, and no more
    #     act                   in doubt         cite               reading
    Taint(Act.LATE_WAGER,        Scope.WAGER,     LAW[".3(b)#3"],    "late-wager"),
    Taint(Act.LATE_RAISE,        Scope.ADDED,     LAW[".2(c)#1"],    "late-raise"),
    Taint(Act.LATE_LIFT,         Scope.NOTHING,   LAW[".2(c)#4"],    "late-take-down"),
    Taint(Act.SECOND_PAYMENT,    Scope.NOTHING,   LAW[".2(e)"],      None),
    Taint(Act.EARLY_SETTLEMENT,  Scope.NOTHING,   LAW[".2(c)#2"],    None),
    Taint(Act.CALL,              Scope.NOTHING,   LAW[".1(b)#3"],    "wheel-decides"),
    Taint(Act.CALL_OFF,          Scope.NOTHING,   LAW[".2(d)#4"],    "valid-spin-stands"),
    Taint(Act.SHOWN_AGAIN,       Scope.NOTHING,   LAW[".2(c)#3"],    "valid-spin-stands"),
    Taint(Act.TOLD_AGAIN,        Scope.NOTHING,   LAW[".2"]),
)
# fmt: on
BETWEEN: Final = INVALID_SPINS[0]

VALID: Final = frozenset({Phase.BONUS, Phase.DECIDED, Phase.UNREAD})
"""The phases to which a spin that counts leads."""


class Landing(NamedTuple):
    """What one spin came to.

    Args:
        phase: the phase to which it leads.
        symbol: what the section shows; empty where that is not known.
        void: the row by which it does not count.
        why: why the round cannot be decided.
        cite: the section of that.
        duty: the duty of which it is not known whether it was kept.
    """

    phase: Phase
    symbol: str = ""
    void: Invalid | None = None
    why: str = ""
    cite: Citation = LAW[".2(c)#5"]
    duty: str | None = None


def invalid_spin(spin: WheelSpun) -> Invalid | None:
    """Return the row by which a spin does not count, None if none applies."""
    return next((row for row in INVALID_SPINS if row.when(spin)), None)


def landing(wheel: Sections | None, spin: WheelSpun, *, unread: bool) -> Landing:
    """Return what a spin comes to.

    Args:
        wheel: the sections of the wheel in use; None if not known.
        spin: the spin.
        unread: the section of an earlier spin is not known.
    """
    if unread:
        return Landing(Phase.UNDECIDABLE, why="the section of an earlier spin was not recorded")
    row = invalid_spin(spin)
    if row is not None:
        return Landing(Phase.VOID, void=row)
    if spin.revolutions_thousandths is None:
        why = "the revolutions of a spin were not recorded"
        return Landing(
            Phase.UNDECIDABLE, why=why, cite=LAW[".2(b)#5"], duty="spin_validity_unknown"
        )
    if spin.clapper is Clapper.UNRECOGNISED:
        why = "where the clapper came to rest is not known"
        return Landing(
            Phase.UNDECIDABLE, why=why, cite=LAW[".2(d)#1"], duty="spin_validity_unknown"
        )
    symbol = _read(wheel, spin)
    return Landing(Phase.UNREAD) if symbol is None else landing_on(symbol)


def landing_on(symbol: str) -> Landing:
    """Return what a spin that counts comes to when the clapper rests at this symbol."""
    if symbol in FACTORS:
        return Landing(Phase.BONUS, symbol)
    if symbol in NUMBERS:
        return Landing(Phase.DECIDED, symbol)
    return Landing(Phase.UNDECIDABLE, why=f"the chapter has no section that shows {symbol}")


def known(symbol: str) -> bool:
    """Whether the chapter's wheel has such a number or symbol."""
    return symbol in FACTORS or symbol in NUMBERS


def _read(wheel: Sections | None, spin: WheelSpun) -> str | None:
    """Return what the section shows: by its place on the wheel in use, else as it was read."""
    if wheel is not None and spin.section is not None and 0 <= spin.section < len(wheel):
        return wheel[spin.section]
    return spin.symbols[0] if spin.symbols and len(spin.symbols) == 1 else None
