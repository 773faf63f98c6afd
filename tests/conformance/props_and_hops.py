"""Cases in the vocabulary of the Props & Hops file, and the facts of that table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from ledger import events
from ledger.events.enums import Capture
from ledger.kernel import MICROSECONDS
from tests.conformance import dice, play, setups, words
from tests.conformance.in_order import DAY, Filing, House, Sign, inspect_shaker, shaker_of
from tests.conformance.keys import Keys, NotTranslatable, text_or_none, truth_or_none, whole_or_none
from tests.conformance.scene import Moment, Scene
from tests.conformance.timeline import HOUSE, SETUP
from tests.conformance.walk import OF_GAME, Told, before, earliest_second, prepare, told, walk

STAFF: Final = [("floorperson", "F1"), ("dealer", "D1")]
SHAKER: Final = "manual"
LEAST_SHAKES: Final = 3
LAMMERS: Final = ("1-5", "2-4", "3-3", "2-6", "3-5", "4-4")
ANY_STAKE: Final = {"min_cents": 1, "max_cents": 100_000_000}
"""The limits of a case that says nothing of them: no stake is outside."""
REASONS: Final = (
    (r"\b(fell|fallen|falls|out)\b", "die fell out"),
    (r"\bon\b.*\b(die|other|top)\b|stack", "die on another die"),
    (r"flat|lean|cocked|propped|tilted|edge", "die not flat"),
)
"""Why there was no roll, by the words of a case: the first that fits."""


def translate(case: Mapping[str, Any], _defaults: Mapping[str, Any]) -> Scene:
    """Tell a case as facts.

    Raises:
        NotTranslatable: it uses words that the vocabulary does not have, or that facts cannot say.
    """
    keys = Keys(case.get("setup") or {}, "setup")
    of = setups.clock(keys.take("property"))
    at = setups.evening(keys.take("gaming_day", default="2017-03-04"), of)
    name = str(keys.take("table", default="PH-01"))
    scene = setups.open_scene(at, of, name, words.PROPS_AND_HOPS)
    facts = told(case.get("facts") or [])
    first = before(scene, min(setups.ARRIVED, earliest_second(facts)), 0)
    keys.take("edition", "note")
    house = _house(keys, name, first)
    groups, lacking = keys.take("hop_groups"), keys.take("not_offered") or []
    seated = keys.take("seated") or []
    approved = keys.take("shaker_approved", default=True)
    keys.finish()
    scene.table.submission = house.filings[0].name
    prepare(scene, facts)
    setups.set_the_scene(scene, house, first)
    file_options(scene, house, groups, lacking)
    open_table(scene, house, place_dice=False, approved=approved)
    for seat in seated:
        scene.timeline.add(
            scene.at(-60), name, events.PositionTaken, SETUP, position=str(seat), patron=f"P{seat}"
        )
    walk(scene, facts)
    if _told_to_the_end(facts):
        at = (scene.table.last or scene.base) + MICROSECONDS
        scene.timeline.add(at, name, events.TableClosed, len(facts) - 1, reason=None)
    return scene


def _told_to_the_end(facts: list[Told]) -> bool:
    """Whether a roll counted and the dealer's shake of § 668a.3(j) is the last thing told."""
    walked = [fact for _, fact in sorted(facts, key=lambda pair: pair[1]["t"])]
    ended = bool(walked) and walked[-1]["fact"] == "shaken" and _by_dealer(walked[-1])
    counts = lifted = False
    for fact in walked:
        if fact["fact"] == "thrown":
            rests = [die.get("rest", die.get("rests", "flat")) for die in fact["dice"]]
            counts = not lifted and all(words.rest(rest) is events.Rest.FLAT for rest in rests)
        elif fact["fact"] in ("no_roll", "lost_facts"):
            counts = False
        elif fact["fact"] == "betting_opened" or (
            fact["fact"] == "shaken" and not _by_dealer(fact)
        ):
            counts = lifted = False
        elif fact["fact"] == "lid_removed":
            lifted = not _by_dealer(fact)
    return ended and counts


def _by_dealer(fact: Mapping[str, Any]) -> bool:
    return fact.get("by", fact.get("shaken_by", "dealer")) in ("dealer", "D1")


def _house(keys: Keys, name: str, first: int) -> House:
    house = House(name, words.PROPS_AND_HOPS)
    odds = setups.filed(keys.take("filed_odds"), words.PROPS_AND_HOPS)
    long_ago = first - 6 * DAY
    breakage = words.rounding(keys.take("rounding"))
    house.filings = [Filing(f"RS-{name}", long_ago, long_ago, odds, breakage)]
    house.printed = setups.printed(odds, None, words.PROPS_AND_HOPS)
    house.limits = setups.limits_of(keys.take("limits", default=ANY_STAKE), words.PROPS_AND_HOPS)
    house.sign = Sign("LS-1")
    house.layout_approved = keys.take("layout_approved", default=True)
    house.odds_printed = keys.take("odds_printed", default=True)
    return house


