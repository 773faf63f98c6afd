"""What rounds in order came to, as the readable engine reports it, where that is wanted."""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.games.room import Decided
from ledger.kernel import FactRef
from ledger.rounds.in_order.runs import Stretch
from ledger.rounds.in_order.stretch import Reading, RoundRead, WagerLying
from ledger.rounds.result import Outcome, RoundResult, Settlement, WagerResult
from ledger.rounds.round_status import RoundStatus

OUTCOMES: Final = {events.SettledAs.WON: Outcome.WON, events.SettledAs.LOST: Outcome.LOST}


def results_of(stretch: Stretch) -> list[RoundResult]:
    """Return what the rounds of a stretch came to."""
    return [result_of(stretch.reading, round_) for round_ in stretch.rounds]


def result_of(reading: Reading, round_: RoundRead) -> RoundResult:
    """Return what a round came to that is in order.

    Args:
        reading: of its table.
        round_: the round.
    """
    facts, decided, rules = reading.facts, round_.decided, reading.tables.rules
    assert decided is not None
    opened, by = reading.ref(round_.first), reading.ref(round_.decided_at)
    return RoundResult(
        round=str(opened),
        stream=opened.stream,
        table=reading.table,
        game=rules.room.game,
        gaming_day=reading.day,
        opened_at=facts.at[round_.first],
        status=RoundStatus.SETTLED,
        detail=decided.detail,
        unknown_because=None,
        wagers=tuple([_wager(reading, wager, decided, by) for wager in round_.lying.values()]),
        findings=(),
        facts=round_.ends - round_.first,
        closed_at=facts.at[round_.ends - 1],
        outcome=decided.shown,
        paytable=rules.filed.fact if rules.filed is not None else None,
    )


def _wager(reading: Reading, wager: WagerLying, decided: Decided, by: FactRef) -> WagerResult:
    owed, wager_id = wager.owed, reading.text(wager.row, 0)
    assert owed is not None and wager_id is not None
    done = None
    if owed.done is not None:
        outcome, winnings, taken = owed.done
        done = Settlement(
            outcome=OUTCOMES[outcome],
            winnings_cents=winnings,
            stake_taken_cents=taken,
            facts=(reading.ref(wager.settled),),
        )
    stood = owed.done is not None  # else it went while betting was open
    return WagerResult(
        wager_id=wager_id,
        wager=wager.laid.wager,
        picks=wager.laid.picks,
        stake_cents=wager.laid.stake_cents,
        patron=reading.text(wager.row, 2),
        position=reading.text(wager.row, 1),
        placed=reading.ref(wager.row),
        expected=owed.expected,
        observed=done,
        outcome=decided.shown if stood else None,
        odds=owed.odds,
        factor=owed.factor,
        decided_by=by if stood else None,
        difference_cents=0 if stood else None,
    )
