"""Facts of wagers, of people and of the table: what is common to both games."""

from __future__ import annotations

from typing import Any

from ledger import events
from ledger.events.enums import Capture
from tests.conformance import words
from tests.conformance.keys import NotTranslatable, text_or_none, whole_or_none
from tests.conformance.scene import Moment
from tests.conformance.timeline import HOUSE, source_of


def betting_opened(m: Moment) -> None:
    """Clears the lights first where everything unmentioned is in order."""
    m.keys.take("round")
    if m.scene.in_order and m.table.lit and "cleared" not in m.scene.named:
        m.add(events.LightsCleared)
    m.table.lit, m.table.entered, m.table.shown = False, None, None
    m.add(events.BettingOpened)


def no_more_bets(m: Moment) -> None:
    who, role = m.actor("by", "called_by", "announced_by")
    if m.keys.has("role"):
        role = words.role(m.keys.take("role"))
    m.add(events.NoMoreBetsAnnounced, announced_by=who, role=role)


def wager(m: Moment) -> None:
    """``wager`` is the kind where ``wager_id`` or ``id`` names it, else the name itself."""
    keys = m.keys
    if keys.has("increase_of"):
        keys.take("wager", "wager_id", "id", "kind", "pick", "picks", "position", "patron")
        raised = str(keys.take("increase_of"))
        added, by = m.cents("stake_cents"), words.means(keys.take("means", "form", default="chips"))
        m.add(events.WagerIncreased, wager_id=raised, added_cents=added, instrument=by)
        return
    if keys.has("wager_id", "id"):
        name, kind = str(keys.take("wager_id", "id")), keys.need("wager", "kind")
        picked = keys.take("picks", "pick")
    elif m.table.game == words.DREAMCATCHER:
        name, kind, picked = str(keys.need("wager")), keys.need("pick", "space", "on"), None
    else:
        raise NotTranslatable(f"{keys.where}: the wager has no id")
    if picked is None and m.table.game == words.PROPS_AND_HOPS:
        picked = words.box(str(kind))[1]
    position, patron = keys.take("position", "seat"), keys.take("patron")
    m.add(
        events.WagerPlaced,
        wager_id=name,
        position=None if position is None else str(position),
        patron=None if patron is None else str(patron),
        wager=words.wager(str(kind), m.table.game),
        picks=words.picks(picked),
        stake_cents=m.cents("stake_cents"),
        instrument=words.means(keys.take("means", "form", "instrument", default="chips")),
        coupons=(),
    )


def wager_increased(m: Moment) -> None:
    name = m.wager_id()
    added = m.cents("added_cents", "by_cents", "increase_cents", "stake_cents", "cents")
    means = words.means(m.keys.take("means", "form", default="chips"))
    m.keys.take("position", "patron")
    m.add(events.WagerIncreased, wager_id=name, added_cents=added, instrument=means)


def wager_moved(m: Moment) -> None:
    keys = m.keys
    m.keys.take("position", "patron")
    if keys.has("wager_id", "id"):
        name = str(keys.take("wager_id", "id"))
        kind = keys.need("to", "wager", "to_wager", "new_wager")
    else:
        name, kind = str(keys.need("wager")), keys.need("to", "pick", "to_pick", "new_pick")
    picked = keys.take("to_picks", "picks", "to_pick", "pick", "new_picks")
    if isinstance(kind, dict):
        kind, picked = kind.get("wager"), kind.get("picks", kind.get("pick", picked))
    in_words = words.wager(str(kind), m.table.game)
    m.add(events.WagerMoved, wager_id=name, wager=in_words, picks=words.picks(picked))


def wager_refused(m: Moment) -> None:
    keys = m.keys
    name = keys.take("wager_id", "id", "wager")
    keys.take("stake_cents", "by", "picks", "pick", "position")
    m.add(
        events.WagerRefused,
        wager_id=None if name is None else str(name),
        patron=text_or_none(keys.take("patron"), keys.where),
        reason=text_or_none(keys.take("why", "reason"), keys.where),
    )


def take_down(m: Moment) -> None:
    name = m.wager_id()
    m.keys.take("by", "patron", "position", "why", "reason")
    lifted = m.keys.take("taken_cents", "cents", "returned_cents", "stake_cents", "part_cents")
    m.add(events.WagerTakenDown, wager_id=name, taken_cents=whole_or_none(lifted, m.keys.where))


def take_down_refused(m: Moment) -> None:
    name, reason = m.wager_id(), m.keys.take("why", "reason")
    m.keys.take("by", "patron")
    m.add(events.TakeDownRefused, wager_id=name, reason=text_or_none(reason, m.keys.where))


