"""Coupons that a provider mails: the list, finance's copy, screening, the mailing itself.

Names and addresses are salted commitments; an exclusion list is never recorded here: a screening
states which version was used and which lines it hit.
Law: 58 Pa. Code § 525.21(q).
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.coupons.custody import Place
from ledger.coupons.custody_register import CustodyRegister, Handler, fold
from ledger.coupons.deliveries import SHOWN
from ledger.coupons.movements import approved
from ledger.coupons.records import Flow, MailList
from ledger.coupons.sentences import ELEMENTS
from ledger.coupons.serial import Serial, SerialRange
from ledger.kernel import UsageError

LISTS: Final = {
    events.ExclusionList.SELF_EXCLUSION: ("the self-exclusion list", "(q)(7)#1"),
    events.ExclusionList.EXCLUSION: ("the exclusion list", "(q)(7)#2"),
}


def supplied(book: CustodyRegister, fact: events.MailListSupplied) -> None:
    """Follow a list of coupons to be mailed: each line needs all its parts."""
    known = book.documents.lists.setdefault(fact.list_id, MailList())
    known.parts.append(fact)
    if fact.electronic is not True and fact.part == 1:
        sure = fact.electronic is False
        book.say("mail_list_missing", "(q)(2)#2", observed=fact.list_id, sure=sure)
    lacking: dict[str, int] = {}
    listed: list[SerialRange] = []
    for line in fact.lines:
        for pin, there in (
            ("(q)(2)(i)", line.name_commitment),
            ("(q)(2)(ii)", line.address_commitment),
            ("(q)(2)(iii)", line.denomination_cents),
            ("(q)(2)(iv)", line.expires),
            ("(q)(2)(v)", line.serial),
        ):
            if not there:
                lacking[pin] = lacking.get(pin, 0) + 1
        if line.serial:
            try:
                serial = book.custody.forms.read(line.serial)
            except UsageError as refusal:
                book.say("coupon_serial_not_of_a_series", "(c)(3)#1", observed=refusal.problem)
                continue
            known.lines[serial] = line
            listed.append(SerialRange.between(serial, serial))
    for pin in sorted(lacking):
        book.say("mail_list_incomplete", pin, observed=fact.list_id)
    _, odd = book.go(listed, Place.LISTED, frozenset({Place.NOWHERE}), fact.provider, fact.list_id)
    strange = [run for run in odd if run.series is not None]
    if strange:
        book.odd("serial_overlap", "(c)(3)#3", strange)


def given_to_finance(book: CustodyRegister, fact: events.MailListGivenToFinance) -> None:
    """Note that finance has the list."""
    book.documents.lists.setdefault(fact.list_id, MailList()).given_to_finance.append(fact)


def screened(book: CustodyRegister, fact: events.ExclusionScreened) -> None:
    """Follow the screening of a list against an exclusion list."""
    known = book.documents.lists.setdefault(fact.list_id, MailList())
    known.screened.append(fact)
    gone = [one for _, name, _, ranges in book.documents.mailings if name == fact.list_id
            for one in ranges]  # fmt: skip
    if gone:  # screened too late: who is on it was sent a coupon all the same
        _excluded(book, None, MailList(screened=[fact]), gone)


def mailed(book: CustodyRegister, fact: events.CouponsMailed) -> None:
    """Follow coupons that went out by mail."""
    ranges = book.ranges(fact.ranges)
    known = book.documents.lists.get(fact.list_id or "")
    moved, odd = book.go(ranges, Place.MAILED, frozenset({Place.LISTED}), fact.provider,
                         fact.list_id)  # fmt: skip
    book.day(book.today).add(Flow.MAILED, moved)
    book.documents.mailings.append((book.today, fact.list_id, book.ref, ranges))
    sure = book.sure(-1, book.at)
    named = fold(ranges)
    if book.program.governed([events.ControlsPart.MAILING], book.at):
        book.say("mailing_not_authorized", "(q)#1", observed=named, sure=sure)
    approved(book, [*moved, *odd], ("(q)(1)#1", "(q)(1)#1"))
    _shows(book, [*{r.series.series: r.series for r in moved if r.series}.values()])
    if fact.machine_readable is not True:
        certain = fact.machine_readable is False
        book.say("coupon_design_incomplete", "(q)(3)", observed=named, sure=certain)
    book.odd("reconciliation_out_of_balance", "(m)(3)#4", odd)
    if known is None or not known.parts:
        book.say("mail_list_missing", "(q)(2)#1", observed=named, sure=sure)
        return
    book.odd("mailed_not_on_list", "(q)(2)#3", odd)
    _excluded(book, fact, known, ranges)


def _shows(book: CustodyRegister, series: list[object]) -> None:
    for described in series:
        shown = book.program.elements(described)  # type: ignore[arg-type]
        lacking = [ELEMENTS[e] for e in SHOWN if shown is None or e not in shown]
        if lacking:
            book.say(
                "coupon_design_incomplete", "(q)(1)#2", sure=shown is not None,
                observed=described.series, expected=", ".join(lacking),  # type: ignore[attr-defined]
            )  # fmt: skip


def _excluded(
    book: CustodyRegister,
    fact: events.CouponsMailed | None,
    known: MailList,
    ranges: list[SerialRange],
) -> None:
    """Report lists not screened first against both, and coupons sent to people on them."""
    for which, (name, pin) in LISTS.items():
        own = [one for one in known.screened if one.exclusion_list is which]
        if fact is not None and not own:
            book.say(
                "mailing_not_screened", "(q)(7)#3", observed=fact.list_id, expected=name,
                sure=book.sure(-1, book.at),
            )  # fmt: skip
        hits: set[Serial] = set()
        for screening in own:
            for text in screening.hit_serials:
                try:
                    hits.add(book.custody.forms.read(text))
                except UsageError as refusal:
                    book.say("coupon_serial_not_of_a_series", "(c)(3)#1", observed=refusal.problem)
        sent = sorted(s for s in hits if any(found.holds(s) for found in ranges))
        if sent:
            named = fold(SerialRange.between(one, one) for one in sent)
            book.say("mailed_to_excluded", pin, observed=named)


HANDLERS: Final[dict[type, Handler]] = {
    events.MailListSupplied: supplied,
    events.MailListGivenToFinance: given_to_finance,
    events.ExclusionScreened: screened,
    events.CouponsMailed: mailed,
}
