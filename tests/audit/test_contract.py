"""The Ledger contract, L.1 to L.7: what the record itself says, each on both sides of its edge."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from ledger.audit import DayAudit, DayUnknown, PropertyUnknown, audit_day
from ledger.codec import frame, key_of
from ledger.events import Fact, GamingDayClosed, SourceRegistered, StreamEnd
from ledger.floor import FIRST_DAY
from ledger.kernel import FactRef
from ledger.log import Arrival, terminal_topic
from ledger.replay import Replay
from tests.engine import CLOCK, SECOND, codes, floor_day, judged, log_of, ref, said, table_day

TABLE = "DC-01"


def facts() -> list[Fact]:
    return list(table_day(TABLE))


def swap(old: Fact, new: Fact) -> DayAudit:
    return judged([new if fact is old else fact for fact in facts()])


def closing() -> GamingDayClosed:
    return next(fact for fact in facts() if isinstance(fact, GamingDayClosed))


def last_of(stream: str) -> Fact:
    return max((f for f in facts() if f.stream == stream), key=lambda f: f.seq)


def stating(**more: int) -> GamingDayClosed:
    """The closing with the last seq of a table's stream moved."""
    old = closing()
    name = {"main": TABLE, "wheel": f"{TABLE}/wheel", "chips": f"{TABLE}/chips", "house": "house"}
    add = {name[key]: number for key, number in more.items()}
    ends = (replace(e, last_seq=e.last_seq + add.get(e.stream, 0)) for e in old.streams)
    return replace(old, streams=tuple(ends))


def test_an_honest_table_day_is_clean() -> None:
    audit = judged(facts())
    assert audit.findings == ()
    assert audit.unknown_rounds == 0


# --- L.1, L.2, L.3 ---------------------------------------------------------------------------------


def test_l1_a_gap_of_several_facts_is_one_finding() -> None:
    chips = [f for f in facts() if f.stream == f"{TABLE}/chips"]
    gone = chips[1:4]
    audit = judged([f for f in facts() if f not in gone])
    gaps = [f for f in audit.findings if f.code == "gap"]
    assert [f.facts for f in gaps] == [(ref(gone[0]), ref(gone[-1]))]
    assert gaps[0].observed == "3"
    assert gaps[0].citations[0].section == "L.1"


def test_l1_two_gaps_are_two_findings() -> None:
    main = [f for f in facts() if f.stream == TABLE]
    audit = judged([f for f in facts() if f not in (main[40], main[60])])
    assert [f.facts for f in audit.findings if f.code == "gap"] == [
        (ref(main[40]),),
        (ref(main[60]),),
    ]


def test_l1_the_first_fact_of_a_stream() -> None:
    first = next(f for f in facts() if f.stream == f"{TABLE}/wheel")
    audit = judged([f for f in facts() if f is not first])
    assert [f.facts for f in audit.findings if f.code == "gap"] == [(FactRef(f"{TABLE}/wheel", 1),)]
    assert audit.unknown_rounds >= 1


def test_l2_names_the_one_key_and_uses_the_first_record() -> None:
    old = next(f for f in facts() if type(f).__name__ == "WagerSettled")
    worse = replace(old, winnings_cents=999_999)  # type: ignore[call-arg]
    one, other = judged([*facts(), worse]), judged([worse, *facts()])
    for audit in (one, other):
        found = next(f for f in audit.findings if f.code == "conflict")
        assert found.facts == (ref(old),)
        assert found.citations[0].section == "L.2"
        assert {f.code for f in audit.findings if f.certainty == "broken"} == {"conflict"}


@pytest.mark.parametrize("bad", [b"", b"\x00\x00", frame(closing())[:-3], b"\x05" + frame(closing())[1:], b"x" * 70_000], ids=["empty", "short", "cut", "magic", "oversize"])  # fmt: skip
def test_l3_bytes_that_are_no_fact(bad: bytes) -> None:
    audit = judged([*facts(), Arrival(bad, key=TABLE.encode())])
    assert said(audit.findings) == ["undecodable L.3 ?"]
    assert audit.findings[0].stream == TABLE


def test_l3_of_a_stream_that_was_silent_that_day_is_of_another_day() -> None:
    two, _ = floor_day(days=2)
    replay = Replay(log_of([*two, Arrival(b"\x00bad", key=b"nobody")]))
    for number in range(2):
        assert said(audit_day(replay, FIRST_DAY + timedelta(days=number)).findings) == [
            "undecodable L.3 ?"
        ]


# --- L.6 -------------------------------------------------------------------------------------------


def by_topic(framed: bytes, topic: str, offset: int) -> Arrival:
    return Arrival(framed, key_of(framed)[0].encode(), topic, 0, offset)


def by_own_topics() -> list[Arrival]:
    """The table's day with its facts by the topics of their terminals, as they were registered."""
    return [
        Arrival(frame(fact))
        if fact.stream.startswith(("house", "people"))
        else by_topic(frame(fact), terminal_topic("pitledger", fact.source), offset)
        for offset, fact in enumerate(facts())
    ]


