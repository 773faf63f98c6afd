"""Cases in the vocabulary of the Asia Poker file, and the facts of that table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ledger.events import (
    AsiaPokerOptionsFiled,
    BettingOpened,
    ButtonPlaced,
    CardDevice,
    CardDeviceFailed,
    CardDeviceFault,
    CardDeviceFixed,
    CardsCut,
    CardsDealt,
    CardsDiscarded,
    CardsShuffled,
    CardsSpread,
    CardsWashed,
    DealBegan,
    DealDirection,
    DealMethod,
    DeckInspected,
    DeckInspectionVerified,
    DeckPlaced,
    DeckRemoved,
    DiceSetPlaced,
    DiceSetRemoved,
    DiceShaken,
    DiceThrown,
    DiceTotalAnnounced,
    Die,
    DieIdentity,
    Discard,
    ExposureChoice,
    ExposureChoiceMade,
    GeneratorShown,
    HandExposed,
    HandFouled,
    HandSet,
    HandSurrendered,
    HouseWayFiled,
    HouseWayStep,
    Irregularity,
    IrregularityFound,
    MisdealDetermined,
    NoMoreBetsAnnounced,
    NoRollCalled,
    OutOfOrderShown,
    PositionLeft,
    RemainingCardsCounted,
    RemainingCardsExposed,
    Role,
    SecondJokerRemoved,
    Seen,
    ShakerCovered,
    ShakerKind,
    ShakerPlaced,
    ShakerUncovered,
    ShuffleMethod,
    Stack,
    StartDetermined,
    StartMarked,
    StartMethod,
    Subject,
    SurrenderedCardsCounted,
    TableOpened,
    WagerPlaced,
    WhichHand,
)
from ledger.events.enums import Capture
from tests.conformance import dice, setups, words
from tests.conformance.in_order import DAY, Filing, House, Sign, look, shaker_of
from tests.conformance.keys import Keys, NotTranslatable, truth_or_none, whole, whole_or_none
from tests.conformance.scene import Moment, Scene
from tests.conformance.timeline import HOUSE, SETUP
from tests.conformance.walk import OF_GAME, before, earliest_second, prepare, told, walk

GAME: Final = words.ASIA_POKER
STAFF: Final = [("floorperson", "F1"), ("dealer", "D1")]
HAND_ORDER: Final = tuple(on for wager, on in words.ASIA_POKER_ODDS if wager == "Bonus Wager")
METHODS: Final = {
    "manual_shoe": DealMethod.MANUAL_SHOE,
    "hand": DealMethod.HAND,
    "automated_shoe": DealMethod.AUTOMATED_SHOE,
    "reshuffler": DealMethod.RESHUFFLER,
}
STARTS: Final = {
    "shaker": StartMethod.SHAKER,
    "rng": StartMethod.GENERATOR,
    "button": StartMethod.FLAT_BUTTON,
}
HOUSE_WAY: Final = ("highest high", "highest medium", "highest low")


def translate(case: Mapping[str, Any], defaults: Mapping[str, Any]) -> Scene:
    """Tell a case as facts.

    Raises:
        NotTranslatable: it uses words that the vocabulary does not have, or that facts cannot say.
    """
    said = dict(case.get("setup") or {})
    keys = Keys({**defaults, **said}, "setup")
    of = setups.clock(keys.take("property"))
    at, start = (
        setups.evening(keys.take("gaming_day", default="2012-09-01"), of),
        keys.take("start"),
    )
    at = at if start is None else setups.moment(start)
    name = str(keys.take("table", default="AP-01"))
    scene = setups.open_scene(at, of, name, GAME)
    facts = told(case.get("facts") or [])
    first = before(scene, min(setups.ARRIVED, earliest_second(facts)), 0)
    for word in ("edition", "note", "staff"):
        keys.take(word)
    house = House(name, GAME)
    odds = _odds(keys)
    long_ago = first - 6 * DAY
    house.filings = [Filing(f"RS-{name}", long_ago, long_ago, odds)]
    house.printed = setups.printed(odds, None, GAME)
    house.limits = setups.limits_of(keys.take("limits"), GAME)
    house.sign = Sign("LS-1")
    scene.table.submission = house.filings[0].name
    options = _Options(keys)
    deck, dice_said = keys.take("deck"), keys.take("dice")
    for word in ("decks", "preinspected_and_preshuffled", "shuffler"):
        keys.take(word)
    keys.finish()
    prepare(scene, facts)
    scene.notice["asia"] = options
    setups.set_the_scene(scene, house, first)
    options.file(scene, house)
    _inspect(scene, house, before(scene, 0, 121))
    _open(scene, house, deck, dice_said, options)
    walk(scene, facts)
    return scene


def _odds(keys: Keys) -> dict[tuple[str, str | None], str]:
    odds = dict(words.ASIA_POKER_ODDS)
    table, listed = keys.take("paytable"), keys.take("bonus_odds")
    keys.take("bonus_paytable")
    if table in ("B", "C"):
        odds[("Bonus Wager", "Natural straight flush")] = "50:1"
    if table == "C":
        odds[("Bonus Wager", "Four of a kind")] = "25:1"
    for hand, pays in zip(HAND_ORDER, listed or (), strict=False):
        odds[("Bonus Wager", hand)] = words.odds(pays)
    return odds


class _Options:
    """What the setup files for the game."""

    def __init__(self, keys: Keys) -> None:
        def truth(name: str) -> bool | None:
            return truth_or_none(keys.take(name), name)

        self.bonus, self.adjacent = truth("bonus_offered"), truth("adjacent_areas")
        self.straight = truth("a234_straight_lowest")
        self.straight_flush = truth("a234_straight_flush_lowest")
        self.maximum = whole_or_none(keys.take("max_payout_cents"), "max_payout_cents")
        self.method = METHODS[str(keys.take("dealing"))]
        self.start = STARTS[str(keys.take("start_device"))]
        self.by_hand = keys.peek("shuffler") == "manual"
        self.way = keys.take("house_way")
        self.decks = keys.peek("decks")
        self.prepared = keys.peek("preinspected_and_preshuffled")
        self.shuffled = self.opened = False

    def file(self, scene: Scene, house: House) -> None:
        """The options, with the submission that they belong to."""
        filing = house.filings[0]
        scene.timeline.add(
            filing.filed_at, HOUSE, AsiaPokerOptionsFiled, SETUP,
            submission=filing.name, bonus_offered=self.bonus, bonus_paytable=None,
            adjacent_areas=self.adjacent, a234_straight_lowest=self.straight,
            a234_straight_flush_lowest=self.straight_flush, maximum_payout_cents=self.maximum,
            dealing=(self.method,), starting=(self.start,), two_decks=bool(self.decks),
        )  # fmt: skip
        if self.way is not None:
            prefer = tuple(self.way) if isinstance(self.way, list) else HOUSE_WAY
            step = HouseWayStep(holding=None, prefer=prefer)
            scene.timeline.add(
                filing.filed_at, HOUSE, HouseWayFiled, SETUP,
                submission=filing.name, text=str(self.way), steps=(step,),
            )  # fmt: skip


def _inspect(scene: Scene, house: House, at: int) -> None:
    hands = tuple(Seen(name=name, value=None) for name in ("high", "medium", "low"))
    for item in ("player_hand_areas", "dealer_hand_areas"):
        look(scene, house.table, at, Subject.LAYOUT, house.layout, item, True, hands)
    places = tuple(Seen(name=str(number), value=None) for number in range(2, 8))
    look(scene, house.table, at, Subject.TABLE, house.table, "positions", True, places)


def _open(scene: Scene, house: House, deck: Any, dice_said: Any, options: _Options) -> None:
    table, add, at = scene.table, scene.timeline.add, scene.at(setups.ARRIVED)
    setups.staff(scene, table, STAFF, at)
    blank = Moment(scene, table, at, Keys({}, "setup"), SETUP, "shaker_placed")
    dice.approve_shaker(blank, "manual", ShakerKind.MANUAL, True)
    table.shakers["manual"], table.shaker = ShakerKind.MANUAL, "manual"
    shaker = shaker_of(table.name, "manual")
    add(at, table.name, ShakerPlaced, SETUP, shaker=shaker, kind=ShakerKind.MANUAL)
    keys = Keys(dice_said or {}, "dice")
    count = whole(keys.take("count", default=3), "dice")
    hours = whole(keys.take("placed_hours_before", default=1), "dice")
    keys.finish()
    table.dice = [f"d{number}" for number in range(1, count + 1)]
    if "dice_placed" not in scene.named:
        placed = tuple(DieIdentity(serial=one, colour=None) for one in table.dice)
        add(before(scene, 0, hours * 60), table.name, DiceSetPlaced, SETUP, shaker=shaker,
            dice=placed)  # fmt: skip
    add(
        scene.at(setups.OPENED), table.name, TableOpened, SETUP,
        game=GAME, layout=house.layout, paytable=table.submission, capture=Capture.FULL,
    )  # fmt: skip
    if "deck_placed" in scene.named:
        return
    usual = {"cards": 53, "jokers": 1, "placed_hours_before": 1}
    inner = Keys({**usual, **(deck or {})}, "deck")
    cards, jokers = whole(inner.need("cards"), "deck"), whole(inner.need("jokers"), "deck")
    when = before(scene, 0, whole(inner.need("placed_hours_before"), "deck") * 60)
    inner.take("missing", "design")
    inner.finish()
    named = options.decks or {"D1": "red"}
    for deck_name, back in named.items():
        _place(scene, when, str(deck_name), str(back), cards, jokers, prepared=False)
        _inspected(scene, when, str(deck_name))


def _place(
    scene: Scene, at: int, deck: str, back: str | None, cards: int, jokers: int, *, prepared: bool,
    origin: Any = SETUP,
) -> None:  # fmt: skip
    scene.timeline.add(
        at, scene.table.name, DeckPlaced, origin,
        deck=deck, cards=cards, jokers=jokers, jokers_made=None, cover_cards=2, back=back,
        design="approved", preinspected_and_preshuffled=prepared, placed_by="D1",
    )  # fmt: skip


def _inspected(scene: Scene, at: int, deck: str) -> None:
    scene.timeline.add(
        at, scene.table.name, DeckInspected, SETUP,
        deck=deck, fit=True, defects=None, inspected_by="D1",
    )  # fmt: skip
    scene.timeline.add(
        at, scene.table.name, DeckInspectionVerified, SETUP, deck=deck, verified_by="F1"
    )


# --- facts ---------------------------------------------------------------------------------------


def _options(m: Moment) -> _Options:
    found = m.scene.notice["asia"]
    assert isinstance(found, _Options)
    return found


def _position(m: Moment) -> str:
    return str(m.keys.need("position"))


def _card(word: Any) -> str:
    text = str(word)
    return "JOKER" if text == "JK" else text.replace("T", "10", 1)


def _cards(said: Any) -> tuple[str, ...] | None:
    return tuple(_card(word) for word in said) if isinstance(said, list) else None


def _count(said: Any) -> int | None:
    if isinstance(said, list):
        return len(said)
    return said if isinstance(said, int) else None


def betting_opened(m: Moment) -> None:
    m.keys.take("round")
    _shuffle_unless_told(m)
    m.add(BettingOpened)
    _options(m).opened = True


def _shuffle_unless_told(m: Moment) -> None:
    if "shuffled" not in m.scene.named and not _options(m).prepared:
        m.add(
            CardsShuffled, deck=None, method=ShuffleMethod.AUTOMATED, device_id=None,
            completed=True, kept_in_device=False, shuffled_by=None, directed_by=None,
        )  # fmt: skip


def shuffled(m: Moment) -> None:
    by = str(m.keys.take("by", default="automated_shuffler"))
    machine = "shuffler" in by
    m.add(
        CardsShuffled,
        deck=m.keys.take("deck"),
        method=ShuffleMethod.AUTOMATED if machine else ShuffleMethod.MANUAL,
        device_id="SH-1" if machine else None,
        completed=truth_or_none(m.keys.take("completed", default=True), m.keys.where),
        kept_in_device=truth_or_none(m.keys.take("kept_in_device"), m.keys.where),
        shuffled_by=None if machine else "D1",
        directed_by=m.keys.take("directed_by"),
    )


def cut(m: Moment) -> None:
    keys = m.keys
    m.add(
        CardsCut, deck=keys.take("deck"), cover_card_depth=keys.take("cover_card_depth"),
        recut=truth_or_none(keys.take("recut", default=m.name == "recut"), keys.where),
        ordered_by=keys.take("ordered_by"), cut_by=keys.take("by", default="D1"),
    )  # fmt: skip


def shaken(m: Moment) -> None:
    shakes = whole_or_none(m.keys.take("shakes"), m.keys.where)
    covered = truth_or_none(m.keys.take("covered", default=False), m.keys.where)
    m.keys.take("by")
    shaker = shaker_of(m.table.name, "manual")
    if covered:
        m.add(ShakerCovered, shaker=shaker)
    m.add(
        DiceShaken, shaker=shaker, kind=ShakerKind.MANUAL, shakes=shakes, shaken_by="D1",
        role=Role.DEALER,
    )  # fmt: skip


def uncovered(m: Moment) -> None:
    seen = [Keys(one, m.keys.where) for one in m.keys.need("dice")]
    rested = tuple(
        Die(
            serial=m.table.dice[place] if place < len(m.table.dice) else None,
            colour=None,
            face=whole_or_none(one.take("face"), one.where),
            rest=words.rest(one.take("rests", "rest")),
        )
        for place, one in enumerate(seen)
    )
    shaker = shaker_of(m.table.name, "manual")
    m.add(ShakerUncovered, shaker=shaker)
    m.add(DiceThrown, dice=rested, thrown_by="D1")


def called(m: Moment) -> None:
    m.keys.take("by")
    m.add(
        DiceTotalAnnounced, total=whole(m.keys.need("total"), m.keys.where),
        correction=truth_or_none(m.keys.take("correction"), m.keys.where), announced_by="D1",
    )  # fmt: skip


def no_roll(m: Moment) -> None:
    m.keys.take("called_by", "by")
    m.add(NoRollCalled, reason=m.keys.take("reason", "why"), called_by="D1")


def rng_shown(m: Moment) -> None:
    if not _options(m).opened:
        betting_opened(m)
        m.add(NoMoreBetsAnnounced, announced_by="D1", role=Role.DEALER)
    m.add(GeneratorShown, device_id=None, number=whole(m.keys.need("number"), m.keys.where))


def button(m: Moment) -> None:
    m.add(ButtonPlaced, device_id=None, position=_position(m))


def start_found(m: Moment) -> None:
    keys = m.keys
    method = STARTS.get(str(keys.take("method", default="")), _options(m).start)
    position = keys.take("position")
    m.add(
        StartDetermined, method=method, number=keys.take("number"),
        position=None if position is None else str(position), determined_by="D1",
    )  # fmt: skip


def start_marked(m: Moment) -> None:
    m.add(StartMarked, position=_position(m), marker=m.keys.take("marker"))


def deal_began(m: Moment) -> None:
    """The first card or stack of a round; what is not told before it is in order."""
    keys, options = m.keys, _options(m)
    told_round, position = keys.take("round"), keys.take("position")
    start, deck = keys.take("start_position"), keys.take("deck")
    if told_round is not None or not options.opened:
        betting_opened(m)
        m.add(NoMoreBetsAnnounced, announced_by="D1", role=Role.DEALER)
    if start is not None or m.name == "round_dealt_with":
        place = None if start is None else str(start)
        m.add(StartDetermined, method=None, number=None, position=place or "1", determined_by="D1")
        position = position if position is not None else "1"
    elif options.start is StartMethod.FLAT_BUTTON:
        m.add(ButtonPlaced, device_id=None, position=str(position))
    where = None if position is None else str(position)
    m.add(DealBegan, deck=deck, method=options.method, device_id=None, position=where)


def dealt(m: Moment) -> None:
    keys = m.keys
    method = METHODS[str(keys.take("method", default="manual_shoe"))]
    direction = str(keys.take("direction", default="clockwise"))
    stacks = tuple(
        Stack(position=str(position), cards=_cards(cards), count=_count(cards))
        for position, cards in dict(keys.need("stacks")).items()
    )
    first = keys.take("first_position")
    keys.take("deck")
    m.add(
        CardsDealt, deck=None, method=method, device_id=None,
        first_position=None if first is None else str(first),
        direction=DealDirection(direction.upper()), complete=True, stacks=stacks,
    )  # fmt: skip


def dealt_part(m: Moment) -> None:
    keys = m.keys
    method, first = METHODS[str(keys.need("method"))], whole(keys.need("first_position"), "first")
    count = whole(keys.need("stacks_delivered"), keys.where)
    order = [str((first - 1 - step) % 7 + 1) for step in range(count)]
    m.add(
        CardsDealt, deck=None, method=method, device_id=None, first_position=str(first),
        direction=DealDirection.CLOCKWISE, complete=False,
        stacks=tuple(Stack(position=one, cards=None, count=7) for one in order),
    )  # fmt: skip


def dealt_to(m: Moment) -> None:
    """One position's seven cards, all else in order."""
    position, cards = _position(m), _cards(m.keys.need("cards"))
    betting_opened(m)
    m.add(
        WagerPlaced, wager_id="W", position=position, patron=None, wager="Asia Poker Wager",
        picks=(), stake_cents=2500, instrument=words.means("chips"), coupons=(),
    )  # fmt: skip
    m.add(NoMoreBetsAnnounced, announced_by="D1", role=Role.DEALER)
    m.add(StartDetermined, method=None, number=None, position="1", determined_by="D1")
    m.add(
        CardsDealt, deck=None, method=_options(m).method, device_id=None, first_position="1",
        direction=DealDirection.CLOCKWISE, complete=True,
        stacks=(Stack(position=position, cards=cards, count=7),),
    )  # fmt: skip
    m.add(RemainingCardsCounted, deck=None, cards=4, face_down=True, counted_by="D1")


