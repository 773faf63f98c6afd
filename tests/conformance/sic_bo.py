"""Cases in the vocabulary of the Sic Bo file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.conformance import setups, words
from tests.conformance.in_order import DAY, Filing, House, Sign
from tests.conformance.keys import Keys, NotTranslatable, truth_or_none
from tests.conformance.limits import sign_parts
from tests.conformance.scene import Scene, Table
from tests.conformance.walk import Told, before, earliest_second, prepare, told, walk


def translate(case: Mapping[str, Any], defaults: Mapping[str, Any]) -> Scene:
    """Tell a case as facts.

    Raises:
        NotTranslatable: it uses words that the vocabulary does not have, or that facts cannot say.
    """
    keys = Keys(case.get("setup") or {}, "setup")
    of = setups.clock(keys.take("property", default=defaults.get("property")))
    day = keys.take("gaming_day", default=defaults["gaming_day"])
    t0 = keys.take("t0", "start")
    at = setups.moment(t0) if t0 is not None else setups.evening(day, of)
    name = str(keys.take("table", default=defaults.get("table", "SB-01")))
    scene = setups.open_scene(at, of, name, words.SIC_BO)
    preamble = told(_preamble(keys.take("preamble", default="manual"), defaults), "P")
    facts = told(case.get("facts") or [])
    first = before(scene, earliest_second(preamble, facts), 0)
    house = _house(keys, defaults, name, first)
    if any(one["fact"] == "table_opened" and _unfiled(one.get("paytable")) for _, one in preamble):
        house.filings = []
    scene.table.submission = house.filings[-1].name if house.filings else None
    others = _others(keys, scene, [*preamble, *facts])
    scene.patrons_playing = truth_or_none(keys.take("patrons_playing"), "setup")
    keys.take("note", "comment")
    keys.finish()
    prepare(scene, [*preamble, *facts])
    setups.set_the_scene(scene, house, first)
    for table in others:
        second = _same_elsewhere(house, table.name)
        table.submission = second.filings[-1].name if second.filings else None
        setups.set_the_scene(scene, second, first)
    walk(scene, [*_everywhere(preamble, facts, others), *facts])
    return scene


def _unfiled(paytable: Any) -> bool:
    """Whether an opening says that no paytable is on file."""
    said = str(paytable).lower()
    return paytable is False or any(word in said for word in ("not ", "unfiled", "missing"))


def _preamble(said: Any, defaults: Mapping[str, Any]) -> list[Any]:
    if isinstance(said, list):
        return said
    known = defaults.get("preambles", {})
    if said not in known:
        raise NotTranslatable(f"nothing is said of the preamble {said!r}")
    return list(known[said])


def _house(keys: Keys, defaults: Mapping[str, Any], name: str, first: int) -> House:
    house = House(name, words.SIC_BO)
    odds = setups.filed(keys.take("filed_odds"), words.SIC_BO)
    breakage = words.rounding(keys.take("rounding"))
    limit = keys.part("payout_limit")
    step, step_filed = _increments(keys.take("increments"))
    if truth_or_none(keys.take("rules_submission_filed", default=True), "setup"):
        long_ago = first - 6 * DAY
        house.filings = [
            Filing(
                f"RS-{name}", long_ago, long_ago, odds, breakage,
                None if limit is None else words.payout_limit(limit),
                step if step_filed else None,
            )
        ]  # fmt: skip
    house.increment = step
    house.printed = setups.printed(odds, keys.take("layout_printed_odds"), words.SIC_BO)
    said, sign = keys.take("limits", default=defaults.get("limits")), {}
    if isinstance(said, Mapping) and "sign" in said:
        sign = said["sign"]
        said = {key: value for key, value in said.items() if key != "sign"}
    house.limits = setups.limits_of(said, words.SIC_BO)
    by_kind = keys.take("limits_by_wager", default={}) or {}
    house.limits |= setups.limits_of(by_kind, words.SIC_BO) if by_kind else {}
    house.sign = read_sign(sign)
    layout = keys.take("layout")
    if isinstance(layout, Mapping):
        inner = Keys(layout, "layout")
        setups.layout_words(house, inner)
        inner.finish()
    elif layout is not None:
        house.layout_approved = layout in ("approved", True)
    setups.box_words(house, keys.take("boxes"))
    _single_words(house, keys)
    _device(house, keys.take("electrical_device", "device", default=True))
    house.camera = keys.take("camera", "cameras", default="assigned") not in (None, False, [])
    return house


def _single_words(house: House, keys: Keys) -> None:
    """The layout's own words where they stand in the setup itself, not in an object."""
    for word, name in (("layout_areas", "areas"), ("layout_lacks", "lacks"),
                       ("layout_missing_areas", "lacks"), ("layout_name", "name")):  # fmt: skip
        if keys.has(word):
            said = {name: keys.take(word), "approved": house.layout_approved}
            setups.layout_words(house, Keys(said, word))
    if keys.has("layout_approved"):
        house.layout_approved = truth_or_none(keys.take("layout_approved"), "setup")
    if keys.has("device_approved"):
        house.device_approved = truth_or_none(keys.take("device_approved"), "setup")


