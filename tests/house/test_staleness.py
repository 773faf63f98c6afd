"""How long a table or a feed may be silent: what is registered for it, else five minutes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.events import SourceRegistered, StalenessRegistered
from ledger.house import Office, take
from ledger.house.staleness import DEFAULT_SILENCE
from ledger.kernel import MICROSECONDS

TERMINALS = st.sampled_from([None, "T-1", "T-2"])
KINDS = st.sampled_from([None, "dice", "chips"])
TABLES = st.sampled_from([None, "SB-01", "SB-02"])


def registered(number: int, since: int, seconds: int, **scope: str | None) -> StalenessRegistered:
    """A registration; what is not named is for any."""
    named = {"table": None, "terminal": None, "kind": None} | scope
    return StalenessRegistered(
        stream="house", seq=number, event_time=number, source="HQ", recorded_by="E-1",
        seconds=seconds, since=since, **named,
    )  # fmt: skip


def source(stream: str, terminal: str, since: int) -> SourceRegistered:
    return SourceRegistered(
        stream="house", seq=1, event_time=1, source="HQ", recorded_by=None,
        registered_stream=stream, registered_source=terminal, since=since,
        clock_uncertainty_micros=0, order_tolerance_micros=0,
    )  # fmt: skip


def test_nothing_registered_is_five_minutes_and_names_no_fact() -> None:
    limit = Office().silence_limit("SB-01", 10, stream="SB-01/dice")
    assert (limit.micros, limit.fact, limit.is_of_feed) == (300_000_000, None, False)
    assert limit.micros == DEFAULT_SILENCE


def test_a_limit_holds_from_its_time_on() -> None:
    office = Office()
    take(office, registered(2, 100, 60))
    assert office.silence_limit("SB-01", 99).micros == DEFAULT_SILENCE
    assert office.silence_limit("SB-01", 100).micros == 60 * MICROSECONDS


def test_a_terminal_is_the_one_registered_for_the_stream_at_that_moment() -> None:
    office = Office()
    for fact in (source("SB-01/dice", "T-1", 0), source("SB-01/dice", "T-2", 50)):
        take(office, fact)
    take(office, registered(3, 0, 30, terminal="T-1"))
    assert office.silence_limit("SB-01", 49, stream="SB-01/dice").is_of_feed
    assert not office.silence_limit("SB-01", 50, stream="SB-01/dice").is_of_feed
    assert not office.silence_limit("SB-01", 49).is_of_feed


@settings(deadline=None)
@given(
    st.lists(st.tuples(TERMINALS, KINDS, TABLES, st.integers(0, 9), st.integers(1, 86_400))),
    st.sampled_from(["T-1", "T-2"]),
    KINDS,
    st.integers(0, 9),
)
def test_the_narrowest_scope_holds_and_of_one_scope_the_latest(
    rows: list[tuple[str | None, str | None, str | None, int, int]],
    terminal: str,
    kind: str | None,
    at: int,
) -> None:
    """Held against a search of all that fits, ranked by what each names and from when it holds."""
    office = Office()
    stream = f"SB-01/{kind}" if kind else "SB-01"
    take(office, source(stream, terminal, 0))
    facts = [
        registered(number, since, seconds, terminal=of, kind=sort, table=table)
        for number, (of, sort, table, since, seconds) in enumerate(rows, 2)
    ]
    for fact in facts:
        take(office, fact)
    fitting = [
        fact
        for fact in facts
        if fact.since <= at
        and fact.terminal in (None, terminal)
        and fact.kind in (None, kind)
        and fact.table in (None, "SB-01")
    ]
    best = max(
        fitting,
        key=lambda fact: (
            fact.terminal is not None, fact.kind is not None, fact.table is not None,
            fact.since, fact.seq,
        ),
        default=None,
    )  # fmt: skip
    limit = office.silence_limit("SB-01", at, stream=stream)
    assert limit.micros == (DEFAULT_SILENCE if best is None else best.seconds * MICROSECONDS)
    assert (limit.fact is None) == (best is None)
