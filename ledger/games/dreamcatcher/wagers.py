"""The six permitted wagers, their odds, and the two multipliers.

Law: § 689.1(g)(2) with § 689.2(c) (wagers), § 689.3(a) (no less than these odds), §§ 689.1(d),
689.3(b), (c) (multipliers).
"""

from __future__ import annotations

from typing import Final

from ledger.games.dreamcatcher.terms import LAW
from ledger.games.room import EVERY_WIN, Payout, Wager
from ledger.games.wheel import Multiplier, stops_on
from ledger.kernel import Odds

# fmt: off
WAGERS: Final = (       # § 689.1(g)(2), in its own order; each loses on any other number
    #     wager  wins on          defined at
    Wager("1",   stops_on("1"),   LAW[".1(g)(2)#2"]),
    Wager("2",   stops_on("2"),   LAW[".1(g)(2)#2"]),
    Wager("5",   stops_on("5"),   LAW[".1(g)(2)#2"]),
    Wager("10",  stops_on("10"),  LAW[".1(g)(2)#2"]),
    Wager("20",  stops_on("20"),  LAW[".1(g)(2)#2"]),
    Wager("40",  stops_on("40"),  LAW[".1(g)(2)#2"]),
)
PAYOUTS: Final = (      # § 689.3(a): no less than the odds listed
    #      wager on         pays         listed at         reading
    Payout("1",  EVERY_WIN, Odds(1, 1),  LAW[".3(a)#1"],   reading="floors"),
    Payout("2",  EVERY_WIN, Odds(2, 1),  LAW[".3(a)#2"],   reading="floors"),
    Payout("5",  EVERY_WIN, Odds(5, 1),  LAW[".3(a)#3"],   reading="floors"),
    Payout("10", EVERY_WIN, Odds(10, 1), LAW[".3(a)#4"],   reading="floors"),
    Payout("20", EVERY_WIN, Odds(20, 1), LAW[".3(a)#5"],   reading="floors"),
    Payout("40", EVERY_WIN, Odds(40, 1), LAW[".3(a)#6"],   reading="floors"),
)
MULTIPLIERS: Final = (  # § 689.1(d): no result of their own; a bonus spin follows
    #          symbol factor  defined at       reading
    Multiplier("2x",  2,      LAW[".1(d)#1"],  "multipliers-multiply"),
    Multiplier("7x",  7,      LAW[".1(d)#1"],  "multipliers-multiply"),
)
DECIDED_BY: Final = (   # what settles the wagers when a number comes
    LAW[".2(c)#1"],     # at once
    LAW[".3(b)#1"],     # after one multiplier
    LAW[".3(c)#2"],     # after several
)
# fmt: on
FACTORS: Final = {row.symbol: row.factor for row in MULTIPLIERS}
