"""What detections look at: sequences of audited days as plain values, without a ledger.

A night is made once per gaming day; a history is the nights that a run looks at, in order of days.
Times are UTC microseconds, amounts integer cents unless
said. An empty reference means that the source does not say: such a unit is left out where it
matters and counted, never guessed.
"""

from __future__ import annotations

from datetime import date

from ledger.kernel import FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """One throw of dice. ``out`` says by which rule it is left out, empty where it counts.

    ``dice`` pairs each die's serial (empty: not identified) with its face; ``set`` names the dice
    in play, ``lot`` their supplier's lot, where the property recorded it.
    """

    at: int
    stream: str
    seq: int
    table: str
    dice: tuple[tuple[str, int], ...]
    set: str = ""
    shaker: str = ""
    lot: str = ""
    out: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spin:
    """One spin of a wheel: ``section`` counts from 0 clockwise among ``sections``."""

    at: int
    stream: str
    seq: int
    table: str
    wheel: str
    sections: int
    section: int
    by: str = ""
    out: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """Wagers that one outcome decided, as one variable: what patrons won less what they lost.

    ``mean``, ``low``, ``high`` and ``spread`` are its exact mean, its bounds (``high`` None: not
    known) and its standard deviation, in cents, by enumeration over the outcomes of the room, given
    the stakes. ``patron`` is empty where the wagers are of several; ``part`` says which wagers of
    the game these are, empty for all that one outcome decides.
    """

    at: int
    stream: str
    seq: int
    table: str
    game: str
    came: float
    mean: float
    low: float
    high: float | None
    spread: float
    patron: str = ""
    out: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWin:
    """A table's day: the house's win by the outcomes, and its law convolved over the rounds.

    ``chance_low`` and ``chance_high`` are the chances of a win at most and at least so high,
    conditional on the stakes that were made; None where the law was not computed (``why``).
    ``without`` names wagers that the convolved law leaves out; ``part`` is that of ``Decided``.
    """

    table: str
    game: str
    rounds: int
    left_out: int
    staked_cents: int
    won_cents: int
    expected_cents: float
    chance_low: float | None
    chance_high: float | None
    why: str = ""
    part: str = ""
    without: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Untested:
    """Wagers of a name that no law was held for: how many a table's day had, and late ones."""

    table: str
    game: str
    wager: str
    why: str
    wagers: int
    late: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Handled:
    """Wagers settled at one table in one gaming day by one dealer for one patron.

    ``over`` and ``under`` count wagers paid above and below what the rules give; ``late`` those
    that stood later than betting was open.
    """

    table: str
    dealer: str
    supervisor: str
    patron: str
    wagers: int
    over: int
    under: int
    late: int
    over_cents: int
    under_cents: int
    stream: str
    first: int
    last: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Redeemed:
    """One coupon used up at a table; ``issued`` is when it was given out, 0 where not known."""

    at: int
    stream: str
    seq: int
    table: str
    serial: str
    dealer: str = ""
    issuer: str = ""
    patron: str = ""
    issued: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """One gaming day. ``busy`` counts decided wagers by table and hour after the day's start."""

    day: date
    begins: int
    throws: tuple[Throw, ...] = ()
    spins: tuple[Spin, ...] = ()
    rounds: tuple[Decided, ...] = ()
    late: tuple[Decided, ...] = ()
    wins: tuple[TableWin, ...] = ()
    untested: tuple[Untested, ...] = ()
    handled: tuple[Handled, ...] = ()
    redeemed: tuple[Redeemed, ...] = ()
    busy: tuple[tuple[str, int, int], ...] = ()


History = tuple[Night, ...]
"""Nights in order of their days."""


def fact_of(unit: Throw | Spin | Decided | Redeemed) -> FactRef:
    """The fact a unit rests on."""
    return ref_of(unit)
