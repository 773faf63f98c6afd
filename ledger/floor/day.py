"""One table's gaming day, from opening to closing, as steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from heapq import heappop, heappush
from random import Random
from typing import Final

from ledger.floor import (
    asia_poker_equipment,
    asia_poker_payouts,
    between_rounds,
    dreamcatcher_payouts,
    props_and_hops_payouts,
    sic_bo_payouts,
    three_dice_football_payouts,
)
from ledger.floor.asia_poker_round import play_asia_poker
from ledger.floor.betting import Twist
from ledger.floor.dreamcatcher_round import play_dreamcatcher
from ledger.floor.opening_and_closing import DICE_LIFE, close_table, count_box, open_table
from ledger.floor.props_and_hops_carryover import Hand
from ledger.floor.props_and_hops_round import play_props_and_hops
from ledger.floor.sic_bo_round import play_sic_bo
from ledger.floor.stream_pens import HOUR, MINUTE, SECOND
from ledger.floor.table_state import CarriedRound, Kind, Step, Table
from ledger.floor.tables import LimitsChange
from ledger.floor.three_dice_football_crew import Crew, relieve_crew
from ledger.floor.three_dice_football_round import play_three_dice_football
from ledger.kernel import PropertyClock

Chore = Callable[[Table], Step]

_RELIEF: Final = 58 * MINUTE
_ROUND_SECONDS: Final = {
    sic_bo_payouts.NAME: 80, dreamcatcher_payouts.NAME: 80, three_dice_football_payouts.NAME: 240, props_and_hops_payouts.NAME: 80,
    asia_poker_payouts.NAME: 200,
}  # fmt: skip
_LEAST_OPEN: Final = 25 * MINUTE
_NIGHT_COUNT: Final = 40 * MINUTE
"""How long after its closing a table's box is counted."""

_TWISTS: Final = (  # how many rounds of a full day have it; the first ones also of a short day
    (Twist.DEVICE_FAILS, 1, "dice"),
    (Twist.NO_ROLL, 4, "dice"),
    (Twist.SHAKER_FAILS, 2, "automated"),
    (Twist.BETWEEN, 4, "wheel"),
    (Twist.SHORT, 4, "wheel"),
    (Twist.STACKED, 1, "wheel"),
    (Twist.NO_ROLL, 4, "one deck"),
    (Twist.SHUFFLER_FAILS, 2, "one deck"),
    (Twist.SHOE_FAILS, 2, "two decks"),
    (Twist.DEALER_CARD, 2, "cards"),
    (Twist.PLAYER_CARD, 4, "cards"),
    (Twist.FACE_UP, 2, "cards"),
    (Twist.WRONG_COUNT, 1, "cards"),
    (Twist.SHORT_DECK, 1, "cards"),
    (Twist.TAKEN_DOWN, 6, "wagers"),
    (Twist.HANDED_BACK, 5, "wagers"),
    (Twist.INCREASED, 15, "wagers"),
    (Twist.MOVED, 5, "movable"),
    (Twist.REFUSED, 3, "wagers"),
    (Twist.TAKE_DOWN_REFUSED, 4, "wagers"),
    (Twist.NO_ROLL, 4, "props"),
    (Twist.LID_LIFTED, 2, "props"),
    (Twist.OFF_TABLE, 2, "football"),
    (Twist.COCKED, 3, "football"),
    (Twist.FAR_END, 3, "football"),
    (Twist.PROPPED, 1, "football"),
    (Twist.DISPUTED, 1, "football"),
)
_PLAYS: Final[dict[str, Callable[[Table, Twist | None], None]]] = {
    sic_bo_payouts.NAME: play_sic_bo,
    dreamcatcher_payouts.NAME: play_dreamcatcher,
    three_dice_football_payouts.NAME: play_three_dice_football,
    props_and_hops_payouts.NAME: play_props_and_hops,
    asia_poker_payouts.NAME: play_asia_poker,
}
_CARRIED: Final[dict[str, Callable[[], CarriedRound]]] = {
    three_dice_football_payouts.NAME: Crew,
    props_and_hops_payouts.NAME: Hand,
}


