"""Facts of dice, shakers and the electrical device."""

from __future__ import annotations

from typing import Any

from ledger import events
from tests.conformance import words
from tests.conformance.in_order import device_of, display_of, inspect_shaker, shaker_of
from tests.conformance.keys import (
    Keys,
    NotTranslatable,
    text_or_none,
    truth_or_none,
    whole_or_none,
)
from tests.conformance.lights import area, lit
from tests.conformance.scene import Moment, faces
from tests.conformance.timeline import HOUSE, SETUP


def _kind(m: Moment, name: str) -> events.ShakerKind:
    said = words.shaker_kind(m.keys.take("kind", "type")) or words.shaker_kind(name)
    kind = said or m.table.shakers.get(name)
    if kind is None:
        raise NotTranslatable(f"{m.keys.where}: neither manual nor automated: {name!r}")
    return kind


def shaker_placed(m: Moment) -> None:
    """The shaker, its approvals and how it is built, all before it comes to the table."""
    name = str(m.keys.need("shaker"))
    kind = _kind(m, name)
    m.keys.take("by", "location")
    approve_shaker(m, name, kind, m.keys.take("approved", default=True))
    m.table.shakers[name] = kind
    m.table.shaker = name
    automated = kind is events.ShakerKind.AUTOMATED
    inspect_shaker(m.scene, m.table, name, automated, m.time)
    m.add(events.ShakerPlaced, shaker=shaker_of(m.table.name, name), kind=kind)


def approve_shaker(m: Moment, name: str, kind: events.ShakerKind, approved: Any) -> None:
    """One bureau's approval for a manual shaker, two for an automated one."""
    bureaus = {events.Bureau.GAMING_OPERATIONS: True}
    if kind is events.ShakerKind.AUTOMATED:
        bureaus[events.Bureau.GAMING_LABORATORY_OPERATIONS] = True
    if isinstance(approved, dict):
        for word, given in approved.items():
            lab = "lab" in words.plain(word)
            wanted = (
                events.Bureau.GAMING_LABORATORY_OPERATIONS
                if lab
                else events.Bureau.GAMING_OPERATIONS
            )
            bureaus[wanted] = bool(truth_or_none(given, m.keys.where))
    elif isinstance(approved, str | list):
        said = " ".join(approved) if isinstance(approved, list) else approved
        lab, whole = "lab" in said.lower(), said.lower().replace("laboratory operations", "")
        if not (lab or "operations" in whole):
            raise NotTranslatable(f"{m.keys.where}: not the approval of a bureau: {approved!r}")
        bureaus = {
            events.Bureau.GAMING_LABORATORY_OPERATIONS: lab,
            events.Bureau.GAMING_OPERATIONS: "operations" in whole,
        }
    elif not truth_or_none(approved, m.keys.where):
        bureaus = {}
    if name in m.table.approved_shakers:
        return
    at = m.scene.timeline.earliest() if m.scene.timeline.days() else m.time
    for bureau, given in bureaus.items():
        if given:
            m.table.approved_shakers.add(name)
            equipment = shaker_of(m.table.name, name)
            fields = {"equipment": equipment, "bureau": bureau, "withdrawn": False}
            m.scene.timeline.add(at, HOUSE, events.EquipmentApproved, SETUP, **fields)


def shaker_removed(m: Moment) -> None:
    name = str(m.keys.take("shaker", default=m.table.shaker))
    m.keys.take("by", "why", "reason")
    if m.table.shaker == name:
        others = [other for other in m.table.shakers if other != name]
        m.table.shaker = others[-1] if others else None
    m.table.shakers.pop(name, None)
    m.add(events.ShakerRemoved, shaker=shaker_of(m.table.name, name))


def _shaker(m: Moment) -> str | None:
    name = m.keys.take("shaker", default=m.table.shaker)
    return None if name is None else shaker_of(m.table.name, str(name))


def shaker_covered(m: Moment) -> None:
    m.keys.take("by")
    m.add(events.ShakerCovered, shaker=_shaker(m))


def shaker_uncovered(m: Moment) -> None:
    m.keys.take("by")
    m.add(events.ShakerUncovered, shaker=_shaker(m))


def shaken(m: Moment) -> None:
    """``covered`` true is the cover put on before and taken off after."""
    keys = m.keys
    said = keys.take("shaker", default=m.table.shaker)
    kind = None if said is None else words.shaker_kind(said) or m.table.shakers.get(str(said))
    shakes = whole_or_none(keys.take("shakes", default=3 if m.scene.in_order else None), keys.where)
    who, role = m.actor("by", "shaken_by")
    if keys.has("role"):
        role = words.role(keys.take("role"))
    implied = m.scene.in_order and kind is events.ShakerKind.MANUAL and not m.scene.covers_told
    covered = truth_or_none(keys.take("covered", default=True if implied else None), keys.where)
    shaker = None if said is None else shaker_of(m.table.name, str(said))
    covers = bool(covered) and not m.scene.covers_told
    if covers:
        m.add(events.ShakerCovered, shaker=shaker)
    fields = {"shaker": shaker, "kind": kind, "shakes": shakes}
    m.add(events.DiceShaken, **fields, shaken_by=who, role=role)
    if covers:
        m.add(events.ShakerUncovered, shaker=shaker)