def read_sign(said: Any) -> Sign | None:
    """The sign with the limits, as a setup describes it; null means that there is none."""
    if said is None:
        return None
    keys = Keys(said, "sign")
    sign = Sign(
        str(keys.take("sign_id", default="LS-1")),
        posted=bool(truth_or_none(keys.take("posted", default=True), "sign")),
        shows_limits=bool(truth_or_none(keys.take("shows_limits", default=True), "sign")),
        parts=sign_parts(keys),
    )
    keys.finish()
    return sign


def _increments(said: Any) -> tuple[int | None, bool]:
    if said is None:
        return None, False
    if isinstance(said, int):
        return said, True
    keys = Keys(said, "increments")
    step = int(keys.need("step_cents", "increment_cents"))
    in_filing = truth_or_none(keys.take("in_rules_submission", "filed", default=True), "increments")
    approved = truth_or_none(keys.take("approved", default=True), "increments")
    keys.finish()
    return step, bool(in_filing and approved)


def _device(house: House, said: Any) -> None:
    if said is None or isinstance(said, bool):
        house.device = bool(said)
        return
    if isinstance(said, str):
        house.device_approved = said in {"approved", "present"}
        house.device = said not in {"missing", "none", "absent"}
        return
    keys = Keys(said, "electrical_device")
    house.device = truth_or_none(keys.take("present", default=True), "device")
    house.device_approved = truth_or_none(keys.take("approved", default=True), "device")
    shows = keys.take("shows_all_wagers", "area_depicts_wagers", "depicts_all", default=True)
    house.device_shows_all = truth_or_none(shows, "device")
    keys.finish()


def _others(keys: Keys, scene: Scene, facts: list[Told]) -> list[Table]:
    """Other tables at which rounds are played; people who merely work elsewhere need none."""
    played = {str(one["table"]) for _, one in facts if one.get("table")} - {scene.table.name}
    tables = [Table(name, words.SIC_BO) for name in sorted(played)]
    scene.tables |= {table.name: table for table in tables}
    for one in keys.take("other_staff", default=[]) or []:
        person = Keys(one, "other_staff")
        name = str(person.need("table"))
        elsewhere = scene.tables.get(name) or Table(name, words.SIC_BO)
        pair = [(str(person.need("role")), str(person.need("person")))]
        seconds = person.take("t", default=setups.ARRIVED)
        person.finish()
        setups.staff(scene, elsewhere, pair, scene.at(seconds))
    return tables


def _same_elsewhere(house: House, name: str) -> House:
    filings = [
        Filing(f"RS-{name}", f.filed_at, f.approved_at, f.odds, f.breakage, f.payout_limit,
               f.increment)
        for f in house.filings
    ]  # fmt: skip
    return House(
        name, house.game, f"LAYOUT-{name}", limits=house.limits, sign=house.sign,
        printed=house.printed, filings=filings, increment=house.increment,
    )  # fmt: skip


def _everywhere(preamble: list[Told], facts: list[Told], others: list[Table]) -> list[Told]:
    """The preamble of every table: the same at another one, unless it has its own."""
    own = {str(one.get("table")) for _, one in preamble if one.get("table")}
    opened = {str(one.get("table")) for _, one in facts if one["fact"] == "table_opened"}
    copied = [
        (origin, {**one, "table": table.name})
        for table in others
        if table.name not in own | opened
        for origin, one in preamble
        if not one.get("table")
    ]
    return [*preamble, *copied]
