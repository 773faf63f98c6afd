"""The words that facts use from a closed list; each has ``UNRECOGNISED`` for newer producers."""

from __future__ import annotations

from enum import StrEnum


class Capture(StrEnum):
    """What a table claims to record."""

    FULL = "FULL"  # wagers, outcomes and settlements
    OUTCOME = "OUTCOME"  # dice, wheel or cards and announcements
    COUNTS = "COUNTS"  # fills, credits, drop and coupons
    UNRECOGNISED = "UNRECOGNISED"


class Role(StrEnum):
    """A person's function at a table."""

    DEALER = "DEALER"  # dealer
    STICKPERSON = "STICKPERSON"  # stickperson
    BOXPERSON = "BOXPERSON"  # boxperson
    FLOORPERSON = "FLOORPERSON"  # floorperson
    PIT_MANAGER = "PIT_MANAGER"  # pit manager
    SHIFT_MANAGER = "SHIFT_MANAGER"  # shift manager
    CASINO_MANAGER = "CASINO_MANAGER"  # casino manager
    SURVEILLANCE = "SURVEILLANCE"  # surveillance
    SECURITY = "SECURITY"  # security
    PATRON = "PATRON"  # a patron
    UNRECOGNISED = "UNRECOGNISED"


class Subject(StrEnum):
    """What an inspection looked at."""

    TABLE = "TABLE"  # the table itself
    LAYOUT = "LAYOUT"  # the layout
    SIGN = "SIGN"  # a sign
    SHAKER = "SHAKER"  # a shaker
    DICE = "DICE"  # dice
    WHEEL = "WHEEL"  # a wheel
    ELECTRICAL_DEVICE = "ELECTRICAL_DEVICE"  # the device that lights winning areas
    CARDS = "CARDS"  # cards
    UNRECOGNISED = "UNRECOGNISED"


class Device(StrEnum):
    """Electrical or mechanical equipment that can fail."""

    ELECTRICAL_DEVICE = "ELECTRICAL_DEVICE"  # the device into which the dealer enters the dice
    DISPLAY_AREA = "DISPLAY_AREA"  # the area that depicts the wagers
    AUTOMATED_SHAKER = "AUTOMATED_SHAKER"  # an automated dice shaker
    WHEEL = "WHEEL"  # a wheel or its clapper
    UNRECOGNISED = "UNRECOGNISED"


class ShakerKind(StrEnum):
    """How a shaker is worked."""

    MANUAL = "MANUAL"  # shaken by a person
    AUTOMATED = "AUTOMATED"  # shakes by itself when activated
    UNRECOGNISED = "UNRECOGNISED"


class Rest(StrEnum):
    """How a die lies when it has come to rest."""

    FLAT = "FLAT"  # level on the surface it belongs on
    ONE_SIDE_PROPPED = "ONE_SIDE_PROPPED"  # leaning, one side propped
    TWO_SIDES_PROPPED = "TWO_SIDES_PROPPED"  # leaning, two sides propped
    ON_A_DIE = "ON_A_DIE"  # on top of another die
    ON_BANK = "ON_BANK"  # on the bank of chips
    OFF_TABLE = "OFF_TABLE"  # off the table
    OUTSIDE_SHAKER = "OUTSIDE_SHAKER"  # out of the shaker
    UNRECOGNISED = "UNRECOGNISED"


class Direction(StrEnum):
    """Which way a wheel turned, seen from its face."""

    CLOCKWISE = "CLOCKWISE"  # clockwise
    COUNTERCLOCKWISE = "COUNTERCLOCKWISE"  # counterclockwise
    UNRECOGNISED = "UNRECOGNISED"


class Clapper(StrEnum):
    """Where the clapper came to rest."""

    IN_SECTION = "IN_SECTION"  # within one section
    BETWEEN_SECTIONS = "BETWEEN_SECTIONS"  # between two sections
    UNRECOGNISED = "UNRECOGNISED"


class Instrument(StrEnum):
    """What a wager was made with."""

    CHIPS = "CHIPS"  # gaming chips
    PLAQUES = "PLAQUES"  # plaques
    CASH = "CASH"  # cash laid on the layout
    SPOKEN_WITH_CASH = "SPOKEN_WITH_CASH"  # spoken, accompanied by cash
    ELECTRONIC_CREDIT = "ELECTRONIC_CREDIT"  # credit of an electronic table
    UNRECOGNISED = "UNRECOGNISED"


class SettledAs(StrEnum):
    """What the house did with a wager."""

    WON = "WON"  # winnings were paid
    LOST = "LOST"  # the stake was taken
    RETURNED = "RETURNED"  # the stake was handed back undecided
    UNRECOGNISED = "UNRECOGNISED"


class Bureau(StrEnum):
    """Who gave an approval."""

    GAMING_OPERATIONS = "GAMING_OPERATIONS"  # Bureau of Gaming Operations
    GAMING_LABORATORY_OPERATIONS = (
        "GAMING_LABORATORY_OPERATIONS"  # Bureau of Gaming Laboratory Operations
    )
    CASINO_COMPLIANCE = "CASINO_COMPLIANCE"  # Bureau of Casino Compliance
    EXECUTIVE_DIRECTOR = "EXECUTIVE_DIRECTOR"  # Executive Director of the Board
    BOARD = "BOARD"  # the Board
    UNRECOGNISED = "UNRECOGNISED"


class Rounding(StrEnum):
    """What happens to a fraction of the unit paid."""

    EXACT = "EXACT"  # nothing is rounded
    DOWN = "DOWN"  # down to the unit
    NEAREST = "NEAREST"  # to the nearest unit, halves up
    UP = "UP"  # up to the unit
    UNRECOGNISED = "UNRECOGNISED"


class LimitScope(StrEnum):
    """Whose winnings of a round a payout limit covers."""

    PATRON_AND_ROUND = "PATRON_AND_ROUND"  # one patron's in one round of play
    TABLE_AND_ROUND = "TABLE_AND_ROUND"  # all patrons' at the table in one round of play
    UNRECOGNISED = "UNRECOGNISED"
