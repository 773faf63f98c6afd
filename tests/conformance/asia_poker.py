"""Cases in the vocabulary of the Asia Poker file, and the facts of that table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from ledger import events
from ledger.kernel import MICROSECONDS
from tests.conformance import asia_setup, limits, setups, words
from tests.conformance.in_order import Filing, House, Sign, shaker_of
from tests.conformance.keys import Keys, NotTranslatable, truth_or_none, whole, whole_or_none
from tests.conformance.scene import Moment, Scene
from tests.conformance.timeline import SETUP
from tests.conformance.walk import OF_GAME, Told, before, earliest_second, prepare, told, walk

GAME: Final = words.ASIA_POKER
METHODS = asia_setup.METHODS
card = asia_setup.card


def translate(case: Mapping[str, Any], defaults: Mapping[str, Any]) -> Scene:
    """Tell a case as facts.

    Raises:
        NotTranslatable: it uses words that the vocabulary does not have, or that facts cannot say.
    """
    said = {**_filed_in_facts(case.get("facts")), **(case.get("setup") or {})}
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
    odds = asia_setup.odds(keys)
    long_ago = first - 6 * asia_setup.DAY
    approved = truth_or_none(keys.take("submission_approved", default=True), "submission")
    house.filings = [Filing(f"RS-{name}", long_ago, long_ago if approved else None, odds)]
    house.printed = setups.printed(odds, None, GAME)
    apart = {"layout_approved": "approved", "positions": "positions"}
    layout = {to: keys.take(word) for word, to in apart.items() if keys.has(word)}
    own = asia_setup.layout_words(house, {**layout, **(keys.take("layout") or {})})
    setups.box_words(house, keys.take("boxes"))
    house.limits = setups.limits_of(keys.take("limits"), GAME)
    house.sign = Sign("LS-1")
    scene.table.submission = house.filings[0].name
    options = asia_setup.Options(keys)
    deck, dice_said = keys.take("deck"), keys.take("dice")
    shaker_approved = keys.take("shaker_approved", default=True)
    keys.finish()
    prepare(scene, facts)
    scene.notice["asia"] = options
    setups.set_the_scene(scene, house, first)
    options.file(scene, house)
    options.approve(scene, first - 7 * asia_setup.DAY)
    asia_setup.inspect(scene, house, own, options, before(scene, 0, 121))
    asia_setup.open_table(scene, house, deck, dice_said, shaker_approved, options)
    walk(scene, facts)
    if options.by_hand and len(options.decks or ()) > 1 and not scene.named & DEALS:
        _dealt_as_set_up(scene, next(iter(options.decks)))
    if _told_to_the_end(facts):
        at = (scene.table.last or scene.base) + MICROSECONDS
        scene.timeline.add(at, name, events.TableClosed, len(facts) - 1, reason=None)
    return scene


def _told_to_the_end(facts: list[Told]) -> bool:
    """Whether the last round is over: its cards lie in the rack, or were shuffled again."""
    names = [one["fact"] for _, one in facts]
    if not {"no_more_bets", "dealt"} & {*names} or names[-1] not in ("discarded", "shuffled"):
        return False
    what = facts[-1][1].get("what")
    return names[-1] == "shuffled" or what == "hands of the dealer"


def _filed_in_facts(facts: Any) -> dict[str, Any]:
    """What a filing told as a fact says: the setup's words, where the setup does not say them."""
    filings = [one for _, one in told(facts or []) if one["fact"] == "rules_submission_filed"]
    apart = {"t", "fact", "by", "note"}
    return {key: value for one in filings for key, value in one.items() if key not in apart}


DEALS: Final = frozenset(
    {"shuffled", "dealt", "dealt_part", "dealt_to", "dealt_first_card", "dealt_first_stack",
     "round_dealt_with"}
)  # fmt: skip


START_TOLD: Final = frozenset({"button", "button_placed", "start_found", "start_told"})


