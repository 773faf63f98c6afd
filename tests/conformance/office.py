"""Facts of the office in words: devices, the text of the rules, gaming guides, the web site."""

from __future__ import annotations

import re
from typing import Any

from ledger import events
from ledger.events.enums import Capture
from ledger.law import CHAPTERS
from tests.conformance import words
from tests.conformance.in_order import DAY
from tests.conformance.keys import Keys, NotTranslatable, text_or_none, truth_or_none
from tests.conformance.scene import Moment, Scene
from tests.conformance.timeline import HOUSE, SETUP

_BUREAUS = {
    "gaming_operations": events.Bureau.GAMING_OPERATIONS,
    "bureau_of_gaming_operations": events.Bureau.GAMING_OPERATIONS,
    "bgo": events.Bureau.GAMING_OPERATIONS,
    "gaming_laboratory_operations": events.Bureau.GAMING_LABORATORY_OPERATIONS,
    "bureau_of_gaming_laboratory_operations": events.Bureau.GAMING_LABORATORY_OPERATIONS,
    "casino_compliance": events.Bureau.CASINO_COMPLIANCE,
    "bureau_of_casino_compliance": events.Bureau.CASINO_COMPLIANCE,
    "executive_director": events.Bureau.EXECUTIVE_DIRECTOR,
    "board": events.Bureau.BOARD,
    "the_board": events.Bureau.BOARD,
}
PODIUM = "security podium"
_GUIDE_IN_ORDER = "GUIDE-IN-ORDER"


def game_name(word: Any) -> str:
    """A game as its chapter names it; one of no chapter stays as it is said."""
    said = re.sub(r"\s*\(.*\)\s*$", "", str(word)).strip()
    for chapter in CHAPTERS:
        if words.plain(chapter.name) == words.plain(said):
            return chapter.name
    try:
        return words.game(said)
    except NotTranslatable:
        return said


def add(m: Moment, kind: type[Any], /, *, time: int | None = None, **fields: Any) -> None:
    """A fact on the office's stream."""
    m.scene.timeline.add(m.time if time is None else time, HOUSE, kind, m.origin, **fields)


def _bureau(keys: Keys, usual: events.Bureau) -> events.Bureau | None:
    if not keys.has("by", "bureau", "approved_by"):
        return usual
    said = keys.take("by", "bureau", "approved_by")
    if said is None:
        return None
    found = _BUREAUS.get(words.plain(str(said)))
    if found is None:
        raise NotTranslatable(f"{keys.where}: no bureau: {said!r}")
    return found


def _truth(m: Moment, *names: str, default: bool | None = None) -> bool | None:
    return truth_or_none(m.keys.take(*names, default=default), m.keys.where)


def _text(m: Moment, *names: str) -> str | None:
    return text_or_none(m.keys.take(*names), m.keys.where)


def _games(said: Any) -> tuple[str, ...] | None:
    several = [said] if isinstance(said, str) else said
    return None if several is None else tuple(game_name(game) for game in several)


# --- devices ---------------------------------------------------------------------------------------


def device_observed(m: Moment) -> None:
    """§ 521.6; a permission that the case mentions was given the day before."""
    device, person = str(m.keys.need("device")), _text(m, "person", "patron", "by")
    if _truth(m, "permitted_by_board", "permitted"):
        _permit(m, device, None, m.time - DAY, events.Bureau.BOARD, withdrawn=False)
    others = m.keys.take("in_concert_with", "with")
    playing = m.table.name if m.table.game else None
    add(
        m, events.ElectronicDeviceSeen, table=_text(m, "at_table") or playing, person=person, device=device,
        used=_truth(m, "used"), intended=_truth(m, "intended", "intent", "intent_to_use"),
        purpose=_text(m, "purpose", "why"),
        in_concert_with=None if others is None else tuple([others] if isinstance(others, str) else others),
        seen_by=_text(m, "seen_by"),
    )  # fmt: skip


