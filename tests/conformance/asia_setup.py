"""The setup of a case in the vocabulary of the Asia Poker file: filings, layout, deck, dice."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any, Final

from ledger import events
from ledger.events.enums import Capture
from tests.conformance import dice, setups, words
from tests.conformance.in_order import DAY, House, look, shaker_of
from tests.conformance.keys import Keys, NotTranslatable, truth_or_none, whole, whole_or_none
from tests.conformance.scene import Moment, Scene
from tests.conformance.timeline import HOUSE, SETUP
from tests.conformance.walk import before

GAME: Final = words.ASIA_POKER
STAFF: Final = [("floorperson", "F1"), ("dealer", "D1")]
HAND_ORDER: Final = tuple(on for wager, on in words.ASIA_POKER_ODDS if wager == "Bonus Wager")
Spellings = tuple[tuple[str, str], ...]
METHODS: Final = {
    "manual_shoe": events.DealMethod.MANUAL_SHOE,
    "hand": events.DealMethod.HAND,
    "automated_shoe": events.DealMethod.AUTOMATED_SHOE,
    "reshuffler": events.DealMethod.RESHUFFLER,
    "unrecognised": events.DealMethod.UNRECOGNISED,
}
STARTS: Final = {
    "shaker": events.StartMethod.SHAKER,
    "rng": events.StartMethod.GENERATOR,
    "button": events.StartMethod.FLAT_BUTTON,
    "unrecognised": events.StartMethod.UNRECOGNISED,
}
METHOD_WORDS: Final = (
    (r"reshuffl", "reshuffler"), (r"hand", "hand"), (r"auto", "automated_shoe"),
    (r"manual|shoe", "manual_shoe"),
)  # fmt: skip
START_WORDS: Final = (
    (r"rng|random|generator", "rng"), (r"button", "button"), (r"shaker|dice", "shaker"),
)  # fmt: skip
"""The same in longer phrases, the first that fits."""


def method(word: Any) -> events.DealMethod:
    """How cards are dealt."""
    return METHODS[_spelled(METHODS, METHOD_WORDS, word, "a way to deal")]


def start(word: Any) -> events.StartMethod:
    """How a starting position is found."""
    return STARTS[_spelled(STARTS, START_WORDS, word, "a way to find the start")]


def _spelled(known: Container[str], spellings: Spellings, word: Any, what: str) -> str:
    if word in known:
        return str(word)
    for pattern, name in spellings:
        if re.search(pattern, words.plain(str(word))):
            return name
    raise NotTranslatable(f"not a word for {what}: {word!r}")


DEVICES: Final = {
    "generator": ("GENERATOR-1", events.Bureau.GAMING_LABORATORY_OPERATIONS),
    "button": ("BUTTON-1", events.Bureau.GAMING_OPERATIONS),
    "reshuffler": ("RESHUFFLER-1", events.Bureau.GAMING_LABORATORY_OPERATIONS),
    "marker": ("MARKER-1", events.Bureau.GAMING_OPERATIONS),
}
"""Each device of a table that may need an approval, and the bureau that gives it."""
APPROVED: Final = {
    "rng_approved": "generator",
    "generator_approved": "generator",
    "button_approved": "button",
    "reshuffler_approved": "reshuffler",
    "marker_approved": "marker",
}
"""Words of a setup for whether a device was approved."""
WORDS: Final = frozenset(
    {"house_way", "bonus_odds", "main_odds", "no_bonus_lines", "bonus_paytable", "decks", "devices",
     "preinspected_and_preshuffled", "seated", "options_filed", "layout", "shaker_approved",
     *APPROVED}
)  # fmt: skip
"""Words of a setup of this game beside those of its defaults."""
SEATS: Final = tuple(str(number) for number in range(2, 8))


def odds(keys: Keys) -> dict[tuple[str, str | None], str]:
    """The filed paytable: A, B, C, or eleven odds of its own; null leaves a line out."""
    found = dict(words.ASIA_POKER_ODDS)
    table, listed = keys.take("paytable"), keys.take("bonus_odds")
    main = keys.take("main_odds")
    if table in ("B", "C"):
        found[("Bonus Wager", "Natural straight flush")] = "50:1"
    if table == "C":
        found[("Bonus Wager", "Four of a kind")] = "25:1"
    missing = [None] * (len(HAND_ORDER) - len(listed)) if listed else []
    for hand, pays in zip(HAND_ORDER, [*(listed or ()), *missing], strict=False):
        if pays is None:
            found.pop(("Bonus Wager", hand))
        else:
            found[("Bonus Wager", hand)] = words.odds(pays)
    if main is not None:
        found[("Asia Poker Wager", None)] = words.odds(main)
    if keys.take("no_bonus_lines"):
        found = {row: pays for row, pays in found.items() if row[0] != "Bonus Wager"}
    return found


class Options:
    """What the setup files for the game."""

    def __init__(self, keys: Keys) -> None:
        def truth(name: str) -> bool | None:
            return truth_or_none(keys.take(name), name)

        self.filed = truth_or_none(keys.take("options_filed", default=True), "options_filed")
        self.bonus, self.adjacent = truth("bonus_offered"), truth("adjacent_areas")
        self.straight = truth("a234_straight_lowest")
        self.straight_flush = truth("a234_straight_flush_lowest")
        self.maximum = whole_or_none(keys.take("max_payout_cents"), "max_payout_cents")
        self.named = keys.take("bonus_paytable")
        self.method = method(keys.take("dealing"))
        self.start = start(keys.take("start_device"))
        shuffled = str(keys.take("shuffler", default="automated"))
        self.by_hand = shuffled in ("manual", "none", "dealer", "hand")
        self.way = keys.take("house_way")
        self.decks = keys.take("decks")
        self.prepared = keys.take("preinspected_and_preshuffled")
        devices = dict(keys.take("devices", default={}))
        for word, name in APPROVED.items():
            if keys.has(word) and not keys.take(word):
                devices[name] = "not approved"
        self.devices = {name: devices.get(name, "approved") for name in DEVICES}
        self.seated = keys.take("seated")
        self.opened = False

    def file(self, scene: Scene, house: House) -> None:
        """The options and the house way, with the submission that they belong to."""
        if not house.filings:
            return
        filing = house.filings[0]
        if self.filed:
            scene.timeline.add(
                filing.filed_at, HOUSE, events.AsiaPokerOptionsFiled, SETUP,
                submission=filing.name, bonus_offered=self.bonus, bonus_paytable=self.named,
                adjacent_areas=self.adjacent, a234_straight_lowest=self.straight,
                a234_straight_flush_lowest=self.straight_flush, maximum_payout_cents=self.maximum,
                dealing=(self.method,), starting=(self.start,), two_decks=bool(self.decks),
            )  # fmt: skip
        if self.way is not None:
            scene.timeline.add(
                filing.filed_at, HOUSE, events.HouseWayFiled, SETUP,
                submission=filing.name, text=str(self.way), steps=house_way(self.way),
            )  # fmt: skip

    def approve(self, scene: Scene, at: int) -> None:
        """The bureaus' approvals of generator, button, reshuffler and marker."""
        for name, said in self.devices.items():
            device, bureau = DEVICES[name]
            if said == "approved":
                scene.timeline.add(
                    at, HOUSE, events.EquipmentApproved, SETUP,
                    equipment=device, bureau=bureau, withdrawn=False,
                )  # fmt: skip


