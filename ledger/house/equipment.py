"""What is at one table, how it was inspected and approved, and how old its dice are.

Law: §§ 539.1, 539.2(b), 539.5(a), 689.1 through the rooms' own rows. Reading: dice-clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from ledger import events
from ledger.games.first_placings import FirstPlacings, PlacedDie
from ledger.games.inspection import NamesAll, OnDealerSide
from ledger.games.room import Approval, Breach, Duty, Requirement, Room, Rules, Trial
from ledger.house.office import Office
from ledger.house.staffing import Staff
from ledger.kernel import MICROSECONDS, Certainty, FactRef, Instant, plural, ref_of
from ledger.kernel.quick_dataclass import dataclass

DAY_MICROS = 24 * 3600 * MICROSECONDS

ITEMS_BY_SUBJECT = (
    events.Subject.TABLE,
    events.Subject.LAYOUT,
    events.Subject.SHAKER,
    events.Subject.ELECTRICAL_DEVICE,
    events.Subject.DICE,
)


@dataclass(slots=True)
class Equipment:
    """The equipment at one table.

    Args:
        shakers: those at the table, by id.
        dice: those in play, by serial.
        first_placings: of every die that was ever placed.
        dice_reported: dice that were reported as too old.
        trials: the trials since the table last closed, and whether a floorperson made each.
        items: the last look at each item, by subject, its id and the item; of dice those that found
            something wrong, since each day brings others.
        count_told: a wrong number of dice was reported since the set last changed.
        whole: a set was placed and no die removed since.
        shaken: the last use of the dice was a shake.
        judged: the placings and looks that were judged.
        sure: no fact was lost that may have changed the equipment.
        trials_sure: no fact was lost since the table last closed.
        stale_dice: dice that may have been replaced unseen since facts were lost.
        count_sure: no fact was lost that may have changed the dice.
        oldest: when the oldest die that is not reported was placed, microseconds UTC.
    """

    shakers: dict[str, events.ShakerPlaced] = field(default_factory=dict)
    dice: dict[str, PlacedDie] = field(default_factory=dict)
    first_placings: FirstPlacings = FirstPlacings()
    dice_reported: set[str] = field(default_factory=set)
    trials: list[tuple[events.DeviceInspected, bool | None]] = field(default_factory=list)
    items: dict[tuple[events.Subject, str | None, str], events.ItemInspected] = field(
        default_factory=dict
    )
    count_told: bool = False
    whole: bool = False
    shaken: bool = False
    judged: set[FactRef] = field(default_factory=set)
    sure: bool = True
    trials_sure: bool = True
    stale_dice: set[str] = field(default_factory=set)
    count_sure: bool = True
    oldest: Instant = 1 << 62

    def forget(self) -> None:
        """Make dice, trials and inspections uncertain: they may have changed unseen."""
        self.sure = self.trials_sure = self.count_sure = False
        self.stale_dice = set(self.dice)

    # --- dice ---------------------------------------------------------------------------------

    def place_dice(self, fact: events.DiceSetPlaced) -> None:
        """Follow dice into play; a die's age counts from its first placing, even if taken away."""
        placed = self.first_placings.placed(fact)
        self.first_placings = self.first_placings.after(placed)
        for die in placed:
            self.dice[die.serial] = die
            self.stale_dice.discard(die.serial)
        self._age()
        self.count_told, self.whole = False, True

    def remove_dice(self, fact: events.DiceSetRemoved) -> None:
        """Follow dice out of play."""
        for serial in fact.dice:
            self.dice.pop(serial, None)
            self.stale_dice.discard(serial)
        self.count_told = self.whole = False
        self._age()

    def counted(self, rules: Rules, ref: FactRef) -> tuple[Breach, ...]:
        """Report if the dice in play are not as many as the game has; once until the set changes.

        Args:
            rules: those in force.
            ref: the fact that uses or removes the dice.
        """
        wanted = rules.room.dice
        if wanted is None or not self.dice or self.count_told or len(self.dice) == wanted:
            return ()
        self.count_told = True
        return (
            Breach(
                duty=rules.duty("wrong_number_of_dice"),
                facts=(*sorted({die.ref for die in self.dice.values()}), ref),
                observed=plural(len(self.dice), "die", "dice"),
                certainty=_certain(self.count_sure),
            ),
        )

    def _age(self) -> None:
        fresh = (die.at for die in self.dice.values() if die.serial not in self.dice_reported)
        self.oldest = min(fresh, default=1 << 62)

    def overdue(self, rules: Rules, ref: FactRef, at: int, *, shake: bool) -> Iterable[Breach]:
        """Report dice used for play more than 24 hours after they were placed, once for each die.

        A use begins with the shake; a throw counts by itself only where no shake was recorded.

        Args:
            rules: those in force.
            ref: the fact that uses them.
            at: its time, microseconds UTC.
            shake: whether it is a shake.
        """
        begun, self.shaken = self.shaken, shake
        return self._over_a_day(rules, ref, at) if not begun or shake else ()

    def remain(self, rules: Rules, ref: FactRef, at: int) -> Iterable[Breach]:
        """Report dice still on the table after 24 hours, used or not, where that is forbidden.

        Args:
            rules: those of the day.
            ref: the fact by which the dice are still there.
            at: its event time, microseconds UTC.
        """
        return self._over_a_day(rules, ref, at) if rules.room.dice_must_go else ()

    @property
    def within_a_day_until(self) -> Instant:
        """The last moment at which no die was there for over 24 hours; those reported are left out."""
        return self.oldest + DAY_MICROS

    def _over_a_day(self, rules: Rules, ref: FactRef, at: int) -> Iterable[Breach]:
        return () if at - self.oldest <= DAY_MICROS else self._too_old(rules, ref, at)

    def _too_old(self, rules: Rules, ref: FactRef, at: int) -> Iterator[Breach]:
        if rules.has("dice_over_24_hours"):
            old = {
                serial: die
                for serial, die in self.dice.items()
                if at - die.at > DAY_MICROS and serial not in self.dice_reported
            }
            longest = max(at - die.at for die in old.values()) // MICROSECONDS
            self.dice_reported |= old.keys()
            placings = sorted({die.ref for die in old.values()})
            yield Breach(
                duty=rules.duty("dice_over_24_hours"),
                facts=(*placings, ref),
                observed=f"{longest // 3600} h {longest % 3600 // 60} min {longest % 60} s",
                certainty=_certain(not old.keys() <= self.stale_dice),
            )
        self._age()

    # --- before opening -------------------------------------------------------------------------

    def inspect(self, fact: events.DeviceInspected, staff: Staff) -> None:
        """Note the trial of a device, and whether a floorperson made it as far as is known then."""
        self.trials.append((fact, staff.holds(events.Role.FLOORPERSON, fact.inspected_by)))

    def look(self, fact: events.ItemInspected) -> None:
        """Note the look at an item; the last one counts, and of dice only what is wrong with them."""
        key = (fact.subject, fact.subject_id, fact.item)
        if fact.subject is events.Subject.DICE and fact.found is not False:
            self.items.pop(key, None)
        else:
            self.items[key] = fact

    def opened(
        self, room: Room, rules: Rules, fact: events.TableOpened, office: Office, staff: Staff
    ) -> Iterator[Breach]:
        """Judge the opening of the table: trials, approvals and requirements.

        Args:
            room: the rows.
            rules: those in force.
            fact: the opening.
            office: the approvals.
            staff: who is at the table.
        """
        for trial in room.trials:
            if not trial.only_if_present or self._has(trial.device):
                yield from self._trial(rules, trial, fact, staff)
        yield from self._approvals(room, rules, fact, office)
        yield from self._requirements(room, fact)

    def closed(self) -> None:
        """Note that the table closed: the next opening needs trials of its own (§ 539.5(a))."""
        self.trials.clear()
        self.trials_sure = True
        self.first_placings = self.first_placings.closed()

    def _has(self, device: str) -> bool:
        kind = events.ShakerKind.AUTOMATED if device == events.Device.AUTOMATED_SHAKER else None
        return any(placed.kind is kind for placed in self.shakers.values())

    def _trial(
        self, rules: Rules, trial: Trial, opened: events.TableOpened, staff: Staff
    ) -> Iterator[Breach]:
        name = trial.device.lower().replace("_", " ")
        at = ref_of(opened)
        trials = [item for item in self.trials if item[0].device == trial.device]
        if trial.only_if_present:  # the trial of another shaker says nothing of this one
            trials = [item for item in trials if item[0].device_id in (None, *self.shakers)]
        if not trials:
            duty = rules.duty("inspection_missing")
            yield Breach(
                duty=duty, facts=(at,), observed=name, certainty=_certain(self.trials_sure)
            )
            return
        fact, by_assigned = trials[-1]
        ref = ref_of(fact)
        if not by_assigned:
            by_assigned = staff.holds(trial.by, fact.inspected_by) or by_assigned
        if by_assigned is not True:
            duty = rules.duty("inspection_by_wrong_person")
            sure = _certain(by_assigned is not None)
            yield Breach(
                duty=duty, facts=(ref,), observed=name, expected=fact.inspected_by, certainty=sure
            )
        if fact.working is False or getattr(fact, trial.works) is False:
            yield Breach(duty=rules.duty("opened_with_fault"), facts=(ref, at), observed=name)
        count = _count(trial, fact)
        duty = Duty(
            "inspection_incomplete",
            rules.duty("inspection_incomplete").severity,
            trial.cite,
            rules.duty("inspection_incomplete").says,
        )
        if count is None or getattr(fact, trial.works) is None:
            yield Breach(
                duty=duty,
                facts=(ref,),
                observed=name,
                expected="not all of it was recorded",
                certainty=Certainty.UNKNOWN,
            )
        elif count < trial.at_least:
            expected = f"{count} of at least {trial.at_least} {trial.count}"
            yield Breach(duty=duty, facts=(ref,), observed=name, expected=expected)

    def _approvals(
        self, room: Room, rules: Rules, opened: events.TableOpened, office: Office
    ) -> Iterator[Breach]:
        for row in room.approvals:
            if row.kind == events.Device.ELECTRICAL_DEVICE:
                ids = {f.device_id: ref_of(f) for f, _ in self.trials if f.device == row.kind}
                for device, ref in ids.items():
                    yield from self._approval(row, rules, device, ref, opened.event_time, office)
        for placed in self.shakers.values():
            yield from self.shaker_approved(room, rules, placed, office, opened.event_time)

    def shaker_approved(
        self, room: Room, rules: Rules, placed: events.ShakerPlaced, office: Office, at: int
    ) -> Iterator[Breach]:
        """Report a shaker in use without the approval of each bureau that its kind needs.

        ``at`` is the moment of the use, microseconds UTC.
        """
        ref = ref_of(placed)
        if (
            placed.kind is events.ShakerKind.UNRECOGNISED
            and room.approvals
            and ref not in self.judged
        ):
            self.judged.add(ref)
            duty = rules.duty("equipment_not_approved")
            observed = f"shaker {placed.shaker} of an unknown kind"
            unsure = Certainty.UNKNOWN
            yield Breach(
                duty=duty, facts=(ref,), observed=observed, expected="its bureau", certainty=unsure
            )
        for row in room.approvals:
            if row.kind == placed.kind and ref not in self.judged:
                self.judged.add(ref)
                yield from self._approval(row, rules, placed.shaker, ref, at, office)

    def _approval(
        self,
        row: Approval,
        rules: Rules,
        equipment: str | None,
        ref: FactRef,
        at: int,
        office: Office,
    ) -> Iterator[Breach]:
        kind = row.kind.lower().replace("_", " ")
        duty = Duty(
            "equipment_not_approved",
            row.severity,
            row.cite,
            rules.duty("equipment_not_approved").says,
        )
        if equipment is None:
            yield Breach(
                duty=duty,
                facts=(ref,),
                observed=f"a {kind} of unknown id",
                expected="its bureau",
                certainty=Certainty.UNKNOWN,
            )
            return
        lacking = office.lacking(equipment, row.bureaus, at)
        if lacking:
            names = " and ".join(name.lower().replace("_", " ") for name in lacking)
            sure = _certain(office.sure(None, at))
            observed = (
                f"{kind} {equipment}"
                if row.kind == events.Device.ELECTRICAL_DEVICE
                else f"{kind} shaker {equipment}"
            )
            yield Breach(duty=duty, facts=(ref,), observed=observed, expected=names, certainty=sure)

    # --- itemised requirements ------------------------------------------------------------------

    def _subjects(self, subject: events.Subject, opened: events.TableOpened) -> list[str | None]:
        """Return the ids of the subjects of a kind at the table."""
        if subject is events.Subject.LAYOUT:
            return [opened.layout]
        if subject is events.Subject.SHAKER:
            return list(self.shakers)
        if subject is events.Subject.ELECTRICAL_DEVICE:
            tried = {
                f.device_id for f, _ in self.trials if f.device is events.Device.ELECTRICAL_DEVICE
            }
            looked = {thing for kind, thing, _ in self.items if kind is subject}
            return sorted(tried or looked, key=str)
        return [opened.stream.partition("/")[0]]

    def _requirements(self, room: Room, opened: events.TableOpened) -> Iterator[Breach]:
        at = ref_of(opened)
        unseen: dict[str, list[Requirement]] = {}
        judged_before = frozenset(self.judged)  # one look may fail several rows
        for row in room.requirements:
            if row.subject is events.Subject.DICE:
                # no inspection is owed; one that found dice outside is a breach while they are here
                yield from (
                    _unmet(row, look)
                    for (subject, serial, item), look in self.items.items()
                    if (subject, item) == (row.subject, row.feature) and look.found is False
                    if not self._taken_away(serial)
                )
                continue
            for subject_id in self._subjects(row.subject, opened):
                if row.feature == "cover_opaque" and self._automated(subject_id):
                    continue
                look = self.items.get((row.subject, subject_id, row.feature)) or self.items.get(
                    (row.subject, None, row.feature)
                )
                if look is None or look.found is None:
                    unseen.setdefault(f"{row.subject}/{row.code}", []).append(row)
                elif ref_of(look) not in judged_before and not _met(row, look):
                    self.judged.add(ref_of(look))
                    yield _unmet(row, look)
        yield from self._boxes(room, opened)
        for rows in unseen.values():
            required = "; ".join(row.required for row in rows)
            duty = Duty(
                rows[0].code,
                rows[0].severity,
                rows[0].cite,
                "No inspection is recorded that shows: {observed}.",
            )
            yield Breach(duty=duty, facts=(at,), observed=required, certainty=Certainty.UNKNOWN)

    def _taken_away(self, serial: str | None) -> bool:
        """Whether a die was at the table and is not there any more."""
        if serial is None or serial in self.dice:
            return False
        return self.first_placings.of(serial) is not None

    def judge_look(self, room: Room, look: events.ItemInspected) -> Iterator[Breach]:
        """An inspection while the table is open that finds a thing missing or wrong."""
        ref = ref_of(look)
        for row in room.requirements:
            cover = row.feature == "cover_opaque" and self._automated(look.subject_id)
            same = (row.subject, row.feature) == (look.subject, look.item) and not cover
            if same and look.found is not None and not _met(row, look):
                self.judged.add(ref)
                yield _unmet(row, look)

    def _automated(self, shaker: str | None) -> bool:
        placed = self.shakers.get(shaker or "")
        return placed is not None and placed.kind is events.ShakerKind.AUTOMATED

    def _boxes(self, room: Room, opened: events.TableOpened) -> Iterator[Breach]:
        """Report drop box and tip box on one side: they belong on opposite hands of the dealer."""
        rows = [row for row in room.requirements if isinstance(row.met_by, OnDealerSide)]
        table = opened.stream.partition("/")[0]
        looks = [
            self.items.get((row.subject, table, row.feature))
            or self.items.get((row.subject, None, row.feature))
            for row in rows
        ]
        sides = [_side(look) for look in looks if look is not None and look.found]
        if len(sides) == 2 and sides[0] is not None and sides[0] == sides[1]:
            last = looks[-1]
            assert last is not None
            ref = ref_of(last)
            if ref not in self.judged:
                self.judged.add(ref)
                yield _unmet(rows[-1], last)

    def take(self, fact: events.ShakerPlaced | events.ShakerRemoved) -> None:
        """Follow a shaker to the table or away from it."""
        if isinstance(fact, events.ShakerPlaced):
            self.shakers[fact.shaker] = fact
        else:
            self.shakers.pop(fact.shaker, None)


