"""What facts say of throws, spins, hands, staff and equipment: each row against the facts sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from ledger import events
from ledger.analytics import Projection
from ledger.analytics.facts.equipment import Equipment
from ledger.analytics.facts.gaming_day_bounds import TableMoment
from ledger.analytics.facts.staff import Staff
from ledger.analytics.facts.table_follower import TableFollower
from ledger.analytics.facts.throws import Throws
from ledger.analytics.staging_columns import COLUMNS
from ledger.audit import day_of, read_office
from ledger.audit.ledger_contract import Day
from ledger.events.dice import DiceSetPlaced, DiceSetRemoved
from ledger.events.parts import DieIdentity
from ledger.games.asia_poker.hands import rank_names
from ledger.kernel import PropertyClock
from ledger.replay import Replay
from tests.analytics import given
from tests.engine import log_of

CLOCK = PropertyClock("America/New_York", 6 * 60)
HOUR = 3_600_000_000
MORNING = CLOCK.start_of(date(2021, 6, 12))
DAY, NEXT = date(2021, 6, 12), date(2021, 6, 13)
HEAD = {"source": "test", "recorded_by": None}


class Rows:
    """Where rows go in these tests: by the names of their columns."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, table: str, row: tuple[Any, ...]) -> None:
        self.rows.append((table, dict(zip(COLUMNS[table].names, row, strict=True))))

    def of(self, table: str, *columns: str) -> list[tuple[Any, ...]]:
        return [tuple(row[c] for c in columns) for name, row in self.rows if name == table]


@pytest.fixture
def rows() -> Rows:
    return Rows()


def fact(event: type[Any], seq: int, at: int, **fields: Any) -> Any:
    return event(stream="SB-01", seq=seq, event_time=at, **HEAD, **fields)


def follow(taker: Any, facts: Iterable[events.Fact]) -> TableMoment:
    moment = TableMoment("SB-01", CLOCK, lambda _since: None)
    for one in facts:
        moment.come_to(one.event_time)
        taker.take(one, moment)
    return moment


# --- whole days: every row is a fact, every fact a row ----------------------------------------


@pytest.fixture(scope="module")
def sent() -> list[events.Fact]:
    return given.facts(*given.PLANTS, days=2, scale=0.05, coupons=True)


def test_every_die_thrown_is_a_row(projection: Projection, sent: list[events.Fact]) -> None:
    expected = Counter(
        (f.stream, f.seq, die.serial, die.face, die.rest.value)
        for f in sent
        if isinstance(f, events.DiceThrown | events.DiceThrownByHand)
        for die in f.dice
    )
    with projection.connect() as connection:
        told = connection.execute("SELECT stream, seq, die, face, rest FROM throws").fetchall()
    assert Counter(told) == expected
    assert len(expected) > 1_500


def test_every_spin_is_a_row(projection: Projection, sent: list[events.Fact]) -> None:
    expected = {
        (f.stream, f.seq): (f.section, f.revolutions_thousandths, f.spun_by)
        for f in sent
        if isinstance(f, events.WheelSpun)
    }
    with projection.connect() as connection:
        told = connection.execute(
            "SELECT stream, seq, section, revolutions_thousandths, spun_by FROM spins"
        ).fetchall()
        wrong = connection.execute(
            "SELECT count(*) FROM spins WHERE section IS NOT NULL AND symbols <> [label]"
        ).fetchone()
    assert {(a, b): (c, d, e) for a, b, c, d, e in told} == expected
    assert wrong == (0,)


def test_every_hand_set_is_a_row(projection: Projection, sent: list[events.Fact]) -> None:
    expected = Counter(
        (f.position, f.high, f.medium, f.low) for f in sent if isinstance(f, events.HandSet)
    )
    with projection.connect() as connection:
        told = connection.execute(
            "SELECT position, high, medium, low, settings FROM hands WHERE settings > 0"
        ).fetchall()
    last = {(p, h and tuple(h), m and tuple(m), low and tuple(low)) for p, h, m, low, _ in told}
    assert last <= set(expected)
    assert sum(settings for *_, settings in told) == expected.total()


def test_a_redeemed_coupon_has_a_row(projection: Projection, sent: list[events.Fact]) -> None:
    redeemed = sorted(f.serial for f in sent if type(f).__name__ == "CouponRedeemed")
    with projection.connect() as connection:
        told = connection.execute(
            "SELECT first_serial FROM coupons WHERE event = 'CouponRedeemed' ORDER BY 1"
        ).fetchall()
        widest = connection.execute("SELECT max(quantity), count(*) FROM coupons").fetchone()
    assert len(told) == len(redeemed) > 50
    assert widest is not None
    assert widest[0] > 20


# --- staff --------------------------------------------------------------------------------------


