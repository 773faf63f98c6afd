"""The hands of a round of cards: each player's high, medium and low hand beside the dealer's."""

from __future__ import annotations

from typing import Final

from rich.table import Table
from rich.text import Text

from ledger.events import HandExposed, HandSet, Role
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.fact_sentences import card_word, card_words, wager_name
from ledger.reports.round_view import RoundView
from ledger.reports.table_style import plain_table
from ledger.rounds import Outcome, WagerResult

RED: Final = ("♥", "♦")
HIGHER: Final = "higher"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnHands:
    """The hands of one position as they were last set.

    ``cards`` are all seven as they were shown, where nobody recorded how they were set;
    ``compared`` says of the high, medium and low hand whether it is higher than the dealer's, a
    copy or lower, where that decided a wager; ``results`` how each wager at the position comes out.
    """

    position: str
    is_dealer: bool
    patron: str | None
    high: tuple[str, ...] | None
    medium: tuple[str, ...] | None
    low: tuple[str, ...] | None
    cards: tuple[str, ...] | None
    compared: tuple[str, ...]
    results: tuple[str, ...]
    wins: bool

    @property
    def three(self) -> list[tuple[tuple[str, ...] | None, str]]:
        """High, medium and low hand, each with how it compares with the dealer's, if it does."""
        words = self.compared or ("", "", "")
        return list(zip((self.high, self.medium, self.low), words, strict=True))


def hands_of(seen: RoundView) -> list[DrawnHands]:
    """The hands of a round, the dealer's first; none where no cards were recorded."""
    set_last: dict[str, HandSet] = {}
    shown: dict[str, tuple[str, ...]] = {}
    dealers: set[str] = set()
    for step in seen.steps:
        fact = step.fact
        if isinstance(fact, HandSet):
            set_last[fact.position] = fact
            if fact.role is Role.DEALER:
                dealers.add(fact.position)
        elif isinstance(fact, HandExposed) and fact.cards:
            shown[fact.position] = fact.cards
    wagers: dict[str, list[WagerResult]] = {}
    for wager in seen.result.wagers:
        wagers.setdefault(wager.position or "", []).append(wager)
    drawn = [
        _hands(position, position in dealers, set_last.get(position), shown.get(position), wagers)
        for position in sorted({*set_last, *shown})
    ]
    return sorted(drawn, key=lambda hands: (not hands.is_dealer, hands.position))


def _hands(
    position: str,
    is_dealer: bool,
    hands: HandSet | None,
    cards: tuple[str, ...] | None,
    wagers: dict[str, list[WagerResult]],
) -> DrawnHands:
    own = wagers.get(position, [])
    outcomes = [(wager, wager.expected.outcome) for wager in own]
    return DrawnHands(
        position=position,
        is_dealer=is_dealer,
        patron=next((wager.patron for wager in own if wager.patron), None),
        high=hands.high if hands else None,
        medium=hands.medium if hands else None,
        low=hands.low if hands else None,
        cards=cards,
        compared=next(filter(None, (_compared(wager) for wager in own)), ()),
        results=tuple(
            f"{wager.wager_id} {wager_name(wager.wager, wager.picks)}: {outcome.value}"
            for wager, outcome in outcomes
        ),
        wins=any(outcome is Outcome.WON for _, outcome in outcomes),
    )


def _compared(wager: WagerResult) -> tuple[str, ...]:
    """How the three hands under a wager compare, where the room's outcome says so."""
    return getattr(wager.outcome, "compared", ())


def hands_data(seen: RoundView) -> list[dict[str, object]]:
    """The hands as plain data."""
    return [
        {
            "position": hands.position,
            "dealer": hands.is_dealer,
            "patron": hands.patron,
            "high": hands.high,
            "medium": hands.medium,
            "low": hands.low,
            "cards": hands.cards,
            "compared": list(hands.compared) or None,
        }
        for hands in hands_of(seen)
    ]


def hands_table(drawn: list[DrawnHands]) -> Table:
    """The hands as a table for people: a line per position, the dealer's on top."""
    table = plain_table()
    for name in ("seat", "high hand", "medium", "low"):
        table.add_column(name, no_wrap=True)
    table.add_column("patron and wagers")
    for hands in drawn:
        seat = f"{hands.position} dealer" if hands.is_dealer else hands.position
        notes = ", ".join(part for part in (hands.patron, *hands.results) if part)
        table.add_row(
            Text(f"► {seat}" if hands.wins else f"  {seat}", style="bold" if hands.wins else ""),
            *(_cards(cards, word) for cards, word in hands.three),
            Text(notes if hands.high is not None else _as_shown(hands, notes)),
        )
    return table


def _as_shown(hands: DrawnHands, notes: str) -> str:
    shown = f"shown: {card_words(hands.cards)}" if hands.cards else ""
    return "; ".join(part for part in (shown, notes) if part)


def _cards(cards: tuple[str, ...] | None, compared: str) -> Text:
    text = Text(style="bold" if compared == HIGHER else "")
    if cards is None:
        return Text("not recorded", style="magenta")
    for place, card in enumerate(cards):
        word = card_word(card)
        text.append(" " if place else "")
        text.append(word, style="red" if word.endswith(RED) else "")
    if compared:
        text.append(f"\n{compared}", style="" if compared == HIGHER else "dim")
    return text
