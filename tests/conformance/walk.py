"""The facts of a case, one after the other in order of time, each by its handler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ledger.kernel import MICROSECONDS
from ledger.law import CHAPTERS
from tests.conformance import dice, limits, office, play, providers, requests, wheel, words
from tests.conformance.keys import ASIDE, Keys, NotTranslatable
from tests.conformance.scene import Moment, Scene, Table
from tests.conformance.timeline import Origin

Handler = Callable[[Moment], None]
Told = tuple[Origin, dict[str, Any]]

OTHER_CHAPTERS = {}


GAMES = frozenset(chapter.name for chapter in CHAPTERS)
OF_GAME: dict[str, dict[str, Handler]] = {
    words.SIC_BO: dice.HANDLERS,
    words.DREAMCATCHER: wheel.HANDLERS,
}
"""Each game's own facts; the modules of further games add theirs."""


def handler(name: str, game: str) -> Handler:
    """Who translates facts of this name at a table of this game."""
    own = OF_GAME.get(game, wheel.HANDLERS) if game in GAMES else office.NO_ROOM
    at_table = own.get(name) or play.HANDLERS.get(name) or limits.HANDLERS.get(name)
    found = at_table or office.HANDLERS.get(name) or requests.HANDLERS.get(name)
    found = found or providers.HANDLERS.get(name)
    if found is not None:
        return found
    raise NotTranslatable(OTHER_CHAPTERS.get(name, f"unknown fact: {name!r}"))


def told(facts: Any, prefix: str = "") -> list[Told]:
    """Facts with their index; ``prefix`` makes it a word."""
    if not isinstance(facts, list):
        raise NotTranslatable("the facts are not a list")
    for number, one in enumerate(facts):
        if not isinstance(one, dict) or "t" not in one or "fact" not in one:
            raise NotTranslatable(f"fact {prefix}{number} has no time or no name")
    return [(f"{prefix}{number}" if prefix else number, one) for number, one in enumerate(facts)]


def earliest_second(*parts: list[Told]) -> Any:
    """The first moment that a case mentions, its start at the latest."""
    return min([0, *(one["t"] for part in parts for _, one in part)])


def prepare(scene: Scene, facts: list[Told]) -> None:
    """What must be known of the whole list before its first fact is translated."""
    scene.named = frozenset(one["fact"] for _, one in facts)
    scene.covers_told = bool(scene.named & {"shaker_covered", "shaker_uncovered"})
    scene.signs_decided |= {
        str(one.get("sign_id", one.get("sign")))
        for _, one in facts
        if one["fact"] == "sign_approved"
    }
    for _, one in facts:
        if one["fact"] == "limits_posted":
            sign = one.get("sign", {})
            scene.sign_stays_down |= sign is None or not sign.get("posted", True)
    for _, one in sorted(facts, key=lambda pair: scene.at(pair[1]["t"])):
        if one["fact"] == "shaker_placed":
            table = table_of(scene, one)
            table.first_shaker = table.first_shaker or str(one.get("shaker"))


def table_of(scene: Scene, fact: dict[str, Any]) -> Table:
    """The table that a fact names, else the case's."""
    name = fact.get("table")
    if name is None:
        return scene.table
    if name not in scene.tables:
        raise NotTranslatable(f"nothing is said of table {name!r}")
    return scene.tables[name]


def walk(scene: Scene, facts: list[Told]) -> None:
    """Translate facts in order of time; those of one moment in the order of the list."""
    for origin, one in sorted(facts, key=lambda pair: scene.at(pair[1]["t"])):
        table = table_of(scene, one)
        name = str(one["fact"])
        keys = Keys(
            {key: value for key, value in one.items() if key not in {"t", "fact", "table"}},
            f"fact {origin} ({name})",
        )
        keys.take("note", "comment")
        moment = Moment(scene, table, scene.at(one["t"]), keys, origin, name)
        if keys.take("lost", default=False):
            scene.timeline.lose(moment.time, table.name, 1, origin)
            continue
        handler(name, table.game)(moment)
        keys.finish(*ASIDE)
        table.last = moment.time


def before(scene: Scene, seconds: Any, minutes: int) -> int:
    """Some minutes before a second of the case."""
    return scene.at(seconds) - minutes * 60 * MICROSECONDS
