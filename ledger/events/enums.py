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


class StaffRank(StrEnum):
    """A person's rank in a department."""

    MEMBER = "MEMBER"  # a member
    SUPERVISOR = "SUPERVISOR"  # a supervisor
    MANAGER = "MANAGER"  # above a supervisor
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


class ThrowPurpose(StrEnum):
    """What a throw by hand decides."""

    DOWN = "DOWN"  # one down
    EXTRA_POINT = "EXTRA_POINT"  # an extra point roll
    UNRECOGNISED = "UNRECOGNISED"


class ThrowRest(StrEnum):
    """How a die thrown by hand lies when it has come to rest."""

    FLAT = "FLAT"  # flat on the table
    ONE_SIDE_PROPPED = "ONE_SIDE_PROPPED"  # cocked: one side rests on chips or another object
    TWO_SIDES_PROPPED = "TWO_SIDES_PROPPED"  # more than one side rests on chips or another object
    ON_A_DIE = "ON_A_DIE"  # on top of another die
    ON_CHIPS = "ON_CHIPS"  # flat on chips or plaques other than the bank
    ON_BANK = "ON_BANK"  # on the bank of chips in front of the stickperson
    IN_DICE_CUP = "IN_DICE_CUP"  # in the dice cup
    ON_RAIL = "ON_RAIL"  # on a rail surrounding the table
    OFF_TABLE = "OFF_TABLE"  # off the table
    UNRECOGNISED = "UNRECOGNISED"


class Touched(StrEnum):
    """What a thrown die came into contact with."""

    PATRON_CHIPS = "PATRON_CHIPS"  # chips or plaques other than the bank
    BANK = "BANK"  # the bank of chips in front of the stickperson
    DICE_CUP = "DICE_CUP"  # the dice cup
    RAIL = "RAIL"  # a rail
    OTHER = "OTHER"  # another object
    UNRECOGNISED = "UNRECOGNISED"


class Down(StrEnum):
    """An area of the football layout on which the Down Puck can lie."""

    FIRST_DOWN = "FIRST_DOWN"  # 1st Down
    SECOND_DOWN = "SECOND_DOWN"  # 2nd Down
    THIRD_DOWN = "THIRD_DOWN"  # 3rd Down
    FIRST_AND_GOAL = "FIRST_AND_GOAL"  # 1st & Goal
    SECOND_AND_GOAL = "SECOND_AND_GOAL"  # 2nd & Goal
    THIRD_AND_GOAL = "THIRD_AND_GOAL"  # 3rd & Goal
    EXTRA_POINT = "EXTRA_POINT"  # Extra Point
    UNRECOGNISED = "UNRECOGNISED"


class ShuffleMethod(StrEnum):
    """How cards are shuffled."""

    MANUAL = "MANUAL"  # by the dealer's hands
    AUTOMATED = "AUTOMATED"  # by an automated card shuffling device
    RESHUFFLER = "RESHUFFLER"  # by a shoe or device that reshuffles by itself
    UNRECOGNISED = "UNRECOGNISED"


class CardDevice(StrEnum):
    """Equipment with which cards are shuffled or dealt, or the start is found."""

    SHUFFLER = "SHUFFLER"  # automated card shuffling device
    MANUAL_SHOE = "MANUAL_SHOE"  # manual dealing shoe
    AUTOMATED_SHOE = "AUTOMATED_SHOE"  # automated dealing shoe
    RESHUFFLER = "RESHUFFLER"  # shoe or device that reshuffles by itself
    GENERATOR = "GENERATOR"  # computerized random number generator
    FLAT_BUTTON = "FLAT_BUTTON"  # flat button
    START_MARKER = "START_MARKER"  # object that marks the starting position
    UNRECOGNISED = "UNRECOGNISED"


class CardDeviceFault(StrEnum):
    """What went wrong with such equipment."""

    JAMMED = "JAMMED"  # it jammed
    STOPPED = "STOPPED"  # it stopped shuffling or dealing
    NOT_COMPLETED = "NOT_COMPLETED"  # it did not complete the shuffle or deal all cards
    OUT_OF_USE = "OUT_OF_USE"  # it cannot be used, whatever the reason
    OTHER = "OTHER"  # something else
    UNRECOGNISED = "UNRECOGNISED"


class StartMethod(StrEnum):
    """What determines the starting position."""

    SHAKER = "SHAKER"  # the shaker's dice
    GENERATOR = "GENERATOR"  # a random number generator
    FLAT_BUTTON = "FLAT_BUTTON"  # the flat button
    UNRECOGNISED = "UNRECOGNISED"


class DealMethod(StrEnum):
    """From what cards are dealt."""

    MANUAL_SHOE = "MANUAL_SHOE"  # a manual dealing shoe, card by card
    HAND = "HAND"  # the dealer's hand, card by card
    AUTOMATED_SHOE = "AUTOMATED_SHOE"  # an automated dealing shoe, stack by stack
    RESHUFFLER = "RESHUFFLER"  # a shoe or device that reshuffles by itself
    UNRECOGNISED = "UNRECOGNISED"


class DealDirection(StrEnum):
    """Which way round the table cards are dealt, seen from above."""

    CLOCKWISE = "CLOCKWISE"  # clockwise
    COUNTERCLOCKWISE = "COUNTERCLOCKWISE"  # counterclockwise
    UNRECOGNISED = "UNRECOGNISED"


class WhichHand(StrEnum):
    """One of the three hands of seven cards, or all."""

    HIGH = "HIGH"  # the four-card hand
    MEDIUM = "MEDIUM"  # the two-card hand
    LOW = "LOW"  # the one-card hand
    ALL = "ALL"  # all seven cards
    UNRECOGNISED = "UNRECOGNISED"


