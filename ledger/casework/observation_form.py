"""The form in which a person says what a recording shows: a small TOML file, read strictly.

Whatever is left out, or says "cannot see", is not known from the recording. Nothing here looks at
the ledger: a form is only read, with the place of whatever is wrong in it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final, TypeVar

from ledger.events import (
    ObservedDie,
    ObservedHand,
    ObservedSpin,
    ObservedThrow,
    ObservedWager,
)
from ledger.kernel import UsageError, parse_dollars, visible
from ledger.kernel.quick_dataclass import dataclass

CANNOT_SEE: Final = "cannot see"
MOST_BYTES: Final = 65_536
MOST: Final = 200
"""How many throws, spins, hands or wagers a form has at most."""
MOST_DICE: Final = 12
LONGEST: Final = 2_000
"""Characters of the note; any other text has ``SHORT`` at most."""
SHORT: Final = 100
MOST_AHEAD: Final = 604_800
"""Seconds, a week: a camera that is farther off tells no time."""
MOST_CENTS: Final = 10**12
WHEN: Final = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M")

FIELDS: Final = frozenset(
    {
        *("table", "round", "camera", "camera_ahead", "time", "dice", "throws"),
        *("sections", "revolutions"),
        *("hand", "wager", "note", "replaces"),
    }
)
HAND: Final = frozenset({"seat", "high", "medium", "low"})
WAGER: Final = frozenset({"id", "seat", "name", "picks", "stake", "paid", "collected"})

Part = TypeVar("Part")


class FormWrong(UsageError):
    """The form of an observation cannot be read, or does not say what it must."""

    code = "observation_form_wrong"

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(
            f"The form cannot be used: {problem}.",
            where=where,
            next_step="`pitledger observe --form ROUND` prints one to fill in",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationForm:
    """A form as it was filled in.

    Args:
        table: the table.
        round: the id of the round; None: the time tells it.
        camera: the camera.
        camera_ahead_micros: how far its clock is ahead, in microseconds; None: not compared.
        shown_at: what its clock showed, as a local time, or with its offset from UTC.
        to_the_minute: the time has no seconds: any moment of that minute may be meant.
        throws: None: no throw can be seen. So for spins, hands and wagers.
        note: in the person's words.
        replaces: the number of the observation that it replaces.
    """

    table: str
    round: str | None
    camera: str
    camera_ahead_micros: int | None
    shown_at: datetime
    to_the_minute: bool
    throws: tuple[ObservedThrow, ...] | None
    spins: tuple[ObservedSpin, ...] | None
    hands: tuple[ObservedHand, ...] | None
    wagers: tuple[ObservedWager, ...] | None
    note: str | None
    replaces: int | None


def parse_form(document: bytes, where: str = "form") -> ObservationForm:
    """Read a form.

    Args:
        document: the bytes of the file.
        where: its name, for a refusal.

    Raises:
        FormWrong: it is too long, no TOML, or says something that cannot be.
    """
    if len(document) > MOST_BYTES:
        raise FormWrong(where, f"it has more than {MOST_BYTES:,} bytes")
    try:
        plain = tomllib.loads(document.decode("utf-8"), parse_float=Decimal)
    except UnicodeDecodeError as error:
        raise FormWrong(where, "it is not UTF-8 text") from error
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        reason = visible(str(error))[:200] or "it nests too deep"
        raise FormWrong(where, f"it is not TOML: {reason}") from error
    return read_form(plain, where)


def read_form(plain: Mapping[str, Any], where: str = "form") -> ObservationForm:
    """Read the parts of a form; see ``parse_form``.

    Raises:
        FormWrong: so.
    """
    _only(plain, FIELDS, where)
    shown_at, to_the_minute = _time(plain.get("time"), f"{where}: time")
    throws = _list(plain, "throws", where, _throw)
    if "dice" in plain:
        if throws is not None:
            raise FormWrong(f"{where}: dice", "give dice (one throw) or throws (several), not both")
        single = plain["dice"]
        throws = None if _unseen(single) else (_throw(single, f"{where}: dice"),)
    spins = _spins(plain, where)
    hands = _list(plain, "hand", where, _hand) or ()
    wagers = _list(plain, "wager", where, _wager) or ()
    seen_throws = any(die.face is not None for throw in throws or () for die in throw.dice)
    form = ObservationForm(
        table=_text(plain.get("table"), f"{where}: table"),
        round=_text_or_none(plain.get("round"), f"{where}: round"),
        camera=_text(plain.get("camera"), f"{where}: camera"),
        camera_ahead_micros=_ahead(plain.get("camera_ahead"), f"{where}: camera_ahead"),
        shown_at=shown_at,
        to_the_minute=to_the_minute,
        throws=throws if seen_throws else None,
        spins=spins if any(spin.symbol is not None for spin in spins) else None,
        hands=tuple(hand for hand in hands if _shows_cards(hand)) or None,
        wagers=tuple(wager for wager in wagers if _shows_wager(wager)) or None,
        note=_note(plain.get("note"), f"{where}: note"),
        replaces=_number(plain.get("replaces"), f"{where}: replaces", 1),
    )
    _card_once(form.hands or (), where)
    _wager_once(form.wagers or (), where)
    parts = (form.throws, form.spins, form.hands, form.wagers, form.note)
    if all(part is None for part in parts):
        raise FormWrong(where, "it says nothing that was seen; a note is enough")
    return form


# ---------------------------------------------------------------------------- parts


def _shows_cards(hand: ObservedHand) -> bool:
    return any(part is not None for part in (hand.high, hand.medium, hand.low))


def _shows_wager(wager: ObservedWager) -> bool:
    """Whether anything was seen of it; one without an id was seen to be there at all."""
    amounts = (wager.stake_cents, wager.paid_cents, wager.collected_cents)
    return wager.wager_id is None or any(cents is not None for cents in amounts)


def _only(plain: Mapping[str, Any], known: frozenset[str], where: str) -> None:
    for name in plain:
        if name not in known:
            shown = visible(name)[:SHORT]
            names = ", ".join(sorted(known))
            raise FormWrong(f"{where}: {shown}", f"it has no such field; known are {names}")


def _unseen(written: object) -> bool:
    return written is None or (
        isinstance(written, str) and written.strip().casefold() in (CANNOT_SEE, "?", "")
    )


def _text(text: object, where: str) -> str:
    if not isinstance(text, str) or not text.strip():
        raise FormWrong(where, "a text is missing here")
    stripped = text.strip()
    if len(stripped) > SHORT:
        raise FormWrong(where, f"it has more than {SHORT} characters")
    if visible(stripped) != stripped or "\n" in stripped or "\t" in stripped:
        raise FormWrong(where, "it has characters that nobody sees")
    return stripped


def _text_or_none(text: object, where: str) -> str | None:
    return None if _unseen(text) else _text(text, where)


def _note(text: object, where: str) -> str | None:
    if _unseen(text):
        return None
    if not isinstance(text, str):
        raise FormWrong(where, "a text is wanted here")
    if len(text.strip()) > LONGEST:
        raise FormWrong(where, f"it has more than {LONGEST:,} characters")
    if visible(text) != text:
        raise FormWrong(where, "it has characters that nobody sees")
    return text.strip()


def _number(number: object, where: str, least: int) -> int | None:
    if _unseen(number):
        return None
    if isinstance(number, bool) or not isinstance(number, int):
        raise FormWrong(where, "a whole number is wanted here")
    if not least <= number < 1 << 62:
        raise FormWrong(where, f"a number from {least} on is wanted here")
    return int(number)


def _ahead(seconds: object, where: str) -> int | None:
    """Seconds, as microseconds."""
    if _unseen(seconds):
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, (int, Decimal)):
        raise FormWrong(where, "seconds are wanted here, such as 2.5 or -3")
    exact = Decimal(seconds)
    if not exact.is_finite() or not -MOST_AHEAD <= exact <= MOST_AHEAD:
        raise FormWrong(where, "a clock that is off by more than a week tells no time")
    return int(exact * 1_000_000)


def _time(shown: object, where: str) -> tuple[datetime, bool]:
    if isinstance(shown, datetime):
        return shown, False
    if isinstance(shown, str):
        for form in WHEN:
            try:
                return datetime.strptime(shown.strip(), form), "%S" not in form  # noqa: DTZ007
            except ValueError:
                continue
        with suppress(ValueError):
            moment = datetime.fromisoformat(shown.strip())
            if moment.tzinfo is not None:
                return moment, False
    if isinstance(shown, date):
        raise FormWrong(where, "the time of day is missing, such as 2021-06-12 21:05:30")
    raise FormWrong(where, "a date and a time are wanted, such as 2021-06-12 21:05:30")


def _list(
    plain: Mapping[str, Any], name: str, where: str, read: Callable[[object, str], Part]
) -> tuple[Part, ...] | None:
    parts = plain.get(name)
    if _unseen(parts):
        return None
    if not isinstance(parts, list):
        raise FormWrong(f"{where}: {name}", "a list is wanted here")
    if len(parts) > MOST:
        raise FormWrong(f"{where}: {name}", f"it has more than {MOST}")
    return tuple(read(part, f"{where}: {name} {at}") for at, part in enumerate(parts, 1))


def _throw(dice: object, where: str) -> ObservedThrow:
    if not isinstance(dice, list) or not dice:
        raise FormWrong(where, "the dice of a throw are a list, such as [2, 3, 5]")
    if len(dice) > MOST_DICE:
        raise FormWrong(where, f"it has more than {MOST_DICE} dice")
    return ObservedThrow(
        dice=tuple(_die(die, f"{where}, die {at}") for at, die in enumerate(dice, 1))
    )


def _die(die: object, where: str) -> ObservedDie:
    """A face, "red 5", "red cannot see", or "cannot see"."""
    if _unseen(die):
        return ObservedDie(colour=None, face=None)
    if isinstance(die, int) and not isinstance(die, bool):
        return ObservedDie(colour=None, face=_face(die, where))
    words = _text(die, where)
    color, _, last = words.rpartition(" ")
    if words.casefold().endswith(f" {CANNOT_SEE}"):
        return ObservedDie(colour=words[: -len(CANNOT_SEE)].strip(), face=None)
    if last == "?":
        return ObservedDie(colour=color.strip(), face=None)
    if not (last.isascii() and last.isdigit() and len(last) < 4):
        raise FormWrong(where, 'a die is a number from 1 to 6, "red 5" or "cannot see"')
    return ObservedDie(colour=color.strip() or None, face=_face(int(last), where))


def _face(face: int, where: str) -> int:
    if not 1 <= face <= 6:
        raise FormWrong(where, f"a die has no face {face}")
    return face


def _spins(plain: Mapping[str, Any], where: str) -> tuple[ObservedSpin, ...]:
    """What each section showed, and beside it how often the wheel turned."""
    symbols = _list(plain, "sections", where, _symbol) or ()
    turns = _list(plain, "revolutions", where, _turns) or (None,) * len(symbols)
    if len(turns) != len(symbols):
        raise FormWrong(f"{where}: revolutions", "give one number for each of the sections")
    return tuple(
        ObservedSpin(symbol=symbol, revolutions_thousandths=count)
        for symbol, count in zip(symbols, turns, strict=True)
    )


def _symbol(symbol: object, where: str) -> str | None:
    if isinstance(symbol, int) and not isinstance(symbol, bool):
        symbol = str(symbol)
    return _text_or_none(symbol, where)


def _turns(turns: object, where: str) -> int | None:
    if _unseen(turns):
        return None
    if isinstance(turns, bool) or not isinstance(turns, (int, Decimal)):
        raise FormWrong(where, "a number of revolutions is wanted here, such as 4 or 5.5")
    exact = Decimal(turns)
    if not exact.is_finite() or not 0 <= exact <= 1_000:
        raise FormWrong(where, "no wheel turns so often")
    return int(exact * 1_000)


def _hand(hand: object, where: str) -> ObservedHand:
    if not isinstance(hand, dict):
        raise FormWrong(where, "a hand is a table [[hand]] with seat, high, medium and low")
    _only(hand, HAND, where)
    return ObservedHand(
        position=_text(_seat(hand.get("seat")), f"{where}, seat"),
        high=_cards(hand.get("high"), f"{where}, high"),
        medium=_cards(hand.get("medium"), f"{where}, medium"),
        low=_cards(hand.get("low"), f"{where}, low"),
    )


def _seat(seat: object) -> object:
    return str(seat) if isinstance(seat, int) and not isinstance(seat, bool) else seat


def _cards(cards: object, where: str) -> tuple[str, ...] | None:
    from ledger.games.cards import BY_WORD

    if _unseen(cards):
        return None
    if isinstance(cards, list) and all(isinstance(card, str) for card in cards):
        words: Sequence[str] = cards
    else:
        words = _text(cards, where).split()
    named = tuple(word.strip().upper() for word in words)
    for word in named:
        if word not in BY_WORD:
            shown = visible(word)[:SHORT]
            raise FormWrong(where, f'"{shown}" is no card; cards are written AS, 10H, JOKER')
    if not named or len(named) > MOST_DICE:
        raise FormWrong(where, "a hand has one to twelve cards")
    return named


def _wager(wager: object, where: str) -> ObservedWager:
    if not isinstance(wager, dict):
        raise FormWrong(where, "a wager is a table [[wager]] with seat, name and stake")
    _only(wager, WAGER, where)
    picks = wager.get("picks", [])
    if not isinstance(picks, list) or len(picks) > MOST_DICE:
        raise FormWrong(f"{where}, picks", "picks are a list of whole numbers, such as [3, 5]")
    return ObservedWager(
        wager_id=_text_or_none(wager.get("id"), f"{where}, id"),
        position=_text_or_none(_seat(wager.get("seat")), f"{where}, seat"),
        wager=_text(wager.get("name"), f"{where}, name"),
        picks=tuple(sorted(_pick(pick, f"{where}, picks") for pick in picks)),
        stake_cents=_amount(wager.get("stake"), f"{where}, stake"),
        paid_cents=_amount(wager.get("paid"), f"{where}, paid"),
        collected_cents=_amount(wager.get("collected"), f"{where}, collected"),
    )


def _pick(pick: object, where: str) -> int:
    if isinstance(pick, bool) or not isinstance(pick, int) or not 0 <= pick <= 1_000:
        raise FormWrong(where, "picks are a list of whole numbers, such as [3, 5]")
    return pick


def _amount(amount: object, where: str) -> int | None:
    """Dollars, as cents."""
    if _unseen(amount):
        return None
    if isinstance(amount, bool) or not isinstance(amount, (int, str, Decimal)):
        raise FormWrong(where, "an amount of dollars is wanted here, such as 50 or 12.50")
    try:
        cents = int(parse_dollars(str(amount)[:SHORT]))
    except ValueError as error:
        raise FormWrong(
            where, "an amount of dollars is wanted here, such as 50 or 12.50"
        ) from error
    if not 0 <= cents <= MOST_CENTS:
        raise FormWrong(where, "no wager has such an amount")
    return cents


def _card_once(hands: Sequence[ObservedHand], where: str) -> None:
    known: dict[str, str] = {}
    for seat, card in _all_cards(hands):
        if card in known:
            raise FormWrong(f"{where}: hand", f"{card} lies twice, at {known[card]} and {seat}")
        known[card] = seat
    if len({hand.position for hand in hands}) != len(hands):
        raise FormWrong(f"{where}: hand", "a seat has two hands")


def _all_cards(hands: Sequence[ObservedHand]) -> Iterator[tuple[str, str]]:
    for hand in hands:
        for part in (hand.high, hand.medium, hand.low):
            for card in part or ():
                yield f"seat {hand.position}", card


def _wager_once(wagers: Sequence[ObservedWager], where: str) -> None:
    ids = [one.wager_id for one in wagers if one.wager_id is not None]
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice is not None:
        raise FormWrong(f"{where}: wager", f"{twice} stands there twice")
