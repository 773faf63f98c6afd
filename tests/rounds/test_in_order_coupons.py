"""Rounds with coupons told in order: the readable book and desk follow each coupon by its serial."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from ledger import events
from ledger.kernel import machine_code, table_of
from ledger.rounds.in_order import coupon_wagers, kept_tables, runs, stretch
from ledger.rounds.in_order.coupon_wagers import CouponWagers
from tests.engine import floor_day, of_tables
from tests.rounds.test_in_order import changed, is_same, judged, renumbered

DICE, WHEEL = "SB-01", "DC-01"
Facts = list[events.Fact]


@pytest.fixture(autouse=True)
def readable(monkeypatch: pytest.MonkeyPatch) -> None:
    """No machine code, whatever ran before."""
    monkeypatch.setattr(machine_code, "is_available", lambda: False)


@cache
def coupon_day(table: str, seed: int = 1) -> tuple[events.Fact, ...]:
    """The offices and one table on a short day with coupons."""
    return of_tables(floor_day(seed=seed, scale=0.03, coupons=True)[0], table)


def has_coupon(fact: events.Fact) -> bool:
    """Whether a fact lays a coupon, or says what became of one at a table."""
    return type(fact).__module__.endswith("redemptions") or bool(getattr(fact, "coupons", ()))


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(("table", "seed"), [(DICE, 1), (WHEEL, 2)])
def test_an_honest_day_with_coupons_is_the_same_and_told_from_tables(
    table: str, seed: int, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fast:
        monkeypatch.undo()
        monkeypatch.setattr(machine_code, "WORTH", 0)
    counts: list[int] = []
    in_order = runs.rounds_in_order

    def counted(*arguments: Any) -> Any:
        stretch = in_order(*arguments)
        counts.append(0 if stretch is None else len(stretch))
        return stretch

    monkeypatch.setattr("ledger.audit.rounds_in_bulk.rounds_in_order", counted)
    facts = coupon_day(table, seed)
    assert sum(map(has_coupon, facts)) > 10
    day, rounds = judged(facts, in_bulk=True, table=table)
    assert (day, rounds) == judged(facts, in_bulk=False, table=table)
    assert sum(counts) >= day.rounds - 5  # the first, the last two, and two on the way


# --- altered days ---------------------------------------------------------------------------------


def altered(seed: int) -> tuple[Facts, str]:
    """A day with one fact of a round with coupons changed, dropped, doubled or moved in time."""
    random = Random(seed)
    table = random.choice((DICE, WHEEL))
    facts = list(coupon_day(table, 1 + seed % 3))
    of_coupons = [
        place for place, fact in enumerate(facts) if table_of(fact.stream) == table and has_coupon(fact)
    ]  # fmt: skip
    place = random.choice(of_coupons)
    wager_id = getattr(facts[place], "wager_id", None)
    beside = [
        number
        for number, fact in enumerate(facts)
        if table_of(fact.stream) == table and getattr(fact, "wager_id", None) == wager_id
    ]
    place = random.choice(beside)
    fact = facts[place]
    match random.randrange(8):
        case 0:
            return renumbered(facts[:place] + facts[place + 1 :]), table
        case 1:
            return renumbered([*facts[: place + 1], fact, *facts[place + 1 :]]), table
        case 2:
            moved = random.choice((-1, 1)) * random.choice((1, 400_000, 20_000_000, 90_000_000))
            facts[place] = replace(fact, event_time=fact.event_time + moved)
        case _:
            facts[place] = changed(fact, random, facts)
    return facts, table


def test_altered_days_with_coupons_are_the_same() -> None:
    assert [seed for seed in range(12) if not is_same(*altered(seed))] == []


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("part", range(10))
def test_many_altered_days_with_coupons_are_the_same(
    part: int, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fast:
        monkeypatch.undo()
        monkeypatch.setattr(machine_code, "WORTH", 0)
    seeds = range(100 + part * 20, 120 + part * 20)
    assert [seed for seed in seeds if not is_same(*altered(seed))] == []


# --- each condition is needed ---------------------------------------------------------------------


@cache
def rounds_with_coupons(table: str = WHEEL, seed: int = 2) -> tuple[tuple[int, ...], ...]:
    """The places of the facts of each round with a coupon that was redeemed, without the first."""
    facts = coupon_day(table, seed)
    mine = [place for place, fact in enumerate(facts) if table_of(fact.stream) == table]
    opens = [place for place in mine if isinstance(facts[place], events.BettingOpened)]
    rounds = [
        tuple(place for place in mine if first <= place < ends)
        for first, ends in pairwise(opens[2:-1])
    ]
    return tuple(
        places
        for places in rounds
        if any(isinstance(facts[place], events.CouponRedeemed) for place in places)
    )


def _place(facts: Sequence[events.Fact], kind: type[events.Fact], number: int = 1) -> int:
    """Where the first fact of a kind stands in a round with a coupon."""
    return next(
        place for place in rounds_with_coupons()[number] if type(facts[place]) is kind
    )  # fmt: skip


def _changed(kind: type[events.Fact], **change: Any) -> Facts:
    facts = list(coupon_day(WHEEL, 2))
    place = _place(facts, kind)
    facts[place] = replace(facts[place], **change)
    return facts


def _used_again() -> Facts:
    """A coupon that was redeemed in an earlier round is laid and redeemed once more."""
    facts = list(coupon_day(WHEEL, 2))
    earlier: Any = facts[_place(facts, events.CouponAccepted, 0)]
    for place in rounds_with_coupons()[1]:
        fact: Any = facts[place]
        if isinstance(fact, events.CouponAccepted | events.CouponRedeemed):
            facts[place] = replace(fact, serial=earlier.serial)
        elif getattr(fact, "coupons", ()):
            laid = replace(fact.coupons[0], serial=earlier.serial)
            facts[place] = replace(fact, coupons=(laid,))
    return facts


def _dropped_in_the_next_round() -> Facts:
    """A coupon comes into the box in the next round, by its serial number alone."""
    facts = list(coupon_day(WHEEL, 2))
    place = _place(facts, events.CouponRedeemed)
    redeemed: Any = facts[place]
    facts[place] = replace(redeemed, box=None, box_table=None)
    return _dropped_later(facts, redeemed, None)


def _dropped_later(facts: Facts, redeemed: Any, wager_id: str | None) -> Facts:
    after = next(
        place
        for place in range(facts.index(redeemed) if redeemed in facts else 0, len(facts))
        if isinstance(facts[place], events.BettingOpened)
        and facts[place].stream == redeemed.stream
        and facts[place].event_time > redeemed.event_time
    )
    dropped = events.CouponDropped(
        stream=redeemed.stream,
        seq=1,
        event_time=facts[after].event_time + 1,
        source=redeemed.source,
        recorded_by=redeemed.recorded_by,
        serial=redeemed.serial,
        wager_id=wager_id,
        box_table=redeemed.box_table,
        box=redeemed.box,
        dropped_by=redeemed.redeemed_by,
        role=redeemed.role,
    )
    return renumbered([*facts[: after + 1], dropped, *facts[after + 1 :]])


def _dropped_twice() -> Facts:
    """A coupon that was redeemed comes into the box once more in the next round."""
    facts = list(coupon_day(WHEEL, 2))
    return _dropped_later(facts, facts[_place(facts, events.CouponRedeemed)], None)


def _gone_and_settled() -> Facts:
    """A wager with a coupon is taken down and settled too; the lights go out before another is."""
    facts = list(coupon_day(DICE, 1))
    of_round = next(
        places
        for places in rounds_with_coupons(DICE, 1)
        if sum(isinstance(facts[place], events.WagerSettled) for place in places) > 2
    )
    mine: list[Any] = [facts[place] for place in of_round]
    accepted = next(fact for fact in mine if isinstance(fact, events.CouponAccepted))
    cleared = next(fact for fact in mine if isinstance(fact, events.LightsCleared))
    last = [
        fact
        for fact in mine
        if isinstance(fact, events.WagerSettled) and fact.wager_id != accepted.wager_id
    ][-1]
    header = {name: getattr(accepted, name) for name in ("stream", "seq", "source", "recorded_by")}
    down = events.WagerTakenDown(
        **header,
        event_time=accepted.event_time + 1,
        wager_id=accepted.wager_id,
        taken_cents=None,
    )
    out: Facts = []
    for fact in facts:
        own: Any = fact
        if isinstance(fact, events.CouponRedeemed) and fact.wager_id == accepted.wager_id:
            continue
        if isinstance(fact, events.WagerSettled) and fact.wager_id == accepted.wager_id:
            back = {"winnings_cents": 0, "stake_taken_cents": 0}
            own = replace(fact, outcome=events.SettledAs.RETURNED, **back)
        if fact is not last:
            out.append(own)
        if fact is accepted:
            out.append(down)
        if fact is cleared:
            out.append(replace(last, event_time=cleared.event_time + 1_000_000))
    return renumbered(out)


WRONG: dict[str, Callable[[], Facts]] = {
    "used again": _used_again,
    "into the box of another table": lambda: _changed(events.CouponRedeemed, box_table="DC-02"),
    "redeemed by somebody else": lambda: _changed(events.CouponRedeemed, role=events.Role.FLOORPERSON),
    "its value not visible": lambda: _changed(events.CouponAccepted, value_visible=False),
    "in no box": lambda: _changed(events.CouponRedeemed, box=None, box_table=None),
    "dropped in the next round": _dropped_in_the_next_round,
    "dropped twice": _dropped_twice,
    "of no wager": lambda: _changed(events.CouponAccepted, wager_id=None),
    "of another wager": lambda: _changed(events.CouponRedeemed, wager_id="nobody's"),
    "paid otherwise": lambda: _changed(events.WagerSettled, winnings_cents=12_345, outcome=events.SettledAs.WON, stake_taken_cents=0),
}  # fmt: skip


@pytest.mark.row_by_row
@pytest.mark.parametrize("name", sorted(WRONG))
def test_what_is_wrong_with_a_coupon_is_judged_by_the_readable_engine(name: str) -> None:
    facts = WRONG[name]()
    assert facts != list(coupon_day(WHEEL, 2))
    assert is_same(facts, WHEEL)


def _ignoring_breaches(method: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Let one method of the wagers with coupons find nothing wrong."""
    original = getattr(CouponWagers, method)

    def found_nothing(*arguments: Any) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(coupon_wagers, "is_kept", lambda _: True)
            return original(*arguments)

    return lambda patch: patch.setattr(CouponWagers, method, found_nothing)


