"""What the house did with a wager of which a part is in doubt, compared with both amounts.

Law: §§ 539.4(c), 575.7(c), 577.3(c), 689.2(c) through the rooms' rows. Readings: late-wager,
late-raise, shake-joins-fresh.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ledger.events import WagerSettled
from ledger.games.room import Breach, Rules
from ledger.kernel import Certainty, Citation
from ledger.rounds.compare import compare
from ledger.rounds.compare import difference as compared
from ledger.rounds.placed import PlacedWager
from ledger.rounds.result import Outcome
from ledger.rounds.settle import Due


def differences(
    rules: Rules, wager: PlacedWager, owed: Due, *, firm: bool, resolved_by: Citation | None
) -> Iterator[Breach]:
    """Yield the differences between owed and done that remain whatever is in doubt of a wager.

    What is wrong whether the part goes back or stands is broken, by the smaller amount. Where
    something is wrong in both cases, but not the same, it is unknown what.

    Args:
        rules: those of the round.
        wager: as it surely takes part.
        owed: what it comes to; ``either`` is set where a part of it is in doubt.
        firm: the round has ended, so what is not settled never will be.
        resolved_by: the section by which all wagers go back, if they do.
    """
    if owed.either is None:
        yield from compare(rules, wager, owed, firm=firm, resolved_by=resolved_by)
        return
    if not _can_be_judged(wager, owed):
        return
    returned, stands = (
        [*compare(rules, each, due, firm=firm, resolved_by=resolved_by)]
        for each, due in zip((wager, wager.in_full()), owed.either, strict=True)
    )
    alike = {(breach.duty.code, breach.facts): breach for breach in stands}
    other = len(alike.keys() - {(breach.duty.code, breach.facts) for breach in returned})
    for breach in returned:
        also = alike.get((breach.duty.code, breach.facts))
        if also is not None:
            yield _least(breach, also)
        elif other:
            yield replace(breach, certainty=Certainty.UNKNOWN, effect_cents=None)


def _least(returned: Breach, stands: Breach) -> Breach:
    """Return what is wrong in either case, by the smaller amount, with what was due in both."""
    least = min(returned, stands, key=lambda breach: abs(breach.effect_cents or 0))
    if returned.expected == stands.expected:
        return least
    either = f"{returned.expected}, or {stands.expected} if what is in doubt takes part"
    return replace(least, expected=either)


def difference(wager: PlacedWager, owed: Due, *, firm: bool) -> int | None:
    """Return what the patron got beyond what was due, in cents; None where that cannot be said.

    Where a part of the wager is in doubt, it is the smaller of both excesses or shortfalls, and 0
    where what surely takes part was settled correctly.

    Args:
        wager: as it surely takes part.
        owed: what it comes to; ``either`` is set where a part of it is in doubt.
        firm: the round has ended, so what is not settled never will be.
    """
    if owed.either is None:
        return compared(wager, owed, firm=firm)
    if not _can_be_judged(wager, owed):
        return None
    returned, stands = (
        compared(each, due, firm=firm)
        for each, due in zip((wager, wager.in_full()), owed.either, strict=True)
    )
    if returned is None or stands is None:
        return None
    if returned == stands or returned * stands > 0:
        return min(returned, stands, key=abs)
    return 0 if returned == 0 and owed.outcome is not Outcome.UNKNOWN else None


def _can_be_judged(wager: PlacedWager, owed: Due) -> bool:
    """Whether a wager with doubt can be compared with both amounts.

    One that is in doubt as a whole cannot if it was handed back or no settlement is recorded.
    """
    if owed.outcome is not Outcome.UNKNOWN or wager.lifted is not None:
        return owed.outcome is not Outcome.UNKNOWN
    acts = wager.settled
    return bool(acts) and all(isinstance(act, WagerSettled) for act in acts)
