"""What is told of silences: within what is registered, each once, and once that it is over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.house import Office, take
from ledger.kernel import MICROSECONDS, PropertyClock, table_of
from ledger.replay import Replay
from ledger.watch import WHOLE_FLOOR, Feed, Silence, Told
from ledger.watch.silences import FloorSilences
from ledger.web.views.shift import silent_feeds
from ledger.web.visit import Visit
from tests.house.test_staleness import registered, source

STREAMS: tuple[str, ...] = ("SB-01", "SB-01/chips", "SB-01/dice", "SB-02", "DC-01/wheel")
DEFAULT: int = 300


@dataclass
class OpenFloor:
    """As much of a replay as silences ask for: tables that are open, and how far each stream is."""

    last: dict[str, int] = field(default_factory=dict)

    def tables(self) -> dict[str, tuple[str, ...]]:
        names = sorted({table_of(stream) for stream in self.last})
        return {
            name: tuple(sorted(stream for stream in self.last if table_of(stream) == name))
            for name in names
        }

    def extent(self, stream: str) -> SimpleNamespace:
        return SimpleNamespace(last_time=self.last[stream])

    def kinds_since(self, since: int) -> frozenset[str]:
        return frozenset()

    def walk(self, *_: object, only: tuple[str, ...] = (), **__: object) -> Iterator[object]:
        if "TableOpened" in only:
            yield SimpleNamespace(fact=type("TableOpened", (), {})())


@dataclass
class Follower:
    """Looks at a floor after each delivery and keeps what stands by what it was told."""

    floor: OpenFloor = field(default_factory=OpenFloor)
    office: Office = field(default_factory=Office)
    memory: Told = field(default_factory=Told)
    looks: int = 0
    stands: dict[Feed, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.silences = FloorSilences(self.memory)

    def deliver(self, times: dict[str, int]) -> list[Silence]:
        """Take facts in (by stream their time in seconds), look, and hold each telling against
        what stood: nothing is told that was told before."""
        for stream, at in times.items():
            seconds = at * MICROSECONDS
            self.floor.last[stream] = max(seconds, self.floor.last.get(stream, 0))
        replay = cast(Replay, self.floor)
        arrived = {stream: (at * MICROSECONDS, at * MICROSECONDS) for stream, at in times.items()}
        silences = list(self.silences.changes(replay, self.office, self.looks, arrived, 0))
        self.looks += 1
        for silence in silences:
            feed = Feed(silence.table, silence.stream)
            state = "heard" if silence.is_over else "behind" if silence.is_behind else "silent"
            assert self.stands.get(feed, "heard") != state, silence
            self.stands[feed] = state
        return silences

    def idle(self, recorded_at: int, watched_at: int) -> Silence | None:
        """Ask by the clock of the machine, in seconds."""
        times = recorded_at * MICROSECONDS, watched_at * MICROSECONDS
        idle = self.silences.idle(cast(Replay, self.floor), self.office, *times)
        if idle is not None:
            assert self.stands.get(WHOLE_FLOOR, "heard") == "heard"
            self.stands[WHOLE_FLOOR] = "silent"
        return idle


def _texts(told: list[Silence]) -> list[tuple[str | None, bool, int]]:
    return [(one.stream, one.is_over, (one.limit_micros or 0) // MICROSECONDS) for one in told]


def test_a_terminal_is_told_within_its_own_limit_and_when_it_is_back() -> None:
    """SB-01's dice may be silent for a minute; the table as a whole, for five."""
    follower = Follower()
    take(follower.office, source("SB-01/dice", "T-7", 0))
    take(follower.office, registered(2, 0, 60, terminal="T-7"))
    follower.deliver({"SB-01": 0, "SB-01/dice": 0, "SB-02": 0})
    assert follower.deliver({"SB-01": 60}) == []
    assert _texts(follower.deliver({"SB-01": 61})) == [("SB-01/dice", False, 60)]
    assert follower.deliver({"SB-01": 200, "SB-02": 200}) == []
    assert _texts(follower.deliver({"SB-01/dice": 201})) == [("SB-01/dice", True, 60)]
    silences = follower.deliver({"SB-02": 502})
    assert _texts(silences) == [(None, False, DEFAULT), ("SB-01/dice", False, 60)]
    assert [one.limit_fact for one in silences] == [None, "house:2"]


def test_a_limit_that_begins_later_holds_from_then_on() -> None:
    follower = Follower()
    take(follower.office, registered(2, 1_000 * MICROSECONDS, 10, table="SB-02"))
    follower.deliver({"SB-01": 900, "SB-02": 900})
    assert follower.deliver({"SB-01": 999}) == []
    assert _texts(follower.deliver({"SB-01": 1_000})) == [(None, False, 10)]


