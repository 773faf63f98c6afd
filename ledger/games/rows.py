"""The row types of a room's tables: one row, one line, one citation.

A predicate is a small frozen value that can be called and that prints as English. Wagers, payouts
and duties may be dated: when law changes the old row gets ``until``, its first gaming day without
force, and a new row ``since``, its first with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from datetime import date
from enum import StrEnum
from typing import Any, Final, Protocol, TypeAlias

from ledger.events import Fact, Role, Subject
from ledger.games.sentences import SENTENCES
from ledger.kernel import Citation, Odds, Severity
from ledger.kernel.quick_dataclass import dataclass

Picks: TypeAlias = tuple[int, ...]
Shown: TypeAlias = Any
"""What the equipment showed, in the room's own form: faces of dice, the symbol of a section."""


class Predicate(Protocol):
    """A condition on what was shown and what was picked; it prints as English."""

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
    """A permitted wager: what it wins on, where that stands, and which picks it takes.

    Args:
        name: the defining section's name.
        wins_on: the condition; the wager loses on every other decided result.
        cite: the section that defines it.
        picks: the picks that it takes; one empty pick where it takes none.
        reading: the open question on whose answer ``wins_on`` rests.
        also_called: other names that the chapter uses.
        otherwise: what it wins on by other options of its reading, should one be filed.
        since: first gaming day on which the row holds; None from the start.
        until: first gaming day on which it no longer holds; None while it does.

    ``is_known`` is False while what it wins on is for the property to file and it did not.
    """

    name: str
    wins_on: Predicate
    cite: Citation
    picks: tuple[Picks, ...] = NO_PICKS
    reading: str | None = None
    also_called: tuple[str, ...] = ()
    otherwise: tuple[tuple[str, Predicate], ...] = ()
    since: date | None = None
    until: date | None = None
    is_known: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_known", getattr(self.wins_on, "is_known", True))


@dataclass(frozen=True, slots=True)
class Payout:
    """One line of a chapter's odds.

    Args:
        wager: the wager's name.
        on: the winning outcomes that this line pays.
        pays: the odds: a floor, unless ``fixed``.
        cite: the section that lists them.
        filed_as: how a Rules Submission names the line where a wager has several.
        fixed: the odds may be neither less nor more.
        reading: the open question on whose answer the line rests.
        since: first gaming day on which the row holds; None from the start.
        until: first gaming day on which it no longer holds; None while it does.
    """

    wager: str
    on: Predicate
    pays: Odds
    cite: Citation
    filed_as: str | None = None
    fixed: bool = False
    reading: str | None = None
    since: date | None = None
    until: date | None = None


class Call(StrEnum):
    """What the chapter makes of a cause: it must be called, it may be, or it is no cause."""

    MUST = "must be called"
    MAY = "may be called"
    VOID = "is void by itself"
    STANDS = "is no cause: the result stands"


class Then(StrEnum):
    """What follows from a cause: the same accident has another effect in each chapter."""

    RETURN = "all wagers are returned"
    RESPIN = "the wheel is spun again, the wagers stand"
    RETHROW = "the dice are thrown again, the wagers stand"
    SETTLE = "the wagers are settled"
    LOSE = "the Asia Poker Wager of that position loses"
    ABANDON = "the wagers of that player may be treated as lost"
    GO_ON = "the round goes on, the wagers stand"
    CHOICE = "the player may void the hand, the other hands go on"
    RESHUFFLE = "the cards are shuffled again, no wager is touched"


@dataclass(frozen=True, slots=True)
class Invalid:
    """A cause for which a roll or spin does not count, what is called, and what happens then."""

    cause: str
    when: Callable[[Any], bool]
    call: Call
    then: Then
    cite: Citation
    reading: str | None = None


