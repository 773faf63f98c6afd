"""Cases in the vocabulary of the Dreamcatcher file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.events import TableOpened
from ledger.events.enums import Capture
from tests.conformance import setups, words
from tests.conformance.in_order import DAY, Filing, House
from tests.conformance.keys import Keys, NotTranslatable, truth_or_none, whole_or_none
from tests.conformance.scene import Scene
from tests.conformance.sic_bo import read_sign
from tests.conformance.timeline import SETUP
from tests.conformance.walk import before, earliest_second, prepare, told, walk


def translate(case: Mapping[str, Any], defaults: Mapping[str, Any]) -> Scene:
    """Tell a case as facts.

    Raises:
        NotTranslatable: it uses words that the vocabulary does not have, or that facts cannot say.
    """
    keys = Keys({**defaults, **(case.get("setup") or {})}, "setup")
    zone, starts = keys.take("time_zone"), keys.take("gaming_day_starts", default="06:00")
    of = setups.clock(keys.take("property"), zone or "America/New_York", starts)
    t0, day = keys.take("t0", "start"), keys.take("gaming_day")
    at = setups.moment(t0) if t0 is not None else setups.evening(day, of)
    if keys.take("edition") != defaults.get("edition"):
        raise NotTranslatable("setup: only one edition of this chapter is held")
    name = str(keys.take("table", default="DC-01"))
    scene = setups.open_scene(at, of, name, words.DREAMCATCHER)
    facts = told(case.get("facts") or [])
    first = before(scene, min(setups.ARRIVED, earliest_second(facts)), 0)
    house = _house(keys, defaults, name, first)
    scene.table.submission = house.filings[-1].name if house.filings else None
    wheel, workers = keys.take("wheel"), setups.people(keys.take("staff"))
    scene.patrons_playing = truth_or_none(keys.take("patrons_playing"), "setup")
    keys.take("note", "comment")
    keys.finish()
    prepare(scene, facts)
    setups.set_the_scene(scene, house, first)
    open_wheel(scene, house, wheel, defaults["wheel"], workers)
    walk(scene, facts)
    return scene


def open_wheel(
    scene: Scene, house: House, wheel: Any, usual: Any, workers: list[tuple[str, str]]
) -> None:
    """Staff, wheel and opening of a table, unless the case opens it itself."""
    table = scene.table
    setups.staff(scene, table, workers, scene.at(setups.ARRIVED))
    setups.place_wheel(scene, table, wheel, usual, scene.at(setups.ARRIVED + 200))
    if "table_opened" not in scene.named or "table_closed" in scene.named:
        scene.timeline.add(
            scene.at(setups.OPENED), table.name, TableOpened, SETUP,
            game=table.game, layout=house.layout, paytable=table.submission, capture=Capture.FULL,
        )  # fmt: skip


def _house(keys: Keys, defaults: Mapping[str, Any], name: str, first: int) -> House:
    house = House(name, words.DREAMCATCHER)
    paytable, was_filed = keys.take("paytable"), keys.take("rules_submission_filed", default=True)
    odds = setups.filed(paytable, words.DREAMCATCHER)
    breakage = words.rounding(keys.take("rounding"))
    limit, stated_limit = payout_limit(keys.part("payout_limit"))
    step = whole_or_none(keys.take("increment_cents"), "setup")
    long_ago = first - 6 * DAY
    if isinstance(was_filed, Mapping):
        how = Keys(was_filed, "rules_submission_filed")
        approved = truth_or_none(how.take("approved", default=True), how.where)
        was_filed = truth_or_none(how.take("filed", default=True), how.where)
        how.finish()
    else:
        approved = truth_or_none(keys.take("rules_submission_approved", default=True), "setup")
    if truth_or_none(was_filed, "setup"):
        when = long_ago if approved else None
        filing = Filing(f"RS-{name}", long_ago, when, odds, breakage, limit, step)
        house.filings = [filing]
    house.increment = step
    low = whole_or_none(keys.take("minimum_cents", "min_cents"), "setup")
    high = whole_or_none(keys.take("maximum_cents", "max_cents"), "setup")
    house.limits = {None: (low, high)} if (low, high) != (None, None) else {}
    by_kind = keys.take("limits_by_wager", default=None)
    house.limits |= setups.limits_of(by_kind, words.DREAMCATCHER) if by_kind else {}
    house.sign = read_sign(keys.take("sign", default={}))
    house.printed = setups.printed(odds, None, words.DREAMCATCHER)
    said = keys.take("layout")
    _layout(house, {**defaults.get("layout", {}), **(said or {})}, (low, high), stated_limit)
    setups.box_words(house, {**defaults.get("boxes", {}), **(keys.take("boxes") or {})})
    house.camera = keys.take("camera") not in (None, False, "none", "lost", "not assigned")
    return house


def payout_limit(keys: Keys | None) -> tuple[Any, int | None]:
    """The limit as filed, and as the layout states it."""
    if keys is None:
        return None, None
    was_filed = truth_or_none(keys.take("filed", default=True), keys.where)
    shown = truth_or_none(keys.take("on_layout", "posted", default=True), keys.where)
    limit = words.payout_limit(keys)
    keys.finish()
    return limit if was_filed else None, limit.limit_cents if shown else None


def _layout(
    house: House, said: Mapping[str, Any], limits: tuple[int | None, int | None],
    payout_limit: int | None,
) -> None:  # fmt: skip
    keys = Keys(said, "layout")
    states = [words.plain(str(word)) for word in keys.take("states", default=[])]
    setups.layout_words(house, keys)
    keys.finish()
    known = {"name", "logo", "name_or_logo", "spaces", "odds", "minimum", "maximum"}
    known |= {"payout_limit", "maximum_payout", "payout_limit_per_round", "maximum_payout_limit",
              "maximum_payout_per_round", "payout_maximum"}  # fmt: skip
    unknown = set(states) - known
    if unknown:
        raise NotTranslatable(f"layout: not what a layout states: {', '.join(sorted(unknown))}")
    if not {"name", "logo", "name_or_logo"} & set(states):
        house.holder_named = False
    if "spaces" not in states:
        house.areas = ()
    if "odds" not in states:
        house.odds_printed = False
    house.stated = {
        word: value for word, value in zip(("minimum", "maximum"), limits, strict=True)
        if word in states
    }  # fmt: skip
    if payout_limit is not None:
        house.stated["payout_limit"] = payout_limit
