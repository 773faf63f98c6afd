"""What a case does not mention: the property, approvals, filings, inspections, all in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ledger import events
from ledger.kernel import MICROSECONDS
from tests.conformance import words
from tests.conformance.scene import Scene, Table
from tests.conformance.timeline import HOUSE, SETUP

INSPECTOR = "I1"
DAY = 86_400 * MICROSECONDS
Amounts = tuple[int | None, int | None]


@dataclass
class Sign:
    """The sign with the limits; ``parts`` are the approvals of place, size and language."""

    name: str
    posted: bool = True
    shows_limits: bool = True
    parts: tuple[bool, bool, bool] | None = (True, True, True)


@dataclass
class Filing:
    """One Rules Submission: what is filed, and when it was approved (None: never)."""

    name: str
    filed_at: int
    approved_at: int | None
    odds: dict[tuple[str, str | None], str]
    breakage: events.Breakage | None = None
    payout_limit: events.PayoutLimit | None = None
    increment: int | None = None
    supersedes: str | None = None


@dataclass
class House:
    """What a case's setup says of a table, everything else in order."""

    table: str
    game: str
    layout: str = "LAYOUT-1"
    layout_approved: bool | None = True
    boxes_approved: bool | None = True
    boxes: tuple[str | None, str | None] = ("dealer side, left", "dealer side, right")
    holder_named: bool | None = True
    areas: tuple[str, ...] | None = None
    printed: dict[tuple[str, str | None], str] | None = None
    odds_printed: bool | None = True
    stated: dict[str, int | None] | None = None
    device: bool | None = True
    device_approved: bool | None = True
    device_shows_all: bool | None = True
    filings: list[Filing] = field(default_factory=list)
    limits: dict[str | None, Amounts] = field(default_factory=dict)
    increment: int | None = None
    sign: Sign | None = None
    camera: bool = True
    never_filed: dict[tuple[str, str | None], str] | None = None

    @property
    def device_id(self) -> str:
        """The electrical device of a Sic Bo table."""
        return device_of(self.table)


def device_of(table: str) -> str:
    """The id of a table's electrical device."""
    return f"{table}-DEVICE"


def display_of(table: str) -> str:
    """The id of the area that depicts a table's wagers."""
    return f"{table}-DISPLAY"


def shaker_of(table: str, name: str) -> str:
    """The id of a table's shaker."""
    return f"{table}-{name}"


def file_and_approve(scene: Scene, house: House, at: int) -> None:
    """Everything that offices decided, long before: on the stream of the house."""

    def add(kind: type[Any], time: int = at, /, **fields: Any) -> None:
        scene.timeline.add(time, HOUSE, kind, SETUP, **fields)

    add(events.GameApproved, game=house.game, requested_time=at, approved_time=at, approved_by="ED")
    for filing in house.filings:
        add(
            events.RulesSubmissionFiled,
            filing.filed_at,
            submission=filing.name,
            game=house.game,
            tables=(house.table,),
            paytable=words.paytable(filing.odds),
            breakage=filing.breakage,
            payout_limit=filing.payout_limit,
            increment_cents=filing.increment,
            layout=house.layout,
            readings=(),
            supersedes=filing.supersedes,
        )
        if filing.approved_at is not None:
            add(
                events.RulesSubmissionApproved,
                filing.approved_at,
                submission=filing.name,
                approved_time=filing.approved_at,
                approved_by="BGO",
            )
    approve_layout(scene, house.layout, house, at)
    if house.game == words.SIC_BO and house.device_approved:
        add(
            events.EquipmentApproved,
            equipment=house.device_id,
            bureau=events.Bureau.GAMING_LABORATORY_OPERATIONS,
            withdrawn=False,
        )
    if house.sign and house.sign.name not in scene.signs_decided:
        decide_sign(scene, house.sign.name, house.sign.parts, at)


def approve_layout(scene: Scene, layout: str, house: House, at: int) -> None:
    """The layout's approval, and with it that of the places of the boxes."""
    if not house.layout_approved:
        return
    scene.timeline.add(
        at, HOUSE, events.LayoutApproved, SETUP,
        layout=layout, game=house.game, bureau=events.Bureau.GAMING_OPERATIONS,
        boxes_approved=house.boxes_approved,
    )  # fmt: skip


def decide_sign(scene: Scene, sign: str, parts: tuple[bool, bool, bool] | None, at: int) -> None:
    """The approval of a sign, if one was given."""
    scene.signs_decided.add(sign)
    if parts is None:
        return
    location, size, language = parts
    scene.timeline.add(
        at, HOUSE, events.SignApproved, SETUP,
        sign=sign, location=location, size=size, language=language,
        bureau=events.Bureau.GAMING_OPERATIONS,
    )  # fmt: skip


