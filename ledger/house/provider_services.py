"""What the use of a gaming related service must meet, and the criteria for its provider.

Each judgment looks the record up for a moment; what is not recorded is not clean. Law: chapter 528
through ``provider_duties``. Readings: those of its rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ledger import events
from ledger.games.room import Breach
from ledger.house.provider_duties import BY_NAME
from ledger.house.service_providers import (
    Hold,
    Providers,
    authorized,
    by_then,
    certified,
    same_version,
)
from ledger.kernel import Certainty, FactRef, PropertyClock, ref_of

Held = tuple[bool | None, str, tuple[events.Fact, ...]]
"""Whether something had been done by a moment (None: not known), the reason, and the facts."""


def _refs(facts: tuple[events.Fact, ...]) -> tuple[FactRef, ...]:
    return tuple(ref_of(fact) for fact in facts)


def service_breach(
    name: str,
    holds: bool | None,
    observed: str,
    expected: str | None = None,
    facts: tuple[events.Fact, ...] = (),
    also: tuple[str, ...] = (),
) -> Breach:
    """Return a breach of a row of chapter 528.

    Args:
        name: the row, ``service_not_lab_approved@.7(1)#2``.
        holds: False: it is broken; None: that is not known.
        observed: what was, for people.
        expected: what should have been, for people.
        facts: the facts on which it rests.
        also: further rows whose sections bear on it.
    """
    return Breach(
        duty=BY_NAME[name],
        facts=_refs(facts),
        observed=observed,
        expected=expected,
        certainty=Certainty.BROKEN if holds is False else Certainty.UNKNOWN,
        also=tuple(BY_NAME[one].cite for one in also),
    )


# --- what a service is ---------------------------------------------------------------------------


def described(
    providers: Providers, service: str, version: str | None, at: int
) -> events.ServiceDescribed | None:
    """Return the last description of this version of a service by then; None if there is none.

    A changed service is another one.

    Args:
        providers: the facts of services and providers.
        service: the service by name.
        version: the version in use; None: not recorded, and then any description may be of it.
        at: the moment, microseconds UTC.
    """
    known = [
        one
        for one in providers.of(events.ServiceDescribed, service)
        if one.event_time <= at and same_version(version, one.service_version) is not False
    ]
    return max(known, key=lambda one: (one.event_time, one.seq), default=None)


def is_gaming_related(description: events.ServiceDescribed | None) -> bool | None:
    """Whether chapter 528 binds, by the marks of § 528.1(1) to (3); None: not all are recorded."""
    if description is None:
        return None
    innovates = None if description.kind in (None, events.ServiceKind.UNRECOGNISED) else True
    patents = {events.Patent.ISSUED: True, events.Patent.PENDING: True, events.Patent.NONE: False}
    patent = patents.get(description.patent) if description.patent is not None else None
    licensed = description.licensed_as_supplier
    marks = (innovates, patent, None if licensed is None else not licensed)
    if False in marks:
        return False
    return None if None in marks else True


# --- the four that come before use (§ 528.7) -----------------------------------------------------


def submitted(
    providers: Providers, service: str, version: str | None, at: int, clock: PropertyClock
) -> Held:
    """Return whether a version of a service had been submitted to the laboratory (§ 528.7(1)).

    Args:
        providers: the facts of services and providers.
        service: the service by name.
        version: the version in use; None: not recorded.
        at: the moment, microseconds UTC.
        clock: the property's, by which a date becomes moments.
    """
    best: Held = (False, "nothing is recorded", ())
    for submission in providers.of(events.ServiceSubmitted, service):
        came = by_then(submission.submitted_on, submission.event_time, at, clock)
        if came is not False:
            best = _better(best, (_both(came, same_version(version, submission.service_version)),
                                  f"submitted on {submission.submitted_on}", (submission,)))  # fmt: skip
    return best


def lab_approved(
    providers: Providers, service: str, version: str | None, at: int, clock: PropertyClock
) -> Held:
    """Return whether the laboratory's last decision on a version approves it (§ 528.7(1)).

    Args:
        providers: the facts of services and providers.
        service: the service by name.
        version: the version in use; None: not recorded.
        at: the moment, microseconds UTC.
        clock: the property's, by which a date becomes moments.
    """
    known = [
        (one.decided_on, one.event_time, one, came)
        for one in providers.of(events.ServiceLaboratoryDecided, service)
        if (came := by_then(one.decided_on, one.event_time, at, clock)) is not False
    ]
    best: Held = (False, "no decision is recorded", ())
    for decided_on, _, decision, came in sorted(known, key=lambda entry: entry[:2]):
        fits = same_version(version, decision.service_version)
        if fits is False:
            if not best[2]:
                best = (
                    False,
                    f"version {decision.service_version} alone was decided on",
                    (decision,),
                )
        elif decision.approved:
            best = (_both(came, fits), f"approved on {decided_on}", (decision,))
        elif fits and came:
            best = (False, f"denied or withdrawn on {decided_on}", (decision,))
        elif best[0]:
            best = (None, f"a denial is dated {decided_on}", (decision,))
    return best


def costs_paid(
    providers: Providers, provider: str, service: str, at: int, clock: PropertyClock
) -> Held:
    """Return whether the laboratory's costs of reviewing a service had been paid (§ 528.7(2))."""
    best: Held = (False, "no payment is recorded", ())
    for payment in providers.of(events.LaboratoryCostsPaid, provider):
        if payment.service not in (None, service):
            continue
        came = by_then(payment.paid_on, payment.event_time, at, clock)
        if came is False:
            continue
        whole = payment.in_full if payment.service is not None or payment.in_full is False else None
        reason = f"a payment of {payment.paid_on}" + (
            "" if whole else " is not shown to be in full"
        )
        best = _better(best, (_both(came, whole), reason, (payment,)))
    return best


