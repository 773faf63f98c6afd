"""One fact as a line for people: what happened, who did it, and everything else that it records.

A fact of play has a sentence of its own; whatever that sentence leaves out follows it, field by
field, so that nothing a fact records is ever hidden. A field that is null was not recorded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, Final

from markupsafe import Markup

from ledger.events import (
    AreasLit,
    BettingOpened,
    BonusHandFormed,
    CardsDealt,
    CouponLaid,
    DeviceFailed,
    DiceShaken,
    DiceThrown,
    DiceThrownByHand,
    Die,
    DownAnnounced,
    Fact,
    HandExposed,
    HandSet,
    Instrument,
    LammerCollected,
    LammersPlaced,
    MarkersPlaced,
    NoMoreBetsAnnounced,
    NoRollCalled,
    PlayerShook,
    ResultAnnounced,
    Role,
    RollCalled,
    RoundVoided,
    ShakerKind,
    SpinCalled,
    SpinVoided,
    Stack,
    ThrownDie,
    ThrowVoided,
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
from ledger.kernel import PropertyClock, dollars, visible
from ledger.reports.drawing import names_of, rest_words, turns

_HEAD: Final = frozenset({"stream", "seq", "event_time", "source", "recorded_by"})
_WORD: Final = re.compile(r"(?<!^)(?=[A-Z])")
_UNITS: Final = ("_cents", "_thousandths", "_micros", "_time")


def short_dollars(cents: int) -> str:
    """Whole dollars without their cents: ``$50``, ``$12.50``."""
    return dollars(cents).removesuffix(".00")


def wager_name(wager: str, picks: tuple[int, ...]) -> str:
    """A wager with its picks: "Two Dice Combination 3 5"."""
    return " ".join([wager, *map(str, picks)])


def card_words(cards: Sequence[str]) -> str:
    """Cards side by side, suits as signs: "K♣ 10♥ joker"."""
    return " ".join(card_word(card) for card in cards)


def card_word(card: str) -> str:
    """One card of the record, such as ``10H``, with its suit as a sign."""
    if card == "JOKER":
        return "joker"
    return card[:-1] + _SUITS[card[-1]] if card[-1:] in _SUITS else card


_SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of its own, and the fields of the fact that it already says."""

    words: str
    says: tuple[str, ...] = ()


def tell(fact: Fact, clock: PropertyClock) -> str:
    """Everything that a fact records, in one line.

    Args:
        fact: any fact.
        clock: the property's, for times that a fact carries beside its own.
    """
    own = _OWN.get(type(fact))
    sentence = Sentence(_kind(fact)) if own is None else own(fact)
    rest = list(_fields(fact, _HEAD.union(sentence.says), clock))
    colon = ": " if own is None else "; "
    return printable(sentence.words + (colon + ", ".join(rest) if rest else ""))


def page_value(value: object) -> object:
    """What a page fills in: a text with its hidden signs shown, anything else as it is."""
    match value:
        case Markup():
            return Markup(visible(value))
        case str():
            return visible(value)
    return value


