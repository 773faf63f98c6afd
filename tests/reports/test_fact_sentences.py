"""Everything that a fact records stands in its line: no field can change without the line changing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from ledger.codec import from_plain
from ledger.events import Role, SettledAs, ShakerKind
from ledger.kernel import PropertyClock
from ledger.reports.fact_sentences import tell

SAMPLES = Path(__file__).parents[2] / "schemas" / "samples"
CLOCK = PropertyClock(time_zone="America/New_York", starts_minutes=6 * 60)
HEAD = {"stream", "seq", "event_time", "source", "recorded_by"}
SECOND = 1_000_000


def changed(name: str, value: Any) -> Iterator[Any]:
    """Other values of a field, as near to it as people can tell apart."""
    match value:
        case None:
            return
        case bool():
            yield not value
        case int():
            yield value + (SECOND if name.endswith("_time") or name == "since" else 1)
        case Enum():
            symbols = list(type(value))
            yield symbols[(symbols.index(value) + 1) % len(symbols)]
        case str():
            yield f"{value}x"
        case bytes():
            yield value[:-1] + bytes([value[-1] ^ 1])
        case ():
            return
        case tuple():
            yield value[:-1]
            for other in changed(name, value[-1]):
                yield (*value[:-1], other)
        case _ if is_dataclass(value):
            for field in fields(value):
                for other in changed(field.name, getattr(value, field.name)):
                    yield replace(value, **{field.name: other})  # type: ignore[type-var]


def samples() -> Iterator[Any]:
    for path in sorted(SAMPLES.glob("*.pass.json")):
        yield pytest.param(path, id=path.name.removesuffix(".pass.json"))


@pytest.mark.row_by_row
@pytest.mark.parametrize("path", list(samples()))
def test_no_field_can_change_without_the_line_changing(path: Path) -> None:
    fact = from_plain(json.loads(path.read_text()))
    line = tell(fact, CLOCK)
    assert "…" not in line
    assert line.isprintable()
    for field in fields(fact):
        if field.name in HEAD:
            continue
        for value in changed(field.name, getattr(fact, field.name)):
            assert tell(replace(fact, **{field.name: value}), CLOCK) != line, (field.name, value)


MACHINE = re.compile(r"\b(True|False|None|cents|[A-Z]+_[A-Z_]+)\b")
"""Words of a program: no line that people read has one."""


@pytest.mark.row_by_row
@pytest.mark.parametrize("path", list(samples()))
def test_no_word_of_a_program_reaches_a_person(path: Path) -> None:
    fact = from_plain(json.loads(path.read_text()))
    assert MACHINE.search(tell(fact, CLOCK)) is None, tell(fact, CLOCK)


def told(name: str, **fields_: Any) -> str:
    """The line of a sample of an event, with some of its fields changed."""
    path = next(SAMPLES.glob(f"{name}.*.pass.json"))
    fact = from_plain(json.loads(path.read_text()))
    return tell(replace(fact, **fields_), CLOCK)


def test_a_fact_of_play_reads_like_a_log_entry() -> None:
    dealer = Role.DEALER
    assert told("NoMoreBetsAnnounced", announced_by="D-1", role=dealer) == (
        "'no more bets' by dealer D-1"
    )
    shaken = {"shaker": "SH-1", "kind": ShakerKind.MANUAL, "shaken_by": "D-1", "role": dealer}
    assert told("DiceShaken", shakes=1, **shaken) == "manual shaker SH-1 shaken once by dealer D-1"
    lid = {"shaker": None, "patron": "p-3", "position": "3"}
    assert told("PlayerShook", shakes=3, covered=True, **lid) == (
        "dice shaken 3 times by p-3, position 3, lid on"
    )
    lost = {"wager_id": "W3", "winnings_cents": 0, "outcome": SettledAs.LOST}
    assert told("WagerSettled", stake_taken_cents=2_500, **lost) == (
        "W3: settled as lost, collected $25.00"
    )
    assert told("WagerSettled", stake_taken_cents=0, **lost) == (
        "W3: settled as lost, collected $0.00"
    ), "what was not collected is said"


def test_what_stands_at_a_table_reads_like_a_log_entry() -> None:
    assert told("LimitsSet", wager=None, minimum_cents=500, maximum_cents=None,
                increment_cents=None, patrons_playing=False) == (
        "limits set for all wagers: from $5, while nobody played")  # fmt: skip
    assert told("LimitsSet", wager="Small Bet", minimum_cents=None, maximum_cents=None,
                increment_cents=500, patrons_playing=None) == (
        "limits set on Small Bet: no amounts stated, in steps of $5")  # fmt: skip
    assert told("LimitsSignPosted", sign="LS-1", wager=None, minimum_cents=None,
                maximum_cents=50_000, states_change=True, effective_time=None) == (
        "sign LS-1 posted for all wagers: up to $500, announces a change")  # fmt: skip
    assert told("ShakerPlaced", shaker="SH-1", kind=ShakerKind.AUTOMATED) == (
        "automated shaker SH-1 placed")  # fmt: skip
    assert told("WheelPlaced", wheel="WH-1", sections=("2x", "1"), read_clockwise=False,
                diameter_thousandths=None, clapper=True, equally_spaced=None, odds_shown=()) == (
        "wheel WH-1 placed, 2 sections, with a clapper; odds shown: none;"
        " sections, read counterclockwise: 2x 1")  # fmt: skip
    assert told("DeckPlaced", deck="D-1", cards=53, jokers=1, jokers_made=None, cover_cards=2,
                back="red", design=None, preinspected_and_preshuffled=True, placed_by="F-1") == (
        "deck D-1 placed by F-1: 53 cards, 1 joker, 2 cover cards, red back,"
        " inspected and shuffled beforehand")  # fmt: skip
