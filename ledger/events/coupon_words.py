"""The closed words of coupons, and the parts that their facts share.

One frozen dataclass per nested record of the schemas; each word has ``UNRECOGNISED`` for newer
producers.
"""

from __future__ import annotations

from enum import StrEnum

from ledger.events.fact_declaration import declared


class CouponPays(StrEnum):
    """What a coupon pays when its wager wins."""

    WAGER_ODDS = "WAGER_ODDS"  # its value at the payout odds of the wager
    EVEN_MONEY = "EVEN_MONEY"  # its value once, whatever the odds of the wager
    UNRECOGNISED = "UNRECOGNISED"


class CouponOrigin(StrEnum):
    """Where coupons come from."""

    GAMING_SERVICE_PROVIDER = "GAMING_SERVICE_PROVIDER"  # a gaming service provider
    OWN_PRINTING = "OWN_PRINTING"  # the certificate holder's own printing
    COMPUTER_SYSTEM = "COMPUTER_SYSTEM"  # made by a computerized system
    UNRECOGNISED = "UNRECOGNISED"


class CouponElement(StrEnum):
    """What a coupon must show."""

    HOLDER_NAME_OR_LOGO = "HOLDER_NAME_OR_LOGO"  # name or logo of the certificate holder
    VALUE = "VALUE"  # its value
    VALUE_SEEN_BY_SURVEILLANCE = (
        "VALUE_SEEN_BY_SURVEILLANCE"  # its value, readable through the surveillance system
    )
    SERIAL_NUMBER = "SERIAL_NUMBER"  # a serial number
    RESTRICTIONS = "RESTRICTIONS"  # restrictions on redemption, with the game or wager
    EXPIRY_DATE = "EXPIRY_DATE"  # the date on which it expires
    CHIP_AREA = "CHIP_AREA"  # an area for the chips that leaves the value visible
    MACHINE_READABLE = "MACHINE_READABLE"  # a magnetic strip or bar code
    UNRECOGNISED = "UNRECOGNISED"


class CouponHolder(StrEnum):
    """Who has coupons in hand."""

    FINANCE = "FINANCE"  # the finance department
    MARKETING = "MARKETING"  # the marketing department
    PATRON = "PATRON"  # a patron
    PROVIDER = "PROVIDER"  # a gaming service provider
    UNRECOGNISED = "UNRECOGNISED"


class CouponPlace(StrEnum):
    """How a coupon lies with the chips of a wager."""

    UNDER_CHIPS = "UNDER_CHIPS"  # underneath the chips
    ON_CHIPS = "ON_CHIPS"  # on top of the chips
    BESIDE_CHIPS = "BESIDE_CHIPS"  # beside the chips
    OTHER = "OTHER"  # elsewhere
    UNRECOGNISED = "UNRECOGNISED"


class CouponArea(StrEnum):
    """Where on the layout a coupon and its chips lie."""

    BETTING_AREA = "BETTING_AREA"  # in the patron's betting area
    PASS_LINE = "PASS_LINE"  # on the Pass Line
    DONT_PASS_LINE = "DONT_PASS_LINE"  # on the Don't Pass Line
    OUTSIDE_BOX = "OUTSIDE_BOX"  # in a Roulette box of § 525.22(c)(3)
    OTHER = "OTHER"  # elsewhere
    UNRECOGNISED = "UNRECOGNISED"


class CouponFault(StrEnum):
    """Why a coupon may not be used, or what is wrong with one."""

    CHIPS_BELOW_VALUE = "CHIPS_BELOW_VALUE"  # the chips are less than its value
    NOT_CHIPS = "NOT_CHIPS"  # what accompanies it is not gaming chips
    EXPIRED = "EXPIRED"  # it has expired
    VOIDED = "VOIDED"  # it was voided
    ALREADY_USED = "ALREADY_USED"  # it was redeemed or cancelled before
    OUTSIDE_TERMS = "OUTSIDE_TERMS"  # its terms do not allow the game or wager
    ONE_TOO_MANY = "ONE_TOO_MANY"  # more coupons than allowed
    NOT_HOUSE_BANKED = "NOT_HOUSE_BANKED"  # patrons do not wager against the house
    WRONG_DENOMINATION = (
        "WRONG_DENOMINATION"  # it shows another value than its serial number stands for
    )
    COUNTERFEIT = "COUNTERFEIT"  # it is not genuine
    ALTERED = "ALTERED"  # it was altered
    UNREADABLE = "UNREADABLE"  # its serial number cannot be read
    OTHER = "OTHER"  # something else
    UNRECOGNISED = "UNRECOGNISED"


