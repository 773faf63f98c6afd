"""What every room is made of: rows that cite, rulings, and the three functions that use them.

A room is one game's folder. Its truth is in rows that a lawyer can read; the functions look rows up.
Law: the rows' own citations; §§ 521.7(c), 521.8(b) for the rules in force at a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from datetime import date
from fractions import Fraction
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from ledger.events import Capture, Fact, TableOpened, WheelSpun
from ledger.games.law_page_tables import PrintedRow, Recount
from ledger.games.outcomes import OutcomeDetail, WagersReturned
from ledger.games.rows import (
    EVERY_WIN,
    NO_PICKS,
    Act,
    Approval,
    Call,
    Duty,
    EveryWin,
    Invalid,
    Payout,
    Picks,
    Predicate,
    Requirement,
    Scope,
    Shown,
    Step,
    Taint,
    Then,
    Trial,
    Wager,
)
from ledger.games.rulings import (
    Annulled,
    Breach,
    ByPosition,
    Contested,
    Decided,
    DecidedSome,
    Multiplied,
    Reopened,
    Requires,
    Returned,
    Ruling,
    Undecidable,
)
from ledger.games.wager_dependence import AT_ONCE, WagerDependence
from ledger.kernel import FactRef, Odds, value_type
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import Chapter

__all__ = [
    "EVERY_WIN", "NO_PICKS", "Act", "Annulled", "Apart", "Approval", "Breach", "ByPosition", "Call", "Contested", "Decided", "DecidedSome", "Duty", "EveryWin",
    "Filed", "InForce", "Invalid", "Multiplied", "Payout", "Picks", "Predicate", "Reopened", "Requirement",
    "Requires", "Returned", "Room", "Rules", "Ruling", "Scope", "Shown", "State", "Step", "Taint", "Then", "Throws", "Trial",
    "Undecidable", "Unsure", "Verdict", "Wager", "judged_apart", "rules_on", "verdict", "wagers_are_seen",
]  # fmt: skip

NO_WAGERS: Final = frozenset({Capture.OUTCOME, Capture.COUNTS})


def wagers_are_seen(opened: TableOpened) -> bool:
    """Whether a table records its wagers; if not, a place without a wager shows nothing."""
    return opened.capture not in NO_WAGERS


# --- what is in force at a table -------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """The Rules Submission in force: odds by (wager, row), and the property's other choices.

    Args:
        submission: its reference.
        odds: the filed odds by wager and line (``Payout.filed_as``; None for all lines of the
            wager).
        rounding: the filed rule for fractions of ``unit_cents``: "EXACT", "DOWN", "UP", "NEAREST",
            or "UNRECOGNISED"; None where none is filed.
        unit_cents: the unit to which winnings are rounded.
        payout_limit_cents: the most that is paid within the scope; None without a limit.
        payout_limit_scope: "PATRON_AND_ROUND", "TABLE_AND_ROUND" or "UNRECOGNISED"; None without
            one.
        increment_cents: the step in which wagers may be made; None where none is filed.
        readings: the options that the property chose, by the id of the open question.
        fact: the fact of its filing.
        options: the facts that file a game's own options for this submission.
    """

    submission: str
    odds: Mapping[tuple[str, str | None], Odds]
    rounding: str | None
    unit_cents: int
    payout_limit_cents: int | None
    payout_limit_scope: str | None
    increment_cents: int | None
    readings: Mapping[str, str]
    fact: FactRef
    options: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class InForce:
    """A payout line with the odds that judge it.

    Args:
        payout: the chapter's line.
        odds: the filed odds where they judge the line, else the chapter's.
        filed: whether ``odds`` are the filed ones.
    """

    payout: Payout
    odds: Odds
    filed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Law and filing joined for one gaming day: what a settlement is judged by.

    Args:
        law: the chapter by its text of that day.
        day: the gaming day.
        filed: the submission in force; None when nothing was filed.
        filing_known: False after a gap in which a filing may have been lost.
        wagers: the rows of wagers by name, with the readings that the property chose.
        payouts: the payout lines by wager, in the order in which they are tried.
        duties: the rows of duties, by each name that ``duty`` takes.
        room: the room by its text of that day.
        chosen: what the room's ``adapt`` read from the filed options, in its own form.
    """

    law: Chapter
    day: date
    filed: Filed | None
    filing_known: bool
    wagers: Mapping[str, Wager]
    payouts: Mapping[str, tuple[InForce, ...]]
    duties: Mapping[str, Duty]
    room: Room
    chosen: Any = None

    def duty(self, name: str) -> Duty:
        """Return the room's row for a duty.

        Args:
            name: ``code`` is the first row of that code; ``code@.7(a)``, ``code@.7(a)#3`` or, where
                no two sections share the part, ``code#3`` name one of several.

        Raises:
            KeyError: the room has no such duty.
        """
        return self.duties[name]

    def has(self, name: str) -> bool:
        """Whether the room has a duty of this name."""
        return name in self.duties

    def reading(self, name: str) -> str | None:
        """Return the option that the property filed for an open question, None for ours."""
        filed = self.filed.readings.get(name) if self.filed else None
        return self.room.supposed.get(name, filed)


