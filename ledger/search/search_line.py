"""A search line: what each word of it means.

Words are parted by blanks. Words of one kind are alternatives (``DC-01 DC-02``: at either table),
words of different kinds must all hold (``seat:2 $25``: a wager of $25 at seat 2).
"""

from __future__ import annotations

import re
from dataclasses import field
from datetime import date, time
from functools import cache
from typing import Final

from lark import Lark, Token, Tree, UnexpectedInput

from ledger.kernel import FIRST_YEAR, LAST_YEAR, Cents, FactRef, dollars, parse_dollars
from ledger.kernel.quick_dataclass import dataclass
from ledger.search.errors import SearchUnclear, nearest

LINE_CHARACTERS: Final = 1_000
"""The longest search line."""

FIELDS: Final = {
    "bet": 'the wager, as its name begins: bet:1, bet:small, bet:"total 9"',
    "seat": "the seat of the wager: seat:2",
    "patron": "who made the wager, as the record names patrons; * stands for any end",
    "dealer": "who dealt at the table when the round opened",
    "person": "who held any post at the table when the round opened",
    "coupon": "the serial of a coupon that lay on the wager: coupon:P25-41; * stands for any end",
    "code": "the code of a finding of the round: code:late_wager",
    "dice": "dice in use: a die's serial or the set's name",
    "shaker": "the shaker in use",
    "wheel": "the wheel in use",
    "deck": "the deck in use",
    "camera": "the camera that was assigned to the table",
    "game": "the game, as its name begins: game:sic",
    "round": "the round itself, or any fact or wager of it: round:DC-01:8990",
}
"""What stands before a colon, and what it asks."""
EQUIPMENT: Final = {
    "dice": "dice set",
    "shaker": "shaker",
    "wheel": "wheel",
    "deck": "deck",
    "camera": "camera",
}
STATES: Final = {
    "unknown": "its outcome is unknown",
    "void": "it was void",
    "settled": "it was settled",
    "findings": "it has a finding",
    "uncovered": "its table does not record wagers",
}
"""Words about a round as a whole."""

_GRAMMAR: Final = r"""
start: _BLANK? (term (_BLANK term)*)? _BLANK?
?term: field | money | stake | moment | DATE | DAY | STATE | REFERENCE | PHRASE | WORD
field: FIELD (PHRASE | VALUE)
money: MONEY_WORD [COMPARED AMOUNT]
stake: AMOUNT [UP | (TO AMOUNT)] | COMPARED AMOUNT
moment: CLOCK [WITHIN | (TO CLOCK)]

FIELD.9: /(%s):/i
VALUE.1: /[^\s"]+/
MONEY_WORD.8: /(overpaid|underpaid)(?=[<>=\s]|$)/i
COMPARED.8: />=|<=|>|<|=/
AMOUNT.7: /\$?\d[\d,]*(\.\d\d)?(?=[-+\s]|$)/
UP.7: /\+(?=\s|$)/
TO.7: /-/
CLOCK.8: /\d{1,2}:\d{2}(:\d{2})?([ap]m)?(?=[-±+~\s]|$)/i
WITHIN.8: /(±|\+-|\+\/-|~)\d{1,3}[smh](?=\s|$)/i
DATE.8: /(\d{4}-\d{2}-\d{2}|\d{1,2}\/\d{1,2}\/\d{4})(?=\s|$)/
DAY.8: /(today|yesterday)(?=\s|$)/i
STATE.8: /(%s)(?=\s|$)/i
REFERENCE.6: /[^\s":]+:\d+(?=\s|$)/
PHRASE.5: /"[^"]*"/
WORD.1: /[^\s":]+/
_BLANK: /\s+/
"""


@dataclass(frozen=True, slots=True)
class Moment:
    """A time of day, or a spell of it, by the property's clocks.

    Attributes:
        begins, ends: the spell, both included; the second may lie after midnight.
        asked: as it was written.
    """

    begins: time
    ends: time
    asked: str
    seconds_before: int = 0
    seconds_after: int = 59