def _dealt_as_set_up(scene: Scene, deck: str) -> None:
    """The first deal of a table that the setup has shuffled by hand, where the case tells none."""
    at = scene.table.last or scene.base
    m = Moment(scene, scene.table, at, Keys({}, "setup"), SETUP, "dealt_first_card")
    betting_opened(m)
    m.add(events.NoMoreBetsAnnounced, announced_by="D1", role=events.Role.DEALER)
    m.add(events.StartDetermined, method=None, number=None, position="1", determined_by="D1")
    m.add(events.DealBegan, deck=deck, method=_options(m).method, device_id=None, position="1")


# --- facts ---------------------------------------------------------------------------------------


def _options(m: Moment) -> asia_setup.Options:
    found = m.scene.notice["asia"]
    assert isinstance(found, asia_setup.Options)
    return found


def _position(m: Moment) -> str:
    """The position that is told, else where the wager or the patron of the fact is."""
    said = m.keys.take("position")
    for key, name in (("wager", "wager_id"), ("patron", "patron")):
        if said is None and m.keys.peek(key) is not None:
            said = m.scene.timeline.position(**{name: m.keys.peek(key)})
    return str(m.keys.need("position") if said is None else said)


def _cards(said: Any) -> tuple[str, ...] | None:
    return tuple(card(word) for word in said) if isinstance(said, list) else None


def _count(said: Any) -> int | None:
    if isinstance(said, list):
        return len(said)
    return said if isinstance(said, int) else None


def betting_opened(m: Moment) -> None:
    m.keys.take("round")
    _shuffle_unless_told(m)
    m.add(events.BettingOpened)
    _options(m).opened = True


def _round_under_way(m: Moment) -> None:
    """A case that begins with the start of the deal: betting was opened and closed before."""
    if not _options(m).opened and "betting_opened" not in m.scene.named:
        betting_opened(m)
        m.add(events.NoMoreBetsAnnounced, announced_by="D1", role=events.Role.DEALER)


def _shuffle_unless_told(m: Moment) -> None:
    """A case that tells a whole round tells of its shuffle, too; any other leaves it unsaid."""
    whole_round = {"betting_opened", "dealt"} <= m.scene.named
    if "shuffled" in m.scene.named or _options(m).prepared or whole_round:
        return
    if _options(m).by_hand:
        _by_hand(m)
    else:
        m.add(
            events.CardsShuffled, deck=None, method=events.ShuffleMethod.AUTOMATED, device_id=None,
            completed=True, kept_in_device=False, shuffled_by=None, directed_by=None,
        )  # fmt: skip


def _by_hand(m: Moment) -> None:
    deck = next(iter(_options(m).decks or ()), None)
    m.add(
        events.CardsShuffled, deck=deck, method=events.ShuffleMethod.MANUAL, device_id=None, completed=True,
        kept_in_device=False, shuffled_by="D1", directed_by=None,
    )  # fmt: skip
    m.add(
        events.CardsCut, deck=deck, cover_card_depth=15, recut=False, ordered_by=None, cut_by="D1"
    )


def shuffled(m: Moment) -> None:
    by = str(m.keys.take("by", default="automated_shuffler"))
    machine = re.search(r"shuffle|auto|machine|device", by) is not None
    m.add(
        events.CardsShuffled,
        deck=m.keys.take("deck"),
        method=None
        if by == "unrecorded"
        else events.ShuffleMethod.RESHUFFLER
        if by == "reshuffler"
        else events.ShuffleMethod.AUTOMATED
        if machine
        else events.ShuffleMethod.MANUAL,
        device_id=_device_id(m, "reshuffler") if by == "reshuffler" else "SH-1",
        completed=truth_or_none(m.keys.take("completed", default=True), m.keys.where),
        kept_in_device=truth_or_none(m.keys.take("kept_in_device"), m.keys.where),
        shuffled_by=None if machine else "D1",
        directed_by=m.keys.take("directed_by"),
    )


def cut(m: Moment) -> None:
    keys = m.keys
    m.add(
        events.CardsCut, deck=keys.take("deck"), cover_card_depth=keys.take("cover_card_depth", default=15),
        recut=truth_or_none(keys.take("recut", default=m.name == "recut"), keys.where),
        ordered_by=keys.take("ordered_by"), cut_by=keys.take("by", default="D1"),
    )  # fmt: skip