def rules_on(room: Room, day: date, filed: Filed | None, *, filing_known: bool = True) -> Rules:
    """Join a room's rows with the property's filing for one gaming day.

    Filed odds judge a line where they are no lower than its floor; fixed odds are not changed by a
    filing. Readings that the property filed may say otherwise: floors, below-floor-filing,
    fixed-odds-filed-otherwise.

    Args:
        room: the room with all its editions.
        day: the gaming day.
        filed: the submission in force; None when nothing was filed.
        filing_known: False if a filing may have been lost.
    """
    room = room.on(day)
    chosen = {**(filed.readings if filed else {}), **room.supposed}
    payouts: dict[str, list[InForce]] = {}
    for row in room.payouts:
        named = filed.odds.get((row.wager, row.filed_as)) if filed else None
        if named is None and filed and row.filed_as is not None:
            named = filed.odds.get((row.wager, None))
        usable = named is not None and _judges(row, named, chosen)
        odds = named if usable and named is not None else row.pays
        payouts.setdefault(row.wager, []).append(InForce(row, odds, usable))
    wagers = room.wager_by_name
    if chosen:
        wagers = {name: _as_chosen(row, chosen) for name, row in wagers.items()}
    rules = Rules(
        law=room.law,
        day=day,
        filed=filed,
        filing_known=filing_known,
        wagers=wagers,
        payouts={name: tuple(rows) for name, rows in payouts.items()},
        duties=room.duty_by_name,
        room=room,
    )
    return rules if room.adapt is None else room.adapt(rules)


def _judges(row: Payout, filed: Odds, chosen: Mapping[str, str]) -> bool:
    """Whether the filed odds judge a settlement, or the chapter's own."""
    if row.fixed:
        higher = filed.ratio > row.pays.ratio
        return higher and chosen.get("fixed-odds-filed-otherwise") == "filing"
    return filed.ratio >= row.pays.ratio or chosen.get("below-floor-filing") == "filing"


def _as_chosen(row: Wager, chosen: Mapping[str, str]) -> Wager:
    """A wager by the option of its reading that the property filed."""
    option = chosen.get(row.reading) if row.reading else None
    other = dict(row.otherwise).get(option) if option else None
    return row if other is None else replace(row, wins_on=other)


class State(Protocol):
    """What every room's state can answer."""

    @property
    def in_round(self) -> bool:
        """Whether a round of play is under way."""

    @property
    def betting_open(self) -> bool:
        """Whether wagers may still be placed."""

    @property
    def knowable(self) -> bool:
        """Whether something of the outcome can already be seen."""


OwnState: TypeAlias = Any
"""A room's state as its own ``evolve`` makes it, of a class that only this room knows.

A room is never given another room's state; elsewhere no more of it is read than ``State`` has."""


@dataclass(frozen=True, slots=True)
class Unsure:
    """Given to a room's ``evolve`` like a fact: facts of this stream were lost or conflict."""

    stream: str


Outcomes: TypeAlias = tuple[tuple[Shown, Fraction, Fraction], ...]
"""For each outcome: what is shown, its exact chance, and the expected factor on the odds."""

Edges: TypeAlias = dict[tuple[str, Picks], Fraction]
"""The house advantage of each wager and pick, as a fraction of the stake."""

OtherAnswer: TypeAlias = Callable[[Rules, Outcomes, Edges], Edges | str]
"""House advantages by another answer to an open question, or words where there is no figure.

It takes the rules in force, the outcomes, and the house advantages as we read the text.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What a room adds to its printed law.

    Args:
        tables: yields the rows of tables that only this room has.
        in_place_of: the duties (by their names in the room) that these rows show instead.
        answers: the readings whose other answers change what a wager returns, in the order of the
            page, each with the options that are not simply another row (``Wager.otherwise``).
        paytables: the paytables that the chapter gives by name: odds by wager and line.
        recount: counts stored chances again; None where none are stored.
    """

    tables: Callable[[Room], Iterator[PrintedRow]] | None = None
    in_place_of: frozenset[str] = frozenset()
    answers: Mapping[str, Mapping[str, OtherAnswer]] = field(default_factory=dict)
    paytables: Mapping[str, Mapping[tuple[str, str | None], Odds]] = field(default_factory=dict)
    recount: Callable[[], Recount] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """What can be asked about the hands of a card game.

    Args:
        dealer: the position of the dealer.
        ranks: returns the names of the ranks of three hands, given as the words of their cards,
            high hand first; None where the cards make no such hands.
    """

    dealer: str
    ranks: Callable[[tuple[str, ...], tuple[str, ...], tuple[str, ...]], tuple[str, ...] | None]


