"""Hands of cards: each position's high, medium and low hand below the dealer's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from markupsafe import Markup

from ledger.events.parts import Stack
from ledger.reports.board.svg import drawing, label
from ledger.reports.fact_sentences import card_word, card_words
from ledger.reports.round_hands import RED, DrawnHands

WIDE: Final = 560
HANDS: Final = ("high hand", "medium hand", "low hand")
_HEAD, _ROW, _CARD, _TALL = 18, 62, 32, 42
_COLUMNS: Final = (86, 286, 420)
"""Where the high, the medium and the low hand begin."""
MOST_POSITIONS: Final = 12
MOST_CARDS: Final = 14
"""Positions, and cards of a stack, that are drawn."""


def hands_svg(
    hands: Sequence[DrawnHands], dealt: Mapping[str, Stack], mark: str | None = None
) -> Markup | None:
    """Draw the hands as they were last set, and stacks that nobody has set; None without cards.

    Args:
        hands: the hands so far, the dealer's first.
        dealt: what was dealt to each position.
        mark: written across it.
    """
    waiting = [stack for position, stack in sorted(dealt.items()) if position not in _of(hands)]
    if not hands and not waiting:
        return None
    heads = zip(_COLUMNS, HANDS, strict=True) if hands else ()
    parts = [label(left, 12, name, kind="head") for left, name in heads]
    top, words = _HEAD, []
    for hand in hands[:MOST_POSITIONS]:
        parts += _hand(hand, top)
        words.append(_words(hand))
        top += _ROW
    for stack in waiting[: MOST_POSITIONS - len(hands[:MOST_POSITIONS])]:
        parts += _stack(stack, top)
        words.append(f"seat {stack.position}: dealt {card_words(stack.cards or ()) or 'cards'}")
        top += _ROW
    return drawing("hands-drawn", WIDE, top, "; ".join(words), parts, mark)


def _of(hands: Sequence[DrawnHands]) -> set[str]:
    return {hand.position for hand in hands}


def _words(hand: DrawnHands) -> str:
    """A position's hands for whoever cannot see them."""
    seat = "dealer" if hand.is_dealer else f"seat {hand.position}"
    if hand.high is None:
        return f"{seat}: shown {card_words(hand.cards or ())}"
    three = [
        f"{name} {card_words(cards) if cards else 'not recorded'}{f', {how}' if how else ''}"
        for name, (cards, how) in zip(HANDS, hand.three, strict=True)
    ]
    return f"{seat}{' wins' if hand.wins else ''}: {', '.join(three)}"


def _seat(position: str, top: int, more: str, *, wins: bool = False) -> Iterator[str]:
    if wins:
        yield f'<rect class="winning" x="0" y="{top - 3}" width="{WIDE}" height="{_ROW - 4}"/>'
    yield f'<path class="rule" d="M0 {top - 5}h{WIDE}"/>'
    yield label(4, top + 18, position, kind="seat-name", room=72)
    yield label(4, top + 36, more, kind="note", room=76)


def _hand(hand: DrawnHands, top: int) -> Iterator[str]:
    more = "dealer" if hand.is_dealer else "wins" if hand.wins else ""
    yield from _seat(hand.position, top, more, wins=hand.wins)
    if hand.high is None:
        yield from _cards(hand.cards or (), _COLUMNS[0], top)
        return
    for left, (cards, how) in zip(_COLUMNS, hand.three, strict=True):
        if cards is None:
            yield label(left, top + 24, "not recorded", kind="note")
            continue
        yield from _cards(cards, left, top)
        kind = "note strong" if how == "higher" else "note"
        yield label(left, top + _TALL + 11, how, kind=kind)


def _stack(stack: Stack, top: int) -> Iterator[str]:
    yield from _seat(stack.position, top, "as dealt")
    if stack.cards is not None:
        yield from _cards(stack.cards, _COLUMNS[0], top)
        return
    if stack.count is None:
        yield label(_COLUMNS[0], top + 24, "number not recorded", kind="note")
        return
    for place in range(min(stack.count, MOST_CARDS)):
        yield _back(_COLUMNS[0] + place * (_CARD + 2), top)


def _back(left: int, top: int) -> str:
    return f'<rect class="back" x="{left}" y="{top}" width="{_CARD}" height="{_TALL}" rx="4"/>'


def _cards(cards: Sequence[str], left: int, top: int) -> Iterator[str]:
    for place, card in enumerate(cards[:MOST_CARDS]):
        word, begins = card_word(card), left + place * (_CARD + 2)
        kind = "face red" if word.endswith(RED) else "face"
        yield f'<rect class="face" x="{begins}" y="{top}" width="{_CARD}" height="{_TALL}" rx="4"/>'
        middle = begins + _CARD / 2
        if len(word) > 1 and not word[-1].isalnum():
            yield label(middle, top + 18, word[:-1], kind=f"{kind} rank", anchor="middle", room=26)
            yield label(middle, top + 36, word[-1], kind=f"{kind} suit", anchor="middle")
        else:
            yield label(middle, top + 26, word, kind=kind, anchor="middle", room=_CARD - 4)
