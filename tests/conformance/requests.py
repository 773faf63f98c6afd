"""Requests for a new game, wager or feature in words, and what was decided on them."""

from __future__ import annotations

import re
from typing import Any

from ledger import events
from ledger.law import CHAPTERS
from tests.conformance import providers, words
from tests.conformance.keys import Keys, NotTranslatable, text_or_none, truth_or_none
from tests.conformance.office import add, game_name
from tests.conformance.scene import Moment, Scene
from tests.conformance.setups import moment
from tests.conformance.timeline import HOUSE, SETUP, Origin

_LACKING = re.compile(r"\b(missing|absent|not given|none given|omitted|not in the request)\b")
WHOLE: dict[str, Any] = {
    "description": True, "rules_of_play": True, "rules_of_wagering": True,
    "classification": events.GameClass.NEW,
    "wagers": (events.RequestedOdds(wager="Main Wager", on=None, true_odds="1:1", payout_odds="1:1", house_advantage="0"),),
    "has_layout": True, "layout_shown": True, "equipment_shown": True, "reason": "given",
    "jurisdictions": (), "intellectual_property": "none",
}  # fmt: skip
"""What a request that is said to be complete holds."""
NOTHING: dict[str, Any] = {
    **dict.fromkeys(("description", "rules_of_play", "rules_of_wagering"), False),
    **dict.fromkeys(("classification", "wagers", "reason", "jurisdictions"), None),
    "has_layout": True, "layout_shown": False, "equipment_shown": False,
    "intellectual_property": None,
}  # fmt: skip
PARTS = {
    "description": ("description",),
    "rules": ("rules_of_play", "rules_of_wagering"),
    "rules_of_play": ("rules_of_play",),
    "rules_of_wagering": ("rules_of_wagering",),
    "classification": ("classification",),
    "kind": ("classification",),
    "wagers": ("wagers",),
    "odds": ("wagers",),
    "layout_sketch": ("layout_shown",),
    "equipment_sketch": ("equipment_shown",),
    "reason": ("reason",),
    "jurisdictions": ("jurisdictions",),
    "intellectual_property": ("intellectual_property",),
}


def given(value: Any) -> bool:
    """Whether a part of a request is there: words, unless they say that it is not."""
    if value is None or isinstance(value, bool):
        return bool(value)
    return bool(str(value).strip()) and not _LACKING.search(str(value).lower())


def kind_of(
    said: Any, *, names_feature: bool
) -> tuple[events.RequestKind, events.GameClass | None]:
    """What a request is about, and how it classes the game."""
    text = str(said or "").lower()
    if names_feature or re.search(r"\b(wager|bet)\b", text):
        feature = re.search(r"\bfeature\b", text)
        return (events.RequestKind.FEATURE if feature else events.RequestKind.WAGER), None
    if "feature" in text:
        return events.RequestKind.FEATURE, None
    for pattern, found in (
        (r"variation|variant", events.GameClass.VARIATION),
        (r"composite|combination|mix", events.GameClass.COMPOSITE),
        (r"\bnew\b", events.GameClass.NEW),
    ):
        if re.search(pattern, text):
            return events.RequestKind.GAME, found
    if text in {"", "game", "table game"}:
        return events.RequestKind.GAME, None
    raise NotTranslatable(f"request: no kind: {said!r}")