def remaining_counted(m: Moment) -> None:
    cards = whole(m.keys.need("cards"), m.keys.where)
    m.add(RemainingCardsCounted, deck=None, cards=cards, face_down=True, counted_by="D1")


def hand_set(m: Moment) -> None:
    keys, position = m.keys, _position(m)
    by = str(keys.take("by", default="dealer" if position == "1" else "player"))
    m.add(
        HandSet, position=position, role=Role.DEALER if by == "dealer" else Role.PATRON,
        set_by=None, high=_cards(keys.take("high")), medium=_cards(keys.take("medium")),
        low=_cards(keys.take("low")), reset=truth_or_none(keys.take("reset"), keys.where),
    )  # fmt: skip


def hand_exposed(m: Moment) -> None:
    keys, position = m.keys, _position(m)
    said, which = keys.take("cards"), keys.take("which")
    hand = None if which is None else WhichHand(str(which).upper())
    by, during = keys.take("by", default="dealer"), keys.take("during")
    count = _count(said)
    m.add(
        HandExposed, position=position, hand=hand or (WhichHand.ALL if count == 7 else None),
        cards=_cards(said), count=count, during_deal=during == "deal",
        role=words.role(by), exposed_by=None,
    )  # fmt: skip


def choice(m: Moment) -> None:
    keys = m.keys
    word = str(keys.need("choice"))
    chosen = ExposureChoice.VOID if word == "void" else ExposureChoice.PLAY_OUT
    looked = keys.take("looked_at_unexposed_cards", "looked")
    patron = keys.take("patron")
    m.add(
        ExposureChoiceMade, position=_position(m), patron=patron, choice=chosen,
        looked=truth_or_none(looked, keys.where),
    )  # fmt: skip


