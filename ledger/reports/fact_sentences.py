"""One fact as a line for people: what happened, who did it, and everything else that it records.

A fact of play has a sentence of its own; whatever that sentence leaves out follows it, field by
field, so that nothing a fact records is ever hidden. A field that is null was not recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from ledger import events
from ledger.kernel import PropertyClock, dollars, event_words, legible, plural, times, visible
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.drawing import names_of, rest_words
from ledger.reports.phrases import short_dollars

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_HEAD: Final = frozenset({"stream", "seq", "event_time", "source", "recorded_by"})
_UNITS: Final = ("_cents", "_thousandths", "_micros", "_time")


def wager_name(wager: str, picks: tuple[int, ...]) -> str:
    """A wager with its picks: "Two Dice Combination 3 5"."""
    return " ".join([wager, *map(str, picks)])


def card_words(cards: Sequence[str]) -> str:
    """Cards side by side, suits as signs: "K♣ 10♥ joker"."""
    return " ".join(card_word(card) for card in cards)


def card_word(card: str) -> str:
    """One card of the record, such as ``10H``, with its suit as a sign."""
    if card == "JOKER":
        return "joker"
    return card[:-1] + _SUITS[card[-1]] if card[-1:] in _SUITS else card


_SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of its own, and the fields of the fact that it already says."""

    words: str
    says: tuple[str, ...] = ()


def tell(fact: events.Fact, clock: PropertyClock) -> str:
    """Everything that a fact records, in one line.

    Args:
        fact: any fact.
        clock: the property's, for times that a fact carries beside its own.
    """
    own = _OWN.get(type(fact))
    sentence = Sentence(event_words(type(fact).__name__)) if own is None else own(fact)
    rest = list(_fields(fact, _HEAD.union(sentence.says), clock))
    colon = ": " if own is None else "; "
    return printable(sentence.words + (colon + ", ".join(rest) if rest else ""))


def page_value(content: object) -> object:
    """What a page fills in: a text with its hidden signs shown, anything else as it is."""
    match content:
        case Markup():
            return Markup(visible(content))
        case str():
            return visible(content)
    return content


def printable(text: str) -> str:
    """The text on one line; what a terminal would obey is shown instead: a line end as ``\\n``."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


# ------------------------------------------------------------------ any fact


def _fields(
    record: DataclassInstance, without: frozenset[str], clock: PropertyClock
) -> Iterator[str]:
    """The fields that were recorded and no sentence says, each with its name."""
    happened = getattr(record, "event_time", None)
    for field in fields(record):
        content = getattr(record, field.name)
        if field.name in without or content is None:
            continue
        name = field.name
        for unit in _UNITS:
            name = name.removesuffix(unit)
        name = name.replace("_", " ")
        if isinstance(content, bool):
            yield name if content else f"not {name}"
        elif name.startswith("for gaming"):
            yield f"for {_content(field.name, content, clock)}"
        elif _is_time(field.name) and isinstance(content, int) and happened is not None:
            yield f"{name} {_moment(content, happened, clock)}"
        else:
            yield f"{name} {_content(field.name, content, clock)}"


def _is_time(name: str) -> bool:
    """Whether a field of this name is a time, by what schemas/README.md says of names."""
    return name.endswith("_time") or name == "since"


def _moment(moment: int, happened: int, clock: PropertyClock) -> str:
    """A time that a fact carries, with its date where the fact happened on another."""
    local = clock.local(moment)
    is_same = local.date() == clock.local(happened).date()
    return f"{local:%H:%M:%S}" if is_same else f"{local:%Y-%m-%d %H:%M:%S}"


def _content(name: str, content: object, clock: PropertyClock) -> str:
    """The content of one field as people read it; the field's name has its unit."""
    match content:
        case bool():
            return "yes" if content else "no"
        case int() if name.endswith("_cents"):
            return dollars(content)
        case int() if name.endswith("_thousandths"):
            return _thousandths(content)
        case int() if name.endswith("_micros"):
            return f"{_thousandths(content // 1000)} s" if content % 1000 == 0 else f"{content} µs"
        case int() if _is_time(name):
            return f"{clock.local(content):%Y-%m-%d %H:%M:%S}"
        case Enum():
            return spoken(content)
        case bytes():
            return legible(content)
        case ():
            return "none"
        case tuple():
            return " ".join(_content(name, part, clock) for part in content)
        case None:
            return "not recorded"
    if is_dataclass(content) and not isinstance(content, type):
        return f"({', '.join(_fields(content, frozenset(), clock))})"
    return str(content)


def _thousandths(thousandths: int) -> str:
    whole, rest = divmod(abs(thousandths), 1000)
    sign = "-" if thousandths < 0 else ""
    return f"{sign}{whole}.{rest:03}".rstrip("0").rstrip(".") if rest else f"{sign}{whole}"


def spoken(word: Enum) -> str:
    """A symbol of a schema as people say it."""
    return str(word.value).lower().replace("_", " ")


def _by(person: str | None, role: events.Role | None = None) -> str:
    """Who did it: " by D-1", " by dealer D-1", " by a dealer"."""
    if role is None or role is events.Role.UNRECOGNISED:
        return f" by {person}" if person else ""
    return f" by {spoken(role)} {person}" if person else f" by a {spoken(role)}"


def _said_by(role: events.Role | None) -> tuple[str, ...]:
    """The field of the role, where ``_by`` says it."""
    return () if role is events.Role.UNRECOGNISED else ("role",)


def _whether(flag: bool | None, is_so: str, is_not: str) -> str:
    """One of two phrases after a comma, nothing where it was not recorded."""
    return "" if flag is None else f", {is_so if flag else is_not}"


def _named(noun: str, name: str | None) -> str:
    """A piece of equipment with its name, where that was recorded: "shaker SH-1"."""
    return f"{noun} {name}" if name else noun


def _player(patron: str | None, position: str | None) -> str:
    """A patron and the seat: "p-12, position 3"; "a player" where neither was recorded."""
    seat = f"position {position}" if position else ""
    return ", ".join(filter(None, (patron, seat))) or "a player"


