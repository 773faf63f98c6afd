"""What findings on coupons say to people: dollars, hours, places; never cents, codes or quotes."""

import doctest
import re
from dataclasses import replace

import pytest

from ledger.coupons import conclude, sentences
from ledger.coupons.cancelling import CANCELLED_AS
from ledger.coupons.custody import Place
from ledger.coupons.deliveries import SHOWN
from ledger.coupons.duties import DUTIES
from ledger.coupons.sentences import ELEMENTS, WHERE_IT_WAS
from ledger.coupons.serial import DenominationDiffers, SerialForms, SerialUnreadable
from ledger.events import CancelReason, CouponsDistributed
from tests.coupons.scene import DAY, book_of, facts_of
from tests.coupons.test_serial import series

MACHINE_WORDS = re.compile(
    r"\bcents\b|\bTrue\b|\bFalse\b|\bNone\b|[A-Z]{3,}_[A-Z_]+|[0-9] s late|'(?!s\b)"
)
"""What no sentence for people holds."""
INVERSIONS = re.compile(r" and is (?:no|not) |\bwas: |\bbut: |on one side|[^{]\bwas was\b")
"""Riddles that staff stumbled over."""


def test_the_examples_in_docstrings_hold():
    assert doctest.testmod(sentences).failed == 0


def test_each_place_each_reason_and_each_element_has_words():
    assert set(WHERE_IT_WAS) == set(Place)
    assert set(CANCELLED_AS) == {
        reason.value.lower() for reason in CancelReason if reason is not CancelReason.UNRECOGNISED
    }
    assert set(ELEMENTS) == set(SHOWN)


@pytest.mark.row_by_row
@pytest.mark.parametrize("duty", DUTIES, ids=lambda duty: f"{duty.code}@{duty.cite.pin}")
def test_the_sentence_of_a_duty_is_plain(duty):
    assert not MACHINE_WORDS.search(duty.says)
    assert not INVERSIONS.search(duty.says)


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("case", "sentence"),
    [  # the cases of tests/conformance/examples/own_match_play_stock.json
        ("shows-another-value", "$5.00 coupon MP05-000004 was redeemed as $25.00."),
        ("number-of-no-series", "Serial XX99-1 matches no series received."),
        ("cancelled-twice", "MP05-000001 was cancelled as redeemed although already cancelled as redeemed."),
        ("cancelled-with-a-patron", "MP05-000020 was cancelled as redeemed while with a patron."),
        ("signer-not-on-the-roster", "No valid credential for C-NN9 on this date."),
        ("issued-beyond-the-delivery", "MP05-000050 was issued although never received."),
        ("returned-though-not-held", "MP05-000060 was returned by marketing while still in finance stock."),
        ("counterfeit-found", "Finance found MP05-000002 to be counterfeit."),
        ("inventory-off-by-one", "The inventory shows 168 of $5.00; the record shows 169."),
        ("report-without-a-denomination", "The report for quarter 2012-Q3 omits the $25.00 denomination."),
        ("report-past-the-deadline", "The report for 2012-Q3 was filed 24 h late (Internal controls, section 12, line 4)."),
        ("left-with-marketing", "MP05-000032 to MP05-000050, MP25-000013 to MP25-000020 were not distributed, returned to finance or kept."),
    ],
)  # fmt: skip
def test_what_the_finding_of_a_case_says(case, sentence):
    assert sentence in sentences_of(case)


def test_what_is_still_in_stock_is_named_so_when_it_is_distributed():
    facts = [
        replace(fact, ranges=(replace(fact.ranges[0], first="MP05-000150", last="MP05-000150"),))
        if isinstance(fact, CouponsDistributed)
        else fact
        for fact in facts_of("day-in-order")
    ]
    told = [finding.sentence for finding in book_of(facts).findings[DAY]]
    assert "MP05-000150 was distributed while still in finance stock." in told


def test_a_denomination_that_a_document_misstates_is_told_in_dollars():
    forms = SerialForms([series("25", "M25-", 2_500)])
    with pytest.raises(
        DenominationDiffers,
        match=r"^\$25\.00 coupons M25-0000001 to M25-0000003 were stated as \$10\.00\.",
    ):
        forms.read_range("M25-0000001", "M25-0000003", 1_000)
    with pytest.raises(
        SerialUnreadable, match=re.escape("Serial X\\u202e9 matches no series received")
    ):
        forms.read("X\u202e9")


def sentences_of(case):
    """All sentences on the coupons of a worked example."""
    book = book_of(facts_of(case))
    days = sorted({*book.days, *book.findings})
    return [finding.sentence for day in days for finding in conclude(book, day)]