def surrendered(m: Moment) -> None:
    m.add(
        HandSurrendered, position=_position(m), patron=m.keys.take("patron"),
        wager_id=m.keys.take("wager"),
    )  # fmt: skip


def surrendered_counted(m: Moment) -> None:
    keys = m.keys
    m.add(
        SurrenderedCardsCounted, position=_position(m), cards=whole(keys.need("cards"), keys.where),
        face_down=True, exposed=truth_or_none(keys.take("exposed"), keys.where), counted_by="D1",
    )  # fmt: skip


def fouled(m: Moment) -> None:
    m.add(HandFouled, position=_position(m), reason=m.keys.take("reason"), ruled_by="D1")


DISCARDS: Final = {
    "remaining cards": Discard.REMAINING_CARDS,
    "stack of a position without a wager": Discard.EMPTY_POSITION,
    "hands of a position": Discard.PLAYER_HANDS,
    "hands of the dealer": Discard.DEALER_HANDS,
    "surrendered cards": Discard.SURRENDERED,
    "face-up card": Discard.FACE_UP_CARD,
    "card drawn in error": Discard.DRAWN_IN_ERROR,
}


def discarded(m: Moment) -> None:
    keys = m.keys
    position, said = keys.take("position"), keys.take("cards")
    m.add(
        CardsDiscarded, kind=DISCARDS.get(str(keys.need("what")), Discard.OTHER),
        position=None if position is None else str(position), deck=keys.take("deck"),
        cards=_cards(said), count=_count(said),
        face_down=truth_or_none(keys.take("face_down"), keys.where),
        kept_together=truth_or_none(keys.take("kept_together"), keys.where), discarded_by="D1",
    )  # fmt: skip