def shaken(m: Moment) -> None:
    _round_under_way(m)
    covered = truth_or_none(m.keys.take("covered", default=False), m.keys.where)
    shakes = whole_or_none(m.keys.take("shakes", default=1 if covered else 3), m.keys.where)
    m.keys.take("by")
    shaker = shaker_of(m.table.name, "manual")
    if covered:
        m.add(events.ShakerCovered, shaker=shaker)
    m.add(
        events.DiceShaken, shaker=shaker, kind=events.ShakerKind.MANUAL, shakes=shakes, shaken_by="D1",
        role=events.Role.DEALER,
    )  # fmt: skip


def uncovered(m: Moment) -> None:
    seen = [Keys(one, m.keys.where) for one in m.keys.need("dice")]
    rested = tuple(
        events.Die(
            serial=m.table.dice[place] if place < len(m.table.dice) else None,
            colour=None,
            face=whole_or_none(one.take("face"), one.where),
            rest=words.rest(one.take("rests", "rest")),
        )
        for place, one in enumerate(seen)
    )
    shaker = shaker_of(m.table.name, "manual")
    m.add(events.ShakerUncovered, shaker=shaker)
    m.add(events.DiceThrown, dice=rested, thrown_by="D1")


def called(m: Moment) -> None:
    m.keys.take("by")
    m.add(
        events.DiceTotalAnnounced, total=whole(m.keys.need("total"), m.keys.where),
        correction=truth_or_none(m.keys.take("correction"), m.keys.where), announced_by="D1",
    )  # fmt: skip


def no_roll(m: Moment) -> None:
    m.keys.take("called_by", "by")
    m.add(events.NoRollCalled, reason=m.keys.take("reason", "why"), called_by="D1")


def _device_id(m: Moment, name: str) -> str | None:
    """The device that is told, else the table's own; one that the setup calls unknown has no id."""
    known = None if _options(m).devices[name] == "unknown" else asia_setup.DEVICES[name][0]
    found = m.keys.take("device", default=known)
    return None if found is None else str(found)


def rng_shown(m: Moment) -> None:
    _round_under_way(m)
    device = _device_id(m, "generator")
    m.add(
        events.GeneratorShown, device_id=device, number=whole(m.keys.need("number"), m.keys.where)
    )


def button(m: Moment) -> None:
    m.add(events.ButtonPlaced, device_id=_device_id(m, "button"), position=_position(m))


def start_found(m: Moment) -> None:
    keys = m.keys
    said = keys.take("method")
    method = _options(m).start if said is None else asia_setup.start(said)
    position = keys.take("position")
    m.add(
        events.StartDetermined, method=method, number=keys.take("number"),
        position=None if position is None else str(position), determined_by="D1",
    )  # fmt: skip


def start_told(m: Moment) -> None:
    """The start, with nothing said of how it was found."""
    m.add(
        events.StartDetermined, method=None, number=None, position=_position(m), determined_by="D1"
    )


def start_marked(m: Moment) -> None:
    m.add(events.StartMarked, position=_position(m), marker=_device_id(m, "marker"))


def deal_began(m: Moment) -> None:
    """The first card or stack of a round; what is not told before it is in order."""
    keys, options = m.keys, _options(m)
    told_round, position = keys.take("round"), keys.take("position")
    start, deck = keys.take("start_position"), keys.take("deck")
    method = _method(m)
    button = keys.take("button_at")
    if told_round is not None or not options.opened:
        betting_opened(m)
        m.add(events.NoMoreBetsAnnounced, announced_by="D1", role=events.Role.DEALER)
    if start is not None or m.name == "round_dealt_with":
        place = None if start is None else str(start)
        m.add(
            events.StartDetermined,
            method=None,
            number=None,
            position=place or "1",
            determined_by="D1",
        )
        position = position if position is not None else place or "1"
    elif options.start is events.StartMethod.FLAT_BUTTON and (button or position) is not None:
        device = _device_id(m, "button")
        m.add(events.ButtonPlaced, device_id=device, position=str(button or position))
    where = None if position is None else str(position)
    device = _device_id(m, "reshuffler") if method is METHODS["reshuffler"] else None
    m.add(events.DealBegan, deck=deck, method=method, device_id=device, position=where)


def _method(m: Moment) -> events.DealMethod:
    said = m.keys.take("method")
    return _options(m).method if said is None else asia_setup.method(said)


