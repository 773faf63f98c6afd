"""The record of the coupon program as its facts are followed: state, documents, days, findings.

Facts of the coupon streams, of the roster, and of coupons and drop boxes at tables are taken in
merged order. What is late or missing can be said only when the record has been followed to its end:
``conclude`` does so for one gaming day and changes nothing.
Law: 58 Pa. Code § 525.21.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import field
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from ledger.coupons.custody import Custody, Move, Place, Run
from ledger.coupons.duties import BY_NAME
from ledger.coupons.program import Program
from ledger.coupons.records import Box, DayRecord, Documents, Holdings
from ledger.coupons.sentences import is_many, state_in_words
from ledger.coupons.serial import (
    DenominationDiffers,
    Serial,
    SerialRange,
    are_apart,
    joined,
)
from ledger.events import CouponRange, CouponSeriesDescribed
from ledger.kernel import (
    LONGEST_PAUSE,
    Certainty,
    FactRef,
    Finding,
    PropertyClock,
    UsageError,
)
from ledger.kernel.late_values import Unread, late_field
from ledger.kernel.quick_dataclass import dataclass

NAMED: Final = 40
"""How many ranges one finding names; it says how many more there are."""
GROUP: Final = "coupons"
"""The office of the coupons' streams."""
FOREVER: Final = 1 << 62
_NO_DAY: Final = date(1970, 1, 1)
_NO_FACT: Final = FactRef("", 0)

Handler = Callable[["CustodyRegister", Any], None]


def fold(ranges: Iterable[SerialRange]) -> str:
    """Print serial numbers as ranges; beyond ``NAMED`` ranges only how many more there are."""
    folded = joined(ranges)
    words = ", ".join(map(str, folded[:NAMED]))
    return words if len(folded) <= NAMED else f"{words} and {len(folded) - NAMED} more ranges"


@runtime_checkable
class UnreadBoxes(Protocol):
    """The drop boxes of a kept book, of which some can be read without all others."""

    def __call__(self) -> Iterable[object]:
        """Return all boxes, and by table the one that hangs there."""
        ...

    def days(self) -> set[date]:
        """Return the gaming days of all boxes."""
        ...

    def with_coupon(self, serial: Serial) -> list[Box]:
        """Return those into which a coupon was put, in their order."""
        ...