NEEDED: dict[str, tuple[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "each act keeps every duty": ("into the box of another table", _ignoring_breaches("take")),
    "the coupon may be used": ("used again", _ignoring_breaches("_is_accepted")),
    "it was accepted in order": ("its value not visible", _ignoring_breaches("_is_accepted")),
    "it went into the box": ("in no box", _ignoring_breaches("ends")),
    "a coupon is named with its wager": ("dropped twice", lambda patch: patch.setattr(f"{runs.__name__}.names_a_coupon", lambda *_: False)),
}  # fmt: skip
"""What is switched off, and the day on which only that is wrong."""


def test_a_wager_with_a_coupon_that_went_is_not_counted_as_settled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    facts = _gone_and_settled()
    plain = judged(facts, in_bulk=False, table=DICE)
    assert {"lights_cleared_early"} <= {finding.code for finding in plain[0].findings}
    assert judged(facts, in_bulk=True, table=DICE) == plain
    monkeypatch.setattr(stretch, "lies_there", lambda _: True)
    assert judged(facts, in_bulk=True, table=DICE) != plain


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("name", sorted(NEEDED))
def test_each_condition_of_coupons_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, switch_off = NEEDED[name]
    facts = WRONG[wrong]()
    plain = judged(facts, in_bulk=False, table=WHEEL)
    monkeypatch.setattr(kept_tables, "_KEPT", [])
    switch_off(monkeypatch)
    assert judged(facts, in_bulk=True, table=WHEEL) != plain


def test_a_coupon_of_a_round_that_is_not_handed_out_yet_is_not_taken_for_one_of_this(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A coupon that stayed outside the box is refused two rounds later: it lies nowhere then."""
    facts = _refused_later()
    plain = judged(facts, in_bulk=False, table=WHEEL)
    assert "coupon_not_dropped" in {finding.code for finding in plain[0].findings}
    assert judged(facts, in_bulk=True, table=WHEEL) == plain
    monkeypatch.setattr(CouponWagers, "_is_expected", lambda *_: True)
    assert judged(facts, in_bulk=True, table=WHEEL) != plain


def _refused_later() -> Facts:
    """The day with a coupon that is not redeemed, and refused beside too few chips afterwards."""
    facts = list(coupon_day(WHEEL, 2))
    opens = [
        place
        for place, fact in enumerate(facts)
        if isinstance(fact, events.BettingOpened) and fact.stream == WHEEL
    ]
    for places in rounds_with_coupons():
        after = opens[opens.index(places[0]) + 2]
        ends = opens[opens.index(places[0]) + 3]
        redeemed: Any = next(
            facts[place] for place in places if isinstance(facts[place], events.CouponRedeemed)
        )
        for place in range(after, ends):
            placed = facts[place]
            if (
                isinstance(placed, events.WagerPlaced)
                and placed.stake_cents < redeemed.denomination_cents
                and not any(map(has_coupon, facts[after:ends]))
            ):
                refused = events.CouponRefused(
                    stream=placed.stream,
                    seq=1,
                    event_time=placed.event_time + 1,
                    source=placed.source,
                    recorded_by=placed.recorded_by,
                    serial=redeemed.serial,
                    wager_id=placed.wager_id,
                    fault=events.CouponFault.CHIPS_BELOW_VALUE,
                    remark=None,
                    refused_by=redeemed.redeemed_by,
                )
                later = [*facts[: place + 1], refused, *facts[place + 1 :]]
                later.remove(redeemed)
                return renumbered(later)
    raise AssertionError("no such round on this day")
