"""Cases in the vocabulary of the general provisions: limits, notices and filings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ledger import events
from ledger.events.enums import Capture
from tests.conformance import (
    asia_setup,
    dice,
    dreamcatcher,
    general_rounds,
    no_room,
    office,
    props_and_hops,
    providers,
    requests,
    setups,
    three_dice_football,
    words,
)
from tests.conformance.in_order import (
    DAY,
    Filing,
    House,
    inspect_shaker,
    shaker_of,
)
from tests.conformance.keys import Keys, NotTranslatable, truth_or_none
from tests.conformance.scene import Moment, Scene, Table
from tests.conformance.sic_bo import read_sign
from tests.conformance.timeline import SETUP
from tests.conformance.walk import (
    GAMES,
    Told,
    before,
    earliest_second,
    handler,
    prepare,
    told,
    walk,
)

STAFF = [("floorperson", "F1"), ("dealer", "D1")]
DICE = ("d1", "d2", "d3")
ANY_WAGER = {"min_cents": 1, "max_cents": 1_000_000_000}
"""The limits of a table whose case says nothing of limits: in order, and wide enough for all."""
TABLES = {
    words.SIC_BO: "SB-01", words.DREAMCATCHER: "DC-01", words.PROPS_AND_HOPS: "PH-01",
    words.ASIA_POKER: "AP-01", words.THREE_DICE_FOOTBALL: "FB-01",
}  # fmt: skip
OWN_WORDS = {
    words.ASIA_POKER: ("asia_poker", asia_setup.WORDS),
    words.THREE_DICE_FOOTBALL: ("three_dice_football", three_dice_football.WORDS),
}
"""Games whose table a case may set up in the words of the game's own file."""
GENERAL_WORDS = frozenset({"limits", "paytable", "rounding", "table", "edition", "positions"})
"""Words of those files that a case of the general provisions uses in its own sense, or prose."""


def translate(case: Mapping[str, Any], defaults: Mapping[str, Any]) -> Scene:
    """Tell a case as facts.

    Raises:
        NotTranslatable: it is about another game or section, or says what facts cannot.
    """
    setup, facts = case.get("setup") or {}, told(case.get("facts") or [])
    own = str(setup.get("table"))
    played = {
        str(one["table"]) for _, one in facts
        if one["fact"] in ("betting_opened", "wager", "limits_changed") and str(one.get("table", own)) != own
    }  # fmt: skip
    if not played:
        return _of_table(setup, facts, defaults)
    others = dict(setup.get("other_tables") or {})
    limits = {name: others.pop(name) for name in played if name in others}
    rest = [(origin, one) for origin, one in facts if str(one.get("table")) not in played]
    scene = _of_table({**setup, "other_tables": others}, rest, defaults)
    told_once = {"other_tables", "limits", "limits_by_wager", "service_in_use", "request"}
    usual = {word: said for word, said in setup.items() if word not in told_once}
    for name in sorted(played):
        there = [(origin, one) for origin, one in facts if str(one.get("table")) == name]
        said = {"table": name, **({"limits": limits[name]} if name in limits else {})}
        other = _of_table({**usual, **said}, there, defaults)
        scene.timeline._entries.extend(other.timeline._entries)
    return scene


