"""One table's facts, in merged order, cut into rounds of play and judged.

The room says what the regulation makes of each fact, the house what was in force, the book how the
wagers lie; this module only brings them together and closes rounds. After a doubt a round is
unknown, unless all of it was settled before; the next betting-opened fact is firm ground.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain
from typing import Any

from ledger.coupons import CouponLookup
from ledger.events import (
    BettingOpened,
    Capture,
    Fact,
    LimitsSet,
    TableClosed,
    TableOpened,
    WagerPlaced,
    WagerReturned,
    WagerSettled,
)
from ledger.games import BY_GAME
from ledger.games.room import Breach, Room, Rules, State, Unsure
from ledger.house import Office, TableHouse
from ledger.kernel import Certainty, Finding, PropertyClock, Standing, ref_of
from ledger.rounds.coupons import Desk
from ledger.rounds.ending import carried_over, end_round, unknown_round
from ledger.rounds.gap import CALLED_OFF, is_decided, is_settled, shows_another
from ledger.rounds.lanes import Lanes
from ledger.rounds.late import ENDED, is_of_late, settled_late, unsure_if_unsettled
from ledger.rounds.moments import SHOWS, accepted, moment, refused, was_early
from ledger.rounds.placed import COUPON_FACTS, WAGER_FACTS, WagerFact
from ledger.rounds.placed import PlacedWager
from ledger.rounds.posts import POSTED, Post, follow
from ledger.rounds.redeemed import accepted as taken
from ledger.rounds.redeemed import elsewhere
from ledger.rounds.report import as_finding
from ledger.rounds.result import RoundResult
from ledger.rounds.round import Days, Lapse, Round
from ledger.rounds.ruled import ruled
from ledger.rounds.telling import LASTING, ONCE_A_ROUND, WITH_COUPONS, game_unknown, outlives

PENDING_FACTS = 10_000
"""How many facts of a closed table are kept: the next opening may be of another game."""


class TablePlay:
    """Feed it a table's facts and doubts; it hands out rounds as they close, and findings.

    ``rooms`` are those of the law; others only where it is asked what another text would make.
    """

    def __init__(
        self,
        table: str,
        office: Office,
        clock: PropertyClock,
        *,
        explain: bool = False,
        rooms: Mapping[str, Room] = BY_GAME,
        coupons: CouponLookup | None = None,
    ) -> None:
        self.table = table
        self.rooms, self.office = rooms, office
        self.days = Days(clock)
        self.room: Room | None = None
        self.game: str | None = None
        self.state: Any = None
        self.house: TableHouse | None = None
        self.round: Round | None = None
        self.late: Round | None = None
        self.pending: list[Fact | Lapse] = []
        self.findings: list[Finding] = []
        self.doubts: dict[str, str] = {}
        self.told: set[str] = set()
        self.capture: Capture | None = None
        self.facts = self.at = 0
        self.explain = explain
        self.carried: dict[str, PlacedWager] = {}
        self.posts: list[Post] = []
        self.desk = Desk(table, office, coupons)
        self.reach = office.clocks.widest(table)
        self.lanes = Lanes(self) if self.reach else None

    # --- what comes in ------------------------------------------------------------------------

    def take(self, fact: Fact, at: int) -> Iterable[RoundResult]:
        """Take one fact; a round that it closes is handed out, and must be taken.

        ``at`` is the moment by which the fact was merged, which decides its gaming day.
        """
        return self.follow(fact, at) if self.lanes is None else self.lanes.take(fact, at)

    def follow(self, fact: Fact, at: int) -> Iterable[RoundResult]:
        """Take one fact in this one order."""
        self.facts += 1
        self.at = at
        days = self.days
        if days.begins <= at < days.ends:
            return self._follow(fact, at)
        kept: list[RoundResult] = []
        if at >= days.ends and days.day is not None:
            if self.round is None:
                kept += self._late_ends()
            self._day_ends()
            self.desk.day_ends()
        days.of(at)
        return chain(kept, self._follow(fact, at))

    def _follow(self, fact: Fact, at: int) -> Iterable[RoundResult]:
        kind, house = type(fact), self.house
        if self.late is not None and is_of_late(self.desk, self.round, self.late, fact):
            self._afterwards(fact, self.late)
            return ()
        if kind in TURNS or house is None or house.opened is None:
            return self._turned_by(fact, at)
        if kind in POSTED:
            follow(self.posts, fact, at)
        return self._of_open_round(fact)

    def _of_open_round(self, fact: Fact) -> Iterable[RoundResult]:
        if self.round is not None and self.round.parted:
            return self._after_gap(fact, self.round)
        self._judge(fact)
        return ()

    def _after_gap(self, fact: Fact, now: Round) -> Iterator[RoundResult]:
        """A fact after a gap in a round that was decided before: it may be of another round."""
        if type(fact) in CALLED_OFF:
            now.parted = now.whole = False
        elif shows_another(now, fact):
            why = now.doubtful
            yield from self._close(firm=True, by_table=False)
            assert self.house is not None
            day = self.days.of(self.at)
            another = self._open_round(fact, day, self.house.rules(day, fact.event_time))
            another.doubtful, another.facts = why, 0
        self._judge(fact)

    def _turned_by(self, fact: Fact, at: int) -> Iterator[RoundResult]:
        """A fact that ends a round or opens a table, or that came while none was open."""
        kind = type(fact)
        if kind in POSTED:
            follow(self.posts, fact, at)
        if isinstance(fact, TableOpened):
            yield from self._table_opened(fact)
            return
        if self.room is None and isinstance(fact, BettingOpened):
            yield from self._play_without_opening(fact)
        shut = self.room is None or self.house is None or self.house.opened is None
        if shut and len(self.pending) < PENDING_FACTS:
            self.pending.append(fact)
        if self.room is not None:
            if kind in ENDS and self.round is not None:
                yield from self._closed_by(fact, self.round)
            yield from self._of_open_round(fact)
        elif self.game is not None and kind in WITH_COUPONS:
            day = self.days.of(at)
            for breach in elsewhere(self.desk, fact, self.game, day):
                told = as_finding(breach, day=day, stream=fact.stream, round_id=None)
                self.findings.append(told)

    def doubt(self, stream: str, why: str, *, ends: bool) -> None:
        """Facts of a stream were lost or contradict each other, from here or until here."""
        for other in self._others():
            other.doubt(stream, why, ends=ends)
        if ends:
            self.doubts.pop(stream, None)
        else:
            self.doubts[stream] = why
        if self.round is not None:
            self._lost(self.round, why, ends=ends)
        if self.late is not None:
            self.late.lost = True
        if self.house is None or self.room is None or self.house.opened is None:
            self.pending.append(Lapse(stream, why, ends))
        self.forget(stream)

    def _lost(self, now: Round, why: str, *, ends: bool) -> None:
        """Facts were lost in the open round; one that is decided and settled stands as it is."""
        assert self.room is not None
        if not ends and now.doubtful is None and is_decided(now):
            now.parted, now.whole = True, is_settled(now)
            if now.whole:  # what was owed and never came may be among what is missing
                rulings = self.room.close(now.rules, self.state, now.last)
                self._tell(list(ruled(now, rulings)), now, now.day, now.opened)
        now.doubtful = why

    def forget(self, stream: str) -> None:
        """What was stated before, in this stream or any, is not certain until stated again."""
        self.told.clear()
        if self.house is not None and self.room is not None:
            self.house.forget()
            self.state = self.room.evolve(self.state, Unsure(stream))

    def day_ends(self) -> None:
        """A gaming day is over: what only later facts would show is judged by its end."""
        for other in self._others():
            other.day_ends()
        self._day_ends()

    def _others(self) -> Iterable[TablePlay]:
        """The plays of the same table in other orders."""
        return () if self.lanes is None else self.lanes.each()

    def _day_ends(self) -> None:
        day, house = self.days.day, self.house
        if day is None or house is None or house.staff.alone is None:
            return
        rules = house.rules(day, self.days.ends)
        left = house.staff.alone[0]
        for breach in house.staff.unattended(rules, self.days.ends):
            if self.rules_held(day):
                self.findings.append(as_finding(breach, day=day, stream=left.stream, round_id=None))

    def finish(self) -> Iterable[RoundResult]:
        """The record ends here: the open round is handed out as far as it goes."""
        return self.end() if self.lanes is None else self.lanes.finish()

    def end(self) -> Iterator[RoundResult]:
        """The record ends in this one order."""
        if self.round is not None:
            yield from self._close(firm=False, by_table=False)
        yield from self._late_ends()

    def done_with(self, day: date) -> bool:
        """Whether no round of this gaming day, or of one before it, is still to be handed out.

        One that no other follows is handed out with the first fact of a later day.
        """
        open_round = self.round
        return open_round is None or (self.late or open_round).day > day

    def told_so_far(self) -> list[Finding]:
        """What was told of the rounds that are still to be handed out."""
        return [one for now in (self.late, self.round) if now is not None for one in now.findings]

    # --- one fact -----------------------------------------------------------------------------

    def _table_opened(self, fact: TableOpened) -> Iterator[RoundResult]:
        room = self.rooms.get(fact.game)
        if room is None or room is not self.room:
            if self.round is not None:
                yield from self._close(firm=True, by_table=True)
            yield from self._late_ends()
            if room is None:
                self.room = self.house = None
                self._of_unknown_game(fact)
            else:
                yield from self.begin(room)
        self.capture, self.game = fact.capture, fact.game
        self.pending = []
        if self.room is not None:
            self._judge(fact)

    def begin(self, room: Room) -> Iterator[RoundResult]:
        """Take up a game: what came since the table last closed belongs to it."""
        self.room, self.state, self.carried = room, room.initial, {}
        self.house = TableHouse(self.table, room, self.office)
        pending, self.pending, self.doubts = self.pending, [], {}
        for earlier in pending:
            if isinstance(earlier, Lapse):
                self.doubt(earlier.stream, earlier.why, ends=earlier.ends)
                continue
            if type(earlier) in ENDS and self.round is not None:
                yield from self._closed_by(earlier, self.round)
            if self.late is not None and is_of_late(self.desk, self.round, self.late, earlier):
                self._afterwards(earlier, self.late)
            else:
                yield from self._of_open_round(earlier)

    def _play_without_opening(self, fact: BettingOpened) -> Iterator[RoundResult]:
        """Play at a table of which no fact says what game it is: the filings may tell."""
        games = {self.game} if self.game else self.office.games_filed_for(self.table)
        room = self.rooms.get(next(iter(games))) if len(games) == 1 else None
        if room is not None:
            self.game = room.game
            yield from self.begin(room)
        else:
            yield unknown_round(self.table, fact, self.days.of(fact.event_time), self.game)

    def _closed_by(self, fact: Fact, now: Round) -> Iterator[RoundResult]:
        """The round that a fact ends; the closing of the table belongs to it."""
        by_table = isinstance(fact, TableClosed)
        if by_table:
            now.last_fact = fact
        return self._close(firm=True, by_table=by_table)

    def _afterwards(self, fact: Fact, late: Round) -> None:
        """A fact of a wager, or of a coupon with it, after its round has ended."""
        assert self.house is not None
        late.afterwards.append(ref_of(fact))
        for now in (late, self.round):  # it stands among the facts of both
            if now is not None:
                now.facts += 1
        told: Any = fact
        if type(fact) in COUPON_FACTS:
            day = self.days.of(self.at)
            breaches = [*self.desk.take(self.house, late, told, self.at, day, ENDED)]
        else:
            breaches = [*settled_late(late, self.house, told)]
        self._tell(breaches, late, late.day, fact)

    def _judge(self, fact: Fact) -> None:
        """Let room, house and book say what they make of a fact, then turn the page."""
        room, house = self.room, self.house
        assert room is not None and house is not None
        kind, at = type(fact), fact.event_time
        now = self.round
        day = now.day if now is not None else self.days.day or self.days.of(at)
        rules = house.rules(day, at)
        if isinstance(fact, BettingOpened):
            now = self._open_round(fact, day, rules)
        elif now is not None:
            now.facts += 1
            now.last_fact = fact
            now.shown += kind in SHOWS
        before = self.state
        rulings = room.decide(rules, before, fact)
        state = room.evolve(before, fact)
        breaches: list[Breach] = []
        if rulings:
            breaches.extend(ruled(now, rulings))
            for ruling in rulings:
                state = room.evolve(state, ruling)
        self.state = state
        told: Any = fact
        if kind in WAGER_FACTS:
            if now is not None:
                breaches += self._of_wager(rules, told, now, before)
        elif kind in COUPON_FACTS:
            if now is not None:
                when = moment(self.office, now, before, told)
                taking = self.desk.take(house, now, told, self.at, self.days.of(self.at), when)
                breaches.extend(taking)
        elif house.minds(kind):
            self._of_house(rules, fact, now, day)
        if before.betting_open and now is not None and not state.betting_open:
            now.closed_by = fact
            breaches.extend(accepted(self.office, now))
            breaches.extend(taken(self.desk, now))
        if breaches:
            self._tell(breaches, now, day, fact)

    def _of_house(self, rules: Rules, fact: Fact, now: Round | None, day: date) -> None:
        """What the house's side of the table makes of a fact."""
        house = self.house
        assert house is not None
        standing = now.book.standing() if now is not None and type(fact) is LimitsSet else 0
        breaches = [*house.take(rules, fact, standing)]
        if house.opened is not None and house.submission is not house.judged_last:
            breaches.extend(house.judge_filings(rules, fact.event_time))
        if breaches:
            self._tell(breaches, now, day, fact, fold=True)

    def _of_wager(self, rules: Rules, fact: WagerFact, now: Round, before: State) -> list[Breach]:
        """What a fact of a wager means for the book, as the round stood before it."""
        assert self.house is not None
        found: list[Breach] = []
        if isinstance(fact, WagerSettled):
            found += was_early(now, fact) if now.early else ()
            found += now.book.settle(rules, fact, now.shown)
        else:
            found += now.book.take(rules, self.house, fact, moment(self.office, now, before, fact))
        if isinstance(fact, (WagerReturned, WagerSettled)):
            refused(now, fact)
        if now.coupons or (isinstance(fact, WagerPlaced) and fact.coupons):
            self.desk.follow(self.house, now, fact, self.at, self.days.of(self.at))
        return found

    def _open_round(self, fact: Fact, day: date, rules: Rules) -> Round:
        ref = ref_of(fact)
        now = Round(opened=fact, ref=ref, day=day, rules=rules, capture=self.capture)
        if self.doubts:
            now.doubtful = next(iter(self.doubts.values()))
        now.book.wagers.update(self.carried)
        now.coupons = any(wager.coupons for wager in self.carried.values())
        self.carried, self.round = {}, now
        return now

    # --- telling ------------------------------------------------------------------------------

    def _tell(
        self,
        breaches: Sequence[Breach],
        now: Round | None,
        day: date,
        fact: Fact,
        *,
        fold: bool = False,
    ) -> None:
        """Make findings of breaches.

        ``fold`` tells what cannot be shown once for each doubt and code: a value that outlives a
        round stays uncertain for many facts.
        """
        if not breaches:
            return
        held = self.rules_held(day)
        for breach in breaches:
            code = breach.duty.code
            if now is not None and code in ONCE_A_ROUND and code in now.codes:
                continue
            of_round = now is not None and (
                breach.wager is not None or breach.duty.cite.edition.chapter != "521"
            )
            if now is not None and now.doubtful and of_round and not outlives(breach):
                now.codes.add(code)
                continue
            if self.capture is Capture.COUNTS:
                continue  # a table that claims only counts is held to nothing else
            if self.doubts and breach.certainty is Certainty.BROKEN:
                breach = replace(breach, certainty=Certainty.UNKNOWN, effect_cents=None)
            if not held:
                continue
            lasting = fold or code in LASTING or breach.duty.cite.edition.chapter == "521"
            if breach.certainty is Certainty.UNKNOWN and lasting:
                if code in self.told:
                    continue
                self.told.add(code)
            finding = as_finding(
                breach,
                day=now.day if now is not None else day,
                stream=fact.stream,
                round_id=str(now.ref) if now is not None else None,
                facts=breach.facts or (ref_of(fact),),
            )
            if now is None:
                self.findings.append(finding)
            else:
                now.codes.add(code)
                now.findings.append(finding)

    def with_coupons(self) -> bool:
        """Whether coupons lie with wagers: how they fare hangs on facts of other tables too."""
        own = any(now is not None and now.coupons for now in (self.late, self.round))
        own = own or any(wager.coupons for wager in self.carried.values())
        return own or any(other.with_coupons() for other in self._others())

    def rules_held(self, day: date) -> bool:
        """Whether a text of the chapter is held for the day, or one that it continued."""
        return self.room is not None and self.room.law.edition.standing(day) is not Standing.NOT_YET

    def _of_unknown_game(self, fact: TableOpened) -> None:
        breach = game_unknown(self.office, fact)
        if breach is not None:
            day = self.days.day or self.days.of(fact.event_time)
            self.findings.append(as_finding(breach, day=day, stream=fact.stream, round_id=None))

    # --- closing ------------------------------------------------------------------------------

    def _close(self, *, firm: bool, by_table: bool) -> Iterator[RoundResult]:
        """Close the round; one that has ended is kept back for what comes for its wagers."""
        yield from self._late_ends()
        now, room = self.round, self.room
        assert now is not None and room is not None and self.house is not None
        now.limit_shown = self.house.payout_limit_shown()
        if now.whole:
            now.missing, now.doubtful = now.doubtful, None
        if now.resolution is not None or now.closed_by is not None:
            self._tell(list(accepted(self.office, now)), now, now.day, now.opened)
            self._tell(list(taken(self.desk, now)), now, now.day, now.opened)
        acted = any(wager.settled for wager in now.book.wagers.values())
        if not now.whole and (firm or acted or now.resolution is not None):
            rulings = room.close(now.rules, self.state, now.last)
            self._tell(list(ruled(now, rulings)), now, now.day, now.opened)
        self.round = None
        if not firm:
            yield self._hand_out(now, firm=False, by_table=False)
            return
        self.carried, breaches = carried_over(self, now, by_table=by_table)
        self._tell(breaches, now, now.day, now.opened)
        self.late, now.by_table = now, by_table

    def _late_ends(self) -> Iterator[RoundResult]:
        """Nothing more is expected for the round that ended before."""
        late, self.late = self.late, None
        if late is not None:
            yield self._hand_out(late, firm=True, by_table=late.by_table)

    def _hand_out(self, now: Round, *, firm: bool, by_table: bool) -> RoundResult:
        result, breaches = end_round(self, now, firm=firm, by_table=by_table)
        if now.lost:  # a settlement may be among the facts that were lost since
            breaches = [unsure_if_unsettled(breach) for breach in breaches]
        self._tell(breaches, now, now.day, now.opened)
        return result(tuple(now.findings))


ENDS = frozenset({BettingOpened, TableClosed})
"""The facts that end the round before them."""

TURNS = ENDS | {TableOpened}