def _certain(sure: bool) -> Certainty:
    return Certainty.BROKEN if sure else Certainty.UNKNOWN


def _count(trial: Trial, fact: events.DeviceInspected) -> int | None:
    """Return how much was tried: values entered (reading three-trial-values), or operations."""
    if trial.count == "operations":
        return fact.operations
    if fact.trial_entries is None:
        return None
    return fact.trial_entries * (1 if fact.values_per_entry is None else fact.values_per_entry)


def _met(row: Requirement, look: events.ItemInspected) -> bool:
    if not look.found:
        return False
    return row.met_by is None or row.met_by(tuple((seen.name, seen.value) for seen in look.seen))


def _unmet(row: Requirement, look: events.ItemInspected) -> Breach:
    seen = tuple((item.name, item.value) for item in look.seen)
    missing = row.met_by.missing(seen) if isinstance(row.met_by, NamesAll) and look.found else ()
    observed = f"{row.required} (missing: {', '.join(missing)})" if missing else row.required
    duty = Duty(row.code, row.severity, row.cite, "Not as required: {observed}.")
    return Breach(duty=duty, facts=(ref_of(look),), observed=observed)


def _side(look: events.ItemInspected) -> str | None:
    return next((seen.value for seen in look.seen if seen.name == "side"), None)
