"""Hand-made facts for tests of rooms: what a test does not say is null, or what an honest floor does."""

from __future__ import annotations

import types
from collections.abc import Iterable
from dataclasses import fields
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import cache
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from ledger import events
from ledger.games.room import Breach, Filed, Room, Rules, Ruling, rules_on
from ledger.kernel import FactRef, Odds

NOON: Final = int(datetime(2021, 3, 15, 16, tzinfo=UTC).timestamp()) * 1_000_000
SECOND: Final = 1_000_000
DAYS: Final = {
    "asia_poker": date(2012, 9, 1),
    "sic_bo": date(2011, 3, 15),
    "dreamcatcher": date(2021, 3, 15),
    "three_dice_football": date(2013, 3, 15),
    "props_and_hops": date(2017, 3, 15),
}

HONEST: Final[dict[str, dict[str, Any]]] = {
    "WagerPlaced": {"patron": "P1", "instrument": "CHIPS"},
    "WagerIncreased": {"instrument": "CHIPS"},
    "WagerSettled": {"winnings_cents": 0, "stake_taken_cents": 0},
    "DiceShaken": {"shaker": "S-1", "shakes": 3, "role": "DEALER"},
    "PlayerShook": {"shaker": "S-1", "shakes": 3, "covered": "yes"},
    "ShakerPlaced": {"shaker": "S-1", "kind": "MANUAL"},
    "ShakerRemoved": {"shaker": "S-1"},
    "DeviceFailed": {"device": "ELECTRICAL_DEVICE"},
    "DeviceFixed": {"device": "ELECTRICAL_DEVICE"},
    "SupervisorPresent": {"role": "FLOORPERSON", "person": "F1"},
    "WheelSpun": {
        "direction": "CLOCKWISE",
        "revolutions_thousandths": 5_000,
        "clapper": "IN_SECTION",
        "role": "DEALER",
    },
    "DiceThrownByHand": {
        "purpose": "DOWN",
        "position": "5",
        "released_together": "yes",
        "struck_far_end": "yes",
    },
    "WheelRemoved": {"wheel": "W-1"},
    "TableClosed": {"reason": "end of day"},
}


def fact(kind: str, seq: int, at: int, /, **said: Any) -> events.Fact:
    """One fact ``at`` so many seconds after noon; values may be given as words."""
    event = events.EVENTS[kind]
    hints = hints_of(event)
    values = {**HONEST.get(kind, {}), **said}
    unknown = values.keys() - hints.keys()
    assert not unknown, f"{kind} has no {sorted(unknown)}"
    head = {
        "stream": "T-01",
        "seq": seq,
        "event_time": NOON + at * SECOND,
        "source": "T",
        "recorded_by": None,
    }
    for field in fields(event):
        if field.name not in head:
            head[field.name] = read(
                values.get(field.name), hints[field.name], f"{kind}.{field.name}"
            )
    return event(**head)  # type: ignore[no-any-return]


@cache
def hints_of(event: type[Any]) -> dict[str, Any]:
    return get_type_hints(event)


def read(value: Any, hint: Any, where: str) -> Any:
    """A value, or a word for one, as the field wants it."""
    choices = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    if value is None or value == "-":
        if type(None) in choices:
            return None
        assert any(get_origin(choice) is tuple for choice in choices), f"{where} must be said"
        return ()
    wanted = next(choice for choice in choices if choice is not type(None))
    if get_origin(wanted) is tuple:
        inner = get_args(wanted)[0]
        parts = value.split(",") if isinstance(value, str) else value
        return tuple(read(part, inner, where) for part in parts if part != "")
    if not isinstance(value, str):
        return value
    if wanted is events.Die:
        face, _, rest = value.partition("/")
        return events.Die(
            serial=None,
            colour=None,
            face=None if face == "?" else int(face),
            rest=events.Rest(rest or "FLAT"),
        )
    if wanted is events.ThrownDie:
        face, _, rest = value[1:].partition("/")
        rest, _, side = rest.partition("@")
        return events.ThrownDie(
            serial=None,
            colour={"g": "green", "r": "red"}[value[0]],
            face=None if face == "?" else int(face),
            rest=events.ThrowRest(rest or "FLAT"),
            resting_side=int(side) if side else None,
            leans_on=None,
            touched=None,
        )
    if wanted is events.Stack:
        position, _, dealt = value.partition(":")
        cards = tuple(dealt.split("."))
        return events.Stack(position=position, cards=cards, count=len(cards))
    if wanted is int:
        return int(value)
    if wanted is bool:
        return {"yes": True, "no": False}[value]
    if isinstance(wanted, type) and issubclass(wanted, StrEnum):
        return wanted(value)
    return value


class Table:
    """Writes the facts of one table, a second apart unless said."""

    def __init__(self) -> None:
        self.facts: list[events.Fact] = []
        self.at = 0

    def __call__(self, kind: str, at: int | None = None, /, **said: Any) -> Table:
        """One more fact."""
        self.at = self.at + 1 if at is None else at
        self.facts.append(fact(kind, len(self.facts) + 1, self.at, **said))
        return self


def rules_of(room: Room, filed: Filed | None = None, *, filing_known: bool = True) -> Rules:
    """The rules in force on the room's day."""
    return rules_on(room, DAYS[room.key], filed, filing_known=filing_known)


def filing(**odds: Odds) -> Filed:
    """A submission of odds by wager: ``filing(**{"5": Odds(6, 1)})``."""
    return Filed(
        submission="RS-1",
        odds={(name, None): value for name, value in odds.items()},
        rounding=None,
        unit_cents=1,
        payout_limit_cents=None,
        payout_limit_scope=None,
        increment_cents=None,
        readings={},
        fact=FactRef("house", 1),
    )


def follow(
    room: Room, facts: Iterable[events.Fact], rules: Rules | None = None
) -> tuple[list[tuple[Ruling, ...]], Any]:
    """Decide and evolve fact by fact, as the rounds do; the rulings on each, and the last state."""
    rules = rules or rules_of(room)
    state, said = room.initial, []
    for each in facts:
        rulings = room.decide(rules, state, each)
        state = room.evolve(state, each)
        for ruling in rulings:
            state = room.evolve(state, ruling)
        said.append(rulings)
    return said, state


def ending(room: Room, facts: list[events.Fact], rules: Rules | None = None) -> tuple[Ruling, ...]:
    """What only the end of the round shows."""
    rules = rules or rules_of(room)
    _, state = follow(room, facts, rules)
    return room.close(rules, state, FactRef(facts[-1].stream, facts[-1].seq))


def told(rulings: Iterable[Ruling]) -> list[str]:
    """Breaches as ``code § section``, with a question mark where it is not certain; other rulings by name."""
    return [
        f"{r.duty.code} {r.duty.cite.section}{'' if r.certainty == 'broken' else ' ?'}"
        if isinstance(r, Breach)
        else type(r).__name__
        for r in rulings
    ]
