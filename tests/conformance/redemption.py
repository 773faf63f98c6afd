"""Cases of redemption at a table (§ 525.22): each game's round in its own words, and the coupons.

The words of a round are rewritten for the game's own vocabulary, with what the case leaves out in
order; the coupons' words are taken out before and told as facts beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from ledger import events
from ledger.events.enums import Capture
from ledger.kernel import MICROSECONDS, PropertyClock
from tests.conformance import (
    asia_poker,
    coupon_program,
    general,
    match_play,
    props_and_hops,
    setups,
    three_dice_football,
    words,
)
from tests.conformance import redemption_rounds as rounds
from tests.conformance.coupon_words import (
    GIVEN_BACK,
    cancel_method,
    named_status,
    role,
    whereabouts,
)
from tests.conformance.keys import Keys, NotTranslatable, whole
from tests.conformance.scene import Scene
from tests.conformance.timeline import HOUSE, SETUP, Origin, Timeline
from tests.conformance.walk import told

Fact = dict[str, Any]
GAMES: Final = {
    "sic_bo": words.SIC_BO,
    "dreamcatcher": words.DREAMCATCHER,
    "props_and_hops": words.PROPS_AND_HOPS,
    "three_dice_football": three_dice_football.GAME,
    "asia_poker": asia_poker.GAME,
}
TABLES: Final = {
    "sic_bo": "SB-01", "dreamcatcher": "DC-01", "props_and_hops": "PH-01",
    "three_dice_football": "TF-01", "asia_poker": "AP-01",
}  # fmt: skip
PLACES: Final = {
    "under_chips": events.CouponPlace.UNDER_CHIPS,
    "on_chips": events.CouponPlace.ON_CHIPS,
    "on_top_of_chips": events.CouponPlace.ON_CHIPS,
    "beside_chips": events.CouponPlace.BESIDE_CHIPS,
}
FAULTS: Final = (
    ("below", events.CouponFault.CHIPS_BELOW_VALUE),
    ("expired", events.CouponFault.EXPIRED),
    ("void", events.CouponFault.VOIDED),
    ("terms", events.CouponFault.OUTSIDE_TERMS),
    ("counterfeit", events.CouponFault.COUNTERFEIT),
    ("cash", events.CouponFault.NOT_CHIPS),
    ("one", events.CouponFault.ONE_TOO_MANY),
)
EVEN_MONEY: Final = tuple(
    name for game in GAMES.values() for name in words.wagers_of(game)
    if {odds for (wager, _), odds in words.floors(game).items() if wager == name} == {"1:1"}
)  # fmt: skip
"""The wagers that pay 1 to 1 whatever is shown."""
OWN_AREA: Final = frozenset({"own_betting_area", "betting_area", "patron_s_betting_area"})
COUPON_WORDS: Final = frozenset(
    {"coupon_refused", "coupon_dropped", "coupon_given_back", "cancelled"}
)
STOCK_WORDS: Final = frozenset(match_play.HANDLERS) - {"cancelled", "redeemed", "returned"}
"""Words of the stock cases that a case at a table may use, too."""


@dataclass
class Act:
    """One fact of a coupon, told after the round's facts of the same moment."""

    t: Any
    origin: Origin
    kind: type[Any]
    table: str
    fields: dict[str, Any]


@dataclass
class Taken:
    """What a case says of coupons: those that lie with a wager, and what became of each."""

    denominations: dict[str, int] = field(default_factory=dict)
    laid: dict[tuple[str, Any], list[tuple[str, int]]] = field(default_factory=dict)
    by_wager: dict[str, list[str]] = field(default_factory=dict)
    acts: list[Act] = field(default_factory=list)
    stock: list[tuple[Origin, Fact]] = field(default_factory=list)

    def add(self, one: Fact, origin: Origin, kind: type[Any], table: str, **said: Any) -> None:
        self.acts.append(Act(one["t"], origin, kind, table, said))


# --- the coupons' words ----------------------------------------------------------------------------