@dataclass(frozen=True, slots=True)
class Duty:
    """What must be done or left undone.

    Args:
        code: the code of the finding when it was not kept.
        severity: how much that matters.
        cite: the section that asks for it.
        says: the sentence of the finding; it may hold ``{observed}``, ``{expected}`` and
            ``{wager}``. A row that gives none has the sentence that all chapters share for its
            code.
        reading: the open question on whose answer it rests.
        since: first gaming day on which the row holds; None from the start.
        until: first gaming day on which it no longer holds; None while it does.

    Raises:
        ValueError: the row gives no sentence and its code has no shared one.
    """

    code: str
    severity: Severity
    cite: Citation
    says: str = ""
    reading: str | None = None
    since: date | None = None
    until: date | None = None

    def __post_init__(self) -> None:
        says = self.says or SENTENCES.get(self.code)
        if not says:
            raise ValueError(f"{self.code} [{self.cite}]: the row says nothing")
        object.__setattr__(self, "says", says)


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a layout, a table or equipment must be; compared with itemized inspection facts.

    Args:
        subject: what is inspected.
        item: the item of the inspection.
        what: the requirement in words.
        code: the code of the finding when it is not met.
        severity: how much that matters.
        cite: the section that asks for it.
        met_by: the condition on what was seen; None where only the inspector's own verdict counts.
    """

    subject: Subject
    feature: str
    required: str
    code: str
    severity: Severity
    cite: Citation
    met_by: Callable[[tuple[tuple[str, str | None], ...]], bool] | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """A device that is tried before the table opens.

    Args:
        device: the device.
        count: the name of the field of the trial's fact that says how often it was tried.
        at_least: the least number of trials.
        works: the name of the field that says whether it works.
        by: whose task the trial is.
        only_if_present: it is asked for only where the table has the device.
        cite: the section that asks for it.
    """

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
    """One move of a round: in this phase, on this fact, to that phase.

    ``breach`` names the duty that the fact breaks in this phase; None where it is in order.
    """

    phase: str
    fact: type[Fact]
    then: str
    breach: str | None = None


class Act(StrEnum):
    """What can be irregular in a round and may leave a doubt."""

    LATE_WAGER = "a wager is made when something of the outcome can be seen"
    LATE_RAISE = "more is laid on a wager when something of the outcome can be seen"
    LATE_LIFT = "a wager is lifted, lowered or moved after betting closed"
    LATE_COUPON = "a coupon is laid on a wager when something of the outcome can be seen"
    SECOND_COUPON = "a coupon is laid on a wager with which one lies, when the outcome can be seen"
    SECOND_PAYMENT = "a wager is paid or collected a second time"
    EARLY_SETTLEMENT = "a wager is paid or collected before it is decided"
    CALL = "a result is called that was not shown"
    CALL_OFF = "a roll, spin or round is called off without a cause"
    CALL_OFF_PLAY = "a throw that nothing has followed yet is called off without a cause"
    CALL_OFF_LATER = "a throw that was acted upon is called off without a cause"
    CALL_OFF_EXTRA = "the extra point roll is called off without a cause"
    CALL_OFF_OVER = "a throw is called off without a cause after the game was decided"
    LID = "a player takes off the lid and the dice are used as they lie"
    SHOWN_AGAIN = "a result is shown again in a round that is decided"
    TOLD_AGAIN = "any fact of a round is told once more when it is decided"
    HAND_CHANGED = "the hands of a position are changed after they were set"


class Scope(StrEnum):
    """How far a doubt reaches."""

    NOTHING = "No wager is touched"
    ADDED = "Only what was added is in doubt"
    WAGER = "That wager is in doubt"
    HAND = "Only the Asia Poker Wager of that position can be in doubt"
    NAMED = "In doubt, unless decided before:"
    UNDECIDED = "What is not decided yet stands undecided"


@dataclass(frozen=True, slots=True)
class Taint:
    """What an irregular act leaves in doubt of a round: this and no more.

    ``wagers`` are the names of the wagers that a doubt of the scope NAMED reaches.
    """

    act: Act
    scope: Scope
    cite: Citation
    reading: str | None = None
    wagers: frozenset[str] = frozenset()
