"""From a case's setup to the scene in which its facts are told: one function per vocabulary."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ledger.events import StaffAssigned, WheelPlaced
from ledger.kernel import PropertyClock, to_micros
from tests.conformance import words
from tests.conformance.in_order import (
    DAY,
    Amounts,
    Filing,
    House,
    Sign,
    file_and_approve,
    prepare_table,
)
from tests.conformance.keys import Keys, NotTranslatable, truth_or_none, whole_or_none
from tests.conformance.scene import Scene, Table
from tests.conformance.timeline import SETUP, Timeline
from tests.conformance.wheel import wheel_fields

MICROS_PER_MINUTE = 60_000_000
OPENED = -5400
ARRIVED = -7200


def clock(said: Any, zone: str = "America/New_York", starts: str = "06:00") -> PropertyClock:
    """The property's clock, from words or an object."""
    if isinstance(said, Mapping):
        keys = Keys(said, "property")
        zone = keys.take("time_zone", "zone", default=zone)
        starts = keys.take("gaming_day_starts", "starts", default=starts)
        keys.take("name", "certificate_holder")
        keys.finish()
    elif isinstance(said, str):
        found_zone = re.search(r"[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+", said)
        found_start = re.search(r"\d\d:\d\d", said)
        zone = found_zone[0] if found_zone else zone
        starts = found_start[0] if found_start else starts
    hours = re.match(r"(\d\d?):(\d\d)", starts)
    if hours is None:
        raise NotTranslatable(f"not a time of day: {starts!r}")
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise NotTranslatable(f"not a time zone: {zone!r}") from error
    return PropertyClock(zone, int(hours[1]) * 60 + int(hours[2]))


def moment(text: Any) -> int:
    """An ISO time with its offset."""
    try:
        at = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError as error:
        raise NotTranslatable(f"not a time: {text!r}") from error
    if at.tzinfo is None:
        raise NotTranslatable(f"a time without its offset: {text!r}")
    return to_micros(at.astimezone(UTC))


def evening(day: Any, of: PropertyClock) -> int:
    """20:00 local of a gaming day."""
    try:
        wall = date.fromisoformat(str(day))
    except ValueError as error:
        raise NotTranslatable(f"not a gaming day: {day!r}") from error
    return to_micros(datetime.combine(wall, time(20), tzinfo=ZoneInfo(of.time_zone)))


def amounts(said: Any, where: str) -> Amounts:
    """A lowest and a highest wager."""
    if isinstance(said, list) and len(said) == 2:
        return whole_or_none(said[0], where), whole_or_none(said[1], where)
    keys = Keys(said, where)
    low = whole_or_none(keys.take("min_cents", "minimum_cents"), where)
    high = whole_or_none(keys.take("max_cents", "maximum_cents"), where)
    keys.finish()
    return low, high


def limits_of(said: Any, of_game: str) -> dict[str | None, Amounts]:
    """Limits of a table, and of kinds of wager where they have their own."""
    if said is None:
        return {}
    if isinstance(said, dict) and not set(said) & {
        "min_cents",
        "max_cents",
        "minimum_cents",
        "maximum_cents",
    }:
        named = {}
        for name, pair in said.items():
            kind = None if name in {"default", "table"} else words.wager(name, of_game)
            named[kind] = amounts(pair, "limits")
        return named
    return {None: amounts(said, "limits")}


def filed(said: Any, of_game: str) -> dict[tuple[str, str | None], str]:
    """The filed paytable: the chapter's own odds but for the rows that are named."""
    odds = dict(words.floors(of_game))
    for name, value in (said or {}).items():
        odds |= dict.fromkeys(words.filed_rows(str(name), of_game), words.odds(value))
    return odds


def printed(
    odds: dict[tuple[str, str | None], str], said: Any, of_game: str
) -> dict[tuple[str, str | None], str]:
    """What the layout prints: the filed odds but for the rows that are named."""
    shown = {row: words.printed(value) for row, value in odds.items()}
    for name, value in (said or {}).items():
        for one in words.filed_rows(str(name), of_game):
            if value is None:
                shown.pop(one, None)
            else:
                shown[one] = words.printed(value)
    return shown