def wager(taken: Taken, one: Fact, origin: Origin, table: str) -> Fact:
    """A wager without its coupons, which are kept; cash lies in the place of chips."""
    keys = Keys({k: v for k, v in one.items() if k not in {"t", "fact"}}, f"fact {origin}")
    listed = keys.take("coupon_serials", default=()) or ()
    serials = [str(each) for each in ([listed] if isinstance(listed, str) else listed)]
    chips, cash = keys.take("chips_cents"), keys.take("cash_cents")
    said: Fact = {"t": one["t"], "fact": "wager"}
    if chips is not None:
        means = str(keys.take("means", default="cash" if cash and not chips else "chips"))
        said |= {"stake_cents": chips or cash or 0, "means": means}
    stake = whole(said.get("stake_cents", one.get("stake_cents")), keys.where)
    lies = keys.take("coupon_lies", default="under_chips")
    seen = keys.take("coupon_value_visible", default=True)
    area, by = (
        keys.take("area", default="own_betting_area"),
        keys.take("redeemed_by_role", default="dealer"),
    )
    checked = keys.take("expiry_checked", default=True)
    denomination = keys.take("coupon_cents")
    on, beside = keys.take("chips_on_coupon_cents"), keys.take("chips_beside_cents")
    late = keys.take("coupon_laid_after_s", default=0)
    keys.take("table")
    said |= keys.rest()
    if not serials:
        return said
    name = str(one.get("wager_id") or one.get("wager"))
    if not late:
        taken.laid[name, one["t"]] = [(each, on if on is not None else stake) for each in serials]
    taken.by_wager[name] = serials
    for each in serials:
        taken.add(
            {"t": one["t"] + late}, origin, events.CouponAccepted, table, serial=each, wager_id=name,
            denomination_cents=denomination, accepted_by="D1",
            role=role(by),
            place=None if lies is None else _place(str(lies)),
            area=None if area is None
            else events.CouponArea.BETTING_AREA if words.plain(str(area)) in OWN_AREA else events.CouponArea.OTHER,
            value_visible=seen, expiry_checked=checked, chips_on_cents=on,
            chips_beside_cents=beside,
        )  # fmt: skip
    return said


def _place(said: str) -> events.CouponPlace:
    """How a coupon lies: under the chips, whatever they call that, or not."""
    plain = words.plain(said)
    if re.match(r"(under|beneath|below)", plain):
        return events.CouponPlace.UNDER_CHIPS
    return PLACES.get(plain, events.CouponPlace.OTHER)


def settled(taken: Taken, one: Fact, origin: Origin, table: str) -> Fact:
    """A settlement without its coupon, of which it says where it went."""
    said = {key: value for key, value in one.items() if key != "table"}
    name = str(one.get("wager_id") or one.get("wager"))
    dropped = said.pop("coupon_dropped", None)
    word = said.pop("coupon", "dropped" if dropped else None)
    went = whereabouts(word, table)
    said.pop("chips_given_back_cents", None)
    by, late = said.pop("dropped_by_role", "dealer"), said.pop("dropped_after_s", None)
    for each in taken.by_wager.get(name, ()):
        if went == GIVEN_BACK:
            fields = {"serial": each, "wager_id": name, "reason": None, "given_by": "D1"}
            taken.add(one, origin, events.CouponGivenBack, table, **fields)
            continue
        outcome = str(one.get("outcome"))
        fields = {
            "serial": each, "wager_id": name, "denomination_cents": None,
            "decided": words.settled_as(outcome), "paid_cents": None, "box_table": went,
            "box": None, "redeemed_by": "D1", "role": words.role("dealer"),
        }  # fmt: skip
        if fields["decided"] is not events.SettledAs.RETURNED or went is not None:
            later = late is not None or by != "dealer"
            fields |= {"box_table": None} if later else {}
            taken.add(one, origin, events.CouponRedeemed, table, **fields)
            if later:
                when = {"t": one["t"] + (late or 0)}
                taken.add(when, origin, events.CouponDropped, table, serial=each, wager_id=name,
                          box_table=went, box=None, dropped_by=None,
                          role=role(by))  # fmt: skip
    return said