def thrown(m: Moment, *, unsaid: str | None = None) -> None:
    """Dice as they lie; a die without a name is the one placed at its position.

    ``unsaid`` is how a die lies of which the case does not say it; null in a case is not recorded.
    """
    dice = m.keys.need("dice")
    if not isinstance(dice, list):
        raise NotTranslatable(f"{m.keys.where}: not a list of dice: {dice!r}")
    who, _ = m.actor("by", "thrown_by")
    lying, up = [], []
    for number, one in enumerate(dice):
        die = {"face": one} if isinstance(one, int) else one
        keys = Keys(die, f"{m.keys.where}, die {number}")
        placed = m.table.dice[number] if number < len(m.table.dice) else None
        name = keys.take("die", "serial", default=placed)
        rest = keys.take("rest", "rests", default="flat" if m.scene.in_order else unsaid)
        face = whole_or_none(keys.take("face"), keys.where)
        colour = text_or_none(keys.take("colour"), keys.where)
        keys.finish()
        lying.append(
            events.Die(
                serial=None if name is None else str(name),
                colour=colour,
                face=face,
                rest=words.rest(rest),
            )
        )
        up.append(face)
    m.table.shown = tuple(face for face in up if face is not None)
    m.add(events.DiceThrown, dice=tuple(lying), thrown_by=who)


def called(m: Moment) -> None:
    who, _ = m.actor("by", "called_by")
    m.keys.take("correction")
    values = faces(m.keys.need("faces", "dice"), m.keys.where)
    m.add(events.RollCalled, faces=values, called_by=who)


def entered(m: Moment) -> None:
    who, _ = m.actor("by", "entered_by")
    m.table.entered = faces(m.keys.need("faces", "dice"), m.keys.where)
    m.add(events.ValuesEntered, faces=m.table.entered, entered_by=who)


def illuminated(m: Moment) -> None:
    """The areas that the case names, or else those that the entry makes win."""
    said = m.keys.take("areas", "lit", default="right")
    without = m.keys.take("without", "missing", "lacks", default=[])
    extra = m.keys.take("extra", "also", default=[])
    m.table.lit = True
    if said is None:
        m.add(events.AreasLit, areas=None)
        return
    if said in ("right", "all winning areas", "correct", "all"):
        known = m.table.entered if m.table.entered is not None else m.table.shown
        areas = lit(known) if known is not None else None
    elif isinstance(said, list):
        areas = tuple(area(one) for one in said)
    else:
        raise NotTranslatable(f"{m.keys.where}: not areas: {said!r}")
    if areas is not None:
        dark = {area(one) for one in without}
        areas = tuple(one for one in areas if one not in dark) + tuple(area(one) for one in extra)
    m.add(events.AreasLit, areas=areas)


def entered_and_illuminated(m: Moment) -> None:
    entered(m)
    illuminated(m)


def cleared(m: Moment) -> None:
    m.keys.take("by")
    m.table.lit = False
    m.add(events.LightsCleared)


def no_roll(m: Moment) -> None:
    who, _ = m.actor("by", "called_by")
    reason = text_or_none(m.keys.take("why", "reason"), m.keys.where)
    m.add(events.NoRollCalled, reason=reason, called_by=who)


def dice_placed(m: Moment) -> None:
    """Dice lie in the shaker at the table, or in the first that comes there."""
    identities = []
    count = whole_or_none(m.keys.take("count"), m.keys.where)
    unnamed = None if count is None else [f"d{number}" for number in range(1, count + 1)]
    for one in m.keys.take("dice", default=unnamed) or m.keys.need("dice"):
        if isinstance(one, dict):
            keys = Keys(one, f"{m.keys.where}, a die")
            name, colour = str(keys.need("serial", "die")), keys.take("colour")
            keys.finish()
        else:
            name, colour = str(one), None
        identities.append(events.DieIdentity(serial=name, colour=colour))
    default = m.table.shaker or m.table.first_shaker
    shaker = m.keys.take("shaker", default=default)
    m.keys.take("by", "in_presence_of")
    m.table.dice += [one.serial for one in identities if one.serial not in m.table.dice]
    where = None if shaker is None else shaker_of(m.table.name, str(shaker))
    m.add(events.DiceSetPlaced, shaker=where, dice=tuple(identities))


