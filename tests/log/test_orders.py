"""Any order, any repeats, any cut into batches: the same facts, and the tree of the order."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.codec import bulk_validation
from ledger.log import Accepted, Arrival, Quarantined, init, open_log, verify
from ledger.log.known_keys_and_offsets import Spans
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, opened
from tests.log.forgetful import ForgetfulStorage
from tests.log.memory_log import MemoryLog
from tests.log.test_power import NOWHERE

ARRIVALS = st.lists(
    st.one_of(
        st.builds(
            lambda seq, stream, source: Arrival(opened(seq, stream, source)),
            st.integers(1, 12),
            st.sampled_from(["SB-01", "DC-01"]),
            st.sampled_from(["T-1", "T-1", "T-1", "T-2"]),
        ),
        st.sampled_from([Arrival(b""), Arrival(b"rubbish"), Arrival(b"\x00\x00\x00\xff\xff")]),
    ),
    max_size=60,
)


def memory() -> MemoryLog:
    return MemoryLog(origin=ORIGIN, property=HOUSE, record_time=TIME)


@given(ARRIVALS, st.lists(st.integers(1, 20), max_size=10))
def test_any_cut_into_batches_gives_the_same_tree(batch: list[Arrival], cuts: list[int]) -> None:
    whole, parts = memory(), memory()
    whole.append(batch, TIME)
    at = 0
    for cut in [*cuts, len(batch)]:
        parts.append(batch[at : at + cut], TIME)
        at += cut
    assert parts.root == whole.root
    assert list(parts.entries()) == list(whole.entries())


@settings(max_examples=40, deadline=None)
@given(ARRIVALS, st.integers(0, 1 << 30))
def test_what_is_judged_at_once_gives_the_same_tree(batch: list[Arrival], seed: int) -> None:
    functions, random = bulk_validation.machine(bulk_validation.WORTH), Random(seed)
    assert functions is not None
    for arrival in batch[::3]:
        spoilt = bytearray(arrival.framed or b"x")
        spoilt[random.randrange(len(spoilt))] ^= 1 << random.randrange(8)
        batch = [*batch, Arrival(bytes(spoilt))]
    outcomes = []
    for way in (functions, None):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(bulk_validation, "machine", lambda _events, way=way: way)
            log = memory()
            outcomes.append((log.append(batch, TIME), list(log.entries())))
    assert outcomes[0] == outcomes[1]


@given(ARRIVALS)
def test_files_agree_with_memory(batch: list[Arrival]) -> None:
    storage = ForgetfulStorage()
    init(NOWHERE, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER, storage=storage)
    own = memory()
    with open_log(NOWHERE, storage=storage, group_entries=7) as log:
        assert log.append(batch, TIME).root == own.append(batch, TIME).root
    assert verify(NOWHERE, storage=storage).problem is None


@given(ARRIVALS)
def test_every_arrival_is_accounted_for(batch: list[Arrival]) -> None:
    log = memory()
    done = log.append(batch, TIME)
    assert done.accepted + done.repeated + done.conflicts + done.quarantined == len(batch)
    held = {e.framed for _, e in log.entries() if isinstance(e, Accepted)}
    held |= {log.quarantined(e.sha256) for _, e in log.entries() if isinstance(e, Quarantined)}
    assert held == {arrival.framed for arrival in batch}
    again = log.append(batch, TIME)
    assert again.repeated == len(batch)


@given(st.lists(st.integers(1, 40), max_size=80))
def test_spans_are_a_set_of_numbers(numbers: list[int]) -> None:
    spans, seen = Spans(), set[int]()
    for number in numbers:
        assert (number in spans) == (number in seen)
        assert spans.add(number) == (number not in seen)
        seen.add(number)
        assert spans.top == max(seen)
    covered = {n for low, high in spans.intervals() for n in range(low, high + 1)}
    missing = {n for low, high in spans.gaps() for n in range(low, high + 1)}
    assert covered == seen
    assert missing == set(range(1, max(seen, default=0) + 1)) - seen
