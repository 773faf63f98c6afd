"""From what a person supposes of a round to the facts that say so: an address, and what it holds.

An address names a recorded outcome as it stands on the page of the round, and counts from 1:
``dice[2]``, ``throw[3].dice[2].rest``, ``section``, ``cards[5][1]``, ``hand[5].low[1]``,
``W3.stake``; or any field of any fact of the round: ``SB-01:1240.faces[2]``. Where a round has
several throws or spins, the address says which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final

from ledger import events
from ledger.codec import NotAFact, from_plain, to_plain
from ledger.events import Fact
from ledger.events.parts import CouponLaid
from ledger.games import BY_GAME
from ledger.games.cards import BY_WORD
from ledger.kernel import FactRef, UsageError, parse_dollars, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import FactStep
from ledger.rounds import RoundResult
from ledger.rounds.supposition import SupposedFact, Supposition, moved_after

PLACES: Final = 12
"""How many places an address may name one within the other."""
TEXT: Final = 500
"""The longest address or value, in characters."""
HEADER: Final = frozenset({"event", "version", "stream", "seq", "event_time", "source"})
"""Fields that make a fact another fact, or put it at another moment."""
CLOSING: Final = (events.NoMoreBetsAnnounced, events.DiceThrownByHand)
"""The facts after which a wager is late; a game of three dice closes by the throw."""
THROWS: Final = (events.DiceThrown, events.DiceThrownByHand)
WAGERED: Final = (events.WagerPlaced, events.WagerMoved)
SETTLED: Final = {"paid": "winnings_cents", "taken": "stake_taken_cents", "outcome": "outcome"}
"""What a wager's settlement is called, and the field that holds it."""
PLACED: Final = {"stake": "stake_cents"}
NOTHING: Final = frozenset({"none", "null", "not recorded", "unknown"})
_STEP: Final = re.compile(r"\.?(?P<name>[a-z_]+)|\[(?P<index>[^\[\]]{1,200})\]", re.ASCII)
_FACT: Final = re.compile(r"(?P<stream>[^\s]+?):(?P<seq>[0-9]{1,15})\.(?P<rest>.+)", re.ASCII)


class SuppositionWrong(UsageError):
    """What is supposed of a round makes no sense there."""

    code = "supposition_wrong"

    def __init__(self, problem: str, next_step: str = "pitledger whatif --help") -> None:
        super().__init__(problem, next_step=next_step)


