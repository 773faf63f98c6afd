"""The duties of chapter 528: what precedes use of a gaming related service, and who may provide it.

Law: §§ 528.1 to 528.8; § 521.4 where chapter 528 does not bind.
"""

from __future__ import annotations

from typing import Final

from ledger.games.room import Duty
from ledger.kernel import Severity
from ledger.law import GENERAL
from ledger.law import SERVICE_PROVIDERS as LAW

LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH

# fmt: off
DUTIES: Final = (
    #    code                               severity cite             says when it was not kept                                                                      reading
    Duty("law_not_held",                    MEDIUM, LAW["#1"],        "No edition of the chapter is on file for {observed}.",                                               "lapse-gap"),
    Duty("provider_not_certified",          HIGH,   LAW[".1"],        "Provider {expected} of service {observed} has not applied for certification."),
    Duty("lab_costs_unpaid",                MEDIUM, LAW[".2(c)"],     "{observed} was certified before all fees and costs were paid."),
    Duty("credential_without_grounds",      LOW,    LAW[".3(d)(1)"],  "{observed} was issued a temporary credential without being needed in the facility."),
    Duty("credential_without_grounds",      LOW,    LAW[".3(d)(2)"],  "{observed} was issued a temporary credential while {expected} was not on the Authorized Gaming Service Provider List."),
    Duty("credential_without_grounds",      LOW,    LAW[".3(e)"],     "{observed} was issued a permanent credential; {expected}."),
    Duty("certification_expired",           HIGH,   LAW[".4(a)"],     "Service {observed} was used; {expected}.",                                                     "certification-last-day"),
    Duty("renewal_late",                    LOW,    LAW[".4(b)"],     "The renewal of {observed}; it was due by {expected}.",                                         "renewal-sixty-days"),
    Duty("certification_expired",           HIGH,   LAW[".4(c)"],     "Service {observed} was used; {expected}.",                                                     "renewal-after-expiry"),
    Duty("provider_list_differs",           LOW,    LAW[".6"],        "{observed} is on the list of gaming related gaming service providers; {expected}."),
    Duty("service_used_before_clearance",   HIGH,   LAW[".7#1"],      "Service {observed} was in use before {expected}; what followed later does not cure it."),
    Duty("service_not_lab_approved",        HIGH,   LAW[".7(1)#1"],   "Service {observed} was used without having been submitted to the laboratory."),
    Duty("service_not_lab_approved",        HIGH,   LAW[".7(1)#2"],   "Service {observed} was used without the laboratory's approval: {expected}."),
    Duty("lab_costs_unpaid",                MEDIUM, LAW[".7(2)"],     "Laboratory costs of service {observed} unpaid: {expected}."),
    Duty("service_not_approved_for_use",    HIGH,   LAW[".7(3)#1"],   "Service {observed} was used without a written request to use it."),
    Duty("service_not_approved_for_use",    HIGH,   LAW[".7(3)#2"],   "Service {observed} was used without written approval for its use: {expected}."),
    Duty("provider_not_certified",          HIGH,   LAW[".7(4)"],     "Service {observed} was used; its provider was neither certified nor authorized: {expected}."),
    Duty("provider_not_certified",          HIGH,   LAW[".8(a)"],     "Service {observed} was used; {expected}."),
    Duty("authorization_criteria_missing",  MEDIUM, LAW[".8(a)(1)"],  "{observed} was authorized before certification without a completed application filed by the certificate holder."),
    Duty("authorization_criteria_missing",  MEDIUM, LAW[".8(a)(2)"],  "{observed} was authorized before certification without certified due diligence."),
    Duty("authorization_criteria_missing",  MEDIUM, LAW[".8(a)(3)"],  "{observed} was authorized before certification without its written agreement."),
    Duty("authorization_criteria_missing",  MEDIUM, LAW[".8(a)(4)"],  "{observed} was authorized before certification while the requirements for use were not met: {expected}.", "use-requirements-538-7"),
    Duty("provider_authorization_rescinded", HIGH,  LAW[".8(b)#2"],   "Service {observed} was used; the permission of its provider was {expected}.",                  "cease-by-day"),
    Duty("provider_authorization_rescinded", HIGH,  LAW[".8(c)#2"],   "Service {observed} was used; the certificate holder had to cease: {expected}.",                "cease-by-day"),
    Duty("service_not_approved_for_use",    HIGH,   GENERAL[".4#2"],  "Service {observed}, to which chapter 528 does not apply, was used without written approval: {expected}."),
)
# fmt: on


def _name(duty: Duty) -> str:
    pin = duty.cite.section.removeprefix(duty.cite.edition.chapter)
    part = f"#{duty.cite.part}" if duty.cite.part else ""
    return f"{duty.code}@{pin}{part}"


BY_NAME: Final[dict[str, Duty]] = {_name(duty): duty for duty in DUTIES}
"""The duties by code, section and part: ``service_not_lab_approved@.7(1)#2``."""