def house_way(said: Any) -> tuple[events.HouseWayStep, ...]:
    """A way in words ("the highest high hand, then ..."), in order, or steps."""
    if isinstance(said, list) and all(isinstance(one, str) for one in said):
        return (events.HouseWayStep(holding=None, prefer=tuple(said)),)
    if isinstance(said, list):
        return tuple(
            events.HouseWayStep(holding=one.get("holding"), prefer=tuple(one["prefer"]))
            for one in said
        )
    found = re.findall(r"(highest|lowest) (high|medium|low)", str(said))
    if not found:
        raise NotTranslatable(f"not a way of setting hands: {said!r}")
    return (events.HouseWayStep(holding=None, prefer=tuple(" ".join(one) for one in found)),)


def layout_words(house: House, said: Any) -> dict[str, Any]:
    """The words for the layout; those of this game alone are handed back."""
    keys = Keys(said or {}, "layout")
    own = {
        "player_hand_areas": keys.take("player_hand_areas", default=["high", "medium", "low"]),
        "dealer_hand_areas": keys.take("dealer_hand_areas", default=["high", "medium", "low"]),
        "positions": keys.take("positions", default=6),
        "payout_limit": keys.take("payout_limit", default="as filed"),
    }
    setups.layout_words(house, keys)
    keys.finish()
    return own


def inspect(scene: Scene, house: House, own: dict[str, Any], options: Options, at: int) -> None:
    """What only this game's layout and table have."""
    for item in ("player_hand_areas", "dealer_hand_areas"):
        hands = tuple(events.Seen(name=name, value=None) for name in own[item])
        look(scene, house.table, at, events.Subject.LAYOUT, house.layout, item, True, hands)
    count = whole(own["positions"], "positions")
    places = tuple(events.Seen(name=str(number), value=None) for number in range(2, 2 + count))
    look(scene, house.table, at, events.Subject.TABLE, house.table, "positions", True, places)
    areas = words.wagers_of(GAME) if house.areas is None else house.areas
    seen = tuple(events.Seen(name=area, value=None) for area in areas)
    found = "Asia Poker Wager" in areas
    look(scene, house.table, at, events.Subject.LAYOUT, house.layout, "wager_areas", found, seen)
    limit = own["payout_limit"]
    if limit == "as filed":
        limit = options.maximum
    if limit is not None:
        shown = (events.Seen(name=str(limit), value=None),)
        look(
            scene, house.table, at, events.Subject.LAYOUT, house.layout, "payout_limit", True, shown
        )
    elif options.maximum is not None:
        look(scene, house.table, at, events.Subject.LAYOUT, house.layout, "payout_limit", False)