def requested(providers: Providers, service: str, at: int) -> list[events.GameRequestFiled]:
    """Return the requests to use a service that had been filed by a moment (§ 528.7(3))."""
    return [
        one
        for one in providers.of(events.GameRequestFiled, service)
        if max(one.filed_time or one.event_time, 0) <= at
    ]


def approved_for_use(providers: Providers, service: str, at: int) -> Held:
    """Return whether the use of a service had been approved in writing (§ 528.7(3))."""
    best: Held = (False, "the request is not decided", ())
    for request in requested(providers, service, at):
        decided = [
            (one.decided_time if one.decided_time is not None else one.event_time, one.seq, one)
            for one in providers.of(events.RequestDecided, request.request)
        ]
        last = max((entry for entry in decided if entry[0] <= at), default=None)
        if last is None:
            continue
        decision = last[2]
        if not decision.approved:
            answer: Held = (False, "the request was denied", (decision,))
        elif decision.in_writing is False:
            answer = (False, "the approval is not in writing", (decision,))
        else:
            reason = (
                "approved" if decision.in_writing else "the approval is not shown to be in writing"
            )
            answer = (decision.in_writing, reason, (decision,))
        best = _better(best, answer)
    return best


def _both(first: bool | None, other: bool | None) -> bool | None:
    if False in (first, other):
        return False
    return None if None in (first, other) else True


def _better(first: Held, other: Held) -> Held:
    rank = {False: 0, None: 1, True: 2}
    return other if rank[other[0]] > rank[first[0]] or not first[2] else first


# --- a use ---------------------------------------------------------------------------------------


def judge_use(
    providers: Providers, use: events.ServiceUsed, at: int, clock: PropertyClock
) -> Iterator[Breach]:
    """Yield what the use of a service at a moment breaks; the caller adds the fact of the use.

    Args:
        providers: the record.
        use: the fact of the use.
        at: the moment, microseconds UTC; a use is judged again later.
        clock: the property's clock.
    """
    description = described(providers, use.service, use.service_version, at)
    binds = is_gaming_related(description)
    provider = use.provider or (description.provider if description is not None else None)
    if binds is False:
        yield from _outside(providers, use, at)
        return
    breaches = [
        *_cleared(providers, use, provider, at, clock),
        *_who(providers, use, provider, at, clock),
    ]
    for breach in breaches:
        yield breach if binds else replace(breach, certainty=Certainty.UNKNOWN)


def named(use: events.ServiceUsed) -> str:
    """Return a service as findings name it: "S1 (version 2)"."""
    version = f" (version {use.service_version})" if use.service_version is not None else ""
    return f"{use.service}{version}"


def _outside(providers: Providers, use: events.ServiceUsed, at: int) -> Iterator[Breach]:
    """Judge a service to which chapter 528 does not apply: it is still a new feature (§ 521.4)."""
    holds, reason, facts = approved_for_use(providers, use.service, at)
    if not holds:
        if not requested(providers, use.service, at):
            reason = "no request is recorded"
        yield service_breach("service_not_approved_for_use@.4#2", holds, named(use), reason, facts)


def _cleared(
    providers: Providers,
    use: events.ServiceUsed,
    provider: str | None,
    at: int,
    clock: PropertyClock,
) -> Iterator[Breach]:
    """§ 528.7(1) to (3)."""
    service, version = use.service, use.service_version
    submission, approved = (
        submitted(providers, service, version, at, clock),
        lab_approved(providers, service, version, at, clock),
    )
    if not submission[0] and not approved[2]:
        also = ("service_not_lab_approved@.7(1)#2",)
        yield service_breach(
            "service_not_lab_approved@.7(1)#1", submission[0], named(use), None, submission[2], also
        )
    elif not submission[0]:  # decided on, so it was there, but nothing shows by whom and when
        yield service_breach(
            "service_not_lab_approved@.7(1)#1", None, named(use), None, approved[2]
        )
    if not approved[0] and (submission[0] or approved[2]):
        holds, reason, facts = approved
        yield service_breach("service_not_lab_approved@.7(1)#2", holds, named(use), reason, facts)
    if provider is None:
        paid: Held = (None, "its provider is not recorded", ())
    else:
        paid = costs_paid(providers, provider, service, at, clock)
    if not paid[0]:
        yield service_breach("lab_costs_unpaid@.7(2)", paid[0], named(use), paid[1], paid[2])
    if not requested(providers, service, at):
        also = ("service_not_approved_for_use@.7(3)#2",)
        yield service_breach(
            "service_not_approved_for_use@.7(3)#1", False, named(use), None, (), also
        )
        return
    holds, reason, facts = approved_for_use(providers, service, at)
    if not holds:
        yield service_breach(
            "service_not_approved_for_use@.7(3)#2", holds, named(use), reason, facts
        )


