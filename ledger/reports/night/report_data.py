"""Everything that the page of a night shows, as plain values; the page itself decides nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date
from enum import StrEnum
from fractions import Fraction

from ledger.audit import Shown, TableCapture
from ledger.casework import Action, Alert
from ledger.coupons.balances import Balance
from ledger.kernel import FactRef, PropertyClock
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.paper import Paper


class Phase(StrEnum):
    """Before the drop is counted, or after it; only a final one is signed."""

    PRELIMINARY = "preliminary"
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class Incomplete:
    """A stream of which facts are missing: from when on (UTC microseconds), and why we say so."""

    stream: str
    since: int | None
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """What could not be judged: where, how often, why; never reported as clean."""

    sentence: str
    where: str
    count: int
    why: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What moved in a day that was reported before: why, which facts, which signed forms."""

    day: date
    headline: str
    why: str
    facts: tuple[FactRef, ...] = ()
    forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """A signature on an issue of this report; ``at`` in UTC microseconds.

    A signature is for the bytes of one issue. ``position`` is its place in the ledger.
    """

    signed_as: str
    """"preparer" or "approver"."""
    name: str
    credential: str
    at: int
    tree_size: int
    issue: int
    position: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Takings:
    """What the tables took over some gaming days, in cents; None is not recorded, never zero.

    ``drop_cents`` and ``win_cents`` are what was counted, ``calculated_cents`` what the rounds say.
    ``held_cents`` of ``held_drop_cents`` is the hold: of the tables that have both counts.
    ``table_days`` are those with a drop, ``calculated_table_days`` those with a calculated win, of
    ``of_table_days``; ``days`` the days with a report.
    """

    first: date
    last: date
    days: int
    drop_cents: int | None = None
    win_cents: int | None = None
    calculated_cents: int | None = None
    held_cents: int | None = None
    held_drop_cents: int | None = None
    table_days: int = 0
    calculated_table_days: int = 0
    of_table_days: int = 0

    @property
    def hold(self) -> Fraction | None:
        """Counted win as a part of the drop."""
        if self.held_cents is None or not self.held_drop_cents:
            return None
        return Fraction(self.held_cents, self.held_drop_cents)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBefore:
    """Actions of earlier gaming days that nobody closed, by day; None: no earlier report."""

    by_day: tuple[tuple[date, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HourCount:
    """Findings at a table in one local hour; ``begins`` in UTC microseconds."""

    table: str
    begins: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCounts:
    """What equipment showed, beside what is expected of it: one row per outcome.

    ``left_out`` are the throws or spins that a rule leaves out, such as invalid rolls.
    """

    equipment: str
    unit: str
    """"throws", "spins", "faces"."""
    rows: tuple[tuple[str, int, Fraction], ...]
    left_out: int = 0

    @property
    def volume(self) -> int:
        """How many were counted."""
        return sum(count for _, count, _ in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class NightData:
    """A gaming day as its report shows it.

    ``root`` is the tree's in lower-case hexadecimal. ``incomplete`` makes the first line of the
    page. ``since`` names what ``changes`` are against ("the report of 2021-06-11"), empty where
    there is none. ``round_pages`` names the rounds that have a page beside this one, in the folder
    ``rounds/``: only these are linked (``round_file`` names the files).
    """

    property_name: str
    clock: PropertyClock
    gaming_day: date
    phase: Phase
    origin: str
    tree_size: int
    root: str
    digest: str = ""
    incomplete: tuple[Incomplete, ...] = ()
    readiness: tuple[str, ...] = ()
    """Further remarks of readiness, a line each."""
    capture: tuple[TableCapture, ...] = ()
    standing: tuple[str, ...] = ()
    """How chapters stand that day, where a text lapsed or went on elsewhere, a line each."""
    issue: int = 1
    restates: int | None = None
    """The issue that this one takes the place of."""
    paper: Paper = Paper.LETTER
    prior: Takings | None = None
    """The gaming day before; None where it has no report."""
    month: Takings | None = None
    """The month up to and with this day; None where an earlier day of it should have a report and
    none has."""
    year: Takings | None = None
    """The year, likewise."""
    open_before: OpenBefore | None = None
    action_days: int | None = None
    """Within how many days an action is to be closed; None: the property set no limit."""
    actions: tuple[Action, ...] = ()
    done: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What persons did with an action, a line each, by its id."""
    marked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The facts behind an action that came late or that a person added, a line each, by its id."""
    unknowns: tuple[Unknown, ...] = ()
    coupons: tuple[Balance, ...] = ()
    coupons_line: str = ""
    """The verdict on the coupons of the day; empty where no coupons are in use."""
    tables: tuple[Shown, ...] = ()
    since: str = ""
    changes: tuple[Change, ...] = ()
    signatures: tuple[Signed, ...] = ()
    alerts: tuple[Alert, ...] = ()
    hours: tuple[HourCount, ...] = ()
    outcomes: tuple[OutcomeCounts, ...] = ()
    round_pages: frozenset[str] = frozenset()

    @property
    def span(self) -> tuple[int, int]:
        """First microsecond of the gaming day, and the first one after it."""
        return self.clock.bounds(self.gaming_day)