def _because(reason: str | None) -> str:
    return f" ({reason})" if reason else ""


def _at_position(position: str | None) -> str:
    return f", position {position}" if position else ""


# ------------------------------------------------------------------ wagers


def _placed(fact: events.WagerPlaced) -> Sentence:
    means = _MEANS.get(fact.instrument, "") if fact.instrument else ""
    laid = "".join(f", {_coupon(coupon)}" for coupon in fact.coupons)
    stake, wager = short_dollars(fact.stake_cents), wager_name(fact.wager, fact.picks)
    seat = _at_position(fact.position)
    return Sentence(
        f"{fact.wager_id}: {stake}{means} on {wager}{_by(fact.patron)}{seat}{laid}",
        ("wager_id", "stake_cents", "wager", "picks", "patron", "position", "coupons")
        + (("instrument",) if means else ()),
    )


_MEANS: Final = {
    events.Instrument.CHIPS: " in chips",
    events.Instrument.PLAQUES: " in plaques",
    events.Instrument.CASH: " in cash",
    events.Instrument.SPOKEN_WITH_CASH: " spoken, with cash",
    events.Instrument.ELECTRONIC_CREDIT: " of electronic credit",
}


def _coupon(laid: events.CouponLaid) -> str:
    return f"coupon {laid.serial} on {short_dollars(laid.chips_cents)} of chips"


def _increased(fact: events.WagerIncreased) -> Sentence:
    means = _MEANS.get(fact.instrument, "") if fact.instrument else ""
    return Sentence(
        f"{fact.wager_id}: {short_dollars(fact.added_cents)} more{means}",
        ("wager_id", "added_cents") + (("instrument",) if means else ()),
    )


def _moved(fact: events.WagerMoved) -> Sentence:
    wager = wager_name(fact.wager, fact.picks)
    return Sentence(f"{fact.wager_id}: moved to {wager}", ("wager_id", "wager", "picks"))


def _taken_down(fact: events.WagerTakenDown) -> Sentence:
    part = "" if fact.taken_cents is None else f", {short_dollars(fact.taken_cents)}"
    return Sentence(f"{fact.wager_id}: taken down{part}", ("wager_id", "taken_cents"))


def _returned(fact: events.WagerReturned) -> Sentence:
    part = "" if fact.returned_cents is None else f", {short_dollars(fact.returned_cents)}"
    return Sentence(
        f"{fact.wager_id}: handed back{part}{_because(fact.reason)}",
        ("wager_id", "returned_cents", "reason"),
    )


def _refused(fact: events.WagerRefused) -> Sentence:
    of = f" of {fact.patron}" if fact.patron else ""
    return Sentence(
        f"{fact.wager_id or 'a wager'}{of}: refused{_because(fact.reason)}",
        ("wager_id", "patron", "reason"),
    )


def _settled(fact: events.WagerSettled) -> Sentence:
    parts = []
    if fact.winnings_cents or fact.outcome is events.SettledAs.WON:
        parts.append(f"paid {dollars(fact.winnings_cents)}")
    if fact.stake_taken_cents or fact.outcome is events.SettledAs.LOST:
        parts.append(f"collected {dollars(fact.stake_taken_cents)}")
    return Sentence(
        ", ".join((f"{fact.wager_id}: settled as {spoken(fact.outcome)}", *parts)),
        ("wager_id", "outcome", "winnings_cents", "stake_taken_cents"),
    )


def _take_down_refused(fact: events.TakeDownRefused) -> Sentence:
    return Sentence(
        f"{fact.wager_id}: request to take it down refused{_because(fact.reason)}",
        ("wager_id", "reason"),
    )


# ------------------------------------------------------------------ a table and what stands there


def _wheel(fact: events.WheelPlaced) -> Sentence:
    """A wheel; its sections one by one are left to the list of its fields."""
    turned = _whether(fact.read_clockwise, "read clockwise", "read counterclockwise")
    clapper = _whether(fact.clapper, "with a clapper", "without a clapper")
    spaced = _whether(fact.equally_spaced, "equally spaced", "not equally spaced")
    odds = ""
    if fact.odds_shown is not None:
        listed = [f"{each.section} pays {each.odds}" for each in fact.odds_shown]
        odds = f"; odds shown: {', '.join(listed) or 'none'}"
    sections = " ".join(fact.sections) or "none"
    return Sentence(
        f"wheel {fact.wheel} placed, {plural(len(fact.sections), 'section')}{spaced}{clapper}"
        f"{odds}; sections{turned}: {sections}",
        ("wheel", "sections", "read_clockwise", "clapper", "equally_spaced", "odds_shown"),
    )


_CAPTURES: Final = {
    events.Capture.FULL: "every wager and settlement recorded",
    events.Capture.OUTCOME: "results and announcements recorded",
    events.Capture.COUNTS: "fills, credits, drop and coupons recorded",
}


def _table_opened(fact: events.TableOpened) -> Sentence:
    paytable = f", paytable {fact.paytable}" if fact.paytable is not None else ""
    capture = _CAPTURES.get(fact.capture, "")
    return Sentence(
        f"table opened for {fact.game} on layout {fact.layout}{paytable}"
        + (f"; {capture}" if capture else ""),
        ("game", "layout", "paytable") + (("capture",) if capture else ()),
    )


def _bounds(minimum: int | None, maximum: int | None) -> str:
    """A minimum and a maximum in dollars: "$5 to $500", "from $5", "up to $500"."""
    if minimum is None:
        return "no amounts stated" if maximum is None else f"up to {short_dollars(maximum)}"
    if maximum is None:
        return f"from {short_dollars(minimum)}"
    return f"{short_dollars(minimum)} to {short_dollars(maximum)}"


def _wagers_limited(wager: str | None) -> str:
    return " for all wagers" if wager is None else f" on {wager}"


_BOUNDS: Final = ("wager", "minimum_cents", "maximum_cents")