IRREGULAR: Final = (
    ("incorrect number", Irregularity.WRONG_NUMBER_OF_CARDS),
    ("drawn in error", Irregularity.CARD_DRAWN_IN_ERROR),
    ("not four cards", Irregularity.WRONG_NUMBER_REMAINING),
    ("during a hand deal", Irregularity.EXPOSED_IN_HAND_DEAL),
    ("mistotalled", Irregularity.WRONG_TOTAL_AND_POSITION),
    ("face up", Irregularity.CARD_FACE_UP),
    ("dealer's card", Irregularity.DEALER_CARD_EXPOSED),
    ("player's card", Irregularity.PLAYER_CARD_EXPOSED),
)


def irregularity(m: Moment) -> None:
    keys = m.keys
    what = str(keys.need("what"))
    if ("shoe" in what and "face up" not in what) or "shuffler" in what:
        _device(m, what)
        return
    found = next((one for word, one in IRREGULAR if word in what), None)
    if found is None:
        raise NotTranslatable(f"{keys.where}: not an irregularity: {what!r}")
    said, position = keys.take("cards"), keys.take("position")
    m.add(
        IrregularityFound, irregularity=found,
        position=None if position is None else str(position), cards=_cards(said),
        count=_count(said), exposed=False if "not exposed" in what else None,
        used_as_next_card=truth_or_none(keys.take("used_as_next_card"), keys.where), note=what,
        found_by="D1",
    )  # fmt: skip


