"""Plants between rounds: relief, inspection, limits."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from ledger import events
from ledger.floor import people
from ledger.floor.draft import Draft
from ledger.floor.plant_play import last_of
from ledger.floor.tables import TableSpec


def is_dealer_relief(draft: Draft) -> bool:
    """Whether one dealer takes over from another in this step."""
    return any(
        isinstance(f, events.StaffAssigned) and f.role is events.Role.DEALER for f in draft.facts
    )


def shaker_unattended(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """The dealer leaves before the next one has come."""
    assigned, relieved = last_of(draft, events.StaffAssigned), last_of(draft, events.StaffRelieved)
    draft.facts = []
    gone = replace(relieved, event_time=assigned.event_time, relieved_by=None)
    draft.insert(gone)
    draft.insert(replace(assigned, event_time=relieved.event_time))
    draft.find("shaker_unattended", "575.2(c)(1)" if spec.is_cards else "539.1(f)", gone)


def _trial(draft: Draft) -> events.DeviceInspected:
    return next(
        fact
        for fact in draft.facts
        if isinstance(fact, events.DeviceInspected)
        and fact.device is events.Device.ELECTRICAL_DEVICE
    )


def inspection_missing(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """Nobody tries the electrical device before the table opens."""
    draft.remove(_trial(draft))
    draft.find("inspection_missing", "539.5(a)", last_of(draft, events.TableOpened))


def inspection_by_wrong_person(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """A floorperson of another pit tries the electrical device."""
    trial = _trial(draft)
    other = people.floorperson_of_another_pit(spec)
    wrong = replace(trial, inspected_by=other, recorded_by=other)
    draft.swap(trial, wrong)
    draft.find("inspection_by_wrong_person", "539.5(a)", wrong)


def changes_while_playing(draft: Draft) -> bool:
    """Whether limits change after notice, with patrons at the table."""
    return draft.step.earlier is not None and bool(last_of(draft, events.LimitsSet).patrons_playing)


def drop_notice(draft: Draft) -> None:
    """Neither sign nor announcement."""
    draft.facts = []


def drop_sign(draft: Draft) -> None:
    """An announcement, but no sign."""
    draft.remove(last_of(draft, events.LimitsSignPosted))


def drop_announcement(draft: Draft) -> None:
    """A sign, but no announcement."""
    draft.remove(last_of(draft, events.LimitsChangeAnnounced))


def limit_changed_without_notice(draft: Draft, spec: TableSpec, rng: Random) -> None:
    """The limits change under the patrons' hands."""
    change_sign_missing(draft, spec, rng)
    changed = last_of(draft, events.LimitsSet)
    draft.find("limits_notice_missing", "521.8(c)(2)", changed)
    draft.find("limits_change_not_announced", "521.8(c)(2)(iii)", changed)


def change_sign_missing(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """No sign told of the change, so none is taken down."""
    draft.remove(last_of(draft, events.LimitsSignRemoved))
    draft.find("limits_sign_missing", "521.8(c)(2)(ii)", last_of(draft, events.LimitsSet))


def change_not_announced(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
    """Nobody told the patrons at the table."""
    draft.find("limits_change_not_announced", "521.8(c)(2)(iii)", last_of(draft, events.LimitsSet))