def apart(taken: Taken, one: Fact, origin: Origin, table: str) -> None:
    """A fact of a coupon that is none of a wager's."""
    keys = Keys({k: v for k, v in one.items() if k not in {"t", "fact", "table"}}, f"fact {origin}")
    serials = [str(each) for each in keys.take("serials", default=())]
    serial = serials[0] if serials else str(keys.need("serial", "coupon"))
    owner = next((name for name, laid in taken.by_wager.items() if serial in laid), None)
    name = keys.take("wager_id", default=owner)
    match str(one["fact"]):
        case "coupon_refused":
            reason = keys.take("reason", "why")
            fault = next((f for word, f in FAULTS if word in str(reason)), events.CouponFault.OTHER)
            taken.add(one, origin, events.CouponRefused, table, serial=serial, wager_id=name, remark=reason,
                      fault=fault if reason else None, refused_by="D1")  # fmt: skip
        case "coupon_dropped":
            box = str(keys.take("box_of", default=table))
            by = keys.take("role", "by", "by_role", default="dealer")
            taken.add(one, origin, events.CouponDropped, table, serial=serial, wager_id=name,
                      box_table=box, box=None, dropped_by="D1", role=role(by))  # fmt: skip
        case "coupon_given_back":
            taken.add(one, origin, events.CouponGivenBack, table, serial=serial, wager_id=name,
                      reason=keys.take("reason"), given_by="D1")  # fmt: skip
        case "cancelled":
            how = cancel_method(keys.take("how"))
            because = match_play.named(
                match_play.BECAUSE, keys.take("because", default="redeemed"), "a cancellation"
            )
            by = coupon_program.credential(keys.take("by", default="FM1"))
            for each in serials or [serial]:
                ranges = coupon_program.run_of([each], taken.denominations.get(each))
                taken.add(one, origin, events.CouponsCancelled, coupon_program.FINANCE, ranges=ranges,
                          because=because, how=how, for_gaming_day=None, cancelled_by=by)  # fmt: skip
        case other:
            raise NotTranslatable(f"unknown fact: {other!r}")
    keys.finish()


def separated(
    facts: Iterable[tuple[Origin, Fact]], table: str, taken: Taken
) -> dict[str, list[tuple[Origin, Fact]]]:
    """The facts of the rounds by table, the case's own first; those of coupons are kept."""
    found: dict[str, list[tuple[Origin, Fact]]] = {table: []}
    for origin, one in facts:
        where = str(one.get("table", table))
        own = found.setdefault(where, [])
        match str(one["fact"]):
            case "wager":
                own.append((origin, wager(taken, one, origin, where)))
            case "settled":
                own.append((origin, settled(taken, one, origin, where)))
            case name if name in COUPON_WORDS:
                apart(taken, one, origin, where)
            case name if name in STOCK_WORDS:
                taken.stock.append((origin, one))
            case _:
                own.append((origin, {key: one[key] for key in one if key != "table"}))
    return {where: own for where, own in found.items() if own or where == table}


def tell_coupons(scene: Scene, taken: Taken, origins: Mapping[int, Origin]) -> None:
    """Lay the coupons with their wagers, and tell what became of them."""
    lay(scene, taken, origins)
    for act in taken.acts:
        scene.timeline.add(scene.at(act.t), act.table, act.kind, act.origin, **act.fields)


def lay(scene: Scene, taken: Taken, origins: Mapping[int, Origin]) -> None:
    """Lay the coupons with their wagers, each fact with its own number in the case."""
    entries = scene.timeline._entries
    for number, entry in enumerate(entries):
        origin = entry.origin
        if isinstance(origin, int):
            origin = origins.get(origin, origin)
        laid: tuple[events.CouponLaid, ...] = ()
        if entry.kind is events.WagerPlaced:
            found = next(
                (all_of for (name, t), all_of in taken.laid.items()
                 if name == entry.fields["wager_id"] and scene.at(t) == entry.time), []
            )  # fmt: skip
            laid = tuple(events.CouponLaid(serial=one, chips_cents=on) for one, on in found)
        fields = {**entry.fields, "coupons": laid} if laid else entry.fields
        entries[number] = replace(entry, fields=fields, origin=origin)


# --- the setup -------------------------------------------------------------------------------------


