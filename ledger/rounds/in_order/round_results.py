"""What rounds in order came to, as the readable engine reports it, where that is wanted."""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.games.outcomes import OutcomeDetail, WagersReturned
from ledger.games.room import Returned, Shown
from ledger.kernel import FactRef
from ledger.rounds.in_order.room_rows import Decision
from ledger.rounds.in_order.rounds_read import (
    BY,
    BY_AT,
    DECIDED,
    DECIDED_AT,
    ENDS,
    FIRST,
    LAID,
    NAME,
    NONE,
    OWED,
    PLACED,
    SETTLED,
)
from ledger.rounds.in_order.runs import Stretch
from ledger.rounds.in_order.stretch import Reading
from ledger.rounds.in_order.wager_table import Laid, Owed
from ledger.rounds.result import Outcome, RoundResult, Settlement, WagerResult
from ledger.rounds.round_status import RoundStatus

OUTCOMES: Final = {
    events.SettledAs.WON: Outcome.WON,
    events.SettledAs.LOST: Outcome.LOST,
    events.SettledAs.RETURNED: Outcome.RETURNED,
}


def status_of(decided: Decision) -> RoundStatus:
    """Return where a round stands that this decided."""
    return RoundStatus.VOID if isinstance(decided, Returned) else RoundStatus.SETTLED


def shown_by(decided: Decision) -> Shown | None:
    """Return what the equipment showed; None where every wager went back."""
    return None if isinstance(decided, Returned) else decided.shown


def detail_of(decided: Decision) -> OutcomeDetail:
    """Return what a round came to that this decided."""
    if isinstance(decided, Returned):
        return WagersReturned(cause=decided.why, cite=decided.cite)
    return decided.detail


def results_of(stretch: Stretch) -> list[RoundResult]:
    """Return what the rounds of a stretch came to."""
    return [result_of(stretch.reading, number) for number in range(stretch.first, stretch.last)]


def result_of(reading: Reading, number: int) -> RoundResult:
    """Return what a round came to that is in order.

    Args:
        reading: of its table.
        number: of the round, in what was read.
    """
    facts, rounds, rules = reading.facts, reading.rounds, reading.tables.rules
    first, ends = rounds.get(number, FIRST), rounds.get(number, ENDS)
    decided: Decision = reading.tables.rows.decisions.objects[rounds.get(number, DECIDED)]
    opened, by = reading.ref(first), reading.ref(rounds.get(number, DECIDED_AT))
    wagers, known = rounds.wagers_of(number).T.tolist(), reading.results.get(first, {})
    return RoundResult(
        round=str(opened),
        stream=opened.stream,
        table=reading.table,
        game=rules.room.game,
        gaming_day=reading.day,
        opened_at=facts.at[first],
        status=status_of(decided),
        detail=detail_of(decided),
        unknown_because=None,
        wagers=tuple(
            [known.get(wager[NAME]) or _wager(reading, wager, decided, by) for wager in wagers]
        ),
        findings=(),
        facts=ends - first,
        closed_at=facts.at[ends - 1],
        outcome=shown_by(decided),
        paytable=rules.filed.fact if rules.filed is not None else None,
    )


def _wager(reading: Reading, wager: list[int], decided: Decision, by: FactRef) -> WagerResult:
    rows, row = reading.tables.rows, wager[PLACED]
    laid: Laid = rows.laid.objects[wager[LAID]]
    owed: Owed = rows.owed.objects[wager[OWED]]
    wager_id = reading.text(row, 0)
    assert wager_id is not None
    if wager[BY] != NONE:
        decided, by = rows.decisions.objects[wager[BY]], reading.ref(wager[BY_AT])
    done = None
    if owed.done is not None:
        outcome, winnings, taken = owed.done
        done = Settlement(
            outcome=OUTCOMES[outcome],
            winnings_cents=winnings,
            stake_taken_cents=taken,
            facts=(reading.ref(wager[SETTLED]),),
        )
    stood = owed.done is not None  # else it went while betting was open, or stands
    is_decided = stood and not isinstance(decided, Returned)
    return WagerResult(
        wager_id=wager_id,
        wager=laid.wager,
        picks=laid.picks,
        stake_cents=laid.stake_cents,
        patron=reading.text(row, 2),
        position=reading.text(row, 1),
        placed=reading.ref(row),
        expected=owed.expected,
        observed=done,
        outcome=shown_by(decided) if stood else None,
        odds=owed.odds,
        factor=owed.factor,
        decided_by=by if is_decided else None,
        difference_cents=0 if stood else None,
    )
