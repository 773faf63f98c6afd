"""Arrivals taken in columns enter as they do one by one: the same entries, rows and known keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import events
from ledger.codec import bulk_validation, frame, registry
from ledger.log import Arrival, arrival_columns, bulk_bundles, init, open_log, verify
from ledger.log.admission import Admission
from ledger.log.laid_entries import LaidEntries
from tests.codec.test_wire import OPENED, PLACED
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals, no_more_bets, opened
from tests.log.forgetful import ForgetfulStorage
from tests.log.memory_log import MemoryLog
from tests.strategies import facts

NOWHERE = Path("nowhere")
MACHINE = bulk_validation.machine(bulk_validation.WORTH)
PLAIN = [one.name for one in registry() if one is registry().by_name(one.name)]
REGISTERED = frame(
    events.SourceRegistered(
        stream="house", seq=1, event_time=TIME, source="T-1", recorded_by=None,
        registered_stream="SB-09", registered_source="T-9", since=TIME, clock_uncertainty_micros=0,
        order_tolerance_micros=0,
    )
)  # fmt: skip


@contextmanager
def ways(*, in_columns: bool) -> Iterator[list[bool]]:
    """Take arrivals in columns, however few, or one by one; and note which plans had columns."""
    taken: list[bool] = []
    write = Admission._write_columns

    def noted(admission: Admission, *arguments: object) -> bool:
        taken.append(write(admission, *arguments))  # type: ignore[arg-type]
        return taken[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrival_columns, "WORTH", 1)
        patch.setattr(bulk_validation, "machine", lambda _: MACHINE if in_columns else None)
        patch.setattr(Admission, "_write_columns", noted)
        yield taken


def held_after(batches: Sequence[Sequence[Arrival]], *, in_columns: bool) -> tuple[object, ...]:
    """What a log holds and knows after these appends; last, which were taken in columns."""
    with ways(in_columns=in_columns) as taken:
        log = MemoryLog(origin=ORIGIN, property=HOUSE, record_time=TIME)
        answers = [log.append(batch, TIME + number) for number, batch in enumerate(batches)]
    known, index = log._known, log._index
    spans = {name: (own.intervals(), own.top) for name, own in known.keys.items()}
    rows = {name: index.positions(name).tolist() for name in index.streams()}
    written = list(log.entries()), log.root, answers, dict(log._files)
    return *written, spans, list(known.keys), known.schemas, known.size, rows, index.dates, taken


def check(*batches: Sequence[Arrival]) -> list[bool]:
    """Hold both ways against each other; which batches were taken in columns."""
    *columns, taken = held_after(batches, in_columns=True)
    *rows, in_rows = held_after(batches, in_columns=False)
    assert columns == rows
    assert not any(in_rows)  # type: ignore[arg-type]
    return taken  # type: ignore[return-value]


def plain(*framed: bytes) -> list[Arrival]:
    return [Arrival(one) for one in framed]


BEFORE = arrivals(1, 5)


def test_facts_that_go_on_are_taken_in_columns() -> None:
    assert check(BEFORE, arrivals(6, 9), arrivals(1, 3, "DC-01")) == [True] * 3


def test_streams_in_turns_with_gaps_and_a_new_schema_between() -> None:
    batch = plain(
        opened(7), opened(2, "DC-01"), opened(8), no_more_bets(9), opened(3, "DC-01"),
        no_more_bets(20), opened(21), frame(replace(PLACED, stream="DC-01", seq=9)),
        opened(1, "A table with a long name, and more than two words of eight bytes"),
        opened(1, "Tisch-Ü"),
    )  # fmt: skip
    assert check(BEFORE, batch, plain(opened(22), opened(10, "DC-01"))) == [True] * 3


ALONE = {
    "late": plain(opened(9), opened(8)),
    "late in another stream": plain(opened(8), opened(5, "DC-01"), opened(4, "DC-01")),
    "late to an earlier append": plain(opened(6), opened(2, "DC-01")),
    "known since an earlier append": plain(opened(5)),
    "known": plain(opened(6), opened(5)),
    "twice": plain(opened(6), opened(6)),
    "in conflict": plain(opened(6), opened(3, source="T-2")),
    "no fact": plain(opened(6), b"rubbish"),
    "empty": plain(opened(6), b""),
    "no such schema": plain(opened(6), b"\0\0\0\xff\xff" + opened(7)[5:]),
    "a registration": plain(opened(6), REGISTERED),
    "another key": [Arrival(opened(6), b"another")],
    "its own key": [Arrival(opened(6), b"SB-01")],
    "from Kafka": [Arrival(opened(6), b"SB-01", "facts", 0, 7)],
    "a reason": [Arrival(opened(6), reason="oversize")],
    "a stream without a name": plain(opened(6)[:5] + b"\0" + opened(6)[11:]),
}


@pytest.mark.parametrize("batch", ALONE.values(), ids=list(ALONE))
def test_whatever_has_to_be_judged_alone_is_left_to_it(batch: list[Arrival]) -> None:
    seen = [*BEFORE, *arrivals(1, 1, "DC-01"), *arrivals(3, 3, "DC-01")]
    assert check(seen, batch, arrivals(30, 31)) == [True, False, True]


def test_a_registration_bears_after_columns_as_ever() -> None:
    foreign = Arrival(opened(2, "SB-09"), b"SB-09", "pit.terminal.T-8.v1", 0, 1)
    assert check(arrivals(1, 1, "SB-09"), plain(REGISTERED), [foreign]) == [True, False, False]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.one_of(facts(name) for name in PLAIN), min_size=1, max_size=5),
    st.integers(0, 1 << 30),
)
def test_facts_of_all_schemas_whole_and_altered(whole: list[events.Fact], seed: int) -> None:
    random, batches, seqs = Random(seed), list[list[Arrival]](), dict[str, int]()
    for _ in range(4):
        batch = []
        for _ in range(random.randrange(1, 12)):
            stream = random.choice(("SB-01", "DC-01", "Ü"))
            seqs[stream] = seqs.get(stream, 0) + random.choice((1, 1, 1, 1, 5))
            fact = random.choice((*whole, OPENED))
            batch.append(Arrival(frame(replace(fact, stream=stream, seq=seqs[stream]))))
        for _ in range(random.choice((0, 0, 1))):
            spoilt = bytearray(batch[-1].framed)
            spoilt[random.randrange(len(spoilt))] ^= 1 << random.randrange(8)
            batch.insert(random.randrange(len(batch)), Arrival(bytes(spoilt)))
        batches.append(batch)
    check(*batches)


@pytest.mark.parametrize("before", [1, 3, 254, 255, 256, 700])
def test_the_files_are_the_same_bytes(before: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [before, 1, 40, 255, 256, 257, 600]
    outcomes = []
    for in_columns in (True, False):
        storage, first = ForgetfulStorage(), 1
        with monkeypatch.context() as patch, ways(in_columns=in_columns) as taken:
            patch.setattr(bulk_bundles, "machine", lambda _, it=in_columns: _machine(it))
            init(
                NOWHERE,
                origin=ORIGIN,
                property=HOUSE,
                record_time=TIME,
                signer=SIGNER,
                storage=storage,
            )
            with open_log(NOWHERE, storage=storage, group_entries=300) as log:
                for size in sizes:
                    log.append(arrivals(first, first + size - 1), TIME)
                    first += size
                tail = list(log._tail)
        assert all(taken) is in_columns
        names = sorted(name for name in storage.names_now if not name.startswith("tmp"))
        outcomes.append(({name: storage.read(name) for name in names}, tail))
        assert verify(NOWHERE, storage=storage).problem is None
    assert outcomes[0] == outcomes[1]


def _machine(in_columns: bool) -> object:
    return bulk_bundles._machine() if in_columns else None


def test_laid_entries_are_read_back_one_by_one() -> None:
    assert isinstance(MACHINE, type(bulk_bundles))
    with ways(in_columns=True):
        log = MemoryLog(origin=ORIGIN, property=HOUSE, record_time=TIME)
        plan = log._admission.plan(BEFORE, TIME)
    assert isinstance(plan.entries, LaidEntries)
    assert len(plan.entries) == len(list(plan.entries)) == 6
    assert plan.entries.entries(4) == list(plan.entries)[4:]
    assert plan.entries.entries(6) == []
    assert plan.entries.between(0, 0) == b""
