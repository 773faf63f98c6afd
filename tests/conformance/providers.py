"""The words of chapter 528: a service in use, its provider, and what offices decided of both."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import date, datetime, time
from typing import Any, Final
from zoneinfo import ZoneInfo

from ledger import events
from ledger.events.enums import CredentialKind, ProviderList
from ledger.kernel import to_micros
from tests.conformance.coupon_words import named
from tests.conformance.keys import Keys, NotTranslatable, text_or_none, truth_or_none
from tests.conformance.scene import Moment, Scene
from tests.conformance.timeline import HOUSE, SETUP

SAID_AT: Final = time(12)
"""What is only dated is recorded at noon of its day, or at the time that a word adds."""

CRITERIA: Final = ("application_filed", "due_diligence_certified", "agreement_signed")
PATENTS: Final = (
    (r"\bno\b|none|not patented|without", events.Patent.NONE),
    (r"pending|applied", events.Patent.PENDING),
    (r"issued|granted|patented|\bown", events.Patent.ISSUED),
)
KINDS: Final = (
    (r"side bet", events.ServiceKind.SIDE_BET),
    (r"variation|variant", events.ServiceKind.VARIATION),
    (r"wager", events.ServiceKind.NEW_WAGER),
    (r"game", events.ServiceKind.NEW_GAME),
)


def version(said: Any) -> str | None:
    """A version as facts hold it."""
    return None if said is None else str(said)


def day(said: Any, where: str) -> str:
    """A date in words of the calendar."""
    try:
        return date.fromisoformat(str(said)).isoformat()
    except ValueError as error:
        raise NotTranslatable(f"{where}: not a date: {said!r}") from error


def at(scene: Scene, said: str, of: time = SAID_AT) -> int:
    """The moment at which what is dated so was recorded."""
    zone = ZoneInfo(scene.timeline.clock.time_zone)
    return to_micros(datetime.combine(date.fromisoformat(said), of, tzinfo=zone))


def put_in_order(scene: Scene, said: Any, game: str) -> None:
    """Everything that a setup says of the services in use."""
    for one in said if isinstance(said, list) else [said]:
        keys = Keys(one, "service_in_use")
        dates = re.findall(r"\b\d{4}-\d\d-\d\d\b", json.dumps(one))
        described = min([scene.timeline.earliest(), *(at(scene, each, time()) for each in dates)])
        _service(scene, keys, game, described)
        keys.finish()


def _add(scene: Scene, dated: str, kind: type[Any], /, **said: Any) -> None:
    scene.timeline.add(at(scene, dated), HOUSE, kind, SETUP, **said)


def _dated(keys: Keys, *names: str) -> tuple[str, Keys] | None:
    """A date, or an object with a date and more; None: it never came."""
    said = keys.take(*names)
    if said is None or said is False:
        return None
    part = Keys(said if isinstance(said, Mapping) else {"date": said}, f"{keys.where}, {names[0]}")
    return day(part.need("date", "on"), part.where), part


def _service(scene: Scene, keys: Keys, game: str, described: int) -> None:
    provider, service = str(keys.need("provider")), str(keys.need("service"))
    number = version(keys.take("service_version", "version"))
    of_service = {"service": service, "service_version": number}
    provides = text_or_none(keys.take("provides"), keys.where)
    kind = next((k for words, k in KINDS if re.search(words, provides or "")), None)
    if provides is not None and kind is None:
        kind = events.ServiceKind.OTHER
    patent = keys.take("patent")
    scene.services[service] = number
    scene.timeline.add(
        described, HOUSE, events.ServiceDescribed, SETUP,
        **of_service, provider=provider, kind=kind, provides=provides,
        game=game, patent=None if patent is None else named(PATENTS, patent, "a patent"),
        licensed_as_supplier=truth_or_none(keys.take("licensed_as_supplier"), keys.where),
    )  # fmt: skip
    if (found := _dated(keys, "service_submitted_to_laboratory")) is not None:
        _add(scene, found[0], events.ServiceSubmitted, **of_service, submitted_on=found[0])
        found[1].finish()
    if (found := _dated(keys, "laboratory_approved")) is not None:
        said = version(found[1].take("version", default=number))
        approved = words_of(found[1], "result", "approved") == "approved"
        _add(
            scene, found[0], events.ServiceLaboratoryDecided,
            service=service, service_version=said, decided_on=found[0], approved=approved,
        )  # fmt: skip
        found[1].finish()
    if (found := _dated(keys, "laboratory_costs_paid")) is not None:
        whole = truth_or_none(found[1].take("in_full", default=True), keys.where)
        paid_for = found[1].take("service", default=service)
        _add(
            scene, found[0], events.LaboratoryCostsPaid,
            provider=provider, service=paid_for, paid_on=found[0], in_full=whole,
        )  # fmt: skip
        found[1].finish()
    _request(scene, keys, game, service)
    _certified(scene, _part(keys, "certified"), provider)
    _authorized(scene, _part(keys, "authorized_before_certification"), provider)
    _lists(scene, keys, provider)


def _part(keys: Keys, name: str) -> Keys | None:
    """An object; a date alone is its date."""
    if isinstance(keys.peek(name), str):
        return Keys({"date": keys.take(name)}, f"{keys.where}, {name}")
    return keys.part(name)


def words_of(keys: Keys, name: str, default: str) -> str:
    """A word such as "approved" or "denied"."""
    return str(keys.take(name, default=default)).lower()


def _request(scene: Scene, keys: Keys, game: str, service: str) -> None:
    asked = _dated(keys, "request_to_executive_director")
    answer = _dated(keys, "written_approval_for_use")
    if asked is not None:
        _add(
            scene, asked[0], events.GameRequestFiled,
            **dict.fromkeys(field.name for field in fields(events.GameRequestFiled)[5:])
            | {"request": f"REQ-{service}", "kind": events.RequestKind.WAGER, "game": game}
            | {"feature": service, "addressed_to": "Executive Director", "service": service}
            | {"description": True, "rules_of_play": True, "rules_of_wagering": True}
            | {"reason": "new feature", "jurisdictions": (), "intellectual_property": "patent"},
        )  # fmt: skip
        asked[1].finish()
    if answer is not None:
        result = words_of(answer[1], "result", "approved")
        _add(
            scene, answer[0], events.RequestDecided,
            request=f"REQ-{service}", approved=result == "approved",
            in_writing=truth_or_none(answer[1].take("written", default=True), keys.where),
            decided_time=None, decided_by="ED",
        )  # fmt: skip
        answer[1].finish()


def _certified(scene: Scene, keys: Keys | None, provider: str) -> None:
    if keys is None:
        return
    approved_on = day(keys.need("approved_on", "date"), keys.where)
    until = keys.take("valid_until")
    _add(
        scene, approved_on, events.ProviderCertified,
        provider=provider, approved_on=approved_on,
        valid_until=None if until is None else day(until, keys.where),
        fees_paid=truth_or_none(keys.take("fees_paid", default=True), keys.where),
    )  # fmt: skip
    received = keys.take("renewal_received")
    fee = keys.take("fee_received", "renewal_fee_received")
    complete = truth_or_none(keys.take("renewal_complete", default=True), keys.where)
    if received is not None:
        came = day(received, keys.where)
        paid = None if fee is None else day(fee, keys.where)
        _add(
            scene, max(came, paid or came), events.RenewalReceived,
            provider=provider, received_on=came, complete=complete, fee_received_on=paid,
        )  # fmt: skip
        if (
            told := at(scene, max(came, paid or came))
        ) < scene.base:  # was it in time (§ 528.4(b))?
            scene.audited = (*scene.audited, scene.timeline.clock.day_of(told))
    decided = keys.part("decided")
    if decided is not None:
        on = day(decided.need("date", "on"), decided.where)
        until = decided.take("valid_until")
        _add(
            scene, on, events.RenewalDecided,
            provider=provider, decided_on=on,
            approved=words_of(decided, "result", "approved") == "approved",
            in_writing=truth_or_none(decided.take("written"), decided.where),
            valid_until=None if until is None else day(until, decided.where),
        )  # fmt: skip
        decided.finish()
    keys.finish()


def _authorized(scene: Scene, keys: Keys | None, provider: str) -> None:
    if keys is None:
        return
    criteria = [keys.peek(name) for name in CRITERIA]
    if (found := _dated(keys, "application_filed")) is not None:
        _add(
            scene, found[0], events.ProviderApplicationFiled, provider=provider, filed_on=found[0],
            complete=truth_or_none(found[1].take("complete", default=True), keys.where),
            by_certificate_holder=truth_or_none(
                found[1].take("by_certificate_holder", default=True), keys.where
            ),
        )  # fmt: skip
        found[1].finish()
    if (found := _dated(keys, "due_diligence_certified")) is not None:
        said = {"provider": provider, "certified_on": found[0], "certified_by": "CH"}
        _add(scene, found[0], events.DueDiligenceCertified, **said)
        found[1].finish()
    if (found := _dated(keys, "agreement_signed")) is not None:
        written = truth_or_none(found[1].take("written", default=True), keys.where)
        said = {"provider": provider, "agreed_on": found[0], "in_writing": written}
        _add(scene, found[0], events.ProviderAgreementFiled, **said)
        found[1].finish()
    given = keys.take("date")
    written = truth_or_none(keys.take("written"), keys.where)
    if given is not None:
        on = day(given, keys.where)
        _add(
            scene, on, events.ProviderAuthorized,
            provider=provider, authorized_on=on, in_writing=written, authorized_by="BOL",
        )  # fmt: skip
        met = all(isinstance(one, str) for one in criteria)  # what is lacking shows at the use
        if at(scene, on) < scene.base and met:  # were they met that day (§ 528.8(a))?
            scene.audited = (*scene.audited, scene.timeline.clock.day_of(at(scene, on)))
    if (found := _dated(keys, "denial_recommended", "recommended_on")) is not None:
        said = {"provider": provider, "recommended_on": found[0], "recommended_by": "OEC"}
        _add(scene, found[0], events.DenialRecommended, **said)
        found[1].finish()
    rescinded, cease = keys.take("rescinded_on"), keys.take("cease_by")
    if rescinded is not None:
        on = day(rescinded, keys.where)
        by = None if cease is None else day(cease, keys.where)
        said = {"provider": provider, "rescinded_on": on, "cease_by": by}
        _add(scene, on, events.AuthorizationRescinded, **said)
    keys.finish()


def _lists(scene: Scene, keys: Keys, provider: str) -> None:
    """The Board's lists: from when the provider stands on them."""
    for name, which in (
        ("listed", ProviderList.GAMING_RELATED),
        ("on_authorized_list", ProviderList.AUTHORIZED),
    ):
        if (found := _dated(keys, name)) is not None:
            removed = bool(truth_or_none(found[1].take("removed", default=False), keys.where))
            said = {"provider": provider, "list": which, "listed_on": found[0]}
            _add(scene, found[0], events.ProviderListed, **said, removed=removed)
            found[1].finish()


