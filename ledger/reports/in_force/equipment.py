"""Layout, equipment, people and cameras of a table, with the approvals that each needs.

Law: the rooms' own rows for layouts and equipment.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger import events
from ledger.audit.in_force import InForce, TableInForce
from ledger.games import BY_GAME
from ledger.games.room import Room
from ledger.house import Office
from ledger.kernel import Citation
from ledger.reports.in_force.line import NOT_RECORDED, Line, refs, sure, words

# --- layout and equipment ------------------------------------------------------------------------


def layout_lines(in_force: InForce, table: TableInForce) -> Iterator[Line]:
    """Each layout on which the table was opened that day, with the approvals that it needs."""
    seen: set[tuple[str, str]] = set()
    for span in table.of("game"):
        opened = span.fact
        assert isinstance(opened, events.TableOpened)
        if (opened.game, opened.layout) in seen:
            continue
        seen.add((opened.game, opened.layout))
        room = BY_GAME.get(opened.game)
        cite = _duty_cite(room, "layout_not_approved")
        known = [
            one
            for one in in_force.house.office.layout(opened.layout, in_force.day.ends - 1)
            if one.game == opened.game
        ]
        if not known:
            yield Line(
                "layout", f"no approval of {opened.layout}", cites=cite, standing=NOT_RECORDED
            )
        for approval in known:
            boxes = {True: ", boxes approved", False: ", boxes not approved", None: ""}
            approved_by = words(approval.bureau)
            sentence = f"{opened.layout} approved by {approved_by}{boxes[approval.boxes_approved]}"
            yield Line("layout", sentence, approval.event_time, None, cite, refs(approval))


def _duty_cite(room: Room | None, code: str) -> tuple[Citation, ...]:
    duty = room.duty_by_name.get(code) if room is not None else None
    return () if duty is None else (duty.cite,)


EQUIPMENT = ("shaker", "wheel", "dice", "card device", "deck", "device")


def equipment_lines(in_force: InForce, table: TableInForce) -> Iterator[Line]:
    """Each piece of equipment at the table, kind by kind, with the approvals that it needs."""
    rooms = [BY_GAME[game] for game in table.submissions if game in BY_GAME]
    approvals_told: set[str] = set()
    for kind in EQUIPMENT:
        for span in table.of(kind):
            named, sentence, of_kind = _placed(span.fact)
            rows = [row for room in rooms for row in room.approvals if row.kind == of_kind]
            yield Line(
                "equipment",
                sentence,
                span.begins,
                span.ends,
                facts=refs(span.fact),
                standing=sure(span),
            )
            if named is not None and named not in approvals_told:
                approvals_told.add(named)
                cites = tuple(dict.fromkeys(row.cite for row in rows))
                wanted = tuple(dict.fromkeys(b for row in rows for b in row.bureaus))
                yield from _equipment_approvals(
                    in_force.house.office, named, cites, wanted, in_force.day.ends
                )


def _placed(fact: events.Fact) -> tuple[str | None, str, str]:
    """A thing at the table: its id, what is said of it, and the kind that approvals are for."""
    match fact:
        case events.ShakerPlaced():
            sentence = f"{words(fact.kind)} shaker {fact.shaker or 'without an id'} placed"
            return fact.shaker, sentence, str(fact.kind)
        case events.WheelPlaced():
            return fact.wheel, f"wheel {fact.wheel}, {len(fact.sections)} sections", "WHEEL"
        case events.DiceSetPlaced():
            serials = ", ".join(die.serial or "without a serial" for die in fact.dice)
            return None, f"dice {serials} placed", "DICE"
        case events.CardDevicePlaced():
            return fact.device_id, f"{words(fact.device)} {fact.device_id}", str(fact.device)
        case events.DeckPlaced():
            return None, f"deck {fact.deck}", "DECK"
        case events.DeviceInspected():
            verdict = {True: "working", False: "not working", None: "result not recorded"}
            sentence = f"{words(fact.device)} {fact.device_id or 'without an id'} tried"
            return fact.device_id, f"{sentence}, {verdict[fact.working]}", str(fact.device)
        case _:
            return None, words(type(fact).__name__), ""


def _equipment_approvals(
    office: Office, named: str, cites: tuple[Citation, ...], wanted: tuple[str, ...], ends: int
) -> Iterator[Line]:
    known = {
        str(bureau): [one for one in facts if one.event_time < ends][-1:]
        for (equipment, bureau), facts in office.equipment.items()
        if equipment == named
    }
    for bureau in dict.fromkeys((*wanted, *known)):
        last = known.get(bureau) or []
        if not last:
            sentence = f"no approval of {named} by {words(bureau)}"
            yield Line("equipment", sentence, cites=cites, standing=NOT_RECORDED)
            continue
        word = "withdrawn" if last[0].withdrawn else "given"
        sentence = f"approval of {named} by {words(bureau)} {word}"
        yield Line("equipment", sentence, last[0].event_time, None, cites, refs(last[0]))


# --- people and cameras --------------------------------------------------------------------------


def people_lines(table: TableInForce) -> Iterator[Line]:
    """Each person assigned to the table, by role and time; a line where nobody was."""
    staff = table.of("staff")
    if not staff:
        yield Line("staff", "nobody assigned", standing=NOT_RECORDED)
    for span in sorted(staff, key=lambda one: (str(getattr(one.fact, "role", "")), one.begins)):
        assert isinstance(span.fact, events.StaffAssigned)
        sentence = f"{words(span.fact.role)} {span.fact.person}"
        yield Line(
            "staff", sentence, span.begins, span.ends, facts=refs(span.fact), standing=sure(span)
        )
    cameras = table.of("camera")
    if not cameras:
        yield Line("camera", "no camera", standing=NOT_RECORDED)
    for span in cameras:
        camera = span.fact
        assert isinstance(camera, events.CameraAssigned | events.CameraRestored)
        covers = (
            f" covers {camera.covers}"
            if isinstance(camera, events.CameraAssigned) and camera.covers
            else " in use"
        )
        yield Line(
            "camera",
            f"{camera.camera}{covers}",
            span.begins,
            span.ends,
            facts=refs(camera),
            standing=sure(span),
        )
