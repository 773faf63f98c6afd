"""Conditions on rounds ``r`` and wagers ``w`` of the read model, as SQL with its parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.search.search_line import Amount

FULL_NAME: Final = "concat_ws(' ', w.wager, array_to_string(w.picks, ' '))"
"""A wager with its picks, as pages name it."""


def local(column: str) -> str:
    """A local time of the read model, to the second, as SQL compares it."""
    return f"CAST(left({column}, 19) AS TIMESTAMP)"


OPENED: Final = local("r.opened_local")
CLOSED: Final = local("coalesce(r.closed_local, r.opened_local)")
UNDER_WAY: Final = f"({OPENED} <= ? AND {CLOSED} >= ?)"

AT_THE_TABLE: Final = """EXISTS (
    FROM dealer_shifts s
    WHERE s.table_name = r.table_name AND s.since <= r.opened_at AND r.opened_at < s.until
      AND regexp_full_match(s.person, ?, 'i')
)"""
DEALING: Final = AT_THE_TABLE.replace("WHERE", "WHERE s.role = 'DEALER' AND")
IN_USE: Final = """EXISTS (
    FROM equipment_days e
    WHERE e.table_name = r.table_name AND e.kind = '{kind}'
      AND e.since <= coalesce(r.closed_at, r.opened_at) AND r.opened_at < e.until
      AND list_bool_or([
          regexp_full_match(name, ?, 'i') FOR name IN list_append(e.parts, e.equipment)
      ])
)"""
HAS_FINDING: Final = "EXISTS (FROM findings f WHERE f.round = r.round AND f.code = ?)"
SAYS: Final = r"""(
    concat_ws(' ', r.shown, r.unknown_because) ILIKE '%' || ? || '%' ESCAPE '\'
    OR EXISTS (
        FROM findings f
        WHERE f.round = r.round AND f.sentence ILIKE '%' || ? || '%' ESCAPE '\'
    )
)"""
IS_GAME: Final = r"r.game ILIKE ? || '%' ESCAPE '\'"
HAD_COUPON: Final = """EXISTS (
    FROM settlements p
    WHERE p.round = w.round AND p.wager_id = w.wager_id
      AND list_bool_or([regexp_full_match(serial, ?, 'i') FOR serial IN p.coupons])
)"""
STATE: Final = {
    "unknown": "r.status = 'unknown'",
    "void": "r.status = 'void'",
    "settled": "r.status = 'settled'",
    "findings": "r.findings > 0",
    "uncovered": "coalesce(r.capture, '') <> 'full'",
}


@dataclass(slots=True)
class Condition:
    """SQL that must be true, its parameters, and how a hit is told why."""

    sql: str
    parameters: list[object] = field(default_factory=list)
    why: str | None = None


def all_of(conditions: Iterable[Condition]) -> Condition:
    """All of these; without any, whatever there is."""
    each = list(conditions)
    sql = " AND ".join(condition.sql for condition in each) or "true"
    return Condition(sql, [value for condition in each for value in condition.parameters])


def any_of(sql: str, values: Iterable[object], why: str | None = None) -> Condition:
    """One condition for alternatives: the same SQL with each value."""
    each = list(values)
    return Condition(f"({' OR '.join([sql] * len(each))})", each, why)


def amounts_of(column: str, amounts: list[Amount], name: str) -> Condition:
    """An amount in cents within one of these bounds."""
    bounds: list[object] = []
    for amount in amounts:
        bounds += [
            amount.least if amount.least is not None else 0,
            amount.most if amount.most is not None else 1 << 62,
        ]
    sql = " OR ".join([f"({column} >= ? AND {column} <= ?)"] * len(amounts))
    words = " or ".join(amount.words for amount in amounts)
    return Condition(f"({sql})", bounds, f"{name} {words}")


def literal(text: str) -> str:
    r"""A text as LIKE takes it, in which no sign has a meaning of its own.

    >>> literal("50%")
    '50\\%'
    """
    return re.sub(r"([\\%_])", r"\\\1", text)


def name_pattern(name: str) -> str:
    """A name in which * stands for anything, as a regular expression.

    >>> bool(re.fullmatch(name_pattern("p-DC-01*"), "p-DC-01-53"))
    True
    """
    return ".*".join(re.escape(part) for part in name.split("*"))


def serial_pattern(serial: str) -> str:
    """A serial number however many zeros are written before its digits.

    >>> bool(re.fullmatch(serial_pattern("P25-41"), "P25-0000041"))
    True
    """
    parts = re.fullmatch(r"(.*?)0*([0-9]+)", serial)
    return f"{re.escape(parts[1])}0*{parts[2]}" if parts else name_pattern(serial)


def begins_so(wager: str, name: str) -> bool:
    """Whether each word of a name begins a word of a wager's, in order; a number must be whole.

    >>> begins_so("Total Value Bet 11", "total 11"), begins_so("Total Value Bet 11", "total 1")
    (True, False)
    """
    rest = iter(wager.lower().split())
    return all(
        any(word == part if part.isdigit() else word.startswith(part) for word in rest)
        for part in name.lower().split()
    )