def program(timeline: Timeline, start: int, coupons: Iterable[Mapping[str, Any]]) -> None:
    """The program in order, each coupon's series and how it came to where it is."""
    day = 86_400 * MICROSECONDS
    coupon_program.approve(timeline, start - 40 * day)
    coupon_program.hire(timeline, start - 40 * day)
    for number, one in enumerate(coupons):
        keys = Keys(one, "coupon")
        serial, cents = str(keys.need("serial")), whole(keys.need("denomination_cents"), "coupon")
        status = named_status(keys.take("status_before", default="distributed"))
        terms = Keys(keys.take("printed_terms") or {}, "printed terms")
        expires = keys.take("expires", default=coupon_program.FAR)
        mailed = keys.take("mailed", default=False)
        if keys.take("series", default=True) and status != "unknown_serial_without_series":
            series(timeline, start - 39 * day, serial, cents, terms, expires)
        keys.finish()
        if mailed or status == "mailed":
            coupon_program.approve(
                timeline, start - 40 * day, (events.ControlsPart.MAILING,), design=False,
                name="MAIL",
            )  # fmt: skip
            status = "mailed" if status == "distributed" else status
        at = start - 2 * day + number * 60 * MICROSECONDS
        if status == "redeemed":
            coupon_program.bring(timeline, at, [serial], cents, "distributed")
            timeline.add(start - day, "OT-01", events.CouponRedeemed, SETUP, serial=serial,
                         wager_id=None, denomination_cents=cents, decided=events.SettledAs.WON,
                         paid_cents=None, box_table=None, box=None, redeemed_by=None,
                         role=None)  # fmt: skip
        else:
            coupon_program.bring(timeline, at, [serial], cents, status)


def series(timeline: Timeline, at: int, serial: str, cents: int, terms: Keys, expires: Any) -> None:
    """One series for one coupon, with what is printed on it."""
    prefix, digits, _ = coupon_program.split(serial)
    pays = str(terms.take("pays", default="wager_odds"))
    games, wagers = terms.take("games"), terms.take("wagers")
    terms.finish()
    coupon_program.describe(
        timeline, at, prefix, digits, cents, series=f"SERIES-{serial}", first=serial, last=serial,
        expires=expires, pays=events.CouponPays[pays.upper()],
        games=restricted(games, lambda game: GAMES.get(words.plain(game), game)),
        wagers=restricted(wagers, rounds.kind),
    )  # fmt: skip


def restricted(printed: Any, named: Callable[[str], str]) -> tuple[str, ...] | None:
    """What alone a coupon is printed for; None: anything."""
    if printed is None or printed in ("any", "all"):
        return None
    names = [printed] if isinstance(printed, str) else printed
    return tuple(
        kind for name in names
        for kind in (
            EVEN_MONEY if words.plain(name).startswith("even_money")
            else words.DREAMCATCHER_WAGERS if words.plain(name) in {"number", "numbers"}
            else [named(name)]
        )
    )  # fmt: skip


def translate(case: Mapping[str, Any], defaults: Mapping[str, Any]) -> Scene:
    """Tell a case of redemption as facts.

    Raises:
        NotTranslatable: it uses words that the vocabulary does not have, or that facts cannot say.
    """
    keys = Keys(case.get("setup") or {}, "setup")
    game = str(keys.need("game"))
    table = str(keys.take("table", default=TABLES.get(game, "T-01")))
    of = setups.clock(keys.take("gaming_day_starts"))
    start = of.start_of(date.fromisoformat(str(keys.need("gaming_day"))))
    coupons = list(keys.take("coupons") or ())
    taken = Taken({str(one["serial"]): one["denomination_cents"] for one in coupons})
    tables = separated(told(case.get("facts") or []), table, taken)
    own = keys.rest()
    scene, *others = (
        _of_table(name, game, own, facts, (of, start, taken), defaults)
        for name, facts in tables.items()
    )
    for other in others:
        scene.timeline._entries.extend(other.timeline._entries)
    for act in taken.acts:
        scene.timeline.add(scene.at(act.t), act.table, act.kind, act.origin, **act.fields)
    program(scene.timeline, start, coupons)
    _tell_stock(scene, taken)
    close_the_day(scene, start, taken, coupons)
    return scene


def _tell_stock(scene: Scene, taken: Taken) -> None:
    """What a case at a table tells in the words of the stock cases: boxes counted, papers, voids."""
    own = match_play.Case(scene, coupon_program.PEOPLE, frozenset())
    own.denominations = {
        coupon_program.split(serial)[0]: cents for serial, cents in taken.denominations.items()
        if serial[-1:].isdigit()
    }  # fmt: skip
    for origin, one in taken.stock:
        name = str(one["fact"])
        keys = Keys({k: v for k, v in one.items() if k not in {"t", "fact"}}, f"fact {origin}")
        match_play.HANDLERS[name](own, scene.at(one["t"]), keys, origin)
        keys.finish()