class Apart(NamedTuple):
    """A rule on a kind of fact by which nothing else that is ruled on the fact is decided.

    Attributes:
        rule: gives its rulings.
        reads: the only fields of the state that it reads.
    """

    rule: Callable[[Rules, OwnState, Any], Iterator[Ruling]]
    reads: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Throws:
    """How a room's state keeps throws that count once a later fact shows it.

    Args:
        pending: the field with the key of the throw that is pending; that throw alone fills it.
        last: the field with the last throw as it was recorded.
        shown: properties of the state that hang on ``last`` alone, and come to few different
            things.
        passed_on: such properties that rulings only pass on.
        compared: by kind of fact, the method of the state that compares the fact with ``last``.
    """

    pending: str
    last: str
    shown: tuple[str, ...]
    passed_on: frozenset[str]
    compared: Mapping[type[Fact], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A game: its rows and its functions.

    The rows and the required functions:
        key: the name of its folder.
        game: the game as facts name it.
        law: the chapter by its first text.
        wagers, payouts, invalid, requirements, trials, approvals, duties, phases: the rows, as
            their types describe them.
        taints: what an irregular act leaves in doubt.
        initial: the room's state before any fact.
        decide: gives the rulings of the regulation on one fact, by the state before it.
        evolve: gives the state after a fact or a ruling; no rule is applied.
        close: gives the rulings that only the end of a round can show; takes the last fact's key.
        is_over: whether the state is that of a round which has ended.
        outcomes: yields what the equipment can show in one decided round, the exact chance, and the
            expected factor on the odds.
        outcome_words: puts an outcome into words.

    What some games have:
        dice: how many dice the game is played with; None without dice.
        dice_must_go: dice may not even remain on the table for more than 24 hours.
        closed_to: where not all wagers close together: takes the state, the name of a wager and
            whether it is decided already; gives the duty by which it may not be made, raised or
            lifted at that moment, None if it may.
        adapt: applies the game's own filed options to the rules in force.
        judge_filing: holds those options against the chapter; takes the table minimums, in cents.
        unpriced: the wagers whose chances depend on how people play.
        outlive: the wagers that may stand over many rounds.
        removable: the wagers that may be taken down until they are decided.
        over_ratio: takes the games of the tables that one floorperson supervises; gives the duty
            that this breaks, None if it breaks none.
        editions: the texts that followed ``law``, in order.
        chain: takes the place of ``outcomes`` where a game is decided over several throws and has
            to be played through.
        printed: what the printed law shows beside the rows.
        wager_dependence: which wagers one outcome decides together.
        hands: what can be asked about a card game's hands.
        invalid_spin: gives the row by which a spin does not count, None if it counts.
        apart: by kind of fact, rules that ``decide`` takes from here by ``judged_apart``.
        throws: how the state keeps throws that count once a later fact shows it.
        rolled_for: the wagers for which, if any lies there, the dice are thrown once more.
        outcome_kinds: the room's own classes by which it says what was shown and what a round came
            to; only what is named here is read back from a kept state.
        supposed: options that take the place of ours and of those filed, by the id of the open
            question: only what is asked about a past round has any, and no finding rests on them.

    Raises:
        ValueError: two duties that hold on one day have the same code, section and part.
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
    taints: tuple[Taint, ...]
    initial: State
    decide: Callable[[Rules, OwnState, Fact], tuple[Ruling, ...]]
    evolve: Callable[[OwnState, Fact | Ruling | Unsure], State]
    close: Callable[[Rules, OwnState, FactRef], tuple[Ruling, ...]]
    is_over: Callable[[OwnState], bool]
    outcomes: Callable[[], Iterator[tuple[Shown, Fraction, Fraction]]]
    outcome_words: Callable[[OutcomeDetail], str]
    dice: int | None = None
    dice_must_go: bool = False
    closed_to: Callable[[OwnState, str, bool], str | None] | None = None
    adapt: Callable[[Rules], Rules] | None = None
    judge_filing: Callable[[Rules, Mapping[str, int]], tuple[Breach, ...]] | None = None
    unpriced: tuple[str, ...] = ()
    outlive: frozenset[str] = frozenset()
    removable: frozenset[str] = frozenset()
    over_ratio: Callable[[tuple[str, ...]], str | None] | None = None
    editions: tuple[Chapter, ...] = ()
    chain: Callable[[Room, Rules], Iterator[tuple[Shown, Fraction, Fraction]]] | None = None
    printed: Printed = field(default_factory=Printed, repr=False)
    wager_dependence: WagerDependence = field(default=AT_ONCE, repr=False)
    hands: Hands | None = None
    invalid_spin: Callable[[WheelSpun], Invalid | None] | None = None
    apart: Mapping[type[Fact], tuple[Apart, ...]] = field(default_factory=dict)
    throws: Throws | None = None
    rolled_for: frozenset[str] = frozenset()
    outcome_kinds: tuple[type[object], ...] = ()
    supposed: Mapping[str, str] = field(default_factory=dict)
    wager_by_name: Mapping[str, Wager] = field(init=False, compare=False, repr=False)
    duty_by_name: Mapping[str, Duty] = field(init=False, compare=False, repr=False)
    taint_by_act: Mapping[Act, Taint] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "wager_by_name", {row.name: row for row in self.wagers})
        object.__setattr__(self, "taint_by_act", {row.act: row for row in self.taints})
        names: dict[str, Duty] = {}
        ambiguous: set[str] = set()
        for duty in self.duties:
            pin = duty.cite.section.removeprefix(duty.cite.edition.chapter)
            exact, part = f"{duty.code}@{pin}#{duty.cite.part}", f"{duty.code}#{duty.cite.part}"
            if exact in names and _overlap(names[exact], duty):
                raise ValueError(f"{self.game}: two duties are called {exact}")
            ambiguous |= {part} & names.keys()
            names[exact] = names[part] = duty
            names.setdefault(duty.code, duty)
            names.setdefault(f"{duty.code}@{pin}", duty)
        for part in ambiguous:
            del names[part]
        object.__setattr__(self, "duty_by_name", names)

    def words_of(self, detail: OutcomeDetail) -> str:
        """Return what a round came to, for people.

        Raises:
            OutcomeUnknown: the game has no such outcome.
        """
        return detail.cause if isinstance(detail, WagersReturned) else self.outcome_words(detail)

    def on(self, day: date) -> Room:
        """Return the room by the text and rows of a gaming day; itself if none is dated."""
        rows: tuple[Wager | Payout | Duty, ...] = (*self.wagers, *self.payouts, *self.duties)
        if not self.editions and all(row.since is row.until is None for row in rows):
            return self
        editions = [text for text in self.editions if text.edition.since <= day]
        return replace(
            self,
            law=editions[-1] if editions else self.law,
            editions=(),
            wagers=tuple(row for row in self.wagers if in_force(row, day)),
            payouts=tuple(row for row in self.payouts if in_force(row, day)),
            duties=tuple(row for row in self.duties if in_force(row, day)),
        )


