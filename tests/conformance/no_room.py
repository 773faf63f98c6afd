"""Cases of the general provisions that play at no table, or at one whose game no chapter has."""

from __future__ import annotations

from typing import Any

from ledger.events import TableOpened
from ledger.events.enums import Capture
from tests.conformance import office, requests, setups
from tests.conformance.in_order import DAY
from tests.conformance.keys import Keys, NotTranslatable, text_or_none, truth_or_none
from tests.conformance.scene import Scene
from tests.conformance.timeline import HOUSE, SETUP
from tests.conformance.walk import GAMES, Told, earliest_second, handler, prepare, walk


def translate(keys: Keys, facts: list[Told], said_game: Any) -> Scene:
    """Tell such a case as facts; what its setup says of a table in order has no room to judge it.

    Raises:
        NotTranslatable: it plays at a table and names no game, or a fact cannot be told.
    """
    of = setups.clock(keys.take("property"))
    at = setups.moment(keys.need("start"))
    game = "" if said_game is None else office.game_name(said_game)
    name = str(keys.take("table", default=HOUSE if not game else "T-01"))
    scene = setups.open_scene(at, of, name, game, in_order=True)
    scene.rules_of_filing = text_or_none(keys.take("rules_of_the_filing"), keys.where)
    offered = [office.game_name(one) for one in keys.take("games_offered", default=None) or []]
    scene.patrons_playing = truth_or_none(keys.take("patrons_playing"), "setup")
    request = keys.take("request")
    for word in ("limits", "paytable", "increments", "limits_apply_to", "note", "other_tables"):
        keys.take(word)
    keys.finish()
    prepare(scene, facts)
    known = {**office.HANDLERS, **requests.HANDLERS}
    for _, one in facts:
        if not game and one["fact"] not in known:
            handler(str(one["fact"]), next(iter(GAMES)))  # a word that nobody knows says so itself
            raise NotTranslatable(f"setup: no game is named, but {one['fact']!r} is told")
    first = scene.at(earliest_second(facts)) - 7 * DAY
    office.offer(scene, offered, first)
    requests.of_setup(scene, request, first, game)
    if game and "table_opened" not in scene.named:
        layout, capture = f"{name}-LAYOUT", Capture.FULL
        opened = {"game": game, "layout": layout, "paytable": None, "capture": capture}
        scene.timeline.add(scene.at(setups.OPENED), name, TableOpened, SETUP, **opened)
    walk(scene, facts)
    return scene
