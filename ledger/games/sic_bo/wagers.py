"""The eight permitted wagers and their odds.

Law: § 539.3 (wagers), § 539.6(b) (no less than these odds), § 539.6(c) (these odds).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ledger.games.dice import (
    FACES,
    PAIRS,
    TRIPLE,
    Faces,
    ShowsBoth,
    TotalPicked,
    picked,
    shows_pick,
    total,
)
from ledger.games.room import EVERY_WIN, Payout, Wager
from ledger.games.sic_bo.terms import LAW
from ledger.kernel import Odds

TOTALS: Final = tuple((number,) for number in range(4, 18))
"""The totals that § 539.6(b) prices; 3 and 18 cannot be wagered on (reading total-3-or-18)."""

# fmt: off
WAGERS: Final = (       # § 539.3, in its own order; each loses on any other result
    #     wager                  wins on                                        defined at     picks
    Wager("Three of a Kind",     shows_pick(3),                                 LAW[".3(1)"],  picks=FACES),
    Wager("Two of a Kind",       shows_pick(2, 3),                              LAW[".3(2)"],  picks=FACES,  reading="triple-is-a-pair", otherwise=(("exactly-two", shows_pick(2)),)),
    Wager("Any Three of a Kind", TRIPLE,                                        LAW[".3(3)"]),
    Wager("Total Value Bet",     TotalPicked(),                                 LAW[".3(4)"],  picks=TOTALS, reading="total-includes-triple", otherwise=(("loses", TotalPicked(but_not=TRIPLE)),)),
    Wager("Two Dice Combination", ShowsBoth(),                                  LAW[".3(5)"],  picks=PAIRS,  reading="two-dice-once", also_called=("Any Two Dice Combination",)),
    Wager("Small Bet",           total(4, 5, 6, 7, 8, 9, 10).but_not(TRIPLE),   LAW[".3(6)"]),
    Wager("Big Bet",             total(11, 12, 13, 14, 15, 16, 17).but_not(TRIPLE), LAW[".3(7)"]),
    Wager("One of a Kind",       shows_pick(1, 2, 3),                           LAW[".3(8)"],  picks=FACES),
)
PAYOUTS: Final = (      # § 539.6(b): no less than the odds listed; § 539.6(c): exactly these
    #      wager                  on             pays           listed at                        filed as
    Payout("Three of a Kind",     EVERY_WIN,     Odds(150, 1),  LAW[".6(b)#three-of-a-kind"]),
    Payout("Two of a Kind",       EVERY_WIN,     Odds(8, 1),    LAW[".6(b)#two-of-a-kind"], reading="triple-is-a-pair"),
    Payout("Any Three of a Kind", EVERY_WIN,     Odds(24, 1),   LAW[".6(b)#any-three-of-a-kind"]),
    Payout("Total Value Bet",     picked(4),     Odds(50, 1),   LAW[".6(b)#total-4"],   filed_as="4"),
    Payout("Total Value Bet",     picked(5),     Odds(18, 1),   LAW[".6(b)#total-5"],   filed_as="5"),
    Payout("Total Value Bet",     picked(6),     Odds(14, 1),   LAW[".6(b)#total-6"],   filed_as="6"),
    Payout("Total Value Bet",     picked(7),     Odds(12, 1),   LAW[".6(b)#total-7"],   filed_as="7"),
    Payout("Total Value Bet",     picked(8),     Odds(8, 1),    LAW[".6(b)#total-8"],   filed_as="8"),
    Payout("Total Value Bet",     picked(9),     Odds(6, 1),    LAW[".6(b)#total-9"],   filed_as="9"),
    Payout("Total Value Bet",     picked(10),    Odds(6, 1),    LAW[".6(b)#total-10"],  filed_as="10"),
    Payout("Total Value Bet",     picked(11),    Odds(6, 1),    LAW[".6(b)#total-11"],  filed_as="11"),
    Payout("Total Value Bet",     picked(12),    Odds(6, 1),    LAW[".6(b)#total-12"],  filed_as="12"),
    Payout("Total Value Bet",     picked(13),    Odds(8, 1),    LAW[".6(b)#total-13"],  filed_as="13"),
    Payout("Total Value Bet",     picked(14),    Odds(12, 1),   LAW[".6(b)#total-14"],  filed_as="14"),
    Payout("Total Value Bet",     picked(15),    Odds(14, 1),   LAW[".6(b)#total-15"],  filed_as="15"),
    Payout("Total Value Bet",     picked(16),    Odds(18, 1),   LAW[".6(b)#total-16"],  filed_as="16"),
    Payout("Total Value Bet",     picked(17),    Odds(50, 1),   LAW[".6(b)#total-17"],  filed_as="17"),
    Payout("Two Dice Combination", EVERY_WIN,    Odds(5, 1),    LAW[".6(b)#two-dice-combination"], reading="two-dice-once"),
    Payout("Small Bet",           EVERY_WIN,     Odds(1, 1),    LAW[".6(b)#small"]),
    Payout("Big Bet",             EVERY_WIN,     Odds(1, 1),    LAW[".6(b)#big"]),
    Payout("One of a Kind",       shows_pick(1), Odds(1, 1),    LAW[".6(c)(1)"],        filed_as="1", fixed=True, reading="fixed-odds-filed-otherwise"),
    Payout("One of a Kind",       shows_pick(2), Odds(2, 1),    LAW[".6(c)(2)"],        filed_as="2", fixed=True, reading="fixed-odds-filed-otherwise"),
    Payout("One of a Kind",       shows_pick(3), Odds(3, 1),    LAW[".6(c)(3)"],        filed_as="3", fixed=True, reading="fixed-odds-filed-otherwise"),
)
# fmt: on


@lru_cache(maxsize=256)
def winning_areas(faces: Faces) -> frozenset[str]:
    """Return the areas that the device must light for these values (§ 539.5(d)).

    >>> sorted(winning_areas((1, 1, 4)))[:3]
    ['One of a Kind 1', 'One of a Kind 4', 'Small Bet']
    """
    return frozenset(
        " ".join([row.name, *map(str, picks)])
        for row in WAGERS
        for picks in row.picks
        if row.wins_on(faces, picks)
    )
