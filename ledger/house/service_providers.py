"""What is on record about gaming related services and their providers, asked for a moment.

The days of providers are calendar days of the property. What is dated on the very day of the moment
holds if it was recorded before the moment; recorded later, it is not known which came first.
Law: §§ 528.1 to 528.8. Readings: certification-last-day, renewal-after-expiry, cease-by-day.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable
from dataclasses import field, replace
from datetime import date, timedelta
from typing import Any, Final, TypeVar

from ledger import events
from ledger.kernel import PropertyClock
from ledger.kernel.quick_dataclass import dataclass

KEPT_BY: Final[dict[type[events.Fact], str]] = {
    **dict.fromkeys(
        (events.ServiceDescribed, events.ServiceSubmitted, events.ServiceLaboratoryDecided),
        "service",
    ),
    **dict.fromkeys(
        (events.GameRequestFiled, events.ServiceUsed, events.ServiceUseEnded), "service"
    ),
    events.RequestDecided: "request",
    **dict.fromkeys((events.LaboratoryCostsPaid, events.ProviderApplicationFiled), "provider"),
    **dict.fromkeys((events.DueDiligenceCertified, events.ProviderAgreementFiled), "provider"),
    **dict.fromkeys(
        (events.ProviderAuthorized, events.DenialRecommended, events.AuthorizationRescinded),
        "provider",
    ),
    **dict.fromkeys(
        (events.ProviderCertified, events.RenewalReceived, events.RenewalDecided), "provider"
    ),
    **dict.fromkeys(
        (events.ProviderListed, events.ProviderCredentialIssued, events.ViolationReported),
        "provider",
    ),
}
"""The facts of services and providers, and the field by which each is looked up."""

TERM_YEARS: Final = 4
"""A certification or renewal is valid for 4 years from the Board's approval (§ 528.4(a))."""

RENEWAL_DAYS: Final = 60
"""A renewal is filed at least 60 days before expiration; exactly 60 is in time (§ 528.4(b))."""

F = TypeVar("F", bound=events.Fact)


@dataclass(slots=True)
class Providers:
    """All facts of services and providers of a ledger, in merged order.

    Args:
        kept: the facts by kind and by the value of their field in ``KEPT_BY``.
        uses: the uses of services.
        moments: when any fact may change an answer, microseconds UTC, rising.
    """

    kept: dict[tuple[type[events.Fact], str], list[Any]] = field(default_factory=dict)
    uses: list[events.ServiceUsed] = field(default_factory=list)
    moments: list[int] = field(default_factory=list)

    def take(self, fact: events.Fact) -> None:
        """Keep a fact of a service or of a provider; ignore any other."""
        name = KEPT_BY.get(type(fact))
        key = getattr(fact, name) if name is not None else None
        if key is None:
            return
        self.kept.setdefault((type(fact), key), []).append(fact)
        insort(self.moments, fact.event_time)
        stated = getattr(fact, "decided_time", None)
        if stated is not None:
            insort(self.moments, stated)
        if isinstance(fact, events.ServiceUsed):
            self.uses.append(fact)

    def of(self, kind: type[F], key: str) -> list[F]:
        """Return the facts of a kind about this service, provider or request."""
        return self.kept.get((kind, key), [])

    def all(self, kind: type[F]) -> Iterable[F]:
        """Every fact of a kind."""
        return (fact for (known, _), facts in self.kept.items() if known is kind for fact in facts)

    def changed_by(self, at: int) -> int:
        """Return how many facts could have changed an answer up to a moment in microseconds UTC."""
        return bisect_right(self.moments, at)

    def ended(self, use: events.ServiceUsed) -> int | None:
        """Return when a use of a service ended at its table, microseconds UTC; None: it goes on.

        A fact ends it, or the use of another version does.
        """
        ends = [
            end.event_time
            for end in self.of(events.ServiceUseEnded, use.service)
            if end.table in (None, use.table) and _after(end, use)
        ]
        ends += [
            other.event_time
            for other in self.of(events.ServiceUsed, use.service)
            if other.table == use.table and _after(other, use)
        ]
        return min(ends, default=None)


def _after(fact: events.ServiceUsed | events.ServiceUseEnded, use: events.ServiceUsed) -> bool:
    return (fact.event_time, fact.seq) > (use.event_time, use.seq) and fact is not use


# --- days ----------------------------------------------------------------------------------------


def by_then(stated: str | None, recorded_at: int, at: int, clock: PropertyClock) -> bool | None:
    """Whether something dated on a calendar day had happened by a moment; None: not known.

    Args:
        stated: ISO date; None where no date is recorded.
        recorded_at: when it was recorded, microseconds UTC.
        at: the moment, microseconds UTC.
        clock: the property's clock.
    """
    if stated is None:
        return None
    day, today = date.fromisoformat(stated), clock.local(at).date()
    if day != today:
        return day < today
    return True if recorded_at <= at else None