class DeviationReceiver(StrEnum):
    """Who is told of a deviation."""

    FINANCE_SUPERVISOR = "FINANCE_SUPERVISOR"  # a supervisor from the finance department
    BUREAU_OF_CASINO_COMPLIANCE = "BUREAU_OF_CASINO_COMPLIANCE"  # the Bureau of Casino Compliance
    UNRECOGNISED = "UNRECOGNISED"


class CouponReturnKind(StrEnum):
    """Why coupons go back to finance."""

    UNUSED = "UNUSED"  # not distributed to patrons
    EXPIRED = "EXPIRED"  # expired
    UNDELIVERED = "UNDELIVERED"  # mailed and not deliverable
    UNRECOGNISED = "UNRECOGNISED"


class ForwardedItem(StrEnum):
    """What is forwarded to finance each day."""

    DOCUMENTATION = "DOCUMENTATION"  # all documentation, the form's copy with it
    VOIDED = "VOIDED"  # voided coupons
    REDEEMED = "REDEEMED"  # redeemed coupons
    UNDISTRIBUTED = "UNDISTRIBUTED"  # coupons that were not distributed to patrons
    UNRECOGNISED = "UNRECOGNISED"


class CancelReason(StrEnum):
    """Why coupons are cancelled."""

    REDEEMED = "REDEEMED"  # they were redeemed
    VOIDED = "VOIDED"  # they were voided
    EXPIRED = "EXPIRED"  # they have expired
    UNRECOGNISED = "UNRECOGNISED"


class CancelMethod(StrEnum):
    """How coupons are cancelled."""

    PHYSICAL = "PHYSICAL"  # on the coupon
    ELECTRONIC = "ELECTRONIC"  # in the computer system
    UNRECOGNISED = "UNRECOGNISED"


class CouponForm(StrEnum):
    """A form of the coupon program."""

    RECEIPT_LEDGER = "RECEIPT_LEDGER"  # entries of receipt
    REQUISITION = "REQUISITION"  # the requisition document
    ISSUE_LEDGER = "ISSUE_LEDGER"  # entries of issue
    RETURN_LEDGER = "RETURN_LEDGER"  # entries of return
    DAILY_RECONCILIATION = "DAILY_RECONCILIATION"  # the daily Match Play Coupon Reconciliation Form
    FINANCE_RECONCILIATION = "FINANCE_RECONCILIATION"  # finance's reconciliation
    MONTHLY_INVENTORY = "MONTHLY_INVENTORY"  # the monthly inventory
    QUARTERLY_REPORT = "QUARTERLY_REPORT"  # the quarterly report
    UNACCOUNTED_SERIALS = "UNACCOUNTED_SERIALS"  # serial numbers not accounted for
    UNRECOGNISED = "UNRECOGNISED"


class SignedAs(StrEnum):
    """In what function a form is signed."""

    PREPARED = "PREPARED"  # who prepared it
    AUTHORIZED = "AUTHORIZED"  # who authorized it
    CHECKED = "CHECKED"  # who checked the coupons
    ISSUED = "ISSUED"  # who issued the coupons
    RETURNED = "RETURNED"  # who returned the coupons
    RECEIVED = "RECEIVED"  # who received the coupons
    COMPLETED = "COMPLETED"  # who completed it
    REVIEWED = "REVIEWED"  # who reviewed it
    INVENTORIED = "INVENTORIED"  # who took the inventory
    FILED = "FILED"  # who filed it
    UNRECOGNISED = "UNRECOGNISED"


class CouponDepartment(StrEnum):
    """A department for which a person acts in the coupon program."""

    FINANCE = "FINANCE"  # the finance department
    MARKETING = "MARKETING"  # the marketing department
    OTHER = "OTHER"  # another department
    UNRECOGNISED = "UNRECOGNISED"