def printable(text: str) -> str:
    """The text on one line; what a terminal would obey is shown instead: a line end as ``\\n``."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


# ------------------------------------------------------------------ any fact


def _kind(fact: Fact) -> str:
    return _WORD.sub(" ", type(fact).__name__).lower()


def _fields(fact: Any, without: frozenset[str], clock: PropertyClock) -> Iterator[str]:
    """The fields that were recorded and no sentence says, each with its name."""
    for field in fields(fact):
        value = getattr(fact, field.name)
        if field.name in without or value is None:
            continue
        name = field.name
        for unit in _UNITS:
            name = name.removesuffix(unit)
        name = name.replace("_", " ")
        if isinstance(value, bool):
            yield name if value else f"not {name}"
        elif name.startswith("for gaming"):
            yield f"for {_value(field.name, value, clock)}"
        else:
            yield f"{name} {_value(field.name, value, clock)}"


def _value(name: str, value: Any, clock: PropertyClock) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case int() if name.endswith("_cents"):
            return dollars(value)
        case int() if name.endswith("_thousandths"):
            return _thousandths(value)
        case int() if name.endswith("_micros"):
            return f"{_thousandths(value // 1000)} s" if value % 1000 == 0 else f"{value} µs"
        case int() if name.endswith("_time"):
            return f"{clock.local(value):%Y-%m-%d %H:%M:%S}"
        case Enum():
            return spoken(value)
        case bytes():
            return value.hex()
        case ():
            return "none"
        case tuple():
            return " ".join(_value(name, part, clock) for part in value)
        case None:
            return "not recorded"
    if hasattr(value, "__dataclass_fields__"):
        return f"({', '.join(_fields(value, frozenset(), clock))})"
    return str(value)


def _thousandths(value: int) -> str:
    whole, rest = divmod(abs(value), 1000)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{rest:03}".rstrip("0").rstrip(".") if rest else f"{sign}{whole}"


def spoken(word: Enum) -> str:
    """A symbol of a schema as people say it."""
    return str(word.value).lower().replace("_", " ")


def _by(person: str | None) -> str:
    return f" by {person}" if person else ""


def _because(reason: str | None) -> str:
    return f" ({reason})" if reason else ""


def _at_position(position: str | None) -> str:
    return f", position {position}" if position else ""


# ------------------------------------------------------------------ wagers


def _placed(fact: WagerPlaced) -> Sentence:
    means = _MEANS.get(fact.instrument, "") if fact.instrument else ""
    laid = "".join(f", {_coupon(coupon)}" for coupon in fact.coupons)
    stake, wager = short_dollars(fact.stake_cents), wager_name(fact.wager, fact.picks)
    seat = _at_position(fact.position)
    return Sentence(
        f"{fact.wager_id}: {stake}{means} on {wager}{_by(fact.patron)}{seat}{laid}",
        ("wager_id", "stake_cents", "wager", "picks", "patron", "position", "coupons")
        + (("instrument",) if means else ()),
    )


_MEANS: Final = {
    Instrument.CHIPS: " in chips",
    Instrument.PLAQUES: " in plaques",
    Instrument.CASH: " in cash",
    Instrument.SPOKEN_WITH_CASH: " spoken, with cash",
    Instrument.ELECTRONIC_CREDIT: " of electronic credit",
}


def _coupon(laid: CouponLaid) -> str:
    return f"coupon {laid.serial} on {short_dollars(laid.chips_cents)} of chips"


def _increased(fact: WagerIncreased) -> Sentence:
    means = _MEANS.get(fact.instrument, "") if fact.instrument else ""
    return Sentence(
        f"{fact.wager_id}: {short_dollars(fact.added_cents)} more{means}",
        ("wager_id", "added_cents") + (("instrument",) if means else ()),
    )


def _moved(fact: WagerMoved) -> Sentence:
    wager = wager_name(fact.wager, fact.picks)
    return Sentence(f"{fact.wager_id}: moved to {wager}", ("wager_id", "wager", "picks"))


def _taken_down(fact: WagerTakenDown) -> Sentence:
    part = "" if fact.taken_cents is None else f", {short_dollars(fact.taken_cents)}"
    return Sentence(f"{fact.wager_id}: taken down{part}", ("wager_id", "taken_cents"))


def _returned(fact: WagerReturned) -> Sentence:
    part = "" if fact.returned_cents is None else f", {short_dollars(fact.returned_cents)}"
    return Sentence(
        f"{fact.wager_id}: handed back{part}{_because(fact.reason)}",
        ("wager_id", "returned_cents", "reason"),
    )


def _refused(fact: WagerRefused) -> Sentence:
    of = f" of {fact.patron}" if fact.patron else ""
    return Sentence(
        f"{fact.wager_id or 'a wager'}{of}: refused{_because(fact.reason)}",
        ("wager_id", "patron", "reason"),
    )


def _settled(fact: WagerSettled) -> Sentence:
    paid, taken = dollars(fact.winnings_cents), dollars(fact.stake_taken_cents)
    return Sentence(
        f"{fact.wager_id}: settled as {fact.outcome.lower()}, paid {paid}, took {taken}",
        ("wager_id", "outcome", "winnings_cents", "stake_taken_cents"),
    )


# ------------------------------------------------------------------ dice and wheel


def _no_more_bets(fact: NoMoreBetsAnnounced) -> Sentence:
    return Sentence(f"'no more bets'{_by(fact.announced_by)}", ("announced_by",))


def _shaken(fact: DiceShaken) -> Sentence:
    by = _by(fact.shaken_by)
    if fact.kind is ShakerKind.AUTOMATED:
        return Sentence(f"automated shaker activated{by}", ("kind", "shaken_by"))
    return Sentence(f"dice shaken {_times(fact.shakes)}{by}", ("shakes", "shaken_by"))


def _player_shook(fact: PlayerShook) -> Sentence:
    return Sentence(
        f"dice shaken {_times(fact.shakes)}{_by(fact.patron)}{_at_position(fact.position)}",
        ("shakes", "patron", "position"),
    )


def _times(count: int | None) -> str:
    if count is None:
        return "a number of times that was not recorded"
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _at_rest(fact: DiceThrown) -> Sentence:
    dice = ", ".join(_die(die) for die in fact.dice)
    return Sentence(
        f"dice at rest: {dice or 'none recorded'}{_by(fact.thrown_by)}", ("dice", "thrown_by")
    )


def _thrown(fact: DiceThrownByHand) -> Sentence:
    dice = ", ".join(_die(die) for die in fact.dice)
    what = "dice" if fact.purpose is None else f"{spoken(fact.purpose)}: dice"
    seat = _at_position(fact.position)
    return Sentence(
        f"{what} thrown{_by(fact.thrown_by)}{seat}: {dice or 'none recorded'}",
        ("purpose", "thrown_by", "position", "dice"),
    )


def _die(die: Die | ThrownDie) -> str:
    face = "?" if die.face is None else str(die.face)
    more = [rest_words(die)] if rest_words(die) else []
    if isinstance(die, ThrownDie):
        more += [] if die.resting_side is None else [f"resting on its {die.resting_side}"]
        more += [f"against {die.leans_on}"] if die.leans_on else []
        more += [f"touched {spoken(thing)}" for thing in die.touched or ()]
        more += ["touched nothing"] if die.touched == () else []
    more += [die.serial] if die.serial else []
    return f"{die.colour or 'die'} {face}" + (f" ({', '.join(more)})" if more else "")


def _called(fact: RollCalled) -> Sentence:
    faces = " ".join(map(str, fact.faces))
    return Sentence(f"called: {faces}{_by(fact.called_by)}", ("faces", "called_by"))


def _entered(fact: ValuesEntered) -> Sentence:
    faces = " ".join(map(str, fact.faces))
    return Sentence(
        f"entered into the device: {faces}{_by(fact.entered_by)}", ("faces", "entered_by")
    )


def _lit(fact: AreasLit) -> Sentence:
    if fact.areas is None:
        return Sentence("areas lit; which ones is not recorded")
    count = "1 area" if len(fact.areas) == 1 else f"{len(fact.areas)} areas"
    return Sentence(f"{count} lit: {', '.join(fact.areas) or 'none'}", ("areas",))


def _no_roll(fact: NoRollCalled) -> Sentence:
    return Sentence(
        f"no roll called{_by(fact.called_by)}{_because(fact.reason)}", ("called_by", "reason")
    )


def _throw_voided(fact: ThrowVoided) -> Sentence:
    return Sentence(
        f"throw declared void{_by(fact.called_by)}{_because(fact.reason)}", ("called_by", "reason")
    )


def _round_voided(fact: RoundVoided) -> Sentence:
    return Sentence(
        f"round declared void{_by(fact.called_by)}{_because(fact.reason)}", ("called_by", "reason")
    )


def _spun(fact: WheelSpun) -> Sentence:
    parts = [turns(fact), "nothing recorded" if fact.symbols is None else names_of(fact.symbols)]
    return Sentence(
        f"wheel spun{_by(fact.spun_by)}: {', '.join(part for part in parts if part)}",
        ("spun_by", "direction", "symbols") + (() if _odd_turns(fact) else _TURNS),
    )


_TURNS: Final = ("revolutions_thousandths",)


def _odd_turns(fact: WheelSpun) -> bool:
    """Whether a tenth of a turn is too coarse to say how far the wheel turned."""
    return fact.revolutions_thousandths is not None and fact.revolutions_thousandths % 100 != 0


def _spin_voided(fact: SpinVoided) -> Sentence:
    return Sentence(
        f"spin declared void{_by(fact.called_by)}{_because(fact.reason)}", ("called_by", "reason")
    )


def _spin_called(fact: SpinCalled) -> Sentence:
    return Sentence(f"called: {fact.result}{_by(fact.called_by)}", ("result", "called_by"))


def _failed(fact: DeviceFailed) -> Sentence:
    return Sentence(f"{spoken(fact.device)} failed{_because(fact.fault)}", ("device", "fault"))


def _markers(fact: MarkersPlaced) -> Sentence:
    parts = [
        "" if fact.yard is None else f"Yard Marker on {fact.yard}",
        "" if fact.down is None else f"Down Puck on {spoken(fact.down)}",
        "" if fact.play is None else f"Game Length Puck on play {fact.play}",
    ]
    where = ", ".join(part for part in parts if part) or "where is not recorded"
    return Sentence(
        f"markers placed{_by(fact.placed_by)}: {where}", ("yard", "down", "play", "placed_by")
    )


def _down(fact: DownAnnounced) -> Sentence:
    down = "a down" if fact.down is None else spoken(fact.down)
    yards = fact.distance_yards
    far = (
        "" if yards is None else f", {yards} yard to go" if yards == 1 else f", {yards} yards to go"
    )
    return Sentence(
        f"announced: {down}{far}{_by(fact.announced_by)}",
        ("down", "distance_yards", "announced_by"),
    )


def _lammers(fact: LammersPlaced) -> Sentence:
    where = ", ".join(fact.combinations) or "none"
    return Sentence(f"lammers placed{_by(fact.placed_by)}: {where}", ("combinations", "placed_by"))


def _lammer(fact: LammerCollected) -> Sentence:
    return Sentence(
        f"lammer of {fact.combination} collected{_by(fact.collected_by)}",
        ("combination", "collected_by"),
    )


# ------------------------------------------------------------------ cards


def _dealt(fact: CardsDealt) -> Sentence:
    stacks = "; ".join(_stack(stack) for stack in fact.stacks)
    return Sentence(f"cards dealt: {stacks or 'to whom is not recorded'}", ("stacks",))


def _stack(stack: Stack) -> str:
    if stack.cards is None:
        count = "cards not counted" if stack.count is None else _cards(stack.count)
        return f"position {stack.position}: {count}"
    count = "" if stack.count in (None, len(stack.cards)) else f", {_cards(stack.count or 0)}"
    return f"position {stack.position}: {card_words(stack.cards) or 'no card'}{count}"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _hand_set(fact: HandSet) -> Sentence:
    is_dealer = fact.role is Role.DEALER
    whose = "dealer's hands" if is_dealer else "hands"
    hands = "; ".join(
        f"{name} {card_words(cards)}"
        for name, cards in (("high", fact.high), ("medium", fact.medium), ("low", fact.low))
        if cards is not None
    )
    again = {True: " again", False: " for the first time", None: ""}[fact.reset]
    return Sentence(
        f"{whose} set{again}{_by(fact.set_by)}{_at_position(fact.position)}:"
        f" {hands or 'not recorded'}",
        ("position", "set_by", "high", "medium", "low", "reset") + (("role",) if is_dealer else ()),
    )


def _exposed(fact: HandExposed) -> Sentence:
    cards = "" if fact.cards is None else f": {card_words(fact.cards) or 'no card'}"
    which = "" if fact.hand is None else f"{spoken(fact.hand)} "
    which = "all cards" if which == "all " else f"{which}hand"
    told_count = fact.cards is not None and fact.count == len(fact.cards)
    return Sentence(
        f"{which} of position {fact.position} shown{_by(fact.exposed_by)}{cards}",
        ("position", "hand", "cards", "exposed_by") + (("count",) if told_count else ()),
    )


def _announced(fact: ResultAnnounced) -> Sentence:
    wager = f"{fact.wager_id}, " if fact.wager_id else ""
    outcome = "result" if fact.outcome is None else spoken(fact.outcome)
    return Sentence(
        f"announced: {wager}position {fact.position}, {outcome}{_by(fact.announced_by)}",
        ("position", "wager_id", "outcome", "announced_by"),
    )


def _bonus_hand(fact: BonusHandFormed) -> Sentence:
    cards = "" if fact.cards is None else f" of {card_words(fact.cards) or 'no card'}"
    hand = f": {fact.hand}" if fact.hand else ""
    return Sentence(
        f"bonus hand formed{cards}, position {fact.position}{_by(fact.formed_by)}{hand}",
        ("position", "cards", "hand", "formed_by"),
    )


_OWN: Final[dict[type[Any], Callable[[Any], Sentence]]] = {
    BettingOpened: lambda _: Sentence("betting opened"),
    WagerPlaced: _placed,
    WagerIncreased: _increased,
    WagerMoved: _moved,
    WagerTakenDown: _taken_down,
    WagerReturned: _returned,
    WagerRefused: _refused,
    WagerSettled: _settled,
    NoMoreBetsAnnounced: _no_more_bets,
    DiceShaken: _shaken,
    PlayerShook: _player_shook,
    DiceThrown: _at_rest,
    DiceThrownByHand: _thrown,
    RollCalled: _called,
    ValuesEntered: _entered,
    AreasLit: _lit,
    NoRollCalled: _no_roll,
    ThrowVoided: _throw_voided,
    RoundVoided: _round_voided,
    WheelSpun: _spun,
    SpinVoided: _spin_voided,
    SpinCalled: _spin_called,
    DeviceFailed: _failed,
    MarkersPlaced: _markers,
    DownAnnounced: _down,
    LammersPlaced: _lammers,
    LammerCollected: _lammer,
    CardsDealt: _dealt,
    HandSet: _hand_set,
    HandExposed: _exposed,
    ResultAnnounced: _announced,
    BonusHandFormed: _bonus_hand,
}
"""The facts that have a sentence of their own."""
