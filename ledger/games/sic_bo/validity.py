"""When a roll does not count.

Law: § 539.7(a).
"""

from __future__ import annotations

from typing import Final

from ledger.games.dice import NotAllFlat
from ledger.games.room import Call, Invalid, Then
from ledger.games.sic_bo.terms import LAW

# fmt: off
INVALID_ROLLS: Final = (   # highest precedence first; all that apply are cited, the first decides
    #       what                                                    when          call       then         cite
    Invalid("not all three dice flat on the bottom of the shaker",  NotAllFlat(), Call.MUST, Then.RETURN, LAW[".7(a)#1"], reading="not-all-flat"),
)
# fmt: on