def last_day(approved_on: date) -> date:
    """Return the last day of a term of four years (§ 528.4(a)): the day before the anniversary.

    >>> last_day(date(2010, 5, 1))
    datetime.date(2014, 4, 30)
    """
    return anniversary(approved_on) - timedelta(days=1)


def anniversary(approved_on: date) -> date:
    """Return the same day four years on; 29 February becomes 1 March where the year has none."""
    year = approved_on.year + TERM_YEARS
    if year > date.max.year:
        return date.max
    try:
        return approved_on.replace(year=year)
    except ValueError:
        return date(year, 3, 1)


def same_version(used: str | None, stated: str | None) -> bool | None:
    """Whether what was said of a version applies to the one in use; None: one is not recorded."""
    if used == stated:
        return True
    return None if used is None or stated is None else False


# --- certification -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hold:
    """Whether a permission holds at a moment.

    Args:
        holds: whether it does; None: not known.
        duty: the row that is broken where it does not.
        reason: why it does not, for people.
        facts: the facts on which that rests.
        until: its last day.
        never: there was no permission at all.
    """

    holds: bool | None
    duty: str | None = None
    reason: str = ""
    facts: tuple[events.Fact, ...] = ()
    until: date | None = None
    never: bool = False


Grant = events.ProviderCertified | events.RenewalDecided


def granted_on(grant: Grant) -> str:
    """Return the day of the Board's approval as an ISO date."""
    return grant.approved_on if isinstance(grant, events.ProviderCertified) else grant.decided_on


def grants(providers: Providers, provider: str) -> list[Grant]:
    """Return certifications and approved renewals, the last approved first."""
    granted: list[Grant] = list(providers.of(events.ProviderCertified, provider))
    granted += [one for one in providers.of(events.RenewalDecided, provider) if one.approved]
    return sorted(granted, key=lambda one: (granted_on(one), one.event_time), reverse=True)


def certified(providers: Providers, provider: str, at: int, clock: PropertyClock) -> Hold:
    """Return whether a provider is certified at a moment in microseconds UTC (§ 528.4)."""
    answers: list[Hold] = []
    for grant in grants(providers, provider):
        begun = by_then(granted_on(grant), grant.event_time, at, clock)
        if begun is False:
            continue
        term = _term(providers, provider, grant, at, clock)
        if term.holds and begun is None:
            reason = f"the approval is dated {granted_on(grant)}, the day of the use itself"
            term = Hold(None, "provider_not_certified@.7(4)", reason, term.facts, term.until)
        answers.append(term)
    return best(answers)


def best(answers: list[Hold]) -> Hold:
    """Return the answer that permits most; the first one of several that permit nothing."""
    for wanted in (True, None, False):
        for answer in answers:
            if answer.holds is wanted:
                return answer
    return Hold(False, never=True)


def term_of(grant: Grant) -> date:
    """Return the last day of a certification or renewal: four years, or its stated end if less."""
    legal = last_day(date.fromisoformat(granted_on(grant)))
    stated = date.fromisoformat(grant.valid_until) if grant.valid_until else None
    return legal if stated is None else min(legal, stated)


def renewal_came(received: events.RenewalReceived) -> date | None:
    """Return the day by which application and fee had both come; None: the fee is not recorded."""
    if received.fee_received_on is None:
        return None
    return date.fromisoformat(max(received.received_on, received.fee_received_on))


def _term(providers: Providers, provider: str, grant: Grant, at: int, clock: PropertyClock) -> Hold:
    """Return one certification at a moment: within its term, continued, or over."""
    today, until = clock.local(at).date(), term_of(grant)
    if today <= until:
        return Hold(True, facts=(grant,), until=until)
    stated = grant.valid_until
    reason = f"the certification of {granted_on(grant)} ran to {until}"
    continued = _continued(providers, provider, grant, until, reason, at, clock)
    after = anniversary(date.fromisoformat(granted_on(grant)))
    named = date.fromisoformat(stated) if stated is not None else until
    if continued.duty == "certification_expired@.4(a)" and today <= min(after, named):
        return replace(
            continued, holds=None, reason=f"{reason}, stated {stated}"
        )  # the anniversary itself
    return continued