@dataclass(frozen=True, slots=True)
class Amount:
    """Cents from and to, both included; None: no bound; and how a person says it."""

    least: int | None
    most: int | None
    words: str


@dataclass(slots=True)
class Search:
    """What a line asks: alternatives by kind; a kind without any asks nothing.

    Attributes:
        words: tables, as they were written.
        fields: by the word before the colon, what stood behind it.
        stakes: what was staked.
        overpaid, underpaid: by how much the house paid too much or too little.
        moments: times of day.
        days: gaming days; ``today`` and ``yesterday`` as words.
        states: words about the round as a whole.
        phrases: free text.
        references: facts by stream and number.
    """

    words: list[str] = field(default_factory=list)
    fields: dict[str, list[str]] = field(default_factory=dict)
    stakes: list[Amount] = field(default_factory=list)
    overpaid: list[Amount] = field(default_factory=list)
    underpaid: list[Amount] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    days: list[date | str] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    references: list[FactRef] = field(default_factory=list)

    @property
    def asks_about_wagers(self) -> bool:
        """Whether a wager must match, and not only its round."""
        own = ("bet", "seat", "patron", "coupon")
        return bool(self.stakes or self.overpaid or self.underpaid) or any(
            self.fields.get(name) for name in own
        )


def parse_search(line: str) -> Search:
    """Read a search line.

    Args:
        line: its words.

    Raises:
        SearchUnclear: a word cannot be read, the line is empty or too long.

    >>> search = parse_search('DC-01 21:45±5m bet:1 $25 seat:2')
    >>> search.words, search.fields, search.stakes[0].words
    (['DC-01'], {'bet': ['1'], 'seat': ['2']}, '$25.00')
    """
    if len(line) > LINE_CHARACTERS:
        raise SearchUnclear(f"A search line has at most {LINE_CHARACTERS:,} characters.")
    try:
        tree = _parser().parse(line)
    except UnexpectedInput as error:
        raise _unclear(line, int(getattr(error, "pos_in_stream", None) or 0)) from error
    search = Search()
    for term in tree.children:
        _take(search, term)
    if search == Search():
        raise SearchUnclear("There is nothing to search for.")
    return search


@cache
def _parser() -> Lark:
    return Lark(
        _GRAMMAR % ("|".join(FIELDS), "|".join(STATES)), parser="lalr", maybe_placeholders=False
    )


def _unclear(line: str, at: int) -> SearchUnclear:
    """The word that could not be read, and what it may have been."""
    word = re.split(r"\s", line[line.rfind(" ", 0, at) + 1 :], maxsplit=1)[0]
    head, colon, _ = word.partition(":")
    close = nearest(head, FIELDS) if colon else []
    if head in FIELDS:
        hint = f"{head}: {FIELDS[head]}"
    else:
        hint = f"perhaps {close[0]}: {FIELDS[close[0]]}" if close else "pitledger find --help"
    return SearchUnclear(f"The search cannot be read at {word!r}.", hint)


def _take(search: Search, term: Token | Tree[Token]) -> None:
    if isinstance(term, Token):
        _take_word(search, term.type, str(term))
        return
    name, parts = term.data, [str(part) for part in term.children]
    match name:
        case "field":
            head, asked = parts[0].rstrip(":").lower(), parts[1].strip('"').strip()
            if not asked:
                raise SearchUnclear(f"Nothing stands behind {head}:", FIELDS[head])
            if head == "round" and (ref := _reference(asked)) is not None:
                search.references.append(ref)
            else:
                search.fields.setdefault(head, []).append(asked)
        case "money":
            amounts = search.overpaid if parts[0].lower() == "overpaid" else search.underpaid
            amounts.append(_compared(*parts[1:]) if parts[1:] else Amount(1, None, "by any amount"))
        case "stake":
            search.stakes.append(_stake(parts))
        case _:
            search.moments.append(_moment(parts))


