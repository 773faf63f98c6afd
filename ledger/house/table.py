"""What is in force at one table at a moment, and the duties that outlive a round.

The table's facts come in merged order; each may yield breaches. Rounds ask for the rules in force
and for the judgment of a stake.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field
from datetime import date
from typing import Final, cast

from ledger import events
from ledger.games.room import Breach, Room, Rules, rules_on
from ledger.house.card_devices import CARD_FACTS, CardDevices, CardFact
from ledger.house.contradictory_facts import contradictions
from ledger.house.duties import BY_CODE, BY_NAME
from ledger.house.equipment import Equipment
from ledger.house.filings import is_printed_odds, judge_filing, judge_opening, judge_printed
from ledger.house.limits import Limits
from ledger.house.office import Office, Submission, as_filed
from ledger.house.staffing import Staff
from ledger.kernel import Certainty, FactRef, Instant, dollars, ref_of
from ledger.kernel.quick_dataclass import dataclass

MINDED: Final[frozenset[type[events.Fact]]] = frozenset(
    {
        events.BettingOpened, events.DeviceInspected, events.DiceSetPlaced, events.DiceSetRemoved, events.DiceShaken, events.DiceThrown, events.ItemInspected,
        events.LimitsChangeAnnounced, events.LimitsSet, events.LimitsSignPosted, events.LimitsSignRemoved, events.NoMoreBetsAnnounced, events.PatronsCounted, events.PositionLeft,
        events.PositionTaken, events.ShakerCovered, events.ShakerPlaced, events.ShakerRemoved, events.ShakerUncovered, events.StaffAssigned, events.StaffRelieved, events.TableClosed, events.TableOpened,
    }
)  # fmt: skip
"""The facts that matter here; all others are ignored."""


MINDS: Final = MINDED | CARD_FACTS

USES: Final[frozenset[type[events.Fact]]] = frozenset(
    {
        events.DiceSetRemoved,
        events.NoMoreBetsAnnounced,
        events.DiceShaken,
        events.DiceThrown,
        events.ShakerCovered,
        events.ShakerUncovered,
        events.StaffRelieved,
    }
)
"""The facts that use what earlier facts must have placed or assigned."""

FOLLOWED: Final = MINDED - {
    events.NoMoreBetsAnnounced,
    events.ShakerCovered,
    events.ShakerUncovered,
}
"""The facts that change what is known here, or are compared with it."""


@dataclass(slots=True)
class TableHouse:
    """The house's side of one table.

    Args:
        table: the table.
        room: the room of its game.
        office: what was filed, approved and set for the property.
        limits: its limits.
        staff: who is there.
        equipment: what is there.
        card_devices: the devices for cards in use.
        patrons: the positions that are taken.
        patrons_known: whether the record shows who plays.
        opened: the last opening; None while it is closed.
        submission: the one in force when ``rules`` were last asked for.
        filing_sure: whether the office's record shows that without doubt.
        filings_judged: the submissions that were judged here.
        judged_last: the last one of them.
        printed: the looks at printed odds that were judged.
        limits_told: the code about limits that was reported and is not mended.
        limits_judged: the limits were judged since they last changed.
        contradicted: what was reported as contradictory.
    """

    table: str
    room: Room
    office: Office = field(compare=False)
    limits: Limits = field(default_factory=Limits)
    staff: Staff = field(default_factory=Staff)
    equipment: Equipment = field(default_factory=Equipment)
    card_devices: CardDevices = field(default_factory=CardDevices)
    patrons: set[str] = field(default_factory=set)
    patrons_known: bool = False
    opened: events.TableOpened | None = None
    submission: Submission | None = None
    filing_sure: bool = True
    filings_judged: set[FactRef] = field(default_factory=set)
    judged_last: Submission | None = None
    printed: set[FactRef] = field(default_factory=set)
    limits_told: str | None = None
    limits_judged: bool = False
    contradicted: set[str] = field(default_factory=set)
    _rules: Rules | None = field(default=None, compare=False)
    _until: Instant = field(default=-1, compare=False)

    def rules(self, day: date, at: int) -> Rules:
        """Return the rules in force: the chapter joined with the submission approved by then.

        Args:
            day: the gaming day, for the text of the chapter.
            at: the moment, microseconds UTC, for the submission.
        """
        rules = self._rules
        if rules is not None and at < self._until and rules.day == day:
            return rules
        office = self.office
        self.submission = office.filed_for(self.room.game, self.table, at)
        stated = self.submission.approved_at if self.submission else None
        if self.submission is not None and self.room.judge_filing is not None:
            stated = self.submission.filed.event_time  # several facts hold what it says
        self.filing_sure = office.sure(stated, at)
        filed = as_filed(self.submission) if self.submission else None
        self._rules = rules_on(self.room, day, filed, filing_known=self.filing_sure)
        moments = sorted(
            [*office.changes(self.room.game), *(begins for begins, _ in office.doubts)]
        )
        after = bisect_right(moments, at)
        self._until = moments[after] if after < len(moments) else 1 << 62
        return self._rules

    def rules_until(self) -> int:
        """Return the moment up to which the rules last returned hold, microseconds UTC."""
        return self._until

    def judge_by(self, room: Room) -> None:
        """Join the rules from here on from another room's rows."""
        self.room, self._rules, self._until = room, None, -1

    def forget(self) -> None:
        """Make what facts of this table stated uncertain: some were lost or conflict."""
        self.limits.forget()
        self.limits_judged = False
        self.staff.forget()
        self.equipment.forget()
        self.patrons_known = False

    def playing(self, standing: int) -> bool | None:
        """Whether a patron is playing: someone has a position, or a wager stands; None: not known.

        ``standing`` is how many wagers lie on the layout.
        """
        if standing or self.patrons:
            return True
        return False if self.patrons_known else None

    def minds(self, kind: type[events.Fact]) -> bool:
        """Whether a fact of this kind matters here now."""
        if kind in MINDS or self.staff.alone is not None:
            return True
        return self.opened is not None and self.submission is not self.judged_last

    def take(self, rules: Rules, fact: events.Fact, standing: int) -> Sequence[Breach]:
        """Follow one fact of the table, and return what it breaks.

        Args:
            rules: those in force.
            fact: what came.
            standing: how many wagers lie on the layout; asked for when limits are set.
        """
        kind = type(fact)
        breaches: list[Breach] = []
        if self.staff.alone is not None:
            reach = self.office.clocks.widest(self.table)
            breaches.extend(self.staff.unattended(rules, fact.event_time - reach))
        if kind in CARD_FACTS and self.room.approvals:
            known = cast(CardFact, fact)
            breaches.extend(self.card_devices.take(self.room, rules, known, self.office))
        if kind in USES:
            before = (self.equipment, self.staff, self.contradicted)
            breaches.extend(contradictions(rules, fact, *before))
        if kind in FOLLOWED:
            breaches.extend(self._follow(rules, fact, standing))
        return breaches

    def _follow(self, rules: Rules, fact: events.Fact, standing: int) -> Iterator[Breach]:
        match fact:
            case events.BettingOpened():
                ref = ref_of(fact)
                yield from self.equipment.remain(rules, ref, fact.event_time)
                if self.opened is not None and not self.limits_judged:
                    yield from self._limits_in_effect(ref)
            case events.DiceShaken() | events.DiceThrown():
                ref, shake = ref_of(fact), isinstance(fact, events.DiceShaken)
                if isinstance(fact, events.DiceShaken):
                    self.staff.shaken(fact.shaker)
                    yield from self.equipment.counted(rules, ref)
                yield from self.equipment.overdue(rules, ref, fact.event_time, shake=shake)
            case events.StaffAssigned() | events.StaffRelieved():
                self.staff.take(fact, self.office.clocks)
                yield from self.staff.settled(rules)
            case events.ShakerPlaced() | events.ShakerRemoved():
                self.staff.take(fact, self.office.clocks)
                yield from self.staff.settled(rules)
                self.equipment.take(fact)
                if isinstance(fact, events.ShakerPlaced) and self.opened is not None:
                    at = fact.event_time
                    yield from self.equipment.shaker_approved(
                        self.room, rules, fact, self.office, at
                    )
            case events.DiceSetPlaced():
                self.equipment.place_dice(fact)
            case events.DiceSetRemoved():
                ref = ref_of(fact)
                if self.equipment.whole and rules.has("wrong_number_of_dice"):
                    yield from self.equipment.counted(rules, ref)
                yield from self.equipment.remain(rules, ref, fact.event_time)
                self.equipment.remove_dice(fact)
            case events.DeviceInspected():
                self.equipment.inspect(fact, self.staff)
            case events.ItemInspected():
                self.equipment.look(fact)
                if self.opened is not None:
                    yield from self._printed(rules, self.opened)
                    yield from self.equipment.judge_look(self.room, fact)
            case events.TableOpened():
                yield from self._open(rules, fact)
            case events.TableClosed():
                self.opened = None
                self.equipment.closed()
                self.staff.closed = True
            case _:
                yield from self._limits_and_patrons(rules, fact, standing)

    def _limits_and_patrons(
        self, rules: Rules, fact: events.Fact, standing: int
    ) -> Iterator[Breach]:
        self.limits_judged = False
        match fact:
            case events.LimitsSet():
                filed = rules.filed.increment_cents if rules.filed else None
                playing = self.playing(standing)
                is_open = self.opened is not None
                sees = self.opened is None or self.opened.capture not in (
                    events.Capture.OUTCOME,
                    events.Capture.COUNTS,
                )
                yield from self.limits.change(
                    fact, self.office, filed, playing=playing, is_open=is_open, sees_patrons=sees
                )
            case events.LimitsSignPosted():
                yield from self.limits.post(fact, self.office)
            case events.LimitsSignRemoved():
                self.limits.take_down(fact)
            case events.LimitsChangeAnnounced():
                self.limits.announce(fact)
            case events.PositionTaken():
                self.patrons.add(fact.position)
                self.patrons_known = True
            case events.PositionLeft():
                self.patrons.discard(fact.position)
                self.patrons_known = True
            case events.PatronsCounted():
                self.patrons = {f"counted {n}" for n in range(min(fact.count, 100))}
                self.patrons_known = True
            case _:
                pass

    def _open(self, rules: Rules, fact: events.TableOpened) -> Iterator[Breach]:
        self.opened = fact
        at = ref_of(fact)
        sure = self.filing_sure
        yield from judge_opening(self.room, rules, fact, self.office, self.submission, sure)
        yield from self.judge_filings(rules, fact.event_time)
        yield from self.equipment.opened(self.room, rules, fact, self.office, self.staff)
        limit = rules.filed.payout_limit_cents if rules.filed else None
        if (
            limit is not None
            and self.payout_limit_shown() is False
            and rules.has("layout_incomplete@.1(g)(4)")
        ):
            duty = rules.duty("layout_incomplete@.1(g)(4)")  # § 689.1(g)(4)
            yield Breach(duty=duty, facts=(at,), expected=dollars(limit))
        yield from self._printed(rules, fact)
        yield from self._limits_in_effect(at)

    def _limits_in_effect(self, at: FactRef) -> Iterator[Breach]:
        """Report, until mended, limits that are not set or that no sign shows (§ 521.7(a), (b))."""
        self.limits_judged = True
        certainty = Certainty.BROKEN if self.limits.sure else Certainty.UNKNOWN
        general = self.limits.in_force.values()
        unset = not any(item.minimum_cents is not None for item in general) or not any(
            item.maximum_cents is not None for item in general
        )
        duty = BY_CODE["limits_not_set"] if unset else BY_NAME["limits_sign_missing#521.7(b)"]
        if not unset and self.limits.shown():
            self.limits_told = None
        elif self.limits_told != duty.code:
            self.limits_told = duty.code
            yield Breach(duty=duty, facts=(at,), certainty=certainty)

    def _printed(self, rules: Rules, opened: events.TableOpened) -> Iterator[Breach]:
        """Judge the odds printed on the layout in use, once for each look at them.

        They are compared with what the table offers, even if that was never approved: offering it
        is a breach of its own.
        """
        items = self.equipment.items
        look = items.get((events.Subject.LAYOUT, opened.layout, "printed_odds"))
        look = look or items.get((events.Subject.LAYOUT, None, "printed_odds"))
        if look is None or not is_printed_odds(look) or ref_of(look) in self.printed:
            return
        self.printed.add(ref_of(look))
        named = self.office.named(opened.paytable, look.event_time)
        if opened.paytable is not None and named is None:
            return  # what it offers was never filed: that has a finding of its own
        offered = named or self.submission
        yield from judge_printed(
            rules, look, as_filed(offered) if offered else None, self.filing_sure
        )

    def payout_limit_shown(self) -> bool | None:
        """Whether the layout states the payout limit; None where no inspection says."""
        layout = self.opened.layout if self.opened is not None else None
        look = self.equipment.items.get((events.Subject.LAYOUT, layout, "stated_limits"))
        if look is None or look.found is None:
            return None
        return any(seen.name == "payout_limit" for seen in look.seen)

    def judge_filings(self, rules: Rules, at: int) -> Iterator[Breach]:
        """Judge the filing in force at an open table, once for each submission."""
        submission = self.submission
        if submission is None or self.opened is None:
            return
        self.judged_last = submission
        if submission.ref in self.filings_judged:
            return
        self.filings_judged.add(submission.ref)
        minimums = {
            wager or "": limits.minimum_cents
            for wager, limits in self.limits.in_force.items()
            if limits.minimum_cents is not None
        }
        yield from judge_filing(
            self.room,
            rules,
            submission,
            self.filing_sure,
            minimums,
            lambda wager: self.on_request(wager, at),
        )

    def on_request(self, wager: str, at: int) -> bool | None:
        """Whether a wager that the chapter lacks was approved on request by then (§ 521.4).

        None if no request for it is on record.
        """
        return self.office.requests.approved(self.room.game, wager, at)

    def judge_stake(self, rules: Rules, wager: str, stake_cents: int) -> list[Breach]:
        """Compare a stake in cents with the limits and increments in force (§ 521.7(c), (d)).

        The breaches name no facts; the caller adds them.
        """
        breaches: list[Breach] = []
        broken = self.limits.judge(wager, stake_cents)
        if broken is not None:
            duty, observed, expected = broken
            breaches.append(
                Breach(
                    duty=duty,
                    facts=(),
                    observed=observed,
                    expected=expected,
                    certainty=Certainty.BROKEN if self.limits.sure else Certainty.UNKNOWN,
                    also=(rules.duty(duty.code).cite,) if rules.has(duty.code) else (),
                )
            )
        step = rules.filed.increment_cents if rules.filed else None
        if step is not None and stake_cents % step:
            breaches.append(
                Breach(
                    duty=BY_CODE["wager_not_in_increment"],
                    facts=(),
                    observed=dollars(stake_cents),
                    expected=dollars(step),
                    certainty=Certainty.BROKEN if self.filing_sure else Certainty.UNKNOWN,
                )
            )
        return breaches
