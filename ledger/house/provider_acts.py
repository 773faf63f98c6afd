"""The acts around a provider, each judged at its own fact: certified, renewed, authorized, listed.

Law: §§ 528.2(c), 528.3(d), (e), 528.4(b), 528.6, 528.7, 528.8(a) through ``provider_duties``.
Readings: renewal-sixty-days, use-requirements-538-7.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from ledger import events
from ledger.games.room import Breach
from ledger.house.provider_services import (
    Held,
    approved_for_use,
    costs_paid,
    criteria_lacking,
    described,
    is_gaming_related,
    lab_approved,
    named,
    permission,
    service_breach,
)
from ledger.house.service_providers import (
    RENEWAL_DAYS,
    Hold,
    Providers,
    certified,
    granted_on,
    grants,
    renewal_came,
    term_of,
)
from ledger.kernel import PropertyClock, to_micros


def judge_act(providers: Providers, fact: events.Fact, clock: PropertyClock) -> Iterator[Breach]:
    """Yield what an act breaks by itself; the caller adds the fact of the act as the last one."""
    match fact:
        case events.ProviderCertified():
            yield from _certified(providers, fact)
        case events.RenewalReceived():
            yield from _renewed(providers, fact, clock)
        case events.ProviderAuthorized():
            yield from _authorized(providers, fact, clock)
        case events.ProviderCredentialIssued():
            yield from _credential(providers, fact, clock)
        case events.ProviderListed():
            yield from _listed(providers, fact, clock)
        case _:
            pass
    yield from _too_late(providers, fact, clock)


def _certified(providers: Providers, fact: events.ProviderCertified) -> Iterator[Breach]:
    """§ 528.2(c): paid, by the certification's own word and by the dates of recorded payments."""
    late = [
        one
        for one in providers.of(events.LaboratoryCostsPaid, fact.provider)
        if one.paid_on > fact.approved_on
        and not (one.service and _later_service(providers, one.service, fact))
    ]
    if fact.fees_paid is not True or late:
        holds = False if late or fact.fees_paid is False else None
        yield service_breach("lab_costs_unpaid@.2(c)", holds, fact.provider, None, tuple(late[:1]))


def _later_service(providers: Providers, service: str, fact: events.ProviderCertified) -> bool:
    """Whether a service was decided on only after the certification: its review came later."""
    decided = providers.of(events.ServiceLaboratoryDecided, service)
    return all(one.decided_on > fact.approved_on for one in decided)


def _renewed(
    providers: Providers, fact: events.RenewalReceived, clock: PropertyClock
) -> Iterator[Breach]:
    """§ 528.4(b): application and fee at least 60 days before the certification's last day."""
    before = [
        one for one in grants(providers, fact.provider) if granted_on(one) <= fact.received_on
    ]
    if fact.complete is False or not before:
        return
    due = date.fromordinal(max(term_of(before[0]).toordinal() - RENEWAL_DAYS, 1))
    came, first = renewal_came(fact), date.fromisoformat(fact.received_on)
    relied_on = (before[0],)
    if first > due or (came is not None and came > due):
        observed = f"{fact.provider} was complete only on {came or first}"
        yield service_breach("renewal_late@.4(b)", False, observed, str(due), relied_on)
    elif came is None and clock.local(fact.event_time).date() > due:
        observed = f"{fact.provider} came on {first}, its fee is not recorded"
        yield service_breach("renewal_late@.4(b)", None, observed, str(due), relied_on)


def _credential(
    providers: Providers, fact: events.ProviderCredentialIssued, clock: PropertyClock
) -> Iterator[Breach]:
    """§ 528.3(d), (e): what must hold on the day a credential is issued."""
    name, at = "credential_without_grounds", end_of(fact.issued_on, clock)
    if fact.kind is events.CredentialKind.TEMPORARY:
        if fact.needed_in_facility is not True:
            yield service_breach(f"{name}@.3(d)(1)", fact.needed_in_facility, fact.person)
        on = [
            one
            for one in providers.of(events.ProviderListed, fact.provider)
            if one.list is events.ProviderList.AUTHORIZED and one.listed_on <= fact.issued_on
        ]
        last = max(on, key=lambda one: (one.listed_on, one.event_time), default=None)
        if last is None or last.removed:
            relied_on = (last,) if last is not None else ()
            yield service_breach(f"{name}@.3(d)(2)", False, fact.person, fact.provider, relied_on)
    elif fact.kind is events.CredentialKind.PERMANENT:
        hold = certified(providers, fact.provider, at, clock)
        if not hold.holds:
            expected = hold.reason or f"{fact.provider} was never certified"
            yield service_breach(f"{name}@.3(e)", hold.holds, fact.person, expected, hold.facts)
        elif fact.found_qualified is not True:
            expected = "that the individual was found qualified is not recorded"
            if fact.found_qualified is False:
                expected = "the individual was not found qualified"
            yield service_breach(f"{name}@.3(e)", fact.found_qualified, fact.person, expected)


def _listed(
    providers: Providers, fact: events.ProviderListed, clock: PropertyClock
) -> Iterator[Breach]:
    """§ 528.6: the list holds providers who are certified and whose service is approved."""
    if fact.list is not events.ProviderList.GAMING_RELATED or fact.removed:
        return
    at, name = end_of(fact.listed_on, clock), "provider_list_differs@.6"
    hold = certified(providers, fact.provider, at, clock)
    if not hold.holds:
        expected = hold.reason or "no certification is recorded"
        yield service_breach(name, hold.holds, fact.provider, expected, hold.facts)
        return
    answers = [held for _, held in _laboratory(providers, fact.provider, at, clock)]
    if not any(held[0] for held in answers):
        expected = "no service of it is recorded as approved by the laboratory"
        yield service_breach(name, None if not answers else False, fact.provider, expected)