def contents(keys: Keys, game: str) -> dict[str, Any]:
    """What a request holds, by the names of the fact; what is not named is not in it."""
    whole = keys.take("complete")
    held = dict(WHOLE if whole else NOTHING)
    named = {"feature": text_or_none(keys.take("feature", "wager"), keys.where)}
    said_kind = keys.take("kind", default="new game" if whole else None)
    kind, classed = kind_of(said_kind, names_feature=named["feature"] is not None)
    if keys.has("classification"):
        said = keys.take("classification")
        classed = None if said is None else kind_of(said, names_feature=False)[1]
    held |= {"kind": kind, "classification": classed}
    if keys.has("description"):
        held |= _described(keys.take("description"))
    for part in ("rules_of_play", "rules_of_wagering"):
        if keys.has(part):
            held[part] = given(keys.take(part))
    if keys.has("layout_sketch", "layout_picture", "layout"):
        said = keys.take("layout_sketch", "layout_picture", "layout")
        none = re.search(r"no layout|not applicable|none", str(said).lower()) if said else None
        held |= {"has_layout": none is None, "layout_shown": none is None and given(said)}
    if keys.has("has_layout"):
        held["has_layout"] = truth_or_none(keys.take("has_layout"), keys.where)
    if keys.has("equipment_sketch", "equipment_pictures", "equipment"):
        held["equipment_shown"] = given(
            keys.take("equipment_sketch", "equipment_pictures", "equipment")
        )
    for part, also in (("reason", "why"), ("intellectual_property", "patents")):
        if keys.has(part, also):
            said = keys.take(part, also)
            held[part] = None if not given(said) else str(said)
    if keys.has("jurisdictions", "other_jurisdictions"):
        said = keys.take("jurisdictions", "other_jurisdictions")
        if isinstance(said, str):
            none = re.fullmatch(r"none|no other", said.strip().lower())
            said = [] if none else [each.strip() for each in said.split(",")]
        held["jurisdictions"] = None if said is None else tuple(str(one) for one in said)
    if keys.has("wagers"):
        said = keys.take("wagers")
        held["wagers"] = None if said is None else tuple(_odds(one, game) for one in said)
    for part in keys.take("lacks", "missing", "without", default=[]):
        if part not in PARTS:
            raise NotTranslatable(f"{keys.where}: no part of a request: {part!r}")
        held |= {name: NOTHING[name] for name in PARTS[part]}
    return {**named, **held}


def _described(said: Any) -> dict[str, bool]:
    """ "given, with rules of play and wagering", "given without the rules of wagering"."""
    text = str(said or "").lower()
    there = given(said)
    has, _, lacks = text.partition("without")
    play = there and "play" in has and "play" not in lacks
    wagering = there and "wagering" in has and "wagering" not in lacks
    return {"description": there, "rules_of_play": play, "rules_of_wagering": wagering}


def _odds(said: Any, game: str) -> events.RequestedOdds:
    keys = Keys(said, "request, wager")
    name = str(keys.need("wager"))
    on = keys.take("on", "pick", "line")
    wager, row = name, None if on is None else str(on)
    if row is None and game in (words.SIC_BO, words.DREAMCATCHER, words.PROPS_AND_HOPS):
        try:
            wager, row = words.row(name, game)
        except NotTranslatable:
            wager = words.wager(name, game)
    elif row is None and game in (words.ASIA_POKER, words.THREE_DICE_FOOTBALL):
        wager = words.wager(name, game)
        lines = words.rows(name, game) if wager not in words.wagers_of(game) else []
        wager, row = lines[0] if len(lines) == 1 else (wager, None)
    stated = events.RequestedOdds(
        wager=wager, on=row,
        true_odds=_text(keys.take("true_odds_against", "true_odds", "probability")),
        payout_odds=_text(keys.take("payout_odds", "pays")),
        house_advantage=_text(keys.take("house_advantage", "house_edge")),
    )  # fmt: skip
    keys.finish()
    return stated


def _text(said: Any) -> str | None:
    """ "45 to 7" -> "45:7", "8.76%" -> "8.76", as the facts write them."""
    if said is None:
        return None
    text = re.sub(r"\s+to\s+", ":", str(said).strip())
    return text.removesuffix("%").strip() if re.fullmatch(r"[-−\d.\s]+%", text) else text


