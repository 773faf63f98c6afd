"""The one place where the product is called: a ledger of a case's facts, and its audit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from ledger.audit import audit_day, read_coupons, read_office, rounds_of
from ledger.audit.result import DayAudit
from ledger.codec import frame
from ledger.coupons import CustodyRegister, Figures, figures
from ledger.events import Fact, RulesSubmissionFiled
from ledger.games import BY_GAME
from ledger.games.room import Filed
from ledger.kernel import FactRef, parse_odds
from ledger.log import Arrival
from ledger.replay import Replay
from ledger.reports import law_odds
from ledger.rounds import RoundResult
from tests.log.memory_log import MemoryLog


@dataclass(frozen=True)
class Judged:
    """What the product says of one gaming day."""

    audit: DayAudit
    rounds: tuple[RoundResult, ...]
    coupons: tuple[Figures, ...] = ()
    book: CustodyRegister | None = None


def judge(facts: Iterable[Fact], days: Iterable[date]) -> list[Judged]:
    """Append facts to a fresh ledger, in order of time, and audit gaming days."""
    said = list(facts)
    log = MemoryLog(origin="conformance.example", property="Conformance Casino", record_time=1)
    appended = log.append((Arrival(frame(fact)) for fact in said), record_time=2)
    if appended.accepted != len(said):
        raise AssertionError(f"a translated fact was not accepted: {appended.troubles}")
    replay = Replay(log)
    book = read_coupons(replay, read_office(replay))
    return [
        Judged(
            audit_day(replay, day),
            tuple(rounds_of(replay, day)),
            figures(book, day) if book is not None and day in book.days else (),
            book,
        )
        for day in days
    ]


def odds(game: str, filed: RulesSubmissionFiled | None) -> list[dict[str, str]]:
    """Exact chance and house edge of every line of a game, by the filed paytable if there is one."""
    paytable = None
    if filed is not None:
        paytable = Filed(
            submission=filed.submission,
            odds={(row.wager, row.on): parse_odds(row.odds) for row in filed.paytable},
            rounding=None,
            unit_cents=1,
            payout_limit_cents=None,
            payout_limit_scope=None,
            increment_cents=None,
            readings={},
            fact=FactRef(filed.stream, filed.seq),
        )
    return [
        {
            "wager": row["wager"],
            "pays": row["pays"].replace(" to ", ":"),
            "probability": row["probability"],
            "house_edge": row["house_edge"],
        }
        for row in law_odds(BY_GAME[game], paytable)
    ]
