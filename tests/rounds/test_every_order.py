"""Any two facts of two clocks next to each other, audited both ways round.

The oracle is the audit itself: once with exact clocks as recorded, once with exact clocks and the
two exchanged. What the two rule differently must be unknown where the clocks leave the order open.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from random import Random
from typing import Any, NamedTuple

import pytest

from ledger import events
from ledger.audit import audit_day, rounds_of
from ledger.floor import FIRST_DAY
from ledger.kernel import Finding, table_of
from ledger.replay import Replay
from ledger.rounds import InEveryOrder, Outcome, RoundStatus, WagerResult
from tests.conformance.translate import EXAMPLES, defaults_of, translate, vocabulary
from tests.engine import log_of, table_day

MILLI = 1_000
UNCERTAIN = 20 * MILLI
NEAR = 10 * MILLI

CLOCKS = {
    "roster": ("StaffAssigned", "StaffRelieved", "CameraAssigned", "CameraLost", "CameraRestored"),
    "pit": (
        *("LimitsSet", "LimitsSignPosted", "LimitsSignRemoved", "LimitsChangeAnnounced"),
        *("ItemInspected", "DeviceInspected", "PositionTaken", "PositionLeft", "PatronsCounted"),
        *("TableOpened", "TableClosed", "BettingOpened", "NoMoreBetsAnnounced"),
    ),
    "wagers": (
        *("WagerPlaced", "WagerIncreased", "WagerMoved", "WagerTakenDown", "WagerReturned"),
        *("WagerSettled", "CouponAccepted", "CouponRedeemed", "CouponDropped", "CouponGivenBack"),
    ),
}
"""Whose clock tells of what; all else by the sensors' own."""
CLOCK_OF = {kind: clock for clock, kinds in CLOCKS.items() for kind in kinds}


def own_clocks(facts: Sequence[events.Fact], table: str) -> list[events.Fact]:
    """A table's facts in a stream for each clock, in order of time; the office as it is."""
    out: list[events.Fact] = []
    for one in facts:
        if isinstance(one, events.GamingDayClosed | events.SourceRegistered):
            continue
        if table_of(one.stream) != table:
            out.append(one)
            continue
        stream = f"{table}/{CLOCK_OF.get(type(one).__name__, 'sensors')}"
        out.append(replace(one, stream=stream, source=f"X-{stream}"))
    return sorted(out, key=lambda one: one.event_time)


def registered(facts: Sequence[events.Fact], uncertain: int) -> list[events.Fact]:
    """Facts in order of time, after what is registered of how far each clock may be off."""
    first = min(one.event_time for one in facts) - 1
    sources = sorted({(one.stream, one.source) for one in facts})
    known = [
        events.SourceRegistered(
            stream="clocks", seq=number, event_time=first, source="X-clocks", recorded_by=None,
            registered_stream=stream, registered_source=source, since=1,
            clock_uncertainty_micros=uncertain, order_tolerance_micros=1,
        )
        for number, (stream, source) in enumerate(sources, 1)
    ]  # fmt: skip
    return [*known, *sorted(facts, key=lambda one: one.event_time)]


def numbered(facts: Sequence[events.Fact]) -> list[events.Fact]:
    """Facts numbered in their streams, in this order."""
    numbers: dict[str, int] = {}
    out = []
    for one in facts:
        numbers[one.stream] = numbers.get(one.stream, 0) + 1
        out.append(replace(one, seq=numbers[one.stream]))
    return out


def near(
    facts: Sequence[events.Fact], first: int, second: int, *, late: bool = False
) -> Orders | None:
    """Two facts of two clocks one right after the other, as recorded and exchanged.

    The second is moved to the first; ``late``: the first to the second. None where the facts of
    one clock would change their order by it.
    """
    one, other = facts[first], facts[second]
    moments = [(fact.source, fact.event_time) for fact in facts]
    if any(moments.count((fact.source, fact.event_time)) > 1 for fact in (one, other)):
        return None  # what one clock says of one moment is not taken apart
    if late:
        one = replace(one, event_time=other.event_time - NEAR)
    else:
        other = replace(other, event_time=one.event_time + NEAR)
    placed = {**dict(enumerate(facts)), first: one, second: other}
    order = sorted(placed, key=lambda n: (placed[n].event_time, n))
    recorded = dict(zip(order, numbered([placed[n] for n in order]), strict=True))
    turned = {
        **recorded,
        first: replace(recorded[first], event_time=other.event_time),
        second: replace(recorded[second], event_time=one.event_time),
    }
    seen: dict[str, int] = {}
    for fact in sorted(turned.values(), key=lambda fact: fact.event_time):
        if fact.seq != seen.get(fact.stream, 0) + 1:
            return None
        seen[fact.stream] = fact.seq
    return Orders(list(recorded.values()), list(turned.values()))


