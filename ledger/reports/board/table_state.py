"""A table as it stood after some of a round's facts: wagers by seat, dice, wheel, hands, field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from markupsafe import Markup

from ledger import events
from ledger.events import Capture
from ledger.events.parts import Stack
from ledger.games import BY_GAME
from ledger.kernel import dollars
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.board.field import field_svg
from ledger.reports.board.hands import hands_svg
from ledger.reports.board.layout import PLACED, LaidWager, layout_svg, seat_order
from ledger.reports.board.wheel import whole_wheel_svg
from ledger.reports.drawing import turns
from ledger.reports.fact_sentences import spoken
from ledger.reports.night.equipment_drawings import dice_svg
from ledger.reports.round_hands import hands_of
from ledger.reports.round_page import throw_caption
from ledger.reports.round_view import RoundView

_THROWS: Final = (events.DiceThrown, events.DiceThrownByHand)
_VOIDED: Final = (events.NoRollCalled, events.ThrowVoided, events.SpinVoided, events.RoundVoided)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownThrow:
    """A throw or a spin: what it was, how it was called, and its drawing."""

    caption: str
    drawn: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What is to be seen after a number of facts.

    Attributes:
        shown: throws and spins so far, each with its caption; the last one stands.
        field: the football field; None where no marker was placed.
        hands: the cards of each position; None before any were dealt.
        layout: the betting areas with the wagers by seat.
        wagers: those placed so far, by seat.
        has_wagers: the table claims to record wagers; if not, an empty layout says nothing.
        is_closed: betting has been closed.
    """

    shown: tuple[ShownThrow, ...]
    field: Markup | None
    hands: Markup | None
    layout: Markup
    wagers: tuple[LaidWager, ...]
    has_wagers: bool
    is_closed: bool


def board_at(seen: RoundView, count: int, mark: str | None = None) -> Board:
    """Return the board after the first ``count`` facts of a round.

    Args:
        seen: the round.
        count: how many facts are shown; how hands compare is said when all of them are.
        mark: written across every drawing; None: nothing is.
    """
    steps = seen.steps[:count]
    facts = [step.fact for step in steps]
    is_whole = count >= len(seen.steps)
    partly = replace(
        seen, steps=steps, result=seen.result if is_whole else replace(seen.result, wagers=())
    )
    wagers = sorted(wagers_laid(facts, standing(seen)), key=seat_order)
    wrong = {wager.wager_id for wager in seen.result.wagers if wager.difference_cents}
    wagers = [
        replace(wager, differs=wager.wager_id in wrong and (is_whole or wager.kind != PLACED))
        for wager in wagers
    ]
    room = BY_GAME.get(seen.result.game)
    placed = [fact for fact in facts if isinstance(fact, events.MarkersPlaced)]
    return Board(
        shown=tuple(_shown(facts, seen.wheel, mark)),
        field=field_svg(placed, mark) if placed else None,
        hands=hands_svg(hands_of(partly), _dealt(facts), mark),
        layout=layout_svg(
            () if room is None else room.wagers,
            wagers,
            by_seat=room is not None and room.hands is not None,
            lit=_lit(facts),
            mark=mark,
        ),
        wagers=tuple(wagers),
        has_wagers=seen.capture in (None, Capture.FULL.value.lower()),
        is_closed=any(
            isinstance(fact, events.NoMoreBetsAnnounced | events.DiceThrownByHand) for fact in facts
        ),
    )


def _shown(
    facts: Sequence[events.Fact], wheel: events.WheelPlaced | None, mark: str | None
) -> list[ShownThrow]:
    """Each throw and spin with its caption, in the order of the facts; a wheel before its spin."""
    shown: list[tuple[list[str], Markup]] = []
    throws = spins = 0
    several = sum(isinstance(fact, _THROWS) for fact in facts) > 1
    is_spun_again = sum(isinstance(fact, events.WheelSpun) for fact in facts) > 1
    for fact in facts:
        match fact:
            case events.DiceThrown() | events.DiceThrownByHand():
                throws += 1
                caption = throw_caption(throws, fact) if several else ""
                shown.append(([caption], dice_svg(fact, colored=True, mark=mark)))
            case events.WheelSpun():
                spins += 1
                drawn = whole_wheel_svg(fact, wheel, mark)
                caption = f"spin {spins}" if is_spun_again else ""
                shown.append(([caption, turns(fact)], drawn or Markup()))
            case events.RollCalled() if shown:
                shown[-1][0].append(f"called {' '.join(map(str, fact.faces))}")
            case events.SpinCalled() if shown:
                shown[-1][0].append(f"called {fact.result}")
            case _ if isinstance(fact, _VOIDED) and shown:
                shown[-1][0].append("void")
    before = None if shown else whole_wheel_svg(None, wheel, mark)
    if before is not None:
        shown.append(([], before))
    return [ShownThrow(caption=", ".join(filter(None, words)), drawn=d) for words, d in shown]


def _lit(facts: Iterable[events.Fact]) -> frozenset[str]:
    """The areas of the layout that are lit."""
    lit: frozenset[str] = frozenset()
    for fact in facts:
        if isinstance(fact, events.AreasLit):
            lit = frozenset(fact.areas or ())
        elif isinstance(fact, events.LightsCleared):
            lit = frozenset()
    return lit


def _dealt(facts: Iterable[events.Fact]) -> dict[str, Stack]:
    """What each position was dealt last."""
    deals = (fact for fact in facts if isinstance(fact, events.CardsDealt))
    return {stack.position: stack for deal in deals for stack in deal.stacks}


def standing(seen: RoundView) -> list[LaidWager]:
    """Return the wagers that were placed in an earlier round and lie there at the start."""
    placed = {
        step.fact.wager_id for step in seen.steps if isinstance(step.fact, events.WagerPlaced)
    }
    return [
        LaidWager(
            wager_id=wager.wager_id,
            seat=wager.position or "?",
            wager=wager.wager,
            picks=wager.picks,
            stake_cents=wager.stake_cents,
            state="standing from an earlier round",
        )
        for wager in seen.result.wagers
        if wager.wager_id not in placed
    ]


def wagers_laid(facts: Iterable[events.Fact], before: Iterable[LaidWager] = ()) -> list[LaidWager]:
    """Return the wagers of these facts, as far as the house has come with each.

    Args:
        facts: of a round, from its opening on.
        before: wagers that lay there already.
    """
    laid = {wager.wager_id: wager for wager in before}
    for fact in facts:
        if isinstance(fact, events.WagerPlaced):
            laid[fact.wager_id] = LaidWager(
                wager_id=fact.wager_id,
                seat=fact.position or "?",
                wager=fact.wager,
                picks=fact.picks,
                stake_cents=fact.stake_cents,
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
            return replace(wager, wager=fact.wager, picks=fact.picks)
        case events.WagerTakenDown():
            left = 0 if fact.taken_cents is None else wager.stake_cents - fact.taken_cents
            if left > 0:
                return replace(wager, stake_cents=left, state="taken down in part")
            return replace(wager, kind="taken", state="taken down")
        case events.WagerReturned():
            return replace(wager, kind="returned", state="returned")
        case events.WagerSettled():
            paid, words = fact.winnings_cents, spoken(fact.outcome)
            state = f"{words}, paid {dollars(paid)}" if paid else words
            return replace(wager, kind=words, state=state, paid_cents=paid)
        case _:
            return wager