def _card_device(word: str) -> CardDevice:
    return CardDevice.SHUFFLER if "shuffler" in word else CardDevice.AUTOMATED_SHOE


def _device(m: Moment, what: str) -> None:
    faults = (("jam", CardDeviceFault.JAMMED), ("stop", CardDeviceFault.STOPPED),
              ("out of use", CardDeviceFault.OUT_OF_USE))  # fmt: skip
    fault = next((one for word, one in faults if word in what), CardDeviceFault.NOT_COMPLETED)
    device = _card_device(what)
    if "repaired" in what or "fixed" in what:
        m.add(CardDeviceFixed, device=device, device_id=None)
    else:
        m.add(CardDeviceFailed, device=device, device_id=None, fault=fault, note=what)


def out_of_order_sign(m: Moment) -> None:
    device = _card_device(str(m.keys.need("device")))
    covered = truth_or_none(m.keys.take("covered"), m.keys.where)
    m.add(OutOfOrderShown, device=device, device_id=None, covered=covered, sign=True, shown_by="D1")


def deck_placed(m: Moment) -> None:
    keys = m.keys
    prepared = bool(keys.take("preinspected_and_preshuffled", default=False))
    deck, back = str(keys.need("deck")), keys.take("back", default="red")
    cards, jokers = keys.take("cards", default=53), keys.take("jokers", default=1)
    _place(m.scene, m.time, deck, back, cards, jokers, prepared=prepared, origin=m.origin)
    if not prepared and "deck_inspected" not in m.scene.named:
        _inspected(m.scene, m.time, deck)