def opened(seq: int, at: int) -> events.Fact:
    return fact(
        events.TableOpened,
        seq,
        at,
        game="Sic Bo",
        layout="L",
        paytable=None,
        capture=events.Capture.FULL,
    )


def assigned(seq: int, at: int, person: str, role: events.Role = events.Role.DEALER) -> events.Fact:
    return fact(events.StaffAssigned, seq, at, role=role, person=person)


def relieved(seq: int, at: int, person: str, role: events.Role = events.Role.DEALER) -> events.Fact:
    return fact(events.StaffRelieved, seq, at, role=role, person=person, relieved_by=None)


def test_coverage_is_present_absent_and_unknown(rows: Rows) -> None:
    staff = Staff(rows)
    moment = follow(
        staff,
        [
            assigned(1, MORNING, "D-1"),
            opened(2, MORNING + HOUR),
            relieved(3, MORNING + 2 * HOUR, "D-1"),
            assigned(4, MORNING + 3 * HOUR, "D-2"),
            fact(events.TableClosed, 5, MORNING + 4 * HOUR, reason=None),
        ],
    )
    staff.finish(moment)
    told = rows.of("coverage", "role", "since", "until", "state", "people")
    assert [row for row in told if row[0] == "DEALER"] == [
        ("DEALER", MORNING + HOUR, MORNING + 2 * HOUR, "present", ["D-1"]),
        ("DEALER", MORNING + 2 * HOUR, MORNING + 3 * HOUR, "absent", []),
        ("DEALER", MORNING + 3 * HOUR, MORNING + 4 * HOUR, "present", ["D-2"]),
    ]
    assert [row for row in told if row[0] == "FLOORPERSON"] == [
        ("FLOORPERSON", MORNING + HOUR, MORNING + 4 * HOUR, "unknown", []),
    ]


def test_after_a_doubt_a_role_is_unknown_until_assigned(rows: Rows) -> None:
    staff = Staff(rows)
    moment = follow(staff, [assigned(1, MORNING, "D-1"), opened(2, MORNING)])
    moment.come_to(MORNING + HOUR)
    staff.doubt(MORNING + HOUR, moment)
    later = [
        relieved(8, MORNING + 2 * HOUR, "D-1"),  # shows that nobody is sure to be there
        assigned(9, MORNING + 3 * HOUR, "D-2"),
        fact(events.TableClosed, 10, MORNING + 4 * HOUR, reason=None),
    ]
    for one in later:
        moment.come_to(one.event_time)
        staff.take(one, moment)
    staff.finish(moment)
    told = rows.of("coverage", "role", "since", "until", "state")
    assert [row[1:] for row in told if row[0] == "DEALER"] == [
        (MORNING, MORNING + HOUR, "present"),
        (MORNING + HOUR, MORNING + 2 * HOUR, "unknown"),
        (MORNING + 2 * HOUR, MORNING + 3 * HOUR, "unknown"),
        (MORNING + 3 * HOUR, MORNING + 4 * HOUR, "present"),
    ]
    assert rows.of("stays", "person", "doubtful") == [("D-1", True), ("D-2", False)]


def test_a_stay_over_the_days_end_has_a_row_in_each(rows: Rows) -> None:
    staff, end = Staff(rows), CLOCK.start_of(NEXT)
    moment = follow(staff, [assigned(1, end - HOUR, "D-1"), relieved(2, end + HOUR, "D-1")])
    staff.finish(moment)
    assert rows.of("stays", "gaming_day", "since", "until", "still_there", "assigned_at") == [
        (DAY, end - HOUR, end, True, end - HOUR),
        (NEXT, end, end + HOUR, False, end - HOUR),
    ]


# --- equipment and throws -----------------------------------------------------------------------


def dice_set(seq: int, at: int, *serials: str) -> events.Fact:
    dice = tuple(DieIdentity(serial=one, colour=None) for one in serials)
    return fact(DiceSetPlaced, seq, at, shaker="S", dice=dice)


def test_a_set_is_in_use_until_its_last_die_is_gone(rows: Rows) -> None:
    equipment = Equipment(rows)
    moment = follow(
        equipment,
        [
            dice_set(1, MORNING, "a", "b"),
            fact(DiceSetRemoved, 2, MORNING + HOUR, dice=("a",)),
            fact(DiceSetRemoved, 3, MORNING + 2 * HOUR, dice=("b",)),
            dice_set(4, MORNING + 3 * HOUR, "c", "d"),
            dice_set(5, MORNING + 4 * HOUR, "c", "d"),  # placed anew without a removal
        ],
    )
    moment.come_to(MORNING + 5 * HOUR)
    equipment.finish(moment)
    assert rows.of("equipment", "equipment", "parts", "since", "until", "still_there") == [
        ("SB-01:1", ["a", "b"], MORNING, MORNING + 2 * HOUR, False),
        ("SB-01:4", ["c", "d"], MORNING + 3 * HOUR, MORNING + 4 * HOUR, False),
        ("SB-01:5", ["c", "d"], MORNING + 4 * HOUR, MORNING + 5 * HOUR, True),
    ]