def _of_table(setup: Mapping[str, Any], facts: list[Told], defaults: Mapping[str, Any]) -> Scene:
    """The facts of one table, and of those of which a case says only the limits."""
    keys = Keys(setup, "setup")
    said_game = keys.take("game")
    if said_game is None or office.game_name(said_game) not in GAMES:
        return no_room.translate(keys, facts, said_game)
    game = words.game(str(said_game))
    own = _own_words(keys, game, defaults)
    facts = general_rounds.whole(facts, game)
    for _, one in facts:
        handler(str(one["fact"]), game)
    of = setups.clock(keys.take("property"))
    at = setups.moment(keys.need("start"))
    name = str(keys.take("table", default=TABLES[game]))
    scene = setups.open_scene(at, of, name, game, in_order=True)
    first = before(scene, min(setups.ARRIVED, earliest_second(facts)), 0)
    house = _house(keys, own, name, game, first, at)
    scene.table.submission = _offered(house, keys, at)
    scene.patrons_playing = truth_or_none(keys.take("patrons_playing"), "setup")
    others = keys.take("other_tables", default={}) or {}
    wheel, shaker = keys.take("wheel", default={}), keys.take("shaker", default=None)
    service, request = keys.take("service_in_use"), keys.take("request")
    keys.take("note")
    groups, lacking, seated = keys.take("hop_groups"), [], []
    if game == words.PROPS_AND_HOPS:
        keys.take("shake_state")
        lacking, seated = keys.take("not_offered", default=[]), keys.take("seated", default=[])
    keys.finish()
    prepare(scene, facts)
    options, layout = None, {}
    if game == words.ASIA_POKER:
        options = asia_setup.Options(own)
        layout = asia_setup.layout_words(house, own.take("layout"))
        scene.notice["asia"] = options
    for other in others:
        scene.tables[other] = Table(other, game)
    setups.set_the_scene(scene, house, first)
    requests.of_setup(scene, request, first, game)
    if service is not None:
        providers.put_in_order(scene, service, game)
    for other, pair in others.items():
        _elsewhere(scene, other, setups.amounts(pair, f"table {other}"), house, first)
    if game == words.SIC_BO:
        _open_dice(scene, house, _automated(shaker, facts), first)
    elif game == words.PROPS_AND_HOPS:
        props_and_hops.file_options(scene, house, _pairs(groups), lacking)
        props_and_hops.open_table(scene, house, place_dice=True)
        _seat(scene, seated)
    elif game == words.THREE_DICE_FOOTBALL:
        three_dice_football.open_in_order(scene, house, own, first)
    elif options is not None:
        _open_cards(scene, house, own, layout, options, first)
    else:
        dreamcatcher.open_wheel(scene, house, wheel, defaults["dreamcatcher"]["wheel"], STAFF)
    own.finish()
    walk(scene, facts)
    last = scene.table.last
    if scene.table.lit and last is not None and "cleared" not in scene.named:
        blank = Moment(scene, scene.table, last, Keys({}, "end"), SETUP, "round_over")
        handler("round_over", game)(blank)
    return scene


def _own_words(keys: Keys, game: str, defaults: Mapping[str, Any]) -> Keys:
    """What the game's own file says of a table, and what the case says in those words."""
    if game not in OWN_WORDS:
        return Keys({}, "setup")
    file, more = OWN_WORDS[game]
    usual = {word: one for word, one in defaults[file].items() if word not in GENERAL_WORDS}
    said = {word: keys.take(word) for word in sorted({*usual, *more}) if keys.has(word)}
    if "seated" in said:
        usual.pop("occupied_positions", None)
    return Keys({**usual, **said}, "setup")


def _pairs(groups: Any) -> Any:
    """The groups that a filing lists; words that say only that they are filed list none."""
    return groups if isinstance(groups, Mapping) else None


def _seat(scene: Scene, seats: list[Any]) -> None:
    for seat in seats:
        fields = {"position": str(seat), "patron": f"P{seat}"}
        scene.timeline.add(scene.at(-60), scene.table.name, events.PositionTaken, SETUP, **fields)


def _open_cards(
    scene: Scene, house: House, own: Keys, layout: dict[str, Any],
    options: asia_setup.Options, first: int,
) -> None:  # fmt: skip
    """The options, the hands and places on the layout, the deck and the shaker of Asia Poker."""
    options.file(scene, house)
    options.approve(scene, first - 7 * DAY)
    asia_setup.inspect(scene, house, layout, options, before(scene, 0, 121))
    own.take("staff")
    deck, set_of_dice = own.take("deck"), own.take("dice")
    approved = own.take("shaker_approved", default=True)
    asia_setup.open_table(scene, house, deck, set_of_dice, approved, options)


def _house(keys: Keys, own: Keys, name: str, game: str, first: int, start: int) -> House:
    house = House(name, game)
    house.camera = game != words.THREE_DICE_FOOTBALL
    by_kind = keys.take("limits_by_wager")
    usual = {} if by_kind else ANY_WAGER
    limits = keys.part("limits") if keys.has("limits") else Keys(usual, "limits")
    if limits is not None:
        since = limits.take("in_effect_since", default="opening of the table")
        if "open" not in str(since):
            raise NotTranslatable(f"limits: not a moment of the table: {since!r}")
        house.sign = read_sign(limits.take("sign", default={}))
        pairs = setups.limits_of(limits.rest(), game)
        house.limits = {kind: pair for kind, pair in pairs.items() if pair != (None, None)}
    house.limits |= setups.limits_of(by_kind, game) if by_kind else {}
    apply = words.plain(str(keys.take("limits_apply_to", default="each wager")))
    if apply not in {"each_wager", "each_wager_by_kind"}:
        raise NotTranslatable(f"limits: the facts cannot limit {apply!r}")
    amendment = keys.part("amendment")
    paytable = keys.take("paytable", default="filed and approved")
    if game == words.PROPS_AND_HOPS and keys.has("filed_odds"):
        paytable = {"filed": keys.take("filed_odds")}
    odds, was_filed, approved = _paytable(paytable, game)
    if own.has("bonus_odds", "main_odds", "no_bonus_lines"):
        odds = asia_setup.odds(own)
    limit = keys.take("payout_limit_per_round", "payout_limit")
    if isinstance(limit, int):
        limit = {"cents": limit}
    filed_limit, shown_limit = None, None
    if limit is not None:
        filed_limit, shown_limit = dreamcatcher.payout_limit(Keys(limit, "payout limit"))
    long_ago = first - 6 * DAY
    base = Filing(f"RS-{name}", long_ago, long_ago if approved else None, odds,
                  words.rounding(keys.take("rounding")), filed_limit)  # fmt: skip
    house.filings = [base] if was_filed else []
    _increments(house, keys.take("increments"), base)
    on_layout = keys.take("layout_shows")
    if amendment is not None:
        _amend(house, base, amendment, game, long_ago)
    elif on_layout and house.filings:  # other odds than those filed: offered without an amendment
        house.never_filed = _other_odds(base, on_layout, game)
    in_force = _in_force(house, start)
    shown = in_force.odds if in_force else dict(words.floors(game))
    house.printed = setups.printed(shown, on_layout, game)
    if game == words.DREAMCATCHER:
        low, high = house.limits.get(None, (None, None))
        house.stated = {"minimum": low, "maximum": high}
        if shown_limit is not None:
            house.stated["payout_limit"] = shown_limit
    return house


