"""The end of a round: every wager's settlement, owed and done, and the round as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from ledger.events import BettingOpened, Capture
from ledger.games.outcomes import OutcomeDetail, WagersReturned
from ledger.games.room import Breach, ByPosition, Decided, Duty, Returned
from ledger.kernel import Certainty, EditionStatus, FactRef, Finding, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds.compare import observed, together
from ledger.rounds.copying import copied
from ledger.rounds.coupon_desk import CouponDesk
from ledger.rounds.coupon_use import coupons_in_doubt, fates, overlay, with_wager
from ledger.rounds.doubtful_wagers import difference, differences
from ledger.rounds.placed import PlacedWager
from ledger.rounds.result import (
    InDoubt,
    Outcome,
    RoundResult,
    Settlement,
    WagerResult,
)
from ledger.rounds.round import Round
from ledger.rounds.round_status import RoundStatus
from ledger.rounds.settle import (
    LOST,
    UNKNOWN,
    WON,
    Due,
    Resolution,
    arithmetic,
    as_owed,
    cap,
    cap_by_position,
    due,
    in_either_case,
    of_wager,
    stands_over,
)
from ledger.rounds.wager_timing import collected_late

EXPLAINED = frozenset(
    {
        "wrong_number_of_dice",
        "spin_validity_unknown",
        "settled_on_void_spin",
        "settled_on_no_roll",
        "void_spin_not_respun",
        "bonus_spin_missing",
    }
)
"""Codes that already say why a round has no known outcome."""

ON_WHAT_DOES_NOT_COUNT: Final = frozenset(
    {"settled_on_void_spin", "settled_on_no_roll", "invalid_roll_counted"}
)
"""Codes of a wager that was settled on a spin or roll that does not count."""

Finish = Callable[[tuple[Finding, ...]], RoundResult]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a round came to its end, and what is needed to settle it beside its own facts.

    Args:
        table: the table.
        desk: the coupons.
        explain: the arithmetic of each wager is wanted in words.
        firm: the round has ended; otherwise the record stops within it.
        by_table: the closing of the table ended it.
    """

    table: str
    desk: CouponDesk
    explain: bool
    firm: bool
    by_table: bool


def end_round(round_: Round, ending: Ending) -> tuple[Finish, list[Breach]]:
    """Settle a round and compare it with what the house did.

    Returns:
        A function that makes the result once the findings of the round are known, and the breaches
        from which findings are to be made first.
    """
    rules, book, firm = round_.rules, round_.book, ending.firm
    wagers = list(book.wagers.values())
    unknown, dues, breaches = _by_the_rules(round_, ending)
    if unknown is not None:
        for wager in wagers:
            if wager.decided is not None:
                owed = dues[wager.wager_id]
                breaches.extend(differences(rules, wager, owed, firm=firm, resolved_by=None))
    else:
        for wager in wagers:
            owed = dues[wager.wager_id]
            if as_owed(wager, owed):
                continue
            own = of_wager(round_.resolution, wager)
            resolved_by = own.cite if isinstance(own, Returned) else None
            breaches.extend(differences(rules, wager, owed, firm=firm, resolved_by=resolved_by))
        breaches.extend(collected_late(rules, book, dues))
    if round_.coupons:
        breaches.extend(fates(ending.desk, round_, dues, wagers, firm=firm))
    results = tuple([_result(round_, wager, dues[wager.wager_id], ending) for wager in wagers])
    status = RoundStatus.SETTLED
    amounts_known = rules.filing_known or all(due.cents is not None for due in dues.values())
    if unknown is None and not amounts_known:
        unknown = "the filing in force is not known: facts of the office are missing"
    if unknown is not None or Outcome.UNKNOWN in [one.expected.outcome for one in results]:
        status = RoundStatus.UNKNOWN
    elif isinstance(round_.resolution, Returned):
        status = RoundStatus.VOID
    elif round_.resolution is None:
        status = RoundStatus.UNKNOWN

    def finish(findings: tuple[Finding, ...]) -> RoundResult:
        return RoundResult(
            round=str(round_.ref),
            stream=round_.ref.stream,
            table=ending.table,
            game=rules.room.game,
            gaming_day=round_.day,
            opened_at=round_.opened.event_time,
            status=status,
            detail=_detail(round_.resolution),
            unknown_because=unknown,
            wagers=results,
            findings=tuple(_counted_once(findings, results)),
            facts=round_.facts,
            closed_at=(round_.last_fact or round_.opened).event_time if firm else None,
            outcome=round_.resolution.shown if isinstance(round_.resolution, Decided) else None,
            paytable=rules.filed.fact if rules.filed is not None else None,
            afterwards=tuple(round_.afterwards),
            missing_since=round_.missing,
        )

    return finish, breaches