class WagerNotOfRound(UsageError):
    """The round has no such wager."""

    code = "wager_not_of_round"

    def __init__(self, wager: str, round_: str, known: Sequence[str]) -> None:
        super().__init__(
            f"{round_} has no wager {wager!r}.",
            next_step=f"its wagers: {', '.join(known) or 'none'}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SupposedField:
    """One field of a fact as recorded and as supposed, in the plain form of facts.

    Args:
        fact: the recorded fact.
        field: where in it, such as ``dice[2].face``; "place" where it is moved.
        recorded: what it says.
        supposed: what is supposed.
    """

    fact: Fact
    field: str
    recorded: object
    supposed: object


@dataclass(slots=True)
class SupposedRound:
    """A round of which other facts are supposed, one after the other.

    Args:
        result: the round as recorded.
        steps: its facts.
        wheel: the wheel in use; None without one.
    """

    result: RoundResult
    steps: Sequence[FactStep]
    wheel: events.WheelPlaced | None = None
    fields: list[SupposedField] = field(default_factory=list)
    _facts: dict[FactRef, SupposedFact] = field(default_factory=dict)

    def supposition(self) -> Supposition:
        """Return all that is supposed.

        Raises:
            SuppositionWrong: a wager is one that the game has not.
        """
        for supposed in self._facts.values():
            before, after = supposed.recorded, supposed.supposed
            if isinstance(after, WAGERED) and _bet(before) != _bet(after):
                self._check_wager(after)
        return Supposition(tuple(self._facts.values()))

    # --- what may be supposed ---------------------------------------------------------------------

    def put(self, text: str) -> None:
        """Suppose another value of a recorded outcome: ``dice[2]=5``.

        Raises:
            SuppositionWrong: the round has no such fact or field, or the value makes no sense.
            WagerNotOfRound: the address names a wager of another round.
        """
        address, is_there, content = (part.strip() for part in text.partition("="))
        if not is_there or not address or len(text) > TEXT or not text.isprintable():
            raise SuppositionWrong(f"{_short(text)} is no change: write ADDRESS=VALUE.")
        fact, path = self._addressed(address)
        if isinstance(path[0], str) and path[0] in ("cards", "hand"):
            self._deal(fact, path, content, address)
            return
        if path[-1] == "section" and isinstance(fact, events.WheelSpun):
            self._spin(fact, content)
            return
        self._change(fact, path, content, address)

    def make_late(self, text: str) -> None:
        """Suppose that a wager came after betting closed: ``W3``, or ``W3@FACT``: after that fact.

        Raises:
            WagerNotOfRound: the round has no such wager.
            SuppositionWrong: it did not come in this round, or after betting closed already.
        """
        wager, place = self._wager_and_place(text)
        own = [step.fact for step in self.steps if _wager_of(step.fact) == wager]
        placed = next((fact for fact in own if isinstance(fact, events.WagerPlaced)), None)
        if placed is None:
            raise SuppositionWrong(f"{wager} was not placed in this round.")
        after = place or self._closing(placed)
        if after is None:
            raise SuppositionWrong(
                f"Betting closed before {wager} was placed, or no fact says when it closed.",
                f"name the fact that it came after: --late {wager}@{self.result.round}",
            )
        order = [step.fact for step in self.steps]
        between = order[order.index(placed) : order.index(after)] or [placed]
        for fact in between:
            if fact in own and (fact is placed or not isinstance(fact, events.WagerSettled)):
                self._move(fact, after)

    def hand_back(self, text: str) -> None:
        """Suppose that the dealer handed a wager back where it was settled: ``W1``, ``W1@FACT``.

        Raises:
            WagerNotOfRound: the round has no such wager.
            SuppositionWrong: it was not settled in this round.
        """
        wager, after = self._wager_and_place(text)
        settled = self._settlement(wager)
        placed = next((one for one in self.result.wagers if one.wager_id == wager), None)
        returned = events.WagerReturned(
            **_header(settled),
            wager_id=wager,
            returned_cents=None if placed is None else placed.stake_cents,
            reason=None,
        )
        self._suppose(settled, returned, "act", "settled", "handed back")
        if after is not None:
            moved = moved_after(settled, after, returned)
            self._facts[ref_of(settled)] = moved

    def replace_fact(self, ref: FactRef, replacement: Fact | None) -> None:
        """Suppose a whole fact in the place of one of the round, or none.

        Args:
            ref: the key of the fact.
            replacement: the fact as it should have been said; None: it is withdrawn.

        Raises:
            SuppositionWrong: it is no fact of the round, has another key, or happened at another
                time, so that other facts may come before it.
        """
        recorded = self._fact(ref)
        if replacement is None:
            self.fields.append(
                SupposedField(fact=recorded, field="act", recorded="recorded", supposed="withdrawn")
            )
            self._facts[ref] = SupposedFact(recorded=recorded, supposed=None)
            return
        if ref_of(replacement) != ref:
            raise SuppositionWrong(f"The new fact must keep the key {ref}.")
        if replacement.event_time != recorded.event_time:
            raise SuppositionWrong(
                f"{ref} would come at another time: its place among the others is not previewed.",
                "preview it with its own time, then amend",
            )
        before, after = to_plain(recorded), to_plain(replacement)
        for name in dict.fromkeys((*before, *after)):
            if before.get(name) != after.get(name):
                self.fields.append(
                    SupposedField(
                        fact=recorded,
                        field=name,
                        recorded=before.get(name),
                        supposed=after.get(name),
                    )
                )
        self._facts[ref] = SupposedFact(recorded=recorded, supposed=replacement)

    def add_coupon(self, text: str) -> None:
        """Suppose that a coupon lay with a wager: ``W1=SERIAL``.

        Raises:
            WagerNotOfRound: the round has no such wager.
            SuppositionWrong: no serial number, it lies there already, or the wager is older.
        """
        wager, _, serial = (part.strip() for part in text.partition("="))
        if not serial or len(serial) > 100 or not serial.isprintable():
            raise SuppositionWrong(f"{_short(text)} names no coupon: write WAGER=SERIAL.")
        placed = self._placed(wager)
        if any(laid.serial == serial for laid in placed.coupons):
            raise SuppositionWrong(f"Coupon {serial} lies with {wager} already.")
        coupon = CouponLaid(serial=serial, chips_cents=placed.stake_cents)
        before = [laid.serial for laid in placed.coupons]
        after = replace(placed, coupons=(*placed.coupons, coupon))
        self._suppose(placed, after, "coupons", before, [*before, serial])

    # --- addresses --------------------------------------------------------------------------------

    def _addressed(self, address: str) -> tuple[Fact, list[str | int]]:
        """Return the fact that an address names, and the path of the field in it."""
        named = _FACT.fullmatch(address)
        if named is not None:
            fact = self._fact(FactRef(named["stream"], int(named["seq"])))
            return fact, _path(named["rest"], address)
        for wager in sorted(self._wagers(), key=len, reverse=True):
            if address.startswith(f"{wager}."):
                return self._of_wager(wager, address.removeprefix(f"{wager}."), address)
        head = address.partition(".")[0]
        if re.fullmatch(r"[A-Z]+[0-9]+", head, re.ASCII):
            raise WagerNotOfRound(head[:40], self.result.round, self._wagers())
        path = _path(address, address)
        match path:
            case ["throw" | "dice", *_]:
                return self._of_throw(path, address)
            case ["spin", int(number), *rest]:
                return self._nth((events.WheelSpun,), number, "spin", address), rest or ["section"]
            case ["section", *_]:
                return self._nth((events.WheelSpun,), None, "spin", address), path
            case ["cards", str(position) | int(position), int()]:
                return self._dealt(str(position)), path
            case ["hand", str(position) | int(position), str(), int()]:
                return self._hand(str(position)), path
        raise SuppositionWrong(f"{_short(address)} names nothing that a round records.")

    def _of_throw(self, path: list[str | int], address: str) -> tuple[Fact, list[str | int]]:
        number = None
        if path[0] == "throw":
            named = next(iter(path[1:]), None)
            number, path = (named, path[2:]) if isinstance(named, int) else (None, path[1:])
        if not path:
            raise SuppositionWrong(f"{_short(address)} names no die: write {address}.dice[1].")
        fact = self._nth(THROWS, number, "throw", address)
        return fact, [*path, "face"] if len(path) == 2 and path[0] == "dice" else path

    def _nth(
        self, kinds: tuple[type[Any], ...], number: int | None, name: str, address: str
    ) -> Fact:
        """Return a throw or a spin by its number; the only one where no number is given."""
        facts: list[Fact] = [step.fact for step in self.steps if isinstance(step.fact, kinds)]
        if number is None and len(facts) > 1:
            raise SuppositionWrong(
                f"The round has {len(facts)} of these; say which: {name}[1].{address}"
            )
        place = 1 if number is None else number
        if not 1 <= place <= len(facts):
            raise SuppositionWrong(f"{self.result.round} has no {name} {place}.")
        return facts[place - 1]

    def _of_wager(self, wager: str, rest: str, address: str) -> tuple[Fact, list[str | int]]:
        path = _path(rest, address)
        head = str(path[0])
        if head in SETTLED:
            return self._settlement(wager), [SETTLED[head], *path[1:]]
        return self._placed(wager), [PLACED.get(head, head), *path[1:]]

    def _wagers(self) -> list[str]:
        """The ids of the round's wagers."""
        known = [wager.wager_id for wager in self.result.wagers]
        facts = (_wager_of(step.fact) for step in self.steps)
        return list(dict.fromkeys([*known, *(wager for wager in facts if wager)]))

    def _wager_and_place(self, text: str) -> tuple[str, Fact | None]:
        wager, named, place = text.partition("@")
        if wager not in self._wagers():
            raise WagerNotOfRound(wager[:40], self.result.round, self._wagers())
        if not named:
            return wager, None
        stream, _, seq = place.rpartition(":")
        if not seq.isascii() or not seq.isdigit() or len(seq) > 15:
            raise SuppositionWrong(f"{_short(place)} names no fact: write STREAM:NUMBER.")
        return wager, self._fact(FactRef(stream, int(seq)))

    def _fact(self, ref: FactRef) -> Fact:
        for step in self.steps:
            if ref_of(step.fact) == ref:
                return step.fact
        raise SuppositionWrong(
            f"{_short(str(ref))} is no fact of the round {self.result.round}.",
            f"pitledger round show {self.result.round} lists its facts",
        )

    def _placed(self, wager: str) -> events.WagerPlaced:
        for step in self.steps:
            fact = self._now(step.fact)
            if isinstance(fact, events.WagerPlaced) and fact.wager_id == wager:
                return fact
        if wager in self._wagers():
            raise SuppositionWrong(f"{wager} was placed in an earlier round: ask about that one.")
        raise WagerNotOfRound(wager[:40], self.result.round, self._wagers())

    def _settlement(self, wager: str) -> events.WagerSettled:
        for step in reversed(self.steps):
            fact = self._now(step.fact)
            if isinstance(fact, events.WagerSettled) and fact.wager_id == wager:
                return fact
        raise SuppositionWrong(f"{wager} was not settled in the round {self.result.round}.")

    def _closing(self, placed: Fact) -> Fact | None:
        """Return the fact by which betting closed after a wager."""
        facts = [step.fact for step in self.steps]
        later = facts[facts.index(placed) :]
        return next((fact for fact in later if isinstance(fact, CLOSING)), None)

    # --- changes ----------------------------------------------------------------------------------

    def _now(self, fact: Fact) -> Fact:
        """Return a fact with what is supposed of it so far."""
        known = self._facts.get(ref_of(fact))
        return fact if known is None or known.supposed is None else known.supposed

    def _change(self, fact: Fact, path: list[str | int], content: str, address: str) -> None:
        fact = self._now(fact)
        plain = to_plain(fact)
        holder, last = _holder(plain, path, address)
        recorded = holder[last]
        changed = _accepted(plain, holder, last, content, address)
        self._check(changed, path, address, content)
        self._suppose(fact, changed, _words(path), recorded, holder[last])

    def _suppose(
        self, fact: Fact, supposed: Fact, field_: str, recorded: object, content: object
    ) -> None:
        ref = ref_of(fact)
        known = self._facts.get(ref)
        original = fact if known is None else known.recorded
        after = None if known is None else known.after
        self.fields.append(
            SupposedField(fact=original, field=field_, recorded=recorded, supposed=content)
        )
        self._facts[ref] = SupposedFact(recorded=original, supposed=supposed, after=after)

    def _move(self, fact: Fact, after: Fact) -> None:
        known = self._facts.get(ref_of(fact))
        original = fact if known is None else known.recorded
        self._facts[ref_of(fact)] = moved_after(original, after, self._now(fact))
        self.fields.append(
            SupposedField(
                fact=original, field="place", recorded=None, supposed=f"after {ref_of(after)}"
            )
        )

    def _check(self, fact: Fact, path: Sequence[str | int], address: str, content: str) -> None:
        """Refuse a value that no equipment shows and no layout has."""
        plain = to_plain(fact)
        for face in _faces(plain) if path[-1] == "face" or path[0] == "faces" else ():
            if not 1 <= face <= 6:
                raise SuppositionWrong(f"{address}: a die has no face {face}.")
        if any(cents < 0 for cents in _amounts(plain)):
            raise SuppositionWrong(f"{address}: {_short(content)} is less than nothing.")
        if isinstance(fact, events.WagerPlaced) and fact.stake_cents == 0:
            raise SuppositionWrong(f"{address}: a wager without a stake is none.")

    def _check_wager(self, fact: events.WagerPlaced | events.WagerMoved) -> None:
        room = BY_GAME.get(self.result.game)
        if room is None:
            return
        row = room.wager_by_name.get(fact.wager)
        if row is None:
            known = ", ".join(dict.fromkeys(one.name for one in room.wagers))
            raise SuppositionWrong(
                f"{room.game} has no wager {_short(fact.wager)}.", f"it has: {known}"
            )
        if fact.picks not in row.picks:
            raise SuppositionWrong(f"{fact.wager} takes no such pick as {list(fact.picks)}.")

    # --- wheel and cards --------------------------------------------------------------------------

    def _spin(self, fact: events.WheelSpun, content: str) -> None:
        """Suppose that the clapper rests in another section, which shows its own symbol."""
        sections = () if self.wheel is None else self.wheel.sections
        number = (
            int(content) if content.isascii() and content.isdigit() and len(content) < 6 else -1
        )
        if not 0 <= number < len(sections):
            raise SuppositionWrong(
                f"The wheel has no section {_short(content)}.",
                f"its sections are numbered 0 to {len(sections) - 1}"
                if sections
                else "no fact says which wheel is in use",
            )
        before = self._now(fact)
        assert isinstance(before, events.WheelSpun)
        after = replace(
            before,
            section=number,
            between=None,
            clapper=events.Clapper.IN_SECTION,
            symbols=(sections[number],),
        )
        self._suppose(before, after, "section", before.section, number)

    def _dealt(self, position: str) -> events.CardsDealt:
        for step in reversed(self.steps):
            if isinstance(step.fact, events.CardsDealt):
                return step.fact
        raise SuppositionWrong(f"No deal is recorded in {self.result.round} ({position}).")

    def _hand(self, position: str) -> events.HandSet:
        for step in reversed(self.steps):
            if isinstance(step.fact, events.HandSet) and step.fact.position == position:
                return step.fact
        raise SuppositionWrong(f"No hands were set at position {_short(position)}.")

    def _deal(self, fact: Fact, path: Sequence[str | int], content: str, address: str) -> None:
        """Suppose another card: wherever the round names the old one, it names the new one.

        A card that lies in the same seven changes its place with the old one in the hands as set.
        """
        card = _card(content, address)
        position = str(path[1])
        old = self._card_at(self._now(fact), path, address)
        holder = self._holder_of(card)
        is_dealt = holder not in (None, position) or (path[0] == "cards" and holder is not None)
        if is_dealt and card != old:
            raise SuppositionWrong(f"{card} was dealt to position {holder} already.")
        if holder == position:
            self._swap(fact, position, {old: card, card: old})
            return
        for step in self.steps:
            if not isinstance(step.fact, (events.DiceThrown, events.DiceThrownByHand)):
                self._swap(step.fact, position, {old: card})

    def _card_at(self, fact: Fact, path: Sequence[str | int], address: str) -> str:
        cards: tuple[str, ...] | None = None
        if isinstance(fact, events.CardsDealt):
            stacks = [stack for stack in fact.stacks if stack.position == str(path[1])]
            cards = stacks[0].cards if stacks else None
        elif isinstance(fact, events.HandSet) and path[2] in ("high", "medium", "low"):
            cards = getattr(fact, str(path[2]))
        place = path[-1]
        if cards is None or not isinstance(place, int) or not 1 <= place <= len(cards):
            raise SuppositionWrong(f"{_short(address)}: no such card is recorded.")
        return cards[place - 1]

    def _holder_of(self, card: str) -> str | None:
        """The position to which a card was dealt; "nobody" is None."""
        for step in self.steps:
            fact = self._now(step.fact)
            if isinstance(fact, events.CardsDealt):
                for stack in fact.stacks:
                    if card in (stack.cards or ()):
                        return stack.position
        return None

    def _swap(self, fact: Fact, position: str, other: Mapping[str, str]) -> None:
        """Put cards in the place of others wherever a fact names them for a position."""
        before = self._now(fact)
        plain = to_plain(before)
        if not _renamed(plain, other):
            return
        if isinstance(before, events.HandSet) and before.position != position:
            return
        after = from_plain(plain)
        self._suppose(before, after, "cards", list(other), list(other.values()))


def _bet(fact: Fact) -> tuple[object, object]:
    return getattr(fact, "wager", None), getattr(fact, "picks", None)


def _wager_of(fact: Fact) -> str | None:
    return getattr(fact, "wager_id", None)


def _header(fact: Fact) -> dict[str, Any]:
    return {
        "stream": fact.stream,
        "seq": fact.seq,
        "event_time": fact.event_time,
        "source": fact.source,
        "recorded_by": fact.recorded_by,
    }


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")


def _path(text: str, address: str) -> list[str | int]:
    """Read ``dice[2].face`` as names and places from 1."""
    path: list[str | int] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None or len(path) >= PLACES:
            raise SuppositionWrong(f"{_short(address)} is no address.")
        index = match["index"]
        if index is None:
            path.append(match["name"])
        else:
            path.append(int(index) if index.isascii() and index.isdigit() else index)
        at = match.end()
    if not path or not isinstance(path[0], str):
        raise SuppositionWrong(f"{_short(address)} is no address.")
    return path


def _words(path: Sequence[str | int]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)[1:]


def _holder(plain: Any, path: Sequence[str | int], address: str) -> tuple[Any, str | int]:
    """Return what holds the field at the end of a path, and its key there."""
    if path[0] in HEADER:
        raise SuppositionWrong(
            f"{_short(address)}: that would be another fact.", "--late moves a wager"
        )
    holder: Any = plain
    for number, part in enumerate(path):
        key: str | int = part
        if isinstance(holder, list) and isinstance(part, int):
            key = part - 1
            is_there = 0 <= key < len(holder)
        else:
            is_there = isinstance(holder, dict) and part in holder
        if not is_there:
            raise SuppositionWrong(f"{_short(address)}: the fact has no such field.")
        if number == len(path) - 1:
            return holder, key
        holder = holder[key]
    raise SuppositionWrong(f"{_short(address)} is no address.")


def _accepted(plain: Any, holder: Any, key: str | int, content: str, address: str) -> Fact:
    """Return the fact with the first form of a value that its schema takes."""
    refusal: NotAFact | None = None
    for form in _forms(holder[key], key, content):
        holder[key] = form
        try:
            return from_plain(plain)
        except NotAFact as error:
            refusal = refusal or error
    why = f": {refusal}" if refusal is not None else ""
    raise SuppositionWrong(f"{_short(address)} cannot be {_short(content)}{why}.")


def _forms(recorded: object, key: str | int, content: str) -> Iterator[object]:
    """Yield what a written value may mean: nothing, dollars, a number, a list, a word, a text."""
    if content.casefold() in NOTHING:
        yield None
    if isinstance(key, str) and key.endswith("_cents"):
        try:
            yield int(parse_dollars(content))
        except ValueError:
            return
        return
    if isinstance(recorded, list):
        parts = [part.strip() for part in content.split(",") if part.strip()]
        yield [_number(part) for part in parts]
        yield [part.upper().replace(" ", "_") for part in parts]
        yield parts
        return
    yield {"yes": True, "no": False}.get(content.casefold(), _number(content))
    yield content.upper().replace(" ", "_")
    yield content


def _number(text: str) -> object:
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text, re.ASCII) else text


def _faces(plain: Mapping[str, Any]) -> Iterator[int]:
    """Yield the faces of dice that a fact names."""
    for die in plain.get("dice") or ():
        if isinstance(die, dict) and isinstance(die.get("face"), int):
            yield die["face"]
    yield from plain.get("faces") or ()


def _amounts(plain: Mapping[str, Any]) -> Iterator[int]:
    for name, amount in plain.items():
        if name.endswith("_cents") and isinstance(amount, int):
            yield amount


def _card(content: str, address: str) -> str:
    card = content.strip().upper()
    if card not in BY_WORD:
        raise SuppositionWrong(
            f"{_short(address)}: {_short(content)} is no card.", "a card is written 10H, AS, JOKER"
        )
    return card


def _renamed(part: Any, other: Mapping[str, str]) -> bool:
    """Put names of cards in the place of others in the plain form of a fact; whether any was."""
    is_changed = False
    entries: Any = part.items() if isinstance(part, dict) else enumerate(part)
    for key, content in list(entries):
        if isinstance(content, (dict, list)):
            is_changed |= _renamed(content, other)
        elif isinstance(content, str) and content in other and isinstance(part, list):
            part[key] = other[content]
            is_changed = True
    return is_changed
