"""Cases in the vocabulary of the Three Dice Football file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ledger import events
from ledger.events.enums import Capture
from tests.conformance import football_setup, football_words, limits, play, setups, words
from tests.conformance.football_words import ODDS, WAGERS, ground, kind, lines
from tests.conformance.in_order import DAY, Filing, House, file_and_approve, look, set_limits
from tests.conformance.keys import (
    ASIDE,
    Keys,
    NotTranslatable,
    text_or_none,
    truth_or_none,
    whole_or_none,
)
from tests.conformance.scene import Moment, Scene
from tests.conformance.sic_bo import read_sign
from tests.conformance.timeline import HOUSE, SETUP
from tests.conformance.walk import (
    OF_GAME,
    Handler,
    Told,
    before,
    earliest_second,
    prepare,
    table_of,
    told,
)

GAME: Final = "Three Dice Football"
DOWNS: Final = {
    "1st Down": events.Down.FIRST_DOWN,
    "2nd Down": events.Down.SECOND_DOWN,
    "3rd Down": events.Down.THIRD_DOWN,
    "1st & Goal": events.Down.FIRST_AND_GOAL,
    "2nd & Goal": events.Down.SECOND_AND_GOAL,
    "3rd & Goal": events.Down.THIRD_AND_GOAL,
    "Extra Point": events.Down.EXTRA_POINT,
}
RESTS: Final = {
    "flat": events.ThrowRest.FLAT,
    "one_side_propped": events.ThrowRest.ONE_SIDE_PROPPED,
    "two_sides_propped": events.ThrowRest.TWO_SIDES_PROPPED,
    "on_die": events.ThrowRest.ON_A_DIE,
    "on_bank": events.ThrowRest.ON_BANK,
    "in_dice_cup": events.ThrowRest.IN_DICE_CUP,
    "on_rail": events.ThrowRest.ON_RAIL,
    "on_chips": events.ThrowRest.ON_CHIPS,
    "off_table": events.ThrowRest.OFF_TABLE,
}
FIELD: Final[dict[str, tuple[events.Seen, ...]]] = {
    "football_field": (),
    "yards_labelled": tuple(events.Seen(name=str(yard), value=None) for yard in range(1, 24)),
    "down_areas": tuple(events.Seen(name=name, value=None) for name in DOWNS),
    "game_length_areas": tuple(events.Seen(name=str(n), value=None) for n in range(1, 7)),
}
"""What only this game's layout shows."""
WORDS: Final = frozenset(
    {"seated", "dice_set_placed_t", "dice_set_placed_seconds_before_first_throw"}
)
"""Words of a setup of this game beside those of its defaults."""
TOUCHED: Final = {
    "patron_chips": events.Touched.PATRON_CHIPS,
    "chips": events.Touched.PATRON_CHIPS,
    "bank": events.Touched.BANK,
    "dice_cup": events.Touched.DICE_CUP,
    "rail": events.Touched.RAIL,
}


def translate(case: Mapping[str, Any], defaults: Mapping[str, Any]) -> Scene:
    """Tell a case as facts.

    Raises:
        NotTranslatable: it uses words that the vocabulary does not have, or that facts cannot say.
    """
    keys = Keys(football_setup.whole(defaults, case.get("setup") or {}), "setup")
    for prose in ("edition", "positions", "note", "comment"):
        keys.take(prose)
    keys.take("dice_set_placed_seconds_before_first_throw")
    of = setups.clock(keys.take("property"))
    at = setups.evening(keys.take("gaming_day", default="2012-09-15"), of)
    start = keys.take("start")
    at = at if start is None else setups.moment(start)
    scene = setups.open_scene(at, of, str(keys.take("named", default="FB-01")), GAME)
    facts = told(case.get("facts") or [])
    dice = dict(keys.need("dice_set"))
    placed = keys.take("dice_set_placed_t", default=dice.pop("placed_t", -3600))
    first = before(scene, min(setups.ARRIVED, earliest_second(facts)), 1)
    house = _house(keys, first, scene.table.name)
    scene.table.submission = house.filings[-1].name if house.filings else None
    scene.table.layouts = {"approved": house.layout}
    scene.table.sign = house.sign.name if house.sign else None
    prepare(scene, facts)
    file_and_approve(scene, house, first - 7 * DAY)
    _table(scene, house, keys, first)
    _people_and_cameras(scene, keys, first)
    for position in keys.take("occupied_positions", "seated", default=[]):
        fields = {"position": str(position), "patron": None}
        scene.timeline.add(first, scene.table.name, events.PositionTaken, SETUP, **fields)
    keys.finish()
    _lay_and_open(scene, house, dice, placed)
    _walk(scene, facts)
    return scene


