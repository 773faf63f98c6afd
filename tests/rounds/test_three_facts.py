"""Three facts of three clocks next to each other: what is told holds in every order of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import combinations, permutations
from random import Random

import pytest

from ledger.events import Fact
from ledger.kernel import table_of
from ledger.rounds import Outcome
from tests.conformance.translate import EXAMPLES, defaults_of, translate, vocabulary
from tests.rounds.test_every_order import (
    BOUND,
    MILLI,
    ROOMS,
    UNCERTAIN,
    Told,
    duties,
    numbered,
    own_clocks,
    told,
)

APART = 5 * MILLI


def orders(facts: Sequence[Fact], three: Sequence[int]) -> Iterator[list[Fact]]:
    """The facts with three of them next to each other: as recorded, then in every other order."""
    middle = facts[three[1]].event_time
    placed = dict(enumerate(facts))
    for place, number in enumerate(three, -1):
        placed[number] = replace(facts[number], event_time=middle + place * APART)
    order = sorted(placed, key=lambda number: (placed[number].event_time, number))
    recorded = dict(zip(order, numbered([placed[number] for number in order]), strict=True))
    for places in permutations((-1, 0, 1)):
        moved = {
            number: replace(recorded[number], event_time=middle + place * APART)
            for number, place in zip(three, places, strict=True)
        }
        found = sorted((recorded | moved).values(), key=lambda one: one.event_time)
        if found == numbered(found):  # no clock's own order is changed
            yield found


def examples(name: str, cases: int, dice: Random) -> Iterator[tuple[str, list[list[Fact]], date]]:
    document = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    speaks = vocabulary(document)
    for case in dice.sample(document["cases"], min(cases, len(document["cases"]))):
        seen = translate(case, speaks, defaults_of(document, speaks))
        facts = own_clocks(seen.ready.facts, seen.table)
        own = [n for n, one in enumerate(facts) if table_of(one.stream) == seen.table]
        kinds = [type(one).__name__ for one in facts]
        threes = [
            three
            for place in range(len(own))
            for three in combinations(own[place : place + 7], 3)
            if len({facts[n].source for n in three}) == 3
            and not {BOUND, BOUND[::-1]} & {(kinds[a], kinds[b]) for a, b in combinations(three, 2)}
        ]
        if threes:
            yield case["id"], list(orders(facts, dice.choice(threes))), seen.days[0]


def contradicts(found: Told, held: Told) -> list[str]:
    """What is told as certain and does not hold in one of the orders."""
    wrong = [
        f"broken: {finding.code} {finding.facts}"
        for of, finding in found.broken.items()
        if of not in held.broken
        and (*of[:3], finding.round, finding.effect_cents) not in duties(held.broken)
    ]
    wrong += [
        f"wager {name}: {ruled}, elsewhere {held.wagers.get(name)}"
        for name, ruled in found.wagers.items()
        if ruled[0] is not Outcome.UNKNOWN and held.wagers.get(name) != ruled
    ]
    return wrong


def hold(name: str, cases: int) -> int:
    """Hold what is told of so many examples against every order; how many orders there were."""
    asked = 0
    for case, every, day in examples(name, cases, Random(f"three {name}")):
        found = told(every[0], UNCERTAIN, day)
        for order in every:
            asked += 1
            assert contradicts(found, told(order, 0, day)) == [], case
    return asked


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("name", ROOMS[:5])
def test_what_is_told_holds_in_every_order_of_three(name: str) -> None:
    assert hold(name, 3) >= 3


@pytest.mark.full
@pytest.mark.parametrize("name", ROOMS[:5])
def test_the_same_of_all_examples(name: str) -> None:
    assert hold(name, 1_000) > 20