def _paytable(said: Any, game: str) -> tuple[dict[tuple[str, str | None], str], bool, bool]:
    """Odds, whether they are filed, whether they are approved."""
    rows: Any = {}
    odds: dict[tuple[str, str | None], str] | None = None
    was_filed = approved = True
    if said is None:
        was_filed = False
    elif isinstance(said, str):
        text = said.lower()
        named = re.search(r"paytable ([bc])\b", text)
        if named and game == words.ASIA_POKER:
            odds = asia_setup.odds(Keys({"paytable": named[1].upper()}, "paytable"))
        was_filed = not re.search(r"not filed|unfiled", text)
        approved = not re.search(r"not approved|pending|not yet approved|unapproved", text)
    else:
        keys = Keys(said, "paytable")
        keys.take("base")
        rows = keys.take("filed", default={})
        approved = bool(truth_or_none(keys.take("approved", default=True), "paytable"))
        rows = {**rows, **keys.rest()}
    return odds or setups.filed(rows, game), was_filed, approved


def _increments(house: House, said: Any, base: Filing) -> None:
    """A step that is required; filed with the rest, filed and pending, or not filed at all."""
    if said is None:
        return
    keys = Keys({"step_cents": said} if isinstance(said, int) else said, "increments")
    step = int(keys.need("step_cents", "increment_cents"))
    filed_too = truth_or_none(keys.take("in_rules_submission", "filed", default=True), keys.where)
    approved = truth_or_none(keys.take("approved", default=True), keys.where)
    keys.finish()
    house.increment = step
    if filed_too and approved:
        base.increment = step
    elif filed_too and house.filings:
        house.filings.append(
            Filing(f"{base.name}-STEP", base.filed_at + 1, None, base.odds, base.breakage,
                   base.payout_limit, step, base.name)
        )  # fmt: skip


def _amend(house: House, base: Filing, keys: Keys, game: str, long_ago: int) -> None:
    """An amendment of single rows; what was filed before is the paytable without them."""
    filed_at, approved_at = keys.take("filed_at"), keys.take("approved_at")
    rows = {
        row: words.odds(value)
        for name, value in keys.rest().items()
        for row in words.filed_rows(name, game)
    }
    floors = words.floors(game)
    amended = dict(base.odds) | rows
    for row, value in rows.items():
        if base.odds[row] == value:
            base.odds[row] = floors[row]
    when = long_ago + 1 if filed_at is None else setups.moment(filed_at)
    approval = None if approved_at is None else setups.moment(approved_at)
    if filed_at is None:
        house.never_filed = amended
    base.filed_at = min(base.filed_at, when - DAY)
    base.approved_at = None if base.approved_at is None else min(base.approved_at, when - DAY)
    if filed_at is not None:
        house.filings.append(
            Filing(f"{base.name}-AMENDED", when, approval, amended, base.breakage,
                   base.payout_limit, base.increment, base.name)
        )  # fmt: skip


def _other_odds(
    base: Filing, shown: Mapping[str, Any], game: str
) -> dict[tuple[str, str | None], str] | None:
    """The odds that a layout shows, where they are better than those filed.

    A layout that shows less than was filed is printed wrongly: nobody offers anything by it.
    """
    offered, filed = dict(base.odds), {**words.floors(game), **base.odds}
    try:
        for name, value in shown.items():
            offered |= dict.fromkeys(words.filed_rows(name, game), words.odds(value))
    except NotTranslatable:
        return None
    worse = any(row in filed and _ratio(odds) < _ratio(filed[row]) for row, odds in offered.items())
    return None if worse or offered == base.odds else offered