def _button_at(m: Moment, first: Any) -> None:
    """The button where the deal begins, in a case of a button that tells of it nowhere else."""
    by_button = _options(m).start is events.StartMethod.FLAT_BUTTON
    if by_button and first is not None and not m.scene.named & START_TOLD:
        device = _device_id(m, "button")
        m.add(events.ButtonPlaced, device_id=device, position=str(first))


def dealt(m: Moment) -> None:
    keys = m.keys
    method = _method(m)
    turned = words.direction(keys.take("direction", default="clockwise"))
    stacks = tuple(
        events.Stack(position=str(position), cards=_cards(cards), count=_count(cards))
        for position, cards in dict(keys.need("stacks")).items()
    )
    first = keys.take("first_position")
    complete = truth_or_none(keys.take("complete", default=True), keys.where)
    device = _device_id(m, "reshuffler") if method is METHODS["reshuffler"] else None
    _button_at(m, first)
    m.add(
        events.CardsDealt, deck=keys.take("deck"), method=method, device_id=device,
        first_position=None if first is None else str(first),
        direction=None if turned is None else events.DealDirection[turned.name], complete=complete, stacks=stacks,
    )  # fmt: skip


def dealt_part(m: Moment) -> None:
    keys = m.keys
    method = _method(m)
    first = whole(keys.need("first_position"), "first")
    count = whole(keys.need("stacks_delivered"), keys.where)
    order = [str((first - 1 - step) % 7 + 1) for step in range(count)]
    _button_at(m, first)
    m.add(
        events.CardsDealt, deck=None, method=method, device_id=None, first_position=str(first),
        direction=events.DealDirection.CLOCKWISE, complete=False,
        stacks=tuple(events.Stack(position=one, cards=None, count=7) for one in order),
    )  # fmt: skip


def dealt_to(m: Moment) -> None:
    """One position's seven cards, all else in order."""
    position, cards = _position(m), _cards(m.keys.need("cards"))
    betting_opened(m)
    m.add(
        events.WagerPlaced, wager_id="W", position=position, patron=None, wager="Asia Poker Wager",
        picks=(), stake_cents=2500, instrument=words.means("chips"), coupons=(),
    )  # fmt: skip
    m.add(events.NoMoreBetsAnnounced, announced_by="D1", role=events.Role.DEALER)
    m.add(events.StartDetermined, method=None, number=None, position="1", determined_by="D1")
    m.add(
        events.CardsDealt, deck=None, method=_options(m).method, device_id=None, first_position="1",
        direction=events.DealDirection.CLOCKWISE, complete=True,
        stacks=(events.Stack(position=position, cards=cards, count=7),),
    )  # fmt: skip
    m.add(events.RemainingCardsCounted, deck=None, cards=4, face_down=True, counted_by="D1")


def remaining_counted(m: Moment) -> None:
    cards = whole(m.keys.take("cards", default=4), m.keys.where)
    down = truth_or_none(m.keys.take("face_down", default=True), m.keys.where)
    m.add(events.RemainingCardsCounted, deck=None, cards=cards, face_down=down, counted_by="D1")


def hand_set(m: Moment) -> None:
    keys, position = m.keys, _position(m)
    by = str(keys.take("by", default="dealer" if position == "1" else "player"))
    m.add(
        events.HandSet, position=position, role=m.scene.who(m.table, by, None)[1],
        set_by=None, high=_cards(keys.take("high")), medium=_cards(keys.take("medium")),
        low=_cards(keys.take("low")), reset=truth_or_none(keys.take("reset"), keys.where),
    )  # fmt: skip


def hand_exposed(m: Moment) -> None:
    if "remain" in str(m.keys.take("what", default=m.keys.peek("position"))):
        for word in ("position", "by", "during"):
            m.keys.take(word)
        stub_exposed(m)
        return
    keys, position = m.keys, _position(m)
    said, which = keys.take("cards"), keys.take("which")
    hand = None if which is None else events.WhichHand(str(which).upper())
    by, during = keys.take("by", default="dealer"), keys.take("during")
    count = _count(said)
    m.add(
        events.HandExposed, position=position, hand=hand or (events.WhichHand.ALL if count == 7 else None),
        cards=_cards(said), count=count, during_deal=during == "deal",
        role=words.role(by), exposed_by=None,
    )  # fmt: skip