class Orders(NamedTuple):
    """The same facts in two orders."""

    recorded: list[events.Fact]
    turned: list[events.Fact]


class Told(NamedTuple):
    """What an audit told: findings by key, rounds and wagers as they were ruled."""

    broken: dict[Any, Finding]
    unknown: set[tuple[str, str | None]]
    rounds: dict[str, tuple[RoundStatus, str | None]]
    wagers: dict[tuple[str, str], tuple[Any, ...]]


def told(facts: Sequence[events.Fact], uncertain: int, day: date) -> Told:
    replay = Replay(log_of(registered(facts, uncertain)))
    findings = [
        one for one in audit_day(replay, day).findings if one.code not in CONTRACT + BY_LENGTH
    ]
    results = list(rounds_of(replay, day))
    return Told(
        {key(one): one for one in findings if one.certainty == "broken"},
        {(one.code, one.wager) for one in findings if one.certainty == "unknown"},
        {one.round: (one.status, one.shown) for one in results},
        {
            (one.round, wager.wager_id): (
                wager.expected.outcome, wager.expected.winnings_cents,
                wager.expected.stake_taken_cents, sides(wager),
            )
            for one in results for wager in one.wagers
        },
    )  # fmt: skip


def sides(wager: WagerResult) -> frozenset[Any]:
    """What a wager comes to: one amount, or two where a part of it is in doubt."""
    doubt = wager.in_doubt
    either = (doubt.if_returned, doubt.if_stands) if doubt is not None else (wager.expected,)
    return frozenset((s.outcome, s.winnings_cents, s.stake_taken_cents) for s in either)


def holds(ruled: tuple[Any, ...], elsewhere: tuple[Any, ...] | None) -> bool:
    """Whether what is told of a wager, or a round, holds where the order is known.

    A wager of which a part is in doubt is told with both amounts: either order's is one of them.
    """
    if elsewhere is None or len(ruled) == 2:
        return ruled == elsewhere
    in_part = len(ruled[-1]) > 1
    return elsewhere[-1] <= ruled[-1] if in_part else ruled == elsewhere


BY_LENGTH = ("limits_notice_too_short",)
"""Half an hour to the microsecond by one clock: moving a fact breaks it, whatever came first."""
CONTRACT = ("seq_against_time", "source_not_registered", "table_days_differ")


def key(one: Finding) -> Any:
    return one.code, one.citations[0].section, one.wager, one.facts


def duties(found: dict[Any, Finding]) -> set[Any]:
    return {(*of[:3], one.round, one.effect_cents) for of, one in found.items()}


def violations(orders: Orders, day: date = FIRST_DAY) -> list[str]:
    """What is told wrongly of facts whose order the clocks leave open."""
    here, there = told(orders.recorded, 0, day), told(orders.turned, 0, day)
    found = told(orders.recorded, UNCERTAIN, day)
    wrong = []
    differ = duties(here.broken) ^ duties(there.broken)
    for of, finding in found.broken.items():
        duty = (*of[:3], finding.round, finding.effect_cents)
        both = (of in here.broken or duty in duties(here.broken)) and (
            of in there.broken or duty in duties(there.broken)
        )
        if not both:
            wrong.append(f"broken in one order only: {finding.code} {finding.facts}")
    for duty in differ:
        if (duty[0], duty[2]) not in found.unknown:
            keys = [of for of in {**here.broken, **there.broken} if of[:3] == duty[:3]]
            if not all(of in here.broken and of in there.broken for of in keys):
                wrong.append(f"not told: {duty}")
    for code in here.unknown ^ there.unknown:
        if code not in found.unknown and code[0] not in {of[0] for of in found.broken}:
            wrong.append(f"unknown in one order and not told: {code}")
    for by in (here, there):
        elsewhere: dict[Any, Any] = {**by.rounds, **by.wagers}
        wrong += [
            f"{name}: {ruled}, elsewhere {elsewhere.get(name)}"
            for name, ruled in {**found.rounds, **found.wagers}.items()
            if ruled[0] not in (RoundStatus.UNKNOWN, Outcome.UNKNOWN)
            and not holds(ruled, elsewhere.get(name))
        ]
    return wrong


# --- what it is asked of --------------------------------------------------------------------------

BOUND = ("BettingOpened", "WagerPlaced")
"""A wager that still lies when a round has surely opened is of that round, whatever the clocks say."""


def pairs_of(facts: Sequence[events.Fact], table: str, reach: int) -> list[tuple[int, int]]:
    """The pairs of facts of two clocks at a table that are not further apart than so many facts."""
    own = [n for n, one in enumerate(facts) if table_of(one.stream) == table]
    return [
        (first, second)
        for place, first in enumerate(own)
        for second in own[place + 1 : place + 1 + reach]
        if facts[first].source != facts[second].source
        and (type(facts[first]).__name__, type(facts[second]).__name__) != BOUND
    ]


