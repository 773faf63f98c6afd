"""From the facts and rounds of an audited day to a night, which is what detections look at.

The rounds are those that the audit hands out (``on_round``); the facts beside them say who dealt,
which dice, shaker and wheel were in use, and when betting was closed. After a gap what outlives a
round is not known until it is stated again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from ledger.audit import HouseRecord, day_of, read_office, rounds_of
from ledger.casework.convolution import chances_of
from ledger.casework.history import (
    Decided,
    Handled,
    History,
    Night,
    Redeemed,
    TableWin,
    Untested,
)
from ledger.casework.outcome_laws import Laws, RoundLaw, Unit, wager_dependence_of
from ledger.casework.standing_wagers import NOTHING_STANDS, Followed
from ledger.casework.table_facts import DayAtTable, Issues, TableFacts
from ledger.kernel import MICROSECONDS, parse_round_id
from ledger.replay import DoubtBegins, FactStep, Replay
from ledger.rounds import Outcome, RoundResult, Settlement, WagerResult

HOUR: Final = 3600 * MICROSECONDS


def history_of(
    replay: Replay, days: Iterable[date], *, lots: Mapping[str, str] | None = None
) -> History:
    """The nights of these gaming days, each replayed for its rounds.

    A run that audits a day anyway hands its rounds to ``night_of`` and keeps the nights.

    Args:
        replay: the ledger's.
        days: the gaming days.
        lots: the lot of each die by its set, where somebody knows it.

    Raises:
        PropertyUnknown: no fact describes the property.
    """
    house = read_office(replay)
    return tuple(
        night_of(replay, house, day, tuple(rounds_of(replay, day)), lots=lots)
        for day in sorted(set(days))
    )


def night_of(
    replay: Replay,
    house: HouseRecord,
    day: date,
    rounds: Sequence[RoundResult],
    *,
    lots: Mapping[str, str] | None = None,
) -> Night:
    """One gaming day as sequences.

    Args:
        replay: the ledger's replay.
        house: its office, as ``read_office`` gives it.
        day: the gaming day.
        rounds: the rounds of that day, in any order.
        lots: the supplier's lot of a die by its serial, beside what inspections of dice recorded
            (``ItemInspected`` of a die that saw a ``lot``); where neither says it, none is asked.
    """
    by_table: dict[str, list[RoundResult]] = {name: [] for name in replay.tables()}
    for result in rounds:
        by_table.setdefault(result.table, []).append(result)
    laws = Laws(house.office)
    parts = [
        table_night(replay, house, table, day, held, laws=laws, lots=lots)
        for table, held in sorted(by_table.items())
    ]
    return joined_night(replay, house, day, parts)


def table_night(
    replay: Replay,
    house: HouseRecord,
    table: str,
    day: date,
    rounds: Sequence[RoundResult],
    *,
    laws: Laws,
    lots: Mapping[str, str] | None = None,
) -> Night:
    """One table's part of a gaming day; its coupons do not know yet who gave them out.

    Args:
        replay: the ledger's replay.
        house: its office.
        table: which table.
        day: the gaming day.
        rounds: the table's rounds of that day, in any order.
        laws: of the rounds of this office; what it has priced is used again.
        lots: as for ``night_of``.
    """
    span = day_of(house.clock, day)
    streams = replay.tables().get(table, ())
    seen = DayAtTable(table, TableFacts(lots or {}))
    for step in replay.walk(streams, until=span.begins, only=TableFacts.LASTING):
        _tell(seen, step, begun=False)
    for step in replay.walk(streams, since=span.begins, until=span.ends, only=TableFacts.WANTED):
        _tell(seen, step, begun=True)
    if not rounds:
        return Night(
            day=day, begins=span.begins, throws=tuple(seen.throws), spins=tuple(seen.spins)
        )
    part = _Table(seen, rounds, laws, span.begins)
    return Night(
        day=day,
        begins=span.begins,
        throws=tuple(seen.throws),
        spins=tuple(seen.spins),
        rounds=tuple(part.decided),
        late=tuple(part.late),
        wins=tuple(part.wins()),
        untested=tuple(part.untested()),
        handled=tuple(part.handled()),
        redeemed=tuple(part.redeemed()),
        busy=tuple(part.busy()),
    )


def joined_night(replay: Replay, house: HouseRecord, day: date, parts: Sequence[Night]) -> Night:
    """The parts of all tables, by name of table, as one night.

    Args:
        replay: the replay of the ledger, for who was given the redeemed coupons.
        house: the office facts, with the property's clock.
        day: the gaming day.
        parts: one for each table, in byte order of the tables.
    """
    span = day_of(house.clock, day)
    redeemed = [one for part in parts for one in part.redeemed]
    return Night(
        day=day,
        begins=span.begins,
        throws=tuple(one for part in parts for one in part.throws),
        spins=tuple(one for part in parts for one in part.spins),
        rounds=tuple(one for part in parts for one in part.rounds),
        late=tuple(one for part in parts for one in part.late),
        wins=tuple(one for part in parts for one in part.wins),
        untested=tuple(one for part in parts for one in part.untested),
        handled=tuple(one for part in parts for one in part.handled),
        redeemed=tuple(_given_out(replay, span.ends, redeemed)),
        busy=tuple(one for part in parts for one in part.busy),
    )


def _given_out(replay: Replay, ends: int, redeemed: Sequence[Redeemed]) -> Iterator[Redeemed]:
    """Coupons that were used up, with who gave them out, to whom and when."""
    if not redeemed:
        return
    issues = Issues()
    offices = [one for streams in replay.offices().values() for one in streams]
    for step in replay.walk(offices, until=ends, only=Issues.WANTED):
        if isinstance(step, FactStep):
            issues.take(step.fact)
    for redemption in redeemed:
        issuer, given_to, issued = issues.of(redemption.serial)
        yield replace(
            redemption, issuer=issuer, patron=redemption.patron or given_to, issued=issued
        )


def _tell(seen: DayAtTable, step: object, *, begun: bool) -> None:
    if isinstance(step, FactStep):
        seen.take(step.fact, begun=begun)
    elif isinstance(step, DoubtBegins):
        seen.forget()


class _Table:
    """What the rounds of one table's day come to."""

    def __init__(
        self, seen: DayAtTable, rounds: Sequence[RoundResult], laws: Laws, begins: int
    ) -> None:
        self.seen, self.laws, self.begins = seen, laws, begins
        self.rounds = sorted(rounds, key=lambda one: (one.opened_at, one.round))
        self.decided: list[Decided] = []
        self.late: list[Decided] = []
        self.known: dict[tuple[str, str], list[RoundLaw]] = {}
        self.without: dict[tuple[str, str, str], list[int]] = {}
        self.followed: dict[str, Followed] = {}
        for result in self.rounds:
            if result.wagers:
                self._decide(result)

    def _decide(self, result: RoundResult) -> None:
        before, standing = NOTHING_STANDS, wager_dependence_of(result.game).standing
        if standing is not None:
            before = self.followed.setdefault(result.game, Followed(standing)).take(result)
        for unit in self.laws.units(result, result.wagers, before):
            if unit.law is not None:
                self.known.setdefault((result.game, unit.part), []).append(unit.law)
            self.decided.append(_decided(result, unit))
        late = [one for one in result.wagers if one.late and one.wager_id not in before.over]
        people = sorted({one.patron for one in late if one.patron})
        for patron, of in (("", late), *((p, [w for w in late if w.patron == p]) for p in people)):
            for unit in self.laws.units(result, of, before) if of else ():
                self.late.append(_decided(result, unit, patron))
        for wager, why in self.laws.untested(result, result.wagers):
            counts = self.without.setdefault((result.game, wager.wager, why), [0, 0])
            counts[0], counts[1] = counts[0] + 1, counts[1] + (wager in late)

    def wins(self) -> Iterable[TableWin]:
        """The table's day, each part of a game apart; nothing where no round has a law."""
        for (game, part), known in sorted(self.known.items()):
            whole = [one.summand for one in known if one.summand is not None]
            why = next((one.why for one in known if one.summand is None and not one.without), "")
            chances = chances_of(whole) if whole and not why else None
            why = why or ("" if chances else "the grid is too fine" if whole else known[0].why)
            left_out = sum(
                bool(one.out) for one in self.decided if (one.game, one.part) == (game, part)
            )
            yield TableWin(
                table=self.seen.table,
                game=game,
                rounds=len(known),
                left_out=left_out,
                staked_cents=sum(one.stake_cents for one in known),
                won_cents=round(-sum(one.came for one in known)),
                expected_cents=-sum(one.mean for one in known),
                chance_low=chances[1] if chances else None,
                chance_high=chances[0] if chances else None,
                why=why,
                part=part,
                without=next((one.without for one in known if one.without), ""),
            )

    def untested(self) -> Iterable[Untested]:
        """The wagers of which no law is held, by name."""
        for (game, wager, why), (wagers, late) in sorted(self.without.items()):
            yield Untested(
                table=self.seen.table, game=game, wager=wager, why=why, wagers=wagers, late=late
            )

    def handled(self) -> Iterable[Handled]:
        """Settled wagers by who dealt, who supervised and whose they were."""
        settled_by: dict[tuple[str, str, str], list[tuple[RoundResult, WagerResult]]] = {}
        for result in self.rounds:
            for wager in result.wagers:
                if wager.observed is not None and _net(wager.expected) is not None:
                    dealer, over = self.seen.hands.get((result.round, wager.wager_id), ("", ""))
                    settled_by.setdefault((dealer, over, wager.patron or ""), []).append(
                        (result, wager)
                    )
        for (dealer, supervisor, patron), settlements in sorted(settled_by.items()):
            errors = [one.difference_cents or 0 for _, one in settlements]
            first, last = settlements[0][0], settlements[-1][0]
            stands_late = sum(one.late for _, one in settlements)
            yield Handled(
                table=self.seen.table,
                dealer=dealer,
                supervisor=supervisor,
                patron=patron,
                wagers=len(settlements),
                over=sum(error > 0 for error in errors),
                under=sum(error < 0 for error in errors),
                late=stands_late,
                over_cents=sum(error for error in errors if error > 0),
                under_cents=-sum(error for error in errors if error < 0),
                stream=first.stream,
                first=parse_round_id(first.round).seq,
                last=parse_round_id(last.round).seq,
                at=last.opened_at,
            )

    def redeemed(self) -> Iterable[Redeemed]:
        """Coupons used up, with the patron whose wager it was."""
        patrons = {
            (one.wager_id, coupon.serial): one.patron
            for result in self.rounds
            for one in result.wagers
            for coupon in one.coupons
        }
        for fact, dealer in self.seen.coupons:
            yield Redeemed(
                at=fact.event_time,
                stream=fact.stream,
                seq=fact.seq,
                table=self.seen.table,
                serial=fact.serial,
                dealer=fact.redeemed_by or dealer,
                patron=patrons.get((fact.wager_id or "", fact.serial)) or "",
            )

    def busy(self) -> Iterable[tuple[str, int, int]]:
        """Decided wagers by hour after the day's start."""
        hours: dict[int, int] = {}
        for result in self.rounds:
            hour = (result.opened_at - self.begins) // HOUR
            hours[hour] = hours.get(hour, 0) + len(result.wagers)
        return [(self.seen.table, hour, n) for hour, n in sorted(hours.items()) if n]


def _decided(result: RoundResult, unit: Unit, patron: str = "") -> Decided:
    opened, law = parse_round_id(result.round), unit.law
    return Decided(
        at=result.opened_at,
        stream=opened.stream,
        seq=opened.seq,
        table=result.table,
        game=result.game,
        came=0.0 if law is None else law.came,
        mean=0.0 if law is None else law.mean,
        low=0.0 if law is None else law.low,
        high=None if law is None else law.high,
        spread=0.0 if law is None else law.spread,
        patron=patron,
        out=unit.why,
        part=unit.part,
    )


def _net(side: Settlement) -> int | None:
    if side.outcome in (Outcome.UNKNOWN, Outcome.STANDS):
        return None
    if side.winnings_cents is None or side.stake_taken_cents is None:
        return None
    return side.winnings_cents - side.stake_taken_cents
