"""Coupons of the simulated floor: where each serial number goes, by the facts alone; the plants.

Custody and terms are followed here a second time, from the facts and from the series as described,
apart from the floor's own books. Law: 58 Pa. Code §§ 525.21, 525.22.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from functools import lru_cache

import pytest

from ledger import events as e
from ledger.floor import COUPON_KINDS, MAILED_PATRONS, Plant, TruthRow, simulate
from ledger.floor.tables import TABLE_NAMES
from ledger.kernel import PropertyClock, UsageError, table_of
from ledger.law import finding_codes

from .test_honest_money import rounds

CLOCK = PropertyClock("America/New_York", 360)
SEED, DAYS, SCALE = 11, 3, 0.05
OFFICE_KINDS = sorted(name for name, kind in COUPON_KINDS.items() if not kind.at_table)


@lru_cache(maxsize=64)
def draw(
    *plants: str, seed: int = SEED, days: int = DAYS, scale: float = SCALE
) -> tuple[tuple[e.Fact, ...], tuple[TruthRow, ...]]:
    wished = [Plant.parse(text) for text in plants]
    simulation = simulate(seed, days=days, plants=wished, scale=scale, coupons=True)
    return tuple(simulation.facts), simulation.truth


@pytest.fixture(scope="module")
def honest() -> tuple[e.Fact, ...]:
    return draw()[0]


def serials(ranges: Iterable[e.CouponRange]) -> list[str]:
    """Every serial number of ranges; their quantities must agree."""
    found: list[str] = []
    for one in ranges:
        assert one.first is not None
        assert one.last is not None
        prefix, first = one.first[:4], int(one.first[4:])
        run = [f"{prefix}{number:07d}" for number in range(first, int(one.last[4:]) + 1)]
        assert len(run) == one.quantity
        assert (
            one.denomination_cents
            == {"P25-": 2500, "P10-": 1000, "E05-": 500, "M10-": 1000}[prefix]
        )
        found += run
    return found


# --- honest play ----------------------------------------------------------------------------------


def test_without_coupons_nothing_of_them_is_there_and_with_them_the_rest_is_the_same() -> None:
    plain = tuple(simulate(SEED, days=DAYS, scale=SCALE).facts)
    coupons = draw()[0]
    assert not any("Coupon" in type(fact).__name__ for fact in plain)
    changed = {"WagerPlaced", "WagerSettled", "CloserCounted", "DropBoxCounted", "GamingDayClosed"}

    def rest(facts: Iterable[e.Fact]) -> Counter[e.Fact]:
        return Counter(
            replace(fact, seq=0)
            for fact in facts
            if type(fact).__name__ not in changed and not fact.stream.startswith("coupons/")
        )

    more = rest(coupons) - rest(plain)
    assert rest(plain) - rest(coupons) == Counter()
    assert {type(fact).__name__ for fact in more} == {
        "SourceRegistered", "PersonCredentialled", "CredentialDescribed", "CouponAccepted",
        "CouponRedeemed", "CouponRefused",
    } | ({"CouponGivenBack"} & {type(fact).__name__ for fact in more})  # fmt: skip


def test_every_serial_is_in_one_place_at_a_time(honest: tuple[e.Fact, ...]) -> None:
    place: dict[str, str] = {}

    def go(ranges: Iterable[e.CouponRange], allowed: set[str], to: str) -> None:
        for serial in serials(ranges):
            assert place.get(serial, "nowhere") in allowed, (serial, place.get(serial), to)
            place[serial] = to

    for fact in sorted(honest, key=lambda fact: fact.event_time):
        match fact:
            case e.CouponReceiptEntered():
                go(fact.lots, {"nowhere"}, "stock")
            case e.CouponsIssued():
                go(fact.ranges, {"stock"}, "marketing")
            case e.CouponsDistributed():
                go(fact.ranges, {"marketing"}, "patron")
            case e.CouponsMailed():
                go(fact.ranges, {"nowhere"}, "patron")
            case e.CouponsVoided(holder=holder):
                held = {"FINANCE": "stock", "MARKETING": "marketing", "PROVIDER": "nowhere"}
                go(fact.ranges, {held[holder.value]}, "voided")
            case e.CouponsReturned(kind=kind):
                unused = kind is e.CouponReturnKind.UNUSED
                mailed = kind is e.CouponReturnKind.UNDELIVERED
                go(
                    fact.ranges,
                    {"patron" if mailed else "marketing"},
                    "stock" if unused else "back",
                )
            case e.CouponRedeemed(serial=serial):
                assert place[serial] == "patron"
                place[serial] = "redeemed"
            case e.CouponsCounted():
                go(fact.ranges, {"redeemed"}, "counted")
            case e.CouponsCancelled(because=because):
                before = {"REDEEMED": "counted", "VOIDED": "voided", "EXPIRED": "back"}
                go(fact.ranges, {before[because.value]}, "cancelled")
            case _:
                pass
    assert set(place.values()) == {"stock", "marketing", "patron", "cancelled", "back"} - (
        set() if "back" in place.values() else {"back"}
    )


def test_each_box_holds_what_was_redeemed_at_its_table(honest: tuple[e.Fact, ...]) -> None:
    redeemed: dict[tuple[str | None, str | None], list[str]] = defaultdict(list)
    for fact in honest:
        if isinstance(fact, e.CouponRedeemed):
            assert fact.box_table == fact.stream
            redeemed[fact.box_table, fact.box].append(fact.serial)
    counted = {(f.box_table, f.box): f for f in honest if isinstance(f, e.CouponsCounted)}
    cash = {(table_of(f.stream), f.box): f for f in honest if isinstance(f, e.DropBoxCounted)}
    assert len(counted) == len(cash) == len(TABLE_NAMES) * DAYS
    assert sum(map(len, redeemed.values())) > 60
    for box, fact in counted.items():
        assert sorted(serials(fact.ranges)) == sorted(redeemed[box])
        assert sorted(cash[box].coupons) == sorted(redeemed[box])
        assert fact.unreadable == 0
        assert len(set(fact.counted_by)) == 2


def test_the_form_of_each_day_adds_up(honest: tuple[e.Fact, ...]) -> None:
    forms = [fact for fact in honest if isinstance(fact, e.ReconciliationFormCompleted)]
    assert len(forms) == DAYS
    before: set[str] = set()
    for form in forms:
        carried, received = set(serials(form.carried_in)), set(serials(form.received))
        today = [f for f in honest if CLOCK.day_of(f.event_time).isoformat() == form.for_gaming_day]
        given = {s for f in today if isinstance(f, e.CouponsDistributed) for s in serials(f.ranges)}
        voided = {one.first for one in form.voided}
        assert carried == before
        assert carried | received == given | voided | set(serials(form.remaining))
        assert sum(line.quantity or 0 for line in form.distributed) == len(given)
        kept = [s for f in today if isinstance(f, e.CouponsKept) for s in serials(f.ranges)]
        back = [
            s
            for f in today
            if isinstance(f, e.CouponsReturned) and f.kind is not e.CouponReturnKind.UNDELIVERED
            for s in serials(f.ranges)
        ]
        assert sorted(kept + back) == sorted(serials(form.remaining))
        before = set(kept)


def test_what_is_short_lived_goes_back_on_its_last_day(honest: tuple[e.Fact, ...]) -> None:
    series = {f.series: f for f in honest if isinstance(f, e.CouponSeriesDescribed)}
    assert series["E05"].expires == "2021-06-13"
    for fact in honest:
        day = CLOCK.day_of(fact.event_time)
        if isinstance(fact, e.CouponRedeemed) and fact.serial.startswith("E05"):
            assert day <= date(2021, 6, 13)
        if isinstance(fact, e.CouponsKept) and day >= date(2021, 6, 13):
            assert not any(serial.startswith("E05") for serial in serials(fact.ranges))


def test_coupons_are_paid_by_their_terms(honest: tuple[e.Fact, ...]) -> None:
    """Chips and coupon, from the same wager at its odds or at even money."""
    plain = tuple(simulate(SEED, days=DAYS, scale=SCALE).facts)
    chips = {
        (f.stream, f.wager_id, f.event_time): f for f in plain if isinstance(f, e.WagerSettled)
    }
    series = {f.prefix: f for f in honest if isinstance(f, e.CouponSeriesDescribed)}
    paid = 0
    for facts in rounds(honest):
        placed = {f.wager_id: f for f in facts if isinstance(f, e.WagerPlaced)}
        used = {f.wager_id: f for f in facts if isinstance(f, e.CouponRedeemed)}
        for fact in facts:
            if not isinstance(fact, e.WagerSettled):
                continue
            base = chips[fact.stream, fact.wager_id, fact.event_time].winnings_cents
            coupon = used.get(fact.wager_id)
            more = 0
            if coupon is not None and fact.outcome is e.SettledAs.WON:
                of = series[coupon.serial[:4]]
                value = of.denomination_cents
                wager = placed[fact.wager_id]
                assert of.wagers is None or wager.wager in of.wagers
                even = of.pays is e.CouponPays.EVEN_MONEY
                more = value if even else value * base // wager.stake_cents
                assert coupon.paid_cents == more > 0
                paid += 1
            assert fact.winnings_cents == base + more
    assert paid > 10


def test_chips_at_least_equal_lie_on_the_coupon_and_the_rest_beside(
    honest: tuple[e.Fact, ...],
) -> None:
    for facts in rounds(honest):
        placed = {f.wager_id: f for f in facts if isinstance(f, e.WagerPlaced)}
        taken = [f for f in facts if isinstance(f, e.CouponAccepted)]
        assert len(taken) <= 1
        for fact in taken:
            wager = placed[fact.wager_id or ""]
            assert wager.coupons[0].serial == fact.serial
            assert fact.chips_on_cents == fact.denomination_cents
            assert (fact.chips_on_cents or 0) + (fact.chips_beside_cents or 0) == wager.stake_cents
            assert fact.expiry_checked
            assert fact.role is e.Role.DEALER
        for refused in (f for f in facts if isinstance(f, e.CouponRefused)):
            assert placed[refused.wager_id or ""].stake_cents < 2500


def test_nobody_acts_for_both_departments_on_a_day(honest: tuple[e.Fact, ...]) -> None:
    function = {f.person: f.department for f in honest if isinstance(f, e.CouponFunctionGiven)}
    finance, marketing = e.CouponDepartment.FINANCE, e.CouponDepartment.MARKETING
    for fact in honest:
        match fact:
            case e.CouponsExamined():
                assert {function[one] for one in fact.examined_by} == {finance, marketing}
            case e.CouponsDistributed():
                assert function[fact.distributed_by or ""] is marketing
            case e.CouponsIssued():
                assert function[fact.issued_by or ""] is finance
                assert function[fact.received_by or ""] is marketing
            case e.CouponsCounted():
                assert {function[one] for one in fact.counted_by} == {finance}
            case _:
                pass


def test_nobody_who_is_excluded_is_mailed_to(honest: tuple[e.Fact, ...]) -> None:
    hits = {s for f in honest if isinstance(f, e.ExclusionScreened) for s in f.hit_serials}
    mailed = {s for f in honest if isinstance(f, e.CouponsMailed) for s in serials(f.ranges)}
    listed = [line for f in honest if isinstance(f, e.MailListSupplied) for line in f.lines]
    assert len(hits) == 2 * DAYS
    assert hits & mailed == set()
    assert hits | mailed == {line.serial for line in listed}
    commitments = [line.name_commitment for line in listed]
    assert len(set(commitments)) == len(commitments), "salted: equal names do not look equal"


def test_no_name_or_address_stands_in_a_fact(honest: tuple[e.Fact, ...]) -> None:
    written = repr(honest)
    for name, address in MAILED_PATRONS:
        assert name not in written
        assert address not in written
        assert name.split()[-1] not in written
        assert hashlib.sha256(name.encode()).hexdigest() not in written
        assert hashlib.sha256(name.encode()).digest() not in {
            line.name_commitment for f in honest if isinstance(f, e.MailListSupplied) for line in f.lines
        }  # fmt: skip


def test_streams_are_registered_whole_and_in_order(honest: tuple[e.Fact, ...]) -> None:
    registered = {
        f.registered_stream: f.registered_source
        for f in honest
        if isinstance(f, e.SourceRegistered)
    }
    assert {f.stream: f.source for f in honest} == registered
    last: dict[str, e.Fact] = {}
    ends: dict[str, dict[str, int]] = defaultdict(dict)
    for fact in honest:
        before = last.get(fact.stream)
        assert fact.seq == (1 if before is None else before.seq + 1)
        assert before is None or fact.event_time > before.event_time
        last[fact.stream] = fact
        day = CLOCK.day_of(fact.event_time).isoformat()
        ends[day][fact.stream] = fact.seq
        if isinstance(fact, e.GamingDayClosed):
            assert {end.stream: end.last_seq for end in fact.streams} == ends[fact.gaming_day]
    times: dict[str, list[int]] = defaultdict(list)
    for fact in honest:
        times[table_of(fact.stream)].append(fact.event_time)
    for moments in times.values():
        moments.sort()
        assert all(b - a >= 50_000 for a, b in itertools.pairwise(moments))


def test_an_inventory_a_month_and_a_report_a_quarter() -> None:
    drawn = simulate(7, first_day=date(2021, 6, 29), days=4, scale=0.03, coupons=True)
    facts = list(drawn.facts)
    months = [f.month for f in facts if isinstance(f, e.CouponsInventoried)]
    assert months == ["2021-06", "2021-07"]
    (report,) = (f for f in facts if isinstance(f, e.QuarterlyReportFiled))
    assert report.quarter == "2021-Q2"
    assert report.filed_on == "2021-07-01"
    value: Counter[int] = Counter()
    for fact in facts:
        if isinstance(fact, e.CouponRedeemed) and CLOCK.day_of(fact.event_time).month == 6:
            value[fact.denomination_cents or 0] += fact.denomination_cents or 0
    assert {line.denomination_cents: line.value_cents for line in report.lines} == value


def test_an_earlier_part_is_the_beginning_of_a_longer_simulation() -> None:
    one = list(simulate(3, days=1, scale=0.03, coupons=True).facts)
    two = list(simulate(3, days=2, scale=0.03, coupons=True).facts)
    assert two[: len(one)] == one


def test_the_same_seed_gives_the_same_facts_in_any_process() -> None:
    script = (
        "import hashlib\n"
        "from ledger.floor import COUPON_KINDS, Plant, simulate\n"
        "s = simulate(5, days=3, plants=[Plant(kind) for kind in COUPON_KINDS], scale=0.1)\n"
        "h = hashlib.sha256(repr(list(s.facts)).encode())\n"
        "h.update(repr(s.truth).encode())\n"
        "print(h.hexdigest())\n"
    )
    seen = set()
    for hash_seed in ("0", "4242"):
        run = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        seen.add(run.stdout)
    assert len(seen) == 1


# --- plants ---------------------------------------------------------------------------------------


def test_the_kinds_have_codes_that_are_known_and_names_of_their_own() -> None:
    assert len(COUPON_KINDS) >= 12
    assert {kind.code for kind in COUPON_KINDS.values()} - set(finding_codes()) == set()
    assert all(name.startswith("coupon_") for name in COUPON_KINDS)


@pytest.mark.full
@pytest.mark.parametrize("kind", sorted(COUPON_KINDS))
def test_truth_of_a_kind_alone_names_facts_that_are_there(kind: str) -> None:
    facts, truth = draw(kind)
    truth_names_facts_that_are_there(kind, facts, truth)


@pytest.mark.row_by_row
@pytest.mark.parametrize("kind", sorted(COUPON_KINDS))
def test_truth_names_facts_that_are_there(kind: str) -> None:
    """Of each kind on the days that have all kinds."""
    facts, truth = draw(*sorted(COUPON_KINDS), scale=0.1)
    own = tuple(row for row in truth if row["kind"] == kind)
    truth_names_facts_that_are_there(kind, facts, own)


def truth_names_facts_that_are_there(
    kind: str, facts: tuple[e.Fact, ...], truth: tuple[TruthRow, ...]
) -> None:
    at = {(fact.stream, fact.seq): fact for fact in facts}
    openings = {f"{f.stream}:{f.seq}" for f in facts if isinstance(f, e.BettingOpened)}
    assert truth
    assert truth[0]["code"] == COUPON_KINDS[kind].code
    assert truth[0]["cite"] == COUPON_KINDS[kind].cite
    for row in truth:
        assert row["kind"] == kind
        assert row["detectable"]
        assert row["seq"]
        named = [at[row["stream"], seq] for seq in row["seq"]]
        assert row["round"] is None or row["round"] in openings
        assert (
            row["gaming_day"] in {CLOCK.day_of(fact.event_time).isoformat() for fact in named}
            or kind == "coupon_late_count"
        )
        for serial in row["serials"][-1:]:  # the second of two, where there are two
            if kind not in ("coupon_delivery_short", "coupon_counterfeit"):
                assert any(serial in repr(fact) or _in(serial, fact) for fact in named), named
    assert (
        COUPON_KINDS[kind].at_table == bool(truth[0]["serials"]) or not COUPON_KINDS[kind].at_table
    )


def _in(serial: str, fact: e.Fact) -> bool:
    """Whether a fact names it: in a range, by its wager, or as coupons of a settled wager."""
    ranges = getattr(fact, "ranges", ())
    return (bool(ranges) and serial in serials(ranges)) or isinstance(fact, e.WagerSettled)


# What each kind of the departments takes from the honest days and puts in their place. What was
# wrong on the way goes on: what is delivered, mailed or voided otherwise is missed or left later.
ALTERED = {
    "coupon_examined_by_one": {"CouponsExamined", "CouponReceiptEntered"},
    "coupon_requisition_unsigned": {"RequisitionAuthorized"},
    "coupon_requisition_one_hand": {"RequisitionAuthorized"},
    "coupon_issue_over": {"CouponsRequisitioned"},
    "coupon_issue_unrecorded": {"CouponIssueEntered", "CouponsIssued"},
    "coupon_quantity_wrong": {"CouponIssueEntered"},
    "coupon_given_by_finance": {"CouponsDistributed"},
    "coupon_void_unexplained": {"CouponsVoided", "ReconciliationFormCompleted"},
    "coupon_form_unsigned": {"ReconciliationFormCompleted"},
    "coupon_form_wrong": {"ReconciliationFormCompleted"},
    "coupon_not_cancelled": {"CouponsCancelled"},
    "coupon_kept_unlocked": {"CouponsKept"},
}


@pytest.mark.parametrize(
    "kind",
    [
        kind if number % 4 == 0 else pytest.param(kind, marks=pytest.mark.full)
        for number, kind in enumerate(sorted(ALTERED))
    ],
)
def test_a_plant_of_the_departments_changes_only_what_it_says(kind: str) -> None:
    honest, planted = draw()[0], draw(kind)[0]
    gone, come = Counter(honest) - Counter(planted), Counter(planted) - Counter(honest)
    assert {type(fact).__name__ for fact in (*gone, *come)} <= ALTERED[kind] | {
        "CouponReturnEntered" if kind == "coupon_void_unexplained" else ""
    }
    assert sum(come.values()) <= 3


def test_a_plant_of_a_table_stands_where_it_is_asked_for() -> None:
    _, truth = draw("coupon_on_top:2@DC-01", "coupon_not_in_box@SB-02")
    assert Counter((row["kind"], row["stream"]) for row in truth) == {
        ("coupon_on_top", "DC-01"): 2,
        ("coupon_not_in_box", "SB-02"): 1,
    }


def test_all_kinds_together_stand_apart() -> None:
    _, truth = draw(*sorted(COUPON_KINDS), scale=0.1)
    assert {row["kind"] for row in truth} == set(COUPON_KINDS)
    named = [serial for row in truth for serial in row["serials"] if row["round"]]
    assert len(set(named)) == len(named)


@pytest.mark.parametrize(
    ("day", "cite", "with_one_wager"),
    [(date(2014, 1, 31), "525.22(d)", 2), (date(2014, 2, 1), "603a.21(d)", 1)],
)
def test_a_second_coupon_is_the_breach_of_its_edition(
    day: date, cite: str, with_one_wager: int
) -> None:
    plants = [Plant("coupon_second_in_round", table="SB-01")]
    simulation = simulate(1, first_day=day, plants=plants, scale=0.2)
    facts = list(simulation.facts)
    (row,) = simulation.truth
    assert row["cite"] == cite
    last = next(f for f in facts if f.stream == row["stream"] and f.seq == row["seq"][0])
    assert isinstance(last, e.WagerPlaced)
    assert len(last.coupons) == with_one_wager
    both = [
        f
        for f in facts
        if isinstance(f, e.WagerPlaced) and any(laid.serial in row["serials"] for laid in f.coupons)
    ]
    assert len({f.patron for f in both}) == 1


def test_coupon_plants_do_not_move_the_plants_of_the_games() -> None:
    with_coupons = draw("overpaid:3", "late_wager", "wrong_result_called:2")[1]
    plants = [Plant("overpaid", 3), Plant("late_wager"), Plant("wrong_result_called", 2)]
    alone = simulate(SEED, days=DAYS, plants=plants, scale=SCALE)
    assert sum(1 for _ in alone.facts)
    assert [(r["kind"], r["gaming_day"]) for r in alone.truth] == [
        (r["kind"], r["gaming_day"]) for r in with_coupons
    ]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("coupon_past_its_day", 2),
        ("coupon_late_count", 1),
        ("coupon_form_unsigned:3", 2),
        ("coupon_form_unsigned@SB-01", 3),
        ("coupon_not_in_box@SB-03", 3),
    ],
)
def test_what_finds_no_place_is_refused(text: str, days: int) -> None:
    with pytest.raises(UsageError):
        assert sum(1 for _ in simulate(1, days=days, plants=[Plant.parse(text)], scale=0.03).facts)
