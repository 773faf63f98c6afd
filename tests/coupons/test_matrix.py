"""Each place of a coupon × each movement fact has its declared answer: § 525.21(c)(3), (h) to (q).

``matrix.txt`` declares it: a movement, places from which it is answered alike, where the coupon is
then, and the findings that name it and come (+) or go (-) by the movement.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ledger.coupons import Place, conclude
from ledger.coupons.custody import USED, WITH_MARKETING
from ledger.coupons.forms import bare, form_of
from ledger.coupons.forms.naming import names
from ledger.events import EVENTS
from tests.conformance.timeline import Timeline
from tests.coupons.matrix import (
    CLOCK,
    MOVEMENTS,
    NEXT,
    PAST,
    PLACES,
    SERIAL,
    Answer,
    answer,
    book,
    findings,
)

DECLARED = Path(__file__).with_name("matrix.txt")
NO_MOVEMENT = {
    "CouponsRequisitioned": "asks for quantities, names no serial number",
    "CouponSeriesDescribed": "says what a series is",
    "QuarterlyReportFiled": "has values, names no serial number",
    "ReconciliationFormCompleted": "marketing's own words, held against the movements of its day",
    "CouponsReviewed": "names faults that finance saw",
    "CouponAccepted": "the wager's coupon is with the patron until it is redeemed",
    "CouponRefused": "the coupon stays with the patron",
    "CouponGivenBack": "held against the wager by § 525.22(e)",
    "CouponDropped": "which box it must be counted from",
    "CouponFormSigned": "a signature",
    "CouponDesignFiled": "what a coupon shows",
    "CouponStorageApproved": "where coupons may lie",
    "CouponDeadlineSet": "the property's own deadline",
    "CouponFunctionGiven": "who acts for whom",
    "RequisitionAuthorized": "a signature",
    "WagerPlaced": "the coupon lies on the layout, with the patron until it is redeemed",
}
"""Facts of coupons that bring none anywhere."""


@cache
def declared() -> dict[tuple[str, Place], Answer]:
    """The answers as they are written down."""
    found: dict[tuple[str, Place], Answer] = {}
    movement, places, lines = "", [], []

    def close() -> None:
        for name in places:
            place = Place[name]
            assert (movement, place) not in found, f"{movement} from {name} is answered twice"
            end = place if lines[0] == "stays" else Place[lines[0]]
            found[movement, place] = Answer(end, tuple(lines[1:]))

    for line in DECLARED.read_text(encoding="utf-8").splitlines():
        depth = len(line) - len(line.lstrip())
        if depth == 4:
            lines.append(line.strip())
            continue
        close()
        movement, places, lines = (line, [], []) if depth == 0 else (movement, line.split(), [])
    close()
    return found


def test_every_place_and_every_movement_is_answered() -> None:
    assert {*PLACES} == {*Place}
    assert {*declared()} == {(movement, place) for movement in MOVEMENTS for place in Place}


def test_every_fact_of_coupons_is_a_movement_or_none() -> None:
    timeline = Timeline(CLOCK)
    for add in MOVEMENTS.values():
        add(timeline, CLOCK.start_of(NEXT))
    moving = {type(fact).__name__ for fact in timeline.finished().facts}
    told = {
        name
        for name, kind in EVENTS.items()
        if any(
            "Coupon" in str(words) or "Mail" in str(words)
            for words in kind.__annotations__.values()
        )
        or hasattr(kind, "serial")
    }
    assert told - moving == NO_MOVEMENT.keys()


@pytest.mark.row_by_row
@pytest.mark.parametrize("movement", MOVEMENTS)
def test_a_movement_from_every_place_has_its_declared_answer(movement: str) -> None:
    for place in Place:
        assert answer(place, movement) == declared()[movement, place], (place, movement)


@pytest.mark.row_by_row
@pytest.mark.parametrize("movement", MOVEMENTS)
def test_a_variation_in_the_figures_has_its_finding(movement: str) -> None:
    """What breaks a balance on finance's form is named by a finding of § 525.21(m)(3).

    Coupons that marketing verifiably still has are told by (k) in its place.
    """
    for place in Place:
        made = book(place, movement, expired=movement in PAST)
        serial = made.custody.forms.read(SERIAL)
        told = {
            finding.citations[0].section
            for day in sorted(made.days)
            for finding in conclude(made, day)
            if names(made, finding, serial)
        }
        kept = made.custody.place(made.custody.way(serial)) in WITH_MARKETING
        tables = [table for table in form_of(made, "finance", NEXT).tables if table.title[0] == "("]
        for table in tables:
            keys = [field.key for field in table.fields]
            for row in table.rows:
                values = dict(zip(keys, map(bare, row), strict=True))
                if values.get("difference", 0) == 0:
                    continue
                assert values.get("breaking", SERIAL) == SERIAL, (place, movement, table.title)
                assert "525.21(m)(3)" in told or (kept and "525.21(k)" in told), (
                    *(place, movement, table.title, told),
                )


@pytest.mark.row_by_row
@pytest.mark.parametrize("place", Place)
def test_a_coupon_redeemed_from_anywhere_must_be_cancelled(place: Place) -> None:
    """§ 525.21(m)(2): what a table took in is cancelled, however it came there."""

    def after(*movements: str) -> set[str]:
        made = book(place, *movements)
        return {*findings(made)}

    by_mail = place in (Place.MAILED, Place.UNDELIVERED)
    used = after("redeemed", "counted")
    assert f"coupon_not_cancelled {'.21(q)(6)' if by_mail else '.21(m)(2)'}" in used
    done = after("redeemed", "counted", "cancelled as redeemed")
    assert not {code for code in done if code.startswith("coupon_not_cancelled")}
    assert not {code for code in done - used if code.startswith("cancelled_not_redeemed")}


@pytest.mark.row_by_row
@pytest.mark.parametrize("claim", ["returned unused", "entry of return", "entered in stock"])
@pytest.mark.parametrize("place", sorted(USED | {Place.CANCELLED}))
def test_what_was_used_is_not_taken_back(place: Place, claim: str) -> None:
    """§ 525.21(l)(2), (l)(3), (m)(3): it is a finding, and the coupon stays where it is."""
    made = book(place, claim)
    assert made.custody.place(made.custody.way(made.custody.forms.read(SERIAL))) is place
    told = {*findings(made)} - {*findings(book(place))}
    due = {
        "returned unused": {"return_mismatch .21(l)(2)"},
        "entry of return": {
            "reconciliation_out_of_balance .21(m)(3)",
            "serial_quantity_mismatch .21(l)(3)",
        },
        "entered in stock": {"serial_overlap .21(c)(3)"},
    }
    assert told == due[claim]