def choice(m: Moment) -> None:
    keys = m.keys
    word = str(keys.need("choice"))
    chosen = events.ExposureChoice.VOID if "void" in word else events.ExposureChoice.PLAY_OUT
    looked = keys.take("looked_at_unexposed_cards", "looked")
    patron = keys.take("patron")
    m.add(
        events.ExposureChoiceMade, position=_position(m), patron=patron, choice=chosen,
        looked=truth_or_none(looked, keys.where),
    )  # fmt: skip


def surrendered(m: Moment) -> None:
    m.add(
        events.HandSurrendered, position=_position(m), patron=m.keys.take("patron"),
        wager_id=m.keys.take("wager"),
    )  # fmt: skip


def surrendered_counted(m: Moment) -> None:
    keys = m.keys
    m.add(
        events.SurrenderedCardsCounted, position=_position(m), cards=whole(keys.take("cards", default=7), keys.where),
        face_down=True, exposed=truth_or_none(keys.take("exposed"), keys.where), counted_by="D1",
    )  # fmt: skip


def fouled(m: Moment) -> None:
    m.add(events.HandFouled, position=_position(m), reason=m.keys.take("reason"), ruled_by="D1")


DISCARDS: Final = (
    (r"remain|stub", events.Discard.REMAINING_CARDS),
    (r"without a wager|empty", events.Discard.EMPTY_POSITION),
    (r"surrender", events.Discard.SURRENDERED),
    (r"face.?up", events.Discard.FACE_UP_CARD),
    (r"drawn in error", events.Discard.DRAWN_IN_ERROR),
    (r"dealer", events.Discard.DEALER_HANDS),
    (r"position|player|hands", events.Discard.PLAYER_HANDS),
)
"""What goes into the rack, by its words: the first that fits."""


def discarded(m: Moment) -> None:
    keys = m.keys
    position, said, what = keys.take("position"), keys.take("cards"), str(keys.need("what"))
    kinds = (kind for words, kind in DISCARDS if re.search(words, what.lower()))
    m.add(
        events.CardsDiscarded, kind=next(kinds, events.Discard.OTHER),
        position=None if position is None else str(position), deck=keys.take("deck"),
        cards=_cards(said), count=_count(said),
        face_down=truth_or_none(keys.take("face_down"), keys.where),
        kept_together=truth_or_none(keys.take("kept_together"), keys.where), discarded_by="D1",
    )  # fmt: skip


IRREGULAR: Final = (
    (r"not four|remain|left over", events.Irregularity.WRONG_NUMBER_REMAINING),
    (r"mistotal|wrong total|incorrectly total|total.*(wrong|incorrect)",
     events.Irregularity.WRONG_TOTAL_AND_POSITION),
    (r"face[ -]up", events.Irregularity.CARD_FACE_UP),
    (r"drawn (from the (shoe|deck) )?(in error|by mistake|too many|too early)", events.Irregularity.CARD_DRAWN_IN_ERROR),
    (r"(incorrect|wrong) number|misdeal|too (many|few)|(six|eight|6|8) cards",
     events.Irregularity.WRONG_NUMBER_OF_CARDS),
    (r"(expos|shown|turned).*(hand deal|from the hand)", events.Irregularity.EXPOSED_IN_HAND_DEAL),
    (r"player.*(expos|shown|turned)|exposed by the dealer|dealer (expos|show|turn).*player",
     events.Irregularity.PLAYER_CARD_EXPOSED),
    (r"dealer.*(expos|shown|turned)|(expos|shown|turned).*dealer",
     events.Irregularity.DEALER_CARD_EXPOSED),
    (r"dealer.*(not set|set .*(wrong|incorrect)|misset|filed way|house way)",
     events.Irregularity.DEALER_HANDS_MISSET),
)  # fmt: skip
FAILED: Final = r"jam|stop|fail|malfunction|out of|broken|breaks|did not|does not|cannot|not (deal|finish|complet)|incomplete|repaired|fixed"