def file_options(scene: Scene, house: House, groups: Any, lacking: list[str]) -> None:
    """The hop groups of the layout, and the wagers offered where some are not."""
    if not house.filings:
        return
    filing = house.filings[0]
    if groups:
        listed = tuple(
            events.HopGroup(
                wager=words.wager(str(group), words.PROPS_AND_HOPS),
                combinations=tuple(combination(pair) for pair in pairs),
            )
            for group, pairs in groups.items()
            if pairs is not None
        )
        scene.timeline.add(
            filing.filed_at, HOUSE, events.HopGroupsFiled, SETUP,
            submission=filing.name, layout=house.layout, groups=listed,
        )  # fmt: skip
    if lacking:
        gone = {words.wager(str(one), words.PROPS_AND_HOPS) for one in lacking}
        offered = tuple(one for one in words.wagers_of(words.PROPS_AND_HOPS) if one not in gone)
        scene.timeline.add(
            filing.filed_at, HOUSE, events.WagersOfferedFiled, SETUP,
            submission=filing.name, game=words.PROPS_AND_HOPS, wagers=offered,
        )  # fmt: skip


def combination(said: Any) -> str:
    """Two faces as a filing and a lammer name them, the smaller first."""
    if isinstance(said, str):
        return said
    return "-".join(map(str, sorted(said)))


def open_table(scene: Scene, house: House, *, place_dice: bool, approved: bool = True) -> None:
    """Staff, shaker and the opening of the table."""
    table, add, at = scene.table, scene.timeline.add, scene.at(setups.ARRIVED)
    setups.staff(scene, table, STAFF, at)
    if "shaker_placed" not in scene.named:
        blank = Moment(scene, table, at, Keys({}, "setup"), SETUP, "shaker_placed")
        dice.approve_shaker(blank, SHAKER, events.ShakerKind.MANUAL, approved)
        inspect_shaker(scene, table, SHAKER, False, at)
        table.shakers[SHAKER], table.shaker = events.ShakerKind.MANUAL, SHAKER
        shaker = shaker_of(table.name, SHAKER)
        add(
            at, table.name, events.ShakerPlaced, SETUP, shaker=shaker, kind=events.ShakerKind.MANUAL
        )
    if place_dice and "dice_placed" not in scene.named:
        table.dice = ["d1", "d2"]
        placed = tuple(events.DieIdentity(serial=one, colour=None) for one in table.dice)
        shaker = shaker_of(table.name, SHAKER)
        add(scene.at(-7000), table.name, events.DiceSetPlaced, SETUP, shaker=shaker, dice=placed)
    if "table_opened" not in scene.named or "table_closed" in scene.named:
        add(
            scene.at(setups.OPENED), table.name, events.TableOpened, SETUP,
            game=table.game, layout=house.layout, paytable=table.submission, capture=Capture.FULL,
        )  # fmt: skip


# --- facts ---------------------------------------------------------------------------------------


def _shaker(m: Moment) -> str | None:
    return None if m.table.shaker is None else shaker_of(m.table.name, m.table.shaker)


def _position(m: Moment) -> str | None:
    said = m.keys.take("position", "seat")
    return None if said is None else str(said)


def betting_opened(m: Moment) -> None:
    """The dealer's shake before it, where everything unmentioned is in order."""
    m.keys.take("round")
    if m.scene.in_order:
        _dealer_shakes(m, 1)
    m.add(events.BettingOpened)


def _dealer_shakes(m: Moment, shakes: int | None, covered: bool | None = True) -> None:
    if covered is not None:
        lid = events.ShakerCovered if covered else events.ShakerUncovered
        m.add(lid, shaker=_shaker(m))
    m.add(
        events.DiceShaken, shaker=_shaker(m), kind=events.ShakerKind.MANUAL, shakes=shakes,
        shaken_by=m.table.dealer() or "D1", role=events.Role.DEALER,
    )  # fmt: skip


def shaken(m: Moment) -> None:
    """The dealer's shake of (d) and (j), or a player's of (f)."""
    keys = m.keys
    by = str(keys.take("by", "shaken_by", default="player" if keys.has("position") else "dealer"))
    keys.take("shaker")
    shakes = whole_or_none(keys.take("shakes", default=LEAST_SHAKES), keys.where)
    covered = truth_or_none(keys.take("covered", default=True), keys.where)
    if by in ("dealer", "D1"):
        keys.take("position")
        _dealer_shakes(m, shakes, covered)
        return
    who = None if by in ("player", "patron") else by
    m.add(
        events.PlayerShook, shaker=_shaker(m), position=_position(m), patron=who, shakes=shakes,
        covered=covered,
    )  # fmt: skip


def lid_removed(m: Moment) -> None:
    by = str(m.keys.take("by", default="dealer"))
    seen = m.keys.take("seen", "faces")
    if by == "dealer":
        m.add(events.ShakerUncovered, shaker=_shaker(m))
        return
    shown = None if seen is None else tuple(int(face) for face in seen)
    m.add(
        events.LidLiftedByPlayer, shaker=_shaker(m), position=_position(m), patron=None, faces=shown
    )