def _lay_and_open(scene: Scene, house: House, dice: dict[str, Any], placed: Any) -> None:
    """The set of dice and the opening of the table, and an earlier opening where it lay there."""
    opened = [setups.OPENED]
    if dice.get("new_at_opening") is False:  # it lay there when the table was last open
        opened.insert(0, setups.OPENED - 1200)
        placed = min(placed, opened[0])
        scene.timeline.add(
            scene.at(setups.OPENED - 60), scene.table.name, events.TableClosed, SETUP, reason=None
        )
    if dice:
        _place(scene, Keys(dice, "dice_set"), scene.at(placed))
    if scene.in_order and "table_opened" in scene.named and "table_closed" not in scene.named:
        return
    for seconds in opened:
        scene.timeline.add(
            scene.at(seconds), scene.table.name, events.TableOpened, SETUP,
            game=GAME, layout=house.layout, paytable=scene.table.submission, capture=Capture.FULL,
        )  # fmt: skip


def _house(keys: Keys, first: int, name: str) -> House:
    house = House(name, GAME)
    paytable = keys.take("paytable")
    odds = dict(ODDS)
    for name, value in (paytable if isinstance(paytable, Mapping) else {}).items():
        odds |= dict.fromkeys(lines(str(name)), words.odds(value))
    ago = first - 6 * DAY
    filed = truth_or_none(keys.take("rules_submission_filed", default=True), "setup")
    rounding = words.rounding(keys.take("rounding"))
    if filed:
        house.filings = [Filing(f"RS-{name}", ago, ago, odds, rounding)]
    house.printed = {row: words.printed(value) for row, value in odds.items()}
    house.limits = setups.limits_of(keys.take("limits"), GAME)
    house.sign = read_sign(keys.take("sign", default={}))
    house.layout_approved = truth_or_none(keys.take("layout_approved", default=True), "setup")
    house.odds_printed = truth_or_none(keys.take("odds_on_layout", default=True), "setup")
    for name, value in (keys.take("layout_odds") or {}).items():
        house.printed |= dict.fromkeys(lines(str(name)), words.printed(words.odds(value)))
    setups.box_words(house, keys.take("boxes"))
    return house


def _table(scene: Scene, house: House, keys: Keys, at: int) -> None:
    """The layout and the boxes, item by item, and the limits.

    ``layout_lacks`` lists names that are missing from a list on the layout, or whole items;
    ``odds_sign`` is a sign at the table: true with all odds of the list, or odds by wager.
    """
    lacks = {str(name) for name in keys.take("layout_lacks") or ()}
    for box, side in zip(("drop_box", "tip_box"), house.boxes, strict=True):
        look(scene, house.table, at, events.Subject.TABLE, house.table, box, side is not None)
    shown = keys.take("odds_sign")
    if shown:
        on_sign = ODDS if shown is True else {}
        for name, value in shown.items() if isinstance(shown, Mapping) else ():
            on_sign |= dict.fromkeys(lines(str(name)), words.odds(value))
        scene.timeline.add(
            at, house.table, events.RulesSignPosted, SETUP, sign="ODDS-1",
            odds=words.paytable(on_sign), payout_limit_cents=None, text=None,
        )  # fmt: skip
    odds = tuple(
        events.Seen(name=name if on is None else f"{name} {on}", value=value)
        for (name, on), value in (house.printed or {}).items()
    )
    items: dict[str, tuple[events.Seen, ...]] = {
        "holder_name_or_logo": (),
        "wager_areas": tuple(events.Seen(name=name, value=None) for name in WAGERS),
        "printed_odds": odds,
        **FIELD,
    }
    for item, seen in items.items():
        found: bool | None = item not in lacks
        if item == "printed_odds":
            found = house.odds_printed
        left = tuple(one for one in seen if one.name not in lacks) if found else ()
        look(scene, house.table, at, events.Subject.LAYOUT, house.layout, item, found, left)
    for wager, (low, high) in house.limits.items():
        set_limits(scene, house, wager, low, high, at)


