"""Which tables one floorperson may supervise beside one of this game.

Law: § 577.9(c).
"""

from __future__ import annotations

from ledger.games.three_dice_football.terms import GAME, NOT_BESIDE


def over_ratio(games: tuple[str, ...]) -> str | None:
    """Return the duty that a floorperson's tables break, None if they are allowed (§ 577.9(c)).

    Allowed are two tables of this game, or one and one of another banking game that is not among
    the five of ``NOT_BESIDE``.

    Args:
        games: the game of each table that the floorperson supervises.

        >>> over_ratio(("Three Dice Football", "Sic Bo"))
        >>> over_ratio(("Three Dice Football", "Mini-Craps"))
        'floorperson_over_ratio@.9(c)#2'
    """
    own = games.count(GAME)
    if not own or len(games) == 1 or (own == len(games) == 2):
        return None
    if own == len(games):
        return "floorperson_over_ratio@.9(c)#1"
    others = {_letters(game) for game in games if game != GAME}
    if len(games) == 2 and not others & NOT_BESIDE:
        return None
    return "floorperson_over_ratio@.9(c)#2"


def _letters(game: str) -> str:
    """Return a game's name without hyphens, spaces and capitals: "Mini-Craps" as "minicraps"."""
    return "".join(char for char in game.casefold() if char.isalnum())
