"""The six full game wagers, the eight single play wagers, and their odds.

Law: § 577.3(b), (d) (wagers), § 577.8 (these odds, neither more nor less).
"""

from __future__ import annotations

from typing import Final

from ledger.games.dice import Picked, picked
from ledger.games.football_field import Extra, FieldShown, Kind, Result
from ledger.games.room import EVERY_WIN, Payout, Picks, Wager
from ledger.games.three_dice_football.terms import LAW
from ledger.kernel import Odds
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PlayIs:
    """A play of one of these kinds, or one that gains this many yards by the dice.

    Args:
        kinds: the kinds that win.
        least: the fewest yards that win, None if any number does up to ``most``.
        most: the most yards that win. With neither bound no number of yards wins.
    """

    kinds: tuple[Kind, ...] = ()
    least: int | None = None
    most: int | None = None

    def __call__(self, shown: FieldShown, picks: Picks) -> bool:
        play = shown.play
        if play is None:
            return False
        if play.kind is not Kind.YARDS:
            return play.kind in self.kinds
        if self.least is None and self.most is None:
            return False
        return (self.least or 0) <= play.yards and (self.most is None or play.yards <= self.most)

    def __str__(self) -> str:
        words = [f"a {kind.value} is rolled" for kind in self.kinds]
        if self.least is not None:
            words.append(f"{self.least} yards or more are gained")
        elif self.most is not None:
            gained = "no yard is" if self.most == 0 else f"{self.most} yards or fewer are"
            words.append(f"{gained} gained")
        return " or ".join(words)


@dataclass(frozen=True, slots=True)
class GameIs:
    """The game ends in one of these ways.

    Args:
        results: the ways.
        within: the most plays of the game, None if any number will do.
        on_play: the exact number of plays; it goes before ``within``.
    """

    results: tuple[Result, ...]
    within: int | None = None
    on_play: int | None = None

    def __call__(self, shown: FieldShown, picks: Picks) -> bool:
        game = shown.game
        if game is None or game.result not in self.results:
            return False
        if self.on_play is not None:
            return game.plays == self.on_play
        return self.within is None or game.plays <= self.within

    def __str__(self) -> str:
        ways = " or ".join(result.value for result in self.results)
        if self.on_play is not None:
            return f"{ways} on play {self.on_play}"
        within = "" if self.within is None else f" within {self.within} plays"
        return f"the game ends by {ways}{within}"


@dataclass(frozen=True, slots=True)
class LastsPicked:
    """The game lasts exactly as many plays as were picked, however it ends."""

    def __call__(self, shown: FieldShown, picks: Picks) -> bool:
        return shown.game is not None and shown.game.plays == picks[0]

    def __str__(self) -> str:
        return "the game lasts exactly the number of plays picked"


@dataclass(frozen=True, slots=True)
class ExtraShows:
    """The game ends with a score and its extra point roll shows one of these."""

    extras: tuple[Extra, ...]

    def __call__(self, shown: FieldShown, picks: Picks) -> bool:
        scored = shown.game is not None and shown.game.scored
        return scored and shown.extra in self.extras

    def __str__(self) -> str:
        return "the extra point roll shows " + " or ".join(extra.value for extra in self.extras)


SCORE: Final = (Result.TOUCHDOWN, Result.TRIPS_TD)
NO_SCORE: Final = (Result.TURNOVER, Result.ON_DOWNS)
TRIPS, TURNOVER, PENALTY = Kind.TRIPS_TD, Kind.TURNOVER, Kind.PENALTY
EXTRA_WINS: Final = (Extra.ONE, Extra.TWO, Extra.THREE, Extra.OTHER_TRIPLE)
LENGTHS: Final[tuple[Picks, ...]] = tuple((plays,) for plays in range(1, 7))


def scored_on(play: int) -> GameIs:
    """Return the condition: a score on that play."""
    return GameIs(SCORE, on_play=play)


def length(plays: int) -> Picked:
    """Return the condition: a Game Length Wager on this many plays."""
    return picked(plays)