def game_of(keys: Keys, setup: str | None, own: str) -> str:
    """The game of a request: named, or by the chapter that its rules are said to be."""
    if keys.has("game", "name"):
        return game_name(keys.take("game", "name"))
    for chapter in CHAPTERS:
        if re.match(rf"\s*(§\s*)?{chapter.edition.chapter}\b", setup or ""):
            return chapter.name
    return own or "a game of no name"


def request_filed(m: Moment) -> None:
    """§ 521.4; the request itself stands in ``request``, or beside the fact's own words."""
    keys, where = m.keys, m.keys.where
    to = keys.take("to", "addressed_to", default="Executive Director")
    inside = keys.take("request", default=None)
    if not isinstance(inside, dict):
        inside = {**keys.rest(), **({} if inside is None else {"id": inside})}
    part = Keys(inside, f"{where}, request")
    file(m.scene, part, m.time, m.origin, text_or_none(to, where), m.table.game)


def file(
    scene: Scene, keys: Keys, at: int, origin: Origin, to: str | None, own_game: str
) -> tuple[str, str, events.RequestKind]:
    """File a request, and its decision where it names one: id, game and kind."""
    number = 1 + sum(name.startswith("REQUEST-") for name in scene.requests)
    name = str(keys.take("id", "request_id", default=f"REQUEST-{number}"))
    game = game_of(keys, scene.rules_of_filing, own_game)
    filed = keys.take("filed_at")
    when = at if filed is None else _moment(scene, filed)
    decided = {key: keys.take(key) for key in ("approved_at", "denied_at") if keys.has(key)}
    written = truth_or_none(keys.take("in_writing", "written", default=True), keys.where)
    service = text_or_none(keys.take("service"), keys.where)
    held = contents(keys, game)
    keys.finish()
    scene.requests[name] = game
    scene.timeline.add(
        when, HOUSE, events.GameRequestFiled, origin,
        request=name, game=game, addressed_to=to, filed_time=None, service=service, **held,
    )  # fmt: skip
    for key, said in decided.items():
        if said is not None:
            yes = key == "approved_at"
            then = _moment(scene, said)
            _decide(scene, name, then, origin, approved=yes, written=written)
            if yes and held["kind"] is events.RequestKind.GAME:
                scene.timeline.add(
                    then, HOUSE, events.GameApproved, origin,
                    game=game, requested_time=when, approved_time=then, approved_by="ED",
                )  # fmt: skip
    return name, game, held["kind"]


def _moment(scene: Scene, said: Any) -> int:
    """A time, or the noon of a day that is only dated."""
    dated = isinstance(said, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", said)
    return providers.at(scene, str(said)) if dated else moment(said)


def request_decided(m: Moment) -> None:
    """The Executive Director decides."""
    name = str(m.keys.take("request", "id", default=next(iter(m.scene.requests), "REQUEST-1")))
    approved = m.name == "request_approved"
    if m.name == "request_decided":
        approved = bool(m.keys.need("approved"))
    written = truth_or_none(m.keys.take("in_writing", "written", default=True), m.keys.where)
    m.keys.take("by")
    add(
        m, events.RequestDecided, request=name, approved=approved, in_writing=written, decided_time=None,
        decided_by="ED",
    )  # fmt: skip


def _decide(
    scene: Scene, name: str, at: int, origin: Origin, *, approved: bool, written: bool | None
) -> None:
    scene.timeline.add(
        at, HOUSE, events.RequestDecided, origin,
        request=name, approved=approved, in_writing=written, decided_time=None, decided_by="ED",
    )  # fmt: skip


def of_setup(scene: Scene, said: Any, at: int, game: str) -> None:
    """The request that a case's setup tells of."""
    if said is None:
        return
    keys = Keys(said, "setup, request")
    to = text_or_none(keys.take("to", default="Executive Director"), keys.where)
    file(scene, keys, at, SETUP, to, game)


HANDLERS = {
    "request_filed": request_filed,
    "request_decided": request_decided,
    "request_approved": request_decided,
    "request_denied": request_decided,
}
