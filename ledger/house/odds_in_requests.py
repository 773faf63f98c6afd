"""The figures that a request states for a wager, compared with those by the rules of the game.

Every figure is exact; a stated one may be rounded, and is correct if it is the exact one rounded to
the digits shown. Law: § 521.4(1)(ii).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from ledger.events import RequestedOdds
from ledger.games.room import InForce, Picks, Room, Rules, Wager
from ledger.kernel import Odds, parse_odds
from ledger.kernel.quick_dataclass import dataclass

_WHOLE: Final = r"\d{1,24}"
"""Digits enough for the exact figures of each game; of a game of six plays they have up to 16."""
_NUMBER: Final = rf"({_WHOLE}(?:\.\d{{1,12}})?)"
_ODDS: Final = re.compile(rf"\s*{_NUMBER}\s*(?::|to)\s*{_NUMBER}\s*", re.IGNORECASE | re.ASCII)
_PART: Final = re.compile(rf"\s*([-−]?)\s*({_WHOLE})\s*/\s*({_WHOLE})\s*", re.ASCII)
_PERCENT: Final = re.compile(rf"\s*([-−]?)\s*{_NUMBER}\s*(%?)\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Range:
    """What a stated figure may mean: one value, or all values that round to it."""

    low: Fraction
    high: Fraction

    def has(self, number: Fraction) -> bool:
        """Whether the figure may state this exact value."""
        return self.low <= number <= self.high

    def meets(self, other: Range) -> bool:
        """Whether both figures may state the same value."""
        return self.low <= other.high and other.low <= self.high


@dataclass(frozen=True, slots=True)
class Exact:
    """What the rules give for one line of a wager on one pick.

    Args:
        chance: the chance of the line.
        advantage: the house advantage of the whole wager at the stated payout odds, as a fraction
            of the stake; None if the odds cannot be read.
    """

    chance: Fraction
    advantage: Fraction | None


def chance_of(text: str) -> Range | None:
    """Return the chance of winning by stated true odds; None if they cannot be read.

    "45:7" are odds against; "7/52" and "13.5%" are chances.

    >>> chance_of("45:7") == chance_of("7/52") == Range(Fraction(7, 52), Fraction(7, 52))
    True
    """
    odds = _ODDS.fullmatch(text)
    if odds is not None:
        against, in_favour = _rounded(odds[1]), _rounded(odds[2])
        least, most = in_favour.low + against.high, in_favour.high + against.low
        if least <= 0 or most <= 0 or in_favour.low < 0:
            return None
        return Range(in_favour.low / least, in_favour.high / most)
    stated = _part(text)
    if stated is None and text.strip().endswith("%"):
        stated = _percent(text)
    return stated if stated is not None and stated.low >= 0 and stated.high <= 1 else None


def advantage_of(text: str) -> Range | None:
    """Return a stated house advantage as a fraction of the stake; None if it cannot be read.

    >>> advantage_of("8.76")  # percent, right to half of its last digit
    Range(low=Fraction(1751, 20000), high=Fraction(1753, 20000))
    >>> advantage_of("41/468")
    Range(low=Fraction(41, 468), high=Fraction(41, 468))
    """
    return _part(text) or _percent(text)


def payout_of(text: str) -> Odds | None:
    """Return stated payout odds, None where they cannot be read."""
    try:
        return parse_odds(text)
    except ValueError:
        return None


def exact(
    room: Room, rules: Rules, row: RequestedOdds, rows: Iterable[RequestedOdds]
) -> list[Exact] | None:
    """Return what the rules give for a row of a request, for each pick that it can mean.

    Args:
        room: the room.
        rules: those by the chapter.
        row: the row.
        rows: all rows of the request, for the payout odds of the wager's other lines.

    Returns:
        None where the rules do not say: no such wager or line, a chance that depends on how people
        play, or a wager whose winning combinations the property files.
    """
    wager = _wager(room, rules, row.wager)
    if wager is None or wager.name in room.unpriced:
        return None
    if not wager.is_known:
        return None
    lines = rules.payouts[wager.name]
    mine = [number for number, line in enumerate(lines) if _names(row.on, line)]
    if not mine:
        return None
    stated = (row, *rows)  # of two rows for one line, each is held by its own payout odds
    odds = [_stated(room, rules, wager, line, stated) for line in lines]
    exact_lines = (_on(room, wager, pick, lines, mine, odds) for pick in wager.picks)
    return [one for one in exact_lines if one is not None] or None


def by_arithmetic(row: RequestedOdds, rows: Iterable[RequestedOdds]) -> list[Range]:
    """Return the advantages that a request's own odds give if the wager either wins so or loses.

    That of the row alone, and that of the whole wager by all its rows; empty where odds are not
    stated or cannot be read.
    """
    alone = _returns([row])
    whole = _returns([one for one in rows if one.wager == row.wager])
    return [Range(1 - got.high, 1 - got.low) for got in (alone, whole) if got is not None]


def _returns(rows: Iterable[RequestedOdds]) -> Range | None:
    low = high = Fraction(0)
    for row in rows:
        chance = chance_of(row.true_odds or "")
        odds = payout_of(row.payout_odds or "")
        if chance is None or odds is None:
            return None
        low += chance.low * (1 + odds.ratio)
        high += chance.high * (1 + odds.ratio)
    return Range(low, high)


def _wager(room: Room, rules: Rules, name: str) -> Wager | None:
    known = rules.wagers.get(name)
    return known or next((row for row in room.wagers if name in row.also_called), None)


def _names(on: str | None, line: InForce) -> bool:
    return on is None or on in (line.payout.filed_as, str(line.payout.on))


def _stated(
    room: Room, rules: Rules, wager: Wager, line: InForce, rows: Iterable[RequestedOdds]
) -> Odds | None:
    """Return the payout odds of a line: as the request states them, else the chapter's."""
    mine = [one for one in rows if _wager(room, rules, one.wager) is wager]
    fitting = [one for one in mine if one.on is not None and _names(one.on, line)]
    fitting = fitting or [one for one in mine if one.on is None]
    if not fitting:
        return line.odds
    return payout_of(fitting[0].payout_odds or "")