def _of_table(
    table: str,
    game: str,
    own: Mapping[str, Any],
    facts: list[tuple[Origin, Fact]],
    known: tuple[PropertyClock, int, Taken],
    defaults: Mapping[str, Any],
) -> Scene:
    """The rounds of one table; what the case's setup says of the game holds for each of them."""
    of, start, taken = known
    keys = Keys(own, "setup")
    first = min((one["t"] for _, one in facts), default=36_000)
    said_limits = {"limits": keys.take("limits")} if keys.has("limits") else {}
    paytable = keys.take("paytable")
    groups, shaker = keys.take("filed_groups"), keys.take("shaker")
    maximum, breakage = keys.take("max_payout_cents"), keys.take("rounding")
    payout_limit, step = keys.take("payout_limit"), keys.take("increments")
    keys.take("note")
    keys.finish()
    shifted = [(origin, {**one, "t": one["t"] - first}) for origin, one in facts]
    at = datetime.fromtimestamp(start / MICROSECONDS + first, UTC).isoformat()
    setup: dict[str, Any] = {"start": at}
    numbers: dict[int, Origin] = {}
    if game in rounds.GENERAL:
        setup |= {
            "game": game, "table": table, "paytable": paytable or "filed and approved",
            "patrons_playing": True, "increments": step, "rounding": breakage, **said_limits,
        }  # fmt: skip
        setup |= {"shaker": shaker} if shaker else {}
        setup |= {"payout_limit": payout_limit} if payout_limit else {}
        round_ = rounds.renumbered(rounds.GENERAL[game](shifted), numbers)
        scene = general.translate({"setup": setup, "facts": round_}, defaults)
        _groups(scene, groups)
    elif game == "three_dice_football":
        setup |= {"named": table, "rounding": breakage, **said_limits}
        round_ = rounds.renumbered(rounds.football(shifted), numbers)
        usual = defaults["three_dice_football"]
        scene = three_dice_football.translate({"setup": setup, "facts": round_}, usual)
    elif game == "asia_poker":
        way: list[str] = []  # a way that leaves the hands open: the dealer's are set by it
        setup |= {"table": table, "max_payout_cents": maximum, "house_way": way, **said_limits}
        setup |= {"paytable": str(paytable).removeprefix("bonus ")} if paytable else {}
        round_ = rounds.renumbered(rounds.poker(shifted), numbers)
        scene = asia_poker.translate({"setup": setup, "facts": round_}, defaults["asia_poker"])
    else:
        scene = _elsewhere(game, table, of, start, facts)
    scene.base = start
    lay(scene, taken, numbers)
    return scene


def close_the_day(
    scene: Scene, start: int, taken: Taken, coupons: Iterable[Mapping[str, Any]]
) -> None:
    """The boxes hang on to be counted, the day's papers reach finance, a past month is taken stock."""
    timeline, clock = scene.timeline, scene.timeline.clock
    told_of = {str(one["fact"]) for _, one in taken.stock}
    counted = {str(one["table"]) for _, one in taken.stock if one["fact"] == "drop_counted"}
    boxes = {act.fields["box_table"] for act in taken.acts if act.fields.get("box_table")}
    for table in sorted(boxes - counted):
        timeline.add(start + 1, table, events.DropBoxHung, SETUP, box=f"BOX-{table}")
        _count(timeline, clock.bounds(clock.day_of(start))[1] - 6, table, taken, coupons)
    day = clock.day_of(start)
    for one in sorted({day, *(clock.day_of(scene.at(act.t)) for act in taken.acts)}):
        if "forwarded_to_finance" in told_of:
            break
        timeline.add(
            clock.bounds(one)[1] - 2, coupon_program.MARKETING, events.CouponsForwarded, SETUP,
            for_gaming_day=one.isoformat(),
            items=(events.ForwardedItem.DOCUMENTATION, events.ForwardedItem.REDEEMED),
            forwarded_by=coupon_program.credential("MS1"),
            received_by=coupon_program.credential("FS1"),
        )  # fmt: skip
    _papers(timeline, clock.bounds(day)[1] - 4, day.isoformat(), taken, coupons)
    if day.month == clock.day_of(start - 2 * 86_400 * MICROSECONDS).month:
        return
    held: dict[int, int] = {}
    for one in coupons:
        if one.get("status_before") in ("in_finance_stock", "held_by_marketing"):
            cents = one["denomination_cents"]
            held[cents] = held.get(cents, 0) + 1
    last = day.replace(day=1) - timedelta(days=1)
    lines = tuple(
        events.CouponRange(denomination_cents=cents, first=None, last=None, quantity=count)
        for cents, count in sorted(held.items())
    )
    timeline.add(
        clock.bounds(last)[1] - 2, coupon_program.FINANCE, events.CouponsInventoried, SETUP, lines=lines,
        inventory="INV-1", month=f"{last:%Y-%m}", in_ledger=True,
        covers=(events.CouponHolder.FINANCE, events.CouponHolder.MARKETING), inventoried_by=(),
    )  # fmt: skip


