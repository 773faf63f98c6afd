"""When a spin does not count.

Law: §§ 689.2(b), 689.2(d). Readings: short-spin, void-spin-wagers-stand.
"""

from __future__ import annotations

from typing import Final

from ledger.games.dreamcatcher.terms import LAW, REVOLUTIONS
from ledger.games.room import Call, Invalid, Then
from ledger.games.wheel import BetweenSections, FewerTurns

# fmt: off
INVALID_SPINS: Final = (   # highest precedence first; the first that applies decides
    #       what                                  when                     call       then         cite             reading
    Invalid("the clapper between two sections",   BetweenSections(),       Call.VOID, Then.RESPIN, LAW[".2(d)#1"],  reading="void-spin-wagers-stand"),
    Invalid("fewer than three revolutions",       FewerTurns(REVOLUTIONS), Call.VOID, Then.RESPIN, LAW[".2(b)#3"],  reading="short-spin"),
)
AFTER_VOID: Final = {      # which duties a void spin leaves, by where its cause stands
    #  cause           wagers were settled on it  it was not spun again
    LAW[".2(d)#1"]:    ("settled_on_void_spin#1", "void_spin_not_respun#2"),
    LAW[".2(b)#3"]:    ("settled_on_void_spin#3", "void_spin_not_respun#4"),
}
# fmt: on