def _was_exposed(what: str) -> bool | None:
    hidden = r"not exposed|unexposed|without its face|face not"
    return False if re.search(hidden, what) else True if "exposed" in what else None


def irregularity(m: Moment) -> None:
    """What the table took for irregular; of words that mean none of the kinds it keeps the words."""
    keys = m.keys
    what = str(keys.need("what")).lower()
    if re.search(r"(remain|stub).*(expos|shown)", what):
        stub_exposed(m)
        return
    if re.search(r"\bshoe\b|shuffl", what) and re.search(FAILED, what):
        _device(m, what)
        return
    said, position = keys.take("cards"), keys.take("position")
    found = next((one for word, one in IRREGULAR if re.search(word, what)), None)
    if found is None and "exposed" in what and position is not None:
        dealers = str(position) == "1"
        found = (
            events.Irregularity.DEALER_CARD_EXPOSED
            if dealers
            else events.Irregularity.PLAYER_CARD_EXPOSED
        )
    several = said is None and re.search(r"\bcards\b.*face|more than one", what)
    m.add(
        events.IrregularityFound, irregularity=found or events.Irregularity.OTHER,
        position=None if position is None else str(position), cards=_cards(said),
        count=2 if several else _count(said), exposed=_was_exposed(what),
        used_as_next_card=truth_or_none(keys.take("used_as_next_card"), keys.where), note=what,
        found_by="D1",
    )  # fmt: skip


def _card_device(word: str) -> events.CardDevice:
    if "reshuffl" in word:
        return events.CardDevice.RESHUFFLER
    return events.CardDevice.SHUFFLER if "shuffl" in word else events.CardDevice.AUTOMATED_SHOE


def _device(m: Moment, what: str) -> None:
    faults = (
        (r"jam", events.CardDeviceFault.JAMMED),
        (r"stop", events.CardDeviceFault.STOPPED),
        (r"out of|cannot|broken|breaks|malfunction", events.CardDeviceFault.OUT_OF_USE),
    )
    fault = next(
        (one for word, one in faults if re.search(word, what)), events.CardDeviceFault.NOT_COMPLETED
    )
    device = _card_device(what)
    if "repaired" in what or "fixed" in what:
        m.add(events.CardDeviceFixed, device=device, device_id=None)
    else:
        m.add(events.CardDeviceFailed, device=device, device_id=None, fault=fault, note=what)


def out_of_order_sign(m: Moment) -> None:
    device = _card_device(str(m.keys.need("device")))
    covered = truth_or_none(m.keys.take("covered"), m.keys.where)
    sign = truth_or_none(m.keys.take("sign", default=True), m.keys.where)
    m.add(
        events.OutOfOrderShown,
        device=device,
        device_id=None,
        covered=covered,
        sign=sign,
        shown_by="D1",
    )


def device_covered(m: Moment) -> None:
    device = _card_device(str(m.keys.need("device")))
    m.add(
        events.OutOfOrderShown,
        device=device,
        device_id=None,
        covered=True,
        sign=None,
        shown_by="D1",
    )


def deck_placed(m: Moment) -> None:
    keys = m.keys
    prepared = bool(keys.take("preinspected_and_preshuffled", default=False))
    deck, back = str(keys.take("deck", default="D1")), keys.take("back", default="red")
    cards, jokers = keys.take("cards", default=53), keys.take("jokers", default=1)
    made = keys.take("jokers_made")
    covers = whole_or_none(keys.take("cover_cards", default=2), keys.where)
    asia_setup.place(
        m.scene, m.time, deck, back, cards, jokers, made, prepared=prepared, origin=m.origin,
        cover_cards=covers,
    )  # fmt: skip
    if (
        not prepared
        and keys.take("inspected", default=not _about_the_opening(m))
        and "deck_inspected" not in m.scene.named
    ):
        asia_setup.inspected(m.scene, m.time, deck)


def _about_the_opening(m: Moment) -> bool:
    """Whether a case tells how a table is opened and ends there: then it tells all of that."""
    told = (DEALS - {"shuffled"}) | {"deck_changed"}
    return "betting_opened" in m.scene.named and not m.scene.named & told


