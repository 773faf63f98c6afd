"""Every room at each capture level: no unknown for what is not claimed, a breach of what is claimed found."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from ledger import events
from ledger.floor import KINDS
from ledger.kernel import table_of
from tests.engine import floor_day, judged, said

UNSEEN = ("WagerPlaced", "WagerIncreased", "WagerMoved", "WagerRefused", "WagerTakenDown", "TakeDownRefused", "WagerReturned", "WagerSettled")  # fmt: skip
HANGS_ON_WAGERS = {
    "bonus_settled_first", "device_fault_unsupervised", "empty_stack_exposed", "hop_groups_not_filed",
    "late_take_down", "late_wager", "left_seat_during_round", "paid_before_collecting",
    "position_not_on_table", "settled_on_no_roll", "settled_on_void_spin", "settlement_out_of_order",
    "shaker_covered_early", "stake_taken_wrong", "surrender_with_bonus", "take_down_refused",
    "void_round_settled", "wager_not_in_chips", "wager_over_limit", "wager_overpaid", "wager_under_limit",
    "wager_underpaid", "wager_unsettled", "win_differs", "wrong_outcome",
}  # fmt: skip
"""What a table without wagers cannot show: it is not covered there."""
OF_THE_RECORD = {"lost_event", "conflicting_event"}
CARDS = ("AP-01", "AP-02")


def at_level(facts: tuple[events.Fact, ...], level: events.Capture) -> list[events.Fact]:
    """The same day as a table of that level would have sent it, numbered afresh."""
    last: dict[str, int] = {}
    out: list[events.Fact] = []
    for fact in facts:
        name = type(fact).__name__
        played = level is events.Capture.COUNTS and events.SUBJECTS[name] not in ("tables", "house")
        if name in UNSEEN or played or isinstance(fact, events.GamingDayClosed):
            continue
        last[fact.stream] = last.get(fact.stream, 0) + 1
        fact = replace(fact, seq=last[fact.stream])
        out.append(replace(fact, capture=level) if isinstance(fact, events.TableOpened) else fact)
    return out


@pytest.fixture(scope="module")
def day() -> tuple[events.Fact, ...]:
    return tuple(floor_day(seed=2, scale=0.1)[0])


@pytest.mark.parametrize("level", [events.Capture.OUTCOME, events.Capture.COUNTS])
def test_an_honest_day_has_no_unknown_for_what_is_not_claimed(
    day: tuple[events.Fact, ...], level: events.Capture
) -> None:
    audit = judged(at_level(day, level))
    assert said(audit.findings) == ["day_not_closed L.4 ?"]
    assert {line.level for line in audit.capture} == {level.value.lower()}
    assert all(line.not_covered for line in audit.capture)
    assert audit.unknown_rounds == 0
    for account in audit.accounts:
        assert account.by_count_cents is not None
        assert account.by_rounds_cents is None


def test_at_level_outcome_a_wrong_call_is_found_in_both_rooms(day: tuple[events.Fact, ...]) -> None:
    facts = at_level(day, events.Capture.OUTCOME)
    for kind, wrong in (
        (events.RollCalled, {"faces": (6, 6, 6)}),
        (events.SpinCalled, {"result": "40"}),
    ):
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


@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.full)])
def test_at_level_outcome_only_what_hangs_on_wagers_is_missed(seed: int) -> None:
    """Each kind of irregularity of all five rooms, planted, and the day recorded without wagers."""
    kinds = sorted(KINDS.keys() - OF_THE_RECORD)
    facts, truth = floor_day(*kinds, seed=seed, scale=0.35)
    audit = judged(at_level(facts, events.Capture.OUTCOME))
    day = audit.gaming_day.isoformat()
    truth = [row for row in truth if row["gaming_day"] == day]  # services are used on the eve
    found = Counter((table_of(f.stream), f.code) for f in audit.findings)
    planted = Counter((table_of(row["stream"]), row["code"]) for row in truth)
    missed = {row["code"] for row in truth if not found[table_of(row["stream"]), row["code"]]}
    assert missed <= HANGS_ON_WAGERS
    more = {key for key, count in found.items() if count > planted[key]}
    assert more <= {("", "day_not_closed"), *((table, "hand_revealed_early") for table in CARDS),
                    *((table, "surrendered_cards_not_counted") for table in CARDS),
                    *((table, "surrendered_cards_exposed") for table in CARDS)}  # fmt: skip
    # whose hand it was, and what lay beside it, is not seen
    sure = Counter((table_of(f.stream), f.code) for f in audit.findings if f.certainty == "broken")
    assert all(count <= planted[key] for key, count in sure.items())


def test_at_level_counts_a_lost_closer_is_unknown(day: tuple[events.Fact, ...]) -> None:
    facts = at_level(day, events.Capture.COUNTS)
    place = max(n for n, f in enumerate(facts) if type(f).__name__ == "CloserCounted")
    gone = facts.pop(place)
    last = [f for f in facts if f.stream == gone.stream and f.seq > gone.seq]
    for fact in last:
        facts[facts.index(fact)] = replace(fact, seq=fact.seq - 1)
    told = said(judged(facts).findings)
    assert told == ["day_not_closed L.4 ?", "table_count_missing L.8 ?"]


def test_not_covered_is_one_line_for_each_table(day: tuple[events.Fact, ...]) -> None:
    audit = judged(at_level(day, events.Capture.COUNTS))
    assert len(audit.capture) == len({line.table for line in audit.capture}) == 11
    assert all("outcomes" in line.not_covered for line in audit.capture)