def _limits_set(fact: events.LimitsSet) -> Sentence:
    bounds = _bounds(fact.minimum_cents, fact.maximum_cents)
    steps = ""
    if fact.increment_cents is not None:
        steps = f", in steps of {short_dollars(fact.increment_cents)}"
    playing = _whether(fact.patrons_playing, "while patrons played", "while nobody played")
    return Sentence(
        f"limits set{_wagers_limited(fact.wager)}: {bounds}{steps}{playing}",
        (*_BOUNDS, "increment_cents", "patrons_playing"),
    )


def _limits_sign(fact: events.LimitsSignPosted) -> Sentence:
    bounds = _bounds(fact.minimum_cents, fact.maximum_cents)
    change = _whether(fact.states_change, "announces a change", "announces no change")
    return Sentence(
        f"sign {fact.sign} posted{_wagers_limited(fact.wager)}: {bounds}{change}",
        (*_BOUNDS, "sign", "states_change"),
    )


def _limits_announced(fact: events.LimitsChangeAnnounced) -> Sentence:
    bounds = _bounds(fact.minimum_cents, fact.maximum_cents)
    return Sentence(
        f"change of limits announced{_by(fact.announced_by)}{_wagers_limited(fact.wager)}:"
        f" {bounds}",
        (*_BOUNDS, "announced_by"),
    )


def _deck_placed(fact: events.DeckPlaced) -> Sentence:
    counts = (
        (fact.cards, "card"),
        (fact.jokers, "joker"),
        (fact.jokers_made, "made joker"),
        (fact.cover_cards, "cover card"),
    )
    parts = [plural(number, noun) for number, noun in counts if number is not None]
    if fact.back is not None:
        parts.append(f"{fact.back} back")
    if fact.design is not None:
        parts.append(f"design {fact.design}")
    prepared = _whether(
        fact.preinspected_and_preshuffled,
        "inspected and shuffled beforehand",
        "not inspected and shuffled beforehand",
    )
    holds = f": {', '.join(parts)}" if parts else ""
    return Sentence(
        f"deck {fact.deck} placed{_by(fact.placed_by)}{holds}{prepared}",
        (
            *("deck", "cards", "jokers", "jokers_made", "cover_cards", "back", "design"),
            *("preinspected_and_preshuffled", "placed_by"),
        ),
    )


def _card_device(fact: events.CardDevicePlaced) -> Sentence:
    if fact.device is events.CardDevice.UNRECOGNISED:
        return Sentence(f"card device {fact.device_id} placed", ("device_id",))
    return Sentence(f"{spoken(fact.device)} {fact.device_id} placed", ("device", "device_id"))


def _shaker_placed(fact: events.ShakerPlaced) -> Sentence:
    if fact.kind is events.ShakerKind.UNRECOGNISED:
        return Sentence(f"shaker {fact.shaker} placed", ("shaker",))
    return Sentence(f"{spoken(fact.kind)} shaker {fact.shaker} placed", ("shaker", "kind"))


def _device_inspected(fact: events.DeviceInspected) -> Sentence:
    tried = []
    if fact.trial_entries is not None:
        tried.append(plural(fact.trial_entries, "trial entry", "trial entries"))
    if fact.values_per_entry is not None:
        tried.append(f"{plural(fact.values_per_entry, 'value')} each")
    if fact.operations is not None:
        tried.append(plural(fact.operations, "operation"))
    trial = f": {', '.join(tried)}" if tried else ""
    device = "device" if fact.device is events.Device.UNRECOGNISED else spoken(fact.device)
    return Sentence(
        f"{_named(device, fact.device_id)} inspected{_by(fact.inspected_by)}{trial}"
        + _whether(fact.lit_properly, "lit properly", "not lit properly")
        + _whether(fact.tossed_properly, "tossed properly", "not tossed properly")
        + _whether(fact.working, "working", "not working"),
        ("device_id", "inspected_by", "trial_entries", "values_per_entry", "operations")
        + ("lit_properly", "tossed_properly", "working")
        + (() if fact.device is events.Device.UNRECOGNISED else ("device",)),
    )


# ------------------------------------------------------------------ coupons


def _coupon_named(serial: str | None, cents: int | None, wager_id: str | None) -> str:
    """A coupon with its wager and value: "W251: $5 coupon E05-0000008"."""
    head = f"{wager_id}: " if wager_id else ""
    worth = f"{short_dollars(cents)} " if cents is not None else ""
    return f"{head}{worth}coupon {serial or 'without a serial number on record'}"


def _box(table: str | None, box: str | None) -> str:
    """Into which drop box a coupon went."""
    if not table and not box:
        return ""
    return f", into {_named('drop box', box)}" + (f" of {table}" if table else "")


_AREAS: Final = {
    events.CouponArea.BETTING_AREA: "on the betting area",
    events.CouponArea.PASS_LINE: "on the pass line",
    events.CouponArea.DONT_PASS_LINE: "on the don't pass line",
    events.CouponArea.OUTSIDE_BOX: "outside the box",
    events.CouponArea.OTHER: "on another area",
}


def _coupon_accepted(fact: events.CouponAccepted) -> Sentence:
    chips = {
        events.CouponPlace.UNDER_CHIPS: "under the chips",
        events.CouponPlace.ON_CHIPS: "on the chips",
        events.CouponPlace.BESIDE_CHIPS: "beside the chips",
    }
    place = chips.get(fact.place) if fact.place else None
    area = "" if fact.area is None else f", {_AREAS.get(fact.area, spoken(fact.area))}"
    laid, beside = fact.chips_on_cents, fact.chips_beside_cents
    words = _coupon_named(fact.serial, fact.denomination_cents, fact.wager_id)
    words += f" accepted{_by(fact.accepted_by, fact.role)}"
    words += (f", {place}" if place else "") + area
    words += _whether(fact.value_visible, "value in view", "value NOT in view")
    words += _whether(fact.expiry_checked, "expiration checked", "expiration NOT checked")
    words += f", with {short_dollars(laid)} of chips" if laid is not None else ""
    words += f", {short_dollars(beside)} of chips beside it" if beside is not None else ""
    return Sentence(
        words,
        ("serial", "wager_id", "denomination_cents", "accepted_by", "area", "value_visible")
        + ("expiry_checked", "chips_on_cents", "chips_beside_cents")
        + _said_by(fact.role)
        + (("place",) if place else ()),
    )