def _ratio(odds: str) -> Fraction:
    """What is paid for each dollar, by odds as a filing writes them."""
    paid, stake = map(int, odds.split(":"))
    return Fraction(paid, stake)


def _in_force(house: House, start: int) -> Filing | None:
    """The submission last approved before the start."""
    done = [f for f in house.filings if f.approved_at is not None and f.approved_at <= start]
    return max(done, key=lambda filing: filing.approved_at or 0, default=None)


def _offered(house: House, keys: Keys, start: int) -> str | None:
    """The submission whose odds the table offers: the one that the layout shows, else in force."""
    in_force = _in_force(house, start)
    shown = house.printed or {}
    for filing in reversed(house.filings):
        if shown == setups.printed(filing.odds, None, house.game) and (
            in_force is None or filing.odds != in_force.odds
        ):
            return filing.name
    if house.never_filed and shown == setups.printed(house.never_filed, None, house.game):
        return f"RS-{house.table}-NEVER-FILED"
    return in_force.name if in_force else (house.filings[-1].name if house.filings else None)


def _automated(said: Any, facts: list[Any]) -> bool:
    shakers = {str(one.get("shaker", "")) for _, one in facts if one["fact"] == "shaken"}
    first = next(iter(sorted(shakers)), "")
    return "auto" in str(said or first).lower()


def _open_dice(scene: Scene, house: House, automated: bool, first: int) -> None:
    """Staff, shaker, dice and trials of a Sic Bo table, and its opening."""
    table, add = scene.table, scene.timeline.add
    at = scene.at(setups.ARRIVED)
    setups.staff(scene, table, STAFF, at)
    name = "automated" if automated else "manual"
    kind = events.ShakerKind.AUTOMATED if automated else events.ShakerKind.MANUAL
    if "shaker_placed" not in scene.named:
        blank = Moment(scene, table, at, Keys({}, "setup"), SETUP, "shaker_placed")
        dice.approve_shaker(blank, name, kind, True)
        inspect_shaker(scene, table, name, automated, at)
        table.shakers[name], table.shaker = kind, name
        shaker = shaker_of(table.name, name)
        add(at, table.name, events.ShakerPlaced, SETUP, shaker=shaker, kind=kind)
    if "dice_placed" not in scene.named:
        table.dice = list(DICE)
        where = shaker_of(table.name, table.shaker or table.first_shaker or name)
        placed = tuple(events.DieIdentity(serial=one, colour=None) for one in DICE)
        add(scene.at(-7000), table.name, events.DiceSetPlaced, SETUP, shaker=where, dice=placed)
    _try_devices(scene, house, shaker_of(table.name, name) if automated else None)
    if "table_opened" not in scene.named or "table_closed" in scene.named:
        add(
            scene.at(setups.OPENED), table.name, events.TableOpened, SETUP,
            game=table.game, layout=house.layout, paytable=table.submission, capture=Capture.FULL,
        )  # fmt: skip


def _try_devices(scene: Scene, house: House, automated: str | None) -> None:
    if "inspected" in scene.named:
        return
    common = {"inspected_by": "F1", "working": True}
    scene.timeline.add(
        scene.at(-6000), scene.table.name, events.DeviceInspected, SETUP,
        device=events.Device.ELECTRICAL_DEVICE, device_id=house.device_id, trial_entries=3,
        values_per_entry=3, operations=None, lit_properly=True, tossed_properly=None, **common,
    )  # fmt: skip
    if automated is not None:
        scene.timeline.add(
            scene.at(-5900), scene.table.name, events.DeviceInspected, SETUP,
            device=events.Device.AUTOMATED_SHAKER, device_id=automated, trial_entries=None,
            values_per_entry=None, operations=3, lit_properly=None, tossed_properly=True, **common,
        )  # fmt: skip


def _elsewhere(
    scene: Scene, name: str, pair: tuple[int | None, int | None], house: House, first: int
) -> None:
    """The limits of another table and their sign; nothing is played there."""
    at = first - setups.MICROS_PER_MINUTE
    low, high = pair
    amounts = {"wager": None, "minimum_cents": low, "maximum_cents": high}
    scene.timeline.add(
        at, name, events.LimitsSet, SETUP, **amounts, increment_cents=None, patrons_playing=False
    )
    sign = house.sign.name if house.sign else "LS-1"
    scene.timeline.add(
        at, name, events.LimitsSignPosted, SETUP,
        sign=sign, **amounts, states_change=False, effective_time=None,
    )  # fmt: skip
