"""Facts of limits, their signs and notices, and of filings made while the case plays."""

from __future__ import annotations

import re
from typing import Any

from ledger import events
from tests.conformance import words
from tests.conformance.in_order import decide_sign
from tests.conformance.keys import (
    Keys,
    truth_or_none,
    whole_or_none,
)
from tests.conformance.scene import Moment, Scene
from tests.conformance.timeline import HOUSE


def sign_parts(keys: Keys) -> tuple[bool, bool, bool] | None:
    """Approval of place, size and language; None where the sign has none."""
    approved = keys.take("approved", default=True)
    said = tuple(keys.take(name) for name in ("location", "size", "language"))
    if isinstance(approved, dict):
        given = Keys(approved, f"{keys.where}, approved")
        parts = tuple(
            bool(given.take(name, default=False)) for name in ("location", "size", "language")
        )
        given.finish()
        return parts[0], parts[1], parts[2]
    if not truth_or_none(approved, keys.where):
        return None
    parts = tuple(_as_approved(word) for word in said)
    return parts[0], parts[1], parts[2]


def _as_approved(word: Any) -> bool:
    if word is None or isinstance(word, bool):
        return word is not False
    differs = r"\bnot\b|other than|differ|unapproved|larger|smaller|instead of|\bchanged\b"
    return re.search(differs, str(word).lower()) is None


def decide(scene: Scene, keys: Keys, sign: str) -> None:
    """The approval that a sign's words imply, unless a fact of the case tells of it."""
    parts = sign_parts(keys)
    approved_t = keys.take("approved_t")
    if sign in scene.signs_decided:
        return
    at = scene.timeline.earliest() if approved_t is None else scene.at(approved_t)
    decide_sign(scene, sign, parts, at)


def _amounts(m: Moment, prefix: str = "") -> tuple[str | None, int | None, int | None]:
    keys, where = m.keys, m.keys.where
    said = keys.take("wager", "wager_kind", "for_wager")
    wager = None if said is None else words.wager(str(said), m.table.game)
    current = m.table.limits.get(wager, m.table.limits.get(None, (None, None)))
    names = (f"{prefix}min_cents", "min_cents", "minimum_cents")
    low = whole_or_none(keys.take(*names, default=current[0]), where)
    names = (f"{prefix}max_cents", "max_cents", "maximum_cents")
    high = whole_or_none(keys.take(*names, default=current[1]), where)
    return wager, low, high


def limits_notice(m: Moment) -> None:
    """A sign that tells of a change, and the announcement: each where there was one."""
    keys, scene = m.keys, m.scene
    wager, low, high = _amounts(m, "new_")
    said = keys.take("effective_t")
    effective = None if said is None else scene.at(said)
    amounts = {"wager": wager, "minimum_cents": low, "maximum_cents": high}
    m.scene.notice |= {**amounts, "effective_time": effective}
    sign = keys.part("sign")
    if sign is not None:
        _post_notice(m, sign, amounts, effective)
    announced = keys.take("announced_t", default=None)
    if announced is not None:
        at = scene.at(announced)
        scene.announced_at.add(at)
        who = m.table.dealer()
        m.add(
            events.LimitsChangeAnnounced,
            time=at,
            **amounts,
            effective_time=effective,
            announced_by=who,
        )


def _post_notice(m: Moment, sign: Keys, amounts: dict[str, Any], effective: int | None) -> None:
    scene, name = m.scene, str(sign.take("sign_id", "id", default="NOTICE"))
    posted_t = sign.take("posted_t", default="now")
    posted = sign.take("posted", default=True) and posted_t is not None
    changes = truth_or_none(sign.take("states_change", default=True), sign.where)
    if sign.has("states_effective_t"):
        said = sign.take("states_effective_t")
        effective = None if said is None else scene.at(said)
    shown = dict(amounts)
    if not sign.take("shows_limits", default=True):
        shown |= {"minimum_cents": None, "maximum_cents": None}
    for key, names in (
        ("minimum_cents", ("min_cents", "new_min_cents", "states_min_cents")),
        ("maximum_cents", ("max_cents", "new_max_cents", "states_max_cents")),
    ):
        if sign.has(*names):
            shown[key] = whole_or_none(sign.take(*names), sign.where)
    decide(scene, sign, name)
    sign.finish()
    if posted:
        at = m.time if posted_t == "now" else scene.at(posted_t)
        m.add(
            events.LimitsSignPosted, time=at,
            sign=name, **shown, states_change=changes, effective_time=effective,
        )  # fmt: skip


def announcement(m: Moment) -> None:
    """The spoken notice, where the notice itself did not already give its moment."""
    about = m.keys.take("about", default="limits")
    who, _ = m.actor("by")
    if "limit" not in str(about) or m.time in m.scene.announced_at:
        return  # of anything else no fact can tell, and no rule asks
    known = m.scene.notice
    wager, low, high = _amounts(m, "new_")
    said = m.keys.take("effective_t")
    m.add(
        events.LimitsChangeAnnounced,
        wager=wager if wager is not None else known.get("wager"),
        minimum_cents=known.get("minimum_cents", low),
        maximum_cents=known.get("maximum_cents", high),
        effective_time=known.get("effective_time") if said is None else m.scene.at(said),
        announced_by=who,
    )