def open_in_order(scene: Scene, house: House, keys: Keys, first: int) -> None:
    """The field, people, cameras, dice and opening of a table of which the case says nothing."""
    for item, seen in FIELD.items():
        look(scene, house.table, first, events.Subject.LAYOUT, house.layout, item, True, seen)
    _people_and_cameras(scene, keys, first)
    for position in keys.take("occupied_positions", "seated", default=[]):
        fields = {"position": str(position), "patron": None}
        scene.timeline.add(first, scene.table.name, events.PositionTaken, SETUP, **fields)
    dice = dict(keys.need("dice_set"))
    placed = keys.take("dice_set_placed_t", default=dice.pop("placed_t", -3600))
    keys.take("dice_set_placed_seconds_before_first_throw")
    _lay_and_open(scene, house, dice, placed)


def _people_and_cameras(scene: Scene, keys: Keys, at: int) -> None:
    table = scene.table
    setups.staff(scene, table, setups.people(keys.take("staff")), at)
    for one in keys.take("cameras") or []:
        camera = Keys(one, "camera")
        name, covers = str(camera.need("camera")), text_or_none(camera.take("covers"), "camera")
        still = truth_or_none(camera.take("stationary", default=True), "camera")
        camera.finish()
        scene.timeline.add(
            at,
            table.name,
            events.CameraDescribed,
            SETUP,
            camera=name,
            stationary=still,
            covers=covers,
        )
        scene.timeline.add(at, table.name, events.CameraAssigned, SETUP, camera=name, covers=covers)
    for number, other in enumerate(keys.take("floorperson_tables") or []):
        if other != "this table":
            _other_table(scene, str(other), f"OT-{number:02}", at)


def _other_table(scene: Scene, game: str, name: str, at: int) -> None:
    """Another table that the floorperson supervises; only its counts are claimed."""
    game = football_words.game(game)
    people = [who for role, who in scene.table.on_duty if role is events.Role.FLOORPERSON]
    scene.timeline.add(
        at - 7 * DAY, HOUSE, events.GameApproved, SETUP,
        game=game, requested_time=at - 7 * DAY, approved_time=at - 7 * DAY, approved_by="ED",
    )  # fmt: skip
    scene.timeline.add(
        at, name, events.TableOpened, SETUP,
        game=game, layout=f"L-{name}", paytable=None, capture=Capture.COUNTS,
    )  # fmt: skip
    for person in people:
        scene.timeline.add(
            at, name, events.StaffAssigned, SETUP, role=events.Role.FLOORPERSON, person=person
        )


def _place(scene: Scene, keys: Keys, at: int) -> None:
    """A set placed at the table, inspected before."""
    for prose in ("set", "new_at_opening"):
        keys.take(prose)
    green, red = keys.need("green"), keys.need("red")
    dice = [(str(s), "green") for s in green] + [(str(s), "red") for s in red]
    inspected = truth_or_none(keys.take("inspected", default=True), keys.where)
    keys.finish()
    for serial, _ in dice if inspected is not None else []:
        item = "physical_characteristics"
        look(scene, scene.table.name, at, events.Subject.DICE, serial, item, inspected)
    scene.table.dice = [serial for serial, _ in dice]
    identities = tuple(events.DieIdentity(serial=serial, colour=colour) for serial, colour in dice)
    scene.timeline.add(
        at, scene.table.name, events.DiceSetPlaced, SETUP, shaker=None, dice=identities
    )


def _walk(scene: Scene, facts: list[Told]) -> None:
    """Translate facts in order of time; those of one moment in the order of the list."""
    for origin, one in sorted(facts, key=lambda pair: scene.at(pair[1]["t"])):
        name = str(one["fact"])
        keys = Keys(
            {key: value for key, value in one.items() if key not in {"t", "fact", "table"}},
            f"fact {origin} ({name})",
        )
        keys.take("note", "comment")
        found = HANDLERS.get(name) or play.HANDLERS.get(name) or limits.HANDLERS.get(name)
        if found is None:
            raise NotTranslatable(f"unknown fact: {name!r}")
        table = table_of(scene, one)
        found(Moment(scene, table, scene.at(one["t"]), keys, origin, name))
        keys.finish(*ASIDE)
        table.last = scene.at(one["t"])


# --- one fact each --------------------------------------------------------------------------------


def _position(m: Moment) -> str:
    return str(m.keys.need("position", "by_position"))


def offered(m: Moment) -> None:
    who, _ = m.actor("by", "offered_by", absent=events.Role.STICKPERSON)
    m.add(events.DiceOffered, position=_position(m), patron=None, offered_by=who)


def rejected(m: Moment) -> None:
    m.add(events.DiceRefused, position=_position(m), patron=None)


