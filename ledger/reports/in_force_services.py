"""The services of providers in use at a table, and by what each of them and its provider may be.

Law: §§ 528.4, 528.7, 528.8, 528.9(c).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from ledger.audit.in_force import InForce, TableInForce
from ledger.events import ProviderListed, ServiceUsed, ViolationReported
from ledger.house import judge_use
from ledger.house.providers import Hold
from ledger.house.services import (
    Held,
    approved_for_use,
    costs_paid,
    described,
    is_gaming_related,
    lab_approved,
    named,
    permission,
)
from ledger.kernel import Certainty, FactRef
from ledger.law import SERVICE_PROVIDERS as LAW
from ledger.reports.in_force_line import NOT_RECORDED, Line, refs, words


def service_lines(found: InForce, table: TableInForce) -> Iterator[Line]:
    """Each service that was in use at the table on the day, with what clears it."""
    if not table.uses:
        yield Line("service", "none recorded in use", cites=(LAW[".7#1"],))
        return
    for use, ended in table.uses:
        yield from _use(found, use, ended)


def _use(found: InForce, use: ServiceUsed, ended: int | None) -> Iterator[Line]:
    """What is said is said of the last moment of its use on the day."""
    providers, clock = found.house.office.providers, found.house.clock
    at = max((ended or found.day.ends) - 1, use.event_time)
    at = min(at, found.day.ends - 1)
    what = described(providers, use.service, use.service_version, at)
    provider = use.provider or (what.provider if what is not None else None)
    said = f"{named(use)} of {provider or 'a provider not recorded'}"
    if what is not None and what.provides:
        said += f", {what.provides}"
    until = ended if ended is not None and ended < found.day.ends else None
    yield Line("service", said, use.event_time, until, (LAW[".7#1"],), refs(use))
    yield _marks(is_gaming_related(what), refs(what) if what is not None else ())
    laboratory = lab_approved(providers, use.service, use.service_version, at, clock)
    yield _held("laboratory", laboratory, ".7(1)#2")
    if provider is not None:
        paid = costs_paid(providers, provider, use.service, at, clock)
        yield _held("laboratory's costs", paid, ".7(2)")
    yield _held("use", approved_for_use(providers, use.service, at), ".7(3)#2")
    if provider is not None:
        certificate, authority = permission(providers, provider, at, clock)
        yield _hold("certification", certificate, ".4(a)", clock.local(at).date())
        if not authority.never:
            yield _hold("authorization", authority, ".8(a)", clock.local(at).date())
        for listed in providers.of(ProviderListed, provider):
            word = "off" if listed.removed else "on"
            said = f"{provider} {word} the list {words(listed.list)} from {listed.listed_on}"
            yield Line("provider", said, cites=(LAW[".6"],), facts=refs(listed))
        for told in providers.of(ViolationReported, provider):
            said = f"violation reported on {told.reported_on}: {told.act or 'not described'}"
            yield Line("provider", said, cites=(LAW[".9(c)"],), facts=refs(told))
    for breach in judge_use(providers, use, at, clock):
        open_ = "cannot be shown" if breach.certainty is Certainty.UNKNOWN else "lacking"
        said = f"{open_} at the last of its use: {breach.duty.code}"
        yield Line(
            "service",
            said,
            cites=(breach.duty.cite, *breach.also),
            facts=breach.facts,
            standing=open_,
        )


def _marks(binds: bool | None, facts: tuple[FactRef, ...]) -> Line:
    said = {
        True: "chapter 528 applies: an innovation, patented or pending, of an unlicensed provider",
        False: "chapter 528 does not apply: no patent, or a licensed provider; § 521.4 does",
        None: "whether chapter 528 applies: not all three marks",
    }
    standing = NOT_RECORDED if binds is None else None
    return Line("service", said[binds], cites=(LAW[".1"],), facts=facts, standing=standing)


def _held(what: str, held: Held, pin: str) -> Line:
    holds, said, facts = held
    standing = None if holds else (NOT_RECORDED if not facts else "not shown")
    return Line(
        "service", f"{what}: {said}", cites=(LAW[pin],), facts=refs(*facts), standing=standing
    )


def _hold(what: str, hold: Hold, pin: str, today: date) -> Line:
    if hold.never:
        return Line("provider", f"{what}: none", cites=(LAW[pin],), standing=NOT_RECORDED)
    until = f" to {hold.until}" if hold.until is not None else ""
    said = {
        True: f"{what} in effect{until}" + ("" if until else ", continued until the Board writes"),
        None: f"{what}: {hold.said}",
        False: f"{what} not in effect: {hold.said}",
    }[hold.holds]
    if hold.holds and what == "authorization" and not until:
        said = f"{what} in effect, without a date of its end"
    standing = None if hold.holds else ("not certain" if hold.holds is None else "not in effect")
    cites = (LAW[pin],)
    return Line(
        "provider",
        f"{said} (asked for {today})",
        cites=cites,
        facts=refs(*hold.facts),
        standing=standing,
    )
