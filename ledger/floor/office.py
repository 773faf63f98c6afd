"""What the property says of itself: place and time, sources, filings, approvals, control totals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ledger import events
from ledger.floor import (
    asia_poker_equipment,
    dreamcatcher_payouts,
    people,
    props_and_hops_payouts,
    sic_bo_payouts,
    three_dice_football_payouts,
)
from ledger.floor.stream_pens import HOUR, SECOND, Pen, Stamp
from ledger.floor.tables import TableSpec
from ledger.kernel import PropertyClock

OFFICE: Final = "house"
TERMINAL: Final = "T-OFFICE"
CLOCK: Final = PropertyClock("America/New_York", 6 * 60)
UNCERTAINTY: Final = 20_000
TOLERANCE: Final = 20_000


class Office:
    """Writes the house's own stream."""

    def __init__(self, tables: Sequence[TableSpec], pause: int = SECOND) -> None:
        """Write for these tables; ``pause``: microseconds from each fact to the next."""
        self._tables = tables
        self._pause = pause
        self.pen = Pen(OFFICE, TERMINAL)
        self._at = 0

    def _stamp(self) -> Stamp:
        self._at += self._pause
        return self.pen.stamp(self._at, people.SHIFT_MANAGER)

    def stamp(self) -> Stamp:
        """The first five fields of the house's next fact."""
        return self._stamp()

    def standing_facts(self, day_start: int) -> list[events.Fact]:
        """The standing facts, once: they precede the first opening."""
        self._at = day_start
        facts: list[events.Fact] = []
        for person, department, role in people.everybody(self._tables):
            facts.append(
                events.PersonCredentialled(
                    **self._stamp(), person=person, department=department, role=role, revoked=False
                )
            )
        for reviewer in people.REVIEWERS:
            facts.append(
                events.CredentialDescribed(
                    **self._stamp(),
                    person=reviewer.person,
                    rank=reviewer.rank,
                    printed_name=reviewer.printed_name,
                    same_person_as=None,
                    expires_time=None,
                )
            )
        facts.append(
            events.PropertyDescribed(
                **self._stamp(),
                name="Keystone Landing",
                certificate_holder="Keystone Landing Gaming LLC",
                time_zone=CLOCK.time_zone,
                gaming_day_starts_minutes=CLOCK.starts_minutes,
            )
        )
        sources = [(OFFICE, TERMINAL), *(pair for spec in self._tables for pair in spec.streams)]
        for stream, source in sources:
            facts.append(
                events.SourceRegistered(
                    **self._stamp(),
                    registered_stream=stream,
                    registered_source=source,
                    since=day_start - 24 * HOUR,
                    clock_uncertainty_micros=UNCERTAINTY,
                    order_tolerance_micros=TOLERANCE,
                )
            )
        for spec in self._tables:
            facts += self._filing(spec)
            facts += self._approvals(spec)
        return facts

    def _filing(self, spec: TableSpec) -> list[events.Fact]:
        limit = spec.payout_limit
        filed = events.RulesSubmissionFiled(
            **self._stamp(),
            submission=spec.submission,
            game=spec.game,
            tables=(spec.name,),
            paytable=paytable(spec),
            breakage=None,
            payout_limit=None
            if limit is None
            else events.PayoutLimit(limit_cents=limit, scope=events.LimitScope.PATRON_AND_ROUND),
            increment_cents=spec.increment,
            layout=spec.layout,
            readings=(),
            supersedes=None,
        )
        facts: list[events.Fact] = [filed]
        if spec.is_cards:
            facts += asia_poker_equipment.filed_options(spec, self._stamp(), self._stamp())
        if spec.is_props:
            groups = tuple(
                events.HopGroup(wager=wager, combinations=listed)
                for wager, listed in props_and_hops_payouts.HOPS.items()
            )
            facts.append(
                events.HopGroupsFiled(
                    **self._stamp(), submission=spec.submission, layout=spec.layout, groups=groups
                )
            )
        stamp = self._stamp()
        approved = events.RulesSubmissionApproved(
            **stamp,
            submission=spec.submission,
            approved_time=stamp["event_time"],
            approved_by=people.DIRECTOR,
        )
        return [*facts, approved]

    def _approvals(self, spec: TableSpec) -> list[events.Fact]:
        operations, laboratory = (
            events.Bureau.GAMING_OPERATIONS,
            events.Bureau.GAMING_LABORATORY_OPERATIONS,
        )
        facts: list[events.Fact] = [
            events.LayoutApproved(
                **self._stamp(),
                layout=spec.layout,
                game=spec.game,
                bureau=operations,
                boxes_approved=True,
            )
        ]
        equipment = [(spec.device, laboratory), (spec.shaker, operations)] if spec.is_dice else []
        if spec.automated:
            equipment.append((spec.shaker, laboratory))
        if spec.is_cards:
            equipment += asia_poker_equipment.approvals(spec)
        if spec.is_props:
            equipment.append((spec.shaker, operations))
        facts += self._received(spec)
        for which, bureau in equipment:
            facts.append(
                events.EquipmentApproved(
                    **self._stamp(), equipment=which, bureau=bureau, withdrawn=False
                )
            )
        for sign in spec.signs:
            facts.append(
                events.SignApproved(
                    **self._stamp(),
                    sign=sign,
                    location=True,
                    size=True,
                    language=True,
                    bureau=operations,
                )
            )
        return facts

    def _received(self, spec: TableSpec) -> list[events.Fact]:
        """Dice and shakers that came into stock for the tables whose chapters ask for it."""
        stock: list[tuple[events.EquipmentKind, str, int]] = []
        if spec.is_props or spec.is_football:
            stock.append(
                (events.EquipmentKind.DICE, f"DICE-{spec.name}", 100 * len(spec.dice_colours))
            )
        if spec.is_props:
            stock.append((events.EquipmentKind.SHAKER, spec.shaker, 1))
        return [
            events.EquipmentReceived(
                **self._stamp(),
                kind=kind,
                equipment=which,
                pieces=pieces,
                complies=True,
                inspected_by=people.SHIFT_MANAGER,
            )
            for kind, which, pieces in stock
        ]

    def check_clocks(self, day_start: int) -> list[events.Fact]:
        """Every terminal's clock against the reference, each morning."""
        self._at = max(self._at, day_start + 600 * SECOND)
        sources = sorted({source for spec in self._tables for _, source in spec.streams})
        return [
            events.ClockChecked(
                **self._stamp(),
                checked_source=source,
                offset_micros=(day_start // SECOND + 977 * number) % 8_001 - 4_000,
                reference="time server of the property",
            )
            for number, source in enumerate(sources)
        ]

    def close_day(
        self, day: str, at: int, ends: Iterable[tuple[str, int]]
    ) -> events.GamingDayClosed:
        """The control totals of a day.

        Args:
            day: the gaming day, ISO 8601.
            at: when it is closed, microseconds UTC.
            ends: each stream with its last number.
        """
        self._at = at - SECOND
        stamp = self._stamp()
        last = [*ends, (OFFICE, stamp["seq"])]
        return events.GamingDayClosed(
            **stamp,
            gaming_day=day,
            streams=tuple(
                events.StreamEnd(stream=name, last_seq=seq) for name, seq in sorted(last)
            ),
        )


def paytable(spec: TableSpec) -> tuple[events.FiledOdds, ...]:
    """The odds filed for a table, every row of it."""
    if spec.is_cards:
        return asia_poker_equipment.paytable(spec)
    for game in (three_dice_football_payouts, props_and_hops_payouts):
        if spec.game == game.NAME:
            return tuple(
                events.FiledOdds(wager=wager, on=row, odds=f"{pays}:{on}")
                for (wager, row), (pays, on) in game.ODDS.items()
            )
    if spec.is_dice:
        return tuple(
            events.FiledOdds(wager=wager, on=row, odds=f"{odds}:1")
            for (wager, row), odds in sic_bo_payouts.FILED.items()
        )
    return tuple(
        events.FiledOdds(wager=wager, on=None, odds=f"{odds}:1")
        for wager, odds in dreamcatcher_payouts.LEAST.items()
    )