def deck_changed(m: Moment) -> None:
    removed, placed = str(m.keys.need("removed")), str(m.keys.need("placed"))
    m.add(DeckRemoved, deck=removed, whole_deck=True, reason=None, removed_by="D1")
    _place(m.scene, m.time, placed, "red", 53, 1, prepared=False, origin=m.origin)
    _inspected(m.scene, m.time, placed)


def deck_removed(m: Moment) -> None:
    whole_deck = truth_or_none(m.keys.take("whole_deck"), m.keys.where)
    deck = str(m.keys.take("deck", default="D1"))
    m.add(DeckRemoved, deck=deck, whole_deck=whole_deck, reason=None, removed_by="D1")


def deck_inspected(m: Moment) -> None:
    m.keys.take("by")
    deck = str(m.keys.take("deck", default="D1"))
    m.add(DeckInspected, deck=deck, fit=True, defects=None, inspected_by="D1")


def inspection_verified(m: Moment) -> None:
    m.keys.take("by")
    deck = str(m.keys.take("deck", default="D1"))
    m.add(DeckInspectionVerified, deck=deck, verified_by="F1")


def second_joker_removed(m: Moment) -> None:
    keys = m.keys
    keys.take("by")
    torn = truth_or_none(keys.take("torn", default=True), keys.where)
    m.add(
        SecondJokerRemoved, deck=str(keys.take("deck", default="D1")), torn=torn,
        returned_to_container=True, removed_by="D1", seen_by="F1",
    )  # fmt: skip