# --- facts of a case -----------------------------------------------------------------------------


def service_used(moment: Moment) -> None:
    """The service is in use at the table."""
    keys = moment.keys
    nowhere = keys.take("at_no_table", default=False)
    service = str(keys.need("service"))
    number = keys.take("version", default=moment.scene.services.get(service))
    _tell(
        moment, events.ServiceUsed,
        service=service, service_version=version(number),
        provider=text_or_none(keys.take("provider"), keys.where),
        table=None if nowhere else moment.table.name, game=moment.table.game,
        wager=text_or_none(keys.take("wager"), keys.where),
    )  # fmt: skip


def service_use_ended(moment: Moment) -> None:
    """The service is out of use."""
    service = str(moment.keys.need("service"))
    _tell(moment, events.ServiceUseEnded, service=service, table=moment.table.name)


def _tell(moment: Moment, kind: type[Any], /, **said: Any) -> None:
    moment.scene.timeline.add(moment.time, HOUSE, kind, moment.origin, **said)


PLAIN: Final = {
    "service_submitted": events.ServiceSubmitted,
    "service_laboratory_decided": events.ServiceLaboratoryDecided,
    "laboratory_costs_paid": events.LaboratoryCostsPaid,
    "provider_application_filed": events.ProviderApplicationFiled,
    "due_diligence_certified": events.DueDiligenceCertified,
    "provider_agreement_filed": events.ProviderAgreementFiled,
    "provider_authorized": events.ProviderAuthorized,
    "denial_recommended": events.DenialRecommended,
    "authorization_rescinded": events.AuthorizationRescinded,
    "provider_certified": events.ProviderCertified,
    "renewal_received": events.RenewalReceived,
    "renewal_decided": events.RenewalDecided,
    "provider_listed": events.ProviderListed,
    "credential_issued": events.ProviderCredentialIssued,
    "request_decided": events.RequestDecided,
    "violation_reported": events.ViolationReported,
}
"""Facts that a case tells field by field; a field that it leaves out is not recorded."""


def plain(moment: Moment) -> None:
    """A fact of an office or a provider, while the case plays."""
    kind, keys = PLAIN[moment.name], moment.keys
    said = {field.name: keys.take(field.name) for field in fields(kind)[5:]}
    if "service_version" in said:
        said["service_version"] = version(said["service_version"])
    if kind is events.ProviderListed:
        said["list"] = ProviderList(said["list"])
        said["removed"] = bool(said["removed"])
    if kind is events.ProviderCredentialIssued:
        said["kind"] = CredentialKind(said["kind"])
    _tell(moment, kind, **said)


HANDLERS: Final = {
    "service_used": service_used,
    "service_use_ended": service_use_ended,
    **dict.fromkeys(PLAIN, plain),
}
