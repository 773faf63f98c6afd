"""What the property stated for all its tables: place and time, filings, approvals, sources.

Facts of the office hold from the time they state (an approval's own time), else from their event
time, whatever the order of their arrival. After a doubt in an office stream everything stated
before it is uncertain until it is stated again.
Law: §§ 521.2 (text not held), 521.4, 521.7(d), 521.8(b), (d), 521.9.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final

from ledger import events
from ledger.events.filings import OPTIONS
from ledger.games.room import Filed
from ledger.house.clocks import Clocks
from ledger.house.records import Access, Guides, Requests, record
from ledger.house.service_providers import Providers
from ledger.house.staleness import SilenceLimit, Staleness
from ledger.kernel import FactRef, Instant, Odds, PropertyClock, parse_odds, ref_of
from ledger.kernel.late_values import Unread, late_field
from ledger.kernel.quick_dataclass import dataclass

JUDGED: Final[frozenset[type[events.Fact]]] = frozenset(
    {
        events.ElectronicDeviceSeen, events.GameApproved, events.GameRequestFiled, events.GuideDisplayed, events.GuideIssued,
        events.GuideRequested, events.GuideSampleDecided, events.RequestDecided, events.RulesTextKept, events.RulesTextRequested,
        events.WebSiteChecked,
    }
)  # fmt: skip
"""The facts of the office that ``judged.py`` judges one by one."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A Rules Submission with its options.

    Args:
        filed: the filing.
        approved_at: since when it is approved, microseconds UTC; None: never.
        approval: the fact of its approval.
        options: the facts that file a game's own options for it.
    """

    filed: events.RulesSubmissionFiled
    approved_at: Instant | None
    approval: FactRef | None
    options: tuple[events.Fact, ...] = ()

    @property
    def ref(self) -> FactRef:
        """The key of the fact of its filing."""
        return ref_of(self.filed)


@dataclass(slots=True)
class Office:
    """All office facts of a ledger, to be asked for a moment (always microseconds UTC)."""

    clock: PropertyClock | None = None
    property_name: str | None = None
    submissions: dict[FactRef, Submission] = field(default_factory=dict)
    unknown_zones: list[str] = field(default_factory=list)
    redescribed: list[events.PropertyDescribed] = field(default_factory=list)
    layouts: dict[str, list[events.LayoutApproved]] = field(default_factory=dict)
    equipment: dict[tuple[str, events.Bureau], list[events.EquipmentApproved]] = field(
        default_factory=dict
    )
    signs: dict[str, list[events.SignApproved]] = field(default_factory=dict)
    games: dict[str, list[events.GameApproved]] = field(default_factory=dict)
    banks: dict[str, list[events.GameBankStated]] = field(default_factory=dict)
    sources: list[events.SourceRegistered] = field(default_factory=list)
    clocks: Clocks = field(default_factory=Clocks)
    staleness: Staleness = field(default_factory=Staleness)
    series: list[events.CouponSeriesDescribed] = field(default_factory=list)
    closings: dict[str, list[events.GamingDayClosed]] = field(default_factory=dict)
    requests: Requests = field(default_factory=Requests)
    access: Access = field(default_factory=Access)
    guides: Guides = field(default_factory=Guides)
    to_judge: list[events.Fact] = field(default_factory=list)
    """The facts that ``judged.py`` judges, in merged order."""
    providers: Providers = field(default_factory=Providers)
    doubts: list[tuple[int, int]] = field(default_factory=list)
    """When the office's record is in doubt: from the last sure fact to the next, microseconds UTC."""
    unread: Unread = field(default_factory=dict, repr=False)
    """Fields that are read when somebody asks for one of them; see ``kernel.late_values``."""

    if not TYPE_CHECKING:  # a name that no field has stays an error
        __getattr__ = late_field

    def __getstate__(self) -> object:
        """Everything, read: what is still to be read cannot go to another process."""
        for name in tuple(self.unread):
            getattr(self, name)
        return object.__getstate__(self)

    def sure(self, stated_at: int | None, at: int) -> bool:
        """Whether what was stated at one moment still held later, as far as the record goes.

        Args:
            stated_at: when it was stated; None if it never was, so that the whole record before
                ``at`` must be free of doubt.
            at: the moment that is asked about.
        """
        stated = -1 if stated_at is None else stated_at
        return not any(begins <= at and stated < ends for begins, ends in self.doubts)

    def filed_for(self, game: str, table: str, at: int) -> Submission | None:
        """Return the submission last approved for this game at this table; None if none was.

        Args:
            game: the game by name.
            table: the table; a submission that names no tables is for all.
            at: the moment, microseconds UTC.
        """
        best: Submission | None = None
        for submission in self.submissions.values():
            filed = submission.filed
            if filed.game != game or submission.approved_at is None or submission.approved_at > at:
                continue
            if filed.tables is not None and table not in filed.tables:
                continue
            if best is None or _rank(submission) > _rank(best):
                best = submission
        return best

    def games_filed_for(self, table: str) -> set[str]:
        """Return the games of the submissions that name this table."""
        return {
            known.filed.game
            for known in self.submissions.values()
            if known.filed.tables is not None and table in known.filed.tables
        }

    def named(self, submission: str | None, at: int) -> Submission | None:
        """Return the version of a submission last filed under this id by then; None if none was."""
        fitting = [
            known
            for known in self.submissions.values()
            if known.filed.submission == submission and known.filed.event_time <= at
        ]
        return max(fitting, key=lambda known: known.filed.event_time, default=None)

    def changes(self, game: str) -> list[int]:
        """Return when another submission for the game may come into force, rising."""
        return sorted(
            s.approved_at
            for s in self.submissions.values()
            if s.filed.game == game and s.approved_at is not None
        )

    def layout(self, layout: str, at: int) -> list[events.LayoutApproved]:
        """Return the approvals of a layout up to a moment, the last first."""
        return [a for a in reversed(self.layouts.get(layout, [])) if a.event_time <= at]

    def lacking(self, equipment: str, bureaus: Iterable[str], at: int) -> list[str]:
        """Return the bureaus whose approval of this equipment is not on record at a moment.

        Args:
            equipment: the equipment by its name in the approvals.
            bureaus: the bureaus that must approve it, by the values of ``Bureau``.
            at: the moment, microseconds UTC. An approval that was withdrawn by then does not count.
        """
        return [name for name in bureaus if not self._approved(equipment, events.Bureau(name), at)]

    def _approved(self, equipment: str, bureau: events.Bureau, at: int) -> bool:
        facts = self.equipment.get((equipment, bureau), [])
        last = next((fact for fact in reversed(facts) if fact.event_time <= at), None)
        return last is not None and not last.withdrawn

    def sign(self, sign: str, at: int) -> events.SignApproved | None:
        """Return the last decision on a sign up to a moment; None if there is none."""
        return next((a for a in reversed(self.signs.get(sign, [])) if a.event_time <= at), None)

    def game_approved(self, game: str, at: int) -> bool | None:
        """Whether a game of no chapter was approved by then; None: nothing is recorded about it."""
        known = self.games.get(game, [])
        if any(g.approved_time is not None and g.approved_time <= at for g in known):
            return True
        asked = self.requests.approved(game, None, at)
        return False if asked is None and known else asked

    def banked(self, game: str, table: str, at: int) -> bool | None:
        """Whether patrons wager against the house in a game at a table; None: nothing says.

        Args:
            game: the game by name.
            table: the table; a fact that names none is for all.
            at: the moment, microseconds UTC; the last statement up to then counts.
        """
        stated = [
            fact
            for fact in self.banks.get(game, ())
            if fact.event_time <= at and fact.table in (None, table)
        ]
        return stated[-1].house_banked if stated else None

    def games_offered(self, at: int) -> list[str]:
        """Return the games for which a Rules Submission was approved by then, by name."""
        return sorted(
            {
                known.filed.game
                for known in self.submissions.values()
                if known.approved_at is not None and known.approved_at <= at
            }
        )

    def uncertainty(self, stream: str, at: int) -> int:
        """Return how far the clock of a stream may be off, in microseconds; 0 if not stated."""
        return self.clocks.uncertainty(stream, at)

    def silence_limit(self, table: str, at: int, stream: str | None = None) -> SilenceLimit:
        """Return how long a table, or one of its feeds, may be silent at a moment.

        Args:
            table: the table.
            at: the moment, microseconds UTC.
            stream: of the feed; None: the table as a whole.
        """
        if stream is None or not self.staleness.by_scope:
            return self.staleness.limit(table, at)
        kind = stream.partition("/")[2] or None
        return self.staleness.limit(table, at, kind=kind, terminal=self.clocks.writer(stream, at))