def test_l6_facts_by_the_topics_of_their_terminals_are_proven() -> None:
    audit = judged(by_own_topics())
    assert audit.findings == ()
    assert audit.not_proven == ("house",)
    assert set(judged(facts()).not_proven) == {fact.stream for fact in facts()}
    assert audit.digest == judged(facts()).digest


def test_l6_what_is_proven_from_a_later_day_on_leaves_the_day_as_it_was() -> None:
    last = last_of(TABLE)
    later = replace(last, seq=last.seq + 1, event_time=last.event_time + 86_400 * SECOND)
    own = by_topic(frame(later), terminal_topic("pitledger", later.source), 1)
    before = judged(facts()).not_proven
    assert TABLE in before
    assert judged([*facts(), own]).not_proven == before


def test_l6_what_another_terminal_sent_takes_no_place_and_is_a_finding() -> None:
    old = next(f for f in facts() if type(f).__name__ == "WagerSettled")
    worse = replace(old, winnings_cents=999_999)  # type: ignore[call-arg]
    other = next(f.source for f in facts() if f.source != old.source and f.stream != "house")
    forged = by_topic(frame(worse), terminal_topic("pitledger", other), 900_000)
    rows = by_own_topics()
    at = next(n for n, row in enumerate(rows) if row.framed == frame(old))
    audit = judged([*rows[:at], forged, *rows[at:]])
    assert said(audit.findings) == ["foreign_writer L.6"]
    sentence = audit.findings[0].sentence
    expected = (
        f"Terminal {other} sent number {old.seq} of {old.stream} in the name of {old.source}."
    )
    assert sentence.startswith(expected)


def test_l6_a_shared_topic_cannot_speak_for_a_terminal_with_its_own() -> None:
    last = last_of(TABLE)
    shared = by_topic(frame(replace(last, seq=last.seq + 1)), "pitledger.tables.v1", 1)
    audit = judged([*by_own_topics(), shared])
    assert said(audit.findings) == ["foreign_writer L.6"]
    assert audit.findings[0].sentence.endswith(
        "its terminal has one of its own. It counts for nothing and is kept as "
        + audit.findings[0].observed[:16]
        + "."
    )


# --- L.4, L.7 --------------------------------------------------------------------------------------


def test_l4_the_tail_of_a_stream_is_lost() -> None:
    gone = last_of(f"{TABLE}/chips")
    audit = judged([f for f in facts() if f is not gone])
    assert codes(audit.findings) == {"gap", "control_total_differs"}
    total = next(f for f in audit.findings if f.code == "control_total_differs")
    assert (total.expected, total.observed) == (str(gone.seq), str(gone.seq - 1))
    assert total.citations[0].section == "L.4"


@pytest.mark.parametrize("name", ["main", "wheel", "chips"])
def test_l4_one_more_than_there_is(name: str) -> None:
    audit = swap(closing(), stating(**{name: 1}))
    assert {f.code for f in audit.findings if f.certainty == "broken"} == {
        "gap",
        "control_total_differs",
    }


@pytest.mark.parametrize("name", ["main", "wheel", "chips"])
def test_l7_one_less_than_there_is(name: str) -> None:
    audit = swap(closing(), stating(**{name: -1}))
    assert said(audit.findings) == ["fact_after_close L.7"]
    assert audit.findings[0].facts[0] == ref(closing())


@pytest.mark.parametrize("off", [1, -1])
def test_l4_the_closing_states_its_own_number(off: int) -> None:
    audit = swap(closing(), stating(house=off))
    assert codes(audit.findings) == {"control_total_differs"}


def test_l4_a_stream_that_is_not_listed() -> None:
    old = closing()
    audit = swap(old, replace(old, streams=tuple(e for e in old.streams if e.stream != TABLE)))
    assert said(audit.findings) == ["control_total_differs L.4"]
    assert audit.findings[0].expected == "nothing"


def test_l4_a_stream_that_does_not_exist_is_listed() -> None:
    old = closing()
    audit = swap(old, replace(old, streams=(*old.streams, StreamEnd(stream="DC-09", last_seq=4))))
    assert said(audit.findings) == ["control_total_differs L.4"]
    assert (audit.findings[0].expected, audit.findings[0].observed) == ("4", "0")


def test_l4_a_day_that_is_not_closed_is_unknown() -> None:
    audit = judged([f for f in facts() if f is not closing()])
    assert said(audit.findings) == ["day_not_closed L.4 ?"]


def test_l4_a_closing_of_another_day_closes_nothing() -> None:
    audit = swap(closing(), replace(closing(), gaming_day="2021-06-13"))
    assert "day_not_closed" in codes(audit.findings)


