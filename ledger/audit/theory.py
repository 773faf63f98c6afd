"""What a table's wagers are worth to the house on average: stake times the exact house edge.

Law: the rooms' own rows, under the filing by which each wager is paid. Nothing is rounded.
"""

from __future__ import annotations

from dataclasses import field
from datetime import date
from fractions import Fraction
from math import lcm

from ledger.audit.kept_edges import MOST, Edges, KeptEdges
from ledger.audit.result import Staked, TableAccount
from ledger.games import BY_GAME
from ledger.games.chances import outcomes_of
from ledger.games.odds import OutcomesOf
from ledger.games.room import Outcomes, Rules, rules_on
from ledger.house import Office
from ledger.house.office import as_filed
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass

_Under = tuple[str, date, FactRef | None]
_Paid = tuple[Fraction, Fraction]
_Priced = tuple[Rules, Outcomes, list[int], int]
"""Rules, outcomes, and the chance of each as a whole number of equal parts, of which there are so
many: sums of whole numbers are exact, too, and far quicker than of fractions."""


@dataclass(slots=True)
class Theory:
    """House edges by game, gaming day and filing; each is computed once.

    Args:
        office: the submissions.
        outcomes: gives the outcomes of a room by its rules.
        rules: the rules and outcomes computed so far.
        kept: where edges are kept from one command to the next; None keeps none.
        edges: the edges known so far.
        grown: of which of them some were computed here.
        spreads: the variances computed so far.
    """

    office: Office
    outcomes: OutcomesOf = outcomes_of
    rules: dict[_Under, _Priced | None] = field(default_factory=dict)
    kept: KeptEdges | None = None
    edges: dict[_Under, Edges] = field(default_factory=dict)
    grown: set[_Under] = field(default_factory=set)
    spreads: dict[tuple[_Under, str, tuple[int, ...]], Fraction | None] = field(
        default_factory=dict
    )

    def win(self, account: TableAccount, day: date) -> Fraction | None:
        """Return the theoretical win of a table's day, in cents.

        None where its wagers are not recorded, or one of them has no exact figure.
        """
        if account.stakes is None:
            return None
        total = Fraction(0)
        for staked in account.stakes:
            edge = self.edge(staked, day)
            if edge is None:
                return None
            total += staked.cents * edge
        return total

    def edge(self, staked: Staked, day: date) -> Fraction | None:
        """Return the fraction of a stake that the house keeps on average; None without a figure."""
        under, pick = (staked.game, day, staked.paytable), (staked.wager, staked.picks)
        if under not in self.edges:
            self.edges[under] = {} if self.kept is None else self.kept.read(*self._kept_as(under))
        known = self.edges[under]
        if pick not in known:
            known[pick] = self._edge(under, *pick)
            self.grown.add(under)
        return known[pick]

    def keep(self) -> None:
        """Keep the edges that were computed here, those of the last days."""
        if self.kept is not None:
            for under in sorted(self.grown, key=lambda under: under[1])[-MOST:]:
                self.kept.write(*self._kept_as(under), self.edges[under])
        self.grown.clear()

    def spread(self, staked: Staked, day: date) -> Fraction | None:
        """Return the variance of what the house keeps of a stake of 1; None without a figure."""
        under = (staked.game, day, staked.paytable)
        key = (under, staked.wager, staked.picks)
        if key not in self.spreads:
            paid = self._paid(under, staked.wager, staked.picks)
            self.spreads[key] = None if paid is None else _variance(paid)
        return self.spreads[key]

    def _kept_as(self, under: _Under) -> tuple[str, date, object]:
        """Game, gaming day, and all that the edges hang on beside these."""
        game, day, paytable = under
        filed = None if paytable is None else self.office.submissions.get(paytable, "unknown")
        return game, day, filed

    def _edge(self, under: _Under, name: str, picks: tuple[int, ...]) -> Fraction | None:
        paid = self._paid(under, name, picks)
        return None if paid is None else 1 - _mean(paid)

    def _paid(self, under: _Under, name: str, picks: tuple[int, ...]) -> list[_Paid] | None:
        """Each return of a stake of 1 that wins, with its chance; None without a figure."""
        if under not in self.rules:
            self.rules[under] = self._under(*under)
        known = self.rules[under]
        if known is None:
            return None
        rules, outcomes, weights, whole = known
        wager = rules.wagers.get(name)
        if wager is None or picks not in wager.picks or name in rules.room.unpriced:
            return None
        if not wager.is_known:
            return None
        lines = rules.payouts[name]
        paid: dict[tuple[int, Fraction], int] = {}
        for (shown, _, factor), weight in zip(outcomes, weights, strict=True):
            if wager.wins_on(shown, picks):
                place = next(n for n, line in enumerate(lines) if line.payout.on(shown, picks))
                paid[place, factor] = paid.get((place, factor), 0) + weight
        return [
            (Fraction(weight, whole), 1 + lines[place].odds.ratio * factor)
            for (place, factor), weight in paid.items()
        ]

    def _under(self, game: str, day: date, paytable: FactRef | None) -> _Priced | None:
        room = BY_GAME.get(game)
        submission = None if paytable is None else self.office.submissions.get(paytable)
        if room is None or (paytable is not None and submission is None):
            return None
        rules = rules_on(room, day, as_filed(submission) if submission is not None else None)
        outcomes = self.outcomes(room, rules)
        chances = [Fraction(chance) for _, chance, _ in outcomes]
        whole = lcm(*(chance.denominator for chance in chances))
        weights = [chance.numerator * (whole // chance.denominator) for chance in chances]
        return rules, outcomes, weights, whole


def _mean(paid: list[_Paid]) -> Fraction:
    return sum((chance * back for chance, back in paid), Fraction(0))


def _variance(paid: list[_Paid]) -> Fraction:
    """Of what a stake of 1 brings back; a wager that does not win brings nothing."""
    return sum((chance * back * back for chance, back in paid), Fraction(0)) - _mean(paid) ** 2


@dataclass(frozen=True, slots=True)
class Shown:
    """A table's day with what is computed from it.

    Args:
        account: the table's account.
        theoretical: the theoretical win in cents, exact; None if there is no figure.
        hold_on_drop: win by count as a fraction of the drop; None without both.
        hold_on_wagers: win by rounds as a fraction of the stakes; None without both.
    """

    account: TableAccount
    theoretical: Fraction | None
    hold_on_drop: Fraction | None
    hold_on_wagers: Fraction | None

    @property
    def theoretical_cents(self) -> int | None:
        """The theoretical win in whole cents, a half rounded to the even one."""
        return None if self.theoretical is None else round(self.theoretical)


def shown_of(account: TableAccount, theory: Theory, day: date) -> Shown:
    """Return theoretical win and holds of a table's day."""
    return Shown(
        account,
        theory.win(account, day),
        _part(account.by_count_cents, account.drop_cents),
        _part(account.by_rounds_cents, account.wagered_cents),
    )


def _part(win: int | None, whole: int | None) -> Fraction | None:
    return None if win is None or not whole else Fraction(win, whole)
