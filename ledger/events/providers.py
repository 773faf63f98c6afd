"""Facts of gaming related gaming service providers and of their services.

One frozen dataclass per schema, under ``schemas/house``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.enums import CredentialKind, Patent, ProviderList, ServiceKind
from ledger.events.fact_declaration import Header, declared


@declared
class ServiceDescribed(Header):
    """What a gaming related service is and who provides it."""

    service: str
    service_version: str | None
    provider: str
    kind: ServiceKind | None
    provides: str | None
    game: str | None
    patent: Patent | None
    licensed_as_supplier: bool | None


@declared
class ServiceSubmitted(Header):
    """A service was submitted to the Bureau of Gaming Laboratory Operations."""

    service: str
    service_version: str | None
    submitted_on: str


@declared
class ServiceLaboratoryDecided(Header):
    """The Bureau of Gaming Laboratory Operations decided on a service."""

    service: str
    service_version: str | None
    decided_on: str
    approved: bool


@declared
class LaboratoryCostsPaid(Header):
    """A provider paid costs of the laboratory's review."""

    provider: str
    service: str | None
    paid_on: str
    in_full: bool | None


@declared
class ProviderApplicationFiled(Header):
    """An application for certification of a provider was filed."""

    provider: str
    filed_on: str
    complete: bool | None
    by_certificate_holder: bool | None


@declared
class DueDiligenceCertified(Header):
    """The certificate holder certified its due diligence on a provider."""

    provider: str
    certified_on: str
    certified_by: str | None


@declared
class ProviderAgreementFiled(Header):
    """An applicant agreed that permission before certification gives no right to continue."""

    provider: str
    agreed_on: str
    in_writing: bool | None


@declared
class ProviderAuthorized(Header):
    """The Bureau of Licensing authorized business with a provider before certification."""

    provider: str
    authorized_on: str
    in_writing: bool | None
    authorized_by: str | None


@declared
class DenialRecommended(Header):
    """A notice of recommendation for denial was issued against an applicant."""

    provider: str
    recommended_on: str
    recommended_by: str | None


@declared
class AuthorizationRescinded(Header):
    """The permission to do business before certification was rescinded."""

    provider: str
    rescinded_on: str
    cease_by: str | None


@declared
class ProviderCertified(Header):
    """The Board certified a provider."""

    provider: str
    approved_on: str
    valid_until: str | None
    fees_paid: bool | None


@declared
class RenewalReceived(Header):
    """The Board received a provider's renewal application."""

    provider: str
    received_on: str
    complete: bool | None
    fee_received_on: str | None


@declared
class RenewalDecided(Header):
    """The Board decided on the renewal of a certification."""

    provider: str
    decided_on: str
    approved: bool
    in_writing: bool | None
    valid_until: str | None


@declared
class ProviderListed(Header):
    """A provider was put on a list of the Board, or taken off."""

    provider: str
    list: ProviderList
    listed_on: str
    removed: bool


@declared
class ProviderCredentialIssued(Header):
    """An individual of a provider was given a credential."""

    person: str
    provider: str
    kind: CredentialKind
    issued_on: str
    needed_in_facility: bool | None
    found_qualified: bool | None


@declared
class ServiceUsed(Header):
    """A gaming related service came into use, or was in use, at a table."""

    service: str
    service_version: str | None
    provider: str | None
    table: str | None
    game: str | None
    wager: str | None


@declared
class ServiceUseEnded(Header):
    """A gaming related service went out of use at a table."""

    service: str
    table: str | None


@declared
class ViolationReported(Header):
    """The certificate holder reported a provider's violation to the Board."""

    provider: str
    reported_on: str
    act: str | None
    reported_by: str | None