@dataclass(slots=True)
class CustodyRegister:
    """Everything known about the coupons up to the fact taken last.

    Args:
        clock: the property's clock.
        program: approvals, people, storage, deadlines.
        custody: where every coupon is.
        documents: the papers of the program.
        holdings: quantities by place.
        days: what is recorded for each gaming day.
        boxes: every drop box, in the order of its first fact.
        hanging: the box that hangs at each table.
        findings: the findings so far, by gaming day.
        doubts: when facts are missing or contested: table or office, begin and end (microseconds
            UTC).
        closed: the gaming days that the house closed.
        accepted: see below.
        at: when the last fact was merged, microseconds UTC.
        ref: its key.
        event: its kind.
        today: its gaming day.
        ends: the end of that day, microseconds UTC.
    """

    clock: PropertyClock
    program: Program = field(default_factory=Program)
    custody: Custody = field(default_factory=Custody)
    documents: Documents = field(default_factory=Documents)
    holdings: Holdings = field(default_factory=Holdings)
    days: MutableMapping[date, DayRecord] = field(default_factory=dict)
    boxes: list[Box] = field(default_factory=list)
    hanging: dict[str, Box] = field(default_factory=dict)
    findings: dict[date, list[Finding]] = field(default_factory=dict)
    doubts: list[tuple[str, int, int]] = field(default_factory=list)
    closed: set[date] = field(default_factory=set)
    accepted: dict[Serial, date] = field(default_factory=dict)
    """The gaming day on which a dealer accepted a coupon that was not redeemed since."""
    at: int = -1
    ref: FactRef = _NO_FACT
    event: str = ""
    today: date = _NO_DAY
    ends: int = -1
    unread: Unread = field(default_factory=dict, repr=False)
    """Fields that are read when somebody asks for one of them; see ``kernel.late_values``."""

    if not TYPE_CHECKING:  # a name that no field has stays an error
        __getattr__ = late_field

    def boxes_with(self, serial: Serial) -> list[Box]:
        """Return the drop boxes into which a coupon was put, in their order; none is changed."""
        _, unread = self.unread.get("boxes", ((), None))
        if isinstance(unread, UnreadBoxes):
            return unread.with_coupon(serial)
        return [box for box in self.boxes if serial in box.dropped]

    def box_days(self) -> set[date]:
        """Return the gaming days of the drop boxes."""
        _, unread = self.unread.get("boxes", ((), None))
        if isinstance(unread, UnreadBoxes):
            return unread.days()
        return {box.day for box in self.boxes}

    # --- following the record ---------------------------------------------------------------------

    def come_to(self, at: int, ref: FactRef, event: str) -> None:
        """Go to a fact's moment, and end the gaming days before it.

        Args:
            at: when the fact was merged, microseconds UTC.
            ref: its key.
            event: its kind.
        """
        if at >= self.ends:
            self._turn(self.clock.day_of(at))
        self.at, self.ref, self.event = at, ref, event

    def _turn(self, day: date) -> None:
        if self.today != _NO_DAY:
            self.finish()
            between = self.today + timedelta(days=1)
            pause = (day - between).days
            while 0 < pause <= LONGEST_PAUSE and between < day and self.holdings.marketing():
                self.today = between
                self._begin()
                self.finish()
                between += timedelta(days=1)
        self.today, self.ends = day, self.clock.bounds(day)[1]
        self._begin()

    def _begin(self) -> None:
        self.day(self.today).open(self.holdings.marketing_runs(self.custody))

    def finish(self) -> None:
        """End the record, or the gaming day: its figures are taken as they are."""
        if self.today != _NO_DAY:
            self.day(self.today).close(self.custody, self.holdings)

    def day(self, day: date) -> DayRecord:
        """Return what is recorded for a gaming day; a new record if nothing is."""
        record = self.days.get(day)
        if record is None:
            record = self.days[day] = DayRecord(day)
        return record

    def named_day(self, text: str | None) -> date:
        """Return the gaming day that a text names; today if it names none that can be read."""
        try:
            return date.fromisoformat(text) if text else self.today
        except ValueError:
            return self.today

    def is_over(self, day: date) -> bool:
        """Whether a gaming day is over as far as the record goes."""
        return day in self.closed or self.today > day

    # --- doubts -----------------------------------------------------------------------------------

    def doubt(self, group: str, begins: int | None, ends: int | None) -> None:
        """Note that facts of a table or an office are missing or contested.

        Args:
            group: the table or the office.
            begins: since when, microseconds UTC; None: from the beginning.
            ends: until when, microseconds UTC; None: to the end.
        """
        started = -1 if begins is None else begins
        self.doubts.append((group, started, FOREVER if ends is None else ends))

    def sure(self, since: int, until: int, *tables: str) -> bool:
        """Whether no fact of the coupons' office may be missing between two moments.

        Args:
            since: the first moment, microseconds UTC.
            until: the last moment, microseconds UTC.
            tables: tables and offices whose facts matter too.
        """
        return not any(
            begins <= until and since < ends
            for group, begins, ends in self.doubts
            if group == GROUP or group in tables
        )

    def tables_in_doubt(self) -> list[str]:
        """Return the tables and offices whose record is in doubt at any time."""
        return sorted({group for group, _, _ in self.doubts})

    # --- findings ---------------------------------------------------------------------------------

    def say(
        self,
        code: str,
        pin: str,
        *,
        observed: str | None = None,
        expected: str | None = None,
        facts: tuple[FactRef, ...] | None = None,
        day: date | None = None,
        sure: bool = True,
        into: list[Finding] | None = None,
        state: str = "",
        reason: str = "",
        says: str | None = None,
    ) -> None:
        """Note a breach of a duty, named by its code and its place in § 525.21.

        Args:
            code: the code of the finding.
            pin: the part of § 525.21, ``(e)#1``, or of a whole section, ``.22(e)#2``.
            observed: what the record shows: serial numbers, a document, a person.
            expected: what it should be.
            facts: those that show it; by default the fact taken last.
            day: the gaming day to which it belongs; by default today.
            sure: whether the record shows it, or only cannot show that the duty was kept.
            into: the list to which the finding is added; by default the findings of its day.
            state: where the coupons were, in words, for sentences that say so.
            reason: the reason on record, in words, for sentences that say so.
            says: the sentence, where it is not the duty's own.

        Raises:
            KeyError: no duty has this code and place.
        """
        duty = BY_NAME[f"{code}@{pin if pin.startswith('.') else '.21' + pin}"]
        evidence = facts if facts is not None else (self.ref,)
        several = is_many(observed or "")
        sentence = (says or duty.says).format_map(
            {
                "observed": observed or "nothing recorded",
                "expected": expected or "nothing recorded",
                "state": state,
                "reason": reason,
                "was": "were" if several else "was",
                "is": "are" if several else "is",
            }
        )
        if not sure:
            sentence = f"Cannot be verified: {sentence}"
        finding = Finding(
            code=duty.code,
            severity=duty.severity,
            certainty=Certainty.BROKEN if sure else Certainty.UNKNOWN,
            sentence=sentence,
            citations=(duty.cite,),
            gaming_day=day or self.today,
            stream=evidence[-1].stream if evidence else f"{GROUP}/finance",
            facts=evidence,
            readings=(duty.reading,) if duty.reading else (),
            expected=expected,
            observed=observed,
        )
        if into is not None:
            into.append(finding)
        else:
            self.findings.setdefault(finding.gaming_day, []).append(finding)

    # --- serial numbers ---------------------------------------------------------------------------

    def read(self, stated_range: CouponRange) -> SerialRange | None:
        """Return the serial numbers of a range as stated, and report what cannot be read.

        None if it has no serial numbers or they cannot be read.
        """
        if stated_range.first is None or stated_range.last is None:
            return None
        try:
            return self.custody.forms.read_range(
                stated_range.first, stated_range.last, stated_range.denomination_cents
            )
        except DenominationDiffers as refusal:
            self.say("coupon_wrong_denomination", "(c)(2)#1", observed=refusal.problem)
            return self.custody.forms.read_range(stated_range.first, stated_range.last)
        except UsageError as refusal:
            self.say("coupon_serial_not_of_a_series", "(c)(3)#1", observed=refusal.problem)
            return None

    def stated(self, stated_range: CouponRange) -> SerialRange | None:
        """Return the serial numbers of a range, None if they cannot be read; reports nothing."""
        try:
            return self.custody.forms.read_range(stated_range.first or "", stated_range.last or "")
        except UsageError:
            return None

    def ranges(self, stated: Iterable[CouponRange], *, whole: bool = True) -> list[SerialRange]:
        """Return the readable ranges, and report the others.

        ``whole``: a range without its serial numbers is reported as unknown too.
        """
        readable = []
        named = list(stated)
        for range_, plain in zip(named, self.custody.forms.read_each(named), strict=True):
            read = plain or self.read(range_)
            if read is not None:
                readable.append(read)
            elif whole and (range_.first is None or range_.last is None):
                self.say(
                    "coupon_serial_not_of_a_series",
                    "(c)(3)#1",
                    observed="The serial numbers of a range are not recorded.",
                    sure=False,
                )
        return readable

    def go(
        self,
        ranges: Iterable[SerialRange],
        to: Place,
        allowed: frozenset[Place],
        who: str | None,
        detail: str | None = None,
        *,
        runs: list[Run] | None = None,
    ) -> tuple[list[Run], list[Run]]:
        """Move coupons to a place.

        Args:
            ranges: the serial numbers.
            to: the place.
            allowed: the places from which they may come.
            who: the person, or the provider.
            detail: see ``Move``.
            runs: what ``Custody.runs_of`` gives for the ranges, if it was asked already.

        Returns:
            The runs that moved, and those that were elsewhere; of the latter the move is noted
            only.
        """
        named = list(ranges)
        if len(named) > 1 and are_apart(named):
            together = self.custody.runs_of(named) if runs is None else runs
            return self._go_together(together, to, allowed, who, detail)
        number = -1
        moved: list[Run] = []
        odd: list[Run] = []
        for serials in named:
            for run in self.custody.runs(serials):
                if number < 0:
                    move = Move(self.at, self.event, to, who, self.ref, detail)
                    number = self.custody.new(move)
                if run.place in allowed and run.series is not None:
                    self.custody.move(run, number)
                    self.holdings.shift(run, to)
                    moved.append(run)
                else:
                    self.custody.move(run, number, moves=False)
                    odd.append(run)
        return moved, odd

    def _go_together(
        self,
        runs: list[Run],
        to: Place,
        allowed: frozenset[Place],
        who: str | None,
        detail: str | None,
    ) -> tuple[list[Run], list[Run]]:
        """``go`` for runs that are apart: none waits for the one before, so all move at once."""
        moved: list[Run] = []
        odd: list[Run] = []
        for run in runs:
            (moved if run.place in allowed and run.series is not None else odd).append(run)
        number = self.custody.new(Move(self.at, self.event, to, who, self.ref, detail))
        self.custody.move_each(moved, number)
        self.custody.move_each(odd, number, moves=False)
        self.holdings.shift_each(moved, to)
        return moved, odd

    def go_one(
        self, serial: Serial, to: Place, allowed: frozenset[Place], who: str | None, detail: str
    ) -> Run:
        """Move one coupon, as ``go`` does, and return it as it was before."""
        move = tuple.__new__(Move, (self.at, self.event, to, who, self.ref, detail))
        custody = self.custody
        run, moved = custody.step(serial, custody.new(move), allowed)
        if moved:
            self.holdings.shift(run, to)
        return run

    def since(self, run: Run) -> int:
        """Return when a run came to its place, microseconds UTC; -1 if it never was anywhere."""
        last = self.custody.last(run.way)
        return last.at if last else -1

    def odd(self, code: str, pin: str, runs: Iterable[Run], *tables: str, reason: str = "") -> None:
        """Report runs that could not be where the fact has them: one finding for each place.

        Args:
            code: the code of the finding.
            pin: the part of § 525.21.
            runs: the runs.
            tables: tables whose record matters too.
            reason: the reason on record, in words.
        """
        by_place: dict[tuple[Place, bool], list[Run]] = {}
        for run in runs:
            sure = self.sure(self.since(run), self.at, *tables)
            by_place.setdefault((run.place, sure), []).append(run)
        for (place, sure), those in by_place.items():
            last_moves = [last for run in those if (last := self.custody.last(run.way))]
            known = {move.ref for move in last_moves}
            self.say(
                code,
                pin,
                observed=fold(run.range for run in those),
                expected=place.value,
                facts=(*sorted(known)[:NAMED], self.ref),
                sure=sure,
                state=state_in_words(place, (move.detail for move in last_moves)),
                reason=reason,
            )

    def state_of(self, run: Run) -> str:
        """Say where a run is: ``although already cancelled as void``."""
        last = self.custody.last(run.way)
        return state_in_words(run.place, (last.detail,) if last else ())

    def good_until(self, series: CouponSeriesDescribed | None) -> date | None:
        """Return the last gaming day on which a series is good (reading coupon-expiry: inclusive).

        None if no day is stated or it cannot be read.
        """
        if series is None or series.expires is None:
            return None
        try:
            return date.fromisoformat(series.expires)
        except ValueError:
            return None

    def expired(self, series: CouponSeriesDescribed | None, day: date) -> bool:
        """Whether a series is past its last day."""
        until = self.good_until(series)
        return until is not None and day > until