def _groups(scene: Scene, groups: Any) -> None:
    """The hop groups of the layout, filed with the rules."""
    if not groups:
        return
    listed = tuple(
        events.HopGroup(
            wager=words.wager(str(group), words.PROPS_AND_HOPS),
            combinations=tuple(props_and_hops.combination(pair) for pair in pairs),
        )
        for group, pairs in groups.items()
    )
    scene.timeline.add(
        scene.at(-3600 * 24 * 3), HOUSE, events.HopGroupsFiled, SETUP,
        submission=scene.table.submission, layout=scene.table.layouts["approved"], groups=listed,
    )  # fmt: skip


def _elsewhere(game: str, table: str, of: Any, start: int, facts: list[Any]) -> Scene:
    """A table whose game has no room here: patrons play each other."""
    scene = setups.open_scene(start, of, table, game)
    ago = start - 20 * 86_400 * MICROSECONDS
    scene.timeline.add(ago, HOUSE, events.GameApproved, SETUP, game=game, requested_time=ago,
                       approved_time=ago, approved_by="ED")  # fmt: skip
    plain = game.lower().partition("(")[0].strip()
    others = r"each other|one another|other (players|patrons)|(player|patron)s? bank|not house"
    banked = not re.search(others, game.lower()) and (plain != "poker" or "house" in game.lower())
    scene.timeline.add(ago, HOUSE, events.GameBankStated, SETUP, game=game, table=None,
                       house_banked=banked)  # fmt: skip
    scene.timeline.add(scene.at(3600), table, events.TableOpened, SETUP, game=game, layout="L-1",
                       paytable=None, capture=Capture.FULL)  # fmt: skip
    for origin, one in facts:
        at = scene.at(one["t"])
        match one["fact"]:
            case "betting_opened":
                scene.timeline.add(at, table, events.BettingOpened, origin)
            case "wager":
                scene.timeline.add(
                    at, table, events.WagerPlaced, origin, wager_id=str(one["wager_id"]), position=None,
                    patron=one.get("patron"), wager=str(one["wager"]), picks=(),
                    stake_cents=one["stake_cents"], instrument=words.means(one["means"]),
                    coupons=(),
                )  # fmt: skip
            case "settled":
                scene.timeline.add(
                    at, table, events.WagerSettled, origin, wager_id=str(one["wager_id"]),
                    outcome=words.settled_as(one["outcome"]),
                    winnings_cents=one["winnings_paid_cents"],
                    stake_taken_cents=one["chips_taken_cents"],
                )  # fmt: skip
            case _:
                continue
    return scene


