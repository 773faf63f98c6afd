"""What wagers return: payout lines, their exact chances and the house advantage, by outcomes.

Nothing is rounded: every figure is a fraction in lowest terms. Law: the rows' own citations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

from ledger.games.room import Edges, InForce, Outcomes, Room, Rules
from ledger.games.rows import Picks, Wager
from ledger.kernel.quick_dataclass import dataclass

OutcomesOf: TypeAlias = Callable[[Room, Rules], Outcomes]


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsRow:
    """One payout line of one wager on one pick.

    Args:
        wager: its name.
        pick: the numbers picked, empty for a wager without picks.
        line: the payout line, with the odds in force.
        probability: the chance of the line.
        returns: what a stake of 1 brings back on average, stake included, over all lines of the
            wager on that pick.
    """

    wager: str
    pick: Picks
    line: InForce
    probability: Fraction
    returns: Fraction

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of a stake on average, as a fraction; negative if patrons gain."""
        return 1 - self.returns


def lines_of(rules: Rules, wager: Wager, pick: Picks, outcomes: Outcomes) -> list[OddsRow]:
    """Return the payout lines of one wager on one pick, each with its exact chance.

    Each winning outcome is paid by the first line that fits; a line that none reaches is left out.

    Args:
        rules: the odds in force.
        wager: the wager's row.
        pick: the numbers picked.
        outcomes: every outcome with its chance and the expected factor on the odds.

    Raises:
        StopIteration: the wager wins on an outcome for which no line pays.
    """
    chances: dict[int, Fraction] = {}
    returns = Fraction(0)
    lines = rules.payouts[wager.name]
    for shown, chance, factor in outcomes:
        if wager.wins_on(shown, pick):
            place = next(i for i, line in enumerate(lines) if line.payout.on(shown, pick))
            chances[place] = chances.get(place, Fraction(0)) + chance
            returns += chance * (1 + lines[place].odds.ratio * factor)
    return [
        OddsRow(wager=wager.name, pick=pick, line=lines[i], probability=chances[i], returns=returns)
        for i in sorted(chances)
    ]


def edges(rules: Rules, outcomes: Outcomes, wagers: Mapping[str, Wager] | None = None) -> Edges:
    """Return the house advantage of each wager on each pick, as a fraction of the stake.

    Args:
        rules: the odds in force.
        outcomes: every outcome with its chance and the expected factor on the odds.
        wagers: other rows of wagers, where they are not those of ``rules``.

    Returns:
        The advantages by wager and pick; a wager that never wins on these outcomes is left out.
    """
    advantages: Edges = {}
    for wager in (rules.wagers if wagers is None else wagers).values():
        for pick in wager.picks:
            lines = lines_of(rules, wager, pick, outcomes)
            if lines:
                advantages[wager.name, pick] = lines[0].house_edge
    return advantages
