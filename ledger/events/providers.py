"""Facts of gaming related gaming service providers and of their services.

One frozen dataclass per schema, under ``schemas/house``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.enums import CredentialKind, Patent, ProviderList, ServiceKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceDescribed:
    """What a gaming related service is and who provides it."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    service: str
    service_version: str | None
    provider: str
    kind: ServiceKind | None
    provides: str | None
    game: str | None
    patent: Patent | None
    licensed_as_supplier: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSubmitted:
    """A service was submitted to the Bureau of Gaming Laboratory Operations."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    service: str
    service_version: str | None
    submitted_on: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLaboratoryDecided:
    """The Bureau of Gaming Laboratory Operations decided on a service."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    service: str
    service_version: str | None
    decided_on: str
    approved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LaboratoryCostsPaid:
    """A provider paid costs of the laboratory's review."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    provider: str
    service: str | None
    paid_on: str
    in_full: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderApplicationFiled:
    """An application for certification of a provider was filed."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    provider: str
    filed_on: str
    complete: bool | None
    by_certificate_holder: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DueDiligenceCertified:
    """The certificate holder certified its due diligence on a provider."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    provider: str
    certified_on: str
    certified_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderAgreementFiled:
    """An applicant agreed that permission before certification gives no right to continue."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    provider: str
    agreed_on: str
    in_writing: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderAuthorized:
    """The Bureau of Licensing authorized business with a provider before certification."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    provider: str
    authorized_on: str
    in_writing: bool | None
    authorized_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DenialRecommended:
    """A notice of recommendation for denial was issued against an applicant."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    provider: str
    recommended_on: str
    recommended_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationRescinded:
    """The permission to do business before certification was rescinded."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    provider: str
    rescinded_on: str
    cease_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderCertified:
    """The Board certified a provider."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    provider: str
    approved_on: str
    valid_until: str | None
    fees_paid: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewalReceived:
    """The Board received a provider's renewal application."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    provider: str
    received_on: str
    complete: bool | None
    fee_received_on: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewalDecided:
    """The Board decided on the renewal of a certification."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    provider: str
    decided_on: str
    approved: bool
    in_writing: bool | None
    valid_until: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderListed:
    """A provider was put on a list of the Board, or taken off."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    provider: str
    list: ProviderList
    listed_on: str
    removed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderCredentialIssued:
    """An individual of a provider was given a credential."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    person: str
    provider: str
    kind: CredentialKind
    issued_on: str
    needed_in_facility: bool | None
    found_qualified: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceUsed:
    """A gaming related service came into use, or was in use, at a table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    service: str
    service_version: str | None
    provider: str | None
    table: str | None
    game: str | None
    wager: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceUseEnded:
    """A gaming related service went out of use at a table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    service: str
    table: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ViolationReported:
    """The certificate holder reported a provider's violation to the Board."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    provider: str
    reported_on: str
    act: str | None
    reported_by: str | None