class ExposureChoice(StrEnum):
    """What a player did with a hand of which the dealer exposed a card."""

    PLAY_OUT = "PLAY_OUT"  # played it out
    VOID = "VOID"  # voided it
    UNRECOGNISED = "UNRECOGNISED"


class Discard(StrEnum):
    """What was put into the discard rack."""

    REMAINING_CARDS = "REMAINING_CARDS"  # the cards left after the deal
    EMPTY_POSITION = "EMPTY_POSITION"  # the stack of a position without a wager
    PLAYER_HANDS = "PLAYER_HANDS"  # a player's seven cards
    DEALER_HANDS = "DEALER_HANDS"  # the dealer's seven cards
    SURRENDERED = "SURRENDERED"  # a player's surrendered cards
    FACE_UP_CARD = "FACE_UP_CARD"  # a card found face up in the shoe or deck
    DRAWN_IN_ERROR = "DRAWN_IN_ERROR"  # a card drawn in error
    OTHER = "OTHER"  # other cards
    UNRECOGNISED = "UNRECOGNISED"


class Irregularity(StrEnum):
    """An irregularity of the deal as the table took it."""

    WRONG_TOTAL_AND_POSITION = "WRONG_TOTAL_AND_POSITION"  # wrong total, wrong first card
    PLAYER_CARD_EXPOSED = "PLAYER_CARD_EXPOSED"  # the dealer exposed a card of a player
    DEALER_CARD_EXPOSED = "DEALER_CARD_EXPOSED"  # a card in the dealer's hand was exposed
    CARD_FACE_UP = "CARD_FACE_UP"  # cards were found face up in the shoe or deck
    CARD_DRAWN_IN_ERROR = "CARD_DRAWN_IN_ERROR"  # a card was drawn in error
    WRONG_NUMBER_OF_CARDS = "WRONG_NUMBER_OF_CARDS"  # somebody got a wrong number of cards
    DEALER_HANDS_MISSET = "DEALER_HANDS_MISSET"  # not set in the filed way
    EXPOSED_IN_HAND_DEAL = "EXPOSED_IN_HAND_DEAL"  # exposed in a deal from the hand
    WRONG_NUMBER_REMAINING = "WRONG_NUMBER_REMAINING"  # not four cards left, nothing misdealt
    SHUFFLER_FAILED = "SHUFFLER_FAILED"  # the shuffling device failed
    SHOE_FAILED = "SHOE_FAILED"  # the automated shoe failed
    OTHER = "OTHER"  # something else
    UNRECOGNISED = "UNRECOGNISED"


class RequestKind(StrEnum):
    """What a request to offer something new is about."""

    GAME = "GAME"  # a table game
    WAGER = "WAGER"  # a wager within a table game
    FEATURE = "FEATURE"  # another feature of a table game
    UNRECOGNISED = "UNRECOGNISED"


class GameClass(StrEnum):
    """How a request classes its game."""

    VARIATION = "VARIATION"  # a variation of an authorized game
    COMPOSITE = "COMPOSITE"  # a composite of authorized games
    NEW = "NEW"  # a new game
    UNRECOGNISED = "UNRECOGNISED"


class EquipmentKind(StrEnum):
    """A kind of table game equipment."""

    DICE = "DICE"  # dice
    SHAKER = "SHAKER"  # shaker
    CARDS = "CARDS"  # cards
    SHUFFLER = "SHUFFLER"  # card shuffling device
    SHOE = "SHOE"  # dealing shoe
    GENERATOR = "GENERATOR"  # random number generator
    FLAT_BUTTON = "FLAT_BUTTON"  # flat button
    START_MARKER = "START_MARKER"  # marker of the starting position
    WHEEL = "WHEEL"  # wheel
    ELECTRICAL_DEVICE = "ELECTRICAL_DEVICE"  # electrical device
    OTHER = "OTHER"  # other equipment
    UNRECOGNISED = "UNRECOGNISED"


class ServiceKind(StrEnum):
    """What a gaming related service brings."""

    NEW_GAME = "NEW_GAME"  # a new game
    NEW_WAGER = "NEW_WAGER"  # a new wager
    VARIATION = "VARIATION"  # a game variation
    SIDE_BET = "SIDE_BET"  # a side bet
    OTHER = "OTHER"  # a similar innovation
    UNRECOGNISED = "UNRECOGNISED"


class Patent(StrEnum):
    """Where a patent stands."""

    ISSUED = "ISSUED"  # issued
    PENDING = "PENDING"  # applied for, not decided
    NONE = "NONE"  # none
    UNRECOGNISED = "UNRECOGNISED"


class ProviderList(StrEnum):
    """A list of providers that the Board keeps."""

    GAMING_RELATED = "GAMING_RELATED"  # certified gaming related gaming service providers
    AUTHORIZED = "AUTHORIZED"  # Authorized Gaming Service Provider List
    UNRECOGNISED = "UNRECOGNISED"


class CredentialKind(StrEnum):
    """How long a credential is meant to hold."""

    TEMPORARY = "TEMPORARY"  # temporary
    PERMANENT = "PERMANENT"  # permanent
    UNRECOGNISED = "UNRECOGNISED"


class ReportSigner(StrEnum):
    """In what function a report is signed."""

    PREPARER = "PREPARER"  # who prepared it
    APPROVER = "APPROVER"  # who approved it, another person
    UNRECOGNISED = "UNRECOGNISED"
