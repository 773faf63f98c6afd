"""Every room at each capture level: no unknown for what is not claimed, a breach of what is claimed found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.events import Capture, Fact, RollCalled, SpinCalled, TableOpened
from tests.engine import floor_day, judged, said

UNSEEN = ("WagerPlaced", "WagerIncreased", "WagerMoved", "WagerRefused", "WagerTakenDown", "TakeDownRefused", "WagerReturned", "WagerSettled")  # fmt: skip
PLAYED = ("BettingOpened", "NoMoreBetsAnnounced", "DiceShaken", "DiceThrown", "RollCalled", "ValuesEntered", "AreasLit", "LightsCleared", "ShakerCovered", "ShakerUncovered", "WheelSpun", "SpinCalled", "SpinVoided", "NoRollCalled", "DeviceFailed", "DeviceFixed", "SupervisorPresent", "LightsCleared")  # fmt: skip
TABLES = ("SB-01", "SB-02", "DC-01", "DC-02")


def at_level(facts: tuple[Fact, ...], level: Capture) -> list[Fact]:
    """The same day as a table of that level would have sent it, numbered afresh."""
    drop = UNSEEN if level is Capture.OUTCOME else (*UNSEEN, *PLAYED)
    last: dict[str, int] = {}
    out: list[Fact] = []
    for fact in facts:
        if type(fact).__name__ in drop or type(fact).__name__ == "GamingDayClosed":
            continue
        last[fact.stream] = last.get(fact.stream, 0) + 1
        fact = replace(fact, seq=last[fact.stream])
        out.append(replace(fact, capture=level) if isinstance(fact, TableOpened) else fact)
    return out


@pytest.fixture(scope="module")
def day() -> tuple[Fact, ...]:
    return tuple(floor_day(seed=2, scale=0.1)[0])


@pytest.mark.parametrize("level", [Capture.OUTCOME, Capture.COUNTS])
def test_an_honest_day_has_no_unknown_for_what_is_not_claimed(
    day: tuple[Fact, ...], level: Capture
) -> None:
    audit = judged(at_level(day, level))
    assert said(audit.findings) == ["day_not_closed L.4 ?"]
    assert {line.level for line in audit.capture} == {level.value.lower()}
    assert all(line.not_covered for line in audit.capture)
    assert audit.unknown_rounds == 0
    for account in audit.accounts:
        assert account.by_count_cents is not None
        assert account.by_rounds_cents is None


def test_at_level_outcome_a_wrong_call_is_found_in_both_rooms(day: tuple[Fact, ...]) -> None:
    facts = at_level(day, Capture.OUTCOME)
    for kind, wrong in ((RollCalled, {"faces": (6, 6, 6)}), (SpinCalled, {"result": "40"})):
        place = next(
            n
            for n, fact in enumerate(facts)
            if isinstance(fact, kind)
            and any(getattr(fact, name) != value for name, value in wrong.items())
        )
        changed = [*facts]
        changed[place] = replace(facts[place], **wrong)
        codes = {f.code for f in judged(changed).findings}
        assert "wrong_call" in codes, kind


def test_at_level_counts_a_lost_closer_is_unknown(day: tuple[Fact, ...]) -> None:
    facts = at_level(day, Capture.COUNTS)
    place = max(n for n, f in enumerate(facts) if type(f).__name__ == "CloserCounted")
    gone = facts.pop(place)
    last = [f for f in facts if f.stream == gone.stream and f.seq > gone.seq]
    for fact in last:
        facts[facts.index(fact)] = replace(fact, seq=fact.seq - 1)
    told = said(judged(facts).findings)
    assert told == ["day_not_closed L.4 ?", "table_count_missing L.8 ?"]


def test_not_covered_is_one_line_for_each_table(day: tuple[Fact, ...]) -> None:
    audit = judged(at_level(day, Capture.COUNTS))
    assert len(audit.capture) == len({line.table for line in audit.capture}) == 5
    assert all("outcomes" in line.not_covered for line in audit.capture)