def drawn(facts: Sequence[events.Fact], table: str, many: int, dice: Random) -> Iterator[Orders]:
    """So many of a table's pairs, put next to each other."""
    pairs = pairs_of(facts, table, 8)
    for first, second in dice.sample(pairs, min(many, len(pairs))):
        found = near(facts, first, second, late=dice.random() < 0.5)
        if found is not None:
            yield found


def examples(name: str, cases: int, many: int) -> Iterator[tuple[str, Orders, date]]:
    """Pairs of the worked examples of a file, each example a short table."""
    dice = Random(name)
    document = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    speaks = vocabulary(document)
    for case in dice.sample(document["cases"], min(cases, len(document["cases"]))):
        seen = translate(case, speaks, defaults_of(document, speaks))
        facts = own_clocks(seen.ready.facts, seen.table)
        for orders in drawn(facts, seen.table, many, dice):
            yield case["id"], orders, seen.days[0]


def few_rounds(table: str) -> list[events.Fact]:
    """The office and the first rounds of a table of the floor, in a stream for each clock."""
    kept, rounds = [], 0
    for one in own_clocks(table_day(table), table):
        rounds += isinstance(one, events.BettingOpened)
        if rounds <= 3 or table_of(one.stream) != table or isinstance(one, events.TableClosed):
            kept.append(one)
    return kept


ROOMS = (
    *("sic_bo", "dreamcatcher", "three_dice_football", "props_and_hops"),
    *("asia_poker", "match_play"),
)
OWN = (
    *("own_sic_bo", "own_dreamcatcher", "own_three_dice_football", "own_props_and_hops"),
    *("own_asia_poker", "own_match_play", "own_limits", "own_coverage"),
)
TABLES = ("SB-01", "DC-01", "FB-01", "PH-01", "AP-01")


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("name", ROOMS)
def test_the_worked_examples(name: str) -> None:
    for case, orders, day in examples(name, cases=6, many=3):
        assert violations(orders, day) == [], case


@pytest.mark.full
@pytest.mark.parametrize("name", [*ROOMS, *OWN])
def test_all_worked_examples(name: str) -> None:
    for case, orders, day in examples(name, cases=60, many=6):
        assert violations(orders, day) == [], case


@pytest.mark.full
@pytest.mark.parametrize("table", TABLES)
def test_rounds_of_the_floor(table: str) -> None:
    for orders in drawn(few_rounds(table), table, 120, Random(table)):
        assert violations(orders) == []


def test_the_oracle_objects_to_a_play_of_one_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(InEveryOrder, "_part", lambda *_: None)
    assert any(violations(orders, day) for _, orders, day in examples("sic_bo", cases=6, many=3))


DECIDES = {
    "SB-01": "ShakerUncovered", "DC-01": "WheelSpun", "FB-01": "DiceThrownByHand",
    "PH-01": "DiceThrown", "AP-01": "CardsDealt",
}  # fmt: skip
"""What shows something of the outcome for the first time, at each table."""


def with_raises(table: str) -> Iterator[Orders]:
    """A wager of each round is raised, next to what shows something of its outcome."""
    facts = few_rounds(table)
    for number, fact in enumerate(facts):
        if not isinstance(fact, events.WagerPlaced):
            continue
        kinds = [type(one).__name__ for one in facts[number:]]
        if DECIDES[table] not in kinds:
            continue  # the round was called off before
        shows = number + kinds.index(DECIDES[table])
        for at in (facts[shows].event_time - NEAR, facts[shows].event_time + NEAR):
            raised = events.WagerIncreased(
                stream=fact.stream, seq=1, event_time=at, source=fact.source, recorded_by=None,
                wager_id=fact.wager_id, added_cents=500, instrument=fact.instrument,
            )  # fmt: skip
            beside = sorted([*facts, raised], key=lambda one: one.event_time)
            place = beside.index(raised)
            other = place + 1 if at < facts[shows].event_time else place - 1
            orders = near(beside, min(place, other), max(place, other))
            if orders is not None:
                yield orders


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("table", TABLES)
def test_a_raise_next_to_what_shows_the_outcome_leaves_only_itself_open(table: str) -> None:
    raises = list(with_raises(table))
    kept = 0
    for orders in Random(table).sample(raises, min(len(raises), 6)):
        assert violations(orders) == []
        ruled = told(orders.recorded, UNCERTAIN, FIRST_DAY).wagers.values()
        kept += sum(one[0] is not Outcome.UNKNOWN and len(one[-1]) > 1 for one in ruled)
    assert kept
