"""Whole bundles are taken into an index as their entries are one by one, whatever they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import mkdtemp

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger.codec import frame
from ledger.events import Fact
from ledger.kernel import IntegrityBroken, machine_code
from ledger.log import Arrival, bulk_bundles, open_log
from ledger.log.entry import Accepted, encode
from ledger.log.errors import FormatNewer, TreeBroken
from ledger.log.tiles import WIDTH, pack
from ledger.replay import Replay, bulk_index, index
from ledger.replay.bulk_index import _Taking
from ledger.replay.errors import EntryWrong
from ledger.replay.index import IndexPass
from tests.analytics import given as days
from tests.replay.comparing import arriving, same
from tests.replay.given import SECOND, START, fact

SHARED, OWN = "pit.tables.v1", "pit.terminal.T-1.v1"


@pytest.fixture(autouse=True)
def _always_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (machine_code, bulk_bundles):
        monkeypatch.setattr(module, "WORTH", 0)
    monkeypatch.setattr(bulk_index, "FEW", 0)
    monkeypatch.setattr(bulk_index, "MOST_ALONE", 1)


def one_by_one(folder: Path, size: int | None = None) -> Replay:
    """The replay of a ledger, or of its first entries, of which no bundle was taken at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "read_bundles", lambda _reading, _files, first, _stop, **_: first)
        return Replay.open(folder, size=size, from_entries=True, keeps=False)


def at_once(folder: Path, size: int | None = None) -> Replay:
    """The same, taken at once; most entries are."""
    alone = 0
    take = IndexPass.take

    def counted(reading: IndexPass, entry: bytes, position: int, offset: int) -> None:
        nonlocal alone
        alone += 1
        take(reading, entry, position, offset)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(IndexPass, "take", counted)
        replay = Replay.open(folder, size=size, from_entries=True, keeps=False)
    assert alone < replay.size
    return replay


def from_places(random: Random, arrivals: list[Arrival]) -> Iterator[Arrival]:
    """The same as they come from Kafka and from persons by turns, now and then under another key."""
    offsets: dict[tuple[str, int], int] = {}
    place: tuple[str, int] | None = None
    for arrival in arrivals:
        if not random.randrange(60):
            place = random.choice([None, (SHARED, 0), (SHARED, 1), (OWN, 0)])
        if place is None:
            yield arrival
            continue
        topic, partition = place
        offset = offsets[place] = offsets.get(place, 0) + random.choice([1, 1, 90, 9000])
        key = random.choice([b"another", None]) if not random.randrange(50) else None
        yield arrival._replace(key=key, topic=topic, partition=partition, offset=offset)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_comes_from_wherever(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    folder = days.ledger(tmp_path / "ledger", [])
    arrivals = list(from_places(random, arriving(random)))
    cuts = sorted(random.sample(range(1, len(arrivals)), 3))
    with open_log(folder) as log:
        for low, high in zip([0, *cuts], [*cuts, len(arrivals)], strict=True):
            log.append(arrivals[low:high], days.RECORDED_AT + high)
    same(at_once(folder), one_by_one(folder))
    for size in sorted(random.sample(range(2 * WIDTH, len(arrivals)), 3)):
        same(at_once(folder, size), one_by_one(folder, size))


def test_a_pass_goes_on_within_a_bundle(tmp_path: Path) -> None:
    folder = days.ledger(tmp_path / "ledger", [])
    replay = Replay.following(folder)
    for low, high in ((1, 300), (300, 2000), (2000, 2001), (2001, 2600)):
        with open_log(folder) as log:
            sent = [fact(table, seq) for seq in range(low, high) for table in ("SB-01", "SB-02")]
            log.append([Arrival(frame(one)) for one in sent], START + high)
        replay = replay.grown()
        same(replay, one_by_one(folder))


@pytest.mark.row_by_row
@pytest.mark.parametrize("stream", ["S", "S" * 63, "S" * 64, "tisch/é"])
@pytest.mark.parametrize("source", ["", "T", "T" * 63, "T" * 64, "é"])
def test_names_of_any_length(stream: str, source: str, tmp_path: Path) -> None:
    folder = days.ledger(Path(mkdtemp(dir=tmp_path)) / "ledger", [])
    sent = [fact(stream, seq, source=source or None) for seq in range(1, 500)]
    sent[200:200] = [fact("SB-02", seq) for seq in range(1, 300)]
    with open_log(folder) as log:
        log.append([Arrival(frame(one)) for one in sent], START)
    same(Replay.open(folder, from_entries=True, keeps=False), one_by_one(folder))


def test_more_sources_and_streams_than_there_was_room_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_room = bulk_index._Keys._make_room
    monkeypatch.setattr(
        bulk_index._Keys, "_make_room", lambda own, keys, octets: make_room(own, min(keys, 8), octets)
        if not own._known else make_room(own, keys, octets),
    )  # fmt: skip
    monkeypatch.setattr(index, "SOURCES", 5)
    folder = days.ledger(tmp_path / "ledger", [])
    random = Random(3)
    tables = [f"T-{number}" for number in range(20)]
    sent = [
        fact(table, seq, source=f"from {random.randrange(5) if random.randrange(99) else seq}")
        for seq in range(1, 200)
        for table in tables
    ]
    with open_log(folder) as log:
        log.append([Arrival(frame(one)) for one in sent], START)
    same(at_once(folder), one_by_one(folder))


def test_a_bundle_that_was_changed_is_named_as_ever(tmp_path: Path) -> None:
    folder = days.ledger(tmp_path / "ledger", [])
    with open_log(folder) as log:
        log.append([Arrival(frame(fact("SB-01", seq))) for seq in range(1, 2000)], START)
    path = folder / "tile" / "entries" / "003"
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)
    refusals = []
    for read in (one_by_one, lambda whole: Replay.open(whole, from_entries=True, keeps=False)):
        with pytest.raises(IntegrityBroken) as refusal:
            read(folder)
        refusals.append((type(refusal.value), str(refusal.value)))
    assert refusals[0] == refusals[1]
    assert refusals[0][0] is TreeBroken