def returned(m: Moment) -> None:
    keys, name = m.keys, m.wager_id()
    keys.take("by", "patron")
    cents = keys.take("returned_cents", "cents", "stake_cents")
    reason = text_or_none(keys.take("why", "reason"), keys.where)
    back = whole_or_none(cents, keys.where)
    m.add(events.WagerReturned, wager_id=name, returned_cents=back, reason=reason)


def settled(m: Moment) -> None:
    """Of a loser its stake is taken and nothing paid, of a winner nothing taken, if unsaid."""
    keys, name = m.keys, m.wager_id()
    outcome = words.settled_as(keys.need("outcome", "result", "as"))
    paid = ("winnings_cents", "paid_cents", "winnings_paid_cents")
    taken = ("stake_taken_cents", "taken_cents", "chips_taken_cents")
    lost = outcome is events.SettledAs.LOST
    m.add(
        events.WagerSettled,
        wager_id=name,
        outcome=outcome,
        winnings_cents=m.cents(*paid) if outcome is events.SettledAs.WON or keys.has(*paid) else 0,
        stake_taken_cents=m.cents(*taken)
        if keys.has(*taken)
        else m.scene.timeline.stake(name)
        if lost
        else 0,
    )


def round_voided(m: Moment) -> None:
    who, _ = m.actor("by", "called_by")
    reason = text_or_none(m.keys.take("why", "reason"), m.keys.where)
    m.add(events.RoundVoided, reason=reason, called_by=who)


def round_over(m: Moment) -> None:
    """The end of a round: lights that nobody cleared in words are cleared here."""
    if m.table.lit and "cleared" not in m.scene.named:
        m.add(events.LightsCleared)
    m.table.lit = False


def staff_assigned(m: Moment) -> None:
    role, person = words.role(m.keys.need("role")), str(m.keys.need("person"))
    m.table.on_duty.append((role, person))
    m.scene.people[person] = role
    m.add(events.StaffAssigned, role=role, person=person)


def staff_relieved(m: Moment) -> None:
    person = m.keys.take("person")
    said = m.keys.take("role")
    role = words.role(said) if said is not None else m.scene.people.get(str(person))
    if role is None:
        raise NotTranslatable(f"{m.keys.where}: nobody knows who is relieved")
    if person is None:
        on_duty = reversed(m.table.on_duty)
        person = next((who for has, who in on_duty if has is role), None)
    if person is None:
        raise NotTranslatable(f"{m.keys.where}: nobody is on duty in that role")
    m.table.on_duty = [pair for pair in m.table.on_duty if pair != (role, str(person))]
    by = text_or_none(m.keys.take("by", "relieved_by"), m.keys.where)
    m.add(events.StaffRelieved, role=role, person=str(person), relieved_by=by)


def present(m: Moment) -> None:
    role = words.role(m.keys.take("role", default="floorperson"))
    on_duty = reversed(m.table.on_duty)
    known = next((who for has, who in on_duty if has is role), role.value.lower())
    person = m.keys.take("person", "by")
    m.scene.people.setdefault(str(person or known), role)
    m.add(events.SupervisorPresent, role=role, person=str(person or known))


def table_opened(m: Moment) -> None:
    """``layout`` and ``paytable`` are the approved and filed ones, in words, or are not."""
    keys, table = m.keys, m.table
    if keys.has("game"):
        table.game = words.game(keys.take("game"))
    layout = keys.take("layout", default="approved")
    paytable = keys.take("paytable", default="filed")
    keys.take("by")
    capture = str(keys.take("capture", default="full")).upper()
    if capture not in Capture.__members__:
        raise NotTranslatable(f"{keys.where}: not a capture level: {capture!r}")
    m.add(
        events.TableOpened,
        game=table.game,
        layout=_layout(m, layout),
        paytable=_paytable(m, paytable),
        capture=Capture[capture],
    )


def _layout(m: Moment, word: Any) -> str:
    known = m.table.layouts
    if word in known:
        return known[str(word)]
    if word is None or word is False or "not" in str(word) or "unapproved" in str(word):
        return f"{m.table.name}-LAYOUT-WITHOUT-APPROVAL"
    if word is True:
        return known["approved"]
    raise NotTranslatable(f"{m.keys.where}: not a layout: {word!r}")


def _paytable(m: Moment, word: Any) -> str | None:
    if word in ("filed", True, "approved", "filed and approved"):
        return m.table.submission
    if word in (None, False, "none") or "not" in str(word) or "unfiled" in str(word):
        return None
    raise NotTranslatable(f"{m.keys.where}: not a paytable: {word!r}")