def look(
    scene: Scene, table: str, at: int, subject: events.Subject, subject_id: str, item: str,
    found: bool | None = True, seen: tuple[events.Seen, ...] = (),
) -> None:  # fmt: skip
    """One item was looked at."""
    scene.timeline.add(
        at, table, events.ItemInspected, SETUP,
        subject=subject, subject_id=subject_id, item=item, found=found, seen=seen,
        inspected_by=INSPECTOR,
    )  # fmt: skip


def inspect_shaker(scene: Scene, table: Table, shaker: str, automated: bool, at: int) -> None:
    """How a shaker is built; an automated one has no cover of its own."""
    items = ["compartment_transparent", "cover_opaque", "sealable", "holder_name_or_logo"]
    for item in items:
        if not (automated and item == "cover_opaque"):
            look(scene, table.name, at, events.Subject.SHAKER, shaker_of(table.name, shaker), item)


def prepare_table(scene: Scene, house: House, at: int) -> None:
    """What was looked at and set at the table before anything else happened there."""
    name = house.table
    for item, side in zip(("drop_box", "tip_box"), house.boxes, strict=True):
        seen = () if side is None else (events.Seen(name="side", value=side),)
        look(scene, name, at, events.Subject.TABLE, name, item, side is not None, seen)
    inspect_layout(scene, house, at)
    if house.game == words.SIC_BO:
        device = events.Subject.ELECTRICAL_DEVICE
        look(scene, name, at, device, house.device_id, "present", house.device)
        shows = house.device_shows_all
        look(scene, name, at, device, house.device_id, "area_depicts_wagers", shows)
    if house.camera:
        scene.timeline.add(at, name, events.CameraAssigned, SETUP, camera=f"C-{name}", covers=name)
    for wager, (low, high) in house.limits.items():
        set_limits(scene, house, wager, low, high, at)


EXTRA_ITEMS = {
    words.PROPS_AND_HOPS: (
        "shaker_circle", "player_position_diagram", "six_eight_shake_requirements",
        "six_eight_shake_take_down", "field_numbers",
    ),
}  # fmt: skip
FIELD = ("2", "3", "4", "9", "10", "11", "12")


def inspect_layout(scene: Scene, house: House, at: int) -> None:
    """Item by item what the layout shows."""

    def add(item: str, found: bool | None, seen: tuple[events.Seen, ...] = ()) -> None:
        look(scene, house.table, at, events.Subject.LAYOUT, house.layout, item, found, seen)

    wanted = words.wagers_of(house.game)
    areas = wanted if house.areas is None else house.areas
    add("holder_name_or_logo", house.holder_named)
    complete = set(wanted) <= set(areas)
    add("wager_areas", complete, tuple(events.Seen(name=area, value=None) for area in areas))
    odds = {} if house.printed is None or house.odds_printed is False else house.printed
    seen = tuple(
        events.Seen(name=name if on is None else f"{name} {on}", value=value)
        for (name, on), value in odds.items()
    )
    add("printed_odds", house.odds_printed, seen)
    for item in EXTRA_ITEMS.get(house.game, ()):
        numbers = FIELD if item == "field_numbers" else ()
        add(item, True, tuple(events.Seen(name=name, value=None) for name in numbers))
    if house.stated is not None:
        stated = tuple(
            events.Seen(name=key, value=None if value is None else str(value))
            for key, value in house.stated.items()
        )
        add("stated_limits", bool({"minimum", "maximum"} & set(house.stated)), stated)


def set_limits(
    scene: Scene, house: House, wager: str | None, low: int | None, high: int | None, at: int
) -> None:
    """Limits from the opening of the table, and the sign that shows them."""
    scene.timeline.add(
        at, house.table, events.LimitsSet, SETUP,
        wager=wager, minimum_cents=low, maximum_cents=high,
        increment_cents=house.increment, patrons_playing=False,
    )  # fmt: skip
    if house.sign and house.sign.posted:
        shows = house.sign.shows_limits
        scene.timeline.add(
            at, house.table, events.LimitsSignPosted, SETUP,
            sign=house.sign.name, wager=wager,
            minimum_cents=low if shows else None, maximum_cents=high if shows else None,
            states_change=False, effective_time=None,
        )  # fmt: skip
    table = scene.tables[house.table]
    table.limits[wager] = (low, high)
    table.increment = house.increment