def device_permitted(m: Moment) -> None:
    """The Board permits a device, or takes that back."""
    withdrawn = m.name == "device_permission_withdrawn" or bool(_truth(m, "withdrawn"))
    device, person = str(m.keys.need("device")), _text(m, "person", "patron")
    bureau = _bureau(m.keys, events.Bureau.BOARD)
    _permit(m, device, person, m.time, bureau, withdrawn=withdrawn)


def _permit(
    m: Moment,
    device: str,
    person: str | None,
    at: int,
    bureau: events.Bureau | None,
    *,
    withdrawn: bool,
) -> None:
    fields = {"device": device, "person": person, "bureau": bureau, "withdrawn": withdrawn}
    add(m, events.ElectronicDevicePermitted, time=at, **fields)


# --- the text of the rules -------------------------------------------------------------------------


def rules_text_kept(m: Moment) -> None:
    """The text was looked for; what the case does not say of it is in order."""
    place = str(m.keys.take("location", "place", default=PODIUM))
    place = (
        PODIUM if re.fullmatch(r"((at|on)_)?(the_)?security_podium", words.plain(place)) else place
    )
    approved = _truth(m, "location_approved", "approved")
    if approved:
        fields = {"place": place, "bureau": events.Bureau.GAMING_OPERATIONS, "withdrawn": False}
        add(m, events.RulesTextPlaceApproved, time=m.time - DAY, **fields)
    add(
        m, events.RulesTextKept, place=place, present=bool(_truth(m, "present", default=True)),
        printed=_truth(m, "printed", default=True), complete=_truth(m, "complete", default=True),
        games=_games(m.keys.take("games")), checked_by=_text(m, "by", "checked_by"),
    )  # fmt: skip


def rules_text_place_approved(m: Moment) -> None:
    """A place for the text was approved, or no longer is."""
    withdrawn = m.name.endswith("_withdrawn") or bool(_truth(m, "withdrawn"))
    place = str(m.keys.need("location", "place"))
    bureau = _bureau(m.keys, events.Bureau.GAMING_OPERATIONS)
    add(m, events.RulesTextPlaceApproved, place=place, bureau=bureau, withdrawn=withdrawn)


def rules_text_requested(m: Moment) -> None:
    """Somebody asks for the text."""
    by, place = _text(m, "by", "requested_by", "person"), _text(m, "location", "place")
    m.keys.take("why", "reason")
    shown = _truth(m, "shown", "made_available", default=None)
    add(m, events.RulesTextRequested, requested_by=by, shown=shown, place=place)


# --- the gaming guide ------------------------------------------------------------------------------


def guide_sample(m: Moment) -> None:
    """A sample is submitted, approved, denied, or its approval taken back."""
    guide, usual = str(m.keys.need("guide")), events.Bureau.GAMING_OPERATIONS
    _revision(m, guide)
    if m.name == "guide_sample_submitted":
        to = (
            _bureau(Keys({"by": m.keys.take("to")}, m.keys.where), usual)
            if m.keys.has("to")
            else usual
        )
        add(m, events.GuideSampleSubmitted, guide=guide, bureau=to)
        return
    approved = m.name == "guide_sample_approved"
    if m.name == "guide_sample_decided":
        approved = bool(m.keys.need("approved"))
    add(m, events.GuideSampleDecided, guide=guide, approved=approved, bureau=_bureau(m.keys, usual))


def guide_prepared(m: Moment) -> None:
    """A guide or its revision."""
    guide = str(m.keys.need("guide"))
    if not _revision(m, guide):
        add(
            m, events.GuidePrepared, guide=guide, revision_of=None, materially_different=None,
            games=_games(m.keys.take("games")),
        )  # fmt: skip


def guide_used(m: Moment) -> None:
    """A guide is issued, handed out, displayed or taken away."""
    guide, place = str(m.keys.need("guide")), _text(m, "location", "place", "where")
    _revision(m, guide)
    m.keys.take("to", "by")
    kind = {"guide_displayed": events.GuideDisplayed, "guide_removed": events.GuideRemoved}.get(
        m.name
    )
    add(m, kind or events.GuideIssued, guide=guide, place=place)