def table_closed(m: Moment) -> None:
    reason = text_or_none(m.keys.take("why", "reason"), m.keys.where)
    m.keys.take("by", "game")
    m.add(events.TableClosed, reason=reason)


def play_stopped(m: Moment) -> None:
    """All gaming ceases: nothing happens until it resumes, so nothing is recorded."""
    m.keys.take("by", "why", "reason")


def camera(m: Moment) -> None:
    kinds = {"camera_assigned": events.CameraAssigned, "camera_lost": events.CameraLost}
    kind = kinds.get(m.name, events.CameraRestored)
    name = str(m.keys.take("camera", default=f"C-{m.table.name}"))
    covers = text_or_none(m.keys.take("covers"), m.keys.where)
    if kind is events.CameraAssigned:
        m.add(kind, camera=name, covers=covers)
    else:
        m.add(kind, camera=name)


def seat(m: Moment) -> None:
    kind = (
        events.PositionTaken if m.name in {"position_taken", "seat_taken"} else events.PositionLeft
    )
    position, patron = str(m.keys.need("position", "seat")), m.keys.take("patron")
    m.add(kind, position=position, patron=None if patron is None else str(patron))


def patrons_at_table(m: Moment) -> None:
    m.scene.patrons_counted = True
    m.add(events.PatronsCounted, count=m.cents("count"))


def lost_facts(m: Moment) -> None:
    """Numbers of the stream that never arrived."""
    count = m.cents("count") if m.keys.has("count") else 1
    m.keys.take("note")
    m.scene.timeline.lose(m.time, m.table.name, count, m.origin)


def clock_checked(m: Moment) -> None:
    keys = m.keys
    offset = keys.take("offset_micros")
    if offset is None:
        milli = keys.take("offset_ms", "offset_milliseconds")
        seconds = keys.take("offset_s", "offset_seconds", default=0)
        offset = int(milli) * 1000 if milli is not None else round(seconds * 1_000_000)
    terminal = str(keys.take("source", "terminal", default=source_of(m.table.name)))
    reference = text_or_none(keys.take("reference"), keys.where)
    fields = {"checked_source": terminal, "offset_micros": offset, "reference": reference}
    m.scene.timeline.add(m.time, HOUSE, events.ClockChecked, m.origin, **fields)


def gaming_day_closed(m: Moment) -> None:
    """The day is closed by the case itself: with its own totals where it gives any."""
    keys = m.keys
    day = str(keys.take("gaming_day", default=m.scene.timeline.clock.day_of(m.time).isoformat()))
    streams = keys.take("streams", "last_seq")
    m.scene.timeline.closes_itself = False
    fields: dict[str, Any] = {}
    if streams is not None:
        fields["gaming_day"] = day
        fields["streams"] = tuple(
            events.StreamEnd(stream=str(name), last_seq=int(last))
            for name, last in dict(streams).items()
        )
    m.scene.timeline.add(m.time, HOUSE, events.GamingDayClosed, m.origin, **fields)


HANDLERS = {
    "betting_opened": betting_opened,
    "no_more_bets": no_more_bets,
    "wager": wager,
    "wager_placed": wager,
    "wager_increased": wager_increased,
    "increased": wager_increased,
    "increase": wager_increased,
    "wager_moved": wager_moved,
    "moved": wager_moved,
    "move": wager_moved,
    "wager_refused": wager_refused,
    "refused": wager_refused,
    "take_down": take_down,
    "taken_down": take_down,
    "lifted": take_down,
    "take_down_refused": take_down_refused,
    "returned": returned,
    "settled": settled,
    "void": round_voided,
    "voided": round_voided,
    "round_voided": round_voided,
    "round_over": round_over,
    "staff_assigned": staff_assigned,
    "staff_relieved": staff_relieved,
    "present": present,
    "floorperson_present": present,
    "table_opened": table_opened,
    "table_closed": table_closed,
    "play_stopped": play_stopped,
    "camera_assigned": camera,
    "camera_lost": camera,
    "camera_restored": camera,
    "position_taken": seat,
    "seat_taken": seat,
    "position_left": seat,
    "seat_left": seat,
    "patrons_at_table": patrons_at_table,
    "patrons_counted": patrons_at_table,
    "lost_facts": lost_facts,
    "missing": lost_facts,
    "facts_lost": lost_facts,
    "gap": lost_facts,
    "clock_checked": clock_checked,
    "gaming_day_closed": gaming_day_closed,
}
