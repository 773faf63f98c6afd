"""Every field of every form, one cited row each, and who signs it.

The order is the order in which a form prints them; that of the daily form is the order of
§ 525.21(j). A field that the section does not name itself serves a paragraph of it: the balances
(m)(3), reference numbers and the footer the equivalent audit trail of (r)(2).
Law: 58 Pa. Code § 525.21(e) to (o), (q)(4), (r)(2); readings kept-by-marketing, redeemed-in-equation.
"""

from __future__ import annotations

from typing import Final

from ledger.coupons.forms.model import Field, Kind, Signer
from ledger.events import CouponDepartment, CouponForm, SignedAs
from ledger.kernel import Citation
from ledger.law import MATCH_PLAY as LAW

TEXT, COUNT, MONEY, DAY = Kind.TEXT, Kind.COUNT, Kind.MONEY, Kind.DAY
FINANCE, MARKETING = CouponDepartment.FINANCE, CouponDepartment.MARKETING
RECEIPT = CouponForm.RECEIPT_LEDGER
REQUISITION = CouponForm.REQUISITION
ISSUE = CouponForm.ISSUE_LEDGER
RETURN = CouponForm.RETURN_LEDGER
DAILY = CouponForm.DAILY_RECONCILIATION
RECONCILED = CouponForm.FINANCE_RECONCILIATION
INVENTORY = CouponForm.MONTHLY_INVENTORY
QUARTER = CouponForm.QUARTERLY_REPORT
OPEN = CouponForm.UNACCOUNTED_SERIALS


def at(*pins: str) -> tuple[Citation, ...]:
    """Return paragraphs of § 525.21."""
    return tuple(LAW[f".21{pin}"] for pin in pins)


