"""One table's facts, in merged order, cut into rounds of play and judged.

The room rules on each fact, the house says what was in force, the book how the wagers lie; this
module brings them together and closes rounds. After lost or conflicting facts a round is unknown,
unless all of it was settled before; the next betting-opened fact begins one that is known again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain
from typing import Any, NamedTuple

from ledger import events
from ledger.coupons import CouponLookup
from ledger.games import BY_GAME
from ledger.games.room import Breach, Room, Rules, Unsure
from ledger.house import Office, TableHouse
from ledger.kernel import ERASED, Certainty, EditionStatus, Finding, PropertyClock, ref_of
from ledger.replay import FactStep
from ledger.rounds.after_the_round import ENDED, is_of_late, settled_late, unsure_if_unsettled
from ledger.rounds.coupon_desk import CouponDesk
from ledger.rounds.coupon_use import accepted as taken
from ledger.rounds.coupon_use import elsewhere
from ledger.rounds.ending import Ending, carried_over, end_round, may_leave, unknown_round
from ledger.rounds.findings import as_finding
from ledger.rounds.floorperson_posts import POSTED, follow
from ledger.rounds.lost_facts import CALLED_OFF, is_decided, is_settled, shows_another
from ledger.rounds.placed import PlacedWager, is_of_coupon, is_of_wager
from ledger.rounds.play_state import PlayState
from ledger.rounds.reporting_policy import (
    ONCE_A_ROUND,
    WITH_COUPONS,
    folded_by,
    game_unknown,
    outlives,
)
from ledger.rounds.result import RoundResult
from ledger.rounds.round import GamingDayCache, MissingFacts, Round
from ledger.rounds.ruling_effects import ruled
from ledger.rounds.wager_facts import take_coupon_fact, take_wager_fact
from ledger.rounds.wager_timing import SHOWS, accepted, left_lying

PENDING_FACTS = 10_000
"""How many facts of a closed table are kept until the next opening says of which game they are."""


class EndOnTrial(NamedTuple):
    """What a round that is kept back would come to if nothing more came for it.

    Attributes:
        round: the round.
        afterwards: how many facts had come for it since it ended.
        capture: what the table claimed to record.
        result: what it came to.
    """

    round: Round
    afterwards: int
    capture: events.Capture | None
    result: RoundResult


class TablePlay:
    """Takes a table's facts in merged order and returns its rounds as they close.

    ``findings`` collects the findings outside of rounds; whoever takes them clears the list.

    Args:
        table: the table.
        office: what was filed, approved and set for the property.
        clock: the property's clock, for gaming days.
        explain: each wager's arithmetic is wanted in words.
        rooms: the rooms by game. Others than those of the law only show what another text would
            make of the facts.
        coupons: tells a coupon's state; None where nothing is known of any.
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
        self.clock = clock
        self.explain = explain
        self.findings: list[Finding] = []
        self.at = 0
        self._tried: EndOnTrial | None = None
        self.state = PlayState(desk=CouponDesk(table, office, coupons), days=GamingDayCache(clock))

    def fork(self) -> TablePlay:
        """Return another play of the table in the same state, without its findings."""
        play = TablePlay(
            self.table, self.office, self.clock, explain=self.explain, rooms=self.rooms
        )
        play.state, play.at = self.state.copy(), self.at
        return play

    def judge_by(self, law: Callable[[Room], Room]) -> None:
        """Judge the rounds that open from here on by another law.

        The round under way keeps the rules with which it opened.

        Args:
            law: returns the room to be judged by in place of the one in force.
        """
        room, house = self.state.room, self.state.house
        if room is None or house is None:
            return
        other = law(room)
        self.rooms = {**self.rooms, room.game: other}
        self.state.room = other
        house.judge_by(other)

    # --- what comes in ------------------------------------------------------------------------

    def take(self, fact: events.Fact, at: int) -> Iterable[RoundResult]:
        """Take one fact, and return the rounds that it closes.

        The result must be iterated to its end: the fact may be judged only then.

        Args:
            fact: the next fact.
            at: the moment at which it was merged, microseconds UTC; it decides the gaming day.
        """
        self.state.facts += 1
        self.at = at
        if getattr(fact, "patron", None) == ERASED:  # a rule takes it as not recorded
            fact = replace(fact, patron=None)
        days = self.state.days
        if days.begins <= at < days.ends:
            return self._follow(fact, at)
        kept: list[RoundResult] = []
        if at >= days.ends and days.day is not None:
            if self.ends_last_round(at):
                kept += self._late_ends()
            self.day_ends()
            self.state.desk.day_ends()
        days.of(at)
        return chain(kept, self._follow(fact, at))

    def _follow(self, fact: events.Fact, at: int) -> Iterable[RoundResult]:
        kind, house = type(fact), self.state.house
        if self.state.late is not None and is_of_late(
            self.state.desk, self.state.round, self.state.late, fact
        ):
            self._afterwards(fact, self.state.late)
            return ()
        if kind in TURNS or house is None or house.opened is None:
            return self._turned_by(fact, at)
        if kind in POSTED:
            follow(self.state.posts, fact, at)
        return self._of_open_round(fact)

    def _of_open_round(self, fact: events.Fact) -> Iterable[RoundResult]:
        if self.state.round is not None and self.state.round.cut_by_gap:
            return self._after_gap(fact, self.state.round)
        self._judge(fact)
        return ()

    def _after_gap(self, fact: events.Fact, round_: Round) -> Iterator[RoundResult]:
        """Judge a fact after a gap in a decided round; it may belong to another round."""
        if type(fact) in CALLED_OFF:
            round_.cut_by_gap = round_.settled_before_gap = False
        elif shows_another(round_, fact):
            why = round_.doubtful
            yield from self._close(firm=True, by_table=False)
            assert self.state.house is not None
            day = self.state.days.of(self.at)
            another = self._open_round(fact, day, self.state.house.rules(day, fact.event_time))
            another.doubtful, another.facts = why, 0
        self._judge(fact)

    def _turned_by(self, fact: events.Fact, at: int) -> Iterator[RoundResult]:
        """Judge a fact that ends a round, opens a table, or came while none was open."""
        kind = type(fact)
        if kind in POSTED:
            follow(self.state.posts, fact, at)
        if isinstance(fact, events.TableOpened):
            yield from self._table_opened(fact)
            return
        if self.state.room is None and isinstance(fact, events.BettingOpened):
            yield from self._play_without_opening(fact)
        shut = (
            self.state.room is None or self.state.house is None or self.state.house.opened is None
        )
        if shut and len(self.state.pending) < PENDING_FACTS:
            self.state.pending.append(fact)
        if self.state.room is not None:
            if kind in ENDS and self.state.round is not None:
                yield from self._closed_by(fact, self.state.round)
            yield from self._of_open_round(fact)
        elif self.state.game is not None and kind in WITH_COUPONS:
            day = self.state.days.of(at)
            for breach in elsewhere(self.state.desk, fact, self.state.game, day):
                finding = as_finding(breach, day=day, stream=fact.stream, round_id=None)
                self.findings.append(finding)

    def doubt(self, stream: str, why: str, *, ends: bool) -> None:
        """Note that facts of a stream were lost or conflict.

        Args:
            stream: the stream.
            why: the reason, for people.
            ends: the doubt ends here; otherwise it begins.
        """
        if ends:
            self.state.doubts.pop(stream, None)
        else:
            self.state.doubts[stream] = why
        if self.state.round is not None:
            self._lost(self.state.round, why, ends=ends)
        if self.state.late is not None:
            self.state.late.lost = True
        if self.state.house is None or self.state.room is None or self.state.house.opened is None:
            self.state.pending.append(MissingFacts(stream, why, ends))
        self.forget(stream)

    def _lost(self, open_round: Round, why: str, *, ends: bool) -> None:
        """Make the open round unknown, unless it was decided and settled before facts were lost."""
        assert self.state.room is not None
        if not ends and open_round.doubtful is None and is_decided(open_round):
            open_round.cut_by_gap, open_round.settled_before_gap = True, is_settled(open_round)
            if open_round.settled_before_gap:
                # what was owed and never came may be among what is missing
                rulings = self.state.room.close(
                    open_round.rules, self.state.room_state, open_round.last
                )
                self._tell(
                    list(ruled(open_round, rulings)), open_round, open_round.day, open_round.opened
                )
        open_round.doubtful = why

    def forget(self, stream: str) -> None:
        """Make what was stated before uncertain until it is stated again.

        Args:
            stream: the stream in which facts were lost, or the table.
        """
        self.state.doubts_reported.clear()
        if self.state.house is not None and self.state.room is not None:
            self.state.house.forget()
            self.state.room_state = self.state.room.evolve(self.state.room_state, Unsure(stream))

    def day_ends(self) -> None:
        """End a gaming day: what only later facts would show is judged as of its end."""
        day, house = self.state.days.day, self.state.house
        if day is None or house is None or house.staff.alone is None:
            return
        rules = house.rules(day, self.state.days.ends)
        left = house.staff.alone[0]
        for breach in house.staff.unattended(rules, self.state.days.ends):
            if self.rules_held(day):
                self.findings.append(as_finding(breach, day=day, stream=left.stream, round_id=None))

    def finish(self) -> Iterator[RoundResult]:
        """End the record, and yield the rounds that are still open as far as they go."""
        if self.state.round is not None:
            yield from self._close(firm=False, by_table=False)
        yield from self._late_ends()

    def late_as_it_stands(self) -> RoundResult | None:
        """Return the round kept back as it would be handed out if nothing more came for it.

        If nothing does, it is handed out so: a round is ended once, as long as nothing comes.
        """
        late = self.state.late
        if late is None:
            return None
        result = self._tried_end(late)
        if result is not None:
            return result
        play = TablePlay(
            self.table, self.office, self.clock, explain=self.explain, rooms=self.rooms
        )
        play.state, play.at = self.state.copy_of_late(), self.at
        result = next(play._late_ends())
        self._tried = EndOnTrial(late, len(late.afterwards), self.state.capture, result)
        return result

    def _tried_end(self, late: Round) -> RoundResult | None:
        """What the end of a round came to on trial, where it would come to the same now.

        Coupons depend on other tables, and what is doubtful on what was reported of it before.
        """
        tried = self._tried
        if tried is None or tried.round is not late:
            return None
        came = len(late.afterwards) > tried.afterwards or self.state.capture is not tried.capture
        if came or late.lost or late.coupons or self.state.doubts:
            return None
        is_sure = all(each.certainty is Certainty.BROKEN for each in tried.result.findings)
        return tried.result if is_sure else None

    def rest(self) -> Iterator[RoundResult]:
        """Hand out the rounds that are over before the next one opens, which has no fact of them.

        Yields:
            The round kept back, then the one under way, as the next two rounds would close them.
        """
        if self.state.round is not None:
            yield from self._close(firm=True, by_table=False)
        yield from self._late_ends()

    def skip(
        self,
        facts: int,
        house: TableHouse,
        posted: Iterable[FactStep],
        room_state: Any,
        standing: Iterable[PlacedWager],
    ) -> None:
        """Go on after rounds in order that were told from tables.

        Args:
            facts: how many facts they have.
            house: what is known at the table after them.
            posted: those facts of them that change who works at the table.
            room_state: what the room knows after them.
            standing: the wagers that outlive the last of them.
        """
        self.state.facts += facts
        self.state.house, self.state.room_state = house, room_state
        self.state.carried = {wager.wager_id: wager for wager in standing}
        for step in posted:
            follow(self.state.posts, step.fact, step.at)

    def standing(self) -> Sequence[PlacedWager] | None:
        """Return the wagers that would stand if the next round opened now; None if in doubt."""
        round_ = self.state.round
        if round_ is None or self.state.room is None or not may_leave(round_):
            return ()
        owed = self.state.room.close(round_.rules, self.state.room_state, round_.last)
        if round_.coupons or round_.contested or owed:
            return None
        carried, breaches = carried_over(round_, self._ending(firm=True, by_table=False))
        return None if breaches else [*carried.values()]

    def done_with(self, day: date) -> bool:
        """Whether every round of this gaming day and of those before it was handed out.

        A round that no other follows is handed out with the first fact of a later day, or, when
        that fact is the closing of the table, with the one after it.
        """
        pending = self.state.late or self.state.round
        return pending is None or pending.day > day

    def ends_last_round(self, at: int) -> bool:
        """Whether a fact of this moment comes a day after the last round, and is no part of it.

        Args:
            at: the moment at which it was merged, microseconds UTC.
        """
        days = self.state.days
        return at >= days.ends and days.day is not None and self.state.round is None

    def findings_so_far(self) -> list[Finding]:
        """Return the findings of the rounds that are still to be handed out."""
        return [
            one
            for now in (self.state.late, self.state.round)
            if now is not None
            for one in now.findings
        ]

    # --- one fact -----------------------------------------------------------------------------

    def _table_opened(self, fact: events.TableOpened) -> Iterator[RoundResult]:
        room = self.rooms.get(fact.game)
        if room is None or room is not self.state.room:
            if self.state.round is not None:
                yield from self._close(firm=True, by_table=True)
            yield from self._late_ends()
            if room is None:
                self.state.room = self.state.house = None
                self._of_unknown_game(fact)
            else:
                yield from self.begin(room)
        self.state.capture, self.state.game = fact.capture, fact.game
        self.state.pending = []
        if self.state.room is not None:
            self._judge(fact)

    def begin(self, room: Room) -> Iterator[RoundResult]:
        """Start a game: what came since the table last closed is judged as part of it.

        Yields:
            The rounds that this closes.
        """
        self.state.room, self.state.room_state, self.state.carried = room, room.initial, {}
        self.state.house = TableHouse(self.table, room, self.office)
        pending, self.state.pending, self.state.doubts = self.state.pending, [], {}
        for earlier in pending:
            if isinstance(earlier, MissingFacts):
                self.doubt(earlier.stream, earlier.why, ends=earlier.ends)
                continue
            if type(earlier) in ENDS and self.state.round is not None:
                yield from self._closed_by(earlier, self.state.round)
            if self.state.late is not None and is_of_late(
                self.state.desk, self.state.round, self.state.late, earlier
            ):
                self._afterwards(earlier, self.state.late)
            else:
                yield from self._of_open_round(earlier)

    def _play_without_opening(self, fact: events.BettingOpened) -> Iterator[RoundResult]:
        """Start the game filed for a table whose opening is not recorded, if it is one game."""
        games = {self.state.game} if self.state.game else self.office.games_filed_for(self.table)
        room = self.rooms.get(next(iter(games))) if len(games) == 1 else None
        if room is not None:
            self.state.game = room.game
            yield from self.begin(room)
        else:
            yield unknown_round(
                self.table, fact, self.state.days.of(fact.event_time), self.state.game
            )

    def _closed_by(self, fact: events.Fact, open_round: Round) -> Iterator[RoundResult]:
        """Close the round that a fact ends; the closing of the table belongs to it."""
        by_table = isinstance(fact, events.TableClosed)
        if by_table:
            open_round.last_fact = fact
        return self._close(firm=True, by_table=by_table)

    def _afterwards(self, fact: events.Fact, late: Round) -> None:
        """Judge a fact of a wager, or of a coupon with it, after its round has ended."""
        assert self.state.house is not None
        late.afterwards.append(ref_of(fact))
        for round_ in (late, self.state.round):  # it stands among the facts of both
            if round_ is not None:
                round_.facts += 1
        if is_of_coupon(fact):
            day = self.state.days.of(self.at)
            breaches = [*self.state.desk.take(self.state.house, late, fact, self.at, day, ENDED)]
        else:
            assert is_of_wager(fact)
            breaches = [*settled_late(late, self.state.house, fact)]
        self._tell(breaches, late, late.day, fact)

    def _judge(self, fact: events.Fact) -> None:
        """Let room, house, book and desk judge a fact, then take over the room's new state."""
        room, house, before = self.state.room, self.state.house, self.state.room_state
        assert room is not None and house is not None and before is not None
        kind, at = type(fact), fact.event_time
        open_round = self.state.round
        day = (
            open_round.day
            if open_round is not None
            else self.state.days.day or self.state.days.of(at)
        )
        rules = house.rules(day, at)
        if isinstance(fact, events.BettingOpened):
            open_round = self._open_round(fact, day, rules)
        elif open_round is not None:
            open_round.facts += 1
            open_round.last_fact = fact
            open_round.shown += kind in SHOWS
        rulings = room.decide(rules, before, fact)
        state = room.evolve(before, fact)
        breaches: list[Breach] = []
        if rulings:
            breaches.extend(ruled(open_round, rulings))
            for ruling in rulings:
                state = room.evolve(state, ruling)
        self.state.room_state = state
        if is_of_wager(fact):
            if open_round is not None:
                breaches += take_wager_fact(
                    self.state.desk, house, rules, fact, open_round, before, self.at, self._today()
                )
        elif is_of_coupon(fact):
            if open_round is not None:
                breaches += take_coupon_fact(
                    self.state.desk, house, fact, open_round, before, self.at, self._today()
                )
        elif house.minds(kind):
            self._of_house(rules, fact, open_round, day)
        if before.betting_open and open_round is not None and not state.betting_open:
            open_round.closed_by = fact
            breaches.extend(accepted(self.office, open_round))
            breaches.extend(taken(self.state.desk, open_round))
        if breaches:
            self._tell(breaches, open_round, day, fact)

    def _of_house(
        self, rules: Rules, fact: events.Fact, open_round: Round | None, day: date
    ) -> None:
        """Let the house's side of the table judge a fact."""
        house = self.state.house
        assert house is not None
        standing = (
            open_round.book.standing()
            if open_round is not None and type(fact) is events.LimitsSet
            else 0
        )
        breaches = [*house.take(rules, fact, standing)]
        if house.opened is not None and house.submission is not house.judged_last:
            breaches.extend(house.judge_filings(rules, fact.event_time))
        if breaches:
            self._tell(breaches, open_round, day, fact, fold=True)

    def _today(self) -> date:
        return self.state.days.of(self.at)

    def _open_round(self, fact: events.Fact, day: date, rules: Rules) -> Round:
        ref = ref_of(fact)
        open_round = Round(opened=fact, ref=ref, day=day, rules=rules, capture=self.state.capture)
        if self.state.doubts:
            open_round.doubtful = next(iter(self.state.doubts.values()))
        open_round.book.wagers.update(self.state.carried)
        open_round.coupons = any(wager.coupons for wager in self.state.carried.values())
        self.state.carried, self.state.round = {}, open_round
        return open_round

    # --- telling ------------------------------------------------------------------------------

    def _tell(
        self,
        breaches: Sequence[Breach],
        round_: Round | None,
        day: date,
        fact: events.Fact,
        *,
        fold: bool = False,
    ) -> None:
        """Make findings of breaches, unless policy or doubt keeps them back.

        ``fold`` reports an unknown breach once for each doubt, code and subject: a value that
        outlives a round stays uncertain for many facts.
        """
        if not breaches:
            return
        in_force = self.rules_held(day)
        for breach in breaches:
            code = breach.duty.code
            if round_ is not None and code in ONCE_A_ROUND and code in round_.codes:
                continue
            of_round = round_ is not None and (
                breach.wager is not None or breach.duty.cite.edition.chapter != "521"
            )
            if round_ is not None and round_.doubtful and of_round and not outlives(breach):
                round_.codes.add(code)
                continue
            if self.state.capture is events.Capture.COUNTS:
                continue  # a table that claims only counts is held to nothing else
            if self.state.doubts and breach.certainty is Certainty.BROKEN:
                breach = replace(breach, certainty=Certainty.UNKNOWN, effect_cents=None)
            if not in_force:
                continue
            lasting = folded_by(breach, fold=fold)
            if breach.certainty is Certainty.UNKNOWN and lasting is not None:
                if lasting in self.state.doubts_reported:
                    continue
                self.state.doubts_reported.add(lasting)
            finding = as_finding(
                breach,
                day=round_.day if round_ is not None else day,
                stream=fact.stream,
                round_id=str(round_.ref) if round_ is not None else None,
                facts=breach.facts or (ref_of(fact),),
            )
            if round_ is None:
                self.findings.append(finding)
            else:
                round_.codes.add(code)
                round_.findings.append(finding)

    def with_coupons(self) -> bool:
        """Whether coupons lie with wagers: what they win depends on facts of other tables too."""
        own = any(now is not None and now.coupons for now in (self.state.late, self.state.round))
        return own or any(wager.coupons for wager in self.state.carried.values())

    def rules_held(self, day: date) -> bool:
        """Whether a text of the chapter was in force on the day, or continued or lapsed before."""
        return (
            self.state.room is not None
            and self.state.room.law.edition.standing(day) is not EditionStatus.NOT_YET
        )

    def _of_unknown_game(self, fact: events.TableOpened) -> None:
        breach = game_unknown(self.office, fact)
        if breach is not None:
            day = self.state.days.day or self.state.days.of(fact.event_time)
            self.findings.append(as_finding(breach, day=day, stream=fact.stream, round_id=None))

    # --- closing ------------------------------------------------------------------------------

    def _close(self, *, firm: bool, by_table: bool) -> Iterator[RoundResult]:
        """Close the round; one that has ended is kept back for what may come for its wagers."""
        yield from self._late_ends()
        round_, room = self.state.round, self.state.room
        assert round_ is not None and room is not None and self.state.house is not None
        round_.limit_shown = self.state.house.payout_limit_shown()
        if round_.settled_before_gap:
            round_.missing, round_.doubtful = round_.doubtful, None
        if round_.resolution is not None or round_.closed_by is not None:
            self._tell(list(accepted(self.office, round_)), round_, round_.day, round_.opened)
            self._tell(list(taken(self.state.desk, round_)), round_, round_.day, round_.opened)
        acted = any(wager.settled for wager in round_.book.wagers.values())
        if not round_.settled_before_gap and (firm or acted or round_.resolution is not None):
            rulings = room.close(round_.rules, self.state.room_state, round_.last)
            self._tell(list(ruled(round_, rulings)), round_, round_.day, round_.opened)
        self.state.round = None
        if not firm:
            self._tell(list(left_lying(round_)), round_, round_.day, round_.opened)
            yield self._hand_out(round_, firm=False, by_table=False)
            return
        self.state.carried, breaches = carried_over(
            round_, self._ending(firm=True, by_table=by_table)
        )
        self._tell(breaches, round_, round_.day, round_.opened)
        self.state.late, round_.by_table = round_, by_table

    def _late_ends(self) -> Iterator[RoundResult]:
        """Hand out the round that ended before: nothing more is expected for it."""
        late, self.state.late = self.state.late, None
        if late is not None:
            tried = self._tried_end(late)
            yield tried or self._hand_out(late, firm=True, by_table=late.by_table)

    def _ending(self, *, firm: bool, by_table: bool) -> Ending:
        return Ending(
            table=self.table,
            desk=self.state.desk,
            explain=self.explain,
            firm=firm,
            by_table=by_table,
        )

    def _hand_out(self, round_: Round, *, firm: bool, by_table: bool) -> RoundResult:
        result, breaches = end_round(round_, self._ending(firm=firm, by_table=by_table))
        if round_.lost:  # a settlement may be among the facts that were lost since
            breaches = [unsure_if_unsettled(breach) for breach in breaches]
        self._tell(breaches, round_, round_.day, round_.opened)
        return result(tuple(round_.findings))


ENDS = frozenset({events.BettingOpened, events.TableClosed})
"""The facts that end the round before them."""

TURNS = ENDS | {events.TableOpened}
