"""Plants in the services of outside providers: one comes into use before everything was done.

A side bet's device is tried at a table before the doors open and taken away again. All that chapter
528 asks for beforehand is on record, but for one thing. Law: 58 Pa. Code §§ 528.1, 528.7.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any, Final

from ledger import events
from ledger.floor import people
from ledger.floor.day import Day
from ledger.floor.draft import Draft
from ledger.floor.office import CLOCK, OFFICE, TERMINAL
from ledger.floor.plant_house import LastingPlant
from ledger.floor.tables import TableSpec

STEP: Final = 100_000
"""Between two acts of the office, in microseconds."""
VERSION: Final = "1.0"

Plant = Callable[[TableSpec, Random, Day], LastingPlant]


def without(kind: str, missing: tuple[type[events.Fact], ...], code: str, cite: str) -> Plant:
    """A service in use for which the facts of these kinds are missing.

    Args:
        kind: the name of the irregularity.
        missing: the classes of the facts that are left out.
        code: of the finding.
        cite: its section.
    """

    def plant(spec: TableSpec, rng: Random, first: Day) -> LastingPlant:  # noqa: ARG001
        service = f"{kind}-{spec.name}"

        def file(draft: Draft) -> None:
            at = draft.facts[-1].event_time
            for fact in _before_use(spec, service, at):
                if not isinstance(fact, missing):
                    draft.facts.append(fact)
            stamp = _stamp(draft.facts[-1].event_time + STEP)
            used = events.ServiceUsed(
                **stamp, service=service, service_version=VERSION, provider=_provider(service),
                table=spec.name, game=spec.game, wager=None,
            )  # fmt: skip
            ended = events.ServiceUseEnded(
                **_stamp(used.event_time + STEP), service=service, table=spec.name
            )
            draft.facts += [used, ended]
            draft.find_on(CLOCK.day_of(used.event_time), code, cite, used)

        return LastingPlant(kind, spec, file, _untouched)

    return plant


uncertified: Final = without(
    "service_uncertified",
    (events.ProviderApplicationFiled, events.ProviderCertified),
    "provider_not_certified",
    "528.1",
)
not_tested: Final = without(
    "service_not_tested",
    (events.ServiceLaboratoryDecided,),
    "service_not_lab_approved",
    "528.7(1)",
)
costs_unpaid: Final = without(
    "service_costs_unpaid", (events.LaboratoryCostsPaid,), "lab_costs_unpaid", "528.7(2)"
)
not_permitted: Final = without(
    "service_not_permitted", (events.RequestDecided,), "service_not_approved_for_use", "528.7(3)"
)


def _untouched(draft: Draft) -> bool:  # noqa: ARG001
    return False


def _provider(service: str) -> str:
    return f"provider of {service}"


def _stamp(at: int) -> dict[str, Any]:
    return {
        "stream": OFFICE, "seq": 0, "event_time": at, "source": TERMINAL,
        "recorded_by": people.SHIFT_MANAGER,
    }  # fmt: skip


def _before_use(spec: TableSpec, service: str, at: int) -> list[events.Fact]:
    """Everything that comes before use, done weeks ago and recorded from ``at`` on."""
    day = CLOCK.day_of(at)
    submitted, decided, certified = (
        (day - timedelta(days=ago)).isoformat() for ago in (90, 60, 30)
    )
    provider = _provider(service)
    stamps = [_stamp(at + number * STEP) for number in range(1, 9)]
    version: dict[str, Any] = {"service": service, "service_version": VERSION}
    return [
        events.ServiceDescribed(
            **stamps[0], **version, provider=provider, kind=events.ServiceKind.SIDE_BET,
            provides="a side bet and its meter", game=spec.game, patent=events.Patent.ISSUED,
            licensed_as_supplier=False,
        ),
        events.ServiceSubmitted(**stamps[1], **version, submitted_on=submitted),
        events.ServiceLaboratoryDecided(**stamps[2], **version, decided_on=decided, approved=True),
        events.LaboratoryCostsPaid(
            **stamps[3], provider=provider, service=service, paid_on=decided, in_full=True
        ),
        events.GameRequestFiled(
            **stamps[4], request=f"request for {service}", kind=events.RequestKind.FEATURE, game=spec.game,
            feature="a side bet and its meter", addressed_to="Executive Director",
            filed_time=at - 60 * 24 * 3_600_000_000, description=True, rules_of_play=True,
            rules_of_wagering=True, classification=None, wagers=None, has_layout=False,
            layout_shown=None, equipment_shown=True, reason="patrons ask for it",
            jurisdictions=("New Jersey",), intellectual_property="held by the provider",
            service=service,
        ),
        events.RequestDecided(
            **stamps[5], request=f"request for {service}", approved=True, in_writing=True,
            decided_time=at - 30 * 24 * 3_600_000_000, decided_by=people.DIRECTOR,
        ),
        events.ProviderApplicationFiled(
            **stamps[6], provider=provider, filed_on=submitted, complete=True,
            by_certificate_holder=True,
        ),
        events.ProviderCertified(
            **stamps[7], provider=provider, approved_on=certified, valid_until=None, fees_paid=True
        ),
    ]  # fmt: skip