def deck_counted(m: Moment) -> None:
    keys = m.keys
    m.add(
        events.DeckCounted, deck=keys.take("deck"), cards=whole(keys.need("cards"), keys.where),
        jokers=whole_or_none(keys.take("jokers"), keys.where), missing=_cards(keys.take("missing")),
        extra=_cards(keys.take("extra")), counted_by="D1",
    )  # fmt: skip


def sign_posted(m: Moment) -> None:
    """A sign with the payout odds, the payout limit, or both."""
    keys = m.keys
    shown = words.paytable(words.ASIA_POKER_ODDS) if keys.take("odds") else None
    m.add(
        events.RulesSignPosted, sign=str(keys.take("sign", default="RULES-1")), odds=shown,
        payout_limit_cents=whole_or_none(keys.take("payout_limit_cents"), keys.where), text=None,
    )  # fmt: skip


def sign_removed(m: Moment) -> None:
    m.add(events.RulesSignRemoved, sign=str(m.keys.take("sign", default="RULES-1")))


def announced(m: Moment) -> None:
    """What the dealer says of one Asia Poker Wager."""
    keys = m.keys
    m.add(
        events.ResultAnnounced, position=_position(m), wager_id=keys.take("wager"),
        outcome=events.SettledAs(str(keys.need("result")).upper()), announced_by="D1",
    )  # fmt: skip


def hand_voided(m: Moment) -> None:
    m.add(
        events.HandVoided, position=_position(m), reason=m.keys.take("reason"), declared_by="D1",
    )  # fmt: skip


def device_placed(m: Moment) -> None:
    name = str(m.keys.need("device_kind"))
    kinds = {"generator": events.CardDevice.GENERATOR, "button": events.CardDevice.FLAT_BUTTON,
             "reshuffler": events.CardDevice.RESHUFFLER, "marker": events.CardDevice.START_MARKER}  # fmt: skip
    device = _device_id(m, name)
    m.add(events.CardDevicePlaced, device=kinds[name], device_id=str(device))


def shaker_covered(m: Moment) -> None:
    m.add(events.ShakerCovered, shaker=shaker_of(m.table.name, "manual"))


def shaker_taken(m: Moment) -> None:
    m.add(events.ShakerRemoved, shaker=shaker_of(m.table.name, "manual"))


def deck_changed(m: Moment) -> None:
    removed = str(m.keys.take("removed", default="D1"))
    placed = str(m.keys.take("placed", default="D2"))
    m.add(events.DeckRemoved, deck=removed, whole_deck=True, reason=None, removed_by="D1")
    asia_setup.place(m.scene, m.time, placed, "red", 53, 1, prepared=False, origin=m.origin)
    asia_setup.inspected(m.scene, m.time, placed)


def deck_removed(m: Moment) -> None:
    whole_deck = truth_or_none(m.keys.take("whole_deck"), m.keys.where)
    deck = str(m.keys.take("deck", default="D1"))
    m.add(events.DeckRemoved, deck=deck, whole_deck=whole_deck, reason=None, removed_by="D1")


def deck_inspected(m: Moment) -> None:
    keys = m.keys
    by, deck = str(keys.take("by", default="dealer")), str(keys.take("deck", default="D1"))
    fit = truth_or_none(keys.take("fit", default=True), keys.where)
    who = {"dealer": "D1", "floorperson": "F1"}.get(by, by)
    m.add(events.DeckInspected, deck=deck, fit=fit, defects=keys.take("defects"), inspected_by=who)
    verified = keys.take("verified_by")
    if verified is not None:
        verifier = "F1" if verified == "floorperson" else str(verified)
        m.add(events.DeckInspectionVerified, deck=deck, verified_by=verifier)


def inspection_verified(m: Moment) -> None:
    by = str(m.keys.take("by", default="floorperson"))
    deck = str(m.keys.take("deck", default="D1"))
    m.add(events.DeckInspectionVerified, deck=deck, verified_by="F1" if by == "floorperson" else by)


def second_joker_removed(m: Moment) -> None:
    keys = m.keys
    keys.take("by")
    torn = truth_or_none(keys.take("torn", default=True), keys.where)
    m.add(
        events.SecondJokerRemoved, deck=str(keys.take("deck", default="D1")), torn=torn,
        returned_to_container=truth_or_none(
            keys.take("returned", "returned_to_container", default=True), keys.where
        ),
        removed_by="D1", seen_by="F1",
    )  # fmt: skip