def test_a_longer_limit_does_not_say_that_something_was_heard() -> None:
    follower = Follower()
    follower.deliver({"SB-01": 0, "SB-02": 0})
    assert [one.table for one in follower.deliver({"SB-01": 301})] == ["SB-02"]
    take(follower.office, registered(2, 0, 3_600))
    assert follower.deliver({"SB-01": 302}) == []
    assert _texts(follower.deliver({"SB-02": 303})) == [(None, True, 3_600)]


def test_an_idle_floor_is_told_by_the_shortest_limit_of_its_open_tables() -> None:
    follower = Follower()
    take(follower.office, registered(2, 0, 30, table="SB-02"))
    follower.deliver({"SB-01": 100, "SB-02": 100})
    assert [follower.idle(100, at) for at in (100, 129, 130)] == [None] * 3
    idle = follower.idle(100, 131)
    assert idle is not None
    assert (idle.limit_micros, idle.limit_fact) == (30 * MICROSECONDS, "house:2")
    assert follower.idle(100, 900) is None
    (over,) = follower.deliver({"SB-01": 101})
    assert (Feed(over.table), over.is_over) == (WHOLE_FLOOR, True)


def test_ten_thousand_limits_and_a_clock_that_goes_back() -> None:
    follower = Follower()
    for number in range(2, 10_002):
        take(follower.office, registered(number, number, number, table="SB-02"))
    follower.deliver({"SB-01": 50_000, "SB-02": 50_000})
    assert follower.deliver({"SB-01": 60_001}) == []
    (silence,) = follower.deliver({"SB-01": 60_002})
    assert silence.limit_micros == 10_001 * MICROSECONDS
    assert follower.idle(60_002, 0) is None  # before anything was recorded
    assert follower.deliver({"SB-01": 5}) == []


def test_the_shift_page_lists_what_is_silent_by_the_same_limits() -> None:
    follower = Follower()
    take(follower.office, registered(2, 0, 60, kind="dice"))
    follower.deliver({"SB-01": 400, "SB-01/dice": 300, "SB-02": 0, "DC-01": 100})
    record = SimpleNamespace(
        replay=follower.floor,
        property_clock=PropertyClock("America/New_York", 360),
        judged=SimpleNamespace(record=SimpleNamespace(office=follower.office)),
    )
    rows = silent_feeds(cast(Visit, SimpleNamespace(record=record)))
    assert [(name, behind, limit) for name, _, behind, limit in rows] == [
        ("SB-02", "6 min 40 s", "told after 5 min, no limit is registered"),
        ("SB-01, feed SB-01/dice", "1 min 40 s", "told after 1 min, as registered"),
    ]


DELIVERIES = st.lists(
    st.dictionaries(st.sampled_from(STREAMS), st.integers(0, 40), min_size=1), max_size=30
)
LIMITS = st.lists(
    st.tuples(
        st.sampled_from([None, "SB-01", "SB-02"]),
        st.sampled_from([None, "chips", "dice", "wheel"]),
        st.integers(0, 400),
        st.integers(1, 90),
    ),
    max_size=4,
)


@settings(deadline=None)
@given(DELIVERIES, LIMITS, st.booleans())
def test_what_stands_is_what_the_times_say(
    deliveries: list[dict[str, int]],
    limits: list[tuple[str | None, str | None, int, int]],
    restarts: bool,
) -> None:
    """After each delivery, of all that is awaited, what was told agrees with the times alone.

    What is silent stays so until something comes from it, however long it may be silent by then.
    """
    follower = Follower()
    for number, (table, kind, since, seconds) in enumerate(limits, 2):
        take(
            follower.office,
            registered(number, since * MICROSECONDS, seconds, table=table, kind=kind),
        )
    at = 0
    for delivery in deliveries:
        at += 15
        times = {stream: max(at - late, 0) for stream, late in delivery.items()}
        before = dict(follower.stands)
        follower.deliver(times)
        floor = follower.floor
        newest = max(floor.last.values())
        for table, streams in floor.tables().items():
            own = streams[0] if len(streams) == 1 else None
            limit = follower.office.silence_limit(table, newest, own).micros
            late = newest - max(floor.last[stream] for stream in streams)
            has_come = not times.keys().isdisjoint(streams)
            state = follower.stands.get(Feed(table), "heard")
            if late > limit:
                assert state in ("silent", "behind")
            elif has_come or before.get(Feed(table), "heard") == "heard":
                assert state == "heard"
        if restarts:
            follower.silences, follower.looks = FloorSilences(follower.memory), 0