def guide_requested(m: Moment) -> None:
    """Somebody asks for a guide; which one he gets is in order where the case does not say."""
    given, guide = _truth(m, "given"), _text(m, "guide")
    m.keys.take("why", "reason")
    if given and guide is None:
        guide = _GUIDE_IN_ORDER
        fields = {"guide": guide, "approved": True, "bureau": events.Bureau.GAMING_OPERATIONS}
        add(m, events.GuideSampleDecided, time=m.time - DAY, **fields)
    by, place = _text(m, "by", "requested_by", "person"), _text(m, "location", "place")
    add(m, events.GuideRequested, requested_by=by, given=given, guide=guide, place=place)


def web_site_checked(m: Moment) -> None:
    """The web site is looked at."""
    present = _truth(m, "guide_present", "present")
    guide, by = _text(m, "guide"), _text(m, "by", "checked_by")
    add(m, events.WebSiteChecked, guide_present=present, guide=guide, checked_by=by)


def _revision(m: Moment, guide: str) -> bool:
    """What a fact says of the guide that this one revises: it was prepared so, just before."""
    if not m.keys.has("revision_of", "materially_different"):
        return False
    add(
        m, events.GuidePrepared, guide=guide, revision_of=_text(m, "revision_of"),
        materially_different=_truth(m, "materially_different"),
        games=_games(m.keys.take("games")),
    )  # fmt: skip
    return True


# --- games -----------------------------------------------------------------------------------------


def game_approved(m: Moment) -> None:
    """A game may be offered, or may not."""
    game = game_name(m.keys.take("game", default=m.table.game))
    yes = _truth(m, "approved", default=True)
    by = _text(m, "by", "approved_by") or "ED"
    add(
        m, events.GameApproved, game=game, requested_time=m.time - DAY,
        approved_time=m.time if yes else None, approved_by=by,
    )  # fmt: skip


def offer(scene: Scene, games: list[str], at: int) -> None:
    """The games that the house offers: of each a Rules Submission was filed and approved."""
    for game in games:
        name = f"RS-{words.plain(game)}"
        scene.timeline.add(
            at, HOUSE, events.RulesSubmissionFiled, SETUP,
            submission=name, game=game, tables=None, paytable=(), breakage=None, payout_limit=None,
            increment_cents=None, layout=None, readings=(), supersedes=None,
        )  # fmt: skip
        fields = {"submission": name, "approved_time": at, "approved_by": "BGO"}
        scene.timeline.add(at, HOUSE, events.RulesSubmissionApproved, SETUP, **fields)


def table_opened(m: Moment) -> None:
    """A table of a game that no chapter has: nothing of it but its opening can be told."""
    if m.keys.has("game"):
        m.table.game = game_name(m.keys.take("game"))
    m.keys.take("by", "layout", "paytable")
    layout, capture = f"{m.table.name}-LAYOUT", Capture.FULL
    m.add(events.TableOpened, game=m.table.game, layout=layout, paytable=None, capture=capture)


NO_ROOM = {"table_opened": table_opened}
HANDLERS = {
    "device_observed": device_observed,
    "device_seen": device_observed,
    "device_permitted": device_permitted,
    "device_permission_withdrawn": device_permitted,
    "rules_text_kept": rules_text_kept,
    "rules_text_checked": rules_text_kept,
    "rules_text_place_approved": rules_text_place_approved,
    "rules_text_place_approval_withdrawn": rules_text_place_approved,
    "rules_text_requested": rules_text_requested,
    "guide_sample_submitted": guide_sample,
    "guide_sample_approved": guide_sample,
    "guide_sample_decided": guide_sample,
    "guide_sample_denied": guide_sample,
    "guide_sample_rejected": guide_sample,
    "guide_approval_withdrawn": guide_sample,
    "guide_prepared": guide_prepared,
    "guide_issued": guide_used,
    "guide_distributed": guide_used,
    "guide_displayed": guide_used,
    "guide_removed": guide_used,
    "guide_requested": guide_requested,
    "web_site_checked": web_site_checked,
    "game_approved": game_approved,
}
