"""Honest play keeps the duties around the money: procedure, staff, equipment, limits, habits."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

import pytest

from ledger import events as e
from ledger.floor.patron_habits import Habit
from ledger.floor.simulation import Simulation
from ledger.kernel import table_of

from .test_honest_money import rounds

HOUR = 3_600_000_000
TABLES = ("SB-01", "SB-02", "SB-03", "DC-01", "DC-02")
WHEEL = [
    "7x",
    "2",
    "1",
    "5",
    "1",
    "2",
    "5",
    "1",
    "2",
    "10",
    "1",
    "2",
    "1",
    "20",
    "1",
    "2",
    "1",
    "2",
    "1",
    "5",
    "1",
    "2",
    "10",
    "1",
    "5",
    "1",
    "2",
    "2x",
    "1",
    "5",
    "1",
    "40",
    "2",
    "1",
    "2",
    "1",
    "10",
    "2",
    "1",
    "5",
    "1",
    "2",
    "1",
    "5",
    "2",
    "1",
    "20",
    "1",
    "2",
    "1",
    "10",
    "1",
    "2",
    "1",
]


def of_table(facts: tuple[e.Fact, ...], table: str) -> list[e.Fact]:
    return sorted((f for f in facts if table_of(f.stream) == table), key=lambda f: f.event_time)


def names(facts: list[e.Fact]) -> list[str]:
    return [type(fact).__name__ for fact in facts]


def test_a_round_of_sic_bo_keeps_its_order(honest: tuple[e.Fact, ...]) -> None:
    manual = ["BettingOpened", "NoMoreBetsAnnounced", "ShakerCovered", "DiceShaken", "ShakerUncovered", "DiceThrown", "RollCalled", "ValuesEntered", "AreasLit", "WagerSettled", "LightsCleared"]  # fmt: skip
    automated = [name for name in manual if not name.startswith("Shaker")]
    seen: Counter[str] = Counter()
    for play in rounds(honest):
        table = table_of(play[0].stream)
        if not table.startswith("SB") or {"NoRollCalled", "DeviceFailed"} & set(names(play)):
            continue
        order = list(dict.fromkeys(name for name in names(play) if name in manual))
        wanted = manual if table == "SB-01" else automated
        assert order == wanted or order == [n for n in wanted if n != "WagerSettled"]
        seen[table] += 1
    assert min(seen["SB-01"], seen["SB-02"]) > 300


def test_no_wager_after_no_more_bets_and_all_within_limits(honest: tuple[e.Fact, ...]) -> None:
    for table in TABLES:
        limits: dict[str | None, e.LimitsSet] = {}
        open_for_bets = False
        pending: dict[str, int] = {}
        for fact in of_table(honest, table):
            match fact:
                case e.LimitsSet():
                    limits[fact.wager] = fact
                case e.BettingOpened():
                    open_for_bets, pending = True, {}
                case e.NoMoreBetsAnnounced():
                    open_for_bets = False
                    assert not pending, "an over-limit wager was handed back in time"
                case e.WagerPlaced():
                    assert open_for_bets
                    assert fact.instrument is e.Instrument.CHIPS
                    assert fact.stake_cents % 500 == 0
                    own = limits.get(fact.wager, limits[None])
                    assert fact.stake_cents >= (own.minimum_cents or 0)
                    if fact.stake_cents > (own.maximum_cents or 0):
                        pending[fact.wager_id] = fact.stake_cents
                case e.WagerReturned():
                    pending.pop(fact.wager_id, None)
                case _:
                    pass


def test_lit_areas_are_those_that_win(honest: tuple[e.Fact, ...]) -> None:
    faces: tuple[int, ...] = ()
    for fact in of_table(honest, "SB-01"):
        if isinstance(fact, e.ValuesEntered):
            faces = tuple(sorted(fact.faces))
        elif isinstance(fact, e.AreasLit):
            lit = set(fact.areas or ())
            assert f"One of a Kind {faces[0]}" in lit
            assert ("Any Three of a Kind" in lit) == (faces[0] == faces[2])
            assert ("Small Bet" in lit) == (faces[0] != faces[2] and 4 <= sum(faces) <= 10)
            assert ("Big Bet" in lit) == (faces[0] != faces[2] and 11 <= sum(faces) <= 17)
            assert {f"Total Value Bet {sum(faces)}"} & lit or sum(faces) in (3, 18)


@pytest.mark.parametrize("table", TABLES)
def test_a_table_opens_only_when_all_is_ready(honest: tuple[e.Fact, ...], table: str) -> None:
    facts = of_table(honest, table)
    opened = names(facts).index("TableOpened")
    before = names(facts[:opened])
    assert before.index("StaffAssigned") < before.index("ItemInspected")
    first = next(f for f in facts if isinstance(f, e.StaffAssigned))
    assert first.role is e.Role.FLOORPERSON
    inspections = [f for f in facts[:opened] if isinstance(f, e.ItemInspected | e.DeviceInspected)]
    assert {f.inspected_by for f in inspections} == {first.person}
    assert {"LimitsSet", "LimitsSignPosted", "OpenerCounted", "DropBoxHung"} <= set(before)
    equipment = (
        {"ShakerPlaced", "DiceSetPlaced", "DeviceInspected"}
        if table.startswith("SB")
        else {"WheelPlaced"}
    )
    assert equipment <= set(before)
    assert names(facts).count("TableOpened") == names(facts).count("TableClosed") == 1


@pytest.mark.full
def test_the_shaker_is_never_unattended(week: tuple[e.Fact, ...]) -> None:
    for table in ("SB-01", "SB-02", "SB-03"):
        dealers: set[str] = set()
        there: set[str] = set()
        for fact in of_table(week, table):
            match fact:
                case e.StaffAssigned(role=e.Role.DEALER):
                    dealers.add(fact.person)
                case e.StaffRelieved(role=e.Role.DEALER):
                    dealers.remove(fact.person)
                case e.ShakerPlaced():
                    there.add(fact.shaker)
                case e.ShakerRemoved():
                    there.remove(fact.shaker)
                case e.DiceSetPlaced():
                    there |= {die.serial for die in fact.dice}
                case e.DiceSetRemoved():
                    there -= set(fact.dice)
                case _:
                    pass
            assert dealers or not there
            assert len(there) in (0, 1, 3, 4), "a shaker, three dice, or both"


@pytest.mark.full
def test_dice_are_used_for_less_than_a_day_and_outlive_a_closing(week: tuple[e.Fact, ...]) -> None:
    placed: dict[str, int] = {}
    placings: Counter[str] = Counter()
    for fact in sorted(week, key=lambda f: f.event_time):
        if isinstance(fact, e.DiceSetPlaced):
            for die in fact.dice:
                placed.setdefault(die.serial, fact.event_time)
                placings[die.serial] += 1
        elif isinstance(fact, e.DiceThrown):
            assert len(fact.dice) == (2 if fact.stream.startswith("PH") else 3)
            for thrown in fact.dice:
                assert fact.event_time - placed[thrown.serial or ""] <= 24 * HOUR
    assert max(placings.values()) > 1


def test_limits_change_with_notice_or_at_an_empty_table(honest: tuple[e.Fact, ...]) -> None:
    changes: Counter[str] = Counter()
    for table in TABLES:
        facts = of_table(honest, table)
        seated = 0
        sign: e.LimitsSignPosted | None = None
        told: e.LimitsChangeAnnounced | None = None
        is_open = False
        for fact in facts:
            match fact:
                case e.TableOpened():
                    is_open = True
                case e.PositionTaken():
                    seated += 1
                case e.PositionLeft():
                    seated -= 1
                case e.LimitsSignPosted(states_change=True):
                    sign = fact
                case e.LimitsChangeAnnounced():
                    told = fact
                case e.LimitsSet() if is_open:
                    assert fact.patrons_playing == (seated > 0)
                    changes["playing" if seated else "empty"] += 1
                    if seated:
                        assert sign is not None
                        assert told is not None
                        assert fact.event_time - told.event_time >= HOUR // 2
                        assert fact.event_time >= (sign.effective_time or 0) == told.effective_time
                        assert (sign.minimum_cents, sign.maximum_cents) == (
                            fact.minimum_cents,
                            fact.maximum_cents,
                        )
                case _:
                    pass
        assert seated == 0
    assert changes["playing"] >= 4
    assert changes["empty"] >= 1


def test_signs_and_equipment_are_approved_before_use(honest: tuple[e.Fact, ...]) -> None:
    approved: dict[str, set[str]] = defaultdict(set)
    for fact in sorted(honest, key=lambda f: f.event_time):
        match fact:
            case e.SignApproved():
                assert fact.location
                assert fact.size
                assert fact.language
                approved[fact.sign].add("GAMING_OPERATIONS")
            case e.EquipmentApproved():
                approved[fact.equipment].add(fact.bureau.value)
            case e.LayoutApproved():
                approved[fact.layout].add(fact.bureau.value)
            case e.RulesSubmissionApproved():
                approved[fact.submission].add("board")
            case e.LimitsSignPosted():
                assert approved[fact.sign]
            case e.ShakerPlaced():
                both = {"GAMING_OPERATIONS", "GAMING_LABORATORY_OPERATIONS"}
                assert approved[fact.shaker] >= (
                    both if fact.kind is e.ShakerKind.AUTOMATED else {"GAMING_OPERATIONS"}
                )
            case e.DeviceInspected(device=e.Device.ELECTRICAL_DEVICE):
                assert approved[fact.device_id or ""] == {"GAMING_LABORATORY_OPERATIONS"}
            case e.TableOpened():
                assert approved[fact.layout] == {"GAMING_OPERATIONS"}
                assert approved[fact.paytable or ""]
            case _:
                pass


def test_the_wheel_is_the_one_of_the_text(honest: tuple[e.Fact, ...]) -> None:
    for wheel in (f for f in honest if isinstance(f, e.WheelPlaced)):
        assert list(wheel.sections) == WHEEL
        assert (wheel.diameter_thousandths or 0) >= 60_000
    counts = Counter(WHEEL)
    assert counts == {"1": 23, "2": 15, "5": 7, "10": 4, "20": 2, "40": 1, "2x": 1, "7x": 1}


def test_lawful_irregularities_occur_and_end_lawfully(honest: tuple[e.Fact, ...]) -> None:
    seen = Counter(names(list(honest)))
    for name in (
        "NoRollCalled",
        "RoundVoided",
        "SpinVoided",
        "DeviceFailed",
        "WagerTakenDown",
        "WagerReturned",
        "WagerIncreased",
        "WagerMoved",
        "WagerRefused",
        "TakeDownRefused",
        "FillDelivered",
        "CameraLost",
    ):
        assert seen[name], name
    for table in TABLES:
        broken: set[str | None] = set()
        for fact in of_table(honest, table):
            match fact:
                case e.DeviceFailed():
                    broken.add(fact.device_id)
                case e.DeviceFixed():
                    broken.remove(fact.device_id)
                case e.BettingOpened():
                    assert not broken
                case _:
                    pass


def test_void_spins_are_respun(honest: tuple[e.Fact, ...]) -> None:
    for table in ("DC-01", "DC-02"):
        facts = of_table(honest, table)
        for before, after in pairwise(
            f for f in facts if isinstance(f, e.WheelSpun | e.SpinVoided)
        ):
            if isinstance(before, e.WheelSpun):
                void = (
                    before.clapper is e.Clapper.BETWEEN_SECTIONS
                    or (before.revolutions_thousandths or 0) < 3_000
                )
                assert isinstance(after, e.SpinVoided) == void
            else:
                assert isinstance(after, e.WheelSpun)


def test_the_outcome_table_shows_no_wager(honest: tuple[e.Fact, ...]) -> None:
    shown = {type(f).__name__ for f in honest if f.stream.startswith("SB-03")}
    assert not {name for name in shown if name.startswith("Wager") and name != "WagerRefused"}
    assert {"BettingOpened", "DiceThrown", "RollCalled", "AreasLit"} <= shown


def test_habits_show_in_the_facts(honest: tuple[e.Fact, ...]) -> None:
    stakes: dict[str, list[int]] = defaultdict(list)
    settled: dict[str, list[tuple[int, str]]] = defaultdict(list)
    who: dict[tuple[str, str], tuple[str, int]] = {}
    for fact in sorted(honest, key=lambda f: f.event_time):
        if isinstance(fact, e.WagerPlaced) and fact.patron:
            stakes[fact.patron].append(fact.stake_cents)
            who[table_of(fact.stream), fact.wager_id] = (fact.patron, fact.stake_cents)
        elif isinstance(fact, e.WagerSettled):
            patron, cents = who[table_of(fact.stream), fact.wager_id]
            settled[patron].append((cents, fact.outcome.value))
    doubling = [
        p for p, log in settled.items()
        if len(log) > 15 and sum(b[0] == 2 * a[0] for a, b in pairwise(log) if a[1] == "LOST") >= 4
        and all(b[0] <= a[0] for a, b in pairwise(log) if a[1] == "WON")
    ]  # fmt: skip
    flat = [p for p, log in stakes.items() if len(log) > 20 and len(set(log)) == 1]
    at_limit = [p for p, log in stakes.items() if log.count(50_000) + log.count(30_000) > 10]
    assert len(doubling) >= 5
    assert len(flat) >= 20
    assert len(at_limit) >= 3


def test_every_habit_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    from ledger.floor import between_rounds

    seen: Counter[Habit] = Counter()
    real = between_rounds.arrive

    def spy(*args: object) -> object:
        patrons = real(*args)  # type: ignore[arg-type]
        seen.update(patron.habit for patron in patrons)
        return patrons

    monkeypatch.setattr(between_rounds, "arrive", spy)
    from datetime import date

    assert sum(1 for _ in Simulation(11, date(2021, 6, 12), 1, (), 1.0).facts)
    assert set(seen) == set(Habit)