def _count(
    timeline: Timeline, at: int, table: str, taken: Taken, coupons: Iterable[Mapping[str, Any]]
) -> None:
    """A box with a mailed coupon is counted: by then at the latest it is electronically cancelled."""
    mailed = {str(one["serial"]) for one in coupons if one.get("mailed")}
    inside = {act.fields["serial"] for act in taken.acts if act.fields.get("box_table") == table}
    if not inside & mailed:
        return
    day = timeline.clock.day_of(at).isoformat()
    timeline.add(at, table, events.DropBoxRemoved, SETUP, box=f"BOX-{table}")
    ranges = tuple(
        run for serial in sorted(inside)
        for run in coupon_program.run_of([serial], taken.denominations.get(serial))
    )  # fmt: skip
    timeline.add(
        at + 1, coupon_program.COUNT, events.CouponsCounted, SETUP, box=f"BOX-{table}", box_table=table,
        for_gaming_day=day, part=1, parts=1, ranges=ranges, unreadable=0,
        counted_by=(coupon_program.credential("FM1"), coupon_program.credential("FS1")),
    )  # fmt: skip
    for serial in sorted(inside - mailed):
        timeline.add(
            at + 2, coupon_program.FINANCE, events.CouponsCancelled, SETUP, for_gaming_day=day,
            ranges=coupon_program.run_of([serial], taken.denominations.get(serial)),
            because=events.CancelReason.REDEEMED, how=events.CancelMethod.PHYSICAL,
            cancelled_by=coupon_program.credential("FM1"),
        )  # fmt: skip


def _papers(
    timeline: Timeline, at: int, day: str, taken: Taken, coupons: Iterable[Mapping[str, Any]]
) -> None:
    """What marketing held is kept and stands on its form; what lay outside a box is cancelled."""
    kept = [one for one in coupons if one.get("status_before") == "held_by_marketing"]
    ranges = tuple(
        run for one in kept
        for run in coupon_program.run_of([str(one["serial"])], one["denomination_cents"])
    )  # fmt: skip
    if ranges:
        held = tuple(
            events.CouponQuantity(denomination_cents=run.denomination_cents, quantity=run.quantity)
            for run in ranges
        )
        none = tuple(replace(one, quantity=0) for one in held)
        timeline.add(
            at, coupon_program.MARKETING, events.ReconciliationFormCompleted, SETUP, form_id=f"F-{day}",
            for_gaming_day=day, dated=day, carried_in=ranges, received=(), to_distribute=held,
            distributed=none, remaining=ranges, voided=(), variations=(),
            completed_by=coupon_program.signed("MS1"),
        )  # fmt: skip
        timeline.add(
            at + 1, coupon_program.MARKETING, events.CouponsKept, SETUP, for_gaming_day=day,
            ranges=ranges, area=coupon_program.SAFE, locked=True,
            kept_by=coupon_program.credential("MS1"),
        )  # fmt: skip
    used = {act.fields["serial"] for act in taken.acts if act.kind is events.CouponRedeemed}
    counted = {
        str(serial) for _, one in taken.stock if one["fact"] == "drop_counted"
        for serial in one.get("serials") or ()
    } - {str(one["serial"]) for one in coupons if one.get("mailed")}  # fmt: skip
    boxed = {act.fields["serial"] for act in taken.acts if act.fields.get("box_table")} - counted
    ended = {
        act.fields["ranges"][0].first for act in taken.acts if act.kind is events.CouponsCancelled
    }
    for serial in sorted(used - boxed - ended):
        timeline.add(
            at + 1, coupon_program.FINANCE, events.CouponsCancelled, SETUP, for_gaming_day=day,
            ranges=coupon_program.run_of([serial], taken.denominations.get(serial)),
            because=events.CancelReason.REDEEMED, how=events.CancelMethod.ELECTRONIC,
            cancelled_by=coupon_program.credential("FM1"),
        )  # fmt: skip


# --- coupons in the games' own vocabularies -------------------------------------------------------


def beside(
    tell: Callable[[Mapping[str, Any], Mapping[str, Any]], Scene],
    case: Mapping[str, Any],
    defaults: Mapping[str, Any],
    table: str,
) -> Scene:
    """Tell a case of a game with the coupons that it mentions; all that is not said is in order."""
    setup = dict(case.get("setup") or {})
    named = [*_several(setup.pop("coupon", None)), *_several(setup.pop("coupons", None))]
    coupons = {str(one["serial"]): _coupon(one) for one in named}
    taken = Taken({serial: one["denomination_cents"] for serial, one in coupons.items()})
    facts = []
    for number, said in enumerate(case.get("facts") or []):
        one = dict(said)
        name = one.get("fact")
        owner = str(one.get("wager_id") or one.get("wager"))
        if name in COUPON_WORDS:
            apart(taken, one, number, table)
            one = {"t": one["t"], "fact": "note_of_a_coupon"}
        elif name in ("settled", "returned") and owner in taken.by_wager:
            one = _settled_beside(taken, one, number, table)
        elif name == "wager" and (one.get("coupon") or one.get("coupons")):
            one = _wager_beside(taken, coupons, one, number, table)
        facts.append(one)
    told_of = [number for number, one in enumerate(facts) if one["fact"] != "note_of_a_coupon"]
    scene = tell({"setup": setup, "facts": [facts[number] for number in told_of]}, defaults)
    tell_coupons(scene, taken, dict(enumerate(told_of)))
    start = scene.timeline.clock.start_of(scene.timeline.clock.day_of(scene.base))
    program(scene.timeline, start, coupons.values())
    close_the_day(scene, start, taken, coupons.values())
    return scene