def _coupon_redeemed(fact: events.CouponRedeemed) -> Sentence:
    named = _coupon_named(fact.serial, fact.denomination_cents, fact.wager_id)
    decided = f", {spoken(fact.decided)}" if fact.decided else ""
    paid = f", {short_dollars(fact.paid_cents)} paid" if fact.paid_cents is not None else ""
    box = _box(fact.box_table, fact.box)
    return Sentence(
        f"{named} redeemed{_by(fact.redeemed_by, fact.role)}{decided}{paid}{box}",
        (
            "serial",
            "wager_id",
            "denomination_cents",
            "decided",
            "paid_cents",
            "box_table",
            "box",
            "redeemed_by",
            *_said_by(fact.role),
        ),
    )


def _coupon_dropped(fact: events.CouponDropped) -> Sentence:
    named = _coupon_named(fact.serial, None, fact.wager_id)
    box = _box(fact.box_table, fact.box)
    return Sentence(
        f"{named} dropped{_by(fact.dropped_by, fact.role)}{box}",
        ("serial", "wager_id", "box_table", "box", "dropped_by", *_said_by(fact.role)),
    )


def _coupon_given_back(fact: events.CouponGivenBack) -> Sentence:
    named = _coupon_named(fact.serial, None, fact.wager_id)
    return Sentence(
        f"{named} given back{_by(fact.given_by)}{_because(fact.reason)}",
        ("serial", "wager_id", "given_by", "reason"),
    )


def _coupon_refused(fact: events.CouponRefused) -> Sentence:
    why = ", ".join(filter(None, (spoken(fact.fault) if fact.fault else "", fact.remark)))
    return Sentence(
        f"{_coupon_named(fact.serial, None, fact.wager_id)} refused"
        f"{_by(fact.refused_by)}{_because(why)}",
        ("serial", "wager_id", "fault", "remark", "refused_by"),
    )


# ------------------------------------------------------------------ dice and wheel


def _no_more_bets(fact: events.NoMoreBetsAnnounced) -> Sentence:
    return Sentence(
        f"'no more bets'{_by(fact.announced_by, fact.role)}",
        ("announced_by", *_said_by(fact.role)),
    )


def _shaken(fact: events.DiceShaken) -> Sentence:
    by = _by(fact.shaken_by, fact.role)
    says = ("shaker", "kind", "shaken_by", *_said_by(fact.role))
    if fact.kind is events.ShakerKind.AUTOMATED:
        return Sentence(f"{_named('automated shaker', fact.shaker)} activated{by}", says)
    kind = f"{spoken(fact.kind)} shaker" if fact.kind else "shaker"
    shaken = _named(kind, fact.shaker) if fact.kind or fact.shaker else "dice"
    return Sentence(f"{shaken} shaken {_times(fact.shakes)}{by}", (*says, "shakes"))


def _player_shook(fact: events.PlayerShook) -> Sentence:
    shaken = _named("shaker", fact.shaker) if fact.shaker else "dice"
    return Sentence(
        f"{shaken} shaken {_times(fact.shakes)}{_by(fact.patron)}{_at_position(fact.position)}"
        f"{_whether(fact.covered, 'lid on', 'lid off')}",
        ("shaker", "shakes", "patron", "position", "covered"),
    )


def _shaker_offered(fact: events.ShakerOffered) -> Sentence:
    return Sentence(
        f"{_named('shaker', fact.shaker)} offered{_by(fact.offered_by)}"
        f" to {_player(fact.patron, fact.position)}",
        ("shaker", "position", "patron", "offered_by"),
    )


def _shaker_declined(fact: events.ShakerDeclined) -> Sentence:
    return Sentence(
        f"{_named('shaker', fact.shaker)} declined by {_player(fact.patron, fact.position)}",
        ("shaker", "position", "patron"),
    )


def _shaker_passed(fact: events.ShakerPassed) -> Sentence:
    start = f" from position {fact.from_position}" if fact.from_position else ""
    return Sentence(
        f"{_named('shaker', fact.shaker)} passed{start} to position {fact.to_position}",
        ("shaker", "from_position", "to_position"),
    )


def _shaker_covered(fact: events.ShakerCovered) -> Sentence:
    return Sentence(f"{_named('shaker', fact.shaker)} covered", ("shaker",))


def _shaker_uncovered(fact: events.ShakerUncovered) -> Sentence:
    return Sentence(f"{_named('shaker', fact.shaker)} uncovered", ("shaker",))


def _lid_lifted(fact: events.LidLiftedByPlayer) -> Sentence:
    faces = "" if fact.faces is None else f"; dice {_faces(fact.faces)}"
    return Sentence(
        f"lid of {_named('shaker', fact.shaker)} lifted"
        f" by {_player(fact.patron, fact.position)}{faces}",
        ("shaker", "position", "patron", "faces"),
    )


def _faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces)) or "none"


def _dice_offered(fact: events.DiceOffered) -> Sentence:
    return Sentence(
        f"dice offered{_by(fact.offered_by)} to {_player(fact.patron, fact.position)}",
        ("position", "patron", "offered_by"),
    )


def _dice_accepted(fact: events.DiceAccepted) -> Sentence:
    return Sentence(
        f"dice accepted by {_player(fact.patron, fact.position)}", ("position", "patron")
    )


def _dice_refused(fact: events.DiceRefused) -> Sentence:
    return Sentence(
        f"dice declined by {_player(fact.patron, fact.position)}", ("position", "patron")
    )


def _dice_selected(fact: events.DiceSelected) -> Sentence:
    dice = ", ".join(fact.dice) or "which ones is not recorded"
    return Sentence(
        f"dice selected by {_player(fact.patron, fact.position)}: {dice}",
        ("position", "patron", "dice"),
    )