def permission(
    providers: Providers, provider: str, at: int, clock: PropertyClock
) -> tuple[Hold, Hold]:
    """Return certification and authorization of a provider at a moment (§ 528.7(4)).

    Args:
        providers: the facts of services and providers.
        provider: the provider by name.
        at: the moment, microseconds UTC.
        clock: the property's, by which a date becomes moments.
    """
    return certified(providers, provider, at, clock), authorized(providers, provider, at, clock)


def _who(
    providers: Providers,
    use: events.ServiceUsed,
    provider: str | None,
    at: int,
    clock: PropertyClock,
) -> Iterator[Breach]:
    """§ 528.7(4): certified, or authorized in writing before certification."""
    neither = "provider_not_certified@.7(4)"
    if provider is None:
        yield service_breach(neither, None, named(use), "its provider is not recorded")
        return
    certificate, authority = permission(providers, provider, at, clock)
    if certificate.holds:
        return
    if authority.holds:
        yield from criteria_lacking(providers, provider, authority, at, clock)
        return
    if certificate.never and authority.never:
        filed = applied(providers, provider, at, clock)
        if filed[0] is False and not filed[2]:
            yield service_breach(
                "provider_not_certified@.1", False, named(use), provider, (), (neither,)
            )
        else:
            reason = f"{provider} has applied"
            yield service_breach(neither, False, named(use), reason, filed[2])
        return
    open_question = None in (certificate.holds, authority.holds)
    for hold in (certificate, authority):
        if hold.duty is not None and not (open_question and hold.holds is False):
            also = [neither] if hold.duty != neither else []
            if hold.duty == "provider_authorization_rescinded@.8(b)#2":
                also.insert(0, "provider_authorization_rescinded@.8(c)#2")
            yield service_breach(
                hold.duty, hold.holds, named(use), hold.reason, hold.facts, tuple(also)
            )


# --- the criteria of an authorization (§ 528.8(a)) -----------------------------------------------


def applied(providers: Providers, provider: str, at: int, clock: PropertyClock) -> Held:
    """Return whether the certificate holder had filed a completed application (§ 528.8(a)(1))."""
    best: Held = (False, "no application is recorded", ())
    for application in providers.of(events.ProviderApplicationFiled, provider):
        came = by_then(application.filed_on, application.event_time, at, clock)
        if came is not False:
            proper = _both(application.complete, application.by_certificate_holder)
            best = _better(
                best, (_both(came, proper), f"filed on {application.filed_on}", (application,))
            )
    return best


def diligent(providers: Providers, provider: str, at: int, clock: PropertyClock) -> Held:
    """Return whether the certificate holder had certified its due diligence (§ 528.8(a)(2))."""
    best: Held = (False, "", ())
    for certificate in providers.of(events.DueDiligenceCertified, provider):
        came = by_then(certificate.certified_on, certificate.event_time, at, clock)
        if came is not False:
            best = _better(best, (came, "", (certificate,)))
    return best


def agreed(providers: Providers, provider: str, at: int, clock: PropertyClock) -> Held:
    """Return whether the applicant had agreed in writing (§ 528.8(a)(3))."""
    best: Held = (False, "", ())
    for agreement in providers.of(events.ProviderAgreementFiled, provider):
        came = by_then(agreement.agreed_on, agreement.event_time, at, clock)
        if came is not False:
            best = _better(best, (_both(came, agreement.in_writing), "", (agreement,)))
    return best


def criteria_lacking(
    providers: Providers, provider: str, authority: Hold, at: int, clock: PropertyClock
) -> Iterator[Breach]:
    """Yield the criteria of § 528.8(a)(1) to (3) that a provider in business still lacks.

    Args:
        providers: the facts of services and providers.
        provider: the provider by name.
        authority: the authorization under which it is in business; its facts are named too.
        at: the moment, microseconds UTC.
        clock: the property's, by which a date becomes moments.
    """
    for name, ask in (
        ("authorization_criteria_missing@.8(a)(1)", applied),
        ("authorization_criteria_missing@.8(a)(2)", diligent),
        ("authorization_criteria_missing@.8(a)(3)", agreed),
    ):
        holds, _, facts = ask(providers, provider, at, clock)
        if not holds:
            yield service_breach(name, holds, provider, None, (*authority.facts, *facts))
