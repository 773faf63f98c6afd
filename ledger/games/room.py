"""What every room is made of: rows that cite, rulings, and the three functions that use them.

A room is one game's folder. Its truth is in rows that a lawyer can read; the functions look rows up.
Law: the rows' own citations; §§ 521.7(c), 521.8(b) for the rules in force at a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, Protocol, TypeAlias

from ledger.events import Fact, Role, Subject
from ledger.kernel import Certainty, Citation, FactRef, Odds, Severity
from ledger.law import Chapter

Picks: TypeAlias = tuple[int, ...]
Shown: TypeAlias = Any
"""What the equipment showed, in the room's own form: faces of dice, the symbol of a section."""


class Predicate(Protocol):
    """A condition on what was shown and what was picked; prints as English."""

    def __call__(self, shown: Shown, picks: Picks) -> bool: ...
    def __str__(self) -> str: ...


@dataclass(frozen=True, slots=True)
class EveryWin:
    """Any result on which the wager wins."""

    def __call__(self, shown: Shown, picks: Picks) -> bool:
        return True

    def __str__(self) -> str:
        return "every win"


EVERY_WIN: Final = EveryWin()
NO_PICKS: Final[tuple[Picks, ...]] = ((),)


@dataclass(frozen=True, slots=True)
class Wager:
    """A permitted wager: what it wins on, where that stands, and which picks it takes."""

    name: str
    wins_on: Predicate
    cite: Citation
    picks: tuple[Picks, ...] = NO_PICKS
    reading: str | None = None
    also_called: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Payout:
    """One line of a chapter's odds. ``fixed`` odds are neither less nor more; else a floor.

    ``filed_as`` is how a Rules Submission names the line where a wager has several.
    """

    wager: str
    on: Predicate
    pays: Odds
    cite: Citation
    filed_as: str | None = None
    fixed: bool = False
    reading: str | None = None


class Call(StrEnum):
    """What the chapter makes of a cause: it must be called, it may be, or it is none."""

    MUST = "must be called"
    MAY = "may be called"
    VOID = "is void by itself"
    STANDS = "is no cause: the result stands"


class Then(StrEnum):
    """What follows: the same accident has another effect in each chapter."""

    RETURN = "all wagers are returned"
    RESPIN = "the wheel is spun again, the wagers stand"
    RETHROW = "the dice are thrown again, the wagers stand"
    SETTLE = "the wagers are settled"


@dataclass(frozen=True, slots=True)
class Invalid:
    """A cause for which a roll or spin does not count, what is called, and what then happens."""

    what: str
    when: Callable[[Any], bool]
    call: Call
    then: Then
    cite: Citation
    reading: str | None = None


@dataclass(frozen=True, slots=True)
class Duty:
    """What must be done or left undone; ``says`` is the sentence of the finding when it was not.

    ``says`` may hold ``{observed}``, ``{expected}`` and ``{wager}``.
    """

    code: str
    severity: Severity
    cite: Citation
    says: str
    reading: str | None = None


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a layout, a table or equipment must be; held against itemised inspection facts.

    ``met_by`` is None where the inspector's own verdict (``found``) is all that can be had.
    """

    subject: Subject
    item: str
    what: str
    code: str
    severity: Severity
    cite: Citation
    met_by: Callable[[tuple[tuple[str, str | None], ...]], bool] | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """A device that is tried before the table opens, how often at the least, and by whom."""

    device: str
    count: str
    at_least: int
    works: str
    by: Role
    only_if_present: bool
    cite: Citation


@dataclass(frozen=True, slots=True)
class Approval:
    """Which bureaus must have approved a kind of equipment before it is used."""

    kind: str
    bureaus: tuple[str, ...]
    severity: Severity
    cite: Citation


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a round: in this phase, on this fact, to that phase; ``breach`` if it is early."""

    phase: str
    fact: type[Any]
    then: str
    breach: str | None = None


# --- what is in force at a table -------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """The Rules Submission in force: odds by (wager, row), and the property's other choices."""

    submission: str
    odds: Mapping[tuple[str, str | None], Odds]
    rounding: str | None
    unit_cents: int
    payout_limit_cents: int | None
    payout_limit_scope: str | None
    increment_cents: int | None
    readings: Mapping[str, str]
    fact: FactRef


@dataclass(frozen=True, slots=True)
class InForce:
    """A payout line with the odds that judge it: the filed ones, never below the floor."""

    payout: Payout
    odds: Odds
    filed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Law and filing joined for one gaming day: what a settlement is judged by.

    ``filed`` is None when nothing was filed; ``filing_known`` is False after a gap in which a
    filing may have been lost.
    """

    law: Chapter
    day: date
    filed: Filed | None
    filing_known: bool
    wagers: Mapping[str, Wager]
    payouts: Mapping[str, tuple[InForce, ...]]
    duties: Mapping[str, Duty]
    room: Room

    def duty(self, name: str) -> Duty:
        """The room's row for a duty; ``code`` or ``code#part`` where a code has several rows."""
        return self.duties[name]

    def has(self, name: str) -> bool:
        """Whether the chapter knows this duty at all."""
        return name in self.duties

    def reading(self, name: str) -> str | None:
        """The alternative that the property filed for an open question, None for our choice."""
        return self.filed.readings.get(name) if self.filed else None


