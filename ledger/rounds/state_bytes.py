"""What a table's play knows in every order, as bytes: of what carried states are made.

The office, the rooms, the rules in force and what knows the coupons' custody are never written but
looked up again. Everything else is of a closed list of kinds: what ``OrdersState`` declares, the
states and outcomes that rooms name, and facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import date
from functools import cache
from typing import Final

from ledger.coupons import CouponLookup
from ledger.events import EVENTS
from ledger.games import BY_GAME, BY_KEY
from ledger.games.outcomes import SHARED_KINDS
from ledger.games.room import Filed, Room, Rules, rules_on
from ledger.house import Office
from ledger.house.office import as_filed
from ledger.kernel import FactRef
from ledger.kernel.value_bytes import Reference, ValueFormat, ValueUnreadable, declared_kinds
from ledger.rounds.orders.every_order import OrdersState

FACTS: Final = frozenset(EVENTS.values())
END: Final = b"\n"
"""Ends the keys of the rooms before a state."""


@cache
def state_format(keys: tuple[str, ...]) -> ValueFormat:
    """How states are written in which these rooms have a part."""
    rooms = [BY_KEY[key] for key in keys]
    own = (kind for room in rooms for kind in (type(room.initial), *room.outcome_kinds))
    roots = (OrdersState, Filed, *SHARED_KINDS, *own, *_conditions(rooms), *FACTS)
    return ValueFormat(declared_kinds(roots, frozenset({Office, Room, Rules})), FACTS)


def _conditions(rooms: Iterable[Room]) -> Iterator[type[object]]:
    """Yield the kinds of condition in the rows by which a roll or spin does not count.

    A state holds such a row while the roll lies there; its condition is declared as a callable.
    """
    pending: list[object] = [row.when for room in rooms for row in room.invalid]
    while pending:
        condition = pending.pop()
        if isinstance(condition, tuple):
            pending += condition
        elif is_dataclass(condition):
            yield type(condition)
            pending += [getattr(condition, part.name) for part in fields(condition)]


def write_state(state: OrdersState) -> bytes:
    """The bytes of a state; equal states give the same.

    Raises:
        ValueUnreadable: a room's outcome is of a class that the room does not name.
    """
    lookup = state.recorded.desk.lookup

    def refer(part: object) -> Reference | None:
        match part:
            case Office():
                return ("office",)
            case Room():
                return ("room", part.key)
            case Rules():
                filed = part.filed.fact if part.filed else (None, None)
                return ("rules", part.room.key, part.day.isoformat(), *filed, part.filing_known)
            case _:
                return ("lookup",) if part is lookup else None

    room = BY_GAME.get(state.recorded.game or "")
    if room is not None:  # as nearly always: nothing of another game lies on the table
        with suppress(ValueUnreadable):
            return _of_rooms((room.key,), state, refer)
    return _of_rooms(tuple(BY_KEY), state, refer)


def _of_rooms(
    keys: tuple[str, ...], state: OrdersState, refer: Callable[[object], Reference | None]
) -> bytes:
    """The keys of the rooms that have a part in a state, then the state."""
    return " ".join(keys).encode() + END + state_format(keys).write(state, refer)


def read_state(stored: bytes, office: Office, lookup: CouponLookup | None) -> OrdersState:
    """The state that was written.

    Args:
        stored: its bytes.
        office: the property's office facts, as the ledger has them now.
        lookup: what knows the coupons' custody, None where nothing does.

    Raises:
        ValueUnreadable: these bytes were not written by this version, or name what is not there.
    """

    def resolve(reference: Reference) -> object:
        match reference:
            case ("office",):
                return office
            case ("lookup",):
                return lookup
            case ("room", str(key)) if key in BY_KEY:
                return BY_KEY[key]
            case ("rules", str(key), str(day), stream, seq, bool(known)) if key in BY_KEY:
                filed = _filed(office, stream, seq)
                return rules_on(BY_KEY[key], date.fromisoformat(day), filed, filing_known=known)
            case _:
                raise ValueUnreadable(f"A kept state names {reference!r}")

    head, end, body = stored.partition(END)
    keys = tuple(head.decode("utf-8", "replace").split(" "))
    if not end or not all(key in BY_KEY for key in keys):
        raise ValueUnreadable("A kept state names a room that is not there")
    state = state_format(keys).read(body, resolve)
    if not isinstance(state, OrdersState):
        raise ValueUnreadable("A kept state holds something else")
    return state


def _filed(office: Office, stream: object, seq: object) -> Filed | None:
    if stream is None and seq is None:
        return None
    if isinstance(stream, str) and isinstance(seq, int):
        submission = office.submissions.get(FactRef(stream, seq))
        if submission is not None:
            return as_filed(submission)
    raise ValueUnreadable(f"A kept state names a submission, {stream} {seq}, that is not there")
