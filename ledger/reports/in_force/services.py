"""The services of providers in use at a table, and by what each of them and its provider may be.

Law: §§ 528.4, 528.7, 528.8, 528.9(c).
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.audit.in_force import InForce, TableInForce
from ledger.events import ProviderListed, ServiceUsed, ViolationReported
from ledger.house import judge_use
from ledger.house.provider_services import (
    Held,
    approved_for_use,
    costs_paid,
    described,
    is_gaming_related,
    lab_approved,
    named,
    permission,
)
from ledger.house.service_providers import Hold
from ledger.kernel import Certainty, Citation, FactRef
from ledger.law import SERVICE_PROVIDERS as LAW
from ledger.reports.in_force.line import NOT_RECORDED, Line, refs, words


def service_lines(in_force: InForce, table: TableInForce) -> Iterator[Line]:
    """Each service that was in use at the table on the day, with what clears it."""
    if not table.uses:
        yield Line("service", "none recorded in use", cites=(LAW[".7#1"],))
        return
    for use, ended in table.uses:
        yield from _use(in_force, table, use, ended)


def _use(
    in_force: InForce, table: TableInForce, use: ServiceUsed, ended: int | None
) -> Iterator[Line]:
    """What is said is said of the last moment of its use on the day."""
    providers, clock = in_force.house.office.providers, in_force.house.clock
    closed = [span.ends for span in table.of("game")]
    last = in_force.day.ends if None in closed or not closed else max(one for one in closed if one)
    at = max(min(last, ended or last, in_force.day.ends) - 1, use.event_time)
    description = described(providers, use.service, use.service_version, at)
    provider = use.provider or (description.provider if description is not None else None)
    sentence = f"{named(use)} of {provider or 'a provider not recorded'}"
    if description is not None and description.provides:
        sentence += f", {description.provides}"
    until = ended if ended is not None and ended < in_force.day.ends else None
    yield Line("service", sentence, use.event_time, until, (LAW[".7#1"],), refs(use))
    remark = LAW.edition.remark(in_force.day.date)
    if remark is not None:
        yield Line("service", f"chapter 528: {remark}", cites=(LAW["#1"],), standing=remark)
    yield _marks(
        is_gaming_related(description), refs(description) if description is not None else ()
    )
    laboratory = lab_approved(providers, use.service, use.service_version, at, clock)
    yield _shown_line("laboratory", laboratory, ".7(1)#2")
    if provider is not None:
        paid = costs_paid(providers, provider, use.service, at, clock)
        yield _shown_line("laboratory's costs", paid, ".7(2)")
    yield _shown_line("use", approved_for_use(providers, use.service, at), ".7(3)#2")
    if provider is not None:
        certificate, authority = permission(providers, provider, at, clock)
        today = clock.local(at).date()
        asked = "" if today == in_force.day.date else f" (as of {today})"
        yield _permit_line("certification", certificate, ".4(a)", asked)
        if not authority.never:
            yield _permit_line("authorization", authority, ".8(a)", asked)
        for listed in providers.of(ProviderListed, provider):
            if listed.event_time >= in_force.day.ends:
                continue
            word = "off" if listed.removed else "on"
            sentence = f"{provider} {word} the list {words(listed.list)} from {listed.listed_on}"
            yield Line("provider", sentence, cites=(LAW[".6"],), facts=refs(listed))
        for violation in providers.of(ViolationReported, provider):
            if violation.event_time >= in_force.day.ends:
                continue
            sentence = (
                f"violation reported on {violation.reported_on}: {violation.act or 'not described'}"
            )
            yield Line("provider", sentence, cites=(LAW[".9(c)"],), facts=refs(violation))
    first = max(use.event_time, in_force.day.begins)
    moments = (("the last of its use", at), ("the first of its use on the day", first))
    told_codes: set[Citation] = set()
    for when, moment in moments:
        for breach in judge_use(providers, use, moment, clock):
            if breach.duty.cite in told_codes:
                continue
            told_codes.add(breach.duty.cite)
            open_ = "cannot be shown" if breach.certainty is Certainty.UNKNOWN else "lacking"
            sentence = f"{open_} at {when}: {breach.duty.code}"
            cites = (breach.duty.cite, *breach.also)
            yield Line("service", sentence, cites=cites, facts=breach.facts, standing=open_)


def _marks(binds: bool | None, facts: tuple[FactRef, ...]) -> Line:
    sentences = {
        True: "chapter 528 applies: an innovation, patented or pending, of an unlicensed provider",
        False: "chapter 528 does not apply: no patent, or a licensed provider; § 521.4 does",
        None: "whether chapter 528 applies: not all three marks",
    }
    standing = NOT_RECORDED if binds is None else None
    return Line("service", sentences[binds], cites=(LAW[".1"],), facts=facts, standing=standing)


def _shown_line(subject: str, shown: Held, pin: str) -> Line:
    holds, sentence, facts = shown
    standing = None if holds else (NOT_RECORDED if not facts else "not shown")
    return Line(
        "service",
        f"{subject}: {sentence}",
        cites=(LAW[pin],),
        facts=refs(*facts),
        standing=standing,
    )


def _permit_line(permit: str, hold: Hold, pin: str, asked: str) -> Line:
    if hold.never:
        return Line("provider", permit, cites=(LAW[pin],), standing=NOT_RECORDED)
    until = f" to {hold.until}" if hold.until is not None else ""
    sentence = {
        True: f"{permit} in effect{until}"
        + ("" if until else ", continued until the Board writes"),
        None: f"{permit}: {hold.reason}",
        False: f"{permit} not in effect: {hold.reason}",
    }[hold.holds]
    if hold.holds and permit == "authorization" and not until:
        sentence = f"{permit} in effect, without a date of its end"
    standing = None if hold.holds else ("not certain" if hold.holds is None else "not in effect")
    cites = (LAW[pin],)
    return Line(
        "provider",
        f"{sentence}{asked}",
        cites=cites,
        facts=refs(*hold.facts),
        standing=standing,
    )