def _take_word(search: Search, kind: str, word: str) -> None:
    match kind:
        case "DATE":
            search.days.append(_date(word))
        case "DAY":
            search.days.append(word.lower())
        case "STATE":
            search.states.append(word.lower())
        case "REFERENCE":
            stream, _, number = word.rpartition(":")
            search.references.append(_fact(stream, number))
        case "PHRASE":
            if phrase := word.strip('"').strip():
                search.phrases.append(phrase)
        case _:
            search.words.append(word)


def _reference(text: str) -> FactRef | None:
    stream, colon, number = text.rpartition(":")
    return _fact(stream, number) if colon and number.isascii() and number.isdigit() else None


def _fact(stream: str, number: str) -> FactRef:
    if len(number) > _LONGEST_NUMBER:  # no terminal counts so far, and no column holds it
        raise SearchUnclear(f"The record has no fact {stream}:{number[:_LONGEST_NUMBER]}….")
    return FactRef(stream, int(number))


def _cents(text: str) -> Cents:
    try:
        cents = parse_dollars(text)
    except ValueError as error:
        raise SearchUnclear(f"{text!r} is no amount of dollars.") from error
    if len(str(cents)) > _LONGEST_NUMBER:
        raise SearchUnclear("Nobody wagers an amount of so many digits.")
    return cents


def _compared(sign: str, amount: str) -> Amount:
    cents = _cents(amount)
    match sign:
        case ">":
            return Amount(cents + 1, None, f"more than {dollars(cents)}")
        case ">=":
            return _at_least(cents)
        case "<":
            return Amount(None, cents - 1, f"less than {dollars(cents)}")
        case "<=":
            return Amount(None, cents, f"at most {dollars(cents)}")
        case _:
            return Amount(cents, cents, dollars(cents))


def _at_least(cents: int) -> Amount:
    return Amount(cents, None, f"at least {dollars(cents)}")


def _stake(parts: list[str]) -> Amount:
    if parts[0][0] in "<>=":
        return _compared(*parts)
    least = _cents(parts[0])
    if parts[1:] == ["+"]:
        return _at_least(least)
    most = _cents(parts[2]) if parts[1:] else least
    return Amount(least, most, dollars(least) + (f" to {dollars(most)}" if parts[1:] else ""))


def _date(word: str) -> date:
    try:
        if "/" in word:
            month, number, year = map(int, word.split("/"))
            day = date(year, month, number)
        else:
            day = date.fromisoformat(word)
    except ValueError as error:
        raise SearchUnclear(f"{word!r} is no date.", "2021-06-12 or 6/12/2021") from error
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise SearchUnclear(f"No clock shows {word!r}.", "2021-06-12 or 6/12/2021")
    return day


_LONGEST_NUMBER: Final = 18
"""Digits of a fact's number and of an amount, which are signed 64-bit integers on the record."""
_UNITS: Final = {"s": 1, "m": 60, "h": 3600}


def _moment(parts: list[str]) -> Moment:
    begins, is_minute = _time(parts[0])
    if len(parts) == 3:
        ends, ends_minute = _time(parts[2])
        return Moment(begins, ends, "".join(parts), 0, 59 if ends_minute else 0)
    if len(parts) == 2:
        around = int("".join(filter(str.isdigit, parts[1]))) * _UNITS[parts[1][-1].lower()]
        return Moment(begins, begins, parts[0] + parts[1], around, around)
    return Moment(begins, begins, parts[0], 0, 59 if is_minute else 0)


def _time(word: str) -> tuple[time, bool]:
    """A time of day, and whether it was said to the minute only."""
    plain, half = (word[:-2], word[-2:].lower()) if word[-1] in "mM" else (word, "")
    hour, minute, second = map(int, (*plain.split(":"), "0")[:3])
    if half and not 1 <= hour <= 12:
        raise SearchUnclear(f"{word!r} is no time of day.", "21:45, 9:45pm or 21:45:10")
    hour = hour % 12 + (12 if half == "pm" else 0) if half else hour
    try:
        return time(hour, minute, second), plain.count(":") == 1
    except ValueError as error:
        raise SearchUnclear(f"{word!r} is no time of day.", "21:45, 9:45pm or 21:45:10") from error
