"""What a table's play knows in every order, as bytes: of what carried states are made.

The office, the rooms, the rules in force and what knows the coupons' custody are never written but
looked up again. Everything else is of a closed list of kinds: what ``OrdersState`` declares, the
states and outcomes that rooms name, and facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import date
from functools import cache
from typing import Final

from ledger.coupons import CouponLookup
from ledger.events import EVENTS
from ledger.games import BY_KEY, ROOMS
from ledger.games.outcomes import SHARED_KINDS
from ledger.games.room import Filed, Room, Rules, rules_on
from ledger.house import Office
from ledger.house.office import as_filed
from ledger.kernel import FactRef
from ledger.kernel.value_bytes import Reference, ValueFormat, ValueUnreadable, declared_kinds
from ledger.rounds.orders.every_order import OrdersState

FACTS: Final = frozenset(EVENTS.values())


@cache
def state_format() -> ValueFormat:
    """How states are written."""
    own = (kind for room in ROOMS for kind in (type(room.initial), *room.outcome_kinds))
    roots = (OrdersState, Filed, *SHARED_KINDS, *own, *_conditions(), *FACTS)
    return ValueFormat(declared_kinds(roots, frozenset({Office, Room, Rules})), FACTS)


def _conditions() -> Iterator[type[object]]:
    """Yield the kinds of condition in the rows by which a roll or spin does not count.

    A state holds such a row while the roll lies there; its condition is declared as a callable.
    """
    pending: list[object] = [row.when for room in ROOMS for row in room.invalid]
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

    return state_format().write(state, refer)


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

    state = state_format().read(stored, resolve)
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