def accepted(m: Moment) -> None:
    m.add(events.DiceAccepted, position=_position(m), patron=None)


def selected(m: Moment) -> None:
    dice = tuple(str(die) for die in m.keys.need("dice"))
    m.add(events.DiceSelected, position=_position(m), patron=None, dice=dice)


def betting_opened(m: Moment) -> None:
    m.keys.take("game")
    play.betting_opened(m)


def table_opened(m: Moment) -> None:
    game = m.keys.take("game", default=GAME)
    if words.plain(str(game)) != words.plain(GAME):
        raise NotTranslatable(f"{m.keys.where}: another game: {game!r}")
    play.table_opened(m)


def _down(word: Any) -> events.Down | None:
    if word is None:
        return None
    if word not in DOWNS:
        raise NotTranslatable(f"not a down: {word!r}")
    return DOWNS[str(word)]


def markers(m: Moment) -> None:
    keys = m.keys
    yard, down = whole_or_none(keys.take("yard"), keys.where), _down(keys.take("down"))
    length = whole_or_none(keys.take("play"), keys.where)
    m.add(events.MarkersPlaced, yard=yard, down=down, play=length, placed_by=None)


def wager(m: Moment) -> None:
    """An increase lies on the layout as a wager of its own beside the first."""
    keys = m.keys
    keys.take("increase_of")
    if keys.has("wager_id", "id"):
        name, said = str(keys.take("wager_id", "id")), keys.need("wager", "kind")
    else:
        name, said = str(keys.need("wager")), keys.need("kind")
    m.add(
        events.WagerPlaced,
        wager_id=name,
        position=text_or_none(_word(keys.take("position")), keys.where),
        patron=text_or_none(keys.take("patron"), keys.where),
        wager=kind(str(said)),
        picks=words.picks(keys.take("pick", "picks")),
        stake_cents=m.cents("stake_cents"),
        instrument=words.means(_chips(keys.take("instrument", "means", default="chips"))),
        coupons=(),
    )


def _word(value: Any) -> str | None:
    return None if value is None else str(value)


def _chips(said: Any) -> Any:
    return "chips" if said == "value chips" else said


def thrown(m: Moment) -> None:
    keys = m.keys
    purpose = str(keys.take("purpose", default="down")).upper()
    if purpose not in events.ThrowPurpose.__members__:
        raise NotTranslatable(f"{keys.where}: not a purpose: {purpose!r}")
    silent = True if m.scene.in_order else None
    together = truth_or_none(keys.take("released_together", default=silent), keys.where)
    struck = truth_or_none(keys.take("struck_far_end", default=silent), keys.where)
    m.add(
        events.DiceThrownByHand,
        purpose=events.ThrowPurpose[purpose],
        position=text_or_none(_word(keys.take("position")), keys.where),
        thrown_by=None,
        released_together=together,
        struck_far_end=struck,
        dice=tuple(_die(Keys(one, keys.where)) for one in keys.need("dice")),
    )


def _die(keys: Keys) -> events.ThrownDie:
    rest, touched = keys.take("rest", default="flat"), keys.take("touched")
    side = whole_or_none(keys.take("rests_on"), keys.where)
    said = [touched] if isinstance(touched, str) else touched
    if rest not in RESTS:
        raise NotTranslatable(f"{keys.where}: not how a die rests: {rest!r}")
    die = events.ThrownDie(
        serial=text_or_none(keys.take("die"), keys.where),
        colour=text_or_none(keys.take("colour"), keys.where),
        face=whole_or_none(keys.take("face"), keys.where),
        rest=RESTS[rest],
        resting_side=side,
        leans_on=text_or_none(keys.take("leans_on"), keys.where),
        touched=None
        if said is None
        else tuple(TOUCHED.get(words.plain(str(one)), events.Touched.OTHER) for one in said),
    )
    keys.finish()
    return die


def no_roll(m: Moment) -> None:
    who, _ = m.actor("by", "called_by", absent=events.Role.STICKPERSON)
    reason = text_or_none(m.keys.take("reason", "why"), m.keys.where)
    m.add(events.NoRollCalled, reason=ground(reason), called_by=who)


def void(m: Moment) -> None:
    who, _ = m.actor("by", "called_by", absent=events.Role.STICKPERSON)
    reason = text_or_none(m.keys.take("reason", "why"), m.keys.where)
    m.add(events.ThrowVoided, reason=reason, called_by=who)