def test_l7_a_fact_of_the_table_after_the_close() -> None:
    last = last_of(f"{TABLE}/chips")
    late = replace(last, seq=last.seq + 1, event_time=closing().event_time + SECOND)
    audit = judged([*facts(), late])
    assert said(audit.findings) == ["fact_after_close L.7"]
    assert audit.findings[0].facts[-1] == ref(late)


def test_l4_the_last_of_several_closings_counts() -> None:
    last = last_of(f"{TABLE}/chips")
    late = replace(last, seq=last.seq + 1, event_time=closing().event_time + SECOND)
    ends = tuple(
        replace(
            e, last_seq=late.seq if e.stream == late.stream else e.last_seq + (e.stream == "house")
        )
        for e in closing().streams
    )
    again = replace(
        closing(), seq=closing().seq + 1, event_time=closing().event_time + 2 * SECOND, streams=ends
    )
    audit = judged([*facts(), late, again])
    assert said(audit.findings) == []


# --- L.5 -------------------------------------------------------------------------------------------


def moved(fact: Fact, micros: int) -> DayAudit:
    return swap(fact, replace(fact, event_time=fact.event_time + micros))


@pytest.mark.parametrize(("micros", "told"), [(20_000, []), (20_001, ["out_of_order L.5"])])
def test_l5_beyond_the_tolerance_of_the_source(micros: int, told: list[str]) -> None:
    """The floor registers a tolerance of 20,000 microseconds for each source."""
    chips = [f for f in facts() if f.stream == f"{TABLE}/chips"]
    before, after = chips[-2], chips[-1]
    audit = moved(after, before.event_time - after.event_time - micros)
    assert said(audit.findings) == told


def test_l5_no_tolerance_is_stated() -> None:
    """Without any registration one microsecond backwards is told."""
    bare = [f for f in facts() if not isinstance(f, SourceRegistered)]
    numbered = {f: n for n, f in enumerate((f for f in bare if f.stream == "house"), 1)}
    bare = [replace(f, seq=numbered[f]) if f in numbered else f for f in bare]
    end = next(f for f in bare if isinstance(f, GamingDayClosed))
    ends = tuple(
        replace(e, last_seq=end.seq if e.stream == "house" else e.last_seq) for e in end.streams
    )
    bare = [replace(end, streams=ends) if f is end else f for f in bare]
    assert said(judged(bare).findings) == []
    chips = [f for f in bare if f.stream == f"{TABLE}/chips"]
    back = replace(chips[-1], event_time=chips[-2].event_time - 1)
    audit = judged([back if f is chips[-1] else f for f in bare])
    assert said(audit.findings) == ["out_of_order L.5"]


# --- L.6 -------------------------------------------------------------------------------------------


def test_l6_another_terminal_writes_the_stream() -> None:
    old = last_of(f"{TABLE}/chips")
    audit = swap(old, replace(old, source="T-OTHER"))
    assert said(audit.findings) == ["source_not_registered L.6"]
    assert (audit.findings[0].expected, audit.findings[0].observed) == (f"C-{TABLE}", "T-OTHER")


def test_l6_nothing_is_told_where_no_source_is_registered_at_all() -> None:
    test_l5_no_tolerance_is_stated()


@pytest.mark.parametrize(("late", "told"), [(-1, []), (0, []), (1, ["source_not_registered L.6"])])
def test_l6_registered_from_a_moment_on(late: int, told: list[str]) -> None:
    wheel = next(f for f in facts() if f.stream == f"{TABLE}/wheel")
    old = next(
        f
        for f in facts()
        if isinstance(f, SourceRegistered) and f.registered_stream == wheel.stream
    )
    audit = swap(old, replace(old, since=wheel.event_time + late))
    assert said(audit.findings) == told


@pytest.mark.parametrize(
    ("key", "told"), [(None, []), (TABLE.encode(), []), (b"DC-02", ["key_differs L.6"])]
)
def test_l6_the_key_is_the_stream(key: bytes | None, told: list[str]) -> None:
    fact = last_of(TABLE)
    arrivals = [Arrival(frame(f), key=key if f is fact else None) for f in facts()]
    assert said(judged(arrivals).findings) == told


# --- no day, no property -----------------------------------------------------------------------------


def test_a_day_without_facts_is_unknown_to_the_ledger() -> None:
    with pytest.raises(DayUnknown) as refusal:
        judged(facts(), date(2030, 1, 1))
    assert refusal.value.exit_code == 2
    assert "2030-01-01" in str(refusal.value)


def test_an_empty_ledger_has_no_property() -> None:
    with pytest.raises(PropertyUnknown):
        judged([])


def test_every_event_is_counted_once() -> None:
    audit = judged(facts())
    begins, ends = CLOCK.bounds(FIRST_DAY)
    assert audit.events == sum(begins <= f.event_time < ends for f in facts()) == len(facts())
    assert audit.rounds == sum(type(f).__name__ == "BettingOpened" for f in facts())
