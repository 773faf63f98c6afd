"""A table as it stood after some of a round's facts: wagers by seat, dice, wheel, hands, field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from markupsafe import Markup, escape

from ledger import events
from ledger.kernel import dollars
from ledger.reports.drawing import turns
from ledger.reports.fact_sentences import spoken, wager_name
from ledger.reports.night.equipment_drawings import dice_svg, wheel_svg
from ledger.reports.round_hands import DrawnHands, hands_of
from ledger.reports.round_page import throw_caption, throws_of
from ledger.reports.round_view import RoundView

YARDS: Final = 20
"""Where the marker starts; 0 is the goal."""
_YARD: Final = 26
_LEFT: Final = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidWager:
    """A wager on the layout; ``state`` says what the house has done with it so far."""

    wager_id: str
    seat: str
    name: str
    stake_cents: int
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What is to be seen after a number of facts.

    Attributes:
        shown: throws and spins so far, each with its caption.
        field: the marker on the football field; None where no marker was placed.
        hands: hands of cards so far; how they compare is said when all facts are shown.
        wagers: by seat, those placed so far.
        is_closed: betting has been closed.
    """

    shown: tuple[tuple[str, Markup], ...]
    field: Markup | None
    hands: tuple[DrawnHands, ...]
    wagers: tuple[LaidWager, ...]
    is_closed: bool


def board_at(seen: RoundView, count: int) -> Board:
    """Return the board after the first ``count`` facts of a round."""
    steps = seen.steps[:count]
    facts = [step.fact for step in steps]
    result = seen.result if count >= len(seen.steps) else replace(seen.result, wagers=())
    partly = replace(seen, steps=steps, result=result)
    return Board(
        shown=tuple(_shown(partly)),
        field=_field(facts),
        hands=tuple(hands_of(partly)),
        wagers=tuple(sorted(wagers_laid(facts), key=lambda wager: wager.seat)),
        is_closed=any(
            isinstance(fact, events.NoMoreBetsAnnounced | events.DiceThrownByHand) for fact in facts
        ),
    )


def _shown(seen: RoundView) -> Iterator[tuple[str, Markup]]:
    """Each throw and spin with its caption, in the order of the facts."""
    throws = throws_of(seen)
    for number, throw in enumerate(throws, 1):
        yield throw_caption(number, throw) if len(throws) > 1 else "", dice_svg(throw)
    spins = [step.fact for step in seen.steps if isinstance(step.fact, events.WheelSpun)]
    for number, spin in enumerate(spins, 1):
        parts = [f"spin {number}" if len(spins) > 1 else "", turns(spin)]
        yield ": ".join(part for part in parts if part), wheel_svg(spin, seen.wheel)


def wagers_laid(facts: Iterable[events.Fact]) -> list[LaidWager]:
    """Return the wagers of these facts, as far as the house has come with each."""
    laid: dict[str, LaidWager] = {}
    for fact in facts:
        if isinstance(fact, events.WagerPlaced):
            laid[fact.wager_id] = LaidWager(
                wager_id=fact.wager_id,
                seat=fact.position or "not recorded",
                name=wager_name(fact.wager, fact.picks),
                stake_cents=fact.stake_cents,
                state="placed",
            )
            continue
        wager = laid.get(getattr(fact, "wager_id", ""))
        if wager is not None:
            laid[wager.wager_id] = _after(wager, fact)
    return list(laid.values())


def _after(wager: LaidWager, fact: events.Fact) -> LaidWager:
    """A wager after one more fact about it."""
    match fact:
        case events.WagerIncreased():
            return replace(wager, stake_cents=wager.stake_cents + fact.added_cents)
        case events.WagerMoved():
            return replace(wager, name=wager_name(fact.wager, fact.picks))
        case events.WagerTakenDown():
            left = 0 if fact.taken_cents is None else wager.stake_cents - fact.taken_cents
            if left > 0:
                return replace(wager, stake_cents=left, state="taken down in part")
            return replace(wager, state="taken down")
        case events.WagerReturned():
            return replace(wager, state="returned")
        case events.WagerSettled():
            paid, words = fact.winnings_cents, spoken(fact.outcome)
            return replace(wager, state=f"{words}, paid {dollars(paid)}" if paid else words)
        case _:
            return wager


def _field(facts: Iterable[events.Fact]) -> Markup | None:
    """The football field with its marker where it was last placed."""
    placed = [fact for fact in facts if isinstance(fact, events.MarkersPlaced)]
    return field_svg(placed[-1]) if placed else None


def field_svg(placed: events.MarkersPlaced) -> Markup:
    """The field from the 20-yard line to the goal, the marker above its yard."""
    down = spoken(placed.down) if placed.down is not None else "down not recorded"
    yard = placed.yard
    where = "yard not recorded" if yard is None else f"{yard}-yard line"
    wide = 2 * _LEFT + YARDS * _YARD
    parts = [f'<rect x="{_LEFT}" y="24" width="{YARDS * _YARD}" height="40" class="line"/>']
    for line in range(YARDS + 1):
        left = _LEFT + (YARDS - line) * _YARD
        if line % 5 == 0:
            label = "goal" if line == 0 else str(line)
            parts.append(f'<path d="M{left} 24v40" class="line"/>')
            parts.append(f'<text x="{left}" y="80" text-anchor="middle">{label}</text>')
    if yard is not None and 0 <= yard <= YARDS:
        left = _LEFT + (YARDS - yard) * _YARD
        parts.append(f'<path d="M{left - 8} 6h16l-8 16z"/>')
    title = escape(f"Marker at the {where}, {down}")
    return Markup(
        f'<svg class="drawn field" role="img" width="{wide}" height="86" viewBox="0 0 {wide} 86">'
        f"<title>{title}</title>{''.join(parts)}</svg><p>{title}</p>"
    )