class CouponRank(StrEnum):
    """A person's rank in a department."""

    MEMBER = "MEMBER"  # member
    SUPERVISOR = "SUPERVISOR"  # supervisor
    ABOVE_SUPERVISOR = "ABOVE_SUPERVISOR"  # above a supervisor
    UNRECOGNISED = "UNRECOGNISED"


class ControlsPart(StrEnum):
    """What internal controls of the coupon program govern."""

    INVENTORY = "INVENTORY"  # the inventory of coupons
    DISTRIBUTION = "DISTRIBUTION"  # their distribution
    REDEMPTION = "REDEMPTION"  # their redemption
    STORAGE = "STORAGE"  # where coupons not issued are stored
    INVENTORY_PROCEDURE = "INVENTORY_PROCEDURE"  # how the monthly inventory is taken
    OWN_PRODUCTION = "OWN_PRODUCTION"  # producing coupons in house
    OWN_PRODUCTION_RECONCILIATION = (
        "OWN_PRODUCTION_RECONCILIATION"  # reconciling coupons produced in house
    )
    MAILING = "MAILING"  # mailing by a gaming service provider
    COMPUTER_SYSTEM = "COMPUTER_SYSTEM"  # making, recording and reconciling coupons by computer
    UNRECOGNISED = "UNRECOGNISED"


class CouponDuty(StrEnum):
    """A duty of the coupon program that a deadline may be set for."""

    DEVIATION_TO_SUPERVISOR = (
        "DEVIATION_TO_SUPERVISOR"  # telling the finance supervisor of a deviation
    )
    DEVIATION_TO_BUREAU = (
        "DEVIATION_TO_BUREAU"  # telling the Bureau of Casino Compliance of a deviation
    )
    BOX_COUNT = "BOX_COUNT"  # counting a drop box
    CANCELLATION = "CANCELLATION"  # cancelling redeemed and voided coupons
    FORM_TO_FINANCE = "FORM_TO_FINANCE"  # handing the daily form and coupons to finance
    RECONCILIATION = "RECONCILIATION"  # finance's reconciliation
    INVENTORY = "INVENTORY"  # the monthly inventory
    QUARTERLY_REPORT = "QUARTERLY_REPORT"  # filing the quarterly report
    UNRECOGNISED = "UNRECOGNISED"


class ExclusionList(StrEnum):
    """A list of people to whom no coupon is mailed."""

    SELF_EXCLUSION = "SELF_EXCLUSION"  # the self-exclusion list
    EXCLUSION = "EXCLUSION"  # the list of persons required to be excluded
    UNRECOGNISED = "UNRECOGNISED"


@declared
class CouponRange:
    """Coupons of one denomination with serial numbers from first to last, as stated."""

    denomination_cents: int | None
    first: str | None
    last: str | None
    quantity: int | None


@declared
class CouponQuantity:
    """A number of coupons of one denomination, as stated."""

    denomination_cents: int | None
    quantity: int | None


@declared
class CouponValue:
    """The total value of coupons of one denomination, as stated."""

    denomination_cents: int | None
    value_cents: int | None


@declared
class CouponVoid:
    """Voided coupons with the reason, as stated."""

    denomination_cents: int | None
    first: str | None
    last: str | None
    reason: str | None


@declared
class CouponSignature:
    """One person's name, credential number and signature on a document."""

    person: str | None
    printed_name: str | None
    signed: bool | None
    signed_time: int | None


@declared
class FormVariation:
    """One variation on the daily form."""

    denomination_cents: int | None
    first: str | None
    last: str | None
    quantity: int | None
    explanation: str | None


@declared
class MailLine:
    """One coupon on the list of those to be mailed; name and address only as salted commitments."""

    serial: str | None
    denomination_cents: int | None
    expires: str | None
    name_commitment: bytes | None
    address_commitment: bytes | None
    opening: str | None
    barcode: str | None


@declared
class FaultyCoupon:
    """A coupon that finance found to be wrong."""

    serial: str | None
    fault: CouponFault
    remark: str | None