def encoded(fact_of: Fact, place: tuple[str, int, int] | None, later: int = 0) -> bytes:
    """A fact as an entry, recorded so many microseconds after the start."""
    framed = frame(fact_of)
    return encode(
        Accepted(record_time=START + later, coordinates=place, odd_key=None, framed=framed)
    )


MADE = [
    encoded(one, place)
    for one in [fact("SB-01", 5), fact("SB-01", 70, source="T"), fact("é" * 20, 9000)]
    for place in [None, (SHARED, 0, 7), (SHARED, 0, 9000), (OWN, 1, 7)]
]
"""Entries of two kinds of head, as they should be."""


def outcome(read: Callable[[IndexPass], None]) -> object:
    """What a pass knows after some entries; or what it refused."""
    reading = IndexPass(as_recorded=False, goes_on=True)
    try:
        read(reading)
    except (EntryWrong, FormatNewer) as error:
        return str(error)
    return [
        (name, own.fresh().tolist(), own.count, own.highest, own.late, own.sources, own.schemas,
         own.odd_keys, own.proven_at)
        for name, own in reading.growing.items()
    ]  # fmt: skip


def alike(entries: list[bytes]) -> bool:
    """Whether entries are taken at once as one by one, with the same refusal if any."""

    def singly(reading: IndexPass) -> None:
        offset = 2
        for position, entry in enumerate(entries):
            reading.take(entry, position, offset)
            offset += len(entry) + 2

    def together(reading: IndexPass) -> None:
        machine, places = machine_code.twin("ledger.replay.index_fast", 0), bulk_bundles.machine(0)
        assert machine is not None
        packed = bulk_bundles.cut(places, [pack(entries)], len(entries))
        assert packed is not None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(bulk_index, "WIDTH", len(entries))
            _Taking(reading, machine).take(packed, 0)

    return outcome(singly) == outcome(together)


@settings(max_examples=400)
@given(
    st.lists(st.sampled_from(MADE), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 255)), max_size=3),
    st.integers(0, 200),
    st.booleans(),
)
@example([MADE[0], MADE[0]], [(0, 1)], 0, False)
def test_entries_with_altered_bytes(
    entries: list[bytes], changes: list[tuple[int, int]], cut: int, shortened: bool
) -> None:
    altered = bytearray(entries[-1])
    for at, byte in changes:
        altered[at % len(altered)] = byte
    if shortened:
        del altered[len(altered) - 1 - cut % (len(altered) - 1) :]
    assert alike([*MADE, *entries, bytes(altered), *entries])


@pytest.mark.row_by_row
@pytest.mark.parametrize("number", range(len(MADE)))
def test_each_byte_of_an_entry(number: int) -> None:
    entry = MADE[number]
    before = [entry] if number % 4 else [encoded(fact("SB-01", 5), None, later=1)]
    for at in range(len(entry)):
        for byte in {0, 1, 2, 127, 128, 255, entry[at] ^ 1, entry[at] ^ 128}:
            altered = entry[:at] + bytes([byte]) + entry[at + 1 :]
            assert alike([*MADE, entry, *before, altered, entry]), (at, byte)


def test_moments_and_numbers_of_any_size() -> None:
    for seq in (1, 63, 64, 2**20, 2**33, 2**34, 2**40):
        for seconds in (-START / SECOND - 5, -START / SECOND, 0, 2e9):
            entry = encoded(fact("SB-01", seq, seconds), None)
            assert alike([*MADE, MADE[0], entry, MADE[0]]), (seq, seconds)


def test_a_length_that_is_longer_than_need_be() -> None:
    entry = encoded(fact("SB-01", 5), None, later=1)
    assert entry[10] == 0
    assert entry[11] < 128
    longer = entry[:11] + bytes([entry[11] | 128, 0]) + entry[12:]
    assert alike([*MADE, MADE[0], longer, MADE[0]])
    assert alike([*MADE, entry, longer, MADE[0]])


def test_the_first_fact_from_a_terminals_own_topic_is_noted() -> None:
    shared, own = (SHARED, 0), (OWN, 0)
    sent = [(table, place) for place in (shared, own) for _ in "ab" for table in ("A-1", "B-1")]
    assert alike(
        [encoded(fact(table, at), (*place, at)) for at, (table, place) in enumerate(sent, 1)]
    )


def test_nothing_is_taken_at_once_without_machine_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = days.ledger(tmp_path / "ledger", [])
    with open_log(folder) as log:
        log.append([Arrival(frame(fact("SB-01", seq))) for seq in range(1, 800)], START)
    fast = at_once(folder)
    monkeypatch.setattr(machine_code, "is_available", lambda: False)
    plain = Replay.open(folder, from_entries=True, keeps=False)
    same(fast, plain)
    assert np.array_equal(fast._index.streams["SB-01"].rows, plain._index.streams["SB-01"].rows)
