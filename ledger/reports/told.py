"""One fact as a line for people: what happened, who did it."""

from __future__ import annotations

import re
from dataclasses import fields
from enum import Enum
from typing import Any, Final

from ledger.events import (
    AreasLit,
    BettingOpened,
    DeviceFailed,
    DiceShaken,
    DiceThrown,
    Fact,
    LimitsSet,
    NoMoreBetsAnnounced,
    NoRollCalled,
    RollCalled,
    RoundVoided,
    ShakerKind,
    SpinCalled,
    SpinVoided,
    ValuesEntered,
    WagerIncreased,
    WagerMoved,
    WagerPlaced,
    WagerRefused,
    WagerReturned,
    WagerSettled,
    WagerTakenDown,
    WheelSpun,
)
from ledger.kernel import dollars
from ledger.reports.drawing import names_of, turns
from ledger.rounds import Outcome, Settlement, WagerResult

_HEAD: Final = frozenset({"stream", "seq", "event_time", "source", "recorded_by"})
_WORD: Final = re.compile(r"(?<!^)(?=[A-Z])")
LONGEST: Final = 100
"""How long the fields of a fact are that has no sentence of its own."""


def short_dollars(cents: int) -> str:
    """Whole dollars without their cents: ``$50``, ``$12.50``."""
    return dollars(cents).removesuffix(".00")


def wager_name(wager: str, picks: tuple[int, ...]) -> str:
    """A wager with its picks: "Two Dice Combination 3 5"."""
    return " ".join([wager, *map(str, picks)])


def in_doubt_words(wager: WagerResult) -> str | None:
    """What of a wager is in doubt, and what it comes to in either case."""
    doubt = wager.in_doubt
    if doubt is None:
        return None
    stands, goes = _comes_to(doubt.if_stands), _comes_to(doubt.if_returned)
    if not doubt.stake_cents:
        return f"If what is in doubt of other wagers takes part, it {stands}; if not, it {goes}"
    if wager.expected.outcome is Outcome.UNKNOWN:
        return f"Whether it takes part is not known: if it does, it {stands}; if not, it {goes}"
    added = dollars(doubt.stake_cents)
    return (
        f"Whether the {added} added takes part is not known: if it does, the wager {stands};"
        f" if not, the wager {goes} and the {added} goes back"
    )


def _comes_to(side: Settlement) -> str:
    match side.outcome:
        case Outcome.WON:
            won = side.winnings_cents
            return "wins" if won is None else f"wins {dollars(won)}"
        case Outcome.LOST:
            return f"loses {dollars(side.stake_taken_cents or 0)}"
        case Outcome.RETURNED:
            return "goes back"
        case _:
            return "is not decided"


def tell(fact: Fact) -> str:
    """What a fact says, in a few words."""
    said = _tell_wager(fact) or _tell_play(fact)
    return printable(said if said is not None else _tell_any(fact))


def printable(text: str) -> str:
    """The text on one line; what a terminal would obey is shown instead: a line end as ``\\n``."""
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in text
    )


def _tell_wager(fact: Fact) -> str | None:
    match fact:
        case WagerPlaced():
            who = f" by {fact.patron}" if fact.patron else ""
            name = wager_name(fact.wager, fact.picks)
            return f"{fact.wager_id}: {short_dollars(fact.stake_cents)} on {name}{who}"
        case WagerIncreased():
            return f"{fact.wager_id}: {short_dollars(fact.added_cents)} more"
        case WagerMoved():
            return f"{fact.wager_id}: moved to {wager_name(fact.wager, fact.picks)}"
        case WagerTakenDown():
            part = "" if fact.taken_cents is None else f", {short_dollars(fact.taken_cents)}"
            return f"{fact.wager_id}: taken down{part}"
        case WagerReturned():
            return f"{fact.wager_id}: handed back{_because(fact.reason)}"
        case WagerRefused():
            return f"{fact.wager_id or 'a wager'}: refused{_because(fact.reason)}"
        case WagerSettled():
            paid, taken = dollars(fact.winnings_cents), dollars(fact.stake_taken_cents)
            return f"{fact.wager_id}: settled as {fact.outcome.lower()}, paid {paid}, took {taken}"
    return None


def _tell_play(fact: Fact) -> str | None:
    match fact:
        case BettingOpened():
            return "betting opened"
        case NoMoreBetsAnnounced():
            return f"'no more bets'{_by(fact.announced_by)}"
        case DiceShaken():
            if fact.kind is ShakerKind.AUTOMATED:
                return f"automated shaker activated{_by(fact.shaken_by)}"
            times = (
                "a number of times not recorded" if fact.shakes is None else f"{fact.shakes} times"
            )
            return f"dice shaken {times}{_by(fact.shaken_by)}"
        case DiceThrown():
            faces = " ".join("?" if die.face is None else str(die.face) for die in fact.dice)
            return f"dice at rest: {faces or 'nothing recorded'}"
        case RollCalled():
            return f"called: {' '.join(map(str, fact.faces))}{_by(fact.called_by)}"
        case ValuesEntered():
            return (
                f"entered into the device: {' '.join(map(str, fact.faces))}{_by(fact.entered_by)}"
            )
        case AreasLit():
            if fact.areas is None:
                return "areas lit, which ones is not recorded"
            return f"{len(fact.areas)} areas lit: {_cut(', '.join(fact.areas))}"
        case NoRollCalled():
            return f"no roll called{_by(fact.called_by)}{_because(fact.reason)}"
        case RoundVoided():
            return f"round declared void{_by(fact.called_by)}{_because(fact.reason)}"
        case WheelSpun():
            how = ", ".join(part for part in (turns(fact), names_of(fact.symbols)) if part)
            return f"wheel spun{_by(fact.spun_by)}: {how}"
        case SpinVoided():
            return f"spin declared void{_by(fact.called_by)}{_because(fact.reason)}"
        case SpinCalled():
            return f"called: {fact.result}{_by(fact.called_by)}"
        case DeviceFailed():
            return f"{_spoken(fact.device)} failed{_because(fact.fault)}"
        case LimitsSet():
            return "limits set"
    return None


def _tell_any(fact: Fact) -> str:
    """The name of a fact in words, and its own fields."""
    name = _WORD.sub(" ", type(fact).__name__).lower()
    said = []
    for one in fields(fact):
        value = getattr(fact, one.name)
        if one.name in _HEAD or value is None or value == () or value is False:
            continue
        said.append(
            f"{one.name.removesuffix('_cents').replace('_', ' ')} {_value(one.name, value)}"
        )
    return name + (f": {_cut(', '.join(said))}" if said else "")


def _value(name: str, value: Any) -> str:
    if name.endswith("_cents") and isinstance(value, int):
        return dollars(value)
    if isinstance(value, Enum):
        return _spoken(value)
    if isinstance(value, tuple):
        return " ".join(_value("", one) for one in value)
    inner = getattr(value, "__dataclass_fields__", None)
    if inner is not None:
        return "/".join(_value(key, getattr(value, key)) for key in inner)
    return "-" if value is None else str(value)


def _spoken(word: Enum) -> str:
    return str(word.value).lower().replace("_", " ")


def _by(person: str | None) -> str:
    return f" by {person}" if person else ""


def _because(reason: str | None) -> str:
    return f" ({reason})" if reason else ""


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