def judged_apart(rules: Rules, state: OwnState, fact: Fact) -> Iterator[Ruling]:
    """Give the rulings of the room's ``apart`` on a fact."""
    for apart in rules.room.apart.get(type(fact), ()):
        yield from apart.rule(rules, state, fact)


def in_force(row: Wager | Payout | Duty, day: date) -> bool:
    """Whether a row holds on a gaming day."""
    return (row.since is None or row.since <= day) and (row.until is None or day < row.until)


def _overlap(first_row: Duty, other: Duty) -> bool:
    """Whether two rows hold on a same day."""
    first, last = sorted((first_row, other), key=lambda row: row.since or date.min)
    return first.until is None or (last.since or date.min) < first.until


@value_type
class Verdict:
    """How one wager fares on an outcome.

    Args:
        row: the wager's row.
        won: whether it wins.
        line: the payout line with the odds; None if it lost.
    """

    row: Wager
    won: bool
    line: InForce | None


def verdict(rules: Rules, wager: str, picks: Picks, shown: Shown) -> Verdict | None:
    """Settle one wager by the rows.

    Args:
        rules: those of the round.
        wager: its name.
        picks: the numbers picked, in rising order.
        shown: what the equipment showed, in the room's own form.

    Returns:
        None if the chapter has no such wager or pick, if what it wins on was for the property to
        file and was not filed, or if no row pays it.
    """
    row = rules.wagers.get(wager)
    if row is None or picks not in row.picks:
        return None
    if not row.is_known:
        return None
    if not row.wins_on(shown, picks):
        return Verdict(row=row, won=False, line=None)
    for line in rules.payouts.get(wager, ()):
        if line.payout.on(shown, picks):
            return Verdict(row=row, won=True, line=line)
    return None  # a row is missing: what was due is not known
