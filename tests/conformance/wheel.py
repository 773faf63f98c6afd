"""Facts of a wheel."""

from __future__ import annotations

from typing import Any

from ledger import events
from ledger.events.enums import Device
from tests.conformance import words
from tests.conformance.keys import (
    Keys,
    NotTranslatable,
    text_or_none,
    truth_or_none,
    whole,
    whole_or_none,
)
from tests.conformance.scene import Moment, Table

_CLAPPER = {
    "in": events.Clapper.IN_SECTION,
    "in_section": events.Clapper.IN_SECTION,
    "in_a_section": events.Clapper.IN_SECTION,
    "between": events.Clapper.BETWEEN_SECTIONS,
    "between_sections": events.Clapper.BETWEEN_SECTIONS,
}


def wheel_id(table: str) -> str:
    """The id of a table's wheel."""
    return f"{table}-WHEEL"


def wheel_fields(keys: Keys, table: Table) -> dict[str, Any]:
    """A wheel as it was looked at; a wheel nobody inspected has nothing recorded but its order."""
    where = keys.where
    clockwise = True
    sections = keys.take("sections_clockwise", "sections")
    if sections is None:
        sections, clockwise = keys.take("sections_counterclockwise"), False
    if keys.has("read_clockwise"):
        clockwise = keys.take("read_clockwise")
    if keys.has("sense", "read"):
        clockwise = words.direction(keys.take("sense", "read")) is events.Direction.CLOCKWISE
    if not isinstance(sections, list):
        raise NotTranslatable(f"{where}: the order of the sections is missing")
    feet = keys.take("diameter_feet")
    inches = words.thousandths(keys.take("diameter_inches"))
    inspected = truth_or_none(keys.take("inspected", default=True), where)
    shown = keys.take("odds_shown")
    fields: dict[str, Any] = {
        "wheel": str(keys.take("wheel", "id", default=wheel_id(table.name))),
        "sections": tuple(words.symbol(section) for section in sections),
        "read_clockwise": clockwise,
        "diameter_thousandths": inches if feet is None else (words.thousandths(feet) or 0) * 12,
        "clapper": truth_or_none(keys.take("clapper", default=True), where),
        "equally_spaced": truth_or_none(
            keys.take("equally_spaced", "equal_sections", "sections_equal", default=True), where
        ),
        "odds_shown": None
        if shown is None
        else tuple(
            events.SectionOdds(section=words.symbol(section), odds=words.printed(odds))
            for section, odds in shown.items()
        ),
    }
    keys.finish()
    if not inspected:
        unseen = ("diameter_thousandths", "clapper", "equally_spaced", "odds_shown")
        fields |= dict.fromkeys(unseen)
    table.sections = fields["sections"]
    return fields


def wheel_placed(m: Moment) -> None:
    keys = Keys(m.keys.rest(), m.keys.where)
    m.add(events.WheelPlaced, **wheel_fields(keys, m.table))


def wheel_removed(m: Moment) -> None:
    m.keys.take("why", "reason", "by")
    m.add(events.WheelRemoved, wheel=str(m.keys.take("wheel", default=wheel_id(m.table.name))))


def spun(m: Moment) -> None:
    """One spin; the symbols are the wheel's own where the case does not read them out."""
    keys, where = m.keys, m.keys.where
    who, role = m.actor("by", "spun_by")
    if keys.has("role"):
        role = words.role(keys.take("role"))
    started = _started(m)
    clapper = keys.take("clapper", default="in")
    rests = None if clapper is None else _CLAPPER.get(words.plain(str(clapper)))
    if clapper is not None and rests is None:
        raise NotTranslatable(f"{where}: not where a clapper rests: {clapper!r}")
    section, read = _section(m)
    pair = keys.take("sections", "between")
    between = None if pair is None else tuple(whole(one, where) for one in pair)
    if keys.has("symbols", "symbol"):
        said = keys.take("symbols", "symbol")
        read = said if isinstance(said, list) or said is None else [said]
    elif read is None:
        indexes = between if between is not None else () if section is None else (section,)
        known = [m.table.sections[one] for one in indexes if one < len(m.table.sections)]
        read = known or None
    revolutions = keys.take("revolutions", default=5 if m.scene.in_order else None)
    m.add(
        events.WheelSpun,
        started_time=started,
        direction=words.direction(keys.take("direction", default="clockwise")),
        revolutions_thousandths=words.thousandths(revolutions),
        clapper=rests,
        section=section,
        between=between,
        symbols=None if read is None else tuple(words.symbol(one) for one in read),
        spun_by=who,
        role=role,
    )


def _started(m: Moment) -> int | None:
    """When the wheel was set going: after all that went before, where nothing is said."""
    if m.keys.has("started_t"):
        said = m.keys.take("started_t")
        return None if said is None else m.scene.at(said)
    before = m.table.last if m.table.last is not None and m.table.last < m.time else None
    return m.time - 10_000_000 if before is None else before + (m.time - before) // 2


def _section(m: Moment) -> tuple[int | None, list[Any] | None]:
    """The index of the section, and its symbol where that is what ``section`` says."""
    keys, where = m.keys, m.keys.where
    if keys.has("section_index"):
        index = whole_or_none(keys.take("section_index"), where)
        said = keys.take("section")
        return index, None if said is None else [said]
    said = keys.take("section")
    if isinstance(said, str):
        return None, [said]
    return whole_or_none(said, where), None


def spin_called(m: Moment) -> None:
    who, _ = m.actor("by", "called_by")
    m.keys.take("correction")
    result = m.keys.need("result", "section", "symbol", "called")
    m.add(events.SpinCalled, result=words.symbol(result), called_by=who)


def spin_voided(m: Moment) -> None:
    who, _ = m.actor("by", "called_by")
    reason = text_or_none(m.keys.take("why", "reason"), m.keys.where)
    m.add(events.SpinVoided, reason=reason, called_by=who)


def wheel_failed(m: Moment) -> None:
    fault = text_or_none(m.keys.take("fault", "why", "reason", "what"), m.keys.where)
    m.keys.take("device", "item")
    m.add(events.DeviceFailed, device=Device.WHEEL, device_id=wheel_id(m.table.name), fault=fault)


def wheel_fixed(m: Moment) -> None:
    m.keys.take("by", "device", "item")
    m.add(events.DeviceFixed, device=Device.WHEEL, device_id=wheel_id(m.table.name))


HANDLERS = {
    "wheel_placed": wheel_placed,
    "wheel_removed": wheel_removed,
    "spun": spun,
    "called": spin_called,
    "spin_voided": spin_voided,
    "wheel_failed": wheel_failed,
    "wheel_fixed": wheel_fixed,
    "device_failed": wheel_failed,
    "device_fixed": wheel_fixed,
}
