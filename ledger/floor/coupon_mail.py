"""Coupons that a provider mails: the list, its copy to finance, screening, mailing, what comes back.

Names and addresses go into salted commitments and nowhere else. Law: 58 Pa. Code § 525.21(q).
"""

from __future__ import annotations

from hashlib import sha256

from ledger import events
from ledger.floor.coupon_kinds import COUPON_KINDS
from ledger.floor.coupon_stock import Stock
from ledger.floor.coupon_terms import (
    EXAMINER,
    FINANCE,
    MAIL,
    MAILED,
    MAILED_PATRONS,
    MARKETER,
    PROVIDER,
    SUPERVISOR,
    commitment,
    runs,
)


def mail(stock: Stock) -> list[events.Fact]:
    """A list is supplied, screened, and mailed but for the lines that the screening hit."""
    first = stock.delivered[MAILED.name] + 1
    count = stock.amount(MAILED)
    stock.delivered[MAILED.name] += count
    serials = [MAILED.serial(number) for number in range(first, first + count)]
    name = f"ML-{stock.day}"
    supplied = events.MailListSupplied(
        **stock.stamp(MAIL, MARKETER, 30),
        list_id=name,
        part=1,
        parts=1,
        provider=PROVIDER,
        electronic=True,
        lines=tuple(_line(stock, serial) for serial in serials),
    )
    handed_over = events.MailListGivenToFinance(
        **stock.stamp(MAIL, MARKETER), list_id=name, received_by=EXAMINER
    )
    hits = {
        events.ExclusionList.SELF_EXCLUSION: (serials[4],),
        events.ExclusionList.EXCLUSION: (serials[9],),
    }
    facts: list[events.Fact] = [supplied, handed_over]
    unscreened = stock.plan.due("coupon_mailed_unscreened", stock.index)
    for which, hit in hits.items():
        if unscreened and which is events.ExclusionList.EXCLUSION:
            continue
        facts.append(
            events.ExclusionScreened(
                **stock.stamp(MAIL, PROVIDER),
                list_id=name,
                exclusion_list=which,
                version_hash=sha256(f"{which} as of {stock.first_day}".encode()).digest(),
                screened_by=PROVIDER,
                entries=count,
                hits=len(hit),
                hit_serials=hit,
            )
        )
    stopped = [serial for hit in hits.values() for serial in hit]
    excluded = stock.plan.due("coupon_excluded_mailed", stock.index)
    sent = [s for s in serials if s not in stopped[1 if excluded else 0 :]]
    mailed = events.CouponsMailed(
        **stock.stamp(MAIL, PROVIDER, 60),
        list_id=name,
        ranges=runs(sent),
        provider=PROVIDER,
        machine_readable=True,
    )
    facts.append(mailed)
    if excluded:
        stock.find(COUPON_KINDS["coupon_excluded_mailed"], mailed, stopped[0])
    if unscreened:
        stock.find(COUPON_KINDS["coupon_mailed_unscreened"], mailed)
    unsent = [serial for serial in stopped if serial not in sent]
    facts.append(
        events.CouponsVoided(
            **stock.stamp(MAIL, MARKETER),
            holder=events.CouponHolder.PROVIDER,
            ranges=runs(unsent),
            reason="the patron is on an exclusion list",
            voided_by=MARKETER,
        )
    )
    stock.to_cancel += unsent
    facts += _undeliverable(stock)
    stock.undeliverable = [sent[-1]]
    stock.patrons += [serial for serial in sent[:-1] if serial != (stopped[0] if excluded else "")]
    return facts


def _line(stock: Stock, serial: str) -> events.MailLine:
    name, address = MAILED_PATRONS[int(serial[-2:]) % len(MAILED_PATRONS)]
    return events.MailLine(
        serial=serial,
        denomination_cents=MAILED.cents,
        expires=stock.until(MAILED).isoformat(),
        name_commitment=commitment(stock.seed, serial, "name", name),
        address_commitment=commitment(stock.seed, serial, "address", address),
        opening=f"opening-{serial}",
        barcode=f"{stock.seed % 1_000:03d}{serial[-7:]}",
    )


def _undeliverable(stock: Stock) -> list[events.Fact]:
    """What the post brings back of the day before."""
    if not stock.undeliverable:
        return []
    back = events.CouponsReturned(
        **stock.stamp(FINANCE, SUPERVISOR),
        return_id=f"CR-{stock.day}-U",
        kind=events.CouponReturnKind.UNDELIVERED,
        ranges=runs(stock.undeliverable),
        returned_by=None,
        received_by=SUPERVISOR,
    )
    return [back]