def _returned_to_cup(fact: events.DiceReturnedToCup) -> Sentence:
    dice = ", ".join(fact.dice) or "which ones is not recorded"
    place = "before the stickperson"
    return Sentence(
        f"dice returned to the cup{_by(fact.returned_by)}"
        f"{_whether(fact.before_stickperson, place, f'not {place}')}: {dice}",
        ("dice", "before_stickperson", "returned_by"),
    )


def _lammers_cleared(fact: events.LammersCleared) -> Sentence:
    return Sentence(f"lammers cleared{_by(fact.cleared_by)}", ("cleared_by",))


def _turnover(fact: events.TurnoverAnnounced) -> Sentence:
    return Sentence(f"announced: turnover{_by(fact.announced_by)}", ("announced_by",))


def _times(count: int | None) -> str:
    return "a number of times that was not recorded" if count is None else times(count)


def _dice_set(fact: events.DiceSetPlaced) -> Sentence:
    dice = ", ".join(f"{die.colour or 'a die,'} {die.serial}" for die in fact.dice)
    where = f" in shaker {fact.shaker}" if fact.shaker else ""
    return Sentence(f"dice placed{where}: {dice or 'none recorded'}", ("shaker", "dice"))


def _at_rest(fact: events.DiceThrown) -> Sentence:
    dice = ", ".join(_die(die) for die in fact.dice)
    return Sentence(
        f"dice at rest: {dice or 'none recorded'}{_by(fact.thrown_by)}", ("dice", "thrown_by")
    )


def _thrown(fact: events.DiceThrownByHand) -> Sentence:
    dice = ", ".join(_die(die) for die in fact.dice)
    thrown = "dice" if fact.purpose is None else f"{spoken(fact.purpose)}: dice"
    seat = _at_position(fact.position)
    together = _whether(fact.released_together, "released together", "NOT released together")
    struck = _whether(fact.struck_far_end, "struck the far end", "did NOT strike the far end")
    return Sentence(
        f"{thrown} thrown{_by(fact.thrown_by)}{seat}{together}{struck}: {dice or 'none recorded'}",
        ("purpose", "thrown_by", "position", "released_together", "struck_far_end", "dice"),
    )


def _die(die: events.Die | events.ThrownDie) -> str:
    face = "?" if die.face is None else str(die.face)
    more = [rest_words(die)] if rest_words(die) else []
    if isinstance(die, events.ThrownDie):
        more += [] if die.resting_side is None else [f"resting on its {die.resting_side}"]
        more += [f"against {die.leans_on}"] if die.leans_on else []
        more += [f"touched {_TOUCHED.get(part, spoken(part))}" for part in die.touched or ()]
        more += ["touched nothing"] if die.touched == () else []
    more += [die.serial] if die.serial else []
    return f"{die.colour or 'die'} {face}" + (f" ({', '.join(more)})" if more else "")


_TOUCHED: Final = {
    events.Touched.PATRON_CHIPS: "a patron's chips",
    events.Touched.BANK: "the bank",
    events.Touched.DICE_CUP: "the dice cup",
    events.Touched.RAIL: "the rail",
}


def _called(fact: events.RollCalled) -> Sentence:
    faces = " ".join(map(str, fact.faces))
    return Sentence(f"called: {faces}{_by(fact.called_by)}", ("faces", "called_by"))


def _entered(fact: events.ValuesEntered) -> Sentence:
    faces = " ".join(map(str, fact.faces))
    return Sentence(
        f"entered into the device: {faces}{_by(fact.entered_by)}", ("faces", "entered_by")
    )


def _lit(fact: events.AreasLit) -> Sentence:
    if fact.areas is None:
        return Sentence("areas lit; which ones is not recorded")
    count = "1 area" if len(fact.areas) == 1 else f"{len(fact.areas)} areas"
    return Sentence(f"{count} lit: {', '.join(fact.areas) or 'none'}", ("areas",))


def _no_roll(fact: events.NoRollCalled) -> Sentence:
    return Sentence(
        f"no roll called{_by(fact.called_by)}{_because(fact.reason)}", ("called_by", "reason")
    )


def _throw_voided(fact: events.ThrowVoided) -> Sentence:
    return Sentence(
        f"throw declared void{_by(fact.called_by)}{_because(fact.reason)}", ("called_by", "reason")
    )


def _round_voided(fact: events.RoundVoided) -> Sentence:
    return Sentence(
        f"round declared void{_by(fact.called_by)}{_because(fact.reason)}", ("called_by", "reason")
    )


def _spun(fact: events.WheelSpun) -> Sentence:
    turned = fact.revolutions_thousandths
    parts = [
        "" if turned is None else f"{_thousandths(turned)} turns",
        "" if fact.direction is None else spoken(fact.direction),
    ]
    shown = "result not recorded" if fact.symbols is None else names_of(fact.symbols)
    rests, says = _clapper(fact)
    words = ", ".join(filter(None, (" ".join(filter(None, parts)), shown, rests)))
    return Sentence(
        f"wheel spun{_by(fact.spun_by, fact.role)}: {words}",
        ("spun_by", "direction", "symbols", "revolutions_thousandths", *says, *_said_by(fact.role)),
    )


def _clapper(fact: events.WheelSpun) -> tuple[str, tuple[str, ...]]:
    """Where the clapper rested, and the fields that say so."""
    match fact.clapper:
        case events.Clapper.IN_SECTION if fact.section is not None:
            return f"clapper in section {fact.section}", ("clapper", "section")
        case events.Clapper.BETWEEN_SECTIONS if fact.between:
            between = " and ".join(map(str, fact.between))
            return f"clapper between sections {between}", ("clapper", "between")
        case events.Clapper.BETWEEN_SECTIONS:
            return "clapper between two sections", ("clapper",)
    return "", ()


def _spin_voided(fact: events.SpinVoided) -> Sentence:
    return Sentence(
        f"spin declared void{_by(fact.called_by)}{_because(fact.reason)}", ("called_by", "reason")
    )


def _spin_called(fact: events.SpinCalled) -> Sentence:
    return Sentence(f"called: {fact.result}{_by(fact.called_by)}", ("result", "called_by"))


