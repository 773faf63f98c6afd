"""Devices at the tables, and the patrons' access to the text of the rules.

Law: §§ 521.6, 521.9(a). Reading: rules-of-games-offered. Only what was seen or looked for is
judged; where nobody looked, nothing is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger import events
from ledger.games.room import Breach
from ledger.house.duties import BY_ROW
from ledger.house.office import Office
from ledger.house.records import last, plain
from ledger.kernel import Certainty, ref_of

PODIUM = "security podium"


def judge_device(office: Office, fact: events.ElectronicDeviceSeen) -> Iterator[Breach]:
    """§ 521.6: a device used, or held with the intent to use it, without the Board's permission.

    Use at no named table or for no recorded purpose, and an intent that nobody established, are
    unknown: a case decides on them.
    """
    permitted = _permitted(office, fact)
    if permitted is True:
        return
    if fact.used:
        row, known = "prohibited_device@.6#2", bool(fact.table and fact.purpose)
    elif fact.intended:
        row, known = "prohibited_device@.6#1", True
    elif fact.used is None:
        row, known = "prohibited_device@.6#2", False
    elif fact.intended is None:
        row, known = "prohibited_device@.6#1", False
    else:
        return
    sure = known and permitted is False
    person = f"{fact.device} of {fact.person}" if fact.person else fact.device
    others = f" in concert with {', '.join(fact.in_concert_with)}" if fact.in_concert_with else ""
    where = f" at {fact.table}" if fact.table else ""
    why = f" for {fact.purpose}" if fact.purpose else ""
    yield Breach(
        duty=BY_ROW[row],
        facts=(ref_of(fact),),
        observed=f"{person}{others}{where}{why}",
        certainty=_certain(sure),
    )


def _permitted(office: Office, fact: events.ElectronicDeviceSeen) -> bool | None:
    """Whether the Board permitted the device; None: the record cannot tell."""
    permission = office.access.permission(fact.device, fact.person, fact.event_time)
    return _is_permitted_by(office, permission, events.Bureau.BOARD, fact.event_time)


def _is_permitted_by(
    office: Office,
    permit: events.ElectronicDevicePermitted | events.RulesTextPlaceApproved | None,
    by: events.Bureau,
    at: int,
) -> bool | None:
    """Whether the last decision allowed it and came from who must allow it; None: unclear."""
    if permit is None or permit.withdrawn:
        return False if office.sure(permit.event_time if permit else None, at) else None
    if permit.bureau in (None, events.Bureau.UNRECOGNISED):
        return None
    return permit.bureau is by


# --- the text of the rules -------------------------------------------------------------------------


def judge_text(office: Office, fact: events.RulesTextKept) -> Iterator[Breach]:
    """§ 521.9(a): a printed, complete text, at the podium or another approved place.

    A fault at one place does not matter if the text was in order at another one on the same day.
    """
    if _elsewhere(office, fact):
        return
    faults, unsure = _faults(office, fact)
    if faults or unsure:
        yield Breach(
            duty=BY_ROW["rules_text_not_available@.9(a)#1"],
            facts=(ref_of(fact),),
            observed=fact.place,
            expected=" and ".join(faults or unsure),
            certainty=_certain(bool(faults)),
        )
    allowed = place_allowed(office, fact.place, fact.event_time)
    if fact.present and allowed is not True:
        yield Breach(
            duty=BY_ROW["rules_text_not_available@.9(a)#2"],
            facts=(ref_of(fact),),
            observed=fact.place,
            certainty=_certain(allowed is False),
        )


def judge_text_request(fact: events.RulesTextRequested) -> Iterator[Breach]:
    """§ 521.9(a): the text is made available to anyone who asks."""
    if fact.shown is not True:
        yield Breach(
            duty=BY_ROW["rules_access_refused@.9(a)#3"],
            facts=(ref_of(fact),),
            observed=fact.requested_by or "Somebody",
            certainty=_certain(fact.shown is False),
        )


def place_allowed(office: Office, place: str, at: int) -> bool | None:
    """Whether the text may be kept there: at the podium, or where Gaming Operations approved it.

    ``at`` is in microseconds UTC. None: the record cannot tell.
    """
    where = plain(place)
    if where == PODIUM or where.startswith((f"{PODIUM},", f"{PODIUM} ")):
        return True
    approval = last(office.access.places.get(where, ()), at)
    return _is_permitted_by(office, approval, events.Bureau.GAMING_OPERATIONS, at)


def _faults(office: Office, fact: events.RulesTextKept) -> tuple[list[str], list[str]]:
    """Return what is wrong with the text at its place, and what nobody recorded about it."""
    if not fact.present:
        return ["was not there"], []
    faults: list[str] = []
    unsure: list[str] = []
    for met, words in ((fact.printed, "was not printed"), (fact.complete, "was not complete")):
        if met is not True:
            (unsure if met is None else faults).append(words)
    offered = office.games_offered(fact.event_time)
    if fact.games is None:
        return faults, unsure
    kept = {plain(game) for game in fact.games}
    lacking = [game for game in offered if plain(game) not in kept]
    if lacking:
        faults.append(f"lacked {', '.join(lacking)}")
    return faults, unsure


def _elsewhere(office: Office, fact: events.RulesTextKept) -> bool:
    """Whether the text was in order at another allowed place on the same day."""
    clock = office.clock
    if clock is None:
        return False
    begins, ends = clock.bounds(clock.day_of(fact.event_time))
    return any(
        plain(look.place) != plain(fact.place)
        and begins <= look.event_time < ends
        and place_allowed(office, look.place, look.event_time) is True
        and _faults(office, look) == ([], [])
        for look in office.access.looks
    )


def _certain(known: bool) -> Certainty:
    return Certainty.BROKEN if known else Certainty.UNKNOWN
