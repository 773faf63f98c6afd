"""Why a single changed field of an honest fact need not show: one reason per event and field.

A field stands here only if nothing in the day could contradict it. Money, faces, sections, outcomes
and ids that another fact states too never stand here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ledger import events
from ledger.kernel import table_of
from ledger.rounds import RoundResult
from tests.audit.change import Change

WITNESS = "who recorded a fact is kept for people; no section of the chapters held judges it"
TIME = "a microsecond moves the fact past no other fact and past no limit of time"
WORDS = "free words for people"
PERSON = "the record names a person; the sections ask for a role, which stands beside it"
FINANCE = "counts of chips and cash: no section of 521, 539 or 689; finance reconciles them"
CAMERA = "cameras: no section of 521, 539 or 689"
LICENCE = "credentials: no section of 521, 539 or 689 asks for one by name"
PATRON = "an opaque reference matters for a payout limit only, and no winner here comes near one"
UNUSED = "nothing at the table used it on this day"
ONE_DECK = "null: of the one deck at the table"
NAMED = "a table has one deck in play, whatever name is written beside it"
ONE_SHAKER = "a table of 668a has one shaker; the duties ask who shook, and that it was covered"
DEVICES = "a table has one device of a kind, and what it is approved for is held against the filing"
HAPPENED = "the fact itself says that it was done; only a false would say otherwise"
MANNER = "how the cards came is judged where it is stated; the filing names the manners allowed"
SELDOM = "what the filing allows or limits was not used, or not reached, on this day"
CHOICE = "575.13(d): whenever a player's card was exposed the choice is his, and nobody voided a hand here"
TURNED = "575.11(c): the dealer's cards shall be turned over; it does not say by whom"
LAID_OPEN = (
    "575.11(g)-(i): hands that were compared may lie in the rack either way, if they can be rebuilt"
)
ONE_DECK_KEPT = "575.3(b)(2): which deck is kept in the device is asked of two decks"
RESHUFFLES = (
    "575.5(f): the Bureau of Gaming Laboratory Operations approved the device, however it shuffles"
)
HOUSE_WAY = (
    "575.13(i): the wagers are settled by the filed way, which sets the cards dealt to the dealer"
)
ONE_ENOUGH = (
    "575.13: the irregularity that is named has its own effect; this word adds nothing to it"
)
TWO_DECKS = (
    "575.3(a), (b): two cover cards are asked for the table, which has two decks with two each"
)
EITHER = "575.13(n): a cover or a sign, either is enough"
FIXED_FIRST = "575.13(n): asked before another method is used; the device was fixed first"
NOT_DEALT_AGAIN = "575.5(a): asked before the next deal, and none followed"
PLAYED_ON = "575.13(d): who plays his hand out chooses what he has anyway"
STOCK = "receipt of dice from a supplier: its rules stand outside the texts held"
BESIDE = "the cards dealt, the hands set and the settlement say the same beside it"
LENIENT = "still as good as required, or within what is allowed"
SILENT = "null says that it was not recorded where another fact, or the thing's verdict, says it"

ABOVE: Final = ("FLOORPERSON", "PIT_MANAGER", "SHIFT_MANAGER", "CASINO_MANAGER")
ANY_EVENT: Final = {"recorded_by": WITNESS, "event_time": TIME}
PERSONS: Final = (
    "announced_by", "called_by", "cleared_by", "collected_by", "counted_by", "cut_by", "determined_by",
    "directed_by", "discarded_by", "exposed_by", "formed_by", "found_by", "offered_by", "ordered_by",
    "placed_by", "removed_by", "returned_by", "seen_by", "set_by", "shown_by", "shuffled_by",
    "spread_by", "thrown_by", "washed_by",
)  # fmt: skip
LATER_ROOMS: Final = ("AP-", "FB-", "PH-")
"""Tables of 575, 577 and 668a; there ``PERSONS`` are the fields that name who did a thing."""
FIELDS: Final[dict[tuple[str, str], str]] = {
    ("AreasLit", "areas"): SILENT,
    ("CameraAssigned", "camera"): CAMERA,
    ("CameraAssigned", "covers"): CAMERA,
    ("RulesSubmissionFiled", "layout"): "the layout on the table is held against its own approval, not against a filing",
    ("CashChanged", "cash_cents"): FINANCE,
    ("CashChanged", "chips_cents"): FINANCE,
    ("CashChanged", "patron"): PATRON,
    ("CashChanged", "position"): FINANCE,
    ("ClockChecked", "checked_source"): "a clock check is read by people; order is judged by the source's own tolerance",
    ("ClockChecked", "offset_micros"): "a clock check is read by people; order is judged by the source's own tolerance",
    ("ClockChecked", "reference"): WORDS,
    ("CloserCounted", "chips_cents"): FINANCE,
    ("CloserCounted", "counted_by"): FINANCE,
    ("DeviceFailed", "device_id"): "a table has one device of a kind",
    ("DeviceFailed", "fault"): WORDS,
    ("DeviceFixed", "device_id"): "a table has one device of a kind",
    ("DeviceFailed", "device"): "539.7(b) treats the device and the area that depicts the wagers alike",
    ("DeviceInspected", "device_id"): SILENT,
    ("DeviceInspected", "operations"): "operations are counted for automated shakers, entries for electrical devices",
    ("DeviceInspected", "tossed_properly"): "asked of shakers only",
    ("DeviceInspected", "lit_properly"): "asked of electrical devices only",
    ("DeviceInspected", "trial_entries"): LENIENT,
    ("DeviceInspected", "values_per_entry"): LENIENT,
    ("DeviceInspected", "working"): SILENT,
    ("DiceSetPlaced", "dice.colour"): "no section of 539 speaks of colours",
    ("DiceSetPlaced", "shaker"): "which of the table's shakers holds the dice is judged nowhere",
    ("DiceShaken", "kind"): SILENT,
    ("DiceShaken", "role"): "539.5(c) asks that the dice are shaken, not by which dealer",
    ("DiceShaken", "shaken_by"): PERSON,
    ("DiceShaken", "shaker"): SILENT,
    ("DiceShaken", "shakes"): LENIENT,
    ("DiceThrown", "dice.colour"): "no section of 539 speaks of colours",
    ("DiceThrown", "dice.serial"): SILENT,
    ("DiceThrown", "thrown_by"): PERSON,
    ("DropBoxCounted", "box"): FINANCE,
    ("DropBoxCounted", "cash.denomination_cents"): FINANCE,
    ("DropBoxCounted", "cash.pieces"): FINANCE,
    ("DropBoxCounted", "chips_cents"): FINANCE,
    ("DropBoxCounted", "counted_by"): FINANCE,
    ("DropBoxCounted", "for_gaming_day"): FINANCE,
    ("DropBoxHung", "box"): FINANCE,
    ("DropBoxRemoved", "box"): FINANCE,
    ("FillDelivered", "chips_cents"): FINANCE,
    ("FillDelivered", "slip"): FINANCE,
    ("FillDelivered", "signed_by"): FINANCE,
    ("ItemInspected", "inspected_by"): "only the trial of a device must be made by one person (539.5(a))",
    ("LimitsChangeAnnounced", "announced_by"): PERSON,
    ("LimitsChangeAnnounced", "effective_time"): "521.8(c)(2) asks the sign for the time, not the spoken words",
    ("LimitsChangeAnnounced", "minimum_cents"): SILENT,
    ("LimitsChangeAnnounced", "maximum_cents"): SILENT,
    ("LimitsSet", "patrons_playing"): "positions and counts say whether patrons play",
    ("LimitsSignPosted", "effective_time"): "of a sign that tells of no change in this day",
    ("LimitsSignPosted", "states_change"): "of a sign that tells of no change in this day",
    ("LimitsSignRemoved", "sign"): UNUSED,
    ("NoMoreBetsAnnounced", "announced_by"): PERSON,
    ("NoMoreBetsAnnounced", "role"): SILENT,
    ("NoRollCalled", "called_by"): PERSON,
    ("NoRollCalled", "reason"): WORDS,
    **{
        ("CredentialDescribed", field): "who may decide is asked only where somebody decides"
        for field in ("person", "rank", "printed_name", "same_person_as", "expires_time")
    },
    ("OpenerCounted", "chips_cents"): FINANCE,
    ("OpenerCounted", "counted_by"): FINANCE,
    ("PersonCredentialled", "department"): LICENCE,
    ("PersonCredentialled", "person"): LICENCE,
    ("PersonCredentialled", "revoked"): LICENCE,
    ("PersonCredentialled", "role"): LICENCE,
    ("PositionLeft", "patron"): PATRON,
    ("PositionLeft", "position"): "no limits change after it",
    ("PositionTaken", "patron"): PATRON,
    ("PositionTaken", "position"): "no limits change after it",
    ("PatronsCounted", "count"): "the change of limits beside it says itself that nobody plays",
    ("PropertyDescribed", "certificate_holder"): WORDS,
    ("PropertyDescribed", "name"): WORDS,
    ("PropertyDescribed", "gaming_day_starts_minutes"): "a minute moves no fact of the day into another",
    ("RollCalled", "called_by"): PERSON,
    ("RoundVoided", "called_by"): PERSON,
    ("RoundVoided", "reason"): WORDS,
    ("RulesSubmissionApproved", "approved_by"): PERSON,
    ("RulesSubmissionApproved", "approved_time"): TIME,
    ("RulesSubmissionFiled", "supersedes"): "the one last approved holds, whatever it names",
    ("RulesSubmissionFiled", "tables"): "null: all tables of the game, this one too",
    ("RulesSubmissionFiled", "payout_limit"): "no winner comes near the limit",
    ("RulesSubmissionFiled", "payout_limit.limit_cents"): "no winner comes near the limit",
    ("RulesSubmissionFiled", "payout_limit.scope"): "no winner comes near the limit",
    ("RulesSubmissionFiled", "increment_cents"): LENIENT,
    ("ShakerCovered", "shaker"): SILENT,
    ("ShakerUncovered", "shaker"): SILENT,
    ("SignApproved", "bureau"): "521.8(d) names no bureau",
    ("SourceRegistered", "clock_uncertainty_micros"): TIME,
    ("SourceRegistered", "order_tolerance_micros"): TIME,
    ("SourceRegistered", "since"): TIME,
    ("SpinCalled", "called_by"): PERSON,
    ("SpinVoided", "called_by"): PERSON,
    ("SpinVoided", "reason"): WORDS,
    ("StaffAssigned", "role"): "689 asks for no dealer or floorperson by assignment",
    ("StaffAssigned", "person"): "689 asks for no dealer or floorperson by assignment",
    ("StaffRelieved", "relieved_by"): "who relieves is said by the assignment beside it",
    ("SupervisorPresent", "person"): PERSON,
    ("TableClosed", "reason"): WORDS,
    ("TableOpened", "paytable"): SILENT,
    ("TakeDownRefused", "reason"): WORDS,
    ("TakeDownRefused", "wager_id"): "a wish that was refused changes nothing",
    ("ValuesEntered", "entered_by"): PERSON,
    ("AsiaPokerOptionsFiled", "submission"): "the options hold for the tables that they name",
    ("AsiaPokerOptionsFiled", "bonus_offered"): SILENT,
    ("AsiaPokerOptionsFiled", "bonus_paytable"): "null: the three tables of 575.12(d) pay alike on every hand of this day",
    ("AsiaPokerOptionsFiled", "maximum_payout_cents"): SELDOM,
    ("AsiaPokerOptionsFiled", "adjacent_areas"): SELDOM,
    ("AsiaPokerOptionsFiled", "dealing"): MANNER,
    ("AsiaPokerOptionsFiled", "starting"): MANNER,
    ("AsiaPokerOptionsFiled", "two_decks"): SELDOM,
    ("CameraDescribed", "camera"): CAMERA,
    ("CameraDescribed", "covers"): CAMERA,
    ("CardDeviceFailed", "fault"): WORDS,
    ("CardDeviceFailed", "note"): WORDS,
    ("CardsCut", "cover_card_depth"): LENIENT,
    ("CardsDealt", "method"): MANNER,
    ("CardsDealt", "stacks.cards"): SILENT,
    ("CardsDealt", "stacks.count"): "the cards of a stack are told beside their number",
    ("DealBegan", "method"): MANNER,
    ("DealBegan", "position"): SILENT,
    ("DeckInspected", "defects"): WORDS,
    ("DeckPlaced", "back"): "of two decks in turns only, and this table has one",
    ("DeckPlaced", "cards"): SILENT,
    ("DeckPlaced", "design"): "of two decks in turns only, and this table has one",
    ("DeckPlaced", "jokers"): SILENT,
    ("DeckPlaced", "jokers_made"): "whether the maker gave one joker or two is seen by the removal of the second",
    ("DeckPlaced", "preinspected_and_preshuffled"): "the inspection at the table was made all the same",
    ("DeckRemoved", "deck"): "the deck is removed after the last round",
    ("DeckRemoved", "reason"): WORDS,
    ("DeckRemoved", "whole_deck"): "the deck is removed after the last round",
    ("DiceOffered", "position"): SILENT,
    ("DicePlacedInShaker", "dice"): "the dice thrown say which they are",
    ("DiceRefused", "position"): "577.4(b), 577.7(a): he refuses to whom the dice were offered, which stands beside it",
    ("DiceReturnedToCup", "before_stickperson"): "577.4(a)#4, (c)#3: the dice that are left and their cup stand outside the list of duties",
    ("DiceReturnedToCup", "dice"): "577.4(a)#4, (c)#3: the dice that are left and their cup stand outside the list of duties",
    ("DiceSelected", "position"): "who throws is said by the throw",
    ("DiceThrown", "dice.face"): SILENT,
    ("DiceThrownByHand", "dice.colour"): SILENT,
    ("DiceThrownByHand", "dice.face"): SILENT,
    ("DiceThrownByHand", "dice.leans_on"): "the rest of the die stands beside it, and counts",
    ("DiceThrownByHand", "dice.rest"): "577.5(c), (d): a no roll only if the stickperson calls it, or none at all",
    ("DiceThrownByHand", "dice.resting_side"): "the rest of the die stands beside it, and counts",
    ("DiceThrownByHand", "dice.serial"): SILENT,
    ("DiceThrownByHand", "dice.touched"): "577.5(c): the stickperson may call a no roll for it; without a call the throw counts",
    ("DiceThrownByHand", "position"): SILENT,
    ("DiceThrownByHand", "purpose"): "what a throw is for follows from the game so far",
    ("DiceTotalAnnounced", "correction"): "the total stands, whatever it is called",
    ("DownAnnounced", "distance_yards"): SILENT,
    ("DownAnnounced", "down"): SILENT,
    ("HandSet", "reset"): "that a hand was set anew is shown by the hand itself",
    ("HopGroupsFiled", "groups.combinations"): UNUSED,
    ("HopGroupsFiled", "groups.wager"): UNUSED,
    ("HopGroupsFiled", "layout"): "null: of the layout on the table",
    ("HouseWayFiled", "text"): WORDS,
    ("IrregularityFound", "irregularity"): "another irregularity of the same effect",
    ("IrregularityFound", "note"): WORDS,
    ("IrregularityFound", "used_as_next_card"): "asked of a card that was found face up in the shoe only",
    ("LammersPlaced", "combinations"): "668a.3(e)#4: the six boxes stand outside the list of duties; it is read only after a gap",
    ("LidLiftedByPlayer", "position"): "whoever lifted the lid, the dice are shaken again (668a.3(f))",
    ("MarkersPlaced", "down"): "the yard says where the markers stand; down and play follow from it",
    ("MarkersPlaced", "play"): "the yard says where the markers stand; down and play follow from it",
    ("MarkersPlaced", "yard"): SILENT,
    ("PlayerShook", "position"): SILENT,
    ("PlayerShook", "shakes"): LENIENT,
    ("ShakerOffered", "position"): "668a.3(e) asks for the offer; who took the shaker is said by who shook",
    ("ShakerPassed", "from_position"): "who had the shaker is said by who shook",
    ("ShakerPassed", "to_position"): "who took the shaker is said by who shook",
    ("StartDetermined", "method"): MANNER,
    ("EquipmentApproved", "bureau"): "no rows of 575 ask a bureau for the thing whose approval this is",
    ("EquipmentApproved", "equipment"): "no rows of 575 ask a bureau for the thing whose approval this is",
    ("EquipmentApproved", "withdrawn"): "no rows of 575 ask a bureau for the thing whose approval this is",
    ("WagerIncreased", "instrument"): "plaques are as good as chips (539.4(a)); 689 does not speak of it",
    ("WagerPlaced", "instrument"): "plaques are as good as chips (539.4(a)); 689 does not speak of it",
    ("WagerPlaced", "patron"): PATRON,
    ("WagerPlaced", "position"): "a wager's place at the table is judged nowhere",
    ("WagerRefused", "patron"): PATRON,
    ("WagerRefused", "reason"): WORDS,
    ("WagerRefused", "wager_id"): "a wager that was refused was never placed",
    ("WagerReturned", "reason"): WORDS,
    ("WagerReturned", "returned_cents"): SILENT,
    ("WagerTakenDown", "taken_cents"): SILENT,
    ("WheelPlaced", "diameter_thousandths"): LENIENT,
    ("WheelPlaced", "wheel"): "a wheel's name is used by its removal alone",
    ("WheelRemoved", "wheel"): "the wheel is removed after the last round",
    ("WheelSpun", "between"): SILENT,
    ("WheelSpun", "clapper"): SILENT,
    ("WheelSpun", "direction"): "689.2(b): either direction",
    ("WheelSpun", "revolutions_thousandths"): LENIENT,
    ("WheelSpun", "role"): SILENT,
    ("WheelSpun", "section"): SILENT,
    ("WheelSpun", "spun_by"): PERSON,
    ("WheelSpun", "started_time"): TIME,
    ("WheelSpun", "symbols"): SILENT,
}  # fmt: skip

ALIKE: Final = {
    SILENT: (
        "CardsDealt.first_position CardsDiscarded.face_down CardsShuffled.kept_in_device "
        "CardsSpread.face_up DeckInspected.fit ExposureChoiceMade.looked HandExposed.role "
        "HandSet.role RemainingCardsCounted.face_down ResultAnnounced.outcome "
        "StartDetermined.number StartDetermined.position SurrenderedCardsCounted.exposed "
        "SurrenderedCardsCounted.face_down"
    ),
    LENIENT: "DeckPlaced.cover_cards",
    CHOICE: "HandExposed.during_deal",
    STOCK: (
        "EquipmentReceived.complies EquipmentReceived.equipment EquipmentReceived.inspected_by "
        "EquipmentReceived.kind EquipmentReceived.pieces"
    ),
    DEVICES: (
        "CardDeviceFailed.device CardDeviceFailed.device_id CardDeviceFixed.device "
        "CardDeviceFixed.device_id CardDevicePlaced.device CardDevicePlaced.device_id "
        "CardsDealt.device_id CardsShuffled.device_id DealBegan.device_id OutOfOrderShown.device_id"
    ),
    NAMED: ("CardsCut.deck CardsSpread.deck CardsWashed.deck RemainingCardsCounted.deck"),
    ONE_DECK: ("CardsDealt.deck CardsDiscarded.deck CardsShuffled.deck DealBegan.deck"),
    ONE_SHAKER: (
        "DicePlacedInShaker.shaker LidLiftedByPlayer.shaker PlayerShook.shaker ShakerOffered.shaker "
        "ShakerPassed.shaker"
    ),
    BESIDE: (
        "BonusHandFormed.hand BonusHandFormed.position CardsDealt.direction CardsDiscarded.count "
        "CardsDiscarded.kind CardsDiscarded.position HandExposed.cards HandExposed.count "
        "HandExposed.hand HandFouled.position HandFouled.reason HandFouled.ruled_by HandSurrendered.wager_id ResultAnnounced.position ResultAnnounced.wager_id"
    ),
    HAPPENED: (
        "CardsCut.recut CardsDealt.complete CardsDiscarded.kept_together CardsShuffled.completed "
        "SecondJokerRemoved.returned_to_container SecondJokerRemoved.torn"
    ),
}
"""Fields of the rooms of 575, 577 and 668a with the same reason."""
for _why, _names in ALIKE.items():
    for _name in _names.split():
        _event, _, _field = _name.partition(".")
        FIELDS[_event, _field] = _why


def only_null(change: Change) -> bool:
    """Not recorded."""
    return change.now is None


def a_little_more(change: Change) -> bool:
    """One more, or one less where that is more than enough."""
    return isinstance(change.now, int) and change.now >= 3


CONDITIONS: Final[dict[str, Callable[[Change], bool]]] = {
    SILENT: only_null,
    ONE_DECK: only_null,
    HAPPENED: only_null,
    LENIENT: lambda change: only_null(change) or a_little_more(change) or change.field in ("trial_entries", "values_per_entry", "increment_cents"),
    TIME: lambda change: only_null(change) or abs(change.now - change.was) == 1,
}  # fmt: skip
"""Reasons that hold for some new values only."""


def reason(change: Change, at_dice: bool) -> str | None:
    """Why this change need not show; None if it should."""
    found = ANY_EVENT.get(change.field) or FIELDS.get(change.name)
    if found is None and change.fact.stream.startswith(LATER_ROOMS):
        found = PERSON if change.field in PERSONS else PATRON if change.field == "patron" else None
    if found is None or not CONDITIONS.get(found, lambda _: True)(change):
        return special(change, at_dice)
    if change.name in (("StaffAssigned", "person"), ("StaffAssigned", "role")) and at_dice:
        return special(change, at_dice)
    return found


def special(change: Change, at_dice: bool) -> str | None:
    """Reasons that depend on what the fact itself says."""
    fact: Any = change.fact
    match change.name:
        case ("ItemInspected", _) if fact.stream.startswith(LATER_ROOMS) and "DICE" in (
            fact.subject,
            change.was,
        ):
            return "no look at a die is owed by 577 or 668a; one that finds it wrong is a breach"
        case ("CardsDiscarded", "face_down") if fact.kind not in (
            "REMAINING_CARDS",
            "EMPTY_POSITION",
            "SURRENDERED",
        ):
            return LAID_OPEN
        case ("HandExposed", "role") if fact.position == "1":
            return TURNED
        case ("HandSet", "high" | "medium" | "low") if fact.position == "1" and change.now is None:
            return HOUSE_WAY
        case ("CardsShuffled", "kept_in_device") if fact.stream.startswith("AP-01"):
            return ONE_DECK_KEPT
        case ("CardsShuffled", "method") if fact.method == "RESHUFFLER":
            return RESHUFFLES
        case ("CardsShuffled", "method") if fact.kept_in_device and change.now is None:
            return SILENT
        case ("IrregularityFound", "count") if fact.irregularity != "CARD_FACE_UP":
            return ONE_ENOUGH
        case ("IrregularityFound", "exposed") if fact.irregularity != "CARD_DRAWN_IN_ERROR":
            return ONE_ENOUGH
        case ("IrregularityFound", "position") if fact.irregularity != "PLAYER_CARD_EXPOSED":
            return ONE_ENOUGH
        case ("IrregularityFound", "position") if change.now is None:
            return SILENT
        case ("OutOfOrderShown", "covered" | "sign") if fact.covered or fact.sign:
            return EITHER
        case ("DeckPlaced", "cover_cards") if not fact.stream.startswith("AP-01"):
            return TWO_DECKS
        case ("ExposureChoiceMade", "position") if fact.choice == "PLAY_OUT":
            return PLAYED_ON
        case ("DiceShaken", "shakes") if fact.stream.startswith("AP-"):
            return "575.5(g): the dice decide where the deal begins; no number of shakes is asked"
        case ("DiceShaken", "shakes") if fact.stream.startswith("PH-"):
            return "668a.3(d): the dealer shakes, and no number is asked; a player's shakes are PlayerShook"
        case ("ResultAnnounced", "outcome") if change.now == "UNRECOGNISED":
            return "a word that this version does not know is held against no hand"
        case ("ItemInspected", _) if "discard_rack" in (fact.item, change.was):
            return "575.2(e), where the rack is fixed, is out of scope"
        case ("ItemInspected", field) if "printed_odds" in (fact.item, change.was) and (
            fact.stream.startswith("PH-") and field in ("subject", "subject_id", "item", "found")
        ):
            return "668a.1(b)(6): a sign may show the odds in place of the layout"
        case ("ItemInspected", _) if "stated_limits" in (fact.item, change.was) and at_dice:
            return "539 asks for no statement of limits on the layout"
        case ("ItemInspected", "seen.value") if fact.item != "printed_odds" or change.now is None:
            return "the inspector's verdict stands where it does not say what was seen"
        case ("ItemInspected", "seen.name") if change.now not in (None, "") and fact.item in (
            "drop_box",
            "tip_box",
        ):
            return "the inspector's verdict stands where it does not say on which side"
        case ("ItemInspected", "seen.name"):
            return "another item of the list names the same wager"
        case ("ItemInspected", "subject_id") if change.now is None:
            return "an inspection without an id is of the one thing of its kind at the table"
        case ("StaffAssigned" | "StaffRelieved", _) if not at_dice:
            return FIELDS["StaffAssigned", "person"]
        case ("SignApproved", _):
            return "the sign is a spare that was not put up on this day"
        case ("LimitsSet", "increment_cents"):
            return "the filing states the increment too, and judges by it"
        case ("TableOpened", "capture"):
            return "what a table claims to record is believed, and its capture line says so"
        case ("DiceShaken", "shakes") if fact.kind == "AUTOMATED":
            return "an automated shaker has no count (539.5(c)(2))"
        case ("SupervisorPresent", "role") if str(change.now) in ABOVE:
            return "a floorperson or above (539.7(b))"
        case ("SupervisorPresent", "role") if fact.stream.startswith("SB-03"):
            return "who watched a settlement is not covered where settlements are not (capture OUTCOME)"
        case ("DeviceFixed", "device") if change.was == "AUTOMATED_SHAKER":
            return "539.7(c) voids the round; it asks for no repair of the shaker before the next"
        case ("DeviceFailed", "device") if change.now == "DISPLAY_AREA":
            return FIELDS[change.name]
    return None


def afterwards(change: Change, facts: Sequence[events.Fact]) -> str | None:
    """Reasons that depend on what followed at the table."""
    table = table_of(change.fact.stream)
    later = [f for f in facts[change.place + 1 :] if table_of(f.stream) == table]
    deals = [f for f in later if isinstance(f, (events.DealBegan, events.CardsDealt))]
    was = facts[change.place]
    match was:
        case events.CardsShuffled() if all(f.deck not in (None, was.deck) for f in deals):
            return NOT_DEALT_AGAIN
        case events.OutOfOrderShown(device=events.CardDevice.AUTOMATED_SHOE):
            fixed = next(
                (n for n, f in enumerate(later) if isinstance(f, events.CardDeviceFixed)), None
            )
            used = [
                f
                for f in later[:fixed]
                if f in deals and f.method is not events.DealMethod.AUTOMATED_SHOE
            ]
            return FIXED_FIRST if fixed is not None and not used else None
        case events.DiceThrown() if _comes_first(later, events.NoRollCalled, events.RollCalled):
            return "539.7(a): a no roll decides nothing, and its cause still stands on record"
        case events.PlayerShook() if _comes_first(
            later, events.LidLiftedByPlayer, events.DiceThrown
        ):
            return "668a.3(f): the shaker is shaken again, and that shake counts"
        case events.HandExposed(during_deal=True) if change.field == "position" and _comes_first(
            later, events.IrregularityFound, events.CardsDealt
        ):
            return "the irregularity that was called names the position and the card"
    return None


def _comes_first(
    later: Sequence[events.Fact], kind: type[events.Fact], other: type[events.Fact]
) -> bool:
    """Whether a fact of one kind follows before any of another."""
    return isinstance(next((f for f in later if isinstance(f, (kind, other))), None), kind)


def goes_back(change: Change, rounds: dict[str, RoundResult]) -> bool:
    """Whether the wager was lifted whole or handed back: then nobody states its amount again."""
    return any(
        w.expected.outcome == "returned" and (w.placed.stream, w.placed.seq) == (change.fact.stream, change.fact.seq)
        for r in rounds.values()
        for w in r.wagers
    )  # fmt: skip


def same_money(before: dict[str, RoundResult], after: dict[str, RoundResult]) -> bool:
    """Whether each wager comes to the same, so that no settlement contradicts the change."""

    def money(rounds: dict[str, RoundResult]) -> list[Any]:
        return [
            (name, w.wager_id, w.expected.outcome, w.expected.winnings_cents, w.expected.stake_taken_cents)
            for name, r in rounds.items()
            for w in r.wagers
        ]  # fmt: skip

    return money(before) == money(after)