def _failed(fact: events.DeviceFailed) -> Sentence:
    return Sentence(
        f"{_named(spoken(fact.device), fact.device_id)} failed{_because(fact.fault)}",
        ("device", "device_id", "fault"),
    )


def _fixed(fact: events.DeviceFixed | events.CardDeviceFixed) -> Sentence:
    return Sentence(
        f"{_named(spoken(fact.device), fact.device_id)} repaired", ("device", "device_id")
    )


def _markers(fact: events.MarkersPlaced) -> Sentence:
    parts = [
        "" if fact.yard is None else f"Yard Marker on {fact.yard}",
        "" if fact.down is None else f"Down Puck on {spoken(fact.down)}",
        "" if fact.play is None else f"Game Length Puck on play {fact.play}",
    ]
    where = ", ".join(part for part in parts if part) or "where is not recorded"
    return Sentence(
        f"markers placed{_by(fact.placed_by)}: {where}", ("yard", "down", "play", "placed_by")
    )


def _down(fact: events.DownAnnounced) -> Sentence:
    down = "a down" if fact.down is None else spoken(fact.down)
    yards = fact.distance_yards
    far = (
        "" if yards is None else f", {yards} yard to go" if yards == 1 else f", {yards} yards to go"
    )
    return Sentence(
        f"announced: {down}{far}{_by(fact.announced_by)}",
        ("down", "distance_yards", "announced_by"),
    )


def _lammers(fact: events.LammersPlaced) -> Sentence:
    where = ", ".join(fact.combinations) or "none"
    return Sentence(f"lammers placed{_by(fact.placed_by)}: {where}", ("combinations", "placed_by"))


def _lammer(fact: events.LammerCollected) -> Sentence:
    return Sentence(
        f"lammer of {fact.combination} collected{_by(fact.collected_by)}",
        ("combination", "collected_by"),
    )


# ------------------------------------------------------------------ cards


def _deck(deck: str | None) -> str:
    return _named("deck", deck) if deck else "cards"


def _from(method: Enum | None, device_id: str | None) -> str:
    """How the cards were dealt or shuffled: ", manual shoe SHOE-1"."""
    if method is None:
        return f", device {device_id}" if device_id else ""
    return f", {_named(spoken(method), device_id)}"


def _shuffled(fact: events.CardsShuffled) -> Sentence:
    done = _whether(fact.completed, "completed", "NOT completed")
    kept = _whether(fact.kept_in_device, "kept in the device", "taken out of the device")
    directed = f", directed by {fact.directed_by}" if fact.directed_by else ""
    method = _from(fact.method, fact.device_id)
    return Sentence(
        f"{_deck(fact.deck)} shuffled{_by(fact.shuffled_by)}{method}{done}{kept}{directed}",
        (
            "deck",
            "method",
            "device_id",
            "completed",
            "kept_in_device",
            "shuffled_by",
            "directed_by",
        ),
    )


def _cut(fact: events.CardsCut) -> Sentence:
    depth = fact.cover_card_depth
    under = "" if depth is None else f", cover card {plural(depth, 'card')} deep"
    ordered = f", ordered by {fact.ordered_by}" if fact.ordered_by else ""
    again = _whether(fact.recut, "a second cut", "the first cut")
    return Sentence(
        f"{_deck(fact.deck)} cut{_by(fact.cut_by)}{under}{again}{ordered}",
        ("deck", "cover_card_depth", "recut", "ordered_by", "cut_by"),
    )


def _deal_began(fact: events.DealBegan) -> Sentence:
    start = f", from position {fact.position}" if fact.position else ""
    return Sentence(
        f"deal begun: {_deck(fact.deck)}{_from(fact.method, fact.device_id)}{start}",
        ("deck", "method", "device_id", "position"),
    )


def _dealt(fact: events.CardsDealt) -> Sentence:
    stacks = "; ".join(_stack(stack) for stack in fact.stacks)
    start = f", from position {fact.first_position}" if fact.first_position else ""
    way = f", {spoken(fact.direction)}" if fact.direction else ""
    done = _whether(fact.complete, "deal complete", "deal NOT complete")
    return Sentence(
        f"{_deck(fact.deck)} dealt{_from(fact.method, fact.device_id)}{start}{way}{done}:"
        f" {stacks or 'to whom is not recorded'}",
        ("deck", "method", "device_id", "first_position", "direction", "complete", "stacks"),
    )


_DISCARDS: Final = {
    events.Discard.EMPTY_POSITION: "cards of an empty position",
    events.Discard.PLAYER_HANDS: "player's hands",
    events.Discard.DEALER_HANDS: "dealer's hands",
    events.Discard.SURRENDERED: "surrendered cards",
    events.Discard.FACE_UP_CARD: "card found face up",
    events.Discard.DRAWN_IN_ERROR: "card drawn in error",
    events.Discard.OTHER: "cards of another kind",
}


def _discarded(fact: events.CardsDiscarded) -> Sentence:
    cards = "" if fact.count is None else f", {_cards(fact.count)}"
    named = "" if fact.cards is None else f", {card_words(fact.cards) or 'no card'}"
    deck = f", {_deck(fact.deck)}" if fact.deck else ""
    lying = _whether(fact.face_down, "face down", "NOT face down")
    together = _whether(fact.kept_together, "kept together", "NOT kept together")
    seat = _at_position(fact.position)
    return Sentence(
        f"{_DISCARDS.get(fact.kind, spoken(fact.kind))} discarded{_by(fact.discarded_by)}"
        f"{seat}{cards}{named}{deck}{lying}{together}",
        (
            "kind",
            "position",
            "deck",
            "cards",
            "count",
            "face_down",
            "kept_together",
            "discarded_by",
        ),
    )


def _remaining_counted(fact: events.RemainingCardsCounted) -> Sentence:
    deck = f" of {_deck(fact.deck)}" if fact.deck else ""
    return Sentence(
        f"{plural(fact.cards, 'remaining card')}{deck} counted{_by(fact.counted_by)}"
        f"{_whether(fact.face_down, 'face down', 'NOT face down')}",
        ("deck", "cards", "face_down", "counted_by"),
    )