# fmt: off
FIELDS: Final = (
    #     form         key                       heading                              asked for at                        kind    summed
    Field(RECEIPT,     "entry",                  "Entry",                             at("(r)(2)#1")),
    Field(RECEIPT,     "received_on",            "Date received",                     at("(f)(1)"),                       DAY),
    Field(RECEIPT,     "denomination",           "Denomination",                      at("(f)(2)#2"),                     MONEY),
    Field(RECEIPT,     "quantity",               "Quantity",                          at("(f)(2)#1", "(f)(2)#3"),         COUNT,  True),
    Field(RECEIPT,     "value",                  "Face value",                        at("(f)(2)#1"),                     MONEY,  True),
    Field(RECEIPT,     "first",                  "Beginning serial no.",              at("(f)(3)#1")),
    Field(RECEIPT,     "last",                   "Ending serial no.",                 at("(f)(3)#2")),
    Field(RECEIPT,     "checked_names",          "Checked by: name",                  at("(f)(4)#1")),
    Field(RECEIPT,     "checked_signatures",     "signature",                         at("(f)(4)#2")),
    Field(RECEIPT,     "checked_credentials",    "credential no.",                    at("(f)(4)#3", "(f)(4)#4")),
    Field(RECEIPT,     "entered_by",             "Entered by",                        at("(f)#1")),
    Field(RECEIPT,     "delivery",               "Delivery",                          at("(e)#1")),
    Field(RECEIPT,     "invoice",                "Invoice",                           at("(e)#1")),
    Field(RECEIPT,     "from",                   "From",                              at("(e)#1", "(e)#2")),
    Field(RECEIPT,     "invoiced",               "Invoiced",                          at("(e)#1"),                        COUNT),
    Field(RECEIPT,     "counted",                "Counted",                           at("(e)#1"),                        COUNT),
    Field(RECEIPT,     "examined_by",            "Opened and examined by",            at("(e)#3", "(e)#4")),
    Field(RECEIPT,     "deviation",              "Deviation from the invoice",        at("(e)#6", "(e)#7")),
    Field(RECEIPT,     "told_supervisor",        "Told to a finance supervisor",      at("(e)#6")),
    Field(RECEIPT,     "told_bureau",            "Told to the Bureau of Casino Compliance", at("(e)#7")),

    Field(REQUISITION, "requisition",            "Requisition",                       at("(g)#2")),
    Field(REQUISITION, "prepared_on",            "Date prepared",                     at("(g)(1)"),                       DAY),
    Field(REQUISITION, "needed_for",             "Needed for",                        at("(g)(2)", "(g)#1")),
    Field(REQUISITION, "denomination",           "Denomination",                      at("(g)(3)#1"),                     MONEY),
    Field(REQUISITION, "quantity",               "Quantity requested",                at("(g)(3)#2"),                     COUNT,  True),
    Field(REQUISITION, "value",                  "Face value",                        at("(g)(3)#2"),                     MONEY,  True),
    Field(REQUISITION, "issued",                 "Issued on it so far",               at("(g)(3)#3"),                     COUNT,  True),
    Field(REQUISITION, "prepared_name",          "Completed by: name",                at("(g)(4)#1")),
    Field(REQUISITION, "prepared_signature",     "signature",                         at("(g)(4)#2")),
    Field(REQUISITION, "prepared_credential",    "credential no.",                    at("(g)(4)#3")),
    Field(REQUISITION, "authorized_name",        "Authorized by: name",               at("(g)(5)#1")),
    Field(REQUISITION, "authorized_signature",   "signature",                         at("(g)(5)#2")),
    Field(REQUISITION, "authorized_credential",  "credential no.",                    at("(g)(5)#3")),

    Field(ISSUE,       "entry",                  "Entry",                             at("(r)(2)#1")),
    Field(ISSUE,       "requisition",            "Requisition",                       at("(h)#2")),
    Field(ISSUE,       "entered_at",             "Entered",                           at("(h)#1")),
    Field(ISSUE,       "first",                  "Beginning serial no.",              at("(h)(1)#1")),
    Field(ISSUE,       "last",                   "Ending serial no.",                 at("(h)(1)#2")),
    Field(ISSUE,       "denomination",           "Denomination",                      at("(h)(2)#1"),                     MONEY),
    Field(ISSUE,       "quantity",               "Quantity",                          at("(h)(2)#2", "(h)(2)#3"),         COUNT,  True),
    Field(ISSUE,       "value",                  "Face value",                        at("(h)(2)#2"),                     MONEY,  True),
    Field(ISSUE,       "issued_name",            "Issued by: name",                   at("(h)(3)#1")),
    Field(ISSUE,       "issued_signature",       "signature",                         at("(h)(3)#2")),
    Field(ISSUE,       "issued_credential",      "credential no.",                    at("(h)(3)#3")),
    Field(ISSUE,       "handed_to",              "Handed to",                         at("(h)#4")),
    Field(ISSUE,       "voided",                 "Coupons voided",                    at("(h)(4)#1")),
    Field(ISSUE,       "void_reason",            "Explanation",                       at("(h)(4)#2")),

    Field(RETURN,      "entry",                  "Entry",                             at("(r)(2)#1")),
    Field(RETURN,      "kind",                   "Unused or expired",                 at("(l)#1")),
    Field(RETURN,      "returned_on",            "Date returned",                     at("(l)(1)"),                       DAY),
    Field(RETURN,      "first",                  "Beginning serial no.",              at("(l)(2)#1")),
    Field(RETURN,      "last",                   "Ending serial no.",                 at("(l)(2)#2")),
    Field(RETURN,      "denomination",           "Denomination",                      at("(l)(3)#1"),                     MONEY),
    Field(RETURN,      "quantity",               "Quantity",                          at("(l)(3)#2"),                     COUNT,  True),
    Field(RETURN,      "value",                  "Face value",                        at("(l)(3)#2"),                     MONEY,  True),
    Field(RETURN,      "voided",                 "Coupons voided",                    at("(l)(4)#1")),
    Field(RETURN,      "void_reason",            "Reason",                            at("(l)(4)#2")),
    Field(RETURN,      "returned_name",          "Returned by: name",                 at("(l)(5)#1")),
    Field(RETURN,      "returned_signature",     "signature",                         at("(l)(5)#2")),
    Field(RETURN,      "returned_credential",    "credential no.",                    at("(l)(5)#3")),
    Field(RETURN,      "received_name",          "Received by: name",                 at("(l)(5)#4")),
    Field(RETURN,      "received_signature",     "signature",                         at("(l)(5)#5")),
    Field(RETURN,      "received_credential",    "credential no.",                    at("(l)(5)#6")),
    Field(RETURN,      "entered_by",             "Entered by",                        at("(l)#2")),

    Field(DAILY,       "date",                   "Date",                              at("(j)(1)"),                       DAY),
    Field(DAILY,       "written",                "Form as marketing completed it",    at("(j)#1")),
    Field(DAILY,       "completed_name",         "Completed by: name",                at("(j)(8)#1")),
    Field(DAILY,       "completed_signature",    "signature",                         at("(j)(8)#2")),
    Field(DAILY,       "completed_credential",   "credential no.",                    at("(j)(8)#3")),
    Field(DAILY,       "carried_in",             "Carried in, from - to",             at("(k)#5", "(k)#6", "(k)#7")),
    Field(DAILY,       "received",               "Received, from - to",               at("(j)(2)#1", "(j)(2)#2", "(j)(2)#3")),
    Field(DAILY,       "to_distribute",          "To distribute",                     at("(j)(3)#2"),                     COUNT,  True),
    Field(DAILY,       "distributed",            "Distributed",                       at("(j)(4)#2"),                     COUNT,  True),
    Field(DAILY,       "remaining",              "Remaining, qty",                    at("(j)(5)#2"),                     COUNT,  True),
    Field(DAILY,       "remaining_serials",      "Remaining, from - to",              at("(j)(5)#3")),
    Field(DAILY,       "voided_quantity",        "Voided, qty",                       at("(j)(6)#1"),                     COUNT,  True),
    Field(DAILY,       "voided",                 "Voided serials and reason",         at("(j)(6)#1", "(j)(6)#2")),
    Field(DAILY,       "variation",              "Variation",                         at("(j)(7)#1"),                     COUNT,  True),
    Field(DAILY,       "explanation",            "Explanation",                       at("(j)(7)#2")),
    Field(DAILY,       "denomination",           "Denomination",                      at("(j)(3)#1", "(j)(4)#1", "(j)(5)#1"), MONEY),
    Field(DAILY,       "to_distribute_value",    "To distribute, $",                  at("(j)(3)#2"),                     MONEY,  True),
    Field(DAILY,       "distributed_value",      "Distributed, $",                    at("(j)(4)#2"),                     MONEY,  True),
    Field(DAILY,       "voided_value",           "Voided, $",                         at("(j)(6)#1"),                     MONEY,  True),
    Field(DAILY,       "remaining_value",        "Remaining, $",                      at("(j)(5)#2"),                     MONEY,  True),
    Field(DAILY,       "variation_value",        "Variation, $",                      at("(j)(7)#1"),                     MONEY,  True),

    Field(RECONCILED,  "denomination",           "Denomination",                      at("(m)(3)#1"),                     MONEY),
    Field(RECONCILED,  "stocked",                "Received into stock",               at("(m)(3)#1"),                     COUNT,  True),
    Field(RECONCILED,  "reissue",                "Returned for reissue",              at("(m)(3)#2"),                     COUNT,  True),
    Field(RECONCILED,  "on_hand",                "On hand",                           at("(m)(4)"),                       COUNT,  True),
    Field(RECONCILED,  "issued",                 "Issued",                            at("(m)(3)#1"),                     COUNT,  True),
    Field(RECONCILED,  "mailed_from_stock",      "Mailed",                            at("(m)(3)#4"),                     COUNT,  True),
    Field(RECONCILED,  "stock_voided",           "Voided",                            at("(m)(3)#3"),                     COUNT,  True),
    Field(RECONCILED,  "stock_expired",          "Expired",                           at("(m)(3)#2"),                     COUNT,  True),
    Field(RECONCILED,  "carried_in",             "Carried in",                        at("(k)#7"),                        COUNT,  True),
    Field(RECONCILED,  "given",                  "Given to marketing",                at("(m)(3)#1"),                     COUNT,  True),
    Field(RECONCILED,  "distributed",            "Distributed",                       at("(m)(3)#4"),                     COUNT,  True),
    Field(RECONCILED,  "returned",               "Returned",                          at("(m)(3)#2"),                     COUNT,  True),
    Field(RECONCILED,  "returned_expired",       "Returned, expired",                 at("(m)(3)#2"),                     COUNT,  True),
    Field(RECONCILED,  "voided",                 "Voided",                            at("(m)(3)#3"),                     COUNT,  True),
    Field(RECONCILED,  "kept",                   "Kept for the next day",             at("(k)#3", "(m)(3)#2"),            COUNT,  True),
    Field(RECONCILED,  "mailed",                 "Mailed",                            at("(m)(3)#4", "(q)(4)#1"),         COUNT,  True),
    Field(RECONCILED,  "redeemed",               "Redeemed",                          at("(m)(3)#5"),                     COUNT,  True),
    Field(RECONCILED,  "expired_unredeemed",     "Expired unredeemed",                at("(m)(3)#5"),                     COUNT,  True),
    Field(RECONCILED,  "patron_voided",          "Voided or come back",               at("(m)(3)#3"),                     COUNT,  True),
    Field(RECONCILED,  "outstanding",            "Outstanding",                       at("(m)(3)#5"),                     COUNT,  True),
    Field(RECONCILED,  "difference",             "Difference",                        at("(m)(3)#1", "(m)(3)#2", "(m)(3)#3", "(m)(3)#4", "(m)(3)#5"), COUNT),
    Field(RECONCILED,  "breaking",               "Serials that break it",             at("(m)(3)#6", "(m)(3)#7", "(m)(3)#11")),
    Field(RECONCILED,  "came_back_expired",      "Came back expired",                 at("(m)(3)#2"),                     COUNT,  True),
    Field(RECONCILED,  "came_back_undelivered",  "Came back undeliverable",           at("(m)(3)#2"),                     COUNT,  True),
    Field(RECONCILED,  "back_cancelled",         "Cancelled",                         at("(m)(2)#2"),                     COUNT,  True),
    Field(RECONCILED,  "back_voided",            "Voided",                            at("(m)(3)#3"),                     COUNT,  True),
    Field(RECONCILED,  "back_on_hand",           "Still on hand",                     at("(m)(4)"),                       COUNT,  True),
    Field(RECONCILED,  "on_hand_value",          "On hand in stock",                  at("(m)(4)"),                       MONEY,  True),
    Field(RECONCILED,  "back_value",             "Come back, on hand",                at("(m)(4)"),                       MONEY,  True),
    Field(RECONCILED,  "given_value",            "Given to marketing",                at("(m)(3)#1"),                     MONEY,  True),
    Field(RECONCILED,  "distributed_value",      "Distributed",                       at("(m)(3)#4"),                     MONEY,  True),
    Field(RECONCILED,  "returned_value",         "Returned",                          at("(m)(3)#2"),                     MONEY,  True),
    Field(RECONCILED,  "returned_expired_value", "Returned, expired",                 at("(m)(3)#2"),                     MONEY,  True),
    Field(RECONCILED,  "voided_value",           "Voided",                            at("(m)(3)#3"),                     MONEY,  True),
    Field(RECONCILED,  "redeemed_value",         "Redeemed this day",                 at("(m)(3)#5"),                     MONEY,  True),
    Field(RECONCILED,  "outstanding_value",      "Outstanding with patrons",          at("(m)(3)#5"),                     MONEY,  True),
    Field(RECONCILED,  "box",                    "Table and drop box",                at("(m)(1)#1")),
    Field(RECONCILED,  "box_redeemed",           "Redeemed into it",                  at("(m)(3)#5"),                     COUNT,  True),
    Field(RECONCILED,  "box_counted",            "Counted from it",                   at("(m)(1)#1"),                     COUNT,  True),
    Field(RECONCILED,  "box_cancelled",          "Cancelled",                         at("(m)(2)#2"),                     COUNT,  True),
    Field(RECONCILED,  "missing",                "Redeemed, not found in it",         at("(m)(3)#5")),
    Field(RECONCILED,  "unexpected",             "Found in it, not redeemed into it", at("(m)(3)#7")),
    Field(RECONCILED,  "status",                 "Status",                            at("(m)(1)#1")),
    Field(RECONCILED,  "item",                   "Forwarded to finance",              at("(m)#1", "(m)#2", "(m)#3", "(m)#4")),
    Field(RECONCILED,  "forwarded",              "Forwarded",                         at("(m)#1", "(k)#1")),
    Field(RECONCILED,  "received_by",            "Received by",                       at("(d)#4")),
    Field(RECONCILED,  "calculation_checked",    "Calculation and recording examined", at("(m)(1)#2")),
    Field(RECONCILED,  "signatures_checked",     "Propriety of signatures reviewed",  at("(m)(2)#1")),
    Field(RECONCILED,  "reviewed_by",            "Reviewed by",                       at("(d)#4")),
    Field(RECONCILED,  "faults",                 "Coupons found wrong",               at("(m)(1)#2")),
    Field(RECONCILED,  "finding",                "Finding",                           at("(m)(3)#1")),
    Field(RECONCILED,  "says",                   "What the record shows",             at("(m)(3)#1")),
    Field(RECONCILED,  "section",                "Section",                           at("(m)(3)#1")),

    Field(INVENTORY,   "inventory",              "Inventory",                         at("(n)#1")),
    Field(INVENTORY,   "month",                  "Month",                             at("(n)#1")),
    Field(INVENTORY,   "taken",                  "Taken",                             at("(n)#1")),
    Field(INVENTORY,   "covers",                 "Covers the coupons of",             at("(n)#2")),
    Field(INVENTORY,   "in_ledger",              "Recorded in the ledger",            at("(n)#3")),
    Field(INVENTORY,   "inventoried_by",         "Taken by",                          at("(n)#1")),
    Field(INVENTORY,   "denomination",           "Denomination",                      at("(n)#4"),                        MONEY),
    Field(INVENTORY,   "books_finance",          "Books: finance",                    at("(n)#2"),                        COUNT,  True),
    Field(INVENTORY,   "books_marketing",        "Books: marketing",                  at("(n)#2"),                        COUNT,  True),
    Field(INVENTORY,   "books",                  "Books",                             at("(n)#4"),                        COUNT,  True),
    Field(INVENTORY,   "came_back",              "Expired or undeliverable, come back", at("(n)#2"),                      COUNT,  True),
    Field(INVENTORY,   "counted",                "Counted",                           at("(n)#4"),                        COUNT,  True),
    Field(INVENTORY,   "difference",             "Difference",                        at("(n)#4"),                        COUNT),
    Field(INVENTORY,   "value",                  "Face value of the books",           at("(n)#4"),                        MONEY,  True),
    Field(INVENTORY,   "first",                  "Counted from",                      at("(n)#2")),
    Field(INVENTORY,   "last",                   "to",                                at("(n)#2")),

    Field(QUARTER,     "quarter",                "Quarter",                           at("(o)#1")),
    Field(QUARTER,     "filed_on",               "Filed on",                          at("(o)#1")),
    Field(QUARTER,     "bureau",                 "Filed with",                        at("(o)#2")),
    Field(QUARTER,     "filed_by",               "Filed by",                          at("(o)#1")),
    Field(QUARTER,     "denomination",           "Denomination",                      at("(o)#3"),                        MONEY),
    Field(QUARTER,     "quantity",               "Coupons redeemed",                  at("(o)#4"),                        COUNT,  True),
    Field(QUARTER,     "value",                  "Total value redeemed",              at("(o)#4"),                        MONEY,  True),
    Field(QUARTER,     "irregular",              "Of these, not in order",            at("(o)#4"),                        COUNT,  True),
    Field(QUARTER,     "irregular_value",        "Their value",                       at("(o)#4"),                        MONEY,  True),
    Field(QUARTER,     "reported",               "Value in the report filed",         at("(o)#4"),                        MONEY,  True),
    Field(QUARTER,     "difference",             "Difference",                        at("(o)#4"),                        MONEY),
    Field(QUARTER,     "serial",                 "Serial no.",                        at("(o)#4")),
    Field(QUARTER,     "redeemed_at",            "Redeemed",                          at("(o)#4")),
    Field(QUARTER,     "table",                  "Table",                             at("(o)#4")),
    Field(QUARTER,     "why",                    "Not in order",                      at("(o)#4")),
    Field(QUARTER,     "face",                   "Face value",                        at("(o)#4"),                        MONEY),
    Field(QUARTER,     "paid",                   "Paid on it",                        at("(o)#4"),                        MONEY,  True),
    Field(QUARTER,     "in_total",               "In the total",                      at("(o)#4")),

    Field(OPEN,        "denomination",           "Denomination",                      at("(m)(3)#5"),                     MONEY),
    Field(OPEN,        "first",                  "From",                              at("(m)(4)")),
    Field(OPEN,        "last",                   "To",                                at("(m)(4)")),
    Field(OPEN,        "quantity",               "Qty",                               at("(m)(3)#5"),                     COUNT,  True),
    Field(OPEN,        "value",                  "Face value",                        at("(m)(3)#5"),                     MONEY,  True),
    Field(OPEN,        "place",                  "Last known place",                  at("(m)(4)")),
    Field(OPEN,        "holder",                 "Last holder",                       at("(m)(4)")),
    Field(OPEN,        "since",                  "Since",                             at("(m)(4)")),
    Field(OPEN,        "age",                    "Age, days",                         at("(m)(4)")),
    Field(OPEN,        "expiry",                 "Expires",                           at("(k)#8")),
    Field(OPEN,        "status",                 "Status",                            at("(m)(3)#5")),
    Field(OPEN,        "age_0",                  "0-2 days",                          at("(m)(4)"),                       COUNT,  True),
    Field(OPEN,        "age_3",                  "3-7 days",                          at("(m)(4)"),                       COUNT,  True),
    Field(OPEN,        "age_8",                  "8-30 days",                         at("(m)(4)"),                       COUNT,  True),
    Field(OPEN,        "age_31",                 "> 30 days",                         at("(m)(4)"),                       COUNT,  True),
)