class Day:
    """The timetable of a table on a gaming day."""

    def __init__(
        self, table: Table, day: date, clock: PropertyClock, seed: int, scale: float
    ) -> None:
        spec = table.spec
        self.table = table
        self.start = clock.start_of(day)
        self.opens = self.start + spec.opens_minutes * MINUTE - clock.starts_minutes * MINUTE
        span = max(_LEAST_OPEN, int(spec.open_minutes * scale) * MINUTE)
        self.closes = self.opens + span
        self._due: list[tuple[int, int, Chore]] = []
        self._added = 0
        self._notices: dict[LimitsChange, int] = {}
        table.day = day.isoformat()
        table.rng = Random(f"{seed}/{day}/{spec.name}")
        table.time = self.opens - 15 * MINUTE
        table.steps = 0
        table.carried = _CARRIED[spec.game]() if spec.game in _CARRIED else None
        table.wager_count = table.round_count = table.slip_count = table.patron_count = 0
        self.twists = self._choose_twists(span)

    def _choose_twists(self, span: int) -> dict[int, Twist]:
        """In which rounds something unusual but lawful happens."""
        spec = self.table.spec
        here = {
            "dice": spec.is_dice,
            "automated": spec.automated,
            "wheel": spec.is_wheel,
            "cards": spec.is_cards,
            "one deck": spec.is_cards and len(spec.offer.decks) == 1,
            "two decks": spec.is_cards and len(spec.offer.decks) == 2,
            "football": spec.is_football,
            "props": spec.is_props,
            "wagers": spec.sees_wagers,
            "movable": spec.sees_wagers and not spec.is_football,
        }
        rounds = max(6, int(span / SECOND / _ROUND_SECONDS[spec.game] * 0.8))
        share = min(1.0, span / (12 * HOUR))
        wanted = [
            twist
            for twist, count, where in _TWISTS
            if here[where]
            for _ in range(max(1, round(count * share)))
        ][: rounds - 3]
        chosen = self.table.rng.sample(range(2, rounds), len(wanted))
        return dict(zip(chosen, wanted, strict=True))

    def _at(self, due: int, chore: Chore) -> None:
        self._added += 1
        heappush(self._due, (due, self._added, chore))

    def _plan_chores(self) -> None:
        table, span = self.table, self.closes - self.opens
        for hour in range(1, span // _RELIEF + 1):
            relief = relieve_crew if table.spec.is_football else between_rounds.relieve_dealer
            self._at(self.opens + hour * _RELIEF, relief)
        if span > 6 * HOUR:
            self._at(self.opens + span // 2 + 7 * MINUTE, between_rounds.change_floorperson)
            camera = self.opens + int(span * (0.3 + 0.4 * table.rng.random()))
            if not table.spec.is_football:  # which cannot do without (§ 577.9(a))
                self._at(camera, between_rounds.lose_camera)
                self._at(camera + 4 * MINUTE, between_rounds.restore_camera)
        for change in table.spec.changes:
            if change.empty:
                self._at(table.time, self._limits(change))  # nobody has come yet
            elif span > 4 * HOUR:
                self._at(self.opens + int(span * change.at), self._limits(change))
        if table.spec.is_cards:
            for number in range(1, span // asia_poker_equipment.DECK_LIFE + 1):
                due = self.opens + number * asia_poker_equipment.DECK_LIFE
                self._at(due, asia_poker_equipment.change_decks)
        if table.dice is not None:
            half = self.opens + span // 2
            due = min(half, table.dice.placed_at + DICE_LIFE - HOUR)
            self._at(max(due, self.opens + span // 10), between_rounds.replace_dice)

    def _limits(self, change: LimitsChange) -> Chore:
        """The chore that begins a change of limits: at once, or with its notice."""
        if change.empty:
            return lambda table: between_rounds.change_limits(table, change, None)

        def notify(table: Table) -> Step:
            ordinal = table.steps
            step, effective = between_rounds.give_notice(table, change)
            self._at(effective, lambda table: between_rounds.change_limits(table, change, ordinal))
            return step

        return notify

    def play(self) -> Iterator[Step]:
        """The steps of the day, in order."""
        table = self.table
        yield open_table(table)
        yield between_rounds.first_fill(table)
        assert table.time < self.opens + 15 * MINUTE, "the opening takes its time, not all day"
        self._plan_chores()
        play_round = _PLAYS[table.spec.game]
        arrives = table.time + 2 * MINUTE
        while table.time < self.closes:
            while self._due and self._due[0][0] <= table.time:
                yield heappop(self._due)[2](table)
            arriving = arrives <= table.time
            if arriving:
                arrives += int(table.rng.expovariate(table.spec.seats / 95) * MINUTE)
            seats = between_rounds.change_seats(table, arriving)
            if seats is not None:
                yield seats
            if not table.patrons:
                later = min(arrives, self._due[0][0] if self._due else arrives)
                table.time = max(table.time + SECOND, later)
                continue
            rack = between_rounds.even_out_rack(table)
            if rack is not None:
                yield rack
            table.begin()
            play_round(table, self.twists.get(table.round_count))
            yield table.finish(Kind.ROUND)
        yield close_table(table)
        yield count_box(table, table.time + _NIGHT_COUNT)