def _generator(fact: events.GeneratorShown) -> Sentence:
    return Sentence(
        f"{_named('number generator', fact.device_id)} showed {fact.number}",
        ("device_id", "number"),
    )


def _start(fact: events.StartDetermined) -> Sentence:
    seat = "not recorded" if fact.position is None else f"position {fact.position}"
    method = f", {spoken(fact.method)}" if fact.method else ""
    number = f", number {fact.number}" if fact.number is not None else ""
    return Sentence(
        f"starting position determined{_by(fact.determined_by)}{method}{number}: {seat}",
        ("method", "number", "position", "determined_by"),
    )


def _start_marked(fact: events.StartMarked) -> Sentence:
    marker = f" with {fact.marker}" if fact.marker else ""
    return Sentence(
        f"starting position marked{marker}: position {fact.position}", ("position", "marker")
    )


def _button(fact: events.ButtonPlaced) -> Sentence:
    return Sentence(
        f"{_named('flat button', fact.device_id)} placed at position {fact.position}",
        ("device_id", "position"),
    )


def _total(fact: events.DiceTotalAnnounced) -> Sentence:
    again = _whether(fact.correction, "a correction", "the first announcement")
    return Sentence(
        f"announced: dice total {fact.total}{_by(fact.announced_by)}{again}",
        ("total", "correction", "announced_by"),
    )


def _surrendered(fact: events.HandSurrendered) -> Sentence:
    wager = f"{fact.wager_id}: " if fact.wager_id else ""
    return Sentence(
        f"{wager}hand surrendered by {_player(fact.patron, fact.position)}",
        ("position", "patron", "wager_id"),
    )


def _fouled(fact: events.HandFouled) -> Sentence:
    return Sentence(
        f"hand of position {fact.position} ruled foul{_by(fact.ruled_by)}{_because(fact.reason)}",
        ("position", "reason", "ruled_by"),
    )


def _hand_voided(fact: events.HandVoided) -> Sentence:
    return Sentence(
        f"hand of position {fact.position} declared void{_by(fact.declared_by)}"
        f"{_because(fact.reason)}",
        ("position", "reason", "declared_by"),
    )


def _choice(fact: events.ExposureChoiceMade) -> Sentence:
    looked = _whether(fact.looked, "after looking at the cards", "without looking at the cards")
    chosen = {
        events.ExposureChoice.PLAY_OUT: "to play the hand out",
        events.ExposureChoice.VOID: "a void hand",
    }
    return Sentence(
        f"{_player(fact.patron, fact.position)} chose"
        f" {chosen.get(fact.choice, spoken(fact.choice))}{looked}",
        ("position", "patron", "choice", "looked"),
    )


def _misdeal(fact: events.MisdealDetermined) -> Sentence:
    ruled = {True: "misdeal declared", False: "no misdeal", None: "misdeal considered"}
    seats = ", ".join(fact.positions or ())
    where = f": position {seats}" if seats else ""
    return Sentence(
        f"{ruled[fact.misdealt]}{_by(fact.determined_by)}{where}",
        ("misdealt", "determined_by") + (("positions",) if seats else ()),
    )


def _stack(stack: events.Stack) -> str:
    if stack.cards is None:
        count = "cards not counted" if stack.count is None else _cards(stack.count)
        return f"position {stack.position}: {count}"
    count = "" if stack.count in (None, len(stack.cards)) else f", {_cards(stack.count or 0)}"
    return f"position {stack.position}: {card_words(stack.cards) or 'no card'}{count}"


def _cards(count: int) -> str:
    return plural(count, "card")


def _hand_set(fact: events.HandSet) -> Sentence:
    is_dealer = fact.role is events.Role.DEALER
    whose = "dealer's hands" if is_dealer else "hands"
    hands = "; ".join(
        f"{name} {card_words(cards)}"
        for name, cards in (("high", fact.high), ("medium", fact.medium), ("low", fact.low))
        if cards is not None
    )
    again = {True: " again", False: " for the first time", None: ""}[fact.reset]
    role = None if is_dealer else fact.role
    return Sentence(
        f"{whose} set{again}{_by(fact.set_by, role)}{_at_position(fact.position)}:"
        f" {hands or 'not recorded'}",
        ("position", "set_by", "high", "medium", "low", "reset", *_said_by(fact.role)),
    )


def _exposed(fact: events.HandExposed) -> Sentence:
    cards = "" if fact.cards is None else f": {card_words(fact.cards) or 'no card'}"
    is_told = fact.cards is not None and fact.count == len(fact.cards)
    count = "" if fact.count is None or is_told else f", {_cards(fact.count)}"
    shown = "" if fact.hand is None else f"{spoken(fact.hand)} "
    shown = "all cards" if shown == "all " else f"{shown}hand"
    dealing = _whether(fact.during_deal, "during the deal", "after the deal")
    return Sentence(
        f"{shown} of position {fact.position} shown{_by(fact.exposed_by, fact.role)}"
        f"{dealing}{count}{cards}",
        ("position", "hand", "cards", "count", "during_deal", "exposed_by", *_said_by(fact.role)),
    )


def _announced(fact: events.ResultAnnounced) -> Sentence:
    wager = f"{fact.wager_id}, " if fact.wager_id else ""
    outcome = "result" if fact.outcome is None else spoken(fact.outcome)
    return Sentence(
        f"announced{_by(fact.announced_by)}: {wager}position {fact.position}, {outcome}",
        ("position", "wager_id", "outcome", "announced_by"),
    )


def _bonus_hand(fact: events.BonusHandFormed) -> Sentence:
    cards = "" if fact.cards is None else f" of {card_words(fact.cards) or 'no card'}"
    hand = f": {fact.hand}" if fact.hand else ""
    return Sentence(
        f"bonus hand formed{_by(fact.formed_by)}{cards}, position {fact.position}{hand}",
        ("position", "cards", "hand", "formed_by"),
    )


# ------------------------------------------------------------------ the table


def _assigned(fact: events.StaffAssigned) -> Sentence:
    return Sentence(f"{spoken(fact.role)} {fact.person} assigned", ("role", "person"))


