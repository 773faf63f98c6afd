"""From a file of cases to facts: which vocabulary a file speaks, and each case told in facts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

from tests.conformance import (
    asia_poker,
    dreamcatcher,
    general,
    match_play,
    props_and_hops,
    redemption,
    sic_bo,
    three_dice_football,
    words,
)
from tests.conformance.keys import NotTranslatable
from tests.conformance.scene import Scene
from tests.conformance.timeline import Ledgerful
from tests.conformance.walk import told

EXAMPLES: Final = Path(__file__).parent / "examples"

TABLES: Final = {"sic_bo": "SB-01", "dreamcatcher": "DC-01"}
"""The tables of the games whose own cases have coupons."""


@dataclass(frozen=True)
class Told:
    """A case as facts, the gaming days to audit, and the table it is about.

    ``only_set_up`` is a case in which nothing happens: what it asks of is the setup itself.
    Of the ``periodic`` days only what is due by the month or the quarter is asked.
    """

    ready: Ledgerful
    days: tuple[date, ...]
    table: str
    game: str
    only_set_up: bool
    notice: Mapping[str, Any] = field(default_factory=dict)
    periodic: frozenset[date] = frozenset()


def vocabulary(document: Mapping[str, Any]) -> str:
    """Which of the vocabularies a file speaks, by its game.

    Raises:
        NotTranslatable: none that can be told in facts yet.
    """
    name = words.plain(str(document.get("game", "")))
    if name in {"sic_bo", "dreamcatcher", "three_dice_football"}:
        return name
    if name in {"props_hops", "props_and_hops"}:
        return "props_and_hops"
    if name in {"asia_poker", "match_play"}:
        return name
    if name.startswith("general"):
        return "general"
    raise NotTranslatable(f"no facts exist yet for the game {document.get('game')!r}")


def defaults_of(document: Mapping[str, Any], speaks: str) -> Mapping[str, Any]:
    """What a file says holds for all its cases; a file that says nothing means the examples'."""
    own: Any = document.get("defaults") or (document.get("notes") or {}).get("defaults") or {}
    if speaks in ("general", "match_play"):
        games = ("dreamcatcher", "three_dice_football", "asia_poker")
        return {game: defaults_of({}, game) for game in games}
    if speaks == "props_and_hops":
        return own  # type: ignore[no-any-return]
    usual = _example(speaks)
    if speaks == "asia_poker":
        return {**usual["vocabulary"]["defaults"], **own}
    usual = usual["notes"]["defaults"] if speaks == "sic_bo" else usual["defaults"]
    return {**usual, **own}


def _example(name: str) -> Any:
    return json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def translate(case: Mapping[str, Any], speaks: str, defaults: Mapping[str, Any]) -> Told:
    """Tell one case in facts; only its setup and its facts are read.

    Raises:
        NotTranslatable: with the reason.
    """
    seen = {"setup": case.get("setup"), "facts": case.get("facts")}
    if not isinstance(seen["setup"] or {}, Mapping):
        raise NotTranslatable(f"setup: not an object: {seen['setup']!r}")
    tell = {
        "sic_bo": sic_bo.translate,
        "dreamcatcher": dreamcatcher.translate,
        "general": general.translate,
        "asia_poker": asia_poker.translate,
        "three_dice_football": three_dice_football.translate,
        "props_and_hops": props_and_hops.translate,
        "match_play": redemption.translate if _at_a_table(case) else match_play.translate,
    }[speaks]
    try:
        if speaks in TABLES and '"coupon' in json.dumps(seen):
            scene = redemption.beside(tell, seen, defaults, TABLES[speaks])
        else:
            scene = tell(seen, defaults)
        ready = scene.timeline.finished()
    except (TypeError, ValueError, KeyError, AttributeError, IndexError, OverflowError) as error:
        raise NotTranslatable(
            f"a value of another shape than the vocabulary's: {error!r}"
        ) from error
    days = days_of(scene, seen)
    return Told(
        ready, days, scene.table.name, scene.table.game, not seen["facts"], scene.notice,
        scene.periodic,
    )  # fmt: skip


def _at_a_table(case: Mapping[str, Any]) -> bool:
    """Whether a case of coupons plays at a table, not in the stock."""
    return "game" in (case.get("setup") or {})


def days_of(scene: Scene, case: Mapping[str, Any]) -> tuple[date, ...]:
    """The gaming days on which the case itself says that something happened."""
    preamble = (case.get("setup") or {}).get("preamble")
    facts = [
        *told(case.get("facts") or []),
        *(told(preamble) if isinstance(preamble, list) else []),
    ]
    clock = scene.timeline.clock
    happened = {clock.day_of(scene.at(t)) for t in (0, *(f["t"] for _, f in facts))}
    return tuple(sorted(happened | set(scene.audited)))