def _on(
    room: Room,
    wager: Wager,
    pick: Picks,
    lines: tuple[InForce, ...],
    mine: list[int],
    odds: list[Odds | None],
) -> Exact | None:
    """Return the figures of one pick; None where the row's line cannot win on it."""
    chance = returns = Fraction(0)
    readable = True
    for shown, likely, factor in room.outcomes():
        if not wager.wins_on(shown, pick):
            continue
        place = next(n for n, line in enumerate(lines) if line.payout.on(shown, pick))
        chance += likely if place in mine else 0
        paid = odds[place]
        if paid is None:
            readable = False
        else:
            returns += likely * (1 + paid.ratio * factor)
    return Exact(chance, 1 - returns if readable else None) if chance else None


def _rounded(text: str) -> Range:
    number = Fraction(text)
    _, dot, digits = text.partition(".")
    slack = Fraction(1, 2 * 10 ** len(digits)) if dot else Fraction(0)
    return Range(number - slack, number + slack)


def _part(text: str) -> Range | None:
    match = _PART.fullmatch(text)
    if match is None or int(match[3]) == 0:
        return None
    number = Fraction(int(match[2]), int(match[3])) * (-1 if match[1] else 1)
    return Range(number, number)


def _percent(text: str) -> Range | None:
    """Read a percentage as written, which is right to half of its last digit."""
    match = _PERCENT.fullmatch(text)
    if match is None:
        return None
    number = Fraction(match[2]) * (-1 if match[1] else 1) / 100
    slack = Fraction(1, 200 * 10 ** len(match[2].partition(".")[2]))
    return Range(number - slack, number + slack)


def differing(stated: Range, exact_values: Iterable[Fraction]) -> Iterator[Fraction]:
    """Yield the exact values that the figure does not state."""
    yield from (value for value in dict.fromkeys(exact_values) if not stated.has(value))