def disputed(m: Moment) -> None:
    position = text_or_none(_word(m.keys.take("by_position", "position")), m.keys.where)
    faces = tuple(int(face) for face in m.keys.take("alternatives") or ())
    die = text_or_none(m.keys.take("die"), m.keys.where)
    m.add(events.FaceDisputed, die=die, position=position, alternatives=faces)


def dispute_ruled(m: Moment) -> None:
    who, _ = m.actor("by", "ruled_by", absent=events.Role.STICKPERSON)
    face = whole_or_none(m.keys.take("face"), m.keys.where)
    die = text_or_none(m.keys.take("die"), m.keys.where)
    again = truth_or_none(m.keys.take("rethrow"), m.keys.where)
    m.add(events.DisputeRuled, die=die, face=face, rethrow=again, ruled_by=who)


def called(m: Moment) -> None:
    who, _ = m.actor("by", "called_by", absent=events.Role.STICKPERSON)
    faces = (*m.keys.need("green"), m.keys.need("red"))
    m.add(events.RollCalled, faces=tuple(int(face) for face in faces), called_by=who)


def announced(m: Moment) -> None:
    what = m.keys.need("what")
    if what == "turnover":
        m.add(events.TurnoverAnnounced, announced_by=None)
        return
    if what != "down_and_distance":
        raise NotTranslatable(f"{m.keys.where}: not an announcement: {what!r}")
    yards = whole_or_none(m.keys.take("distance_yards"), m.keys.where)
    m.add(
        events.DownAnnounced,
        down=_down(m.keys.take("down")),
        distance_yards=yards,
        announced_by=None,
    )


def dice_set_placed(m: Moment) -> None:
    counts = [m.keys.take(colour) for colour in ("green", "red")]
    named = [str(die) for some in counts if isinstance(some, list) for die in some]
    dice = named or [str(die) for die in m.keys.need("dice")]
    green, red = (
        len(some) if isinstance(some, list) else whole_or_none(some, m.keys.where)
        for some in counts
    )
    for prose in ("set", "inspected", "by"):
        m.keys.take(prose)
    colours = ["green"] * (green or 0) + ["red"] * (red or 0)
    known = colours if len(colours) == len(dice) else [None] * len(dice)
    m.table.dice = dice
    identities = tuple(
        events.DieIdentity(serial=serial, colour=colour)
        for serial, colour in zip(dice, known, strict=True)
    )
    m.add(events.DiceSetPlaced, shaker=None, dice=identities)


def dice_set_removed(m: Moment) -> None:
    for prose in ("set", "by"):
        m.keys.take(prose)
    dice = tuple(str(die) for die in m.keys.take("dice", default=m.table.dice))
    m.table.dice = [die for die in m.table.dice if die not in dice]
    m.add(events.DiceSetRemoved, dice=dice)


def dice_inspected(m: Moment) -> None:
    condition = words.plain(str(m.keys.need("condition")))
    m.keys.take("set")
    who, _ = m.actor("by", absent=events.Role.STICKPERSON)
    good = condition in FIT
    m.add(
        events.ItemInspected,
        subject=events.Subject.DICE,
        subject_id=text_or_none(m.keys.take("die"), m.keys.where),
        item="condition",
        found=good,
        seen=() if good else (events.Seen(name=condition, value=None),),
        inspected_by=who or "STICKPERSON",
    )


def die_lost(m: Moment) -> None:
    kind = events.DieLost if m.name == "die_lost" else events.DieFound
    die = text_or_none(m.keys.take("die"), m.keys.where)
    m.add(kind, die=die, colour=text_or_none(m.keys.take("colour"), m.keys.where))


FIT: Final = frozenset(
    {
        "good",
        "fit",
        "ok",
        "in_order",
        "suitable",
        "suitable_for_play",
        "sound",
        "undamaged",
        "pass",
        "passed",
    }
)


HANDLERS: Final[dict[str, Handler]] = {
    "offered": offered,
    "rejected": rejected,
    "accepted": accepted,
    "selected": selected,
    "betting_opened": betting_opened,
    "table_opened": table_opened,
    "markers": markers,
    "wager": wager,
    "thrown": thrown,
    "no_roll": no_roll,
    "void": void,
    "disputed": disputed,
    "dispute_ruled": dispute_ruled,
    "called": called,
    "announced": announced,
    "dice_set_placed": dice_set_placed,
    "dice_set_removed": dice_set_removed,
    "dice_inspected": dice_inspected,
    "die_lost": die_lost,
    "die_found": die_lost,
}
OF_GAME[GAME] = HANDLERS