def open_table(
    scene: Scene, house: House, deck: Any, dice_said: Any, shaker_approved: Any, options: Options
) -> None:
    """Staff, shaker, dice, the table's opening and its decks."""
    table, add, at = scene.table, scene.timeline.add, scene.at(setups.ARRIVED)
    setups.staff(scene, table, STAFF, at)
    blank = Moment(scene, table, at, Keys({}, "setup"), SETUP, "shaker_placed")
    dice.approve_shaker(blank, "manual", events.ShakerKind.MANUAL, shaker_approved)
    table.shakers["manual"], table.shaker = events.ShakerKind.MANUAL, "manual"
    shaker = shaker_of(table.name, "manual")
    add(at, table.name, events.ShakerPlaced, SETUP, shaker=shaker, kind=events.ShakerKind.MANUAL)
    keys = Keys(dice_said or {}, "dice")
    count = whole(keys.take("count", default=3), "dice")
    hours = whole(keys.take("placed_hours_before", default=1), "dice")
    keys.finish()
    table.dice = [f"d{number}" for number in range(1, count + 1)]
    if "dice_placed" not in scene.named:
        placed = tuple(events.DieIdentity(serial=one, colour=None) for one in table.dice)
        add(before(scene, 0, hours * 60), table.name, events.DiceSetPlaced, SETUP, shaker=shaker,
            dice=placed)  # fmt: skip
    if "table_opened" not in scene.named or "table_closed" in scene.named:
        add(
            scene.at(setups.OPENED), table.name, events.TableOpened, SETUP,
            game=GAME, layout=house.layout, paytable=table.submission, capture=Capture.FULL,
        )  # fmt: skip
    for seat in options.seated or ():
        opened = scene.at(setups.OPENED)
        add(opened, table.name, events.PositionTaken, SETUP, position=str(seat), patron=None)
    if "deck_placed" not in scene.named:
        _place_decks(scene, deck, options)


def _place_decks(scene: Scene, said: Any, options: Options) -> None:
    usual = {"cards": 53, "jokers": 1, "placed_hours_before": 1}
    keys = Keys({**usual, **(said or {})}, "deck")
    cards, jokers = whole(keys.need("cards"), "deck"), whole(keys.need("jokers"), "deck")
    made = whole_or_none(keys.take("jokers_made"), "deck")
    when = before(scene, 0, whole(keys.need("placed_hours_before"), "deck") * 60)
    missing, extra = keys.take("missing"), keys.take("extra")
    keys.take("design")
    keys.finish()
    for name, back in (options.decks or {"D1": "red"}).items():
        colour = None if back is None else str(back)
        prepared = options.prepared is True
        place(scene, when, str(name), colour, cards, jokers, made, prepared=prepared)
        if not prepared:
            inspected(scene, when, str(name))
        if missing or extra:
            scene.timeline.add(
                when, scene.table.name, events.DeckCounted, SETUP, deck=str(name), cards=cards,
                jokers=jokers, missing=_words(missing), extra=_words(extra), counted_by="D1",
            )  # fmt: skip


def card(word: Any) -> str:
    """A card as the facts name it."""
    text = str(word)
    return "JOKER" if text == "JK" else text.replace("T", "10", 1)


def _words(said: Any) -> tuple[str, ...] | None:
    if said is None:
        return None
    return tuple(card(word) for word in (said if isinstance(said, list) else [said]))


def place(
    scene: Scene, at: int, deck: str, back: str | None, cards: int | None, jokers: int | None,
    made: int | None = None, *, prepared: bool, origin: Any = SETUP, cover_cards: int | None = 2,
) -> None:  # fmt: skip
    """A deck comes to the table."""
    scene.timeline.add(
        at, scene.table.name, events.DeckPlaced, origin,
        deck=deck, cards=cards, jokers=jokers, jokers_made=made, cover_cards=cover_cards, back=back,
        design="approved", preinspected_and_preshuffled=prepared, placed_by="D1",
    )  # fmt: skip


def inspected(scene: Scene, at: int, deck: str) -> None:
    """The dealer's inspection, and the floorperson's verification of it."""
    scene.timeline.add(
        at, scene.table.name, events.DeckInspected, SETUP,
        deck=deck, fit=True, defects=None, inspected_by="D1",
    )  # fmt: skip
    scene.timeline.add(
        at, scene.table.name, events.DeckInspectionVerified, SETUP, deck=deck, verified_by="F1"
    )


__all__ = [
    "DAY", "DEVICES", "GAME", "METHODS", "SEATS", "STARTS", "Options", "card", "inspect",
    "inspected", "layout_words", "method", "odds", "open_table", "place", "start",
]  # fmt: skip
