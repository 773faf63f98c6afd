"""Amendments: which count, and what the replay makes of them."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.codec import frame
from ledger.events import BettingOpened, Fact, FactAmended, NoMoreBetsAnnounced
from ledger.log import init, open_log
from ledger.replay import FactStep, Problem, Replay
from tests.log.memory_log import MemoryLog
from tests.replay.given import SECOND, START, arrivals, content, fact, memory, shown

FACTS = [fact("SB-01", seq) for seq in range(1, 6)]


def said(seq: int, by: str, seconds: float | None = None) -> Fact:
    return fact("SB-01", seq, seconds, by=by)


def amended(
    replacement: Fact | bytes | None,
    number: int = 1,
    *,
    stream: str = "SB-01",
    seq: int = 3,
    by: str = "E-1",
    approved: str | None = "E-2",
    own: str = "amendments",
    at: int = 100,
) -> FactAmended:
    made = replacement if isinstance(replacement, bytes | None) else frame(replacement)
    return FactAmended(
        stream=own, seq=number, event_time=START + at * SECOND, source="A", recorded_by=None,
        amended_stream=stream, amended_seq=seq, replacement=made, reason="typed wrong",
        amended_by=by, approved_by=approved, approved_time=None, file_sha256=None, proof=None, approval_proof=None,
    )  # fmt: skip


def who(replay: Replay) -> list[str | None]:
    """Who announced, fact by fact."""
    facts = [step.fact for step in replay.walk(["SB-01"]) if hasattr(step, "fact")]
    return [one.announced_by for one in facts if isinstance(one, NoMoreBetsAnnounced)]


def replayed(*amendments: FactAmended, facts: Sequence[Fact] = FACTS) -> Replay:
    return Replay(memory([*facts, *amendments]))


def test_an_approved_amendment_is_read_wherever_the_fact_is() -> None:
    replay = replayed(amended(said(3, "C-2")))
    assert who(replay) == ["C-1", "C-1", "C-2", "C-1", "C-1"]
    assert replay.fact("SB-01", 3) == said(3, "C-2")
    one = replay.amended("SB-01", 3)
    assert one is not None
    assert (one.before, one.after, one.by.reason) == (FACTS[2], said(3, "C-2"), "typed wrong")
    assert [found.before for found in replay.all_amended()] == [FACTS[2]]
    assert replay.amended("SB-01", 2) is replay.amended("none", 1) is None
    assert [found.problem for found in replay.amendments()] == [None]


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("amendment", "problem"),
    [
        (amended(said(3, "C-2"), approved=None), Problem.NOT_APPROVED),
        (amended(said(3, "C-2"), approved="E-1"), Problem.NOT_APPROVED),
        (amended(None, approved=None), Problem.NOT_APPROVED),
        (amended(b""), Problem.UNUSABLE),
        (amended(b"\x00rubbish"), Problem.UNUSABLE),
        (amended(frame(said(3, "C-2"))[:-1]), Problem.UNUSABLE),
        (amended(said(4, "C-2")), Problem.UNUSABLE),
        (amended(fact("SB-02", 3)), Problem.UNUSABLE),
        (amended(amended(None, 1), stream="amendments", seq=1), Problem.UNUSABLE),
        (amended(None, stream="amendments", seq=1), Problem.UNUSABLE),
        (amended(said(9, "C-2"), seq=9), Problem.NO_SUCH_FACT),
        (amended(fact("SB-02", 3), stream="SB-02"), Problem.NO_SUCH_FACT),
        (amended(None, seq=6), Problem.NO_SUCH_FACT),
    ],
)
def test_one_that_changes_nothing(amendment: FactAmended, problem: Problem) -> None:
    replay = replayed(amendment)
    assert [one.problem for one in replay.amendments()] == [problem]
    assert who(replay) == ["C-1"] * 5
    assert list(replay.all_amended()) == []


def test_a_withdrawn_fact_leaves_no_gap() -> None:
    replay = replayed(amended(None))
    assert shown(replay.walk(["SB-01"])) == ["SB-01:1", "SB-01:2", "SB-01:4", "SB-01:5"]
    assert replay.fact("SB-01", 3) is None
    assert replay.last_seq_before("SB-01", START + 3 * SECOND + 1) == 3
    one = replay.amended("SB-01", 3)
    assert one is not None
    assert (one.before, one.after) == (FACTS[2], None)


def test_the_first_and_the_last_fact_may_be_withdrawn() -> None:
    replay = replayed(amended(None, 1, seq=1), amended(None, 2, seq=5))
    assert shown(replay.walk(["SB-01"])) == ["SB-01:2", "SB-01:3", "SB-01:4"]
    assert shown(replay.walk(["SB-01"], stated={"SB-01": 5})) == ["SB-01:2", "SB-01:3", "SB-01:4"]


def test_the_last_approved_one_counts_whatever_the_order_of_arrival() -> None:
    one = amended(said(3, "C-2"), 1, at=100)
    two = amended(said(3, "C-3"), 2, at=101)
    idle = amended(said(3, "C-4"), 3, at=102, approved=None)
    other = amended(said(3, "C-5"), 1, at=99, own="desk")
    for order in ([one, two, idle, other], [other, two, one, idle], [two, one, other, idle]):
        assert who(replayed(*order))[2] == "C-3"
    back = amended(FACTS[2], 4, at=103)
    assert who(replayed(one, two, back)) == ["C-1"] * 5
    gone = amended(None, 4, at=103)
    again = amended(said(3, "C-6"), 5, at=104)
    assert len(who(replayed(one, gone))) == 4
    assert who(replayed(one, gone, again))[2] == "C-6"


def test_an_amendment_may_come_before_the_fact() -> None:
    log = memory([FACTS[0], amended(said(3, "C-2")), *FACTS[1:]])
    assert who(Replay(log)) == ["C-1", "C-1", "C-2", "C-1", "C-1"]


def test_a_changed_time_moves_the_fact() -> None:
    moved = said(3, "C-1", 4.5)
    replay = replayed(
        amended(moved), facts=[*FACTS, *(fact("SB-01/b", n, n + 0.25) for n in (1, 2, 3, 4))]
    )
    order = shown(replay.walk(["SB-01", "SB-01/b"]))
    assert order.index("SB-01:3") > order.index("SB-01/b:3")
    assert [one.seq for one in replay.out_of_order("SB-01", 0)] != []


def test_the_hash_of_a_prefix_changes_from_the_amended_fact_on() -> None:
    before, withdrawn = replayed(), replayed(amended(None))
    after = replayed(amended(said(3, "C-2")))
    for seq in (1, 2):
        assert before.prefix_hash("SB-01", seq) == after.prefix_hash("SB-01", seq)
        assert before.prefix_hash("SB-01", seq) == withdrawn.prefix_hash("SB-01", seq)
    for seq in (3, 4, 5):
        assert len({one.prefix_hash("SB-01", seq) for one in (before, after, withdrawn)}) == 3


def test_the_hash_of_a_long_prefix_is_not_kept_from_before() -> None:
    many = [fact("SB-01", seq) for seq in range(1, 5_001)]
    plain = Replay(memory(many)).prefix_hash("SB-01", 5_000)
    changed = replayed(amended(said(3, "C-2")), facts=many)
    assert changed.prefix_hash("SB-01", 5_000) != plain
    as_if = [*many[:2], said(3, "C-2"), *many[3:]]
    assert changed.prefix_hash("SB-01", 5_000) == Replay(memory(as_if)).prefix_hash("SB-01", 5_000)


def test_a_copy_in_another_process_reads_the_same(tmp_path: Path) -> None:
    init(tmp_path / "ledger", origin="floor.example/a", property="Test", record_time=START)
    with open_log(tmp_path / "ledger") as log:
        log.append(arrivals([*FACTS, amended(said(3, "C-2")), amended(None, 2, seq=5)]), START)
    replay = Replay.open(tmp_path / "ledger")
    copy = pickle.loads(pickle.dumps(replay))
    assert content(copy.walk(["SB-01"])) == content(replay.walk(["SB-01"]))
    assert who(copy) == ["C-1", "C-1", "C-2", "C-1"]
    assert list(copy.all_amended()) == list(replay.all_amended())
    assert copy.prefix_hash("SB-01", 5) == replay.prefix_hash("SB-01", 5)


def test_a_conflict_and_an_amendment_of_one_fact() -> None:
    rival = replace(FACTS[2], source="T-9")
    log: MemoryLog = memory([*FACTS, rival, amended(said(3, "C-2"))])
    assert who(Replay(log))[2] == "C-2"
    assert any("conflict" in one for one in shown(Replay(log).walk(["SB-01"])))


def test_a_replacement_of_another_kind_is_found_by_its_own() -> None:
    """No fact of the log is of that kind; yet who asks for it alone gets it."""
    opened = BettingOpened(
        stream="SB-01", seq=3, event_time=FACTS[2].event_time, source="T", recorded_by=None
    )
    replay = replayed(amended(opened))
    assert replay.streams_with({"BettingOpened"}) == ("SB-01",)
    walked = replay.walk(["SB-01"], only={"BettingOpened"})
    assert [step.fact for step in walked if isinstance(step, FactStep)] == [opened]
    assert [step.fact for step in replay.of_kind("SB-01", BettingOpened)] == [opened]
    assert [step.fact.seq for step in replay.of_kind("SB-01", NoMoreBetsAnnounced)] == [1, 2, 4, 5]
    withdrawn = replayed(amended(None))
    assert [s.fact.seq for s in withdrawn.of_kind("SB-01", NoMoreBetsAnnounced)] == [1, 2, 4, 5]