def spread(m: Moment) -> None:
    face_up = truth_or_none(m.keys.take("face_up"), m.keys.where)
    m.add(events.CardsSpread, deck=m.keys.take("deck"), face_up=face_up, spread_by="D1")


def washed(m: Moment) -> None:
    m.add(events.CardsWashed, deck=m.keys.take("deck"), washed_by="D1")


def misdeal(m: Moment) -> None:
    found = truth_or_none(m.keys.take("misdealt"), m.keys.where)
    m.add(events.MisdealDetermined, misdealt=found, positions=None, determined_by="D1")


def stub_exposed(m: Moment) -> None:
    said = m.keys.take("cards")
    m.add(events.RemainingCardsExposed, cards=_cards(said), count=_count(said), exposed_by=None)


def left_table(m: Moment) -> None:
    position = _position(m)
    m.keys.take("patron")
    m.add(events.PositionLeft, position=position, patron=None)


def dice_placed(m: Moment) -> None:
    count = whole(m.keys.take("count", default=3), m.keys.where)
    m.table.dice = [f"d{number}" for number in range(1, count + 1)]
    placed = tuple(events.DieIdentity(serial=one, colour=None) for one in m.table.dice)
    m.add(events.DiceSetPlaced, shaker=shaker_of(m.table.name, "manual"), dice=placed)


def dice_removed(m: Moment) -> None:
    m.add(events.DiceSetRemoved, dice=tuple(m.table.dice))


def filed(m: Moment) -> None:
    """What the setup files is told once more; in a case of the general provisions it is news."""
    if m.scene.in_order:
        limits.rules_submission_filed(m)
    else:
        m.keys.rest()


def compared(m: Moment) -> None:
    """No event of the floor: the ranking is asked directly."""
    keys = m.keys
    keys.take("cards_in_hand")
    both = (_cards(keys.need("a")), _cards(keys.need("b")))
    if any(cards is None or len(cards) not in (1, 2, 4) for cards in both):
        raise NotTranslatable(f"{keys.where}: a hand has four cards, two or one")
    m.scene.notice["compared"] = both


HANDLERS: Final = {
    "betting_opened": betting_opened, "shuffled": shuffled, "cut": cut, "recut": cut,
    "shaken": shaken, "uncovered": uncovered, "called": called, "no_roll": no_roll,
    "rng_shown": rng_shown, "button_placed": button, "button": button, "start_found": start_found,
    "start_marked": start_marked, "start_told": start_told, "dealt_first_card": deal_began, "dealt_first_stack": deal_began,
    "round_dealt_with": deal_began, "dealt": dealt, "dealt_part": dealt_part, "dealt_to": dealt_to,
    "remaining_counted": remaining_counted, "hand_set": hand_set, "hand_exposed": hand_exposed,
    "choice_after_exposure": choice, "surrendered": surrendered,
    "surrendered_cards_counted": surrendered_counted, "fouled": fouled, "discarded": discarded,
    "irregularity": irregularity, "out_of_order_sign": out_of_order_sign,
    "deck_placed": deck_placed, "deck_changed": deck_changed, "deck_removed": deck_removed,
    "second_joker_torn": second_joker_removed, "joker_torn": second_joker_removed,
    "deck_inspected": deck_inspected, "inspection_verified": inspection_verified,
    "deck_verified": inspection_verified, "deck_inspection_verified": inspection_verified,
    "verified": inspection_verified, "device_covered": device_covered, "second_joker_removed": second_joker_removed,
    "spread": spread, "washed": washed, "misdeal_determined": misdeal,
    "remaining_exposed": stub_exposed, "left_table": left_table, "dice_placed": dice_placed,
    "deck_counted": deck_counted, "rules_sign_posted": sign_posted,
    "rules_sign_removed": sign_removed, "announced": announced, "hand_voided": hand_voided,
    "device_placed": device_placed, "shaker_covered": shaker_covered,
    "shaker_removed": shaker_taken,
    "dice_removed": dice_removed, "rules_submission_filed": filed, "compared": compared,
}  # fmt: skip

OF_GAME[GAME] = HANDLERS