def _laboratory(
    providers: Providers, provider: str, at: int, clock: PropertyClock
) -> Iterator[tuple[tuple[str, str | None], Held]]:
    """Yield each described version of a provider's services, and the laboratory's approval."""
    seen = {
        (one.service, one.service_version or "", one.service_version)
        for one in providers.all(events.ServiceDescribed)
        if one.provider == provider and one.event_time <= at
    }
    for service, _, version in sorted(seen, key=lambda one: one[:2]):
        yield (service, version), lab_approved(providers, service, version, at, clock)


# --- authorization before certification ----------------------------------------------------------


def _authorized(
    providers: Providers, authorization: events.ProviderAuthorized, clock: PropertyClock
) -> Iterator[Breach]:
    """The criteria of § 528.8(a) at the authorization itself; (4) for each service described."""
    at = authorization.event_time
    if authorization.authorized_on != clock.local(at).date().isoformat():
        at = end_of(authorization.authorized_on, clock)
    yield from criteria_lacking(providers, authorization.provider, Hold(True), at, clock)
    services = list(_laboratory(providers, authorization.provider, at, clock))
    name = "authorization_criteria_missing@.8(a)(4)"
    if not services:
        yield service_breach(
            name, None, authorization.provider, "none of its services is described"
        )
    for (service, _), laboratory in services:
        asked: tuple[tuple[str, Held], ...] = (
            ("laboratory approval", laboratory),
            ("payment of costs", costs_paid(providers, authorization.provider, service, at, clock)),
            ("written approval", approved_for_use(providers, service, at)),
        )
        open_ = [(what, held) for what, held in asked if not held[0]]
        if open_:
            holds = False if any(held[0] is False for _, held in open_) else None
            lacking = ", ".join(what for what, _ in open_)
            yield service_breach(name, holds, authorization.provider, f"{service} lacks {lacking}")


def end_of(day: str, clock: PropertyClock) -> int:
    """Return the last second of a calendar day of the property, for what is dated without a time.

    Args:
        day: ISO date, "2010-05-31".
        clock: the property's clock.

    Returns:
        Microseconds UTC.
    """
    wall = datetime.combine(date.fromisoformat(day), time(23, 59, 59), ZoneInfo(clock.time_zone))
    return to_micros(wall)


# --- what came only after the use ----------------------------------------------------------------


def _too_late(providers: Providers, fact: events.Fact, clock: PropertyClock) -> Iterator[Breach]:
    """§ 528.7: the act meets one of (1) to (4), but the service was in use before it."""
    match fact:
        case events.ServiceLaboratoryDecided(approved=True, decided_on=day):
            done, before, then = "the laboratory approved it", *_day(day, clock)
        case events.LaboratoryCostsPaid(in_full=True, paid_on=day):
            done, before, then = "the laboratory's costs were paid", *_day(day, clock)
        case events.ProviderCertified(approved_on=day):
            done, before, then = "its provider was certified", *_day(day, clock)
        case events.ProviderAuthorized(authorized_on=day):
            done, before, then = "its provider was authorized", *_day(day, clock)
        case events.RequestDecided(approved=True):
            then = fact.event_time if fact.decided_time is None else fact.decided_time
            done, before = "its use was approved", then - 1
        case _:
            return
    first: dict[tuple[str, str | None], events.ServiceUsed] = {}
    for use in providers.uses:
        first.setdefault((use.service, use.service_version), use)
    for use in first.values():
        description = described(providers, use.service, use.service_version, use.event_time)
        provider = use.provider or (description.provider if description is not None else None)
        if (
            provider is None
            or is_gaming_related(description) is not True
            or use.event_time > before
        ):
            continue
        asked = (providers, fact, use, provider)
        if _has(*asked, then, clock) and _has(*asked, before, clock) is False:
            name = "service_used_before_clearance@.7#1"
            yield service_breach(name, False, named(use), done, (use,))


def _day(day: str, clock: PropertyClock) -> tuple[int, int]:
    """The last moments of the day before a calendar day, and of that day."""
    eve = date.fromisoformat(day) - timedelta(days=1)
    return end_of(eve.isoformat(), clock), end_of(day, clock)


def _has(
    providers: Providers,
    fact: events.Fact,
    use: events.ServiceUsed,
    provider: str,
    at: int,
    clock: PropertyClock,
) -> bool | None:
    """Whether a service had at a moment what an act of this kind provides; None: not known."""
    match fact:
        case events.ServiceLaboratoryDecided():
            return lab_approved(providers, use.service, use.service_version, at, clock)[0]
        case events.LaboratoryCostsPaid():
            return costs_paid(providers, provider, use.service, at, clock)[0]
        case events.RequestDecided():
            return approved_for_use(providers, use.service, at)[0]
        case _:
            certificate, authority = permission(providers, provider, at, clock)
            if True in (certificate.holds, authority.holds):
                return True
            ended = not (certificate.never and authority.never)
            return None if ended else False  # permitted once: its end is judged elsewhere