def _by_the_rules(round_: Round, ending: Ending) -> tuple[str | None, dict[str, Due], list[Breach]]:
    """Return why the round is unknown (or None), what each wager comes to, and the breaches."""
    rules, wagers = round_.rules, list(round_.book.wagers.values())
    in_force = rules.law.edition.standing(round_.day) is not EditionStatus.NOT_YET
    breaches: list[Breach] = []
    for wager in wagers if round_.contested else ():
        wager.contested = round_.contested.get(wager.wager_id, wager.contested)
    unknown = _why_unknown(
        round_, in_force=in_force, firm=ending.firm, by_table=ending.by_table, breaches=breaches
    )
    dues = _dues(ending.desk, round_, wagers, in_force=in_force, known=unknown is None)
    if any(wager.raises or wager.late or coupons_in_doubt(wager) for wager in wagers):
        full = [wager.in_full() for wager in wagers]
        most = _dues(
            ending.desk, round_, full, in_force=in_force, known=unknown is None, in_full=True
        )
        dues = {w.wager_id: in_either_case(w, dues[w.wager_id], most[w.wager_id]) for w in wagers}
    return unknown, dues, breaches


def _counted_once(findings: Iterable[Finding], results: Iterable[WagerResult]) -> Iterator[Finding]:
    """Yield the findings of a round; a settlement on what does not count is no loss of its own.

    Once a later spin or roll has decided the wager, the comparison states the money.
    """
    open_still = (Outcome.STANDS, Outcome.UNKNOWN)
    decided = {w.wager_id for w in results if w.expected.outcome not in open_still}
    for finding in findings:
        is_early = finding.code in ON_WHAT_DOES_NOT_COUNT and finding.wager in decided
        yield replace(finding, effect_cents=None) if is_early else finding


def _dues(
    desk: CouponDesk,
    round_: Round,
    wagers: list[PlacedWager],
    *,
    in_force: bool,
    known: bool,
    in_full: bool = False,
) -> dict[str, Due]:
    """Return what each wager comes to.

    ``known`` False: only what is so although the round is unknown. ``in_full``: whatever is in
    doubt takes part.
    """
    rules = round_.rules
    if not known:
        dues = {
            w.wager_id: due(rules, None, w)
            if _known_anyhow(round_, w, in_force=in_force)
            else UNKNOWN
            for w in wagers
        }
        return overlay(desk, round_, wagers, dues, in_full=in_full)
    dues = {w.wager_id: due(rules, round_.resolution, w) for w in wagers}
    if round_.coupons:
        dues = overlay(desk, round_, wagers, dues, in_full=in_full)
    if rules.filed is not None and rules.filed.payout_limit_cents is not None:
        dues = cap(rules, dues, wagers, round_.limit_shown)
    return cap_by_position(dues, wagers, round_.resolution)


def unknown_round(table: str, opened: BettingOpened, day: date, game: str | None) -> RoundResult:
    """Return the result of a round at a table whose game no fact states, or no room judges."""
    return RoundResult(
        round=f"{opened.stream}:{opened.seq}",
        stream=opened.stream,
        table=table,
        game=game or "unknown",
        gaming_day=day,
        opened_at=opened.event_time,
        status=RoundStatus.UNKNOWN,
        detail=None,
        unknown_because="no fact says which game the table plays, or no room judges it",
        wagers=(),
        findings=(),
        facts=1,
        closed_at=None,
    )


def _known_anyhow(round_: Round, wager: PlacedWager, *, in_force: bool) -> bool:
    """Whether a wager left in time, or was decided by itself, although the round is unknown."""
    if round_.doubtful or (wager.gone is None and not in_force):
        return False
    return wager.gone is not None or wager.decided is not None


def _why_unknown(
    round_: Round, *, in_force: bool, firm: bool, by_table: bool, breaches: list[Breach]
) -> str | None:
    """Return why nothing can be said of the round's settlements, None if something can.

    The finding that says so is added to ``breaches``.
    """
    rules = round_.rules
    if not in_force:
        return "no text of the chapter was in force"
    if round_.doubtful:
        return round_.doubtful
    if round_.resolution is not None:
        if isinstance(round_.resolution, (ByPosition, Decided, Returned)):
            return None
        if not round_.codes & EXPLAINED:
            breaches.append(_result_unknown(rules.duty("result_unknown"), round_.resolution.fact))
        return round_.resolution.why
    book = round_.book
    open_wagers = [w for w in book.wagers.values() if w.gone is None and w.decided is None]
    settled = any(
        observed(w.settled[0], w.stake_cents)[0] in (Outcome.WON, Outcome.LOST)
        for w in open_wagers
        if w.settled
    )
    left_open = by_table and bool(open_wagers) and not settled
    if round_.pending and (round_.codes & EXPLAINED or not (settled or (firm and open_wagers))):
        return None
    if left_open:
        breaches.append(Breach(duty=rules.duty("round_left_open"), facts=(round_.ref, round_.last)))
        return "the table closed before the round was decided"
    if not (settled or (firm and (open_wagers or round_.capture is Capture.OUTCOME))):
        return None
    breaches.append(_result_unknown(rules.duty("result_unknown"), round_.ref))
    return "the record does not show the outcome"


