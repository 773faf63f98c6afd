"""Rulings: what the regulation makes of a fact, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, TypeAlias

from ledger.games.outcomes import OutcomeDetail
from ledger.games.rows import Duty, Invalid, Shown
from ledger.kernel import Certainty, Citation, FactRef, value_type


@value_type
class Breach:
    """A fact did not keep a duty.

    Args:
        duty: the row.
        facts: the facts on which it rests, the one that broke it last; empty: the fact being
            judged.
        observed: what was, for people.
        expected: what should have been, for people.
        wager: the wager's id; None where it is not about one wager.
        certainty: whether the facts show the breach or only cannot rule it out.
        effect_cents: what the house lost by it, negative when the patron lost; None if not known.
        also: further sections that bear on it.
        interval: by how much two clocks leave open whether it was broken, for people.
    """

    duty: Duty
    facts: tuple[FactRef, ...]
    observed: str | None = None
    expected: str | None = None
    wager: str | None = None
    certainty: Certainty = Certainty.BROKEN
    effect_cents: int | None = None
    also: tuple[Citation, ...] = ()
    interval: str | None = None


@value_type
class Decided:
    """The equipment decided the round: standing wagers are settled by what it showed.

    Args:
        shown: what the rows are asked about, in the room's own form.
        detail: the same as data, which the room puts into words.
        cite: the section by which it is decided.
        fact: the fact that decided it.
        factor: multiplies the odds (§ 689.3(b), (c)).
        lost_by: the section by which a wager loses, where the chapter names one.
        settled_by: the section by which it is collected or paid, where the chapter names one.
        leaves: the wagers that are not decided and stand for the next round.
    """

    shown: Shown
    detail: OutcomeDetail
    cite: Citation
    fact: FactRef
    factor: int = 1
    lost_by: Citation | None = None
    settled_by: Citation | None = None
    leaves: frozenset[str] = frozenset()


@value_type
class Returned:
    """The round decides nothing: every wager goes back to its player."""

    why: str
    cite: Citation
    fact: FactRef


@value_type
class Undecidable:
    """The facts cannot show the outcome: every wager's settlement is unknown."""

    why: str
    cite: Citation
    fact: FactRef


@value_type
class ByPosition:
    """Each wager of each position has an outcome of its own.

    Args:
        each: the outcome by position and wager; a wager that is not in it has no known outcome.
        detail: what the round came to, as data.
        cite: the section by which it is decided.
        fact: the fact that decided it.
        limit_cents: the most that is payable on one position's hand; None without a limit.
        limit_known: False where the limit may be higher than that.
        first: the wagers that are paid before all others within the limit.
        limited_by: the section of the limit.
        filed: the filing by which the outcomes were determined.
    """

    each: Mapping[tuple[str | None, str], Decided | Returned | Undecidable]
    detail: OutcomeDetail
    cite: Citation
    fact: FactRef
    limit_cents: int | None = None
    limit_known: bool = True
    first: tuple[str, ...] = ()
    limited_by: Citation | None = None
    filed: Any = field(default=None, repr=False, compare=False)


@value_type
class DecidedSome:
    """One throw of the round decided the standing wagers of these names; the others stand.

    A wager so decided keeps its outcome whatever the round comes to.
    """

    wagers: frozenset[str]
    by: Decided | Returned | Undecidable


@value_type
class Reopened:
    """What this fact decided is open again: it turned out that the fact may not count."""

    fact: FactRef


@value_type
class Annulled:
    """One roll or spin does not count; the wagers stay for the next."""

    row: Invalid
    fact: FactRef


@value_type
class Multiplied:
    """A valid spin earned a multiplier for the rest of the round; ``said`` is its symbol."""

    factor: int
    symbol: str
    fact: FactRef


@value_type
class Contested:
    """The rules cannot tell how one wager fares.

    Args:
        wager: the wager's id.
        as_recorded: it counts as settled the way the house settled it; otherwise it is unknown.
        added_by: only what this fact added to the wager is in doubt.
    """

    wager: str
    as_recorded: bool
    added_by: FactRef | None = None


@value_type
class Requires:
    """This fact was allowed only once settlements of a kind were complete.

    ``done`` is "winners" (every winning wager paid) or "all" (every wager settled).
    """

    duty: Duty
    done: str
    fact: FactRef


Ruling: TypeAlias = (
    Breach
    | Decided
    | DecidedSome
    | ByPosition
    | Returned
    | Undecidable
    | Annulled
    | Contested
    | Multiplied
    | Reopened
    | Requires
)