def spread(m: Moment) -> None:
    face_up = truth_or_none(m.keys.take("face_up"), m.keys.where)
    m.add(CardsSpread, deck=m.keys.take("deck"), face_up=face_up, spread_by="D1")


def washed(m: Moment) -> None:
    m.add(CardsWashed, deck=m.keys.take("deck"), washed_by="D1")


def misdeal(m: Moment) -> None:
    found = truth_or_none(m.keys.take("misdealt"), m.keys.where)
    m.add(MisdealDetermined, misdealt=found, positions=None, determined_by="D1")


def stub_exposed(m: Moment) -> None:
    said = m.keys.take("cards")
    m.add(RemainingCardsExposed, cards=_cards(said), count=_count(said), exposed_by=None)


def left_table(m: Moment) -> None:
    m.keys.take("patron")
    m.add(PositionLeft, position=_position(m), patron=None)


def dice_placed(m: Moment) -> None:
    count = whole(m.keys.take("count", default=3), m.keys.where)
    m.table.dice = [f"d{number}" for number in range(1, count + 1)]
    placed = tuple(DieIdentity(serial=one, colour=None) for one in m.table.dice)
    m.add(DiceSetPlaced, shaker=shaker_of(m.table.name, "manual"), dice=placed)


def dice_removed(m: Moment) -> None:
    m.add(DiceSetRemoved, dice=tuple(m.table.dice))


def filed(m: Moment) -> None:
    """What the setup files is told once more."""
    m.keys.rest()


def compared(m: Moment) -> None:
    """No event of the floor: the ranking is asked directly."""
    keys = m.keys
    keys.take("cards_in_hand")
    m.scene.notice["compared"] = (_cards(keys.need("a")), _cards(keys.need("b")))


HANDLERS: Final = {
    "betting_opened": betting_opened, "shuffled": shuffled, "cut": cut, "recut": cut,
    "shaken": shaken, "uncovered": uncovered, "called": called, "no_roll": no_roll,
    "rng_shown": rng_shown, "button_placed": button, "button": button, "start_found": start_found,
    "start_marked": start_marked, "dealt_first_card": deal_began, "dealt_first_stack": deal_began,
    "round_dealt_with": deal_began, "dealt": dealt, "dealt_part": dealt_part, "dealt_to": dealt_to,
    "remaining_counted": remaining_counted, "hand_set": hand_set, "hand_exposed": hand_exposed,
    "choice_after_exposure": choice, "surrendered": surrendered,
    "surrendered_cards_counted": surrendered_counted, "fouled": fouled, "discarded": discarded,
    "irregularity": irregularity, "out_of_order_sign": out_of_order_sign,
    "deck_placed": deck_placed, "deck_changed": deck_changed, "deck_removed": deck_removed,
    "deck_inspected": deck_inspected, "inspection_verified": inspection_verified,
    "deck_verified": inspection_verified, "second_joker_removed": second_joker_removed,
    "spread": spread, "washed": washed, "misdeal_determined": misdeal,
    "remaining_exposed": stub_exposed, "left_table": left_table, "dice_placed": dice_placed,
    "dice_removed": dice_removed, "rules_submission_filed": filed, "compared": compared,
}  # fmt: skip

OF_GAME[GAME] = HANDLERS