SIGNERS: Final = (
    #      form         signed as              who                                                    department  supervisor  name, signature, credential number
    Signer(RECEIPT,     SignedAs.CHECKED,      "Finance department, who checked the coupons",         FINANCE,    False,      at("(f)(4)#1", "(f)(4)#2", "(f)(4)#3")),
    Signer(RECEIPT,     SignedAs.CHECKED,      "Marketing department, who checked the coupons",       MARKETING,  False,      at("(f)(4)#1", "(f)(4)#2", "(f)(4)#3")),
    Signer(REQUISITION, SignedAs.PREPARED,     "Marketing department supervisor completing it",       MARKETING,  True,       at("(g)(4)#1", "(g)(4)#2", "(g)(4)#3")),
    Signer(REQUISITION, SignedAs.AUTHORIZED,   "Finance department supervisor authorizing it",        FINANCE,    True,       at("(g)(5)#1", "(g)(5)#2", "(g)(5)#3")),
    Signer(ISSUE,       SignedAs.ISSUED,       "Finance department supervisor who issued the coupons", FINANCE,   True,       at("(h)(3)#1", "(h)(3)#2", "(h)(3)#3")),
    Signer(RETURN,      SignedAs.RETURNED,     "Marketing department supervisor returning the coupons", MARKETING, True,      at("(l)(5)#1", "(l)(5)#2", "(l)(5)#3")),
    Signer(RETURN,      SignedAs.RECEIVED,     "Finance department supervisor receiving the coupons", FINANCE,    True,       at("(l)(5)#4", "(l)(5)#5", "(l)(5)#6")),
    Signer(DAILY,       SignedAs.COMPLETED,    "Marketing department supervisor completing the form", MARKETING,  True,       at("(j)(8)#1", "(j)(8)#2", "(j)(8)#3")),
    Signer(RECONCILED,  SignedAs.REVIEWED,     "Finance department, reconciled and reviewed by",      FINANCE,    False,      at("(m)(2)#1")),
    Signer(INVENTORY,   SignedAs.INVENTORIED,  "Finance department, inventory taken by",              FINANCE,    False,      at("(n)#1")),
    Signer(QUARTER,     SignedAs.FILED,        "Certificate holder, report filed by",                 FINANCE,    False,      at("(o)#1")),
    Signer(OPEN,       SignedAs.REVIEWED,      "Finance department, reviewed by",                     FINANCE,    False,      at("(m)(4)")),
)