def limits_changed(m: Moment) -> None:
    """From now the table works with these; the sign at the table shows them from then."""
    keys, scene, table = m.keys, m.scene, m.table
    wager, low, high = _amounts(m)
    playing = keys.take("patrons_playing", default="not said")
    if playing == "not said":
        playing = None if scene.patrons_counted else scene.patrons_playing
    step = keys.take("increment_cents", "step_cents", default=table.increment)
    table.increment = whole_or_none(step, keys.where)
    table.limits[wager] = (low, high)
    amounts = {"wager": wager, "minimum_cents": low, "maximum_cents": high}
    m.add(
        events.LimitsSet,
        **amounts,
        increment_cents=table.increment,
        patrons_playing=truth_or_none(playing, keys.where),
    )
    if keys.has("sign"):
        _post(m, amounts)
    elif table.sign is not None and table.sign_up and not scene.sign_stays_down:
        m.add(
            events.LimitsSignPosted,
            sign=table.sign,
            **amounts,
            states_change=False,
            effective_time=None,
        )


def _post(m: Moment, amounts: dict[str, Any]) -> None:
    sign = m.keys.part("sign")
    if sign is None:
        return
    name = str(sign.take("sign_id", "id", default=m.table.sign or "LS-1"))
    posted = sign.take("posted", default=True)
    shown = dict(amounts)
    if not sign.take("shows_limits", default=True):
        shown |= {"minimum_cents": None, "maximum_cents": None}
    changes = truth_or_none(sign.take("states_change", default=False), sign.where)
    said = sign.take("states_effective_t")
    effective = None if said is None else m.scene.at(said)
    at = sign.take("posted_t")
    decide(m.scene, sign, name)
    sign.finish()
    if posted:
        m.add(
            events.LimitsSignPosted, time=None if at is None else m.scene.at(at),
            sign=name, **shown, states_change=changes, effective_time=effective,
        )  # fmt: skip
        m.table.sign, m.table.sign_up = name, True


def limits_posted(m: Moment) -> None:
    """Limits and their sign; where the table works with none yet, they are set by it."""
    wager, low, high = _amounts(m)
    amounts = {"wager": wager, "minimum_cents": low, "maximum_cents": high}
    if not m.table.limits:
        m.table.limits[wager] = (low, high)
        step = m.table.increment
        m.add(
            events.LimitsSet,
            **amounts,
            increment_cents=step,
            patrons_playing=m.scene.patrons_playing,
        )
    if m.keys.has("sign"):
        _post(m, amounts)
    else:
        name = m.table.sign or "LS-1"
        m.add(
            events.LimitsSignPosted, sign=name, **amounts, states_change=False, effective_time=None
        )


def sign_removed(m: Moment) -> None:
    name = str(m.keys.take("sign_id", "sign", default=m.table.sign))
    m.keys.take("by", "why", "reason")
    if name == m.table.sign:
        m.table.sign_up = False
    m.add(events.LimitsSignRemoved, sign=name)


def sign_approved(m: Moment) -> None:
    keys = m.keys
    name = str(keys.need("sign_id", "sign"))
    parts = {
        part: bool(truth_or_none(keys.take(part, default=True), keys.where))
        for part in ("location", "size", "language")
    }
    keys.take("by", "bureau")
    fields = {"sign": name, **parts, "bureau": events.Bureau.GAMING_OPERATIONS}
    m.scene.timeline.add(m.time, HOUSE, events.SignApproved, m.origin, **fields)


def rules_submission_filed(m: Moment) -> None:
    """A filing made while the case plays; the rows that it does not name stay as they were."""
    keys = m.keys
    odds = dict(words.floors(m.table.game))
    for name, value in (keys.take("filed_odds", "paytable", "odds", default=None) or {}).items():
        odds |= dict.fromkeys(words.rows(str(name), m.table.game), words.odds(value))
    limit = keys.part("payout_limit")
    step = whole_or_none(keys.take("increment_cents", "step_cents"), keys.where)
    m.scene.timeline.add(
        m.time, HOUSE, events.RulesSubmissionFiled, m.origin,
        submission=str(keys.take("submission", "id", default=f"{m.table.name}-RS-FILED")),
        game=m.table.game,
        tables=(m.table.name,),
        paytable=words.paytable(odds),
        breakage=words.rounding(keys.take("rounding")),
        payout_limit=None if limit is None else words.payout_limit(limit),
        increment_cents=step,
        layout=m.table.layouts.get("approved"),
        readings=(),
        supersedes=m.table.submission,
    )  # fmt: skip


def rules_submission_approved(m: Moment) -> None:
    name = str(m.keys.take("submission", "id", default=f"{m.table.name}-RS-FILED"))
    by = m.keys.take("by", "approved_by", default="BGO")
    fields = {"submission": name, "approved_time": m.time, "approved_by": by}
    m.scene.timeline.add(m.time, HOUSE, events.RulesSubmissionApproved, m.origin, **fields)


HANDLERS = {
    "limits_notice": limits_notice,
    "announcement": announcement,
    "limits_announced": announcement,
    "limits_changed": limits_changed,
    "limits_posted": limits_posted,
    "sign_removed": sign_removed,
    "limits_sign_removed": sign_removed,
    "sign_approved": sign_approved,
    "rules_submission_filed": rules_submission_filed,
    "rules_submission_approved": rules_submission_approved,
}