def test_dice_without_serials_are_of_the_only_set(rows: Rows) -> None:
    equipment = Equipment(rows)
    follow(equipment, [dice_set(1, MORNING, "a", "b")])
    assert equipment.set_of([], None) == "SB-01:1"
    assert equipment.set_of(["a"], None) == "SB-01:1"
    assert equipment.set_of(["x"], None) is None
    follow(equipment, [dice_set(2, MORNING, "c", "d")])
    assert equipment.set_of([], None) is None


def thrown(seq: int, at: int, *faces: int) -> events.Fact:
    dice = tuple(
        events.Die(serial=None, colour=None, face=one, rest=events.Rest.FLAT) for one in faces
    )
    return fact(events.DiceThrown, seq, at, dice=dice, thrown_by=None)


def shaken(seq: int, at: int, shakes: int | None) -> events.Fact:
    return fact(
        events.DiceShaken,
        seq,
        at,
        shaker="S",
        kind=None,
        shakes=shakes,
        shaken_by="D-1",
        role=events.Role.DEALER,
    )


def test_what_is_called_stands_with_its_throw(rows: Rows) -> None:
    throws = Throws(rows, Equipment(rows))
    follow(
        throws,
        [
            shaken(1, MORNING, 1),
            shaken(2, MORNING, 2),
            thrown(3, MORNING, 1, 2, 3),
            fact(events.NoRollCalled, 4, MORNING, reason=None, called_by=None),
            shaken(5, MORNING, None),
            thrown(6, MORNING, 4, 4, 4),
            fact(events.RollCalled, 7, MORNING, faces=(4, 4, 4), called_by=None),
            thrown(8, MORNING, 6),
        ],
    )
    throws.release()
    assert rows.of("throws", "seq", "die_number", "face", "shakes", "called", "no_roll") == [
        (3, 1, 1, 3, None, True),
        (3, 2, 2, 3, None, True),
        (3, 3, 3, 3, None, True),
        (6, 1, 4, None, [4, 4, 4], False),
        (6, 2, 4, None, [4, 4, 4], False),
        (6, 3, 4, None, [4, 4, 4], False),
        (8, 1, 6, None, None, False),
    ]


# --- hands --------------------------------------------------------------------------------------


def test_ranks_are_the_chapters() -> None:
    """Order and names of 58 Pa. Code § 575.6(b)."""
    aces = ("AS", "AH", "AD", "AC")
    assert rank_names(aces, ("KS", "KH"), ("2D",)) == ("four aces", "pair", "high card")
    assert rank_names(("9S", "8S", "7S", "6S"), ("KS", "QH"), ("2D",)) == (
        "straight flush", "high card", "high card",
    )  # fmt: skip
    assert rank_names(aces, ("KS", "KS"), ("2D",)) is None  # one card twice
    assert rank_names(aces[:3], ("KS", "KH"), ("2D",)) is None  # three cards are no high hand
    assert rank_names(aces, ("KS", "1H"), ("2D",)) is None  # no such card


# --- days one after the other -------------------------------------------------------------------


def test_a_day_goes_on_from_the_start_of_an_earlier_one(
    two_days: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One table of which two terminals tell, and the first one lost facts over two nights."""
    own = [assigned(1, MORNING, "D-1"), opened(2, MORNING), relieved(9, MORNING + 54 * HOUR, "D-1")]
    other = [assigned(1, MORNING + 2 * HOUR, "D-2"), relieved(2, MORNING + 53 * HOUR, "D-2")]
    log = log_of([*own, *(replace(one, stream="SB-01/b", source="b") for one in other)])
    house = read_office(Replay.open(two_days))
    days = [day_of(CLOCK, DAY + timedelta(days=later)) for later in range(3)]
    walked: list[int | None] = []

    def rows_of(replay: Replay, day: Day) -> list[tuple[str, dict[str, Any]]]:
        rows = Rows()
        TableFollower(replay, house, "SB-01", rows).run_day({}, day)
        return [row for row in rows.rows if row[1]["gaming_day"] == day.date]

    steady = Replay(log)
    walk = steady.walk
    monkeypatch.setattr(
        steady, "walk", lambda *a, **how: walked.append(how.get("since")) or walk(*a, **how)
    )
    for day in (*days, days[1]):
        assert rows_of(steady, day) == rows_of(Replay(log), day)
    assert [row[1]["person"] for row in rows_of(steady, days[2]) if row[0] == "stays"] == [
        "D-2",
        "D-1",
    ]
    assert walked[:8:2] == [None, days[0].begins, days[1].begins, None]