def _result_unknown(duty: Duty, fact: FactRef) -> Breach:
    return Breach(duty=duty, facts=(fact,), certainty=Certainty.UNKNOWN)


def _detail(resolution: Resolution) -> OutcomeDetail | None:
    match resolution:
        case Decided(detail=detail) | ByPosition(detail=detail):
            return detail
        case Returned(why=cause, cite=cite):
            return WagersReturned(cause=cause, cite=cite)
        case _:
            return None


def _expected(owed: Due, stake: int) -> Settlement:
    is_due = owed.outcome
    won, lost = is_due is WON, is_due is LOST
    nothing = 0 if won or lost or is_due is Outcome.RETURNED else None
    return Settlement(
        outcome=is_due,
        winnings_cents=owed.cents if won else nothing,
        stake_taken_cents=stake if lost else nothing,
        citations=owed.cites,
    )


def _in_doubt(wager: PlacedWager, owed: Due) -> InDoubt | None:
    """What of a wager is in doubt, and what it comes to in either case."""
    if owed.either is None or owed.outcome in (Outcome.RETURNED, Outcome.STANDS):
        return None
    returned, stands = owed.either
    part = sum(one.added_cents for one in wager.in_doubt)
    if owed.outcome is Outcome.UNKNOWN and not (wager.late and wager.blind):
        return None
    whole = owed.outcome is Outcome.UNKNOWN
    coupons = () if whole else coupons_in_doubt(wager)
    added = (*(one.ref for one in wager.in_doubt), *(one.placed for one in coupons))
    return InDoubt(
        stake_cents=wager.stake_cents if whole else part,
        coupons=tuple(one.serial for one in coupons),
        facts=(wager.ref,) if whole else added,
        if_returned=_expected(returned, wager.stake_cents),
        if_stands=_expected(stands, wager.stake_cents + part),
    )


def _result(round_: Round, wager: PlacedWager, owed: Due, ending: Ending) -> WagerResult:
    stake = wager.stake_cents
    done = None
    if wager.settled:
        outcome, paid, kept = together(wager, wager.settled)
        done = Settlement(
            outcome=outcome,
            winnings_cents=paid,
            stake_taken_cents=kept,
            facts=tuple([ref_of(act) for act in wager.settled]),
        )
    by = owed.by
    line = owed.verdict.line if owed.verdict is not None else None
    return WagerResult(
        wager_id=wager.wager_id,
        wager=wager.wager,
        picks=wager.picks,
        stake_cents=stake,
        patron=wager.patron,
        position=wager.placed.position,
        placed=wager.ref,
        expected=_expected(owed, stake),
        observed=done,
        arithmetic=(
            arithmetic(round_.rules, round_.resolution, wager, owed) if ending.explain else None
        ),
        outcome=by.shown if by is not None else None,
        odds=line.odds if line is not None else None,
        factor=by.factor if by is not None else 1,
        coupons=with_wager(round_, wager, owed) if wager.coupons else (),
        decided_by=by.fact if by is not None else None,
        late=wager.late or any(part.late for part in wager.raises),
        in_doubt=_in_doubt(wager, owed),
        difference_cents=difference(wager, owed, firm=ending.firm),
    )


def may_leave(round_: Round) -> bool:
    """Whether a wager lies there that may outlive the round."""
    outlive = round_.rules.room.outlive
    return any(wager.wager in outlive for wager in round_.book.wagers.values())


def carried_over(round_: Round, ending: Ending) -> tuple[dict[str, PlacedWager], list[Breach]]:
    """Return the wagers that the round leaves standing, or may have left standing.

    Returns:
        Copies of the wagers by id: what comes for them in later rounds does not change this one.
            And
        the breaches of where their coupons went.
    """
    outlive = round_.rules.room.outlive
    if not outlive or not round_.book.wagers:
        return {}, []
    dues = _by_the_rules(round_, ending)[1]
    carried, lost = {}, set()
    for wager in round_.book.wagers.values():
        if wager.gone is not None or wager.lifted is not None or wager.settled:
            continue
        outcome = dues[wager.wager_id].outcome
        is_lost = outcome is Outcome.UNKNOWN and wager.wager in outlive
        decided = isinstance(round_.resolution, Decided) and not stands_over(
            round_.resolution, wager
        )
        if outcome is Outcome.STANDS or (is_lost and not decided):
            carried[wager.wager_id] = wager
            lost |= {wager.wager_id} if is_lost else set()
    breaches = (
        [*fates(ending.desk, round_, dues, carried.values(), firm=True)] if round_.coupons else []
    )
    copies = {name: copied(wager) for name, wager in carried.items()}
    for name in lost:
        copies[name].contested = False
    return copies, breaches