def _several(said: Any) -> list[Any]:
    return [] if said is None else list(said) if isinstance(said, list) else [said]


def _wager_beside(
    taken: Taken, coupons: dict[str, dict[str, Any]], one: Fact, number: int, table: str
) -> Fact:
    """A wager with its coupons, named or described there."""
    serials = []
    for lying in [*_several(one.pop("coupon", None)), *_several(one.pop("coupons", None))]:
        if isinstance(lying, Mapping):
            coupons[str(lying["serial"])] = _coupon(lying)
            taken.denominations[str(lying["serial"])] = lying["value_cents"]
            lying = lying["serial"]
        if str(lying) not in coupons:
            raise NotTranslatable(f"fact {number}: nothing is said of coupon {lying!r}")
        serials.append(str(lying))
    on = min(coupons[serials[0]]["denomination_cents"], one["stake_cents"])
    usual = {
        "coupon_serials": serials, "coupon_lies": "under_chips",
        "coupon_value_visible": True, "area": "own_betting_area", "expiry_checked": True,
        "redeemed_by_role": "dealer", "chips_on_coupon_cents": on,
        "chips_beside_cents": one["stake_cents"] - on,
    }  # fmt: skip
    return wager(taken, {**one, **{k: v for k, v in usual.items() if k not in one}}, number, table)


def _settled_beside(taken: Taken, one: Fact, number: int, table: str) -> Fact:
    """A settlement, or the return of a wager: its coupon goes back with it unless it was dropped."""
    back = one.pop("coupon_returned", one.pop("coupon_given_back", None))
    returned = one["fact"] == "returned" or "returned" in (one.get("outcome"), one.get("result"))
    if (
        back
        or (back is None and returned and not one.get("coupon_dropped") and not one.get("coupon"))
        or one.get("coupon") in ("returned", "given_back", "given back", "given back to the patron")
    ):
        one["coupon"] = "given_back_to_patron"
    elif not one.get("coupon_dropped") and "coupon" not in one:
        one["coupon"] = "already_dropped"
    one.setdefault("outcome", "returned" if one["fact"] == "returned" else one.get("result"))
    told_so = settled(taken, one, number, table)
    if told_so["fact"] == "returned":
        told_so.pop("outcome")
    return told_so


def _coupon(said: Mapping[str, Any]) -> dict[str, Any]:
    """A coupon of a game's own cases: its terms are prose."""
    keys = Keys(said, "coupon")
    pays, wagers = _terms(str(keys.take("terms", default="pays the wager's odds")))
    keys.take("drop", "note")
    found = {"serial": str(keys.need("serial")), "denomination_cents": keys.need("value_cents")}
    if keys.has("expires", "expiry", "expires_on"):
        found["expires"] = keys.take("expires", "expiry", "expires_on")
    if keys.has("status", "status_before"):
        found["status_before"] = keys.take("status", "status_before")
    keys.finish()
    return {**found, "printed_terms": {"pays": pays, "wagers": wagers or "any"}}


def _terms(prose: str) -> tuple[str, list[str] | None]:
    """How a coupon pays, and on which wagers alone it may lie."""
    said = prose.lower().replace("even-money", "even money")
    only = re.search(r"even money wagers only|only (on|for|with) even money wagers", said)
    rest = said if only is None else said.replace(only[0], "")
    if re.search(r"(wager|game)'?s'? odds|odds of the (wager|game)", rest):
        pays = "wager_odds"
    elif re.search(r"even money|1 to 1|1:1", rest):
        pays = "even_money"
    else:
        raise NotTranslatable(f"coupon: not terms that are known: {prose!r}")
    return pays, None if only is None else ["even money"]