# fmt: off
FULL_GAME_WAGERS: Final = (     # § 577.3(b), in its own order; each loses on any other result
    #     wager             wins on                                    defined at
    Wager("Touchdown",      GameIs(SCORE),                             LAW[".3(b)(1)"], reading="touchdown-at-zero", also_called=("Touchdown Wager",)),
    Wager("Defense",        GameIs(NO_SCORE),                          LAW[".3(b)(2)"], also_called=("Defense Wager",)),
    Wager("Extra Point",    ExtraShows(EXTRA_WINS),                    LAW[".3(b)(3)"], reading="extra-point-without-touchdown", also_called=("Extra Point Wager",)),
    Wager("Quick Strike TD", GameIs(SCORE, within=4),                  LAW[".3(b)(4)"], reading="extra-point-is-no-play", also_called=("Quick Strike TD Wager",)),
    Wager("Game Changer",   GameIs((Result.TRIPS_TD, Result.TURNOVER)), LAW[".3(b)(5)"], also_called=("Game Change Wager", "Game Changer Wager")),
    Wager("Game Length",    LastsPicked(),                             LAW[".3(b)(6)"], picks=LENGTHS, reading="extra-point-is-no-play"),
)
SINGLE_PLAY_WAGERS: Final = (   # § 577.3(d); the dice decide, not the yards moved (§ 577.6(d))
    #     wager             wins on                                    defined at
    Wager("Trips TD",       PlayIs((TRIPS,)),                          LAW[".3(d)(1)"], reading="trips-over-everything"),
    Wager("Penalty",        PlayIs((PENALTY, TURNOVER)),               LAW[".3(d)(2)"], reading="turnover-is-penalty-wager"),
    Wager("Turnover",       PlayIs((TURNOVER,)),                       LAW[".3(d)(3)"]),
    Wager("Cover Three",    PlayIs((TRIPS, PENALTY, TURNOVER)),        LAW[".3(d)(4)"]),
    Wager("No Gain",        PlayIs((PENALTY, TURNOVER), most=0),       LAW[".3(d)(5)"], reading="trips-over-everything"),
    Wager("Big Play",       PlayIs((TRIPS,), least=7),                 LAW[".3(d)(6)"], reading="trips-over-everything"),
    Wager("Over Four Yards", PlayIs((TRIPS,), least=5),                LAW[".3(d)(7)"], reading="exactly-four", also_called=("Over 4 Yards Wager",)),
    Wager("Under Four Yards", PlayIs((PENALTY, TURNOVER), most=3),     LAW[".3(d)(8)#1"], reading="exactly-four", also_called=("Under 4 Yards Wager",)),
)
WAGERS: Final = (*FULL_GAME_WAGERS, *SINGLE_PLAY_WAGERS)
FIXED: Final = "fixed-odds-filed-otherwise"
PAYOUTS: Final = (              # § 577.8: in accordance with these odds
    #      wager             on                                  pays          listed at                              filed as
    Payout("Touchdown",      EVERY_WIN,                          Odds(1, 1),   LAW[".8(a)#touchdown"],                fixed=True, reading=FIXED),
    Payout("Defense",        EVERY_WIN,                          Odds(4, 5),   LAW[".8(a)#defense"],                  fixed=True, reading=FIXED),
    Payout("Extra Point",    ExtraShows((Extra.ONE,)),           Odds(1, 1),   LAW[".8(a)#extra-point-one-1"],        filed_as="one 1", fixed=True, reading=FIXED),
    Payout("Extra Point",    ExtraShows((Extra.TWO,)),           Odds(10, 1),  LAW[".8(a)#extra-point-two-1s"],       filed_as="two 1s", fixed=True, reading=FIXED),
    Payout("Extra Point",    ExtraShows((Extra.THREE,)),         Odds(50, 1),  LAW[".8(a)#extra-point-three-1s"],     filed_as="three 1s", fixed=True, reading=FIXED),
    Payout("Extra Point",    ExtraShows((Extra.OTHER_TRIPLE,)),  Odds(10, 1),  LAW[".8(a)#extra-point-other-triple"], filed_as="other triple", fixed=True, reading=FIXED),
    Payout("Quick Strike TD", scored_on(1),                      Odds(8, 1),   LAW[".8(a)#quick-strike-play-one"],    filed_as="1", fixed=True, reading=FIXED),
    Payout("Quick Strike TD", scored_on(2),                      Odds(5, 1),   LAW[".8(a)#quick-strike-play-two"],    filed_as="2", fixed=True, reading=FIXED),
    Payout("Quick Strike TD", scored_on(3),                      Odds(3, 1),   LAW[".8(a)#quick-strike-play-three"],  filed_as="3", fixed=True, reading=FIXED),
    Payout("Quick Strike TD", scored_on(4),                      Odds(1, 1),   LAW[".8(a)#quick-strike-play-four"],   filed_as="4", fixed=True, reading=FIXED),
    Payout("Game Changer",   EVERY_WIN,                          Odds(5, 1),   LAW[".8(a)#game-change"],              fixed=True, reading=FIXED),
    Payout("Game Length",    length(1),                          Odds(22, 1),  LAW[".8(a)#game-length-one-play"],     filed_as="1", fixed=True, reading=FIXED),
    Payout("Game Length",    length(2),                          Odds(22, 1),  LAW[".8(a)#game-length-two-plays"],    filed_as="2", fixed=True, reading=FIXED),
    Payout("Game Length",    length(3),                          Odds(6, 5),   LAW[".8(a)#game-length-three-plays"],  filed_as="3", fixed=True, reading=FIXED),
    Payout("Game Length",    length(4),                          Odds(5, 1),   LAW[".8(a)#game-length-four-plays"],   filed_as="4", fixed=True, reading=FIXED),
    Payout("Game Length",    length(5),                          Odds(3, 1),   LAW[".8(a)#game-length-five-plays"],   filed_as="5", fixed=True, reading=FIXED),
    Payout("Game Length",    length(6),                          Odds(6, 1),   LAW[".8(a)#game-length-six-plays"],    filed_as="6", fixed=True, reading=FIXED),
    Payout("Trips TD",       EVERY_WIN,                          Odds(30, 1),  LAW[".8(b)#trips-td"],                 fixed=True, reading=FIXED),
    Payout("Penalty",        EVERY_WIN,                          Odds(9, 1),   LAW[".8(b)#penalty"],                  fixed=True, reading=FIXED),
    Payout("Turnover",       EVERY_WIN,                          Odds(60, 1),  LAW[".8(b)#turnover"],                 fixed=True, reading=FIXED),
    Payout("Cover Three",    EVERY_WIN,                          Odds(7, 1),   LAW[".8(b)#cover-three"],              fixed=True, reading=FIXED),
    Payout("No Gain",        EVERY_WIN,                          Odds(5, 1),   LAW[".8(b)#no-gain"],                  fixed=True, reading=FIXED),
    Payout("Big Play",       EVERY_WIN,                          Odds(4, 1),   LAW[".8(b)#big-play"],                 fixed=True, reading=FIXED),
    Payout("Over Four Yards", PlayIs(least=5),                   Odds(1, 1),   LAW[".8(b)#over-4"],                   fixed=True, reading=FIXED),
    Payout("Over Four Yards", PlayIs((TRIPS,)),                  Odds(7, 1),   LAW[".8(b)#over-4-trips-td"],          filed_as="Trips TD", fixed=True, reading=FIXED),
    Payout("Under Four Yards", EVERY_WIN,                        Odds(1, 1),   LAW[".8(b)#under-4"],                  fixed=True, reading=FIXED),
)
# fmt: on
FULL_GAME: Final = frozenset(row.name for row in FULL_GAME_WAGERS)
"""Wagers on a whole game: locked by its first valid throw."""
SINGLE_PLAY: Final = frozenset(row.name for row in SINGLE_PLAY_WAGERS)
"""Wagers on the next throw that counts."""
EXTRA_POINT: Final = frozenset({"Extra Point"})
AFTER_EXTRA_POINT: Final = frozenset({"Touchdown"}) | EXTRA_POINT
"""Settled after the extra point roll, where there is one (§ 577.6(f)(1))."""
SCORED_ORDER: Final = (
    frozenset({"Defense"}),
    (FULL_GAME | SINGLE_PLAY) - AFTER_EXTRA_POINT - {"Defense"},
    AFTER_EXTRA_POINT,
)
"""The order of settlement after a score (§ 577.6(f)(1))."""
NO_SCORE_ORDER: Final = (
    AFTER_EXTRA_POINT,
    frozenset({"Defense"}),
    (FULL_GAME | SINGLE_PLAY) - AFTER_EXTRA_POINT - {"Defense"},
)
"""The order of settlement without a score (§ 577.6(f)(2))."""


def step_of(wager: str, scored: bool) -> int | None:
    """Return the step, from 1, at which a wager of a finished game is settled.

    None for a wager that is not of this game.

        >>> step_of("Defense", scored=True), step_of("Touchdown", scored=True)
        (1, 3)
        >>> step_of("Defense", scored=False), step_of("Touchdown", scored=False)
        (2, 1)
    """
    order = SCORED_ORDER if scored else NO_SCORE_ORDER
    return next((step for step, names in enumerate(order, 1) if wager in names), None)
