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
    """A fact did not keep a duty; ``also`` are further sections that bear on it.

    ``effect_cents`` is what the house lost by it, negative when the patron lost. ``interval`` says
    by how much two clocks leave open whether it was broken.
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

    ``factor`` multiplies the odds (§ 689.3(b), (c)); ``detail`` is what the room puts into words.
    Wagers in ``leaves`` are not decided and stand for the next round.
    ``lost_by`` is the section by which a wager loses, ``settled_by`` that by which it is collected
    or paid, where the chapter names one for these wagers.
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

    ``each`` is by position and wager; a wager that it does not name has no known outcome.
    ``limit_cents`` is the most that is payable on one position's hand (at least that, where it is
    not ``limit_known``), the wagers of ``first``
    before all others. ``filed`` is the filing by which it was found.
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
    """What this fact decided is open again: it turned out that it may not count."""

    fact: FactRef


@value_type
class Annulled:
    """One roll or spin does not count; the wagers stand for the next."""

    row: Invalid
    fact: FactRef


@value_type
class Multiplied:
    """A valid spin earned a multiplier for the rest of the round."""

    factor: int
    symbol: str
    fact: FactRef


@value_type
class Contested:
    """How one wager fares cannot be told by the rules; ``as_recorded``: it is as the house settled it.

    ``added_by``: only what this fact added to the wager is in doubt.
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