def layout_words(house: House, keys: Keys) -> None:
    """The words for a layout that both games use."""
    house.layout_approved = truth_or_none(keys.take("approved", default=True), keys.where)
    spaces = keys.take("spaces", "areas", "wager_areas")
    if spaces is not None:
        house.areas = tuple(words.wager(str(space), house.game) for space in spaces)
    lacks = keys.take("lacks", "missing", "without")
    if lacks is not None:
        wanted = words.wagers_of(house.game)
        gone = {words.wager(str(one), house.game) for one in lacks}
        house.areas = tuple(one for one in (house.areas or wanted) if one not in gone)
    if keys.has("name", "holder_name", "name_or_logo", "logo"):
        named = keys.take("name", "holder_name", "name_or_logo", "logo")
        house.holder_named = truth_or_none(named, keys.where)
    odds = keys.take("printed_odds", "prints", "odds")
    if isinstance(odds, bool):
        house.odds_printed = odds
    elif odds is not None:
        house.printed = printed(house.filings[0].odds if house.filings else
                                dict(words.floors(house.game)), odds, house.game)  # fmt: skip


def box_words(house: House, said: Any) -> None:
    """Where the drop box and the tip box hang, and whether that was approved."""
    keys = Keys(said or {}, "boxes")
    drop, tip = (keys.take(name, f"{name}_box", default="absent") for name in ("drop", "tip"))
    house.boxes = tuple(
        usual if word == "absent" else word
        for word, usual in zip((drop, tip), house.boxes, strict=True)
    )  # type: ignore[assignment]
    house.boxes_approved = truth_or_none(keys.take("approved", default=True), keys.where)
    keys.finish()


def set_the_scene(scene: Scene, house: House, first: int) -> None:
    """All that is in order, before the first thing that the case tells."""
    table = scene.tables[house.table]
    table.sign = house.sign.name if house.sign else None
    table.sign_up = bool(house.sign and house.sign.posted)
    table.layouts = {"approved": house.layout}
    file_and_approve(scene, house, first - 7 * DAY)
    prepare_table(scene, house, first - MICROS_PER_MINUTE)


def staff(scene: Scene, table: Table, people: list[tuple[str, str]], at: int) -> None:
    """People who work at a table from a moment on."""
    for role_word, person in people:
        role = words.role(role_word)
        table.on_duty.append((role, person))
        scene.people[person] = role
        scene.timeline.add(at, table.name, StaffAssigned, SETUP, role=role, person=person)


def people(said: Any) -> list[tuple[str, str]]:
    """Staff from words: role words, or objects with role and person."""
    found, counts = [], dict.fromkeys("DFBSPC", 0)
    for one in said or []:
        if isinstance(one, str):
            letter = words.role(one).value[0]
            counts[letter] = counts.get(letter, 0) + 1
            found.append((one, f"{letter}{counts[letter]}"))
        else:
            keys = Keys(one, "staff")
            found.append((str(keys.need("role")), str(keys.need("person"))))
            keys.finish()
    return found


def open_scene(
    at: int, of: PropertyClock, name: str, game: str, *, in_order: bool = False
) -> Scene:
    """An empty scene with one table."""
    return Scene(Timeline(of), at, Table(name, game), in_order)


def place_wheel(scene: Scene, table: Table, said: Any, default: Any, at: int) -> None:
    """The wheel as the setup describes it; null means that none was put into use."""
    if said is None:
        return
    fields = wheel_fields(Keys({**default, **said}, "wheel"), table)
    scene.timeline.add(at, table.name, WheelPlaced, SETUP, **fields)


__all__ = [
    "ARRIVED", "MICROS_PER_MINUTE", "OPENED", "Amounts", "Filing", "House", "Sign",
    "box_words", "clock", "evening", "filed", "layout_words", "limits_of", "moment", "open_scene",
    "people", "place_wheel", "printed", "set_the_scene", "staff",
]  # fmt: skip
