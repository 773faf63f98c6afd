"""Every finding that names one coupon, of its custody and of its rounds: § 525.21(m)(3), § 525.22."""

from __future__ import annotations

from dataclasses import replace

from ledger.audit import findings_of_coupon, read_coupons, read_office
from ledger.events import CouponRedeemed, CouponsInventoried
from ledger.floor import FIRST_DAY, Plant, simulate
from ledger.replay import Replay
from tests.coupons.forms_scene import NEXT, m25, memory, scene
from tests.engine import log_of


def test_a_coupon_kept_by_the_dealer_is_named_by_its_round() -> None:
    drawn = simulate(
        2, FIRST_DAY, 1, [Plant.parse("coupon_kept_by_dealer")], scale=0.05, coupons=True
    )
    facts = list(drawn.facts)
    (row,) = drawn.truth
    keys = {(row["stream"], seq) for seq in row["seq"]}
    near = [
        fact
        for fact in facts
        if isinstance(fact, CouponRedeemed) and (fact.stream, fact.seq) in keys
    ]
    replay = Replay(log_of(facts))
    house = read_office(replay)
    book = read_coupons(replay, house)
    assert book is not None
    (serial,) = {book.custody.forms.read(fact.serial) for fact in near}
    found = findings_of_coupon(replay, house, book, serial)
    assert "coupon_not_dropped" in {finding.code for finding in found}
    other = next(
        book.custody.forms.read(fact.serial)
        for fact in facts
        if isinstance(fact, CouponRedeemed) and fact not in near
    )
    assert findings_of_coupon(replay, house, book, other) == []


def test_a_finding_of_a_later_day_that_names_the_coupon_is_shown() -> None:
    """An inventory of the 15th counts a coupon that was cancelled before."""
    facts = [
        replace(one, lines=(*one.lines, m25(41_801)))
        if isinstance(one, CouponsInventoried)
        else one
        for one in scene().facts
    ]
    replay = Replay(memory(facts))
    house = read_office(replay)
    book = read_coupons(replay, house)
    assert book is not None
    found = findings_of_coupon(replay, house, book, book.custody.forms.read("m25 41801"))
    assert [(finding.code, finding.gaming_day) for finding in found] == [
        ("reconciliation_out_of_balance", NEXT),
    ]
