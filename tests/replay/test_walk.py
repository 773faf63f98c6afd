"""The order of a walk, and its doubts."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.codec import Undecodable, decode, frame
from ledger.events import Fact
from ledger.log import Arrival
from ledger.replay import Doubt, DoubtBegins, DoubtEnds, FactStep, Replay, Step, walk
from tests.log.memory_log import MemoryLog
from tests.replay.comparing import arriving
from tests.replay.given import SECOND, START, arrivals, content, fact, memory, shown

STREAMS = ("SB-01", "SB-01/wheel", "SB-02", "house")


@st.composite
def floors(draw: st.DrawFn) -> list[Fact]:
    """Streams with holes, and clocks that step back now and then."""
    out = []
    for stream in STREAMS:
        count = draw(st.integers(0, 8))
        moment = draw(st.integers(0, 5))
        missing = draw(st.sets(st.integers(1, 8), max_size=4))
        for seq in range(1, count + 1):
            moment += draw(st.sampled_from((0, 1, 1, 2, 5, -1, -3, 100, -100)))
            if seq not in missing:
                out.append(fact(stream, seq, moment))
    return out


@given(data=st.data(), facts=floors())
@settings(max_examples=150, deadline=None)
def test_the_order_of_arrival_does_not_matter(data: Any, facts: list[Fact]) -> None:
    plain = Replay(memory(facts))
    mixed = data.draw(st.permutations(facts))
    again = data.draw(st.lists(st.sampled_from(facts), max_size=6)) if facts else []
    batches = data.draw(st.lists(st.integers(1, 7), max_size=4))
    other = Replay(memory([*mixed, *again], batches))
    assert content(plain.walk(STREAMS)) == content(other.walk(STREAMS))
    assert [plain.extent(one).missing for one in plain.streams()] == [
        other.extent(one).missing for one in other.streams()
    ]
    assert [plain.prefix_hash(one, 5) for one in STREAMS] == [
        other.prefix_hash(one, 5) for one in STREAMS
    ]


@given(facts=floors())
@settings(max_examples=150, deadline=None)
def test_each_stream_in_seq_order_and_time_never_falls(facts: list[Fact]) -> None:
    steps = list(Replay(memory(facts)).walk(STREAMS))
    read = [step for step in steps if isinstance(step, FactStep)]
    assert [step.at for step in read] == sorted(step.at for step in read)
    for stream in STREAMS:
        seqs = [step.fact.seq for step in read if step.fact.stream == stream]
        assert seqs == sorted(one.seq for one in facts if one.stream == stream)
    assert len(read) == len(facts)


@given(facts=floors(), since=st.integers(-5, 60), most=st.integers(0, 12))
@settings(max_examples=150, deadline=None)
def test_a_fact_is_decoded_once_and_handed_out_wherever_it_stands(
    facts: list[Fact], since: int, most: int
) -> None:
    replay = Replay(memory(facts))
    low = START + since * SECOND
    wanted: list[dict[str, Any]] = [
        {"only": {"PersonCredentialled"}}, {"since": low}, {}, {"only": {"NoMoreBetsAnnounced"}}, {"until": low},
    ]  # fmt: skip
    alone = [content(replay.walk(STREAMS, **one)) for one in wanted]
    decoded: list[bytes] = []

    def counted(framed: bytes) -> Fact:
        decoded.append(framed)
        return decode(framed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk, "decode_fact", counted)
        with replay.keeping_facts():
            assert [content(replay.walk(STREAMS, **one)) for one in wanted] == alone
        assert sorted(decoded) == sorted(set(decoded))
        assert len(decoded) == len(facts)
        patch.setattr(walk, "MOST_KEPT", most)
        with replay.keeping_facts():
            assert [content(replay.walk(STREAMS, **one)) for one in wanted] == alone
        decoded.clear()
        assert [content(replay.walk(STREAMS, **one)) for one in wanted[2:3]] == alone[2:3]
        assert len(decoded) == len(facts)  # nothing is kept any more


@given(data=st.data(), facts=floors(), since=st.integers(-5, 120), width=st.integers(0, 120))
@settings(max_examples=300, deadline=None)
def test_a_window_is_the_full_walk_filtered(
    data: Any, facts: list[Fact], since: int, width: int
) -> None:
    low, high = START + since * SECOND, START + (since + width) * SECOND
    rivals = data.draw(st.lists(st.sampled_from(facts), max_size=5)) if facts else []
    log = memory([*facts, *(fact(one.stream, one.seq, 3, by="C-9") for one in rivals)], [3])
    replay = Replay(log)
    window = list(replay.walk(STREAMS, since=low, until=high))
    assert window == filtered(list(replay.walk(STREAMS)), low, high)


def filtered(steps: list[Step], low: int, high: int) -> list[Step]:
    """The window by the words of ``Replay.walk``: open doubts first, none ended after it."""
    opening: list[DoubtBegins] = []
    inside: list[Step] = []
    for step in steps:
        if isinstance(step, FactStep) or step.kind is Doubt.CONFLICT:
            at = step.at if isinstance(step, FactStep) else step.ends_at
            inside += [step] if at is not None and low <= at < high else []
            continue
        begins_before = step.at is None or step.at < low
        ends_after = step.ends_at is None or step.ends_at >= high
        if isinstance(step, DoubtEnds):
            inside += (
                [step]
                if not ends_after and step.ends_at is not None and step.ends_at >= low
                else []
            )
        elif not begins_before:
            inside += [step] if step.at is not None and step.at < high else []
        elif ends_after or (step.ends_at is not None and step.ends_at >= low):
            opening.append(step)
    rank = {"house": 0, "SB-01": 1, "SB-01/wheel": 2, "SB-02": 3}
    return [*sorted(opening, key=lambda one: rank[one.stream]), *inside]


def test_equal_times_offices_first_then_bytes_then_seq() -> None:
    facts = [
        fact(stream, seq, 7)
        for stream in ("SB-01/wheel", "SB-01", "house", "SB-01-B")
        for seq in (1, 2)
    ]
    assert shown(Replay(memory(facts)).walk([one.stream for one in facts])) == [
        "house:1", "house:2", "SB-01:1", "SB-01:2", "SB-01-B:1", "SB-01-B:2", "SB-01/wheel:1", "SB-01/wheel:2",
    ]  # fmt: skip


def test_a_gap_lies_between_its_neighbours() -> None:
    facts = [fact("SB-01", seq) for seq in (1, 2, 5, 6)] + [
        fact("house", seq, 2 + seq / 10) for seq in (1, 2)
    ]
    replay = Replay(memory(facts))
    assert shown(replay.walk(["SB-01", "house"])) == [
        "SB-01:1", "SB-01:2", "gap SB-01:3-4 begins", "house:1", "house:2", "gap SB-01:3-4 ends", "SB-01:5", "SB-01:6",
    ]  # fmt: skip
    assert list(replay.gaps("SB-01")) == [("SB-01", 3, 4)]


def test_a_gap_at_the_start_begins_the_walk() -> None:
    facts = [fact("SB-01", 3), fact("SB-01", 4), fact("house", 1, 0)]
    replay = Replay(memory(facts))
    assert list(replay.gaps("SB-01")) == [("SB-01", 1, 2)]
    assert shown(replay.walk(["SB-01", "house"])) == [
        "gap SB-01:1-2 begins", "house:1", "gap SB-01:1-2 ends", "SB-01:3", "SB-01:4",
    ]  # fmt: skip


def test_a_missing_tail_shows_by_the_control_total_only() -> None:
    replay = Replay(memory([fact("SB-01", 1), fact("SB-02", 1, 9)]))
    assert shown(replay.walk(["SB-01", "SB-02"])) == ["SB-01:1", "SB-02:1"]
    totals = {"SB-01": 3, "SB-02": 1, "SB-09": 2}
    assert shown(replay.walk(totals, stated=totals)) == [
        "gap SB-09:1-2 begins", "SB-01:1", "gap SB-01:2-3 begins", "SB-02:1",
    ]  # fmt: skip
    late = shown(replay.walk(["SB-01"], since=START + 5 * SECOND, stated=totals))
    assert late == ["gap SB-01:2-3 begins"]


def test_a_late_filing_closes_its_gap() -> None:
    log = memory([fact("SB-01", seq) for seq in (1, 2, 4)])
    before = Replay(log)
    log.append(arrivals([fact("SB-01", 3)]), START)
    after = Replay(log)
    assert shown(after.walk(["SB-01"])) == ["SB-01:1", "SB-01:2", "SB-01:3", "SB-01:4"]
    assert (after.extent("SB-01").late, after.extent("SB-01").missing) == (1, 0)
    assert "gap SB-01:3-3 begins" in shown(before.walk(["SB-01"])), (
        "a replay stands at its own size"
    )


def test_a_conflict_embraces_the_fact_that_came_first() -> None:
    log = memory([fact("SB-01", seq) for seq in (1, 2, 3, 5)])
    log.append(
        arrivals(
            [fact("SB-01", 2, by="C-9"), fact("SB-01", 2, by="C-8"), fact("SB-01", 5, by="C-9")]
        ),
        START + 1,
    )
    replay = Replay(log)
    assert shown(replay.walk(["SB-01"])) == [
        "SB-01:1",
        "conflict SB-01:2-2 begins", "SB-01:2", "conflict SB-01:2-2 ends",
        "SB-01:3",
        "gap SB-01:4-4 begins", "gap SB-01:4-4 ends",
        "conflict SB-01:5-5 begins", "SB-01:5", "conflict SB-01:5-5 ends",
    ]  # fmt: skip
    assert [(one.seq, one.accepted_position) for one in replay.conflicts("SB-01")] == [
        (2, 3),
        (2, 3),
        (5, 5),
    ]
    rival = next(replay.conflicts("SB-01"))
    assert log.quarantined(rival.sha256) == frame(fact("SB-01", 2, by="C-9"))
    assert replay.extent("SB-01").conflicts == 3


def test_unreadable_bytes_have_no_place_in_any_stream() -> None:
    log = memory([fact("SB-01", 1)])
    log.append([Arrival(b"\x01junk", key=b"SB-01"), Arrival(b"")], START + 5)
    replay = Replay(log)
    assert [(one.reason, one.key, one.length) for one in replay.unreadable()] == [
        ("bad_magic", b"SB-01", 5), ("truncated", None, 0),
    ]  # fmt: skip
    assert shown(replay.walk(["SB-01"])) == ["SB-01:1"]


def test_groups_are_tables_by_what_they_say() -> None:
    facts = [fact("house", 1), fact("SB-01/wheel", 1), fact("SB-01", 1), fact("cage", 1)]
    office = fact("house/desk", 1)
    replay = Replay(memory([*facts, office]))
    assert replay.tables() == {"SB-01": ("SB-01", "SB-01/wheel"), "cage": ("cage",)}
    assert replay.offices() == {"house": ("house", "house/desk")}
    assert replay.streams() == ("SB-01", "SB-01/wheel", "cage", "house", "house/desk")


def test_extent_says_how_far_a_stream_goes() -> None:
    facts = [fact("SB-01", 4), fact("SB-01", 2, source="T-9"), fact("SB-01", 7)]
    one = Replay(memory(facts)).extent("SB-01")
    assert (one.first_seq, one.last_seq, one.facts, one.missing, one.late) == (2, 7, 3, 4, 1)
    assert (one.first_time, one.last_time) == (START + 2 * SECOND, START + 7 * SECOND)
    assert (one.table, one.is_office, one.sources) == ("SB-01", False, ("T-SB-01", "T-9"))


def test_an_empty_log_and_an_unknown_stream() -> None:
    replay = Replay(memory([]))
    assert (replay.streams(), replay.facts, list(replay.walk(["SB-01"]))) == ((), 0, [])
    assert not list(replay.gaps("SB-01"))
    with pytest.raises(KeyError):
        replay.extent("SB-01")


def test_a_window_reads_only_its_own_bundles() -> None:
    replay = Replay(memory([fact("SB-01", seq) for seq in range(1, 5001)]))
    steps = list(replay.walk(["SB-01"], since=START + 2000 * SECOND, until=START + 2100 * SECOND))
    assert [steps[0].fact.seq, steps[-1].fact.seq] == [2000, 2099]  # type: ignore[union-attr]
    assert replay.bundles_fetched <= 2


def test_many_tables_at_once_or_one_after_the_other() -> None:
    facts = [
        fact(stream, seq, seq % 7 * 3) for stream in STREAMS for seq in range(1, 30) if seq % 5
    ]
    replay = Replay(memory(facts))
    whole = list(replay.walk(STREAMS))
    for streams in (["SB-02", "house"], ["SB-01", "SB-01/wheel"]):
        own = [
            step
            for step in whole
            if (step.fact.stream if isinstance(step, FactStep) else step.stream) in streams
        ]
        assert list(replay.walk(streams)) == own


@pytest.mark.row_by_row
@pytest.mark.parametrize("seed", range(8))
def test_a_walk_of_some_events_is_the_walk_of_all_without_the_others(seed: int) -> None:
    """Facts lost, late, in rivalry and amended; windows that begin and end anywhere."""
    rng = random.Random(seed)
    arrived = arriving(random.Random(seed))
    for _ in range(60):
        del arrived[rng.randrange(len(arrived))]
    for first in rng.sample(arrived, 20):
        with suppress(Undecodable):
            rival = decode(first.framed)
            arrived.append(Arrival(frame(replace(rival, event_time=rival.event_time + 1))))
    log = MemoryLog(origin="floor", property="Test", record_time=START)
    log.append(arrived, START)
    replay = Replay(log)
    streams = replay.streams()
    names = sorted({type(step.fact).__name__ for step in replay.walk(streams) if isinstance(step, FactStep)})  # fmt: skip
    first, last = (replay.extent("SB-01").first_time, replay.extent("SB-01").last_time)
    for _ in range(12):
        only = set(rng.sample(names, rng.randrange(1, 4)))
        since = rng.choice([None, rng.randrange(first, last)])
        until = rng.choice([None, rng.randrange(first, last)])
        chosen = rng.sample(streams, rng.randrange(1, len(streams)))
        whole = replay.walk(chosen, since=since, until=until)
        expected = [
            step for step in whole if not isinstance(step, FactStep) or type(step.fact).__name__ in only
        ]  # fmt: skip
        assert list(replay.walk(chosen, since=since, until=until, only=only)) == expected
