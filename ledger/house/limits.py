"""Minimum and maximum wagers at one table: what is in force, how it may change, who kept to it.

Law: §§ 521.7, 521.8. Readings: limits-change, limit-at-acceptance, over-limit-stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Final, TypeVar

from ledger.events import (
    LimitsChangeAnnounced,
    LimitsSet,
    LimitsSignPosted,
    LimitsSignRemoved,
)
from ledger.games.room import Breach, Duty
from ledger.house.duties import BY_CODE, BY_NAME, NOTICE_SECONDS
from ledger.house.office import Office
from ledger.kernel import MICROSECONDS, Certainty, FactRef, dollars, ref_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import GENERAL as LAW

Notice = TypeVar("Notice", LimitsSignPosted, LimitsChangeAnnounced)
PARTS: Final = ("location", "size", "language")


@dataclass(slots=True)
class Limits:
    """The limits of one table, and the notices of changes.

    Args:
        in_force: the limits by kind of wager; None for all others.
        signs: the signs at the table, by sign and kind of wager.
        unapproved: the signs that were reported as not approved.
        announced: the announcements of changes.
        spent: the notices of changes that took effect, each with the kind of wager.
        sure: no fact was lost since the limits were last stated.
    """

    in_force: dict[str | None, LimitsSet] = field(default_factory=dict)
    signs: dict[tuple[str, str | None], LimitsSignPosted] = field(default_factory=dict)
    unapproved: set[str] = field(default_factory=set)
    announced: list[LimitsChangeAnnounced] = field(default_factory=list)
    spent: set[tuple[FactRef, str | None]] = field(default_factory=set)
    sure: bool = True

    def forget(self) -> None:
        """Make everything stated before uncertain."""
        self.sure = False

    def for_wager(self, wager: str | None) -> LimitsSet | None:
        """Return the limits for this kind of wager; None if none are set."""
        return self.in_force.get(wager) or self.in_force.get(None)

    def post(self, fact: LimitsSignPosted, office: Office) -> Iterator[Breach]:
        """Follow a new sign; its place, size and language need approval first (§ 521.8(d))."""
        self.signs[(fact.sign, fact.wager)] = fact
        approval = office.sign(fact.sign, fact.event_time)
        sure = office.sure(approval.event_time if approval else None, fact.event_time)
        missing = [p for p in PARTS if approval is None or not getattr(approval, p)]
        if missing and fact.sign not in self.unapproved:
            self.unapproved.add(fact.sign)
            yield Breach(
                duty=BY_CODE["sign_not_approved"],
                facts=(ref_of(fact),),
                observed=fact.sign,
                expected=", ".join(missing),
                certainty=Certainty.BROKEN if sure else Certainty.UNKNOWN,
            )

    def take_down(self, fact: LimitsSignRemoved) -> None:
        """Follow the removal of a sign; if it is put up again, that is a new use."""
        self.unapproved.discard(fact.sign)
        for key in [key for key in self.signs if key[0] == fact.sign]:
            del self.signs[key]

    def announce(self, fact: LimitsChangeAnnounced) -> None:
        """Note that a coming change was announced."""
        self.announced.append(fact)

    def change(
        self,
        fact: LimitsSet,
        office: Office,
        filed_increment: int | None,
        *,
        playing: bool | None,
        is_open: bool,
        sees_patrons: bool,
    ) -> Iterator[Breach]:
        """Follow new limits, and judge whether notice was given of them as § 521.8(c)(2) wants.

        Args:
            fact: the new limits.
            office: what may be in doubt.
            filed_increment: the increment in the Rules Submission, in cents; None if there is none.
            playing: whether a patron is playing; None: not known.
            is_open: whether the table is open.
            sees_patrons: False at a table that does not claim to record who plays there.
        """
        before = self.for_wager(fact.wager)
        changed = before is not None and _values(before) != _values(fact)
        self.in_force[fact.wager] = fact
        if fact.wager is None:
            was_sure, self.sure = self.sure, True
        else:
            was_sure = self.sure
        if fact.increment_cents is not None and fact.increment_cents != filed_increment:
            sure = office.sure(None, fact.event_time)
            yield _breach(
                BY_CODE["requirement_not_filed"], fact, sure, dollars(fact.increment_cents)
            )
        if was_sure and not changed:
            return
        sign, announced = self._sign_for(fact), self._fitting(self.announced, fact)
        self._spend(fact, sign, announced)
        patrons = fact.patrons_playing if fact.patrons_playing is not None else playing
        if not is_open or patrons is False:  # § 521.8(c)(1)
            return
        if patrons is not None or sees_patrons:
            yield from _notice(fact, sign, announced, sure=was_sure and patrons is True)

    def _spend(
        self,
        fact: LimitsSet,
        sign: LimitsSignPosted | None,
        announced: Sequence[LimitsChangeAnnounced],
    ) -> None:
        """Use up the notices of a change; a later change to the same limits needs its own."""
        come = [
            other
            for other in self._fitting(self.signs.values(), fact)
            if other is sign or (other.effective_time or 0) <= fact.event_time
        ]
        refs = [*map(ref_of, come), *map(ref_of, announced)]
        self.spent.update((ref, fact.wager) for ref in refs)

    def _fitting(self, notices: Iterable[Notice], fact: LimitsSet) -> list[Notice]:
        """Return the notices that state just this change and were not used up by an earlier one."""
        return [
            notice
            for notice in notices
            if notice.event_time <= fact.event_time
            and _matches(notice, fact)
            and (ref_of(notice), fact.wager) not in self.spent
        ]

    def _sign_for(self, fact: LimitsSet) -> LimitsSignPosted | None:
        """Return the earliest sign at the table that states just this change."""
        fitting = [sign for sign in self._fitting(self.signs.values(), fact) if sign.states_change]
        return min(fitting, key=lambda sign: sign.event_time, default=None)

    def shown(self) -> bool:
        """Whether signs at the table show the limits in force, for each kind of wager."""
        return all(
            any(
                sign.wager == limits.wager and _matches(sign, limits)
                for sign in self.signs.values()
            )
            for limits in self.in_force.values()
        )

    def judge(self, wager: str, stake_cents: int) -> tuple[Duty, str, str] | None:
        """Compare a stake in cents with the limits in force.

        Returns:
            The duty that is broken, the stake, and the limit, for people; None if none is broken.
        """
        limits = self.for_wager(wager)
        if limits is None:
            return None
        if limits.maximum_cents is not None and stake_cents > limits.maximum_cents:
            return BY_CODE["wager_over_limit"], dollars(stake_cents), dollars(limits.maximum_cents)
        if limits.minimum_cents is not None and stake_cents < limits.minimum_cents:
            return BY_CODE["wager_under_limit"], dollars(stake_cents), dollars(limits.minimum_cents)
        return None


def _notice(
    fact: LimitsSet,
    sign: LimitsSignPosted | None,
    announced: Sequence[LimitsChangeAnnounced],
    *,
    sure: bool,
) -> Iterator[Breach]:
    """Judge whether sign and announcement gave notice of a change in time: § 521.8(c)(2)."""
    if sign is None:
        yield _breach(BY_NAME["limits_sign_missing#521.8(c)(2)(ii)"], fact, sure)
    elif sign.effective_time is None:
        duty = BY_CODE["limits_sign_incomplete"]
        yield _breach(duty, fact, sure, "does not name the time from which it holds", sign=sign)
    elif fact.event_time < sign.effective_time:
        duty = BY_CODE["limits_sign_incomplete"]
        yield _breach(duty, fact, sure, "names a later time than the change", sign=sign)
    if not announced:
        yield _breach(BY_CODE["limits_change_not_announced"], fact, sure)
    notice_times = [sign.event_time] if sign else []
    notice_times += [min(a.event_time for a in announced)] if announced else []
    if not notice_times:  # § 521.7(b): any change is announced
        missing = _breach(BY_CODE["limits_notice_missing"], fact, sure)
        yield replace(missing, also=(LAW[".7(b)#2"],))
        return
    lead = (fact.event_time - max(notice_times)) // MICROSECONDS
    if lead < NOTICE_SECONDS:
        observed = f"{lead // 60} min {lead % 60} s after notice"
        yield _breach(BY_CODE["limits_notice_too_short"], fact, sure, observed)


def _values(limits: LimitsSet) -> tuple[int | None, int | None, int | None]:
    return limits.minimum_cents, limits.maximum_cents, limits.increment_cents


def _matches(notice: LimitsSignPosted | LimitsChangeAnnounced, limits: LimitsSet) -> bool:
    """Whether a notice states these limits; an announcement may leave some of them out."""
    if notice.wager not in (None, limits.wager):
        return False
    pairs = (
        (notice.minimum_cents, limits.minimum_cents),
        (notice.maximum_cents, limits.maximum_cents),
    )
    if isinstance(notice, LimitsChangeAnnounced):
        return all(a is None or a == b for a, b in pairs)
    return all(a == b for a, b in pairs)


def _breach(
    duty: Duty,
    fact: LimitsSet,
    sure: bool,
    observed: str | None = None,
    *,
    sign: LimitsSignPosted | None = None,
) -> Breach:
    earlier = (ref_of(sign),) if sign else ()
    return Breach(
        duty=duty,
        facts=(*earlier, ref_of(fact)),
        observed=observed,
        certainty=Certainty.BROKEN if sure else Certainty.UNKNOWN,
    )