def rules_on(room: Room, day: date, filed: Filed | None, *, filing_known: bool = True) -> Rules:
    """Join a room's rows with the property's filing for one gaming day.

    Readings: floors, below-floor-filing, fixed-odds-filed-otherwise.
    """
    payouts: dict[str, list[InForce]] = {}
    for row in room.payouts:
        named = filed.odds.get((row.wager, row.filed_as)) if filed else None
        if named is None and filed and row.filed_as is not None:
            named = filed.odds.get((row.wager, None))
        usable = named is not None and not row.fixed and named.ratio >= row.pays.ratio
        odds = named if usable and named is not None else row.pays
        payouts.setdefault(row.wager, []).append(InForce(row, odds, usable))
    return Rules(
        law=room.law,
        day=day,
        filed=filed,
        filing_known=filing_known,
        wagers=room.wager_by_name,
        payouts={name: tuple(rows) for name, rows in payouts.items()},
        duties=room.duty_by_name,
        room=room,
    )


# --- rulings -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A fact did not keep a duty; ``also`` are further sections that bear on it.

    ``effect_cents`` is what the house lost by it, negative when the patron lost.
    """

    duty: Duty
    facts: tuple[FactRef, ...]
    observed: str | None = None
    expected: str | None = None
    wager: str | None = None
    certainty: Certainty = Certainty.BROKEN
    effect_cents: int | None = None
    also: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """The equipment decided the round: standing wagers are settled by what it showed.

    ``factor`` multiplies the odds (§ 689.3(b), (c)); ``said`` is the outcome for people.
    """

    shown: Shown
    said: str
    cite: Citation
    fact: FactRef
    factor: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """The round decides nothing: every wager goes back to its player."""

    why: str
    cite: Citation
    fact: FactRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecidable:
    """The facts cannot show the outcome: every wager's settlement is unknown."""

    why: str
    cite: Citation
    fact: FactRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Annulled:
    """One roll or spin does not count; the wagers stand for the next."""

    row: Invalid
    fact: FactRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiplied:
    """A valid spin earned a multiplier for the rest of the round."""

    factor: int
    said: str
    fact: FactRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Requires:
    """This fact was allowed only once settlements of a kind were complete.

    ``done`` is "winners" (every winning wager paid) or "all" (every wager settled).
    """

    duty: Duty
    done: str
    fact: FactRef


Ruling: TypeAlias = Breach | Decided | Returned | Undecidable | Annulled | Multiplied | Requires


class State(Protocol):
    """What every room's state can be asked."""

    @property
    def in_round(self) -> bool:
        """A round of play is under way."""

    @property
    def betting_open(self) -> bool:
        """Wagers may still be placed."""

    @property
    def knowable(self) -> bool:
        """Something of the outcome can already be seen."""


@dataclass(frozen=True, slots=True)
class Unsure:
    """Told to a room's ``evolve`` where facts were lost or are in conflict."""

    stream: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A game: its rows and its functions.

    ``decide`` says what the regulation makes of one fact, ``evolve`` turns the page, ``close``
    gives the rulings that only the end of a round can show, ``outcomes`` enumerates what the
    equipment can show with exact probabilities (one decided round: shown, expected factor).
    """

    key: str
    game: str
    law: Chapter
    wagers: tuple[Wager, ...]
    payouts: tuple[Payout, ...]
    invalid: tuple[Invalid, ...]
    requirements: tuple[Requirement, ...]
    trials: tuple[Trial, ...]
    approvals: tuple[Approval, ...]
    duties: tuple[Duty, ...]
    phases: tuple[Step, ...]
    initial: Any
    decide: Callable[[Rules, Any, Fact], tuple[Ruling, ...]]
    evolve: Callable[[Any, Fact | Ruling | Unsure], Any]
    close: Callable[[Rules, Any, FactRef], tuple[Ruling, ...]]
    is_over: Callable[[Any], bool]
    outcomes: Callable[[], Iterator[tuple[Shown, Fraction, Fraction]]]
    wager_by_name: Mapping[str, Wager] = field(init=False, compare=False, repr=False)
    duty_by_name: Mapping[str, Duty] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "wager_by_name", {row.name: row for row in self.wagers})
        names: dict[str, Duty] = {}
        for duty in self.duties:
            names.setdefault(duty.code, duty)
            names[f"{duty.code}#{duty.cite.part}"] = duty
        object.__setattr__(self, "duty_by_name", names)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one wager fares on an outcome: the row that says so, and the odds if it won."""

    row: Wager
    won: bool
    line: InForce | None


def verdict(rules: Rules, wager: str, picks: Picks, shown: Shown) -> Verdict | None:
    """Settle one wager by the rows; None if the chapter has no such wager or pick."""
    row = rules.wagers.get(wager)
    if row is None or picks not in row.picks:
        return None
    if not row.wins_on(shown, picks):
        return Verdict(row, won=False, line=None)
    for line in rules.payouts[wager]:
        if line.payout.on(shown, picks):
            return Verdict(row, won=True, line=line)
    raise AssertionError(f"{wager} {picks} wins on {shown} but no line pays it")