FOOTER: Final = (
    #     form   key           printed as       serves
    Field(DAILY, "form_id",    "form",          at("(r)(2)#1")),
    Field(DAILY, "issue",      "issue",         at("(r)(2)#1")),
    Field(DAILY, "supersedes", "supersedes issue", at("(r)(2)#1")),
    Field(DAILY, "gaming_day", "gaming day",    at("(j)(1)")),
    Field(DAILY, "printed_at", "printed",       at("(r)(2)#1")),
    Field(DAILY, "tree_size",  "tree size",     at("(r)(2)#1")),
    Field(DAILY, "root",       "root",          at("(r)(2)#1")),
    Field(DAILY, "page",       "page",          at("(r)(2)#1")),
)
# fmt: on

TITLES: Final = {
    RECEIPT: "Match Play Coupon Ledger: receipts",
    REQUISITION: "Match Play Coupon Requisition",
    ISSUE: "Match Play Coupon Ledger: issues",
    RETURN: "Match Play Coupon Ledger: returns",
    DAILY: "Match Play Coupon Reconciliation Form",
    RECONCILED: "Finance's reconciliation of Match Play Coupons",
    INVENTORY: "Monthly inventory of Match Play Coupons",
    QUARTER: "Quarterly report of Match Play Coupons redeemed",
    OPEN: "Match Play Coupons not accounted for",
}
SERVES: Final = {
    RECEIPT: at("(f)", "(e)"),
    REQUISITION: at("(g)"),
    ISSUE: at("(h)"),
    RETURN: at("(l)"),
    DAILY: at("(j)", "(k)"),
    RECONCILED: at("(m)"),
    INVENTORY: at("(n)"),
    QUARTER: at("(o)"),
    OPEN: at("(m)(3)", "(m)(4)"),
}
"""The paragraphs that each form serves."""
_BY_KEY: Final = {(one.form, one.key): one for one in FIELDS}


def fields_of(form: CouponForm, *keys: str) -> tuple[Field, ...]:
    """Return the fields of a form with these keys, in this order."""
    return tuple(_BY_KEY[form, key] for key in keys)


def signers_of(form: CouponForm) -> tuple[Signer, ...]:
    """Return who signs a form."""
    return tuple(one for one in SIGNERS if one.form is form)