def _relieved(fact: events.StaffRelieved) -> Sentence:
    by = f" by {fact.relieved_by}" if fact.relieved_by else ""
    return Sentence(
        f"{spoken(fact.role)} {fact.person} relieved{by}", ("role", "person", "relieved_by")
    )


def _present(fact: events.SupervisorPresent) -> Sentence:
    return Sentence(f"{spoken(fact.role)} {fact.person} at the table", ("role", "person"))


def _seat_taken(fact: events.PositionTaken) -> Sentence:
    seat = f"position {fact.position}"
    who = f" by {fact.patron}" if fact.patron else ""
    return Sentence(f"{seat} taken{who}", ("position", "patron"))


def _seat_left(fact: events.PositionLeft) -> Sentence:
    seat = f"position {fact.position}"
    who = f" by {fact.patron}" if fact.patron else ""
    return Sentence(f"{seat} left{who}", ("position", "patron"))


def _camera_down(fact: events.CameraLost) -> Sentence:
    return Sentence(f"camera {fact.camera} down", ("camera",))


def _camera_back(fact: events.CameraRestored) -> Sentence:
    return Sentence(f"camera {fact.camera} restored", ("camera",))


def _silence_limit(fact: events.StalenessRegistered) -> Sentence:
    terminal = f"terminal {fact.terminal}" if fact.terminal else None
    whose = ", ".join(filter(None, (terminal, fact.kind, fact.table))) or "every table"
    may = f"{whose} may be silent for {plural(fact.seconds, 'second')}"
    return Sentence(may, ("table", "terminal", "kind", "seconds"))


def _cash_changed(fact: events.CashChanged) -> Sentence:
    return Sentence(
        f"{short_dollars(fact.cash_cents)} in cash changed to"
        f" {short_dollars(fact.chips_cents)} in chips for {_player(fact.patron, fact.position)}",
        ("position", "patron", "cash_cents", "chips_cents"),
    )


_OWN: Final[dict[type[object], Callable[[Any], Sentence]]] = {
    events.BettingOpened: lambda _: Sentence("betting opened"),
    events.StalenessRegistered: _silence_limit,
    events.WheelPlaced: _wheel,
    events.TableOpened: _table_opened,
    events.LimitsSet: _limits_set,
    events.LimitsSignPosted: _limits_sign,
    events.LimitsChangeAnnounced: _limits_announced,
    events.DeckPlaced: _deck_placed,
    events.CardDevicePlaced: _card_device,
    events.ShakerPlaced: _shaker_placed,
    events.DeviceInspected: _device_inspected,
    events.WagerPlaced: _placed,
    events.WagerIncreased: _increased,
    events.WagerMoved: _moved,
    events.WagerTakenDown: _taken_down,
    events.WagerReturned: _returned,
    events.WagerRefused: _refused,
    events.WagerSettled: _settled,
    events.NoMoreBetsAnnounced: _no_more_bets,
    events.DiceShaken: _shaken,
    events.PlayerShook: _player_shook,
    events.DiceSetPlaced: _dice_set,
    events.DiceThrown: _at_rest,
    events.DiceThrownByHand: _thrown,
    events.RollCalled: _called,
    events.ValuesEntered: _entered,
    events.AreasLit: _lit,
    events.NoRollCalled: _no_roll,
    events.ThrowVoided: _throw_voided,
    events.RoundVoided: _round_voided,
    events.WheelSpun: _spun,
    events.SpinVoided: _spin_voided,
    events.SpinCalled: _spin_called,
    events.DeviceFailed: _failed,
    events.MarkersPlaced: _markers,
    events.DownAnnounced: _down,
    events.LammersPlaced: _lammers,
    events.LammerCollected: _lammer,
    events.CardsDealt: _dealt,
    events.HandSet: _hand_set,
    events.HandExposed: _exposed,
    events.ResultAnnounced: _announced,
    events.BonusHandFormed: _bonus_hand,
    events.ButtonPlaced: _button,
    events.CameraLost: _camera_down,
    events.CameraRestored: _camera_back,
    events.CardDeviceFixed: _fixed,
    events.CardsCut: _cut,
    events.CardsDiscarded: _discarded,
    events.CardsShuffled: _shuffled,
    events.CashChanged: _cash_changed,
    events.CouponAccepted: _coupon_accepted,
    events.CouponDropped: _coupon_dropped,
    events.CouponGivenBack: _coupon_given_back,
    events.CouponRedeemed: _coupon_redeemed,
    events.CouponRefused: _coupon_refused,
    events.DealBegan: _deal_began,
    events.DeviceFixed: _fixed,
    events.DiceAccepted: _dice_accepted,
    events.DiceOffered: _dice_offered,
    events.DiceRefused: _dice_refused,
    events.DiceReturnedToCup: _returned_to_cup,
    events.DiceSelected: _dice_selected,
    events.DiceTotalAnnounced: _total,
    events.ExposureChoiceMade: _choice,
    events.GeneratorShown: _generator,
    events.HandFouled: _fouled,
    events.HandSurrendered: _surrendered,
    events.HandVoided: _hand_voided,
    events.LammersCleared: _lammers_cleared,
    events.LidLiftedByPlayer: _lid_lifted,
    events.MisdealDetermined: _misdeal,
    events.PositionLeft: _seat_left,
    events.PositionTaken: _seat_taken,
    events.RemainingCardsCounted: _remaining_counted,
    events.ShakerCovered: _shaker_covered,
    events.ShakerDeclined: _shaker_declined,
    events.ShakerOffered: _shaker_offered,
    events.ShakerPassed: _shaker_passed,
    events.ShakerUncovered: _shaker_uncovered,
    events.StaffAssigned: _assigned,
    events.StaffRelieved: _relieved,
    events.StartDetermined: _start,
    events.StartMarked: _start_marked,
    events.SupervisorPresent: _present,
    events.TakeDownRefused: _take_down_refused,
    events.TurnoverAnnounced: _turnover,
}
"""The facts that have a sentence of their own."""
