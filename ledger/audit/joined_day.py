"""A gaming day joined from what its tables, its coupons and the record itself add.

Whoever finds the tables judged needs no rules of a game: this module loads none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.audit import ledger_contract
from ledger.audit.accounts import counted_later
from ledger.audit.approvals import additions, idle_amendments
from ledger.audit.clocks import clock_findings
from ledger.audit.dates import far_dates
from ledger.audit.decisions import idle_decisions
from ledger.audit.digest import order_of
from ledger.audit.errors import DayUnknown
from ledger.audit.late_and_added_facts import Arrivals
from ledger.audit.ledger_contract import Day, numbered_here
from ledger.audit.observations import observed_by_round
from ledger.audit.office import HouseRecord, office_findings
from ledger.audit.provider_services import service_findings, service_standing
from ledger.audit.recorders import Recorders, of_offices
from ledger.audit.result import DayAudit
from ledger.audit.slips import slip_findings
from ledger.audit.supervision import over_ratio
from ledger.audit.table_day import TableDay
from ledger.kernel import Finding
from ledger.replay import Replay

if TYPE_CHECKING:
    from ledger.audit.tape_account import RoundAccounts


def tables_on(replay: Replay, span: Day) -> list[str]:
    """Return the tables with a fact in a gaming day, or with a box counted for it, in byte order.

    Raises:
        DayUnknown: no fact at all lies in that day.
    """
    tables = [
        table
        for table, streams in replay.tables().items()
        if _has_facts(replay, streams, span) or counted_later(replay, streams, span)
    ]
    if not tables and not _office_events(replay, span):
        raise DayUnknown(
            f"The ledger has no fact of the gaming day {span.date}",
            next_step="`pitledger rounds` lists the days that have rounds",
        )
    return tables


def joined(
    replay: Replay,
    house: HouseRecord,
    day: Day,
    parts: Iterable[TableDay],
    of_coupons: Iterable[Finding],
    stands: Mapping[str, str],
    carried: Path | None = None,
) -> DayAudit:
    """Return the audit of a day from the shares of its tables and of the coupons.

    Args:
        replay: the ledger's replay.
        house: the house's facts.
        day: the gaming day.
        parts: the share of each table.
        of_coupons: the findings that the coupons add.
        stands: the coupons' chapter with its status that day.
        carried: folder for carried states, for the rounds of which recordings were looked at.
    """
    office_events = _office_events(replay, day)
    parts = list(parts)
    findings: list[Finding] = [finding for part in parts for finding in part.findings]
    findings.extend(office_findings(house, day))
    posts = {part.table: part.posts for part in parts}
    findings.extend(over_ratio(posts, day, house.office.clocks))
    findings.extend(_of_the_record(replay, house, day))
    findings.extend(clock_findings(house.office, day))
    opened = {part.table: part.opened for part in parts}
    findings.extend(service_findings(house.office, house.clock, day, opened))
    findings.extend(slip_findings(replay, house.clock, day))
    findings.extend(of_coupons)
    findings.extend(idle_amendments(replay, day))
    findings.extend(additions(replay, day))
    footage: tuple[RoundAccounts, ...] = ()
    if observed_by_round(replay, day=day):
        from ledger.audit.footage import footage_findings, footage_of  # it judges rounds again

        footage = footage_of(replay, house, day, carried)
        findings.extend(footage_findings(footage, day))
    recorders = of_offices(replay, day)
    findings.extend(findings_on_notes(replay, house, day, recorders))
    findings.sort(key=order_of)
    rulings = {stream: hashed for part in parts for stream, hashed in part.rulings.items()}
    standing = {chapter: text for part in parts for chapter, text in part.standing.items()}
    standing |= {**service_standing(house.office, day, opened), **stands}
    audit = DayAudit(
        gaming_day=day.date,
        tree_size=replay.size,
        root=replay.root.hex(),
        rulings=rulings,
        standing=dict(sorted(standing.items())),
        continued={part.table: part.continued for part in parts if part.continued},
        capture=tuple(part.capture for part in parts if part.capture is not None),
        events=sum(part.events for part in parts) + office_events,
        rounds=sum(part.rounds for part in parts),
        unknown_rounds=sum(part.unknown_rounds for part in parts),
        wagers=sum(part.wagers for part in parts),
        findings=tuple(findings),
        accounts=tuple(part.account for part in parts if part.account is not None),
        amended=tuple(ledger_contract.amended(replay, day)),
        not_proven=ledger_contract.not_proven(replay, day),
        unchecked=recorders.unchecked + sum(part.unchecked for part in parts),
        marks=Arrivals.of(replay, house).of_day(day, findings),
    )
    if not footage:
        return audit
    from ledger.audit.footage import with_footage

    return with_footage(audit, footage)


def _of_the_record(replay: Replay, house: HouseRecord, day: Day) -> Iterator[Finding]:
    """Yield the findings about the record itself that no note changes."""
    yield from ledger_contract.doubt_steps(replay, house.office, house.clock, day)
    yield from ledger_contract.redescribed(house.office, day)
    yield from ledger_contract.unreadable(replay, day)
    yield from ledger_contract.control_totals(replay, house.office, day)


def findings_on_notes(
    replay: Replay,
    house: HouseRecord,
    day: Day,
    recorders: Recorders,
    streams: Collection[str] | None = None,
) -> Iterator[Finding]:
    """Yield those findings of a day that can name what a person noted about its results.

    No other finding names a note: a note is no input of any rule of a game, a house or a coupon.

    Args:
        replay: the ledger's replay.
        house: the house's facts.
        day: the gaming day.
        recorders: those of the day's facts of offices.
        streams: of which streams facts are asked about, as far as streams are asked one by one;
            None: of all.
    """
    yield from ledger_contract.streams_in_order(replay, house.office, day, streams)
    yield from far_dates(replay, house.clock, day)
    yield from ledger_contract.odd_keys(replay, day, streams)
    yield from idle_decisions(replay, day)
    yield from recorders.findings(house.office)


def _has_facts(replay: Replay, streams: Iterable[str], day: Day) -> bool:
    return any(
        replay.last_seq_before(s, day.ends) > replay.last_seq_before(s, day.begins) for s in streams
    )


def _office_events(replay: Replay, day: Day) -> int:
    """Return how many facts of the offices the day has, without what persons make of results."""
    streams = [
        stream
        for streams in replay.offices().values()
        for stream in streams
        if not numbered_here(stream)
    ]
    return sum(
        replay.last_seq_before(s, day.ends) - replay.last_seq_before(s, day.begins) for s in streams
    )
