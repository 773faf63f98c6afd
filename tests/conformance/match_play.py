"""Cases of the stock of coupons (§ 525.21) in facts, one handler for each word."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date, timedelta
from typing import Any, Final

from ledger import events
from ledger.codec import from_plain
from ledger.coupons.periods import next_month
from ledger.events.coupon_words import CouponOrigin
from ledger.kernel import MICROSECONDS
from tests.conformance import coupon_program as program
from tests.conformance import setups
from tests.conformance.coupon_program import (
    COUNT,
    FINANCE,
    MAIL,
    MARKETING,
    credential,
    run_of,
    split,
)
from tests.conformance.coupon_words import (
    all_named,
    approved_area,
    cancel_method,
    covered,
    dated,
    deviation_receiver,
    is_locked,
    named,
)
from tests.conformance.keys import Keys, NotTranslatable
from tests.conformance.scene import Scene
from tests.conformance.timeline import HOUSE, SETUP, Origin
from tests.conformance.walk import told

GAME: Final = "Match Play Coupons"
FIRST_DAY: Final = date(2012, 8, 15)
PERIODIC: Final = frozenset({"stock_inventoried", "quarterly_report"})
"""What falls due by the month or the quarter: a day of nothing else has no daily papers to show."""
ORIGINS: Final = (
    (r"computer", CouponOrigin.COMPUTER_SYSTEM),
    (r"provider", CouponOrigin.GAMING_SERVICE_PROVIDER),
    (r"\bown\b|in.?house|internal|certificate holder", CouponOrigin.OWN_PRINTING),
)
ITEMS: Final = (
    (r"undistributed|unused|not distributed", events.ForwardedItem.UNDISTRIBUTED),
    (r"document|papers|form", events.ForwardedItem.DOCUMENTATION),
    (r"void", events.ForwardedItem.VOIDED),
    (r"redeem", events.ForwardedItem.REDEEMED),
)
KINDS: Final = (
    (r"expired", events.CouponReturnKind.EXPIRED),
    (r"undeliver|not deliver", events.CouponReturnKind.UNDELIVERED),
    (r"unused|undistributed|not distributed|reissu", events.CouponReturnKind.UNUSED),
)
BECAUSE: Final = (
    (r"redeem", events.CancelReason.REDEEMED),
    (r"void", events.CancelReason.VOIDED),
    (r"expir", events.CancelReason.EXPIRED),
)
DECIDED: Final = {
    "won": events.SettledAs.WON,
    "lost": events.SettledAs.LOST,
    "returned": events.SettledAs.RETURNED,
}


@dataclass
class Case:
    """One case while it is told."""

    scene: Scene
    people: Mapping[str, str]
    excluded: frozenset[str]
    denominations: dict[str, int] = field(default_factory=dict)
    lists: dict[str, list[tuple[str, str | None]]] = field(default_factory=dict)
    boxes: set[tuple[str, date]] = field(default_factory=set)
    number: int = 0
    requisition: str | None = None

    def next(self, word: str) -> str:
        self.number += 1
        return f"{word}-{self.number}"

    def day(self, at: int) -> str:
        return self.scene.timeline.clock.day_of(at).isoformat()

    def cents(self, serial: str) -> int | None:
        return self.denominations.get(split(serial)[0])

    def runs(self, serials: list[str]) -> tuple[events.CouponRange, ...]:
        found: list[events.CouponRange] = []
        for prefix in dict.fromkeys(split(one)[0] for one in serials):
            own = [one for one in serials if split(one)[0] == prefix]
            found.extend(run_of(own, self.denominations.get(prefix)))
        return tuple(found)


def translate(case: Mapping[str, Any], defaults: Mapping[str, Any]) -> Scene:
    """Tell a stock case as facts.

    Raises:
        NotTranslatable: it is a case of redemption at a table, or says what facts cannot.
    """
    del defaults
    setup = Keys(case.get("setup") or {}, "setup")
    facts = told(case.get("facts") or [])
    if setup.has("game"):
        raise NotTranslatable("a case of the game, not of the stock of coupons")
    clock = setups.clock(setup.take("gaming_day_starts"))
    start = clock.start_of(FIRST_DAY)
    scene = setups.open_scene(start, clock, "coupons", GAME)
    scene.timeline.closes_itself = False
    own = Case(scene, setup.take("people") or program.PEOPLE,
               frozenset(setup.take("excluded_commitments", default=())))  # fmt: skip
    _program(own, setup, start)
    own.denominations = _denominations(facts)
    expires = setup.take("expires", default={}) or {}
    listed = _expiry_dates(facts)
    for prefix, cents in sorted(own.denominations.items()):
        digits = next(split(one)[1] for one in _serials(facts) if split(one)[0] == prefix)
        until = expires.get(str(cents), listed.get(prefix, program.FAR))
        program.describe(scene.timeline, start - 30, prefix, digits, cents, expires=until)
    extra = [clock.start_of(date.fromisoformat(str(one)))
             for one in (setup.take("audit_runs_on"),) if one]  # fmt: skip
    due = set(setup.take("months_due", default=()))
    quarters = set(setup.take("quarters_due", default=()) or ())
    setup.take("quarter_data"), setup.take("note")
    setup.finish()
    for origin, one in facts:
        keys = Keys({k: v for k, v in one.items() if k not in {"t", "fact"}}, f"fact {origin}")
        name = str(one["fact"])
        if name not in HANDLERS:
            raise NotTranslatable(f"unknown fact: {name!r}")
        HANDLERS[name](own, scene.at(one["t"]), keys, origin)
        keys.take("note")
        keys.finish()
    until = max([start, *extra, *(scene.at(one["t"]) for _, one in facts)])
    if next_month(FIRST_DAY) <= clock.day_of(until):
        _inventories(own, facts, until, due)
        _reports(own, facts, until, quarters)
    scene.audited = tuple(clock.day_of(at) for at in extra)
    played = {FIRST_DAY} | {
        clock.day_of(scene.at(one["t"])) for _, one in facts if one["fact"] not in PERIODIC
    }
    days = played | {clock.day_of(scene.at(one["t"])) for _, one in facts} | {*scene.audited}
    scene.periodic = frozenset(days - played)
    for day in sorted(days):
        scene.timeline.add(clock.bounds(day)[1] - 1, HOUSE, events.GamingDayClosed, SETUP)
    return scene


def _program(own: Case, setup: Keys, start: int) -> None:
    """Approvals and people."""
    timeline = own.scene.timeline
    approved = setup.take("design_and_controls_approved_on", default="2012-07-01")
    hired = start - 60 * 86_400 * MICROSECONDS
    if approved is not None:
        at = timeline.clock.start_of(date.fromisoformat(str(approved))) - 60 * MICROSECONDS
        program.approve(timeline, at)
        hired = min(hired, at)
    program.hire(timeline, hired, own.people)
    if setup.take("own_printing_approved"):
        parts = (
            events.ControlsPart.OWN_PRODUCTION,
            events.ControlsPart.OWN_PRODUCTION_RECONCILIATION,
        )
        program.approve(
            timeline, hired + 1, parts, design=False, bureau=events.Bureau.BOARD, name="OWN"
        )
    if setup.take("mailing_in_internal_controls"):
        program.approve(
            timeline, hired + 1, (events.ControlsPart.MAILING,), design=False, name="MAIL"
        )
    period = setup.take("promotional_period")
    if period:
        timeline.add(hired + 2, MARKETING, events.PromotionScheduled, SETUP, promotion="PROMO-1",
                     first_gaming_day=period[0], last_gaming_day=period[-1],
                     denominations=None)  # fmt: skip


def _inventories(own: Case, facts: list[Any], until: int, due: set[str]) -> None:
    """The inventories of months that the case does not ask for: taken, and right."""
    clock = own.scene.timeline.clock
    held: dict[int, int] = {}
    for _, fact in facts:
        sign = {"stock_recorded": 1, "distributed": -1}.get(fact["fact"], 0)
        for one in (fact.get("lots") or fact.get("ranges") or ()) if sign else ():
            cents = one["denomination_cents"]
            held[cents] = held.get(cents, 0) + sign * (one.get("quantity") or 0)
        for serial in fact.get("serials") or () if fact["fact"] == "voided" else ():
            cents = own.cents(serial) or 0
            held[cents] = held.get(cents, 0) - 1
    month = FIRST_DAY
    while (month := next_month(month)) <= clock.day_of(until):
        last = month - timedelta(days=1)
        if f"{last:%Y-%m}" not in due:
            lines = tuple(
                events.CouponRange(denomination_cents=cents, first=None, last=None, quantity=count)
                for cents, count in sorted(held.items())
            )
            own.scene.timeline.add(
                clock.bounds(last)[1] - 2, FINANCE, events.CouponsInventoried, SETUP, lines=lines,
                inventory=own.next("INV"), month=f"{last:%Y-%m}", in_ledger=True,
                covers=(events.CouponHolder.FINANCE, events.CouponHolder.MARKETING), inventoried_by=(),
            )  # fmt: skip


def _reports(own: Case, facts: list[Any], until: int, due: set[str]) -> None:
    """The reports of quarters that the case does not ask for: filed, and right."""
    clock = own.scene.timeline.clock
    told_of = {dated(fact["quarter"]) for _, fact in facts if fact["fact"] == "quarterly_report"}
    month = FIRST_DAY
    while (month := next_month(month)) <= clock.day_of(until):
        last = month - timedelta(days=1)
        quarter = f"{last.year}-Q{(last.month + 2) // 3}"
        if last.month % 3 or quarter in due | told_of:
            continue
        value: dict[int, int] = {}
        for _, fact in facts:
            day = clock.day_of(own.scene.at(fact["t"]))
            if fact["fact"] == "redeemed" and f"{day.year}-Q{(day.month + 2) // 3}" == quarter:
                cents = fact.get("denomination_cents") or own.cents(fact["serial"]) or 0
                value[cents] = value.get(cents, 0) + cents
        lines = tuple(
            events.CouponValue(denomination_cents=cents, value_cents=total)
            for cents, total in sorted(value.items())
        )
        own.scene.timeline.add(
            clock.bounds(month)[0] + MICROSECONDS, FINANCE, events.QuarterlyReportFiled, SETUP,
            quarter=quarter, filed_on=month.isoformat(), filed_by=None, lines=lines,
            bureau=events.Bureau.CASINO_COMPLIANCE,
        )  # fmt: skip


def _walked(value: Any) -> Any:
    if isinstance(value, dict):
        yield value
        for one in value.values():
            yield from _walked(one)
    elif isinstance(value, list):
        for one in value:
            yield from _walked(one)


def _serials(facts: list[Any]) -> list[str]:
    found: list[str] = []
    for _, fact in facts:
        for one in _walked(fact) if fact["fact"] != "recorded" else ():
            found += [one[key] for key in ("first", "serial") if isinstance(one.get(key), str)]
            found += [text for text in one.get("serials") or () if isinstance(text, str)]
    return [one for one in found if one[-1:].isdigit()]


def _denominations(facts: list[Any]) -> dict[str, int]:
    """Which denomination each prefix stands for: as it is said first, deliveries before all."""
    found: dict[str, int] = {}
    ranked = sorted(facts, key=lambda pair: pair[1]["fact"] not in ("delivered", "mail_list"))
    for _, fact in ranked:
        for one in _walked(fact) if fact["fact"] != "recorded" else ():
            serial = one.get("first") or one.get("serial")
            if isinstance(serial, str) and serial[-1:].isdigit() and one.get("denomination_cents"):
                found.setdefault(split(serial)[0], one["denomination_cents"])
    return found


def _expiry_dates(facts: list[Any]) -> dict[str, str]:
    """The date on which coupons of a prefix expire, where a mailing list gives one for all."""
    found: dict[str, set[str | None]] = {}
    for _, fact in facts:
        for line in (fact.get("lines") or ()) if fact["fact"] == "mail_list" else ():
            if line.get("serial"):
                found.setdefault(split(line["serial"])[0], set()).add(line.get("expires"))
    return {
        prefix: str(*dates) for prefix, dates in found.items() if len(dates) == 1 and all(dates)
    }


def _range(one: Mapping[str, Any]) -> events.CouponRange:
    return events.CouponRange(
        denomination_cents=one.get("denomination_cents"), first=one.get("first"),
        last=one.get("last"), quantity=one.get("quantity"),
    )  # fmt: skip


def _ranges(said: Any) -> tuple[events.CouponRange, ...]:
    return tuple(_range(one) for one in said or ())


def _either(own: Case, keys: Keys) -> tuple[events.CouponRange, ...]:
    """Coupons by ranges, by single serial numbers, or by both."""
    single = [keys.take("serial")] if keys.has("serial") else []
    return (*_ranges(keys.take("ranges")), *own.runs([*(keys.take("serials") or []), *single]))


def _signature(said: Any) -> events.CouponSignature | None:
    if said is None or isinstance(said, str):  # a person alone signed as is due
        return None if said is None else program.signed(said)
    return events.CouponSignature(
        person=said.get("credential"), printed_name=said.get("name"), signed=said.get("signed"),
        signed_time=None,
    )  # fmt: skip


def _person(said: Any) -> str | None:
    return credential(said.get("person")) if isinstance(said, Mapping) else credential(said)


def _people(said: Any) -> tuple[str, ...]:
    names = said if isinstance(said, list) else [said]
    return tuple(one for name in names if (one := _person(name)) is not None)


def _voids(own: Case, said: Any) -> tuple[events.CouponVoid, ...]:
    return tuple(
        events.CouponVoid(
            denomination_cents=own.cents(one["serial"]) if one.get("serial") else None,
            first=one.get("serial"), last=one.get("serial"), reason=one.get("reason"),
        )
        for one in said or ()
    )  # fmt: skip


# --- the words ------------------------------------------------------------------------------------


def _delivered(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    own.scene.timeline.add(
        at, FINANCE, events.CouponsDelivered, origin, delivery=str(keys.need("delivery")),
        origin=named(ORIGINS, keys.need("source"), "a source"), provider=None, invoice="INV-1",
        invoiced=_ranges(keys.need("invoice")), received_by=None,
    )  # fmt: skip


def _examined(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    own.scene.timeline.add(
        at, FINANCE, events.CouponsExamined, origin, delivery=str(keys.need("delivery")),
        examined_by=_people(keys.take("by")), counted=_ranges(keys.take("counted")), elements=None,
    )  # fmt: skip


def _deviation(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    delivery = str(keys.need("delivery"))
    told_to, by = keys.take("to"), _person(keys.take("by", "reported_by"))
    for name in [told_to] if isinstance(told_to, str) else told_to or ():
        receiver = deviation_receiver(own.people.get(name, name))
        if receiver is not None:  # a report to anybody else is neither of the two
            own.scene.timeline.add(at, FINANCE, events.CouponDeviationReported, origin, delivery=delivery,
                                   receiver=receiver, person=None, reported_by=by,
                                   deviation=None)  # fmt: skip


def _stock_recorded(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    own.scene.timeline.add(
        at, FINANCE, events.CouponReceiptEntered, origin, entry=own.next("RE"),
        delivery=str(keys.need("delivery")), received_on=keys.take("date"),
        lots=_ranges(keys.take("lots")), entered_by=_person(keys.take("recorded_by")),
        checked_by=tuple(s for one in keys.take("checked_by") or () if (s := _signature(one))),
    )  # fmt: skip


def _requisitioned(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    name = own.requisition = str(keys.need("requisition"))
    lines = tuple(
        events.CouponQuantity(
            denomination_cents=one.get("denomination_cents"), quantity=one.get("quantity")
        )
        for one in keys.take("lines") or ()
    )
    own.scene.timeline.add(
        at, MARKETING, events.CouponsRequisitioned, origin, requisition=name, promotion=None,
        prepared_on=keys.take("prepared_on"), needed_for=keys.take("needed_for"), lines=lines,
        prepared_by=_signature(keys.take("prepared_by")),
    )  # fmt: skip
    by = keys.take("authorized_by")
    when = keys.take("authorized_t")
    if by is not None:
        own.scene.timeline.add(at + 1 if when is None else own.scene.at(when), FINANCE,
                               events.RequisitionAuthorized, origin, requisition=name,
                               authorized_by=_signature(by))  # fmt: skip


def _issue_recorded(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    own.scene.timeline.add(
        at, FINANCE, events.CouponIssueEntered, origin, entry=own.next("IE"),
        requisition=keys.take("requisition", default=own.requisition),
        lines=_ranges(keys.take("lines")),
        voided=_voids(own, keys.take("voided")), issued_by=_signature(keys.take("issued_by")),
    )  # fmt: skip


def _handed_over(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    own.scene.timeline.add(
        at, FINANCE, events.CouponsIssued, origin,
        requisition=keys.take("requisition", default=own.requisition),
        ranges=_ranges(keys.take("ranges")), issued_by=_person(keys.take("by")),
        received_by=_person(keys.take("to")),
    )  # fmt: skip


def _distributed(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    keys.take("to")
    own.scene.timeline.add(
        at, MARKETING, events.CouponsDistributed, origin, ranges=_either(own, keys),
        distributed_by=_person(keys.take("by")), patron=None, promotion=None,
    )  # fmt: skip


def _voided(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    by = keys.take("by")
    finance = "finance" in own.people.get(str(by), "")
    own.scene.timeline.add(
        at, FINANCE if finance else MARKETING, events.CouponsVoided, origin, voided_by=_person(by),
        holder=events.CouponHolder.FINANCE if finance else events.CouponHolder.MARKETING,
        ranges=_either(own, keys), reason=keys.take("reason"),
    )  # fmt: skip


def _redeemed(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    table, decided = str(keys.need("table")), keys.take("wager_decided")
    cents = keys.take("denomination_cents")
    own.scene.timeline.add(
        at, table, events.CouponRedeemed, origin, serial=keys.need("serial"), wager_id=None,
        denomination_cents=cents, decided=DECIDED.get(str(decided)), paid_cents=None,
        box_table=table, box=None, redeemed_by=_person(keys.take("by")), role=events.Role.DEALER,
    )  # fmt: skip


def _drop_counted(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    table = str(keys.need("table"))
    clock = own.scene.timeline.clock
    day = clock.day_of(at)
    day = date.fromisoformat(keys.take("for_gaming_day", default=day.isoformat()))
    box = f"BOX-{table}-{day}"
    if (table, day) not in own.boxes:
        own.boxes.add((table, day))
        own.scene.timeline.add(clock.start_of(day), table, events.DropBoxHung, SETUP, box=box)
        own.scene.timeline.add(min(at, clock.bounds(day)[1]) - MICROSECONDS, table,
                               events.DropBoxRemoved, origin, box=box)  # fmt: skip
    counters = [one for one, words in own.people.items() if "finance" in words][-2:]
    own.scene.timeline.add(
        at, COUNT, events.CouponsCounted, origin, box=box, box_table=table,
        for_gaming_day=day.isoformat(), part=1, parts=1, unreadable=0,
        ranges=own.runs(sorted(keys.take("serials") or [])), counted_by=_people(counters),
    )  # fmt: skip


def _cancelled(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    how = cancel_method(keys.take("how"))
    own.scene.timeline.add(
        at, FINANCE, events.CouponsCancelled, origin, for_gaming_day=keys.take("for_gaming_day"),
        ranges=_either(own, keys), because=named(BECAUSE, keys.need("because"), "why coupons are cancelled"),
        how=how, cancelled_by=_person(keys.take("by")),
    )  # fmt: skip


def _returned(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    name, kind = own.next("RT"), named(KINDS, keys.take("kind") or "unused", "a return")
    giver, taker = keys.take("returned_by"), keys.take("received_by")
    entered, said = keys.take("in_ledger", default=True), _ranges(keys.take("ranges"))
    hand = keys.take("serials_in_hand")
    dated, voids = keys.take("date"), keys.take("voided")
    by = keys.take("recorded_by", default=_finance_supervisor(own, _person(taker)))
    own.scene.timeline.add(
        at, FINANCE, events.CouponsReturned, origin, return_id=name, kind=kind,
        ranges=said if hand is None else own.runs(hand), returned_by=_person(giver),
        received_by=_person(taker),
    )  # fmt: skip
    if entered:
        own.scene.timeline.add(
            at + 1, FINANCE, events.CouponReturnEntered, origin, entry=f"E-{name}", return_id=name,
            returned_on=dated, ranges=said, voided=_voids(own, voids),
            returned_by=_signature(giver), received_by=_signature(taker), entered_by=_person(by),
        )  # fmt: skip


def _finance_supervisor(own: Case, person: str | None) -> str | None:
    """A person where he is a finance supervisor, else one who is: who enters what is not said."""
    supervisors = [
        credential(name) for name, words in own.people.items()
        if deviation_receiver(words) is events.DeviationReceiver.FINANCE_SUPERVISOR
    ]  # fmt: skip
    return person if person in supervisors else next(iter(supervisors), person)


def _kept(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    stored = keys.take("stored")
    words = str(stored or "")
    own.scene.timeline.add(
        at, MARKETING, events.CouponsKept, origin, for_gaming_day=own.day(at), kept_by=None,
        ranges=_either(own, keys),
        area=program.SAFE if approved_area(words) else None if stored is None else words,
        locked=None if stored is None else is_locked(words),
    )  # fmt: skip


def _form(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    dated = keys.take("date")
    quantities = {
        name: tuple(
            events.CouponQuantity(denomination_cents=int(cents), quantity=count)
            for cents, count in (keys.take(name) or {}).items()
        )
        for name in ("to_distribute", "distributed")
    }
    variations = tuple(
        events.FormVariation(
            denomination_cents=one.get("denomination_cents"),
            first=one.get("serial") or one.get("first"), last=one.get("serial") or one.get("last"),
            quantity=one.get("quantity"), explanation=one.get("explanation"),
        )
        for one in keys.take("variations") or ()
    )  # fmt: skip
    own.scene.timeline.add(
        at, MARKETING, events.ReconciliationFormCompleted, origin, form_id=own.next("FORM"),
        for_gaming_day=keys.take("for_gaming_day", default=dated or own.day(at)), dated=dated,
        carried_in=_ranges(keys.take("carried_in")), received=_ranges(keys.take("received")),
        remaining=_ranges(keys.take("remaining")), voided=_voids(own, keys.take("voided")),
        variations=variations, completed_by=_signature(keys.take("completed_by")), **quantities,
    )  # fmt: skip


def _forwarded(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    own.scene.timeline.add(
        at, FINANCE, events.CouponsForwarded, origin,
        for_gaming_day=keys.take("for_gaming_day", default=own.day(at)),
        items=all_named(ITEMS, keys.take("what"), "what is forwarded"), forwarded_by=None,
        received_by=None,
    )  # fmt: skip


def _inventoried(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    covers = covered(keys.take("covers"))
    own.scene.timeline.add(
        at, FINANCE, events.CouponsInventoried, origin, inventory=own.next("INV"),
        month=dated(keys.need("month")), lines=_ranges(keys.take("lines")),
        covers=covers,
        in_ledger=keys.take("in_ledger"), inventoried_by=_people(keys.take("by")),
    )  # fmt: skip


def _report(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    to, lines = str(keys.take("to") or "").lower(), keys.take("lines") or {}
    if isinstance(lines, list):
        lines = {each["denomination_cents"]: each.get("value_cents") for each in lines}
    own.scene.timeline.add(
        at, FINANCE, events.QuarterlyReportFiled, origin, quarter=dated(keys.need("quarter")),
        filed_on=keys.take("filed_on"), filed_by=None,
        bureau=events.Bureau.CASINO_COMPLIANCE if "casino compliance" in to
        else events.Bureau.GAMING_OPERATIONS if to else None,
        lines=tuple(events.CouponValue(denomination_cents=int(cents), value_cents=value)
                    for cents, value in lines.items()),
    )  # fmt: skip


def _mail_list(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    name, lines = str(keys.need("list")), keys.take("lines") or []
    keys.take("to")
    made = tuple(
        program.mail_line(one.get("serial"), one.get("denomination_cents"), one.get("expires"),
                          one.get("name_commitment"), one.get("address_commitment"))
        for one in lines
    )  # fmt: skip
    hits = tuple(
        one["serial"] for one in lines
        if one.get("serial") and one.get("name_commitment") in own.excluded
    )  # fmt: skip
    program.mail_list(
        own.scene.timeline, at, name, made, hits, origin=origin, screened=keys.take("screened", default=True),
        electronic=keys.take("electronic"), to_finance=bool(keys.take("copy_to_finance")),
    )  # fmt: skip


def _mailed(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    own.scene.timeline.add(
        at, MAIL, events.CouponsMailed, origin, list_id=keys.take("list"), provider="P-1",
        ranges=_either(own, keys),
        machine_readable=keys.take("machine_readable"),
    )  # fmt: skip


def _closed(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    keys.take("gaming_day")


def _recorded(own: Case, at: int, keys: Keys, origin: Origin) -> None:
    """A fact of ours, said as it is: for what the vocabulary has no word."""
    kind = events.EVENTS[str(keys.need("event"))]
    said, stream = keys.take("said", default={}) or {}, str(keys.need("stream"))
    head = {"stream": stream, "seq": 1, "event_time": "2012-08-15T10:00:00.000000Z",
            "source": "T", "recorded_by": None}  # fmt: skip
    names = [one.name for one in fields(kind) if one.name not in head]
    fact = from_plain({"event": kind.__name__, **dict.fromkeys(names), **head, **said})
    values = {name: getattr(fact, name) for name in names}
    own.scene.timeline.add(at, stream, kind, origin, **values)


Handler = Callable[[Case, int, Keys, Origin], None]
HANDLERS: Final[dict[str, Handler]] = {
    "delivered": _delivered,
    "examined": _examined,
    "deviation_reported": _deviation,
    "stock_recorded": _stock_recorded,
    "requisitioned": _requisitioned,
    "issue_recorded": _issue_recorded,
    "handed_over": _handed_over,
    "distributed": _distributed,
    "voided": _voided,
    "redeemed": _redeemed,
    "drop_counted": _drop_counted,
    "cancelled": _cancelled,
    "returned": _returned,
    "kept_by_marketing": _kept,
    "reconciliation_form": _form,
    "forwarded_to_finance": _forwarded,
    "stock_inventoried": _inventoried,
    "quarterly_report": _report,
    "mail_list": _mail_list,
    "mailed": _mailed,
    "gaming_day_closed": _closed,
    "recorded": _recorded,
}