def dice_removed(m: Moment) -> None:
    gone = m.keys.take("dice", default=list(m.table.dice))
    names = tuple(str(one["serial"] if isinstance(one, dict) else one) for one in gone)
    m.keys.take("by", "why", "reason", "shaker")
    m.table.dice = [one for one in m.table.dice if one not in names]
    m.add(events.DiceSetRemoved, dice=names)


def inspected(m: Moment) -> None:
    """The trial of a device before opening."""
    keys = m.keys
    what = words.device(keys.need("item", "device"))
    named = keys.has("by")
    who, _ = m.actor("by", "inspected_by", absent=events.Role.FLOORPERSON if not named else None)
    if who is None:
        raise NotTranslatable(f"{keys.where}: the facts cannot say a trial made by nobody")
    result = keys.take("result", "working")
    verdict = {"ok": True, True: True, "fault": False, False: False, None: None}.get(result, result)
    if verdict is not None and not isinstance(verdict, bool):
        good = words.plain(str(verdict))
        if good not in {"good", "working", "pass", "passed", "faulty", "fail", "failed", "broken"}:
            raise NotTranslatable(f"{keys.where}: not the result of a trial: {result!r}")
        verdict = good in {"good", "working", "pass", "passed"}
    lights = truth_or_none(keys.take("lit_properly", "lights_ok", default=verdict), keys.where)
    tosses = truth_or_none(keys.take("tossed_properly", "toss_ok", default=verdict), keys.where)
    automated = what is events.Device.AUTOMATED_SHAKER
    m.add(
        events.DeviceInspected,
        device=what,
        device_id=_device_id(m, what),
        inspected_by=who,
        trial_entries=whole_or_none(keys.take("trial_entries", "entries"), keys.where),
        values_per_entry=whole_or_none(keys.take("values_per_entry", "values"), keys.where),
        operations=whole_or_none(keys.take("operations"), keys.where),
        lit_properly=None if automated else lights,
        tossed_properly=tosses if automated else None,
        working=verdict,
    )


def _device_id(m: Moment, what: events.Device) -> str | None:
    match what:
        case events.Device.ELECTRICAL_DEVICE:
            return device_of(m.table.name)
        case events.Device.DISPLAY_AREA:
            return display_of(m.table.name)
        case events.Device.AUTOMATED_SHAKER:
            placed = [
                n for n, kind in m.table.shakers.items() if kind is events.ShakerKind.AUTOMATED
            ]
            said = m.keys.take("shaker", default=placed[-1] if placed else "automated")
            return shaker_of(m.table.name, str(said))
    return None


def device_failed(m: Moment) -> None:
    what = words.device(m.keys.take("device", "item", default="electrical_device"))
    fault = text_or_none(m.keys.take("fault", "why", "reason", "what"), m.keys.where)
    m.add(events.DeviceFailed, device=what, device_id=_device_id(m, what), fault=fault)


def device_fixed(m: Moment) -> None:
    what = words.device(m.keys.take("device", "item", default="electrical_device"))
    m.keys.take("by")
    m.add(events.DeviceFixed, device=what, device_id=_device_id(m, what))


def display_failed(m: Moment) -> None:
    fault = text_or_none(m.keys.take("fault", "why", "reason"), m.keys.where)
    device = display_of(m.table.name)
    m.add(events.DeviceFailed, device=events.Device.DISPLAY_AREA, device_id=device, fault=fault)


def shaker_failed(m: Moment) -> None:
    """Only an automated shaker fails in the chapter's words."""
    fault = text_or_none(m.keys.take("fault", "why", "reason", "how"), m.keys.where)
    m.keys.take("kind")
    device = _device_id(m, events.Device.AUTOMATED_SHAKER)
    m.add(events.DeviceFailed, device=events.Device.AUTOMATED_SHAKER, device_id=device, fault=fault)


def shaker_fixed(m: Moment) -> None:
    m.keys.take("by")
    device = _device_id(m, events.Device.AUTOMATED_SHAKER)
    m.add(events.DeviceFixed, device=events.Device.AUTOMATED_SHAKER, device_id=device)


HANDLERS = {
    "shaker_placed": shaker_placed,
    "shaker_removed": shaker_removed,
    "shaker_covered": shaker_covered,
    "shaker_uncovered": shaker_uncovered,
    "shaken": shaken,
    "thrown": thrown,
    "shown": thrown,
    "called": called,
    "entered": entered,
    "illuminated": illuminated,
    "entered_and_illuminated": entered_and_illuminated,
    "cleared": cleared,
    "no_roll": no_roll,
    "dice_placed": dice_placed,
    "dice_removed": dice_removed,
    "inspected": inspected,
    "device_failed": device_failed,
    "device_fixed": device_fixed,
    "display_malfunction": display_failed,
    "shaker_failed": shaker_failed,
    "shaker_malfunction": shaker_failed,
    "shaker_fixed": shaker_fixed,
    "shaker_repaired": shaker_fixed,
}