def _rank(submission: Submission) -> tuple[int, int]:
    assert submission.approved_at is not None
    return (submission.approved_at, submission.filed.event_time)


def take(office: Office, fact: events.Fact) -> None:
    """Add one office fact; facts come in merged order."""
    record(office.requests, office.access, office.guides, fact)
    if type(fact) in JUDGED:
        office.to_judge.append(fact)
    office.providers.take(fact)
    match fact:
        case events.PropertyDescribed():
            clock = PropertyClock(fact.time_zone, fact.gaming_day_starts_minutes)
            if not clock.is_known:
                office.unknown_zones.append(fact.time_zone)
            elif office.clock is None:
                office.clock, office.property_name = clock, fact.name
            elif clock != office.clock:  # past gaming days must not move
                office.redescribed.append(fact)
        case events.RulesSubmissionFiled():
            office.submissions[ref_of(fact)] = Submission(fact, None, None)
        case events.RulesSubmissionApproved():
            filed = office.named(fact.submission, fact.event_time)
            if filed is not None:
                at = max(fact.approved_time, filed.filed.event_time)
                approval = ref_of(fact)
                office.submissions[filed.ref] = Submission(filed.filed, at, approval, filed.options)
        case _ if isinstance(fact, OPTIONS):
            known = office.named(fact.submission, fact.event_time)
            if known is not None:
                options = (*known.options, fact)
                office.submissions[known.ref] = replace(known, options=options)
        case events.LayoutApproved():
            office.layouts.setdefault(fact.layout, []).append(fact)
        case events.EquipmentApproved():
            office.equipment.setdefault((fact.equipment, fact.bureau), []).append(fact)
        case events.SignApproved():
            office.signs.setdefault(fact.sign, []).append(fact)
        case events.GameApproved():
            office.games.setdefault(fact.game, []).append(fact)
        case events.GameBankStated():
            office.banks.setdefault(fact.game, []).append(fact)
        case events.SourceRegistered():
            office.sources.append(fact)
            office.clocks.take(fact)
        case events.ClockChecked():
            office.clocks.take(fact)
        case events.StalenessRegistered():
            office.staleness.take(fact)
        case events.CouponSeriesDescribed():
            office.series.append(fact)
        case events.GamingDayClosed():
            office.closings.setdefault(fact.gaming_day, []).append(fact)
        case _:
            pass


def as_filed(submission: Submission) -> Filed:
    """Return a submission as the rooms read it; a line whose odds cannot be read is left out."""
    filed = submission.filed
    odds: dict[tuple[str, str | None], Odds] = {}
    for row in filed.paytable:
        parsed = odds_of(row)
        if parsed is not None:
            odds[(row.wager, row.on)] = parsed
    limit = filed.payout_limit
    return Filed(
        submission=filed.submission,
        odds=odds,
        rounding=filed.breakage.rule.value if filed.breakage else None,
        unit_cents=filed.breakage.unit_cents if filed.breakage else 1,
        payout_limit_cents=limit.limit_cents if limit else None,
        payout_limit_scope=limit.scope.value if limit else None,
        increment_cents=filed.increment_cents,
        readings={chosen.reading: chosen.choice for chosen in filed.readings},
        fact=submission.ref,
        options=submission.options,
    )


def odds_of(row: events.FiledOdds) -> Odds | None:
    """Return the odds of a filed line, None where they cannot be read."""
    try:
        return parse_odds(row.odds)
    except ValueError:
        return None
