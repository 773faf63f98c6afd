"""What another answer to an open question would make of a house advantage.

Nothing here is the law as we read it: each figure is that of an answer which was not chosen. Where
an answer does not say enough for a figure, the words of the register stand in its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from ledger.games import Room
from ledger.games.odds import edges
from ledger.games.room import Edges, OtherAnswer, Outcomes, Picks, Rules
from ledger.kernel import percent
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import reading

PLACES: Final = 4
"""Places of a house advantage in per cent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionShown:
    """An answer that was not chosen, and the house advantages that it would make otherwise."""

    reading: str
    option: str
    figures: tuple[tuple[str, Fraction, Fraction], ...]
    words: str

    @property
    def says(self) -> str:
        """In English, with the fraction of each figure and what it is as we read the text."""
        return self._sentence(
            f"{who} {percent(edge, PLACES)} ({_short(edge)}) in place of {percent(usual, PLACES)}"
            for who, edge, usual in self.figures
        )

    @property
    def brief(self) -> str:
        """The same in per cent alone."""
        return self._sentence(f"{who} {percent(edge, PLACES)}" for who, edge, _ in self.figures)

    def _sentence(self, figures: Iterable[str]) -> str:
        head = f"{self.reading}, if '{self.option}': "
        return head + (f"{'; '.join(figures)}." if self.figures else self.words)


def options_shown(room: Room, rules: Rules, outcomes: Outcomes) -> tuple[OptionShown, ...]:
    """Each answer not chosen that would change what a wager of the room returns."""
    usual = edges(rules, outcomes)
    return tuple(
        _shown(name, option, answers.get(option), rules, outcomes, usual)
        for name, answers in room.printed.answers.items()
        for option in reading(name).alternatives or (reading(name).choice,)
    )


def _shown(
    name: str,
    option: str,
    answer: OtherAnswer | None,
    rules: Rules,
    outcomes: Outcomes,
    usual: Edges,
) -> OptionShown:
    other = answer(rules, outcomes, usual) if answer else _as_filed(name, option, rules, outcomes)
    entry = reading(name)
    if isinstance(other, str):
        return OptionShown(reading=name, option=option, figures=(), words=other)
    figures = tuple(
        (_who(key), edge, usual[key])
        for key, edge in (other or {}).items()
        if key in usual and edge != usual[key]
    )
    words = f"{entry.options[option]} No exact figure; {entry.effect[:1].lower()}{entry.effect[1:]}"
    return OptionShown(reading=name, option=option, figures=_joined(figures), words=words)


def _as_filed(name: str, option: str, rules: Rules, outcomes: Outcomes) -> Edges | None:
    """By the row's own other predicate, as a property could file it."""
    rows = {
        wager.name: replace(wager, wins_on=dict(wager.otherwise)[option])
        for wager in rules.wagers.values()
        if wager.reading == name and option in dict(wager.otherwise)
    }
    return edges(rules, outcomes, rows) if rows else None


def _who(key: tuple[str, Picks]) -> str:
    wager, pick = key
    return f"{wager} {' and '.join(map(str, pick))}".strip()


def _joined(
    figures: tuple[tuple[str, Fraction, Fraction], ...],
) -> tuple[tuple[str, Fraction, Fraction], ...]:
    """Picks with the same figures share one entry: "Two of a Kind 1" and five more."""
    groups: dict[tuple[str, Fraction, Fraction], list[str]] = {}
    for who, edge, usual in figures:
        base = who.rstrip("0123456789 ").removesuffix(" and").rstrip("0123456789 ")
        groups.setdefault((base, edge, usual), []).append(who)
    return tuple((_names(base, who), edge, usual) for (base, edge, usual), who in groups.items())


def _names(base: str, who: list[str]) -> str:
    if len(who) == 1 or not base:
        return ", ".join(who)
    picks = [wager.removeprefix(base).strip() for wager in who]
    return f"{base} (each pick)" if len(who) > 4 else f"{base} {', '.join(picks)}"


def _short(edge: Fraction) -> str:
    text = str(edge)
    return text if len(text) <= 30 else "exactly a fraction of long terms"