def _continued(
    providers: Providers,
    provider: str,
    grant: Grant,
    until: date,
    reason: str,
    at: int,
    clock: PropertyClock,
) -> Hold:
    """Return what holds after the term: a renewal received in time continues it (§ 528.4(c)).

    It goes on until the Board decides in writing.
    """
    over = Hold(False, "certification_expired@.4(a)", reason, (grant,))
    answers: list[Hold] = []
    for received in providers.of(events.RenewalReceived, provider):
        if received.received_on < granted_on(grant) or received.complete is False:
            continue
        came = renewal_came(received)
        first = date.fromisoformat(received.received_on)
        facts = (grant, received)
        if max(came or first, first) > until:  # reading: renewal-after-expiry
            if by_then(received.received_on, received.event_time, at, clock) is not False:
                why = f"{reason}; its renewal was complete only on {came or first}"
                answers.append(Hold(False, "certification_expired@.4(c)", why, facts))
            continue
        if _renewed(providers, provider, received, at, clock):
            continue  # the renewal has a term of its own
        denied = _denied(providers, provider, received, at, clock)
        if denied is not None:
            why = f"{reason}; its renewal was denied on {denied[0].decided_on}"
            holds = False if denied[1] else None
            answers.append(Hold(holds, "certification_expired@.4(c)", why, (*facts, denied[0])))
        elif came is None or not received.complete:
            why = f"{reason}; its renewal is not shown to have been complete, with its fee"
            answers.append(Hold(None, "certification_expired@.4(c)", why, facts))
        else:
            answers.append(Hold(True, facts=facts))
    return best(answers) if answers else over


def _renewed(
    providers: Providers,
    provider: str,
    received: events.RenewalReceived,
    at: int,
    clock: PropertyClock,
) -> bool:
    """Whether the Board surely approved a renewal before a moment."""
    return any(
        decided.approved
        and decided.decided_on >= received.received_on
        and by_then(decided.decided_on, decided.event_time, at, clock)
        for decided in providers.of(events.RenewalDecided, provider)
    )


def _denied(
    providers: Providers,
    provider: str,
    received: events.RenewalReceived,
    at: int,
    clock: PropertyClock,
) -> tuple[events.RenewalDecided, bool] | None:
    """Return the Board's written denial of a renewal, and whether it surely came by then."""
    for decided in providers.of(events.RenewalDecided, provider):
        if decided.approved or decided.decided_on < received.received_on:
            continue
        ended = by_then(decided.decided_on, decided.event_time, at, clock)
        if ended is not False and decided.in_writing is not False:
            return decided, bool(ended and decided.in_writing)
    return None


# --- permission before certification -------------------------------------------------------------


def authorized(providers: Providers, provider: str, at: int, clock: PropertyClock) -> Hold:
    """Return whether business before certification is permitted at a moment (§ 528.8).

    Args:
        providers: the facts of services and providers.
        provider: the provider by name.
        at: the moment, microseconds UTC.
        clock: the property's, by which a date becomes moments.
    """
    holds: list[Hold] = []
    for authorization in sorted(
        providers.of(events.ProviderAuthorized, provider),
        key=lambda one: (one.authorized_on, one.event_time),
        reverse=True,
    ):
        begun = by_then(authorization.authorized_on, authorization.event_time, at, clock)
        if begun is False:
            continue
        holds.append(_permitted(providers, authorization, begun, at, clock))
    return best(holds)


def _permitted(
    providers: Providers,
    authorization: events.ProviderAuthorized,
    begun: bool | None,
    at: int,
    clock: PropertyClock,
) -> Hold:
    if authorization.in_writing is False:  # § 528.7(4): written authorization
        reason = f"the authorization of {authorization.authorized_on} is not in writing"
        return Hold(False, "provider_not_certified@.8(a)", reason, (authorization,))
    withdrawn = [
        _withdrawn(rescinded, authorization, at, clock)
        for rescinded in providers.of(events.AuthorizationRescinded, authorization.provider)
        if (rescinded.rescinded_on, rescinded.event_time)
        >= (authorization.authorized_on, authorization.event_time)
    ]
    for wanted in (False, None):
        for answer in withdrawn:
            if answer.holds is wanted:
                return answer
    if begun is None or authorization.in_writing is None:
        doubt = "is not shown to be in writing" if begun else "is dated on the day of the use"
        reason = f"the authorization of {authorization.authorized_on} {doubt}"
        return Hold(None, "provider_not_certified@.8(a)", reason, (authorization,))
    until = next((answer.until for answer in withdrawn if answer.until), None)
    return Hold(True, facts=(authorization,), until=until)


def _withdrawn(
    rescinded: events.AuthorizationRescinded,
    authorization: events.ProviderAuthorized,
    at: int,
    clock: PropertyClock,
) -> Hold:
    """Return what a rescission leaves of a permission (§ 528.8(b), (c); reading: cease-by-day)."""
    effective = by_then(rescinded.rescinded_on, rescinded.event_time, at, clock)
    if effective is False:
        return Hold(True)
    name, facts = "provider_authorization_rescinded@.8(b)#2", (authorization, rescinded)
    if rescinded.cease_by is None:
        reason = f"rescinded on {rescinded.rescinded_on}, by when business ceases is not recorded"
        return Hold(None, name, reason, facts)
    today, cease = clock.local(at).date(), date.fromisoformat(rescinded.cease_by)
    reason = f"rescinded on {rescinded.rescinded_on}, to cease by {rescinded.cease_by}"
    if today < cease:
        return Hold(True, facts=facts, until=cease)
    return Hold(False if effective and today > cease else None, name, reason, facts, cease)