def shaker_recovered(m: Moment) -> None:
    m.keys.take("by")
    m.add(events.ShakerCovered, shaker=_shaker(m))


def shaker_offered(m: Moment) -> None:
    """An offer to nobody in particular shows nothing."""
    who, _ = m.actor("by", "offered_by")
    position = _position(m)
    if position is not None:
        m.add(
            events.ShakerOffered, shaker=_shaker(m), position=position, patron=None, offered_by=who
        )  # fmt: skip


def shaker_declined(m: Moment) -> None:
    position = str(m.keys.need("position"))
    m.add(events.ShakerDeclined, shaker=_shaker(m), position=position, patron=None)


def shaker_passed(m: Moment) -> None:
    said = m.keys.take("from", "from_position")
    to = str(m.keys.need("to", "to_position", "position"))
    come_from = None if said is None else str(said)
    m.add(events.ShakerPassed, shaker=_shaker(m), from_position=come_from, to_position=to)


def thrown(m: Moment) -> None:
    if m.scene.in_order:
        m.add(events.ShakerUncovered, shaker=_shaker(m))
    dice.thrown(m, unsaid="flat")


def no_roll(m: Moment) -> None:
    who, _ = m.actor("called_by", "by")
    said = text_or_none(m.keys.take("why", "reason"), m.keys.where)
    known = (reason for pattern, reason in REASONS if re.search(pattern, (said or "").lower()))
    m.add(events.NoRollCalled, reason=next(known, said), called_by=who)


def dice_placed(m: Moment) -> None:
    """The set, and who put it into the shaker before whose eyes."""
    by = m.keys.take("by", default="floorperson")
    presence = m.keys.take("in_presence_of", default=["dealer"])
    presence = [presence] if isinstance(presence, str) else presence
    dice.dice_placed(m)
    who, _ = m.scene.who(m.table, by, None)
    seen_by = (
        None
        if presence is None
        else tuple(str(m.scene.who(m.table, one, None)[0]) for one in presence)
    )
    m.add(
        events.DicePlacedInShaker, shaker=_shaker(m), dice=tuple(m.table.dice), placed_by=who,
        in_presence_of=seen_by,
    )  # fmt: skip


def dice_outside(m: Moment) -> None:
    m.keys.take("dice", "where", "why")
    who, _ = m.actor("by", "seen_by")
    m.add(events.DiceSeenOutsideShaker, shaker=_shaker(m), dice=None, seen_by=who)


def wager(m: Moment) -> None:
    m.keys.take("lammers_collected_when_placed")
    play.wager(m)


def lammers_placed(m: Moment) -> None:
    who, _ = m.actor("by", "placed_by")
    on = tuple(combination(one) for one in m.keys.take("on", "combinations", default=LAMMERS))
    m.add(events.LammersPlaced, combinations=on, placed_by=who)


def lammer_collected(m: Moment) -> None:
    who, _ = m.actor("by", "collected_by")
    m.add(
        events.LammerCollected,
        combination=combination(m.keys.need("combination")),
        collected_by=who,
    )


def lammers_cleared(m: Moment) -> None:
    who, _ = m.actor("by", "cleared_by")
    m.add(events.LammersCleared, cleared_by=who)


def item_inspected(m: Moment) -> None:
    """An inspection while the table is open finds a thing right or wrong."""
    keys = m.keys
    subject = events.Subject(str(keys.need("subject")).upper())
    thing = {
        events.Subject.LAYOUT: m.table.layouts["approved"],
        events.Subject.SHAKER: _shaker(m),
        events.Subject.TABLE: m.table.name,
    }.get(subject)
    m.add(
        events.ItemInspected, subject=subject, subject_id=thing, item=str(keys.need("item")),
        found=keys.need("found"), seen=(), inspected_by="F1",
    )  # fmt: skip


def inspected(m: Moment) -> None:
    raise NotTranslatable(f"{m.keys.where}: the chapter has no trial of a device")


HANDLERS = {
    **{name: tell for name, tell in dice.HANDLERS.items() if name in {
        "shaker_placed", "shaker_removed", "shaker_covered", "shaker_uncovered", "called",
        "dice_removed",
    }},
    "betting_opened": betting_opened,
    "dice_placed": dice_placed,
    "dice_outside_shaker": dice_outside,
    "shaken": shaken,
    "lid_removed": lid_removed,
    "shaker_recovered": shaker_recovered,
    "shaker_offered": shaker_offered,
    "shaker_declined": shaker_declined,
    "shaker_passed": shaker_passed,
    "thrown": thrown,
    "no_roll": no_roll,
    "wager": wager,
    "lammers_placed": lammers_placed,
    "lammer_collected": lammer_collected,
    "lammers_cleared": lammers_cleared,
    "inspected": inspected,
    "item_inspected": item_inspected,
}  # fmt: skip
OF_GAME[words.PROPS_AND_HOPS] = HANDLERS
